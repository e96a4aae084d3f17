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
// Ownership: names and texts are copied into the tree; spans are of the text that was given.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "base/diagnostic.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_XML_MAX_DEPTH 200
#define SOM_XML_MAX_NODES 500000   // elements and attributes
#define SOM_XML_MAX_TAG (1 << 20)  // bytes of one tag with its attributes
#define SOM_XML_MAX_ATTRIBUTES 500 // of one tag
#define SOM_XML_MAX_ROOTS 16

// Stands above the roots.
#define SOM_XML_TOP (-1)

// What declares namespaces (xmlns) is not among them.
typedef struct SomXmlAttribute {
    SomStr name;   // without prefix
    SomStr prefix; // "xacro" of xacro:if; empty if there is none
    SomStr value;
    SomSpan span; // of the value, between its quotes
} SomXmlAttribute;

// An element. Indices are -1 where there is none.
typedef struct SomXmlNode {
    SomStr name;         // without prefix
    SomStr prefix;       // declared or not; empty if there is none
    SomStr text;         // directly in it, without the blanks around
    SomStr words;        // directly in it, with all blanks
    size_t words_before; // bytes of the parent's words that stand before this element
    SomSpan span;        // of its start tag
    SomSpan text_span;   // of an element without children; else that of its start tag, as span is
    SomSpan whole;       // from its '<' to behind its end tag: what to keep of what nobody knows
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
// Tells an empty one from none, which is NULL.
const SomXmlAttribute *som_xml_find_attribute(const SomXml *xml, int node, SomStr name);

// An element with all that is in it, as text; lines of nothing but blanks are left out. The
// namespaces that its file declares are not in it.
void som_xml_print(const SomXml *xml, int node, SomText *out);

// The name of the first element of a text that may be XML, for telling formats apart; empty if it
// is not XML. Reads no further than needed.
SomStr som_xml_sniff(SomStr text);

#ifdef __cplusplus
}
#endif
