// SPDX-License-Identifier: Apache-2.0
// Replays a list of edits; see tests/replay.c.

#include "linkage/abstraction.h"
#include "linkage/trajectory.h"
#include "tests/replay.h"

#include <math.h>
#include <stdio.h>

static SomLinkId link_of(Case *c, const SomJson *a, const char *key) {
    return replay_find_link(c, replay_text_of(c, a, key));
}

// Links by their names; `count` gets how many.
static SomLinkId *links_of(Case *c, const SomJson *a, int *count) {
    const SomJson *names = replay_member(c, a, "links", SOM_JSON_ARRAY);
    *count = names == NULL ? 0 : names->count;
    SomLinkId *links = som_arena_new(c->arena, SomLinkId, *count);
    for (int i = 0; i < *count; i++) {
        links[i] = replay_find_link(c, som_json_string_or(som_json_at(names, i), SOM_STR("")));
    }
    return links;
}

// ---- operations; false if refused

static bool add_joint(Case *c, const SomJson *a, SomDiagnostics *diags) {
    SomJointDef def = replay_joint_def_of(c, a);
    return som_linkage_add_joint(c->linkage, &def, diags).index1 != 0;
}

static bool add_link(Case *c, const SomJson *a, SomDiagnostics *diags) {
    SomLinkDef def = {.name = replay_text_of(c, a, "name"),
                      .pose = replay_pose_of(c, a, "T"),
                      .sublinkage = replay_find_sublinkage(c, replay_text_of(c, a, "linkage"))};
    return som_linkage_add_link(c->linkage, &def, diags).index1 != 0;
}

static bool add_linkage(Case *c, const SomJson *a, SomDiagnostics *diags) {
    SomSublinkageId outer = replay_find_sublinkage(c, replay_text_of(c, a, "parent"));
    SomLinkDef ground = {.name = replay_text_of(c, a, "ground"), .pose = replay_pose_of(c, a, "T")};
    ground.sublinkage = som_linkage_add_sublinkage(c->linkage, outer, replay_text_of(c, a, "name"),
                                                   replay_disposition_of(c, a), diags);
    return ground.sublinkage.index1 != 0 &&
           som_linkage_add_link(c->linkage, &ground, diags).index1 != 0;
}

static bool set_link_name(Case *c, const SomJson *a, SomDiagnostics *diags) {
    SomLinkId link = link_of(c, a, "link");
    return som_linkage_set_link_name(c->linkage, link, replay_text_of(c, a, "name"), diags);
}

static bool reposition_link(Case *c, const SomJson *a, SomDiagnostics *diags) {
    SomLinkId link = link_of(c, a, "link");
    return som_linkage_reposition_link(c->linkage, link, replay_pose_of(c, a, "D"), diags);
}

static bool split(Case *c, const SomJson *a, SomDiagnostics *diags) {
    const SomJson *names = replay_member(c, a, "moved", SOM_JSON_ARRAY);
    int count = names == NULL ? 0 : names->count;
    SomJointId *moved = som_arena_new(c->arena, SomJointId, count);
    for (int i = 0; i < count; i++) {
        moved[i] = replay_find_joint(c, som_json_string_or(som_json_at(names, i), SOM_STR("")));
        if (moved[i].index1 == 0) {
            return false;
        }
    }
    return som_linkage_split(c->linkage, link_of(c, a, "link"), replay_text_of(c, a, "name"),
                             replay_pose_of(c, a, "D"), replay_type_of(c, a), moved, count, diags)
               .index1 != 0;
}

static bool encapsulate(Case *c, const SomJson *a, SomDiagnostics *diags) {
    int count;
    SomLinkId *links = links_of(c, a, &count);
    return som_linkage_encapsulate(c->linkage, links, count, replay_text_of(c, a, "name"),
                                   replay_disposition_of(c, a), diags)
               .index1 != 0;
}

static bool dissolve(Case *c, const SomJson *a, SomDiagnostics *diags) {
    SomSublinkageId part = replay_find_sublinkage(c, replay_text_of(c, a, "linkage"));
    return som_linkage_dissolve(c->linkage, part, diags);
}

