// SPDX-License-Identifier: Apache-2.0

#include "tests/verify/oracle_text.h"

#include "base/number.h"

#include <math.h>

#define MARK 0.01 // metres from the middle of a connector to its marks

static void word(SomText *out, const char *text) {
    som_text_add(out, som_str(text));
}

static void numbers(SomText *out, const double *values, int count, const char *between) {
    for (int i = 0; i < count; i++) {
        word(out, i > 0 ? between : "");
        som_text_number(out, values[i]);
    }
}

static void vector(SomText *out, const double *v) {
    word(out, "(");
    numbers(out, v, 3, ", ");
    word(out, ")");
}

static void quantity(SomText *out, const char *before, double value, const char *unit) {
    word(out, before);
    som_text_number(out, value);
    word(out, unit);
}

// ---- M3L

// A point in the frame of a place.
static void placed(const double place[6], double x, double y, double z, double *point) {
    SomTestMatrix at = som_test_rpy(place);
    for (int i = 0; i < 3; i++) {
        point[i] = at.m[i][0] * x + at.m[i][1] * y + at.m[i][2] * z + at.m[i][3];
    }
}

static void placed_vector(SomText *out, const double place[6], double x, double y, double z) {
    double point[3];
    placed(place, x, y, z, point);
    vector(out, point);
}

static void m3l_shape(SomText *out, const OracleShape *s) {
    static const char *const names[] = {"sphere(", "box(", "cylinder(", "capsule("};
    word(out, names[s->kind]);
    if (s->kind == ORACLE_BALL || s->kind == ORACLE_BOX) {
        vector(out, s->place);
    } else {
        placed_vector(out, s->place, 0, 0, -s->half_length);
        word(out, ", ");
        placed_vector(out, s->place, 0, 0, s->half_length);
    }
    word(out, ", ");
    if (s->kind == ORACLE_BOX) {
        vector(out, (double[3]){2 * s->half[0], 2 * s->half[1], 2 * s->half[2]});
        word(out, ", ");
        vector(out, s->place + 3);
    } else {
        som_text_number(out, s->radius);
    }
    word(out, ")");
}

static void m3l_face(SomText *out, const OracleFace *f, int index) {
    som_text_printf(out, "point c%d: (point _1: coords=", index);
    placed_vector(out, f->place, MARK, 0, 0);
    word(out, ") (point _2: coords=");
    placed_vector(out, f->place, 0, MARK, 0);
    word(out, ") coords=");
    vector(out, f->place);
    double z[3];
    placed(f->place, 0, 0, f->is_male ? 1 : -1, z);
    for (int i = 0; i < 3; i++) {
        z[i] -= f->place[i];
    }
    word(out, ", connector, out=");
    vector(out, z);
    som_text_printf(out, ", gender=\"%s\"", f->is_male ? "male" : "female");
    if (f->bending > 0) {
        quantity(out, ", bending=", f->bending, "Nm");
    }
    word(out, "\n");
}

static void m3l_link(SomText *out, const OracleType *type, int index) {
    const OracleLink *link = &type->links[index];
    som_text_printf(out, "link l%d:", index);
    const char *before = " grouping=(";
    for (int i = 0; i < type->face_count; i++) {
        if (type->faces[i].link == index) {
            som_text_printf(out, "%sc%d", before, i);
            before = ", ";
        }
    }
    word(out, before[0] == ',' ? ")," : "");
    if (link->shape_count > 0) {
        word(out, " shape=(");
        for (int i = 0; i < link->shape_count; i++) {
            word(out, i > 0 ? ", " : "");
            m3l_shape(out, &link->shapes[i]);
        }
        word(out, "),");
    }
    quantity(out, " mass=", link->mass, "kg, com=");
    vector(out, link->com);
    word(out, "\n");
}

