// SPDX-License-Identifier: Apache-2.0
// What comes before reading XML: its encoding, and the name of its first element.

#include "base/file.h"
#include "base/memory.h"
#include "exchange/xml.h"

#include <libxml/encoding.h>
#include <libxml/tree.h>
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

static bool is_utf8_name(SomStr name) {
    static const char *const names[] = {"utf-8", "utf8", "us-ascii", "ascii"};
    for (int i = 0; i < 4; i++) {
        size_t length = strlen(names[i]), same = 0;
        while (same < length && same < name.length &&
               (name.data[same] | 0x20) == (names[i][same] | 0x20)) {
            same++;
        }
        if (same == length && name.length == length) {
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
    xmlCharEncodingHandlerPtr handler = xmlFindCharEncodingHandler(encoding);
    if (handler == NULL) {
        return false;
    }
    xmlBufferPtr from = xmlBufferCreateSize(text->length + 1);
    xmlBufferPtr to = xmlBufferCreateSize(2 * text->length + 16);
    bool fine = from != NULL && to != NULL &&
                xmlBufferAdd(from, (const xmlChar *)text->data, (int)text->length) == 0;
    while (fine && xmlBufferLength(from) > 0) { // a piece at a time
        int before = xmlBufferLength(from);
        fine = xmlCharEncInFunc(handler, to, from) >= 0 && xmlBufferLength(from) < before;
    }
    if (fine) {
        som_text_clear(text);
        som_text_add(text,
                     (SomStr){(const char *)xmlBufferContent(to), (size_t)xmlBufferLength(to)});
    }
    xmlBufferFree(from);
    xmlBufferFree(to);
    xmlCharEncCloseFunc(handler);
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
    // whoever can be read as "<?xml" is not UTF-16, whatever it says
    bool is_wide = by_bytes == NULL && som_str_starts_with(som_str(name), SOM_STR("UTF-16"));
    if (name[0] == '\0' || is_wide || is_utf8_name(som_str(name))) {
        return true;
    }
    if (!convert(name, text)) {
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
