// SPDX-License-Identifier: Apache-2.0
// An order has a series-parallel form if each piece of it falls apart: into pieces of which nothing
// in one is ordered with anything in another (parallel), or into pieces of which everything in one
// comes before everything in the next (series). The pieces are the components of "ordered with" and
// of its opposite. Where a piece does neither, four of its actions form an N. With sets of bits
// this takes n^2/64 steps a level; n is at most 4,096.
//
// The linear reductions of Valdes, Tarjan and Lawler need an order without transitive edges, and
// finding those is no faster than this.

#include "behaviors/sp_form.h"

#include <assert.h>
#include <stdlib.h>

typedef uint64_t Word;

typedef struct Finder {
    int count, words;
    const SomOrder *orders;
    int order_count;
    const SomOrderLabels *labels;
    SomDiagnostics *diags;
    int *rank;      // place in a topological order
    int *sorted;    // the actions in that order
    Word *after;    // rows of bits: what comes after the action
    Word *related;  // what comes before or after it
    Word *left;     // a piece: what no component has yet
    int *piece;     // the actions, sorted by pieces
    int *component; // by action: the component of its piece
    int *queue;
} Finder;

static Word *row(Word *rows, const Finder *f, int action) {
    return rows + (size_t)action * (size_t)f->words;
}

static bool has(const Word *bits, int i) {
    return bits[i / 64] >> (i % 64) & 1;
}

static void put(Word *bits, int i) {
    bits[i / 64] |= (Word)1 << (i % 64);
}

static void drop(Word *bits, int i) {
    bits[i / 64] &= ~((Word)1 << (i % 64));
}

static int lowest(Word word) {
    int bit = 0;
    while ((word & 1) == 0) {
        word >>= 1;
        bit++;
    }
    return bit;
}

// ---- reports

static SomSpan span_of(const Finder *f, int action) {
    bool has_spans = f->labels != NULL && f->labels->spans != NULL;
    return has_spans ? f->labels->spans[action] : (SomSpan){0};
}

static void add_name(const Finder *f, SomText *text, int action) {
    bool has_names = f->labels != NULL && f->labels->names != NULL;
    if (has_names) {
        som_text_printf(text, "'%.*s'", SOM_STR_ARG(f->labels->names[action]));
    } else {
        som_text_printf(text, "action %d", action + 1);
    }
}

static void report_cycle(const Finder *f, const int *cycle, int count) {
    SomText text = {0};
    for (int i = 0; i < count && i < 8; i++) {
        som_text_add(&text, i == 0 ? SOM_STR("") : SOM_STR(", "));
        add_name(f, &text, cycle[i]);
    }
    som_text_add(&text, count > 8 ? SOM_STR(", …") : SOM_STR(""));
    som_report(f->diags, SOM_ORDER_CYCLE, span_of(f, cycle[0]),
               "these actions wait for each other in a circle: %s", text.data);
    for (int i = 1; i < count && i < 8; i++) {
        som_note(f->diags, span_of(f, cycle[i]), "this waits for the one before it");
    }
    som_text_free(&text);
}

static void report_n(const Finder *f, int a, int b, int c, int d) {
    SomText text = {0};
    add_name(f, &text, b);
    som_text_add(&text, SOM_STR(" comes before "));
    add_name(f, &text, c);
    som_text_add(&text, SOM_STR(" and before "));
    add_name(f, &text, d);
    som_text_add(&text, SOM_STR(", but "));
    add_name(f, &text, a);
    som_text_add(&text, SOM_STR(" only before "));
    add_name(f, &text, c);
    som_report(f->diags, SOM_ORDER_NOT_SERIES_PARALLEL, span_of(f, c),
               "%s, which is neither series nor parallel", text.data);
    const int others[] = {a, b, d};
    const char *const words[] = {"first of the four", "second of the four", "last of the four"};
    for (int i = 0; i < 3; i++) {
        som_note(f->diags, span_of(f, others[i]), "%s", words[i]);
    }
    som_text_free(&text);
}

// ---- the order

