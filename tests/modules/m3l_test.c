// SPDX-License-Identifier: Apache-2.0

#include "base/codes/modules_codes.h"
#include "base/memory.h"
#include "modules/m3l.h"
#include "modules/m3l_syntax.h"
#include "space/trigonometry.h"
#include "tests/modules/module_files.h"
#include "tests/suite.h"

#include <math.h>

static SomM3l *read_with(const char *text, SomDiagnostics **diags) {
    *diags = som_diagnostics_create();
    return som_m3l_read(som_str(text), 0, *diags);
}

// ---- values

START_TEST(units_and_arithmetic) {
    SomM3l *m3l = som_test_m3l(
        "t",
        SOM_STR("module M: unit=2 cm, timeout=0.5min\n"
                "link a: shape=box((1, 10mm, (1+1)*3/2), (1,1,1)), mass=200g\n"
                "link b: shape=sphere((sqrt(4), cos(60deg), sin(pi/6)), 1mm), density=1g/cm^3\n"
                "joint j: type=revolute, value=[-pi/2, 45deg], effort=3 Nm, speed=60rpm,\n"
                "pair=((a,(axis: origin=(1,2,3), direction=(0,0,2))),(b,(axis: origin=(1,2,9), "
                "direction=(0,0,-1))))"));
    const SomModuleType *type = &m3l->types[0];
    ck_assert_double_eq(type->timeout, 30);
    ck_assert_double_eq(type->links[0].inertia.mass, 0.2);
    SomVec3 a = type->links[0].parts[0].pose.position, b = type->links[1].parts[0].pose.position;
    ck_assert_double_eq_tol(a.x, 0.02, 1e-15);
    ck_assert_double_eq_tol(a.y, 0.01, 1e-15);
    ck_assert_double_eq_tol(a.z, 0.06, 1e-15);
    ck_assert_double_eq_tol(b.x, 0.04, 1e-15);
    ck_assert_double_eq_tol(b.y, 0.01, 1e-15);
    ck_assert_double_eq_tol(b.z, 0.01, 1e-15);
    ck_assert_double_eq_tol(type->links[1].inertia.mass, 1000 * 4 * SOM_PI / 3 * 1e-9, 1e-15);
    ck_assert_double_eq(type->joints[0].low, -SOM_PI / 2);
    ck_assert_double_eq(type->joints[0].high, SOM_PI / 4);
    ck_assert_double_eq_tol(type->joints[0].speed, 2 * SOM_PI, 1e-15);
    som_m3l_destroy(m3l);
}
END_TEST

START_TEST(masses_are_computed_from_shapes) {
    SomM3l *m3l = som_test_m3l(
        "t", SOM_STR("module M:\n"
                     "link a: shape=(box((0,0,0),(1,2,3)), box((0,0,10),(1,2,3))), mass=12\n"
                     "link b: shape=box((1,0,0),(1,1,1)), mass=6, com=(1,0,0.25), inertia=(2,2,3)\n"
                     "link c: (point p1: coords=(0,0,0)) (point p2: coords=(1,0,0)) (point p3: "
                     "coords=(0,1,0)) (point p4: coords=(0,0,1)) hull=convex(c.point)\n"
                     "joint j: type=fixed, pair=((a,(axis: origin=(0,0,0), "
                     "direction=(0,0,1))),(b,(axis: origin=(0,0,0), direction=(0,0,-1))))\n"
                     "joint k: type=fixed, pair=((c,(axis: origin=(0,0,0), "
                     "direction=(0,0,1))),(b,(axis: origin=(0,0,0), direction=(0,0,-1))))"));
    const SomModuleLink *links = m3l->types[0].links;
    ck_assert_double_eq_tol(links[0].inertia.center.z, 5, 1e-12);
    ck_assert_double_eq_tol(links[0].inertia.moments.m[2][2], 12.0 * (1 + 4) / 12, 1e-12);
    ck_assert_double_eq_tol(links[0].inertia.moments.m[0][0], 12.0 * (4 + 9) / 12 + 12 * 25, 1e-11);
    ck_assert_double_eq_tol(links[1].inertia.center.z, 0.25, 1e-15);
    ck_assert_double_eq_tol(links[1].inertia.moments.m[2][2], 3, 1e-15);
    ck_assert_double_eq_tol(links[2].inertia.mass, 1000.0 / 6, 1e-10);
    ck_assert_double_eq_tol(links[2].inertia.center.x, 0.25, 1e-12);
    ck_assert(!links[2].has_mass);
    som_m3l_destroy(m3l);
}
END_TEST

