// SPDX-License-Identifier: Apache-2.0
#include "studio/thumbnail.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/path.h"
#include "render/offscreen.h"
#include "render/robot_scene.h"
#include "studio/part_model.h"

// Changes when pictures are drawn in another way, so that those on the disk are not taken.
#define LOOKS "1"

struct SomThumbnails {
    SomText library, folder;
    SomOffscreen *offscreen;
    bool has_no_gl; // it was tried
    int drawn;
};

SomThumbnails *som_thumbnails_create(SomStr library, SomStr folder) {
    SomThumbnails *t = som_alloc(sizeof *t);
    som_text_add(&t->library, library);
    som_text_add(&t->folder, folder);
    return t;
}

void som_thumbnails_destroy(SomThumbnails *t) {
    if (t != NULL) {
        som_offscreen_destroy(t->offscreen);
        som_text_free(&t->library);
        som_text_free(&t->folder);
        som_free(t);
    }
}

int som_thumbnails_drawn(const SomThumbnails *t) {
    return t->drawn;
}

// ---- where a picture is kept

// FNV-1a, 64 bits, from a start of its own.
static uint64_t hash(uint64_t state, SomStr text) {
    for (size_t i = 0; i < text.length; i++) {
        state = (state ^ (unsigned char)text.data[i]) * 0x100000001b3u;
    }
    return (state ^ 0xff) * 0x100000001b3u; // where one text ends
}

static void print_place(const SomThumbnails *t, const SomModel *model, SomStr choice,
                        SomText *out) {
    uint64_t halves[2] = {0xcbf29ce484222325u, 0x84222325cbf29ce4u};
    for (int i = 0; i < 2; i++) {
        halves[i] = hash(hash(halves[i], SOM_STR(LOOKS)), choice);
        for (int k = 0; k < som_workspace_file_count(model->workspace); k++) {
            halves[i] = hash(halves[i], som_workspace_file(model->workspace, k)->text);
        }
    }
    SomText name = {0};
    som_text_printf(&name, "%016llx%016llx.png", (unsigned long long)halves[0],
                    (unsigned long long)halves[1]);
    som_path_join(out, som_text_str(&t->folder), som_text_str(&name));
    som_text_free(&name);
}

// ---- drawing

static bool draw(SomThumbnails *t, const SomModel *model, SomImage *image, SomDiagnostics *diags) {
    if (t->offscreen == NULL && !t->has_no_gl) {
        t->offscreen = som_offscreen_create(diags);
        t->has_no_gl = t->offscreen == NULL;
    }
    if (t->offscreen == NULL) {
        return false;
    }
    SomScene scene = {0};
    SomCamera camera = som_camera_default();
    som_scene_add_robot(&scene, model->mechanism, model->links, &model->meshes, SOM_ROBOT_GROUND);
    som_camera_frame_scene(&camera, &scene, (double)SOM_THUMBNAIL_WIDTH / SOM_THUMBNAIL_HEIGHT);
    bool is_drawn = som_offscreen_draw(t->offscreen, &scene, &camera, SOM_THUMBNAIL_WIDTH,
                                       SOM_THUMBNAIL_HEIGHT, image, diags);
    som_scene_free(&scene);
    t->drawn += is_drawn ? 1 : 0;
    return is_drawn;
}

bool som_thumbnails_draw(SomThumbnails *t, SomStr file, SomStr choice, SomImage *image) {
    SomText why = {0}, place = {0};
    SomDiagnostics *diags = som_diagnostics_create(); // a picture that is not there is a blank
    SomModel *model = som_part_model_open(som_text_str(&t->library), file, choice, &why);
    bool is_kept = model != NULL && t->folder.length > 0;
    if (is_kept) {
        print_place(t, model, choice, &place);
    }
    bool done = is_kept && som_file_exists(place.data) && som_image_load(place.data, image, diags);
    if (!done && model != NULL && draw(t, model, image, diags)) {
        done = true;
        if (is_kept && som_file_make_private_folder(t->folder.data, diags)) {
            som_image_save(image, place.data, diags);
        }
    }
    som_model_destroy(model);
    som_diagnostics_destroy(diags);
    som_text_free(&why);
    som_text_free(&place);
    return done;
}
