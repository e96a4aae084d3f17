// SPDX-License-Identifier: Apache-2.0
// What we write, read by MuJoCo itself, which reads URDF too.

#include "base/codes/exchange_codes.h"
#include "base/memory.h"
#include "exchange/urdf.h"
#include "tests/exchange/library_exports.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

static SomBodyModel *model_of(const TestExport *e, bool is_full) {
    return som_body_model_create(&(SomBodyDef){
        .mechanism = e->mechanism, .graph = e->graph, .is_full = is_full, .joins_docks = true});
}

static void quiet(const char *message) {
    (void)message;
}

static void add_file(mjVFS *files, SomStr name, SomStr content) {
    ck_assert_int_eq(mj_makeEmptyFileVFS(files, name.data, (int)content.length), 0);
    memcpy(files->filedata[files->nfile - 1], content.data, content.length);
}

// Keeps links that are fixed to others apart, for us to find them; paths of meshes are cut to names
// by MuJoCo, too.
static void add_options(SomText *text) {
    static const char before[] = "<robot";
    char *at = strchr(strstr(text->data, before), '>') + 1;
    SomText all = {0};
    som_text_add(&all, (SomStr){text->data, (size_t)(at - text->data)});
    som_text_add(&all, SOM_STR("<mujoco><compiler fusestatic=\"false\"/></mujoco>"));
    som_text_add(&all, som_str(at));
    som_text_free(text);
    *text = all;
}

static mjModel *load(const SomUrdfDef *def, const TestExport *e) {
    SomText text = {0}, stl = {0};
    char error[1000] = "";
    SomMeshFiles meshes = {0};
    mjVFS *files = som_alloc(sizeof *files);
    mju_user_warning = quiet;
    mj_defaultVFS(files);
    som_urdf_write(def, &text, e->diags);
    add_options(&text);
    add_file(files, SOM_STR("robot.urdf"), som_text_str(&text));
    som_urdf_find_meshes(def, &meshes);
    for (int i = 0; i < meshes.all.count; i++) {
        som_text_clear(&stl);
        som_mesh_file_write(&meshes.all.data[i], &stl);
        add_file(files, som_str(strrchr(meshes.all.data[i].path.data, '/') + 1),
                 som_text_str(&stl));
    }
    mjModel *loaded = mj_loadXML("robot.urdf", files, error, sizeof error);
    ck_assert_msg(loaded != NULL && error[0] == '\0', "%s: %s", e->label, error);
    mj_deleteVFS(files);
    som_mesh_files_free(&meshes);
    som_free(files);
    som_text_free(&text);
    som_text_free(&stl);
    return loaded;
}

static int id_of(const mjModel *loaded, mjtObj kind, SomStr name) {
    int id = mj_name2id(loaded, (int)kind, name.data);
    ck_assert_msg(id >= 0, "%s", name.data);
    return id;
}

// ---- poses

// Of the frame of a link as MuJoCo has it and ours, which is in the same place but for the point on
// the axis of its joint.
static double difference(const mjData *data, int body, SomPose pose, SomVec3 origin) {
    SomVec3 at = som_pose_apply(pose, origin);
    const double *p = &data->xpos[3 * body], *r = &data->xmat[9 * body];
    double worst = fmax(fabs(p[0] - at.x), fmax(fabs(p[1] - at.y), fabs(p[2] - at.z)));
    for (int i = 0; i < 9; i++) {
        worst = fmax(worst, fabs(r[i] - pose.rotation.m[i / 3][i % 3]));
    }
    return worst;
}

