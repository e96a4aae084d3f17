// SPDX-License-Identifier: Apache-2.0
// Random primitives, see tests/linkage/support.h.

#include "tests/linkage/support.h"

static bool edit_add_joint(SomLinkage *l, SomTestRandom *random, int number,
                           SomDiagnostics *diags) {
    SomLinkId parent = test_any_link(l, random), child = test_any_link(l, random);
    SomJointDef def = test_fitting_joint(l, random, parent, child, 0);
    char text[32];
    def.name = test_name(text, "j", number);
    return som_linkage_add_joint(l, &def, diags).index1 != 0;
}

static bool edit_limits(SomLinkage *l, SomTestRandom *random, SomJointId joint,
                        SomDiagnostics *diags) {
    const SomJointTypeInfo *type = som_joint_type(som_linkage_get_joint(l, joint).type);
    double y[6];
    som_linkage_coordinates(l, joint, y);
    SomLimits limits = {0};
    int dof = som_test_int(random, 0, 5);
    if (type->dof_count > 0 && som_test_int(random, 0, 3) > 0) {
        dof = type->dofs[som_test_int(random, 0, type->dof_count - 1)];
    }
    limits.limited = 1u << dof;
    limits.low[dof] = y[dof] - som_test_uniform(random, -0.1, 0.6);
    limits.high[dof] = y[dof] + som_test_uniform(random, -0.2, 0.9);
    return som_linkage_set_limits(l, joint, &limits, diags);
}

static bool edit_value(SomLinkage *l, SomTestRandom *random, SomJointId joint,
                       SomDiagnostics *diags) {
    return som_linkage_set_value(l, joint, som_test_int(random, 0, 5),
                                 som_test_uniform(random, -1.4, 1.4), diags);
}

static bool edit_split(SomLinkage *l, SomTestRandom *random, int number, SomDiagnostics *diags) {
    SomLinkId link = test_any_link(l, random);
    SomJointId moved[64];
    int count = 0;
    for (SomJointId j = som_linkage_next_joint_at(l, link, (SomJointId){0}); j.index1 != 0;
         j = som_linkage_next_joint_at(l, link, j)) {
        SomJointInfo info = som_linkage_get_joint(l, j);
        bool starts_here = info.parent.index1 == link.index1 && !info.is_root;
        if ((starts_here || som_test_int(random, 0, 19) == 0) && count < 64 &&
            som_test_int(random, 0, 1) == 0) {
            moved[count++] = j;
        }
    }
    char text[32];
    return som_linkage_split(l, link, test_name(text, "s", number), test_random_pose(random, 0.2),
                             (SomJointType)som_test_int(random, 0, SOM_JOINT_TYPES - 1), moved,
                             count, diags)
               .index1 != 0;
}

// A link and some of what hangs on it.
static bool edit_encapsulate(SomLinkage *l, SomTestRandom *random, int number,
                             SomDiagnostics *diags) {
    SomLinkId links[64] = {test_any_link(l, random)};
    int count = 1;
    for (SomLinkId k = som_linkage_next_link(l, (SomLinkId){0}); k.index1 != 0;
         k = som_linkage_next_link(l, k)) {
        SomLinkInfo info = som_linkage_get_link(l, k);
        if (info.parent_joint.index1 == 0 || count == 64) {
            continue;
        }
        SomLinkId parent = som_linkage_get_joint(l, info.parent_joint).parent;
        if ((parent.index1 == links[0].index1 && som_test_int(random, 0, 9) < 6) ||
            som_test_int(random, 0, 40) == 0) {
            links[count++] = k;
        }
    }
    char text[32];
    return som_linkage_encapsulate(
               l, links, count, test_name(text, "E", number),
               (SomDisposition)som_test_int(random, SOM_SIMULTANEOUS, SOM_DRIVING), diags)
               .index1 != 0;
}

// Names of others and nothing among them.
static SomStr any_name(SomTestRandom *random, char text[32], const char *prefix, int number) {
    return som_test_int(random, 0, 9) == 0
               ? SOM_STR("")
               : test_name(text, prefix, som_test_int(random, 0, number));
}

