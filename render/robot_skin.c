// SPDX-License-Identifier: Apache-2.0
#include "render/robot_skin.h"

#include "compose/matings.h"
#include "render/base_sign.h"
#include "render/robot_scene.h"

// Sizes of what is drawn on a module, as shares of its size.
#define CONNECTOR_RADIUS 0.28
#define AXIS_LENGTH 1.3
#define FRAME_LENGTH 0.6

// A disc that lies this many radii below the surface of its own module is still met: faces have
// rims, and are drawn a little rounder or flatter than they are.
#define DISC_DEPTH 0.35

// Metres; the size of a module without shapes.
#define NO_SIZE 0.05

static const SomColor axis_color = {0.75f, 0.1f, 0.45f, 1};
const SomColor som_connector_color = {0.12f, 0.72f, 0.36f, 1};

// ---- making

static void add_shape(SomRobotSkin *skin, SomScene *scene, const SomShape *shape,
                      SomSkinItem item) {
    if (shape->kind != SOM_SHAPE_COMPOUND) {
        item.geometry = som_scene_add_solid(scene, shape);
        som_array_push(&skin->items, item);
        return;
    }
    SomPose whole = item.pose;
    for (int i = 0; i < shape->part_count; i++) {
        item.pose = som_pose_compose(whole, shape->parts[i].pose);
        add_shape(skin, scene, &shape->parts[i].shape, item);
    }
}

static void add_link(SomRobotSkin *skin, SomScene *scene, int index, const SomMesh *mesh) {
    const SomMechanismLink *link = &skin->mechanism->links[index];
    const double *color = link->link->color;
    if (mesh != NULL && mesh->has_color && !(color[3] > 0)) {
        color = mesh->color;
    }
    SomSkinItem item = {.link = index, .pose = som_pose_identity()};
    item.look.owner = 1 + (uint32_t)link->module;
    item.look.color = color[3] > 0 ? (SomColor){(float)color[0], (float)color[1], (float)color[2],
                                                (float)color[3]}
                                   : som_color_of_index(link->module_link);
    if (mesh != NULL) {
        item.geometry = som_scene_add_mesh(scene, mesh);
        som_array_push(&skin->items, item);
        return;
    }
    for (int i = 0; i < link->link->part_count; i++) {
        item.pose = link->link->parts[i].pose;
        add_shape(skin, scene, &link->link->parts[i].shape, item);
    }
}

// The longest edge of the boxes round the links of a module, each in its own frame, so that it is
// the same in every posture.
static double size_of(const SomMechanism *mechanism, int module) {
    double size = 0;
    for (int i = mechanism->first_link[module]; i < mechanism->first_link[module + 1]; i++) {
        const SomModuleLink *link = mechanism->links[i].link;
        SomVec3 low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
        for (int k = 0; k < link->part_count; k++) {
            SomBounds b = som_shape_bounds(&link->parts[k].shape, link->parts[k].pose);
            low = som_vec3(fmin(low.x, b.low.x), fmin(low.y, b.low.y), fmin(low.z, b.low.z));
            high = som_vec3(fmax(high.x, b.high.x), fmax(high.y, b.high.y), fmax(high.z, b.high.z));
        }
        size = fmax(size, fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z)));
    }
    return size > 0 ? size : NO_SIZE;
}

static void find_sizes(SomRobotSkin *skin) {
    const SomConfiguration *configuration = skin->mechanism->configuration;
    for (int i = 0; i < configuration->module_count; i++) {
        bool is_alike =
            i > 0 && configuration->modules[i].type == configuration->modules[i - 1].type;
        double size = is_alike ? skin->sizes.data[i - 1] : size_of(skin->mechanism, i);
        som_array_push(&skin->sizes, size);
    }
}

