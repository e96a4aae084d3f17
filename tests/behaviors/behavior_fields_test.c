// SPDX-License-Identifier: Apache-2.0
// Fields of blocks set, added and taken away, and postures recorded: the text before and after.

#include "behaviors/behavior_edit.h"
#include "space/trigonometry.h"
#include "tests/compose/edited.h"

#include <math.h>

#define DEGREES(a) ((a)*SOM_PI / 180)
#define AT(behavior, path) ((SomBlockPlace){S(behavior), S(path)})

#define ROW                                                                                        \
    "use \"smores.m3l\"\n"                                                                         \
    "\n"                                                                                           \
    "config Row {\n"                                                                               \
    "    part a, b : SMORES\n"                                                                     \
    "    connect a.B to b.T\n"                                                                     \
    "\n"

#define KEY                                                                                        \
    "    behavior key(p: angle, k: number = 1) = parallel(a.tilt to k*p, b.tilt to p/2) timeout "  \
    "2s\n"

// A text with one action of the behavior `go`.
static SomText with(const char *action) {
    SomText text = {0};
    som_text_printf(&text, ROW KEY "    behavior go = series(wait 1s, %s) # end\n}\n", action);
    return text;
}

typedef struct Case {
    const char *before;
    SomFieldKind kind;
    int nth;
    const char *text;  // NULL: it is taken away
    const char *after; // or why it is refused
} Case;

static const Case cases[] = {
    // what is there
    {"a.tilt to 10deg", SOM_FIELD_VALUE, 0, " 2*15deg ", "a.tilt to 2*15deg"},
    {"a.tilt to 10deg", SOM_FIELD_PLACE, 0, "b.left", "b.left to 10deg"},
    {"a.tilt to 10deg", SOM_FIELD_MODE, 0, "by", "a.tilt by 10deg"},
    {"wait 1s until height > 2cm", SOM_FIELD_UNTIL, 0, "time > 1s", "wait 1s until time > 1s"},
    {"key(1deg, k = 3)", SOM_FIELD_ARGUMENT, 1, "-4", "key(1deg, k = -4)"},
    {"repeat 3: wait 1s", SOM_FIELD_TIMES, 0, "forever", "repeat forever: wait 1s"},
    {"for i in 1..2: wait i*1s", SOM_FIELD_LAST, 0, "4", "for i in 1..4: wait i*1s"},
    {"if odd(3) then hold else wait 1s", SOM_FIELD_CONDITION, 0, "even(3)",
     "if even(3) then hold else wait 1s"},
    // what is not
    {"a.tilt to 10deg", SOM_FIELD_TIMEOUT, 0, "3s", "a.tilt to 10deg timeout 3s"},
    {"a.tilt to 10deg timeout 3s", SOM_FIELD_UNTIL, 0, "reached",
     "a.tilt to 10deg until reached timeout 3s"},
    {"a.tilt to 10deg at 20deg/s timeout 3s", SOM_FIELD_WITHIN, 0, "2deg",
     "a.tilt to 10deg at 20deg/s within 2deg timeout 3s"},
    {"a.tilt to 10deg", SOM_FIELD_LATCH, 0, "", "a.tilt to 10deg hold"},
    {"parallel(hold, wait 1s)", SOM_FIELD_TIMEOUT, 0, "3s", "parallel(hold, wait 1s) timeout 3s"},
    {"key(1deg)", SOM_FIELD_DURING, 0, "3s", "key(1deg) during 3s"},
    {"key(1deg)", SOM_FIELD_ARGUMENT, 1, "k = 2", "key(1deg, k = 2)"},
    {"hold", SOM_FIELD_PLACE, 0, "a.tilt", "hold a.tilt"},
    {"repeat 2: wait 1s", SOM_FIELD_UNTIL, 0, "height > 1cm", "repeat until height > 1cm: wait 1s"},
    {"repeat until height > 1cm: wait 1s", SOM_FIELD_TIMES, 0, "2", "repeat 2: wait 1s"},
    {"repeat 2: series(wait 1s, wait 2s)", SOM_FIELD_FROM, 0, "1",
     "repeat 2 from 1: series(wait 1s, wait 2s)"},
    {"repeat 2: wait 1s", SOM_FIELD_TIMEOUT, 0, "5s", "series(repeat 2: wait 1s) timeout 5s"},
    {"for i in 1..2: wait i*1s", SOM_FIELD_ONLY, 0, "odd(i)", "for i in 1..2 if odd(i): wait i*1s"},
    // taken away
    {"a.tilt to 10deg within 2deg timeout 3s", SOM_FIELD_WITHIN, 0, NULL,
     "a.tilt to 10deg timeout 3s"},
    {"series(hold, wait 1s) timeout 3s", SOM_FIELD_TIMEOUT, 0, NULL, "series(hold, wait 1s)"},
    {"key(1deg, k = 3)", SOM_FIELD_ARGUMENT, 1, NULL, "key(1deg)"},
    {"repeat 2 from 1: series(wait 1s, wait 2s)", SOM_FIELD_FROM, 0, NULL,
     "repeat 2: series(wait 1s, wait 2s)"},
    {"for i in 1..2 if odd(i): wait i*1s", SOM_FIELD_ONLY, 0, NULL, "for i in 1..2: wait i*1s"},
    {"hold a.tilt", SOM_FIELD_PLACE, 0, NULL, "hold"},
};

