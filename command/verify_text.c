// SPDX-License-Identifier: Apache-2.0
// What was verified, for people.

#include "base/codes/verify_codes.h"
#include "base/name_list.h"
#include "base/number.h"
#include "behaviors/action_text.h"
#include "command/verify_jobs.h"

#include <math.h>

static const SomVerifyDesign *design_of(const SomVerifyJobs *jobs, const SomVerifyJob *job) {
    return &jobs->designs.data[job->design];
}

static void print_seconds(SomText *out, double seconds) {
    som_text_value(out, seconds, SOM_DIMENSION_TIME);
}

// ---- findings

static void print_line(SomStr text, const char *before, SomText *out) {
    som_text_printf(out, "    %s", before);
    som_text_add_shown(out, text);
    som_text_add_char(out, '\n', 1);
}

static void print_place(const SomVerifyJobs *jobs, SomSpan span, SomText *out) {
    SomPlace place = som_diagnostics_place(jobs->command->diags, span.source1, span.begin);
    som_text_add_shown(out, place.path);
    som_text_printf(out, ":%d:%d", place.line, place.column);
}

// Where an action is written, and what it does.
static void print_action(const SomVerifyJobs *jobs, const SomVerifyJob *job, SomSpan span,
                         int32_t action, SomText *out) {
    if (span.source1 == 0) {
        return;
    }
    som_text_add(out, SOM_STR("    "));
    print_place(jobs, span, out);
    if (action != SOM_NONE) {
        SomText words = {0};
        som_action_print(design_of(jobs, job)->configuration, job->graph, action, &words);
        som_text_add(out, SOM_STR(": "));
        som_text_add_shown(out, som_text_str(&words));
        som_text_free(&words);
    }
    som_text_add_char(out, '\n', 1);
}

static void print_finding(const SomVerifyJobs *jobs, const SomVerifyJob *job, const SomFinding *f,
                          SomText *out) {
    som_text_printf(out, "  %s: ", som_severity_word(f->severity));
    som_text_add_shown(out, f->message);
    som_text_printf(out, " [SOM%04d]\n", (int)f->code);
    if (f->details.length > 0) {
        print_line(f->details, "", out);
    }
    print_action(jobs, job, f->span, f->action, out);
    print_action(jobs, job, f->other, f->other_action, out);
    for (int i = 0; i < f->step_count; i++) {
        som_text_add(out, SOM_STR("    "));
        print_place(jobs, f->steps[i].span, out);
        som_text_add(out, SOM_STR(": "));
        som_text_add_shown(out, f->steps[i].words);
        som_text_add_char(out, '\n', 1);
    }
    if (f->fix.length > 0) {
        print_line(f->fix, "to repair it: ", out);
    }
}

// ---- what is fine

static void print_at(const SomVerification *v, double time, SomText *out) {
    if (v->is_behavior && !isnan(time)) {
        som_text_add(out, SOM_STR(" at t = "));
        print_seconds(out, time);
    }
}

// Where it is so only if sensors are not as assumed.
static void print_if(SomStr words, SomText *out) {
    if (words.length > 0) {
        som_text_add(out, SOM_STR(" if "));
        som_text_add_shown(out, words);
    }
}

static bool has_finding(const SomVerification *v, SomCheck check) {
    for (int i = 0; i < v->findings.count; i++) {
        if (v->findings.data[i].check == check) {
            return true;
        }
    }
    return false;
}

// Out of balance for moments, which is allowed.
static bool is_rocking(const SomVerification *v) {
    return v->is_behavior && v->min_margin < 0 && !has_finding(v, SOM_CHECK_STABILITY);
}

// Whether the claim that there are no collisions is told with the clearance.
static bool has_clearance_line(const SomVerification *v) {
    return !isnan(v->min_clearance) && v->except[SOM_CHECK_SELF_COLLISION].length == 0;
}

