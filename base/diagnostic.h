// base/diagnostic.h - everything Somite tells a user about their files.
//
// A diagnostic has a stable code, a place in a source text, a message, and optionally notes and
// fix-its. Reporting never prints and never fails: the command line renders to text or JSON, the
// studio to marks in the editor and the 3D view, a test compares.
//
//     uint32_t source1 = som_diagnostics_add_source(diags, path, text);
//     som_report(diags, SOM_DOCK_OCCUPIED, span, "dock '%s' is already connected", name);
//     som_note(diags, first_use, "it was connected here");
//     som_fix(diags, name_span, SOM_STR("right"));
//
// Messages are lower case without a full stop and quote the user's own names. Source texts are
// borrowed and must outlive the diagnostics; messages and replacements are copied. A message may
// quote anything, control characters or a megabyte: what is too long is cut, what would disturb the
// terminal is shown as '?'.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic_code.h"
#include "base/json_writer.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Of one source, no more reports than this are kept, the last hundred for errors; the rest are
// counted.
#define SOM_MAX_KEPT_DIAGNOSTICS 1000

// A piece of a source text. source1 is 1 + index in SomDiagnostics; 0 means no place, and so does
// one that the diagnostics do not know: such a report or note is kept without a place, a fix-it is
// not kept.
typedef struct SomSpan {
    uint32_t source1;
    uint32_t begin;
    uint32_t end;
} SomSpan;

// By source, then by begin, then by end.
int som_span_compare(SomSpan a, SomSpan b);

// Both count from 1. Columns count characters, not bytes; a byte that is not UTF-8 counts as one. A
// line ends at "\n" or "\r\n".
typedef struct SomPlace {
    SomStr path;
    int line;
    int column;
    SomStr text; // the whole line, without its end
} SomPlace;

typedef enum SomDiagnosticKind {
    SOM_DIAGNOSTIC_REPORT,
    SOM_DIAGNOSTIC_NOTE, // belongs to the report before it
    SOM_DIAGNOSTIC_FIX,  // likewise; its message is the replacement for its span
} SomDiagnosticKind;

typedef struct SomDiagnostic {
    SomDiagnosticKind kind;
    SomSeverity severity;
    SomCode code; // SOM_NO_CODE unless a report
    SomSpan span;
    SomStr message;
} SomDiagnostic;

typedef struct SomDiagnostics SomDiagnostics;

SomDiagnostics *som_diagnostics_create(void);
void som_diagnostics_destroy(SomDiagnostics *diags); // NULL is allowed

// Empty, but with the sources of another list, so that spans of it mean the same here.
SomDiagnostics *som_diagnostics_create_with_sources(const SomDiagnostics *other);

// Registers a source text, which must outlive diags; the path is copied. Returns source1 for spans.
uint32_t som_diagnostics_add_source(SomDiagnostics *diags, SomStr path, SomStr text);

__attribute__((format(printf, 4, 5))) void som_report(SomDiagnostics *diags, SomCode code,
                                                      SomSpan span, const char *format, ...);

// The same for functions that take such a format themselves.
__attribute__((format(printf, 4, 0))) void som_report_list(SomDiagnostics *diags, SomCode code,
                                                           SomSpan span, const char *format,
                                                           va_list args);

// Both attach to the diagnostic reported last.
__attribute__((format(printf, 3, 4))) void som_note(SomDiagnostics *diags, SomSpan span,
                                                    const char *format, ...);
// A note "(and 3 more)", if more is above 0.
void som_note_more(SomDiagnostics *diags, int more);
void som_fix(SomDiagnostics *diags, SomSpan span, SomStr replacement);

int som_diagnostics_error_count(const SomDiagnostics *diags);
int som_diagnostics_warning_count(const SomDiagnostics *diags);
bool som_diagnostics_has(const SomDiagnostics *diags, SomCode code); // kept or not

// Borrowed until the next report.
const SomDiagnostic *som_diagnostics_get(const SomDiagnostics *diags, int *count);
// Line 0 and empty texts if there is no such source.
SomPlace som_diagnostics_place(const SomDiagnostics *diags, uint32_t source1, uint32_t offset);

// Orders reports, each with its notes and fixes, by source and place. Equal places keep their
// order.
void som_diagnostics_sort(SomDiagnostics *diags);

// For people: gcc's form, with the line and a caret below it. Stops after `max_errors` errors; 0
// means all. Says how many errors and warnings are not shown, or were not kept.
void som_diagnostics_print(const SomDiagnostics *diags, int max_errors, SomText *out);

// Adds words of a user so that they disturb neither a terminal nor a caret below: each character
// takes one place, a tab is a blank, controls and what is not UTF-8 are '?'.
void som_text_add_shown(SomText *out, SomStr text);

// For programs: an array of objects; docs/command-line.md describes them.
void som_diagnostics_write_json(const SomDiagnostics *diags, SomJsonWriter *json);

#ifdef __cplusplus
}
#endif