static const Case refusals[] = {
    {"a.tilt to 10deg", SOM_FIELD_VALUE, 0, "10deg timeout 3s",
     "SOM3602: '10deg timeout 3s' cannot stand here"},
    {"a.tilt to 10deg", SOM_FIELD_VALUE, 0, "10deg, hold",
     "SOM3602: '10deg, hold' cannot stand here"},
    {"a.tilt to 10deg", SOM_FIELD_VALUE, 0, "",
     "SOM3603: this cannot be done: expected a value, found ')'"},
    {"a.tilt to 10deg", SOM_FIELD_VALUE, 0, "10s",
     "SOM3603: this cannot be done: expected an angle, found a time"},
    {"a.tilt to 10deg", SOM_FIELD_TIMES, 0, "3", "SOM3601: a move block has no 'times' here"},
    {"wait 1s", SOM_FIELD_WITHIN, 0, "3deg", "SOM3601: a wait block has no 'within' here"},
    {"key(1deg)", SOM_FIELD_ARGUMENT, 2, "3", "SOM3601: a call block has no 'argument' here"},
    {"key(1deg)", SOM_FIELD_ARGUMENT, 0, NULL,
     "SOM2607: this cannot be done: 'key' needs a value for its parameter 'p'"},
    {"a.tilt to 10deg", SOM_FIELD_VALUE, 0, NULL, "SOM3605: a move block needs its 'value'"},
    {"a.tilt to 10deg", SOM_FIELD_TIMEOUT, 0, NULL, "SOM3601: a move block has no 'timeout' here"},
    {"repeat 2: wait 1s", SOM_FIELD_TIMES, 0, NULL, "SOM3605: a repeat block needs its 'times'"},
};

static bool change(SomDesign *d, const Case *c) {
    return c->text != NULL
               ? som_behavior_set_field(d, S(""), AT("go", "1"), c->kind, c->nth, som_str(c->text))
               : som_behavior_clear_field(d, S(""), AT("go", "1"), c->kind, c->nth);
}

START_TEST(fields_are_set_added_and_taken_away) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText before = with(cases[i].before), after = with(cases[i].after);
        SomDesign *d = test_edit_begin(before.data);
        test_edit_made(d, change(d, &cases[i]), before.data, after.data);
        som_text_free(&before);
        som_text_free(&after);
    }
}
END_TEST

START_TEST(what_cannot_stand_in_a_field_is_refused) {
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        SomText before = with(refusals[i].before);
        SomDesign *d = test_edit_begin(before.data);
        test_edit_refused(d, change(d, &refusals[i]), before.data, refusals[i].after);
        som_text_free(&before);
    }
}
END_TEST

START_TEST(comments_beside_clauses_stay) {
    static const char *const text = ROW "    behavior go = series(\n"
                                        "        a.tilt to 10deg # so far\n"
                                        "            within 2deg # so near\n"
                                        "            timeout 3s, # so long\n"
                                        "        wait 1s)\n"
                                        "}\n";
    SomDesign *d = test_edit_begin(text);
    bool done = som_behavior_clear_field(d, S(""), AT("go", "0"), SOM_FIELD_WITHIN, 0);
    ck_assert(done);
    SomStr now = som_document_text(som_design_document(d));
    ck_assert_ptr_nonnull(strstr(now.data, "# so far"));
    ck_assert_ptr_nonnull(strstr(now.data, "# so near"));
    ck_assert_ptr_nonnull(strstr(now.data, "# so long"));
    ck_assert_ptr_null(strstr(now.data, "within"));
    som_design_destroy(d);
}
END_TEST