static void print_measures(const SomVerification *v, SomText *out) {
    if (!isnan(v->min_clearance)) {
        bool claims = som_verification_claims(v, SOM_CHECK_SELF_COLLISION) && has_clearance_line(v);
        som_text_printf(out, "  %sminimum clearance ", claims ? "no collision; " : "");
        som_text_value(out, v->min_clearance, SOM_DIMENSION_LENGTH);
        som_text_add(out, SOM_STR(" between "));
        som_text_add_shown(out, v->clearance_a);
        som_text_add(out, SOM_STR(" and "));
        som_text_add_shown(out, v->clearance_b);
        print_at(v, v->min_clearance_time, out);
        print_if(v->clearance_if, out);
        som_text_add_char(out, '\n', 1);
    }
    if (!isnan(v->min_margin)) {
        som_text_add(out, SOM_STR("  smallest stability margin "));
        som_text_value(out, v->min_margin, SOM_DIMENSION_LENGTH);
        print_at(v, v->min_margin_time, out);
        print_if(v->margin_if, out);
        if (is_rocking(v)) {
            som_text_add(out, SOM_STR(", but never out of balance for longer than t_max"));
        }
        if (!isnan(v->margin_centres)) {
            som_text_add(out, SOM_STR("; of module centres "));
            som_text_value(out, v->margin_centres, SOM_DIMENSION_LENGTH);
        }
        som_text_add_char(out, '\n', 1);
    }
    if (!isnan(v->first_touch_spheres)) {
        som_text_add(out, SOM_STR("  spheres round the modules touch"));
        if (v->is_behavior) {
            som_text_add(out, SOM_STR(" first at "));
            som_text_number(out, round(v->first_touch_spheres * 1000) / 10);
            som_text_add(out, SOM_STR(" % of the motion"));
        }
        som_text_add_char(out, '\n', 1);
    }
}

static void print_second(const SomSecondOpinion *second, SomText *out) {
    if (second->is_wanted) {
        som_text_add(out, SOM_STR("second opinion: "));
        som_second_opinion_print(second, out);
        som_text_add_char(out, '\n', 1);
    }
}

#define LINE 96 // columns

static void print_fine(const SomVerification *v, SomText *out) {
    SomText words = {0}, claim = {0};
    size_t begin = out->length;
    for (int i = 0; i < SOM_CHECKS; i++) {
        // told with the measures
        bool is_told = (i == SOM_CHECK_SELF_COLLISION && has_clearance_line(v)) ||
                       (i == SOM_CHECK_STABILITY && is_rocking(v));
        if (is_told || !som_verification_claims(v, (SomCheck)i)) {
            continue;
        }
        bool is_first = out->length == begin;
        som_text_clear(&claim);
        som_verification_print_claim(v, (SomCheck)i, &claim);
        if (!is_first && words.length + claim.length + 2 > LINE) {
            som_text_add(out, SOM_STR(";\n  "));
            som_text_clear(&words);
        } else {
            som_text_add(out, is_first ? SOM_STR("  ") : SOM_STR("; "));
        }
        som_text_printf(&words, "%s; ", claim.data);
        som_text_add_shown(out, som_text_str(&claim));
    }
    if (out->length > begin) {
        som_text_add_char(out, '\n', 1);
    }
    som_text_free(&words);
    som_text_free(&claim);
}

// ---- what was looked at, and what was not

// ", 12 of 12 pairs"; nothing of less than `least`.
static void print_part(SomText *out, long part, long all, long least, const char *what) {
    if (all >= least) {
        som_text_printf(out, ", %ld of %ld %s", part, all, what);
    }
}

static void print_coverage(const SomVerification *v, SomText *out) {
    for (int i = 0; i < SOM_CHECKS; i++) {
        const SomCoverage *c = &v->coverage[i];
        if (c->samples_total > 0) {
            som_text_printf(out, "  %s checked: %ld of %ld sample%s",
                            som_check_info((SomCheck)i).title, c->samples, c->samples_total,
                            c->samples_total == 1 ? "" : "s");
            print_part(out, c->pairs, c->pairs_total, 1, "pairs of links");
            print_part(out, c->branches, c->branches_total, 2, "branches");
            som_text_add_char(out, '\n', 1);
        }
    }
}

static void print_unchecked(const SomVerification *v, SomText *out) {
    for (int i = 0; i < v->skipped.count; i++) {
        const SomSkipped *skipped = &v->skipped.data[i];
        if (skipped->is_unchecked) {
            som_text_add(out, SOM_STR("  "));
            som_skipped_print(skipped, out);
            som_text_printf(out, " [SOM%04d]\n", (int)SOM_NOT_CHECKED);
        }
    }
}

