// SPDX-License-Identifier: Apache-2.0
// Links of SDF: their inertia, and what is kept of them.

#include "exchange/sdf_internal.h"
#include "exchange/sdf_read_internal.h"

#include <math.h>

#define WATER 1000.0

static SomSpan span_of(const SomSdfReader *r, SomSdfElement e) {
    return som_sdf_node(r, e)->span;
}

// ---- inertia

// Of the shapes that touch, with their densities.
static void compute_inertia(SomSdfReader *r, SomSdfElement inertial, SomModelLink *link) {
    double density = som_sdf_number(r, inertial, "density", WATER);
    for (int i = 0; i < link->collisions.count; i++) {
        const SomModelShape *shape = &link->collisions.data[i];
        if (shape->mesh.length > 0) {
            link->has_mass = false; // it follows from the hull
            return;
        }
        double own = isnan(r->densities.data[i]) ? density : r->densities.data[i];
        own = own > 0 && own < 1e6 ? own : WATER;
        SomInertia solid =
            som_inertia_transform(shape->pose, som_shape_inertia(&shape->shape, own));
        link->inertia = link->has_mass ? som_inertia_add(link->inertia, solid) : solid;
        link->has_mass = true;
    }
}

static void read_inertia(SomSdfReader *r, SomSdfElement at, SomModelLink *link) {
    static const char *const known[] = {"pose", "mass", "inertia", "density", NULL};
    SomSdfElement inertial = som_sdf_child(r, at, "inertial");
    SomStr is_auto = som_sdf_attribute(r, inertial, "auto");
    som_sdf_count_others(r, inertial, known, &r->left_out);
    if (som_str_equal(is_auto, SOM_STR("true")) || som_str_equal(is_auto, SOM_STR("1"))) {
        som_sdf_count(&r->computed_inertia, link->name, span_of(r, inertial));
        compute_inertia(r, inertial, link);
        return;
    }
    if (inertial.node < 0) {
        som_sdf_count(&r->no_inertia, link->name, span_of(r, at));
    }
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

// Sensors and lights may stand in frames that are not written again.
static void keep_placed(SomSdfReader *r, SomSdfElement e, int frame, SomText *kept) {
    const SomSdfDoc *doc = &r->docs.data[e.doc];
    som_text_add_char(kept, '\n', kept->length > 0);
    som_sdf_replace_pose(doc->xml, e.node, doc->file.text, som_sdf_pose_in_link(r, e, frame), kept);
}

static void keep_others(SomSdfReader *r, SomSdfElement at, int frame, SomText *kept) {
    static const char *const known[] = {"pose", "inertial", "collision", "visual", NULL};
    for (SomSdfElement e = som_sdf_child(r, at, ""); e.node >= 0; e = som_sdf_next(r, e, "")) {
        SomSdfElement pose = som_sdf_child(r, e, "pose");
        if (som_sdf_is_one_of(r, e, known)) {
            continue;
        }
        if (pose.node >= 0 && som_sdf_node(r, pose)->attribute_count > 0) {
            keep_placed(r, e, frame, kept);
        } else {
            som_sdf_keep(r, e, kept);
        }
        som_sdf_count_kind(&r->kept_tally, som_sdf_node(r, e)->name, span_of(r, e));
    }
}

void som_sdf_read_link(SomSdfReader *r, int frame) {
    SomSdfElement at = r->frames.data[frame].at;
    SomModelLink link = {.name = r->frames.data[frame].whole,
                         .span = span_of(r, at),
                         .pose = r->frames.data[frame].pose};
    SomText kept = {0};
    som_sdf_read_shapes(r, at, frame, &link, &kept);
    read_inertia(r, at, &link);
    keep_others(r, at, frame, &kept);
    link.kept.sdf = som_arena_copy(&r->importer->arena, som_text_str(&kept));
    som_text_free(&kept);
    r->frames.data[frame].link = som_link_model_add_link(&r->model, &link);
}
