// SPDX-License-Identifier: Apache-2.0
// Pictures of robots of many modules, each of ten shapes as SMORES has, 1280 x 800 with shadows,
// edges and four samples: filling the scene, the first picture (which compiles shaders) and the
// next ones with their readback, framed and near (all detail), and a draft without all three.
// Milliseconds of the wall beside processor time: a software driver uses all cores.

#include "benchmarks/bench.h"
#include "render/offscreen.h"
#include "space/trigonometry.h"

#include <stdio.h>
#include <time.h>

#define WIDTH 1280
#define HEIGHT 800

typedef struct Pictures {
    SomScene scene;
    SomCamera camera;
    SomImage image;
    SomOffscreen *offscreen;
    SomDiagnostics *diags;
    int modules;
} Pictures;

static double wall_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void add_part(SomScene *scene, SomPose module, SomShape shape, SomMat3 turn, SomVec3 place,
                     int color) {
    SomLook look = {.color = som_color_of_index(color)};
    som_scene_add_shape(scene, &shape, som_pose_compose(module, (SomPose){turn, place}), &look);
}

static void add_module(SomScene *scene, SomPose pose) {
    SomMat3 upright = som_mat3_identity(), along_x = som_rotation_y(SOM_PI / 2);
    SomShape body = {.kind = SOM_SHAPE_BOX, .half = {0.036, 0.036, 0.03}};
    SomShape plate = {.kind = SOM_SHAPE_BOX, .half = {0.046, 0.01, 0.044}};
    SomShape arm = {.kind = SOM_SHAPE_BOX, .half = {0.0034, 0.015, 0.044}};
    SomShape wheel = {.kind = SOM_SHAPE_CYLINDER, .radius = 0.045, .half_length = 0.003};
    add_part(scene, pose, body, upright, som_vec3(0, -0.006, 0), 8);
    add_part(scene, pose, plate, upright, som_vec3(0, 0.04, 0), 5);
    add_part(scene, pose, wheel, som_rotation_x(SOM_PI / 2), som_vec3(0, -0.047, 0), 1);
    for (int side = -1; side <= 1; side += 2) {
        add_part(scene, pose, arm, upright, som_vec3(side * 0.04, 0.015, 0), 5);
        add_part(scene, pose, wheel, along_x, som_vec3(side * 0.04, 0, 0), 5);
        add_part(scene, pose, wheel, along_x, som_vec3(side * 0.046, 0, 0), 0);
    }
    SomPose face = {som_rotation_z(-SOM_PI / 2), {0, -0.05, 0}};
    som_scene_add_connector(scene, som_pose_compose(pose, face), 0.02, som_color(0, 0.5f, 0.3f), 0);
}

// A square field of modules, like a sheet of them.
static void fill(SomBench *bench, void *context) {
    Pictures *p = context;
    som_scene_clear(&p->scene);
    int side = 1;
    while (side * side < p->modules) {
        side++;
    }
    for (int i = 0; i < p->modules; i++) {
        SomVec3 place = som_vec3(0.11 * (i % side), 0.11 * (i / side), 0.05 + 0.02 * (i % 3));
        add_module(&p->scene, som_pose_translation(place));
    }
    som_bench_keep(bench, p->scene.items.count);
}

static void draw(SomBench *bench, void *context) {
    Pictures *p = context;
    som_offscreen_draw(p->offscreen, &p->scene, &p->camera, WIDTH, HEIGHT, &p->image, p->diags);
    som_bench_keep(bench, p->image.pixels[0]);
}

static void measure(SomBench *bench, Pictures *p, const char *what) {
    double wall = HUGE_VAL, processor = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        double start = som_bench_now(), wall_start = wall_now();
        draw(bench, p);
        processor = fmin(processor, som_bench_now() - start);
        wall = fmin(wall, wall_now() - wall_start);
    }
    som_bench_value(bench, what, p->modules, processor, 1e3 * wall, "ms of the wall");
}

static void measure_size(SomBench *bench, int modules) {
    Pictures p = {.diags = som_diagnostics_create(), .modules = modules};
    double start = wall_now();
    p.offscreen = som_offscreen_create(p.diags);
    if (p.offscreen == NULL) {
        SomText shown = {0};
        som_diagnostics_print(p.diags, 0, &shown);
        fputs(shown.data, stderr);
        som_text_free(&shown);
        som_diagnostics_destroy(p.diags);
        return;
    }
    som_bench_value(bench, "start", modules, 0, 1e3 * (wall_now() - start), "ms of the wall");
    som_bench_row(bench, "fill scene", modules, som_bench_seconds(bench, fill, &p), NULL, 0);
    som_scene_set_ground(&p.scene, 0);
    SomBounds bounds;
    som_scene_bounds(&p.scene, &bounds);
    p.camera = som_camera_default();
    som_camera_frame_bounds(&p.camera, bounds, (double)WIDTH / HEIGHT);
    start = wall_now();
    draw(bench, &p);
    som_bench_value(bench, "first picture", modules, 0, 1e3 * (wall_now() - start),
                    "ms of the wall");
    measure(bench, &p, "picture");
    som_offscreen_set_quality(p.offscreen, (SomRenderQuality){true, true, true});
    measure(bench, &p, "draft");
    som_offscreen_set_quality(p.offscreen, (SomRenderQuality){0});
    som_camera_zoom(&p.camera, 0.2);
    measure(bench, &p, "picture near");
    som_offscreen_destroy(p.offscreen);
    som_scene_free(&p.scene);
    som_image_free(&p.image);
    som_diagnostics_destroy(p.diags);
}

void som_bench_render(SomBench *bench) {
    static const int sizes[] = {1, 100, 2000};
    for (int i = 0; i < 3; i++) {
        measure_size(bench, sizes[i]);
    }
}
