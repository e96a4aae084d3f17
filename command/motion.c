// SPDX-License-Identifier: Apache-2.0
#include "command/motion.h"

#include "behaviors/static_rule.h"
#include "command/inputs.h"

bool som_command_is_lab(SomCommand *command) {
    const char *word = som_command_value(command, "servo");
    bool is_lab = word != NULL && strcmp(word, "lab") == 0;
    if (word != NULL && !is_lab && strcmp(word, "bounded") != 0) {
        som_command_misused(command, "--servo is bounded or lab, not '%s'", word);
    }
    return is_lab;
}

bool som_command_move(SomCommand *command, const SomConfiguration *design,
                      const SomPosture *posture, const char *text, SomPredictionDef def,
                      SomPlayed *motion) {
    *motion = (SomPlayed){0};
    bool is_lab = som_command_is_lab(command);
    SomCompileDef compile = {.workspace = som_command_workspace(command),
                             .configuration = design,
                             .diags = command->diags};
    if (!som_command_inputs(command, &compile.inputs)) {
        return false;
    }
    motion->graph = som_compile_call(&compile, som_str(text));
    if (motion->graph == NULL) {
        return false;
    }
    som_command_find_inputs(command, design);
    if (!som_command_check_inputs(command)) {
        return false;
    }
    motion->servos = som_compile_servos(design);
    for (int i = 0; is_lab && i < design->dof_count; i++) {
        motion->servos[i].kind = SOM_SERVO_LABORATORY;
    }
    def.graph = motion->graph;
    def.servos = motion->servos;
    def.design = design;
    def.initial = posture->values;
    SomStaticDef rule = {.graph = motion->graph,
                         .servos = motion->servos,
                         .initial = def.initial,
                         .design = design,
                         .tick = def.tick};
    if (!som_static_allows(&rule, som_command_has(command, "force"), &motion->ignored_errors,
                           command->diags)) {
        return false;
    }
    som_prediction_play(&def, &motion->prediction, command->diags);
    return true;
}

void som_played_free(SomPlayed *motion) {
    som_prediction_free(&motion->prediction);
    som_free(motion->servos);
    som_action_graph_destroy(motion->graph);
    *motion = (SomPlayed){0};
}
