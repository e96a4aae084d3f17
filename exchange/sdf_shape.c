// SPDX-License-Identifier: Apache-2.0
// Shapes of SDF: what touches and what is seen. What a link cannot say here - shapes that are seen
// otherwise than they touch, each of a color or surface of its own - is kept as it is written.

#include "base/codes/exchange_codes.h"
#include "exchange/contact_shapes.h"
#include "exchange/link_model_internal.h"
#include "exchange/named_file.h"
#include "exchange/sdf_read_internal.h"

#include <math.h>

static SomSpan span_of(const SomSdfReader *r, SomSdfElement e) {
    return som_sdf_node(r, e)->span;
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

// A ball of its volume.
static bool read_ellipsoid(SomSdfReader *r, SomSdfElement e, SomShape *shape) {
    double radii[3] = {1, 1, 1};
    som_sdf_numbers(r, e, "radii", 3, radii);
    *shape = (SomShape){.kind = SOM_SHAPE_SPHERE, .radius = cbrt(radii[0] * radii[1] * radii[2])};
    som_sdf_count(&r->geometry, SOM_STR("ellipsoid"), span_of(r, e));
    return is_size(r, e, radii[0]) && is_size(r, e, radii[1]) && is_size(r, e, radii[2]);
}

static bool read_mesh(SomSdfReader *r, SomSdfElement e, SomModelShape *shape) {
    static const char *const known[] = {"uri", "scale", "submesh", NULL};
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
    som_sdf_count_others(r, e, known, &r->of_shapes);
    shape->scale = som_vec3(scale[0], scale[1], scale[2]);
    if (r->importer == NULL) {
        return false; // of a text that is kept, in which meshes are not
    }
    shape->mesh = som_asset_find(r->importer, r->docs.data[e.doc].file.path, uri);
    if (shape->mesh.length == 0) {
        som_asset_report_missing(r->importer, SOM_MODEL_NO_MESH, span_of(r, e), "",
                                 r->docs.data[e.doc].file.path, uri);
    }
    return shape->mesh.length > 0;
}

bool som_sdf_read_geometry(SomSdfReader *r, SomSdfElement of, SomModelShape *shape) {
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

SomPose som_sdf_pose_in_link(SomSdfReader *r, SomSdfElement e, int link) {
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

static SomStr text_of(const SomSdfReader *r, SomSdfElement e) {
    const SomSpan whole = e.node >= 0 ? som_sdf_node(r, e)->whole : (SomSpan){0};
    return e.node >= 0 ? som_str_slice(r->docs.data[e.doc].file.text, whole.begin, whole.end)
                       : (SomStr){"", 0};
}

// Numbers of friction that are nothing, as many files have them.
static bool is_zero(SomStr text) {
    for (size_t i = 0; i < text.length; i++) {
        if (text.data[i] != '0' && text.data[i] != '.' && text.data[i] != ' ') {
            return false;
        }
    }
    return true;
}

static double read_friction(SomSdfReader *r, SomSdfElement surface) {
    static const char *const known[] = {"ode", NULL};
    SomSdfElement friction = som_sdf_child(r, surface, "friction");
    SomSdfElement ode = som_sdf_child(r, friction, "ode");
    double mu = som_sdf_number(r, ode, "mu", 0), other = som_sdf_number(r, ode, "mu2", mu);
    som_sdf_count_others(r, friction, known, &r->of_shapes);
    for (SomSdfElement e = som_sdf_child(r, ode, ""); e.node >= 0; e = som_sdf_next(r, e, "")) {
        bool is_said = som_sdf_is(r, e, "mu") || (som_sdf_is(r, e, "mu2") && other == mu) ||
                       is_zero(som_sdf_node(r, e)->text);
        if (!is_said) {
            som_sdf_count_kind(&r->of_shapes, som_sdf_node(r, e)->name, span_of(r, e));
        }
    }
    return mu;
}

// Of a surface: how it slides, and what is kept of the first for every shape of the link.
static void read_surface(SomSdfReader *r, SomSdfElement collision, SomSdfElement *first,
                         SomModelLink *link, SomText *kept) {
    static const char *const known[] = {"friction", "contact", "bounce", "soft_contact", NULL};
    SomSdfElement surface = som_sdf_child(r, collision, "surface");
    bool is_first = link->collisions.count == 0;
    double mu = read_friction(r, surface);
    som_sdf_count_others(r, surface, known, &r->of_shapes);
    if (is_first) {
        *first = surface;
        link->friction = mu > 0 && mu < 1e6 ? mu : 0;
    } else if (mu > 0 && mu != link->friction) {
        som_sdf_count(&r->frictions, link->name, span_of(r, collision));
    }
    for (int i = 1; known[i] != NULL; i++) {
        SomSdfElement e = som_sdf_child(r, surface, known[i]);
        SomStr other = text_of(r, som_sdf_child(r, *first, known[i]));
        if (is_first && e.node >= 0) {
            som_sdf_keep(r, e, kept);
        } else if (!som_str_equal(text_of(r, e), other)) {
            som_sdf_count_kind(&r->of_shapes, som_str(known[i]), span_of(r, collision));
        }
    }
}

static void read_collisions(SomSdfReader *r, SomSdfElement at, int frame, SomModelLink *link,
                            SomText *kept) {
    static const char *const known[] = {"pose", "geometry", "surface", "density", NULL};
    SomSdfElement first = {at.doc, -1};
    r->densities.count = 0;
    for (SomSdfElement e = som_sdf_child(r, at, "collision"); e.node >= 0;
         e = som_sdf_next(r, e, "collision")) {
        SomModelShape shape = {.pose = som_sdf_pose_in_link(r, e, frame)};
        som_sdf_count_others(r, e, known, &r->of_shapes);
        if (som_sdf_read_geometry(r, e, &shape)) {
            read_surface(r, e, &first, link, kept);
            som_array_push(&r->densities, som_sdf_number(r, e, "density", (double)NAN));
            som_array_push(&link->collisions, shape);
        }
    }
}

// ---- what is seen

static void leave_out_material(SomSdfReader *r, SomSdfElement material) {
    static const char *const known[] = {"ambient", "diffuse", NULL};
    SomSdfElement ambient = som_sdf_child(r, material, "ambient");
    SomStr diffuse = som_sdf_text(r, material, "diffuse");
    som_sdf_count_others(r, material, known, &r->of_shapes);
    if (ambient.node >= 0 && diffuse.length > 0 &&
        !som_str_equal(som_sdf_node(r, ambient)->text, diffuse)) {
        som_sdf_count_kind(&r->of_shapes, SOM_STR("ambient"), span_of(r, ambient));
    }
}

void som_sdf_read_color(SomSdfReader *r, SomSdfElement visual, double color[4]) {
    SomSdfElement material = som_sdf_child(r, visual, "material");
    double transparency = som_sdf_number(r, visual, "transparency", 0);
    const char *which = som_sdf_child(r, material, "diffuse").node >= 0 ? "diffuse" : "ambient";
    SomSdfElement e = som_sdf_child(r, material, which);
    double read[4] = {0, 0, 0, 1};
    leave_out_material(r, material);
    if (e.node >= 0 && som_sdf_numbers(r, material, which, 4, read)) {
        for (int i = 0; i < 4; i++) {
            color[i] = read[i] >= 0 && read[i] <= 1 ? read[i] : 1;
        }
        color[3] *= transparency > 0 && transparency <= 1 ? 1 - transparency : 1;
    } else if (transparency > 0) {
        som_sdf_count_kind(&r->of_shapes, SOM_STR("transparency"), span_of(r, visual));
    }
}

static void read_visuals(SomSdfReader *r, SomSdfElement at, int frame, SomModelLink *link) {
    static const char *const known[] = {"pose", "geometry", "material", "transparency", NULL};
    for (SomSdfElement e = som_sdf_child(r, at, "visual"); e.node >= 0;
         e = som_sdf_next(r, e, "visual")) {
        SomModelShape shape = {.pose = som_sdf_pose_in_link(r, e, frame)};
        som_sdf_count_others(r, e, known, &r->of_shapes);
        if (som_sdf_read_geometry(r, e, &shape)) {
            som_sdf_read_color(r, e, shape.color);
            som_array_push(&link->visuals, shape);
        }
    }
}

// ---- what is kept

// Means the same wherever it stands: names no file, and no frame of this model.
static bool is_complete(const SomSdfReader *r, SomSdfElement e) {
    static const char ending[] = "_map";
    const SomXml *xml = r->docs.data[e.doc].xml;
    size_t end = xml->nodes[e.node].whole.end;
    for (int i = e.node; i < xml->node_count && xml->nodes[i].whole.begin < end; i++) {
        SomStr name = xml->nodes[i].name;
        if (som_str_equal(name, SOM_STR("uri")) || som_str_ends_with(name, SOM_STR(ending)) ||
            som_xml_attribute(xml, i, SOM_STR("relative_to")).length > 0 ||
            som_xml_attribute(xml, i, SOM_STR("frame")).length > 0) {
            return false;
        }
    }
    return true;
}

static bool are_complete(const SomSdfReader *r, SomSdfElement at, const char *name) {
    bool fine = true;
    for (SomSdfElement e = som_sdf_child(r, at, name); e.node >= 0 && fine;
         e = som_sdf_next(r, e, name)) {
        fine = is_complete(r, e);
    }
    return fine;
}

// All shapes are seen, of one color, and nothing else is; or the link says nothing of it.
static bool looks_plain(const SomModelLink *link) {
    bool is_so = link->visuals.count == link->collisions.count || link->visuals.count == 0;
    for (int i = 0; i < link->visuals.count && is_so; i++) {
        const SomModelShape *seen = &link->visuals.data[i];
        is_so = som_link_model_is_same(seen, &link->collisions.data[i]);
        for (int k = 0; k < 4; k++) {
            is_so = is_so && seen->color[k] == link->visuals.data[0].color[k];
        }
    }
    return is_so;
}

// An export with less to touch would have less of it.
static bool can_be_reduced(const SomModelLink *link) {
    int count = link->collisions.count;
    SomContactPiece *pieces = som_alloc(sizeof *pieces * (size_t)(count + 1));
    for (int i = 0; i < count; i++) {
        const SomModelShape *of = &link->collisions.data[i];
        pieces[i] = (SomContactPiece){&of->shape, of->pose, false, true};
    }
    som_contact_choose(pieces, count);
    bool is_so = false;
    for (int i = 0; i < count; i++) {
        is_so = is_so || !pieces[i].is_solid;
        for (int k = 0; k < i && !is_so; k++) {
            SomShape joined;
            SomPose pose;
            is_so = som_contact_join(&pieces[k], &pieces[i], &joined, &pose);
        }
    }
    som_free(pieces);
    return is_so;
}

static bool has_mesh(const SomModelShapes *shapes) {
    for (int i = 0; i < shapes->count; i++) {
        if (shapes->data[i].mesh.length > 0) {
            return true;
        }
    }
    return false;
}

static void keep_shapes(SomSdfReader *r, SomSdfElement at, bool with_looks, SomText *kept) {
    for (SomSdfElement e = som_sdf_child(r, at, ""); e.node >= 0; e = som_sdf_next(r, e, "")) {
        if (som_sdf_is(r, e, "collision") || (som_sdf_is(r, e, "visual") && with_looks)) {
            som_sdf_keep(r, e, kept);
        }
    }
}

void som_sdf_read_shapes(SomSdfReader *r, SomSdfElement at, int frame, SomModelLink *link,
                         SomText *kept) {
    int slides = r->frictions.count, shapeless = r->geometry.count;
    SomSdfTallies touching;
    r->of_shapes = (SomSdfTallies){0};
    read_collisions(r, at, frame, link, kept);
    touching = r->of_shapes;
    r->of_shapes = (SomSdfTallies){0};
    read_visuals(r, at, frame, link);
    bool is_kept = link->collisions.count <= SOM_SDF_MAX_KEPT && !has_mesh(&link->collisions) &&
                   are_complete(r, at, "collision");
    bool with_looks = is_kept && are_complete(r, at, "visual");
    bool is_plain = touching.count + r->of_shapes.count == 0 && r->frictions.count == slides &&
                    r->geometry.count == shapeless && looks_plain(link);
    if (is_kept && (!is_plain || can_be_reduced(link))) {
        keep_shapes(r, at, with_looks, kept);
    }
    som_sdf_count_kinds(is_kept ? &r->kept_tally : &r->left_out, &touching);
    som_sdf_count_kinds(with_looks ? &r->kept_tally : &r->left_out, &r->of_shapes);
}
