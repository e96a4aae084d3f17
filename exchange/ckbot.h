// exchange/ckbot.h - CKBot robots of LTLMoP's simulator: `.ckbot` files.
//
//     SomCkbot ckbot = {0};
//     if (som_ckbot_read(importer, &file, &ckbot)) { … }
//     som_ckbot_free(&ckbot);
//
// Text in sections, `ConfigName:`, `ConnMatrix:`, `RelativeOffset:`, `RelativeRotation:`,
// `ForwardVector:` and `Gaits:`, each with its lines below it up to an empty one; `#` begins a
// comment. Row i of the matrix has in column k the port of module i that holds module k, 0 for
// none. Gaits have rows of a number a module. LTLMoP is in cm and has y up.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/import_internal.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_CKBOT_MOST_MODULES 500
#define SOM_CKBOT_MOST_NUMBERS 200000 // in all gaits
#define SOM_CKBOT_MOST_PORT 10

typedef struct SomCkbotGait {
    SomStr name;   // "1"
    SomStr remark; // in the comment above it, empty if none
    SomSpan span;
    bool is_periodic;
    SOM_ARRAY(double) numbers; // rows: fixed 0.01 deg; periodic 0.01 deg, rad/s, 0.01 deg
    int row_count;
    double seconds;   // of fixed ones: from the first row to the last
    bool has_no_type; // while it is read
    int bad_lines;    // likewise
} SomCkbotGait;

// Zero is empty.
typedef struct SomCkbot {
    SomStr name; // empty if none is given
    int module_count;
    SOM_ARRAY(int) ports; // row by row
    SOM_ARRAY(SomSpan) row_spans;
    bool has_offset;
    SomVec3 offset; // in sizes of a module, of the first module's centre
    SomMat3 rotation;
    int forward; // 1 x, 2 y, 3 z of the first module, negative: backwards; 0: not given
    bool has_gain;
    double gain; // 1/s
    SomSpan gain_span;
    SOM_ARRAY(SomCkbotGait) gaits;
} SomCkbot;

// False after a report. Strings go to the importer's arena. Gaits that are malformed are reported
// and skipped.
bool som_ckbot_read(SomImporter *importer, const SomImportFile *file, SomCkbot *ckbot);
void som_ckbot_free(SomCkbot *ckbot);

// Adds the gaits to a robot whose modules are M0, M1, … with such a joint `hinge`.
void som_ckbot_add_gaits(SomImporter *importer, const SomCkbot *ckbot, SomImportRobot *robot,
                         const SomModuleJoint *hinge);

#ifdef __cplusplus
}
#endif
