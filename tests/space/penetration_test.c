// SPDX-License-Identifier: Apache-2.0
// Distances and depths of polyhedra against all their vertices, edges and faces.

#include "space/distance.h"
#include "tests/space/shapes.h"

#include <stddef.h>

static SomShape hull(const SomVec3 *points, int count) {
    SomShape shape;
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert(som_shape_hull(&shape, points, count, (SomSpan){0}, diags));
    som_diagnostics_destroy(diags);
    return shape;
}

// How far the shapes are apart along a unit direction.
static double apart_along(const SomShape *a, SomPose pose_a, const SomShape *b, SomPose pose_b,
                          SomVec3 n) {
    SomVec3 back = som_vec3_scale(-1, n);
    SomVec3 top = som_pose_apply(pose_a, som_shape_support(a, som_pose_rotate_inverse(pose_a, n)));
    SomVec3 low =
        som_pose_apply(pose_b, som_shape_support(b, som_pose_rotate_inverse(pose_b, back)));
    return som_vec3_dot(n, som_vec3_sub(low, top));
}

typedef struct Mesh {
    SomVec3 points[64];
    int triangles[128][3];
    int point_count, triangle_count;
} Mesh;

static Mesh mesh_of(const SomShape *shape, SomPose pose) {
    Mesh mesh = {.point_count = 0};
    if (shape->kind == SOM_SHAPE_HULL) {
        for (int i = 0; i < shape->hull->vertex_count; i++) {
            mesh.points[mesh.point_count++] = som_pose_apply(pose, shape->hull->vertices[i]);
        }
        for (int i = 0; i < 3 * shape->hull->triangle_count; i++) {
            mesh.triangles[i / 3][i % 3] = shape->hull->triangles[i];
        }
        mesh.triangle_count = shape->hull->triangle_count;
        return mesh;
    }
    static const int quads[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
    for (int i = 0; i < 8; i++) {
        SomVec3 h = shape->half;
        SomVec3 corner = som_vec3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
        mesh.points[mesh.point_count++] = som_pose_apply(pose, corner);
    }
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 2; k++) {
            int *t = mesh.triangles[mesh.triangle_count++];
            t[0] = quads[i][0];
            t[1] = quads[i][1 + k];
            t[2] = quads[i][2 + k];
        }
    }
    return mesh;
}

static double clamp01(double t) {
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

static double point_to_edge(SomVec3 p, SomVec3 a, SomVec3 b) {
    SomVec3 ab = som_vec3_sub(b, a);
    double t = clamp01(som_vec3_dot(som_vec3_sub(p, a), ab) / som_vec3_dot(ab, ab));
    return som_vec3_length(som_vec3_sub(p, som_vec3_add(a, som_vec3_scale(t, ab))));
}

static double edge_to_edge(SomVec3 a, SomVec3 b, SomVec3 c, SomVec3 d) {
    SomVec3 u = som_vec3_sub(b, a), v = som_vec3_sub(d, c), w = som_vec3_sub(a, c);
    double uu = som_vec3_dot(u, u), uv = som_vec3_dot(u, v), vv = som_vec3_dot(v, v);
    double det = uu * vv - uv * uv;
    double best = fmin(fmin(point_to_edge(a, c, d), point_to_edge(b, c, d)),
                       fmin(point_to_edge(c, a, b), point_to_edge(d, a, b)));
    if (det > 0) {
        double s = (uv * som_vec3_dot(v, w) - vv * som_vec3_dot(u, w)) / det;
        double t = (uu * som_vec3_dot(v, w) - uv * som_vec3_dot(u, w)) / det;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
            SomVec3 n = som_vec3_cross(u, v);
            best = fmin(best, fabs(som_vec3_dot(n, w)) / som_vec3_length(n));
        }
    }
    return best;
}

// To the inside of a triangle; its edges are tried elsewhere.
static double point_to_face(SomVec3 p, SomVec3 a, SomVec3 b, SomVec3 c) {
    SomVec3 n = som_vec3_cross(som_vec3_sub(b, a), som_vec3_sub(c, a));
    const SomVec3 corners[] = {a, b, c, a};
    for (int i = 0; i < 3; i++) {
        SomVec3 edge = som_vec3_sub(corners[i + 1], corners[i]);
        if (som_vec3_dot(som_vec3_cross(n, edge), som_vec3_sub(p, corners[i])) < 0) {
            return HUGE_VAL;
        }
    }
    return fabs(som_vec3_dot(n, som_vec3_sub(p, a))) / som_vec3_length(n);
}

