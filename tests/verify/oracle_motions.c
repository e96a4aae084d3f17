// SPDX-License-Identifier: Apache-2.0
// Random behaviors.

#include "tests/verify/oracle_generator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_SENSORS 3
#define MOST_BRANCHES 4

int oracle_add(OracleDesign *d, int parent, OracleAction action) {
    if (d->action_count == ORACLE_ACTIONS) {
        return d->action_count - 1;
    }
    int index = d->action_count++;
    action.first = action.next = -1;
    d->actions[index] = action;
    if (parent >= 0) {
        int *link = &d->actions[parent].first;
        while (*link >= 0) {
            link = &d->actions[*link].next;
        }
        *link = index;
    }
    return index;
}

static bool is_asked(const OracleDesign *d, const char *condition) {
    bool is_found = false;
    for (int i = 0; i < d->action_count; i++) {
        is_found |= strcmp(d->actions[i].condition, condition) == 0;
    }
    return is_found;
}

static void random_condition(const OracleDesign *d, SomTestRandom *random, OracleAction *action) {
    int part = som_test_int(random, 0, d->part_count - 1);
    const OracleType *type = oracle_type(d, part);
    char *out = action->condition;
    size_t size = sizeof action->condition;
    switch (som_test_int(random, 0, 4)) {
    case 0:
        snprintf(out, size, "contact(p%d.l%d)", part,
                 som_test_int(random, 0, type->link_count - 1));
        return;
    case 1:
        snprintf(out, size, "input(sonar%d) > 0.5", action->sensor);
        return;
    case 2:
        snprintf(out, size, "bodyTilt > 5deg");
        return;
    case 3:
        snprintf(out, size, "height < -1mm");
        return;
    default:
        for (int i = 0; i < type->joint_count; i++) {
            if (type->joints[i].type == ORACLE_TURN) {
                snprintf(out, size, "effort(p%d.j%d) > 1Nm", part, i);
                return;
            }
        }
        snprintf(out, size, "input(force) < -0.5");
    }
}

// Of sensors of their own: one that is asked twice in a tick cannot answer in two ways.
void oracle_ask_sensor(OracleDesign *d, SomTestRandom *random, OracleAction *action) {
    action->sensor = d->sensor_count++;
    random_condition(d, random, action);
    if (is_asked(d, action->condition)) {
        snprintf(action->condition, sizeof action->condition, "input(sonar%d) > 0.5",
                 action->sensor);
    }
}

// ---- one joint

typedef struct Branch {
    OracleDesign *design;
    SomTestRandom *random;
    OracleStyle style;
    int part, joint;
    double now; // set-point
} Branch;

static double random_target(Branch *b) {
    const OracleJoint *j = &oracle_type(b->design, b->part)->joints[b->joint];
    double inset = 0.1 * (j->high - j->low);
    return som_test_uniform(b->random, j->low + inset, j->high - inset);
}

static OracleAction random_move(Branch *b, int times) {
    const OracleJoint *j = &oracle_type(b->design, b->part)->joints[b->joint];
    OracleAction action = {.kind = ORACLE_TO, .part = b->part, .joint = b->joint};
    action.is_alias = j->alias_sign != 0 && !oracle_type(b->design, b->part)->is_urdf;
    double target = random_target(b);
    if (som_test_int(b->random, 0, 2) == 0) {
        action.speed = j->speed * som_test_uniform(b->random, 0.4, 0.9);
    }
    if (times == 1 && som_test_int(b->random, 0, 2) > 0) {
        action.value = b->now = target;
        return action;
    }
    action.kind = ORACLE_BY;
    action.value = b->style.is_careful
                       ? (target - b->now) / times
                       : 0.6 * som_test_uniform(b->random, -1, 1) * (j->high - j->low);
    b->now += times * action.value;
    return action;
}

