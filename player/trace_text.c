// SPDX-License-Identifier: Apache-2.0
#include "player/trace_text.h"

// A name with what separates columns or lines is in quotes.
static void put_field(SomPlayerText *text, const char *before, const char *name) {
    bool is_plain = true;
    for (const char *c = name; *c != '\0'; c++) {
        is_plain = is_plain && *c != ',' && *c != '"' && *c != '\n' && *c != '\r';
    }
    som_player_text_word(text, is_plain ? "," : ",\"");
    som_player_text_word(text, before);
    for (; *name != '\0'; name++) {
        if (*name == '"') {
            som_player_text_char(text, '"');
        }
        som_player_text_char(text, *name);
    }
    som_player_text_word(text, is_plain ? "" : "\"");
}

void som_trace_text_header(const SomActionGraph *graph, SomPlayerText *text) {
    int32_t dofs = graph->symbol_count[SOM_SYMBOL_DOF];
    som_player_text_word(text, "t,x,y,z,qx,qy,qz,qw,com_x,com_y,com_z,contacts");
    for (int32_t i = 0; i < 2 * dofs; i++) {
        put_field(text, i < dofs ? "" : "effort ", som_graph_name(graph, SOM_SYMBOL_DOF, i % dofs));
    }
    som_player_text_char(text, '\n');
}

static void put_numbers(SomPlayerText *text, const double *values, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        som_player_text_char(text, ',');
        som_player_text_decimal(text, values[i]);
    }
}

void som_trace_text_row(const SomTraceRow *row, SomPlayerText *text) {
    double quaternion[4];
    som_body_place_quaternion(&row->body->base, quaternion);
    som_player_text_decimal(text, row->time);
    put_numbers(text, row->body->base.position, 3);
    put_numbers(text, quaternion, 4);
    put_numbers(text, row->body->center, 3);
    som_player_text_char(text, ',');
    som_player_text_whole(text, row->contacts);
    put_numbers(text, row->positions, row->dof_count);
    put_numbers(text, row->efforts, row->dof_count);
    som_player_text_char(text, '\n');
}
