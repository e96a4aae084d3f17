// SPDX-License-Identifier: Apache-2.0

#include "exchange/xml_writer.h"

#include "base/markup.h"
#include "base/memory.h"
#include "base/number.h"

#include <assert.h>

// Deeper lines begin no farther to the right: a chain of thousands would be blanks for the most.
#define MOST_INDENTED 100

// Characters that XML cannot hold become '?'.
static void add_escaped(SomText *out, SomStr text) {
    for (size_t i = 0; i < text.length; i++) {
        char c = text.data[i];
        if (c == '\n') {
            som_text_add(out, SOM_STR("&#10;"));
        } else if (!som_markup_add(out, c)) {
            som_text_add_char(out, (unsigned char)c < ' ' ? '?' : c, 1);
        }
    }
}

static void finish_tag(SomXmlWriter *xml) {
    if (xml->is_tag_open) {
        som_text_add_char(xml->out, '>', 1);
        xml->is_tag_open = false;
    }
}

static void begin_line(SomXmlWriter *xml) {
    finish_tag(xml);
    if (xml->out->length > 0) {
        som_text_add_char(xml->out, '\n', 1);
    }
    som_text_add_char(xml->out, ' ', 2 * (xml->depth < MOST_INDENTED ? xml->depth : MOST_INDENTED));
}

void som_xml_begin(SomXmlWriter *xml) {
    som_text_add(xml->out, SOM_STR("<?xml version=\"1.0\"?>"));
}

void som_xml_open(SomXmlWriter *xml, const char *element) {
    begin_line(xml);
    som_text_printf(xml->out, "<%s", element);
    if (xml->depth == xml->capacity) {
        xml->capacity = som_array_grow(xml->capacity, xml->depth + 1);
        xml->open = som_realloc(xml->open, (size_t)xml->capacity, sizeof *xml->open);
    }
    xml->open[xml->depth++] = element;
    xml->is_tag_open = true;
    xml->has_text = false;
}

void som_xml_close(SomXmlWriter *xml) {
    assert(xml->depth > 0);
    const char *element = xml->open[--xml->depth];
    if (xml->is_tag_open) {
        som_text_add(xml->out, SOM_STR("/>"));
        xml->is_tag_open = false;
    } else {
        if (!xml->has_text) {
            begin_line(xml);
        }
        som_text_printf(xml->out, "</%s>", element);
    }
    xml->has_text = false;
}

void som_xml_end(SomXmlWriter *xml) {
    while (xml->depth > 0) {
        som_xml_close(xml);
    }
    som_text_add_char(xml->out, '\n', 1);
    som_free(xml->open);
    xml->open = NULL;
    xml->capacity = 0;
}

// ---- attributes

static void begin_attribute(SomXmlWriter *xml, const char *attribute) {
    assert(xml->is_tag_open);
    som_text_printf(xml->out, " %s=\"", attribute);
}

static void add_numbers(SomText *out, const double *values, int count) {
    for (int i = 0; i < count; i++) {
        som_text_add_char(out, ' ', i > 0);
        som_text_number(out, values[i] == 0 ? 0 : values[i]); // no minus zero
    }
}

void som_xml_string(SomXmlWriter *xml, const char *attribute, SomStr value) {
    begin_attribute(xml, attribute);
    add_escaped(xml->out, value);
    som_text_add_char(xml->out, '"', 1);
}

void som_xml_word(SomXmlWriter *xml, const char *attribute, const char *value) {
    som_xml_string(xml, attribute, som_str(value));
}

void som_xml_integer(SomXmlWriter *xml, const char *attribute, int value) {
    begin_attribute(xml, attribute);
    som_text_printf(xml->out, "%d\"", value);
}

void som_xml_numbers(SomXmlWriter *xml, const char *attribute, const double *values, int count) {
    begin_attribute(xml, attribute);
    add_numbers(xml->out, values, count);
    som_text_add_char(xml->out, '"', 1);
}

void som_xml_number(SomXmlWriter *xml, const char *attribute, double value) {
    som_xml_numbers(xml, attribute, &value, 1);
}

void som_xml_vec3(SomXmlWriter *xml, const char *attribute, SomVec3 value) {
    som_xml_numbers(xml, attribute, (double[]){value.x, value.y, value.z}, 3);
}

// ---- content

void som_xml_text(SomXmlWriter *xml, SomStr text) {
    finish_tag(xml);
    add_escaped(xml->out, text);
    xml->has_text = true;
}

void som_xml_cdata(SomXmlWriter *xml, SomStr text) {
    finish_tag(xml);
    som_text_add(xml->out, SOM_STR("<![CDATA["));
    size_t begin = 0;
    for (size_t i = 0; i + 2 < text.length; i++) {
        if (memcmp(text.data + i, "]]>", 3) == 0) { // ends the section: begin another inside it
            som_text_add(xml->out, som_str_slice(text, begin, i + 2));
            som_text_add(xml->out, SOM_STR("]]><![CDATA["));
            begin = i + 2;
        }
    }
    som_text_add(xml->out, som_str_slice(text, begin, text.length));
    som_text_add(xml->out, SOM_STR("]]>"));
    xml->has_text = true;
}

void som_xml_comment(SomXmlWriter *xml, SomStr text) {
    begin_line(xml);
    som_text_add(xml->out, SOM_STR("<!-- "));
    for (size_t i = 0; i < text.length; i++) { // two hyphens would end it
        bool is_second = i > 0 && text.data[i] == '-' && text.data[i - 1] == '-';
        som_text_add_char(xml->out, is_second ? '~' : text.data[i], 1);
    }
    som_text_add(xml->out, SOM_STR(" -->"));
}

void som_xml_element(SomXmlWriter *xml, SomStr element) {
    begin_line(xml);
    som_text_add(xml->out, element);
}

void som_xml_text_element(SomXmlWriter *xml, const char *element, SomStr text) {
    som_xml_open(xml, element);
    som_xml_text(xml, text);
    som_xml_close(xml);
}

void som_xml_word_element(SomXmlWriter *xml, const char *element, const char *text) {
    som_xml_text_element(xml, element, som_str(text));
}

void som_xml_numbers_element(SomXmlWriter *xml, const char *element, const double *values,
                             int count) {
    som_xml_open(xml, element);
    finish_tag(xml);
    add_numbers(xml->out, values, count);
    xml->has_text = true;
    som_xml_close(xml);
}

void som_xml_number_element(SomXmlWriter *xml, const char *element, double value) {
    som_xml_numbers_element(xml, element, &value, 1);
}
