// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "compose/builder.h"
#include "compose/posture.h"
#include "space/trigonometry.h"
#include "tests/compose/designs.h"

#include <math.h>

static SomBuilder *begin(void) {
    return som_builder_create(&(SomPartDef){.config = SOM_STR("Design")});
}

// ---- what is composed

START_TEST(paths_orders_and_ranges_follow_the_parts) {
    SomM3l *smores = som_test_library("smores");
    SomConfiguration *c = test_snake(smores, 9);
    ck_assert_int_eq(c->module_count, 9);
    ck_assert_int_eq(c->order, 2);
    ck_assert_int_eq(c->dof_count, 36);
    ck_assert_int_eq(c->part_count, 1 + 3 + 9);
    ck_assert_int_eq(c->connection_count, 8);
    int chain = som_configuration_find_part(c, SOM_STR("s[2]"));
    const SomPart *part = &c->parts[chain];
    ck_assert_int_eq(part->order, 1);
    ck_assert_int_eq(part->first_module, 3);
    ck_assert_int_eq(part->module_count, 3);
    ck_assert_int_eq(part->first_dof, 12);
    ck_assert_int_eq(part->dof_count, 12);
    ck_assert_int_eq(part->end_part, chain + 4);
    ck_assert_int_eq(som_configuration_find_module(c, SOM_STR("s[2].tail")), 5);
    ck_assert_int_eq(som_configuration_find_module(c, SOM_STR("s[2]")), -1);
    ck_assert_int_eq(som_configuration_find_module(c, SOM_STR("s[2].tial")), -1);
    ck_assert_int_eq(c->metrics.configs, 1);
    ck_assert_double_eq(c->metrics.reuse, 3);
    ck_assert_int_eq(c->metrics.closures, 0);
    ck_assert_double_eq_tol(c->metrics.mass, 9 * 0.5572924, 1e-9);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

START_TEST(dofs_are_found_by_name_and_alias) {
    SomM3l *smores = som_test_library("smores");
    SomConfiguration *c = test_snake(smores, 3);
    SomAlias alias = {0};
    int bend = som_configuration_find_dof(c, SOM_STR("s[1].middle.bend"), &alias);
    ck_assert_int_eq(c->dofs[bend].module, 1);
    ck_assert(som_str_equal(c->dofs[bend].path, SOM_STR("s[1].middle.bend")));
    ck_assert_int_eq(som_configuration_find_dof(c, SOM_STR("s[1].middle.Center_hinge"), &alias),
                     bend);
    ck_assert_double_eq(alias.sign, 1);
    ck_assert_int_eq(som_configuration_find_dof(c, SOM_STR("s[1].middle.tilt"), &alias), bend);
    ck_assert_double_eq(alias.sign, -1);
    ck_assert_double_eq(som_alias_to_joint(alias, 0.5), -0.5);
    ck_assert_double_eq(som_alias_from_joint(alias, -0.5), 0.5);
    ck_assert_int_eq(som_configuration_find_dof(c, SOM_STR("s[1].middle.nod"), NULL), -1);
    ck_assert_int_eq(som_configuration_find_dof(c, SOM_STR("s[1].bend"), NULL), -1);
    ck_assert_int_eq(som_configuration_find_dof(c, SOM_STR(""), NULL), -1);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

START_TEST(a_module_by_itself_adds_no_path) {
    SomM3l *smores = som_test_library("smores");
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Module")});
    int module = som_builder_set_module(b, &smores->types[0], smores, (SomSpan){0});
    int pose = som_builder_add_pose(b, SOM_STR("up"), SOM_STR("lifted"), (SomSpan){0});
    som_builder_set_value(b, pose, module, 3, 0.5, (SomSpan){0});
    som_builder_set_start(b, pose);
    som_builder_add_behavior(
        b, &(SomBehaviorDef){.name = SOM_STR("drive"), .params = SOM_STR("w: angularSpeed")});
    SomConfiguration *c = test_finish(b);
    ck_assert_int_eq(c->order, 0);
    ck_assert_int_eq(som_configuration_find_module(c, SOM_STR("")), 0);
    int bend = som_configuration_find_dof(c, SOM_STR("tilt"), NULL);
    ck_assert_int_eq(bend, 3);
    ck_assert_double_eq(c->start[bend], 0.5);
    ck_assert_int_eq(c->start_pose, 0);
    ck_assert_int_eq(som_configuration_find_behavior(c, SOM_STR("drive")), 0);
    ck_assert(som_str_equal(c->poses[0].doc, SOM_STR("lifted")));
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

START_TEST(names_that_are_no_words_are_quoted_in_paths) {
    SomM3l *smores = som_test_library("smores");
    SomBuilder *b = begin();
    int a = test_add_module(b, "left.front", 0, smores, "SMORES");
    int c2 = test_add_module(b, "left", 0, smores, "SMORES");
    test_connect(b, a, "B", c2, "T", 0);
    ck_assert_int_eq(som_builder_find_part(b, 0, SOM_STR("left.front"), 0), 1);
    ck_assert_int_eq(som_builder_find_part(b, 0, SOM_STR("left"), 1), -1);
    SomConfiguration *c = test_finish(b);
    ck_assert_int_eq(som_configuration_find_module(c, SOM_STR("\"left.front\"")), 0);
    ck_assert_int_eq(som_configuration_find_dof(c, SOM_STR("\"left.front\".bend"), NULL), 3);
    ck_assert_int_eq(som_configuration_find_dof(c, SOM_STR("left.\"bend\""), NULL), 7);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

// ---- poses and starts

START_TEST(parts_start_as_they_do_alone_and_the_whole_changes_it) {
    SomM3l *smores = som_test_library("smores");
    SomBuilder *b = begin();
    int modules[2], poses[2];
    for (int i = 0; i < 2; i++) {
        som_builder_begin_part(
            b, &(SomPartDef){.name = SOM_STR("m"), .index = i + 1, .config = SOM_STR("M")});
        modules[i] = som_builder_set_module(b, &smores->types[0], smores, (SomSpan){0});
        poses[i] = som_builder_add_pose(b, SOM_STR("stand"), SOM_STR(""), (SomSpan){0});
        som_builder_set_value(b, poses[i], modules[i], 0, 0.25, (SomSpan){0});
        som_builder_set_value(b, poses[i], modules[i], 3, 0.5, (SomSpan){0});
        som_builder_set_start(b, poses[i]);
        som_builder_end_part(b);
    }
    test_connect(b, modules[0], "B", modules[1], "T", 90);
    ck_assert_int_eq(som_builder_find_pose(b, 2, SOM_STR("stand")), poses[1]);
    ck_assert_int_eq(som_builder_find_pose(b, 0, SOM_STR("stand")), -1);
    int whole = som_builder_add_pose(b, SOM_STR("low"), SOM_STR(""), (SomSpan){0});
    som_builder_include_pose(b, whole, poses[1], (SomSpan){0});
    som_builder_set_value(b, whole, modules[1], 3, -0.5, (SomSpan){0});
    som_builder_set_start(b, whole);
    SomConfiguration *c = test_finish(b);
    ck_assert_double_eq(c->start[0], 0.25);
    ck_assert_double_eq(c->start[3], 0.5);
    ck_assert_double_eq(c->start[4], 0.25);
    ck_assert_double_eq(c->start[7], -0.5);
    const SomNamedPose *low = &c->poses[som_configuration_find_pose(c, SOM_STR("low"))];
    ck_assert(isnan(low->values[0]) && low->values[4] == 0.25);
    SomPosture posture = som_posture_zero(c);
    som_posture_apply(&posture, c, som_configuration_find_pose(c, SOM_STR("m[2].stand")));
    ck_assert(posture.values[3] == 0 && posture.values[7] == 0.5);
    som_posture_free(&posture);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

START_TEST(values_beyond_limits_are_told) {
    SomM3l *smores = som_test_library("smores");
    SomBuilder *b = begin();
    int m = test_add_module(b, "m", 0, smores, "SMORES");
    int pose = som_builder_add_pose(b, SOM_STR("far"), SOM_STR(""), (SomSpan){0});
    som_builder_set_value(b, pose, m, 3, 2 * SOM_PI / 3, (SomSpan){0});
    SomText text = {0};
    SomConfiguration *c = test_finish_with(b, &text);
    ck_assert_str_eq(text.data, "warning: 'm.bend' = 120deg is beyond its limit of 90deg "
                                "[SOM2515]\n");
    som_configuration_destroy(c);
    som_text_clear(&text);
    b = begin();
    m = test_add_module(b, "m", 0, smores, "SMORES");
    pose = som_builder_add_pose(b, SOM_STR("far"), SOM_STR(""), (SomSpan){0});
    som_builder_set_value(b, pose, m, 3, (double)NAN, (SomSpan){0});
    ck_assert_ptr_null(test_finish_with(b, &text));
    ck_assert_str_eq(text.data, "error: the value of 'm.bend' is not finite [SOM2516]\n");
    som_text_free(&text);
    som_m3l_destroy(smores);
}
END_TEST

// ---- connections

START_TEST(a_mating_is_chosen_by_roll_or_index) {
    SomM3l *smores = som_test_library("smores");
    SomBuilder *b = begin();
    int m[4];
    for (int i = 0; i < 4; i++) {
        m[i] = test_add_module(b, "m", i + 1, smores, "SMORES");
    }
    test_connect(b, m[0], "B", m[1], "T", (double)NAN);
    test_connect(b, m[1], "B", m[2], "T", -90);
    som_builder_connect(
        b,
        &(SomConnectDef){
            .module_a = m[2], .connector_a = -1, .module_b = m[3], .connector_b = -1, .index = 1});
    SomConfiguration *c = test_finish(b);
    ck_assert_double_eq(c->connections[0].roll, 0);
    ck_assert_double_eq_tol(c->connections[1].roll, 1.5 * SOM_PI, 1e-9);
    const SomConnection *last = &c->connections[2];
    ck_assert_int_eq(last->connector_a, last->rule->matings[0].a);
    ck_assert_int_eq(last->connector_b, last->rule->matings[0].b);
    ck_assert_int_eq(last->index, 1);
    ck_assert_double_eq(test_distance(last->transform, last->rule->matings[0].transform), 0);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

// Two ways, none of them straight: neither is taken without being asked for.
START_TEST(one_of_several_turned_matings_must_be_chosen) {
    static const char *const source =
        "module A:\n"
        "point p: (point _1: coords=(1, 0, 1)) (point _2: coords=(1, 1, 0)) "
        "(point _3: coords=(1, 0, -1)) (point _4: coords=(1, -1, 0)) coords=(1, 0, 0), connector\n"
        "link body: grouping=(p), shape=box((0, 0, 0), (2, 2, 2))\n"
        "connection one: members=(A a, A b), conditions=((a.point c coincident b.point d) and "
        "(c._1 coincident d._2) and (c._2 coincident d._1))\n"
        "connection two: members=(A a, A b), conditions=((a.point c coincident b.point d) and "
        "(c._1 coincident d._4) and (c._2 coincident d._3))\n";
    SomDiagnostics *diags = som_diagnostics_create();
    SomM3l *m3l = som_m3l_read(som_str(source), 0, diags);
    for (int i = 0; i < 2; i++) {
        SomBuilder *b = begin();
        int x = test_add_module(b, "x", 0, m3l, "A"), y = test_add_module(b, "y", 0, m3l, "A");
        test_connect(b, x, "p", y, "p", i == 0 ? (double)NAN : 270);
        SomText text = {0};
        SomConfiguration *c = test_finish_with(b, &text);
        ck_assert_int_eq(c != NULL, i == 1);
        if (i == 0) {
            ck_assert_str_eq(text.data, "error: 'x.p' and 'y.p' can be mated in several ways; they "
                                        "offer 90deg, 270deg [SOM2504]\n");
        }
        som_text_free(&text);
        som_configuration_destroy(c);
    }
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
}
END_TEST

// Faces opposite each other, b turned by the roll: the frames say what the rules say.
START_TEST(forced_connections_are_those_of_rules) {
    SomM3l *smores = som_test_library("smores");
    double worst = 0;
    for (int i = 0; i < 4 * 4 * 4; i++) {
        SomPose transforms[2];
        for (int way = 0; way < 2; way++) {
            SomBuilder *b = begin();
            int m = test_add_module(b, "a", 0, smores, "SMORES");
            int n = test_add_module(b, "b", 0, smores, "SMORES");
            som_builder_connect(b, &(SomConnectDef){.module_a = m,
                                                    .connector_a = i % 4,
                                                    .module_b = n,
                                                    .connector_b = i / 4 % 4,
                                                    .has_roll = true,
                                                    .roll = i / 16 * SOM_PI / 2 + 1.1e-6 * way,
                                                    .gap = 0.01,
                                                    .is_forced = way == 1});
            SomText text = {0};
            SomConfiguration *c = test_finish_with(b, &text);
            ck_assert_int_eq(text.length > 0 && strstr(text.data, "[SOM2508]") != NULL, way);
            ck_assert_int_eq(c->connections[0].is_forced, way);
            transforms[way] = c->connections[0].transform;
            som_text_free(&text);
            som_configuration_destroy(c);
        }
        worst = fmax(worst, test_distance(transforms[0], transforms[1]));
    }
    ck_assert_double_le(worst, 1.2e-6);
    som_m3l_destroy(smores);
}
END_TEST

START_TEST(connectors_without_a_face_cannot_be_forced) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomM3l *m3l =
        som_m3l_read(SOM_STR("module A:\npoint p: coords=(0.5, 0, 0), connector\n"
                             "link body: grouping=(p), shape=box((0, 0, 0), (1, 1, 1))\n"),
                     0, diags);
    SomBuilder *b = begin();
    int x = test_add_module(b, "x", 0, m3l, "A"), y = test_add_module(b, "y", 0, m3l, "A");
    som_builder_connect(b, &(SomConnectDef){.module_a = x, .module_b = y, .is_forced = true});
    SomText text = {0};
    ck_assert_ptr_null(test_finish_with(b, &text));
    ck_assert_str_eq(text.data, "error: 'x.p' has no marks that give it a face, so it cannot be "
                                "forced [SOM2509]\n");
    som_text_free(&text);
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(what_cannot_be_connected_is_said_all_at_once) {
    SomM3l *smores = som_test_library("smores"), *mtran = som_test_library("mtran");
    SomBuilder *b = begin();
    int a = test_add_module(b, "a", 0, smores, "SMORES");
    int c2 = test_add_module(b, "b", 0, smores, "SMORES");
    int x = test_add_module(b, "x", 0, mtran, "MTRAN");
    int y = test_add_module(b, "y", 0, mtran, "MTRAN");
    test_connect(b, a, "B", c2, "T", 45);
    test_connect(b, a, "B", a, "T", 0);
    test_connect(b, a, "L", x, "c1", 0);
    test_connect(b, x, "c1", y, "c2", 0);
    som_builder_connect(
        b, &(SomConnectDef){
               .module_a = x, .connector_a = 3, .module_b = y, .connector_b = 0, .index = 99});
    som_builder_connect(
        b, &(SomConnectDef){
               .module_a = x, .connector_a = -1, .module_b = y, .connector_b = -1, .index = 9999});
    som_builder_connect(
        b, &(SomConnectDef){.module_a = a, .connector_a = 1, .module_b = c2, .gap = -0.5});
    SomText text = {0};
    ck_assert_ptr_null(test_finish_with(b, &text));
    ck_assert_str_eq(
        text.data,
        "error: 'a.B' and 'b.T' cannot be mated at 45deg; they offer 0deg, 90deg, 180deg, 270deg "
        "[SOM2504]\n"
        "error: 'a' is connected with itself [SOM2502]\n"
        "error: no rule says how to connect 'SMORES' with 'MTRAN': they are defined in two "
        "different M3L files [SOM2506]\n"
        "note: 'forced' connects two faces without a rule\n"
        "error: 'x.c1' cannot be mated with 'y.c2' [SOM2503]\n"
        "note: 'x.c1' mates with c4, c5, c6 of 'y'\n"
        "note: 'y.c2' mates with c4, c5, c6 of 'x'\n"
        "error: 'x.c4' and 'y.c1' have no mating 99; they have 33, 34, 35, 36, 69, 70, 71, 72 "
        "[SOM2505]\n"
        "error: no connection of 'MTRAN' and 'MTRAN' has the index 9999 [SOM2505]\n"
        "note: 'MTRAN_to_MTRAN' has 1 to 72\n"
        "error: the gap at connector 'L' is not a length from 0 to 1000 m [SOM2507]\n");
    som_text_free(&text);
    som_m3l_destroy(smores);
    som_m3l_destroy(mtran);
}
END_TEST

START_TEST(angles_without_end_are_refused) {
    SomM3l *smores = som_test_library("smores");
    static const double rolls[] = {(double)INFINITY, (double)NAN, 1e300};
    for (int i = 0; i < 3; i++) {
        SomBuilder *b = begin();
        int x = test_add_module(b, "x", 0, smores, "SMORES");
        int y = test_add_module(b, "y", 0, smores, "SMORES");
        som_builder_connect(b, &(SomConnectDef){.module_a = x,
                                                .module_b = y,
                                                .has_roll = true,
                                                .roll = rolls[i],
                                                .is_forced = true});
        SomText text = {0};
        ck_assert_ptr_null(test_finish_with(b, &text));
        ck_assert_ptr_nonnull(strstr(text.data, "[SOM2516]"));
        som_text_free(&text);
    }
    som_m3l_destroy(smores);
}
END_TEST

START_TEST(a_connector_is_taken_once) {
    SomM3l *smores = som_test_library("smores");
    const char *source = "connect a.B to b.T\nconnect a.B to c.T\nconnect c.T to b.T\n";
    SomDiagnostics *diags = som_diagnostics_create();
    uint32_t source1 = som_diagnostics_add_source(diags, SOM_STR("x.som"), som_str(source));
    SomBuilder *b = begin();
    int m[3];
    static const char *const names[] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++) {
        m[i] = test_add_module(b, names[i], 0, smores, "SMORES");
    }
    SomSpan lines[3] = {{source1, 0, 18}, {source1, 19, 37}, {source1, 38, 56}};
    som_builder_connect(b, &(SomConnectDef){.module_a = m[0],
                                            .connector_a = 3,
                                            .module_b = m[1],
                                            .connector_b = 0,
                                            .span = lines[0]});
    som_builder_connect(b, &(SomConnectDef){.module_a = m[0],
                                            .connector_a = 3,
                                            .module_b = m[2],
                                            .connector_b = 0,
                                            .span = lines[1],
                                            .span_a = {source1, 27, 30}});
    som_builder_connect(b, &(SomConnectDef){.module_a = m[2],
                                            .connector_a = 0,
                                            .module_b = m[1],
                                            .connector_b = 0,
                                            .span = lines[2],
                                            .span_b = {source1, 53, 56}});
    ck_assert_ptr_null(som_builder_finish(b, diags));
    SomText text = {0};
    som_diagnostics_print(diags, 0, &text);
    ck_assert_str_eq(text.data, "x.som:2:9: error: 'a.B' is already connected [SOM2501]\n"
                                "    2 | connect a.B to c.T\n"
                                "      |         ^~~\n"
                                "x.som:1:1: note: it was connected here\n"
                                "    1 | connect a.B to b.T\n"
                                "      | ^~~~~~~~~~~~~~~~~~\n"
                                "x.som:3:16: error: 'b.T' is already connected [SOM2501]\n"
                                "    3 | connect c.T to b.T\n"
                                "      |                ^~~\n"
                                "x.som:1:1: note: it was connected here\n"
                                "    1 | connect a.B to b.T\n"
                                "      | ^~~~~~~~~~~~~~~~~~\n");
    som_text_free(&text);
    som_diagnostics_destroy(diags);
    som_m3l_destroy(smores);
}
END_TEST

// ---- parts

START_TEST(parts_that_hang_on_nothing_are_named) {
    SomM3l *smores = som_test_library("smores");
    SomBuilder *b = begin();
    int m[2];
    for (int i = 0; i < 2; i++) {
        m[i] = test_add_module(b, "m", i + 1, smores, "SMORES");
    }
    test_connect(b, m[0], "B", m[1], "T", 0);
    som_builder_begin_part(b, &(SomPartDef){.name = SOM_STR("arm"), .config = SOM_STR("Arm")});
    int upper = test_add_module(b, "upper", 0, smores, "SMORES");
    int lower = test_add_module(b, "lower", 0, smores, "SMORES");
    test_connect(b, upper, "B", lower, "T", 0);
    som_builder_end_part(b);
    test_add_module(b, "lost", 0, smores, "SMORES");
    SomText text = {0};
    ck_assert_ptr_null(test_finish_with(b, &text));
    ck_assert_str_eq(
        text.data,
        "error: 'arm' is not connected with 'm[1]', 'm[2]' and has no base [SOM2511]\n"
        "error: 'lost' is not connected with 'm[1]', 'm[2]' and has no base [SOM2511]\n");
    som_text_free(&text);
    som_m3l_destroy(smores);
}
END_TEST

START_TEST(empty_and_double_are_refused) {
    SomM3l *smores = som_test_library("smores");
    SomText text = {0};
    ck_assert_ptr_null(test_finish_with(begin(), &text));
    ck_assert_str_eq(text.data, "error: 'Design' has no modules [SOM2512]\n");
    som_text_clear(&text);
    SomBuilder *b = begin();
    int m = test_add_module(b, "m", 0, smores, "SMORES");
    int n = test_add_module(b, "m", 0, smores, "SMORES");
    test_connect(b, m, "B", n, "T", 0);
    ck_assert_ptr_null(test_finish_with(b, &text));
    ck_assert_str_eq(text.data, "error: two parts are called 'm' [SOM2514]\n"
                                "note: the first one is here\n");
    som_text_free(&text);
    som_m3l_destroy(smores);
}
END_TEST

START_TEST(too_many_and_too_deep_are_refused) {
    SomM3l *smores = som_test_library("smores");
    SomText text = {0};
    SomBuilder *b = begin();
    int depth = 0;
    for (; depth < 300; depth++) {
        ck_assert_int_eq(som_builder_is_full(b), depth >= SOM_MAX_PART_DEPTH - 1);
        som_builder_begin_part(b, &(SomPartDef){.name = SOM_STR("p"), .config = SOM_STR("P")});
    }
    test_add_module(b, "m", 0, smores, "SMORES");
    for (; depth > 0; depth--) {
        som_builder_end_part(b);
    }
    ck_assert_ptr_null(test_finish_with(b, &text));
    ck_assert_str_eq(text.data,
                     "error: 'Design' has more than 256 parts inside one another [SOM2513]\n");
    som_text_clear(&text);
    b = begin();
    for (int i = 0; i <= SOM_MAX_MODULES; i++) {
        test_add_module(b, "m", i + 1, smores, "SMORES");
    }
    ck_assert_ptr_null(test_finish_with(b, &text));
    ck_assert_str_eq(text.data, "error: 'Design' has more than 100000 modules [SOM2513]\n");
    som_text_free(&text);
    som_m3l_destroy(smores);
}
END_TEST

SOM_SUITE("compose/builder", paths_orders_and_ranges_follow_the_parts,
          dofs_are_found_by_name_and_alias, a_module_by_itself_adds_no_path,
          names_that_are_no_words_are_quoted_in_paths,
          parts_start_as_they_do_alone_and_the_whole_changes_it, values_beyond_limits_are_told,
          a_mating_is_chosen_by_roll_or_index, one_of_several_turned_matings_must_be_chosen,
          forced_connections_are_those_of_rules, connectors_without_a_face_cannot_be_forced,
          what_cannot_be_connected_is_said_all_at_once, angles_without_end_are_refused,
          a_connector_is_taken_once, parts_that_hang_on_nothing_are_named,
          empty_and_double_are_refused, too_many_and_too_deep_are_refused)
