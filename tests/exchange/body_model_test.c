// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "exchange/body_model.h"
#include "exchange/sdf.h"
#include "space/distance.h"
#include "tests/compose/texts.h"
#include "tests/exchange/library_exports.h"
#include "verify/pairs.h"

#include <math.h>
#include <string.h>

static SomBodyModel *model_of(const TestExport *e, bool is_full, bool is_centered) {
    return som_body_model_create(&(SomBodyDef){.mechanism = e->mechanism,
                                               .graph = e->graph,
                                               .is_full = is_full,
                                               .is_centered = is_centered});
}

static void each_kind(const TestExport *e,
                      void (*check)(const TestExport *, const SomBodyModel *)) {
    for (int i = 0; i < 4; i++) {
        SomBodyModel *model = model_of(e, i & 1, i & 2);
        check(e, model);
        som_body_model_destroy(model);
    }
}

// ---- masses

// About the world's origin, by the definition: the moments of all links, moved there.
static SomMat3 moments_of_links(const TestExport *e, const SomBodyModel *model, int body,
                                const SomPose *links, double *mass, SomVec3 *first) {
    SomMat3 sum = {0};
    *mass = 0;
    *first = som_vec3(0, 0, 0);
    for (int i = 0; i < e->mechanism->link_count; i++) {
        if (body >= 0 && model->body_of[i] != body) {
            continue;
        }
        SomInertia in = e->mechanism->links[i].link->inertia;
        SomVec3 c = som_pose_apply(links[i], in.center);
        SomMat3 r = links[i].rotation;
        SomMat3 turned = som_mat3_multiply(som_mat3_multiply(r, in.moments), som_mat3_transpose(r));
        double at[3] = {c.x, c.y, c.z}, square = som_vec3_dot(c, c);
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                double moved = in.mass * ((a == b ? square : 0) - at[a] * at[b]);
                sum.m[a][b] += turned.m[a][b] + moved;
            }
        }
        *mass += in.mass;
        *first = som_vec3_add(*first, som_vec3_scale(in.mass, c));
    }
    return sum;
}

static void check_masses(const TestExport *e, const SomBodyModel *model) {
    SomPose *links = som_alloc(sizeof *links * (size_t)e->mechanism->link_count);
    SomPosture start = som_posture_start(e->design);
    som_mechanism_place(e->mechanism, &start, links);
    for (int i = 0; i < model->body_count; i++) {
        double mass;
        SomVec3 first;
        SomMat3 moments = moments_of_links(e, model, i, links, &mass, &first);
        SomPose pose = model->bodies[i].pose;
        pose.position.z -= model->lifts[0];
        SomInertia inertia = som_inertia_transform(pose, model->bodies[i].inertia);
        SomMat3 about = som_inertia_about_origin(inertia);
        ck_assert_msg(som_inertia_is_physical(inertia), "%s", e->label);
        ck_assert_msg(fabs(inertia.mass - mass) <= 1e-12 * mass, "%s", e->label);
        SomVec3 off = som_vec3_sub(som_vec3_scale(1 / mass, first), inertia.center);
        ck_assert_msg(som_vec3_length(off) <= 1e-12, "%s", e->label);
        double worst = 0, size = moments.m[0][0] + moments.m[1][1] + moments.m[2][2];
        for (int k = 0; k < 9; k++) {
            worst = fmax(worst, fabs(about.m[k / 3][k % 3] - moments.m[k / 3][k % 3]));
        }
        ck_assert_msg(worst <= 1e-12 * size, "%s: %g", e->label, worst / size);
    }
    som_posture_free(&start);
    som_free(links);
}

static void check_masses_of_all(const TestExport *e, void *context) {
    (void)context;
    each_kind(e, check_masses);
}

START_TEST(bodies_have_the_masses_and_moments_of_their_links) {
    ck_assert_int_gt(test_each_export(check_masses_of_all, NULL), 30);
}
END_TEST

// ---- trees

