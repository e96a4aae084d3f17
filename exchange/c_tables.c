// SPDX-License-Identifier: Apache-2.0
#include "exchange/c_tables.h"

#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const char *const node_kinds[] = {
    "SOM_NODE_SERIES", "SOM_NODE_PARALLEL", "SOM_NODE_ANY",
    "SOM_NODE_REPEAT", "SOM_NODE_CHOOSE",   "SOM_NODE_ACTION",
};
static const char *const action_kinds[] = {
    "SOM_ACTION_POSITION", "SOM_ACTION_RELATIVE", "SOM_ACTION_VELOCITY", "SOM_ACTION_FOLLOW",
    "SOM_ACTION_HOLD",     "SOM_ACTION_WAIT",     "SOM_ACTION_CONNECT",  "SOM_ACTION_DISCONNECT",
};
static const char *const instruction_kinds[] = {
#define SOM_INSTRUCTION(name, word, takes, operand) "SOM_INSTRUCTION_" #name,
#include "player/instructions.inc"
#undef SOM_INSTRUCTION
};
static_assert(sizeof node_kinds / sizeof *node_kinds == SOM_NODE_KINDS, "one name a kind");
static_assert(sizeof action_kinds / sizeof *action_kinds == SOM_ACTION_KINDS, "one name a kind");

static const struct Symbols {
    const char *word;  // of the table of names
    const char *count; // of the macro
} symbols[SOM_SYMBOL_KINDS] = {
    {"dofs", "DOFS"}, {"contacts", "CONTACTS"}, {"inputs", "INPUTS"}, {"docks", "DOCKS"}};

// ---- words

void som_c_tables_plain(SomText *out, SomStr text) {
    for (size_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.data[i];
        bool is_blank = c == '\n' || c == '\t';
        bool is_odd = c < 0x20 || c == 0x7f || c == '\\' || c == '?';
        som_text_add_char(out, (char)(is_blank ? ' ' : is_odd ? '_' : c), 1);
    }
}

void som_c_tables_upper(SomText *out, SomStr name) {
    for (size_t i = 0; i < name.length; i++) {
        char c = name.data[i];
        som_text_add_char(out, (char)('a' <= c && c <= 'z' ? c - 'a' + 'A' : c), 1);
    }
}

// A literal that is a double: 3 would be a whole number, and -0 would lose its sign.
static void add_double(SomText *out, double value) {
    char text[SOM_NUMBER_TEXT];
    if (!isfinite(value)) {
        som_text_printf(out, "%s(double)%s", value < 0 ? "-" : "",
                        isnan(value) ? "NAN" : "INFINITY");
        return;
    }
    som_number_print(value, text);
    som_text_printf(out, "%s%s", text, strpbrk(text, ".e") == NULL ? ".0" : "");
}

static void add_doubles(SomText *out, const double *values, int count) {
    for (int i = 0; i < count; i++) {
        som_text_add(out, i > 0 ? SOM_STR(", ") : (SomStr){0});
        add_double(out, values[i]);
    }
}

static void add_remark(SomText *out, const char *text) {
    if (text[0] != '\0') {
        som_text_add(out, SOM_STR(" // "));
        som_c_tables_plain(out, som_str(text));
    }
    som_text_add_char(out, '\n', 1);
}

// ---- tables

static void open_table(SomText *out, const char *type, const char *name) {
    som_text_printf(out, "static const %s %s[] = {\n", type, name);
}

static void close_table(SomText *out) {
    som_text_add(out, SOM_STR("};\n\n"));
}

static void add_nodes(const SomActionGraph *g, SomText *out) {
    som_text_add(out, SOM_STR("// parent, end, index, until, guard, kind, is_instant\n"));
    open_table(out, "SomGraphNode", "nodes");
    for (int32_t i = 0; i < g->node_count; i++) {
        const SomGraphNode *n = &g->nodes[i];
        som_text_printf(out, "    {%d, %d, %d, %d, %d, %s, %d},", n->parent, n->end, n->index,
                        n->until, n->guard, node_kinds[n->kind], n->is_instant);
        add_remark(out, som_graph_path(g, i));
    }
    close_table(out);
}

static const char *target_of(const SomActionGraph *g, const SomAction *a) {
    bool is_dock = a->kind == SOM_ACTION_CONNECT || a->kind == SOM_ACTION_DISCONNECT;
    return a->target == SOM_NONE
               ? ""
               : som_graph_name(g, is_dock ? SOM_SYMBOL_DOCK : SOM_SYMBOL_DOF, a->target);
}

