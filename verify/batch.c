// SPDX-License-Identifier: Apache-2.0

#include "verify/batch.h"

#include "verify/batch_internal.h"
#include "verify/pairs.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

// ---- bodies

// Right angles are seen to 1e-15, which is less than rounding has room for.
static SomAlignment align(SomMat3 rotation) {
    SomAlignment a = {.rotation = rotation, .is_aligned = true};
    for (int k = 0; k < 3; k++) {
        int ones = 0, zeros = 0;
        for (int i = 0; i < 3; i++) {
            double entry = rotation.m[i][k];
            zeros += fabs(entry) < 1e-15;
            if (fabs(fabs(entry) - 1) < 1e-15) {
                a.columns[k] = i;
                a.signs[k] = entry > 0 ? 1 : -1;
                ones++;
            }
        }
        a.is_aligned = a.is_aligned && ones == 1 && zeros == 2;
    }
    return a;
}

// Links that no joint moves against their parent are of its body.
static void add_bodies(SomBatch *batch) {
    const SomMechanism *m = batch->mechanism;
    double *reach = som_arena_new(&batch->arena, double, m->link_count + 1); // of each body
    int *depth = som_arena_new(&batch->arena, int, m->link_count + 1);
    int deepest = 0;
    for (int i = 0; i < m->link_count; i++) {
        int at = m->order[i];
        const SomMechanismLink *link = &m->links[at];
        SomPose *in_body = &batch->link_in_body[at];
        if (link->parent >= 0 && link->dof < 0) {
            batch->body_of_link[at] = batch->body_of_link[link->parent];
            const SomPose *parent = &batch->link_in_body[link->parent];
            *in_body = link->connection >= 0 ? som_pose_compose(*parent, link->frame) : *parent;
            continue;
        }
        int k = batch->body_of_link[at] = batch->body_count++;
        SomBody *body = &batch->bodies[k];
        if (link->parent < 0) {
            *body = (SomBody){.parent = -1, .dof = -1, .root = i == 0 ? m->base : link->frame};
            *in_body = som_pose_identity();
            reach[k] = som_vec3_length(body->root.position);
            batch->reach = fmax(batch->reach, reach[k]);
            continue;
        }
        int parent = batch->body_of_link[link->parent];
        SomPose frame = som_pose_compose(batch->link_in_body[link->parent], link->frame);
        *body = (SomBody){.parent = parent,
                          .dof = link->dof,
                          .is_sliding = link->type == SOM_JOINT_PRISMATIC,
                          .sign = link->sign,
                          .turn = align(frame.rotation),
                          .origin = frame.position};
        *in_body = som_pose_invert(link->frame);
        reach[k] = reach[parent] + som_vec3_length(body->origin);
        batch->reach = fmax(batch->reach, reach[k]);
        depth[k] = depth[parent] + 1;
        deepest = deepest > depth[k] ? deepest : depth[k];
    }
    for (int i = 0; i < m->link_count; i++) {
        SomBody *body = &batch->bodies[batch->body_of_link[i]];
        const SomInertia *inertia = &m->links[i].link->inertia;
        SomVec3 center = som_pose_apply(batch->link_in_body[i], inertia->center);
        double mass = m->links[i].is_loose ? 0 : inertia->mass;
        body->mass += mass;
        body->moment = som_vec3_add(body->moment, som_vec3_scale(mass, center));
    }
    // entries of a rotation are off by 8 half units of the last place after each joint
    batch->rounding = (deepest + 4) * 64 * DBL_EPSILON;
}

// ---- solids

static float round_up(double x) {
    return (float)(x * (1 + 0x1p-23));
}