// Places the bodies from their parents by the joints alone.
static void place_by_joints(const SomBodyModel *model, const double *values, SomPose *bodies) {
    for (int i = 0; i < model->body_count; i++) {
        const SomBody *body = &model->bodies[i];
        if (body->parent < 0) {
            bodies[i] = body->pose;
            continue;
        }
        const SomBodyJoint *joint = &model->joints[body->joint];
        SomPose pose = som_pose_relative(model->bodies[body->parent].pose, body->pose);
        double by = joint->dof >= 0 ? values[joint->dof] - joint->start : 0;
        SomPose motion = som_pose_identity();
        if (joint->type == SOM_JOINT_PRISMATIC) {
            motion.position = som_vec3_scale(by, joint->axis);
        } else if (joint->type == SOM_JOINT_REVOLUTE) {
            motion.rotation = som_rotation_exp(som_vec3_scale(by, joint->axis));
            SomVec3 back = som_mat3_apply(motion.rotation, joint->position);
            motion.position = som_vec3_sub(joint->position, back);
        }
        bodies[i] = som_pose_compose(bodies[body->parent], som_pose_compose(pose, motion));
    }
}

static void check_kinematics(const TestExport *e, const SomBodyModel *model) {
    SomTestRandom random = {7};
    SomPosture posture = som_posture_start(e->design);
    SomPose *links = som_alloc(sizeof *links * (size_t)e->mechanism->link_count);
    SomPose *bodies = som_alloc(sizeof *bodies * (size_t)model->body_count);
    for (int i = 0; i < posture.count; i++) {
        double by = model->joint_of[i] >= 0 ? som_test_uniform(&random, -1, 1) : 0;
        posture.values[i] += by;
    }
    som_mechanism_place(e->mechanism, &posture, links);
    place_by_joints(model, posture.values, bodies);
    double worst = 0;
    for (int i = 0; i < e->mechanism->link_count; i++) {
        SomPose a = som_pose_compose(bodies[model->body_of[i]], model->link_pose[i]);
        // both seen from the first link, so that it does not matter which body stays
        SomPose a0 = som_pose_compose(bodies[model->body_of[0]], model->link_pose[0]);
        SomPose away = som_pose_relative(a0, a), wanted = som_pose_relative(links[0], links[i]);
        worst = fmax(worst, som_pose_distance(away, wanted));
    }
    ck_assert_msg(worst <= 1e-11, "%s: %g", e->label, worst);
    som_posture_free(&posture);
    som_free(links);
    som_free(bodies);
}

static void check_kinematics_of_all(const TestExport *e, void *context) {
    (void)context;
    each_kind(e, check_kinematics);
}

START_TEST(joints_move_bodies_as_the_mechanism_does_whatever_they_hang_on) {
    test_each_export(check_kinematics_of_all, NULL);
}
END_TEST

static void check_lock(const TestExport *e, void *context) {
    const int *expected = context; // joints, bodies
    SomBodyModel *model = model_of(e, false, false);
    ck_assert_int_eq(model->joint_count, expected[0]);
    ck_assert_int_eq(model->body_count, expected[1]);
    som_body_model_destroy(model);
}

// ---- shells

static bool is_listed(const SomBodyModel *model, int a, int b) {
    for (int i = 0; i < model->pair_count; i++) {
        const SomBodyPair *pair = &model->pairs[i];
        if ((pair->a == a && pair->b == b) || (pair->a == b && pair->b == a)) {
            return true;
        }
    }
    return false;
}

static int host_of(const SomBodyModel *model, int body) {
    return model->bodies[body].host >= 0 ? model->bodies[body].host : body;
}

// Whether the reader of the model tests the shapes of two bodies against each other.
static bool are_tested(const SomBodyModel *model, int a, int b) {
    bool is_joint = model->bodies[a].parent == b || model->bodies[b].parent == a;
    return host_of(model, a) != host_of(model, b) && !is_listed(model, a, b) &&
           !(is_joint && model->contacts == SOM_BODY_CONTACTS_PARENT);
}

static double nearest(const SomBodyModel *model, const SomPose *bodies, int a, int b) {
    const SomBodyShape *x = &model->shapes[a], *y = &model->shapes[b];
    return som_shape_distance(x->shape, som_pose_compose(bodies[x->body], x->pose), y->shape,
                              som_pose_compose(bodies[y->body], y->pose))
        .distance;
}

