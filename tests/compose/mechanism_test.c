// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "compose/lower.h"
#include "compose/mechanism.h"
#include "space/trigonometry.h"
#include "tests/compose/designs.h"

#include <math.h>

static SomPose *place(const SomMechanism *m, const SomPosture *posture) {
    SomPose *links = som_alloc(sizeof *links * (size_t)m->link_count);
    som_mechanism_place(m, posture, links);
    return links;
}

// ---- placing

// Straight along y, then the middle bent by a quarter: the tail stands upright.
START_TEST(a_bent_chain_is_where_it_should_be) {
    SomM3l *smores = som_test_library("smores");
    SomConfiguration *c = test_snake(smores, 3);
    SomMechanism *m = som_mechanism_create(c);
    SomPosture posture = som_posture_start(c);
    SomPose *links = place(m, &posture);
    SomPose tail = som_mechanism_module_pose(m, links, 2);
    ck_assert_double_le(test_distance(tail, som_pose_translation(som_vec3(0, 0.2, 0))), 1e-12);
    som_free(links);
    posture.values[som_configuration_find_dof(c, SOM_STR("s[1].middle.bend"), NULL)] = SOM_PI / 2;
    links = place(m, &posture);
    tail = som_mechanism_module_pose(m, links, 2);
    SomPose expected = {som_rotation_x(SOM_PI / 2), som_vec3(0, 0.1, 0.1)};
    ck_assert_double_le(test_distance(tail, expected), 1e-12);
    ck_assert_double_eq_tol(m->mass, 3 * 0.5572924, 1e-12);
    som_free(links);
    som_posture_free(&posture);
    som_mechanism_destroy(m);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

// Every connection holds in every posture, whichever module is the base, and links are where the
// type says within their module.
START_TEST(connections_hold_in_all_postures) {
    SomTestRandom random = {5};
    double worst = 0, worst_inside = 0;
    for (int f = 0; som_test_module_files[f] != NULL; f++) {
        SomM3l *m3l = som_test_library(som_test_module_files[f]);
        for (int n = 0; n < som_test_count(10, 300); n++) {
            SomBuilder *b = test_begin_random(&random, m3l, som_test_int(&random, 1, 12));
            int base = som_test_int(&random, 0, som_builder_module_count(b) - 1);
            som_builder_set_base(b, &(SomBaseDef){.module = base, .frame = -1});
            SomConfiguration *c = test_finish(b);
            SomMechanism *m = som_mechanism_create(c);
            SomPosture posture = test_random_posture(&random, c);
            SomPose *links = place(m, &posture);
            for (int i = 0; i < c->connection_count; i++) {
                const SomConnection *k = &c->connections[i];
                int la = c->modules[k->module_a].type->connectors[k->connector_a].link;
                int lb = c->modules[k->module_b].type->connectors[k->connector_b].link;
                SomPose a = links[som_mechanism_link_of(m, k->module_a, la)];
                SomPose seen =
                    som_pose_relative(a, links[som_mechanism_link_of(m, k->module_b, lb)]);
                worst = fmax(worst, test_distance(seen, k->transform));
            }
            for (int i = 0; i < c->module_count; i++) {
                const SomModuleType *type = c->modules[i].type;
                double values[SOM_MAX_MODULE_LINKS] = {0};
                SomPose own[SOM_MAX_MODULE_LINKS];
                for (int k = 0; k < c->modules[i].dof_count; k++) {
                    int dof = c->modules[i].first_dof + k;
                    values[c->dofs[dof].joint] = posture.values[dof];
                }
                som_module_type_place(type, values, own);
                for (int k = 0; k < type->link_count; k++) {
                    SomPose seen = som_pose_relative(som_mechanism_module_pose(m, links, i),
                                                     links[som_mechanism_link_of(m, i, k)]);
                    worst_inside = fmax(worst_inside, test_distance(seen, own[k]));
                }
            }
            som_free(links);
            som_posture_free(&posture);
            som_mechanism_destroy(m);
            som_configuration_destroy(c);
        }
        som_m3l_destroy(m3l);
    }
    ck_assert_double_le(worst, 1e-12);
    ck_assert_double_le(worst_inside, 1e-12);
}
END_TEST

// Another base moves everything rigidly.
START_TEST(the_base_moves_everything_rigidly) {
    SomM3l *smores = som_test_library("smores");
    SomTestRandom random = {6};
    double worst = 0;
    for (int n = 0; n < 30; n++) {
        SomTestRandom again[2] = {random, random};
        SomConfiguration *c[2];
        SomPose *links[2];
        SomMechanism *m[2];
        for (int k = 0; k < 2; k++) {
            SomBuilder *b = test_begin_random(&again[k], smores, 8);
            if (k == 1) {
                som_builder_set_base(b, &(SomBaseDef){.module = 5,
                                                      .frame = n % 2,
                                                      .position = {1, 2, 3},
                                                      .turn = {0.1, 0.2, 0.3}});
            }
            c[k] = test_finish(b);
            m[k] = som_mechanism_create(c[k]);
            SomPosture posture = test_random_posture(&again[k], c[k]);
            links[k] = place(m[k], &posture);
            som_posture_free(&posture);
        }
        random = again[0];
        SomPose base = som_mechanism_frame_pose(m[1], links[1], 5, n % 2);
        SomMat3 turn = som_mat3_multiply(
            som_rotation_z(0.3), som_mat3_multiply(som_rotation_y(0.2), som_rotation_x(0.1)));
        worst = fmax(worst, test_distance(base, (SomPose){turn, {1, 2, 3}}));
        for (int i = 0; i < m[0]->link_count; i++) {
            SomPose seen0 = som_pose_relative(links[0][0], links[0][i]);
            SomPose seen1 = som_pose_relative(links[1][0], links[1][i]);
            worst = fmax(worst, test_distance(seen0, seen1));
        }
        for (int k = 0; k < 2; k++) {
            som_free(links[k]);
            som_mechanism_destroy(m[k]);
            som_configuration_destroy(c[k]);
        }
    }
    ck_assert_double_le(worst, 1e-12);
    som_m3l_destroy(smores);
}
END_TEST

START_TEST(on_the_ground_the_lowest_point_is_at_zero) {
    SomM3l *smores = som_test_library("smores");
    SomBuilder *b = test_begin_snake(smores, 3);
    int pose = som_builder_add_pose(b, SOM_STR("arch"), SOM_STR(""), (SomSpan){0});
    som_builder_set_value(b, pose, 1, 3, 0.7, (SomSpan){0});
    som_builder_set_start(b, pose);
    som_builder_set_base(
        b, &(SomBaseDef){.module = 1, .frame = -1, .is_on_ground = true, .turn = {0.3, 0.2, 0.1}});
    SomConfiguration *c = test_finish(b);
    SomMechanism *m = som_mechanism_create(c);
    SomPosture posture = som_posture_start(c);
    SomPose *links = place(m, &posture);
    SomBounds bounds = som_mechanism_bounds(m, links);
    ck_assert_double_eq_tol(bounds.low.z, 0, 1e-12);
    ck_assert_double_gt(bounds.high.z, 0.1);
    SomPose base = som_mechanism_module_pose(m, links, 1);
    ck_assert(base.position.x == 0 && base.position.y == 0);
    SomVec3 com = som_mechanism_com(m, links);
    ck_assert(com.z > bounds.low.z && com.z < bounds.high.z);
    som_free(links);
    som_posture_free(&posture);
    som_mechanism_destroy(m);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

// ---- gaps

START_TEST(gaps_are_measured_at_the_connectors) {
    SomM3l *smores = som_test_library("smores");
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Square")});
    int pose = som_builder_add_pose(b, SOM_STR("round"), SOM_STR(""), (SomSpan){0});
    for (int i = 0; i < 4; i++) {
        test_add_module(b, "m", i + 1, smores, "SMORES");
        som_builder_set_value(b, pose, i, 3, SOM_PI / 2, (SomSpan){0});
    }
    for (int i = 0; i < 4; i++) {
        test_connect(b, i, "B", (i + 1) % 4, "T", 0);
    }
    som_builder_set_start(b, pose);
    SomConfiguration *c = test_finish(b);
    SomMechanism *m = som_mechanism_create(c);
    SomPosture posture = som_posture_start(c);
    SomPose *links = place(m, &posture);
    int closure = 7;
    SomGap gap;
    ck_assert(!som_mechanism_worst_gap(m, links, &closure, &gap));
    ck_assert_int_eq(closure, 0);
    ck_assert_double_le(som_gap_size(gap), 1e-9);
    som_free(links);

    // a turn about the middle of the face opens by an angle only, a bend by both
    const SomConnection *k = &c->connections[m->closures[0].connection];
    const SomModuleType *type = c->modules[0].type;
    int front = som_module_type_find_joint(type, SOM_STR("front"), NULL);
    posture.values[som_configuration_dof_of(c, k->module_b, front)] += 0.5; // turns T
    links = place(m, &posture);
    ck_assert(som_mechanism_worst_gap(m, links, NULL, &gap));
    ck_assert_double_le(gap.metres, 1e-9);
    ck_assert_double_eq_tol(gap.radians, 0.5, 1e-9);
    som_free(links);
    posture.values[som_configuration_dof_of(c, k->module_a, 3)] -= 0.3;
    links = place(m, &posture);
    ck_assert(som_mechanism_worst_gap(m, links, &closure, NULL));
    gap = som_mechanism_gap(m, links, closure);
    SomPose at = som_mechanism_connector_pose(m, links, k->module_a, k->connector_a);
    SomPose to = som_mechanism_connector_pose(m, links, k->module_b, k->connector_b);
    double apart = som_vec3_length(som_vec3_sub(at.position, to.position));
    ck_assert_double_gt(apart, 0.01);
    ck_assert_double_eq_tol(gap.metres, apart, 1e-9);
    SomText text = {0};
    som_mechanism_print_closure(m, closure, &text);
    ck_assert_ptr_nonnull(strstr(text.data, "the loop closed by 'm["));
    som_text_clear(&text);
    som_gap_print((SomGap){0.0125, SOM_PI / 6}, &text);
    ck_assert_str_eq(text.data, "12.5 mm and 30 deg");
    som_text_free(&text);
    som_free(links);
    som_posture_free(&posture);
    som_mechanism_destroy(m);
    som_configuration_destroy(c);

    c = test_snake(smores, 3);
    m = som_mechanism_create(c);
    ck_assert(!som_mechanism_worst_gap(m, NULL, &closure, &gap));
    ck_assert_int_eq(closure, -1);
    som_mechanism_destroy(m);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

// ---- lowering

// Checks one design in one posture; returns the largest difference of a pose.
static double compare_lowered(const SomConfiguration *c, const SomPosture *posture) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomMechanism *m = som_mechanism_create(c);
    SomPose *links = place(m, posture);
    SomLowering map = {0};
    SomLinkage *linkage = som_lower(c, posture, &map, diags);
    ck_assert_ptr_nonnull(linkage);
    SomText why = {0};
    ck_assert_msg(som_linkage_validate(linkage, &why), "%s", why.data);
    double worst = 0;
    for (int i = 0; i < m->link_count; i++) {
        worst = fmax(worst, test_distance(som_linkage_pose(linkage, map.links[i]), links[i]));
    }
    SomPosture back = som_posture_zero(c);
    som_lowering_read(&map, linkage, &back);
    for (int i = 0; i < c->dof_count; i++) {
        worst = fmax(worst, fabs(back.values[i] - posture->values[i]));
    }
    int closures = 0;
    for (int i = 0; i < c->connection_count; i++) {
        bool is_tree = som_linkage_get_joint(linkage, map.connections[i]).is_tree;
        ck_assert(is_tree != c->connections[i].is_closure);
        closures += !is_tree;
    }
    ck_assert_int_eq(closures, c->connection_count - (c->module_count - 1));
    int count;
    som_diagnostics_get(diags, &count);
    ck_assert_int_eq(count, 0);
    som_posture_free(&back);
    som_linkage_destroy(linkage);
    som_lowering_free(&map);
    som_mechanism_destroy(m);
    som_free(links);
    som_diagnostics_destroy(diags);
    return worst;
}

START_TEST(a_linkage_has_the_poses_of_the_mechanism) {
    SomTestRandom random = {7};
    double worst = 0;
    for (int f = 0; som_test_module_files[f] != NULL; f++) {
        SomM3l *m3l = som_test_library(som_test_module_files[f]);
        for (int n = 0; n < som_test_count(10, 300); n++) {
            SomBuilder *b = test_begin_random(&random, m3l, som_test_int(&random, 1, 15));
            int base = som_test_int(&random, 0, som_builder_module_count(b) - 1);
            som_builder_set_base(
                b, &(SomBaseDef){
                       .module = base, .frame = -1, .position = {0.5, -1, 2}, .turn = {1, 2, 3}});
            SomConfiguration *c = test_finish(b);
            SomPosture posture = test_random_posture(&random, c);
            worst = fmax(worst, compare_lowered(c, &posture));
            som_posture_free(&posture);
            som_configuration_destroy(c);
        }
        som_m3l_destroy(m3l);
    }
    ck_assert_double_le(worst, 1e-12);
}
END_TEST

SOM_SUITE("compose/mechanism", a_bent_chain_is_where_it_should_be, connections_hold_in_all_postures,
          the_base_moves_everything_rigidly, on_the_ground_the_lowest_point_is_at_zero,
          gaps_are_measured_at_the_connectors, a_linkage_has_the_poses_of_the_mechanism)
