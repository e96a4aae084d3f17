// SPDX-License-Identifier: Apache-2.0
// somite simulate FILE --behavior B: the motion under physics.

#include "base/codes/simulate_codes.h"
#include "base/file.h"
#include "base/number.h"
#include "behaviors/action_text.h"
#include "command/inputs.h"
#include "command/motion.h"
#include "command/simulated.h"
#include "simulate/recording.h"
#include "space/trigonometry.h"

#include <math.h>

// Of --dt: beyond it contacts and motors are no physics any more; seconds.
#define LEAST_STEP 1e-5
#define MOST_STEP 0.02

// ---- for people

// To a thousandth.
static void print_number(SomText *out, double value) {
    double thousandths = round(value * 1000);
    som_text_number(out, thousandths == 0 ? 0 : thousandths / 1000);
}

static void print_events(const SomPhysicsRun *run, SomText *out) {
    const SomSimulationResult *r = run->result;
    for (int i = 0; i < r->events.count; i++) {
        const SomSimulationEvent *event = &r->events.data[i];
        if (som_event_is_told(event)) {
            print_number(out, event->time);
            som_text_add(out, SOM_STR(" s: "));
            som_event_print(run, event, out);
            som_text_add(out, SOM_STR("\n"));
        }
    }
}

static void print_piece(const SomPieceResult *piece, SomText *out) {
    som_text_add(out, SOM_STR("moved by "));
    print_number(out, piece->displacement.x);
    som_text_add(out, SOM_STR(", "));
    print_number(out, piece->displacement.y);
    som_text_add(out, SOM_STR(", "));
    print_number(out, piece->displacement.z);
    som_text_add(out, SOM_STR(" m, turned by "));
    print_number(out, piece->heading_change * 180 / SOM_PI);
    som_text_add(out, SOM_STR(" deg\n"));
}

static void print(const SomPhysicsRun *run, SomText *out) {
    const SomSimulationResult *r = run->result;
    print_events(run, out);
    som_text_printf(out, "%s after ", som_outcome_word(r->outcome));
    print_number(out, r->time);
    som_text_add(out, SOM_STR(" s"));
    int timeouts = som_simulation_timeouts(r);
    if (timeouts > 0) {
        som_text_printf(out, ", %d action%s timed out", timeouts, timeouts == 1 ? "" : "s");
    }
    if (run->ignored_errors > 0) {
        som_text_add(out, SOM_STR(" (forced: "));
        som_physics_run_print_ignored(run, out);
        som_text_add(out, SOM_STR(")"));
    }
    som_text_add(out, r->pieces.count > 1 ? SOM_STR("\n") : SOM_STR("; "));
    for (int i = 0; i < r->pieces.count; i++) {
        if (r->pieces.count > 1) {
            som_text_printf(out, "  '%.*s' ", SOM_STR_ARG(som_physics_run_piece(run, i)));
        }
        print_piece(&r->pieces.data[i], out);
    }
}

// ---- for programs

static void write_vector(SomJsonWriter *json, SomVec3 v) {
    som_json_open_array(json);
    som_json_number(json, v.x);
    som_json_number(json, v.y);
    som_json_number(json, v.z);
    som_json_close_array(json);
}

static void write_event(const SomPhysicsRun *run, const SomSimulationEvent *event,
                        SomJsonWriter *json) {
    som_json_open_object(json);
    som_json_member_number(json, "t", event->time);
    som_json_member_string(json, "kind", som_str(som_event_word(event->kind)));
    som_json_key(json, SOM_STR("subjects"));
    som_json_open_array(json);
    if (event->kind == SOM_EVENT_SELF_CONTACT) {
        som_json_string(json, run->mechanism->links[event->link_a].path);
        som_json_string(json, run->mechanism->links[event->link_b].path);
    } else if (event->kind == SOM_EVENT_FELL) {
        som_json_string(json, som_physics_run_piece(run, event->piece));
    } else if (som_event_is_of_dock(event->kind)) {
        som_json_string(json, run->design->docks[event->dock].path);
    } else if (event->kind <= SOM_EVENT_ACTION_ENDED) {
        som_json_string(json, som_str(som_graph_path(run->graph, event->node)));
    }
    som_json_close_array(json);
    if (event->kind <= SOM_EVENT_ACTION_ENDED) {
        SomText words = {0};
        som_action_print(run->design, run->graph, event->node, &words);
        som_json_member_string(json, "action", som_text_str(&words));
        som_text_free(&words);
    }
    if (event->kind == SOM_EVENT_ACTION_ENDED) {
        som_json_member_string(json, "reason", som_str(som_end_reason_word(event->reason)));
    }
    som_json_close_object(json);
}

static void write_final(const SomSimulated *made) {
    const SomPhysicsRun *run = &made->run;
    SomJsonWriter *json = &made->command->json;
    SomPose *links = som_alloc(sizeof *links * ((size_t)run->mechanism->link_count + 1));
    som_simulation_place(run->simulation, links);
    som_json_key(json, SOM_STR("final"));
    som_json_open_object(json);
    som_json_key(json, SOM_STR("modules"));
    som_json_open_array(json);
    for (int i = 0; i < run->design->module_count; i++) {
        som_json_open_object(json);
        som_json_member_string(json, "path", run->design->modules[i].path);
        som_command_write_pose(made->command, som_mechanism_module_pose(run->mechanism, links, i));
        som_json_close_object(json);
    }
    som_json_close_array(json);
    som_json_close_object(json);
    som_free(links);
}

