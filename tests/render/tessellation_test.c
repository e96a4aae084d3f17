// SPDX-License-Identifier: Apache-2.0

#include "render/tessellation.h"
#include "space/trigonometry.h"
#include "tests/space/shapes.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static SomVec3 vec(const float v[3]) {
    return som_vec3((double)v[0], (double)v[1], (double)v[2]);
}

static SomVec3 corner(const SomTessellation *solid, int i) {
    return vec(solid->vertices.data[solid->triangles.data[i]].position);
}

static double volume_of(const SomTessellation *solid) {
    double sum = 0;
    for (int i = 0; i < solid->triangles.count; i += 3) {
        sum += som_vec3_dot(corner(solid, i),
                            som_vec3_cross(corner(solid, i + 1), corner(solid, i + 2))) /
               6;
    }
    return sum;
}

static int crease_count(const SomTessellation *solid) {
    int count = 0;
    for (int i = 0; i < solid->edges.count; i++) {
        count += solid->edges.data[i].is_crease ? 1 : 0;
    }
    return count;
}

// Normals have length 1 and agree with the face they belong to.
static double worst_normal(const SomTessellation *solid) {
    double worst = 0;
    for (int i = 0; i < solid->triangles.count; i++) {
        int t = i - i % 3;
        SomVec3 face = som_vec3_cross(som_vec3_sub(corner(solid, t + 1), corner(solid, t)),
                                      som_vec3_sub(corner(solid, t + 2), corner(solid, t)));
        SomVec3 normal = vec(solid->vertices.data[solid->triangles.data[i]].normal);
        worst = fmax(worst, fabs(som_vec3_length(normal) - 1));
        double cosine = som_vec3_dot(face, normal) / som_vec3_length(face);
        worst = fmax(worst, cosine < 0.8 ? 1 : 0);
    }
    return worst;
}

START_TEST(every_kind_encloses_its_volume) {
    SomTestRandom random = {1};
    double worst_volume = 0, worst = 0;
    for (int kind = SOM_SHAPE_BOX; kind <= SOM_SHAPE_HULL; kind++) {
        for (int i = 0; i < 20; i++) {
            SomShape shape = random_shape(&random, (SomShapeKind)kind);
            SomTessellation solid = {0};
            som_tessellate_shape(&shape, 96, &solid);
            double exact = som_shape_inertia(&shape, 1).mass;
            worst_volume = fmax(worst_volume, fabs(volume_of(&solid) / exact - 1));
            worst = fmax(worst, worst_normal(&solid));
            som_tessellation_free(&solid);
            som_shape_free(&shape);
        }
    }
    ck_assert_double_le(worst_volume, 0.004);
    ck_assert_double_le(worst, 1e-6);
}
END_TEST

START_TEST(a_box_has_flat_sides_and_twelve_edges) {
    SomShape box = {.kind = SOM_SHAPE_BOX, .half = {1, 2, 3}};
    SomTessellation solid = {0};
    som_tessellate_shape(&box, 12, &solid);
    ck_assert_int_eq(solid.vertices.count, 24);
    ck_assert_int_eq(solid.triangles.count, 36);
    ck_assert_int_eq(solid.edges.count, 12);
    ck_assert_int_eq(crease_count(&solid), 12);
    som_tessellation_free(&solid);
}
END_TEST

START_TEST(a_cylinder_has_two_rims_and_a_smooth_side) {
    SomShape cylinder = {.kind = SOM_SHAPE_CYLINDER, .radius = 1, .half_length = 0.5};
    SomTessellation solid = {0};
    for (int around = 12; around <= 96; around *= 2) {
        som_tessellate_shape(&cylinder, around, &solid);
        ck_assert_int_eq(crease_count(&solid), 2 * around);
        ck_assert_int_eq(solid.edges.count, 3 * around); // silhouettes, one a side
        double worst = 0;
        for (int i = 0; i < solid.vertices.count; i++) {
            SomVec3 n = vec(solid.vertices.data[i].normal);
            SomVec3 p = vec(solid.vertices.data[i].position);
            // up or down, or outwards exactly
            worst = fmax(worst, fmin(1 - fabs(n.z), 1 - (n.x * p.x + n.y * p.y)));
        }
        ck_assert_double_le(worst, 1e-6);
    }
    som_tessellation_free(&solid);
}
END_TEST

START_TEST(a_sphere_is_smooth_all_over) {
    SomShape sphere = {.kind = SOM_SHAPE_SPHERE, .radius = 2};
    SomTessellation solid = {0};
    som_tessellate_shape(&sphere, 48, &solid);
    ck_assert_int_eq(crease_count(&solid), 0);
    double worst = 0;
    for (int i = 0; i < solid.vertices.count; i++) {
        SomVec3 p = vec(solid.vertices.data[i].position), n = vec(solid.vertices.data[i].normal);
        worst = fmax(worst, fabs(som_vec3_length(p) - 2));
        worst = fmax(worst, 1 - som_vec3_dot(p, n) / 2);
    }
    ck_assert_double_le(worst, 1e-3);
    som_tessellation_free(&solid);
}
END_TEST

START_TEST(a_border_is_always_an_edge) {
    SomVec3 vertices[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    int32_t triangles[] = {0, 1, 2, 0, 2, 3};
    SomMesh mesh = {
        .vertices = vertices, .triangles = triangles, .vertex_count = 4, .triangle_count = 2};
    SomTessellation solid = {0};
    som_tessellate_mesh(&mesh, &solid);
    ck_assert_int_eq(solid.edges.count, 4); // not the diagonal
    ck_assert_int_eq(crease_count(&solid), 4);
    ck_assert_int_eq(solid.vertices.count, 4);
    som_tessellation_free(&solid);
}
END_TEST

// Comparing all pairs of faces at the hub would take minutes.
START_TEST(a_hub_of_many_faces_takes_no_time) {
    enum { FACES = 60000 };
    SomVec3 *vertices = som_alloc((FACES + 1) * sizeof *vertices);
    int32_t *triangles = som_alloc((size_t)3 * FACES * sizeof *triangles);
    vertices[FACES] = som_vec3(0, 0, 0.2);
    for (int i = 0; i < FACES; i++) {
        double s, c;
        som_sincos(2 * SOM_PI * i / FACES, &s, &c);
        vertices[i] = som_vec3(c, s, 0.1 * (i % 2));
        triangles[3 * i] = FACES;
        triangles[3 * i + 1] = i;
        triangles[3 * i + 2] = (i + 1) % FACES;
    }
    SomMesh mesh = {.vertices = vertices,
                    .triangles = triangles,
                    .vertex_count = FACES + 1,
                    .triangle_count = FACES};
    SomTessellation solid = {0};
    som_tessellate_mesh(&mesh, &solid);
    ck_assert_int_eq(solid.triangles.count, 3 * FACES);
    ck_assert_int_le(solid.vertices.count, 3 * FACES);
    som_tessellation_free(&solid);
    som_free(vertices);
    som_free(triangles);
}
END_TEST

SOM_SUITE("render/tessellation", every_kind_encloses_its_volume,
          a_box_has_flat_sides_and_twelve_edges, a_cylinder_has_two_rims_and_a_smooth_side,
          a_sphere_is_smooth_all_over, a_border_is_always_an_edge,
          a_hub_of_many_faces_takes_no_time)
