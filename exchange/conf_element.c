// SPDX-License-Identifier: Apache-2.0
// Elements of the SMORES lab's files: names, numbers, faces.

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "exchange/conf.h"
#include "space/trigonometry.h"

#include <math.h>

#define MAX_NAME 200
#define MAX_LENGTH 1e5 // metres
#define MAX_ANGLE 1e6  // degrees

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

int som_conf_need(SomConfReader *reader, int node, const char *name) {
    int child = som_xml_child(reader->xml, node, som_str(name));
    if (child < 0) {
        const SomXmlNode *parent = &reader->xml->nodes[node];
        som_report(reader->diags, SOM_IMPORT_MISSING, parent->span,
                   "there is no '%s' in this '%.*s'", name, SOM_STR_ARG(parent->name));
        reader->failed = true;
    }
    return child;
}

SomStr som_conf_name(SomConfReader *reader, int node, const char *name, SomSpan *span) {
    int child = som_conf_need(reader, node, name);
    SomStr text = {"", 0};
    if (child < 0) {
        return text;
    }
    text = reader->xml->nodes[child].text;
    *span = reader->xml->nodes[child].text_span;
    bool fine = text.length > 0 && text.length <= MAX_NAME;
    for (size_t i = 0; fine && i < text.length; i++) {
        fine = (unsigned char)text.data[i] >= 0x20 && text.data[i] != 0x7f;
    }
    if (!fine) {
        som_report(reader->diags, SOM_IMPORT_BAD_NAME, *span,
                   text.length == 0 ? "'%s' is empty" : "'%s' is not one line of at most 200 bytes",
                   name);
        reader->failed = true;
        return (SomStr){"", 0};
    }
    return text;
}

// The next word of the text, from *at on; empty at its end.
static SomStr next_word(SomStr text, size_t *at) {
    while (*at < text.length && is_blank(text.data[*at])) {
        (*at)++;
    }
    size_t begin = *at;
    while (*at < text.length && !is_blank(text.data[*at])) {
        (*at)++;
    }
    return som_str_slice(text, begin, *at);
}

static void report_count(SomConfReader *reader, int child, int low, int high) {
    const SomXmlNode *node = &reader->xml->nodes[child];
    low = low > 1 ? low : 1;
    if (low == high) {
        som_report(reader->diags, SOM_IMPORT_NOT_NUMBERS, node->text_span, "'%.*s' has %d number%s",
                   SOM_STR_ARG(node->name), low, low > 1 ? "s" : "");
    } else {
        som_report(reader->diags, SOM_IMPORT_NOT_NUMBERS, node->text_span,
                   "'%.*s' has %d or %d numbers", SOM_STR_ARG(node->name), low, high);
    }
    reader->failed = true;
}

// One number of an element; false after a report.
static bool take_number(SomConfReader *reader, int child, SomStr word, double limit,
                        double *value) {
    SomSpan span = reader->xml->nodes[child].text_span;
    SomStr shown = som_str_slice(word, 0, 40);
    if (!som_number_parse(word, value)) {
        som_report(reader->diags, SOM_IMPORT_NOT_NUMBERS, span, "'%.*s' is not a number",
                   SOM_STR_ARG(shown));
    } else if (!(fabs(*value) <= limit)) {
        som_report(reader->diags, SOM_IMPORT_OUT_OF_RANGE, span, "%.*s is too large",
                   SOM_STR_ARG(shown));
    } else {
        return true;
    }
    reader->failed = true;
    return false;
}

int som_conf_numbers(SomConfReader *reader, int node, const char *name, int low, int high,
                     double limit, double *values) {
    int child = low > 0 ? som_conf_need(reader, node, name)
                        : som_xml_child(reader->xml, node, som_str(name));
    if (child < 0) {
        return 0;
    }
    SomStr text = reader->xml->nodes[child].text;
    int count = 0;
    size_t at = 0;
    for (SomStr word; (word = next_word(text, &at)).length > 0; count++) {
        double value = 0;
        if (count < high && !take_number(reader, child, word, limit, &value)) {
            return 0;
        }
        if (count < high) {
            values[count] = value;
        }
    }
    if (count < low || count > high || count == 0) {
        report_count(reader, child, low, high);
        return 0;
    }
    return count;
}

int som_conf_face(SomConfReader *reader, int node, const char *name) {
    double value = 0;
    if (som_conf_numbers(reader, node, name, 1, 1, (double)INFINITY, &value) == 0) {
        return -1;
    }
    if (value != 0 && value != 1 && value != 2 && value != 3) {
        const SomXmlNode *child =
            &reader->xml->nodes[som_xml_child(reader->xml, node, som_str(name))];
        som_report(reader->diags, SOM_IMPORT_NO_SUCH_FACE, child->text_span,
                   "a module has no face %.*s", SOM_STR_ARG(som_str_slice(child->text, 0, 40)));
        reader->failed = true;
        return -1;
    }
    return (int)value;
}

void som_conf_offsets(SomConfReader *reader, int node, SomLabConnection *connection) {
    double degrees = 0;
    som_conf_numbers(reader, node, "angle", 0, 1, MAX_ANGLE, &degrees);
    connection->angle = degrees * (SOM_PI / 180);
    connection->distance = 0;
    som_conf_numbers(reader, node, "distance", 0, 1, MAX_LENGTH, &connection->distance);
    if (connection->distance < 0) {
        int child = som_xml_child(reader->xml, node, SOM_STR("distance"));
        som_report(reader->diags, SOM_IMPORT_OUT_OF_RANGE, reader->xml->nodes[child].text_span,
                   "the distance of two faces is not negative");
        reader->failed = true;
    }
}

void som_conf_ignore_others(SomConfReader *reader, int node, const char *const *names) {
    for (int child = som_xml_child(reader->xml, node, (SomStr){"", 0}); child >= 0;
         child = som_xml_next(reader->xml, child, (SomStr){"", 0})) {
        SomStr name = reader->xml->nodes[child].name;
        bool is_known = false;
        for (const char *const *known = names; *known != NULL; known++) {
            is_known = is_known || som_str_equal(name, som_str(*known));
        }
        if (!is_known) {
            som_report(reader->diags, SOM_IMPORT_ELEMENT_IGNORED, reader->xml->nodes[child].span,
                       "'%.*s' is not known here and was left out", SOM_STR_ARG(name));
        }
    }
}
