// SPDX-License-Identifier: Apache-2.0
// What comes before reading XML: its encoding, and the name of its first element.

#include "base/codes/exchange_codes.h"
#include "base/memory.h"
#include "exchange/xml.h"

#include <iconv.h>
#include <stdio.h>

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_name(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':';
}

static size_t find(SomStr text, size_t from, SomStr wanted) {
    for (size_t i = from; i + wanted.length <= text.length; i++) {
        if (memcmp(text.data + i, wanted.data, wanted.length) == 0) {
            return i;
        }
    }
    return text.length;
}

// The value of encoding="…" in the first line of an XML file.
static SomStr declared_encoding(SomStr text) {
    if (!som_str_starts_with(text, SOM_STR("<?xml"))) {
        return (SomStr){"", 0};
    }
    SomStr line = som_str_slice(text, 0, find(text, 0, SOM_STR("?>")));
    size_t at = find(line, 0, SOM_STR("encoding"));
    while (at < line.length && line.data[at] != '"' && line.data[at] != '\'') {
        at++;
    }
    if (at == line.length) {
        return (SomStr){"", 0};
    }
    size_t end = at + 1;
    while (end < line.length && line.data[end] != line.data[at]) {
        end++;
    }
    return som_str_slice(line, at + 1, end);
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

// Every encoding there is could be had, but old ones invite mistakes; these are what people have.
static const char *const wide_names[] = {"utf-16", "utf-16le", "utf-16be"};
static const char *const byte_names[] = {"iso-8859-", "windows-125", "latin1"};
static const char *const utf8_names[] = {"utf-8", "utf8", "us-ascii", "ascii"};

static bool is_one_of(SomStr name, const char *const *names, int count, size_t more) {
    for (int i = 0; i < count; i++) {
        size_t length = strlen(names[i]), same = 0;
        while (same < length && same < name.length && lower(name.data[same]) == names[i][same]) {
            same++;
        }
        size_t rest = name.length - same;
        bool are_digits = true;
        for (size_t k = same; k < name.length; k++) {
            are_digits = are_digits && name.data[k] >= '0' && name.data[k] <= '9';
        }
        if (same == length && rest <= more && are_digits) {
            return true;
        }
    }
    return false;
}

// NULL: it is UTF-8.
static const char *encoding_by_bytes(SomStr text) {
    static const struct {
        const char *start, *name;
    } starts[] = {{"\xff\xfe", "UTF-16LE"}, {"\xfe\xff", "UTF-16BE"}};
    for (int i = 0; i < 2; i++) {
        if (som_str_starts_with(text, (SomStr){starts[i].start, 2})) {
            return starts[i].name;
        }
    }
    if (text.length >= 2 && text.data[0] == '<' && text.data[1] == '\0') {
        return "UTF-16LE";
    }
    return text.length >= 2 && text.data[0] == '\0' && text.data[1] == '<' ? "UTF-16BE" : NULL;
}

// Replaces the text by itself in UTF-8.
static bool convert(const char *encoding, SomText *text) {
    iconv_t converter = iconv_open("UTF-8", encoding);
    if (converter == (iconv_t)-1) {
        return false;
    }
    size_t from_left = text->length, to_left = 3 * text->length + 16;
    SomText result = {.data = som_realloc(NULL, to_left, 1), .capacity = to_left};
    char *from = text->data, *to = result.data;
    bool fine = iconv(converter, &from, &from_left, &to, &to_left) != (size_t)-1 && to_left > 0;
    if (fine) {
        *to = '\0';
        result.length = (size_t)(to - result.data);
        som_text_free(text);
        *text = result;
    } else {
        som_text_free(&result);
    }
    iconv_close(converter);
    return fine;
}

static void drop_mark(SomText *text) {
    if (som_str_starts_with(som_text_str(text), SOM_STR("\xef\xbb\xbf"))) {
        memmove(text->data, text->data + 3, text->length - 3 + 1);
        text->length -= 3;
    }
}

bool som_xml_decode(SomStr path, SomText *text, SomDiagnostics *diags) {
    drop_mark(text);
    SomStr declared = declared_encoding(som_text_str(text));
    const char *by_bytes = encoding_by_bytes(som_text_str(text));
    char name[64];
    if (by_bytes != NULL) {
        snprintf(name, sizeof name, "%s", by_bytes);
    } else {
        snprintf(name, sizeof name, "%.*s", SOM_STR_ARG(som_str_slice(declared, 0, 63)));
    }
    SomStr shown = som_str(name);
    // whoever can be read as "<?xml" is not UTF-16, whatever it says
    bool is_wide = by_bytes == NULL && is_one_of(shown, wide_names, 3, 0);
    if (name[0] == '\0' || is_wide || is_one_of(shown, utf8_names, 4, 0)) {
        return true;
    }
    bool is_known = by_bytes != NULL || is_one_of(shown, byte_names, 3, 2);
    if (!is_known || !convert(name, text)) {
        som_report(diags, SOM_XML_ENCODING, (SomSpan){0},
                   "'%.*s' cannot be read with the encoding '%s'", SOM_STR_ARG(path), name);
        return false;
    }
    drop_mark(text);
    return true;
}

SomStr som_xml_sniff(SomStr text) {
    size_t at = 0;
    while (at < text.length) {
        char c = text.data[at];
        SomStr rest = som_str_slice(text, at, text.length);
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            at++;
        } else if (som_str_starts_with(rest, SOM_STR("<?"))) {
            at = find(text, at, SOM_STR("?>")) + 2;
        } else if (som_str_starts_with(rest, SOM_STR("<!--"))) {
            at = find(text, at, SOM_STR("-->")) + 3;
        } else if (som_str_starts_with(rest, SOM_STR("<!"))) {
            return SOM_STR("!"); // a document type: XML, to be refused by its reader
        } else if (c == '<' && at + 1 < text.length && is_letter(text.data[at + 1])) {
            size_t end = at + 1;
            while (end < text.length && is_name(text.data[end])) {
                end++;
            }
            return som_str_slice(text, at + 1, end);
        } else {
            break;
        }
    }
    return (SomStr){"", 0};
}
