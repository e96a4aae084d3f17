// SPDX-License-Identifier: Apache-2.0

#include "compose/matings.h"

#include "base/memory.h"
#include "base/number.h"
#include "space/distance.h"
#include "space/trigonometry.h"

#include <math.h>
#include <stdlib.h>

// Angles nearer than this are the same, in radians.
#define SAME_ROLL 1e-6

static const SomConnector *connector_of(const SomConfiguration *c, int module, int connector) {
    return &c->modules[module].type->connectors[connector];
}

// ---- what is free

// The connection or dock that holds a connector.
typedef struct Holder {
    const SomConnection *connection; // NULL: it is free
    bool is_open;                    // of a dock that is not closed
} Holder;

static bool holds(const SomConnection *k, int module, int connector) {
    return (k->module_a == module && k->connector_a == connector) ||
           (k->module_b == module && k->connector_b == connector);
}

static Holder find_holder(const SomConfiguration *c, int module, int connector) {
    for (int i = 0; i < c->connection_count; i++) {
        if (holds(&c->connections[i], module, connector)) {
            return (Holder){&c->connections[i], false};
        }
    }
    for (int i = 0; i < c->dock_count; i++) {
        if (holds(&c->docks[i].connection, module, connector)) {
            return (Holder){&c->docks[i].connection, !c->docks[i].is_closed};
        }
    }
    return (Holder){0};
}

static void mark(bool *taken, const int *first, const SomConnection *k) {
    taken[first[k->module_a] + k->connector_a] = true;
    taken[first[k->module_b] + k->connector_b] = true;
}

SomSites som_sites_find(const SomMechanism *mechanism, const SomPose *links) {
    const SomConfiguration *c = mechanism->configuration;
    SomSites sites = {.configuration = c};
    int *first = som_alloc(sizeof *first * (size_t)(c->module_count + 1));
    for (int i = 0; i < c->module_count; i++) {
        first[i + 1] = first[i] + c->modules[i].type->connector_count;
    }
    bool *taken = som_alloc(sizeof *taken * (size_t)(first[c->module_count] + 1));
    for (int i = 0; i < c->connection_count; i++) {
        mark(taken, first, &c->connections[i]);
    }
    for (int i = 0; i < c->dock_count; i++) {
        mark(taken, first, &c->docks[i].connection);
    }
    sites.data = som_alloc(sizeof *sites.data * (size_t)(first[c->module_count] + 1));
    for (int i = 0; i < c->module_count; i++) {
        for (int k = 0; k < c->modules[i].type->connector_count; k++) {
            if (!taken[first[i] + k]) {
                int link = som_mechanism_link_of(mechanism, i, connector_of(c, i, k)->link);
                SomPose pose = som_mechanism_connector_pose(mechanism, links, i, k);
                sites.data[sites.count++] = (SomSite){i, k, pose, links[link]};
            }
        }
    }
    som_free(first);
    som_free(taken);
    return sites;
}

void som_sites_free(SomSites *sites) {
    som_free(sites->data);
    *sites = (SomSites){0};
}

// ---- what is offered

static double tidy(double roll) {
    double turn = 2 * SOM_PI;
    double wrapped = roll - turn * floor(roll / turn);
    return wrapped >= turn - SAME_ROLL || wrapped <= SAME_ROLL ? 0 : wrapped;
}

// By angle; what has none comes last, as it was.
static bool goes_before(const SomMatingChoice *a, const SomMatingChoice *b) {
    return isnan(b->roll) ? !isnan(a->roll) : a->roll < b->roll - SAME_ROLL;
}

static bool is_same_angle(const SomMatingChoice *a, const SomMatingChoice *b) {
    return fabs(a->roll - b->roll) <= SAME_ROLL; // never of NAN
}

// Each angle once, the first that is found as the language does; returns how many are left.
static int sort_choices(SomMatingChoice *choices, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        SomMatingChoice choice = choices[i];
        choice.roll = tidy(choice.roll);
        bool is_new = true;
        for (int k = 0; k < kept; k++) {
            is_new &= !is_same_angle(&choices[k], &choice);
        }
        int at = kept;
        for (; is_new && at > 0 && goes_before(&choice, &choices[at - 1]); at--) {
            choices[at] = choices[at - 1];
        }
        if (is_new) {
            choices[at] = choice;
            kept++;
        }
    }
    return kept;
}

