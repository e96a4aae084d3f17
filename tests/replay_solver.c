// SPDX-License-Identifier: Apache-2.0
// Replays a run of the solver; see tests/replay.c.

#include "base/memory.h"
#include "linkage/solver.h"
#include "tests/replay.h"

#include <math.h>
#include <stdio.h>

static void add_sublinkages(Case *c, const SomJson *model, SomDiagnostics *diags) {
    const SomJson *linkages = replay_member(c, model, "linkages", SOM_JSON_ARRAY);
    for (int i = 0; linkages != NULL && i < linkages->count; i++) {
        const SomJson *o = som_json_at(linkages, i);
        const SomJson *outer = replay_optional(c, o, "parent", SOM_JSON_STRING);
        SomLinkDef ground = {.name = replay_text_of(c, o, "ground")};
        if (outer == NULL) {
            som_linkage_set_link_name(c->linkage, som_linkage_top_ground(c->linkage), ground.name,
                                      diags);
            continue;
        }
        ground.sublinkage = som_linkage_add_sublinkage(
            c->linkage, replay_find_sublinkage(c, outer->string), replay_text_of(c, o, "name"),
            replay_disposition_of(c, o), diags);
        som_linkage_add_link(c->linkage, &ground, diags);
    }
}

static void add_links(Case *c, const SomJson *model, SomDiagnostics *diags) {
    const SomJson *links = replay_member(c, model, "links", SOM_JSON_ARRAY);
    for (int i = 0; links != NULL && i < links->count; i++) {
        const SomJson *o = som_json_at(links, i);
        SomLinkDef def = {.name = replay_text_of(c, o, "name"),
                          .sublinkage = replay_find_sublinkage(c, replay_text_of(c, o, "linkage"))};
        SomLinkId ground = som_linkage_get_sublinkage(c->linkage, def.sublinkage).ground;
        bool is_there = ground.index1 != 0 &&
                        som_str_equal(som_linkage_get_link(c->linkage, ground).name, def.name);
        if (!is_there) {
            som_linkage_add_link(c->linkage, &def, diags);
        }
    }
}

static void set_values(Case *c, SomJointId joint, const SomJson *o, SomDiagnostics *diags) {
    double x[6];
    if (!som_json_numbers_of(som_json_get(o, SOM_STR("x")), x, 6)) {
        replay_fault(c, "a tree joint has no values");
        return;
    }
    const SomJointTypeInfo *type = som_joint_type(som_linkage_get_joint(c->linkage, joint).type);
    for (int i = 0; i < type->dof_count; i++) {
        som_linkage_set_value(c->linkage, joint, type->dofs[i], x[type->dofs[i]], diags);
    }
}

static void add_joint(Case *c, const SomJson *o, SomDiagnostics *diags) {
    static const char *const words[] = {"closure", "tree"};
    bool is_tree = replay_word_of(c, o, "disposition", words, 2) == 1;
    SomJointId joint;
    if (som_json_boolean_or(replay_optional(c, o, "root", SOM_JSON_BOOLEAN), false)) {
        joint = replay_find_joint(c, replay_text_of(c, o, "name"));
    } else {
        SomJointDef def = replay_joint_def_of(c, o);
        joint = som_linkage_add_joint(c->linkage, &def, diags);
        if (is_tree && joint.index1 != 0) {
            som_linkage_make_tree(c->linkage, joint, diags);
        }
    }
    if (is_tree && joint.index1 != 0) {
        set_values(c, joint, o, diags);
    }
}

static void build_model(Case *c) {
    SomDiagnostics *diags = som_diagnostics_create();
    const SomJson *model = replay_member(c, c->root, "model", SOM_JSON_OBJECT);
    c->linkage = som_linkage_create();
    add_sublinkages(c, model, diags);
    add_links(c, model, diags);
    const SomJson *joints = replay_member(c, model, "joints", SOM_JSON_ARRAY);
    for (int i = 0; joints != NULL && i < joints->count; i++) {
        add_joint(c, som_json_at(joints, i), diags);
    }
    if (som_diagnostics_error_count(diags) > 0) {
        SomText text = {0};
        som_diagnostics_print(diags, 5, &text);
        replay_fault(c, "the model cannot be built:\n%s", text.data);
        som_text_free(&text);
    }
    som_diagnostics_destroy(diags);
}

typedef SOM_ARRAY(SomGoal) GoalList;
typedef SOM_ARRAY(SomJointId) JointList;

