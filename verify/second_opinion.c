// SPDX-License-Identifier: Apache-2.0
// What all second opinions share, and the hulls of links.

#include "base/codes/verify_codes.h"
#include "base/number.h"
#include "space/mass.h"
#include "space/second_hull.h"
#include "verify/second_opinion_internal.h"

#include <math.h>

// Disagreements beyond are counted only.
#define MOST_FINDINGS 20

bool som_second_compare(SomVerification *out, double difference, double size) {
    SomSecondOpinion *second = &out->second;
    second->max_difference = fmax(second->max_difference, difference);
    if (difference <= SOM_SECOND_TOLERANCE * fmax(1, size)) {
        return false;
    }
    return second->disagreements++ < MOST_FINDINGS;
}

SomFinding som_second_finding(const SomVerifyInput *input, SomCode code, double time, double ours,
                              double other) {
    double t = input->graph != NULL ? time : (double)NAN;
    return (SomFinding){.check = SOM_CHECK_SECOND_OPINION,
                        .code = code,
                        .t0 = t,
                        .t1 = t,
                        .worst = t,
                        .value = ours,
                        .limit = other,
                        .dimension = SOM_DIMENSION_LENGTH,
                        .span = input->design->base.span,
                        .action = SOM_NONE};
}

// ---- hulls of links

// How far points are outside of planes.
static double overshoot(const SomPlane *planes, int plane_count, SomVec3 point) {
    double most = 0;
    for (int i = 0; i < plane_count; i++) {
        most = fmax(most, som_vec3_dot(planes[i].normal, point) - planes[i].offset);
    }
    return most;
}

static double difference_of(const SomHull *hull, const SomVec3 *points,
                            const SomSecondHull *other) {
    double most = 0;
    for (int i = 0; i < hull->vertex_count; i++) {
        most = fmax(most, overshoot(other->planes, other->plane_count, hull->vertices[i]));
    }
    for (int i = 0; i < other->corner_count; i++) {
        most = fmax(most, overshoot(hull->planes, hull->plane_count, points[other->corners[i]]));
    }
    return most;
}

typedef struct LinkHull {
    const SomVerifyInput *input;
    const SomModuleType *type;
    const SomModuleLink *link;
    const SomShape *shape;
    const SomGivenPoints *given; // of the shape
} LinkHull;

static void report_hull(const LinkHull *h, double difference, double ours, double other,
                        SomVerification *out) {
    SomFinding finding =
        som_second_finding(h->input, SOM_SECOND_OPINION_HULL, (double)NAN, ours, other);
    finding.dimension = SOM_DIMENSION_NUMBER;
    SomText who = {0}, volumes = {0};
    som_text_printf(&who, "'%.*s.%.*s'", SOM_STR_ARG(h->type->name), SOM_STR_ARG(h->link->name));
    finding.who = som_text_str(&who);
    som_text_number(&volumes, som_number_round(1e9 * ours, 9));
    som_text_add(&volumes, SOM_STR(" mm^3, and "));
    som_text_number(&volumes, som_number_round(1e9 * other, 9));
    som_verification_add(
        out, &finding,
        "its hull has a volume of %s mm^3 according to qhull; their surfaces differ by %s",
        volumes.data, som_verification_value(out, difference, SOM_DIMENSION_LENGTH));
    som_text_free(&who);
    som_text_free(&volumes);
}

static void look_at_hull(const LinkHull *h, SomVerification *out) {
    const SomHull *hull = h->shape->hull;
    SomArena arena = {0};
    SomSecondHull other;
    if (!som_second_hull(h->given->points, h->given->count, &arena, &other)) {
        som_verification_not_assessed(out, SOM_CHECK_SECOND_OPINION, SOM_STR("hulls of links"), 1,
                                      SOM_STR("qhull finds them flat"));
    } else {
        double radius = som_shape_ball(h->shape).radius;
        double ours = som_shape_volume(h->shape);
        // a volume as a layer on the surface
        double layer = fabs(ours - other.volume) / (radius * radius);
        double difference = fmax(difference_of(hull, h->given->points, &other), layer);
        out->second.hulls++;
        if (som_second_compare(out, difference, radius)) {
            report_hull(h, difference, ours, other.volume, out);
        }
    }
    som_arena_free(&arena);
}

static bool is_first_of_type(const SomConfiguration *c, int module) {
    int i = 0;
    while (c->modules[i].type != c->modules[module].type) {
        i++;
    }
    return i == module;
}

void som_check_second_opinion(const SomVerifyInput *input, SomVerification *out) {
    // no claim about all samples: what was compared is counted in out->second
    out->is_void[SOM_CHECK_SECOND_OPINION] = true;
    const SomConfiguration *c = input->design;
    for (int i = 0; input->wants_second_opinion && i < c->module_count; i++) {
        const SomModuleType *type = c->modules[i].type;
        for (int k = 0; is_first_of_type(c, i) && k < type->link_count; k++) {
            const SomModuleLink *link = &type->links[k];
            for (int part = 0; part < link->part_count; part++) {
                if (link->parts[part].shape.kind == SOM_SHAPE_HULL) {
                    look_at_hull(&(LinkHull){input, type, link, &link->parts[part].shape,
                                             &link->given[part]},
                                 out);
                }
            }
        }
    }
}
