// SPDX-License-Identifier: Apache-2.0
// The renderer in a context of somebody else, as a window's: any state is on when it is called, the
// framebuffer is not 0, and what it promises to give back is as it was.

#include "render/offscreen.h"
#include "render/renderer.h"
#include "tests/render/scenes.h"
#include "tests/suite.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#define SIDE 100

static void open_context(void) {
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                             EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
    EGLDisplay display =
        eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    EGLConfig config;
    EGLint count;
    ck_assert(eglInitialize(display, NULL, NULL));
    ck_assert(eglBindAPI(EGL_OPENGL_API));
    ck_assert(eglChooseConfig(display, wanted, &config, 1, &count) && count == 1);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    ck_assert(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
}

static GLuint make_target(void) {
    GLuint target, picture;
    glGenTextures(1, &picture);
    glBindTexture(GL_TEXTURE_2D, picture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &target);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, picture, 0);
    return target;
}

// Whatever a toolkit may leave behind.
static void disturb(void) {
    const GLenum on[] = {
        GL_SCISSOR_TEST,   GL_STENCIL_TEST,        GL_CULL_FACE,          GL_BLEND,
        GL_COLOR_LOGIC_OP, GL_POLYGON_OFFSET_FILL, GL_RASTERIZER_DISCARD, GL_FRAMEBUFFER_SRGB,
        GL_DEPTH_CLAMP};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        glEnable(on[i]);
    }
    glScissor(3, 3, 5, 5);
    glStencilFunc(GL_NEVER, 1, 1);
    glCullFace(GL_FRONT_AND_BACK);
    glFrontFace(GL_CW);
    glBlendFunc(GL_ZERO, GL_ZERO);
    glBlendEquation(GL_FUNC_REVERSE_SUBTRACT);
    glLogicOp(GL_CLEAR);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glColorMask(GL_FALSE, GL_TRUE, GL_FALSE, GL_FALSE);
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_NEVER);
    glDepthRange(0.3, 0.2);
    glClearDepth(0.1);
    glPolygonOffset(1e6f, 1e6f);
    glActiveTexture(GL_TEXTURE3);
}

static SomImage read_picture(void) {
    SomImage image = som_image_create(SIDE, SIDE), turned = som_image_create(SIDE, SIDE);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, image.pixels);
    for (int y = 0; y < SIDE; y++) {
        memcpy(turned.pixels + 4 * SIDE * (size_t)y,
               image.pixels + 4 * SIDE * (size_t)(SIDE - 1 - y), 4 * SIDE);
    }
    som_image_free(&image);
    return turned;
}

START_TEST(a_disturbed_context_draws_the_same) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomScene scene = som_test_scene_of_marks();
    SomCamera camera = som_test_camera(&scene, -70, 35, 1);
    SomImage wanted = {0};
    SomOffscreen *offscreen = som_offscreen_create(diags);
    ck_assert_ptr_nonnull(offscreen);
    ck_assert(som_offscreen_draw(offscreen, &scene, &camera, SIDE, SIDE, &wanted, diags));
    open_context();
    GLuint target = make_target();
    glViewport(0, 0, SIDE, SIDE);
    disturb();
    SomRenderer *renderer = som_renderer_create(diags);
    ck_assert_ptr_nonnull(renderer);
    for (int i = 0; i < 2; i++) {
        som_renderer_draw(renderer, &scene, &camera, SIDE, SIDE);
        GLint bound, viewport[4];
        glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
        glGetIntegerv(GL_VIEWPORT, viewport);
        ck_assert_int_eq(bound, (int)target);
        ck_assert_int_eq(viewport[2], SIDE);
        SomImage image = read_picture();
        ck_assert_int_eq(som_image_difference(&image, &wanted, 0), 0);
        som_image_free(&image);
        disturb();
    }
    SomRenderCounts counts = som_renderer_counts(renderer);
    ck_assert_int_eq(counts.items, scene.items.count);
    ck_assert_int_gt(counts.triangles, 12 * 8);
    ck_assert_int_le(counts.draw_calls, 60);
    // another's context is given back after a picture off screen
    EGLContext own = eglGetCurrentContext();
    ck_assert(som_offscreen_draw(offscreen, &scene, &camera, SIDE, SIDE, &wanted, diags));
    ck_assert_ptr_eq(eglGetCurrentContext(), own);
    som_renderer_draw(renderer, &scene, &camera, 0, -3);
    ck_assert_int_eq((int)glGetError(), GL_NO_ERROR);
    som_renderer_destroy(renderer);
    som_offscreen_destroy(offscreen);
    som_image_free(&wanted);
    som_scene_free(&scene);
    som_diagnostics_destroy(diags);
}
END_TEST

// A drag makes new geometries all the time; those of long ago leave the card.
START_TEST(unused_geometries_leave) {
    SomDiagnostics *diags = som_diagnostics_create();
    open_context();
    make_target();
    glViewport(0, 0, 8, 8);
    SomRenderer *renderer = som_renderer_create(diags);
    som_renderer_set_quality(renderer, (SomRenderQuality){true, true, true});
    SomCamera camera = som_camera_default();
    for (int i = 0; i < 700; i++) {
        SomScene scene = {0};
        SomShape capsule = {
            .kind = SOM_SHAPE_CAPSULE, .radius = 0.1, .half_length = 0.1 + 1e-4 * i};
        som_scene_add_shape(&scene, &capsule, som_pose_identity(), &(SomLook){0});
        som_renderer_draw(renderer, &scene, &camera, 8, 8);
        som_scene_free(&scene);
    }
    int cached = som_renderer_counts(renderer).cached_geometries;
    ck_assert_int_le(cached, 501);
    ck_assert_int_ge(cached, 400);
    som_renderer_destroy(renderer);
    som_diagnostics_destroy(diags);
}
END_TEST

SOM_SUITE("render/renderer", a_disturbed_context_draws_the_same, unused_geometries_leave)
