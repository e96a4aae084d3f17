// Tests for studio/assembly.c: parts are held, turned, dropped, moved and refused, as by a person.

// SPDX-License-Identifier: Apache-2.0

#include "space/trigonometry.h"
#include "studio/assembly.h"
#include "tests/compose/texts.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>

typedef struct Bench {
    SomProject *project;
    SomAssembly *assembly;
    int refusals;
} Bench;

static void listen_to(void *context, unsigned changes) {
    Bench *bench = context;
    som_assembly_follow(bench->assembly, changes);
    bench->refusals += (changes & SOM_PROJECT_REFUSAL) != 0;
}

static void set_up(Bench *bench, const char *text) {
    *bench = (Bench){.project = som_project_create(som_str(test_library))};
    bench->assembly = som_assembly_create(bench->project);
    som_project_listen(bench->project, listen_to, bench);
    if (text[0] != '\0') {
        som_project_set_text(bench->project, som_str(text));
        ck_assert(!som_project_is_stale(bench->project));
    }
}

static void tear_down(Bench *bench) {
    som_assembly_destroy(bench->assembly);
    som_project_destroy(bench->project);
}

static const SomConfiguration *design_of(const Bench *bench) {
    return som_project_model(bench->project)->configuration;
}

static int connector_of(const SomConfiguration *c, int module, const char *name) {
    return som_module_type_find_connector(c->modules[module].type, som_str(name));
}

// Aims at a connector: "body.front.middle", "L".
static bool aim_at(Bench *bench, const char *module, const char *connector) {
    const SomConfiguration *c = design_of(bench);
    int m = som_configuration_find_module(c, som_str(module));
    ck_assert_msg(m >= 0, "%s", module);
    return som_assembly_aim_at(bench->assembly, m, connector_of(c, m, connector));
}

static const char *says(Bench *bench, SomText *text) {
    som_text_clear(text);
    som_assembly_print(bench->assembly, text);
    som_text_add(text, SOM_STR(""));
    return text->data;
}

// Goes through connectors and angles until the assembly says these words.
static bool bring_to(Bench *bench, const char *words) {
    SomText text = {0};
    bool found = false;
    for (int own = 0; own < 40 && !found; own++) {
        for (int i = 0; i < som_assembly_angle_count(bench->assembly) && !found; i++) {
            found = strcmp(says(bench, &text), words) == 0;
            if (!found) {
                som_assembly_turn(bench->assembly, 1);
            }
        }
        if (!found) {
            som_assembly_change_own(bench->assembly, 1);
        }
    }
    som_text_free(&text);
    return found;
}

static void drop_part(Bench *bench, const char *reference, const char *file, const char *module,
                      const char *connector, const char *words) {
    ck_assert(som_assembly_begin_part(bench->assembly, som_str(reference), som_str(file)));
    if (module != NULL) {
        ck_assert(aim_at(bench, module, connector));
        ck_assert_msg(bring_to(bench, words), "%s", words);
    }
    ck_assert(som_assembly_drop(bench->assembly));
    ck_assert_int_eq(som_assembly_kind(bench->assembly), SOM_ASSEMBLY_IDLE);
}

static void drop_walkbot(Bench *bench) {
    drop_part(bench, "Chain6", "chain6.som", NULL, NULL, NULL);
    drop_part(bench, "Chain3", "chain3.som", "chain6.front.middle", "L",
              "chain6.front.middle.L ← head.L at 270°");
    drop_part(bench, "Chain3", "chain3.som", "chain6.front.middle", "R",
              "chain6.front.middle.R ← head.R at 90°");
    drop_part(bench, "Chain3", "chain3.som", "chain6.rear.middle", "L",
              "chain6.rear.middle.L ← head.L at 270°");
    drop_part(bench, "Chain3", "chain3.som", "chain6.rear.middle", "R",
              "chain6.rear.middle.R ← head.R at 90°");
}

#define WALKBOT                                                                                    \
    "use \"chain6.som\"\n\nconfig Robot {\n    part chain6 : Chain6\n    part chain3 : Chain3\n"   \
    "    part chain3_2 : Chain3\n    part chain3_3 : Chain3\n    part chain3_4 : Chain3\n"         \
    "    connect chain3.head.L to chain6.front.middle.L at 270deg\n"                               \
    "    connect chain3_2.head.R to chain6.front.middle.R at 90deg\n"                              \
    "    connect chain3_3.head.L to chain6.rear.middle.L at 270deg\n"                              \
    "    connect chain3_4.head.R to chain6.rear.middle.R at 90deg\n}\n"

