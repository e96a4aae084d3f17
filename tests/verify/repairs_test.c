// SPDX-License-Identifier: Apache-2.0
// Tests for verify/repairs.c, stability_repair.c and roll_repair.c: every repair that is offered
// for a fall is applied as its words say, and the changed design is verified again.

#include "base/codes/verify_codes.h"
#include "tests/verify/verified.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DEGREE (3.14159265358979323846 / 180)

static bool is_fall(SomCode code) {
    return code == SOM_UNSTABLE || code == SOM_FALLS || code == SOM_UNSTABLE_END;
}

static int count_errors(const SomVerification *found, bool falls) {
    int count = 0;
    for (int i = 0; i < found->findings.count; i++) {
        const SomFinding *f = &found->findings.data[i];
        count += f->severity == SOM_ERROR && is_fall(f->code) == falls;
    }
    return count;
}

static int count_balancing(const SomVerification *found) {
    int count = 0;
    for (int i = 0; i < found->findings.count; i++) {
        count += found->findings.data[i].code == SOM_SMALL_MARGIN;
    }
    return count;
}

static void check_repaired(const SomVerification *before, const SomFinding *fall,
                           const SomVerification *after, const char *design) {
    const char *fix = fall->fix.data;
    ck_assert_msg(count_errors(after, true) < count_errors(before, true), "%s: %s", design, fix);
    ck_assert_msg(count_errors(after, false) <= count_errors(before, false), "%s: %s", design, fix);
    ck_assert_msg(count_balancing(after) <= count_balancing(before), "%s: %s", design, fix);
    for (int i = 0; i < after->findings.count; i++) {
        const SomFinding *f = &after->findings.data[i];
        bool is_before = f->t1<fall->t0, is_after = f->t0> fall->t1;
        ck_assert_msg(!is_fall(f->code) || is_before || is_after, "%s: %s", design, fix);
    }
}

// ---- joints

// What the words of a repair say about a joint: its bound, from which side, or its change.
typedef struct JointWords {
    char path[64];
    double value; // SI
    bool is_bound, is_up;
} JointWords;

static bool read_joint(SomStr fix, JointWords *words) {
    char side[16] = "", unit[16] = "";
    double value;
    bool is_bound = sscanf(fix.data, "keep '%63[^']' at or %15s %lf %15s", words->path, side,
                           &value, unit) == 4;
    bool is_change = !is_bound && sscanf(fix.data, "%15s '%63[^']' by %lf %15s", side, words->path,
                                         &value, unit) == 4;
    words->is_bound = is_bound;
    words->is_up = strcmp(side, "above") == 0 || strcmp(side, "raise") == 0;
    words->value = value * (strcmp(unit, "deg") == 0 ? DEGREE : 1e-3);
    return is_bound || is_change;
}

static double keep(const JointWords *words, double value) {
    return words->is_up ? fmax(value, words->value) : fmin(value, words->value);
}

// The design with the joint changed, verified again.
static SomVerification *verify_joint(const TestVerified *v, const JointWords *words,
                                     const SomVerifyOptions *options) {
    int dof = som_configuration_find_dof(v->configuration, som_str(words->path), NULL);
    ck_assert_int_ge(dof, 0);
    SomPosture start = som_posture_start(v->configuration);
    double change = words->is_up ? words->value : -words->value;
    start.values[dof] =
        words->is_bound ? keep(words, start.values[dof]) : start.values[dof] + change;
    SomVerifyDef def = {.mechanism = v->mechanism, .start = start.values, .options = options};
    SomActionGraph graph = {0};
    SomAction *actions = NULL;
    SomKeyframe *keyframes = NULL;
    if (v->graph != NULL) {
        graph = *v->graph;
        actions = som_alloc(((size_t)graph.action_count + 1) * sizeof *actions);
        keyframes = som_alloc(((size_t)graph.keyframe_count + 1) * sizeof *keyframes);
        memcpy(actions, graph.actions, (size_t)graph.action_count * sizeof *actions);
        for (int i = 0; i < graph.keyframe_count; i++) {
            keyframes[i] = graph.keyframes[i];
        }
        for (int i = 0; i < graph.action_count; i++) {
            bool is_of_it = actions[i].kind <= SOM_ACTION_FOLLOW && actions[i].target == dof;
            ck_assert(!is_of_it || words->is_bound);
            for (int k = 0; is_of_it && k < actions[i].keyframe_count; k++) {
                SomKeyframe *keyframe = &keyframes[actions[i].first_keyframe + k];
                keyframe->value = keep(words, keyframe->value);
            }
            actions[i].value = is_of_it ? keep(words, actions[i].value) : actions[i].value;
        }
        graph.actions = actions;
        graph.keyframes = keyframes;
        def.graph = &graph;
    }
    SomVerification *found = som_verify(&def);
    som_posture_free(&start);
    som_free(actions);
    som_free(keyframes);
    return found;
}

