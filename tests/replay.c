// SPDX-License-Identifier: Apache-2.0
// Replays case files: lists of edits with the states they must lead to, and solver runs with the
// residuals they must show.
//
//     replay CASE.json...
//
// Prints one line a case with its worst deviation. Exit 0 only if all agree: the structure exactly,
// poses to 1e-9, norms to 1e-6 of themselves or 1e-10, final values to 1e-6. 1 if one does not, 3
// if one cannot be read. A refused edit must leave the linkage as it was, bit by bit; "refused":
// "SOM7005" and "reports": ["SOM7030"] also name codes that must be reported.

#include "base/file.h"
#include "base/json_reader.h"
#include "base/memory.h"
#include "linkage/abstraction.h"
#include "linkage/solver.h"
#include "linkage/trajectory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Case {
    const char *path;
    const SomJson *root;
    SomLinkage *linkage;
    double worst; // deviation
    int faults;
} Case;

__attribute__((format(printf, 2, 3))) static void fault(Case *c, const char *format, ...) {
    if (c->faults++ < 10) {
        va_list args;
        va_start(args, format);
        printf("%s: ", c->path);
        vprintf(format, args);
        printf("\n");
        va_end(args);
    }
}

static SomStr text_of(const SomJson *object, const char *key) {
    return som_json_string_or(som_json_get(object, som_str(key)), SOM_STR(""));
}

// ---- names

static SomLinkId find_link(Case *c, SomStr name) {
    for (SomLinkId k = som_linkage_next_link(c->linkage, (SomLinkId){0}); k.index1 != 0;
         k = som_linkage_next_link(c->linkage, k)) {
        if (som_str_equal(som_linkage_get_link(c->linkage, k).name, name)) {
            return k;
        }
    }
    fault(c, "there is no link '%.*s'", SOM_STR_ARG(name));
    return som_linkage_top_ground(c->linkage);
}

static SomSublinkageId find_sublinkage(Case *c, SomStr name) {
    for (SomSublinkageId s = som_linkage_next_sublinkage(c->linkage, (SomSublinkageId){0});
         s.index1 != 0; s = som_linkage_next_sublinkage(c->linkage, s)) {
        if (som_str_equal(som_linkage_get_sublinkage(c->linkage, s).name, name)) {
            return s;
        }
    }
    fault(c, "there is no sub-linkage '%.*s'", SOM_STR_ARG(name));
    return som_linkage_top(c->linkage);
}

// A joint by its name, or "root(LINK)"; null with a fault if there is none.
static SomJointId find_joint(Case *c, SomStr name) {
    SomJointId joint = som_linkage_find_joint(c->linkage, name);
    if (joint.index1 == 0 && som_str_starts_with(name, SOM_STR("root("))) {
        SomLinkId link = find_link(c, som_str_slice(name, 5, name.length - 1));
        joint = som_linkage_get_link(c->linkage, link).root_joint;
    }
    if (joint.index1 == 0) {
        fault(c, "there is no joint '%.*s'", SOM_STR_ARG(name));
    }
    return joint;
}

static bool joint_is_called(const SomLinkage *l, SomJointId joint, SomStr name) {
    SomJointInfo info = som_linkage_get_joint(l, joint);
    if (!info.is_root) {
        return som_str_equal(info.name, name);
    }
    SomStr link = som_linkage_get_link(l, info.child).name;
    return name.length == link.length + 6 && som_str_starts_with(name, SOM_STR("root(")) &&
           som_str_equal(som_str_slice(name, 5, name.length - 1), link);
}

// ---- values

// A matrix of three or four rows of four; a missing one is zero, which stands for the identity.
static SomPose pose_of(const SomJson *object, const char *key) {
    SomPose pose = {{{{0}}}, {0, 0, 0}};
    double m[16];
    const SomJson *array = som_json_get(object, som_str(key));
    if (!som_json_numbers_of(array, m, 12) && !som_json_numbers_of(array, m, 16)) {
        return pose;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            pose.rotation.m[i][j] = m[4 * i + j];
        }
    }
    pose.position = som_vec3(m[3], m[7], m[11]);
    return pose;
}

