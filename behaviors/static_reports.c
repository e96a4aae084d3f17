// SPDX-License-Identifier: Apache-2.0
#include "behaviors/static_reports.h"

#include "base/codes/behaviors_codes.h"
#include "base/name_list.h"
#include "behaviors/graph_builder.h"

#include <stdlib.h>

bool som_static_is_inside(const SomActionGraph *graph, int32_t node) {
    return som_span_compare(som_graph_user_span(graph, node), som_graph_span(graph, node)) != 0;
}

void som_static_report(SomStaticReports *reports, const SomStaticReport *report, const char *format,
                       ...) {
    SomStaticReport kept = *report;
    SomText text = {0};
    va_list args;
    va_start(args, format);
    som_text_vprintf(&text, format, args);
    va_end(args);
    kept.message = som_arena_copy(&reports->arena, som_text_str(&text));
    kept.hint = som_arena_copy(&reports->arena, report->hint);
    kept.place = som_graph_user_span(reports->graph, report->node);
    som_text_free(&text);
    som_array_push(&reports->all, kept);
}

// ---- one report for each code and place

typedef struct Order {
    const SomStaticReport *report;
    int index;
} Order;

static int compare_causes(const SomStaticReport *a, const SomStaticReport *b) {
    return a->code != b->code ? (a->code > b->code) - (a->code < b->code)
                              : som_span_compare(a->place, b->place);
}

