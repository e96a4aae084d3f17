// SPDX-License-Identifier: Apache-2.0

#include "exchange/sdf.h"

#include "exchange/hull_contacts.h"
#include "exchange/sdf_internal.h"
#include "space/trigonometry.h"

#include <math.h>

// SDF's own word for no limit.
#define NO_LIMIT 1e16

// The player keeps joints to their speeds. The engine's own limit is above them: a joint of DART
// that has come to it goes on at that speed, whatever it is told.
#define SPEED_ROOM 2

typedef struct Writer {
    SomXmlWriter *xml;
    const SomSdfDef *def;
    const SomMeshFiles *meshes;
    SomSdfMasks masks;
    SomArena *arena;
    bool keeps_contacts; // as it was imported: no masks of ours
    bool has_player;
} Writer;

// ---- numbers

// What is left of sums and turns behind the twelfth digit is noise. Without it a model that is
// imported and exported again is the same text.
static double rounded(double value) {
    return round(value * 1e12) / 1e12 + 0.0;
}

static double rounded_angle(double angle) {
    double near = rounded(angle);
    return near == -rounded(SOM_PI) ? -near : near;
}

// Position, then roll, pitch and yaw.
static void round_six(SomVec3 p, const double rpy[3], double six[6]) {
    const double position[3] = {p.x, p.y, p.z};
    for (int i = 0; i < 3; i++) {
        six[i] = rounded(position[i]);
        six[3 + i] = rounded_angle(rpy[i]);
    }
}

static void write_six(SomXmlWriter *xml, SomVec3 p, const double rpy[3]) {
    double six[6];
    round_six(p, rpy, six);
    som_xml_numbers_element(xml, "pose", six, 6);
}

void som_sdf_pose_numbers(SomPose pose, double six[6]) {
    double rpy[3], *x = &pose.rotation.m[0][0], *y = &pose.rotation.m[1][0];
    if (fabs(*x) < 1e-12 && fabs(*y) < 1e-12) {
        *x = *y = 0; // upright: any roll and yaw of one sum would do
    }
    som_rotation_to_rpy(pose.rotation, rpy);
    round_six(pose.position, rpy, six);
}

static void write_pose(SomXmlWriter *xml, SomPose pose) {
    double six[6];
    som_sdf_pose_numbers(pose, six);
    som_xml_numbers_element(xml, "pose", six, 6);
}

static void write_position(SomXmlWriter *xml, SomVec3 p) {
    write_six(xml, p, (double[]){0, 0, 0});
}

// The detector of DART, ODE's, loses contacts of boxes whose edges are exactly parallel, and legs
// sink into each other. Each box of a world is turned a little differently; it moves a corner by
// less than a micrometre.
#define BOX_TILT 4e-6 // radian

static SomPose tilted(SomPose pose, int index) {
    const double steps[3] = {0.8191725134, 0.6710436067, 0.5497004779}; // no two indices are alike
    SomVec3 turn = som_vec3(0, 0, 0);
    double *axes[3] = {&turn.x, &turn.y, &turn.z};
    for (int i = 0; i < 3; i++) {
        *axes[i] = BOX_TILT * (fmod((index + 1) * steps[i], 1) - 0.5);
    }
    SomPose by = som_pose_identity();
    by.rotation = som_rotation_exp(turn);
    return som_pose_compose(pose, by);
}

// Of what is round the turn about its axis means nothing, nor does which end is which.
static void write_shape_pose(SomXmlWriter *xml, const SomShape *shape, SomPose pose) {
    bool is_round = shape->kind == SOM_SHAPE_CYLINDER || shape->kind == SOM_SHAPE_CAPSULE;
    if (shape->kind == SOM_SHAPE_SPHERE) {
        write_position(xml, pose.position);
    } else if (is_round) {
        SomVec3 z = som_pose_rotate(pose, som_vec3(0, 0, 1));
        z = som_vec3(rounded(z.x), rounded(z.y), rounded(z.z));
        bool is_down = z.z < 0 || (z.z == 0 && (z.y < 0 || (z.y == 0 && z.x < 0)));
        z = is_down ? som_vec3_scale(-1, z) : z;
        double flat = sqrt(z.x * z.x + z.y * z.y);
        double rpy[3] = {0, flat > 0 ? som_atan2(flat, z.z) : 0,
                         flat > 0 ? som_atan2(z.y, z.x) : 0};
        write_six(xml, pose.position, rpy);
    } else {
        write_pose(xml, pose);
    }
}

