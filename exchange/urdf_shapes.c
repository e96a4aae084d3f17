// SPDX-License-Identifier: Apache-2.0
// What a link of URDF has: inertia, what is seen and what is touched, and materials.

#include "exchange/named_file.h"
#include "exchange/urdf_read.h"

#include <math.h>

#define MAX_SIZE (SOM_SHAPE_MAX_SIZE / 10)
#define MIN_SIZE (1 / MAX_SIZE)

// ---- materials

static void read_color(SomUrdfReader *r, int material, double color[4]) {
    int node = som_xml_child(r->xml, material, SOM_STR("color"));
    if (node < 0 || !som_urdf_read_numbers(r, node, "rgba", color, 4)) {
        return;
    }
    for (int i = 0; i < 4; i++) {
        color[i] = fmin(fmax(color[i], 0), 1);
    }
    if (color[0] == 0 && color[1] == 0 && color[2] == 0 && color[3] == 0) {
        color[3] = 1e-3; // nothing but zeros is no color
    }
}

static const SomUrdfMaterial *find_material(const SomUrdfReader *r, SomStr name) {
    for (int i = 0; i < r->materials.count; i++) {
        if (som_str_equal(r->materials.data[i].name, name)) {
            return &r->materials.data[i];
        }
    }
    return NULL;
}

static void add_material(SomUrdfReader *r, int node) {
    SomUrdfMaterial material = {.name = som_xml_attribute(r->xml, node, SOM_STR("name")),
                                .node = node};
    int texture = som_xml_child(r->xml, node, SOM_STR("texture"));
    if (texture >= 0) {
        som_tally_add(&r->often[SOM_URDF_TEXTURES],
                      som_xml_attribute(r->xml, texture, SOM_STR("filename")),
                      r->xml->nodes[texture].span);
    }
    bool has_color = som_xml_child(r->xml, node, SOM_STR("color")) >= 0;
    if (material.name.length > 0 && (has_color || texture >= 0) &&
        find_material(r, material.name) == NULL) {
        read_color(r, node, material.color);
        som_array_push(&r->materials, material);
    }
}

// Those of the robot, then those that links define for others to name.
void som_urdf_read_materials(SomUrdfReader *r) {
    const SomXml *xml = r->xml;
    for (int i = som_xml_child(xml, r->robot, SOM_STR("material")); i >= 0;
         i = som_xml_next(xml, i, SOM_STR("material"))) {
        add_material(r, i);
    }
    for (int i = som_xml_child(xml, r->robot, SOM_STR("link")); i >= 0;
         i = som_xml_next(xml, i, SOM_STR("link"))) {
        for (int k = som_xml_child(xml, i, SOM_STR("visual")); k >= 0;
             k = som_xml_next(xml, k, SOM_STR("visual"))) {
            int material = som_xml_child(xml, k, SOM_STR("material"));
            if (material >= 0) {
                add_material(r, material);
            }
        }
    }
}

static void color_shape(SomUrdfReader *r, int node, SomModelShape *shape) {
    int material = som_xml_child(r->xml, node, SOM_STR("material"));
    if (material < 0) {
        return;
    }
    SomStr name = som_xml_attribute(r->xml, material, SOM_STR("name"));
    const SomUrdfMaterial *known = name.length > 0 ? find_material(r, name) : NULL;
    bool has_own = som_xml_child(r->xml, material, SOM_STR("color")) >= 0;
    if (has_own && (known == NULL || known->node != material)) {
        read_color(r, material, shape->color);
    } else if (known != NULL) {
        memcpy(shape->color, known->color, sizeof shape->color);
    } else if (name.length > 0) {
        som_tally_add(&r->often[SOM_URDF_NO_MATERIALS], name, r->xml->nodes[material].span);
    }
}

// ---- geometry

static bool is_size(double value) {
    return value >= MIN_SIZE && value <= MAX_SIZE;
}

static bool read_mesh(SomUrdfReader *r, int node, SomModelShape *shape) {
    const SomXmlAttribute *file = som_xml_find_attribute(r->xml, node, SOM_STR("filename"));
    double scale[3] = {1, 1, 1};
    if (file == NULL || file->value.length == 0) {
        som_urdf_half(r, r->xml->nodes[node].span, "a mesh without 'filename' was left out");
        return false;
    }
    som_urdf_read_numbers(r, node, "scale", scale, 3);
    for (int i = 0; i < 3; i++) {
        if (!is_size(fabs(scale[i]))) {
            som_urdf_half(r, r->xml->nodes[node].span, "a mesh scaled by nothing was left out");
            return false;
        }
    }
    shape->scale = som_vec3(scale[0], scale[1], scale[2]);
    shape->mesh = som_asset_find(r->importer, r->file->path, file->value);
    if (shape->mesh.length == 0) {
        bool is_outside = som_asset_is_outside(r->importer, r->file->path, file->value);
        som_tally_add(&r->often[is_outside ? SOM_URDF_OUTSIDE : SOM_URDF_NO_FILES], file->value,
                      file->span);
    }
    return shape->mesh.length > 0;
}

