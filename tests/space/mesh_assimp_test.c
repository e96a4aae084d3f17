// SPDX-License-Identifier: Apache-2.0
// Tests for space/mesh_assimp.c, mesh_collada.c and mesh_process.c: COLLADA and glTF, and that no
// such file harms the process that reads it.

#include "base/codes/space_codes.h"
#include "tests/space/mesh_files.h"

#include <sys/resource.h>

static const SomMeshOptions plain = {0};

// The memory of a sanitizer's allocator is set aside beforehand, where no limit reaches it.
#ifdef __has_feature
static const bool has_sanitizer = __has_feature(address_sanitizer);
#else
static const bool has_sanitizer = false;
#endif

// Reads a COLLADA cube with this unit, axis and content of its node.
static SomCode read_dae(double meter, const char *up, const char *node, SomMesh *mesh) {
    SomMesh shape = cube();
    SomText file = {0};
    write_dae(&file, &shape, meter, up, node);
    SomCode code = read_file(som_text_str(&file), "a.dae", &plain, mesh);
    som_text_free(&file);
    return code;
}

static SomCode read_glb(const char *nodes, SomMesh *mesh) {
    SomMesh shape = cube();
    SomText file = {0};
    write_glb(&file, &shape, nodes);
    SomCode code = read_file(som_text_str(&file), "a.glb", &plain, mesh);
    som_text_free(&file);
    return code;
}

// The COLLADA cube with one piece of its text replaced by another.
static SomCode code_of_changed_dae(const char *piece, const char *other) {
    SomMesh shape = cube();
    SomText file = {0}, changed = {0};
    write_dae(&file, &shape, 1, "Z_UP", "<node><translate>0 1 0</translate></node>");
    const char *at = strstr(file.data, piece);
    ck_assert_ptr_nonnull(at);
    som_text_add(&changed, (SomStr){file.data, (size_t)(at - file.data)});
    som_text_add(&changed, som_str(other));
    som_text_add(&changed, som_str(at + strlen(piece)));
    SomCode code = code_of(changed.data, "a.dae");
    som_text_free(&file);
    som_text_free(&changed);
    return code;
}

static void check_bounds(const SomMesh *mesh, SomVec3 low, SomVec3 high, double tolerance) {
    SomBounds bounds = som_mesh_bounds(mesh);
    SomVec3 a = som_vec3_sub(bounds.low, low), b = som_vec3_sub(bounds.high, high);
    ck_assert_double_le(som_vec3_length(a) + som_vec3_length(b), tolerance);
}

START_TEST(every_up_axis_and_unit_gives_the_same_cube) {
    static const char *const axes[] = {"X_UP", "Y_UP", "Z_UP", ""}; // nothing means Y_UP
    static const double units[] = {1, 0.01, 0.0254, 1000};
    SomMesh expected = cube();
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            SomMesh mesh = {0};
            ck_assert_int_eq(read_dae(units[k], axes[i], "", &mesh), SOM_NO_CODE);
            // 100 times 0.01 is 1 to the last bit: the unit itself is not rounded
            ck_assert(is_same_mesh(&mesh, &expected, k == 0 || k == 1 ? 0 : 1e-7));
            ck_assert(som_mesh_topology(&mesh).is_closed && som_mesh_topology(&mesh).is_oriented);
            som_mesh_free(&mesh);
        }
    }
}
END_TEST

START_TEST(axes_are_kept_where_that_is_wanted) {
    for (int keeps = 0; keeps < 2; keeps++) {
        SomMesh shape = cube(), mesh = {0};
        SomText file = {0};
        write_dae(&file, &shape, 0.5, "Y_UP", "<scale>1 1 3</scale>");
        SomMeshOptions options = {.keeps_axes = keeps == 1};
        ck_assert_int_eq(read_file(som_text_str(&file), "a.dae", &options, &mesh), SOM_NO_CODE);
        SomBounds bounds = som_mesh_bounds(&mesh);
        SomVec3 size = som_vec3_sub(bounds.high, bounds.low);
        ck_assert_double_eq_tol(keeps ? size.z : size.y, 3, 1e-6);
        ck_assert_double_eq_tol(keeps ? size.y : size.z, 1, 1e-6);
        som_mesh_free(&mesh);
        som_text_free(&file);
    }
}
END_TEST

