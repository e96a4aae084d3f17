// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"
#include "space/trigonometry.h"
#include "studio/assembly_internal.h"

#include <math.h>

SomAssembly *som_assembly_create(SomProject *project) {
    SomAssembly *assembly = som_alloc(sizeof *assembly);
    assembly->project = project;
    assembly->site = -1;
    assembly->own = -1;
    return assembly;
}

void som_assembly_cancel(SomAssembly *a) {
    som_model_destroy(a->part);
    a->part = NULL;
    som_sites_free(&a->sites);
    som_sites_free(&a->own_sites);
    som_free(a->is_offered);
    a->is_offered = NULL;
    som_free(a->is_held);
    a->is_held = NULL;
    som_text_clear(&a->reason);
    som_text_clear(&a->copied);
    a->kind = SOM_ASSEMBLY_IDLE;
    a->count = 0;
    a->site = -1;
    a->own = -1;
    a->is_own_fixed = false;
    a->has_overlap = false;
}

void som_assembly_destroy(SomAssembly *assembly) {
    if (assembly == NULL) {
        return;
    }
    som_assembly_cancel(assembly);
    som_text_free(&assembly->reference);
    som_text_free(&assembly->file);
    som_text_free(&assembly->copied);
    som_text_free(&assembly->reason);
    som_free(assembly);
}

// ---- what it is

SomAssemblyKind som_assembly_kind(const SomAssembly *a) {
    return a->kind;
}

const SomModel *som_assembly_model(const SomAssembly *a) {
    return som_project_model(a->project);
}

bool som_assembly_is_first(const SomAssembly *a) {
    return a->kind == SOM_ASSEMBLY_ADD && som_assembly_model(a)->configuration == NULL;
}

SomAssemblyBody som_assembly_body(const SomAssembly *a) {
    const SomModel *model = som_assembly_model(a);
    if (a->part != NULL) {
        return (SomAssemblyBody){a->part->mechanism, a->part->links, &a->part->meshes, NULL};
    }
    if (a->is_held != NULL) {
        return (SomAssemblyBody){model->mechanism, model->links, &model->meshes, a->is_held};
    }
    return (SomAssemblyBody){0};
}

int som_assembly_first_module(const SomAssembly *a) {
    return a->kind == SOM_ASSEMBLY_CONNECT ? a->first_module : -1;
}

int som_assembly_first_connector(const SomAssembly *a) {
    return a->kind == SOM_ASSEMBLY_CONNECT ? a->first_connector : -1;
}

const SomSites *som_assembly_sites(const SomAssembly *a, const bool **is_offered) {
    *is_offered = a->is_offered;
    return &a->sites;
}

const SomCandidate *som_assembly_candidate(const SomAssembly *a) {
    return a->count > 0 ? &a->candidates[a->chosen] : NULL;
}

int som_assembly_angle_count(const SomAssembly *a) {
    return a->count;
}

int som_assembly_angle_index(const SomAssembly *a) {
    return a->chosen;
}

SomStr som_assembly_reason(const SomAssembly *a) {
    return a->count > 0 ? SOM_STR("") : som_text_str(&a->reason);
}

bool som_assembly_overlaps(SomAssembly *a) {
    SomAssemblyBody body = som_assembly_body(a);
    if (a->count == 0 || body.mechanism == NULL) {
        return false;
    }
    if (!a->has_overlap) {
        const SomModel *model = som_assembly_model(a);
        const bool *is_gone = a->kind == SOM_ASSEMBLY_MOVE ? body.is_held : NULL;
        a->overlaps =
            som_candidate_overlaps(model->mechanism, model->links, is_gone, body.mechanism,
                                   body.links, body.is_held, &a->candidates[a->chosen]);
        a->has_overlap = true;
    }
    return a->overlaps;
}

// ---- what is offered

// All angles at one connector of the design by one of the body.
static int find_angles(const SomAssembly *a, int site, int own, SomCandidate *candidates) {
    SomSites to = {a->sites.configuration, &a->sites.data[site], 1};
    SomSites by = {a->own_sites.configuration, &a->own_sites.data[own], 1};
    SomAim anywhere = {.reach = 0};
    return som_sites_near(&to, &by, &anywhere, candidates, SOM_MAX_OFFERED);
}

// The next connector of the body, from `own` on, that mates there; -1 if none does.
static int find_own(const SomAssembly *a, int site, int own, int step) {
    SomCandidate candidates[SOM_MAX_OFFERED];
    int count = a->own_sites.count;
    for (int i = 0; i < count; i++) {
        int at = ((own + step * i) % count + count) % count;
        if (find_angles(a, site, at, candidates) > 0) {
            return at;
        }
    }
    return -1;
}

static bool is_same_kind(const SomSites *sites, int i, int k) {
    const SomModule *a = &sites->configuration->modules[sites->data[i].module];
    const SomModule *b = &sites->configuration->modules[sites->data[k].module];
    return a->type == b->type && sites->data[i].connector == sites->data[k].connector;
}

void som_assembly_find_offered(SomAssembly *a) {
    som_free(a->is_offered);
    a->is_offered = som_alloc(sizeof *a->is_offered * (size_t)(a->sites.count + 1));
    SOM_ARRAY(int) seen = {0}; // one site of each type of module and connector
    for (int i = 0; i < a->sites.count; i++) {
        int same = 0;
        while (same < seen.count && !is_same_kind(&a->sites, i, seen.data[same])) {
            same++;
        }
        if (same < seen.count) {
            a->is_offered[i] = a->is_offered[seen.data[same]];
        } else {
            a->is_offered[i] = find_own(a, i, 0, 1) >= 0;
            som_array_push(&seen, i);
        }
    }
    som_array_free(&seen);
}

