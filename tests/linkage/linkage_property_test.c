// SPDX-License-Identifier: Apache-2.0
// Random linkages and random primitives: what must hold whatever is done.

#include "base/codes/linkage_codes.h"
#include "base/memory.h"
#include "linkage/linkage.h"
#include "tests/linkage/support.h"

#include <math.h>

// World poses and joint motions at one time.
typedef struct Snapshot {
    SOM_ARRAY(SomLinkId) links;
    SOM_ARRAY(SomPose) poses;
    SOM_ARRAY(SomJointId) joints;
    SOM_ARRAY(SomPose) motions;
} Snapshot;

static void take(Snapshot *s, const SomLinkage *l) {
    s->links.count = s->poses.count = s->joints.count = s->motions.count = 0;
    for (SomLinkId k = som_linkage_next_link(l, (SomLinkId){0}); k.index1 != 0;
         k = som_linkage_next_link(l, k)) {
        som_array_push(&s->links, k);
        som_array_push(&s->poses, som_linkage_pose(l, k));
    }
    for (SomJointId j = som_linkage_next_joint(l, (SomJointId){0}); j.index1 != 0;
         j = som_linkage_next_joint(l, j)) {
        if (!som_linkage_get_joint(l, j).is_root) {
            som_array_push(&s->joints, j);
            som_array_push(&s->motions, som_linkage_motion(l, j));
        }
    }
}

static bool hangs_on(const SomLinkage *l, SomLinkId link, SomLinkId above) {
    while (link.index1 != above.index1) {
        SomJointId joint = som_linkage_get_link(l, link).parent_joint;
        if (joint.index1 == 0) {
            return false;
        }
        link = som_linkage_get_joint(l, joint).parent;
    }
    return true;
}

// The largest change of a link that was not moved, or of a joint's motion. What hangs on `moved`, a
// link or null, goes its own way, and with it joints between that and the rest.
static double change_since(const Snapshot *s, const SomLinkage *l, const TestEdit *edit,
                           SomLinkId moved) {
    double worst = 0;
    for (int i = 0; i < s->links.count; i++) {
        SomLinkId link = s->links.data[i];
        if (som_linkage_has_link(l, link) && link.index1 != edit->reframed.index1 &&
            (moved.index1 == 0 || !hangs_on(l, link, moved)) && !edit->is_world) {
            worst = fmax(worst, test_pose_difference(s->poses.data[i], som_linkage_pose(l, link)));
        }
    }
    for (int i = 0; i < s->joints.count; i++) {
        if (!som_linkage_has_joint(l, s->joints.data[i])) {
            continue;
        }
        SomJointInfo info = som_linkage_get_joint(l, s->joints.data[i]);
        bool is_torn =
            moved.index1 != 0 && hangs_on(l, info.parent, moved) != hangs_on(l, info.child, moved);
        bool is_changed = edit->is_on_purpose && s->joints.data[i].index1 == edit->joint.index1;
        if (!is_torn && !is_changed) {
            SomPose now = som_linkage_motion(l, s->joints.data[i]);
            worst = fmax(worst, test_pose_difference(s->motions.data[i], now));
        }
    }
    return worst;
}

// The link below the joint that was changed, if that may have moved.
static SomLinkId moved_link(const SomLinkage *l, const TestEdit *edit,
                            const SomDiagnostics *diags) {
    SomLinkId none = {0};
    bool may_move = edit->is_on_purpose || som_diagnostics_has(diags, SOM_LINKAGE_MOVED);
    if (!may_move || !edit->is_done || !som_linkage_has_joint(l, edit->joint)) {
        return none;
    }
    SomJointInfo info = som_linkage_get_joint(l, edit->joint);
    return info.is_tree ? info.child : none;
}

static void snapshot_free(Snapshot *s) {
    som_array_free(&s->links);
    som_array_free(&s->poses);
    som_array_free(&s->joints);
    som_array_free(&s->motions);
}

