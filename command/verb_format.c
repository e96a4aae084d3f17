// SPDX-License-Identifier: Apache-2.0
// somite format FILE…

#include "base/codes/language_codes.h"
#include "base/file.h"
#include "command/design.h"
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

static void format_file(SomCommand *command, const char *word) {
    SomText path = {0};
    som_command_find_file(som_str(word), &path);
    SomText *text = som_command_new_text(command);
    bool is_loaded = som_file_load(path.data, SOM_FILE_LIMIT, text, command->diags);
    const Formatter *formatter = is_loaded ? find_formatter(command, path.data) : NULL;
    if (formatter != NULL) {
        SomStr shown = strcmp(word, "-") == 0 ? SOM_STR("<stdin>") : som_text_str(&path);
        uint32_t source1 = som_diagnostics_add_source(command->diags, shown, som_text_str(text));
        const SomGrammar *grammar = formatter->grammar;
        SomSyntax *tree =
            grammar->parse(som_text_str(text), grammar->dialect, source1, command->diags);
        SomText canonical = {0};
        if (formatter->format(tree, &canonical)) {
            deliver(command, path.data, som_text_str(text), som_text_str(&canonical));
        }
        som_text_free(&canonical);
        som_syntax_destroy(tree);
    }
    som_text_free(&path);
}

// What --write cannot write back: standard input, and files of the library, which are only named.
static void check_writable(SomCommand *command, const char *word) {
    SomText path = {0};
    som_command_find_file(som_str(word), &path);
    if (strcmp(word, "-") == 0) {
        som_command_misused(command, "standard input cannot be written back");
    } else if (!som_str_equal(som_text_str(&path), som_str(word))) {
        som_command_misused(command, "'%s' is a file of the library; --write needs its path", word);
    }
    som_text_free(&path);
}

static void run_format(SomCommand *command) {
    for (int i = 0; i < command->words.count && som_command_has(command, "write"); i++) {
        check_writable(command, command->words.data[i]);
    }
    for (int i = 0; i < command->words.count && command->usage_errors == 0; i++) {
        format_file(command, command->words.data[i]);
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
            "as it is. '-' reads standard input as .som text. Files of the library are named\n"
            "with their path to be written back.\n\n"
            "  somite format walker.som\n"
            "  somite format --write *.som *.m3l\n",
    .min_words = 1,
    .max_words = -1,
    .options = options,
    .run = run_format,
};
