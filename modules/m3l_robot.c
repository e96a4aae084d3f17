// SPDX-License-Identifier: Apache-2.0
// Robots: modules, the matings of their connections, and the frame that gives directions names.

#include "base/classes.h"
#include "base/codes/modules_codes.h"
#include "modules/m3l_reader_internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

// Numbers of matings shown when the one asked for is not among them.
#define SHOWN_INDICES 16

// In the place of a module that could not be read, so that what names it stays silent.
#define UNREADABLE (INT_MAX - 1)

typedef struct RobotReader {
    SomM3lReader *r;
    SomRobot *robot;
    SomNameTable names;
    SOM_ARRAY(SomRobotModule) modules;
    SOM_ARRAY(SomRobotConnection) connections;
} RobotReader;

// ---- modules

static void read_module(RobotReader *q, SomNode node) {
    SomM3lReader *r = q->r;
    if (som_syntax_has_error(r->tree, node)) {
        return;
    }
    if (!som_m3l_is(r, node, SOM_M3L_MEMBER)) {
        som_m3l_report_value(r, node, "a module of a robot is a type and a name: MTRAN m1");
        return;
    }
    SomNode type_node = som_syntax_first_child(r->tree, node);
    SomNode name_node = som_syntax_next_sibling(r->tree, type_node);
    SomStr type_name = som_m3l_name(r, type_node);
    SomRobotModule module = {.name = som_m3l_name(r, name_node),
                             .span = som_m3l_span(r, name_node)};
    int type = som_name_table_find(&r->type_names, type_name);
    int before =
        som_name_table_add(&q->names, module.name, type >= 0 ? q->modules.count : UNREADABLE);
    if (type < 0 && som_name_table_find(&r->robot_names, type_name) >= 0) {
        som_report(r->diags, SOM_M3L_UNKNOWN_NAME, som_m3l_span(r, type_node),
                   "'%.*s' is a robot, and robots are made of modules", SOM_STR_ARG(type_name));
    } else if (type < 0) {
        som_m3l_report_unknown(r, type_node, "module", type_name,
                               SOM_M3L_NAMES(r->m3l->types, name, r->m3l->type_count));
    } else if (before >= 0) {
        som_report(r->diags, SOM_M3L_DEFINED_TWICE, module.span, "two modules are called '%.*s'",
                   SOM_STR_ARG(module.name));
        if (before != UNREADABLE) {
            som_note(r->diags, q->modules.data[before].span, "the first one is here");
        }
    } else {
        module.type = &r->m3l->types[type];
        som_array_push(&q->modules, module);
    }
}

static void read_modules(RobotReader *q, SomNode definition) {
    SomNode value = som_m3l_value(q->r, definition, "modules", true);
    SomNode item = value != 0 ? som_m3l_first_item(q->r, value) : 0;
    for (; item != 0; item = som_m3l_next_item(q->r, value, item)) {
        read_module(q, item);
    }
}

static int find_module(RobotReader *q, SomNode node) {
    SomStr name = som_m3l_name(q->r, node);
    int module = som_name_table_find(&q->names, name);
    if (module >= 0) {
        return module != UNREADABLE ? module : -1;
    }
    som_m3l_report_unknown(q->r, node, "module of this robot", name,
                           SOM_M3L_NAMES(q->modules.data, name, q->modules.count));
    return -1;
}

// ---- connections

// m1.c2
static bool read_end(RobotReader *q, SomNode node, int *module, int *connector) {
    SomM3lReader *r = q->r;
    if (som_syntax_has_error(r->tree, node)) {
        return false;
    }
    if (!som_m3l_is(r, node, SOM_M3L_REFERENCE) || som_m3l_part_count(r, node) != 2) {
        som_m3l_report_value(r, node, "this must be a module and its connector, such as m1.c2");
        return false;
    }
    *module = find_module(q, som_m3l_part(r, node, 0));
    if (*module < 0) {
        return false;
    }
    const SomModuleType *type = q->modules.data[*module].type;
    SomNode point = som_m3l_part(r, node, 1);
    SomStr name = som_m3l_name(r, point);
    *connector = som_module_type_find_connector(type, name);
    if (*connector < 0 && !type->has_errors) {
        som_m3l_report_unknown(r, point, "connector of its module", name,
                               SOM_M3L_NAMES(type->connectors, name, type->connector_count));
    }
    return *connector >= 0;
}

