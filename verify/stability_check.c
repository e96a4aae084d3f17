// SPDX-License-Identifier: Apache-2.0
// Robots that tip over, in a posture or during a motion.

#include "base/codes/verify_codes.h"
#include "space/trigonometry.h"
#include "verify/repairs_internal.h"
#include "verify/second_opinion.h"
#include "verify/stability.h"
#include "verify/standing_internal.h"
#include "verify/verify.h"

#include <math.h>

#define BLAME_TICKS 10 // how far back joints that moved are looked for

typedef struct Report {
    const SomVerifyInput *input;
    SomVerification *out;
    SomStanding *standing;
    SomMotionSamples motion;
} Report;

SomTerrain som_verify_terrain(const SomVerifyOptions *options) {
    SomTerrain terrain = {.slope = options->slope, .direction = options->slope_direction};
    if (options->step != 0) {
        terrain.steps[terrain.step_count++] = (SomTerrainStep){options->step_at, options->step};
    }
    return terrain;
}

SomStanding *som_verify_stand(const SomVerifyInput *input) {
    SomTerrain terrain = som_verify_terrain(&input->options);
    SomStanding *standing =
        som_standing_create(input->mechanism, &terrain, input->options.tolerance);
    som_standing_set_stop(standing, input->stop);
    som_standing_continue(standing, input->begin, input->unsteady);
    return standing;
}

// Whether a joint moved before a part of a motion.
static bool moved_before(const SomVerifyInput *part) {
    size_t dofs = (size_t)part->dof_count;
    if (part->whole == NULL || dofs == 0) {
        return false;
    }
    for (const double *v = part->whole->values; v <= part->values; v += dofs) {
        if (memcmp(v, part->whole->values, dofs * sizeof *v) != 0) {
            return true;
        }
    }
    return false;
}

SomMotionSamples som_verify_motion_samples(const SomVerifyInput *input) {
    return (SomMotionSamples){.values = input->values,
                              .count = input->sample_count,
                              .dt = input->options.dt,
                              .rocking = input->options.rocking,
                              .rolling = input->options.rolling,
                              .lean = input->options.lean,
                              .has_moved = moved_before(input)};
}

int som_verify_tick_count(const SomVerifyInput *input) {
    SomMotionSamples motion = som_verify_motion_samples(input);
    return som_standing_tick_count(&motion);
}

SomStr som_verify_body(const SomMechanism *mechanism, int link) {
    SomStr module = mechanism->configuration->modules[mechanism->links[link].module].path;
    return module.length > 0 ? module : mechanism->links[link].path;
}

// ---- words

// "the edge from 'a' to 'b'", "the edge of 'a'", "the point where 'a' stands".
static void print_edge(const SomMechanism *m, const SomStance *stance, SomText *out) {
    const int *edge = stance->support.edge;
    SomStr a = som_verify_body(m, stance->contacts->items[edge[0]].link);
    SomStr b = som_verify_body(m, stance->contacts->items[edge[1]].link);
    if (edge[0] == edge[1]) {
        som_text_printf(out, "the point on which '%.*s' stands", SOM_STR_ARG(a));
    } else if (som_str_equal(a, b)) {
        som_text_printf(out, "the edge of '%.*s'", SOM_STR_ARG(a));
    } else {
        som_text_printf(out, "the edge from '%.*s' to '%.*s'", SOM_STR_ARG(a), SOM_STR_ARG(b));
    }
}

static void print_when(const Report *r, const SomUnsteadyRun *run, SomText *out) {
    if (r->input->graph == NULL) {
        return;
    }
    som_text_add(out, SOM_STR(" from "));
    som_text_value(out, r->input->times[run->first], SOM_DIMENSION_TIME);
    if (run->is_at_end) {
        som_text_add(out, SOM_STR(" on"));
    } else {
        som_text_add(out, SOM_STR(" to "));
        som_text_value(out, r->input->times[run->last], SOM_DIMENSION_TIME);
    }
}

static void add_subjects(const Report *r, const SomStance *stance, SomFinding *found) {
    const int *edge = stance->support.edge;
    for (int i = 0; i < 2 && edge[0] >= 0 && (i == 0 || edge[1] != edge[0]); i++) {
        int link = stance->contacts->items[edge[i]].link;
        SomStr path = som_verify_body(r->input->mechanism, link);
        if (i == 0 || !som_str_equal(path, found->subjects[0])) {
            som_finding_add_subject(r->out, found, path);
        }
    }
}

