// SPDX-License-Identifier: Apache-2.0
// Nodes of trees that hold no others → actions with their clauses, and conditions.

#include "base/codes/behaviors_codes.h"
#include "base/codes/compose_text_codes.h"
#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "exchange/bt_internal.h"
#include "language/som_syntax.h"

#include <math.h>

#define MOST_KEYFRAMES 100000

// ---- attributes

static SomStr value_of(const SomBtReader *reader, int node, const char *attribute) {
    return som_xml_attribute(reader->xml, node, som_str(attribute));
}

static SomSpan span_of(const SomBtReader *reader, int node, const char *attribute) {
    const SomXmlAttribute *found = som_xml_find_attribute(reader->xml, node, som_str(attribute));
    return found != NULL ? found->span : som_bt_span(reader, node);
}

static void report_missing(SomBtReader *reader, int node, const char *attribute) {
    som_bt_report(reader, SOM_BT_VALUE, span_of(reader, node, attribute), "'%.*s' has no '%s'",
                  SOM_STR_ARG(som_bt_shown(reader, node)), attribute);
}

int som_bt_integer(SomBtReader *reader, int node, const char *attribute, int low, int high,
                   int otherwise) {
    SomStr text = value_of(reader, node, attribute);
    int64_t value;
    if (text.length == 0) {
        if (otherwise < low) {
            report_missing(reader, node, attribute);
        }
        return otherwise < low ? low : otherwise;
    }
    if (!som_integer_parse(text, &value) || value < low || value > high) {
        som_bt_report(reader, SOM_BT_VALUE, span_of(reader, node, attribute),
                      "'%s' is a whole number from %d to %d", attribute, low, high);
        return low;
    }
    return (int)value;
}

// False if there is none, which is no error.
static bool read_number(SomBtReader *reader, int node, const char *attribute, double low,
                        double *value) {
    SomStr text = value_of(reader, node, attribute);
    *value = 0;
    if (text.length == 0) {
        return false;
    }
    if (!som_number_parse(text, value) || !(fabs(*value) <= SOM_GRAPH_MOST_VALUE) || *value < low) {
        som_bt_report(reader, SOM_BT_VALUE, span_of(reader, node, attribute),
                      low >= 0 ? "'%s' is a number that is not negative" : "'%s' is a number",
                      attribute);
        return false;
    }
    return true;
}

static bool need_number(SomBtReader *reader, int node, const char *attribute, double *value) {
    if (value_of(reader, node, attribute).length == 0) {
        report_missing(reader, node, attribute);
        return false;
    }
    return read_number(reader, node, attribute, -SOM_GRAPH_MOST_VALUE, value);
}

// The piece up to a ';'. False at the end.
static bool next_piece(SomStr *rest, SomStr *piece) {
    if (rest->length == 0) {
        return false;
    }
    const char *end = memchr(rest->data, ';', rest->length);
    size_t length = end != NULL ? (size_t)(end - rest->data) : rest->length;
    *piece = som_str_slice(*rest, 0, length);
    *rest = som_str_slice(*rest, length + (end != NULL), rest->length);
    return true;
}

static void report_joint(SomBtReader *reader, int node, const char *attribute, SomStr name) {
    som_bt_report(reader, SOM_UNKNOWN_JOINT, span_of(reader, node, attribute),
                  "'%.*s' has no joint '%.*s'", SOM_STR_ARG(reader->design->name),
                  SOM_STR_ARG(som_str_slice(name, 0, 100)));
    SOM_ARRAY(SomStr) names = {0};
    for (int i = 0; i < reader->design->dof_count && i < 1000; i++) {
        som_array_push(&names, reader->design->dofs[i].path);
    }
    int nearest = som_str_find_nearest(name, names.data, names.count);
    if (nearest >= 0) {
        som_note(reader->importer->diags, (SomSpan){0}, "it has '%.*s'",
                 SOM_STR_ARG(names.data[nearest]));
    }
    som_array_free(&names);
}

