// SPDX-License-Identifier: Apache-2.0
#include "player/trace_text.h"

// ---- names of columns

// The end of a name in quotes that begins at `at`, past its quotes; `at` if it is none. *is_needed:
// without the quotes it could be taken for something else.
static const char *end_of_quoted(const char *at, bool *is_needed) {
    const char *end = at + 1;
    *is_needed = *at != '"' || *end == ' ' || *end == '"';
    for (; *at == '"' && *end != '"' && *end != '\0'; end++) {
        *is_needed = *is_needed || *end == '\\' || *end == '.' || *end == ',' || *end == '[' ||
                     *end == ']' || (*end == ' ' && end[1] == '"');
        end += *end == '\\' && end[1] != '\0';
    }
    bool is_whole = *at == '"' && *end == '"' && (end[1] == '\0' || end[1] == '.' || end[1] == '[');
    return is_whole ? end + 1 : at;
}

// Puts the name of a column, or without `text` only looks at it. False: it has to be in quotes.
static bool put_name(SomPlayerText *text, const char *name, bool is_doubled) {
    bool is_plain = true, is_needed = true;
    const char *quoted_end = end_of_quoted(name, &is_needed);
    for (const char *c = name; *c != '\0'; c++) {
        if (c > name && c[-1] == '.' && c >= quoted_end) {
            quoted_end = end_of_quoted(c, &is_needed);
        }
        if (*c == '"' && c < quoted_end && !is_needed) {
            continue;
        }
        is_plain = is_plain && *c != ',' && *c != '"' && *c != '\n' && *c != '\r' && *c != ' ' &&
                   *c != ';' && *c != '\t';
        if (text != NULL) {
            som_player_text_word(text, *c == '"' && is_doubled ? "\"" : "");
            som_player_text_char(text, *c);
        }
    }
    return is_plain;
}

static void put_field(SomPlayerText *text, const char *before, const char *name) {
    bool is_plain = put_name(NULL, name, false);
    som_player_text_word(text, is_plain ? "" : "\"");
    som_player_text_word(text, before);
    put_name(text, name, true);
    som_player_text_word(text, is_plain ? "" : "\"");
}

void som_trace_text_column(const char *name, SomPlayerText *text) {
    put_field(text, "", name);
}

// ---- lines

static void put_piece(SomPlayerText *text, int32_t piece) {
    static const char *const columns[] = {"_x", "_y", "_z", "_qx", "_qy", "_qz", "_qw"};
    for (int i = 0; i < 7; i++) {
        som_player_text_word(text, ",piece");
        som_player_text_whole(text, piece);
        som_player_text_word(text, columns[i]);
    }
}

void som_trace_text_header(const SomActionGraph *graph, int32_t other_count, SomPlayerText *text) {
    int32_t dofs = graph->symbol_count[SOM_SYMBOL_DOF];
    som_player_text_word(text, "t,x,y,z,qx,qy,qz,qw,com_x,com_y,com_z,contacts");
    for (int32_t i = 0; i < 2 * dofs; i++) {
        som_player_text_char(text, ',');
        put_field(text, i < dofs ? "" : "effort ", som_graph_name(graph, SOM_SYMBOL_DOF, i % dofs));
    }
    for (int32_t i = 0; i < other_count; i++) {
        put_piece(text, i + 2);
    }
    som_player_text_char(text, '\n');
}

static void put_numbers(SomPlayerText *text, const double *values, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        som_player_text_char(text, ',');
        som_player_text_decimal(text, values[i]);
    }
}

static void put_place(SomPlayerText *text, const SomBodyPlace *place) {
    double quaternion[4];
    som_body_place_quaternion(place, quaternion);
    put_numbers(text, place->position, 3);
    put_numbers(text, quaternion, 4);
}

void som_trace_text_row(const SomTraceRow *row, SomPlayerText *text) {
    som_player_text_decimal(text, row->time);
    put_place(text, &row->body->base);
    put_numbers(text, row->body->center, 3);
    som_player_text_char(text, ',');
    som_player_text_whole(text, row->contacts);
    put_numbers(text, row->positions, row->dof_count);
    put_numbers(text, row->efforts, row->dof_count);
    for (int32_t i = 0; i < row->other_count; i++) {
        put_place(text, &row->others[i]);
    }
    som_player_text_char(text, '\n');
}