// ---- rolls

// Sets the roll of a connection that the text states in words of its own; how much was read.
static int read_roll(const char *words, SomText *text) {
    char a[64], b[64], line[160];
    double roll;
    int length = 0;
    if (sscanf(words, "'%63[^']' to '%63[^']' at %lf deg%n", a, b, &roll, &length) != 3) {
        return 0;
    }
    snprintf(line, sizeof line, "connect %s to %s at ", a, b);
    char *begin = strstr(text->data, line);
    ck_assert_msg(begin != NULL, "%s", line);
    char *angle = begin + strlen(line), *end = strstr(angle, "deg");
    SomText changed = {0};
    som_text_printf(&changed, "%.*s%g%s", (int)(angle - text->data), text->data, roll, end);
    som_text_free(text);
    *text = changed;
    return length;
}

// The text of the design with the connections rolled.
static bool read_rolls(SomStr fix, SomText *text) {
    if (!som_str_starts_with(fix, SOM_STR("connect "))) {
        return false;
    }
    const char *at = fix.data + strlen("connect ");
    int length = read_roll(at, text);
    ck_assert_int_gt(length, 0);
    at += length;
    if (strncmp(at, ", and ", 6) == 0) {
        length = read_roll(at + 6, text);
        ck_assert_int_gt(length, 0);
        at += 6 + length;
    }
    ck_assert_str_eq(at, "");
    return true;
}

// ---- all repairs of a design

typedef struct Tally {
    int falls, joints, rolls;
} Tally;

static void apply_all(const char *design, const char *behavior, const SomVerifyOptions *options,
                      Tally *tally) {
    TestVerified v = test_verify_with(design, "", behavior, options);
    for (int i = 0; i < v.found->findings.count; i++) {
        const SomFinding *f = &v.found->findings.data[i];
        JointWords words;
        SomText text = {0};
        som_text_printf(&text, "%s", design);
        tally->falls += is_fall(f->code);
        if (!is_fall(f->code) || f->fix.length == 0) {
        } else if (read_rolls(f->fix, &text)) {
            TestVerified rolled = test_verify_with(text.data, "", behavior, options);
            check_repaired(v.found, f, rolled.found, design);
            test_verified_free(&rolled);
            tally->rolls++;
        } else {
            ck_assert_msg(read_joint(f->fix, &words), "%s", f->fix.data);
            SomVerification *after = verify_joint(&v, &words, options);
            check_repaired(v.found, f, after, design);
            som_verification_destroy(after);
            tally->joints++;
        }
        som_text_free(&text);
    }
    test_verified_free(&v);
}

// ---- designs

#define TAIL                                                                                       \
    "use \"smores.m3l\"\n"                                                                         \
    "config Tail {\n"                                                                              \
    "    part m[5] : SMORES\n"                                                                     \
    "    connect m[i].B to m[i+1].T for i in 1..4\n"                                               \
    "    base m[1] on ground\n"                                                                    \
    "}\n"

