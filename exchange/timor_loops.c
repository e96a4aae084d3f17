// SPDX-License-Identifier: Apache-2.0
// Do the connections of an assembly of Timor hold it together, and can they all be at once?

#include "base/classes.h"
#include "base/codes/compose_codes.h"
#include "base/codes/exchange_codes.h"
#include "exchange/adjacency.h"
#include "exchange/module_assembly.h"
#include "exchange/timor.h"

#define MAX_REPORTS 10 // of a kind

// What stands at one pose: modules as they are at zero, or the rigid parts of modules, whose poses
// are those of their modules.
typedef struct Nodes {
    const SomTimorModule *const *modules;
    const SomTimorMating *matings;
    SomAdjacency edges; // an edge a mating
} Nodes;

// Module b, seen from module a.
static SomPose step_of(const Nodes *nodes, const SomTimorMating *m) {
    const SomPose down = {{{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}, {0, 0, 0}};
    SomPose a = nodes->modules[m->a]->connectors[m->connector_a].pose;
    SomPose b = nodes->modules[m->b]->connectors[m->connector_b].pose;
    return som_pose_compose(som_pose_compose(a, down), som_pose_invert(b));
}

// Each piece from its first node on.
static void place(const Nodes *nodes, SomPose *poses, bool *placed) {
    const SomAdjacency *edges = &nodes->edges;
    int *queue = som_alloc(((size_t)edges->nodes + 1) * sizeof *queue);
    for (int start = 0; start < edges->nodes; start++) {
        int last = 0;
        if (!placed[start]) {
            poses[start] = som_pose_identity();
            placed[start] = true;
            queue[last++] = start;
        }
        for (int at = 0; at < last; at++) {
            int node = queue[at];
            for (int i = edges->first[node]; i < edges->first[node + 1]; i++) {
                int edge = edges->list[i];
                bool is_a = edges->ends[2 * edge] == node;
                int other = edges->ends[2 * edge + is_a];
                if (!placed[other]) {
                    SomPose step = step_of(nodes, &nodes->matings[edge]);
                    poses[other] =
                        som_pose_compose(poses[node], is_a ? step : som_pose_invert(step));
                    poses[other].rotation = som_rotation_normalise(poses[other].rotation);
                    placed[other] = true;
                    queue[last++] = other;
                }
            }
        }
    }
    som_free(queue);
}

// How many loops are open, each of them reported.
static int report_open(const Nodes *nodes, SomCode code, SomDiagnostics *diags) {
    const SomAdjacency *edges = &nodes->edges;
    SomPose *poses = som_alloc(((size_t)edges->nodes + 1) * sizeof *poses);
    bool *placed = som_alloc((size_t)edges->nodes + 1);
    place(nodes, poses, placed);
    int open = 0;
    for (int i = 0; i < edges->edges; i++) {
        const SomTimorMating *m = &nodes->matings[i];
        SomPose meant = som_pose_compose(poses[edges->ends[2 * i]], step_of(nodes, m));
        SomText by = {0};
        if (som_module_assembly_differ(meant, poses[edges->ends[2 * i + 1]], &by) &&
            open++ < MAX_REPORTS) {
            som_report(diags, code, m->span,
                       "the loop through modules %d and %d does not close: it is open by %s", m->a,
                       m->b, by.data);
        }
        som_text_free(&by);
    }
    som_note_more(diags, open - MAX_REPORTS);
    som_free(poses);
    som_free(placed);
    return open;
}

// Loops without a joint: those that rigid parts of modules form by themselves.
static int report_open_rigid(Nodes *nodes, int count, int matings, SomDiagnostics *diags) {
    int *first = som_alloc(((size_t)count + 1) * sizeof *first); // of each module in `numbers1`
    for (int i = 0; i < count; i++) {
        first[i + 1] = first[i] + nodes->modules[i]->connector_count;
    }
    int *numbers1 = som_alloc(((size_t)first[count] + 1) * sizeof *numbers1);
    int *ends = som_alloc((2 * (size_t)matings + 1) * sizeof *ends);
    int number = 0; // of those that are connected
    for (int i = 0; i < 2 * matings; i++) {
        const SomTimorMating *m = &nodes->matings[i / 2];
        int module = i % 2 == 0 ? m->a : m->b;
        int connector = i % 2 == 0 ? m->connector_a : m->connector_b;
        int *own1 = &numbers1[first[module] + nodes->modules[module]->connectors[connector].rigid];
        *own1 = *own1 > 0 ? *own1 : ++number;
        ends[i] = *own1 - 1;
    }
    som_adjacency_begin(&nodes->edges, number, matings);
    memcpy(nodes->edges.ends, ends, 2 * (size_t)matings * sizeof *ends);
    som_adjacency_end(&nodes->edges);
    int open = report_open(nodes, SOM_LOOP_OPEN, diags);
    som_adjacency_free(&nodes->edges);
    som_free(first);
    som_free(numbers1);
    som_free(ends);
    return open;
}

static bool check_pieces(const Nodes *nodes, int count, const SomJson *order,
                         SomDiagnostics *diags) {
    int *pieces = som_alloc(((size_t)count + 1) * sizeof *pieces);
    som_classes_reset(pieces, count);
    for (int i = 0; i < nodes->edges.edges; i++) {
        som_classes_join(pieces, nodes->matings[i].a, nodes->matings[i].b);
    }
    int alone = 0;
    while (alone < count && som_classes_find(pieces, alone) == 0) {
        alone++;
    }
    som_free(pieces);
    if (alone < count) {
        som_report(diags, SOM_IMPORT_IN_PIECES, order->items[alone].span,
                   "module %d is not connected with module 0", alone);
    }
    return alone == count;
}

bool som_timor_check_matings(const SomTimorModule *const *modules, int count,
                             const SomTimorMating *matings, int mating_count, const SomJson *order,
                             SomDiagnostics *diags) {
    Nodes nodes = {.modules = modules, .matings = matings};
    if (report_open_rigid(&nodes, count, mating_count, diags) > 0) {
        return false;
    }
    som_adjacency_begin(&nodes.edges, count, mating_count);
    for (int i = 0; i < mating_count; i++) {
        nodes.edges.ends[2 * i] = matings[i].a;
        nodes.edges.ends[2 * i + 1] = matings[i].b;
    }
    som_adjacency_end(&nodes.edges);
    bool fine = check_pieces(&nodes, count, order, diags);
    if (fine) {
        report_open(&nodes, SOM_IMPORT_LOOP_OPEN, diags);
    }
    som_adjacency_free(&nodes.edges);
    return fine;
}
