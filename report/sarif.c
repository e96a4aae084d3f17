// SPDX-License-Identifier: Apache-2.0
#include "report/sarif.h"

#include "base/codes/verify_codes.h"
#include "base/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// One result: a diagnostic with the notes and fixes that follow it, or a finding.
typedef struct Result {
    SomCode code;
    SomSeverity severity;
    SomSpan span;
    SomStr message;
    SomStr file; // where it has no place
    const SomDiagnostic *diagnostic;
    int entry_count; // notes and fixes behind the diagnostic
    const SomFinding *finding;
    const SomSkipped *skipped; // what was not checked
    SomStr design, behavior;
} Result;

struct SomSarif {
    SomSarifDef def;
    SOM_ARRAY(Result) results;
    SOM_ARRAY(SomCode) rules; // that results have, in the order of their first use
    SomArena arena;           // of messages that are made here
};

SomSarif *som_sarif_create(const SomSarifDef *def) {
    SomSarif *sarif = som_alloc(sizeof *sarif);
    sarif->def = *def;
    return sarif;
}

void som_sarif_destroy(SomSarif *sarif) {
    if (sarif != NULL) {
        som_array_free(&sarif->results);
        som_array_free(&sarif->rules);
        som_arena_free(&sarif->arena);
        som_free(sarif);
    }
}

static int rule_index(const SomSarif *sarif, SomCode code) {
    int i = 0;
    while (i < sarif->rules.count && sarif->rules.data[i] != code) {
        i++;
    }
    return i;
}

static void add(SomSarif *sarif, const Result *result) {
    if (rule_index(sarif, result->code) == sarif->rules.count) {
        som_array_push(&sarif->rules, result->code);
    }
    som_array_push(&sarif->results, *result);
}

// The file that a message without a place is about.
static SomStr find_file(SomStr message, const char *const *files, int count) {
    for (int i = 0; i < count; i++) {
        SomStr file = som_str(files[i]);
        for (size_t at = 0; at + file.length <= message.length; at++) {
            if (memcmp(message.data + at, file.data, file.length) == 0) {
                return file;
            }
        }
    }
    return count > 0 ? som_str(files[0]) : SOM_STR("");
}

void som_sarif_add_diagnostics(SomSarif *sarif, const char *const *files, int file_count) {
    int count = 0;
    const SomDiagnostic *entries = som_diagnostics_get(sarif->def.diags, &count);
    for (int i = 0, next; i < count; i = next) {
        const SomDiagnostic *entry = &entries[i];
        for (next = i + 1; next < count && entries[next].kind != SOM_DIAGNOSTIC_REPORT;) {
            next++;
        }
        if (entry->kind == SOM_DIAGNOSTIC_REPORT) {
            add(sarif, &(Result){.code = entry->code,
                                 .severity = entry->severity,
                                 .span = entry->span,
                                 .message = entry->message,
                                 .file = find_file(entry->message, files, file_count),
                                 .diagnostic = entry,
                                 .entry_count = next - i - 1});
        }
    }
}

static void add_unchecked(SomSarif *sarif, const SomSkipped *skipped, SomStr file, SomStr design,
                          SomStr behavior) {
    SomText message = {0};
    som_skipped_print(skipped, &message);
    add(sarif, &(Result){.code = SOM_NOT_CHECKED,
                         .message = som_arena_copy(&sarif->arena, som_text_str(&message)),
                         .file = file,
                         .skipped = skipped,
                         .design = design,
                         .behavior = behavior});
    som_text_free(&message);
}

void som_sarif_add_findings(SomSarif *sarif, const SomVerification *found, SomStr file,
                            SomStr design, SomStr behavior) {
    for (int i = 0; i < found->findings.count; i++) {
        const SomFinding *f = &found->findings.data[i];
        add(sarif, &(Result){.code = f->code,
                             .severity = f->severity,
                             .span = f->span,
                             .message = f->message,
                             .file = file,
                             .finding = f,
                             .design = design,
                             .behavior = behavior});
    }
    for (int i = 0; i < found->skipped.count; i++) {
        if (found->skipped.data[i].is_unchecked) {
            add_unchecked(sarif, &found->skipped.data[i], file, design, behavior);
        }
    }
}

// ---- places

