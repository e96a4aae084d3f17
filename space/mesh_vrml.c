// SPDX-License-Identifier: Apache-2.0
// VRML97: the scene. Groups place what is in them, shapes have a surface and a material. VRML has y
// up and metres by its standard (ISO/IEC 14772-1, 4.4.5), so it is turned as glTF is.

#include "base/codes/space_codes.h"
#include "space/vrml_internal.h"

#include <math.h>

// Nodes that hold others: in which field, and whether they move them. The last three are those of
// humanoid robots (H-Anim), whose prototypes are such groups.
static const struct {
    const char *type, *field;
    bool moves;
} groups[] = {
    {"Transform", "children", true},  {"Group", "children", false},
    {"Anchor", "children", false},    {"Billboard", "children", false},
    {"Collision", "children", false}, {"Switch", "choice", false},
    {"LOD", "level", false},          {"Joint", "children", true},
    {"Segment", "children", false},   {"Humanoid", "humanoidBody", true},
};
#define GROUP_COUNT ((int)(sizeof groups / sizeof *groups))

// Nodes without a surface, of which nothing is lost.
static const char *const unseen[] = {
    "AudioClip",
    "Background",
    "ColorInterpolator",
    "CoordinateInterpolator",
    "CylinderSensor",
    "DirectionalLight",
    "Fog",
    "NavigationInfo",
    "NormalInterpolator",
    "OrientationInterpolator",
    "PlaneSensor",
    "PointLight",
    "PositionInterpolator",
    "ProximitySensor",
    "ScalarInterpolator",
    "Script",
    "Sound",
    "SphereSensor",
    "SpotLight",
    "TimeSensor",
    "TouchSensor",
    "Viewpoint",
    "VisibilitySensor",
    "WorldInfo",
};

// A turn as VRML writes it: an axis of any length but 0, and an angle.
static SomMat3 rotation_of(const double turn[4]) {
    SomVec3 axis = {turn[0], turn[1], turn[2]};
    double length = som_vec3_length(axis);
    return length > 0 ? som_rotation_exp(som_vec3_scale(turn[3] / length, axis))
                      : som_mat3_identity();
}

// Translation, centre, rotation, and a scale along axes that are turned themselves.
static bool read_place(SomVrml *vrml, const SomVrmlNode *node, const SomPose *above,
                       SomPose *place) {
    static const char *const names[] = {"translation", "center", "scale", "rotation",
                                        "scaleOrientation"};
    size_t values[5];
    double t[3] = {0, 0, 0}, c[3] = {0, 0, 0}, s[3] = {1, 1, 1};
    double turn[4] = {0, 0, 1, 0}, axes[4] = {0, 0, 1, 0};
    if (!som_vrml_find_fields(vrml, node, names, values, 5) ||
        !som_vrml_read_numbers(vrml, values[0], t, 3) ||
        !som_vrml_read_numbers(vrml, values[1], c, 3) ||
        !som_vrml_read_numbers(vrml, values[2], s, 3) ||
        !som_vrml_read_numbers(vrml, values[3], turn, 4) ||
        !som_vrml_read_numbers(vrml, values[4], axes, 4)) {
        return false;
    }
    SomMat3 scale = {{{s[0], 0, 0}, {0, s[1], 0}, {0, 0, s[2]}}};
    if (s[0] != s[1] || s[1] != s[2]) {
        SomMat3 r = rotation_of(axes);
        scale = som_mat3_multiply(som_mat3_multiply(r, scale), som_mat3_transpose(r));
    }
    SomVec3 center = {c[0], c[1], c[2]};
    SomPose here = {som_mat3_multiply(rotation_of(turn), scale), {0, 0, 0}};
    here.position = som_vec3_sub(center, som_mat3_apply(here.rotation, center));
    here.position = som_vec3_add(here.position, som_vec3(t[0], t[1], t[2]));
    *place = som_pose_compose(*above, here);
    return true;
}

// The colour of the first shape that has a material; what VRML takes where nothing is said.
static bool read_color(SomVrml *vrml, size_t appearance) {
    static const char *const in_appearance[] = {"material"};
    static const char *const in_material[] = {"diffuseColor", "transparency"};
    SomMeshReader *reader = vrml->reader;
    SomVrmlNode node;
    size_t values[2];
    if (reader->has_color || appearance == SOM_MESH_NOWHERE) {
        return true;
    }
    if (!som_vrml_enter(vrml, appearance, &node)) {
        return false;
    }
    if (!som_vrml_is(node.type, "Appearance")) {
        return true;
    }
    if (!som_vrml_find_fields(vrml, &node, in_appearance, values, 1)) {
        return false;
    }
    if (values[0] == SOM_MESH_NOWHERE) {
        return true;
    }
    if (!som_vrml_enter(vrml, values[0], &node)) {
        return false;
    }
    double color[4] = {0.8, 0.8, 0.8, 0};
    if (!som_vrml_is(node.type, "Material")) {
        return true;
    }
    if (!som_vrml_find_fields(vrml, &node, in_material, values, 2) ||
        !som_vrml_read_numbers(vrml, values[0], color, 3) ||
        !som_vrml_read_numbers(vrml, values[1], color + 3, 1)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        reader->color[i] = fmin(fmax(color[i], 0), 1);
    }
    reader->color[3] = 1 - reader->color[3];
    reader->has_color = true;
    return true;
}

