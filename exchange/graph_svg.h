// exchange/graph_svg.h - a behavior as a picture: SVG of its graph.
//
//     SomText svg = {0};
//     som_graph_svg(&(SomGraphSvgDef){.graph = graph, .design = design, .prediction = &played,
//                                     .title = SOM_STR("walk")}, &svg);
//
// Boxes in boxes: a series from left to right, branches of parallel and any below each other
// between two bars, repeat and choose with what they count or ask. An action says what it does and,
// with a prediction, from when to when; the strip below it is the whole time, with the time it runs
// marked. What was written stands in the tooltip of a box. Of graphs too large to look at, the
// outer boxes are drawn and the rest is counted. The same graph gives the same bytes.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/prediction.h"
#include "compose/configuration.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_SVG_MOST_BOXES 400
#define SOM_SVG_MOST_CHILDREN 24

typedef struct SomGraphSvgDef {
    const SomActionGraph *graph;
    const SomConfiguration *design;  // whose DoF are those of the graph
    const SomPrediction *prediction; // NULL: no times
    SomStr title;
} SomGraphSvgDef;

void som_graph_svg(const SomGraphSvgDef *def, SomText *out);

#ifdef __cplusplus
}
#endif
