// SPDX-License-Identifier: Apache-2.0
// somite play FILE --behavior B: the motion of a behavior, without physics.

#include "base/number.h"
#include "behaviors/action_text.h"
#include "behaviors/static_checks.h"
#include "command/inputs.h"
#include "command/motion.h"

#include <math.h>

// One run of an action.
typedef struct Run {
    int32_t node;
    double start;
    double end; // not a number while it still runs
    SomEndReason reason;
} Run;

typedef struct Played {
    SomCommand *command;
    const SomConfiguration *design;
    const SomActionGraph *graph;
    const SomPrediction *prediction;
    const SomServoModel *servos;
    double tick;
    int ignored_errors;
    SOM_ARRAY(Run) runs; // in the order in which they start
    int *latest;         // by node: its last run so far
} Played;

// ---- what happened

static void collect_runs(Played *p) {
    for (int i = 0; i < p->prediction->events.count; i++) {
        const SomPredictionEvent *event = &p->prediction->events.data[i];
        if (!event->is_end) {
            Run run = {event->node, event->time, NAN, SOM_END_NOT_YET};
            p->latest[event->node] = p->runs.count;
            som_array_push(&p->runs, run);
        } else {
            Run *run = &p->runs.data[p->latest[event->node]];
            run->end = event->time;
            run->reason = event->reason;
        }
    }
}

// ---- for people

// To a millisecond, flush right.
static void print_seconds(SomText *out, double seconds) {
    char text[SOM_NUMBER_TEXT];
    som_number_print(round(seconds * 1000) / 1000, text);
    som_text_printf(out, "%8s", isnan(seconds) ? "" : text);
}

// Docks that have closed or opened up to a time, from `next` on.
static int print_docks(const Played *p, int next, double until, SomText *out) {
    for (; next < p->prediction->docks.count; next++) {
        const SomPredictionDock *event = &p->prediction->docks.data[next];
        if (event->time > until) {
            break;
        }
        print_seconds(out, event->time);
        som_text_printf(out, " %8s  %-9s  dock %s\n", "", event->is_closed ? "closed" : "opened",
                        som_graph_name(p->graph, SOM_SYMBOL_DOCK, event->dock));
    }
    return next;
}

static void print(const Played *p, SomText *out) {
    som_text_printf(out, "%8s %8s  %-9s  %-30s %s\n", "start", "end", "why", "action", "behavior");
    SomText words = {0};
    int docks = 0;
    for (int i = 0; i < p->runs.count; i++) {
        const Run *run = &p->runs.data[i];
        words.length = 0;
        som_action_print(p->design, p->graph, run->node, &words);
        docks = print_docks(p, docks, run->start, out);
        print_seconds(out, run->start);
        som_text_add_char(out, ' ', 1);
        print_seconds(out, run->end);
        const char *path = som_graph_path(p->graph, run->node);
        som_text_printf(out, "  %-9s  ", som_end_reason_word(run->reason));
        som_text_printf(out, path[0] != '\0' ? "%-30.*s %s\n" : "%.*s%s\n", (int)words.length,
                        words.data, path);
    }
    print_docks(p, docks, INFINITY, out);
    som_text_free(&words);
    bool is_finished = p->prediction->status == SOM_PLAYER_COMPLETED;
    som_text_printf(out, "%s ", is_finished ? "ended after" : "stopped after");
    som_text_number(out, round(p->prediction->duration * 1000) / 1000);
    som_text_printf(out, " s, %d action%s", p->runs.count, p->runs.count == 1 ? "" : "s");
    if (p->ignored_errors > 0) {
        som_text_printf(out, " (forced: %d error%s ignored)", p->ignored_errors,
                        p->ignored_errors == 1 ? "" : "s");
    }
    som_text_add_char(out, '\n', 1);
    if (p->prediction->rest_time > p->prediction->duration) {
        som_text_add(out, SOM_STR("all joints rest after "));
        som_text_number(out, round(p->prediction->rest_time * 1000) / 1000);
        som_text_add(out, SOM_STR(" s\n"));
    }
}

static void print_csv(const Played *p, SomText *out) {
    som_text_add(out, SOM_STR("t"));
    for (int i = 0; i < p->design->dof_count; i++) {
        som_text_add_char(out, ',', 1);
        som_column_print(som_graph_name(p->graph, SOM_SYMBOL_DOF, i), out);
    }
    som_text_add_char(out, '\n', 1);
    for (int i = 0; i < p->prediction->times.count; i++) {
        som_text_number(out, p->prediction->times.data[i]);
        for (int k = 0; k < p->prediction->dof_count; k++) {
            som_text_add_char(out, ',', 1);
            som_text_number(out, p->prediction->positions.data[i * p->prediction->dof_count + k]);
        }
        som_text_add_char(out, '\n', 1);
    }
}

