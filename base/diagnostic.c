// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/utf8.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// A line longer than this is shown as the part round the marked place.
#define SHOWN_BYTES 120

typedef struct Source {
    SomStr path;
    SomStr text;
    SOM_ARRAY(uint32_t) line_starts;
} Source;

struct SomDiagnostics {
    SomArena arena; // paths and messages
    SOM_ARRAY(Source) sources;
    SOM_ARRAY(SomDiagnostic) entries;
    int report_count;
    int error_count;
    int warning_count;
};

SomDiagnostics *som_diagnostics_create(void) {
    return som_alloc(sizeof(SomDiagnostics));
}

void som_diagnostics_destroy(SomDiagnostics *diags) {
    if (diags == NULL) {
        return;
    }
    for (int i = 0; i < diags->sources.count; i++) {
        som_array_free(&diags->sources.data[i].line_starts);
    }
    som_array_free(&diags->sources);
    som_array_free(&diags->entries);
    som_arena_free(&diags->arena);
    som_free(diags);
}

uint32_t som_diagnostics_add_source(SomDiagnostics *diags, SomStr path, SomStr text) {
    assert(text.length <= UINT32_MAX);
    Source source = {.path = som_arena_copy(&diags->arena, path), .text = text};
    som_array_push(&source.line_starts, 0);
    const char *at = text.data;
    while (text.length > 0 && (at = memchr(at, '\n', (size_t)(text.data + text.length - at)))) {
        at++;
        som_array_push(&source.line_starts, (uint32_t)(at - text.data));
    }
    som_array_push(&diags->sources, source);
    return (uint32_t)diags->sources.count;
}

static const Source *get_source(const SomDiagnostics *diags, uint32_t source1) {
    assert(1 <= source1 && source1 <= (uint32_t)diags->sources.count);
    return &diags->sources.data[source1 - 1];
}

// Adds an entry whose message is formatted into the arena.
static void add(SomDiagnostics *diags, SomDiagnostic entry, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    size_t size = (size_t)(length < 0 ? 0 : length) + 1;
    char *message = som_arena_alloc(&diags->arena, size, 1);
    vsnprintf(message, size, format, args);
    entry.message = (SomStr){message, size - 1};
    som_array_push(&diags->entries, entry);
}

void som_report(SomDiagnostics *diags, SomCode code, SomSpan span, const char *format, ...) {
    SomSeverity severity = som_code_severity(code);
    diags->error_count += severity == SOM_ERROR;
    diags->warning_count += severity == SOM_WARNING;
    diags->report_count++;
    if (diags->report_count > SOM_MAX_KEPT_DIAGNOSTICS) {
        return;
    }
    va_list args;
    va_start(args, format);
    add(diags, (SomDiagnostic){SOM_DIAGNOSTIC_REPORT, severity, code, span, {0}}, format, args);
    va_end(args);
}

void som_note(SomDiagnostics *diags, SomSpan span, const char *format, ...) {
    if (diags->report_count > SOM_MAX_KEPT_DIAGNOSTICS) {
        return;
    }
    va_list args;
    va_start(args, format);
    add(diags, (SomDiagnostic){.kind = SOM_DIAGNOSTIC_NOTE, .span = span}, format, args);
    va_end(args);
}

void som_fix(SomDiagnostics *diags, SomSpan span, SomStr replacement) {
    assert(span.source1 != 0);
    if (diags->report_count > SOM_MAX_KEPT_DIAGNOSTICS) {
        return;
    }
    SomDiagnostic fix = {.kind = SOM_DIAGNOSTIC_FIX, .span = span};
    fix.message = som_arena_copy(&diags->arena, replacement);
    som_array_push(&diags->entries, fix);
}

int som_diagnostics_error_count(const SomDiagnostics *diags) {
    return diags->error_count;
}

int som_diagnostics_warning_count(const SomDiagnostics *diags) {
    return diags->warning_count;
}

bool som_diagnostics_has(const SomDiagnostics *diags, SomCode code) {
    for (int i = 0; i < diags->entries.count; i++) {
        if (diags->entries.data[i].code == code) {
            return true;
        }
    }
    return false;
}

const SomDiagnostic *som_diagnostics_get(const SomDiagnostics *diags, int *count) {
    *count = diags->entries.count;
    return diags->entries.data;
}

