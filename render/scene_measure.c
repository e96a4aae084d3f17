// SPDX-License-Identifier: Apache-2.0
// What can be asked of a scene: its extent, and what a ray hits.

#include "render/camera.h"
#include "render/scene.h"

static SomVec3 corner_of(const SomBounds *bounds, int which) {
    return som_vec3((which & 1) != 0 ? bounds->high.x : bounds->low.x,
                    (which & 2) != 0 ? bounds->high.y : bounds->low.y,
                    (which & 4) != 0 ? bounds->high.z : bounds->low.z);
}

static void extend(SomBounds *bounds, SomVec3 point) {
    bounds->low = som_vec3(fmin(bounds->low.x, point.x), fmin(bounds->low.y, point.y),
                           fmin(bounds->low.z, point.z));
    bounds->high = som_vec3(fmax(bounds->high.x, point.x), fmax(bounds->high.y, point.y),
                            fmax(bounds->high.z, point.z));
}

bool som_scene_bounds(const SomScene *scene, SomBounds *bounds) {
    *bounds = (SomBounds){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (int i = 0; i < scene->items.count; i++) {
        const SomSceneItem *item = &scene->items.data[i];
        const SomGeometry *geometry = &scene->geometries.data[item->geometry];
        if (geometry->mesh.triangle_count == 0) {
            SomBounds tight = som_shape_bounds(&geometry->shape, item->pose);
            extend(bounds, tight.low);
            extend(bounds, tight.high);
            continue;
        }
        for (int k = 0; k < 8; k++) {
            extend(bounds, som_pose_apply(item->pose, corner_of(&geometry->bounds, k)));
        }
    }
    for (int i = 0; i < scene->discs.count; i++) {
        extend(bounds, scene->discs.data[i].pose.position);
    }
    return scene->items.count + scene->discs.count > 0;
}

int som_scene_corners(const SomScene *scene, SomVec3 *corners, int max) {
    int count = 0;
    for (int i = 0; i < scene->items.count; i++) {
        const SomSceneItem *item = &scene->items.data[i];
        for (int k = 0; k < 8; k++, count++) {
            if (count < max) {
                corners[count] = som_pose_apply(
                    item->pose, corner_of(&scene->geometries.data[item->geometry].bounds, k));
            }
        }
    }
    return count;
}

void som_camera_frame_scene(SomCamera *camera, const SomScene *scene, double aspect) {
    int count = som_scene_corners(scene, NULL, 0);
    SomVec3 *corners = som_alloc(sizeof *corners * ((size_t)count + 1));
    som_scene_corners(scene, corners, count);
    som_camera_frame(camera, corners, count, aspect);
    som_free(corners);
}

double som_scene_grid_step(const SomScene *scene) {
    SomBounds bounds;
    if (scene->ground.step > 0 && scene->ground.step < SOM_SCENE_MAX_COORDINATE) {
        return scene->ground.step;
    }
    if (!som_scene_bounds(scene, &bounds)) {
        return 0.1;
    }
    double size = som_vec3_length(som_vec3_sub(bounds.high, bounds.low));
    // powers of ten divide exactly where they would not multiply exactly
    double step = 1;
    while (step > 1e-5 && 3 * step > size) {
        step = step > 1 ? step / 10 : 1 / (10 / step);
    }
    while (step < 1e6 && 30 * step <= size) {
        step *= 10;
    }
    return step;
}

// ---- rays

// Where a ray meets the triangle from either side; HUGE_VAL if it does not.
static double cast_at_triangle(const SomVec3 *corners[3], SomVec3 origin, SomVec3 direction) {
    SomVec3 a = som_vec3_sub(*corners[1], *corners[0]), b = som_vec3_sub(*corners[2], *corners[0]);
    SomVec3 p = som_vec3_cross(direction, b);
    double volume = som_vec3_dot(a, p);
    SomVec3 s = som_vec3_sub(origin, *corners[0]);
    SomVec3 q = som_vec3_cross(s, a);
    double u = som_vec3_dot(s, p) / volume, v = som_vec3_dot(direction, q) / volume;
    double t = som_vec3_dot(b, q) / volume;
    return u >= 0 && v >= 0 && u + v <= 1 && t >= 0 ? t : HUGE_VAL;
}

static double cast_at_mesh(const SomMesh *mesh, SomVec3 origin, SomVec3 direction) {
    double nearest = HUGE_VAL;
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangles + 3 * (size_t)i;
        const SomVec3 *corners[3] = {&mesh->vertices[t[0]], &mesh->vertices[t[1]],
                                     &mesh->vertices[t[2]]};
        nearest = fmin(nearest, cast_at_triangle(corners, origin, direction));
    }
    return nearest;
}

// Whether a ray comes near a box; meshes are asked only then.
static bool meets_box(const SomBounds *bounds, SomVec3 origin, SomVec3 direction) {
    const double low[3] = {bounds->low.x - origin.x, bounds->low.y - origin.y,
                           bounds->low.z - origin.z};
    const double high[3] = {bounds->high.x - origin.x, bounds->high.y - origin.y,
                            bounds->high.z - origin.z};
    const double way[3] = {direction.x, direction.y, direction.z};
    double enter = 0, leave = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        if (way[i] == 0) {
            leave = low[i] > 0 || high[i] < 0 ? -HUGE_VAL : leave;
            continue;
        }
        double a = low[i] / way[i], b = high[i] / way[i];
        enter = fmax(enter, fmin(a, b));
        leave = fmin(leave, fmax(a, b));
    }
    return enter <= leave * (1 + 1e-12);
}

// Whether a ray passes by the ball round the box of a geometry: most items are done with then.
static bool passes_by(const SomBounds *bounds, SomVec3 origin, SomVec3 direction) {
    SomVec3 half = som_vec3_scale(0.5, som_vec3_sub(bounds->high, bounds->low));
    SomVec3 way = som_vec3_sub(som_vec3_add(bounds->low, half), origin);
    SomVec3 aside = som_vec3_cross(way, direction);
    // with slack for rounding, as this only saves time
    return som_vec3_dot(aside, aside) >
           1.001 * som_vec3_dot(half, half) * som_vec3_dot(direction, direction);
}

static double cast_at_item(const SomScene *scene, const SomSceneItem *item, SomVec3 origin,
                           SomVec3 direction) {
    const SomGeometry *geometry = &scene->geometries.data[item->geometry];
    SomVec3 from = som_pose_apply_inverse(item->pose, origin);
    SomVec3 way = som_pose_rotate_inverse(item->pose, direction);
    if (passes_by(&geometry->bounds, from, way)) {
        return HUGE_VAL;
    }
    if (geometry->mesh.triangle_count > 0) {
        return meets_box(&geometry->bounds, from, way) ? cast_at_mesh(&geometry->mesh, from, way)
                                                       : HUGE_VAL;
    }
    SomRayHit hit;
    return som_shape_cast_ray(&geometry->shape, from, way, &hit) ? hit.distance : HUGE_VAL;
}

int som_scene_pick_among(const SomScene *scene, int first, int last, SomVec3 origin,
                         SomVec3 direction, double *distance) {
    int nearest = -1;
    double best = HUGE_VAL;
    for (int i = first; i < last; i++) {
        double t = cast_at_item(scene, &scene->items.data[i], origin, direction);
        if (t < best) {
            best = t;
            nearest = i;
        }
    }
    *distance = best;
    return nearest;
}

int som_scene_pick(const SomScene *scene, SomVec3 origin, SomVec3 direction, double *distance) {
    return som_scene_pick_among(scene, 0, scene->items.count, origin, direction, distance);
}
