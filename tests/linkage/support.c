// SPDX-License-Identifier: Apache-2.0
#include "tests/linkage/support.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

SomPose test_random_pose(SomTestRandom *random, double spread) {
    SomVec3 axis = {som_test_normal(random), som_test_normal(random), som_test_normal(random)};
    double angle = som_test_uniform(random, 0, 3.1) / som_vec3_length(axis);
    SomPose pose = {som_rotation_exp(som_vec3_scale(angle, axis)),
                    {spread * som_test_normal(random), spread * som_test_normal(random),
                     spread * som_test_normal(random)}};
    return pose;
}

SomPose test_move(double x, double y, double z) {
    return som_pose_translation(som_vec3(x, y, z));
}

double test_pose_difference(SomPose a, SomPose b) {
    double worst = fmax(fabs(a.position.x - b.position.x),
                        fmax(fabs(a.position.y - b.position.y), fabs(a.position.z - b.position.z)));
    for (int i = 0; i < 9; i++) {
        worst = fmax(worst, fabs(a.rotation.m[i / 3][i % 3] - b.rotation.m[i / 3][i % 3]));
    }
    return worst;
}

SomStr test_name(char text[32], const char *prefix, int number) {
    int length = snprintf(text, 32, "%s%d", prefix, number);
    return (SomStr){text, (size_t)length};
}

SomLinkage *test_random_linkage(SomTestRandom *random, int depth) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomLinkage *l = som_linkage_create();
    char text[32];
    int parts = depth > 0 ? som_test_int(random, 1, 5) : 0;
    for (int i = 0; i < parts; i++) {
        SomSublinkageId outer = depth > 1 ? test_any_sublinkage(l, random) : som_linkage_top(l);
        SomSublinkageId part = som_linkage_add_sublinkage(
            l, outer, test_name(text, "S", i),
            (SomDisposition)som_test_int(random, SOM_SIMULTANEOUS, SOM_DRIVING), diags);
        SomLinkDef ground = {.sublinkage = part,
                             .name = test_name(text, "g", i),
                             .pose = test_random_pose(random, 1)};
        som_linkage_add_link(l, &ground, diags);
    }
    int links = som_test_int(random, 4, 9);
    for (int i = 0; i < links; i++) {
        SomLinkDef def = {.sublinkage = test_any_sublinkage(l, random),
                          .name = test_name(text, "k", i),
                          .pose = test_random_pose(random, 1)};
        som_linkage_add_link(l, &def, diags);
    }
    assert(som_diagnostics_error_count(diags) == 0);
    som_diagnostics_destroy(diags);
    return l;
}

SomLinkId test_any_link(const SomLinkage *l, SomTestRandom *random) {
    int skip = som_test_int(random, 0, som_linkage_link_count(l) - 1);
    SomLinkId link = som_linkage_next_link(l, (SomLinkId){0});
    while (skip-- > 0) {
        link = som_linkage_next_link(l, link);
    }
    return link;
}

SomJointId test_any_joint(const SomLinkage *l, SomTestRandom *random) {
    SomJointId found = {0};
    int met = 0;
    for (SomJointId j = som_linkage_next_joint(l, (SomJointId){0}); j.index1 != 0;
         j = som_linkage_next_joint(l, j)) {
        if (!som_linkage_get_joint(l, j).is_root && som_test_int(random, 0, met++) == 0) {
            found = j;
        }
    }
    return found;
}

SomSublinkageId test_any_sublinkage(const SomLinkage *l, SomTestRandom *random) {
    SomSublinkageId found = {0};
    int met = 0;
    for (SomSublinkageId s = som_linkage_next_sublinkage(l, found); s.index1 != 0;
         s = som_linkage_next_sublinkage(l, s)) {
        if (som_test_int(random, 0, met++) == 0) {
            found = s;
        }
    }
    return found;
}

