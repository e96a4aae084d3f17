// SPDX-License-Identifier: Apache-2.0
// Tests for space/mesh_build.c: vertices merged, polygons cut.

#include "tests/space/mesh_files.h"

static const SomMeshOptions plain = {0};

static double area_of(const SomMesh *mesh, int triangle, SomVec3 *normal) {
    SomVec3 a = corner_of(mesh, triangle, 0);
    *normal = som_vec3_cross(som_vec3_sub(corner_of(mesh, triangle, 1), a),
                             som_vec3_sub(corner_of(mesh, triangle, 2), a));
    return som_vec3_length(*normal) / 2;
}

// An OBJ file with one face.
static void write_polygon(SomText *file, const SomVec3 *corners, int count) {
    for (int i = 0; i < count; i++) {
        som_text_add(file, SOM_STR("v "));
        add_point(file, corners[i], "\n");
    }
    som_text_add(file, SOM_STR("f"));
    for (int i = 0; i < count; i++) {
        som_text_printf(file, " %d", i + 1);
    }
    som_text_add(file, SOM_STR("\n"));
}

// A star with `count` corners, alternately at radius 1 and `inner`, in a tilted plane.
static void make_star(SomVec3 *corners, int count, double inner) {
    for (int i = 0; i < count; i++) {
        double angle = 2 * 3.141592653589793 * i / count, radius = i % 2 == 0 ? 1 : inner;
        double x = radius * cos(angle), y = radius * sin(angle);
        corners[i] = som_vec3(x, 0.6 * y, 0.8 * y);
    }
}

START_TEST(equal_places_are_one_vertex) {
    // -0 and 0 are one place; the nearest double to 1 is another than 1
    SomMesh mesh = {0};
    SomStr text = SOM_STR("v 0 0 0\nv -0 -0 -0\nv 1 0 0\nv 1.0000000000000002 0 0\nv 0 1 0\n"
                          "v 0 1e0 0\nf 1 3 5\nf 2 6 4\n");
    ck_assert_int_eq(read_file(text, "a.obj", &plain, &mesh), SOM_NO_CODE);
    ck_assert_int_eq(mesh.vertex_count, 4);
    ck_assert_int_eq(mesh.triangles[0], mesh.triangles[3]);
    ck_assert_int_eq(mesh.triangles[2], mesh.triangles[4]);
    som_mesh_free(&mesh);
}
END_TEST

START_TEST(triangles_with_two_equal_corners_are_left_out) {
    SomMesh mesh = {0};
    SomStr text = SOM_STR("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 1 0 0\nf 1 2 3\nf 1 2 4\nf 1 4 3 3\n");
    ck_assert_int_eq(read_file(text, "a.obj", &plain, &mesh), SOM_NO_CODE);
    ck_assert_int_eq(mesh.triangle_count, 2);
    som_mesh_free(&mesh);
}
END_TEST

START_TEST(many_vertices_keep_their_order_and_places) {
    SomMesh sphere = make_sphere(100, 0.5, som_vec3(0, 0, 0)), mesh = {0};
    SomText file = {0};
    write_stl_text(&file, &sphere);
    ck_assert_int_eq(read_file(som_text_str(&file), "a.stl", &plain, &mesh), SOM_NO_CODE);
    ck_assert_int_eq(mesh.vertex_count, sphere.vertex_count);
    int used = 0;
    for (int i = 0; i < mesh.triangle_count * 3; i++) {
        ck_assert_int_le(mesh.triangles[i], used); // numbered by first use
        used += mesh.triangles[i] == used;
        SomVec3 v = mesh.vertices[mesh.triangles[i]], w = sphere.vertices[sphere.triangles[i]];
        ck_assert(v.x == w.x && v.y == w.y && v.z == w.z);
    }
    som_text_free(&file);
    som_mesh_free(&mesh);
    som_mesh_free(&sphere);
}
END_TEST

