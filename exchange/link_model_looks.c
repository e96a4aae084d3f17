// SPDX-License-Identifier: Apache-2.0
// What links of a model are seen as and touched by, where that is a mesh.

#include "base/codes/exchange_codes.h"
#include "base/codes/space_codes.h"
#include "exchange/link_model_internal.h"
#include "space/trigonometry.h"

#include <math.h>
#include <string.h>

#define AROUND 32                                  // points of a circle
#define MAX_POINTS (2 * (AROUND / 4 * AROUND + 1)) // of a primitive: rings and tips of a capsule
#define MAX_CORNERS 256                            // of a hull; larger ones are thinned out
#define MAX_TRIANGLES 500000                       // of the looks of a link

// ---- meshes

// In the frame of the model: scaled, and turned inside out again where a scale mirrors it.
static bool load(SomImporter *importer, const SomModelLink *link, const SomModelShape *of,
                 SomMesh *mesh) {
    SomDiagnostics *unheard = som_diagnostics_create();
    SomStr path = som_arena_copy(&importer->arena, of->mesh);
    // RViz, MoveIt and Gazebo take no notice of an up axis, and robots are made to look right there
    SomMeshOptions options = {.max_triangles = MAX_TRIANGLES, .keeps_axes = true};
    bool fine = som_mesh_load(path.data, &options, mesh, unheard);
    int count;
    const SomDiagnostic *all = som_diagnostics_get(unheard, &count);
    if (!fine) {
        som_report(importer->diags, SOM_MODEL_NO_MESH, of->span, "'%s' was left out: %.*s",
                   path.data, SOM_STR_ARG(count > 0 ? all[0].message : SOM_STR("no mesh")));
    }
    som_diagnostics_destroy(unheard);
    SomPose pose = som_pose_compose(link->pose, of->pose);
    for (int i = 0; i < mesh->vertex_count; i++) {
        SomVec3 v = mesh->vertices[i];
        v = som_vec3(v.x * of->scale.x, v.y * of->scale.y, v.z * of->scale.z);
        mesh->vertices[i] = som_pose_apply(pose, v);
    }
    if (of->scale.x * of->scale.y * of->scale.z < 0) {
        for (int i = 0; i < mesh->triangle_count; i++) {
            int32_t *t = &mesh->triangles[3 * i], second = t[1];
            t[1] = t[2];
            t[2] = second;
        }
    }
    return fine;
}

// ---- hulls

// The corners that are farthest in directions all round, if there are too many.
static int thin_out(const SomHull *hull, SomVec3 *points) {
    int count = 0;
    bool *is_kept = som_alloc(sizeof *is_kept * (size_t)hull->vertex_count);
    for (int i = 0; i < 4 * MAX_CORNERS && count < MAX_CORNERS; i++) {
        double z = 1 - (2 * i + 1) / (4.0 * MAX_CORNERS), s, c; // a spiral over the ball
        som_sincos(i * 2.399963229728653, &s, &c);
        double r = sqrt(1 - z * z);
        int at = som_hull_support(hull, som_vec3(r * c, r * s, z), 0);
        if (!is_kept[at]) {
            is_kept[at] = true;
            points[count++] = hull->vertices[at];
        }
    }
    som_free(is_kept);
    return count;
}

// Why the points of a mesh have no hull.
static void report_no_hull(SomImporter *importer, const SomModelLink *link,
                           const SomModelShape *shape, const SomDiagnostics *unheard) {
    int count;
    const SomDiagnostic *all = som_diagnostics_get(unheard, &count);
    if (som_diagnostics_has(unheard, SOM_HULL_FLAT)) {
        som_report(importer->diags, SOM_MODEL_FLAT_MESH, shape->span,
                   "link '%.*s': the collision mesh '%.*s' is flat and was left out",
                   SOM_STR_ARG(link->name), SOM_STR_ARG(shape->mesh));
    } else {
        som_report(importer->diags, SOM_MODEL_NO_MESH, shape->span, "'%.*s' was left out: %.*s",
                   SOM_STR_ARG(shape->mesh),
                   SOM_STR_ARG(count > 0 ? all[0].message : SOM_STR("it has no hull")));
    }
}