// Two shapes that are not tested, of links that may touch, never do.
static void check_untested(const TestExport *e, const SomBodyModel *model, const SomPairs *rules,
                           const SomPose *bodies) {
    for (int i = 0; i < model->shape_count; i++) {
        for (int k = 0; k < i; k++) {
            const SomBodyShape *x = &model->shapes[i], *y = &model->shapes[k];
            bool is_of_ground = !x->is_solid || !y->is_solid || x->skips_robot || y->skips_robot;
            if (is_of_ground || host_of(model, x->body) == host_of(model, y->body)) {
                continue;
            }
            SomPairRule rule = som_pairs_rule(rules, x->link, y->link, NULL);
            bool is_made_so = rule == SOM_PAIR_FLUSH || rule == SOM_PAIR_BUILT ||
                              rule == SOM_PAIR_HINGED || rule == SOM_PAIR_JOINED ||
                              rule == SOM_PAIR_PARTS_HINGED || rule == SOM_PAIR_PARTS_JOINED ||
                              rule == SOM_PAIR_DOCKED;
            bool is_rigid = rules->bodies[x->link] == rules->bodies[y->link];
            bool is_tested = are_tested(model, x->body, y->body);
            ck_assert_msg(!is_tested || !is_made_so, "%s: '%s' and '%s' are tested", e->label,
                          x->name.data, y->name.data);
            ck_assert_msg(is_tested || is_made_so || is_rigid || nearest(model, bodies, i, k) > 0,
                          "%s: '%s' and '%s' are not tested", e->label, x->name.data, y->name.data);
        }
    }
}

static void pose_randomly(const SomBodyModel *model, SomPose *bodies) {
    double *values = som_alloc(sizeof *values * ((size_t)model->mechanism->dof_count + 1));
    SomTestRandom random = {5};
    for (int i = 0; i < model->joint_count; i++) {
        const SomBodyJoint *joint = &model->joints[i];
        if (joint->dof >= 0) {
            values[joint->dof] =
                som_test_uniform(&random, fmax(joint->low, -3), fmin(joint->high, 3));
        }
    }
    place_by_joints(model, values, bodies);
    som_free(values);
}

static void check_shells(const TestExport *e, void *context) {
    int *shells = context;
    SomPairs *rules = som_pairs_create(e->mechanism);
    for (int i = 0; i < 4 && e->mechanism->link_count < 150; i++) {
        SomBodyDef def = {.mechanism = e->mechanism, .graph = e->graph, .is_full = i & 1};
        def.contacts = i & 2 ? SOM_BODY_CONTACTS_PARENT : SOM_BODY_CONTACTS_LISTED;
        SomBodyModel *model = som_body_model_create(&def);
        SomPose *bodies = som_alloc(sizeof *bodies * (size_t)model->body_count);
        double mass = 0;
        for (int k = 0; k < model->body_count; k++) {
            mass += model->bodies[k].inertia.mass;
            *shells += model->bodies[k].host >= 0;
            ck_assert(som_inertia_is_physical(model->bodies[k].inertia));
        }
        ck_assert_msg(fabs(mass - e->mechanism->mass) <= 1e-9 * mass, "%s: %g", e->label, mass);
        pose_randomly(model, bodies);
        if (model->weld_count == 0) { // else joints cannot go everywhere
            check_untested(e, model, rules, bodies);
        }
        bool is_sdf = def.contacts == SOM_BODY_CONTACTS_PARENT && !def.is_full;
        ck_assert_msg(!is_sdf || som_sdf_untested_pairs(model) == 0, "%s: %d pairs are lost",
                      e->label, som_sdf_untested_pairs(model));
        som_free(bodies);
        som_body_model_destroy(model);
    }
    som_pairs_destroy(rules);
}

START_TEST(only_links_that_are_made_to_touch_are_not_tested) {
    int shells = 0;
    test_each_export(check_shells, &shells);
    ck_assert_int_gt(shells, 50);
}
END_TEST

