// SPDX-License-Identifier: Apache-2.0
// Which links are tested against each other, in the designs of the library and in some of our own.

#include "base/memory.h"
#include "tests/compose/designs.h"
#include "tests/verify/library.h"
#include "verify/pairs.h"

#include <math.h>
#include <stdio.h>

static int find_link(const SomMechanism *m, const char *path) {
    for (int i = 0; i < m->link_count; i++) {
        if (som_str_equal(m->links[i].path, som_str(path))) {
            return i;
        }
    }
    ck_abort_msg("no link %s", path);
}

static SomPairRule rule_of(const SomPairs *pairs, const char *a, const char *b) {
    const SomMechanism *m = pairs->mechanism;
    return som_pairs_rule(pairs, find_link(m, a), find_link(m, b), NULL);
}

START_TEST(links_of_smores_are_tested_where_it_matters) {
    SomM3l *smores = som_test_library("smores");
    SomConfiguration *c = test_snake(smores, 3);
    SomMechanism *m = som_mechanism_create(c);
    SomPairs *pairs = som_pairs_create(m);
    ck_assert_int_eq(rule_of(pairs, "s[1].head.LeftWheel", "s[1].middle.LeftWheel"), SOM_PAIR_FREE);
    ck_assert_int_eq(rule_of(pairs, "s[1].head.LeftWheel", "s[1].tail.RightWheel"), SOM_PAIR_FREE);
    ck_assert_int_eq(rule_of(pairs, "s[1].head.FrontWheel", "s[1].head.UHolderBody"),
                     SOM_PAIR_FREE);
    ck_assert_int_eq(rule_of(pairs, "s[1].head.UHolderBody", "s[1].middle.CircuitHolder"),
                     SOM_PAIR_FREE);
    ck_assert_int_eq(rule_of(pairs, "s[1].head.UHolderBody", "s[1].middle.FrontWheel"),
                     SOM_PAIR_DOCKED);
    ck_assert_int_eq(rule_of(pairs, "s[1].head.UHolderBody", "s[1].head.LeftWheel"),
                     SOM_PAIR_JOINED);
    ck_assert_int_eq(rule_of(pairs, "s[1].head.CircuitHolder", "s[1].head.FrontWheel"),
                     SOM_PAIR_FREE);
    ck_assert_int_eq(rule_of(pairs, "s[1].head.CircuitHolder", "s[1].head.UHolderBody"),
                     SOM_PAIR_HINGED);
    // of four joints a module, one has its links apart; and one dock fewer than modules
    ck_assert_int_eq(pairs->counts[SOM_PAIR_JOINED], 6);
    ck_assert_int_eq(pairs->counts[SOM_PAIR_HINGED], 3);
    ck_assert_int_eq(pairs->counts[SOM_PAIR_DOCKED], 2); // they are tested, too
    ck_assert_int_eq(pairs->counts[SOM_PAIR_FREE], 15 * 14 / 2 - 11);
    ck_assert_int_eq(pairs->group_count, 4);
    som_pairs_destroy(pairs);
    som_mechanism_destroy(m);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

// The rule of every pair, one by one, and the counts and groups that were made without looking at
// each.
static void compare_counts(const SomPairs *pairs, const char *name) {
    long counts[SOM_PAIR_RULES] = {0}, of_groups[SOM_PAIR_RULES] = {0};
    int wrong = 0;
    for (int i = 0; i < pairs->mechanism->link_count; i++) {
        for (int k = i + 1; k < pairs->mechanism->link_count; k++) {
            double one, other;
            SomPairRule rule = som_pairs_rule(pairs, i, k, &one);
            wrong += rule != som_pairs_rule(pairs, k, i, &other);
            wrong += one != other;
            counts[rule]++;
        }
    }
    for (int i = 0; i < pairs->group_count; i++) {
        of_groups[pairs->groups[i].rule] += pairs->groups[i].count;
    }
    ck_assert_int_eq(wrong, 0);
    for (int i = 0; i < SOM_PAIR_RULES; i++) {
        ck_assert_msg(counts[i] == pairs->counts[i], "%s: rule %d: %ld, not %ld", name, i,
                      pairs->counts[i], counts[i]);
        ck_assert_msg(i == SOM_PAIR_FREE || of_groups[i] == counts[i], "%s: groups of rule %d",
                      name, i);
    }
}

START_TEST(all_pairs_are_counted_once) {
    SomTestLibrary library = som_test_library_open();
    for (int i = 0; i < library.designs.count; i++) {
        SomMechanism *m = som_mechanism_create(library.designs.data[i]);
        SomPairs *pairs = som_pairs_create(m);
        compare_counts(pairs, library.designs.data[i]->name.data);
        som_pairs_destroy(pairs);
        som_mechanism_destroy(m);
    }
    som_test_library_close(&library);
}
END_TEST

// The deepest overlap of links that are tested, beyond what is allowed.
static double deepest(const SomPairs *pairs, const SomPose *links, const char *name) {
    double worst = -INFINITY;
    const SomMechanism *m = pairs->mechanism;
    for (int i = 0; i < m->link_count; i++) {
        for (int k = i + 1; k < m->link_count; k++) {
            double allowed;
            if (!som_pair_is_tested(som_pairs_rule(pairs, i, k, &allowed))) {
                continue;
            }
            SomDistance d = som_pairs_distance(pairs, i, &links[i], k, &links[k], 0, NULL);
            worst = fmax(worst, -d.distance - allowed);
            if (-d.distance - allowed > 0) {
                fprintf(stderr, "%s: %.*s and %.*s overlap by %g\n", name,
                        SOM_STR_ARG(m->links[i].path), SOM_STR_ARG(m->links[k].path), -d.distance);
            }
        }
    }
    return worst;
}

START_TEST(designs_of_the_library_do_not_collide_as_they_start) {
    SomTestLibrary library = som_test_library_open();
    double worst = -INFINITY;
    for (int i = 0; i < library.designs.count; i++) {
        const SomConfiguration *c = library.designs.data[i];
        SomMechanism *m = som_mechanism_create(c);
        SomPairs *pairs = som_pairs_create(m);
        SomPose *links = som_alloc(sizeof *links * (size_t)m->link_count);
        SomPosture start = som_posture_start(c);
        som_mechanism_place(m, &start, links);
        worst = fmax(worst, deepest(pairs, links, c->name.data));
        som_posture_free(&start);
        som_free(links);
        som_pairs_destroy(pairs);
        som_mechanism_destroy(m);
    }
    ck_assert_double_le(worst, 0);
    som_test_library_close(&library);
}
END_TEST

START_TEST(faces_of_an_open_dock_may_meet) {
    TestDesign design = test_design("use \"module.som\"\n"
                                    "config Ring {\n"
                                    "    part m[4] : Module\n"
                                    "    connect m[i].B to m[i+1].T for i in 1..3\n"
                                    "    dock m[4].B to m[1].T open\n"
                                    "}\n");
    SomConfiguration *c = test_compose(&design, "");
    SomMechanism *m = som_mechanism_create(c);
    SomPairs *pairs = som_pairs_create(m);
    ck_assert_int_eq(rule_of(pairs, "m[4].UHolderBody", "m[1].FrontWheel"), SOM_PAIR_FLUSH);
    ck_assert_int_eq(rule_of(pairs, "m[4].UHolderBody", "m[1].UHolderBody"), SOM_PAIR_FREE);
    ck_assert_int_eq(rule_of(pairs, "m[3].UHolderBody", "m[4].FrontWheel"), SOM_PAIR_DOCKED);
    compare_counts(pairs, "open dock");
    som_pairs_destroy(pairs);
    som_mechanism_destroy(m);
    som_configuration_destroy(c);
    test_design_free(&design);
}
END_TEST

SOM_SUITE("verify/pairs", links_of_smores_are_tested_where_it_matters, all_pairs_are_counted_once,
          faces_of_an_open_dock_may_meet, designs_of_the_library_do_not_collide_as_they_start)
