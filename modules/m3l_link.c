// SPDX-License-Identifier: Apache-2.0
// Links: what they group, their hull and forms, mass and looks.

#include "modules/m3l_module_internal.h"

#include <math.h>

int som_m3l_find_link(ModuleReader *m, SomNode node) {
    SomStr name = som_m3l_name(m->r, node);
    int link = som_name_table_find(&m->link_names, name);
    if (link < 0 && !som_syntax_has_error(m->r->tree, node)) {
        if (name.length == 0) {
            som_m3l_report_value(m->r, node, "this must be the name of a link");
            return -1;
        }
        SomStr names[SOM_MAX_MODULE_LINKS];
        int count = som_m3l_gives_hints(m->r) ? m->links.count : 0;
        for (int i = 0; i < count; i++) {
            names[i] = m->links.data[i].name;
        }
        som_m3l_report_unknown(m->r, node, "link", name, names, count);
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
        int count = som_m3l_gives_hints(r) ? m->points.count : 0;
        SomStr *names = som_alloc(sizeof *names * (size_t)(count + 1));
        for (int i = 0; i < count; i++) {
            names[i] = m->points.data[i].own.name;
        }
        som_m3l_report_unknown(r, node, "point", name, names, count);
        som_free(names);
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

// ---- points of hulls and forms

static void add_points(ModuleReader *m, SomNode reference, SomM3lPoints *points) {
    SomM3lReader *r = m->r;
    int parts = som_m3l_is(r, reference, SOM_M3L_REFERENCE) ? som_m3l_part_count(r, reference) : 0;
    SomStr first = parts > 0 ? som_m3l_name(r, som_m3l_part(r, reference, 0)) : (SomStr){"", 0};
    if (parts < 1 || parts > 2 || first.length == 0) {
        som_m3l_report_value(r, reference,
                             "this must be a point such as c1, or points such as c1.point");
        return;
    }
    int point = som_name_table_find(&m->point_names, first);
    int link = som_name_table_find(&m->link_names, first);
    if (parts == 1 && point >= 0) {
        som_array_push(points, m->points.data[point].own.position);
        return;
    }
    if (parts == 1 || (point < 0 && link < 0)) {
        som_m3l_report_unknown(r, reference, "point", first, NULL, 0);
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
        som_m3l_report_unknown(r, second, "point of it", name, NULL, 0);
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
        points.count = points.count < SOM_MAX_MODULE_POINTS ? points.count : SOM_MAX_MODULE_POINTS;
    }
    SomVec3 *copy = som_arena_new(m->r->arena, SomVec3, points.count);
    for (int i = 0; i < points.count; i++) {
        copy[i] = points.data[i];
    }
    *data = copy;
    *count = points.count;
    som_array_free(&points);
}

// ---- forms

// z along `axis`, which has length 1.
static SomMat3 rotation_with_z(SomVec3 axis) {
    double ax = fabs(axis.x), ay = fabs(axis.y), az = fabs(axis.z);
    SomVec3 e = ax <= ay && ax <= az ? som_vec3(1, 0, 0)
                : ay <= az           ? som_vec3(0, 1, 0)
                                     : som_vec3(0, 0, 1);
    SomVec3 x = som_vec3_sub(e, som_vec3_scale(som_vec3_dot(e, axis), axis));
    x = som_vec3_scale(1 / som_vec3_length(x), x);
    SomVec3 y = som_vec3_cross(axis, x);
    SomMat3 r = {{{x.x, y.x, axis.x}, {x.y, y.y, axis.y}, {x.z, y.z, axis.z}}};
    return r;
}

static bool read_radius(ModuleReader *m, SomNode node, double *radius) {
    if (!som_m3l_read_number(m->r, node, SOM_DIMENSION_LENGTH, radius)) {
        return false;
    }
    if (!(*radius > 0) || *radius > 1e9) {
        som_report(m->r->diags, SOM_M3L_OUT_OF_RANGE, som_m3l_span(m->r, node),
                   "a radius must be above zero");
        return false;
    }
    return true;
}

// cylinder(from, to, radius) and capsule(from, to, radius)
static bool read_round(ModuleReader *m, SomNode call, SomFormKind kind, SomForm *form) {
    SomNode items[3];
    SomVec3 from, to;
    if (som_m3l_items(m->r, call, items, 3) != 3) {
        som_m3l_report_value(m->r, call, "this must have two points and a radius");
        return false;
    }
    if (!som_m3l_read_vector(m->r, items[0], SOM_DIMENSION_LENGTH, &from) ||
        !som_m3l_read_vector(m->r, items[1], SOM_DIMENSION_LENGTH, &to) ||
        !read_radius(m, items[2], &form->size.x)) {
        return false;
    }
    SomVec3 along = som_vec3_sub(to, from);
    double length = som_vec3_length(along);
    if (!(length > 1e-12)) {
        som_report(m->r->diags, SOM_M3L_OUT_OF_RANGE, som_m3l_span(m->r, items[1]),
                   "the two ends are one point");
        return false;
    }
    form->kind = kind;
    form->size = som_vec3(form->size.x, form->size.x, length);
    form->pose.rotation = rotation_with_z(som_vec3_scale(1 / length, along));
    form->pose.position = som_vec3_scale(0.5, som_vec3_add(from, to));
    return true;
}

static bool read_box(ModuleReader *m, SomNode call, SomForm *form) {
    SomNode items[2];
    if (som_m3l_items(m->r, call, items, 2) != 2) {
        som_m3l_report_value(m->r, call, "a box has a middle and a size: box((0,0,0), (1,2,3))");
        return false;
    }
    form->kind = SOM_FORM_BOX;
    form->pose = som_pose_identity();
    if (!som_m3l_read_vector(m->r, items[0], SOM_DIMENSION_LENGTH, &form->pose.position) ||
        !som_m3l_read_vector(m->r, items[1], SOM_DIMENSION_LENGTH, &form->size)) {
        return false;
    }
    if (!(form->size.x > 0 && form->size.y > 0 && form->size.z > 0)) {
        som_report(m->r->diags, SOM_M3L_OUT_OF_RANGE, som_m3l_span(m->r, items[1]),
                   "the edges of a box must be above zero");
        return false;
    }
    return true;
}

static bool read_sphere(ModuleReader *m, SomNode call, SomForm *form) {
    SomNode items[2];
    if (som_m3l_items(m->r, call, items, 2) != 2) {
        som_m3l_report_value(m->r, call, "a sphere has a middle and a radius");
        return false;
    }
    form->kind = SOM_FORM_SPHERE;
    form->pose = som_pose_identity();
    return som_m3l_read_vector(m->r, items[0], SOM_DIMENSION_LENGTH, &form->pose.position) &&
           read_radius(m, items[1], &form->size.x);
}

static bool read_form(ModuleReader *m, SomNode node, SomForm *form) {
    if (is_call(m, node, "box")) {
        return read_box(m, node, form);
    }
    if (is_call(m, node, "cylinder")) {
        return read_round(m, node, SOM_FORM_CYLINDER, form);
    }
    if (is_call(m, node, "capsule")) {
        return read_round(m, node, SOM_FORM_CAPSULE, form);
    }
    if (is_call(m, node, "sphere")) {
        return read_sphere(m, node, form);
    }
    if (is_call(m, node, "convex")) {
        form->kind = SOM_FORM_HULL;
        form->pose = som_pose_identity();
        read_convex(m, node, &form->points, &form->point_count);
        return form->point_count > 0;
    }
    som_m3l_report_value(m->r, node, "this must be a box, cylinder, capsule, sphere or convex");
    return false;
}

static void read_forms(ModuleReader *m, SomNode definition, SomModuleLink *link) {
    SomNode value = som_m3l_value(m->r, definition, "hull", false);
    if (value != 0 && is_call(m, value, "convex")) {
        read_convex(m, value, &link->hull, &link->hull_count);
    } else if (value != 0) {
        som_m3l_report_value(m->r, value, "a hull is written as convex(...), with points in it");
    }
    value = som_m3l_value(m->r, definition, "shape", false);
    bool is_list = som_m3l_is(m->r, value, SOM_M3L_TUPLE);
    int given = value == 0 ? 0 : is_list ? som_m3l_items(m->r, value, NULL, 0) : 1;
    SomForm *forms = som_arena_new(m->r->arena, SomForm, given + 1);
    SomNode item = value == 0 ? 0 : is_list ? som_m3l_first_item(m->r, value) : value;
    for (; item != 0; item = is_list ? som_m3l_next_item(m->r, value, item) : 0) {
        link->form_count += read_form(m, item, &forms[link->form_count]);
    }
    if (given == 0 && link->hull_count > 0) {
        forms[0] = (SomForm){.kind = SOM_FORM_HULL,
                             .pose = som_pose_identity(),
                             .points = link->hull,
                             .point_count = link->hull_count};
        link->form_count = 1;
    }
    link->forms = forms;
}

// ---- mass and looks

// A body's principal moments are positive and none exceeds the sum of the others; Sylvester's
// criterion for the moments, and the same for tr(I)/2 - I, the second moments of mass.
static bool is_positive(SomMat3 a) {
    double scale = a.m[0][0] + a.m[1][1] + a.m[2][2];
    double slack = 1e-9 * scale;
    double d2 = (a.m[0][0] + slack) * (a.m[1][1] + slack) - a.m[0][1] * a.m[0][1];
    double d3 =
        (a.m[0][0] + slack) * ((a.m[1][1] + slack) * (a.m[2][2] + slack) - a.m[1][2] * a.m[1][2]) -
        a.m[0][1] * (a.m[0][1] * (a.m[2][2] + slack) - a.m[1][2] * a.m[0][2]) +
        a.m[0][2] * (a.m[0][1] * a.m[1][2] - (a.m[1][1] + slack) * a.m[0][2]);
    return scale > 0 && a.m[0][0] >= -slack && d2 >= 0 && d3 >= 0;
}

static bool is_possible(SomMat3 inertia) {
    double half = 0.5 * (inertia.m[0][0] + inertia.m[1][1] + inertia.m[2][2]);
    SomMat3 second = inertia;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            second.m[i][j] = (i == j ? half : 0) - inertia.m[i][j];
        }
    }
    return is_positive(inertia) && is_positive(second);
}

