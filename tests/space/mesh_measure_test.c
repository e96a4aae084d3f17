// SPDX-License-Identifier: Apache-2.0
// Tests for space/mesh_measure.c.

#include "base/codes/space_codes.h"
#include "tests/space/mesh_files.h"

START_TEST(bounds_hold_all_vertices_and_are_reached) {
    SomMesh sphere = make_sphere(20, 0.5, som_vec3(1, 2, 3));
    SomBounds bounds = som_mesh_bounds(&sphere);
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

// What som_mesh_inertia reports first; the mass is for a density of 1.
static SomCode inertia_code(const SomMesh *mesh, SomInertia *inertia) {
    SomDiagnostics *diags = som_diagnostics_create();
    bool good = som_mesh_inertia(mesh, SOM_STR("a.stl"), 1, (SomSpan){0}, inertia, diags);
    ck_assert_int_eq(som_diagnostics_error_count(diags), good ? 0 : 1);
    int count = 0;
    const SomDiagnostic *reports = som_diagnostics_get(diags, &count);
    SomCode code = count > 0 ? reports[0].code : SOM_NO_CODE;
    som_diagnostics_destroy(diags);
    return code;
}

static void check_unit_cube(SomInertia inertia) {
    ck_assert_double_eq_tol(inertia.mass, 1, 1e-15);
    ck_assert_double_eq_tol(inertia.center.x, 0.5, 1e-15);
    ck_assert_double_eq_tol(inertia.center.z, 0.5, 1e-15);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            ck_assert_double_eq_tol(inertia.moments.m[i][k], i == k ? 1.0 / 6 : 0, 1e-15);
        }
    }
}

START_TEST(a_cube_has_the_mass_of_a_cube_in_every_format) {
    SomMesh shape = cube();
    for (int i = 0; i < MESH_FILE_COUNT; i++) {
        SomText file = {0};
        SomMesh mesh = {0};
        write_mesh_file(&file, i, &shape);
        SomStr bytes = som_text_str(&file);
        SomCode code = read_file(bytes, mesh_files[i].name, &(SomMeshOptions){0}, &mesh);
        if (code != SOM_MESH_FORMAT_NOT_BUILT) {
            SomInertia inertia = {0};
            ck_assert_int_eq(inertia_code(&mesh, &inertia), SOM_NO_CODE);
            check_unit_cube(inertia);
        }
        som_mesh_free(&mesh);
        som_text_free(&file);
    }
}
END_TEST

START_TEST(a_fine_sphere_has_nearly_the_mass_of_a_ball) {
    double radius = 0.1, volume = 4.0 / 3 * 3.141592653589793 * radius * radius * radius;
    SomMesh sphere = make_sphere(100, radius, som_vec3(1, 2, 3));
    SomInertia inertia = {0};
    ck_assert_int_eq(inertia_code(&sphere, &inertia), SOM_NO_CODE);
    ck_assert_double_eq_tol(inertia.mass / volume, 1, 1e-3);
    ck_assert_double_lt(inertia.mass, volume); // its corners lie on the ball
    ck_assert_double_eq_tol(inertia.moments.m[0][0] / (0.4 * volume * radius * radius), 1, 2e-3);
    ck_assert_double_le(som_vec3_length(som_vec3_sub(inertia.center, som_vec3(1, 2, 3))), 1e-12);
    som_mesh_free(&sphere);
}
END_TEST

START_TEST(a_mesh_inside_out_is_turned_with_a_warning) {
    int32_t triangles[36];
    for (int i = 0; i < 36; i++) {
        triangles[i] = cube_triangles[35 - i];
    }
    SomMesh shape = cube();
    shape.triangles = triangles;
    SomInertia inertia = {0};
    ck_assert_int_eq(inertia_code(&shape, &inertia), SOM_MESH_INSIDE_OUT);
    check_unit_cube(inertia);
}
END_TEST