static void add_goals(Case *c, const SomJson *from, const char *key, SomLevel level,
                      GoalList *goals) {
    const SomJson *list = replay_member(c, from, key, SOM_JSON_ARRAY);
    for (int i = 0; list != NULL && i < list->count; i++) {
        const SomJson *o = som_json_at(list, i), *value = som_json_at(o, 2);
        int dof = som_json_integer_or(som_json_at(o, 1), -1);
        SomJointId joint = replay_find_joint(c, som_json_string_or(som_json_at(o, 0), SOM_STR("")));
        if (value == NULL || value->kind != SOM_JSON_NUMBER || dof < 0 || dof > 5) {
            replay_fault(c, "a goal is not a joint, a coordinate from 0 to 5 and a number");
        } else if (joint.index1 != 0) {
            SomGoal goal = {level, joint, dof, value->number};
            som_array_push(goals, goal);
        }
    }
}

// The coordinates of each joint, by index1, that a list names; or 1 if it only names joints.
static uint8_t *collect_joints(Case *c, const SomJson *problem, const char *key, bool has_dofs) {
    uint32_t last = 0;
    for (SomJointId j = som_linkage_next_joint(c->linkage, (SomJointId){0}); j.index1 != 0;
         j = som_linkage_next_joint(c->linkage, j)) {
        last = j.index1;
    }
    uint8_t *found = som_arena_new(c->arena, uint8_t, last + 1);
    const SomJson *list = replay_member(c, problem, key, SOM_JSON_ARRAY);
    for (int i = 0; list != NULL && i < list->count; i++) {
        const SomJson *o = som_json_at(list, i);
        SomStr name = som_json_string_or(has_dofs ? som_json_at(o, 0) : o, SOM_STR(""));
        int dof = has_dofs ? som_json_integer_or(som_json_at(o, 1), -1) : 0;
        SomJointId joint = replay_find_joint(c, name);
        if (dof < 0 || dof > 5) {
            replay_fault(c, "'%s' has no coordinate from 0 to 5", key);
        } else {
            found[joint.index1] |= (uint8_t)(1u << dof);
        }
    }
    return found;
}

// Joints that are no variables are locked, also single coordinates of one; closures that are not
// named may open.
static void add_locks(Case *c, const SomJson *problem, GoalList *goals, JointList *locked,
                      JointList *ignored) {
    const uint8_t *variables = collect_joints(c, problem, "variables", true);
    const uint8_t *closures = collect_joints(c, problem, "closures", false);
    for (SomJointId j = som_linkage_next_joint(c->linkage, (SomJointId){0}); j.index1 != 0;
         j = som_linkage_next_joint(c->linkage, j)) {
        SomJointInfo info = som_linkage_get_joint(c->linkage, j);
        if (!info.is_tree && closures[j.index1] == 0) {
            som_array_push(ignored, j);
        } else if (info.is_tree && variables[j.index1] == 0) {
            som_array_push(locked, j);
        }
        for (int d = 0; d < 6 && info.is_tree && variables[j.index1] != 0; d++) {
            if (!(variables[j.index1] >> d & 1)) {
                SomGoal goal = {SOM_LEVEL_LOCK, j, d, 0};
                som_array_push(goals, goal);
            }
        }
    }
}

static SomPriorityOptions options_of(Case *c, const SomJson *o) {
    SomPriorityOptions p = som_priority_default_options();
    p.relative_rank = replay_number_of(c, o, "eps_rel", p.relative_rank);
    p.absolute_rank = replay_number_of(c, o, "eps_abs", p.absolute_rank);
    p.level_step = replay_number_of(c, o, "b_max", p.level_step);
    p.largest_step = replay_number_of(c, o, "step_max", p.largest_step);
    p.clamp_tolerance = replay_number_of(c, o, "tol_clamp", p.clamp_tolerance);
    return p;
}

