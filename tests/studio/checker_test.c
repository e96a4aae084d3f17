// Tests for studio/checker.c and studio/posture_verdict.c: what is said of a design while it is
// edited.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/verify_codes.h"
#include "space/trigonometry.h"
#include "studio/checker.h"
#include "studio/project.h"
#include "tests/compose/texts.h"
#include "tests/suite.h"

#include <math.h>
#include <stdatomic.h>

static atomic_int woken;

static void wake(void *context) {
    (void)context;
    atomic_fetch_add(&woken, 1);
}

static SomProject *create(const char *text) {
    SomProject *project = som_project_create(som_str(test_library));
    som_project_set_wake(project, wake, NULL);
    som_project_set_text(project, som_str(text));
    return project;
}

static SomProject *open(const char *name) {
    SomProject *project = create("");
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert(som_project_open(project, som_str(name), diags));
    som_diagnostics_destroy(diags);
    return project;
}

static const SomPostureVerdict *verdict_of(SomProject *project) {
    som_project_await(project);
    const SomPostureVerdict *verdict = som_project_verdict(project);
    ck_assert(verdict->is_known && verdict->is_current);
    return verdict;
}

static int dof_of(SomProject *project, const char *path) {
    SomAlias alias;
    return som_configuration_find_dof(som_project_model(project)->configuration, som_str(path),
                                      &alias);
}

static const SomFinding *finding_of(const SomPostureVerdict *verdict, SomCode code) {
    for (int i = 0; i < verdict->found->findings.count; i++) {
        if (verdict->found->findings.data[i].code == code) {
            return &verdict->found->findings.data[i];
        }
    }
    return NULL;
}

START_TEST(the_walkbot_stands) {
    SomProject *project = open("walkbot");
    const SomPostureVerdict *v = verdict_of(project);
    ck_assert_str_eq(v->summary.data, "stable, margin 146 mm, no collision");
    ck_assert(v->is_balanced && v->severity == SOM_NOTE);
    ck_assert_double_eq_tol(v->margin, 0.1458, 1e-3);
    ck_assert_int_eq(v->collision_count, 0);
    ck_assert_int_ge(v->support_count, 4);
    const SomModel *model = som_project_model(project);
    SomVec3 com = som_mechanism_com(model->mechanism, model->links);
    ck_assert_double_lt(som_vec3_length(som_vec3_sub(com, v->center)), 1e-9);
    // the polygon is on the ground, goes round once and has the centre inside, so far from its edge
    double turned = 0, nearest = (double)INFINITY;
    for (int i = 0; i < v->support_count; i++) {
        SomVec3 a = v->support[i], b = v->support[(i + 1) % v->support_count];
        ck_assert_double_eq_tol(a.z, v->below_center.z, 1e-3);
        SomVec3 along = som_vec3_sub(b, a), to = som_vec3_sub(v->below_center, a);
        double away = (along.x * to.y - along.y * to.x) / som_vec3_length(along);
        turned += a.x * b.y - a.y * b.x;
        nearest = fmin(nearest, fabs(away));
    }
    ck_assert_double_gt(fabs(turned), 0.1);
    ck_assert_double_eq_tol(nearest, v->margin, 1e-6);
    som_project_destroy(project);
}
END_TEST

#define LEGS(front, rear)                                                                          \
    "use \"chain3.som\"\n"                                                                         \
    "config A {\n"                                                                                 \
    "    part body[5] : Module\n"                                                                  \
    "    part fl, fr, rl, rr : Chain3\n"                                                           \
    "    connect body[i].B to body[i+1].T for i in 1..4\n"                                         \
    "    connect fl.head.L to body[2].L at " front "deg\n"                                         \
    "    connect fr.head.R to body[2].R at " rear "deg\n"                                          \
    "    connect rl.head.L to body[5].L at 90deg\n"                                                \
    "    connect rr.head.R to body[5].R at 270deg\n"                                               \
    "    pose stand { fl.leg; fr.leg; rl.leg; rr.leg }\n"                                          \
    "    start stand\n"                                                                            \
    "}\n"