static void m3l_joint(SomText *out, const OracleJoint *j, int index) {
    static const char *const types[] = {"revolute", "prismatic", "fixed"};
    som_text_printf(out, "joint j%d: type=%s, ", index, types[j->type]);
    if (j->type != ORACLE_FIXED) {
        const char *unit = j->type == ORACLE_TURN ? "rad" : "m";
        quantity(out, "value=[", j->low, unit);
        quantity(out, ", ", j->high, unit);
        quantity(out, "], effort=", j->effort, j->type == ORACLE_TURN ? "Nm" : "N");
        quantity(out, ", speed=", j->speed, j->type == ORACLE_TURN ? "rad/s" : "m/s");
        word(out, j->type == ORACLE_TURN ? ", tolerance=0.5deg, " : ", tolerance=0.2mm, ");
        if (j->alias_sign != 0) {
            som_text_printf(out, "alias=(b%d, (a%d, %d, ", index, index, (int)j->alias_sign);
            quantity(out, "", j->alias_zero, unit);
            word(out, ")), ");
        }
    }
    som_text_printf(out, "pair=((l%d, (axis: origin=", j->child);
    vector(out, j->origin);
    word(out, ", direction=");
    vector(out, j->axis);
    som_text_printf(out, ")), (l%d, (axis: origin=", j->parent);
    vector(out, j->origin);
    word(out, ", direction=");
    vector(out, (double[3]){-j->axis[0], -j->axis[1], -j->axis[2]});
    word(out, ")))\n");
}

static void m3l_connections(SomText *out, const OracleDesign *design) {
    SomText types = {0};
    for (int i = 0; i < design->type_count; i++) {
        if (!design->types[i].is_urdf) {
            som_text_printf(&types, i > 0 ? ", T%d" : "T%d", i);
        }
    }
    som_text_printf(out,
                    "connection mate: members=((%s) x, (%s) y), "
                    "conditions=((x.point p coincident y.point q) and (p._1 coincident q._1) and "
                    "(p._2 coincident q._2) and (p.gender != q.gender))\n",
                    types.data, types.data);
    som_text_free(&types);
}

void oracle_write_m3l(SomText *out, const OracleDesign *design) {
    bool has_faces = false;
    for (int i = 0; i < design->type_count; i++) {
        const OracleType *type = &design->types[i];
        if (type->is_urdf) {
            continue;
        }
        som_text_printf(out, "module T%d: root=l0, timeout=5s\n", i);
        for (int k = 0; k < type->face_count; k++) {
            m3l_face(out, &type->faces[k], k);
        }
        for (int k = 0; k < type->link_count; k++) {
            m3l_link(out, type, k);
        }
        for (int k = 0; k < type->joint_count; k++) {
            m3l_joint(out, &type->joints[k], k);
        }
        has_faces |= type->face_count > 0;
    }
    if (has_faces) {
        m3l_connections(out, design);
    }
}

// ---- URDF: the frame of a link is where its joint is

static void urdf_origin(SomText *out, const double place[6], const double *frame) {
    double xyz[3] = {place[0] - frame[0], place[1] - frame[1], place[2] - frame[2]};
    word(out, "<origin xyz=\"");
    numbers(out, xyz, 3, " ");
    word(out, "\" rpy=\"");
    numbers(out, place + 3, 3, " ");
    word(out, "\"/>");
}

static void urdf_shape(SomText *out, const OracleShape *s) {
    word(out, "<geometry>");
    if (s->kind == ORACLE_BALL) {
        quantity(out, "<sphere radius=\"", s->radius, "\"/>");
    } else if (s->kind == ORACLE_BOX) {
        word(out, "<box size=\"");
        numbers(out, (double[3]){2 * s->half[0], 2 * s->half[1], 2 * s->half[2]}, 3, " ");
        word(out, "\"/>");
    } else {
        quantity(out, "<cylinder radius=\"", s->radius, "\"");
        quantity(out, " length=\"", 2 * s->half_length, "\"/>");
    }
    word(out, "</geometry>");
}

static const double *urdf_frame(const OracleType *type, int link) {
    static const double none[3];
    for (int i = 0; i < type->joint_count; i++) {
        if (type->joints[i].child == link) {
            return type->joints[i].origin;
        }
    }
    return none;
}

static void urdf_link(SomText *out, const OracleType *type, int index) {
    const OracleLink *link = &type->links[index];
    const double *frame = urdf_frame(type, index);
    som_text_printf(out, "<link name=\"l%d\">\n<inertial>", index);
    urdf_origin(out, (double[6]){link->com[0], link->com[1], link->com[2], 0, 0, 0}, frame);
    quantity(out, "<mass value=\"", link->mass, "\"/>");
    double inertia = link->mass * 1e-3;
    quantity(out, "<inertia ixy=\"0\" ixz=\"0\" iyz=\"0\" ixx=\"", inertia, "\"");
    quantity(out, " iyy=\"", inertia, "\"");
    quantity(out, " izz=\"", inertia, "\"/></inertial>\n");
    for (int i = 0; i < link->shape_count; i++) {
        word(out, "<collision>");
        urdf_origin(out, link->shapes[i].place, frame);
        urdf_shape(out, &link->shapes[i]);
        word(out, "</collision>\n");
    }
    word(out, "</link>\n");
}

