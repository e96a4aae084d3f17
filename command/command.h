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

enum { SOM_EXIT_FINE = 0, SOM_EXIT_ERRORS = 1, SOM_EXIT_USAGE = 2, SOM_EXIT_FILES = 3 };

typedef struct SomCommand SomCommand;

// One option of a verb. `value` names what follows it ("FILE"), NULL for a switch.
typedef struct SomOption {
    const char *name; // without the dashes
    const char *value;
    const char *help;
    char letter; // 'o' for -o; 0 if it has none
} SomOption;

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
    struct SomWorkspace *workspace; // files of designs; NULL until one is opened
    SomText out;                    // what the verb prints for people
    SomText document;
    SomJsonWriter json; // writes into `document`
    bool wants_json;
    bool failed; // a verdict that is not a diagnostic
    int usage_errors;
};

// Reads the words after the verb into the command; every mistake is said on standard error.
void som_command_parse(SomCommand *command, int count, char **words);

bool som_command_has(const SomCommand *command, const char *option);
const char *som_command_value(const SomCommand *command, const char *option); // the last, or NULL

// Every value of an option that may be given again and again, then NULL; *at begins with 0.
const char *som_command_next_value(const SomCommand *command, const char *option, int *at);

// The option's number, or `otherwise` if it was not given; a value that is not one is an error of
// usage.
double som_command_number(SomCommand *command, const char *option, double otherwise);

// An empty text that lives as long as the command: diagnostics point into the files they are about.
SomText *som_command_new_text(SomCommand *command);

// Whether one of the words is this file.
bool som_command_reads(const SomCommand *command, const char *path);

// Says on standard error what is wrong with the usage; the command then exits with 2.
__attribute__((format(printf, 2, 3))) void som_command_misused(SomCommand *command,
                                                               const char *format, ...);

// All verbs in the order of the list.
const SomVerb *const *som_verbs(int *count);
const SomVerb *som_verb_find(const char *name);
const SomVerb *som_verb_find_nearest(const char *name); // what was probably meant, or NULL
void som_verb_print_help(const SomVerb *verb, SomText *out);
