// SPDX-License-Identifier: Apache-2.0

#include "tests/render/scenes.h"

#include "render/joint_signs.h"
#include "render/support_sign.h"
#include "space/trigonometry.h"

#include <assert.h>

typedef struct Stage {
    SomScene *scene;
    SomVec3 place;
    int count;
} Stage;

static void stand(Stage *stage, SomShape shape, SomMat3 turn, double x, double y, double z) {
    SomLook look = {.color = som_color_of_index(stage->count), .owner = (uint32_t)++stage->count};
    SomPose pose = {turn, som_vec3_add(stage->place, som_vec3(x, y, z))};
    som_scene_add_shape(stage->scene, &shape, pose, &look);
    som_shape_free(&shape);
}

static SomShape prism(void) {
    SomVec3 points[12];
    for (int i = 0; i < 12; i++) {
        double s, c;
        som_sincos(2 * SOM_PI * (i % 6) / 6, &s, &c);
        points[i] = som_vec3(0.05 * c, 0.05 * s, i < 6 ? -0.04 : 0.04);
    }
    SomShape shape;
    SomDiagnostics *diags = som_diagnostics_create();
    bool is_made = som_shape_hull(&shape, points, 12, (SomSpan){0}, diags);
    assert(is_made);
    (void)is_made;
    som_diagnostics_destroy(diags);
    return shape;
}

// A roof without gables: open, so that both sides of its faces are seen.
static void stand_roof(Stage *stage) {
    SomVec3 vertices[] = {{-0.05, -0.05, 0}, {0.05, -0.05, 0}, {0.05, 0, 0.06},
                          {-0.05, 0, 0.06},  {0.05, 0.05, 0},  {-0.05, 0.05, 0}};
    int32_t triangles[] = {0, 1, 2, 0, 2, 3, 3, 2, 4, 3, 4, 5};
    SomMesh mesh = {
        .vertices = vertices, .triangles = triangles, .vertex_count = 6, .triangle_count = 4};
    SomLook look = {.color = som_color_of_index(stage->count), .owner = (uint32_t)++stage->count};
    SomPose pose = {som_rotation_z(0.4), som_vec3_add(stage->place, som_vec3(0.13, 0.12, 0))};
    som_scene_add_item(stage->scene, som_scene_add_mesh(stage->scene, &mesh), pose, &look);
}

SomScene som_test_scene_of_shapes(SomVec3 place) {
    SomScene scene = {0};
    Stage stage = {&scene, place, 0};
    SomMat3 upright = som_mat3_identity();
    som_scene_set_ground(&scene, place.z);
    stand(&stage, (SomShape){.kind = SOM_SHAPE_BOX, .half = {0.05, 0.05, 0.05}},
          som_rotation_z(0.3), 0, 0, 0.05);
    stand(&stage, (SomShape){.kind = SOM_SHAPE_CYLINDER, .radius = 0.04, .half_length = 0.05},
          som_rotation_x(SOM_PI / 2), 0.12, 0, 0.04);
    stand(&stage, (SomShape){.kind = SOM_SHAPE_SPHERE, .radius = 0.05}, upright, -0.11, 0.02, 0.05);
    stand(&stage, (SomShape){.kind = SOM_SHAPE_CAPSULE, .radius = 0.025, .half_length = 0.05},
          som_rotation_x(0.5), 0.01, 0.11, 0.08);
    stand(&stage, prism(), som_rotation_y(0.2), -0.1, 0.13, 0.05);
    SomShapePart parts[2] = {
        {{.kind = SOM_SHAPE_BOX, .half = {0.06, 0.015, 0.015}}, som_pose_identity()},
        {{.kind = SOM_SHAPE_CYLINDER, .radius = 0.03, .half_length = 0.01},
         som_pose_translation(som_vec3(0.06, 0, 0))}};
    stand(&stage, som_shape_compound(parts, 2), som_rotation_z(0.7), -0.02, -0.13, 0.015);
    // the same colour as its neighbour, which it touches: only edges tell them apart
    stage.count = 1;
    stand(&stage, (SomShape){.kind = SOM_SHAPE_CYLINDER, .radius = 0.04, .half_length = 0.03},
          upright, 0.12, -0.09, 0.03);
    stage.count = 6;
    stand_roof(&stage);
    return scene;
}

