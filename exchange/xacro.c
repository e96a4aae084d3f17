// SPDX-License-Identifier: Apache-2.0
// The elements of xacro: what they define, and what they become.

#include "exchange/xacro.h"

#include "base/codes/exchange_codes.h"
#include "base/path.h"
#include "exchange/named_file.h"
#include "exchange/xacro_internal.h"

// ---- what is xacro

// What a tag declares as the prefix of xacro: `xmlns:P="http://www.ros.org/wiki/xacro"`.
static SomStr find_prefix(SomStr tag) {
    for (size_t at = 0; at + 6 < tag.length; at++) {
        SomStr rest = som_str_slice(tag, at, tag.length);
        if (!som_str_starts_with(rest, SOM_STR("xmlns:"))) {
            continue;
        }
        size_t begin = 6, end = 6;
        while (end < rest.length && rest.data[end] != '=' && rest.data[end] != ' ') {
            end++;
        }
        const char *quote = memchr(rest.data + end, '"', rest.length - end);
        const char *other = memchr(rest.data + end, '\'', rest.length - end);
        quote = quote == NULL || (other != NULL && other < quote) ? other : quote;
        size_t value = quote != NULL ? (size_t)(quote - rest.data) + 1 : rest.length;
        const char *last =
            value < rest.length ? memchr(rest.data + value, *quote, rest.length - value) : NULL;
        size_t stop = last != NULL ? (size_t)(last - rest.data) : value;
        SomStr address = som_str_slice(rest, value, stop);
        if (som_str_ends_with(address, SOM_STR("xacro")) ||
            som_str_ends_with(address, SOM_STR("xacro/"))) {
            return som_str_slice(rest, begin, end);
        }
    }
    return SOM_STR("xacro");
}

static SomStr prefix_of(SomStr text, const SomXml *xml) {
    int root = som_xml_child(xml, SOM_XML_TOP, SOM_STR(""));
    return find_prefix(som_str_slice(text, xml->nodes[root].span.begin, xml->nodes[root].span.end));
}

bool som_xacro_sniff(SomStr path, SomStr text, const SomXml *xml) {
    SomStr prefix = prefix_of(text, xml);
    bool is_so = som_str_ends_with(path, SOM_STR(".xacro"));
    for (int i = 0; i < xml->node_count && !is_so; i++) {
        bool is_top = xml->nodes[i].parent >= 0 && xml->nodes[xml->nodes[i].parent].parent < 0;
        is_so = som_str_equal(xml->nodes[i].prefix, prefix) ||
                (is_top && (som_str_equal(xml->nodes[i].name, SOM_STR("macro")) ||
                            som_str_equal(xml->nodes[i].name, SOM_STR("property")) ||
                            som_str_equal(xml->nodes[i].name, SOM_STR("include"))));
    }
    return is_so;
}

typedef enum Kind {
    ELEMENT,
    INCLUDE,
    PROPERTY,
    ARGUMENT,
    MACRO,
    INSERT,
    IF,
    UNLESS,
    CREATE,
    ATTRIBUTE,
    CALL,
    UNKNOWN
} Kind;

// Old files have no prefix. Of those elements, only what xacro alone has is taken for it; what is
// in other programs' blocks has words of its own.
static Kind kind_of(const SomXacro *x, const SomXml *xml, int node, bool is_foreign) {
    static const struct {
        const char *name, *attribute; // that it has, if it has no prefix; NULL: it has one
        Kind kind;
    } known[] = {{"include", "filename", INCLUDE}, {"property", "name", PROPERTY},
                 {"arg", "default", ARGUMENT},     {"macro", "params", MACRO},
                 {"insert_block", "name", INSERT}, {"if", "value", IF},
                 {"unless", "value", UNLESS},      {"element", NULL, CREATE},
                 {"attribute", NULL, ATTRIBUTE}};
    const SomXmlNode *element = &xml->nodes[node];
    bool is_ours = som_str_equal(element->prefix, x->prefix);
    bool is_plain = element->prefix.length == 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (som_str_equal(element->name, som_str(known[i].name)) &&
            (is_ours ||
             (is_plain && known[i].attribute != NULL && (!is_foreign || known[i].kind == INSERT) &&
              som_xml_find_attribute(xml, node, som_str(known[i].attribute)) != NULL))) {
            return known[i].kind;
        }
    }
    static const char *const urdf[] = {"link",   "joint",        "origin",   "inertial",
                                       "visual", "material",     "geometry", "collision",
                                       "gazebo", "transmission", "mass",     "inertia",
                                       "axis",   "limit",        "mesh"};
    bool is_urdf = false;
    for (size_t i = 0; i < sizeof urdf / sizeof *urdf; i++) {
        is_urdf = is_urdf || som_str_equal(element->name, som_str(urdf[i]));
    }
    bool can_call = is_ours || (is_plain && !is_foreign && !is_urdf);
    if (can_call && som_xacro_find_macro(x, element->name) != NULL) {
        return CALL;
    }
    return is_ours ? UNKNOWN : ELEMENT;
}