static void urdf_joint(SomText *out, const OracleType *type, int index) {
    static const char *const types[] = {"revolute", "prismatic", "fixed"};
    const OracleJoint *j = &type->joints[index];
    const double *o = j->origin;
    som_text_printf(out, "<joint name=\"j%d\" type=\"%s\">", index, types[j->type]);
    som_text_printf(out, "<parent link=\"l%d\"/><child link=\"l%d\"/>", j->parent, j->child);
    urdf_origin(out, (double[6]){o[0], o[1], o[2], 0, 0, 0}, urdf_frame(type, j->parent));
    word(out, "<axis xyz=\"");
    numbers(out, j->axis, 3, " ");
    word(out, "\"/>");
    if (j->type != ORACLE_FIXED) {
        quantity(out, "<limit lower=\"", j->low, "\"");
        quantity(out, " upper=\"", j->high, "\"");
        quantity(out, " effort=\"", j->effort, "\"");
        quantity(out, " velocity=\"", j->speed, "\"/>");
    }
    word(out, "</joint>\n");
}

void oracle_write_urdf(SomText *out, const OracleType *type) {
    word(out, "<robot name=\"T0\">\n");
    for (int i = 0; i < type->link_count; i++) {
        urdf_link(out, type, i);
    }
    for (int i = 0; i < type->joint_count; i++) {
        urdf_joint(out, type, i);
    }
    word(out, "</robot>\n");
}

// ---- the design

void oracle_write_joint(SomText *out, int part, int joint) {
    som_text_printf(out, "p%d.j%d", part, joint);
}

static void write_connection(SomText *out, const OracleConnection *c, int index) {
    if (c->is_dock) {
        som_text_printf(out, "    dock d%d: ", index);
    } else {
        word(out, "    connect ");
    }
    som_text_printf(out, "p%d.c%d to p%d.c%d%s\n", c->part_a, c->face_a, c->part_b, c->face_b,
                    !c->is_dock    ? ""
                    : c->is_closed ? " closed"
                                   : " open");
}

static void write_start(SomText *out, const OracleDesign *d) {
    word(out, "    pose first {\n");
    for (int i = 0; i < d->part_count; i++) {
        const OracleType *type = oracle_type(d, i);
        for (int k = 0; k < type->joint_count; k++) {
            if (type->joints[k].type != ORACLE_FIXED) {
                word(out, "        ");
                oracle_write_joint(out, i, k);
                quantity(out, " = ", d->start[i][k],
                         type->joints[k].type == ORACLE_TURN ? "rad\n" : "m\n");
            }
        }
    }
    word(out, "    }\n    start first\n");
}

void oracle_write_design(SomText *out, const OracleDesign *d, const char *use) {
    som_text_printf(out, "use \"%s\"\n\n# Recipe: %s.\nconfig Random {\n", use, d->recipe);
    for (int i = 0; i < d->part_count; i++) {
        som_text_printf(out, "    part p%d : T%d\n", i, d->parts[i]);
    }
    for (int i = 0; i < d->connection_count; i++) {
        write_connection(out, &d->connections[i], i);
    }
    if (d->has_start) {
        write_start(out, d);
    }
    word(out, "    base p0 on ground turned (");
    for (int i = 0; i < 3; i++) {
        quantity(out, i > 0 ? ", " : "", d->turned[i], "rad");
    }
    word(out, ")\n");
    if (d->settings[0] != '\0') {
        som_text_printf(out, "    verify { %s }\n", d->settings);
    }
    word(out, "    behavior go = ");
    oracle_write_behavior(out, d, NULL);
    word(out, "\n}\n");
}

// ---- behaviors

typedef struct Writer {
    SomText *out;
    const OracleDesign *design;
    const int *outcomes;
} Writer;

static void write_action(Writer *w, int index);

static void write_list(Writer *w, const char *name, int first) {
    som_text_printf(w->out, "%s(", name);
    for (int child = first; child >= 0; child = w->design->actions[child].next) {
        word(w->out, child == first ? "" : ", ");
        write_action(w, child);
    }
    word(w->out, ")");
}

// A value of the joint as its name in the action counts; a difference of two has no zero.
static void write_value(Writer *w, const OracleAction *a, const char *before, double value,
                        bool is_difference, const char *per) {
    const OracleJoint *j = &oracle_type(w->design, a->part)->joints[a->joint];
    if (a->is_alias) {
        value = j->alias_sign * (is_difference ? value : value - j->alias_zero);
    }
    quantity(w->out, before, value, j->type == ORACLE_TURN ? "rad" : "m");
    word(w->out, per);
}

