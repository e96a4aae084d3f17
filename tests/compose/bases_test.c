// SPDX-License-Identifier: Apache-2.0
// Designs of several pieces: their bases (compose/builder_bases.c) and how docks join and leave
// them (compose/dock_states.c).

#include "compose/diff.h"
#include "compose/dock_states.h"
#include "compose/identity.h"
#include "compose/solve.h"
#include "space/trigonometry.h"
#include "tests/compose/texts.h"

#define DEG (SOM_PI / 180)

// A robot on the ground, an arm that is bolted to a wall, and a box in front of both.
static const char *const cell = "use \"smores.m3l\"\n"
                                "config Cell {\n"
                                "    part robot[2], arm[2], box : SMORES\n"
                                "    connect robot[1].T to robot[2].B\n"
                                "    connect arm[1].T to arm[2].B\n"
                                "    dock push: robot[2].T to box.B open\n"
                                "    dock grip: arm[2].T to box.T at 0deg open\n"
                                "    base robot[1]\n"
                                "    base box at (0m, -0.2m, 0m)\n"
                                "    base arm[1] at (0m, -0.4m, 0m) turned (0deg, 0deg, 180deg) "
                                "fixed\n"
                                "}\n";

typedef struct Cell {
    TestDesign design;
    SomConfiguration *c;
    SomDockStates *states;
    SomPosture posture;
} Cell;

static Cell create(const char *text) {
    Cell t = {.design = test_design(text)};
    t.c = test_compose(&t.design, "");
    t.states = som_dock_states_create(t.c);
    t.posture = som_posture_start(t.c);
    return t;
}

static void discard(Cell *t) {
    som_dock_states_destroy(t->states);
    som_posture_free(&t->posture);
    som_configuration_destroy(t->c);
    test_design_free(&t->design);
}

static int module_of(const Cell *t, const char *path) {
    int module = som_configuration_find_module(t->c, som_str(path));
    ck_assert_int_ge(module, 0);
    return module;
}

static int dock_of(const Cell *t, const char *path) {
    return som_configuration_find_dock(t->c, som_str(path));
}

static SomPose pose_of(const Cell *t, const char *path) {
    return som_mechanism_module_pose(som_dock_states_mechanism(t->states),
                                     som_dock_states_links(t->states), module_of(t, path));
}

static const SomMechanismPiece *piece_of(const Cell *t, const char *path) {
    const SomMechanism *m = som_dock_states_mechanism(t->states);
    return &m->pieces[m->links[m->first_link[module_of(t, path)]].piece];
}

static void set(Cell *t, const char *path, double degrees) {
    SomAlias alias;
    int dof = som_configuration_find_dof(t->c, som_str(path), &alias);
    ck_assert_int_ge(dof, 0);
    t->posture.values[dof] = som_alias_to_joint(alias, degrees * DEG);
    som_dock_states_place(t->states, &t->posture);
}

static double moved(SomPose a, SomPose b) {
    return som_vec3_length(som_vec3_sub(a.position, b.position)) +
           som_rotation_distance(a.rotation, b.rotation);
}

START_TEST(each_piece_has_its_base) {
    Cell t = create(cell);
    ck_assert_int_eq(t.c->base_count, 3);
    ck_assert_int_eq(t.c->piece_count, 2);
    ck_assert_int_eq(t.c->metrics.pieces, 3);
    ck_assert_int_eq(t.c->metrics.closures, 0);
    ck_assert_int_eq(t.c->base.module, 0);
    ck_assert_int_eq(t.c->bases[1].module, module_of(&t, "arm[1]"));
    ck_assert(t.c->bases[1].is_fixed && !t.c->bases[2].is_fixed);
    ck_assert_int_eq(som_configuration_piece_of(t.c, module_of(&t, "robot[2]")), 0);
    ck_assert_int_eq(som_configuration_piece_of(t.c, module_of(&t, "arm[2]")), 1);
    ck_assert_int_eq(som_configuration_piece_of(t.c, module_of(&t, "box")), 2);
    ck_assert_double_eq(pose_of(&t, "box").position.y, -0.2);
    ck_assert_double_eq_tol(pose_of(&t, "arm[2]").position.y, -0.3, 1e-12);
    const SomMechanism *m = som_dock_states_mechanism(t.states);
    double one = som_module_type_mass(t.c->modules[0].type);
    ck_assert_int_eq(m->piece_count, 3);
    ck_assert_double_eq_tol(m->mass, 2 * one, 1e-12);
    ck_assert_double_eq_tol(m->pieces[2].mass, one, 1e-12);
    ck_assert(!m->is_fixed && m->pieces[1].is_fixed);
    discard(&t);
}
END_TEST

