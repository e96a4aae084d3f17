// SPDX-License-Identifier: Apache-2.0
// somite check FILE…

#include "base/codes/language_codes.h"
#include "base/file.h"
#include "command/design.h"
#include "command/sarif_file.h"
#include "language/dialect.h"
#include "language/outline.h"
#include "verify/check_file.h"

static void check_role(SomCommand *command, const char *path) {
    // diagnostics point into the text, so it lives as long as the command
    SomText *text = som_command_new_text(command);
    if (som_file_load(path, SOM_FILE_LIMIT, text, command->diags)) {
        // any bytes at all: the lexer says more about bad ones than the reader of a file could
        SomStr source = som_text_str(text);
        uint32_t source1 = som_diagnostics_add_source(command->diags, som_str(path), source);
        som_syntax_destroy(som_outline_parse(source, &som_dialect_role, source1, command->diags));
    }
}

static void check_file(SomCommand *command, const char *path) {
    const SomDialect *dialect = som_dialect_find(som_str(path));
    bool is_name = strpbrk(path, "./") == NULL; // of the library, or "-"
    if (dialect == &som_dialect_role) {
        check_role(command, path);
    } else if (dialect != NULL || is_name) {
        SomWorkspace *workspace = som_command_workspace(command);
        int file = som_workspace_open(workspace, som_str(path));
        if (file >= 0) {
            som_check_file(workspace, file, command->diags);
        }
    } else if (som_file_can_load(path, command->diags)) {
        som_report(command->diags, SOM_LANGUAGE_UNKNOWN, (SomSpan){0},
                   "'%s' is not a .som, .m3l or .role file", path);
    }
}

static void run_check(SomCommand *command) {
    for (int i = 0; i < command->words.count; i++) {
        check_file(command, command->words.data[i]);
    }
    som_command_save_sarif(command, NULL);
}

static const SomOption options[] = {SOM_OPTION_SARIF, {0}};

const SomVerb som_verb_check = {
    .name = "check",
    .usage = "FILE… [--sarif OUT] [--json]",
    .summary = "read files and report everything that is wrong with them",
    .help = "Reads .som, .m3l and .role files and reports every error in one pass, each with its\n"
            "place, a code and, where the repair is certain, a fix. FILE may be the name\n"
            "of a library file, walkbot or mtran.m3l; '-' reads standard input as .som text.\n\n"
            "  somite check walker.som\n"
            "  somite check walkbot\n"
            "  somite check *.m3l --json\n"
            "  somite check designs/*.som --sarif check.sarif\n\n"
            "Of a .som file every configuration that needs no arguments is composed, with all\n"
            "files it uses; if nothing is wrong, its behaviors that need none are unfolded and\n"
            "checked: conflicts, limits, what may never end. Of .role files this checks "
            "characters, quotes, brackets and numbers\n"
            "today.\n",
    .min_words = 1,
    .max_words = -1,
    .has_json = true,
    .options = options,
    .run = run_check,
};
