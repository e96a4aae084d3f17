// SPDX-License-Identifier: Apache-2.0
// What was verified, for people.

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

// "error at 1.2 s", "warning from 1.2 s to 1.34 s", "error" of what has no time.
static void print_when(const SomFinding *f, SomText *out) {
    som_text_printf(out, "  %s", som_severity_word(f->severity));
    if (isnan(f->t0)) {
        return;
    }
    bool is_moment = !(f->t1 - f->t0 >= 0.0005);
    som_text_add(out, is_moment ? SOM_STR(" at ") : SOM_STR(" from "));
    print_seconds(out, f->t0);
    if (!is_moment) {
        som_text_add(out, SOM_STR(" to "));
        print_seconds(out, f->t1);
    }
}

static void print_place(const SomVerifyJobs *jobs, SomSpan span, SomText *out) {
    SomPlace place = som_diagnostics_place(jobs->command->diags, span.source1, span.begin);
    som_text_add_shown(out, place.path);
    som_text_printf(out, ":%d:%d", place.line, place.column);
}

static void print_finding(const SomVerifyJobs *jobs, const SomVerifyJob *job, const SomFinding *f,
                          SomText *out) {
    print_when(f, out);
    som_text_add(out, SOM_STR(": "));
    som_text_add_shown(out, f->message);
    som_text_printf(out, " [SOM%04d]\n", (int)f->code);
    if (f->span.source1 != 0) {
        som_text_add(out, SOM_STR("    "));
        print_place(jobs, f->span, out);
        if (f->action != SOM_NONE) {
            SomText words = {0};
            som_action_print(design_of(jobs, job)->configuration, job->graph, f->action, &words);
            som_text_add(out, SOM_STR(": "));
            som_text_add_shown(out, som_text_str(&words));
            som_text_free(&words);
        }
        som_text_add_char(out, '\n', 1);
    }
    if (f->other.source1 != 0) {
        som_text_add(out, SOM_STR("    "));
        print_place(jobs, f->other, out);
        som_text_add(out, SOM_STR(": the other one\n"));
    }
    for (int i = 0; i < f->step_count; i++) {
        som_text_add(out, SOM_STR("    "));
        print_place(jobs, f->steps[i].span, out);
        som_text_add(out, SOM_STR(": "));
        som_text_add_shown(out, f->steps[i].words);
        som_text_add_char(out, '\n', 1);
    }
    if (f->fix.length > 0) {
        som_text_add(out, SOM_STR("    to repair it: "));
        som_text_add_shown(out, f->fix);
        som_text_add_char(out, '\n', 1);
    }
}

// ---- what is fine

