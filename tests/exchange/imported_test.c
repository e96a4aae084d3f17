// What was imported stands where the file says: from files of other programs through `.som` text to
// poses, compared with formulas written out here.

// SPDX-License-Identifier: Apache-2.0

#include "base/file.h"
#include "base/number.h"
#include "exchange/chain.h"
#include "space/trigonometry.h"
#include "tests/exchange/lab_files.h"
#include "tests/exchange/placed_text.h"
#include "tests/modules/module_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// ---- the lab's modules, written out

static SomPose turned(SomMat3 rotation) {
    return (SomPose){rotation, {0, 0, 0}};
}

static SomPose compose(SomPose a, SomPose b) {
    return som_pose_compose(a, b);
}

// Frames of faces, x outwards: front, left, right, back.
static SomPose face_pose(const double a[4], int face) {
    double l = 0.05;
    if (face == 0) {
        double c = cos(a[0]), s = sin(a[0]);
        return (SomPose){{{{0, c, s}, {-1, 0, 0}, {0, -s, c}}}, {0, -l, 0}};
    }
    double p = face == 3 ? a[3] : a[face] + a[3], c = cos(p), s = sin(p);
    if (face == 1) {
        return (SomPose){{{{1, 0, 0}, {0, c, -s}, {0, s, c}}}, {l, 0, 0}};
    }
    if (face == 2) {
        return (SomPose){{{{-1, 0, 0}, {0, -c, -s}, {0, -s, c}}}, {-l, 0, 0}};
    }
    return (SomPose){{{{0, -1, 0}, {c, 0, -s}, {s, 0, c}}}, {0, c * l, s * l}};
}

static SomPose mate(double gap, double roll) {
    double c = cos(roll), s = sin(roll);
    return (SomPose){{{{-1, 0, 0}, {0, -c, s}, {0, s, c}}}, {gap, 0, 0}};
}

// All poses from that of module 0, connection by connection until nothing changes.
static void place_model(const SomLabModel *model, SomPose base, SomPose *poses) {
    bool *known = som_alloc((size_t)model->modules.count);
    poses[0] = base;
    known[0] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < model->connections.count; i++) {
            const SomLabConnection *c = &model->connections.data[i];
            SomPose a = face_pose(model->modules.data[c->a].joints, c->face_a);
            SomPose b = face_pose(model->modules.data[c->b].joints, c->face_b);
            SomPose step = compose(compose(a, mate(c->gap, c->roll)), som_pose_invert(b));
            if (known[c->a] && !known[c->b]) {
                poses[c->b] = compose(poses[c->a], step);
                known[c->b] = changed = true;
            } else if (known[c->b] && !known[c->a]) {
                poses[c->a] = compose(poses[c->b], som_pose_invert(step));
                known[c->a] = changed = true;
            }
        }
    }
    som_free(known);
}

static SomLabType lab_type(SomM3l **m3l) {
    *m3l = som_test_library("smores");
    SomLabType type = {.m3l = *m3l, .type = som_m3l_find_type(*m3l, SOM_STR("SMORES"))};
    for (int i = 0; i < 4; i++) {
        type.faces[i] = som_module_type_find_connector(type.type, som_str(som_lab_faces[i]));
        type.joints[i] = som_module_type_find_joint(type.type, som_str(som_lab_joints[i]), NULL);
    }
    return type;
}

// ---- configurations

START_TEST(configurations_stand_where_their_files_say) {
    SomM3l *m3l;
    SomLabType type = lab_type(&m3l);
    SomTestRandom random = {11};
    double worst = 0;
    for (int n = 0; n < som_test_count(60, 2000); n++) {
        SomLabModel robot = {0};
        som_test_random_robot(&random, som_test_int(&random, 1, 20), n % 3 == 0, &type, &robot);
        SomText text = {0};
        som_test_print_conf(&robot, &random, &text);
        SomImported result = som_test_import("robot.conf", som_text_str(&text), -1);
        SomTestPlaced placed = som_test_place_text(som_text_str(&result.som));
        ck_assert_int_eq(placed.configuration->module_count, robot.modules.count);
        for (int i = 0; i < robot.modules.count; i++) {
            char path[32];
            snprintf(path, sizeof path, "Module_%d", i);
            worst = fmax(worst, som_pose_distance(som_test_pose_of(&placed, path),
                                                  robot.modules.data[i].pose));
        }
        som_test_free_placed(&placed);
        som_imported_free(&result);
        som_text_free(&text);
        som_lab_free(&robot);
    }
    ck_assert_double_lt(worst, 1e-7); // whole degrees are taken for what is within 1e-8 rad
    som_m3l_destroy(m3l);
}
END_TEST

