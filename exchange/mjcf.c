// SPDX-License-Identifier: Apache-2.0

#include "exchange/mjcf.h"

#include "base/codes/exchange_codes.h"
#include "base/memory.h"
#include "exchange/xml_writer.h"

#include <math.h>

// More keyframes would only make the file long.
#define MOST_POSES 200

typedef struct Writer {
    SomXmlWriter xml;
    const SomBodyModel *model;
} Writer;

static void write_quat(SomXmlWriter *xml, SomMat3 rotation) {
    SomQuat q = som_quat_from_rotation(rotation);
    if (!(q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0)) {
        som_xml_numbers(xml, "quat", (double[]){q.w, q.x, q.y, q.z}, 4);
    }
}

static void write_pose(SomXmlWriter *xml, SomPose pose) {
    som_xml_vec3(xml, "pos", pose.position);
    write_quat(xml, pose.rotation);
}

// ---- head

// MuJoCo takes memory for contacts beforehand, and what it takes by itself is too little for long
// robots that lie flat: four for each solid shape, and three rows for each of them.
static void write_sizes(Writer *w) {
    const SomBodyModel *model = w->model;
    int solid = 0;
    for (int i = 0; i < model->shape_count; i++) {
        solid += model->shapes[i].is_solid;
    }
    int contacts = 100 + 4 * solid;
    som_xml_open(&w->xml, "size");
    som_xml_integer(&w->xml, "nconmax", contacts);
    som_xml_integer(&w->xml, "njmax",
                    3 * contacts + 2 * model->joint_count + 6 * model->weld_count);
    som_xml_close(&w->xml);
}

// What is not of the robot has a first bit, of both kinds; the robot has a second one. Solids touch
// both, the inner pieces of a body only the robot, and rollers only what is not of it.
static void write_class(SomXmlWriter *xml, const char *name, int type, int affinity, int group) {
    som_xml_open(xml, "default");
    som_xml_word(xml, "class", name);
    som_xml_open(xml, "geom");
    som_xml_integer(xml, "contype", type);
    som_xml_integer(xml, "conaffinity", affinity);
    if (type != 0 || affinity != 0) {
        som_xml_integer(xml, "priority", 1);
    }
    if (group != 0) {
        som_xml_integer(xml, "group", group);
    }
    som_xml_close(xml);
    som_xml_close(xml);
}

static const char *class_of(const SomBodyShape *shape) {
    return !shape->is_solid      ? "seen"
           : shape->skips_robot  ? "roller"
           : shape->skips_ground ? "inner"
                                 : "solid";
}

static void write_options(Writer *w, SomStr name) {
    SomXmlWriter *xml = &w->xml;
    som_xml_string(xml, "model", name);
    som_xml_open(xml, "compiler");
    som_xml_word(xml, "angle", "radian");
    som_xml_word(xml, "inertiafromgeom", "false");
    som_xml_close(xml);
    som_xml_open(xml, "option");
    som_xml_number(xml, "timestep", 0.001);
    som_xml_word(xml, "integrator", "implicit");
    som_xml_word(xml, "cone", "elliptic");
    som_xml_number(xml, "impratio", 10);
    if (w->model->contacts == SOM_BODY_CONTACTS_LISTED) {
        som_xml_open(xml, "flag");
        som_xml_word(xml, "filterparent", "disable");
        som_xml_close(xml);
    }
    som_xml_close(xml);
    write_sizes(w);
    som_xml_open(xml, "default");
    som_xml_open(xml, "geom");
    som_xml_numbers(xml, "solref", (double[]){0.005, 1}, 2);
    som_xml_integer(xml, "condim", 3);
    som_xml_close(xml);
    write_class(xml, "solid", 2, 3, 0);
    write_class(xml, "inner", 2, 2, 0);
    write_class(xml, "roller", 0, 1, 3);
    write_class(xml, "seen", 0, 0, 2);
    som_xml_close(xml);
}

// ---- meshes

// The same hull of many modules is one mesh, named by the first shape that has it; `first` by
// shape.
static void find_meshes(const SomBodyModel *model, int *first) {
    for (int i = 0; i < model->shape_count; i++) {
        const SomShape *shape = model->shapes[i].shape;
        first[i] = shape->kind == SOM_SHAPE_HULL ? i : -1;
        for (int k = 0; first[i] == i && k < i; k++) {
            if (first[k] == k && model->shapes[k].shape->hull == shape->hull) {
                first[i] = k;
            }
        }
    }
}

