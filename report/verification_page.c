// SPDX-License-Identifier: Apache-2.0
#include "report/verification_page.h"

#include "base/number.h"
#include "report/moment.h"
#include "report/page.h"
#include "report/plot.h"

#include <math.h>

static const char *const severities[] = {
    [SOM_NOTE] = "note", [SOM_WARNING] = "warning", [SOM_ERROR] = "error"};

static void print_seconds(SomText *out, double seconds) {
    som_text_number(out, round(seconds * 1000) / 1000);
    som_text_add(out, SOM_STR(" s"));
}

static int count_of(const SomVerification *found, SomSeverity severity) {
    int count = 0;
    for (int i = 0; i < found->findings.count; i++) {
        count += found->findings.data[i].severity == severity;
    }
    return count;
}

// ---- the head of the page

static void print_head(const SomVerificationPage *page, SomText *out) {
    const SomVerification *found = page->found;
    som_text_add(out, SOM_STR("<h1>"));
    som_page_text(out, page->design);
    if (page->behavior.length > 0) {
        som_text_add(out, SOM_STR(": "));
        som_page_text(out, page->behavior);
    }
    int errors = count_of(found, SOM_ERROR), warnings = count_of(found, SOM_WARNING);
    som_text_printf(out,
                    "</h1>\n<p class=\"verdict %s\">%s: %d error%s, %d warning%s</p>\n<table>\n",
                    found->is_safe ? "good" : "error", found->is_safe ? "safe" : "unsafe", errors,
                    errors == 1 ? "" : "s", warnings, warnings == 1 ? "" : "s");
}

static void open_row(SomText *out, const char *what) {
    som_text_printf(out, "<tr><th>%s</th><td>", what);
}

static void close_row(SomText *out, const SomVerification *found, double time) {
    if (found->is_behavior && isfinite(time)) {
        som_text_add(out, SOM_STR(" at "));
        print_seconds(out, time);
    }
    som_text_add(out, SOM_STR("</td></tr>\n"));
}

static void print_summary(const SomVerification *found, SomText *out) {
    if (found->is_behavior) {
        open_row(out, "duration");
        print_seconds(out, found->duration);
        som_text_printf(out, ", %d samples", found->sample_count);
        close_row(out, found, NAN);
    }
    if (isfinite(found->min_clearance)) {
        open_row(out, "smallest clearance");
        bool is_measured = found->clearance_a.length > 0;
        som_text_add(out, is_measured ? SOM_STR("") : SOM_STR("more than "));
        som_text_value(out, found->min_clearance, SOM_DIMENSION_LENGTH);
        if (is_measured) {
            som_text_add(out, SOM_STR(" between <code>"));
            som_page_text(out, found->clearance_a);
            som_text_add(out, SOM_STR("</code> and <code>"));
            som_page_text(out, found->clearance_b);
            som_text_add(out, SOM_STR("</code>"));
        }
        close_row(out, found, found->min_clearance_time);
    }
    if (isfinite(found->min_margin)) {
        open_row(out, "smallest stability margin");
        som_text_value(out, found->min_margin, SOM_DIMENSION_LENGTH);
        close_row(out, found, found->min_margin_time);
    }
    som_text_add(out, SOM_STR("</table>\n"));
}

// ---- findings

static void print_interval(const SomFinding *finding, SomText *out) {
    if (!isfinite(finding->t0)) {
        som_text_add(out, SOM_STR("&ndash;"));
        return;
    }
    print_seconds(out, finding->t0);
    if (finding->t1 > finding->t0) {
        som_text_add(out, SOM_STR(" &ndash; "));
        print_seconds(out, finding->t1);
    }
}

static void print_place(const SomVerificationPage *page, SomSpan span, SomText *out) {
    if (span.source1 == 0) {
        return;
    }
    SomPlace place = som_diagnostics_place(page->diags, span.source1, span.begin);
    som_text_add(out, SOM_STR("<br><code class=\"soft\">"));
    som_page_text(out, place.path);
    som_text_printf(out, ":%d:%d</code>", place.line, place.column);
}

static void print_finding(const SomVerificationPage *page, const SomFinding *finding,
                          SomText *out) {
    const char *severity = severities[finding->severity];
    som_text_printf(out, "<tr><td class=\"%s\">%s</td><td class=\"number\">", severity, severity);
    print_interval(finding, out);
    som_text_printf(out, "</td><td>%s</td><td>", som_check_info(finding->check).word);
    som_page_text(out, finding->message);
    if (finding->fix.length > 0) {
        som_text_add(out, SOM_STR("<br><span class=\"good\">"));
        som_page_text(out, finding->fix);
        som_text_add(out, SOM_STR("</span>"));
    }
    print_place(page, finding->span, out);
    som_text_add(out, SOM_STR("</td></tr>\n"));
}

static void print_findings(const SomVerificationPage *page, SomText *out) {
    const SomVerification *found = page->found;
    som_text_add(out, SOM_STR("<h2>Findings</h2>\n"));
    if (found->findings.count == 0) {
        som_text_add(out, SOM_STR("<p>None.</p>\n"));
        return;
    }
    som_text_add(out, SOM_STR("<table>\n<tr><th></th><th>when</th><th>check</th>"
                              "<th>what</th></tr>\n"));
    for (int i = 0; i < found->findings.count; i++) {
        print_finding(page, &found->findings.data[i], out);
    }
    som_text_add(out, SOM_STR("</table>\n"));
}

