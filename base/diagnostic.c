// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"

#include "base/arena.h"
#include "base/diagnostic_fold.h"
#include "base/memory.h"
#include "base/name_list.h"
#include "base/utf8.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// A line longer than this is shown as the part round the marked place.
#define SHOWN_BYTES 120

// Messages quote what users wrote, which may be a name of megabytes; no more than this is kept.
#define MESSAGE_BYTES 1000

// A source text has a milestone about every so many bytes, from which places are counted: neither a
// text of nothing but line ends nor one of a single line takes much memory or time.
#define MILESTONE_BYTES 4096

// The place of the character at an offset.
typedef struct Milestone {
    uint32_t offset;
    uint32_t line_start;
    int line;
    int column;
} Milestone;

typedef struct Source {
    SomStr path;
    SomStr text;
    SOM_ARRAY(Milestone) milestones;
    int report_count;
} Source;

struct SomDiagnostics {
    SomArena arena; // paths and messages
    SOM_ARRAY(Source) sources;
    SOM_ARRAY(SomDiagnostic) entries;
    SOM_ARRAY(SomCode) seen; // every code reported, once
    int report_count;        // of those without a source
    bool is_dropped;         // the report before; its notes and fixes share its fate
    int error_count;
    int warning_count;
};

int som_span_compare(SomSpan a, SomSpan b) {
    int order = (a.source1 > b.source1) - (a.source1 < b.source1);
    order = order != 0 ? order : (a.begin > b.begin) - (a.begin < b.begin);
    return order != 0 ? order : (a.end > b.end) - (a.end < b.end);
}

SomDiagnostics *som_diagnostics_create(void) {
    return som_alloc(sizeof(SomDiagnostics));
}

SomDiagnostics *som_diagnostics_create_with_sources(const SomDiagnostics *other) {
    SomDiagnostics *diags = som_diagnostics_create();
    for (int i = 0; i < other->sources.count; i++) {
        const Source *from = &other->sources.data[i];
        Source source = {.path = som_arena_copy(&diags->arena, from->path), .text = from->text};
        som_array_reserve(&source.milestones, from->milestones.count);
        source.milestones.count = from->milestones.count;
        memcpy(source.milestones.data, from->milestones.data,
               (size_t)from->milestones.count * sizeof *source.milestones.data);
        som_array_push(&diags->sources, source);
    }
    return diags;
}

void som_diagnostics_destroy(SomDiagnostics *diags) {
    if (diags == NULL) {
        return;
    }
    for (int i = 0; i < diags->sources.count; i++) {
        som_array_free(&diags->sources.data[i].milestones);
    }
    som_array_free(&diags->sources);
    som_array_free(&diags->entries);
    som_array_free(&diags->seen);
    som_arena_free(&diags->arena);
    som_free(diags);
}

// Moves a milestone on by one character; a byte that is not UTF-8 is one.
static void step(Milestone *at, SomStr text) {
    unsigned char c = (unsigned char)text.data[at->offset];
    int length = c < 0x80 ? 1 : som_utf8_length(som_str_slice(text, at->offset, text.length));
    at->offset += (uint32_t)(length > 0 ? length : 1);
    at->column++;
    if (c == '\n') {
        at->line_start = at->offset;
        at->line++;
        at->column = 1;
    }
}

uint32_t som_diagnostics_add_source(SomDiagnostics *diags, SomStr path, SomStr text) {
    assert(text.length <= UINT32_MAX - 4);
    Source source = {.path = som_arena_copy(&diags->arena, path),
                     .text = text.length > 0 ? text : SOM_STR("")};
    Milestone at = {.line = 1, .column = 1};
    som_array_push(&source.milestones, at);
    size_t next = MILESTONE_BYTES;
    while (at.offset < text.length) {
        step(&at, text);
        if (at.offset >= next) {
            som_array_push(&source.milestones, at);
            next += MILESTONE_BYTES;
        }
    }
    som_array_push(&diags->sources, source);
    return (uint32_t)diags->sources.count;
}

static bool has_source(const SomDiagnostics *diags, uint32_t source1) {
    return 1 <= source1 && source1 <= (uint32_t)diags->sources.count;
}