// ---- choosing

static double angle_between(double a, double b) {
    double turns = (a - b) / (2 * SOM_PI);
    return fabs(turns - round(turns));
}

// Two connectors of the design: until another angle is chosen they meet as they stand.
static bool meets_before_turning(const SomAssembly *a) {
    bool is_pair = a->kind == SOM_ASSEMBLY_CONNECT || a->is_own_fixed;
    return is_pair && !a->is_turned;
}

// The angle nearest to the one that was wanted; of two connectors, that at which they meet best.
static int nearest_angle(const SomAssembly *a) {
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < a->count; i++) {
        const SomCandidate *c = &a->candidates[i];
        double far = meets_before_turning(a) ? som_pose_distance(c->pose, som_pose_identity())
                     : isnan(c->roll)        ? i
                                             : angle_between(c->roll, a->roll);
        if (far < least - 1e-9) {
            least = far;
            best = i;
        }
    }
    return best;
}

// Chooses a connector of the design, and one of the body there; -1 is none.
static bool choose(SomAssembly *a, int site, int own) {
    a->site = site;
    a->own = own >= 0 ? own : a->own;
    a->count = site >= 0 && own >= 0 ? find_angles(a, site, own, a->candidates) : 0;
    a->chosen = a->count > 0 ? nearest_angle(a) : 0;
    a->has_overlap = false;
    if (a->count == 0) {
        som_assembly_explain(a);
    }
    return a->count > 0;
}

int som_sites_index(const SomSites *sites, int module, int connector) {
    for (int i = 0; i < sites->count; i++) {
        if (sites->data[i].module == module && sites->data[i].connector == connector) {
            return i;
        }
    }
    return -1;
}

// At a site with the connector of the body that is in use, or the next one that fits.
static bool choose_site(SomAssembly *a, int site) {
    if (site < 0 || a->own_sites.count == 0) {
        return choose(a, site, -1);
    }
    SomCandidate candidates[SOM_MAX_OFFERED];
    int from = a->own >= 0 ? a->own : 0;
    bool fits = find_angles(a, site, from, candidates) > 0;
    return choose(a, site, fits ? from : a->is_own_fixed ? -1 : find_own(a, site, from, 1));
}

bool som_assembly_aim(SomAssembly *a, const SomAim *aim) {
    SomCandidate nearest;
    if (a->kind == SOM_ASSEMBLY_IDLE) {
        return false;
    }
    int found = som_sites_near(&a->sites, &a->own_sites, aim, &nearest, 1);
    a->wanted_module = -1;
    return choose_site(a, found > 0 ? som_sites_index(&a->sites, nearest.module, nearest.connector)
                                    : -1);
}

bool som_assembly_aim_at(SomAssembly *a, int module, int connector) {
    const SomConfiguration *c = som_assembly_model(a)->configuration;
    bool is_there = c != NULL && module < c->module_count &&
                    connector < c->modules[module].type->connector_count;
    a->wanted_module = is_there ? module : -1; // it may be gone since it was pointed at
    a->wanted_connector = connector;
    return a->kind != SOM_ASSEMBLY_IDLE &&
           choose_site(a, som_sites_index(&a->sites, module, connector));
}

bool som_assembly_turn(SomAssembly *a, int steps) {
    if (a->count == 0) {
        return false;
    }
    a->chosen = ((a->chosen + steps) % a->count + a->count) % a->count;
    a->has_overlap = false;
    a->is_turned = true;
    double roll = a->candidates[a->chosen].roll;
    a->roll = isnan(roll) ? a->roll : roll;
    return true;
}

// Of two connectors the first becomes another one of its module.
static bool change_first(SomAssembly *a, int step) {
    const SomModel *model = som_assembly_model(a);
    int module = a->first_module, to_module = -1, to_connector = -1;
    int count = model->configuration->modules[module].type->connector_count;
    if (a->count > 0) {
        to_module = a->candidates[a->chosen].module;
        to_connector = a->candidates[a->chosen].connector;
    }
    SomSites all = som_sites_find(model->mechanism, model->links);
    int connector = a->first_connector;
    do {
        connector = (connector + step + count) % count;
    } while (som_sites_index(&all, module, connector) < 0); // the one it was is free
    som_sites_free(&all);
    som_assembly_begin_connect(a, module, connector);
    if (to_module < 0) {
        a->wanted_module = -1;
        return choose(a, -1, -1); // which says why there is none
    }
    return som_assembly_aim_at(a, to_module, to_connector);
}

bool som_assembly_change_own(SomAssembly *a, int steps) {
    int step = steps < 0 ? -1 : 1;
    if (a->kind == SOM_ASSEMBLY_CONNECT) {
        return change_first(a, step);
    }
    if (a->count == 0 || a->is_own_fixed) {
        return a->count > 0;
    }
    return choose(a, a->site, find_own(a, a->site, a->own + step, step));
}

bool som_assembly_change_site(SomAssembly *a, int steps) {
    int count = a->sites.count, step = steps < 0 ? -1 : 1;
    for (int i = 1; i <= count && a->kind != SOM_ASSEMBLY_IDLE; i++) {
        int from = a->site >= 0 ? a->site : (step > 0 ? -1 : 0);
        int at = ((from + step * i) % count + count) % count;
        if (a->is_offered[at]) {
            return choose_site(a, at);
        }
    }
    return a->count > 0;
}
