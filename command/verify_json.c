// SPDX-License-Identifier: Apache-2.0
// What was verified, for programs.

#include "behaviors/action_text.h"
#include "command/inputs.h"
#include "command/verify_jobs.h"

#include <math.h>
#include <stdio.h>

static void write_strings(SomJsonWriter *json, const char *key, const SomStr *values, int count) {
    som_json_key(json, som_str(key));
    som_json_open_array(json);
    for (int i = 0; i < count; i++) {
        som_json_string(json, values[i]);
    }
    som_json_close_array(json);
}

// ---- findings

static void write_place(const SomVerifyJobs *jobs, SomSpan span) {
    SomJsonWriter *json = &jobs->command->json;
    SomPlace place = som_diagnostics_place(jobs->command->diags, span.source1, span.begin);
    som_json_member_string(json, "file", place.path);
    som_json_member_integer(json, "line", place.line);
    som_json_member_integer(json, "column", place.column);
}

static void write_action(const SomVerifyJobs *jobs, const SomVerifyJob *job, int32_t node) {
    SomJsonWriter *json = &jobs->command->json;
    SomText words = {0};
    som_action_print(jobs->designs.data[job->design].configuration, job->graph, node, &words);
    som_json_member_string(json, "action", som_text_str(&words));
    som_json_member_string(json, "action_path", som_str(som_graph_path(job->graph, node)));
    som_text_free(&words);
}

static void write_steps(const SomVerifyJobs *jobs, const SomFinding *f) {
    SomJsonWriter *json = &jobs->command->json;
    som_json_key(json, SOM_STR("calls"));
    som_json_open_array(json);
    for (int i = 0; i < f->step_count; i++) {
        som_json_open_object(json);
        write_place(jobs, f->steps[i].span);
        som_json_member_string(json, "message", f->steps[i].words);
        som_json_close_object(json);
    }
    som_json_close_array(json);
}

static void write_finding(const SomVerifyJobs *jobs, int job, const SomFinding *f) {
    SomJsonWriter *json = &jobs->command->json;
    char code[16];
    snprintf(code, sizeof code, "SOM%04d", (int)f->code);
    som_json_open_object(json);
    som_json_member_integer(json, "result", job);
    som_json_member_string(json, "check", som_str(som_check_info(f->check).word));
    som_json_member_string(json, "code", som_str(code));
    som_json_member_string(json, "severity", som_str(som_severity_word(f->severity)));
    som_json_member_number(json, "t0", f->t0);
    som_json_member_number(json, "t1", f->t1);
    som_json_member_number(json, "worst", f->worst);
    write_strings(json, "subjects", f->subjects, f->subject_count);
    som_json_member_number(json, "value", f->value);
    som_json_member_number(json, "limit", f->limit);
    int count;
    som_json_member_string(json, "dimension", som_dimensions(&count)[f->dimension].name);
    som_json_member_number(json, "tolerance", f->tolerance);
    som_json_member_string(json, "title", som_str(som_finding_title(f->code)));
    som_json_member_string(json, "message", f->message);
    som_json_member_string(json, "details", f->details);
    if (f->span.source1 != 0) {
        write_place(jobs, f->span);
    }
    if (f->other.source1 != 0) {
        som_json_key(json, SOM_STR("other"));
        som_json_open_object(json);
        write_place(jobs, f->other);
        if (f->other_action != SOM_NONE) {
            write_action(jobs, &jobs->all.data[job], f->other_action);
        }
        som_json_close_object(json);
    }
    if (f->action != SOM_NONE) {
        write_action(jobs, &jobs->all.data[job], f->action);
    }
    if (f->step_count > 0) {
        write_steps(jobs, f);
    }
    if (f->fix.length > 0) {
        som_json_member_string(json, "fix", f->fix);
    }
    som_json_close_object(json);
}

// ---- results

static void write_second(SomJsonWriter *json, const SomSecondOpinion *second) {
    if (!second->is_wanted) {
        return;
    }
    som_json_key(json, SOM_STR("second_opinion"));
    som_json_open_object(json);
    som_json_member_integer(json, "pairs", second->pairs);
    som_json_member_integer(json, "moments", second->moments);
    som_json_member_integer(json, "polygons", second->polygons);
    som_json_member_integer(json, "hulls", second->hulls);
    som_json_member_integer(json, "disagreements", second->disagreements);
    som_json_member_number(json, "max_difference", second->max_difference);
    som_json_member_number(json, "tolerance", SOM_SECOND_TOLERANCE);
    som_json_close_object(json);
}