START_TEST(two_legs_reversed_tip_it_over) {
    SomProject *project = create(LEGS("90", "270"));
    ck_assert(verdict_of(project)->is_balanced);
    som_project_set_text(project, SOM_STR(LEGS("270", "90")));
    ck_assert(!som_project_verdict(project)->is_current);
    ck_assert(som_project_verdict(project)->is_known); // that of before, for the while
    const SomPostureVerdict *v = verdict_of(project);
    ck_assert(!v->is_balanced && v->severity == SOM_ERROR);
    ck_assert_double_lt(v->margin, -0.05);
    ck_assert_int_eq(strncmp(v->summary.data, "tips over, by ", 14), 0);
    const SomFinding *finding = finding_of(v, SOM_UNSTABLE);
    ck_assert_ptr_nonnull(finding);
    const SomConfiguration *design = som_project_model(project)->configuration;
    int module = som_posture_verdict_module_of(design, finding->subjects[0]);
    ck_assert(som_str_equal(design->modules[module].path, finding->subjects[0]));
    som_project_destroy(project);
}
END_TEST

#define CHAIN(count)                                                                               \
    "use \"smores.m3l\"\nconfig C {\n    part s[" count "] : SMORES\n"                             \
    "    connect s[i].B to s[i+1].T for i in 1.." count "-1\n}\n"

START_TEST(a_moved_joint_changes_the_verdict) {
    SomProject *project = create(CHAIN("6"));
    const SomPostureVerdict *v = verdict_of(project);
    ck_assert_int_eq(v->collision_count, 0);
    const char *bent[] = {"s[2].bend", "s[3].bend", "s[4].bend", "s[5].bend"};
    for (int i = 0; i < 4; i++) {
        som_project_move(project, dof_of(project, bent[i]), SOM_PI / 2);
        ck_assert(!som_project_verdict(project)->is_current);
    }
    v = verdict_of(project);
    ck_assert_int_gt(v->collision_count, 0);
    ck_assert_ptr_nonnull(strstr(v->summary.data, "collision"));
    ck_assert_int_eq(v->severity, SOM_ERROR);
    const SomFinding *finding = finding_of(v, SOM_SELF_COLLISION);
    const SomConfiguration *design = som_project_model(project)->configuration;
    SomStr a = design->modules[v->collisions[0].module_a].path;
    SomStr b = design->modules[v->collisions[0].module_b].path;
    ck_assert(som_str_starts_with(finding->subjects[0], a));
    ck_assert(som_str_starts_with(finding->subjects[1], b));
    ck_assert_double_gt(v->collisions[0].depth, 1e-3);

    int collisions = v->collision_count;
    // a module before them: they have other numbers, and are still the same two
    SomVerdictCollision before = som_project_verdict(project)->collisions[0];
    som_project_set_text(project, SOM_STR("use \"smores.m3l\"\nconfig C {\n    part z : SMORES\n"
                                          "    part s[6] : SMORES\n    connect z.B to s[1].T\n"
                                          "    connect s[i].B to s[i+1].T for i in 1..5\n}\n"));
    ck_assert_int_eq(som_project_verdict(project)->collision_count, collisions);
    ck_assert_int_eq(som_project_verdict(project)->collisions[0].module_a, before.module_a + 1);
    ck_assert_int_eq(som_project_verdict(project)->collisions[0].module_b, before.module_b + 1);
    verdict_of(project);
    // a new name: the same modules, and joints as they were
    som_project_edited(project, som_design_rename_part(som_project_design(project), SOM_STR(""),
                                                       SOM_STR("s"), SOM_STR("t")));
    ck_assert_int_eq(som_project_verdict(project)->collision_count, collisions);
    ck_assert_int_eq(verdict_of(project)->collision_count, collisions);
    som_project_set_posture(project, NULL);
    ck_assert_int_eq(verdict_of(project)->collision_count, 0);
    som_project_destroy(project);
}
END_TEST