static const Source *get_source(const SomDiagnostics *diags, uint32_t source1) {
    assert(has_source(diags, source1));
    return &diags->sources.data[source1 - 1];
}

// A span of another list's source has no place here. The message counts more than its place, so
// neither is the program ended nor the report lost: it is kept without one.
static SomSpan known_span(const SomDiagnostics *diags, SomSpan span) {
    return has_source(diags, span.source1) ? span : (SomSpan){0};
}

// Adds an entry whose message is formatted into the arena.
static void add(SomDiagnostics *diags, SomDiagnostic entry, const char *format, va_list args) {
    char buffer[MESSAGE_BYTES + 1];
    int formatted = vsnprintf(buffer, sizeof buffer, format, args);
    size_t length = (size_t)(formatted > 0 ? formatted : 0);
    if (length > MESSAGE_BYTES) {
        length = MESSAGE_BYTES - 3;
        for (int i = 0; i < 3 && som_utf8_is_continuation(buffer[length]); i++) {
            length--; // between characters
        }
        memcpy(buffer + length, "...", 3);
        length += 3;
    }
    entry.message = som_arena_copy(&diags->arena, (SomStr){buffer, length});
    som_array_push(&diags->entries, entry);
}

void som_report_list(SomDiagnostics *diags, SomCode code, SomSpan span, const char *format,
                     va_list args) {
    SomSeverity severity = som_code_severity(code);
    diags->error_count += severity == SOM_ERROR;
    diags->warning_count += severity == SOM_WARNING;
    if (!som_diagnostics_has(diags, code)) {
        som_array_push(&diags->seen, code);
    }
    span = known_span(diags, span);
    // one bad file does not hide what is said about the others
    int *count = span.source1 != 0 ? &diags->sources.data[span.source1 - 1].report_count
                                   : &diags->report_count;
    // and warnings leave room for the error that comes after them
    int most = severity == SOM_ERROR ? SOM_MAX_KEPT_DIAGNOSTICS : SOM_MAX_KEPT_DIAGNOSTICS - 100;
    diags->is_dropped = *count >= most;
    if (diags->is_dropped) {
        return;
    }
    (*count)++;
    add(diags, (SomDiagnostic){SOM_DIAGNOSTIC_REPORT, severity, code, span, {0}}, format, args);
}

void som_report(SomDiagnostics *diags, SomCode code, SomSpan span, const char *format, ...) {
    va_list args;
    va_start(args, format);
    som_report_list(diags, code, span, format, args);
    va_end(args);
}

void som_note(SomDiagnostics *diags, SomSpan span, const char *format, ...) {
    if (diags->is_dropped) {
        return;
    }
    va_list args;
    va_start(args, format);
    SomDiagnostic note = {.kind = SOM_DIAGNOSTIC_NOTE, .span = known_span(diags, span)};
    add(diags, note, format, args);
    va_end(args);
}

void som_note_more(SomDiagnostics *diags, int more) {
    if (more > 0) {
        som_note(diags, (SomSpan){0}, SOM_AND_MORE, more);
    }
}

void som_fix(SomDiagnostics *diags, SomSpan span, SomStr replacement) {
    if (diags->is_dropped || !has_source(diags, span.source1)) {
        return;
    }
    SomDiagnostic fix = {.kind = SOM_DIAGNOSTIC_FIX, .span = span};
    fix.message = som_arena_copy(&diags->arena, replacement);
    som_array_push(&diags->entries, fix);
}

// ---- folding

SomDiagnosticsMark som_diagnostics_mark(const SomDiagnostics *diags) {
    return (SomDiagnosticsMark){diags->entries.count, diags->error_count, diags->warning_count};
}

int som_diagnostics_errors_since(const SomDiagnostics *diags, SomDiagnosticsMark mark) {
    return diags->error_count - mark.errors;
}

