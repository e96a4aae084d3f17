// SPDX-License-Identifier: Apache-2.0
// Links of SDF: inertia, shapes that touch and shapes that are seen.

#include "exchange/component.h"
#include "exchange/sdf_read_internal.h"

#include <math.h>

#define WATER 1000.0

static SomSpan span_of(const SomSdfReader *r, SomSdfElement e) {
    return som_sdf_node(r, e)->span;
}

// What is in an element beyond the names is counted as left out.
static void leave_out_others(SomSdfReader *r, SomSdfElement e, const char *const *names) {
    for (SomSdfElement c = e.node >= 0 ? som_sdf_child(r, e, "") : e; c.node >= 0;
         c = som_sdf_next(r, c, "")) {
        bool is_known = false;
        for (const char *const *name = names; *name != NULL && !is_known; name++) {
            is_known = som_sdf_is(r, c, *name);
        }
        if (!is_known) {
            som_sdf_count(&r->left_out, som_sdf_node(r, c)->name, span_of(r, c));
        }
    }
}

// ---- geometry

// A size that shapes can have; else it is reported.
static bool is_size(SomSdfReader *r, SomSdfElement e, double size) {
    if (size >= 1 / SOM_SHAPE_MAX_SIZE && size <= SOM_SHAPE_MAX_SIZE) {
        return true;
    }
    if (!r->failed) {
        som_report(r->diags, SOM_IMPORT_OUT_OF_RANGE, span_of(r, e),
                   "no shape has such a size; it is given in metres");
    }
    r->failed = true;
    return false;
}

static bool read_box(SomSdfReader *r, SomSdfElement e, SomShape *shape) {
    double size[3] = {1, 1, 1};
    som_sdf_numbers(r, e, "size", 3, size);
    *shape =
        (SomShape){.kind = SOM_SHAPE_BOX, .half = som_vec3(size[0] / 2, size[1] / 2, size[2] / 2)};
    return is_size(r, e, size[0]) && is_size(r, e, size[1]) && is_size(r, e, size[2]);
}

static bool read_round(SomSdfReader *r, SomSdfElement e, SomShapeKind kind, SomShape *shape) {
    bool is_ball = kind == SOM_SHAPE_SPHERE;
    double radius = som_sdf_number(r, e, "radius",
                                   is_ball                     ? 1
                                   : kind == SOM_SHAPE_CAPSULE ? 0.5
                                                               : 1);
    double length = is_ball ? 0 : som_sdf_number(r, e, "length", 1);
    *shape = (SomShape){.kind = kind, .radius = radius, .half_length = length / 2};
    return is_size(r, e, radius) && (is_ball || is_size(r, e, length));
}

// The cylinder, capsule or ball that comes nearest.
static bool read_ellipsoid(SomSdfReader *r, SomSdfElement e, SomShape *shape) {
    double radii[3] = {1, 1, 1};
    som_sdf_numbers(r, e, "radii", 3, radii);
    *shape = (SomShape){.kind = SOM_SHAPE_SPHERE, .radius = cbrt(radii[0] * radii[1] * radii[2])};
    som_sdf_count(&r->geometry, SOM_STR("ellipsoid"), span_of(r, e));
    return is_size(r, e, radii[0]) && is_size(r, e, radii[1]) && is_size(r, e, radii[2]);
}

static bool read_mesh(SomSdfReader *r, SomSdfElement e, SomModelShape *shape) {
    double scale[3] = {1, 1, 1};
    SomStr uri = som_sdf_text(r, e, "uri");
    som_sdf_numbers(r, e, "scale", 3, scale);
    for (int i = 0; i < 3; i++) {
        if (!is_size(r, e, fabs(scale[i]))) {
            return false;
        }
    }
    if (som_sdf_child(r, e, "submesh").node >= 0) {
        som_sdf_count(&r->geometry, SOM_STR("submesh"), span_of(r, e));
    }
    shape->scale = som_vec3(scale[0], scale[1], scale[2]);
    shape->mesh = som_asset_find(r->importer, r->docs.data[e.doc].file.path, uri);
    if (shape->mesh.length == 0) {
        som_report(r->diags, SOM_MODEL_NO_MESH, span_of(r, e), "'%.*s' was not found",
                   SOM_STR_ARG(som_str_slice(uri, 0, 200)));
    }
    return shape->mesh.length > 0;
}