static void add_hull(SomBatch *batch, SomSolid *solid, const SomHull *hull) {
    SomBounds bounds = som_shape_bounds(solid->shape, som_pose_identity());
    SomVec3 half = som_vec3_scale(0.5, som_vec3_sub(bounds.high, bounds.low));
    solid->center = som_vec3_scale(0.5, som_vec3_add(bounds.low, bounds.high));
    solid->half[0] = round_up(half.x);
    solid->half[1] = round_up(half.y);
    solid->half[2] = round_up(half.z);
    solid->thin = fminf(solid->half[0], fminf(solid->half[1], solid->half[2]));
    double radius = 0;
    for (int i = 0; i < hull->vertex_count; i++) {
        SomVec3 v = som_vec3_sub(hull->vertices[i], solid->center);
        radius = fmax(radius, som_vec3_length(v));
    }
    solid->radius = round_up(radius);
    if (hull->vertex_count > SOM_BATCH_HULL || hull->plane_count > SOM_BATCH_HULL) {
        solid->kind = SOM_SHAPE_BOX;
        solid->radius = round_up(som_vec3_length(half));
        return;
    }
    float *vertices = som_arena_new(&batch->arena, float, 3 * hull->vertex_count);
    float *planes = som_arena_new(&batch->arena, float, 4 * hull->plane_count);
    for (int i = 0; i < hull->vertex_count; i++) {
        SomVec3 v = som_vec3_sub(hull->vertices[i], solid->center);
        vertices[3 * i] = (float)v.x;
        vertices[3 * i + 1] = (float)v.y;
        vertices[3 * i + 2] = (float)v.z;
    }
    for (int i = 0; i < hull->plane_count; i++) {
        const SomPlane *plane = &hull->planes[i];
        planes[4 * i] = (float)plane->normal.x;
        planes[4 * i + 1] = (float)plane->normal.y;
        planes[4 * i + 2] = (float)plane->normal.z;
        planes[4 * i + 3] = (float)(plane->offset - som_vec3_dot(plane->normal, solid->center));
    }
    solid->vertices = vertices;
    solid->planes = planes;
    solid->vertex_count = hull->vertex_count;
    solid->plane_count = hull->plane_count;
}

static void measure_solid(SomBatch *batch, SomSolid *solid) {
    const SomShape *s = solid->shape;
    float r = round_up(s->radius), length = round_up(s->half_length);
    solid->kind = s->kind;
    solid->radius = round_up(som_shape_ball(s).radius);
    switch (s->kind) {
    case SOM_SHAPE_BOX:
        solid->half[0] = round_up(s->half.x);
        solid->half[1] = round_up(s->half.y);
        solid->half[2] = round_up(s->half.z);
        solid->thin = fminf(solid->half[0], fminf(solid->half[1], solid->half[2]));
        return;
    case SOM_SHAPE_HULL:
        add_hull(batch, solid, s->hull);
        return;
    case SOM_SHAPE_CYLINDER:
    case SOM_SHAPE_SPHERE:
    case SOM_SHAPE_CAPSULE:
    case SOM_SHAPE_COMPOUND: // parts of links are none
        break;
    }
    solid->half[0] = solid->half[1] = r;
    solid->half[2] = length;
    solid->thin = s->kind == SOM_SHAPE_CYLINDER ? fminf(r, length) : r;
}

static void add_solids(SomBatch *batch) {
    const SomMechanism *m = batch->mechanism;
    for (int at = 0; at < m->link_count; at++) {
        const SomModuleLink *link = m->links[at].link;
        for (int i = 0; i < link->part_count; i++) {
            SomSolid *solid = &batch->solids[batch->solid_count++];
            solid->shape = &link->parts[i].shape;
            solid->link = at;
            solid->part = i;
            solid->body = batch->body_of_link[at];
            solid->shape_pose = som_pose_compose(batch->link_in_body[at], link->parts[i].pose);
            measure_solid(batch, solid);
            solid->pose = solid->shape_pose;
            solid->pose.position = som_pose_apply(solid->shape_pose, solid->center);
            solid->turn = align(solid->pose.rotation);
            solid->origin = solid->pose.position;
        }
        batch->first_solid[m->links[at].module + 1] = batch->solid_count;
        if (link->part_count == 0 && link->hull_count > 0) {
            batch->flat_links[batch->flat_count++] = at;
        }
    }
    double farthest = 0;
    for (int i = 0; i < batch->solid_count; i++) {
        farthest = fmax(farthest, som_vec3_length(batch->solids[i].pose.position));
    }
    batch->reach += farthest;
}

