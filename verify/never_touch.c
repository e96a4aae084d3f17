// SPDX-License-Identifier: Apache-2.0
#include "verify/never_touch.h"

#include "base/memory.h"
#include "space/trigonometry.h"
#include "verify/motion_tree.h"
#include "verify/pairs.h"

// Distances that are measured at most, for a pair and in all; those of many parts or along many
// joints count more.
#define MOST_OF_PAIR 4000
#define MOST_IN_ALL 250000

// Of joints that slide without a limit: nothing is proven of them.
#define FARTHEST 1e6

typedef struct Prover {
    const SomMechanism *m;
    const SomPairs *pairs;
    const SomMotionTree *tree;
    double *low, *high; // of each DoF
    int *children, *first_child;
    long work;
    SOM_ARRAY(double) boxes; // that are left of a pair: middles, then halves
    SOM_ARRAY(SomMechanismPair) proven;
} Prover;

// ---- values

static void widen(double *low, double *high, double value) {
    *low = value < *low ? value : *low;
    *high = value > *high ? value : *high;
}

static void find_ranges(Prover *q, const SomPosture *posture) {
    for (int i = 0; i < q->m->dof_count; i++) {
        const SomModuleJoint *joint = q->m->joints[i].joint;
        double low = joint->low, high = joint->high;
        widen(&low, &high, q->m->configuration->start[i]);
        if (posture != NULL) {
            widen(&low, &high, posture->values[i]);
        }
        bool slides = joint->type == SOM_JOINT_PRISMATIC;
        double most = slides ? FARTHEST : SOM_PI;
        if (!slides && !(high - low < 2 * SOM_PI)) { // all the way round
            low = -SOM_PI;
            high = SOM_PI;
        }
        q->low[i] = slides && low < -most ? -most : low;
        q->high[i] = slides && high > most ? most : high;
    }
}

// ---- a pair

// How far a joint can move things that are as far as its arm, on the way from the middle of a box
// to its side: along a chord of at most two arms.
static double way_of(const SomMotionJoint *joint, double arm, double half) {
    return arm * (joint->slides || half < 2 ? half : 2);
}

// Takes the last box; false if the links touch in the middle of it.
static bool look_at_box(Prover *q, const SomMotionPath *path, SomDistanceCache *cache) {
    int n = path->count, widest = -1;
    double box[2 * SOM_NEVER_MOST_JOINTS + 1], need = 0, most = 0;
    q->boxes.count -= 2 * n;
    for (int i = 0; i < 2 * n; i++) {
        box[i] = q->boxes.data[q->boxes.count + i];
    }
    for (int i = 0; i < n; i++) {
        double way = way_of(&q->tree->joints[path->joints[i]], path->arms[i], box[n + i]);
        need += way;
        widest = way > most ? i : widest;
        most = way > most ? way : most;
    }
    SomPose pose_a, pose_b;
    const SomLinkSolid *a = q->pairs->solids[path->link_a], *b = q->pairs->solids[path->link_b];
    double margin = SOM_NEVER_MARGIN * (1 + a->ball.radius + b->ball.radius + need);
    som_motion_poses(q->tree, path, box, &pose_a, &pose_b, NULL);
    double distance = som_solid_distance(a, &pose_a, b, &pose_b, need + margin, cache).distance;
    q->work += 1 + n / 4 + a->part_count * b->part_count / 16;
    if (distance > need + margin) {
        return true;
    }
    if (distance <= margin || widest < 0) {
        return false;
    }
    box[n + widest] *= 0.5;
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < 2 * n; i++) {
            double moved = i == widest ? side * box[n + widest] : 0;
            som_array_push(&q->boxes, box[i] + moved);
        }
    }
    return true;
}

static void look_at_pair(Prover *q, int link_a, int link_b) {
    int joints[SOM_NEVER_MOST_JOINTS + 1];
    double arms[SOM_NEVER_MOST_JOINTS + 1];
    SomMotionPath path;
    SomDistanceCache cache = {0};
    som_motion_path(q->tree, link_a, link_b, joints, arms, &path);
    q->boxes.count = 0;
    for (int half = 0; half < 2; half++) {
        for (int i = 0; i < path.count; i++) {
            int dof = q->tree->dofs[joints[i]];
            double low = q->low[dof], high = q->high[dof];
            if (high - low > FARTHEST) {
                return;
            }
            som_array_push(&q->boxes, 0.5 * (half ? high - low : low + high));
        }
    }
    long end = q->work + MOST_OF_PAIR;
    bool is_apart = path.count > 0 || look_at_box(q, &path, &cache);
    while (is_apart && q->boxes.count > 0) {
        is_apart = q->work < end && look_at_box(q, &path, &cache);
    }
    if (is_apart) {
        SomMechanismPair pair = {link_a, link_b};
        som_array_push(&q->proven, pair);
    }
}