int som_link_model_hull_points(SomImporter *importer, const SomModelLink *link,
                               const SomModelShape *shape, const SomVec3 **points) {
    SomMesh mesh = {0};
    if (!load(importer, link, shape, &mesh)) {
        return 0;
    }
    SomDiagnostics *unheard = som_diagnostics_create();
    SomHull *hull = som_mesh_hull(&mesh, shape->mesh, (SomSpan){0}, unheard);
    int count = 0;
    if (hull == NULL) {
        report_no_hull(importer, link, shape, unheard);
    } else {
        SomVec3 *corners =
            som_arena_new(&importer->arena, SomVec3,
                          hull->vertex_count < MAX_CORNERS ? hull->vertex_count : MAX_CORNERS);
        if (hull->vertex_count <= MAX_CORNERS) {
            count = hull->vertex_count;
            memcpy(corners, hull->vertices, sizeof *corners * (size_t)count);
        } else {
            count = thin_out(hull, corners);
        }
        *points = corners;
    }
    som_hull_destroy(hull);
    som_diagnostics_destroy(unheard);
    som_mesh_free(&mesh);
    return count;
}

// ---- looks

bool som_link_model_is_same(const SomModelShape *a, const SomModelShape *b) {
    if (a->mesh.length > 0 || b->mesh.length > 0 || a->shape.kind != b->shape.kind ||
        som_pose_distance(a->pose, b->pose) > 1e-9) {
        return false;
    }
    SomVec3 apart = som_vec3_sub(a->shape.half, b->shape.half);
    return som_vec3_length(apart) < 1e-9 && fabs(a->shape.radius - b->shape.radius) < 1e-9 &&
           fabs(a->shape.half_length - b->shape.half_length) < 1e-9;
}

static bool looks_as_it_touches(const SomModelLink *link) {
    bool is_so = link->visuals.count == link->collisions.count;
    for (int i = 0; i < link->visuals.count && is_so; i++) {
        is_so = som_link_model_is_same(&link->visuals.data[i], &link->collisions.data[i]);
    }
    return is_so || link->visuals.count == 0;
}

static void add_triangle(SomMesh *mesh, int a, int b, int c) {
    int32_t *t = &mesh->triangles[3 * mesh->triangle_count++];
    t[0] = a, t[1] = b, t[2] = c;
}

static void add_box(SomMesh *mesh, SomVec3 half) {
    static const int8_t sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int i = 0; i < 8; i++) {
        mesh->vertices[mesh->vertex_count++] =
            som_vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    }
    for (int i = 0; i < 6; i++) {
        add_triangle(mesh, sides[i][0], sides[i][1], sides[i][2]);
        add_triangle(mesh, sides[i][0], sides[i][2], sides[i][3]);
    }
}

// A circle of points, joined with the one below it.
static void add_ring(SomMesh *mesh, double radius, double z, bool is_first) {
    int first = mesh->vertex_count;
    for (int i = 0; i < AROUND; i++) {
        double s, c;
        som_sincos(i * 2 * SOM_PI / AROUND, &s, &c);
        mesh->vertices[mesh->vertex_count++] = som_vec3(radius * c, radius * s, z);
    }
    for (int i = 0; i < AROUND && !is_first; i++) {
        int next = (i + 1) % AROUND;
        add_triangle(mesh, first - AROUND + i, first - AROUND + next, first + next);
        add_triangle(mesh, first - AROUND + i, first + next, first + i);
    }
}

// Closes the last ring with a point above it, or the first, which begins at `ring`, below.
static void add_end(SomMesh *mesh, int ring, double z, bool is_above) {
    int tip = mesh->vertex_count++;
    mesh->vertices[tip] = som_vec3(0, 0, z);
    for (int i = 0; i < AROUND; i++) {
        int next = (i + 1) % AROUND;
        add_triangle(mesh, tip, ring + (is_above ? i : next), ring + (is_above ? next : i));
    }
}

// A cylinder, ball or capsule from below, of rings: those of its ends go from the middle outwards.
static void add_round(SomMesh *mesh, const SomShape *shape) {
    bool is_flat = shape->kind == SOM_SHAPE_CYLINDER, is_ball = shape->kind == SOM_SHAPE_SPHERE;
    int rings = is_flat ? 1 : AROUND / 4;
    double length = is_ball ? 0 : shape->half_length, tip = length + (is_flat ? 0 : shape->radius);
    for (int k = 1 - rings; k < rings + !is_ball; k++) { // 0 and 1 are where the ends begin
        int step = k <= 0 ? -k : k - !is_ball;
        double up, out;
        som_sincos(step * SOM_PI / 2 / rings, &up, &out);
        double z = length + shape->radius * up;
        bool is_below = k <= 0 && (!is_ball || k < 0);
        add_ring(mesh, shape->radius * out, is_below ? -z : z, k == 1 - rings);
    }
    int last = mesh->vertex_count - AROUND;
    add_end(mesh, 0, -tip, false);
    add_end(mesh, last, tip, true);
}