// Does with one joint what `what` says, from 0 to 19.
static bool edit_joint(SomLinkage *l, SomTestRandom *random, int what, SomJointId joint, int number,
                       TestEdit *edit, SomDiagnostics *diags) {
    char text[32];
    edit->joint = joint;
    switch (what) {
    case 0:
    case 1:
    case 2:
    case 3:
        return som_linkage_make_tree(l, joint, diags);
    case 4:
    case 5:
        return som_linkage_make_closure(l, joint, diags);
    case 6:
    case 7:
    case 8:
        return som_linkage_invert(l, joint, diags);
    case 9:
    case 10:
        edit->is_on_purpose = som_test_int(random, 0, 3) == 0;
        return som_linkage_set_parent(l, joint, test_any_link(l, random), edit->is_on_purpose,
                                      diags);
    case 11:
    case 12:
        edit->is_on_purpose = som_test_int(random, 0, 3) == 0;
        return som_linkage_set_child(l, joint, test_any_link(l, random), edit->is_on_purpose,
                                     diags);
    case 13:
        return som_linkage_remove_joint(l, joint, diags);
    case 14:
        return som_linkage_set_type(
            l, joint, (SomJointType)som_test_int(random, 0, SOM_JOINT_TYPES - 1), diags);
    case 15:
        return edit_limits(l, random, joint, diags);
    case 16:
        return som_linkage_reposition_joint(l, joint, test_random_pose(random, 0.2), diags);
    case 17:
        edit->is_on_purpose = true;
        return edit_value(l, random, joint, diags);
    case 18:
        return som_linkage_set_joint_name(l, joint, any_name(random, text, "j", number), diags);
    default:
        return som_linkage_merge(l, joint, diags);
    }
}

static bool edit_any_joint(SomLinkage *l, SomTestRandom *random, int number, TestEdit *edit,
                           SomDiagnostics *diags) {
    SomJointId joint = test_any_joint(l, random);
    if (som_test_int(random, 0, 29) == 0) { // sometimes one that must not be touched
        SomLinkInfo info = som_linkage_get_link(l, test_any_link(l, random));
        joint = info.root_joint;
    }
    int what = som_test_int(random, 0, 19);
    return joint.index1 != 0 && edit_joint(l, random, what, joint, number, edit, diags);
}

static bool edit_link(SomLinkage *l, SomTestRandom *random, int number, TestEdit *edit,
                      SomDiagnostics *diags) {
    char text[32];
    SomLinkId link = test_any_link(l, random);
    switch (som_test_int(random, 0, 8)) {
    case 0:
    case 1:
    case 2:
        return som_linkage_make_ground(l, link, diags);
    case 3: {
        SomLinkDef def = {.sublinkage = test_any_sublinkage(l, random),
                          .name = test_name(text, "n", number % 50), // sometimes taken
                          .pose = test_random_pose(random, 1)};
        return som_linkage_add_link(l, &def, diags).index1 != 0;
    }
    case 4:
        return som_linkage_link_count(l) >= 5 && som_linkage_remove_link(l, link, diags);
    case 5:
        edit->reframed = link;
        return som_linkage_reposition_link(l, link, test_random_pose(random, 0.2), diags);
    case 6:
        return som_linkage_set_link_name(l, link, any_name(random, text, "k", number), diags);
    case 7:
        return som_linkage_set_subframe(l, link, any_name(random, text, "f", 3),
                                        test_random_pose(random, 1), diags);
    default:
        return edit_split(l, random, number, diags);
    }
}

static bool edit_part(SomLinkage *l, SomTestRandom *random, int number, SomDiagnostics *diags) {
    char text[32];
    SomSublinkageId part = test_any_sublinkage(l, random), other = test_any_sublinkage(l, random);
    SomDisposition disposition =
        (SomDisposition)som_test_int(random, SOM_SIMULTANEOUS, SOM_DRIVING);
    switch (som_test_int(random, 0, 5)) {
    case 0:
    case 1:
        return edit_encapsulate(l, random, number, diags);
    case 2:
        return som_linkage_add_sublinkage(l, part, any_name(random, text, "S", number), disposition,
                                          diags)
                   .index1 != 0;
    case 3:
        return som_linkage_nest(l, part, other, diags);
    case 4:
        som_linkage_set_disposition(l, part, disposition);
        return true;
    default:
        return som_linkage_dissolve(l, part, diags);
    }
}

TestEdit test_random_edit(SomLinkage *l, SomTestRandom *random, int number, SomDiagnostics *diags) {
    TestEdit edit = {0};
    int what = som_test_int(random, 0, 29);
    if (what < 18) {
        edit.is_done = edit_any_joint(l, random, number, &edit, diags);
    } else if (what < 21) {
        edit.is_done = edit_add_joint(l, random, number, diags);
    } else if (what < 27) {
        edit.is_done = edit_link(l, random, number, &edit, diags);
    } else if (what < 29) {
        edit.is_done = edit_part(l, random, number, diags);
    } else {
        edit.is_world = som_test_int(random, 0, 1) == 0;
        if (edit.is_world) {
            edit.is_done = som_linkage_set_world(l, test_random_pose(random, 1), diags);
        } else {
            som_linkage_set_link_virtual(l, test_any_link(l, random),
                                         som_test_int(random, 0, 1) == 0);
            edit.is_done = true;
        }
    }
    return edit;
}
