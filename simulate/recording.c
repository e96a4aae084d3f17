// SPDX-License-Identifier: Apache-2.0
#include "simulate/recording.h"

#include "player/trace_text.h"

#include <string.h>

// The header if there is no row; measured first, then written.
static void print_line(const SomActionGraph *graph, const SomTraceRow *row, SomText *out) {
    SomPlayerText line = {0};
    for (int pass = 0; pass < 2; pass++) {
        if (row == NULL) {
            som_trace_text_header(graph, &line);
        } else {
            som_trace_text_row(row, &line);
        }
        if (pass == 0) {
            line = (SomPlayerText){som_alloc(line.length + 1), line.length + 1, 0};
        }
    }
    som_text_add(out, (SomStr){line.buffer, som_player_text_end(&line)});
    som_free(line.buffer);
}

void som_recording_print(const SomSimulationResult *r, const SomActionGraph *graph, SomText *out) {
    print_line(graph, NULL, out);
    for (int i = 0; i < r->times.count; i++) {
        SomVec3 p = r->base.data[i].position, com = r->com.data[i];
        size_t first = (size_t)i * (size_t)r->dof_count;
        SomBodySenses body = {.base = {.position = {p.x, p.y, p.z}},
                              .center = {com.x, com.y, com.z}};
        memcpy(body.base.rotation, r->base.data[i].rotation.m, sizeof body.base.rotation);
        SomTraceRow row = {.time = r->times.data[i],
                           .body = &body,
                           .contacts = r->contacts.data[i],
                           .positions = r->positions.data + first,
                           .efforts = r->efforts.data + first,
                           .dof_count = r->dof_count};
        print_line(graph, &row, out);
    }
}