static SomLimits limits_of(const SomJson *object) {
    SomLimits limits = {0};
    const SomJson *members = som_json_get(object, SOM_STR("limits"));
    for (int i = 0; members != NULL && members->kind == SOM_JSON_OBJECT && i < members->count;
         i++) {
        double ends[2];
        int dof = members->members[i].key.data[0] - '0';
        if (dof >= 0 && dof < 6 && som_json_numbers_of(&members->members[i].value, ends, 2)) {
            limits.limited |= 1u << dof;
            limits.low[dof] = ends[0];
            limits.high[dof] = ends[1];
        }
    }
    return limits;
}

static SomDisposition disposition_of(const SomJson *object) {
    SomStr word = text_of(object, "disposition");
    return som_str_equal(word, SOM_STR("driven"))    ? SOM_DRIVEN
           : som_str_equal(word, SOM_STR("driving")) ? SOM_DRIVING
                                                     : SOM_SIMULTANEOUS;
}

static SomJointType type_of(Case *c, const SomJson *object) {
    SomJointType type = SOM_JOINT_FIXED;
    SomStr name = text_of(object, "type");
    if (!som_joint_type_find(name, &type)) {
        fault(c, "there is no type '%.*s'", SOM_STR_ARG(name));
    }
    return type;
}

static SomJointDef joint_def_of(Case *c, const SomJson *o) {
    SomJointDef def = {.name = text_of(o, "name"),
                       .type = type_of(c, o),
                       .parent = find_link(c, text_of(o, "parent")),
                       .child = find_link(c, text_of(o, "child")),
                       .parent_frame = pose_of(o, "P"),
                       .child_frame = pose_of(o, "C"),
                       .is_inverted = som_json_number_or(som_json_get(o, SOM_STR("phi")), 1) < 0,
                       .limits = limits_of(o)};
    return def;
}

// ---- edits

#define MOST 256

static bool edit_split(Case *c, const SomJson *a, SomDiagnostics *diags) {
    SomJointId moved[MOST];
    const SomJson *names = som_json_get(a, SOM_STR("moved"));
    int count = names == NULL || names->count > MOST ? 0 : names->count;
    for (int i = 0; i < count; i++) {
        moved[i] = find_joint(c, som_json_string_or(som_json_at(names, i), SOM_STR("")));
    }
    return som_linkage_split(c->linkage, find_link(c, text_of(a, "link")), text_of(a, "name"),
                             pose_of(a, "D"), type_of(c, a), moved, count, diags)
               .index1 != 0;
}

static int links_of(Case *c, const SomJson *names, SomLinkId links[MOST]) {
    int count = names == NULL || names->count > MOST ? 0 : names->count;
    for (int i = 0; i < count; i++) {
        links[i] = find_link(c, som_json_string_or(som_json_at(names, i), SOM_STR("")));
    }
    return count;
}

static bool edit_encapsulate(Case *c, const SomJson *a, SomDiagnostics *diags) {
    SomLinkId links[MOST];
    int count = links_of(c, som_json_get(a, SOM_STR("links")), links);
    return som_linkage_encapsulate(c->linkage, links, count, text_of(a, "name"), disposition_of(a),
                                   diags)
               .index1 != 0;
}

static bool edit_add(Case *c, SomStr op, const SomJson *a, SomDiagnostics *diags) {
    SomLinkage *l = c->linkage;
    if (som_str_equal(op, SOM_STR("AddJoint"))) {
        SomJointDef def = joint_def_of(c, a);
        return som_linkage_add_joint(l, &def, diags).index1 != 0;
    }
    SomLinkDef link = {.name = text_of(a, "name"), .pose = pose_of(a, "T")};
    if (som_str_equal(op, SOM_STR("AddLinkage"))) {
        link.sublinkage = som_linkage_add_sublinkage(l, find_sublinkage(c, text_of(a, "parent")),
                                                     link.name, disposition_of(a), diags);
        link.name = text_of(a, "ground");
        if (link.sublinkage.index1 == 0) {
            return false;
        }
    } else {
        link.sublinkage = find_sublinkage(c, text_of(a, "linkage"));
    }
    return som_linkage_add_link(l, &link, diags).index1 != 0;
}

