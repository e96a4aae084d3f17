// SPDX-License-Identifier: Apache-2.0
#include "studio/findings.h"

#include "base/codes/verify_codes.h"
#include "base/number.h"

#include <math.h>

static SomFindingRow *add_row(SomFindingRows *rows, SomSeverity severity, SomCode code,
                              SomStr words) {
    rows->errors += severity == SOM_ERROR;
    rows->warnings += severity == SOM_WARNING;
    if (rows->all.count >= SOM_MAX_FINDING_ROWS) {
        rows->unlisted++;
        return NULL;
    }
    SomFindingRow row = {.severity = severity, .code = code, .module = -1, .motion = -1};
    som_text_add_shown(&row.words, words);
    som_text_add(&row.detail, SOM_STR(""));
    som_text_add(&row.replacement, SOM_STR(""));
    som_array_push(&rows->all, row);
    return &rows->all.data[rows->all.count - 1];
}

static void add_detail(SomFindingRow *row, SomStr words) {
    som_text_add(&row->detail, row->detail.length > 0 ? SOM_STR(", ") : SOM_STR(""));
    som_text_add_shown(&row->detail, words);
}

// ---- of the text

// "line 4", of another file "smores.m3l, line 4".
static void add_place(SomFindingRow *row, const SomProject *project, SomSpan span) {
    if (span.source1 == 0) {
        return;
    }
    SomPlace place =
        som_diagnostics_place(som_project_diagnostics(project), span.source1, span.begin);
    SomText words = {0};
    if (!som_project_is_own(project, span)) {
        som_text_printf(&words, "%.*s, ", SOM_STR_ARG(place.path));
    }
    som_text_printf(&words, "line %d", place.line);
    add_detail(row, som_text_str(&words));
    som_text_free(&words);
}

static void add_fix(SomFindingRow *row, const SomProject *project, const SomDiagnostic *fix) {
    if (!som_project_is_own(project, fix->span) || row->has_fix) {
        return;
    }
    row->has_fix = true;
    row->fix = fix->span;
    som_text_clear(&row->replacement);
    som_text_add(&row->replacement, fix->message);
    SomStr now = som_str_slice(som_project_text(project), fix->span.begin, fix->span.end);
    SomText words = {0};
    if (now.length == 0) {
        som_text_printf(&words, "add '%.*s'", SOM_STR_ARG(fix->message));
    } else if (fix->message.length == 0) {
        som_text_printf(&words, "take '%.*s' away", SOM_STR_ARG(now));
    } else {
        som_text_printf(&words, "change '%.*s' to '%.*s'", SOM_STR_ARG(now),
                        SOM_STR_ARG(fix->message));
    }
    add_detail(row, som_text_str(&words));
    som_text_free(&words);
}

static void add_text_rows(SomFindingRows *rows, const SomProject *project) {
    int count;
    const SomDiagnostic *all = som_diagnostics_get(som_project_diagnostics(project), &count);
    SomFindingRow *row = NULL; // that notes and fixes belong to
    for (int i = 0; i < count; i++) {
        const SomDiagnostic *d = &all[i];
        if (d->kind == SOM_DIAGNOSTIC_REPORT) {
            row = add_row(rows, d->severity, d->code, d->message);
            if (row != NULL) {
                row->is_own = som_project_is_own(project, d->span);
                row->span = d->span;
                add_place(row, project, d->span);
            }
        } else if (row != NULL && d->kind == SOM_DIAGNOSTIC_NOTE) {
            add_detail(row, d->message);
        } else if (row != NULL) {
            add_fix(row, project, d);
        }
    }
}

// ---- of the posture, and of a motion

static void add_verdict_row(SomFindingRows *rows, const SomProject *project,
                            const SomFinding *finding, int motion) {
    SomFindingRow *row = add_row(rows, finding->severity, finding->code, finding->message);
    if (row == NULL) {
        return;
    }
    row->is_verdict = true;
    row->motion = motion;
    if (finding->details.length > 0) {
        add_detail(row, finding->details);
    }
    const SomConfiguration *design = som_project_model(project)->configuration;
    for (int i = 0; i < finding->subject_count && row->module < 0; i++) {
        row->module = som_posture_verdict_module_of(design, finding->subjects[i]);
    }
    // places are of the text that was verified
    bool is_of_text = !som_project_is_stale(project);
    row->is_own = is_of_text && som_project_is_own(project, finding->span);
    row->span = finding->span;
    if (is_of_text) {
        add_place(row, project, finding->span);
        add_place(row, project, finding->other);
    }
    if (finding->fix.length > 0) {
        add_detail(row, finding->fix);
    }
}

static void add_unchecked(SomFindingRows *rows, const SomSkipped *skipped) {
    SomText words = {0};
    som_skipped_print(skipped, &words);
    SomFindingRow *row = add_row(rows, SOM_NOTE, SOM_NOT_CHECKED, som_text_str(&words));
    if (row != NULL) {
        row->is_verdict = true;
    }
    rows->unchecked++;
    som_text_free(&words);
}

