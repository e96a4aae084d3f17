// SPDX-License-Identifier: Apache-2.0
// The text of a draft, written and read.
#include "base/codes/render_codes.h"
#include "base/utf8.h"
#include "studio/drafts.h"

#include <inttypes.h>

static const char heading[] = "somite draft 1\n";

static void write_piece(SomText *out, const char *name, SomStr piece) {
    som_text_printf(out, "%s %zu\n", name, piece.length);
    som_text_add(out, piece);
    som_text_add_char(out, '\n', 1);
}

void som_draft_write(const SomDraft *draft, SomText *out) {
    som_text_printf(out, "%stime %" PRId64 "\n", heading, draft->time < 0 ? 0 : draft->time);
    write_piece(out, "path", draft->path);
    write_piece(out, "config", draft->config);
    write_piece(out, "saved", draft->saved);
    write_piece(out, "text", draft->text);
    som_text_add(out, SOM_STR("end\n"));
}

typedef struct Reader {
    SomStr content;
    size_t at;
    uint32_t source1;
    SomDiagnostics *diags;
} Reader;

static bool fail(const Reader *reader, const char *words) {
    uint32_t at = (uint32_t)reader->at;
    som_report(reader->diags, SOM_DRAFT_DAMAGED, (SomSpan){reader->source1, at, at},
               "the draft is damaged: %s", words);
    return false;
}

static bool take(Reader *reader, SomStr wanted) {
    SomStr rest = som_str_slice(reader->content, reader->at, reader->content.length);
    bool is_there = som_str_starts_with(rest, wanted);
    reader->at += is_there ? wanted.length : 0;
    return is_there;
}

// "name 12" and the end of the line; as the writer writes it, so neither "012" nor "+12".
static bool read_number(Reader *reader, const char *name, int64_t most, int64_t *number) {
    if (!take(reader, som_str(name)) || !take(reader, SOM_STR(" "))) {
        return fail(reader, "a line is not what it should be");
    }
    size_t begin = reader->at;
    *number = 0;
    for (; reader->at < reader->content.length; reader->at++) {
        char c = reader->content.data[reader->at];
        if (c < '0' || c > '9') {
            break;
        }
        if (*number > (most - (c - '0')) / 10) {
            return fail(reader, "a number is too large");
        }
        *number = *number * 10 + (c - '0');
    }
    size_t digits = reader->at - begin;
    bool has_zero = digits > 1 && reader->content.data[begin] == '0';
    if (digits == 0 || has_zero || !take(reader, SOM_STR("\n"))) {
        return fail(reader, "a number is expected");
    }
    return true;
}

static bool read_piece(Reader *reader, const char *name, SomStr *piece) {
    int64_t length;
    if (!read_number(reader, name, (int64_t)1 << 40, &length)) {
        return false;
    }
    if ((uint64_t)length > reader->content.length - reader->at) {
        return fail(reader, "it is cut off");
    }
    *piece = som_str_slice(reader->content, reader->at, reader->at + (size_t)length);
    if (piece->length > 0 && memchr(piece->data, 0, piece->length) != NULL) {
        return fail(reader, "a zero byte stands in it");
    }
    reader->at += piece->length;
    return take(reader, SOM_STR("\n")) || fail(reader, "a piece is longer than it says");
}

bool som_draft_read(SomStr content, uint32_t source1, SomDraft *draft, SomDiagnostics *diags) {
    Reader reader = {.content = content, .source1 = source1, .diags = diags};
    *draft = (SomDraft){0};
    if (!take(&reader, som_str(heading))) {
        return fail(&reader, "it does not begin as a draft does");
    }
    if (!read_number(&reader, "time", INT64_MAX, &draft->time) ||
        !read_piece(&reader, "path", &draft->path) ||
        !read_piece(&reader, "config", &draft->config) ||
        !read_piece(&reader, "saved", &draft->saved) ||
        !read_piece(&reader, "text", &draft->text)) {
        return false;
    }
    if (!take(&reader, SOM_STR("end\n")) || reader.at != content.length) {
        return fail(&reader, "it does not end as a draft does");
    }
    // editors show no other text
    bool is_text = som_utf8_find_invalid(draft->text) == draft->text.length &&
                   som_utf8_find_invalid(draft->config) == draft->config.length;
    return is_text || fail(&reader, "its text is not UTF-8");
}
