// SDF that is read stands as its numbers say, by formulas of our own; and what we write as SDF is
// the same robot when it is read, and the same text when it is written again.

// SPDX-License-Identifier: Apache-2.0

#include "base/file.h"
#include "exchange/import.h"
#include "exchange/sdf.h"
#include "tests/exchange/library_exports.h"
#include "tests/exchange/matrix.h"
#include "tests/exchange/placed_text.h"
#include "tests/exchange/read_type.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// ---- there and back

typedef struct Written {
    SomBodyModel *model;
    SomArena arena;
    const SomSdfFile *files;
    int count;
} Written;

static Written write_sdf(const SomMechanism *mechanism, const SomActionGraph *graph, bool is_full) {
    Written w = {0};
    w.model = som_body_model_create(
        &(SomBodyDef){.mechanism = mechanism, .graph = graph, .is_full = is_full});
    w.count =
        som_sdf_export(&(SomSdfDef){.model = w.model, .graph = graph, .behavior = SOM_STR("go")},
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

static void fail_with(const char *label, SomDiagnostics *diags) {
    SomText shown = {0};
    som_diagnostics_print(diags, 0, &shown);
    ck_abort_msg("%s: %s", label, shown.data);
}

// The files in a folder of their own, imported from there.
static SomTestPlaced read_again(const Written *w, const char *label) {
    char folder[] = "/tmp/somite-sdf-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    SomDiagnostics *diags = som_diagnostics_create();
    SomText path = {0};
    som_text_printf(&path, "%s/meshes", folder);
    ck_assert(som_file_make_folder(path.data, diags));
    for (int i = 0; i < w->count; i++) {
        som_text_clear(&path);
        som_text_printf(&path, "%s/%.*s", folder, SOM_STR_ARG(w->files[i].path));
        ck_assert(som_file_save(path.data, w->files[i].content, diags));
    }
    som_text_clear(&path);
    som_text_printf(&path, "%s/model.sdf", folder);
    SomStr paths[] = {som_text_str(&path)};
    SomImportOptions options = {0};
    SomArena texts = {0};
    SomImported result = {0};
    if (!som_import(paths, 1, &options, &texts, &result, diags)) {
        fail_with(label, diags);
    }
    SomTestPlaced placed = som_test_place_imported(&result);
    for (int i = 0; i < w->count; i++) {
        som_text_clear(&path);
        som_text_printf(&path, "%s/%.*s", folder, SOM_STR_ARG(w->files[i].path));
        ck_assert_int_eq(unlink(path.data), 0);
    }
    som_text_clear(&path);
    som_text_printf(&path, "%s/meshes", folder);
    ck_assert(rmdir(path.data) == 0 && rmdir(folder) == 0);
    som_imported_free(&result);
    som_arena_free(&texts);
    som_text_free(&path);
    som_diagnostics_destroy(diags);
    return placed;
}

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

// Hulls are written as balls and a box, and what is read are balls and a box.
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

static Written write_again(const Written *w, bool is_full, const char *label,
                           SomTestPlaced *placed) {
    *placed = read_again(w, label);
    return write_sdf(placed->mechanism, NULL, is_full);
}

static void check_full(const TestExport *e, void *context) {
    int *same = context;
    SomTestPlaced again, last;
    Written first = write_sdf(e->mechanism, e->graph, true);
    Written second = write_again(&first, true, e->label, &again);
    check_same_robot(e->label, first.model, second.model);
    if (!touches_with_hulls(first.model)) {
        check_same_text(e->label, &first, &second);
        (*same)++;
    }
    Written third = write_again(&second, true, e->label, &last);
    check_same_text(e->label, &second, &third);
    free_written(&third);
    free_written(&second);
    free_written(&first);
    som_test_free_placed(&again);
    som_test_free_placed(&last);
}

START_TEST(full_models_come_back_as_the_same_text) {
    int same = 0;
    ck_assert_int_gt(test_each_export(check_full, &same), 40);
    ck_assert_int_gt(same, 40);
}
END_TEST

// Without what does not touch and is only seen, of which there are meshes. What is reduced once
// more may lose shapes once more, so it is the full model that stays the same from then on.
static void check_reduced(const TestExport *e, void *context) {
    (void)context;
    SomTestPlaced again, last;
    Written first = write_sdf(e->mechanism, e->graph, false);
    Written second = write_again(&first, true, e->label, &again);
    Written reduced = write_sdf(again.mechanism, NULL, false);
    check_same_robot(e->label, first.model, second.model);
    check_same_robot(e->label, first.model, reduced.model);
    Written third = write_again(&second, true, e->label, &last);
    check_same_text(e->label, &second, &third);
    free_written(&third);
    free_written(&reduced);
    free_written(&second);
    free_written(&first);
    som_test_free_placed(&again);
    som_test_free_placed(&last);
}

START_TEST(reduced_models_come_back_as_the_same_robot) {
    ck_assert_int_gt(test_each_export(check_reduced, NULL), 40);
}
END_TEST

// ---- texts

// A model of some version, with this in it.
static SomTestRead read_model(const char *version, const char *inside) {
    SomText text = {0};
    som_text_printf(&text, "<sdf version='%s'><model name='m'>%s</model></sdf>", version, inside);
    SomTestRead r = som_test_read_text("m.sdf", som_text_str(&text), NULL);
    som_text_free(&text);
    return r;
}

static SomTestMatrix pose(double x, double y, double z, double roll, double pitch, double yaw) {
    return som_test_rpy((double[6]){x, y, z, roll, pitch, yaw});
}

static SomPose link_pose(const SomTestRead *r, const char *name, const double *values) {
    SomPose placed[16];
    double zero[16] = {0};
    ck_assert_ptr_nonnull(r->type);
    ck_assert_int_le(r->type->link_count, 16);
    som_module_type_place(r->type, values != NULL ? values : zero, placed);
    int link = som_module_type_find_link(r->type, som_str(name));
    ck_assert_msg(link >= 0, "no link %s", name);
    return som_pose_compose(placed[link], r->type->links[link].frame);
}

// Where link `name` stands in link `in`.
static void check_pose(const SomTestRead *r, const char *in, const char *name, const double *values,
                       SomTestMatrix wanted) {
    SomPose is = som_pose_relative(link_pose(r, in, values), link_pose(r, name, values));
    double most = som_test_matrix_distance(wanted, is);
    ck_assert_msg(most <= 1e-9, "%s in %s is %g off", name, in, most);
}

#define MASS "<inertial><mass>1</mass></inertial>"
#define LINK(name, rest) "<link name='" name "'>" MASS rest "</link>"
#define FIXED(name, parent, child)                                                                 \
    "<joint name='" name "' type='fixed'><parent>" parent "</parent><child>" child                 \
    "</child></joint>"

START_TEST(poses_are_relative_to_what_they_say) {
    SomTestRead r = read_model(
        "1.9",
        LINK("a", "<pose>1 2 3 0.1 0.2 0.3</pose>") LINK(
            "b", "<pose relative_to='f'>0 0 1 0 0.5 0</pose>")
            LINK("c", "<pose relative_to='j'>0 1 0 0.7 0 0</pose>") LINK(
                "d", "<pose relative_to='__model__'/>") "<frame name='f' attached_to='g'><pose>0.5 "
                                                        "0 0 0 0 1</pose></frame>"
                                                        "<frame name='g' attached_to='a'><pose "
                                                        "relative_to='__model__'>"
                                                        "0 0 2 1 0 0</pose></frame>"
                                                        "<joint name='j' type='fixed'><pose "
                                                        "relative_to='b'>1 0 0 0 0 -0.4</pose>"
                                                        "<parent>b</parent><child>c</child></"
                                                        "joint>" FIXED("k", "f", "b")
                                                            FIXED("l", "a", "d"));
    SomTestMatrix a = pose(1, 2, 3, 0.1, 0.2, 0.3);
    SomTestMatrix f = som_test_multiply(pose(0, 0, 2, 1, 0, 0), pose(0.5, 0, 0, 0, 0, 1));
    SomTestMatrix b = som_test_multiply(f, pose(0, 0, 1, 0, 0.5, 0));
    SomTestMatrix j = som_test_multiply(b, pose(1, 0, 0, 0, 0, -0.4));
    SomTestMatrix c = som_test_multiply(j, pose(0, 1, 0, 0.7, 0, 0));
    check_pose(&r, "a", "b", NULL, som_test_multiply(som_test_invert(a), b));
    check_pose(&r, "a", "c", NULL, som_test_multiply(som_test_invert(a), c));
    check_pose(&r, "d", "c", NULL, c);
    ck_assert_int_eq(som_diagnostics_error_count(r.diags), 0);
    som_test_free_read(&r);
}
END_TEST

START_TEST(turns_are_radians_degrees_or_quaternions) {
    SomTestRead r = read_model(
        "1.9", LINK("a", "") LINK("b", "<pose degrees='true'>1 0 0 10 20 30</pose>")
                   LINK("c", "<pose rotation_format='euler_rpy' degrees='true'>0 0 0 0 0 90</pose>")
                       LINK("d", "<pose rotation_format='quat_xyzw'>0 1 0 0 0.6 0 0.8</pose>")
                           FIXED("j", "a", "b") FIXED("k", "a", "c") FIXED("l", "a", "d"));
    double degree = acos(-1) / 180;
    check_pose(&r, "a", "b", NULL, pose(1, 0, 0, 10 * degree, 20 * degree, 30 * degree));
    check_pose(&r, "a", "c", NULL, pose(0, 0, 0, 0, 0, 90 * degree));
    check_pose(&r, "a", "d", NULL, pose(0, 1, 0, 0, 2 * atan2(0.6, 0.8), 0));
    som_test_free_read(&r);
}
END_TEST

// The joint is at (0, 0, 1) of the child b, which leans by 0.5 about x; b turns by 0.3.
START_TEST(axes_are_in_the_frame_of_their_version) {
    static const struct {
        const char *version, *before, *after;
        bool is_of_model, is_of_a;
    } cases[] = {
        {"1.4", "<xyz>0 0 1</xyz>", "", true, false},
        {"1.5", "<xyz>0 0 1</xyz>", "", false, false},
        {"1.5", "<xyz>0 0 1</xyz>", "<use_parent_model_frame>1</use_parent_model_frame>", true,
         false},
        {"1.6", "<xyz>0 0 1</xyz>", "<use_parent_model_frame>true</use_parent_model_frame>", true,
         false},
        {"1.6", "<xyz>0 0 2</xyz>", "", false, false},
        {"1.7", "<xyz>0 0 1</xyz>", "", false, false},
        {"1.7", "<xyz expressed_in='__model__'>0 0 1</xyz>", "", true, false},
        {"1.11", "<xyz expressed_in='a'>0 0 1</xyz>", "", false, true},
    };
    SomTestMatrix a = pose(0, 0, 0, 0, 0.8, 0), b = pose(1, 0, 0, 0.5, 0, 0),
                  j = pose(0, 0, 1, 0, 0.2, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText inside = {0};
        som_text_printf(
            &inside,
            LINK("a", "<pose>0 0 0 0 0.8 0</pose>") LINK(
                "b",
                "<pose>1 0 0 0.5 0 0</pose>") "<joint name='j' type='revolute'><pose>0 0 1 0 0.2 "
                                              "0</pose><parent>a"
                                              "</parent><child>b</child><axis>%s%s</axis></joint>",
            cases[i].before, cases[i].after);
        SomTestRead r = read_model(cases[i].version, inside.data);
        // a turn about z of the frame that the axis is in, through the origin of the joint
        SomTestMatrix origin = som_test_multiply(b, j), frame = cases[i].is_of_model
                                                                    ? pose(0, 0, 0, 0, 0, 0)
                                                                : cases[i].is_of_a ? a
                                                                                   : origin;
        for (int k = 0; k < 3; k++) {
            frame.m[k][3] = origin.m[k][3];
        }
        SomTestMatrix turned =
            som_test_multiply(som_test_multiply(som_test_multiply(frame, pose(0, 0, 0, 0, 0, 0.3)),
                                                som_test_invert(frame)),
                              b);
        check_pose(&r, "a", "b", (double[16]){0.3}, som_test_multiply(som_test_invert(a), turned));
        som_test_free_read(&r);
        som_text_free(&inside);
    }
}
END_TEST

START_TEST(models_in_models_are_one) {
    SomTestRead r = read_model(
        "1.9",
        LINK("a",
             "<pose>0 0 1 0 0 0.1</pose>") "<model name='n' placement_frame='p'><pose "
                                           "relative_to='a'>1 0 0 0 0.2 0</pose>" LINK(
                                               "a", "<pose>0 2 0 0 0 0</pose>")
                                               LINK("p", "<pose relative_to='a'>0 0 3 1 0 0</pose>")
                                                   FIXED("j", "a", "p") "</model>" FIXED("j", "a",
                                                                                         "n::a"));
    SomTestMatrix p = pose(1, 0, 0, 0, 0.2, 0), in_n = pose(0, 0, 3, 1, 0, 0);
    check_pose(&r, "a", "n_p", NULL, p);
    check_pose(&r, "a", "n_a", NULL, som_test_multiply(p, som_test_invert(in_n)));
    som_test_free_read(&r);
}
END_TEST

START_TEST(included_models_are_found_and_merged) {
    static const char hand[] =
        "<sdf version='1.9'><model name='hand'><pose>9 9 9 0 0 0</pose>" LINK(
            "palm", "<pose>0 0 1 0.3 0 0</pose>") "</model></sdf>";
    static const char *const merges[] = {"", " merge='true'"};
    for (int i = 0; i < 2; i++) {
        SomText arm = {0};
        som_text_printf(&arm,
                        "<sdf version='1.10'><model name='arm'>" LINK(
                            "a", "") "<include%s><uri>hand.sdf</uri><name>h</name>"
                                     "<pose>1 0 0 0 0 0.5</pose></include>" FIXED(
                                         "j", "a", "%s") "</model></sdf>",
                        merges[i], i == 0 ? "h::palm" : "palm");
        const SomStr paths[] = {SOM_STR("arm.sdf"), SOM_STR("hand.sdf")};
        const SomStr texts[] = {som_text_str(&arm), SOM_STR(hand)};
        SomTestRead r = som_test_read_texts(paths, texts, 2, NULL);
        check_pose(&r, "a", i == 0 ? "h_palm" : "palm", NULL,
                   som_test_multiply(pose(1, 0, 0, 0, 0, 0.5), pose(0, 0, 1, 0.3, 0, 0)));
        som_test_free_read(&r);
        som_text_free(&arm);
    }
}
END_TEST

// Every model has a model.config: that of the including one is not that of the included one.
START_TEST(included_folders_are_those_of_their_names) {
    static const char *const files[][2] = {
        {"arm/model.config", "<model><sdf version='1.9'>model.sdf</sdf></model>"},
        {"arm/model.sdf",
         "<sdf version='1.9'><model name='arm'>" LINK(
             "a", "") "<include><uri>model://hand</uri></include>"
                      "<include><uri>hand</uri><name>other</name></include>" FIXED(
                          "j", "a", "hand::palm") FIXED("k", "a", "other::palm") "</model></sdf>"},
        {"hand/model.config", "<model><sdf version='1.4'>model.sdf</sdf>"
                              "<sdf version='1.9'>new.sdf</sdf></model>"},
        {"hand/model.sdf", "<sdf version='1.4'><model name='hand'/></sdf>"},
        {"hand/new.sdf", "<sdf version='1.9'><model name='hand'>" LINK(
                             "palm", "<pose>0 0 1 0 0 0</pose>") "</model></sdf>"},
    };
    static const char *const folders[] = {"arm", "hand"};
    const int count = sizeof files / sizeof *files;
    char root[] = "/tmp/somite-sdf-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(root));
    SomText path = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    for (int i = 0; i < 2; i++) {
        som_text_clear(&path);
        som_text_printf(&path, "%s/%s", root, folders[i]);
        ck_assert(som_file_make_folder(path.data, diags));
    }
    for (int i = 0; i < count; i++) {
        som_text_clear(&path);
        som_text_printf(&path, "%s/%s", root, files[i][0]);
        ck_assert(som_file_save(path.data, som_str(files[i][1]), diags));
    }
    som_text_clear(&path);
    som_text_printf(&path, "%s/arm/model.sdf", root);
    SomStr given = som_text_str(&path), search = som_str(root);
    for (int searches = 0; searches < 2; searches++) {
        SomImportOptions options = {.searches = &search, .search_count = searches};
        SomTestRead r = som_test_read_path(given, &options);
        ck_assert_int_eq(r.type != NULL, searches);
        ck_assert_int_eq(som_diagnostics_has(r.diags, SOM_SDF_INCLUDE_MISSING), !searches);
        if (r.type != NULL) {
            check_pose(&r, "a", "hand_palm", NULL, pose(0, 0, 1, 0, 0, 0));
            check_pose(&r, "a", "other_palm", NULL, pose(0, 0, 1, 0, 0, 0));
        }
        som_test_free_read(&r);
    }
    for (int i = 0; i < count + 2; i++) {
        som_text_clear(&path);
        som_text_printf(&path, "%s/%s", root, i < count ? files[i][0] : folders[i - count]);
        ck_assert_int_eq(remove(path.data), 0);
    }
    ck_assert_int_eq(rmdir(root), 0);
    som_text_free(&path);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(moments_turn_with_the_pose_of_the_inertia) {
    SomTestRead r = read_model("1.9", "<link name='a'><inertial><pose>0.1 0.2 0.3 0 0 0.6</pose>"
                                      "<mass>2</mass><inertia><ixx>0.02</ixx><iyy>0.03</iyy>"
                                      "<izz>0.04</izz></inertia></inertial></link>");
    ck_assert_ptr_nonnull(r.type);
    SomInertia is =
        som_inertia_transform(som_pose_invert(r.type->links[0].frame), r.type->links[0].inertia);
    double c = cos(0.6), s = sin(0.6);
    ck_assert_double_eq(is.mass, 2);
    ck_assert_double_le(fabs(is.center.y - 0.2), 1e-12);
    ck_assert_double_le(fabs(is.moments.m[0][0] - (c * c * 0.02 + s * s * 0.03)), 1e-12);
    ck_assert_double_le(fabs(is.moments.m[0][1] - c * s * (0.02 - 0.03)), 1e-12);
    ck_assert_double_le(fabs(is.moments.m[2][2] - 0.04), 1e-12);
    som_test_free_read(&r);
}
END_TEST

#define PLAYER(weld)                                                                               \
    "<plugin filename='SomitePlayer' name='somite::Player'><weld name='w' " weld                   \
    " parent='a' child='b'/></plugin>"

START_TEST(only_closed_docks_hold) {
    static const char two[] = LINK("a", "") LINK("b", "<pose>0 0 1 0 0 0</pose>");
    SomText inside = {0};
    som_text_printf(&inside, "%s%s", two, PLAYER("dock='d' state='closed'"));
    SomTestRead r = read_model("1.9", inside.data);
    check_pose(&r, "a", "b", NULL, pose(0, 0, 1, 0, 0, 0));
    ck_assert(som_diagnostics_has(r.diags, SOM_SDF_WELDS));
    som_test_free_read(&r);
    som_text_clear(&inside);
    som_text_printf(&inside, "%s%s", two, PLAYER("dock='d' state='open'"));
    r = read_model("1.9", inside.data);
    ck_assert_ptr_null(r.type);
    ck_assert(som_diagnostics_has(r.diags, SOM_MODEL_IN_PIECES));
    som_test_free_read(&r);
    som_text_clear(&inside);
    som_text_printf(&inside, "%s%s%s", two, FIXED("j", "a", "b"), PLAYER(""));
    r = read_model("1.9", inside.data);
    ck_assert_ptr_nonnull(r.type);
    ck_assert_int_eq(r.type->joint_count, 1);
    ck_assert(som_diagnostics_has(r.diags, SOM_SDF_WELDS)); // a loop that nothing closes here
    som_test_free_read(&r);
    som_text_free(&inside);
}
END_TEST

SOM_SUITE("exchange/sdf_read", full_models_come_back_as_the_same_text,
          reduced_models_come_back_as_the_same_robot, poses_are_relative_to_what_they_say,
          turns_are_radians_degrees_or_quaternions, axes_are_in_the_frame_of_their_version,
          models_in_models_are_one, included_models_are_found_and_merged,
          included_folders_are_those_of_their_names, moments_turn_with_the_pose_of_the_inertia,
          only_closed_docks_hold)
