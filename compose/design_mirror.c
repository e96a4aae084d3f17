// SPDX-License-Identifier: Apache-2.0
// A part on the other side: where its mirror image would be, if that is the same part again.
//
// A module may be its own mirror image in a plane through its origin: links, connectors and joints
// then have partners. Mirrored in a plane of the module it hangs on, a part at pose T is again the
// part, at S T S', if S' is a plane of its own module, and all its connections stay as they are.

#include "base/codes/compose_codes.h"
#include "compose/design_internal.h"
#include "compose/matings.h"
#include "language/name.h"

#include <math.h>

// Points nearer than this are the same, in metres, and so are directions.
#define SAME_POINT 1e-5
// Masses that differ by less than this part.
#define SAME_MASS 1e-6
// Centres of mass are measured, so halves may differ by this, in metres.
#define SAME_CENTER 1e-3

// A type as its own mirror image; axis is the normal of the plane.
typedef struct Mirror {
    int axis;
    int connectors[SOM_MAX_MODULE_CONNECTORS];
    int links[SOM_MAX_MODULE_LINKS];
} Mirror;

static SomVec3 reflect(int axis, SomVec3 v) {
    return som_vec3(axis == 0 ? -v.x : v.x, axis == 1 ? -v.y : v.y, axis == 2 ? -v.z : v.z);
}

static double distance(SomVec3 a, SomVec3 b) {
    return som_vec3_length(som_vec3_sub(a, b));
}

// S_a T S_b, of reflections in planes of the two frames.
static SomPose reflect_pose(int axis_a, SomPose pose, int axis_b) {
    pose.position = reflect(axis_a, pose.position);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            if ((i == axis_a) != (k == axis_b)) {
                pose.rotation.m[i][k] = -pose.rotation.m[i][k];
            }
        }
    }
    return pose;
}

// ---- types

static SomVec3 normal_of(const SomConnector *k) {
    return som_pose_rotate(k->frame, som_vec3(1, 0, 0));
}

static int find_connector(const SomModuleType *type, int axis, const SomConnector *k) {
    for (int i = 0; i < type->connector_count; i++) {
        const SomConnector *other = &type->connectors[i];
        if (other->has_frame && k->has_frame &&
            distance(other->position, reflect(axis, k->position)) < SAME_POINT &&
            distance(normal_of(other), reflect(axis, normal_of(k))) < SAME_POINT) {
            return i;
        }
    }
    return -1;
}

static bool is_image(const SomModuleLink *a, const SomModuleLink *b, int axis) {
    return fabs(a->inertia.mass - b->inertia.mass) <= SAME_MASS * fabs(a->inertia.mass) &&
           distance(b->inertia.center, reflect(axis, a->inertia.center)) < SAME_CENTER;
}

// Links without connectors: itself, or another one that is where it should be.
static int find_link(const SomModuleType *type, int axis, int link) {
    if (is_image(&type->links[link], &type->links[link], axis)) {
        return link;
    }
    for (int i = 0; i < type->link_count; i++) {
        if (is_image(&type->links[link], &type->links[i], axis)) {
            return i;
        }
    }
    return -1;
}

static SomVec3 axis_of(const SomModuleJoint *joint) {
    return som_pose_rotate(joint->frame, som_vec3(0, 0, 1));
}

// The joint that is the mirror image of one, and the sign of its value; -1 if there is none.
static int find_joint(const SomModuleType *type, const Mirror *m, int joint, double *sign) {
    const SomModuleJoint *a = &type->joints[joint];
    SomVec3 direction = reflect(m->axis, axis_of(a));
    SomVec3 origin = reflect(m->axis, a->frame.position);
    for (int i = 0; i < type->joint_count; i++) {
        const SomModuleJoint *b = &type->joints[i];
        bool is_straight = b->parent == m->links[a->parent] && b->child == m->links[a->child];
        bool is_turned = b->child == m->links[a->parent] && b->parent == m->links[a->child];
        double along = som_vec3_dot(axis_of(b), direction);
        SomVec3 between = som_vec3_sub(b->frame.position, origin);
        double aside = som_vec3_length(som_vec3_cross(between, direction));
        bool is_on_line = a->type == SOM_JOINT_PRISMATIC || aside < SAME_POINT;
        if ((is_straight || is_turned) && a->type == b->type && is_on_line &&
            fabs(along) > 1 - SAME_POINT) {
            // a turn is seen the other way round in a mirror, a slide is not
            *sign = (along > 0) == (a->type == SOM_JOINT_PRISMATIC) ? 1 : -1;
            *sign *= is_turned ? -1 : 1;
            return i;
        }
    }
    return -1;
}

