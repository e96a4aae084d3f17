// SPDX-License-Identifier: Apache-2.0
#include "behaviors/sensor_values.h"

#include "base/number.h"
#include "behaviors/condition_text.h"
#include "behaviors/graph_builder.h"
#include "space/trigonometry.h"

#include <math.h>
#include <stdlib.h>

// More comparisons of a sensor are not told apart: there may be several values for one way then.
#define MOST_COMPARED 64

// A sensor, with its sign or as its size, on one side of a comparison and a number on the other.
typedef struct Comparison {
    SomInstructionKind kind;
    bool is_right; // the sensor is the right operand
    bool is_size;
    double sign, number;
} Comparison;

typedef struct Sensor {
    SOM_ARRAY(Comparison) comparisons;
    double low, high; // that it may be
    SOM_ARRAY(double) values;
    bool is_known, is_used;
} Sensor;

// A comparison that may turn out either way, whatever else is known, and where its words begin.
typedef struct Choice {
    int32_t instruction, first;
} Choice;

struct SomSensorValues {
    const SomActionGraph *graph;
    Sensor *sensors; // contacts, efforts, inputs, height, tilt
    int count;
    SOM_ARRAY(Choice) choices; // numbered after the sensors
    bool has_any;
};

static int count_of(const SomSensorValues *v, SomSymbolKind kind) {
    return v->graph->symbol_count[kind];
}

static bool is_comparison(SomInstructionKind kind) {
    return SOM_INSTRUCTION_LESS <= kind && kind <= SOM_INSTRUCTION_UNEQUAL;
}

static int find_choice(const SomSensorValues *v, const SomInstruction *in) {
    for (int i = 0; i < v->choices.count; i++) {
        if (&v->graph->instructions[v->choices.data[i].instruction] == in) {
            return v->count + i;
        }
    }
    return -1;
}

int som_sensor_find(const SomSensorValues *v, const SomInstruction *in) {
    int efforts = count_of(v, SOM_SYMBOL_CONTACT);
    int inputs = efforts + count_of(v, SOM_SYMBOL_DOF);
    switch ((SomInstructionKind)in->kind) {
    case SOM_INSTRUCTION_CONTACT:
        return in->index;
    case SOM_INSTRUCTION_EFFORT:
        return efforts + in->index;
    case SOM_INSTRUCTION_INPUT:
        return som_source_is_known(som_graph_source(v->graph, in->index)) ? -1 : inputs + in->index;
    case SOM_INSTRUCTION_HEIGHT:
        return v->count - 2;
    case SOM_INSTRUCTION_TILT:
        return v->count - 1;
    default:
        return is_comparison((SomInstructionKind)in->kind) ? find_choice(v, in) : -1;
    }
}

static bool is_contact(const SomSensorValues *v, int sensor) {
    return sensor < count_of(v, SOM_SYMBOL_CONTACT);
}

// ---- what conditions do with sensors

// A value on the stack of a condition.
typedef struct Operand {
    int sensor; // -1: none
    int mixed;  // of what a sensor was computed with: the sensor; -1: none
    bool is_size, is_number;
    double sign, number;
    int32_t first; // instruction
} Operand;

static const Operand something = {.sensor = -1, .mixed = -1};

static Operand number_of(double number) {
    return (Operand){.sensor = -1, .mixed = -1, .is_number = true, .number = number};
}

// A sensor that it is made of whose values are not all tried; contacts have two. -1: none.
static int open_sensor(const SomSensorValues *v, const Operand *operand) {
    if (operand->mixed >= 0 || operand->sensor < 0) {
        return operand->mixed;
    }
    return is_contact(v, operand->sensor) ? -1 : operand->sensor;
}

// What sensors are compared with is a number, else it may turn out either way. `at` is the
// instruction; -1: none, of a truth.
static void compare(SomSensorValues *v, SomInstructionKind kind, const Operand *a, const Operand *b,
                    int32_t at) {
    const Operand *sensor = a->sensor >= 0 ? a : b, *other = a->sensor >= 0 ? b : a;
    if (sensor->sensor >= 0 && other->is_number) {
        Comparison c = {kind, sensor == b, sensor->is_size, sensor->sign, other->number};
        som_array_push(&v->sensors[sensor->sensor].comparisons, c);
    } else if (at >= 0 && (open_sensor(v, a) >= 0 || open_sensor(v, b) >= 0)) {
        som_array_push(&v->choices, ((Choice){at, a->first}));
    }
}

// As a truth it is compared with 0.
static void test(SomSensorValues *v, const Operand *operand) {
    Operand zero = number_of(0);
    if (operand->sensor >= 0) {
        compare(v, SOM_INSTRUCTION_UNEQUAL, operand, &zero, -1);
    } else if (operand->mixed >= 0) {
        v->sensors[operand->mixed].is_known = false;
    }
}

