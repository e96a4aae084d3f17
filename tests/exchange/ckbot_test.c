// CKBot robots of LTLMoP: poses against its table of port pairs, gaits against its formulas.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "space/trigonometry.h"
#include "tests/exchange/lab_files.h"
#include "tests/exchange/placed_text.h"
#include "tests/exchange/read_type.h"

#include <math.h>
#include <stdio.h>

#define DEGREE (SOM_PI / 180)

// ---- LTLMoP

// How a module is turned that is connected with its second port to the first port of another: in
// right angles about x, y, z (X, Y, Z: the other way), from left to right, in LTLMoP's axes. Facts
// of VerifiableRobotics/LTLMoP, src/lib/simulator/ode/ckbot/loadModules.py lines 76-614.
typedef struct Pair {
    int a, b;
    const char *turns;
} Pair;

static const Pair pairs[] = {
    {1, 1, "zz"},   {1, 3, "yyZ"}, {1, 5, "z"},  {1, 7, ""},     {2, 2, "yyzz"}, {2, 4, "yyz"},
    {2, 6, "Z"},    {2, 7, "Y"},   {3, 1, "Z"},  {3, 3, "xxyy"}, {3, 5, "xx"},   {3, 7, "z"},
    {4, 2, "xxZ"},  {4, 4, "yy"},  {4, 6, ""},   {4, 7, "Yx"},   {5, 1, "xxz"},  {5, 3, "xx"},
    {5, 5, "xxyy"}, {5, 7, "xxZ"}, {6, 2, "z"},  {6, 4, ""},     {6, 6, "yy"},   {6, 7, "xZ"},
    {7, 1, ""},     {7, 2, "y"},   {7, 3, "Z"},  {7, 4, "yZ"},   {7, 5, "yyz"},  {7, 6, "yz"},
    {7, 7, "zz"},   {8, 8, "yzz"}, {8, 9, "Yz"}, {8, 10, "yZ"},  {9, 8, "xZ"},   {9, 9, "Xyy"},
    {9, 10, "X"},   {10, 8, "xz"}, {10, 9, "x"}, {10, 10, "xyy"}};
#define PAIR_COUNT ((int)(sizeof pairs / sizeof *pairs))

static SomMat3 turn_of(const char *turns) {
    SomMat3 turn = som_mat3_identity();
    for (const char *c = turns; *c != '\0'; c++) {
        bool is_back = *c < 'a';
        char axis = (char)(is_back ? *c + 32 : *c);
        double angle = is_back ? -SOM_PI / 2 : SOM_PI / 2;
        turn = som_mat3_multiply(turn, axis == 'x'   ? som_rotation_x(angle)
                                       : axis == 'y' ? som_rotation_y(angle)
                                                     : som_rotation_z(angle));
    }
    return turn;
}

// Where the neighbour at a port is: 0 below, 1 at x, 2 at -x, 3 above.
static int side_of(int port) {
    static const int sides[11] = {-1, 0, 0, 1, 1, 2, 2, 3, 0, 1, 2};
    return sides[port];
}

static SomPose step_of(const Pair *pair) {
    static const SomVec3 at[4] = {{0, -0.06, 0}, {0.06, 0, 0}, {-0.06, 0, 0}, {0, 0.06, 0}};
    return (SomPose){turn_of(pair->turns), at[side_of(pair->a)]};
}

// With z up, and the axes of the library's U-Bar, whose head is LTLMoP's bottom.
static SomPose ours(SomPose pose) {
    SomMat3 up = som_rotation_x(SOM_PI / 2);
    SomMat3 axes = {{{0, 1, 0}, {0, 0, -1}, {-1, 0, 0}}};
    SomPose turned = som_pose_compose((SomPose){up, {0, 0, 0}}, pose);
    return som_pose_compose(turned, (SomPose){axes, {0, 0, 0}});
}

// ---- files

typedef struct Robot {
    int count;
    int ports[20][20];
    SomPose poses[20]; // LTLMoP's
} Robot;

