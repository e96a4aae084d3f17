// SPDX-License-Identifier: Apache-2.0
// somite explain [CODE]

#include "command/command.h"

static void print_code(const SomCodeInfo *info, SomText *out) {
    som_text_printf(out, "SOM%04d %-7s  %s\n", (int)info->code, som_severity_word(info->severity),
                    info->help);
}

static void write_code(const SomCodeInfo *info, SomJsonWriter *json) {
    SomText code = {0};
    som_text_printf(&code, "SOM%04d", (int)info->code);
    som_json_open_object(json);
    som_json_member_string(json, "code", som_text_str(&code));
    som_json_member_string(json, "severity", som_str(som_severity_word(info->severity)));
    som_json_member_string(json, "help", som_str(info->help));
    som_json_close_object(json);
    som_text_free(&code);
}

static void run_explain(SomCommand *command) {
    int count;
    const SomCodeInfo *codes = som_codes(&count);
    if (command->words.count == 1) {
        codes = som_code_find(som_str(command->words.data[0]));
        count = 1;
        if (codes == NULL) {
            som_command_misused(command, "there is no code '%s'; 'somite explain' lists them all",
                                command->words.data[0]);
            return;
        }
    }
    if (command->wants_json) {
        som_json_key(&command->json, SOM_STR("codes"));
        som_json_open_array(&command->json);
    }
    for (int i = 0; i < count; i++) {
        if (command->wants_json) {
            write_code(&codes[i], &command->json);
        } else {
            print_code(&codes[i], &command->out);
        }
    }
    if (command->wants_json) {
        som_json_close_array(&command->json);
    }
}

const SomVerb som_verb_explain = {
    .name = "explain",
    .usage = "[CODE] [--json]",
    .summary = "what a diagnostic's code means and what to do",
    .help = "Every diagnostic ends with a code such as [SOM1023]. This prints what the code means\n"
            "and what to do about it; without a code, the whole list.\n\n"
            "  somite explain SOM1023\n",
    .max_words = 1,
    .has_json = true,
    .run = run_explain,
};