static void print_at(const SomVerification *v, double time, SomText *out) {
    if (v->is_behavior && !isnan(time)) {
        som_text_add(out, SOM_STR(" at t = "));
        print_seconds(out, time);
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

static void print_measures(const SomVerification *v, SomText *out) {
    if (!isnan(v->min_clearance)) {
        som_text_printf(out, "  %sminimum clearance ",
                        has_finding(v, SOM_CHECK_SELF_COLLISION) ? "" : "no collision; ");
        som_text_value(out, v->min_clearance, SOM_DIMENSION_LENGTH);
        som_text_add(out, SOM_STR(" between "));
        som_text_add_shown(out, v->clearance_a);
        som_text_add(out, SOM_STR(" and "));
        som_text_add_shown(out, v->clearance_b);
        print_at(v, v->min_clearance_time, out);
        som_text_add_char(out, '\n', 1);
    }
    if (!isnan(v->min_margin)) {
        som_text_add(out, SOM_STR("  smallest stability margin "));
        som_text_value(out, v->min_margin, SOM_DIMENSION_LENGTH);
        print_at(v, v->min_margin_time, out);
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

#define LINE 96 // columns

static void print_fine(const SomVerification *v, SomText *out) {
    SomText words = {0};
    size_t begin = out->length;
    for (int i = 0; i < SOM_CHECKS; i++) {
        SomCheckInfo info = som_check_info((SomCheck)i);
        // told with the measures
        bool is_told = (i == SOM_CHECK_SELF_COLLISION && !isnan(v->min_clearance)) ||
                       (i == SOM_CHECK_STABILITY && is_rocking(v));
        if (info.fine[0] == '\0' || is_told || has_finding(v, (SomCheck)i) || v->is_void[i]) {
            continue;
        }
        bool is_first = out->length == begin;
        if (!is_first && words.length + strlen(info.fine) + 2 > LINE) {
            som_text_add(out, SOM_STR(";\n  "));
            som_text_clear(&words);
        } else {
            som_text_add(out, is_first ? SOM_STR("  ") : SOM_STR("; "));
        }
        som_text_printf(&words, "%s; ", info.fine);
        som_text_printf(out, "%s", info.fine);
    }
    if (out->length > begin) {
        som_text_add_char(out, '\n', 1);
    }
    som_text_free(&words);
}

// ---- what was not looked at

// Everything with -v; else the reasons, with how many each is for.
static void print_skipped(const SomVerification *v, bool is_verbose, SomText *out) {
    for (int i = 0; is_verbose && i < v->skipped.count; i++) {
        const SomSkipped *s = &v->skipped.data[i];
        som_text_add(out, SOM_STR("  not looked at: "));
        som_text_add_shown(out, s->what);
        if (s->count > 1) {
            som_text_printf(out, " (%d)", s->count);
        }
        som_text_printf(out, ": %.*s\n", SOM_STR_ARG(s->reason));
    }
    if (is_verbose || v->skipped.count == 0) {
        return;
    }
    som_text_add(out, SOM_STR("  not looked at:"));
    const char *between = " ";
    for (int i = 0; i < v->skipped.count; i++) {
        long count = 0;
        bool is_first = true;
        for (int k = 0; k < v->skipped.count; k++) {
            bool is_same = som_str_equal(v->skipped.data[k].reason, v->skipped.data[i].reason);
            is_first &= !(is_same && k < i);
            count += is_same ? v->skipped.data[k].count : 0;
        }
        if (is_first) {
            som_text_printf(out, "%s%.*s (%ld)", between, SOM_STR_ARG(v->skipped.data[i].reason),
                            count);
            between = "; ";
        }
    }
    som_text_add(out, SOM_STR("; -v lists them\n"));
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
    som_text_printf(out, ": %s", v->is_safe ? "safe" : "unsafe");
    if (v->is_behavior) {
        som_text_add(out, SOM_STR(", "));
        print_seconds(out, v->duration);
        som_text_printf(out, " in %d samples", v->sample_count);
    }
    som_text_add_char(out, '\n', 1);
    for (int i = 0; i < v->findings.count; i++) {
        print_finding(jobs, job, &v->findings.data[i], out);
    }
    if (v->unkept > 0) {
        som_text_printf(out, "  and %d more\n", v->unkept);
    }
    print_fine(v, out);
    print_measures(v, out);
    print_skipped(v, jobs->is_verbose, out);
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
    som_text_printf(out, "%-7s %6d %8d", v->is_safe ? "safe" : "unsafe", count_of(v, SOM_ERROR),
                    count_of(v, SOM_WARNING));
    print_length_cell(out, v->min_clearance);
    print_length_cell(out, v->min_margin);
    if (v->is_behavior) {
        print_seconds(&lasts, v->duration);
    }
    som_text_printf(out, " %9s\n", v->is_behavior ? lasts.data : "-");
    som_text_free(&lasts);
}

static void print_table(const SomVerifyJobs *jobs, SomText *out) {
    int safe = 0;
    som_text_printf(out, "%-20s %-20s %-7s %6s %8s %11s %11s %9s\n", "design", "behavior",
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
        safe += jobs->all.data[i].found->is_safe;
    }
    if (jobs->failures.count == 0) {
        som_text_printf(out, "%d verified: %d safe, %d unsafe\n", jobs->all.count, safe,
                        jobs->all.count - safe);
    }
}

// What has errors is not safe, whatever the others are.
static void print_failures(const SomVerifyJobs *jobs, SomText *out) {
    int safe = 0;
    for (int i = 0; i < jobs->all.count; i++) {
        safe += jobs->all.data[i].found->is_safe;
    }
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
    som_text_printf(out, "not safe: %d of %d could not be verified (%d safe, %d unsafe)\n",
                    jobs->failures.count, jobs->failures.count + jobs->all.count, safe,
                    jobs->all.count - safe);
}

void som_verify_jobs_print(const SomVerifyJobs *jobs, SomText *out) {
    bool has_table = jobs->all.count > 1;
    for (int i = 0; i < jobs->all.count; i++) {
        const SomVerifyJob *job = &jobs->all.data[i];
        if (!has_table || jobs->is_verbose || job->found->findings.count > 0) {
            print_job(jobs, job, out);
            som_text_add(out, has_table ? SOM_STR("\n") : SOM_STR(""));
        }
    }
    if (has_table) {
        print_table(jobs, out);
    }
    if (jobs->failures.count > 0 && jobs->all.count > 0) {
        print_failures(jobs, out);
    }
}
