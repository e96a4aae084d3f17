// SPDX-License-Identifier: Apache-2.0
#include "behaviors/static_rule.h"

#include "base/codes/behaviors_codes.h"

// Reports what was found again, errors as warnings. Returns how many errors there were.
static int report_as_warnings(const SomDiagnostics *found, SomDiagnostics *diags) {
    int count, errors = 0;
    const SomDiagnostic *all = som_diagnostics_get(found, &count);
    for (int i = 0; i < count; i++) {
        const SomDiagnostic *d = &all[i];
        if (d->kind == SOM_DIAGNOSTIC_FIX) {
            som_fix(diags, d->span, d->message);
        } else if (d->kind == SOM_DIAGNOSTIC_NOTE) {
            som_note(diags, d->span, "%.*s", SOM_STR_ARG(d->message));
        } else if (d->severity == SOM_ERROR) {
            som_report(diags, SOM_BEHAVIOR_FORCED, d->span, "ignored: %.*s",
                       SOM_STR_ARG(d->message));
            errors++;
        } else {
            som_report(diags, d->code, d->span, "%.*s", SOM_STR_ARG(d->message));
        }
    }
    return errors;
}

bool som_static_allows(const SomStaticDef *def, bool is_forced, int *ignored,
                       SomDiagnostics *diags) {
    int unused;
    ignored = ignored != NULL ? ignored : &unused;
    *ignored = 0;
    if (!is_forced) {
        int errors = som_diagnostics_error_count(diags);
        som_static_check(def, diags);
        return som_diagnostics_error_count(diags) == errors;
    }
    SomDiagnostics *found = som_diagnostics_create_with_sources(diags);
    som_static_check(def, found);
    *ignored = report_as_warnings(found, diags);
    som_diagnostics_destroy(found);
    return true;
}
