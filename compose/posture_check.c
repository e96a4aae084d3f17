// SPDX-License-Identifier: Apache-2.0
#include "compose/posture_check.h"

#include "base/memory.h"
#include "compose/words.h"

// A joint beyond its limit by more is told. Radians or metres.
#define SLACK 1e-9

static void check_limits(const SomConfiguration *design, const SomPosture *posture,
                         SomDiagnostics *diags) {
    for (int i = 0; i < design->dof_count; i++) {
        const SomModuleJoint *joint = som_configuration_joint(design, i);
        double value = posture->values[i];
        bool is_low = value < joint->low - SLACK;
        if (value == design->start[i] || !(is_low || value > joint->high + SLACK)) {
            continue;
        }
        SomText shown = {0}, limit = {0};
        som_words_joint_value(&shown, joint, value);
        som_words_joint_value(&limit, joint, is_low ? joint->low : joint->high);
        som_report(diags, SOM_BEYOND_LIMIT, (SomSpan){0}, "'%.*s' = %s is beyond its limit of %s",
                   SOM_STR_ARG(design->dofs[i].path), shown.data, limit.data);
        som_text_free(&shown);
        som_text_free(&limit);
    }
}

static SomSpan span_of(const SomMechanism *mechanism, int closure) {
    const SomConfiguration *design = mechanism->configuration;
    const SomMechanismClosure *c = &mechanism->closures[closure];
    return c->connection >= 0 ? design->connections[c->connection].span
                              : design->modules[c->module].span;
}

static void check_loops(const SomMechanism *mechanism, const SomPose *links,
                        SomDiagnostics *diags) {
    int closure;
    SomGap gap;
    if (!som_mechanism_worst_gap(mechanism, links, &closure, &gap)) {
        return;
    }
    SomText what = {0}, size = {0};
    som_mechanism_print_closure(mechanism, closure, &what);
    som_gap_print(gap, &size);
    som_report(diags, SOM_LOOP_TORN, span_of(mechanism, closure),
               "with these joint values %s is open by %s; 'somite solve' moves joints with loops "
               "closed",
               what.data, size.data);
    som_text_free(&what);
    som_text_free(&size);
}

void som_posture_check(const SomMechanism *mechanism, const SomPosture *posture,
                       SomDiagnostics *diags) {
    check_limits(mechanism->configuration, posture, diags);
    SomPose *links = som_alloc((size_t)mechanism->link_count * sizeof *links);
    som_mechanism_place(mechanism, posture, links);
    check_loops(mechanism, links, diags);
    som_free(links);
}
