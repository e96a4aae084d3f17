// SPDX-License-Identifier: Apache-2.0
#include "render/offscreen.h"

#include "base/codes/render_codes.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

struct SomOffscreen {
    EGLDisplay display;
    EGLContext context;
    SomRenderer *renderer;
    char driver[128];
};

// What was current before, to be given back.
typedef struct Current {
    EGLDisplay display;
    EGLSurface draw, read;
    EGLContext context;
} Current;

#define NOT_CURRENT                                                                                \
    "the EGL driver cannot draw without a surface, or a window's context is current in this "      \
    "thread"

static bool fail(SomDiagnostics *diags, const char *reason) {
    som_report(diags, SOM_PICTURE_NOT_DRAWN, (SomSpan){0}, "cannot draw pictures: %s", reason);
    som_note(diags, (SomSpan){0},
             "on Debian, 'apt-get install libgl1-mesa-dri libegl1' gives a driver that needs no "
             "graphics card");
    return false;
}

static void leave(const SomOffscreen *offscreen, const Current *before) {
    eglMakeCurrent(offscreen->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (before->context != EGL_NO_CONTEXT) {
        eglMakeCurrent(before->display, before->draw, before->read, before->context);
    }
}

// False if this thread has a context that is not to be had by EGL, as a window's of GLX: it would
// be drawn into. The library has an API for every thread, too.
static bool enter(const SomOffscreen *offscreen, Current *before) {
    eglBindAPI(EGL_OPENGL_API);
    *before = (Current){eglGetCurrentDisplay(), eglGetCurrentSurface(EGL_DRAW),
                        eglGetCurrentSurface(EGL_READ), eglGetCurrentContext()};
    return eglMakeCurrent(offscreen->display, EGL_NO_SURFACE, EGL_NO_SURFACE, offscreen->context) ==
               EGL_TRUE &&
           eglGetCurrentContext() == offscreen->context;
}

static bool open_display(SomOffscreen *offscreen, SomDiagnostics *diags) {
    if (!epoxy_has_egl()) {
        return fail(diags, "there is no EGL library");
    }
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base") ||
        !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
        return fail(diags, "no EGL driver can draw without a display");
    }
    offscreen->display =
        eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    EGLint major, minor;
    if (offscreen->display == EGL_NO_DISPLAY ||
        eglInitialize(offscreen->display, &major, &minor) == EGL_FALSE) {
        offscreen->display = EGL_NO_DISPLAY;
        return fail(diags, "the EGL driver does not start");
    }
    return true;
}

static bool open_context(SomOffscreen *offscreen, SomDiagnostics *diags) {
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 3,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 3,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_NONE};
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                             EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (eglBindAPI(EGL_OPENGL_API) == EGL_FALSE ||
        eglChooseConfig(offscreen->display, wanted, &config, 1, &count) == EGL_FALSE ||
        count == 0) {
        return fail(diags, "the EGL driver has no OpenGL");
    }
    offscreen->context = eglCreateContext(offscreen->display, config, EGL_NO_CONTEXT, attributes);
    if (offscreen->context == EGL_NO_CONTEXT) {
        return fail(diags, "the driver has no OpenGL 3.3");
    }
    return true;
}

static bool open_all(SomOffscreen *offscreen, SomDiagnostics *diags) {
    if (!open_display(offscreen, diags) || !open_context(offscreen, diags)) {
        return false;
    }
    Current before;
    if (!enter(offscreen, &before)) {
        return fail(diags, NOT_CURRENT);
    }
    offscreen->renderer = som_renderer_create(diags);
    const char *driver = (const char *)glGetString(GL_RENDERER);
    for (size_t i = 0; driver != NULL && driver[i] != 0 && i + 1 < sizeof offscreen->driver; i++) {
        offscreen->driver[i] = driver[i];
    }
    leave(offscreen, &before);
    return offscreen->renderer != NULL;
}

SomOffscreen *som_offscreen_create(SomDiagnostics *diags) {
    SomOffscreen *offscreen = som_alloc(sizeof *offscreen);
    offscreen->display = EGL_NO_DISPLAY;
    offscreen->context = EGL_NO_CONTEXT;
    if (!open_all(offscreen, diags)) {
        som_offscreen_destroy(offscreen);
        return NULL;
    }
    return offscreen;
}

void som_offscreen_destroy(SomOffscreen *offscreen) {
    if (offscreen == NULL) {
        return;
    }
    if (offscreen->context != EGL_NO_CONTEXT) {
        Current before;
        if (enter(offscreen, &before)) {
            som_renderer_destroy(offscreen->renderer);
            leave(offscreen, &before);
        }
        eglDestroyContext(offscreen->display, offscreen->context);
    }
    // the display is the process's, and others may use it: it stays
    som_free(offscreen);
}

const char *som_offscreen_driver(const SomOffscreen *offscreen) {
    return offscreen->driver;
}

void som_offscreen_set_quality(SomOffscreen *offscreen, SomRenderQuality quality) {
    som_renderer_set_quality(offscreen->renderer, quality);
}

// GL's rows go upwards.
static void read_pixels(SomImage *image) {
    size_t row = 4 * (size_t)image->width;
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, image->width, image->height, GL_RGBA, GL_UNSIGNED_BYTE, image->pixels);
    uint8_t *spare = som_alloc(row);
    for (int i = 0; i < image->height / 2; i++) {
        uint8_t *upper = image->pixels + row * (size_t)i;
        uint8_t *lower = image->pixels + row * (size_t)(image->height - 1 - i);
        memcpy(spare, upper, row);
        memcpy(upper, lower, row);
        memcpy(lower, spare, row);
    }
    som_free(spare);
}

static bool draw_image(SomOffscreen *offscreen, const SomScene *scene, const SomCamera *camera,
                       SomImage *image) {
    GLuint target, store;
    glGenFramebuffers(1, &target);
    glGenRenderbuffers(1, &store);
    glBindRenderbuffer(GL_RENDERBUFFER, store);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, image->width, image->height);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, store);
    bool is_complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    if (is_complete) {
        glViewport(0, 0, image->width, image->height);
        som_renderer_draw(offscreen->renderer, scene, camera, image->width, image->height);
        read_pixels(image);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &target);
    glDeleteRenderbuffers(1, &store);
    bool is_fine = true;
    while (glGetError() != GL_NO_ERROR) {
        is_fine = false;
    }
    return is_complete && is_fine;
}

bool som_offscreen_draw(SomOffscreen *offscreen, const SomScene *scene, const SomCamera *camera,
                        int width, int height, SomImage *image, SomDiagnostics *diags) {
    if (!som_image_check_size(width, height, diags)) {
        return false;
    }
    Current before;
    if (!enter(offscreen, &before)) {
        return fail(diags, NOT_CURRENT);
    }
    SomImage drawn = som_image_create(width, height);
    bool is_drawn = draw_image(offscreen, scene, camera, &drawn);
    leave(offscreen, &before);
    if (!is_drawn) {
        som_image_free(&drawn);
        return fail(diags, "the GL driver reports an error, perhaps for want of memory");
    }
    som_image_free(image);
    *image = drawn;
    return true;
}
