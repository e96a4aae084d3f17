// SPDX-License-Identifier: Apache-2.0

#include "exchange/urdf.h"

#include "exchange/urdf_internal.h"

#include <math.h>

// URDF has both limits or none; of joints that slide, always.
#define NO_LIMIT 1e6

typedef struct Writer {
    SomXmlWriter xml;
    const SomUrdfDef *def;
    const SomBodyModel *model;
    SomMeshFiles meshes;
} Writer;

// ---- frames

// Without what rounding left: 0.05 and not 0.04999999999999999. That moves nothing by more than
// 1e-15.
static double tidy(double x) {
    double rounded = rint(x * 1e15) / 1e15;
    return fabs(x) < 8 ? rounded : x;
}

void som_urdf_pose_numbers(SomPose pose, double numbers[6]) {
    numbers[0] = pose.position.x;
    numbers[1] = pose.position.y;
    numbers[2] = pose.position.z;
    som_rotation_to_rpy(pose.rotation, &numbers[3]);
    for (int i = 0; i < 6; i++) {
        numbers[i] = tidy(numbers[i]);
    }
}

static void write_origin(SomXmlWriter *xml, SomPose pose) {
    double numbers[6];
    som_urdf_pose_numbers(pose, numbers);
    som_xml_open(xml, "origin");
    som_xml_numbers(xml, "xyz", numbers, 3);
    som_xml_numbers(xml, "rpy", &numbers[3], 3);
    som_xml_close(xml);
}

SomPose som_urdf_in_link(const SomBodyModel *model, int body, SomPose pose) {
    pose.position = som_vec3_sub(pose.position, som_urdf_origin(model, body));
    return pose;
}

SomPose som_urdf_between(const SomBodyModel *model, int a, SomPose pose, int b) {
    SomPose origin = som_pose_translation(som_urdf_origin(model, b));
    return som_urdf_in_link(model, a, som_pose_compose(pose, origin));
}

bool som_urdf_has_root(const SomBodyModel *model) {
    bool is_empty = model->bodies[0].shape_count == 0;
    for (int i = 0; i < model->mechanism->link_count && is_empty; i++) {
        const SomModuleLink *link = model->mechanism->links[i].link;
        is_empty = model->body_of[i] != 0 || !(link->inertia.mass > 0);
    }
    return is_empty;
}

bool som_urdf_is_in_world(const SomBodyModel *model) {
    int trees = 0;
    for (int i = 0; i < model->body_count; i++) {
        trees += model->bodies[i].parent < 0;
    }
    return trees > 1 || model->bodies[0].is_fixed;
}

// No name of a body ends with a line: the last one is always free.
SomStr som_urdf_root(const SomBodyModel *model) {
    if (som_urdf_is_in_world(model)) {
        return SOM_STR("world"); // no other body has that name
    }
    if (som_urdf_has_root(model)) {
        return model->bodies[0].name;
    }
    static const char *const names[] = {SOM_URDF_ROOT, "base_footprint", "base_footprint_"};
    int at = 0;
    for (int i = 0; i < model->body_count; i++) {
        if (som_str_equal(model->bodies[i].name, som_str(names[at]))) {
            at++;
            i = -1;
        }
    }
    return som_str(names[at]);
}

// ---- what is seen

static const SomMesh *looks_of(const SomUrdfDef *def, int link) {
    return def->looks != NULL
               ? def->looks(def->looks_context, def->model->mechanism->links[link].link)
               : NULL;
}

// Of a link without shapes, which is only seen.
static const SomMesh *bare_looks_of(const SomUrdfDef *def, int link) {
    bool is_bare = def->model->mechanism->links[link].link->part_count == 0;
    return is_bare ? looks_of(def, link) : NULL;
}

// Shapes of a link stand together, and its looks stand for all of them.
static bool is_first_of_link(const SomBodyModel *model, int shape) {
    const SomBodyShape *s = &model->shapes[shape];
    for (int i = shape - 1; i >= 0 && s[i - shape].body == s->body; i--) {
        if (model->shapes[i].is_seen && model->shapes[i].link == s->link) {
            return false;
        }
    }
    return true;
}

