// SPDX-License-Identifier: Apache-2.0
#include "verify/verify.h"

#include "behaviors/compile.h"
#include "compose/dock_states.h"
#include "verify/blame_internal.h"

#include <math.h>

// Slower than this a joint has come to rest; radians or metres a second.
#define REST_SPEED 1e-4

static double number_or(double value, double otherwise) {
    return isnan(value) ? otherwise : value;
}

// ---- the motion

// A prediction of a motion so long that samples were dropped has not one at every tick.
static bool has_every_tick(const SomPrediction *prediction, double tick) {
    int count = prediction->times.count;
    return count < 3 || prediction->times.data[1] - prediction->times.data[0] < 1.5 * tick;
}

static double most_time(const SomVerifyDef *def, const SomVerifyOptions *options) {
    double samples = SOM_VERIFY_MOST_SAMPLES;
    double most = (double)SOM_VERIFY_MOST_NUMBERS / (def->mechanism->dof_count + 1);
    samples = fmin(samples, most);
    return fmin(options->most_time, samples * options->dt);
}

// Reports of a prediction are read here and go nowhere else; their sources need no text.
static SomDiagnostics *begin_reports(const SomActionGraph *graph) {
    SomDiagnostics *diags = som_diagnostics_create();
    uint32_t sources = som_graph_last_source(graph);
    for (uint32_t i = 0; i < sources; i++) {
        som_diagnostics_add_source(diags, SOM_STR(""), SOM_STR(""));
    }
    return diags;
}

static void report_dock(const SomDiagnostic *report, SomVerification *out) {
    SomFinding finding = {.check = SOM_CHECK_DOCKING,
                          .code = SOM_NOT_DOCKABLE,
                          .t0 = (double)NAN,
                          .t1 = (double)NAN,
                          .worst = (double)NAN,
                          .value = (double)NAN,
                          .limit = (double)NAN,
                          .span = report->span,
                          .action = SOM_NONE};
    som_verification_add(out, &finding, "%.*s", SOM_STR_ARG(report->message));
}

// What the prediction had to assume was not verified; docks that it could not close are findings.
static void read_reports(const SomDiagnostics *diags, SomVerification *out) {
    int count;
    const SomDiagnostic *reports = som_diagnostics_get(diags, &count);
    for (int i = 0; i < count; i++) {
        if (reports[i].code == SOM_PREDICTION_ASSUMES) {
            som_verification_skip(out, reports[i].message, 1,
                                  SOM_STR("cannot be known without physics"));
        } else if (reports[i].code == SOM_DOCK_NOT_CLOSED) {
            report_dock(&reports[i], out);
        }
    }
}

SomDiagnostics *som_verify_predict(const SomVerifyDef *def, SomPrediction *prediction) {
    const SomConfiguration *design = def->mechanism->configuration;
    SomVerifyOptions options = def->options != NULL ? *def->options : som_verify_default_options();
    SomServoModel *servos = som_compile_servos(design);
    // with the way that joints still go when the last action is done
    SomPredictionDef play = {.graph = def->graph,
                             .servos = servos,
                             .initial = def->start != NULL ? def->start : design->start,
                             .design = design,
                             .tick = options.dt,
                             .most_time = most_time(def, &options),
                             .rest_speed = REST_SPEED,
                             .most_kept = 2 * SOM_VERIFY_MOST_NUMBERS,
                             .stop = def->stop};
    SomDiagnostics *diags = begin_reports(def->graph);
    som_prediction_play(&play, prediction, diags);
    while (!has_every_tick(prediction, play.tick)) {
        play.most_time = prediction->duration / 2;
        som_prediction_free(prediction);
        *prediction = (SomPrediction){0};
        som_diagnostics_destroy(diags);
        diags = begin_reports(def->graph);
        som_prediction_play(&play, prediction, diags);
    }
    som_free(servos);
    return diags;
}

static void report_incomplete(const SomVerifyInput *input, double end, SomVerification *out) {
    SomFinding finding = {.check = SOM_CHECK_MOTION,
                          .code = SOM_VERIFY_INCOMPLETE,
                          .t0 = end,
                          .t1 = end,
                          .worst = end,
                          .value = end,
                          .limit = input->options.most_time,
                          .dimension = SOM_DIMENSION_TIME,
                          .span = som_graph_user_span(input->graph, 0),
                          .action = SOM_NONE};
    som_verification_add(out, &finding,
                         "the behavior goes on after %s; what comes later was not verified",
                         som_verification_value(out, end, SOM_DIMENSION_TIME));
}

// ---- values