static void propose(Report *r, const SomUnsteadyRun *run, SomFinding *found) {
    SomFall fall = {r->input, &r->motion, run, found};
    SomRepair repair;
    if (som_repairs_find(r->input->repairs, &fall, &repair)) {
        SomText text = {0};
        som_repair_print(r->input, &repair, &text);
        som_finding_set_fix(r->out, found, "%s", text.data);
        som_text_free(&text);
    }
}

// ---- findings

static SomFinding begin_finding(const Report *r, SomCode code, int first, int last, int worst) {
    return (SomFinding){.check = SOM_CHECK_STABILITY,
                        .code = code,
                        .t0 = som_verify_time(r->input, first),
                        .t1 = som_verify_time(r->input, last),
                        .worst = som_verify_time(r->input, worst),
                        .value = (double)NAN,
                        .limit = 0,
                        .dimension = SOM_DIMENSION_LENGTH,
                        .who = som_verification_quote(r->out, r->input->design->name),
                        .span = r->input->design->base.span,
                        .action = SOM_NONE};
}

static const double *values_of(const Report *r, int sample) {
    return r->input->values + (size_t)sample * (size_t)r->input->dof_count;
}

// Who moved the robot out of balance: of the joints that moved before, the one without which it
// would be best off.
static int find_culprit(const Report *r, int sample) {
    int back = BLAME_TICKS * som_standing_stride(&r->motion);
    int before = sample > back ? sample - back : 0, best = -1;
    size_t count = (size_t)r->input->dof_count;
    const double *now = values_of(r, sample), *then = values_of(r, before);
    double *values = som_alloc(sizeof *values * (count + 1)), most = -(double)INFINITY;
    memcpy(values, now, sizeof *values * count);
    for (int dof = 0; dof < r->input->dof_count; dof++) {
        if (now[dof] != then[dof]) {
            values[dof] = then[dof];
            double margin = som_standing_measure(r->standing, values).support.margin;
            values[dof] = now[dof];
            best = margin > most ? dof : best;
            most = fmax(most, margin);
        }
    }
    som_free(values);
    return best;
}

static void blame(const Report *r, int sample, SomFinding *finding) {
    int dof = find_culprit(r, sample);
    if (r->input->graph != NULL && dof >= 0) {
        finding->action = som_verify_action_of(r->input, dof, finding->t0);
        finding->span = som_verify_span(r->input, finding->action, dof);
    }
}

static void report_no_support(Report *r) {
    SomFinding finding = begin_finding(r, SOM_NO_SUPPORT, 0, r->motion.count - 1, 0);
    finding.limit = (double)NAN;
    som_verification_add(r->out, &finding, "which has no %s, so whether it stands is not known",
                         r->input->mechanism->mass > 0 ? "shapes" : "mass");
}

// A posture that comes to rest soon.
static void report_settling(Report *r) {
    if (!(som_standing_base_lean(r->standing, 0) > SOM_STANDING_LEVEL)) {
        return;
    }
    som_standing_follow(r->standing, &r->motion); // from the beginning
    SomRest rest = som_standing_settle(r->standing, values_of(r, 0), r->motion.rocking);
    if (rest.link < 0) {
        return;
    }
    SomFinding finding = begin_finding(r, SOM_ROCKS, 0, 0, 0);
    finding.value = rest.angle;
    finding.limit = r->motion.rocking;
    finding.dimension = SOM_DIMENSION_ANGLE;
    SomStr path = r->input->mechanism->links[rest.link].path;
    SomFinding *found = som_verification_add(
        r->out, &finding, "as it is put down it tips by %s and rests on '%.*s'",
        som_verification_value(r->out, rest.angle, SOM_DIMENSION_ANGLE), SOM_STR_ARG(path));
    som_finding_add_subject(r->out, found, path);
}

