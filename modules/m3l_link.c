// SPDX-License-Identifier: Apache-2.0
// Links: what they group, their hull and shapes, mass and looks.

#include "base/codes/modules_codes.h"
#include "modules/m3l_module_internal.h"

#include <math.h>

#define MAX_PARTS 1024 // shapes of one link

int som_m3l_find_link(ModuleReader *m, SomNode node) {
    SomStr name = som_m3l_name(m->r, node);
    int link = som_name_table_find(&m->link_names, name);
    if (link < 0 && !som_syntax_has_error(m->r->tree, node)) {
        if (name.length == 0) {
            som_m3l_report_value(m->r, node, "this must be the name of a link");
            return -1;
        }
        som_m3l_report_unknown(m->r, node, "link", name,
                               SOM_M3L_NAMES(m->links.data, name, m->links.count));
    }
    return link;
}

// ---- grouping

static void group_point(ModuleReader *m, SomNode node, int link) {
    SomM3lReader *r = m->r;
    SomStr name = som_m3l_name(r, node);
    const PointOwner *owner = &m->link_points.data[link];
    for (int i = 0; i < owner->mark_count; i++) {
        if (som_str_equal(owner->marks[i].name, name)) {
            return; // its own point, grouped anyway
        }
    }
    int point = som_name_table_find(&m->point_names, name);
    if (point < 0) {
        som_m3l_report_unknown(r, node, "point", name,
                               SOM_M3L_NAMES(m->points.data, own.name, m->points.count));
        return;
    }
    PlacedPoint *placed = &m->points.data[point];
    if (placed->link >= 0) {
        som_report(r->diags, SOM_M3L_GROUPED_TWICE, som_m3l_span(r, node),
                   "point '%.*s' is grouped twice", SOM_STR_ARG(name));
        som_note(r->diags, som_m3l_span(r, placed->grouped_at), "it is in link '%.*s' here",
                 SOM_STR_ARG(m->links.data[placed->link].name));
        return;
    }
    placed->link = link;
    placed->grouped_at = node;
}

static void read_grouping(ModuleReader *m, SomNode definition, int link) {
    SomM3lReader *r = m->r;
    SomNode value = som_m3l_value(r, definition, "grouping", false);
    SomNode item = value != 0 ? som_m3l_first_item(r, value) : 0;
    for (int n = 0; item != 0; item = som_m3l_next_item(r, value, item), n++) {
        if (n == SOM_MAX_MODULE_POINTS) {
            som_report(r->diags, SOM_M3L_TOO_MUCH, som_m3l_span(r, item),
                       "a grouping has at most %d points", SOM_MAX_MODULE_POINTS);
            return;
        }
        if (som_m3l_name(r, item).length > 0) {
            group_point(m, item, link);
        } else {
            som_m3l_report_value(r, item, "this must be the name of a point");
        }
    }
}

// ---- points of hulls and shapes

// A point by its name, all points of one, or coordinates.
static void add_points(ModuleReader *m, SomNode reference, SomM3lPoints *points) {
    SomM3lReader *r = m->r;
    SomVec3 position;
    if (som_m3l_is(r, reference, SOM_M3L_TUPLE)) {
        if (som_m3l_read_vector(r, reference, SOM_DIMENSION_LENGTH, &position)) {
            som_array_push(points, position);
        }
        return;
    }
    int parts = som_m3l_is(r, reference, SOM_M3L_REFERENCE) ? som_m3l_part_count(r, reference) : 0;
    SomStr first = parts > 0 ? som_m3l_name(r, som_m3l_part(r, reference, 0)) : (SomStr){"", 0};
    if (parts < 1 || parts > 2 || first.length == 0) {
        som_m3l_report_value(r, reference,
                             "this must be a point such as c1 or (1, 0, 2), or points such as "
                             "c1.point");
        return;
    }
    int point = som_name_table_find(&m->point_names, first);
    int link = som_name_table_find(&m->link_names, first);
    if (parts == 1 && point >= 0) {
        som_array_push(points, m->points.data[point].own.position);
        return;
    }
    if (parts == 1 || (point < 0 && link < 0)) {
        som_m3l_report_unknown(r, som_m3l_part(r, reference, 0), "point", first,
                               SOM_M3L_NAMES(m->points.data, own.name, m->points.count));
        return;
    }
    const PointOwner *owner = point >= 0 ? &m->points.data[point].own : &m->link_points.data[link];
    SomNode second = som_m3l_part(r, reference, 1);
    SomStr name = som_m3l_name(r, second);
    bool is_all = som_str_equal(name, SOM_STR("point"));
    bool is_found = is_all;
    for (int i = 0; i < owner->mark_count; i++) {
        if (is_all || som_str_equal(owner->marks[i].name, name)) {
            som_array_push(points, owner->marks[i].position);
            is_found = true;
        }
    }
    if (!is_found) {
        som_m3l_report_unknown(r, second, "point of it", name,
                               SOM_M3L_NAMES(owner->marks, name, owner->mark_count));
    }
}

