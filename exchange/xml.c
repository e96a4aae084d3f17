// SPDX-License-Identifier: Apache-2.0
// libxml2's events → SomXml. Every root is read as a document of its own, so that files with
// several of them can be read, and bytes count from the start of the file.

#include "exchange/xml.h"

#include "base/codes/exchange_codes.h"
#include "base/memory.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <limits.h>

typedef struct Reader {
    SomXml *xml;
    SOM_ARRAY(SomXmlNode) nodes;
    SOM_ARRAY(SomXmlAttribute) attributes;
    SomText words[SOM_XML_MAX_DEPTH]; // of the open elements
    int open[SOM_XML_MAX_DEPTH];
    int depth;
    int last_root;
    SomStr text;
    size_t start; // of the document that is being read
    size_t end;   // of its root; 0 while that is open
    uint32_t source1;
    xmlParserCtxtPtr context;
    SomDiagnostics *diags;
    bool failed;
} Reader;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Where the parser is, from the start of the file.
static size_t position(const Reader *reader) {
    const xmlParserInput *input = reader->context->input;
    size_t at = reader->start;
    if (input != NULL && input->cur >= input->base) {
        at += input->consumed + (size_t)(input->cur - input->base);
    }
    return at < reader->text.length ? at : reader->text.length;
}

static SomSpan span_of(const Reader *reader, size_t begin, size_t end) {
    return (SomSpan){reader->source1, (uint32_t)begin, (uint32_t)end};
}

// The tag that ends here begins with the last '<': no attribute may hold one.
static size_t tag_start(const Reader *reader, size_t end) {
    while (end > reader->start && reader->text.data[end - 1] != '<') {
        end--;
    }
    return end > reader->start ? end - 1 : reader->start;
}

static void stop(Reader *reader) {
    reader->failed = true;
    xmlStopParser(reader->context);
}

static bool is_full(Reader *reader, size_t at, int attributes) {
    SomSpan span = span_of(reader, tag_start(reader, at), at);
    if (reader->depth == SOM_XML_MAX_DEPTH) {
        som_report(reader->diags, SOM_XML_TOO_MUCH, span, "elements lie more than %d deep",
                   SOM_XML_MAX_DEPTH);
    } else if (reader->nodes.count + reader->attributes.count + attributes >= SOM_XML_MAX_NODES) {
        som_report(reader->diags, SOM_XML_TOO_MUCH, span, "there are more than %d elements",
                   SOM_XML_MAX_NODES);
    } else {
        return false;
    }
    stop(reader);
    return true;
}

static SomStr copied(Reader *reader, const xmlChar *begin, size_t length) {
    return som_arena_copy(&reader->xml->arena, (SomStr){(const char *)begin, length});
}

static SomStr copied_name(Reader *reader, const xmlChar *name) {
    return name != NULL ? copied(reader, name, strlen((const char *)name)) : SOM_STR("");
}

// libxml2 hands over the "&amp;" of an attribute as "&#38;".
static SomStr copied_value(Reader *reader, const xmlChar *begin, const xmlChar *end) {
    static const char ampersand[] = "&#38;";
    const size_t length = sizeof ampersand - 1;
    SomStr value = copied(reader, begin, (size_t)(end - begin));
    char *bytes = (char *)value.data; // our own copy
    size_t kept = 0;
    for (size_t i = 0; i < value.length; i++) {
        bytes[kept++] = bytes[i];
        if (value.length - i >= length && memcmp(bytes + i, ampersand, length) == 0) {
            i += length - 1;
        }
    }
    bytes[kept] = '\0';
    return (SomStr){bytes, kept};
}

static void append(Reader *reader, int node) {
    int parent = reader->nodes.data[node].parent;
    int *last = parent >= 0 ? &reader->nodes.data[parent].last_child : &reader->last_root;
    if (*last >= 0) {
        reader->nodes.data[*last].next = node;
    } else if (parent >= 0) {
        reader->nodes.data[parent].first_child = node;
    } else {
        reader->xml->first_root = node;
    }
    *last = node;
}

