// What we write as SDF is the same robot when it is read, and the same text when it is written
// again: model.sdf, meshes and all.

// SPDX-License-Identifier: Apache-2.0

#include "base/file.h"
#include "exchange/import.h"
#include "exchange/sdf.h"
#include "tests/exchange/library_exports.h"
#include "tests/exchange/placed_text.h"
#include "tests/exchange/read_type.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_LOOKS 64

// ---- there

typedef struct Written {
    SomBodyModel *model;
    SomArena arena;
    const SomSdfFile *files;
    int count;
} Written;

static Written write_sdf(const SomBodyDef *body, SomMeshLooks looks, const void *context) {
    Written w = {.model = som_body_model_create(body)};
    w.count = som_sdf_export(&(SomSdfDef){.model = w.model,
                                          .graph = body->graph,
                                          .behavior = SOM_STR("go"),
                                          .looks = looks,
                                          .looks_context = context},
                             &w.arena, &w.files);
    return w;
}

static void free_written(Written *w) {
    som_body_model_destroy(w->model);
    som_arena_free(&w->arena);
}

static SomStr model_text(const Written *w) {
    for (int i = 0; i < w->count; i++) {
        if (som_str_equal(w->files[i].path, SOM_STR("model.sdf"))) {
            return w->files[i].content;
        }
    }
    ck_abort_msg("no model.sdf");
}

// ---- and back

// What was imported, composed, with the meshes it came with.
typedef struct ReadBack {
    SomImported result;
    SomArena texts;
    SomTestPlaced placed;
    const SomModuleLink *links[MOST_LOOKS];
    SomMesh meshes[MOST_LOOKS];
    int mesh_count;
} ReadBack;

static const SomMesh *look(const void *context, const SomModuleLink *link) {
    const ReadBack *back = context;
    for (int i = 0; i < back->mesh_count; i++) {
        if (back->links[i] == link) {
            return &back->meshes[i];
        }
    }
    return NULL;
}

static void load_meshes(ReadBack *back) {
    const SomModuleType *type = back->placed.configuration->modules[0].type;
    for (int i = 0; i < type->link_count; i++) {
        const SomModuleLink *link = &type->links[i];
        for (int k = 0; k < back->result.files.count && link->mesh.length > 0; k++) {
            if (som_str_equal(back->result.files.data[k].path, link->mesh)) {
                ck_assert_int_lt(back->mesh_count, MOST_LOOKS);
                ck_assert(som_mesh_parse(back->result.files.data[k].content, link->mesh,
                                         &(SomMeshOptions){0}, &back->meshes[back->mesh_count],
                                         back->placed.diags));
                back->links[back->mesh_count++] = link;
            }
        }
        ck_assert_msg(link->mesh.length == 0 || look(back, link) != NULL, "%.*s is not there",
                      SOM_STR_ARG(link->mesh));
    }
}

static void fail_with(const char *label, SomDiagnostics *diags) {
    SomText shown = {0};
    som_diagnostics_print(diags, 0, &shown);
    ck_abort_msg("%s: %s", label, shown.data);
}

static void path_in(const char *folder, SomStr file, SomText *path) {
    som_text_clear(path);
    som_text_printf(path, "%s/%.*s", folder, SOM_STR_ARG(file));
}

// The files in a folder of their own, imported from there.
static ReadBack *read_again(const Written *w, const char *label) {
    char folder[] = "/tmp/somite-sdf-XXXXXX";
    ReadBack *back = som_alloc(sizeof *back);
    SomDiagnostics *diags = som_diagnostics_create();
    SomText path = {0};
    ck_assert_ptr_nonnull(mkdtemp(folder));
    path_in(folder, SOM_STR("meshes"), &path);
    ck_assert(som_file_make_folder(path.data, diags));
    for (int i = 0; i < w->count; i++) {
        path_in(folder, w->files[i].path, &path);
        ck_assert(som_file_save(path.data, w->files[i].content, diags));
    }
    path_in(folder, SOM_STR("model.sdf"), &path);
    SomStr paths[] = {som_text_str(&path)};
    if (!som_import(paths, 1, &(SomImportOptions){0}, &back->texts, &back->result, diags)) {
        fail_with(label, diags);
    }
    back->placed = som_test_place_imported(&back->result);
    load_meshes(back);
    for (int i = 0; i < w->count; i++) {
        path_in(folder, w->files[i].path, &path);
        ck_assert_int_eq(unlink(path.data), 0);
    }
    path_in(folder, SOM_STR("meshes"), &path);
    ck_assert(rmdir(path.data) == 0 && rmdir(folder) == 0);
    som_text_free(&path);
    som_diagnostics_destroy(diags);
    return back;
}

