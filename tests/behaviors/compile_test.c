// SPDX-License-Identifier: Apache-2.0
// Tests for behaviors/compile*.c.

#include "base/codes/behaviors_codes.h"
#include "base/codes/compose_text_codes.h"
#include "base/memory.h"
#include "behaviors/compile.h"
#include "behaviors/prediction.h"
#include "behaviors/static_checks.h"
#include "player/graph_text.h"
#include "space/trigonometry.h"
#include "tests/compose/texts.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEG (SOM_PI / 180)

static const char *const chain =
    "use \"smores.m3l\"\n"
    "let slow = 20deg/s\n"
    "config Chain(n: count = 3) {\n"
    "    part m[n] : Module\n"
    "    connect m[i].B to m[i+1].T for i in 1..n-1\n"
    "    let A = 40deg\n"
    "    pose lifted { m[1].tilt = 30deg; m[2].bend = 10deg }\n"
    "    behavior key(p: angle, k: count = n) = parallel(\n"
    "        for i in 1..k: m[i].tilt to A*sin(p + (i-1)*60deg))\n"
    "    behavior wave = series(for k in 0..5: key(k*60deg))\n"
    "    behavior odd_ones = parallel(for i in 1..n: if odd(i) then m[i].pan to 5deg else "
    "m[i].tilt "
    "to 6deg at slow)\n"
    "    behavior again = again\n"
    "    behavior a = series(b)\n"
    "    behavior b = series(a)\n"
    "}\n"
    "config Module is SMORES {\n"
    "    behavior drive(w: angularSpeed, t: time) = parallel(left spin w during t, right spin w "
    "during t)\n"
    "}\n";

typedef struct Compiled {
    TestDesign design;
    SomConfiguration *configuration;
    SomActionGraph *graph;
    char text[4000]; // the graph without symbols and places
} Compiled;

// Leaves out the declarations and the places, which are long.
static void shorten(const char *full, char *out, size_t size) {
    size_t length = 0;
    bool is_symbol = false, is_start = true;
    for (const char *at = full; *at != '\0' && length + 1 < size; at++) {
        if (is_start) {
            is_symbol = strncmp(at, "dof ", 4) == 0 || strncmp(at, "somite", 6) == 0;
        }
        is_start = *at == '\n';
        if (strncmp(at, " at ", 4) == 0) {
            at += 4 + strspn(at + 4, "0123456789 ") - 1;
            if (strncmp(at, " path", 5) == 0) {
                at = strchr(strchr(at, '"') + 1, '"');
            } else if (*at != ' ') {
                continue;
            } else {
                at--;
            }
            continue;
        }
        if (!is_symbol) {
            out[length++] = *at;
        }
    }
    out[length] = '\0';
}

static Compiled compile(const char *text, const char *choice, const char *call) {
    Compiled c = {.design = test_design(text)};
    c.configuration = test_compose(&c.design, choice);
    SomCompileDef def = {
        .workspace = c.design.workspace, .configuration = c.configuration, .diags = c.design.diags};
    c.graph = som_compile_call(&def, som_str(call));
    return c;
}

static void discard(Compiled *c) {
    som_action_graph_destroy(c->graph);
    som_configuration_destroy(c->configuration);
    test_design_free(&c->design);
}

static const SomAction *action_of(const Compiled *c, int index) {
    ck_assert_ptr_nonnull(c->graph);
    ck_assert_int_lt(index, c->graph->action_count);
    return &c->graph->actions[index];
}

static bool has(const Compiled *c, SomCode code, const char *words) {
    int count;
    const SomDiagnostic *all = som_diagnostics_get(c->design.diags, &count);
    for (int i = 0; i < count; i++) {
        char message[500];
        snprintf(message, sizeof message, "%.*s", SOM_STR_ARG(all[i].message));
        if (all[i].code == code && strstr(message, words) != NULL) {
            return true;
        }
    }
    return false;
}

