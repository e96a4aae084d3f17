// SPDX-License-Identifier: Apache-2.0
// Replays a run of the solver; see tests/replay.c.

#include "base/memory.h"
#include "linkage/solver.h"
#include "tests/replay.h"

#include <math.h>
#include <stdio.h>

static void add_model_links(Case *c, const SomJson *model, SomDiagnostics *diags) {
    const SomJson *linkages = som_json_get(model, SOM_STR("linkages"));
    const SomJson *links = som_json_get(model, SOM_STR("links"));
    SomStr top_ground = {0};
    for (int i = 0; linkages != NULL && i < linkages->count; i++) {
        const SomJson *o = som_json_at(linkages, i);
        SomLinkDef ground = {.name = replay_text_of(o, "ground")};
        if (replay_text_of(o, "parent").length == 0) {
            top_ground = ground.name;
            som_linkage_set_link_name(c->linkage, som_linkage_top_ground(c->linkage), ground.name,
                                      diags);
            continue;
        }
        ground.sublinkage = som_linkage_add_sublinkage(
            c->linkage, replay_find_sublinkage(c, replay_text_of(o, "parent")),
            replay_text_of(o, "name"), replay_disposition_of(o), diags);
        som_linkage_add_link(c->linkage, &ground, diags);
    }
    for (int i = 0; links != NULL && i < links->count; i++) {
        const SomJson *o = som_json_at(links, i);
        SomLinkDef def = {.name = replay_text_of(o, "name"),
                          .sublinkage = replay_find_sublinkage(c, replay_text_of(o, "linkage"))};
        bool is_there = som_str_equal(def.name, top_ground) ||
                        som_linkage_find_link(c->linkage, def.sublinkage, def.name).index1 != 0;
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

static void build_model(Case *c, const SomJson *model) {
    SomDiagnostics *diags = som_diagnostics_create();
    c->linkage = som_linkage_create();
    add_model_links(c, model, diags);
    const SomJson *joints = som_json_get(model, SOM_STR("joints"));
    for (int i = 0; joints != NULL && i < joints->count; i++) {
        const SomJson *o = som_json_at(joints, i);
        bool is_tree = som_str_equal(replay_text_of(o, "disposition"), SOM_STR("tree"));
        SomJointId joint;
        if (som_json_boolean_or(som_json_get(o, SOM_STR("root")), false)) {
            joint = replay_find_joint(c, replay_text_of(o, "name"));
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

static void add_goals(Case *c, const SomJson *list, SomLevel level, GoalList *goals) {
    for (int i = 0; list != NULL && i < list->count; i++) {
        const SomJson *o = som_json_at(list, i);
        SomGoal goal = {
            level, replay_find_joint(c, som_json_string_or(som_json_at(o, 0), SOM_STR(""))),
            som_json_integer_or(som_json_at(o, 1), 0), som_json_number_or(som_json_at(o, 2), 0)};
        if (som_json_integer_or(som_json_at(o, 1), -1) < 0 ||
            isnan(som_json_number_or(som_json_at(o, 2), (double)NAN))) {
            replay_fault(c, "a goal is not a joint, a coordinate and a number");
        } else if (goal.dof > 5) {
            replay_fault(c, "a goal is for a coordinate that there is not");
        } else if (goal.joint.index1 != 0) {
            som_array_push(goals, goal);
        }
    }
}

static bool is_named_in(Case *c, const SomJson *list, SomJointId joint) {
    for (int i = 0; list != NULL && i < list->count; i++) {
        const SomJson *o = som_json_at(list, i);
        SomStr name =
            som_json_string_or(o->kind == SOM_JSON_ARRAY ? som_json_at(o, 0) : o, SOM_STR(""));
        if (replay_joint_is_called(c->linkage, joint, name)) {
            return true;
        }
    }
    return false;
}

static SomSolver *make_solver(Case *c) {
    const SomJson *problem = som_json_get(c->root, SOM_STR("problem"));
    GoalList goals = {0};
    JointList locked = {0}, ignored = {0};
    SomSolverDef def = {.is_flat = problem != NULL,
                        .is_unguarded = true,
                        .options = som_priority_default_options()};
    if (problem == NULL) {
        add_goals(c, som_json_get(c->root, SOM_STR("target")), SOM_LEVEL_TARGET, &goals);
    } else {
        add_goals(c, som_json_get(problem, SOM_STR("lock")), SOM_LEVEL_LOCK, &goals);
        add_goals(c, som_json_get(problem, SOM_STR("target")), SOM_LEVEL_TARGET, &goals);
        add_goals(c, som_json_get(problem, SOM_STR("posture")), SOM_LEVEL_POSTURE, &goals);
        const SomJson *variables = som_json_get(problem, SOM_STR("variables"));
        const SomJson *closures = som_json_get(problem, SOM_STR("closures"));
        for (SomJointId j = som_linkage_next_joint(c->linkage, (SomJointId){0}); j.index1 != 0;
             j = som_linkage_next_joint(c->linkage, j)) {
            bool is_tree = som_linkage_get_joint(c->linkage, j).is_tree;
            if (!is_named_in(c, is_tree ? variables : closures, j)) {
                if (is_tree) {
                    som_array_push(&locked, j);
                } else {
                    som_array_push(&ignored, j);
                }
            }
        }
    }
    const SomJson *o = som_json_get(c->root, SOM_STR("options"));
    SomPriorityOptions *p = &def.options;
    p->relative_rank = som_json_number_or(som_json_get(o, SOM_STR("eps_rel")), p->relative_rank);
    p->absolute_rank = som_json_number_or(som_json_get(o, SOM_STR("eps_abs")), p->absolute_rank);
    p->level_step = som_json_number_or(som_json_get(o, SOM_STR("b_max")), p->level_step);
    p->largest_step = som_json_number_or(som_json_get(o, SOM_STR("step_max")), p->largest_step);
    p->clamp_tolerance =
        som_json_number_or(som_json_get(o, SOM_STR("tol_clamp")), p->clamp_tolerance);
    SomStr mode = replay_text_of(o, "limit_mode");
    def.limit_mode = som_str_equal(mode, SOM_STR("quad"))  ? SOM_LIMIT_QUADRATIC
                     : som_str_equal(mode, SOM_STR("lin")) ? SOM_LIMIT_LINEAR
                                                           : SOM_LIMIT_ACTIVE;
    def.goals = goals.data;
    def.goal_count = goals.count;
    def.locked = locked.data;
    def.locked_count = locked.count;
    def.ignored = ignored.data;
    def.ignored_count = ignored.count;
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

static void check_norms(Case *c, int number, const SomJson *norms, const SomSolverReport *report) {
    static const char *const names[SOM_LEVELS] = {"invariant", "limit", "lock", "target",
                                                  "posture"};
    for (int level = 0; level < SOM_LEVELS; level++) {
        const SomJson *value = som_json_get(norms, som_str(names[level]));
        if (value == NULL) {
            continue;
        }
        double expected = som_json_number_or(value, -1), actual = report->levels[level].norm;
        double larger = fmax(expected, actual), difference = fabs(expected - actual);
        if (larger > 1e-8) {
            c->worst = fmax(c->worst, difference / larger);
        }
        if (!(difference <= 1e-6 * larger + 1e-10)) {
            replay_fault(c, "step %d: %s residual is %.9g, not %.9g", number, names[level], actual,
                         expected);
        }
    }
}

static void check_step(Case *c, int number, const SomJson *o, const SomSolverReport *report) {
    check_norms(c, number, som_json_get(o, SOM_STR("norms")), report);
    const SomJson *ranks = som_json_get(o, SOM_STR("ranks"));
    // a limit that is just touched may or may not be among the rows
    bool has_limit = strstr(c->path, "limit") != NULL;
    for (int level = 0; level < SOM_LEVELS && ranks != NULL && !has_limit; level++) {
        int expected = som_json_integer_or(som_json_at(ranks, level), -1);
        if (expected != report->levels[level].rank) {
            replay_fault(c, "step %d: rank of level %d is %d, not %d", number, level,
                         report->levels[level].rank, expected);
        }
    }
    int clamped = som_json_integer_or(som_json_get(o, SOM_STR("clamped")), -1);
    if (clamped >= 0 && clamped != report->clamped_count && !has_limit) {
        replay_fault(c, "step %d: %d clamped, not %d", number, report->clamped_count, clamped);
    }
}

static void check_final(Case *c, const SomJson *finals) {
    for (int i = 0; i < replay_member_count(finals); i++) {
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

void replay_solver(Case *c) {
    build_model(c, som_json_get(c->root, SOM_STR("model")));
    SomSolver *solver = make_solver(c);
    if (solver == NULL) {
        return;
    }
    const SomJson *expected = som_json_get(c->root, SOM_STR("expected"));
    const SomJson *iterations = som_json_get(expected, SOM_STR("iterations"));
    const SomJson *norms = som_json_get(expected, SOM_STR("norms"));
    int steps = som_json_integer_or(som_json_get(expected, SOM_STR("steps")), 0);
    int count = iterations != NULL ? iterations->count : norms != NULL ? norms->count : steps + 1;
    if (iterations == NULL && norms == NULL && steps <= 0) {
        replay_fault(c, "nothing is expected");
    }
    for (int i = 0; i < count; i++) {
        bool is_last = i == count - 1;
        if (iterations == NULL || is_last) { // the residuals between the steps
            const SomSolverReport *now = som_solver_measure(solver, c->linkage);
            const SomJson *o = iterations == NULL
                                   ? som_json_at(norms, i)
                                   : som_json_get(som_json_at(iterations, i), SOM_STR("norms"));
            check_norms(c, i, o, now);
        }
        if (!is_last) {
            const SomSolverReport *report = som_solver_step(solver, c->linkage);
            check_step(c, i, iterations == NULL ? NULL : som_json_at(iterations, i), report);
        }
    }
    check_final(c, som_json_get(expected, SOM_STR("final_x")));
    check_final(c, som_json_get(expected, SOM_STR("final_y")));
    check_reports(c, solver, som_json_get(expected, SOM_STR("reports")));
    som_solver_destroy(solver);
    printf("%s: %d steps, residuals and values within %.2g: %s\n", c->path, count - 1, c->worst,
           c->faults == 0 ? "agrees" : "DIFFERS");
}
