// SPDX-License-Identifier: Apache-2.0
// What exchange/sdf_plugin.c writes, read back as the plugin reads it, for every design of the
// library with each of its behaviors.

#include "base/memory.h"
#include "exchange/sdf.h"
#include "exchange/xml.h"
#include "player/element.h"
#include "player/graph_text.h"
#include "tests/exchange/library_exports.h"

#include <math.h>
#include <string.h>

#define MOST_ATTRIBUTES 24

typedef struct ReadBack {
    const TestExport *e;
    const SomBodyModel *model;
    const SomXml *xml;
    SOM_ARRAY(SomRobotDof) dofs;
    SOM_ARRAY(SomRobotWeld) welds;
    SOM_ARRAY(SomRobotBody) bodies;
    SOM_ARRAY(const char *) contacts;
    SomRobotTrace trace;
    SomFallLimits fall;
    SomStr graph, graph_name;
    SomArena arena;
} ReadBack;

static const char *copy(ReadBack *b, SomStr text) {
    return som_arena_copy(&b->arena, text).data; // terminated
}

static int attributes_of(ReadBack *b, int node, SomAttribute *out) {
    const SomXmlNode *element = &b->xml->nodes[node];
    ck_assert_int_le(element->attribute_count, MOST_ATTRIBUTES);
    for (int i = 0; i < element->attribute_count; i++) {
        const SomXmlAttribute *attribute = &b->xml->attributes[element->first_attribute + i];
        out[i] = (SomAttribute){copy(b, attribute->name), copy(b, attribute->value)};
    }
    return element->attribute_count;
}

static void read_child(ReadBack *b, int node) {
    SomAttribute attributes[MOST_ATTRIBUTES];
    int count = attributes_of(b, node, attributes);
    SomElementFault fault = {0};
    SomStr kind = b->xml->nodes[node].name;
    bool is_read = true;
    if (som_str_equal(kind, SOM_STR("dof"))) {
        SomRobotDof dof;
        is_read = som_element_read_dof(attributes, count, &dof, &fault);
        som_array_push(&b->dofs, dof);
    } else if (som_str_equal(kind, SOM_STR("weld"))) {
        SomRobotWeld weld;
        is_read = som_element_read_weld(attributes, count, &weld, &fault);
        som_array_push(&b->welds, weld);
    } else if (som_str_equal(kind, SOM_STR("physics"))) {
        is_read = som_element_read_physics(attributes, count, &b->fall, &fault);
    } else if (som_str_equal(kind, SOM_STR("body"))) {
        SomRobotBody body;
        is_read = som_element_read_body(attributes, count, &body, &fault);
        som_array_push(&b->bodies, body);
    } else if (som_str_equal(kind, SOM_STR("contact"))) {
        const char *name = som_element_attribute(attributes, count, "name");
        som_array_push(&b->contacts, name);
    } else if (som_str_equal(kind, SOM_STR("trace"))) {
        is_read = som_element_read_trace(attributes, count, &b->trace, &fault);
    } else {
        ck_assert(som_str_equal(kind, SOM_STR("graph")));
        b->graph = b->xml->nodes[node].text;
        b->graph_name = som_str(som_element_attribute(attributes, count, "name"));
    }
    ck_assert_msg(is_read, "%s: %s: %s", b->e->label, fault.words, fault.attribute);
}

static int find_plugin(const SomXml *xml, SomStr model) {
    int sdf = som_xml_child(xml, SOM_XML_TOP, SOM_STR("sdf"));
    int world = som_xml_child(xml, sdf, SOM_STR("world"));
    int at = som_xml_child(xml, world, SOM_STR("model"));
    while (!som_str_equal(som_xml_attribute(xml, at, SOM_STR("name")), model)) {
        at = som_xml_next(xml, at, SOM_STR("model"));
    }
    return som_xml_child(xml, at, SOM_STR("plugin"));
}

// ---- the same as what was written

static void check_dofs(const ReadBack *b) {
    const SomConfiguration *design = b->e->design;
    ck_assert_int_eq(b->dofs.count, design->dof_count);
    for (int i = 0; i < b->dofs.count; i++) {
        const SomRobotDof *dof = &b->dofs.data[i];
        int index = b->model->joint_of[i];
        ck_assert(som_str_equal(som_str(dof->name), design->dofs[i].path));
        ck_assert_int_eq(dof->joint != NULL, index >= 0);
        ck_assert_double_eq_tol(dof->start, b->model->start[i], 1e-24);
        if (index >= 0) {
            const SomBodyJoint *joint = &b->model->joints[index];
            const SomServoModel *servo = &dof->drive.servo;
            ck_assert(som_str_equal(som_str(dof->joint), joint->name));
            ck_assert(servo->low == joint->low && servo->high == joint->high);
            ck_assert_double_eq(servo->most_speed, joint->speed);
            ck_assert_double_eq(servo->most_acceleration, joint->acceleration);
            ck_assert_double_eq(dof->effort, joint->effort);
            ck_assert_double_eq_tol(dof->axis[0], joint->axis.x, 1e-24);
            ck_assert_double_eq_tol(dof->axis[2], joint->axis.z, 1e-24);
            ck_assert_int_eq(dof->is_prismatic, joint->type == SOM_JOINT_PRISMATIC);
        }
    }
}

