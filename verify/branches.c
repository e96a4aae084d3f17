// SPDX-License-Identifier: Apache-2.0
#include "base/codes/behaviors_codes.h"
#include "base/codes/verify_codes.h"
#include "behaviors/compile.h"
#include "behaviors/explorer.h"
#include "behaviors/static_checks.h"
#include "verify/blame_internal.h"
#include "verify/branches_internal.h"

#include <math.h>

// Slower than this a joint has come to rest; radians or metres a second.
#define REST_SPEED 1e-4
// Passes of a motion that repeats itself that are looked at besides the first, until the robot is
// turned as it was a pass before.
#define MOST_PASSES 7

// What counts as the same place of a robot: metres and entries of a rotation.
#define SAME_PLACE 1e-6

// ---- playing

// Of a motion so long that samples were dropped a prediction has not all of them.
static bool has_every_sample(const SomPrediction *prediction, double dt) {
    int count = prediction->times.count;
    return count < 3 || prediction->times.data[1] - prediction->times.data[0] < 1.5 * dt;
}

SomVerifyOptions som_verify_options_of(const SomVerifyDef *def) {
    SomVerifyOptions options = def->options != NULL ? *def->options : som_verify_default_options();
    options.dt = SOM_VERIFY_TICK / fmax(ceil(SOM_VERIFY_TICK / options.dt * (1 - 1e-9)), 1);
    return options;
}

// Whether it is sure to end, whatever the sensors are.
static bool ends(const SomVerifyDef *def, const SomServoModel *servos) {
    SomStaticDef bounds = {.graph = def->graph, .servos = servos, .tick = SOM_VERIFY_TICK};
    SomDuration *durations = som_static_durations(&bounds);
    bool does_end = isfinite(durations[0].most);
    som_free(durations);
    return does_end;
}

