// SPDX-License-Identifier: Apache-2.0
// somite verify FILE…: all checks of designs and their behaviors.

#include "base/file.h"
#include "command/inputs.h"
#include "command/sarif_file.h"

#include <stdio.h>
#include <time.h>

// ---- once

static SomVerdict verify(SomCommand *command) {
    const char *page = som_command_value(command, "html");
    const char *table = som_command_value(command, "csv");
    SomVerifyJobs jobs = {.command = command,
                          .wants_all_configs = som_command_has(command, "all"),
                          .wants_series =
                              som_command_has(command, "series") || page != NULL || table != NULL,
                          .wants_motion = page != NULL,
                          .wants_second_opinion = som_command_has(command, "second-opinion"),
                          .is_verbose = som_command_has(command, "verbose")};
    for (int i = 0; i < command->words.count; i++) {
        som_verify_jobs_add_word(&jobs, command->words.data[i]);
    }
    som_command_check_inputs(command);
    if (table != NULL && jobs.all.count + jobs.failures.count > 1) {
        som_command_misused(command, "--csv is a table of one motion: name one design, and one "
                                     "--behavior");
        som_verify_jobs_free(&jobs);
        return SOM_VERDICT_UNSAFE;
    }
    som_verify_jobs_run(&jobs, (int)som_command_number(command, "jobs", 0));
    if (command->wants_json) {
        som_verify_jobs_write(&jobs);
    } else {
        som_verify_jobs_print(&jobs, &command->out);
    }
    if (table != NULL && jobs.all.count == 1) {
        som_verify_jobs_save_table(&jobs, table);
    }
    if (page != NULL && jobs.all.count > 0) {
        som_verify_jobs_save_page(&jobs, page);
    }
    som_command_save_sarif(command, &jobs);
    SomVerdict verdict = som_verify_jobs_verdict(&jobs);
    bool must_be_safe = som_command_has(command, "require-complete");
    command->failed = verdict > (must_be_safe ? SOM_VERDICT_SAFE : SOM_VERDICT_INCOMPLETE);
    som_verify_jobs_free(&jobs);
    return verdict;
}

// ---- again and again

#define POLL_NANOSECONDS 150000000 // between two looks at the files: soon enough for people

// The files that were read, and the files and folders that were named.
typedef struct Watched {
    SomArena arena;
    SOM_ARRAY(SomStr) paths;
} Watched;

static void collect(SomCommand *command, Watched *watched) {
    som_array_free(&watched->paths);
    som_arena_free(&watched->arena);
    *watched = (Watched){0};
    for (int i = 0; i < command->words.count; i++) {
        som_array_push(&watched->paths,
                       som_arena_copy(&watched->arena, som_str(command->words.data[i])));
    }
    SomWorkspace *workspace = som_command_workspace(command);
    for (int i = 0; i < som_workspace_file_count(workspace); i++) {
        som_array_push(&watched->paths,
                       som_arena_copy(&watched->arena, som_workspace_file(workspace, i)->path));
    }
}

// One number for all of them.
static uint64_t stamp_of(const Watched *watched) {
    uint64_t stamp = 0;
    for (int i = 0; i < watched->paths.count; i++) {
        stamp = stamp * 31 + som_file_stamp(watched->paths.data[i].data);
    }
    return stamp;
}

static void show(SomCommand *command, SomVerdict verdict) {
    bool is_verified = som_diagnostics_error_count(command->diags) == 0;
    SomText shown = {0};
    som_diagnostics_sort(command->diags);
    som_diagnostics_print(command->diags, 0, &shown);
    fwrite(som_text_str(&shown).data, 1, shown.length, stderr);
    som_text_free(&shown);
    fwrite(som_text_str(&command->out).data, 1, command->out.length, stdout);
    printf("watching: %s\n", is_verified ? som_verdict_word(verdict) : "could not be verified");
    fflush(stdout);
    som_text_clear(&command->out);
}

static void forget(SomCommand *command) {
    som_workspace_destroy(command->workspace);
    command->workspace = NULL;
    command->inputs_of = NULL; // they are read again
    som_diagnostics_destroy(command->diags);
    command->diags = som_diagnostics_create();
}

// Verifies, prints, and waits until a file has changed. Ends by a signal, or after `rounds`.
static void watch(SomCommand *command, int rounds) {
    Watched watched = {0};
    collect(command, &watched);
    for (int round = 1;; round++) {
        uint64_t before = stamp_of(&watched);
        SomVerdict verdict = verify(command);
        bool has_changed = stamp_of(&watched) != before; // meanwhile
        command->failed |= som_diagnostics_error_count(command->diags) > 0;
        show(command, verdict);
        collect(command, &watched);
        forget(command);
        if (round == rounds || command->usage_errors > 0) {
            break;
        }
        uint64_t stamp = stamp_of(&watched);
        while (!has_changed && stamp_of(&watched) == stamp) {
            nanosleep(&(struct timespec){.tv_nsec = POLL_NANOSECONDS}, NULL);
        }
    }
    som_array_free(&watched.paths);
    som_arena_free(&watched.arena);
}