static void write_move(Writer *w, const OracleAction *a) {
    word(w->out, a->kind == ORACLE_TO_CUT ? "any(" : "");
    som_text_printf(w->out, "p%d.%c%d", a->part, a->is_alias ? 'a' : 'j', a->joint);
    if (a->kind == ORACLE_SPIN) {
        write_value(w, a, " spin ", a->value, true, "/s during ");
        quantity(w->out, "", a->timeout, "s");
        return;
    }
    if (a->kind == ORACLE_FOLLOW) {
        quantity(w->out, " follow [", a->timeout / 2, "s: ");
        write_value(w, a, "", a->value, false, "");
        quantity(w->out, ", ", a->timeout, "s: ");
        write_value(w, a, "", a->value / 2, false, "]");
        return;
    }
    write_value(w, a, a->kind == ORACLE_BY ? " by " : " to ", a->value, a->kind == ORACLE_BY, "");
    if (a->speed > 0) {
        bool is_turn = oracle_type(w->design, a->part)->joints[a->joint].type == ORACLE_TURN;
        quantity(w->out, " at ", a->speed, is_turn ? "rad/s" : "m/s");
    }
    if (a->kind == ORACLE_TO_CUT) {
        quantity(w->out, ", wait ", a->timeout, "s)");
    }
}

// What a sensor may end before its time-out.
static void write_sensed_end(Writer *w, const OracleAction *a) {
    if (w->outcomes == NULL) {
        som_text_printf(w->out, "%s until %s", a->kind == ORACLE_WAIT_UNTIL ? "wait" : "",
                        a->condition);
        quantity(w->out, " timeout ", a->timeout, "s");
    } else {
        quantity(w->out, a->kind == ORACLE_WAIT_UNTIL ? "wait " : " during ",
                 oracle_sensed_after(a, w->outcomes), "s");
    }
}

static void write_choice(Writer *w, const OracleAction *a) {
    int other = w->design->actions[a->first].next;
    if (w->outcomes != NULL) {
        int chosen = oracle_chosen(w->design, a, w->outcomes);
        if (chosen < 0) {
            word(w->out, "series()");
        } else {
            write_action(w, chosen);
        }
        return;
    }
    som_text_printf(w->out, "choose(%s: ", a->condition);
    write_action(w, a->first);
    if (other >= 0) {
        word(w->out, ", else: ");
        write_action(w, other);
    }
    word(w->out, ")");
}

static void write_repeat(Writer *w, const OracleAction *a) {
    if (w->outcomes == NULL && a->kind == ORACLE_REPEAT_UNTIL) {
        som_text_printf(w->out, "repeat until %s: ", a->condition);
    } else if (w->outcomes == NULL && a->count == 0) {
        word(w->out, "repeat forever: ");
    } else {
        som_text_printf(
            w->out, "repeat %d: ", w->outcomes == NULL ? a->count : oracle_passes(a, w->outcomes));
    }
    write_list(w, "series", a->first);
}

static void write_action(Writer *w, int index) {
    const OracleAction *a = &w->design->actions[index];
    switch (a->kind) {
    case ORACLE_SERIES:
        write_list(w, "series", a->first);
        return;
    case ORACLE_PARALLEL:
        write_list(w, "parallel", a->first);
        return;
    case ORACLE_REPEAT:
    case ORACLE_REPEAT_UNTIL:
        write_repeat(w, a);
        return;
    case ORACLE_TO:
    case ORACLE_BY:
    case ORACLE_TO_CUT:
    case ORACLE_SPIN:
    case ORACLE_FOLLOW:
        write_move(w, a);
        return;
    case ORACLE_TO_UNTIL:
        write_move(w, a);
        write_sensed_end(w, a);
        return;
    case ORACLE_WAIT_UNTIL:
        write_sensed_end(w, a);
        return;
    case ORACLE_WAIT:
        quantity(w->out, "wait ", a->value, "s");
        return;
    case ORACLE_CONNECT:
    case ORACLE_DISCONNECT:
        som_text_printf(w->out, "%s d%d timeout 1s",
                        a->kind == ORACLE_CONNECT ? "connect" : "disconnect", a->dock);
        return;
    case ORACLE_CHOOSE:
        write_choice(w, a);
        return;
    }
}

void oracle_write_behavior(SomText *out, const OracleDesign *design, const int *outcomes) {
    write_action(&(Writer){out, design, outcomes}, 0);
}