// Where the values of the last `count` attributes stand in their tag, in which they are in order.
static void place_attributes(Reader *reader, SomSpan tag, int count) {
    SomStr text = som_str_slice(reader->text, 0, tag.end);
    int next = reader->attributes.count - count;
    size_t name = tag.begin;
    char before = ' ';
    for (size_t at = tag.begin; at < text.length && next < reader->attributes.count; at++) {
        char c = text.data[at];
        bool is_quote = c == '"' || c == '\'';
        bool is_letter = !is_blank(c) && c != '=' && !is_quote;
        name = is_letter && is_blank(before) ? at : name;
        before = c;
        if (is_quote) {
            const char *last = memchr(text.data + at + 1, c, text.length - at - 1);
            size_t end = last != NULL ? (size_t)(last - text.data) : text.length;
            if (!som_str_starts_with(som_str_slice(text, name, at), SOM_STR("xmlns"))) {
                reader->attributes.data[next++].span = span_of(reader, at + 1, end);
            }
            at = end;
        }
    }
}

static void start_element(void *data, const xmlChar *name, const xmlChar *prefix,
                          const xmlChar *uri, int namespaces, const xmlChar **spaces, int count,
                          int defaulted, const xmlChar **attributes) {
    (void)uri, (void)namespaces, (void)spaces, (void)defaulted;
    Reader *reader = data;
    size_t at = position(reader);
    if (reader->failed || reader->end > 0 || is_full(reader, at, count)) {
        return;
    }
    SomSpan span = span_of(reader, tag_start(reader, at), at);
    // up to and with its '>'
    while (span.end < reader->text.length && reader->text.data[span.end - 1] != '>') {
        span.end++;
    }
    int above = reader->depth - 1;
    SomXmlNode node = {.name = copied_name(reader, name),
                       .prefix = copied_name(reader, prefix),
                       .words_before = above >= 0 ? reader->words[above].length : 0,
                       .span = span,
                       .text_span = span,
                       .whole = span,
                       .parent = above >= 0 ? reader->open[above] : -1,
                       .first_child = -1,
                       .last_child = -1,
                       .next = -1,
                       .first_attribute = reader->attributes.count,
                       .attribute_count = count};
    for (int i = 0; i < count; i++) { // name, prefix, namespace, begin and end of the value
        const xmlChar **a = attributes + 5 * i;
        SomXmlAttribute attribute = {copied_name(reader, a[0]), copied_name(reader, a[1]),
                                     copied_value(reader, a[3], a[4]), span};
        som_array_push(&reader->attributes, attribute);
    }
    place_attributes(reader, span, count);
    som_array_push(&reader->nodes, node);
    append(reader, reader->nodes.count - 1);
    som_text_clear(&reader->words[reader->depth]);
    reader->open[reader->depth++] = reader->nodes.count - 1;
}

// The place of the words of an element without children.
static void place_words(Reader *reader, SomXmlNode *node, size_t at) {
    size_t begin = node->span.end, end = tag_start(reader, at);
    while (begin < end && is_blank(reader->text.data[begin])) {
        begin++;
    }
    while (end > begin && is_blank(reader->text.data[end - 1])) {
        end--;
    }
    if (begin < end) {
        node->text_span = span_of(reader, begin, end);
    }
}

static SomStr trimmed(SomStr words) {
    while (words.length > 0 && is_blank(words.data[0])) {
        words = som_str_slice(words, 1, words.length);
    }
    while (words.length > 0 && is_blank(words.data[words.length - 1])) {
        words.length--;
    }
    return words;
}

static void end_element(void *data, const xmlChar *name, const xmlChar *prefix,
                        const xmlChar *uri) {
    (void)name, (void)prefix, (void)uri;
    Reader *reader = data;
    if (reader->failed || reader->depth == 0) {
        return;
    }
    size_t at = position(reader);
    SomXmlNode *node = &reader->nodes.data[reader->open[--reader->depth]];
    node->words = som_arena_copy(&reader->xml->arena, som_text_str(&reader->words[reader->depth]));
    node->text = trimmed(node->words);
    node->whole.end = (uint32_t)at;
    if (node->first_child < 0 && node->text.length > 0) {
        place_words(reader, node, at);
    }
    if (reader->depth == 0) {
        reader->end = at;
        xmlStopParser(reader->context);
    }
}

static void characters(void *data, const xmlChar *words, int length) {
    Reader *reader = data;
    if (!reader->failed && reader->depth > 0 && length > 0) {
        som_text_add(&reader->words[reader->depth - 1],
                     (SomStr){(const char *)words, (size_t)length});
    }
}

