// SPDX-License-Identifier: Apache-2.0
// VRML97: the surfaces of shapes. Round ones are drawn with corners on the surface.

#include "base/codes/space_codes.h"
#include "base/number.h"
#include "space/trigonometry.h"
#include "space/vrml_internal.h"

#include <math.h>

// Corners around a round shape, and rings of a ball: about half a hundredth of the volume is cut
// off.
#define AROUND 48
#define RINGS 24

// A surface being added.
typedef struct Surface {
    SomVrml *vrml;
    const SomPose *place;
    size_t at;        // where the node stands
    bool is_reversed; // its polygons are clockwise, by what it says or by a mirror
    SOM_ARRAY(SomVec3) points;
    SOM_ARRAY(SomVec3) corners; // of one polygon
} Surface;

static double determinant(SomMat3 a) {
    SomVec3 x = {a.m[0][0], a.m[0][1], a.m[0][2]}, y = {a.m[1][0], a.m[1][1], a.m[1][2]};
    return som_vec3_dot(som_vec3_cross(x, y), som_vec3(a.m[2][0], a.m[2][1], a.m[2][2]));
}

static bool add_polygon(Surface *surface, const SomVec3 *corners, int count, size_t at) {
    SomVec3 *p = som_alloc((size_t)count * sizeof *p);
    for (int i = 0; i < count; i++) {
        p[i] = som_pose_apply(*surface->place, corners[surface->is_reversed ? count - 1 - i : i]);
    }
    bool good = som_mesh_add_polygon(surface->vrml->reader, p, count, at);
    som_free(p);
    return good;
}

// Sizes of a node: given or not, each must be positive.
static bool read_sizes(Surface *surface, const SomVrmlNode *node, const char *field, size_t at,
                       double *sizes, int count) {
    if (!som_vrml_read_numbers(surface->vrml, at, sizes, count)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (!(sizes[i] > 0)) {
            return som_mesh_fail(surface->vrml->reader, SOM_MESH_SYNTAX, at,
                                 "the '%s' of a %.*s is not positive", field,
                                 SOM_MESH_WORD_ARG(node->type));
        }
    }
    return true;
}

static bool add_box(Surface *surface, const SomVrmlNode *node) {
    static const char *const names[] = {"size"};
    // corners by bits: 1 is +x, 2 is +y, 4 is +z
    static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    size_t value;
    double size[3] = {2, 2, 2};
    if (!som_vrml_find_fields(surface->vrml, node, names, &value, 1) ||
        !read_sizes(surface, node, "size", value, size, 3)) {
        return false;
    }
    for (int i = 0; i < 6; i++) {
        SomVec3 p[4];
        for (int k = 0; k < 4; k++) {
            int bits = faces[i][k];
            p[k] = som_vec3(bits & 1 ? size[0] / 2 : -size[0] / 2,
                            bits & 2 ? size[1] / 2 : -size[1] / 2,
                            bits & 4 ? size[2] / 2 : -size[2] / 2);
        }
        if (!add_polygon(surface, p, 4, surface->at)) {
            return false;
        }
    }
    return true;
}

static SomVec3 turned(double radius, double y, int step) {
    double sine, cosine;
    som_sincos(2 * SOM_PI * (step % AROUND) / AROUND, &sine, &cosine);
    return som_vec3(radius * sine, y, radius * cosine);
}

// The ring that a line from (r0, y0) to (r1, y1) sweeps about the y axis, seen from its right.
static bool add_ring(Surface *surface, double r0, double y0, double r1, double y1) {
    for (int i = 0; i < AROUND; i++) {
        SomVec3 p[4];
        int count = 0;
        p[count++] = turned(r0, y0, i);
        if (r0 > 0) {
            p[count++] = turned(r0, y0, i + 1);
        }
        p[count++] = turned(r1, y1, i + 1);
        if (r1 > 0) {
            p[count++] = turned(r1, y1, i);
        }
        if (!add_polygon(surface, p, count, surface->at)) {
            return false;
        }
    }
    return true;
}

static bool add_sphere(Surface *surface, const SomVrmlNode *node) {
    static const char *const names[] = {"radius"};
    size_t value;
    double radius = 1;
    if (!som_vrml_find_fields(surface->vrml, node, names, &value, 1) ||
        !read_sizes(surface, node, "radius", value, &radius, 1)) {
        return false;
    }
    double r0 = 0, y0 = -radius;
    for (int i = 1; i <= RINGS; i++) {
        double sine, cosine;
        som_sincos(SOM_PI * i / RINGS, &sine, &cosine);
        double r1 = i < RINGS ? radius * sine : 0, y1 = i < RINGS ? -radius * cosine : radius;
        if (!add_ring(surface, r0, y0, r1, y1)) {
            return false;
        }
        r0 = r1;
        y0 = y1;
    }
    return true;
}