// Somebody in the circle is found by going from an action that could not be sorted to one before it
// that could not, again and again.
static void find_cycle(Finder *f) {
    int *before = som_alloc((size_t)f->count * sizeof *before), *seen = f->queue;
    for (int i = 0; i < f->count; i++) {
        before[i] = -1;
        seen[i] = -1;
    }
    int start = -1;
    for (int i = f->order_count - 1; i >= 0; i--) {
        int a = f->orders[i].before, b = f->orders[i].after;
        if (f->rank[a] < 0 && f->rank[b] < 0) {
            before[b] = before[b] < 0 || a < before[b] ? a : before[b];
            start = start < 0 || b < start ? b : start;
        }
    }
    int at = start, steps = 0;
    while (seen[at] < 0) {
        seen[at] = steps++;
        at = before[at];
    }
    int length = steps - seen[at];
    int *cycle = som_alloc((size_t)length * sizeof *cycle);
    for (int i = 0, from = at; i < length; i++, from = before[from]) {
        at = from < at ? from : at; // the smallest comes first
    }
    for (int i = length; i > 0; i--, at = before[at]) {
        cycle[i % length] = at;
    }
    report_cycle(f, cycle, length);
    som_free(cycle);
    som_free(before);
}

// Kahn's sort. False: there is a circle.
static bool sort(Finder *f) {
    int *waits = som_alloc((size_t)f->count * sizeof *waits);
    int *first = som_alloc((size_t)(f->count + 1) * sizeof *first);
    int *next = som_alloc((size_t)(f->order_count + 1) * sizeof *next);
    for (int i = 0; i < f->order_count; i++) {
        waits[f->orders[i].after]++;
        next[i] = first[f->orders[i].before]; // 1 + index of another order of the same action
        first[f->orders[i].before] = i + 1;
    }
    int sorted = 0;
    for (int i = 0; i < f->count; i++) {
        f->rank[i] = -1;
        if (waits[i] == 0) {
            f->sorted[sorted++] = i;
        }
    }
    for (int at = 0; at < sorted; at++) {
        f->rank[f->sorted[at]] = at;
        for (int i = first[f->sorted[at]]; i > 0; i = next[i - 1]) {
            int after = f->orders[i - 1].after;
            if (--waits[after] == 0) {
                f->sorted[sorted++] = after;
            }
        }
    }
    som_free(waits);
    som_free(first);
    som_free(next);
    return sorted == f->count;
}

static int compare_orders(const void *a, const void *b) {
    const SomOrder *x = a, *y = b;
    return x->before - y->before;
}

// All that follows from the dependencies.
static void close_order(Finder *f) {
    SomOrder *orders = som_alloc((size_t)(f->order_count + 1) * sizeof *orders);
    for (int i = 0; i < f->order_count; i++) {
        orders[i] = (SomOrder){f->rank[f->orders[i].before], f->orders[i].after};
    }
    qsort(orders, (size_t)f->order_count, sizeof *orders, compare_orders);
    for (int i = f->order_count - 1; i >= 0; i--) { // later ones first
        Word *to = row(f->after, f, f->sorted[orders[i].before]);
        const Word *from = row(f->after, f, orders[i].after);
        for (int w = 0; w < f->words; w++) {
            to[w] |= from[w];
        }
        put(to, orders[i].after);
    }
    som_free(orders);
    for (int a = 0; a < f->count; a++) {
        for (int w = 0; w < f->words; w++) {
            Word bits = row(f->after, f, a)[w];
            row(f->related, f, a)[w] |= bits;
            for (; bits != 0; bits &= bits - 1) {
                put(row(f->related, f, w * 64 + lowest(bits)), a);
            }
        }
    }
}

// ---- pieces

// Components of the actions in piece[begin, end): of those that are related, or of those that are
// not. Returns how many; their numbers are by the first action of each in the piece.
static int find_components(Finder *f, int begin, int end, bool is_related) {
    for (int i = begin; i < end; i++) {
        put(f->left, f->piece[i]);
    }
    int components = 0;
    for (int i = begin; i < end; i++) {
        if (!has(f->left, f->piece[i])) {
            continue;
        }
        int head = 0, tail = 0;
        f->queue[tail++] = f->piece[i];
        drop(f->left, f->piece[i]);
        while (head < tail) {
            int action = f->queue[head++];
            f->component[action] = components;
            const Word *related = row(f->related, f, action);
            for (int w = 0; w < f->words; w++) {
                Word found = f->left[w] & (is_related ? related[w] : ~related[w]);
                f->left[w] &= ~found;
                for (; found != 0; found &= found - 1) {
                    f->queue[tail++] = w * 64 + lowest(found);
                }
            }
        }
        components++;
    }
    return components;
}

