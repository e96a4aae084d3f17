// Models of links and joints become module types: what is read back stands, weighs and moves as the
// model says, and what no module can have is told.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/exchange_codes.h"
#include "base/file.h"
#include "exchange/link_model.h"
#include "space/mesh.h"
#include "space/trigonometry.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Bench {
    SomImportOptions options;
    SomArena texts;
    SomImported result;
    SomImporter importer;
    SomStr connectors[2];
    SomM3l *m3l;
} Bench;

static void set_up(Bench *b) {
    *b = (Bench){.options = {.out = SOM_STR("arm.som")}};
    b->importer = (SomImporter){.options = &b->options,
                                .texts = &b->texts,
                                .result = &b->result,
                                .is_in_memory = true,
                                .diags = som_diagnostics_create()};
}

static void tear_down(Bench *b) {
    som_m3l_destroy(b->m3l);
    som_importer_free(&b->importer);
    som_diagnostics_destroy(b->importer.diags);
    som_imported_free(&b->result);
    som_arena_free(&b->texts);
}

// The only type that came out.
static const SomModuleType *finish(Bench *b) {
    if (!som_importer_finish_types(&b->importer)) {
        SomText shown = {0};
        som_diagnostics_print(b->importer.diags, 0, &shown);
        ck_abort_msg("%s%s", shown.data, b->importer.types.data);
    }
    ck_assert_int_ge(b->result.files.count, 1);
    SomDiagnostics *diags = som_diagnostics_create();
    b->m3l = som_m3l_read(b->result.files.data[0].content, 0, diags);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    som_diagnostics_destroy(diags);
    ck_assert_int_eq(b->m3l->type_count, 1);
    return &b->m3l->types[0];
}

static SomPose any_pose(SomTestRandom *random) {
    double y[6];
    for (int i = 0; i < 6; i++) {
        y[i] = som_test_uniform(random, -1, 1);
    }
    return som_pose_from_coordinates(y);
}

static SomModelShape box_at(SomPose pose) {
    SomShape shape = {.kind = SOM_SHAPE_BOX, .half = som_vec3(0.05, 0.1, 0.2)};
    return (SomModelShape){.shape = shape, .pose = pose, .scale = som_vec3(1, 1, 1)};
}

static int add_link(SomLinkModel *model, const char *name, SomPose pose) {
    SomModelLink link = {.name = som_str(name), .pose = pose, .has_mass = true};
    link.inertia = (SomInertia){.mass = 2, .center = som_vec3(0.01, 0.02, 0.03)};
    link.inertia.moments = (SomMat3){{{0.02, 0.001, 0}, {0.001, 0.03, 0.002}, {0, 0.002, 0.04}}};
    som_array_push(&link.collisions, box_at(pose));
    return som_link_model_add_link(model, &link);
}

static SomModelAxis turning(SomVec3 direction) {
    return (SomModelAxis){.type = SOM_JOINT_REVOLUTE,
                          .direction = direction,
                          .low = -1,
                          .high = (double)INFINITY,
                          .effort = 5,
                          .speed = 3};
}

static int add_joint(SomLinkModel *model, const char *name, int parent, int child, SomVec3 origin,
                     SomVec3 direction) {
    SomModelJoint joint = {.name = som_str(name),
                           .parent = parent,
                           .child = child,
                           .origin = origin,
                           .axes = {turning(direction)},
                           .axis_count = 1};
    return som_link_model_add_joint(model, &joint);
}

// ---- what is carried