// ---- making one

// Zeroed and aligned for vectors.
static void *new_aligned(SomBatch *batch, int count, size_t size) {
    char *memory = som_arena_alloc(&batch->arena, (size_t)count * size + SOM_BATCH_ALIGN, 1);
    return memory + (SOM_BATCH_ALIGN - (uintptr_t)memory % SOM_BATCH_ALIGN);
}

SomBatch *som_batch_create(const SomMechanism *mechanism, const SomPairs *pairs) {
    SomBatch *batch = som_alloc(sizeof *batch);
    SomArena *arena = &batch->arena;
    int links = mechanism->link_count, solids = 0;
    batch->mechanism = mechanism;
    batch->pairs = pairs;
    batch->module_count = mechanism->configuration->module_count;
    for (int i = 0; i < links; i++) {
        solids += mechanism->links[i].link->part_count;
    }
    batch->bodies = som_arena_new(arena, SomBody, links);
    batch->link_in_body = som_arena_new(arena, SomPose, links);
    batch->body_of_link = som_arena_new(arena, int, links);
    batch->solids = som_arena_new(arena, SomSolid, solids);
    batch->flat_links = som_arena_new(arena, int, links);
    batch->first_solid = som_arena_new(arena, int, batch->module_count + 1);
    add_bodies(batch);
    add_solids(batch);
    batch->places = new_aligned(batch, batch->body_count, sizeof *batch->places);
    batch->lanes = new_aligned(batch, solids, sizeof *batch->lanes);
    batch->boxes = new_aligned(batch, solids, sizeof *batch->boxes);
    batch->com = new_aligned(batch, 3, sizeof *batch->com);
    batch->lowest = new_aligned(batch, solids, sizeof *batch->lowest * SOM_BATCH);
    batch->stand = som_batch_stand_create();
    batch->broken = som_arena_new(arena, uint8_t, solids);
    batch->grown = new_aligned(batch, solids, sizeof *batch->grown);
    batch->module_boxes = new_aligned(batch, batch->module_count, sizeof *batch->module_boxes);
    batch->module_ends = som_arena_new(arena, float, 2 * batch->module_count);
    batch->touched = som_arena_new(arena, int, solids);
    batch->count_of_link = som_arena_new(arena, int, links + 1);
    batch->order = som_arena_new(arena, int, batch->module_count);
    batch->spare_order = som_arena_new(arena, int, batch->module_count);
    for (int i = 0; i < batch->module_count; i++) {
        batch->order[i] = i;
    }
    som_batch_use_path(batch,
                       som_batch_has_path(SOM_BATCH_AVX2) ? SOM_BATCH_AVX2 : SOM_BATCH_BASELINE);
    return batch;
}

void som_batch_destroy(SomBatch *batch) {
    if (batch == NULL) {
        return;
    }
    som_batch_stand_destroy(batch->stand);
    som_free(batch->hash);
    som_array_free(&batch->module_pairs);
    som_array_free(&batch->slots);
    som_array_free(&batch->memories);
    som_array_free(&batch->found);
    som_array_free(&batch->sorted);
    som_array_free(&batch->hits);
    som_array_free(&batch->measured);
    som_array_free(&batch->clearances);
    som_arena_free(&batch->arena);
    som_free(batch);
}

bool som_batch_has_path(SomBatchPath path) {
#ifdef SOM_HAVE_AVX2
    return path == SOM_BATCH_BASELINE || __builtin_cpu_supports("avx2");
#else
    return path == SOM_BATCH_BASELINE;
#endif
}

