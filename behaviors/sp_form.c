// SPDX-License-Identifier: Apache-2.0
// The actions are sorted by time and put one after the other into a series-parallel tree
// (behaviors/sp_tree.h). If the order has a form the tree is it. If not, an action finds no place
// or one where it comes after some only of what it depends on. The latter shows at the end, when
// the places of an action in two walks through the tree say what it comes after. The tree of what
// is before the first such action then shows four actions that form an N. Steps and
// memory are linear in the number of actions and dependencies.
//
// The reductions of Valdes, Tarjan and Lawler are linear as well, but want the dependencies that
// follow from others removed first, and do not say where the N is.

#include "behaviors/sp_form.h"

#include "base/codes/behaviors_codes.h"
#include "behaviors/sp_tree.h"

#include <assert.h>

typedef struct Finder {
    int count;
    const SomOrder *orders;
    int order_count;
    const SomOrderLabels *labels;
    SomDiagnostics *diags;
    int *rank;    // of an action: its place in a topological order
    int *sorted;  // the actions in that order
    int *first;   // by rank: its part of `befores`; one more at the end
    int *befores; // ranks
    SomSpTree tree;
} Finder;

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
    int *before = som_alloc((size_t)f->count * sizeof *before);
    int *seen = som_alloc((size_t)f->count * sizeof *seen);
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
    som_free(seen);
    som_free(before);
}

// Sorts dependencies by one end, and leaves those with the same end in their order. Returns where
// those of each action begin; one more at the end.
static int *sort_orders(const Finder *f, const SomOrder *from, bool is_by_after, SomOrder *to) {
    int *first = som_alloc(((size_t)f->count + 2) * sizeof *first), *next = first + 1;
    for (int i = 0; i < f->order_count; i++) {
        next[(is_by_after ? from[i].after : from[i].before) + 1]++;
    }
    for (int i = 0; i < f->count; i++) {
        next[i + 1] += next[i];
    }
    for (int i = 0; i < f->order_count; i++) {
        to[next[is_by_after ? from[i].after : from[i].before]++] = from[i];
    }
    return first;
}

// Kahn's sort, with a queue, as the tree wants it. False: there is a circle.
static bool sort_actions(Finder *f, const SomOrder *orders, const int *first) {
    int *waits = som_alloc((size_t)f->count * sizeof *waits);
    for (int i = 0; i < f->order_count; i++) {
        waits[orders[i].after]++;
    }
    int sorted = 0;
    for (int i = 0; i < f->count; i++) {
        f->rank[i] = -1;
        if (waits[i] == 0) {
            f->sorted[sorted++] = i;
        }
    }
    for (int at = 0; at < sorted; at++) {
        int action = f->sorted[at];
        f->rank[action] = at;
        for (int i = first[action]; i < first[action + 1]; i++) {
            if (--waits[orders[i].after] == 0) {
                f->sorted[sorted++] = orders[i].after;
            }
        }
    }
    som_free(waits);
    return sorted == f->count;
}

// Sorted twice, since the result is not to depend on the order in which they are given.
static bool sort(Finder *f) {
    size_t size = ((size_t)f->order_count + 1) * sizeof(SomOrder);
    SomOrder *by_after = som_alloc(size), *orders = som_alloc(size);
    som_free(sort_orders(f, f->orders, true, by_after));
    int *first = sort_orders(f, by_after, false, orders);
    bool is_good = sort_actions(f, orders, first);
    som_free(first);
    if (is_good) {
        for (int i = 0; i < f->order_count; i++) {
            orders[i] = (SomOrder){f->rank[orders[i].before], f->rank[orders[i].after]};
        }
        f->first = sort_orders(f, orders, true, by_after);
        for (int i = 0; i < f->order_count; i++) {
            f->befores[i] = by_after[i].before;
        }
    } else {
        find_cycle(f);
    }
    som_free(by_after);
    som_free(orders);
    return is_good;
}

// ---- walks

// From leaf to leaf: the first one of a node, and the next node after one, -1 at the end. In the
// other walk the children of a parallel come the other way round.
static int enter(const SomSpTree *tree, int node, bool is_other) {
    for (;;) {
        const SomSpTreeNode *at = &tree->nodes[node];
        if (at->kind == SOM_NODE_ACTION) {
            return node;
        }
        node = is_other && at->kind == SOM_NODE_PARALLEL ? at->last : at->first;
    }
}

