// SPDX-License-Identifier: Apache-2.0
// Tests for space/mesh_obj.c.

#include "base/codes/space_codes.h"
#include "tests/space/mesh_files.h"

static const SomMeshOptions plain = {0};

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

START_TEST(indices_count_from_one_or_back_from_the_last) {
    static const char *const texts[] = {
        SQUARE "f 1 2 3 4\n",
        SQUARE "f -4 -3 -2 -1\n",
        SQUARE "f 1/1/1 2//5 3/9 -1/-1/-1\n",            // what follows a slash is not used
        "f 1 2 3 4\n" SQUARE,                            // faces may come first
        SQUARE "f \\\n 1 2 \\\r\n3 4 # the same line\n", // lines may be joined
        "v 0 0 0 1\nv 1 0 0 .5\nv 1 1 0 1 0 0\n\tv 0 1 0\r\nF 1 2 3 4", // weights, colours
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 -1\nv 0 1 0\nf 1 -2 -1\n",
    };
    static SomVec3 vertices[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    static int32_t triangles[] = {0, 1, 2, 0, 2, 3};
    SomMesh expected = {vertices, triangles, 4, 2, false, {0}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        SomMesh mesh = {0};
        ck_assert_int_eq(read_file(som_str(texts[i]), "a.obj", &plain, &mesh), SOM_NO_CODE);
        ck_assert_msg(is_same_mesh(&mesh, &expected, 0), "%s", texts[i]);
        som_mesh_free(&mesh);
    }
}
END_TEST

START_TEST(vertices_that_no_face_uses_are_left_out) {
    SomMesh mesh = {0};
    read_file(SOM_STR("v 9 9 9\n" SQUARE "v nan 0 0\n"), "a.obj", &plain, &mesh);
    ck_assert_ptr_null(mesh.vertices); // even there, a number must be one
    read_file(SOM_STR("v 9 9 9\n" SQUARE "v 8 8 8\nf 2 3 4\n"), "a.obj", &plain, &mesh);
    ck_assert_int_eq(mesh.vertex_count, 3);
    som_mesh_free(&mesh);
}
END_TEST

START_TEST(indices_out_of_range_are_refused) {
    static const char *const faces[] = {
        "f 1 2 5",          "f 1 2 0",           "f 1 2 -5",
        "f 1 2 1000000000", "f 1 2 -1000000000", "f 1 2 99999999999999999999999999999999",
        "f 1 2 4294967297",
    };
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++) {
        SomText text = {0};
        som_text_printf(&text, SQUARE "%s\n", faces[i]);
        ck_assert_msg(code_of(text.data, "a.obj") == SOM_MESH_NO_SUCH_VERTEX, "%s", faces[i]);
        som_text_free(&text);
    }
    // backwards counts from where the face stands
    ck_assert_int_eq(code_of("v 0 0 0\nf -1 -2 -3\nv 1 0 0\nv 0 1 0\n", "a.obj"),
                     SOM_MESH_NO_SUCH_VERTEX);
}
END_TEST

START_TEST(lines_that_are_wrong_are_refused) {
    ck_assert_int_eq(code_of(SQUARE "f 1 2 x\n", "a.obj"), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of(SQUARE "f 1 2 3.5\n", "a.obj"), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of(SQUARE "f 1 2 -\n", "a.obj"), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of(SQUARE "f 1 2 /3\n", "a.obj"), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of("v 0 0\nv 1 0 0\n", "a.obj"), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of("v 0 0", "a.obj"), SOM_MESH_TRUNCATED);
    ck_assert_int_eq(code_of(SQUARE "face 1 2 3\n", "a.obj"), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of("Dear friend,\n", "a.obj"), SOM_MESH_SYNTAX);
}
END_TEST

START_TEST(lines_and_points_are_dropped_with_a_warning) {
    SomMesh mesh = {0};
    ck_assert_int_eq(
        read_file(SOM_STR(SQUARE "l 1 2\np 3\nf 1 2\nf 1 2 3\n"), "a.obj", &plain, &mesh),
        SOM_MESH_PARTS_DROPPED);
    ck_assert_int_eq(mesh.triangle_count, 1);
    som_mesh_free(&mesh);
}
END_TEST

START_TEST(a_face_of_many_corners_is_refused_before_it_fills_memory) {
    SomText text = {0};
    som_text_add(&text, SOM_STR(SQUARE "f"));
    for (int i = 0; i < 200; i++) {
        som_text_add(&text, SOM_STR(" 1"));
    }
    SomMesh mesh = {0};
    ck_assert_int_eq(
        read_file(som_text_str(&text), "a.obj", &(SomMeshOptions){.max_triangles = 100}, &mesh),
        SOM_MESH_TOO_MANY_TRIANGLES);
    som_text_free(&text);
}
END_TEST

SOM_SUITE("space/mesh_obj", indices_count_from_one_or_back_from_the_last,
          vertices_that_no_face_uses_are_left_out, indices_out_of_range_are_refused,
          lines_that_are_wrong_are_refused, lines_and_points_are_dropped_with_a_warning,
          a_face_of_many_corners_is_refused_before_it_fills_memory)