void som_batch_use_path(SomBatch *batch, SomBatchPath path) {
    assert(som_batch_has_path(path));
    batch->kernel = (SomBatchKernel){som_batch_place_baseline,  som_batch_weigh_baseline,
                                     som_batch_lowest_baseline, som_batch_sweep_baseline,
                                     som_batch_look_baseline,   som_batch_measure_baseline};
#ifdef SOM_HAVE_AVX2
    if (path == SOM_BATCH_AVX2) {
        batch->kernel =
            (SomBatchKernel){som_batch_place_avx2, som_batch_weigh_avx2, som_batch_lowest_avx2,
                             som_batch_sweep_avx2, som_batch_look_avx2,  som_batch_measure_avx2};
    }
#endif
}

// ---- places

void som_batch_place(SomBatch *batch, const double *values) {
    batch->has_com = false;
    batch->kernel.place(batch, values);
}

static SomPose body_pose(const SomBatch *batch, int body, int lane) {
    const SomBodyLanes *place = &batch->places[body];
    SomPose pose;
    for (int i = 0; i < 9; i++) {
        pose.rotation.m[i / 3][i % 3] = place->rotation[i][lane];
    }
    pose.position =
        som_vec3(place->position[0][lane], place->position[1][lane], place->position[2][lane]);
    return pose;
}

SomPose som_batch_pose(const SomBatch *batch, int link, int lane) {
    assert(0 <= lane && lane < SOM_BATCH);
    return som_pose_compose(body_pose(batch, batch->body_of_link[link], lane),
                            batch->link_in_body[link]);
}

SomVec3 som_batch_com(SomBatch *batch, int lane) {
    if (!batch->has_com) {
        batch->kernel.weigh(batch);
        batch->has_com = true;
    }
    return som_vec3(batch->com[0][lane], batch->com[1][lane], batch->com[2][lane]);
}

// ---- answers by links

static void add_found(SomBatch *batch, int a, int b, int index) {
    int link_a = batch->solids[a].link, link_b = batch->solids[b].link;
    SomLinkPair pair = {link_a < link_b ? link_a : link_b, link_a < link_b ? link_b : link_a,
                        index};
    som_array_push(&batch->found, pair);
}

// One pass of a counting sort, which leaves equal ones in their order.
static void sort_by_link(SomBatch *batch, const SomLinkPair *from, int count, bool by_b,
                         SomLinkPair *to) {
    int *end = batch->count_of_link;
    memset(end, 0, sizeof *end * ((size_t)batch->mechanism->link_count + 1));
    for (int i = 0; i < count; i++) {
        end[(by_b ? from[i].link_b : from[i].link_a) + 1]++;
    }
    for (int i = 0; i < batch->mechanism->link_count; i++) {
        end[i + 1] += end[i];
    }
    for (int i = 0; i < count; i++) {
        to[end[by_b ? from[i].link_b : from[i].link_a]++] = from[i];
    }
}

// By link_a, then link_b: heaps have thousands of each.
static void sort_found(SomBatch *batch) {
    int count = batch->found.count;
    som_array_reserve(&batch->sorted, count);
    if (count > 0) {
        sort_by_link(batch, batch->found.data, count, true, batch->sorted.data);
        memcpy(batch->found.data, batch->sorted.data, sizeof *batch->found.data * (size_t)count);
        sort_by_link(batch, batch->found.data, count, false, batch->sorted.data);
    }
    batch->sorted.count = count;
}

bool som_batch_is_cut(const SomBatch *batch) {
    return batch->found.count >= batch->most_found;
}

long som_batch_looked(const SomBatch *batch) {
    return batch->looked;
}

static bool is_same(const SomLinkPair *a, const SomLinkPair *b) {
    return a->link_a == b->link_a && a->link_b == b->link_b;
}

// ---- which are not apart

static bool is_child(const SomMechanism *m, int child, int parent) {
    return m->links[child].parent == parent;
}

