// SPDX-License-Identifier: Apache-2.0
#include "render/support_sign.h"

#define TIGHT 0.25 // of the margin in the middle
#define FILLED 0.22f
#define BORDER 2.0f // pixels
#define WAY 3.2f
#define CORNER 7.0f

static const SomColor green = {0.15f, 0.65f, 0.3f, 1};
static const SomColor amber = {0.9f, 0.6f, 0.05f, 1};
static const SomColor red = {0.86f, 0.15f, 0.12f, 1};

static SomVec3 nearest_on(SomVec3 a, SomVec3 b, SomVec3 point) {
    SomVec3 way = som_vec3_sub(b, a);
    double length2 = som_vec3_dot(way, way);
    double s = length2 > 0 ? som_vec3_dot(som_vec3_sub(point, a), way) / length2 : 0;
    return som_vec3_add(a, som_vec3_scale(fmin(fmax(s, 0), 1), way));
}

SomVec3 som_support_sign_nearest(const SomVec3 *corners, int count, SomVec3 ground) {
    SomVec3 nearest = ground;
    double best = HUGE_VAL;
    for (int i = 0; i < count; i++) {
        SomVec3 point = nearest_on(corners[i], corners[(i + 1) % count], ground);
        double distance = som_vec3_length(som_vec3_sub(point, ground));
        if (distance < best) {
            best = distance;
            nearest = point;
        }
    }
    return nearest;
}

static double distance_to_border(const SomSupportSign *sign, SomVec3 point) {
    SomVec3 nearest = som_support_sign_nearest(sign->corners, sign->count, point);
    return som_vec3_length(som_vec3_sub(nearest, point));
}

static SomColor color_of(const SomSupportSign *sign) {
    if (!sign->is_standing) {
        return red;
    }
    SomVec3 sum = {0, 0, 0};
    for (int i = 0; i < sign->count; i++) {
        sum = som_vec3_add(sum, sign->corners[i]);
    }
    SomVec3 middle = som_vec3_scale(1.0 / sign->count, sum);
    bool is_tight =
        distance_to_border(sign, sign->ground) < TIGHT * distance_to_border(sign, middle);
    return is_tight || sign->count < 3 ? amber : green;
}

bool som_scene_add_support(SomScene *scene, const SomSupportSign *sign) {
    int skipped = scene->skipped;
    if (sign->count == 0) {
        return true;
    }
    SomColor color = color_of(sign), fill = color;
    fill.a = FILLED;
    som_scene_add_patch(scene, sign->corners, sign->count, fill);
    for (int i = 0; i < sign->count; i++) {
        SomVec3 next = sign->corners[(i + 1) % sign->count];
        som_scene_add_line(scene, sign->corners[i], next, BORDER, color, SOM_LINE_THROUGH);
    }
    SomVec3 end = som_support_sign_nearest(sign->corners, sign->count, sign->ground);
    som_scene_add_line(scene, sign->ground, end, WAY, color, SOM_LINE_THROUGH);
    som_scene_add_mark(scene, SOM_MARK_DOT, end, CORNER, color);
    return scene->skipped == skipped;
}
