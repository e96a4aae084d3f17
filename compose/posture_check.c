// SPDX-License-Identifier: Apache-2.0
#include "compose/posture_check.h"

#include "base/codes/compose_codes.h"
#include "base/memory.h"

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
    SomPose *links = som_alloc((size_t)mechanism->link_count * sizeof *links);
    som_mechanism_place(mechanism, posture, links);
    check_loops(mechanism, links, diags);
    som_free(links);
}
