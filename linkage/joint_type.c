// SPDX-License-Identifier: Apache-2.0
#include "linkage/joint_type.h"

#include <assert.h>

#define NAME(literal)                                                                              \
    { literal, sizeof(literal) - 1 }

static const SomJointTypeInfo catalogue[SOM_JOINT_TYPES] = {
    {NAME("fixed"), 0x00, 0, {0}, 0},
    {NAME("revolute"), 0x20, 1, {5}, 1},
    {NAME("prismatic"), 0x04, 1, {2}, 0},
    {NAME("cylindrical"), 0x24, 2, {2, 5}, 1},
    {NAME("pin-slider"), 0x21, 2, {0, 5}, 1},
    {NAME("cartesian-2"), 0x03, 2, {0, 1}, 0},
    {NAME("spherical"), 0x38, 3, {3, 4, 5}, 3},
    {NAME("planar"), 0x23, 3, {0, 1, 5}, 1},
    {NAME("cartesian-3"), 0x07, 3, {0, 1, 2}, 0},
    {NAME("point-slider"), 0x39, 4, {0, 3, 4, 5}, 3},
    {NAME("point-plane"), 0x3b, 5, {0, 1, 3, 4, 5}, 3},
    {NAME("general"), 0x3f, 6, {0, 1, 2, 3, 4, 5}, 3},
};

const SomJointTypeInfo *som_joint_type(SomJointType type) {
    assert((unsigned)type < SOM_JOINT_TYPES);
    return &catalogue[type];
}

bool som_joint_type_find(SomStr name, SomJointType *type) {
    for (int i = 0; i < SOM_JOINT_TYPES; i++) {
        if (som_str_equal(catalogue[i].name, name)) {
            *type = (SomJointType)i;
            return true;
        }
    }
    return false;
}

SomStr som_dof_name(int dof) {
    static const SomStr names[6] = {NAME("tx"), NAME("ty"), NAME("tz"),
                                    NAME("rx"), NAME("ry"), NAME("rz")};
    assert(0 <= dof && dof < 6);
    return names[dof];
}