void som_urdf_find_meshes(const SomUrdfDef *def, SomMeshFiles *meshes) {
    const SomBodyModel *model = def->model;
    for (int i = 0; i < model->shape_count; i++) {
        const SomBodyShape *shape = &model->shapes[i];
        const SomMesh *mesh = shape->is_seen ? looks_of(def, shape->link) : NULL;
        if (mesh != NULL) {
            som_mesh_files_add(meshes, model->mechanism, shape->link, NULL, mesh);
        }
        if (shape->shape->kind == SOM_SHAPE_HULL && (shape->is_solid || mesh == NULL)) {
            som_mesh_files_add(meshes, model->mechanism, shape->link, shape->shape->hull, NULL);
        }
    }
    for (int i = 0; i < model->mechanism->link_count; i++) {
        const SomMesh *mesh = bare_looks_of(def, i);
        if (mesh != NULL) {
            som_mesh_files_add(meshes, model->mechanism, i, NULL, mesh);
        }
    }
}

// A mesh may have a color of its own.
static const double *color_of(const SomMesh *mesh, const double *of_link) {
    return mesh != NULL && mesh->has_color ? mesh->color : of_link;
}

#define MATERIAL_NAME 16

// "rgba_b3b3b3ff"
static void material_name(const double color[4], char name[MATERIAL_NAME]) {
    static const char digits[] = "0123456789abcdef";
    int at = 0;
    for (const char *c = "rgba_"; *c != '\0'; c++) {
        name[at++] = *c;
    }
    for (int i = 0; i < 4; i++) {
        int byte = (int)rint(255 * fmin(fmax(color[i], 0), 1));
        name[at++] = digits[byte / 16];
        name[at++] = digits[byte % 16];
    }
    name[at] = '\0';
}

typedef SOM_ARRAY(const double *) Colors;

static void write_material_once(Writer *w, Colors *written, const double *color) {
    char name[MATERIAL_NAME], other[MATERIAL_NAME];
    material_name(color, name);
    for (int i = 0; i < written->count; i++) {
        material_name(written->data[i], other);
        if (som_str_equal(som_str(name), som_str(other))) {
            return;
        }
    }
    som_array_push(written, color);
    som_xml_open(&w->xml, "material");
    som_xml_word(&w->xml, "name", name);
    som_xml_open(&w->xml, "color");
    som_xml_numbers(&w->xml, "rgba", color, 4);
    som_xml_close(&w->xml);
    som_xml_close(&w->xml);
}

// Each once, before the links that use them.
static void write_materials(Writer *w) {
    const SomMechanism *m = w->model->mechanism;
    Colors written = {0};
    for (int i = 0; i < w->model->shape_count; i++) {
        const SomBodyShape *shape = &w->model->shapes[i];
        if (shape->is_seen) {
            write_material_once(w, &written, color_of(looks_of(w->def, shape->link), shape->color));
        }
    }
    for (int i = 0; i < m->link_count; i++) {
        const SomMesh *mesh = bare_looks_of(w->def, i);
        if (mesh != NULL) {
            write_material_once(w, &written, color_of(mesh, som_body_link_color(m, i)));
        }
    }
    som_array_free(&written);
}

// ---- shapes

// A visual or collision, open until its end.
typedef struct Piece {
    const char *element; // "visual", "collision"
    SomStr name;         // with a number behind it, if that is not 0
    int number;
    int body;
    SomPose pose;        // in the body
    const double *color; // NULL: none
} Piece;

static void begin_piece(Writer *w, const Piece *piece) {
    SomText name = {0};
    som_text_add(&name, piece->name);
    if (piece->number > 0) {
        som_text_printf(&name, "_end_%d", piece->number);
    }
    som_xml_open(&w->xml, piece->element);
    som_xml_string(&w->xml, "name", som_text_str(&name));
    write_origin(&w->xml, som_urdf_in_link(w->model, piece->body, piece->pose));
    som_xml_open(&w->xml, "geometry");
    som_text_free(&name);
}

static void end_piece(Writer *w, const Piece *piece) {
    som_xml_close(&w->xml); // geometry
    if (piece->color != NULL) {
        char name[MATERIAL_NAME];
        material_name(piece->color, name);
        som_xml_open(&w->xml, "material");
        som_xml_word(&w->xml, "name", name);
        som_xml_close(&w->xml);
    }
    som_xml_close(&w->xml);
}