// All joints closures and back: the fully Cartesian model and the reduced one. The first moves
// nothing, the second neither if all closures are shut.
static void close_and_reopen(SomLinkage *l) {
    const TestEdit nothing = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    Snapshot before = {0};
    take(&before, l);
    for (int pass = 0; pass < 2; pass++) {
        for (SomJointId j = som_linkage_next_joint(l, (SomJointId){0}); j.index1 != 0;
             j = som_linkage_next_joint(l, j)) {
            if (som_linkage_get_joint(l, j).is_root) {
                continue;
            }
            if (pass == 0) {
                ck_assert(som_linkage_make_closure(l, j, diags));
            } else {
                som_linkage_make_tree(l, j, diags);
            }
        }
        test_valid(l);
        if (!som_diagnostics_has(diags, SOM_LINKAGE_MOVED)) {
            ck_assert_double_le(change_since(&before, l, &nothing, (SomLinkId){0}), 1e-11);
        }
    }
    snapshot_free(&before);
    som_diagnostics_destroy(diags);
}

typedef struct Tally {
    int done, refused, moved;
} Tally;

static void check_random_edits(uint64_t seed, Tally *tally) {
    SomTestRandom random = {seed};
    SomLinkage *l = test_random_linkage(&random, (int)(seed % 4));
    SomLinkage *start = som_linkage_copy(l);
    uint64_t start_hash = som_linkage_hash(l);
    Snapshot before = {0};
    for (int i = 0; i < 60; i++) {
        SomDiagnostics *diags = som_diagnostics_create();
        take(&before, l);
        uint64_t hash = som_linkage_hash(l);
        SomLinkage *undo = som_linkage_copy(l);
        TestEdit edit = test_random_edit(l, &random, i, diags);
        bool is_refused = som_diagnostics_error_count(diags) > 0;
        tally->done += edit.is_done;
        tally->refused += is_refused;
        tally->moved += som_diagnostics_has(diags, SOM_LINKAGE_MOVED);
        test_valid(l);
        ck_assert(som_linkage_hash(undo) == hash);
        if (is_refused) {
            ck_assert(!edit.is_done);
            ck_assert_msg(som_linkage_hash(l) == hash, "seed %d edit %d", (int)seed, i);
        }
        double change = change_since(&before, l, &edit, moved_link(l, &edit, diags));
        ck_assert_msg(change <= 1e-11, "seed %d edit %d: %g", (int)seed, i, change);
        som_diagnostics_destroy(diags);
        if (i % 20 == 19) { // undo and redo the rest on the copy
            som_linkage_destroy(l);
            l = undo;
        } else {
            som_linkage_destroy(undo);
        }
    }
    close_and_reopen(l);
    ck_assert(som_linkage_hash(start) == start_hash);
    snapshot_free(&before);
    som_linkage_destroy(start);
    som_linkage_destroy(l);
}

START_TEST(random_edits_keep_poses_and_invariants) {
    int count = som_test_count(400, 4000);
    Tally tally = {0};
    for (int seed = 0; seed < count; seed++) {
        check_random_edits((uint64_t)seed, &tally);
    }
    ck_assert_int_gt(tally.done, 30 * count);
    ck_assert_int_gt(tally.refused, 5 * count);
    ck_assert_int_gt(tally.moved, count / 2);
}
END_TEST

// Results follow from the state alone: a copy, of which no pose was ever asked, becomes the same.
START_TEST(edits_do_not_depend_on_what_was_asked_before) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        SomTestRandom random = {seed};
        SomLinkage *l = test_random_linkage(&random, (int)(seed % 4));
        SomDiagnostics *diags = som_diagnostics_create();
        Snapshot asked = {0};
        for (int i = 0; i < 60; i++) {
            SomTestRandom again = random;
            SomLinkage *copy = som_linkage_copy(l);
            if (i % 2 == 0) {
                take(&asked, l);
            }
            test_random_edit(l, &random, i, diags);
            test_random_edit(copy, &again, i, diags);
            ck_assert_msg(som_linkage_hash(l) == som_linkage_hash(copy), "seed %d edit %d",
                          (int)seed, i);
            som_linkage_destroy(copy);
        }
        snapshot_free(&asked);
        som_diagnostics_destroy(diags);
        som_linkage_destroy(l);
    }
}
END_TEST

SOM_SUITE("linkage/linkage_property", random_edits_keep_poses_and_invariants,
          edits_do_not_depend_on_what_was_asked_before)