static void write_mesh(SomXmlWriter *xml, SomStr name, const SomHull *hull) {
    double *vertices = som_alloc(sizeof *vertices * 3 * (size_t)hull->vertex_count);
    for (int i = 0; i < hull->vertex_count; i++) {
        vertices[3 * i] = hull->vertices[i].x;
        vertices[3 * i + 1] = hull->vertices[i].y;
        vertices[3 * i + 2] = hull->vertices[i].z;
    }
    som_xml_open(xml, "mesh");
    som_xml_string(xml, "name", name);
    som_xml_numbers(xml, "vertex", vertices, 3 * hull->vertex_count);
    som_xml_close(xml);
    som_free(vertices);
}

static void write_assets(Writer *w, const int *mesh_of) {
    som_xml_open(&w->xml, "asset");
    for (int i = 0; i < w->model->shape_count; i++) {
        if (mesh_of[i] == i) {
            write_mesh(&w->xml, w->model->shapes[i].name, w->model->shapes[i].shape->hull);
        }
    }
    som_xml_close(&w->xml);
}

// ---- bodies

static void write_geometry(Writer *w, const SomBodyShape *shape, SomStr mesh) {
    SomXmlWriter *xml = &w->xml;
    const SomShape *s = shape->shape;
    switch (s->kind) {
    case SOM_SHAPE_BOX:
        som_xml_word(xml, "type", "box");
        som_xml_vec3(xml, "size", s->half);
        break;
    case SOM_SHAPE_CYLINDER:
        som_xml_word(xml, "type", "cylinder");
        som_xml_numbers(xml, "size", (double[]){s->radius, s->half_length}, 2);
        break;
    case SOM_SHAPE_SPHERE:
        som_xml_word(xml, "type", "sphere");
        som_xml_number(xml, "size", s->radius);
        break;
    case SOM_SHAPE_CAPSULE:
        som_xml_word(xml, "type", "capsule");
        som_xml_numbers(xml, "size", (double[]){s->radius, s->half_length}, 2);
        break;
    case SOM_SHAPE_HULL:
    case SOM_SHAPE_COMPOUND: // there is none: pieces are convex
        som_xml_word(xml, "type", "mesh");
        som_xml_string(xml, "mesh", mesh);
        break;
    }
    write_pose(xml, shape->pose);
}

static void write_shape(Writer *w, int index, const int *mesh_of) {
    SomXmlWriter *xml = &w->xml;
    const SomBodyShape *shape = &w->model->shapes[index];
    som_xml_open(xml, "geom");
    som_xml_string(xml, "name", shape->name);
    som_xml_word(xml, "class", class_of(shape));
    write_geometry(w, shape,
                   mesh_of[index] >= 0 ? w->model->shapes[mesh_of[index]].name : SOM_STR(""));
    if (shape->is_solid) {
        som_xml_numbers(xml, "friction", (double[]){shape->friction, 0.005, 0.0001}, 3);
    }
    som_xml_numbers(xml, "rgba", shape->color, 4);
    som_xml_close(xml);
}

// About the principal axes. Flat bodies meet the triangle inequality to the last bit.
static void write_inertia(SomXmlWriter *xml, SomInertia inertia) {
    SomPrincipal p = som_inertia_principal(inertia);
    p.moments[2] = fmin(p.moments[2], p.moments[0] + p.moments[1]);
    som_xml_open(xml, "inertial");
    som_xml_vec3(xml, "pos", inertia.center);
    write_quat(xml, p.axes);
    som_xml_number(xml, "mass", inertia.mass);
    som_xml_numbers(xml, "diaginertia", p.moments, 3);
    som_xml_close(xml);
}

static void write_joint(Writer *w, const SomBodyJoint *joint) {
    SomXmlWriter *xml = &w->xml;
    som_xml_open(xml, "joint");
    som_xml_string(xml, "name", joint->name);
    som_xml_word(xml, "type", joint->type == SOM_JOINT_PRISMATIC ? "slide" : "hinge");
    som_xml_vec3(xml, "pos", joint->position);
    som_xml_vec3(xml, "axis", joint->axis);
    if (joint->start != 0) {
        som_xml_number(xml, "ref", joint->start);
    }
    if (isfinite(joint->low) || isfinite(joint->high)) {
        // MuJoCo has both limits or none
        double range[2] = {isfinite(joint->low) ? joint->low : -1e6,
                           isfinite(joint->high) ? joint->high : 1e6};
        som_xml_word(xml, "limited", "true");
        som_xml_numbers(xml, "range", range, 2);
    }
    if (joint->dof >= 0) {
        // of a geared motor: its full effort brings the rotor to its speed in one step
        som_xml_number(xml, "armature",
                       0.001 * som_body_joint_effort(w->model, joint) /
                           som_body_joint_speed(joint));
    }
    if (joint->damping > 0) {
        som_xml_number(xml, "damping", joint->damping);
    }
    if (joint->friction > 0) {
        som_xml_number(xml, "frictionloss", joint->friction);
    }
    som_xml_close(xml);
}