static void write_mesh(Writer *w, const Piece *piece, SomStr path) {
    SomText uri = {0};
    som_text_printf(&uri, "%.*s%.*s", SOM_STR_ARG(w->def->mesh_folder), SOM_STR_ARG(path));
    begin_piece(w, piece);
    som_xml_open(&w->xml, "mesh");
    som_xml_string(&w->xml, "filename", som_text_str(&uri));
    som_xml_close(&w->xml);
    end_piece(w, piece);
    som_text_free(&uri);
}

static void write_round(Writer *w, const Piece *piece, const SomShape *shape, const char *element) {
    begin_piece(w, piece);
    som_xml_open(&w->xml, element);
    som_xml_number(&w->xml, "radius", tidy(shape->radius));
    if (element[0] == 'c') {
        som_xml_number(&w->xml, "length", tidy(2 * shape->half_length));
    }
    som_xml_close(&w->xml);
    end_piece(w, piece);
}

static void write_shape(Writer *w, const Piece *piece, const SomShape *shape) {
    switch (shape->kind) {
    case SOM_SHAPE_BOX:
        begin_piece(w, piece);
        som_xml_open(&w->xml, "box");
        som_xml_vec3(
            &w->xml, "size",
            som_vec3(tidy(2 * shape->half.x), tidy(2 * shape->half.y), tidy(2 * shape->half.z)));
        som_xml_close(&w->xml);
        end_piece(w, piece);
        break;
    case SOM_SHAPE_CYLINDER:
        write_round(w, piece, shape, "cylinder");
        break;
    case SOM_SHAPE_SPHERE:
        write_round(w, piece, shape, "sphere");
        break;
    case SOM_SHAPE_CAPSULE:
        write_round(w, piece, shape, "cylinder");
        for (int i = 1; i <= 2; i++) {
            double z = i == 1 ? shape->half_length : -shape->half_length;
            Piece end = *piece;
            end.number = i;
            end.pose = som_pose_compose(piece->pose, som_pose_translation(som_vec3(0, 0, z)));
            write_round(w, &end, shape, "sphere");
        }
        break;
    case SOM_SHAPE_HULL:
    case SOM_SHAPE_COMPOUND: // there is none: pieces are convex
        write_mesh(w, piece, som_mesh_files_path(&w->meshes, shape->hull, NULL));
        break;
    }
}

static void write_seen(Writer *w, int index) {
    const SomBodyShape *shape = &w->model->shapes[index];
    const SomMesh *mesh = looks_of(w->def, shape->link);
    Piece piece = {"visual",    shape->name, 0,
                   shape->body, shape->pose, color_of(mesh, shape->color)};
    if (mesh == NULL) {
        write_shape(w, &piece, shape->shape);
    } else if (is_first_of_link(w->model, index)) {
        piece.pose = w->model->link_pose[shape->link];
        write_mesh(w, &piece, som_mesh_files_path(&w->meshes, NULL, mesh));
    }
}

// Links of the body that are only seen.
static void write_bare_looks(Writer *w, int body) {
    const SomMechanism *m = w->model->mechanism;
    for (int i = 0; i < m->link_count; i++) {
        const SomMesh *mesh = w->model->body_of[i] == body ? bare_looks_of(w->def, i) : NULL;
        if (mesh != NULL) {
            SomText name = {0};
            som_text_printf(&name, "looks_%d", i);
            Piece piece = {.element = "visual",
                           .name = som_text_str(&name),
                           .body = body,
                           .pose = w->model->link_pose[i],
                           .color = color_of(mesh, som_body_link_color(m, i))};
            write_mesh(w, &piece, som_mesh_files_path(&w->meshes, NULL, mesh));
            som_text_free(&name);
        }
    }
}

// ---- links