// The path without "." and, where a folder stands before it, "..".
static void add_plain_path(SomText *out, SomStr path) {
    for (size_t at = 0; at < path.length;) {
        const char *slash = memchr(path.data + at, '/', path.length - at);
        size_t end = slash != NULL ? (size_t)(slash - path.data) : path.length;
        SomStr part = som_str_slice(path, at, end);
        SomStr so_far = som_text_str(out);
        at = end + 1;
        if (part.length == 0 || som_str_equal(part, SOM_STR("."))) {
            continue;
        }
        if (som_str_equal(part, SOM_STR("..")) && so_far.length > 0 &&
            !som_str_equal(som_path_name(so_far), SOM_STR(".."))) {
            const char *last = so_far.data + so_far.length;
            while (last > so_far.data && *--last != '/') {
            }
            out->length = (size_t)(last - so_far.data);
            continue;
        }
        if (out->length > 0 || path.data[0] == '/') {
            som_text_add_char(out, '/', 1);
        }
        som_text_add(out, part);
    }
}

// What RFC 3986 allows in a path as it is.
static bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("-._~/!$&'()*+,;=@", c) != NULL);
}

// Whether it is relative to the root.
static bool add_uri(const SomSarif *sarif, SomStr path, SomText *out) {
    SomText whole = {0}, plain = {0};
    som_path_join(&whole, sarif->def.root, path);
    add_plain_path(&plain, som_text_str(&whole));
    SomStr shown = som_text_str(&plain), root = sarif->def.root;
    bool is_absolute = som_str_starts_with(shown, SOM_STR("/"));
    if (root.length > 0 && som_str_starts_with(shown, root) && shown.length > root.length &&
        shown.data[root.length] == '/') {
        shown = som_str_slice(shown, root.length + 1, shown.length);
        is_absolute = false;
    }
    som_text_add(out, is_absolute ? SOM_STR("file://") : SOM_STR(""));
    for (size_t i = 0; i < shown.length; i++) {
        if (is_plain(shown.data[i])) {
            som_text_add_char(out, shown.data[i], 1);
        } else {
            som_text_printf(out, "%%%02X", (unsigned char)shown.data[i]);
        }
    }
    som_text_free(&whole);
    som_text_free(&plain);
    return !is_absolute;
}

static void write_artifact(const SomSarif *sarif, SomJsonWriter *json, SomStr path) {
    SomText uri = {0};
    bool is_relative = add_uri(sarif, path, &uri);
    som_json_key(json, SOM_STR("artifactLocation"));
    som_json_open_object(json);
    som_json_member_string(json, "uri", som_text_str(&uri));
    if (is_relative) {
        som_json_member_string(json, "uriBaseId", SOM_STR("%SRCROOT%"));
    }
    som_json_close_object(json);
    som_text_free(&uri);
}

static void write_region(const SomSarif *sarif, SomJsonWriter *json, const char *key,
                         SomSpan span) {
    SomPlace begin = som_diagnostics_place(sarif->def.diags, span.source1, span.begin);
    uint32_t last = span.end > span.begin ? span.end : span.begin;
    SomPlace end = som_diagnostics_place(sarif->def.diags, span.source1, last);
    som_json_key(json, som_str(key));
    som_json_open_object(json);
    som_json_member_integer(json, "startLine", begin.line);
    som_json_member_integer(json, "startColumn", begin.column);
    som_json_member_integer(json, "endLine", end.line);
    som_json_member_integer(json, "endColumn", end.column);
    som_json_close_object(json);
}

static SomStr path_of(const SomSarif *sarif, SomSpan span, SomStr otherwise) {
    return span.source1 != 0
               ? som_diagnostics_place(sarif->def.diags, span.source1, span.begin).path
               : otherwise;
}

static void write_text(SomJsonWriter *json, const char *key, SomStr text) {
    som_json_key(json, som_str(key));
    som_json_open_object(json);
    som_json_member_string(json, "text", text);
    som_json_close_object(json);
}

// A location, with a message unless that is empty.
static void write_location(const SomSarif *sarif, SomJsonWriter *json, SomSpan span, SomStr file,
                           SomStr message) {
    som_json_open_object(json);
    som_json_key(json, SOM_STR("physicalLocation"));
    som_json_open_object(json);
    write_artifact(sarif, json, path_of(sarif, span, file));
    if (span.source1 != 0) {
        write_region(sarif, json, "region", span);
    } else { // services want a line even of what is about the whole file
        som_json_key(json, SOM_STR("region"));
        som_json_open_object(json);
        som_json_member_integer(json, "startLine", 1);
        som_json_close_object(json);
    }
    som_json_close_object(json);
    if (message.length > 0) {
        write_text(json, "message", message);
    }
    som_json_close_object(json);
}

