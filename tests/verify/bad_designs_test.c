// SPDX-License-Identifier: Apache-2.0
// Designs that are wrong on purpose (tests/verify/designs): what is wrong is found, at the right
// time and with the right names, and nothing else; the repaired twin passes.

#include "base/codes/verify_codes.h"
#include "base/file.h"
#include "tests/verify/verified.h"

#include <math.h>

typedef struct Case {
    const char *file;
    const char *config, *behavior; // NULL: the first one; the configuration alone
    const char *good_config, *good_behavior;
    SomCode code;
    double t0, tolerance; // when it begins; NAN: no time
    const char *subjects[2];
    int line;     // of the place
    SomCode also; // what follows from it
} Case;

static const Case cases[] = {
    // the second branch begins after 100 + 150 ms
    {.file = "conflicting",
     .behavior = "bad",
     .good_behavior = "good",
     .code = SOM_COMMAND_CONFLICT,
     .t0 = 0.25,
     .tolerance = 0.011,
     .subjects = {"a.right"},
     .line = 18},
    {.file = "beyond_limit",
     .behavior = "bad",
     .good_behavior = "good",
     .code = SOM_JOINT_LIMIT,
     .t0 = 0.3,
     .tolerance = 0.011,
     .subjects = {"arm.hinge"},
     .line = 11},
    {.file = "beyond_limit",
     .behavior = "tooQuick",
     .good_behavior = "quickEnough",
     .code = SOM_JOINT_SPEED,
     .t0 = 0.2,
     .tolerance = 0.011,
     .subjects = {"arm.hinge"},
     .line = 16},
    // the centre of mass, 207 mm up the arm, leaves the plate's 100 mm at 28.8 deg
    {.file = "toppling_late",
     .behavior = "bad",
     .good_behavior = "good",
     .code = SOM_FALLS,
     .t0 = 2.44,
     .tolerance = 0.011,
     .line = 14},
    // the fifth module is in the place of the first
    {.file = "interpenetrating",
     .config = "Bad",
     .good_config = "Good",
     .code = SOM_SELF_COLLISION,
     .t0 = (double)NAN,
     .subjects = {"m[1].CircuitHolder", "m[5].CircuitHolder"},
     .line = 6},
    // rod and post are 10 mm wide, 195 mm from the axis, 36 rad/s: 1.57 - 0.05 rad after the start
    {.file = "brushing",
     .config = "Bad",
     .behavior = "sweep",
     .good_config = "Good",
     .good_behavior = "sweep",
     .code = SOM_SELF_COLLISION,
     .t0 = 0.0422,
     .tolerance = 0.001,
     .subjects = {"rotor.rod", "post.post"},
     .line = 13},
    // 13.07 Nm times the sine of the angle are more than 6 Nm from 27.3 deg on
    {.file = "overloaded_hip",
     .behavior = "bad",
     .good_behavior = "good",
     .code = SOM_ACTUATOR_OVERLOAD,
     .t0 = 1.866,
     .tolerance = 0.011,
     .subjects = {"lower.hinge"},
     .line = 14},
    // 2.193 Nm times the sine are more than 1 Nm from 27.1 deg on
    {.file = "overloaded_dock",
     .config = "Bad",
     .behavior = "lean",
     .good_config = "Good",
     .good_behavior = "lean",
     .code = SOM_CONNECTOR_OVERLOAD,
     .t0 = 1.856,
     .tolerance = 0.011,
     .subjects = {"lower.tip", "clip.down"},
     .line = 11},
    // torn faces go into each other
    {.file = "torn",
     .behavior = "bad",
     .good_behavior = "good",
     .code = SOM_LOOP_TEARS,
     .t0 = 0.21,
     .tolerance = 0.011,
     .line = 9,
     .also = SOM_SELF_COLLISION},
};

static TestVerified verify(const Case *c, const char *config, const char *behavior) {
    SomText path = {0};
    som_text_printf(&path, "%s/../tests/verify/designs/%s.som", test_library, c->file);
    TestVerified v = test_verify_file(path.data, config != NULL ? config : "", behavior);
    som_text_free(&path);
    return v;
}

static bool is_subject(const SomFinding *found, const char *path) {
    for (int i = 0; i < found->subject_count; i++) {
        if (som_str_equal(found->subjects[i], som_str(path))) {
            return true;
        }
    }
    return false;
}

static void check_bad(const Case *c) {
    TestVerified v = verify(c, c->config, c->behavior);
    const SomFinding *found = test_find(&v, c->code);
    ck_assert_msg(found != NULL && v.found->verdict == SOM_VERDICT_UNSAFE, "%s %s: not found\n%s",
                  c->file, c->behavior, test_findings(&v));
    ck_assert_msg(test_count_of(&v, c->code) == 1, "%s: %s", c->file, test_findings(&v));
    bool is_in_time = isnan(c->t0) ? isnan(found->t0) : fabs(found->t0 - c->t0) <= c->tolerance;
    ck_assert_msg(is_in_time, "%s %s: at the wrong time\n%s", c->file, c->behavior,
                  test_findings(&v));
    for (int i = 0; i < 2 && c->subjects[i] != NULL; i++) {
        ck_assert_msg(is_subject(found, c->subjects[i]), "%s: not about '%s'\n%s", c->file,
                      c->subjects[i], test_findings(&v));
    }
    SomPlace place = som_diagnostics_place(v.design.diags, found->span.source1, found->span.begin);
    ck_assert_msg(place.line == c->line, "%s: in line %d", c->file, place.line);
    // no other error is told beside the one that is there
    for (int i = 0; i < v.found->findings.count; i++) {
        const SomFinding *other = &v.found->findings.data[i];
        ck_assert_msg(other->severity != SOM_ERROR || other->code == c->code ||
                          other->code == c->also,
                      "%s: %s", c->file, test_findings(&v));
    }
    test_verified_free(&v);
}

static void check_good(const Case *c) {
    TestVerified v = verify(c, c->good_config, c->good_behavior);
    ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE, "%s %s: %s", c->file, c->good_behavior,
                  test_findings(&v));
    test_verified_free(&v);
}

START_TEST(what_is_wrong_is_found_with_its_time_names_and_place) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_bad(&cases[i]);
    }
}
END_TEST

START_TEST(the_repaired_twins_are_safe) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_good(&cases[i]);
    }
}
END_TEST

START_TEST(every_design_of_the_folder_has_a_case) {
    SomArena arena = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    SomText folder = {0};
    const SomStr *names;
    som_text_printf(&folder, "%s/../tests/verify/designs", test_library);
    int count = som_file_list(folder.data, SOM_STR(".som"), &arena, &names, diags);
    ck_assert_int_ge(count, 4);
    for (int i = 0; i < count; i++) {
        bool is_known = false;
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            is_known |= som_str_equal(som_str_slice(names[i], 0, names[i].length - 4),
                                      som_str(cases[k].file));
        }
        ck_assert_msg(is_known, "%.*s", SOM_STR_ARG(names[i]));
    }
    som_text_free(&folder);
    som_diagnostics_destroy(diags);
    som_arena_free(&arena);
}
END_TEST

SOM_SUITE("verify/bad_designs", what_is_wrong_is_found_with_its_time_names_and_place,
          the_repaired_twins_are_safe, every_design_of_the_folder_has_a_case)
