// SPDX-License-Identifier: Apache-2.0
// Connectors: points with marks, properties, strength, and a frame that follows from their link.

#include "base/codes/modules_codes.h"
#include "modules/m3l_module_internal.h"
#include "space/trigonometry.h"

#include <math.h>

// Attributes of a point that are not properties for conditions; `connector` is both.
#define OWN_COUNT 12
static const SomStr own_attributes[OWN_COUNT] = {
    {"connector", 9},     {"coords", 6}, {"alias", 5},   {"angles", 6},
    {"tension", 7},       {"shear", 5},  {"bending", 7}, {"connect_time", 12},
    {"release_time", 12}, {"out", 3},    {"reach", 5},   {"reach_angle", 11}};

static bool is_own(SomStr name) {
    int i = 1;
    while (i < OWN_COUNT && !som_str_equal(name, own_attributes[i])) {
        i++;
    }
    return i < OWN_COUNT;
}

void som_m3l_check_properties(SomM3lReader *r, SomNode definition) {
    SomNameTable seen = {0};
    SomNode node = som_syntax_find_child(r->tree, definition, SOM_M3L_ATTRIBUTE);
    for (; node != 0; node = som_syntax_find_next(r->tree, node, SOM_M3L_ATTRIBUTE)) {
        SomStr name = som_m3l_attribute_name(r, node);
        SomSpan span = som_m3l_span(r, som_syntax_first_child(r->tree, node));
        if (som_name_table_add(&seen, name, 0) >= 0) {
            som_report(r->diags, SOM_M3L_ATTRIBUTE_TWICE, span, "'%.*s' is given twice",
                       SOM_STR_ARG(name));
            continue;
        }
        int nearest = som_str_find_nearest(name, own_attributes, OWN_COUNT);
        if (nearest >= 0 && !som_str_equal(name, own_attributes[nearest]) &&
            r->suspects.count < SOM_M3L_MAX_SUSPECTS) {
            som_array_push(&r->suspects, ((SomM3lSuspect){name, span, own_attributes[nearest]}));
        }
    }
    som_name_table_free(&seen);
}

void som_m3l_report_suspects(SomM3lReader *r) {
    for (int i = 0; i < r->suspects.count; i++) {
        const SomM3lSuspect *suspect = &r->suspects.data[i];
        if (som_name_table_find(&r->property_names, suspect->name) < 0) {
            som_report(r->diags, SOM_M3L_UNUSED_PROPERTY, suspect->span,
                       "no condition asks for '%.*s'; is '%.*s' meant?", SOM_STR_ARG(suspect->name),
                       SOM_STR_ARG(suspect->near));
            if (suspect->span.source1 != 0) {
                som_fix(r->diags, suspect->span, suspect->near);
            }
        }
    }
}

// ---- aliases

// (name, sign, zero), the last two optional
static bool read_alias(SomM3lReader *r, SomNode node, bool is_joint, SomDimensionName dimension,
                       SomAlias *alias) {
    *alias = (SomAlias){som_m3l_name(r, node), 1, 0};
    if (alias->name.length > 0) {
        return true;
    }
    SomNode items[3];
    int count = som_m3l_is(r, node, SOM_M3L_TUPLE) ? som_m3l_items(r, node, items, 3) : 0;
    if (!is_joint || count < 2 || count > 3 || som_m3l_name(r, items[0]).length == 0) {
        som_m3l_report_value(r, node,
                             is_joint ? "an alias is a name, or (name, 1 or -1, zero)"
                                      : "this must be a name");
        return false;
    }
    alias->name = som_m3l_name(r, items[0]);
    if (!som_m3l_read_number(r, items[1], SOM_DIMENSION_NUMBER, &alias->sign) ||
        (count == 3 && !som_m3l_read_number(r, items[2], dimension, &alias->zero))) {
        return false;
    }
    if (fabs(alias->sign) != 1 || !(fabs(alias->zero) <= SOM_M3L_LARGEST)) {
        som_report(r->diags, SOM_M3L_OUT_OF_RANGE, som_m3l_span(r, items[1]),
                   "the sign of an alias is 1 or -1, its zero a finite value");
        return false;
    }
    return true;
}

void som_m3l_read_aliases(SomM3lReader *r, SomNode definition, bool is_joint,
                          SomDimensionName dimension, const SomAlias **aliases, int *count) {
    SomNode value = som_m3l_value(r, definition, "alias", false);
    if (value == 0) {
        return;
    }
    int given = som_m3l_items(r, value, NULL, 0);
    SomAlias *data = som_arena_new(r->arena, SomAlias, given);
    SomNode item = som_m3l_first_item(r, value);
    for (; item != 0; item = som_m3l_next_item(r, value, item)) {
        *count += read_alias(r, item, is_joint, dimension, &data[*count]);
    }
    *aliases = data;
}

// ---- properties