// ---- results

static uint64_t hash(uint64_t h, SomStr text) {
    for (size_t i = 0; i < text.length; i++) { // FNV-1a
        h = (h ^ (unsigned char)text.data[i]) * 0x100000001B3u;
    }
    return (h ^ 0xFF) * 0x100000001B3u; // so that "ab","c" is not "a","bc"
}

// Without blanks, so that it may be indented.
static uint64_t hash_line(uint64_t h, SomStr line) {
    for (size_t i = 0; i < line.length; i++) {
        bool is_blank = line.data[i] == ' ' || line.data[i] == '\t';
        h = is_blank ? h : hash(h, som_str_slice(line, i, i + 1));
    }
    return h;
}

static uint64_t fingerprint(const SomSarif *sarif, const Result *result) {
    SomText uri = {0};
    add_uri(sarif, path_of(sarif, result->span, result->file), &uri);
    char code[16];
    snprintf(code, sizeof code, "%d", (int)result->code);
    uint64_t h = hash(hash(0xCBF29CE484222325u, som_str(code)), som_text_str(&uri));
    som_text_free(&uri);
    if (result->span.source1 != 0) {
        SomPlace place =
            som_diagnostics_place(sarif->def.diags, result->span.source1, result->span.begin);
        h = hash_line(h, place.text);
    }
    h = hash(hash(h, result->design), result->behavior);
    for (int i = 0; result->finding != NULL && i < result->finding->subject_count; i++) {
        h = hash(h, result->finding->subjects[i]);
    }
    if (result->skipped != NULL) {
        h = hash(h, som_str(som_check_info(result->skipped->check).word));
        return hash(h, result->skipped->reason);
    }
    return result->finding == NULL ? hash(h, result->message) : h;
}

typedef struct Print {
    uint64_t hash;
    int result;
    int number; // among equal ones, in their order
} Print;

static int compare_hashes(const void *left, const void *right) {
    const Print *a = left, *b = right;
    if (a->hash != b->hash) {
        return a->hash < b->hash ? -1 : 1;
    }
    return (a->result > b->result) - (a->result < b->result);
}

static int compare_results(const void *left, const void *right) {
    const Print *a = left, *b = right;
    return (a->result > b->result) - (a->result < b->result);
}

// One for each result.
static Print *make_prints(const SomSarif *sarif) {
    size_t count = (size_t)sarif->results.count;
    Print *prints = som_alloc((count + 1) * sizeof *prints);
    for (size_t i = 0; i < count; i++) {
        prints[i] = (Print){fingerprint(sarif, &sarif->results.data[i]), (int)i, 1};
    }
    qsort(prints, count, sizeof *prints, compare_hashes);
    for (size_t i = 1; i < count; i++) {
        prints[i].number = prints[i].hash == prints[i - 1].hash ? prints[i - 1].number + 1 : 1;
    }
    qsort(prints, count, sizeof *prints, compare_results);
    return prints;
}

static void write_fingerprint(SomJsonWriter *json, Print print) {
    char text[40];
    snprintf(text, sizeof text, "%016llx:%d", (unsigned long long)print.hash, print.number);
    som_json_key(json, SOM_STR("partialFingerprints"));
    som_json_open_object(json);
    som_json_member_string(json, "somite/v1", som_str(text));
    som_json_close_object(json);
}

static void write_related(const SomSarif *sarif, SomJsonWriter *json, const Result *result) {
    bool is_open = false;
    for (int i = 1; i <= result->entry_count; i++) {
        const SomDiagnostic *note = &result->diagnostic[i];
        if (note->kind == SOM_DIAGNOSTIC_NOTE && note->span.source1 != 0) {
            if (!is_open) {
                som_json_key(json, SOM_STR("relatedLocations"));
                som_json_open_array(json);
                is_open = true;
            }
            write_location(sarif, json, note->span, result->file, note->message);
        }
    }
    const SomFinding *finding = result->finding;
    if (finding != NULL && (finding->other.source1 != 0 || finding->step_count > 0)) {
        som_json_key(json, SOM_STR("relatedLocations"));
        som_json_open_array(json);
        is_open = true;
    }
    if (finding != NULL && finding->other.source1 != 0) {
        write_location(sarif, json, finding->other, result->file, SOM_STR("the other action"));
    }
    for (int i = 0; finding != NULL && i < finding->step_count; i++) {
        write_location(sarif, json, finding->steps[i].span, result->file, finding->steps[i].words);
    }
    if (is_open) {
        som_json_close_array(json);
    }
}

