// SPDX-License-Identifier: Apache-2.0
// Queues and labels → series and parallel.
//
// Most gaits have such a form. Where four commands depend on each other like the letter N (a and b
// before c, b before d), a further order makes one: a before d, d before c or b before a. It is
// taken only if by the lab's schedule the one ends before the other starts, so that it costs no
// time there.

#include "base/codes/exchange_codes.h"
#include "exchange/gait.h"

#define LONGEST_NAME 60    // bytes of a command that stands for itself in a report
#define MOST_COMPLETED 512 // commands; beyond, a gait without a form is refused

typedef struct Orders {
    SOM_ARRAY(SomOrder) all;
} Orders;

static void add(Orders *orders, int before, int after) {
    SomOrder order = {before, after};
    som_array_push(&orders->all, order);
}

static void add_queues(const SomGait *gait, Orders *orders) {
    int *last = som_alloc((size_t)(gait->queues.count + 1) * sizeof *last); // one more than it
    for (int i = 0; i < gait->commands.count; i++) {
        int queue = gait->commands.data[i].queue;
        if (last[queue] > 0) {
            add(orders, last[queue] - 1, i);
        }
        last[queue] = i + 1;
    }
    som_free(last);
}

static void add_labels(const SomGait *gait, Orders *orders) {
    for (int i = 0; i < gait->commands.count; i++) {
        int label = gait->commands.data[i].label;
        for (int k = 0; label >= 0 && k < gait->commands.count; k++) {
            if (gait->commands.data[k].after == label) {
                add(orders, i, k);
            }
        }
    }
}

// ---- what else may be ordered

// Which commands come before which, and what follows from it: a bit for each pair.
typedef struct Relation {
    const SomGait *gait;
    int count, words;
    uint64_t *after;  // of each command those after it
    uint64_t *before; // of each command those before it
} Relation;

static bool has(const uint64_t *row, int i) {
    return (row[i / 64] >> (i % 64) & 1) != 0;
}

static uint64_t *row_of(const Relation *r, uint64_t *bits, int i) {
    return bits + (size_t)i * (size_t)r->words;
}

static void join(Relation *r, uint64_t *bits, int into, int from) {
    uint64_t *to = row_of(r, bits, into);
    const uint64_t *own = row_of(r, bits, from);
    for (int w = 0; w < r->words; w++) {
        to[w] |= own[w];
    }
    to[from / 64] |= (uint64_t)1 << (from % 64);
}

// All before `a` and itself come before `b` and all after it.
static void relate(Relation *r, int a, int b) {
    if (has(row_of(r, r->after, a), b)) {
        return;
    }
    for (int i = 0; i < r->count; i++) {
        if (i == a || has(row_of(r, r->before, a), i)) {
            join(r, r->after, i, b);
        }
        if (i == b || has(row_of(r, r->after, b), i)) {
            join(r, r->before, i, a);
        }
    }
}

static bool ends_before(const SomGait *gait, int a, int b) {
    const SomGaitCommand *first = &gait->commands.data[a], *second = &gait->commands.data[b];
    return first->end >= 0 && second->start >= 0 && first->end <= second->start;
}

// One of the orders that make a form of this N; false if each would cost time.
static bool straighten(Relation *r, Orders *added, int a, int b, int c, int d) {
    const int pairs[3][2] = {{a, d}, {d, c}, {b, a}};
    for (int i = 0; i < 3; i++) {
        if (ends_before(r->gait, pairs[i][0], pairs[i][1])) {
            relate(r, pairs[i][0], pairs[i][1]);
            add(added, pairs[i][0], pairs[i][1]);
            return true;
        }
    }
    return false;
}