static void check_bodies(const ReadBack *b) {
    SomRobotBody *wanted = som_body_model_robot(b->model);
    ck_assert_int_eq(b->bodies.count, b->model->body_count);
    for (int i = 0; i < b->bodies.count; i++) {
        const SomRobotBody *body = &b->bodies.data[i];
        ck_assert(som_str_equal(som_str(body->link), b->model->bodies[i].name));
        ck_assert_double_eq(body->mass, wanted[i].mass);
        ck_assert_double_eq(body->upright, wanted[i].upright);
        ck_assert_int_eq(body->is_base, wanted[i].is_base);
        for (int k = 0; k < 3; k++) {
            ck_assert_double_eq_tol(body->center[k], wanted[i].center[k], 1e-24);
            ck_assert_double_eq_tol(body->up[k], wanted[i].up[k], 1e-24);
            ck_assert_double_eq_tol(body->base.rotation[k][k], wanted[i].base.rotation[k][k],
                                    1e-14);
        }
    }
    som_free(wanted);
}

// What the two have in common is lighter than each of them.
static void check_spring(const SomBodyModel *model, const SomBodyWeld *ours,
                         const SomRobotWeld *weld) {
    double mass_a = model->bodies[ours->body_a].inertia.mass;
    double mass_b = model->bodies[ours->body_b].inertia.mass;
    if (ours->body_a != ours->body_b) {
        ck_assert(0 < weld->mass && weld->mass < mass_a && weld->mass < mass_b);
        ck_assert(0 < weld->inertia && weld->inertia < 1e4);
    }
}

// Connectors of one type hold what each of them does.
static void check_limits(const SomConfiguration *design, const SomBodyWeld *ours,
                         const SomRobotWeld *weld) {
    if (ours->dock < 0 || ours->body_a == ours->body_b) {
        ck_assert_double_eq(weld->limits.tension, 0);
        return;
    }
    const SomConnection *k = &design->docks[ours->dock].connection;
    const SomConnector *b = &design->modules[k->module_b].type->connectors[k->connector_b];
    ck_assert(weld->limits.tension <= b->tension || b->tension == 0);
    ck_assert(weld->limits.bending <= b->bending || b->bending == 0);
    ck_assert(strstr(weld->parent_links, weld->parent) != NULL);
    ck_assert(strstr(weld->child_links, weld->child) != NULL);
    if (b->shear > 0) {
        ck_assert(weld->limits.shear > 0);
    }
}

static void check_welds(const ReadBack *b) {
    const SomConfiguration *design = b->e->design;
    int docks = 0;
    for (int i = 0; i < b->welds.count; i++) {
        const SomRobotWeld *weld = &b->welds.data[i];
        docks += weld->dock != NULL;
        if (i < b->model->weld_count) {
            const SomBodyWeld *ours = &b->model->welds[i];
            ck_assert(som_str_equal(som_str(weld->parent), b->model->bodies[ours->body_a].name));
            ck_assert_double_eq_tol(weld->place.position[1], ours->pose.position.y, 1e-24);
            ck_assert_double_eq_tol(weld->place.rotation[0][1], ours->pose.rotation.m[0][1], 1e-14);
            ck_assert_int_eq(weld->state == SOM_DOCK_CLOSED, ours->is_held);
            ck_assert(weld->dock == NULL || weld->model.reach > 0);
            check_spring(b->model, ours, weld);
            check_limits(design, ours, weld);
        } else {
            ck_assert(weld->parent == NULL && weld->dock != NULL);
        }
    }
    ck_assert_int_eq(docks, design->dock_count);
}

// The graph is the same, bit by bit, fits the element, and plays.
static void check_graph(ReadBack *b) {
    SomActionGraph graph;
    size_t needed = 0, length = som_graph_text_write(b->e->graph, NULL, 0);
    som_graph_text_read(b->graph.data, b->graph.length, NULL, 0, &graph, &needed);
    void *memory = som_alloc(needed);
    SomGraphFault read_fault =
        som_graph_text_read(b->graph.data, b->graph.length, memory, needed, &graph, &needed);
    ck_assert_msg(read_fault.kind == SOM_GRAPH_FAULT_NONE, "%s: line %d", b->e->label,
                  read_fault.line);
    char *wanted = som_alloc(length + 1), *again = som_alloc(length + 1);
    som_graph_text_write(b->e->graph, wanted, length + 1);
    ck_assert_uint_eq(som_graph_text_write(&graph, again, length + 1), length);
    ck_assert_str_eq(again, wanted);
    int32_t *contact_of = som_alloc(((size_t)b->contacts.count + 1) * sizeof *contact_of);
    SomElement element = {&graph,         b->dofs.data,     b->dofs.count,    b->welds.data,
                          b->welds.count, b->contacts.data, b->contacts.count};
    SomElementFault fault;
    ck_assert_msg(som_element_bind(&element, contact_of, &fault), "%s: %s: %s", b->e->label,
                  fault.words, fault.attribute);
    SomRobotRunDef def = {&graph, b->dofs.data, b->welds.data, b->welds.count};
    size_t size = som_robot_run_size(&def);
    void *run_memory = som_alloc(size);
    SomRobotRun *run = som_robot_run_init(run_memory, size, &def, NULL);
    ck_assert_ptr_nonnull(run);
    SomSenses nothing = {0};
    for (int i = 0; i < 10; i++) {
        som_robot_run_play(run, &nothing, 0.01);
        som_robot_run_drive(run, &nothing, NULL, 0.01);
    }
    som_free(run_memory);
    som_free(contact_of);
    som_free(wanted);
    som_free(again);
    som_free(memory);
}

