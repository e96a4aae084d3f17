// SPDX-License-Identifier: Apache-2.0
// The behaviors of the library: each compiles, has nothing to be said against, and plays to its
// end.

#include "behaviors/compile.h"
#include "behaviors/prediction.h"
#include "behaviors/static_checks.h"
#include "tests/compose/texts.h"
#include "tests/suite.h"

#include <math.h>

typedef struct Played {
    SomDiagnostics *diags;
    SomWorkspace *workspace;
    SomConfiguration *design;
    SomActionGraph *graph;
    SomPrediction motion;
} Played;

static Played play(const char *name, const char *choice, const char *call) {
    Played p = {.diags = som_diagnostics_create()};
    p.workspace = som_workspace_create(som_str(test_library), p.diags);
    int file = som_workspace_open(p.workspace, som_str(name));
    p.design = som_configuration_compose(p.workspace, file, som_str(choice), p.diags);
    ck_assert_msg(p.design != NULL, "%s", name);
    SomCompileDef def = {.workspace = p.workspace, .configuration = p.design, .diags = p.diags};
    p.graph = som_compile_call(&def, som_str(call));
    ck_assert_msg(p.graph != NULL, "%s %s", name, call);
    SomServoModel *servos = som_compile_servos(p.design);
    som_static_check(&(SomStaticDef){.graph = p.graph, .servos = servos}, p.diags);
    SomPredictionDef prediction = {
        .graph = p.graph, .servos = servos, .initial = p.design->start, .design = p.design};
    bool is_finished = som_prediction_play(&prediction, &p.motion, p.diags);
    ck_assert_msg(is_finished, "%s %s", name, call);
    int count;
    som_diagnostics_get(p.diags, &count);
    ck_assert_msg(count == 0, "%s %s has something to be said against", name, call);
    som_free(servos);
    return p;
}

static void discard(Played *p) {
    som_prediction_free(&p->motion);
    som_action_graph_destroy(p->graph);
    som_configuration_destroy(p->design);
    som_workspace_destroy(p->workspace);
    som_diagnostics_destroy(p->diags);
}

static double value_at(const Played *p, int sample, const char *path) {
    SomAlias alias;
    int dof = som_configuration_find_dof(p->design, som_str(path), &alias);
    ck_assert_int_ge(dof, 0);
    double value = p->motion.positions.data[sample * p->motion.dof_count + dof];
    return alias.sign * (value - alias.zero);
}

static const struct {
    const char *design;
    const char *choice;
    const char *call;
} all[] = {
    {"module", "", "drive"},
    {"module", "", "tiltMiddle(45deg)"},
    {"module", "", "spinTop(90deg)"},
    {"chain3", "", "drive"},
    {"chain3", "", "steeringPose"},
    {"chain3", "", "legStep"},
    {"chain3", "", "holdRigid"},
    {"chain3", "", "steer(-30deg)"},
    {"chain3", "", "key(45deg)"},
    {"chain3", "", "halfSine1"},
    {"chain3", "", "halfSine2"},
    {"chain3", "", "sineGait"},
    {"snake", "", "nSnakeSineGait"},
    {"snake", "Snake(n = 3)", "nSnakeSineGait(waves = 2)"},
    {"snake", "Chain18", "SineGait18"},
    {"car", "", "drive"},
    {"car", "", "turn"},
    {"car", "", "square"},
    {"chain6", "", "drive"},
    {"chain6", "", "turn"},
    {"chain6", "", "holdRigid"},
    {"walkbot", "", "walk"},
    {"walkbot", "Walkbot17", "walk(n = 3)"},
    {"walkbot", "", "trot(n = 2)"},
    {"backhoe", "", "drive"},
    {"backhoe", "", "turn"},
    {"backhoe", "", "scan"},
    {"backhoe", "", "patrol"},
    {"backhoe", "", "cornerScan"},
    {"grasper", "", "grasp"},
    {"grasper", "", "release"},
    {"ckbot_quadruped", "", "sidle"},
    {"ckbot_quadruped", "", "sidle(n = 1, s = -15deg)"},
    {"ckbot_quadruped", "", "inch"},
    {"ckbot_quadruped", "", "spineWave"},
    {"ckbot_quadruped", "", "stand"},
    {"ring", "", "curl"},
    {"ring", "Ring(n = 9)", "curlAndBack(t = 1s)"},
};