SomPlace som_diagnostics_place(const SomDiagnostics *diags, uint32_t source1, uint32_t offset) {
    const Source *source = get_source(diags, source1);
    offset = offset < source->text.length ? offset : (uint32_t)source->text.length;

    // the last line that starts at or before the offset
    int low = 0, high = source->line_starts.count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (source->line_starts.data[middle] <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    size_t start = source->line_starts.data[low];
    size_t end = low + 1 < source->line_starts.count ? source->line_starts.data[low + 1] - 1
                                                     : source->text.length;
    SomStr line = som_str_slice(source->text, start, end);
    return (SomPlace){
        .path = source->path,
        .line = low + 1,
        .column = som_utf8_count(som_str_slice(line, 0, offset - start)) + 1,
        .text =
            som_str_ends_with(line, SOM_STR("\r")) ? som_str_slice(line, 0, line.length - 1) : line,
    };
}

// One report with what belongs to it, for sorting.
typedef struct Group {
    SomSpan span;
    int first;
    int count;
} Group;

static int compare_groups(const void *left, const void *right) {
    const Group *a = left, *b = right;
    if (a->span.source1 != b->span.source1) {
        return a->span.source1 < b->span.source1 ? -1 : 1;
    }
    if (a->span.begin != b->span.begin) {
        return a->span.begin < b->span.begin ? -1 : 1;
    }
    return (a->first > b->first) - (a->first < b->first);
}

void som_diagnostics_sort(SomDiagnostics *diags) {
    SOM_ARRAY(Group) groups = {0};
    for (int i = 0; i < diags->entries.count; i++) {
        const SomDiagnostic *entry = &diags->entries.data[i];
        if (entry->kind == SOM_DIAGNOSTIC_REPORT || groups.count == 0) {
            som_array_push(&groups, ((Group){entry->span, i, 0}));
        }
        groups.data[groups.count - 1].count++;
    }
    if (groups.count > 1) {
        qsort(groups.data, (size_t)groups.count, sizeof(Group), compare_groups);
        SomDiagnostic *sorted = som_alloc((size_t)diags->entries.count * sizeof *sorted);
        int filled = 0;
        for (int g = 0; g < groups.count; g++) {
            memcpy(sorted + filled, diags->entries.data + groups.data[g].first,
                   (size_t)groups.data[g].count * sizeof *sorted);
            filled += groups.data[g].count;
        }
        memcpy(diags->entries.data, sorted, (size_t)filled * sizeof *sorted);
        som_free(sorted);
    }
    som_array_free(&groups);
}

// Shows text so that nothing in it disturbs the terminal or the caret below: a tab is one blank, a
// control character or a byte that is not UTF-8 is '?'.
static void add_shown(SomText *out, SomStr text) {
    for (size_t at = 0; at < text.length;) {
        int length = som_utf8_length(som_str_slice(text, at, text.length));
        unsigned char c = (unsigned char)text.data[at];
        if (c == '\t') {
            som_text_add_char(out, ' ', 1);
        } else if (length == 0 || c < 0x20 || c == 0x7f) {
            som_text_add_char(out, '?', 1);
        } else {
            som_text_add(out, som_str_slice(text, at, at + (size_t)length));
        }
        at += (size_t)(length > 0 ? length : 1);
    }
}

// The line of a span with a caret under its beginning and tildes up to its end.
static void print_excerpt(const SomDiagnostics *diags, SomSpan span, SomText *out) {
    SomPlace place = som_diagnostics_place(diags, span.source1, span.begin);
    const Source *source = get_source(diags, span.source1);
    size_t line_start = (size_t)(place.text.data - source->text.data);
    if (place.text.length == 0) {
        line_start = span.begin;
    }
    size_t marked = span.begin > line_start ? span.begin - line_start : 0;
    marked = marked < place.text.length ? marked : place.text.length;

    // of a long line, the part round the mark, cut between characters
    size_t from = 0, to = place.text.length;
    if (to > SHOWN_BYTES) {
        from = marked > SHOWN_BYTES / 2 ? marked - SHOWN_BYTES / 2 : 0;
        to = from + SHOWN_BYTES < to ? from + SHOWN_BYTES : to;
        while (from < marked && som_utf8_is_continuation(place.text.data[from])) {
            from++;
        }
        while (to < place.text.length && som_utf8_is_continuation(place.text.data[to])) {
            to++;
        }
    }
    const char *before = from > 0 ? "..." : "";
    const char *after = to < place.text.length ? "..." : "";
    som_text_printf(out, "%5d | %s", place.line, before);
    add_shown(out, som_str_slice(place.text, from, to));
    som_text_printf(out, "%s\n      | %*s", after, (int)strlen(before), "");
    som_text_add_char(out, ' ', som_utf8_count(som_str_slice(place.text, from, marked)));
    size_t marked_end = span.end > line_start ? span.end - line_start : 0;
    marked_end = marked_end < to ? marked_end : to;
    int width = som_utf8_count(som_str_slice(place.text, marked, marked_end));
    som_text_add_char(out, '^', 1);
    som_text_add_char(out, '~', width - 1);
    som_text_add_char(out, '\n', 1);
}

// gcc's and clang's own form, which editors know.
static void print_fix(const SomDiagnostics *diags, const SomDiagnostic *fix, SomText *out) {
    SomPlace a = som_diagnostics_place(diags, fix->span.source1, fix->span.begin);
    SomPlace b = som_diagnostics_place(diags, fix->span.source1, fix->span.end);
    som_text_add(out, SOM_STR("fix-it:\""));
    som_text_add(out, a.path);
    som_text_printf(out, "\":{%d:%d-%d:%d}:\"", a.line, a.column, b.line, b.column);
    for (size_t i = 0; i < fix->message.length; i++) {
        char c = fix->message.data[i];
        if (c == '\n') {
            som_text_add(out, SOM_STR("\\n"));
        } else {
            som_text_add_char(out, '\\', c == '"' || c == '\\');
            som_text_add_char(out, c, 1);
        }
    }
    som_text_add(out, SOM_STR("\"\n"));
}

void som_diagnostics_print(const SomDiagnostics *diags, int max_errors, SomText *out) {
    int shown_errors = 0;
    for (int i = 0; i < diags->entries.count; i++) {
        const SomDiagnostic *entry = &diags->entries.data[i];
        if (entry->kind == SOM_DIAGNOSTIC_FIX) {
            print_fix(diags, entry, out);
            continue;
        }
        if (entry->severity == SOM_ERROR) {
            if (max_errors > 0 && shown_errors == max_errors) {
                break;
            }
            shown_errors++;
        }
        if (entry->span.source1 != 0) {
            SomPlace place = som_diagnostics_place(diags, entry->span.source1, entry->span.begin);
            add_shown(out, place.path);
            som_text_printf(out, ":%d:%d: ", place.line, place.column);
        }
        som_text_printf(out, "%s: ", som_severity_word(entry->severity));
        add_shown(out, entry->message);
        if (entry->code != SOM_NO_CODE) {
            som_text_printf(out, " [SOM%04d]", (int)entry->code);
        }
        som_text_add_char(out, '\n', 1);
        if (entry->span.source1 != 0) {
            print_excerpt(diags, entry->span, out);
        }
    }
    if (diags->error_count > shown_errors) {
        som_text_printf(out, "note: %d more errors are not shown\n",
                        diags->error_count - shown_errors);
    }
}

static void write_json_span(const SomDiagnostics *diags, SomSpan span, SomJsonWriter *json) {
    if (span.source1 == 0) {
        return;
    }
    SomPlace a = som_diagnostics_place(diags, span.source1, span.begin);
    SomPlace b = som_diagnostics_place(diags, span.source1, span.end);
    som_json_key(json, SOM_STR("file"));
    som_json_string(json, a.path);
    som_json_key(json, SOM_STR("line"));
    som_json_integer(json, a.line);
    som_json_key(json, SOM_STR("column"));
    som_json_integer(json, a.column);
    som_json_key(json, SOM_STR("end_line"));
    som_json_integer(json, b.line);
    som_json_key(json, SOM_STR("end_column"));
    som_json_integer(json, b.column);
}

// The notes or fixes that follow the report at `index`, as one array; nothing if there are none.
static void write_json_followers(const SomDiagnostics *diags, int index, SomDiagnosticKind kind,
                                 SomJsonWriter *json) {
    bool is_fix = kind == SOM_DIAGNOSTIC_FIX;
    bool open = false;
    for (int i = index + 1; i < diags->entries.count; i++) {
        const SomDiagnostic *entry = &diags->entries.data[i];
        if (entry->kind == SOM_DIAGNOSTIC_REPORT) {
            break;
        }
        if (entry->kind != kind) {
            continue;
        }
        if (!open) {
            som_json_key(json, is_fix ? SOM_STR("fix") : SOM_STR("notes"));
            som_json_open_array(json);
            open = true;
        }
        som_json_open_object(json);
        write_json_span(diags, entry->span, json);
        som_json_key(json, is_fix ? SOM_STR("replacement") : SOM_STR("message"));
        som_json_string(json, entry->message);
        som_json_close_object(json);
    }
    if (open) {
        som_json_close_array(json);
    }
}

void som_diagnostics_write_json(const SomDiagnostics *diags, SomJsonWriter *json) {
    som_json_open_array(json);
    for (int i = 0; i < diags->entries.count; i++) {
        const SomDiagnostic *entry = &diags->entries.data[i];
        if (entry->kind != SOM_DIAGNOSTIC_REPORT) {
            continue;
        }
        char code[16];
        snprintf(code, sizeof code, "SOM%04d", (int)entry->code);
        som_json_open_object(json);
        som_json_key(json, SOM_STR("severity"));
        som_json_string(json, som_str(som_severity_word(entry->severity)));
        som_json_key(json, SOM_STR("code"));
        som_json_string(json, som_str(code));
        write_json_span(diags, entry->span, json);
        som_json_key(json, SOM_STR("message"));
        som_json_string(json, entry->message);
        write_json_followers(diags, i, SOM_DIAGNOSTIC_NOTE, json);
        write_json_followers(diags, i, SOM_DIAGNOSTIC_FIX, json);
        som_json_close_object(json);
    }
    som_json_close_array(json);
}
