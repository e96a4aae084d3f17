// SPDX-License-Identifier: Apache-2.0
// The rule of two links that a joint joins, found part by part over the range of the joint.

#include "verify/joint_range.h"
#include "verify/pairs_internal.h"

#include <math.h>

// Metres between two links on a hinge that are its clearance: what is nearer counts as touching.
#define HINGE_GAP 2e-3

// Pairs of parts that are looked at one by one: of links with more, as meshes that were divided,
// the whole links are looked at.
#define MAX_PARTS 400

// By how much more than at joint value 0 two parts may overlap to count as no deeper than there: a
// tenth of what they overlap by, since models of hinges are not exact.
static double deeper_of(double depth, double flush) {
    return fmax(flush, 0.1 * depth);
}

// The next joint of two links from a number on; NULL if there is none.
static const SomModuleJoint *next_joint(const SomModuleType *type, int a, int b, int *from) {
    while (*from < type->joint_count) {
        const SomModuleJoint *joint = &type->joints[(*from)++];
        if ((joint->parent == a && joint->child == b) ||
            (joint->parent == b && joint->child == a)) {
            return joint;
        }
    }
    return NULL;
}

// A part of one link and a part of the other.
typedef struct JoinedParts {
    SomPairRule rule;
    double depth;   // at home
    double allowed; // overlap, if they are tested
    double tried;   // depth that they are known to exceed, or -1
} JoinedParts;

// Two links that a joint joins.
typedef struct JoinedLinks {
    const SomModuleType *type;
    int link_a, link_b;
    const SomLinkSolid *a, *b;
    bool slides;
    double touch, flush;
    JoinedParts *parts; // of each part of the first, one for each part of the second
    int count;
    int counts[SOM_PAIR_RULES]; // of pairs of parts
} JoinedLinks;

static SomJointOverlap overlap_of(const JoinedLinks *l, const SomLinkSolid *a,
                                  const SomLinkSolid *b, double touch, double deepest) {
    SomJointOverlap overlap = SOM_OVERLAP_LASTS;
    int from = 0;
    for (const SomModuleJoint *joint;
         (joint = next_joint(l->type, l->link_a, l->link_b, &from)) != NULL;) {
        bool is_parent = joint->parent == l->link_a;
        SomJointOverlap one =
            som_joint_overlap(joint, is_parent ? a : b, is_parent ? b : a, touch, deepest);
        overlap = one > overlap ? one : overlap;
    }
    return overlap;
}

// The rule of two parts by themselves. A model of a hinge may overlap there however it is turned,
// and by how much is not known; links that slide only touch.
static JoinedParts classify_parts(const JoinedLinks *l, const SomLinkSolid *a,
                                  const SomLinkSolid *b) {
    SomPose home = som_pose_identity();
    double distance = som_solid_distance(a, &home, b, &home, HINGE_GAP, NULL).distance;
    if (distance > (l->slides ? l->touch : HINGE_GAP)) {
        return (JoinedParts){SOM_PAIR_FREE, 0, l->touch, 0};
    }
    bool is_apart = distance > l->touch, is_flush = !is_apart && distance >= -l->flush;
    double depth = is_apart || is_flush ? 0 : -distance;
    double deepest = is_apart ? l->touch : depth + deeper_of(depth, l->flush);
    // those that do not overlap may be apart elsewhere
    double touch = is_apart || is_flush ? (double)INFINITY : l->touch;
    switch (overlap_of(l, a, b, touch, deepest)) {
    case SOM_OVERLAP_LASTS:
        return (JoinedParts){is_apart ? SOM_PAIR_FREE : SOM_PAIR_JOINED, depth, l->touch, 0};
    case SOM_OVERLAP_ENDS:
        return (JoinedParts){SOM_PAIR_BUILT, depth, deepest, 0};
    case SOM_OVERLAP_UNPROVEN:
        break;
    }
    return (JoinedParts){is_flush && l->slides ? SOM_PAIR_FLUSH : SOM_PAIR_HINGED, depth, l->flush,
                         0};
}

static bool is_at_joint(SomPairRule rule) {
    return rule == SOM_PAIR_HINGED || rule == SOM_PAIR_JOINED;
}

// How deep at home a part that touches the first of two, in its link, is in the second at the
// joint; -1: there is none.
static double depth_beside(const JoinedLinks *l, int part_a, int part_b) {
    SomPose home = som_pose_identity();
    double depth = -1;
    int width = l->b->part_count;
    for (int i = 0; i < l->count; i++) {
        bool is_b = i / width == part_a, is_a = i % width == part_b;
        if (!is_at_joint(l->parts[i].rule) || is_a == is_b || l->parts[i].depth <= depth) {
            continue;
        }
        const SomLinkSolid *link = is_a ? l->a : l->b;
        SomLinkSolid own = som_solid_part(link, is_a ? part_a : part_b);
        SomLinkSolid other = som_solid_part(link, is_a ? i / width : i % width);
        double gap = som_solid_distance(&own, &home, &other, &home, l->touch, NULL).distance;
        depth = gap <= l->touch ? l->parts[i].depth : depth;
    }
    return depth;
}

static SomJointOverlap overlap_of_parts(const JoinedLinks *l, int i, double deepest) {
    SomLinkSolid a = som_solid_part(l->a, i / l->b->part_count);
    SomLinkSolid b = som_solid_part(l->b, i % l->b->part_count);
    return overlap_of(l, &a, &b, (double)INFINITY, deepest);
}