START_TEST(nodes_move_turn_scale_and_repeat_their_meshes) {
    SomMesh mesh = {0};
    read_dae(0.5, "Z_UP",
             "<translate>1 2 3</translate><rotate>0 0 1 90</rotate><scale>1 2 4</scale>", &mesh);
    // the cube has corners 0 and 2 in units of half a metre
    check_bounds(&mesh, som_vec3(0.5 * (1 - 4), 1, 1.5), som_vec3(0.5, 2, 5.5), 1e-6);
    som_mesh_free(&mesh);

    read_glb("{\"children\":[1,2]},{\"mesh\":0,\"translation\":[10,0,0]},{\"children\":[3],"
             "\"rotation\":[0,0.7071067811865476,0,0.7071067811865476]},{\"mesh\":0,\"scale\":"
             "[2,2,2]}",
             &mesh);
    ck_assert_int_eq(mesh.triangle_count, 24);
    check_bounds(&mesh, som_vec3(-2, 0, 0), som_vec3(11, 2, 2), 1e-6);
    som_mesh_free(&mesh);
}
END_TEST

START_TEST(a_mirrored_mesh_is_not_inside_out) {
    SomMesh mesh = {0};
    read_dae(1, "Z_UP", "<scale>-1 1 1</scale>", &mesh);
    double volume = 0;
    for (int i = 0; i < mesh.triangle_count; i++) {
        volume += som_vec3_dot(corner_of(&mesh, i, 0),
                               som_vec3_cross(corner_of(&mesh, i, 1), corner_of(&mesh, i, 2)));
    }
    ck_assert_double_eq_tol(volume / 6, 1, 1e-12);
    som_mesh_free(&mesh);
}
END_TEST

START_TEST(the_color_is_that_of_the_material) {
    SomMesh mesh = {0};
    const double expected[4] = {1, 0.5, 0.25, 1};
    read_dae(1, "Z_UP", "", &mesh);
    ck_assert(mesh.has_color && memcmp(mesh.color, expected, sizeof expected) == 0);
    som_mesh_free(&mesh);
    read_glb("{\"mesh\":0}", &mesh);
    ck_assert(mesh.has_color && memcmp(mesh.color, expected, sizeof expected) == 0);
    som_mesh_free(&mesh);
}
END_TEST

START_TEST(polygons_and_lines_of_collada_are_cut_and_dropped) {
    SomMesh mesh = {0};
    SomMesh shape = cube();
    SomText file = {0}, changed = {0};
    write_dae(&file, &shape, 1, "Z_UP", "");
    const char *at = strstr(file.data, "<triangles");
    som_text_add(&changed, (SomStr){file.data, (size_t)(at - file.data)});
    som_text_add(&changed, SOM_STR("<lines count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" "
                                   "offset=\"0\"/><p>0 6</p></lines><polylist count=\"1\"><input "
                                   "semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><vcount>4"
                                   "</vcount><p>0 1 2 3</p></polylist>"));
    som_text_add(&changed, som_str(strstr(file.data, "</triangles>") + 12));
    ck_assert_int_eq(read_file(som_text_str(&changed), "a.dae", &plain, &mesh),
                     SOM_MESH_PARTS_DROPPED);
    ck_assert_int_eq(mesh.triangle_count, 2);
    som_mesh_free(&mesh);
    som_text_free(&file);
    som_text_free(&changed);
}
END_TEST

START_TEST(document_types_are_refused) {
    const char *bomb = "<?xml version=\"1.0\"?><!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol2 "
                       "\"&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;\">]>";
    ck_assert_int_eq(code_of_changed_dae("<?xml version=\"1.0\"?>", bomb), SOM_MESH_HAS_DOCTYPE);
    // one in a comment is none
    ck_assert_int_eq(code_of_changed_dae("<!-- a test -->", "<!-- <!DOCTYPE a> -->"), SOM_NO_CODE);
    ck_assert_int_eq(code_of_changed_dae("<!-- a test -->", "<!-- <!DOCTYPE a>"), SOM_MESH_DAMAGED);
}
END_TEST

START_TEST(units_that_are_none_are_refused) {
    ck_assert_int_eq(code_of_changed_dae(" meter=\"1\"", " meter=\"0\""), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of_changed_dae(" meter=\"1\"", " meter=\"-1\""), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of_changed_dae(" meter=\"1\"", " meter=\"1e999\""), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of_changed_dae(" meter=\"1\"", " meter=\"inch\""), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of_changed_dae(" meter=\"1\"", " meter='1e9'"), SOM_MESH_TOO_FAR);
    ck_assert_int_eq(code_of_changed_dae(" meter=\"1\"", ""), SOM_NO_CODE);
}
END_TEST

START_TEST(a_crash_of_the_reader_is_a_diagnostic) {
    // a node within itself, which assimp follows until its stack is full
    SomMesh mesh = {0};
    ck_assert_int_eq(read_dae(1, "Z_UP", "<instance_node url=\"#n\"/>", &mesh),
                     SOM_MESH_READER_FAILED);
    // and the next file is read as if nothing had happened
    ck_assert_int_eq(read_dae(1, "Z_UP", "", &mesh), SOM_NO_CODE);
    som_mesh_free(&mesh);
}
END_TEST