static void document_type(void *data, const xmlChar *name, const xmlChar *external,
                          const xmlChar *system) {
    (void)name, (void)external, (void)system;
    Reader *reader = data;
    if (!reader->failed) {
        size_t at = position(reader);
        som_report(reader->diags, SOM_XML_DOCUMENT_TYPE, span_of(reader, tag_start(reader, at), at),
                   "a document type is not accepted");
        stop(reader);
    }
}

static void take_error(void *data, xmlErrorPtr error) {
    Reader *reader = data;
    bool is_minor = error->level < XML_ERR_ERROR || error->domain == XML_FROM_NAMESPACE;
    if (reader->failed || reader->end > 0 || is_minor) {
        return;
    }
    SomStr message = som_str(error->message != NULL ? error->message : "not well-formed");
    message = trimmed(message);
    char first = message.length > 0 ? message.data[0] : '?';
    bool is_capital = first >= 'A' && first <= 'Z' && message.length > 1 &&
                      message.data[1] >= 'a' && message.data[1] <= 'z';
    size_t at = position(reader);
    SomStr rest = som_str_slice(message, 1, message.length);
    som_report(reader->diags, SOM_XML_SYNTAX, span_of(reader, at, at), "this is not XML: %c%.*s",
               is_capital ? first - 'A' + 'a' : first, SOM_STR_ARG(rest));
    stop(reader);
}

static void read_document(Reader *reader) {
    SomStr rest = som_str_slice(reader->text, reader->start, reader->text.length);
    xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC,
                             .internalSubset = document_type,
                             .characters = characters,
                             .cdataBlock = characters,
                             .ignorableWhitespace = characters,
                             .startElementNs = start_element,
                             .endElementNs = end_element,
                             .serror = take_error};
    reader->context = xmlCreateMemoryParserCtxt(rest.data, (int)rest.length);
    if (reader->context == NULL) {
        som_report(reader->diags, SOM_XML_SYNTAX, span_of(reader, reader->start, reader->start),
                   "this is not XML: there is nothing in it");
        reader->failed = true;
        return;
    }
    *reader->context->sax = handler;
    reader->context->userData = reader;
    xmlCtxtUseOptions(reader->context, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
    reader->context->encoding = xmlStrdup((const xmlChar *)"UTF-8"); // so that it is not guessed
    xmlParseDocument(reader->context);
    if (!reader->failed && reader->end == 0) { // never without having said why
        som_report(reader->diags, SOM_XML_SYNTAX, span_of(reader, reader->start, reader->start),
                   "this is not XML: it has no element that ends");
        reader->failed = true;
    }
    xmlFreeDoc(reader->context->myDoc);
    reader->context->myDoc = NULL;
    xmlFreeParserCtxt(reader->context);
    reader->context = NULL;
}

// The place behind the next `wanted`; 0 if there is none.
static size_t find_behind(SomStr text, size_t from, SomStr wanted) {
    for (size_t i = from; i + wanted.length <= text.length; i++) {
        const char *first = memchr(text.data + i, wanted.data[0], text.length - i);
        i = first != NULL ? (size_t)(first - text.data) : text.length;
        if (som_str_starts_with(som_str_slice(text, i, text.length), wanted)) {
            return i + wanted.length;
        }
    }
    return 0;
}

// The place behind a comment, an instruction or a piece of plain text that begins here; `at` if
// none does, or it does not end.
static size_t skip_aside(SomStr text, size_t at) {
    static const struct {
        SomStr begin, end;
    } pairs[] = {{{"<!--", 4}, {"-->", 3}}, {{"<?", 2}, {"?>", 2}}, {{"<![CDATA[", 9}, {"]]>", 3}}};
    for (int i = 0; i < 3; i++) {
        if (som_str_starts_with(som_str_slice(text, at, text.length), pairs[i].begin)) {
            size_t behind = find_behind(text, at + pairs[i].begin.length, pairs[i].end);
            return behind > 0 ? behind : at;
        }
    }
    return at;
}

// The place after what may stand between roots.
static size_t skip_between(SomStr text, size_t at) {
    for (size_t before = text.length; at != before;) {
        before = at;
        while (at < text.length && is_blank(text.data[at])) {
            at++;
        }
        bool is_plain = som_str_starts_with(som_str_slice(text, at, text.length), SOM_STR("<!["));
        at = is_plain ? at : skip_aside(text, at);
    }
    return at;
}