START_TEST(stars_are_cut_into_triangles_that_do_not_overlap) {
    SomVec3 corners[400];
    for (int count = 4; count <= 400; count = count < 20 ? count + 2 : 2 * count) {
        make_star(corners, count, 0.3);
        SomText file = {0};
        SomMesh mesh = {0};
        write_polygon(&file, corners, count);
        ck_assert_int_eq(read_file(som_text_str(&file), "a.obj", &plain, &mesh), SOM_NO_CODE);
        ck_assert_int_eq(mesh.triangle_count, count - 2);
        // all on one side, and together as large as the star
        double sum = 0;
        for (int i = 0; i < mesh.triangle_count; i++) {
            SomVec3 normal;
            sum += area_of(&mesh, i, &normal);
            ck_assert_double_gt(-0.8 * normal.y + 0.6 * normal.z, 0);
        }
        double angle = 2 * 3.141592653589793 / count;
        ck_assert_double_eq_tol(sum, count * 0.3 * sin(angle) / 2, 1e-12);
        som_mesh_free(&mesh);
        som_text_free(&file);
    }
}
END_TEST

START_TEST(a_frame_with_a_bridge_to_its_hole_is_cut) {
    // a square with a square hole, as exporters write it: along the bridge there and back
    static const SomVec3 corners[] = {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}, {0, 0, 0},
                                      {1, 1, 0}, {1, 2, 0}, {2, 2, 0}, {2, 1, 0}, {1, 1, 0}};
    SomText file = {0};
    SomMesh mesh = {0};
    write_polygon(&file, corners, 10);
    ck_assert_int_eq(read_file(som_text_str(&file), "a.obj", &plain, &mesh), SOM_NO_CODE);
    double sum = 0;
    for (int i = 0; i < mesh.triangle_count; i++) {
        SomVec3 normal;
        sum += area_of(&mesh, i, &normal);
        ck_assert_double_ge(normal.z, 0);
    }
    ck_assert_double_eq_tol(sum, 8, 1e-12);
    som_mesh_free(&mesh);
    som_text_free(&file);
}
END_TEST

START_TEST(a_polygon_that_crosses_itself_ends) {
    static const SomVec3 bow[] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}};
    static const SomVec3 line[] = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {2, 0, 0}};
    SomText file = {0};
    SomMesh mesh = {0};
    write_polygon(&file, bow, 4);
    ck_assert_int_eq(read_file(som_text_str(&file), "a.obj", &plain, &mesh), SOM_NO_CODE);
    ck_assert_int_eq(mesh.triangle_count, 2);
    som_mesh_free(&mesh);
    som_text_clear(&file);
    write_polygon(&file, line, 4);
    ck_assert_int_eq(read_file(som_text_str(&file), "a.obj", &plain, &mesh), SOM_NO_CODE);
    som_mesh_free(&mesh);
    som_text_free(&file);
}
END_TEST

START_TEST(a_huge_ragged_polygon_ends) {
    int count = som_test_count(3000, 30000);
    SomTestRandom random = {3};
    SomText file = {0};
    SomVec3 *corners = som_alloc((size_t)count * sizeof *corners);
    for (int i = 0; i < count; i++) {
        double x = som_test_uniform(&random, 0, 1);
        corners[i] = som_vec3(x, som_test_uniform(&random, 0, 1), 0);
    }
    write_polygon(&file, corners, count);
    SomMesh mesh = {0};
    ck_assert_int_eq(read_file(som_text_str(&file), "a.obj", &plain, &mesh), SOM_NO_CODE);
    ck_assert_int_eq(mesh.triangle_count, count - 2);
    som_mesh_free(&mesh);
    som_text_free(&file);
    som_free(corners);
}
END_TEST

SOM_SUITE("space/mesh_build", equal_places_are_one_vertex,
          triangles_with_two_equal_corners_are_left_out, many_vertices_keep_their_order_and_places,
          stars_are_cut_into_triangles_that_do_not_overlap,
          a_frame_with_a_bridge_to_its_hole_is_cut, a_polygon_that_crosses_itself_ends,
          a_huge_ragged_polygon_ends)
