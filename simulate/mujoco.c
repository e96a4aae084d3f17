// SPDX-License-Identifier: Apache-2.0
// MuJoCo behind simulate/engine.h.

#include "base/codes/simulate_codes.h"
#include "simulate/engine_internal.h"

#include <mujoco/mujoco.h>
#include <string.h>

typedef struct Mujoco {
    SomEngine base;
    mjModel *model;
    mjData *data;
    int *joint;     // of MuJoCo, one a joint of ours
    int *actuator;  // likewise
    int *body;      // of MuJoCo, one a body of ours
    int *our_shape; // one a geom of MuJoCo; -1: the ground
    int *equality;  // one a weld; -1: it is of one body with itself
    int warnings;   // of numbers gone bad
} Mujoco;

// MuJoCo writes warnings to a log file in the current folder unless told otherwise; we read them
// from its data.
static void ignore_warning(const char *message) {
    (void)message;
}

static int find(const Mujoco *m, mjtObj kind, SomStr name) {
    char text[512];
    if (name.length >= sizeof text) {
        return -1;
    }
    memcpy(text, name.data, name.length);
    text[name.length] = '\0';
    return mj_name2id(m->model, (int)kind, text);
}

static bool bind_one(const Mujoco *m, mjtObj kind, const char *what, SomStr name, int *id,
                     SomDiagnostics *diags) {
    *id = find(m, kind, name);
    if (*id < 0) {
        som_report(diags, SOM_ENGINE_LACKS, (SomSpan){0}, "the world has no %s '%.*s'", what,
                   SOM_STR_ARG(name));
    }
    return *id >= 0;
}

static bool bind(Mujoco *m, SomDiagnostics *diags) {
    const SomBodyModel *model = m->base.model;
    bool is_bound = true;
    m->joint = som_alloc(((size_t)model->joint_count + 1) * sizeof *m->joint);
    m->actuator = som_alloc(((size_t)model->joint_count + 1) * sizeof *m->actuator);
    m->body = som_alloc(((size_t)model->body_count + 1) * sizeof *m->body);
    m->our_shape = som_alloc((size_t)m->model->ngeom * sizeof *m->our_shape);
    m->equality = som_alloc(((size_t)model->weld_count + 1) * sizeof *m->equality);
    for (int i = 0; i < m->model->ngeom; i++) {
        m->our_shape[i] = -1;
    }
    for (int i = 0; i < model->shape_count; i++) {
        int geom = find(m, mjOBJ_GEOM, model->shapes[i].name);
        if (geom >= 0) {
            m->our_shape[geom] = i;
        }
    }
    for (int i = 0; i < model->body_count && is_bound; i++) {
        is_bound = bind_one(m, mjOBJ_BODY, "body", model->bodies[i].name, &m->body[i], diags);
    }
    for (int i = 0; i < model->joint_count && is_bound; i++) {
        m->joint[i] = m->actuator[i] = -1;
        if (model->joints[i].type != SOM_JOINT_FIXED) {
            is_bound =
                bind_one(m, mjOBJ_JOINT, "joint", model->joints[i].name, &m->joint[i], diags);
        }
        if (model->joints[i].dof >= 0) {
            m->actuator[i] = find(m, mjOBJ_ACTUATOR, model->joints[i].name);
        }
    }
    for (int i = 0; i < model->weld_count && is_bound; i++) {
        const SomBodyWeld *weld = &model->welds[i];
        m->equality[i] = -1;
        if (weld->body_a != weld->body_b) {
            is_bound = bind_one(m, mjOBJ_EQUALITY, "weld", weld->name, &m->equality[i], diags);
        }
    }
    return is_bound;
}

// ---- reading

static SomPose pose_of(const mjtNum *position, const mjtNum *quaternion) {
    SomPose pose = {.position = som_vec3(position[0], position[1], position[2])};
    pose.rotation =
        som_quat_to_rotation((SomQuat){quaternion[1], quaternion[2], quaternion[3], quaternion[0]});
    return pose;
}

static void read_contacts(Mujoco *m) {
    const mjData *d = m->data;
    m->base.contacts.count = 0;
    for (int i = 0; i < d->ncon; i++) {
        const mjContact *contact = &d->contact[i];
        if (contact->efc_address < 0) {
            continue; // near, not touching
        }
        mjtNum force[6];
        mj_contactForce(m->model, d, i, force);
        som_engine_add_contact(&m->base, m->our_shape[contact->geom1], m->our_shape[contact->geom2],
                               som_vec3(contact->pos[0], contact->pos[1], contact->pos[2]),
                               force[0]);
    }
}

// The first of the six rows of each weld that holds: force in the world, then twice the torque's
// counterpart in body b's frame, both on body a.
static void read_loads(Mujoco *m) {
    const SomBodyModel *model = m->base.model;
    for (int i = 0; i < model->weld_count; i++) {
        m->base.loads[i] = (SomBodyLoad){0};
    }
    for (int row = 0; model->weld_count > 0 && row < m->data->ne; row++) {
        const mjtNum *f = m->data->efc_force + row;
        for (int i = 0; i < model->weld_count; i++) {
            bool is_first = m->data->efc_id[row] == m->equality[i] &&
                            (row == 0 || m->data->efc_id[row - 1] != m->equality[i]);
            if (is_first && row + 6 <= m->data->ne) {
                SomPose b = m->base.poses[model->welds[i].body_b];
                som_engine_set_load(
                    &m->base, i, b.position, som_vec3(-f[0], -f[1], -f[2]),
                    som_pose_rotate(b, som_vec3(-0.5 * f[3], -0.5 * f[4], -0.5 * f[5])));
            }
        }
    }
}