static void add_actions(const SomActionGraph *g, SomText *out) {
    if (g->action_count == 0) {
        return;
    }
    som_text_add(out, SOM_STR("// value, speed, tolerance, duration, timeout, target, until, "
                              "first keyframe, keyframes, kind\n"));
    open_table(out, "SomAction", "actions");
    for (int32_t i = 0; i < g->action_count; i++) {
        const SomAction *a = &g->actions[i];
        som_text_add(out, SOM_STR("    {"));
        add_doubles(out, (double[]){a->value, a->speed, a->tolerance, a->duration, a->timeout}, 5);
        som_text_printf(out, ", %d, %d, %d, %d, %s},", a->target, a->until, a->first_keyframe,
                        a->keyframe_count, action_kinds[a->kind]);
        add_remark(out, target_of(g, a));
    }
    close_table(out);
}

static void add_keyframes(const SomActionGraph *g, SomText *out) {
    if (g->keyframe_count == 0) {
        return;
    }
    som_text_add(out, SOM_STR("// time, value\n"));
    open_table(out, "SomKeyframe", "keyframes");
    for (int32_t i = 0; i < g->keyframe_count; i++) {
        som_text_add(out, SOM_STR("    {"));
        add_doubles(out, (double[]){g->keyframes[i].time, g->keyframes[i].value}, 2);
        som_text_add(out, SOM_STR("},\n"));
    }
    close_table(out);
}

static void add_conditions(const SomActionGraph *g, SomText *out) {
    if (g->condition_count > 0) {
        som_text_add(out, SOM_STR("// first instruction, how many\n"));
        open_table(out, "SomCondition", "conditions");
        for (int32_t i = 0; i < g->condition_count; i++) {
            som_text_printf(out, "    {%d, %d},\n", g->conditions[i].first, g->conditions[i].count);
        }
        close_table(out);
    }
    if (g->instruction_count > 0) {
        som_text_add(out, SOM_STR("// value, index, kind\n"));
        open_table(out, "SomInstruction", "instructions");
        for (int32_t i = 0; i < g->instruction_count; i++) {
            som_text_add(out, SOM_STR("    {"));
            add_double(out, g->instructions[i].value);
            som_text_printf(out, ", %d, %s},\n", g->instructions[i].index,
                            instruction_kinds[g->instructions[i].kind]);
        }
        close_table(out);
    }
}

// ---- names

static bool has_names(const SomActionGraph *g, int kind) {
    return g->names[kind] != NULL && g->symbol_count[kind] > 0;
}

// Bytes of all names with their terminators.
static size_t names_length(const SomActionGraph *g) {
    size_t length = 0;
    for (int kind = 0; kind < SOM_SYMBOL_KINDS; kind++) {
        for (int32_t i = 0; has_names(g, kind) && i < g->symbol_count[kind]; i++) {
            length += strlen(som_graph_name(g, (SomSymbolKind)kind, i)) + 1;
        }
    }
    return length;
}

// Bytes that could mean something in a string are numbers: octal, for those end after three digits.
void som_c_tables_string(SomText *out, const char *text) {
    for (const char *at = text; *at != '\0'; at++) {
        unsigned char c = (unsigned char)*at;
        if (c < 0x20 || c > 0x7e || c == '"' || c == '\\' || c == '?') {
            som_text_printf(out, "\\%03o", c);
        } else {
            som_text_add_char(out, (char)c, 1);
        }
    }
}

static void add_names(const SomActionGraph *g, SomText *out) {
    if (names_length(g) == 0) {
        return;
    }
    som_text_add(out, SOM_STR("static const char text[] =\n"));
    for (int kind = 0; kind < SOM_SYMBOL_KINDS; kind++) {
        for (int32_t i = 0; has_names(g, kind) && i < g->symbol_count[kind]; i++) {
            som_text_add(out, SOM_STR("    \""));
            som_c_tables_string(out, som_graph_name(g, (SomSymbolKind)kind, i));
            som_text_add(out, SOM_STR("\\0\"\n"));
        }
    }
    som_text_add(out, SOM_STR("    ;\n\n"));
    size_t at = 0;
    for (int kind = 0; kind < SOM_SYMBOL_KINDS; kind++) {
        if (!has_names(g, kind)) {
            continue;
        }
        som_text_printf(out, "static const uint32_t %s[] = {", symbols[kind].word);
        for (int32_t i = 0; i < g->symbol_count[kind]; i++) {
            som_text_printf(out, "%s%zu", i == 0 ? "" : i % 16 == 0 ? ",\n    " : ", ", at);
            at += strlen(som_graph_name(g, (SomSymbolKind)kind, i)) + 1;
        }
        som_text_add(out, SOM_STR("};\n\n"));
    }
}