static bool edit_joint(Case *c, SomStr op, const SomJson *a, SomDiagnostics *diags) {
    SomLinkage *l = c->linkage;
    SomJointId joint = find_joint(c, text_of(a, "joint"));
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
        return som_linkage_reposition_joint(l, joint, pose_of(a, "D"), diags);
    }
    if (som_str_equal(op, SOM_STR("SetType"))) {
        return som_linkage_set_type(l, joint, type_of(c, a), diags);
    }
    if (som_str_equal(op, SOM_STR("SetLimits"))) {
        SomLimits limits = limits_of(a);
        return som_linkage_set_limits(l, joint, &limits, diags);
    }
    if (som_str_equal(op, SOM_STR("SetJointName"))) {
        return som_linkage_set_joint_name(l, joint, text_of(a, "name"), diags);
    }
    if (som_str_equal(op, SOM_STR("SetValue"))) {
        int dof = som_json_integer_or(som_json_get(a, SOM_STR("dof")), -1);
        double value = som_json_number_or(som_json_get(a, SOM_STR("value")), 0);
        return som_linkage_set_value(l, joint, dof, value, diags);
    }
    bool keep_local = som_str_equal(text_of(a, "keep"), SOM_STR("local"));
    SomLinkId link = find_link(c, text_of(a, "link"));
    if (som_str_equal(op, SOM_STR("SetParent"))) {
        return som_linkage_set_parent(l, joint, link, keep_local, diags);
    }
    if (som_str_equal(op, SOM_STR("SetChild"))) {
        return som_linkage_set_child(l, joint, link, keep_local, diags);
    }
    fault(c, "there is no operation '%.*s'", SOM_STR_ARG(op));
    return false;
}

static bool edit_abstract(Case *c, const SomJson *a, SomDiagnostics *diags) {
    SomLinkId links[MOST];
    SomInterfaceJoint joints[16] = {{.type = SOM_JOINT_FIXED}};
    const SomJson *list = som_json_get(a, SOM_STR("joints"));
    int count = list == NULL || list->count > 16 ? 0 : list->count;
    for (int i = 0; i < count; i++) {
        const SomJson *o = som_json_at(list, i);
        joints[i] = (SomInterfaceJoint){.name = text_of(o, "name"),
                                        .type = type_of(c, o),
                                        .parent_frame = pose_of(o, "P"),
                                        .child_frame = pose_of(o, "C"),
                                        .limits = limits_of(o)};
        som_json_numbers_of(som_json_get(o, SOM_STR("x")), joints[i].value, 6);
    }
    SomAbstractionDef def = {.name = text_of(a, "name"),
                             .inside_name = text_of(a, "inside"),
                             .links = links,
                             .link_count = links_of(c, som_json_get(a, SOM_STR("links")), links),
                             .base = find_link(c, text_of(a, "base")),
                             .tip = find_link(c, text_of(a, "tip")),
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
        tracks[i] = (SomTrack){.joint = find_joint(c, text_of(o, "joint")),
                               .dof = som_json_integer_or(som_json_get(o, SOM_STR("dof")), -1),
                               .waypoints = points[i],
                               .count = w == NULL || w->count > 16 ? 0 : w->count};
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
    som_abstraction_check(c->linkage, find_sublinkage(c, text_of(a, "linkage")), per_dof, &check,
                          diags);
    return som_diagnostics_error_count(diags) == 0;
}

static bool edit(Case *c, SomStr op, const SomJson *a, SomDiagnostics *diags) {
    SomLinkage *l = c->linkage;
    if (som_str_starts_with(op, SOM_STR("Add"))) {
        return edit_add(c, op, a, diags);
    }
    if (som_str_equal(op, SOM_STR("MakeGround"))) {
        return som_linkage_make_ground(l, find_link(c, text_of(a, "link")), diags);
    }
    if (som_str_equal(op, SOM_STR("RemoveLink"))) {
        return som_linkage_remove_link(l, find_link(c, text_of(a, "link")), diags);
    }
    if (som_str_equal(op, SOM_STR("SetLinkName"))) {
        return som_linkage_set_link_name(l, find_link(c, text_of(a, "link")), text_of(a, "name"),
                                         diags);
    }
    if (som_str_equal(op, SOM_STR("RepositionLink"))) {
        SomLinkId link = find_link(c, text_of(a, "link"));
        return som_linkage_reposition_link(l, link, pose_of(a, "D"), diags);
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
        return som_linkage_dissolve(l, find_sublinkage(c, text_of(a, "linkage")), diags);
    }
    return edit_joint(c, op, a, diags);
}

// ---- states

static int member_count(const SomJson *object) {
    return object != NULL && object->kind == SOM_JSON_OBJECT ? object->count : 0;
}

static void check_joint_state(Case *c, int number, const SomJson *state) {
    const SomJson *ends = som_json_get(state, SOM_STR("ends"));
    const SomJson *phi = som_json_get(state, SOM_STR("phi"));
    for (int i = 0; i < member_count(ends); i++) {
        SomJointId id = find_joint(c, ends->members[i].key);
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
            fault(c, "operation %d: joint '%.*s' has other ends", number,
                  SOM_STR_ARG(ends->members[i].key));
        }
    }
}