SomScene som_test_scene_of_marks(void) {
    static const unsigned flags[] = {0,
                                     SOM_LOOK_SELECTED,
                                     SOM_LOOK_HIGHLIGHTED,
                                     SOM_LOOK_ALARMED,
                                     SOM_LOOK_GHOST,
                                     SOM_LOOK_GHOST | SOM_LOOK_SELECTED,
                                     SOM_LOOK_NO_SHADOW,
                                     SOM_LOOK_NO_EDGES};
    SomScene scene = {0};
    som_scene_set_ground(&scene, 0);
    SomColor green = som_color(0.1f, 0.5f, 0.3f), red = som_color(0.75f, 0.1f, 0.1f);
    for (int i = 0; i < 8; i++) {
        SomVec3 place = som_vec3(0.14 * (i % 4), 0.14 * (i / 4), 0.05);
        SomShape box = {.kind = SOM_SHAPE_BOX, .half = {0.05, 0.05, 0.04}};
        SomLook look = {.flags = flags[i], .owner = (uint32_t)i + 1};
        som_scene_add_shape(&scene, &box, som_pose_translation(place), &look);
        SomPose front = {som_rotation_z(-SOM_PI / 2), som_vec3_add(place, som_vec3(0, -0.05, 0))};
        som_scene_add_connector(&scene, front, 0.025, green, (uint32_t)i + 1);
        som_scene_add_axis(&scene, som_pose_translation(place), 0.16, red);
    }
    som_scene_add_frame(&scene, som_pose_translation(som_vec3(-0.12, -0.1, 0)), 0.1);
    som_scene_add_line(&scene, som_vec3(-0.1, 0.07, 0.05), som_vec3(0.55, 0.07, 0.05), 2,
                       som_color(0.2f, 0.2f, 0.9f), 0);
    som_scene_add_arrow(&scene, som_vec3(0.55, -0.1, 0), som_vec3(0.55, 0.05, 0.15), 2,
                        som_color(0.9f, 0.5f, 0), 0);
    som_scene_add_mark(&scene, SOM_MARK_DOT, som_vec3(0.45, -0.1, 0), 10, red);
    som_scene_add_center_of_mass(&scene, som_vec3(0.21, 0.07, 0.06));
    return scene;
}

SomScene som_test_scene_of_signs(bool is_dark) {
    static const SomVec3 corners[] = {
        {-0.1, -0.1, 0}, {0.5, -0.15, 0}, {0.55, 0.3, 0}, {0, 0.35, 0}};
    SomScene scene = {.is_dark = is_dark, .veil = 0.4f};
    som_scene_set_ground(&scene, 0);
    for (int i = 0; i < SOM_JOINT_TYPES; i++) {
        SomVec3 place = som_vec3(0.14 * (i % 4), 0.14 * (i / 4), 0.05);
        som_scene_add_joint_sign(&scene, (SomJointType)i, som_pose_translation(place), 0.1,
                                 som_color_of_index(i));
    }
    SomShape body = {.kind = SOM_SHAPE_BOX, .half = {0.25, 0.03, 0.1}};
    SomLook look = {0};
    som_scene_add_shape(&scene, &body, som_pose_translation(som_vec3(0.2, 0.07, 0.1)), &look);
    SomSupportSign support = {corners, 4, {0.35, 0.1, 0}, true};
    som_scene_add_support(&scene, &support);
    som_scene_add_center_of_mass(&scene, som_vec3(0.35, 0.1, 0.1));
    return scene;
}

SomCamera som_test_camera(const SomScene *scene, double azimuth, double elevation, double aspect) {
    SomCamera camera = som_camera_default();
    camera.azimuth = azimuth * SOM_PI / 180;
    camera.elevation = elevation * SOM_PI / 180;
    int count = som_scene_corners(scene, NULL, 0);
    SomVec3 *corners = som_alloc(((size_t)count + 1) * sizeof *corners);
    som_camera_frame(&camera, corners, som_scene_corners(scene, corners, count), aspect);
    som_free(corners);
    return camera;
}