// ---- all pairs

static void find_children(Prover *q) {
    const SomMechanism *m = q->m;
    q->first_child = som_alloc(sizeof *q->first_child * ((size_t)m->link_count + 2));
    q->children = som_alloc(sizeof *q->children * ((size_t)m->link_count + 1));
    for (int i = 0; i < m->link_count; i++) {
        q->first_child[m->links[i].parent + 2]++; // of the roots, before all others
    }
    for (int i = 1; i <= m->link_count + 1; i++) {
        q->first_child[i] += q->first_child[i - 1];
    }
    int *filled = som_alloc(sizeof *filled * ((size_t)m->link_count + 1));
    for (int i = 0; i < m->link_count; i++) {
        int slot = m->links[i].parent + 1;
        q->children[q->first_child[slot] + filled[slot]++] = i;
    }
    som_free(filled);
}

// Whether a link moves against its parent.
static bool is_moved(const Prover *q, int link) {
    int dof = q->m->links[link].dof;
    return dof >= 0 && q->high[dof] > q->low[dof];
}

static bool wants_proof(const Prover *q, int link_a, int link_b) {
    SomPairRule rule = som_pairs_rule(q->pairs, link_a, link_b, NULL);
    return (som_pair_is_tested(rule) && rule != SOM_PAIR_DOCKED) || rule == SOM_PAIR_RIGID;
}

// From a link on, its neighbours in the tree with so many joints between, but for those it came
// from.
typedef struct Step {
    int link, from, joints;
} Step;

typedef SOM_ARRAY(Step) Steps;

static void add_step(const Prover *q, Steps *steps, Step at, int to, int edge, int most) {
    Step next = {to, at.link, at.joints + is_moved(q, edge)};
    if (to != at.from && next.joints <= most) {
        som_array_push(steps, next);
    }
}

static void look_from(Prover *q, int link, int joints, Steps *steps) {
    const SomMechanism *m = q->m;
    Step first = {link, -1, 0};
    som_array_push(steps, first);
    while (steps->count > 0) {
        Step at = steps->data[--steps->count];
        bool is_pair = at.joints == joints && at.link > link && wants_proof(q, link, at.link);
        if (is_pair && q->work < MOST_IN_ALL) {
            look_at_pair(q, link, at.link);
        }
        if (m->links[at.link].parent >= 0) {
            add_step(q, steps, at, m->links[at.link].parent, at.link, joints);
        }
        for (int i = q->first_child[at.link + 1]; i < q->first_child[at.link + 2]; i++) {
            add_step(q, steps, at, q->children[i], q->children[i], joints);
        }
    }
}

static void look_at_all(Prover *q) {
    Steps steps = {0};
    find_children(q);
    for (int joints = 0; joints <= SOM_NEVER_MOST_JOINTS; joints++) {
        for (int i = 0; i < q->m->link_count && q->work < MOST_IN_ALL; i++) {
            look_from(q, i, joints, &steps);
        }
    }
    som_array_free(&steps);
    som_free(q->children);
    som_free(q->first_child);
}

int som_never_touch(const SomMechanism *m, const SomPosture *posture, SomArena *arena,
                    const SomMechanismPair **pairs) {
    // two samples: all joints at their lowest values, and all at their highest
    size_t dofs = (size_t)m->dof_count;
    double *values = som_alloc(sizeof *values * (2 * dofs + 1));
    SomPairs *rules = som_pairs_create(m);
    Prover q = {.m = m, .pairs = rules, .low = values, .high = values + dofs};
    find_ranges(&q, posture);
    SomMotion motion = {.values = values, .sample_count = 2, .dof_count = m->dof_count};
    SomMotionTree *tree = som_motion_tree_create(m, rules->solids, &motion);
    q.tree = tree;
    look_at_all(&q);
    SomMechanismPair *kept = som_arena_new(arena, SomMechanismPair, q.proven.count + 1);
    for (int i = 0; i < q.proven.count; i++) {
        kept[i] = q.proven.data[i];
    }
    *pairs = kept;
    int count = q.proven.count;
    som_array_free(&q.proven);
    som_array_free(&q.boxes);
    som_motion_tree_destroy(tree);
    som_pairs_destroy(rules);
    som_free(values);
    return count;
}