static Operand take_one(SomSensorValues *v, SomInstructionKind kind, Operand a) {
    if (kind == SOM_INSTRUCTION_NOT) {
        test(v, &a);
        Operand truth = something;
        truth.first = a.first;
        return truth;
    }
    bool is_size = kind == SOM_INSTRUCTION_ABSOLUTE;
    a.number = is_size ? fabs(a.number) : -a.number;
    a.sign = is_size ? 1 : -a.sign;
    a.is_size = a.is_size || is_size;
    return a;
}

static Operand take_two(SomSensorValues *v, int32_t at, const Operand *a, const Operand *b) {
    SomInstructionKind kind = (SomInstructionKind)v->graph->instructions[at].kind;
    Operand result = something;
    result.first = a->first;
    if (is_comparison(kind)) {
        compare(v, kind, a, b, at);
    } else if (kind == SOM_INSTRUCTION_AND || kind == SOM_INSTRUCTION_OR) {
        test(v, a);
        test(v, b);
    } else {
        result.mixed = open_sensor(v, a) >= 0 ? open_sensor(v, a) : open_sensor(v, b);
    }
    return result;
}

static void read_condition(SomSensorValues *v, const SomCondition *c) {
    Operand stack[SOM_CONDITION_MOST_DEPTH];
    int depth = 0;
    for (int32_t i = c->first; i < c->first + c->count; i++) {
        const SomInstruction *in = &v->graph->instructions[i];
        SomInstructionKind kind = (SomInstructionKind)in->kind;
        int takes = som_instruction_info(kind).takes, sensor = som_sensor_find(v, in);
        if (sensor >= 0) {
            v->has_any = v->sensors[sensor].is_used = true;
            stack[depth++] = (Operand){.sensor = sensor, .mixed = -1, .sign = 1, .first = i};
        } else if (takes == 0) {
            stack[depth] = kind == SOM_INSTRUCTION_NUMBER ? number_of(in->value) : something;
            stack[depth++].first = i;
        } else if (takes == 1) {
            stack[depth - 1] = take_one(v, kind, stack[depth - 1]);
        } else {
            stack[depth - 2] = take_two(v, i, &stack[depth - 2], &stack[depth - 1]);
            depth--;
        }
    }
    test(v, &stack[0]);
}

// ---- values

static bool holds(const Comparison *c, double value) {
    double x = c->sign * (c->is_size ? fabs(value) : value);
    double a = c->is_right ? c->number : x, b = c->is_right ? x : c->number;
    switch (c->kind) {
    case SOM_INSTRUCTION_LESS:
        return a < b;
    case SOM_INSTRUCTION_LESS_EQUAL:
        return a <= b;
    case SOM_INSTRUCTION_GREATER:
        return a > b;
    case SOM_INSTRUCTION_GREATER_EQUAL:
        return a >= b;
    case SOM_INSTRUCTION_EQUAL:
        return a == b;
    default:
        return a != b;
    }
}

static bool is_same_way(const Sensor *s, double a, double b) {
    bool is_same = s->comparisons.count <= MOST_COMPARED;
    for (int i = 0; i < s->comparisons.count && is_same; i++) {
        is_same = holds(&s->comparisons.data[i], a) == holds(&s->comparisons.data[i], b);
    }
    return is_same;
}

static void add_value(Sensor *s, double value) {
    bool is_new = s->low <= value && value <= s->high;
    for (int i = 0; i < s->values.count && is_new; i++) {
        is_new = s->values.data[i] != value && !is_same_way(s, s->values.data[i], value);
    }
    if (is_new) {
        som_array_push(&s->values, value);
    }
}

