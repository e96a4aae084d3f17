// SPDX-License-Identifier: Apache-2.0
// The element of Somite's plugin: how DoF, contacts and welds of the graph are called in the model.

#include "exchange/hull_contacts.h"
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

static void write_weld(SomXmlWriter *xml, const SomBodyModel *model, const SomBodyWeld *weld) {
    SomQuat q = som_quat_from_rotation(weld->pose.rotation);
    som_xml_open(xml, "weld");
    som_xml_string(xml, "name", weld->name);
    if (weld->dock >= 0) {
        som_xml_string(xml, "dock", model->mechanism->configuration->docks[weld->dock].path);
        som_xml_word(xml, "state", weld->is_held ? "closed" : "open");
    }
    som_xml_string(xml, "parent", model->bodies[weld->body_a].name);
    som_xml_string(xml, "child", model->bodies[weld->body_b].name);
    som_xml_vec3(xml, "position", weld->pose.position);
    som_xml_numbers(xml, "quaternion_xyzw", (double[]){q.x, q.y, q.z, q.w}, 4);
    som_xml_close(xml);
}

// Names may hold what ends a CDATA section; in the text of a graph it can be written otherwise.
static void write_graph(SomXmlWriter *xml, const SomActionGraph *graph) {
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
    write_graph(xml, def->graph);
    som_xml_close(xml);
}
