// exchange/graph_words.h - words for a compiled behavior in XML: names, conditions, times.
//
//     som_graph_condition_print(graph, graph->nodes[node].until, &words); // behaviors/
//     som_xml_escape(&out, som_text_str(&words));

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

// Fit for the text or an attribute of XML; what no XML can hold becomes U+FFFD.
void som_xml_escape(SomText *out, SomStr text);

// Columns of a fixed-width font that the text takes; wide characters count two.
int som_text_columns(SomStr text);

// The text, or as much of it as goes into that many columns with "…" behind it.
void som_text_add_cut(SomText *out, SomStr text, int columns);

// To a millisecond: "1.25".
void som_text_seconds(SomText *out, double seconds);

#ifdef __cplusplus
}
#endif
