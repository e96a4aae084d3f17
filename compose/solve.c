// SPDX-License-Identifier: Apache-2.0

#include "compose/solve.h"

#include "base/memory.h"
#include "compose/lower.h"
#include "compose/mechanism.h"
#include "linkage/solver.h"
#include "space/trigonometry.h"

#include <assert.h>
#include <math.h>

#define MOST_STEPS 500
#define STILL 1e-12 // a step below this is the last

// Where places are stuck short of their targets, as the end of a straight chain that is to fold
// is, joints that lead to them are shaken by so much (radians), as long as all that takes no more
// multiplications than this: a second or so.
static const double shakes[] = {0.02, 0.1, 0.3, 0.6};
#define MOST_SHAKING 4e9
#define WORK_OF_A_LINK 1000.0 // in every step, besides factoring
// What is left over must become less than this part of it to be worth another posture.
#define WORTH 0.99

// A goal and where its values are found in its wish; -1: it has one value only.
typedef struct Lead {
    SomJointId joint;
    int coordinate;
    double value; // the last one
    SomWaypoint *waypoints;
    int count; // 0 if it is no trajectory
} Lead;

typedef struct Solving {
    const SomConfiguration *c;
    const SomSolveDef *def;
    SomLinkage *linkage;
    SomLowering map;
    SOM_ARRAY(SomGoal) goals;
    SOM_ARRAY(Lead) leads;
    SOM_ARRAY(SomJointId) locked;
    SomArena arena;
    SomPosture from; // where solving began
    SomDiagnostics *diags;
} Solving;

// ---- places

static SomLinkId link_of(const Solving *q, const SomSubject *subject) {
    return q->map.links[q->map.first_link[subject->module] + subject->link];
}

// A joint that holds nothing and only measures: the subject's frame seen from the world, or from
// where it would be face to face with another one.
static SomJointId add_measure(Solving *q, const SomWish *wish, int number) {
    SomText name = {0};
    som_text_printf(&name, "%.*s", SOM_STR_ARG(wish->subject.name));
    while (name.length == 0 || som_linkage_find_joint(q->linkage, som_text_str(&name)).index1 > 0) {
        som_text_printf(&name, " (wish %d)", number + 1);
    }
    SomJointDef def = {.name = som_text_str(&name),
                       .type = SOM_JOINT_GENERAL,
                       .parent = som_linkage_top_ground(q->linkage),
                       .child = link_of(q, &wish->subject),
                       .parent_frame = som_pose_identity(),
                       .child_frame = som_pose_invert(wish->subject.frame),
                       .is_virtual = true};
    if (wish->has_other) {
        SomPose turn = som_pose_identity();
        turn.rotation = som_mat3_multiply(som_rotation_z(SOM_PI), som_rotation_x(wish->roll));
        def.parent = link_of(q, &wish->other);
        def.parent_frame = som_pose_compose(wish->other.frame, turn);
    }
    SomJointId joint = som_linkage_add_joint(q->linkage, &def, q->diags);
    som_text_free(&name);
    return joint;
}

// Values of a place as the joint's coordinates: its turn is a rotation vector, near the last one.
static void to_coordinates(const SomWishValue *value, double y[6]) {
    SomVec3 last = som_vec3(y[3], y[4], y[5]);
    SomMat3 r = som_mat3_multiply(
        som_rotation_z(value->values[5]),
        som_mat3_multiply(som_rotation_y(value->values[4]), som_rotation_x(value->values[3])));
    SomVec3 theta = som_rotation_log(r, &last);
    for (int i = 0; i < 3; i++) {
        y[i] = value->values[i];
    }
    y[3] = theta.x;
    y[4] = theta.y;
    y[5] = theta.z;
}

// ---- wishes

static void add_goal(Solving *q, SomLevel level, SomJointId joint, int coordinate, double value) {
    SomGoal goal = {level, joint, coordinate, value};
    som_array_push(&q->goals, goal);
}

