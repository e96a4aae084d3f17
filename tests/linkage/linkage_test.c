// SPDX-License-Identifier: Apache-2.0
// Tests for the model and the primitives: linkage/linkage.c, linkage_tree.c, linkage_edit.c,
// linkage_hierarchy.c.

#include "base/codes/linkage_codes.h"
#include "base/memory.h"
#include "linkage/linkage.h"
#include "tests/linkage/support.h"

#include <math.h>
#include <stdio.h>

// A chain along x: ground - k0 - k1 - ... by revolute joints.
static SomLinkage *make_chain(int length, SomLinkId *links, SomJointId *joints) {
    SomLinkage *l = som_linkage_create();
    SomDiagnostics *diags = som_diagnostics_create();
    SomLinkId parent = som_linkage_top_ground(l);
    for (int i = 0; i < length; i++) {
        char link_name[32], joint_name[32];
        snprintf(link_name, sizeof link_name, "k%d", i);
        snprintf(joint_name, sizeof joint_name, "j%d", i);
        SomLinkDef link = {.name = som_str(link_name), .pose = test_move(i, 0, 0)};
        links[i] = som_linkage_add_link(l, &link, diags);
        SomJointDef joint = {.name = som_str(joint_name),
                             .type = SOM_JOINT_REVOLUTE,
                             .parent = parent,
                             .child = links[i],
                             .parent_frame = test_move(i == 0 ? 0 : 1, 0, 0)};
        joints[i] = som_linkage_add_joint(l, &joint, diags);
        // directly below its parent: the tree walk is as long as the chain
        ck_assert(som_linkage_make_tree(l, joints[i], diags));
        parent = links[i];
    }
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    som_diagnostics_destroy(diags);
    return l;
}

