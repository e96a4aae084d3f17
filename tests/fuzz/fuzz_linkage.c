// SPDX-License-Identifier: Apache-2.0
// Fuzz target: the bytes are a list of edits of a linkage and of solver steps.
//
// Facts: after every edit the linkage is valid; one that is refused with an error changed nothing;
// a copy taken before is as it was; links keep their poses unless the edit moves them on purpose or
// reports that they moved; a copy taken afterwards has the same poses, bit by bit; steps of the
// solver leave a valid linkage.

#include "base/codes/linkage_codes.h"
#include "linkage/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Input {
    const uint8_t *data;
    size_t size, at;
    int name;
    bool is_vast;    // has lengths so large that rounding moves links
    bool is_variant; // of the present edit
    bool is_moved;   // by the present edit, on purpose
} Input;

static unsigned byte(Input *in) {
    return in->at < in->size ? in->data[in->at++] : 0;
}

static double number(Input *in) {
    unsigned b = byte(in);
    in->is_vast = in->is_vast || b == 254;
    return b == 255 ? HUGE_VAL : b == 254 ? 1e150 : b == 253 ? 1e-9 : ((double)b - 126) / 32;
}

static SomPose pose(Input *in) {
    double y[6];
    for (int i = 0; i < 6; i++) {
        y[i] = number(in);
    }
    return som_pose_from_coordinates(y);
}

static SomLinkId link(Input *in, const SomLinkage *l) {
    unsigned skip = byte(in) % (unsigned)som_linkage_link_count(l);
    SomLinkId id = som_linkage_next_link(l, (SomLinkId){0});
    while (skip-- > 0) {
        id = som_linkage_next_link(l, id);
    }
    return id;
}

static SomJointId joint(Input *in, const SomLinkage *l) {
    unsigned count = (unsigned)som_linkage_joint_count(l);
    unsigned skip = count == 0 ? 0 : byte(in) % count;
    SomJointId id = som_linkage_next_joint(l, (SomJointId){0});
    while (skip-- > 0) {
        id = som_linkage_next_joint(l, id);
    }
    return id;
}

static SomSublinkageId part(Input *in, const SomLinkage *l) {
    SomSublinkageId id = som_linkage_top(l);
    for (unsigned skip = byte(in) % 8; skip > 0; skip--) {
        SomSublinkageId next = som_linkage_next_sublinkage(l, id);
        id = next.index1 == 0 ? som_linkage_top(l) : next;
    }
    return id;
}

static SomStr name(Input *in, char text[16]) {
    in->name = byte(in) % 8 == 0 ? in->name : in->name + 1; // sometimes a name that is taken
    return (SomStr){text, (size_t)snprintf(text, 16, "n%d", in->name)};
}

static SomLimits limits(Input *in) {
    SomLimits result = {.limited = byte(in) & 0x3f};
    for (int d = 0; d < 6; d++) {
        if (result.limited >> d & 1) {
            result.low[d] = number(in);
            result.high[d] = result.low[d] + number(in) + 2;
        }
    }
    return result;
}

static bool add(Input *in, SomLinkage *l, unsigned what, SomDiagnostics *diags) {
    char text[16];
    if (what == 0) {
        SomLinkDef def = {.sublinkage = part(in, l), .name = name(in, text), .pose = pose(in)};
        return som_linkage_add_link(l, &def, diags).index1 != 0;
    }
    if (what == 1) {
        SomSublinkageId outer = part(in, l);
        SomDisposition disposition = (SomDisposition)(byte(in) % 3);
        return som_linkage_add_sublinkage(l, outer, name(in, text), disposition, diags).index1 != 0;
    }
    SomJointDef def = {.name = name(in, text),
                       .type = (SomJointType)(byte(in) % SOM_JOINT_TYPES),
                       .parent = link(in, l),
                       .child = link(in, l),
                       .parent_frame = pose(in),
                       .is_inverted = byte(in) % 2 == 1};
    if (byte(in) % 4 == 0) {
        def.limits = limits(in);
    }
    return som_linkage_add_joint(l, &def, diags).index1 != 0;
}

static bool change_joint(Input *in, SomLinkage *l, unsigned what, SomDiagnostics *diags) {
    SomJointId id = joint(in, l);
    if (id.index1 == 0) {
        return false;
    }
    SomLimits range;
    char text[16];
    switch (what) {
    case 3:
        return som_linkage_make_tree(l, id, diags);
    case 4:
        return som_linkage_make_closure(l, id, diags);
    case 5:
        return som_linkage_invert(l, id, diags);
    case 6:
        in->is_moved = in->is_variant;
        return som_linkage_set_parent(l, id, link(in, l), in->is_moved, diags);
    case 7:
        in->is_moved = in->is_variant;
        return som_linkage_set_child(l, id, link(in, l), in->is_moved, diags);
    case 8:
        return som_linkage_remove_joint(l, id, diags);
    case 9:
        return som_linkage_set_type(l, id, (SomJointType)(byte(in) % SOM_JOINT_TYPES), diags);
    case 10:
        range = limits(in);
        return som_linkage_set_limits(l, id, &range, diags);
    case 11:
        return som_linkage_merge(l, id, diags);
    case 12:
        return som_linkage_reposition_joint(l, id, pose(in), diags);
    case 13:
        return som_linkage_set_joint_name(l, id, name(in, text), diags);
    default:
        in->is_moved = true;
        return som_linkage_set_value(l, id, (int)(byte(in) % 7), number(in), diags);
    }
}

