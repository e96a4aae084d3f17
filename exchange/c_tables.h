// exchange/c_tables.h - a compiled behavior as tables of C, which a microcontroller has in flash.
//
//     SomCTables tables = {.graph = graph, .servos = servos, .start = posture.values,
//                          .name = SOM_STR("walk"), .title = SOM_STR("walk of Walkbot"),
//                          .tick = 0.01};
//     som_c_tables_header(&tables, &text);      // walk_graph.h
//     som_c_tables_source(&tables, &text);      // walk_graph.c
//
// Numbers are the shortest that read back the same, so that a compiler which rounds correctly gets
// the graph bit by bit. Places and paths of the text are left out; names of symbols stay. Any names
// give C that compiles.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"
#include "player/dock_driver.h"
#include "player/servo.h"

// Of a tick are kept: the loop does not look at them.
#define SOM_C_EVENTS 1

// All borrowed; the graph has passed som_graph_check.
typedef struct SomCTables {
    const SomActionGraph *graph;
    const SomServoModel *servos; // one a DoF
    const double *start;         // one a DoF
    const SomDockModel *docks;   // one a dock
    const uint8_t *dock_states;  // one a dock, SomDockState at the start
    SomStr name;                 // a word of C
    SomStr title;                // for people, any text
    double tick;                 // seconds
} SomCTables;

void som_c_tables_header(const SomCTables *tables, SomText *out);
void som_c_tables_source(const SomCTables *tables, SomText *out);

size_t som_c_tables_size(const SomCTables *tables);   // bytes of constants
size_t som_c_tables_memory(const SomCTables *tables); // bytes of the player, at most

// Text of the user in a comment of C or a file for people: on one line, without what has a meaning
// there.
void som_c_tables_plain(SomText *out, SomStr text);
void som_c_tables_string(SomText *out, const char *text); // what stands between quotes in C
void som_c_tables_upper(SomText *out, SomStr name);       // WALK
