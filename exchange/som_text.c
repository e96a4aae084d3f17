// SPDX-License-Identifier: Apache-2.0

#include "exchange/som_text.h"

#include "base/diagnostic.h"
#include "language/name.h"
#include "language/unit.h"
#include "space/trigonometry.h"

#include <math.h>

#define LINE 100 // columns

// Words that a grammar of `.som` compares. Some more than it needs do no harm.
static const char *const words[] = {
    "and",     "any",    "as",     "at",       "base",  "behavior", "choose", "closed",  "config",
    "connect", "count",  "dock",   "during",   "else",  "false",    "for",    "forced",  "forever",
    "frame",   "gap",    "ground", "hold",     "if",    "in",       "is",     "let",     "not",
    "on",      "open",   "or",     "parallel", "part",  "Pc",       "pi",     "pose",    "reached",
    "repeat",  "Sc",     "series", "spin",     "start", "stop",     "then",   "timeout", "to",
    "true",    "turned", "undock", "until",    "use",   "verify",   "wait",   "while",   "within"};

static bool is_keyword(SomStr name) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (som_str_equal(name, som_str(words[i]))) {
            return true;
        }
    }
    return false;
}

void som_write_name(SomText *out, SomStr name) {
    if (is_keyword(name)) {
        som_name_print_quoted(out, name);
    } else {
        som_name_print(out, name);
    }
}

void som_write_place(SomText *out, const SomWrittenPlace *place) {
    for (int i = 0; i < place->count; i++) {
        if (i > 0) { // behind a dot, every word is a name
            som_text_add(out, SOM_STR("."));
            som_name_print(out, place->names[i]);
        } else {
            som_write_name(out, place->names[i]);
        }
    }
}

static void write_quantity(SomText *out, double value, SomDimensionName dimension) {
    SomQuantity quantity = {value == 0 ? 0 : value, som_dimension(dimension)}; // no -0
    som_quantity_print(quantity, NULL, out);
}

// In degrees if they are whole ones, else in radians.
static void write_turned(SomText *out, double value, SomDimensionName dimension, const char *deg,
                         const char *rad) {
    const SomUnit *unit = som_unit_find(som_str(deg));
    double number = round(som_unit_from_si(unit, value));
    bool is_whole = som_unit_to_si(unit, number) == value;
    SomQuantity quantity = {value == 0 ? 0 : value, som_dimension(dimension)};
    som_quantity_print(quantity, is_whole ? unit : som_unit_find(som_str(rad)), out);
}

void som_write_angle(SomText *out, double angle) {
    write_turned(out, angle, SOM_DIMENSION_ANGLE, "deg", "rad");
}

void som_write_angular_speed(SomText *out, double speed) {
    write_turned(out, speed, SOM_DIMENSION_ANGULAR_SPEED, "deg/s", "rad/s");
}

void som_write_seconds(SomText *out, double seconds) {
    write_quantity(out, seconds, SOM_DIMENSION_TIME);
}

void som_write_milliseconds(SomText *out, double milliseconds) {
    const SomUnit *unit = som_unit_find(milliseconds >= 10000 ? SOM_STR("s") : SOM_STR("ms"));
    SomQuantity quantity = {milliseconds / 1000, som_dimension(SOM_DIMENSION_TIME)};
    som_quantity_print(quantity, unit, out);
}

void som_write_course(SomText *out, const double *times, const double *angles, int stride,
                      int count, SomStr scale) {
    som_text_add(out, SOM_STR("["));
    for (int i = 0; i < count; i++) {
        double own = angles[i * stride];
        bool is_inner = i > 0 && i < count - 1;
        if (is_inner && own == angles[(i - 1) * stride] && own == angles[(i + 1) * stride]) {
            continue;
        }
        som_text_add(out, i > 0 ? SOM_STR(", ") : SOM_STR(""));
        som_write_seconds(out, times[i * stride]);
        som_text_add(out, times[i * stride] != 0 ? scale : SOM_STR(""));
        som_text_add(out, SOM_STR(": "));
        som_write_angle(out, own);
    }
    som_text_add(out, SOM_STR("]"));
}

static void write_vector(SomText *out, SomVec3 v, SomDimensionName dimension) {
    som_text_add(out, SOM_STR("("));
    write_quantity(out, v.x, dimension);
    som_text_add(out, SOM_STR(", "));
    write_quantity(out, v.y, dimension);
    som_text_add(out, SOM_STR(", "));
    write_quantity(out, v.z, dimension);
    som_text_add(out, SOM_STR(")"));
}

void som_write_use(SomText *out, SomStr path) {
    som_text_add(out, SOM_STR("use "));
    som_name_print_quoted(out, path);
    som_text_add(out, SOM_STR("\n"));
}

void som_write_comment(SomText *out, SomStr comment) {
    while (comment.length > 0) {
        const char *end = memchr(comment.data, '\n', comment.length);
        size_t length = end != NULL ? (size_t)(end - comment.data) : comment.length;
        som_text_add(out, SOM_STR("# "));
        som_text_add_shown(out, som_str_slice(comment, 0, length));
        som_text_add(out, SOM_STR("\n"));
        comment = som_str_slice(comment, length + 1, comment.length);
    }
}

static void write_head(SomText *out, SomStr comment, SomStr name) {
    som_text_add(out, SOM_STR("\n"));
    som_write_comment(out, comment);
    som_text_add(out, SOM_STR("config "));
    som_write_name(out, name);
}

