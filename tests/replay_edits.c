// SPDX-License-Identifier: Apache-2.0
// Replays a list of edits; see tests/replay.c.

#include "linkage/abstraction.h"
#include "linkage/trajectory.h"
#include "tests/replay.h"

#include <math.h>
#include <stdio.h>

#define MOST 256

static bool edit_split(Case *c, const SomJson *a, SomDiagnostics *diags) {
    SomJointId moved[MOST];
    const SomJson *names = som_json_get(a, SOM_STR("moved"));
    int count = names == NULL || names->count > MOST ? 0 : names->count;
    for (int i = 0; i < count; i++) {
        moved[i] = replay_find_joint(c, som_json_string_or(som_json_at(names, i), SOM_STR("")));
        if (moved[i].index1 == 0) {
            return false;
        }
    }
    return som_linkage_split(c->linkage, replay_find_link(c, replay_text_of(a, "link")),
                             replay_text_of(a, "name"), replay_pose_of(c, a, "D"),
                             replay_type_of(c, a), moved, count, diags)
               .index1 != 0;
}

static int links_of(Case *c, const SomJson *names, SomLinkId links[MOST]) {
    int count = names == NULL || names->count > MOST ? 0 : names->count;
    for (int i = 0; i < count; i++) {
        links[i] = replay_find_link(c, som_json_string_or(som_json_at(names, i), SOM_STR("")));
    }
    return count;
}

static bool edit_encapsulate(Case *c, const SomJson *a, SomDiagnostics *diags) {
    SomLinkId links[MOST];
    int count = links_of(c, som_json_get(a, SOM_STR("links")), links);
    return som_linkage_encapsulate(c->linkage, links, count, replay_text_of(a, "name"),
                                   replay_disposition_of(a), diags)
               .index1 != 0;
}

static bool edit_add(Case *c, SomStr op, const SomJson *a, SomDiagnostics *diags) {
    SomLinkage *l = c->linkage;
    if (som_str_equal(op, SOM_STR("AddJoint"))) {
        SomJointDef def = replay_joint_def_of(c, a);
        return som_linkage_add_joint(l, &def, diags).index1 != 0;
    }
    SomLinkDef link = {.name = replay_text_of(a, "name"), .pose = replay_pose_of(c, a, "T")};
    if (som_str_equal(op, SOM_STR("AddLinkage"))) {
        link.sublinkage =
            som_linkage_add_sublinkage(l, replay_find_sublinkage(c, replay_text_of(a, "parent")),
                                       link.name, replay_disposition_of(a), diags);
        link.name = replay_text_of(a, "ground");
        if (link.sublinkage.index1 == 0) {
            return false;
        }
    } else {
        link.sublinkage = replay_find_sublinkage(c, replay_text_of(a, "linkage"));
    }
    return som_linkage_add_link(l, &link, diags).index1 != 0;
}

static bool edit_joint(Case *c, SomStr op, const SomJson *a, SomDiagnostics *diags) {
    SomLinkage *l = c->linkage;
    SomJointId joint = replay_find_joint(c, replay_text_of(a, "joint"));
    if (joint.index1 == 0) {
        return false;
    }
    if (som_str_equal(op, SOM_STR("MakeTree"))) {
        return som_linkage_make_tree(l, joint, diags);
    }
    if (som_str_equal(op, SOM_STR("MakeClosure"))) {
        return som_linkage_make_closure(l, joint, diags);
    }
    if (som_str_equal(op, SOM_STR("Invert"))) {
        return som_linkage_invert(l, joint, diags);
    }
    if (som_str_equal(op, SOM_STR("RemoveJoint"))) {
        return som_linkage_remove_joint(l, joint, diags);
    }
    if (som_str_equal(op, SOM_STR("Merge"))) {
        return som_linkage_merge(l, joint, diags);
    }
    if (som_str_equal(op, SOM_STR("RepositionJoint"))) {
        return som_linkage_reposition_joint(l, joint, replay_pose_of(c, a, "D"), diags);
    }
    if (som_str_equal(op, SOM_STR("SetType"))) {
        return som_linkage_set_type(l, joint, replay_type_of(c, a), diags);
    }
    if (som_str_equal(op, SOM_STR("SetLimits"))) {
        SomLimits limits = replay_limits_of(c, a);
        return som_linkage_set_limits(l, joint, &limits, diags);
    }
    if (som_str_equal(op, SOM_STR("SetJointName"))) {
        return som_linkage_set_joint_name(l, joint, replay_text_of(a, "name"), diags);
    }
    if (som_str_equal(op, SOM_STR("SetValue"))) {
        int dof = som_json_integer_or(som_json_get(a, SOM_STR("dof")), -1);
        if (isnan(som_json_number_or(som_json_get(a, SOM_STR("value")), (double)NAN))) {
            replay_fault(c, "a value is missing or no number");
        }
        double value = som_json_number_or(som_json_get(a, SOM_STR("value")), 0);
        return som_linkage_set_value(l, joint, dof, value, diags);
    }
    bool keep_local = som_str_equal(replay_text_of(a, "keep"), SOM_STR("local"));
    SomLinkId link = replay_find_link(c, replay_text_of(a, "link"));
    if (som_str_equal(op, SOM_STR("SetParent"))) {
        return som_linkage_set_parent(l, joint, link, keep_local, diags);
    }
    if (som_str_equal(op, SOM_STR("SetChild"))) {
        return som_linkage_set_child(l, joint, link, keep_local, diags);
    }
    replay_fault(c, "there is no operation '%.*s'", SOM_STR_ARG(op));
    return false;
}

