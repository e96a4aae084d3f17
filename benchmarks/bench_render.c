// SPDX-License-Identifier: Apache-2.0
// Pictures of heaps of 18, 256 and 2,000 SMORES, a chain with all joints turned somehow, 1280 x 800
// with shadows, edges and four samples. For each size: what is done once a design (its skin), once
// a posture (placing it), with each motion of the pointer (picking); the first frame, which
// compiles shaders; the next ones with their readback, framed and near (all detail), with signs of
// joints, and a draft as a view draws it while it is turned. Milliseconds of the wall beside
// processor time: a software driver uses all cores. Growth is to be linear, and a heap of 2,000 to
// stay interactive: a draft in less than 100 ms, all that comes before a frame in less than 10.

#include "benchmarks/bench.h"
#include "compose/workspace.h"
#include "render/offscreen.h"
#include "render/robot_scene.h"
#include "render/robot_skin.h"

#include <stdio.h>
#include <time.h>

#define WIDTH 1280
#define HEIGHT 800
#define SIZES 3
#define DRAFT_LIMIT 100 // milliseconds
#define PLACE_LIMIT 10
#define GROWTH_LIMIT 1.5 // of a module's share, from 256 to 2,000

static const int sizes[SIZES] = {18, 256, 2000};

typedef struct Pictures {
    SomDiagnostics *diags;
    SomWorkspace *workspace;
    SomConfiguration *configuration;
    SomMechanism *mechanism;
    SomPose *links;
    SomRobotSkin skin;
    SomScene scene;
    unsigned flags; // what is shown of the robot
    SomCamera camera;
    SomImage image;
    SomOffscreen *offscreen;
    int modules;
} Pictures;

static double wall_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- the robot

static bool compose(Pictures *p) {
    static const char *const source = "use \"smores.m3l\"\n"
                                      "config Heap(n: count = 18) {\n"
                                      "    part m[n] : SMORES\n"
                                      "    connect m[i].B to m[i+1].T for i in 1..n-1\n"
                                      "}\n";
    char choice[64];
    snprintf(choice, sizeof choice, "Heap(n = %d)", p->modules);
    p->workspace = som_workspace_create(SOM_STR(SOM_SOURCE "/library"), p->diags);
    int file = som_workspace_open_text(p->workspace, SOM_STR("heap.som"), som_str(source));
    p->configuration = som_configuration_compose(p->workspace, file, som_str(choice), p->diags);
    if (p->configuration == NULL) {
        return false;
    }
    p->mechanism = som_mechanism_create(p->configuration);
    p->links = som_alloc((size_t)p->mechanism->link_count * sizeof *p->links);
    SomPosture posture = som_posture_zero(p->configuration);
    unsigned state = 1;
    for (int i = 0; i < posture.count; i++) {
        state = state * 1664525u + 1013904223u;
        posture.values[i] = 2.4 * ((double)state / 4294967296.0 - 0.5);
    }
    som_mechanism_place(p->mechanism, &posture, p->links);
    som_posture_free(&posture);
    return true;
}

static void free_all(Pictures *p) {
    som_offscreen_destroy(p->offscreen);
    som_robot_skin_free(&p->skin);
    som_scene_free(&p->scene);
    som_image_free(&p->image);
    som_free(p->links);
    som_mechanism_destroy(p->mechanism);
    som_configuration_destroy(p->configuration);
    som_workspace_destroy(p->workspace);
    som_diagnostics_destroy(p->diags);
}

// ---- the work

static void make(SomBench *bench, void *context) {
    Pictures *p = context;
    som_robot_skin_make(&p->skin, &p->scene, p->mechanism, NULL);
    som_bench_keep(bench, p->skin.items.count);
}

static void place(SomBench *bench, void *context) {
    Pictures *p = context;
    som_scene_clear(&p->scene);
    som_robot_skin_place(&p->skin, &p->scene, p->links, p->flags);
    som_bench_keep(bench, p->scene.items.count);
}

static void pick(SomBench *bench, void *context) {
    Pictures *p = context;
    SomRay ray = som_camera_ray(&p->camera, 0.4 * WIDTH, 0.6 * HEIGHT, WIDTH, HEIGHT);
    som_bench_keep(bench, som_robot_skin_pick(&p->skin, &p->scene, p->links, ray).module);
}