static void write_pieces(const SomSimulated *made) {
    SomJsonWriter *json = &made->command->json;
    const SomSimulationResult *r = made->run.result;
    som_json_key(json, SOM_STR("pieces"));
    som_json_open_array(json);
    for (int i = 0; i < r->pieces.count; i++) {
        som_json_open_object(json);
        som_json_member_string(json, "base", som_physics_run_piece(&made->run, i));
        som_json_key(json, SOM_STR("displacement"));
        write_vector(json, r->pieces.data[i].displacement);
        som_json_member_number(json, "heading_change", r->pieces.data[i].heading_change);
        som_json_member_boolean(json, "fell", r->pieces.data[i].has_fallen);
        som_json_close_object(json);
    }
    som_json_close_array(json);
}

static void write(const SomSimulated *made) {
    SomJsonWriter *json = &made->command->json;
    const SomSimulationResult *r = made->run.result;
    som_json_member_string(json, "outcome", som_str(som_outcome_word(r->outcome)));
    som_json_member_integer(json, "ignored_errors", made->run.ignored_errors);
    som_command_write_inputs(made->command, made->run.graph);
    som_json_member_number(json, "sim_time", r->time);
    som_json_member_number(json, "real_time_factor",
                           made->seconds > 0 ? r->time / made->seconds : 0);
    som_json_member_string(json, "real_time_clock", SOM_STR("processor"));
    som_json_key(json, SOM_STR("displacement"));
    write_vector(json, r->displacement);
    som_json_member_number(json, "heading_change", r->heading_change);
    som_json_member_integer(json, "timeouts", som_simulation_timeouts(r));
    write_pieces(made);
    write_final(made);
    som_json_key(json, SOM_STR("events"));
    som_json_open_array(json);
    for (int i = 0; i < r->events.count; i++) {
        write_event(&made->run, &r->events.data[i], json);
    }
    som_json_close_array(json);
}

// ---- the trace

static void save_trace(const SomSimulated *made) {
    const char *path = som_command_value(made->command, "record");
    if (path != NULL) {
        SomText trace = {0};
        som_recording_print(made->run.result, made->run.graph, &trace);
        som_file_save(path, som_text_str(&trace), made->command->diags);
        som_text_free(&trace);
    }
}

// ---- running

static void tell(SomSimulated *made) {
    SomCommand *command = made->command;
    const char *page = som_command_value(command, "html");
    const char *behavior = som_command_value(command, "behavior");
    bool wants_comparison = som_command_has(command, "compare");
    if (wants_comparison || page != NULL) {
        som_simulated_compare(made);
    }
    if (command->wants_json) {
        write(made);
    } else {
        print(&made->run, &command->out);
    }
    if (wants_comparison && command->wants_json) {
        som_json_key(&command->json, SOM_STR("comparison"));
        som_json_open_object(&command->json);
        som_comparison_write(made->report.comparison, &command->json);
        som_json_close_object(&command->json);
    } else if (wants_comparison) {
        som_comparison_print(made->report.comparison, &command->out);
    }
    if (page != NULL) {
        som_simulated_save_page(made, behavior != NULL ? som_str(behavior) : SOM_STR(""), page);
    }
    save_trace(made);
    if (made->is_filmed) {
        som_simulated_save_pictures(made, som_command_value(command, "pictures"));
    }
}

// Before the run, which may be long: pictures go to a file or to a folder.
static bool check_pictures(SomCommand *command) {
    const char *path = som_command_value(command, "pictures");
    if (path == NULL) {
        return true;
    }
    bool is_file = som_film_is_file(path), is_folder = som_film_is_folder(path);
    if (!is_file && !is_folder) {
        som_command_misused(command,
                            "--pictures goes to a file that ends in .png or .apng, which moves, or "
                            "to a folder, not to '%s'",
                            path);
        return false;
    }
    return is_file ? som_file_can_save(path, command->diags)
                   : som_file_can_make_folder(path, command->diags);
}

static bool read_engine(SomCommand *command, SomEngineKind *engine) {
    const char *name = som_command_value(command, "engine");
    if (name == NULL) {
        *engine = som_engine_default();
        if (*engine == SOM_ENGINE_MUJOCO) {
            som_report(command->diags, SOM_ENGINE_INSTEAD, (SomSpan){0},
                       "there is no engine 'gazebo' here: the run is in MuJoCo");
        }
        return true;
    }
    for (int i = 0; i < SOM_ENGINE_KINDS; i++) {
        if (strcmp(name, som_engine_name((SomEngineKind)i)) == 0) {
            *engine = (SomEngineKind)i;
            return true;
        }
    }
    som_command_misused(command, "there is no engine '%s': --engine gazebo or mujoco", name);
    return false;
}

