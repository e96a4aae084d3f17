// exchange/xml_input.h - what readers of XML leave out, told at the end.
//
//     static const char *const known[] = {"x", "y", NULL}, *const attributes[] = {"name", NULL};
//     SomXmlLeftOut left_out = {0};
//     som_xml_leave_out_others(&left_out, xml, node, known, attributes); // for each element
//     som_xml_report_left_out(&left_out, diags);                         // one warning a kind
//
// Names are borrowed from the tree, which must live until they are reported.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "exchange/xml.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomXmlLeftOutReason {
    SOM_XML_UNKNOWN_ELEMENT,
    SOM_XML_UNKNOWN_ATTRIBUTE,
    SOM_XML_REPEATED, // a second one where one counts
} SomXmlLeftOutReason;

typedef struct SomXmlLeftOutKind {
    SomXmlLeftOutReason reason;
    SomStr parent, name;
    SomSpan span; // of the first
    int count;
} SomXmlLeftOutKind;

typedef struct SomXmlLeftOut {
    SOM_ARRAY(SomXmlLeftOutKind) kinds;
    int rest; // of further kinds
} SomXmlLeftOut;

// An element, whatever it is called.
void som_xml_leave_out(SomXmlLeftOut *left_out, const SomXml *xml, int node);

// Notes attributes that are none of `attributes`, elements that are none of `elements`, and of
// those all but the first. Lists end with NULL.
void som_xml_leave_out_others(SomXmlLeftOut *left_out, const SomXml *xml, int node,
                              const char *const *elements, const char *const *attributes);

void som_xml_leave_out_attributes(SomXmlLeftOut *left_out, const SomXml *xml, int node,
                                  const char *const *attributes);

// The same for a list of elements of one name, of which there may be many.
void som_xml_leave_out_strangers(SomXmlLeftOut *left_out, const SomXml *xml, int list,
                                 const char *element, const char *const *attributes);

void som_xml_report_left_out(SomXmlLeftOut *left_out, SomDiagnostics *diags); // and empties it

#ifdef __cplusplus
}
#endif
