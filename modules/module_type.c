// SPDX-License-Identifier: Apache-2.0

#include "modules/module_type.h"

#include "base/memory.h"

#include <assert.h>

// ---- names

int som_module_type_find_link(const SomModuleType *type, SomStr name) {
    for (int i = 0; i < type->link_count; i++) {
        if (som_str_equal(type->links[i].name, name)) {
            return i;
        }
    }
    return -1;
}

static const SomAlias *find_alias(const SomAlias *aliases, int count, SomStr name) {
    for (int i = 0; i < count; i++) {
        if (som_str_equal(aliases[i].name, name)) {
            return &aliases[i];
        }
    }
    return NULL;
}

int som_module_type_find_joint(const SomModuleType *type, SomStr name, SomAlias *alias) {
    for (int i = 0; i < type->joint_count; i++) {
        const SomModuleJoint *joint = &type->joints[i];
        SomAlias own = {joint->name, 1, 0};
        const SomAlias *found = som_str_equal(joint->name, name)
                                    ? &own
                                    : find_alias(joint->aliases, joint->alias_count, name);
        if (found != NULL) {
            if (alias != NULL) {
                *alias = *found;
            }
            return i;
        }
    }
    return -1;
}

int som_module_type_find_connector(const SomModuleType *type, SomStr name) {
    for (int i = 0; i < type->connector_count; i++) {
        const SomConnector *connector = &type->connectors[i];
        if (som_str_equal(connector->name, name) ||
            find_alias(connector->aliases, connector->alias_count, name) != NULL) {
            return i;
        }
    }
    return -1;
}

int som_module_type_find_frame(const SomModuleType *type, SomStr name) {
    for (int i = 0; i < type->frame_count; i++) {
        if (som_str_equal(type->frames[i].name, name)) {
            return i;
        }
    }
    return -1;
}

// ---- kinematics

SomPose som_module_joint_motion(const SomModuleJoint *joint, double value) {
    SomPose motion = som_pose_identity();
    switch (joint->type) {
    case SOM_JOINT_REVOLUTE:
        motion.rotation = som_rotation_z(value);
        break;
    case SOM_JOINT_PRISMATIC:
        motion.position.z = value;
        break;
    default:
        return motion;
    }
    return som_pose_compose(joint->frame, som_pose_compose(motion, som_pose_invert(joint->frame)));
}

void som_module_type_place(const SomModuleType *type, const double *values, SomPose *links) {
    bool is_placed[SOM_MAX_MODULE_LINKS] = {false};
    if (type->link_count == 0) {
        return;
    }
    links[type->root] = som_pose_identity();
    is_placed[type->root] = true;
    for (int i = 0; i < type->tree_joint_count; i++) {
        const SomModuleJoint *joint = &type->joints[type->joint_order[i]];
        SomPose motion = som_module_joint_motion(joint, values[type->joint_order[i]]);
        if (is_placed[joint->parent]) {
            links[joint->child] = som_pose_compose(links[joint->parent], motion);
        } else {
            links[joint->parent] = som_pose_compose(links[joint->child], som_pose_invert(motion));
        }
        is_placed[joint->parent] = is_placed[joint->child] = true;
    }
}

double som_module_type_mass(const SomModuleType *type) {
    double mass = 0;
    for (int i = 0; i < type->link_count; i++) {
        mass += type->links[i].inertia.mass;
    }
    return mass;
}

// ---- extents

double som_module_link_extent(const SomModuleLink *link, SomVec3 direction) {
    double extent = (double)-INFINITY;
    for (int i = 0; i < link->hull_count; i++) {
        extent = fmax(extent, som_vec3_dot(link->hull[i], direction));
    }
    for (int i = 0; link->hull_count == 0 && i < link->part_count; i++) {
        const SomShapePart *part = &link->parts[i];
        SomVec3 local = som_pose_rotate_inverse(part->pose, direction);
        SomVec3 farthest = som_pose_apply(part->pose, som_shape_support(&part->shape, local));
        extent = fmax(extent, som_vec3_dot(farthest, direction));
    }
    return extent;
}

// ---- to a linkage

static SomLimits limits_of(const SomModuleJoint *joint) {
    SomLimits limits = {0};
    if (joint->type == SOM_JOINT_FIXED || (isinf(joint->low) && isinf(joint->high))) {
        return limits;
    }
    int dof = joint->type == SOM_JOINT_PRISMATIC ? SOM_DOF_TZ : SOM_DOF_RZ;
    limits.limited = 1u << dof;
    limits.low[dof] = joint->low;
    limits.high[dof] = joint->high;
    return limits;
}