START_TEST(joints_beyond_their_limits_and_what_stands_on_a_point_are_said) {
    SomProject *project = create(CHAIN("2"));
    som_project_move(project, dof_of(project, "s[1].bend"), 1.9);
    const SomPostureVerdict *v = verdict_of(project);
    ck_assert_ptr_nonnull(finding_of(v, SOM_JOINT_LIMIT));
    ck_assert_ptr_nonnull(strstr(v->summary.data, "1 joint beyond its limit"));
    som_project_move(project, 0, (double)NAN);
    v = verdict_of(project);
    ck_assert_ptr_nonnull(strstr(v->summary.data, "balance not known"));
    som_project_destroy(project);
}
END_TEST

START_TEST(nothing_is_said_of_nothing) {
    SomProject *project = create("");
    som_project_await(project);
    ck_assert(!som_project_verdict(project)->is_known);
    ck_assert_uint_gt(som_project_verdict(project)->summary.length, 0);
    som_project_set_text(project, SOM_STR(CHAIN("2")));
    verdict_of(project);
    som_project_set_text(project, SOM_STR(""));
    ck_assert(!som_project_verdict(project)->is_known);
    som_project_await(project);
    ck_assert(!som_project_verdict(project)->is_known);
    som_project_set_text(project, SOM_STR(CHAIN("3")));
    som_project_set_wake(project, NULL, NULL); // nothing is verified any more
    som_project_await(project);
    ck_assert(!som_project_verdict(project)->is_current);
    som_project_destroy(project);
}
END_TEST

START_TEST(a_design_says_how_it_is_verified) {
    SomProject *project = create(
        "use \"smores.m3l\"\nconfig C {\n    part a : SMORES\n    verify { margin = 2m }\n}\n");
    ck_assert_int_eq(som_diagnostics_error_count(som_project_diagnostics(project)), 0);
    const SomPostureVerdict *v = verdict_of(project);
    ck_assert_ptr_nonnull(finding_of(v, SOM_SMALL_MARGIN));
    ck_assert_int_eq(v->severity, SOM_WARNING);
    som_project_set_text(project, SOM_STR("use \"smores.m3l\"\nconfig C {\n    part a : SMORES\n"
                                          "    verify { margn = 2m }\n}\n"));
    const SomDiagnostics *diags = som_project_diagnostics(project);
    ck_assert(som_diagnostics_has(diags, SOM_VERIFY_OPTION_UNKNOWN));
    som_project_destroy(project);
}
END_TEST

// The thread reads what the edits share with it, is asked anew before it has answered, and is left
// alone with what it does.
START_TEST(quick_edits_race_with_the_checker) {
    int rounds = som_test_count(1000, 20000);
    SomProject *project = create(CHAIN("5"));
    int answers = 0;
    uint32_t random = 1;
    for (int i = 0; i < rounds; i++) {
        random = random * 1664525u + 1013904223u;
        switch (random >> 24 & 7) {
        case 0:
            som_project_set_text(project, i % 2 == 0 ? SOM_STR(CHAIN("6")) : SOM_STR(CHAIN("4")));
            break;
        case 1:
            som_project_undo(project);
            break;
        case 2:
            som_project_set_text(project, SOM_STR("config C {"));
            break;
        case 3:
            som_project_set_wake(project, wake, NULL);
            break;
        default:
            som_project_move(project, (int)(random >> 8 & 15), (random & 0xff) * 0.01 - 1.2);
        }
        bool was_known = som_project_verdict(project)->is_current;
        som_project_collect(project);
        answers += !was_known && som_project_verdict(project)->is_current;
    }
    som_project_set_text(project, SOM_STR(CHAIN("3")));
    ck_assert_ptr_nonnull(strstr(verdict_of(project)->summary.data, "no collision"));
    ck_assert_int_gt(atomic_load(&woken) + answers, 0);
    som_project_destroy(project);
}
END_TEST

START_TEST(a_checker_is_left_while_it_works) {
    for (int i = 0; i < 20; i++) {
        SomProject *project = create(CHAIN("40"));
        som_project_destroy(project);
    }
}
END_TEST

SOM_SUITE("studio/checker", the_walkbot_stands, two_legs_reversed_tip_it_over,
          a_moved_joint_changes_the_verdict,
          joints_beyond_their_limits_and_what_stands_on_a_point_are_said,
          nothing_is_said_of_nothing, a_design_says_how_it_is_verified,
          quick_edits_race_with_the_checker, a_checker_is_left_while_it_works)