static bool edit_abstract(Case *c, const SomJson *a, SomDiagnostics *diags) {
    SomLinkId links[MOST];
    SomInterfaceJoint joints[16] = {{.type = SOM_JOINT_FIXED}};
    const SomJson *list = som_json_get(a, SOM_STR("joints"));
    int count = list == NULL || list->count > 16 ? 0 : list->count;
    for (int i = 0; i < count; i++) {
        const SomJson *o = som_json_at(list, i);
        joints[i] = (SomInterfaceJoint){.name = replay_text_of(o, "name"),
                                        .type = replay_type_of(c, o),
                                        .parent_frame = replay_pose_of(c, o, "P"),
                                        .child_frame = replay_pose_of(c, o, "C"),
                                        .limits = replay_limits_of(c, o)};
        som_json_numbers_of(som_json_get(o, SOM_STR("x")), joints[i].value, 6);
    }
    SomAbstractionDef def = {.name = replay_text_of(a, "name"),
                             .inside_name = replay_text_of(a, "inside"),
                             .links = links,
                             .link_count = links_of(c, som_json_get(a, SOM_STR("links")), links),
                             .base = replay_find_link(c, replay_text_of(a, "base")),
                             .tip = replay_find_link(c, replay_text_of(a, "tip")),
                             .joints = joints,
                             .joint_count = count};
    return som_linkage_abstract(c->linkage, &def, diags).index1 != 0;
}

static bool edit_follow(Case *c, const SomJson *a, SomDiagnostics *diags) {
    SomTrack tracks[16];
    SomWaypoint points[16][16];
    const SomJson *list = som_json_get(a, SOM_STR("tracks"));
    int count = list == NULL || list->count > 16 ? 0 : list->count;
    for (int i = 0; i < count; i++) {
        const SomJson *o = som_json_at(list, i), *w = som_json_get(o, SOM_STR("waypoints"));
        tracks[i] = (SomTrack){.joint = replay_find_joint(c, replay_text_of(o, "joint")),
                               .dof = som_json_integer_or(som_json_get(o, SOM_STR("dof")), -1),
                               .waypoints = points[i],
                               .count = w == NULL || w->count > 16 ? 0 : w->count};
        if (tracks[i].joint.index1 == 0) {
            return false;
        }
        for (int k = 0; k < tracks[i].count; k++) {
            points[i][k].time = som_json_number_or(som_json_at(som_json_at(w, k), 0), 0);
            points[i][k].value = som_json_number_or(som_json_at(som_json_at(w, k), 1), 0);
        }
    }
    SomTracking tracking = {0};
    SomTrajectoryDef def = {.tracks = tracks,
                            .track_count = count,
                            .tick = som_json_number_or(som_json_get(a, SOM_STR("tick")), 0)};
    bool done = som_trajectory_follow(c->linkage, &def, &tracking, diags);
    som_tracking_free(&tracking);
    return done;
}

static bool edit_check(Case *c, const SomJson *a, SomDiagnostics *diags) {
    SomAbstractionCheck check;
    int per_dof = som_json_integer_or(som_json_get(a, SOM_STR("per_dof")), 3);
    som_abstraction_check(c->linkage, replay_find_sublinkage(c, replay_text_of(a, "linkage")),
                          per_dof, &check, diags);
    return som_diagnostics_error_count(diags) == 0;
}