START_TEST(nodes_without_end_are_a_diagnostic) {
    SomMesh mesh = {0};
    SomCode code = read_glb("{\"mesh\":0,\"children\":[0]}", &mesh);
    ck_assert(code == SOM_MESH_READER_FAILED || code == SOM_MESH_DAMAGED);

    // each node twice in the one above it: 2^30 cubes
    SomText nodes = {0};
    for (int i = 0; i < 30; i++) {
        som_text_printf(&nodes, "{\"children\":[%d,%d]},", i + 1, i + 1);
    }
    som_text_add(&nodes, SOM_STR("{\"mesh\":0}"));
    ck_assert_int_eq(read_glb(nodes.data, &mesh), SOM_MESH_READER_FAILED);
    som_text_free(&nodes);

    // and little was spent on them, in kilobytes and seconds
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    ck_assert(has_sanitizer || used.ru_maxrss < 400000);
    ck_assert_int_le(used.ru_utime.tv_sec, 8);
}
END_TEST

START_TEST(wrong_collada_is_a_diagnostic) {
    ck_assert_int_eq(code_of("<COLLADA", "a.dae"), SOM_MESH_DAMAGED);
    ck_assert_int_eq(code_of("<html></html>", "a.dae"), SOM_MESH_DAMAGED);
    ck_assert_int_eq(code_of("no XML at all", "a.dae"), SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of_changed_dae("<p>0 1 2", "<p>0 1 1000000000"), SOM_MESH_DAMAGED);
    ck_assert_int_ne(code_of_changed_dae("count=\"24\"", "count=\"4000000000\""), SOM_NO_CODE);
    // no geometry: not the skeleton that assimp would make up
    ck_assert_int_eq(
        code_of_changed_dae("<instance_geometry url=\"#g\">", "<instance_geometry url=\"#x\">"),
        SOM_MESH_EMPTY);
}
END_TEST

// A glTF whose buffer is `buffer`.
static SomCode code_of_buffer(const char *buffer) {
    SomMesh shape = cube();
    SomText file = {0};
    add_gltf_text(&file, &shape, buffer, "{\"mesh\":0}");
    SomCode code = code_of(file.data, "a.gltf");
    som_text_free(&file);
    return code;
}

START_TEST(other_files_are_not_read_from_memory) {
    ck_assert_int_eq(code_of_buffer("\"uri\":\"a.bin\","), SOM_MESH_FILE_REFUSED);
    ck_assert_int_eq(code_of_buffer("\"uri\":\"/etc/passwd\","), SOM_MESH_FILE_REFUSED);
    ck_assert_int_eq(code_of_buffer("\"uri\":\"../a.bin\","), SOM_MESH_FILE_REFUSED);
    ck_assert_int_eq(code_of_buffer("\"uri\":\"file:///etc/passwd\","), SOM_MESH_FILE_REFUSED);
    ck_assert_int_ne(code_of_buffer("\"uri\":\"\","), SOM_NO_CODE);
    ck_assert_int_ne(code_of_buffer("\"uri\":\"data:application/octet-stream;base64,AAAA\","),
                     SOM_NO_CODE);
}
END_TEST

START_TEST(huge_buffers_are_a_diagnostic) {
    SomMesh shape = cube();
    static const char *const lengths[] = {"99999999999", "4294967295", "-1", "1e300", "0"};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        SomText file = {0}, changed = {0};
        write_gltf(&file, &shape);
        char *at = strstr(file.data, "\"byteLength\":") + 13;
        som_text_add(&changed, (SomStr){file.data, (size_t)(at - file.data)});
        som_text_add(&changed, som_str(lengths[i]));
        som_text_add(&changed, som_str(at + strspn(at, "0123456789")));
        code_of(changed.data, "a.gltf"); // some are read all the same; none does harm
        som_text_free(&file);
        som_text_free(&changed);
    }
}
END_TEST

SOM_SUITE("space/mesh_assimp", every_up_axis_and_unit_gives_the_same_cube,
          axes_are_kept_where_that_is_wanted, nodes_move_turn_scale_and_repeat_their_meshes,
          a_mirrored_mesh_is_not_inside_out, the_color_is_that_of_the_material,
          polygons_and_lines_of_collada_are_cut_and_dropped, document_types_are_refused,
          units_that_are_none_are_refused, a_crash_of_the_reader_is_a_diagnostic,
          nodes_without_end_are_a_diagnostic, wrong_collada_is_a_diagnostic,
          other_files_are_not_read_from_memory, huge_buffers_are_a_diagnostic)