// All fix-its of a report belong together; each changes its file.
static void write_fixes(const SomSarif *sarif, SomJsonWriter *json, const Result *result) {
    bool is_open = false;
    for (int i = 1; i <= result->entry_count; i++) {
        const SomDiagnostic *fix = &result->diagnostic[i];
        if (fix->kind != SOM_DIAGNOSTIC_FIX) {
            continue;
        }
        if (!is_open) {
            som_json_key(json, SOM_STR("fixes"));
            som_json_open_array(json);
            som_json_open_object(json);
            som_json_key(json, SOM_STR("artifactChanges"));
            som_json_open_array(json);
            is_open = true;
        }
        som_json_open_object(json);
        write_artifact(sarif, json, path_of(sarif, fix->span, result->file));
        som_json_key(json, SOM_STR("replacements"));
        som_json_open_array(json);
        som_json_open_object(json);
        write_region(sarif, json, "deletedRegion", fix->span);
        write_text(json, "insertedContent", fix->message);
        som_json_close_object(json);
        som_json_close_array(json);
        som_json_close_object(json);
    }
    if (is_open) {
        som_json_close_array(json);
        som_json_close_object(json);
        som_json_close_array(json);
    }
}

static void write_number(SomJsonWriter *json, const char *key, double value) {
    if (isfinite(value)) {
        som_json_member_number(json, key, value);
    }
}

static void write_measures(SomJsonWriter *json, const SomFinding *f) {
    int count;
    write_number(json, "t0", f->t0);
    write_number(json, "t1", f->t1);
    write_number(json, "worst", f->worst);
    write_number(json, "value", f->value);
    write_number(json, "limit", f->limit);
    som_json_member_string(json, "dimension", som_dimensions(&count)[f->dimension].name);
    som_json_key(json, SOM_STR("subjects"));
    som_json_open_array(json);
    for (int i = 0; i < f->subject_count; i++) {
        som_json_string(json, f->subjects[i]);
    }
    som_json_close_array(json);
    if (f->fix.length > 0) {
        som_json_member_string(json, "fix", f->fix);
    }
}

static void write_properties(SomJsonWriter *json, const Result *result) {
    SomCheck check = result->finding != NULL ? result->finding->check : result->skipped->check;
    som_json_key(json, SOM_STR("properties"));
    som_json_open_object(json);
    som_json_member_string(json, "check", som_str(som_check_info(check).word));
    som_json_member_string(json, "configuration", result->design);
    if (result->behavior.length > 0) {
        som_json_member_string(json, "behavior", result->behavior);
    }
    if (result->finding != NULL) {
        write_measures(json, result->finding);
    } else {
        som_json_member_integer(json, "count", result->skipped->count);
        som_json_member_integer(json, "total", result->skipped->total);
    }
    som_json_close_object(json);
}

// The message with everything that has no place of its own: notes, and the details and the repair
// of a finding.
static void add_message(const Result *result, SomText *out) {
    som_text_add(out, result->message);
    if (result->finding != NULL && result->finding->details.length > 0) {
        som_text_add(out, SOM_STR("; "));
        som_text_add(out, result->finding->details);
    }
    for (int i = 1; i <= result->entry_count; i++) {
        const SomDiagnostic *note = &result->diagnostic[i];
        if (note->kind == SOM_DIAGNOSTIC_NOTE && note->span.source1 == 0) {
            som_text_add(out, SOM_STR("; "));
            som_text_add(out, note->message);
        }
    }
    if (result->finding != NULL && result->finding->fix.length > 0) {
        som_text_add(out, SOM_STR("; fix: "));
        som_text_add(out, result->finding->fix);
    }
}

