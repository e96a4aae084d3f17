// SPDX-License-Identifier: Apache-2.0
#include "behaviors/parameter_places.h"

bool som_parameter_fits_part(const SomConfiguration *c, const SomParameter *parameter, int part) {
    const SomPart *p = &c->parts[part];
    const SomModuleType *type = p->order == 0 ? c->modules[p->first_module].type : NULL;
    // a config that is a module itself is also that module
    return som_str_equal(p->config, parameter->type) ||
           (type != NULL && som_str_equal(type->name, parameter->type));
}

static bool next_joint(SomParameterPlaces *places, SomText *path) {
    const SomConfiguration *c = places->configuration;
    const SomPart *part = &c->parts[places->part];
    while (places->next < part->dof_count) {
        int dof = part->first_dof + places->next++;
        if (som_joint_class_fits(places->parameter->joint_class, som_configuration_joint(c, dof))) {
            som_text_add(path, c->dofs[dof].path);
            return true;
        }
    }
    return false;
}

static bool next_part(SomParameterPlaces *places, SomText *path) {
    const SomConfiguration *c = places->configuration;
    int end = c->parts[places->part].end_part;
    while (places->part + places->next < end) {
        int part = places->part + places->next++;
        // the whole has no name
        if (part != 0 && som_parameter_fits_part(c, places->parameter, part)) {
            som_text_add(path, c->parts[part].path);
            return true;
        }
    }
    return false;
}

bool som_parameter_places_next(SomParameterPlaces *places, SomText *path) {
    som_text_clear(path);
    switch (places->parameter->kind) {
    case SOM_PARAMETER_JOINT:
        return next_joint(places, path);
    case SOM_PARAMETER_PART:
        return next_part(places, path);
    case SOM_PARAMETER_VALUE:
        break;
    }
    return false;
}