START_TEST(each_piece_is_put_on_the_ground_by_itself) {
    TestDesign design = test_design("use \"smores.m3l\"\n"
                                    "config Two {\n"
                                    "    part a[3], b : SMORES\n"
                                    "    connect a[i].T to a[i+1].B for i in 1..2\n"
                                    "    pose up { a[1].tilt = 60deg }\n"
                                    "    start up\n"
                                    "    base a[1] at (0.1m, 0.2m, 0m) on ground\n"
                                    "    base b at (1m, 0m, 0m) on ground turned (90deg, 0deg, "
                                    "0deg) fixed\n"
                                    "}\n");
    SomConfiguration *c = test_compose(&design, "");
    SomMechanism *m = som_mechanism_create(c);
    SomPosture start = som_posture_start(c);
    SomPose *links = som_alloc(sizeof *links * (size_t)m->link_count);
    som_mechanism_place(m, &start, links);
    for (int i = 0; i < 2; i++) {
        ck_assert_double_eq_tol(som_mechanism_piece_bounds(m, links, i).low.z, 0, 1e-12);
    }
    ck_assert_double_eq(c->base.placement.position.x, 0.1);
    ck_assert_double_eq(c->base.placement.position.y, 0.2);
    ck_assert_double_eq(c->bases[1].placement.position.x, 1);
    ck_assert_double_eq(c->pieces[0].pose.position.z, c->bases[1].link_pose.position.z);
    som_free(links);
    som_posture_free(&start);
    som_mechanism_destroy(m);
    som_configuration_destroy(c);
    test_design_free(&design);
}
END_TEST

START_TEST(a_fixed_piece_holds_what_docks_to_it) {
    Cell t = create(cell);
    SomPose arm = pose_of(&t, "arm[1]"), robot = pose_of(&t, "robot[1]");
    ck_assert(som_dock_in_reach(t.c, dock_of(&t, "push"),
                                som_dock_states_gap(t.states, dock_of(&t, "push"))));
    som_dock_states_set(t.states, dock_of(&t, "push"), true);
    ck_assert(!piece_of(&t, "box")->is_fixed);
    ck_assert_ptr_eq(piece_of(&t, "box"), piece_of(&t, "robot[1]"));
    SomPose held = pose_of(&t, "box");
    set(&t, "robot[2].tilt", 30);
    ck_assert_double_gt(moved(held, pose_of(&t, "box")), 0.01);
    ck_assert_double_lt(moved(robot, pose_of(&t, "robot[1]")), 1e-12);
    set(&t, "robot[2].tilt", 0);
    som_dock_states_set(t.states, dock_of(&t, "grip"), true);
    ck_assert_int_eq(som_dock_states_mechanism(t.states)->piece_count, 1);
    ck_assert(som_dock_states_mechanism(t.states)->is_fixed);
    robot = pose_of(&t, "robot[1]");
    set(&t, "arm[2].tilt", 30); // carries box and robot
    ck_assert_double_lt(moved(arm, pose_of(&t, "arm[1]")), 1e-12);
    ck_assert_double_gt(moved(robot, pose_of(&t, "robot[1]")), 0.01);
    robot = pose_of(&t, "robot[1]");
    som_dock_states_set(t.states, dock_of(&t, "push"), false); // lets it go there
    ck_assert_int_eq(som_dock_states_mechanism(t.states)->piece_count, 2);
    ck_assert(!som_dock_states_mechanism(t.states)->is_fixed);
    ck_assert(piece_of(&t, "box")->is_fixed);
    ck_assert_double_lt(moved(robot, pose_of(&t, "robot[1]")), 1e-12);
    set(&t, "arm[2].tilt", 60);
    ck_assert_double_lt(moved(robot, pose_of(&t, "robot[1]")), 1e-12);
    ck_assert_double_lt(moved(arm, pose_of(&t, "arm[1]")), 1e-12);
    discard(&t);
}
END_TEST