static void free_back(ReadBack *back) {
    for (int i = 0; i < back->mesh_count; i++) {
        som_mesh_free(&back->meshes[i]);
    }
    som_test_free_placed(&back->placed);
    som_imported_free(&back->result);
    som_arena_free(&back->texts);
    som_free(back);
}

static Written write_again(const ReadBack *back, bool is_full) {
    SomBodyDef def = {.mechanism = back->placed.mechanism, .is_full = is_full};
    return write_sdf(&def, look, back);
}

// ---- the same

// Names, masses and poses of all bodies, and names of joints.
static void check_same_robot(const char *label, const SomBodyModel *a, const SomBodyModel *b) {
    ck_assert_msg(a->body_count == b->body_count, "%s: %d and %d bodies", label, a->body_count,
                  b->body_count);
    ck_assert_msg(a->joint_count == b->joint_count, "%s: joints", label);
    for (int i = 0; i < a->body_count; i++) {
        const SomBody *x = &a->bodies[i], *y = NULL;
        for (int k = 0; k < b->body_count && y == NULL; k++) {
            y = som_str_equal(b->bodies[k].name, x->name) ? &b->bodies[k] : NULL;
        }
        ck_assert_msg(y != NULL, "%s: no %s", label, x->name.data);
        ck_assert_msg(fabs(x->inertia.mass - y->inertia.mass) <= 1e-9, "%s: %s weighs", label,
                      x->name.data);
        double off = som_pose_distance(som_pose_relative(a->bodies[0].pose, x->pose),
                                       som_pose_relative(b->bodies[0].pose, y->pose));
        ck_assert_msg(off <= 1e-9, "%s: %s stands %g away", label, x->name.data, off);
    }
    for (int i = 0; i < a->joint_count; i++) {
        bool found = false;
        for (int k = 0; k < b->joint_count; k++) {
            found = found || som_str_equal(a->joints[i].name, b->joints[k].name);
        }
        ck_assert_msg(found, "%s: no joint %s", label, a->joints[i].name.data);
    }
}

// Hulls are written as balls and a box, and what is read are balls and a box, on which the robot
// then stands.
static bool touches_with_hulls(const SomBodyModel *model) {
    for (int i = 0; i < model->shape_count; i++) {
        if (model->shapes[i].is_solid && model->shapes[i].shape->kind == SOM_SHAPE_HULL) {
            return true;
        }
    }
    return false;
}

static void check_same_text(const char *label, const Written *a, const Written *b) {
    SomStr x = model_text(a), y = model_text(b);
    size_t at = 0;
    while (at < x.length && at < y.length && x.data[at] == y.data[at]) {
        at++;
    }
    ck_assert_msg(som_str_equal(x, y), "%s differs: %.*s\nand: %.*s", label,
                  SOM_STR_ARG(som_str_slice(x, at, at + 100 < x.length ? at + 100 : x.length)),
                  SOM_STR_ARG(som_str_slice(y, at, at + 100 < y.length ? at + 100 : y.length)));
}

static void check_same_files(const char *label, const Written *a, const Written *b) {
    check_same_text(label, a, b);
    ck_assert_msg(a->count == b->count, "%s: %d and %d files", label, a->count, b->count);
    for (int i = 0; i < a->count; i++) {
        bool is_mesh = som_str_starts_with(a->files[i].path, SOM_STR("meshes/"));
        ck_assert_msg(som_str_equal(a->files[i].path, b->files[i].path), "%s: files", label);
        ck_assert_msg(!is_mesh || som_str_equal(a->files[i].content, b->files[i].content), "%s: %s",
                      label, a->files[i].path.data);
    }
}

#define MANY_SHAPES 400

typedef struct Counts {
    bool is_full;
    int same; // the second text is the first
} Counts;

static void check_round(const TestExport *e, void *context) {
    Counts *counts = context;
    SomBodyDef def = {.mechanism = e->mechanism, .graph = e->graph, .is_full = counts->is_full};
    Written first = write_sdf(&def, NULL, NULL);
    ReadBack *again = read_again(&first, e->label);
    Written second = write_again(again, counts->is_full);
    check_same_robot(e->label, first.model, second.model);
    // of hulls that are hundreds of balls, each export finds some more that others hide
    bool is_large = second.model->shape_count >= MANY_SHAPES;
    if (!touches_with_hulls(first.model) && !is_large) {
        check_same_files(e->label, &first, &second);
        counts->same++;
    }
    ReadBack *last = read_again(&second, e->label);
    Written third = write_again(last, counts->is_full);
    check_same_robot(e->label, first.model, third.model);
    if (!is_large) {
        check_same_files(e->label, &second, &third);
    }
    free_back(last);
    free_back(again);
    free_written(&third);
    free_written(&second);
    free_written(&first);
}

