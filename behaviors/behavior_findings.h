// behaviors/behavior_findings.h - what is wrong with behaviors, and which of their blocks it is
// about.
//
//     SomBlocks *blocks = som_blocks_of(composition);
//     SomBlockFindings *findings = som_block_findings_create(composition, blocks);
//     for (int i = 0; i < findings->mark_count; i++) {
//         const SomBlockMark *mark = &findings->marks[i];
//         ... blocks->blocks[mark->block], findings->reports[mark->report].message ...
//     }
//     som_block_findings_destroy(findings);
//
// Errors of the text, of the compiler and of behaviors/static_checks.h. Every place of a report
// that lies in a block marks it. Of a conflict both commands are marked: where they are written,
// and, where they come from behaviors that are run, the two blocks that run them at the same time.
//
// Ownership: the composition is held, the blocks are borrowed.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/behavior_blocks.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomBlockReport {
    SomCode code;
    SomSeverity severity;
    SomStr message;
    SomSpan span; // in the sources of the composition's diagnostics
} SomBlockReport;

typedef enum SomMarkRole {
    SOM_MARK_HERE,   // it is about this block
    SOM_MARK_OTHER,  // the other place: the other command of a conflict, what a note is about
    SOM_MARK_AROUND, // the parallel or any whose branches conflict
} SomMarkRole;

typedef struct SomBlockMark {
    int block;
    int report;
    SomMarkRole role;
} SomBlockMark;

typedef struct SomBlockFindings {
    const SomBlockReport *reports; // all of the file and its behaviors, also those without a block
    int report_count;
    const SomBlockMark *marks; // by block
    int mark_count;
    SomComposition *composition;
    SomArena arena;
} SomBlockFindings;

// The blocks are those of the composition.
SomBlockFindings *som_block_findings_create(SomComposition *composition, const SomBlocks *blocks);
void som_block_findings_destroy(SomBlockFindings *findings); // NULL is allowed

// The marks of a block: *count of them.
const SomBlockMark *som_block_findings_of(const SomBlockFindings *findings, int block, int *count);

#ifdef __cplusplus
}
#endif
