// SPDX-License-Identifier: Apache-2.0

#include "base/codes/modules_codes.h"
#include "base/memory.h"
#include "base/number.h"
#include "modules/connection_inference.h"
#include "space/trigonometry.h"
#include "tests/modules/module_files.h"
#include "tests/suite.h"

#include <math.h>
#include <time.h>

// ---- the three systems of the paper

static SomStr next_word(SomStr *text) {
    size_t begin = 0;
    while (begin < text->length && strchr(" \n", text->data[begin]) != NULL) {
        begin++;
    }
    size_t end = begin;
    while (end < text->length && strchr(" \n", text->data[end]) == NULL) {
        end++;
    }
    SomStr word = som_str_slice(*text, begin, end);
    *text = som_str_slice(*text, end, text->length);
    return word;
}

static double next_number(SomStr *text) {
    double value;
    ck_assert(som_number_parse(next_word(text), &value));
    return value;
}

// Lines of: index, connectors, four matched marks, rotation by rows, translation.
static void check_table(const char *name, int count) {
    SomText path = {0};
    som_text_printf(&path, "tests/modules/data/%s.m3l", name);
    SomM3l *m3l = som_test_m3l(name, som_test_source(path.data));
    som_text_clear(&path);
    som_text_printf(&path, "tests/modules/data/%s.matings", name);
    SomStr expected = som_test_source(path.data);
    const SomConnectionRule *rule = &m3l->rules[0];
    ck_assert_int_eq(rule->mating_count, count);
    for (int i = 0; i < count; i++) {
        const SomMating *mating = &rule->matings[i];
        ck_assert_int_eq((int)next_number(&expected), i + 1);
        ck_assert(som_str_equal(next_word(&expected), rule->a->connectors[mating->a].name));
        ck_assert(som_str_equal(next_word(&expected), rule->b->connectors[mating->b].name));
        for (int k = 0; k < 4; k++) {
            ck_assert_int_eq((int)next_number(&expected), mating->matched[k]);
        }
        for (int k = 0; k < 9; k++) {
            double wanted = next_number(&expected);
            ck_assert_double_eq_tol(mating->transform.rotation.m[k / 3][k % 3], wanted, 1e-12);
        }
        SomVec3 t = mating->transform.position;
        ck_assert_double_eq_tol(t.x, next_number(&expected), 1e-12);
        ck_assert_double_eq_tol(t.y, next_number(&expected), 1e-12);
        ck_assert_double_eq_tol(t.z, next_number(&expected), 1e-12);
    }
    som_m3l_destroy(m3l);
    som_text_free(&path);
}

START_TEST(mtran_has_72_matings_in_the_published_order) {
    check_table("mtran", 72);
}
END_TEST

START_TEST(molecube_has_144_matings) {
    check_table("molecube", 144);
}
END_TEST

START_TEST(atron_has_32_matings) {
    check_table("atron", 32);
}
END_TEST