static void write_body(Writer *w, int index, const int *mesh_of) {
    const SomBodyModel *model = w->model;
    const SomBody *body = &model->bodies[index];
    som_xml_open(&w->xml, "body");
    som_xml_string(&w->xml, "name", body->name);
    SomPose pose = body->pose;
    if (body->parent >= 0) {
        pose = som_pose_relative(model->bodies[body->parent].pose, pose);
    }
    write_pose(&w->xml, pose);
    if (body->parent < 0 && !body->is_fixed) {
        som_xml_open(&w->xml, "freejoint");
        som_xml_close(&w->xml);
    } else if (body->parent >= 0 && model->joints[body->joint].type != SOM_JOINT_FIXED) {
        write_joint(w, &model->joints[body->joint]);
    }
    write_inertia(&w->xml, body->inertia);
    for (int i = 0; i < body->shape_count; i++) {
        write_shape(w, body->first_shape + i, mesh_of);
    }
}

static void write_world(Writer *w, const int *mesh_of) {
    SomXmlWriter *xml = &w->xml;
    som_xml_open(xml, "worldbody");
    som_xml_open(xml, "light");
    som_xml_numbers(xml, "pos", (double[]){0, 0, 4}, 3);
    som_xml_numbers(xml, "dir", (double[]){0.2, 0.3, -1}, 3);
    som_xml_word(xml, "directional", "true");
    som_xml_close(xml);
    som_xml_open(xml, "geom");
    som_xml_word(xml, "name", "ground");
    som_xml_word(xml, "type", "plane");
    som_xml_numbers(xml, "size", (double[]){0, 0, 0.5}, 3);
    som_xml_numbers(xml, "rgba", (double[]){0.8, 0.8, 0.78, 1}, 4);
    som_xml_close(xml);
    // depth first: bodies stay open until one comes that is no deeper
    int depth = xml->depth;
    for (int i = 0; i < w->model->body_count; i++) {
        while (xml->depth > depth + w->model->bodies[i].depth) {
            som_xml_close(xml);
        }
        write_body(w, i, mesh_of);
    }
    while (xml->depth >= depth) {
        som_xml_close(xml);
    }
}

// ---- what holds and moves them

static void write_pairs(Writer *w) {
    SomXmlWriter *xml = &w->xml;
    const SomBodyModel *model = w->model;
    som_xml_open(xml, "contact");
    for (int i = 0; i < model->pair_count; i++) {
        som_xml_open(xml, "exclude");
        som_xml_string(xml, "body1", model->bodies[model->pairs[i].a].name);
        som_xml_string(xml, "body2", model->bodies[model->pairs[i].b].name);
        som_xml_close(xml);
    }
    som_xml_close(xml);
}

static void write_welds(Writer *w) {
    SomXmlWriter *xml = &w->xml;
    const SomBodyModel *model = w->model;
    som_xml_open(xml, "equality");
    for (int i = 0; i < model->weld_count; i++) {
        const SomBodyWeld *weld = &model->welds[i];
        if (weld->body_a == weld->body_b) {
            continue; // a dock between two parts of one body: nothing to hold
        }
        SomQuat q = som_quat_from_rotation(weld->pose.rotation);
        SomVec3 p = weld->pose.position;
        som_xml_open(xml, "weld");
        som_xml_string(xml, "name", weld->name);
        som_xml_string(xml, "body1", model->bodies[weld->body_a].name);
        som_xml_string(xml, "body2", model->bodies[weld->body_b].name);
        som_xml_numbers(xml, "relpose", (double[]){p.x, p.y, p.z, q.w, q.x, q.y, q.z}, 7);
        som_xml_numbers(xml, "solref", (double[]){0.004, 1}, 2);
        if (!weld->is_held) {
            som_xml_word(xml, "active", "false");
        }
        som_xml_close(xml);
    }
    som_xml_close(xml);
}