static bool is_call(ModuleReader *m, SomNode node, const char *name) {
    return som_m3l_is(m->r, node, SOM_M3L_CALL) &&
           som_str_equal(som_syntax_text(m->r->tree, som_syntax_first_child(m->r->tree, node)),
                         som_str(name));
}

// convex(refs)
static void read_convex(ModuleReader *m, SomNode call, const SomVec3 **data, int *count) {
    SomM3lPoints points = {0};
    SomNode item = som_m3l_first_item(m->r, call);
    int items = 0;
    while (item != 0 && items++ < SOM_MAX_MODULE_POINTS && points.count <= SOM_MAX_MODULE_POINTS) {
        add_points(m, item, &points);
        item = som_m3l_next_item(m->r, call, item);
    }
    if (item != 0 || points.count > SOM_MAX_MODULE_POINTS) {
        som_report(m->r->diags, SOM_M3L_TOO_MUCH, som_m3l_span(m->r, call),
                   "a hull has at most %d points", SOM_MAX_MODULE_POINTS);
        points.count = 0;
    } else if (points.count > m->r->hull_points_left) {
        if (m->r->hull_points_left >= 0) {
            som_report(m->r->diags, SOM_M3L_TOO_MUCH, som_m3l_span(m->r, call),
                       "the hulls of a file have at most %d points", SOM_M3L_MAX_HULL_POINTS);
        }
        m->r->hull_points_left = -1; // once is enough
        points.count = 0;
    } else {
        m->r->hull_points_left -= points.count;
    }
    *data = som_m3l_keep(m->r, SomVec3, points);
    *count = points.count;
    som_array_free(&points);
}

// ---- shapes

// cylinder(from, to, radius) and capsule(from, to, radius)
static bool read_round(ModuleReader *m, SomNode call, bool is_capsule, SomShapePart *part) {
    SomNode items[3];
    SomVec3 from, to;
    double radius;
    if (som_m3l_items(m->r, call, items, 3) != 3) {
        som_m3l_report_value(m->r, call, "this must have two points and a radius");
        return false;
    }
    if (!som_m3l_read_vector(m->r, items[0], SOM_DIMENSION_LENGTH, &from) ||
        !som_m3l_read_vector(m->r, items[1], SOM_DIMENSION_LENGTH, &to) ||
        !som_m3l_read_number(m->r, items[2], SOM_DIMENSION_LENGTH, &radius)) {
        return false;
    }
    SomVec3 along = som_vec3_sub(to, from);
    double length = som_vec3_length(along);
    SomSpan span = som_m3l_span(m->r, call);
    bool is_good = is_capsule ? som_shape_capsule(&part->shape, radius, length, span, m->r->diags)
                              : som_shape_cylinder(&part->shape, radius, length, span, m->r->diags);
    if (is_good) { // so the length is not zero
        part->pose.rotation = som_m3l_rotation_about(som_vec3_scale(1 / length, along));
        part->pose.position = som_vec3_scale(0.5, som_vec3_add(from, to));
    }
    return is_good;
}

