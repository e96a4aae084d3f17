// SPDX-License-Identifier: Apache-2.0
// somite check FILE…

#include "base/file.h"
#include "command/command.h"
#include "language/dialect.h"
#include "language/outline.h"
#include "modules/m3l.h"

static void check_file(SomCommand *command, const char *path) {
    SomStr name = som_str(path);
    const SomDialect *dialect = som_dialect_find(name);
    if (dialect == NULL && strcmp(path, "-") == 0) {
        dialect = &som_dialect_somite;
    }
    if (dialect == NULL) {
        som_report(command->diags, SOM_LANGUAGE_UNKNOWN, (SomSpan){0},
                   "'%s' is not a .som, .m3l or .role file", path);
        return;
    }
    // diagnostics point into the text, so it lives as long as the command
    SomText *text = som_command_new_text(command);
    if (!som_file_load(path, SOM_FILE_LIMIT, text, command->diags)) {
        return;
    }
    // any bytes at all: the lexer says more about bad ones than the reader of a file could
    SomStr shown = strcmp(path, "-") == 0 ? SOM_STR("<stdin>") : name;
    uint32_t source1 = som_diagnostics_add_source(command->diags, shown, som_text_str(text));
    if (dialect == &som_dialect_m3l) {
        som_m3l_destroy(som_m3l_read(som_text_str(text), source1, command->diags));
    } else {
        som_syntax_destroy(som_outline_parse(som_text_str(text), dialect, source1, command->diags));
    }
}

static void run_check(SomCommand *command) {
    for (int i = 0; i < command->words.count; i++) {
        check_file(command, command->words.data[i]);
    }
}

const SomVerb som_verb_check = {
    .name = "check",
    .usage = "FILE… [--json]",
    .summary = "read files and report everything that is wrong with them",
    .help = "Reads .som, .m3l and .role files and reports every error in one pass, each with its\n"
            "place, a code and, where the repair is certain, a fix. '-' reads standard input as\n"
            ".som text.\n\n"
            "  somite check walker.som\n"
            "  somite check *.m3l --json\n\n"
            "Of .som and .role files this checks characters, quotes, brackets, numbers and units\n"
            "today; names and meaning follow with their grammars.\n",
    .min_words = 1,
    .max_words = -1,
    .has_json = true,
    .run = run_check,
};