static void read_inertia(ModuleReader *m, SomNode definition, SomModuleLink *link) {
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
    SomMat3 inertia = {{{v[0], v[3], v[4]}, {v[3], v[1], v[5]}, {v[4], v[5], v[2]}}};
    if (!is_possible(inertia)) {
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
    if (som_m3l_attribute(r, definition, "mass") != 0 &&
        som_m3l_attribute(r, definition, "density") != 0) {
        SomNode place = som_m3l_attribute(r, definition, "density");
        som_report(r->diags, SOM_M3L_ATTRIBUTE_TWICE, som_m3l_span(r, place),
                   "'density' is given beside 'mass'");
        density = 0;
    }
    link->has_mass = mass > 0 || density > 0;
    bool has_volume =
        som_module_link_weigh(link, mass, density > 0 ? density : SOM_DEFAULT_DENSITY);
    if (density > 0 && !has_volume && !som_syntax_has_error(r->tree, definition)) {
        som_report(r->diags, SOM_M3L_OUT_OF_RANGE,
                   som_m3l_span(r, som_m3l_attribute(r, definition, "density")),
                   "the link has a density but no volume");
    }
    SomNode com = som_m3l_value(r, definition, "com", false);
    if (com != 0) {
        som_m3l_read_vector(r, com, SOM_DIMENSION_LENGTH, &link->com);
    }
    read_inertia(m, definition, link);
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

void som_m3l_read_link(ModuleReader *m, SomNode definition, int index) {
    static const char *const known[] = {"grouping", "hull",  "shape",    "mass", "com",  "inertia",
                                        "density",  "color", "friction", "mesh", "note", NULL};
    SomModuleLink *link = &m->links.data[index];
    som_m3l_check_attributes(m->r, definition, known);
    read_grouping(m, definition, index);
    read_forms(m, definition, link);
    read_mass(m, definition, link);
    read_color(m, definition, link);
    link->friction = NAN;
    som_m3l_read_option(m->r, definition, "friction", SOM_DIMENSION_NUMBER, false, &link->friction);
    link->mesh = (SomStr){"", 0};
    som_m3l_read_text(m->r, som_m3l_value(m->r, definition, "mesh", false), &link->mesh);
}
