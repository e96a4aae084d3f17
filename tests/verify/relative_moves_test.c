// SPDX-License-Identifier: Apache-2.0
// Tests for verify/relative_moves.c and behaviors/static_limits.c: what findings say, and random
// behaviors against an interpreter of set-points written here after docs/semantics.md.

#include "base/codes/verify_codes.h"
#include "base/number.h"
#include "behaviors/static_checks.h"
#include "space/trigonometry.h"
#include "tests/verify/verified.h"

#include <math.h>

#define DEG (SOM_PI / 180)
#define LIMIT 90.0  // degrees, of a.bend and b.bend, both ways
#define EXCESS 0.01 // more than the tolerance of limits, less than any step here

// ---- messages

static const char *const one =
    "use \"smores.m3l\"\n"
    "config One is SMORES {\n"
    "    behavior five = repeat 5: bend by 20deg\n"
    "    behavior ten = repeat 10: bend by 20deg timeout 300ms\n"
    "    behavior two = series(bend by 45deg, bend by 48deg)\n"
    "    behavior fits = series(repeat 4: bend by 22.5deg, bend by -180deg, bend by 10deg)\n"
    "    behavior alias = series(tilt to 80deg, tilt by 20deg)\n"
    "    behavior step = bend by 20deg\n"
    "    behavior steps = series(repeat 2: step, repeat 3: step)\n"
    "    behavior wheel = repeat 50: left by 90deg timeout 10ms\n"
    "    behavior mixed = repeat 3: series(bend to 0deg, repeat 3: bend by 31deg, bend by -20deg)\n"
    "    behavior late = series(wait 70s, repeat 5: bend by 20deg)\n"
    "    behavior small = repeat 100000: bend by 0.01deg\n"
    "    behavior cut = series(any(bend by 60deg, wait 100ms), bend by 60deg)\n"
    "    behavior unsent = series(any(bend by 100deg, hold left), bend by 20deg timeout 1s)\n"
    "    behavior spun = series(bend spin 30deg/s during 1s, bend by 50deg, bend by 20deg)\n"
    "    behavior held = series(bend by 60deg timeout 100ms, hold bend, bend by 60deg)\n"
    "    behavior again = series(tilt to 120deg, repeat 3: tilt by 1deg) timeout 2s\n"
    "    behavior lasting = series(bend by 60deg during 50ms, bend by 40deg during 50ms)\n"
    "}\n";

static const SomFinding *only(TestVerified *v) {
    ck_assert_msg(test_count_of(v, SOM_JOINT_LIMIT) == 1, "%s", test_findings(v));
    return test_find(v, SOM_JOINT_LIMIT);
}

// Verifies a behavior; its one finding has this place, end of the message and fix.
static void expect(const char *behavior, const char *place, const char *text, const char *fix) {
    TestVerified v = test_verify(one, "", behavior);
    const SomFinding *found = only(&v);
    ck_assert_str_eq(found->text.data, text);
    ck_assert_str_eq(found->fix.length > 0 ? found->fix.data : "", fix);
    ck_assert_str_eq(test_place(&v, found), place);
    test_verified_free(&v);
}

START_TEST(a_finding_names_the_run_and_the_set_points) {
    expect("five", "3:31",
           "sent from 80 deg to 100 deg in its 5th run, at 0.55 s, 10 deg beyond its "
           "limit of 90 deg",
           "the nearest value is 'bend' by 18 deg");
    expect("ten", "4:31",
           "sent from 80 deg to 100 deg in its 5th run, at 0.55 s, 10 deg beyond its "
           "limit of 90 deg, and later to 200 deg",
           "the nearest value is 'bend' by 9 deg");
    expect("two", "5:42", "sent from 45 deg to 93 deg, 3 deg beyond its limit of 90 deg",
           "the nearest value is 'bend' by 45 deg");
    // the second one waits for nothing: set-points count, not where the joint is
    expect("lasting", "19:58", "sent from 60 deg to 100 deg, 10 deg beyond its limit of 90 deg",
           "the nearest value is 'bend' by 30 deg");
}
END_TEST

START_TEST(a_finding_counts_as_the_alias_does) {
    TestVerified v = test_verify(one, "", "alias");
    const SomFinding *found = only(&v);
    ck_assert_str_eq(found->text.data,
                     "sent from 80 deg to 100 deg, 10 deg beyond its limit of 90 deg");
    ck_assert_str_eq(found->fix.data, "the nearest value is 'tilt' by 10 deg");
    ck_assert_double_eq_tol(found->value, -100 * DEG, 1e-9);
    ck_assert_double_eq_tol(found->limit, -90 * DEG, 1e-9);
    test_verified_free(&v);
}
END_TEST