static const char chain[] = "use \"smores.m3l\"\n"
                            "config Chain {\n"
                            "    part a, b, c : SMORES\n"
                            "    connect a.B to b.T\n"
                            "    connect b.B to c.T\n"
                            "}\n";

START_TEST(joints_that_the_behavior_never_moves_are_locked) {
    test_export(chain, "", "", check_lock, (int[]){12, 13});
    test_export(chain, "", "b.bend to 20deg", check_lock, (int[]){1, 2});
    test_export(chain, "", "series(hold, wait 1s)", check_lock, (int[]){0, 1});
    test_export(chain, "", "parallel(a.left spin 1rad/s during 1s, c.bend by 10deg)", check_lock,
                (int[]){2, 3});
}
END_TEST

static void check_loop(const TestExport *e, void *context) {
    const int *expected = context; // joints, welds
    SomBodyModel *model = model_of(e, false, false);
    ck_assert_int_eq(model->joint_count, expected[0]);
    ck_assert_int_eq(model->weld_count, expected[1]);
    for (int i = 0; i < model->weld_count; i++) {
        const SomBodyWeld *weld = &model->welds[i];
        SomPose b = som_pose_compose(model->bodies[weld->body_a].pose, weld->pose);
        ck_assert_double_le(som_pose_distance(b, model->bodies[weld->body_b].pose), 1e-9);
    }
    som_body_model_destroy(model);
}

START_TEST(joints_of_a_loop_move_together_or_not_at_all) {
    const char *ring = "use \"loop.som\"\nconfig Ring {\n    part r : LoopN(n = 8)\n}\n";
    test_export(ring, "", "r.m[1].left spin 1rad/s during 1s", check_loop, (int[]){1, 0});
    // two joints of each module are in the ring; its wheels stay locked
    test_export(ring, "", "r.m[2].bend by 1deg", check_loop, (int[]){16, 1});
}
END_TEST

static void check_split(const TestExport *e, void *context) {
    (void)context;
    for (int centered = 0; centered < 2; centered++) {
        SomBodyModel *model = model_of(e, false, centered);
        double mass = 0;
        int followers = 0;
        ck_assert_int_eq(model->body_count, 5); // four links, one of them in halves
        ck_assert_int_eq(model->weld_count, 1);
        for (int i = 0; i < model->body_count; i++) {
            mass += model->bodies[i].inertia.mass;
        }
        ck_assert_double_eq_tol(mass, e->mechanism->mass, 1e-12);
        for (int i = 0; i < model->joint_count; i++) {
            // all links have one frame while the joints are at zero
            const SomBodyJoint *joint = &model->joints[i];
            SomMat3 turn =
                som_mat3_multiply(som_mat3_transpose(model->bodies[joint->parent].pose.rotation),
                                  model->bodies[joint->child].pose.rotation);
            SomMat3 wanted = som_rotation_exp(som_vec3_scale(joint->start, joint->axis));
            ck_assert_double_le(som_rotation_distance(turn, wanted), 1e-9);
            followers += joint->dof < 0 && fabs(joint->start) > 0.1;
        }
        ck_assert_int_eq(followers, 1);
        const SomBodyWeld *weld = &model->welds[0];
        SomPose b = som_pose_compose(model->bodies[weld->body_a].pose, weld->pose);
        ck_assert_double_le(som_pose_distance(b, model->bodies[weld->body_b].pose), 1e-9);
        som_body_model_destroy(model);
    }
}

START_TEST(a_closing_joint_in_a_module_moves_half_of_its_link) {
    test_four_bar(check_split, NULL);
}
END_TEST

// ---- frames by which others know links

