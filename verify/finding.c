// SPDX-License-Identifier: Apache-2.0
#include "base/codes/verify_codes.h"
#include "base/number.h"
#include "modules/joint_limit.h"
#include "verify/finding_internal.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

static const SomCheckInfo infos[SOM_CHECKS] = {
#define SOM_CHECK(name, function, word, title, fine) {word, title, fine},
#include "verify/checks.inc"
#undef SOM_CHECK
};

const char *som_verdict_word(SomVerdict verdict) {
    static const char *const words[SOM_VERDICTS] = {"safe", "incomplete", "unsafe"};
    assert(0 <= (int)verdict && verdict < SOM_VERDICTS);
    return words[verdict];
}

SomCheckInfo som_check_info(SomCheck check) {
    assert(0 <= (int)check && check < SOM_CHECKS);
    return infos[check];
}

SomVerification *som_verification_create(void) {
    SomVerification *out = som_alloc(sizeof *out);
    double *const unknown[] = {&out->min_clearance,  &out->min_clearance_time,
                               &out->min_margin,     &out->min_margin_time,
                               &out->margin_centres, &out->first_touch_spheres};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        *unknown[i] = (double)NAN;
    }
    return out;
}

void som_verification_destroy(SomVerification *verification) {
    if (verification == NULL) {
        return;
    }
    som_array_free(&verification->findings);
    som_array_free(&verification->series);
    som_array_free(&verification->skipped);
    som_arena_free(&verification->arena);
    som_free(verification);
}

// Words of a user may be of any length; a message that nobody would read to its end is cut.
#define MOST_MESSAGE 2000

// Seconds; what lasts for less is a moment.
#define SHORTEST_INTERVAL 0.0005

static SomStr keep_message(SomVerification *out, SomText *text) {
    SomStr kept = som_arena_copy(&out->arena, som_str_slice(som_text_str(text), 0, MOST_MESSAGE));
    som_text_free(text);
    return kept;
}

static SomStr print(SomVerification *out, const char *format, va_list args) {
    SomText text = {0};
    som_text_vprintf(&text, format, args);
    return keep_message(out, &text);
}

const char *som_finding_title(SomCode code) {
    switch (code) {
#define SOM_FINDING_TITLE(name, title)                                                             \
    case SOM_##name:                                                                               \
        return title;
#include "verify/titles.inc"
#undef SOM_FINDING_TITLE
    default:
        return "";
    }
}

// " at 1.2 s", " from 1.2 s to 1.34 s"; nothing for what has no time.
static void print_when(const SomFinding *finding, SomText *out) {
    if (isnan(finding->t0)) {
        return;
    }
    bool is_moment = !(finding->t1 - finding->t0 >= SHORTEST_INTERVAL);
    som_text_add(out, is_moment ? SOM_STR(" at ") : SOM_STR(" from "));
    som_text_value(out, finding->t0, SOM_DIMENSION_TIME);
    if (!is_moment) {
        som_text_add(out, SOM_STR(" to "));
        som_text_value(out, finding->t1, SOM_DIMENSION_TIME);
    }
}

// "Collision: 'foot' and 'arm' at 1.63 s, 45 mm deep".
static void compose_message(SomVerification *out, SomFinding *finding) {
    SomText text = {0};
    bool has_more = finding->who.length > 0 || !isnan(finding->t0);
    som_text_printf(&text, "%s:%s%.*s", som_finding_title(finding->code),
                    finding->who.length > 0 ? " " : "", SOM_STR_ARG(finding->who));
    print_when(finding, &text);
    som_text_add(&text, has_more ? SOM_STR(", ") : SOM_STR(" "));
    som_text_add(&text, finding->text);
    finding->message = keep_message(out, &text);
}

void som_verification_take_back(SomVerification *out, int finding) {
    bool is_complete = true, has_errors = false;
    out->findings.count--;
    for (int i = 0; i < out->findings.count; i++) {
        SomFinding *at = &out->findings.data[i];
        *at = i >= finding ? at[1] : *at;
        has_errors = has_errors || at->severity == SOM_ERROR;
    }
    for (int i = 0; i < out->skipped.count; i++) {
        is_complete = is_complete && !out->skipped.data[i].is_unchecked;
    }
    out->verdict = has_errors    ? SOM_VERDICT_UNSAFE
                   : is_complete ? SOM_VERDICT_SAFE
                                 : SOM_VERDICT_INCOMPLETE;
}

