// SPDX-License-Identifier: Apache-2.0
#include "render/scene.h"

#include "space/trigonometry.h"

#include <assert.h>

#define ARROW_SIDES 24

// Of arrows: the head's part of the length, and its width by its length.
#define HEAD_PART 0.28
#define HEAD_SLIMNESS 0.3

static const SomColor grey = {0.7f, 0.7f, 0.72f, 1};

SomColor som_color_of_index(int index) {
    static const SomColor colors[] = {
        {0.30f, 0.53f, 0.75f, 1}, {0.93f, 0.60f, 0.24f, 1}, {0.40f, 0.66f, 0.40f, 1},
        {0.80f, 0.39f, 0.40f, 1}, {0.58f, 0.50f, 0.74f, 1}, {0.90f, 0.77f, 0.33f, 1},
        {0.38f, 0.69f, 0.71f, 1}, {0.85f, 0.55f, 0.68f, 1}, {0.62f, 0.51f, 0.42f, 1},
    };
    unsigned count = sizeof colors / sizeof *colors;
    return colors[(unsigned)index % count];
}

SomColor som_scene_ink(const SomScene *scene) {
    return scene->is_dark ? som_color(0.88f, 0.89f, 0.91f) : som_color(0.1f, 0.1f, 0.12f);
}

// ---- geometries

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *data = bytes;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ data[i]) * 0x100000001B3u;
    }
    return hash;
}