START_TEST(each_inference_takes_less_than_ten_milliseconds) {
    static const char *const names[] = {"mtran", "molecube", "atron"};
    for (int i = 0; i < 3; i++) {
        SomM3l *m3l = som_test_library(names[i]);
        double best = 1;
        for (int round = 0; round < 5; round++) {
            SomArena arena = {0};
            SomDiagnostics *diags = som_diagnostics_create();
            SomConnectionRule rule = m3l->rules[0];
            uint64_t steps = 10000000;
            struct timespec begin, end;
            clock_gettime(CLOCK_MONOTONIC, &begin);
            som_connection_rule_infer(&rule, &steps, &arena, diags);
            clock_gettime(CLOCK_MONOTONIC, &end);
            best = fmin(best, (double)(end.tv_sec - begin.tv_sec) +
                                  1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
            ck_assert_int_eq(rule.mating_count, m3l->rules[0].mating_count);
            som_diagnostics_destroy(diags);
            som_arena_free(&arena);
        }
        ck_assert_double_lt(best, 0.01);
        som_m3l_destroy(m3l);
    }
}
END_TEST

// ---- properties of every mating of the library

START_TEST(matings_let_the_marks_coincide_and_part_the_links) {
    for (int f = 0; som_test_module_files[f] != NULL; f++) {
        SomM3l *m3l = som_test_library(som_test_module_files[f]);
        for (int r = 0; r < m3l->rule_count; r++) {
            const SomConnectionRule *rule = &m3l->rules[r];
            for (int i = 0; i < rule->mating_count; i++) {
                const SomMating *mating = &rule->matings[i];
                const SomConnector *a = &rule->a->connectors[mating->a];
                const SomConnector *b = &rule->b->connectors[mating->b];
                SomVec3 p = som_pose_apply(mating->transform, b->position);
                ck_assert_double_lt(som_vec3_length(som_vec3_sub(p, a->position)), 1e-12);
                // normals oppose, and the roll says how the first marks are turned
                SomPose frame = som_pose_compose(mating->transform, b->frame);
                SomMat3 w = som_mat3_multiply(som_rotation_z(SOM_PI), som_rotation_x(mating->roll));
                SomMat3 wanted = som_mat3_multiply(a->frame.rotation, w);
                ck_assert_double_lt(som_rotation_distance(frame.rotation, wanted), 1e-9);
                SomMat3 rotation = mating->transform.rotation;
                SomMat3 unit = som_mat3_multiply(rotation, som_mat3_transpose(rotation));
                ck_assert_double_lt(som_rotation_distance(unit, som_mat3_identity()), 1e-12);
            }
        }
        som_m3l_destroy(m3l);
    }
}
END_TEST

START_TEST(a_rule_of_one_type_with_itself_is_symmetric) {
    static const char *const names[] = {"smores", "molecube", "atron", "roombots"};
    for (int n = 0; n < 4; n++) {
        SomM3l *m3l = som_test_library(names[n]);
        const SomConnectionRule *rule = &m3l->rules[0];
        for (int i = 0; i < rule->mating_count; i++) {
            SomPose back = som_pose_invert(rule->matings[i].transform);
            int found = 0;
            for (int k = 0; k < rule->mating_count; k++) {
                found += rule->matings[k].a == rule->matings[i].b &&
                         rule->matings[k].b == rule->matings[i].a &&
                         som_pose_distance(rule->matings[k].transform, back) < 1e-9;
            }
            ck_assert_int_eq(found, 1);
        }
        som_m3l_destroy(m3l);
    }
}
END_TEST

START_TEST(smores_faces_offer_four_rolls) {
    SomM3l *m3l = som_test_library("smores");
    const SomConnectionRule *rule = &m3l->rules[0];
    ck_assert_int_eq(rule->mating_count, 64);
    for (int pair = 0; pair < 16; pair++) {
        ck_assert_int_eq(rule->count[pair], 4);
        int seen = 0;
        for (int i = 0; i < 4; i++) {
            double quarters = rule->matings[rule->first[pair] + i].roll / (SOM_PI / 2);
            ck_assert_double_eq(quarters, round(quarters));
            seen |= 1 << (int)quarters;
        }
        ck_assert_int_eq(seen, 15);
    }
    som_m3l_destroy(m3l);
}
END_TEST

// ---- conditions

#define PLATE(name, more)                                                                          \
    "module " name ":\n"                                                                           \
    "point c: (point _1: coords=(1,0,0)) (point _2: coords=(0,1,0)) (point _3: coords=(-1,0,0)) "  \
    "(point _4: coords=(0,-1,0)) coords=(0,0,0), connector" more "\n"                              \
    "link l: grouping=(c), shape=box((0,0,-1),(4,4,2))\n"

static int count_matings(const char *modules, const char *conditions, SomCode expected) {
    SomText text = {0};
    som_text_printf(&text, "%sconnection r: members=(A a, A b), conditions=(%s)", modules,
                    conditions);
    SomDiagnostics *diags = som_diagnostics_create();
    SomM3l *m3l = som_m3l_read(som_text_str(&text), 0, diags);
    int count = m3l->rule_count > 0 ? m3l->rules[0].mating_count : -1;
    int reports;
    som_diagnostics_get(diags, &reports);
    if (expected == SOM_NO_CODE) {
        ck_assert_int_eq(reports, 0);
    } else {
        ck_assert(som_diagnostics_has(diags, expected));
    }
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
    som_text_free(&text);
    return count;
}

#define BIND "a.point x coincident b.point y"
#define TWO_MARKS BIND " and x._1 coincident y.point and x._2 coincident y.point"

START_TEST(marks_by_name_or_any_mark) {
    ck_assert_int_eq(count_matings(PLATE("A", ""), TWO_MARKS, SOM_NO_CODE), 4);
    ck_assert_int_eq(count_matings(PLATE("A", ""),
                                   BIND " and x._1 coincident y._1 and x._2 coincident y.point",
                                   SOM_NO_CODE),
                     1);
    // the sides of a coincidence may be swapped, and any mark may mean any of both
    ck_assert_int_eq(count_matings(PLATE("A", ""),
                                   BIND " and y._1 coincident x._1 and y.point coincident x._2",
                                   SOM_NO_CODE),
                     1);
    ck_assert_int_eq(count_matings(PLATE("A", ""),
                                   BIND
                                   " and x.point coincident y.point and x._2 coincident y.point",
                                   SOM_NO_CODE),
                     4);
}
END_TEST

START_TEST(too_few_marks_are_under_determined) {
    ck_assert_int_eq(count_matings(PLATE("A", ""), BIND, SOM_M3L_UNDERDETERMINED), 0);
    ck_assert_int_eq(
        count_matings(PLATE("A", ""), BIND " and x._1 coincident y._1", SOM_M3L_UNDERDETERMINED),
        0);
    ck_assert_int_eq(count_matings(PLATE("A", ""),
                                   BIND " and x._1 coincident y._1 and x._3 coincident y._3",
                                   SOM_M3L_UNDERDETERMINED),
                     0);
}
END_TEST

START_TEST(angles_of_connectors_are_the_only_rolls) {
    ck_assert_int_eq(count_matings(PLATE("A", ",angles=(0deg,180deg)"), TWO_MARKS, SOM_NO_CODE), 2);
    ck_assert_int_eq(count_matings(PLATE("A", ",angles=-90deg"), TWO_MARKS, SOM_NO_CODE), 1);
    ck_assert_int_eq(count_matings(PLATE("A", ",angles=45deg"), TWO_MARKS, SOM_M3L_NO_MATING), 0);
}
END_TEST

START_TEST(properties_decide) {
    const char *module = PLATE("A", ",gender=\"f\",open=[bool],size=2,locked=false");
    ck_assert_int_eq(count_matings(module, TWO_MARKS " and x.gender==\"f\"", SOM_NO_CODE), 4);
    ck_assert_int_eq(count_matings(module, TWO_MARKS " and x.gender!=\"f\"", SOM_M3L_NO_MATING), 0);
    ck_assert_int_eq(
        count_matings(module, TWO_MARKS " and x.open==true and y.open==false", SOM_NO_CODE), 4);
    ck_assert_int_eq(
        count_matings(module, TWO_MARKS " and x.open==true and x.open==false", SOM_M3L_NO_MATING),
        0);
    ck_assert_int_eq(
        count_matings(module, TWO_MARKS " and (x.size==3 or not (y.size==1+2))", SOM_NO_CODE), 4);
    ck_assert_int_eq(
        count_matings(module, TWO_MARKS " and not (x.locked==false)", SOM_M3L_NO_MATING), 0);
    ck_assert_int_eq(count_matings(module, TWO_MARKS " and x.nothing==1", SOM_M3L_UNKNOWN_PROPERTY),
                     0);
    ck_assert_int_eq(count_matings(module, TWO_MARKS " and x.gender==true", SOM_M3L_NO_MATING), 0);
}
END_TEST

// Where only marks of a differ, they decide; no two matings are equal, so no order is left to
// chance.
START_TEST(marks_of_a_order_matings_that_agree_in_those_of_b) {
    SomM3l *m3l = som_test_m3l(
        "t", SOM_STR(PLATE("A", "") "connection r: members=(A a, A b), conditions=(" BIND
                                    " and x.point coincident y._1 and x.point coincident y._2)"));
    const SomConnectionRule *rule = &m3l->rules[0];
    ck_assert_int_eq(rule->mating_count, 4);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(rule->matings[i].matched[0], 1);
        ck_assert_int_eq(rule->matings[i].matched[1], 2);
        ck_assert_int_eq(rule->matings[i].matched_a[1], 4 - i);
    }
    som_m3l_destroy(m3l);
}
END_TEST

