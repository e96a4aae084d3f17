// SPDX-License-Identifier: Apache-2.0

#include "base/codes/verify_codes.h"
#include "tests/verify/verified.h"
#include "tests/verify/walkbot_near.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Six modules in a row that curl up until the last goes into the first, or not so far.
static const char curl[] = "use \"module.som\"\n"
                           "config Curl {\n"
                           "    part m[6] : Module\n"
                           "    connect m[i].B to m[i+1].T for i in 1..5\n"
                           "    behavior curl(a: angle) = parallel(for i in 1..6: m[i].bend to a)\n"
                           "}\n";

static bool has_subjects(const SomFinding *found, const char *a, const char *b) {
    return found->subject_count == 2 && som_str_equal(found->subjects[0], som_str(a)) &&
           som_str_equal(found->subjects[1], som_str(b));
}

START_TEST(a_curl_collides_and_its_twin_does_not) {
    TestVerified v = test_verify(curl, "", "curl(88deg)");
    const SomFinding *found = test_find(&v, SOM_SELF_COLLISION);
    ck_assert_ptr_nonnull(found);
    ck_assert(v.found->verdict == SOM_VERDICT_UNSAFE);
    ck_assert(found->t0 > 0 && found->t0 < found->t1 && found->t1 <= v.found->duration + 1e-9);
    ck_assert(found->worst >= found->t0 && found->worst <= found->t1);
    ck_assert_double_lt(found->value, 0);
    ck_assert_str_eq(test_place(&v, found), "5:55");
    ck_assert_int_ne(found->action, SOM_NONE);
    // modules first, links in the details
    ck_assert_str_eq(found->message.data,
                     "Collision: 'm[1]' and 'm[6]' from 0.436 s to 0.64 s, 59.5 mm deep");
    ck_assert_ptr_nonnull(strstr(found->details.data, "(tolerance 0.6 mm)"));
    ck_assert_double_eq_tol(found->tolerance, 6e-4, 1e-9);
    ck_assert(has_subjects(found, "m[1].FrontWheel", "m[6].UHolderBody"));
    ck_assert_double_eq(v.found->min_clearance, 0);
    // the plot goes down to zero where they touch
    const SomSeries *series = NULL;
    for (int i = 0; i < v.found->series.count; i++) {
        bool is_it = som_str_equal(v.found->series.data[i].name, SOM_STR("clearance"));
        series = is_it ? &v.found->series.data[i] : series;
    }
    ck_assert_ptr_nonnull(series);
    for (int i = 0; i < v.found->sample_count; i++) {
        bool is_before = v.found->times[i] < found->t0 - 1e-3;
        ck_assert(is_before ? !(series->values[i] <= 0) : true);
    }
    ck_assert_double_eq(series->values[v.found->sample_count - 1], 0);
    test_verified_free(&v);

    v = test_verify(curl, "", "curl(60deg)");
    ck_assert_msg(test_find(&v, SOM_SELF_COLLISION) == NULL, "%s", test_findings(&v));
    test_verified_free(&v);
}
END_TEST

// Twice: the message has the first time, the details the end of the last.
START_TEST(a_curl_that_comes_back_is_told_until_its_last_end) {
    TestVerified v = test_verify(
        curl, "", "repeat 2: series(curl(88deg), parallel(for i in 1..6: m[i].bend to 0deg))");
    const SomFinding *found = test_find(&v, SOM_SELF_COLLISION);
    ck_assert_ptr_nonnull(found);
    const char *until = strstr(found->details.data, "1 more time until ");
    ck_assert_msg(until != NULL, "%s", found->details.data);
    double end = 0;
    ck_assert_int_eq(sscanf(until, "1 more time until %lf s", &end), 1);
    ck_assert_double_gt(end, found->t1 + 0.5);
    // of its links the deepest are named
    ck_assert_ptr_nonnull(
        strstr(found->details.data, "deepest 'm[1].CircuitHolder' and 'm[6].CircuitHolder' at "));
    test_verified_free(&v);
}
END_TEST

