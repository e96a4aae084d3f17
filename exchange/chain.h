// exchange/chain.h - chains of modules written as strings: I-T'0-T(-90)-A0-t180-g90.
//
//     SomChain chain = {0};
//     if (som_chain_parse(text, 0, text.length, source1, &chain, diags)) {
//         for (int i = 0; i < chain.count; i++) { … chain.data[i].type … }
//     }
//     som_array_free(&chain);
//
// From the base to the end: types of the modules of library/modules/gdut.m3l, with ' behind it one
// that is installed inverted (its output nearer the base), and the angle of the connection to the
// module before, a multiple of 90 degrees, 0 if none is written. The first module has no angle.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "base/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomChainModule {
    char type;
    bool is_inverted;
    int degrees; // 0, 90, 180 or -90
    SomSpan span;
} SomChainModule;

typedef SOM_ARRAY(SomChainModule) SomChain; // zero is empty

// Reads the chain in a piece of the text. False after a report.
bool som_chain_parse(SomStr text, size_t begin, size_t end, uint32_t source1, SomChain *chain,
                     SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