// Whatever modules and files are called, the text means the same.
START_TEST(any_name_will_do) {
    static const char *const names[] = {
        "connect",   "part",   "initial", "SMORES", "lab",  "bend",  "T",   "0",
        "a.b",       "a\"b",   "back\\",  "pi",     "true", "x[1]",  "a b", "\u00e4\u4e2d",
        ":a",        "a:",     "g:h:i",   "g:T",    "for",  "in",    "if",  "start",
        "base",      "config", "-1",      "1e5",    "deg",  "40deg", "#",   "series",
        "g:connect", "left",   "frame",   "let"};
    int count = (int)(sizeof names / sizeof *names);
    for (int file = -1; file < count; file++) {
        SomText text = {0}, path = {0};
        som_text_add(&text, SOM_STR("<configuration><modules>"));
        for (int i = 0; i < count; i++) {
            som_text_printf(&text,
                            "<module><name>%s</name><position>0 %d.%d 1 0 0 0</position>"
                            "<joints>0 0.25 0 0</joints></module>",
                            names[i], i / 10, i % 10);
        }
        som_text_add(&text, SOM_STR("</modules><connections>"));
        for (int i = 1; i < count; i++) {
            som_text_printf(&text,
                            "<connection><module1>%s</module1><module2>%s</module2>"
                            "<node1>0</node1><node2>3</node2></connection>",
                            names[i], names[i - 1]);
        }
        som_text_add(&text, SOM_STR("</connections></configuration>"));
        som_text_printf(&path, "%s.conf", file < 0 ? "" : names[file]);
        SomImported result = som_test_import(path.data, som_text_str(&text), 0);
        SomTestPlaced placed = som_test_place_text(som_text_str(&result.som));
        ck_assert_int_eq(placed.configuration->module_count, count);
        double worst = 0;
        for (int i = 0; i < count; i++) {
            SomPose pose = som_mechanism_module_pose(placed.mechanism, placed.links, i);
            worst = fmax(worst, fabs(pose.position.y - round(10 * pose.position.y) / 10));
        }
        ck_assert_double_lt(worst, 1e-9);
        ck_assert_double_eq(placed.posture.values[1], 0.25);
        som_test_free_placed(&placed);
        som_imported_free(&result);
        som_text_free(&text);
        som_text_free(&path);
    }
}
END_TEST

// Connections that close a ring are kept, and meet.
START_TEST(rings_close) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("<configuration><modules>"));
    for (int i = 0; i < 4; i++) {
        som_text_printf(&text,
                        "<module><name>m%d</name><position>0.%d 0.%d 0.05 0 0 0</position>"
                        "</module>",
                        i, i % 2, i / 2);
    }
    som_text_add(&text, SOM_STR("</modules><connections>"));
    static const int connections[4][4] = {{0, 1, 1, 2}, {0, 2, 3, 0}, {1, 3, 3, 0}, {2, 3, 1, 2}};
    for (int i = 0; i < 4; i++) {
        const int *c = connections[i];
        som_text_printf(&text,
                        "<connection><module1>m%d</module1><module2>m%d</module2>"
                        "<node1>%d</node1><node2>%d</node2></connection>",
                        c[0], c[1], c[2], c[3]);
    }
    som_text_add(&text, SOM_STR("</connections></configuration>"));
    SomImported result = som_test_import("ring.conf", som_text_str(&text), 0);
    SomTestPlaced placed = som_test_place_text(som_text_str(&result.som));
    int closures = 0;
    for (int i = 0; i < placed.configuration->connection_count; i++) {
        closures += placed.configuration->connections[i].is_closure;
    }
    ck_assert_int_eq(placed.configuration->connection_count, 4);
    ck_assert_int_eq(closures, 1);
    SomVec3 far = som_vec3_sub(som_test_pose_of(&placed, "m3").position, som_vec3(0.1, 0.1, 0.05));
    ck_assert_double_lt(som_vec3_length(far), 1e-12);
    som_test_free_placed(&placed);
    som_imported_free(&result);
    som_text_free(&text);
}
END_TEST

// ---- structures

typedef struct Structure {
    SomLabModel components[4];
    int kind[4]; // of each, which of them is its file
    int first[4];
    int count;
    SomLabModel whole;
    SomText text;
} Structure;