static void print_fold(double second, double third, double front, SomText *out) {
    som_text_printf(out, "%s",
                    "use \"smores.m3l\"\nconfig Tail {\n    part m[5] : SMORES\n"
                    "    connect m[i].B to m[i+1].T for i in 1..4\n    base m[1] on ground\n");
    som_text_printf(out, "    pose p { m[1].front = %gdeg }\n    start p\n", front);
    som_text_printf(out,
                    "    behavior fold = series(wait 200ms, parallel(m[2].bend to %gdeg, "
                    "m[3].bend to %gdeg, m[4].bend to 90deg, m[5].bend to 90deg))\n}\n",
                    second, third);
}

// The example of docs/verify.md: it was to keep 'm[2].bend' at or below 71.14 deg, and then to
// raise 'm[1].front' by 1 deg again and again.
START_TEST(a_fold_does_not_fall_when_it_is_repaired) {
    static const double starts[][3] = {{90, 90, 0}, {71.14, 90, 0}, {71.14, 90, 1}};
    for (int i = 0; i < 3; i++) {
        SomText text = {0};
        print_fold(starts[i][0], starts[i][1], starts[i][2], &text);
        TestVerified v = test_verify(text.data, "", "fold");
        const SomFinding *f = test_find(&v, SOM_UNSTABLE_END);
        JointWords words;
        ck_assert_msg(f != NULL && read_joint(f->fix, &words), "%s", test_findings(&v));
        ck_assert_str_eq(words.path, "m[3].bend");
        som_text_clear(&text);
        print_fold(starts[i][0], words.value / DEGREE, starts[i][2], &text);
        TestVerified w = test_verify(text.data, "", "fold");
        check_repaired(v.found, f, w.found, text.data);
        test_verified_free(&w);
        test_verified_free(&v);
        som_text_free(&text);
    }
}
END_TEST

#define LEGS(fl, fr, rl, rr)                                                                       \
    "use \"chain3.som\"\n"                                                                         \
    "config A {\n"                                                                                 \
    "    part body[5] : Module\n"                                                                  \
    "    part fl, fr, rl, rr : Chain3\n"                                                           \
    "    connect body[i].B to body[i+1].T for i in 1..4\n"                                         \
    "    connect fl.head.L to body[2].L at " fl "deg\n"                                            \
    "    connect fr.head.R to body[2].R at " fr "deg\n"                                            \
    "    connect rl.head.L to body[5].L at " rl "deg\n"                                            \
    "    connect rr.head.R to body[5].R at " rr "deg\n"                                            \
    "    pose stand { fl.leg; fr.leg; rl.leg; rr.leg }\n"                                          \
    "    start stand\n"                                                                            \
    "    behavior nod = body[1].bend to 10deg\n"                                                   \
    "}\n"

// The paper's Fig. 9: no bent spine, but the legs turned round.
START_TEST(reversed_legs_are_turned_round) {
    static const char *const designs[] = {LEGS("270", "90", "90", "270"),
                                          LEGS("90", "90", "90", "270"),
                                          LEGS("90", "270", "270", "90")};
    static const char *const behaviors[] = {NULL, "nod"};
    for (int i = 0; i < 6; i++) {
        Tally tally = {0};
        apply_all(designs[i / 2], behaviors[i % 2], NULL, &tally);
        ck_assert_msg(tally.rolls == 1 && tally.joints == 0, "%s", designs[i / 2]);
    }
}
END_TEST