#define TWO_GENDERS(name)                                                                          \
    "module " name ":\n"                                                                           \
    "point m: (point _1: coords=(1,0,0)) (point _2: coords=(0,1,0)) coords=(0,0,0), connector, "   \
    "male\n"                                                                                       \
    "point f: (point _1: coords=(1,0,-2)) (point _2: coords=(0,-1,-2)) coords=(0,0,-2), "          \
    "connector, male=false\n"                                                                      \
    "link l: grouping=(m,f), shape=box((0,0,-1),(4,4,2))\n"

static int count_rules(const char *conditions, int *straight, int *other) {
    SomText text = {0};
    som_text_printf(&text,
                    TWO_GENDERS("A") TWO_GENDERS("B") "connection r: members=((A, B) a, (A, B) b), "
                                                      "conditions=(%s)",
                    conditions);
    SomM3l *m3l = som_test_m3l("t", som_text_str(&text));
    const SomModuleType *a = &m3l->types[0], *b = &m3l->types[1];
    *straight = som_m3l_find_matings(m3l, a, 0, b, 1, NULL, 0);
    *other = som_m3l_find_matings(m3l, a, 1, b, 0, NULL, 0);
    int count = m3l->rule_count;
    som_m3l_destroy(m3l);
    som_text_free(&text);
    return count;
}