// Is the type its own mirror image in this plane?
static bool find_mirror(const SomModuleType *type, int axis, Mirror *m) {
    m->axis = axis;
    for (int i = 0; i < type->link_count; i++) {
        m->links[i] = -1;
    }
    m->links[type->root] = type->root;
    for (int i = 0; i < type->connector_count; i++) {
        int link = type->connectors[i].link;
        m->connectors[i] = find_connector(type, axis, &type->connectors[i]);
        if (m->connectors[i] < 0) {
            return false;
        }
        int image = type->connectors[m->connectors[i]].link;
        if (m->links[link] >= 0 && m->links[link] != image) {
            return false;
        }
        m->links[link] = image;
    }
    for (int i = 0; i < type->link_count; i++) {
        m->links[i] = m->links[i] >= 0 ? m->links[i] : find_link(type, axis, i);
        if (m->links[i] < 0 || !is_image(&type->links[i], &type->links[m->links[i]], axis)) {
            return false;
        }
    }
    double sign;
    for (int i = 0; i < type->joint_count; i++) {
        if (find_joint(type, m, i, &sign) < 0) {
            return false;
        }
    }
    return true;
}

// ---- the part

typedef struct Image {
    SomOperation *op;
    const SomPart *part;
    int host, connector; // that it hangs on
    int own, own_connector;
    SomPose transform; // of the own module in the host's
    int *axes;         // of each module of the part, the plane it is mirrored in; -1: not yet known
    int to;            // the other side: connector of the host
    int by;            // connector of the own module
    SomMatingChoice choice;
} Image;

static bool is_inside(const SomPart *part, int module) {
    return module >= part->first_module && module < part->first_module + part->module_count;
}

// The one connection that the part hangs on. False after a refusal.
static bool find_host(Image *image) {
    const SomConfiguration *c = image->op->configuration;
    int found = 0;
    for (int i = 0; i < c->connection_count; i++) {
        const SomConnection *k = &c->connections[i];
        bool has_a = is_inside(image->part, k->module_a);
        if (has_a == is_inside(image->part, k->module_b)) {
            continue;
        }
        found += k->is_forced || k->gap > 0 || k->is_dock ? 2 : 1; // which cannot be told again
        image->own = has_a ? k->module_a : k->module_b;
        image->own_connector = has_a ? k->connector_a : k->connector_b;
        image->host = has_a ? k->module_b : k->module_a;
        image->connector = has_a ? k->connector_b : k->connector_a;
        image->transform = has_a ? som_pose_invert(k->transform) : k->transform;
    }
    return found == 1 ||
           som_operation_refuse(image->op, SOM_EDIT_NO_MIRROR, image->part->span,
                                found == 0 ? "'%.*s' hangs on nothing"
                                           : "'%.*s' does not hang on one plain connection",
                                SOM_STR_ARG(image->part->path));
}

// Passes the planes on through the connections of the part; false if it is not its own image.
static bool pass_planes(Image *image) {
    const SomConfiguration *c = image->op->configuration;
    bool is_new = true;
    while (is_new) {
        is_new = false;
        for (int i = 0; i < c->connection_count; i++) {
            const SomConnection *k = &c->connections[i];
            if (!is_inside(image->part, k->module_a) || !is_inside(image->part, k->module_b)) {
                continue;
            }
            int *a = &image->axes[k->module_a - image->part->first_module];
            int *b = &image->axes[k->module_b - image->part->first_module];
            for (int axis = 0; axis < 3 && (*a < 0 || *b < 0) && *a != *b; axis++) {
                int from = *a < 0 ? axis : *a, to = *b < 0 ? axis : *b;
                SomPose again = reflect_pose(from, k->transform, to);
                const SomModuleType *type = c->modules[*a < 0 ? k->module_a : k->module_b].type;
                Mirror mirror;
                if (som_pose_distance(again, k->transform) < SAME_POINT &&
                    find_mirror(type, axis, &mirror)) {
                    *(*a < 0 ? a : b) = axis;
                    is_new = true;
                    break;
                }
            }
            if (*a >= 0 && *b >= 0 &&
                som_pose_distance(reflect_pose(*a, k->transform, *b), k->transform) >= SAME_POINT) {
                return false;
            }
        }
    }
    for (int i = 0; i < image->part->module_count; i++) {
        if (image->axes[i] < 0) {
            return false;
        }
    }
    return true;
}

// Mirrored in these planes of the host and of the part's own module, is it something there is?
static bool try_planes(Image *image, const Mirror *host, const Mirror *own) {
    const SomConfiguration *c = image->op->configuration;
    const SomModule *a = &c->modules[image->host], *b = &c->modules[image->own];
    image->to = host->connectors[image->connector];
    image->by = own->connectors[image->own_connector];
    if (image->to == image->connector || a->m3l != b->m3l) {
        return false;
    }
    SomPose wanted = reflect_pose(host->axis, image->transform, own->axis);
    SomMatingChoice choices[SOM_MAX_OFFERED];
    int count = som_m3l_find_matings(a->m3l, a->type, image->to, b->type, image->by, choices,
                                     SOM_MAX_OFFERED);
    bool is_offered = false;
    for (int i = 0; i < count && i < SOM_MAX_OFFERED && !is_offered; i++) {
        is_offered = som_pose_distance(choices[i].transform, wanted) < SAME_POINT;
        image->choice = choices[i];
    }
    for (int i = 0; i < image->part->module_count; i++) {
        image->axes[i] = -1;
    }
    image->axes[image->own - image->part->first_module] = own->axis;
    return is_offered && pass_planes(image);
}