// ---- the graph, and what moves with it

static void add_member(SomText *out, const char *name, int32_t count) {
    if (count > 0) {
        som_text_printf(out, "    .%s = %s,\n", name, name);
    }
}

static void add_graph(const SomCTables *t, SomText *out) {
    const SomActionGraph *g = t->graph;
    som_text_printf(out, "const SomActionGraph %.*s_graph = {\n", SOM_STR_ARG(t->name));
    add_member(out, "nodes", g->node_count);
    add_member(out, "actions", g->action_count);
    add_member(out, "keyframes", g->keyframe_count);
    add_member(out, "conditions", g->condition_count);
    add_member(out, "instructions", g->instruction_count);
    add_member(out, "text", names_length(g) > 0);
    som_text_add(out, SOM_STR("    .names = {"));
    for (int kind = 0; kind < SOM_SYMBOL_KINDS; kind++) {
        som_text_printf(out, "%s%s", kind > 0 ? ", " : "",
                        has_names(g, kind) ? symbols[kind].word : "NULL");
    }
    som_text_printf(out, "},\n    .symbol_count = {%d, %d, %d, %d},\n", g->symbol_count[0],
                    g->symbol_count[1], g->symbol_count[2], g->symbol_count[3]);
    som_text_printf(out,
                    "    .node_count = %d,\n    .action_count = %d,\n    .keyframe_count = %d,\n"
                    "    .condition_count = %d,\n    .instruction_count = %d,\n",
                    g->node_count, g->action_count, g->keyframe_count, g->condition_count,
                    g->instruction_count);
    som_text_printf(out, "    .text_length = %zu,\n};\n\n", names_length(g));
}

static void open_rows(const SomCTables *t, SomText *out, const char *type, const char *name) {
    som_text_printf(out, "const %s %.*s_%s[] = {\n", type, SOM_STR_ARG(t->name), name);
}

// C has no empty tables.
static void close_rows(SomText *out, int32_t count) {
    som_text_add(out, count == 0 ? SOM_STR("    {0},\n};\n\n") : SOM_STR("};\n\n"));
}

static void add_servos(const SomCTables *t, SomText *out) {
    int32_t count = t->graph->symbol_count[SOM_SYMBOL_DOF];
    som_text_add(out, SOM_STR("// most speed, most acceleration, low, high, kind\n"));
    open_rows(t, out, "SomServoModel", "servos");
    for (int32_t i = 0; i < count; i++) {
        const SomServoModel *s = &t->servos[i];
        som_text_add(out, SOM_STR("    {"));
        add_doubles(out, (double[]){s->most_speed, s->most_acceleration, s->low, s->high}, 4);
        som_text_printf(out, ", %s},",
                        s->kind == SOM_SERVO_LABORATORY ? "SOM_SERVO_LABORATORY"
                                                        : "SOM_SERVO_BOUNDED");
        add_remark(out, som_graph_name(t->graph, SOM_SYMBOL_DOF, i));
    }
    close_rows(out, count);
    open_rows(t, out, "double", "start");
    for (int32_t i = 0; i < count; i++) {
        som_text_add(out, SOM_STR("    "));
        add_double(out, t->start[i]);
        som_text_add(out, SOM_STR(",\n"));
    }
    som_text_add(out, count == 0 ? SOM_STR("    0,\n};\n\n") : SOM_STR("};\n\n"));
}