// box(middle, size) or box(middle, size, (roll, pitch, yaw))
static bool read_box(ModuleReader *m, SomNode call, SomShapePart *part) {
    SomNode items[3];
    SomVec3 size, turn;
    int count = som_m3l_items(m->r, call, items, 3);
    if (count != 2 && count != 3) {
        som_m3l_report_value(m->r, call,
                             "a box has a middle and a size: box((0,0,0), (1,2,3)); a turned one "
                             "also roll, pitch and yaw");
        return false;
    }
    part->pose = som_pose_identity();
    if (count == 3) {
        if (!som_m3l_read_vector(m->r, items[2], SOM_DIMENSION_ANGLE, &turn)) {
            return false;
        }
        part->pose.rotation =
            som_mat3_multiply(som_rotation_z(turn.z),
                              som_mat3_multiply(som_rotation_y(turn.y), som_rotation_x(turn.x)));
    }
    return som_m3l_read_vector(m->r, items[0], SOM_DIMENSION_LENGTH, &part->pose.position) &&
           som_m3l_read_vector(m->r, items[1], SOM_DIMENSION_LENGTH, &size) &&
           som_shape_box(&part->shape, size, som_m3l_span(m->r, call), m->r->diags);
}

// sphere(middle, radius)
static bool read_sphere(ModuleReader *m, SomNode call, SomShapePart *part) {
    SomNode items[2];
    double radius;
    if (som_m3l_items(m->r, call, items, 2) != 2) {
        som_m3l_report_value(m->r, call, "a sphere has a middle and a radius");
        return false;
    }
    part->pose = som_pose_identity();
    return som_m3l_read_vector(m->r, items[0], SOM_DIMENSION_LENGTH, &part->pose.position) &&
           som_m3l_read_number(m->r, items[1], SOM_DIMENSION_LENGTH, &radius) &&
           som_shape_sphere(&part->shape, radius, som_m3l_span(m->r, call), m->r->diags);
}

// convex(points)
static bool read_solid(ModuleReader *m, SomNode call, SomShapePart *part, SomGivenPoints *given) {
    part->pose = som_pose_identity();
    read_convex(m, call, &given->points, &given->count);
    return given->count > 0 && som_shape_hull(&part->shape, given->points, given->count,
                                              som_m3l_span(m->r, call), m->r->diags);
}

static bool read_part(ModuleReader *m, SomNode node, SomShapePart *part, SomGivenPoints *given) {
    *given = (SomGivenPoints){0};
    if (is_call(m, node, "box")) {
        return read_box(m, node, part);
    }
    if (is_call(m, node, "cylinder") || is_call(m, node, "capsule")) {
        return read_round(m, node, is_call(m, node, "capsule"), part);
    }
    if (is_call(m, node, "sphere")) {
        return read_sphere(m, node, part);
    }
    if (is_call(m, node, "convex")) {
        return read_solid(m, node, part, given);
    }
    som_m3l_report_value(m->r, node, "this must be a box, cylinder, capsule, sphere or convex");
    return false;
}

static void read_parts(ModuleReader *m, SomNode definition, SomModuleLink *link) {
    SomM3lReader *r = m->r;
    SomNode value = som_m3l_value(r, definition, "hull", false);
    if (value != 0 && is_call(m, value, "convex")) {
        read_convex(m, value, &link->hull, &link->hull_count);
    } else if (value != 0) {
        som_m3l_report_value(r, value, "a hull is written as convex(...), with points in it");
    }
    value = som_m3l_value(r, definition, "shape", false);
    bool is_list = som_m3l_is(r, value, SOM_M3L_TUPLE);
    int given = value == 0 ? 0 : is_list ? som_m3l_items(r, value, NULL, 0) : 1;
    if (given > MAX_PARTS) {
        som_report(r->diags, SOM_M3L_TOO_MUCH, som_m3l_span(r, value),
                   "a link has at most %d shapes", MAX_PARTS);
        return;
    }
    SomShapePart *parts = som_arena_new(r->arena, SomShapePart, given + 1);
    SomGivenPoints *points = som_arena_new(r->arena, SomGivenPoints, given + 1);
    SomNode item = given == 0 ? 0 : is_list ? som_m3l_first_item(r, value) : value;
    for (; item != 0; item = is_list ? som_m3l_next_item(r, value, item) : 0) {
        int part = link->part_count;
        link->part_count += read_part(m, item, &parts[part], &points[part]);
    }
    if (given == 0 && link->hull_count > 0) {
        SomDiagnostics *unseen = som_diagnostics_create(); // a flat hull is allowed
        parts[0].pose = som_pose_identity();
        link->part_count =
            som_shape_hull(&parts[0].shape, link->hull, link->hull_count, (SomSpan){0}, unseen);
        points[0] = (SomGivenPoints){link->hull, link->hull_count};
        som_diagnostics_destroy(unseen);
    }
    link->parts = parts;
    link->given = points;
}

