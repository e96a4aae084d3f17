// SPDX-License-Identifier: Apache-2.0
// Tests for space/mesh_vrml.c and what it is made of.

#include "base/codes/space_codes.h"
#include "space/pose.h"
#include "tests/space/mesh_files.h"

#define HEAD "#VRML V2.0 utf8\n"
#define PI 3.141592653589793

static const SomMeshOptions plain = {0};

static SomMesh read_text(const char *text, SomCode expected) {
    SomMesh mesh = {0};
    SomCode code = read_file(som_str(text), "a.wrl", &plain, &mesh);
    ck_assert_msg(code == expected, "%d of %s", (int)code, text);
    return mesh;
}

// By the divergence theorem; negative if the mesh is inside out.
static double volume_of(const SomMesh *mesh) {
    double sum = 0;
    for (int i = 0; i < mesh->triangle_count; i++) {
        sum += som_vec3_dot(corner_of(mesh, i, 0),
                            som_vec3_cross(corner_of(mesh, i, 1), corner_of(mesh, i, 2)));
    }
    return sum / 6;
}

// One solid: closed, turned outwards, of this volume and these bounds.
static void is_solid(const char *text, double volume, SomVec3 low, SomVec3 high) {
    SomMesh mesh = read_text(text, SOM_NO_CODE);
    SomMeshTopology topology = som_mesh_topology(&mesh);
    ck_assert_msg(topology.is_closed && topology.is_oriented, "%s", text);
    ck_assert_msg(fabs(volume_of(&mesh) - volume) <= 1e-9 * volume, "%.17g of %s", volume_of(&mesh),
                  text);
    SomBounds bounds = som_mesh_bounds(&mesh);
    SomVec3 d = som_vec3_sub(bounds.low, low), e = som_vec3_sub(bounds.high, high);
    ck_assert_msg(som_vec3_length(d) < 1e-9 && som_vec3_length(e) < 1e-9, "%s", text);
    som_mesh_free(&mesh);
}

// What a 48-gon has of a circle, and a ball of 24 rings of it, by the formula for frusta.
static double ball_volume(double radius) {
    double polygon = 24 * sin(2 * PI / 48), sum = 0;
    for (int i = 0; i < 24; i++) {
        double a = radius * sin(PI * i / 24), b = radius * sin(PI * (i + 1) / 24);
        double height = radius * (cos(PI * i / 24) - cos(PI * (i + 1) / 24));
        sum += polygon * height * (a * a + a * b + b * b) / 3;
    }
    return sum;
}

START_TEST(solids_have_their_volume_and_y_becomes_z) {
    double polygon = 24 * sin(2 * PI / 48);
    is_solid(HEAD "Shape { geometry Box {} }", 8, som_vec3(-1, -1, -1), som_vec3(1, 1, 1));
    is_solid(HEAD "Shape { geometry Box { size 1, 2 4 } }", 8, som_vec3(-.5, -2, -1),
             som_vec3(.5, 2, 1));
    is_solid(HEAD "Shape { geometry Cylinder { radius .5 height 3 } }", polygon * .25 * 3,
             som_vec3(-.5, -.5, -1.5), som_vec3(.5, .5, 1.5));
    is_solid(HEAD "Shape { geometry Cone { bottomRadius 2 height 1 } }", polygon * 4 / 3,
             som_vec3(-2, -2, -.5), som_vec3(2, 2, .5));
    is_solid(HEAD "Shape { geometry Sphere { radius 0.1 } }", ball_volume(.1),
             som_vec3(-.1, -.1, -.1), som_vec3(.1, .1, .1));
    ck_assert_double_lt(fabs(ball_volume(1) / (4 * PI / 3) - 1), 0.01);
}
END_TEST

START_TEST(sides_of_columns_can_be_left_out) {
    SomMesh mesh = read_text(HEAD "Shape { geometry Cylinder { top FALSE side FALSE } }\n"
                                  "Shape { geometry Cone { bottom FALSE side FALSE } }",
                             SOM_NO_CODE);
    ck_assert_int_eq(mesh.triangle_count, 48);
    som_mesh_free(&mesh);
    mesh = read_text(HEAD "Shape { geometry Cone { bottom FALSE } }", SOM_NO_CODE);
    ck_assert_int_eq(mesh.triangle_count, 48);
    ck_assert_int_eq(som_mesh_topology(&mesh).open_edges, 48);
    som_mesh_free(&mesh);
}
END_TEST