static void add_docks(const SomCTables *t, SomText *out) {
    int32_t count = t->graph->symbol_count[SOM_SYMBOL_DOCK];
    som_text_add(out, SOM_STR("// seconds to close, to open, reach, reach of angles\n"));
    open_rows(t, out, "SomDockModel", "docks");
    for (int32_t i = 0; i < count; i++) {
        const SomDockModel *d = &t->docks[i];
        som_text_add(out, SOM_STR("    {"));
        add_doubles(out, (double[]){d->closing, d->opening, d->reach, d->reach_angle}, 4);
        som_text_add(out, SOM_STR("},"));
        add_remark(out, som_graph_name(t->graph, SOM_SYMBOL_DOCK, i));
    }
    close_rows(out, count);
    open_rows(t, out, "uint8_t", "dock_start");
    for (int32_t i = 0; i < count; i++) {
        som_text_add(out, t->dock_states[i] == SOM_DOCK_CLOSED ? SOM_STR("    SOM_DOCK_CLOSED,\n")
                                                               : SOM_STR("    SOM_DOCK_OPEN,\n"));
    }
    som_text_add(out, count == 0 ? SOM_STR("    0,\n};\n") : SOM_STR("};\n"));
}

// ---- the files

void som_c_tables_source(const SomCTables *t, SomText *out) {
    som_text_add(out, SOM_STR("// "));
    som_c_tables_plain(out, t->title);
    som_text_add(out, SOM_STR(", compiled. Written by somite export --to c.\n\n"));
    som_text_printf(out, "#include \"%.*s_graph.h\"\n\n", SOM_STR_ARG(t->name));
    add_nodes(t->graph, out);
    add_actions(t->graph, out);
    add_keyframes(t->graph, out);
    add_conditions(t->graph, out);
    add_names(t->graph, out);
    add_graph(t, out);
    add_servos(t, out);
    add_docks(t, out);
}

void som_c_tables_header(const SomCTables *t, SomText *out) {
    SomText upper = {0};
    som_c_tables_upper(&upper, t->name);
    som_text_add(out, SOM_STR("// "));
    som_c_tables_plain(out, t->title);
    som_text_add(out, SOM_STR(", compiled: constants for the player. Written by somite export --to "
                              "c.\n\n#pragma once\n\n#include \"som_dock_driver.h\"\n"
                              "#include \"som_servo.h\"\n\n"));
    for (int kind = 0; kind < SOM_SYMBOL_KINDS; kind++) {
        som_text_printf(out, "#define %s_%s %d\n", upper.data, symbols[kind].count,
                        t->graph->symbol_count[kind]);
    }
    som_text_printf(out, "#define %s_DT ", upper.data);
    add_double(out, t->tick);
    som_text_printf(out, " // seconds from tick to tick\n");
    som_text_printf(out, "#define %s_EVENTS %d // that the player keeps of a tick\n", upper.data,
                    SOM_C_EVENTS);
    som_text_printf(out, "#define %s_MEMORY %zu // bytes that the player needs\n\n", upper.data,
                    som_c_tables_memory(t));
    const char *name = t->name.data;
    int length = (int)t->name.length;
    som_text_printf(out, "extern const SomActionGraph %.*s_graph;\n", length, name);
    som_text_printf(out, "extern const SomServoModel %.*s_servos[]; // one a joint\n", length,
                    name);
    som_text_printf(out, "extern const double %.*s_start[]; // where the joints start\n", length,
                    name);
    som_text_printf(out, "extern const SomDockModel %.*s_docks[]; // one a dock\n", length, name);
    som_text_printf(out, "extern const uint8_t %.*s_dock_start[]; // SomDockState\n", length, name);
    som_text_free(&upper);
}

// ---- sizes

static size_t bytes(int32_t count, size_t size) {
    return (size_t)count * size;
}

size_t som_c_tables_size(const SomCTables *t) {
    const SomActionGraph *g = t->graph;
    size_t all = bytes(g->node_count, sizeof *g->nodes) +
                 bytes(g->action_count, sizeof *g->actions) +
                 bytes(g->keyframe_count, sizeof *g->keyframes) +
                 bytes(g->condition_count, sizeof *g->conditions) +
                 bytes(g->instruction_count, sizeof *g->instructions) + names_length(g);
    for (int kind = 0; kind < SOM_SYMBOL_KINDS; kind++) {
        all += has_names(g, kind) ? bytes(g->symbol_count[kind], sizeof(uint32_t)) : 0;
    }
    return all + bytes(g->symbol_count[SOM_SYMBOL_DOF], sizeof *t->servos + sizeof *t->start) +
           bytes(g->symbol_count[SOM_SYMBOL_DOCK], sizeof *t->docks + sizeof *t->dock_states);
}

// Pointers there may be larger than here, never more than eight bytes.
size_t som_c_tables_memory(const SomCTables *t) {
    return som_player_size(t->graph, SOM_C_EVENTS) + 32 * (8 - sizeof(void *));
}