// The graph of --behavior, or of standing still. NULL after a report.
static SomActionGraph *read_graph(SomCommand *command, const SomConfiguration *design) {
    const char *behavior = som_command_value(command, "behavior");
    SomCompileDef compile = {.workspace = som_command_workspace(command),
                             .configuration = design,
                             .diags = command->diags};
    if (!som_command_inputs(command, &compile.inputs)) {
        return NULL;
    }
    SomActionGraph *graph =
        som_compile_call(&compile, behavior != NULL ? som_str(behavior) : SOM_STR("wait 5s"));
    if (graph != NULL) {
        som_command_find_inputs(command, design);
    }
    if (graph != NULL && !som_command_check_inputs(command)) {
        som_action_graph_destroy(graph);
        graph = NULL;
    }
    return graph;
}

static void run_simulate(SomCommand *command) {
    SomEngineKind engine;
    SomSimulationDef def = {.duration =
                                som_command_number(command, "duration", SOM_SIMULATION_DURATION),
                            .step = som_command_number(command, "dt", SOM_SIMULATION_STEP)};
    if (!check_pictures(command) || !read_engine(command, &engine)) {
        return;
    }
    SomConfiguration *design = som_command_compose(command, command->words.data[0]);
    SomPosture posture;
    if (design != NULL && som_command_posture(command, design, &posture)) {
        SomActionGraph *graph = read_graph(command, design);
        if (graph != NULL) {
            SomSimulated made = {.command = command,
                                 .run = {.design = design,
                                         .posture = &posture,
                                         .graph = graph,
                                         .engine = engine,
                                         .is_full = som_command_has(command, "full"),
                                         .is_forced = som_command_has(command, "force"),
                                         .def = def},
                                 .is_filmed = som_command_has(command, "pictures")};
            if (som_simulated_play(&made)) {
                tell(&made);
                command->failed |= made.run.result->outcome != SOM_OUTCOME_COMPLETED;
            }
            som_simulated_free(&made);
        }
        som_action_graph_destroy(graph);
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
    {.name = "engine",
     .value = "E",
     .help = "gazebo (default if available) or mujoco (faster)",
     .letter = 'e'},
    {.name = "duration",
     .value = "T",
     .help = "stop after this time (default: 60s)",
     .kind = SOM_TAKES_QUANTITY,
     .dimension = SOM_DIMENSION_TIME,
     .low = 1e-5,
     .high = 1e6},
    {.name = "dt",
     .value = "T",
     .help = "length of a step, 10us to 20ms (default: 1ms)",
     .kind = SOM_TAKES_QUANTITY,
     .dimension = SOM_DIMENSION_TIME,
     .low = LEAST_STEP,
     .high = MOST_STEP},
    {.name = "record",
     .value = "CSV",
     .help = "write joints, efforts, pose and contacts over time to this file",
     .kind = SOM_TAKES_OUTPUT,
     .endings = ".csv"},
    {.name = "pictures",
     .value = "OUT",
     .help = "ten a second: a .png that moves, or numbered ones in a folder"},
    {.name = "compare", .help = "say where the run leaves the prediction, and why"},
    {.name = "html",
     .value = "OUT",
     .help = "a page with pictures of the run, and joints beside their prediction",
     .kind = SOM_TAKES_OUTPUT,
     .endings = SOM_PAGE_ENDINGS},
    {.name = "full", .help = "every link and joint, nothing merged or locked"},
    SOM_OPTION_FORCE,
    {0}};

const SomVerb som_verb_simulate = {
    .name = "simulate",
    .usage = "FILE [--behavior B] [--engine gazebo|mujoco] [--duration T] [--record CSV] "
             "[--pictures OUT] [--compare] [--html OUT] [--config C] [--pose NAME] [--set DOF=V]… "
             "[--input NAME=SOURCE]… "
             "[--full] [--force] [--json]",
    .summary = "play a behavior of a design under physics, and say what became of it",
    .help = "Writes the world that `export` would write, loads it into a physics engine in this\n"
            "program, and plays the behavior in it with the same player that predicts: it\n"
            "senses joints, contacts and the body's height and tilt at each step. Says how it\n"
            "ended: completed, timeout (an action ran into its time-out, or the time was\n"
            "over), stuck, collided (parts touched), fell, loop open, dock broke, diverged; exit\n"
            "code 0 for completed alone. Without a behavior the design stands for 5s. --compare\n"
            "puts the kinematic prediction beside it: when each action ends, how far joints are\n"
            "from where they should be, touches and falls; where the two part, and why. --input "
            "gives an\n"
            "input another source than the design does (see 'somite help play').\n\n"
            "  somite simulate walkbot --behavior walk\n"
            "  somite simulate car -b 'drive(70mm/s, 2s)' --engine mujoco --record car.csv\n"
            "  somite simulate walkbot --behavior walk --pictures walk.png\n"
            "  somite simulate walkbot --behavior walk --compare --html walk.html\n",
    .min_words = 1,
    .max_words = 1,
    .has_json = true,
    .options = options,
    .run = run_simulate,
};