void som_write_begin(SomText *out, SomStr comment, SomStr name) {
    write_head(out, comment, name);
    som_text_add(out, SOM_STR(" {\n"));
}

void som_write_begin_module(SomText *out, SomStr comment, SomStr name, SomStr type) {
    write_head(out, comment, name);
    som_text_add(out, SOM_STR(" is "));
    som_write_name(out, type);
    som_text_add(out, SOM_STR(" {\n"));
}

void som_write_end(SomText *out) {
    som_text_add(out, SOM_STR("}\n"));
}

// As many names a line as go on it.
void som_write_parts(SomText *out, const SomStr *names, int count, SomStr of) {
    SomText line = {0}, name = {0}, type = {0};
    som_write_name(&type, of);
    for (int i = 0; i <= count; i++) {
        som_text_clear(&name);
        if (i < count) {
            som_write_name(&name, names[i]);
        }
        bool is_full = line.length + name.length + type.length + 16 > LINE;
        if (line.length > 0 && (i == count || is_full)) {
            som_text_printf(out, "    part %s : %s\n", line.data, type.data);
            som_text_clear(&line);
        }
        if (i < count) {
            som_text_add(&line, line.length > 0 ? SOM_STR(", ") : SOM_STR(""));
            som_text_add(&line, som_text_str(&name));
        }
    }
    som_text_free(&line);
    som_text_free(&name);
    som_text_free(&type);
}

void som_write_connect(SomText *out, const SomWrittenConnection *connection) {
    som_text_add(out, SOM_STR("    connect "));
    som_write_place(out, &connection->a);
    som_text_add(out, SOM_STR(" to "));
    som_write_place(out, &connection->b);
    if (connection->index > 0) {
        som_text_printf(out, " as %d", connection->index);
    } else if (connection->roll != 0 || connection->is_forced) {
        som_text_add(out, SOM_STR(" at "));
        write_quantity(out, connection->roll, SOM_DIMENSION_ANGLE);
    }
    if (connection->gap > 0) {
        som_text_add(out, SOM_STR(" gap "));
        write_quantity(out, connection->gap, SOM_DIMENSION_LENGTH);
    }
    som_text_add(out, connection->is_forced ? SOM_STR(" forced\n") : SOM_STR("\n"));
}

void som_write_pose_begin(SomText *out, SomStr name) {
    som_text_add(out, SOM_STR("\n    pose "));
    som_write_name(out, name);
    som_text_add(out, SOM_STR(" {\n"));
}

void som_write_value(SomText *out, const SomWrittenPlace *joint, double angle) {
    som_text_add(out, SOM_STR("        "));
    som_write_place(out, joint);
    som_text_add(out, SOM_STR(" = "));
    write_quantity(out, angle, SOM_DIMENSION_ANGLE);
    som_text_add(out, SOM_STR("\n"));
}

void som_write_part_pose(SomText *out, const SomWrittenPlace *pose) {
    som_text_add(out, SOM_STR("        "));
    som_write_place(out, pose);
    som_text_add(out, SOM_STR("\n"));
}

void som_write_pose_end(SomText *out, SomStr name, bool is_start) {
    som_text_add(out, SOM_STR("    }\n"));
    if (is_start) {
        som_text_add(out, SOM_STR("    start "));
        som_write_name(out, name);
        som_text_add(out, SOM_STR("\n"));
    }
}

void som_write_base(SomText *out, const SomWrittenBase *base) {
    som_text_add(out, SOM_STR("    base "));
    som_write_place(out, &base->place);
    if (base->frame.length > 0) {
        som_text_add(out, SOM_STR(" frame "));
        som_write_name(out, base->frame);
    }
    SomVec3 p = base->position;
    if (p.x != 0 || p.y != 0 || p.z != 0) {
        som_text_add(out, SOM_STR(" at "));
        write_vector(out, p, SOM_DIMENSION_LENGTH);
    }
    som_text_add(out, base->is_on_ground ? SOM_STR(" on ground") : SOM_STR(""));
    SomVec3 t = base->turn;
    if (t.x != 0 || t.y != 0 || t.z != 0) {
        som_text_add(out, SOM_STR(" turned "));
        write_vector(out, t, SOM_DIMENSION_ANGLE);
    }
    som_text_add(out, base->is_fixed ? SOM_STR(" fixed\n") : SOM_STR("\n"));
}

double som_tidy_angle(double angle) {
    double whole = som_unit_to_si(som_unit_find(SOM_STR("deg")), round(angle * (180 / SOM_PI)));
    return fabs(whole - angle) <= 1e-8 ? whole : angle;
}

double som_tidy_length(double length) {
    double rounded = round(length * 1e9) / 1e9;
    return fabs(rounded - length) <= 1e-12 ? rounded : length;
}

SomVec3 som_turn_of(SomMat3 r) {
    double across = sqrt(r.m[0][0] * r.m[0][0] + r.m[1][0] * r.m[1][0]);
    double pitch = som_atan2(-r.m[2][0], across);
    if (across < 1e-9) { // roll and yaw turn about one axis
        return som_vec3(0, pitch, som_atan2(-r.m[0][1], r.m[1][1]));
    }
    return som_vec3(som_atan2(r.m[2][1], r.m[2][2]), pitch, som_atan2(r.m[1][0], r.m[0][0]));
}

SomMat3 som_turn_rotation(SomVec3 turn) {
    return som_mat3_multiply(som_mat3_multiply(som_rotation_z(turn.z), som_rotation_y(turn.y)),
                             som_rotation_x(turn.x));
}
