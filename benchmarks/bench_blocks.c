// SPDX-License-Identifier: Apache-2.0
// A behavior of many actions as designers edit it: read as blocks, what is wrong with it, one block
// put in, one moved. Reading a thousand actions is to take about a millisecond, an operation less
// than a frame of the screen.

#include "behaviors/behavior_edit.h"
#include "behaviors/behavior_findings.h"
#include "benchmarks/bench.h"

#include <assert.h>

static const int sizes[] = {100, 1000, 4000};

typedef struct Work {
    SomDesign *design;
    SomComposition *composition;
    SomBlocks *blocks;
} Work;

static void begin(Work *w, int actions) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("use \"chain3.som\"\n"
                                "config Snake {\n"
                                "    part s[6] : Chain3\n"
                                "    connect s[i].tail.B to s[i+1].head.T for i in 1..5\n"
                                "    behavior walk = series(\n"));
    for (int i = 0; i < actions; i += 4) { // with the parallel four blocks
        som_text_printf(&text,
                        "        parallel(s[%d].head.tilt to %ddeg timeout 3s, s[%d].tail.tilt to "
                        "%ddeg),\n        wait 1s%s\n",
                        i % 6 + 1, i % 40, i % 6 + 1, i % 30, i + 4 < actions ? "," : ")");
    }
    som_text_add(&text, SOM_STR("}\n"));
    w->design = som_design_create(SOM_STR(SOM_SOURCE "/library"), SOM_STR("snake.som"),
                                  som_text_str(&text));
    w->composition = som_composition_hold(som_design_composition(w->design, SOM_STR("")));
    w->blocks = som_blocks_of(w->composition);
    assert(w->composition->is_sound);
    som_text_free(&text);
}

static void end(Work *w) {
    som_blocks_destroy(w->blocks);
    som_composition_release(w->composition);
    som_design_destroy(w->design);
}

static void read(SomBench *bench, void *context) {
    const Work *w = context;
    SomBlocks *blocks = som_blocks_of(w->composition);
    som_bench_keep(bench, blocks->block_count);
    som_blocks_destroy(blocks);
}

static void find(SomBench *bench, void *context) {
    const Work *w = context;
    SomBlockFindings *findings = som_block_findings_create(w->composition, w->blocks);
    som_bench_keep(bench, findings->mark_count);
    som_block_findings_destroy(findings);
}

static void insert(SomBench *bench, void *context) {
    const Work *w = context;
    SomBlockPlace walk = {SOM_STR("walk"), SOM_STR("")};
    bool done = som_behavior_insert(w->design, SOM_STR(""), walk, 10, SOM_STR("hold"));
    assert(done);
    som_document_undo(som_design_document(w->design));
    som_bench_keep(bench, done);
}

static void move(SomBench *bench, void *context) {
    const Work *w = context;
    SomBlockPlace walk = {SOM_STR("walk"), SOM_STR("")}, first = {SOM_STR("walk"), SOM_STR("0")};
    bool done = som_behavior_move(w->design, SOM_STR(""), first, walk, 20);
    assert(done);
    som_document_undo(som_design_document(w->design));
    som_bench_keep(bench, done);
}

void som_bench_blocks(SomBench *bench) {
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Work w;
        begin(&w, sizes[i]);
        double reading = som_bench_seconds(bench, read, &w);
        som_bench_row(bench, "read", sizes[i], reading, NULL, 0);
        som_bench_row(bench, "findings", sizes[i], som_bench_seconds(bench, find, &w), NULL, 0);
        // with the way back, which reads the text once more
        double moving = som_bench_seconds(bench, move, &w);
        som_bench_row(bench, "insert", sizes[i], som_bench_seconds(bench, insert, &w), NULL, 0);
        som_bench_row(bench, "move", sizes[i], moving, NULL, 0);
        if (sizes[i] == 1000) {
            som_bench_target(bench, "read", sizes[i], reading * 1e3, "ms", SOM_AT_MOST, 1);
            som_bench_target(bench, "move", sizes[i], moving * 1e3, "ms", SOM_AT_MOST, 16);
        }
        end(&w);
    }
}