static void check(const TestExport *e, void *context) {
    if (e->graph == NULL) {
        return;
    }
    SomBodyModel *model = som_body_model_create(&(SomBodyDef){
        .mechanism = e->mechanism, .graph = e->graph, .is_full = *(const bool *)context});
    SomText text = {0};
    SomSdfDef def = {.model = model,
                     .graph = e->graph,
                     .behavior = SOM_STR("go(\"far\")"),
                     .trace = SOM_STR("a b.csv")};
    som_sdf_write_world(&def, &text);
    SomXml *xml = som_xml_read(som_text_str(&text), 0, e->diags);
    ck_assert_ptr_nonnull(xml);
    ReadBack b = {.e = e, .model = model, .xml = xml};
    int plugin = find_plugin(xml, model->name);
    for (int i = xml->nodes[plugin].first_child; i >= 0; i = xml->nodes[i].next) {
        read_child(&b, i);
    }
    check_dofs(&b);
    check_bodies(&b);
    check_welds(&b);
    check_graph(&b);
    ck_assert_double_eq(b.fall.lean, model->fall.lean);
    ck_assert_double_eq(b.fall.rolling, model->fall.rolling);
    ck_assert_str_eq(b.trace.file, "a b.csv");
    ck_assert(som_str_equal(b.graph_name, SOM_STR("go(\"far\")")));
    som_array_free(&b.dofs);
    som_array_free(&b.welds);
    som_array_free(&b.bodies);
    som_array_free(&b.contacts);
    som_arena_free(&b.arena);
    som_xml_destroy(xml);
    som_text_free(&text);
    som_body_model_destroy(model);
}

START_TEST(what_is_exported_is_read_back) {
    bool is_full = false;
    ck_assert_int_gt(test_each_export(check, &is_full), 30);
}
END_TEST

START_TEST(so_are_loops_docks_and_odd_names) {
    bool is_full = true;
    test_export("use \"ring.som\"\nconfig R {\n    part r : Ring\n}\n", "", "r.curl", check,
                &is_full);
    test_export("use \"ring.som\"\nconfig R {\n    part r : Ring\n}\n", "",
                "wait until docked(r.ends) timeout 1s", check, &is_full);
    test_export(test_hostile_design, "", "go", check, &is_full);
}
END_TEST

static void check_facts(const TestExport *e, void *context) {
    const double *wanted = context; // friction, lean, rolling
    bool is_full = false;
    SomText text = {0}, friction = {0};
    SomBodyModel *model =
        som_body_model_create(&(SomBodyDef){.mechanism = e->mechanism, .graph = e->graph});
    ck_assert_double_eq(model->friction, wanted[0]);
    ck_assert_double_eq_tol(model->fall.lean, wanted[1], 1e-15);
    ck_assert_double_eq_tol(model->fall.rolling, wanted[2], 1e-15);
    som_sdf_write_world(&(SomSdfDef){.model = model, .graph = e->graph}, &text);
    som_text_add(&friction, SOM_STR("<mu>"));
    som_text_printf(&friction, "%g", wanted[0]);
    som_text_add(&friction, SOM_STR("</mu>"));
    ck_assert_ptr_nonnull(strstr(text.data, friction.data));
    check(e, &is_full); // the element has them, too
    som_text_free(&friction);
    som_text_free(&text);
    som_body_model_destroy(model);
}

START_TEST(what_a_design_says_of_physics_reaches_the_element) {
    test_export("use \"module.som\"\nconfig M {\n    part m : Module\n}\n", "", "m.bend to 10deg",
                check_facts, (double[]){SOM_FRICTION, SOM_FALL_LEAN, SOM_FALL_ROLLING});
    test_export("use \"module.som\"\nconfig M {\n    part m : Module\n"
                "    verify { friction = 0.25; lean = 180deg; rolling = 90deg }\n}\n",
                "", "m.bend to 10deg", check_facts,
                (double[]){0.25, SOM_FALL_NEVER, SOM_FALL_NEVER / 2});
}
END_TEST

SOM_SUITE("plugins/exported_element", what_is_exported_is_read_back,
          so_are_loops_docks_and_odd_names, what_a_design_says_of_physics_reaches_the_element)