// Of parts that are apart at home, those that never touch need no test.
static void find_apart(JoinedLinks *l) {
    for (int i = 0; i < l->count; i++) {
        JoinedParts *parts = &l->parts[i];
        if (parts->rule == SOM_PAIR_FREE && overlap_of_parts(l, i, l->touch) == SOM_OVERLAP_LASTS) {
            parts->rule = SOM_PAIR_JOINED;
            parts->depth = -1;
        }
    }
}

// Of parts that are apart at home, those beside parts at the joint, and beside those; parts at the
// joint get the depth of what is beside them. Whether anything changed.
static bool find_beside(JoinedLinks *l) {
    bool is_more = false;
    for (int i = 0; i < l->count; i++) {
        JoinedParts *parts = &l->parts[i];
        if (parts->rule != SOM_PAIR_FREE && parts->rule != SOM_PAIR_HINGED) {
            continue;
        }
        double depth = depth_beside(l, i / l->b->part_count, i % l->b->part_count);
        double known = parts->rule == SOM_PAIR_HINGED ? parts->depth : -1;
        if (depth <= fmax(parts->tried, known)) {
            continue;
        }
        parts->tried = depth;
        if (overlap_of_parts(l, i, depth + deeper_of(depth, l->flush)) == SOM_OVERLAP_LASTS) {
            parts->rule = SOM_PAIR_HINGED;
            parts->depth = depth;
            is_more = true;
        }
    }
    return is_more;
}

static void classify_joined(JoinedLinks *l) {
    int width = l->b->part_count, at_joint = 0;
    for (int i = 0; i < l->count; i++) {
        SomLinkSolid a = som_solid_part(l->a, i / width), b = som_solid_part(l->b, i % width);
        l->parts[i] = classify_parts(l, &a, &b);
        l->parts[i].tried = -1;
        at_joint += is_at_joint(l->parts[i].rule);
    }
    for (int i = 0; i < l->count && at_joint > 0; i++) {
        // others are at the joint for good: these are pieces of the same overlap
        bool is_piece = l->parts[i].rule == SOM_PAIR_BUILT;
        l->parts[i].rule = is_piece ? SOM_PAIR_HINGED : l->parts[i].rule;
    }
    if (at_joint > 0) {
        find_apart(l);
        while (find_beside(l)) {
        }
    }
    for (int i = 0; i < l->count; i++) {
        l->counts[l->parts[i].rule]++;
    }
}

// By how many pairs of parts have each rule.
static SomPairRule rule_of_joined(const JoinedLinks *l) {
    const int *counts = l->counts;
    bool has_hinge = counts[SOM_PAIR_HINGED] > 0;
    int left = counts[SOM_PAIR_FREE] + counts[SOM_PAIR_FLUSH];
    left += has_hinge ? 0 : counts[SOM_PAIR_BUILT]; // else a part of the hinge, too
    if (left == 0) {
        return has_hinge ? SOM_PAIR_HINGED : SOM_PAIR_JOINED;
    }
    return has_hinge                     ? SOM_PAIR_PARTS_HINGED
           : counts[SOM_PAIR_BUILT] > 0  ? SOM_PAIR_BUILT
           : counts[SOM_PAIR_JOINED] > 0 ? SOM_PAIR_PARTS_JOINED
           : counts[SOM_PAIR_FLUSH] > 0  ? SOM_PAIR_FLUSH
                                         : SOM_PAIR_FREE;
}

// The depth of whole links hides that of single parts: the claim has to name them.
static void add_whole(SomPairMaker *q, const JoinedLinks *l) {
    JoinedParts whole = classify_parts(l, l->a, l->b);
    SomPairRule rule = whole.rule == SOM_PAIR_JOINED ? SOM_PAIR_HINGED : whole.rule;
    if (rule != SOM_PAIR_FREE) {
        SomPairEntry entry = {l->link_a, l->link_b, rule, whole.allowed, NULL};
        som_array_push(&q->entries, entry);
    }
}

// Adds the rule of two links that a joint joins. Those that are apart at home have none.
static void add_joined(SomPairMaker *q, JoinedLinks *l) {
    l->count = l->a->part_count * l->b->part_count;
    if (l->count > MAX_PARTS) {
        add_whole(q, l);
        return;
    }
    l->parts = som_alloc(sizeof *l->parts * (size_t)l->count);
    classify_joined(l);
    SomPairEntry entry = {.link_a = l->link_a, .link_b = l->link_b, .rule = rule_of_joined(l)};
    if (entry.rule != SOM_PAIR_FREE) {
        bool *except = som_arena_new(&q->p->arena, bool, l->count);
        for (int i = 0; i < l->count; i++) {
            bool is_hinge = l->parts[i].rule == SOM_PAIR_BUILT && entry.rule != SOM_PAIR_BUILT;
            except[i] = is_at_joint(l->parts[i].rule) || is_hinge;
            entry.allowed = fmax(entry.allowed, except[i] ? 0 : l->parts[i].allowed);
        }
        entry.except = som_pair_is_tested(entry.rule) ? except : NULL;
        som_array_push(&q->entries, entry);
    }
    som_free(l->parts);
}

bool som_pairs_add_joined(SomPairMaker *q, const SomTypeLinks *t, int link_a, int link_b) {
    int from = 0;
    const SomModuleJoint *joint = next_joint(t->type, link_a, link_b, &from);
    if (joint == NULL) {
        return false;
    }
    const SomLinkSolid *a = &t->solids[link_a], *b = &t->solids[link_b];
    JoinedLinks links = {.type = t->type,
                         .link_a = link_a,
                         .link_b = link_b,
                         .a = a,
                         .b = b,
                         .slides = joint->type == SOM_JOINT_PRISMATIC,
                         .touch = som_pair_touch(a, b),
                         .flush = som_pair_flush(a, b)};
    add_joined(q, &links);
    return true;
}
