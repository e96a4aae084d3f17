// simulate/recording.h - the trace of a run as a table in CSV.
//
//     while (som_simulation_step(simulation)) { }
//     SomText csv = {0};
//     som_recording_print(som_simulation_result(simulation), graph, &csv);
//     som_file_save("walk.csv", som_text_str(&csv), diags);
//
// The columns are those of player/trace_text.h, which the plugin writes too: time, pose of the base
// link, centre of mass, contacts with the ground, then value and effort of every DoF. One row a
// sample of the trace. The same definition of a run gives the same bytes.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulate/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

// Adds it to `out`. `graph` has the names of the DoFs.
void som_recording_print(const SomSimulationResult *result, const SomActionGraph *graph,
                         SomText *out);

#ifdef __cplusplus
}
#endif
