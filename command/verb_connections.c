// SPDX-License-Identifier: Apache-2.0
// somite connections FILE [TYPE [TYPE]]

#include "base/codes/language_codes.h"
#include "base/codes/modules_codes.h"
#include "base/file.h"
#include "base/number.h"
#include "base/utf8.h"
#include "command/design.h"
#include "language/dialect.h"
#include "modules/m3l.h"
#include "space/trigonometry.h"

#include <math.h>
#include <string.h>

// The rule is shown: one word asks for all rules of a type, two for those between two types.
static bool is_wanted(const SomCommand *command, const SomConnectionRule *rule) {
    SomStr first = command->words.count > 1 ? som_str(command->words.data[1]) : rule->a->name;
    if (command->words.count < 3) {
        return som_str_equal(rule->a->name, first) || som_str_equal(rule->b->name, first);
    }
    SomStr second = som_str(command->words.data[2]);
    return (som_str_equal(rule->a->name, first) && som_str_equal(rule->b->name, second)) ||
           (som_str_equal(rule->a->name, second) && som_str_equal(rule->b->name, first));
}

static bool has_types(SomCommand *command, const SomM3l *m3l) {
    bool has_all = true;
    for (int i = 1; i < command->words.count; i++) {
        if (som_m3l_find_type(m3l, som_str(command->words.data[i])) == NULL) {
            som_report(command->diags, SOM_M3L_UNKNOWN_NAME, (SomSpan){0},
                       "no module of %s is called '%s'", command->words.data[0],
                       command->words.data[i]);
            has_all = false;
        }
    }
    return has_all;
}

static double roll_in_degrees(const SomMating *mating) {
    double degrees = mating->roll * (180 / SOM_PI);
    return fabs(degrees - round(degrees)) < 1e-9 ? round(degrees) : degrees; // NaN stays
}

// A printed coordinate: what is nothing but rounding is zero.
static double rounded(double value) {
    double digits = round(value * 1e12) / 1e12;
    return digits == 0 ? 0 : digits;
}

static void print_numbers(SomText *out, const double *values, int count) {
    for (int i = 0; i < count; i++) {
        som_text_add(out, i > 0 ? SOM_STR(" ") : SOM_STR("  "));
        som_text_number(out, rounded(values[i]));
    }
}

static int column_width(const SomModuleType *type) {
    int width = 1;
    for (int i = 0; i < type->connector_count; i++) {
        int length = som_utf8_count(type->connectors[i].name);
        width = length > width ? length : width;
    }
    return width;
}

static void print_name(SomText *out, const SomConnector *connector, int width) {
    som_text_add(out, connector->name);
    som_text_add_char(out, ' ', width - som_utf8_count(connector->name));
}

static void print_rule(const SomConnectionRule *rule, SomText *out) {
    int width_a = column_width(rule->a), width_b = column_width(rule->b);
    som_text_printf(out, "%.*s: %.*s a, %.*s b: %d way%s to mate\n", SOM_STR_ARG(rule->name),
                    SOM_STR_ARG(rule->a->name), SOM_STR_ARG(rule->b->name), rule->mating_count,
                    rule->mating_count == 1 ? "" : "s");
    for (int i = 0; i < rule->mating_count; i++) {
        const SomMating *mating = &rule->matings[i];
        SomVec3 t = mating->transform.position;
        SomQuat q = som_quat_from_rotation(mating->transform.rotation);
        SomText roll = {0};
        if (isnan(mating->roll)) {
            som_text_add(&roll, SOM_STR("-"));
        } else {
            som_text_number(&roll, roll_in_degrees(mating));
        }
        som_text_printf(out, "%6d  ", i + 1);
        print_name(out, &rule->a->connectors[mating->a], width_a);
        som_text_add(out, SOM_STR("  "));
        print_name(out, &rule->b->connectors[mating->b], width_b);
        som_text_printf(out, " %5.*s", SOM_STR_ARG(som_text_str(&roll)));
        print_numbers(out, (double[]){t.x, t.y, t.z}, 3);
        print_numbers(out, (double[]){q.x, q.y, q.z, q.w}, 4);
        som_text_add(out, SOM_STR("\n"));
        som_text_free(&roll);
    }
}

static void write_pair(const SomConnectionRule *rule, SomJsonWriter *json) {
    som_json_open_object(json);
    som_json_member_string(json, "a", rule->a->name);
    som_json_member_string(json, "b", rule->b->name);
    som_json_member_integer(json, "count", rule->mating_count);
    som_json_member_string(json, "rule", rule->name);
    som_json_key(json, SOM_STR("connectors"));
    som_json_open_array(json);
    for (int a = 0; a < rule->a->connector_count; a++) {
        for (int b = 0; b < rule->b->connector_count; b++) {
            int count = rule->count[a * rule->b->connector_count + b];
            if (count > 0) {
                som_json_open_object(json);
                som_json_member_string(json, "a", rule->a->connectors[a].name);
                som_json_member_string(json, "b", rule->b->connectors[b].name);
                som_json_member_integer(json, "count", count);
                som_json_close_object(json);
            }
        }
    }
    som_json_close_array(json);
    som_json_close_object(json);
}

