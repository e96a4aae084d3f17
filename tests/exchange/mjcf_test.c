// SPDX-License-Identifier: Apache-2.0
// What we write, read by MuJoCo itself.

#include "base/codes/exchange_codes.h"
#include "base/memory.h"
#include "exchange/mjcf.h"
#include "tests/exchange/library_exports.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <string.h>

static SomBodyModel *model_of(const TestExport *e, bool is_full) {
    return som_body_model_create(&(SomBodyDef){.mechanism = e->mechanism,
                                               .graph = e->graph,
                                               .is_full = is_full,
                                               .is_centered = true,
                                               .contacts = SOM_BODY_CONTACTS_LISTED});
}

static void quiet(const char *message) {
    (void)message;
}

static mjModel *load(const SomBodyModel *model, const TestExport *e) {
    SomText text = {0};
    char error[1000] = "";
    mjVFS *files = som_alloc(sizeof *files);
    som_mjcf_write(model, e->design->name, &text, e->diags);
    mju_user_warning = quiet; // counted below; else they go to a file
    mj_defaultVFS(files);
    ck_assert_int_eq(mj_makeEmptyFileVFS(files, "model.xml", (int)text.length), 0);
    memcpy(files->filedata[0], text.data, text.length);
    mjModel *loaded = mj_loadXML("model.xml", files, error, sizeof error);
    ck_assert_msg(loaded != NULL && error[0] == '\0', "%s: %s", e->label, error);
    mj_deleteVFS(files);
    som_free(files);
    som_text_free(&text);
    return loaded;
}

static double difference(const mjData *data, int body, SomPose pose) {
    const double *p = &data->xpos[3 * body], *r = &data->xmat[9 * body];
    double worst = fmax(fabs(p[0] - pose.position.x),
                        fmax(fabs(p[1] - pose.position.y), fabs(p[2] - pose.position.z)));
    for (int i = 0; i < 9; i++) {
        worst = fmax(worst, fabs(r[i] - pose.rotation.m[i / 3][i % 3]));
    }
    return worst;
}

static int id_of(const mjModel *loaded, mjtObj kind, SomStr name) {
    int id = mj_name2id(loaded, (int)kind, name.data);
    ck_assert_msg(id >= 0, "%s", name.data);
    return id;
}

static int warnings(const mjData *data) {
    int count = 0;
    for (int i = 0; i < mjNWARNING; i++) {
        count += data->warning[i].number;
    }
    return count;
}

// ---- how it starts

static void check_start(const TestExport *e, const SomBodyModel *model, const mjModel *loaded,
                        mjData *data) {
    SomPosture start = som_posture_start(e->design);
    SomPose *links = som_alloc(sizeof *links * (size_t)e->mechanism->link_count);
    som_mechanism_place(e->mechanism, &start, links);
    mj_resetDataKeyframe(loaded, data, 0);
    mj_forward(loaded, data);
    double worst = 0;
    for (int i = 0; i < e->mechanism->link_count; i++) {
        int body = model->body_of[i];
        SomPose pose = som_pose_compose(links[i], som_pose_invert(model->link_pose[i]));
        pose.position.z += model->lifts[0];
        worst = fmax(worst,
                     difference(data, id_of(loaded, mjOBJ_BODY, model->bodies[body].name), pose));
    }
    ck_assert_msg(worst <= 1e-9, "%s: %g", e->label, worst);
    for (int i = 0; i < model->joint_count; i++) {
        if (model->joints[i].dof >= 0) {
            int joint = id_of(loaded, mjOBJ_JOINT, model->joints[i].name);
            ck_assert(data->qpos[loaded->jnt_qposadr[joint]] == start.values[model->joints[i].dof]);
        }
    }
    ck_assert_msg(fabs(mj_getTotalmass(loaded) - e->mechanism->mass) <= 1e-9 * e->mechanism->mass,
                  "%s", e->label);
    for (int i = 0; i < data->nefc; i++) {
        bool is_weld = data->efc_type[i] == mjCNSTR_EQUALITY;
        ck_assert_msg(!is_weld || fabs(data->efc_pos[i]) <= 1e-6, "%s: a weld is open", e->label);
    }
    som_posture_free(&start);
    som_free(links);
}