START_TEST(a_move_has_the_joints_convention_and_the_types_time_out) {
    Compiled c = compile(chain, "", "m[2].tilt to 30deg");
    const SomAction *move = action_of(&c, 0);
    ck_assert_int_eq(move->kind, SOM_ACTION_POSITION);
    ck_assert_str_eq(som_graph_name(c.graph, SOM_SYMBOL_DOF, move->target), "m[2].bend");
    ck_assert_double_eq_tol(move->value, -30 * DEG, 1e-12); // tilt counts the other way round
    ck_assert_double_eq(move->timeout, 5);
    ck_assert_double_eq(move->tolerance, 0.08);
    ck_assert_int_eq(move->until, SOM_NONE);
    discard(&c);
}
END_TEST

START_TEST(clauses_are_kept) {
    Compiled c = compile(chain, "",
                         "series(m[1].tilt by 10deg at 20deg/s within 1deg timeout 2s, "
                         "m[1].left spin -90deg/s during 3s, wait 4s, m[1].bend to 5deg hold, "
                         "m[3].bend to 1deg during 2s)");
    const SomAction *by = action_of(&c, 0), *spin = action_of(&c, 1), *wait = action_of(&c, 2);
    const SomAction *latch = action_of(&c, 3), *timed = action_of(&c, 4);
    ck_assert_int_eq(by->kind, SOM_ACTION_RELATIVE);
    ck_assert_double_eq_tol(by->value, -10 * DEG, 1e-12);
    ck_assert_double_eq_tol(by->speed, 20 * DEG, 1e-12);
    ck_assert_double_eq_tol(by->tolerance, DEG, 1e-12);
    ck_assert_double_eq(by->timeout, 2);
    ck_assert_int_eq(spin->kind, SOM_ACTION_VELOCITY);
    ck_assert_double_eq_tol(spin->value, -90 * DEG, 1e-12);
    ck_assert_double_eq(spin->duration, 3);
    ck_assert(isinf(spin->timeout));
    ck_assert_int_eq(wait->kind, SOM_ACTION_WAIT);
    ck_assert_double_eq(wait->duration, 4);
    ck_assert_int_ne(latch->until, SOM_NONE);
    ck_assert_double_eq(timed->duration, 2);
    ck_assert(isinf(timed->timeout));
    discard(&c);
}
END_TEST

START_TEST(ranges_parameters_lets_and_defaults_unfold) {
    Compiled c = compile(chain, "Chain(n = 4)", "wave");
    ck_assert_int_eq(action_of(&c, 0)->kind, SOM_ACTION_POSITION);
    ck_assert_int_eq(c.graph->action_count, 6 * 4);
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 4; i++) {
            double wanted = -40 * DEG * sin((k + i) * 60 * DEG);
            ck_assert_double_eq_tol(c.graph->actions[k * 4 + i].value, wanted, 1e-9);
        }
    }
    ck_assert_int_eq(c.graph->nodes[0].kind, SOM_NODE_SERIES);
    ck_assert_int_eq(c.graph->nodes[1].kind, SOM_NODE_PARALLEL);
    ck_assert_str_eq(som_graph_path(c.graph, 2), "key");
    SomSpan span = som_graph_span(c.graph, 2);
    SomPlace place = som_diagnostics_place(c.design.diags, span.source1, span.begin);
    ck_assert_int_eq(place.line, 9);
    discard(&c);
    c = compile(chain, "", "odd_ones");
    ck_assert_int_eq(c.graph->action_count, 3);
    ck_assert_double_eq_tol(c.graph->actions[1].speed, 20 * DEG, 1e-12); // a let of the file
    discard(&c);
}
END_TEST