START_TEST(links_joints_and_masses_are_those_of_the_model) {
    SomTestRandom random = {7};
    for (int round = 0; round < 50; round++) {
        Bench b;
        set_up(&b);
        SomLinkModel model = {.name = SOM_STR("arm"), .root = -1};
        SomPose poses[3];
        for (int i = 0; i < 3; i++) {
            poses[i] = any_pose(&random);
        }
        const char *names[3] = {"base", "link", "a hand"};
        for (int i = 0; i < 3; i++) {
            add_link(&model, names[i], poses[i]);
        }
        SomVec3 origin = any_pose(&random).position, axis = any_pose(&random).position;
        add_joint(&model, "shoulder", 0, 1, origin, axis);
        add_joint(&model, "wrist", 1, 2, origin, som_vec3(0, 0, 2));
        ck_assert(som_importer_add_model(&b.importer, &model));
        const SomModuleType *type = finish(&b);
        ck_assert_int_eq(type->link_count, 3);
        ck_assert_int_eq(type->root, 0);
        for (int i = 0; i < 3; i++) {
            const SomModuleLink *link = &type->links[i];
            ck_assert(som_str_equal(link->name, som_str(names[i])));
            ck_assert_double_le(som_pose_distance(link->frame, poses[i]), 1e-12);
            SomInertia wanted = som_inertia_transform(poses[i], model.links.data[i].inertia);
            ck_assert_double_le(som_vec3_length(som_vec3_sub(link->inertia.center, wanted.center)),
                                1e-12);
            for (int k = 0; k < 9; k++) {
                ck_assert_double_le(
                    fabs(link->inertia.moments.m[k / 3][k % 3] - wanted.moments.m[k / 3][k % 3]),
                    1e-14);
            }
            SomPose box = som_pose_compose(poses[i], poses[i]);
            ck_assert_int_eq(link->part_count, 1);
            ck_assert_double_le(som_pose_distance(link->parts[0].pose, box), 1e-12);
        }
        // the child turned by the joint, against the formula
        double values[2] = {0.7, 0};
        SomPose placed[3];
        som_module_type_place(type, values, placed);
        SomVec3 unit = som_vec3_scale(1 / som_vec3_length(axis), axis);
        SomPose turn = {.rotation = som_rotation_exp(som_vec3_scale(0.7, unit))};
        turn.position = som_vec3_sub(origin, som_mat3_apply(turn.rotation, origin));
        ck_assert_double_le(som_pose_distance(placed[2], turn), 1e-12);
        ck_assert_double_eq(type->joints[0].low, -1);
        ck_assert(isinf(type->joints[0].high));
        ck_assert_double_eq(type->joints[0].effort, 5);
        som_link_model_free(&model);
        tear_down(&b);
    }
}
END_TEST

START_TEST(a_joint_of_several_axes_is_a_chain) {
    Bench b;
    set_up(&b);
    SomLinkModel model = {.name = SOM_STR("arm"), .root = -1};
    add_link(&model, "base", som_pose_identity());
    add_link(&model, "hand", som_pose_identity());
    int joint = add_joint(&model, "cardan", 0, 1, som_vec3(0, 0, 0.5), som_vec3(1, 0, 0));
    model.joints.data[joint].axes[1] = turning(som_vec3(0, 1, 0));
    model.joints.data[joint].axis_count = 2;
    ck_assert(som_importer_add_model(&b.importer, &model));
    const SomModuleType *type = finish(&b);
    ck_assert_int_eq(type->link_count, 3);
    ck_assert_int_eq(type->joint_count, 2);
    double values[2] = {0.3, 0.4};
    SomPose placed[3];
    som_module_type_place(type, values, placed);
    SomMat3 wanted = som_mat3_multiply(som_rotation_x(0.3), som_rotation_y(0.4));
    int hand = som_module_type_find_link(type, SOM_STR("hand"));
    ck_assert_double_le(som_rotation_distance(placed[hand].rotation, wanted), 1e-12);
    som_link_model_free(&model);
    tear_down(&b);
}
END_TEST

START_TEST(kept_texts_come_back) {
    Bench b;
    set_up(&b);
    SomLinkModel model = {.name = SOM_STR("arm"), .root = -1};
    const char *text = "<gazebo reference=\"base\">\n  <mu>0.2</mu> \\ \n</gazebo>";
    add_link(&model, "base", som_pose_identity());
    model.kept.urdf = som_str(text);
    model.links.data[0].kept.sdf = SOM_STR("<gravity>0</gravity>");
    ck_assert(som_importer_add_model(&b.importer, &model));
    const SomModuleType *type = finish(&b);
    ck_assert(som_str_equal(type->kept.urdf, som_str(text)));
    ck_assert(som_str_equal(type->links[0].kept.sdf, SOM_STR("<gravity>0</gravity>")));
    som_link_model_free(&model);
    tear_down(&b);
}
END_TEST

