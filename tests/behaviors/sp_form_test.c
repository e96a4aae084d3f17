// SPDX-License-Identifier: Apache-2.0
// Tests for behaviors/sp_form.c.

#include "base/codes/behaviors_codes.h"
#include "behaviors/sp_form.h"
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Found {
    SomSpForm form;
    SomDiagnostics *diags;
    bool is_found;
    char text[512];
} Found;

static void print_node(Found *f, int node, size_t *length) {
    const SomSpNode *nodes = f->form.nodes.data;
    size_t room = sizeof f->text - *length;
    if (nodes[node].kind == SOM_NODE_ACTION) {
        *length += (size_t)snprintf(f->text + *length, room, "%d", nodes[node].action);
        return;
    }
    *length += (size_t)snprintf(f->text + *length, room, "%c(",
                                nodes[node].kind == SOM_NODE_SERIES ? 'S' : 'P');
    for (int child = node + 1; child < nodes[node].end; child = nodes[child].end) {
        if (child > node + 1) {
            *length += (size_t)snprintf(f->text + *length, sizeof f->text - *length, " ");
        }
        print_node(f, child, length);
    }
    *length += (size_t)snprintf(f->text + *length, sizeof f->text - *length, ")");
}

static Found find(int count, const SomOrder *orders, int order_count) {
    Found f = {.diags = som_diagnostics_create()};
    f.is_found = som_sp_form_find(count, orders, order_count, NULL, &f.form, f.diags);
    size_t length = 0;
    if (f.is_found && count < 30) {
        print_node(&f, 0, &length);
    }
    return f;
}

static void discard(Found *f) {
    som_sp_form_free(&f->form);
    som_diagnostics_destroy(f->diags);
}

#define FORM(count, expected, ...)                                                                 \
    do {                                                                                           \
        const SomOrder orders_[] = {__VA_ARGS__, {0, 0}};                                          \
        Found found_ = find((count), orders_, (int)(sizeof orders_ / sizeof *orders_) - 1);        \
        ck_assert(found_.is_found);                                                                \
        ck_assert_str_eq(found_.text, (expected));                                                 \
        discard(&found_);                                                                          \
    } while (0)

START_TEST(small_orders_have_their_form) {
    FORM(3, "S(P(0 1) 2)", {0, 2}, {1, 2});
    FORM(3, "S(2 1 0)", {2, 1}, {1, 0}, {2, 0}); // one that follows from the others
    FORM(4, "S(0 P(1 2) 3)", {0, 1}, {0, 2}, {1, 3}, {2, 3});
    FORM(4, "S(P(0 1) P(2 3))", {0, 2}, {0, 3}, {1, 2}, {1, 3});
    FORM(5, "P(S(0 1) 2 S(3 4))", {0, 1}, {3, 4});
    FORM(5, "S(0 P(S(1 2) 3) 4)", {0, 1}, {1, 2}, {0, 3}, {3, 4}, {2, 4});
    Found none = find(0, NULL, 0), one = find(1, NULL, 0), loose = find(3, NULL, 0);
    ck_assert_str_eq(none.text, "S()");
    ck_assert_str_eq(one.text, "0");
    ck_assert_str_eq(loose.text, "P(0 1 2)");
    discard(&none);
    discard(&one);
    discard(&loose);
}
END_TEST

static void expect_message(const Found *f, SomCode code, const char *message) {
    int count;
    const SomDiagnostic *kept = som_diagnostics_get(f->diags, &count);
    ck_assert(!f->is_found);
    ck_assert_int_ge(count, 1);
    ck_assert_int_eq(kept[0].code, code);
    char text[256];
    snprintf(text, sizeof text, "%.*s", SOM_STR_ARG(kept[0].message));
    ck_assert_str_eq(text, message);
}

