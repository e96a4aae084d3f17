// SPDX-License-Identifier: Apache-2.0
// What is said of a model as it becomes M3L: each once, of the first link or joint that has it.

#include "base/codes/exchange_codes.h"
#include "exchange/link_model_internal.h"

#include <string.h>

static bool has_colors(const SomModelLink *link) {
    bool has = false;
    for (int i = 1; i < link->visuals.count; i++) {
        has = has || memcmp(link->visuals.data[i].color, link->visuals.data[0].color,
                            sizeof link->visuals.data[0].color) != 0;
    }
    return has;
}

void som_link_model_count_losses(const SomLinkModel *model, SomTally *often) {
    for (int i = 0; i < model->links.count; i++) {
        const SomModelLink *link = &model->links.data[i];
        if (link->visuals.count > 0 && link->collisions.count == 0) {
            som_tally_add(&often[SOM_MODEL_OFTEN_ONLY_SEEN], link->name, link->span);
        }
        if (link->has_mass && link->inertia.mass < 0) {
            som_tally_add(&often[SOM_MODEL_OFTEN_NEGATIVE_MASS], link->name, link->span);
        }
        if (has_colors(link)) {
            som_tally_add(&often[SOM_MODEL_OFTEN_COLORS], link->name, link->span);
        }
    }
    for (int i = 0; i < model->joints.count; i++) {
        const SomModelJoint *joint = &model->joints.data[i];
        for (int k = 0; k < joint->axis_count; k++) {
            const SomModelAxis *axis = &joint->axes[k];
            if (axis->low > axis->high) {
                som_tally_add(&often[SOM_MODEL_OFTEN_LIMITS], joint->name, joint->span);
            }
            if (axis->effort < 0 || axis->speed < 0 || axis->damping < 0 || axis->friction < 0) {
                som_tally_add(&often[SOM_MODEL_OFTEN_NEGATIVE], joint->name, joint->span);
            }
        }
    }
}

void som_link_model_report(SomTally often[SOM_MODEL_OFTEN_COUNT], SomDiagnostics *diags) {
    static const struct {
        SomCode code;
        const char *before, *after;
    } words[SOM_MODEL_OFTEN_COUNT] = {
        [SOM_MODEL_OFTEN_HULL] = {SOM_MODEL_HULL, "link ",
                                  " is touched by the convex hull of a mesh"},
        [SOM_MODEL_OFTEN_NO_MASS] = {SOM_MODEL_NO_MASS, "link ",
                                     " has no mass; it weighs as much as water of its shape"},
        [SOM_MODEL_OFTEN_IMPOSSIBLE] = {SOM_MODEL_IMPOSSIBLE_INERTIA,
                                        "no body has the inertia of link ", ""},
        [SOM_MODEL_OFTEN_ONLY_SEEN] = {SOM_MODEL_ONLY_SEEN, "link ",
                                       " is only seen: it has no collision"},
        [SOM_MODEL_OFTEN_NEGATIVE_MASS] = {SOM_MODEL_LOST, "the mass of link ",
                                           " is negative and was left out"},
        [SOM_MODEL_OFTEN_COLORS] = {SOM_MODEL_LOST, "link ",
                                    " has several colors; it is seen in the first"},
        [SOM_MODEL_OFTEN_LIMITS] = {SOM_MODEL_LOST, "the limits of joint ",
                                    " are the wrong way round and were left out"},
        [SOM_MODEL_OFTEN_NEGATIVE] = {SOM_MODEL_LOST, "joint ",
                                      " has a negative effort, speed, damping or friction, which "
                                      "was left out"},
    };
    for (int i = 0; i < SOM_MODEL_OFTEN_COUNT; i++) {
        som_tally_report(&often[i], words[i].code, words[i].before, words[i].after, diags);
    }
}
