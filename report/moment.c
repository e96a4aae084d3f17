// SPDX-License-Identifier: Apache-2.0
#include "report/moment.h"

#include "base/number.h"
#include "render/offscreen.h"
#include "render/robot_scene.h"
#include "report/page.h"

#include <math.h>
#include <string.h>

struct SomArtist {
    SomDiagnostics *diags;   // why there are no pictures
    SomOffscreen *offscreen; // NULL: none yet, or none at all
    int most, drawn, refused;
    bool has_tried, has_told;
};

static SomPosture posture_at(const SomMomentDef *def, double time) {
    SomPosture posture = som_posture_start(def->mechanism->configuration);
    size_t dofs = (size_t)def->mechanism->dof_count;
    if (def->prediction != NULL && isfinite(time)) {
        som_prediction_at(def->prediction, time, posture.values);
    } else if (def->start != NULL && dofs > 0) {
        memcpy(posture.values, def->start, dofs * sizeof *posture.values);
    }
    return posture;
}

// Whether `path` is `whole` or something in it: "a.b" is in "a", "ab" is not.
static bool is_in(SomStr path, SomStr whole) {
    return path.length >= whole.length && memcmp(path.data, whole.data, whole.length) == 0 &&
           (path.length == whole.length || path.data[whole.length] == '.');
}

static void alarm_subjects(const SomMoment *moment, const SomMechanism *mechanism,
                           SomScene *scene) {
    for (int i = 0; i < scene->items.count; i++) {
        SomLook *look = &scene->items.data[i].look;
        if (look->owner == 0) {
            continue;
        }
        SomStr path = mechanism->configuration->modules[look->owner - 1].path;
        for (int k = 0; k < moment->subject_count; k++) {
            if (path.length > 0 &&
                (is_in(moment->subjects[k], path) || is_in(path, moment->subjects[k]))) {
                look->flags |= SOM_LOOK_ALARMED;
            }
        }
    }
}

static void fill_scene(const SomMomentDef *def, const SomMoment *moment, SomScene *scene) {
    SomPose *links = som_alloc(sizeof *links * ((size_t)def->mechanism->link_count + 1));
    SomPosture posture = posture_at(def, moment->time);
    som_mechanism_place(def->mechanism, &posture, links);
    som_scene_add_robot(scene, def->mechanism, moment->links != NULL ? moment->links : links,
                        def->meshes, SOM_ROBOT_GROUND | SOM_ROBOT_CENTER_OF_MASS);
    alarm_subjects(moment, def->mechanism, scene);
    som_posture_free(&posture);
    som_free(links);
}

typedef struct Frame {
    int width, height;
    SomCamera camera;
} Frame;

static Frame frame_of(const SomMomentDef *def) {
    Frame frame = {.width = def->width > 0 ? def->width : 560,
                   .height = def->height > 0 ? def->height : 350,
                   .camera = som_camera_default()};
    return frame;
}

static void point_at(Frame *frame, const SomScene *scene) {
    som_camera_frame_scene(&frame->camera, scene, (double)frame->width / frame->height);
}

static void print_caption(const SomMoment *moment, SomText *caption) {
    if (isfinite(moment->time)) {
        som_text_number(caption, round(moment->time * 1000) / 1000);
        som_text_add(caption, SOM_STR(" s: "));
    }
    som_text_add(caption, moment->caption);
}

static bool print_one(SomArtist *artist, const SomMomentDef *def, const SomMoment *moment,
                      Frame *frame, SomText *out) {
    SomScene scene = {0};
    SomImage image = {0};
    SomText png = {0}, caption = {0};
    fill_scene(def, moment, &scene);
    if (!def->stays) {
        point_at(frame, &scene);
    }
    print_caption(moment, &caption);
    bool is_drawn = som_offscreen_draw(artist->offscreen, &scene, &frame->camera, frame->width,
                                       frame->height, &image, artist->diags) &&
                    som_image_print_png(&image, &png, artist->diags);
    if (is_drawn) {
        som_page_image(out, som_text_str(&png), som_text_str(&caption));
    }
    som_text_free(&caption);
    som_text_free(&png);
    som_image_free(&image);
    som_scene_free(&scene);
    return is_drawn;
}

// The camera sees the robot at every moment.
static void point_at_all(const SomMomentDef *def, const SomMoment *moments, int count,
                         Frame *frame) {
    SomScene scene = {0};
    for (int i = 0; i < count; i++) {
        fill_scene(def, &moments[i], &scene);
    }
    point_at(frame, &scene);
    som_scene_free(&scene);
}

SomArtist *som_artist_create(int most) {
    SomArtist *artist = som_alloc(sizeof *artist);
    artist->diags = som_diagnostics_create();
    artist->most = most;
    return artist;
}

void som_artist_destroy(SomArtist *artist) {
    som_offscreen_destroy(artist->offscreen);
    som_diagnostics_destroy(artist->diags);
    som_free(artist);
}

void som_artist_refuse(SomArtist *artist, int count) {
    artist->refused += count;
}

int som_artist_refused(const SomArtist *artist) {
    return artist->refused;
}

// A page without pictures is still a page: why there are none stands in it.
static void tell_why(SomArtist *artist, SomText *out) {
    int reports;
    const SomDiagnostic *kept = som_diagnostics_get(artist->diags, &reports);
    if (reports > 0 && !artist->has_told) {
        artist->has_told = true;
        som_text_add(out, SOM_STR("<p class=\"soft\">No pictures: "));
        som_page_text(out, kept[0].message);
        som_text_add(out, SOM_STR("</p>\n"));
    }
}

void som_moments_print(SomArtist *artist, const SomMomentDef *def, const SomMoment *moments,
                       int count, SomText *out) {
    int left = artist->most - artist->drawn, most = left < count ? left : count;
    artist->refused += count - most;
    if (most > 0 && !artist->has_tried) {
        artist->offscreen = som_offscreen_create(artist->diags);
        artist->has_tried = true;
    }
    if (most > 0 && artist->offscreen != NULL) {
        Frame frame = frame_of(def);
        if (def->stays) {
            point_at_all(def, moments, most, &frame);
        }
        som_text_add(out, SOM_STR("<div class=\"pictures\">\n"));
        for (int i = 0; i < most; i++) {
            artist->drawn += print_one(artist, def, &moments[i], &frame, out);
        }
        som_text_add(out, SOM_STR("</div>\n"));
    }
    tell_why(artist, out);
}