// ---- the verb

static void run_verify(SomCommand *command) {
    SomVerifyOptions options = som_verify_default_options();
    if (!som_verify_jobs_read_options(command, &options)) {
        return;
    }
    if (som_command_has(command, "watch")) {
        watch(command, (int)som_command_number(command, "rounds", 0));
    } else {
        verify(command);
    }
}

static const SomOption options[] = {
    {.name = "behavior",
     .value = "B",
     .help = "a behavior, with arguments: 'drive(70mm/s, 2s)'; more than once",
     .letter = 'b',
     .is_repeated = true},
    SOM_OPTION_CONFIG,
    {.name = "all",
     .help = "all configurations of each file that need no arguments",
     .excludes = "config"},
    SOM_OPTION_POSE,
    SOM_OPTION_SET,
    SOM_OPTION_INPUT,
#define SOM_VERIFY_OPTION(field_, name_, option_, dimension_, default_, low_, high_, help_)        \
    {.name = option_,                                                                              \
     .value = "V",                                                                                 \
     .help = help_,                                                                                \
     .kind = SOM_TAKES_QUANTITY,                                                                   \
     .dimension = SOM_DIMENSION_##dimension_,                                                      \
     .low = low_,                                                                                  \
     .high = high_},
#include "verify/options.inc"
#undef SOM_VERIFY_OPTION
    {.name = "html",
     .value = "OUT",
     .help = "a page with plots, and pictures of the worst moments",
     .kind = SOM_TAKES_OUTPUT,
     .endings = SOM_PAGE_ENDINGS},
    {.name = "csv",
     .value = "OUT",
     .help = "a table of margins, clearances and loads over time, of one behavior",
     .kind = SOM_TAKES_OUTPUT,
     .endings = ".csv"},
    SOM_OPTION_SARIF,
    {.name = "series",
     .help = "with --json: margins, clearances and loads over time",
     .needs = "json"},
    {.name = "require-complete", .help = "exit 1 also if the verdict is 'incomplete'"},
    {.name = "second-opinion",
     .help = "compute the results again with libccd and qhull, and compare"},
    {.name = "verbose",
     .help = "also what is fine, what was checked, and everything that was not assessed",
     .letter = 'v'},
    {.name = "jobs",
     .value = "N",
     .help = "number of threads (default: one per processor)",
     .letter = 'j',
     .kind = SOM_TAKES_COUNT,
     .low = 1,
     .high = 1000},
    {.name = "watch",
     .help = "verify again whenever a file changes, until interrupted",
     .letter = 'w',
     .excludes = "json"},
    {.name = "rounds",
     .value = "N",
     .help = "with --watch: end after so many times",
     .kind = SOM_TAKES_COUNT,
     .low = 1,
     .high = 1e6,
     .needs = "watch"},
    {0}};

const SomVerb som_verb_verify = {
    .name = "verify",
    .usage = "FILE… [--config C] [--behavior B]… [--pose NAME] [--set DOF=V]… [--input "
             "NAME=SOURCE]… [--dt T] [--t-max T] "
             "[--margin L] … [--require-complete] [--html OUT] [--csv OUT] [--sarif OUT] [--watch] "
             "[--json]",
    .summary = "find collisions, falls, conflicts and overloads of designs and behaviors",
    .help =
        "Looks at a configuration as it starts, and at its behaviors over their whole motion:\n"
        "collisions of links, the ground, balance, conflicting commands, joint limits, speeds,\n"
        "torques, loads of connectors, slipping, loops. Without --behavior it verifies the\n"
        "configuration and all of its behaviors that need no arguments. Given a folder, verifies\n"
        "every configuration of every .som file in it, recursively. Each finding has a time, a\n"
        "place in the text, the action that caused it and, if known, a repair; an error makes\n"
        "the verdict 'unsafe' and the exit code 1. If there is none, but not everything could be\n"
        "checked, the verdict is 'incomplete'; the exit code is 1 then with --require-complete.\n\n"
        "  somite verify walkbot --behavior walk\n"
        "  somite verify walker.som --config 'Walker(n=6)' --t-max 0.3s --margin 5mm\n"
        "  somite verify walkbot --behavior walk --html walk.html\n"
        "  somite verify walkbot --behavior walk --csv walk.csv\n"
        "  somite verify walkbot --behavior walk --second-opinion\n"
        "  somite verify designs/ --html designs.html\n"
        "  somite verify designs/ --sarif designs.sarif\n"
        "  somite verify designs/ --json\n"
        "  somite verify walker.som --watch\n\n"
        "A design may set the options itself: verify { tMax = 0.3s; margin = 5mm }. What is\n"
        "given here goes before it. With --second-opinion, distances, support polygons and hulls\n"
        "are computed again with libccd and qhull; a disagreement is an error. docs/verify.md\n"
        "explains the checks and options.\n",
    .min_words = 1,
    .max_words = -1,
    .has_json = true,
    .options = options,
    .run = run_verify,
};