// Values of the DoF are values of the joints. Joints that close chains have no DoF: what hangs on
// them is not looked at where others have moved.
static void check_posture(const TestExport *e, const SomBodyModel *model, const mjModel *loaded,
                          mjData *data, const SomPosture *posture, bool is_start) {
    SomPose *links = som_alloc(sizeof *links * (size_t)e->mechanism->link_count);
    bool *is_known = som_alloc(sizeof *is_known * (size_t)model->body_count);
    double worst = 0;
    som_mechanism_place(e->mechanism, posture, links);
    mj_resetData(loaded, data);
    for (int i = 0; i < model->joint_count; i++) {
        const SomBodyJoint *joint = &model->joints[i];
        if (joint->type != SOM_JOINT_FIXED) {
            int id = id_of(loaded, mjOBJ_JOINT, joint->name);
            data->qpos[loaded->jnt_qposadr[id]] =
                joint->dof >= 0 ? posture->values[joint->dof] : joint->start;
        }
    }
    mj_kinematics(loaded, data);
    for (int i = 0; i < model->body_count; i++) {
        const SomBody *body = &model->bodies[i];
        const SomBodyJoint *joint = body->joint >= 0 ? &model->joints[body->joint] : NULL;
        bool moves = joint != NULL && joint->type != SOM_JOINT_FIXED;
        is_known[i] =
            is_start || joint == NULL || (is_known[body->parent] && (joint->dof >= 0 || !moves));
        SomPose pose =
            som_pose_compose(links[body->link], e->mechanism->links[body->link].link->frame);
        pose.position.z += model->lifts[0];
        SomVec3 origin = moves ? joint->position : som_vec3(0, 0, 0);
        if (is_known[i]) {
            int id = id_of(loaded, mjOBJ_BODY, body->name);
            worst = fmax(worst, difference(data, id, pose, origin));
        }
    }
    ck_assert_msg(worst <= 1e-9, "%s: %g", e->label, worst);
    som_free(is_known);
    som_free(links);
}

static void check_postures(const TestExport *e, const SomBodyModel *model, const mjModel *loaded) {
    SomTestRandom random = {7};
    mjData *data = mj_makeData(loaded);
    SomPosture posture = som_posture_start(e->design);
    check_posture(e, model, loaded, data, &posture, true);
    for (int k = 0; k < som_test_count(3, 50); k++) {
        for (int i = 0; i < posture.count; i++) {
            bool is_free = model->joint_of[i] >= 0;
            posture.values[i] = is_free ? som_test_uniform(&random, -2, 2) : model->start[i];
            posture.values[i] = is_free && k == 0 ? 0 : posture.values[i];
        }
        check_posture(e, model, loaded, data, &posture, false);
    }
    som_posture_free(&posture);
    mj_deleteData(data);
}

// ---- the rest of a joint, and masses

static void check_joints(const TestExport *e, const SomBodyModel *model, const mjModel *loaded) {
    for (int i = 0; i < model->joint_count; i++) {
        const SomBodyJoint *joint = &model->joints[i];
        if (joint->type == SOM_JOINT_FIXED) {
            continue;
        }
        int id = id_of(loaded, mjOBJ_JOINT, joint->name);
        bool is_limited = isfinite(joint->low) || isfinite(joint->high);
        ck_assert_int_eq(loaded->jnt_limited[id], is_limited || joint->type == SOM_JOINT_PRISMATIC);
        if (isfinite(joint->low) && isfinite(joint->high)) {
            ck_assert(loaded->jnt_range[2 * id] == joint->low);
            ck_assert(loaded->jnt_range[2 * id + 1] == joint->high);
        }
        int dof = loaded->jnt_dofadr[id];
        ck_assert(loaded->dof_damping[dof] == joint->damping);
        ck_assert(loaded->dof_frictionloss[dof] == joint->friction);
    }
    double mass = mj_getTotalmass(loaded);
    ck_assert_msg(fabs(mass - e->mechanism->mass) <= 1e-4 * model->body_count + 1e-9 * mass,
                  "%s: %g kg", e->label, mass);
}

static void check(const TestExport *e, void *context) {
    SomBodyModel *model = model_of(e, context != NULL);
    SomUrdfDef def = {.model = model, .mesh_folder = SOM_STR("package://robot/")};
    mjModel *loaded = load(&def, e);
    check_postures(e, model, loaded);
    check_joints(e, model, loaded);
    mj_deleteModel(loaded);
    som_body_model_destroy(model);
}