static int find_choices(const SomM3l *m3l, const SomModuleType *a, int ca, const SomModuleType *b,
                        int cb, SomMatingChoice *choices) {
    int count = som_m3l_find_matings(m3l, a, ca, b, cb, choices, SOM_MAX_OFFERED);
    return sort_choices(choices, count < SOM_MAX_OFFERED ? count : SOM_MAX_OFFERED);
}

static bool has_rule(const SomModule *a, const SomModule *b) {
    for (int i = 0; a->m3l == b->m3l && a->m3l != NULL && i < a->m3l->rule_count; i++) {
        const SomConnectionRule *rule = &a->m3l->rules[i];
        if ((rule->a == a->type && rule->b == b->type) ||
            (rule->b == a->type && rule->a == b->type)) {
            return true;
        }
    }
    return false;
}

static SomMatingRefusal refuse(const SomConfiguration *c, int ma, int ca, int mb, int cb) {
    if (ma == mb) {
        return SOM_MATING_SAME_MODULE;
    }
    Holder a = find_holder(c, ma, ca), b = find_holder(c, mb, cb);
    if (a.connection != NULL) {
        return a.is_open ? SOM_MATING_DOCK_A : SOM_MATING_TAKEN_A;
    }
    if (b.connection != NULL) {
        return b.is_open ? SOM_MATING_DOCK_B : SOM_MATING_TAKEN_B;
    }
    return has_rule(&c->modules[ma], &c->modules[mb]) ? SOM_MATING_OFFERED : SOM_MATING_NO_RULE;
}

void som_offer_find(const SomConfiguration *c, int ma, int ca, int mb, int cb, SomOffer *offer) {
    const SomModule *a = &c->modules[ma], *b = &c->modules[mb];
    offer->refusal = refuse(c, ma, ca, mb, cb);
    offer->count = 0;
    if (offer->refusal == SOM_MATING_OFFERED) {
        offer->count = find_choices(a->m3l, a->type, ca, b->type, cb, offer->choices);
        offer->refusal = offer->count > 0 ? SOM_MATING_OFFERED : SOM_MATING_UNFIT;
    }
}

void som_offer_find_connected(const SomConfiguration *c, const SomConnection *k, SomOffer *offer) {
    const SomModule *a = &c->modules[k->module_a], *b = &c->modules[k->module_b];
    offer->count = !has_rule(a, b) ? 0
                                   : find_choices(a->m3l, a->type, k->connector_a, b->type,
                                                  k->connector_b, offer->choices);
    offer->refusal = offer->count > 0 ? SOM_MATING_OFFERED : SOM_MATING_UNFIT;
}

// ---- words

static void print_end(const SomConfiguration *c, int module, int connector, SomText *out) {
    som_text_add_char(out, '\'', 1);
    som_configuration_print_connector(c, module, connector, out);
    som_text_add_char(out, '\'', 1);
}

// "'body.L' is already connected with 'leg.T'"
static void print_holder(const SomConfiguration *c, int module, int connector, SomText *out) {
    const Holder holder = find_holder(c, module, connector);
    const SomConnection *k = holder.connection;
    bool is_a = k->module_a == module && k->connector_a == connector;
    print_end(c, module, connector, out);
    som_text_add(out, holder.is_open ? SOM_STR(" is kept free for a dock with ")
                                     : SOM_STR(" is already connected with "));
    print_end(c, is_a ? k->module_b : k->module_a, is_a ? k->connector_b : k->connector_a, out);
}

static SomStr gender_of(const SomConnector *connector) {
    for (int i = 0; i < connector->property_count; i++) {
        const SomProperty *p = &connector->properties[i];
        if (p->kind == SOM_PROPERTY_TEXT && som_str_equal(p->name, SOM_STR("gender"))) {
            return p->text;
        }
    }
    return SOM_STR("");
}

static void print_unfit(const SomConfiguration *c, int ma, int ca, int mb, int cb, SomText *out) {
    SomStr a = gender_of(connector_of(c, ma, ca)), b = gender_of(connector_of(c, mb, cb));
    print_end(c, ma, ca, out);
    som_text_add(out, SOM_STR(" cannot be mated with "));
    print_end(c, mb, cb, out);
    if (a.length > 0 && som_str_equal(a, b)) {
        som_text_printf(out, ": both are %.*s", SOM_STR_ARG(a));
    }
}

