// report/film.h - pictures along a run under physics: numbered, or as one image that moves.
//
//     SomFilm film = {0};
//     do { som_film_look(&film, simulation, mechanism); } while (som_simulation_step(simulation));
//     som_film_look_last(&film, simulation, mechanism);
//     SomFilmPrint *print = som_film_print_create(&film, mechanism, &meshes, "walk.png", diags);
//     while (som_film_print_draw(print)) { ... how far it is ... }
//     bool is_saved = som_film_print_finish(print);
//     som_film_free(&film);
//
// Ten pictures a simulated second; of long runs every second, fourth, … of them, so that there are
// never more than SOM_FILM_MOST. The camera rests and sees all of the run. The same run gives the
// same bytes, with the same driver of pictures.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/link_meshes.h"
#include "simulate/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_FILM_MOST 300
#define SOM_FILM_WIDTH 480
#define SOM_FILM_HEIGHT 320

// Zero has seen nothing.
typedef struct SomFilm {
    int every;  // tenths of a second between pictures
    int tenths; // that have passed
    int count;
    double last;              // seconds, of the last picture
    SOM_ARRAY(SomPose) links; // as many a picture as the mechanism has
} SomFilm;

// Before each step, and after the last one.
void som_film_look(SomFilm *film, const SomSimulation *simulation, const SomMechanism *mechanism);
void som_film_look_last(SomFilm *film, const SomSimulation *simulation,
                        const SomMechanism *mechanism);
void som_film_free(SomFilm *film);

// Whether pictures can go there: to one file that ends in .png or .apng, or to a folder.
bool som_film_is_file(const char *path);
bool som_film_is_folder(const char *path);

// Its pictures on their way to the disk. One picture takes some milliseconds; who does not want the
// rest of them finishes early, and then no file that moves is written.
typedef struct SomFilmPrint SomFilmPrint;

// `meshes` may be NULL. NULL after a report.
SomFilmPrint *som_film_print_create(const SomFilm *film, const SomMechanism *mechanism,
                                    const SomLinkMeshes *meshes, const char *path,
                                    SomDiagnostics *diags);
bool som_film_print_draw(SomFilmPrint *print); // one more; false: there is none, or after a report
int som_film_print_drawn(const SomFilmPrint *print);
// Destroys it; NULL is allowed. False if something was reported, or not all pictures were drawn.
bool som_film_print_finish(SomFilmPrint *print);

#ifdef __cplusplus
}
#endif