START_TEST(mujoco_places_every_design_as_we_do) {
    ck_assert_int_gt(test_each_export(check, NULL), 30);
}
END_TEST

static void check_full(const TestExport *e, void *context) {
    if (e->graph == NULL) { // a full model is the same with all behaviors
        check(e, context);
    }
}

START_TEST(mujoco_places_every_design_in_full) {
    test_each_export(check_full, (void *)"full");
}
END_TEST

START_TEST(names_may_be_anything) {
    test_export(test_hostile_design, "", "go", check, NULL);
    test_export(test_hostile_design, "", "", check, (void *)"full");
}
END_TEST

START_TEST(a_chain_that_is_closed_starts_closed) {
    test_four_bar(check, NULL);
    test_four_bar(check, (void *)"full");
}
END_TEST

// ---- what URDF cannot hold

static int reports(const TestExport *e, SomCode code) {
    int count, found = 0;
    const SomDiagnostic *all = som_diagnostics_get(e->diags, &count);
    for (int i = 0; i < count; i++) {
        found += all[i].code == code;
    }
    return found;
}

// The URDF and SRDF of a model, one behind the other.
static SomText texts_of(const TestExport *e, const SomBodyModel *model) {
    SomText text = {0};
    SomUrdfDef def = {.model = model};
    som_urdf_write(&def, &text, e->diags);
    som_srdf_write(&def, &text, e->diags);
    return text;
}

static int occurrences(const SomText *text, const char *of) {
    int count = 0;
    for (const char *at = strstr(text->data, of); at != NULL; at = strstr(at + 1, of)) {
        count++;
    }
    return count;
}

// Three numbers of an attribute behind a place.
static void read_numbers(const char *at, const char *attribute, double numbers[3]) {
    at = strstr(at, attribute);
    ck_assert_ptr_nonnull(at);
    char *rest = (char *)at + strlen(attribute) + 2;
    for (int i = 0; i < 3; i++) {
        numbers[i] = strtod(rest, &rest);
    }
}

// The name in an attribute behind a place.
static SomStr read_name(const char *at, const char *attribute, char name[100]) {
    at = strstr(at, attribute) + strlen(attribute) + 2;
    size_t length = strcspn(at, "\"");
    ck_assert_uint_lt(length, 100);
    memcpy(name, at, length);
    name[length] = '\0';
    return som_str(name);
}

// Where a comment says that its links are to each other, they are, as MuJoCo places them.
static void check_comment(const SomText *text, const char *kind, const mjModel *loaded,
                          const mjData *data) {
    const char *at = strstr(text->data, kind);
    ck_assert_ptr_nonnull(at);
    char names[2][100];
    int a = id_of(loaded, mjOBJ_BODY, read_name(at, " a", names[0]));
    int b = id_of(loaded, mjOBJ_BODY, read_name(at, " b", names[1]));
    double xyz[3], rpy[3];
    read_numbers(at, "xyz", xyz);
    read_numbers(at, "rpy", rpy);
    SomPose said = {som_rotation_from_rpy(rpy[0], rpy[1], rpy[2]),
                    som_vec3(xyz[0], xyz[1], xyz[2])};
    SomPose of_a;
    memcpy(of_a.rotation.m, &data->xmat[9 * a], sizeof of_a.rotation.m);
    of_a.position = som_vec3(data->xpos[3 * a], data->xpos[3 * a + 1], data->xpos[3 * a + 2]);
    ck_assert_double_le(difference(data, b, som_pose_compose(of_a, said), som_vec3(0, 0, 0)), 2e-6);
}

