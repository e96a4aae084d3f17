// SPDX-License-Identifier: Apache-2.0
// Tests for space/mesh_measure.c.

#include "tests/space/mesh_files.h"

START_TEST(bounds_hold_all_vertices_and_are_reached) {
    SomMesh sphere = make_sphere(20, 0.5, som_vec3(1, 2, 3));
    SomMeshBounds bounds = som_mesh_bounds(&sphere);
    ck_assert_double_eq(bounds.low.z, 2.5);
    ck_assert_double_eq(bounds.high.z, 3.5);
    ck_assert_double_eq_tol(bounds.low.x, 0.5, 1e-12);
    ck_assert_double_eq_tol(bounds.high.y, 2.5, 1e-12);
    som_mesh_free(&sphere);
}
END_TEST

START_TEST(a_cube_is_closed_and_oriented) {
    SomMesh shape = cube();
    SomMeshTopology topology = som_mesh_topology(&shape);
    ck_assert(topology.is_closed && topology.is_oriented);
    ck_assert_int_eq(topology.open_edges, 0);
    ck_assert_int_eq(topology.mixed_edges, 0);
}
END_TEST

START_TEST(a_cube_without_a_triangle_is_open_along_three_edges) {
    SomMesh shape = cube();
    shape.triangle_count--;
    SomMeshTopology topology = som_mesh_topology(&shape);
    ck_assert(!topology.is_closed && topology.is_oriented);
    ck_assert_int_eq(topology.open_edges, 3);
}
END_TEST

START_TEST(a_cube_with_a_turned_triangle_is_closed_but_not_oriented) {
    int32_t triangles[36];
    memcpy(triangles, cube_triangles, sizeof triangles);
    triangles[0] = cube_triangles[1];
    triangles[1] = cube_triangles[0];
    SomMesh shape = cube();
    shape.triangles = triangles;
    SomMeshTopology topology = som_mesh_topology(&shape);
    ck_assert(topology.is_closed && !topology.is_oriented);
    ck_assert_int_eq(topology.mixed_edges, 3);
}
END_TEST

START_TEST(two_bodies_that_share_an_edge_are_closed) {
    // tetrahedra on both sides of the edge 0-1, which four triangles meet
    int32_t triangles[] = {0, 1, 2, 1, 0, 3, 0, 2, 3, 1, 3, 2, 1, 0, 4, 0, 1, 5, 0, 5, 4, 1, 4, 5};
    SomMesh shape = {.triangles = triangles, .vertex_count = 6, .triangle_count = 8};
    SomMeshTopology topology = som_mesh_topology(&shape);
    ck_assert_int_eq(topology.open_edges, 0);
    ck_assert_int_eq(topology.mixed_edges, 0);
}
END_TEST

SOM_SUITE("space/mesh_measure", bounds_hold_all_vertices_and_are_reached,
          a_cube_is_closed_and_oriented, a_cube_without_a_triangle_is_open_along_three_edges,
          a_cube_with_a_turned_triangle_is_closed_but_not_oriented,
          two_bodies_that_share_an_edge_are_closed)
