// SPDX-License-Identifier: Apache-2.0
// somite diff A B: what changed from one design to another.

#include "command/design.h"
#include "compose/diff.h"

static void print(const SomDiff *diff, SomText *out) {
    static const char *const marks[] = {
        [SOM_CHANGE_ADDED] = "+", [SOM_CHANGE_REMOVED] = "-", [SOM_CHANGE_CHANGED] = "~"};
    for (int i = 0; i < diff->change_count; i++) {
        const SomChange *change = &diff->changes[i];
        som_text_printf(out, "%s %s ", marks[change->kind],
                        som_change_subject_word(change->subject));
        som_text_add_shown(out, change->name);
        bool is_first = true;
        const SomStr values[] = {change->before, change->after};
        for (int k = 0; k < 2; k++) {
            if (values[k].length > 0) {
                som_text_add(out, is_first ? SOM_STR(": ") : SOM_STR(" -> "));
                som_text_add_shown(out, values[k]);
                is_first = false;
            }
        }
        som_text_add_char(out, '\n', 1);
    }
    if (diff->is_same_structure) {
        som_text_add(out, diff->change_count > 0
                              ? SOM_STR("the modules are connected in the same way\n")
                              : SOM_STR(""));
    }
}

static void write_kind(const SomDiff *diff, SomChangeKind kind, SomJsonWriter *json) {
    som_json_key(json, som_str(som_change_kind_word(kind)));
    som_json_open_array(json);
    for (int i = 0; i < diff->change_count; i++) {
        const SomChange *change = &diff->changes[i];
        if (change->kind != kind) {
            continue;
        }
        som_json_open_object(json);
        som_json_member_string(json, "subject", som_str(som_change_subject_word(change->subject)));
        som_json_member_string(json, "name", change->name);
        som_json_member_string(json, "before", change->before);
        som_json_member_string(json, "after", change->after);
        som_json_close_object(json);
    }
    som_json_close_array(json);
}

static void write(const SomDiff *diff, SomJsonWriter *json) {
    write_kind(diff, SOM_CHANGE_ADDED, json);
    write_kind(diff, SOM_CHANGE_REMOVED, json);
    write_kind(diff, SOM_CHANGE_CHANGED, json);
    som_json_member_boolean(json, "same_structure", diff->is_same_structure);
}

static void compare(SomCommand *command, const SomConfiguration *before,
                    const SomConfiguration *after) {
    SomDiff *diff = som_diff_create(before, after);
    if (command->wants_json) {
        write(diff, &command->json);
    } else {
        print(diff, &command->out);
    }
    command->failed = som_command_has(command, "exit-code") && diff->change_count > 0;
    som_diff_destroy(diff);
}

static void run_diff(SomCommand *command) {
    const char *both = som_command_value(command, "config");
    const char *second = som_command_value(command, "config-b");
    SomConfiguration *before = som_command_compose_choice(command, command->words.data[0], both);
    SomConfiguration *after =
        som_command_compose_choice(command, command->words.data[1], second != NULL ? second : both);
    if (before != NULL && after != NULL) {
        compare(command, before, after);
    }
    som_configuration_destroy(before);
    som_configuration_destroy(after);
}

static const SomOption options[] = {
    SOM_OPTION_CONFIG,
    {.name = "config-b", .value = "C", .help = "which configuration of B, if not the same"},
    {.name = "exit-code", .help = "exit with 1 if something changed"},
    {0},
};

const SomVerb som_verb_diff = {
    .name = "diff",
    .usage = "A B [--config C] [--config-b C] [--exit-code] [--json]",
    .summary = "what changed from one design to another, as parts and connections",
    .help =
        "Compares two designs: parts by their paths, connections by what they join, poses, the\n"
        "start and the base. '+' was added, '-' removed, '~' changed. Modules of a type are\n"
        "interchangeable: if only names differ, that is said.\n\n"
        "  somite diff walker.som walker-new.som\n"
        "  somite diff walkbot walkbot --config-b Walkbot17\n",
    .min_words = 2,
    .max_words = 2,
    .has_json = true,
    .options = options,
    .run = run_diff,
};
