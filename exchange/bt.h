// exchange/bt.h - behaviors as trees of BehaviorTree.CPP 4, which Groot opens.
//
//     SomText xml = {0};
//     som_bt_write(&(SomBtDef){.graph = graph, .design = design, .call = SOM_STR("walk")}, &xml);
//
// Series are sequences, behaviors that a behavior runs are sub-trees under their own names, equal
// ones shared; actions are nodes of the types that the file declares in its TreeNodesModel, with
// all they need to be carried out as ports, in metres, radians and seconds. No action fails.
// docs/behavior-trees.md has the whole map, both ways. som_import reads such files.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/configuration.h"
#include "player/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomBtDef {
    const SomActionGraph *graph;
    const SomConfiguration *design; // that the graph was compiled for
    SomStr call;                    // what was compiled: the name of a behavior, or any action
} SomBtDef;

void som_bt_write(const SomBtDef *def, SomText *out);

#ifdef __cplusplus
}
#endif