static bool is_tested_by_rule(const SomPairs *pairs, const SomSolid *a, const SomSolid *b,
                              double *allowed) {
    return som_pair_is_tested(som_pairs_rule(pairs, a->link, b->link, allowed)) &&
           !som_part_pair_is_in(som_pairs_except(pairs, a->link, b->link), pairs->solids[b->link],
                                a->part, b->part);
}

bool som_batch_is_tested(const SomBatch *batch, const SomSolid *solid_a, const SomSolid *solid_b,
                         double *allowed) {
    int a = solid_a->link, b = solid_b->link;
    *allowed = 0;
    if (a >= b) {
        return false;
    }
    if (batch->pairs != NULL) {
        return is_tested_by_rule(batch->pairs, solid_a, solid_b, allowed);
    }
    const SomMechanism *m = batch->mechanism;
    bool is_tested = batch->body_of_link[a] != batch->body_of_link[b] && !is_child(m, a, b) &&
                     !is_child(m, b, a);
    for (int i = 0; is_tested && i < m->closure_count; i++) {
        const SomMechanismClosure *k = &m->closures[i];
        is_tested = !(k->link_a == a && k->link_b == b) && !(k->link_a == b && k->link_b == a);
    }
    return is_tested;
}

typedef struct Search {
    double margin;
    const double *slack;
    bool settle;
} Search;

static SomPose solid_pose(const SomBatch *batch, const SomSolid *solid, int lane) {
    return som_pose_compose(body_pose(batch, solid->body, lane), solid->shape_pose);
}

// Next time it is tried first.
static void remember_axis(SomPairMemory *memory, const SomSolid *solid, SomVec3 axis) {
    double length = som_vec3_length(axis);
    if (length > 0 && length < (double)INFINITY) {
        axis = som_vec3_scale(1 / length, axis);
        SomVec3 far = som_vec3_sub(som_shape_support(solid->shape, axis), solid->center);
        memory->axis[0] = (float)axis.x;
        memory->axis[1] = (float)axis.y;
        memory->axis[2] = (float)axis.z;
        memory->reach = (float)som_vec3_dot(far, axis);
        memory->is_in_b = 0;
        memory->has_axis = 1;
    }
}

// Whether the exact shapes are not farther apart than the margin in a lane. Nothing of the past is
// used, so that the answer does not depend on it.
static bool settle_lane(const SomBatch *batch, const SomPairQuery *q, int lane) {
    SomPose pose_a = solid_pose(batch, q->a, lane), pose_b = solid_pose(batch, q->b, lane);
    if (q->margin == 0) {
        SomDistanceCache cache = {.part_a = 0};
        bool is_hit = som_shape_touch(q->a->shape, pose_a, q->b->shape, pose_b, &cache);
        if (!is_hit) {
            remember_axis(q->memory, q->a, cache.axis);
        }
        return is_hit;
    }
    SomDistance gap =
        som_shape_distance_within(q->a->shape, pose_a, q->b->shape, pose_b, q->margin, NULL);
    if (gap.distance > q->margin) {
        remember_axis(q->memory, q->a, som_pose_rotate_inverse(pose_a, gap.normal));
    }
    return !(gap.distance > q->margin);
}

static SomPairQuery query_of(const SomBatch *batch, int a, int b, uint32_t lanes,
                             SomPairMemory *memory, double margin) {
    return (SomPairQuery){.a = &batch->solids[a],
                          .b = &batch->solids[b],
                          .lanes_a = &batch->lanes[a],
                          .lanes_b = &batch->lanes[b],
                          .memory = memory,
                          .margin = margin - memory->allowed,
                          .place_error = batch->place_error,
                          .lanes = lanes};
}