START_TEST(named_connectors_mate_in_four_ways) {
    Bench b;
    set_up(&b);
    b.connectors[0] = SOM_STR("base:-z");
    b.connectors[1] = SOM_STR("tip");
    b.options.connectors = b.connectors;
    b.options.connector_count = 2;
    SomLinkModel model = {.name = SOM_STR("arm"), .root = -1};
    add_link(&model, "base", som_pose_identity());
    SomModelFrame tip = {SOM_STR("tip"), {0}, 0, som_pose_translation(som_vec3(0, 0, 0.3))};
    som_array_push(&model.frames, tip);
    ck_assert(som_link_model_name_connectors(&b.importer, &model));
    ck_assert(som_importer_add_model(&b.importer, &model));
    const SomModuleType *type = finish(&b);
    ck_assert_int_eq(type->connector_count, 2);
    SomVec3 out = som_pose_rotate(type->connectors[0].frame, som_vec3(1, 0, 0));
    ck_assert_double_le(som_vec3_length(som_vec3_sub(out, som_vec3(0, 0, -1))), 1e-12);
    SomMatingChoice choices[8];
    int count = som_m3l_find_matings(b.m3l, type, 1, type, 0, choices, 8);
    ck_assert_int_eq(count, 8);       // four rolls, each from both sides
    for (int i = 0; i < count; i++) { // stacked, upright
        SomPose at = choices[i].transform;
        ck_assert_double_le(som_vec3_length(som_vec3_sub(at.position, som_vec3(0, 0, 0.3))), 1e-9);
        ck_assert_double_ge(at.rotation.m[2][2], 1 - 1e-12);
    }
    som_link_model_free(&model);
    tear_down(&b);
}
END_TEST

// ---- what is told

static bool add(Bench *b, SomLinkModel *model) {
    bool fine = som_link_model_name_connectors(&b->importer, model) &&
                som_importer_add_model(&b->importer, model);
    som_link_model_free(model);
    return fine;
}

static bool has(const Bench *b, SomCode code) {
    return som_diagnostics_has(b->importer.diags, code);
}

START_TEST(what_no_module_has_is_refused) {
    Bench b;
    set_up(&b);
    SomLinkModel none = {.name = SOM_STR("arm"), .root = -1};
    ck_assert(!add(&b, &none) && has(&b, SOM_MODEL_EMPTY));
    SomLinkModel apart = {.name = SOM_STR("arm"), .root = -1};
    add_link(&apart, "base", som_pose_identity());
    add_link(&apart, "hand", som_pose_identity());
    ck_assert(!add(&b, &apart) && has(&b, SOM_MODEL_IN_PIECES));
    SomLinkModel many = {.name = SOM_STR("arm"), .root = -1};
    for (int i = 0; i < 300; i++) {
        add_link(&many, "link", som_pose_identity());
    }
    ck_assert(!add(&b, &many) && has(&b, SOM_MODEL_TOO_MUCH));
    SomLinkModel far = {.name = SOM_STR("arm"), .root = -1};
    add_link(&far, "base", som_pose_translation(som_vec3(0, (double)NAN, 0)));
    ck_assert(!add(&b, &far) && has(&b, SOM_IMPORT_OUT_OF_RANGE));
    SomLinkModel turned = {.name = SOM_STR("arm"), .root = -1};
    add_link(&turned, "base", som_pose_identity());
    b.connectors[0] = SOM_STR("bsae");
    b.options.connectors = b.connectors;
    b.options.connector_count = 1;
    ck_assert(!add(&b, &turned) && has(&b, SOM_MODEL_NO_CONNECTOR));
    tear_down(&b);
}
END_TEST

