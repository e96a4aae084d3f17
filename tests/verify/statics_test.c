// SPDX-License-Identifier: Apache-2.0
// Tests for verify/statics.c and verify/loop_loads.c.

#include "space/trigonometry.h"
#include "tests/verify/placed.h"
#include "verify/statics.h"

#include <math.h>

// ---- every link by itself

static SomWrench add_at(SomWrench sum, SomVec3 point, SomVec3 force, double sign) {
    SomVec3 f = som_vec3_scale(sign, force);
    return (SomWrench){som_vec3_add(sum.moment, som_vec3_cross(point, f)),
                       som_vec3_add(sum.force, f)};
}

static SomWrench add_moment(SomWrench sum, SomVec3 moment, double sign) {
    sum.moment = som_vec3_add(sum.moment, som_vec3_scale(sign, moment));
    return sum;
}

// The largest of all that is left when a module's weight, its contacts and what its connections say
// they carry are summed: every module stands still. Of the base less what holds it.
static double unrest(const PlacedRobot *robot, const SomBalance *balance,
                     const SomContacts *contacts, SomVec3 gravity) {
    const SomMechanism *m = robot->mechanism;
    const SomConfiguration *c = robot->configuration;
    SomWrench *sums = som_alloc(sizeof *sums * (size_t)c->module_count);
    for (int i = 0; i < m->link_count; i++) {
        const SomInertia *inertia = &m->links[i].link->inertia;
        int module = m->links[i].module;
        sums[module] = add_at(sums[module], som_pose_apply(robot->links[i], inertia->center),
                              som_vec3_scale(inertia->mass, gravity), 1);
    }
    for (int i = 0; contacts != NULL && i < contacts->count; i++) {
        int module = m->links[contacts->items[i].link].module;
        sums[module] = add_at(sums[module], contacts->items[i].point, balance->forces[i], 1);
    }
    for (int i = 0; i < c->connection_count; i++) {
        const SomConnection *k = &c->connections[i];
        SomVec3 point =
            som_mechanism_connector_pose(m, robot->links, k->module_b, k->connector_b).position;
        SomWrench w = balance->connections[i].wrench;
        sums[k->module_b] = add_moment(add_at(sums[k->module_b], point, w.force, 1), w.moment, 1);
        sums[k->module_a] = add_moment(add_at(sums[k->module_a], point, w.force, -1), w.moment, -1);
    }
    int base = c->base.module;
    sums[base].force = som_vec3_add(sums[base].force, balance->missing.force);
    sums[base].moment = som_vec3_add(sums[base].moment, balance->missing.moment);
    double worst = 0;
    for (int i = 0; i < c->module_count; i++) {
        worst = fmax(worst, som_vec3_length(sums[i].force));
        worst = fmax(worst, som_vec3_length(sums[i].moment));
    }
    som_free(sums);
    return worst;
}

static double energy(PlacedRobot *robot, SomVec3 gravity) {
    place_again(robot);
    return -robot->mechanism->mass *
           som_vec3_dot(gravity, som_mechanism_com(robot->mechanism, robot->links));
}

// ---- hanging trees

// Virtual work: what holds a joint is how the energy rises with it.
START_TEST(efforts_of_held_trees_are_slopes_of_the_energy) {
    SomTestRandom random = {75};
    double worst = 0, worst_unrest = 0, largest = 0;
    for (int f = 0; som_test_module_files[f] != NULL; f++) {
        SomM3l *m3l = som_test_library(som_test_module_files[f]);
        for (int n = 0; n < som_test_count(3, 100); n++) {
            PlacedRobot robot = {.m3l = m3l};
            place_configuration(&robot, test_finish(test_begin_random(&random, m3l, 7)));
            som_posture_free(&robot.posture);
            robot.posture = test_random_posture(&random, robot.configuration);
            if (robot.mechanism->closure_count == 0) {
                SomVec3 down = som_vec3(0.36, -0.48, -0.8), g = som_vec3_scale(9.5, down);
                SomStatics *statics = som_statics_create(&(SomStaticsDef){
                    .mechanism = robot.mechanism, .down = down, .gravity = 9.5, .is_held = true});
                place_again(&robot);
                const SomBalance *b = som_statics_solve(statics, robot.links, NULL);
                ck_assert(b->is_balanced && b->has_loads);
                double weight = 9.5 * robot.mechanism->mass;
                worst_unrest = fmax(worst_unrest, unrest(&robot, b, NULL, g) / weight);
                for (int i = 0; i < robot.mechanism->dof_count; i++) {
                    double at = robot.posture.values[i], h = 1e-5;
                    robot.posture.values[i] = at + h;
                    double above = energy(&robot, g);
                    robot.posture.values[i] = at - h;
                    double slope = (above - energy(&robot, g)) / (2 * h);
                    robot.posture.values[i] = at;
                    worst = fmax(worst, fabs(slope - b->efforts[i]) / weight);
                    largest = fmax(largest, fabs(b->efforts[i]) / weight);
                }
                som_statics_destroy(statics);
            }
            robot.m3l = NULL;
            som_free(robot.links);
            som_posture_free(&robot.posture);
            som_mechanism_destroy(robot.mechanism);
            som_configuration_destroy(robot.configuration);
        }
        som_m3l_destroy(m3l);
    }
    ck_assert_double_le(worst, 1e-8);
    ck_assert_double_le(worst_unrest, 1e-12);
    ck_assert_double_ge(largest, 0.01);
}
END_TEST