static void check_loop(const TestExport *e, void *context) {
    SomBodyModel *model = model_of(e, context != NULL);
    SomUrdfDef def = {.model = model};
    SomText text = texts_of(e, model);
    ck_assert_int_eq(reports(e, SOM_URDF_LOOPS_CUT), 1);
    ck_assert_int_eq(reports(e, SOM_URDF_MOTOR_UNKNOWN), 1);
    // the crank leads, the three others follow; that which closes the chain has no motor
    bool *follows = som_urdf_followers(model);
    for (int i = 0; i < model->joint_count; i++) {
        bool leads = som_str_equal(model->joints[i].path, SOM_STR("m.A"));
        ck_assert_msg(follows[i] == !leads, "%s", model->joints[i].path.data);
    }
    ck_assert_int_eq(occurrences(&text, "<passive_joint"), 3);
    ck_assert_int_eq(occurrences(&text, "effort=\"0\""), 1);
    mjModel *loaded = load(&def, e);
    mjData *data = mj_makeData(loaded);
    SomPosture start = som_posture_start(e->design);
    check_posture(e, model, loaded, data, &start, true);
    check_comment(&text, "<somite:closure", loaded, data);
    som_posture_free(&start);
    mj_deleteData(data);
    mj_deleteModel(loaded);
    som_free(follows);
    som_text_free(&text);
    som_body_model_destroy(model);
}

START_TEST(a_loop_is_a_comment_and_joints_that_follow) {
    test_four_bar(check_loop, NULL);
}
END_TEST

static void check_docks(const TestExport *e, void *context) {
    SomBodyModel *model = model_of(e, context != NULL);
    SomUrdfDef def = {.model = model};
    SomText text = texts_of(e, model);
    ck_assert_int_eq(reports(e, SOM_URDF_DOCKS_STAY), 1);
    ck_assert_int_eq(reports(e, SOM_URDF_LOOPS_CUT), 0); // open ones hold nothing
    ck_assert_int_eq(occurrences(&text, "<somite:dock"), 2);
    ck_assert_int_eq(occurrences(&text, "closed=\"true\" joint="), 1);
    ck_assert_int_eq(occurrences(&text, "closed=\"false\""), 1);
    mjModel *loaded = load(&def, e);
    mjData *data = mj_makeData(loaded);
    SomPosture start = som_posture_start(e->design);
    check_posture(e, model, loaded, data, &start, true);
    check_comment(&text, "closed=\"true\"", loaded, data);
    som_posture_free(&start);
    mj_deleteData(data);
    mj_deleteModel(loaded);
    som_text_free(&text);
    som_body_model_destroy(model);
}

START_TEST(docks_stay_as_they_start) {
    const char *design = "use \"smores.m3l\"\nconfig A {\n    part a, b, c : SMORES\n"
                         "    connect a.B to b.T\n    dock hold: b.B to c.T closed\n"
                         "    dock ends: c.B to a.T open\n"
                         "    behavior release = disconnect hold\n}\n";
    test_export(design, "", "", check_docks, NULL);
    test_export(design, "", "release", check_docks, NULL);
    test_export(design, "", "release", check_docks, (void *)"full");
}
END_TEST

// ---- what it means

typedef struct Expected {
    int groups, states, left_out, mixed;
} Expected;

static void check_meaning(const TestExport *e, void *context) {
    const Expected *expected = context;
    SomBodyModel *model = model_of(e, false);
    SomText text = texts_of(e, model);
    ck_assert_int_eq(occurrences(&text, "<group "), expected->groups);
    ck_assert_int_eq(occurrences(&text, "<group_state"), expected->states);
    ck_assert_int_eq(reports(e, SOM_SRDF_POSES_LEFT_OUT), expected->left_out);
    ck_assert_int_eq(reports(e, SOM_URDF_FRICTION_MIXED), expected->mixed);
    som_text_free(&text);
    som_body_model_destroy(model);
}

START_TEST(parts_are_groups_and_poses_states_unless_locked_joints_forbid_them) {
    const char *text = "use \"smores.m3l\"\nconfig A {\n    part a, b : SMORES\n"
                       "    connect a.B to b.T\n    pose bent { a.bend = 30deg }\n"
                       "    pose start { b.bend = 30deg }\n}\n";
    test_export(text, "", "", check_meaning, &(Expected){3, 3, 0, 1});
    test_export(text, "", "b.bend to 10deg", check_meaning, &(Expected){2, 2, 1, 1});
    test_export("use \"smores.m3l\"\nconfig A {\n    part a : SMORES\n}\n", "", "", check_meaning,
                &(Expected){1, 1, 0, 0});
}
END_TEST