// Whichever behavior it is written in, from the outside inwards.
START_TEST(a_finding_has_the_calls_that_lead_to_it) {
    TestVerified v = test_verify(one, "", "steps");
    const SomFinding *found = only(&v);
    ck_assert_str_eq(test_place(&v, found), "8:21");
    ck_assert_msg(strstr(found->message.data, "in its 3rd run") != NULL, "%s", found->message.data);
    ck_assert_int_eq(found->step_count, 1);
    ck_assert_str_eq(found->steps[0].words.data, "called from here, in behavior 'steps'");
    test_verified_free(&v);
}
END_TEST

START_TEST(what_stays_within_the_limits_is_not_reported) {
    static const char *const behaviors[] = {"fits", "wheel", "held"};
    for (int i = 0; i < 3; i++) {
        TestVerified v = test_verify(one, "", behaviors[i]);
        ck_assert_msg(test_count_of(&v, SOM_JOINT_LIMIT) == 0, "%s", test_findings(&v));
        test_verified_free(&v);
    }
}
END_TEST

// A value is suggested if it fits all joints that the statement moves.
START_TEST(one_statement_of_many_joints_is_one_finding) {
    static const char *const starts[] = {"m[1].bend = 0deg", "m[1].bend = 30deg"};
    for (int i = 0; i < 2; i++) {
        SomText text = {0};
        som_text_printf(&text,
                        "use \"smores.m3l\"\n"
                        "config Row {\n"
                        "    part m[3] : SMORES\n"
                        "    connect m[k].B to m[k+1].T for k in 1..2\n"
                        "    pose begin { %s }\n"
                        "    start begin\n"
                        "    behavior up = repeat 2: parallel(for k in 1..3: m[k].tilt by -60deg)\n"
                        "}\n",
                        starts[i]);
        TestVerified v = test_verify(text.data, "", "up");
        const SomFinding *found = only(&v);
        ck_assert_msg(som_str_starts_with(found->details, SOM_STR("likewise 'm[")), "%s",
                      found->details.data);
        ck_assert_int_eq(found->subject_count, 3);
        ck_assert_str_eq(found->fix.length > 0 ? found->fix.data : "",
                         i == 0 ? "the nearest value is 'm[1].tilt' by -45 deg" : "");
        test_verified_free(&v);
        som_text_free(&text);
    }
}
END_TEST

START_TEST(repetitions_that_begin_anew_are_looked_at_in_every_pass) {
    expect("mixed", "11:63",
           "sent from 62 deg to 93 deg in its 3rd run, at 0.43 s, 3 deg beyond its limit "
           "of 90 deg",
           "the nearest value is 'bend' by 30 deg");
}
END_TEST

// What a player does after the time that is verified is certain, too.
START_TEST(certain_runs_after_the_prediction_are_reported_without_a_time) {
    SomVerifyOptions options = som_verify_default_options();
    options.most_time = 59; // of what ends later
    TestVerified v = test_verify_with(one, "", "late", &options);
    ck_assert(isnan(only(&v)->t0) && isnan(only(&v)->worst));
    ck_assert_str_eq(only(&v)->text.data,
                     "sent from 80 deg to 100 deg in its 5th run, 10 deg beyond its limit "
                     "of 90 deg");
    test_verified_free(&v);
    v = test_verify_with(one, "", "small", &options);
    ck_assert_msg(strstr(only(&v)->message.data, "9001st run") != NULL, "%s",
                  only(&v)->message.data);
    test_verified_free(&v);
}
END_TEST

START_TEST(moves_that_were_cut_off_count_from_where_they_were_held) {
    TestVerified v = test_verify(one, "", "cut");
    ck_assert_msg(test_count_of(&v, SOM_JOINT_LIMIT) == 0, "%s", test_findings(&v));
    test_verified_free(&v);
    // never sent: another branch ended in the same tick
    v = test_verify(one, "", "unsent");
    ck_assert_msg(test_count_of(&v, SOM_JOINT_LIMIT) == 0, "%s", test_findings(&v));
    test_verified_free(&v);
    // after a speed, a move counts from where the joint is: at 30 deg and a bit
    v = test_verify(one, "", "spun");
    const SomFinding *found = only(&v);
    ck_assert_str_eq(test_place(&v, found), "16:72");
    ck_assert(found->value > 99 * DEG && found->value < 102 * DEG && found->fix.length == 0);
    test_verified_free(&v);
}
END_TEST

