// SPDX-License-Identifier: Apache-2.0
// Tests for linkage/abstraction.c.

#include "base/codes/linkage_codes.h"
#include "linkage/abstraction.h"
#include "linkage/solver.h"
#include "tests/linkage/support.h"

#include <math.h>

// A leg of three links (0.4, 0.5, 0.4) from the ground to a plate that it alone holds.
typedef struct Leg {
    SomLinkage *linkage;
    SomLinkId links[3], plate;
} Leg;

static Leg make_leg(void) {
    Leg leg = {.linkage = som_linkage_create()};
    SomLinkage *l = leg.linkage;
    SomDiagnostics *diags = som_diagnostics_create();
    const char *const names[] = {"thigh", "shin", "foot"}, *const joints[] = {"hip", "knee",
                                                                              "ankle"};
    double bend = atan2(sqrt(0.4 * 0.4 - 0.25 * 0.25), 0.25);
    const double starts[] = {0, 0.4, 0.5}, angles[] = {-bend, bend, bend};
    SomLinkId parent = som_linkage_top_ground(l);
    for (int i = 0; i < 3; i++) {
        leg.links[i] = test_link(l, (SomSublinkageId){0}, names[i]);
        test_tree_joint(l, joints[i], SOM_JOINT_REVOLUTE, parent, leg.links[i],
                        test_move(0, starts[i], 0), som_pose_identity(), SOM_DOF_RZ, angles[i]);
        parent = leg.links[i];
    }
    SomLinkDef plate = {.name = SOM_STR("plate"), .pose = test_move(0, 1, 0)};
    leg.plate = som_linkage_add_link(l, &plate, diags);
    test_closure(l, "toe", SOM_JOINT_REVOLUTE, leg.links[2], leg.plate, test_move(0, 0.4, 0),
                 som_pose_identity());
    som_diagnostics_destroy(diags);
    return leg;
}

// The leg as a piston: lean, length, tilt.
static SomSublinkageId make_piston(Leg *leg, double longest, SomDiagnostics *diags) {
    double quarter = acos(0);
    SomInterfaceJoint joints[] = {
        {.name = SOM_STR("lean"), .type = SOM_JOINT_REVOLUTE},
        {.name = SOM_STR("length"),
         .type = SOM_JOINT_PRISMATIC,
         .parent_frame = {som_rotation_x(-quarter), {0, 0, 0}},
         .child_frame = {som_rotation_x(quarter), {0, 0, 0}},
         .value = {0, 0, 1}},
        {.name = SOM_STR("tilt"), .type = SOM_JOINT_REVOLUTE},
    };
    for (int i = 0; i < 3; i++) {
        int dof = i == 1 ? SOM_DOF_TZ : SOM_DOF_RZ;
        joints[i].limits.limited = 1u << dof;
        joints[i].limits.low[dof] = i == 1 ? 0.7 : -0.3;
        joints[i].limits.high[dof] = i == 1 ? longest : 0.3;
    }
    SomAbstractionDef def = {.name = SOM_STR("piston"),
                             .inside_name = SOM_STR("leg"),
                             .links = leg->links,
                             .link_count = 3,
                             .base = som_linkage_top_ground(leg->linkage),
                             .tip = leg->plate,
                             .joints = joints,
                             .joint_count = 3};
    return som_linkage_abstract(leg->linkage, &def, diags);
}

