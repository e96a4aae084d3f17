// SPDX-License-Identifier: Apache-2.0
// Text to tree: a document is parsed again after every edit, so that must not be felt.

#include "benchmarks/bench.h"
#include "language/edit.h"
#include "language/outline.h"

static const char lines[] = "config Chain3 {\n"
                            "    part head, middle, tail : Module\n"
                            "    connect head.B to middle.T at 90deg        # the roll\n"
                            "    connect middle.B to tail.T\n"
                            "    pose stand { head.tilt = 45deg; tail.tilt = -45deg }\n"
                            "    behavior key(p: angle) = parallel(\n"
                            "        head.tilt to A*sin(p), middle.tilt to A*sin(p + 60deg),\n"
                            "        tail.tilt to A*sin(p + 120deg))\n"
                            "\n"
                            "}\n";

static void parse(SomBench *bench, void *context) {
    const SomText *text = context;
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = som_outline_parse(som_text_str(text), &som_dialect_somite, 0, diags);
    som_bench_keep(bench, som_syntax_node_count(tree));
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
}

// Removes the first statement and parses the result.
static void edit(SomBench *bench, void *context) {
    const SomSyntax *tree = context;
    SomEdits *edits = som_edits_create(tree);
    som_edits_remove(edits, som_syntax_first_child(tree, SOM_ROOT));
    SomText text = {0};
    som_bench_keep(bench, som_edits_apply(edits, &text));
    parse(bench, &text);
    som_text_free(&text);
    som_edits_destroy(edits);
}

void som_bench_syntax(SomBench *bench) {
    SomText text = {0};
    for (int i = 0; i < 1000; i++) {
        som_text_add(&text, som_str(lines));
    }
    som_bench_row(bench, "parse lines", 10000, som_bench_seconds(bench, parse, &text), NULL, 0);
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = som_outline_parse(som_text_str(&text), &som_dialect_somite, 0, diags);
    som_bench_row(bench, "edit lines", 10000, som_bench_seconds(bench, edit, tree), NULL, 0);
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
    while (text.length < 1000000) {
        som_text_add(&text, som_str(lines));
    }
    som_bench_row(bench, "parse bytes", (int)text.length, som_bench_seconds(bench, parse, &text),
                  NULL, 0);
    som_text_free(&text);
}
