// SPDX-License-Identifier: Apache-2.0
// Shapes of bodies.

#include "base/memory.h"
#include "exchange/body_model_internal.h"
#include "exchange/contact_shapes.h"
#include "exchange/sdf_internal.h"

#include <math.h>
#include <stdlib.h>

typedef SOM_ARRAY(SomBodyShape) Shapes;
typedef SOM_ARRAY(SomContactPiece) Pieces;

// ---- shapes

static double friction_of(const SomBodyMaker *q, const SomModuleLink *link) {
    return isnan(link->friction) ? q->model->friction : link->friction;
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

static SomBodyShape shape_of(const SomBodyMaker *q, int link, int index) {
    const SomModuleLink *of = q->m->links[link].link;
    const SomShapePart *part = &of->parts[index];
    SomBodyShape shape = {.body = q->model->body_of[link],
                          .link = link,
                          .part = index,
                          .shape = &part->shape,
                          .pose = som_pose_compose(q->model->link_pose[link], part->pose),
                          .friction = friction_of(q, of),
                          .is_solid = true,
                          .is_seen = true};
    const double *color = som_body_link_color(q->m, link);
    for (int i = 0; i < 4; i++) {
        shape.color[i] = color[i];
    }
    return shape;
}

static bool is_on_ground(const SomBodyShape *shape) {
    return shape->is_solid && !shape->skips_ground;
}

static void leave_ground(const SomBodyMaker *q, SomBodyShape *shape) {
    shape->skips_ground = true;
    shape->is_solid = q->def->contacts != SOM_BODY_CONTACTS_WHOLE;
}

// Two wheels on one axle are a roller on the ground. What moves in the hollow between them, as the
// front half of a module in its U, does not touch the roller, but the wheels.
static void join_rollers(SomBodyMaker *q, Shapes *shapes, int first, const Pieces *pieces) {
    int count = pieces->count;
    for (int i = 0; i < count; i++) {
        for (int k = i + 1; k < count; k++) {
            SomBodyShape *a = &shapes->data[first + i], *b = &shapes->data[first + k];
            SomShape joined;
            SomBodyShape roller = *a;
            if (!is_on_ground(a) || !is_on_ground(b) || a->friction != b->friction ||
                pieces->data[i].must_stay || pieces->data[k].must_stay ||
                !som_contact_join(&pieces->data[i], &pieces->data[k], &joined, &roller.pose)) {
                continue;
            }
            SomShape *kept = som_arena_new(&q->model->arena, SomShape, 1);
            *kept = joined;
            roller.shape = kept;
            roller.part = -1;
            roller.is_seen = false;
            roller.skips_robot = true;
            leave_ground(q, a);
            leave_ground(q, b);
            a->is_rolled = b->is_rolled = true;
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
            SomBodyShape shape = shape_of(q, link, i);
            SomContactPiece piece = {shape.shape, shape.pose, must_stay, true};
            som_array_push(shapes, shape);
            som_array_push(&pieces, piece);
        }
    }
    if (!q->def->is_full) {
        som_contact_choose(pieces.data, pieces.count);
        for (int i = 0; i < pieces.count; i++) {
            if (!pieces.data[i].is_solid) {
                leave_ground(q, &shapes->data[first + i]);
            }
        }
        join_rollers(q, shapes, first, &pieces);
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
            for (int k = m->first_link[module]; k < link && is_first; k++) {
                is_first = q->model->body_of[k] != body;
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
