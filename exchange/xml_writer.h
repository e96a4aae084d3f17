// exchange/xml_writer.h - XML that is being written: two blanks a level, one element a line.
//
//     SomXmlWriter xml = {.out = &text};
//     som_xml_open(&xml, "link");
//     som_xml_string(&xml, "name", name);           // <link name="hip">
//     som_xml_number_element(&xml, "mass", 0.31);   //   <mass>0.31</mass>
//     som_xml_close(&xml);                          // </link>
//
// Numbers are the shortest that read back as the same, names and texts are escaped; the same calls
// give the same bytes. Elements and attributes have names that live on, as literals do.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"
#include "space/vec3.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomXmlWriter {
    SomText *out;
    const char **open; // names of the open elements
    int depth, capacity;
    bool is_tag_open; // of the last one, attributes may follow
    bool has_text;    // the last one holds text, so its end stands behind it
    bool has_plugins; // of kept elements: exchange/kept_plugins.h
} SomXmlWriter;

void som_xml_begin(SomXmlWriter *xml); // <?xml version="1.0"?>
void som_xml_open(SomXmlWriter *xml, const char *element);
void som_xml_close(SomXmlWriter *xml);
void som_xml_end(SomXmlWriter *xml); // closes all and frees

// Attributes of the element that was opened last, before anything is in it.
void som_xml_string(SomXmlWriter *xml, const char *attribute, SomStr value);
void som_xml_word(SomXmlWriter *xml, const char *attribute, const char *value);
void som_xml_integer(SomXmlWriter *xml, const char *attribute, int value);
void som_xml_number(SomXmlWriter *xml, const char *attribute, double value);
void som_xml_numbers(SomXmlWriter *xml, const char *attribute, const double *values, int count);
void som_xml_vec3(SomXmlWriter *xml, const char *attribute, SomVec3 value);

// What is in the element that was opened last.
void som_xml_text(SomXmlWriter *xml, SomStr text);
void som_xml_cdata(SomXmlWriter *xml, SomStr text); // as it is, line by line
void som_xml_comment(SomXmlWriter *xml, SomStr text);

// Whole elements; the first as it is written already.
void som_xml_element(SomXmlWriter *xml, SomStr element);
void som_xml_text_element(SomXmlWriter *xml, const char *element, SomStr text);
void som_xml_word_element(SomXmlWriter *xml, const char *element, const char *text);
void som_xml_number_element(SomXmlWriter *xml, const char *element, double value);
void som_xml_numbers_element(SomXmlWriter *xml, const char *element, const double *values,
                             int count);

#ifdef __cplusplus
}
#endif