static void check_numbers(const SomVerifyInput *input, SomVerification *out) {
    for (int dof = 0; dof < input->dof_count; dof++) {
        for (int i = 0; i < input->sample_count; i++) {
            if (isfinite(input->values[(size_t)i * (size_t)input->dof_count + (size_t)dof])) {
                continue;
            }
            double t = som_verify_time(input, i);
            int32_t action = som_verify_action_of(input, dof, number_or(t, 0));
            SomFinding finding = {.check = SOM_CHECK_MOTION,
                                  .code = SOM_JOINT_NO_NUMBER,
                                  .t0 = t,
                                  .t1 = t,
                                  .worst = t,
                                  .value = (double)NAN,
                                  .limit = (double)NAN,
                                  .span = som_verify_span(input, action, dof),
                                  .action = action};
            SomFinding *found =
                som_verification_add(out, &finding, "the value of '%.*s' is not a finite number",
                                     SOM_STR_ARG(input->design->dofs[dof].path));
            som_finding_add_subject(out, found, input->design->dofs[dof].path);
            break;
        }
    }
}

void som_check_motion(const SomVerifyInput *input, SomVerification *out) {
    out->is_void[SOM_CHECK_MOTION] = input->graph == NULL;
    if (input->graph != NULL && input->prediction->status != SOM_PLAYER_COMPLETED) {
        report_incomplete(input, input->prediction->duration, out);
    }
    check_numbers(input, out);
}

// ---- all of it

typedef void (*Check)(const SomVerifyInput *input, SomVerification *out);

static const Check checks[SOM_CHECKS] = {
#define SOM_CHECK(name, function, word, fine) som_check_##function,
#include "verify/checks.inc"
#undef SOM_CHECK
};

// Of what is commanded, which is one for the whole motion. The others look at postures.
static bool is_of_commands(int check) {
    return check == SOM_CHECK_MOTION || check == SOM_CHECK_DOCKING || check == SOM_CHECK_CONFLICT ||
           check == SOM_CHECK_JOINT_LIMIT || check == SOM_CHECK_SPEED;
}

static bool is_of_loads(int check) {
    return check == SOM_CHECK_LOAD || check == SOM_CHECK_SLIP;
}

static void run_checks(const SomVerifyInput *input, bool of_commands, SomVerification *out) {
    for (int i = 0; i < SOM_CHECKS; i++) {
        bool is_skipped = input->skips_loads && is_of_loads(i);
        if (is_of_commands(i) == of_commands && !is_skipped && !som_stop_is_asked(input->stop)) {
            checks[i](input, out);
        }
    }
}

// The samples from `first` to `last` with the mechanism that the robot is then.
static void run_part(const SomVerifyInput *input, const SomMechanism *mechanism, int first,
                     int last, SomVerification *out) {
    SomVerifyInput part = *input;
    part.mechanism = mechanism;
    part.design = mechanism->configuration;
    part.times += first;
    part.values += (size_t)first * (size_t)input->dof_count;
    part.sample_count = last - first + 1;
    part.is_end = last == input->sample_count - 1;
    SomVerification *found = som_verification_create();
    found->is_behavior = true;
    found->duration = out->duration;
    found->times = out->times + first;
    found->sample_count = part.sample_count;
    found->places = out->places != NULL ? out->places + first : NULL;
    found->dof_count = out->dof_count;
    found->efforts =
        out->efforts != NULL ? out->efforts + (size_t)first * (size_t)out->dof_count : NULL;
    if (part.design->piece_count > 0) {
        som_verification_skip(
            found, SOM_STR("loose pieces"), part.design->piece_count,
            SOM_STR("stability and loads of pieces that are not connected to the base"));
    }
    run_checks(&part, false, found);
    som_verification_join(out, found, first);
}

// More often docks do not change.
#define MOST_PARTS 200

// A part for every state of the docks. The sample at which a dock changes is looked at in both.
static void run_parts(const SomVerifyInput *input, SomVerification *out) {
    SomDockStates *states = som_dock_states_create(input->design);
    SomPosture posture = som_posture_zero(input->design);
    int first = 0, parts = 0;
    for (int i = 0; i < SOM_CHECKS; i++) {
        out->is_void[i] = out->is_void[i] || !is_of_commands(i);
    }
    for (int i = 0; i < input->prediction->docks.count && !som_stop_is_asked(input->stop); i++) {
        const SomPredictionDock *change = &input->prediction->docks.data[i];
        int last = som_verify_sample_at(input, change->time);
        if (last > first && ++parts > MOST_PARTS) {
            report_incomplete(input, change->time, out);
            break;
        }
        if (last > first) {
            run_part(input, som_dock_states_mechanism(states), first, last, out);
            first = last;
        }
        memcpy(posture.values, input->values + (size_t)last * (size_t)input->dof_count,
               (size_t)input->dof_count * sizeof *posture.values);
        som_dock_states_place(states, &posture);
        som_dock_states_set(states, change->dock, change->is_closed);
    }
    if (parts <= MOST_PARTS) {
        run_part(input, som_dock_states_mechanism(states), first, input->sample_count - 1, out);
    }
    som_posture_free(&posture);
    som_dock_states_destroy(states);
}