// False if nothing can be made of it.
static bool read_geometry(SomSdfReader *r, SomSdfElement of, SomModelShape *shape) {
    SomSdfElement geometry = som_sdf_child(r, of, "geometry");
    SomSdfElement e = geometry.node >= 0 ? som_sdf_child(r, geometry, "") : geometry;
    shape->span = span_of(r, of);
    shape->scale = som_vec3(1, 1, 1);
    if (e.node < 0 || som_sdf_is(r, e, "empty")) {
        return false;
    }
    if (som_sdf_is(r, e, "box")) {
        return read_box(r, e, &shape->shape);
    }
    if (som_sdf_is(r, e, "cylinder")) {
        return read_round(r, e, SOM_SHAPE_CYLINDER, &shape->shape);
    }
    if (som_sdf_is(r, e, "sphere")) {
        return read_round(r, e, SOM_SHAPE_SPHERE, &shape->shape);
    }
    if (som_sdf_is(r, e, "capsule")) {
        return read_round(r, e, SOM_SHAPE_CAPSULE, &shape->shape);
    }
    if (som_sdf_is(r, e, "ellipsoid")) {
        return read_ellipsoid(r, e, &shape->shape);
    }
    if (som_sdf_is(r, e, "mesh")) {
        return read_mesh(r, e, shape);
    }
    som_sdf_count(&r->geometry, som_sdf_node(r, e)->name, span_of(r, e));
    return false;
}

// In the link, whatever frame it is given in.
static SomPose pose_in_link(SomSdfReader *r, SomSdfElement e, int link) {
    SomStr relative;
    SomPose pose = som_sdf_pose(r, e, &relative);
    const SomSdfFrame *f = &r->frames.data[link];
    if (relative.length == 0 || som_str_equal(relative, f->name)) {
        return pose;
    }
    int frame = som_sdf_find(r, f->scope, relative);
    if (frame < 0) {
        som_sdf_fail(r, SOM_IMPORT_NAME_UNKNOWN, span_of(r, e),
                     "no link, joint, frame or model here is called", relative);
        return pose;
    }
    return som_pose_compose(som_pose_relative(f->pose, r->frames.data[frame].pose), pose);
}

// ---- what touches

// Of a surface: how it slides, and what is kept of it for every shape of the link.
static void read_surface(SomSdfReader *r, SomSdfElement collision, SomModelLink *link,
                         SomText *kept) {
    static const char *const known[] = {"friction", "contact", "bounce", "soft_contact", NULL};
    SomSdfElement surface = som_sdf_child(r, collision, "surface");
    SomSdfElement ode = som_sdf_child(r, som_sdf_child(r, surface, "friction"), "ode");
    double mu = som_sdf_number(r, ode, "mu", 0);
    bool is_first = link->collisions.count == 0;
    leave_out_others(r, surface, known);
    if (is_first) {
        link->friction = mu > 0 && mu < 1e6 ? mu : 0;
    } else if (mu > 0 && mu != link->friction) {
        som_sdf_count(&r->frictions, link->name, span_of(r, collision));
    }
    for (int i = 1; is_first && known[i] != NULL; i++) {
        SomSdfElement e = som_sdf_child(r, surface, known[i]);
        if (e.node >= 0) {
            som_sdf_keep(r, e, kept);
        }
    }
}

static void read_collisions(SomSdfReader *r, SomSdfElement at, int frame, SomModelLink *link,
                            SomText *kept) {
    static const char *const known[] = {"pose", "geometry", "surface", "density", NULL};
    for (SomSdfElement e = som_sdf_child(r, at, "collision"); e.node >= 0;
         e = som_sdf_next(r, e, "collision")) {
        SomModelShape shape = {.pose = pose_in_link(r, e, frame)};
        leave_out_others(r, e, known);
        if (read_geometry(r, e, &shape)) {
            read_surface(r, e, link, kept);
            som_array_push(&link->collisions, shape);
        }
    }
}

// ---- what is seen

static void read_material(SomSdfReader *r, SomSdfElement visual, double color[4]) {
    static const char *const known[] = {"ambient",  "diffuse",  "specular",
                                        "emissive", "lighting", NULL};
    SomSdfElement material = som_sdf_child(r, visual, "material");
    double transparency = som_sdf_number(r, visual, "transparency", 0);
    if (material.node < 0) {
        return;
    }
    leave_out_others(r, material, known);
    const char *which = som_sdf_child(r, material, "diffuse").node >= 0 ? "diffuse" : "ambient";
    SomSdfElement e = som_sdf_child(r, material, which);
    double read[4] = {0, 0, 0, 1};
    if (e.node >= 0 && som_sdf_numbers(r, material, which, 4, read)) {
        for (int i = 0; i < 4; i++) {
            color[i] = read[i] >= 0 && read[i] <= 1 ? read[i] : 1;
        }
        color[3] *= transparency > 0 && transparency <= 1 ? 1 - transparency : 1;
    }
}