// What found nothing, in the words of the checks.
static void print_fine(const SomVerification *found, SomText *out) {
    som_text_add(out, SOM_STR("<h2>What is fine</h2>\n<ul>\n"));
    for (int check = 0; check < SOM_CHECKS; check++) {
        bool is_fine = !found->is_void[check];
        for (int i = 0; i < found->findings.count; i++) {
            is_fine = is_fine && found->findings.data[i].check != (SomCheck)check;
        }
        if (is_fine) {
            som_text_printf(out, "<li>%s</li>\n", som_check_info((SomCheck)check).fine);
        }
    }
    som_text_add(out, SOM_STR("</ul>\n"));
}

// ---- plots

static void print_series(const SomVerification *found, const SomSeries *series, SomText *out) {
    SOM_ARRAY(SomPlotSpan) spans = {0};
    for (int i = 0; i < found->findings.count; i++) {
        const SomFinding *finding = &found->findings.data[i];
        if (finding->severity == SOM_ERROR && finding->t0 <= finding->t1) {
            SomPlotSpan span = {finding->t0, finding->t1};
            som_array_push(&spans, span);
        }
    }
    const SomDimensionInfo *info = som_dimension_info(som_dimension(series->dimension));
    bool is_length = series->dimension == SOM_DIMENSION_LENGTH; // of robots: millimetres
    const SomUnit *unit = som_unit_find(is_length ? SOM_STR("mm") : info->unit);
    SomPlot plot = {.title = series->name,
                    .unit = unit != NULL ? (is_length ? SOM_STR("mm") : info->unit) : SOM_STR(""),
                    .scale = unit != NULL ? som_unit_from_si(unit, 1) : 1,
                    .times = found->times,
                    .values = series->values,
                    .count = found->sample_count,
                    .limit = series->limit,
                    .spans = spans.data,
                    .span_count = spans.count};
    som_plot_print(&plot, out);
    som_array_free(&spans);
}

static void print_plots(const SomVerification *found, SomText *out) {
    if (found->series.count == 0 || found->sample_count < 2) {
        return;
    }
    som_text_add(out, SOM_STR("<h2>Over time</h2>\n"));
    for (int i = 0; i < found->series.count; i++) {
        print_series(found, &found->series.data[i], out);
    }
    som_text_add(out, SOM_STR("<p class=\"soft\">Shaded: when an error lasts. Dashed: the "
                              "limit.</p>\n"));
}

// ---- pictures

// The moments worth a look: each finding's worst one, errors first; else those of the smallest
// margin and clearance; else the start.
static int choose_moments(const SomVerification *found, SomMoment *moments) {
    int count = 0;
    for (int severity = SOM_ERROR; severity >= SOM_WARNING; severity--) {
        for (int i = 0; i < found->findings.count && count < SOM_PAGE_MOST_PICTURES; i++) {
            const SomFinding *finding = &found->findings.data[i];
            if ((int)finding->severity == severity) {
                moments[count++] = (SomMoment){.time = finding->worst,
                                               .caption = finding->message,
                                               .subjects = finding->subjects,
                                               .subject_count = finding->subject_count};
            }
        }
    }
    if (count == 0 && found->clearance_a.length > 0) {
        moments[count++] = (SomMoment){.time = found->min_clearance_time,
                                       .caption = SOM_STR("the smallest clearance")};
    }
    if (count <= 1 && isfinite(found->min_margin) && found->is_behavior) {
        moments[count++] = (SomMoment){.time = found->min_margin_time,
                                       .caption = SOM_STR("the smallest stability margin")};
    }
    if (count == 0) {
        moments[count++] = (SomMoment){.time = NAN, .caption = SOM_STR("at the start")};
    }
    return count;
}

static void print_pictures(const SomVerificationPage *page, SomText *out) {
    SomMoment moments[SOM_PAGE_MOST_PICTURES + 1];
    int count = choose_moments(page->found, moments);
    SomMomentDef def = {.mechanism = page->mechanism,
                        .start = page->start,
                        .prediction = page->prediction,
                        .meshes = page->meshes};
    som_text_add(out, SOM_STR("<h2>Pictures</h2>\n<div class=\"pictures\">\n"));
    som_moments_print(&def, moments, count, out);
    som_text_add(out, SOM_STR("</div>\n"));
}

// ---- the end of the page

static void print_skipped(const SomVerification *found, SomText *out) {
    if (found->skipped.count == 0) {
        return;
    }
    som_text_add(out, SOM_STR("<h2>What was not looked at</h2>\n<table>\n<tr><th>what</th>"
                              "<th>how many</th><th>why</th></tr>\n"));
    for (int i = 0; i < found->skipped.count; i++) {
        const SomSkipped *skipped = &found->skipped.data[i];
        som_text_add(out, SOM_STR("<tr><td>"));
        som_page_text(out, skipped->what);
        som_text_printf(out, "</td><td class=\"number\">%d</td><td>", skipped->count);
        som_page_text(out, skipped->reason);
        som_text_add(out, SOM_STR("</td></tr>\n"));
    }
    som_text_add(out, SOM_STR("</table>\n"));
}

void som_verification_page_print(const SomVerificationPage *page, SomText *out) {
    som_page_open(out, page->design);
    print_head(page, out);
    print_summary(page->found, out);
    print_findings(page, out);
    print_pictures(page, out);
    print_plots(page->found, out);
    print_fine(page->found, out);
    print_skipped(page->found, out);
    som_page_close(out);
}