static bool find_image(Image *image) {
    const SomConfiguration *c = image->op->configuration;
    Mirror host, own;
    for (int i = 0; i < 9; i++) {
        if (find_mirror(c->modules[image->host].type, i / 3, &host) &&
            find_mirror(c->modules[image->own].type, i % 3, &own) &&
            try_planes(image, &host, &own)) {
            return true;
        }
    }
    SomText place = {0};
    som_configuration_print_connector(c, image->host, image->connector, &place);
    som_operation_refuse(image->op, SOM_EDIT_NO_MIRROR, image->part->span,
                         "'%.*s' at '%s' has no mirror image that is the same part again",
                         SOM_STR_ARG(image->part->path), place.data);
    som_text_free(&place);
    return false;
}

// ---- poses

// The values of the image of the part in a pose of the whole; NAN is not set.
static void mirror_values(const Image *image, const SomNamedPose *pose, double *values) {
    const SomConfiguration *c = image->op->configuration;
    const SomPart *part = image->part;
    for (int i = 0; i < part->dof_count; i++) {
        values[i] = (double)NAN;
    }
    for (int i = 0; i < part->dof_count; i++) {
        const SomModuleDof *dof = &c->dofs[part->first_dof + i];
        const SomModuleType *type = c->modules[dof->module].type;
        Mirror mirror;
        double sign = 1;
        find_mirror(type, image->axes[dof->module - part->first_module], &mirror);
        int joint = find_joint(type, &mirror, dof->joint, &sign);
        int other = som_configuration_dof_of(c, dof->module, joint);
        if (other >= 0) {
            values[other - part->first_dof] =
                sign * pose->values[part->first_dof + i - pose->first_dof];
        }
    }
}

static bool is_same_value(double a, double b) {
    return (isnan(a) && isnan(b)) || fabs(a - b) < 1e-9;
}

// What poses say of the part they say of its image: in the same words, if these say it.
static void mirror_poses(const Image *image, const SomItem *item, SomStr name) {
    const SomConfiguration *c = image->op->configuration;
    const SomPart *part = image->part;
    double *values = som_alloc(sizeof *values * (size_t)(part->dof_count + 1));
    for (int i = 0; i < c->pose_count; i++) {
        const SomNamedPose *pose = &c->poses[i];
        if (pose->part != 0) {
            continue;
        }
        mirror_values(image, pose, values);
        bool is_same = !item->is_array;
        for (int k = 0; k < part->dof_count; k++) {
            double was = pose->values[part->first_dof + k - pose->first_dof];
            is_same &= is_same_value(values[k], was);
        }
        if (is_same) {
            som_operation_copy_entries(image->op, item, name, pose->name);
            continue;
        }
        for (int k = 0; k < part->dof_count; k++) {
            SomStr path = c->dofs[part->first_dof + k].path;
            if (!isnan(values[k])) {
                som_operation_add_value(image->op, pose->name, name,
                                        som_str_slice(path, part->path.length, path.length),
                                        part->first_dof + k, values[k]);
            }
        }
    }
    som_free(values);
}

bool som_design_mirror_part(SomDesign *design, SomStr config, SomStr part, SomStr name) {
    SomOperation op;
    SomItem item;
    if (som_operation_begin(&op, design, config) && som_operation_item(&op, part, &item)) {
        const SomConfiguration *c = op.configuration;
        if (item.is_array && !item.is_one) {
            som_operation_refuse(&op, SOM_EDIT_ELSEWHERE, som_syntax_span(op.tree, item.node),
                                 "'%.*s' is an array; name one of its parts", SOM_STR_ARG(part));
            return som_operation_end(&op);
        }
        Image image = {.op = &op, .part = &c->parts[item.part]};
        image.axes = som_alloc(sizeof *image.axes * (size_t)(image.part->module_count + 1));
        SomText new_name = {0}, own = {0}, to = {0};
        SomStr wanted = name.length > 0 ? name : item.name;
        if (som_operation_check_name(&op, wanted) && find_host(&image) && find_image(&image)) {
            som_operation_unique_name(&op, wanted, &new_name);
            mirror_poses(&image, &item, som_text_str(&new_name));
            som_configuration_print_connector(c, image.own, image.by, &own);
            som_configuration_print_connector(c, image.host, image.to, &to);
            size_t skipped = image.part->path.length + 1;
            SomMatingWish mating = {.has_roll = !isnan(image.choice.roll),
                                    .roll = image.choice.roll,
                                    .index = isnan(image.choice.roll) ? image.choice.index : 0};
            som_operation_add_part(
                &op,
                &(SomPartAddition){.reference = item.reference,
                                   .name = som_text_str(&new_name),
                                   .own = som_str_slice(som_text_str(&own), skipped, own.length),
                                   .to = som_text_str(&to),
                                   .mating = mating});
        }
        som_text_free(&new_name);
        som_text_free(&own);
        som_text_free(&to);
        som_free(image.axes);
    }
    return som_operation_end(&op);
}