START_TEST(what_is_repaired_is_told) {
    Bench b;
    set_up(&b);
    SomLinkModel model = {.name = SOM_STR("arm"), .root = -1};
    add_link(&model, "base", som_pose_identity());
    add_link(&model, "elbow", som_pose_identity());
    add_joint(&model, "elbow", 0, 1, som_vec3(0, 0, 0), som_vec3(0, 0, 1));
    model.links.data[0].has_mass = false;
    model.links.data[1].span = (SomSpan){1, 0, 1};
    model.links.data[1].inertia.moments.m[2][2] = 4;
    SomModelShape mesh = {.mesh = SOM_STR("no/such.stl"), .pose = som_pose_identity()};
    som_array_push(&model.links.data[1].collisions, mesh);
    som_diagnostics_add_source(b.importer.diags, SOM_STR("arm.urdf"), SOM_STR(" "));
    ck_assert(add(&b, &model));
    ck_assert(has(&b, SOM_MODEL_NO_MASS) && has(&b, SOM_MODEL_IMPOSSIBLE_INERTIA));
    ck_assert(has(&b, SOM_MODEL_RENAMED) && has(&b, SOM_MODEL_NO_MESH));
    ck_assert(!has(&b, SOM_MODEL_ONLY_SEEN));
    const SomModuleType *type = finish(&b);
    ck_assert(som_str_equal(type->links[1].name, SOM_STR("elbow_link")));
    ck_assert(som_inertia_is_physical(type->links[1].inertia));
    tear_down(&b);
}
END_TEST

START_TEST(what_is_lost_is_told) {
    Bench b;
    set_up(&b);
    SomLinkModel model = {.name = SOM_STR("arm"), .root = -1};
    add_link(&model, "base", som_pose_identity());
    add_link(&model, "hand", som_pose_identity());
    add_joint(&model, "elbow", 0, 1, som_vec3(0, 0, 0), som_vec3(0, 0, 1));
    model.joints.data[0].axes[0].low = 2;
    model.joints.data[0].axes[0].high = 1;
    model.joints.data[0].axes[0].damping = -1;
    model.links.data[0].inertia.mass = -1;
    SomModelShape red = box_at(som_pose_identity()), blue = red;
    red.color[0] = blue.color[2] = 1;
    som_array_push(&model.links.data[1].visuals, red);
    som_array_push(&model.links.data[1].visuals, blue);
    ck_assert(add(&b, &model) && has(&b, SOM_MODEL_LOST));
    SomText shown = {0};
    som_diagnostics_print(b.importer.diags, 0, &shown);
    const char *const words[] = {
        "the mass of link 'base' is negative", "link 'hand' has several colors",
        "the limits of joint 'elbow' are the wrong way round", "joint 'elbow' has a negative"};
    for (int i = 0; i < 4; i++) {
        ck_assert_msg(strstr(shown.data, words[i]) != NULL, "%s: %s", words[i], shown.data);
    }
    som_text_free(&shown);
    const SomModuleType *type = finish(&b);
    ck_assert(!isfinite(type->joints[0].low) && !isfinite(type->joints[0].high));
    tear_down(&b);

    set_up(&b);
    SomLinkModel flat = {.name = SOM_STR("arm"), .root = -1};
    add_link(&flat, "base", som_pose_identity());
    add_link(&flat, "hand", som_pose_identity());
    add_joint(&flat, "elbow", 0, 1, som_vec3(0, 0, 0), som_vec3(0, 0, 0));
    ck_assert(!add(&b, &flat) && has(&b, SOM_IMPORT_OUT_OF_RANGE));
    tear_down(&b);
}
END_TEST

START_TEST(a_type_that_cannot_be_read_is_refused) {
    Bench b;
    set_up(&b);
    som_text_add(&b.importer.types, SOM_STR("module arm:\nlink base: mass=-1\n"));
    ck_assert(!som_importer_finish_types(&b.importer));
    ck_assert(has(&b, SOM_MODEL_UNFIT));
    tear_down(&b);
}
END_TEST

// ---- looks