static void check_state(Case *c, int number, const SomJson *state) {
    const SomLinkage *l = c->linkage;
    const SomJson *parents = som_json_get(state, SOM_STR("parent"));
    for (int i = 0; i < member_count(parents); i++) {
        SomLinkId link = find_link(c, parents->members[i].key);
        SomStr expected = som_json_string_or(&parents->members[i].value, SOM_STR(""));
        SomJointId joint = som_linkage_get_link(l, link).parent_joint;
        if (joint.index1 == 0 || !joint_is_called(l, joint, expected)) {
            fault(c, "operation %d: link '%.*s' does not hang on '%.*s'", number,
                  SOM_STR_ARG(parents->members[i].key), SOM_STR_ARG(expected));
        }
    }
    const SomJson *links = som_json_get(state, SOM_STR("tree_parent_link"));
    for (int i = 0; i < member_count(links); i++) {
        SomLinkId link = find_link(c, links->members[i].key);
        SomJointId joint = som_linkage_get_link(l, link).parent_joint;
        SomLinkId parent = find_link(c, som_json_string_or(&links->members[i].value, SOM_STR("")));
        if (joint.index1 == 0 || som_linkage_get_joint(l, joint).parent.index1 != parent.index1) {
            fault(c, "operation %d: link '%.*s' has another parent", number,
                  SOM_STR_ARG(links->members[i].key));
        }
    }
    const SomJson *grounds = som_json_get(state, SOM_STR("ground"));
    for (int i = 0; i < member_count(grounds); i++) {
        SomSublinkageId part = find_sublinkage(c, grounds->members[i].key);
        SomLinkId ground =
            find_link(c, som_json_string_or(&grounds->members[i].value, SOM_STR("")));
        if (som_linkage_get_sublinkage(l, part).ground.index1 != ground.index1) {
            fault(c, "operation %d: '%.*s' has another ground", number,
                  SOM_STR_ARG(grounds->members[i].key));
        }
    }
    check_joint_state(c, number, state);
    if (som_json_integer_or(som_json_get(state, SOM_STR("nlinks")), som_linkage_link_count(l)) !=
            som_linkage_link_count(l) ||
        som_json_integer_or(som_json_get(state, SOM_STR("njoints")), som_linkage_joint_count(l)) !=
            som_linkage_joint_count(l)) {
        fault(c, "operation %d: another number of links or joints", number);
    }
}

static bool has_code(const SomDiagnostics *diags, SomStr text) {
    const SomCodeInfo *info = som_code_find(text);
    return info != NULL && som_diagnostics_has(diags, info->code);
}

