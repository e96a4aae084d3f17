// SPDX-License-Identifier: Apache-2.0
// Inverse kinematics of a serial arm with seven hinges, in the proportions of KUKA's LBR iiwa 7
// R800 (data sheet: 0.34 m to the shoulder, 0.4 m to the elbow, 0.4 m to the wrist, 0.126 m to the
// flange; turns of 170, 120, 170, 120, 170, 120 and 175 degrees either way). Targets are poses of
// the flange at random postures; every solver starts from the same other random posture.
//
// A target is a virtual link that stands still, to which a general joint ties the flange; the
// solver leads the six coordinates of that joint to zero. Where it stays off, it starts again from
// another posture, as a user's loop round the steps would; the time counts all of it.

#include "base/memory.h"
#include "benchmarks/bench.h"
#ifdef SOM_HAVE_KDL
#include "benchmarks/peer_kdl.h"
#endif
#include "linkage/solver.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define HINGES 7
#define TARGETS 1000
#define TOLERANCE 1e-5
#define MOST_STEPS 60
#define MOST_STARTS 20

typedef struct Case {
    SomPose target;
    double start[HINGES];
} Case;

typedef struct Arm {
    SomLinkage *linkage;
    SomDiagnostics *diags;
    SomSolver *solver;
    SomJointId hinges[HINGES];
    SomJointId stand; // of the target
    double turns[HINGES];
    uint64_t random;
    int starts; // in all
    int steps;
} Arm;

// Where the next hinge stands in each, in the end the flange.
static SomPose after_hinge(int hinge) {
    static const double lengths[HINGES] = {0.34, 0, 0.4, 0, 0.4, 0, 0.126};
    static const int quarters[HINGES] = {-1, 1, 1, -1, -1, 1, 0};
    SomPose pose = {som_rotation_x(quarters[hinge] * acos(0)), {0, 0, lengths[hinge]}};
    return pose;
}

static SomPose flange_at(const double *posture) {
    SomPose pose = som_pose_identity();
    for (int i = 0; i < HINGES; i++) {
        SomPose turn = {som_rotation_z(posture[i]), {0, 0, 0}};
        pose = som_pose_compose(som_pose_compose(pose, turn), after_hinge(i));
    }
    return pose;
}

static bool is_solved(const double *posture, SomPose target) {
    return som_pose_distance(flange_at(posture), target) <= TOLERANCE;
}

// Uniform from -1 to 1 (a linear congruence; its high bits are good).
static double draw(uint64_t *random) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*random >> 11) / (double)(1ull << 52) - 1;
}

static void draw_posture(uint64_t *random, const double *turns, double *posture) {
    for (int i = 0; i < HINGES; i++) {
        posture[i] = turns[i] * draw(random);
    }
}

// ---- ours

static Arm build(bool has_limits) {
    static const double degrees[HINGES] = {170, 120, 170, 120, 170, 120, 175};
    Arm arm = {.linkage = som_linkage_create(), .diags = som_diagnostics_create(), .random = 7};
    SomLinkage *l = arm.linkage;
    SomLinkId last = som_linkage_top_ground(l);
    static const char *const names[HINGES] = {"1", "2", "3", "4", "5", "6", "7"};
    for (int i = 0; i < HINGES; i++) {
        SomLinkId link =
            som_linkage_add_link(l, &(SomLinkDef){.name = som_str(names[i])}, arm.diags);
        arm.turns[i] = degrees[i] * acos(-1) / 180;
        SomJointDef def = {.name = som_str(names[i]),
                           .type = SOM_JOINT_REVOLUTE,
                           .parent = last,
                           .child = link,
                           .child_frame = after_hinge(i)};
        if (has_limits) {
            def.limits.limited = 1u << SOM_DOF_RZ;
            def.limits.low[SOM_DOF_RZ] = -arm.turns[i];
            def.limits.high[SOM_DOF_RZ] = arm.turns[i];
        }
        arm.hinges[i] = som_linkage_add_joint(l, &def, arm.diags);
        som_linkage_make_tree(l, arm.hinges[i], arm.diags);
        last = link;
    }
    SomLinkDef target = {.name = SOM_STR("target"), .is_virtual = true};
    SomLinkId stand = som_linkage_add_link(l, &target, arm.diags);
    arm.stand = som_linkage_get_link(l, stand).root_joint;
    SomJointDef reach = {.name = SOM_STR("reach"),
                         .type = SOM_JOINT_GENERAL,
                         .parent = stand,
                         .child = last,
                         .is_virtual = true};
    SomJointId handle = som_linkage_add_joint(l, &reach, arm.diags);
    SomGoal goals[6];
    for (int d = 0; d < 6; d++) {
        goals[d] = (SomGoal){SOM_LEVEL_TARGET, handle, d, 0};
    }
    SomPriorityOptions options = som_priority_default_options();
    options.level_step = 2; // longer ways than for the hand that drags
    options.largest_step = 1;
    SomSolverDef def = {.goals = goals,
                        .goal_count = 6,
                        .locked = &arm.stand,
                        .locked_count = 1,
                        .options = options};
    arm.solver = som_solver_create(l, &def, arm.diags);
    assert(som_diagnostics_error_count(arm.diags) == 0);
    return arm;
}

static void unbuild(Arm *arm) {
    som_solver_destroy(arm->solver);
    som_linkage_destroy(arm->linkage);
    som_diagnostics_destroy(arm->diags);
}

