// SPDX-License-Identifier: Apache-2.0
#include "command/film.h"

#include "base/file.h"
#include "base/path.h"
#include "command/progress.h"
#include "render/animation.h"
#include "render/offscreen.h"
#include "render/robot_scene.h"

#include <math.h>
#include <string.h>

#define TENTH 0.1
#define LAST_SHOWN 10 // tenths of a second that the last picture stays

// ---- looking on

static void keep(SomFilm *film, const SomSimulation *simulation, const SomMechanism *mechanism) {
    for (int i = 0; i < mechanism->link_count; i++) {
        som_array_push(&film->links, (SomPose){0});
    }
    som_simulation_place(simulation, film->links.data + film->links.count - mechanism->link_count);
    film->count++;
    film->last = som_simulation_time(simulation);
}

// Every second picture goes.
static void thin(SomFilm *film, int links) {
    film->every *= 2;
    film->count = (film->count + 1) / 2;
    for (int i = 1; i < film->count; i++) {
        memcpy(film->links.data + (size_t)i * (size_t)links,
               film->links.data + (size_t)(2 * i) * (size_t)links, (size_t)links * sizeof(SomPose));
    }
    film->links.count = film->count * links;
}

void som_film_look(SomFilm *film, const SomSimulation *simulation, const SomMechanism *mechanism) {
    if (som_simulation_time(simulation) < film->tenths * TENTH - 1e-9) {
        return;
    }
    film->every = film->every > 0 ? film->every : 1;
    if (film->tenths % film->every == 0) {
        if (film->count == SOM_FILM_MOST - 1) { // one more for the end
            thin(film, mechanism->link_count);
        }
        if (film->tenths % film->every == 0) {
            keep(film, simulation, mechanism);
        }
    }
    film->tenths++;
}

void som_film_look_last(SomFilm *film, const SomSimulation *simulation,
                        const SomMechanism *mechanism) {
    if (film->count == 0 || som_simulation_time(simulation) > film->last) {
        keep(film, simulation, mechanism);
    }
}

void som_film_free(SomFilm *film) {
    som_array_free(&film->links);
}

// ---- drawing

bool som_film_is_file(const char *path) {
    SomStr ending = som_path_extension(som_str(path));
    return som_str_equal(ending, SOM_STR(".png")) || som_str_equal(ending, SOM_STR(".apng"));
}

bool som_film_is_folder(const char *path) {
    return path[0] != '\0' && !som_film_is_file(path) &&
           (som_file_is_folder(path) || som_path_extension(som_str(path)).length == 0);
}

// What draws, and where pictures go.
typedef struct Drawing {
    const SomFilm *film;
    const SomMechanism *mechanism;
    const SomLinkMeshes *meshes;
    SomDiagnostics *diags;
    SomOffscreen *offscreen;
    SomCamera camera;
    SomAnimation *animation; // NULL: numbered files
    const char *path;
} Drawing;

static const SomPose *links_of(const Drawing *d, int picture) {
    return d->film->links.data + (size_t)picture * (size_t)d->mechanism->link_count;
}

static void point_at_all(Drawing *d) {
    SomBounds all = som_mechanism_bounds(d->mechanism, links_of(d, 0));
    for (int i = 1; i < d->film->count; i++) {
        SomBounds b = som_mechanism_bounds(d->mechanism, links_of(d, i));
        all.low =
            som_vec3(fmin(all.low.x, b.low.x), fmin(all.low.y, b.low.y), fmin(all.low.z, b.low.z));
        all.high = som_vec3(fmax(all.high.x, b.high.x), fmax(all.high.y, b.high.y),
                            fmax(all.high.z, b.high.z));
    }
    d->camera = som_camera_default();
    som_camera_frame_bounds(&d->camera, all, (double)SOM_FILM_WIDTH / SOM_FILM_HEIGHT);
}

static bool save_numbered(const Drawing *d, int picture, const SomImage *image) {
    SomText name = {0}, path = {0};
    som_text_printf(&name, "%04d.png", picture + 1);
    som_path_join(&path, som_str(d->path), som_text_str(&name));
    bool is_saved = som_image_save(image, path.data, d->diags);
    som_text_free(&name);
    som_text_free(&path);
    return is_saved;
}

static bool show(const Drawing *d, int picture, const SomImage *image) {
    if (d->animation == NULL) {
        return save_numbered(d, picture, image);
    }
    int times = picture == d->film->count - 1 ? LAST_SHOWN / d->film->every + 1 : 1;
    bool is_added = true;
    for (int i = 0; i < times && is_added; i++) {
        is_added = som_animation_add(d->animation, image, d->diags);
    }
    return is_added;
}

static bool draw(const Drawing *d, int picture) {
    SomScene scene = {0};
    SomImage image = {0};
    som_scene_add_robot(&scene, d->mechanism, links_of(d, picture), d->meshes, 0);
    som_scene_set_ground(&scene, 0);
    bool is_drawn = som_offscreen_draw(d->offscreen, &scene, &d->camera, SOM_FILM_WIDTH,
                                       SOM_FILM_HEIGHT, &image, d->diags) &&
                    show(d, picture, &image);
    som_image_free(&image);
    som_scene_free(&scene);
    return is_drawn;
}

static bool draw_pictures(const Drawing *d) {
    bool is_watched = som_progress_is_watched(), is_drawn = true;
    for (int i = 0; i < d->film->count && is_drawn; i++) {
        SomText line = {0};
        som_text_printf(&line, "picture %d of %d", i + 1, d->film->count);
        if (is_watched) {
            som_progress_show(som_text_str(&line));
        }
        is_drawn = draw(d, i);
        som_text_free(&line);
    }
    if (is_watched) {
        som_progress_clear();
    }
    return is_drawn;
}

static bool draw_all(Drawing *d) {
    point_at_all(d);
    if (!draw_pictures(d)) {
        return false;
    }
    SomText bytes = {0};
    bool is_saved = true;
    if (d->animation != NULL) {
        som_animation_print(d->animation, &bytes);
        is_saved = som_file_save(d->path, som_text_str(&bytes), d->diags);
    }
    som_text_free(&bytes);
    return is_saved;
}

bool som_film_save(const SomFilm *film, const SomMechanism *mechanism, const SomLinkMeshes *meshes,
                   const char *path, SomDiagnostics *diags) {
    Drawing d = {
        .film = film, .mechanism = mechanism, .meshes = meshes, .diags = diags, .path = path};
    bool is_file = som_film_is_file(path);
    if (film->count == 0 || (!is_file && !som_file_make_folder(path, diags))) {
        return false;
    }
    d.offscreen = som_offscreen_create(diags);
    if (d.offscreen == NULL) {
        return false;
    }
    d.animation = is_file ? som_animation_create(100 * film->every) : NULL;
    bool is_saved = draw_all(&d);
    som_animation_destroy(d.animation);
    som_offscreen_destroy(d.offscreen);
    return is_saved;
}
