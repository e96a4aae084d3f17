// SPDX-License-Identifier: Apache-2.0
// Shapes of an imported link as they were written: used again while the link is what it was.

#include "exchange/kept_plugins.h"
#include "exchange/sdf_internal.h"
#include "exchange/sdf_read_internal.h"
#include "exchange/xml_kept.h"

#include <math.h>

#define SAME 1e-9

static bool is_shape(const SomXml *xml, int node) {
    return som_str_equal(xml->nodes[node].name, SOM_STR("collision"));
}

static bool is_look(const SomXml *xml, int node) {
    return som_str_equal(xml->nodes[node].name, SOM_STR("visual"));
}

static int count_named(SomStr text, bool (*is_named)(const SomXml *, int)) {
    if (text.length == 0) {
        return 0;
    }
    SomXmlKept kept = som_xml_kept_read(text);
    int count = 0;
    for (int i = som_xml_kept_first(&kept); i >= 0; i = som_xml_next(kept.xml, i, SOM_STR(""))) {
        count += is_named(kept.xml, i);
    }
    som_xml_kept_free(&kept);
    return count;
}

bool som_sdf_keeps_shapes(const SomModuleLink *link) {
    return count_named(link->kept.sdf, is_shape) > 0;
}

bool som_sdf_keeps_looks(const SomModuleLink *link) {
    return count_named(link->kept.sdf, is_look) > 0;
}

// ---- is it what it was?

static bool is_near(double a, double b) {
    return fabs(a - b) <= SAME;
}

static bool is_part(const SomModelShape *kept, SomPose frame, const SomShapePart *part) {
    SomPose pose = som_pose_compose(frame, kept->pose);
    SomVec3 axis = som_pose_rotate(pose, som_vec3(0, 0, 1));
    SomVec3 other = som_pose_rotate(part->pose, som_vec3(0, 0, 1));
    const SomShape *a = &kept->shape, *b = &part->shape;
    if (a->kind != b->kind ||
        som_vec3_length(som_vec3_sub(pose.position, part->pose.position)) > SAME) {
        return false;
    }
    switch (a->kind) {
    case SOM_SHAPE_BOX:
        return som_vec3_length(som_vec3_sub(a->half, b->half)) <= SAME &&
               som_rotation_distance(pose.rotation, part->pose.rotation) <= SAME;
    case SOM_SHAPE_SPHERE:
        return is_near(a->radius, b->radius);
    case SOM_SHAPE_CYLINDER:
    case SOM_SHAPE_CAPSULE:
        return is_near(a->radius, b->radius) && is_near(a->half_length, b->half_length) &&
               som_vec3_length(som_vec3_cross(axis, other)) <= SAME;
    case SOM_SHAPE_HULL:
    case SOM_SHAPE_COMPOUND:
        break;
    }
    return false;
}

static bool slides_as(SomSdfReader *r, SomSdfElement collision, const SomModuleLink *link) {
    SomSdfElement surface = som_sdf_child(r, collision, "surface");
    SomSdfElement ode = som_sdf_child(r, som_sdf_child(r, surface, "friction"), "ode");
    double mu = som_sdf_number(r, ode, "mu", 0);
    return isnan(link->friction) ? !(mu > 0) : is_near(mu, link->friction);
}

static bool has_color(const double color[4], const double wanted[4]) {
    bool is_so = true;
    for (int i = 0; i < 4; i++) {
        is_so = is_so && is_near(color[i], wanted[i]);
    }
    return is_so;
}

// The parts of the link are the shapes that touch, one by one; friction and color are of the first.
static bool is_unchanged(SomSdfReader *r, SomSdfElement e, const SomModuleLink *link) {
    int parts = 0;
    bool fine = true, is_colored = false;
    for (; e.node >= 0 && fine; e = som_sdf_next(r, e, "")) {
        SomModelShape shape = {.pose = som_sdf_pose(r, e, NULL)};
        if (som_sdf_is(r, e, "collision") && som_sdf_read_geometry(r, e, &shape)) {
            fine = parts < link->part_count && is_part(&shape, link->frame, &link->parts[parts]) &&
                   (parts > 0 || slides_as(r, e, link));
            parts++;
        } else if (som_sdf_is(r, e, "visual") && !is_colored) {
            som_sdf_read_color(r, e, shape.color);
            is_colored = shape.color[3] > 0;
            fine = !is_colored || has_color(shape.color, link->color);
        }
    }
    return fine && parts == link->part_count && !r->failed;
}

static bool are_unchanged(const SomModuleLink *link) {
    SomXmlKept kept = som_xml_kept_read(link->kept.sdf);
    SomSdfReader r = {.diags = som_diagnostics_create()};
    SomSdfDoc doc = {
        .file = {.text = som_text_str(&kept.text)}, .xml = kept.xml, .minor = SOM_SDF_USUAL};
    som_array_push(&r.docs, doc);
    bool fine = is_unchanged(&r, (SomSdfElement){0, som_xml_kept_first(&kept)}, link);
    som_array_free(&r.docs);
    som_diagnostics_destroy(r.diags);
    som_xml_kept_free(&kept);
    return fine;
}

// Players know shapes by the names that we give them, and masks are of one design.
bool som_sdf_uses_kept_shapes(const SomSdfDef *def, int link) {
    const SomBodyModel *model = def->model;
    const SomModuleLink *of = model->mechanism->links[link].link;
    if (def->graph != NULL || def->is_driven || som_sdf_version(def) < SOM_SDF_USUAL ||
        model->mechanism->configuration->module_count != 1 || !som_sdf_keeps_shapes(of)) {
        return false;
    }
    for (int i = 0; i < model->mechanism->link_count; i++) {
        if (i != link && model->body_of[i] == model->body_of[link]) {
            return false;
        }
    }
    return are_unchanged(of);
}

void som_sdf_write_kept_shapes(SomXmlWriter *xml, SomStr text) {
    SomXmlKept kept = som_xml_kept_read(text);
    for (int i = som_xml_kept_first(&kept); i >= 0; i = som_xml_next(kept.xml, i, SOM_STR(""))) {
        if (is_shape(kept.xml, i) || is_look(kept.xml, i)) {
            som_kept_write(xml, som_xml_kept_element(&kept, i));
        }
    }
    som_xml_kept_free(&kept);
}