#define FRAMED_LINKS                                                                               \
    "link base: shape=box((0.1, 0, 0), (0.2, 0.1, 0.1)), frame=at_base\n"                          \
    "link arm: shape=box((0.3, 0, 0), (0.2, 0.05, 0.05)), frame=at_arm\n"                          \
    "link tip: shape=sphere((0.4, 0, 0.1), 0.05), frame=at_tip\n"                                  \
    "frame at_base: link=base, origin=(0.1, 0.2, 0.3), x=(0, 1, 0), z=(0, 0, 1)\n"                 \
    "frame at_arm: link=arm, origin=(0.2, 0, 0), x=(0, 0.6, 0.8), z=(1, 0, 0)\n"                   \
    "frame at_tip: link=tip, origin=(0.4, 0, 0.1), x=(0, 0, 1), z=(0.6, 0.8, 0)\n"                 \
    "joint hinge: type=revolute, pair=((arm, (axis: origin=(0.2, 0, 0), direction=(0, 0.6, "       \
    "0.8))), "                                                                                     \
    "(base, (axis: origin=(0.2, 0, 0), direction=(0, -0.6, -0.8))))\n"

static const char framed[] =
    "module Framed: root=base\n" FRAMED_LINKS
    "joint mount: type=fixed, pair=((tip, (axis: origin=(0.4, 0, 0), direction=(0, 0, 1))), "
    "(arm, (axis: origin=(0.4, 0, 0), direction=(0, 0, -1))))\n";

static const char framed_loop[] =
    "module Framed: root=base\n" FRAMED_LINKS
    "joint elbow: type=revolute, pair=((tip, (axis: origin=(0.4, 0, 0), direction=(0, 0.6, 0.8))), "
    "(arm, (axis: origin=(0.4, 0, 0), direction=(0, -0.6, -0.8))))\n"
    "joint back: type=revolute, pair=((tip, (axis: origin=(0.4, 0, 0), direction=(0, 0.6, 0.8))), "
    "(base, (axis: origin=(0.4, 0, 0), direction=(0, -0.6, -0.8))))\n";

static void check_frames(const TestExport *e, const SomBodyModel *model) {
    const SomMechanism *m = e->mechanism;
    SomPosture start = som_posture_start(e->design);
    SomPose links[3], bodies[8];
    som_mechanism_place(m, &start, links);
    for (int i = 0; i < model->body_count; i++) {
        int link = model->bodies[i].link;
        SomPose wanted = som_pose_compose(links[link], m->links[link].link->frame);
        wanted.position.z += model->lifts[0];
        ck_assert_double_le(som_pose_distance(model->bodies[i].pose, wanted), 1e-14);
    }
    for (int i = 0; i < 3; i++) {
        SomPose at = som_pose_compose(model->bodies[model->body_of[i]].pose, model->link_pose[i]);
        at.position.z -= model->lifts[0];
        ck_assert_double_le(som_pose_distance(at, links[i]), 1e-14);
    }
    ck_assert(som_body_model_place(model, &start, bodies));
    for (int i = 0; i < model->body_count; i++) {
        ck_assert_double_le(som_pose_distance(model->bodies[i].pose, bodies[i]), 1e-14);
    }
    for (int i = 0; i < model->weld_count; i++) {
        const SomBodyWeld *weld = &model->welds[i];
        SomPose b = som_pose_compose(model->bodies[weld->body_a].pose, weld->pose);
        ck_assert_double_le(som_pose_distance(b, model->bodies[weld->body_b].pose), 1e-14);
    }
    som_posture_free(&start);
}

static void check_framed(const TestExport *e, void *context) {
    (void)context;
    each_kind(e, check_frames);
    each_kind(e, check_masses);
    each_kind(e, check_kinematics);
    SomBodyModel *model = model_of(e, true, false);
    ck_assert_int_eq(model->joint_count, 2);
    ck_assert(som_str_equal(model->joints[1].name, SOM_STR("m_mount"))); // not after its link
    som_body_model_destroy(model);
}

static void check_framed_loop(const TestExport *e, void *context) {
    (void)context;
    each_kind(e, check_frames);
}

START_TEST(bodies_have_the_frames_by_which_others_know_their_links) {
    test_module_export(framed, "Framed", check_framed, NULL);
    test_module_export(framed_loop, "Framed", check_framed_loop, NULL);
}
END_TEST

