// SPDX-License-Identifier: Apache-2.0
// Wishes as people type them: subjects, values with units, times.

#include "base/codes/compose_codes.h"
#include "base/memory.h"
#include "base/number.h"
#include "compose/solve.h"
#include "language/name.h"
#include "language/quantity_text.h"
#include "space/trigonometry.h"

#include <math.h>

#define POSITION 07u // bits of SomDof
#define TURN 070u

// Near names are looked for among no more paths than this.
#define HINTED_PATHS 20000

// No value is larger.
#define LARGEST 1e9

// ---- words

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static SomStr trim(SomStr text) {
    while (text.length > 0 && is_blank(text.data[0])) {
        text = som_str_slice(text, 1, text.length);
    }
    while (text.length > 0 && is_blank(text.data[text.length - 1])) {
        text.length--;
    }
    return text;
}

// Where a character first stands outside of quotes; the length of the text if nowhere. Or last.
static size_t find_outside(SomStr text, char c, bool is_last) {
    size_t found = text.length;
    bool is_quoted = false;
    for (size_t i = 0; i < text.length; i++) {
        if (is_quoted && text.data[i] == '\\') {
            i++;
        } else if (text.data[i] == '"') {
            is_quoted = !is_quoted;
        } else if (text.data[i] == c && !is_quoted) {
            found = i;
            if (!is_last) {
                return found;
            }
        }
    }
    return found;
}

// ---- subjects

static bool find_in_module(const SomConfiguration *c, int module, SomStr token,
                           SomSubject *subject) {
    const SomModuleType *type = c->modules[module].type;
    SomText name = {0};
    som_name_read(token, &name);
    int connector = som_module_type_find_connector(type, som_text_str(&name));
    int frame = som_module_type_find_frame(type, som_text_str(&name));
    int link = som_module_type_find_link(type, som_text_str(&name));
    som_text_free(&name);
    subject->module = module;
    subject->frame = som_pose_identity();
    if (connector >= 0) {
        const SomConnector *k = &type->connectors[connector];
        subject->link = k->link;
        subject->is_face = k->has_frame;
        subject->frame = k->has_frame ? k->frame : som_pose_translation(k->position);
    } else if (frame >= 0) {
        subject->link = type->frames[frame].link;
        subject->frame = type->frames[frame].pose;
    } else {
        subject->link = link;
    }
    return connector >= 0 || frame >= 0 || link >= 0;
}

static bool find_place(const SomConfiguration *c, SomStr text, SomSubject *subject) {
    int module = som_configuration_find_module(c, text);
    if (module >= 0) {
        subject->module = module;
        subject->link = c->modules[module].type->root;
        subject->frame = som_pose_identity();
        return true;
    }
    size_t dot = find_outside(text, '.', true);
    bool has_dot = dot < text.length;
    module = som_configuration_find_module(c, som_str_slice(text, 0, has_dot ? dot : 0));
    SomStr last = has_dot ? som_str_slice(text, dot + 1, text.length) : text;
    return module >= 0 && find_in_module(c, module, last, subject);
}

static void report_unknown(const SomConfiguration *c, SomStr text, SomDiagnostics *diags) {
    som_report(diags, SOM_UNKNOWN_SUBJECT, (SomSpan){0},
               "'%.*s' is neither a degree of freedom nor a place of this design",
               SOM_STR_ARG(text));
    int count = c->dof_count + c->module_count;
    if (count > HINTED_PATHS) {
        return;
    }
    SomStr *paths = som_alloc(sizeof *paths * (size_t)(count + 1));
    for (int i = 0; i < c->dof_count; i++) {
        paths[i] = c->dofs[i].path;
    }
    for (int i = 0; i < c->module_count; i++) {
        paths[c->dof_count + i] = c->modules[i].path;
    }
    int nearest = som_str_find_nearest(text, paths, count);
    if (nearest >= 0) {
        som_note(diags, (SomSpan){0}, "did you mean '%.*s'?", SOM_STR_ARG(paths[nearest]));
    }
    som_free(paths);
}