// Some readers find the moments of flat bodies beyond what solids can have by the last bit: these
// are given a billionth more.
static SomMat3 beyond_doubt(SomInertia inertia) {
    SomPrincipal p = som_inertia_principal(inertia);
    double lack = 1e-9 * p.moments[2] - (p.moments[0] + p.moments[1] - p.moments[2]);
    SomMat3 m = inertia.moments;
    for (int i = 0; lack > 0 && i < 9; i++) { // about the axis of the least one
        m.m[i / 3][i % 3] += lack * p.axes.m[i / 3][0] * p.axes.m[i % 3][0];
    }
    return m;
}

static void write_inertia(Writer *w, int body) {
    SomXmlWriter *xml = &w->xml;
    SomInertia inertia = w->model->bodies[body].inertia;
    SomMat3 m = beyond_doubt(inertia);
    som_xml_open(xml, "inertial");
    write_origin(xml, som_urdf_in_link(w->model, body, som_pose_translation(inertia.center)));
    som_xml_open(xml, "mass");
    som_xml_number(xml, "value", inertia.mass);
    som_xml_close(xml);
    som_xml_open(xml, "inertia");
    som_xml_number(xml, "ixx", m.m[0][0]);
    som_xml_number(xml, "ixy", m.m[0][1]);
    som_xml_number(xml, "ixz", m.m[0][2]);
    som_xml_number(xml, "iyy", m.m[1][1]);
    som_xml_number(xml, "iyz", m.m[1][2]);
    som_xml_number(xml, "izz", m.m[2][2]);
    som_xml_close(xml);
    som_xml_close(xml);
}

static void write_link(Writer *w, int index) {
    const SomBody *body = &w->model->bodies[index];
    som_xml_open(&w->xml, "link");
    som_xml_string(&w->xml, "name", body->name);
    if (index > 0 || !som_urdf_has_root(w->model)) {
        write_inertia(w, index);
    }
    for (int i = body->first_shape; i < body->first_shape + body->shape_count; i++) {
        if (w->model->shapes[i].is_seen) {
            write_seen(w, i);
        }
    }
    write_bare_looks(w, index);
    for (int i = body->first_shape; i < body->first_shape + body->shape_count; i++) {
        const SomBodyShape *shape = &w->model->shapes[i];
        if (shape->is_solid) {
            Piece piece = {"collision", shape->name, 0, index, shape->pose, NULL};
            write_shape(w, &piece, shape->shape);
        }
    }
    som_urdf_write_kept_of_link(w->model, index, &w->xml);
    som_xml_close(&w->xml);
}

// ---- joints

static const char *type_of(const SomBodyJoint *joint) {
    if (joint->type == SOM_JOINT_FIXED) {
        return "fixed";
    }
    if (joint->type == SOM_JOINT_PRISMATIC) {
        return "prismatic";
    }
    return isfinite(joint->low) || isfinite(joint->high) ? "revolute" : "continuous";
}

static void write_ends(SomXmlWriter *xml, SomStr parent, SomStr child) {
    som_xml_open(xml, "parent");
    som_xml_string(xml, "link", parent);
    som_xml_close(xml);
    som_xml_open(xml, "child");
    som_xml_string(xml, "link", child);
    som_xml_close(xml);
}

static void write_motion(Writer *w, const SomBodyJoint *joint) {
    SomXmlWriter *xml = &w->xml;
    SomVec3 axis = joint->axis;
    som_xml_open(xml, "axis");
    som_xml_vec3(xml, "xyz", som_vec3(tidy(axis.x), tidy(axis.y), tidy(axis.z)));
    som_xml_close(xml);
    som_xml_open(xml, "limit");
    if (type_of(joint)[0] != 'c') {
        som_xml_number(xml, "lower", isfinite(joint->low) ? joint->low : -NO_LIMIT);
        som_xml_number(xml, "upper", isfinite(joint->high) ? joint->high : NO_LIMIT);
    }
    som_xml_number(xml, "effort", joint->dof >= 0 ? som_body_joint_effort(w->model, joint) : 0);
    som_xml_number(xml, "velocity", som_body_joint_speed(joint));
    som_xml_close(xml);
    if (joint->damping > 0 || joint->friction > 0) {
        som_xml_open(xml, "dynamics");
        som_xml_number(xml, "damping", joint->damping);
        som_xml_number(xml, "friction", joint->friction);
        som_xml_close(xml);
    }
}