START_TEST(a_walkbot_is_dropped_into_an_empty_design_and_undone) {
    Bench bench;
    set_up(&bench, "");
    drop_walkbot(&bench);
    SomStr text = som_project_text(bench.project);
    ck_assert_msg(som_str_equal(text, SOM_STR(WALKBOT)), "%.*s", SOM_STR_ARG(text));
    ck_assert_int_eq(design_of(&bench)->module_count, 18);
    ck_assert(som_str_equal(som_project_selected_part(bench.project), SOM_STR("chain3_4")));
    for (int i = 0; i < 5; i++) { // each drop is one step
        ck_assert(som_project_undo(bench.project));
    }
    ck_assert(!som_project_can_undo(bench.project));
    ck_assert_uint_eq(som_project_text(bench.project).length, 0);
    tear_down(&bench);
}
END_TEST

START_TEST(the_ghost_stands_where_the_part_will_stand) {
    Bench bench;
    set_up(&bench, "use \"chain6.som\"\nconfig Robot {\n    part body : Chain6\n}\n");
    ck_assert(som_assembly_begin_part(bench.assembly, SOM_STR("Chain3"), SOM_STR("chain3.som")));
    ck_assert(aim_at(&bench, "body.front.middle", "L"));
    for (int i = 0; i < 3; i++) {
        som_assembly_change_own(bench.assembly, 1);
        som_assembly_turn(bench.assembly, 1);
    }
    SomAssemblyBody body = som_assembly_body(bench.assembly);
    SomPose pose = som_assembly_candidate(bench.assembly)->pose;
    int count = body.mechanism->link_count;
    SomPose *ghost = som_alloc(sizeof *ghost * (size_t)count);
    for (int i = 0; i < count; i++) {
        ghost[i] = som_pose_compose(pose, body.links[i]);
    }
    ck_assert(som_assembly_drop(bench.assembly));
    const SomModel *model = som_project_model(bench.project);
    int first = model->mechanism->link_count - count;
    // the design stands on its base, which has not moved
    for (int i = 0; i < count; i++) {
        ck_assert_double_le(som_pose_distance(ghost[i], model->links[first + i]), 1e-9);
    }
    som_free(ghost);
    tear_down(&bench);
}
END_TEST

START_TEST(a_pointer_finds_the_nearest_connector_and_keys_the_others) {
    Bench bench;
    set_up(&bench, "use \"chain6.som\"\nconfig Robot {\n    part body : Chain6\n}\n");
    const SomModel *model = som_project_model(bench.project);
    int module = som_configuration_find_module(model->configuration, SOM_STR("body.rear.middle"));
    int connector = connector_of(model->configuration, module, "R");
    SomPose pose = som_mechanism_connector_pose(model->mechanism, model->links, module, connector);
    SomVec3 out = som_pose_rotate(pose, (SomVec3){1, 0, 0});
    SomAim aim = {.origin = som_vec3_add(pose.position, som_vec3_scale(0.02, out))};
    ck_assert(som_assembly_begin_part(bench.assembly, SOM_STR("SMORES"), SOM_STR("smores.m3l")));
    ck_assert(som_assembly_aim(bench.assembly, &aim));
    const SomCandidate *candidate = som_assembly_candidate(bench.assembly);
    ck_assert_int_eq(candidate->module, module);
    ck_assert_int_eq(candidate->connector, connector);
    aim.reach = 0.001; // too near for it
    ck_assert(!som_assembly_aim(bench.assembly, &aim));
    ck_assert_uint_gt(som_assembly_reason(bench.assembly).length, 0);
    const bool *is_offered;
    const SomSites *sites = som_assembly_sites(bench.assembly, &is_offered);
    ck_assert_int_eq(sites->count, 14); // two at each of six modules, and the ends
    for (int i = 0; i < sites->count; i++) {
        ck_assert(is_offered[i] && som_assembly_change_site(bench.assembly, 1));
        ck_assert_int_eq(som_assembly_candidate(bench.assembly)->module, sites->data[i].module);
    }
    ck_assert(som_assembly_change_site(bench.assembly, -1));
    ck_assert_int_eq(som_assembly_candidate(bench.assembly)->connector,
                     sites->data[sites->count - 2].connector);
    tear_down(&bench);
}
END_TEST