static void print_robot(const Robot *robot, const char *base, SomText *out) {
    som_text_add(out,
                 SOM_STR("# CKBot Simulator Robot File\nConfigName:\nRandom\n\nConnMatrix:\n"));
    for (int i = 0; i < robot->count; i++) {
        for (int k = 0; k < robot->count; k++) {
            som_text_printf(out, "%d ", robot->ports[i][k]);
        }
        som_text_add(out, SOM_STR("\r\n"));
    }
    som_text_printf(out, "\n%s\n", base);
}

static double find_error(const Robot *robot, const char *base) {
    SomText text = {0};
    print_robot(robot, base, &text);
    SomImported result = som_test_import("robot.ckbot", som_text_str(&text), -1);
    SomTestPlaced placed = som_test_place_text(som_text_str(&result.som));
    ck_assert_int_eq(placed.configuration->module_count, robot->count);
    ck_assert_int_eq(placed.configuration->connection_count, robot->count - 1);
    double worst = 0;
    for (int i = 0; i < robot->count; i++) {
        char path[16];
        snprintf(path, sizeof path, "M%d", i);
        SomPose is = som_test_pose_of(&placed, path);
        worst = fmax(worst, som_pose_distance(is, ours(robot->poses[i])));
    }
    som_test_free_placed(&placed);
    som_imported_free(&result);
    som_text_free(&text);
    return worst;
}

// ---- robots

START_TEST(every_pair_of_ports_stands_as_in_ltlmop) {
    for (int i = 0; i < PAIR_COUNT; i++) {
        Robot robot = {.count = 2};
        robot.ports[0][1] = pairs[i].a;
        robot.ports[1][0] = pairs[i].b;
        robot.poses[0] = som_pose_identity();
        robot.poses[1] = step_of(&pairs[i]);
        double error = find_error(&robot, "RelativeOffset:\n0 0 0\n");
        ck_assert_msg(error < 1e-9, "%d-%d: %g", pairs[i].a, pairs[i].b, error);
    }
}
END_TEST

static bool is_pair(int a, int b) {
    for (int i = 0; i < PAIR_COUNT; i++) {
        if (pairs[i].a == a && pairs[i].b == b) {
            return true;
        }
    }
    return false;
}

START_TEST(pairs_that_ltlmop_does_not_know_are_refused) {
    for (int a = 1; a <= 10; a++) {
        for (int b = 1; b <= 10; b++) {
            char text[100];
            snprintf(text, sizeof text, "ConnMatrix:\n0 %d\n%d 0\n", a, b);
            if (!is_pair(a, b)) {
                ck_assert(som_test_refusal("a.ckbot", som_str(text)) == SOM_CKBOT_PORTS);
            }
        }
    }
}
END_TEST

// The face of a module that a port is on, as LTLMoP places it.
static int face_below(const Pair *pair) {
    SomMat3 turn = turn_of(pair->turns);
    static const SomVec3 normals[4] = {{0, -1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}};
    SomVec3 out = normals[side_of(pair->a)];
    for (int i = 0; i < 4; i++) {
        SomVec3 normal = som_pose_rotate((SomPose){turn, {0, 0, 0}}, normals[i]);
        if (som_vec3_dot(normal, out) < -0.5) {
            return i;
        }
    }
    ck_abort();
}

static void grow(SomTestRandom *random, Robot *robot) {
    bool taken[20][4] = {0};
    robot->poses[0] = som_pose_identity();
    for (int i = 1; i < robot->count; i++) {
        for (;;) {
            int parent = som_test_int(random, 0, i - 1);
            const Pair *pair = &pairs[som_test_int(random, 0, PAIR_COUNT - 1)];
            if (!taken[parent][side_of(pair->a)]) {
                taken[parent][side_of(pair->a)] = taken[i][face_below(pair)] = true;
                robot->ports[parent][i] = pair->a;
                robot->ports[i][parent] = pair->b;
                robot->poses[i] = som_pose_compose(robot->poses[parent], step_of(pair));
                break;
            }
        }
    }
}

