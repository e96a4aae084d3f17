// SPDX-License-Identifier: Apache-2.0
// Behaviors of VSPARC → behaviors of their robot.
//
// A state commands all joints at once and lasts its period, arrived or not. VSPARC moves a joint to
// a position by critical damping with a smooth time of 1 s, however long the period is, so all of
// them go straight together; a move at half its way a second, which arrives after 2 s, is never
// farther from that than a tenth of the way. Wheels go the shorter way round. A joint that runs at
// a velocity does so for its own period and stops. From the second state on, a joint that is where
// it is sent is not written.

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "base/path.h"
#include "exchange/vsparc.h"
#include "space/trigonometry.h"

#include <math.h>

#define DEGREE (SOM_PI / 180)
#define ARRIVED (0.05 * DEGREE)
#define ARRIVAL_SECONDS 2

// What stands for a value that the lab's programs fill in.
typedef struct Parameter {
    SomStr name; // in the file
    bool is_velocity;
    SomStr written;
    double value; // its default
} Parameter;

// A joint as the behavior goes on, in VSPARC's sense.
typedef struct Joint {
    double value;
    bool is_known;     // the value
    bool is_commanded; // by a state before
    bool is_sent;      // still on its way somewhere
} Joint;

typedef struct Writer {
    SomImporter *importer;
    const SomImportRobot *robot;
    const SomVsparc *vsparc;
    SOM_ARRAY(Parameter) parameters;
    Joint (*joints)[4]; // by module of the robot
    int defaults;       // that differ
    SomSpan default_span;
    SomStr default_name;
    int cuts; // periods
    SomSpan cut_span;
    SomText out;
} Writer;

// ---- parameters

static bool is_taken(const Writer *w, SomStr name) {
    for (int i = 0; i < w->parameters.count; i++) {
        if (som_str_equal(w->parameters.data[i].written, name)) {
            return true;
        }
    }
    return som_import_robot_find(w->robot, name) >= 0;
}

static double default_of(const SomVsparcCommand *command) {
    return command->is_negated ? -command->value : command->value;
}

static void note_default(Writer *w, const SomVsparcCommand *command) {
    if (w->defaults++ == 0) {
        w->default_span = command->span;
        w->default_name = command->parameter;
    }
}

static void add_parameter(Writer *w, const SomVsparcCommand *command) {
    Parameter added = {.name = command->parameter,
                       .is_velocity = command->is_velocity,
                       .value = default_of(command)};
    SomText name = {0};
    som_text_add(&name, command->parameter);
    for (int number = 2; is_taken(w, som_text_str(&name)); number++) {
        som_text_clear(&name);
        som_text_printf(&name, "%.*s_%d", SOM_STR_ARG(command->parameter), number);
    }
    added.written = som_arena_copy(&w->importer->arena, som_text_str(&name));
    som_text_free(&name);
    som_array_push(&w->parameters, added);
}

static const Parameter *find_parameter(Writer *w, const SomVsparcCommand *command) {
    bool is_other_kind = false;
    for (int i = 0; i < w->parameters.count; i++) {
        const Parameter *p = &w->parameters.data[i];
        bool is_same = som_str_equal(p->name, command->parameter);
        if (is_same && p->is_velocity == command->is_velocity) {
            if (p->value != default_of(command)) {
                note_default(w, command);
            }
            return p;
        }
        is_other_kind = is_other_kind || is_same;
    }
    if (is_other_kind) {
        note_default(w, command);
    }
    add_parameter(w, command);
    return &w->parameters.data[w->parameters.count - 1];
}

static void write_value(Writer *w, const SomVsparcCommand *command, double value) {
    if (command->parameter.length > 0) {
        som_text_add(&w->out, command->is_negated ? SOM_STR("-") : SOM_STR(""));
        som_write_name(&w->out, find_parameter(w, command)->written);
    } else if (command->is_velocity) {
        som_write_angular_speed(&w->out, value);
    } else {
        som_write_angle(&w->out, value);
    }
}

static void list_parameters(const Writer *w, SomText *out) {
    for (int i = 0; i < w->parameters.count; i++) {
        const Parameter *p = &w->parameters.data[i];
        som_text_add(out, i > 0 ? SOM_STR(", ") : SOM_STR(""));
        som_write_name(out, p->written);
        som_text_add(out, p->is_velocity ? SOM_STR(": angularSpeed = ") : SOM_STR(": angle = "));
        if (p->is_velocity) {
            som_write_angular_speed(out, p->value);
        } else {
            som_write_angle(out, p->value);
        }
    }
}

// ---- commands

static void begin_action(Writer *w, int module, int joint, int *count) {
    SomWrittenPlace place = w->robot->modules.data[module].place;
    place.names[place.count++] = som_str(som_vsparc_joints[joint]);
    som_text_add(&w->out, (*count)++ > 0 ? SOM_STR(", ") : SOM_STR(""));
    som_write_place(&w->out, &place);
}

static void write_during(Writer *w, double seconds) {
    som_text_add(&w->out, SOM_STR(" during "));
    som_write_seconds(&w->out, seconds);
}