// Reads, and says which codes of the list were reported how often.
static int count_of(const char *text, SomCode code) {
    SomDiagnostics *diags;
    SomM3l *m3l = read_with(text, &diags);
    int total, count = 0;
    const SomDiagnostic *all = som_diagnostics_get(diags, &total);
    for (int i = 0; i < total; i++) {
        count += all[i].code == code;
    }
    ck_assert_int_eq(count, total); // nothing else
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
    return count;
}

START_TEST(numbers_have_limits) {
    static const char *const wrong[] = {"mass=1e16",
                                        "mass=inf",
                                        "density=1e300",
                                        "friction=1e300",
                                        "inertia=(1e300,1e300,1e300)",
                                        "com=(1e10,0,0)",
                                        "color=(1,1,1.1)"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        SomText text = {0};
        som_text_printf(&text, "module M:\nlink a: shape=sphere((0,0,0),1), %s", wrong[i]);
        SomCode code =
            strstr(wrong[i], "inertia") ? SOM_M3L_IMPOSSIBLE_INERTIA : SOM_M3L_OUT_OF_RANGE;
        ck_assert_msg(count_of(text.data, code) == 1, "%s", wrong[i]);
        som_text_free(&text);
    }
    static const struct {
        const char *range;
        SomCode code;
    } ranges[] = {{"[inf,inf]", SOM_M3L_RANGE_REVERSED},
                  {"[-inf,-inf]", SOM_M3L_RANGE_REVERSED},
                  {"[1,0]", SOM_M3L_RANGE_REVERSED},
                  {"[-1e10,0]", SOM_M3L_OUT_OF_RANGE},
                  {"[0,1e300]", SOM_M3L_OUT_OF_RANGE}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        SomText text = {0};
        som_text_printf(&text,
                        "module M:\nlink a: mass=1\nlink b: mass=1\njoint j: type=revolute, "
                        "value=%s, pair=((a,(axis: origin=(0,0,0),direction=(0,0,1))),"
                        "(b,(axis: origin=(0,0,0),direction=(0,0,-1))))",
                        ranges[i].range);
        ck_assert_msg(count_of(text.data, ranges[i].code) == 1, "%s", ranges[i].range);
        som_text_free(&text);
    }
}
END_TEST

START_TEST(points_of_hulls_may_be_coordinates) {
    SomM3l *m3l = som_test_m3l("t", SOM_STR("module M: unit=2\npoint p: coords=(0,0,1)\n"
                                            "link a: hull=convex(p, (0,0,0), (1,0,0), (0,1,0))"));
    const SomModuleLink *link = &m3l->types[0].links[0];
    ck_assert_int_eq(link->hull_count, 4);
    ck_assert_double_eq(link->hull[2].x, 2);
    ck_assert_double_eq_tol(link->inertia.mass, 1000 * 8.0 / 6, 1e-9);
    som_m3l_destroy(m3l);
}
END_TEST

START_TEST(a_connector_may_say_that_it_is_none) {
    SomM3l *m3l = som_test_m3l("t", SOM_STR("module M:\npoint p: coords=(0,0,1), connector=false\n"
                                            "point q: coords=(0,0,1), connector=true\n"
                                            "link a: grouping=(q), mass=1"));
    ck_assert_int_eq(m3l->types[0].connector_count, 1);
    ck_assert(som_str_equal(m3l->types[0].connectors[0].name, SOM_STR("q")));
    som_m3l_destroy(m3l);
    ck_assert_int_eq(count_of("module M:\npoint p: coords=(0,0,1), connector=3\nlink a: mass=1",
                              SOM_M3L_WRONG_VALUE),
                     1);
}
END_TEST