START_TEST(robots_stand_as_in_ltlmop) {
    SomTestRandom random = {31};
    double worst = 0;
    for (int n = 0; n < som_test_count(60, 2000); n++) {
        Robot robot = {.count = som_test_int(&random, 1, 20)};
        grow(&random, &robot);
        int first = som_test_int(&random, -36, 36) * 10, second = som_test_int(&random, -4, 4) * 90;
        int z = som_test_int(&random, -5, 5);
        char base[200];
        snprintf(base, sizeof base,
                 "RelativeOffset:\n1 2.5 %d\n\n# in this order\nRelativeRotation:\n%d x\n%d y\n\n"
                 "ForwardVector:\n- z\n\n",
                 z, first, second);
        SomMat3 turn =
            som_mat3_multiply(som_rotation_y(second * DEGREE), som_rotation_x(first * DEGREE));
        SomPose stands = {turn, {0.06, 0.15, 0.06 * z}};
        for (int i = 0; i < robot.count; i++) {
            robot.poses[i] = som_pose_compose(stands, robot.poses[i]);
        }
        worst = fmax(worst, find_error(&robot, base));
    }
    ck_assert_double_lt(worst, 1e-7);
}
END_TEST

// Four in a square: the last connection closes the ring.
START_TEST(rings_close_or_are_refused) {
    ck_assert(
        som_test_refusal("a.ckbot", SOM_STR("ConnMatrix:\n0 7 0 5\n1 0 3 0\n0 1 0 3\n3 0 1 0\n")) ==
        SOM_CKBOT_PORTS);
    SomImported result =
        som_test_import("a.ckbot", SOM_STR("ConnMatrix:\n0 7 0 3\n1 0 3 0\n0 1 0 3\n3 0 1 0\n"), 0);
    SomTestPlaced placed = som_test_place_text(som_text_str(&result.som));
    ck_assert_int_eq(placed.configuration->connection_count, 4);
    som_test_free_placed(&placed);
    som_imported_free(&result);
}
END_TEST

// ---- gaits

// Joints are where they were sent a tick before.
#define TICK 0.01

#define TWO "ConnMatrix:\n0 7\n1 0\n\n"

static SomTestPlaced import_gaits(const char *text, int warnings) {
    SomImported result = som_test_import("robot.ckbot", som_str(text), warnings);
    SomTestPlaced placed = som_test_place_text(som_text_str(&result.som));
    som_imported_free(&result);
    return placed;
}

START_TEST(fixed_gaits_go_from_row_to_row) {
    static const double rows[4][2] = {{0, 10}, {30, 10}, {-45.5, 10}, {0, -90}};
    SomTestPlaced placed = import_gaits(TWO "Gaits:\nGait 1\nType Fixed\n0 1000\n3000 1000\n"
                                            "-4550 1000\n0 -9000\n2\n",
                                        1);
    SomPrediction played = som_test_play_exactly(&placed, "gait_1(rate = 1)", TICK);
    ck_assert_double_eq_tol(played.duration, 2, 1e-9);
    for (int i = 0; i < 200; i++) {
        double time = i * TICK, step = 2.0 / 3; // a time less than rows
        int row = (int)fmin(floor(time / step), 2);
        double part = time / step - row;
        for (int k = 0; k < 2; k++) {
            double meant = (rows[row][k] + part * (rows[row + 1][k] - rows[row][k])) * DEGREE;
            double is =
                som_test_joint_at(&placed, &played, time + TICK, k == 0 ? "M0.hinge" : "M1.hinge");
            ck_assert_double_eq_tol(is, meant, 1e-3 * DEGREE);
        }
    }
    som_prediction_free(&played);
    som_test_free_placed(&placed);
}
END_TEST