// True if the action lasts as long as the state.
static bool write_position(Writer *w, const SomVsparcCommand *command, double period, int module,
                           int joint, int *count) {
    Joint *state = &w->joints[module][joint];
    double target = command->value;
    bool is_given = command->parameter.length == 0, can_tell = is_given && state->is_known;
    if (can_tell && joint != SOM_VSPARC_BODY) {
        double turns = round((state->value - target) / (2 * SOM_PI));
        target = turns != 0 ? som_tidy_angle(target + 2 * SOM_PI * turns) : target;
    }
    double way = target - state->value;
    if (can_tell && fabs(way) <= ARRIVED && state->is_commanded && !state->is_sent) {
        return false;
    }
    begin_action(w, module, joint, count);
    som_text_add(&w->out, SOM_STR(" to "));
    write_value(w, command, target);
    double speed = som_number_round(fabs(way) / ARRIVAL_SECONDS / DEGREE, 3); // degrees a second
    bool has_speed = can_tell && period > 0 && fabs(way) > ARRIVED;
    if (has_speed) {
        som_text_add(&w->out, SOM_STR(" at "));
        som_text_number(&w->out, speed);
        som_text_add(&w->out, SOM_STR("deg/s"));
    }
    if (period > 0) {
        write_during(w, period);
    } else {
        som_text_add(&w->out, SOM_STR(" hold"));
    }
    double done = has_speed ? fmin(fabs(way), speed * DEGREE * period) : fabs(way);
    *state = (Joint){.value = has_speed ? state->value + copysign(done, way) : target,
                     .is_known = is_given,
                     .is_commanded = true};
    state->is_sent = is_given && fabs(target - state->value) > ARRIVED;
    return period > 0;
}

static bool write_velocity(Writer *w, const SomVsparcCommand *command, double period, int module,
                           int joint, int *count) {
    Joint *state = &w->joints[module][joint];
    double lasts = fmin(command->period, period);
    if (command->period > period && w->cuts++ == 0) {
        w->cut_span = command->span;
    }
    bool is_given = command->parameter.length == 0;
    bool does_nothing = is_given && command->value == 0 && !state->is_sent;
    if (does_nothing || !(lasts > 0)) {
        return false;
    }
    begin_action(w, module, joint, count);
    som_text_add(&w->out, SOM_STR(" spin "));
    write_value(w, command, command->value);
    write_during(w, lasts);
    *state = (Joint){.value = state->value + command->value * lasts,
                     .is_known = state->is_known && is_given,
                     .is_commanded = true};
    return lasts == period;
}

// ---- states

static void write_state(Writer *w, const SomVsparcState *state) {
    size_t begin = w->out.length;
    int count = 0;
    bool is_filled = false;
    for (int i = 0; i < state->modules.count; i++) {
        int module = som_import_robot_find(w->robot, state->modules.data[i].name);
        for (int k = 0; k < 4; k++) {
            const SomVsparcCommand *command = &state->modules.data[i].commands[k];
            if (command->is_given) {
                bool lasts = command->is_velocity
                                 ? write_velocity(w, command, state->period, module, k, &count)
                                 : write_position(w, command, state->period, module, k, &count);
                is_filled = is_filled || lasts;
            }
        }
    }
    if (!is_filled && (state->period > 0 || count == 0)) {
        som_text_add(&w->out, count++ > 0 ? SOM_STR(", wait ") : SOM_STR("wait "));
        som_write_seconds(&w->out, state->period);
    }
    if (count > 1) {
        SomStr all = som_text_str(&w->out);
        SomStr own = som_arena_copy(&w->importer->arena, som_str_slice(all, begin, all.length));
        w->out.length = begin;
        som_text_printf(&w->out, "parallel(%.*s)", SOM_STR_ARG(own));
    }
}

static void write_states(Writer *w) {
    int count = w->vsparc->states.count;
    som_text_add(&w->out, count > 1 ? SOM_STR("series(") : SOM_STR(""));
    for (int i = 0; i < count; i++) {
        som_text_add(&w->out, i > 0 ? SOM_STR(", ") : SOM_STR(""));
        write_state(w, &w->vsparc->states.data[i]);
    }
    som_text_add(&w->out, count > 1 ? SOM_STR(")\n") : SOM_STR("\n"));
}

static void report_changes(const Writer *w) {
    SomDiagnostics *diags = w->importer->diags;
    if (w->defaults > 0) {
        som_report(diags, SOM_VSPARC_DEFAULTS_DIFFER, w->default_span,
                   "'%.*s' has another value or kind here than where it is named first%s",
                   SOM_STR_ARG(w->default_name), w->defaults > 1 ? ", and more do" : "");
    }
    if (w->cuts > 0) {
        som_report(diags, SOM_VSPARC_PERIOD_CUT, w->cut_span,
                   "%d joint%s longer than the period of the state", w->cuts,
                   w->cuts > 1 ? "s run" : " runs");
    }
}