START_TEST(repairs_of_what_was_made_bad_repair) {
    static const char walkbot[] = "use \"walkbot.som\"\nconfig A {\n    part w : Walkbot\n"
                                  "    pose p { w.stand }\n    start p\n}\n";
    static const char *const designs[][2] = {
        {TAIL, "parallel(for i in 2..5: m[i].bend to 90deg)"},
        {TAIL, "series(m[3].bend to 85deg, m[4].bend to 70deg, wait 1s)"},
        {TAIL, "series(m[2].bend to 90deg, m[4].tilt to -90deg, m[5].tilt to 90deg)"},
        {walkbot, "parallel(w.front_left.middle.bend to 80deg, w.rear_left.middle.bend to 80deg)"},
        {walkbot, "w.trotStride(12deg)"},
        {walkbot, "w.front_left.middle.bend to 90deg"},
        {walkbot, "w.legs(0deg, 70deg, 60deg, 0deg)"},
        {"use \"smores.m3l\"\nconfig A {\n    part m[5] : SMORES\n"
         "    connect m[i].B to m[i+1].T for i in 1..4\n"
         "    base m[1] on ground turned (90deg, 0deg, 0deg)\n}\n",
         "series(wait 1s, m[2].bend to 80deg at 40deg/s)"},
        {"use \"smores.m3l\"\nconfig A {\n    part m[5] : SMORES\n"
         "    connect m[i].B to m[i+1].T for i in 1..4\n"
         "    pose p { m[3].bend = 60deg }\n    start p\n"
         "    base m[1] on ground turned (90deg, 0deg, 0deg)\n}\n",
         NULL}};
    SomVerifyOptions strict = som_verify_default_options();
    strict.rocking = strict.rolling = 0;
    Tally tally = {0};
    for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
        apply_all(designs[i][0], designs[i][1], NULL, &tally);
        apply_all(designs[i][0], designs[i][1], &strict, &tally);
    }
    ck_assert_msg(tally.falls >= 10 && tally.joints >= 6, "%d of %d", tally.joints, tally.falls);
}
END_TEST

// What moves just before the fall is tried before what has moved all the time.
START_TEST(a_fall_at_the_end_of_a_long_motion_is_repaired) {
    Tally tally = {0};
    apply_all("use \"walkbot.som\"\nconfig A {\n    part w : Walkbot\n"
              "    pose p { w.stand }\n    start p\n}\n",
              "series(w.walk(2), parallel(w.front_left.middle.bend to 80deg, "
              "w.rear_left.middle.bend to 80deg), wait 1s)",
              NULL, &tally);
    ck_assert_int_eq(tally.joints, 1);
}
END_TEST

// Chains that lie or stand, whose joints go anywhere.
START_TEST(repairs_of_random_motions_repair) {
    SomTestRandom random = {23};
    Tally tally = {0};
    for (int i = 0; i < 40; i++) {
        int modules = som_test_int(&random, 3, 6);
        SomText text = {0}, behavior = {0};
        som_text_printf(&text,
                        "use \"smores.m3l\"\nconfig A {\n    part m[%d] : SMORES\n"
                        "    connect m[i].B to m[i+1].T for i in 1..%d\n    base m[1] on ground%s\n"
                        "    pose p { m[2].bend = %gdeg }\n    start p\n}\n",
                        modules, modules - 1,
                        som_test_int(&random, 0, 1) == 0 ? "" : " turned (90deg, 0deg, 0deg)",
                        round(som_test_uniform(&random, -20, 20)));
        som_text_add(&behavior, SOM_STR("parallel("));
        for (int k = 1; k <= modules; k++) {
            som_text_printf(&behavior, "%sm[%d].%s to %gdeg", k == 1 ? "" : ", ", k,
                            som_test_int(&random, 0, 1) == 0 ? "bend" : "tilt",
                            round(som_test_uniform(&random, -85, 85)));
        }
        som_text_add(&behavior, SOM_STR(")"));
        apply_all(text.data, i % 4 == 0 ? NULL : behavior.data, NULL, &tally);
        som_text_free(&text);
        som_text_free(&behavior);
    }
    ck_assert_msg(tally.joints >= 8, "%d of %d", tally.joints, tally.falls);
}
END_TEST

// ---- what other findings offer

typedef struct Other {
    SomCode code;
    const char *text;     // with %s
    const char *behavior; // with %s if the text has none; NULL: the configuration
    const char *bad;
    const char *fix;  // with %lf for the value that it offers
    const char *good; // with %g for the value, to be written instead
} Other;

#define TWO(connect, base, behavior)                                                               \
    "use \"smores.m3l\"\nconfig A {\n    part m[3] : SMORES\n    connect m[1].B to m[2].T" connect \
    "\n    connect m[2].B to m[3].T\n    base m[1] " base "\n    behavior b = " behavior "\n}\n"