// What a dock is to be: bodies, floating ones, welds, and whether the last is held.
static void check_dock(const TestExport *e, void *context) {
    const int *expected = context;
    SomBodyModel *model = model_of(e, false, false);
    int floating = 0;
    for (int i = 0; i < model->body_count; i++) {
        floating += model->bodies[i].parent < 0;
    }
    ck_assert_int_eq(model->body_count, expected[0]);
    ck_assert_int_eq(floating, expected[1]);
    ck_assert_int_eq(model->weld_count, expected[2]);
    if (model->weld_count > 0) {
        const SomBodyWeld *weld = &model->welds[0];
        SomPose b = som_pose_compose(model->bodies[weld->body_a].pose, weld->pose);
        double gap = som_pose_distance(b, model->bodies[weld->body_b].pose);
        ck_assert_int_eq(weld->dock, 0);
        ck_assert_int_eq(weld->is_held, expected[3]);
        ck_assert_int_eq(gap <= 1e-9, expected[3]); // one that is open is meant to be elsewhere
    }
    som_body_model_destroy(model);
}

START_TEST(docks_that_the_behavior_drives_are_welds) {
    const char *pair = "use \"smores.m3l\"\nconfig Pair {\n    part a, b : SMORES\n"
                       "    dock grip: a.B to b.T closed\n}\n";
    test_export(pair, "", "wait 1s", check_dock, (int[]){1, 1, 0, 0});
    test_export(pair, "", "disconnect grip timeout 1s", check_dock, (int[]){2, 2, 1, 1});
    const char *ring = "use \"ring.som\"\nconfig R {\n    part r : Ring(n = 6)\n}\n";
    test_export(ring, "", "r.curl", check_dock, (int[]){7, 1, 1, 0});
}
END_TEST

static void check_depth(const TestExport *e, void *context) {
    SomBodyModel *base = model_of(e, false, false), *middle = model_of(e, false, true);
    ck_assert_int_eq(middle->body_count, base->body_count);
    ck_assert_int_ge(base->depth, 120);
    ck_assert_int_le(middle->depth, (base->depth + 2) / 2 + 2);
    *(int *)context = middle->depth;
    som_body_model_destroy(base);
    som_body_model_destroy(middle);
}

START_TEST(a_chain_that_hangs_on_its_middle_is_half_as_deep) {
    int depth = 0;
    test_export("use \"snake.som\"\nconfig Long {\n    part s : Snake(n = 22)\n}\n", "", "",
                check_depth, &depth);
    ck_assert_int_le(depth, 70);
}
END_TEST

// ---- names

static bool is_legal(SomStr name) {
    for (size_t i = 0; i < name.length; i++) {
        if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
                   name.data[i]) == NULL) {
            return false;
        }
    }
    return name.length > 0 && name.data[0] != '_' && !som_str_equal(name, SOM_STR("world"));
}

static void check_names(const TestExport *e, void *context) {
    (void)context;
    SomBodyModel *model = model_of(e, false, false);
    SOM_ARRAY(SomStr) names = {0};
    for (int i = 0; i < model->body_count; i++) {
        som_array_push(&names, model->bodies[i].name);
        ck_assert(
            som_str_equal(model->bodies[i].path, e->mechanism->links[model->bodies[i].link].path));
    }
    for (int i = 0; i < model->joint_count; i++) {
        som_array_push(&names, model->joints[i].name);
        ck_assert(som_str_equal(model->joints[i].path, e->design->dofs[model->joints[i].dof].path));
    }
    for (int i = 0; i < names.count; i++) {
        ck_assert_msg(is_legal(names.data[i]), "%s", names.data[i].data);
        for (int k = 0; k < i; k++) {
            ck_assert_msg(!som_str_equal(names.data[i], names.data[k]), "%s", names.data[i].data);
        }
    }
    som_array_free(&names);
    SomText table = {0};
    som_body_model_print_names(model, &table);
    ck_assert_ptr_nonnull(strstr(table.data, "\njoint,left_front_wheel_bend,"));
    ck_assert_ptr_nonnull(strstr(table.data, ",\"\"\"left-front-wheel\"\".bend\"\n"));
    som_text_free(&table);
    som_body_model_destroy(model);
}

