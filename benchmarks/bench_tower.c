// SPDX-License-Identifier: Apache-2.0
// The tower of Vona's "virtual articulation" work: blocks on two legs each, per block 18 joints, 12
// links and 6 closures. Its top is dragged to where all blocks tilt by 4 degrees and stretch by 4
// percent. Flat, everything is solved at once; hierarchical, each leg is driven by
// a virtual piston, which is driven by a virtual backbone.

#include "base/memory.h"
#include "benchmarks/bench.h"
#ifdef SOM_HAVE_LAPACK
#include "benchmarks/peer_lapack.h"
#endif
#include "linkage/kinematics.h"
#include "linkage/solver.h"

#include <assert.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define STEPS 10 // of one drag; the target is then met to rounding
#define GOALS 3
#define SIZES 3
#define TURNS 5

static const int sizes[SIZES] = {15, 50, 100}; // blocks

// ---- building

typedef struct Tower {
    SomLinkage *linkage;
    SomDiagnostics *diags;
    bool is_hierarchical;
    int blocks;
    SomLinkId top;
    SomKinematics *upright; // as it begins
    SomSolver *solver;
    double goals[GOALS];
    size_t bytes; // of linkage and solver
} Tower;

static SomPose shift(double x, double y) {
    SomPose pose = som_pose_identity();
    pose.position = som_vec3(x, y, 0);
    return pose;
}

// "a1_7L"
static SomStr label(char text[32], const char *prefix, int block, char side) {
    snprintf(text, 32, "%s%d%c", prefix, block, side);
    return som_str(text);
}

static SomLinkId add_link(Tower *t, SomSublinkageId in, SomStr name) {
    return som_linkage_add_link(t->linkage, &(SomLinkDef){.sublinkage = in, .name = name},
                                t->diags);
}

static SomJointId add_closure(Tower *t, SomStr name, SomJointType type, SomLinkId parent,
                              SomLinkId child, SomPose parent_frame, SomPose child_frame) {
    SomJointDef def = {.name = name,
                       .type = type,
                       .parent = parent,
                       .child = child,
                       .parent_frame = parent_frame,
                       .child_frame = child_frame};
    return som_linkage_add_joint(t->linkage, &def, t->diags);
}

static void add_hinge(Tower *t, SomStr name, SomLinkId parent, SomLinkId child, SomPose at,
                      double angle) {
    SomJointId joint =
        add_closure(t, name, SOM_JOINT_REVOLUTE, parent, child, at, som_pose_identity());
    som_linkage_make_tree(t->linkage, joint, t->diags);
    som_linkage_set_value(t->linkage, joint, SOM_DOF_RZ, angle, t->diags);
}

// Along y, by 1.
static void add_slider(Tower *t, SomStr name, SomLinkId parent, SomLinkId child) {
    SomPose up = {som_rotation_x(-acos(0)), {0, 0, 0}}, back = {som_rotation_x(acos(0)), {0, 0, 0}};
    SomJointId joint = add_closure(t, name, SOM_JOINT_PRISMATIC, parent, child, up, back);
    som_linkage_make_tree(t->linkage, joint, t->diags);
    som_linkage_set_value(t->linkage, joint, SOM_DOF_TZ, 1, t->diags);
}

static SomSublinkageId part_for(Tower *t, SomSublinkageId outer, SomStr name) {
    return t->is_hierarchical
               ? som_linkage_add_sublinkage(t->linkage, outer, name, SOM_DRIVEN, t->diags)
               : outer;
}

static void add_leg(Tower *t, int block, double x, SomLinkId below, SomLinkId above) {
    const double a = 0.4, b = 0.5, rise = (1 - b) / 2; // lengths of outer and middle links
    double bend = copysign(atan2(sqrt(a * a - rise * rise), rise), x);
    char side = x < 0 ? 'L' : 'R', s[32];
    SomPose at = shift(x, 0), none = som_pose_identity();

    SomSublinkageId piston = part_for(t, som_linkage_top(t->linkage), label(s, "I", block, side));
    SomLinkId a1 = add_link(t, piston, label(s, "a1_", block, side));
    SomLinkId a2 = add_link(t, piston, label(s, "a2_", block, side));
    add_hinge(t, label(s, "R1_", block, side), below, a1, at, 0);
    add_slider(t, label(s, "P_", block, side), a1, a2);
    add_closure(t, label(s, "R2_", block, side), SOM_JOINT_REVOLUTE, above, a2, at, none);

    SomSublinkageId leg = part_for(t, piston, label(s, "A", block, side));
    SomLinkId l1 = add_link(t, leg, label(s, "l1_", block, side));
    SomLinkId l2 = add_link(t, leg, label(s, "l2_", block, side));
    SomLinkId l3 = add_link(t, leg, label(s, "l3_", block, side));
    add_hinge(t, label(s, "r1_", block, side), below, l1, at, -bend);
    add_hinge(t, label(s, "r2_", block, side), l1, l2, shift(0, a), bend);
    add_hinge(t, label(s, "r3_", block, side), l2, l3, shift(0, b), bend);
    add_closure(t, label(s, "r4_", block, side), SOM_JOINT_REVOLUTE, above, l3, at, shift(0, -a));
    add_closure(t, label(s, "K_", block, side), SOM_JOINT_CARTESIAN_2, a1, l2, none, none);
}