// A male A on a female B and a female A on a male B, though the conditions say that a is male.
START_TEST(members_that_stand_for_several_modules_mate_both_ways) {
    int straight, other;
    ck_assert_int_eq(
        count_rules(TWO_MARKS " and x.male==true and y.male==false", &straight, &other), 4);
    ck_assert_int_eq(straight, 1);
    ck_assert_int_eq(other, 1);
    // where it makes no difference which is a, one order is enough
    ck_assert_int_eq(count_rules(TWO_MARKS " and x.male!=y.male", &straight, &other), 3);
    ck_assert_int_eq(straight, 1);
    ck_assert_int_eq(other, 1);
    SomM3l *m3l = som_test_library("gdut");
    ck_assert_int_eq(m3l->rule_count, 66);
    som_m3l_destroy(m3l);
}
END_TEST

static bool has_note(const char *text, const char *words) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomM3l *m3l = som_m3l_read(som_str(text), 0, diags);
    SomText shown = {0};
    som_diagnostics_print(diags, 0, &shown);
    bool is_there =
        som_diagnostics_has(diags, SOM_M3L_NO_MATING) && strstr(shown.data, words) != NULL;
    som_text_free(&shown);
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
    return is_there;
}

START_TEST(a_rule_without_matings_says_why) {
    ck_assert(has_note(PLATE("A", "") "connection r: members=(A a, A b), conditions=(" BIND
                                      " and x._1 coincident y._1 and x._2 coincident y._2)",
                       "would put one link into the other"));
    ck_assert(has_note(
        PLATE("A", "") "module B:\npoint c: (point _1: coords=(1.00002,0,0)) (point _2: "
                       "coords=(0,1.00002,0)) coords=(0,0,0), connector\nlink l: grouping=(c), "
                       "shape=box((0,0,-1),(4,4,2))\nconnection r: members=(A a, B b), "
                       "conditions=(" TWO_MARKS ")",
        "miss each other by 0.00002 m"));
}
END_TEST

