// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any reports on any text print well.
//
// The first byte is the number of reports, each of which takes five bytes: what it is, and where it
// begins and ends, inside the text or not, or of a source that there is not; the rest is the text.
// Every place lies in the text, on a line that is one, and leads back to the offset it was made
// from. What is printed is UTF-8 without control characters and has lines of a bounded length; the
// JSON form is JSON.

#include "base/codes/base_codes.h"
#include "base/diagnostic.h"
#include "base/json_reader.h"
#include "base/utf8.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact) {
    if (!fact) {
        abort();
    }
}

static void check_place(const SomDiagnostics *diags, SomStr text, uint32_t offset) {
    SomPlace place = som_diagnostics_place(diags, 1, offset);
    require(place.line >= 1 && place.column >= 1);
    require(memchr(place.text.data, '\n', place.text.length) == NULL);
    if (text.length == 0) {
        require(place.line == 1 && place.column == 1 && place.text.length == 0);
        return;
    }
    size_t start = (size_t)(place.text.data - text.data);
    require(start + place.text.length <= text.length);
    require(start == 0 || text.data[start - 1] == '\n');
    int lines = 1;
    for (size_t i = 0; i < start; i++) {
        lines += text.data[i] == '\n';
    }
    require(lines == place.line);

    // forward by as many characters as the column says: the offset, or the character it is in
    size_t at = start;
    for (int i = 1; i < place.column; i++) {
        int length = som_utf8_length(som_str_slice(text, at, text.length));
        at += (size_t)(length > 0 ? length : 1);
    }
    size_t meant = offset < text.length ? offset : text.length;
    require(at <= meant && meant < at + 4);
}

static void check_printed(SomStr printed, size_t longest) {
    require(som_utf8_find_invalid(printed) == printed.length);
    size_t line = 0;
    for (size_t i = 0; i < printed.length; i++) {
        unsigned char c = (unsigned char)printed.data[i];
        require(c == '\n' || (c >= 0x20 && c != 0x7F));
        line = c == '\n' ? 0 : line + 1;
        require(line <= longest);
    }
}

static void add(SomDiagnostics *diags, SomStr text, int kind, SomSpan span) {
    SomStr quoted = som_str_slice(text, span.begin, span.end);
    quoted = som_str_slice(quoted, 0, 2000);
    switch (kind % 4) {
    case 0:
        som_report(diags, SOM_JSON_SYNTAX, span, "'%.*s' is wrong", SOM_STR_ARG(quoted));
        break;
    case 1:
        som_report(diags, SOM_TEXT_NOT_UTF8, (SomSpan){0}, "%.*s", SOM_STR_ARG(quoted));
        break;
    case 2:
        som_note(diags, span, "%.*s", SOM_STR_ARG(quoted));
        break;
    case 3:
        som_fix(diags, span, som_str_slice(quoted, 0, 50));
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t count = size > 0 ? data[0] : 0;
    if (size < 1 + 5 * count) {
        return 0;
    }
    const uint8_t *reports = data + 1;
    SomStr text = {(const char *)data + 1 + 5 * count, size - 1 - 5 * count};
    SomDiagnostics *diags = som_diagnostics_create();
    som_diagnostics_add_source(diags, SOM_STR("a\x1B.som"), text);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *r = reports + 5 * i;
        SomSpan span = {r[0] < 0xf0 ? 1 : r[0], (uint32_t)(r[1] << 8 | r[2]),
                        (uint32_t)(r[3] << 8 | r[4])};
        check_place(diags, text, span.begin);
        check_place(diags, text, span.end);
        add(diags, text, r[0], span);
    }
    som_diagnostics_sort(diags);
    SomText printed = {0};
    som_diagnostics_print(diags, (int)count / 2, &printed);
    check_printed(som_text_str(&printed), 3100); // a message, or a replacement in octal

    som_text_clear(&printed);
    SomJsonWriter json = {.out = &printed};
    som_diagnostics_write_json(diags, &json);
    som_json_end(&json);
    SomArena arena = {0};
    SomDiagnostics *more = som_diagnostics_create();
    require(som_json_parse(&arena, som_text_str(&printed), 0, more) != NULL);
    som_diagnostics_destroy(more);
    som_arena_free(&arena);
    som_text_free(&printed);
    som_diagnostics_destroy(diags);
    return 0;
}