// The child's body in its parent's, the joint at zero.
static SomPose at_zero(const SomBodyModel *model, const SomBodyJoint *joint) {
    SomPose pose =
        som_pose_relative(model->bodies[joint->parent].pose, model->bodies[joint->child].pose);
    if (joint->type == SOM_JOINT_FIXED || joint->start == 0) {
        return pose;
    }
    SomVec3 back = som_vec3_scale(-joint->start, joint->axis);
    if (joint->type == SOM_JOINT_PRISMATIC) {
        return som_pose_compose(pose, som_pose_translation(back));
    }
    SomPose turn = {som_rotation_exp(back), joint->position};
    turn = som_pose_compose(turn, som_pose_translation(som_vec3_scale(-1, joint->position)));
    return som_pose_compose(pose, turn);
}

static void write_joint(Writer *w, const SomBodyJoint *joint) {
    const SomBodyModel *model = w->model;
    som_xml_open(&w->xml, "joint");
    som_xml_string(&w->xml, "name", joint->name);
    som_xml_word(&w->xml, "type", type_of(joint));
    write_origin(&w->xml,
                 som_urdf_between(model, joint->parent, at_zero(model, joint), joint->child));
    write_ends(&w->xml, model->bodies[joint->parent].name, model->bodies[joint->child].name);
    if (joint->type != SOM_JOINT_FIXED) {
        write_motion(w, joint);
    }
    som_urdf_write_kept_of_joint(model, joint, &w->xml);
    som_xml_close(&w->xml);
}

static void write_root(Writer *w) {
    som_xml_open(&w->xml, "link");
    som_xml_string(&w->xml, "name", som_urdf_root(w->model));
    som_xml_close(&w->xml);
}

// A name that no joint of the model has: none ends with a line.
static SomStr root_joint_name(const SomBodyModel *model) {
    for (int i = 0; i < model->joint_count; i++) {
        if (som_str_equal(model->joints[i].name, SOM_STR("base_joint"))) {
            return SOM_STR("base_joint_");
        }
    }
    return SOM_STR("base_joint");
}

// On which the first body of a tree stands; in the world it floats if nothing bolts it.
static void write_root_joint(Writer *w, const SomBody *body) {
    const SomBodyModel *model = w->model;
    SomText name = {0};
    bool floats = som_urdf_is_in_world(model) && !body->is_fixed;
    if (floats) {
        som_text_printf(&name, "%.*s_floats_", SOM_STR_ARG(body->name));
    } else {
        som_text_add(&name, body->is_fixed ? body->bolt : root_joint_name(model));
    }
    som_xml_open(&w->xml, "joint");
    som_xml_string(&w->xml, "name", som_text_str(&name));
    som_xml_word(&w->xml, "type", floats ? "floating" : "fixed");
    write_origin(&w->xml, body->pose);
    write_ends(&w->xml, som_urdf_root(model), body->name);
    som_xml_close(&w->xml);
    som_text_free(&name);
}

void som_urdf_write(const SomUrdfDef *def, SomText *out, SomDiagnostics *diags) {
    Writer w = {
        .xml = {.out = out, .has_plugins = def->has_plugins}, .def = def, .model = def->model};
    som_urdf_find_meshes(def, &w.meshes);
    som_xml_begin(&w.xml);
    som_xml_open(&w.xml, "robot");
    som_xml_string(&w.xml, "name", def->model->name);
    write_materials(&w);
    const SomBodyModel *model = def->model;
    bool is_root = som_str_equal(model->bodies[0].name, som_urdf_root(model));
    if (!is_root) {
        write_root(&w);
    }
    for (int i = 0; i < model->body_count; i++) {
        int joint = model->bodies[i].joint;
        write_link(&w, i);
        if (joint >= 0) {
            write_joint(&w, &model->joints[joint]);
        } else if (i > 0 || !is_root) {
            write_root_joint(&w, &model->bodies[i]);
        }
    }
    som_urdf_write_frictions(def->model, &w.xml, diags);
    som_urdf_write_kept(def->model, &w.xml);
    som_urdf_write_welds(def->model, &w.xml);
    som_urdf_warn(def->model, diags);
    som_xml_end(&w.xml);
    som_mesh_files_free(&w.meshes);
}