START_TEST(each_plays_to_its_end) {
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        Played p = play(all[i].design, all[i].choice, all[i].call);
        int late = 0;
        for (int k = 0; k < p.motion.events.count; k++) {
            late += p.motion.events.data[k].is_end &&
                    p.motion.events.data[k].reason != SOM_END_DONE &&
                    p.motion.events.data[k].reason != SOM_END_DURATION;
        }
        ck_assert_msg(late == 0, "%s %s: a time-out ran out", all[i].design, all[i].call);
        ck_assert_int_gt(p.motion.events.count, 0);
        discard(&p);
    }
}
END_TEST

START_TEST(joints_are_where_the_behavior_says) {
    Played p = play("chain3", "", "steer(-30deg)");
    int last = p.motion.times.count - 1;
    const double slack = 0.04;
    ck_assert_double_eq_tol(value_at(&p, last, "middle.pan"), 1.5708, slack);
    ck_assert_double_eq_tol(value_at(&p, last, "tail.pan"), -1.5708, slack);
    ck_assert_double_eq_tol(value_at(&p, last, "middle.tilt"), -0.5236, slack);
    discard(&p);
    p = play("grasper", "", "grasp(30deg)");
    last = p.motion.times.count - 1;
    ck_assert_double_eq_tol(value_at(&p, last, "left.tail.tilt"), -0.5236, 0.09);
    discard(&p);
    p = play("car", "", "wheels");
    last = p.motion.times.count - 1;
    ck_assert_double_eq_tol(value_at(&p, last, "rear_right.right"), 3.1416, 0.05);
    ck_assert_double_eq_tol(value_at(&p, last, "rear_right.left"), 3.1416, 0.05);
    ck_assert_double_eq(value_at(&p, last, "rear_right.bend"), 0);
    discard(&p);
}
END_TEST

// The area that two joints go round: 0 for a way there and back.
static double area_of(const Played *p, const char *x, const char *y) {
    double area = 0;
    for (int i = 1; i < p->motion.times.count; i++) {
        double xa = value_at(p, i - 1, x), xb = value_at(p, i, x);
        double ya = value_at(p, i - 1, y), yb = value_at(p, i, y);
        area += (xa * yb - xb * ya) / 2;
    }
    return fabs(area);
}

START_TEST(gaits_are_cycles) {
    Played p = play("walkbot", "", "walk(n = 4)");
    ck_assert_double_gt(area_of(&p, "front_left.head.left", "front_left.middle.bend"), 0.2);
    ck_assert_double_gt(area_of(&p, "rear_right.head.right", "rear_right.middle.bend"), 0.2);
    double behind = 0; // a foot that pushes goes far behind its hip
    for (int i = 0; i < p.motion.times.count; i++) {
        behind = fmax(behind, value_at(&p, i, "front_right.head.right"));
    }
    ck_assert_double_gt(behind, 0.45);
    int last = p.motion.times.count - 1; // and it stands again
    ck_assert_double_eq_tol(value_at(&p, last, "front_left.head.left"), 0, 0.04);
    ck_assert_double_eq_tol(value_at(&p, last, "front_left.middle.bend"), 0, 0.06);
    discard(&p);
    p = play("snake", "", "nSnakeSineGait(waves = 2)");
    ck_assert_double_gt(area_of(&p, "s[2].head.tilt", "s[2].middle.tilt"), 0.5);
    discard(&p);
    p = play("ckbot_quadruped", "", "sidle");
    ck_assert_double_gt(area_of(&p, "front_left.hip.hinge", "front_left.knee.hinge"), 0.1);
    ck_assert_double_gt(area_of(&p, "rear_left.hip.hinge", "rear_left.knee.hinge"), 0.1);
    discard(&p);
    p = play("ckbot_quadruped", "", "inch");
    ck_assert_double_gt(area_of(&p, "front_left.knee.hinge", "spine[2].hinge"), 0.3);
    discard(&p);
    p = play("ckbot_quadruped", "", "spineWave");
    ck_assert_double_gt(area_of(&p, "spine[1].hinge", "spine[2].hinge"), 0.3);
    discard(&p);
}
END_TEST

SOM_SUITE("library_behaviors", each_plays_to_its_end, joints_are_where_the_behavior_says,
          gaits_are_cycles)