static bool has_reason(const SomSkipped *skipped, SomStr reason) {
    return !skipped->is_unchecked && som_str_equal(skipped->reason, reason);
}

// The reasons, with how many each is for.
static void print_reasons(const SomVerification *v, SomText *out) {
    const char *between = "  not assessed: ";
    for (int i = 0; i < v->skipped.count; i++) {
        SomStr reason = v->skipped.data[i].reason;
        long count = 0;
        bool is_first = !v->skipped.data[i].is_unchecked;
        for (int k = 0; k < v->skipped.count; k++) {
            bool is_same = has_reason(&v->skipped.data[k], reason);
            is_first &= !(is_same && k < i);
            count += is_same ? v->skipped.data[k].count : 0;
        }
        if (is_first) {
            som_text_printf(out, "%s%.*s (%ld)", between, SOM_STR_ARG(reason), count);
            between = "; ";
        }
    }
    som_text_add(out, between[0] == ';' ? SOM_STR("; -v lists them\n") : SOM_STR(""));
}

static void print_unassessed(const SomVerification *v, SomText *out) {
    for (int i = 0; i < v->skipped.count; i++) {
        const SomSkipped *s = &v->skipped.data[i];
        if (!s->is_unchecked) {
            som_text_add(out, SOM_STR("  not assessed: "));
            som_text_add_shown(out, s->what);
            if (s->count > 1) {
                som_text_printf(out, " (%ld)", s->count);
            }
            som_text_printf(out, ": %.*s\n", SOM_STR_ARG(s->reason));
        }
    }
}

// ---- all of it

static void print_name(const SomVerifyJobs *jobs, const SomVerifyJob *job, SomText *out) {
    som_text_add_shown(out, design_of(jobs, job)->configuration->name);
    if (job->behavior.length > 0) {
        som_text_add(out, SOM_STR(" "));
        som_text_add_shown(out, job->behavior);
    }
}

static void print_job(const SomVerifyJobs *jobs, const SomVerifyJob *job, SomText *out) {
    const SomVerification *v = job->found;
    print_name(jobs, job, out);
    som_text_printf(out, ": %s", som_verdict_word(v->verdict));
    if (v->is_behavior) {
        som_text_add(out, SOM_STR(", "));
        print_seconds(out, v->duration);
        som_text_printf(out, " in %d sample%s", v->sample_count, v->sample_count == 1 ? "" : "s");
    }
    if (v->period > 0) {
        bool rests = v->period < 1.5 * SOM_VERIFY_TICK;
        som_text_add(out, rests ? SOM_STR(", then it stays as it is")
                                : SOM_STR(", then it repeats the last "));
        if (!rests) {
            print_seconds(out, v->period);
        }
    }
    som_text_add_char(out, '\n', 1);
    for (int i = 0; i < v->findings.count; i++) {
        print_finding(jobs, job, &v->findings.data[i], out);
    }
    if (v->omitted > 0) {
        som_text_printf(out, "  " SOM_AND_MORE "\n", v->omitted);
    }
    print_fine(v, out);
    print_measures(v, out);
    som_text_add(out, v->second.is_wanted ? SOM_STR("  ") : SOM_STR(""));
    print_second(&v->second, out);
    print_unchecked(v, out);
    if (jobs->is_verbose) {
        print_coverage(v, out);
        print_unassessed(v, out);
    } else {
        print_reasons(v, out);
    }
}

static void print_cell(SomText *out, SomStr text, int width) {
    SomText shown = {0};
    som_text_add_shown(&shown, text);
    som_text_printf(out, "%-*.*s ", width, width, som_text_str(&shown).data);
    som_text_free(&shown);
}

static void print_length_cell(SomText *out, double value) {
    SomText text = {0};
    if (isnan(value)) {
        som_text_add_char(&text, '-', 1);
    } else {
        som_text_value(&text, value, SOM_DIMENSION_LENGTH);
    }
    som_text_printf(out, " %11s", text.data);
    som_text_free(&text);
}

static int count_of(const SomVerification *v, SomSeverity severity) {
    int count = 0;
    for (int i = 0; i < v->findings.count; i++) {
        count += v->findings.data[i].severity == severity;
    }
    return count;
}

