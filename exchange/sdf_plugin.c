// SPDX-License-Identifier: Apache-2.0
// The element of Somite's plugin: how DoF, contacts and welds of the graph are called in the model.
// player/element.h reads it.

#include "compose/dock_states.h"
#include "exchange/sdf_internal.h"
#include "player/graph_text.h"

#include <math.h>
#include <string.h>

static void write_optional(SomXmlWriter *xml, const char *attribute, double value) {
    if (value != 0 && isfinite(value)) {
        som_xml_number(xml, attribute, value);
    }
}

static void write_dof(SomXmlWriter *xml, const SomBodyModel *model, int dof) {
    som_xml_open(xml, "dof");
    som_xml_string(xml, "name", model->mechanism->configuration->dofs[dof].path);
    if (model->joint_of[dof] < 0) {
        som_xml_number(xml, "locked", model->start[dof]);
        som_xml_close(xml);
        return;
    }
    const SomBodyJoint *joint = &model->joints[model->joint_of[dof]];
    som_xml_string(xml, "joint", joint->name);
    som_xml_word(xml, "kind", joint->type == SOM_JOINT_PRISMATIC ? "prismatic" : "revolute");
    som_xml_vec3(xml, "axis", joint->axis);
    som_xml_number(xml, "start", joint->start);
    if (isfinite(joint->low)) {
        som_xml_number(xml, "low", joint->low);
    }
    if (isfinite(joint->high)) {
        som_xml_number(xml, "high", joint->high);
    }
    write_optional(xml, "effort", joint->effort);
    write_optional(xml, "speed", joint->speed);
    write_optional(xml, "acceleration", joint->acceleration);
    write_optional(xml, "p", joint->gains[0]);
    write_optional(xml, "i", joint->gains[1]);
    write_optional(xml, "d", joint->gains[2]);
    som_xml_close(xml);
}

// Is the path that of the link, or of something that the link is in?
static bool is_within(SomStr link, SomStr path) {
    return som_str_starts_with(link, path) &&
           (link.length == path.length || path.length == 0 || link.data[path.length] == '.');
}

// A sensed contact: all collisions of the link or part that it names.
static void write_contact(SomXmlWriter *xml, const SomBodyModel *model, SomStr path) {
    som_xml_open(xml, "contact");
    som_xml_string(xml, "name", path);
    for (int i = 0; i < model->shape_count; i++) {
        const SomBodyShape *shape = &model->shapes[i];
        if (shape->is_solid && is_within(model->mechanism->links[shape->link].path, path)) {
            som_xml_open(xml, "shape");
            som_xml_string(xml, "link", model->bodies[shape->body].name);
            som_xml_string(xml, "name", shape->name);
            som_xml_close(xml);
        }
    }
    som_xml_close(xml);
}

// What a body does against a push at a point, at most, per newton; and against a turn.
static double give_of(SomInertia inertia, SomVec3 at, double *turn) {
    double arm = som_vec3_length(som_vec3_sub(at, inertia.center));
    *turn = 1 / som_inertia_principal(inertia).moments[0];
    return 1 / inertia.mass + arm * arm * *turn;
}

// For a spring that holds it: the masses of both, at the middle between them.
static void write_spring(SomXmlWriter *xml, const SomBodyModel *model, const SomBodyWeld *weld) {
    SomInertia a = model->bodies[weld->body_a].inertia, b = model->bodies[weld->body_b].inertia;
    SomVec3 middle =
        som_vec3_scale(0.5, som_vec3_add(a.center, som_pose_apply(weld->pose, b.center)));
    double turn_a, turn_b;
    double give = give_of(a, middle, &turn_a) +
                  give_of(b, som_pose_apply(som_pose_invert(weld->pose), middle), &turn_b);
    som_xml_number(xml, "mass", 1 / give);
    som_xml_number(xml, "inertia", 1 / (turn_a + turn_b));
    som_xml_vec3(xml, "middle", middle);
}

// The smaller of what two connectors hold; 0 if none says.
static double limit_of(double a, double b) {
    return a > 0 && b > 0 ? fmin(a, b) : fmax(a, b);
}