START_TEST(links_that_are_only_seen_are_told_once) {
    Bench b;
    set_up(&b);
    SomLinkModel model = {.name = SOM_STR("arm"), .root = -1};
    for (int i = 0; i < 3; i++) {
        SomModelLink link = {.name = som_str(i == 0   ? "a"
                                             : i == 1 ? "b"
                                                      : "c"),
                             .pose = som_pose_identity()};
        som_array_push(i == 0 ? &link.collisions : &link.visuals, box_at(som_pose_identity()));
        som_link_model_add_link(&model, &link);
    }
    add_joint(&model, "ab", 0, 1, som_vec3(0, 0, 0), som_vec3(0, 0, 1));
    add_joint(&model, "bc", 1, 2, som_vec3(0, 0, 0), som_vec3(0, 0, 1));
    ck_assert(add(&b, &model));
    SomText shown = {0};
    som_diagnostics_print(b.importer.diags, 0, &shown);
    ck_assert_ptr_nonnull(
        strstr(shown.data, "link 'b' is only seen: it has no collision; likewise 'c'"));
    som_text_free(&shown);
    const SomModuleType *type = finish(&b);
    ck_assert_int_eq(type->links[1].part_count, 0);
    ck_assert(type->links[1].mesh.length > 0);
    tear_down(&b);
}
END_TEST

// With circles of 32 points, and quarter circles of eight steps.
static double faceted_volume(const SomShape *shape) {
    double r = shape->radius, circle = 16 * sin(SOM_PI / 16), step = SOM_PI / 16;
    if (shape->kind == SOM_SHAPE_BOX) {
        return 8 * shape->half.x * shape->half.y * shape->half.z;
    }
    double volume = 2 * shape->half_length * circle * r * r;
    for (int i = 0; i < 8 && shape->kind != SOM_SHAPE_CYLINDER; i++) {
        double low = r * cos(i * step), high = r * cos((i + 1) * step);
        double height = r * (sin((i + 1) * step) - sin(i * step));
        volume += 2 * height * circle * (low * low + low * high + high * high) / 3;
    }
    return volume;
}

