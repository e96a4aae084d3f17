// SPDX-License-Identifier: Apache-2.0
// somite VERB …: finds the verb, runs it, prints what it left, and exits as command.h says.

#include "base/codes/compose_text_codes.h"
#include "command/command.h"
#include "compose/workspace.h"

#include <fcntl.h>
#include <stdio.h>

// More errors than this are counted, not shown: nobody reads them, and the first cause the rest.
#define SHOWN_ERRORS 20

#define SOM_VERB(name) extern const SomVerb som_verb_##name;
#include "command/verbs.inc"
#undef SOM_VERB

const SomVerb *const *som_verbs(int *count) {
    static const SomVerb *const verbs[] = {
#define SOM_VERB(name) &som_verb_##name,
#include "command/verbs.inc"
#undef SOM_VERB
    };
    *count = (int)(sizeof verbs / sizeof *verbs);
    return verbs;
}

const SomVerb *som_verb_find(const char *name) {
    int count;
    const SomVerb *const *verbs = som_verbs(&count);
    for (int i = 0; i < count; i++) {
        if (strcmp(verbs[i]->name, name) == 0) {
            return verbs[i];
        }
    }
    return NULL;
}

const SomVerb *som_verb_find_nearest(const char *name) {
    int count;
    const SomVerb *const *verbs = som_verbs(&count);
    SOM_ARRAY(SomStr) names = {0};
    for (int i = 0; i < count; i++) {
        som_array_push(&names, som_str(verbs[i]->name));
    }
    int nearest = som_str_find_nearest(som_str(name), names.data, names.count);
    som_array_free(&names);
    return nearest >= 0 ? verbs[nearest] : NULL;
}

static int report_unknown_verb(const char *name) {
    const SomVerb *nearest = som_verb_find_nearest(name);
    SomText line = {0};
    som_text_add(&line, SOM_STR("somite: there is no verb '"));
    som_text_add_shown(&line, som_str_slice(som_str(name), 0, 100));
    som_text_printf(&line, nearest != NULL ? "'; did you mean '%s'?\n" : "'; '%s' lists them\n",
                    nearest != NULL ? nearest->name : "somite help");
    fputs(line.data, stderr);
    som_text_free(&line);
    return SOM_EXIT_USAGE;
}

// Codes up to this one are about files that could not be read or written.
#define LAST_FILE_CODE 119

static int exit_code(const SomCommand *command) {
    if (command->usage_errors > 0) {
        return SOM_EXIT_USAGE;
    }
    int count;
    const SomCodeInfo *codes = som_codes(&count);
    bool misses_file = som_diagnostics_has(command->diags, SOM_LIBRARY_NAME_UNKNOWN);
    for (int i = 0; i < count && codes[i].code <= LAST_FILE_CODE; i++) {
        misses_file = misses_file || som_diagnostics_has(command->diags, codes[i].code);
    }
    if (misses_file) {
        return SOM_EXIT_FILES;
    }
    bool wrong = command->failed || som_diagnostics_error_count(command->diags) > 0;
    return wrong ? SOM_EXIT_ERRORS : SOM_EXIT_FINE;
}

// False if standard output could not take it all: closed, or on a full disk.
static bool print(SomStr text) {
    size_t written = text.length > 0 ? fwrite(text.data, 1, text.length, stdout) : 0;
    return fflush(stdout) == 0 && written == text.length;
}

SomText *som_command_new_text(SomCommand *command) {
    SomText *text = som_alloc(sizeof *text);
    som_array_push(&command->texts, text);
    return text;
}

static int finish(SomCommand *command) {
    int code = exit_code(command);
    if (command->usage_errors > 0) {
        return code;
    }
    som_diagnostics_sort(command->diags);
    if (command->wants_json) {
        som_json_member_integer(&command->json, "errors",
                                som_diagnostics_error_count(command->diags));
        som_json_member_integer(&command->json, "warnings",
                                som_diagnostics_warning_count(command->diags));
        som_json_key(&command->json, SOM_STR("diagnostics"));
        som_diagnostics_write_json(command->diags, &command->json);
        som_json_close_object(&command->json);
        som_json_end(&command->json);
    } else {
        SomText shown = {0};
        som_diagnostics_print(command->diags, SHOWN_ERRORS, &shown);
        fwrite(som_text_str(&shown).data, 1, shown.length, stderr);
        som_text_free(&shown);
    }
    if (!print(som_text_str(command->wants_json ? &command->document : &command->out))) {
        fprintf(stderr, "somite: could not write to standard output\n");
        return SOM_EXIT_FILES;
    }
    return code;
}

static int run(const SomVerb *verb, int count, char **words) {
    SomCommand command = {.verb = verb, .diags = som_diagnostics_create()};
    command.json.out = &command.document;
    som_command_parse(&command, count, words);
    if (command.usage_errors == 0) {
        if (som_command_has(&command, "help")) {
            som_verb_print_help(verb, &command.out);
        } else {
            if (command.wants_json) {
                som_json_open_object(&command.json);
            }
            if (som_diagnostics_error_count(command.diags) == 0) { // of outputs
                verb->run(&command);
            }
        }
    }
    int code = finish(&command);
    som_array_free(&command.words);
    som_array_free(&command.given);
    som_input_settings_free(&command.inputs);
    som_workspace_destroy(command.workspace);
    som_diagnostics_destroy(command.diags);
    for (int i = 0; i < command.texts.count; i++) {
        som_text_free(command.texts.data[i]);
        som_free(command.texts.data[i]);
    }
    som_array_free(&command.texts);
    som_arena_free(&command.arena);
    som_text_free(&command.out);
    som_text_free(&command.document);
    return code;
}

// A program started with a standard stream closed would open a file in its place. Nothing can be
// written to what stands there then, so that it is noticed.
static void fill_closed_streams(void) {
    for (int stream = 0; stream <= 2; stream++) {
        if (fcntl(stream, F_GETFD) == -1) {
            int null = open("/dev/null", O_RDONLY);
            (void)null; // the lowest free number, which is this one
        }
    }
}

int main(int argc, char **argv) {
    fill_closed_streams();
    const char *name = argc > 1 ? argv[1] : "help";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        name = "help";
    } else if (strcmp(name, "--version") == 0) {
        name = "version";
    }
    const SomVerb *verb = som_verb_find(name);
    if (verb == NULL) {
        return report_unknown_verb(name);
    }
    return run(verb, argc > 2 ? argc - 2 : 0, argv + 2);
}