START_TEST(a_part_that_cannot_be_had_is_refused_with_its_reason) {
    Bench bench;
    SomText text = {0};
    set_up(&bench, "use \"chain6.som\"\nconfig Robot {\n    part body : Chain6\n}\n");
    ck_assert(!som_assembly_begin_part(bench.assembly, SOM_STR("Nothing"), SOM_STR("chain3.som")));
    ck_assert_uint_gt(som_assembly_reason(bench.assembly).length, 0);
    ck_assert_int_eq(som_assembly_kind(bench.assembly), SOM_ASSEMBLY_IDLE);
    ck_assert(som_assembly_begin_part(bench.assembly, SOM_STR("MTRAN"), SOM_STR("mtran.m3l")));
    SomAim aim = {0};
    ck_assert(!som_assembly_aim(bench.assembly, &aim) && !som_assembly_drop(bench.assembly));
    ck_assert_str_eq(says(&bench, &text), "no connector of a module of type 'MTRAN' fits a free "
                                          "one of type 'SMORES'");
    ck_assert(som_assembly_begin_part(bench.assembly, SOM_STR("Chain3"), SOM_STR("chain3.som")));
    ck_assert(!aim_at(&bench, "body.front.middle", "B"));
    ck_assert_str_eq(says(&bench, &text),
                     "'body.front.middle.B' is already connected with 'body.front.tail.T'");
    som_project_set_text(bench.project, SOM_STR("config Robot { part : }"));
    ck_assert_int_eq(som_assembly_kind(bench.assembly), SOM_ASSEMBLY_IDLE);
    ck_assert(!som_assembly_begin_part(bench.assembly, SOM_STR("Chain3"), SOM_STR("chain3.som")));
    som_text_free(&text);
    tear_down(&bench);
}
END_TEST

START_TEST(a_leg_moves_to_another_connector_with_all_that_hangs_on_it) {
    Bench bench;
    set_up(&bench, "use \"chain6.som\"\nconfig Robot {\n    part body : Chain6\n"
                   "    part leg, foot : Chain3\n    connect leg.head.L to body.front.middle.L\n"
                   "    connect foot.head.T to leg.tail.B\n}\n");
    const SomConfiguration *c = design_of(&bench);
    int leg = som_configuration_find_module(c, SOM_STR("leg.tail"));
    ck_assert(som_assembly_begin_move(bench.assembly, leg, -1));
    int held = 0;
    for (int i = 0; i < c->module_count; i++) {
        held += som_assembly_body(bench.assembly).is_held[i];
    }
    ck_assert_int_eq(held, 6);
    ck_assert(aim_at(&bench, "body.rear.middle", "R"));
    ck_assert(bring_to(&bench, "body.rear.middle.R ← leg.head.R at 90°"));
    ck_assert(som_assembly_drop(bench.assembly));
    SomStr text = som_project_text(bench.project);
    ck_assert_msg(strstr(text.data, "connect leg.head.R to body.rear.middle.R at 90deg\n") != NULL,
                  "%s", text.data);
    c = design_of(&bench);
    int base = som_configuration_find_module(c, SOM_STR("body.front.head"));
    ck_assert(!som_assembly_begin_move(bench.assembly, base, -1));
    ck_assert_ptr_nonnull(strstr(som_assembly_reason(bench.assembly).data, "stands on"));
    // by one connector only
    int foot = som_configuration_find_module(c, SOM_STR("foot.tail"));
    ck_assert(som_assembly_begin_move(bench.assembly, foot, connector_of(c, foot, "B")));
    ck_assert(aim_at(&bench, "body.front.head", "T"));
    som_assembly_change_own(bench.assembly, 1);
    ck_assert_int_eq(som_assembly_candidate(bench.assembly)->part_module, foot);
    ck_assert(som_assembly_drop(bench.assembly));
    ck_assert(som_project_undo(bench.project) && som_project_undo(bench.project));
    tear_down(&bench);
}
END_TEST

START_TEST(a_copy_of_a_part_is_connected_elsewhere) {
    Bench bench;
    set_up(&bench, WALKBOT);
    ck_assert(som_assembly_begin_copy(bench.assembly, SOM_STR("chain3")));
    ck_assert(aim_at(&bench, "chain6.front.head", "T"));
    ck_assert(bring_to(&bench, "chain6.front.head.T ← chain3.head.L at 180°"));
    ck_assert(som_assembly_drop(bench.assembly));
    ck_assert_int_eq(design_of(&bench)->module_count, 21);
    SomStr text = som_project_text(bench.project);
    ck_assert_msg(strstr(text.data, ".head.L to chain6.front.head.T at 180deg") != NULL, "%s",
                  text.data);
    ck_assert(!som_assembly_begin_copy(bench.assembly, SOM_STR("nobody")));
    tear_down(&bench);
}
END_TEST

