// SPDX-License-Identifier: Apache-2.0
#include "base/codes/verify_codes.h"
#include "verify/crashes_internal.h"

#include <math.h>

// Findings of collisions; more of them are summed up in one line.
#define MOST_FINDINGS 100

// Modules that collide: all overlaps of their links. What overlaps without a pause is one contact;
// the finding is about the first.
typedef struct Crash {
    int module_a, module_b;
    int first;   // overlap, by time
    int deepest; // overlap, of the first contact
    bool has_others;
    double t1;          // of the first contact
    int later;          // contacts
    double end;         // of the last contact
    double later_depth; // of the deepest of them
} Crash;

typedef SOM_ARRAY(Crash) Crashes;

static SomStr path_of(const SomVerifyInput *input, int link) {
    return input->mechanism->links[link].path;
}

static int find_crash(const Crashes *crashes, int module_a, int module_b) {
    for (int i = 0; i < crashes->count; i++) {
        const Crash *crash = &crashes->data[i];
        if (crash->module_a == module_a && crash->module_b == module_b) {
            return i;
        }
    }
    return -1;
}

static bool is_same_pair(const SomOverlap *a, const SomOverlap *b) {
    return a->link_a == b->link_a && a->link_b == b->link_b;
}

// Overlaps come by time, so the first of two modules is the first that touches.
static void add_overlap(Crashes *crashes, const SomVerifyInput *input,
                        const SomCertificate *certificate, int index) {
    const SomOverlap *all = certificate->overlaps.data, *o = &all[index];
    int a = input->mechanism->links[o->link_a].module;
    int b = input->mechanism->links[o->link_b].module;
    int at = find_crash(crashes, a, b);
    if (at < 0) {
        som_array_push(crashes, ((Crash){.module_a = a,
                                         .module_b = b,
                                         .first = index,
                                         .deepest = index,
                                         .t1 = o->t1,
                                         .end = o->t1}));
        return;
    }
    Crash *crash = &crashes->data[at];
    bool is_of_first = crash->later == 0 && o->t0 <= crash->t1;
    if (is_of_first) {
        crash->has_others |= !is_same_pair(o, &all[crash->first]);
        crash->t1 = fmax(crash->t1, o->t1);
        crash->deepest = o->depth > all[crash->deepest].depth ? index : crash->deepest;
    } else {
        crash->later += o->t0 > crash->end;
        crash->later_depth = fmax(crash->later_depth, o->depth);
    }
    crash->end = fmax(crash->end, o->t1);
}

void som_crash_print_who(const SomMechanism *m, int link_a, int link_b, SomText *out) {
    const SomMechanismLink *a = &m->links[link_a], *b = &m->links[link_b];
    const SomModule *modules = m->configuration->modules;
    bool is_one = a->module == b->module;
    SomStr name_a = is_one ? a->path : modules[a->module].path;
    SomStr name_b = is_one ? b->path : modules[b->module].path;
    som_text_printf(out, "'%.*s' and '%.*s'", SOM_STR_ARG(name_a), SOM_STR_ARG(name_b));
}

static void print_pair(const SomVerifyInput *input, const SomOverlap *o, const char *what,
                       SomText *out) {
    som_text_printf(out, "%s '%.*s' and '%.*s'", what, SOM_STR_ARG(path_of(input, o->link_a)),
                    SOM_STR_ARG(path_of(input, o->link_b)));
}

