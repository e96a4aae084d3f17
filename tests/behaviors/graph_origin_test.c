// SPDX-License-Identifier: Apache-2.0
// Tests for behaviors/graph_origin.c and for where static checks place their reports.

#include "base/codes/behaviors_codes.h"
#include "base/codes/compose_text_codes.h"
#include "behaviors/action_text.h"
#include "behaviors/compile.h"
#include "behaviors/static_checks.h"
#include "tests/compose/texts.h"
#include "tests/suite.h"

#include <string.h>

static const char *const design =
    "use \"walkbot.som\"\n"                                    // 1
    "use \"smores.m3l\"\n"                                     // 2
    "config Pair {\n"                                          // 3
    "    part bot : Walkbot\n"                                 // 4
    "    part m : SMORES\n"                                    // 5
    "    connect m.B to bot.body.front.head.T\n"               // 6
    "    behavior up = parallel(bot.walk, bot.trot(1))\n"      // 7
    "    behavior far(a: angle) = m.tilt to a\n"               // 8
    "    behavior run = far(120deg)\n"                         // 9
    "    behavior wide = bot.legs(80deg, 60deg, 0deg, 0deg)\n" // 10
    "    behavior back = series(m.tilt by 10deg, m.tilt spin 5deg/s "
    "during 1s)\n"
    "    behavior both(a: angle) = parallel(m.tilt to a, m.left to a)\n"
    "    behavior through(a: angle) = both(a)\n"
    "    behavior twice = parallel(through(10deg), both(20deg))\n"
    "}\n";

typedef struct Checked {
    TestDesign design;
    SomConfiguration *configuration;
    SomActionGraph *graph;
    const SomDiagnostic *entries;
    int first, count; // of what the static checks reported
} Checked;

static Checked check(const char *call) {
    Checked c = {.design = test_design(design)};
    c.configuration = test_compose(&c.design, "");
    ck_assert_ptr_nonnull(c.configuration);
    SomCompileDef def = {
        .workspace = c.design.workspace, .configuration = c.configuration, .diags = c.design.diags};
    c.graph = som_compile_call(&def, som_str(call));
    ck_assert_ptr_nonnull(c.graph);
    som_diagnostics_get(c.design.diags, &c.first);
    SomServoModel *servos = som_compile_servos(c.configuration);
    som_static_check(&(SomStaticDef){.graph = c.graph, .servos = servos, .design = c.configuration},
                     c.design.diags);
    som_free(servos);
    c.entries = som_diagnostics_get(c.design.diags, &c.count);
    return c;
}

static void discard(Checked *c) {
    som_action_graph_destroy(c->graph);
    som_configuration_destroy(c->configuration);
    test_design_free(&c->design);
}

static int count_reports(const Checked *c, SomCode code) {
    int count = 0;
    for (int i = c->first; i < c->count; i++) {
        count += c->entries[i].code == code;
    }
    return count;
}

static const SomDiagnostic *find(const Checked *c, SomCode code) {
    for (int i = c->first; i < c->count; i++) {
        if (c->entries[i].code == code) {
            return &c->entries[i];
        }
    }
    ck_abort_msg("not reported");
    return NULL;
}

static void assert_file(const Checked *c, const SomDiagnostic *entry, const char *file) {
    SomPlace place = som_diagnostics_place(c->design.diags, entry->span.source1, entry->span.begin);
    ck_assert_msg(som_str_ends_with(place.path, som_str(file)), "%.*s", SOM_STR_ARG(place.path));
}

static void assert_message(const SomDiagnostic *entry, const char *message) {
    ck_assert_msg(som_str_equal(entry->message, som_str(message)), "%.*s",
                  SOM_STR_ARG(entry->message));
}

START_TEST(a_conflict_of_two_statements_is_one_report_at_the_users_line) {
    Checked c = check("up");
    ck_assert_int_eq(count_reports(&c, SOM_GRAPH_CONFLICT), 1);
    const SomDiagnostic *d = find(&c, SOM_GRAPH_CONFLICT);
    assert_message(d, "16 joints are commanded differently by two actions at the same time: "
                      "'bot.front_left.head.left', 'bot.front_left.head.right', "
                      "'bot.front_left.middle.bend' (and 13 more)");
    SomPlace place = som_diagnostics_place(c.design.diags, d->span.source1, d->span.begin);
    ck_assert_int_eq(place.line, 7);
    ck_assert_int_eq(place.column, 38);
    const SomDiagnostic *other = d + 1, *around = d + 2, *action = d + 3, *call = d + 4;
    assert_message(other, "the other command is here");
    ck_assert_uint_eq(other->span.source1, d->span.source1);
    ck_assert_uint_lt(other->span.end, d->span.begin);
    assert_message(around, "these actions run at the same time");
    assert_message(action, "'bot.front_left.head.left' is commanded here, in behavior "
                           "'bot.front_left.legKey'");
    assert_file(&c, action, "chain3.som");
    assert_message(call, "called from here, in behavior 'bot.legs'");
    discard(&c);
}
END_TEST