static SomSolver *make_solver(Case *c) {
    static const char *const modes[] = {"active", "quad", "lin"};
    const SomJson *problem = replay_optional(c, c->root, "problem", SOM_JSON_OBJECT);
    const SomJson *options = replay_optional(c, c->root, "options", SOM_JSON_OBJECT);
    bool has_mode = som_json_get(options, SOM_STR("limit_mode")) != NULL;
    GoalList goals = {0};
    JointList locked = {0}, ignored = {0};
    if (problem == NULL) {
        add_goals(c, c->root, "target", SOM_LEVEL_TARGET, &goals);
    } else {
        add_goals(c, problem, "lock", SOM_LEVEL_LOCK, &goals);
        add_goals(c, problem, "target", SOM_LEVEL_TARGET, &goals);
        add_goals(c, problem, "posture", SOM_LEVEL_POSTURE, &goals);
        add_locks(c, problem, &goals, &locked, &ignored);
    }
    SomSolverDef def = {
        .goals = goals.data,
        .goal_count = goals.count,
        .locked = locked.data,
        .locked_count = locked.count,
        .ignored = ignored.data,
        .ignored_count = ignored.count,
        .is_flat = problem != NULL,
        .is_unguarded = true,
        .limit_mode =
            (SomLimitMode)(has_mode ? replay_word_of(c, options, "limit_mode", modes, 3) : 0),
        .options = options_of(c, options)};
    SomDiagnostics *diags = som_diagnostics_create();
    SomSolver *solver = som_solver_create(c->linkage, &def, diags);
    if (solver == NULL) {
        replay_fault(c, "the solver is too large");
    }
    som_diagnostics_destroy(diags);
    som_array_free(&goals);
    som_array_free(&locked);
    som_array_free(&ignored);
    return solver;
}

// The parts of each round that have something to do.
static void check_rounds(Case *c, const SomSolver *solver) {
    const SomJson *rounds = replay_optional(c, c->root, "rounds", SOM_JSON_ARRAY);
    int parts = 0;
    for (int r = 0; rounds != NULL && r < rounds->count; r++) {
        const SomJson *round = som_json_at(rounds, r), *part;
        for (int i = 0; (part = som_json_at(round, i)) != NULL; i++) {
            const SomJson *closures = replay_member(c, part, "closures", SOM_JSON_ARRAY);
            const SomJson *target = replay_member(c, part, "has_target", SOM_JSON_BOOLEAN);
            parts +=
                (closures != NULL && closures->count > 0) || som_json_boolean_or(target, false);
        }
    }
    SomSolverSize size = som_solver_size(solver);
    if (rounds != NULL && (size.rounds != rounds->count || size.parts != parts)) {
        replay_fault(c, "%d rounds of %d parts, not %d of %d", size.rounds, size.parts,
                     rounds->count, parts);
    }
}

// ---- what is expected

static const char *const level_names[SOM_LEVELS] = {"invariant", "limit", "lock", "target",
                                                    "posture"};

static void check_number(Case *c, int number, const char *what, double expected, double actual) {
    double larger = fmax(expected, actual), difference = fabs(expected - actual);
    if (larger > 1e-8) {
        c->worst = fmax(c->worst, difference / larger);
    }
    if (!(difference <= 1e-6 * larger + 1e-10)) {
        replay_fault(c, "step %d: %s is %.9g, not %.9g", number, what, actual, expected);
    }
}

static void check_norms(Case *c, int number, const SomJson *norms, const SomSolverReport *report) {
    int known = 0;
    for (int level = 0; level < SOM_LEVELS; level++) {
        const SomJson *value = som_json_get(norms, som_str(level_names[level]));
        if (value != NULL) {
            known++;
            check_number(c, number, level_names[level], som_json_number_or(value, -1),
                         report->levels[level].norm);
        }
    }
    if (norms != NULL && known != norms->count) {
        replay_fault(c, "step %d: 'norms' names a level that there is not", number);
    }
}

// A limit that is just touched may or may not be among the rows: rounding decides.
static bool touches_limit(const Case *c) {
    for (SomJointId j = som_linkage_next_joint(c->linkage, (SomJointId){0}); j.index1 != 0;
         j = som_linkage_next_joint(c->linkage, j)) {
        SomLimits limits = som_linkage_get_joint(c->linkage, j).limits;
        double y[6];
        som_linkage_coordinates(c->linkage, j, y);
        for (int d = 0; d < 6; d++) {
            if ((limits.limited >> d & 1) &&
                fmin(fabs(y[d] - limits.low[d]), fabs(y[d] - limits.high[d])) < 1e-9) {
                return true;
            }
        }
    }
    return false;
}

static void check_ranks(Case *c, int number, const SomJson *o, const SomSolverReport *report) {
    const SomJson *ranks = replay_optional(c, o, "ranks", SOM_JSON_ARRAY);
    for (int level = 0; level < SOM_LEVELS && ranks != NULL; level++) {
        int expected = som_json_integer_or(som_json_at(ranks, level), -1);
        if (expected != report->levels[level].rank) {
            replay_fault(c, "step %d: rank of %s is %d, not %d", number, level_names[level],
                         report->levels[level].rank, expected);
        }
    }
    if (som_json_get(o, SOM_STR("clamped")) != NULL) {
        int clamped = replay_integer_of(c, o, "clamped");
        if (clamped != report->clamped_count) {
            replay_fault(c, "step %d: %d clamped, not %d", number, report->clamped_count, clamped);
        }
    }
}

