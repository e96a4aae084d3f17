// Mutated designs, module types and role programs: the check ends with an answer, in bounded time
// and memory, and what it refuses it explains. See tests/mutation.h.

// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "base/path.h"
#include "compose/workspace.h"
#include "language/dialect.h"
#include "language/outline.h"
#include "tests/mutate.h"
#include "tests/mutation.h"
#include "verify/check_file.h"

#define MAX_SEEDS 400
#define LONGEST_SEED 6500 // bytes

typedef struct Seeds {
    const char *ending;
    SomText texts[MAX_SEEDS];
    SomText origins[MAX_SEEDS];
    int count;
} Seeds;

static void add_folder(Seeds *seeds, const char *folder, const char *ending) {
    static char names[400][128];
    int count = som_test_seed_names(folder, ending, names, 400);
    for (int i = 0; i < count; i++) {
        SomText origin = {0};
        som_text_printf(&origin, "%s/%s", folder, names[i]);
        SomText text = som_test_seed_text(origin.data);
        if (text.length > LONGEST_SEED) {
            som_text_free(&origin);
            som_text_free(&text);
            continue;
        }
        ck_assert_int_lt(seeds->count, MAX_SEEDS);
        seeds->origins[seeds->count] = origin;
        seeds->texts[seeds->count++] = text;
    }
}

static void discard(Seeds *seeds) {
    for (int i = 0; i < seeds->count; i++) {
        som_text_free(&seeds->origins[i]);
        som_text_free(&seeds->texts[i]);
    }
    som_free(seeds);
}

// ---- cases

static void make(void *context, SomTestRandom *random, SomText *input, SomText *origin) {
    const Seeds *seeds = context;
    size_t seed = (size_t)(som_test_bits(random) % (uint64_t)seeds->count);
    size_t other = (size_t)(som_test_bits(random) % (uint64_t)seeds->count);
    som_text_add(origin, som_text_str(&seeds->origins[seed]));
    som_test_mutate(random, som_text_str(&seeds->texts[seed]), som_text_str(&seeds->texts[other]),
                    input);
}

// As `somite check FILE` does it. False if the file could not be opened.
static bool check(const Seeds *seeds, SomStr text, SomDiagnostics *diags) {
    if (strcmp(seeds->ending, ".role") == 0) {
        uint32_t source1 = som_diagnostics_add_source(diags, SOM_STR("a.role"), text);
        som_syntax_destroy(som_outline_parse(text, &som_dialect_role, source1, diags));
        return true;
    }
    SomWorkspace *workspace = som_workspace_create(SOM_STR(SOM_SOURCE "/library"), diags);
    SomText path = {0}, shown = {0};
    som_text_printf(&path, "mutated%s", seeds->ending);
    int file = som_workspace_open_text(workspace, som_text_str(&path), text);
    if (file >= 0) {
        som_check_file(workspace, file, diags);
    }
    som_diagnostics_sort(diags);
    som_diagnostics_print(diags, 20, &shown); // which reads the workspace's texts
    som_text_free(&shown);
    som_text_free(&path);
    som_workspace_destroy(workspace);
    return file >= 0;
}

static void run(void *context, SomTestRandom *random, SomStr input, SomText *problem) {
    (void)random;
    SomDiagnostics *diags = som_diagnostics_create();
    if (!check(context, input, diags) && som_diagnostics_error_count(diags) == 0) {
        som_text_add(problem, SOM_STR("refused without an error"));
    }
    som_diagnostics_destroy(diags);
}

static void mutate(Seeds *seeds, const char *name, int normal, int large) {
    SomMutation mutation = {.name = name,
                            .count = som_test_count(normal, large),
                            .context = seeds,
                            .make = make,
                            .run = run};
    int failures = som_test_run_mutations(&mutation);
    discard(seeds);
    ck_assert_int_eq(failures, 0);
}

// ---- tests: 20000 together in the long run, a tenth of them else

START_TEST(mutated_designs_are_checked) {
    Seeds *seeds = som_alloc(sizeof *seeds);
    seeds->ending = ".som";
    add_folder(seeds, "library/configs", ".som");
    add_folder(seeds, "tests/golden/diagnostics", ".som");
    add_folder(seeds, "tests/fuzz/corpus/som", "");
    add_folder(seeds, "tests/exchange/seeds", ".som");
    mutate(seeds, "designs", 1400, 14000);
}
END_TEST

START_TEST(mutated_module_types_are_checked) {
    Seeds *seeds = som_alloc(sizeof *seeds);
    seeds->ending = ".m3l";
    add_folder(seeds, "library/modules", ".m3l");
    add_folder(seeds, "tests/golden/diagnostics", ".m3l");
    add_folder(seeds, "tests/fuzz/corpus/m3l", "");
    mutate(seeds, "module types", 550, 5500);
}
END_TEST

START_TEST(mutated_role_programs_are_checked) {
    Seeds *seeds = som_alloc(sizeof *seeds);
    seeds->ending = ".role";
    add_folder(seeds, "tests/golden/diagnostics", ".role");
    mutate(seeds, "role programs", 50, 500);
}
END_TEST

SOM_SUITE("compose/mutated_designs", mutated_designs_are_checked, mutated_module_types_are_checked,
          mutated_role_programs_are_checked)