SomJointDef test_fitting_joint(const SomLinkage *l, SomTestRandom *random, SomLinkId parent,
                               SomLinkId child, double gap) {
    SomJointDef def = {.type = (SomJointType)som_test_int(random, 0, SOM_JOINT_TYPES - 1),
                       .parent = parent,
                       .child = child,
                       .child_frame = test_random_pose(random, 1),
                       .is_inverted = som_test_int(random, 0, 1) == 1};
    double y[6] = {0}, open[6];
    const SomJointTypeInfo *info = som_joint_type(def.type);
    for (int i = 0; i < info->dof_count; i++) {
        y[info->dofs[i]] = som_test_uniform(random, -1.2, 1.2);
    }
    for (int d = 0; d < 6; d++) {
        open[d] = gap * som_test_normal(random);
    }
    SomPose motion = som_pose_from_coordinates(y);
    motion = def.is_inverted ? som_pose_invert(motion) : motion;
    // parent_frame * motion * child_frame = child in parent
    SomPose placed = som_pose_relative(som_linkage_pose(l, parent), som_linkage_pose(l, child));
    SomPose frame = som_pose_compose(placed, som_pose_invert(def.child_frame));
    frame = som_pose_compose(frame, som_pose_invert(motion));
    def.parent_frame = som_pose_compose(frame, som_pose_from_coordinates(open));
    if (info->dof_count > 0 && som_test_int(random, 0, 9) < 3) {
        int dof = info->dofs[som_test_int(random, 0, info->dof_count - 1)];
        def.limits.limited = 1u << dof;
        def.limits.low[dof] = -1.5;
        def.limits.high[dof] = 1.5;
    }
    return def;
}

SomLinkId test_link(SomLinkage *l, SomSublinkageId in, const char *name) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomLinkDef def = {.sublinkage = in, .name = som_str(name)};
    SomLinkId link = som_linkage_add_link(l, &def, diags);
    assert(som_diagnostics_error_count(diags) == 0);
    som_diagnostics_destroy(diags);
    return link;
}

SomJointId test_closure(SomLinkage *l, const char *name, SomJointType type, SomLinkId parent,
                        SomLinkId child, SomPose parent_frame, SomPose child_frame) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomJointDef def = {.name = som_str(name),
                       .type = type,
                       .parent = parent,
                       .child = child,
                       .parent_frame = parent_frame,
                       .child_frame = child_frame};
    SomJointId joint = som_linkage_add_joint(l, &def, diags);
    assert(som_diagnostics_error_count(diags) == 0);
    som_diagnostics_destroy(diags);
    return joint;
}

SomJointId test_tree_joint(SomLinkage *l, const char *name, SomJointType type, SomLinkId parent,
                           SomLinkId child, SomPose parent_frame, SomPose child_frame, int dof,
                           double value) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomJointId joint = test_closure(l, name, type, parent, child, parent_frame, child_frame);
    assert(som_linkage_make_tree(l, joint, diags));
    const SomJointTypeInfo *info = som_joint_type(type);
    for (int i = 0; i < info->dof_count; i++) {
        double wanted = info->dofs[i] == dof ? value : 0;
        assert(som_linkage_set_value(l, joint, info->dofs[i], wanted, diags));
    }
    som_diagnostics_destroy(diags);
    return joint;
}

SomLinkage *test_fourbar(double j1, double j2, double j3) {
    SomLinkage *l = som_linkage_create();
    SomLinkId ground = som_linkage_top_ground(l);
    SomLinkId crank = test_link(l, (SomSublinkageId){0}, "crank");
    SomLinkId coupler = test_link(l, (SomSublinkageId){0}, "coupler");
    SomLinkId rocker = test_link(l, (SomSublinkageId){0}, "rocker");
    SomPose none = som_pose_identity();
    test_tree_joint(l, "j1", SOM_JOINT_REVOLUTE, ground, crank, none, none, SOM_DOF_RZ, j1);
    test_tree_joint(l, "j2", SOM_JOINT_REVOLUTE, crank, coupler, test_move(1, 0, 0), none,
                    SOM_DOF_RZ, j2);
    test_tree_joint(l, "j3", SOM_JOINT_REVOLUTE, coupler, rocker, test_move(2, 0, 0), none,
                    SOM_DOF_RZ, j3);
    test_closure(l, "j4", SOM_JOINT_REVOLUTE, ground, rocker, test_move(2, 0, 0),
                 test_move(-1.5, 0, 0));
    return l;
}