START_TEST(periodic_gaits_are_sines) {
    SomTestPlaced placed = import_gaits(TWO "Gaits:\nGait 7:\nType Periodic\n6000 -2050\n6 4\n"
                                            "-9000 4550\n",
                                        1);
    SomPrediction played = som_test_play_exactly(&placed, "gait_7(rate = 1)", TICK);
    ck_assert_double_eq_tol(played.duration, SOM_PI, 0.011); // of 6 and 4 rad/s, in ticks
    double worst = 0;
    for (int i = 0; i < 313; i++) {
        double t = i * TICK;
        double a = 60 * sin(6 * t - SOM_PI / 2), b = -20.5 * sin(4 * t + 45.5 * DEGREE);
        worst = fmax(worst,
                     fabs(som_test_joint_at(&placed, &played, t + TICK, "M0.hinge") / DEGREE - a));
        worst = fmax(worst,
                     fabs(som_test_joint_at(&placed, &played, t + TICK, "M1.hinge") / DEGREE - b));
    }
    ck_assert_double_lt(worst, 60 * 36 * 0.02 * 0.02 / 8 + 1e-9); // straight between keyframes
    som_prediction_free(&played);
    played = som_test_play_exactly(&placed, "gait_7(rate = 0.5)", TICK);
    ck_assert_double_eq_tol(played.duration, 2 * SOM_PI, 0.011);
    som_prediction_free(&played);
    som_test_free_placed(&placed);
}
END_TEST

