// command/command.h - what every verb of the command line shares.
//
// A verb is one file that defines `const SomVerb som_verb_NAME` and one line in command/verbs.inc.
// main parses the arguments against the verb's options, calls `run`, prints what it left in `out`
// or `json`, and turns the diagnostics into an exit code:
//
//     0 fine, or only warnings    1 errors, or a failed verdict    2 wrong usage
//     3 could not read or write
//
// With --json, main opens the document's object before `run` and adds the diagnostics after it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/json_writer.h"
#include "base/memory.h"
#include "base/text.h"
#include "behaviors/input_settings.h"
#include "language/unit.h"

enum { SOM_EXIT_FINE = 0, SOM_EXIT_ERRORS = 1, SOM_EXIT_USAGE = 2, SOM_EXIT_FILES = 3 };

typedef struct SomCommand SomCommand;

// What an option takes. Values are checked before the verb runs.
typedef enum SomOptionKind {
    SOM_TAKES_TEXT,
    SOM_TAKES_COUNT,    // a whole number
    SOM_TAKES_NUMBER,   // a number without a unit
    SOM_TAKES_QUANTITY, // a value of `dimension`, with its unit
    SOM_TAKES_OUTPUT,   // a file to write; it is not one that is read
    SOM_TAKES_FOLDER,   // a folder to write into
} SomOptionKind;

// One option of a verb. Zero is a switch without a letter.
typedef struct SomOption {
    const char *name;  // without the dashes
    const char *value; // names what follows it, "FILE"; NULL for a switch
    const char *help;
    char letter; // 'o' for -o
    SomOptionKind kind;
    SomDimensionName dimension;
    double low, high;     // of a number or quantity, in SI units; both 0: any
    const char *endings;  // of an output: ".som .m3l"; NULL: any
    bool may_be_read;     // an output that may be one of the words
    bool is_repeated;     // may be given more than once
    const char *needs;    // another option without which it has no meaning
    const char *excludes; // options that contradict it, with blanks between: "json csv"
} SomOption;

// A row for verbs that write files which people go on to edit.
#define SOM_OPTION_OVERWRITE                                                                       \
    { .name = "overwrite", .help = "replace files that exist", .needs = "output" }

#define SOM_PAGE_ENDINGS ".html .htm" // of outputs that are pages

typedef struct SomVerb {
    const char *name;
    const char *usage;   // what follows the name: "FILE… [--json]"
    const char *summary; // one line for the list
    const char *help;    // paragraphs and examples
    int min_words;       // how many words that are not options it takes
    int max_words;       // -1: any number
    bool has_json;
    const SomOption *options; // ends with a zero name
    void (*run)(SomCommand *command);
} SomVerb;

// An option as it was given.
typedef struct SomGiven {
    const SomOption *option;
    const char *value;
} SomGiven;

struct SomCommand {
    const SomVerb *verb;
    SOM_ARRAY(const char *) words; // what was given and is not an option
    SOM_ARRAY(SomGiven) given;
    SOM_ARRAY(SomText *) texts; // that diagnostics point into
    SomArena arena;             // likewise
    SomDiagnostics *diags;
    SomInputSettings inputs;         // of --input, once som_command_inputs was asked for them
    const SomDiagnostics *inputs_of; // that they were reported to; NULL: not asked for yet
    struct SomWorkspace *workspace;  // files of designs; NULL until one is opened
    SomText out;                     // what the verb prints for people
    SomText document;
    SomJsonWriter json; // writes into `document`
    bool wants_json;
    bool failed; // a verdict that is not a diagnostic
    int usage_errors;
};

// Reads the words after the verb into the command and checks them by the options of the verb; every
// mistake is reported on standard error. Outputs that cannot be written are reported to `diags`.
void som_command_parse(SomCommand *command, int count, char **words);

bool som_command_has(const SomCommand *command, const char *option);
const char *som_command_value(const SomCommand *command, const char *option); // the last, or NULL

// Every value of an option that may be given again and again, then NULL; *at begins with 0.
const char *som_command_next_value(const SomCommand *command, const char *option, int *at);

// The number, count or quantity of an option, in SI units; `otherwise` if it was not given.
double som_command_number(const SomCommand *command, const char *option, double otherwise);

// A value with its unit, "45deg", as the language reads it. False after a report of wrong usage;
// `subject` is what the value was given for: "--set".
bool som_command_quantity(SomCommand *command, const char *subject, SomStr text,
                          SomDimensionName wanted, double *value);

// An empty text that lives as long as the command: diagnostics point into the files they are about.
SomText *som_command_new_text(SomCommand *command);

// Whether one of the words is this file.
bool som_command_reads(const SomCommand *command, const char *path);

// Whether --overwrite was given or nothing has this name yet. Reports a file that exists.
bool som_command_may_write(SomCommand *command, const char *path);
// After a report about a file that exists: how to replace it.
void som_command_note_overwrite(SomCommand *command);

// Says on standard error what is wrong with the usage; the command then exits with 2.
__attribute__((format(printf, 2, 3))) void som_command_misused(SomCommand *command,
                                                               const char *format, ...);

// All verbs in the order of the list.
const SomVerb *const *som_verbs(int *count);
const SomVerb *som_verb_find(const char *name);
const SomVerb *som_verb_find_nearest(const char *name); // what was probably meant, or NULL
void som_verb_print_help(const SomVerb *verb, SomText *out);