// Of length 1 but for rounding, and the same when it is made so again.
static SomVec3 rounded_direction(SomVec3 v) {
    for (int i = 0; i < 8; i++) {
        SomVec3 near = som_vec3(rounded(v.x), rounded(v.y), rounded(v.z));
        SomVec3 next = som_vec3_scale(1 / som_vec3_length(near), near);
        bool is_stable =
            rounded(next.x) == near.x && rounded(next.y) == near.y && rounded(next.z) == near.z;
        if (is_stable) {
            return near;
        }
        v = next;
    }
    return v;
}

static void write_axes(SomXmlWriter *xml, const char *element, SomVec3 v) {
    som_xml_numbers_element(xml, element, (double[]){v.x, v.y, v.z}, 3);
}

// ---- geometry

static void write_box(SomXmlWriter *xml, SomVec3 half) {
    som_xml_open(xml, "box");
    write_axes(xml, "size",
               som_vec3(rounded(2 * half.x), rounded(2 * half.y), rounded(2 * half.z)));
    som_xml_close(xml);
}

static void write_round(SomXmlWriter *xml, const char *element, double radius, double length) {
    som_xml_open(xml, element);
    som_xml_number_element(xml, "radius", rounded(radius));
    if (length > 0) {
        som_xml_number_element(xml, "length", rounded(length));
    }
    som_xml_close(xml);
}

static void write_mesh_element(SomXmlWriter *xml, SomStr path) {
    som_xml_open(xml, "mesh");
    som_xml_text_element(xml, "uri", path);
    som_xml_close(xml);
}

static void write_geometry(const Writer *w, const SomShape *shape) {
    SomXmlWriter *xml = w->xml;
    som_xml_open(xml, "geometry");
    switch (shape->kind) {
    case SOM_SHAPE_BOX:
        write_box(xml, shape->half);
        break;
    case SOM_SHAPE_CYLINDER:
        write_round(xml, "cylinder", shape->radius, 2 * shape->half_length);
        break;
    case SOM_SHAPE_SPHERE:
        write_round(xml, "sphere", shape->radius, 0);
        break;
    case SOM_SHAPE_CAPSULE:
        write_round(xml, "capsule", shape->radius, 2 * shape->half_length);
        break;
    case SOM_SHAPE_HULL:
    case SOM_SHAPE_COMPOUND: // there is none: pieces are convex
        write_mesh_element(xml, som_mesh_files_path(w->meshes, shape->hull, NULL));
        break;
    }
    som_xml_close(xml);
}

// ---- collisions

static void write_collision(const Writer *w, const SomBodyShape *of, const char *ending, int number,
                            SomShape shape, SomPose pose) {
    SomXmlWriter *xml = w->xml;
    SomText name = {0};
    som_text_printf(&name, "%.*s%s", SOM_STR_ARG(of->name), ending);
    if (number > 0) {
        som_text_printf(&name, "%d", number);
    }
    som_xml_open(xml, "collision");
    som_xml_string(xml, "name", som_text_str(&name));
    bool is_tilted = w->def->tilts_boxes && shape.kind == SOM_SHAPE_BOX;
    write_shape_pose(xml, &shape,
                     is_tilted ? tilted(pose, (int)(of - w->def->model->shapes)) : pose);
    write_geometry(w, &shape);
    som_xml_open(xml, "surface");
    if (w->keeps_contacts) {
        som_sdf_write_kept_surface(xml, w->def->model->mechanism->links[of->link].link->kept.sdf);
    } else if (!w->masks.is_plain) {
        som_xml_open(xml, "contact");
        som_xml_number_element(xml, "collide_bitmask", som_sdf_mask_of(&w->masks, of));
        som_xml_close(xml);
    }
    som_xml_open(xml, "friction");
    som_xml_open(xml, "ode");
    som_xml_number_element(xml, "mu", of->friction);
    som_xml_number_element(xml, "mu2", of->friction);
    som_xml_close(xml);
    som_xml_close(xml);
    som_xml_close(xml);
    som_xml_close(xml);
    som_text_free(&name);
}