static bool edit(Case *c, SomStr op, const SomJson *a, SomDiagnostics *diags) {
    SomLinkage *l = c->linkage;
    if (som_str_starts_with(op, SOM_STR("Add"))) {
        return edit_add(c, op, a, diags);
    }
    if (som_str_equal(op, SOM_STR("MakeGround"))) {
        return som_linkage_make_ground(l, replay_find_link(c, replay_text_of(a, "link")), diags);
    }
    if (som_str_equal(op, SOM_STR("RemoveLink"))) {
        return som_linkage_remove_link(l, replay_find_link(c, replay_text_of(a, "link")), diags);
    }
    if (som_str_equal(op, SOM_STR("SetLinkName"))) {
        return som_linkage_set_link_name(l, replay_find_link(c, replay_text_of(a, "link")),
                                         replay_text_of(a, "name"), diags);
    }
    if (som_str_equal(op, SOM_STR("RepositionLink"))) {
        SomLinkId link = replay_find_link(c, replay_text_of(a, "link"));
        return som_linkage_reposition_link(l, link, replay_pose_of(c, a, "D"), diags);
    }
    if (som_str_equal(op, SOM_STR("Split"))) {
        return edit_split(c, a, diags);
    }
    if (som_str_equal(op, SOM_STR("Encapsulate"))) {
        return edit_encapsulate(c, a, diags);
    }
    if (som_str_equal(op, SOM_STR("Abstract"))) {
        return edit_abstract(c, a, diags);
    }
    if (som_str_equal(op, SOM_STR("CheckAbstraction"))) {
        return edit_check(c, a, diags);
    }
    if (som_str_equal(op, SOM_STR("Follow"))) {
        return edit_follow(c, a, diags);
    }
    if (som_str_equal(op, SOM_STR("Dissolve"))) {
        return som_linkage_dissolve(l, replay_find_sublinkage(c, replay_text_of(a, "linkage")),
                                    diags);
    }
    return edit_joint(c, op, a, diags);
}

// ---- states

static void check_joint_state(Case *c, int number, const SomJson *state) {
    const SomJson *ends = som_json_get(state, SOM_STR("ends"));
    const SomJson *phi = som_json_get(state, SOM_STR("phi"));
    for (int i = 0; i < replay_member_count(ends); i++) {
        SomJointId id = replay_find_joint(c, ends->members[i].key);
        if (id.index1 == 0) {
            continue;
        }
        SomJointInfo joint = som_linkage_get_joint(c->linkage, id);
        SomStr parent = som_linkage_get_link(c->linkage, joint.parent).name;
        SomStr child = som_linkage_get_link(c->linkage, joint.child).name;
        const SomJson *pair = &ends->members[i].value;
        double sign = som_json_number_or(som_json_get(phi, ends->members[i].key), 0);
        if (!som_str_equal(som_json_string_or(som_json_at(pair, 0), SOM_STR("")), parent) ||
            !som_str_equal(som_json_string_or(som_json_at(pair, 1), SOM_STR("")), child) ||
            (sign != 0 && (sign < 0) != joint.is_inverted)) {
            replay_fault(c, "operation %d: joint '%.*s' has other ends", number,
                         SOM_STR_ARG(ends->members[i].key));
        }
    }
}

static void check_state(Case *c, int number, const SomJson *state) {
    const SomLinkage *l = c->linkage;
    const SomJson *parents = som_json_get(state, SOM_STR("parent"));
    for (int i = 0; i < replay_member_count(parents); i++) {
        SomLinkId link = replay_find_link(c, parents->members[i].key);
        SomStr expected = som_json_string_or(&parents->members[i].value, SOM_STR(""));
        SomJointId joint = som_linkage_get_link(l, link).parent_joint;
        if (joint.index1 == 0 || !replay_joint_is_called(l, joint, expected)) {
            replay_fault(c, "operation %d: link '%.*s' does not hang on '%.*s'", number,
                         SOM_STR_ARG(parents->members[i].key), SOM_STR_ARG(expected));
        }
    }
    const SomJson *links = som_json_get(state, SOM_STR("tree_parent_link"));
    for (int i = 0; i < replay_member_count(links); i++) {
        SomLinkId link = replay_find_link(c, links->members[i].key);
        SomJointId joint = som_linkage_get_link(l, link).parent_joint;
        SomLinkId parent =
            replay_find_link(c, som_json_string_or(&links->members[i].value, SOM_STR("")));
        if (joint.index1 == 0 || som_linkage_get_joint(l, joint).parent.index1 != parent.index1) {
            replay_fault(c, "operation %d: link '%.*s' has another parent", number,
                         SOM_STR_ARG(links->members[i].key));
        }
    }
    const SomJson *grounds = som_json_get(state, SOM_STR("ground"));
    for (int i = 0; i < replay_member_count(grounds); i++) {
        SomSublinkageId part = replay_find_sublinkage(c, grounds->members[i].key);
        SomLinkId ground =
            replay_find_link(c, som_json_string_or(&grounds->members[i].value, SOM_STR("")));
        if (som_linkage_get_sublinkage(l, part).ground.index1 != ground.index1) {
            replay_fault(c, "operation %d: '%.*s' has another ground", number,
                         SOM_STR_ARG(grounds->members[i].key));
        }
    }
    check_joint_state(c, number, state);
    if (som_json_integer_or(som_json_get(state, SOM_STR("nlinks")), som_linkage_link_count(l)) !=
            som_linkage_link_count(l) ||
        som_json_integer_or(som_json_get(state, SOM_STR("njoints")), som_linkage_joint_count(l)) !=
            som_linkage_joint_count(l)) {
        replay_fault(c, "operation %d: another number of links or joints", number);
    }
}