static double feature_distance(const Mesh *a, const Mesh *b) {
    double best = HUGE_VAL;
    for (int i = 0; i < a->triangle_count; i++) {
        const int *s = a->triangles[i];
        for (int j = 0; j < b->triangle_count; j++) {
            const int *t = b->triangles[j];
            for (int k = 0; k < 9; k++) {
                best = fmin(best, edge_to_edge(a->points[s[k % 3]], a->points[s[(k + 1) % 3]],
                                               b->points[t[k / 3]], b->points[t[(k / 3 + 1) % 3]]));
            }
            for (int k = 0; k < 3; k++) {
                best = fmin(best, point_to_face(a->points[s[k]], b->points[t[0]], b->points[t[1]],
                                                b->points[t[2]]));
                best = fmin(best, point_to_face(b->points[t[k]], a->points[s[0]], a->points[s[1]],
                                                a->points[s[2]]));
            }
        }
    }
    return best;
}

// The least overlap over the directions of all faces and pairs of edges, which is exact.
static double feature_depth(const SomShape *a, SomPose pose_a, const SomShape *b, SomPose pose_b) {
    Mesh mesh[2] = {mesh_of(a, pose_a), mesh_of(b, pose_b)};
    SomVec3 edges[2][3 * 128], normals[2 * 128];
    int edge_count[2] = {0, 0}, normal_count = 0;
    for (int m = 0; m < 2; m++) {
        for (int i = 0; i < mesh[m].triangle_count; i++) {
            const int *t = mesh[m].triangles[i];
            SomVec3 p = mesh[m].points[t[0]], q = mesh[m].points[t[1]], r = mesh[m].points[t[2]];
            edges[m][edge_count[m]++] = som_vec3_sub(q, p);
            edges[m][edge_count[m]++] = som_vec3_sub(r, q);
            edges[m][edge_count[m]++] = som_vec3_sub(p, r);
            normals[normal_count++] = som_vec3_cross(som_vec3_sub(q, p), som_vec3_sub(r, p));
        }
    }
    double best = HUGE_VAL;
    for (int i = 0; i < normal_count + edge_count[0] * edge_count[1]; i++) {
        int k = i - normal_count;
        SomVec3 n = i < normal_count
                        ? normals[i]
                        : som_vec3_cross(edges[0][k % edge_count[0]], edges[1][k / edge_count[0]]);
        double length = som_vec3_length(n);
        if (length > 1e-9) {
            n = som_vec3_scale(1 / length, n);
            best = fmin(best, -apart_along(a, pose_a, b, pose_b, n));
            best = fmin(best, -apart_along(a, pose_a, b, pose_b, som_vec3_scale(-1, n)));
        }
    }
    return best;
}

static SomShape small_polyhedron(SomTestRandom *random, int which) {
    if (which == 0) {
        return random_shape(random, SOM_SHAPE_BOX);
    }
    SomVec3 points[12];
    for (int i = 0; i < 12; i++) {
        points[i] = som_vec3_scale(0.5, random_direction(random));
    }
    return hull(points, which == 1 ? 4 : 12);
}

START_TEST(polyhedra_have_the_distance_of_their_features) {
    SomTestRandom random = {5};
    int apart = 0, count = som_test_count(600, 20000);
    for (int k = 0; k < count; k++) {
        SomShape a = small_polyhedron(&random, k % 3), b = small_polyhedron(&random, k / 3 % 3);
        SomPose pose_a = random_pose(&random, 0.2), pose_b = random_pose(&random, 0.8);
        Mesh mesh_a = mesh_of(&a, pose_a), mesh_b = mesh_of(&b, pose_b);
        SomDistance d = som_shape_distance(&a, pose_a, &b, pose_b);
        if (d.distance > 0) {
            ck_assert_double_eq_tol(d.distance, feature_distance(&mesh_a, &mesh_b), 1e-12);
            apart++;
        } else {
            ck_assert_double_eq_tol(-d.distance, feature_depth(&a, pose_a, &b, pose_b), 1e-10);
        }
        som_shape_free(&a);
        som_shape_free(&b);
    }
    ck_assert_int_gt(apart, count / 4);
    ck_assert_int_lt(apart, count * 3 / 4);
}
END_TEST

SOM_SUITE("space/penetration", polyhedra_have_the_distance_of_their_features)