// What it holds, and the face of its child against which that is measured.
static void write_limits(SomXmlWriter *xml, const SomBodyModel *model, const SomBodyWeld *weld) {
    const SomMechanism *m = model->mechanism;
    const SomConfiguration *design = m->configuration;
    const SomConnection *k = &design->docks[weld->dock].connection;
    const SomConnector *a = &design->modules[k->module_a].type->connectors[k->connector_a];
    const SomConnector *b = &design->modules[k->module_b].type->connectors[k->connector_b];
    double tension = limit_of(a->tension, b->tension), shear = limit_of(a->shear, b->shear),
           bending = limit_of(a->bending, b->bending);
    if (!(tension > 0) && !(shear > 0) && !(bending > 0)) {
        return;
    }
    SomPose *links = som_alloc(sizeof *links * (size_t)m->link_count);
    for (int i = 0; i < m->link_count; i++) {
        links[i] = som_pose_compose(model->bodies[model->body_of[i]].pose, model->link_pose[i]);
    }
    SomPose face =
        som_pose_compose(som_pose_invert(model->bodies[weld->body_b].pose),
                         som_mechanism_connector_pose(m, links, k->module_b, k->connector_b));
    write_optional(xml, "tension", tension);
    write_optional(xml, "shear", shear);
    write_optional(xml, "bending", bending);
    som_xml_vec3(xml, "face", face.position);
    som_xml_vec3(xml, "outward", som_pose_rotate(face, som_vec3(1, 0, 0)));
    som_free(links);
}

// The bodies that have shapes of the module, which may touch those of its partner while they meet.
static void write_links(SomXmlWriter *xml, const SomBodyModel *model, const char *attribute,
                        int module) {
    SomText names = {0};
    for (int i = 0; i < model->body_count; i++) {
        const SomBody *body = &model->bodies[i];
        bool has_shape = false;
        for (int k = body->first_shape; k < body->first_shape + body->shape_count; k++) {
            has_shape |= model->mechanism->links[model->shapes[k].link].module == module;
        }
        if (has_shape) {
            som_text_add(&names, names.length > 0 ? SOM_STR(" ") : SOM_STR(""));
            som_text_add(&names, body->name);
        }
    }
    som_xml_string(xml, attribute, som_text_str(&names));
    som_text_free(&names);
}

static void write_weld(SomXmlWriter *xml, const SomBodyModel *model, const SomBodyWeld *weld) {
    SomQuat q = som_quat_from_rotation(weld->pose.rotation);
    som_xml_open(xml, "weld");
    som_xml_string(xml, "name", weld->name);
    if (weld->dock >= 0) {
        const SomConfiguration *design = model->mechanism->configuration;
        const SomDock *dock = &design->docks[weld->dock];
        som_xml_string(xml, "dock", dock->path);
        som_xml_word(xml, "state", weld->is_held ? "closed" : "open");
        write_optional(xml, "closing", som_dock_connect_time(design, dock));
        write_optional(xml, "opening", som_dock_release_time(design, dock));
        som_xml_number(xml, "reach", SOM_DOCK_REACH);
    }
    som_xml_string(xml, "parent", model->bodies[weld->body_a].name);
    som_xml_string(xml, "child", model->bodies[weld->body_b].name);
    som_xml_vec3(xml, "position", weld->pose.position);
    som_xml_numbers(xml, "quaternion_xyzw", (double[]){q.x, q.y, q.z, q.w}, 4);
    if (weld->body_a != weld->body_b) {
        write_spring(xml, model, weld);
        if (weld->dock >= 0) {
            const SomConfiguration *design = model->mechanism->configuration;
            write_limits(xml, model, weld);
            write_links(xml, model, "parent_links", design->docks[weld->dock].connection.module_a);
            write_links(xml, model, "child_links", design->docks[weld->dock].connection.module_b);
        }
    }
    som_xml_close(xml);
}