static void write_skipped(SomJsonWriter *json, const SomVerification *v) {
    som_json_key(json, SOM_STR("skipped"));
    som_json_open_array(json);
    for (int i = 0; i < v->skipped.count; i++) {
        som_json_open_object(json);
        som_json_member_string(json, "check",
                               som_str(som_check_info(v->skipped.data[i].check).word));
        som_json_member_string(json, "kind",
                               v->skipped.data[i].is_unchecked ? SOM_STR("not_checked")
                                                               : SOM_STR("not_assessed"));
        som_json_member_string(json, "what", v->skipped.data[i].what);
        som_json_member_integer(json, "count", v->skipped.data[i].count);
        som_json_member_integer(json, "total", v->skipped.data[i].total);
        som_json_member_string(json, "reason", v->skipped.data[i].reason);
        som_json_close_object(json);
    }
    som_json_close_array(json);
}

static void write_coverage(SomJsonWriter *json, const SomVerification *v) {
    som_json_key(json, SOM_STR("coverage"));
    som_json_open_array(json);
    for (int i = 0; i < SOM_CHECKS; i++) {
        const SomCoverage *c = &v->coverage[i];
        som_json_open_object(json);
        som_json_member_string(json, "check", som_str(som_check_info((SomCheck)i).word));
        som_json_member_integer(json, "samples", c->samples);
        som_json_member_integer(json, "samples_total", c->samples_total);
        som_json_member_integer(json, "pairs", c->pairs);
        som_json_member_integer(json, "pairs_total", c->pairs_total);
        som_json_member_integer(json, "branches", c->branches);
        som_json_member_integer(json, "branches_total", c->branches_total);
        som_json_key(json, SOM_STR("claim"));
        if (som_verification_claims(v, (SomCheck)i)) {
            SomText claim = {0};
            som_verification_print_claim(v, (SomCheck)i, &claim);
            som_json_string(json, som_text_str(&claim));
            som_text_free(&claim);
        } else {
            som_json_null(json);
        }
        som_json_close_object(json);
    }
    som_json_close_array(json);
}

static void write_series(SomJsonWriter *json, const SomVerification *v) {
    int count;
    som_json_key(json, SOM_STR("times"));
    som_json_numbers(json, v->times, v->sample_count);
    som_json_key(json, SOM_STR("series"));
    som_json_open_array(json);
    for (int i = 0; i < v->series.count; i++) {
        const SomSeries *s = &v->series.data[i];
        som_json_open_object(json);
        som_json_member_string(json, "name", s->name);
        som_json_member_string(json, "dimension", som_dimensions(&count)[s->dimension].name);
        som_json_member_number(json, "limit", s->limit);
        som_json_key(json, SOM_STR("values"));
        som_json_numbers(json, s->values, v->sample_count);
        som_json_close_object(json);
    }
    som_json_close_array(json);
}

static void write_measures(SomJsonWriter *json, const SomVerification *v) {
    som_json_member_number(json, "min_clearance", v->min_clearance);
    som_json_member_number(json, "min_clearance_time",
                           v->is_behavior ? v->min_clearance_time : (double)NAN);
    if (v->clearance_a.length > 0) {
        const SomStr between[] = {v->clearance_a, v->clearance_b};
        write_strings(json, "min_clearance_between", between, 2);
    }
    som_json_member_number(json, "min_margin", v->min_margin);
    som_json_member_number(json, "min_margin_time",
                           v->is_behavior ? v->min_margin_time : (double)NAN);
    som_json_member_number(json, "margin_centres", v->margin_centres);
    som_json_member_number(json, "first_touch_spheres", v->first_touch_spheres);
}

