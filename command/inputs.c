// SPDX-License-Identifier: Apache-2.0
#include "command/inputs.h"

#include "base/codes/behaviors_codes.h"

bool som_command_inputs(SomCommand *command, SomInputSettings **settings) {
    int errors = som_diagnostics_error_count(command->diags);
    int at = 0;
    const char *value = NULL;
    *settings = &command->inputs;
    if (command->inputs_of != command->diags) { // of a round of --watch before this one
        som_input_settings_free(&command->inputs);
    }
    while (command->inputs_of != command->diags &&
           (value = som_command_next_value(command, "input", &at)) != NULL) {
        som_input_settings_add(&command->inputs, SOM_STR("--input"), som_str(value),
                               command->diags);
    }
    command->inputs_of = command->diags;
    return som_diagnostics_error_count(command->diags) == errors;
}

void som_command_find_inputs(SomCommand *command, const SomConfiguration *design) {
    for (int i = 0; i < command->inputs.all.count; i++) {
        SomInputSetting *setting = &command->inputs.all.data[i];
        setting->is_used |= som_configuration_find_input(design, setting->name) >= 0;
    }
}

bool som_command_check_inputs(SomCommand *command) {
    bool fine = true;
    for (int i = 0; i < command->inputs.all.count; i++) {
        const SomInputSetting *setting = &command->inputs.all.data[i];
        if (!setting->is_used) {
            fine = false;
            som_report(command->diags, SOM_INPUT_SETTING, (SomSpan){0},
                       "'%.*s' is not an input: the design declares none of this name, and the "
                       "behavior reads none",
                       SOM_STR_ARG(setting->name));
        }
    }
    return fine;
}

static void write_keyframes(SomJsonWriter *json, const SomActionGraph *graph,
                            SomInputSource source) {
    som_json_key(json, SOM_STR("values"));
    som_json_open_array(json);
    for (int32_t i = 0; i < source.keyframe_count; i++) {
        const SomKeyframe *frame = &graph->keyframes[source.first_keyframe + i];
        som_json_open_object(json);
        som_json_member_number(json, "t", frame->time);
        som_json_member_number(json, "value", frame->value);
        som_json_close_object(json);
    }
    som_json_close_array(json);
}

static void write_source(SomJsonWriter *json, const SomActionGraph *graph, int32_t input) {
    SomInputSource source = som_graph_source(graph, input);
    som_json_open_object(json);
    som_json_member_string(json, "name", som_str(som_graph_name(graph, SOM_SYMBOL_INPUT, input)));
    som_json_member_string(json, "source",
                           source.kind == SOM_SOURCE_UNKNOWN
                               ? SOM_STR("none")
                               : som_str(som_source_word((SomSourceKind)source.kind)));
    switch ((SomSourceKind)source.kind) {
    case SOM_SOURCE_CONSTANT:
        som_json_member_number(json, "value", source.low);
        break;
    case SOM_SOURCE_TABLE:
    case SOM_SOURCE_STEPS:
        write_keyframes(json, graph, source);
        break;
    case SOM_SOURCE_RANGE:
        som_json_member_number(json, "low", source.low);
        som_json_member_number(json, "high", source.high);
        break;
    case SOM_SOURCE_TOPIC:
        som_json_member_string(json, "topic", som_str(som_graph_topic(graph, input)));
        break;
    case SOM_SOURCE_UNKNOWN:
    case SOM_SOURCE_KINDS:
        break;
    }
    som_json_close_object(json);
}

void som_command_write_inputs(SomCommand *command, const SomActionGraph *graph) {
    SomJsonWriter *json = &command->json;
    som_json_key(json, SOM_STR("inputs"));
    som_json_open_array(json);
    for (int32_t i = 0; graph != NULL && i < graph->symbol_count[SOM_SYMBOL_INPUT]; i++) {
        write_source(json, graph, i);
    }
    som_json_close_array(json);
}
