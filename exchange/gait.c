// SPDX-License-Identifier: Apache-2.0
// A gait → a behavior of its robot.
//
// A joint that is sent where it was sent before, and has arrived, is not written again. What a
// joint with an i was sent to by a command that ended by its time may not be reached yet: a command
// without a time waits for it, so it is written. Where the lab's schedule has a millisecond between
// commands, there is a wait.

#include "exchange/gait.h"

#include "base/codes/exchange_codes.h"
#include "base/path.h"
#include "exchange/lab_model.h"

#include <math.h>

#define MOST_DEPTH 120       // lists in lists
#define DEFAULT_TIMEOUT 5000 // milliseconds, of the module type

// What is written of a command.
typedef struct Said {
    char modes[4]; // p, s or i
    double values[4];
} Said;

typedef struct Writer {
    const SomGait *gait;
    const SomImportRobot *robot;
    const SomSpForm *form;
    Said *said; // by command
    int *waits; // by node of the form: milliseconds before it
    SomText *out;
} Writer;

// ---- joints

typedef struct JointState {
    double sent; // not a number: never
    bool is_there;
} JointState;

static void say(const SomGaitCommand *command, JointState joints[4], Said *said) {
    bool is_timed = command->milliseconds >= 0;
    for (int i = 0; i < 4; i++) {
        JointState *joint = &joints[i];
        char mode = command->modes[i];
        bool is_same = mode == 'i' || (mode == 'p' && joint->sent == command->values[i]);
        bool may_skip = is_same && (is_timed || joint->is_there || isnan(joint->sent));
        said->modes[i] = may_skip ? 'i' : mode == 's' ? 's' : 'p';
        said->values[i] = mode == 'i' ? joint->sent : command->values[i];
        if (mode == 's') {
            *joint = (JointState){(double)NAN, true};
        } else if (mode == 'p') {
            joint->is_there = joint->is_there && is_same;
            joint->sent = command->values[i];
        }
        joint->is_there = joint->is_there || !is_timed;
    }
}

static void say_all(const SomGait *gait, Said *said) {
    JointState *joints = som_alloc((size_t)(4 * gait->queues.count + 1) * sizeof *joints);
    for (int i = 0; i < 4 * gait->queues.count; i++) {
        joints[i] = (JointState){(double)NAN, true};
    }
    for (int i = 0; i < gait->commands.count; i++) {
        const SomGaitCommand *command = &gait->commands.data[i];
        say(command, &joints[4 * command->queue], &said[i]);
    }
    som_free(joints);
}

// ---- waits

// Milliseconds that each command starts after it could; those that all branches have in common
// stand before them.
static void find_waits(const SomGait *gait, const SomSpForm *form, int *waits) {
    int count = form->nodes.count;
    int *ready = som_alloc((size_t)count * sizeof *ready);
    int *end = som_alloc((size_t)count * sizeof *end); // of what is below
    for (int i = count - 1; i >= 0; i--) {
        const SomSpNode *node = &form->nodes.data[i];
        if (node->kind == SOM_NODE_ACTION) {
            end[i] = gait->commands.data[node->action].end;
        }
        if (node->parent >= 0 && end[i] > end[node->parent]) {
            end[node->parent] = end[i];
        }
    }
    for (int i = 0; i < count; i++) {
        const SomSpNode *node = &form->nodes.data[i];
        int next = ready[i];
        for (int child = i + 1; node->kind != SOM_NODE_ACTION && child < node->end;
             child = form->nodes.data[child].end) {
            ready[child] = next;
            next = node->kind == SOM_NODE_SERIES ? end[child] : next;
        }
        if (node->kind == SOM_NODE_ACTION) {
            int start = gait->commands.data[node->action].start;
            waits[i] = start > ready[i] ? start - ready[i] : 0;
        }
    }
    for (int i = count - 1; i >= 0; i--) {
        const SomSpNode *node = &form->nodes.data[i];
        if (node->kind == SOM_NODE_ACTION) {
            continue;
        }
        int least = waits[i + 1];
        for (int child = i + 1; node->kind == SOM_NODE_PARALLEL && child < node->end;
             child = form->nodes.data[child].end) {
            least = waits[child] < least ? waits[child] : least;
        }
        waits[i] = least;
        for (int child = i + 1; child < node->end; child = form->nodes.data[child].end) {
            waits[child] -= child == i + 1 || node->kind == SOM_NODE_PARALLEL ? least : 0;
        }
    }
    som_free(ready);
    som_free(end);
}