START_TEST(moves_from_beyond_a_limit_are_not_reported_again) {
    expect("again", "18:29", "sent to 120 deg, 30 deg beyond its limit of 90 deg",
           "the nearest value is 'tilt' 90 deg");
}
END_TEST

// ---- random behaviors

typedef enum Kind { TO, BY, SERIES, REPEAT, PARALLEL, CHOOSE, UNTIL, CUT } Kind;

typedef struct Part {
    Kind kind;
    int joint, value; // of a move, degrees in the sense of bend
    bool is_tilt;     // written with the alias, which counts the other way round
    int passes;
    int first, second; // parts; -1: none
} Part;

#define MOST_PARTS 60

typedef struct Behavior {
    Part parts[MOST_PARTS];
    int count;
    bool is_branched; // sensors decide
    int starts[2];    // degrees
} Behavior;

static int add_part(Behavior *b, Part part) {
    b->parts[b->count] = part;
    return b->count++;
}

static int make(Behavior *b, SomTestRandom *random, int depth, int joint) {
    bool is_leaf = depth == 0 || b->count > MOST_PARTS / 2;
    int kind = is_leaf
                   ? som_test_int(random, TO, BY + 2)
                   : som_test_int(random, depth > 3 ? SERIES : TO, b->is_branched ? CUT : PARALLEL);
    kind = is_leaf && kind > BY ? BY : kind;
    int which = joint >= 0 ? joint : som_test_int(random, 0, 1);
    if (kind <= BY) {
        int most = kind == TO ? 18 : 8;
        return add_part(b, (Part){.kind = (Kind)kind,
                                  .joint = which,
                                  .value = 5 * som_test_int(random, -most, most),
                                  .is_tilt = som_test_int(random, 0, 1) == 1});
    }
    int index = add_part(b, (Part){.kind = (Kind)kind, .passes = som_test_int(random, 1, 4)});
    if (kind == PARALLEL && joint >= 0) { // one joint: its branches would conflict
        b->parts[index].kind = kind = SERIES;
    }
    int first = make(b, random, depth - 1, kind == PARALLEL ? 0 : joint);
    bool has_second = kind == SERIES || kind == PARALLEL || kind == CHOOSE;
    int second = has_second ? make(b, random, depth - 1, kind == PARALLEL ? 1 : joint) : -1;
    b->parts[index].first = first;
    b->parts[index].second = second;
    return index;
}

static void print(const Behavior *b, int index, SomText *out) {
    static const char *const opening[] = {[SERIES] = "series(",
                                          [PARALLEL] = "parallel(",
                                          [CHOOSE] = "choose(contact(a): ",
                                          [UNTIL] = "repeat until contact(a): ",
                                          [CUT] = "any(wait until contact(a) timeout 1s, "};
    const Part *p = &b->parts[index];
    if (p->kind <= BY) {
        som_text_printf(out, "%c.%s %s %ddeg during 10ms", 'a' + p->joint,
                        p->is_tilt ? "tilt" : "bend", p->kind == TO ? "to" : "by",
                        p->is_tilt ? -p->value : p->value);
        return;
    }
    if (p->kind == REPEAT) {
        som_text_printf(out, "repeat %d: ", p->passes);
    } else {
        som_text_add(out, som_str(opening[p->kind]));
    }
    print(b, p->first, out);
    if (p->second >= 0) {
        som_text_add(out, p->kind == CHOOSE ? SOM_STR(", else: ") : SOM_STR(", "));
        print(b, p->second, out);
    }
    som_text_add(out, p->kind == REPEAT || p->kind == UNTIL ? SOM_STR("") : SOM_STR(")"));
}

static void write_design(const Behavior *b, SomText *text) {
    som_text_printf(text,
                    "use \"smores.m3l\"\n"
                    "config Two {\n"
                    "    part a, b : SMORES\n"
                    "    connect a.B to b.T\n"
                    "    pose begin { a.bend = %ddeg; b.bend = %ddeg }\n"
                    "    start begin\n"
                    "    behavior go = ",
                    b->starts[0], b->starts[1]);
    print(b, 0, text);
    som_text_add(text, SOM_STR("\n}\n"));
}

// ---- set-points

typedef struct Run {
    int part, number; // of the runs of the part, from 1
    double from, to;
} Run;

#define MOST_RUNS 3000

typedef struct Played {
    const Behavior *behavior;
    SomTestRandom *random; // what sensors say
    double at[2];
    int numbers[MOST_PARTS];
    Run runs[MOST_RUNS];
    int count;
    bool is_cut;
} Played;

