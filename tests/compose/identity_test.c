// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "compose/identity.h"
#include "tests/compose/designs.h"

#include <math.h>

// The same design again: modules in another order, connections in another order and either way
// round, and with `change` one of them elsewhere or turned.
static SomConfiguration *rebuild(SomTestRandom *random, const SomConfiguration *c, bool changes) {
    int n = c->module_count;
    int *place = som_alloc(sizeof *place * (size_t)n), *at = som_alloc(sizeof *at * (size_t)n);
    for (int i = 0; i < n; i++) {
        int k = som_test_int(random, 0, i);
        place[i] = place[k];
        place[k] = i; // a random order
    }
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Again")});
    for (int i = 0; i < n; i++) {
        const SomModule *m = &c->modules[place[i]];
        som_builder_begin_part(
            b, &(SomPartDef){.name = SOM_STR("q"), .index = i + 1, .config = SOM_STR("M")});
        at[place[i]] = som_builder_set_module(b, m->type, m->m3l, (SomSpan){0});
        som_builder_end_part(b);
    }
    int changed = changes ? som_test_int(random, 0, c->connection_count - 1) : -1;
    for (int i = c->connection_count - 1; i >= 0; i--) {
        const SomConnection *k = &c->connections[i];
        bool is_turned = som_test_int(random, 0, 1) == 1;
        SomConnectDef def = {.module_a = at[is_turned ? k->module_b : k->module_a],
                             .connector_a = is_turned ? k->connector_b : k->connector_a,
                             .module_b = at[is_turned ? k->module_a : k->module_b],
                             .connector_b = is_turned ? k->connector_a : k->connector_b,
                             .has_roll = true,
                             .roll = k->roll + (i == changed ? acos(-1) / 2 : 0)};
        som_builder_connect(b, &def);
    }
    som_free(place);
    som_free(at);
    return test_finish(b);
}

// ---- brute force

static bool is_edge(const SomConfiguration *c, const SomConnection *k, int a, int b) {
    for (int i = 0; i < c->connection_count; i++) {
        const SomConnection *o = &c->connections[i];
        bool straight = o->module_a == a && o->module_b == b && o->connector_a == k->connector_a &&
                        o->connector_b == k->connector_b;
        bool turned = o->module_b == a && o->module_a == b && o->connector_b == k->connector_a &&
                      o->connector_a == k->connector_b;
        if ((straight || turned) && fabs(o->roll - k->roll) < 1e-6) {
            return true;
        }
    }
    return false;
}

static bool is_isomorphism(const SomConfiguration *a, const SomConfiguration *b, const int *map) {
    for (int i = 0; i < a->module_count; i++) {
        if (!som_str_equal(a->modules[i].type->name, b->modules[map[i]].type->name)) {
            return false;
        }
    }
    for (int i = 0; i < a->connection_count; i++) {
        const SomConnection *k = &a->connections[i];
        if (!is_edge(b, k, map[k->module_a], map[k->module_b])) {
            return false;
        }
    }
    return true;
}

static bool try_all(const SomConfiguration *a, const SomConfiguration *b, int *map, int done) {
    if (done == a->module_count) {
        return is_isomorphism(a, b, map);
    }
    for (int i = done; i < a->module_count; i++) {
        int kept = map[done];
        map[done] = map[i];
        map[i] = kept;
        if (try_all(a, b, map, done + 1)) {
            return true;
        }
        map[i] = map[done];
        map[done] = kept;
    }
    return false;
}

static bool is_same_by_force(const SomConfiguration *a, const SomConfiguration *b) {
    if (a->module_count != b->module_count || a->connection_count != b->connection_count) {
        return false;
    }
    int map[16];
    for (int i = 0; i < a->module_count; i++) {
        map[i] = i;
    }
    return try_all(a, b, map, 0);
}