static void write_actuators(Writer *w) {
    SomXmlWriter *xml = &w->xml;
    som_xml_open(xml, "actuator");
    for (int i = 0; i < w->model->joint_count; i++) {
        const SomBodyJoint *joint = &w->model->joints[i];
        if (joint->dof < 0) {
            continue;
        }
        double effort = som_body_joint_effort(w->model, joint), speed = som_body_joint_speed(joint);
        som_xml_open(xml, "velocity");
        som_xml_string(xml, "name", joint->name);
        som_xml_string(xml, "joint", joint->name);
        som_xml_number(xml, "kv", effort / (SOM_MJCF_SLIP * speed));
        if (joint->speed > 0) {
            som_xml_word(xml, "ctrllimited", "true");
            som_xml_numbers(xml, "ctrlrange", (double[]){-speed, speed}, 2);
        }
        if (joint->effort > 0) {
            som_xml_word(xml, "forcelimited", "true");
            som_xml_numbers(xml, "forcerange", (double[]){-effort, effort}, 2);
        }
        som_xml_close(xml);
    }
    som_xml_close(xml);
}

// ---- poses

static void write_key(Writer *w, SomStr name, const SomPosture *posture, const SomPose *bodies) {
    const SomBodyModel *model = w->model;
    SOM_ARRAY(double) values = {0};
    for (int i = 0; i < model->body_count; i++) {
        const SomBody *body = &model->bodies[i];
        if (body->parent < 0 && body->is_fixed) {
            continue; // it is where the file has it
        }
        if (body->parent < 0) {
            SomVec3 p = bodies[i].position;
            SomQuat q = som_quat_from_rotation(bodies[i].rotation);
            double free[7] = {p.x, p.y, p.z, q.w, q.x, q.y, q.z};
            for (int k = 0; k < 7; k++) {
                som_array_push(&values, free[k]);
            }
        } else if (model->joints[body->joint].type != SOM_JOINT_FIXED) {
            const SomBodyJoint *joint = &model->joints[body->joint];
            som_array_push(&values, joint->dof >= 0 ? posture->values[joint->dof] : joint->start);
        }
    }
    som_xml_open(&w->xml, "key");
    som_xml_string(&w->xml, "name", name);
    if (values.count > 0) { // else nothing moves
        som_xml_numbers(&w->xml, "qpos", values.data, values.count);
    }
    som_xml_close(&w->xml);
    som_array_free(&values);
}

// "start", with as many lines behind it as no pose of the design has.
static void name_start(const SomConfiguration *c, SomText *name) {
    som_text_add(name, SOM_STR("start"));
    for (int i = 0; i < c->pose_count; i++) {
        if (som_str_equal(c->poses[i].path, som_text_str(name))) {
            som_text_add(name, SOM_STR("_"));
            i = -1;
        }
    }
}

static void write_keys(Writer *w) {
    const SomBodyModel *model = w->model;
    const SomConfiguration *c = model->mechanism->configuration;
    SomPose *bodies = som_alloc(sizeof *bodies * (size_t)model->body_count);
    SomPosture posture = som_posture_zero(c);
    SomText start = {0};
    name_start(c, &start);
    for (int i = 0; i < posture.count; i++) {
        posture.values[i] = model->start[i];
    }
    for (int i = 0; i < model->body_count; i++) {
        bodies[i] = model->bodies[i].pose;
    }
    som_xml_open(&w->xml, "keyframe");
    write_key(w, som_text_str(&start), &posture, bodies);
    for (int i = 0; i < c->pose_count && i < MOST_POSES; i++) {
        SomPosture posed = som_posture_copy(&posture);
        som_posture_apply(&posed, c, i);
        if (som_body_model_place(model, &posed, bodies)) {
            write_key(w, c->poses[i].path, &posed, bodies);
        }
        som_posture_free(&posed);
    }
    som_xml_close(&w->xml);
    som_text_free(&start);
    som_posture_free(&posture);
    som_free(bodies);
}

void som_mjcf_write(const SomBodyModel *model, SomStr name, SomText *out, SomDiagnostics *diags) {
    Writer w = {.xml = {.out = out}, .model = model};
    if (model->depth > SOM_MJCF_MAX_DEPTH) {
        som_report(
            diags, SOM_EXPORT_DEEP, (SomSpan){0},
            "the bodies of '%.*s' hang %d deep, and MuJoCo before version 3 reads at most %d",
            SOM_STR_ARG(name), model->depth, SOM_MJCF_MAX_DEPTH);
    }
    int *mesh_of = som_alloc(sizeof *mesh_of * ((size_t)model->shape_count + 1));
    find_meshes(model, mesh_of);
    som_xml_open(&w.xml, "mujoco");
    write_options(&w, name);
    write_assets(&w, mesh_of);
    write_world(&w, mesh_of);
    write_pairs(&w);
    write_welds(&w);
    write_actuators(&w);
    write_keys(&w);
    som_xml_end(&w.xml);
    som_free(mesh_of);
}
