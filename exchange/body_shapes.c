// SPDX-License-Identifier: Apache-2.0
// Shapes of bodies, and pairs of bodies that touch by their making.

#include "base/memory.h"
#include "exchange/body_model_internal.h"
#include "exchange/contact_shapes.h"
#include "exchange/sdf_internal.h"
#include "space/distance.h"

#include <math.h>
#include <stdlib.h>

typedef SOM_ARRAY(SomBodyShape) Shapes;
typedef SOM_ARRAY(SomContactPiece) Pieces;

// ---- shapes

static double friction_of(const SomModuleLink *link) {
    return isnan(link->friction) ? SOM_BODY_FRICTION : link->friction;
}

// A contact of this very link is asked for, so its pieces must be told from others.
static bool *find_sensed(const SomBodyMaker *q) {
    bool *is_sensed = som_alloc(sizeof *is_sensed * (size_t)q->m->link_count);
    const SomActionGraph *graph = q->def->graph;
    int32_t count = graph != NULL ? graph->symbol_count[SOM_SYMBOL_CONTACT] : 0;
    for (int32_t i = 0; i < count; i++) {
        SomStr path = som_str(som_graph_name(graph, SOM_SYMBOL_CONTACT, i));
        for (int k = 0; k < q->m->link_count; k++) {
            is_sensed[k] |= som_str_equal(q->m->links[k].path, path);
        }
    }
    return is_sensed;
}

const double *som_body_link_color(const SomMechanism *m, int link) {
    static const double grey[4] = {0.7, 0.7, 0.7, 1};
    const double *color = m->links[link].link->color;
    bool is_given = color[0] != 0 || color[1] != 0 || color[2] != 0 || color[3] != 0;
    return is_given ? color : grey;
}

static SomBodyShape shape_of(const SomBodyMaker *q, int link, const SomShapePart *part) {
    const SomModuleLink *of = q->m->links[link].link;
    SomBodyShape shape = {.body = q->model->body_of[link],
                          .link = link,
                          .shape = &part->shape,
                          .pose = som_pose_compose(q->model->link_pose[link], part->pose),
                          .friction = friction_of(of),
                          .is_solid = true,
                          .is_seen = true};
    const double *color = som_body_link_color(q->m, link);
    for (int i = 0; i < 4; i++) {
        shape.color[i] = color[i];
    }
    return shape;
}

// Engines find some contacts of cylinders too early, where they are thin.
#define ROLLER_ROOM 5e-3 // metres

// What moves in the hollow between two wheels, as the front half of a module in its U, must not
// touch the roller that fills it. Bodies that a joint joins never do.
static bool has_room(const SomBodyMaker *q, int module, const SomBodyShape *roller) {
    const SomMechanism *m = q->m;
    const SomBody *bodies = q->model->bodies;
    SomPose pose = som_pose_compose(bodies[roller->body].pose, roller->pose);
    for (int link = m->first_link[module]; link < m->first_link[module + 1]; link++) {
        int body = q->model->body_of[link];
        const SomModuleLink *of = m->links[link].link;
        bool can_touch = body != roller->body && bodies[body].parent != roller->body &&
                         bodies[roller->body].parent != body;
        for (int i = 0; can_touch && i < of->part_count; i++) {
            SomBodyShape other = shape_of(q, link, &of->parts[i]);
            SomPose at = som_pose_compose(bodies[body].pose, other.pose);
            if (som_shape_distance_within(roller->shape, pose, other.shape, at, ROLLER_ROOM, NULL)
                    .distance < ROLLER_ROOM) {
                return false;
            }
        }
    }
    return true;
}

// Two wheels on one axle are a roller.
static void join_rollers(SomBodyMaker *q, int module, Shapes *shapes, int first,
                         const Pieces *pieces) {
    int count = pieces->count;
    for (int i = 0; i < count; i++) {
        for (int k = i + 1; k < count; k++) {
            SomBodyShape *a = &shapes->data[first + i], *b = &shapes->data[first + k];
            SomShape joined;
            SomBodyShape roller = *a;
            if (!a->is_solid || !b->is_solid || a->friction != b->friction ||
                pieces->data[i].must_stay || pieces->data[k].must_stay ||
                !som_contact_join(&pieces->data[i], &pieces->data[k], &joined, &roller.pose)) {
                continue;
            }
            roller.shape = &joined;
            if (!has_room(q, module, &roller)) {
                continue;
            }
            SomShape *kept = som_arena_new(&q->model->arena, SomShape, 1);
            *kept = joined;
            roller.shape = kept;
            roller.is_seen = false;
            a->is_solid = b->is_solid = false;
            som_array_push(shapes, roller);
            break;
        }
    }
}