static const struct {
    const char *call;
    const char *text;
} structures[] = {
    {"series(m[1].left to 1rad, any(wait 1s, wait 2s), parallel())",
     "series\n position 1 1 within 0.08 timeout 5\n any\n  wait during 1\n  wait during 2\n end\n "
     "parallel\n end\nend\n"},
    {"repeat 3: wait 1s", "repeat 3\n wait during 1\nend\n"},
    {"repeat forever: wait 1s", "repeat forever\n wait during 1\nend\n"},
    {"repeat until m[1].left > 2rad: wait 1s",
     "repeat forever until ( position 1 number 2 > )\n wait during 1\nend\n"},
    {"choose(effort(m[1].right) > 1Nm: wait 1s, else: wait 2s)",
     "choose\n wait during 1 when ( effort 2 number 1 > )\n wait during 2\nend\n"},
    {"wait until m[1].tilt > 1rad and not speed(m[1].left) < 0rad/s timeout 3s",
     "wait timeout 3 until ( position 3 negate number 1 > speed 1 number 0 < not and )\n"},
    {"m[1].left to 1rad until reached or elapsed >= 1s",
     "position 1 1 within 0.08 timeout 5 until ( error number 0.08 < elapsed number 1 >= or )\n"},
    {"m[1].left follow [0s: 0rad, 1s: 2rad]", "follow 1 ( 0 0 1 2 ) within 0.08 timeout 6\n"},
    {"m[1].left to 1rad during 2s until reached",
     "position 1 1 within 0.08 during 2 until ( error number 0.08 < )\n"},
    {"m[1].left follow [0s: 0rad, 1s: 2rad] until reached or elapsed > 3s",
     "follow 1 ( 0 0 1 2 ) within 0.08 timeout 6 until ( error number 0.08 < elapsed number "
     "0.999999999 >= and elapsed number 3 > or )\n"},
    {"wait timeout 2s", "wait timeout 2\n"},
    {"wait during 1s timeout 2s", "wait during 1 timeout 2\n"},
    {"series(wait 1s, wait 2s) timeout 1s",
     "any\n series\n  wait during 1\n  wait during 2\n end\n wait timeout 1\nend\n"},
    {"hold m[1].left", "parallel\n hold 1\nend\n"},
    {"hold m[1].left during 2s", "series\n parallel\n  hold 1\n end\n wait during 2\nend\n"},
    {"wait until min(elapsed, 1s) <= 2s and max(height, 1m, 2m) != 3m or time == 4s",
     "wait until ( elapsed number 1 min number 2 <= height number 1 max number 2 max number 3 != "
     "and time number 4 == or )\n"},
    {"m[1].drive(t = 2s, w = 1rad/s)",
     "parallel\n velocity 1 1 within 0.08 during 2\n velocity 2 1 within 0.08 during 2\nend\n"},
    {"wait until abs(m[1].left - 1rad) < 0.5rad or height > 1m or bodyTilt > 1rad",
     "wait until ( position 1 number 1 - abs number 0.5 < height number 1 > or tilt number 1 > or "
     ")\n"},
};

START_TEST(actions_compile_to_their_graphs) {
    for (size_t i = 0; i < sizeof structures / sizeof *structures; i++) {
        Compiled c = compile(chain, "", structures[i].call);
        char full[8000];
        ck_assert_msg(c.graph != NULL, "%s", structures[i].call);
        som_graph_text_write(c.graph, full, sizeof full);
        shorten(full, c.text, sizeof c.text);
        ck_assert_str_eq(c.text, structures[i].text);
        discard(&c);
    }
}
END_TEST

// raised = -(bend - 90deg)
static const char *const lever =
    "module Lever: unit=0.05 m\n"
    "point T: (point _1: coords=(0.5, 0, 1)) (point _2: coords=(0, 0.5, 1)) coords=(0, 0, 1),"
    " connector\n"
    "link upper: grouping=(T), shape=box((0, 0, 0.5), (1, 1, 1)), mass=0.1 kg\n"
    "link lower: shape=box((0, 0, -0.5), (1, 1, 1)), mass=0.1 kg\n"
    "axis of_upper: origin=(0, 0, 0), direction=(0, 1, 0)\n"
    "axis of_lower: origin=(0, 0, 0), direction=(0, -1, 0)\n"
    "joint bend: type=revolute, value=[-90deg, 90deg], alias=((raised, -1, 90deg)),"
    " pair=((upper, of_upper), (lower, of_lower))\n";