// A motion during which the robot comes to rest otherwise than its base says.
static void report_leaning(Report *r, const SomStability *stability) {
    int first = -1, last = -1, worst = -1;
    double most = 0;
    for (int i = 0; i < r->motion.count; i = som_standing_next_tick(&r->motion, i)) {
        double lean = som_standing_base_lean(r->standing, i);
        bool stands = stability->margins[i] >= -SOM_STANDING_SLACK && !(stability->leans[i] > 0);
        if (lean > SOM_STANDING_LEVEL && stands) {
            first = first < 0 ? i : first;
            last = i;
            worst = worst < 0 || lean > most ? i : worst;
            most = fmax(most, lean);
        }
    }
    if (first < 0) {
        return;
    }
    SomFinding finding = begin_finding(r, SOM_ROCKS, first, last, worst);
    finding.value = most;
    finding.limit = (double)NAN;
    finding.dimension = SOM_DIMENSION_ANGLE;
    som_verification_add(r->out, &finding, "its base leans by up to %s as it rests",
                         som_verification_value(r->out, most, SOM_DIMENSION_ANGLE));
}

static const char *verdict_of(SomCode code) {
    return code == SOM_FALLS ? "out of balance for too long" : "out of balance";
}

// How exactly the value of the worst tick is known: it changes by no more to the ticks beside it in
// the run, and what rolls does so in steps.
static double tolerance_of(const Report *r, const SomUnsteadyRun *run, const double *values,
                           double least) {
    int stride = som_standing_stride(&r->motion);
    double most = least;
    for (int way = -1; way <= 1; way += 2) {
        int beside = run->worst + way * stride;
        if (run->first <= beside && beside <= run->last && isfinite(values[beside])) {
            most = fmax(most, fabs(values[beside] - values[run->worst]));
        }
    }
    return r->input->graph != NULL ? most : 0;
}

static void add_tolerance(Report *r, const char *what, SomFinding *found) {
    if (r->input->graph == NULL) {
        return;
    }
    double tick = r->motion.dt * som_standing_stride(&r->motion);
    som_finding_set_details(r->out, found, "%s at %s (tolerance %s and %s)", what,
                            som_verification_value(r->out, found->worst, SOM_DIMENSION_TIME),
                            som_verification_value(r->out, found->tolerance, found->dimension),
                            som_verification_value(r->out, tick, SOM_DIMENSION_TIME));
}

// It rests, but so that nobody would say that it stands.
static void report_lean(Report *r, const SomStability *stability, const SomUnsteadyRun *run,
                        SomFinding *finding) {
    SomStance stance = som_standing_measure_sample(r->standing, run->worst);
    finding->value = stance.lean;
    finding->tolerance = tolerance_of(r, run, stability->leans, SOM_STANDING_ROLL_STEP);
    finding->limit = r->motion.lean;
    finding->dimension = SOM_DIMENSION_ANGLE;
    SomText when = {0};
    print_when(r, run, &when);
    SomFinding *found = som_verification_add(
        r->out, finding, "%s: it leans by %s%s, farther than the %s that 'lean' allows",
        verdict_of(finding->code), som_verification_value(r->out, stance.lean, SOM_DIMENSION_ANGLE),
        when.length > 0 ? when.data : "",
        som_verification_value(r->out, r->motion.lean, SOM_DIMENSION_ANGLE));
    add_subjects(r, &stance, found);
    add_tolerance(r, "leans most", found);
    propose(r, run, found);
    som_text_free(&when);
}

// ", from which it would tip by 30 deg; 'rocking' allows 5 deg".
static void print_tip(Report *r, const SomUnsteadyRun *run, SomText *out) {
    double may = som_standing_measure_sample(r->standing, run->worst).may_tip;
    SomRest rest = som_standing_settle(r->standing, values_of(r, run->worst), SOM_PI);
    if (rest.does_rest && may > 0 && rest.angle > may) {
        som_text_add(out, SOM_STR("; it would come to rest after tipping by "));
        som_text_value(out, rest.angle, SOM_DIMENSION_ANGLE);
        som_text_printf(out, ", and '%s' allows ", may > r->motion.rocking ? "rolling" : "rocking");
        som_text_value(out, may, SOM_DIMENSION_ANGLE);
    }
}