START_TEST(full_models_come_back_as_the_same_text) {
    Counts counts = {.is_full = true};
    ck_assert_int_gt(test_each_export(check_round, &counts), 60);
    ck_assert_int_gt(counts.same, 50);
}
END_TEST

START_TEST(reduced_models_come_back_as_the_same_text) {
    Counts counts = {.is_full = false};
    ck_assert_int_gt(test_each_export(check_round, &counts), 60);
    ck_assert_int_gt(counts.same, 50);
}
END_TEST

// ---- shapes that were kept

#define COLORED(name, color)                                                                       \
    "<visual name='" name "'><geometry><sphere><radius>0.1</radius></sphere></geometry><material>" \
    "<diffuse>" color "</diffuse></material></visual>"

static bool is_in(SomStr text, const char *word) {
    SomText copy = {0};
    som_text_add(&copy, text);
    bool found = strstr(copy.data, word) != NULL;
    som_text_free(&copy);
    return found;
}

// Replaces a word of the module type before it is composed.
static void check_kept(const char *old, const char *new, bool is_kept) {
    static const char text[] =
        "<sdf version='1.9'><model name='m'><link name='a'><inertial><mass>1</mass></inertial>"
        "<collision name='hard'><geometry><sphere><radius>0.125</radius></sphere></geometry>"
        "<surface><friction><ode><mu>0.75</mu></ode></friction></surface></collision>" COLORED(
            "red", "1 0 0 1") COLORED("blue", "0 0 1 1") "</link></model></sdf>";
    SomTestRead r = som_test_read_text("m.sdf", SOM_STR(text), NULL);
    SomText edited = {0};
    SomStr m3l = r.result.files.data[0].content;
    const char *end = strstr(m3l.data, "sdf=("), *at = strstr(m3l.data, old);
    ck_assert_msg(at != NULL && end != NULL && at < end, "%s: %s", old, m3l.data);
    som_text_add(&edited, (SomStr){m3l.data, (size_t)(at - m3l.data)});
    som_text_add(&edited, som_str(new));
    som_text_add(&edited, som_str(at + strlen(old)));
    r.result.files.data[0].content = som_text_str(&edited);
    SomTestPlaced placed = som_test_place_imported(&r.result);
    SomBodyDef def = {.mechanism = placed.mechanism};
    Written w = write_sdf(&def, NULL, NULL);
    ck_assert_msg(is_in(model_text(&w), "name='hard'") == is_kept, "%s for %s", new, old);
    ck_assert_msg(is_in(model_text(&w), "name='blue'") == is_kept, "%s for %s", new, old);
    free_written(&w);
    som_test_free_placed(&placed);
    som_text_free(&edited);
    som_test_free_read(&r);
}

START_TEST(kept_shapes_are_written_while_they_hold) {
    check_kept("0.125", "0.125", true);
    check_kept("0.125", "0.25", false);
    check_kept("friction=0.75", "friction=0.5", false);
    check_kept("color=(1, 0, 0, 1)", "color=(0, 1, 0, 1)", false);
}
END_TEST

// One box is in the other: of a module of our own it would be left out.
START_TEST(imported_links_are_not_reduced) {
    static const char text[] =
        "<sdf version='1.9'><model name='m'><link name='a'><inertial><mass>1</mass></inertial>"
        "<collision name='c'><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision>"
        "<collision name='d'><geometry><box><size>0.1 0.1 0.1</size></box></geometry></collision>"
        "</link></model></sdf>";
    SomTestRead r = som_test_read_text("m.sdf", SOM_STR(text), NULL);
    SomTestPlaced placed = som_test_place_imported(&r.result);
    SomBodyModel *model = som_body_model_create(&(SomBodyDef){.mechanism = placed.mechanism});
    ck_assert_int_eq(model->shape_count, 2);
    ck_assert(model->shapes[0].is_solid && model->shapes[1].is_solid);
    som_body_model_destroy(model);
    som_test_free_placed(&placed);
    som_test_free_read(&r);
}
END_TEST

SOM_SUITE("exchange/sdf_round", full_models_come_back_as_the_same_text,
          reduced_models_come_back_as_the_same_text, kept_shapes_are_written_while_they_hold,
          imported_links_are_not_reduced)