// ---- standing robots

typedef struct Standing {
    PlacedRobot robot;
    SomContactFinder *finder;
    const SomContacts *contacts;
    SomStatics *statics;
    const SomBalance *balance;
    SomVec3 gravity;
} Standing;

static void stand_again(Standing *s) {
    place_again(&s->robot);
    s->contacts = som_contact_finder_find(s->finder, s->robot.links);
    s->balance = som_statics_solve(s->statics, s->robot.links, s->contacts);
}

static Standing stand(PlacedRobot robot, SomTerrain terrain) {
    SomVec3 down = som_terrain_down(&terrain);
    Standing s = {.robot = robot, .gravity = som_vec3_scale(SOM_STANDARD_GRAVITY, down)};
    s.finder = som_contact_finder_create(robot.mechanism, &terrain, 1e-3);
    s.statics = som_statics_create(&(SomStaticsDef){.mechanism = robot.mechanism, .down = down});
    stand_again(&s);
    return s;
}

static double own_unrest(const Standing *s) {
    return unrest(&s->robot, s->balance, s->contacts, s->gravity);
}

static void leave(Standing *s) {
    som_contact_finder_destroy(s->finder);
    som_statics_destroy(s->statics);
    placed_free(&s->robot);
}

static int dof(const Standing *s, const char *path) {
    int found = som_configuration_find_dof(s->robot.configuration, som_str(path), NULL);
    ck_assert_int_ge(found, 0);
    return found;
}

#define WALKBOT "use \"walkbot.som\"\nconfig A { part w : Walkbot; pose p { w.stand }; start p }"

START_TEST(a_walker_at_rest_shares_its_weight_evenly_and_every_module_stands_still) {
    Standing s = stand(place_text(WALKBOT, "A"), (SomTerrain){0});
    ck_assert(s.balance->is_balanced && s.balance->has_loads && !s.balance->does_slip);
    double weight = s.robot.mechanism->mass * SOM_STANDARD_GRAVITY, sum = 0;
    ck_assert_double_le(own_unrest(&s), 1e-9 * weight);
    for (int i = 0; i < s.contacts->count; i++) {
        sum += s.balance->forces[i].z;
    }
    ck_assert_double_eq_tol(sum, weight, 1e-9 * weight);
    // left and right are mirrored, and legs straight down need no torque in their knees
    double left = s.balance->efforts[dof(&s, "w.front_left.head.left")];
    double right = s.balance->efforts[dof(&s, "w.front_right.head.right")];
    ck_assert_double_eq_tol(fabs(left), fabs(right), 1e-9);
    ck_assert_double_le(fabs(s.balance->efforts[dof(&s, "w.front_left.tail.bend")]), 0.05);
    leave(&s);
}
END_TEST