static void find_connectors(SomRobotSkin *skin) {
    const SomMechanism *m = skin->mechanism;
    SomPose *links = som_alloc(sizeof *links * ((size_t)m->link_count + 1));
    for (int i = 0; i < m->link_count; i++) {
        links[i] = som_pose_identity();
    }
    SomSites sites = som_sites_find(m, links);
    for (int i = 0; i < sites.count; i++) {
        int module = sites.data[i].module;
        SomSkinConnector one = {module, sites.data[i].connector,
                                CONNECTOR_RADIUS * skin->sizes.data[module]};
        if (m->configuration->modules[module].type->connectors[one.connector].has_frame) {
            som_array_push(&skin->connectors, one);
        }
    }
    som_sites_free(&sites);
    som_free(links);
}

void som_robot_skin_make(SomRobotSkin *skin, SomScene *scene, const SomMechanism *mechanism,
                         const SomLinkMeshes *meshes) {
    som_robot_skin_free(skin);
    skin->mechanism = mechanism;
    for (int i = 0; i < mechanism->link_count; i++) {
        add_link(skin, scene, i, som_link_meshes_find(meshes, mechanism->links[i].link));
    }
    find_sizes(skin);
    find_connectors(skin);
}

void som_robot_skin_free(SomRobotSkin *skin) {
    som_array_free(&skin->items);
    som_array_free(&skin->connectors);
    som_array_free(&skin->sizes);
    som_robot_signs_free(&skin->signs);
    *skin = (SomRobotSkin){0};
}

// ---- placing

static void add_axes(const SomRobotSkin *skin, SomScene *scene, const SomPose *links) {
    const SomMechanism *m = skin->mechanism;
    for (int i = 0; i < m->dof_count; i++) {
        int module = m->configuration->dofs[i].module;
        const SomModuleJoint *joint = m->joints[i].joint;
        SomPose parent = links[som_mechanism_link_of(m, module, joint->parent)];
        som_scene_add_axis(scene, som_pose_compose(parent, joint->frame),
                           AXIS_LENGTH * skin->sizes.data[module], axis_color);
    }
}

void som_robot_skin_show_connectors(const SomRobotSkin *skin, SomScene *scene, const SomPose *links,
                                    int module, int connector, SomColor color) {
    for (int i = 0; i < skin->connectors.count; i++) {
        const SomSkinConnector *c = &skin->connectors.data[i];
        if ((module < 0 || c->module == module) && (connector < 0 || c->connector == connector)) {
            SomPose pose =
                som_mechanism_connector_pose(skin->mechanism, links, c->module, c->connector);
            som_scene_add_connector(scene, pose, c->radius, color, 1 + (uint32_t)c->module);
        }
    }
}

// Joints move all but the base, so what stood on the ground may be off it now: the ground follows.
// Of several robots, and what is bolted to the world, bases say how high they are.
static void add_ground(const SomMechanism *m, SomScene *scene, const SomPose *links) {
    SomBounds bounds = som_mechanism_bounds(m, links);
    bool has_heights = m->is_fixed || m->configuration->base_count > 1;
    bool follows = !has_heights && bounds.low.z <= bounds.high.z;
    som_scene_set_ground(scene, follows ? bounds.low.z : 0);
}

static void add_fixed_bases(const SomRobotSkin *skin, SomScene *scene, const SomPose *links) {
    const SomMechanism *m = skin->mechanism;
    for (int i = 0; i < m->piece_count; i++) {
        int root = m->pieces[i].root;
        SomBounds bounds = som_mechanism_link_bounds(m, links, root);
        if (m->pieces[i].is_fixed && bounds.low.z <= bounds.high.z) {
            som_scene_add_fixed_base(scene, bounds, skin->sizes.data[m->links[root].module]);
        }
    }
}