static bool read_property(SomM3lReader *r, SomNode attribute, SomProperty *property) {
    SomNode value = som_m3l_value_of(r, attribute);
    property->name = som_m3l_attribute_name(r, attribute);
    property->text = (SomStr){"", 0};
    if (value == 0) {
        property->kind = SOM_PROPERTY_BOOL;
        property->number = 1;
        return true;
    }
    SomStr word = som_syntax_text(r->tree, value);
    SomQuantity q;
    if (som_m3l_is(r, value, SOM_M3L_DOMAIN)) {
        property->kind = SOM_PROPERTY_ANY_BOOL;
    } else if (som_str_equal(word, SOM_STR("true")) || som_str_equal(word, SOM_STR("false"))) {
        property->kind = SOM_PROPERTY_BOOL;
        property->number = word.length == 4;
    } else if (som_m3l_is(r, value, SOM_M3L_STRING)) {
        property->kind = SOM_PROPERTY_TEXT;
        property->text = som_m3l_name(r, value);
    } else if (som_m3l_read_quantity(r, value, &q)) {
        property->kind = SOM_PROPERTY_NUMBER;
        property->number = q.value;
    } else {
        return false;
    }
    return true;
}

static void read_properties(SomM3lReader *r, SomNode definition, SomConnector *connector) {
    int given = 0;
    SomNode node = som_syntax_find_child(r->tree, definition, SOM_M3L_ATTRIBUTE);
    for (; node != 0; node = som_syntax_find_next(r->tree, node, SOM_M3L_ATTRIBUTE)) {
        given++;
    }
    if (given > SOM_M3L_MAX_PROPERTIES) {
        som_report(r->diags, SOM_M3L_TOO_MUCH, som_m3l_span(r, definition),
                   "a connector has at most %d attributes", SOM_M3L_MAX_PROPERTIES);
        return;
    }
    SomProperty *properties = som_arena_new(r->arena, SomProperty, given);
    node = som_syntax_find_child(r->tree, definition, SOM_M3L_ATTRIBUTE);
    for (; node != 0; node = som_syntax_find_next(r->tree, node, SOM_M3L_ATTRIBUTE)) {
        if (!is_own(som_m3l_attribute_name(r, node)) && !som_syntax_has_error(r->tree, node)) {
            connector->property_count +=
                read_property(r, node, &properties[connector->property_count]);
        }
    }
    connector->properties = properties;
}

static void read_angles(SomM3lReader *r, SomNode definition, SomConnector *connector) {
    SomNode value = som_m3l_value(r, definition, "angles", false);
    if (value == 0) {
        return;
    }
    double *angles = som_arena_new(r->arena, double, som_m3l_items(r, value, NULL, 0));
    SomNode item = som_m3l_first_item(r, value);
    for (; item != 0; item = som_m3l_next_item(r, value, item)) {
        double angle;
        if (som_m3l_read_number(r, item, SOM_DIMENSION_ANGLE, &angle)) {
            if (!(fabs(angle) <= SOM_M3L_LARGEST)) {
                som_m3l_report_value(r, item, "an angle must be finite");
                continue;
            }
            angles[connector->angle_count++] = angle;
        }
    }
    connector->angles = angles;
}

// ---- the frame

// The normal of the plane through a connector and its marks; false if they span none.
static bool find_plane(const SomConnector *connector, SomVec3 *normal) {
    SomVec3 best = {0, 0, 0};
    double largest = 0, scale = 0;
    // the first mark with each other one: enough, since the first must not be the connector itself
    for (int i = 1; i < connector->mark_count; i++) {
        SomVec3 u = som_vec3_sub(connector->marks[0].position, connector->position);
        SomVec3 v = som_vec3_sub(connector->marks[i].position, connector->position);
        SomVec3 cross = som_vec3_cross(u, v);
        double length = som_vec3_length(cross);
        scale = fmax(scale, som_vec3_length(u) * som_vec3_length(v));
        if (length > largest * (1 + 1e-9)) {
            largest = length;
            best = cross;
        }
    }
    if (!(largest > 1e-9 * scale) || !(largest > 0)) {
        return false;
    }
    *normal = som_vec3_scale(1 / largest, best);
    return true;
}

// x out of the link, z to the first mark.
static void set_frame(SomConnector *connector, SomVec3 normal) {
    SomVec3 up = som_vec3_sub(connector->marks[0].position, connector->position);
    SomVec3 z = som_vec3_sub(up, som_vec3_scale(som_vec3_dot(up, normal), normal));
    z = som_vec3_scale(1 / som_vec3_length(z), z);
    SomVec3 y = som_vec3_cross(z, normal);
    connector->frame.rotation =
        (SomMat3){{{normal.x, y.x, z.x}, {normal.y, y.y, z.y}, {normal.z, y.z, z.z}}};
    connector->has_frame = true;
}