// ---- for programs

static void write_sample(Played *p, int sample) {
    SomJsonWriter *json = &p->command->json;
    const SomPrediction *prediction = p->prediction;
    int count;
    som_json_open_object(json);
    som_json_member_number(json, "t", prediction->times.data[sample]);
    som_json_key(json, SOM_STR("dofs"));
    som_json_open_object(json);
    for (int k = 0; k < prediction->dof_count; k++) {
        som_json_key(json, p->design->dofs[k].path);
        som_json_number(json, prediction->positions.data[sample * prediction->dof_count + k]);
    }
    som_json_close_object(json);
    som_json_key(json, SOM_STR("active"));
    som_json_open_array(json);
    const int32_t *active = som_prediction_active(prediction, sample, &count);
    for (int i = 0; i < count; i++) {
        som_json_integer(json, p->latest[active[i]]);
    }
    som_json_close_array(json);
    som_json_close_object(json);
}

static void write_samples(Played *p) {
    SomJsonWriter *json = &p->command->json;
    const SomPrediction *prediction = p->prediction;
    int event = 0, run = 0;
    som_json_key(json, SOM_STR("samples"));
    som_json_open_array(json);
    for (int i = 0; i < prediction->times.count; i++) {
        while (event < prediction->events.count &&
               prediction->events.data[event].time <= prediction->times.data[i]) {
            const SomPredictionEvent *e = &prediction->events.data[event++];
            if (!e->is_end) {
                p->latest[e->node] = run++;
            }
        }
        write_sample(p, i);
    }
    som_json_close_array(json);
}

static void write_runs(Played *p) {
    SomJsonWriter *json = &p->command->json;
    SomText words = {0};
    som_json_key(json, SOM_STR("actions"));
    som_json_open_array(json);
    for (int i = 0; i < p->runs.count; i++) {
        const Run *run = &p->runs.data[i];
        words.length = 0;
        som_action_print(p->design, p->graph, run->node, &words);
        som_json_open_object(json);
        som_json_member_string(json, "path", som_str(som_graph_path(p->graph, run->node)));
        som_json_member_string(json, "action", som_text_str(&words));
        som_json_member_number(json, "start", run->start);
        som_json_member_number(json, "end", run->end);
        som_json_member_string(json, "reason", som_str(som_end_reason_word(run->reason)));
        som_json_close_object(json);
    }
    som_json_close_array(json);
    som_text_free(&words);
}

static void write_docks(Played *p) {
    SomJsonWriter *json = &p->command->json;
    som_json_key(json, SOM_STR("docks"));
    som_json_open_array(json);
    for (int i = 0; i < p->prediction->docks.count; i++) {
        const SomPredictionDock *event = &p->prediction->docks.data[i];
        som_json_open_object(json);
        som_json_member_number(json, "t", event->time);
        som_json_member_string(json, "dock",
                               som_str(som_graph_name(p->graph, SOM_SYMBOL_DOCK, event->dock)));
        som_json_member_string(json, "state",
                               event->is_closed ? SOM_STR("closed") : SOM_STR("open"));
        som_json_close_object(json);
    }
    som_json_close_array(json);
}

// How long it takes at least and at most, whatever is sensed, to a nanosecond.
static void write_bounds(Played *p) {
    SomJsonWriter *json = &p->command->json;
    SomDuration *durations = som_static_durations(&(SomStaticDef){
        .graph = p->graph, .servos = p->servos, .design = p->design, .tick = p->tick});
    som_json_key(json, SOM_STR("bounds"));
    som_json_open_array(json);
    som_json_number(json, round(durations[0].least * 1e9) / 1e9);
    som_json_number(json, round(durations[0].most * 1e9) / 1e9);
    som_json_close_array(json);
    som_free(durations);
}

static void write(Played *p) {
    SomJsonWriter *json = &p->command->json;
    som_json_member_number(json, "duration", p->prediction->duration);
    write_bounds(p);
    som_json_member_number(json, "rest", p->prediction->rest_time);
    som_json_member_boolean(json, "finished", p->prediction->status == SOM_PLAYER_COMPLETED);
    som_json_member_integer(json, "ignored_errors", p->ignored_errors);
    som_command_write_inputs(p->command, p->graph);
    write_runs(p);
    write_docks(p);
    write_samples(p);
}