SomFinding *som_verification_add(SomVerification *out, const SomFinding *finding,
                                 const char *format, ...) {
    SomFinding kept = *finding;
    kept.severity = som_code_severity(finding->code);
    if (kept.severity == SOM_ERROR) {
        out->verdict = SOM_VERDICT_UNSAFE;
    }
    if (out->findings.count >= SOM_MAX_FINDINGS) {
        out->omitted++;
        out->spare = (SomFinding){0};
        return &out->spare;
    }
    SomStr *subjects = som_arena_new(&out->arena, SomStr, finding->subject_count + 1);
    for (int i = 0; i < finding->subject_count; i++) {
        subjects[i] = som_arena_copy(&out->arena, finding->subjects[i]);
    }
    kept.subjects = subjects;
    kept.who = som_arena_copy(&out->arena, finding->who);
    kept.details = som_arena_copy(&out->arena, finding->details);
    kept.fix = som_arena_copy(&out->arena, finding->fix);
    va_list args;
    va_start(args, format);
    kept.text = print(out, format, args);
    va_end(args);
    compose_message(out, &kept);
    som_array_push(&out->findings, kept);
    return &out->findings.data[out->findings.count - 1];
}

void som_finding_add_subject(SomVerification *out, SomFinding *finding, SomStr path) {
    if (finding == &out->spare) {
        return;
    }
    // one or two, so a new array for each is no waste
    SomStr *subjects = som_arena_new(&out->arena, SomStr, finding->subject_count + 1);
    for (int i = 0; i < finding->subject_count; i++) {
        subjects[i] = finding->subjects[i];
    }
    subjects[finding->subject_count++] = som_arena_copy(&out->arena, path);
    finding->subjects = subjects;
}

void som_finding_add_step(SomVerification *out, SomFinding *finding, SomSpan span, SomStr words) {
    SomFindingStep *steps = som_arena_new(&out->arena, SomFindingStep, finding->step_count + 1);
    for (int i = 0; i < finding->step_count; i++) {
        steps[i] = finding->steps[i];
    }
    steps[finding->step_count++] = (SomFindingStep){span, som_arena_copy(&out->arena, words)};
    finding->steps = steps;
}

void som_finding_set_who(SomVerification *out, SomFinding *finding, SomStr who) {
    finding->who = som_arena_copy(&out->arena, who);
    compose_message(out, finding);
}

void som_finding_set_details(SomVerification *out, SomFinding *finding, const char *format, ...) {
    if (finding == &out->spare) {
        return;
    }
    va_list args;
    va_start(args, format);
    finding->details = print(out, format, args);
    va_end(args);
}

void som_finding_set_fix(SomVerification *out, SomFinding *finding, const char *format, ...) {
    if (finding == &out->spare) {
        return;
    }
    va_list args;
    va_start(args, format);
    finding->fix = print(out, format, args);
    va_end(args);
}

double *som_verification_add_series(SomVerification *out, SomStr name, SomDimensionName dimension,
                                    double limit) {
    SomSeries series = {som_arena_copy(&out->arena, name), dimension, limit,
                        som_arena_new(&out->arena, double, out->sample_count)};
    for (int i = 0; i < out->sample_count; i++) {
        series.values[i] = (double)NAN;
    }
    som_array_push(&out->series, series);
    return series.values;
}

// ---- parts of a motion

static double *series_of(SomVerification *out, const SomSeries *like) {
    for (int i = 0; i < out->series.count; i++) {
        if (som_str_equal(out->series.data[i].name, like->name)) {
            return out->series.data[i].values;
        }
    }
    return som_verification_add_series(out, like->name, like->dimension, like->limit);
}

static void join_measures(SomVerification *out, const SomVerification *part) {
    if (!isnan(part->min_clearance) && !(part->min_clearance >= out->min_clearance)) {
        out->min_clearance = part->min_clearance;
        out->min_clearance_time = part->min_clearance_time;
        out->clearance_a = part->clearance_a;
        out->clearance_b = part->clearance_b;
    }
    if (!isnan(part->min_margin) && !(part->min_margin >= out->min_margin)) {
        out->min_margin = part->min_margin;
        out->min_margin_time = part->min_margin_time;
    }
    out->margin_centres = fmin(out->margin_centres, part->margin_centres);
    out->first_touch_spheres = fmin(out->first_touch_spheres, part->first_touch_spheres);
}

