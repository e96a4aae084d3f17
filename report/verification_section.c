// SPDX-License-Identifier: Apache-2.0
#include "base/number.h"
#include "behaviors/action_text.h"
#include "report/page.h"
#include "report/series_plot.h"
#include "report/verification_section_internal.h"

#include <math.h>

// Findings that are shown at once; the others open with a click.
#define FINDINGS_AT_ONCE 8
// Findings this near to each other share a picture; seconds.
#define SAME_MOMENT 0.0205

static const char *const severities[] = {
    [SOM_NOTE] = "note", [SOM_WARNING] = "warning", [SOM_ERROR] = "error"};

int som_verification_count(const SomVerification *found, SomSeverity severity) {
    int count = 0;
    for (int i = 0; i < found->findings.count; i++) {
        count += found->findings.data[i].severity == severity;
    }
    return count;
}

void som_verification_print_name(const SomVerificationSection *section, SomText *out) {
    som_page_text(out, section->design);
    if (section->behavior.length > 0) {
        som_text_add(out, SOM_STR(": "));
        som_page_text(out, section->behavior);
    }
}

void som_verification_print_verdict(SomVerdict verdict, SomText *out) {
    static const char *const badges[SOM_VERDICTS] = {"good", "warning", "error"};
    som_text_printf(out, "<span class=\"badge %s\">%s</span>", badges[verdict],
                    som_verdict_word(verdict));
}

// ---- the head

static void print_counts(const SomVerification *found, SomText *out) {
    for (int severity = SOM_ERROR; severity >= SOM_NOTE; severity--) {
        int count = som_verification_count(found, (SomSeverity)severity);
        if (count > 0) {
            som_text_printf(out, "<span class=\"badge %s\">%d %s%s</span>", severities[severity],
                            count, severities[severity], count == 1 ? "" : "s");
        }
    }
}

static void print_head(const SomVerificationSection *section, int number, int level, SomText *out) {
    som_text_printf(out, "<section id=\"r%d\">\n<header class=\"title\"><h%d>", number, level);
    som_verification_print_name(section, out);
    som_text_printf(out, "</h%d>", level);
    som_verification_print_verdict(section->found->verdict, out);
    print_counts(section->found, out);
    som_text_add(out, SOM_STR("</header>\n"));
    if (section->file.length > 0) {
        som_text_add(out, SOM_STR("<p><code class=\"soft\">"));
        som_page_text(out, section->file);
        som_text_add(out, SOM_STR("</code></p>\n"));
    }
}

static void open_tile(SomText *out, const char *what) {
    som_text_printf(out, "<div><dt>%s</dt><dd>", what);
}

static void print_at(const SomVerification *found, double time, SomText *out) {
    if (found->is_behavior && isfinite(time)) {
        som_text_add(out, SOM_STR(" at "));
        som_text_value(out, time, SOM_DIMENSION_TIME);
    }
}

static void print_clearance(const SomVerification *found, SomText *out) {
    open_tile(out, "smallest clearance");
    som_text_value(out, found->min_clearance, SOM_DIMENSION_LENGTH);
    print_at(found, found->min_clearance_time, out);
    som_text_add(out, SOM_STR("<small>"));
    som_page_text(out, found->clearance_a);
    som_text_add(out, SOM_STR(" and "));
    som_page_text(out, found->clearance_b);
    som_text_add(out, SOM_STR("</small></dd></div>\n"));
}

static void print_tiles(const SomVerification *found, SomText *out) {
    som_text_add(out, SOM_STR("<dl class=\"tiles\">\n"));
    if (found->is_behavior) {
        open_tile(out, "duration");
        som_text_value(out, found->duration, SOM_DIMENSION_TIME);
        som_text_printf(out, "<small>%d samples, and the motion between them</small></dd></div>\n",
                        found->sample_count);
    }
    if (isfinite(found->min_clearance)) {
        print_clearance(found, out);
    }
    if (isfinite(found->min_margin)) {
        open_tile(out, "smallest stability margin");
        som_text_value(out, found->min_margin, SOM_DIMENSION_LENGTH);
        print_at(found, found->min_margin_time, out);
        som_text_add(out, SOM_STR("</dd></div>\n"));
    }
    som_text_add(out, SOM_STR("</dl>\n"));
}

