// SPDX-License-Identifier: Apache-2.0
// Tests for space/mesh.c: the same mesh from every format, and what is refused before reading.

#include "base/codes/base_codes.h"
#include "base/codes/space_codes.h"
#include "space/mesh.h"
#include "tests/space/mesh_files.h"

static const SomMeshOptions plain = {0};

// Whether assimp is built in; without it, its formats are refused.
static bool can_read(const MeshFile *file) {
    return !file->needs_assimp || code_of("<COLLADA/>", "a.dae") != SOM_MESH_FORMAT_NOT_BUILT;
}

START_TEST(a_cube_is_the_same_in_every_format) {
    SomMesh expected = cube();
    for (int i = 0; i < MESH_FILE_COUNT; i++) {
        SomText file = {0};
        SomMesh mesh = {0};
        write_mesh_file(&file, i, &expected);
        SomCode code = read_file(som_text_str(&file), mesh_files[i].name, &plain, &mesh);
        if (can_read(&mesh_files[i])) {
            ck_assert_msg(code == SOM_NO_CODE, "%s: %d", mesh_files[i].name, (int)code);
            ck_assert_msg(is_same_mesh(&mesh, &expected, 0), "%s", mesh_files[i].name);
        } else {
            ck_assert_int_eq(code, SOM_MESH_FORMAT_NOT_BUILT);
        }
        som_mesh_free(&mesh);
        som_text_free(&file);
    }
}
END_TEST

START_TEST(a_sphere_is_the_same_in_every_format_and_exact_where_the_format_is_ours) {
    SomMesh sphere = make_sphere(12, 0.37, som_vec3(0.1, -0.2, 0.3));
    SomMesh expected = {0};
    for (int i = 0; i < MESH_FILE_COUNT; i++) {
        if (!can_read(&mesh_files[i])) {
            continue;
        }
        SomText file = {0};
        SomMesh mesh = {0};
        write_mesh_file(&file, i, &sphere);
        ck_assert_int_eq(read_file(som_text_str(&file), mesh_files[i].name, &plain, &mesh),
                         SOM_NO_CODE);
        ck_assert_int_eq(mesh.vertex_count, sphere.vertex_count);
        som_text_free(&file);
        if (i == 0) {
            expected = mesh; // numbered by use, unlike `sphere`
            ck_assert(som_mesh_topology(&mesh).is_closed);
            continue;
        }
        ck_assert_msg(is_same_mesh(&mesh, &expected, mesh_files[i].exact ? 0 : 1e-7), "%s",
                      mesh_files[i].name);
        som_mesh_free(&mesh);
    }
    som_mesh_free(&expected);
    som_mesh_free(&sphere);
}
END_TEST

START_TEST(scale_is_metres_per_unit_of_the_file) {
    SomMesh expected = cube();
    for (int i = 0; i < MESH_FILE_COUNT; i++) {
        if (!can_read(&mesh_files[i])) {
            continue;
        }
        SomText file = {0};
        SomMesh mesh = {0};
        write_mesh_file(&file, i, &expected);
        read_file(som_text_str(&file), mesh_files[i].name, &(SomMeshOptions){.scale = 0.001},
                  &mesh);
        SomBounds bounds = som_mesh_bounds(&mesh);
        ck_assert_double_eq(bounds.low.x, 0);
        ck_assert_double_eq(bounds.high.z, 0.001);
        som_mesh_free(&mesh);
        som_text_free(&file);
    }
}
END_TEST

START_TEST(the_name_says_the_format_whatever_its_case) {
    SomMesh expected = cube();
    SomText file = {0};
    SomMesh mesh = {0};
    write_obj(&file, &expected);
    ck_assert_int_eq(read_file(som_text_str(&file), "A.OBJ", &plain, &mesh), SOM_NO_CODE);
    som_mesh_free(&mesh);
    som_text_free(&file);
    ck_assert_int_eq(code_of("v 0 0 0", "a.blend"), SOM_MESH_FORMAT_UNKNOWN);
    ck_assert_int_eq(code_of("v 0 0 0", "obj"), SOM_MESH_FORMAT_UNKNOWN);
    ck_assert_int_eq(code_of("v 0 0 0", ""), SOM_MESH_FORMAT_UNKNOWN);
}
END_TEST

START_TEST(content_of_another_format_is_refused_and_named) {
    // an OBJ file gives no sign of what it is, so it is the one that can pass for another at first
    SomMesh shape = cube();
    static const char *const names[] = {"a.stl", "a.stl",  "a.obj", "a.ply", "a.ply",
                                        "a.dae", "a.gltf", "a.glb", "a.wrl"};
    for (int i = 0; i < MESH_FILE_COUNT; i++) {
        SomText file = {0};
        write_mesh_file(&file, i, &shape);
        for (int k = 0; k < MESH_FILE_COUNT; k++) {
            bool both_gltf = (i == 6 || i == 7) && (k == 6 || k == 7);
            if (i != 2 && strcmp(names[i], names[k]) != 0 && !both_gltf) {
                SomMesh mesh = {0};
                ck_assert_int_eq(read_file(som_text_str(&file), names[k], &plain, &mesh),
                                 SOM_MESH_FORMAT_MISMATCH);
            }
        }
        som_text_free(&file);
    }
}
END_TEST