static bool read_index(RobotReader *q, SomNode node, SomRobotConnection *connection) {
    double number;
    if (!som_m3l_read_number(q->r, node, SOM_DIMENSION_NUMBER, &number)) {
        return false;
    }
    if (!(number >= 1 && number <= SOM_MAX_MATINGS && floor(number) == number)) {
        som_report(q->r->diags, SOM_M3L_INDEX_NOT_OFFERED, som_m3l_span(q->r, node),
                   "the number of a mating is a whole number from 1");
        return false;
    }
    connection->is_given = true;
    connection->index = (int)number;
    return true;
}

static void report_index(RobotReader *q, SomNode node, int index, const SomMatingChoice *choices,
                         int count) {
    SomText text = {0};
    int shown = count < SHOWN_INDICES ? count : SHOWN_INDICES;
    for (int i = 0; i < shown; i++) {
        if (i == 0 || choices[i].index != choices[i - 1].index) { // both ways round is one
            som_text_printf(&text, "%s%d", i > 0 ? ", " : "", choices[i].index);
        }
    }
    som_report(q->r->diags, SOM_M3L_INDEX_NOT_OFFERED, som_m3l_span(q->r, node),
               "%d is not a mating of these two connectors; they have %.*s%s", index,
               SOM_STR_ARG(som_text_str(&text)), count > shown ? ", …" : "");
    som_text_free(&text);
}

// The mating with the given index, or the first one.
static bool choose_mating(RobotReader *q, SomNode node, SomRobotConnection *connection) {
    const SomRobotModule *a = &q->modules.data[connection->a];
    const SomRobotModule *b = &q->modules.data[connection->b];
    SomMatingChoice choices[SHOWN_INDICES], choice;
    int count = som_m3l_find_matings(q->r->m3l, a->type, connection->connector_a, b->type,
                                     connection->connector_b, choices, SHOWN_INDICES);
    if (count == 0) {
        bool is_quiet = q->r->has_bad_rule || a->type->has_errors || b->type->has_errors;
        if (!is_quiet) {
            SomStr ca = a->type->connectors[connection->connector_a].name;
            SomStr cb = b->type->connectors[connection->connector_b].name;
            som_report(q->r->diags, SOM_M3L_CANNOT_MATE, connection->span,
                       "'%.*s' of '%.*s' cannot be mated with '%.*s' of '%.*s'", SOM_STR_ARG(ca),
                       SOM_STR_ARG(a->name), SOM_STR_ARG(cb), SOM_STR_ARG(b->name));
        }
        return false;
    }
    if (!som_m3l_find_mating(q->r->m3l, a->type, connection->connector_a, b->type,
                             connection->connector_b, connection->index, &choice)) {
        report_index(q, node, connection->index, choices, count);
        return false;
    }
    connection->rule = choice.rule;
    connection->index = choice.index;
    connection->is_reversed = choice.is_reversed;
    connection->transform = choice.transform;
    return true;
}

static void read_connection(RobotReader *q, SomNode node) {
    SomM3lReader *r = q->r;
    SomNode items[3];
    SomRobotConnection connection = {.span = som_m3l_span(r, node)};
    if (som_syntax_has_error(r->tree, node)) {
        return;
    }
    int count = som_m3l_is(r, node, SOM_M3L_TUPLE) ? som_m3l_items(r, node, items, 3) : 0;
    if (count != 2 && count != 3) {
        som_m3l_report_value(r, node,
                             "a connection is (m1.c2, m2.c5), or with the number of a mating");
        return;
    }
    bool has_a = read_end(q, items[0], &connection.a, &connection.connector_a);
    bool has_b = read_end(q, items[1], &connection.b, &connection.connector_b);
    if (!has_a || !has_b || (count == 3 && !read_index(q, items[2], &connection))) {
        return;
    }
    if (connection.a == connection.b) {
        som_report(r->diags, SOM_M3L_SELF_CONNECTION, connection.span,
                   "module '%.*s' is connected to itself",
                   SOM_STR_ARG(q->modules.data[connection.a].name));
        return;
    }
    if (choose_mating(q, count == 3 ? items[2] : node, &connection)) {
        som_array_push(&q->connections, connection);
    }
}

