// SPDX-License-Identifier: Apache-2.0
// The lab's rules, played: every millisecond each module's queue is looked at, in the order of
// their first commands, then all joints move. A command that was sent is looked at from the next
// millisecond on; the one behind it in the queue follows a millisecond after its end. A label that
// is achieved is seen at once by modules that are looked at later, else a millisecond later.

#include "exchange/gait.h"
#include "player/servo.h"

#include <math.h>

#define NEAR 0.08          // radian, of all four joints
#define MOST_TIME 600000   // milliseconds
#define MOST_WORK 20000000 // joints moved and queues looked at

typedef struct Joint {
    SomServo servo;
    SomSetPoint point;
} Joint;

typedef struct Module {
    Joint joints[4];
    int *commands;
    int count, at;
} Module;

typedef struct Play {
    SomGait *gait;
    Module *modules; // by queue
    int *finished;   // by label
    int time;
    int left; // commands that have not ended
    int running;
    bool has_news; // in this millisecond
    int64_t work;
} Play;

static void start(Module *module, SomGaitCommand *command, int time) {
    command->start = time;
    for (int i = 0; i < 4; i++) {
        SomSetPoint *point = &module->joints[i].point;
        if (command->modes[i] == 'p') {
            *point = (SomSetPoint){.kind = SOM_SET_POSITION, .value = command->values[i]};
        } else if (command->modes[i] == 's') {
            *point = (SomSetPoint){.kind = SOM_SET_VELOCITY, .value = command->values[i]};
        }
    }
}

static bool has_ended(const Module *module, const SomGaitCommand *command, int time) {
    if (command->milliseconds >= 0) {
        return time - command->start > command->milliseconds;
    }
    for (int i = 0; i < 4; i++) {
        const Joint *joint = &module->joints[i];
        if (joint->point.kind == SOM_SET_POSITION &&
            !(fabs(joint->servo.position - joint->point.value) < NEAR)) {
            return false;
        }
    }
    return true;
}

static void look_at(Play *p, Module *module) {
    if (module->at == module->count) {
        return;
    }
    SomGaitCommand *command = &p->gait->commands.data[module->commands[module->at]];
    if (command->start < 0) {
        int after = command->after;
        bool may_start = after < 0 || p->finished[after] >= p->gait->labels.data[after].count;
        if (may_start) {
            start(module, command, p->time);
            p->running++;
            p->has_news = true;
        }
    } else if (has_ended(module, command, p->time)) {
        command->end = p->time;
        module->at++;
        p->left--;
        p->running--;
        p->has_news = true;
        if (command->label >= 0) {
            p->finished[command->label]++;
        }
        for (int i = 0; i < 4; i++) {
            if (command->modes[i] == 's') {
                module->joints[i].point.value = 0;
            }
        }
    }
}

static void move(Play *p, Module *module) {
    static const SomServoModel lab = {.kind = SOM_SERVO_LABORATORY};
    for (int i = 0; i < 4; i++) {
        Joint *joint = &module->joints[i];
        bool is_there =
            joint->point.kind == SOM_SET_POSITION && joint->servo.position == joint->point.value;
        if (joint->point.kind != SOM_SET_NOTHING && !is_there) {
            som_servo_step(&lab, &joint->servo, &joint->point, 0.001);
            p->work++;
        }
    }
}

void som_gait_schedule(SomGait *gait, const SomImportRobot *robot) {
    int queues = gait->queues.count;
    Play p = {.gait = gait, .left = gait->commands.count};
    p.modules = som_alloc((size_t)(queues + 1) * sizeof *p.modules);
    p.finished = som_alloc((size_t)(gait->labels.count + 1) * sizeof *p.finished);
    int *all = som_alloc((size_t)(gait->commands.count + 1) * sizeof *all);
    for (int i = 0, next = 0; i < queues; i++) {
        Module *module = &p.modules[i];
        module->commands = all + next;
        for (int k = 0; k < gait->commands.count; k++) {
            if (gait->commands.data[k].queue == i) {
                all[next++] = k;
                module->count++;
            }
        }
        for (int k = 0; k < 4; k++) {
            double at = robot->modules.data[gait->queues.data[i].module].joints[k];
            module->joints[k].servo = som_servo_at(at);
        }
    }
    for (; p.left > 0 && p.time < MOST_TIME && p.work < MOST_WORK; p.time++) {
        p.has_news = false;
        for (int i = 0; i < queues; i++) {
            look_at(&p, &p.modules[i]);
        }
        if (p.running == 0 && !p.has_news) {
            break; // they wait for each other
        }
        for (int i = 0; i < queues; i++) {
            move(&p, &p.modules[i]);
        }
        p.work += queues;
    }
    som_free(all);
    som_free(p.modules);
    som_free(p.finished);
}