// The pieces of one module that are in one body.
static void add_group(SomBodyMaker *q, int module, int body, const bool *is_sensed,
                      Shapes *shapes) {
    const SomMechanism *m = q->m;
    int first = shapes->count;
    Pieces pieces = {0};
    for (int link = m->first_link[module]; link < m->first_link[module + 1]; link++) {
        const SomModuleLink *of = m->links[link].link;
        if (q->model->body_of[link] != body) {
            continue;
        }
        bool must_stay = is_sensed[link] || som_sdf_keeps_shapes(of); // chosen already
        for (int i = 0; i < of->part_count; i++) {
            SomBodyShape shape = shape_of(q, link, &of->parts[i]);
            SomContactPiece piece = {shape.shape, shape.pose, must_stay, true};
            som_array_push(shapes, shape);
            som_array_push(&pieces, piece);
        }
    }
    if (!q->def->is_full) {
        som_contact_choose(pieces.data, pieces.count);
        for (int i = 0; i < pieces.count; i++) {
            shapes->data[first + i].is_solid = pieces.data[i].is_solid;
        }
        join_rollers(q, module, shapes, first, &pieces);
    }
    som_array_free(&pieces);
}

// Puts the shapes in the order of their bodies; those of a body stay in theirs.
static void sort_shapes(SomBodyModel *model, const Shapes *shapes) {
    SomBody *bodies = (SomBody *)model->bodies;
    SomBodyShape *sorted = som_arena_new(&model->arena, SomBodyShape, shapes->count + 1);
    for (int i = 0; i < shapes->count; i++) {
        bodies[shapes->data[i].body].shape_count++;
    }
    for (int i = 1; i < model->body_count; i++) {
        bodies[i].first_shape = bodies[i - 1].first_shape + bodies[i - 1].shape_count;
    }
    int *filled = som_alloc(sizeof *filled * (size_t)model->body_count);
    for (int i = 0; i < shapes->count; i++) {
        int body = shapes->data[i].body;
        sorted[bodies[body].first_shape + filled[body]++] = shapes->data[i];
    }
    som_free(filled);
    model->shapes = sorted;
    model->shape_count = shapes->count;
}

void som_body_maker_add_shapes(SomBodyMaker *q) {
    Shapes shapes = {0};
    bool *is_sensed = find_sensed(q);
    const SomMechanism *m = q->m;
    for (int module = 0; module < m->configuration->module_count; module++) {
        for (int link = m->first_link[module]; link < m->first_link[module + 1]; link++) {
            int body = q->model->body_of[link];
            bool is_first = true;
            for (int k = m->first_link[module]; k < link; k++) {
                is_first &= q->model->body_of[k] != body;
            }
            if (is_first) {
                add_group(q, module, body, is_sensed, &shapes);
            }
        }
    }
    sort_shapes(q->model, &shapes);
    som_array_free(&shapes);
    som_free(is_sensed);
}

// ---- pairs

typedef SOM_ARRAY(SomBodyPair) Pairs;

static void add_pair(const SomBodyModel *model, Pairs *pairs, int a, int b) {
    if (a != b && model->bodies[a].parent != b && model->bodies[b].parent != a) {
        SomBodyPair pair = {a < b ? a : b, a < b ? b : a};
        som_array_push(pairs, pair);
    }
}