// A cylinder, or with no radius at the top a cone.
static bool add_column(Surface *surface, const SomVrmlNode *node) {
    bool is_cone = som_vrml_is(node->type, "Cone");
    const char *const names[] = {is_cone ? "bottomRadius" : "radius", "height", "side", "bottom",
                                 "top"};
    size_t values[5];
    double radius = 1, height = 2;
    bool side = true, bottom = true, top = true;
    SomVrml *vrml = surface->vrml;
    if (!som_vrml_find_fields(vrml, node, names, values, 5) ||
        !read_sizes(surface, node, names[0], values[0], &radius, 1) ||
        !read_sizes(surface, node, names[1], values[1], &height, 1) ||
        !som_vrml_read_flag(vrml, values[2], &side) ||
        !som_vrml_read_flag(vrml, values[3], &bottom) ||
        (!is_cone && !som_vrml_read_flag(vrml, values[4], &top))) {
        return false;
    }
    double high = height / 2, upper = is_cone ? 0 : radius;
    return (!bottom || add_ring(surface, 0, -high, radius, -high)) &&
           (!side || add_ring(surface, radius, -high, upper, high)) &&
           (is_cone || !top || add_ring(surface, radius, high, 0, high));
}

// The points of a Coordinate node.
static bool read_points(Surface *surface, size_t at) {
    static const char *const names[] = {"point"};
    SomVrml *vrml = surface->vrml;
    SomMeshReader *reader = vrml->reader;
    SomVrmlNode node = {0};
    size_t value;
    if (at == SOM_MESH_NOWHERE) {
        return true;
    }
    if (!som_vrml_enter(vrml, at, &node)) {
        return false;
    }
    if (node.type.length == 0) {
        return true;
    }
    if (!som_vrml_find_fields(vrml, &node, names, &value, 1)) {
        return false;
    }
    int most = 3 * reader->options.max_triangles;
    SomVrmlList list = som_vrml_list(vrml, value);
    double p[3];
    while (som_vrml_next_number(vrml, &list, &p[0])) {
        for (int i = 1; i < 3; i++) {
            if (!som_vrml_next_number(vrml, &list, &p[i])) {
                return reader->complaint.code == SOM_NO_CODE
                           ? som_mesh_fail(reader, SOM_MESH_SYNTAX, list.at,
                                           "a point has fewer than three coordinates")
                           : false;
            }
        }
        if (surface->points.count == most) {
            return som_mesh_fail(reader, SOM_MESH_TOO_MANY_TRIANGLES, SOM_MESH_NOWHERE,
                                 "it has more than %d vertices", most);
        }
        som_array_push(&surface->points, som_vec3(p[0], p[1], p[2]));
    }
    return reader->complaint.code == SOM_NO_CODE;
}

static bool add_corner(Surface *surface, double index, size_t at) {
    SomMeshReader *reader = surface->vrml->reader;
    if (!(0 <= index && index < surface->points.count) || index != floor(index)) {
        char text[SOM_NUMBER_TEXT];
        som_number_print(index, text);
        return som_mesh_fail(reader, SOM_MESH_NO_SUCH_VERTEX, at,
                             "a face has point %s, but there are %d (counted from 0)", text,
                             surface->points.count);
    }
    if (surface->corners.count - 2 == reader->options.max_triangles) {
        return som_mesh_fail(reader, SOM_MESH_TOO_MANY_TRIANGLES, at,
                             "one face has more than %d triangles", reader->options.max_triangles);
    }
    som_array_push(&surface->corners, surface->points.data[(int)index]);
    return true;
}

static bool end_face(Surface *surface, size_t at) {
    int count = surface->corners.count;
    surface->corners.count = 0;
    if (count >= 3) {
        return add_polygon(surface, surface->corners.data, count, at);
    }
    surface->vrml->reader->dropped += count > 0;
    return true;
}