void som_offer_print_refusal(const SomConfiguration *c, int ma, int ca, int mb, int cb,
                             SomMatingRefusal refusal, SomText *out) {
    switch (refusal) {
    case SOM_MATING_OFFERED:
        break;
    case SOM_MATING_SAME_MODULE:
        print_end(c, ma, ca, out);
        som_text_add(out, SOM_STR(" and "));
        print_end(c, mb, cb, out);
        som_text_add(out, SOM_STR(" are of one module"));
        break;
    case SOM_MATING_TAKEN_A:
    case SOM_MATING_DOCK_A:
        print_holder(c, ma, ca, out);
        break;
    case SOM_MATING_TAKEN_B:
    case SOM_MATING_DOCK_B:
        print_holder(c, mb, cb, out);
        break;
    case SOM_MATING_NO_RULE:
        som_text_printf(out, "no rule connects '%.*s' with '%.*s'",
                        SOM_STR_ARG(c->modules[ma].type->name),
                        SOM_STR_ARG(c->modules[mb].type->name));
        break;
    case SOM_MATING_UNFIT:
        print_unfit(c, ma, ca, mb, cb, out);
        break;
    }
}

SomGap som_offer_gap(const SomMechanism *mechanism, const SomPose *links, int module_a,
                     int connector_a, int module_b, int connector_b,
                     const SomMatingChoice *choice) {
    SomConnection connection = {.module_a = module_a,
                                .connector_a = connector_a,
                                .module_b = module_b,
                                .connector_b = connector_b,
                                .roll = choice->roll,
                                .index = choice->index,
                                .rule = choice->rule,
                                .transform = choice->transform};
    return som_mechanism_connection_gap(mechanism, links, &connection);
}

void som_mating_print_choice(double roll, int index, SomText *out) {
    if (isnan(roll)) {
        som_text_printf(out, " as %d", index);
    } else if (tidy(roll) != 0) {
        som_text_add(out, SOM_STR(" at "));
        som_text_number(out, round(tidy(roll) * 180 / SOM_PI * 1e6) / 1e6);
        som_text_add(out, SOM_STR("deg"));
    }
}

// ---- a part at a design

static double distance_of(const SomAim *aim, SomVec3 point) {
    SomVec3 way = som_vec3_sub(point, aim->origin);
    double length2 = som_vec3_dot(aim->direction, aim->direction);
    double along = length2 > 0 ? som_vec3_dot(way, aim->direction) / length2 : 0;
    SomVec3 foot = som_vec3_scale(along > 0 ? along : 0, aim->direction); // nothing behind the eye
    return som_vec3_length(som_vec3_sub(way, foot));
}

// The type of the part as the design's file knows it; NULL if it does not.
static const SomModuleType *known_type(const SomM3l *m3l, const SomModule *module) {
    if (m3l == NULL || m3l == module->m3l) {
        return m3l == NULL ? NULL : module->type;
    }
    const SomModuleType *type = som_m3l_find_type(m3l, module->type->name);
    bool fits = type != NULL && type->connector_count == module->type->connector_count;
    return fits ? type : NULL;
}

static bool is_better(const SomCandidate *a, const SomCandidate *b, const SomAim *aim) {
    return aim->has_pose && som_pose_distance(a->pose, aim->pose) <
                                som_pose_distance(b->pose, aim->pose) - SAME_ROLL;
}

// Adds a candidate to those of the same site, from `first` on; of too many the worst is left out.
static int add_candidate(SomCandidate *all, int first, int count, int max, const SomCandidate *new,
                         const SomAim *aim) {
    int at = count;
    while (at > first && is_better(new, &all[at - 1], aim)) {
        at--;
    }
    if (at == max) {
        return count;
    }
    for (int i = count < max ? count : max - 1; i > at; i--) {
        all[i] = all[i - 1];
    }
    all[at] = *new;
    return count < max ? count + 1 : count;
}