// Two of three links of one body are proven apart from another, then all.
static void check_pairs(const TestExport *e, void *context) {
    (void)context;
    SomBodyModel *model = model_of(e, false);
    const SomMechanism *m = e->mechanism;
    SomMechanismPair apart[1000];
    SomUrdfDef def = {.model = model, .apart = apart};
    int a = -1, b = -1;
    for (int i = 0; i < m->link_count; i++) {
        a = som_str_equal(m->links[i].path, SOM_STR("a.LeftWheel")) ? i : a;
        b = som_str_equal(m->links[i].path, SOM_STR("b.UHolderBody")) ? i : b;
    }
    a = model->body_of[a];
    b = model->body_of[b];
    for (int i = 0; i < m->link_count; i++) {
        for (int k = 0; k < i; k++) {
            int x = model->body_of[i], y = model->body_of[k];
            if (((x == a && y == b) || (x == b && y == a)) && m->links[i].link->part_count > 0 &&
                m->links[k].link->part_count > 0) {
                apart[def.apart_count++] = (SomMechanismPair){k, i};
            }
        }
    }
    ck_assert_int_gt(def.apart_count, 1);
    SomText text = {0};
    som_srdf_write(&def, &text, e->diags);
    ck_assert_int_eq(occurrences(&text, "\"Never\""), 1);
    ck_assert_int_eq(occurrences(&text, "\"Adjacent\""), model->joint_count);
    som_text_clear(&text);
    def.apart_count--;
    som_srdf_write(&def, &text, e->diags);
    ck_assert_int_eq(occurrences(&text, "\"Never\""), 0);
    som_text_free(&text);
    som_body_model_destroy(model);
}

START_TEST(bodies_never_touch_if_all_their_links_are_proven_apart) {
    test_export("use \"smores.m3l\"\nconfig A {\n    part a, b, c : SMORES\n"
                "    connect a.B to b.T\n    connect b.B to c.T\n}\n",
                "", "", check_pairs, NULL);
}
END_TEST

// A part 'base' has a joint 'joint' here, and links of the names of roots.
static void check_root(const TestExport *e, void *context) {
    (void)context;
    static const char *const roots[] = {"base_link", "base_footprint", "base_footprint_"};
    SomBodyModel *model = model_of(e, true);
    SomBody *bodies = (SomBody *)model->bodies;
    for (int i = 0; i < 3; i++) {
        SomText text = texts_of(e, model), link = {0};
        som_text_printf(&link, "<link name=\"%s\"/>", roots[i]);
        ck_assert_int_eq(occurrences(&text, link.data), 1);
        ck_assert_int_eq(occurrences(&text, "<joint name=\"base_joint\" type=\"fixed\">"), 0);
        ck_assert_int_eq(occurrences(&text, "<joint name=\"base_joint_\" type=\"fixed\">"), 1);
        bodies[i % 2].name = som_str(roots[i]);
        som_text_free(&text);
        som_text_free(&link);
    }
    som_body_model_destroy(model);
    check(e, (void *)"full");
}

START_TEST(the_root_has_a_name_of_its_own) {
    test_export("use \"gdut.m3l\"\nconfig A {\n    part \"base\" : I\n}\n", "", "", check_root,
                NULL);
}
END_TEST

SOM_SUITE("exchange/urdf", mujoco_places_every_design_as_we_do, mujoco_places_every_design_in_full,
          names_may_be_anything, a_chain_that_is_closed_starts_closed,
          a_loop_is_a_comment_and_joints_that_follow, docks_stay_as_they_start,
          parts_are_groups_and_poses_states_unless_locked_joints_forbid_them,
          bodies_never_touch_if_all_their_links_are_proven_apart, the_root_has_a_name_of_its_own)