START_TEST(random_stances_leave_every_module_in_balance) {
    SomTestRandom random = {76};
    Standing s[] = {stand(place_text(WALKBOT, "A"), (SomTerrain){0}),
                    stand(place_text(WALKBOT, "A"), (SomTerrain){.slope = 0.2, .direction = 1}),
                    stand(place_text(WALKBOT, "A"),
                          (SomTerrain){.steps = {{0.05, 0.02}, {0.2, -0.01}}, .step_count = 2})};
    double worst = 0;
    int balanced = 0;
    for (int n = 0; n < som_test_count(300, 20000); n++) {
        Standing *one = &s[n % 3];
        double by = n % 2 == 0 ? 0.02 : 1;
        som_posture_free(&one->robot.posture);
        one->robot.posture = som_posture_start(one->robot.configuration);
        for (int i = 0; i < one->robot.posture.count; i++) {
            one->robot.posture.values[i] += som_test_uniform(&random, -by, by);
        }
        stand_again(one);
        double weight = one->robot.mechanism->mass * SOM_STANDARD_GRAVITY;
        worst = fmax(worst, own_unrest(one) / weight);
        balanced += one->balance->is_balanced;
    }
    ck_assert_double_le(worst, 1e-9);
    ck_assert_int_ge(balanced, 3);
    for (int i = 0; i < 3; i++) {
        leave(&s[i]);
    }
}
END_TEST

// ---- beams and rings

// A link from x = 0 to 1 with a connector and the joint that turns it.
#define BEAM                                                                                       \
    "module A: root=a\n"                                                                           \
    "point l: (point _1: coords=(0, 0, 0.1)) (point _2: coords=(0, 0.1, 0))\n"                     \
    "    coords=(0, 0, 0), connector\n"                                                            \
    "point r: (point _1: coords=(1, 0, 0.1)) (point _2: coords=(1, 0.1, 0))\n"                     \
    "    coords=(1, 0, 0), connector\n"                                                            \
    "link a: grouping=(l), shape=box((0.25, 0, 0), (0.5, 0.2, 0.2)), mass=1kg,\n"                  \
    "    com=(0.25, 0, 0), friction=0.5\n"                                                         \
    "link b: grouping=(r), shape=box((0.75, 0, 0), (0.5, 0.2, 0.2)), mass=1kg,\n"                  \
    "    com=(0.75, 0, 0), friction=0.5\n"                                                         \
    "axis ab: origin=(0.5, 0, 0), direction=(0, 1, 0)\n"                                           \
    "axis aa: origin=(0.5, 0, 0), direction=(0, -1, 0)\n"                                          \
    "joint bend: type=revolute, value=[-3, 3], pair=((b, ab), (a, aa))\n"                          \
    "connection beams: members=(A p, A q), conditions=((p.point x coincident q.point y) and\n"     \
    "    (x._1 coincident y._1) and (x._2 coincident y._2))\n"

static SomConfiguration *beams(const SomM3l *m3l, int count) {
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Beams")});
    for (int i = 0; i < count; i++) {
        test_add_module(b, "m", i + 1, m3l, "A");
        if (i > 0) {
            test_connect(b, i - 1, "r", i, "l", NAN);
        }
    }
    som_builder_set_base(b, &(SomBaseDef){.module = 0, .frame = -1, .position = {0, 0, 3}});
    return test_finish(b);
}

// A cantilever of three beams: moments and shear as in a book.
START_TEST(a_beam_that_sticks_out_bends_by_its_weight_and_length) {
    PlacedRobot robot = {.m3l = som_test_m3l("a.m3l", som_str(BEAM))};
    place_configuration(&robot, beams(robot.m3l, 3));
    SomStatics *statics = som_statics_create(
        &(SomStaticsDef){.mechanism = robot.mechanism, .gravity = 10, .is_held = true});
    const SomBalance *b = som_statics_solve(statics, robot.links, NULL);
    for (int i = 0; i < 2; i++) {
        double length = 2 - i; // beyond this connection, 20 N for each metre
        ck_assert_double_eq_tol(b->connections[i].shear, 20 * length, 1e-12);
        ck_assert_double_eq_tol(b->connections[i].tension, 0, 1e-12);
        ck_assert_double_eq_tol(b->connections[i].bending, 20 * length * length / 2, 1e-12);
    }
    // y is to the left and a positive turn lowers x: to hold it takes a negative torque
    ck_assert_double_eq_tol(b->efforts[0], -20 * 2.5 * 2.5 / 2, 1e-12);
    ck_assert_double_eq_tol(b->missing.force.z, 60, 1e-12);
    som_statics_destroy(statics);

    // hung up by its end, it pulls; upside down, it presses
    for (int sign = -1; sign <= 1; sign += 2) {
        statics = som_statics_create(&(SomStaticsDef){
            .mechanism = robot.mechanism, .gravity = 10, .down = {sign, 0, 0}, .is_held = true});
        b = som_statics_solve(statics, robot.links, NULL);
        ck_assert_double_eq_tol(b->connections[0].tension, sign * 40, 1e-12);
        ck_assert_double_eq_tol(b->connections[0].bending, 0, 1e-12);
        som_statics_destroy(statics);
    }
    placed_free(&robot);
}
END_TEST