static void play(Played *played, int index) {
    const Part *p = &played->behavior->parts[index];
    if (played->is_cut || played->count >= MOST_RUNS) {
        return;
    }
    switch (p->kind) {
    case TO:
    case BY: {
        double from = played->at[p->joint];
        double to = p->kind == TO ? p->value : from + p->value;
        played->runs[played->count++] = (Run){index, ++played->numbers[index], from, to};
        played->at[p->joint] = to;
        break;
    }
    case SERIES:
    case PARALLEL:
        play(played, p->first);
        play(played, p->second);
        break;
    case REPEAT:
    case UNTIL: {
        int passes = p->kind == REPEAT ? p->passes : som_test_int(played->random, 1, 3);
        for (int i = 0; i < passes; i++) {
            play(played, p->first);
        }
        break;
    }
    case CHOOSE:
        play(played, som_test_int(played->random, 0, 1) == 0 ? p->first : p->second);
        break;
    case CUT: { // at some moment its joints are held where they are
        int most = played->count + som_test_int(played->random, 1, 6), before = played->count;
        play(played, p->first);
        played->count = played->count < most ? played->count : most;
        for (int i = before; i < played->count; i++) {
            played->at[played->behavior->parts[played->runs[i].part].joint] =
                som_test_uniform(played->random, -LIMIT, LIMIT);
        }
        break;
    }
    }
}

static Played start(const Behavior *b, SomTestRandom *random) {
    Played played = {.behavior = b, .random = random, .at = {b->starts[0], b->starts[1]}};
    play(&played, 0);
    ck_assert_int_lt(played.count, MOST_RUNS);
    return played;
}

static bool is_beyond(double degrees) {
    return fabs(degrees) > LIMIT + EXCESS;
}

// The first run that leads a joint (-1: any) beyond its limit; NULL: none does.
static const Run *first_beyond(const Played *played, int joint) {
    for (int i = 0; i < played->count; i++) {
        int moved = played->behavior->parts[played->runs[i].part].joint;
        if ((joint < 0 || moved == joint) && is_beyond(played->runs[i].to)) {
            return &played->runs[i];
        }
    }
    return NULL;
}

// ---- comparing

// The part that an action of the graph was written as: both are in the order of the text.
static int part_of(const Behavior *b, const SomActionGraph *g, int32_t node) {
    int moves = 0;
    for (int32_t i = 0; i < node; i++) {
        moves += g->nodes[i].kind == SOM_NODE_ACTION &&
                 g->actions[g->nodes[i].index].kind <= SOM_ACTION_RELATIVE;
    }
    int part = 0;
    while (b->parts[part].kind > BY || moves-- > 0) {
        part++;
    }
    return part;
}

static SomStaticExcesses certain_of(const TestVerified *v) {
    SomStaticExcesses excesses = {0};
    SomServoModel *servos = som_compile_servos(v->configuration);
    som_static_excesses(&(SomStaticDef){.graph = v->graph,
                                        .servos = servos,
                                        .initial = v->configuration->start,
                                        .design = v->configuration},
                        &excesses);
    som_free(servos);
    return excesses;
}

static bool is_near(double a, double b) {
    return fabs(a - b) < 1e-6;
}

// Whether an excess is about this run.
static bool is_about(const SomStaticExcess *e, const Run *run) {
    return is_near(e->from, run->from * DEG) && is_near(e->to, run->to * DEG) &&
           (int)e->run == run->number;
}