// ---- other postures

static void check_postures(const TestExport *e, const SomBodyModel *model, const mjModel *loaded,
                           mjData *data) {
    SomTestRandom random = {11};
    SomPosture posture = som_posture_start(e->design);
    SomPose *bodies = som_alloc(sizeof *bodies * (size_t)model->body_count);
    for (int i = 0; i < posture.count; i++) {
        posture.values[i] += model->joint_of[i] >= 0 ? som_test_uniform(&random, -1, 1) : 0;
    }
    ck_assert(som_body_model_place(model, &posture, bodies));
    for (int i = 0; i < model->body_count; i++) {
        int body = id_of(loaded, mjOBJ_BODY, model->bodies[i].name);
        int joint = loaded->body_jntadr[body];
        double *q = joint >= 0 ? &data->qpos[loaded->jnt_qposadr[joint]] : NULL;
        if (model->bodies[i].parent < 0) {
            SomQuat quat = som_quat_from_rotation(bodies[i].rotation);
            double free[7] = {bodies[i].position.x,
                              bodies[i].position.y,
                              bodies[i].position.z,
                              quat.w,
                              quat.x,
                              quat.y,
                              quat.z};
            memcpy(q, free, sizeof free);
        } else if (q != NULL && model->joints[model->bodies[i].joint].dof >= 0) {
            *q = posture.values[model->joints[model->bodies[i].joint].dof];
        }
    }
    mj_kinematics(loaded, data);
    double worst = 0;
    for (int i = 0; i < model->body_count; i++) {
        worst = fmax(worst,
                     difference(data, id_of(loaded, mjOBJ_BODY, model->bodies[i].name), bodies[i]));
    }
    ck_assert_msg(worst <= 1e-9, "%s: %g", e->label, worst);
    som_posture_free(&posture);
    som_free(bodies);
}

// ---- a second of physics

static void check_steps(const TestExport *e, const mjModel *loaded, mjData *data, int steps) {
    mj_resetDataKeyframe(loaded, data, 0);
    mj_forward(loaded, data);
    double before = data->subtree_com[2];
    for (int i = 0; i < steps; i++) {
        mj_step(loaded, data);
    }
    ck_assert_msg(warnings(data) == 0, "%s: %d warnings", e->label, warnings(data));
    ck_assert_msg(data->subtree_com[2] > 0 && data->subtree_com[2] < before + 0.1,
                  "%s: its centre went from %g to %g", e->label, before, data->subtree_com[2]);
}

static void check_full(const TestExport *e, void *context) {
    SomBodyModel *model = model_of(e, context != NULL);
    mjModel *loaded = load(model, e);
    mjData *data = mj_makeData(loaded);
    check_start(e, model, loaded, data);
    check_postures(e, model, loaded, data);
    check_steps(e, loaded, data, context != NULL ? 30 : som_test_count(300, 5000));
    mj_deleteData(data);
    mj_deleteModel(loaded);
    som_body_model_destroy(model);
}

START_TEST(mujoco_reads_every_design_and_stands_it_on_the_ground) {
    ck_assert_int_gt(test_each_export(check_full, NULL), 30);
}
END_TEST

START_TEST(mujoco_reads_every_design_in_full) {
    test_each_export(check_full, (void *)"full");
}
END_TEST

START_TEST(a_snake_of_64_modules_is_not_too_deep) {
    test_export("use \"smores.m3l\"\nconfig Long {\n    part s[64] : SMORES\n"
                "    connect s[i].B to s[i+1].T for i in 1..63\n}\n",
                "", "wait 1s", check_full, NULL);
    SomText call = {0};
    for (int i = 1; i <= 64; i++) {
        som_text_printf(&call, "%ss[%d].bend by 1deg, s[%d].front by 1deg",
                        i == 1 ? "parallel(" : ", ", i, i);
    }
    som_text_add(&call, SOM_STR(")"));
    test_export("use \"smores.m3l\"\nconfig Long {\n    part s[64] : SMORES\n"
                "    connect s[i].B to s[i+1].T for i in 1..63\n}\n",
                "", call.data, check_full, NULL);
    som_text_free(&call);
}
END_TEST