// ---- connectors taken twice

typedef struct Use {
    int module;
    int connector;
    int connection;
} Use;

static int compare_uses(const void *x, const void *y) {
    const Use *a = x, *b = y;
    if (a->module != b->module) {
        return a->module < b->module ? -1 : 1;
    }
    if (a->connector != b->connector) {
        return a->connector < b->connector ? -1 : 1;
    }
    return (a->connection > b->connection) - (a->connection < b->connection);
}

static void check_taken(RobotReader *q) {
    int count = 2 * q->connections.count;
    if (count == 0) {
        return;
    }
    Use *uses = som_alloc(sizeof *uses * (size_t)count);
    for (int i = 0; i < q->connections.count; i++) {
        const SomRobotConnection *c = &q->connections.data[i];
        uses[2 * i] = (Use){c->a, c->connector_a, i};
        uses[2 * i + 1] = (Use){c->b, c->connector_b, i};
    }
    qsort(uses, (size_t)count, sizeof *uses, compare_uses);
    for (int i = 1; i < count; i++) {
        if (uses[i].module == uses[i - 1].module && uses[i].connector == uses[i - 1].connector) {
            const SomRobotModule *module = &q->modules.data[uses[i].module];
            som_report(q->r->diags, SOM_M3L_CONNECTOR_TAKEN,
                       q->connections.data[uses[i].connection].span,
                       "connector '%.*s' of '%.*s' is already connected",
                       SOM_STR_ARG(module->type->connectors[uses[i].connector].name),
                       SOM_STR_ARG(module->name));
            som_note(q->r->diags, q->connections.data[uses[i - 1].connection].span,
                     "it was connected here");
        }
    }
    som_free(uses);
}

// ---- pieces

// Reported once, at the first module that hangs on nothing the first one hangs on.
static void check_pieces(RobotReader *q) {
    int *piece = som_alloc(sizeof *piece * (size_t)(q->modules.count + 1));
    som_classes_reset(piece, q->modules.count);
    for (int i = 0; i < q->connections.count; i++) {
        som_classes_join(piece, q->connections.data[i].a, q->connections.data[i].b);
    }
    for (int i = 0; i < q->modules.count; i++) {
        if (som_classes_find(piece, i) != 0) {
            som_report(q->r->diags, SOM_M3L_IN_PIECES, q->modules.data[i].span,
                       "module '%.*s' is not connected with '%.*s'",
                       SOM_STR_ARG(q->modules.data[i].name), SOM_STR_ARG(q->modules.data[0].name));
            break;
        }
    }
    som_free(piece);
}

// ---- the frame

// m5.passive_block.(axis: origin=(1,0,0), direction=(1,0,0))
static bool read_frame_axis(RobotReader *q, SomNode node, int *module, int *link, SomVec3 *origin,
                            SomVec3 *direction) {
    SomM3lReader *r = q->r;
    SomNode nested = som_m3l_is(r, node, SOM_M3L_REFERENCE) ? som_m3l_part(r, node, 2) : (SomNode)0;
    SomNode axis = som_m3l_is(r, nested, SOM_M3L_NESTED)
                       ? som_syntax_find_child(r->tree, nested, SOM_M3L_DEFINITION)
                       : 0;
    if (axis == 0 || som_m3l_part_count(r, node) != 3 ||
        !som_str_equal(som_m3l_keyword(r, axis), SOM_STR("axis"))) {
        som_m3l_report_value(r, node, "this must be m1.link.(axis: origin=..., direction=...)");
        return false;
    }
    *module = find_module(q, som_m3l_part(r, node, 0));
    if (*module < 0) {
        return false;
    }
    const SomModuleType *type = q->modules.data[*module].type;
    SomNode link_node = som_m3l_part(r, node, 1);
    SomStr name = som_m3l_name(r, link_node);
    *link = som_module_type_find_link(type, name);
    if (*link < 0) {
        if (!type->has_errors) {
            som_m3l_report_unknown(r, link_node, "link of its module", name,
                                   SOM_M3L_NAMES(type->links, name, type->link_count));
        }
        return false;
    }
    r->unit = type->unit;
    bool is_good = som_m3l_read_axis(r, axis, origin, direction);
    r->unit = 1;
    return is_good;
}