// P' = T C R SR S -SR -C P, as the standard writes it, against four by four matrices multiplied out
// by hand for one point: a mesh of one triangle whose first corner is watched.
START_TEST(transforms_are_those_of_the_standard) {
    SomMesh mesh = read_text(
        HEAD "Transform { translation 1 2 3 center 0.5 -1 2 rotation 0 0 2 1.5707963267948966\n"
             "scale 2 3 4 scaleOrientation 1 0 0 0.5\nchildren Shape { geometry IndexedFaceSet {\n"
             "coord Coordinate { point [1 1 1 0 0 0 0 1 0] } coordIndex [0 1 2] } } }",
        SOM_NO_CODE);
    double c = cos(0.5), s = sin(0.5);
    SomVec3 p = {1 - 0.5, 1 + 1, 1 - 2};                      // -C
    SomVec3 q = {p.x, c * p.y + s * p.z, -s * p.y + c * p.z}; // -SR about x
    q = som_vec3(2 * q.x, 3 * q.y, 4 * q.z);                  // S
    p = som_vec3(q.x, c * q.y - s * q.z, s * q.y + c * q.z);  // SR
    p = som_vec3(-p.y, p.x, p.z);                             // R: a quarter about z
    p = som_vec3(p.x + 0.5 + 1, p.y - 1 + 2, p.z + 2 + 3);    // C, T
    SomVec3 expected = {p.x, -p.z, p.y};                      // z up
    ck_assert_double_lt(som_vec3_length(som_vec3_sub(mesh.vertices[0], expected)), 1e-12);
    som_mesh_free(&mesh);
    // one in the other: first the inner one, then the outer
    is_solid(HEAD "Transform { translation 10 0 0 children [ Group { children Transform {\n"
                  "scale 3 1 1 translation 0 5 0 children Shape { geometry Box {} } } } ] }",
             24, som_vec3(7, -1, 4), som_vec3(13, 1, 6));
    // a mirror turns faces, and they are turned back
    is_solid(HEAD "Transform { scale -1 1 1 children Shape { geometry Cone { } } }",
             24 * sin(2 * PI / 48) * 2 / 3, som_vec3(-1, -1, -1), som_vec3(1, 1, 1));
}
END_TEST

#define L_POINTS "coord Coordinate { point [0 0 0, 2 0 0, 2 1 0, 1 1 0, 1 2 0, 0 2 0] }"

START_TEST(faces_may_be_concave_and_clockwise) {
    static const char *const texts[] = {
        HEAD "Shape { geometry IndexedFaceSet { " L_POINTS " coordIndex [0 1 2 3 4 5 -1] } }",
        HEAD "Shape { geometry IndexedFaceSet { convex FALSE coordIndex [0,1,2,3,4,5] " L_POINTS
             "} }",
        HEAD "Shape { geometry IndexedFaceSet { ccw FALSE solid FALSE coordIndex [5 4 3 2 1 0 "
             "-1 -1] " L_POINTS " } }",
    };
    for (int i = 0; i < 3; i++) {
        SomMesh mesh = read_text(texts[i], SOM_NO_CODE);
        double area = 0;
        for (int k = 0; k < mesh.triangle_count; k++) {
            SomVec3 a = corner_of(&mesh, k, 0);
            SomVec3 n = som_vec3_cross(som_vec3_sub(corner_of(&mesh, k, 1), a),
                                       som_vec3_sub(corner_of(&mesh, k, 2), a));
            ck_assert_double_lt(n.y, 0); // +z of the file is -y
            area -= n.y / 2;
        }
        ck_assert_double_eq_tol(area, 3, 1e-12);
        ck_assert_int_eq(mesh.triangle_count, 4);
        som_mesh_free(&mesh);
    }
}
END_TEST