// ---- text

static void write_wait(SomText *out, int milliseconds) {
    som_text_add(out, SOM_STR("wait "));
    som_write_milliseconds(out, milliseconds);
}

static void write_joint(const Writer *w, const SomGaitCommand *command, const Said *said, int i) {
    SomWrittenPlace place =
        w->robot->modules.data[w->gait->queues.data[command->queue].module].place;
    place.names[place.count++] = som_str(som_lab_joints[i]);
    som_write_place(w->out, &place);
    bool is_spin = said->modes[i] == 's';
    som_text_add(w->out, is_spin ? SOM_STR(" spin ") : SOM_STR(" to "));
    if (is_spin) {
        som_write_angular_speed(w->out, said->values[i]);
    } else {
        som_write_angle(w->out, said->values[i]);
    }
    int lasts = command->end - command->start;
    if (command->milliseconds >= 0) {
        som_text_add(w->out, SOM_STR(" during "));
        som_write_milliseconds(w->out, command->milliseconds + 1);
    } else if (2 * lasts > DEFAULT_TIMEOUT) {
        som_text_add(w->out, SOM_STR(" timeout "));
        som_write_milliseconds(w->out, (2 * lasts + 999) / 1000 * 1000.0); // whole seconds
    }
}

static void write_remark(const Writer *w, const SomGaitCommand *command) {
    SomText comment = {0};
    som_text_add(&comment, command->text);
    if (command->remark.length > 0) {
        som_text_printf(&comment, " ; %.*s", SOM_STR_ARG(command->remark));
    }
    som_text_add(w->out, SOM_STR("\n"));
    som_write_comment(w->out, som_text_str(&comment));
    som_text_free(&comment);
}

static void write_command(const Writer *w, int index) {
    const SomGaitCommand *command = &w->gait->commands.data[index];
    const Said *said = &w->said[index];
    int count = 0;
    for (int i = 0; i < 4; i++) {
        count += said->modes[i] != 'i';
    }
    write_remark(w, command);
    if (count == 0) {
        write_wait(w->out, command->milliseconds >= 0 ? command->milliseconds + 1 : 1);
        return;
    }
    som_text_add(w->out, count > 1 ? SOM_STR("parallel(") : SOM_STR(""));
    for (int i = 0, written = 0; i < 4; i++) {
        if (said->modes[i] != 'i') {
            som_text_add(w->out, written++ > 0 ? SOM_STR(", ") : SOM_STR(""));
            write_joint(w, command, said, i);
        }
    }
    som_text_add(w->out, count > 1 ? SOM_STR(")") : SOM_STR(""));
}

static void write_node(const Writer *w, int index) {
    const SomSpNode *node = &w->form->nodes.data[index];
    int parent = node->parent;
    bool in_series = parent >= 0 && w->form->nodes.data[parent].kind == SOM_NODE_SERIES;
    bool is_series = node->kind == SOM_NODE_SERIES;
    bool wraps = w->waits[index] > 0 && !in_series && !is_series;
    if (wraps || is_series) {
        som_text_add(w->out, SOM_STR("series("));
    }
    if (w->waits[index] > 0) {
        write_wait(w->out, w->waits[index]);
        som_text_add(w->out, SOM_STR(", "));
    }
    if (node->kind == SOM_NODE_ACTION) {
        write_command(w, node->action);
    } else {
        som_text_add(w->out, is_series ? SOM_STR("") : SOM_STR("parallel("));
        for (int child = index + 1; child < node->end; child = w->form->nodes.data[child].end) {
            som_text_add(w->out, child > index + 1 ? SOM_STR(", ") : SOM_STR(""));
            write_node(w, child);
        }
        som_text_add(w->out, is_series ? SOM_STR("") : SOM_STR(")"));
    }
    if (wraps || is_series) {
        som_text_add(w->out, SOM_STR(")"));
    }
}

