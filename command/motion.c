// SPDX-License-Identifier: Apache-2.0
#include "command/motion.h"

#include "behaviors/static_rule.h"

#define MOST_SECONDS 1e6

bool som_command_time(SomCommand *command, const char *option, double otherwise, double low,
                      double *seconds) {
    const char *text = som_command_value(command, option);
    *seconds = otherwise;
    if (text == NULL) {
        return true;
    }
    if (!som_command_quantity(command, som_str(text), SOM_DIMENSION_TIME, seconds)) {
        return false;
    }
    if (!(*seconds >= low && *seconds <= MOST_SECONDS)) {
        som_command_misused(command, "--%s is a time from %s", option,
                            low > 0 ? "10us to 1000000s" : "0s to 1000000s");
        return false;
    }
    return true;
}

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
    motion->graph = som_compile_call(&compile, som_str(text));
    if (motion->graph == NULL) {
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
    SomStaticDef rule = {
        .graph = motion->graph, .servos = motion->servos, .design = design, .tick = def.tick};
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
