// SPDX-License-Identifier: Apache-2.0
#include "command/picture.h"

#include "base/number.h"
#include "render/offscreen.h"
#include "render/support_sign.h"
#include "verify/posture_balance.h"

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

static void tell_support(SomText *out, const SomPostureBalance *balance) {
    if (balance->is_fixed) {
        som_text_add(out, SOM_STR("is fixed to the world\n"));
        return;
    }
    if (balance->corner_count == 0) {
        som_text_add(out, SOM_STR("touches no ground\n"));
        return;
    }
    som_text_add(out, balance->stands          ? SOM_STR("stands, margin ")
                      : balance->leans_too_far ? SOM_STR("leans too far, margin ")
                                               : SOM_STR("tips over, margin "));
    som_text_number(out, round(balance->margin * 1e4) / 10);
    som_text_add(out, SOM_STR(" mm\n"));
}

// As verification of the design finds it.
static bool add_support(SomCommand *command, const SomPicture *picture, SomScene *scene,
                        const SomMechanism *mechanism, const SomPosture *posture) {
    SomVerifyOptions options = som_verify_default_options();
    if (!som_verify_read_settings(mechanism->configuration, &options, command->diags)) {
        return false;
    }
    bool is_motion = picture->sample_count > 0;
    SomPostureBalance balance = som_posture_balance_find(
        mechanism, &options, is_motion ? picture->samples : posture->values,
        is_motion ? picture->sample_count : 1);
    SomSupportSign sign = {balance.corners, balance.corner_count, balance.below_center,
                           balance.stands};
    som_scene_add_support(scene, &sign);
    tell_support(&command->out, &balance);
    som_posture_balance_free(&balance);
    return true;
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
    bool drawn = !picture->has_support || add_support(command, picture, &scene, mechanism, posture);
    drawn = drawn && draw(command, picture, &scene, path);
    som_scene_free(&scene);
    som_free(links);
    som_mechanism_destroy(mechanism);
    return drawn;
}