static void add_behavior(SomImporter *importer, SomImportRobot *robot, const SomImportFile *file,
                         const SomVsparc *vsparc) {
    Writer w = {.importer = importer, .robot = robot, .vsparc = vsparc};
    w.joints = som_alloc((size_t)robot->modules.count * sizeof *w.joints + 1);
    for (int i = 0; i < 4 * robot->modules.count; i++) {
        double value = som_vsparc_signs[i % 4] * robot->modules.data[i / 4].joints[i % 4];
        w.joints[i / 4][i % 4] = (Joint){.value = value, .is_known = true};
    }
    write_states(&w);
    report_changes(&w);
    SomText comment = {0}, parameters = {0};
    list_parameters(&w, &parameters);
    som_text_printf(&comment,
                    "Imported from %.*s: one pass, which VSPARC repeats while AutoLoop is on.",
                    SOM_STR_ARG(som_path_name(file->path)));
    SomStr name;
    SomText *out =
        som_import_robot_behavior_with(importer, robot, som_path_stem(file->path),
                                       som_text_str(&parameters), som_text_str(&comment), &name);
    som_text_add(out, som_text_str(&w.out));
    som_text_free(&comment);
    som_text_free(&parameters);
    som_text_free(&w.out);
    som_array_free(&w.parameters);
    som_free(w.joints);
}

// ---- the robot

// Where the connections change, if they do.
static void check_connections(SomImporter *importer, const SomVsparc *vsparc) {
    const SomVsparcState *first = &vsparc->states.data[0];
    for (int i = 1; i < vsparc->states.count; i++) {
        const SomVsparcState *state = &vsparc->states.data[i];
        bool is_same = state->connections.count == first->connections.count;
        for (int k = 0; is_same && k < state->connections.count; k++) {
            const SomVsparcConnection *a = &first->connections.data[k];
            const SomVsparcConnection *b = &state->connections.data[k];
            for (int side = 0; side < 2; side++) {
                is_same = is_same && som_str_equal(a->names[side], b->names[side]) &&
                          a->faces[side] == b->faces[side];
            }
        }
        if (!is_same) {
            som_report(importer->diags, SOM_VSPARC_CONNECTIONS_CHANGE, state->span,
                       "state %d has other connections than the first", i + 1);
            return;
        }
    }
}

static bool has_modules(const SomImportRobot *robot, const SomStr *modules, int count) {
    for (int i = 0; i < count; i++) {
        if (som_import_robot_find(robot, modules[i]) < 0) {
            return false;
        }
    }
    return true;
}

// The robot that is given beside the behavior; else that of its first state. NULL after a report.
static SomImportRobot *find_robot(SomImporter *importer, const SomImportFile *file,
                                  const SomVsparc *vsparc) {
    const SomVsparcState *first = &vsparc->states.data[0];
    SOM_ARRAY(SomStr) modules = {0};
    for (int i = 0; i < first->modules.count; i++) {
        som_array_push(&modules, first->modules.data[i].name);
    }
    SomImportRobot *robot = som_importer_robot_for(importer, file, modules.data, modules.count);
    bool fits = robot != NULL && has_modules(robot, modules.data, modules.count);
    som_array_free(&modules);
    bool is_alone = first->connections.count > 0 || first->modules.count == 1;
    if (!fits && is_alone) {
        bool fine = som_vsparc_configure(importer, file, first);
        return fine ? &importer->robots.data[importer->robots.count - 1] : NULL;
    }
    if (robot == NULL) {
        som_report(importer->diags, SOM_VSPARC_NO_ROBOT, (SomSpan){file->source1, 0, 0},
                   "there is no robot for this behavior: give its configuration, too");
    }
    return robot;
}

static bool check_modules(SomImporter *importer, const SomImportRobot *robot,
                          const SomVsparc *vsparc) {
    bool fine = true;
    for (int i = 0; i < vsparc->states.count && fine; i++) {
        const SomVsparcState *state = &vsparc->states.data[i];
        bool *seen = som_alloc((size_t)robot->modules.count + 1);
        for (int k = 0; k < state->modules.count; k++) {
            const SomVsparcModule *module = &state->modules.data[k];
            int found = som_import_robot_find(robot, module->name);
            if (found < 0) {
                som_import_robot_report(importer, robot, module->name, module->span);
                fine = false;
            } else if (seen[found]) {
                som_report(importer->diags, SOM_IMPORT_NAME_TAKEN, module->span,
                           "there are two modules '%.*s' in a state", SOM_STR_ARG(module->name));
                fine = false;
            } else {
                seen[found] = true;
            }
        }
        som_free(seen);
    }
    return fine;
}

bool som_import_vsparc_behavior(SomImporter *importer, const SomImportFile *file) {
    SomVsparc vsparc = {0};
    bool fine = som_vsparc_read(importer, file, &vsparc);
    SomImportRobot *robot = fine ? find_robot(importer, file, &vsparc) : NULL;
    fine = robot != NULL && check_modules(importer, robot, &vsparc);
    if (fine) {
        check_connections(importer, &vsparc);
        add_behavior(importer, robot, file, &vsparc);
    }
    som_vsparc_free(&vsparc);
    return fine;
}