// ---- conditions

// One expression, and nothing else that could stand there.
static bool is_expression(SomStr text) {
    SomText whole = {0};
    som_text_printf(&whole, "wait until (%.*s)", SOM_STR_ARG(text));
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = som_som_parse_action(som_text_str(&whole), 0, diags);
    bool fine = !som_syntax_has_error(tree, SOM_ROOT);
    if (fine) {
        SomNode wait = som_syntax_first_child(tree, SOM_ROOT);
        SomNode until = som_syntax_find_child(tree, wait, SOM_SOM_UNTIL);
        SomNode group = until != 0 ? som_syntax_first_child(tree, until) : 0;
        fine = group != 0 && som_syntax_kind(tree, group) == SOM_SOM_GROUP &&
               som_syntax_next_sibling(tree, wait) == 0 &&
               som_syntax_next_sibling(tree, until) == 0;
    }
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
    som_text_free(&whole);
    return fine;
}

static void put_expression(SomBtReader *reader, int node, const char *attribute) {
    SomStr text = value_of(reader, node, attribute);
    SomSpan span = span_of(reader, node, attribute);
    if (text.length == 0) {
        report_missing(reader, node, attribute);
        return;
    }
    if (!is_expression(text)) {
        som_bt_report(reader, SOM_BT_VALUE, span,
                      "'%s' is a condition, such as contact(m[1].Body) or elapsed > 2s", attribute);
        return;
    }
    SomBtRange range = {reader->out.length, reader->out.length + text.length, span};
    som_array_push(&reader->ranges, range);
    for (size_t i = 0; i < text.length; i++) {
        som_text_add_char(&reader->out, (unsigned char)text.data[i] < ' ' ? ' ' : text.data[i], 1);
    }
}

void som_bt_condition(SomBtReader *reader, int node) {
    int depth = 0;
    for (; reader->types[node]->kind == SOM_BT_INVERTER; depth++) {
        som_text_add(&reader->out, SOM_STR("not ("));
        node = reader->xml->nodes[node].first_child;
    }
    put_expression(reader, node, "condition");
    som_text_add_char(&reader->out, ')', depth);
}

// ---- clauses

static void put_time(SomBtReader *reader, int node, const char *attribute) {
    double seconds;
    if (read_number(reader, node, attribute, 0, &seconds)) {
        som_text_printf(&reader->out, " %s ", attribute);
        som_write_seconds(&reader->out, seconds);
    }
}

void som_bt_timeout(SomBtReader *reader, int node) {
    put_time(reader, node, "timeout");
}

// A time-out that it has anyway is not written.
static void put_ends(SomBtReader *reader, int node, double usual) {
    double timeout;
    put_time(reader, node, "during");
    if (value_of(reader, node, "until").length > 0) {
        som_text_add(&reader->out, SOM_STR(" until "));
        put_expression(reader, node, "until");
    }
    bool is_usual = usual > 0 && value_of(reader, node, "during").length == 0 &&
                    read_number(reader, node, "timeout", 0, &timeout) && timeout == usual;
    if (!is_usual) {
        put_time(reader, node, "timeout");
    }
}

static double usual_timeout(const SomBtReader *reader, int dof) {
    const SomConfiguration *design = reader->design;
    return design->modules[design->dofs[dof].module].type->timeout;
}

// within, at
static void put_way(SomBtReader *reader, int node, int dof) {
    double number, usual = som_configuration_joint(reader->design, dof)->tolerance;
    if (!(usual > 0)) {
        usual = som_action(SOM_ACTION_POSITION, dof, 0).tolerance;
    }
    if (read_number(reader, node, "tolerance", 0, &number) && number != usual) {
        som_text_add(&reader->out, SOM_STR(" within "));
        som_bt_print_value(reader->design, dof, number, false, &reader->out);
    }
    if (read_number(reader, node, "speed", 0, &number)) {
        som_text_add(&reader->out, SOM_STR(" at "));
        som_bt_print_value(reader->design, dof, number, true, &reader->out);
    }
}