START_TEST(gaits_are_written_for_people) {
    static const struct {
        const char *gaits, *written;
        int warnings;
    } cases[] = {
        {"Gaits:\n# wave\nGait 1\nType Periodic\n0 100\n1 0\n0 9000\n",
         "# wave\n    behavior gait_1(rate: number = 1) = parallel(\n"
         "        M0.hinge to 0deg during 360deg/(rate*1rad/s), "
         "M1.hinge to 1deg during 360deg/(rate*1rad/s))",
         0},
        {"Gaits:\nGait 1\nType Periodic\n100 100\n0.5 0.75\n0 0\n",
         "M0.hinge follow 1deg*sin(rate*0.5rad/s*t) during 360deg/(rate*0.25rad/s)", 0},
        {"Gaits:\nGait 1\nType Periodic\n100 100\n0 0\n0 0\n", "M1.hinge to 0deg during 1s/rate",
         0},
        {"Gaits:\nGait 1\nType Periodic\n100 100\n1 1.01\n0 0\n", "during 360deg/(rate*1rad/s)", 1},
        {"Gaits:\nType Fixed\n\nGait 1\n100 0\n3\n\nGait 2\n0 0\n0 0\n4\n",
         "M0.hinge follow [0s: 1deg, 3s/rate: 1deg] during 3s/rate", 0},
        {"Gaits:\nType Fixed\n\nForwardVector:\n+ x\n\nGait 2\n0 0\n0 0\n4\n",
         "# Forward is y of M0.", 0},
        {"Gaits:\nType Fixed\nGait 1\n0 0\n1 1\n4\nGait 1\n0 0\n1 1\n5\n", "behavior gait_1_2(", 0},
        {"Gaits:\nType Fixed\nGait 1\n0 0\n0 9000\n0.5\n", "(rate: number = 0.497)", 1},
        {"Gaits:\nType Fixed\nGait 1\n0 0 7\n0 1\n3\n", "M1.hinge follow [0s: 0deg, 3s", 1},
        {"Gaits:\nGain 2\nType Fixed\nGait 1\n0 0\n1 1\n4\n", "behavior gait_1(", 1},
        {"Gaits:\nType Fixed\nGait 1\n0 9100\n0 0\n4\n", "[0s: 90deg, 4s/rate: 0deg]", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText text = {0};
        som_text_printf(&text, TWO "%s", cases[i].gaits);
        SomImported result = som_test_import("robot.ckbot", som_text_str(&text), cases[i].warnings);
        ck_assert_msg(strstr(result.som.data, cases[i].written) != NULL, "case %zu: %s", i,
                      result.som.data);
        som_imported_free(&result);
        som_text_free(&text);
    }
    // a row of one module looks like a time
    SomImported result = som_test_import(
        "one.ckbot", SOM_STR("ConnMatrix:\n0\n\nGaits:\nGait 1\nType Fixed\n0\n4500\n0\n2\n"), 0);
    ck_assert(strstr(result.som.data,
                     "M0.hinge follow [0s: 0deg, 1s/rate: 45deg, 2s/rate: 0deg] during 2s/rate") !=
              NULL);
    som_imported_free(&result);
}
END_TEST

// ---- what is wrong

START_TEST(wrong_files_are_refused) {
    static const struct {
        const char *text;
        SomCode code;
    } cases[] = {
        {"", SOM_IMPORT_EMPTY},
        {"ConfigName:\nA\n", SOM_IMPORT_EMPTY},
        {"ConnMatrix:\n0 7\n0 0\n", SOM_CKBOT_MATRIX},
        {"ConnMatrix:\n0 7\n1 0 0\n", SOM_CKBOT_MATRIX},
        {"ConnMatrix:\n0 0 7\n1 0 0\n", SOM_CKBOT_MATRIX},
        {"ConnMatrix:\n0\n1\n", SOM_CKBOT_MATRIX},
        {"ConnMatrix:\n0\n\nConnMatrix:\n0\n", SOM_CKBOT_MATRIX},
        {"ConnMatrix:\n0 11\n1 0\n", SOM_CKBOT_PORTS},
        {"ConnMatrix:\n0 x\n1 0\n", SOM_CKBOT_PORTS},
        {"ConnMatrix:\n0 2\n1 0\n", SOM_CKBOT_PORTS},
        {"ConnMatrix:\n7 0\n0 0\n", SOM_IMPORT_SELF_CONNECTION},
        {"ConnMatrix:\n0 0\n0 0\n", SOM_IMPORT_IN_PIECES},
        {"ConnMatrix:\n0 1 2\n7 0 0\n7 0 0\n", SOM_IMPORT_FACE_TAKEN},
        {TWO "RelativeOffset:\n0 1\n", SOM_CKBOT_SYNTAX},
        {TWO "RelativeOffset:\n0 nan 1\n", SOM_CKBOT_SYNTAX},
        {TWO "RelativeOffset:\n0 1e6 1\n", SOM_IMPORT_OUT_OF_RANGE},
        {TWO "RelativeRotation:\n90 w\n", SOM_CKBOT_SYNTAX},
        {TWO "RelativeRotation:\nx\n", SOM_CKBOT_SYNTAX},
        {TWO "ForwardVector:\ny\n", SOM_CKBOT_SYNTAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomCode code = som_test_refusal("odd.ckbot", som_str(cases[i].text));
        ck_assert_msg(code == cases[i].code, "case %zu: %d", i, (int)code);
    }
}
END_TEST

// The lines with a warning of a gait, "3 5 ", of an import that succeeds.
static void find_gait_lines(const char *text, SomImported *result, SomText *lines) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomArena texts = {0};
    SomImportOptions options = {.library = som_test_library_root()};
    bool fine =
        som_import_text(SOM_STR("robot.ckbot"), som_str(text), &options, &texts, result, diags);
    ck_assert_msg(fine, "%s", text);
    som_diagnostics_sort(diags);
    int count;
    const SomDiagnostic *all = som_diagnostics_get(diags, &count);
    som_text_add(lines, SOM_STR(""));
    for (int i = 0; i < count; i++) {
        if (all[i].kind == SOM_DIAGNOSTIC_REPORT && all[i].code == SOM_CKBOT_GAIT) {
            SomPlace place = som_diagnostics_place(diags, all[i].span.source1, all[i].span.begin);
            som_text_printf(lines, "%d ", place.line);
        }
    }
    som_diagnostics_destroy(diags);
    som_arena_free(&texts);
}

START_TEST(malformed_gaits_are_skipped_and_the_robot_is_kept) {
    static const struct {
        const char *gaits, *lines;
    } cases[] = {
        // the first of them is line 6
        {"Gain x\n", "6 "},
        {"Gait 1\nType Round\n0 0\n2\n", "6 7 "},
        {"Gait 1\n0 0\n0 0\n2\n", "6 "},
        {"Gait 1\nType Fixed\n0 0\n", "6 "},
        {"Gait 1\nType Fixed\n2\n", "6 "},
        {"Gait 1\nType Fixed\n0 0\n-2\n", "6 9 "},
        {"Gait 1\nType Fixed\n0 x\n-2\n", "6 8 9 "},
        {"Gait 1\nType Periodic\n0 0\n0 0\n", "6 "},
        {"Gait 1\nType Periodic\n0 0\n0 0\n0\n", "6 10 "},
        {"Gait 1\nType Fixed\n0 1e9\n2\n", "6 8 "},
        {"Gait 1\nType Fixed\n0 x\ny 0\n0 0\n0 0 z\n2\n", "6 8 9 11 "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText text = {0}, lines = {0};
        som_text_printf(&text,
                        TWO "Gaits:\n%s\nGait 8\nType Fixed\n0 0\n100 100\n2\n"
                            "Gait 9\nType Periodic\n0 100\n1 0\n0 9000\n",
                        cases[i].gaits);
        SomImported result;
        find_gait_lines(text.data, &result, &lines);
        ck_assert_str_eq(lines.data, cases[i].lines);
        ck_assert_int_eq(result.module_count, 2);
        ck_assert(strstr(result.som.data, "behavior gait_1(") == NULL);
        ck_assert(strstr(result.som.data, "behavior gait_8(") != NULL);
        ck_assert(strstr(result.som.data, "behavior gait_9(") != NULL);
        som_imported_free(&result);
        som_text_free(&lines);
        som_text_free(&text);
    }
}
END_TEST

// Their rows cannot be counted before the modules are known.
START_TEST(gaits_before_the_matrix_are_skipped) {
    SomText lines = {0};
    SomImported result;
    find_gait_lines("Gaits:\nGait 1\nType Fixed\n0 0\n1 1\n2\n\nConnMatrix:\n0 7\n1 0\n", &result,
                    &lines);
    ck_assert_str_eq(lines.data, "2 4 ");
    ck_assert(strstr(result.som.data, "behavior") == NULL);
    som_imported_free(&result);
    som_text_free(&lines);
}
END_TEST

START_TEST(what_is_left_out_is_said) {
    static const char *const texts[] = {
        "ConnMatrix:\n0\n\nGaits:\nGait 1 walk\nType Fixed\n0\n4500\n2\n",
        "ConnMatrix:\n0\n\nGaits:\nGait 1\nType Fixed slow\n0\n4500\n2\n",
        "ConnMatrix:\n0\n\nRelativeOffset:\n0 0 0\nRelativeOffset:\n1 0 0\n",
        "ConnMatrix:\n0\n\nColour:\nred\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        SomTestRead r = {.diags = som_diagnostics_create()};
        SomImportOptions options = {.library = som_test_library_root()};
        ck_assert(som_import_text(SOM_STR("a.ckbot"), som_str(texts[i]), &options, &r.texts,
                                  &r.result, r.diags));
        ck_assert_msg(som_diagnostics_has(r.diags, SOM_CKBOT_LEFT_OUT), "%s", texts[i]);
        som_test_free_read(&r);
    }
}
END_TEST

START_TEST(giants_are_refused) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("ConnMatrix:\n"));
    for (int i = 0; i < 501; i++) {
        som_text_add(&text, SOM_STR("0 "));
    }
    ck_assert(som_test_refusal("a.ckbot", som_text_str(&text)) == SOM_CKBOT_TOO_MUCH);
    som_text_clear(&text);
    som_text_add(&text, SOM_STR(TWO "Gaits:\nGait 1\nType Fixed\n"));
    for (int i = 0; i < 100001; i++) {
        som_text_add(&text, SOM_STR("0 0\n"));
    }
    ck_assert(som_test_refusal("a.ckbot", som_text_str(&text)) == SOM_CKBOT_TOO_MUCH);
    som_text_free(&text);
}
END_TEST

SOM_SUITE("exchange/ckbot", every_pair_of_ports_stands_as_in_ltlmop,
          pairs_that_ltlmop_does_not_know_are_refused, robots_stand_as_in_ltlmop,
          rings_close_or_are_refused, fixed_gaits_go_from_row_to_row, periodic_gaits_are_sines,
          gaits_are_written_for_people, wrong_files_are_refused,
          malformed_gaits_are_skipped_and_the_robot_is_kept, gaits_before_the_matrix_are_skipped,
          giants_are_refused, what_is_left_out_is_said)