START_TEST(a_name_with_another_zero_is_moved_and_sensed_by_it) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(som_str(test_library), diags);
    som_workspace_open_text(workspace, SOM_STR("lever.m3l"), som_str(lever));
    int file = som_workspace_open_text(workspace, SOM_STR("a.som"),
                                       SOM_STR("use \"lever.m3l\"\nconfig A is Lever {}\n"));
    SomConfiguration *configuration =
        som_configuration_compose(workspace, file, SOM_STR(""), diags);
    ck_assert_ptr_nonnull(configuration);
    SomCompileDef def = {.workspace = workspace, .configuration = configuration, .diags = diags};
    SomActionGraph *graph =
        som_compile_call(&def, SOM_STR("raised to 120deg until raised > 100deg timeout 1s"));
    ck_assert_ptr_nonnull(graph);
    ck_assert_double_eq_tol(graph->actions[0].value, -30 * DEG, 1e-12);
    static const SomInstructionKind program[] = {SOM_INSTRUCTION_POSITION, SOM_INSTRUCTION_NUMBER,
                                                 SOM_INSTRUCTION_SUBTRACT, SOM_INSTRUCTION_NEGATE,
                                                 SOM_INSTRUCTION_NUMBER,   SOM_INSTRUCTION_GREATER};
    ck_assert_int_eq(graph->instruction_count, 6);
    for (int i = 0; i < 6; i++) {
        ck_assert_int_eq(graph->instructions[i].kind, program[i]);
    }
    ck_assert_double_eq_tol(graph->instructions[1].value, 90 * DEG, 1e-12);
    ck_assert_double_eq_tol(graph->instructions[4].value, 100 * DEG, 1e-12);
    som_action_graph_destroy(graph);
    som_configuration_destroy(configuration);
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(poses_move_what_they_say) {
    Compiled c = compile(chain, "", "to pose lifted within 3deg");
    ck_assert_int_eq(action_of(&c, 0)->target, 3);
    ck_assert_int_eq(c.graph->action_count, 2);
    ck_assert_double_eq_tol(c.graph->actions[0].value, -30 * DEG, 1e-12);
    ck_assert_double_eq_tol(c.graph->actions[1].value, 10 * DEG, 1e-12);
    ck_assert_double_eq_tol(c.graph->actions[1].tolerance, 3 * DEG, 1e-12);
    discard(&c);
}
END_TEST

static const struct {
    const char *call;
    SomCode code;
    const char *words;
} mistakes[] = {
    {"wvae", SOM_UNKNOWN_BEHAVIOR, "did you mean 'wave'?"},
    {"m[1].drvie(1rad/s, 1s)", SOM_UNKNOWN_BEHAVIOR, "'m[1]' has no behavior 'drvie'"},
    {"m[1]", SOM_UNKNOWN_BEHAVIOR, "name a behavior of it"},
    {"m[1].tlit to 1rad", SOM_UNKNOWN_JOINT, "did you mean 'tilt'?"},
    {"k[1].tilt to 1rad", SOM_UNKNOWN_PART, "has no part 'k'"},
    {"m[9].tilt to 1rad", SOM_INDEX_OUT_OF_RANGE, "'m' has no part 9, only 1 to 3"},
    {"m.tilt to 1rad", SOM_WRONG_INDEX, "array of parts"},
    {"m[1] to 1rad", SOM_UNKNOWN_JOINT, "name a joint of it"},
    {"to pose lifetd", SOM_UNKNOWN_POSE, "did you mean 'lifted'?"},
    {"m[1].tilt to 1m", SOM_WRONG_DIMENSION, "expected an angle, found a length"},
    {"m[1].left spin 1rad", SOM_WRONG_DIMENSION, "expected an angular speed"},
    {"wait 1deg", SOM_WRONG_DIMENSION, "expected a time"},
    {"wait -1s", SOM_ACTION_VALUE, "cannot be negative"},
    {"key", SOM_WRONG_ARGUMENTS, "needs a value for its parameter 'p'"},
    {"key(1rad, 2, 3)", SOM_WRONG_ARGUMENTS, "no more parameters than 2"},
    {"key(q = 1rad)", SOM_WRONG_ARGUMENTS, "has no parameter 'q'"},
    {"key(1rad, p = 2rad)", SOM_WRONG_ARGUMENTS, "'p' is given twice"},
    {"key(1s)", SOM_WRONG_DIMENSION, "expected an angle, found a time"},
    {"again", SOM_BEHAVIOR_RECURSION, "'again' is a part of itself"},
    {"a", SOM_BEHAVIOR_RECURSION, "'a' is a part of itself"},
    {"series(for i in 1..2000000: wait 1s)", SOM_BEHAVIOR_TOO_LARGE, "more than 1000000"},
    {"series(for i in 1..30000000: series())", SOM_BEHAVIOR_TOO_LARGE, "too much work"},
    {"wave within 1deg", SOM_CLAUSE_MISPLACED, "belongs to a single move"},
    {"m[1].left spin 1rad/s at 2rad/s", SOM_CLAUSE_MISPLACED, "given already"},
    {"wait 1s timeout 1s timeout 2s", SOM_SAID_TWICE, "twice"},
    {"follow \"walk.csv\"", SOM_TABLE_FILE, "is no file beside this one"},
    {"follow \"../walk.csv\"", SOM_TABLE_FILE,
     "is outside the folders that are read: '.' and the library"},
    {"repeat 2 from 1: wait 1s", SOM_CLAUSE_MISPLACED, "counts the steps of a series"},
    {"repeat 2 from 1: repeat 2: wave", SOM_CLAUSE_MISPLACED, "counts the steps of a series"},
    {"repeat 2 from 0.5: wave", SOM_NOT_WHOLE, "expected a whole number"},
    {"m[1].tilt follow []", SOM_FOLLOW_TIMES, "one keyframe or more"},
    {"m[1].tilt follow [1s: 0rad, 1s: 1rad]", SOM_FOLLOW_TIMES, "times"},
    {"m[1].tilt follow [0s: 1e300rad]", SOM_FOLLOW_TIMES, "too large"},
    {"connect grip", SOM_UNKNOWN_DOCK, "has no dock 'grip'"},
    {"connect m[3].B to m[1].T", SOM_UNKNOWN_DOCK, "no dock of these two"},
    {"connect m[3].B to m[1].Q", SOM_UNKNOWN_CONNECTOR, "has no connector 'Q'"},
    {"wait until docked(grip)", SOM_UNKNOWN_DOCK, "has no dock"},
    {"wait until dokced(grip)", SOM_UNKNOWN_FUNCTION, "no function is called 'dokced'"},
    {"wait until input(a.b) > 1", SOM_UNKNOWN_PART, "has no part 'a'"},
    {"wait until input(a[2]) > 1", SOM_UNKNOWN_PART, "has no part 'a'"},
    {"wait until min(a = elapsed, 1s) > 1s", SOM_WRONG_ARGUMENTS, "have no names"},
    {"wait until m[1].left", SOM_NOT_A_CONDITION, "found an angle"},
    {"wait until m[1].left > 1s", SOM_WRONG_DIMENSION, "an angle and a time cannot be compared"},
    {"wait until reached", SOM_CONDITION_NOT_SENSED, "reached"},
    {"wait until sin(m[1].left) > 0.5", SOM_CONDITION_NOT_SENSED, "cannot be computed"},
    {"repeat 2: hold", SOM_REPEAT_WITHOUT_DURATION, "no time"},
    {"wait unknown", SOM_UNKNOWN_VALUE, "unknown"},
};