void som_robot_skin_place(SomRobotSkin *skin, SomScene *scene, const SomPose *links,
                          unsigned flags) {
    const SomMechanism *m = skin->mechanism;
    skin->first = scene->items.count;
    som_array_reserve(&scene->items, scene->items.count + skin->items.count);
    for (int i = 0; i < skin->items.count; i++) {
        const SomSkinItem *item = &skin->items.data[i];
        som_scene_add_item(scene, item->geometry, som_pose_compose(links[item->link], item->pose),
                           &item->look);
    }
    if ((flags & SOM_ROBOT_GROUND) != 0) {
        add_ground(m, scene, links);
    }
    if ((flags & SOM_ROBOT_GROUND) != 0) {
        add_fixed_bases(skin, scene, links);
    }
    if ((flags & SOM_ROBOT_CONNECTORS) != 0) {
        som_robot_skin_show_connectors(skin, scene, links, -1, -1, som_connector_color);
    }
    if ((flags & SOM_ROBOT_AXES) != 0) {
        add_axes(skin, scene, links);
    }
    if ((flags & SOM_ROBOT_FRAMES) != 0) {
        for (int i = 0; i < m->configuration->module_count; i++) {
            som_scene_add_frame(scene, som_mechanism_module_pose(m, links, i),
                                FRAME_LENGTH * skin->sizes.data[i]);
        }
    }
    if ((flags & SOM_ROBOT_SIGNS) != 0) {
        if (skin->signs.signs.count + skin->signs.sticks.count == 0) {
            som_robot_signs_make(&skin->signs, m, skin->sizes.data);
        }
        som_robot_signs_place(&skin->signs, scene, links);
    }
    if ((flags & SOM_ROBOT_CENTER_OF_MASS) != 0 && m->mass > 0) {
        som_scene_add_center_of_mass(scene, som_mechanism_com(m, links));
    }
}

// Where the robot's items end in a scene: what could not be placed is not there.
static int last_of(const SomRobotSkin *skin, const SomScene *scene) {
    int last = skin->first + skin->items.count;
    return last < scene->items.count ? last : scene->items.count;
}

void som_robot_skin_mark(const SomRobotSkin *skin, SomScene *scene, int module, int count,
                         unsigned flags) {
    for (int i = skin->first; i < last_of(skin, scene); i++) {
        SomLook *look = &scene->items.data[i].look;
        int owner = (int)look->owner - 1;
        if (owner >= module && owner < module + count) {
            look->flags |= flags;
        }
    }
}

// ---- picking

// Where a ray meets the outside of a disc; HUGE_VAL if it does not.
static double cast_at_disc(SomPose pose, double radius, SomRay ray) {
    SomVec3 out = som_pose_rotate(pose, som_vec3(1, 0, 0));
    double against = -som_vec3_dot(out, ray.direction);
    if (!(against > 0)) {
        return HUGE_VAL;
    }
    double t = som_vec3_dot(som_vec3_sub(ray.origin, pose.position), out) / against;
    SomVec3 point = som_vec3_add(ray.origin, som_vec3_scale(t, ray.direction));
    double aside = som_vec3_length(som_vec3_sub(point, pose.position));
    return t >= 0 && aside <= radius ? t : HUGE_VAL;
}

SomRobotHit som_robot_skin_pick(const SomRobotSkin *skin, const SomScene *scene,
                                const SomPose *links, SomRay ray) {
    SomRobotHit hit = {-1, -1, HUGE_VAL, {0, 0, 0}};
    int item = som_scene_pick_among(scene, skin->first, last_of(skin, scene), ray.origin,
                                    ray.direction, &hit.distance);
    double solid = hit.distance;
    int owner = item >= 0 ? (int)scene->items.data[item].look.owner - 1 : -1;
    hit.module = owner;
    double nearest = HUGE_VAL;
    for (int i = 0; i < skin->connectors.count; i++) {
        const SomSkinConnector *c = &skin->connectors.data[i];
        SomPose pose =
            som_mechanism_connector_pose(skin->mechanism, links, c->module, c->connector);
        double t = cast_at_disc(pose, c->radius, ray);
        double slack = c->module == owner ? DISC_DEPTH * c->radius : 0;
        if (t < nearest && t <= solid + slack) {
            nearest = t;
            hit.module = c->module;
            hit.connector = c->connector;
        }
    }
    hit.distance = fmin(solid, nearest);
    hit.point = hit.module < 0
                    ? ray.origin
                    : som_vec3_add(ray.origin, som_vec3_scale(hit.distance, ray.direction));
    return hit;
}