START_TEST(meshes_stay_in_the_folder) {
    static const struct {
        const char *path;
        bool is_inside;
    } cases[] = {
        {"a.stl", true},    {"meshes/a..b/c.stl", true}, {"./a.stl", true},      {"", false},
        {"/a.stl", false},  {"../a.stl", false},         {"a/../../b", false},   {"a/..", false},
        {"a//b", false},    {"c:a.stl", false},          {"..\\\\a.stl", false}, {"a/", false},
        {"file://a", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText text = {0};
        som_text_printf(&text, "module M:\nlink a: mass=1, mesh=\"%s\"", cases[i].path);
        int wrong = count_of(text.data, SOM_M3L_MESH_OUTSIDE);
        ck_assert_msg(wrong == !cases[i].is_inside, "%s", cases[i].path);
        som_text_free(&text);
    }
}
END_TEST

// ---- errors

START_TEST(everything_wrong_is_reported_in_one_pass) {
    SomDiagnostics *diags;
    SomM3l *m3l = read_with("module M:\n"
                            "point p: coords=(0,0)\n"
                            "point q: coords=(0,0,0), connector\n"
                            "point q: coords=(0,0,0)\n"
                            "link a: grouping=(nobody), mass=-1, masss=2\n"
                            "link b: mass=1m\n"
                            "axis x: origin=(0,0,0), direction=(0,0,0)\n"
                            "joint j: type=rotary, value=[2,1], pair=((a,x),(c,x))\n"
                            "robot r: modules=(M m, N n), connections=((m.q, k.q))",
                            &diags);
    static const SomCode codes[] = {SOM_M3L_WRONG_VALUE,  SOM_M3L_DEFINED_TWICE,
                                    SOM_M3L_UNKNOWN_NAME, SOM_M3L_OUT_OF_RANGE,
                                    SOM_M3L_WRONG_UNIT,   SOM_M3L_UNKNOWN_ATTRIBUTE,
                                    SOM_M3L_NOT_GROUPED,  SOM_M3L_RANGE_REVERSED};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        ck_assert_msg(som_diagnostics_has(diags, codes[i]), "SOM%d is missing", (int)codes[i]);
    }
    ck_assert_int_eq(som_diagnostics_error_count(diags), 13);
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(axes_that_are_not_opposite_are_told_by_how_much) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("module M:\nlink a: mass=1\nlink b: mass=1\n"
                                "axis x: origin=(0,0,0), direction=(0,0,1)\n"
                                "axis y: origin=(0,0,0), direction=(sin(0.3),0,-cos(0.3))\n"
                                "joint joint_1: type=revolute, pair=((a,x),(b,y))"));
    SomDiagnostics *diags;
    SomM3l *m3l = read_with(text.data, &diags);
    SomText shown = {0};
    som_diagnostics_print(diags, 0, &shown);
    ck_assert_ptr_nonnull(
        strstr(shown.data, "axes of joint 'joint_1' are not opposite: 0.3rad apart"));
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
    som_text_free(&shown);
    som_text_free(&text);
}
END_TEST

START_TEST(one_error_does_not_cause_others) {
    // a broken module: the rule, and the robot made of it, stay silent
    SomDiagnostics *diags;
    SomText text = {0};
    SomStr listing = som_test_source("tests/modules/data/mtran.m3l");
    const char *place = strstr(listing.data, "coords=(-1, 0, 1), connector");
    som_text_add(&text, som_str_slice(listing, 0, (size_t)(place - listing.data)));
    som_text_add(&text, SOM_STR("coords=(-1, 0, 1m/s), connector"));
    som_text_add(&text, som_str(place + strlen("coords=(-1, 0, 1), connector")));
    SomM3l *m3l = read_with(text.data, &diags);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
    ck_assert_int_eq(som_diagnostics_warning_count(diags), 0);
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
    som_text_free(&text);
}
END_TEST