static bool abstract(Case *c, const SomJson *a, SomDiagnostics *diags) {
    const SomJson *list = replay_member(c, a, "joints", SOM_JSON_ARRAY);
    int count = list == NULL ? 0 : list->count;
    SomInterfaceJoint *joints = som_arena_new(c->arena, SomInterfaceJoint, count);
    for (int i = 0; i < count; i++) {
        const SomJson *o = som_json_at(list, i), *x = som_json_get(o, SOM_STR("x"));
        joints[i] = (SomInterfaceJoint){.name = replay_text_of(c, o, "name"),
                                        .type = replay_type_of(c, o),
                                        .parent_frame = replay_pose_of(c, o, "P"),
                                        .child_frame = replay_pose_of(c, o, "C"),
                                        .limits = replay_limits_of(c, o)};
        if (x != NULL && !som_json_numbers_of(x, joints[i].value, 6)) {
            replay_fault(c, "'x' is not six numbers");
        }
    }
    SomAbstractionDef def = {.name = replay_text_of(c, a, "name"),
                             .inside_name = replay_text_of(c, a, "inside"),
                             .base = link_of(c, a, "base"),
                             .tip = link_of(c, a, "tip"),
                             .joints = joints,
                             .joint_count = count};
    def.links = links_of(c, a, &def.link_count);
    return som_linkage_abstract(c->linkage, &def, diags).index1 != 0;
}

static bool check_abstraction(Case *c, const SomJson *a, SomDiagnostics *diags) {
    SomAbstractionCheck check;
    int per_dof = replay_integer_of(c, a, "per_dof");
    SomSublinkageId part = replay_find_sublinkage(c, replay_text_of(c, a, "linkage"));
    if (per_dof < 1) {
        return false;
    }
    som_abstraction_check(c->linkage, part, per_dof, &check, diags);
    return som_diagnostics_error_count(diags) == 0;
}

static SomTrack track_of(Case *c, const SomJson *o) {
    const SomJson *list = replay_member(c, o, "waypoints", SOM_JSON_ARRAY);
    int count = list == NULL ? 0 : list->count;
    SomWaypoint *waypoints = som_arena_new(c->arena, SomWaypoint, count);
    for (int i = 0; i < count; i++) {
        double pair[2] = {0, 0};
        if (!som_json_numbers_of(som_json_at(list, i), pair, 2)) {
            replay_fault(c, "a waypoint is not a time and a value");
        }
        waypoints[i] = (SomWaypoint){pair[0], pair[1]};
    }
    SomTrack track = {.joint = replay_find_joint(c, replay_text_of(c, o, "joint")),
                      .dof = replay_integer_of(c, o, "dof"),
                      .waypoints = waypoints,
                      .count = count};
    return track;
}

static bool follow(Case *c, const SomJson *a, SomDiagnostics *diags) {
    const SomJson *list = replay_member(c, a, "tracks", SOM_JSON_ARRAY);
    int count = list == NULL ? 0 : list->count;
    SomTrack *tracks = som_arena_new(c->arena, SomTrack, count);
    for (int i = 0; i < count; i++) {
        tracks[i] = track_of(c, som_json_at(list, i));
        if (tracks[i].joint.index1 == 0) {
            return false;
        }
    }
    SomTracking tracking = {0};
    SomTrajectoryDef def = {
        .tracks = tracks, .track_count = count, .tick = replay_number_of(c, a, "tick", 0)};
    bool done = som_trajectory_follow(c->linkage, &def, &tracking, diags);
    som_tracking_free(&tracking);
    return done;
}

// ---- operations on a joint

static bool reposition_joint(Case *c, SomJointId joint, const SomJson *a, SomDiagnostics *diags) {
    return som_linkage_reposition_joint(c->linkage, joint, replay_pose_of(c, a, "D"), diags);
}

static bool set_type(Case *c, SomJointId joint, const SomJson *a, SomDiagnostics *diags) {
    return som_linkage_set_type(c->linkage, joint, replay_type_of(c, a), diags);
}

static bool set_limits(Case *c, SomJointId joint, const SomJson *a, SomDiagnostics *diags) {
    SomLimits limits = replay_limits_of(c, a);
    return som_linkage_set_limits(c->linkage, joint, &limits, diags);
}

static bool set_joint_name(Case *c, SomJointId joint, const SomJson *a, SomDiagnostics *diags) {
    return som_linkage_set_joint_name(c->linkage, joint, replay_text_of(c, a, "name"), diags);
}

static bool set_value(Case *c, SomJointId joint, const SomJson *a, SomDiagnostics *diags) {
    int dof = replay_integer_of(c, a, "dof");
    const SomJson *value = replay_member(c, a, "value", SOM_JSON_NUMBER);
    return som_linkage_set_value(c->linkage, joint, dof, som_json_number_or(value, 0), diags);
}

