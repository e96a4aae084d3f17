// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "tests/verify/motions.h"
#include "verify/motion_tree.h"
#include "verify/pairs.h"

#include <math.h>

// Designs of all kinds of modules, moved at random, and two places of each motion.
typedef struct Scene {
    SomM3l *m3l;
    SomConfiguration *c;
    SomMechanism *m;
    SomPairs *pairs;
    TestMotion t;
    SomMotionTree *tree;
} Scene;

static void make_scene(Scene *s, SomTestRandom *random, const char *file, int modules) {
    *s = (Scene){.m3l = som_test_library(file)};
    SomBuilder *builder = test_begin_random(random, s->m3l, modules);
    s->c = test_finish(builder);
    s->m = som_mechanism_create(s->c);
    s->pairs = som_pairs_create(s->m);
    SomPosture start = test_random_posture(random, s->c);
    s->t = test_random_motion(random, s->m, start.values, 40, 0.6, 3);
    s->tree = som_motion_tree_create(s->m, s->pairs->solids, &s->t.motion);
    som_posture_free(&start);
}

static void free_scene(Scene *s) {
    som_motion_tree_destroy(s->tree);
    test_motion_free(&s->t);
    som_pairs_destroy(s->pairs);
    som_mechanism_destroy(s->m);
    som_configuration_destroy(s->c);
    som_m3l_destroy(s->m3l);
}

static const char *const files[] = {"smores", "mtran", "gdut", "athlete", "molecube", "ckbot"};

typedef struct Look {
    SomPose a, b;
    double values[256];
    double distance;
} Look;

static Look look_at(const Scene *s, const SomMotionPath *path, double place) {
    Look look;
    som_motion_values(s->tree, path, place, look.values);
    som_motion_poses(s->tree, path, look.values, &look.a, &look.b, NULL);
    look.distance = som_solid_distance(s->pairs->solids[path->link_a], &look.a,
                                       s->pairs->solids[path->link_b], &look.b, 1e9, NULL)
                        .distance;
    return look;
}

// Poses of two links seen from each other, whole and along the path between them; and how much
// their distance changed beyond the bound.
static void visit_pair(const Scene *s, SomTestRandom *random, int a, int b, double *worst_pose,
                       double *worst_bound, double *tightest) {
    int joints[256];
    double arms[256];
    SomMotionPath path;
    ck_assert_int_lt(som_motion_path_count(s->tree, a, b), 256);
    som_motion_path(s->tree, a, b, joints, arms, &path);
    double last = s->t.motion.sample_count - 1;
    double place = som_test_uniform(random, 0, last);
    double other = fmin(place + som_test_uniform(random, 0, 3), last);
    Look at = look_at(s, &path, place), then = look_at(s, &path, other);
    SomPose *links = som_alloc(sizeof *links * (size_t)s->m->link_count);
    test_place_at(s->m, &s->t.motion, place, links);
    SomPose seen = som_pose_relative(links[a], links[b]);
    *worst_pose = fmax(*worst_pose, test_distance(seen, som_pose_relative(at.a, at.b)));
    double bound = som_motion_bound(path.arms, path.count, at.values, then.values);
    double changed = fabs(at.distance - then.distance);
    *worst_bound = fmax(*worst_bound, changed - bound);
    *tightest = bound > 1e-3 ? fmax(*tightest, changed / bound) : *tightest;
    som_free(links);
}

START_TEST(distances_change_by_no_more_than_the_bound) {
    SomTestRandom random = {5};
    double worst_pose = 0, worst_bound = -INFINITY, tightest = 0;
    for (int i = 0; i < som_test_count(24, 600); i++) {
        Scene s;
        make_scene(&s, &random, files[i % 6], som_test_int(&random, 2, 8));
        for (int k = 0; k < 200; k++) {
            int a = som_test_int(&random, 0, s.m->link_count - 1);
            int b = som_test_int(&random, 0, s.m->link_count - 1);
            if (a != b && s.pairs->solids[a]->part_count > 0 &&
                s.pairs->solids[b]->part_count > 0) {
                visit_pair(&s, &random, a, b, &worst_pose, &worst_bound, &tightest);
            }
        }
        free_scene(&s);
    }
    ck_assert_double_le(worst_pose, 1e-12);
    ck_assert_double_le(worst_bound, 1e-6);
    ck_assert_double_ge(tightest, 0.9); // it would not be much of a bound else
}
END_TEST