// ---- moves

// The seconds that it takes; 0 after a report.
static double put_course(SomBtReader *reader, int node, int dof) {
    SomStr times = value_of(reader, node, "times"), values = value_of(reader, node, "values");
    SomStr time_text, value_text;
    double time = 0, before = -1, value;
    int count = 0;
    som_text_add(&reader->out, SOM_STR(" follow ["));
    while (next_piece(&times, &time_text)) {
        bool fine = next_piece(&values, &value_text) && som_number_parse(time_text, &time) &&
                    som_number_parse(value_text, &value) && time > before && time >= 0 &&
                    time <= SOM_GRAPH_MOST_VALUE && fabs(value) <= SOM_GRAPH_MOST_VALUE;
        if (!fine || count == MOST_KEYFRAMES) {
            som_bt_report(
                reader, fine ? SOM_BT_TOO_MUCH : SOM_BT_VALUE, span_of(reader, node, "times"),
                fine ? "a course has at most %d keyframes"
                     : "'times' and 'values' are as many numbers with ; between them, and "
                       "times rise from 0 or later (%d fit)",
                fine ? MOST_KEYFRAMES : count);
            return 0;
        }
        som_text_add(&reader->out, count++ > 0 ? SOM_STR(", ") : SOM_STR(""));
        som_write_seconds(&reader->out, time);
        som_text_add(&reader->out, SOM_STR(": "));
        som_bt_print_value(reader->design, dof, value, false, &reader->out);
        before = time;
    }
    som_text_add(&reader->out, SOM_STR("]"));
    if (count == 0 || values.length > 0) {
        som_bt_report(reader, SOM_BT_VALUE, span_of(reader, node, "times"),
                      "'times' and 'values' are as many numbers with ; between them");
    }
    return time;
}

static void put_move(SomBtReader *reader, int node, SomActionKind kind) {
    SomStr joint = value_of(reader, node, "joint");
    SomAlias alias;
    int dof = som_configuration_find_dof(reader->design, joint, &alias);
    double value, usual = 0;
    if (joint.length == 0) {
        report_missing(reader, node, "joint");
        return;
    }
    if (dof < 0) {
        report_joint(reader, node, "joint", joint);
        return;
    }
    usual = usual_timeout(reader, dof);
    som_text_add(&reader->out, joint);
    if (kind == SOM_ACTION_FOLLOW) {
        double end = put_course(reader, node, dof);
        usual += usual > 0 ? end : 0;
    } else {
        static const char *const ports[] = {"target", "by", "speed"};
        static const char *const words[] = {" to ", " by ", " spin "};
        need_number(reader, node, ports[kind], &value);
        som_text_add(&reader->out, som_str(words[kind]));
        som_bt_print_value(reader->design, dof, value, kind == SOM_ACTION_VELOCITY, &reader->out);
    }
    if (kind != SOM_ACTION_VELOCITY) {
        put_way(reader, node, dof);
    }
    put_ends(reader, node, kind != SOM_ACTION_VELOCITY ? usual : 0);
}

// ---- others

// The part that has exactly these DoF; -1 if none has.
static int find_holder(const SomConfiguration *design, int first, int count) {
    for (int i = 0; i < design->part_count; i++) {
        if (design->parts[i].first_dof == first && design->parts[i].dof_count == count) {
            return i;
        }
    }
    return -1;
}