static SomPose moved(SomPose pose, double x, double y, double z) {
    return som_pose_compose(pose, som_pose_translation(som_vec3(x, y, z)));
}

static void write_hull_collisions(const Writer *w, const SomBodyShape *of) {
    SomHullContacts contacts = som_hull_contacts(of->shape->hull, w->arena);
    SomShape ball = {.kind = SOM_SHAPE_SPHERE, .radius = SOM_HULL_BALL};
    for (int i = 0; i < contacts.ball_count; i++) {
        SomVec3 at = contacts.balls[i];
        write_collision(w, of, "_ball_", i + 1, ball, moved(of->pose, at.x, at.y, at.z));
    }
    if (contacts.has_box) {
        SomShape box = {.kind = SOM_SHAPE_BOX, .half = contacts.box_half};
        SomVec3 at = contacts.box_center;
        write_collision(w, of, "_box", 0, box, moved(of->pose, at.x, at.y, at.z));
    }
}

static void write_collisions(const Writer *w, const SomBodyShape *of) {
    const SomShape *shape = of->shape;
    if (shape->kind == SOM_SHAPE_HULL) {
        write_hull_collisions(w, of);
    } else if (shape->kind == SOM_SHAPE_CAPSULE && som_sdf_version(w->def) < 8) {
        // capsules came with SDF 1.8
        SomShape middle = *shape, end = {.kind = SOM_SHAPE_SPHERE, .radius = shape->radius};
        middle.kind = SOM_SHAPE_CYLINDER;
        write_collision(w, of, "", 0, middle, of->pose);
        write_collision(w, of, "_end_", 1, end, moved(of->pose, 0, 0, shape->half_length));
        write_collision(w, of, "_end_", 2, end, moved(of->pose, 0, 0, -shape->half_length));
    } else {
        write_collision(w, of, "", 0, *shape, of->pose);
    }
}

// ---- visuals

static const SomMesh *looks_of(const Writer *w, int link) {
    return w->def->looks != NULL
               ? w->def->looks(w->def->looks_context, w->def->model->mechanism->links[link].link)
               : NULL;
}

static void write_material(SomXmlWriter *xml, const double color[4]) {
    som_xml_open(xml, "material");
    som_xml_numbers_element(xml, "ambient", color, 4);
    som_xml_numbers_element(xml, "diffuse", color, 4);
    som_xml_close(xml);
}

static void write_visual(const Writer *w, const SomBodyShape *of) {
    SomXmlWriter *xml = w->xml;
    som_xml_open(xml, "visual");
    som_xml_string(xml, "name", of->name);
    SomShape shape = *of->shape;
    write_shape_pose(xml, &shape, of->pose);
    if (shape.kind == SOM_SHAPE_CAPSULE && som_sdf_version(w->def) < 8) {
        shape.kind = SOM_SHAPE_CYLINDER;
    }
    write_geometry(w, &shape);
    write_material(xml, of->color);
    som_xml_close(xml);
}