// 32 modules and themselves are as many pairs as a file may connect: one more is too much.
START_TEST(pairs_are_limited) {
    for (int more = 0; more < 2; more++) {
        SomText text = {0}, names = {0};
        for (int i = 0; i < 32; i++) {
            som_text_printf(&text, "module M%d:\nlink l: mass=1\n", i);
            som_text_printf(&names, "%sM%d", i > 0 ? ", " : "", i);
        }
        for (int i = 0; i < more; i++) {
            som_text_add(&text,
                         SOM_STR("connection s: members=(M0 a, M1 b), conditions=(" BIND ")\n"));
        }
        som_text_printf(&text, "connection r: members=((%s) a, (%s) b), conditions=(" BIND ")\n",
                        names.data, names.data);
        SomDiagnostics *diags = som_diagnostics_create();
        SomM3l *m3l = som_m3l_read(som_text_str(&text), 0, diags);
        ck_assert_int_eq(som_diagnostics_error_count(diags), more);
        ck_assert(som_diagnostics_has(diags, SOM_M3L_TOO_MUCH) == (more == 1));
        som_m3l_destroy(m3l);
        som_diagnostics_destroy(diags);
        som_text_free(&text);
        som_text_free(&names);
    }
    SomDiagnostics *diags = som_diagnostics_create();
    SomM3l *m3l = som_m3l_read(
        SOM_STR(PLATE("A", "") "connection r: members=((A, A) a, A b), conditions=(" TWO_MARKS ")"),
        0, diags);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
    ck_assert(som_diagnostics_has(diags, SOM_M3L_DEFINED_TWICE));
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(work_is_limited) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("module A:\n"));
    for (int i = 0; i < 200; i++) {
        som_text_printf(&text, "point c%d: (point _1: coords=(1,0,0)) (point _2: coords=(0,1,0)) ",
                        i);
        for (int k = 3; k < 30; k++) { // marks that are all the same distance away
            som_text_printf(&text, "(point _%d: coords=(cos(%d deg),sin(%d deg),0)) ", k, 10 * k,
                            10 * k);
        }
        som_text_printf(&text, "coords=(0,0,0), connector\n");
    }
    som_text_add(&text, SOM_STR("link l: grouping=("));
    for (int i = 0; i < 200; i++) {
        som_text_printf(&text, "%sc%d", i > 0 ? "," : "", i);
    }
    som_text_add(
        &text,
        SOM_STR(
            "), shape=box((0,0,-1),(4,4,2))\nconnection r: members=(A a, A b), conditions=(" BIND));
    for (int k = 0; k < 16; k++) {
        som_text_add(&text, SOM_STR(" and x.point coincident y.point"));
    }
    som_text_add(&text, SOM_STR(")"));
    SomDiagnostics *diags = som_diagnostics_create();
    SomM3l *m3l = som_m3l_read(som_text_str(&text), 0, diags);
    SomText shown = {0};
    som_diagnostics_print(diags, 3, &shown);
    ck_assert_msg(som_diagnostics_has(diags, SOM_M3L_TOO_MUCH), "%s", shown.data);
    som_text_free(&shown);
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
    som_text_free(&text);
}
END_TEST

SOM_SUITE("modules/connection_inference", mtran_has_72_matings_in_the_published_order,
          molecube_has_144_matings, atron_has_32_matings,
          each_inference_takes_less_than_ten_milliseconds,
          matings_let_the_marks_coincide_and_part_the_links,
          a_rule_of_one_type_with_itself_is_symmetric, smores_faces_offer_four_rolls,
          marks_by_name_or_any_mark, too_few_marks_are_under_determined,
          angles_of_connectors_are_the_only_rolls, properties_decide,
          marks_of_a_order_matings_that_agree_in_those_of_b,
          members_that_stand_for_several_modules_mate_both_ways, a_rule_without_matings_says_why,
          pairs_are_limited, work_is_limited)