START_TEST(two_connectors_close_a_loop_or_say_why_not) {
    Bench bench;
    SomText text = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    set_up(&bench, "");
    ck_assert(som_project_open(bench.project, SOM_STR("loop"), diags));
    const SomConfiguration *c = design_of(&bench);
    int closure = -1;
    for (int i = 0; i < c->connection_count; i++) {
        closure = c->connections[i].part == 0 ? i : closure;
    }
    ck_assert_int_ge(closure, 0);
    const SomConnection k = c->connections[closure];
    // what is held cannot be connected
    ck_assert(!som_assembly_begin_connect(bench.assembly, k.module_a, k.connector_a));
    som_project_set_text(
        bench.project, SOM_STR("use \"chain6.som\"\nconfig Robot {\n    part body : Chain6\n}\n"));
    c = design_of(&bench);
    int head = som_configuration_find_module(c, SOM_STR("body.front.head"));
    ck_assert(som_assembly_begin_connect(bench.assembly, head, connector_of(c, head, "L")));
    ck_assert_int_eq(som_assembly_first_module(bench.assembly), head);
    ck_assert_ptr_null(som_assembly_body(bench.assembly).mechanism);
    ck_assert(!aim_at(&bench, "body.front.head", "R"));
    ck_assert_str_eq(says(&bench, &text),
                     "'body.front.head.R' and 'body.front.head.L' are of one module");
    ck_assert(aim_at(&bench, "body.front.middle", "L"));
    ck_assert(!som_assembly_drop(bench.assembly)); // no joint brings them together
    ck_assert_int_eq(bench.refusals, 1);
    ck_assert_int_eq(som_assembly_kind(bench.assembly), SOM_ASSEMBLY_CONNECT);
    ck_assert(aim_at(&bench, "body.rear.tail", "R"));
    ck_assert(som_assembly_drop(bench.assembly)); // the chain bends round
    ck_assert_int_eq(design_of(&bench)->metrics.closures, 1);
    som_diagnostics_destroy(diags);
    som_text_free(&text);
    tear_down(&bench);
}
END_TEST

START_TEST(a_posture_that_moves_is_followed) {
    Bench bench;
    set_up(&bench, WALKBOT);
    ck_assert(som_assembly_begin_part(bench.assembly, SOM_STR("Chain3"), SOM_STR("chain3.som")));
    ck_assert(aim_at(&bench, "chain3_4.tail", "B"));
    SomPose before = som_assembly_candidate(bench.assembly)->pose;
    int dof = som_configuration_find_dof(design_of(&bench), SOM_STR("chain3_4.middle.bend"), NULL);
    som_project_move(bench.project, dof, 0.5);
    ck_assert_double_gt(som_pose_distance(before, som_assembly_candidate(bench.assembly)->pose),
                        0.01);
    ck_assert(som_assembly_drop(bench.assembly));
    tear_down(&bench);
}
END_TEST

START_TEST(what_is_alone_has_nothing_to_be_connected_to) {
    Bench bench;
    SomText words = {0};
    set_up(&bench, "use \"smores.m3l\"\nconfig One {\n    part a : SMORES\n}\n");
    ck_assert(som_assembly_begin_connect(bench.assembly, 0, 0));
    ck_assert(!som_assembly_change_own(bench.assembly, 1));
    ck_assert_str_eq(says(&bench, &words), "no connector of the design is free");
    ck_assert(!som_assembly_drop(bench.assembly));
    som_text_free(&words);
    tear_down(&bench);
}
END_TEST

START_TEST(what_is_aimed_at_may_go) {
    Bench bench;
    SomText words = {0};
    set_up(&bench, "");
    drop_walkbot(&bench);
    ck_assert(som_assembly_begin_part(bench.assembly, SOM_STR("Chain3"), SOM_STR("chain3.som")));
    ck_assert(aim_at(&bench, "chain3_4.tail", "B"));
    som_project_undo(bench.project);
    ck_assert_int_eq(design_of(&bench)->module_count, 15);
    ck_assert_int_eq(som_assembly_kind(bench.assembly), SOM_ASSEMBLY_ADD);
    ck_assert_str_eq(says(&bench, &words), "come nearer to a connector that is green");
    ck_assert(!som_assembly_drop(bench.assembly));
    ck_assert(aim_at(&bench, "chain3_3.tail", "B"));
    ck_assert(som_assembly_drop(bench.assembly));
    som_text_free(&words);
    tear_down(&bench);
}
END_TEST

// ---- anyone who does anything

static const char *const references[][2] = {
    {"Chain3", "chain3.som"}, {"Module", "module.som"},      {"SMORES", "smores.m3l"},
    {"Chain6", "chain6.som"}, {"Snake(n = 2)", "snake.som"}, {"MTRAN", "mtran.m3l"},
    {"Nothing", "none.som"},  {"Walkbot17", "walkbot.som"}};