bool som_subject_find(const SomConfiguration *c, SomStr text, SomSubject *subject,
                      SomDiagnostics *diags) {
    static const struct {
        SomStr name;
        unsigned coordinates;
    } components[] = {{{"x", 1}, 1u << SOM_DOF_TX},
                      {{"y", 1}, 1u << SOM_DOF_TY},
                      {{"z", 1}, 1u << SOM_DOF_TZ},
                      {{"position", 8}, POSITION},
                      {{"turned", 6}, TURN}};
    text = trim(text);
    *subject = (SomSubject){.name = text, .coordinates = POSITION | TURN, .alias = {.sign = 1}};
    subject->dof = som_configuration_find_dof(c, text, &subject->alias);
    if (subject->dof >= 0 || find_place(c, text, subject)) {
        return true;
    }
    size_t dot = find_outside(text, '.', true);
    bool has_dot = dot < text.length;
    SomStr last = has_dot ? som_str_slice(text, dot + 1, text.length) : text;
    for (size_t i = 0; i < sizeof components / sizeof *components; i++) {
        if (som_str_equal(last, components[i].name) &&
            find_place(c, som_str_slice(text, 0, has_dot ? dot : 0), subject)) {
            subject->coordinates = components[i].coordinates;
            return true;
        }
    }
    report_unknown(c, text, diags);
    return false;
}

// ---- values

typedef struct ValueReader {
    SomStr rest;
    SomDiagnostics *diags;
    SomStr whole;
} ValueReader;

static bool refuse(const ValueReader *r, const char *why) {
    som_report(r->diags, SOM_BAD_WISH, (SomSpan){0}, "'%.*s': %s", SOM_STR_ARG(r->whole), why);
    return false;
}

static void skip(ValueReader *r, size_t count) {
    r->rest = trim(som_str_slice(r->rest, count, r->rest.length));
}

static bool take(ValueReader *r, char c) {
    if (r->rest.length == 0 || r->rest.data[0] != c) {
        return false;
    }
    skip(r, 1);
    return true;
}

// Why the unit behind a number, NULL if there is none, is not one of the dimension.
static bool refuse_unit(const ValueReader *r, SomStr number, const SomUnit *unit,
                        SomDimensionName dimension) {
    SomText wanted = {0}, why = {0};
    if (unit == NULL) {
        som_quantity_print_unitless(number, dimension, &why);
    } else {
        som_dimension_print(som_dimension(dimension), &wanted);
        som_text_printf(&why, "%.*s is not the unit of %s", SOM_STR_ARG(unit->text), wanted.data);
    }
    refuse(r, why.data);
    som_text_free(&wanted);
    som_text_free(&why);
    return false;
}

// A number with a unit of the dimension.
static bool read_quantity(ValueReader *r, SomDimensionName dimension, double *value) {
    bool is_negative = take(r, '-');
    double number;
    size_t length = som_number_read(r->rest, &number);
    SomStr digits = som_str_slice(r->rest, 0, length);
    if (length == 0) {
        return refuse(r, "a number is missing");
    }
    skip(r, length);
    const SomUnit *unit = som_unit_match(r->rest);
    if (unit == NULL || unit->dimension != dimension) {
        return refuse_unit(r, digits, unit, dimension);
    }
    skip(r, unit->text.length);
    *value = som_unit_to_si(unit, number);
    *value = is_negative ? -*value : *value;
    return fabs(*value) <= LARGEST || refuse(r, "the number is too large");
}

static bool read_vector(ValueReader *r, SomDimensionName dimension, double *values) {
    if (!take(r, '(')) {
        return refuse(r, "three values in parentheses are needed");
    }
    for (int i = 0; i < 3; i++) {
        if (!read_quantity(r, dimension, &values[i])) {
            return false;
        }
        if (!take(r, i < 2 ? ',' : ')')) {
            return refuse(r, "three values in parentheses are needed");
        }
    }
    return true;
}