// ---- mass and looks

// Of the link's parts, all of one density.
static SomInertia weigh(const SomModuleLink *link, double density) {
    SomInertia sum = {0};
    for (int i = 0; i < link->part_count; i++) {
        const SomShapePart *part = &link->parts[i];
        SomInertia own =
            som_inertia_transform(part->pose, som_shape_inertia(&part->shape, density));
        sum = i == 0 ? own : som_inertia_add(sum, own);
    }
    return sum;
}

static void read_moments(ModuleReader *m, SomNode definition, SomModuleLink *link) {
    SomNode value = som_m3l_value(m->r, definition, "inertia", false);
    SomNode items[6];
    double v[6] = {0};
    if (value == 0) {
        return;
    }
    int count = som_m3l_items(m->r, value, items, 6);
    if (count != 3 && count != 6) {
        som_m3l_report_value(m->r, value, "an inertia is (xx, yy, zz) or (xx, yy, zz, xy, xz, yz)");
        return;
    }
    for (int i = 0; i < count; i++) {
        if (!som_m3l_read_number(m->r, items[i], SOM_DIMENSION_INERTIA, &v[i])) {
            return;
        }
    }
    SomInertia inertia = link->inertia;
    inertia.moments = (SomMat3){{{v[0], v[3], v[4]}, {v[3], v[1], v[5]}, {v[4], v[5], v[2]}}};
    if (!som_inertia_is_physical(inertia) || !(v[0] + v[1] + v[2] < SOM_M3L_LARGEST_OPTION)) {
        som_report(m->r->diags, SOM_M3L_IMPOSSIBLE_INERTIA, som_m3l_span(m->r, value),
                   "no body has this inertia");
        return;
    }
    link->inertia = inertia;
}

static void read_mass(ModuleReader *m, SomNode definition, SomModuleLink *link) {
    SomM3lReader *r = m->r;
    double mass = 0, density = 0;
    som_m3l_read_option(r, definition, "mass", SOM_DIMENSION_MASS, true, &mass);
    som_m3l_read_option(r, definition, "density", SOM_DIMENSION_DENSITY, true, &density);
    SomNode density_node = som_m3l_attribute(r, definition, "density");
    if (mass > 0 && density_node != 0) {
        som_report(r->diags, SOM_M3L_ATTRIBUTE_TWICE, som_m3l_span(r, density_node),
                   "'density' is given beside 'mass'");
    }
    link->has_mass = mass > 0 || density > 0;
    link->inertia = weigh(link, density > 0 ? density : SOM_DEFAULT_DENSITY);
    if (mass > 0 && link->inertia.mass > 0) {
        link->inertia = som_inertia_with_mass(link->inertia, mass);
    } else if (mass > 0) {
        link->inertia.mass = mass; // a point, as far as is known
    }
    SomNode com = som_m3l_value(r, definition, "com", false);
    if (com != 0) {
        som_m3l_read_vector(r, com, SOM_DIMENSION_LENGTH, &link->inertia.center);
    }
    read_moments(m, definition, link);
}