START_TEST(a_conflict_of_one_behavior_with_itself_is_one_report_at_its_calls) {
    Checked c = check("twice");
    ck_assert_int_eq(count_reports(&c, SOM_GRAPH_CONFLICT), 1);
    const SomDiagnostic *d = find(&c, SOM_GRAPH_CONFLICT);
    const SomDiagnostic *other = d + 1, *action = d + 3;
    SomPlace place = som_diagnostics_place(c.design.diags, d->span.source1, d->span.begin);
    ck_assert_int_eq(place.line, 14);
    ck_assert_int_eq(place.column, 47);
    assert_message(other, "the other command is here");
    place = som_diagnostics_place(c.design.diags, other->span.source1, other->span.begin);
    ck_assert_int_eq(place.line, 14);
    ck_assert_int_eq(place.column, 31);
    ck_assert_msg(som_str_ends_with(action->message, SOM_STR("is commanded here, both times")),
                  "%.*s", SOM_STR_ARG(action->message));
    place = som_diagnostics_place(c.design.diags, action->span.source1, action->span.begin);
    ck_assert_int_eq(place.line, 12);
    discard(&c);
}
END_TEST

START_TEST(a_target_inside_the_library_is_one_report_at_the_users_line) {
    Checked c = check("wide");
    ck_assert_int_eq(count_reports(&c, SOM_TARGET_BEYOND_LIMIT), 1);
    const SomDiagnostic *d = find(&c, SOM_TARGET_BEYOND_LIMIT);
    SomPlace place = som_diagnostics_place(c.design.diags, d->span.source1, d->span.begin);
    ck_assert_int_eq(place.line, 10);
    bool has_others = false;
    for (int i = c.first; i < c.count; i++) {
        has_others |= c.entries[i].kind == SOM_DIAGNOSTIC_NOTE &&
                      som_str_starts_with(c.entries[i].message, SOM_STR("likewise 'bot."));
    }
    ck_assert(has_others);
    discard(&c);
}
END_TEST

START_TEST(who_gave_the_value_is_noted) {
    Checked c = check("run");
    const SomDiagnostic *d = find(&c, SOM_TARGET_BEYOND_LIMIT);
    assert_message(d, "'m.tilt' is sent to 120deg, its limit is 90deg");
    SomPlace place = som_diagnostics_place(c.design.diags, d->span.source1, d->span.begin);
    ck_assert_int_eq(place.line, 8);
    assert_message(d + 1, "called from here, in behavior 'run'");
    place = som_diagnostics_place(c.design.diags, d[1].span.source1, d[1].span.begin);
    ck_assert_int_eq(place.line, 9);
    discard(&c);
}
END_TEST

static void assert_action(const Checked *c, int32_t node, const char *words) {
    SomText text = {0};
    som_action_print(c->configuration, c->graph, node, &text);
    ck_assert_str_eq(text.data, words);
    som_text_free(&text);
}

START_TEST(actions_keep_the_name_and_sign_they_are_written_with) {
    Checked c = check("run");
    assert_action(&c, 0, "m.tilt to 120deg");
    discard(&c);
    c = check("back");
    assert_action(&c, 1, "m.tilt by 10deg");
    assert_action(&c, 2, "m.tilt spin 5deg/s");
    ck_assert_double_lt(c.graph->actions[0].value, 0); // the joint counts the other way
    discard(&c);
}
END_TEST

START_TEST(what_is_called_from_outside_is_placed_there) {
    Checked c = check("parallel(bot.walk, bot.trot(1))");
    ck_assert_int_eq(count_reports(&c, SOM_GRAPH_CONFLICT), 1);
    const SomDiagnostic *d = find(&c, SOM_GRAPH_CONFLICT);
    assert_file(&c, d, "--behavior");
    discard(&c);
}
END_TEST

START_TEST(values_that_do_not_work_inside_the_library_are_one_error_at_the_users_line) {
    TestDesign d = test_design(design);
    SomConfiguration *configuration = test_compose(&d, "");
    SomCompileDef def = {
        .workspace = d.workspace, .configuration = configuration, .diags = d.diags};
    ck_assert_ptr_null(som_compile_call(&def, SOM_STR("bot.walk(1, 80deg)")));
    int count;
    const SomDiagnostic *entries = som_diagnostics_get(d.diags, &count);
    ck_assert_int_eq(som_diagnostics_error_count(d.diags), 1);
    ck_assert_int_eq(entries[0].code, SOM_WRONG_ARGUMENTS);
    assert_message(&entries[0], "'bot.walk' does not work with these values: this takes a number "
                                "from -1 to 1");
    assert_message(&entries[1], "the error is here (and 15 more)");
    ck_assert_int_eq(count, 2);
    som_configuration_destroy(configuration);
    test_design_free(&d);
}
END_TEST

SOM_SUITE("behaviors/graph_origin", a_conflict_of_two_statements_is_one_report_at_the_users_line,
          a_conflict_of_one_behavior_with_itself_is_one_report_at_its_calls,
          a_target_inside_the_library_is_one_report_at_the_users_line, who_gave_the_value_is_noted,
          actions_keep_the_name_and_sign_they_are_written_with,
          what_is_called_from_outside_is_placed_there,
          values_that_do_not_work_inside_the_library_are_one_error_at_the_users_line)
