// SPDX-License-Identifier: Apache-2.0
#include "render/robot_scene.h"

// Sizes of what is drawn on a module, as shares of the size of its largest link.
#define CONNECTOR_RADIUS 0.28
#define AXIS_LENGTH 1.3
#define FRAME_LENGTH 0.6

static const SomColor axis_color = {0.75f, 0.1f, 0.45f, 1};
static const SomColor connector_color = {0.1f, 0.55f, 0.3f, 1};

static void add_link(SomScene *scene, const SomMechanismLink *link, SomPose pose,
                     const SomMesh *mesh) {
    const double *color = link->link->color;
    if (mesh != NULL && mesh->has_color && !(color[3] > 0)) {
        color = mesh->color;
    }
    SomLook look = {.owner = 1 + (uint32_t)link->module};
    look.color = color[3] > 0 ? (SomColor){(float)color[0], (float)color[1], (float)color[2],
                                           (float)color[3]}
                              : som_color_of_index(link->module_link);
    if (mesh != NULL) {
        som_scene_add_item(scene, som_scene_add_mesh(scene, mesh), pose, &look);
        return;
    }
    for (int i = 0; i < link->link->part_count; i++) {
        const SomShapePart *part = &link->link->parts[i];
        som_scene_add_shape(scene, &part->shape, som_pose_compose(pose, part->pose), &look);
    }
}

// The longest edge of the boxes round the links of a module.
static double size_of(const SomMechanism *mechanism, const SomPose *links, int module) {
    double size = 0;
    for (int i = mechanism->first_link[module]; i < mechanism->first_link[module + 1]; i++) {
        SomBounds b = som_mechanism_link_bounds(mechanism, links, i);
        SomVec3 edges = som_vec3_sub(b.high, b.low);
        size = fmax(size, fmax(edges.x, fmax(edges.y, edges.z)));
    }
    return size;
}

static void add_axes(SomScene *scene, const SomMechanism *mechanism, const SomPose *links) {
    const SomConfiguration *configuration = mechanism->configuration;
    for (int i = 0; i < configuration->dof_count; i++) {
        int module = configuration->dofs[i].module;
        const SomModuleJoint *joint = mechanism->joints[i].joint;
        SomPose parent = links[som_mechanism_link_of(mechanism, module, joint->parent)];
        som_scene_add_axis(scene, som_pose_compose(parent, joint->frame),
                           AXIS_LENGTH * size_of(mechanism, links, module), axis_color);
    }
}

static void add_free_connectors(SomScene *scene, const SomMechanism *mechanism,
                                const SomPose *links) {
    const SomConfiguration *configuration = mechanism->configuration;
    int *first = som_alloc(sizeof *first * (size_t)(configuration->module_count + 1));
    for (int i = 0; i < configuration->module_count; i++) {
        first[i + 1] = first[i] + configuration->modules[i].type->connector_count;
    }
    bool *taken = som_alloc((size_t)first[configuration->module_count] + 1);
    for (int i = 0; i < configuration->connection_count; i++) {
        const SomConnection *c = &configuration->connections[i];
        taken[first[c->module_a] + c->connector_a] = true;
        taken[first[c->module_b] + c->connector_b] = true;
    }
    for (int i = 0; i < configuration->module_count; i++) {
        double radius = CONNECTOR_RADIUS * size_of(mechanism, links, i);
        for (int k = 0; k < configuration->modules[i].type->connector_count; k++) {
            if (!taken[first[i] + k] && configuration->modules[i].type->connectors[k].has_frame) {
                som_scene_add_connector(scene, som_mechanism_connector_pose(mechanism, links, i, k),
                                        radius, connector_color, 1 + (uint32_t)i);
            }
        }
    }
    som_free(taken);
    som_free(first);
}

void som_scene_add_robot(SomScene *scene, const SomMechanism *mechanism, const SomPose *links,
                         const SomLinkMeshes *meshes, unsigned flags) {
    for (int i = 0; i < mechanism->link_count; i++) {
        const SomMechanismLink *link = &mechanism->links[i];
        add_link(scene, link, links[i], som_link_meshes_find(meshes, link->link));
    }
    if ((flags & SOM_ROBOT_GROUND) != 0) {
        SomBounds bounds = som_mechanism_bounds(mechanism, links);
        bool stands = mechanism->configuration->base.is_on_ground || bounds.low.z > bounds.high.z;
        som_scene_set_ground(scene, stands ? 0 : bounds.low.z);
    }
    if ((flags & SOM_ROBOT_CONNECTORS) != 0) {
        add_free_connectors(scene, mechanism, links);
    }
    if ((flags & SOM_ROBOT_AXES) != 0) {
        add_axes(scene, mechanism, links);
    }
    if ((flags & SOM_ROBOT_FRAMES) != 0) {
        for (int i = 0; i < mechanism->configuration->module_count; i++) {
            som_scene_add_frame(scene, som_mechanism_module_pose(mechanism, links, i),
                                FRAME_LENGTH * size_of(mechanism, links, i));
        }
    }
    if ((flags & SOM_ROBOT_CENTER_OF_MASS) != 0 && mechanism->mass > 0) {
        som_scene_add_center_of_mass(scene, som_mechanism_com(mechanism, links));
    }
}