static void replay_operation(Case *c, int number, const SomJson *op) {
    SomDiagnostics *diags = som_diagnostics_create();
    uint64_t before = som_linkage_hash(c->linkage);
    bool done = edit(c, text_of(op, "op"), som_json_get(op, SOM_STR("args")), diags);
    SomStr refused = text_of(op, "refused");
    if (done == (refused.length > 0)) {
        fault(c, "operation %d (%.*s) is %s", number, SOM_STR_ARG(text_of(op, "op")),
              done ? "done" : "refused");
        SomText text = {0};
        som_diagnostics_print(diags, 0, &text);
        fputs(text.data == NULL ? "" : text.data, stdout);
        som_text_free(&text);
    }
    if (!done && som_linkage_hash(c->linkage) != before) {
        fault(c, "operation %d was refused and changed something", number);
    }
    if (som_str_starts_with(refused, SOM_STR("SOM")) && !has_code(diags, refused)) {
        fault(c, "operation %d does not report %.*s", number, SOM_STR_ARG(refused));
    }
    const SomJson *reports = som_json_get(op, SOM_STR("reports"));
    for (int i = 0; reports != NULL && i < reports->count; i++) {
        SomStr code = som_json_string_or(som_json_at(reports, i), SOM_STR(""));
        if (!has_code(diags, code)) {
            fault(c, "operation %d does not report %.*s", number, SOM_STR_ARG(code));
        }
    }
    SomText why = {0};
    if (!som_linkage_validate(c->linkage, &why)) {
        fault(c, "operation %d leaves an invalid linkage: %s", number, why.data);
    }
    som_text_free(&why);
    check_state(c, number, som_json_get(op, SOM_STR("state")));
    som_diagnostics_destroy(diags);
}

static void replay_edits(Case *c) {
    c->linkage = som_linkage_create();
    const SomJson *ops = som_json_get(c->root, SOM_STR("ops"));
    for (int i = 0; i < ops->count; i++) {
        replay_operation(c, i, som_json_at(ops, i));
    }
    const SomJson *poses = som_json_get(c->root, SOM_STR("final_poses"));
    for (int i = 0; i < member_count(poses); i++) {
        SomPose now = som_linkage_pose(c->linkage, find_link(c, poses->members[i].key));
        double m[12], worst = 0;
        if (!som_json_numbers_of(&poses->members[i].value, m, 12)) {
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
            fault(c, "link '%.*s' is %g off", SOM_STR_ARG(poses->members[i].key), worst);
        }
    }
    printf("%s: %d operations, poses within %.2g: %s\n", c->path, ops->count, c->worst,
           c->faults == 0 ? "agrees" : "DIFFERS");
}

// ---- solver runs

static void add_model_links(Case *c, const SomJson *model, SomDiagnostics *diags) {
    const SomJson *linkages = som_json_get(model, SOM_STR("linkages"));
    const SomJson *links = som_json_get(model, SOM_STR("links"));
    SomStr top_ground = {0};
    for (int i = 0; linkages != NULL && i < linkages->count; i++) {
        const SomJson *o = som_json_at(linkages, i);
        SomLinkDef ground = {.name = text_of(o, "ground")};
        if (som_json_get(o, SOM_STR("parent"))->kind != SOM_JSON_STRING) {
            top_ground = ground.name;
            som_linkage_set_link_name(c->linkage, som_linkage_top_ground(c->linkage), ground.name,
                                      diags);
            continue;
        }
        ground.sublinkage =
            som_linkage_add_sublinkage(c->linkage, find_sublinkage(c, text_of(o, "parent")),
                                       text_of(o, "name"), disposition_of(o), diags);
        som_linkage_add_link(c->linkage, &ground, diags);
    }
    for (int i = 0; links != NULL && i < links->count; i++) {
        const SomJson *o = som_json_at(links, i);
        SomLinkDef def = {.name = text_of(o, "name"),
                          .sublinkage = find_sublinkage(c, text_of(o, "linkage"))};
        bool is_there = som_str_equal(def.name, top_ground) ||
                        som_linkage_find_link(c->linkage, def.sublinkage, def.name).index1 != 0;
        if (!is_there) {
            som_linkage_add_link(c->linkage, &def, diags);
        }
    }
}

static void set_values(Case *c, SomJointId joint, const SomJson *o, SomDiagnostics *diags) {
    double x[6];
    if (!som_json_numbers_of(som_json_get(o, SOM_STR("x")), x, 6)) {
        fault(c, "a tree joint has no values");
        return;
    }
    const SomJointTypeInfo *type = som_joint_type(som_linkage_get_joint(c->linkage, joint).type);
    for (int i = 0; i < type->dof_count; i++) {
        som_linkage_set_value(c->linkage, joint, type->dofs[i], x[type->dofs[i]], diags);
    }
}

