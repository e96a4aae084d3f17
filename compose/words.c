// SPDX-License-Identifier: Apache-2.0
#include "compose/words.h"

#include "base/codes/compose_codes.h"
#include "base/number.h"
#include "compose/posture.h"
#include "language/name.h"
#include "modules/joint_limit.h"
#include "space/trigonometry.h"

void som_words_joint_value(SomText *out, const SomModuleJoint *joint, double value) {
    bool is_angle = joint->type == SOM_JOINT_REVOLUTE;
    double shown = round((is_angle ? value * 180 / SOM_PI : value * 1e3) * 1e6) / 1e6;
    som_text_number(out, shown == 0 ? 0 : shown);
    som_text_add(out, is_angle ? SOM_STR("deg") : SOM_STR("mm"));
}

void som_words_rounded(const SomModuleJoint *joint, SomStr path, SomSpan span, const char *per,
                       double value, double limit, SomDiagnostics *diags) {
    SomText shown = {0}, bound = {0};
    som_words_joint_value(&shown, joint, value);
    som_words_joint_value(&bound, joint, limit);
    som_report(diags, SOM_ROUNDED_TO_LIMIT, span,
               "'%.*s' = %s%s exceeds its limit of %s%s by rounding only; the limit is used",
               SOM_STR_ARG(path), shown.data, per, bound.data, per);
    som_text_free(&shown);
    som_text_free(&bound);
}

void som_words_joint_path(SomText *out, SomStr module, SomStr name) {
    som_text_add(out, module);
    som_text_add(out, module.length > 0 ? SOM_STR(".") : SOM_STR(""));
    som_name_print(out, name);
}

void som_words_check_limit(const SomModuleJoint *joint, SomStr path, SomAlias alias, SomSpan span,
                           double *value, SomDiagnostics *diags) {
    double limit = som_limit_nearest(joint->low, joint->high, *value);
    double is = som_alias_from_joint(alias, *value), may = som_alias_from_joint(alias, limit);
    SomLimitFit fit = som_limit_fit(joint->low, joint->high, *value);
    if (fit == SOM_LIMIT_ROUNDED) {
        som_words_rounded(joint, path, span, "", is, may, diags);
    } else if (fit == SOM_LIMIT_BEYOND) {
        SomText shown = {0}, bound = {0};
        som_words_joint_value(&shown, joint, is);
        som_words_joint_value(&bound, joint, may);
        som_report(diags, SOM_BEYOND_LIMIT, span, "'%.*s' = %s is beyond its limit of %s",
                   SOM_STR_ARG(path), shown.data, bound.data);
        som_text_free(&shown);
        som_text_free(&bound);
        return;
    }
    *value = limit;
}