// What has no place of its own is marked at the module of its first subject.
static void place(const SomConfiguration *design, SomFinding *finding) {
    SomStr path = finding->subject_count > 0 ? finding->subjects[0] : SOM_STR("");
    for (int i = 0; i < design->module_count && finding->span.source1 == 0; i++) {
        const SomModule *module = &design->modules[i];
        bool is_below = path.length > module->path.length && path.data[module->path.length] == '.';
        if (som_str_starts_with(path, module->path) &&
            (is_below || path.length == module->path.length || module->path.length == 0)) {
            finding->span = som_verify_module_span(design, i);
        }
    }
}

static void run(const SomVerifyInput *input, SomVerification *out) {
    double *times = som_arena_new(&out->arena, double, input->sample_count);
    memcpy(times, input->times, (size_t)input->sample_count * sizeof *times);
    out->times = times;
    out->sample_count = input->sample_count;
    if (input->wants_series) {
        out->places = som_arena_new(&out->arena, SomPose, input->sample_count);
        for (int i = 0; i < input->sample_count; i++) {
            out->places[i] = som_pose_identity();
        }
    }
    if (input->wants_efforts) {
        int count = input->sample_count * input->dof_count;
        out->efforts = som_arena_new(&out->arena, double, count);
        for (int i = 0; i < count; i++) {
            out->efforts[i] = (double)NAN;
        }
    }
    out->dof_count = input->dof_count;
    if (input->skips_loads) {
        som_verification_skip(out, SOM_STR("loads and slip"), 1, SOM_STR("nobody asked for them"));
        out->is_void[SOM_CHECK_LOAD] = out->is_void[SOM_CHECK_SLIP] = true;
    }
    run_checks(input, true, out);
    bool has_numbers = true;
    for (int i = 0; i < out->findings.count; i++) {
        has_numbers &= out->findings.data[i].code != SOM_JOINT_NO_NUMBER;
    }
    // of joint values that are no numbers nothing else can be said
    if (has_numbers && input->prediction != NULL && input->prediction->docks.count > 0 &&
        input->design->dock_count == input->graph->symbol_count[SOM_SYMBOL_DOCK]) {
        run_parts(input, out);
    } else if (has_numbers) {
        run_checks(input, false, out);
    }
    for (int i = 0; i < out->findings.count; i++) {
        place(input->design, &out->findings.data[i]);
        som_verify_add_steps(input, &out->findings.data[i], out);
    }
    som_verification_finish(out);
}

SomVerification *som_verify(const SomVerifyDef *def) {
    static const double begin = 0;
    const SomConfiguration *design = def->mechanism->configuration;
    SomVerification *out = som_verification_create();
    SomServoModel *servos = som_compile_servos(design);
    SomPrediction played = {0};
    struct SomCommands *commands = NULL;
    SomVerifyInput input = {.design = design,
                            .mechanism = def->mechanism,
                            .options =
                                def->options != NULL ? *def->options : som_verify_default_options(),
                            .servos = servos,
                            .dof_count = def->mechanism->dof_count,
                            .sample_count = 1,
                            .times = &begin,
                            .values = def->start != NULL ? def->start : design->start,
                            .is_end = true,
                            .wants_series = def->wants_series,
                            .wants_efforts = def->wants_efforts,
                            .skips_loads = def->skips_loads,
                            .stop = def->stop};
    if (def->graph != NULL) {
        out->is_behavior = true;
        SomDiagnostics *reports = def->prediction == NULL ? som_verify_predict(def, &played) : NULL;
        if (reports != NULL || def->reports != NULL) {
            read_reports(reports != NULL ? reports : def->reports, out);
        }
        som_diagnostics_destroy(reports);
        input.graph = def->graph;
        input.prediction = def->prediction != NULL ? def->prediction : &played;
        input.sample_count = input.prediction->times.count;
        input.times = input.prediction->times.data;
        input.values = input.prediction->positions.data;
        out->duration = fmax(input.prediction->duration, input.prediction->rest_time);
        commands = som_commands_create(input.graph, input.prediction);
        input.commands = commands;
    }
    run(&input, out);
    som_commands_destroy(commands);
    if (def->motion != NULL) {
        *def->motion = played;
    } else {
        som_prediction_free(&played);
    }
    som_free(servos);
    return out;
}