static void put_hold(SomBtReader *reader, int node) {
    SomStr rest = value_of(reader, node, "joints"), name;
    SOM_ARRAY(int) dofs = {0};
    bool is_run = true;
    while (next_piece(&rest, &name)) {
        int dof = som_configuration_find_dof(reader->design, name, NULL);
        if (dof < 0) {
            report_joint(reader, node, "joints", name);
            break;
        }
        is_run = is_run && (dofs.count == 0 || dof == dofs.data[dofs.count - 1] + 1);
        som_array_push(&dofs, dof);
    }
    if (dofs.count == 0 && !reader->has_failed) {
        report_missing(reader, node, "joints");
    }
    int part =
        is_run && dofs.count > 0 ? find_holder(reader->design, dofs.data[0], dofs.count) : -1;
    bool is_list = part < 0 && dofs.count > 1;
    som_text_add(&reader->out, is_list ? SOM_STR("parallel(") : SOM_STR(""));
    for (int i = 0; i < dofs.count; i++) {
        SomStr path = reader->design->dofs[dofs.data[i]].path;
        som_text_add(&reader->out, i > 0 ? SOM_STR(", ") : SOM_STR(""));
        som_text_add(&reader->out, SOM_STR("hold "));
        if (part >= 0) {
            som_text_add(&reader->out, reader->design->parts[part].path);
            break;
        }
        som_text_add(&reader->out, path);
    }
    som_text_add(&reader->out, is_list ? SOM_STR(")") : SOM_STR(""));
    som_array_free(&dofs);
}

static void put_docking(SomBtReader *reader, int node, bool closes) {
    SomStr name = value_of(reader, node, "dock");
    int dock = som_configuration_find_dock(reader->design, name);
    if (dock < 0) {
        som_bt_report(reader, SOM_UNKNOWN_DOCK, span_of(reader, node, "dock"),
                      "'%.*s' has no dock '%.*s'", SOM_STR_ARG(reader->design->name),
                      SOM_STR_ARG(som_str_slice(name, 0, 100)));
        return;
    }
    som_text_add(&reader->out, closes ? SOM_STR("connect ") : SOM_STR("disconnect "));
    som_text_add(&reader->out, name);
    put_ends(reader, node, 0);
}

// wait 2s, wait until C, wait timeout 3s
static void put_wait(SomBtReader *reader, int node) {
    double seconds;
    bool has_time = read_number(reader, node, "during", 0, &seconds);
    bool has_condition = value_of(reader, node, "until").length > 0;
    if (!has_time && !has_condition && value_of(reader, node, "timeout").length == 0) {
        som_bt_report(reader, SOM_BT_VALUE, som_bt_span(reader, node),
                      "a Wait without 'during', 'until' or 'timeout' never ends");
    }
    som_text_add(&reader->out, SOM_STR("wait"));
    if (has_time) {
        som_text_add(&reader->out, SOM_STR(" "));
        som_write_seconds(&reader->out, seconds);
    }
    if (has_condition) {
        som_text_add(&reader->out, SOM_STR(" until "));
        put_expression(reader, node, "until");
    }
    put_time(reader, node, "timeout");
}

// An empty list of a kind that its name says.
static void put_nothing(SomBtReader *reader, int node) {
    static const char *const words[] = {"parallel", "any", "choose"};
    SomStr name = value_of(reader, node, "name");
    const char *word = "series";
    for (int i = 0; i < 3; i++) {
        word = som_str_equal(name, som_str(words[i])) ? words[i] : word;
    }
    som_text_printf(&reader->out, "%s()", word);
}

void som_bt_leaf(SomBtReader *reader, int node) {
    const SomBtType *type = reader->types[node];
    if (type->kind == SOM_BT_NOTHING) {
        put_nothing(reader, node);
        return;
    }
    if (type->kind == SOM_BT_SLEEP) {
        som_text_add(&reader->out, SOM_STR("wait "));
        som_write_milliseconds(&reader->out,
                               som_bt_integer(reader, node, "msec", 0, 1000000000, -1));
        return;
    }
    switch (type->action) {
    case SOM_ACTION_HOLD:
        put_hold(reader, node);
        break;
    case SOM_ACTION_WAIT:
        put_wait(reader, node);
        break;
    case SOM_ACTION_CONNECT:
    case SOM_ACTION_DISCONNECT:
        put_docking(reader, node, type->action == SOM_ACTION_CONNECT);
        break;
    default:
        put_move(reader, node, type->action);
    }
}