// Largest way of a point of a link between two samples beyond what was promised.
START_TEST(links_go_no_farther_than_a_step) {
    SomTestRandom random = {6};
    double worst = -INFINITY;
    for (int i = 0; i < som_test_count(12, 300); i++) {
        Scene s;
        make_scene(&s, &random, files[i % 6], som_test_int(&random, 2, 8));
        double *steps = som_alloc(sizeof *steps * (size_t)s.m->link_count);
        SomPose *now = som_alloc(sizeof *now * (size_t)s.m->link_count);
        SomPose *then = som_alloc(sizeof *then * (size_t)s.m->link_count);
        for (int sample = 0; sample + 1 < s.t.motion.sample_count; sample += 3) {
            som_motion_steps(s.tree, sample, steps);
            test_place_at(s.m, &s.t.motion, sample, now);
            test_place_at(s.m, &s.t.motion, sample + 1, then);
            for (int l = 0; l < s.m->link_count; l++) {
                const SomLinkSolid *solid = s.pairs->solids[l];
                for (int p = 0; p < solid->part_count; p++) {
                    // the centre of a part does not move where it is round about the axis
                    SomVec3 point = solid->parts[p].pose.position;
                    double way = som_vec3_length(som_vec3_sub(som_pose_apply(then[l], point),
                                                              som_pose_apply(now[l], point)));
                    worst = fmax(worst, way - steps[l]);
                }
            }
        }
        som_free(steps);
        som_free(now);
        som_free(then);
        free_scene(&s);
    }
    ck_assert_double_le(worst, 1e-9);
}
END_TEST

START_TEST(what_does_not_move_is_no_joint) {
    SomM3l *smores = som_test_library("smores");
    SomConfiguration *c = test_snake(smores, 3);
    SomMechanism *m = som_mechanism_create(c);
    SomPairs *pairs = som_pairs_create(m);
    SomPosture zero = som_posture_zero(c), to = som_posture_zero(c);
    int bend = som_configuration_find_dof(c, SOM_STR("s[1].middle.bend"), NULL);
    int left = som_configuration_find_dof(c, SOM_STR("s[1].head.left"), NULL);
    to.values[bend] = 1;
    to.values[left] = 1;
    TestMotion t = test_straight_motion(m, zero.values, to.values, 2, 1);
    SomMotionTree *tree = som_motion_tree_create(m, pairs->solids, &t.motion);
    ck_assert_int_eq(tree->joint_count, 2);
    int joints[8];
    double arms[8];
    SomMotionPath path;
    // two links on one side of the bend
    ck_assert_int_eq(som_motion_path_count(tree, 0, m->first_link[1]), 0);
    // the wheel that turns about its own axis goes nowhere
    int wheel = som_module_type_find_link(c->modules[0].type, SOM_STR("LeftWheel"));
    som_motion_path(tree, wheel, 0, joints, arms, &path);
    ck_assert_int_eq(path.count, 1);
    ck_assert_double_eq(arms[0], 0);
    // one bend between head and tail: the arm of the shorter side, no more than 0.1 m and a module
    som_motion_path(tree, 0, m->first_link[2], joints, arms, &path);
    ck_assert_int_eq(path.count, 1);
    ck_assert_double_le(arms[0], 0.17);
    som_motion_tree_destroy(tree);
    test_motion_free(&t);
    som_posture_free(&zero);
    som_posture_free(&to);
    som_pairs_destroy(pairs);
    som_mechanism_destroy(m);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

START_TEST(values_that_are_no_numbers_end_a_motion) {
    double values[] = {0, 1, 2, (double)NAN, 4};
    SomMotion motion = {NULL, values, 5, 1};
    ck_assert_int_eq(som_motion_sane_samples(&motion), 3);
    values[1] = 1e300;
    ck_assert_int_eq(som_motion_sane_samples(&motion), 1);
    values[0] = -(double)INFINITY;
    ck_assert_int_eq(som_motion_sane_samples(&motion), 0);
}
END_TEST

START_TEST(samples_are_passed_over_up_to_where_the_bound_ends) {
    SomTestRandom random = {7};
    int stopped = 0, passed = 0, wrong = 0;
    for (int i = 0; i < som_test_count(12, 300); i++) {
        Scene s;
        make_scene(&s, &random, files[i % 6], som_test_int(&random, 2, 8));
        int joints[256], last = s.t.motion.sample_count - 1;
        double arms[256], from[256], values[256];
        SomMotionPath path;
        int link = som_test_int(&random, 0, s.m->link_count - 1);
        som_motion_path(s.tree, link, -1, joints, arms, &path);
        som_motion_values(s.tree, &path, som_test_uniform(&random, 0, last), from);
        double most = som_test_uniform(&random, 0, 0.3);
        int first = som_test_int(&random, 0, last), expected = first;
        for (; expected <= last; expected++) {
            som_motion_values(s.tree, &path, expected, values);
            if (som_motion_bound(arms, path.count, from, values) > most) {
                break;
            }
        }
        wrong += som_motion_first_beyond(s.tree, &path, arms, from, most, first, last) != expected;
        stopped += expected <= last;
        passed += expected > first;
        free_scene(&s);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(stopped, 0);
    ck_assert_int_gt(passed, 0);
}
END_TEST

SOM_SUITE("verify/motion_tree", distances_change_by_no_more_than_the_bound,
          links_go_no_farther_than_a_step, what_does_not_move_is_no_joint,
          values_that_are_no_numbers_end_a_motion,
          samples_are_passed_over_up_to_where_the_bound_ends)
