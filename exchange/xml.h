// exchange/xml.h - other people's XML: any bytes to a small tree with places, or a diagnostic.
//
//     som_xml_decode(path, &text, diags);               // to UTF-8, as the file declares
//     SomXml *xml = som_xml_read(som_text_str(&text), source1, diags);
//     for (int i = som_xml_child(xml, SOM_XML_TOP, SOM_STR("modules")); i >= 0; …) {
//         SomStr words = xml->nodes[i].text;
//     }
//     som_xml_destroy(xml);
//
// A file that is not well-formed gives no tree. There may be several roots, as in the oldest files
// of the SMORES lab. Nothing but the bytes given is ever read: a document type, which could define
// entities or name other files, is refused, and so is what is deeper or has more elements than any
// real file.
//
// Ownership: names and texts are copied into the tree.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "base/diagnostic.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_XML_MAX_DEPTH 64
#define SOM_XML_MAX_NODES 500000 // elements and attributes
#define SOM_XML_MAX_TAG 8192     // bytes of one tag with its attributes
#define SOM_XML_MAX_ROOTS 16

// Stands above the roots.
#define SOM_XML_TOP (-1)

typedef struct SomXmlAttribute {
    SomStr name; // without prefix
    SomStr value;
} SomXmlAttribute;

// An element. Indices are -1 where there is none.
typedef struct SomXmlNode {
    SomStr name; // without prefix
    SomStr text; // directly in it, without the blanks around
    SomSpan span;
    SomSpan text_span; // of an element without children; else that of its start tag, as span is
    int parent;
    int first_child, last_child;
    int next;
    int first_attribute, attribute_count;
} SomXmlNode;

typedef struct SomXml {
    SomXmlNode *nodes; // parents before children, in the order of the file
    int node_count;
    SomXmlAttribute *attributes;
    int attribute_count;
    int first_root;
    SomArena arena;
} SomXml;

// Makes the text UTF-8 if it says that it is something else, and drops a byte order mark. False
// after a report if nobody knows the encoding, or it does not hold.
bool som_xml_decode(SomStr path, SomText *text, SomDiagnostics *diags);

// NULL after a report. The text is UTF-8, whatever it declares.
SomXml *som_xml_read(SomStr text, uint32_t source1, SomDiagnostics *diags);
void som_xml_destroy(SomXml *xml); // NULL is allowed

// The first child of that name; of SOM_XML_TOP the first root. An empty name is any.
int som_xml_child(const SomXml *xml, int node, SomStr name);
int som_xml_next(const SomXml *xml, int node, SomStr name);         // the next sibling
SomStr som_xml_attribute(const SomXml *xml, int node, SomStr name); // empty if there is none

// The name of the first element of a text that may be XML, for telling formats apart; empty if it
// is not XML. Reads no further than needed.
SomStr som_xml_sniff(SomStr text);

#ifdef __cplusplus
}
#endif
