// SPDX-License-Identifier: Apache-2.0
// One draw: the shadow map, then tile by tile background, ground, solids, edges, lines and what is
// seen through, multisampled, resolved and copied to the caller's framebuffer.

#include "render/renderer.h"

#include "base/codes/render_codes.h"
#include "render/renderer_internal.h"

// Meshes that were not drawn for so many draws leave the card.
#define KEEP_MESHES 500

static void make_shadow_map(SomRenderer *renderer) {
    glGenTextures(1, &renderer->shadow_map);
    glBindTexture(GL_TEXTURE_2D, renderer->shadow_map);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, SOM_SHADOW_SIZE, SOM_SHADOW_SIZE, 0,
                 GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glGenFramebuffers(1, &renderer->shadow_target);
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->shadow_target);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, renderer->shadow_map,
                           0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
}

SomRenderer *som_renderer_create(SomDiagnostics *diags) {
    if (!epoxy_is_desktop_gl() || epoxy_gl_version() < 33) {
        som_report(diags, SOM_PICTURE_NOT_DRAWN, (SomSpan){0},
                   "the GL context is of version %d.%d%s, not 3.3 or later",
                   epoxy_gl_version() / 10, epoxy_gl_version() % 10,
                   epoxy_is_desktop_gl() ? "" : " ES");
        return NULL;
    }
    SomRenderer *renderer = som_alloc(sizeof *renderer);
    if (!som_programs_create(&renderer->programs, diags)) {
        som_renderer_destroy(renderer);
        return NULL;
    }
    GLint target;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    glGenBuffers(1, &renderer->frame_buffer);
    glGenBuffers(1, &renderer->instance_buffer);
    glGenBuffers(1, &renderer->stroke_buffer);
    glGenVertexArrays(1, &renderer->empty_array);
    glGenVertexArrays(1, &renderer->stroke_array);
    make_shadow_map(renderer);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)target);
    return renderer;
}

static void drop_tile(SomRenderer *renderer) {
    const GLuint targets[] = {renderer->tile_target, renderer->picture_target};
    const GLuint stores[] = {renderer->tile_color, renderer->tile_depth};
    glDeleteFramebuffers(2, targets);
    glDeleteRenderbuffers(2, stores);
    glDeleteTextures(1, &renderer->picture);
}

void som_renderer_destroy(SomRenderer *renderer) {
    if (renderer == NULL) {
        return;
    }
    som_renderer_drop_meshes(renderer, 0);
    drop_tile(renderer);
    glDeleteTextures(1, &renderer->shadow_map);
    glDeleteFramebuffers(1, &renderer->shadow_target);
    const GLuint buffers[] = {renderer->frame_buffer, renderer->instance_buffer,
                              renderer->stroke_buffer};
    const GLuint arrays[] = {renderer->empty_array, renderer->stroke_array};
    glDeleteBuffers(3, buffers);
    glDeleteVertexArrays(2, arrays);
    som_programs_destroy(&renderer->programs);
    som_array_free(&renderer->meshes);
    som_array_free(&renderer->instances);
    som_array_free(&renderer->batches);
    som_free(renderer);
}

void som_renderer_set_quality(SomRenderer *renderer, SomRenderQuality quality) {
    renderer->quality = quality;
}

void som_renderer_finish(SomRenderer *renderer) {
    (void)renderer; // whose context is current
    glFinish();
}

SomRenderCounts som_renderer_counts(const SomRenderer *renderer) {
    return renderer->counts;
}

// ---- targets

static void make_tile(SomRenderer *renderer, int width, int height) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    int samples = renderer->quality.no_multisampling ? 0 : most < SOM_SAMPLES ? most : SOM_SAMPLES;
    if (renderer->tile_width == width && renderer->tile_height == height &&
        renderer->tile_samples == samples) {
        return;
    }
    drop_tile(renderer);
    renderer->tile_width = width;
    renderer->tile_height = height;
    renderer->tile_samples = samples;
    glGenRenderbuffers(1, &renderer->tile_color);
    glBindRenderbuffer(GL_RENDERBUFFER, renderer->tile_color);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, width, height);
    glGenRenderbuffers(1, &renderer->tile_depth);
    glBindRenderbuffer(GL_RENDERBUFFER, renderer->tile_depth);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, width, height);
    glGenFramebuffers(1, &renderer->tile_target);
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->tile_target);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              renderer->tile_color);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                              renderer->tile_depth);
    glGenTextures(1, &renderer->picture);
    glBindTexture(GL_TEXTURE_2D, renderer->picture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glGenFramebuffers(1, &renderer->picture_target);
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->picture_target);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, renderer->picture,
                           0);
}