static SomAim any_aim(SomTestRandom *random) {
    SomAim aim = {.origin = {som_test_normal(random), som_test_normal(random), 1},
                  .direction = {som_test_normal(random), som_test_normal(random), -1}};
    aim.reach = som_test_int(random, 0, 3) == 0 ? 0.05 : 0;
    return aim;
}

static void act(Bench *bench, SomTestRandom *random) {
    SomAssembly *a = bench->assembly;
    const SomConfiguration *c = design_of(bench);
    int modules = c != NULL ? c->module_count : 0;
    int module = modules > 0 ? som_test_int(random, 0, modules - 1) : 0;
    int connectors = modules > 0 ? c->modules[module].type->connector_count : 0;
    int connector = connectors > 0 ? som_test_int(random, 0, connectors - 1) : 0;
    int which = som_test_int(random, 0, (int)(sizeof references / sizeof *references) - 1);
    SomAim aim = any_aim(random);
    switch (som_test_int(random, 0, 14)) {
    case 0:
    case 1:
        if (modules < 40) {
            som_assembly_begin_part(a, som_str(references[which][0]),
                                    som_str(references[which][1]));
        }
        break;
    case 2:
        if (modules > 0 && modules < 40) {
            som_assembly_begin_copy(a, c->parts[som_test_int(random, 0, c->part_count - 1)].path);
        }
        break;
    case 3:
        if (modules > 0) {
            som_assembly_begin_move(a, module, som_test_int(random, 0, 1) ? connector : -1);
        }
        break;
    case 4:
        if (modules > 0 && connectors > 0) {
            som_assembly_begin_connect(a, module, connector);
        }
        break;
    case 5:
        som_assembly_aim(a, &aim);
        break;
    case 6:
        if (modules > 0 && connectors > 0) {
            som_assembly_aim_at(a, module, connector);
        }
        break;
    case 7:
        som_assembly_turn(a, som_test_int(random, -2, 2));
        break;
    case 8:
        som_assembly_change_own(a, som_test_int(random, -1, 1));
        break;
    case 9:
        som_assembly_change_site(a, som_test_int(random, -1, 1));
        break;
    case 10:
        som_project_undo(bench->project);
        break;
    case 11:
        if (modules > 0 && c->dof_count > 0) {
            som_project_move(bench->project, som_test_int(random, 0, c->dof_count - 1), 0.3);
        }
        break;
    case 12:
        som_assembly_cancel(a);
        break;
    default:
        som_assembly_drop(a);
    }
}

// What is shown is a candidate that is offered, or a reason.
static void check(Bench *bench, SomText *words) {
    const char *text = says(bench, words);
    const SomCandidate *candidate = som_assembly_candidate(bench->assembly);
    if (candidate != NULL) {
        ck_assert_int_lt(candidate->module, design_of(bench)->module_count);
        ck_assert_uint_gt(strlen(text), 0);
        ck_assert_int_lt(som_assembly_angle_index(bench->assembly),
                         som_assembly_angle_count(bench->assembly));
    }
    ck_assert(!som_project_is_stale(bench->project));
}

START_TEST(anything_may_be_done_in_any_order) {
    SomTestRandom random = {20261116};
    int rounds = som_test_count(4, 60), dropped = 0;
    for (int round = 0; round < rounds; round++) {
        Bench bench;
        SomText words = {0};
        set_up(&bench, "");
        for (int i = 0; i < 150; i++) {
            size_t before = som_project_text(bench.project).length;
            act(&bench, &random);
            check(&bench, &words);
            dropped += som_project_text(bench.project).length != before;
        }
        while (som_project_undo(bench.project)) {
            check(&bench, &words);
        }
        ck_assert_uint_eq(som_project_text(bench.project).length, 0);
        som_text_free(&words);
        tear_down(&bench);
    }
    ck_assert_int_gt(dropped, rounds * 5);
}
END_TEST

SOM_SUITE("studio/assembly", a_walkbot_is_dropped_into_an_empty_design_and_undone,
          the_ghost_stands_where_the_part_will_stand,
          a_pointer_finds_the_nearest_connector_and_keys_the_others,
          a_part_that_cannot_be_had_is_refused_with_its_reason,
          a_leg_moves_to_another_connector_with_all_that_hangs_on_it,
          a_copy_of_a_part_is_connected_elsewhere, two_connectors_close_a_loop_or_say_why_not,
          a_posture_that_moves_is_followed, what_is_aimed_at_may_go,
          what_is_alone_has_nothing_to_be_connected_to, anything_may_be_done_in_any_order)
