// SPDX-License-Identifier: Apache-2.0
// What a person waits for while a robot is edited: of robots of 18, 64, 256 and 2,000 modules, each
// written as a part of its own, an operation that adds a module, typing a letter, and the verdict
// about a posture. From an edit of 64 modules to its verdict is to take less than 100 ms.

#include "benchmarks/bench.h"
#include "studio/project.h"

#include <assert.h>
#include <stdio.h>

#define SIZES 4

static const int sizes[SIZES] = {18, 64, 256, 2000};

typedef struct Editing {
    SomProject *project;
    SomText text, typed; // without and with a letter more
    SomText last;        // connector at the end of the row
    bool is_typed, is_added;
    double swing;
} Editing;

static void nobody(void *context) {
    (void)context;
}

// A row of modules.
static Editing begin(int modules) {
    Editing e = {.project = som_project_create(SOM_STR(SOM_SOURCE "/library"))};
    som_text_add(&e.text, SOM_STR("use \"smores.m3l\"\nconfig Row {\n"));
    for (int i = 1; i <= modules; i++) {
        som_text_printf(&e.text, "    part m%d : SMORES\n", i);
    }
    for (int i = 1; i < modules; i++) {
        som_text_printf(&e.text, "    connect m%d.B to m%d.T\n", i, i + 1);
    }
    som_text_add(&e.text, SOM_STR("}\n"));
    som_text_printf(&e.last, "m%d.B", modules);
    som_text_printf(&e.typed, "%s# a", e.text.data);
    som_project_set_text(e.project, som_text_str(&e.text));
    assert(som_model_module_count(som_project_model(e.project)) == modules);
    return e;
}

static void end(Editing *e) {
    som_project_destroy(e->project);
    som_text_free(&e->text);
    som_text_free(&e->typed);
    som_text_free(&e->last);
}

static void run_compose(SomBench *bench, void *context) {
    const Editing *e = context;
    SomComposition *made = som_composition_create(
        SOM_STR(SOM_SOURCE "/library"), SOM_STR("row.som"), som_text_str(&e->text), SOM_STR(""));
    som_bench_keep(bench, made->configuration->metrics.mass);
    som_composition_release(made);
}

static void run_type(SomBench *bench, void *context) {
    Editing *e = context;
    e->is_typed = !e->is_typed;
    som_project_set_text(e->project, som_text_str(e->is_typed ? &e->typed : &e->text));
    som_bench_keep(bench, som_model_module_count(som_project_model(e->project)));
}

static void add_part(Editing *e) {
    SomDesign *design = som_project_design(e->project);
    SomPartAddition part = {.reference = SOM_STR("SMORES"),
                            .name = SOM_STR("more"),
                            .own = SOM_STR("T"),
                            .to = som_text_str(&e->last)};
    bool is_made = som_design_add_part(design, som_project_choice(e->project), &part);
    bool is_edited = som_project_edited(e->project, is_made);
    assert(is_edited);
    (void)is_edited;
}

static void run_operation(SomBench *bench, void *context) {
    Editing *e = context;
    add_part(e);
    som_bench_keep(bench, som_model_module_count(som_project_model(e->project)));
    som_project_undo(e->project);
}

static void run_verdict(SomBench *bench, void *context) {
    Editing *e = context;
    const SomModel *model = som_project_model(e->project);
    SomPostureVerdict verdict =
        som_posture_verdict_find(model->mechanism, &model->options, model->posture.values);
    som_bench_keep(bench, verdict.margin);
    som_posture_verdict_free(&verdict);
}

// With the thread, as in the studio: an operation, or its undo, until the verdict is there. The one
// waits for the other, so that processor time is that of both.
static void run_edit(SomBench *bench, void *context) {
    Editing *e = context;
    e->is_added = !e->is_added;
    if (e->is_added) {
        add_part(e);
    } else {
        som_project_undo(e->project);
    }
    som_project_await(e->project);
    assert(som_project_verdict(e->project)->is_current);
    som_bench_keep(bench, som_project_verdict(e->project)->margin);
}

static void run_move(SomBench *bench, void *context) {
    Editing *e = context;
    e->swing = e->swing > 0 ? -0.1 : 0.1;
    som_project_move(e->project, 3, e->swing);
    som_project_await(e->project);
    som_bench_keep(bench, som_project_verdict(e->project)->margin);
}

void som_bench_studio(SomBench *bench) {
    for (int i = 0; i < SIZES; i++) {
        Editing e = begin(sizes[i]);
        som_bench_row(bench, "compose", sizes[i], som_bench_seconds(bench, run_compose, &e), NULL,
                      0);
        som_bench_row(bench, "type a letter", sizes[i], som_bench_seconds(bench, run_type, &e),
                      NULL, 0);
        som_bench_row(bench, "add a part and undo", sizes[i],
                      som_bench_seconds(bench, run_operation, &e), NULL, 0);
        som_bench_row(bench, "verdict", sizes[i], som_bench_seconds(bench, run_verdict, &e), NULL,
                      0);
        som_project_set_wake(e.project, nobody, NULL);
        double edit = som_bench_seconds(bench, run_edit, &e);
        som_bench_row(bench, "edit to verdict", sizes[i], edit, NULL, 0);
        som_bench_row(bench, "joint to verdict", sizes[i], som_bench_seconds(bench, run_move, &e),
                      NULL, 0);
        if (sizes[i] == 64) {
            som_bench_target(bench, "edit to verdict", sizes[i], 1e3 * edit, "ms", SOM_AT_MOST,
                             100);
        }
        end(&e);
    }
}