static bool tessellate(const SomModelLink *link, const SomModelShape *of, SomMesh *mesh) {
    mesh->vertices = som_realloc(NULL, MAX_POINTS, sizeof *mesh->vertices);
    mesh->triangles = som_realloc(NULL, 3 * 2 * MAX_POINTS, sizeof *mesh->triangles);
    if (of->shape.kind == SOM_SHAPE_BOX) {
        add_box(mesh, of->shape.half);
    } else {
        add_round(mesh, &of->shape);
    }
    SomPose pose = som_pose_compose(link->pose, of->pose);
    for (int i = 0; i < mesh->vertex_count; i++) {
        mesh->vertices[i] = som_pose_apply(pose, mesh->vertices[i]);
    }
    return true;
}

static void append(SomMesh *to, const SomMesh *from) {
    int vertices = to->vertex_count + from->vertex_count;
    int triangles = to->triangle_count + from->triangle_count;
    to->vertices = som_realloc(to->vertices, (size_t)vertices, sizeof *to->vertices);
    to->triangles = som_realloc(to->triangles, 3 * (size_t)triangles, sizeof *to->triangles);
    memcpy(to->vertices + to->vertex_count, from->vertices,
           (size_t)from->vertex_count * sizeof *to->vertices);
    for (int i = 0; i < 3 * from->triangle_count; i++) {
        to->triangles[3 * to->triangle_count + i] = from->triangles[i] + to->vertex_count;
    }
    to->vertex_count = vertices;
    to->triangle_count = triangles;
}

bool som_link_model_looks(SomImporter *importer, const SomModelLink *link, SomMesh *mesh) {
    *mesh = (SomMesh){0};
    if (looks_as_it_touches(link)) {
        return false;
    }
    for (int i = 0; i < link->visuals.count; i++) {
        const SomModelShape *of = &link->visuals.data[i];
        SomMesh piece = {0};
        bool fine =
            of->mesh.length > 0 ? load(importer, link, of, &piece) : tessellate(link, of, &piece);
        if (fine && mesh->triangle_count + piece.triangle_count <= MAX_TRIANGLES) {
            append(mesh, &piece);
        } else if (fine) {
            som_report(importer->diags, SOM_MODEL_NO_MESH, of->span,
                       "link '%.*s' would have more than %d triangles", SOM_STR_ARG(link->name),
                       MAX_TRIANGLES);
        }
        if (fine && i == 0 && piece.has_color) {
            mesh->has_color = true;
            memcpy(mesh->color, piece.color, sizeof mesh->color);
        }
        som_mesh_free(&piece);
    }
    return mesh->triangle_count > 0;
}

// ---- files

// Little-endian on every machine.
static void put_bytes(char *to, uint64_t bits, int size) {
    for (int i = 0; i < size; i++) {
        to[i] = (char)(bits >> (8 * i) & 0xff);
    }
}

void som_link_model_write_ply(const SomMesh *mesh, SomText *out) {
    som_text_printf(out,
                    "ply\nformat binary_little_endian 1.0\nelement vertex %d\n"
                    "property double x\nproperty double y\nproperty double z\n"
                    "element face %d\nproperty list uchar int vertex_indices\nend_header\n",
                    mesh->vertex_count, mesh->triangle_count);
    char bytes[24];
    for (int i = 0; i < mesh->vertex_count; i++) {
        const double values[3] = {mesh->vertices[i].x, mesh->vertices[i].y, mesh->vertices[i].z};
        for (int k = 0; k < 3; k++) {
            uint64_t bits;
            memcpy(&bits, &values[k], sizeof bits);
            put_bytes(bytes + 8 * k, bits, 8);
        }
        som_text_add(out, (SomStr){bytes, 24});
    }
    for (int i = 0; i < mesh->triangle_count; i++) {
        bytes[0] = 3;
        for (int k = 0; k < 3; k++) {
            put_bytes(bytes + 1 + 4 * k, (uint32_t)mesh->triangles[3 * i + k], 4);
        }
        som_text_add(out, (SomStr){bytes, 13});
    }
}