static bool add_faces(Surface *surface, const SomVrmlNode *node) {
    static const char *const names[] = {"coord", "coordIndex", "ccw"};
    SomVrml *vrml = surface->vrml;
    size_t values[3];
    bool ccw = true;
    if (!som_vrml_find_fields(vrml, node, names, values, 3) ||
        !som_vrml_read_flag(vrml, values[2], &ccw) || !read_points(surface, values[0])) {
        return false;
    }
    surface->is_reversed ^= !ccw;
    SomVrmlList list = som_vrml_list(vrml, values[1]);
    double index;
    while (som_vrml_next_number(vrml, &list, &index)) {
        if (!(index == -1 ? end_face(surface, list.at) : add_corner(surface, index, list.at))) {
            return false;
        }
    }
    return vrml->reader->complaint.code == SOM_NO_CODE && end_face(surface, list.at);
}

// Lines and points are counted and left out.
static bool count_lines(Surface *surface, const SomVrmlNode *node) {
    static const char *const names[] = {"coord", "coordIndex"};
    SomVrml *vrml = surface->vrml;
    size_t values[2];
    if (!som_vrml_find_fields(vrml, node, names, values, 2)) {
        return false;
    }
    if (som_vrml_is(node->type, "PointSet")) {
        bool good = read_points(surface, values[0]);
        vrml->reader->dropped += surface->points.count;
        return good;
    }
    SomVrmlList list = som_vrml_list(vrml, values[1]);
    double index, before = -1;
    while (som_vrml_next_number(vrml, &list, &index)) {
        vrml->reader->dropped += before < 0 && index >= 0;
        before = index;
    }
    return vrml->reader->complaint.code == SOM_NO_CODE;
}

// Heights over a grid of x and z, row after row along x.
static bool add_grid(Surface *surface, const SomVrmlNode *node) {
    static const char *const names[] = {"xDimension", "zDimension", "xSpacing",
                                        "zSpacing",   "height",     "ccw"};
    SomVrml *vrml = surface->vrml;
    size_t values[6];
    double wide = 0, deep = 0, dx = 1, dz = 1, height;
    bool ccw = true;
    if (!som_vrml_find_fields(vrml, node, names, values, 6) ||
        !som_vrml_read_numbers(vrml, values[0], &wide, 1) ||
        !som_vrml_read_numbers(vrml, values[1], &deep, 1) ||
        !read_sizes(surface, node, names[2], values[2], &dx, 1) ||
        !read_sizes(surface, node, names[3], values[3], &dz, 1) ||
        !som_vrml_read_flag(vrml, values[5], &ccw)) {
        return false;
    }
    surface->is_reversed ^= !ccw;
    int most = 3 * vrml->reader->options.max_triangles;
    bool fits =
        wide >= 0 && deep >= 0 && wide * deep <= most && wide == floor(wide) && deep == floor(deep);
    int columns = fits ? (int)wide : 0, rows = fits ? (int)deep : 0;
    SomVrmlList list = som_vrml_list(vrml, values[4]);
    while (fits && surface->points.count < columns * rows &&
           som_vrml_next_number(vrml, &list, &height)) {
        int i = surface->points.count;
        som_array_push(&surface->points, som_vec3(i % columns * dx, height, i / columns * dz));
    }
    if (vrml->reader->complaint.code != SOM_NO_CODE) {
        return false;
    }
    if (!fits || surface->points.count < columns * rows) {
        return som_mesh_fail(vrml->reader, SOM_MESH_SYNTAX, surface->at,
                             "an ElevationGrid needs xDimension times zDimension heights");
    }
    for (int i = 0; i < columns * rows; i++) {
        const SomVec3 *p = &surface->points.data[i];
        if (i % columns + 1 < columns && i / columns + 1 < rows) {
            SomVec3 corners[4] = {p[0], p[columns], p[columns + 1], p[1]};
            if (!add_polygon(surface, corners, 4, surface->at)) {
                return false;
            }
        }
    }
    return true;
}

bool som_vrml_add_geometry(SomVrml *vrml, const SomVrmlNode *node, const SomPose *place) {
    static const struct {
        const char *type;
        bool (*add)(Surface *surface, const SomVrmlNode *node);
    } kinds[] = {
        {"IndexedFaceSet", add_faces},   {"Box", add_box},          {"Sphere", add_sphere},
        {"Cylinder", add_column},        {"Cone", add_column},      {"ElevationGrid", add_grid},
        {"IndexedLineSet", count_lines}, {"PointSet", count_lines},
    };
    Surface surface = {.vrml = vrml,
                       .place = place,
                       .at = node->body,
                       .is_reversed = determinant(place->rotation) < 0};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (som_vrml_is(node->type, kinds[i].type)) {
            bool good = kinds[i].add(&surface, node);
            som_array_free(&surface.points);
            som_array_free(&surface.corners);
            return good;
        }
    }
    som_vrml_leave_out(vrml, node);
    return true;
}