START_TEST(the_letter_n_is_refused_and_named) {
    const SomOrder n[] = {{0, 2}, {1, 2}, {1, 3}};
    Found f = find(4, n, 3);
    expect_message(&f, SOM_ORDER_NOT_SERIES_PARALLEL,
                   "action 2 comes before action 3 and before action 4, but action 1 only before "
                   "action 3, which is neither series nor parallel");
    discard(&f);
}
END_TEST

START_TEST(names_and_places_are_those_of_the_user) {
    const SomOrder n[] = {{0, 2}, {1, 2}, {1, 3}};
    const SomStr names[] = {SOM_STR("lift"), SOM_STR("turn"), SOM_STR("step"), SOM_STR("wave")};
    const SomSpan spans[] = {{1, 0, 1}, {1, 2, 3}, {1, 4, 5}, {1, 6, 7}};
    SomOrderLabels labels = {names, spans};
    Found f = {.diags = som_diagnostics_create()};
    som_diagnostics_add_source(f.diags, SOM_STR("walk.gait"), SOM_STR("a b c d "));
    f.is_found = som_sp_form_find(4, n, 3, &labels, &f.form, f.diags);
    expect_message(&f, SOM_ORDER_NOT_SERIES_PARALLEL,
                   "'turn' comes before 'step' and before 'wave', but 'lift' only before 'step', "
                   "which is neither series nor parallel");
    int count;
    ck_assert_uint_eq(som_diagnostics_get(f.diags, &count)[0].span.begin, 4);
    ck_assert_int_eq(count, 4);
    discard(&f);
}
END_TEST

START_TEST(circles_are_named) {
    const SomOrder circle[] = {{0, 1}, {1, 2}, {2, 3}, {3, 1}, {3, 4}};
    Found f = find(5, circle, 5);
    expect_message(&f, SOM_ORDER_CYCLE,
                   "these actions wait for each other in a circle: action 2, action 3, action 4");
    discard(&f);
    const SomOrder self[] = {{0, 0}};
    f = find(1, self, 1);
    expect_message(&f, SOM_ORDER_CYCLE, "these actions wait for each other in a circle: action 1");
    discard(&f);
}
END_TEST

START_TEST(too_many_actions_are_refused) {
    Found f = find(SOM_SP_MOST_ACTIONS + 1, NULL, 0);
    expect_message(&f, SOM_ORDER_TOO_LARGE, "dependencies of 1000001 actions are too many");
    discard(&f);
}
END_TEST

// ---- random orders

#define MOST 12

typedef struct Relation {
    bool before[MOST][MOST];
} Relation;

static void close_relation(Relation *r, int count) {
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                r->before[i][j] = r->before[i][j] || (r->before[i][k] && r->before[k][j]);
            }
        }
    }
}

static bool has_n(const Relation *r, int count) {
    for (int a = 0; a < count; a++) {
        for (int b = 0; b < count; b++) {
            for (int c = 0; c < count; c++) {
                for (int d = 0; d < count; d++) {
                    bool related = r->before[a][b] || r->before[b][a] || r->before[a][d] ||
                                   r->before[d][a] || r->before[c][d] || r->before[d][c];
                    if (a != b && c != d && a != d && r->before[a][c] && r->before[b][c] &&
                        r->before[b][d] && !related) {
                        return true;
                    }
                }
            }
        }
    }
    return false;
}

// What the form orders: everything in one child of a series before everything in a later one.
static void relate(const SomSpForm *form, Relation *r) {
    const SomSpNode *nodes = form->nodes.data;
    for (int i = 0; i < form->nodes.count; i++) {
        if (nodes[i].kind != SOM_NODE_SERIES) {
            continue;
        }
        for (int child = i + 1; child < nodes[i].end; child = nodes[child].end) {
            for (int x = child; x < nodes[child].end; x++) {
                for (int y = nodes[child].end; y < nodes[i].end; y++) {
                    if (nodes[x].kind == SOM_NODE_ACTION && nodes[y].kind == SOM_NODE_ACTION) {
                        r->before[nodes[x].action][nodes[y].action] = true;
                    }
                }
            }
        }
    }
}