// Where `out` says which side of its plane is outside.
static bool read_out(SomM3lReader *r, SomNode definition, SomConnector *connector) {
    SomNode value = som_m3l_value(r, definition, "out", false);
    SomVec3 out, normal;
    if (value == 0 || !som_m3l_read_vector(r, value, SOM_DIMENSION_NUMBER, &out)) {
        return false;
    }
    double along = find_plane(connector, &normal) ? som_vec3_dot(normal, out) : 0;
    if (!(fabs(along) > 1e-6 * som_vec3_length(out))) {
        som_m3l_report_value(r, value, "this must point away from the plane of two marks or more");
        return false;
    }
    set_frame(connector, som_vec3_scale(along > 0 ? 1 : -1, normal));
    connector->has_out = true;
    return true;
}

// The side on which the link sticks out less is outside.
static void find_frame(ModuleReader *m, bool is_damaged, SomConnector *connector) {
    const SomModuleLink *link = &m->links.data[connector->link];
    SomVec3 normal;
    double reach_out = 0, reach_in = 0;
    bool is_known = find_plane(connector, &normal);
    if (is_known) {
        double here = som_vec3_dot(normal, connector->position);
        reach_out = som_module_link_extent(link, normal) - here;
        reach_in = som_module_link_extent(link, som_vec3_scale(-1, normal)) + here;
        is_known = isfinite(reach_out) && isfinite(reach_in) &&
                   fabs(reach_out - reach_in) > 1e-6 * (fabs(reach_out) + fabs(reach_in));
    }
    if (!is_known) {
        bool is_bad = is_damaged || m->link_points.data[connector->link].is_bad;
        if (connector->mark_count > 0 && !is_bad) { // without marks it is not meant to have a side
            som_report(m->r->diags, SOM_M3L_SIDE_UNKNOWN, connector->span,
                       "which side of connector '%.*s' is outside is unknown",
                       SOM_STR_ARG(connector->name));
        }
        return;
    }
    if (reach_out > reach_in) {
        normal = som_vec3_scale(-1, normal);
        double swap = reach_out;
        reach_out = reach_in;
        reach_in = swap;
    }
    if (reach_out > 1e-6) {
        SomText text = {0};
        som_quantity_print(
            (SomQuantity){round(reach_out * 1e9) / 1e9, som_dimension(SOM_DIMENSION_LENGTH)}, NULL,
            &text);
        som_report(m->r->diags, SOM_M3L_INSIDE_HULL, connector->span,
                   "link '%.*s' reaches %.*s beyond its connector '%.*s'", SOM_STR_ARG(link->name),
                   SOM_STR_ARG(som_text_str(&text)), SOM_STR_ARG(connector->name));
        som_text_free(&text);
    }
    set_frame(connector, normal);
}

static void read_connector(ModuleReader *m, const PlacedPoint *point) {
    SomM3lReader *r = m->r;
    SomNode node = point->own.node;
    SomConnector connector = {.name = point->own.name,
                              .span = som_m3l_span(r, som_m3l_name_node(r, node)),
                              .link = point->link,
                              .position = point->own.position,
                              .frame = som_pose_translation(point->own.position),
                              .marks = point->own.marks,
                              .mark_count = point->own.mark_count};
    read_properties(r, node, &connector);
    read_angles(r, node, &connector);
    som_m3l_read_aliases(r, node, false, SOM_DIMENSION_NUMBER, &connector.aliases,
                         &connector.alias_count);
    som_m3l_read_option(r, node, "tension", SOM_DIMENSION_FORCE, true, &connector.tension);
    som_m3l_read_option(r, node, "shear", SOM_DIMENSION_FORCE, true, &connector.shear);
    som_m3l_read_option(r, node, "bending", SOM_DIMENSION_TORQUE, true, &connector.bending);
    som_m3l_read_option(r, node, "connect_time", SOM_DIMENSION_TIME, false,
                        &connector.connect_time);
    som_m3l_read_option(r, node, "release_time", SOM_DIMENSION_TIME, false,
                        &connector.release_time);
    som_m3l_read_option(r, node, "reach", SOM_DIMENSION_LENGTH, true, &connector.reach);
    som_m3l_read_option(r, node, "reach_angle", SOM_DIMENSION_ANGLE, true, &connector.reach_angle);
    if (!read_out(r, node, &connector)) {
        find_frame(m, point->own.is_bad, &connector);
    }
    som_array_push(&m->connectors, connector);
}

void som_m3l_read_connectors(ModuleReader *m) {
    for (int i = 0; i < m->points.count; i++) {
        const PlacedPoint *point = &m->points.data[i];
        if (!point->is_connector || !point->is_good) {
            continue;
        }
        if (m->connectors.count == SOM_MAX_MODULE_CONNECTORS) {
            som_report(m->r->diags, SOM_M3L_TOO_MUCH, som_m3l_span(m->r, point->own.node),
                       "a module has at most %d connectors", SOM_MAX_MODULE_CONNECTORS);
            return;
        }
        if (point->link >= 0) {
            read_connector(m, point);
        } else {
            som_report(m->r->diags, SOM_M3L_NOT_GROUPED,
                       som_m3l_span(m->r, som_m3l_name_node(m->r, point->own.node)),
                       "connector '%.*s' is in no link's grouping", SOM_STR_ARG(point->own.name));
        }
    }
}