static void report_tag(Reader *reader, SomSpan span, int attributes) {
    if (attributes > SOM_XML_MAX_ATTRIBUTES) {
        som_report(reader->diags, SOM_XML_TOO_MUCH, span, "a tag has more than %d attributes",
                   SOM_XML_MAX_ATTRIBUTES);
    } else {
        som_report(reader->diags, SOM_XML_TOO_MUCH, span, "a tag is longer than %d bytes",
                   SOM_XML_MAX_TAG);
    }
}

// libxml2 compares all attributes of a tag with each other, and keeps a tag whole: none may have
// many or be long.
static bool check_tags(Reader *reader) {
    SomStr text = reader->text;
    for (size_t at = 0; at < text.length;) {
        const char *next = memchr(text.data + at, '<', text.length - at);
        if (next == NULL) {
            break;
        }
        at = (size_t)(next - text.data);
        size_t begin = at, behind = skip_aside(text, at);
        int quotes = 0;
        char quote = '\0';
        if (behind > at) {
            at = behind;
            continue;
        }
        while (at < text.length && (quote != '\0' || text.data[at] != '>')) {
            char c = text.data[at++];
            bool is_quote = c == '"' || c == '\'';
            quotes += is_quote && quote == '\0';
            quote = is_quote && quote == '\0' ? c : c == quote ? '\0' : quote;
            if (at - begin > SOM_XML_MAX_TAG || quotes > SOM_XML_MAX_ATTRIBUTES) {
                report_tag(reader, span_of(reader, begin, begin + 1), quotes);
                return false;
            }
        }
    }
    return true;
}

static SomXml *finish(Reader *reader) {
    SomXml *xml = reader->xml;
    xml->nodes = reader->nodes.data;
    xml->node_count = reader->nodes.count;
    xml->attributes = reader->attributes.data;
    xml->attribute_count = reader->attributes.count;
    for (int i = 0; i < SOM_XML_MAX_DEPTH; i++) {
        som_text_free(&reader->words[i]);
    }
    if (reader->failed) {
        som_xml_destroy(xml);
        return NULL;
    }
    return xml;
}

SomXml *som_xml_read(SomStr text, uint32_t source1, SomDiagnostics *diags) {
    Reader reader = {.xml = som_alloc(sizeof(SomXml)),
                     .last_root = -1,
                     .text = text,
                     .source1 = source1,
                     .diags = diags};
    reader.xml->first_root = -1;
    if (text.length > INT_MAX / 2) {
        som_report(diags, SOM_XML_TOO_MUCH, (SomSpan){0}, "the text is larger than a gigabyte");
        reader.failed = true;
    }
    reader.failed = reader.failed || !check_tags(&reader);
    for (int roots = 0; !reader.failed && (roots == 0 || reader.start < text.length); roots++) {
        reader.end = 0;
        if (roots == SOM_XML_MAX_ROOTS) {
            som_report(diags, SOM_XML_TOO_MUCH, span_of(&reader, reader.start, reader.start),
                       "there are more than %d roots", SOM_XML_MAX_ROOTS);
            reader.failed = true;
        } else {
            read_document(&reader);
        }
        reader.start = skip_between(text, reader.end);
    }
    return finish(&reader);
}

void som_xml_destroy(SomXml *xml) {
    if (xml != NULL) {
        som_free(xml->nodes);
        som_free(xml->attributes);
        som_arena_free(&xml->arena);
        som_free(xml);
    }
}

static int first_of(const SomXml *xml, int node, SomStr name) {
    while (node >= 0 && name.length > 0 && !som_str_equal(xml->nodes[node].name, name)) {
        node = xml->nodes[node].next;
    }
    return node;
}

int som_xml_child(const SomXml *xml, int node, SomStr name) {
    return first_of(xml, node == SOM_XML_TOP ? xml->first_root : xml->nodes[node].first_child,
                    name);
}

int som_xml_next(const SomXml *xml, int node, SomStr name) {
    return first_of(xml, xml->nodes[node].next, name);
}

const SomXmlAttribute *som_xml_find_attribute(const SomXml *xml, int node, SomStr name) {
    int first = xml->nodes[node].first_attribute;
    for (int i = first; i < first + xml->nodes[node].attribute_count; i++) {
        if (som_str_equal(xml->attributes[i].name, name)) {
            return &xml->attributes[i];
        }
    }
    return NULL;
}

SomStr som_xml_attribute(const SomXml *xml, int node, SomStr name) {
    const SomXmlAttribute *found = som_xml_find_attribute(xml, node, name);
    return found != NULL ? found->value : (SomStr){"", 0};
}
