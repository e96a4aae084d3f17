// SPDX-License-Identifier: Apache-2.0
// Tests for som_mesh_load of space/mesh.c: files on the disk, and what lies beside them.

#include "base/codes/base_codes.h"
#include "base/codes/space_codes.h"
#include "base/file.h"
#include "tests/space/mesh_files.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const SomMeshOptions plain = {0};

// Each test runs in a process of its own (Check forks) and there in an empty folder.
static void enter_empty_folder(char folder[32]) {
    snprintf(folder, 32, "/tmp/som-mesh-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static void leave(const char *folder, const char *const *names, int count) {
    for (int i = 0; i < count; i++) {
        ck_assert_int_eq(remove(names[i]), 0);
    }
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}

static void save(const char *path, SomText *content) {
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert(som_file_save(path, som_text_str(content), diags));
    som_diagnostics_destroy(diags);
    som_text_free(content);
}

static void save_text(const char *path, const char *content) {
    SomText text = {0};
    som_text_add(&text, som_str(content));
    save(path, &text);
}

// The code of the first report, as read_file has it.
static SomCode load(const char *path, SomMesh *mesh) {
    SomDiagnostics *diags = som_diagnostics_create();
    bool good = som_mesh_load(path, &plain, mesh, diags);
    ck_assert_int_eq(som_diagnostics_error_count(diags), good ? 0 : 1);
    int count = 0;
    const SomDiagnostic *reports = som_diagnostics_get(diags, &count);
    SomCode code = count > 0 ? reports[0].code : SOM_NO_CODE;
    som_diagnostics_destroy(diags);
    return code;
}

static SomCode load_and_free(const char *path) {
    SomMesh mesh = {0};
    SomCode code = load(path, &mesh);
    som_mesh_free(&mesh);
    return code;
}

static bool has_assimp(void) {
    return code_of("<COLLADA/>", "a.dae") != SOM_MESH_FORMAT_NOT_BUILT;
}

START_TEST(a_file_gives_what_its_bytes_give) {
    char folder[32];
    enter_empty_folder(folder);
    SomMesh shape = cube();
    for (int i = 0; i < MESH_FILE_COUNT; i++) {
        if (mesh_files[i].needs_assimp && !has_assimp()) {
            continue;
        }
        SomText file = {0};
        SomMesh mesh = {0};
        write_mesh_file(&file, i, &shape);
        save(mesh_files[i].name, &file);
        ck_assert_int_eq(load(mesh_files[i].name, &mesh), SOM_NO_CODE);
        ck_assert(is_same_mesh(&mesh, &shape, 0));
        som_mesh_free(&mesh);
        remove(mesh_files[i].name);
    }
    leave(folder, NULL, 0);
}
END_TEST

START_TEST(what_is_no_file_is_refused) {
    char folder[32];
    enter_empty_folder(folder);
    ck_assert_int_eq(mkdir("folder.stl", 0777), 0);
    ck_assert_int_eq(mkfifo("pipe.stl", 0666), 0);
    ck_assert_int_eq(load_and_free("none.stl"), SOM_FILE_NOT_FOUND);
    ck_assert_int_eq(load_and_free("folder.stl"), SOM_FILE_IS_FOLDER);
    ck_assert_int_eq(load_and_free("pipe.stl"), SOM_FILE_NOT_REGULAR);
    ck_assert_int_eq(load_and_free("-"), SOM_MESH_FORMAT_UNKNOWN);
    ck_assert_int_eq(load_and_free(""), SOM_MESH_FORMAT_UNKNOWN);
    leave(folder, (const char *const[]){"folder.stl", "pipe.stl"}, 2);
}
END_TEST

START_TEST(huge_files_are_refused_at_once) {
    // a file of two gigabytes that takes no room on the disk, and one of too many triangles
    char folder[32];
    enter_empty_folder(folder);
    save_text("huge.stl", "solid");
    save_text("huge.obj", "v 0 0 0");
    ck_assert_int_eq(truncate("huge.stl", (off_t)2 << 30), 0);
    ck_assert_int_eq(truncate("huge.obj", (off_t)SOM_MESH_MAX_BYTES + 1), 0);
    ck_assert_int_eq(load_and_free("huge.stl"), SOM_FILE_TOO_LARGE);
    ck_assert_int_eq(load_and_free("huge.obj"), SOM_FILE_TOO_LARGE);

    SomText head = {0};
    som_text_add_char(&head, 0, 80);
    add_u32(&head, SOM_MESH_MAX_TRIANGLES + 1);
    save("many.stl", &head);
    ck_assert_int_eq(truncate("many.stl", 84 + 50 * ((off_t)SOM_MESH_MAX_TRIANGLES + 1)), 0);
    ck_assert_int_eq(load_and_free("many.stl"), SOM_MESH_TOO_MANY_TRIANGLES);
    leave(folder, (const char *const[]){"huge.stl", "huge.obj", "many.stl"}, 3);
}
END_TEST

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

START_TEST(an_obj_has_the_color_of_its_first_material) {
    char folder[32];
    enter_empty_folder(folder);
    save_text("a.obj",
              "mtllib my colours.mtl\n" SQUARE "usemtl deep red\nf 1 2 3\nusemtl b\nf 1 3 4");
    save_text("my colours.mtl", "newmtl b\nKd 0 0 1\nnewmtl deep red\n  Kd 1 .25 7 # too much\n"
                                "d 0.5\nnewmtl c\nKd 0 1 0");
    SomMesh mesh = {0};
    const double expected[4] = {1, 0.25, 1, 0.5};
    ck_assert_int_eq(load("a.obj", &mesh), SOM_NO_CODE);
    ck_assert(mesh.has_color && memcmp(mesh.color, expected, sizeof expected) == 0);
    som_mesh_free(&mesh);

    // without the file the mesh is the same, but for the colour
    remove("my colours.mtl");
    ck_assert_int_eq(load("a.obj", &mesh), SOM_NO_CODE);
    ck_assert(!mesh.has_color);
    som_mesh_free(&mesh);
    leave(folder, (const char *const[]){"a.obj"}, 1);
}
END_TEST

// What a glTF says whose buffer is in this file.
static SomCode load_gltf(const char *uri, SomMesh *mesh) {
    SomMesh shape = cube();
    SomText file = {0}, member = {0};
    som_text_printf(&member, "\"uri\":\"%s\",", uri);
    add_gltf_text(&file, &shape, member.data, "{\"mesh\":0}");
    save("in/a.gltf", &file);
    som_text_free(&member);
    return load("in/a.gltf", mesh);
}

START_TEST(a_gltf_may_name_a_bin_file_beside_it_and_no_other) {
    if (!has_assimp()) {
        return;
    }
    char folder[32];
    enter_empty_folder(folder);
    ck_assert_int_eq(mkdir("in", 0777), 0);
    ck_assert_int_eq(mkdir("in/deep", 0777), 0);
    static const char *const names[] = {"in/the buffer.bin", "in/buffer.dat", "in/deep/a.bin",
                                        "a.bin"};
    SomMesh shape = cube(), mesh = {0};
    for (int i = 0; i < 4; i++) {
        SomText buffer = {0};
        add_gltf_buffer(&buffer, &shape);
        save(names[i], &buffer);
    }
    ck_assert_int_eq(load_gltf("the%20buffer.bin", &mesh), SOM_NO_CODE);
    ck_assert(is_same_mesh(&mesh, &shape, 0));
    som_mesh_free(&mesh);
    SomText absolute = {0};
    som_text_printf(&absolute, "%s/in/the%%20buffer.bin", folder);
    const char *const others[] = {"none.bin",          "buffer.dat",   "deep/a.bin",
                                  "../a.bin",          "..%2Fa.bin",   "%2E%2E/a.bin",
                                  absolute.data,       "../in/a.gltf", "deep/../a.bin",
                                  "file:///etc/a.bin", ".bin"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        SomCode code = load_gltf(others[i], &mesh);
        ck_assert_msg(code == SOM_MESH_FILE_REFUSED, "%s: %d", others[i], (int)code);
    }
    som_text_free(&absolute);
    for (int i = 0; i < 4; i++) {
        remove(names[i]);
    }
    leave(folder, (const char *const[]){"in/a.gltf", "in/deep", "in"}, 3);
}
END_TEST

START_TEST(a_program_without_standard_files_reads_meshes) {
    if (!has_assimp()) {
        return;
    }
    SomMesh shape = cube(), mesh = {0};
    SomText file = {0};
    write_dae(&file, &shape, 1, "Z_UP", "");
    int kept[3];
    for (int i = 0; i < 3; i++) {
        kept[i] = dup(i);
        close(i);
    }
    SomCode code = read_file(som_text_str(&file), "a.dae", &plain, &mesh);
    for (int i = 0; i < 3; i++) {
        dup2(kept[i], i);
        close(kept[i]);
    }
    ck_assert_int_eq(code, SOM_NO_CODE);
    som_mesh_free(&mesh);
    som_text_free(&file);
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_shown_where_it_is_named) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomMesh mesh = {0};
    uint32_t source1 =
        som_diagnostics_add_source(diags, SOM_STR("a.m3l"), SOM_STR("shape none.stl"));
    SomMeshOptions options = {.span = {source1, 6, 14}};
    ck_assert(!som_mesh_load("none.stl", &options, &mesh, diags));
    ck_assert(!som_mesh_load("none.xyz", &options, &mesh, diags));
    SomText text = {0};
    som_diagnostics_print(diags, 0, &text);
    ck_assert_ptr_nonnull(strstr(text.data, "a.m3l:1:7: note: the mesh is named here\n"));
    ck_assert_ptr_nonnull(strstr(text.data, "a.m3l:1:7: error: mesh 'none.xyz'"));
    som_text_free(&text);
    som_diagnostics_destroy(diags);
}
END_TEST

SOM_SUITE("space/mesh_load", a_file_gives_what_its_bytes_give, what_is_no_file_is_refused,
          huge_files_are_refused_at_once, an_obj_has_the_color_of_its_first_material,
          a_gltf_may_name_a_bin_file_beside_it_and_no_other,
          a_program_without_standard_files_reads_meshes,
          a_file_that_cannot_be_read_is_shown_where_it_is_named)