// ---- findings

static void print_action(const SomVerificationSection *section, SomSpan span, int32_t action,
                         SomDiagnostics *diags, SomText *out) {
    if (span.source1 == 0) {
        return;
    }
    SomPlace place = som_diagnostics_place(diags, span.source1, span.begin);
    som_text_add(out, SOM_STR("<p><code class=\"soft\">"));
    som_page_text(out, place.path);
    som_text_printf(out, ":%d:%d", place.line, place.column);
    if (action != SOM_NONE && section->graph != NULL) {
        SomText words = {0};
        som_action_print(section->mechanism->configuration, section->graph, action, &words);
        som_text_add(out, SOM_STR(": "));
        som_page_text(out, som_text_str(&words));
        som_text_free(&words);
    }
    som_text_add(out, SOM_STR("</code></p>"));
}

static void print_finding(const SomVerificationSection *section, const SomFinding *finding,
                          SomDiagnostics *diags, SomText *out) {
    const char *severity = severities[finding->severity];
    som_text_printf(out, "<li class=\"%s\"><p><b>%s</b>", severity, severity);
    som_text_printf(out, "<br><span class=\"soft\">%s, SOM%04d</span></p><div><p>",
                    som_check_info(finding->check).word, (int)finding->code);
    som_page_text(out, finding->message);
    som_text_add(out, SOM_STR("</p>"));
    if (finding->details.length > 0) {
        som_text_add(out, SOM_STR("<p class=\"soft\">"));
        som_page_text(out, finding->details);
        som_text_add(out, SOM_STR("</p>"));
    }
    if (finding->fix.length > 0) {
        som_text_add(out, SOM_STR("<p class=\"good\">to repair it: "));
        som_page_text(out, finding->fix);
        som_text_add(out, SOM_STR("</p>"));
    }
    print_action(section, finding->span, finding->action, diags, out);
    print_action(section, finding->other, finding->other_action, diags, out);
    som_text_add(out, SOM_STR("</div></li>\n"));
}

// Errors, then warnings, then notes: the first ones at once.
static void print_findings(const SomVerificationSection *section, SomDiagnostics *diags,
                           SomText *out) {
    const SomVerification *found = section->found;
    if (found->findings.count == 0) {
        return;
    }
    int shown = 0, hidden = found->findings.count - FINDINGS_AT_ONCE;
    som_text_add(out, SOM_STR("<h3>Findings</h3>\n<ol class=\"findings\">\n"));
    for (int severity = SOM_ERROR; severity >= SOM_NOTE; severity--) {
        for (int i = 0; i < found->findings.count; i++) {
            if ((int)found->findings.data[i].severity != severity) {
                continue;
            }
            if (shown++ == FINDINGS_AT_ONCE) {
                som_text_printf(out,
                                "</ol>\n<details><summary>%d more</summary>\n"
                                "<ol class=\"findings\">\n",
                                hidden);
            }
            print_finding(section, &found->findings.data[i], diags, out);
        }
    }
    som_text_add(out, hidden > 0 ? SOM_STR("</ol></details>\n") : SOM_STR("</ol>\n"));
    if (found->omitted > 0) {
        som_text_printf(out, "<p>And %d that were not kept.</p>\n", found->omitted);
    }
}

// ---- pictures

typedef struct Moments {
    SOM_ARRAY(SomMoment) all;
    SomArena arena; // of captions and subjects
} Moments;

static bool is_same_moment(double a, double b) {
    return fabs(a - b) < SAME_MOMENT || (isnan(a) && isnan(b));
}

