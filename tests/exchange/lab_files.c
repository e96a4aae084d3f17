// SPDX-License-Identifier: Apache-2.0

#include "tests/exchange/lab_files.h"

#include "base/number.h"
#include "space/trigonometry.h"
#include "tests/suite.h"

#include <math.h>

SomStr som_test_library_root(void) {
    return SOM_STR(SOM_SOURCE "/library");
}

static void fail_with(SomDiagnostics *diags, const char *path) {
    SomText shown = {0};
    som_diagnostics_print(diags, 0, &shown);
    ck_abort_msg("%s: %s", path, som_text_str(&shown).data);
}

SomImported som_test_import(const char *path, SomStr text, int warnings) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomArena texts = {0};
    SomImportOptions options = {.library = som_test_library_root()};
    SomImported result;
    bool fine = som_import_text(som_str(path), text, &options, &texts, &result, diags);
    if (!fine || (warnings >= 0 && som_diagnostics_warning_count(diags) != warnings)) {
        fail_with(diags, path);
    }
    som_diagnostics_destroy(diags);
    som_arena_free(&texts);
    return result;
}

SomCode som_test_refusal(const char *path, SomStr text) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomArena texts = {0};
    SomImportOptions options = {.library = som_test_library_root()};
    SomImported result;
    ck_assert(!som_import_text(som_str(path), text, &options, &texts, &result, diags));
    ck_assert(result.som.length == 0 && result.config.length == 0);
    int count;
    const SomDiagnostic *all = som_diagnostics_get(diags, &count);
    ck_assert_int_gt(count, 0);
    SomCode code = all[0].code;
    som_diagnostics_destroy(diags);
    som_arena_free(&texts);
    return code;
}

// A module and a face of it that nothing is connected to.
static void choose_face(SomTestRandom *random, const bool *taken, int count, int *module,
                        int *face) {
    do {
        *module = som_test_int(random, 0, count - 1);
        *face = som_test_int(random, 0, 3);
    } while (taken[4 * *module + *face]);
}

void som_test_random_robot(SomTestRandom *random, int count, bool loose, const SomLabType *type,
                           SomLabModel *model) {
    bool *taken = som_alloc(4 * (size_t)count);
    for (int i = 0; i < count; i++) {
        SomLabModule module = {.name = {"Module_", 7}};
        for (int k = 0; k < 4; k++) {
            double limit = k == 3 ? SOM_PI / 2 : 7;
            module.joints[k] =
                som_test_int(random, 0, 2) == 0 ? som_test_uniform(random, -limit, limit) : 0;
        }
        module.pose.rotation =
            som_rotation_exp(som_vec3(som_test_normal(random), som_test_normal(random), 1));
        module.pose.position =
            som_vec3(som_test_uniform(random, -1, 1), som_test_uniform(random, -1, 1), 0.3);
        som_array_push(&model->modules, module);
        if (i > 0) {
            SomLabConnection c = {.b = i, .face_b = som_test_int(random, 0, 3)};
            choose_face(random, taken, i, &c.a, &c.face_a);
            c.roll = som_test_int(random, 0, 3) * (SOM_PI / 2);
            c.roll += loose ? som_test_uniform(random, 0.01, SOM_PI / 2 - 0.01) : 0;
            c.gap = som_test_int(random, 0, 3) == 0 ? som_test_uniform(random, 0.001, 0.04) : 0;
            c.distance = som_test_int(random, 0, 1) == 0 ? c.gap : 0;
            taken[4 * c.a + c.face_a] = taken[4 * i + c.face_b] = true;
            if (som_test_int(random, 0, 1) == 0) { // the order has no meaning
                c = (SomLabConnection){.a = c.b,
                                       .b = c.a,
                                       .face_a = c.face_b,
                                       .face_b = c.face_a,
                                       .roll = c.roll,
                                       .gap = c.gap,
                                       .distance = c.distance};
            }
            som_array_push(&model->connections, c);
        }
    }
    SomPose *poses = som_alloc((size_t)count * sizeof *poses);
    som_lab_place(model, type, 0, poses);
    for (int i = 0; i < count; i++) {
        model->modules.data[i].pose = poses[i];
    }
    som_free(poses);
    som_free(taken);
}

static void print_numbers(SomText *out, const double *values, int count) {
    for (int i = 0; i < count; i++) {
        som_text_add(out, i > 0 ? SOM_STR(" ") : SOM_STR(""));
        som_text_number(out, values[i]);
    }
}

static void print_module(const SomLabModule *module, int number, bool has_quaternion,
                         SomText *out) {
    SomVec3 p = module->pose.position, turn = som_turn_of(module->pose.rotation);
    SomQuat q = som_quat_from_rotation(module->pose.rotation);
    som_text_printf(out, "<module><name>Module_%d</name><position>", number);
    if (has_quaternion) {
        print_numbers(out, (double[]){p.x, p.y, p.z, q.w, q.x, q.y, q.z}, 7);
    } else {
        print_numbers(out, (double[]){p.x, p.y, p.z, turn.x, turn.y, turn.z}, 6);
    }
    som_text_add(out, SOM_STR("</position><joints>"));
    print_numbers(out, module->joints, 4);
    som_text_add(out, SOM_STR("</joints><path>SMORE.sdf</path></module>\n"));
}

void som_test_print_conf(const SomLabModel *model, SomTestRandom *random, SomText *out) {
    bool has_two_roots = som_test_int(random, 0, 3) == 0;
    som_text_add(out, has_two_roots ? SOM_STR("<modules>") : SOM_STR("<configuration><modules>\n"));
    for (int i = 0; i < model->modules.count; i++) {
        print_module(&model->modules.data[i], i, som_test_int(random, 0, 1) == 0, out);
    }
    som_text_add(out, SOM_STR("</modules>\n<connections>\n"));
    for (int i = 0; i < model->connections.count; i++) {
        const SomLabConnection *c = &model->connections.data[i];
        som_text_printf(out,
                        "<connection><module1>Module_%d</module1><module2>Module_%d</module2>"
                        "<node1>%d</node1><node2>%d</node2><distance>",
                        c->a, c->b, c->face_a, c->face_b);
        som_text_number(out, c->distance);
        // the lab's programs never wrote the right angle
        som_text_add(out, SOM_STR("</distance><angle>45</angle></connection>\n"));
    }
    som_text_add(out, SOM_STR("</connections>"));
    som_text_add(out, has_two_roots ? SOM_STR("") : SOM_STR("</configuration>\n"));
}
