// SPDX-License-Identifier: Apache-2.0
// Words of the command line → a SomCommand.

#include "base/file.h"
#include "command/option_checks.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

static const SomOption common_options[] = {
    {.name = "json", .help = "print one JSON document instead of text"},
    {.name = "help", .help = "explain this verb", .letter = 'h'},
    {0},
};

void som_command_misused(SomCommand *command, const char *format, ...) {
    // the user's words may be long, or hold what disturbs a terminal
    char message[500];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    SomText line = {0};
    som_text_printf(&line, "somite %s: ", command->verb->name);
    som_text_add_shown(&line, som_str(message));
    fprintf(stderr, "%s\n", line.data);
    som_text_free(&line);
    command->usage_errors++;
}

static const SomOption *find_in(const SomOption *options, SomStr name) {
    for (; options != NULL && options->name != NULL; options++) {
        if (som_str_equal(som_str(options->name), name)) {
            return options;
        }
    }
    return NULL;
}

static const SomOption *find_letter(const SomOption *options, char letter) {
    for (; options != NULL && options->name != NULL; options++) {
        if (options->letter == letter) {
            return options;
        }
    }
    return NULL;
}

static const SomOption *find_option(const SomVerb *verb, SomStr name) {
    const SomOption *own = find_in(verb->options, name);
    if (own != NULL) {
        return own;
    }
    const SomOption *common = find_in(common_options, name);
    bool is_json = common == &common_options[0];
    return is_json && !verb->has_json ? NULL : common;
}

// `word` is what the user typed, `name` the option's name in it.
static void report_unknown(SomCommand *command, const char *word, SomStr name) {
    const SomVerb *verb = command->verb;
    const SomOption *lists[] = {verb->options,
                                verb->has_json ? common_options : common_options + 1};
    SOM_ARRAY(SomStr) names = {0};
    for (int i = 0; i < 2; i++) {
        for (const SomOption *o = lists[i]; o != NULL && o->name != NULL; o++) {
            som_array_push(&names, som_str(o->name));
        }
    }
    int nearest = som_str_find_nearest(name, names.data, names.count);
    if (nearest >= 0) {
        som_command_misused(command, "unknown option '%s'; did you mean '--%.*s'?", word,
                            SOM_STR_ARG(names.data[nearest]));
    } else {
        som_command_misused(command, "unknown option '%s'; see 'somite help %s'", word, verb->name);
    }
    som_array_free(&names);
}

// One "--name", "--name=value", "--name value" or "-n value"; returns how many words it took.
static int parse_option(SomCommand *command, int count, char **words) {
    SomStr name = som_str_slice(som_str(words[0]), 2, SIZE_MAX);
    const char *equals = memchr(name.data, '=', name.length);
    if (equals != NULL) {
        name.length = (size_t)(equals - name.data);
    }
    const SomOption *option = NULL;
    if (words[0][1] == '-') {
        option = find_option(command->verb, name);
    } else if (words[0][2] == '\0') {
        option = find_letter(command->verb->options, words[0][1]);
        option = option != NULL ? option : find_letter(common_options, words[0][1]);
    }
    if (option == NULL) {
        report_unknown(command, words[0], name);
        return 1;
    }
    SomGiven given = {option, equals != NULL ? equals + 1 : NULL};
    int taken = 1;
    if (option->value == NULL && equals != NULL) {
        som_command_misused(command, "option '--%s' takes no value", option->name);
    } else if (option->value != NULL && equals == NULL) {
        if (count < 2) {
            som_command_misused(command, "option '--%s' needs a value: %s", option->name,
                                option->value);
            return 1;
        }
        given.value = words[1];
        taken = 2;
    }
    som_array_push(&command->given, given);
    return taken;
}

bool som_command_reads(const SomCommand *command, const char *path) {
    bool is_read = false;
    for (int i = 0; i < command->words.count && !is_read; i++) {
        is_read = som_file_is_same(path, command->words.data[i]);
    }
    return is_read;
}

void som_command_parse(SomCommand *command, int count, char **words) {
    bool options_ended = false;
    for (int i = 0; i < count;) {
        bool is_option = !options_ended && words[i][0] == '-' && words[i][1] != '\0';
        // a negative number is a word
        is_option = is_option && !(words[i][1] >= '0' && words[i][1] <= '9') && words[i][1] != '.';
        if (is_option && strcmp(words[i], "--") == 0) {
            options_ended = true;
            i++;
        } else if (is_option) {
            i += parse_option(command, count - i, words + i);
        } else {
            som_array_push(&command->words, words[i]);
            i++;
        }
    }
    if (command->usage_errors > 0 || som_command_has(command, "help")) {
        return;
    }
    const SomVerb *verb = command->verb;
    if (command->words.count < verb->min_words ||
        (verb->max_words >= 0 && command->words.count > verb->max_words)) {
        som_command_misused(command, "usage: somite %s %s", verb->name, verb->usage);
    }
    som_command_check_options(command);
    command->wants_json = som_command_has(command, "json");
}

const char *som_command_value(const SomCommand *command, const char *option) {
    for (int i = command->given.count - 1; i >= 0; i--) {
        if (strcmp(command->given.data[i].option->name, option) == 0) {
            return command->given.data[i].value;
        }
    }
    return NULL;
}

const char *som_command_next_value(const SomCommand *command, const char *option, int *at) {
    while (*at < command->given.count) {
        const SomGiven *given = &command->given.data[(*at)++];
        if (strcmp(given->option->name, option) == 0) {
            return given->value;
        }
    }
    return NULL;
}

bool som_command_has(const SomCommand *command, const char *option) {
    for (int i = 0; i < command->given.count; i++) {
        if (strcmp(command->given.data[i].option->name, option) == 0) {
            return true;
        }
    }
    return false;
}
