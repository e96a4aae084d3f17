// SPDX-License-Identifier: Apache-2.0
#include "studio/placing_scene.h"

#include <math.h>

// Of a connector's disc, as a share of the size of its module.
#define RADIUS 0.28
#define CHOSEN_RADIUS 0.36

static const SomColor fits = {0.16f, 0.78f, 0.25f, 1};
static const SomColor is_chosen = {0.98f, 0.72f, 0.1f, 1};
static const SomColor ghost = {0.25f, 0.55f, 0.95f, 0.55f};
static const SomColor overlapping = {0.9f, 0.25f, 0.15f, 0.55f};

static double size_of(const SomModel *model, int module) {
    double size = 0;
    const SomMechanism *m = model->mechanism;
    for (int i = m->first_link[module]; i < m->first_link[module + 1]; i++) {
        SomBounds b = som_mechanism_link_bounds(m, model->links, i);
        SomVec3 edges = som_vec3_sub(b.high, b.low);
        size = fmax(size, fmax(edges.x, fmax(edges.y, edges.z)));
    }
    return size;
}

static void add_connectors(SomAssembly *assembly, const SomModel *model, SomScene *scene) {
    const bool *is_offered;
    const SomSites *sites = som_assembly_sites(assembly, &is_offered);
    const SomCandidate *candidate = som_assembly_candidate(assembly);
    int module = -1;
    double size = 0;
    for (int i = 0; i < sites->count; i++) {
        const SomSite *site = &sites->data[i];
        if (!is_offered[i]) {
            continue;
        }
        size = site->module != module ? size_of(model, site->module) : size;
        module = site->module;
        bool is_here = candidate != NULL && candidate->module == site->module &&
                       candidate->connector == site->connector;
        som_scene_add_connector(scene, site->pose, (is_here ? CHOSEN_RADIUS : RADIUS) * size,
                                is_here ? is_chosen : fits, 0);
    }
    int first = som_assembly_first_module(assembly);
    if (first >= 0) {
        SomPose pose = som_mechanism_connector_pose(model->mechanism, model->links, first,
                                                    som_assembly_first_connector(assembly));
        som_scene_add_connector(scene, pose, CHOSEN_RADIUS * size_of(model, first), is_chosen, 0);
    }
}

static void add_link(SomScene *scene, const SomAssemblyBody *body, int link, SomPose pose,
                     const SomLook *look) {
    const SomModuleLink *of = body->mechanism->links[link].link;
    const SomMesh *mesh = som_link_meshes_find(body->meshes, of);
    if (mesh != NULL) {
        som_scene_add_item(scene, som_scene_add_mesh(scene, mesh), pose, look);
        return;
    }
    for (int i = 0; i < of->part_count; i++) {
        som_scene_add_shape(scene, &of->parts[i].shape, som_pose_compose(pose, of->parts[i].pose),
                            look);
    }
}

static void add_ghost(SomAssembly *assembly, SomScene *scene) {
    SomAssemblyBody body = som_assembly_body(assembly);
    const SomCandidate *candidate = som_assembly_candidate(assembly);
    if (body.mechanism == NULL || (candidate == NULL && !som_assembly_is_first(assembly))) {
        return;
    }
    SomPose pose = candidate != NULL ? candidate->pose : som_pose_identity();
    SomLook look = {.color = som_assembly_overlaps(assembly) ? overlapping : ghost,
                    .flags = SOM_LOOK_GHOST | SOM_LOOK_NO_SHADOW};
    for (int i = 0; i < body.mechanism->link_count; i++) {
        if (body.is_held == NULL || body.is_held[body.mechanism->links[i].module]) {
            add_link(scene, &body, i, som_pose_compose(pose, body.links[i]), &look);
        }
    }
}

void som_assembly_add_to_scene(SomAssembly *assembly, const SomModel *model, SomScene *scene,
                               bool has_no_ghost) {
    if (model->configuration != NULL) {
        add_connectors(assembly, model, scene);
    }
    if (!has_no_ghost) {
        add_ghost(assembly, scene);
    }
}
