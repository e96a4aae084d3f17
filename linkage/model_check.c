// SPDX-License-Identifier: Apache-2.0
// What primitives check before they do anything, and how they say what else they did.

#include "base/codes/linkage_codes.h"
#include "linkage/model_internal.h"
#include "space/trigonometry.h"

bool som_model_check_not_empty(const char *what, SomStr name, SomDiagnostics *diags) {
    if (name.length == 0) {
        som_report(diags, SOM_LINKAGE_NAME_EMPTY, (SomSpan){0}, "a %s has no name", what);
        return false;
    }
    return true;
}

bool som_model_check_name(const SomLinkage *l, uint32_t scope, const char *what, SomStr name,
                          SomDiagnostics *diags) {
    if (!som_model_check_not_empty(what, name, diags)) {
        return false;
    }
    if (som_names_find(&l->names, scope, name) >= 0) {
        som_report(diags, SOM_LINKAGE_NAME_TAKEN, (SomSpan){0},
                   "the name '%.*s' belongs to another %s already", SOM_STR_ARG(name), what);
        return false;
    }
    return true;
}

bool som_model_check_not_root(const SomLinkage *l, int joint, SomDiagnostics *diags) {
    if (!l->joints.data[joint].is_root) {
        return true;
    }
    SomStr name = som_model_link_name(l, l->joints.data[joint].link[CHILD]);
    som_report(diags, SOM_LINKAGE_ROOT_JOINT, (SomSpan){0},
               "the root joint of link '%.*s' cannot be changed", SOM_STR_ARG(name));
    return false;
}

// Below this a joint counts as shut: nobody sees a nanometre.
#define NOTICEABLE 1e-9

void som_model_report_moved(const SomLinkage *l, int joint, double by, SomDiagnostics *diags) {
    if (by <= NOTICEABLE) {
        return;
    }
    SomStr child = som_model_link_name(l, l->joints.data[joint].link[CHILD]);
    som_report(diags, SOM_LINKAGE_MOVED, (SomSpan){0},
               "link '%.*s' and what hangs on it moved: joint '%.*s' does not allow its old pose",
               SOM_STR_ARG(child), SOM_STR_ARG(som_model_joint_name(l, joint)));
}

static bool is_zero_pose(const SomPose *pose) {
    for (int i = 0; i < 9; i++) {
        if (pose->rotation.m[i / 3][i % 3] != 0) {
            return false;
        }
    }
    return pose->position.x == 0 && pose->position.y == 0 && pose->position.z == 0;
}

// Finite and a rotation to 1e-6; then made one to the last bits. Zeros become the identity.
bool som_model_check_pose(SomPose *pose, const char *what, SomStr name, SomDiagnostics *diags) {
    if (is_zero_pose(pose)) {
        *pose = som_pose_identity();
        return true;
    }
    SomMat3 r = pose->rotation;
    SomMat3 square = som_mat3_multiply(r, som_mat3_transpose(r));
    double worst = 0;
    for (int i = 0; i < 9; i++) {
        worst = fmax(worst, fabs(square.m[i / 3][i % 3] - (i % 4 == 0 ? 1 : 0)));
    }
    SomVec3 x = {r.m[0][0], r.m[1][0], r.m[2][0]}, y = {r.m[0][1], r.m[1][1], r.m[2][1]};
    SomVec3 z = {r.m[0][2], r.m[1][2], r.m[2][2]};
    bool is_right_handed = som_vec3_dot(som_vec3_cross(x, y), z) > 0;
    double length = som_vec3_length(pose->position);
    if (!(length <= SOM_MODEL_LARGEST) || !(worst <= 1e-6) || !is_right_handed) {
        som_report(diags, SOM_LINKAGE_BAD_POSE, (SomSpan){0},
                   "the %s of '%.*s' is not a rotation with a position within 1e9 metres", what,
                   SOM_STR_ARG(name));
        return false;
    }
    if (worst > 1e-15) {
        pose->rotation = som_rotation_normalise(r);
    }
    return true;
}

// One side is free if its limit is infinite. The three angles of a turn in space are never beyond
// half a turn, whichever way they are reached.
static const char *why_bad_limits(const SomLimits *limits, SomJointType type, int d) {
    double low = limits->low[d], high = limits->high[d];
    if (!(low <= high)) {
        return "has a lower limit above the upper one";
    }
    if (low > SOM_MODEL_LARGEST || high < -SOM_MODEL_LARGEST) {
        return "has limits beyond 1e9";
    }
    bool is_in_space = d >= 3 && som_joint_type(type)->turns == 3;
    if (is_in_space &&
        ((isfinite(low) && fabs(low) > SOM_PI) || (isfinite(high) && fabs(high) > SOM_PI))) {
        return "turns about three axes and has a limit beyond half a turn";
    }
    return NULL;
}

bool som_model_check_limits(const SomLimits *limits, SomJointType type, SomStr name,
                            SomDiagnostics *diags) {
    const SomJointTypeInfo *info = som_joint_type(type);
    if (limits->limited >> 6 != 0) {
        som_report(diags, SOM_LINKAGE_BAD_LIMITS, (SomSpan){0},
                   "joint '%.*s' has limits for a coordinate that there is not", SOM_STR_ARG(name));
        return false;
    }
    for (int d = 0; d < 6; d++) {
        if ((limits->limited >> d & 1) == 0) {
            continue;
        }
        if (!som_joint_type_frees(type, d)) {
            som_report(diags, SOM_LINKAGE_BAD_LIMITS, (SomSpan){0},
                       "joint '%.*s' is %.*s and cannot have limits for %.*s", SOM_STR_ARG(name),
                       SOM_STR_ARG(info->name), SOM_STR_ARG(som_dof_name(d)));
            return false;
        }
        const char *why = why_bad_limits(limits, type, d);
        if (why != NULL) {
            som_report(diags, SOM_LINKAGE_BAD_LIMITS, (SomSpan){0}, "%.*s of joint '%.*s' %s",
                       SOM_STR_ARG(som_dof_name(d)), SOM_STR_ARG(name), why);
            return false;
        }
    }
    return true;
}
