// SPDX-License-Identifier: Apache-2.0
#include "behaviors/behavior_findings.h"

#include "base/codes/behaviors_codes.h"
#include "behaviors/behavior_samples.h"
#include "behaviors/static_checks.h"

#include <stdlib.h>

// Of one behavior, no more conflicts than this are shown.
#define MOST_CONFLICTS 256

typedef struct Finder {
    const SomBlocks *blocks;
    uint32_t source1; // of the file
    SomArena *arena;
    SOM_ARRAY(SomBlockReport) reports;
    SOM_ARRAY(SomBlockMark) marks;
} Finder;

static void mark(Finder *f, int block, int report, SomMarkRole role) {
    if (block >= 0) {
        SomBlockMark mark = {block, report, role};
        som_array_push(&f->marks, mark);
    }
}

// The innermost block that all of the span is in; -1 if it is not in one.
static int block_of(const Finder *f, SomSpan span) {
    int block = span.source1 == f->source1 ? som_blocks_at(f->blocks, span.begin) : -1;
    while (block >= 0 && f->blocks->blocks[block].span.end < span.end) {
        block = f->blocks->blocks[block].parent;
    }
    return block;
}

// Takes reports over, with the blocks that their places lie in.
static void add_reports(Finder *f, const SomDiagnostics *diags) {
    int count;
    const SomDiagnostic *entries = som_diagnostics_get(diags, &count);
    for (int i = 0; i < count; i++) {
        const SomDiagnostic *d = &entries[i];
        if (d->kind == SOM_DIAGNOSTIC_REPORT) {
            SomBlockReport report = {d->code, d->severity, som_arena_copy(f->arena, d->message),
                                     d->span};
            som_array_push(&f->reports, report);
            mark(f, block_of(f, d->span), f->reports.count - 1, SOM_MARK_HERE);
        } else if (d->kind == SOM_DIAGNOSTIC_NOTE && f->reports.count > 0 &&
                   f->reports.data[f->reports.count - 1].code != SOM_GRAPH_CONFLICT) {
            // of a conflict, mark_conflicts knows the blocks
            mark(f, block_of(f, d->span), f->reports.count - 1, SOM_MARK_OTHER);
        }
    }
}

// ---- which block a node of a graph comes from

// The member of a list that made a child of its node: each makes one, a `for` any number. -1 if
// that cannot be told.
static int member_of(const SomBlocks *blocks, int list, int index, int count) {
    const SomBlock *b = &blocks->blocks[list];
    int loops = 0, loop = 0, place = 0;
    for (int m = list + 1; m < b->end; m = blocks->blocks[m].end, place++) {
        if (blocks->blocks[m].kind == SOM_BLOCK_EACH) {
            loops++;
            loop = place;
        }
    }
    if (loops > 1) {
        return -1;
    }
    int behind = b->child_count - 1 - loop; // the loop
    int member = loops == 0 || index < loop ? index
                 : index >= count - behind  ? index - count + b->child_count
                                            : loop;
    int found = som_blocks_child(blocks, list, member);
    bool is_loop = found >= 0 && blocks->blocks[found].kind == SOM_BLOCK_EACH;
    return is_loop ? som_blocks_child(blocks, found, 0) : found;
}

// Which child of the node holds the target, of how many.
static int child_of(const SomActionGraph *g, int32_t node, int32_t target, int32_t *child,
                    int *count) {
    int index = -1;
    *count = 0;
    for (int32_t c = node + 1; c < g->nodes[node].end; c = g->nodes[c].end, (*count)++) {
        if (target >= c && target < g->nodes[c].end) {
            index = *count;
            *child = c;
        }
    }
    return index;
}

// The branch of an `if` that was taken, if the node is written in it.
static int taken_of(const SomBlocks *blocks, int block, const SomGraphPlace *place,
                    uint32_t source1) {
    for (int b = block + 1; b < blocks->blocks[block].end; b = blocks->blocks[b].end) {
        SomSpan span = blocks->blocks[b].span;
        if (place->source1 == source1 && place->begin >= span.begin && place->end <= span.end) {
            return b;
        }
    }
    return -1;
}

// The block in which the target below this node is written, or that runs what it is written in.
static int locate(const Finder *f, const SomActionGraph *g, int block, int32_t node,
                  int32_t target) {
    const SomBlocks *blocks = f->blocks;
    for (;;) {
        const SomBlock *b = &blocks->blocks[block];
        int next = -1, count;
        int32_t child = node;
        if (b->kind == SOM_BLOCK_IF) {
            next = taken_of(blocks, block, &g->places[node], f->source1);
        } else if (target != node && b->whole != b->node) { // beside what ends it
            child = node + 1;
            if (target >= g->nodes[child].end || b->kind == SOM_BLOCK_CALL) {
                return block;
            }
            node = child;
        }
        if (target != node && (som_block_is_list(b->kind) || b->kind == SOM_BLOCK_CHOOSE)) {
            int index = child_of(g, node, target, &child, &count);
            bool is_shifted =
                b->parent >= 0 && som_blocks_field(blocks, b->parent, SOM_FIELD_FROM, 0) >= 0;
            next = is_shifted ? -1 : member_of(blocks, block, index, count);
            if (next >= 0 && blocks->blocks[next].kind == SOM_BLOCK_BRANCH) {
                next = som_blocks_child(blocks, next, 0);
            }
        } else if (target != node && b->kind == SOM_BLOCK_REPEAT) {
            child = node + 1;
            next = som_blocks_child(blocks, block, 0);
        }
        if (next < 0) {
            return block;
        }
        block = next;
        node = child;
    }
}