// The N of b before c, if there is one: a before c but not b, d after b but neither a nor c.
static bool find_n(const Relation *r, int b, int c, int *a, int *d) {
    const uint64_t *after_b = row_of(r, r->after, b), *before_b = row_of(r, r->before, b);
    const uint64_t *after_c = row_of(r, r->after, c), *before_c = row_of(r, r->before, c);
    for (*a = 0; *a < r->count; (*a)++) {
        if (*a == b || !has(before_c, *a) || has(before_b, *a) || has(after_b, *a)) {
            continue;
        }
        const uint64_t *after_a = row_of(r, r->after, *a);
        for (int w = 0; w < r->words; w++) {
            uint64_t free = after_b[w] & ~after_a[w] & ~after_c[w] & ~before_c[w];
            for (int bit = 0; free != 0; bit++, free >>= 1) {
                if ((free & 1) != 0 && 64 * w + bit != c) {
                    *d = 64 * w + bit;
                    return true;
                }
            }
        }
    }
    return false;
}

// Orders so that no N is left; false if one would cost time.
static bool complete(Relation *r, Orders *added) {
    bool is_changed = true;
    while (is_changed) {
        is_changed = false;
        for (int i = 0; i < r->count * r->count; i++) {
            int b = i / r->count, c = i % r->count, a, d;
            while (has(row_of(r, r->after, b), c) && find_n(r, b, c, &a, &d)) {
                if (!straighten(r, added, a, b, c, d)) {
                    return false;
                }
                is_changed = true;
            }
        }
    }
    return true;
}

static bool find_further(const SomGait *gait, const Orders *orders, Orders *added) {
    int count = gait->commands.count;
    if (count > MOST_COMPLETED) {
        return false;
    }
    Relation r = {.gait = gait, .count = count, .words = (count + 63) / 64};
    size_t size = (size_t)count * (size_t)r.words;
    r.after = som_alloc(size * sizeof *r.after);
    r.before = som_alloc(size * sizeof *r.before);
    for (int i = 0; i < orders->all.count; i++) {
        relate(&r, orders->all.data[i].before, orders->all.data[i].after);
    }
    bool fine = complete(&r, added);
    som_free(r.after);
    som_free(r.before);
    return fine;
}

static void report_further(const SomGait *gait, const Orders *added, SomDiagnostics *diags) {
    for (int i = 0; i < added->all.count && i < 3; i++) {
        const SomGaitCommand *waits = &gait->commands.data[added->all.data[i].after];
        const SomGaitCommand *first = &gait->commands.data[added->all.data[i].before];
        som_report(diags, SOM_GAIT_WAITS_ADDED, waits->span, "this waits for one more command");
        som_note(diags, first->span, "for this one, which has ended by then");
    }
}

// ---- all of it

bool som_gait_order(const SomGait *gait, SomSpForm *form, SomDiagnostics *diags) {
    int count = gait->commands.count;
    Orders orders = {0}, added = {0};
    add_queues(gait, &orders);
    add_labels(gait, &orders);
    SomStr *names = som_alloc((size_t)count * sizeof *names);
    SomSpan *spans = som_alloc((size_t)count * sizeof *spans);
    bool has_run = true;
    for (int i = 0; i < count; i++) {
        const SomGaitCommand *command = &gait->commands.data[i];
        bool is_short = command->text.length <= LONGEST_NAME;
        names[i] = is_short ? command->text : gait->queues.data[command->queue].name;
        spans[i] = gait->commands.data[i].span;
        has_run = has_run && gait->commands.data[i].end >= 0;
    }
    SomOrderLabels labels = {names, spans};
    SomDiagnostics *unheard = som_diagnostics_create();
    bool fine = som_sp_form_find(count, orders.all.data, orders.all.count, NULL, form, unheard);
    if (!fine && has_run && find_further(gait, &orders, &added)) {
        report_further(gait, &added, diags);
        for (int i = 0; i < added.all.count; i++) {
            som_array_push(&orders.all, added.all.data[i]);
        }
    }
    if (!fine) {
        fine = som_sp_form_find(count, orders.all.data, orders.all.count, &labels, form, diags);
    }
    som_diagnostics_destroy(unheard);
    som_free(names);
    som_free(spans);
    som_array_free(&orders.all);
    som_array_free(&added.all);
    return fine;
}
