// SPDX-License-Identifier: Apache-2.0

#include "tests/verify/oracle_generator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846
#define GRAVITY 9.80665

typedef struct Making {
    OracleDesign *design;
    SomTestRandom random;
    double strength; // factor of the efforts
} Making;

static double uniform(Making *m, double low, double high) {
    return som_test_uniform(&m->random, low, high);
}

static int chance(Making *m, int of) {
    return som_test_int(&m->random, 1, of) == 1;
}

// ---- module types

OracleShape oracle_box(double x, double y, double z, double sx, double sy, double sz) {
    return (OracleShape){.kind = ORACLE_BOX, .place = {x, y, z}, .half = {sx / 2, sy / 2, sz / 2}};
}

static OracleType *add_type(Making *m) {
    return &m->design->types[m->design->type_count++];
}

static int add_link(OracleType *type, OracleShape shape, double mass) {
    OracleLink *link = &type->links[type->link_count];
    link->shapes[link->shape_count++] = shape;
    link->mass = mass;
    memcpy(link->com, shape.place, sizeof link->com);
    return type->link_count++;
}

static void random_axis(Making *m, double axis[3]) {
    static const double fixed[3][3] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}};
    if (!chance(m, 3)) {
        memcpy(axis, fixed[som_test_int(&m->random, 0, 2)], sizeof fixed[0]);
        return;
    }
    double length = 0;
    while (length < 0.1) {
        length = 0;
        for (int i = 0; i < 3; i++) {
            axis[i] = uniform(m, -1, 1);
            length += axis[i] * axis[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        axis[i] /= sqrt(length);
    }
}

static OracleJoint random_joint(Making *m, int parent, int child, const double origin[3]) {
    OracleJoint j = {.parent = parent, .child = child};
    memcpy(j.origin, origin, sizeof j.origin);
    random_axis(m, j.axis);
    if (chance(m, 5)) {
        j.type = ORACLE_SLIDE;
        j.low = uniform(m, -0.2, 0);
        j.high = uniform(m, 0.05, 0.2);
        j.effort = 400 * m->strength;
        j.speed = uniform(m, 0.1, 0.4);
    } else {
        j.low = uniform(m, -2, -0.5);
        j.high = uniform(m, 0.5, 2);
        j.effort = 100 * m->strength;
        j.speed = uniform(m, 1, 3);
    }
    if (chance(m, 3)) {
        j.alias_sign = chance(m, 2) ? 1 : -1;
        j.alias_zero = uniform(m, j.low, j.high);
    }
    return j;
}

// A bar from one point along a direction.
static OracleShape random_bar(Making *m, const double from[3], const double way[3], double length) {
    OracleShape s = {.kind = (OracleKind)som_test_int(&m->random, 0, 3),
                     .radius = uniform(m, 0.008, 0.025),
                     .half_length = length / 2};
    if (s.kind == ORACLE_BALL) {
        s.radius = length / 2;
    }
    for (int i = 0; i < 3; i++) {
        s.place[i] = from[i] + length / 2 * way[i];
    }
    s.place[4] = atan2(hypot(way[0], way[1]), way[2]);
    s.place[5] = atan2(way[1], way[0]);
    s.half[0] = s.radius;
    s.half[1] = uniform(m, 0.008, 0.025);
    s.half[2] = length / 2;
    s.half_length = s.kind == ORACLE_CAPSULE ? fmax(length / 2 - s.radius, 0.001) : s.half_length;
    return s;
}

static void random_way(Making *m, double way[3]) {
    double tilt = chance(m, 2) ? 0 : uniform(m, 0, 1.2), turn = uniform(m, -PI, PI);
    way[0] = sin(tilt) * cos(turn);
    way[1] = sin(tilt) * sin(turn);
    way[2] = cos(tilt);
}

// Links one after the other, on joints; a link may have a second shape.
static void add_arm(Making *m, OracleType *type, int parent, const double foot[3], int links) {
    double at[3] = {foot[0], foot[1], foot[2]};
    for (int i = 0; i < links && type->link_count < ORACLE_LINKS; i++) {
        double way[3], length = uniform(m, 0.06, 0.18);
        random_way(m, way);
        double from[3] = {at[0] + 0.01 * way[0], at[1] + 0.01 * way[1], at[2] + 0.01 * way[2]};
        int link = add_link(type, random_bar(m, from, way, length), uniform(m, 0.1, 0.6));
        if (chance(m, 4)) {
            double side[3] = {way[2], 0, -way[0]};
            OracleLink *l = &type->links[link];
            l->shapes[l->shape_count++] = random_bar(m, from, side, uniform(m, 0.03, 0.1));
        }
        type->joints[type->joint_count++] = random_joint(m, parent, link, at);
        if (chance(m, 12)) {
            type->joints[type->joint_count - 1].type = ORACLE_FIXED;
        }
        for (int k = 0; k < 3; k++) {
            at[k] += (length + 0.02) * way[k];
        }
        parent = link;
    }
}

static void add_face(OracleType *type, int link, bool is_male, const double place[6]) {
    OracleFace face = {.link = link, .is_male = is_male};
    memcpy(face.place, place, sizeof face.place);
    type->faces[type->face_count++] = face;
}

// A plate on the ground, the link 0 of its type.
static OracleType *add_plate(Making *m, double width, double mass) {
    OracleType *type = add_type(m);
    add_link(type, oracle_box(0, 0, 0.01, width, width, 0.02), mass);
    return type;
}

static int add_part(Making *m, int type) {
    m->design->parts[m->design->part_count] = type;
    return m->design->part_count++;
}

static int connect(Making *m, int a, int face_a, int b, int face_b) {
    OracleDesign *d = m->design;
    d->connections[d->connection_count] =
        (OracleConnection){.part_a = a, .face_a = face_a, .part_b = b, .face_b = face_b};
    return d->connection_count++;
}

static void random_start(Making *m) {
    OracleDesign *d = m->design;
    d->has_start = chance(m, 3);
    for (int i = 0; d->has_start && i < d->part_count; i++) {
        const OracleType *type = oracle_type(d, i);
        for (int k = 0; k < type->joint_count; k++) {
            const OracleJoint *j = &type->joints[k];
            d->start[i][k] = j->type == ORACLE_FIXED ? 0 : uniform(m, 0.6 * j->low, 0.6 * j->high);
        }
    }
}

static OracleStyle random_style(Making *m) {
    return (OracleStyle){
        .is_careful = !chance(m, 4), .has_sensors = chance(m, 3), .has_repeats = chance(m, 2)};
}

// ---- recipes

static void add_arms(Making *m, OracleType *type, double spread) {
    for (int arms = som_test_int(&m->random, 1, 4); arms > 0; arms--) {
        double foot[3] = {uniform(m, -spread, spread), uniform(m, -spread, spread), 0.03};
        add_arm(m, type, 0, foot, som_test_int(&m->random, 1, 3));
    }
}

static void one_module(Making *m) {
    OracleType *type = add_plate(m, 1.2, 80);
    add_arms(m, type, chance(m, 2) ? 0.08 : 0.3);
    type->is_urdf = chance(m, 3);
    for (int i = 0; type->is_urdf && i < type->link_count; i++) {
        for (int k = 0; k < type->links[i].shape_count; k++) {
            OracleKind *kind = &type->links[i].shapes[k].kind;
            *kind = *kind == ORACLE_CAPSULE ? ORACLE_CYLINDER : *kind;
        }
    }
    add_part(m, 0);
    random_start(m);
    oracle_add_motion(m->design, &m->random, random_style(m), 0);
}

static void narrow(Making *m) {
    m->strength = 3;
    OracleType *type = add_plate(m, uniform(m, 0.06, 0.25), uniform(m, 0.2, 2));
    add_arms(m, type, 0.04);
    add_part(m, 0);
    random_start(m);
    if (chance(m, 2)) {
        snprintf(m->design->settings, sizeof m->design->settings, "rocking = 0deg; rolling = 0deg");
        m->design->is_never_turned = true;
    }
    oracle_add_motion(m->design, &m->random, random_style(m), 0);
}

// A link with a female connector below, a joint, and a link with a male one above.
static void add_segment_type(Making *m) {
    OracleType *type = add_type(m);
    double low = uniform(m, 0.03, 0.08), high = uniform(m, 0.05, 0.12);
    double up[3] = {0, 0, 1}, zero[3] = {0, 0, 0}, from[3] = {0, 0, low + 0.02};
    double middle[3] = {0, 0, low + 0.01};
    add_link(type, random_bar(m, zero, up, low), uniform(m, 0.1, 0.4));
    add_link(type, random_bar(m, from, up, high), uniform(m, 0.1, 0.4));
    type->joints[type->joint_count++] = random_joint(m, 0, 1, middle);
    add_face(type, 0, false, (double[6]){0, 0, 0, 0, 0, uniform(m, -PI, PI)});
    add_face(type, 1, true, (double[6]){0, 0, low + high + 0.02, 0, 0, uniform(m, -PI, PI)});
    if (chance(m, 2)) {
        double foot[3] = {0.03, 0, low};
        add_arm(m, type, 0, foot, 1);
    }
    if (chance(m, 4)) { // a stud beside the connector, in the way of what it is docked to
        OracleLink *link = &type->links[0];
        double reach = chance(m, 2) ? -0.01 : uniform(m, 0.004, 0.018);
        link->shapes[link->shape_count++] =
            oracle_box(0.02, 0, (low - reach) / 2, 0.01, 0.01, low + reach);
    }
}

static void modules_on_plate(Making *m, int chains) {
    OracleType *plate = add_plate(m, 1.2, 80);
    for (int i = 0; i < chains; i++) {
        double place[6] = {uniform(m, -0.2, 0.2), uniform(m, -0.2, 0.2), 0.02, 0, 0,
                           uniform(m, -PI, PI)};
        add_face(plate, 0, true, place);
    }
    add_segment_type(m);
    add_part(m, 0);
    for (int i = 0; i < chains; i++) {
        int before = 0, face = i;
        for (int length = som_test_int(&m->random, 1, 3); length > 0; length--) {
            int part = add_part(m, 1);
            connect(m, before, face, part, 0);
            before = part;
            face = 1;
        }
    }
    random_start(m);
}

static void chains(Making *m) {
    modules_on_plate(m, som_test_int(&m->random, 1, 2));
    oracle_add_motion(m->design, &m->random, random_style(m), 0);
}

// A chain lets go of what it carries, somewhere in the air.
static void letting_go(Making *m) {
    modules_on_plate(m, som_test_int(&m->random, 1, 2));
    OracleDesign *d = m->design;
    int dock = som_test_int(&m->random, 0, d->connection_count - 1);
    d->connections[dock].is_dock = d->connections[dock].is_closed = true;
    oracle_add_motion(d, &m->random, random_style(m), 0);
    int parent = 0;
    if (chance(m, 3)) {
        OracleAction choice = {.kind = ORACLE_CHOOSE};
        oracle_ask_sensor(d, &m->random, &choice);
        parent = oracle_add(d, 0, choice);
        oracle_add(d, parent, (OracleAction){.kind = ORACLE_WAIT, .value = 0.1});
    }
    oracle_add(d, parent, (OracleAction){.kind = ORACLE_DISCONNECT, .dock = dock});
    if (chance(m, 2)) {
        oracle_add(d, 0, (OracleAction){.kind = ORACLE_WAIT, .value = 0.3});
    }
}

// A block beside the plate, on the ground too, that is let go.
static void setting_down(Making *m) {
    OracleType *plate = add_plate(m, 0.8, 60);
    add_arms(m, plate, 0.2);
    plate->links[0].shapes[plate->links[0].shape_count++] =
        oracle_box(0.37, 0, 0.06, 0.06, 0.1, 0.08);
    add_face(plate, 0, true, (double[6]){0.4, 0, 0.06, 0, PI / 2, 0});
    OracleType *block = add_type(m);
    double lift = chance(m, 2) ? 0 : uniform(m, 0.015, 0.05), height = uniform(m, 0.08, 0.3);
    double reach = uniform(m, 0.03, 0.2);
    add_link(block, oracle_box(0.02, 0, lift - 0.06 + 0.03, 0.04, 0.06, 0.06), 0.3);
    OracleLink *link = &block->links[0];
    link->shapes[link->shape_count++] = oracle_box(reach / 2, 0, height - 0.06, reach, 0.05, 0.03);
    link->shapes[link->shape_count++] = oracle_box(0.02, 0, height / 2, 0.03, 0.03, height);
    link->com[0] = uniform(m, 0.01, reach);
    link->com[2] = 0.05;
    add_face(block, 0, false, (double[6]){0, 0, 0, 0, PI / 2, 0});
    add_part(m, 0);
    add_part(m, 1);
    int dock = connect(m, 0, 0, 1, 0);
    m->design->connections[dock].is_dock = m->design->connections[dock].is_closed = true;
    oracle_add(m->design, 0, (OracleAction){.kind = ORACLE_DISCONNECT, .dock = dock});
    oracle_add_motion(m->design, &m->random, random_style(m), 0);
}

#define HANDOVER 0.25 // metres from the start of the slide to the block

// A slide takes a block from a post: whether it gets hold of it, and what happens then, depends.
static void add_handover_parts(Making *m) {
    OracleType *plate = add_plate(m, 0.8, 60);
    plate->links[0].shapes[plate->links[0].shape_count++] =
        oracle_box(0.23, 0, 0.12, 0.06, 0.05, 0.2);
    add_face(plate, 0, true, (double[6]){0.2, 0, 0.2, 0, -PI / 2, 0});
    int carriage = add_link(plate, oracle_box(-0.22, 0, 0.2, 0.06, 0.06, 0.05), 1);
    int hand = add_link(plate, oracle_box(-0.165, 0, 0.2, 0.03, 0.04, 0.04), 0.3);
    plate->joints[plate->joint_count++] = (OracleJoint){.type = ORACLE_SLIDE,
                                                        .child = carriage,
                                                        .origin = {-0.2, 0, 0.2},
                                                        .axis = {1, 0, 0},
                                                        .low = -0.2,
                                                        .high = 0.4,
                                                        .effort = 500,
                                                        .speed = 0.4};
    OracleJoint wrist = {.child = hand,
                         .parent = carriage,
                         .origin = {-0.185, 0, 0.2},
                         .axis = {1, 0, 0},
                         .low = -2,
                         .high = 2,
                         .effort = 100,
                         .speed = 2};
    if (chance(m, 2)) {
        wrist.axis[0] = 0;
        wrist.axis[som_test_int(&m->random, 1, 2)] = 1;
    }
    plate->joints[plate->joint_count++] = wrist;
    add_face(plate, hand, true, (double[6]){-0.15, 0, 0.2, 0, PI / 2, 0});
    OracleType *block = add_type(m);
    add_link(block, oracle_box(0, 0, 0, 0.1, 0.05, 0.05), 0.5);
    if (chance(m, 2)) {
        block->links[0].shapes[block->links[0].shape_count++] =
            oracle_box(0, 0, -0.06, 0.02, 0.02, uniform(m, 0.05, 0.2));
    }
    add_face(block, 0, false, (double[6]){0.05, 0, 0, 0, -PI / 2, 0});
    add_face(block, 0, false, (double[6]){-0.05, 0, 0, 0, PI / 2, 0});
    add_part(m, 0);
    add_part(m, 1);
    OracleConnection *post = &m->design->connections[connect(m, 0, 0, 1, 0)];
    post->is_dock = post->is_closed = true;
    m->design->connections[connect(m, 0, 1, 1, 1)].is_dock = true;
}

static void handover(Making *m) {
    add_handover_parts(m);
    OracleDesign *d = m->design;
    OracleAction slide = {.kind = ORACLE_TO, .value = HANDOVER};
    static const double misses[] = {0, 0, 0, 0, -0.003, -0.02, 0.004};
    slide.value += misses[som_test_int(&m->random, 0, 6)];
    if (chance(m, 4)) {
        oracle_add(d, 0, (OracleAction){.kind = ORACLE_TO, .joint = 1, .value = uniform(m, -1, 1)});
    }
    oracle_add(d, 0, slide);
    oracle_add(d, 0, (OracleAction){.kind = ORACLE_CONNECT, .dock = 1});
    if (chance(m, 4)) {
        oracle_add(d, 0, (OracleAction){.kind = ORACLE_BY, .value = uniform(m, -0.05, 0.05)});
    }
    if (!chance(m, 6)) {
        oracle_add(d, 0, (OracleAction){.kind = ORACLE_DISCONNECT, .dock = 0});
    }
    oracle_add(d, 0, (OracleAction){.kind = ORACLE_BY, .value = uniform(m, -0.25, -0.02)});
    if (chance(m, 2)) {
        double turn = uniform(m, -1.5, 1.5);
        oracle_add(d, 0, (OracleAction){.kind = ORACLE_TO, .joint = 1, .value = turn});
    }
    if (chance(m, 3)) {
        oracle_add(d, 0, (OracleAction){.kind = ORACLE_BY, .value = uniform(m, 0, 0.3)});
    }
    if (chance(m, 4)) {
        oracle_add(d, 0, (OracleAction){.kind = ORACLE_DISCONNECT, .dock = 1});
    }
}

// An arm straight out from a column, at the limit of its motor or of its connector.
static void cantilever(Making *m) {
    OracleType *plate = add_plate(m, 1.2, 80);
    OracleLink *base = &plate->links[0];
    base->shapes[base->shape_count++] = oracle_box(0, 0, 0.2, 0.06, 0.06, 0.36);
    add_face(plate, 0, true, (double[6]){0.03, 0, 0.3, 0, PI / 2, 0});
    OracleType *arm = add_type(m);
    double reach = uniform(m, 0.1, 0.25), mass = uniform(m, 0.5, 3);
    add_link(arm, oracle_box(0.02, 0, 0, 0.04, 0.04, 0.04), 0.2);
    add_link(arm, oracle_box(0.06 + reach, 0, 0, 2 * reach, 0.03, 0.03), mass);
    double torque = mass * GRAVITY * (reach + 0.01), moment = torque + mass * GRAVITY * 0.05;
    bool is_motor = chance(m, 2);
    arm->joints[arm->joint_count++] =
        (OracleJoint){.child = 1,
                      .origin = {0.05, 0, 0},
                      .axis = {0, 1, 0},
                      .low = -1.5,
                      .high = 1.5,
                      .effort = torque * (is_motor ? uniform(m, 0.4, 1.6) : 5),
                      .speed = 1.5};
    add_face(arm, 0, false, (double[6]){0, 0, 0, 0, PI / 2, 0});
    plate->faces[0].bending = is_motor ? 0 : moment * uniform(m, 0.4, 1.6);
    arm->faces[0].bending = plate->faces[0].bending;
    add_part(m, 0);
    add_part(m, 1);
    connect(m, 0, 0, 1, 0);
    OracleAction move = {.kind = ORACLE_TO, .part = 1, .value = uniform(m, -0.5, 0.3)};
    if (chance(m, 2)) {
        move = (OracleAction){.kind = ORACLE_WAIT, .value = 0.2};
    }
    oracle_add(m->design, 0, move);
}

// Arms that go to and fro for ever, each at its own pace: who meets whom depends on how long one
// looks.
static void endless(Making *m) {
    OracleDesign *d = m->design;
    OracleType *plate = add_plate(m, 1.2, 80);
    double x = uniform(m, 0.04, 0.12);
    for (int arm = -1; arm <= 1; arm += 2) {
        double foot[3] = {arm * x, uniform(m, -0.03, 0.03), 0.03};
        add_arm(m, plate, 0, foot, 1);
    }
    add_part(m, 0);
    random_start(m);
    d->most_time = uniform(m, 0.5, 2.5);
    snprintf(d->settings, sizeof d->settings, "mostTime = %dms", (int)(1e3 * d->most_time));
    int list = oracle_add(d, 0, (OracleAction){.kind = ORACLE_PARALLEL});
    for (int joint = 0; joint < plate->joint_count; joint++) {
        const OracleJoint *j = &plate->joints[joint];
        if (j->type == ORACLE_FIXED) {
            continue;
        }
        int loop = oracle_add(d, list, (OracleAction){.kind = ORACLE_REPEAT});
        double range = j->high - j->low, low = j->low + range * uniform(m, 0.1, 0.4);
        double way = range * uniform(m, 0.2, 0.5);
        oracle_add(d, loop, (OracleAction){.kind = ORACLE_TO, .joint = joint, .value = low});
        oracle_add(d, loop, (OracleAction){.kind = ORACLE_BY, .joint = joint, .value = way});
        if (chance(m, 4)) { // comes back to another place each time
            oracle_add(d, loop, (OracleAction){.kind = ORACLE_WAIT, .value = 0.2});
            d->actions[d->actions[loop].first].kind = ORACLE_BY;
            d->actions[d->actions[loop].first].value = -way * uniform(m, 0.9, 1.1);
        }
        oracle_add(d, loop, (OracleAction){.kind = ORACLE_WAIT, .value = uniform(m, 0.15, 0.4)});
    }
}

static const struct {
    const char *name;
    void (*make)(Making *m);
} recipes[] = {
    {"robot of one module", one_module},
    {"chains of modules", chains},
    {"robot on a narrow foot", narrow},
    {"dock that lets go in the air", letting_go},
    {"robot of one module", one_module},
    {"block taken from a post", handover},
    {"block let go on the ground", setting_down},
    {"arm straight out", cantilever},
    {"arms that never stop", endless},
};
#define RECIPES (int)(sizeof recipes / sizeof *recipes)

void oracle_generate(int number, OracleDesign *design) {
    memset(design, 0, sizeof *design);
    Making m = {design, {(uint64_t)number * 7919 + 5}, 1};
    design->recipe = recipes[number % RECIPES].name;
    oracle_add(design, -1, (OracleAction){.kind = ORACLE_SERIES});
    recipes[number % RECIPES].make(&m);
    if (design->most_time == 0 && chance(&m, 12)) { // a part of it lies beyond what is looked at
        oracle_add_motion(design, &m.random, random_style(&m), 0);
        design->most_time = 0.4;
        snprintf(design->settings, sizeof design->settings, "mostTime = 0.4s");
        design->is_never_turned = false;
    }
}