static void draw(SomBench *bench, Pictures *p) {
    som_offscreen_draw(p->offscreen, &p->scene, &p->camera, WIDTH, HEIGHT, &p->image, p->diags);
    som_bench_keep(bench, p->image.pixels[0]);
}

// Milliseconds of the wall.
static double measure(SomBench *bench, Pictures *p, const char *what) {
    double wall = HUGE_VAL, processor = HUGE_VAL;
    for (int i = 0; i < 5; i++) {
        double start = som_bench_now(), wall_start = wall_now();
        draw(bench, p);
        processor = fmin(processor, som_bench_now() - start);
        wall = fmin(wall, wall_now() - wall_start);
    }
    som_bench_value(bench, what, p->modules, processor, 1e3 * wall, "ms of the wall");
    return 1e3 * wall;
}

static double time_row(SomBench *bench, Pictures *p, const char *what,
                       void (*work)(SomBench *, void *)) {
    double seconds = som_bench_seconds(bench, work, p);
    som_bench_row(bench, what, p->modules, seconds, NULL, 0);
    return 1e3 * seconds;
}

// What one size takes, in milliseconds.
typedef struct Taken {
    double place, frame, draft;
} Taken;

static void measure_size(SomBench *bench, Pictures *p, Taken *taken) {
    double start = wall_now();
    p->flags = SOM_ROBOT_GROUND | SOM_ROBOT_CENTER_OF_MASS;
    time_row(bench, p, "skin", make);
    taken->place = time_row(bench, p, "place", place);
    p->camera = som_camera_default();
    som_camera_frame_scene(&p->camera, &p->scene, (double)WIDTH / HEIGHT);
    time_row(bench, p, "pick", pick);
    start = wall_now();
    draw(bench, p);
    som_bench_value(bench, "first frame", p->modules, 0, 1e3 * (wall_now() - start),
                    "ms of the wall");
    taken->frame = measure(bench, p, "frame");
    som_offscreen_set_quality(p->offscreen, som_render_draft());
    taken->draft = measure(bench, p, "draft");
    som_offscreen_set_quality(p->offscreen, (SomRenderQuality){0});
    p->flags |= SOM_ROBOT_SIGNS;
    time_row(bench, p, "place with signs", place);
    measure(bench, p, "frame with signs");
    p->flags = SOM_ROBOT_GROUND;
    place(bench, p);
    som_camera_zoom(&p->camera, 0.2);
    measure(bench, p, "frame near");
}

static bool measure_heap(SomBench *bench, int modules, Taken *taken) {
    Pictures p = {.diags = som_diagnostics_create(), .modules = modules};
    p.offscreen = som_offscreen_create(p.diags);
    bool is_there = p.offscreen != NULL && compose(&p);
    if (is_there) {
        measure_size(bench, &p, taken);
    } else {
        SomText shown = {0};
        som_diagnostics_print(p.diags, 0, &shown);
        fputs(shown.data, stderr);
        som_text_free(&shown);
    }
    free_all(&p);
    return is_there;
}

void som_bench_render(SomBench *bench) {
    Taken taken[SIZES] = {0};
    for (int i = 0; i < SIZES; i++) {
        if (!measure_heap(bench, sizes[i], &taken[i])) {
            return;
        }
    }
    double more = (double)sizes[2] / sizes[1];
    som_bench_target(bench, "draft", sizes[2], taken[2].draft, "ms of the wall", SOM_AT_MOST,
                     DRAFT_LIMIT);
    som_bench_target(bench, "place", sizes[2], taken[2].place, "ms", SOM_AT_MOST, PLACE_LIMIT);
    som_bench_target(bench, "growth of placing", sizes[2], taken[2].place / taken[1].place / more,
                     "of a module's share", SOM_AT_MOST, GROWTH_LIMIT);
    som_bench_target(bench, "growth of frames", sizes[2], taken[2].frame / taken[1].frame / more,
                     "of a module's share", SOM_AT_MOST, GROWTH_LIMIT);
}
