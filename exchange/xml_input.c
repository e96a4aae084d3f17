// SPDX-License-Identifier: Apache-2.0

#include "exchange/xml_input.h"

#include "base/codes/exchange_codes.h"

#include <assert.h>

#define MOST_KINDS 40
#define MOST_WORDS 16 // that an element may hold

static void add(SomXmlLeftOut *left_out, SomXmlLeftOutKind added) {
    for (int i = 0; i < left_out->kinds.count; i++) {
        SomXmlLeftOutKind *kind = &left_out->kinds.data[i];
        if (kind->reason == added.reason && som_str_equal(kind->parent, added.parent) &&
            som_str_equal(kind->name, added.name)) {
            kind->count++;
            return;
        }
    }
    if (left_out->kinds.count == MOST_KINDS) {
        left_out->rest++;
        return;
    }
    added.count = 1;
    som_array_push(&left_out->kinds, added);
}

static void add_element(SomXmlLeftOut *left_out, const SomXml *xml, int node,
                        SomXmlLeftOutReason reason) {
    const SomXmlNode *n = &xml->nodes[node];
    SomStr parent = n->parent >= 0 ? xml->nodes[n->parent].name : SOM_STR("");
    add(left_out,
        (SomXmlLeftOutKind){.reason = reason, .parent = parent, .name = n->name, .span = n->span});
}

// Its place among the words, which NULL ends; -1 if it is none of them.
static int find_word(SomStr name, const char *const *words) {
    for (int i = 0; words[i] != NULL; i++) {
        if (som_str_equal(name, som_str(words[i]))) {
            return i;
        }
    }
    return -1;
}

void som_xml_leave_out_attributes(SomXmlLeftOut *left_out, const SomXml *xml, int node,
                                  const char *const *attributes) {
    const SomXmlNode *n = &xml->nodes[node];
    for (int i = 0; i < n->attribute_count; i++) {
        const SomXmlAttribute *a = &xml->attributes[n->first_attribute + i];
        if (find_word(a->name, attributes) < 0) {
            add(left_out, (SomXmlLeftOutKind){.reason = SOM_XML_UNKNOWN_ATTRIBUTE,
                                              .parent = n->name,
                                              .name = a->name,
                                              .span = a->span});
        }
    }
}

void som_xml_leave_out(SomXmlLeftOut *left_out, const SomXml *xml, int node) {
    add_element(left_out, xml, node, SOM_XML_UNKNOWN_ELEMENT);
}

void som_xml_leave_out_others(SomXmlLeftOut *left_out, const SomXml *xml, int node,
                              const char *const *elements, const char *const *attributes) {
    bool seen[MOST_WORDS] = {false};
    som_xml_leave_out_attributes(left_out, xml, node, attributes);
    for (int i = xml->nodes[node].first_child; i >= 0; i = xml->nodes[i].next) {
        int word = find_word(xml->nodes[i].name, elements);
        assert(word < MOST_WORDS);
        if (word < 0 || seen[word]) {
            add_element(left_out, xml, i, word < 0 ? SOM_XML_UNKNOWN_ELEMENT : SOM_XML_REPEATED);
        } else {
            seen[word] = true;
        }
    }
}

void som_xml_leave_out_strangers(SomXmlLeftOut *left_out, const SomXml *xml, int list,
                                 const char *element, const char *const *attributes) {
    som_xml_leave_out_attributes(left_out, xml, list, attributes);
    for (int i = xml->nodes[list].first_child; i >= 0; i = xml->nodes[i].next) {
        if (!som_str_equal(xml->nodes[i].name, som_str(element))) {
            add_element(left_out, xml, i, SOM_XML_UNKNOWN_ELEMENT);
        }
    }
}

void som_xml_report_left_out(SomXmlLeftOut *left_out, SomDiagnostics *diags) {
    static const char *const what[] = {"", "attribute ", "a second "};
    for (int i = 0; i < left_out->kinds.count; i++) {
        const SomXmlLeftOutKind *kind = &left_out->kinds.data[i];
        SomStr name = som_str_slice(kind->name, 0, 60), parent = som_str_slice(kind->parent, 0, 60);
        SomText times = {0};
        if (kind->count > 1) {
            som_text_printf(&times, ", %d times", kind->count);
        }
        som_report(diags, SOM_IMPORT_ELEMENT_IGNORED, kind->span,
                   "%s'%.*s' %s '%.*s' and was left out%s", what[kind->reason], SOM_STR_ARG(name),
                   kind->reason == SOM_XML_REPEATED ? "stands in" : "is not known in",
                   SOM_STR_ARG(parent), som_text_str(&times).data);
        som_text_free(&times);
    }
    som_note_more(diags, left_out->rest);
    som_array_free(&left_out->kinds);
    left_out->rest = 0;
}
