// SPDX-License-Identifier: Apache-2.0
#include "compose/posture_check.h"

#include "base/memory.h"
#include "compose/words.h"

// What is told: a joint beyond its limit by more, radians or metres; a gap of more metres, radians.
#define SLACK 1e-9
#define OPEN 1e-6

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

static void report_gap(const SomConfiguration *design, const SomMechanismClosure *closure,
                       SomGap gap, SomDiagnostics *diags) {
    SomText what = {0}, size = {0};
    SomSpan span = design->modules[closure->module].span;
    if (closure->connection >= 0) {
        const SomConnection *c = &design->connections[closure->connection];
        span = c->span;
        som_configuration_print_connector(design, c->module_a, c->connector_a, &what);
        som_text_add(&what, SOM_STR("' and '"));
        som_configuration_print_connector(design, c->module_b, c->connector_b, &what);
    } else {
        som_text_add(&what, design->modules[closure->module].path);
    }
    som_words_gap(&size, gap);
    som_report(diags, SOM_LOOP_TORN, span,
               "with these joint values the loop at '%s' is open by %s; 'somite solve' moves "
               "joints with loops closed",
               what.data, size.data);
    som_text_free(&what);
    som_text_free(&size);
}

void som_posture_check(const SomMechanism *mechanism, const SomPosture *posture,
                       SomDiagnostics *diags) {
    check_limits(mechanism->configuration, posture, diags);
    SomPose *links = som_alloc((size_t)mechanism->link_count * sizeof *links);
    som_mechanism_place(mechanism, posture, links);
    for (int i = 0; i < mechanism->closure_count; i++) {
        SomGap gap = som_mechanism_gap(mechanism, links, i);
        if (gap.metres > OPEN || gap.radians > OPEN) {
            report_gap(mechanism->configuration, &mechanism->closures[i], gap, diags);
        }
    }
    som_free(links);
}