static void set_posture(Arm *arm, const double *posture) {
    for (int i = 0; i < HINGES; i++) {
        som_linkage_set_value(arm->linkage, arm->hinges[i], SOM_DOF_RZ, posture[i], arm->diags);
    }
}

// Steps until the flange is there; false if it does not come there.
static bool approach(Arm *arm) {
    for (int i = 0; i < MOST_STEPS; i++) {
        arm->steps++;
        som_solver_step(arm->solver, arm->linkage);
        const SomSolverReport *report = som_solver_measure(arm->solver, arm->linkage);
        if (report->levels[SOM_LEVEL_TARGET].norm <= TOLERANCE) {
            return true;
        }
    }
    return false;
}

static void solve_ours(void *context, const Case *c, double *posture) {
    Arm *arm = context;
    double y[6], start[HINGES];
    som_pose_to_coordinates(c->target, NULL, y);
    for (int d = 0; d < 6; d++) {
        som_linkage_set_value(arm->linkage, arm->stand, d, y[d], arm->diags);
    }
    set_posture(arm, c->start);
    arm->starts++;
    for (int starts = 1; !approach(arm) && starts < MOST_STARTS; starts++) {
        draw_posture(&arm->random, arm->turns, start);
        set_posture(arm, start);
        arm->starts++;
    }
    for (int i = 0; i < HINGES; i++) {
        som_linkage_coordinates(arm->linkage, arm->hinges[i], y);
        posture[i] = y[SOM_DOF_RZ];
    }
}

// ---- theirs

#ifdef SOM_HAVE_KDL
static void solve_theirs(void *context, const Case *c, double *posture) {
    som_peer_kdl_solve(context, c->target, c->start, posture);
}
#endif

// ---- both

typedef struct Score {
    double median;
    int solved;
} Score;

static int compare_times(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// The median over all cases, solved or not, of each one's best time, and how many were solved.
static Score measure(SomBench *bench, void (*solve)(void *, const Case *, double *), void *context,
                     const Case *cases) {
    Score score = {0};
    double *times = som_alloc(TARGETS * sizeof *times);
    for (int run = 0; run < bench->runs; run++) {
        score.solved = 0;
        for (int i = 0; i < TARGETS; i++) {
            double posture[HINGES], begin = som_bench_now();
            solve(context, &cases[i], posture);
            double time = som_bench_now() - begin;
            times[i] = run == 0 || time < times[i] ? time : times[i];
            score.solved += is_solved(posture, cases[i].target);
            som_bench_keep(bench, posture[0]);
        }
    }
    qsort(times, TARGETS, sizeof *times, compare_times);
    score.median = times[TARGETS / 2];
    som_free(times);
    return score;
}

#ifdef SOM_HAVE_KDL
// Against KDL with some weight of radians beside metres.
static void compare(SomBench *bench, const char *peer, double weight, Score ours,
                    const Case *cases) {
    SomPose after[HINGES];
    for (int i = 0; i < HINGES; i++) {
        after[i] = after_hinge(i);
    }
    SomPeerKdl *kdl = som_peer_kdl_create(after, HINGES, TOLERANCE, weight);
    Score theirs = measure(bench, solve_theirs, kdl, cases);
    som_bench_row(bench, "median", TARGETS, ours.median, peer, theirs.median);
    som_bench_value(bench, peer, TARGETS, 0, theirs.solved, "solved");
    som_bench_target(bench, "ours", TARGETS, ours.solved, "solved", SOM_AT_LEAST, theirs.solved);
    som_bench_target(bench, "median", TARGETS, 1e6 * ours.median, "us", SOM_AT_MOST,
                     1e6 * theirs.median);
    som_peer_kdl_destroy(kdl);
}
#endif

static Score measure_ours(SomBench *bench, bool has_limits, const Case *cases) {
    Arm arm = build(has_limits);
    Score score = measure(bench, solve_ours, &arm, cases);
    double all = (double)TARGETS * bench->runs;
    const char *what = has_limits ? "ours within limits" : "ours";
    som_bench_value(bench, what, TARGETS, 0, score.solved, "solved");
    som_bench_value(bench, what, TARGETS, 0, arm.steps / all, "steps each");
    som_bench_value(bench, what, TARGETS, 0, arm.starts / all - 1, "restarts each");
    unbuild(&arm);
    return score;
}

void som_bench_ik(SomBench *bench) {
    Case *cases = som_alloc(TARGETS * sizeof *cases);
    Arm arm = build(true);
    uint64_t random = 1;
    for (int i = 0; i < TARGETS; i++) {
        double posture[HINGES];
        draw_posture(&random, arm.turns, posture);
        cases[i].target = flange_at(posture);
        draw_posture(&random, arm.turns, cases[i].start);
    }
    unbuild(&arm);
    Score ours = measure_ours(bench, false, cases);
#ifdef SOM_HAVE_KDL
    compare(bench, "KDL LMA weight 1", 1, ours, cases);
    compare(bench, "KDL LMA weight 0.01", 0.01, ours, cases);
#else
    som_bench_row(bench, "median", TARGETS, ours.median, NULL, 0);
#endif
    Score limited = measure_ours(bench, true, cases);
    som_bench_row(bench, "median within limits", TARGETS, limited.median, NULL, 0);
    som_free(cases);
}