START_TEST(the_second_inversion_of_a_closure_restores_it) {
    SomTestRandom random = {7};
    SomLinkage *l = test_random_linkage(&random, 0);
    SomDiagnostics *diags = som_diagnostics_create();
    SomLinkId a = test_any_link(l, &random), b = a;
    while (b.index1 == a.index1) {
        b = test_any_link(l, &random);
    }
    SomJointDef def = test_fitting_joint(l, &random, a, b, 0.1);
    def.name = SOM_STR("pin");
    SomJointId pin = som_linkage_add_joint(l, &def, diags);
    ck_assert(som_linkage_invert(l, pin, diags));
    SomJointInfo turned = som_linkage_get_joint(l, pin);
    ck_assert_uint_eq(turned.parent.index1, b.index1);
    ck_assert(turned.is_inverted != def.is_inverted);
    ck_assert(som_linkage_invert(l, pin, diags));
    SomJointInfo back = som_linkage_get_joint(l, pin);
    ck_assert_uint_eq(back.parent.index1, a.index1);
    ck_assert_double_le(test_pose_difference(back.parent_frame, def.parent_frame), 1e-15);
    som_diagnostics_destroy(diags);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(closing_and_opening_a_joint_keeps_its_turns) {
    SomLinkage *l = som_linkage_create();
    SomDiagnostics *diags = som_diagnostics_create();
    SomLinkId arm = test_link(l, (SomSublinkageId){0}, "arm");
    SomJointId hip = test_tree_joint(l, "hip", SOM_JOINT_REVOLUTE, som_linkage_top_ground(l), arm,
                                     som_pose_identity(), som_pose_identity(), SOM_DOF_RZ, 9.5);
    ck_assert(som_linkage_make_closure(l, hip, diags));
    ck_assert(!som_linkage_get_joint(l, hip).is_tree);
    ck_assert(som_linkage_make_tree(l, hip, diags));
    double y[6];
    som_linkage_coordinates(l, hip, y);
    ck_assert_double_eq_tol(y[SOM_DOF_RZ], 9.5, 1e-14);
    som_diagnostics_destroy(diags);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(a_part_that_floats_again_keeps_its_turns) {
    SomLinkage *l = som_linkage_create();
    SomDiagnostics *diags = som_diagnostics_create();
    SomSublinkageId leg =
        som_linkage_add_sublinkage(l, som_linkage_top(l), SOM_STR("leg"), SOM_DRIVEN, diags);
    SomLinkId hip = test_link(l, leg, "hip");
    SomJointId root = som_linkage_get_link(l, hip).root_joint;
    ck_assert(som_linkage_set_value(l, root, SOM_DOF_RZ, 3.5, diags));
    SomJointId pin = test_closure(l, "pin", SOM_JOINT_REVOLUTE, som_linkage_top_ground(l), hip,
                                  som_pose_identity(), som_pose_identity());
    ck_assert(som_linkage_make_tree(l, pin, diags));
    ck_assert(som_linkage_make_closure(l, pin, diags));
    double y[6];
    som_linkage_coordinates(l, root, y);
    ck_assert(som_linkage_get_joint(l, root).is_tree);
    ck_assert_double_eq_tol(y[SOM_DOF_RZ], 3.5, 1e-14);
    som_diagnostics_destroy(diags);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(an_inverted_tree_keeps_joint_values_bit_by_bit) {
    SomLinkId links[6];
    SomJointId joints[6];
    SomLinkage *l = make_chain(6, links, joints);
    SomDiagnostics *diags = som_diagnostics_create();
    for (int i = 0; i < 6; i++) {
        ck_assert(som_linkage_set_value(l, joints[i], SOM_DOF_RZ, 0.1 * (i + 1), diags));
    }
    ck_assert(som_linkage_invert(l, joints[4], diags));
    ck_assert(som_linkage_get_link(l, links[4]).is_ground);
    for (int i = 0; i < 6; i++) {
        double y[6];
        som_linkage_coordinates(l, joints[i], y);
        ck_assert(som_linkage_get_joint(l, joints[i]).is_tree);
        ck_assert(som_linkage_get_joint(l, joints[i]).is_inverted == (i <= 4));
        ck_assert_double_eq(y[SOM_DOF_RZ], 0.1 * (i + 1));
    }
    test_valid(l);
    som_diagnostics_destroy(diags);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(an_open_closure_that_joins_the_tree_says_that_it_moves) {
    SomLinkage *l = som_linkage_create();
    SomDiagnostics *diags = som_diagnostics_create();
    SomLinkDef def = {.name = SOM_STR("foot"), .pose = test_move(0.2, 0, 0)};
    SomLinkId foot = som_linkage_add_link(l, &def, diags);
    SomJointId pin = test_closure(l, "pin", SOM_JOINT_SPHERICAL, som_linkage_top_ground(l), foot,
                                  som_pose_identity(), som_pose_identity());
    ck_assert(som_linkage_make_tree(l, pin, diags));
    ck_assert(som_diagnostics_has(diags, SOM_LINKAGE_MOVED));
    ck_assert_double_le(fabs(som_linkage_pose(l, foot).position.x), 1e-15);
    som_diagnostics_destroy(diags);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(merge_undoes_split) {
    SomLinkId links[4];
    SomJointId joints[4];
    SomLinkage *l = make_chain(4, links, joints);
    SomDiagnostics *diags = som_diagnostics_create();
    SomPose before = som_linkage_get_joint(l, joints[2]).parent_frame;
    SomLinkId half = som_linkage_split(l, links[1], SOM_STR("half"), test_move(0.5, 0, 0),
                                       SOM_JOINT_PRISMATIC, &joints[2], 1, diags);
    ck_assert_uint_eq(som_linkage_get_joint(l, joints[2]).parent.index1, half.index1);
    test_valid(l);
    ck_assert(som_linkage_merge(l, som_linkage_find_joint(l, SOM_STR("half.j")), diags));
    test_valid(l);
    SomJointInfo after = som_linkage_get_joint(l, joints[2]);
    ck_assert_uint_eq(after.parent.index1, links[1].index1);
    ck_assert_double_le(test_pose_difference(after.parent_frame, before), 1e-15);
    ck_assert_int_eq(som_linkage_link_count(l), 5);
    som_diagnostics_destroy(diags);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(dissolving_renames_what_would_clash) {
    SomLinkage *l = som_linkage_create();
    SomDiagnostics *diags = som_diagnostics_create();
    SomSublinkageId leg =
        som_linkage_add_sublinkage(l, som_linkage_top(l), SOM_STR("leg"), SOM_DRIVEN, diags);
    SomLinkId inner = test_link(l, leg, "foot");
    test_link(l, som_linkage_top(l), "foot");
    ck_assert(som_linkage_dissolve(l, leg, diags));
    ck_assert(som_diagnostics_has(diags, SOM_LINKAGE_RENAMED));
    ck_assert(som_str_equal(som_linkage_get_link(l, inner).name, SOM_STR("leg.foot")));
    ck_assert_uint_eq(som_linkage_find_link(l, som_linkage_top(l), SOM_STR("leg.foot")).index1,
                      inner.index1);
    test_valid(l);
    som_diagnostics_destroy(diags);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(encapsulate_then_dissolve_restores_the_tree) {
    SomLinkId links[6];
    SomJointId joints[6];
    SomLinkage *l = make_chain(6, links, joints);
    SomDiagnostics *diags = som_diagnostics_create();
    SomSublinkageId part =
        som_linkage_encapsulate(l, links + 2, 4, SOM_STR("tail"), SOM_DRIVEN, diags);
    ck_assert_uint_ne(part.index1, 0);
    test_valid(l);
    ck_assert(som_linkage_dissolve(l, part, diags));
    test_valid(l);
    ck_assert(!som_diagnostics_has(diags, SOM_LINKAGE_CLOSED));
    for (int i = 0; i < 6; i++) {
        ck_assert(som_linkage_get_joint(l, joints[i]).is_tree);
    }
    som_diagnostics_destroy(diags);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(subframes_move_with_their_link_and_stay_in_the_world) {
    SomLinkage *l = som_linkage_create();
    SomDiagnostics *diags = som_diagnostics_create();
    SomLinkId arm = test_link(l, (SomSublinkageId){0}, "arm");
    ck_assert(som_linkage_set_subframe(l, arm, SOM_STR("tip"), test_move(1, 2, 3), diags));
    ck_assert(som_linkage_reposition_link(l, arm, test_move(0, 0, 1), diags));
    SomPose tip;
    ck_assert(som_linkage_find_subframe(l, arm, SOM_STR("tip"), &tip));
    tip = som_pose_compose(som_linkage_pose(l, arm), tip);
    ck_assert_double_le(test_pose_difference(tip, test_move(1, 2, 3)), 1e-15);
    ck_assert(!som_linkage_find_subframe(l, arm, SOM_STR("heel"), &tip));
    ck_assert(!som_linkage_set_subframe(l, arm, SOM_STR(""), test_move(1, 2, 3), diags));
    ck_assert(som_diagnostics_has(diags, SOM_LINKAGE_NAME_EMPTY));
    ck_assert(som_linkage_remove_link(l, arm, diags));
    som_diagnostics_destroy(diags);
    som_linkage_destroy(l);
}
END_TEST

// Steps of an operation on a chain of n links of which no pose is known yet.
typedef struct Chain {
    SomLinkage *linkage;
    SomLinkId *links;
    SomJointId *joints;
    int count;
} Chain;

typedef void (*Operation)(const Chain *chain, SomDiagnostics *diags);

static void add_to(const Chain *chain, SomDiagnostics *diags) {
    test_link(chain->linkage, (SomSublinkageId){0}, "extra");
    SomJointDef def = {.name = SOM_STR("extra"),
                       .parent = chain->links[0],
                       .child = chain->links[chain->count - 1]};
    som_linkage_add_joint(chain->linkage, &def, diags);
}

static void close_the_end(const Chain *chain, SomDiagnostics *diags) {
    som_linkage_make_closure(chain->linkage, chain->joints[chain->count - 1], diags);
}

static void turn_round(const Chain *chain, SomDiagnostics *diags) {
    som_linkage_make_ground(chain->linkage, chain->links[chain->count - 1], diags);
}

static double cost_of(Operation operation, int n) {
    Chain chain = {.links = som_alloc((size_t)n * sizeof *chain.links),
                   .joints = som_alloc((size_t)n * sizeof *chain.joints),
                   .count = n};
    SomLinkage *warm = make_chain(n, chain.links, chain.joints);
    chain.linkage = som_linkage_copy(warm);
    SomDiagnostics *diags = som_diagnostics_create();
    operation(&chain, diags);
    double cost = (double)som_linkage_work(chain.linkage);
    test_valid(chain.linkage);
    som_diagnostics_destroy(diags);
    som_linkage_destroy(chain.linkage);
    som_linkage_destroy(warm);
    som_free(chain.links);
    som_free(chain.joints);
    return cost;
}

START_TEST(costs_grow_as_published) {
    ck_assert_double_eq(cost_of(add_to, 1000), cost_of(add_to, 2000)); // O(1)
    const Operation linear[] = {close_the_end, turn_round};
    for (int i = 0; i < 2; i++) {
        double ratio = cost_of(linear[i], 2000) / cost_of(linear[i], 1000);
        ck_assert_double_le(ratio, 2.1);
        ck_assert_double_ge(ratio, 1.9);
    }
}
END_TEST

START_TEST(a_chain_grows_at_its_end_in_linear_time) {
    double work[2];
    for (int i = 0; i < 2; i++) {
        int n = i == 0 ? 2000 : 20000;
        SomLinkId *links = som_alloc((size_t)n * sizeof *links);
        SomJointId *joints = som_alloc((size_t)n * sizeof *joints);
        SomLinkage *l = make_chain(n, links, joints);
        work[i] = (double)som_linkage_work(l);
        som_linkage_destroy(l);
        som_free(links);
        som_free(joints);
    }
    ck_assert_double_le(work[1] / work[0], 11);
}
END_TEST

START_TEST(names_are_found_again_after_thousands_of_changes) {
    SomLinkage *l = som_linkage_create();
    SomDiagnostics *diags = som_diagnostics_create();
    SomTestRandom random = {3};
    SomLinkId links[500];
    char names[500][32];
    for (int i = 0; i < 500; i++) {
        snprintf(names[i], sizeof names[i], "a%d", i);
        links[i] = test_link(l, (SomSublinkageId){0}, names[i]);
    }
    for (int i = 0; i < 5000; i++) {
        int k = som_test_int(&random, 0, 499);
        if (i % 3 == 0) {
            ck_assert(som_linkage_remove_link(l, links[k], diags));
            ck_assert(!som_linkage_has_link(l, links[k]));
            links[k] = test_link(l, (SomSublinkageId){0}, names[k]);
        } else {
            snprintf(names[k], sizeof names[k], "b%d", i);
            ck_assert(som_linkage_set_link_name(l, links[k], som_str(names[k]), diags));
        }
    }
    for (int i = 0; i < 500; i++) {
        SomLinkId found = som_linkage_find_link(l, (SomSublinkageId){0}, som_str(names[i]));
        ck_assert_uint_eq(found.index1, links[i].index1);
    }
    ck_assert(!som_linkage_set_link_name(l, links[0], som_str(names[1]), diags));
    ck_assert(som_diagnostics_has(diags, SOM_LINKAGE_NAME_TAKEN));
    test_valid(l);
    som_diagnostics_destroy(diags);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(a_chain_of_100000_links_is_no_problem) {
    int n = som_test_count(20000, 100000);
    SomLinkage *l = som_linkage_create();
    SomDiagnostics *diags = som_diagnostics_create();
    SomLinkId first = test_link(l, (SomSublinkageId){0}, "first"), last = first;
    for (int i = 0; i < n; i++) { // grows at the ground, where each joint is one step from the top
        char name[32];
        snprintf(name, sizeof name, "k%d", i);
        SomLinkId link = test_link(l, (SomSublinkageId){0}, name);
        SomJointDef def = {.name = som_str(name), .parent = link, .child = last};
        SomJointId joint = som_linkage_add_joint(l, &def, diags);
        ck_assert(som_linkage_make_tree(l, joint, diags));
        last = link;
    }
    ck_assert_double_le(test_pose_difference(som_linkage_pose(l, first), som_pose_identity()),
                        1e-12);
    ck_assert(som_linkage_make_ground(l, first, diags)); // turns the whole chain round
    ck_assert(som_linkage_get_joint(l, som_linkage_find_joint(l, SOM_STR("k77"))).is_inverted);
    ck_assert_double_le(test_pose_difference(som_linkage_pose(l, last), som_pose_identity()),
                        1e-12);
    test_valid(l);
    SomLinkage *copy = som_linkage_copy(l);
    ck_assert(som_linkage_hash(copy) == som_linkage_hash(l));
    som_linkage_destroy(copy);
    som_diagnostics_destroy(diags);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(limits_must_have_a_meaning_for_the_type) {
    SomLinkage *l = som_linkage_create();
    SomDiagnostics *diags = som_diagnostics_create();
    SomJointDef def = {.name = SOM_STR("ball"),
                       .type = SOM_JOINT_SPHERICAL,
                       .parent = som_linkage_top_ground(l),
                       .child = test_link(l, (SomSublinkageId){0}, "a")};
    def.limits = (SomLimits){.limited = 1u << 6};
    ck_assert_uint_eq(som_linkage_add_joint(l, &def, diags).index1, 0);
    def.limits = (SomLimits){.limited = 1u << 31};
    ck_assert_uint_eq(som_linkage_add_joint(l, &def, diags).index1, 0);
    def.limits = (SomLimits){.limited = 8, .low = {[3] = 4}, .high = {[3] = 5}};
    ck_assert_uint_eq(som_linkage_add_joint(l, &def, diags).index1, 0);
    def.type = SOM_JOINT_REVOLUTE;
    def.limits = (SomLimits){.limited = 32, .low = {[5] = 1e300}, .high = {[5] = 1e301}};
    ck_assert_uint_eq(som_linkage_add_joint(l, &def, diags).index1, 0);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 4);
    def.limits = (SomLimits){.limited = 32, .low = {[5] = -4}, .high = {[5] = 4}};
    SomJointId joint = som_linkage_add_joint(l, &def, diags);
    ck_assert_uint_ne(joint.index1, 0);
    ck_assert(som_linkage_set_type(l, joint, SOM_JOINT_SPHERICAL, diags)); // narrows them
    SomLimits now = som_linkage_get_joint(l, joint).limits;
    ck_assert_uint_eq(now.limited, 32);
    ck_assert_double_le(now.high[5], acos(-1));
    ck_assert(som_linkage_set_limits(l, joint, &now, diags));
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(numbers_too_large_to_reckon_with_are_refused) {
    SomLinkage *l = som_linkage_create();
    SomDiagnostics *diags = som_diagnostics_create();
    SomLinkId a = test_link(l, (SomSublinkageId){0}, "a");
    SomJointId root = som_linkage_get_link(l, a).root_joint;
    ck_assert(!som_linkage_set_value(l, root, SOM_DOF_TX, 1e308, diags));
    ck_assert(!som_linkage_set_value(l, root, SOM_DOF_RZ, -1e300, diags));
    ck_assert(som_diagnostics_has(diags, SOM_LINKAGE_BAD_VALUE));
    ck_assert(!som_linkage_reposition_link(l, a, test_move(0, 1e154, 0), diags));
    ck_assert(som_diagnostics_has(diags, SOM_LINKAGE_BAD_POSE));
    ck_assert(som_linkage_set_value(l, root, SOM_DOF_TX, 1e9, diags));
    ck_assert(som_linkage_make_ground(l, a, diags));
    test_valid(l);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}
END_TEST

static void use_a_type_that_there_is_not(int which) {
    SomLinkage *l = som_linkage_create();
    SomDiagnostics *diags = som_diagnostics_create();
    SomLinkId ground = som_linkage_top_ground(l), a = test_link(l, (SomSublinkageId){0}, "a");
    SomJointType type = (SomJointType)(which < 3 ? SOM_JOINT_TYPES : SOM_JOINT_GENERAL);
    SomJointDef def = {.name = SOM_STR("j"), .parent = ground, .child = a};
    def.type = which % 3 == 0 ? type : SOM_JOINT_FIXED;
    SomJointId joint = som_linkage_add_joint(l, &def, diags);
    if (which % 3 == 1) {
        som_linkage_set_type(l, joint, type, diags);
    } else if (which % 3 == 2) {
        som_linkage_split(l, a, SOM_STR("b"), som_pose_identity(), type, NULL, 0, diags);
    }
}

START_TEST(a_type_that_there_is_not_is_an_assertion) {
    for (int which = 0; which < 6; which++) {
        ck_assert(som_test_aborts(use_a_type_that_there_is_not, which) == (which < 3));
    }
}
END_TEST

START_TEST(the_world_pose_moves_everything) {
    SomLinkage *l = test_fourbar(0.9, -0.5, -1.2);
    SomDiagnostics *diags = som_diagnostics_create();
    SomLinkId ground = som_linkage_top_ground(l);
    SomLinkId rocker = som_linkage_find_link(l, (SomSublinkageId){0}, SOM_STR("rocker"));
    SomPose before = som_linkage_pose(l, rocker);
    SomPose world = {som_rotation_z(0.7), {1, 2, 3}};
    ck_assert(som_linkage_set_world(l, world, diags));
    ck_assert_double_le(test_pose_difference(som_linkage_pose(l, ground), world), 0);
    ck_assert_double_le(
        test_pose_difference(som_linkage_pose(l, rocker), som_pose_compose(world, before)), 1e-15);
    som_diagnostics_destroy(diags);
    som_linkage_destroy(l);
}
END_TEST

// The root joint of a link that hangs elsewhere remembers its turns only while it is measured
// between the same frames.
START_TEST(root_joints_forget_their_turns_with_a_new_frame) {
    for (int which = 0; which < 3; which++) {
        SomLinkage *l = som_linkage_create();
        SomDiagnostics *diags = som_diagnostics_create();
        SomLinkId base = test_link(l, (SomSublinkageId){0}, "base"),
                  arm = test_link(l, (SomSublinkageId){0}, "arm");
        SomJointId root = som_linkage_get_link(l, arm).root_joint;
        SomJointId stand = som_linkage_get_link(l, base).root_joint;
        ck_assert(som_linkage_set_value(l, root, SOM_DOF_RZ, 3.5, diags));
        ck_assert(som_linkage_set_value(l, stand, SOM_DOF_RZ, 4.5, diags));
        SomJointId hip = test_closure(l, "hip", SOM_JOINT_REVOLUTE, base, arm, som_pose_identity(),
                                      som_pose_identity());
        ck_assert(som_linkage_make_tree(l, hip, diags));
        double y[6];
        som_linkage_coordinates(l, root, y);
        ck_assert_double_eq_tol(y[SOM_DOF_RZ], 3.5, 1e-14);
        if (which == 0) {
            ck_assert(som_linkage_make_ground(l, base, diags));
        } else if (which == 1) {
            som_linkage_encapsulate(l, (SomLinkId[]){base, arm}, 2, SOM_STR("leg"), SOM_DRIVEN,
                                    diags);
        }
        if (which < 2) {
            ck_assert_uint_eq(som_linkage_get_joint(l, root).parent.index1, base.index1);
        } else { // a new frame of the link itself
            SomPose turn = {som_rotation_z(-4.5), {0, 0, 0}};
            ck_assert(som_linkage_reposition_link(l, arm, turn, diags));
        }
        som_linkage_coordinates(l, root, y);
        ck_assert_double_eq_tol(y[SOM_DOF_RZ], -1, 1e-14);
        som_diagnostics_destroy(diags);
        som_linkage_destroy(l);
    }
}
END_TEST

START_TEST(nesting_is_refused_where_something_would_hang_on_itself) {
    SomLinkage *l = som_linkage_create();
    SomDiagnostics *diags = som_diagnostics_create();
    SomSublinkageId top = som_linkage_top(l);
    SomSublinkageId a = som_linkage_add_sublinkage(l, top, SOM_STR("a"), SOM_DRIVEN, diags);
    SomSublinkageId b = som_linkage_add_sublinkage(l, top, SOM_STR("b"), SOM_DRIVEN, diags);
    SomLinkId ground_a = test_link(l, a, "ground"), ground_b = test_link(l, b, "ground");
    SomPose none = som_pose_identity();
    test_tree_joint(l, "j", SOM_JOINT_REVOLUTE, ground_a, ground_b, none, none, SOM_DOF_RZ, 0);
    uint64_t hash = som_linkage_hash(l);
    ck_assert(!som_linkage_nest(l, a, b, diags)); // b hangs on a
    ck_assert(som_diagnostics_has(diags, SOM_LINKAGE_CYCLE));
    ck_assert(!som_linkage_nest(l, top, a, diags));
    ck_assert(som_diagnostics_has(diags, SOM_LINKAGE_TOP));
    ck_assert(som_linkage_hash(l) == hash);
    ck_assert(som_linkage_nest(l, b, a, diags));
    test_valid(l);
    SomSublinkageInfo info = som_linkage_get_sublinkage(l, b);
    ck_assert_uint_eq(info.parent.index1, a.index1);
    ck_assert(!som_linkage_nest(l, b, top, diags)); // only further in
    ck_assert(som_diagnostics_has(diags, SOM_LINKAGE_HIERARCHY));
    som_diagnostics_destroy(diags);
    som_linkage_destroy(l);
}
END_TEST

START_TEST(versions_change_with_the_structure_alone) {
    SomLinkage *l = test_fourbar(0.9, -0.5, -1.2);
    SomDiagnostics *diags = som_diagnostics_create();
    SomJointId joint = test_joint(l, "j1");
    SomLinkId crank = som_linkage_find_link(l, (SomSublinkageId){0}, SOM_STR("crank"));
    uint64_t version = som_linkage_version(l);
    ck_assert(som_linkage_set_value(l, joint, SOM_DOF_RZ, 1, diags));
    ck_assert(som_linkage_set_joint_name(l, joint, SOM_STR("motor"), diags));
    som_linkage_set_link_virtual(l, crank, true);
    som_linkage_set_joint_virtual(l, joint, true);
    ck_assert(som_linkage_get_link(l, crank).is_virtual);
    ck_assert(som_linkage_get_joint(l, joint).is_virtual);
    SomLinkage *copy = som_linkage_copy(l);
    ck_assert(som_linkage_version(l) == version && som_linkage_version(copy) == version);
    som_linkage_set_disposition(copy, som_linkage_top(copy), SOM_DRIVEN);
    ck_assert(som_linkage_invert(l, test_joint(l, "j4"), diags));
    ck_assert(som_linkage_version(copy) != version && som_linkage_version(l) != version);
    ck_assert(som_linkage_version(copy) != som_linkage_version(l));
    som_linkage_destroy(copy);
    som_diagnostics_destroy(diags);
    som_linkage_destroy(l);
}
END_TEST

SOM_SUITE("linkage/linkage", the_second_inversion_of_a_closure_restores_it,
          closing_and_opening_a_joint_keeps_its_turns, a_part_that_floats_again_keeps_its_turns,
          an_inverted_tree_keeps_joint_values_bit_by_bit,
          an_open_closure_that_joins_the_tree_says_that_it_moves, merge_undoes_split,
          dissolving_renames_what_would_clash, encapsulate_then_dissolve_restores_the_tree,
          subframes_move_with_their_link_and_stay_in_the_world, costs_grow_as_published,
          a_chain_grows_at_its_end_in_linear_time, names_are_found_again_after_thousands_of_changes,
          a_chain_of_100000_links_is_no_problem, limits_must_have_a_meaning_for_the_type,
          numbers_too_large_to_reckon_with_are_refused, a_type_that_there_is_not_is_an_assertion,
          the_world_pose_moves_everything, root_joints_forget_their_turns_with_a_new_frame,
          nesting_is_refused_where_something_would_hang_on_itself,
          versions_change_with_the_structure_alone)
