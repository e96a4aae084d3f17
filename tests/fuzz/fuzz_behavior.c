// Fuzz target: any text as an action of a small design, or as a table that is followed if it begins
// with "t,". It is compiled, checked and played for a moment, or there is a report.

// SPDX-License-Identifier: Apache-2.0

#include "behaviors/compile.h"
#include "behaviors/prediction.h"
#include "behaviors/static_checks.h"

#include <stdlib.h>

// Read in no time.
static const char small_module[] =
    "module SMORES: unit=0.05 m\n"
    "point T: (point _1: coords=(0.5, 0, 1)) (point _2: coords=(0, 0.5, 1)) coords=(0, 0, 1),"
    " connector\n"
    "point B: (point _1: coords=(0.5, 0, -1)) (point _2: coords=(0, 0.5, -1)) coords=(0, 0, -1),"
    " connector\n"
    "link upper: grouping=(T), shape=box((0, 0, 0.5), (1, 1, 1)), mass=0.1 kg\n"
    "link lower: grouping=(B), shape=box((0, 0, -0.5), (1, 1, 1)), mass=0.1 kg\n"
    "axis of_upper: origin=(0, 0, 0), direction=(0, 1, 0)\n"
    "axis of_lower: origin=(0, 0, 0), direction=(0, -1, 0)\n"
    "joint bend: type=revolute, value=[-90deg, 90deg], alias=(tilt),"
    " pair=((upper, of_upper), (lower, of_lower))\n"
    "connection SMORES_to_SMORES: members=(SMORES a, SMORES b), conditions=((a.point p_a coincident"
    " b.point p_b) and (p_a._1 coincident p_b.point) and (p_a._2 coincident p_b.point))\n"
    "robot pair: modules=(SMORES one, SMORES two), connections=((one.T, two.B))\n";

static const char design[] = "use \"smores.m3l\"\n"
                             "let slow = 20deg/s\n"
                             "config Chain {\n"
                             "    part m[3] : Module\n"
                             "    connect m[1].B to m[2].T\n"
                             "    dock grip: m[2].B to m[3].T closed\n"
                             "    dock ends: m[3].B to m[1].T open\n"
                             "    dock side: m[2].B to m[i].T open for i in 1..1\n"
                             "    let A = 40deg\n"
                             "    let knee = m[2].tilt\n"
                             "    let last = m[3]\n"
                             "    input light : number = 0..A/10deg\n"
                             "    input ready : condition = [0s: false, 0.1s: true]\n"
                             "    input far : length\n"
                             "    behavior step(j: joint, a: angle = 5deg) = j to a until j > a/2\n"
                             "    behavior each(p: Module, h: hinge = knee) = series(\n"
                             "        p.drive(1deg/s, 0.1s), step(h), hold p)\n"
                             "    pose lifted { m[1].tilt = 30deg; m[2].bend = 10deg }\n"
                             "    behavior key(p: angle, k: count = 3) = parallel(\n"
                             "        for i in 1..k: m[i].tilt to A*sin(p + (i-1)*60deg))\n"
                             "    behavior wave = series(for k in 0..5: key(k*60deg))\n"
                             "    behavior again = series(wave, again)\n"
                             "}\n"
                             "config Module is SMORES {\n"
                             "    behavior drive(w: angularSpeed, t: time) = tilt spin w during t\n"
                             "}\n";

static void play(const SomConfiguration *configuration, const SomActionGraph *graph,
                 SomDiagnostics *diags) {
    SomServoModel *servos = som_compile_servos(configuration);
    SomPrediction prediction = {0};
    som_static_check(&(SomStaticDef){.graph = graph, .servos = servos}, diags);
    som_prediction_play(
        &(SomPredictionDef){
            .graph = graph, .servos = servos, .design = configuration, .tick = 0.1, .most_time = 1},
        &prediction, diags);
    som_prediction_free(&prediction);
    som_free(servos);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(SOM_STR(SOM_SOURCE "/library"), diags);
    som_workspace_open_text(workspace, SOM_STR("smores.m3l"), som_str(small_module));
    int file = som_workspace_open_text(workspace, SOM_STR("a.som"), som_str(design));
    SomConfiguration *configuration =
        som_configuration_compose(workspace, file, SOM_STR(""), diags);
    if (configuration == NULL) {
        abort();
    }
    int64_t steps = 200000; // enough for all that is interesting
    SomCompileDef def = {.workspace = workspace,
                         .configuration = configuration,
                         .diags = diags,
                         .steps_left = &steps};
    SomStr action = {(const char *)data, size};
    if (size > 1 && data[0] == 't' && (data[1] == ',' || data[1] == ' ')) {
        som_workspace_add_beside(workspace, SOM_STR("a.csv"), action);
        action = SOM_STR("follow \"a.csv\"");
    }
    SomActionGraph *graph = som_compile_call(&def, action);
    if (graph == NULL && som_diagnostics_error_count(diags) == 0) {
        abort(); // it must be said why
    }
    if (graph != NULL && graph->node_count < 10000) {
        play(configuration, graph, diags);
    }
    SomText text = {0};
    som_diagnostics_print(diags, 0, &text);
    som_text_free(&text);
    som_action_graph_destroy(graph);
    som_configuration_destroy(configuration);
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
    return 0;
}
