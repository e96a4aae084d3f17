// SPDX-License-Identifier: Apache-2.0
// Tests for behaviors/sp_form.c.

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
    expect_message(&f, SOM_ORDER_TOO_LARGE, "dependencies of 4097 actions are too many");
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
        SomOrder orders[MOST * MOST];
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
        }
        discard(&f);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(found, rounds / 20);
    ck_assert_int_lt(found, rounds * 19 / 20);
}
END_TEST

START_TEST(large_orders_are_quick) {
    // a ladder: series(parallel(0, series(…)), 2) nested a thousand deep
    int count = SOM_SP_MOST_ACTIONS / 2, order_count = 0;
    SomOrder *orders = malloc((size_t)count * 2 * sizeof *orders);
    for (int i = 0; i + 3 < count; i += 2) {
        orders[order_count++] = (SomOrder){i, i + 2};
        orders[order_count++] = (SomOrder){i, i + 3};
    }
    Found f = find(count, orders, order_count);
    ck_assert(f.is_found);
    ck_assert_int_eq(f.form.nodes.data[0].end, f.form.nodes.count);
    discard(&f);
    orders[order_count++] = (SomOrder){3, count - 2}; // and an N in it
    f = find(count, orders, order_count);
    ck_assert(!f.is_found);
    discard(&f);
    free(orders);
}
END_TEST

SOM_SUITE("behaviors/sp_form", small_orders_have_their_form, the_letter_n_is_refused_and_named,
          names_and_places_are_those_of_the_user, circles_are_named, too_many_actions_are_refused,
          random_orders_have_a_form_unless_they_have_an_n, large_orders_are_quick)