static bool read_round(SomUrdfReader *r, int node, SomShapeKind kind, SomModelShape *shape) {
    double radius = 0, length = 1;
    bool fine = som_urdf_read_number(r, node, "radius", &radius) && is_size(radius);
    if (kind != SOM_SHAPE_SPHERE) {
        fine = som_urdf_read_number(r, node, "length", &length) && is_size(length) && fine;
        shape->shape.half_length = length / 2;
    }
    shape->shape.kind = kind;
    shape->shape.radius = radius;
    return fine;
}

static bool read_box(SomUrdfReader *r, int node, SomModelShape *shape) {
    double size[3] = {0};
    bool fine = som_urdf_read_numbers(r, node, "size", size, 3);
    shape->shape.kind = SOM_SHAPE_BOX;
    shape->shape.half = som_vec3(size[0] / 2, size[1] / 2, size[2] / 2);
    return fine && is_size(size[0]) && is_size(size[1]) && is_size(size[2]);
}

// What `visual` or `collision` has; false after a report.
static bool read_shape(SomUrdfReader *r, int node, SomModelShape *shape) {
    const SomXml *xml = r->xml;
    int geometry = som_xml_child(xml, node, SOM_STR("geometry"));
    int form = geometry >= 0 ? som_xml_child(xml, geometry, SOM_STR("")) : -1;
    *shape = (SomModelShape){.span = xml->nodes[form >= 0 ? form : node].span,
                             .pose = som_urdf_read_origin(r, node),
                             .scale = som_vec3(1, 1, 1)};
    if (form < 0) {
        som_urdf_half(r, shape->span, "a <%.*s> without geometry was left out",
                      SOM_STR_ARG(xml->nodes[node].name));
        return false;
    }
    SomStr name = xml->nodes[form].name;
    bool fine = false;
    if (som_str_equal(name, SOM_STR("mesh"))) {
        return read_mesh(r, form, shape);
    } else if (som_str_equal(name, SOM_STR("box"))) {
        fine = read_box(r, form, shape);
    } else if (som_str_equal(name, SOM_STR("cylinder"))) {
        fine = read_round(r, form, SOM_SHAPE_CYLINDER, shape);
    } else if (som_str_equal(name, SOM_STR("sphere"))) {
        fine = read_round(r, form, SOM_SHAPE_SPHERE, shape);
    } else if (som_str_equal(name, SOM_STR("capsule"))) {
        fine = read_round(r, form, SOM_SHAPE_CAPSULE, shape);
    }
    if (!fine) {
        som_urdf_half(r, shape->span, "a <%.*s> of this kind or size was left out",
                      SOM_STR_ARG(name));
    }
    return fine;
}

static void read_shapes(SomUrdfReader *r, int node, const char *name, SomModelShapes *shapes) {
    for (int i = som_xml_child(r->xml, node, som_str(name)); i >= 0;
         i = som_xml_next(r->xml, i, som_str(name))) {
        SomModelShape shape;
        if (read_shape(r, i, &shape)) {
            color_shape(r, i, &shape);
            som_array_push(shapes, shape);
        }
    }
}

// ---- inertia

static void read_inertial(SomUrdfReader *r, int node, SomModelLink *link) {
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    const SomXml *xml = r->xml;
    int mass = som_xml_child(xml, node, SOM_STR("mass"));
    int inertia = som_xml_child(xml, node, SOM_STR("inertia"));
    double value = 0, moments[6] = {0};
    if (mass < 0 || !som_urdf_read_number(r, mass, "value", &value) || value < 0) {
        som_urdf_half(r, xml->nodes[node].span, "the <inertial> of link '%.*s' has %s mass",
                      SOM_STR_ARG(link->name), value < 0 ? "a negative" : "no");
        return;
    }
    bool has_all = inertia >= 0;
    for (int i = 0; i < 6 && inertia >= 0; i++) {
        bool is_given = som_urdf_read_number(r, inertia, names[i], &moments[i]);
        has_all = has_all && (is_given || i > 2);
    }
    if (!has_all) {
        som_tally_add(&r->often[SOM_URDF_NO_INERTIA], link->name, xml->nodes[node].span);
        memset(moments, 0, sizeof moments);
    }
    SomInertia own = {.mass = value,
                      .moments = {{{moments[0], moments[3], moments[4]},
                                   {moments[3], moments[1], moments[5]},
                                   {moments[4], moments[5], moments[2]}}}};
    link->has_mass = value > 0;
    link->inertia = som_inertia_transform(som_urdf_read_origin(r, node), own);
}

void som_urdf_read_link_parts(SomUrdfReader *r, int node, SomModelLink *link) {
    int inertial = som_xml_child(r->xml, node, SOM_STR("inertial"));
    if (inertial >= 0) {
        read_inertial(r, inertial, link);
    }
    read_shapes(r, node, "visual", &link->visuals);
    read_shapes(r, node, "collision", &link->collisions);
}