START_TEST(a_leg_follows_the_piston_in_front_of_it) {
    Leg leg = make_leg();
    SomLinkage *l = leg.linkage;
    SomDiagnostics *diags = som_diagnostics_create();
    SomSublinkageId piston = make_piston(&leg, 1.2, diags);
    ck_assert_uint_ne(piston.index1, 0);
    SomText why = {0};
    ck_assert_msg(som_linkage_validate(l, &why), "%s", why.data);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    SomSublinkageInfo inside =
        som_linkage_get_sublinkage(l, som_linkage_get_link(l, leg.links[1]).sublinkage);
    ck_assert_uint_eq(inside.parent.index1, piston.index1);
    ck_assert(inside.disposition == SOM_DRIVEN);
    ck_assert(som_linkage_get_joint(l, som_linkage_find_joint(l, SOM_STR("lean"))).is_virtual);
    SomGoal goals[] = {
        {SOM_LEVEL_TARGET, som_linkage_find_joint(l, SOM_STR("length")), SOM_DOF_TZ, 1.15},
        {SOM_LEVEL_TARGET, som_linkage_find_joint(l, SOM_STR("lean")), SOM_DOF_RZ, 0.2},
        {SOM_LEVEL_TARGET, som_linkage_find_joint(l, SOM_STR("tilt")), SOM_DOF_RZ, -0.2}};
    SomSolver *solver = test_solver(l, &(SomSolverDef){.goals = goals, .goal_count = 3});
    ck_assert_int_eq(som_solver_size(solver).rounds, 2);
    ck_assert(som_solver_solve(solver, l, 100));
    SomVec3 p = som_linkage_pose(l, leg.plate).position;
    ck_assert_double_eq_tol(p.x, -1.15 * sin(0.2), 1e-9);
    ck_assert_double_eq_tol(p.y, 1.15 * cos(0.2), 1e-9);
    som_solver_destroy(solver);
    som_linkage_destroy(l);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(an_interface_within_reach_is_proper) {
    Leg leg = make_leg();
    SomDiagnostics *diags = som_diagnostics_create();
    SomSublinkageId piston = make_piston(&leg, 1.25, diags);
    uint64_t hash = som_linkage_hash(leg.linkage);
    SomAbstractionCheck check;
    ck_assert(som_abstraction_check(leg.linkage, piston, 4, &check, diags));
    ck_assert_int_eq(check.samples, 64);
    ck_assert_int_eq(check.unreachable, 0);
    ck_assert_double_le(check.worst, 1e-9);
    ck_assert(som_linkage_hash(leg.linkage) == hash);
    som_linkage_destroy(leg.linkage);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(what_is_open_elsewhere_does_not_make_an_interface_improper) {
    Leg leg = make_leg();
    SomDiagnostics *diags = som_diagnostics_create();
    SomSublinkageId piston = make_piston(&leg, 1.25, diags);
    SomLinkId far = test_link(leg.linkage, (SomSublinkageId){0}, "far");
    SomLinkId ground = som_linkage_top_ground(leg.linkage);
    SomPose none = som_pose_identity();
    test_tree_joint(leg.linkage, "weld", SOM_JOINT_FIXED, ground, far, none, none, 0, 0);
    test_closure(leg.linkage, "torn", SOM_JOINT_FIXED, ground, far, test_move(5, 0, 0), none);
    SomAbstractionCheck check;
    ck_assert(som_abstraction_check(leg.linkage, piston, 2, &check, diags));
    ck_assert_int_eq(check.failed, 0);
    ck_assert_double_le(check.worst, 1e-9);
    som_diagnostics_destroy(diags);
    som_linkage_destroy(leg.linkage);
}
END_TEST

START_TEST(an_interface_longer_than_the_leg_is_improper) {
    Leg leg = make_leg();
    SomDiagnostics *diags = som_diagnostics_create();
    SomSublinkageId piston = make_piston(&leg, 1.6, diags); // the leg stretches to 1.3
    SomAbstractionCheck check;
    ck_assert(!som_abstraction_check(leg.linkage, piston, 4, &check, diags));
    // of the lengths 0.7, 1.0, 1.3, 1.6 the last is too long; the last but one is just out
    ck_assert_int_ge(check.failed, 16);
    ck_assert_int_le(check.failed, 32);
    ck_assert_double_eq_tol(check.worst, 0.3, 0.05);
    ck_assert(som_diagnostics_has(diags, SOM_ABSTRACTION_IMPROPER));
    som_linkage_destroy(leg.linkage);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(a_refused_abstraction_changes_nothing) {
    Leg leg = make_leg();
    SomDiagnostics *diags = som_diagnostics_create();
    uint64_t hash = som_linkage_hash(leg.linkage);
    SomInterfaceJoint joint = {.name = SOM_STR("knee"), .type = SOM_JOINT_PRISMATIC}; // taken
    SomAbstractionDef def = {.name = SOM_STR("piston"),
                             .inside_name = SOM_STR("leg"),
                             .links = leg.links,
                             .link_count = 3,
                             .base = som_linkage_top_ground(leg.linkage),
                             .tip = leg.plate,
                             .joints = &joint,
                             .joint_count = 1};
    ck_assert_uint_eq(som_linkage_abstract(leg.linkage, &def, diags).index1, 0);
    ck_assert(som_diagnostics_has(diags, SOM_LINKAGE_NAME_TAKEN));
    int told;
    som_diagnostics_get(diags, &told);
    ck_assert_int_eq(told, som_diagnostics_error_count(diags)); // no news of what did not happen
    def.joint_count = 0;
    ck_assert_uint_eq(som_linkage_abstract(leg.linkage, &def, diags).index1, 0);
    def.joint_count = 1;
    def.tip = leg.links[2];
    ck_assert_uint_eq(som_linkage_abstract(leg.linkage, &def, diags).index1, 0);
    ck_assert(som_diagnostics_has(diags, SOM_ABSTRACTION_END));
    ck_assert(som_linkage_hash(leg.linkage) == hash);
    joint.name = SOM_STR("slide"); // one joint alone works, but its positions have no end
    def.tip = leg.plate;
    SomSublinkageId part = som_linkage_abstract(leg.linkage, &def, diags);
    ck_assert_uint_ne(part.index1, 0);
    SomAbstractionCheck check;
    ck_assert(!som_abstraction_check(leg.linkage, part, 3, &check, diags));
    ck_assert(som_diagnostics_has(diags, SOM_ABSTRACTION_UNBOUNDED));
    som_linkage_destroy(leg.linkage);
    som_diagnostics_destroy(diags);
}
END_TEST

SOM_SUITE("linkage/abstraction", a_leg_follows_the_piston_in_front_of_it,
          an_interface_within_reach_is_proper,
          what_is_open_elsewhere_does_not_make_an_interface_improper,
          an_interface_longer_than_the_leg_is_improper, a_refused_abstraction_changes_nothing)