START_TEST(mistakes_are_reported_with_their_places) {
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        Compiled c = compile(chain, "", mistakes[i].call);
        ck_assert_msg(c.graph == NULL, "%s", mistakes[i].call);
        ck_assert_msg(has(&c, mistakes[i].code, mistakes[i].words), "%s", mistakes[i].call);
        ck_assert_int_eq(som_diagnostics_error_count(c.design.diags), 1);
        discard(&c);
    }
}
END_TEST

START_TEST(a_word_is_no_hint_for_itself) {
    Compiled c = compile(chain, "", "wait until docked(m)"); // which is a part
    ck_assert(has(&c, SOM_UNKNOWN_DOCK, "has no dock 'm'"));
    ck_assert(!has(&c, SOM_UNKNOWN_DOCK, "did you mean"));
    discard(&c);
}
END_TEST

START_TEST(all_mistakes_come_in_one_pass) {
    Compiled c = compile(chain, "", "series(wvae, m[1].tilt to 1s, wait 1m, m[7].tilt to 1rad)");
    ck_assert_int_eq(som_diagnostics_error_count(c.design.diags), 4);
    discard(&c);
}
END_TEST

START_TEST(work_has_an_end_and_it_is_said) {
    Compiled c = compile(chain, "", "wait 1s");
    int64_t steps = 2000;
    SomCompileDef def = {.workspace = c.design.workspace,
                         .configuration = c.configuration,
                         .diags = c.design.diags,
                         .steps_left = &steps};
    ck_assert_ptr_null(som_compile_call(&def, SOM_STR("series(for i in 1..400: wait 1s)")));
    ck_assert(has(&c, SOM_BEHAVIOR_TOO_LARGE, "too much work"));
    discard(&c);
}
END_TEST