// ---- passes

static void set_blending(void) {
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

// Callers leave any state behind; all that matters here is set.
static void set_state(void) {
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDisable(GL_RASTERIZER_DISCARD);
    glDisable(GL_PRIMITIVE_RESTART);
    glDisable(GL_COLOR_LOGIC_OP);
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glDisable(GL_SAMPLE_COVERAGE);
    glDisable(GL_DEPTH_CLAMP);
    glDisable(GL_DITHER);
    glEnable(GL_MULTISAMPLE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthRange(0, 1);
    glFrontFace(GL_CCW);
    glCullFace(GL_BACK);
    set_blending();
    glActiveTexture(GL_TEXTURE0);
    glBindSampler(0, 0);
}

static void send_frame(SomRenderer *renderer) {
    glBindBuffer(GL_UNIFORM_BUFFER, renderer->frame_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof renderer->frame, &renderer->frame, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, renderer->frame_buffer);
}

static bool has_shadows(const SomRenderer *renderer) {
    return renderer->frame.key_light[3] > 0;
}

static void draw_batches(SomRenderer *renderer, int first, int last, int part) {
    for (int i = first; i < last; i++) {
        const SomRenderBatch *batch = &renderer->batches.data[i];
        bool is_culled = part == SOM_GPU_SOLID && renderer->meshes.data[batch->mesh].is_solid;
        (is_culled ? glEnable : glDisable)(GL_CULL_FACE);
        som_renderer_draw_batch(renderer, batch, part);
    }
}

static void draw_shadows(SomRenderer *renderer) {
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->shadow_target);
    glViewport(0, 0, SOM_SHADOW_SIZE, SOM_SHADOW_SIZE);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
    glClearDepth(1);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 2);
    glUseProgram(renderer->programs.shadow);
    draw_batches(renderer, 0, renderer->opaque_batches, SOM_GPU_SOLID);
    glDisable(GL_POLYGON_OFFSET_FILL);
}

static void draw_backdrop(SomRenderer *renderer, const SomRenderView *view) {
    glBindVertexArray(renderer->empty_array);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glUseProgram(renderer->programs.background);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glDepthMask(GL_FALSE); // drawn first, and things may stand in it
    if (view->scene->ground.is_shown) {
        glUseProgram(has_shadows(renderer) ? renderer->programs.ground
                                           : renderer->programs.plain_ground);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    som_renderer_draw_patches(renderer, view);
    glDepthMask(GL_TRUE);
}

static void draw_solids(SomRenderer *renderer, int first, int last) {
    glDepthMask(GL_TRUE);
    glUseProgram(has_shadows(renderer) ? renderer->programs.solid : renderer->programs.plain_solid);
    draw_batches(renderer, first, last, SOM_GPU_SOLID);
    if (!renderer->quality.no_edges) {
        glDepthMask(GL_FALSE);
        glUseProgram(renderer->programs.edge);
        draw_batches(renderer, first, last, SOM_GPU_EDGES);
    }
}

// What is behind fades into the background.
static void draw_veil(SomRenderer *renderer, const SomRenderView *view) {
    if (!(view->scene->veil > 0)) {
        return;
    }
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glBlendColor(0, 0, 0, fminf(view->scene->veil, 1));
    glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
    glBindVertexArray(renderer->empty_array);
    glUseProgram(renderer->programs.background);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    set_blending();
    glEnable(GL_DEPTH_TEST);
}

static void draw_tile(SomRenderer *renderer, const SomRenderView *view) {
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->tile_target);
    glViewport(0, 0, renderer->tile_width, renderer->tile_height);
    glDepthMask(GL_TRUE);
    glClearDepth(1);
    glClear(GL_DEPTH_BUFFER_BIT);
    glDepthFunc(GL_LEQUAL);
    glBindTexture(GL_TEXTURE_2D, renderer->shadow_map);
    draw_backdrop(renderer, view);
    draw_solids(renderer, 0, renderer->opaque_batches);
    int behind = renderer->opaque_batches + renderer->front_batches;
    // each with its own edges, far to near
    for (int i = behind; i < renderer->batches.count; i++) {
        draw_solids(renderer, i, i + 1);
    }
    som_renderer_draw_strokes(renderer, view);
    draw_veil(renderer, view);
    glDepthMask(GL_TRUE);
    glClear(GL_DEPTH_BUFFER_BIT);
    draw_solids(renderer, renderer->opaque_batches, behind);
    som_renderer_draw_front_strokes(renderer, view);
}