// "a1_7L"
static const char *leg_name(char text[32], const char *prefix, int block, char side) {
    snprintf(text, 32, "%s%d%c", prefix, block, side);
    return text;
}

static SomSublinkageId leg_part(SomLinkage *l, SomSublinkageId outer, const char *name) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomSublinkageId part = som_linkage_add_sublinkage(l, outer, som_str(name), SOM_DRIVEN, diags);
    som_diagnostics_destroy(diags);
    return part;
}

// One leg between two plates, at x.
static void add_leg(SomLinkage *l, int block, double x, bool is_hierarchical, SomLinkId below,
                    SomLinkId above) {
    const double a = 0.4, b = 0.5, rise = (1 - b) / 2;
    double bend = atan2(sqrt(a * a - rise * rise), rise) * (x > 0 ? 1 : -1);
    char side = x < 0 ? 'L' : 'R', t[32];
    SomPose none = som_pose_identity(), at = test_move(x, 0, 0);
    SomPose up = {som_rotation_x(-acos(0)), {0, 0, 0}}, down = {som_rotation_x(acos(0)), {0, 0, 0}};
    SomSublinkageId top = som_linkage_top(l);
    SomSublinkageId piston =
        is_hierarchical ? leg_part(l, top, leg_name(t, "I", block, side)) : top;
    SomLinkId a1 = test_link(l, piston, leg_name(t, "a1_", block, side));
    SomLinkId a2 = test_link(l, piston, leg_name(t, "a2_", block, side));
    test_tree_joint(l, leg_name(t, "R1_", block, side), SOM_JOINT_REVOLUTE, below, a1, at, none,
                    SOM_DOF_RZ, 0);
    test_tree_joint(l, leg_name(t, "P_", block, side), SOM_JOINT_PRISMATIC, a1, a2, up, down,
                    SOM_DOF_TZ, 1);
    test_closure(l, leg_name(t, "R2_", block, side), SOM_JOINT_REVOLUTE, above, a2, at, none);
    SomSublinkageId leg =
        is_hierarchical ? leg_part(l, piston, leg_name(t, "A", block, side)) : top;
    SomLinkId l1 = test_link(l, leg, leg_name(t, "l1_", block, side));
    SomLinkId l2 = test_link(l, leg, leg_name(t, "l2_", block, side));
    SomLinkId l3 = test_link(l, leg, leg_name(t, "l3_", block, side));
    test_tree_joint(l, leg_name(t, "r1_", block, side), SOM_JOINT_REVOLUTE, below, l1, at, none,
                    SOM_DOF_RZ, -bend);
    test_tree_joint(l, leg_name(t, "r2_", block, side), SOM_JOINT_REVOLUTE, l1, l2,
                    test_move(0, a, 0), none, SOM_DOF_RZ, bend);
    test_tree_joint(l, leg_name(t, "r3_", block, side), SOM_JOINT_REVOLUTE, l2, l3,
                    test_move(0, b, 0), none, SOM_DOF_RZ, bend);
    test_closure(l, leg_name(t, "r4_", block, side), SOM_JOINT_REVOLUTE, above, l3, at,
                 test_move(0, -a, 0));
    test_closure(l, leg_name(t, "K_", block, side), SOM_JOINT_CARTESIAN_2, a1, l2, none, none);
}

