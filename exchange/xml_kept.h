// exchange/xml_kept.h - elements of other people's XML that a module type keeps, as a tree.
//
//     SomXmlKept kept = som_xml_kept_read(type->kept.urdf);
//     for (int i = som_xml_kept_first(&kept); i >= 0; i = som_xml_next(kept.xml, i, SOM_STR(""))) {
//         som_kept_write(out, som_xml_kept_element(&kept, i)); // exchange/kept_plugins.h
//     }
//     som_xml_kept_free(&kept);
//
// A text that someone broke by hand has no elements.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/xml.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomXmlKept {
    SomText text; // what spans are of
    SomXml *xml;  // NULL: nothing
} SomXmlKept;

SomXmlKept som_xml_kept_read(SomStr text);
void som_xml_kept_free(SomXmlKept *kept);

int som_xml_kept_first(const SomXmlKept *kept);
SomStr som_xml_kept_element(const SomXmlKept *kept, int node); // as it is written

#ifdef __cplusplus
}
#endif