static void report_run(Report *r, const SomStability *stability, const SomUnsteadyRun *run) {
    bool is_motion = r->input->graph != NULL;
    SomCode code = !is_motion ? SOM_UNSTABLE : run->is_fall ? SOM_FALLS : SOM_UNSTABLE_END;
    SomFinding finding = begin_finding(r, code, run->first, run->last, run->worst);
    som_standing_measure_sample(r->standing, run->first);
    blame(r, run->first, &finding);
    if (run->is_lean) {
        report_lean(r, stability, run, &finding);
        return;
    }
    SomText tip = {0};
    print_tip(r, run, &tip);
    SomStance stance = som_standing_measure_sample(r->standing, run->worst);
    if (stance.support.edge[0] < 0) {
        som_text_free(&tip);
        report_no_support(r);
        return;
    }
    finding.value = stance.support.margin;
    finding.tolerance = tolerance_of(r, run, stability->margins, SOM_STANDING_SLACK);
    SomText edge = {0}, when = {0};
    print_edge(r->input->mechanism, &stance, &edge);
    print_when(r, run, &when);
    SomFinding *found = som_verification_add(
        r->out, &finding, "%s: the centre of mass is %s outside %s%s%s", verdict_of(code),
        som_verification_value(r->out, -finding.value, SOM_DIMENSION_LENGTH), edge.data,
        when.length > 0 ? when.data : "", tip.length > 0 ? tip.data : "");
    add_subjects(r, &stance, found);
    add_tolerance(r, "farthest out", found);
    propose(r, run, found);
    som_text_free(&edge);
    som_text_free(&when);
    som_text_free(&tip);
}

// What touches a step from its side is not predicted: neither that it falls, nor that it does not.
static void report_blocked(Report *r, const SomStability *stability) {
    int count = som_standing_tick_count(&r->motion), left = 0;
    for (int i = stability->first_blocked; i < r->motion.count;
         i = som_standing_next_tick(&r->motion, i)) {
        left++;
    }
    if (left > 0) {
        som_verification_not_checked(r->out, SOM_CHECK_STABILITY, SOM_STR("samples"), left, count,
                                     SOM_STR("the robot tips against the side of a step"));
    }
}

// Right above a point, or a line: a push is enough. What moves may pass over that.
static bool report_balancing(Report *r, const SomStability *stability) {
    const SomMotionSamples *motion = &r->motion;
    int count = motion->count, first = 0, last = -1;
    double tick = motion->dt * som_standing_stride(motion);
    for (int i = 0; i < count && last < 0; i = som_standing_next_tick(motion, i)) {
        int begin = i, end = -1;
        for (; i < count && fabs(stability->margins[i]) <= SOM_STANDING_SLACK;
             i = som_standing_next_tick(motion, i)) {
            end = i;
        }
        double time = (end - begin) * motion->dt + tick;
        if (end >= 0 &&
            ((i >= count && r->input->is_end) || time > r->input->options.t_max * (1 + 1e-9))) {
            first = begin;
            last = end;
        }
    }
    if (last < 0) {
        return false;
    }
    SomFinding finding = begin_finding(r, SOM_SMALL_MARGIN, first, last, first);
    SomStance stance = som_standing_measure_sample(r->standing, first);
    finding.value = 0;
    finding.limit = r->input->options.margin;
    SomText edge = {0};
    print_edge(r->input->mechanism, &stance, &edge);
    SomFinding *found = som_verification_add(
        r->out, &finding,
        "balances on %s: its centre of mass is right above it, and a push tips it over", edge.data);
    add_subjects(r, &stance, found);
    som_text_free(&edge);
    return true;
}

// The smallest margin that is below what was asked for, if it does stand there.
static void report_small_margin(Report *r, const SomStability *stability) {
    double least = r->input->options.margin;
    int first = -1, last = -1, worst = -1;
    for (int i = 0; i < r->motion.count; i = som_standing_next_tick(&r->motion, i)) {
        double margin = stability->margins[i];
        if (margin > SOM_STANDING_SLACK && margin < r->input->options.margin) {
            first = first < 0 ? i : first;
            last = i;
            worst = worst < 0 || margin < least ? i : worst;
            least = fmin(least, margin);
        }
    }
    if (worst < 0) {
        return;
    }
    SomFinding finding = begin_finding(r, SOM_SMALL_MARGIN, first, last, worst);
    som_standing_measure_sample(r->standing, worst);
    blame(r, worst, &finding);
    SomStance stance = som_standing_measure_sample(r->standing, worst);
    finding.value = stance.support.margin;
    finding.limit = r->input->options.margin;
    SomText edge = {0};
    print_edge(r->input->mechanism, &stance, &edge);
    SomFinding *found = som_verification_add(
        r->out, &finding, "%s at %s, required: %s",
        som_verification_value(r->out, finding.value, SOM_DIMENSION_LENGTH), edge.data,
        som_verification_value(r->out, finding.limit, SOM_DIMENSION_LENGTH));
    add_subjects(r, &stance, found);
    som_text_free(&edge);
}