static void add_lead(Solving *q, const SomWish *wish, SomJointId joint, int coordinate,
                     const double (*values)[6]) {
    Lead lead = {.joint = joint,
                 .coordinate = coordinate,
                 .value = values[wish->value_count - 1][coordinate]};
    if (wish->value_count > 1 || !isnan(wish->values[0].time)) {
        lead.count = wish->value_count;
        lead.waypoints = som_arena_new(&q->arena, SomWaypoint, lead.count);
        for (int i = 0; i < lead.count; i++) {
            lead.waypoints[i] = (SomWaypoint){wish->values[i].time, values[i][coordinate]};
        }
    }
    som_array_push(&q->leads, lead);
}

static void add_dof_wish(Solving *q, const SomWish *wish) {
    SomJointId joint = q->map.dofs[wish->subject.dof];
    int coordinate = q->map.coordinates[wish->subject.dof];
    if (wish->level == SOM_LEVEL_LOCK) {
        som_array_push(&q->locked, joint);
        return;
    }
    double(*values)[6] = som_arena_alloc(&q->arena, (size_t)wish->value_count, sizeof *values);
    for (int i = 0; i < wish->value_count; i++) {
        values[i][coordinate] = wish->values[i].values[0];
    }
    add_lead(q, wish, joint, coordinate, (const double(*)[6])values);
}

static bool add_place_wish(Solving *q, const SomWish *wish, int number) {
    SomJointId joint = add_measure(q, wish, number);
    if (joint.index1 == 0) {
        return false;
    }
    double y[6];
    som_linkage_coordinates(q->linkage, joint, y);
    double(*values)[6] = som_arena_alloc(&q->arena, (size_t)wish->value_count + 1, sizeof *values);
    for (int i = 0; i < wish->value_count; i++) {
        to_coordinates(&wish->values[i], y);
        memcpy(values[i], y, sizeof y);
    }
    for (int d = 0; d < 6; d++) {
        if (wish->has_other) {
            add_goal(q, wish->level, joint, d, 0);
        } else if (wish->subject.coordinates >> d & 1) {
            if (wish->level == SOM_LEVEL_LOCK) {
                add_goal(q, SOM_LEVEL_LOCK, joint, d, y[d]);
            } else {
                add_lead(q, wish, joint, d, (const double(*)[6])values);
            }
        }
    }
    return true;
}

static bool add_wishes(Solving *q) {
    for (int i = 0; i < q->map.base_count; i++) {
        bool is_fixed = i == 0 ? q->c->base.is_fixed : q->c->pieces[i - 1].is_fixed;
        if (is_fixed || !q->def->is_base_free) {
            som_array_push(&q->locked, q->map.bases[i]);
        }
    }
    for (int i = 0; i < q->def->wish_count; i++) {
        const SomWish *wish = &q->def->wishes[i];
        assert(wish->level == SOM_LEVEL_LOCK || wish->level == SOM_LEVEL_TARGET);
        assert(wish->level == SOM_LEVEL_LOCK || wish->has_other || wish->value_count > 0);
        if (wish->subject.dof >= 0) {
            add_dof_wish(q, wish);
        } else if (!add_place_wish(q, wish, i)) {
            return false;
        }
    }
    for (int i = 0; q->def->posture != NULL && i < q->c->dof_count; i++) {
        add_goal(q, SOM_LEVEL_POSTURE, q->map.dofs[i], q->map.coordinates[i],
                 q->def->posture->values[i]);
    }
    return true;
}

// ---- solving

// Follows what has times; what has none is led to all the while.
static bool follow(Solving *q, SomSolveResult *result) {
    SomTrack *tracks = som_arena_new(&q->arena, SomTrack, q->leads.count + 1);
    SomGoal *goals = som_arena_new(&q->arena, SomGoal, q->goals.count + q->leads.count + 1);
    int track_count = 0, goal_count = 0;
    for (int i = 0; i < q->goals.count; i++) {
        goals[goal_count++] = q->goals.data[i];
    }
    for (int i = 0; i < q->leads.count; i++) {
        const Lead *lead = &q->leads.data[i];
        if (lead->count > 0) {
            tracks[track_count++] =
                (SomTrack){lead->joint, lead->coordinate, lead->waypoints, lead->count};
        } else {
            goals[goal_count++] =
                (SomGoal){SOM_LEVEL_TARGET, lead->joint, lead->coordinate, lead->value};
        }
    }
    if (track_count == 0) {
        return true;
    }
    SomTrajectoryDef def = {.tracks = tracks,
                            .track_count = track_count,
                            .goals = goals,
                            .goal_count = goal_count,
                            .locked = q->locked.data,
                            .locked_count = q->locked.count,
                            .tick = q->def->tick};
    bool is_good = som_trajectory_follow(q->linkage, &def, &result->tracking, q->diags);
    result->iterations += result->tracking.samples.count;
    return is_good;
}