START_TEST(the_message_names_the_file_and_the_line) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomMesh mesh = {0};
    som_mesh_parse(SOM_STR("v 0 0 0\nv 1 0 zero\n"), SOM_STR("arm.obj"), &plain, &mesh, diags);
    SomText text = {0};
    som_diagnostics_print(diags, 0, &text);
    ck_assert_str_eq(text.data, "error: mesh 'arm.obj', line 2: 'zero' stands where a number "
                                "belongs [SOM7757]\n");
    som_text_free(&text);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(a_mark_of_utf8_is_skipped) {
    SomMesh shape = cube();
    for (int i = 0; i < MESH_FILE_COUNT; i++) {
        if (can_read(&mesh_files[i]) && strstr(mesh_files[i].name, "binary") == NULL) {
            SomText file = {0};
            SomMesh mesh = {0};
            som_text_add(&file, SOM_STR("\xEF\xBB\xBF"));
            write_mesh_file(&file, i, &shape);
            ck_assert_int_eq(read_file(som_text_str(&file), mesh_files[i].name, &plain, &mesh),
                             SOM_NO_CODE);
            som_mesh_free(&mesh);
            som_text_free(&file);
        }
    }
}
END_TEST

START_TEST(files_without_triangles_are_empty) {
    ck_assert_int_eq(code_of("", "a.stl"), SOM_MESH_EMPTY);
    ck_assert_int_eq(code_of("", "a.dae"), SOM_MESH_EMPTY);
    ck_assert_int_eq(code_of("solid\nendsolid\n", "a.stl"), SOM_MESH_EMPTY);
    ck_assert_int_eq(code_of("# nothing", "a.obj"), SOM_MESH_EMPTY);
    ck_assert_int_eq(code_of("v 0 0 0\nv 1 0 0\nf 1 2 1\n", "a.obj"), SOM_MESH_EMPTY);
}
END_TEST

START_TEST(limits_are_kept_by_every_format) {
    SomMesh shape = cube();
    for (int i = 0; i < MESH_FILE_COUNT; i++) {
        if (!can_read(&mesh_files[i])) {
            continue;
        }
        SomText file = {0};
        SomMesh mesh = {0};
        write_mesh_file(&file, i, &shape);
        SomStr bytes = som_text_str(&file);
        const char *name = mesh_files[i].name;
        SomMeshOptions options = {.max_triangles = 11};
        ck_assert_int_eq(read_file(bytes, name, &options, &mesh), SOM_MESH_TOO_MANY_TRIANGLES);
        options = (SomMeshOptions){.max_bytes = bytes.length - 1};
        ck_assert_int_eq(read_file(bytes, name, &options, &mesh), SOM_FILE_TOO_LARGE);
        options = (SomMeshOptions){.max_triangles = 12, .max_bytes = bytes.length};
        ck_assert_int_eq(read_file(bytes, name, &options, &mesh), SOM_NO_CODE);
        som_mesh_free(&mesh);
        som_text_free(&file);
    }
}
END_TEST

// Every file cut short anywhere is either refused with one error or, where only its tail is
// missing, still a mesh; read_file sees to it.
START_TEST(no_cut_file_does_harm) {
    SomMesh shape = cube();
    for (int i = 0; i < MESH_FILE_COUNT; i++) {
        SomText file = {0};
        write_mesh_file(&file, i, &shape);
        size_t step = mesh_files[i].needs_assimp ? (size_t)som_test_count(37, 1) : 1;
        int refused = 0, cuts = 0;
        for (size_t length = 0; length < file.length; length += step, cuts++) {
            char *exact = som_alloc(length); // so that a sanitizer sees reads behind the end
            memcpy(exact, file.data, length);
            SomMesh mesh = {0};
            SomCode code = read_file((SomStr){exact, length}, mesh_files[i].name, &plain, &mesh);
            refused += code != SOM_NO_CODE;
            som_mesh_free(&mesh);
            som_free(exact);
        }
        ck_assert_msg(refused > cuts / 2, "%s: %d of %d", mesh_files[i].name, refused, cuts);
        som_text_free(&file);
    }
}
END_TEST

// A byte changed anywhere gives a mesh or one error.
START_TEST(no_damaged_file_does_harm) {
    SomMesh shape = cube();
    SomTestRandom random = {7};
    for (int i = 0; i < MESH_FILE_COUNT; i++) {
        SomText file = {0};
        write_mesh_file(&file, i, &shape);
        int count = mesh_files[i].needs_assimp ? som_test_count(40, 2000) : 2000;
        for (int k = 0; k < count; k++) {
            char *damaged = som_alloc(file.length);
            memcpy(damaged, file.data, file.length);
            for (int n = som_test_int(&random, 1, 4); n > 0; n--) {
                int at = som_test_int(&random, 0, (int)file.length - 1);
                damaged[at] = (char)som_test_int(&random, -128, 127);
            }
            SomMesh mesh = {0};
            read_file((SomStr){damaged, file.length}, mesh_files[i].name, &plain, &mesh);
            som_mesh_free(&mesh);
            som_free(damaged);
        }
        som_text_free(&file);
    }
}
END_TEST

SOM_SUITE("space/mesh", a_cube_is_the_same_in_every_format,
          a_sphere_is_the_same_in_every_format_and_exact_where_the_format_is_ours,
          scale_is_metres_per_unit_of_the_file, the_name_says_the_format_whatever_its_case,
          content_of_another_format_is_refused_and_named, the_message_names_the_file_and_the_line,
          a_mark_of_utf8_is_skipped, files_without_triangles_are_empty,
          limits_are_kept_by_every_format, no_cut_file_does_harm, no_damaged_file_does_harm)
