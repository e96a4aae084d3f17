// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any attributes of a plugin's element, any graph and any requests get an answer; what
// fits together plays without a command that is no number.
//
// The input is lines "kind|name=value|name=value"; behind a line "graph" the rest is the graph.

#include "player/element.h"
#include "player/graph_text.h"
#include "player/request.h"
#include "player/state_text.h"
#include "player/trace_text.h"

#include <stdlib.h>
#include <string.h>

#define MOST 16       // attributes of an element
#define MOST_PARTS 64 // elements of a kind

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Input {
    SomRobotDof dofs[MOST_PARTS];
    SomRobotWeld welds[MOST_PARTS];
    SomRobotBody bodies[MOST_PARTS];
    const char *contacts[MOST_PARTS];
    int32_t dof_count, weld_count, body_count, contact_count;
} Input;

static void require(bool fact) {
    if (!fact) {
        abort();
    }
}

// Cuts the text at the first such character; returns what is behind it, or NULL.
static char *cut(char *text, char at) {
    char *found = strchr(text, at);
    if (found != NULL) {
        *found++ = '\0';
    }
    return found;
}

static void read_line(Input *in, char *line) {
    SomAttribute attributes[MOST];
    SomElementFault fault = {NULL, NULL};
    int32_t count = 0;
    char *next = cut(line, '|');
    while (next != NULL && count < MOST) {
        char *name = next;
        next = cut(name, '|');
        char *value = cut(name, '=');
        attributes[count++] = (SomAttribute){name, value != NULL ? value : ""};
    }
    bool is_read = true;
    if (strcmp(line, "dof") == 0 && in->dof_count < MOST_PARTS) {
        is_read = som_element_read_dof(attributes, count, &in->dofs[in->dof_count], &fault);
        in->dof_count += is_read;
    } else if (strcmp(line, "weld") == 0 && in->weld_count < MOST_PARTS) {
        is_read = som_element_read_weld(attributes, count, &in->welds[in->weld_count], &fault);
        in->weld_count += is_read;
    } else if (strcmp(line, "body") == 0 && in->body_count < MOST_PARTS) {
        is_read = som_element_read_body(attributes, count, &in->bodies[in->body_count], &fault);
        in->body_count += is_read;
    } else if (strcmp(line, "trace") == 0) {
        SomRobotTrace trace;
        is_read = som_element_read_trace(attributes, count, &trace, &fault);
    } else if (strcmp(line, "contact") == 0 && in->contact_count < MOST_PARTS) {
        const char *name = som_element_attribute(attributes, count, "name");
        in->contacts[in->contact_count++] = name != NULL ? name : "";
        som_element_is_piece(line, in->contacts[0]);
    } else {
        SomRequest request;
        if (som_request_read(line, strlen(line), &request)) {
            require(request.name >= line && request.name_length <= strlen(line));
        }
    }
    require(is_read == (fault.words == NULL));
}

static void tell(const SomRobotRun *run, const SomTraceRow *row) {
    SomStateText state = {.robot = run, .behavior = "b\n"};
    size_t length = som_state_text_write(&state, NULL, 0);
    char *text = malloc(length + 1);
    require(som_state_text_write(&state, text, length + 1) == length);
    require(strlen(text) == length);
    free(text);
    SomPlayerText counted = {NULL, 0, 0};
    som_trace_text_header(som_robot_run_def(run)->graph, 0, &counted);
    som_trace_text_row(row, &counted);
    char small[40];
    SomPlayerText part = {small, sizeof small, 0};
    som_trace_text_row(row, &part);
    som_player_text_end(&part);
}

static void play(Input *in, const SomActionGraph *graph) {
    int32_t contacts = graph->symbol_count[SOM_SYMBOL_CONTACT], dofs = in->dof_count;
    size_t inputs = (size_t)graph->symbol_count[SOM_SYMBOL_INPUT];
    int32_t *contact_of = malloc(((size_t)contacts + 1) * sizeof *contact_of);
    SomElement element = {graph,          in->dofs,     in->dof_count,    in->welds,
                          in->weld_count, in->contacts, in->contact_count};
    SomElementFault fault;
    bool fits = som_element_bind(&element, contact_of, &fault);
    require(fits == (fault.words == NULL));
    for (int32_t i = 0; fits && i < contacts; i++) {
        require(0 <= contact_of[i] && contact_of[i] < in->contact_count);
    }
    free(contact_of);
    if (!fits) {
        return;
    }
    SomRobotRunDef def = {graph, in->dofs, in->welds, in->weld_count};
    size_t size = som_robot_run_size(&def);
    void *memory = malloc(size);
    SomRobotRun *run = som_robot_run_init(memory, size, &def, NULL);
    require(run != NULL);
    double *values = calloc((size_t)dofs + inputs + MOST_PARTS + 1, sizeof *values);
    SomBodyPlace places[MOST_PARTS];
    for (int32_t i = 0; i < in->body_count; i++) {
        places[i] = som_body_place_identity();
    }
    SomBodySenses body = som_body_senses(in->bodies, places, in->body_count);
    SomSenses senses = {.positions = values, .speeds = values, .height = 1, .tilt = body.tilt};
    double gaps[MOST_PARTS] = {0};
    for (int i = 0; i < 30; i++) {
        if (i == 10) {
            som_robot_run_pause(run, &senses);
        } else if (i == 12) {
            som_robot_run_resume(run);
        } else if (i == 20) {
            som_robot_run_restart(run);
            som_robot_run_place(run, values);
        }
        som_robot_run_play(run, &senses, 0.1);
        som_robot_run_drive(run, &senses, gaps, 0.1);
        for (int32_t k = 0; k < dofs; k++) {
            require(isfinite(som_robot_run_speeds(run)[k]));
            values[k] += 0.1 * som_robot_run_speeds(run)[k];
        }
        SomTraceRow row = {i * 0.1, &body, 0, values, values, dofs, NULL, 0};
        tell(run, &row);
    }
    som_robot_run_cancel(run, &senses);
    free(values);
    free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1), *next = text;
    memcpy(text, data, size);
    text[size] = '\0';
    Input *in = calloc(1, sizeof *in);
    bool has_graph = false;
    while (next != NULL && !has_graph) {
        char *line = next;
        next = cut(line, '\n');
        has_graph = strcmp(line, "graph") == 0;
        read_line(in, line);
    }
    SomActionGraph graph;
    size_t needed;
    if (has_graph && next != NULL &&
        som_graph_text_read(next, strlen(next), NULL, 0, &graph, &needed).kind ==
            SOM_GRAPH_FAULT_MEMORY) {
        void *memory = malloc(needed);
        if (som_graph_text_read(next, strlen(next), memory, needed, &graph, &needed).kind ==
            SOM_GRAPH_FAULT_NONE) {
            play(in, &graph);
        }
        free(memory);
    }
    free(in);
    free(text);
    return 0;
}