static void write_result(const SomVerifyJobs *jobs, const SomVerifyJob *job) {
    SomJsonWriter *json = &jobs->command->json;
    const SomVerification *v = job->found;
    som_json_open_object(json);
    som_json_member_string(json, "file", job->file);
    som_json_member_string(json, "config", jobs->designs.data[job->design].configuration->name);
    som_json_key(json, SOM_STR("behavior"));
    if (v->is_behavior) {
        som_json_string(json, job->behavior);
    } else {
        som_json_null(json);
    }
    som_command_write_inputs(jobs->command, job->graph);
    som_json_member_string(json, "verdict", som_str(som_verdict_word(v->verdict)));
    som_json_member_number(json, "duration", v->duration);
    som_json_member_integer(json, "samples", v->sample_count);
    som_json_member_number(json, "period", v->period > 0 ? v->period : (double)NAN);
    som_json_member_integer(json, "findings", v->findings.count + v->omitted);
    write_measures(json, v);
    write_second(json, &v->second);
    write_coverage(json, v);
    write_skipped(json, v);
    if (jobs->wants_series) {
        write_series(json, v);
    }
    som_json_close_object(json);
}

// ---- all of it

// Of all results the worst: durations and samples are added up, measures are those of the result
// with the smallest one.
static SomVerification join(const SomVerifyJobs *jobs) {
    double none = (double)NAN;
    SomVerification all = {.verdict = som_verify_jobs_verdict(jobs),
                           .second = som_verify_jobs_second_opinion(jobs),
                           .is_behavior = true,
                           .min_clearance = none,
                           .min_clearance_time = none,
                           .min_margin = none,
                           .min_margin_time = none,
                           .margin_centres = none,
                           .first_touch_spheres = none};
    for (int i = 0; i < jobs->all.count; i++) {
        const SomVerification *v = jobs->all.data[i].found;
        all.duration += v->duration;
        all.sample_count += v->sample_count;
        if (!(v->min_clearance >= all.min_clearance) && !isnan(v->min_clearance)) {
            all.min_clearance = v->min_clearance;
            all.min_clearance_time = v->is_behavior ? v->min_clearance_time : none;
            all.clearance_a = v->clearance_a;
            all.clearance_b = v->clearance_b;
        }
        if (!(v->min_margin >= all.min_margin) && !isnan(v->min_margin)) {
            all.min_margin = v->min_margin;
            all.min_margin_time = v->is_behavior ? v->min_margin_time : none;
        }
        all.margin_centres = fmin(all.margin_centres, v->margin_centres);
        all.first_touch_spheres = fmin(all.first_touch_spheres, v->first_touch_spheres);
    }
    return all;
}

static void write_failures(const SomVerifyJobs *jobs) {
    SomJsonWriter *json = &jobs->command->json;
    som_json_key(json, SOM_STR("failures"));
    som_json_open_array(json);
    for (int i = 0; i < jobs->failures.count; i++) {
        const SomVerifyFailure *failure = &jobs->failures.data[i];
        som_json_open_object(json);
        som_json_member_string(json, "file", failure->file);
        som_json_member_string(json, "design", failure->design);
        som_json_member_string(json, "behavior", failure->behavior);
        som_json_close_object(json);
    }
    som_json_close_array(json);
}

void som_verify_jobs_write(const SomVerifyJobs *jobs) {
    SomJsonWriter *json = &jobs->command->json;
    SomVerification all = join(jobs);
    som_json_member_string(json, "verdict", som_str(som_verdict_word(all.verdict)));
    som_json_member_number(json, "duration", all.duration);
    som_json_member_integer(json, "samples", all.sample_count);
    som_json_key(json, SOM_STR("findings"));
    som_json_open_array(json);
    for (int i = 0; i < jobs->all.count; i++) {
        const SomVerification *v = jobs->all.data[i].found;
        for (int k = 0; k < v->findings.count; k++) {
            write_finding(jobs, i, &v->findings.data[k]);
        }
    }
    som_json_close_array(json);
    write_measures(json, &all);
    write_second(json, &all.second);
    som_json_member_integer(json, "not_verified", jobs->failures.count);
    write_failures(jobs);
    som_json_key(json, SOM_STR("results"));
    som_json_open_array(json);
    for (int i = 0; i < jobs->all.count; i++) {
        write_result(jobs, &jobs->all.data[i]);
    }
    som_json_close_array(json);
}
