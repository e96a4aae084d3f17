// SPDX-License-Identifier: Apache-2.0
// A tree of elements as text again, where it is not that of a file.

#include "base/markup.h"
#include "exchange/xml.h"

static void add_escaped(SomText *out, SomStr text) {
    for (size_t i = 0; i < text.length; i++) {
        if (!som_markup_add(out, text.data[i])) {
            som_text_add_char(out, text.data[i], 1);
        }
    }
}

static void add_name(SomText *out, SomStr prefix, SomStr name) {
    som_text_add(out, prefix);
    som_text_add(out, prefix.length > 0 ? SOM_STR(":") : SOM_STR(""));
    som_text_add(out, name);
}

static void add_tag(const SomXml *xml, const SomXmlNode *node, SomText *out) {
    som_text_add(out, SOM_STR("<"));
    add_name(out, node->prefix, node->name);
    for (int i = 0; i < node->attribute_count; i++) {
        const SomXmlAttribute *a = &xml->attributes[node->first_attribute + i];
        som_text_add(out, SOM_STR(" "));
        add_name(out, a->prefix, a->name);
        som_text_add(out, SOM_STR("=\""));
        add_escaped(out, a->value);
        som_text_add(out, SOM_STR("\""));
    }
}

static void add_element(const SomXml *xml, int index, SomText *out) {
    const SomXmlNode *node = &xml->nodes[index];
    size_t done = 0;
    add_tag(xml, node, out);
    if (node->first_child < 0 && node->text.length == 0) {
        som_text_add(out, SOM_STR("/>"));
        return;
    }
    som_text_add(out, SOM_STR(">"));
    for (int i = node->first_child; i >= 0; i = xml->nodes[i].next) {
        add_escaped(out, som_str_slice(node->words, done, xml->nodes[i].words_before));
        done = xml->nodes[i].words_before;
        add_element(xml, i, out);
    }
    add_escaped(out, som_str_slice(node->words, done, node->words.length));
    som_text_add(out, SOM_STR("</"));
    add_name(out, node->prefix, node->name);
    som_text_add(out, SOM_STR(">"));
}

void som_xml_print(const SomXml *xml, int node, SomText *out) {
    SomText text = {0};
    add_element(xml, node, &text);
    bool is_first = true;
    for (size_t at = 0; at < text.length;) {
        const char *end = memchr(text.data + at, '\n', text.length - at);
        size_t stop = end != NULL ? (size_t)(end - text.data) : text.length;
        SomStr line = som_str_slice(som_text_str(&text), at, stop);
        if (strspn(text.data + at, " \t\r") < line.length) {
            som_text_add(out, is_first ? SOM_STR("") : SOM_STR("\n"));
            som_text_add(out, line);
            is_first = false;
        }
        at = stop + 1;
    }
    som_text_free(&text);
}
