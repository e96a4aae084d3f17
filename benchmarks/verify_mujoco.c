// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"
#include "base/text.h"
#include "benchmarks/verify_peers.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

// Contacts that a sample may have; all of 256 modules that collide have fewer.
#define MAX_CONTACTS 60000

typedef struct Peer {
    mjModel *model;
    mjData *data;
    int *places; // of each DoF in qpos
    int dof_count;
} Peer;

__attribute__((format(printf, 2, 3))) static void add(SomText *text, const char *format, ...) {
    char piece[512];
    va_list list;
    va_start(list, format);
    vsnprintf(piece, sizeof piece, format, list);
    va_end(list);
    som_text_add(text, som_str(piece));
}

static void add_pose(SomText *text, SomPose pose) {
    SomQuat q = som_quat_from_rotation(pose.rotation);
    add(text, "pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\"", pose.position.x,
        pose.position.y, pose.position.z, q.w, q.x, q.y, q.z);
}

static void add_body(SomText *text, const SomVerifyWorkload *w, int i) {
    const SomVerifyLink *link = &w->links[i];
    add(text, "<body name=\"b%d\" ", i);
    add_pose(text, link->offset);
    add(text, ">");
    if (link->dof >= 0) {
        add(text, "<joint name=\"j%d\" type=\"hinge\" axis=\"0 0 %g\"/>", link->dof, link->sign);
    }
    SomPose identity = som_pose_identity();
    add(text, "<geom ");
    add_pose(text, som_verify_shape_pose(link, &identity));
    if (link->is_box) {
        add(text, " type=\"box\" size=\"%.17g %.17g %.17g\"/>", link->half.x, link->half.y,
            link->half.z);
    } else {
        add(text, " type=\"cylinder\" size=\"%.17g %.17g\"/>", link->radius, link->half_length);
    }
    for (int k = i + 1; k < w->link_count; k++) {
        if (w->links[k].parent == i) {
            add_body(text, w, k);
        }
    }
    add(text, "</body>\n");
}

// Its own filter leaves out all pairs of bodies welded to parent and child: those that only a joint
// joins are named instead.
static void print_model(const SomVerifyWorkload *w, SomText *text) {
    add(text,
        "<mujoco><compiler angle=\"radian\" autolimits=\"true\"/>"
        "<option><flag filterparent=\"disable\"/></option>"
        "<size nconmax=\"%d\" njmax=\"100\"/><worldbody>\n",
        MAX_CONTACTS);
    add_body(text, w, 0);
    add(text, "</worldbody><contact>\n");
    for (int i = 1; i < w->link_count; i++) {
        if (w->links[i].dof >= 0) {
            add(text, "<exclude body1=\"b%d\" body2=\"b%d\"/>\n", w->links[i].parent, i);
        }
    }
    add(text, "</contact></mujoco>\n");
}

static mjModel *load(const SomText *text) {
    mjVFS *vfs = som_alloc(sizeof *vfs);
    mj_defaultVFS(vfs);
    mj_makeEmptyFileVFS(vfs, "robot.xml", (int)text->length);
    memcpy(vfs->filedata[mj_findFileVFS(vfs, "robot.xml")], text->data, text->length);
    char error[256] = "";
    mjModel *model = mj_loadXML("robot.xml", vfs, error, sizeof error);
    if (model == NULL) {
        fprintf(stderr, "verify: MuJoCo: %s\n", error);
    }
    mj_deleteVFS(vfs);
    som_free(vfs);
    return model;
}

static void *create(const SomVerifyWorkload *workload) {
    SomText text = {0};
    print_model(workload, &text);
    mjModel *model = load(&text);
    som_text_free(&text);
    if (model == NULL) {
        return NULL;
    }
    Peer *p = som_alloc(sizeof *p);
    p->model = model;
    p->data = mj_makeData(model);
    p->dof_count = workload->dof_count;
    p->places = som_alloc(sizeof *p->places * (size_t)p->dof_count);
    for (int i = 0; i < p->dof_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "j%d", i);
        p->places[i] = model->jnt_qposadr[mj_name2id(model, mjOBJ_JOINT, name)];
    }
    return p;
}

static void destroy(void *peer) {
    Peer *p = peer;
    mj_deleteData(p->data);
    mj_deleteModel(p->model);
    som_free(p->places);
    som_free(p);
}

// Pairs, not contacts: those of a pair follow each other.
static int find(void *peer, const double *values) {
    Peer *p = peer;
    for (int i = 0; i < p->dof_count; i++) {
        p->data->qpos[p->places[i]] = values[i];
    }
    mj_kinematics(p->model, p->data);
    mj_collision(p->model, p->data);
    int hits = 0;
    for (int i = 0; i < p->data->ncon; i++) {
        const mjContact *c = &p->data->contact[i];
        hits += i == 0 || c->geom1 != c[-1].geom1 || c->geom2 != c[-1].geom2;
    }
    return hits;
}

const SomVerifyPeer som_verify_mujoco = {"MuJoCo 2.2", create, find, destroy};
