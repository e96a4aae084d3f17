// SPDX-License-Identifier: Apache-2.0
// Tests for linkage/kinematics.c.

#include "linkage/kinematics.h"
#include "tests/linkage/support.h"

#include <math.h>
#include <string.h>

// A random linkage with about half of its joints in the tree and the others open by a little.
static SomLinkage *make_mixed(SomTestRandom *random, int depth) {
    SomLinkage *l = test_random_linkage(random, depth);
    SomDiagnostics *diags = som_diagnostics_create();
    for (int i = 0; i < 14; i++) {
        SomLinkId parent = test_any_link(l, random), child = test_any_link(l, random);
        char name[] = {'j', (char)('a' + i)};
        SomJointDef def = test_fitting_joint(l, random, parent, child, 0.3);
        def.name = (SomStr){name, sizeof name};
        def.limits.limited = 0;
        SomJointId joint = som_linkage_add_joint(l, &def, diags);
        if (joint.index1 != 0 && som_test_int(random, 0, 9) < 6) {
            som_linkage_make_tree(l, joint, diags);
        }
    }
    som_diagnostics_destroy(diags);
    return l;
}

START_TEST(one_pass_gives_the_poses_of_the_linkage) {
    for (uint64_t seed = 0; seed < 300; seed++) {
        SomTestRandom random = {seed};
        SomLinkage *l = make_mixed(&random, (int)(seed % 3));
        SomKinematics *k = som_kinematics_compile(l);
        ck_assert_int_eq(k->node_count, som_linkage_link_count(l));
        for (int i = 0; i < k->node_count; i++) {
            SomPose pose = som_linkage_pose(l, k->nodes[i].link);
            ck_assert_double_le(test_pose_difference(pose, k->nodes[i].pose), 1e-13);
            ck_assert_int_eq(som_kinematics_find(k, k->nodes[i].link), i);
            ck_assert(i == 0 || k->nodes[i].parent < i);
            ck_assert_int_le(k->nodes[i].end,
                             k->nodes[k->nodes[i].parent < 0 ? 0 : k->nodes[i].parent].end);
        }
        for (int i = 0; i < k->closure_count; i++) {
            double y[6];
            som_linkage_coordinates(l, k->closures[i].joint, y);
            som_kinematics_close(k, i, NULL);
            for (int d = 0; d < 6; d++) {
                ck_assert_double_eq_tol(y[d], k->closures[i].y[d], 1e-10);
            }
        }
        som_kinematics_destroy(k);
        som_linkage_destroy(l);
    }
}
END_TEST

START_TEST(moving_one_joint_places_what_hangs_on_it_and_nothing_else) {
    for (uint64_t seed = 0; seed < 200; seed++) {
        SomTestRandom random = {seed};
        SomLinkage *l = make_mixed(&random, (int)(seed % 3));
        SomKinematics *k = som_kinematics_compile(l);
        int node = som_test_int(&random, 1, k->node_count - 1);
        const SomJointTypeInfo *type = som_joint_type(k->nodes[node].type);
        if (type->dof_count > 0) {
            som_kinematics_move(k, node, type->dofs[0], 0.77);
            som_kinematics_store(k, l);
            for (int i = 0; i < k->node_count; i++) {
                SomPose pose = som_linkage_pose(l, k->nodes[i].link);
                ck_assert_double_le(test_pose_difference(pose, k->nodes[i].pose), 1e-13);
            }
        }
        som_kinematics_destroy(k);
        som_linkage_destroy(l);
    }
}
END_TEST

// Central differences of every closure by every free coordinate of every tree joint.
static double worst_jacobian_error(SomKinematics *k, int seen[SOM_JOINT_TYPES][2]) {
    double worst = 0;
    for (int c = 0; c < k->closure_count; c++) {
        SomClosureFrame frame;
        som_kinematics_close(k, c, &frame);
        double y[6];
        memcpy(y, k->closures[c].y, sizeof y);
        int nodes[64], signs[64], count = som_kinematics_support(k, c, nodes, signs, 64);
        ck_assert_int_le(count, 64);
        for (int node = 1; node < k->node_count; node++) {
            int sign = 0;
            for (int i = 0; i < count; i++) {
                sign = nodes[i] == node ? signs[i] : sign;
            }
            SomAxis axes[6];
            int free_count = som_kinematics_axes(k, node, axes);
            seen[k->nodes[node].type][k->nodes[node].is_inverted] += sign != 0;
            for (int i = 0; i < free_count; i++) {
                int dof = som_joint_type(k->nodes[node].type)->dofs[i];
                double at = k->nodes[node].value[dof], h = 1e-6, column[6], up[6];
                som_kinematics_column(&frame, &axes[i], column);
                som_kinematics_move(k, node, dof, at + h);
                som_kinematics_close(k, c, NULL);
                memcpy(up, k->closures[c].y, sizeof up);
                som_kinematics_move(k, node, dof, at - h);
                som_kinematics_close(k, c, NULL);
                double largest = 0, error = 0;
                for (int d = 0; d < 6; d++) {
                    double slope = (up[d] - k->closures[c].y[d]) / (2 * h);
                    largest = fmax(largest, fabs(sign * column[d]));
                    error = fmax(error, fabs(slope - sign * column[d]));
                }
                worst = fmax(worst, error / (1 + largest));
                som_kinematics_move(k, node, dof, at);
                memcpy(k->closures[c].y, y, sizeof y);
            }
        }
    }
    return worst;
}

START_TEST(jacobians_are_the_differences_for_all_types_and_both_inversions) {
    int seen[SOM_JOINT_TYPES][2] = {{0}};
    for (uint64_t seed = 0; seed < (uint64_t)som_test_count(150, 2000); seed++) {
        SomTestRandom random = {seed};
        SomLinkage *l = make_mixed(&random, 0);
        SomKinematics *k = som_kinematics_compile(l);
        ck_assert_double_le(worst_jacobian_error(k, seen), 1e-7);
        som_kinematics_destroy(k);
        som_linkage_destroy(l);
    }
    for (int type = 1; type < SOM_JOINT_TYPES; type++) {
        ck_assert_int_gt(seen[type][0], 0);
        ck_assert(seen[type][1] > 0);
    }
}
END_TEST

SOM_SUITE("linkage/kinematics", one_pass_gives_the_poses_of_the_linkage,
          moving_one_joint_places_what_hangs_on_it_and_nothing_else,
          jacobians_are_the_differences_for_all_types_and_both_inversions)