static void show_tile(SomRenderer *renderer, GLuint target, const GLint viewport[4], int x, int y,
                      int width, int height) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, renderer->tile_target);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, renderer->picture_target);
    glBlitFramebuffer(0, 0, renderer->tile_width, renderer->tile_height, 0, 0, renderer->tile_width,
                      renderer->tile_height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(viewport[0] + x, viewport[1] + y, width, height);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glBindVertexArray(renderer->empty_array);
    glBindTexture(GL_TEXTURE_2D, renderer->picture);
    glUseProgram(renderer->programs.copy);
    glUniform2i(renderer->programs.copy_corner, viewport[0] + x, viewport[1] + y);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

// The part of clip space that a tile shows, blown up to all of it.
static void set_tile(SomRenderer *renderer, const SomRenderView *view, int x, int y) {
    double scale_x = (double)view->width / renderer->tile_width;
    double scale_y = (double)view->height / renderer->tile_height;
    renderer->frame.tile[0] = (float)scale_x;
    renderer->frame.tile[1] = (float)scale_y;
    renderer->frame.tile[2] = (float)(scale_x * (1 - 2.0 * x / view->width) - 1);
    renderer->frame.tile[3] = (float)(scale_y * (1 - 2.0 * y / view->height) - 1);
    send_frame(renderer);
}

// Tiles of one size, as few as can be.
static int tile_side(int side) {
    int count = (side + SOM_TILE_SIZE - 1) / SOM_TILE_SIZE;
    return (side + count - 1) / count;
}

static SomRenderView view_of(const SomScene *scene, const SomCamera *camera, int width,
                             int height) {
    SomRenderView view = {.scene = scene, .camera = camera, .width = width, .height = height};
    SomBounds bounds;
    view.eye = som_camera_eye(camera);
    view.axes = som_camera_axes(camera);
    view.origin = camera->target;
    view.has_bounds = som_scene_bounds(scene, &bounds);
    view.center = camera->target;
    view.radius = camera->distance / 2;
    if (view.has_bounds) {
        view.center = som_vec3_scale(0.5, som_vec3_add(bounds.low, bounds.high));
        view.radius = som_vec3_length(som_vec3_sub(bounds.high, bounds.low)) / 2;
        view.radius = fmax(view.radius, 1e-6);
    }
    return view;
}

static void count(SomRenderer *renderer) {
    renderer->counts = (SomRenderCounts){.items = renderer->instances.count,
                                         .cached_geometries = renderer->meshes.count};
    for (int i = 0; i < renderer->batches.count; i++) {
        const SomRenderBatch *batch = &renderer->batches.data[i];
        renderer->counts.triangles +=
            batch->count * (renderer->meshes.data[batch->mesh].index_count[SOM_GPU_SOLID] / 3);
    }
}

void som_renderer_draw(SomRenderer *renderer, const SomScene *scene, const SomCamera *camera,
                       int width, int height) {
    if (width <= 0 || height <= 0) {
        return;
    }
    GLint target, viewport[4];
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    glGetIntegerv(GL_VIEWPORT, viewport);
    SomRenderView view = view_of(scene, camera, width, height);
    renderer->draw++;
    set_state();
    som_renderer_drop_meshes(renderer, KEEP_MESHES);
    som_renderer_gather(renderer, &view);
    count(renderer);
    som_renderer_set_frame(renderer, &view);
    make_tile(renderer, tile_side(width), tile_side(height));
    set_tile(renderer, &view, 0, 0);
    if (has_shadows(renderer)) {
        draw_shadows(renderer);
    }
    for (int y = 0; y < height; y += renderer->tile_height) {
        for (int x = 0; x < width; x += renderer->tile_width) {
            set_tile(renderer, &view, x, y);
            draw_tile(renderer, &view);
            int rest_x = width - x, rest_y = height - y;
            show_tile(renderer, (GLuint)target, viewport, x, y,
                      rest_x < renderer->tile_width ? rest_x : renderer->tile_width,
                      rest_y < renderer->tile_height ? rest_y : renderer->tile_height);
        }
    }
    glBindVertexArray(0);
    glUseProgram(0);
    glBindTexture(GL_TEXTURE_2D, 0);
    glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
}