static void make_components(SomTestRandom *random, const SomLabType *type, const char *folder,
                            Structure *s) {
    s->count = som_test_int(random, 1, 4);
    for (int i = 0; i < s->count; i++) {
        s->kind[i] = som_test_int(random, 0, i); // some are of the same file
        SomLabModel *model = &s->components[i];
        SomText conf = {0}, path = {0};
        som_test_random_robot(random, som_test_int(random, 1, 6), i % 2 == 1, type, model);
        som_test_print_conf(model, random, &conf);
        som_text_printf(&path, "%s/part%d.conf", folder, i);
        SomDiagnostics *diags = som_diagnostics_create();
        ck_assert(som_file_save(path.data, som_text_str(&conf), diags));
        som_diagnostics_destroy(diags);
        som_text_free(&conf);
        som_text_free(&path);
    }
    for (int i = 0; i < s->count; i++) {
        const SomLabModel *model = &s->components[s->kind[i]];
        s->first[i] = s->whole.modules.count;
        for (int k = 0; k < model->modules.count; k++) {
            som_array_push(&s->whole.modules, model->modules.data[k]);
        }
        for (int k = 0; k < model->connections.count; k++) {
            SomLabConnection c = model->connections.data[k];
            c.a += s->first[i];
            c.b += s->first[i];
            som_array_push(&s->whole.connections, c);
        }
    }
}

// A face of a component that nothing is connected to; false if there is none.
static bool find_free(SomTestRandom *random, const Structure *s, int component, int *module,
                      int *face) {
    int count = s->components[s->kind[component]].modules.count;
    int start = som_test_int(random, 0, 4 * count - 1);
    for (int i = 0; i < 4 * count; i++) {
        int at = (start + i) % (4 * count);
        bool taken = false;
        for (int k = 0; k < s->whole.connections.count; k++) {
            const SomLabConnection *c = &s->whole.connections.data[k];
            int wanted = s->first[component] + at / 4;
            taken = taken || (c->a == wanted && c->face_a == at % 4) ||
                    (c->b == wanted && c->face_b == at % 4);
        }
        if (!taken) {
            *module = at / 4;
            *face = at % 4;
            return true;
        }
    }
    return false;
}

static void print_component(Structure *s, int i) {
    som_text_printf(&s->text,
                    "<Component><component_id>Component_%d</component_id>"
                    "<file_path>/data/designs/part%d.conf</file_path></Component>",
                    i, s->kind[i]);
}

// Component i hangs on an earlier one, either of them the first of the link; but the first link
// begins with component 0, which is the base.
static void print_link(SomTestRandom *random, Structure *s, int i) {
    int other = som_test_int(random, 0, i - 1), module[2], face[2];
    ck_assert(find_free(random, s, other, &module[0], &face[0]));
    ck_assert(find_free(random, s, i, &module[1], &face[1]));
    int quarters = som_test_int(random, -4, 8);
    double gap = som_test_int(random, 0, 1) == 0 ? 0 : som_test_uniform(random, 0, 0.1);
    bool swapped = i > 1 && som_test_int(random, 0, 1) == 0;
    int component[2] = {other, i}, first = swapped ? 1 : 0, second = 1 - first;
    som_text_printf(&s->text, "<Link><link_id>Link_%d</link_id><component1>", i);
    print_component(s, component[first]);
    som_text_add(&s->text, SOM_STR("</component1><component2>"));
    print_component(s, component[second]);
    som_text_printf(&s->text,
                    "</component2><module1>Module_%d</module1><module2>Module_%d</module2>"
                    "<node1>%d</node1><node2>%d</node2><distance>",
                    module[first], module[second], face[first], face[second]);
    som_text_number(&s->text, gap);
    som_text_printf(&s->text, "</distance><angle>%d</angle></Link>\n", 90 * quarters);
    SomLabConnection c = {.a = s->first[other] + module[0],
                          .b = s->first[i] + module[1],
                          .face_a = face[0],
                          .face_b = face[1],
                          .roll = quarters * (SOM_PI / 2),
                          .gap = gap};
    som_array_push(&s->whole.connections, c);
}

static void make_structure(SomTestRandom *random, const SomLabType *type, const char *folder,
                           Structure *s) {
    make_components(random, type, folder, s);
    som_text_add(&s->text, SOM_STR("<Structure><Components>\n"));
    for (int i = s->count - 1; i >= 0; i--) {
        print_component(s, i);
    }
    som_text_add(&s->text, SOM_STR("</Components>\n<Links>\n"));
    for (int i = 1; i < s->count; i++) {
        print_link(random, s, i);
    }
    som_text_add(&s->text, SOM_STR("</Links></Structure>\n"));
}