// Closed, oriented outwards, and as large as they should be.
START_TEST(primitives_that_are_seen_are_closed_meshes) {
    const struct {
        SomShape shape;
        SomVec3 half;
    } cases[] = {{{.kind = SOM_SHAPE_BOX, .half = {0.1, 0.2, 0.3}}, {0.1, 0.2, 0.3}},
                 {{.kind = SOM_SHAPE_CYLINDER, .radius = 0.1, .half_length = 0.3}, {0.1, 0.1, 0.3}},
                 {{.kind = SOM_SHAPE_SPHERE, .radius = 0.1}, {0.1, 0.1, 0.1}},
                 {{.kind = SOM_SHAPE_CAPSULE, .radius = 0.1, .half_length = 0.3}, {0.1, 0.1, 0.4}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Bench b;
        set_up(&b);
        SomLinkModel model = {.name = SOM_STR("arm"), .root = -1};
        add_link(&model, "base", som_pose_identity());
        SomModelShape seen = {.shape = cases[i].shape,
                              .pose = som_pose_translation(som_vec3(1, 2, 3))};
        som_array_push(&model.links.data[0].visuals, seen);
        ck_assert(som_importer_add_model(&b.importer, &model));
        SomMesh mesh = {0};
        SomMeshOptions options = {0};
        ck_assert(som_mesh_parse(b.result.files.data[0].content, SOM_STR("a.ply"), &options, &mesh,
                                 b.importer.diags));
        SomMeshTopology topology = som_mesh_topology(&mesh);
        ck_assert_msg(topology.is_closed && topology.is_oriented, "case %zu", i);
        SomBounds bounds = som_mesh_bounds(&mesh);
        SomVec3 size = som_vec3_sub(bounds.high, bounds.low);
        ck_assert_double_le(som_vec3_length(som_vec3_sub(size, som_vec3_scale(2, cases[i].half))),
                            1e-9);
        int warnings = som_diagnostics_warning_count(b.importer.diags); // none that it is turned
        SomInertia inertia;
        ck_assert(
            som_mesh_inertia(&mesh, SOM_STR(""), 1, (SomSpan){0}, &inertia, b.importer.diags));
        ck_assert_int_eq(som_diagnostics_warning_count(b.importer.diags), warnings);
        double volume = faceted_volume(&cases[i].shape);
        ck_assert_msg(fabs(inertia.mass - volume) < 1e-9, "case %zu: %g, %g", i, inertia.mass,
                      volume);
        ck_assert_double_le(som_vec3_length(som_vec3_sub(inertia.center, som_vec3(1, 2, 3))), 1e-9);
        som_mesh_free(&mesh);
        som_link_model_free(&model);
        tear_down(&b);
    }
}
END_TEST

START_TEST(looks_and_hulls_are_those_of_the_shapes) {
    Bench b;
    set_up(&b);
    SomLinkModel model = {.name = SOM_STR("arm"), .root = -1};
    add_link(&model, "base", som_pose_identity());
    SomModelShape seen = {.shape = {.kind = SOM_SHAPE_CYLINDER, .radius = 0.1, .half_length = 0.3},
                          .pose = som_pose_translation(som_vec3(1, 0, 0))};
    som_array_push(&model.links.data[0].visuals, seen);
    ck_assert(som_importer_add_model(&b.importer, &model));
    ck_assert_str_eq(b.result.files.data[0].path.data, "arm_meshes/arm_base.ply");
    SomMesh mesh = {0};
    SomMeshOptions options = {0};
    ck_assert(som_mesh_parse(b.result.files.data[0].content, SOM_STR("a.ply"), &options, &mesh,
                             b.importer.diags));
    SomInertia inertia;
    ck_assert(som_mesh_topology(&mesh).is_closed);
    ck_assert(som_mesh_inertia(&mesh, SOM_STR(""), 1, (SomSpan){0}, &inertia, b.importer.diags));
    double volume = som_shape_volume(&seen.shape); // of a prism with 32 sides, 0.6 percent less
    ck_assert_double_le(fabs(inertia.mass / volume - 0.9936), 1e-3);
    ck_assert_double_le(fabs(inertia.center.x - 1), 1e-9);
    som_mesh_free(&mesh);

    // the same file as what touches, twice as long and mirrored
    char folder[] = "/tmp/som_modelXXXXXX";
    SomText path = {0};
    ck_assert(mkdtemp(folder) != NULL);
    som_text_printf(&path, "%s/seen.PLY", folder);
    ck_assert(som_file_save(path.data, b.result.files.data[0].content, b.importer.diags));
    SomLinkModel touched = {.name = SOM_STR("touched"), .root = -1};
    SomModelLink link = {.name = SOM_STR("base"), .pose = som_pose_identity()};
    SomModelShape hull = {
        .mesh = som_text_str(&path), .pose = som_pose_identity(), .scale = som_vec3(-2, 1, 1)};
    som_array_push(&link.collisions, hull);
    som_link_model_add_link(&touched, &link);
    ck_assert(som_importer_add_model(&b.importer, &touched));
    ck_assert(has(&b, SOM_MODEL_HULL));
    ck_assert(som_importer_finish_types(&b.importer));
    b.m3l = som_m3l_read(b.result.files.data[0].content, 0, b.importer.diags);
    const SomModuleType *type = som_m3l_find_type(b.m3l, SOM_STR("touched"));
    ck_assert_double_le(fabs(som_shape_volume(&type->links[0].parts[0].shape) / inertia.mass - 2),
                        1e-9);
    ck_assert_double_le(fabs(type->links[0].inertia.center.x + 2), 1e-9);
    ck_assert(remove(path.data) == 0 && rmdir(folder) == 0);
    som_text_free(&path);
    som_link_model_free(&model);
    som_link_model_free(&touched);
    tear_down(&b);
}
END_TEST

SOM_SUITE("exchange/link_model", links_joints_and_masses_are_those_of_the_model,
          a_joint_of_several_axes_is_a_chain, kept_texts_come_back,
          named_connectors_mate_in_four_ways, what_no_module_has_is_refused,
          what_is_repaired_is_told, what_is_lost_is_told, a_type_that_cannot_be_read_is_refused,
          links_that_are_only_seen_are_told_once, primitives_that_are_seen_are_closed_meshes,
          looks_and_hulls_are_those_of_the_shapes)