static void take_step(Case *c, int number, SomSolver *solver, const SomJson *o) {
    bool is_at_limit = touches_limit(c);
    const SomSolverReport *report = som_solver_step(solver, c->linkage);
    if (o == NULL) {
        return;
    }
    check_norms(c, number, replay_member(c, o, "norms", SOM_JSON_OBJECT), report);
    if (!is_at_limit && !touches_limit(c)) {
        check_ranks(c, number, o, report);
    }
    if (som_json_get(o, SOM_STR("dxmax")) != NULL) {
        check_number(c, number, "dxmax", replay_number_of(c, o, "dxmax", -1),
                     report->largest_change);
    }
}

static void check_final(Case *c, const SomJson *finals) {
    for (int i = 0; finals != NULL && i < finals->count; i++) {
        double expected[6], actual[6];
        SomJointId joint = replay_find_joint(c, finals->members[i].key);
        if (joint.index1 == 0 || !som_json_numbers_of(&finals->members[i].value, expected, 6)) {
            replay_fault(c, "a final value is not six numbers of a joint");
            continue;
        }
        som_linkage_coordinates(c->linkage, joint, actual);
        for (int d = 0; d < 6; d++) {
            double difference = fabs(actual[d] - expected[d]);
            c->worst = fmax(c->worst, difference);
            if (!(difference <= 1e-6)) {
                replay_fault(c, "joint '%.*s' ends at %.9g in %.*s, not %.9g",
                             SOM_STR_ARG(finals->members[i].key), actual[d],
                             SOM_STR_ARG(som_dof_name(d)), expected[d]);
            }
        }
    }
}

// Codes that the solver must report in the end, and with an empty list, that it reports none.
static void check_reports(Case *c, SomSolver *solver, const SomJson *codes) {
    if (codes == NULL) {
        return;
    }
    SomDiagnostics *diags = som_diagnostics_create();
    som_solver_measure(solver, c->linkage);
    som_solver_report(solver, c->linkage, diags);
    int reported;
    som_diagnostics_get(diags, &reported);
    for (int i = 0; i < codes->count; i++) {
        SomStr code = som_json_string_or(som_json_at(codes, i), SOM_STR(""));
        if (!replay_has_code(diags, code)) {
            replay_fault(c, "%.*s is not reported", SOM_STR_ARG(code));
        }
    }
    if ((codes->count == 0) != (reported == 0)) {
        replay_fault(c, "%d reports, not %d", reported, codes->count);
    }
    som_diagnostics_destroy(diags);
}

// All steps. `iterations` describes each step, `norms` what there is between them, or there is only
// a number of steps.
static int run(Case *c, SomSolver *solver, const SomJson *expected) {
    const SomJson *iterations = replay_optional(c, expected, "iterations", SOM_JSON_ARRAY);
    const SomJson *norms = replay_optional(c, expected, "norms", SOM_JSON_ARRAY);
    const SomJson *list = iterations != NULL ? iterations : norms;
    int steps = list != NULL ? list->count - 1 : replay_integer_of(c, expected, "steps");
    for (int i = 0; i < steps; i++) {
        if (norms != NULL) {
            check_norms(c, i, som_json_at(norms, i), som_solver_measure(solver, c->linkage));
        }
        take_step(c, i, solver, som_json_at(iterations, i));
    }
    if (list != NULL) {
        const SomJson *last = som_json_at(list, steps);
        check_norms(c, steps,
                    norms != NULL ? last : replay_member(c, last, "norms", SOM_JSON_OBJECT),
                    som_solver_measure(solver, c->linkage));
    }
    return steps;
}

void replay_solver(Case *c) {
    build_model(c);
    SomSolver *solver = make_solver(c);
    if (solver == NULL) {
        return;
    }
    check_rounds(c, solver);
    const SomJson *expected = replay_member(c, c->root, "expected", SOM_JSON_OBJECT);
    int steps = run(c, solver, expected);
    check_final(c, replay_optional(c, expected, "final_x", SOM_JSON_OBJECT));
    check_final(c, replay_optional(c, expected, "final_y", SOM_JSON_OBJECT));
    check_reports(c, solver, replay_optional(c, expected, "reports", SOM_JSON_ARRAY));
    som_solver_destroy(solver);
    printf("%s: %d steps, residuals and values within %.2g: %s\n", c->path, steps, c->worst,
           c->faults == 0 ? "agrees" : "DIFFERS");
}
