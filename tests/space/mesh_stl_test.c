// SPDX-License-Identifier: Apache-2.0
// Tests for space/mesh_stl.c.

#include "base/codes/space_codes.h"
#include "tests/space/mesh_files.h"

static const SomMeshOptions plain = {0};

#define FACET(corner)                                                                              \
    "facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex " corner " endloop endfacet\n"

START_TEST(text_may_hold_several_solids_and_normals_that_are_no_numbers) {
    SomMesh mesh = {0};
    SomStr text = SOM_STR("\n SOLID a b\r\n" FACET(
        "0 1 0") "ENDSOLID a b\n"
                 "solid\nfacet normal nan -nan(ind) 1.#QNAN\nouter loop\nvertex 1 0 0\n"
                 "vertex 1 1 0 vertex 0 1 0\nendloop endfacet\nendsolid");
    ck_assert_int_eq(read_file(text, "a.stl", &plain, &mesh), SOM_NO_CODE);
    ck_assert_int_eq(mesh.triangle_count, 2);
    ck_assert_int_eq(mesh.vertex_count, 4);
    som_mesh_free(&mesh);
}
END_TEST

START_TEST(numbers_are_read_to_the_last_bit) {
    SomMesh mesh = {0};
    SomStr text =
        SOM_STR("solid\n" FACET("0.1 2.2250738585072014e-308 -123456.78901234567") "endsolid\n");
    ck_assert_int_eq(read_file(text, "a.stl", &plain, &mesh), SOM_NO_CODE);
    ck_assert(mesh.vertices[2].x == 0.1 && mesh.vertices[2].y == 2.2250738585072014e-308);
    ck_assert(mesh.vertices[2].z == -123456.78901234567);
    som_mesh_free(&mesh);
}
END_TEST

START_TEST(text_that_is_cut_or_wrong_is_refused) {
    ck_assert_int_eq(code_of("solid a\n" FACET("0 1 0"), "a.stl"), SOM_MESH_TRUNCATED);
    ck_assert_int_eq(code_of("solid a\nfacet normal 0 0", "a.stl"), SOM_MESH_TRUNCATED);
    ck_assert_int_eq(code_of("solid a\nfacet normal 0 0 1 outer loop vertex 1 2", "a.stl"),
                     SOM_MESH_TRUNCATED);
    ck_assert_int_eq(code_of("solid", "a.stl"), SOM_MESH_TRUNCATED);
    ck_assert_int_eq(code_of("solid a\n" FACET("0 1 0,5") "endsolid\n", "a.stl"), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of("solid a\n" FACET("0 1 0 0") "endsolid\n", "a.stl"), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of("solid a\nfacets\nendsolid\n", "a.stl"), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of("a letter to a friend", "a.stl"), SOM_MESH_SYNTAX);
}
END_TEST

START_TEST(coordinates_that_are_no_places_are_refused) {
    ck_assert_int_eq(code_of("solid\n" FACET("nan 1 0") "endsolid\n", "a.stl"),
                     SOM_MESH_NOT_FINITE);
    ck_assert_int_eq(code_of("solid\n" FACET("0 -inf 0") "endsolid\n", "a.stl"),
                     SOM_MESH_NOT_FINITE);
    ck_assert_int_eq(code_of("solid\n" FACET("0 1e999 0") "endsolid\n", "a.stl"),
                     SOM_MESH_NOT_FINITE);
    ck_assert_int_eq(code_of("solid\n" FACET("0 0 1000001") "endsolid\n", "a.stl"),
                     SOM_MESH_TOO_FAR);
    ck_assert_int_eq(code_of("solid\n" FACET("0 0 1000000") "endsolid\n", "a.stl"), SOM_NO_CODE);

    // as bytes: a corner of the cube is not a number
    SomMesh shape = cube(), mesh = {0};
    SomText file = {0};
    write_stl_binary(&file, &shape);
    memcpy(file.data + 84 + 12, "\xFF\xFF\xFF\x7F", 4);
    ck_assert_int_eq(read_file(som_text_str(&file), "a.stl", &plain, &mesh), SOM_MESH_NOT_FINITE);
    som_text_free(&file);
}
END_TEST

// What a binary file says if its number of triangles is `count` and `more` bytes follow.
static SomCode code_of_count(uint32_t count, int more, SomMesh *mesh) {
    SomMesh shape = cube();
    SomText file = {0}, number = {0};
    write_stl_binary(&file, &shape);
    add_u32(&number, count);
    memcpy(file.data + 80, number.data, 4);
    som_text_add_char(&file, 0, more);
    SomCode code = read_file(som_text_str(&file), "a.stl", &plain, mesh);
    som_text_free(&file);
    som_text_free(&number);
    return code;
}

START_TEST(a_count_of_triangles_that_lies_is_found_out) {
    SomMesh mesh = {0};
    ck_assert_int_eq(code_of_count(13, 0, &mesh), SOM_MESH_TRUNCATED);
    ck_assert_int_eq(code_of_count(0xFFFFFFFF, 0, &mesh), SOM_MESH_TRUNCATED);
    ck_assert_int_eq(code_of_count(0x00FFFFFF, 0, &mesh), SOM_MESH_TRUNCATED);
    ck_assert_int_eq(code_of_count(0, 0, &mesh), SOM_MESH_EMPTY);
    ck_assert_int_eq(code_of_count(12, 49, &mesh), SOM_MESH_TRAILING_BYTES);
    ck_assert_int_eq(mesh.triangle_count, 12);
    som_mesh_free(&mesh);
    ck_assert_int_eq(code_of_count(11, 0, &mesh), SOM_MESH_TRAILING_BYTES);
    ck_assert_int_eq(mesh.triangle_count, 11);
    som_mesh_free(&mesh);
}
END_TEST

START_TEST(a_binary_head_may_begin_with_solid) {
    SomMesh shape = cube(), mesh = {0};
    SomText file = {0};
    write_stl_binary(&file, &shape);
    memcpy(file.data, "solid facet normal ", 19);
    ck_assert_int_eq(read_file(som_text_str(&file), "a.stl", &plain, &mesh), SOM_NO_CODE);
    ck_assert(is_same_mesh(&mesh, &shape, 0));
    som_mesh_free(&mesh);
    som_text_free(&file);
}
END_TEST

SOM_SUITE("space/mesh_stl", text_may_hold_several_solids_and_normals_that_are_no_numbers,
          numbers_are_read_to_the_last_bit, text_that_is_cut_or_wrong_is_refused,
          coordinates_that_are_no_places_are_refused, a_count_of_triangles_that_lies_is_found_out,
          a_binary_head_may_begin_with_solid)
