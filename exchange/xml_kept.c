// SPDX-License-Identifier: Apache-2.0

#include "exchange/xml_kept.h"

SomXmlKept som_xml_kept_read(SomStr text) {
    SomXmlKept kept = {0};
    if (text.length > 0) {
        SomDiagnostics *unheard = som_diagnostics_create();
        som_text_printf(&kept.text, "<kept>%.*s</kept>", SOM_STR_ARG(text));
        kept.xml = som_xml_read(som_text_str(&kept.text), 0, unheard);
        som_diagnostics_destroy(unheard);
    }
    return kept;
}

void som_xml_kept_free(SomXmlKept *kept) {
    som_xml_destroy(kept->xml);
    som_text_free(&kept->text);
}

int som_xml_kept_first(const SomXmlKept *kept) {
    return kept->xml != NULL ? som_xml_child(kept->xml, kept->xml->first_root, SOM_STR("")) : -1;
}

SomStr som_xml_kept_element(const SomXmlKept *kept, int node) {
    SomSpan whole = kept->xml->nodes[node].whole;
    return som_str_slice(som_text_str(&kept->text), whole.begin, whole.end);
}