// What came of it, as the linkage is now; the solver moved it last and has measured.
static void record(const Solving *q, SomSolver *solver, const SomLinkage *linkage,
                   SomSolveResult *result) {
    const SomSolverReport *report = som_solver_measure(solver, linkage);
    result->is_closed =
        !report->is_broken && report->levels[SOM_LEVEL_INVARIANT].largest < SOM_SOLVER_SHUT;
    for (int i = 0; i < SOM_LEVELS; i++) {
        result->residuals[i] = report->levels[i].norm;
    }
    som_text_clear(&result->words);
    som_solver_describe(solver, linkage, &result->words);
    som_lowering_read(&q->map, linkage, &result->posture);
    result->bases.count = 0;
    for (int i = 0; i < q->map.base_count; i++) {
        int module = i == 0 ? q->c->base.module : q->c->pieces[i - 1].module;
        int link = i == 0 ? q->c->base.link : q->c->pieces[i - 1].link;
        SomLinkId root = q->map.links[q->map.first_link[module] + link];
        som_array_push(&result->bases, som_linkage_pose(linkage, root));
    }
    result->base = result->bases.data[0];
}

// ---- shaking

// Marks the DoF between a link and the base; those that were marked before are so no longer.
static void mark_way(const SomMechanism *m, const SomSubject *subject, bool *is_on_way) {
    int link = som_mechanism_link_of(m, subject->module, subject->link);
    for (; link >= 0; link = m->links[link].parent) {
        if (m->links[link].dof >= 0) {
            is_on_way[m->links[link].dof] ^= true;
        }
    }
}

// The DoF that lead to places with a target and are not locked: false if there are none.
static bool find_leading(const Solving *q, bool *is_leading) {
    SomMechanism *m = som_mechanism_create(q->c);
    size_t size = sizeof(bool) * (size_t)(q->c->dof_count + 1);
    bool *is_on_way = som_alloc(size);
    bool has_any = false;
    for (int i = 0; i < q->def->wish_count; i++) {
        const SomWish *wish = &q->def->wishes[i];
        if (wish->level != SOM_LEVEL_TARGET || wish->subject.dof >= 0) {
            continue;
        }
        memset(is_on_way, 0, size);
        mark_way(m, &wish->subject, is_on_way);
        if (wish->has_other) {
            mark_way(m, &wish->other, is_on_way);
        }
        for (int k = 0; k < q->c->dof_count; k++) {
            is_leading[k] |= is_on_way[k];
        }
    }
    for (int i = 0; i < q->def->wish_count; i++) {
        const SomWish *wish = &q->def->wishes[i];
        if (wish->level == SOM_LEVEL_LOCK && wish->subject.dof >= 0) {
            is_leading[wish->subject.dof] = false;
        }
    }
    for (int k = 0; k < q->c->dof_count; k++) {
        has_any |= is_leading[k];
    }
    som_free(is_on_way);
    som_mechanism_destroy(m);
    return has_any;
}

static bool is_better(const SomSolverReport *report, const SomSolveResult *best) {
    double target = report->levels[SOM_LEVEL_TARGET].norm;
    for (int i = SOM_LEVEL_INVARIANT; i < SOM_LEVEL_TARGET; i++) { // what comes first holds
        if (report->levels[i].norm > best->residuals[i] + SOM_SOLVER_SHUT) {
            return false;
        }
    }
    return !report->is_broken && target < WORTH * best->residuals[SOM_LEVEL_TARGET];
}