// ---- the result

int som_xacro_add_node(SomXacro *x, const SomXmlNode *from, SomXacroTarget to) {
    SomXmlNode node = *from;
    node.name = som_xacro_copy(x, from->name, from->span);
    node.prefix = som_xacro_copy(x, from->prefix, from->span);
    node.text = node.words = (SomStr){"", 0};
    node.words_before = to.words->length;
    node.parent = to.parent;
    node.first_child = node.last_child = node.next = -1;
    node.first_attribute = x->attributes.count;
    som_array_push(&x->nodes, node);
    int index = x->nodes.count - 1;
    if (to.parent >= 0) {
        SomXmlNode *parent = &x->nodes.data[to.parent];
        if (parent->last_child >= 0) {
            x->nodes.data[parent->last_child].next = index;
        } else {
            parent->first_child = index;
        }
        parent->last_child = index;
    }
    return index;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
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

static void finish_words(SomXacro *x, int node, SomText *words) {
    SomXmlNode *n = &x->nodes.data[node];
    n->words = som_xacro_copy(x, som_text_str(words), n->span);
    n->text = trimmed(n->words);
    som_text_free(words);
}

// Within elements of other programs, words are theirs.
static bool is_foreign_root(SomStr name) {
    return som_str_equal(name, SOM_STR("gazebo")) || som_str_equal(name, SOM_STR("transmission")) ||
           som_str_equal(name, SOM_STR("ros2_control"));
}

static bool is_name(SomStr name) {
    bool is_so = name.length > 0;
    for (size_t i = 0; i < name.length; i++) {
        unsigned char c = (unsigned char)name.data[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
        bool is_other = (c >= '0' && c <= '9') || c == '-' || c == '.';
        is_so = is_so && (is_letter || (is_other && i > 0));
    }
    return is_so;
}

static void add_attribute(SomXacro *x, SomXacroScope *scope, const SomXmlAttribute *from) {
    SomXmlAttribute a = *from;
    a.value = som_xacro_evaluate_text(x, scope, a.value, a.span);
    a.value = som_xacro_copy(x, a.value, a.span);
    a.name = som_xacro_copy(x, a.name, a.span);
    a.prefix = som_xacro_copy(x, a.prefix, a.span);
    som_array_push(&x->attributes, a);
}

// `from` is the element, perhaps under another name. Attributes for xacro are left out.
static void copy_element(SomXacro *x, SomXacroScope *scope, SomXacroSource source,
                         const SomXmlNode *from, SomXacroTarget to, bool is_foreign) {
    int index = som_xacro_add_node(x, from, to);
    for (int i = 0; i < from->attribute_count && !x->failed; i++) {
        const SomXmlAttribute *a = &source.xml->attributes[from->first_attribute + i];
        if (!som_str_equal(a->prefix, x->prefix)) {
            add_attribute(x, scope, a);
        }
    }
    x->nodes.data[index].attribute_count =
        x->attributes.count - x->nodes.data[index].first_attribute;
    SomText words = {0};
    som_xacro_expand_inside(x, scope, source, (SomXacroTarget){index, &words},
                            is_foreign || is_foreign_root(from->name));
    finish_words(x, index, &words);
}

// <xacro:element xacro:name="…">
static void create_element(SomXacro *x, SomXacroScope *scope, SomXacroSource source,
                           SomXacroTarget to, bool is_foreign) {
    SomXmlNode element = source.xml->nodes[source.node];
    SomStr written = {"", 0};
    for (int i = 0; i < element.attribute_count; i++) {
        const SomXmlAttribute *a = &source.xml->attributes[element.first_attribute + i];
        bool is_it = som_str_equal(a->prefix, x->prefix) && som_str_equal(a->name, SOM_STR("name"));
        written = is_it ? a->value : written;
    }
    element.name = som_xacro_evaluate_text(x, scope, written, element.span);
    element.prefix = (SomStr){"", 0};
    if (!is_name(element.name)) {
        som_xacro_fail(x, SOM_XACRO_INCOMPLETE, element.span,
                       "'element' needs 'xacro:name', a name that an element can have");
    } else if (!x->failed) {
        copy_element(x, scope, source, &element, to, is_foreign);
    }
}

// <xacro:attribute name="…" value="…"/> is one of the element it stands in. Those of an element lie
// in a row, so they move behind all others.
static void set_attribute(SomXacro *x, SomXacroScope *scope, SomXacroSource source, int parent) {
    SomSpan span = source.xml->nodes[source.node].span;
    SomStr name = som_xacro_evaluate_text(x, scope, som_xacro_need(x, source, "name"), span);
    SomXmlAttribute wanted = {
        .name = name, .value = som_xacro_need(x, source, "value"), .span = span};
    if (!x->failed && !is_name(name)) {
        som_xacro_fail(x, SOM_XACRO_INCOMPLETE, span,
                       "'attribute' needs a name that an attribute can have");
    }
    int first = x->nodes.data[parent].first_attribute,
        count = x->nodes.data[parent].attribute_count;
    if (!som_xacro_spend(x, sizeof wanted * (size_t)count, (size_t)count, span)) {
        return;
    }
    x->nodes.data[parent].first_attribute = x->attributes.count;
    for (int i = first; i < first + count; i++) {
        SomXmlAttribute a = x->attributes.data[i];
        if (a.prefix.length > 0 || !som_str_equal(a.name, name)) {
            som_array_push(&x->attributes, a);
        }
    }
    add_attribute(x, scope, &wanted);
    x->nodes.data[parent].attribute_count =
        x->attributes.count - x->nodes.data[parent].first_attribute;
}

// ---- definitions

SomStr som_xacro_need(SomXacro *x, SomXacroSource source, const char *name) {
    const SomXmlAttribute *found = som_xml_find_attribute(source.xml, source.node, som_str(name));
    if (found == NULL) {
        const SomXmlNode *node = &source.xml->nodes[source.node];
        som_xacro_fail(x, SOM_XACRO_INCOMPLETE, node->span, "'%.*s' needs '%s'",
                       SOM_STR_ARG(node->name), name);
        return (SomStr){"", 0};
    }
    return found->value;
}

// Unless it says otherwise, a property is evaluated when it is needed.
static bool is_lazy(SomXacro *x, SomXacroSource source) {
    SomStr lazy = som_xml_attribute(source.xml, source.node, SOM_STR("lazy_eval"));
    if (som_xml_find_attribute(source.xml, source.node, SOM_STR("remove")) != NULL) {
        som_xacro_fail(x, SOM_XACRO_UNKNOWN, source.xml->nodes[source.node].span,
                       "'remove' of a property is not understood");
    }
    return !som_str_equal(lazy, SOM_STR("false")) && !som_str_equal(lazy, SOM_STR("False"));
}

static void define_property(SomXacro *x, SomXacroScope *scope, SomXacroSource source) {
    SomXacroSymbol symbol = {.span = source.xml->nodes[source.node].span, .node = -1};
    SomStr name = som_xacro_need(x, source, "name");
    symbol.name = som_xacro_evaluate_text(x, scope, name, symbol.span);
    const SomXmlAttribute *value =
        som_xml_find_attribute(source.xml, source.node, SOM_STR("value"));
    const SomXmlAttribute *fallback =
        som_xml_find_attribute(source.xml, source.node, SOM_STR("default"));
    SomStr where = som_xml_attribute(source.xml, source.node, SOM_STR("scope"));
    if (value == NULL && fallback != NULL) {
        if (som_xacro_find(x, scope, symbol.name, false, NULL) != NULL) {
            return;
        }
        value = fallback;
    }
    if (value != NULL) {
        symbol.raw = value->value;
        symbol.span = value->span;
    } else {
        symbol.is_block = symbol.is_content = true;
        symbol.xml = source.xml;
        symbol.node = source.node;
    }
    SomXacroScope *target = scope;
    bool is_now = !is_lazy(x, source) || where.length > 0;
    if (!symbol.is_block && is_now) { // evaluated here
        symbol.value = som_xacro_evaluate(x, scope, symbol.raw, symbol.span);
        symbol.value = symbol.value.kind == SOM_XACRO_TEXT ? som_xacro_literal(symbol.value.text)
                                                           : symbol.value;
        symbol.is_evaluated = true;
    }
    if (where.length > 0) { // and kept there
        bool is_global = som_str_equal(where, SOM_STR("global"));
        while (target->outer != NULL && (is_global || target == scope)) {
            target = target->outer;
        }
    }
    if (!x->failed) {
        som_xacro_define(x, target, &symbol);
    }
}

static void define_argument(SomXacro *x, SomXacroScope *scope, SomXacroSource source) {
    SomStr name = som_xacro_need(x, source, "name");
    const SomXmlAttribute *value =
        som_xml_find_attribute(source.xml, source.node, SOM_STR("default"));
    SomXacroSymbol *known = x->failed ? NULL : som_xacro_find(x, &x->arguments, name, false, NULL);
    if (known != NULL) {
        known->is_needed = true;
    }
    if (value == NULL || x->failed || known != NULL) {
        return; // the first default counts; one without is told where it is used
    }
    SomXacroSymbol symbol = {.name = name, .span = value->span, .is_evaluated = true, .node = -1};
    SomStr text = som_xacro_evaluate_text(x, scope, value->value, value->span);
    symbol.value = som_xacro_text(text);
    som_array_push(&x->arguments.symbols, symbol);
}

bool som_import_argument_split(SomStr word, SomStr *name, SomStr *value) {
    for (size_t i = 1; i + 1 < word.length; i++) {
        if (word.data[i] == ':' && word.data[i + 1] == '=') {
            *name = som_str_slice(word, 0, i);
            *value = som_str_slice(word, i + 2, word.length);
            return true;
        }
    }
    return false;
}

// "name:=value", as they were given.
static void define_given(SomXacro *x) {
    const SomImportOptions *options = x->importer->options;
    for (int i = 0; i < options->argument_count; i++) {
        SomStr name, value;
        if (som_import_argument_split(options->arguments[i], &name, &value)) {
            SomXacroSymbol symbol = {.name = name,
                                     .is_evaluated = true,
                                     .is_given = true,
                                     .value = som_xacro_text(value),
                                     .node = -1};
            som_xacro_define(x, &x->arguments, &symbol);
        }
    }
}

// Those that nobody wanted are probably misspelt.
static void check_given(SomXacro *x) {
    SOM_ARRAY(SomStr) names = {0};
    for (int i = 0; i < x->arguments.symbols.count; i++) {
        const SomXacroSymbol *symbol = &x->arguments.symbols.data[i];
        if (!symbol->is_given) {
            som_array_push(&names, symbol->name);
        }
    }
    for (int i = 0; i < x->arguments.symbols.count && !x->failed; i++) {
        const SomXacroSymbol *symbol = &x->arguments.symbols.data[i];
        if (symbol->is_given && !symbol->is_needed) {
            int nearest = som_str_find_nearest(symbol->name, names.data, names.count);
            som_xacro_fail(x, SOM_XACRO_NO_ARGUMENT, (SomSpan){x->file->source1, 0, 0},
                           "this file has no argument '%.*s'%s%.*s%s", SOM_STR_ARG(symbol->name),
                           nearest >= 0 ? "; did you mean '" : "",
                           SOM_STR_ARG(nearest >= 0 ? names.data[nearest] : SOM_STR("")),
                           nearest >= 0 ? "'?" : "");
        }
    }
    som_array_free(&names);
}

static void define_macro(SomXacro *x, SomXacroSource source) {
    SomXacroMacro macro = {.name = som_xacro_need(x, source, "name"),
                           .xml = source.xml,
                           .node = source.node,
                           .file = x->file,
                           .prefix = x->prefix};
    if (som_xacro_spend(x, 0, (size_t)x->macros.count, source.xml->nodes[source.node].span)) {
        som_array_push(&x->macros, macro);
    }
}

// ---- files

static SomXacroFile *load_file(SomXacro *x, SomStr path) {
    for (int i = 0; i < x->files.count; i++) {
        if (som_str_equal(x->files.data[i]->file.path, path)) {
            return x->files.data[i];
        }
    }
    SomXacroFile *file = som_alloc(sizeof *file);
    som_array_push(&x->files, file);
    if (som_importer_load(x->importer, path, &file->file)) {
        file->xml = som_xml_read(file->file.text, file->file.source1, x->diags);
    }
    x->failed = x->failed || file->xml == NULL;
    return file;
}

#define MAX_INCLUDES 2000 // each costs a search

static void include(SomXacro *x, SomXacroScope *scope, SomXacroSource source, SomXacroTarget to) {
    SomSpan span = source.xml->nodes[source.node].span;
    SomStr written = som_xacro_need(x, source, "filename");
    SomStr wanted = som_xacro_evaluate_text(x, scope, written, span);
    if (som_xml_find_attribute(source.xml, source.node, SOM_STR("ns")) != NULL) {
        som_xacro_fail(x, SOM_XACRO_INCLUDE, span,
                       "a name space (ns) for what is included is not understood");
    }
    if (x->failed) {
        return;
    }
    if (x->includes++ == MAX_INCLUDES) {
        som_xacro_fail(x, SOM_XACRO_TOO_MUCH, span, "files are included more than %d times",
                       MAX_INCLUDES);
        return;
    }
    SomStr path = som_asset_find(x->importer, x->file->path, wanted);
    if (path.length == 0) {
        SomStr optional = som_xml_attribute(source.xml, source.node, SOM_STR("optional"));
        if (!som_str_equal(optional, SOM_STR("true"))) {
            som_xacro_fail_missing(x, span, wanted);
        }
        return;
    }
    SomXacroFile *file = load_file(x, path);
    if (!x->failed && file->is_open) {
        som_xacro_fail(x, SOM_XACRO_INCLUDE, span, "'%.*s' includes itself", SOM_STR_ARG(path));
    }
    if (x->failed) {
        return;
    }
    const SomImportFile *before = x->file;
    SomStr prefix = x->prefix;
    x->file = &file->file;
    x->prefix = prefix_of(file->file.text, file->xml);
    file->is_open = true;
    int root = som_xml_child(file->xml, SOM_XML_TOP, SOM_STR(""));
    som_xacro_expand_inside(x, scope, (SomXacroSource){file->xml, root}, to, false);
    file->is_open = false;
    x->file = before;
    x->prefix = prefix;
}

// ---- all of it

static bool is_condition_true(SomXacro *x, SomXacroScope *scope, SomXacroSource source) {
    SomSpan span = source.xml->nodes[source.node].span;
    SomStr written = som_xacro_need(x, source, "value");
    SomXacroValue value = som_xacro_evaluate(x, scope, written, span);
    value = value.kind == SOM_XACRO_TEXT ? som_xacro_literal(value.text) : value;
    if (value.kind == SOM_XACRO_TEXT) {
        som_xacro_fail(x, SOM_XACRO_EXPRESSION, span, "'%.*s' is neither true nor false",
                       SOM_STR_ARG(som_str_slice(value.text, 0, 200)));
    }
    return som_xacro_is_true(&value);
}

static void expand(SomXacro *x, SomXacroScope *scope, SomXacroSource source, SomXacroTarget to,
                   bool is_foreign) {
    const SomXmlNode *node = &source.xml->nodes[source.node];
    switch (kind_of(x, source.xml, source.node, is_foreign)) {
    case ELEMENT:
        copy_element(x, scope, source, node, to, is_foreign);
        return;
    case CREATE:
        create_element(x, scope, source, to, is_foreign);
        return;
    case ATTRIBUTE:
        set_attribute(x, scope, source, to.parent);
        return;
    case INCLUDE:
        include(x, scope, source, to);
        return;
    case PROPERTY:
        define_property(x, scope, source);
        return;
    case ARGUMENT:
        define_argument(x, scope, source);
        return;
    case MACRO:
        define_macro(x, source);
        return;
    case INSERT:
        som_xacro_insert_block(x, scope, source, to, is_foreign);
        return;
    case IF:
    case UNLESS:
        if (is_condition_true(x, scope, source) == som_str_equal(node->name, SOM_STR("if"))) {
            som_xacro_expand_inside(x, scope, source, to, is_foreign);
        }
        return;
    case CALL:
        som_xacro_call(x, scope, source, to, is_foreign);
        return;
    case UNKNOWN:
        som_xacro_fail(x, SOM_XACRO_UNKNOWN, node->span, "no macro '%.*s' is known here",
                       SOM_STR_ARG(som_str_slice(node->name, 0, 200)));
        return;
    }
}

// Everything in an element, with the words between.
void som_xacro_expand_inside(SomXacro *x, SomXacroScope *scope, SomXacroSource source,
                             SomXacroTarget to, bool is_foreign) {
    const SomXmlNode *node = &source.xml->nodes[source.node];
    size_t done = 0;
    if (++x->depth > SOM_XACRO_MAX_DEPTH) {
        som_xacro_fail(x, SOM_XACRO_TOO_MUCH, node->span,
                       "elements and macros lie more than %d deep in each other",
                       SOM_XACRO_MAX_DEPTH);
    }
    for (int i = node->first_child; i >= 0 && !x->failed; i = source.xml->nodes[i].next) {
        SomStr between = som_str_slice(node->words, done, source.xml->nodes[i].words_before);
        som_text_add(to.words, som_xacro_evaluate_text(x, scope, between, node->span));
        done = source.xml->nodes[i].words_before;
        if (som_xacro_spend(x, 0, 1, node->span)) {
            expand(x, scope, (SomXacroSource){source.xml, i}, to, is_foreign);
        }
    }
    SomStr rest = som_str_slice(node->words, done, node->words.length);
    som_text_add(to.words, som_xacro_evaluate_text(x, scope, rest, node->text_span));
    x->depth--;
}

SomXml *som_xacro_expand(SomImporter *importer, const SomImportFile *file, const SomXml *xml) {
    SomXacro x = {.importer = importer,
                  .diags = importer->diags,
                  .file = file,
                  .prefix = prefix_of(file->text, xml),
                  .out = som_alloc(sizeof(SomXml))};
    SomXacroScope top = {0};
    SomText words = {0};
    x.out->first_root = 0;
    define_given(&x);
    int root = som_xml_child(xml, SOM_XML_TOP, SOM_STR(""));
    copy_element(&x, &top, (SomXacroSource){xml, root}, &xml->nodes[root],
                 (SomXacroTarget){-1, &words}, false);
    som_text_free(&words);
    check_given(&x);
    x.out->nodes = x.nodes.data;
    x.out->node_count = x.nodes.count;
    x.out->attributes = x.attributes.data;
    x.out->attribute_count = x.attributes.count;
    for (int i = 0; i < x.files.count; i++) {
        som_xml_destroy(x.files.data[i]->xml);
        som_free(x.files.data[i]);
    }
    som_tally_report(&x.variables, SOM_XACRO_ENVIRONMENT, "environment variable ", " was read",
                     x.diags);
    som_array_free(&x.files);
    som_array_free(&x.tables);
    som_array_free(&x.macros);
    som_array_free(&top.symbols);
    som_array_free(&x.arguments.symbols);
    if (x.failed) {
        som_xml_destroy(x.out);
        return NULL;
    }
    return x.out;
}
