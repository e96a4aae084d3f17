// SPDX-License-Identifier: Apache-2.0
#include "simulate/recording.h"

#include "player/trace_text.h"

#include <string.h>

// The header if there is no row; measured first, then written.
static void print_line(const SomActionGraph *graph, int others, const SomTraceRow *row,
                       SomText *out) {
    SomPlayerText line = {0};
    for (int pass = 0; pass < 2; pass++) {
        if (row == NULL) {
            som_trace_text_header(graph, others, &line);
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

static SomBodyPlace place_of(const SomPose *pose) {
    SomBodyPlace place = {.position = {pose->position.x, pose->position.y, pose->position.z}};
    memcpy(place.rotation, pose->rotation.m, sizeof place.rotation);
    return place;
}

void som_recording_print(const SomSimulationResult *r, const SomActionGraph *graph, SomText *out) {
    int count = r->pieces.count - 1;
    SomBodyPlace *others = som_alloc(sizeof *others * ((size_t)count + 1));
    print_line(graph, count, NULL, out);
    for (int i = 0; i < r->times.count; i++) {
        SomVec3 com = r->com.data[i];
        size_t first = (size_t)i * (size_t)r->dof_count;
        SomBodySenses body = {.base = place_of(&r->base.data[i]), .center = {com.x, com.y, com.z}};
        for (int k = 0; k < count; k++) {
            others[k] = place_of(&r->others.data[(size_t)i * (size_t)count + (size_t)k]);
        }
        SomTraceRow row = {.time = r->times.data[i],
                           .body = &body,
                           .contacts = r->contacts.data[i],
                           .positions = r->positions.data + first,
                           .efforts = r->efforts.data + first,
                           .dof_count = r->dof_count,
                           .others = others,
                           .other_count = count};
        print_line(graph, count, &row, out);
    }
    som_free(others);
}