// The same forces act whichever way round the connections are written and whoever is the base.
START_TEST(loads_do_not_depend_on_who_is_the_base) {
    SomM3l *m3l = som_test_library("smores");
    SomTestRandom random = {77};
    double worst = 0;
    for (int n = 0; n < 30; n++) {
        SomTestRandom again[2] = {random, random};
        double loads[2][64] = {{0}};
        for (int k = 0; k < 2; k++) {
            SomBuilder *b = test_begin_random(&again[k], m3l, 5);
            som_builder_set_base(b, &(SomBaseDef){.module = k * 3, .frame = -1});
            PlacedRobot robot = {.m3l = m3l};
            place_configuration(&robot, test_finish(b));
            SomPosture posture = test_random_posture(&again[k], robot.configuration);
            som_mechanism_place(robot.mechanism, &posture, robot.links);
            // weigh along an axis of the first module, and take out what holds the base
            SomVec3 down = som_pose_rotate(
                som_mechanism_module_pose(robot.mechanism, robot.links, 0), som_vec3(0, 0, -1));
            SomContact one = {som_mechanism_com(robot.mechanism, robot.links), 0};
            SomContacts contacts = {&one, 1, 0};
            SomStatics *s = som_statics_create(
                &(SomStaticsDef){.mechanism = robot.mechanism, .down = down, .friction = 1e6});
            // a contact right at the centre of mass, on a link of module 0, carries all
            const SomBalance *balance = som_statics_solve(s, robot.links, &contacts);
            for (int i = 0; i < robot.mechanism->dof_count && balance->is_balanced; i++) {
                loads[k][i] = balance->efforts[i];
            }
            for (int i = 0; i < 4 && balance->is_balanced; i++) {
                loads[k][32 + 3 * i] = balance->connections[i].tension;
                loads[k][33 + 3 * i] = balance->connections[i].shear;
                loads[k][34 + 3 * i] = balance->connections[i].bending;
            }
            som_statics_destroy(s);
            som_posture_free(&posture);
            som_free(robot.links);
            som_posture_free(&robot.posture);
            som_mechanism_destroy(robot.mechanism);
            som_configuration_destroy(robot.configuration);
        }
        random = again[0];
        for (int i = 0; i < 64 && loads[0][0] != 0 && loads[1][0] != 0; i++) {
            worst = fmax(worst, fabs(loads[0][i] - loads[1][i]));
        }
    }
    ck_assert_double_le(worst, 1e-6);
    som_m3l_destroy(m3l);
}
END_TEST

// A square ring of four SMORES modules, upright, hung up at the module on top.
static PlacedRobot ring(void) {
    PlacedRobot robot = {.m3l = som_test_library("smores")};
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Ring")});
    int pose = som_builder_add_pose(b, SOM_STR("round"), SOM_STR(""), (SomSpan){0});
    for (int i = 0; i < 8; i++) {
        test_add_module(b, "m", i + 1, robot.m3l, "SMORES");
        som_builder_set_value(b, pose, i, 3, i % 2 == 0 ? SOM_PI / 2 : 0, (SomSpan){0});
    }
    for (int i = 0; i < 8; i++) {
        test_connect(b, i, "B", (i + 1) % 8, "T", 0);
    }
    som_builder_set_start(b, pose);
    som_builder_set_base(b, &(SomBaseDef){.module = 1, .frame = -1, .position = {0, 0, 1}});
    place_configuration(&robot, test_finish(b));
    return robot;
}

START_TEST(a_ring_that_hangs_carries_half_on_each_side) {
    PlacedRobot robot = ring();
    ck_assert_int_eq(robot.mechanism->closure_count, 1);
    SomStatics *s = som_statics_create(
        &(SomStaticsDef){.mechanism = robot.mechanism, .gravity = 10, .is_held = true});
    const SomBalance *b = som_statics_solve(s, robot.links, NULL);
    ck_assert(b->has_loads);
    double weight = 10 * robot.mechanism->mass;
    ck_assert_double_le(unrest(&robot, b, NULL, som_vec3(0, 0, -10)), 1e-9 * weight);
    // both neighbours of the module on top pull nearly alike (its halves are not of one weight)
    double left = b->connections[0].wrench.force.z, right = b->connections[1].wrench.force.z;
    ck_assert_double_eq_tol(fabs(left) + fabs(right), weight * 7 / 8, 1e-6 * weight);
    ck_assert_double_eq_tol(fabs(left), fabs(right), 0.1 * weight);
    som_statics_destroy(s);
    placed_free(&robot);
}
END_TEST