static void build_model(Case *c, const SomJson *model) {
    SomDiagnostics *diags = som_diagnostics_create();
    c->linkage = som_linkage_create();
    add_model_links(c, model, diags);
    const SomJson *joints = som_json_get(model, SOM_STR("joints"));
    for (int i = 0; joints != NULL && i < joints->count; i++) {
        const SomJson *o = som_json_at(joints, i);
        bool is_tree = som_str_equal(text_of(o, "disposition"), SOM_STR("tree"));
        SomJointId joint;
        if (som_json_boolean_or(som_json_get(o, SOM_STR("root")), false)) {
            joint = find_joint(c, text_of(o, "name"));
        } else {
            SomJointDef def = joint_def_of(c, o);
            joint = som_linkage_add_joint(c->linkage, &def, diags);
            if (is_tree && joint.index1 != 0) {
                som_linkage_make_tree(c->linkage, joint, diags);
            }
        }
        if (is_tree && joint.index1 != 0) {
            set_values(c, joint, o, diags);
        }
    }
    if (som_diagnostics_error_count(diags) > 0) {
        SomText text = {0};
        som_diagnostics_print(diags, 5, &text);
        fault(c, "the model cannot be built:\n%s", text.data);
        som_text_free(&text);
    }
    som_diagnostics_destroy(diags);
}

typedef SOM_ARRAY(SomGoal) GoalList;
typedef SOM_ARRAY(SomJointId) JointList;

static void add_goals(Case *c, const SomJson *list, SomLevel level, GoalList *goals) {
    for (int i = 0; list != NULL && i < list->count; i++) {
        const SomJson *o = som_json_at(list, i);
        SomGoal goal = {level, find_joint(c, som_json_string_or(som_json_at(o, 0), SOM_STR(""))),
                        som_json_integer_or(som_json_at(o, 1), 0),
                        som_json_number_or(som_json_at(o, 2), 0)};
        if (goal.joint.index1 != 0) {
            som_array_push(goals, goal);
        }
    }
}

static bool is_named_in(Case *c, const SomJson *list, SomJointId joint) {
    for (int i = 0; list != NULL && i < list->count; i++) {
        const SomJson *o = som_json_at(list, i);
        SomStr name =
            som_json_string_or(o->kind == SOM_JSON_ARRAY ? som_json_at(o, 0) : o, SOM_STR(""));
        if (joint_is_called(c->linkage, joint, name)) {
            return true;
        }
    }
    return false;
}

static SomSolver *make_solver(Case *c) {
    const SomJson *problem = som_json_get(c->root, SOM_STR("problem"));
    GoalList goals = {0};
    JointList locked = {0}, ignored = {0};
    SomSolverDef def = {.is_flat = problem != NULL,
                        .is_unguarded = true,
                        .options = som_priority_default_options()};
    if (problem == NULL) {
        add_goals(c, som_json_get(c->root, SOM_STR("target")), SOM_LEVEL_TARGET, &goals);
    } else {
        add_goals(c, som_json_get(problem, SOM_STR("lock")), SOM_LEVEL_LOCK, &goals);
        add_goals(c, som_json_get(problem, SOM_STR("target")), SOM_LEVEL_TARGET, &goals);
        add_goals(c, som_json_get(problem, SOM_STR("posture")), SOM_LEVEL_POSTURE, &goals);
        const SomJson *variables = som_json_get(problem, SOM_STR("variables"));
        const SomJson *closures = som_json_get(problem, SOM_STR("closures"));
        for (SomJointId j = som_linkage_next_joint(c->linkage, (SomJointId){0}); j.index1 != 0;
             j = som_linkage_next_joint(c->linkage, j)) {
            bool is_tree = som_linkage_get_joint(c->linkage, j).is_tree;
            if (!is_named_in(c, is_tree ? variables : closures, j)) {
                if (is_tree) {
                    som_array_push(&locked, j);
                } else {
                    som_array_push(&ignored, j);
                }
            }
        }
    }
    const SomJson *o = som_json_get(c->root, SOM_STR("options"));
    SomPriorityOptions *p = &def.options;
    p->relative_rank = som_json_number_or(som_json_get(o, SOM_STR("eps_rel")), p->relative_rank);
    p->absolute_rank = som_json_number_or(som_json_get(o, SOM_STR("eps_abs")), p->absolute_rank);
    p->level_step = som_json_number_or(som_json_get(o, SOM_STR("b_max")), p->level_step);
    p->largest_step = som_json_number_or(som_json_get(o, SOM_STR("step_max")), p->largest_step);
    p->clamp_tolerance =
        som_json_number_or(som_json_get(o, SOM_STR("tol_clamp")), p->clamp_tolerance);
    SomStr mode = text_of(o, "limit_mode");
    def.limit_mode = som_str_equal(mode, SOM_STR("quad"))  ? SOM_LIMIT_QUADRATIC
                     : som_str_equal(mode, SOM_STR("lin")) ? SOM_LIMIT_LINEAR
                                                           : SOM_LIMIT_ACTIVE;
    def.goals = goals.data;
    def.goal_count = goals.count;
    def.locked = locked.data;
    def.locked_count = locked.count;
    def.ignored = ignored.data;
    def.ignored_count = ignored.count;
    SomSolver *solver = som_solver_create(c->linkage, &def);
    som_array_free(&goals);
    som_array_free(&locked);
    som_array_free(&ignored);
    return solver;
}