static void add_found(SomFindingRows *rows, const SomProject *project, const SomVerification *found,
                      bool is_motion) {
    for (int severity = SOM_ERROR; severity >= SOM_NOTE; severity--) {
        for (int i = 0; i < found->findings.count; i++) {
            const SomFinding *finding = &found->findings.data[i];
            if ((int)finding->severity == severity) {
                add_verdict_row(rows, project, finding, is_motion ? i : -1);
            }
        }
    }
    for (int i = 0; i < found->skipped.count; i++) {
        if (found->skipped.data[i].is_unchecked) {
            add_unchecked(rows, &found->skipped.data[i]);
        }
    }
}

static void add_verdict_rows(SomFindingRows *rows, const SomProject *project) {
    const SomPostureVerdict *verdict = som_project_verdict(project);
    if (verdict->found != NULL && verdict->is_of_model) {
        add_found(rows, project, verdict->found, false);
    }
}

void som_finding_rows_add_motion(SomFindingRows *rows, const SomProject *project,
                                 const SomVerification *found) {
    add_found(rows, project, found, true);
}

// ---- all of them

SomFindingRows som_finding_rows(const SomProject *project) {
    SomFindingRows rows = {.revision = som_project_revision(project)};
    add_text_rows(&rows, project);
    add_verdict_rows(&rows, project);
    return rows;
}

void som_finding_rows_free(SomFindingRows *rows) {
    for (int i = 0; i < rows->all.count; i++) {
        som_text_free(&rows->all.data[i].words);
        som_text_free(&rows->all.data[i].detail);
        som_text_free(&rows->all.data[i].replacement);
    }
    som_array_free(&rows->all);
    *rows = (SomFindingRows){0};
}

static bool is_same_text(const SomText *a, const SomText *b) {
    return som_str_equal(som_text_str(a), som_text_str(b));
}

static bool is_same_span(SomSpan a, SomSpan b) {
    return a.source1 == b.source1 && a.begin == b.begin && a.end == b.end;
}

bool som_finding_rows_equal(const SomFindingRows *a, const SomFindingRows *b) {
    bool is_same = a->all.count == b->all.count && a->unlisted == b->unlisted;
    for (int i = 0; is_same && i < a->all.count; i++) {
        const SomFindingRow *x = &a->all.data[i], *y = &b->all.data[i];
        is_same = x->severity == y->severity && x->module == y->module && x->motion == y->motion &&
                  x->is_own == y->is_own && is_same_span(x->span, y->span) &&
                  is_same_span(x->fix, y->fix) && is_same_text(&x->words, &y->words) &&
                  is_same_text(&x->detail, &y->detail);
    }
    return is_same;
}

static void add_count(SomText *out, int count, const char *word) {
    if (count > 0) {
        som_text_printf(out, "%s%d %s%s", out->length > 0 ? ", " : "", count, word,
                        count == 1 ? "" : "s");
    }
}

void som_finding_rows_summarize(const SomFindingRows *rows, SomText *out) {
    SomText words = {0};
    add_count(&words, rows->errors, "error");
    add_count(&words, rows->warnings, "warning");
    int others = rows->all.count + rows->unlisted - rows->errors - rows->warnings;
    add_count(&words, others - rows->unchecked, "note");
    if (rows->unchecked > 0) {
        som_text_printf(&words, "%s%d not checked", words.length > 0 ? ", " : "", rows->unchecked);
    }
    if (rows->unlisted > 0) {
        som_text_printf(&words, "; the first %d are listed", rows->all.count);
    }
    som_text_add(out, words.length > 0 ? som_text_str(&words) : SOM_STR("No findings"));
    som_text_free(&words);
}

void som_finding_rows_fix(const SomFindingRows *rows, int index, SomProject *project) {
    const SomFindingRow *row = &rows->all.data[index];
    SomStr now = som_project_text(project);
    if (!row->has_fix || rows->revision != som_project_revision(project)) {
        return;
    }
    SomText text = {0};
    som_text_add(&text, som_str_slice(now, 0, row->fix.begin));
    som_text_add(&text, som_text_str(&row->replacement));
    som_text_add(&text, som_str_slice(now, row->fix.end, now.length));
    som_project_set_text(project, som_text_str(&text));
    som_text_free(&text);
}

bool som_finding_badge(const SomProject *project, SomSeverity *severity, SomText *words) {
    const SomPostureVerdict *verdict = som_project_verdict(project);
    int errors = som_diagnostics_error_count(som_project_diagnostics(project));
    *severity = errors > 0 ? SOM_ERROR : verdict->severity;
    if (errors > 0) {
        som_text_printf(words, "%d error%s in the text", errors, errors == 1 ? "" : "s");
        return true;
    }
    som_text_add(words, som_text_str(&verdict->summary));
    return verdict->is_known;
}
