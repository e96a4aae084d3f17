// SPDX-License-Identifier: Apache-2.0
// Motions during which docks close and open: a part for every state of the docks.

#include "compose/dock_states.h"
#include "verify/parts_internal.h"
#include "verify/pieces.h"

SomVerifyInput som_verify_cut(const SomVerifyInput *input, int first, int last) {
    SomVerifyInput part = *input;
    part.whole = input->whole != NULL ? input->whole : input;
    part.times += first;
    part.values += (size_t)first * (size_t)input->dof_count;
    part.sample_count = last - first + 1;
    part.is_end = input->is_end && last == input->sample_count - 1;
    return part;
}

SomVerification *som_verify_begin(const SomVerifyInput *part, const SomVerification *out,
                                  int first) {
    SomVerification *found = som_verification_create();
    found->is_behavior = out->is_behavior;
    found->duration = out->duration;
    found->times = part->times;
    found->sample_count = part->sample_count;
    found->places = out->places != NULL ? out->places + first : NULL;
    found->dof_count = out->dof_count;
    found->efforts =
        out->efforts != NULL ? out->efforts + (size_t)first * (size_t)out->dof_count : NULL;
    for (int i = 0; i < SOM_CHECKS; i++) {
        found->is_void[i] = true;
    }
    return found;
}

// The samples from `first` to `last` with the mechanism that the robot is then.
static void run_part(const SomVerifyInput *input, SomPieces *pieces, const SomMechanism *mechanism,
                     int first, int last, SomVerification *out) {
    SomVerifyInput part = som_verify_cut(input, first, last);
    part.mechanism = mechanism;
    part.design = mechanism->configuration;
    SomVerification *found = som_verify_begin(&part, out, first);
    // of several robots heights are those of each
    bool is_alone = input->design->base_count == 1;
    uint32_t ground = is_alone ? SOM_CHECK_BIT(SOM_CHECK_GROUND) : 0;
    som_verify_run_checks(&part, SOM_CHECK_BIT(SOM_CHECK_LOOP) | ground, found);
    som_pieces_check(pieces, &part, first, found);
    som_verification_join(out, found, first);
}

// More often docks do not change.
#define MOST_PARTS 200

// Changes of docks; none of a configuration, and of graphs with other docks.
static int count_changes(const SomVerifyInput *input) {
    bool has_docks = input->prediction != NULL &&
                     input->design->dock_count == input->graph->symbol_count[SOM_SYMBOL_DOCK];
    return has_docks ? input->prediction->docks.count : 0;
}

void som_verify_run_parts(const SomVerifyInput *input, SomVerification *out) {
    SomDockStates *states = som_dock_states_create(input->design);
    SomPieces *pieces = som_pieces_create(input);
    SomPosture posture = som_posture_zero(input->design);
    int first = 0, parts = 0;
    for (int i = 0; i < SOM_CHECKS; i++) {
        out->is_void[i] = out->is_void[i] || (SOM_CHECKS_OF_COMMANDS & SOM_CHECK_BIT(i)) == 0;
    }
    int changes = count_changes(input);
    for (int i = 0; i < changes && !som_stop_is_asked(input->stop); i++) {
        const SomPredictionDock *change = &input->prediction->docks.data[i];
        int last = som_verify_sample_at(input, change->time);
        if (last > first && ++parts > MOST_PARTS) {
            som_verify_report_end(change->time, SOM_STR("docks change more than 200 times"), out);
            break;
        }
        if (last > first) {
            run_part(input, pieces, som_dock_states_mechanism(states), first, last, out);
            first = last;
        }
        memcpy(posture.values, input->values + (size_t)last * (size_t)input->dof_count,
               (size_t)input->dof_count * sizeof *posture.values);
        som_dock_states_place(states, &posture);
        if (change->is_closed) {
            som_pieces_dock(pieces, states, change->dock, out);
        }
        som_dock_states_set(states, change->dock, change->is_closed);
    }
    if (parts <= MOST_PARTS) {
        run_part(input, pieces, som_dock_states_mechanism(states), first, input->sample_count - 1,
                 out);
    }
    som_pieces_leave_open(pieces, out);
    som_posture_free(&posture);
    som_pieces_destroy(pieces);
    som_dock_states_destroy(states);
}