// Frames stay in the world unless the case says otherwise.
static bool keeps_local(Case *c, const SomJson *a) {
    static const char *const words[] = {"world", "local"};
    return som_json_get(a, SOM_STR("keep")) != NULL && replay_word_of(c, a, "keep", words, 2) == 1;
}

static bool set_parent(Case *c, SomJointId joint, const SomJson *a, SomDiagnostics *diags) {
    SomLinkId link = link_of(c, a, "link");
    return som_linkage_set_parent(c->linkage, joint, link, keeps_local(c, a), diags);
}

static bool set_child(Case *c, SomJointId joint, const SomJson *a, SomDiagnostics *diags) {
    SomLinkId link = link_of(c, a, "link");
    return som_linkage_set_child(c->linkage, joint, link, keeps_local(c, a), diags);
}

// ---- which operation

// One of these is not NULL.
typedef struct Operation {
    const char *name;
    bool (*perform)(Case *c, const SomJson *a, SomDiagnostics *diags);
    bool (*on_joint)(Case *c, SomJointId joint, const SomJson *a, SomDiagnostics *diags);
    bool (*joint_alone)(SomLinkage *l, SomJointId joint, SomDiagnostics *diags);
    bool (*link_alone)(SomLinkage *l, SomLinkId link, SomDiagnostics *diags);
} Operation;

static const Operation operations[] = {
    {.name = "Abstract", .perform = abstract},
    {.name = "AddJoint", .perform = add_joint},
    {.name = "AddLink", .perform = add_link},
    {.name = "AddLinkage", .perform = add_linkage},
    {.name = "CheckAbstraction", .perform = check_abstraction},
    {.name = "Dissolve", .perform = dissolve},
    {.name = "Encapsulate", .perform = encapsulate},
    {.name = "Follow", .perform = follow},
    {.name = "Invert", .joint_alone = som_linkage_invert},
    {.name = "MakeClosure", .joint_alone = som_linkage_make_closure},
    {.name = "MakeGround", .link_alone = som_linkage_make_ground},
    {.name = "MakeTree", .joint_alone = som_linkage_make_tree},
    {.name = "Merge", .joint_alone = som_linkage_merge},
    {.name = "RemoveJoint", .joint_alone = som_linkage_remove_joint},
    {.name = "RemoveLink", .link_alone = som_linkage_remove_link},
    {.name = "RepositionJoint", .on_joint = reposition_joint},
    {.name = "RepositionLink", .perform = reposition_link},
    {.name = "SetChild", .on_joint = set_child},
    {.name = "SetJointName", .on_joint = set_joint_name},
    {.name = "SetLimits", .on_joint = set_limits},
    {.name = "SetLinkName", .perform = set_link_name},
    {.name = "SetParent", .on_joint = set_parent},
    {.name = "SetType", .on_joint = set_type},
    {.name = "SetValue", .on_joint = set_value},
    {.name = "Split", .perform = split},
};

static bool perform(Case *c, const Operation *o, const SomJson *a, SomDiagnostics *diags) {
    if (o->perform != NULL) {
        return o->perform(c, a, diags);
    }
    if (o->link_alone != NULL) {
        return o->link_alone(c->linkage, link_of(c, a, "link"), diags);
    }
    SomJointId joint = replay_find_joint(c, replay_text_of(c, a, "joint"));
    if (joint.index1 == 0) {
        return false;
    }
    return o->joint_alone != NULL ? o->joint_alone(c->linkage, joint, diags)
                                  : o->on_joint(c, joint, a, diags);
}

static bool edit(Case *c, SomStr name, const SomJson *a, SomDiagnostics *diags) {
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (som_str_equal(som_str(operations[i].name), name)) {
            return perform(c, &operations[i], a, diags);
        }
    }
    replay_fault(c, "there is no operation '%.*s'", SOM_STR_ARG(name));
    return false;
}

// ---- states

static void check_ends(Case *c, int number, const SomJson *state) {
    const SomJson *ends = replay_optional(c, state, "ends", SOM_JSON_OBJECT);
    const SomJson *phi = replay_optional(c, state, "phi", SOM_JSON_OBJECT);
    for (int i = 0; ends != NULL && i < ends->count; i++) {
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
            (phi != NULL && sign != (joint.is_inverted ? -1 : 1))) {
            replay_fault(c, "operation %d: joint '%.*s' has other ends", number,
                         SOM_STR_ARG(ends->members[i].key));
        }
    }
}

