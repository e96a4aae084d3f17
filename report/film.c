// SPDX-License-Identifier: Apache-2.0
#include "report/film.h"

#include "base/file.h"
#include "base/path.h"
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
struct SomFilmPrint {
    const SomFilm *film;
    const SomMechanism *mechanism;
    const SomLinkMeshes *meshes;
    SomDiagnostics *diags;
    SomOffscreen *offscreen;
    SomCamera camera;
    SomAnimation *animation; // NULL: numbered files
    SomText path;
    int drawn;
    bool has_failed;
};

static const SomPose *links_of(const SomFilmPrint *d, int picture) {
    return d->film->links.data + (size_t)picture * (size_t)d->mechanism->link_count;
}

static void point_at_all(SomFilmPrint *d) {
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

static bool save_numbered(const SomFilmPrint *d, int picture, const SomImage *image) {
    SomText name = {0}, path = {0};
    som_text_printf(&name, "%04d.png", picture + 1);
    som_path_join(&path, som_text_str(&d->path), som_text_str(&name));
    bool is_saved = som_image_save(image, path.data, d->diags);
    som_text_free(&name);
    som_text_free(&path);
    return is_saved;
}

static bool show(const SomFilmPrint *d, int picture, const SomImage *image) {
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

static bool draw(const SomFilmPrint *d, int picture) {
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

SomFilmPrint *som_film_print_create(const SomFilm *film, const SomMechanism *mechanism,
                                    const SomLinkMeshes *meshes, const char *path,
                                    SomDiagnostics *diags) {
    bool is_file = som_film_is_file(path);
    if (film->count == 0 || (!is_file && !som_file_make_folder(path, diags))) {
        return NULL;
    }
    SomOffscreen *offscreen = som_offscreen_create(diags);
    if (offscreen == NULL) {
        return NULL;
    }
    SomFilmPrint *print = som_alloc(sizeof *print);
    *print = (SomFilmPrint){.film = film,
                            .mechanism = mechanism,
                            .meshes = meshes,
                            .diags = diags,
                            .offscreen = offscreen,
                            .animation = is_file ? som_animation_create(100 * film->every) : NULL};
    som_text_add(&print->path, som_str(path));
    point_at_all(print);
    return print;
}

bool som_film_print_draw(SomFilmPrint *print) {
    if (print->has_failed || print->drawn == print->film->count) {
        return false;
    }
    print->has_failed = !draw(print, print->drawn);
    print->drawn += !print->has_failed;
    return !print->has_failed;
}

int som_film_print_drawn(const SomFilmPrint *print) {
    return print->drawn;
}

static bool save_animation(const SomFilmPrint *print) {
    SomText bytes = {0};
    som_animation_print(print->animation, &bytes);
    bool is_saved = som_file_save(print->path.data, som_text_str(&bytes), print->diags);
    som_text_free(&bytes);
    return is_saved;
}

bool som_film_print_finish(SomFilmPrint *print) {
    if (print == NULL) {
        return false;
    }
    bool is_saved =
        print->drawn == print->film->count && (print->animation == NULL || save_animation(print));
    som_animation_destroy(print->animation);
    som_offscreen_destroy(print->offscreen);
    som_text_free(&print->path);
    som_free(print);
    return is_saved;
}