void som_second_opinion_join(SomSecondOpinion *into, const SomSecondOpinion *part) {
    into->is_wanted = into->is_wanted || part->is_wanted;
    into->pairs += part->pairs;
    into->moments += part->moments;
    into->polygons += part->polygons;
    into->hulls += part->hulls;
    into->disagreements += part->disagreements;
    into->max_difference = fmax(into->max_difference, part->max_difference);
}

void som_verification_join(SomVerification *out, SomVerification *part, int first) {
    for (int i = 0; i < part->findings.count; i++) {
        if (out->findings.count < SOM_MAX_FINDINGS) {
            som_array_push(&out->findings, part->findings.data[i]);
        } else {
            out->omitted++;
        }
    }
    out->omitted += part->omitted;
    out->verdict = part->verdict > out->verdict ? part->verdict : out->verdict;
    for (int i = 0; i < part->series.count; i++) {
        memcpy(series_of(out, &part->series.data[i]) + first, part->series.data[i].values,
               (size_t)part->sample_count * sizeof(double));
    }
    for (int i = 0; i < SOM_CHECKS; i++) {
        out->except[i] = out->except[i].length > 0 ? out->except[i] : part->except[i];
    }
    som_verification_join_coverage(out, part);
    join_measures(out, part);
    som_second_opinion_join(&out->second, &part->second);
    som_arena_join(&out->arena, &part->arena);
    som_verification_destroy(part);
}

// ---- other motions

static bool is_known(const SomVerification *out, const SomFinding *finding) {
    for (int i = 0; i < out->findings.count; i++) {
        const SomFinding *f = &out->findings.data[i];
        bool is_same = f->check == finding->check && f->code == finding->code &&
                       f->action == finding->action && f->span.source1 == finding->span.source1 &&
                       f->span.begin == finding->span.begin &&
                       f->subject_count == finding->subject_count;
        for (int k = 0; k < f->subject_count && is_same; k++) {
            is_same = som_str_equal(f->subjects[k], finding->subjects[k]);
        }
        if (is_same) {
            return true;
        }
    }
    return false;
}

// Says what sensors must be for it.
static void add_condition(SomVerification *branch, SomFinding *finding, SomStr words) {
    SomText text = {0};
    som_text_add(&text, finding->message);
    som_text_printf(&text, ", if %.*s", SOM_STR_ARG(words));
    finding->message = som_arena_copy(&branch->arena, som_text_str(&text));
    som_text_free(&text);
}

void som_verification_join_branch(SomVerification *out, SomVerification *branch, SomStr words) {
    for (int i = 0; i < branch->findings.count; i++) {
        SomFinding *finding = &branch->findings.data[i];
        if (is_known(out, finding)) {
            continue;
        }
        add_condition(branch, finding, words);
        if (out->findings.count < SOM_MAX_FINDINGS) {
            som_array_push(&out->findings, *finding);
        } else {
            out->omitted++;
        }
    }
    out->omitted += branch->omitted;
    out->verdict = branch->verdict > out->verdict ? branch->verdict : out->verdict;
    som_verification_join_coverage(out, branch);
    bool is_nearer = branch->min_clearance < out->min_clearance;
    bool is_less = branch->min_margin < out->min_margin;
    join_measures(out, branch);
    branch->second.hulls = 0; // of the same links
    som_second_opinion_join(&out->second, &branch->second);
    SomStr kept = som_arena_copy(&out->arena, words);
    out->clearance_if = is_nearer ? kept : out->clearance_if;
    out->margin_if = is_less ? kept : out->margin_if;
    som_arena_join(&out->arena, &branch->arena);
    som_verification_destroy(branch);
}

// ---- order

static int compare_times(double a, double b) {
    bool has_a = !isnan(a), has_b = !isnan(b);
    if (!has_a || !has_b) {
        return has_a - has_b;
    }
    return (a > b) - (a < b);
}

static int compare(const void *left, const void *right) {
    const SomFinding *a = left, *b = right;
    int order = compare_times(a->t0, b->t0);
    order = order != 0 ? order : (int)a->check - (int)b->check;
    order = order != 0 ? order : (int)a->code - (int)b->code;
    for (int i = 0; order == 0 && i < a->subject_count && i < b->subject_count; i++) {
        order = som_str_compare(a->subjects[i], b->subjects[i]);
    }
    order = order != 0 ? order : compare_times(a->t1, b->t1);
    return order != 0 ? order : som_str_compare(a->message, b->message);
}