static void check_too_deep(const TestExport *e, void *context) {
    (void)context;
    SomBodyModel *model = model_of(e, false);
    SomText text = {0};
    som_mjcf_write(model, e->design->name, &text, e->diags);
    int count;
    const SomDiagnostic *all = som_diagnostics_get(e->diags, &count);
    ck_assert_int_eq(count, 1);
    ck_assert_int_eq(all[0].code, SOM_EXPORT_DEEP);
    som_text_free(&text);
    som_body_model_destroy(model);
}

START_TEST(what_is_too_deep_for_old_versions_is_told) {
    test_export("use \"smores.m3l\"\nconfig Long {\n    part s[200] : SMORES\n"
                "    connect s[i].B to s[i+1].T for i in 1..199\n}\n",
                "", "", check_too_deep, NULL);
}
END_TEST

static void check_closed(const TestExport *e, void *context) {
    (void)context;
    SomBodyModel *model = model_of(e, false);
    mjModel *loaded = load(model, e);
    mjData *data = mj_makeData(loaded);
    check_start(e, model, loaded, data);
    check_steps(e, loaded, data, 500);
    double open = 0;
    for (int i = 0; i < data->nefc; i++) {
        open = fmax(open, data->efc_type[i] == mjCNSTR_EQUALITY ? fabs(data->efc_pos[i]) : 0);
    }
    ck_assert_int_eq(loaded->neq, 1);
    ck_assert_double_le(open, 1e-3);
    mj_deleteData(data);
    mj_deleteModel(loaded);
    som_body_model_destroy(model);
}

START_TEST(a_four_bar_stays_closed) {
    test_four_bar(check_closed, NULL);
}
END_TEST

START_TEST(names_may_be_anything) {
    test_export(test_hostile_design, "", "go", check_full, NULL);
}
END_TEST

// ---- poses

static void check_keys(const TestExport *e, void *context) {
    SomBodyModel *model = model_of(e, false);
    mjModel *loaded = load(model, e);
    ck_assert_int_eq(loaded->nkey, *(int *)context);
    ck_assert_int_eq(mj_name2id(loaded, mjOBJ_KEY, "start"), 0);
    som_body_model_destroy(model);
    mj_deleteModel(loaded);
}

START_TEST(named_poses_are_keyframes_unless_locked_joints_forbid_them) {
    const char *text = "use \"smores.m3l\"\nconfig A {\n    part a, b : SMORES\n"
                       "    connect a.B to b.T\n    pose bent { a.bend = 30deg }\n"
                       "    pose raised { b.bend = 30deg }\n}\n";
    test_export(text, "", "", check_keys, (int[]){3});
    test_export(text, "", "b.bend to 10deg", check_keys, (int[]){2});
}
END_TEST

static void check_start_key(const TestExport *e, void *context) {
    SomBodyModel *model = model_of(e, false);
    mjModel *loaded = load(model, e);
    ck_assert_int_eq(mj_name2id(loaded, mjOBJ_KEY, context), 0);
    ck_assert_int_eq(loaded->nkey, 3);
    som_body_model_destroy(model);
    mj_deleteModel(loaded);
}

START_TEST(the_first_keyframe_has_a_name_that_no_pose_has) {
    test_export("use \"smores.m3l\"\nconfig A {\n    part a : SMORES\n"
                "    pose start_ { a.bend = 30deg }\n    pose start { a.bend = 20deg }\n}\n",
                "", "", check_start_key, (char[]){"start__"});
}
END_TEST

SOM_SUITE("exchange/mjcf", mujoco_reads_every_design_and_stands_it_on_the_ground,
          mujoco_reads_every_design_in_full, a_snake_of_64_modules_is_not_too_deep,
          what_is_too_deep_for_old_versions_is_told, a_four_bar_stays_closed, names_may_be_anything,
          named_poses_are_keyframes_unless_locked_joints_forbid_them,
          the_first_keyframe_has_a_name_that_no_pose_has)
