// SPDX-License-Identifier: Apache-2.0
// Connections that could not be docked: faces that do not meet, or that no rule offers.

#include "base/codes/verify_codes.h"
#include "verify/repairs_internal.h"
#include "verify/verify.h"

#include <math.h>

static SomFinding *report(const SomVerifyInput *input, const SomConnection *c, SomCode code,
                          double value, const char *what, SomVerification *out) {
    SomFinding finding = {.check = SOM_CHECK_DOCKING,
                          .code = code,
                          .t0 = (double)NAN,
                          .t1 = (double)NAN,
                          .worst = (double)NAN,
                          .value = value,
                          .limit = isnan(value) ? value : input->options.dock_gap,
                          .dimension = SOM_DIMENSION_LENGTH,
                          .span = c->span,
                          .action = SOM_NONE};
    SomText a = {0}, b = {0};
    som_configuration_print_connector(input->design, c->module_a, c->connector_a, &a);
    som_configuration_print_connector(input->design, c->module_b, c->connector_b, &b);
    SomText who = {0};
    som_text_printf(&who, "'%s' and '%s'", a.data, b.data);
    finding.who = som_text_str(&who);
    SomFinding *found = som_verification_add(out, &finding, "%s", what);
    som_finding_add_subject(out, found, som_text_str(&a));
    som_finding_add_subject(out, found, som_text_str(&b));
    som_text_free(&who);
    som_text_free(&a);
    som_text_free(&b);
    return found;
}

// Whether nothing else is wrong then.
static bool may_meet(const SomVerifyInput *input, int connection, const SomFinding *found) {
    const SomConnection *c = &input->design->connections[connection];
    SomRepair repair = {.dof = -1, .roll_count = 1, .rolls = {{connection, c->roll}}};
    return !c->is_dock && som_repairs_prove(input->repairs, found, &repair);
}

void som_check_docking(const SomVerifyInput *input, SomVerification *out) {
    out->is_void[SOM_CHECK_DOCKING] = input->design->connection_count == 0;
    for (int i = 0; i < input->design->connection_count; i++) {
        const SomConnection *c = &input->design->connections[i];
        SomText what = {0};
        if (isnan(c->roll) && c->rule == NULL) {
            report(input, c, SOM_NOT_DOCKABLE, (double)NAN, "which do not face each other", out);
        } else if (c->gap > input->options.dock_gap) {
            som_text_printf(
                &what, "%s apart, more than connectors can bridge (%s)",
                som_verification_value(out, c->gap, SOM_DIMENSION_LENGTH),
                som_verification_value(out, input->options.dock_gap, SOM_DIMENSION_LENGTH));
            SomFinding *found = report(input, c, SOM_DOCK_GAP, c->gap, what.data, out);
            if (may_meet(input, i, found)) {
                som_finding_set_fix(out, found, "bring the faces together: leave out 'gap'");
            }
        } else if (c->is_forced || c->rule == NULL) {
            report(input, c, SOM_DOCK_FORCED, (double)NAN,
                   "which no rule of their module types offers", out);
        }
        som_text_free(&what);
    }
}