static int compare_numbers(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

// So far from a place that it is told from it, whatever its size.
static double step_from(double edge) {
    return fmax(1, 1e-3 * fabs(edge));
}

// Where a comparison turns over, what is between two such places, and beyond the first and last.
static void find_values(Sensor *s, double assumed) {
    SOM_ARRAY(double) edges = {0};
    for (int i = 0; i < s->comparisons.count; i++) {
        const Comparison *c = &s->comparisons.data[i];
        double edge = c->sign * c->number;
        som_array_push(&edges, edge);
        if (c->is_size) {
            som_array_push(&edges, -edge);
        }
    }
    if (edges.count > 0) {
        qsort(edges.data, (size_t)edges.count, sizeof *edges.data, compare_numbers);
    }
    add_value(s, assumed);
    for (int i = 0; i <= edges.count; i++) {
        double first = edges.count > 0 ? edges.data[0] - step_from(edges.data[0]) : 0;
        double low = i > 0 ? fmax(s->low, edges.data[i - 1]) : fmax(s->low, first);
        double high = fmin(s->high, i < edges.count ? edges.data[i] : low + step_from(low));
        add_value(s, low / 2 + high / 2);
        add_value(s, low);
        add_value(s, high);
    }
    som_array_free(&edges);
}

static double assumed_value(const SomSensorValues *v, const SomAssumptions *assumed, int sensor) {
    int efforts = count_of(v, SOM_SYMBOL_CONTACT);
    int inputs = efforts + count_of(v, SOM_SYMBOL_DOF);
    if (sensor < efforts) {
        return assumed->contact;
    }
    if (sensor < inputs) {
        return assumed->effort;
    }
    if (sensor < v->count - 2) {
        return assumed->inputs == NULL ? som_graph_source(v->graph, sensor - inputs).low
                                       : assumed->inputs[sensor - inputs];
    }
    return sensor == v->count - 2 ? assumed->height : assumed->tilt;
}

SomSensorValues *som_sensor_values_create(const SomActionGraph *graph,
                                          const SomAssumptions *assumed) {
    static const double most_tilt = 3.14159265358979323846;
    SomSensorValues *v = som_alloc(sizeof *v);
    v->graph = graph;
    v->count = count_of(v, SOM_SYMBOL_CONTACT) + count_of(v, SOM_SYMBOL_DOF) +
               count_of(v, SOM_SYMBOL_INPUT) + 2;
    v->sensors = som_alloc((size_t)v->count * sizeof *v->sensors);
    for (int i = 0; i < v->count; i++) {
        v->sensors[i] =
            (Sensor){.low = -(double)INFINITY, .high = (double)INFINITY, .is_known = true};
    }
    int inputs = count_of(v, SOM_SYMBOL_CONTACT) + count_of(v, SOM_SYMBOL_DOF);
    for (int i = 0; i < count_of(v, SOM_SYMBOL_INPUT); i++) {
        SomInputSource source = som_graph_source(graph, i);
        if (source.kind == SOM_SOURCE_RANGE) {
            v->sensors[inputs + i].low = source.low;
            v->sensors[inputs + i].high = source.high;
        }
    }
    v->sensors[v->count - 1].low = 0;
    v->sensors[v->count - 1].high = most_tilt;
    for (int32_t i = 0; i < graph->condition_count; i++) {
        read_condition(v, &graph->conditions[i]);
    }
    for (int i = 0; i < v->count; i++) {
        Sensor *s = &v->sensors[i];
        double value = assumed_value(v, assumed, i);
        if (is_contact(v, i)) {
            s->is_known = true; // whatever is done with it, there are two
            som_array_push(&s->values, value);
            som_array_push(&s->values, 1 - value);
        } else if (s->is_used) {
            find_values(s, value);
        } else {
            som_array_push(&s->values, value);
        }
    }
    return v;
}

void som_sensor_values_destroy(SomSensorValues *v) {
    if (v != NULL) {
        for (int i = 0; i < v->count; i++) {
            som_array_free(&v->sensors[i].comparisons);
            som_array_free(&v->sensors[i].values);
        }
        som_array_free(&v->choices);
        som_free(v->sensors);
        som_free(v);
    }
}

bool som_sensor_values_has_any(const SomSensorValues *v) {
    return v->has_any;
}

const double *som_sensor_values_of(const SomSensorValues *v, int sensor, int *count) {
    static const double as_computed_or_not[2] = {0, 1};
    bool is_choice = sensor >= v->count;
    *count = is_choice ? 2 : v->sensors[sensor].values.count;
    return is_choice ? as_computed_or_not : v->sensors[sensor].values.data;
}

bool som_sensor_is_known(const SomSensorValues *v, int sensor) {
    return sensor >= v->count || v->sensors[sensor].is_known;
}

// ---- words

// Of an effort: that of a joint that slides is a force.
static const char *unit_of_effort(const SomConfiguration *design, int dof) {
    return design == NULL || dof >= design->dof_count                          ? ""
           : som_configuration_joint(design, dof)->type == SOM_JOINT_PRISMATIC ? " N"
                                                                               : " Nm";
}

void som_sensor_print(const SomSensorValues *v, const SomConfiguration *design, int sensor,
                      double value, SomText *out) {
    const char *unit = "";
    if (sensor >= v->count) {
        Choice choice = v->choices.data[sensor - v->count];
        som_graph_instructions_print(v->graph, choice.first, choice.instruction + 1, out);
        som_text_add(out, value != 0 ? SOM_STR(" holds") : SOM_STR(" does not hold"));
        return;
    }
    int efforts = count_of(v, SOM_SYMBOL_CONTACT);
    int inputs = efforts + count_of(v, SOM_SYMBOL_DOF);
    if (sensor < efforts) {
        som_text_printf(out, "'%s' %s", som_graph_name(v->graph, SOM_SYMBOL_CONTACT, sensor),
                        value != 0 ? "touches" : "does not touch");
        return;
    }
    if (sensor < inputs) {
        som_text_printf(out, "the effort of '%s'",
                        som_graph_name(v->graph, SOM_SYMBOL_DOF, sensor - efforts));
        unit = unit_of_effort(design, sensor - efforts);
    } else if (sensor < v->count - 2) {
        som_text_printf(out, "input '%s'",
                        som_graph_name(v->graph, SOM_SYMBOL_INPUT, sensor - inputs));
    } else if (sensor == v->count - 2) {
        som_text_add(out, SOM_STR("the height"));
        unit = " m";
    } else {
        som_text_add(out, SOM_STR("the tilt"));
        unit = " deg";
        value *= 180 / SOM_PI;
    }
    som_text_add(out, SOM_STR(" is "));
    som_text_rounded(out, value, 4);
    som_text_add(out, som_str(unit));
}