START_TEST(nesting_has_an_end) {
    SomText text = {0};
    som_text_add(&text, som_str(chain));
    text.length -= strlen("}\n") + 0;
    som_text_add(&text, SOM_STR("    behavior d0 = wait 1s\n"));
    for (int i = 1; i < 2000; i++) {
        som_text_printf(&text, "    behavior d%d = series(d%d)\n", i, i - 1);
    }
    som_text_add(&text, SOM_STR("}\n"));
    Compiled c = compile(text.data, "Module", "d1000");
    ck_assert_ptr_nonnull(c.graph); // a behavior a level
    discard(&c);
    c = compile(text.data, "Module", "d1999");
    ck_assert_ptr_null(c.graph);
    ck_assert(has(&c, SOM_BEHAVIOR_TOO_LARGE, "too deeply"));
    discard(&c);
    som_text_free(&text);
}
END_TEST

START_TEST(a_hundred_thousand_actions_compile) {
    Compiled c = compile(chain, "", "series(for i in 1..100000: m[1].left to 0deg)");
    ck_assert_int_eq(action_of(&c, 0)->kind, SOM_ACTION_POSITION);
    ck_assert_int_eq(c.graph->action_count, 100000);
    discard(&c);
}
END_TEST

START_TEST(a_formula_is_followed) {
    Compiled c = compile(chain, "", "m[1].left follow 90deg*sin(t*180deg/1s) during 1s");
    const SomAction *follow = action_of(&c, 0);
    ck_assert_int_eq(follow->kind, SOM_ACTION_FOLLOW);
    ck_assert_int_eq(follow->keyframe_count, 51);
    ck_assert_double_eq_tol(c.graph->keyframes[25].value, SOM_PI / 2, 1e-9);
    ck_assert_double_eq(follow->duration, 1);
    discard(&c);
}
END_TEST

START_TEST(a_repetition_begins_at_a_step_of_its_series) {
    static const struct {
        const char *call;
        int first; // tens of degrees
    } cases[] = {{"repeat 2 from 0: steps", 0},  {"repeat 2 from 1: steps", 1},
                 {"repeat 2 from 3: steps", 3},  {"repeat forever from 5: steps", 1},
                 {"repeat 2 from -1: steps", 3}, {"repeat until time > 9s from 2: steps", 2}};
    static const char *const text =
        "use \"smores.m3l\"\n"
        "config A is SMORES {\n"
        "    behavior steps = series(for k in 0..3: parallel(left to k*10deg, right to k*10deg))\n"
        "}\n";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Compiled c = compile(text, "", cases[i].call);
        ck_assert_msg(c.graph != NULL, "%s", cases[i].call);
        ck_assert_int_eq(c.graph->nodes[1].kind, SOM_NODE_SERIES);
        int32_t child = 2;
        for (int k = 0; k < 4; k++, child = c.graph->nodes[child].end) {
            ck_assert_int_eq(c.graph->nodes[child].parent, 1);
            ck_assert_int_eq(c.graph->nodes[child].kind, SOM_NODE_PARALLEL);
            for (int32_t n = child + 1; n < c.graph->nodes[child].end; n++) {
                ck_assert_int_eq(c.graph->nodes[n].parent, child);
                const SomAction *move = &c.graph->actions[c.graph->nodes[n].index];
                double wanted = (cases[i].first + k) % 4 * 10 * DEG;
                ck_assert_double_eq_tol(fabs(move->value), wanted, 1e-12);
            }
        }
        ck_assert_int_eq(child, c.graph->node_count);
        discard(&c);
    }
}
END_TEST

SOM_SUITE("compile", a_move_has_the_joints_convention_and_the_types_time_out, clauses_are_kept,
          ranges_parameters_lets_and_defaults_unfold, actions_compile_to_their_graphs,
          a_name_with_another_zero_is_moved_and_sensed_by_it, poses_move_what_they_say,
          mistakes_are_reported_with_their_places, a_word_is_no_hint_for_itself,
          all_mistakes_come_in_one_pass, work_has_an_end_and_it_is_said, nesting_has_an_end,
          a_hundred_thousand_actions_compile, a_formula_is_followed,
          a_repetition_begins_at_a_step_of_its_series)