static int depth_of(const SomSpForm *form) {
    int most = 0;
    int *depth = som_alloc((size_t)form->nodes.count * sizeof *depth);
    for (int i = 0; i < form->nodes.count; i++) {
        int parent = form->nodes.data[i].parent;
        depth[i] = parent >= 0 ? depth[parent] + 1 : 1;
        most = depth[i] > most ? depth[i] : most;
    }
    som_free(depth);
    return most;
}

static SomStr write_behavior(SomImporter *importer, SomImportRobot *robot,
                             const SomImportFile *file, const SomGait *gait,
                             const SomSpForm *form) {
    Writer w = {.gait = gait, .robot = robot, .form = form};
    w.said = som_alloc((size_t)gait->commands.count * sizeof *w.said);
    w.waits = som_alloc((size_t)form->nodes.count * sizeof *w.waits);
    say_all(gait, w.said);
    find_waits(gait, form, w.waits);
    SomText comment = {0};
    SomStr name;
    som_text_printf(&comment, "Imported from %.*s.", SOM_STR_ARG(som_path_name(file->path)));
    w.out = som_import_robot_behavior(importer, robot, som_path_stem(file->path),
                                      som_text_str(&comment), &name);
    if (form->nodes.data[0].kind == SOM_NODE_ACTION) { // a list, so that a remark has a place
        som_text_add(w.out, SOM_STR("series("));
        write_node(&w, 0);
        som_text_add(w.out, SOM_STR(")"));
    } else {
        write_node(&w, 0);
    }
    som_text_add(w.out, SOM_STR("\n"));
    som_text_free(&comment);
    som_free(w.said);
    som_free(w.waits);
    return name;
}

// ---- files

static bool find_modules(SomImporter *importer, const SomImportRobot *robot, SomGait *gait) {
    bool fine = true;
    for (int i = 0; i < gait->queues.count; i++) {
        SomGaitQueue *queue = &gait->queues.data[i];
        queue->module = som_import_robot_find(robot, queue->name);
        if (queue->module < 0) {
            som_import_robot_report(importer, robot, queue->name, queue->span);
            fine = false;
        }
    }
    return fine;
}

// Empty after a report.
static SomStr add_behavior(SomImporter *importer, SomImportRobot *robot, const SomImportFile *file,
                           SomGait *gait) {
    SomSpForm form = {0};
    SomStr name = {"", 0};
    if (find_modules(importer, robot, gait)) {
        som_gait_schedule(gait, robot);
        if (som_gait_order(gait, &form, importer->diags)) {
            if (depth_of(&form) > MOST_DEPTH) {
                som_report(importer->diags, SOM_GAIT_TOO_MUCH, gait->commands.data[0].span,
                           "series and parallel would be more than %d deep", MOST_DEPTH);
            } else {
                name = write_behavior(importer, robot, file, gait, &form);
            }
        }
    }
    som_sp_form_free(&form);
    return name;
}

SomStr som_gait_behavior(SomImporter *importer, SomImportRobot *robot, const SomImportFile *file) {
    for (int i = 0; i < robot->gaits.count; i++) {
        if (som_str_equal(robot->gaits.data[i], file->path)) {
            return robot->gait_names.data[i];
        }
    }
    SomGait gait = {0};
    SomStr name = {"", 0};
    if (som_gait_read(importer, file, &gait)) {
        name = add_behavior(importer, robot, file, &gait);
    }
    som_array_push(&robot->gaits, file->path);
    som_array_push(&robot->gait_names, name);
    som_gait_free(&gait);
    return name;
}

bool som_import_gait(SomImporter *importer, const SomImportFile *file) {
    SomGait gait = {0};
    bool fine = som_gait_read(importer, file, &gait);
    SOM_ARRAY(SomStr) modules = {0};
    for (int i = 0; i < gait.queues.count; i++) {
        som_array_push(&modules, gait.queues.data[i].name);
    }
    SomImportRobot *robot = som_importer_robot_for(importer, file, modules.data, modules.count);
    if (robot == NULL) {
        som_report(importer->diags, SOM_GAIT_NO_ROBOT, (SomSpan){file->source1, 0, 0},
                   "there is no robot for this gait: give its configuration, too");
        fine = false;
    }
    fine = fine && add_behavior(importer, robot, file, &gait).length > 0;
    som_array_free(&modules);
    som_gait_free(&gait);
    return fine;
}