static SomJointId add_joint(const SomModuleJoint *joint, SomLinkage *linkage, SomStr prefix,
                            const SomLinkId *links, bool is_turned, SomDiagnostics *diags) {
    SomText name = {0};
    som_text_add(&name, prefix);
    som_text_add(&name, joint->name);
    SomJointDef def = {.name = som_text_str(&name),
                       .type = joint->type,
                       .parent = links[is_turned ? joint->child : joint->parent],
                       .child = links[is_turned ? joint->parent : joint->child],
                       .parent_frame = joint->frame,
                       .child_frame = som_pose_invert(joint->frame),
                       .is_inverted = is_turned,
                       .limits = limits_of(joint)};
    SomJointId id = som_linkage_add_joint(linkage, &def, diags);
    som_text_free(&name);
    return id;
}

// Tree joints outwards from the first link, those of the root in their own order.
static bool add_tree_joints(const SomModuleType *type, SomLinkage *linkage, SomStr prefix,
                            int first, const SomLinkId *ids, SomJointId *joints,
                            SomDiagnostics *diags) {
    bool is_placed[SOM_MAX_MODULE_LINKS] = {false};
    is_placed[first] = true;
    for (int added = 0; added < type->tree_joint_count;) {
        for (int i = 0; i < type->tree_joint_count; i++) {
            int j = type->joint_order[i];
            const SomModuleJoint *joint = &type->joints[j];
            if (is_placed[joint->parent] == is_placed[joint->child]) {
                continue; // not yet reached, or done
            }
            bool is_turned = !is_placed[joint->parent];
            joints[j] = add_joint(joint, linkage, prefix, ids, is_turned, diags);
            if (joints[j].index1 == 0) {
                return false;
            }
            som_linkage_make_tree(linkage, joints[j], diags);
            is_placed[joint->parent] = is_placed[joint->child] = true;
            added++;
        }
    }
    return true;
}

bool som_module_type_add_to_linkage_at(const SomModuleType *type, SomLinkage *linkage,
                                       SomSublinkageId sublinkage, SomStr prefix, int first,
                                       SomPose pose, SomLinkId *links, SomJointId *joints,
                                       SomDiagnostics *diags) {
    SomLinkId ids[SOM_MAX_MODULE_LINKS];
    assert(type->link_count <= SOM_MAX_MODULE_LINKS);
    // the first link becomes the ground of an empty sub-linkage, and the others are given where
    // they are seen from it
    if (sublinkage.index1 == 0) {
        sublinkage = som_linkage_top(linkage);
    }
    bool is_first = som_linkage_get_sublinkage(linkage, sublinkage).ground.index1 == 0;
    for (int n = 0; n < type->link_count; n++) {
        int i = n == 0 ? first : n <= first ? n - 1 : n;
        SomLinkDef def = {.sublinkage = sublinkage,
                          .name = type->links[i].name,
                          .pose = n == 0 || !is_first ? pose : som_pose_identity()};
        ids[i] = som_linkage_add_link(linkage, &def, diags);
        if (ids[i].index1 == 0) {
            return false;
        }
    }
    SomJointId *added = som_alloc(sizeof *added * (size_t)(type->joint_count + 1));
    bool is_good =
        type->link_count == 0 || add_tree_joints(type, linkage, prefix, first, ids, added, diags);
    for (int j = 0; is_good && j < type->joint_count; j++) {
        if (!type->joints[j].is_tree) {
            added[j] = add_joint(&type->joints[j], linkage, prefix, ids, false, diags);
            is_good = added[j].index1 != 0;
        }
    }
    for (int j = 0; joints != NULL && j < type->joint_count; j++) {
        joints[j] = added[j];
    }
    for (int i = 0; links != NULL && is_good && i < type->link_count; i++) {
        links[i] = ids[i];
    }
    som_free(added);
    return is_good;
}

bool som_module_type_add_to_linkage(const SomModuleType *type, SomLinkage *linkage,
                                    SomSublinkageId sublinkage, SomStr prefix, SomPose pose,
                                    SomLinkId *links, SomJointId *joints, SomDiagnostics *diags) {
    return som_module_type_add_to_linkage_at(type, linkage, sublinkage, prefix, type->root, pose,
                                             links, joints, diags);
}