void som_diagnostics_cut(SomDiagnostics *diags, SomDiagnosticsMark mark) {
    for (int i = mark.entries; i < diags->entries.count; i++) {
        const SomDiagnostic *entry = &diags->entries.data[i];
        if (entry->kind == SOM_DIAGNOSTIC_REPORT) {
            uint32_t source1 = entry->span.source1;
            int *count = source1 != 0 ? &diags->sources.data[source1 - 1].report_count
                                      : &diags->report_count;
            (*count)--;
        }
    }
    diags->entries.count = mark.entries;
    diags->error_count = mark.errors;
    diags->warning_count = mark.warnings;
    diags->is_dropped = false;
}

void som_diagnostics_fold(SomDiagnostics *diags, SomDiagnosticsMark mark, SomCode code,
                          SomSpan span, const char *message) {
    SomDiagnostic first = {0};
    int errors = som_diagnostics_errors_since(diags, mark);
    for (int i = mark.entries; i < diags->entries.count && first.code == SOM_NO_CODE; i++) {
        const SomDiagnostic *entry = &diags->entries.data[i];
        if (entry->kind == SOM_DIAGNOSTIC_REPORT && entry->severity == SOM_ERROR) {
            first = *entry;
        }
    }
    som_diagnostics_cut(diags, mark);
    if (first.code == SOM_NO_CODE) { // none was kept
        som_report(diags, code, span, "%s", message);
        return;
    }
    som_report(diags, code, span, "%s: %.*s", message, SOM_STR_ARG(first.message));
    if (errors > 1) {
        som_note(diags, first.span, "the error is here (and %d more)", errors - 1);
    } else {
        som_note(diags, first.span, "the error is here");
    }
}

int som_diagnostics_error_count(const SomDiagnostics *diags) {
    return diags->error_count;
}

int som_diagnostics_warning_count(const SomDiagnostics *diags) {
    return diags->warning_count;
}

bool som_diagnostics_has(const SomDiagnostics *diags, SomCode code) {
    for (int i = 0; i < diags->seen.count; i++) {
        if (diags->seen.data[i] == code) {
            return true;
        }
    }
    return false;
}

const SomDiagnostic *som_diagnostics_get(const SomDiagnostics *diags, int *count) {
    *count = diags->entries.count;
    return diags->entries.data;
}

