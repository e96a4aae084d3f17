// SPDX-License-Identifier: Apache-2.0
// gallery OUT.png FILE.m3l [WIDTH HEIGHT [AZIMUTH ELEVATION]]: a picture of all module types of a
// file in a row, with axes and connectors, to be looked at. Not a test.

#include "base/file.h"
#include "base/number.h"
#include "modules/m3l.h"
#include "render/offscreen.h"
#include "space/trigonometry.h"

#include <stdio.h>

static void add_type(SomScene *scene, const SomModuleType *type, SomPose place, uint32_t owner) {
    SomPose links[SOM_MAX_MODULE_LINKS];
    double values[SOM_MAX_MODULE_LINKS] = {0};
    som_module_type_place(type, values, links);
    for (int i = 0; i < type->link_count; i++) {
        const SomModuleLink *link = &type->links[i];
        SomLook look = {.owner = owner};
        look.color = (SomColor){(float)link->color[0], (float)link->color[1], (float)link->color[2],
                                (float)link->color[3]};
        SomPose pose = som_pose_compose(place, links[i]);
        for (int k = 0; k < link->part_count; k++) {
            const SomShapePart *part = &link->parts[k];
            som_scene_add_shape(scene, &part->shape, som_pose_compose(pose, part->pose), &look);
        }
    }
    for (int i = 0; i < type->joint_count; i++) {
        const SomModuleJoint *joint = &type->joints[i];
        SomPose frame =
            som_pose_compose(place, som_pose_compose(links[joint->parent], joint->frame));
        if (joint->type != SOM_JOINT_FIXED) {
            som_scene_add_axis(scene, frame, 0.14, som_color(0.75f, 0.1f, 0.1f));
        }
    }
    for (int i = 0; i < type->connector_count; i++) {
        const SomConnector *connector = &type->connectors[i];
        if (connector->has_frame) {
            SomPose frame =
                som_pose_compose(place, som_pose_compose(links[connector->link], connector->frame));
            som_scene_add_connector(scene, frame, 0.02, som_color(0.1f, 0.5f, 0.3f), owner);
        }
    }
}

static void fill(SomScene *scene, const SomM3l *m3l) {
    for (int i = 0; i < m3l->type_count; i++) {
        const SomModuleType *type = &m3l->types[i];
        SomScene alone = {0};
        SomBounds bounds, all;
        add_type(&alone, type, som_pose_identity(), 1);
        bool has_bounds = som_scene_bounds(&alone, &bounds);
        som_scene_free(&alone);
        if (!has_bounds) {
            continue;
        }
        double x = som_scene_bounds(scene, &all) ? all.high.x + 0.03 - bounds.low.x : 0;
        add_type(scene, type, som_pose_translation(som_vec3(x, 0, -bounds.low.z)), (uint32_t)i + 1);
    }
}

int main(int argc, char **argv) {
    if (argc != 3 && argc != 5 && argc != 7) {
        return 2;
    }
    double numbers[4] = {800, 600, -52, 27};
    for (int i = 3; i < argc; i++) {
        som_number_parse(som_str(argv[i]), &numbers[i - 3]);
    }
    SomDiagnostics *diags = som_diagnostics_create();
    SomText text = {0}, shown = {0};
    SomScene scene = {0};
    SomImage image = {0};
    uint32_t source1 = som_file_load_source(argv[2], &text, diags);
    SomM3l *m3l = som_m3l_read(som_text_str(&text), source1, diags);
    fill(&scene, m3l);
    som_scene_set_ground(&scene, 0);
    SomCamera camera = som_camera_default();
    camera.azimuth = numbers[2] * SOM_PI / 180;
    camera.elevation = numbers[3] * SOM_PI / 180;
    SomBounds bounds;
    if (som_scene_bounds(&scene, &bounds)) {
        som_scene_add_center_of_mass(&scene,
                                     som_vec3_scale(0.5, som_vec3_add(bounds.low, bounds.high)));
        som_camera_frame_bounds(&camera, bounds, numbers[0] / numbers[1]);
    }
    SomOffscreen *offscreen = som_offscreen_create(diags);
    bool is_drawn = offscreen != NULL &&
                    som_offscreen_draw(offscreen, &scene, &camera, (int)numbers[0], (int)numbers[1],
                                       &image, diags) &&
                    som_image_save(&image, argv[1], diags);
    som_diagnostics_print(diags, 0, &shown);
    fputs(shown.length > 0 ? shown.data : "", stderr);
    som_offscreen_destroy(offscreen);
    som_image_free(&image);
    som_scene_free(&scene);
    som_m3l_destroy(m3l);
    som_text_free(&text);
    som_text_free(&shown);
    som_diagnostics_destroy(diags);
    return is_drawn ? 0 : 1;
}