static bool read_shape(SomVrml *vrml, const SomVrmlNode *shape, const SomPose *place) {
    static const char *const names[] = {"geometry", "appearance"};
    size_t values[2];
    SomVrmlNode geometry;
    if (!som_vrml_find_fields(vrml, shape, names, values, 2)) {
        return false;
    }
    if (values[0] == SOM_MESH_NOWHERE) {
        return true;
    }
    int before = vrml->reader->triangles.count;
    return som_vrml_enter(vrml, values[0], &geometry) &&
           (geometry.type.length == 0 || som_vrml_add_geometry(vrml, &geometry, place)) &&
           (vrml->reader->triangles.count == before || read_color(vrml, values[1]));
}

static bool read_node(SomVrml *vrml, size_t at, const SomPose *place, int depth);

// The nodes of a field, one or a list; only the `chosen` one, from 0, unless that is negative.
static bool read_nodes(SomVrml *vrml, size_t at, const SomPose *place, int depth, int chosen) {
    size_t behind = at;
    bool is_list = som_vrml_is(som_vrml_next(vrml, &behind), "[");
    at = is_list ? behind : at;
    for (int i = 0; is_list || i == 0; i++) {
        behind = at;
        if (is_list && som_vrml_is(som_vrml_next(vrml, &behind), "]")) {
            break;
        }
        if ((chosen < 0 || i == chosen) && !read_node(vrml, at, place, depth)) {
            return false;
        }
        if (!som_vrml_skip_value(vrml, &at)) {
            return false;
        }
    }
    return true;
}

static bool read_group(SomVrml *vrml, const SomVrmlNode *node, int group, const SomPose *above,
                       int depth) {
    const char *const names[] = {groups[group].field, "whichChoice"};
    size_t values[2];
    SomPose place = *above;
    if (!som_vrml_find_fields(vrml, node, names, values, 2) ||
        (groups[group].moves && !read_place(vrml, node, above, &place))) {
        return false;
    }
    bool is_switch = som_vrml_is(node->type, "Switch"), is_lod = som_vrml_is(node->type, "LOD");
    double choice = -1;
    if (is_switch && !som_vrml_read_numbers(vrml, values[1], &choice, 1)) {
        return false;
    }
    bool is_shown = !is_switch || (choice >= 0 && choice < SOM_VRML_MAX_BRACKETS);
    if (values[0] == SOM_MESH_NOWHERE || !is_shown) {
        return true;
    }
    int chosen = is_switch ? (int)choice : is_lod ? 0 : -1;
    return read_nodes(vrml, values[0], &place, depth + 1, chosen);
}

static bool read_node(SomVrml *vrml, size_t at, const SomPose *place, int depth) {
    if (depth > SOM_VRML_MAX_DEPTH) {
        return som_mesh_fail(vrml->reader, SOM_MESH_NESTED_TOO_MUCH, at,
                             "nodes lie more than %d deep", SOM_VRML_MAX_DEPTH);
    }
    SomVrmlNode node;
    if (!som_vrml_enter(vrml, at, &node)) {
        return false;
    }
    if (som_vrml_is(node.type, "Shape")) {
        return read_shape(vrml, &node, place);
    }
    for (int i = 0; i < GROUP_COUNT; i++) {
        if (som_vrml_is(node.type, groups[i].type)) {
            return read_group(vrml, &node, i, place, depth);
        }
    }
    bool is_unseen = node.type.length == 0;
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen && !is_unseen; i++) {
        is_unseen = som_vrml_is(node.type, unseen[i]);
    }
    if (!is_unseen) {
        som_vrml_leave_out(vrml, &node);
    }
    return true;
}

static bool read_scene(SomVrml *vrml) {
    const SomPose z_up = {.rotation = {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}}};
    const SomPose place = vrml->reader->options.keeps_axes ? som_pose_identity() : z_up;
    for (size_t at = 0;;) {
        size_t begin = at;
        SomStr token = som_vrml_next(vrml, &at);
        bool skipped = false;
        if (token.length == 0) {
            return true;
        }
        if (!som_vrml_skip_statement(vrml, token, &at, &skipped)) {
            return false;
        }
        if (!skipped) {
            at = begin;
            if (!read_node(vrml, begin, &place, 0) || !som_vrml_skip_value(vrml, &at)) {
                return false;
            }
        }
    }
}

void som_vrml_leave_out(SomVrml *vrml, const SomVrmlNode *node) {
    SomMeshReader *reader = vrml->reader;
    if (reader->left_out == 0) {
        size_t shown = node->type.length < sizeof reader->first_left_out - 1
                           ? node->type.length
                           : sizeof reader->first_left_out - 1;
        memcpy(reader->first_left_out, node->type.data, shown);
        reader->left_out_at = node->body;
    }
    reader->left_out++;
}

bool som_mesh_read_vrml(SomMeshReader *reader) {
    SomVrml vrml;
    bool good = som_vrml_open(&vrml, reader) && read_scene(&vrml);
    som_vrml_free(&vrml);
    return good;
}