static void write_id(SomJsonWriter *json, const char *key, SomCode code) {
    char id[16];
    snprintf(id, sizeof id, "SOM%04d", (int)code);
    som_json_member_string(json, key, som_str(id));
}

static void write_result(const SomSarif *sarif, SomJsonWriter *json, Print print) {
    const Result *result = &sarif->results.data[print.result];
    SomText message = {0};
    add_message(result, &message);
    som_json_open_object(json);
    write_id(json, "ruleId", result->code);
    som_json_member_integer(json, "ruleIndex", rule_index(sarif, result->code));
    if (result->skipped != NULL) { // nothing has failed, so the standard asks for level "none"
        som_json_member_string(json, "kind", SOM_STR("open"));
        som_json_member_string(json, "level", SOM_STR("none"));
    } else {
        som_json_member_string(json, "level", som_str(som_severity_word(result->severity)));
    }
    write_text(json, "message", som_text_str(&message));
    som_json_key(json, SOM_STR("locations"));
    som_json_open_array(json);
    if (result->span.source1 != 0 || result->file.length > 0) {
        write_location(sarif, json, result->span, result->file, SOM_STR(""));
    }
    som_json_close_array(json);
    write_related(sarif, json, result);
    write_fixes(sarif, json, result);
    write_fingerprint(json, print);
    if (result->finding != NULL || result->skipped != NULL) {
        write_properties(json, result);
    }
    som_json_close_object(json);
    som_text_free(&message);
}

// ---- the log

static void write_rule(SomJsonWriter *json, SomCode code) {
    SomStr help = som_str(som_code_help(code));
    size_t first = 0; // sentence
    while (first < help.length &&
           !som_str_starts_with(som_str_slice(help, first, help.length), SOM_STR(". "))) {
        first++;
    }
    som_json_open_object(json);
    write_id(json, "id", code);
    write_text(json, "shortDescription", som_str_slice(help, 0, first + 1));
    write_text(json, "fullDescription", help);
    write_text(json, "help", help);
    som_json_key(json, SOM_STR("defaultConfiguration"));
    som_json_open_object(json);
    som_json_member_string(json, "level", som_str(som_severity_word(som_code_severity(code))));
    som_json_close_object(json);
    som_json_close_object(json);
}

static void write_tool(const SomSarif *sarif, SomJsonWriter *json) {
    som_json_key(json, SOM_STR("tool"));
    som_json_open_object(json);
    som_json_key(json, SOM_STR("driver"));
    som_json_open_object(json);
    som_json_member_string(json, "name", SOM_STR("Somite"));
    som_json_member_string(json, "version", sarif->def.version);
    som_json_member_string(json, "semanticVersion", sarif->def.version);
    som_json_key(json, SOM_STR("rules"));
    som_json_open_array(json);
    for (int i = 0; i < sarif->rules.count; i++) {
        write_rule(json, sarif->rules.data[i]);
    }
    som_json_close_array(json);
    som_json_close_object(json);
    som_json_close_object(json);
}

void som_sarif_print(const SomSarif *sarif, SomText *out) {
    SomJsonWriter json = {.out = out};
    Print *prints = make_prints(sarif);
    som_json_open_object(&json);
    som_json_member_string(&json, "$schema",
                           SOM_STR("https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/"
                                   "sarif-schema-2.1.0.json"));
    som_json_member_string(&json, "version", SOM_STR("2.1.0"));
    som_json_key(&json, SOM_STR("runs"));
    som_json_open_array(&json);
    som_json_open_object(&json);
    write_tool(sarif, &json);
    som_json_key(&json, SOM_STR("originalUriBaseIds"));
    som_json_open_object(&json);
    som_json_key(&json, SOM_STR("%SRCROOT%"));
    som_json_open_object(&json);
    write_text(&json, "description", SOM_STR("The folder in which somite was run."));
    som_json_close_object(&json);
    som_json_close_object(&json);
    som_json_member_string(&json, "columnKind", SOM_STR("unicodeCodePoints"));
    som_json_key(&json, SOM_STR("results"));
    som_json_open_array(&json);
    for (int i = 0; i < sarif->results.count; i++) {
        write_result(sarif, &json, prints[i]);
    }
    som_json_close_array(&json);
    som_json_close_object(&json);
    som_json_close_array(&json);
    som_json_close_object(&json);
    som_json_end(&json);
    som_free(prints);
}