static void write_looks(const Writer *w, int link, const SomMesh *mesh) {
    SomXmlWriter *xml = w->xml;
    SomText name = {0};
    som_text_printf(&name, "looks_%d", link);
    som_xml_open(xml, "visual");
    som_xml_string(xml, "name", som_text_str(&name));
    write_pose(xml,
               som_pose_compose(w->def->model->link_pose[link], som_sdf_mesh_frame(w->def, mesh)));
    som_xml_open(xml, "geometry");
    write_mesh_element(xml, som_mesh_files_path(w->meshes, NULL, mesh));
    som_xml_close(xml);
    write_material(xml, mesh->has_color ? mesh->color
                                        : som_body_link_color(w->def->model->mechanism, link));
    som_xml_close(xml);
    som_text_free(&name);
}

// ---- links and joints

// Twelve digits of the largest moments, and as many behind the point of the others.
static SomMat3 rounded_moments(SomMat3 m) {
    double trace = m.m[0][0] + m.m[1][1] + m.m[2][2], unit = 1e12;
    for (int i = 0; i < 40 && trace > 0 && trace < 0.1; i++) {
        trace *= 10;
        unit *= 10;
    }
    for (int i = 0; i < 9; i++) {
        m.m[i / 3][i % 3] = round(m.m[i / 3][i % 3] * unit) / unit + 0.0;
    }
    return m;
}

static void write_inertia(SomXmlWriter *xml, SomInertia inertia) {
    SomMat3 near = rounded_moments(inertia.moments);
    const SomMat3 *m = &near;
    som_xml_open(xml, "inertial");
    write_position(xml, inertia.center);
    som_xml_number_element(xml, "mass", inertia.mass);
    som_xml_open(xml, "inertia");
    som_xml_number_element(xml, "ixx", m->m[0][0]);
    som_xml_number_element(xml, "ixy", m->m[0][1]);
    som_xml_number_element(xml, "ixz", m->m[0][2]);
    som_xml_number_element(xml, "iyy", m->m[1][1]);
    som_xml_number_element(xml, "iyz", m->m[1][2]);
    som_xml_number_element(xml, "izz", m->m[2][2]);
    som_xml_close(xml);
    som_xml_close(xml);
}

// What touches, and what is seen; as they were if they were imported and still hold.
static void write_shapes(const Writer *w, const SomBody *body) {
    const SomBodyModel *model = w->def->model;
    bool is_kept = som_sdf_uses_kept_shapes(w->def, body->link);
    const SomModuleLink *link = model->mechanism->links[body->link].link;
    // kept shapes without kept looks: these are a mesh, or there were none
    bool has_looks = is_kept && (som_sdf_keeps_looks(link) || link->mesh.length == 0);
    int last_looks = -1;
    if (is_kept) {
        som_sdf_write_kept_shapes(w->xml, link->kept.sdf);
    }
    for (int i = body->first_shape; i < body->first_shape + body->shape_count; i++) {
        const SomBodyShape *shape = &model->shapes[i];
        if (shape->is_solid && !is_kept && som_sdf_mask_of(&w->masks, shape) != 0) {
            write_collisions(w, shape);
        }
        bool is_seen = shape->is_seen && !has_looks;
        const SomMesh *mesh = is_seen ? looks_of(w, shape->link) : NULL;
        if (mesh != NULL && shape->link != last_looks) { // the shapes of a link stand together
            write_looks(w, shape->link, mesh);
            last_looks = shape->link;
        } else if (mesh == NULL && is_seen) {
            write_visual(w, shape);
        }
    }
}

static void write_link(const Writer *w, int index) {
    const SomBodyModel *model = w->def->model;
    const SomBody *body = &model->bodies[index];
    som_xml_open(w->xml, "link");
    som_xml_string(w->xml, "name", body->name);
    write_pose(w->xml, body->pose);
    write_inertia(w->xml, body->inertia);
    write_shapes(w, body);
    for (int i = 0; i < model->mechanism->link_count; i++) {
        const SomModuleLink *link = model->mechanism->links[i].link;
        if (model->body_of[i] != index) {
            continue;
        }
        const SomMesh *mesh = link->part_count == 0 ? looks_of(w, i) : NULL;
        if (mesh != NULL) { // it is only seen
            write_looks(w, i, mesh);
        }
        SomPose own = som_pose_compose(model->link_pose[i], link->frame);
        som_sdf_write_kept(w->xml, link->kept.sdf, own);
    }
    som_xml_close(w->xml);
}