static TestVerified verify_other(const Other *o, const char *words) {
    char text[1024];
    snprintf(text, sizeof text, o->text, words);
    return test_verify(text, "", o->behavior);
}

static void check_other(const Other *o) {
    TestVerified v = verify_other(o, o->bad);
    const SomFinding *f = test_find(&v, o->code);
    double value = 0;
    char words[128];
    ck_assert_msg(f != NULL, "%s", test_findings(&v));
    int read = sscanf(f->fix.data, o->fix, &value);
    ck_assert_msg(strstr(o->fix, "%lf") != NULL ? read == 1 : strcmp(f->fix.data, o->fix) == 0,
                  "%s", f->fix.data);
    snprintf(words, sizeof words, o->good, value);
    TestVerified w = verify_other(o, words);
    ck_assert_msg(test_find(&w, o->code) == NULL, "%s: %s", words, test_findings(&w));
    ck_assert_int_le(count_errors(w.found, false), count_errors(v.found, false) - 1);
    test_verified_free(&w);
    test_verified_free(&v);
}

START_TEST(what_other_findings_offer_repairs_them) {
    static const Other others[] = {
        {SOM_DOCK_GAP, TWO("%s", "on ground", "wait 10ms"), NULL, " gap 5mm",
         "bring the faces together: leave out 'gap'", ""},
        {SOM_GROUND_PENETRATION, TWO("", "at (0m, 0m, %s)", "wait 10ms"), NULL, "-20mm",
         "raise the base by %lf mm", "-20mm + %gmm"},
        {SOM_GROUND_PENETRATION, TWO("", "at (0m, 0m, %s)", "m[3].bend to 20deg"), "b", "-20mm",
         "raise the base by %lf mm", "-20mm + %gmm"},
        {SOM_JOINT_LIMIT, TWO("", "on ground", "m[2].bend to %s"), "b", "99.87654deg",
         "the nearest value is 'm[2].bend' %lf deg", "%gdeg"},
        {SOM_JOINT_LIMIT, TWO("", "on ground", "repeat 7: m[2].bend by %s"), "b", "14deg",
         "the nearest value is 'm[2].bend' by %lf deg", "%gdeg"},
        {SOM_JOINT_LIMIT, TWO("", "on ground", "m[3].bend spin 1rad/s %s"), "b", "during 3s",
         "end the action when 'm[3].bend' reaches %lf deg", "until m[3].bend >= %gdeg"},
        {SOM_JOINT_SPEED, TWO("", "on ground", "m[3].bend to 30deg at %s"), "b", "800deg/s",
         "move 'm[3].bend' at %lf deg/s or less", "%gdeg/s"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        check_other(&others[i]);
    }
}
END_TEST

#define RING(n)                                                                                    \
    "use \"loop.som\"\nconfig A {\n    part ring : LoopN(n = " n ")\n"                             \
    "    base ring.m[1] on ground turned (0deg, 90deg, 0deg)\n}\n"

// A ring of four in which one joint opens this far needs more of its neighbours than they can.
START_TEST(loops_that_cannot_be_closed_are_not_said_to_be) {
    TestVerified v = test_verify(RING("8"), "", "ring.m[3].tilt by 10deg");
    const SomFinding *f = test_find(&v, SOM_LOOP_TEARS);
    ck_assert_msg(f != NULL && f->fix.length > 0, "%s", test_findings(&v));
    test_verified_free(&v);
    v = test_verify(RING("4"), "", "ring.m[3].tilt by -80deg");
    f = test_find(&v, SOM_LOOP_TEARS);
    ck_assert_msg(f != NULL && f->fix.length == 0, "%s", f != NULL ? f->fix.data : "safe");
    test_verified_free(&v);
}
END_TEST

SOM_SUITE("verify/repairs", a_fold_does_not_fall_when_it_is_repaired,
          reversed_legs_are_turned_round, repairs_of_what_was_made_bad_repair,
          a_fall_at_the_end_of_a_long_motion_is_repaired, repairs_of_random_motions_repair,
          what_other_findings_offer_repairs_them, loops_that_cannot_be_closed_are_not_said_to_be)
