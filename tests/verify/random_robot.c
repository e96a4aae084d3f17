// SPDX-License-Identifier: Apache-2.0

#include "tests/verify/random_robot.h"

#include "base/memory.h"
#include "tests/space/shapes.h"
#include "verify/batch.h"

#define LINKS 4

static SomShape scaled_shape(SomTestRandom *random, double scale) {
    SomShape shape;
    SomDiagnostics *diags = som_diagnostics_create();
    SomVec3 size = som_vec3_scale(scale, random_vec3(random, 0.1, 1));
    SomSpan none = {0};
    bool good = false;
    switch (som_test_int(random, 0, 4)) {
    case 0:
        good = som_shape_box(&shape, size, none, diags);
        break;
    case 1:
        good = som_shape_cylinder(&shape, size.x / 2, size.y, none, diags);
        break;
    case 2:
        good = som_shape_sphere(&shape, size.x / 2, none, diags);
        break;
    case 3:
        good = som_shape_capsule(&shape, size.x / 3, size.y, none, diags);
        break;
    default: {
        // off its origin, and now and then with more vertices than the kernel looks at
        SomVec3 points[400];
        int count = som_test_int(random, 0, 9) == 0 ? 400 : som_test_int(random, 4, 40);
        SomVec3 middle = som_vec3_scale(scale, random_vec3(random, -0.3, 0.3));
        for (int i = 0; i < count; i++) {
            SomVec3 d = random_direction(random);
            d = som_vec3(size.x / 2 * d.x, size.y / 2 * d.y, size.z / 2 * d.z);
            points[i] = som_vec3_add(middle, d);
        }
        good = som_shape_hull(&shape, points, count, none, diags);
    }
    }
    ck_assert(good);
    som_diagnostics_destroy(diags);
    return shape;
}

static SomModuleLink *random_link(SomTestRandom *random, SomArena *arena, double scale) {
    SomModuleLink *link = som_arena_new(arena, SomModuleLink, 1);
    link->part_count = som_test_int(random, 0, 5) == 0 ? 0 : som_test_int(random, 1, 2);
    SomShapePart *parts = som_arena_new(arena, SomShapePart, 2);
    for (int i = 0; i < link->part_count; i++) {
        parts[i].shape = scaled_shape(random, scale);
        parts[i].pose = random_pose(random, 0.2 * scale);
    }
    link->parts = parts;
    link->inertia.mass = som_test_uniform(random, 0, 1);
    link->inertia.center = som_vec3_scale(scale, random_vec3(random, -0.2, 0.2));
    return link;
}

RandomRobot *random_robot(SomTestRandom *random, int modules, double scale) {
    RandomRobot *robot = som_alloc(sizeof *robot);
    SomMechanism *m = &robot->mechanism;
    int count = modules * LINKS;
    SomMechanismLink *links = som_arena_new(&m->arena, SomMechanismLink, count);
    SomMechanismJoint *joints = som_arena_new(&m->arena, SomMechanismJoint, count);
    int *order = som_arena_new(&m->arena, int, count);
    robot->configuration.module_count = modules;
    m->configuration = &robot->configuration;
    m->base = random_pose(random, 3 * scale);
    for (int i = 0; i < count; i++) {
        links[i] = (SomMechanismLink){.module = i / LINKS,
                                      .module_link = i % LINKS,
                                      .link = random_link(random, &m->arena, scale),
                                      .parent = -1,
                                      .dof = -1,
                                      .connection = -1,
                                      .type = SOM_JOINT_FIXED,
                                      .sign = 1,
                                      .frame = som_pose_identity()};
        m->mass += links[i].link->inertia.mass;
        order[i] = i;
        if (i == 0) {
            continue;
        }
        links[i].parent = som_test_int(random, i > 4 ? i - 4 : 0, i - 1);
        links[i].frame = random_pose(random, 0.6 * scale);
        if (i % LINKS == 0 || som_test_int(random, 0, 5) == 0) {
            links[i].connection = 0;
            continue;
        }
        links[i].dof = m->dof_count;
        links[i].type = som_test_int(random, 0, 5) == 0 ? SOM_JOINT_PRISMATIC : SOM_JOINT_REVOLUTE;
        links[i].sign = som_test_int(random, 0, 1) ? 1 : -1;
        joints[m->dof_count++] = (SomMechanismJoint){.child = i, .parent = links[i].parent};
    }
    m->links = links;
    m->link_count = count;
    m->order = order;
    m->joints = joints;
    return robot;
}

void random_robot_free(RandomRobot *robot) {
    for (int i = 0; i < robot->mechanism.link_count; i++) {
        const SomModuleLink *link = robot->mechanism.links[i].link;
        for (int k = 0; k < link->part_count; k++) {
            SomShape shape = link->parts[k].shape;
            som_shape_free(&shape);
        }
    }
    som_arena_free(&robot->mechanism.arena);
    som_free(robot);
}

void random_values(SomTestRandom *random, const SomMechanism *m, bool is_motion, double scale,
                   double *values) {
    for (int i = 0; i < m->dof_count; i++) {
        double reach = m->links[m->joints[i].child].type == SOM_JOINT_PRISMATIC ? 0.3 * scale : 3;
        double at = som_test_uniform(random, -reach, reach);
        double by = som_test_uniform(random, -reach, reach) / 30;
        for (int lane = 0; lane < SOM_BATCH; lane++) {
            values[i * SOM_BATCH + lane] =
                is_motion ? at + lane * by : som_test_uniform(random, -reach, reach);
        }
    }
}