static void replay_operation(Case *c, int number, const SomJson *op) {
    SomDiagnostics *diags = som_diagnostics_create();
    uint64_t before = som_linkage_hash(c->linkage);
    bool done = edit(c, replay_text_of(op, "op"), som_json_get(op, SOM_STR("args")), diags);
    SomStr refused = replay_text_of(op, "refused");
    if (done == (refused.length > 0)) {
        replay_fault(c, "operation %d (%.*s) is %s", number, SOM_STR_ARG(replay_text_of(op, "op")),
                     done ? "done" : "refused");
        SomText text = {0};
        som_diagnostics_print(diags, 0, &text);
        fputs(text.data == NULL ? "" : text.data, stdout);
        som_text_free(&text);
    }
    if (!done && som_linkage_hash(c->linkage) != before) {
        replay_fault(c, "operation %d was refused and changed something", number);
    }
    if (som_str_starts_with(refused, SOM_STR("SOM")) && !replay_has_code(diags, refused)) {
        replay_fault(c, "operation %d does not report %.*s", number, SOM_STR_ARG(refused));
    }
    const SomJson *reports = som_json_get(op, SOM_STR("reports"));
    for (int i = 0; reports != NULL && i < reports->count; i++) {
        SomStr code = som_json_string_or(som_json_at(reports, i), SOM_STR(""));
        if (!replay_has_code(diags, code)) {
            replay_fault(c, "operation %d does not report %.*s", number, SOM_STR_ARG(code));
        }
    }
    SomText why = {0};
    if (!som_linkage_validate(c->linkage, &why)) {
        replay_fault(c, "operation %d leaves an invalid linkage: %s", number, why.data);
    }
    som_text_free(&why);
    check_state(c, number, som_json_get(op, SOM_STR("state")));
    som_diagnostics_destroy(diags);
}

void replay_edits(Case *c) {
    c->linkage = som_linkage_create();
    const SomJson *ops = som_json_get(c->root, SOM_STR("ops"));
    for (int i = 0; i < ops->count; i++) {
        replay_operation(c, i, som_json_at(ops, i));
    }
    const SomJson *poses = som_json_get(c->root, SOM_STR("final_poses"));
    for (int i = 0; i < replay_member_count(poses); i++) {
        SomPose now = som_linkage_pose(c->linkage, replay_find_link(c, poses->members[i].key));
        double m[12], worst = 0;
        if (!som_json_numbers_of(&poses->members[i].value, m, 12)) {
            replay_fault(c, "a final pose is not twelve numbers");
            continue;
        }
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < 3; j++) {
                worst = fmax(worst, fabs(now.rotation.m[k][j] - m[4 * k + j]));
            }
        }
        worst = fmax(worst, fabs(now.position.x - m[3]));
        worst = fmax(worst, fmax(fabs(now.position.y - m[7]), fabs(now.position.z - m[11])));
        c->worst = fmax(c->worst, worst);
        if (!(worst <= 1e-9)) {
            replay_fault(c, "link '%.*s' is %g off", SOM_STR_ARG(poses->members[i].key), worst);
        }
    }
    printf("%s: %d operations, poses within %.2g: %s\n", c->path, ops->count, c->worst,
           c->faults == 0 ? "agrees" : "DIFFERS");
}