START_TEST(a_grid_of_heights_faces_up) {
    SomMesh mesh = read_text(HEAD "Shape { geometry ElevationGrid { xDimension 3 zDimension 2 "
                                  "xSpacing 2 height [0 1 0 0 1 0] } }",
                             SOM_NO_CODE);
    ck_assert_int_eq(mesh.triangle_count, 4);
    SomBounds bounds = som_mesh_bounds(&mesh);
    ck_assert_double_eq(bounds.high.x, 4);
    ck_assert_double_eq(bounds.low.y, -1);
    ck_assert_double_eq(bounds.high.z, 1);
    for (int i = 0; i < 4; i++) {
        SomVec3 a = corner_of(&mesh, i, 0);
        ck_assert_double_gt(som_vec3_cross(som_vec3_sub(corner_of(&mesh, i, 1), a),
                                           som_vec3_sub(corner_of(&mesh, i, 2), a))
                                .z,
                            0);
    }
    som_mesh_free(&mesh);
    ck_assert_int_eq(code_of(HEAD "Shape { geometry ElevationGrid { xDimension 3 zDimension 2 "
                                  "height [0 1 0 0 1] } }",
                             "a.wrl"),
                     SOM_MESH_SYNTAX);
    ck_assert_int_eq(code_of(HEAD "Shape { geometry ElevationGrid { xDimension 1e9 zDimension 1e9 "
                                  "height [0] } }",
                             "a.wrl"),
                     SOM_MESH_SYNTAX);
}
END_TEST

#define BOX "Shape { geometry Box { size 1 1 1 } }"

START_TEST(what_is_defined_can_be_used_again) {
    is_solid(HEAD "DEF B " BOX " Transform { translation 2 0 0 children USE B }", 2,
             som_vec3(-.5, -.5, -.5), som_vec3(2.5, .5, .5));
}
END_TEST

START_TEST(names_mean_the_last_node_before) {
    is_solid(HEAD "Shape { geometry DEF G Box { size 1 1 1 } }\n"
                  "Transform { translation 4 0 0 children DEF A Group { children Shape {\n"
                  "geometry USE G } } }\n"
                  "Transform { translation 8 0 0 children Shape { geometry DEF G Box {\n"
                  "size 2 2 2 } } }\n"
                  "Transform { translation 12 0 0 children USE A }\n"
                  "Transform { translation 16 0 0 children Shape { geometry USE G } }",
             1 + 1 + 8 + 1 + 8, som_vec3(-.5, -1, -1), som_vec3(17, 1, 1));
    SomMesh mesh = read_text(
        HEAD "Shape { geometry IndexedFaceSet { coord DEF P Coordinate { point [0 0 0 1 0 0 0 1 0 "
             "] } coordIndex [0 1 2] } } Shape { geometry IndexedFaceSet { coordIndex [0 2 1] "
             "coord USE P } }",
        SOM_NO_CODE);
    ck_assert_int_eq(mesh.vertex_count, 3);
    ck_assert_int_eq(mesh.triangle_count, 2);
    som_mesh_free(&mesh);
    static const char *const wrong[] = {HEAD "USE A",
                                        HEAD "DEF A Group { children USE A }",
                                        HEAD "USE A DEF A " BOX,
                                        HEAD "PROTO P [] { DEF A " BOX " } USE A",
                                        HEAD "DEF A",
                                        HEAD "DEF A USE B",
                                        HEAD "DEF { } Group { }"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        SomCode code = code_of(wrong[i], "a.wrl");
        ck_assert_msg(code == SOM_MESH_SYNTAX || code == SOM_MESH_TRUNCATED, "%s", wrong[i]);
    }
}
END_TEST

START_TEST(choices_show_one_of_their_nodes) {
    is_solid(HEAD "Switch { whichChoice 1 choice [ Shape { geometry Box {} } " BOX " ] }", 1,
             som_vec3(-.5, -.5, -.5), som_vec3(.5, .5, .5));
    is_solid(HEAD "LOD { range [1, 2] level [ " BOX " Shape { geometry Box {} } ] }", 1,
             som_vec3(-.5, -.5, -.5), som_vec3(.5, .5, .5));
    is_solid(HEAD "Switch { choice Shape { geometry Sphere {} } } Anchor { url \"x { \\\" [\" "
                  "children Billboard { children Collision { proxy Shape { geometry Cone { } } "
                  "children [ " BOX " NULL ] } } }",
             1, som_vec3(-.5, -.5, -.5), som_vec3(.5, .5, .5));
}
END_TEST