// Every claim is true, and the run that is first to lead beyond is among them.
static void compare_certain(const Behavior *b, const TestVerified *v, const Played *played,
                            const char *text) {
    SomStaticExcesses certain = certain_of(v);
    const Run *first[2] = {first_beyond(played, 0), first_beyond(played, 1)};
    bool has_first[2] = {first[0] == NULL, first[1] == NULL};
    for (int i = 0; i < certain.found.count; i++) {
        const SomStaticExcess *e = &certain.found.data[i];
        int part = part_of(b, v->graph, e->node);
        bool is_true = false;
        for (int k = 0; k < played->count; k++) {
            is_true |= played->runs[k].part == part && is_about(e, &played->runs[k]) &&
                       is_beyond(played->runs[k].to);
        }
        ck_assert_msg(is_true && e->is_exact, "from %g to %g in run %g\n%s", e->from / DEG,
                      e->to / DEG, e->run, text);
        int joint = b->parts[part].joint;
        ck_assert_msg(first[joint] != NULL, "%s", text);
        has_first[joint] |= first[joint]->part == part && is_about(e, first[joint]);
        if (!isnan(e->nearest)) { // the other value keeps all within the limits
            Behavior other = *b;
            double value = e->nearest / DEG;
            ck_assert(value * other.parts[part].value > 0);
            other.parts[part].value = 0;
            Played again = {.behavior = &other, .at = {b->starts[0], b->starts[1]}};
            // with the value in the place of 0: runs of the part are added up
            play(&again, 0);
            double added[2] = {0, 0};
            for (int k = 0; k < again.count; k++) {
                const Part *p = &other.parts[again.runs[k].part];
                added[p->joint] = p->kind == TO ? 0 : added[p->joint];
                added[p->joint] += again.runs[k].part == part ? value : 0;
                ck_assert_msg(p->joint != other.parts[part].joint ||
                                  !is_beyond(again.runs[k].to + added[p->joint]),
                              "by %g instead\n%s", value, text);
            }
        }
    }
    for (int joint = 0; joint < 2; joint++) {
        ck_assert_msg(has_first[joint], "not from %g to %g\n%s", first[joint]->from,
                      first[joint]->to, text);
    }
    som_array_free(&certain.found);
}

START_TEST(a_set_point_beyond_a_limit_is_found_if_and_only_if_there_is_one) {
    SomTestRandom random = {2101};
    int rounds = som_test_count(200, 10000), beyond = 0;
    SomVerifyOptions options = som_verify_default_options();
    for (int i = 0; i < rounds; i++) {
        Behavior b = {
            .starts = {5 * som_test_int(&random, -10, 10), 5 * som_test_int(&random, -10, 10)}};
        make(&b, &random, 5, -1);
        SomText text = {0};
        write_design(&b, &text);
        TestVerified v = test_verify_with(text.data, "", "go", &options);
        Played played = start(&b, NULL);
        bool is_found = test_count_of(&v, SOM_JOINT_LIMIT) > 0;
        ck_assert_msg(is_found == (first_beyond(&played, -1) != NULL), "%s\n%s", text.data,
                      test_findings(&v));
        compare_certain(&b, &v, &played, text.data);
        beyond += is_found;
        test_verified_free(&v);
        som_text_free(&text);
    }
    ck_assert(beyond > rounds / 5 && beyond < rounds * 4 / 5);
}
END_TEST

// With branches, loops and cuts that sensors decide: what is claimed is so in every motion.
START_TEST(nothing_is_claimed_that_a_sensor_could_prevent) {
    SomTestRandom random = {2102};
    int rounds = som_test_count(600, 20000), claims = 0;
    for (int i = 0; i < rounds; i++) {
        Behavior b = {
            .is_branched = true,
            .starts = {5 * som_test_int(&random, -10, 10), 5 * som_test_int(&random, -10, 10)}};
        make(&b, &random, 5, -1);
        SomText text = {0};
        write_design(&b, &text);
        TestDesign design = test_design(text.data);
        TestVerified v = {.design = design, .configuration = test_compose(&design, "")};
        SomCompileDef def = {
            .workspace = design.workspace, .configuration = v.configuration, .diags = design.diags};
        v.graph = som_compile_call(&def, SOM_STR("go"));
        ck_assert_msg(v.graph != NULL, "%s", test_diagnostics(&design));
        SomStaticExcesses certain = certain_of(&v);
        for (int k = 0; k < 30 && certain.found.count > 0; k++) {
            Played played = start(&b, &random);
            ck_assert_msg(first_beyond(&played, -1) != NULL, "%s", text.data);
        }
        claims += certain.found.count > 0;
        som_array_free(&certain.found);
        som_action_graph_destroy(v.graph);
        som_configuration_destroy(v.configuration);
        test_design_free(&design);
        som_text_free(&text);
    }
    ck_assert_int_gt(claims, rounds / 20);
}
END_TEST

SOM_SUITE("verify/relative_moves", a_finding_names_the_run_and_the_set_points,
          a_finding_counts_as_the_alias_does, a_finding_has_the_calls_that_lead_to_it,
          what_stays_within_the_limits_is_not_reported, one_statement_of_many_joints_is_one_finding,
          repetitions_that_begin_anew_are_looked_at_in_every_pass,
          certain_runs_after_the_prediction_are_reported_without_a_time,
          moves_that_were_cut_off_count_from_where_they_were_held,
          moves_from_beyond_a_limit_are_not_reported_again,
          a_set_point_beyond_a_limit_is_found_if_and_only_if_there_is_one,
          nothing_is_claimed_that_a_sensor_could_prevent)
