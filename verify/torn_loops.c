// SPDX-License-Identifier: Apache-2.0
// Loops that the motion of their joints tears open.

#include "base/codes/verify_codes.h"
#include "compose/solve.h"
#include "verify/repairs_internal.h"
#include "verify/verify.h"

#include <math.h>

#define SAME_VALUE 1e-6 // radians or metres

typedef struct Tear {
    double t0, t1, worst;
    int sample; // the worst
    SomGap gap;
    double size; // of the gap for its tolerances; more than 1 is torn
} Tear;

static SomSpan span_of(const SomVerifyInput *input, int closure, int32_t action) {
    const SomMechanismClosure *c = &input->mechanism->closures[closure];
    if (action != SOM_NONE) {
        return som_verify_span(input, action, -1);
    }
    return c->connection >= 0 ? input->design->connections[c->connection].span
                              : input->design->modules[c->module].span;
}

// Whether the other joints have values that close all loops while this one, or none, stays.
static bool can_close(const SomVerifyInput *input, int dof, int sample) {
    if (input->repairs == NULL || input->repairs->proofs <= 0) {
        return false;
    }
    input->repairs->proofs--;
    SomPosture from = som_posture_start(input->design);
    const double *values = input->values + (size_t)sample * (size_t)input->dof_count;
    memcpy(from.values, values, (size_t)input->dof_count * sizeof *values);
    SomWish wish = {.level = SOM_LEVEL_LOCK, .subject = {.dof = dof}};
    SomSolveDef def = {.wishes = &wish, .wish_count = dof >= 0, .from = &from};
    SomSolveResult result = {0};
    SomDiagnostics *diags = som_diagnostics_create(); // what it cannot do is no finding
    bool is_closed = som_solve(input->design, &def, &result, diags) && result.is_closed &&
                     (dof < 0 || fabs(result.posture.values[dof] - values[dof]) < SAME_VALUE);
    som_diagnostics_destroy(diags);
    som_solve_result_free(&result);
    som_posture_free(&from);
    return is_closed;
}

static void report(const SomVerifyInput *input, int closure, const Tear *tear,
                   SomVerification *out) {
    const SomMechanismClosure *c = &input->mechanism->closures[closure];
    int dof = som_verify_dof_between(input, c->link_a, c->link_b, tear->worst);
    int32_t action = som_verify_action_of(input, dof, tear->worst);
    bool is_gap = tear->gap.metres / input->options.loop_gap == tear->size;
    SomFinding finding = {.check = SOM_CHECK_LOOP,
                          .code = SOM_LOOP_TEARS,
                          .t0 = tear->t0,
                          .t1 = tear->t1,
                          .worst = tear->worst,
                          .value = is_gap ? tear->gap.metres : tear->gap.radians,
                          .limit = is_gap ? input->options.loop_gap : input->options.loop_turn,
                          .dimension = is_gap ? SOM_DIMENSION_LENGTH : SOM_DIMENSION_ANGLE,
                          .span = span_of(input, closure, action),
                          .action = action};
    SomText what = {0}, size = {0};
    som_mechanism_print_closure(input->mechanism, closure, &what);
    som_gap_print(tear->gap, &size);
    finding.who = som_text_str(&what);
    SomFinding *found = som_verification_add(out, &finding, "open by %s", size.data);
    som_finding_add_subject(out, found, input->mechanism->links[c->link_a].path);
    som_finding_add_subject(out, found, input->mechanism->links[c->link_b].path);
    bool is_repaired = can_close(input, dof, tear->sample);
    if (is_repaired && dof >= 0) {
        som_finding_set_fix(out, found,
                            "move the other joints of the loop together with '%.*s'; 'somite "
                            "solve' finds their values",
                            SOM_STR_ARG(input->design->dofs[dof].path));
    } else if (is_repaired) {
        som_finding_set_fix(out, found, "'somite solve' finds values that close it");
    }
    som_text_free(&what);
    som_text_free(&size);
}

static void widen(const SomVerifyInput *input, Tear *tear, SomGap gap, int sample) {
    double size =
        fmax(gap.metres / input->options.loop_gap, gap.radians / input->options.loop_turn);
    if (!(size > 1)) {
        return;
    }
    double time = som_verify_time(input, sample);
    if (!(tear->size > 0)) {
        tear->t0 = time;
    }
    tear->t1 = time;
    if (size > tear->size) {
        tear->size = size;
        tear->gap = gap;
        tear->worst = time;
        tear->sample = sample;
    }
}

void som_check_loops(const SomVerifyInput *input, SomVerification *out) {
    const SomMechanism *m = input->mechanism;
    out->is_void[SOM_CHECK_LOOP] = m->closure_count == 0;
    if (m->closure_count == 0) {
        return;
    }
    Tear *tears = som_alloc((size_t)m->closure_count * sizeof *tears);
    SomPose *links = som_alloc((size_t)m->link_count * sizeof *links);
    SomPosture posture = {som_alloc((size_t)(input->dof_count + 1) * sizeof(double)),
                          input->dof_count};
    for (int i = 0; i < input->sample_count; i++) {
        const double *values = input->values + (size_t)i * (size_t)input->dof_count;
        memcpy(posture.values, values, (size_t)input->dof_count * sizeof *values);
        som_mechanism_place(m, &posture, links);
        for (int k = 0; k < m->closure_count; k++) {
            widen(input, &tears[k], som_mechanism_gap(m, links, k), i);
        }
    }
    for (int k = 0; k < m->closure_count; k++) {
        if (tears[k].size > 0) {
            report(input, k, &tears[k], out);
        }
    }
    som_free(tears);
    som_free(links);
    som_posture_free(&posture);
}