// ---- playing

static void tell(SomCommand *command, const SomConfiguration *design, const SomPlayed *motion,
                 double tick) {
    Played p = {.command = command,
                .design = design,
                .graph = motion->graph,
                .prediction = &motion->prediction,
                .servos = motion->servos,
                .tick = tick,
                .ignored_errors = motion->ignored_errors};
    p.latest = som_alloc((size_t)motion->graph->node_count * sizeof *p.latest);
    collect_runs(&p);
    if (command->wants_json) {
        write(&p);
    } else if (som_command_has(command, "csv")) {
        print_csv(&p, &command->out);
    } else {
        print(&p, &command->out);
    }
    som_free(p.latest);
    som_array_free(&p.runs);
}

static void run_play(SomCommand *command) {
    const char *behavior = som_command_value(command, "behavior");
    SomPredictionDef def = {0};
    if (behavior == NULL) {
        som_command_misused(command, "which behavior? --behavior NAME, or 'NAME(arguments)'");
        return;
    }
    bool is_lab = som_command_is_lab(command);
    if (command->usage_errors > 0) {
        return;
    }
    def.rest_speed = is_lab ? SOM_LAB_REST_SPEED : 0;
    def.sample_time = is_lab && !som_command_has(command, "dt") ? 0.01 : 0;
    def.tick = som_command_number(command, "dt", is_lab ? SOM_LAB_TICK : 0.01);
    def.most_time = som_command_number(command, "for", 600);
    SomConfiguration *design = som_command_compose(command, command->words.data[0]);
    SomPosture posture;
    if (design != NULL && som_command_posture(command, design, &posture)) {
        SomPlayed motion;
        if (som_command_move(command, design, &posture, behavior, def, &motion)) {
            tell(command, design, &motion, def.tick);
        }
        som_played_free(&motion);
        som_posture_free(&posture);
    }
    som_configuration_destroy(design);
}

static const SomOption options[] = {
    SOM_OPTION_BEHAVIOR,
    SOM_OPTION_CONFIG,
    SOM_OPTION_POSE,
    SOM_OPTION_SET,
    SOM_OPTION_INPUT,
    SOM_OPTION_SERVO,
    SOM_OPTION_FORCE,
    {.name = "dt",
     .value = "T",
     .help = "length of a tick (default: 10ms, with --servo lab 1ms)",
     .kind = SOM_TAKES_QUANTITY,
     .dimension = SOM_DIMENSION_TIME,
     .low = 1e-5,
     .high = 1e6},
    {.name = "for",
     .value = "T",
     .help = "stop after this time (default: 600s)",
     .kind = SOM_TAKES_QUANTITY,
     .dimension = SOM_DIMENSION_TIME,
     .low = 1e-5,
     .high = 1e6},
    {.name = "csv", .help = "the joints' values at every tick, a line each", .excludes = "json"},
    {0}};

const SomVerb som_verb_play = {
    .name = "play",
    .usage = "FILE --behavior B [--config C] [--pose NAME] [--set DOF=V]… [--input NAME=SOURCE]… "
             "[--servo LAW] "
             "[--dt T] [--for T] [--csv] [--force] [--json]",
    .summary = "play a behavior of a design without physics, and say what happened",
    .help = "Unfolds a behavior to its actions, checks them, and predicts the motion: every joint\n"
            "moves as fast as its module type allows and stops where it should. Prints when each\n"
            "action began and ended, and why: done (arrived, or its condition held), duration,\n"
            "timeout, cancelled (another branch of any was first). --csv prints the joints'\n"
            "values instead, in radians and metres; --json has both. Any action may stand where\n"
            "a behavior does.\n\n"
            "--servo lab moves joints by the law of the SMORES lab's simulator, in steps of a\n"
            "millisecond, and goes on until all of them rest where they were last sent.\n\n"
            "--input gives an input another source than the design does: a constant, a table over\n"
            "the time of the behavior, or a CSV file with columns t and NAME. Of a range the\n"
            "smaller value counts.\n\n"
            "  somite play module --behavior 'tiltMiddle(45deg)'\n"
            "  somite play snake --behavior nSnakeSineGait --csv > gait.csv\n"
            "  somite play car --behavior 'series(drive(70mm/s, 2s), turn(30deg))' --json\n",
    .min_words = 1,
    .max_words = 1,
    .has_json = true,
    .options = options,
    .run = run_play,
};
