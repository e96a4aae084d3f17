// SPDX-License-Identifier: Apache-2.0
#include "studio/posture_verdict.h"

#include "base/codes/verify_codes.h"
#include "verify/posture_balance.h"

#include <math.h>

int som_posture_verdict_module_of(const SomConfiguration *design, SomStr subject) {
    for (size_t end = subject.length;; end--) {
        bool is_whole = end == subject.length || subject.data[end] == '.';
        int module =
            is_whole ? som_configuration_find_module(design, som_str_slice(subject, 0, end)) : -1;
        if (module >= 0) {
            return module;
        }
        if (end == 0) {
            break;
        }
    }
    return design->module_count == 1 ? 0 : -1; // of a single module paths may begin with its own
}

// ---- balance

static void find_balance(SomPostureVerdict *v, const SomMechanism *mechanism,
                         const SomVerifyOptions *options, const double *values) {
    SomPostureBalance balance = som_posture_balance_find(mechanism, options, values, 1);
    v->is_balanced = balance.stands;
    v->is_fixed = balance.is_fixed;
    v->margin = balance.margin;
    v->drop = balance.drop;
    v->center = balance.center;
    v->below_center = balance.below_center;
    v->support = balance.corners; // it takes them over
    v->support_count = balance.corner_count;
    v->edge[0] = balance.edge[0];
    v->edge[1] = balance.edge[1];
}

// ---- findings

static int count_checks(const SomVerification *found, unsigned checks) {
    int count = 0;
    for (int i = 0; i < found->findings.count; i++) {
        bool is_note = found->findings.data[i].severity == SOM_NOTE;
        count += !is_note && (checks >> found->findings.data[i].check & 1) != 0;
    }
    return count;
}

static void read_findings(SomPostureVerdict *v, const SomConfiguration *design) {
    const SomVerification *found = v->found;
    v->collisions = som_alloc(sizeof *v->collisions * (size_t)(found->findings.count + 1));
    for (int i = 0; i < found->findings.count; i++) {
        const SomFinding *finding = &found->findings.data[i];
        v->severity = finding->severity > v->severity ? finding->severity : v->severity;
        if (finding->code != SOM_SELF_COLLISION || finding->subject_count < 2) {
            continue;
        }
        SomVerdictCollision *collision = &v->collisions[v->collision_count];
        collision->module_a = som_posture_verdict_module_of(design, finding->subjects[0]);
        collision->module_b = som_posture_verdict_module_of(design, finding->subjects[1]);
        collision->depth = -finding->value;
        v->collision_count += collision->module_a >= 0 && collision->module_b >= 0;
    }
    if (found->verdict == SOM_VERDICT_INCOMPLETE && v->severity == SOM_NOTE) {
        v->severity = SOM_WARNING;
    }
}

// ---- words

// To a millimetre, or if it is smaller than that, as exactly as findings say it.
static void add_length(SomText *out, double metres) {
    double shown = fabs(metres) >= 1e-3 ? round(metres * 1e3) / 1e3 : metres;
    som_text_value(out, shown, SOM_DIMENSION_LENGTH);
}

static void add_balance(const SomPostureVerdict *v, SomText *out) {
    if (v->is_fixed) {
        som_text_add(out, SOM_STR("fixed"));
    } else if (isnan(v->margin)) {
        som_text_add(out, SOM_STR("balance not known"));
    } else if (v->margin == 0) {
        som_text_add(out, v->support_count == 1 ? SOM_STR("balances on a point")
                                                : SOM_STR("balances on an edge"));
    } else if (!v->is_balanced && v->margin > 0) {
        som_text_add(out, SOM_STR("leans too far"));
    } else if (v->is_balanced) {
        som_text_add(out, SOM_STR("stable, margin "));
        add_length(out, v->margin);
    } else {
        som_text_add(out, SOM_STR("tips over, by "));
        add_length(out, -v->margin);
    }
}

static void add_count(SomText *out, int count, const char *one, const char *more) {
    if (count > 0) {
        som_text_printf(out, ", %d %s", count, count == 1 ? one : more);
    }
}

#define BIT(check) (1u << SOM_CHECK_##check)

static void summarize(SomPostureVerdict *v) {
    SomText *out = &v->summary;
    add_balance(v, out);
    if (v->collision_count == 0) {
        bool is_sure = true;
        for (int i = 0; i < v->found->skipped.count; i++) {
            const SomSkipped *skipped = &v->found->skipped.data[i];
            is_sure =
                is_sure && !(skipped->is_unchecked && skipped->check == SOM_CHECK_SELF_COLLISION);
        }
        som_text_add(out, is_sure ? SOM_STR(", no collision") : SOM_STR(", collisions not known"));
    }
    add_count(out, v->collision_count, "collision", "collisions");
    add_count(out, count_checks(v->found, BIT(LOAD)), "overload", "overloads");
    add_count(out, count_checks(v->found, BIT(JOINT_LIMIT)), "joint beyond its limit",
              "joints beyond their limits");
    add_count(out, count_checks(v->found, BIT(LOOP)), "torn loop", "torn loops");
    add_count(out, count_checks(v->found, BIT(GROUND)), "link below the ground",
              "links below the ground");
    add_count(out, count_checks(v->found, BIT(DOCKING) | BIT(SLIP) | BIT(MOTION) | BIT(CONFLICT)),
              "other finding", "other findings");
    if (v->found->verdict == SOM_VERDICT_INCOMPLETE) {
        som_text_add(out, SOM_STR(", not everything checked"));
    }
}

// ---- all of it

SomPostureVerdict som_posture_verdict_none(void) {
    SomPostureVerdict v = {.margin = (double)NAN, .drop = (double)NAN};
    som_text_add(&v.summary, SOM_STR("nothing to verify yet"));
    return v;
}

SomPostureVerdict som_posture_verdict_find(const SomMechanism *mechanism,
                                           const SomVerifyOptions *options, const double *values) {
    SomPostureVerdict v = {.is_known = true, .is_of_model = true, .is_current = true};
    v.found =
        som_verify(&(SomVerifyDef){.mechanism = mechanism, .start = values, .options = options});
    find_balance(&v, mechanism, options, values);
    read_findings(&v, mechanism->configuration);
    summarize(&v);
    return v;
}

void som_posture_verdict_free(SomPostureVerdict *verdict) {
    som_verification_destroy((SomVerification *)verdict->found);
    som_free(verdict->support);
    som_free(verdict->collisions);
    som_text_free(&verdict->summary);
    *verdict = (SomPostureVerdict){0};
}