START_TEST(the_colour_is_that_of_the_first_surface_with_a_material) {
    SomMesh mesh =
        read_text(HEAD "Shape { appearance Appearance { material Material { diffuseColor 0 0 1 } }"
                       "} Shape { geometry Box { } appearance DEF A Appearance { texture "
                       "ImageTexture { url \"a.png\" } material DEF M Material { transparency 0.25 "
                       "diffuseColor 1 .5 2 } } } Shape { geometry Cone {} appearance Appearance { "
                       "material Material { } } }",
                  SOM_NO_CODE);
    ck_assert(mesh.has_color);
    const double expected[] = {1, 0.5, 1, 0.75};
    ck_assert_mem_eq(mesh.color, expected, sizeof expected);
    som_mesh_free(&mesh);
    mesh = read_text(HEAD BOX, SOM_NO_CODE);
    ck_assert(!mesh.has_color);
    som_mesh_free(&mesh);
}
END_TEST

START_TEST(what_cannot_be_read_is_told) {
    static const struct {
        const char *text;
        SomCode code;
    } cases[] = {
        {HEAD BOX "Inline { url \"/etc/passwd\" }", SOM_MESH_NODES_DROPPED},
        {HEAD "PROTO W [ field SFFloat r 1 ] { Shape { geometry Sphere { radius IS r } } }\n" BOX
              "W { r 2 }",
         SOM_MESH_NODES_DROPPED},
        {HEAD "EXTERNPROTO W [ field SFFloat r ] [ \"w.wrl\" \"v.wrl\" ]\n" BOX "W { r 2 }",
         SOM_MESH_NODES_DROPPED},
        {HEAD BOX "Shape { geometry Text { string \"a\" } }", SOM_MESH_NODES_DROPPED},
        {HEAD BOX "Shape { geometry Extrusion { } }", SOM_MESH_NODES_DROPPED},
        {HEAD BOX "Shape { geometry PointSet { coord Coordinate { point 1 2 3 } } }",
         SOM_MESH_PARTS_DROPPED},
        {HEAD BOX "Shape { geometry IndexedLineSet { coordIndex [0 1 -1 0 1] } }",
         SOM_MESH_PARTS_DROPPED},
        {HEAD "PROTO W [] { } EXTERNPROTO V [] \"v.wrl\" DEF v Viewpoint { } " BOX
              " NavigationInfo { type \"NONE\" } DEF s Script { url \"javascript: {\" eventIn "
              "SFBool b } ROUTE v.bind TO s.b",
         SOM_NO_CODE},
        {"#VRML V1.0 ascii\nSeparator { }", SOM_MESH_NOT_VRML97},
        {"\x1f\x8b\x08", SOM_MESH_NOT_VRML97},
        {"Shape { }", SOM_MESH_NOT_VRML97},
        {"#X3D V3.2 utf8\n", SOM_MESH_NOT_VRML97},
        {HEAD, SOM_MESH_EMPTY},
        {HEAD "Group { children [", SOM_MESH_TRUNCATED},
        {HEAD "Anchor { url \"a }", SOM_MESH_TRUNCATED},
        {HEAD "Group { children ] }", SOM_MESH_SYNTAX},
        {HEAD "}", SOM_MESH_SYNTAX},
        {HEAD "Group { [ ] }", SOM_MESH_SYNTAX},
        {HEAD "Group { children }", SOM_MESH_SYNTAX},
        {HEAD "Group", SOM_MESH_TRUNCATED},
        {HEAD "Group [ ]", SOM_MESH_SYNTAX},
        {HEAD "Shape { geometry Box { size 1 2 } }", SOM_MESH_SYNTAX},
        {HEAD "Shape { geometry Box { size 1 2 0 } }", SOM_MESH_SYNTAX},
        {HEAD "Shape { geometry Sphere { radius -1 } }", SOM_MESH_SYNTAX},
        {HEAD "Shape { geometry Cylinder { top 1 } }", SOM_MESH_SYNTAX},
        {HEAD "Shape { geometry Sphere { radius 1e999 } }", SOM_MESH_NOT_FINITE},
        {HEAD "Shape { geometry Sphere { radius 1e7 } }", SOM_MESH_TOO_FAR},
        {HEAD "Shape { geometry IndexedFaceSet { coord Coordinate { point [0 0 0 1 1] } } }",
         SOM_MESH_SYNTAX},
        {HEAD "Shape { geometry IndexedFaceSet { " L_POINTS " coordIndex [0 1 6] } }",
         SOM_MESH_NO_SUCH_VERTEX},
        {HEAD "Shape { geometry IndexedFaceSet { " L_POINTS " coordIndex [0 1 -2] } }",
         SOM_MESH_NO_SUCH_VERTEX},
        {HEAD "Shape { geometry IndexedFaceSet { " L_POINTS " coordIndex [0 1 1.5] } }",
         SOM_MESH_NO_SUCH_VERTEX},
        {HEAD "Shape { geometry IndexedFaceSet { coordIndex [0 1 2] } }", SOM_MESH_NO_SUCH_VERTEX},
        {HEAD "Shape { geometry IndexedFaceSet { " L_POINTS " coordIndex [0 1 x] } }",
         SOM_MESH_SYNTAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomCode code = code_of(cases[i].text, "a.wrl");
        ck_assert_msg(code == cases[i].code, "%d: %s", (int)code, cases[i].text);
    }
}
END_TEST

static SomCode code_of_text(SomText *text) {
    SomCode code = code_of(text->data, "a.wrl");
    som_text_free(text);
    return code;
}

START_TEST(bombs_end_in_a_diagnostic) {
    // each group uses the one before twice: a thousand million million million boxes, or nothings
    for (int empty = 0; empty < 2; empty++) {
        SomText text = {0};
        som_text_printf(&text, HEAD "DEF A0 Group { children %s }\n", empty ? "[]" : BOX);
        for (int i = 1; i <= 70; i++) {
            som_text_printf(&text, "DEF A%d Group { children [ USE A%d USE A%d ] }\n", i, i - 1,
                            i - 1);
        }
        ck_assert_int_eq(code_of_text(&text), SOM_MESH_NESTED_TOO_MUCH);
    }
    SomText chain = {0};
    som_text_add(&chain, SOM_STR(HEAD "DEF A0 Group { }\n"));
    for (int i = 1; i <= 300; i++) {
        som_text_printf(&chain, "DEF A%d Group { children USE A%d }\n", i, i - 1);
    }
    ck_assert_int_eq(code_of_text(&chain), SOM_MESH_NESTED_TOO_MUCH);
    SomText deep = {0};
    som_text_add(&deep, SOM_STR(HEAD));
    for (int i = 0; i < 100000; i++) {
        som_text_add(&deep, SOM_STR("Group { children "));
    }
    ck_assert_int_eq(code_of_text(&deep), SOM_MESH_NESTED_TOO_MUCH);
    SomText many = {0};
    som_text_add(&many, SOM_STR(HEAD));
    for (int i = 0; i <= 4000000; i++) {
        som_text_add(&many, SOM_STR("A{}"));
    }
    ck_assert_int_eq(code_of_text(&many), SOM_MESH_NESTED_TOO_MUCH);
}
END_TEST

START_TEST(names_and_lines_may_end_in_any_way) {
    static const char *const names[] = {"a.wrl", "A.WRL", "a.vrml", "a.wrz", "b.Wrl"};
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(code_of(HEAD BOX, names[i]), SOM_NO_CODE);
    }
    ck_assert_int_eq(code_of(HEAD BOX, "a.stl"), SOM_MESH_FORMAT_MISMATCH);
    ck_assert_int_eq(code_of("#VRML V2.0 utf8 # more\r# one\rShape{geometry Box{}#two\r}", "a.wrl"),
                     SOM_NO_CODE);
    ck_assert_int_eq(code_of("\xef\xbb\xbf" HEAD BOX, "a.wrl"), SOM_NO_CODE);
}
END_TEST

SOM_SUITE("space/mesh_vrml", solids_have_their_volume_and_y_becomes_z,
          sides_of_columns_can_be_left_out, transforms_are_those_of_the_standard,
          faces_may_be_concave_and_clockwise, a_grid_of_heights_faces_up,
          what_is_defined_can_be_used_again, names_mean_the_last_node_before,
          choices_show_one_of_their_nodes, the_colour_is_that_of_the_first_surface_with_a_material,
          what_cannot_be_read_is_told, bombs_end_in_a_diagnostic,
          names_and_lines_may_end_in_any_way)