START_TEST(a_configuration_collides_without_time) {
    TestVerified v = test_verify("use \"module.som\"\n"
                                 "config Ring {\n"
                                 "    part m[6] : Module\n"
                                 "    connect m[i].B to m[i+1].T for i in 1..5\n"
                                 "    pose curled {\n"
                                 "        m[2].bend = 90deg; m[3].bend = 90deg\n"
                                 "        m[4].bend = 90deg; m[5].bend = 90deg\n"
                                 "    }\n"
                                 "    start curled\n"
                                 "}\n",
                                 "", NULL);
    const SomFinding *found = test_find(&v, SOM_SELF_COLLISION);
    ck_assert_ptr_nonnull(found);
    ck_assert(isnan(found->t0) && isnan(found->t1) && isnan(found->worst));
    ck_assert_int_eq(found->action, SOM_NONE);
    ck_assert(v.found->verdict == SOM_VERDICT_UNSAFE);
    test_verified_free(&v);
}
END_TEST

// Discs of SMORES, 0.045275 m round, rim to rim in modules 0.1 m apart.
START_TEST(small_clearances_are_told_if_asked_for) {
    static const char text[] = "use \"module.som\"\n"
                               "config Fold {\n"
                               "    part m[4] : Module\n"
                               "    connect m[i].B to m[i+1].T for i in 1..3\n"
                               "    pose folded { m[2].bend = 90deg; m[3].bend = 90deg }\n"
                               "    start folded\n"
                               "}\n";
    TestVerified v = test_verify(text, "", NULL);
    ck_assert_msg(test_find(&v, SOM_SELF_COLLISION) == NULL, "%s", test_findings(&v));
    ck_assert_ptr_null(test_find(&v, SOM_SMALL_CLEARANCE));
    double clearance = v.found->min_clearance;
    ck_assert_double_eq_tol(clearance, 0.1 - 2 * 0.045275, 1e-9);
    ck_assert(v.found->clearance_a.length > 0 && v.found->clearance_b.length > 0);
    test_verified_free(&v);
    SomVerifyOptions options = som_verify_default_options();
    options.clearance = 0.02;
    v = test_verify_with(text, "", NULL, &options);
    const SomFinding *found = test_find(&v, SOM_SMALL_CLEARANCE);
    ck_assert_ptr_nonnull(found);
    ck_assert_double_eq_tol(found->value, clearance, 1e-6);
    ck_assert_double_eq(found->limit, 0.02);
    ck_assert_int_eq(found->severity, SOM_WARNING);
    ck_assert_msg(has_subjects(found, "m[1].LeftWheel", "m[4].LeftWheel"), "%s", test_findings(&v));
    test_verified_free(&v);
}
END_TEST

// Cubes of 0.1 m on top of each other; and modules in a row, whose clearance shrinks as they curl.
START_TEST(large_clearances_are_measured_too) {
    TestVerified v = test_verify("use \"molecube.m3l\"\n"
                                 "config Tower {\n"
                                 "    part m[3] : MOLECUBE\n"
                                 "    connect m[i].c3 to m[i+1].c6 for i in 1..2\n"
                                 "}\n",
                                 "", NULL);
    ck_assert_double_eq_tol(v.found->min_clearance, 0.1, 1e-4);
    test_verified_free(&v);
    v = test_verify(curl, "", NULL);
    double straight = v.found->min_clearance;
    ck_assert_double_ge(straight, 0.1);
    ck_assert(v.found->clearance_a.length > 0 && v.found->clearance_b.length > 0);
    test_verified_free(&v);
    v = test_verify(curl, "", "m[6].bend to 30deg"); // the others stay where they are
    ck_assert_double_eq_tol(v.found->min_clearance, straight, 1e-4);
    ck_assert_double_eq(v.found->min_clearance_time, 0);
    test_verified_free(&v);
    v = test_verify(curl, "", "curl(30deg)");
    ck_assert_double_gt(v.found->min_clearance, 0.02);
    ck_assert_double_lt(v.found->min_clearance, straight - 0.01);
    ck_assert_double_gt(v.found->min_clearance_time, 0);
    ck_assert(v.found->clearance_a.length > 0 && v.found->clearance_b.length > 0);
    test_verified_free(&v);
}
END_TEST