START_TEST(a_mesh_that_is_open_or_mixed_has_the_mass_of_its_hull) {
    SomMesh shape = cube();
    SomInertia inertia = {0};
    shape.triangle_count = 9; // the vertices are all there
    ck_assert_int_eq(inertia_code(&shape, &inertia), SOM_MESH_NOT_SOLID);
    check_unit_cube(inertia);

    int32_t triangles[36];
    memcpy(triangles, cube_triangles, sizeof triangles);
    triangles[0] = cube_triangles[1];
    triangles[1] = cube_triangles[0];
    shape = cube();
    shape.triangles = triangles;
    ck_assert_int_eq(inertia_code(&shape, &inertia), SOM_MESH_NOT_SOLID);
    check_unit_cube(inertia);
}
END_TEST

START_TEST(a_flat_mesh_has_no_mass) {
    // a square seen from both sides is closed, but encloses nothing, and neither does its hull
    int32_t triangles[] = {0, 1, 2, 0, 2, 3, 0, 2, 1, 0, 3, 2};
    SomMesh shape = {
        .vertices = cube_vertices, .triangles = triangles, .vertex_count = 4, .triangle_count = 4};
    SomInertia inertia = {0};
    ck_assert_int_eq(inertia_code(&shape, &inertia), SOM_HULL_FLAT);
}
END_TEST

// Two parallel squares of `side` x `side` vertices each, and nothing between.
static SomMesh make_plates(int side) {
    SomMesh mesh = {.vertex_count = 2 * side * side};
    mesh.vertices = som_alloc((size_t)mesh.vertex_count * sizeof *mesh.vertices);
    for (int i = 0; i < mesh.vertex_count; i++) {
        mesh.vertices[i] = som_vec3((double)(i % side) / (side - 1),
                                    (double)(i / side % side) / (side - 1), i / side / side);
    }
    return mesh;
}

START_TEST(a_mesh_with_more_vertices_than_a_hull_takes_has_one) {
    SomMesh plates = make_plates(400);
    ck_assert_int_gt(plates.vertex_count, SOM_HULL_MAX_POINTS);
    SomDiagnostics *diags = som_diagnostics_create();
    SomHull *hull = som_mesh_hull(&plates, SOM_STR("a.stl"), (SomSpan){0}, diags);
    ck_assert_ptr_nonnull(hull);
    ck_assert_int_eq(hull->vertex_count, 8);
    ck_assert_int_eq(hull->plane_count, 6);
    som_hull_destroy(hull);
    som_mesh_free(&plates);

    // of a sphere all vertices are corners of the hull: that is too many
    SomMesh sphere = make_sphere(320, 1, som_vec3(0, 0, 0));
    ck_assert_ptr_null(som_mesh_hull(&sphere, SOM_STR("ball.stl"), (SomSpan){0}, diags));
    ck_assert(som_diagnostics_has(diags, SOM_HULL_TOO_MANY_POINTS));
    SomText text = {0};
    som_diagnostics_print(diags, 0, &text);
    ck_assert_ptr_nonnull(strstr(text.data, "note: the points are those of mesh 'ball.stl'"));
    som_text_free(&text);
    som_mesh_free(&sphere);
    som_diagnostics_destroy(diags);
}
END_TEST

SOM_SUITE("space/mesh_measure", bounds_hold_all_vertices_and_are_reached,
          a_cube_is_closed_and_oriented, a_cube_without_a_triangle_is_open_along_three_edges,
          a_cube_with_a_turned_triangle_is_closed_but_not_oriented,
          two_bodies_that_share_an_edge_are_closed, a_cube_has_the_mass_of_a_cube_in_every_format,
          a_fine_sphere_has_nearly_the_mass_of_a_ball, a_mesh_inside_out_is_turned_with_a_warning,
          a_mesh_that_is_open_or_mixed_has_the_mass_of_its_hull, a_flat_mesh_has_no_mass,
          a_mesh_with_more_vertices_than_a_hull_takes_has_one)