// The four that the report names. b before c and d, a before c only.
typedef struct Letter {
    int a, b, c, d;
} Letter;

static bool read_letter(const Found *f, Letter *n) {
    int count, again = 0;
    const SomDiagnostic *kept = som_diagnostics_get(f->diags, &count);
    char text[256] = "";
    if (count > 0 && kept[0].code == SOM_ORDER_NOT_SERIES_PARALLEL) {
        snprintf(text, sizeof text, "%.*s", SOM_STR_ARG(kept[0].message));
    }
    int read = sscanf(text,
                      "action %d comes before action %d and before action %d, but action %d only "
                      "before action %d",
                      &n->b, &n->c, &n->d, &n->a, &again);
    bool is_read = read == 5 && again == n->c;
    n->a--, n->b--, n->c--, n->d--;
    return is_read;
}

static bool is_letter(const Relation *r, Letter n) {
    return r->before[n.a][n.c] && r->before[n.b][n.c] && r->before[n.b][n.d] &&
           !r->before[n.a][n.b] && !r->before[n.b][n.a] && !r->before[n.a][n.d] &&
           !r->before[n.d][n.a] && !r->before[n.c][n.d] && !r->before[n.d][n.c];
}

static void shuffle(SomTestRandom *random, SomOrder *orders, int count) {
    for (int i = count - 1; i > 0; i--) {
        int other = som_test_int(random, 0, i);
        SomOrder swap = orders[i];
        orders[i] = orders[other];
        orders[other] = swap;
    }
}