START_TEST(a_piece_is_a_robot_of_its_own) {
    Cell t = create(cell);
    const SomMechanism *whole = som_dock_states_mechanism(t.states);
    SomMechanism *arm = som_mechanism_create_piece(whole, 1, som_pose_identity());
    ck_assert(arm->is_fixed);
    ck_assert_double_eq_tol(arm->mass, whole->pieces[1].mass, 1e-12);
    ck_assert_int_eq(arm->configuration->base.span.begin, t.c->bases[1].span.begin);
    SomPose *links = som_alloc(sizeof *links * (size_t)arm->link_count);
    som_mechanism_place(arm, &t.posture, links);
    int module = module_of(&t, "arm[2]");
    SomPose here = som_mechanism_module_pose(arm, links, module);
    ck_assert_double_lt(moved(here, pose_of(&t, "arm[2]")), 1e-12);
    som_free(links);
    som_mechanism_destroy(arm);
    discard(&t);
}
END_TEST

START_TEST(pieces_need_a_base_and_have_one) {
    static const char *const cases[][2] = {
        {"", "4:10 2511, 5:10 2511"},
        {"base b", "5:10 2511"},
        {"base b; base c; base a", ""},
        {"base b; base c; base c", "6:21 2523"},
        {"base b; base c on ground; base b fixed", "6:31 2523"},
        {"base b fixed; base c fixed; base b fixed", "6:33 2523"},
        {"base b; base c at (0m, 0m, 1m) on ground", "6:13 2527"},
        {"base b; base c at (1e9m, 0m, 0m)", "6:13 2516"},
        {"base b; base x", "6:18 2015"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText text = {0};
        som_text_printf(&text,
                        "use \"smores.m3l\"\nconfig A {\n    part a : SMORES\n    part b : SMORES\n"
                        "    part c : SMORES\n    %s\n}\n",
                        cases[i][0]);
        TestDesign design = test_design(text.data);
        SomConfiguration *c =
            som_configuration_compose(design.workspace, design.file, SOM_STR(""), design.diags);
        ck_assert_msg(strcmp(test_codes(&design), cases[i][1]) == 0, "%s: %s", cases[i][0],
                      test_diagnostics(&design));
        ck_assert((c != NULL) == (cases[i][1][0] == '\0'));
        som_configuration_destroy(c);
        test_design_free(&design);
        som_text_free(&text);
    }
}
END_TEST

START_TEST(a_fix_it_gives_the_base_that_is_missing) {
    const char *before = "use \"smores.m3l\"\n"
                         "config A {\n"
                         "    part a, b : SMORES\n"
                         "}\n";
    TestDesign design = test_design(before);
    SomConfiguration *c =
        som_configuration_compose(design.workspace, design.file, SOM_STR(""), design.diags);
    ck_assert_ptr_null(c);
    ck_assert_ptr_nonnull(
        strstr(test_diagnostics(&design), "\\n    base b at (0.4m, 0m, 0m) on ground"));
    test_design_free(&design);
    design = test_design("use \"smores.m3l\"\n"
                         "config A {\n"
                         "    part a, b : SMORES\n"
                         "    base b at (0.4m, 0m, 0m) on ground\n"
                         "}\n");
    c = test_compose(&design, "");
    som_configuration_destroy(c);
    test_design_free(&design);
}
END_TEST

START_TEST(fixed_pieces_are_not_connected) {
    Cell t = create("use \"smores.m3l\"\n"
                    "config Cell {\n"
                    "    part a, b, c : SMORES\n"
                    "    dock ab: a.T to b.B open\n"
                    "    dock bc: b.T to c.B open\n"
                    "    base a fixed\n"
                    "    base b at (0m, -0.1m, 0m) fixed\n"
                    "    base c at (0m, -0.2m, 0m)\n"
                    "}\n");
    ck_assert(som_dock_states_joins_fixed(t.states, dock_of(&t, "ab")));
    ck_assert(!som_dock_states_joins_fixed(t.states, dock_of(&t, "bc")));
    som_dock_states_set(t.states, dock_of(&t, "bc"), true);
    ck_assert(piece_of(&t, "c")->is_fixed);
    ck_assert(som_dock_states_joins_fixed(t.states, dock_of(&t, "ab")));
    discard(&t);
}
END_TEST

START_TEST(solving_moves_every_piece_and_leaves_bases) {
    Cell t = create(cell);
    SomArena arena = {0};
    SomWish wish;
    ck_assert(som_wish_read(t.c, SOM_LEVEL_TARGET, SOM_STR("arm[2].T=box.T"), &arena, &wish,
                            t.design.diags));
    for (int free = 0; free < 2; free++) {
        SomSolveResult result = {0};
        SomSolveDef def = {.wishes = &wish, .wish_count = 1, .is_base_free = free == 1};
        ck_assert(som_solve(t.c, &def, &result, t.design.diags));
        ck_assert_int_eq(result.bases.count, 3);
        for (int i = 0; i < 3; i++) {
            bool stays = free == 0 || i == 1; // the arm is fixed
            ck_assert(!stays || moved(result.bases.data[i], t.c->bases[i].link_pose) < 1e-9);
        }
        ck_assert_double_lt(result.residuals[SOM_LEVEL_TARGET], 1e-6);
        som_solve_result_free(&result);
    }
    som_arena_free(&arena);
    discard(&t);
}
END_TEST

START_TEST(pieces_are_compared_each_with_its_own) {
    Cell t = create(cell);
    TestDesign other =
        test_design("use \"smores.m3l\"\n"
                    "config Cell {\n"
                    "    part box, arm[2], robot[2] : SMORES\n"
                    "    connect robot[1].T to robot[2].B\n"
                    "    connect arm[1].T to arm[2].B\n"
                    "    base robot[1] at (0m, 1m, 0m)\n"
                    "    base arm[1] at (0m, -0.4m, 0m) turned (0deg, 0deg, 180deg)\n"
                    "}\n");
    SomConfiguration *c = test_compose(&other, "");
    int map[5];
    ck_assert(som_configuration_match(t.c, c, map));
    ck_assert_int_eq(map[4], 0); // the box is the only piece of one module
    SomDiff *diff = som_diff_create(t.c, c);
    int bases = 0;
    bool has_fixed = false;
    for (int i = 0; i < diff->change_count; i++) {
        const SomChange *change = &diff->changes[i];
        bases += change->subject == SOM_CHANGE_BASE;
        has_fixed |= change->subject == SOM_CHANGE_BASE &&
                     strstr(change->before.data, " fixed") != NULL &&
                     strstr(change->after.data, " fixed") == NULL;
    }
    ck_assert_int_ge(bases, 2);
    ck_assert(has_fixed);
    som_diff_destroy(diff);
    som_configuration_destroy(c);
    test_design_free(&other);
    discard(&t);
}
END_TEST

SOM_SUITE("bases", each_piece_has_its_base, each_piece_is_put_on_the_ground_by_itself,
          a_fixed_piece_holds_what_docks_to_it, a_piece_is_a_robot_of_its_own,
          pieces_need_a_base_and_have_one, a_fix_it_gives_the_base_that_is_missing,
          fixed_pieces_are_not_connected, solving_moves_every_piece_and_leaves_bases,
          pieces_are_compared_each_with_its_own)
