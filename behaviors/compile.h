// behaviors/compile.h - from the text of behaviors to the graph that is played.
//
//     SomCompileDef def = {.workspace = workspace, .configuration = snake, .diags = diags};
//     SomActionGraph *graph = som_compile_call(&def, SOM_STR("s[1].sineGait(n = 2)"));
//     SomServoModel *servos = som_compile_servos(snake);    // one a DoF of the graph
//     ...
//     som_free(servos);
//     som_action_graph_destroy(graph);
//
// The DoF and docks of a graph are all those of the configuration, in its order; DoF in the
// convention of the joints themselves: values that were given for an alias are already converted.
// Behaviors of parts are unfolded with their arguments, comprehensions and `if` are decided; what
// is left for the player are conditions over what it senses. Every node keeps its place in the text
// and the path of the behavior it comes from. All that is wrong is reported in one pass, once for
// each place.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/graph_builder.h"
#include "behaviors/input_settings.h"
#include "behaviors/text_names.h"
#include "compose/workspace.h"
#include "player/servo.h"

#ifdef __cplusplus
extern "C" {
#endif

// More is a diagnostic.
#define SOM_COMPILE_MOST_ACTIONS 1000000
#define SOM_COMPILE_MOST_DEPTH 2500 // actions in actions, behaviors unfolded
#define SOM_COMPILE_MOST_STEPS 20000000

typedef struct SomCompileDef {
    SomWorkspace *workspace;               // that the configuration was composed of
    const SomConfiguration *configuration; // may be of any file of it
    SomDiagnostics *diags;
    SomReportedPlaces *reported; // shared by several calls, so that nothing is said twice; or NULL
    int64_t *steps_left;         // likewise, of SOM_COMPILE_MOST_STEPS; NULL: each call has its own
    const SomTextNames *runs;    // of som_compile_collect_runs; NULL: collected for each behavior
    SomInputSettings *inputs;    // instead of the sources that the design declares; NULL: none
    const SomTextNames *members; // behaviors that others run of parts that may be this one; or NULL
} SomCompileDef;

// An action as it could stand in a behavior of the whole: "drive(w = 90deg/s, t = 2s)",
// "series(front.drive, hold)". The text must outlive `diags`. NULL after a report.
SomActionGraph *som_compile_call(const SomCompileDef *def, SomStr text);

// A behavior of the configuration, with the defaults of its parameters. NULL after a report.
SomActionGraph *som_compile_behavior(const SomCompileDef *def, int behavior);

// Compiles every behavior that the configuration itself defines and that needs no arguments, and
// reports what som_static_check has to say about it; what two of them share is said once. Of all
// that it defines, parameters that are not used.
void som_compile_check(const SomCompileDef *def);

// The inputs that the configuration itself declares, likewise.
void som_compile_check_inputs(const SomCompileDef *def);

// What behaviors of the configuration itself run, for `runs` of the next function.
void som_compile_collect_runs(const SomCompileDef *def, SomTextNames *runs);

// The static part of it, for one behavior that was compiled.
void som_compile_check_graph(const SomCompileDef *def, int behavior, const SomActionGraph *graph,
                             const SomServoModel *servos);

// The parameters of a behavior; *count of them.
const SomParameter *som_compile_parameters(const SomCompileDef *def, int behavior, int *count);

// What the modules' types say of their joints, one a DoF; freed by the caller with som_free.
SomServoModel *som_compile_servos(const SomConfiguration *configuration);

#ifdef __cplusplus
}
#endif