// All ways to put the part at one connector of the design.
static int add_site(const SomSites *design, const SomSite *site, double distance,
                    const SomSites *part, const SomAim *aim, SomCandidate *all, int count,
                    int max) {
    const SomModule *host = &design->configuration->modules[site->module];
    SomMatingChoice choices[SOM_MAX_OFFERED];
    int first = count;
    for (int i = 0; i < part->count; i++) {
        const SomSite *own = &part->data[i];
        const SomModuleType *type =
            known_type(host->m3l, &part->configuration->modules[own->module]);
        bool is_wanted =
            !aim->is_fixed || (own->module == aim->part_module && own->connector == aim->connector);
        int found = type != NULL && is_wanted ? find_choices(host->m3l, host->type, site->connector,
                                                             type, own->connector, choices)
                                              : 0;
        for (int k = 0; k < found; k++) {
            SomPose link = som_pose_compose(site->link, choices[k].transform);
            SomCandidate candidate = {.module = site->module,
                                      .connector = site->connector,
                                      .part_module = own->module,
                                      .part_connector = own->connector,
                                      .index = choices[k].index,
                                      .roll = choices[k].roll,
                                      .pose = som_pose_compose(link, som_pose_invert(own->link)),
                                      .distance = distance};
            count = add_candidate(all, first, count, max, &candidate, aim);
        }
    }
    return count;
}

typedef struct Near {
    double distance;
    int site;
} Near;

static int compare_near(const void *a, const void *b) {
    const Near *x = a, *y = b;
    return x->distance != y->distance ? (x->distance > y->distance) - (x->distance < y->distance)
                                      : x->site - y->site;
}

int som_sites_near(const SomSites *design, const SomSites *part, const SomAim *aim,
                   SomCandidate *candidates, int max) {
    Near *near = som_alloc(sizeof *near * (size_t)(design->count + 1));
    int found = 0, count = 0;
    for (int i = 0; i < design->count; i++) {
        double distance = distance_of(aim, design->data[i].pose.position);
        if (aim->reach <= 0 || distance <= aim->reach) {
            near[found++] = (Near){distance, i};
        }
    }
    qsort(near, (size_t)found, sizeof *near, compare_near);
    for (int i = 0; i < found && count < max; i++) {
        count = add_site(design, &design->data[near[i].site], near[i].distance, part, aim,
                         candidates, count, max);
    }
    som_free(near);
    return count;
}

// ---- overlapping

static bool bounds_meet(SomBounds a, SomBounds b) {
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y &&
           b.low.y <= a.high.y && a.low.z <= b.high.z && b.low.z <= a.high.z;
}

static bool links_overlap(const SomModuleLink *a, SomPose pose_a, const SomModuleLink *b,
                          SomPose pose_b) {
    for (int i = 0; i < a->part_count; i++) {
        for (int k = 0; k < b->part_count; k++) {
            SomPose x = som_pose_compose(pose_a, a->parts[i].pose);
            SomPose y = som_pose_compose(pose_b, b->parts[k].pose);
            SomDistance d =
                som_shape_distance_within(&a->parts[i].shape, x, &b->parts[k].shape, y, 0, NULL);
            if (d.distance < -SOM_OVERLAP) {
                return true;
            }
        }
    }
    return false;
}

bool som_candidate_overlaps(const SomMechanism *design, const SomPose *links, const bool *is_gone,
                            const SomMechanism *part, const SomPose *part_links,
                            const bool *is_part, const SomCandidate *candidate) {
    SomPose *placed = som_alloc(sizeof *placed * (size_t)(part->link_count + 1));
    SomBounds *boxes = som_alloc(sizeof *boxes * (size_t)(part->link_count + 1));
    for (int i = 0; i < part->link_count; i++) {
        placed[i] = som_pose_compose(candidate->pose, part_links[i]);
        boxes[i] = som_mechanism_link_bounds(part, placed, i);
    }
    bool overlaps = false;
    for (int k = 0; k < design->link_count && !overlaps; k++) {
        int module = design->links[k].module;
        if (is_gone != NULL && is_gone[module]) {
            continue;
        }
        SomBounds box = som_mechanism_link_bounds(design, links, k);
        for (int i = 0; i < part->link_count && !overlaps; i++) {
            int own = part->links[i].module;
            bool counts = (is_part == NULL || is_part[own]) &&
                          (module != candidate->module || own != candidate->part_module);
            overlaps =
                counts && bounds_meet(box, boxes[i]) &&
                links_overlap(design->links[k].link, links[k], part->links[i].link, placed[i]);
        }
    }
    som_free(placed);
    som_free(boxes);
    return overlaps;
}
