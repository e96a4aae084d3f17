// SPDX-License-Identifier: Apache-2.0
// The element of Somite's plugin: how DoF, contacts and welds of the graph are called in the model.
// player/element.h reads it.

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

// For a spring that holds it.
static void write_spring(SomXmlWriter *xml, const SomRobotWeld *weld) {
    som_xml_number(xml, "mass", weld->mass);
    som_xml_number(xml, "inertia", weld->inertia);
    som_xml_numbers(xml, "middle", weld->middle, 3);
}

static void write_limits(SomXmlWriter *xml, const SomDockLimits *limits) {
    if (limits->tension > 0 || limits->shear > 0 || limits->bending > 0) {
        write_optional(xml, "tension", limits->tension);
        write_optional(xml, "shear", limits->shear);
        write_optional(xml, "bending", limits->bending);
        som_xml_numbers(xml, "face", limits->face, 3);
        som_xml_numbers(xml, "outward", limits->outward, 3);
    }
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

static void write_dock(SomXmlWriter *xml, const SomDock *dock, const SomRobotWeld *weld) {
    som_xml_string(xml, "dock", dock->path);
    som_xml_word(xml, "state", weld->state == SOM_DOCK_CLOSED ? "closed" : "open");
    write_optional(xml, "closing", weld->model.closing);
    write_optional(xml, "opening", weld->model.opening);
    som_xml_number(xml, "reach", weld->model.reach);
    som_xml_number(xml, "reach_angle", weld->model.reach_angle);
}

static void write_weld(SomXmlWriter *xml, const SomBodyModel *model, const SomBodyWeld *weld,
                       const SomRobotWeld *held) {
    const SomConfiguration *design = model->mechanism->configuration;
    const SomDock *dock = weld->dock >= 0 ? &design->docks[weld->dock] : NULL;
    SomQuat q = som_quat_from_rotation(weld->pose.rotation);
    som_xml_open(xml, "weld");
    som_xml_string(xml, "name", weld->name);
    if (dock != NULL) {
        write_dock(xml, dock, held);
    }
    som_xml_string(xml, "parent", model->bodies[weld->body_a].name);
    som_xml_string(xml, "child", model->bodies[weld->body_b].name);
    som_xml_vec3(xml, "position", weld->pose.position);
    som_xml_numbers(xml, "quaternion_xyzw", (double[]){q.x, q.y, q.z, q.w}, 4);
    if (weld->body_a != weld->body_b) {
        write_spring(xml, held);
    }
    if (weld->body_a != weld->body_b && dock != NULL) {
        write_limits(xml, &held->limits);
        write_links(xml, model, "parent_links", dock->connection.module_a);
        write_links(xml, model, "child_links", dock->connection.module_b);
    }
    som_xml_close(xml);
}

static void write_welds(SomXmlWriter *xml, const SomBodyModel *model) {
    SomRobotWeld *held = som_body_model_welds(model);
    for (int i = 0; i < model->weld_count; i++) {
        write_weld(xml, model, &model->welds[i], &held[i]);
    }
    som_free(held);
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
    write_optional(xml, "piece", body->piece);
    if (body->is_fixed) {
        som_xml_word(xml, "fixed", "true");
    }
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
    write_welds(xml, model);
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