// The findings of one severity near to the one at `first`, in one picture.
static void add_moment(const SomVerification *found, int first, Moments *moments) {
    const SomFinding *finding = &found->findings.data[first];
    SOM_ARRAY(SomStr) subjects = {0};
    SomText caption = {0};
    int others = 0;
    som_text_add(&caption, finding->message);
    for (int i = 0; i < found->findings.count; i++) {
        const SomFinding *other = &found->findings.data[i];
        if (other->severity == finding->severity && is_same_moment(other->worst, finding->worst)) {
            others += i != first;
            for (int k = 0; k < other->subject_count; k++) {
                som_array_push(&subjects, other->subjects[k]);
            }
        }
    }
    if (others > 0) {
        som_text_printf(&caption, "; and %d more then", others);
    }
    SomStr *kept = som_arena_alloc(&moments->arena, (size_t)subjects.count + 1, sizeof *kept);
    for (int i = 0; i < subjects.count; i++) {
        kept[i] = subjects.data[i];
    }
    SomMoment moment = {.time = finding->worst,
                        .caption = som_arena_copy(&moments->arena, som_text_str(&caption)),
                        .subjects = kept,
                        .subject_count = subjects.count};
    som_array_push(&moments->all, moment);
    som_array_free(&subjects);
    som_text_free(&caption);
}

static bool has_moment(const SomVerification *found, int finding) {
    const SomFinding *this = &found->findings.data[finding];
    for (int i = 0; i < finding; i++) {
        const SomFinding *other = &found->findings.data[i];
        if (other->severity == this->severity && is_same_moment(other->worst, this->worst)) {
            return true;
        }
    }
    return false;
}

// The moments worth a look: the worst ones of findings, errors first; then those of the smallest
// clearance and margin; else the start.
static void choose_moments(const SomVerification *found, Moments *moments) {
    for (int severity = SOM_ERROR; severity >= SOM_WARNING; severity--) {
        for (int i = 0; i < found->findings.count; i++) {
            if ((int)found->findings.data[i].severity == severity && !has_moment(found, i)) {
                add_moment(found, i, moments);
            }
        }
    }
    if (found->clearance_a.length > 0 && found->is_behavior) {
        SomMoment moment = {.time = found->min_clearance_time,
                            .caption = SOM_STR("the smallest clearance")};
        som_array_push(&moments->all, moment);
    }
    if (isfinite(found->min_margin) && found->is_behavior) {
        SomMoment moment = {.time = found->min_margin_time,
                            .caption = SOM_STR("the smallest stability margin")};
        som_array_push(&moments->all, moment);
    }
    if (moments->all.count == 0) {
        SomMoment moment = {.time = NAN, .caption = SOM_STR("at the start")};
        som_array_push(&moments->all, moment);
    }
}

static void print_pictures(const SomVerificationSection *section, SomArtist *artist, int most,
                           SomText *out) {
    Moments moments = {0};
    choose_moments(section->found, &moments);
    SomMomentDef def = {.mechanism = section->mechanism,
                        .start = section->start,
                        .prediction = section->prediction,
                        .meshes = section->meshes};
    int count = moments.all.count < most ? moments.all.count : most;
    if (count > 0) {
        som_text_add(out, SOM_STR("<h3>Moments to look at</h3>\n"));
    }
    som_moments_print(artist, &def, moments.all.data, count, out);
    som_artist_refuse(artist, moments.all.count - count);
    som_array_free(&moments.all);
    som_arena_free(&moments.arena);
}

// ---- plots

static void print_series(const SomVerification *found, const SomSeries *series, SomText *out) {
    SOM_ARRAY(SomPlotSpan) spans = {0};
    for (int i = 0; i < found->findings.count; i++) {
        const SomFinding *finding = &found->findings.data[i];
        if (finding->severity != SOM_ERROR || !(finding->t0 <= finding->t1)) {
            continue;
        }
        // findings come by their beginnings: one that overlaps the last span makes it longer
        SomPlotSpan span = {finding->t0, finding->t1};
        SomPlotSpan *last = spans.count > 0 ? &spans.data[spans.count - 1] : NULL;
        if (last != NULL && span.t0 <= last->t1) {
            last->t1 = fmax(last->t1, span.t1);
        } else {
            som_array_push(&spans, span);
        }
    }
    SomPlot plot = som_series_plot(found, series);
    plot.spans = spans.data;
    plot.span_count = spans.count;
    som_plot_print(&plot, out);
    som_array_free(&spans);
}