static void keep_margins(Report *r, const SomStability *stability) {
    r->out->margin_centres = stability->margin_centres;
    if (stability->lowest >= 0) {
        double least = stability->margins[stability->lowest];
        r->out->min_margin = fabs(least) <= SOM_STANDING_SLACK ? 0 : least;
        r->out->min_margin_time = som_verify_time(r->input, stability->lowest);
    }
}

static double tilt_of(SomPose place) {
    SomVec3 up = som_mat3_apply(place.rotation, som_vec3(0, 0, 1));
    return acos(fmin(fmax(up.z, -1), 1));
}

// For plots and for who shows the motion.
static void keep_series(Report *r, const SomStability *stability) {
    SomVerification *out = r->out;
    int count = r->motion.count;
    double *margins =
        som_verification_add_series(out, SOM_STR("stability margin"), SOM_DIMENSION_LENGTH, 0);
    double *heights = som_verification_add_series(out, SOM_STR("height of the centre of mass"),
                                                  SOM_DIMENSION_LENGTH, (double)NAN);
    double *tilts = som_verification_add_series(out, SOM_STR("tilt of the body"),
                                                SOM_DIMENSION_ANGLE, (double)NAN);
    memcpy(margins, stability->margins, sizeof *margins * (size_t)count);
    memcpy(heights, stability->heights, sizeof *heights * (size_t)count);
    if (out->places == NULL) {
        out->places = som_arena_new(&out->arena, SomPose, count);
    }
    memcpy(out->places, stability->places, sizeof *out->places * (size_t)count);
    for (int i = 0; i < count; i++) {
        tilts[i] = tilt_of(stability->places[i]);
    }
}

// How it stands at every sample, to compare motions that come to one state.
static void keep_stances(Report *r, const SomStability *stability) {
    SomVerification *out = r->out;
    memcpy(out->places, stability->places, sizeof *out->places * (size_t)r->motion.count);
    for (int i = 0; i < stability->run_count; i++) {
        const SomUnsteadyRun *run = &stability->runs[i];
        for (int k = run->first; k <= run->last; k++) {
            out->unsteady[k] = (k - run->first + som_standing_stride(&r->motion)) * r->motion.dt;
        }
    }
}

void som_check_stability(const SomVerifyInput *input, SomVerification *out) {
    Report r = {.input = input,
                .out = out,
                .standing = som_verify_stand(input),
                .motion = som_verify_motion_samples(input)};
    SomStability *stability = som_stability_measure(r.standing, &r.motion, input->options.t_max);
    if (som_stop_is_asked(input->stop)) {
        som_stability_destroy(stability);
        som_standing_destroy(r.standing);
        return;
    }
    keep_margins(&r, stability);
    if (input->wants_series) {
        keep_series(&r, stability);
    }
    if (out->unsteady != NULL && out->places != NULL) {
        keep_stances(&r, stability);
    }
    bool is_unknown = stability->unknown == som_standing_tick_count(&r.motion);
    if (is_unknown) {
        report_no_support(&r);
    }
    report_blocked(&r, stability);
    for (int i = 0; i < stability->run_count && !is_unknown; i++) {
        const SomUnsteadyRun *run = &stability->runs[i];
        if (run->is_fall || (run->is_at_end && input->is_end)) {
            report_run(&r, stability, run);
        }
    }
    if (!report_balancing(&r, stability)) {
        report_small_margin(&r, stability);
    }
    if (input->graph != NULL) {
        report_leaning(&r, stability);
    } else {
        report_settling(&r);
    }
    som_second_opinion_support(input, r.standing, stability, out);
    som_stability_destroy(stability);
    som_standing_destroy(r.standing);
}