static void write_limits(SomXmlWriter *xml, const SomBodyJoint *joint, bool has_player) {
    som_xml_open(xml, "limit");
    som_xml_number_element(xml, "lower",
                           isfinite(joint->low) ? joint->low - joint->start : -NO_LIMIT);
    som_xml_number_element(xml, "upper",
                           isfinite(joint->high) ? joint->high - joint->start : NO_LIMIT);
    if (joint->effort > 0) {
        som_xml_number_element(xml, "effort", joint->effort);
    }
    if (joint->speed > 0) {
        som_xml_number_element(xml, "velocity", (has_player ? SPEED_ROOM : 1) * joint->speed);
    }
    som_xml_close(xml);
}

static void write_joint(const Writer *w, const SomBodyJoint *joint) {
    SomXmlWriter *xml = w->xml;
    const SomBodyModel *model = w->def->model;
    som_xml_open(xml, "joint");
    som_xml_string(xml, "name", joint->name);
    som_xml_word(xml, "type",
                 joint->type == SOM_JOINT_FIXED       ? "fixed"
                 : joint->type == SOM_JOINT_PRISMATIC ? "prismatic"
                                                      : "revolute");
    write_position(xml, joint->position); // in the child's frame, as all versions have it
    som_xml_text_element(xml, "parent", model->bodies[joint->parent].name);
    som_xml_text_element(xml, "child", model->bodies[joint->child].name);
    if (joint->type != SOM_JOINT_FIXED) {
        som_xml_open(xml, "axis");
        write_axes(xml, "xyz", rounded_direction(joint->axis));
        write_limits(xml, joint, w->has_player);
        som_xml_open(xml, "dynamics");
        som_xml_number_element(xml, "damping", joint->damping);
        som_xml_number_element(xml, "friction", joint->friction);
        som_xml_close(xml);
        som_xml_close(xml);
    }
    if (joint->joint != NULL) {
        som_sdf_write_kept(xml, joint->joint->kept.sdf, som_pose_identity());
    }
    som_xml_close(xml);
}

// Bolted to the world.
static void write_fixed(SomXmlWriter *xml, const SomBody *body) {
    som_xml_open(xml, "joint");
    som_xml_string(xml, "name", body->bolt);
    som_xml_word(xml, "type", "fixed");
    som_xml_word_element(xml, "parent", "world");
    som_xml_text_element(xml, "child", body->name);
    som_xml_close(xml);
}

void som_sdf_write_model_element(SomXmlWriter *xml, const SomSdfDef *def,
                                 const SomMeshFiles *meshes) {
    SomArena arena = {0};
    Writer w = {.xml = xml,
                .def = def,
                .meshes = meshes,
                .masks = som_sdf_masks(def->model),
                .arena = &arena,
                .keeps_contacts = som_sdf_keeps_contacts(def->model),
                .has_player = def->is_driven || som_sdf_has_player(def)};
    som_xml_open(xml, "model");
    som_xml_string(xml, "name", def->model->name);
    som_sdf_write_self_collide(xml, def);
    for (int i = 0; i < def->model->body_count; i++) {
        write_link(&w, i);
    }
    for (int i = 0; i < def->model->joint_count; i++) {
        write_joint(&w, &def->model->joints[i]);
    }
    for (int i = 0; i < def->model->body_count; i++) {
        if (def->model->bodies[i].is_fixed) {
            write_fixed(xml, &def->model->bodies[i]);
        }
    }
    som_sdf_write_kept_model(xml, def);
    if (def->graph != NULL) {
        som_sdf_write_plugin(xml, def);
    }
    som_xml_close(xml);
    som_sdf_masks_free(&w.masks);
    som_arena_free(&arena);
}