static void write_mating(const SomConnectionRule *rule, int i, SomJsonWriter *json) {
    const SomMating *mating = &rule->matings[i];
    SomVec3 t = mating->transform.position;
    SomQuat q = som_quat_from_rotation(mating->transform.rotation);
    som_json_open_object(json);
    som_json_member_integer(json, "index", i + 1);
    som_json_member_string(json, "a", rule->a->connectors[mating->a].name);
    som_json_member_string(json, "b", rule->b->connectors[mating->b].name);
    som_json_member_string(json, "type_a", rule->a->name);
    som_json_member_string(json, "type_b", rule->b->name);
    som_json_member_string(json, "rule", rule->name);
    som_json_member_number(json, "roll_deg", roll_in_degrees(mating));
    som_json_key(json, SOM_STR("position"));
    som_json_numbers(json, (double[]){t.x, t.y, t.z}, 3);
    som_json_key(json, SOM_STR("quaternion_xyzw"));
    som_json_numbers(json, (double[]){q.x, q.y, q.z, q.w}, 4);
    som_json_close_object(json);
}

static void write_document(SomCommand *command, const SomM3l *m3l) {
    SomJsonWriter *json = &command->json;
    int total = 0;
    som_json_key(json, SOM_STR("pairs"));
    som_json_open_array(json);
    for (int i = 0; i < m3l->rule_count; i++) {
        if (is_wanted(command, &m3l->rules[i])) {
            write_pair(&m3l->rules[i], json);
            total += m3l->rules[i].mating_count;
        }
    }
    som_json_close_array(json);
    som_json_member_integer(json, "total", total);
    som_json_key(json, SOM_STR("connections"));
    som_json_open_array(json);
    for (int i = 0; i < m3l->rule_count; i++) {
        for (int k = 0; is_wanted(command, &m3l->rules[i]) && k < m3l->rules[i].mating_count; k++) {
            write_mating(&m3l->rules[i], k, json);
        }
    }
    som_json_close_array(json);
}

// What the types of the command have in common, for people.
static void print_rules(SomCommand *command, const SomM3l *m3l) {
    int shown = 0;
    for (int i = 0; i < m3l->rule_count; i++) {
        if (is_wanted(command, &m3l->rules[i]) &&
            (m3l->rules[i].mating_count > 0 || command->words.count == 3)) {
            print_rule(&m3l->rules[i], &command->out);
            shown++;
        }
    }
    if (shown == 0 && command->words.count == 3) {
        som_text_printf(&command->out, "no connection is for %s and %s\n", command->words.data[1],
                        command->words.data[2]);
    } else if (shown == 0) {
        som_text_add(&command->out, SOM_STR("no ways to mate\n"));
    }
}

static void run_connections(SomCommand *command) {
    // diagnostics point into the texts, so they live as long as the command
    SomText *text = som_command_new_text(command), *path = som_command_new_text(command);
    som_command_find_file(som_str(command->words.data[0]), path);
    if (!som_file_can_load(path->data, command->diags)) {
        return;
    }
    if (som_dialect_find(som_text_str(path)) == &som_dialect_somite) {
        som_report(command->diags, SOM_LANGUAGE_UNKNOWN, (SomSpan){0}, "'%s' is not an .m3l file",
                   command->words.data[0]);
        return;
    }
    uint32_t source1 = som_file_load_source(path->data, text, command->diags);
    if (source1 == 0) {
        return;
    }
    SomM3l *m3l = som_m3l_read(som_text_str(text), source1, command->diags);
    bool has_all = has_types(command, m3l);
    if (command->wants_json) {
        write_document(command, m3l);
    } else if (has_all) {
        print_rules(command, m3l);
    }
    som_m3l_destroy(m3l);
}

const SomVerb som_verb_connections = {
    .name = "connections",
    .usage = "FILE [TYPE [TYPE]] [--json]",
    .summary = "all ways in which the modules of an .m3l file can be mated",
    .help = "Infers from the conditions of an .m3l file every way to mate two modules: the number\n"
            "by which a robot chooses it, the connectors of a and b, the roll in degrees, and\n"
            "where b is seen from a with all joints at zero: position in metres and quaternion\n"
            "x y z w. With types, only what mates them. A file of library/modules is found by\n"
            "its name.\n\n"
            "  somite connections mtran.m3l\n"
            "  somite connections gdut T t --json\n",
    .min_words = 1,
    .max_words = 3,
    .has_json = true,
    .run = run_connections,
};
