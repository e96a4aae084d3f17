// SPDX-License-Identifier: Apache-2.0

#include "exchange/hull_contacts.h"

#include "base/memory.h"
#include "space/trigonometry.h"

#include <math.h>

// How far the box stays inside, and the share of the hull's size below which it is of no use.
#define BOX_INSET 1e-3
#define BOX_LEAST 0.1
// A ball is never farther from its corner.
#define MOST_INSET 1.4e-3

// The centre of a ball that touches the planes that meet at a vertex, from inside.
static SomVec3 ball_at(const SomHull *hull, SomVec3 vertex) {
    double near = 1e-9 * (1 + som_vec3_length(vertex));
    SomVec3 out = {0, 0, 0};
    for (int i = 0; i < hull->plane_count; i++) {
        const SomPlane *plane = &hull->planes[i];
        if (som_vec3_dot(plane->normal, vertex) >= plane->offset - near) {
            out = som_vec3_add(out, plane->normal);
        }
    }
    double length = som_vec3_length(out), least = 1;
    if (!(length > 0)) {
        return vertex;
    }
    out = som_vec3_scale(1 / length, out);
    for (int i = 0; i < hull->plane_count; i++) {
        const SomPlane *plane = &hull->planes[i];
        if (som_vec3_dot(plane->normal, vertex) >= plane->offset - near) {
            least = fmin(least, som_vec3_dot(plane->normal, out));
        }
    }
    double inset = least > 0 ? fmin(SOM_HULL_BALL / least, MOST_INSET) : MOST_INSET;
    return som_vec3_sub(vertex, som_vec3_scale(inset, out));
}

// Marks the vertices that get a ball: all, or those farthest in directions on a spiral.
static void choose_vertices(const SomHull *hull, bool *is_chosen) {
    bool is_small = hull->vertex_count <= SOM_HULL_MAX_BALLS;
    for (int i = 0; i < hull->vertex_count; i++) {
        is_chosen[i] = is_small;
    }
    for (int i = 0; !is_small && i < SOM_HULL_MAX_BALLS; i++) {
        double z = 1 - (2 * i + 1) / (double)SOM_HULL_MAX_BALLS, sine, cosine;
        double radius = sqrt(1 - z * z);
        som_sincos(2.399963229728653 * i, &sine, &cosine); // the golden angle
        is_chosen[som_hull_support(hull, som_vec3(radius * cosine, radius * sine, z), 0)] = true;
    }
}

// The largest box of the shape of the bounds, round their middle, that stays inside.
static void fit_box(const SomHull *hull, SomHullContacts *contacts) {
    SomVec3 low = hull->vertices[0], high = low;
    for (int i = 1; i < hull->vertex_count; i++) {
        SomVec3 v = hull->vertices[i];
        low = som_vec3(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
        high = som_vec3(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
    }
    SomVec3 center = som_vec3_scale(0.5, som_vec3_add(low, high));
    SomVec3 half = som_vec3_scale(0.5, som_vec3_sub(high, low));
    double scale = 1;
    for (int i = 0; i < hull->plane_count; i++) {
        SomVec3 n = hull->planes[i].normal;
        double reach = fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z;
        double room = hull->planes[i].offset - som_vec3_dot(n, center) - BOX_INSET;
        scale = fmin(scale, room / reach);
    }
    contacts->has_box = scale >= BOX_LEAST;
    contacts->box_center = center;
    contacts->box_half = som_vec3_scale(scale, half);
}

SomHullContacts som_hull_contacts(const SomHull *hull, SomArena *arena) {
    SomHullContacts contacts = {0};
    bool *is_chosen = som_alloc(sizeof *is_chosen * (size_t)hull->vertex_count);
    SomVec3 *balls = som_arena_new(arena, SomVec3, hull->vertex_count);
    choose_vertices(hull, is_chosen);
    for (int i = 0; i < hull->vertex_count; i++) {
        if (is_chosen[i]) {
            balls[contacts.ball_count++] = ball_at(hull, hull->vertices[i]);
        }
    }
    contacts.balls = balls;
    fit_box(hull, &contacts);
    som_free(is_chosen);
    return contacts;
}
