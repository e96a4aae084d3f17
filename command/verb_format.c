// SPDX-License-Identifier: Apache-2.0
// somite format FILE…

#include "base/file.h"
#include "command/command.h"
#include "language/som_format.h"
#include "language/som_syntax.h"
#include "modules/m3l_format.h"
#include "modules/m3l_syntax.h"

typedef struct Formatter {
    const SomGrammar *grammar;
    bool (*format)(const SomSyntax *tree, SomText *out);
} Formatter;

static const Formatter formatters[] = {
    {&som_grammar_som, som_som_format},
    {&som_grammar_m3l, som_m3l_format},
};

static const Formatter *find_formatter(SomCommand *command, const char *path) {
    const SomDialect *dialect =
        strcmp(path, "-") == 0 ? &som_dialect_somite : som_dialect_find(som_str(path));
    for (size_t i = 0; i < sizeof formatters / sizeof *formatters; i++) {
        if (formatters[i].grammar->dialect == dialect) {
            return &formatters[i];
        }
    }
    som_report(command->diags, SOM_LANGUAGE_UNKNOWN, (SomSpan){0},
               "'%s' is not a .som or .m3l file", path);
    return NULL;
}

// What is done with the canonical text of a file.
static void deliver(SomCommand *command, const char *path, SomStr old, SomStr canonical) {
    bool is_same = som_str_equal(old, canonical);
    if (som_command_has(command, "check")) {
        if (!is_same) {
            som_text_printf(&command->out, "%s\n", path);
            command->failed = true;
        }
    } else if (som_command_has(command, "write")) {
        if (!is_same && som_file_save(path, canonical, command->diags)) {
            som_text_printf(&command->out, "%s\n", path);
        }
    } else {
        som_text_add(&command->out, canonical);
    }
}

static void format_file(SomCommand *command, const char *path) {
    const Formatter *formatter = find_formatter(command, path);
    SomText *text = som_command_new_text(command);
    if (formatter == NULL || !som_file_load(path, SOM_FILE_LIMIT, text, command->diags)) {
        return;
    }
    SomStr shown = strcmp(path, "-") == 0 ? SOM_STR("<stdin>") : som_str(path);
    uint32_t source1 = som_diagnostics_add_source(command->diags, shown, som_text_str(text));
    const SomGrammar *grammar = formatter->grammar;
    SomSyntax *tree = grammar->parse(som_text_str(text), grammar->dialect, source1, command->diags);
    SomText canonical = {0};
    if (formatter->format(tree, &canonical)) {
        deliver(command, path, som_text_str(text), som_text_str(&canonical));
    }
    som_text_free(&canonical);
    som_syntax_destroy(tree);
}

static void run_format(SomCommand *command) {
    bool reads_input = false;
    for (int i = 0; i < command->words.count; i++) {
        reads_input = reads_input || strcmp(command->words.data[i], "-") == 0;
    }
    if (som_command_has(command, "write") && reads_input) {
        som_command_misused(command, "standard input cannot be written back");
    } else {
        for (int i = 0; i < command->words.count; i++) {
            format_file(command, command->words.data[i]);
        }
    }
}

static const SomOption options[] = {
    {.name = "write",
     .help = "write the canonical text back to the files, and name those that changed",
     .letter = 'w',
     .excludes = "check"},
    {.name = "check", .help = "change nothing, name the files that are not canonical, exit with 1"},
    {0},
};

const SomVerb som_verb_format = {
    .name = "format",
    .usage = "FILE… [--write | --check]",
    .summary = "the canonical text of .som and .m3l files",
    .help = "Prints the one canonical text of a file: indentation, blanks and line breaks are\n"
            "Somite's, every word and every comment is kept. A file with a syntax error is left\n"
            "as it is. '-' reads standard input as .som text.\n\n"
            "  somite format walker.som\n"
            "  somite format --write *.som *.m3l\n",
    .min_words = 1,
    .max_words = -1,
    .options = options,
    .run = run_format,
};