START_TEST(what_is_not_tested_is_listed) {
    TestVerified v = test_verify(curl, "", NULL);
    long joined = 0, hinged = 0, docked = 0;
    for (int i = 0; i < v.found->skipped.count; i++) {
        const SomSkipped *s = &v.found->skipped.data[i];
        joined +=
            som_str_starts_with(s->reason, SOM_STR("joined by a joint, nowhere")) ? s->count : 0;
        hinged +=
            som_str_starts_with(s->reason, SOM_STR("joined by a joint, possibly")) ? s->count : 0;
        docked += som_str_starts_with(s->reason, SOM_STR("docked to")) ? s->count : 0;
    }
    ck_assert_int_eq(joined, 12);
    ck_assert_int_eq(hinged, 6);
    ck_assert_int_eq(docked, 5);
    test_verified_free(&v);
}
END_TEST

START_TEST(links_without_a_shape_are_told) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(som_str(test_library), diags);
    som_workspace_open_text(workspace, SOM_STR("ghost.m3l"),
                            SOM_STR("module Ghost: root=body\n"
                                    "link body: shape=box((0, 0, 0), (0.1, 0.1, 0.1))\n"
                                    "link spirit: mass=1kg\n"
                                    "axis a_b: origin=(0, 0, 0), direction=(0, 0, 1)\n"
                                    "axis a_s: origin=(0, 0, 0), direction=(0, 0, -1)\n"
                                    "joint j: type=revolute, pair=((spirit, a_b), (body, a_s))\n"));
    int file = som_workspace_open_text(workspace, SOM_STR("a.som"),
                                       SOM_STR("use \"ghost.m3l\"\nconfig A is Ghost {\n}\n"));
    SomConfiguration *c = som_configuration_compose(workspace, file, SOM_STR(""), diags);
    ck_assert_ptr_nonnull(c);
    SomMechanism *m = som_mechanism_create(c);
    SomVerification *found = som_verify(&(SomVerifyDef){.mechanism = m});
    int told = 0;
    for (int i = 0; i < found->findings.count; i++) {
        told += found->findings.data[i].code == SOM_LINK_WITHOUT_SHAPE &&
                strstr(found->findings.data[i].message.data, "Ghost.spirit") != NULL;
    }
    ck_assert_int_eq(told, 1);
    som_verification_destroy(found);
    som_mechanism_destroy(m);
    som_configuration_destroy(c);
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(neighbours_alone_have_no_clearance) {
    TestVerified v = test_verify("use \"module.som\"\n"
                                 "config Two {\n"
                                 "    part a, b : Module\n"
                                 "    connect a.B to b.T\n"
                                 "}\n",
                                 "", NULL);
    ck_assert(isnan(v.found->min_clearance));
    test_verified_free(&v);
}
END_TEST

static TestVerified verify_crates(const char *choice, const char *behavior) {
    SomText path = {0};
    som_text_printf(&path, "%s/../tests/verify/crane.som", test_library);
    TestVerified v = test_verify_file(path.data, choice, behavior);
    som_text_free(&path);
    return v;
}

// Nothing moves crates on a shelf against each other: one look is enough, and needed.
START_TEST(modules_of_one_rigid_body_collide) {
    TestVerified v = verify_crates("Crowded", NULL);
    const SomFinding *found = test_find(&v, SOM_SELF_COLLISION);
    ck_assert_msg(found != NULL && v.found->verdict == SOM_VERDICT_UNSAFE, "%s", test_findings(&v));
    ck_assert_double_eq_tol(found->value, -0.04, 1e-4);
    test_verified_free(&v);
    v = verify_crates("Late", "leave"); // in the state of the docks in which they are one body
    found = test_find(&v, SOM_SELF_COLLISION);
    ck_assert_msg(found != NULL && found->t0 == 0, "%s", test_findings(&v));
    test_verified_free(&v);
    v = verify_crates("Full", NULL);
    ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE, "%s", test_findings(&v));
    ck_assert(isnan(v.found->min_clearance)); // it never changes
    test_verified_free(&v);
}
END_TEST

SOM_SUITE("verify/self_collision", a_curl_collides_and_its_twin_does_not,
          a_curl_that_comes_back_is_told_until_its_last_end, a_configuration_collides_without_time,
          small_clearances_are_told_if_asked_for, large_clearances_are_measured_too,
          what_is_not_tested_is_listed, links_without_a_shape_are_told,
          neighbours_alone_have_no_clearance, modules_of_one_rigid_body_collide)