// A dock that the behavior leaves alone: the player still wants to know how it is.
static void write_other_docks(SomXmlWriter *xml, const SomBodyModel *model) {
    const SomConfiguration *design = model->mechanism->configuration;
    for (int i = 0; i < design->dock_count; i++) {
        bool is_weld = false;
        for (int k = 0; k < model->weld_count; k++) {
            is_weld |= model->welds[k].dock == i;
        }
        if (!is_weld) {
            som_xml_open(xml, "weld");
            som_xml_string(xml, "name", design->docks[i].path);
            som_xml_string(xml, "dock", design->docks[i].path);
            som_xml_word(xml, "state", design->docks[i].is_closed ? "closed" : "open");
            som_xml_close(xml);
        }
    }
}

// What the player senses of the body: height, tilt, and the centre of mass for the trace.
static void write_body(SomXmlWriter *xml, const SomRobotBody *body, SomStr link) {
    som_xml_open(xml, "body");
    som_xml_string(xml, "link", link);
    som_xml_number(xml, "mass", body->mass);
    som_xml_numbers(xml, "center", body->center, 3);
    som_xml_numbers(xml, "up", body->up, 3);
    write_optional(xml, "upright", body->upright);
    if (body->is_base) {
        double base[7];
        memcpy(base, body->base.position, sizeof body->base.position);
        som_body_place_quaternion(&body->base, base + 3);
        som_xml_numbers(xml, "base", base, 7);
    }
    som_xml_close(xml);
}

static void write_bodies(SomXmlWriter *xml, const SomBodyModel *model) {
    SomRobotBody *bodies = som_body_model_robot(model);
    for (int i = 0; i < model->body_count; i++) {
        write_body(xml, &bodies[i], model->bodies[i].name);
    }
    som_free(bodies);
}

// Names may hold what ends a CDATA section; in the text of a graph it can be written otherwise.
static void write_graph(SomXmlWriter *xml, const SomActionGraph *graph, SomStr behavior) {
    size_t length = som_graph_text_write(graph, NULL, 0), begin = 0;
    char *text = som_alloc(length + 1);
    SomText safe = {0};
    som_graph_text_write(graph, text, length + 1);
    for (size_t i = 0; i + 2 < length; i++) {
        if (memcmp(text + i, "]]>", 3) == 0) {
            som_text_add(&safe, (SomStr){text + begin, i + 2 - begin});
            som_text_add(&safe, SOM_STR("\\x3e"));
            begin = i + 3;
        }
    }
    som_text_add(&safe, (SomStr){text + begin, length - begin});
    som_xml_open(xml, "graph");
    som_xml_string(xml, "name", behavior);
    som_xml_cdata(xml, som_text_str(&safe));
    som_xml_close(xml);
    som_text_free(&safe);
    som_free(text);
}

void som_sdf_write_plugin(SomXmlWriter *xml, const SomSdfDef *def) {
    const SomBodyModel *model = def->model;
    som_xml_open(xml, "plugin");
    som_xml_word(xml, "filename", SOM_SDF_PLUGIN_FILE);
    som_xml_word(xml, "name", SOM_SDF_PLUGIN);
    for (int i = 0; i < model->mechanism->dof_count; i++) {
        write_dof(xml, model, i);
    }
    for (int i = 0; i < def->graph->symbol_count[SOM_SYMBOL_CONTACT]; i++) {
        write_contact(xml, model, som_str(som_graph_name(def->graph, SOM_SYMBOL_CONTACT, i)));
    }
    for (int i = 0; i < model->weld_count; i++) {
        write_weld(xml, model, &model->welds[i]);
    }
    write_other_docks(xml, model);
    write_bodies(xml, model);
    som_xml_open(xml, "physics");
    som_xml_number(xml, "friction", model->friction);
    som_xml_number(xml, "lean", model->fall.lean);
    som_xml_number(xml, "rolling", model->fall.rolling);
    som_xml_close(xml);
    if (def->trace.length > 0) {
        som_xml_open(xml, "trace");
        som_xml_string(xml, "file", def->trace);
        som_xml_close(xml);
    }
    write_graph(xml, def->graph, def->behavior.length > 0 ? def->behavior : SOM_STR("behavior"));
    som_xml_close(xml);
}
