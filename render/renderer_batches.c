// SPDX-License-Identifier: Apache-2.0
// Items become instances, grouped by mesh, those in front of all behind the others; what is seen
// through comes last, far to near.

#include "render/renderer_internal.h"

#include <stdlib.h>

// Items smaller than this on the screen have no edges, from the larger size on they have them in
// full. Radii in pixels: edges of small things would only make them black.
#define NO_EDGE_RADIUS 8.0
#define FULL_EDGE_RADIUS 30.0

typedef struct Accent {
    unsigned flag;
    SomColor color;
    float tint;
    float width; // of outlines
} Accent;

static const Accent accents[] = {
    {SOM_LOOK_ALARMED, {0.86f, 0.10f, 0.10f, 1}, 0.45f, 3},
    {SOM_LOOK_SELECTED, {0.95f, 0.50f, 0.05f, 1}, 0.45f, 3},
    {SOM_LOOK_HIGHLIGHTED, {0.10f, 0.45f, 0.90f, 1}, 0.45f, 3},
    {SOM_LOOK_RELATED, {0.95f, 0.50f, 0.05f, 1}, 0.1f, 2.2f},
};

static float clamp_unit(float x) {
    return x > 0 ? (x < 1 ? x : 1) : 0; // NaN becomes 0
}

static SomColor mix_colors(SomColor a, SomColor b, float s) {
    SomColor mixed = {a.r + s * (b.r - a.r), a.g + s * (b.g - a.g), a.b + s * (b.b - a.b), a.a};
    return mixed;
}

static void set_colors(SomRenderInstance *instance, const SomLook *look, double radius) {
    SomColor color = {clamp_unit(look->color.r), clamp_unit(look->color.g),
                      clamp_unit(look->color.b), clamp_unit(look->color.a)};
    SomColor edge = mix_colors(color, (SomColor){0.05f, 0.06f, 0.08f, 1}, 0.72f);
    float width = 1.3f;
    double full = (radius - NO_EDGE_RADIUS) / (FULL_EDGE_RADIUS - NO_EDGE_RADIUS);
    float opacity = 0.85f * clamp_unit((float)full);
    for (size_t i = 0; i < sizeof accents / sizeof *accents; i++) {
        if ((look->flags & accents[i].flag) != 0) {
            color = mix_colors(color, accents[i].color, accents[i].tint);
            edge = mix_colors(accents[i].color, (SomColor){0, 0, 0, 1}, 0.15f);
            width = accents[i].width;
            opacity = 1;
            break;
        }
    }
    if ((look->flags & SOM_LOOK_GHOST) != 0) {
        color.a *= 0.35f;
        opacity *= 0.6f;
    }
    if ((look->flags & SOM_LOOK_NO_EDGES) != 0) {
        opacity = 0;
    }
    memcpy(instance->color, &color, sizeof instance->color);
    memcpy(instance->edge, &edge, sizeof instance->edge);
    instance->edge[3] = width;
    instance->extra[0] = opacity;
}

static bool is_seen_through(const SomLook *look) {
    return (look->flags & SOM_LOOK_GHOST) != 0 || look->color.a < 1;
}

static bool is_in_front(const SomLook *look) {
    return (look->flags & SOM_LOOK_IN_FRONT) != 0 && !is_seen_through(look);
}

static double depth_of(const SomRenderView *view, const SomSceneItem *item) {
    return som_vec3_dot(som_vec3_sub(item->pose.position, view->eye), view->axes.forward);
}

static double pixel_radius(const SomRenderView *view, const SomSceneItem *item) {
    const SomBounds *bounds = &view->scene->geometries.data[item->geometry].bounds;
    double radius = som_vec3_length(som_vec3_sub(bounds->high, bounds->low)) / 2;
    double depth = fmax(depth_of(view, item), radius);
    return radius / som_camera_pixel_size(view->camera, depth, view->height);
}

static SomRenderInstance instance_of(const SomRenderView *view, const SomSceneItem *item,
                                     double radius) {
    SomRenderInstance instance = {0};
    SomVec3 place = som_vec3_sub(item->pose.position, view->origin);
    SomVec3 scale = som_renderer_scale(&view->scene->geometries.data[item->geometry]);
    const double places[3] = {place.x, place.y, place.z};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            instance.rows[i][k] = (float)item->pose.rotation.m[i][k];
        }
        instance.rows[i][3] = (float)places[i];
    }
    bool casts = (item->look.flags & SOM_LOOK_NO_SHADOW) == 0 && !is_seen_through(&item->look);
    instance.scale[0] = (float)scale.x;
    instance.scale[1] = (float)scale.y;
    instance.scale[2] = (float)scale.z;
    instance.scale[3] = casts ? 1 : 0;
    set_colors(&instance, &item->look, radius * 800 / view->height);
    return instance;
}

static bool has_edges(const SomRenderView *view, const SomLook *look, double radius) {
    const unsigned accented =
        SOM_LOOK_ALARMED | SOM_LOOK_SELECTED | SOM_LOOK_HIGHLIGHTED | SOM_LOOK_RELATED;
    return (look->flags & SOM_LOOK_NO_EDGES) == 0 &&
           ((look->flags & accented) != 0 || radius * 800 / view->height > NO_EDGE_RADIUS);
}

