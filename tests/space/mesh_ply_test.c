// SPDX-License-Identifier: Apache-2.0
// Tests for space/mesh_ply.c.

#include "base/codes/space_codes.h"
#include "tests/space/mesh_files.h"

static const SomMeshOptions plain = {0};

#define HEAD(vertices, faces)                                                                      \
    "ply\nformat ascii 1.0\ncomment a test\nelement vertex " vertices                              \
    "\nproperty double x\nproperty double y\nproperty double z\nelement face " faces               \
    "\nproperty list uchar int vertex_index\nend_header\n"

START_TEST(numbers_are_read_to_the_last_bit) {
    SomMesh mesh = {0};
    SomStr text = SOM_STR(HEAD("3", "1") "0 0 0\n0.1 0 0\n0 0.30000000000000004 0\n3 0 1 2\n");
    ck_assert_int_eq(read_file(text, "a.ply", &plain, &mesh), SOM_NO_CODE);
    ck_assert(mesh.vertices[1].x == 0.1 && mesh.vertices[2].y == 0.30000000000000004);
    som_mesh_free(&mesh);
}
END_TEST

START_TEST(other_elements_and_properties_are_read_over) {
    SomMesh mesh = {0};
    SomStr text =
        SOM_STR("ply\r\nformat ascii 1.0\r\nobj_info b\r\nelement nothing 1000000000000\r\n"
                "element camera 2\r\nproperty list uint8 float32 view\r\n"
                "element vertex 3\r\nproperty uchar red\r\nproperty float z\r\n"
                "property float y\r\nproperty float x\r\nelement face 1\r\n"
                "property list uchar float uv\r\nproperty list uchar uint vertex_indices\r\n"
                "property int flags\r\nelement edge 1\r\nproperty int a\r\nend_header\r\n"
                "0 2 5 5\r\n1 0 0 0 2 3 0 2 0 4 0 1\r\n2 7 7 3 2 1 0 9\r\n1\r\n");
    ck_assert_int_eq(read_file(text, "a.ply", &plain, &mesh), SOM_MESH_PARTS_DROPPED); // the edge
    ck_assert_int_eq(mesh.triangle_count, 1);
    ck_assert(mesh.vertices[0].x == 1 && mesh.vertices[0].y == 0 && mesh.vertices[0].z == 4);
    som_mesh_free(&mesh);
}
END_TEST

START_TEST(bytes_may_be_in_either_order_and_of_every_type) {
    SomMesh mesh = {0};
    static const char file[] =
        "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty int8 x\nproperty short y\n"
        "property double z\nelement face 1\nproperty list ushort uint vertex_indices\nend_header\n"
        "\xFF\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
        "\x02\xFF\xFE\x3F\xF8\x00\x00\x00\x00\x00\x00"
        "\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00"
        "\x00\x03\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x02";
    SomStr bytes = {file, sizeof file - 1};
    ck_assert_int_eq(read_file(bytes, "a.ply", &plain, &mesh), SOM_NO_CODE);
    ck_assert(mesh.vertices[0].x == -1 && mesh.vertices[1].x == 2);
    ck_assert(mesh.vertices[1].y == -2 && mesh.vertices[1].z == 1.5 && mesh.vertices[2].y == 256);
    som_mesh_free(&mesh);
}
END_TEST

START_TEST(counts_that_lie_are_found_out) {
    ck_assert_int_eq(code_of(HEAD("4", "1") "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "a.ply"),
                     SOM_MESH_TRUNCATED);
    ck_assert_int_eq(code_of(HEAD("3", "2") "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "a.ply"),
                     SOM_MESH_TRUNCATED);
    ck_assert_int_eq(code_of(HEAD("3", "1") "0 0 0\n1 0 0\n0 1 0\n1000000000 0 1 2\n", "a.ply"),
                     SOM_MESH_TRUNCATED);
    ck_assert_int_eq(code_of(HEAD("1000000000", "1") "0 0 0\n", "a.ply"),
                     SOM_MESH_TOO_MANY_TRIANGLES);
    ck_assert_int_eq(code_of(HEAD("3", "-1") "0 0 0\n", "a.ply"), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of(HEAD("3", "0.5") "0 0 0\n", "a.ply"), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of(HEAD("3", "0") "0 0 0\n1 0 0\n0 1 0\n", "a.ply"), SOM_MESH_EMPTY);
}
END_TEST

START_TEST(bytes_that_are_cut_are_found_out) {
    SomMesh shape = cube(), mesh = {0};
    SomText file = {0};
    write_ply_binary(&file, &shape);
    for (size_t cut = 1; cut < 12 * 13 + 8 * 12; cut++) { // from the last face to the first vertex
        SomStr bytes = {file.data, file.length - cut};
        ck_assert_int_eq(read_file(bytes, "a.ply", &plain, &mesh), SOM_MESH_TRUNCATED);
    }
    som_text_free(&file);
}
END_TEST

START_TEST(heads_and_faces_that_are_wrong_are_refused) {
    ck_assert_int_eq(code_of("ply\nformat ascii 1.0\n", "a.ply"), SOM_MESH_TRUNCATED);
    ck_assert_int_eq(code_of("ply\nformat roman 1.0\n", "a.ply"), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of("ply\nproperty int x\n", "a.ply"), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of("ply\nelement vertex 3\nproperty long x\n", "a.ply"), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of(HEAD("3", "1") "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "a.ply"),
                     SOM_MESH_NO_SUCH_VERTEX);
    ck_assert_int_eq(code_of(HEAD("3", "1") "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", "a.ply"),
                     SOM_MESH_NO_SUCH_VERTEX);
    ck_assert_int_eq(code_of(HEAD("3", "1") "0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n", "a.ply"),
                     SOM_MESH_NOT_FINITE);
}
END_TEST

SOM_SUITE("space/mesh_ply", numbers_are_read_to_the_last_bit,
          other_elements_and_properties_are_read_over,
          bytes_may_be_in_either_order_and_of_every_type, counts_that_lie_are_found_out,
          bytes_that_are_cut_are_found_out, heads_and_faces_that_are_wrong_are_refused)