// ---- conflicts

static int find_report(const Finder *f, SomSpan place) {
    for (int i = 0; i < f->reports.count; i++) {
        const SomBlockReport *r = &f->reports.data[i];
        if (r->code == SOM_GRAPH_CONFLICT && r->span.source1 == place.source1 &&
            r->span.begin == place.begin && r->span.end == place.end) {
            return i;
        }
    }
    return -1;
}

static void mark_conflicts(Finder *f, int root, const SomActionGraph *g) {
    SomStaticConflicts conflicts = {0};
    som_static_conflicts(g, &conflicts);
    for (int i = 0; i < conflicts.found.count && i < MOST_CONFLICTS; i++) {
        const SomStaticConflict *c = &conflicts.found.data[i];
        int report = find_report(f, som_graph_user_span(g, c->second));
        if (report >= 0) {
            mark(f, locate(f, g, root, 0, c->second), report, SOM_MARK_HERE);
            mark(f, locate(f, g, root, 0, c->first), report, SOM_MARK_OTHER);
            mark(f, locate(f, g, root, 0, c->node), report, SOM_MARK_AROUND);
        }
    }
    som_array_free(&conflicts.found);
}

static void check_behaviors(Finder *f, SomComposition *composition) {
    const SomConfiguration *c = composition->configuration;
    SomReportedPlaces reported = {0};
    SomArena samples = {0};
    SomCompileDef def = {.workspace = composition->workspace,
                         .configuration = c,
                         .diags = som_compile_diagnostics_create(composition),
                         .reported = &reported};
    SomTextNames runs = {0};
    som_compile_collect_runs(&def, &runs);
    def.runs = &runs;
    SomServoModel *servos = som_compile_servos(c);
    SomActionGraph **graphs = som_alloc(((size_t)c->behavior_count + 1) * sizeof *graphs);
    for (int i = 0; i < c->behavior_count; i++) {
        graphs[i] =
            c->behaviors[i].part == 0 ? som_behavior_compile_sample(&def, i, &samples) : NULL;
        if (graphs[i] != NULL) {
            som_compile_check_graph(&def, i, graphs[i], servos);
        }
    }
    add_reports(f, def.diags);
    for (int i = 0; i < c->behavior_count; i++) {
        int behavior =
            graphs[i] != NULL ? som_blocks_find_behavior(f->blocks, c->behaviors[i].name) : -1;
        int root = behavior >= 0 ? f->blocks->behaviors.data[behavior].root : -1;
        if (root >= 0) {
            mark_conflicts(f, root, graphs[i]);
        }
        som_action_graph_destroy(graphs[i]);
    }
    som_free(graphs);
    som_free(servos);
    som_text_names_free(&runs);
    som_diagnostics_destroy(def.diags);
    som_reported_places_free(&reported);
    som_arena_free(&samples);
}

// ---- all of them

static int compare(const void *left, const void *right) {
    const SomBlockMark *a = left, *b = right;
    int by_block = (a->block > b->block) - (a->block < b->block);
    int by_report = (a->report > b->report) - (a->report < b->report);
    int by_role = (a->role > b->role) - (a->role < b->role);
    return by_block != 0 ? by_block : by_report != 0 ? by_report : by_role;
}

// Sorted, each once.
static void sort_marks(Finder *f) {
    if (f->marks.count > 1) {
        qsort(f->marks.data, (size_t)f->marks.count, sizeof *f->marks.data, compare);
    }
    int kept = 0;
    for (int i = 0; i < f->marks.count; i++) {
        if (i == 0 || compare(&f->marks.data[i], &f->marks.data[kept - 1]) != 0) {
            f->marks.data[kept++] = f->marks.data[i];
        }
    }
    f->marks.count = kept;
}

SomBlockFindings *som_block_findings_create(SomComposition *composition, const SomBlocks *blocks) {
    SomBlockFindings *findings = som_alloc(sizeof *findings);
    findings->composition = som_composition_hold(composition);
    Finder f = {.blocks = blocks, .arena = &findings->arena};
    if (composition->file >= 0) {
        f.source1 = som_workspace_file(composition->workspace, composition->file)->source1;
    }
    add_reports(&f, composition->diags);
    if (composition->is_sound && composition->configuration != NULL) {
        check_behaviors(&f, composition);
    }
    sort_marks(&f);
    SomBlockReport *reports = som_arena_new(&findings->arena, SomBlockReport, f.reports.count + 1);
    SomBlockMark *marks = som_arena_new(&findings->arena, SomBlockMark, f.marks.count + 1);
    if (f.reports.count > 0) {
        memcpy(reports, f.reports.data, (size_t)f.reports.count * sizeof *reports);
    }
    if (f.marks.count > 0) {
        memcpy(marks, f.marks.data, (size_t)f.marks.count * sizeof *marks);
    }
    findings->reports = reports;
    findings->report_count = f.reports.count;
    findings->marks = marks;
    findings->mark_count = f.marks.count;
    som_array_free(&f.reports);
    som_array_free(&f.marks);
    return findings;
}

void som_block_findings_destroy(SomBlockFindings *findings) {
    if (findings != NULL) {
        som_composition_release(findings->composition);
        som_arena_free(&findings->arena);
        som_free(findings);
    }
}

const SomBlockMark *som_block_findings_of(const SomBlockFindings *findings, int block, int *count) {
    int low = 0, high = findings->mark_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (findings->marks[middle].block < block) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *count = 0;
    while (low + *count < findings->mark_count && findings->marks[low + *count].block == block) {
        (*count)++;
    }
    return &findings->marks[low];
}
