// player/trace_text.h - a robot's motion as a table, line by line (CSV): what every host writes.
//
//     som_trace_text_header(&graph, 0, &text);
//     som_trace_text_row(&(SomTraceRow){.time = t, .senses = &now, .dof_count = 4, ...}, &text);
//
// Columns: t; x, y, z, qx, qy, qz, qw of the base; com_x, com_y, com_z; contacts; the value of each
// DoF under its name; and its effort under "effort NAME". Where there are several pieces, piece2_x
// to piece2_qw and so on follow. Metres, radians, seconds, newton metres.
//
// Names are for programs that know nothing of ours: of "left-front".bend the quotes are left out,
// unless what is in them could then be taken for two names. What separates columns somewhere
// (commas, blanks) puts the whole name in quotes, as CSV has it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/body_place.h"
#include "player/graph.h"
#include "player/player_text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomTraceRow {
    double time;
    const SomBodySenses *body;
    int32_t contacts;
    const double *positions, *efforts; // one a DoF
    int32_t dof_count;
    const SomBodyPlace *others; // bases of all pieces but the first
    int32_t other_count;
} SomTraceRow;

// The name of a column.
void som_trace_text_column(const char *name, SomPlayerText *text);

// Each adds one line, with its end.
void som_trace_text_header(const SomActionGraph *graph, int32_t other_count, SomPlayerText *text);
void som_trace_text_row(const SomTraceRow *row, SomPlayerText *text);

#ifdef __cplusplus
}
#endif
