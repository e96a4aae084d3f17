// SPDX-License-Identifier: Apache-2.0
#include "command/simulated.h"

#include "base/number.h"
#include "command/progress.h"

#include <math.h>
#include <time.h>

// ---- how far it is

#define STEPS_A_LOOK 20       // at the clock
#define SECONDS_A_LINE 0.25   // of the processor, from one line of progress to the next
#define SECONDS_IN_SILENCE 1. // runs that are over sooner need no progress

static double seconds_since(clock_t began) {
    return (double)(clock() - began) / CLOCKS_PER_SEC;
}

static void print_tenths(SomText *out, double value) {
    som_text_number(out, round(value * 10) / 10);
}

static void show_progress(const SomSimulated *made, double seconds) {
    double time = som_simulation_time(made->run.simulation);
    SomText line = {0};
    print_tenths(&line, time);
    som_text_add(&line, SOM_STR(" s simulated, at most "));
    print_tenths(&line, som_physics_run_duration(&made->run));
    som_text_add(&line, SOM_STR(" s; "));
    print_tenths(&line, time / seconds);
    som_text_add(&line, SOM_STR(" times real time (processor)"));
    som_progress_show(som_text_str(&line));
    som_text_free(&line);
}

static void play(SomSimulated *made) {
    const SomPhysicsRun *run = &made->run;
    bool is_watched = som_progress_is_watched();
    clock_t began = clock();
    double next = SECONDS_IN_SILENCE;
    for (int step = 1;; step++) {
        if (made->is_filmed) {
            som_film_look(&made->film, run->simulation, run->mechanism);
        }
        if (!som_simulation_step(run->simulation)) {
            break;
        }
        if (is_watched && step % STEPS_A_LOOK == 0) {
            step = 0;
            double seconds = seconds_since(began);
            if (seconds >= next) {
                show_progress(made, seconds);
                next = seconds + SECONDS_A_LINE;
            }
        }
    }
    made->seconds = seconds_since(began);
    if (is_watched && next > SECONDS_IN_SILENCE) {
        som_progress_clear();
    }
    if (made->is_filmed) {
        som_film_look_last(&made->film, run->simulation, run->mechanism);
    }
}

// ---- the run

bool som_simulated_play(SomSimulated *made) {
    if (!som_physics_run_begin(&made->run, made->command->diags)) {
        return false;
    }
    play(made);
    return true;
}

void som_simulated_free(SomSimulated *made) {
    som_physics_report_free(&made->report);
    som_film_free(&made->film);
    som_physics_run_free(&made->run);
}

void som_simulated_compare(SomSimulated *made) {
    som_physics_report_predict(&made->report, &made->run, made->command->diags);
    som_physics_report_compare(&made->report, &made->run, made->command->diags);
}

// ---- files

static void load_meshes(const SomSimulated *made, SomLinkMeshes *meshes) {
    som_link_meshes_load(meshes, made->run.design, som_command_workspace(made->command),
                         made->command->diags);
}

static void draw_all(SomFilmPrint *print, int count) {
    bool is_watched = som_progress_is_watched(), is_drawn = true;
    for (int i = 0; i < count && is_drawn; i++) {
        SomText line = {0};
        som_text_printf(&line, "picture %d of %d", i + 1, count);
        if (is_watched) {
            som_progress_show(som_text_str(&line));
        }
        is_drawn = som_film_print_draw(print);
        som_text_free(&line);
    }
    if (is_watched) {
        som_progress_clear();
    }
}

bool som_simulated_save_pictures(const SomSimulated *made, const char *path) {
    SomLinkMeshes meshes = {0};
    load_meshes(made, &meshes);
    SomFilmPrint *print = som_film_print_create(&made->film, made->run.mechanism, &meshes, path,
                                                made->command->diags);
    if (print != NULL) {
        draw_all(print, made->film.count);
    }
    bool is_saved = som_film_print_finish(print);
    som_link_meshes_free(&meshes);
    return is_saved;
}

bool som_simulated_save_page(const SomSimulated *made, SomStr behavior, const char *path) {
    SomLinkMeshes meshes = {0};
    load_meshes(made, &meshes);
    bool is_saved = som_physics_report_save(&made->report, &made->run, &meshes, behavior, path,
                                            made->command->diags);
    som_link_meshes_free(&meshes);
    return is_saved;
}