// The last milestone at or before an offset, and the first one on a later line (or the count).
static int find_milestone(const Source *source, uint32_t offset) {
    int low = 0, high = source->milestones.count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (source->milestones.data[middle].offset <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static int find_later_line(const Source *source, int line) {
    int low = 0, high = source->milestones.count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (source->milestones.data[middle].line <= line) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// The whole line without its end, which lies behind the last milestone on the line.
static SomStr get_line(const Source *source, const Milestone *at) {
    const Milestone *last = &source->milestones.data[find_later_line(source, at->line) - 1];
    size_t from = last->offset > at->offset ? last->offset : at->offset;
    SomStr rest = som_str_slice(source->text, from, source->text.length);
    const char *feed = rest.length > 0 ? memchr(rest.data, '\n', rest.length) : NULL;
    size_t end = feed != NULL ? (size_t)(feed - source->text.data) : source->text.length;
    SomStr line = som_str_slice(source->text, at->line_start, end);
    bool returns = som_str_ends_with(line, SOM_STR("\r"));
    return som_str_slice(line, 0, line.length - (returns ? 1 : 0));
}

SomPlace som_diagnostics_place(const SomDiagnostics *diags, uint32_t source1, uint32_t offset) {
    if (!has_source(diags, source1)) {
        return (SomPlace){.path = SOM_STR(""), .text = SOM_STR("")};
    }
    const Source *source = get_source(diags, source1);
    SomStr text = source->text;
    offset = offset < text.length ? offset : (uint32_t)text.length;
    if (offset > 0 && offset < text.length && text.data[offset] == '\n' &&
        text.data[offset - 1] == '\r') {
        offset--; // the two are one line end
    }
    Milestone at = source->milestones.data[find_milestone(source, offset)];
    while (at.offset < offset) {
        Milestone next = at;
        step(&next, text);
        if (next.offset > offset) {
            break; // inside a character
        }
        at = next;
    }
    return (SomPlace){
        .path = source->path, .line = at.line, .column = at.column, .text = get_line(source, &at)};
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

// Whether a character would disturb the terminal or the caret below: controls, and marks that turn
// the direction of writing and so make a text look like another.
static bool disturbs(SomStr text, int length) {
    const unsigned char *s = (const unsigned char *)text.data;
    if (length == 1) {
        return s[0] < 0x20 || s[0] == 0x7F;
    }
    if (length == 2) {
        return s[0] == 0xC2 && s[1] < 0xA0; // U+0080 to U+009F
    }
    bool lines_and_turns = s[0] == 0xE2 && s[1] == 0x80 && 0xA8 <= s[2] && s[2] <= 0xAE;
    bool isolates = s[0] == 0xE2 && s[1] == 0x81 && 0xA6 <= s[2] && s[2] <= 0xA9;
    return length == 3 && (lines_and_turns || isolates);
}

// Shows text so that every character takes one place: a tab is a blank, what disturbs or is not
// UTF-8 is '?'.
void som_text_add_shown(SomText *out, SomStr text) {
    for (size_t at = 0; at < text.length;) {
        SomStr rest = som_str_slice(text, at, text.length);
        int length = som_utf8_length(rest);
        if (rest.data[0] == '\t') {
            som_text_add_char(out, ' ', 1);
        } else if (length == 0 || disturbs(rest, length)) {
            som_text_add_char(out, '?', 1);
        } else {
            som_text_add(out, som_str_slice(rest, 0, (size_t)length));
        }
        at += (size_t)(length > 0 ? length : 1);
    }
}

// Moves an offset to the start of the next character, if it is inside one.
static size_t skip_continuation(SomStr text, size_t at) {
    for (int i = 0; i < 3 && at < text.length && som_utf8_is_continuation(text.data[at]); i++) {
        at++;
    }
    return at;
}

// The line of a span with a caret under its beginning and tildes up to its end.
static void print_excerpt(const SomDiagnostics *diags, SomSpan span, SomText *out) {
    SomPlace place = som_diagnostics_place(diags, span.source1, span.begin);
    SomStr line = place.text;
    size_t start = (size_t)(line.data - get_source(diags, span.source1)->text.data);
    size_t marked = span.begin > start ? span.begin - start : 0;
    size_t marked_end = span.end > start ? span.end - start : 0;
    marked = marked < line.length ? marked : line.length;

    // of a long line, the part round the mark
    size_t from = 0, to = line.length;
    if (to > SHOWN_BYTES) {
        from = marked > SHOWN_BYTES / 2 ? marked - SHOWN_BYTES / 2 : 0;
        from = skip_continuation(line, from);
        to = skip_continuation(line, from + SHOWN_BYTES < to ? from + SHOWN_BYTES : to);
    }
    bool cut = from > 0;
    som_text_printf(out, "%5d | %s", place.line, cut ? "..." : "");
    som_text_add_shown(out, som_str_slice(line, from, to));
    som_text_printf(out, "%s\n      | %s", to < line.length ? "..." : "", cut ? "   " : "");
    som_text_add_char(out, ' ', som_utf8_count(som_str_slice(line, from, marked)));
    som_text_add_char(out, '^', 1);
    marked_end = marked_end < to ? marked_end : to;
    som_text_add_char(out, '~', som_utf8_count(som_str_slice(line, marked, marked_end)) - 1);
    som_text_add_char(out, '\n', 1);
}

// As in C, so that editors that know compilers know what it means.
static void add_quoted(SomText *out, SomStr text) {
    som_text_add_char(out, '"', 1);
    for (size_t at = 0; at < text.length;) {
        SomStr rest = som_str_slice(text, at, text.length);
        unsigned char c = (unsigned char)rest.data[0];
        int length = som_utf8_length(rest);
        if (c == '\n') {
            som_text_add(out, SOM_STR("\\n"));
        } else if (length == 0 || (length == 1 && disturbs(rest, 1))) {
            som_text_printf(out, "\\%03o", c);
        } else {
            som_text_add_char(out, '\\', c == '"' || c == '\\');
            som_text_add(out, som_str_slice(rest, 0, (size_t)length));
        }
        at += (size_t)(length > 0 ? length : 1);
    }
    som_text_add_char(out, '"', 1);
}

// In a fix-it, columns count bytes, as gcc and clang do.
static void print_fix_place(const SomDiagnostics *diags, uint32_t source1, uint32_t offset,
                            SomText *out) {
    SomStr text = get_source(diags, source1)->text;
    SomPlace place = som_diagnostics_place(diags, source1, offset);
    size_t line_start = (size_t)(place.text.data - text.data);
    size_t at = offset < text.length ? offset : text.length;
    som_text_printf(out, "%d:%zu", place.line, at - line_start + 1);
}

// gcc's and clang's own form.
static void print_fix(const SomDiagnostics *diags, const SomDiagnostic *fix, SomText *out) {
    som_text_add(out, SOM_STR("fix-it:"));
    add_quoted(out, get_source(diags, fix->span.source1)->path);
    som_text_add(out, SOM_STR(":{"));
    print_fix_place(diags, fix->span.source1, fix->span.begin, out);
    som_text_add_char(out, '-', 1);
    print_fix_place(diags, fix->span.source1, fix->span.end, out);
    som_text_add(out, SOM_STR("}:"));
    add_quoted(out, fix->message);
    som_text_add_char(out, '\n', 1);
}

static void print_entry(const SomDiagnostics *diags, const SomDiagnostic *entry, SomText *out) {
    if (entry->kind == SOM_DIAGNOSTIC_FIX) {
        print_fix(diags, entry, out);
        return;
    }
    if (entry->span.source1 != 0) {
        SomPlace place = som_diagnostics_place(diags, entry->span.source1, entry->span.begin);
        som_text_add_shown(out, place.path);
        som_text_printf(out, ":%d:%d: ", place.line, place.column);
    }
    som_text_printf(out, "%s: ", som_severity_word(entry->severity));
    som_text_add_shown(out, entry->message);
    if (entry->code != SOM_NO_CODE) {
        som_text_printf(out, " [SOM%04d]", (int)entry->code);
    }
    som_text_add_char(out, '\n', 1);
    if (entry->span.source1 != 0) {
        print_excerpt(diags, entry->span, out);
    }
}

static void print_rest(int count, const char *what, SomText *out) {
    if (count > 0) {
        som_text_printf(out, "note: %d more %s%s not shown\n", count, what,
                        count == 1 ? " is" : "s are");
    }
}

void som_diagnostics_print(const SomDiagnostics *diags, int max_errors, SomText *out) {
    int errors = 0, warnings = 0;
    for (int i = 0; i < diags->entries.count; i++) {
        const SomDiagnostic *entry = &diags->entries.data[i];
        if (entry->severity == SOM_ERROR && max_errors > 0 && errors == max_errors) {
            break;
        }
        errors += entry->severity == SOM_ERROR;
        warnings += entry->severity == SOM_WARNING;
        print_entry(diags, entry, out);
    }
    print_rest(diags->error_count - errors, "error", out);
    print_rest(diags->warning_count - warnings, "warning", out);
}

static void write_json_span(const SomDiagnostics *diags, SomSpan span, SomJsonWriter *json) {
    if (span.source1 == 0) {
        return;
    }
    SomPlace a = som_diagnostics_place(diags, span.source1, span.begin);
    SomPlace b = som_diagnostics_place(diags, span.source1, span.end);
    som_json_member_string(json, "file", a.path);
    som_json_member_integer(json, "line", a.line);
    som_json_member_integer(json, "column", a.column);
    som_json_member_integer(json, "end_line", b.line);
    som_json_member_integer(json, "end_column", b.column);
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
        som_json_member_string(json, "severity", som_str(som_severity_word(entry->severity)));
        som_json_member_string(json, "code", som_str(code));
        write_json_span(diags, entry->span, json);
        som_json_member_string(json, "message", entry->message);
        write_json_followers(diags, i, SOM_DIAGNOSTIC_NOTE, json);
        write_json_followers(diags, i, SOM_DIAGNOSTIC_FIX, json);
        som_json_close_object(json);
    }
    som_json_close_array(json);
}