static void add_blocks(Tower *t) {
    char s[32];
    SomSublinkageId all = som_linkage_top(t->linkage);
    t->top = add_link(t, all, SOM_STR("T0"));
    SomJointId base =
        add_closure(t, SOM_STR("base"), SOM_JOINT_FIXED, som_linkage_top_ground(t->linkage), t->top,
                    som_pose_identity(), som_pose_identity());
    som_linkage_make_tree(t->linkage, base, t->diags);
    for (int block = 1; block <= t->blocks; block++) {
        SomLinkId below = t->top;
        SomLinkId middle = add_link(t, all, label(s, "m", block, '_'));
        t->top = add_link(t, all, label(s, "T", block, '_'));
        add_hinge(t, label(s, "B", block, 'r'), below, middle, som_pose_identity(), 0);
        add_slider(t, label(s, "B", block, 'p'), middle, t->top);
        add_leg(t, block, -0.5, below, t->top);
        add_leg(t, block, 0.5, below, t->top);
    }
    assert(som_diagnostics_error_count(t->diags) == 0);
}

static const int goal_dofs[GOALS] = {SOM_DOF_TX, SOM_DOF_TY, SOM_DOF_RZ};

static void find_goals(Tower *t) {
    const double tilt = 4 * acos(-1) / 180;
    SomPose top = som_pose_identity(), block = {som_rotation_z(tilt), {0, 0, 0}};
    for (int i = 0; i < t->blocks; i++) {
        top = som_pose_compose(top, som_pose_compose(block, shift(0, 1.04)));
    }
    // many blocks make more than half a turn, which the coordinates of the top go along with
    double y[6], along[6] = {[SOM_DOF_RZ] = tilt * t->blocks};
    som_pose_to_coordinates(top, along, y);
    for (int i = 0; i < GOALS; i++) {
        t->goals[i] = y[goal_dofs[i]];
    }
}

static size_t bytes_in_use(void) {
#ifdef __GLIBC__
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

static Tower build(int blocks, bool is_hierarchical) {
    Tower t = {.blocks = blocks, .is_hierarchical = is_hierarchical};
    t.diags = som_diagnostics_create();
    size_t before = bytes_in_use();
    t.linkage = som_linkage_create();
    add_blocks(&t);
    find_goals(&t);
    SomGoal goals[GOALS];
    for (int i = 0; i < GOALS; i++) {
        SomJointId handle = som_linkage_get_link(t.linkage, t.top).root_joint;
        goals[i] = (SomGoal){SOM_LEVEL_TARGET, handle, goal_dofs[i], t.goals[i]};
    }
    SomSolverDef def = {.goals = goals, .goal_count = GOALS};
    t.solver = som_solver_create(t.linkage, &def, t.diags);
    assert(t.solver != NULL);
    t.bytes = bytes_in_use() - before;
    t.upright = som_kinematics_compile(t.linkage);
    return t;
}

static void unbuild(Tower *t) {
    som_kinematics_destroy(t->upright);
    som_solver_destroy(t->solver);
    som_linkage_destroy(t->linkage);
    som_diagnostics_destroy(t->diags);
}

// ---- whole iterations

// From upright; putting it back there is in the time of the iterations.
static void drag(SomBench *bench, void *context) {
    Tower *t = context;
    som_kinematics_store(t->upright, t->linkage);
    for (int i = 0; i < STEPS; i++) {
        som_bench_keep(bench, som_solver_step(t->solver, t->linkage)->largest_change);
    }
}

// How far the drag is from its goal in the end.
static double rest(Tower *t) {
    const SomSolverReport *report = som_solver_measure(t->solver, t->linkage);
    return fmax(report->levels[SOM_LEVEL_INVARIANT].norm, report->levels[SOM_LEVEL_TARGET].norm);
}

// Sizes take turns, so that a noisy while on the machine spoils none of them.
static void time_drags(SomBench *bench, bool is_hierarchical) {
    static const char *const what[2][4] = {
        {"flat iteration", "flat memory", "flat rest after 10 iterations", "flat growth"},
        {"hierarchical iteration", "hierarchical memory", "hierarchical rest after 10 iterations",
         "hierarchical growth"}};
    const char *const *names = what[is_hierarchical];
    double times[SIZES];
    Tower towers[SIZES];
    for (int i = 0; i < SIZES; i++) {
        towers[i] = build(sizes[i], is_hierarchical);
    }
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < SIZES; i++) {
            double time = som_bench_seconds(bench, drag, &towers[i]) / STEPS;
            times[i] = turn == 0 || time < times[i] ? time : times[i];
        }
    }
    for (int i = 0; i < SIZES; i++) {
        som_bench_row(bench, names[0], sizes[i], times[i], NULL, 0);
        som_bench_value(bench, names[1], sizes[i], 0, (double)towers[i].bytes / 1024, "KiB");
        som_bench_value(bench, names[2], sizes[i], 0, rest(&towers[i]), "m and rad");
        unbuild(&towers[i]);
    }
    som_bench_target(bench, names[0], sizes[0], 1e6 * times[0], "us", SOM_AT_MOST,
                     is_hierarchical ? 100 : 300);
    som_bench_value(bench, names[3], sizes[1], 0, times[1] / times[0], "times 15 blocks");
    som_bench_target(bench, names[3], sizes[2], times[2] / times[0], "times 15 blocks", SOM_AT_MOST,
                     8);
}