// The links, unless the message names all of them, when they are deepest, and what follows.
static void print_details(const SomVerifyInput *input, const SomPairs *pairs, const Crash *crash,
                          const SomOverlap *all, double tolerance, SomText *out) {
    const SomOverlap *first = &all[crash->first], *deepest = &all[crash->deepest];
    if (!is_same_pair(first, deepest)) {
        print_pair(input, first, "first", out);
        print_pair(input, deepest, ", deepest", out);
    } else if (crash->module_a != crash->module_b || crash->has_others) {
        print_pair(input, deepest, "links", out);
    }
    som_text_add(out, is_same_pair(first, deepest) && crash->has_others ? SOM_STR(" and others")
                                                                        : SOM_STR(""));
    if (input->graph != NULL) {
        som_text_add(out, !is_same_pair(first, deepest) ? SOM_STR(" at ")
                          : out->length > 0             ? SOM_STR(", deepest at ")
                                                        : SOM_STR("deepest at "));
        som_text_value(out, deepest->depth_time, SOM_DIMENSION_TIME);
        som_text_add(out, SOM_STR(" (tolerance "));
        som_text_value(out, tolerance, SOM_DIMENSION_LENGTH);
        som_text_add(out, SOM_STR(")"));
    }
    double allowed;
    if (som_pairs_rule(pairs, deepest->link_a, deepest->link_b, &allowed) == SOM_PAIR_BUILT) {
        double flush =
            som_pair_flush(pairs->solids[deepest->link_a], pairs->solids[deepest->link_b]);
        som_text_printf(out, "%sat joint value 0 they overlap by ", out->length > 0 ? "; " : "");
        som_text_value(out, allowed - flush, SOM_DIMENSION_LENGTH);
    }
    if (crash->later > 0) {
        som_text_printf(out, "; %d more time%s until ", crash->later, crash->later == 1 ? "" : "s");
        som_text_value(out, crash->end, SOM_DIMENSION_TIME);
        som_text_add(out, SOM_STR(", up to "));
        som_text_value(out, crash->later_depth, SOM_DIMENSION_LENGTH);
        som_text_add(out, SOM_STR(" deep"));
    }
}

static void report_crash(const SomVerifyInput *input, const SomPairs *pairs, const Crash *crash,
                         const SomCertificate *certificate, SomVerification *out) {
    const SomOverlap *all = certificate->overlaps.data;
    const SomOverlap *first = &all[crash->first], *deepest = &all[crash->deepest];
    bool has_time = input->graph != NULL;
    SomText who = {0}, details = {0};
    double tolerance = has_time ? som_certified_depth_tolerance(deepest->depth) : 0;
    som_crash_print_who(input->mechanism, first->link_a, first->link_b, &who);
    print_details(input, pairs, crash, all, tolerance, &details);
    SomFinding finding = {.check = SOM_CHECK_SELF_COLLISION,
                          .code = SOM_SELF_COLLISION,
                          .t0 = has_time ? first->t0 : (double)NAN,
                          .t1 = has_time ? crash->t1 : (double)NAN,
                          .worst = has_time ? deepest->depth_time : (double)NAN,
                          .value = -deepest->depth,
                          .limit = 0,
                          .tolerance = tolerance,
                          .dimension = SOM_DIMENSION_LENGTH,
                          .who = som_text_str(&who),
                          .details = som_text_str(&details)};
    som_verify_blame(input, first->link_a, first->link_b, first->t0, &finding);
    SomFinding *found =
        som_verification_add(out, &finding, "%s deep",
                             som_verification_value(out, deepest->depth, SOM_DIMENSION_LENGTH));
    som_finding_add_subject(out, found, path_of(input, first->link_a));
    som_finding_add_subject(out, found, path_of(input, first->link_b));
    som_text_free(&who);
    som_text_free(&details);
}

void som_report_crashes(const SomVerifyInput *input, const SomPairs *pairs,
                        const SomCertificate *certificate, SomVerification *out) {
    Crashes crashes = {0};
    int more = 0;
    for (int i = 0; i < certificate->overlaps.count; i++) {
        if (crashes.count < MOST_FINDINGS) {
            add_overlap(&crashes, input, certificate, i);
        } else {
            more++;
        }
    }
    for (int i = 0; i < crashes.count; i++) {
        report_crash(input, pairs, &crashes.data[i], certificate, out);
    }
    if (more > 0) {
        som_verification_not_checked(
            out, SOM_CHECK_SELF_COLLISION, SOM_STR("overlaps of other modules"), more, 0,
            SOM_STR("there are findings of the first 100 pairs of modules"));
    }
    som_array_free(&crashes);
}
