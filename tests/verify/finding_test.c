// SPDX-License-Identifier: Apache-2.0
// Tests for verify/finding.c and verify/options.c.

#include "base/codes/verify_codes.h"
#include "tests/suite.h"
#include "verify/verify.h"

#include <math.h>

static void assert_str(SomStr actual, const char *expected) {
    ck_assert_msg(som_str_equal(actual, som_str(expected)), "'%.*s'", SOM_STR_ARG(actual));
}

START_TEST(what_breaks_a_robot_is_an_error_and_what_is_only_narrow_a_warning) {
    static const SomCode errors[] = {SOM_SELF_COLLISION,
                                     SOM_GROUND_PENETRATION,
                                     SOM_UNSTABLE,
                                     SOM_FALLS,
                                     SOM_UNSTABLE_END,
                                     SOM_NO_SUPPORT,
                                     SOM_COMMAND_CONFLICT,
                                     SOM_JOINT_LIMIT,
                                     SOM_JOINT_SPEED,
                                     SOM_JOINT_NO_NUMBER,
                                     SOM_ACTUATOR_OVERLOAD,
                                     SOM_CONNECTOR_OVERLOAD,
                                     SOM_NOT_DOCKABLE,
                                     SOM_DOCK_GAP,
                                     SOM_LOOP_TEARS,
                                     SOM_START_ABOVE_GROUND,
                                     SOM_VERIFY_OPTION_UNKNOWN,
                                     SOM_VERIFY_OPTION_VALUE};
    static const SomCode warnings[] = {SOM_SMALL_CLEARANCE, SOM_PAIR_NOT_PROVEN, SOM_SMALL_MARGIN,
                                       SOM_SLIP_RISK, SOM_DOCK_FORCED};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        ck_assert_int_eq(som_code_severity(errors[i]), SOM_ERROR);
    }
    for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++) {
        ck_assert_int_eq(som_code_severity(warnings[i]), SOM_WARNING);
    }
}
END_TEST

START_TEST(findings_are_copied_and_an_error_makes_it_unsafe) {
    SomVerification *out = som_verification_create();
    ck_assert(out->verdict == SOM_VERDICT_SAFE && isnan(out->min_clearance) &&
              isnan(out->first_touch_spheres));
    char name[] = "m1.body";
    SomStr subject = som_str(name);
    SomFinding finding = {
        .code = SOM_SMALL_MARGIN, .t0 = (double)NAN, .subjects = &subject, .subject_count = 1};
    som_verification_add(out, &finding, "near");
    ck_assert(out->verdict == SOM_VERDICT_SAFE);
    finding.code = SOM_SELF_COLLISION;
    SomFinding *found = som_verification_add(out, &finding, "'%s' touches %d", name, 2);
    som_finding_add_subject(out, found, SOM_STR("m2.body"));
    som_finding_set_fix(out, found, "move %s", "away");
    name[0] = 'x';
    found = &out->findings.data[1];
    ck_assert(out->verdict == SOM_VERDICT_UNSAFE && found->severity == SOM_ERROR &&
              found->subject_count == 2);
    assert_str(found->subjects[0], "m1.body");
    assert_str(found->subjects[1], "m2.body");
    assert_str(found->message, "Collision: 'm1.body' touches 2");
    assert_str(found->fix, "move away");
    som_verification_destroy(out);
}
END_TEST

START_TEST(findings_are_ordered_by_time_and_those_of_no_time_come_first) {
    SomVerification *out = som_verification_create();
    const double times[] = {2, 0.5, (double)NAN, 1};
    for (int i = 0; i < 4; i++) {
        SomFinding finding = {.code = SOM_SLIP_RISK, .t0 = times[i]};
        som_verification_add(out, &finding, "%d", i);
    }
    som_verification_finish(out);
    static const char *const order[] = {"Slip: 2", "Slip: at 0.5 s, 1", "Slip: at 1 s, 3",
                                        "Slip: at 2 s, 0"};
    for (int i = 0; i < 4; i++) {
        assert_str(out->findings.data[i].message, order[i]);
    }
    som_verification_destroy(out);
}
END_TEST

START_TEST(a_message_says_of_what_kind_who_when_and_how_much) {
    SomVerification *out = som_verification_create();
    SomFinding finding = {
        .code = SOM_SELF_COLLISION, .t0 = 1.63, .t1 = 1.6301, .who = SOM_STR("'foot' and 'arm'")};
    som_verification_add(out, &finding, "%d mm deep", 45);
    finding.t1 = 2;
    som_verification_add(out, &finding, "%d mm deep", 45);
    finding.t0 = (double)NAN;
    SomFinding *found = som_verification_add(out, &finding, "%d mm deep", 45);
    som_finding_set_details(out, found, "links '%s'", "foot.toe");
    assert_str(out->findings.data[0].message, "Collision: 'foot' and 'arm' at 1.63 s, 45 mm deep");
    assert_str(out->findings.data[1].message,
               "Collision: 'foot' and 'arm' from 1.63 s to 2 s, 45 mm deep");
    assert_str(out->findings.data[2].message, "Collision: 'foot' and 'arm', 45 mm deep");
    assert_str(out->findings.data[2].details, "links 'foot.toe'");
    som_verification_destroy(out);
}
END_TEST