// Links of one module that touch while its joints are at zero are made to.
static void add_module_pairs(const SomBodyMaker *q, Pairs *pairs) {
    const SomMechanism *m = q->m;
    for (int module = 0; module < m->configuration->module_count; module++) {
        for (int a = m->first_link[module]; a < m->first_link[module + 1]; a++) {
            for (int b = a + 1; b < m->first_link[module + 1]; b++) {
                const SomModuleLink *x = m->links[a].link, *y = m->links[b].link;
                bool is_apart = q->model->body_of[a] != q->model->body_of[b];
                double gap = INFINITY;
                for (int i = 0; is_apart && i < x->part_count * y->part_count; i++) {
                    const SomShapePart *p = &x->parts[i / y->part_count],
                                       *o = &y->parts[i % y->part_count];
                    gap = fmin(gap, som_shape_distance_within(&p->shape, p->pose, &o->shape,
                                                              o->pose, SOM_BODY_PLAY, NULL)
                                        .distance);
                }
                if (gap <= SOM_BODY_PLAY) {
                    add_pair(q->model, pairs, q->model->body_of[a], q->model->body_of[b]);
                }
            }
        }
    }
}

typedef struct Extent {
    SomBounds bounds;
    int shape;
} Extent;

static int compare_extents(const void *a, const void *b) {
    const Extent *x = a, *y = b;
    if (x->bounds.low.x != y->bounds.low.x) {
        return x->bounds.low.x < y->bounds.low.x ? -1 : 1;
    }
    return x->shape < y->shape ? -1 : x->shape > y->shape;
}

static SomPose world_pose(const SomBodyModel *model, const SomBodyShape *shape) {
    return som_pose_compose(model->bodies[shape->body].pose, shape->pose);
}

static void test_extents(const SomBodyModel *model, const Extent *a, const Extent *b,
                         Pairs *pairs) {
    const SomBodyShape *x = &model->shapes[a->shape], *y = &model->shapes[b->shape];
    if (x->body == y->body || a->bounds.low.y > b->bounds.high.y + SOM_BODY_PLAY ||
        b->bounds.low.y > a->bounds.high.y + SOM_BODY_PLAY ||
        a->bounds.low.z > b->bounds.high.z + SOM_BODY_PLAY ||
        b->bounds.low.z > a->bounds.high.z + SOM_BODY_PLAY) {
        return;
    }
    SomDistance gap = som_shape_distance_within(x->shape, world_pose(model, x), y->shape,
                                                world_pose(model, y), SOM_BODY_PLAY, NULL);
    if (gap.distance <= SOM_BODY_PLAY) {
        add_pair(model, pairs, x->body, y->body);
    }
}

// Bodies that touch where they start.
static void add_start_pairs(const SomBodyModel *model, Pairs *pairs) {
    SOM_ARRAY(Extent) extents = {0};
    for (int i = 0; i < model->shape_count; i++) {
        const SomBodyShape *shape = &model->shapes[i];
        if (shape->is_solid) {
            Extent extent = {som_shape_bounds(shape->shape, world_pose(model, shape)), i};
            som_array_push(&extents, extent);
        }
    }
    if (extents.count > 0) {
        qsort(extents.data, (size_t)extents.count, sizeof *extents.data, compare_extents);
    }
    for (int i = 0; i < extents.count; i++) {
        double end = extents.data[i].bounds.high.x + SOM_BODY_PLAY;
        for (int k = i + 1; k < extents.count && extents.data[k].bounds.low.x <= end; k++) {
            test_extents(model, &extents.data[i], &extents.data[k], pairs);
        }
    }
    som_array_free(&extents);
}

static int compare_pairs(const void *a, const void *b) {
    const SomBodyPair *x = a, *y = b;
    return x->a != y->a ? x->a - y->a : x->b - y->b;
}

void som_body_maker_add_pairs(SomBodyMaker *q) {
    SomBodyModel *model = q->model;
    Pairs pairs = {0};
    for (int i = 0; i < model->weld_count; i++) {
        if (model->welds[i].dock < 0) {
            add_pair(model, &pairs, model->welds[i].body_a, model->welds[i].body_b);
        }
    }
    add_module_pairs(q, &pairs);
    add_start_pairs(model, &pairs);
    if (pairs.count > 0) {
        qsort(pairs.data, (size_t)pairs.count, sizeof *pairs.data, compare_pairs);
    }
    SomBodyPair *kept = som_arena_new(&model->arena, SomBodyPair, pairs.count + 1);
    for (int i = 0; i < pairs.count; i++) {
        if (i == 0 || compare_pairs(&pairs.data[i], &pairs.data[i - 1]) != 0) {
            kept[model->pair_count++] = pairs.data[i];
        }
    }
    model->pairs = kept;
    som_array_free(&pairs);
}
