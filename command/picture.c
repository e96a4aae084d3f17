// SPDX-License-Identifier: Apache-2.0
#include "command/picture.h"

#include "render/offscreen.h"

SomPicture som_picture_default(void) {
    return (SomPicture){1280, 800, som_camera_default(), SOM_ROBOT_GROUND};
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

bool som_command_draw(SomCommand *command, const SomConfiguration *design,
                      const SomPosture *posture, const SomPicture *picture, const char *path) {
    SomMechanism *mechanism = som_mechanism_create(design);
    SomPose *links = som_alloc(sizeof *links * (size_t)mechanism->link_count);
    som_mechanism_place(mechanism, posture, links);
    SomScene scene = {0};
    SomLinkMeshes meshes = {0};
    som_link_meshes_load(&meshes, design, command->workspace, command->diags);
    som_scene_add_robot(&scene, mechanism, links, &meshes, picture->flags);
    som_link_meshes_free(&meshes);
    bool drawn = draw(command, picture, &scene, path);
    som_scene_free(&scene);
    som_free(links);
    som_mechanism_destroy(mechanism);
    return drawn;
}
