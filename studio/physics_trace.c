// SPDX-License-Identifier: Apache-2.0
#include "studio/physics_trace.h"

#define ADD(to, from, first, end)                                                                  \
    for (int som_i = (first); som_i < (end); som_i++) {                                            \
        som_array_push(&(to), (from).data[som_i]);                                                 \
    }

static void add(SomSimulationResult *to, const SomSimulationResult *from, int sample, int event) {
    int dofs = from->dof_count, end = from->times.count;
    to->dof_count = dofs;
    to->time = from->time;
    ADD(to->times, from->times, sample, end)
    ADD(to->positions, from->positions, sample * dofs, end * dofs)
    ADD(to->efforts, from->efforts, sample * dofs, end * dofs)
    ADD(to->base, from->base, sample, end)
    ADD(to->com, from->com, sample, end)
    ADD(to->events, from->events, event, from->events.count)
}

void som_physics_trace_add(SomPhysicsTrace *trace, const SomSimulationResult *result, int *samples,
                           int *events) {
    add(&trace->result, result, *samples, *events);
    *samples = result->times.count;
    *events = result->events.count;
}

static void clear(SomSimulationResult *result) {
    result->times.count = result->positions.count = result->efforts.count = 0;
    result->base.count = result->com.count = result->events.count = 0;
}

bool som_physics_trace_join(SomPhysicsTrace *trace, SomPhysicsTrace *more) {
    if (more->record == NULL || (more->result.times.count == 0 && more->result.events.count == 0)) {
        return false;
    }
    if (trace->record != more->record) {
        som_physics_trace_free(trace);
        trace->record = som_physics_record_hold(more->record);
    }
    add(&trace->result, &more->result, 0, 0);
    clear(&more->result);
    return true;
}

void som_physics_trace_free(SomPhysicsTrace *trace) {
    som_physics_record_release(trace->record);
    som_array_free(&trace->result.times);
    som_array_free(&trace->result.positions);
    som_array_free(&trace->result.efforts);
    som_array_free(&trace->result.base);
    som_array_free(&trace->result.com);
    som_array_free(&trace->result.events);
    *trace = (SomPhysicsTrace){0};
}