static SomImported import_structure(const Structure *s, const char *folder) {
    SomText path = {0};
    som_text_printf(&path, "%s/whole.struct", folder);
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert(som_file_save(path.data, som_text_str(&s->text), diags));
    SomArena texts = {0};
    SomImportOptions options = {.library = som_test_library_root()};
    SomImported result;
    SomStr paths[] = {som_text_str(&path)};
    if (!som_import(paths, 1, &options, &texts, &result, diags)) {
        SomText shown = {0};
        som_diagnostics_print(diags, 0, &shown);
        ck_abort_msg("%s", shown.data);
    }
    som_diagnostics_destroy(diags);
    som_arena_free(&texts);
    som_text_free(&path);
    return result;
}

// Links in the middle of chains, on all faces, with distances: what the lab's own program could
// not.
static double structure_error(SomTestRandom *random, const SomLabType *type, const char *folder) {
    Structure s = {0};
    make_structure(random, type, folder, &s);
    SomImported result = import_structure(&s, folder);
    SomTestPlaced placed = som_test_place_text(som_text_str(&result.som));
    int count = s.whole.modules.count;
    SomPose *poses = som_alloc((size_t)count * sizeof *poses);
    place_model(&s.whole, s.whole.modules.data[0].pose, poses);
    double lowest = poses[0].position.z, worst = 0;
    for (int i = 1; i < count; i++) {
        lowest = fmin(lowest, poses[i].position.z);
    }
    for (int i = 0; i < s.count; i++) {
        for (int k = 0; k < s.components[s.kind[i]].modules.count; k++) {
            char path[64];
            snprintf(path, sizeof path, "Component_%d.Module_%d", i, k);
            SomPose expected = poses[s.first[i] + k];
            expected.position.z += lowest < 0.05 ? 0.05 - lowest : 0;
            worst = fmax(worst, som_pose_distance(som_test_pose_of(&placed, path), expected));
        }
    }
    ck_assert_int_eq(placed.configuration->module_count, count);
    som_free(poses);
    som_test_free_placed(&placed);
    som_imported_free(&result);
    som_text_free(&s.text);
    som_lab_free(&s.whole);
    for (int i = 0; i < s.count; i++) {
        som_lab_free(&s.components[i]);
    }
    return worst;
}

START_TEST(structures_are_composed_as_their_links_say) {
    char folder[] = "/tmp/somite-structures-XXXXXX";
    ck_assert(mkdtemp(folder) != NULL);
    SomM3l *m3l;
    SomLabType type = lab_type(&m3l);
    SomTestRandom random = {12};
    double worst = 0;
    for (int n = 0; n < som_test_count(60, 2000); n++) {
        worst = fmax(worst, structure_error(&random, &type, folder));
    }
    som_m3l_destroy(m3l);
    static const char *const names[] = {"part0.conf", "part1.conf", "part2.conf", "part3.conf",
                                        "whole.struct"};
    for (int i = 0; i < 5; i++) {
        char path[100];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
    ck_assert_double_lt(worst, 1e-7);
}
END_TEST

// ---- chains

// The two halves of a module of a chain, from the centre to its faces, along y.
static void find_lengths(const SomModuleType *type, double *in, double *out) {
    int i = som_module_type_find_connector(type, SOM_STR("in"));
    int o = som_module_type_find_connector(type, SOM_STR("out"));
    *in = i >= 0 ? -type->connectors[i].position.y : 0;
    *out = o >= 0 ? type->connectors[o].position.y : 0;
}

static SomPose along(double y) {
    return som_pose_translation(som_vec3(0, y, 0));
}

static SomMat3 joint_turn(char type, double angle) {
    return strchr("Ii", type) != NULL   ? som_rotation_y(angle)
           : strchr("Tt", type) != NULL ? som_rotation_z(angle)
                                        : som_mat3_identity();
}

// Where a chain goes on behind a module, and from where to its frame.
static SomPose chain_exit(const SomChainModule *module, double angle, double in, double out) {
    SomPose flip = turned(som_rotation_z(SOM_PI));
    return module->is_inverted ? compose(along(-in), flip)
                               : compose(turned(joint_turn(module->type, angle)), along(out));
}

static SomPose chain_enter(const SomChainModule *module, double angle, double in, double out) {
    SomPose flip = turned(som_rotation_z(SOM_PI));
    SomPose end = compose(turned(joint_turn(module->type, angle)), along(out));
    return module->is_inverted ? compose(flip, som_pose_invert(end)) : along(in);
}

static double chain_error(const char *text, SomTestRandom *random) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomChain chain = {0};
    ck_assert(som_chain_parse(som_str(text), 0, strlen(text), 0, &chain, diags));
    som_diagnostics_destroy(diags);
    SomImported result = som_test_import("arm.chain", som_str(text), 0);
    SomTestPlaced placed = som_test_place_text(som_text_str(&result.som));
    double angles[32] = {0}, worst = 0;
    for (int i = 0; i < chain.count; i++) {
        char path[32];
        snprintf(path, sizeof path, "%c%d.joint", chain.data[i].type, i + 1);
        SomAlias alias;
        int dof = som_configuration_find_dof(placed.configuration, som_str(path), &alias);
        if (dof >= 0) {
            angles[i] = som_test_uniform(random, -2, 2);
            placed.posture.values[dof] = som_alias_to_joint(alias, angles[i]);
        }
    }
    som_mechanism_place(placed.mechanism, &placed.posture, placed.links);
    SomPose expected = som_pose_identity();
    for (int i = 0; i < chain.count; i++) {
        char path[32];
        snprintf(path, sizeof path, "%c%d", chain.data[i].type, i + 1);
        int module = som_configuration_find_module(placed.configuration, som_str(path));
        double in, out;
        find_lengths(placed.configuration->modules[module].type, &in, &out);
        if (i == 0) {
            expected = som_test_pose_of(&placed, path);
        } else {
            SomPose turn = turned(som_rotation_y(chain.data[i].degrees * (SOM_PI / 180)));
            expected =
                compose(compose(expected, turn), chain_enter(&chain.data[i], angles[i], in, out));
            worst = fmax(worst, som_pose_distance(som_test_pose_of(&placed, path), expected));
        }
        expected = compose(expected, chain_exit(&chain.data[i], angles[i], in, out));
    }
    som_test_free_placed(&placed);
    som_imported_free(&result);
    som_array_free(&chain);
    return worst;
}