static int leave(const SomSpTree *tree, int node, bool is_other) {
    int parent = tree->nodes[node].parent;
    bool is_back = is_other && parent >= 0 && tree->nodes[parent].kind == SOM_NODE_PARALLEL;
    return is_back ? tree->nodes[node].previous : tree->nodes[node].next;
}

static void walk(const SomSpTree *tree, bool is_other, int *place) {
    int places = 0;
    for (int node = tree->root; node >= 0;) {
        node = enter(tree, node, is_other);
        place[node] = places++;
        int next = leave(tree, node, is_other);
        while (node >= 0 && next < 0) {
            node = tree->nodes[node].parent;
            next = node < 0 ? -1 : leave(tree, node, is_other);
        }
        node = next;
    }
}

// ---- the tree

// Of the first `count` actions. Returns the first that has no place, or `count`.
static int grow(Finder *f, int count) {
    som_sp_tree_free(&f->tree);
    som_sp_tree_init(&f->tree, f->count);
    for (int i = 0; i < count; i++) {
        if (!som_sp_tree_add(&f->tree, i, f->befores + f->first[i],
                             f->first[i + 1] - f->first[i])) {
            return i;
        }
    }
    return count;
}

// The first of these actions that does not come after all that it should, or `count`. One comes
// after another if it does in both walks.
static int find_wrong(const Finder *f, int count) {
    int *place = som_alloc((size_t)f->count * sizeof *place);
    int *other = som_alloc((size_t)f->count * sizeof *other);
    walk(&f->tree, false, place);
    walk(&f->tree, true, other);
    int wrong = count;
    for (int i = 0; i < count && wrong == count; i++) {
        for (int k = f->first[i]; k < f->first[i + 1]; k++) {
            int before = f->befores[k];
            if (place[before] > place[i] || other[before] > other[i]) {
                wrong = i;
            }
        }
    }
    som_free(place);
    som_free(other);
    return wrong;
}

// ---- the letter N

// Of each node of the tree one action below it that comes before the new action and one that does
// not; -1 if none.
typedef struct Sides {
    int early, late;
} Sides;

// All that comes before the new action.
static void find_early(const Finder *f, int action, Sides *sides) {
    for (int i = 0; i < f->tree.count; i++) {
        sides[i] = (Sides){-1, i < action ? i : -1};
    }
    for (int i = action; i >= 0; i--) {
        if (i < action && sides[i].early < 0) {
            continue;
        }
        for (int k = f->first[i]; k < f->first[i + 1]; k++) {
            sides[f->befores[k]] = (Sides){f->befores[k], -1};
        }
    }
}

static Sides *find_sides(const Finder *f, int action) {
    const SomSpTreeNode *nodes = f->tree.nodes;
    Sides *sides = som_alloc((size_t)f->tree.count * sizeof *sides);
    find_early(f, action, sides);
    for (int node = enter(&f->tree, f->tree.root, false); nodes[node].parent >= 0;) {
        Sides *above = &sides[nodes[node].parent];
        above->early = above->early < 0 ? sides[node].early : above->early;
        above->late = above->late < 0 ? sides[node].late : above->late;
        int next = nodes[node].next;
        node = next < 0 ? nodes[node].parent : enter(&f->tree, next, false);
    }
    return sides;
}

static bool is_mixed(Sides sides) {
    return sides.early >= 0 && sides.late >= 0;
}

static void report_ranks(const Finder *f, int a, int b, int c, int d) {
    report_n(f, f->sorted[a], f->sorted[b], f->sorted[c], f->sorted[d]);
}

// The only child that is not all late, or -1 after a report: a mixed series has an early action
// before a late one, and beside it there is another early one.
static int look_in_parallel(const Finder *f, const Sides *sides, int parallel, int action) {
    const SomSpTreeNode *nodes = f->tree.nodes;
    int mixed = -1, other = -1;
    for (int child = nodes[parallel].first; child >= 0; child = nodes[child].next) {
        if (mixed < 0 && is_mixed(sides[child])) {
            mixed = child;
        } else if (sides[child].early >= 0) {
            other = other < 0 ? child : other;
        }
    }
    assert(mixed >= 0); // else there is a place for the action
    if (other < 0) {
        return mixed;
    }
    int first = nodes[mixed].first, next = nodes[first].next;
    while (sides[next].late < 0) {
        next = nodes[next].next;
    }
    report_ranks(f, sides[other].early, sides[first].early, action, sides[next].late);
    return -1;
}

