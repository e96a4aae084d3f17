// SPDX-License-Identifier: Apache-2.0
// The numbers that hold for the whole picture: camera, lights, shadows, ground, background.

#include "render/renderer_internal.h"
#include "space/trigonometry.h"

#include <cglm/cglm.h>

// The key light stands to the left of the camera and above, the fill light to the right and low, so
// that every view is lit alike. Radians.
#define KEY_ASIDE -0.75
#define KEY_ELEVATION 0.95
#define FILL_ASIDE 1.0
#define FILL_ELEVATION 0.25

// The ground reaches this many radii of the scene and fades out.
#define GROUND_REACH 5.0

typedef struct Tones {
    SomColor top, bottom, paper, ink;
} Tones;

static const Tones light_tones = {
    {0.97f, 0.98f, 0.99f, 1}, {1, 1, 1, 1}, {0.93f, 0.935f, 0.94f, 1}, {0.62f, 0.65f, 0.69f, 1}};
static const Tones dark_tones = {{0.14f, 0.145f, 0.155f, 1},
                                 {0.11f, 0.115f, 0.12f, 1},
                                 {0.19f, 0.195f, 0.205f, 1},
                                 {0.36f, 0.38f, 0.41f, 1}};

static void put(float out[4], SomVec3 v, double w) {
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
    out[3] = (float)w;
}

static SomVec3 direction_to(double azimuth, double elevation) {
    double sa, ca, se, ce;
    som_sincos(azimuth, &sa, &ca);
    som_sincos(elevation, &se, &ce);
    return som_vec3(ce * ca, ce * sa, se);
}

// Depths that can be seen: of the scene, and of the ground as far as it reaches.
static void set_camera(SomRenderFrame *frame, const SomRenderView *view) {
    double middle = som_vec3_dot(som_vec3_sub(view->center, view->eye), view->axes.forward);
    double reach = view->scene->ground.is_shown ? GROUND_REACH : 1.2;
    double far_depth = middle + 1.5 * reach * view->radius;
    double near_depth = middle - 1.5 * reach * view->radius;
    far_depth = fmax(far_depth, 2 * view->camera->distance);
    if (!view->camera->is_orthographic) {
        near_depth = fmax(near_depth, 0.02 * fmin(view->camera->distance, far_depth));
        far_depth = fmax(far_depth, 2 * near_depth);
    }
    double matrix[16];
    som_camera_matrix(view->camera, view->origin, (double)view->width / view->height, near_depth,
                      far_depth, matrix);
    for (int i = 0; i < 16; i++) {
        frame->view_projection[i] = (float)matrix[i];
    }
    bool is_flat = view->camera->is_orthographic;
    put(frame->eye, som_vec3_sub(view->eye, view->origin), is_flat ? 1 : 0);
    put(frame->forward, view->axes.forward,
        som_camera_pixel_size(view->camera, is_flat ? view->camera->distance : 1, view->height));
}

// A box along the light's direction round what casts shadows, or round what is seen of it.
static void set_shadow(SomRenderFrame *frame, const SomRenderView *view, SomVec3 light) {
    double seen = 0.6 * view->camera->distance;
    double radius = view->radius, depth = 1.1 * view->radius;
    SomVec3 center = view->center;
    if (seen < radius) {
        double aside = som_vec3_length(som_vec3_sub(view->camera->target, center));
        center = view->camera->target;
        radius = seen;
        depth += aside;
    }
    radius *= 1.03;
    SomVec3 middle = som_vec3_sub(center, view->origin);
    SomVec3 eye = som_vec3_add(middle, light);
    mat4 look, box, both;
    // coordinates of textures, from 0 to 1
    mat4 half = {{0.5f, 0, 0, 0}, {0, 0.5f, 0, 0}, {0, 0, 0.5f, 0}, {0.5f, 0.5f, 0.5f, 1}};
    glm_lookat((vec3){(float)eye.x, (float)eye.y, (float)eye.z},
               (vec3){(float)middle.x, (float)middle.y, (float)middle.z}, (vec3){0, 0, 1}, look);
    glm_ortho((float)-radius, (float)radius, (float)-radius, (float)radius, (float)(1 - depth),
              (float)(1 + depth), box);
    glm_mat4_mul(box, look, both);
    glm_mat4_mul(half, both, both);
    memcpy(frame->shadow_matrix, both, sizeof both);
    frame->viewport[3] = (float)(2 * radius / SOM_SHADOW_SIZE);
}

static void set_ground(SomRenderFrame *frame, const SomRenderView *view) {
    const SomGround *ground = &view->scene->ground;
    double step = som_scene_grid_step(view->scene), coarse = 10 * step;
    double reach = fmax(GROUND_REACH * view->radius, 3 * coarse);
    reach = fmin(reach, fmax(GROUND_REACH * view->radius, 4 * view->camera->distance));
    frame->ground[0] = (float)(ground->height - view->origin.z);
    frame->ground[1] = (float)step;
    frame->ground[2] = (float)reach;
    frame->ground[3] = view->eye.z > ground->height ? 1 : 0;
    frame->ground_center[0] = (float)(view->center.x - view->origin.x);
    frame->ground_center[1] = (float)(view->center.y - view->origin.y);
    // small numbers, so that single precision shows the lines where they are
    frame->ground_center[2] = (float)(view->origin.x - coarse * floor(view->origin.x / coarse));
    frame->ground_center[3] = (float)(view->origin.y - coarse * floor(view->origin.y / coarse));
}

static bool is_given(SomColor c) {
    return c.r != 0 || c.g != 0 || c.b != 0 || c.a != 0;
}

void som_renderer_set_frame(SomRenderer *renderer, const SomRenderView *view) {
    SomRenderFrame *frame = &renderer->frame;
    *frame = (SomRenderFrame){0};
    frame->viewport[0] = (float)view->width;
    frame->viewport[1] = (float)view->height;
    // lines of small pictures stay one pixel wide or so, else they break up
    frame->viewport[2] = (float)fmax(view->height / 800.0, 0.7);
    set_camera(frame, view);
    double azimuth = view->camera->azimuth;
    SomVec3 key = direction_to(azimuth + KEY_ASIDE, KEY_ELEVATION);
    bool has_shadows = !renderer->quality.no_shadows && view->has_bounds;
    put(frame->key_light, key, has_shadows ? 1 : 0);
    put(frame->fill_light, direction_to(azimuth + FILL_ASIDE, FILL_ELEVATION), 0);
    set_shadow(frame, view, key);
    set_ground(frame, view);
    const SomColor *own = view->scene->background;
    bool is_own = is_given(own[0]) || is_given(own[1]);
    const Tones *tones = view->scene->is_dark ? &dark_tones : &light_tones;
    memcpy(frame->background_top, is_own ? &own[0] : &tones->top, sizeof *own);
    memcpy(frame->background_bottom, is_own ? &own[1] : &tones->bottom, sizeof *own);
    memcpy(frame->ground_paper, &tones->paper, sizeof tones->paper);
    memcpy(frame->ground_ink, &tones->ink, sizeof tones->ink);
}