static bool read_value(ValueReader *r, const SomConfiguration *c, const SomSubject *subject,
                       SomWishValue *value) {
    if (subject->dof >= 0) {
        bool slides = som_configuration_joint(c, subject->dof)->type == SOM_JOINT_PRISMATIC;
        double read;
        if (!read_quantity(r, slides ? SOM_DIMENSION_LENGTH : SOM_DIMENSION_ANGLE, &read)) {
            return false;
        }
        value->values[0] = som_alias_to_joint(subject->alias, read);
        return true;
    }
    switch (subject->coordinates) {
    case POSITION:
        return read_vector(r, SOM_DIMENSION_LENGTH, value->values);
    case TURN:
        return read_vector(r, SOM_DIMENSION_ANGLE, value->values + 3);
    case 1u << SOM_DOF_TX:
        return read_quantity(r, SOM_DIMENSION_LENGTH, &value->values[0]);
    case 1u << SOM_DOF_TY:
        return read_quantity(r, SOM_DIMENSION_LENGTH, &value->values[1]);
    case 1u << SOM_DOF_TZ:
        return read_quantity(r, SOM_DIMENSION_LENGTH, &value->values[2]);
    default:
        return refuse(r, "give '.x', '.y', '.z', '.position' or '.turned' of the place a value");
    }
}

static bool read_values(ValueReader *r, const SomConfiguration *c, SomArena *arena, SomWish *wish) {
    SOM_ARRAY(SomWishValue) values = {0};
    bool is_good = true;
    do {
        SomWishValue value = {.time = (double)NAN};
        is_good = read_value(r, c, &wish->subject, &value);
        if (is_good && take(r, '@')) {
            is_good = read_quantity(r, SOM_DIMENSION_TIME, &value.time);
        }
        bool is_late = values.count == 0 || value.time > values.data[values.count - 1].time;
        if (is_good && !is_late) {
            is_good = refuse(r, "several values need times that rise: 0m@0s, 0.1m@2s");
        } else if (is_good && values.count == SOM_MAX_WISH_VALUES) {
            is_good = refuse(r, "these are too many values");
        }
        som_array_push(&values, value);
    } while (is_good && take(r, ','));
    if (is_good && r->rest.length > 0) {
        is_good = refuse(r, "something stands behind the value");
    }
    if (is_good && values.count > 1 && isnan(values.data[0].time)) {
        is_good = refuse(r, "several values need times that rise: 0m@0s, 0.1m@2s");
    }
    SomWishValue *kept = som_arena_new(arena, SomWishValue, values.count);
    memcpy(kept, values.data, sizeof *kept * (size_t)values.count);
    wish->values = kept;
    wish->value_count = is_good ? values.count : 0;
    som_array_free(&values);
    return is_good;
}

// ---- wishes

// "tool.B" or "tool.B@90deg": is it a place?
static bool names_place(const SomConfiguration *c, SomStr text, SomSubject *other, size_t *at) {
    *at = find_outside(text, '@', false);
    *other = (SomSubject){.dof = -1, .coordinates = POSITION | TURN};
    return find_place(c, trim(som_str_slice(text, 0, *at)), other);
}

static bool read_other(ValueReader *r, size_t at, SomWish *wish) {
    if (!wish->subject.is_face || !wish->other.is_face ||
        wish->subject.coordinates != (POSITION | TURN)) {
        return refuse(r, "only two connectors with faces can be led to each other");
    }
    if (wish->subject.module == wish->other.module) {
        return refuse(r, "both connectors are of one module");
    }
    wish->has_other = true;
    skip(r, at);
    if (take(r, '@') && !read_quantity(r, SOM_DIMENSION_ANGLE, &wish->roll)) {
        return false;
    }
    return r->rest.length == 0 || refuse(r, "something stands behind the angle");
}

bool som_wish_read(const SomConfiguration *c, SomLevel level, SomStr text, SomArena *arena,
                   SomWish *wish, SomDiagnostics *diags) {
    *wish = (SomWish){.level = level};
    size_t equals = find_outside(text, '=', false);
    ValueReader r = {
        .rest = trim(som_str_slice(text, equals + 1, text.length)), .diags = diags, .whole = text};
    if (level == SOM_LEVEL_LOCK && equals < text.length) {
        return refuse(&r, "a lock has no value: it holds what is");
    }
    if (level != SOM_LEVEL_LOCK && equals == text.length) {
        return refuse(&r, "a target is a subject, '=' and a value");
    }
    if (!som_subject_find(c, som_str_slice(text, 0, equals), &wish->subject, diags)) {
        return false;
    }
    if (level == SOM_LEVEL_LOCK) {
        return true;
    }
    size_t at;
    if (wish->subject.dof < 0 && names_place(c, r.rest, &wish->other, &at)) {
        return read_other(&r, at, wish);
    }
    return read_values(&r, c, arena, wish);
}