// Of each item twice its mesh, made where it is not there, and one more if it has no edges, so that
// those with edges of one mesh stand together; of those in front its complement, which is negative.
// `known` has one place a geometry and level.
static void find_groups(SomRenderer *renderer, const SomRenderView *view, int *group_of_item) {
    const SomScene *scene = view->scene;
    size_t size = SOM_LEVELS * (size_t)scene->geometries.count;
    int *known = som_alloc((size + 1) * sizeof *known);
    for (int i = 0; i < scene->items.count; i++) {
        const SomSceneItem *item = &scene->items.data[i];
        double radius = pixel_radius(view, item);
        int level = som_renderer_level(radius);
        int *mesh1 = &known[item->geometry * SOM_LEVELS + level];
        if (*mesh1 == 0) {
            *mesh1 = 1 + som_renderer_find_mesh(renderer, &scene->geometries.data[item->geometry],
                                                level);
        }
        int group = 2 * (*mesh1 - 1) + (has_edges(view, &item->look, radius) ? 0 : 1);
        group_of_item[i] = is_in_front(&item->look) ? ~group : group;
    }
    som_free(known);
}

static int place_of(int group, int half) {
    return group < 0 ? half + ~group : group;
}

// Opaque instances by counting sort: stable, so that the order never depends on chance. Groups of
// what is in front come behind the others.
static void gather_opaque(SomRenderer *renderer, const SomRenderView *view,
                          const int *group_of_item) {
    const SomScene *scene = view->scene;
    int half = 2 * renderer->meshes.count, groups = 2 * half;
    int *begin = som_alloc(((size_t)groups + 1) * sizeof *begin);
    for (int i = 0; i < scene->items.count; i++) {
        if (!is_seen_through(&scene->items.data[i].look)) {
            begin[place_of(group_of_item[i], half) + 1]++;
        }
    }
    for (int g = 0; g < groups; g++) {
        SomRenderBatch batch = {g % half / 2, begin[g], begin[g + 1], g % 2 == 0};
        begin[g + 1] += begin[g];
        if (batch.count > 0) {
            som_array_push(&renderer->batches, batch);
            *(g < half ? &renderer->opaque_batches : &renderer->front_batches) += 1;
        }
    }
    renderer->instances.count = begin[groups];
    for (int i = 0; i < scene->items.count; i++) {
        const SomSceneItem *item = &scene->items.data[i];
        if (!is_seen_through(&item->look)) {
            renderer->instances.data[begin[place_of(group_of_item[i], half)]++] =
                instance_of(view, item, pixel_radius(view, item));
        }
    }
    som_free(begin);
}

typedef struct Far {
    double depth;
    int item;
} Far;

static int compare_far(const void *a, const void *b) {
    const Far *x = a, *y = b;
    if (x->depth != y->depth) {
        return x->depth > y->depth ? -1 : 1;
    }
    return (x->item > y->item) - (x->item < y->item);
}

static void gather_seen_through(SomRenderer *renderer, const SomRenderView *view,
                                const int *group_of_item) {
    const SomScene *scene = view->scene;
    SOM_ARRAY(Far) order = {0};
    for (int i = 0; i < scene->items.count; i++) {
        if (is_seen_through(&scene->items.data[i].look)) {
            Far one = {depth_of(view, &scene->items.data[i]), i};
            som_array_push(&order, one);
        }
    }
    if (order.count > 0) {
        qsort(order.data, (size_t)order.count, sizeof *order.data, compare_far);
    }
    for (int i = 0; i < order.count; i++) {
        const SomSceneItem *item = &scene->items.data[order.data[i].item];
        int group = group_of_item[order.data[i].item];
        SomRenderBatch batch = {group / 2, renderer->instances.count, 1, group % 2 == 0};
        renderer->instances.data[renderer->instances.count++] =
            instance_of(view, item, pixel_radius(view, item));
        som_array_push(&renderer->batches, batch);
    }
    som_array_free(&order);
}

void som_renderer_gather(SomRenderer *renderer, const SomRenderView *view) {
    int count = view->scene->items.count;
    int *group_of_item = som_alloc(((size_t)count + 1) * sizeof *group_of_item);
    renderer->batches.count = 0;
    renderer->opaque_batches = 0;
    renderer->front_batches = 0;
    som_array_reserve(&renderer->instances, count);
    find_groups(renderer, view, group_of_item);
    gather_opaque(renderer, view, group_of_item);
    gather_seen_through(renderer, view, group_of_item);
    som_free(group_of_item);
    glBindBuffer(GL_ARRAY_BUFFER, renderer->instance_buffer);
    glBufferData(GL_ARRAY_BUFFER,
                 (GLsizeiptr)((size_t)renderer->instances.count * sizeof(SomRenderInstance)),
                 renderer->instances.data, GL_STREAM_DRAW);
}

void som_renderer_draw_batch(SomRenderer *renderer, const SomRenderBatch *batch, int part) {
    const SomGpuMesh *mesh = &renderer->meshes.data[batch->mesh];
    if (mesh->index_count[part] == 0 || (part == SOM_GPU_EDGES && !batch->has_edges)) {
        return;
    }
    glBindVertexArray(mesh->arrays[part]);
    glBindBuffer(GL_ARRAY_BUFFER, renderer->instance_buffer);
    size_t start = (size_t)batch->first * sizeof(SomRenderInstance);
    for (GLuint i = 0; i < 7; i++) {
        glVertexAttribPointer(2 + i, 4, GL_FLOAT, GL_FALSE, sizeof(SomRenderInstance),
                              (const void *)(start + 4 * sizeof(float) * i));
    }
    glDrawElementsInstanced(GL_TRIANGLES, mesh->index_count[part], GL_UNSIGNED_INT, NULL,
                            batch->count);
    renderer->counts.draw_calls++;
}