static void set_values(const Solving *q, SomLinkage *linkage, const SomPosture *posture,
                       const bool *is_leading) {
    for (int i = 0; i < posture->count; i++) {
        if (is_leading[i]) {
            som_linkage_set_value(linkage, q->map.dofs[i], q->map.coordinates[i],
                                  posture->values[i], q->diags);
        }
    }
}

static void shake(Solving *q, SomSolver *solver, const SomLinkage *origin, int most,
                  SomSolveResult *result) {
    bool *is_leading = som_alloc(sizeof *is_leading * (size_t)(q->c->dof_count + 1));
    int count = find_leading(q, is_leading) ? (int)(sizeof shakes / sizeof *shakes) : 0;
    double work = 0;
    uint64_t state = 1;
    for (int i = 0; i < count && work < MOST_SHAKING &&
                    result->residuals[SOM_LEVEL_TARGET] > SOM_SOLVER_REACHED;
         i++) {
        SomLinkage *linkage = som_linkage_copy(origin);
        SomPosture posture = som_posture_copy(&q->from);
        som_posture_shake(&posture, q->c, is_leading, shakes[i], &state);
        set_values(q, linkage, &posture, is_leading);
        bool is_moving = true;
        for (int k = 0; k < most && is_moving && work < MOST_SHAKING; k++) {
            const SomSolverReport *report = som_solver_step(solver, linkage);
            is_moving = report->largest_change >= STILL;
            work += report->work + WORK_OF_A_LINK * q->map.first_link[q->c->module_count];
            result->iterations++;
        }
        if (is_better(som_solver_measure(solver, linkage), result)) {
            record(q, solver, linkage, result);
        }
        som_posture_free(&posture);
        som_linkage_destroy(linkage);
    }
    som_free(is_leading);
}

static bool settle(Solving *q, SomSolveResult *result) {
    for (int i = 0; i < q->leads.count; i++) {
        const Lead *lead = &q->leads.data[i];
        add_goal(q, SOM_LEVEL_TARGET, lead->joint, lead->coordinate, lead->value);
    }
    SomSolverDef def = {.goals = q->goals.data,
                        .goal_count = q->goals.count,
                        .locked = q->locked.data,
                        .locked_count = q->locked.count};
    SomSolver *solver = som_solver_create(q->linkage, &def, q->diags);
    if (solver == NULL) {
        return false;
    }
    int most = q->def->most_steps > 0 ? q->def->most_steps : MOST_STEPS;
    SomLinkage *origin = som_linkage_copy(q->linkage);
    som_solver_solve(solver, q->linkage, most);
    result->iterations += som_solver_measure(solver, q->linkage)->steps;
    record(q, solver, q->linkage, result);
    if (result->tracking.samples.count == 0) { // what followed a trajectory is where it belongs
        shake(q, solver, origin, most, result);
    }
    som_linkage_destroy(origin);
    som_solver_destroy(solver);
    return true;
}

bool som_solve(const SomConfiguration *c, const SomSolveDef *def, SomSolveResult *result,
               SomDiagnostics *diags) {
    som_solve_result_free(result);
    Solving q = {.c = c, .def = def, .diags = diags};
    result->posture = def->from != NULL ? som_posture_copy(def->from) : som_posture_start(c);
    q.linkage = som_lower(c, &result->posture, &q.map, diags);
    q.from = som_posture_copy(&result->posture);
    bool is_good = q.linkage != NULL && add_wishes(&q) && follow(&q, result) && settle(&q, result);
    som_posture_free(&q.from);
    som_array_free(&q.goals);
    som_array_free(&q.leads);
    som_array_free(&q.locked);
    som_arena_free(&q.arena);
    som_lowering_free(&q.map);
    som_linkage_destroy(q.linkage);
    return is_good;
}

void som_solve_result_free(SomSolveResult *result) {
    som_posture_free(&result->posture);
    som_text_free(&result->words);
    som_tracking_free(&result->tracking);
    som_array_free(&result->bases);
    *result = (SomSolveResult){0};
}
