// SPDX-License-Identifier: Apache-2.0
#include "tests/space/shapes.h"

#include "base/memory.h"

#define PI 3.14159265358979323846

SomVec3 random_vec3(SomTestRandom *random, double low, double high) {
    double x = som_test_uniform(random, low, high);
    double y = som_test_uniform(random, low, high);
    double z = som_test_uniform(random, low, high);
    return som_vec3(x, y, z);
}

SomVec3 random_direction(SomTestRandom *random) {
    for (;;) {
        SomVec3 v = random_vec3(random, -1, 1);
        double length = som_vec3_length(v);
        if (length > 0.1 && length < 1) {
            return som_vec3_scale(1 / length, v);
        }
    }
}

SomPose random_pose(SomTestRandom *random, double reach) {
    SomVec3 axis = random_direction(random);
    double angle = som_test_uniform(random, 0, PI);
    return (SomPose){som_rotation_exp(som_vec3_scale(angle, axis)),
                     random_vec3(random, -reach, reach)};
}

static SomShape hull_of(const SomVec3 *points, int count) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomShape shape;
    ck_assert(som_shape_hull(&shape, points, count, (SomSpan){0}, diags));
    som_diagnostics_destroy(diags);
    return shape;
}

SomShape random_shape(SomTestRandom *random, SomShapeKind kind) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomSpan none = {0};
    SomShape shape;
    SomVec3 sizes = random_vec3(random, 0.1, 1);
    bool good = true;
    switch (kind) {
    case SOM_SHAPE_BOX:
        good = som_shape_box(&shape, sizes, none, diags);
        break;
    case SOM_SHAPE_CYLINDER:
        good = som_shape_cylinder(&shape, sizes.x, sizes.y, none, diags);
        break;
    case SOM_SHAPE_SPHERE:
        good = som_shape_sphere(&shape, sizes.x, none, diags);
        break;
    case SOM_SHAPE_CAPSULE:
        good = som_shape_capsule(&shape, sizes.x, sizes.y, none, diags);
        break;
    case SOM_SHAPE_HULL: {
        SomVec3 points[24];
        int count = som_test_int(random, 4, 24);
        for (int i = 0; i < count; i++) {
            points[i] = random_vec3(random, -0.5, 0.5);
        }
        shape = hull_of(points, count);
        break;
    }
    case SOM_SHAPE_COMPOUND: {
        SomShapePart parts[3];
        for (int i = 0; i < 3; i++) {
            parts[i].shape = random_shape(random, (SomShapeKind)som_test_int(random, 0, 4));
            parts[i].pose = random_pose(random, 0.5);
        }
        shape = som_shape_compound(parts, 3);
        break;
    }
    }
    ck_assert(good);
    som_diagnostics_destroy(diags);
    return shape;
}

SomShape tessellated_sphere(double radius, int rings, int around) {
    SOM_ARRAY(SomVec3) points = {0};
    som_array_push(&points, som_vec3(0, 0, radius));
    som_array_push(&points, som_vec3(0, 0, -radius));
    for (int i = 1; i < rings; i++) {
        double polar = PI * i / rings;
        for (int j = 0; j < around; j++) {
            double turn = 2 * PI * j / around;
            SomVec3 point = som_vec3(sin(polar) * cos(turn), sin(polar) * sin(turn), cos(polar));
            som_array_push(&points, som_vec3_scale(radius, point));
        }
    }
    SomShape shape = hull_of(points.data, points.count);
    som_array_free(&points);
    return shape;
}

SomShape tessellated_cylinder(double radius, double length, int around) {
    SOM_ARRAY(SomVec3) points = {0};
    for (int j = 0; j < around; j++) {
        double turn = 2 * PI * j / around;
        double x = radius * cos(turn), y = radius * sin(turn);
        som_array_push(&points, som_vec3(x, y, length / 2));
        som_array_push(&points, som_vec3(x, y, -length / 2));
    }
    SomShape shape = hull_of(points.data, points.count);
    som_array_free(&points);
    return shape;
}