static void read_frame(RobotReader *q, SomNode definition) {
    SomM3lReader *r = q->r;
    SomNode value = som_m3l_value(r, definition, "frame", false);
    SomNode items[3];
    int module[3], link[3];
    SomVec3 origin[3], d[3];
    if (value == 0 && som_syntax_find_child(r->tree, definition, SOM_M3L_REST) != 0) {
        value = r->frame_before;
    }
    r->frame_before = value;
    if (value == 0) {
        return;
    }
    if (!som_m3l_is(r, value, SOM_M3L_TUPLE) || som_m3l_items(r, value, items, 3) != 3) {
        som_m3l_report_value(r, value, "a frame is three axes");
        return;
    }
    bool is_good = true;
    for (int i = 0; i < 3; i++) {
        is_good &= read_frame_axis(q, items[i], &module[i], &link[i], &origin[i], &d[i]);
    }
    if (!is_good) {
        return;
    }
    bool is_one_link = module[0] == module[1] && module[0] == module[2] && link[0] == link[1] &&
                       link[0] == link[2];
    bool is_one_origin = som_vec3_length(som_vec3_sub(origin[0], origin[1])) < 1e-9 &&
                         som_vec3_length(som_vec3_sub(origin[0], origin[2])) < 1e-9;
    SomVec3 error = som_vec3_sub(som_vec3_cross(d[0], d[1]), d[2]);
    const char *wrong = !is_one_link                            ? "are not in one link"
                        : !is_one_origin                        ? "do not have one origin"
                        : fabs(som_vec3_dot(d[0], d[1])) > 1e-9 ? "are not perpendicular"
                        : !(som_vec3_length(error) < 1e-9)      ? "are not right-handed"
                                                                : NULL;
    if (wrong != NULL) {
        som_report(r->diags, SOM_M3L_BAD_FRAME, som_m3l_span(r, value), "the axes of the frame %s",
                   wrong);
        return;
    }
    q->robot->has_frame = true;
    q->robot->frame_module = module[0];
    q->robot->frame_link = link[0];
    q->robot->frame =
        (SomPose){{{{d[0].x, d[1].x, d[2].x}, {d[0].y, d[1].y, d[2].y}, {d[0].z, d[1].z, d[2].z}}},
                  origin[0]};
}

// ---- the whole

static void keep(RobotReader *q) {
    q->robot->modules = som_m3l_keep(q->r, SomRobotModule, q->modules);
    q->robot->module_count = q->modules.count;
    q->robot->connections = som_m3l_keep(q->r, SomRobotConnection, q->connections);
    q->robot->connection_count = q->connections.count;
    som_array_free(&q->modules);
    som_array_free(&q->connections);
    som_name_table_free(&q->names);
}

void som_m3l_read_robot(SomM3lReader *r, SomNode definition, SomRobot *robot) {
    static const char *const known[] = {"modules", "connections", "frame", "note", NULL};
    RobotReader q = {.r = r, .robot = robot};
    r->unit = 1;
    som_m3l_check_attributes(r, definition, known);
    read_modules(&q, definition);
    SomNode value = som_m3l_value(r, definition, "connections", false);
    SomNode item = value != 0 ? som_m3l_first_item(r, value) : 0;
    int given = 0;
    for (; item != 0; item = som_m3l_next_item(r, value, item)) {
        read_connection(&q, item);
        given++;
    }
    check_taken(&q);
    if (q.connections.count == given && !som_syntax_has_error(r->tree, definition)) {
        check_pieces(&q);
    }
    read_frame(&q, definition);
    keep(&q);
}