START_TEST(a_number_keeps_its_unit) {
    static const struct {
        const char *before;
        SomFieldKind kind;
        SomDimensionName dimension;
        double value;
        const char *after;
    } numbers[] = {
        {"a.tilt to 10deg", SOM_FIELD_VALUE, SOM_DIMENSION_ANGLE, DEGREES(12.5),
         "a.tilt to 12.5deg"},
        {"a.tilt to 0.1rad", SOM_FIELD_VALUE, SOM_DIMENSION_ANGLE, -0.25, "a.tilt to -0.25rad"},
        {"a.tilt to pi*1rad/8", SOM_FIELD_VALUE, SOM_DIMENSION_ANGLE, DEGREES(30),
         "a.tilt to 30deg"},
        {"a.tilt to 1deg timeout 500ms", SOM_FIELD_TIMEOUT, SOM_DIMENSION_TIME, 0.75,
         "a.tilt to 1deg timeout 750ms"},
        {"a.tilt to 1deg", SOM_FIELD_TIMEOUT, SOM_DIMENSION_TIME, 1.0 / 3,
         "a.tilt to 1deg timeout 0.333333333s"},
        {"repeat 2: wait 1s", SOM_FIELD_TIMES, SOM_DIMENSION_NUMBER, 5, "repeat 5: wait 1s"},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        SomText before = with(numbers[i].before), after = with(numbers[i].after);
        SomDesign *d = test_edit_begin(before.data);
        bool done = som_behavior_set_quantity(
            d, S(""), AT("go", "1"), numbers[i].kind, 0,
            (SomQuantity){numbers[i].value, som_dimension(numbers[i].dimension)});
        test_edit_made(d, done, before.data, after.data);
        som_text_free(&before);
        som_text_free(&after);
    }
    SomText before = with("wait 2s");
    SomDesign *d = test_edit_begin(before.data);
    bool done =
        som_behavior_set_quantity(d, S(""), AT("go", "1"), SOM_FIELD_VALUE, 0,
                                  (SomQuantity){INFINITY, som_dimension(SOM_DIMENSION_TIME)});
    test_edit_refused(d, done, before.data, "SOM3602: the value is not finite, or too large");
    som_text_free(&before);
}
END_TEST

// ---- recording

static const SomJointValue posture[] = {{{"a.tilt", 6}, DEGREES(30)},
                                        {{"b.left", 6}, DEGREES(-12.5)}};

START_TEST(a_posture_becomes_moves) {
    SomText before = with("wait 2s"),
            after = with("parallel(a.tilt to 30deg, b.left to -12.5deg), wait 2s"),
            one = with("wait 2s, a.tilt to 30deg");
    SomDesign *d = test_edit_begin(before.data);
    bool done = som_behavior_record(d, S(""), AT("go", ""), 1, S(""), posture, 2);
    ck_assert_str_eq(som_design_new_name(d).data, "1");
    test_edit_made(d, done, before.data, after.data);
    d = test_edit_begin(before.data);
    done = som_behavior_record(d, S(""), AT("go", ""), SOM_LAST, S(""), posture, 1);
    test_edit_made(d, done, before.data, one.data);
    d = test_edit_begin(before.data);
    done = som_behavior_record(d, S(""), AT("go", ""), SOM_LAST, S(""), NULL, 0);
    test_edit_refused(d, done, before.data, "SOM3602: no joint is to be moved");
    d = test_edit_begin(before.data);
    done = som_behavior_record(d, S(""), AT("go", ""), SOM_LAST, S(""),
                               &(SomJointValue){S("c.tilt"), 1}, 1);
    test_edit_refused(d, done, before.data,
                      "SOM2602: 'c.tilt' is no joint of this design that moves");
    som_text_free(&before);
    som_text_free(&after);
    som_text_free(&one);
}
END_TEST

START_TEST(a_posture_becomes_a_pose_and_the_way_to_it) {
    static const char *const text = ROW "    behavior go = wait 1s\n"
                                        "}\n";
    SomDesign *d = test_edit_begin(text);
    bool done = som_behavior_record(d, S(""), AT("go", ""), SOM_LAST, S("all up"), posture, 2);
    ck_assert_str_eq(som_design_new_name(d).data, "1");
    test_edit_made(d, done, text,
                   "use \"smores.m3l\"\n"
                   "\n"
                   "config Row {\n"
                   "    part a, b : SMORES\n"
                   "    connect a.B to b.T\n"
                   "    pose \"all up\" {\n"
                   "        a.tilt = 30deg\n"
                   "        b.left = -12.5deg\n"
                   "    }\n"
                   "\n"
                   "    behavior go = series(wait 1s, to pose \"all up\")\n"
                   "}\n");
}
END_TEST

SOM_SUITE("behaviors/behavior_fields", fields_are_set_added_and_taken_away,
          what_cannot_stand_in_a_field_is_refused, comments_beside_clauses_stay,
          a_number_keeps_its_unit, a_posture_becomes_moves,
          a_posture_becomes_a_pose_and_the_way_to_it)
