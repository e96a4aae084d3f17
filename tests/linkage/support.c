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

// Names by number, good until the next call with the same buffer.
static SomStr numbered(char text[32], const char *prefix, int number) {
    int length = snprintf(text, 32, "%s%d", prefix, number);
    return (SomStr){text, (size_t)length};
}

static int random_disposition(SomTestRandom *random) {
    return som_test_int(random, SOM_SIMULTANEOUS, SOM_DRIVING);
}

SomLinkage *test_random_linkage(SomTestRandom *random, int depth) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomLinkage *l = som_linkage_create();
    char text[32];
    int parts = depth > 0 ? som_test_int(random, 1, 5) : 0;
    for (int i = 0; i < parts; i++) {
        SomSublinkageId outer = depth > 1 ? test_any_sublinkage(l, random) : som_linkage_top(l);
        SomSublinkageId part = som_linkage_add_sublinkage(
            l, outer, numbered(text, "S", i), (SomDisposition)random_disposition(random), diags);
        SomLinkDef ground = {.sublinkage = part,
                             .name = numbered(text, "g", i),
                             .pose = test_random_pose(random, 1)};
        som_linkage_add_link(l, &ground, diags);
    }
    int links = som_test_int(random, 4, 9);
    for (int i = 0; i < links; i++) {
        SomLinkDef def = {.sublinkage = test_any_sublinkage(l, random),
                          .name = numbered(text, "k", i),
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

static bool edit_add_joint(SomLinkage *l, SomTestRandom *random, int number,
                           SomDiagnostics *diags) {
    SomLinkId parent = test_any_link(l, random), child = test_any_link(l, random);
    SomJointDef def = test_fitting_joint(l, random, parent, child, 0);
    char text[32];
    def.name = numbered(text, "j", number);
    return som_linkage_add_joint(l, &def, diags).index1 != 0;
}

static bool edit_type(SomLinkage *l, SomTestRandom *random, SomJointId joint,
                      SomDiagnostics *diags) {
    SomJointInfo info = som_linkage_get_joint(l, joint);
    SomJointType type = (SomJointType)som_test_int(random, 0, SOM_JOINT_TYPES - 1);
    unsigned lost = som_joint_type(info.type)->freedom & ~som_joint_type(type)->freedom;
    if (lost != 0) {
        return false; // would move links, now or later, on purpose
    }
    return som_linkage_set_type(l, joint, type, diags);
}

static bool edit_limits(SomLinkage *l, SomTestRandom *random, SomJointId joint,
                        SomDiagnostics *diags) {
    const SomJointTypeInfo *type = som_joint_type(som_linkage_get_joint(l, joint).type);
    double y[6];
    som_linkage_coordinates(l, joint, y);
    SomLimits limits = {0};
    int dof = som_test_int(random, 0, 5);
    if (type->dof_count > 0 && som_test_int(random, 0, 3) > 0) {
        dof = type->dofs[som_test_int(random, 0, type->dof_count - 1)];
    }
    limits.limited = 1u << dof;
    limits.low[dof] = y[dof] - 0.5;
    limits.high[dof] = y[dof] + som_test_uniform(random, -0.6, 0.9);
    if (limits.high[dof] < y[dof] && limits.low[dof] <= limits.high[dof]) {
        limits.high[dof] = y[dof]; // would move links, on purpose
    }
    return som_linkage_set_limits(l, joint, &limits, diags);
}

static bool edit_split(SomLinkage *l, SomTestRandom *random, int number, SomDiagnostics *diags) {
    SomLinkId link = test_any_link(l, random);
    SomJointId moved[64];
    int count = 0;
    for (SomJointId j = som_linkage_next_joint_at(l, link, (SomJointId){0}); j.index1 != 0;
         j = som_linkage_next_joint_at(l, link, j)) {
        SomJointInfo info = som_linkage_get_joint(l, j);
        bool starts_here = info.parent.index1 == link.index1 && !info.is_root;
        if ((starts_here || som_test_int(random, 0, 19) == 0) && count < 64 &&
            som_test_int(random, 0, 1) == 0) {
            moved[count++] = j;
        }
    }
    char text[32];
    return som_linkage_split(l, link, numbered(text, "s", number), test_random_pose(random, 0.2),
                             (SomJointType)som_test_int(random, 0, SOM_JOINT_TYPES - 1), moved,
                             count, diags)
               .index1 != 0;
}

// A link and some of what hangs on it.
static bool edit_encapsulate(SomLinkage *l, SomTestRandom *random, int number,
                             SomDiagnostics *diags) {
    SomLinkId links[64] = {test_any_link(l, random)};
    int count = 1;
    for (SomLinkId k = som_linkage_next_link(l, (SomLinkId){0}); k.index1 != 0;
         k = som_linkage_next_link(l, k)) {
        SomLinkInfo info = som_linkage_get_link(l, k);
        if (info.parent_joint.index1 == 0 || count == 64) {
            continue;
        }
        SomLinkId parent = som_linkage_get_joint(l, info.parent_joint).parent;
        if ((parent.index1 == links[0].index1 && som_test_int(random, 0, 9) < 6) ||
            som_test_int(random, 0, 40) == 0) {
            links[count++] = k;
        }
    }
    char text[32];
    return som_linkage_encapsulate(l, links, count, numbered(text, "E", number),
                                   (SomDisposition)random_disposition(random), diags)
               .index1 != 0;
}

static bool edit_joint(SomLinkage *l, SomTestRandom *random, int what, SomDiagnostics *diags) {
    SomJointId joint = test_any_joint(l, random);
    if (som_test_int(random, 0, 29) == 0) { // sometimes one that must not be touched
        SomLinkInfo info = som_linkage_get_link(l, test_any_link(l, random));
        joint = info.root_joint;
    }
    if (joint.index1 == 0) {
        return false;
    }
    switch (what) {
    case 0:
    case 1:
    case 2:
    case 3:
        return som_linkage_make_tree(l, joint, diags);
    case 4:
    case 5:
        return som_linkage_make_closure(l, joint, diags);
    case 6:
    case 7:
    case 8:
        return som_linkage_invert(l, joint, diags);
    case 9:
        return som_linkage_set_parent(l, joint, test_any_link(l, random), false, diags);
    case 10:
        return som_linkage_set_child(l, joint, test_any_link(l, random), false, diags);
    case 11:
        return som_linkage_remove_joint(l, joint, diags);
    case 12:
        return edit_type(l, random, joint, diags);
    case 13:
        return edit_limits(l, random, joint, diags);
    case 14:
        return som_linkage_reposition_joint(l, joint, test_random_pose(random, 0.2), diags);
    default:
        return som_linkage_merge(l, joint, diags);
    }
}

bool test_random_edit(SomLinkage *l, SomTestRandom *random, int number, SomLinkId *moved,
                      SomDiagnostics *diags) {
    *moved = (SomLinkId){0};
    char text[32];
    int what = som_test_int(random, 0, 26);
    if (what <= 15) {
        return edit_joint(l, random, what, diags);
    }
    if (what <= 18) {
        return edit_add_joint(l, random, number, diags);
    }
    if (what <= 21) {
        return som_linkage_make_ground(l, test_any_link(l, random), diags);
    }
    switch (what) {
    case 22: {
        SomLinkDef def = {.sublinkage = test_any_sublinkage(l, random),
                          .name = numbered(text, "n", number % 50), // sometimes taken
                          .pose = test_random_pose(random, 1)};
        return som_linkage_add_link(l, &def, diags).index1 != 0;
    }
    case 23:
        return som_linkage_link_count(l) >= 5 &&
               som_linkage_remove_link(l, test_any_link(l, random), diags);
    case 24:
        *moved = test_any_link(l, random);
        return som_linkage_reposition_link(l, *moved, test_random_pose(random, 0.2), diags);
    case 25:
        return som_test_int(random, 0, 1) == 0 ? edit_split(l, random, number, diags)
                                               : edit_encapsulate(l, random, number, diags);
    default:
        return som_linkage_dissolve(l, test_any_sublinkage(l, random), diags);
    }
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