static void read_visuals(SomSdfReader *r, SomSdfElement at, int frame, SomModelLink *link) {
    static const char *const known[] = {"pose", "geometry", "material", "transparency", NULL};
    for (SomSdfElement e = som_sdf_child(r, at, "visual"); e.node >= 0;
         e = som_sdf_next(r, e, "visual")) {
        SomModelShape shape = {.pose = pose_in_link(r, e, frame)};
        leave_out_others(r, e, known);
        if (read_geometry(r, e, &shape)) {
            read_material(r, e, shape.color);
            som_array_push(&link->visuals, shape);
        }
    }
}

// ---- inertia

// Of the shapes that touch, with their densities.
static void compute_inertia(SomSdfReader *r, SomSdfElement at, SomModelLink *link) {
    SomSdfElement inertial = som_sdf_child(r, at, "inertial");
    double density = som_sdf_number(r, inertial, "density", WATER);
    SomSdfElement e = som_sdf_child(r, at, "collision");
    for (int i = 0; i < link->collisions.count; i++) {
        const SomModelShape *shape = &link->collisions.data[i];
        if (shape->mesh.length > 0) {
            link->has_mass = false; // it follows from the hull
            return;
        }
        double own = e.node >= 0 ? som_sdf_number(r, e, "density", density) : density;
        own = own > 0 && own < 1e6 ? own : WATER;
        SomInertia solid =
            som_inertia_transform(shape->pose, som_shape_inertia(&shape->shape, own));
        link->inertia = link->has_mass ? som_inertia_add(link->inertia, solid) : solid;
        link->has_mass = true;
        e = e.node >= 0 ? som_sdf_next(r, e, "collision") : e;
    }
}

static void read_inertia(SomSdfReader *r, SomSdfElement at, SomModelLink *link) {
    static const char *const known[] = {"pose", "mass", "inertia", "density", NULL};
    SomSdfElement inertial = som_sdf_child(r, at, "inertial");
    SomStr is_auto = som_sdf_attribute(r, inertial, "auto");
    if (som_str_equal(is_auto, SOM_STR("true")) || som_str_equal(is_auto, SOM_STR("1"))) {
        som_sdf_count(&r->computed_inertia, link->name, span_of(r, inertial));
        compute_inertia(r, at, link);
        return;
    }
    if (inertial.node < 0) {
        som_sdf_count(&r->no_inertia, link->name, span_of(r, at));
    }
    leave_out_others(r, inertial, known);
    SomSdfElement moments = som_sdf_child(r, inertial, "inertia");
    SomPose pose = inertial.node >= 0 ? som_sdf_pose(r, inertial, NULL) : som_pose_identity();
    double xy = som_sdf_number(r, moments, "ixy", 0), xz = som_sdf_number(r, moments, "ixz", 0),
           yz = som_sdf_number(r, moments, "iyz", 0);
    SomInertia own = {.mass = som_sdf_number(r, inertial, "mass", 1)};
    own.moments = (SomMat3){{{som_sdf_number(r, moments, "ixx", 1), xy, xz},
                             {xy, som_sdf_number(r, moments, "iyy", 1), yz},
                             {xz, yz, som_sdf_number(r, moments, "izz", 1)}}};
    link->has_mass = true;
    link->inertia = som_inertia_transform(pose, own);
}

// ---- the link

static void keep_others(SomSdfReader *r, SomSdfElement at, SomText *kept) {
    static const char *const known[] = {"pose", "inertial", "collision", "visual"};
    som_sdf_keep_others(r, at, known, (int)(sizeof known / sizeof *known), kept);
}

void som_sdf_read_link(SomSdfReader *r, int frame) {
    SomSdfElement at = r->frames.data[frame].at;
    SomModelLink link = {.name = r->frames.data[frame].whole,
                         .span = span_of(r, at),
                         .pose = r->frames.data[frame].pose};
    SomText kept = {0};
    read_collisions(r, at, frame, &link, &kept);
    read_visuals(r, at, frame, &link);
    read_inertia(r, at, &link);
    keep_others(r, at, &kept);
    link.kept.sdf = som_arena_copy(&r->importer->arena, som_text_str(&kept));
    som_text_free(&kept);
    r->frames.data[frame].link = som_link_model_add_link(&r->model, &link);
}