static bool change_links(Input *in, SomLinkage *l, unsigned what, SomDiagnostics *diags) {
    char text[16];
    SomLinkId links[3] = {link(in, l), link(in, l), link(in, l)};
    SomJointId moved = joint(in, l);
    switch (what) {
    case 15:
        return som_linkage_make_ground(l, links[0], diags);
    case 16:
        return som_linkage_remove_link(l, links[0], diags);
    case 17:
        return som_linkage_split(l, links[0], name(in, text), pose(in),
                                 (SomJointType)(byte(in) % SOM_JOINT_TYPES), &moved,
                                 moved.index1 != 0 && byte(in) % 2, diags)
                   .index1 != 0;
    case 18:
        return som_linkage_encapsulate(l, links, 1 + byte(in) % 3, name(in, text),
                                       (SomDisposition)(byte(in) % 3), diags)
                   .index1 != 0;
    case 19:
        return som_linkage_dissolve(l, part(in, l), diags);
    case 20:
        return som_linkage_set_link_name(l, links[0], name(in, text), diags);
    case 21:
        return som_linkage_set_subframe(l, links[0], name(in, text), pose(in), diags);
    case 22:
        in->is_moved = true;
        return som_linkage_set_world(l, pose(in), diags);
    default:
        return som_linkage_nest(l, part(in, l), part(in, l), diags);
    }
}

static void check(bool fact, const char *what) {
    if (!fact) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static void check_valid(const SomLinkage *l) {
    SomText why = {0};
    bool is_valid = som_linkage_validate(l, &why);
    check(is_valid, why.data == NULL ? "" : why.data);
    som_text_free(&why);
}

// What is known of poses is what a copy, which knows nothing, finds.
static void check_poses(const SomLinkage *l) {
    SomLinkage *copy = som_linkage_copy(l);
    for (SomLinkId k = som_linkage_next_link(l, (SomLinkId){0}); k.index1 != 0;
         k = som_linkage_next_link(l, k)) {
        SomPose a = som_linkage_pose(l, k), b = som_linkage_pose(copy, k);
        check(memcmp(&a, &b, sizeof a) == 0, "a pose is out of date");
    }
    som_linkage_destroy(copy);
}

static void step(Input *in, SomLinkage *l) {
    SomGoal goals[2];
    int count = 0;
    for (int i = 0; i < 2; i++) {
        SomJointId id = joint(in, l);
        if (id.index1 != 0) {
            goals[count++] = (SomGoal){(SomLevel)(SOM_LEVEL_LOCK + byte(in) % 3), id,
                                       (int)(byte(in) % 6), number(in)};
        }
    }
    SomSolverDef def = {.goals = goals, .goal_count = count, .is_flat = byte(in) % 2 == 1};
    SomDiagnostics *diags = som_diagnostics_create();
    SomSolver *solver = som_solver_create(l, &def, diags);
    check(solver != NULL, "so small a linkage is too large");
    SomText text = {0};
    for (int i = 0; i < 3; i++) {
        som_solver_step(solver, l);
    }
    som_solver_measure(solver, l);
    som_solver_describe(solver, l, &text);
    som_text_free(&text);
    som_solver_destroy(solver);
    som_diagnostics_destroy(diags);
}

static void edit(Input *in, SomLinkage *l, unsigned what) {
    SomDiagnostics *diags = som_diagnostics_create();
    uint64_t before = som_linkage_hash(l);
    SomLinkage *copy = som_linkage_copy(l);
    in->is_moved = false;
    bool ok = what < 3    ? add(in, l, what, diags)
              : what < 15 ? change_joint(in, l, what, diags)
                          : change_links(in, l, what, diags);
    check(som_linkage_hash(copy) == before, "the copy changed");
    if (som_diagnostics_error_count(diags) > 0) {
        check(!ok && som_linkage_hash(l) == before, "a refused edit changed something");
    }
    for (SomLinkId k = som_linkage_next_link(copy, (SomLinkId){0}); k.index1 != 0;
         k = som_linkage_next_link(copy, k)) {
        if (som_linkage_has_link(l, k) && !in->is_moved &&
            !som_diagnostics_has(diags, SOM_LINKAGE_MOVED)) {
            SomPose a = som_linkage_pose(copy, k), b = som_linkage_pose(l, k);
            check(in->is_vast || som_pose_distance(a, b) < 1e-6, "a link moved");
        }
    }
    som_linkage_destroy(copy);
    som_diagnostics_destroy(diags);
    check_poses(l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Input in = {.data = data, .size = size};
    SomLinkage *l = som_linkage_create();
    for (int i = 0; i < 40 && in.at < in.size; i++) {
        unsigned first = byte(&in), what = first % 25;
        in.is_variant = first / 25 % 4 == 3;
        if (what == 24) {
            step(&in, l);
        } else {
            edit(&in, l, what);
        }
        check_valid(l);
    }
    som_linkage_destroy(l);
    return 0;
}