typedef struct Group {
    int component;
    int key; // groups are in this order
    int action;
} Group;

static int compare_groups(const void *a, const void *b) {
    const Group *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : x->action - y->action;
}

// Sorts the piece by component: in series by time, in parallel by the first action.
static void sort_piece(Finder *f, int begin, int end, int components, bool is_series) {
    int *key = som_alloc((size_t)components * sizeof *key);
    Group *groups = som_alloc((size_t)(end - begin) * sizeof *groups);
    for (int i = 0; i < components; i++) {
        key[i] = f->count;
    }
    for (int i = begin; i < end; i++) {
        int action = f->piece[i], component = f->component[action];
        int own = is_series ? f->rank[action] : action;
        key[component] = own < key[component] ? own : key[component];
    }
    for (int i = begin; i < end; i++) {
        int action = f->piece[i];
        groups[i - begin] = (Group){f->component[action], key[f->component[action]], action};
    }
    qsort(groups, (size_t)(end - begin), sizeof *groups, compare_groups);
    for (int i = begin; i < end; i++) {
        f->piece[i] = groups[i - begin].action;
    }
    som_free(key);
    som_free(groups);
}

// ---- the letter N

// The first action that is in a row of these sets and not in the others; -1 if none is.
static int first_of(const Finder *f, const Word *in, const Word *in2, const Word *out,
                    const Word *out2) {
    for (int w = 0; w < f->words; w++) {
        Word bits = in[w] & in2[w] & ~out[w] & ~out2[w];
        if (bits != 0) {
            return w * 64 + lowest(bits);
        }
    }
    return -1;
}

// A path of four p - q - r - s in "related" without any other relation; from its order, an N.
static void report_path(const Finder *f, int p, int q, int r, int s) {
    if (has(row(f->after, f, p), q)) {
        report_n(f, p, r, q, s);
    } else {
        report_n(f, s, q, r, p);
    }
}

// Paths v - x - y - z and x - v - y - z.
static bool find_path(const Finder *f, const Word *piece, int v) {
    const Word *of_v = row(f->related, f, v);
    for (int x = 0; x < f->count; x++) {
        if (!has(piece, x) || !has(of_v, x)) {
            continue;
        }
        const Word *of_x = row(f->related, f, x);
        for (int y = 0; y < f->count; y++) {
            if (!has(piece, y) || y == v || y == x) {
                continue;
            }
            bool from_end = has(of_x, y) && !has(of_v, y),
                 from_middle = has(of_v, y) && !has(of_x, y);
            if (!from_end && !from_middle) {
                continue;
            }
            const Word *of_y = row(f->related, f, y);
            Word *with = f->left; // neither v nor x themselves
            memcpy(with, piece, (size_t)f->words * sizeof *with);
            drop(with, v);
            drop(with, x);
            int z = first_of(f, with, of_y, of_v, of_x);
            if (z >= 0) {
                report_path(f, from_end ? v : x, from_end ? x : v, y, z);
                return true;
            }
        }
    }
    return false;
}

static void find_n(Finder *f, int begin, int end) {
    Word *piece = som_alloc((size_t)f->words * sizeof *piece);
    for (int i = begin; i < end; i++) {
        put(piece, f->piece[i]);
    }
    bool is_found = false;
    for (int i = begin; i < end && !is_found; i++) {
        is_found = find_path(f, piece, f->piece[i]);
    }
    assert(is_found); // a piece that does not fall apart has one
    som_free(piece);
}

// ---- the form

typedef struct Piece {
    int begin, end, parent;
} Piece;

typedef struct Pieces {
    SOM_ARRAY(Piece) todo; // the next one last
} Pieces;

