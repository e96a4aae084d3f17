// SPDX-License-Identifier: Apache-2.0
#include "command/picture.h"

#include "base/number.h"
#include "render/offscreen.h"
#include "render/support_sign.h"
#include "verify/stability.h"

SomPicture som_picture_default(void) {
    return (SomPicture){
        .width = 1280, .height = 800, .camera = som_camera_default(), .flags = SOM_ROBOT_GROUND};
}

static bool draw(SomCommand *command, const SomPicture *picture, const SomScene *scene,
                 const char *path) {
    SomCamera camera = picture->camera;
    som_camera_frame_scene(&camera, scene, (double)picture->width / picture->height);
    SomOffscreen *offscreen = som_offscreen_create(command->diags);
    SomImage image = {0};
    bool drawn = offscreen != NULL &&
                 som_offscreen_draw(offscreen, scene, &camera, picture->width, picture->height,
                                    &image, command->diags) &&
                 som_image_save(&image, path, command->diags);
    som_image_free(&image);
    som_offscreen_destroy(offscreen);
    return drawn;
}

// What verification of a posture takes for contact.
#define CONTACT_TOLERANCE 1e-3

static void tell_support(SomText *out, const SomStance *stance) {
    if (stance->support.edge[0] < 0) {
        som_text_add(out, SOM_STR("touches no ground\n"));
        return;
    }
    som_text_add(out, stance->stands ? SOM_STR("stands, margin ") : SOM_STR("tips over, margin "));
    som_text_number(out, round(stance->support.margin * 1e4) / 10);
    som_text_add(out, SOM_STR(" mm\n"));
}

static void add_support(SomCommand *command, SomScene *scene, const SomMechanism *mechanism,
                        const SomPosture *posture) {
    SomVec3 down = som_vec3(0, 0, -1);
    SomStanding *standing = som_standing_create(mechanism, NULL, CONTACT_TOLERANCE);
    SomStance stance = som_standing_measure(standing, posture->values);
    int count = stance.contacts->count;
    SomVec3 *points = som_alloc(sizeof *points * ((size_t)count + 1));
    SomVec3 *corners = som_alloc(sizeof *corners * ((size_t)count + 1));
    for (int i = 0; i < count; i++) {
        points[i] = stance.contacts->items[i].point;
    }
    SomSupportWork work = {0};
    SomSupport support = som_support_find(points, count, stance.com, down, &work);
    for (int i = 0; support.edge[0] >= 0 && i < support.corners; i++) {
        corners[i] = points[work.hull.data[i].index];
    }
    SomSupportSign sign = {corners, support.edge[0] >= 0 ? support.corners : 0,
                           som_vec3(stance.com.x, stance.com.y, scene->ground.height),
                           stance.stands};
    som_scene_add_support(scene, &sign);
    tell_support(&command->out, &stance);
    som_support_work_free(&work);
    som_free(corners);
    som_free(points);
    som_standing_destroy(standing);
}

bool som_command_draw(SomCommand *command, const SomConfiguration *design,
                      const SomPosture *posture, const SomPicture *picture, const char *path) {
    SomMechanism *mechanism = som_mechanism_create(design);
    SomPose *links = som_alloc(sizeof *links * (size_t)mechanism->link_count);
    som_mechanism_place(mechanism, posture, links);
    SomScene scene = {.is_dark = picture->is_dark};
    SomLinkMeshes meshes = {0};
    som_link_meshes_load(&meshes, design, command->workspace, command->diags);
    som_scene_add_robot(&scene, mechanism, links, &meshes, picture->flags);
    som_link_meshes_free(&meshes);
    if (picture->has_support) {
        add_support(command, &scene, mechanism, posture);
    }
    bool drawn = draw(command, picture, &scene, path);
    som_scene_free(&scene);
    som_free(links);
    som_mechanism_destroy(mechanism);
    return drawn;
}