// ---- the solve alone

// The matrices of one flat iteration.
typedef struct Problem {
    SomArena arena;
    int columns, rows;
    int level_rows[2]; // closures, target
    SomPriority *step;
    double *dense; // the same rows as one matrix, column by column
    double *residuals;
    double *theirs; // the step of the peer
    struct SomPeerLapack *peer;
} Problem;

// Columns of the coordinates of a node's joint begin here; returns how many there are in all.
static int number_columns(const SomKinematics *k, int *first) {
    int count = 0;
    for (int node = 0; node < k->node_count; node++) {
        first[node] = count;
        count += node == 0 ? 0 : som_joint_type(k->nodes[node].type)->dof_count;
    }
    return count;
}

typedef SOM_ARRAY(SomPriorityRow) RowList;

// Appends a closure's rows for the coordinates in `dofs`.
static void add_rows(Problem *p, SomKinematics *k, int closure, unsigned dofs, SomLevel level,
                     const double *goal, const int *first, RowList *rows) {
    int *nodes = som_arena_new(&p->arena, int, k->node_count);
    int *signs = som_arena_new(&p->arena, int, k->node_count);
    int count = som_kinematics_support(k, closure, nodes, signs, k->node_count);
    int *columns = som_arena_new(&p->arena, int, 6 * count);
    double *values = som_arena_new(&p->arena, double, 36 * count);
    SomClosureFrame frame;
    som_kinematics_close(k, closure, &frame);
    int filled = 0;
    for (int i = 0; i < count; i++) {
        SomAxis axes[6];
        int dof_count = som_kinematics_axes(k, nodes[i], axes);
        for (int a = 0; a < dof_count; a++, filled++) {
            columns[filled] = first[nodes[i]] + a;
            som_kinematics_column(&frame, &axes[a], values + 6 * filled);
            for (int d = 0; d < 6; d++) {
                values[6 * filled + d] *= signs[i];
            }
        }
    }
    for (int d = 0; d < 6; d++) {
        if (dofs >> d & 1) {
            SomPriorityRow row = {.level = level,
                                  .columns = columns,
                                  .values = values + d,
                                  .count = filled,
                                  .stride = 6,
                                  .scale = 1,
                                  .residual = k->closures[closure].y[d] - goal[d],
                                  .is_active = true};
            som_array_push(rows, row);
        }
    }
}

static void fill_dense(Problem *p) {
    p->dense = som_arena_new(&p->arena, double, p->rows * p->columns);
    p->residuals = som_arena_new(&p->arena, double, p->rows);
    p->theirs = som_arena_new(&p->arena, double, p->columns);
    for (int r = 0; r < p->rows; r++) {
        const SomPriorityRow *row = &p->step->rows[r];
        p->residuals[r] = row->residual;
        for (int i = 0; i < row->count; i++) {
            p->dense[row->columns[i] * p->rows + r] += row->values[i * row->stride];
        }
    }
}