void som_verification_finish(SomVerification *out) {
    som_verification_finish_coverage(out);
    if (out->findings.count > 1) {
        qsort(out->findings.data, (size_t)out->findings.count, sizeof *out->findings.data, compare);
    }
}

// ---- words

// people think of parts of robots in millimetres
static SomStr unit_of(SomDimensionName dimension) {
    return dimension == SOM_DIMENSION_LENGTH  ? SOM_STR("mm")
           : dimension == SOM_DIMENSION_SPEED ? SOM_STR("mm/s")
                                              : som_dimension_info(som_dimension(dimension))->unit;
}

static double in_unit(double value, SomDimensionName dimension) {
    SomStr unit = unit_of(dimension);
    return unit.length == 0 ? value : som_unit_from_si(som_unit_find(unit), value);
}

static void print_number(SomText *out, double number, SomDimensionName dimension) {
    // below a billionth of the unit it is what rounding has left
    som_text_number(out, fabs(number) < 1e-9 ? 0 : number);
    SomStr unit = unit_of(dimension);
    if (unit.length > 0) {
        som_text_printf(out, " %.*s", SOM_STR_ARG(unit));
    }
}

void som_text_value(SomText *out, double value, SomDimensionName dimension) {
    double number = in_unit(value, dimension);
    // moments are told to a millisecond, the rest to four digits
    number =
        dimension == SOM_DIMENSION_TIME ? round(number * 1e3) / 1e3 : som_number_round(number, 4);
    print_number(out, number, dimension);
}

void som_text_exact(SomText *out, double value, double other, SomDimensionName dimension) {
    double number = in_unit(value, dimension), against = in_unit(other, dimension);
    double near = in_unit(SOM_LIMIT_TOLERANCE, dimension) / 2;
    int digits = 4;
    while (digits < 15 && (fabs(som_number_round(number, digits) - number) > near ||
                           (number != against && som_number_round(number, digits) ==
                                                     som_number_round(against, digits)))) {
        digits++;
    }
    print_number(out, som_number_round(number, digits), dimension);
}

static void print_count(SomText *out, long count, const char *one, const char *many,
                        const char *after) {
    som_text_printf(out, "%ld %s%s", count, count == 1 ? one : many, after);
}

void som_second_opinion_print(const SomSecondOpinion *second, SomText *out) {
    if (second->pairs == 0 && second->polygons == 0 && second->hulls == 0) {
        som_text_add(out, SOM_STR("there was nothing to compute"));
        return;
    }
    print_count(out, second->pairs, "pair", "pairs", " at ");
    print_count(out, second->moments, "moment", "moments", ", ");
    print_count(out, second->polygons, "support polygon", "support polygons", ", ");
    print_count(out, second->hulls, "hull", "hulls", "");
    if (second->disagreements > 0) {
        som_text_add(out, SOM_STR(": "));
        print_count(out, second->disagreements, "disagreement", "disagreements", " beyond");
    } else {
        som_text_add(out, SOM_STR(" agree to"));
    }
    bool is_large = second->disagreements == 0 && second->max_difference > SOM_SECOND_TOLERANCE;
    som_text_printf(out, " 1e-6 %s (libccd, qhull)", is_large ? "of their size" : "m");
}

static const char *keep(SomVerification *out, SomText *text) {
    SomStr kept = som_arena_copy(&out->arena, som_text_str(text));
    som_text_free(text);
    return kept.data;
}

const char *som_verification_value(SomVerification *out, double value, SomDimensionName dimension) {
    SomText text = {0};
    som_text_value(&text, value, dimension);
    return keep(out, &text);
}

const char *som_verification_exact(SomVerification *out, double value, double other,
                                   SomDimensionName dimension) {
    SomText text = {0};
    som_text_exact(&text, value, other, dimension);
    return keep(out, &text);
}

SomStr som_verification_quote(SomVerification *out, SomStr name) {
    SomText text = {0};
    som_text_printf(&text, "'%.*s'", SOM_STR_ARG(name));
    return som_str(keep(out, &text));
}