SomLinkage *test_tower(int blocks, bool is_hierarchical, SomLinkId *top) {
    SomLinkage *l = som_linkage_create();
    SomPose none = som_pose_identity();
    SomPose up = {som_rotation_x(-acos(0)), {0, 0, 0}}, down = {som_rotation_x(acos(0)), {0, 0, 0}};
    *top = test_link(l, (SomSublinkageId){0}, "T0");
    test_tree_joint(l, "base", SOM_JOINT_FIXED, som_linkage_top_ground(l), *top, none, none, 0, 0);
    for (int block = 1; block <= blocks; block++) {
        char t[32];
        SomLinkId below = *top;
        SomLinkId middle = test_link(l, (SomSublinkageId){0}, leg_name(t, "m", block, '_'));
        *top = test_link(l, (SomSublinkageId){0}, leg_name(t, "T", block, '_'));
        test_tree_joint(l, leg_name(t, "B", block, 'r'), SOM_JOINT_REVOLUTE, below, middle, none,
                        none, SOM_DOF_RZ, 0);
        test_tree_joint(l, leg_name(t, "B", block, 'p'), SOM_JOINT_PRISMATIC, middle, *top, up,
                        down, SOM_DOF_TZ, 1);
        add_leg(l, block, -0.5, is_hierarchical, below, *top);
        add_leg(l, block, 0.5, is_hierarchical, below, *top);
    }
    return l;
}

SomSolver *test_solver(const SomLinkage *l, const SomSolverDef *def) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomSolver *solver = som_solver_create(l, def, diags);
    assert(solver != NULL);
    som_diagnostics_destroy(diags);
    return solver;
}

SomJointId test_joint(const SomLinkage *l, const char *name) {
    SomJointId id = som_linkage_find_joint(l, som_str(name));
    ck_assert_uint_ne(id.index1, 0);
    return id;
}

double test_value(const SomLinkage *l, const char *name, int dof) {
    double y[6];
    som_linkage_coordinates(l, test_joint(l, name), y);
    return y[dof];
}

void test_valid(const SomLinkage *l) {
    SomText why = {0};
    bool is_valid = som_linkage_validate(l, &why);
    ck_assert_msg(is_valid, "%s", why.data == NULL ? "" : why.data);
    som_text_free(&why);
}

SomLinkage *test_arm(int joints, SomLinkId *tip) {
    SomLinkage *l = som_linkage_create();
    SomLinkId parent = som_linkage_top_ground(l);
    for (int i = 0; i < joints; i++) {
        char name[16];
        snprintf(name, sizeof name, "q%d", i + 1);
        SomLinkId link = test_link(l, (SomSublinkageId){0}, name);
        test_tree_joint(l, name, SOM_JOINT_REVOLUTE, parent, link, test_move(i == 0 ? 0 : 1, 0, 0),
                        som_pose_identity(), SOM_DOF_RZ, 0.2);
        parent = link;
    }
    *tip = test_link(l, (SomSublinkageId){0}, "tip");
    test_tree_joint(l, "end", SOM_JOINT_FIXED, parent, *tip, test_move(1, 0, 0),
                    som_pose_identity(), 0, 0);
    return l;
}

void test_tower_goals(const SomLinkage *l, SomLinkId top, int blocks, SomGoal goals[3]) {
    SomPose pose = som_pose_identity(), block = {som_rotation_z(4 * acos(-1) / 180), {0, 0, 0}};
    block = som_pose_compose(block, test_move(0, 1.04, 0));
    for (int i = 0; i < blocks; i++) {
        pose = som_pose_compose(pose, block);
    }
    double y[6];
    som_pose_to_coordinates(pose, NULL, y);
    const int dofs[3] = {SOM_DOF_TX, SOM_DOF_TY, SOM_DOF_RZ};
    for (int i = 0; i < 3; i++) {
        SomJointId handle = som_linkage_get_link(l, top).root_joint;
        goals[i] = (SomGoal){SOM_LEVEL_TARGET, handle, dofs[i], y[dofs[i]]};
    }
}