static void read_state(Mujoco *m) {
    const SomBodyModel *model = m->base.model;
    for (int i = 0; i < model->joint_count; i++) {
        bool moves = m->joint[i] >= 0;
        int position = moves ? m->model->jnt_qposadr[m->joint[i]] : 0;
        int speed = moves ? m->model->jnt_dofadr[m->joint[i]] : 0;
        m->base.positions[i] = moves ? m->data->qpos[position] : 0;
        m->base.speeds[i] = moves ? m->data->qvel[speed] : 0;
        m->base.efforts[i] = m->actuator[i] >= 0 ? m->data->actuator_force[m->actuator[i]] : 0;
    }
    for (int i = 0; i < model->body_count; i++) {
        m->base.poses[i] = pose_of(m->data->xpos + 3 * m->body[i], m->data->xquat + 4 * m->body[i]);
    }
    read_loads(m);
    read_contacts(m);
}

// ---- the calls

static void destroy(SomEngine *engine) {
    Mujoco *m = (Mujoco *)engine;
    if (m->data != NULL) {
        mj_deleteData(m->data);
    }
    if (m->model != NULL) {
        mj_deleteModel(m->model);
    }
    som_free(m->joint);
    som_free(m->actuator);
    som_free(m->body);
    som_free(m->our_shape);
    som_free(m->equality);
    som_engine_finish(engine);
    som_free(m);
}

// MuJoCo starts anew when its numbers go bad, and counts that.
static int bad_numbers(const mjData *data) {
    return data->warning[mjWARN_BADQPOS].number + data->warning[mjWARN_BADQVEL].number +
           data->warning[mjWARN_BADQACC].number;
}

static bool step(SomEngine *engine, const double *speeds) {
    Mujoco *m = (Mujoco *)engine;
    for (int i = 0; i < engine->model->joint_count; i++) {
        if (m->actuator[i] >= 0) {
            m->data->ctrl[m->actuator[i]] = speeds[i];
        }
    }
    mj_step(m->model, m->data);
    if (bad_numbers(m->data) > 0) {
        return false;
    }
    read_state(m);
    return true;
}

static bool hold(SomEngine *engine, int weld, bool is_held) {
    Mujoco *m = (Mujoco *)engine;
    if (m->equality[weld] >= 0) {
        m->model->eq_active[m->equality[weld]] = is_held;
    }
    return true;
}

static const SomEngineCalls calls = {destroy, step, hold};

// ---- loading

// MuJoCo's words are of several lines: blanks and ends of lines become one blank.
static void make_one_line(char *text) {
    size_t length = 0;
    for (const char *c = text; *c != '\0'; c++) {
        bool is_blank = *c == ' ' || *c == '\n' || *c == '\r' || *c == '\t';
        if (!is_blank) {
            text[length++] = *c;
        } else if (length > 0 && text[length - 1] != ' ') {
            text[length++] = ' ';
        }
    }
    text[length > 0 && text[length - 1] == ' ' ? length - 1 : length] = '\0';
}

// From memory: MuJoCo's reader takes files only, some of which it keeps itself.
static mjModel *load(SomStr world, char *error, int error_size) {
    mjVFS *files = som_alloc(sizeof *files);
    mjModel *model = NULL;
    mj_defaultVFS(files);
    if (mj_makeEmptyFileVFS(files, "world.xml", (int)world.length) == 0) {
        memcpy(files->filedata[mj_findFileVFS(files, "world.xml")], world.data, world.length);
        model = mj_loadXML("world.xml", files, error, error_size);
    }
    mj_deleteVFS(files);
    som_free(files);
    return model;
}

SomEngine *som_engine_create_mujoco(const SomEngineDef *def, SomDiagnostics *diags) {
    char error[1000] = "";
    Mujoco *m = som_alloc(sizeof *m);
    // of the whole program: another thread may be about to do the same
    __atomic_store_n(&mju_user_warning, ignore_warning, __ATOMIC_RELAXED);
    som_engine_init(&m->base, &calls, def->model);
    m->model = load(def->world, error, (int)sizeof error);
    if (m->model == NULL) {
        make_one_line(error);
        som_report(diags, SOM_ENGINE_REFUSED, (SomSpan){0}, "MuJoCo does not load the world: %s",
                   error);
        destroy(&m->base);
        return NULL;
    }
    if (!bind(m, diags)) {
        destroy(&m->base);
        return NULL;
    }
    m->model->opt.timestep = def->step;
    m->data = mj_makeData(m->model);
    if (m->model->nkey > 0) { // the first one is the start
        mj_resetDataKeyframe(m->model, m->data, 0);
    }
    mj_forward(m->model, m->data);
    read_state(m);
    return &m->base;
}