// Adds the node of a piece, and the pieces it falls apart into to what is to do. False: it does
// not.
static bool divide(Finder *f, Piece piece, Pieces *pieces, SomSpForm *form) {
    int node = form->nodes.count;
    if (piece.end - piece.begin == 1) {
        SomSpNode leaf = {SOM_NODE_ACTION, piece.parent, 0, f->piece[piece.begin]};
        som_array_push(&form->nodes, leaf);
        return true;
    }
    SomNodeKind kind = SOM_NODE_PARALLEL;
    int components = find_components(f, piece.begin, piece.end, true);
    if (components == 1) {
        kind = SOM_NODE_SERIES;
        components = find_components(f, piece.begin, piece.end, false);
    }
    if (components == 1) {
        find_n(f, piece.begin, piece.end);
        return false;
    }
    sort_piece(f, piece.begin, piece.end, components, kind == SOM_NODE_SERIES);
    som_array_push(&form->nodes, ((SomSpNode){kind, piece.parent, 0, -1}));
    int end = piece.end;
    for (int i = piece.end - 1; i >= piece.begin; i--) {
        if (i == piece.begin || f->component[f->piece[i]] != f->component[f->piece[i - 1]]) {
            som_array_push(&pieces->todo, ((Piece){i, end, node}));
            end = i;
        }
    }
    return true;
}

static bool divide_all(Finder *f, SomSpForm *form) {
    Pieces pieces = {0};
    bool is_good = true;
    som_array_push(&pieces.todo, ((Piece){0, f->count, -1}));
    while (is_good && pieces.todo.count > 0) {
        Piece piece = pieces.todo.data[--pieces.todo.count];
        is_good = divide(f, piece, &pieces, form);
    }
    som_array_free(&pieces.todo);
    for (int i = form->nodes.count - 1; i >= 0; i--) {
        SomSpNode *node = &form->nodes.data[i];
        node->end = node->end > i ? node->end : i + 1;
        if (node->parent >= 0 && form->nodes.data[node->parent].end < node->end) {
            form->nodes.data[node->parent].end = node->end;
        }
    }
    return is_good;
}

static bool find(Finder *f, SomSpForm *form) {
    size_t count = (size_t)f->count, words = (size_t)f->words;
    f->rank = som_alloc(count * sizeof *f->rank);
    f->sorted = som_alloc(count * sizeof *f->sorted);
    f->piece = som_alloc(count * sizeof *f->piece);
    f->component = som_alloc(count * sizeof *f->component);
    f->queue = som_alloc(count * sizeof *f->queue);
    f->after = som_alloc(count * words * sizeof *f->after);
    f->related = som_alloc(count * words * sizeof *f->related);
    f->left = som_alloc(words * sizeof *f->left);
    bool is_good = sort(f);
    if (!is_good) {
        find_cycle(f);
    } else {
        close_order(f);
        for (int i = 0; i < f->count; i++) {
            f->piece[i] = i;
        }
        is_good = divide_all(f, form);
    }
    void *const all[] = {f->rank,  f->sorted, f->piece,   f->component,
                         f->queue, f->after,  f->related, f->left};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        som_free(all[i]);
    }
    return is_good;
}

bool som_sp_form_find(int action_count, const SomOrder *orders, int order_count,
                      const SomOrderLabels *labels, SomSpForm *form, SomDiagnostics *diags) {
    Finder f = {.count = action_count,
                .words = (action_count + 63) / 64,
                .orders = orders,
                .order_count = order_count,
                .labels = labels,
                .diags = diags};
    for (int i = 0; i < order_count; i++) {
        assert(0 <= orders[i].before && orders[i].before < action_count);
        assert(0 <= orders[i].after && orders[i].after < action_count);
    }
    if (action_count > SOM_SP_MOST_ACTIONS) {
        som_report(diags, SOM_ORDER_TOO_LARGE, span_of(&f, 0),
                   "dependencies of %d actions are too many", action_count);
        return false;
    }
    if (action_count == 0) {
        som_array_push(&form->nodes, ((SomSpNode){SOM_NODE_SERIES, -1, 1, -1}));
        return true;
    }
    if (!find(&f, form)) {
        som_sp_form_free(form);
        return false;
    }
    return true;
}

void som_sp_form_free(SomSpForm *form) {
    som_array_free(&form->nodes);
}