static void check_norms(Case *c, int number, const SomJson *norms, const SomSolverReport *report) {
    static const char *const names[SOM_LEVELS] = {"invariant", "limit", "lock", "target",
                                                  "posture"};
    for (int level = 0; level < SOM_LEVELS; level++) {
        const SomJson *value = som_json_get(norms, som_str(names[level]));
        if (value == NULL) {
            continue;
        }
        double expected = som_json_number_or(value, -1), actual = report->levels[level].norm;
        double larger = fmax(expected, actual), difference = fabs(expected - actual);
        if (larger > 1e-8) {
            c->worst = fmax(c->worst, difference / larger);
        }
        if (!(difference <= 1e-6 * larger + 1e-10)) {
            fault(c, "step %d: %s residual is %.9g, not %.9g", number, names[level], actual,
                  expected);
        }
    }
}

static void check_step(Case *c, int number, const SomJson *o, const SomSolverReport *report) {
    check_norms(c, number, som_json_get(o, SOM_STR("norms")), report);
    const SomJson *ranks = som_json_get(o, SOM_STR("ranks"));
    // a limit that is just touched may or may not be among the rows
    bool has_limit = strstr(c->path, "limit") != NULL;
    for (int level = 0; level < SOM_LEVELS && ranks != NULL && !has_limit; level++) {
        int expected = som_json_integer_or(som_json_at(ranks, level), -1);
        if (expected != report->levels[level].rank) {
            fault(c, "step %d: rank of level %d is %d, not %d", number, level,
                  report->levels[level].rank, expected);
        }
    }
    int clamped = som_json_integer_or(som_json_get(o, SOM_STR("clamped")), -1);
    if (clamped >= 0 && clamped != report->clamped_count && !has_limit) {
        fault(c, "step %d: %d clamped, not %d", number, report->clamped_count, clamped);
    }
}

static void check_final(Case *c, const SomJson *finals) {
    for (int i = 0; i < member_count(finals); i++) {
        double expected[6], actual[6];
        SomJointId joint = find_joint(c, finals->members[i].key);
        if (joint.index1 == 0 || !som_json_numbers_of(&finals->members[i].value, expected, 6)) {
            continue;
        }
        som_linkage_coordinates(c->linkage, joint, actual);
        for (int d = 0; d < 6; d++) {
            double difference = fabs(actual[d] - expected[d]);
            c->worst = fmax(c->worst, difference);
            if (!(difference <= 1e-6)) {
                fault(c, "joint '%.*s' ends at %.9g in %.*s, not %.9g",
                      SOM_STR_ARG(finals->members[i].key), actual[d], SOM_STR_ARG(som_dof_name(d)),
                      expected[d]);
            }
        }
    }
}

