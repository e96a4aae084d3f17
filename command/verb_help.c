// SPDX-License-Identifier: Apache-2.0
// somite help [VERB]

#include "command/command.h"

static void print_options(const SomOption *options, SomText *out) {
    for (; options != NULL && options->name != NULL; options++) {
        SomText name = {0};
        if (options->letter != 0) {
            som_text_printf(&name, "-%c, ", options->letter);
        }
        som_text_printf(&name, "--%s%s%s", options->name, options->value ? " " : "",
                        options->value ? options->value : "");
        som_text_printf(out, "  %-22s %s\n", name.data, options->help);
        som_text_free(&name);
    }
}

void som_verb_print_help(const SomVerb *verb, SomText *out) {
    som_text_printf(out, "somite %s %s\n\n%s", verb->name, verb->usage, verb->help);
    bool has_options = verb->options != NULL && verb->options->name != NULL;
    if (has_options || verb->has_json) {
        som_text_add(out, SOM_STR("\nOptions:\n"));
        print_options(verb->options, out);
    }
    if (verb->has_json) {
        som_text_printf(out, "  %-22s %s\n", "--json", "print one JSON document for programs");
    }
}

static void print_list(SomText *out) {
    som_text_add(out, SOM_STR("somite: a studio for modular robots\n\n"));
    int count;
    const SomVerb *const *verbs = som_verbs(&count);
    for (int i = 0; i < count; i++) {
        som_text_printf(out, "  %-11s %s\n", verbs[i]->name, verbs[i]->summary);
    }
    som_text_add(out,
                 SOM_STR("\n'somite help VERB' explains a verb, with examples. Exit codes: 0 "
                         "fine or warnings,\n1 errors, 2 wrong usage, 3 could not read or "
                         "write. FILE may be the name of a library\nfile: walkbot, mtran.m3l.\n"));
}

static void run_help(SomCommand *command) {
    if (command->words.count == 0) {
        print_list(&command->out);
        return;
    }
    const SomVerb *verb = som_verb_find(command->words.data[0]);
    if (verb == NULL) {
        const SomVerb *nearest = som_verb_find_nearest(command->words.data[0]);
        som_command_misused(command, "there is no verb '%s'%s%s%s", command->words.data[0],
                            nearest != NULL ? "; did you mean '" : "",
                            nearest != NULL ? nearest->name : "", nearest != NULL ? "'?" : "");
        return;
    }
    som_verb_print_help(verb, &command->out);
}

const SomVerb som_verb_help = {
    .name = "help",
    .usage = "[VERB]",
    .summary = "list the verbs, or explain one",
    .help = "Lists the verbs, or explains one with its options and examples.\n",
    .max_words = 1,
    .run = run_help,
};