// A member that could not be read explains what seems to be missing.
START_TEST(what_a_syntax_error_hides_is_not_missed) {
    static const char *const texts[] = {
        "module M:\nlink a: mass=1\nlink b: mass=(1\n",
        "module M:\npoint p: coords=(0,0,0\n",
        "module M:\npoint p: (point _1: coords=(1,0,0)) (point _2: coords=(0,1,0 furlong)) "
        "coords=(0,0,0), connector\nlink a: grouping=(p), shape=box((0,0,1),(1,1,2))\n",
        "module M:\npoint p: (point _1: coords=(1,0,0)) (point _2: coords=(0,1,0)) "
        "coords=(0,0,0), connector\nlink a: grouping=(p), shape=boxx((0,0,1),(1,1,2))\n",
        "module M:\nlink a: mass=1\nlink b: mass=1\njoint j: type=revolute, "
        "pair=((a, (point p: coords=(0,0,1))), (b, (axis: origin=(0,0,0), direction=(0,0,1))))",
        "robot r: modules=(M a, M b), connections=((a.c, b.c))"};
    static const int errors[] = {1, 1, 1, 1, 1, 2};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        SomDiagnostics *diags;
        SomM3l *m3l = read_with(texts[i], &diags);
        int count;
        som_diagnostics_get(diags, &count);
        ck_assert_msg(som_diagnostics_error_count(diags) == errors[i], "%s", texts[i]);
        ck_assert_int_eq(som_diagnostics_warning_count(diags), 0);
        som_m3l_destroy(m3l);
        som_diagnostics_destroy(diags);
    }
}
END_TEST

// A short text can ask for a hull of many points again and again.
START_TEST(hulls_are_limited) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("module M:\npoint p: "));
    for (int i = 0; i < 1000; i++) {
        som_text_printf(&text, "(point _%d: coords=(cos(%d),sin(%d),cos(%d)))", i, i, 2 * i, 3 * i);
    }
    som_text_add(&text, SOM_STR("coords=(0,0,0)\nlink a: shape=(sphere((0,0,0),1)"));
    for (int i = 0; i < 250; i++) {
        som_text_add(&text, SOM_STR(",convex(p.point)"));
    }
    som_text_add(&text, SOM_STR(")"));
    ck_assert_int_eq(count_of(text.data, SOM_M3L_TOO_MUCH), 1);
    som_text_free(&text);
}
END_TEST

#define RULE(condition)                                                                            \
    "link a: grouping=(p), shape=box((0,0,-1),(2,2,2))\nconnection c: members=(M a, M b), "        \
    "conditions=(a.point x coincident b.point y and x._1 coincident y._1 and "                     \
    "x._2 coincident y.point and " condition ")"
#define POINT(more)                                                                                \
    "module M:\npoint p: (point _1: coords=(1,0,0)) (point _2: coords=(0,1,0)) "                   \
    "(point _3: coords=(0,-1,0)) coords=(0,0,0), connector, " more "\n"

START_TEST(misspelt_attributes_of_points_are_told) {
    ck_assert_int_eq(
        count_of(POINT("tenson=3N, angle=2, size=1") RULE("x.size==1"), SOM_M3L_UNUSED_PROPERTY),
        2);
    ck_assert_int_eq(count_of(POINT("angle=2, size=1") RULE("x.angle==2"), SOM_M3L_UNUSED_PROPERTY),
                     0);
    ck_assert_int_eq(count_of(POINT("size=1, size=2") RULE("x.size==1"), SOM_M3L_ATTRIBUTE_TWICE),
                     1);
}
END_TEST

// ---- the page

START_TEST(every_example_of_the_page_reads_without_complaint) {
    SomStr page = som_test_source("docs/m3l.md");
    int examples = 0;
    const char *at = page.data;
    while ((at = strstr(at, "```m3l\n")) != NULL) {
        at += strlen("```m3l\n");
        const char *end = strstr(at, "```");
        ck_assert_ptr_nonnull(end);
        som_m3l_destroy(som_test_m3l("docs/m3l.md", (SomStr){at, (size_t)(end - at)}));
        examples++;
        at = end;
    }
    ck_assert_int_ge(examples, 3);
}
END_TEST

SOM_SUITE("modules/m3l", units_and_arithmetic, masses_are_computed_from_shapes, numbers_have_limits,
          points_of_hulls_may_be_coordinates, a_connector_may_say_that_it_is_none,
          meshes_stay_in_the_folder, everything_wrong_is_reported_in_one_pass,
          axes_that_are_not_opposite_are_told_by_how_much, one_error_does_not_cause_others,
          what_a_syntax_error_hides_is_not_missed, hulls_are_limited,
          misspelt_attributes_of_points_are_told, every_example_of_the_page_reads_without_complaint)