// What is sure to end is verified to its end, unless a shorter time was asked for.
static double most_time(const SomVerifyDef *def, const SomVerifyOptions *options,
                        const SomServoModel *servos) {
    double samples = SOM_VERIFY_MOST_SAMPLES;
    samples = fmin(samples, (double)SOM_VERIFY_MOST_NUMBERS / (def->mechanism->dof_count + 1));
    double most = samples * options->dt;
    most = def->most_time > 0 ? fmin(most, def->most_time) : most;
    bool is_default = options->most_time == som_verify_default_options().most_time;
    return is_default && ends(def, servos) ? most : fmin(most, options->most_time);
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

// What motions are played with.
typedef struct Player {
    const SomVerifyDef *def;
    SomServoModel *servos;
    SomPredictionDef play;
    SomExplorer *explorer;
    int passes; // that follow the first of a motion that repeats itself
} Player;

static Player begin_player(const SomVerifyDef *def) {
    const SomConfiguration *design = def->mechanism->configuration;
    SomVerifyOptions options = som_verify_options_of(def);
    Player p = {.def = def, .servos = som_compile_servos(design)};
    // with the way that joints still go when the last action is done
    p.play = (SomPredictionDef){.graph = def->graph,
                                .servos = p.servos,
                                .initial = def->start != NULL ? def->start : design->start,
                                .design = design,
                                .tick = SOM_VERIFY_TICK,
                                .sample_time = options.dt,
                                .most_time = most_time(def, &options, p.servos),
                                .rest_speed = REST_SPEED,
                                .most_kept = 2 * SOM_VERIFY_MOST_NUMBERS,
                                .stop = def->stop};
    return p;
}

static void end_player(Player *p) {
    som_explorer_destroy(p->explorer);
    som_free(p->servos);
}

// The motion in which sensors are what is assumed. If it has too many samples, a shorter part.
static SomDiagnostics *play_first(Player *p, SomPrediction *prediction) {
    for (;;) {
        SomDiagnostics *diags = begin_reports(p->def->graph);
        som_explorer_destroy(p->explorer);
        p->explorer = som_explorer_create(p->def->graph, &p->play.assumed);
        som_explorer_add_passes(p->explorer, p->passes);
        p->play.explorer = p->explorer;
        p->play.branch = som_explorer_next(p->explorer);
        som_prediction_play(&p->play, prediction, diags);
        if (has_every_sample(prediction, p->play.sample_time)) {
            return diags;
        }
        p->play.most_time = prediction->duration / 2;
        som_prediction_free(prediction);
        *prediction = (SomPrediction){0};
        som_diagnostics_destroy(diags);
    }
}

SomDiagnostics *som_verify_predict(const SomVerifyDef *def, SomPrediction *prediction) {
    Player player = begin_player(def);
    SomDiagnostics *diags = play_first(&player, prediction);
    end_player(&player);
    return diags;
}

// ---- verifying a motion

// Docks that could not be closed are findings.
static void read_reports(const SomDiagnostics *diags, SomVerification *out) {
    int count;
    const SomDiagnostic *reports = som_diagnostics_get(diags, &count);
    for (int i = 0; i < count; i++) {
        if (reports[i].code == SOM_DOCK_NOT_CLOSED) {
            SomFinding finding = {.check = SOM_CHECK_DOCKING,
                                  .code = SOM_NOT_DOCKABLE,
                                  .t0 = (double)NAN,
                                  .t1 = (double)NAN,
                                  .worst = (double)NAN,
                                  .value = (double)NAN,
                                  .limit = (double)NAN,
                                  .span = reports[i].span,
                                  .action = SOM_NONE};
            som_verification_add(out, &finding, "%.*s", SOM_STR_ARG(reports[i].message));
        }
    }
}

static void verify_motion(SomVerifyInput input, const SomPrediction *prediction,
                          const SomDiagnostics *reports, SomVerification *out) {
    out->is_behavior = true;
    if (reports != NULL) {
        read_reports(reports, out);
    }
    input.prediction = prediction;
    input.sample_count = prediction->times.count;
    input.times = prediction->times.data;
    input.values = prediction->positions.data;
    if (input.values == NULL) { // a robot without joints: none of it is read
        input.values = input.times;
    }
    input.is_end = !prediction->is_cut && !prediction->returns;
    out->duration = fmax(prediction->duration, prediction->rest_time);
    struct SomCommands *commands = som_commands_create(input.graph, prediction);
    input.commands = commands;
    som_verify_run(&input, out);
    som_commands_destroy(commands);
}

// ---- all of them

typedef struct Motion {
    int branch;
    SomVerification *found;
    bool has_docks; // that close or open, or pieces: how these are turned is not known here
} Motion;

typedef struct Motions {
    SOM_ARRAY(Motion) all;
    long samples;
} Motions;

static const Motion *find_motion(const Motions *motions, int branch) {
    for (int i = 0; i < motions->all.count; i++) {
        if (motions->all.data[i].branch == branch) {
            return &motions->all.data[i];
        }
    }
    return NULL;
}

static void add_motion(Motions *motions, int branch, SomVerification *found,
                       const SomPrediction *prediction, const SomConfiguration *design) {
    Motion motion = {branch, found, prediction->docks.count > 0 || design->piece_count > 0};
    som_array_push(&motions->all, motion);
    motions->samples += found->sample_count;
}

static bool any_has_docks(const Motions *motions) {
    bool has_docks = false;
    for (int i = 0; i < motions->all.count; i++) {
        has_docks = has_docks || motions->all.data[i].has_docks;
    }
    return has_docks;
}

static int sample_at(const SomVerification *found, double time) {
    SomVerifyInput like = {.times = found->times, .sample_count = found->sample_count};
    return som_verify_sample_at(&like, time);
}

static bool is_same_place(SomPose a, SomPose b) {
    double most = fabs(a.position.z - b.position.z);
    for (int i = 0; i < 9; i++) {
        most = fmax(most, fabs(a.rotation.m[i / 3][i % 3] - b.rotation.m[i / 3][i % 3]));
    }
    return most <= SAME_PLACE;
}

// Joints and behavior are in the same state; so is the robot if it lies alike, and it will not be
// out of balance for longer than the other motion was.
static bool continues_alike(const Motions *motions, SomExplorerJoin join) {
    const Motion *from = find_motion(motions, join.from), *to = find_motion(motions, join.to);
    if (from == NULL || to == NULL) {
        return true; // one of them was not verified, which is reported
    }
    if (from->has_docks || to->has_docks) {
        return false; // passes are not compared
    }
    int a = sample_at(from->found, join.from_time), b = sample_at(to->found, join.to_time);
    return is_same_place(from->found->places[a], to->found->places[b]) &&
           from->found->unsteady[a] <= to->found->unsteady[b] + SOM_TIME_SLACK;
}

// Of those as which the first motion continues; or of all.
static long count_apart(const SomExplorer *explorer, const Motions *motions, bool is_of_first) {
    int count;
    long apart = 0;
    const SomExplorerJoin *joins = som_explorer_joins(explorer, &count);
    for (int i = 0; i < count; i++) {
        bool counts = !is_of_first || (joins[i].from == 0 && joins[i].to == 0);
        apart += counts && !continues_alike(motions, som_explorer_resolve(explorer, joins[i]));
    }
    return apart;
}

static void report_coverage(const SomExplorer *explorer, const Motions *motions,
                            SomVerification *out) {
    long apart = count_apart(explorer, motions, false), played = motions->all.count;
    long known = som_explorer_count(explorer);
    if (played < known) {
        som_verification_not_checked(
            out, SOM_CHECK_MOTION, SOM_STR("or more branches"), known - played, known,
            SOM_STR("conditions on sensors have more outcomes than are tried"));
    }
    if (apart > 0) {
        out->period = count_apart(explorer, motions, true) > 0 ? 0 : out->period;
        som_verification_not_checked(
            out, SOM_CHECK_MOTION, SOM_STR("what follows"), 1, 0,
            any_has_docks(motions) ? SOM_STR("docks open or close, or there are several pieces, so "
                                             "passes are not compared")
                                   : SOM_STR("the joints return to previous values, but the robot "
                                             "is in another position"));
    }
    if (!som_explorer_is_exact(explorer)) {
        som_verification_not_checked(out, SOM_CHECK_MOTION, SOM_STR("branches"), 1, 0,
                                     SOM_STR("not all sensor values that change the motion are "
                                             "known"));
    }
    for (int i = 0; i < SOM_CHECKS; i++) {
        SomCoverage *coverage = &out->coverage[i];
        if (coverage->samples_total > 0) {
            coverage->branches = played;
            coverage->branches_total = known > played ? known : played;
        }
    }
}

// The branches after the first.
static void verify_others(Player *p, const SomVerifyInput *input, Motions *motions) {
    SomVerifyInput other = *input;
    other.wants_series = other.wants_efforts = false;
    long links = input->mechanism->link_count + 1, most = SOM_VERIFY_MOST_WORK / links / links;
    most = most < SOM_VERIFY_MOST_SAMPLES ? most : SOM_VERIFY_MOST_SAMPLES;
    while (motions->all.count < SOM_VERIFY_MOST_BRANCHES && motions->samples < most &&
           !som_stop_is_asked(input->stop)) {
        int branch = som_explorer_next(p->explorer);
        if (branch < 0) {
            return;
        }
        SomPrediction prediction = {0};
        SomDiagnostics *reports = begin_reports(p->def->graph);
        p->play.branch = branch;
        som_prediction_play(&p->play, &prediction, reports);
        bool is_whole = has_every_sample(&prediction, p->play.sample_time);
        if (is_whole) {
            SomVerification *found = som_verification_create();
            verify_motion(other, &prediction, reports, found);
            add_motion(motions, branch, found, &prediction, other.design);
        }
        som_diagnostics_destroy(reports);
        som_prediction_free(&prediction);
        if (!is_whole) {
            return;
        }
    }
}

static void join_others(const Player *p, const Motions *motions, SomVerification *out) {
    SomText words = {0};
    for (int i = 1; i < motions->all.count; i++) {
        som_text_clear(&words);
        som_explorer_print(p->explorer, p->play.design, motions->all.data[i].branch, &words);
        som_verification_join_branch(out, motions->all.data[i].found, som_text_str(&words));
    }
    som_text_free(&words);
}

// How many passes after the first end before the time that is verified at most.
static int passes_that_fit(const SomPrediction *played, double period, double most) {
    double left = most - SOM_VERIFY_TICK - played->return_time;
    return period > 0 && left > period ? (int)fmin(left / period + 1e-9, 1e6) - 1 : 0;
}

// Of a motion that repeats itself while the robot is turned in another way each time: more passes,
// until it is turned as it was.
static void follow_passes(Player *p, const SomVerifyInput *input, Motions *motions,
                          SomPrediction *played, SomVerification *out) {
    double period = played->duration - played->return_time;
    double most = som_verify_options_of(p->def).most_time;
    int fitting = passes_that_fit(played, period, most);
    bool has_docks = any_has_docks(motions); // then passes are never alike: as many as there are
    for (p->passes = has_docks ? fitting : 1;
         (has_docks || p->passes <= MOST_PASSES) && !som_stop_is_asked(p->def->stop) &&
         count_apart(p->explorer, motions, true) > 0;
         p->passes = 2 * p->passes + 1) {
        if (p->passes < 1 || p->passes > fitting) {
            return;
        }
        SomPrediction longer = {0};
        SomDiagnostics *reports = play_first(p, &longer);
        SomVerification *found = som_verification_create(), before = *out;
        verify_motion(*input, &longer, reports, found);
        found->period = longer.returns ? longer.duration - longer.return_time : 0;
        *out = *found;
        *found = before;
        som_verification_destroy(found);
        som_diagnostics_destroy(reports);
        som_prediction_free(played);
        *played = longer;
    }
}

void som_verify_run_branches(const SomVerifyDef *def, SomVerifyInput *input, SomVerification *out) {
    Player player = begin_player(def);
    SomPrediction played = {0};
    SomDiagnostics *reports = play_first(&player, &played);
    const SomPrediction *first = def->prediction != NULL ? def->prediction : &played;
    Motions motions = {0};
    input->graph = def->graph;
    input->keeps_stances = played.returns || som_explorer_has_sensors(player.explorer);
    verify_motion(*input, first, def->prediction != NULL ? def->reports : reports, out);
    out->period = first->returns ? first->duration - first->return_time : 0;
    som_diagnostics_destroy(reports);
    add_motion(&motions, 0, out, first, input->design);
    if (first->returns && played.returns && !som_explorer_has_sensors(player.explorer)) {
        follow_passes(&player, input, &motions, &played, out);
    }
    if (input->keeps_stances && !som_stop_is_asked(def->stop)) {
        verify_others(&player, input, &motions);
        report_coverage(player.explorer, &motions, out);
        join_others(&player, &motions, out);
        som_verification_finish(out);
    }
    som_array_free(&motions.all);
    end_player(&player);
    if (def->motion != NULL) {
        *def->motion = played;
    } else {
        som_prediction_free(&played);
    }
}