static int compare(const void *left, const void *right) {
    const Order *a = left, *b = right;
    int order = compare_causes(a->report, b->report);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static bool is_named_before(const Order *group, int at) {
    for (int i = at - 1; i >= 0 && i >= at - 64; i--) { // repetitions follow each other closely
        if (strcmp(group[i].report->name, group[at].report->name) == 0) {
            return true;
        }
    }
    return false;
}

// The names of all reports of a group but the first.
static void note_others(const Order *group, int count, SomDiagnostics *diags) {
    SomText text = {0};
    SomNameList list = {.out = &text};
    for (int i = 1; i < count && group[0].report->name != NULL; i++) {
        if (!is_named_before(group, i)) {
            som_name_list_add(&list, "'%s'", group[i].report->name);
        }
    }
    som_name_list_end(&list);
    if (list.count > 0) {
        som_note(diags, (SomSpan){0}, "likewise %s", text.data);
    }
    som_text_free(&text);
}

static void note_hint(const Order *group, int count, SomDiagnostics *diags) {
    SomStr hint = group[0].report->hint;
    for (int i = 1; i < count; i++) {
        hint = som_str_equal(group[i].report->hint, hint) ? hint : SOM_STR("");
    }
    if (hint.length > 0) {
        som_note(diags, (SomSpan){0}, "%.*s", SOM_STR_ARG(hint));
    }
}

static void report_group(const SomStaticReports *reports, const Order *group, int count,
                         SomDiagnostics *diags) {
    const SomStaticReport *r = group[0].report;
    som_report(diags, r->code, r->place, "%.*s", SOM_STR_ARG(r->message));
    if (r->why != NULL) {
        som_note(diags, som_graph_user_span(reports->graph, r->cause), "%s", r->why);
    }
    som_graph_note_calls(reports->graph, r->node, "the action is", diags);
    note_others(group, count, diags);
    note_hint(group, count, diags);
}

void som_static_reports_end(SomStaticReports *reports, SomDiagnostics *diags) {
    int count = reports->all.count;
    Order *order = som_alloc(((size_t)count + 1) * sizeof *order);
    for (int i = 0; i < count; i++) {
        order[i] = (Order){&reports->all.data[i], i};
    }
    if (count > 1) {
        qsort(order, (size_t)count, sizeof *order, compare);
    }
    for (int i = 0, end; i < count; i = end) {
        end = i + 1;
        while (end < count && order[i].report->place.source1 != 0 &&
               compare_causes(order[i].report, order[end].report) == 0) {
            end++;
        }
        report_group(reports, &order[i], end - i, diags);
    }
    som_free(order);
    som_array_free(&reports->all);
    som_arena_free(&reports->arena);
}

// ---- conflicts

// The path by which the second command calls it.
static const char *name_of(const SomActionGraph *graph, const SomStaticConflict *conflict) {
    int32_t dofs = graph->symbol_count[SOM_SYMBOL_DOF];
    return conflict->resource >= dofs
               ? som_graph_name(graph, SOM_SYMBOL_DOCK, conflict->resource - dofs)
               : som_graph_joint_name(graph, conflict->second, NULL);
}

static void add_words(const SomActionGraph *graph, const SomStaticConflict *const *of, int count,
                      SomText *out) {
    int32_t dofs = graph->symbol_count[SOM_SYMBOL_DOF];
    bool has_dof = of[0]->resource < dofs, has_dock = of[count - 1]->resource >= dofs;
    SomText names = {0};
    SomNameList list = {.out = &names};
    for (int i = 0; i < count; i++) {
        if (i == 0 || of[i]->resource != of[i - 1]->resource) {
            som_name_list_add(&list, "'%s'", name_of(graph, of[i]));
        }
    }
    som_name_list_end(&list);
    static const char words[] = "commanded differently by two actions at the same time";
    if (list.count == 1) {
        som_text_printf(out, "%s %s is %s", has_dof ? "joint" : "dock", names.data, words);
    } else {
        som_text_printf(out, "%d %s are %s: %s", list.count,
                        !has_dock ? "joints"
                        : has_dof ? "joints and docks"
                                  : "docks",
                        words, names.data);
    }
    som_text_free(&names);
}

// The ways to the two commands; where both are one statement that runs twice, that one.
static void note_ways(const SomActionGraph *graph, const SomStaticConflict *c, SomSpan second,
                      SomDiagnostics *diags) {
    SomText text = {0};
    SomSpan inner = som_graph_user_span(graph, c->second);
    som_text_printf(&text, "'%s' is commanded", name_of(graph, c));
    if (som_span_compare(inner, second) != 0) {
        som_note(diags, inner, "%s here, both times", text.data);
    } else {
        som_graph_note_calls(graph, c->second, text.data, diags);
        som_graph_note_calls(graph, c->first, "the other command is", diags);
    }
    som_text_free(&text);
}

static void report_cause(const SomActionGraph *graph, const SomStaticConflict *const *of, int count,
                         SomDiagnostics *diags) {
    const SomStaticConflict *c = of[0];
    SomSpan spans[2];
    som_graph_user_spans(graph, c->first, c->second, spans);
    SomSpan first = spans[0], second = spans[1];
    SomText text = {0};
    add_words(graph, of, count, &text);
    som_report(diags, SOM_GRAPH_CONFLICT, second, "%.*s", SOM_STR_ARG(som_text_str(&text)));
    if (som_span_compare(first, second) != 0) {
        som_note(diags, first, "the other command is here");
        som_note(diags, som_graph_user_span(graph, c->node), "these actions run at the same time");
    }
    note_ways(graph, c, second, diags);
    som_text_free(&text);
}

void som_static_report_conflicts(const SomActionGraph *graph, SomDiagnostics *diags) {
    SomStaticConflicts conflicts = {0};
    som_static_conflicts(graph, &conflicts);
    int count = conflicts.found.count;
    int *order = som_alloc(((size_t)count + 1) * sizeof *order);
    const SomStaticConflict **all = som_alloc(((size_t)count + 1) * sizeof *all);
    som_static_order_by_cause(&conflicts, order);
    for (int i = 0; i < count; i++) {
        all[i] = &conflicts.found.data[order[i]];
    }
    for (int i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && all[end]->cause == all[i]->cause; end++) {
        }
        report_cause(graph, &all[i], end - i, diags);
    }
    som_free(order);
    som_free(all);
    som_array_free(&conflicts.found);
}