START_TEST(chains_go_where_their_angles_say) {
    static const char *const chains[] = {"I-T'0-T'0-A0-t0-i0-g0",
                                         "I-T0-T0-A-i0-t180-g90",
                                         "G'-I0-T'0-L0-T'(-90)-T180-I'0-G0",
                                         "I-T90-I'(-90)-T'180-L90-A180-i'90-t'(-90)-l180-g0",
                                         "T'-I'90-T(-90)-S180",
                                         "G'-T90-W(-90)"};
    SomTestRandom random = {13};
    double worst = 0;
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        for (int n = 0; n < 5; n++) {
            worst = fmax(worst, chain_error(chains[i], &random));
        }
    }
    ck_assert_double_lt(worst, 1e-12);
}
END_TEST

// A chain stands on its base, upwards.
START_TEST(chains_stand_upright) {
    SomImported result = som_test_import("arm.chain", SOM_STR("I-T0-A0-g0"), 0);
    SomTestPlaced placed = som_test_place_text(som_text_str(&result.som));
    SomPose base = som_test_pose_of(&placed, "I1"), end = som_test_pose_of(&placed, "g4");
    ck_assert_double_lt(fabs(base.position.z - 0.12015), 1e-9); // from its face to its joint
    ck_assert_double_gt(end.position.z, 0.5);
    ck_assert_double_lt(fabs(end.position.x) + fabs(end.position.y), 1e-12);
    som_test_free_placed(&placed);
    som_imported_free(&result);
}
END_TEST

// ---- robots

START_TEST(robots_are_those_of_their_file) {
    SomImported result =
        som_test_import("mtran.m3l", som_test_source("library/modules/mtran.m3l"), 0);
    SomTestPlaced imported = som_test_place_text(som_text_str(&result.som));
    SomTestPlaced robot =
        som_test_place_text(SOM_STR("use \"mtran.m3l\"\nconfig Q { part r : quadruped }\n"));
    ck_assert_int_eq(imported.configuration->module_count, 9);
    SomPose base[2] = {som_test_pose_of(&imported, "m5"), som_test_pose_of(&robot, "r.m5")};
    double worst = 0;
    for (int i = 1; i <= 9; i++) {
        char path[32];
        snprintf(path, sizeof path, "r.m%d", i);
        SomPose a = som_pose_relative(base[0], som_test_pose_of(&imported, path + 2));
        SomPose b = som_pose_relative(base[1], som_test_pose_of(&robot, path));
        worst = fmax(worst, som_pose_distance(a, b));
    }
    ck_assert_double_lt(worst, 1e-9);
    som_test_free_placed(&robot);
    som_test_free_placed(&imported);
    som_imported_free(&result);
}
END_TEST

SOM_SUITE("exchange/imported", configurations_stand_where_their_files_say, any_name_will_do,
          rings_close, structures_are_composed_as_their_links_say, chains_go_where_their_angles_say,
          chains_stand_upright, robots_are_those_of_their_file)