static void check_parents(Case *c, int number, const SomJson *state) {
    const SomJson *joints = replay_optional(c, state, "parent", SOM_JSON_OBJECT);
    for (int i = 0; joints != NULL && i < joints->count; i++) {
        SomLinkId link = replay_find_link(c, joints->members[i].key);
        SomStr expected = som_json_string_or(&joints->members[i].value, SOM_STR(""));
        SomJointId joint = som_linkage_get_link(c->linkage, link).parent_joint;
        if (joint.index1 == 0 || !replay_joint_is_called(c->linkage, joint, expected)) {
            replay_fault(c, "operation %d: link '%.*s' does not hang on '%.*s'", number,
                         SOM_STR_ARG(joints->members[i].key), SOM_STR_ARG(expected));
        }
    }
    const SomJson *links = replay_optional(c, state, "tree_parent_link", SOM_JSON_OBJECT);
    for (int i = 0; links != NULL && i < links->count; i++) {
        SomLinkId link = replay_find_link(c, links->members[i].key);
        SomJointId joint = som_linkage_get_link(c->linkage, link).parent_joint;
        SomLinkId parent =
            replay_find_link(c, som_json_string_or(&links->members[i].value, SOM_STR("")));
        if (joint.index1 == 0 ||
            som_linkage_get_joint(c->linkage, joint).parent.index1 != parent.index1) {
            replay_fault(c, "operation %d: link '%.*s' has another parent", number,
                         SOM_STR_ARG(links->members[i].key));
        }
    }
}

static void check_grounds(Case *c, int number, const SomJson *state) {
    const SomJson *grounds = replay_optional(c, state, "ground", SOM_JSON_OBJECT);
    for (int i = 0; grounds != NULL && i < grounds->count; i++) {
        SomSublinkageId part = replay_find_sublinkage(c, grounds->members[i].key);
        SomLinkId ground =
            replay_find_link(c, som_json_string_or(&grounds->members[i].value, SOM_STR("")));
        if (som_linkage_get_sublinkage(c->linkage, part).ground.index1 != ground.index1) {
            replay_fault(c, "operation %d: '%.*s' has another ground", number,
                         SOM_STR_ARG(grounds->members[i].key));
        }
    }
}

static void check_count(Case *c, int number, const SomJson *state, const char *key, int actual) {
    if (som_json_get(state, som_str(key)) != NULL && replay_integer_of(c, state, key) != actual) {
        replay_fault(c, "operation %d: '%s' is %d", number, key, actual);
    }
}

static void check_state(Case *c, int number, const SomJson *state) {
    check_parents(c, number, state);
    check_grounds(c, number, state);
    check_ends(c, number, state);
    check_count(c, number, state, "nlinks", som_linkage_link_count(c->linkage));
    check_count(c, number, state, "njoints", som_linkage_joint_count(c->linkage));
}

static void replay_operation(Case *c, int number, const SomJson *op) {
    SomDiagnostics *diags = som_diagnostics_create();
    uint64_t before = som_linkage_hash(c->linkage);
    SomStr name = replay_text_of(c, op, "op");
    bool done = edit(c, name, replay_member(c, op, "args", SOM_JSON_OBJECT), diags);
    SomStr refused =
        som_json_string_or(replay_optional(c, op, "refused", SOM_JSON_STRING), SOM_STR(""));
    if (done == (refused.length > 0)) {
        replay_fault(c, "operation %d (%.*s) is %s", number, SOM_STR_ARG(name),
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
    const SomJson *reports = replay_optional(c, op, "reports", SOM_JSON_ARRAY);
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
    check_state(c, number, replay_optional(c, op, "state", SOM_JSON_OBJECT));
    som_diagnostics_destroy(diags);
}

void replay_edits(Case *c) {
    c->linkage = som_linkage_create();
    const SomJson *ops = replay_member(c, c->root, "ops", SOM_JSON_ARRAY);
    int count = ops == NULL ? 0 : ops->count;
    for (int i = 0; i < count; i++) {
        replay_operation(c, i, som_json_at(ops, i));
    }
    const SomJson *poses = replay_optional(c, c->root, "final_poses", SOM_JSON_OBJECT);
    for (int i = 0; poses != NULL && i < poses->count; i++) {
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
    printf("%s: %d operations, poses within %.2g: %s\n", c->path, count, c->worst,
           c->faults == 0 ? "agrees" : "DIFFERS");
}