// Cut open anywhere, the ring shares its load in the same way: it is the least there is.
START_TEST(what_a_ring_carries_does_not_depend_on_where_the_tree_is_cut) {
    double sums[8];
    for (int base = 0; base < 8; base++) {
        PlacedRobot robot = {.m3l = som_test_library("smores")};
        SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Ring")});
        int pose = som_builder_add_pose(b, SOM_STR("round"), SOM_STR(""), (SomSpan){0});
        for (int i = 0; i < 8; i++) {
            test_add_module(b, "m", i + 1, robot.m3l, "SMORES");
            som_builder_set_value(b, pose, i, 3, i % 2 == 0 ? SOM_PI / 2 : 0, (SomSpan){0});
        }
        for (int i = 0; i < 8; i++) {
            test_connect(b, i, "B", (i + 1) % 8, "T", 0);
        }
        som_builder_set_start(b, pose);
        som_builder_set_base(b, &(SomBaseDef){.module = base, .frame = -1});
        place_configuration(&robot, test_finish(b));
        // stood on one corner of a link of the third module, wherever the base is
        SomVec3 down = som_pose_rotate(som_mechanism_module_pose(robot.mechanism, robot.links, 2),
                                       som_vec3(0.6, 0, -0.8));
        SomVec3 com = som_mechanism_com(robot.mechanism, robot.links);
        SomContact one = {com, som_mechanism_link_of(robot.mechanism, 2, 0)};
        SomStatics *s = som_statics_create(
            &(SomStaticsDef){.mechanism = robot.mechanism, .down = down, .friction = 1e9});
        const SomBalance *balance = som_statics_solve(s, robot.links, &(SomContacts){&one, 1, 0});
        sums[base] = 0;
        for (int i = 0; i < 8; i++) {
            SomConnectionLoad load = balance->connections[i];
            sums[base] += load.bending + load.shear + fabs(load.tension);
        }
        if (!balance->is_balanced) {
            sums[base] = (double)NAN; // upside down: the ground cannot pull
        }
        som_statics_destroy(s);
        placed_free(&robot);
    }
    int compared = 0;
    for (int i = 1; i < 8; i++) {
        if (!isnan(sums[i]) && !isnan(sums[0])) {
            ck_assert_double_eq_tol(sums[i], sums[0], 1e-6 * sums[0]);
            compared++;
        }
    }
    ck_assert_int_ge(compared, 1);
}
END_TEST

// ---- abuse

START_TEST(robots_without_weight_and_without_numbers_have_answers) {
    PlacedRobot robot = {.m3l = som_test_m3l("a.m3l", som_str(BEAM))};
    place_configuration(&robot, beams(robot.m3l, 2));
    SomContactFinder *finder = som_contact_finder_create(robot.mechanism, NULL, 1e-3);
    SomStatics *s =
        som_statics_create(&(SomStaticsDef){.mechanism = robot.mechanism, .gravity = 1e-300});
    const SomBalance *b =
        som_statics_solve(s, robot.links, som_contact_finder_find(finder, robot.links));
    ck_assert(b->is_balanced && fabs(b->efforts[0]) < 1e-200);
    robot.posture.values[0] = (double)NAN;
    place_again(&robot);
    b = som_statics_solve(s, robot.links, som_contact_finder_find(finder, robot.links));
    ck_assert(!b->is_balanced && !b->has_loads && isnan(b->efforts[0]));
    som_statics_destroy(s);
    som_contact_finder_destroy(finder);
    placed_free(&robot);
}
END_TEST

SOM_SUITE("verify/statics", efforts_of_held_trees_are_slopes_of_the_energy,
          a_walker_at_rest_shares_its_weight_evenly_and_every_module_stands_still,
          random_stances_leave_every_module_in_balance,
          a_beam_that_sticks_out_bends_by_its_weight_and_length,
          loads_do_not_depend_on_who_is_the_base, a_ring_that_hangs_carries_half_on_each_side,
          what_a_ring_carries_does_not_depend_on_where_the_tree_is_cut,
          robots_without_weight_and_without_numbers_have_answers)