// The last child, or -1 after a report: a mixed parallel has an early action beside a late one, and
// after it there is another late one.
static int look_in_series(const Finder *f, const Sides *sides, int series, int action) {
    const SomSpTreeNode *nodes = f->tree.nodes;
    int mixed = nodes[series].first;
    while (sides[mixed].late < 0) {
        mixed = nodes[mixed].next;
    }
    assert(sides[mixed].early >= 0); // else there is a place for the action
    if (nodes[mixed].next < 0) {
        return mixed;
    }
    int early = nodes[mixed].first, late = nodes[mixed].first;
    while (sides[early].early < 0) {
        early = nodes[early].next;
    }
    while (sides[late].late < 0) {
        late = nodes[late].next;
    }
    if (early == late) { // it is both; any other is one of them
        int other = nodes[early].next >= 0 ? nodes[early].next : nodes[early].previous;
        *(sides[other].early >= 0 ? &early : &late) = other;
    }
    report_ranks(f, sides[late].late, sides[early].early, sides[nodes[mixed].next].late, action);
    return -1;
}

// The tree is that of all actions before this one, which has no place in it.
static void find_n(const Finder *f, int action) {
    Sides *sides = find_sides(f, action);
    for (int node = f->tree.root; node >= 0;) {
        bool is_series = f->tree.nodes[node].kind == SOM_NODE_SERIES;
        node = is_series ? look_in_series(f, sides, node, action)
                         : look_in_parallel(f, sides, node, action);
    }
    som_free(sides);
}

// ---- the form

// Children of a parallel in the order of their first actions.
static void sort_children(Finder *f) {
    SomSpTreeNode *nodes = f->tree.nodes;
    bool *is_placed = som_alloc((size_t)f->tree.count * sizeof *is_placed);
    for (int action = 0; action < f->count; action++) {
        for (int node = f->rank[action]; node >= 0 && !is_placed[node];) {
            int parent = nodes[node].parent;
            is_placed[node] = true;
            if (parent >= 0 && nodes[parent].kind == SOM_NODE_PARALLEL) {
                som_sp_tree_move_last(&f->tree, node);
            }
            node = parent;
        }
    }
    som_free(is_placed);
}

static void write_form(const Finder *f, SomSpForm *form) {
    const SomSpTreeNode *nodes = f->tree.nodes;
    som_array_reserve(&form->nodes, f->tree.count);
    for (int node = f->tree.root, above = -1; node >= 0;) {
        bool is_action = nodes[node].kind == SOM_NODE_ACTION;
        SomSpNode written = {nodes[node].kind, above, 0, is_action ? f->sorted[node] : -1};
        som_array_push(&form->nodes, written);
        if (!is_action) {
            above = form->nodes.count - 1;
            node = nodes[node].first;
            continue;
        }
        form->nodes.data[form->nodes.count - 1].end = form->nodes.count;
        while (node >= 0 && nodes[node].next < 0) {
            node = nodes[node].parent;
            if (node >= 0) {
                form->nodes.data[above].end = form->nodes.count;
                above = form->nodes.data[above].parent;
            }
        }
        node = node < 0 ? -1 : nodes[node].next;
    }
}

static bool find(Finder *f, SomSpForm *form) {
    f->rank = som_alloc((size_t)f->count * sizeof *f->rank);
    f->sorted = som_alloc((size_t)f->count * sizeof *f->sorted);
    f->befores = som_alloc(((size_t)f->order_count + 1) * sizeof *f->befores);
    bool is_good = sort(f);
    if (is_good) {
        int wrong = find_wrong(f, grow(f, f->count));
        is_good = wrong == f->count;
        if (is_good) {
            sort_children(f);
            write_form(f, form);
        } else {
            grow(f, wrong);
            find_n(f, wrong);
        }
    }
    som_sp_tree_free(&f->tree);
    som_free(f->rank);
    som_free(f->sorted);
    som_free(f->first);
    som_free(f->befores);
    return is_good;
}

bool som_sp_form_find(int action_count, const SomOrder *orders, int order_count,
                      const SomOrderLabels *labels, SomSpForm *form, SomDiagnostics *diags) {
    Finder f = {.count = action_count,
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
    return find(&f, form);
}

void som_sp_form_free(SomSpForm *form) {
    som_array_free(&form->nodes);
}