static uint64_t hash_geometry(const SomGeometry *geometry) {
    uint64_t hash = 0xCBF29CE484222325u ^ (geometry->is_solid ? 1 : 0);
    const SomMesh *mesh = &geometry->mesh;
    if (mesh->triangle_count > 0) {
        hash =
            hash_bytes(hash, mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
        return hash_bytes(hash, mesh->triangles,
                          3 * (size_t)mesh->triangle_count * sizeof *mesh->triangles);
    }
    const SomShape *shape = &geometry->shape;
    double numbers[6] = {shape->kind,   shape->half.x, shape->half.y,
                         shape->half.z, shape->radius, shape->half_length};
    return hash_bytes(hash, numbers, sizeof numbers);
}

static bool same_geometry(const SomGeometry *a, const SomGeometry *b) {
    if (a->hash != b->hash || a->is_solid != b->is_solid ||
        a->mesh.vertex_count != b->mesh.vertex_count ||
        a->mesh.triangle_count != b->mesh.triangle_count) {
        return false;
    }
    if (a->mesh.triangle_count > 0) {
        return memcmp(a->mesh.vertices, b->mesh.vertices,
                      (size_t)a->mesh.vertex_count * sizeof *a->mesh.vertices) == 0 &&
               memcmp(a->mesh.triangles, b->mesh.triangles,
                      3 * (size_t)a->mesh.triangle_count * sizeof *a->mesh.triangles) == 0;
    }
    return a->shape.kind == b->shape.kind && a->shape.radius == b->shape.radius &&
           a->shape.half_length == b->shape.half_length && a->shape.half.x == b->shape.half.x &&
           a->shape.half.y == b->shape.half.y && a->shape.half.z == b->shape.half.z;
}

static int *slot_of(SomScene *scene, const SomGeometry *geometry) {
    unsigned mask = (unsigned)scene->table.count - 1;
    unsigned i = (unsigned)(geometry->hash >> 32) & mask;
    while (scene->table.data[i] != 0 &&
           !same_geometry(&scene->geometries.data[scene->table.data[i] - 1], geometry)) {
        i = (i + 1) & mask;
    }
    return &scene->table.data[i];
}

static void grow_table(SomScene *scene) {
    int size = scene->table.count == 0 ? 64 : 2 * scene->table.count;
    som_array_reserve(&scene->table, size);
    scene->table.count = size;
    memset(scene->table.data, 0, (size_t)size * sizeof *scene->table.data);
    for (int i = 0; i < scene->geometries.count; i++) {
        *slot_of(scene, &scene->geometries.data[i]) = i + 1;
    }
}

static SomMesh copy_mesh(const SomMesh *mesh) {
    SomMesh copy = *mesh;
    size_t vertices = (size_t)mesh->vertex_count * sizeof *mesh->vertices;
    size_t triangles = 3 * (size_t)mesh->triangle_count * sizeof *mesh->triangles;
    copy.vertices = memcpy(som_alloc(vertices), mesh->vertices, vertices);
    copy.triangles = memcpy(som_alloc(triangles), mesh->triangles, triangles);
    return copy;
}

// The geometry, whose mesh is borrowed, as one of the scene.
static int find_or_add(SomScene *scene, SomGeometry geometry) {
    geometry.hash = hash_geometry(&geometry);
    if (2 * (scene->geometries.count + 1) > scene->table.count) {
        grow_table(scene);
    }
    int *slot = slot_of(scene, &geometry);
    if (*slot == 0) {
        if (geometry.mesh.triangle_count > 0) {
            geometry.mesh = copy_mesh(&geometry.mesh);
            geometry.bounds = som_mesh_bounds(&geometry.mesh);
        } else {
            geometry.bounds = som_shape_bounds(&geometry.shape, som_pose_identity());
        }
        som_array_push(&scene->geometries, geometry);
        *slot = scene->geometries.count;
    }
    return *slot - 1;
}

int som_scene_add_mesh(SomScene *scene, const SomMesh *mesh) {
    if (mesh->triangle_count == 0) {
        return -1;
    }
    return find_or_add(scene, (SomGeometry){.mesh = *mesh});
}

static SomGeometry geometry_of_shape(const SomShape *shape) {
    assert(shape->kind != SOM_SHAPE_COMPOUND);
    if (shape->kind != SOM_SHAPE_HULL) {
        return (SomGeometry){.shape = *shape, .is_solid = true};
    }
    return (SomGeometry){.is_solid = true,
                         .mesh = {.vertices = shape->hull->vertices,
                                  .triangles = shape->hull->triangles,
                                  .vertex_count = shape->hull->vertex_count,
                                  .triangle_count = shape->hull->triangle_count}};
}

int som_scene_add_solid(SomScene *scene, const SomShape *shape) {
    return find_or_add(scene, geometry_of_shape(shape));
}

// ---- placing

static bool is_near(SomVec3 v) {
    // a comparison with NaN is false
    return fabs(v.x) <= SOM_SCENE_MAX_COORDINATE && fabs(v.y) <= SOM_SCENE_MAX_COORDINATE &&
           fabs(v.z) <= SOM_SCENE_MAX_COORDINATE;
}

static bool is_sane(SomPose pose) {
    bool is_fine = is_near(pose.position);
    for (int i = 0; i < 9; i++) {
        is_fine = is_fine && fabs(pose.rotation.m[i / 3][i % 3]) <= 1.001;
    }
    return is_fine;
}

static bool skip(SomScene *scene) {
    scene->skipped++;
    return false;
}

bool som_scene_add_item(SomScene *scene, int geometry, SomPose pose, const SomLook *look) {
    assert(0 <= geometry && geometry < scene->geometries.count);
    if (!is_sane(pose)) {
        return skip(scene);
    }
    SomSceneItem item = {geometry, pose, *look};
    const SomColor *c = &look->color;
    if (c->r == 0 && c->g == 0 && c->b == 0 && c->a == 0) {
        item.look.color = grey;
    }
    som_array_push(&scene->items, item);
    return true;
}

bool som_scene_add_shape(SomScene *scene, const SomShape *shape, SomPose pose,
                         const SomLook *look) {
    if (shape->kind != SOM_SHAPE_COMPOUND) {
        return som_scene_add_item(scene, som_scene_add_solid(scene, shape), pose, look);
    }
    bool is_added = true;
    for (int i = 0; i < shape->part_count; i++) {
        const SomShapePart *part = &shape->parts[i];
        is_added &=
            som_scene_add_shape(scene, &part->shape, som_pose_compose(pose, part->pose), look);
    }
    return is_added;
}

bool som_scene_add_patch(SomScene *scene, const SomVec3 *corners, int count, SomColor color) {
    for (int i = 0; i < count; i++) {
        if (!is_near(corners[i])) {
            return skip(scene);
        }
    }
    for (int i = 2; i < count; i++) {
        SomScenePatch patch = {{corners[0], corners[i - 1], corners[i]}, color};
        som_array_push(&scene->patches, patch);
    }
    return count > 2;
}

bool som_scene_add_line(SomScene *scene, SomVec3 a, SomVec3 b, float width, SomColor color,
                        unsigned flags) {
    if (!is_near(a) || !is_near(b)) {
        return skip(scene);
    }
    SomSceneLine line = {a, b, width, color, flags};
    som_array_push(&scene->lines, line);
    return true;
}

// ---- things made of several

// A length of three digits or so: what is turned differs in its last bits, and each size of a cone
// is a geometry for ever.
static double round_length(double length) {
    int power;
    frexp(length, &power);
    return ldexp(round(ldexp(length, 8 - power)), power - 8);
}

// The head of an arrow, along z from the origin, its base there, with shared corners: base centre,
// tip, rim.
static int add_cone(SomScene *scene, double head) {
    double length = round_length(head), radius = HEAD_SLIMNESS * length;
    SomVec3 vertices[2 + ARROW_SIDES] = {{0, 0, 0}, {0, 0, length}};
    int32_t triangles[6 * ARROW_SIDES];
    for (int i = 0; i < ARROW_SIDES; i++) {
        double s, c;
        som_sincos(2 * SOM_PI * i / ARROW_SIDES, &s, &c);
        vertices[2 + i] = som_vec3(radius * c, radius * s, 0);
        int32_t here = 2 + i, next = 2 + (i + 1) % ARROW_SIDES;
        const int32_t pair[6] = {0, next, here, 1, here, next};
        memcpy(triangles + (size_t)6 * (size_t)i, pair, sizeof pair);
    }
    SomMesh mesh = {.vertices = vertices,
                    .triangles = triangles,
                    .vertex_count = 2 + ARROW_SIDES,
                    .triangle_count = 2 * ARROW_SIDES};
    return som_scene_add_mesh(scene, &mesh);
}

// A pose at a place whose z axis points in a direction of length 1.
static SomPose pose_along(SomVec3 place, SomVec3 z) {
    SomVec3 helper = fabs(z.x) < 0.7 ? som_vec3(1, 0, 0) : som_vec3(0, 1, 0);
    SomVec3 y = som_vec3_cross(z, helper);
    y = som_vec3_scale(1 / som_vec3_length(y), y);
    SomVec3 x = som_vec3_cross(y, z);
    return (SomPose){{{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}, place};
}

bool som_scene_add_arrow(SomScene *scene, SomVec3 a, SomVec3 b, float width, SomColor color,
                         unsigned flags) {
    SomVec3 way = som_vec3_sub(b, a);
    double length = som_vec3_length(way);
    if (!is_near(a) || !is_near(b) || !(length > 0)) {
        return skip(scene);
    }
    double head = HEAD_PART * length;
    SomVec3 direction = som_vec3_scale(1 / length, way);
    SomVec3 neck = som_vec3_sub(b, som_vec3_scale(head, direction));
    som_scene_add_line(scene, a, neck, width, color, flags);
    unsigned front = (flags & SOM_LINE_IN_FRONT) != 0 ? SOM_LOOK_IN_FRONT : 0;
    SomLook look = {.color = color, .flags = SOM_LOOK_NO_SHADOW | SOM_LOOK_NO_EDGES | front};
    return som_scene_add_item(scene, add_cone(scene, head), pose_along(neck, direction), &look);
}

bool som_scene_add_axis(SomScene *scene, SomPose frame, double length, SomColor color) {
    if (!is_sane(frame) || !(length > 0)) {
        return skip(scene);
    }
    SomVec3 half = som_pose_rotate(frame, som_vec3(0, 0, length / 2));
    SomVec3 tip = som_vec3_add(frame.position, half);
    SomVec3 neck = som_vec3_add(frame.position, som_vec3_scale(0.76, half));
    som_scene_add_line(scene, som_vec3_sub(frame.position, half), neck, 2.2f, color,
                       SOM_LINE_THROUGH);
    SomVec3 way = som_vec3_sub(tip, neck);
    double head = som_vec3_length(way);
    SomLook look = {.color = color, .flags = SOM_LOOK_NO_SHADOW | SOM_LOOK_NO_EDGES};
    return som_scene_add_item(scene, add_cone(scene, head),
                              pose_along(neck, som_vec3_scale(1 / head, way)), &look);
}

bool som_scene_add_frame(SomScene *scene, SomPose frame, double length) {
    static const SomColor colors[] = {
        {0.83f, 0.15f, 0.15f, 1}, {0.15f, 0.6f, 0.2f, 1}, {0.15f, 0.3f, 0.85f, 1}};
    if (!is_sane(frame) || !(length > 0)) {
        return skip(scene);
    }
    for (int i = 0; i < 3; i++) {
        SomVec3 axis =
            som_vec3(frame.rotation.m[0][i], frame.rotation.m[1][i], frame.rotation.m[2][i]);
        som_scene_add_arrow(scene, frame.position,
                            som_vec3_add(frame.position, som_vec3_scale(length, axis)), 2.2f,
                            colors[i], SOM_LINE_THROUGH);
    }
    return true;
}

bool som_scene_add_connector(SomScene *scene, SomPose frame, double radius, SomColor color,
                             uint32_t owner) {
    if (!is_sane(frame) || !(radius > 0 && radius < SOM_SCENE_MAX_COORDINATE)) {
        return skip(scene);
    }
    SomSceneDisc disc = {frame, radius, color, owner};
    som_array_push(&scene->discs, disc);
    SomVec3 out = som_pose_apply(frame, som_vec3(0.9 * radius, 0, 0));
    return som_scene_add_arrow(scene, frame.position, out, 2, color, 0);
}

bool som_scene_add_mark(SomScene *scene, SomMarkKind kind, SomVec3 position, float size,
                        SomColor color) {
    if (!is_near(position)) {
        return skip(scene);
    }
    SomSceneMark mark = {kind, position, size, color};
    som_array_push(&scene->marks, mark);
    return true;
}

bool som_scene_add_center_of_mass(SomScene *scene, SomVec3 position) {
    SomColor black = som_color(0.1f, 0.1f, 0.12f), ink = som_scene_ink(scene);
    if (!som_scene_add_mark(scene, SOM_MARK_CENTER_OF_MASS, position, 18, black)) {
        return false;
    }
    if (scene->ground.is_shown) {
        SomVec3 foot = som_vec3(position.x, position.y, scene->ground.height);
        som_scene_add_line(scene, position, foot, 1.6f, ink, SOM_LINE_THROUGH);
        som_scene_add_mark(scene, SOM_MARK_CROSS, foot, 12, ink);
    }
    return true;
}

void som_scene_set_ground(SomScene *scene, double height) {
    if (fabs(height) <= SOM_SCENE_MAX_COORDINATE) {
        scene->ground.is_shown = true;
        scene->ground.height = height;
    } else {
        skip(scene);
    }
}

void som_scene_clear(SomScene *scene) {
    scene->items.count = 0;
    scene->patches.count = 0;
    scene->lines.count = 0;
    scene->discs.count = 0;
    scene->marks.count = 0;
    scene->skipped = 0;
    scene->veil = 0;
}

void som_scene_free(SomScene *scene) {
    for (int i = 0; i < scene->geometries.count; i++) {
        som_mesh_free(&scene->geometries.data[i].mesh);
    }
    som_array_free(&scene->geometries);
    som_array_free(&scene->items);
    som_array_free(&scene->patches);
    som_array_free(&scene->lines);
    som_array_free(&scene->discs);
    som_array_free(&scene->marks);
    som_array_free(&scene->table);
    *scene = (SomScene){0};
}