START_TEST(names_are_legal_unique_and_lead_back) {
    test_export(test_hostile_design, "", "", check_names, NULL);
}
END_TEST

// ---- shapes

// How far the hull of the solid shapes of a body is below that of all its links, in a direction.
static double shortfall(const TestExport *e, const SomBodyModel *model, int body, SomVec3 d) {
    double all = -INFINITY, solid = -INFINITY;
    for (int i = 0; i < e->mechanism->link_count; i++) {
        const SomModuleLink *link = e->mechanism->links[i].link;
        for (int k = 0; model->body_of[i] == body && k < link->part_count; k++) {
            SomPose pose = som_pose_compose(model->link_pose[i], link->parts[k].pose);
            SomVec3 p = som_shape_support(&link->parts[k].shape, som_pose_rotate_inverse(pose, d));
            all = fmax(all, som_vec3_dot(d, som_pose_apply(pose, p)));
        }
    }
    const SomBody *of = &model->bodies[body];
    for (int i = of->first_shape; i < of->first_shape + of->shape_count; i++) {
        const SomBodyShape *shape = &model->shapes[i];
        if (shape->is_solid) {
            SomVec3 p = som_shape_support(shape->shape, som_pose_rotate_inverse(shape->pose, d));
            solid = fmax(solid, som_vec3_dot(d, som_pose_apply(shape->pose, p)));
        }
    }
    return isfinite(all) ? all - solid : 0;
}

static void check_outline(const TestExport *e, void *context) {
    SomBodyModel *model = model_of(e, false, false);
    SomTestRandom random = {3};
    double worst = 0;
    for (int i = 0; i < model->body_count; i++) {
        for (int k = 0; k < som_test_count(60, 2000); k++) {
            SomVec3 d = som_vec3(som_test_normal(&random), som_test_normal(&random),
                                 som_test_normal(&random));
            d = som_vec3_scale(1 / som_vec3_length(d), d);
            worst = fmax(worst, fabs(shortfall(e, model, i, d)));
        }
    }
    ck_assert_msg(worst <= 1e-3, "%s: %g", e->label, worst);
    for (int i = 0; i < model->shape_count; i++) {
        ((int *)context)[0] += model->shapes[i].is_solid;
        ((int *)context)[1] += model->shapes[i].is_seen;
    }
    som_body_model_destroy(model);
}

START_TEST(the_outline_that_touches_the_ground_stays_within_a_millimetre) {
    int counts[2] = {0, 0};
    test_each_export(check_outline, counts);
    ck_assert_int_lt(3 * counts[0], 2 * counts[1]); // a third of the pieces are left out
}
END_TEST

static void check_ground(const TestExport *e, void *context) {
    (void)context;
    SomBodyModel *model = model_of(e, false, true);
    double lowest = INFINITY;
    for (int i = 0; i < model->shape_count; i++) {
        const SomBodyShape *s = &model->shapes[i];
        if (s->is_solid) {
            SomPose pose = som_pose_compose(model->bodies[s->body].pose, s->pose);
            lowest = fmin(lowest, som_shape_bounds(s->shape, pose).low.z);
        }
    }
    ck_assert_msg(fabs(lowest) <= 1e-12, "%s: %g", e->label, lowest);
    som_body_model_destroy(model);
}

START_TEST(robots_stand_on_the_ground) {
    test_each_export(check_ground, NULL);
}
END_TEST

SOM_SUITE("exchange/body_model", only_links_that_are_made_to_touch_are_not_tested,
          bodies_have_the_masses_and_moments_of_their_links,
          joints_move_bodies_as_the_mechanism_does_whatever_they_hang_on,
          joints_that_the_behavior_never_moves_are_locked,
          joints_of_a_loop_move_together_or_not_at_all,
          a_closing_joint_in_a_module_moves_half_of_its_link,
          bodies_have_the_frames_by_which_others_know_their_links,
          docks_that_the_behavior_drives_are_welds,
          a_chain_that_hangs_on_its_middle_is_half_as_deep, names_are_legal_unique_and_lead_back,
          the_outline_that_touches_the_ground_stays_within_a_millimetre, robots_stand_on_the_ground)