START_TEST(random_orders_have_a_form_unless_they_have_an_n) {
    SomTestRandom random = {53};
    int wrong = 0, found = 0, rounds = som_test_count(5000, 200000);
    for (int i = 0; i < rounds; i++) {
        int count = som_test_int(&random, 1, MOST), order_count = 0;
        int names[MOST];
        for (int k = 0; k < count; k++) { // orders from later indices to earlier ones as well
            int other = som_test_int(&random, 0, k);
            names[k] = names[other];
            names[other] = k;
        }
        SomOrder orders[MOST * MOST]; // at most half of it, and a third of that again
        Relation given = {0}, formed = {0};
        int density = som_test_int(&random, 1, 12);
        for (int a = 0; a < count; a++) {
            for (int b = a + 1; b < count; b++) {
                if (som_test_int(&random, 0, 12) < density) {
                    orders[order_count++] = (SomOrder){names[a], names[b]};
                    given.before[names[a]][names[b]] = true;
                }
            }
        }
        close_relation(&given, count);
        Found f = find(count, orders, order_count);
        wrong += f.is_found == has_n(&given, count);
        if (f.is_found) {
            found++;
            relate(&f.form, &formed);
            wrong += memcmp(&given, &formed, sizeof given) != 0;
        } else {
            Letter n;
            wrong += !read_letter(&f, &n) || !is_letter(&given, n);
        }
        // the same again in another order and some of it twice
        for (int twice = order_count / 3; twice > 0; twice--) {
            orders[order_count] = orders[som_test_int(&random, 0, order_count - 1)];
            order_count++;
        }
        shuffle(&random, orders, order_count);
        Found again = find(count, orders, order_count);
        wrong += again.is_found != f.is_found || strcmp(again.text, f.text) != 0;
        int messages, others;
        const SomDiagnostic *one = som_diagnostics_get(f.diags, &messages);
        const SomDiagnostic *other = som_diagnostics_get(again.diags, &others);
        wrong += messages != others ||
                 (messages > 0 && !som_str_equal(one[0].message, other[0].message));
        discard(&again);
        discard(&f);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(found, rounds / 20);
    ck_assert_int_lt(found, rounds * 19 / 20);
}
END_TEST

// ---- large orders

typedef struct Orders {
    SOM_ARRAY(SomOrder) all;
} Orders;

static void add(Orders *orders, int before, int after) {
    som_array_push(&orders->all, ((SomOrder){before, after}));
}

// What an action comes before, by looking.
static void reach(const Orders *orders, int count, int from, bool *reached) {
    int *first = calloc((size_t)count, sizeof *first),
        *queue = calloc((size_t)count, sizeof *queue);
    int *next = calloc((size_t)orders->all.count + 1, sizeof *next);
    for (int i = 0; i < orders->all.count; i++) {
        next[i] = first[orders->all.data[i].before]; // 1 + index of another of the same action
        first[orders->all.data[i].before] = i + 1;
    }
    memset(reached, 0, (size_t)count * sizeof *reached);
    int tail = 0;
    queue[tail++] = from;
    for (int head = 0; head < tail; head++) {
        for (int i = first[queue[head]]; i > 0; i = next[i - 1]) {
            int after = orders->all.data[i - 1].after;
            if (!reached[after]) {
                reached[after] = true;
                queue[tail++] = after;
            }
        }
    }
    free(first);
    free(queue);
    free(next);
}

// The same by the form: what is in later children of the series around it.
static void reach_by_form(const SomSpForm *form, int count, int from, bool *reached) {
    const SomSpNode *nodes = form->nodes.data;
    memset(reached, 0, (size_t)count * sizeof *reached);
    int node = 0;
    while (nodes[node].action != from) {
        node++;
    }
    for (; nodes[node].parent >= 0; node = nodes[node].parent) {
        bool is_series = nodes[nodes[node].parent].kind == SOM_NODE_SERIES;
        for (int i = nodes[node].end; is_series && i < nodes[nodes[node].parent].end; i++) {
            if (nodes[i].kind == SOM_NODE_ACTION) {
                reached[nodes[i].action] = true;
            }
        }
    }
}

static bool is_letter_of(const Orders *orders, int count, Letter n) {
    bool *after[4];
    const int from[] = {n.a, n.b, n.c, n.d};
    for (int i = 0; i < 4; i++) {
        after[i] = malloc((size_t)count * sizeof *after[i]);
        reach(orders, count, from[i], after[i]);
    }
    bool is_n = after[0][n.c] && !after[0][n.b] && !after[0][n.d] && after[1][n.c] &&
                after[1][n.d] && !after[1][n.a] && !after[2][n.d] && !after[3][n.a] &&
                !after[3][n.c];
    for (int i = 0; i < 4; i++) {
        free(after[i]);
    }
    return is_n;
}

// Its form orders what some actions come before as the dependencies do, or its N is one. Returns
// whether there is a form.
static bool check_order(SomTestRandom *random, const Orders *orders, int count, int samples) {
    Found f = find(count, orders->all.data, orders->all.count);
    if (f.is_found) {
        bool *given = malloc((size_t)count * sizeof *given);
        bool *formed = malloc((size_t)count * sizeof *formed);
        for (int i = 0; i < samples; i++) {
            int from = som_test_int(random, 0, count - 1);
            reach(orders, count, from, given);
            reach_by_form(&f.form, count, from, formed);
            ck_assert(memcmp(given, formed, (size_t)count * sizeof *given) == 0);
        }
        free(given);
        free(formed);
    } else {
        Letter n;
        ck_assert(read_letter(&f, &n));
        ck_assert(is_letter_of(orders, count, n));
    }
    bool is_found = f.is_found;
    discard(&f);
    return is_found;
}

// Parts of a random tree of series and parallel, which are joined until one is left.
typedef struct Ends {
    int first, last, count; // a list of actions
} Ends;

typedef struct Part {
    Ends begins, ends; // what comes after nothing in the part, and before nothing
} Part;

typedef struct Maker {
    int count;                  // of actions
    int *next_begin, *next_end; // the lists
    Orders *orders;
} Maker;

static Part make_action(Maker *m) {
    Ends one = {m->count++, m->count - 1, 1};
    m->next_begin[one.first] = m->next_end[one.first] = -1;
    return (Part){one, one};
}

static Ends join_ends(Ends a, Ends b, int *next) {
    next[a.last] = b.first;
    return (Ends){a.first, b.last, a.count + b.count};
}

static Part make_parallel(Maker *m, Part a, Part b) {
    return (Part){join_ends(a.begins, b.begins, m->next_begin),
                  join_ends(a.ends, b.ends, m->next_end)};
}

static Part make_series(Maker *m, Part a, Part b) {
    if (a.ends.count > 1 && b.begins.count > 1 && a.ends.count + b.begins.count > 20) {
        a = make_series(m, a, make_action(m)); // fewer dependencies
    }
    for (int x = a.ends.first; x >= 0; x = m->next_end[x]) {
        for (int y = b.begins.first; y >= 0; y = m->next_begin[y]) {
            add(m->orders, x, y);
        }
    }
    return (Part){a.begins, b.ends};
}

static void name_actions(SomTestRandom *random, int count, Orders *orders) {
    int *names = malloc((size_t)count * sizeof *names);
    for (int i = 0; i < count; i++) {
        int other = som_test_int(random, 0, i);
        names[i] = names[other];
        names[other] = i;
    }
    for (int i = 0; i < orders->all.count; i++) {
        SomOrder *order = &orders->all.data[i];
        *order = (SomOrder){names[order->before], names[order->after]};
    }
    free(names);
}

// Deep trees join a part with a single action most of the time. Returns how many actions it has.
static int make_order(SomTestRandom *random, int leaves, bool is_deep, Orders *orders) {
    size_t size = 2 * (size_t)leaves * sizeof(int);
    Maker m = {0, malloc(size), malloc(size), orders};
    Part *parts = malloc((size_t)leaves * sizeof *parts);
    for (int i = 0; i < leaves; i++) {
        parts[i] = make_action(&m);
    }
    for (int left = leaves; left > 1; left--) {
        int at = is_deep && som_test_int(random, 0, 9) > 0 ? 0 : som_test_int(random, 0, left - 2);
        Part a = parts[at], b = parts[left - 1];
        parts[at] = som_test_int(random, 0, 1) == 0   ? make_parallel(&m, a, b)
                    : som_test_int(random, 0, 1) == 0 ? make_series(&m, a, b)
                                                      : make_series(&m, b, a);
    }
    name_actions(random, m.count, orders);
    free(parts);
    free(m.next_begin);
    free(m.next_end);
    return m.count;
}

// Dependencies that follow from others.
static void add_redundant(SomTestRandom *random, int count, int more, Orders *orders) {
    int *some = malloc((size_t)count * sizeof *some);
    for (int i = 0; i < count; i++) {
        some[i] = -1;
    }
    for (int i = 0; i < orders->all.count; i++) {
        some[orders->all.data[i].before] = orders->all.data[i].after;
    }
    for (int i = 0; i < more && orders->all.count > 0; i++) {
        int from = som_test_int(random, 0, count - 1), to = some[from];
        for (int steps = som_test_int(random, 0, 50); steps > 0 && to >= 0 && some[to] >= 0;
             steps--) {
            to = some[to];
        }
        if (to >= 0) {
            add(orders, from, to);
        }
    }
    free(some);
    shuffle(random, orders->all.data, orders->all.count);
}

START_TEST(random_trees_are_found_again) {
    SomTestRandom random = {54};
    int rounds = som_test_count(60, 3000);
    for (int i = 0; i < rounds; i++) {
        Orders orders = {0};
        int leaves = i < 2 ? 100000 : som_test_int(&random, 1, 400);
        int count = make_order(&random, leaves, i % 2 == 0, &orders);
        add_redundant(&random, count, i % 3 == 0 ? 0 : 2 * count, &orders);
        ck_assert(check_order(&random, &orders, count, 10));
        som_array_free(&orders.all);
    }
}
END_TEST

// Most of them have an N then, some nowhere near the end.
START_TEST(random_trees_with_another_dependency_have_a_form_or_an_n) {
    SomTestRandom random = {55};
    int rounds = som_test_count(200, 10000), found = 0, refused = 0;
    for (int i = 0; i < rounds; i++) {
        Orders orders = {0};
        int leaves = i < 2 ? 100000 : som_test_int(&random, 4, 60);
        int count = make_order(&random, leaves, i % 2 == 0, &orders);
        bool *after = malloc((size_t)count * sizeof *after);
        int a = som_test_int(&random, 0, count - 1), b = som_test_int(&random, 0, count - 1);
        reach(&orders, count, b, after);
        if (a != b && !after[a]) {
            add(&orders, a, b);
        }
        free(after);
        add_redundant(&random, count, i % 3 == 0 ? 0 : count, &orders);
        bool is_found = check_order(&random, &orders, count, i < 2 ? 10 : count);
        found += is_found;
        refused += !is_found;
        som_array_free(&orders.all);
    }
    ck_assert_int_gt(found, rounds / 20);
    ck_assert_int_gt(refused, rounds / 20);
}
END_TEST

START_TEST(large_orders_without_any_plan_have_an_n) {
    SomTestRandom random = {56};
    Orders orders = {0};
    int count = 100000;
    for (int i = 0; i < 3 * count; i++) {
        int a = som_test_int(&random, 0, count - 2);
        add(&orders, a, som_test_int(&random, a + 1, count - 1));
    }
    ck_assert(!check_order(&random, &orders, count, 0));
    som_array_free(&orders.all);
}
END_TEST

// Rooted trees, in which each action waits for one: thin ones, bushes, chains with teeth. And the
// other way round, in which each is waited for by one.
START_TEST(large_rooted_trees_have_a_form) {
    SomTestRandom random = {57};
    int count = 100000;
    const int back[] = {1, 2, 30, count};
    for (int i = 0; i < 8; i++) {
        Orders orders = {0};
        for (int action = 1; action < count; action++) {
            int furthest = back[i / 2] < action ? back[i / 2] : action;
            int near = action - som_test_int(&random, 1, furthest);
            add(&orders, i % 2 == 0 ? near : action, i % 2 == 0 ? action : near);
        }
        ck_assert(check_order(&random, &orders, count, 3));
        som_array_free(&orders.all);
    }
}
END_TEST

START_TEST(a_ladder_is_as_deep_as_it_is_long) {
    Orders orders = {0};
    int count = 100000;
    for (int i = 0; i + 3 < count; i += 2) {
        add(&orders, i, i + 2);
        add(&orders, i, i + 3);
    }
    SomTestRandom random = {58};
    ck_assert(check_order(&random, &orders, count, 10));
    add(&orders, 3, count - 2); // and an N in it
    ck_assert(!check_order(&random, &orders, count, 0));
    som_array_free(&orders.all);
}
END_TEST

START_TEST(a_large_circle_is_named) {
    Orders orders = {0};
    int count = 100000;
    for (int i = 0; i < count; i++) {
        add(&orders, i, (i + 1) % count);
    }
    Found f = find(count, orders.all.data, orders.all.count);
    expect_message(&f, SOM_ORDER_CYCLE,
                   "these actions wait for each other in a circle: action 1, action 2, action 3, "
                   "action 4, action 5, action 6, action 7, action 8, …");
    discard(&f);
    som_array_free(&orders.all);
}
END_TEST

SOM_SUITE("behaviors/sp_form", small_orders_have_their_form, the_letter_n_is_refused_and_named,
          names_and_places_are_those_of_the_user, circles_are_named, too_many_actions_are_refused,
          random_orders_have_a_form_unless_they_have_an_n, random_trees_are_found_again,
          random_trees_with_another_dependency_have_a_form_or_an_n,
          large_orders_without_any_plan_have_an_n, large_rooted_trees_have_a_form,
          a_ladder_is_as_deep_as_it_is_long, a_large_circle_is_named)