START_TEST(small_designs_agree_with_brute_force) {
    SomM3l *smores = som_test_library("smores");
    SomTestRandom random = {11};
    int same = 0, different = 0, wrong = 0;
    for (int n = 0; n < som_test_count(300, 6000); n++) {
        int count = som_test_int(&random, 1, 6);
        SomConfiguration *a = test_finish(test_begin_random(&random, smores, count));
        SomConfiguration *b = n % 3 == 2 ? test_finish(test_begin_random(&random, smores, count))
                                         : rebuild(&random, a, n % 3 == 1 && count > 1);
        bool expected = is_same_by_force(a, b);
        int map[16];
        bool found = som_configuration_match(a, b, map);
        wrong += found != expected || (found && !is_isomorphism(a, b, map));
        wrong += expected && som_configuration_hash(a) != som_configuration_hash(b);
        wrong += !expected && som_configuration_hash(a) == som_configuration_hash(b);
        expected ? same++ : different++;
        som_configuration_destroy(a);
        som_configuration_destroy(b);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(same, som_test_count(100, 2000));
    ck_assert_int_gt(different, som_test_count(50, 1000));
    som_m3l_destroy(smores);
}
END_TEST

START_TEST(large_designs_are_recognised_in_another_order) {
    SomM3l *smores = som_test_library("smores"), *ckbot = som_test_library("ckbot");
    SomTestRandom random = {12};
    for (int n = 0; n < 6; n++) {
        SomConfiguration *a =
            test_finish(test_begin_random(&random, n % 2 == 0 ? smores : ckbot, 400));
        SomConfiguration *b = rebuild(&random, a, false);
        int *map = som_alloc(sizeof *map * (size_t)a->module_count);
        ck_assert(som_configuration_match(a, b, map) && is_isomorphism(a, b, map));
        ck_assert(som_configuration_hash(a) == som_configuration_hash(b));
        som_free(map);
        som_configuration_destroy(b);
        som_configuration_destroy(a);
    }
    SomConfiguration *snake = test_snake(smores, 2000);
    SomConfiguration *again = rebuild(&random, snake, false);
    SomConfiguration *bent = rebuild(&random, snake, true);
    ck_assert(som_configuration_same_structure(snake, again));
    ck_assert(!som_configuration_same_structure(snake, bent));
    som_configuration_destroy(snake);
    som_configuration_destroy(again);
    som_configuration_destroy(bent);
    som_m3l_destroy(smores);
    som_m3l_destroy(ckbot);
}
END_TEST

// The second robot of the paper is the first one built otherwise, but its connectors differ.
START_TEST(both_quadrupeds_are_told_apart) {
    SomM3l *mtran = som_test_library("mtran");
    SomConfiguration *a = test_robot(mtran, "quadruped"), *b = test_robot(mtran, "quadruped");
    SomConfiguration *c = test_robot(mtran, "equivalent_quadruped");
    ck_assert(som_configuration_same_structure(a, b));
    ck_assert(!som_configuration_same_structure(a, c));
    som_configuration_destroy(a);
    som_configuration_destroy(b);
    som_configuration_destroy(c);
    som_m3l_destroy(mtran);
}
END_TEST

// Connectors that have no outside have no rolls either: matings are told by their numbers, and
// which module is which end counts.
START_TEST(matings_without_a_roll_are_told_by_their_index) {
    static const char *const source =
        "module A:\n"
        "point p: (point _1: coords=(1, 0, 1)) (point _2: coords=(1, 1, 0)) coords=(1, 0, 0), "
        "connector\n"
        "point q: (point _1: coords=(1, 0, 1)) (point _2: coords=(1, 1, 0)) coords=(1, 0, 0), "
        "connector\n"
        "link body: grouping=(p, q), mass=1kg\n"
        "connection A_to_A: members=(A a, A b), conditions=((a.point c coincident b.point d) and "
        "(c._1 coincident d.point) and (c._2 coincident d.point))\n";
    SomDiagnostics *diags = som_diagnostics_create();
    SomM3l *m3l = som_m3l_read(som_str(source), 0, diags);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    ck_assert_int_gt(m3l->rules[0].mating_count, 3);
    // of (p, q): the second way is another one, the third the first one seen from the other end
    static const struct {
        bool is_turned;
        int choice;
    } designs[] = {{false, 0}, {false, 1}, {true, 0}};
    SomConfiguration *c[3];
    for (int i = 0; i < 3; i++) {
        SomMatingChoice choices[16];
        const SomModuleType *type = &m3l->types[0];
        ck_assert_int_ge(som_m3l_find_matings(m3l, type, 0, type, 1, choices, 16), 2);
        ck_assert(isnan(choices[0].roll));
        SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Pair")});
        int x = test_add_module(b, "x", 0, m3l, "A"), y = test_add_module(b, "y", 0, m3l, "A");
        som_builder_connect(b, &(SomConnectDef){.module_a = x,
                                                .connector_a = designs[i].is_turned ? 1 : 0,
                                                .module_b = y,
                                                .connector_b = designs[i].is_turned ? 0 : 1,
                                                .index = choices[designs[i].choice].index});
        c[i] = test_finish(b);
        ck_assert(isnan(c[i]->connections[0].roll));
    }
    ck_assert(!som_configuration_same_structure(c[0], c[1]));
    ck_assert(som_configuration_same_structure(c[0], c[2]));
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Pair")});
    int x = test_add_module(b, "x", 0, m3l, "A"), y = test_add_module(b, "y", 0, m3l, "A");
    test_connect(b, x, "p", y, "q", (double)NAN);
    SomText text = {0};
    ck_assert_ptr_null(test_finish_with(b, &text));
    ck_assert_ptr_nonnull(
        strstr(text.data, "'x.p' and 'y.q' can be mated in several ways; choose with 'as' of "));
    som_text_free(&text);
    for (int i = 0; i < 3; i++) {
        som_configuration_destroy(c[i]);
    }
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
}
END_TEST

SOM_SUITE("compose/identity", small_designs_agree_with_brute_force,
          large_designs_are_recognised_in_another_order, both_quadrupeds_are_told_apart,
          matings_without_a_roll_are_told_by_their_index)