// Reports about the options of a design are no findings, nor is what was not checked.
START_TEST(every_finding_has_a_title) {
    static const SomCode codes[] = {
#define SOM_CODE(number, severity, name, help) SOM_##name,
#include "base/codes/verify.inc"
#undef SOM_CODE
    };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        bool is_report = codes[i] == SOM_VERIFY_OPTION_UNKNOWN ||
                         codes[i] == SOM_VERIFY_OPTION_VALUE || codes[i] == SOM_NOT_CHECKED;
        ck_assert_msg((som_finding_title(codes[i])[0] == '\0') == is_report, "SOM%04d",
                      (int)codes[i]);
    }
}
END_TEST

START_TEST(values_are_told_in_units_of_people) {
    SomVerification *out = som_verification_create();
    ck_assert_str_eq(som_verification_value(out, 0.0031, SOM_DIMENSION_LENGTH), "3.1 mm");
    ck_assert_str_eq(som_verification_value(out, 2.3701, SOM_DIMENSION_TIME), "2.37 s");
    ck_assert_str_eq(som_verification_value(out, -0.5, SOM_DIMENSION_TORQUE), "-0.5 Nm");
    ck_assert_str_eq(som_verification_value(out, 0.7853981633974483, SOM_DIMENSION_ANGLE),
                     "45 deg");
    ck_assert_str_eq(som_verification_value(out, 0.65, SOM_DIMENSION_NUMBER), "0.65");
    som_verification_destroy(out);
}
END_TEST

START_TEST(series_begin_unknown_and_have_one_value_a_sample) {
    SomVerification *out = som_verification_create();
    out->sample_count = 3;
    double *values = som_verification_add_series(out, SOM_STR("margin"), SOM_DIMENSION_LENGTH, 0);
    ck_assert(isnan(values[0]) && isnan(values[2]) && out->series.data[0].values == values);
    som_verification_not_assessed(out, SOM_CHECK_SELF_COLLISION, SOM_STR("a and b"), 1,
                                  SOM_STR("joined"));
    ck_assert_int_eq(out->skipped.count, 1);
    som_verification_destroy(out);
}
END_TEST

START_TEST(what_is_not_checked_leaves_the_verdict_incomplete) {
    SomVerification *out = som_verification_create();
    som_verification_not_assessed(out, SOM_CHECK_LOAD, SOM_STR("connections"), 3,
                                  SOM_STR("no source gives their strength"));
    ck_assert(out->verdict == SOM_VERDICT_SAFE && !som_verification_claims(out, SOM_CHECK_LOAD));
    out->actuators = SOM_KNOWN_OF_ALL;
    ck_assert(som_verification_claims(out, SOM_CHECK_LOAD));
    som_verification_not_checked(out, SOM_CHECK_LOAD, SOM_STR("samples"), 1, 4, SOM_STR("rolled"));
    ck_assert(out->verdict == SOM_VERDICT_INCOMPLETE);
    ck_assert(!som_verification_claims(out, SOM_CHECK_LOAD));
    ck_assert(som_verification_claims(out, SOM_CHECK_SLIP));
    som_verification_not_checked(out, SOM_CHECK_MOTION, SOM_STR("the rest"), 1, 0, SOM_STR("long"));
    ck_assert(!som_verification_claims(out, SOM_CHECK_SLIP)); // no claim about all of the motion
    out->skipped.count--;
    SomVerification *part = som_verification_create();
    som_verification_not_checked(part, SOM_CHECK_LOAD, SOM_STR("samples"), 2, 6, SOM_STR("rolled"));
    som_verification_cover(out, SOM_CHECK_LOAD, 4);
    som_verification_cover(part, SOM_CHECK_LOAD, 6);
    som_verification_join(out, part, 0);
    som_verification_finish(out);
    ck_assert(out->skipped.count == 2 && out->skipped.data[1].count == 3 &&
              out->skipped.data[1].total == 10);
    ck_assert(out->coverage[SOM_CHECK_LOAD].samples == 7 &&
              out->coverage[SOM_CHECK_LOAD].samples_total == 10);
    som_verification_add(out, &(SomFinding){.code = SOM_SELF_COLLISION}, "touch");
    ck_assert(out->verdict == SOM_VERDICT_UNSAFE);
    som_verification_destroy(out);
}
END_TEST

START_TEST(options_have_their_defaults_within_their_ranges) {
    int count;
    const SomVerifyOptionInfo *infos = som_verify_option_infos(&count);
    SomVerifyOptions options = som_verify_default_options();
    for (int i = 0; i < count; i++) {
        double value = *som_verify_option(&options, i);
        ck_assert(value == infos[i].otherwise && infos[i].low <= value && value <= infos[i].high);
        ck_assert_int_eq(som_verify_find_option(infos[i].name), i);
    }
    ck_assert(options.dt == 0.01 && options.t_max == 0.2 && options.friction == 0.6);
    ck_assert_int_eq(som_verify_find_option(SOM_STR("tmax")), -1);
}
END_TEST

SOM_SUITE("verify/finding", what_breaks_a_robot_is_an_error_and_what_is_only_narrow_a_warning,
          findings_are_copied_and_an_error_makes_it_unsafe,
          findings_are_ordered_by_time_and_those_of_no_time_come_first,
          a_message_says_of_what_kind_who_when_and_how_much, every_finding_has_a_title,
          values_are_told_in_units_of_people, series_begin_unknown_and_have_one_value_a_sample,
          what_is_not_checked_leaves_the_verdict_incomplete,
          options_have_their_defaults_within_their_ranges)