static void find_visit(SomBatch *batch, const void *search, int a, int b, uint32_t lanes,
                       SomPairMemory *memory) {
    const Search *s = search;
    SomPairQuery q = query_of(batch, a, b, lanes, memory, s->margin);
    if (s->slack != NULL) {
        q.margin += s->slack[q.a->link] + s->slack[q.b->link];
    }
    SomPairAnswer answer = batch->kernel.look(&q);
    uint32_t broken = batch->broken[a] | batch->broken[b];
    uint32_t hits = 0xFF & ~(answer.apart & ~broken), open = hits & ~(answer.close | broken);
    for (int lane = 0; s->settle && open != 0; lane++, open >>= 1) {
        if ((open & 1) != 0 && !settle_lane(batch, &q, lane)) {
            hits &= ~(1u << lane);
        }
    }
    if (hits != 0) {
        add_found(batch, a, b, (int)hits);
    }
}

int som_batch_find(SomBatch *batch, double margin, const double *slack, bool settle,
                   const SomBatchHit **hits) {
    Search search = {margin, slack, settle};
    batch->found.count = batch->hits.count = 0;
    batch->most_found = SOM_BATCH_MOST_HITS;
    batch->kernel.sweep(batch, margin, slack, find_visit, &search);
    sort_found(batch);
    for (int i = 0; i < batch->sorted.count; i++) {
        const SomLinkPair *pair = &batch->sorted.data[i];
        if (i > 0 && is_same(pair, pair - 1)) {
            batch->hits.data[batch->hits.count - 1].lanes |= (uint8_t)pair->index;
        } else {
            som_array_push(&batch->hits,
                           ((SomBatchHit){pair->link_a, pair->link_b, (uint8_t)pair->index}));
        }
    }
    *hits = batch->hits.data;
    return batch->hits.count;
}

// ---- how near they are

static void measure_visit(SomBatch *batch, const void *limit, int a, int b, uint32_t lanes,
                          SomPairMemory *memory) {
    SomBatchClearance c = {0, 0, {0}};
    SomPairQuery q = query_of(batch, a, b, lanes, memory, *(const double *)limit + memory->allowed);
    SomPairAnswer answer = batch->kernel.measure(&q, c.distance);
    uint32_t broken = batch->broken[a] | batch->broken[b];
    if ((answer.apart & ~broken) == 0xFF) {
        return;
    }
    for (int lane = 0; lane < SOM_BATCH; lane++) {
        if (broken >> lane & 1) {
            c.distance[lane] = (double)NAN;
        } else if (!((answer.apart | answer.close) >> lane & 1)) {
            SomDistance gap =
                som_shape_distance_within(q.a->shape, solid_pose(batch, q.a, lane), q.b->shape,
                                          solid_pose(batch, q.b, lane), q.margin, NULL);
            c.distance[lane] = fmax(gap.distance, 0);
        }
    }
    som_array_push(&batch->measured, c);
    add_found(batch, a, b, batch->measured.count - 1);
}

// The smaller distance of each lane, NaN before all others.
static void join_clearance(SomBatchClearance *to, const SomBatchClearance *other) {
    for (int lane = 0; lane < SOM_BATCH; lane++) {
        if (!(to->distance[lane] <= other->distance[lane]) && !isnan(to->distance[lane])) {
            to->distance[lane] = other->distance[lane];
        }
    }
}

int som_batch_clearances(SomBatch *batch, double limit, const SomBatchClearance **clearances) {
    batch->found.count = batch->measured.count = batch->clearances.count = 0;
    batch->most_found = SOM_BATCH_MOST_CLEARANCES;
    batch->kernel.sweep(batch, limit, NULL, measure_visit, &limit);
    sort_found(batch);
    for (int i = 0; i < batch->sorted.count; i++) {
        const SomLinkPair *pair = &batch->sorted.data[i];
        SomBatchClearance one = batch->measured.data[pair->index];
        if (i > 0 && is_same(pair, pair - 1)) {
            join_clearance(&batch->clearances.data[batch->clearances.count - 1], &one);
        } else {
            one.link_a = pair->link_a;
            one.link_b = pair->link_b;
            som_array_push(&batch->clearances, one);
        }
    }
    *clearances = batch->clearances.data;
    return batch->clearances.count;
}
