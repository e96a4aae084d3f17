// SPDX-License-Identifier: Apache-2.0
#include "render/robot_signs.h"

#include "render/joint_signs.h"

// Shares of a module's size.
#define SIGN 0.5
#define WELD 0.6

#define STICK 3.0f // pixels

// How far the bodies fade behind their signs.
#define VEIL 0.6f

static const SomColor moving_color = {0.93f, 0.2f, 0.56f, 1};
static const SomColor fixed_color = {0.52f, 0.57f, 0.65f, 1};
static const SomColor stick_color = {0.16f, 0.36f, 0.72f, 1};

// Where joints and connectors are on the links of a module.
typedef struct Place {
    int link; // of the mechanism
    SomVec3 point;
} Place;

typedef SOM_ARRAY(Place) Places;

// The middle of the box round a link, in its frame.
static SomVec3 middle_of(const SomModuleLink *link) {
    SomVec3 low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < link->part_count; i++) {
        SomBounds b = som_shape_bounds(&link->parts[i].shape, link->parts[i].pose);
        low = som_vec3(fmin(low.x, b.low.x), fmin(low.y, b.low.y), fmin(low.z, b.low.z));
        high = som_vec3(fmax(high.x, b.high.x), fmax(high.y, b.high.y), fmax(high.z, b.high.z));
    }
    return link->part_count > 0 ? som_vec3_scale(0.5, som_vec3_add(low, high)) : som_vec3(0, 0, 0);
}

// The frame of a joint, moved along its axis to beside the link it moves.
static SomPose sign_pose(const SomModuleType *type, const SomModuleJoint *joint) {
    SomVec3 axis = som_pose_rotate(joint->frame, som_vec3(0, 0, 1));
    SomVec3 child = middle_of(&type->links[joint->child]);
    double along = som_vec3_dot(som_vec3_sub(child, joint->frame.position), axis);
    return som_pose_compose(joint->frame, som_pose_translation(som_vec3(0, 0, along)));
}

static void add_joints(SomRobotSigns *signs, const SomMechanism *m, int module, double size,
                       Places *places) {
    const SomModuleType *type = m->configuration->modules[module].type;
    for (int i = 0; i < type->joint_count; i++) {
        const SomModuleJoint *joint = &type->joints[i];
        int parent = som_mechanism_link_of(m, module, joint->parent);
        int child = som_mechanism_link_of(m, module, joint->child);
        SomPose pose = sign_pose(type, joint);
        SomRobotSign sign = {parent, joint->type, pose, SIGN * size};
        som_array_push(&signs->signs, sign);
        Place ends[2] = {{parent, pose.position}, {child, pose.position}};
        som_array_push(places, ends[0]);
        som_array_push(places, ends[1]);
    }
}

static void add_sticks(SomRobotSigns *signs, const SomMechanism *m, int link,
                       const Places *places) {
    SomVec3 sum = {0, 0, 0}, ends[2] = {{0, 0, 0}, {0, 0, 0}};
    int count = 0;
    for (int i = 0; i < places->count; i++) {
        if (places->data[i].link == link) {
            ends[count & 1] = places->data[i].point;
            sum = som_vec3_add(sum, places->data[i].point);
            count++;
        }
    }
    if (count == 2) {
        SomRobotStick stick = {link, ends[0], ends[1]};
        som_array_push(&signs->sticks, stick);
        return;
    }
    SomVec3 middle = count > 1 ? som_vec3_scale(1.0 / count, sum) : middle_of(m->links[link].link);
    for (int i = 0; i < places->count; i++) {
        if (places->data[i].link == link) {
            SomRobotStick stick = {link, middle, places->data[i].point};
            som_array_push(&signs->sticks, stick);
        }
    }
}

static void add_module(SomRobotSigns *signs, const SomMechanism *m, int module, double size,
                       const SomPose *still) {
    const SomModuleType *type = m->configuration->modules[module].type;
    Places places = {0};
    add_joints(signs, m, module, size, &places);
    for (int i = 0; i < type->connector_count; i++) {
        if (type->connectors[i].has_frame) {
            SomPose pose = som_mechanism_connector_pose(m, still, module, i);
            Place place = {som_mechanism_link_of(m, module, type->connectors[i].link),
                           pose.position};
            som_array_push(&places, place);
        }
    }
    for (int i = m->first_link[module]; i < m->first_link[module + 1]; i++) {
        add_sticks(signs, m, i, &places);
    }
    som_array_free(&places);
}

void som_robot_signs_make(SomRobotSigns *signs, const SomMechanism *mechanism,
                          const double *sizes) {
    const SomConfiguration *c = mechanism->configuration;
    som_robot_signs_free(signs);
    // poses of all links that leave frames as they are in their links
    SomPose *still = som_alloc(sizeof *still * ((size_t)mechanism->link_count + 1));
    for (int i = 0; i < mechanism->link_count; i++) {
        still[i] = som_pose_identity();
    }
    for (int i = 0; i < c->module_count; i++) {
        add_module(signs, mechanism, i, sizes[i], still);
    }
    for (int i = 0; i < c->connection_count; i++) {
        const SomConnection *k = &c->connections[i];
        const SomConnector *connector = &c->modules[k->module_a].type->connectors[k->connector_a];
        SomRobotSign sign = {
            som_mechanism_link_of(mechanism, k->module_a, connector->link), SOM_JOINT_FIXED,
            som_mechanism_connector_pose(mechanism, still, k->module_a, k->connector_a),
            WELD * sizes[k->module_a]};
        if (connector->has_frame) {
            som_array_push(&signs->signs, sign);
        }
    }
    som_free(still);
}

void som_robot_signs_place(const SomRobotSigns *signs, SomScene *scene, const SomPose *links) {
    scene->veil = VEIL;
    for (int i = 0; i < signs->sticks.count; i++) {
        const SomRobotStick *stick = &signs->sticks.data[i];
        som_scene_add_line(scene, som_pose_apply(links[stick->link], stick->a),
                           som_pose_apply(links[stick->link], stick->b), STICK, stick_color,
                           SOM_LINE_IN_FRONT);
    }
    for (int i = 0; i < signs->signs.count; i++) {
        const SomRobotSign *sign = &signs->signs.data[i];
        som_scene_add_joint_sign(scene, sign->type, som_pose_compose(links[sign->link], sign->pose),
                                 sign->size,
                                 sign->type == SOM_JOINT_FIXED ? fixed_color : moving_color);
    }
}

void som_robot_signs_free(SomRobotSigns *signs) {
    som_array_free(&signs->signs);
    som_array_free(&signs->sticks);
}