// Codes that the solver must report in the end, and with an empty list, that it reports none.
static void check_reports(Case *c, SomSolver *solver, const SomJson *codes) {
    if (codes == NULL) {
        return;
    }
    SomDiagnostics *diags = som_diagnostics_create();
    som_solver_measure(solver, c->linkage);
    som_solver_report(solver, c->linkage, diags);
    int reported;
    som_diagnostics_get(diags, &reported);
    for (int i = 0; i < codes->count; i++) {
        SomStr code = som_json_string_or(som_json_at(codes, i), SOM_STR(""));
        if (!has_code(diags, code)) {
            fault(c, "%.*s is not reported", SOM_STR_ARG(code));
        }
    }
    if ((codes->count == 0) != (reported == 0)) {
        fault(c, "%d reports, not %d", reported, codes->count);
    }
    som_diagnostics_destroy(diags);
}

static void replay_solver(Case *c) {
    build_model(c, som_json_get(c->root, SOM_STR("model")));
    SomSolver *solver = make_solver(c);
    const SomJson *expected = som_json_get(c->root, SOM_STR("expected"));
    const SomJson *iterations = som_json_get(expected, SOM_STR("iterations"));
    const SomJson *norms = som_json_get(expected, SOM_STR("norms"));
    int steps = som_json_integer_or(som_json_get(expected, SOM_STR("steps")), 0);
    int count = iterations != NULL ? iterations->count : norms != NULL ? norms->count : steps + 1;
    if (iterations == NULL && norms == NULL && steps <= 0) {
        fault(c, "nothing is expected");
    }
    for (int i = 0; i < count; i++) {
        bool is_last = i == count - 1;
        if (iterations == NULL || is_last) { // the residuals between the steps
            const SomSolverReport *now = som_solver_measure(solver, c->linkage);
            const SomJson *o = iterations == NULL
                                   ? som_json_at(norms, i)
                                   : som_json_get(som_json_at(iterations, i), SOM_STR("norms"));
            check_norms(c, i, o, now);
        }
        if (!is_last) {
            const SomSolverReport *report = som_solver_step(solver, c->linkage);
            check_step(c, i, iterations == NULL ? NULL : som_json_at(iterations, i), report);
        }
    }
    check_final(c, som_json_get(expected, SOM_STR("final_x")));
    check_final(c, som_json_get(expected, SOM_STR("final_y")));
    check_reports(c, solver, som_json_get(expected, SOM_STR("reports")));
    som_solver_destroy(solver);
    printf("%s: %d steps, residuals and values within %.2g: %s\n", c->path, count - 1, c->worst,
           c->faults == 0 ? "agrees" : "DIFFERS");
}

static int replay(const char *path) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomArena arena = {0};
    SomText text = {0}, out = {0};
    Case c = {.path = path};
    int result = 3;
    uint32_t source1 = som_file_load_source(path, &text, diags);
    if (source1 != 0) {
        c.root = som_json_parse(&arena, som_text_str(&text), source1, diags);
    }
    if (c.root != NULL) {
        const SomJson *ops = som_json_get(c.root, SOM_STR("ops"));
        if (ops != NULL && ops->kind == SOM_JSON_ARRAY) {
            replay_edits(&c);
        } else if (som_json_get(c.root, SOM_STR("model")) != NULL) {
            replay_solver(&c);
        } else {
            fault(&c, "is neither a list of edits nor a solver run");
        }
        result = c.faults == 0 ? 0 : 1;
    }
    som_diagnostics_print(diags, 0, &out);
    fputs(out.data == NULL ? "" : out.data, stderr);
    som_text_free(&out);
    som_text_free(&text);
    som_arena_free(&arena);
    som_linkage_destroy(c.linkage);
    som_diagnostics_destroy(diags);
    return result;
}

int main(int argc, char **argv) {
    int worst = argc < 2 ? 2 : 0;
    if (argc < 2) {
        fputs("usage: replay CASE.json...\n", stderr);
    }
    for (int i = 1; i < argc; i++) {
        int result = replay(argv[i]);
        worst = result > worst ? result : worst;
    }
    return worst;
}