// A move that is neither `to` nor `by`.
static OracleAction other_move(Branch *b) {
    const OracleJoint *j = &oracle_type(b->design, b->part)->joints[b->joint];
    double before = b->now;
    OracleAction action = random_move(b, 1);
    action.kind = (OracleActionKind)som_test_int(b->random, ORACLE_TO_CUT, ORACLE_FOLLOW);
    action.value = random_target(b);
    action.timeout = som_test_uniform(b->random, 0.1, 0.5);
    if (action.kind == ORACLE_SPIN) {
        action.value = 0.5 * j->speed * som_test_uniform(b->random, -1, 1);
    } else if (action.kind == ORACLE_FOLLOW) {
        double way = fmax(fabs(action.value - before), fabs(action.value / 2));
        action.timeout = 2.4 * way / j->speed + 0.05;
        b->now = action.value / 2;
    }
    return action;
}

static bool may_ask(const Branch *b) {
    return b->style.has_sensors && b->design->sensor_count < MOST_SENSORS;
}

static void add_choice(Branch *b, int parent) {
    OracleAction choice = {.kind = ORACLE_CHOOSE};
    oracle_ask_sensor(b->design, b->random, &choice);
    int at = oracle_add(b->design, parent, choice);
    double before = b->now;
    oracle_add(b->design, at, random_move(b, 1));
    if (som_test_int(b->random, 0, 1) == 0) {
        double after = b->now;
        b->now = before;
        oracle_add(b->design, at, random_move(b, 1));
        b->now = after;
    }
}

static void add_step(Branch *b, int parent) {
    int which = som_test_int(b->random, 0, 9);
    if (which == 0) {
        oracle_add(
            b->design, parent,
            (OracleAction){.kind = ORACLE_WAIT, .value = som_test_int(b->random, 1, 4) * 0.1});
    } else if (which <= 2 && b->style.has_repeats) {
        int times = som_test_int(b->random, 2, 4);
        int at =
            oracle_add(b->design, parent, (OracleAction){.kind = ORACLE_REPEAT, .count = times});
        oracle_add(b->design, at, random_move(b, times));
    } else if (which <= 6 && may_ask(b)) {
        add_choice(b, parent);
    } else if (which == 7 && may_ask(b)) {
        OracleAction move = random_move(b, 1);
        if (move.kind == ORACLE_TO) {
            move.kind = ORACLE_TO_UNTIL;
            move.timeout = 0.8;
            oracle_ask_sensor(b->design, b->random, &move);
        }
        oracle_add(b->design, parent, move);
    } else if (which == 8 && may_ask(b)) {
        OracleAction wait = {.kind = ORACLE_WAIT_UNTIL, .timeout = 0.5};
        oracle_ask_sensor(b->design, b->random, &wait);
        oracle_add(b->design, parent, wait);
    } else {
        bool is_usual = som_test_int(b->random, 0, 3) > 0;
        oracle_add(b->design, parent, is_usual ? random_move(b, 1) : other_move(b));
    }
}

// ---- several of them

static int collect_joints(const OracleDesign *d, int (*joints)[2]) {
    int count = 0;
    for (int i = 0; i < d->part_count; i++) {
        const OracleType *type = oracle_type(d, i);
        for (int k = 0; k < type->joint_count; k++) {
            if (type->joints[k].type != ORACLE_FIXED) {
                joints[count][0] = i;
                joints[count++][1] = k;
            }
        }
    }
    return count;
}

void oracle_add_motion(OracleDesign *d, SomTestRandom *random, OracleStyle style, int parent) {
    int joints[ORACLE_ALL_JOINTS][2];
    int count = collect_joints(d, joints);
    if (count == 0) {
        return;
    }
    int list = oracle_add(d, parent, (OracleAction){.kind = ORACLE_PARALLEL});
    int branches = som_test_int(random, 1, count < MOST_BRANCHES ? count : MOST_BRANCHES);
    for (int i = 0; i < branches; i++) {
        int pick = som_test_int(random, i, count - 1);
        int part = joints[pick][0], joint = joints[pick][1];
        joints[pick][0] = joints[i][0];
        joints[pick][1] = joints[i][1];
        Branch b = {d, random, style, part, joint, d->start[part][joint]};
        int series = oracle_add(d, list, (OracleAction){.kind = ORACLE_SERIES});
        for (int steps = som_test_int(random, 1, 3); steps > 0; steps--) {
            add_step(&b, series);
        }
    }
}