static void read_color(ModuleReader *m, SomNode definition, SomModuleLink *link) {
    SomNode value = som_m3l_value(m->r, definition, "color", false);
    SomNode items[4];
    double color[4] = {0, 0, 0, 1};
    if (value == 0) {
        return;
    }
    int count = som_m3l_items(m->r, value, items, 4);
    if (count != 3 && count != 4) {
        som_m3l_report_value(m->r, value, "a color is (red, green, blue), each from 0 to 1");
        return;
    }
    for (int i = 0; i < count; i++) {
        if (!som_m3l_read_number(m->r, items[i], SOM_DIMENSION_NUMBER, &color[i])) {
            return;
        }
        if (!(color[i] >= 0 && color[i] <= 1)) {
            som_report(m->r->diags, SOM_M3L_OUT_OF_RANGE, som_m3l_span(m->r, items[i]),
                       "a part of a color is a number from 0 to 1");
            return;
        }
    }
    memcpy(link->color, color, sizeof color);
}

// A path from the folder of the file downwards: a file from elsewhere must not make a program open
// what it likes.
static bool stays_inside(SomStr path) {
    bool is_inside = path.length > 0 && path.data[0] != '/';
    size_t begin = 0;
    for (size_t i = 0; i <= path.length && is_inside; i++) {
        if (i < path.length && path.data[i] != '/') {
            is_inside = path.data[i] != '\\' && path.data[i] != ':' && path.data[i] != '\0';
        } else {
            is_inside = i > begin && !som_str_equal(som_str_slice(path, begin, i), SOM_STR(".."));
            begin = i + 1;
        }
    }
    return is_inside;
}

static void read_mesh(ModuleReader *m, SomNode definition, SomModuleLink *link) {
    SomNode value = som_m3l_value(m->r, definition, "mesh", false);
    SomStr path;
    link->mesh = (SomStr){"", 0};
    if (!som_m3l_read_text(m->r, value, &path)) {
        return;
    }
    if (!stays_inside(path)) {
        som_report(m->r->diags, SOM_M3L_MESH_OUTSIDE, som_m3l_span(m->r, value),
                   "'%.*s' is outside the folder of this file", SOM_STR_ARG(path));
        return;
    }
    link->mesh = path;
}

void som_m3l_read_link(ModuleReader *m, SomNode definition, int index) {
    static const char *const known[] = {"grouping", "hull",    "shape", "mass",     "com",
                                        "inertia",  "density", "color", "friction", "mesh",
                                        "note",     "frame",   "urdf",  "sdf",      NULL};
    SomModuleLink *link = &m->links.data[index];
    int errors = som_diagnostics_error_count(m->r->diags);
    som_m3l_check_attributes(m->r, definition, known);
    read_grouping(m, definition, index);
    read_parts(m, definition, link);
    if (som_diagnostics_error_count(m->r->diags) > errors) {
        m->link_points.data[index].is_bad = true;
    }
    read_mass(m, definition, link);
    read_color(m, definition, link);
    link->friction = (double)NAN;
    som_m3l_read_option(m->r, definition, "friction", SOM_DIMENSION_NUMBER, false, &link->friction);
    read_mesh(m, definition, link);
    link->frame = som_pose_identity();
    som_m3l_read_kept(m->r, definition, &link->kept);
}

void som_m3l_read_link_frames(ModuleReader *m) {
    for (int i = 0; i < m->links.count; i++) {
        SomNode value = som_m3l_value(m->r, m->link_points.data[i].node, "frame", false);
        SomStr name = value != 0 ? som_m3l_name(m->r, value) : (SomStr){"", 0};
        int frame = m->frames.count - 1;
        while (frame >= 0 && !som_str_equal(m->frames.data[frame].name, name)) {
            frame--;
        }
        if (frame >= 0 && m->frames.data[frame].link == i) {
            m->links.data[i].frame = m->frames.data[frame].pose;
        } else if (value != 0 && !m->has_bad_text) {
            som_m3l_report_value(m->r, value, "this must be the name of a frame in this link");
        }
    }
}