static void print_row(const SomVerifyJobs *jobs, const SomVerifyJob *job, SomText *out) {
    const SomVerification *v = job->found;
    SomText lasts = {0};
    print_cell(out, design_of(jobs, job)->configuration->name, 20);
    print_cell(out, job->behavior.length > 0 ? job->behavior : SOM_STR("-"), 20);
    som_text_printf(out, "%-10s %6d %8d", som_verdict_word(v->verdict), count_of(v, SOM_ERROR),
                    count_of(v, SOM_WARNING));
    print_length_cell(out, v->min_clearance);
    print_length_cell(out, v->min_margin);
    if (v->is_behavior) {
        print_seconds(&lasts, v->duration);
    }
    som_text_printf(out, " %9s\n", v->is_behavior ? lasts.data : "-");
    som_text_free(&lasts);
}

// "3 safe, 1 incomplete, 2 unsafe".
static void print_counts(const SomVerifyJobs *jobs, SomText *out) {
    int counts[SOM_VERDICTS] = {0};
    for (int i = 0; i < jobs->all.count; i++) {
        counts[jobs->all.data[i].found->verdict]++;
    }
    som_text_printf(out, "%d safe, ", counts[SOM_VERDICT_SAFE]);
    if (counts[SOM_VERDICT_INCOMPLETE] > 0) {
        som_text_printf(out, "%d incomplete, ", counts[SOM_VERDICT_INCOMPLETE]);
    }
    som_text_printf(out, "%d unsafe", counts[SOM_VERDICT_UNSAFE]);
}

static void print_table(const SomVerifyJobs *jobs, SomText *out) {
    som_text_printf(out, "%-20s %-20s %-10s %6s %8s %11s %11s %9s\n", "design", "behavior",
                    "verdict", "errors", "warnings", "clearance", "margin", "lasts");
    SomStr last = jobs->all.data[0].file;
    bool has_files = !som_str_equal(last, jobs->all.data[jobs->all.count - 1].file);
    for (int i = 0; i < jobs->all.count; i++) {
        SomStr file = jobs->all.data[i].file;
        if (has_files && (i == 0 || !som_str_equal(file, last))) {
            som_text_printf(out, "%.*s\n", SOM_STR_ARG(file));
        }
        last = file;
        print_row(jobs, &jobs->all.data[i], out);
    }
    if (jobs->failures.count == 0) {
        som_text_printf(out, "%d verified: ", jobs->all.count);
        print_counts(jobs, out);
        som_text_add(out, SOM_STR("\n"));
    }
}

// What has errors is not safe, whatever the others are.
static void print_failures(const SomVerifyJobs *jobs, SomText *out) {
    som_text_add(out, SOM_STR("not verified because of errors:\n"));
    for (int i = 0; i < jobs->failures.count; i++) {
        const SomVerifyFailure *failure = &jobs->failures.data[i];
        som_text_add(out, SOM_STR("  "));
        som_text_add_shown(out, failure->file);
        som_text_add(out, failure->design.length > 0 ? SOM_STR(": ") : SOM_STR(""));
        som_text_add_shown(out, failure->design);
        som_text_add(out, failure->behavior.length > 0 ? SOM_STR(" ") : SOM_STR(""));
        som_text_add_shown(out, failure->behavior);
        som_text_add_char(out, '\n', 1);
    }
    som_text_printf(out, "not safe: %d of %d could not be verified (", jobs->failures.count,
                    jobs->failures.count + jobs->all.count);
    print_counts(jobs, out);
    som_text_add(out, SOM_STR(")\n"));
}

void som_verify_jobs_print(const SomVerifyJobs *jobs, SomText *out) {
    bool has_table = jobs->all.count > 1;
    for (int i = 0; i < jobs->all.count; i++) {
        const SomVerifyJob *job = &jobs->all.data[i];
        bool is_plain = job->found->findings.count == 0 && job->found->verdict == SOM_VERDICT_SAFE;
        if (!has_table || jobs->is_verbose || !is_plain) {
            print_job(jobs, job, out);
            som_text_add(out, has_table ? SOM_STR("\n") : SOM_STR(""));
        }
    }
    if (has_table) {
        SomSecondOpinion all = som_verify_jobs_second_opinion(jobs);
        print_table(jobs, out);
        print_second(&all, out);
    }
    if (jobs->failures.count > 0 && jobs->all.count > 0) {
        print_failures(jobs, out);
    }
}
