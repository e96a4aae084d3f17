// exchange/urdf_internal.h - what the files that write URDF and SRDF share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/urdf.h"
#include "exchange/xml_writer.h"

// Whether the first body has neither a mass nor a shape, and so can be the root itself.
bool som_urdf_has_root(const SomBodyModel *model);
// Whether the root is the world: something is bolted to it, or several trees are in it.
bool som_urdf_is_in_world(const SomBodyModel *model);

// The name of the root: that of the first body, or one that no body has.
SomStr som_urdf_root(const SomBodyModel *model);

// Where the frame of a body's link is in the body: on the axis of its joint.
static inline SomVec3 som_urdf_origin(const SomBodyModel *model, int body) {
    const SomBody *b = &model->bodies[body];
    bool is_moved = b->joint >= 0 && model->joints[b->joint].type != SOM_JOINT_FIXED;
    return is_moved ? model->joints[b->joint].position : som_vec3(0, 0, 0);
}

// A pose in a body, in the frame of its link.
SomPose som_urdf_in_link(const SomBodyModel *model, int body, SomPose pose);

// Of the link of body b in that of body a, where b is at `pose` in a.
SomPose som_urdf_between(const SomBodyModel *model, int body_a, SomPose pose, int body_b);

// Position, then roll, pitch and yaw, as they are written.
void som_urdf_pose_numbers(SomPose pose, double numbers[6]);

// urdf_notes.c: what URDF has no elements for, in the open robot element, and warnings of the rest.
void som_urdf_write_frictions(const SomBodyModel *model, SomXmlWriter *xml, SomDiagnostics *diags);
void som_urdf_write_welds(const SomBodyModel *model, SomXmlWriter *xml);
void som_urdf_warn(const SomBodyModel *model, SomDiagnostics *diags);

// urdf_kept.c: what imported files had beside what is known here, in the open element. What names
// nothing of its module is written once for all modules of the type.
void som_urdf_write_kept(const SomBodyModel *model, SomXmlWriter *xml); // of the robot
void som_urdf_write_kept_of_link(const SomBodyModel *model, int body, SomXmlWriter *xml);
void som_urdf_write_kept_of_joint(const SomBodyModel *model, const SomBodyJoint *joint,
                                  SomXmlWriter *xml);

static inline bool som_urdf_is_solid(const SomBodyModel *model, int body) {
    const SomBody *b = &model->bodies[body];
    for (int i = b->first_shape; i < b->first_shape + b->shape_count; i++) {
        if (model->shapes[i].is_solid) {
            return true;
        }
    }
    return false;
}