static void print_plots(const SomVerification *found, SomText *out) {
    if (found->series.count == 0 || found->sample_count < 2) {
        return;
    }
    som_text_add(out, SOM_STR("<h3>Over time</h3>\n<div class=\"plots\">\n"));
    for (int i = 0; i < found->series.count; i++) {
        print_series(found, &found->series.data[i], out);
    }
    som_text_add(out, SOM_STR("</div>\n<p class=\"soft\">Dashed: the limit. Shaded: while an error "
                              "lasts.</p>\n"));
}

// ---- the end

// What found nothing, in the words of the checks.
static void print_fine(const SomVerification *found, SomText *out) {
    const char *between = "<h3>What is fine</h3>\n<p>";
    for (int check = 0; check < SOM_CHECKS; check++) {
        if (som_verification_claims(found, (SomCheck)check)) {
            som_text_printf(out, "%s", between);
            som_verification_print_claim(found, (SomCheck)check, out);
            between = "; ";
        }
    }
    som_text_add(out, between[0] == ';' ? SOM_STR(".</p>\n") : SOM_STR(""));
}

static void print_second(const SomVerification *found, SomText *out) {
    if (found->second.is_wanted) {
        SomText words = {0};
        som_second_opinion_print(&found->second, &words);
        som_text_add(out, SOM_STR("<h3>Second opinion</h3>\n<p>"));
        som_page_text(out, som_text_str(&words));
        som_text_add(out, SOM_STR(".</p>\n"));
        som_text_free(&words);
    }
}

// One of the two kinds; false if there is none of it.
static bool print_skipped(const SomVerification *found, bool is_unchecked, SomText *out) {
    bool is_any = false;
    for (int i = 0; i < found->skipped.count; i++) {
        const SomSkipped *skipped = &found->skipped.data[i];
        if (skipped->is_unchecked != is_unchecked) {
            continue;
        }
        if (!is_any) {
            som_text_add(out, SOM_STR("<div class=\"scroll\"><table>\n<tr><th>check</th>"
                                      "<th>what</th><th class=\"number\">how many</th>"
                                      "<th>why</th></tr>\n"));
        }
        is_any = true;
        som_text_printf(out, "<tr><td>%s</td><td>", som_check_info(skipped->check).title);
        som_page_text(out, skipped->what);
        som_text_printf(out, "</td><td class=\"number\">%ld", skipped->count);
        if (skipped->total > 0) {
            som_text_printf(out, " of %ld", skipped->total);
        }
        som_text_add(out, SOM_STR("</td><td>"));
        som_page_text(out, skipped->reason);
        som_text_add(out, SOM_STR("</td></tr>\n"));
    }
    som_text_add(out, is_any ? SOM_STR("</table></div>\n") : SOM_STR(""));
    return is_any;
}

static void print_gaps(const SomVerification *found, SomText *out) {
    SomText rows = {0};
    if (print_skipped(found, true, &rows)) {
        som_text_add(out, SOM_STR("<h3>What was not checked</h3>\n"));
        som_text_add(out, som_text_str(&rows));
    }
    som_text_clear(&rows);
    if (print_skipped(found, false, &rows)) {
        som_text_add(out, SOM_STR("<details><summary>What was not assessed</summary>\n"));
        som_text_add(out, som_text_str(&rows));
        som_text_add(out, SOM_STR("</details>\n"));
    }
    som_text_free(&rows);
}

void som_verification_section_print(const SomVerificationSection *section, int number, int level,
                                    SomDiagnostics *diags, SomArtist *artist, int pictures,
                                    SomText *out) {
    print_head(section, number, level, out);
    print_tiles(section->found, out);
    print_pictures(section, artist, pictures, out);
    print_plots(section->found, out);
    print_findings(section, diags, out);
    print_fine(section->found, out);
    print_second(section->found, out);
    print_gaps(section->found, out);
    som_text_add(out, SOM_STR("</section>\n"));
}