// The problem that the next iteration of a flat tower solves.
static void extract(Problem *p, const Tower *t) {
    const double shut[6] = {0};
    double goal[6] = {0};
    SomKinematics *k = som_kinematics_compile(t->linkage);
    int *first = som_arena_new(&p->arena, int, k->node_count);
    p->columns = number_columns(k, first);
    RowList rows = {0};
    for (int i = 0; i < k->closure_count; i++) {
        if (!k->closures[i].is_root) {
            unsigned held = 0x3fu & ~som_joint_type(k->closures[i].type)->freedom;
            add_rows(p, k, i, held, SOM_LEVEL_INVARIANT, shut, first, &rows);
        }
    }
    p->level_rows[0] = rows.count;
    bool is_tree;
    SomJointId handle = som_linkage_get_link(t->linkage, t->top).root_joint;
    int closure = som_kinematics_find_joint(k, handle, &is_tree);
    unsigned led = 0;
    for (int i = 0; i < GOALS; i++) {
        led |= 1u << goal_dofs[i];
        goal[goal_dofs[i]] = t->goals[i];
    }
    add_rows(p, k, closure, led, SOM_LEVEL_TARGET, goal, first, &rows);
    p->level_rows[1] = rows.count - p->level_rows[0];
    p->rows = rows.count;
    size_t room = SOM_SOLVER_MOST_NUMBERS;
    p->step = som_priority_create(&p->arena, p->columns, rows.data, rows.count, &room);
    fill_dense(p);
    som_array_free(&rows);
    som_kinematics_destroy(k);
}

static void solve_ours(SomBench *bench, void *context) {
    Problem *p = context;
    SomPriorityOptions options = som_priority_default_options();
    som_priority_step(p->step, &options);
    som_bench_keep(bench, p->step->dx[0]);
}

#ifdef SOM_HAVE_LAPACK
static void solve_theirs(SomBench *bench, void *context) {
    Problem *p = context;
    SomPriorityOptions options = som_priority_default_options();
    som_peer_lapack_step(p->peer, p->dense, p->residuals, &options, p->theirs);
    som_bench_keep(bench, p->theirs[0]);
}

static const char *const peer_name = "dgesdd";

static double time_theirs(SomBench *bench, Problem *p) {
    p->peer = som_peer_lapack_create(p->columns, 2, p->level_rows);
    double time = som_bench_seconds(bench, solve_theirs, p);
    som_peer_lapack_destroy(p->peer);
    return time;
}
#else
static const char *const peer_name = NULL;

static double time_theirs(SomBench *bench, Problem *p) {
    (void)bench, (void)p;
    return 0;
}
#endif

// How far two steps of the same problem are apart.
static double difference(const Problem *p) {
    double worst = 0;
    for (int c = 0; c < p->columns; c++) {
        worst = fmax(worst, fabs(p->theirs[c] - p->step->dx[c]));
    }
    return worst;
}

static double largest_change(const Problem *p) {
    double largest = 0;
    for (int c = 0; c < p->columns; c++) {
        largest = fmax(largest, fabs(p->step->dx[c]));
    }
    return largest;
}

// The solve of all iterations of a drag, each on the same matrices as the peer. The steps must
// agree, and ours must be the one that the solver takes.
static void time_solve(SomBench *bench, int blocks, const char *peer) {
    Tower t = build(blocks, false);
    double ours = 0, theirs = 0, worst = 0;
    for (int i = 0; i < STEPS; i++) {
        Problem p = {0};
        extract(&p, &t);
        ours += som_bench_seconds(bench, solve_ours, &p);
        if (peer != NULL) {
            theirs += time_theirs(bench, &p);
            worst = fmax(worst, difference(&p));
        }
        double taken = som_solver_step(t.solver, t.linkage)->largest_change;
        worst = fmax(worst, fabs(largest_change(&p) - taken));
        som_arena_free(&p.arena);
    }
    som_bench_row(bench, "flat solve alone", blocks, ours / STEPS, peer, theirs / STEPS);
    if (peer != NULL && blocks == sizes[0]) {
        som_bench_target(bench, "flat solve alone", blocks, theirs / ours, "times faster",
                         SOM_AT_LEAST, 15);
    }
    som_bench_value(bench, "flat solve difference", blocks, 0, worst, "m and rad");
    unbuild(&t);
}

void som_bench_tower(SomBench *bench) {
    time_drags(bench, false);
    time_drags(bench, true);
    for (int i = 0; i < SIZES; i++) {
        time_solve(bench, sizes[i], sizes[i] <= 50 ? peer_name : NULL); // more takes minutes
    }
}
