// SPDX-License-Identifier: Apache-2.0
// Links that go into each other, and how near they come: verify/certificate.h and what it did not
// look at.

#include "base/codes/verify_codes.h"
#include "base/name_list.h"
#include "verify/batch.h"
#include "verify/certificate.h"
#include "verify/crashes_internal.h"
#include "verify/second_opinion.h"
#include "verify/spheres.h"
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>

// Subjects of a finding about many pairs.
#define MAX_PAIRS 100

// Pairs of shapes that are looked at for a plot.
#define MAX_LOOKED (1L << 27)

// Metres; what is farther apart has no clearance that anybody would want to know.
#define FARTHEST 1e4

static SomStr path_of(const SomVerifyInput *input, int link) {
    return input->mechanism->links[link].path;
}

static const char *in_words(SomVerification *out, double value, SomDimensionName dimension) {
    return som_verification_value(out, value, dimension);
}

// ---- what is not known

// There were more pairs near each other than can be looked at.
static void report_rest(const SomVerifyInput *input, const SomCertificate *certificate,
                        SomVerification *out) {
    int end = som_verify_sample_at(input, certificate->end), count = input->sample_count;
    som_verification_not_checked(out, SOM_CHECK_SELF_COLLISION, SOM_STR("samples"), count - end,
                                 count, SOM_STR("so many links are near each other"));
}

// Pairs of links, each counted once.
static long count_undecided(const SomCertificate *certificate) {
    long count = 0;
    for (int i = 0; i < certificate->undecided.count; i++) {
        const SomUndecided *pair = &certificate->undecided.data[i];
        bool is_new = true;
        for (int k = 0; k < i && is_new; k++) {
            const SomUndecided *other = &certificate->undecided.data[k];
            is_new = other->link_a != pair->link_a || other->link_b != pair->link_b;
        }
        count += is_new;
    }
    return count;
}

static void cover_pairs(const SomPairs *pairs, const SomCertificate *certificate,
                        SomVerification *out) {
    SomCoverage *coverage = &out->coverage[SOM_CHECK_SELF_COLLISION];
    for (int rule = 0; rule < SOM_PAIR_RULES; rule++) {
        coverage->pairs_total += som_pair_is_tested((SomPairRule)rule) ? pairs->counts[rule] : 0;
    }
    long left = count_undecided(certificate);
    coverage->pairs = coverage->pairs_total - left;
    if (left > 0) {
        som_verification_not_checked(out, SOM_CHECK_SELF_COLLISION, SOM_STR("pairs of links"), left,
                                     coverage->pairs_total,
                                     SOM_STR("they come too near for the work that is allowed"));
    }
}

static void list_unchecked(const SomVerifyInput *input, const SomCertificate *certificate,
                           SomVerification *out) {
    int unknown = input->sample_count - certificate->sane_samples;
    if (unknown > 0) {
        som_verification_not_checked(out, SOM_CHECK_SELF_COLLISION, SOM_STR("samples"), unknown,
                                     input->sample_count, SOM_STR("joint values are too large"));
    }
}

static void report_undecided(const SomVerifyInput *input, const SomCertificate *certificate,
                             SomVerification *out) {
    list_unchecked(input, certificate, out);
    if (certificate->undecided.count == 0) {
        if (certificate->sane_samples == input->sample_count && !certificate->is_whole) {
            report_rest(input, certificate, out);
        }
        return;
    }
    const SomUndecided *first = &certificate->undecided.data[0];
    bool has_time = input->graph != NULL;
    double from = first->t0, to = first->t1;
    for (int i = 1; i < certificate->undecided.count; i++) {
        from = fmin(from, certificate->undecided.data[i].t0);
        to = fmax(to, certificate->undecided.data[i].t1);
    }
    int dof = som_verify_dof_between(input, first->link_a, first->link_b, first->t0);
    SomText who = {0};
    som_text_printf(&who, "%d or more pairs of links", certificate->undecided.count);
    SomFinding finding = {.check = SOM_CHECK_SELF_COLLISION,
                          .code = SOM_PAIR_NOT_PROVEN,
                          .t0 = has_time ? from : (double)NAN,
                          .t1 = has_time ? to : (double)NAN,
                          .worst = has_time ? from : (double)NAN,
                          .value = certificate->undecided.count,
                          .limit = 0,
                          .dimension = SOM_DIMENSION_NUMBER,
                          .who = som_text_str(&who),
                          .span = som_verify_span(input, SOM_NONE, dof),
                          .action = SOM_NONE};
    SomFinding *found =
        som_verification_add(out, &finding, "neither proven apart nor found to touch");
    som_finding_set_details(
        out, found, "the work limit was reached; the first are '%.*s' and '%.*s'",
        SOM_STR_ARG(path_of(input, first->link_a)), SOM_STR_ARG(path_of(input, first->link_b)));
    som_text_free(&who);
    for (int i = 0; i < certificate->undecided.count && i < MAX_PAIRS; i++) {
        som_finding_add_subject(out, found, path_of(input, certificate->undecided.data[i].link_a));
        som_finding_add_subject(out, found, path_of(input, certificate->undecided.data[i].link_b));
        found = &out->findings.data[out->findings.count - 1];
    }
}

static void add_type_link(SomText *text, const SomModuleType *type, int link) {
    som_text_printf(text, "%.*s.%.*s", SOM_STR_ARG(type->name),
                    SOM_STR_ARG(type->links[link].name));
}

static void report_shapeless(const SomPairs *pairs, SomVerification *out) {
    SomText text = {0};
    SomNameList list = {.out = &text};
    for (int i = 0; i < pairs->group_count; i++) {
        if (pairs->groups[i].rule == SOM_PAIR_NO_SHAPE) {
            const SomModuleType *type = pairs->groups[i].type_a;
            som_name_list_add(&list, "%.*s.%.*s", SOM_STR_ARG(type->name),
                              SOM_STR_ARG(type->links[pairs->groups[i].link_a].name));
        }
    }
    som_name_list_end(&list);
    if (text.length > 0) {
        SomFinding finding = {.check = SOM_CHECK_SELF_COLLISION,
                              .code = SOM_LINK_WITHOUT_SHAPE,
                              .t0 = (double)NAN,
                              .t1 = (double)NAN,
                              .worst = (double)NAN,
                              .value = (double)NAN,
                              .limit = (double)NAN,
                              .action = SOM_NONE};
        som_verification_add(out, &finding, "%s, not tested for collisions", text.data);
    }
    som_text_free(&text);
}

// How many pairs of a group overlap by construction in this motion.
static long count_built(const SomPairs *pairs, const SomPairGroup *group,
                        const SomCertificate *certificate) {
    long count = 0;
    for (int i = 0; i < certificate->built.count; i++) {
        const SomOverlap *built = &certificate->built.data[i];
        const SomMechanismLink *a = &pairs->mechanism->links[built->link_a];
        const SomMechanismLink *b = &pairs->mechanism->links[built->link_b];
        const SomModuleType *type = pairs->mechanism->configuration->modules[a->module].type;
        count += type == group->type_a && a->module_link == group->link_a &&
                 b->module_link == group->link_b;
    }
    return count;
}

static void list_skipped(const SomPairs *pairs, const SomCertificate *certificate,
                         SomVerification *out) {
    SomText text = {0};
    for (int i = 0; i < pairs->group_count; i++) {
        const SomPairGroup *group = &pairs->groups[i];
        long count =
            group->rule == SOM_PAIR_BUILT ? count_built(pairs, group, certificate) : group->count;
        if (count == 0) {
            continue;
        }
        som_text_clear(&text);
        add_type_link(&text, group->type_a, group->link_a);
        som_text_add(&text, SOM_STR(" and "));
        if (group->type_b != NULL) {
            add_type_link(&text, group->type_b, group->link_b);
        } else {
            som_text_add(&text, SOM_STR("any other link"));
        }
        som_verification_not_assessed(out, SOM_CHECK_SELF_COLLISION, som_text_str(&text), count,
                                      som_str(som_pair_rule_reason(group->rule)));
    }
    som_text_free(&text);
}

// ---- what the claim that no links collide leaves out

static void name_pairs(const SomVerifyInput *input, int link_a, int link_b, long count,
                       const char *how, SomText *out) {
    som_text_printf(out, "%s'%.*s' and '%.*s'", out->length == 0 ? "except " : ", and ",
                    SOM_STR_ARG(path_of(input, link_a)), SOM_STR_ARG(path_of(input, link_b)));
    if (count > 1) {
        som_text_printf(out, " (and %ld more pair%s)", count - 1, count == 2 ? "" : "s");
    }
    som_text_add(out, som_str(how));
}

static void name_hinged(const SomVerifyInput *input, const SomPairs *pairs, SomText *out) {
    const int *first = pairs->mechanism->first_link;
    long count = pairs->counts[SOM_PAIR_HINGED] + pairs->counts[SOM_PAIR_PARTS_HINGED];
    for (int i = 0; i < input->design->module_count && count > 0; i++) {
        for (int a = first[i]; a < first[i + 1]; a++) {
            for (int b = a + 1; b < first[i + 1]; b++) {
                SomPairRule rule = som_pairs_rule(pairs, a, b, NULL);
                if (rule == SOM_PAIR_HINGED || rule == SOM_PAIR_PARTS_HINGED) {
                    name_pairs(input, a, b, count, ", whose parts at their joint are not tested",
                               out);
                    return;
                }
            }
        }
    }
}

static void name_exceptions(const SomVerifyInput *input, const SomPairs *pairs,
                            const SomCertificate *certificate, SomVerification *out) {
    SomText text = {0};
    if (certificate->built.count > 0) {
        const SomOverlap *first = &certificate->built.data[0];
        name_pairs(input, first->link_a, first->link_b, certificate->built.count,
                   " while they overlap by construction", &text);
    }
    name_hinged(input, pairs, &text);
    out->except[SOM_CHECK_SELF_COLLISION] = som_arena_copy(&out->arena, som_text_str(&text));
    som_text_free(&text);
}

// ---- how near

static void tell_clearance(const SomVerifyInput *input, const SomCertificate *certificate,
                           SomVerification *out) {
    const SomClearance *c = &certificate->clearance;
    if (c->link_a < 0) {
        return; // all are neighbours
    }
    out->min_clearance = c->distance;
    out->min_clearance_time = input->graph == NULL ? (double)NAN : c->time;
    out->clearance_a = som_arena_copy(&out->arena, path_of(input, c->link_a));
    out->clearance_b = som_arena_copy(&out->arena, path_of(input, c->link_b));
    if (!(c->distance < input->options.clearance) || certificate->overlaps.count > 0) {
        return;
    }
    double t = out->min_clearance_time;
    SomText who = {0};
    som_crash_print_who(input->mechanism, c->link_a, c->link_b, &who);
    SomFinding finding = {.check = SOM_CHECK_SELF_COLLISION,
                          .code = SOM_SMALL_CLEARANCE,
                          .t0 = t,
                          .t1 = t,
                          .worst = t,
                          .value = c->distance,
                          .limit = input->options.clearance,
                          .tolerance = input->graph == NULL ? 0 : SOM_CERTIFIED_DISTANCE,
                          .dimension = SOM_DIMENSION_LENGTH,
                          .who = som_text_str(&who)};
    som_verify_blame(input, c->link_a, c->link_b, isnan(t) ? 0 : t, &finding);
    SomFinding *found =
        som_verification_add(out, &finding, "%s apart, less than the clearance of %s",
                             in_words(out, c->distance, SOM_DIMENSION_LENGTH),
                             in_words(out, input->options.clearance, SOM_DIMENSION_LENGTH));
    som_finding_set_details(out, found, "links '%.*s' and '%.*s'", SOM_STR_ARG(out->clearance_a),
                            SOM_STR_ARG(out->clearance_b));
    som_finding_add_subject(out, found, out->clearance_a);
    som_finding_add_subject(out, found, out->clearance_b);
    som_text_free(&who);
}

// Distances of modules that are not neighbours, eight samples at a time.
typedef struct Distances {
    const SomVerifyInput *input;
    SomPairs pairs;
    SomBatch *batch;
    double *values;
} Distances;

static void begin_distances(Distances *d, const SomVerifyInput *input, const SomPairs *pairs) {
    *d = (Distances){.input = input, .pairs = *pairs};
    d->pairs.leaves_out_near = true;
    d->batch = som_batch_create(input->mechanism, &d->pairs);
    d->values = som_alloc(sizeof *d->values * SOM_BATCH * (size_t)(input->dof_count + 1));
}

static void end_distances(Distances *d) {
    som_free(d->values);
    som_batch_destroy(d->batch);
}

// Samples from the first on, the last of them in all lanes that are left.
static void place_samples(Distances *d, int first, int lanes) {
    int dofs = d->input->dof_count;
    for (int lane = 0; lane < SOM_BATCH; lane++) {
        int sample = first + (lane < lanes ? lane : lanes - 1);
        for (int dof = 0; dof < dofs; dof++) {
            d->values[dof * SOM_BATCH + lane] =
                d->input->values[(size_t)sample * (size_t)dofs + (size_t)dof];
        }
    }
    som_batch_place(d->batch, d->values);
}

// How far apart all are to be proven: 2 cm, or what was asked for, or if they begin farther apart,
// as far as that, so that the smallest clearance is always found.
static double find_reach(const SomVerifyInput *input, const SomPairs *pairs) {
    double reach = fmax(SOM_CERTIFIED_REACH, input->options.clearance), least = (double)INFINITY;
    Distances d;
    begin_distances(&d, input, pairs);
    place_samples(&d, 0, 1);
    for (double limit = reach; !(least < limit) && limit < FARTHEST; limit *= 4) {
        const SomBatchClearance *near;
        int count = som_batch_clearances(d.batch, limit, &near);
        for (int i = 0; i < count; i++) {
            least = fmin(least, near[i].distance[0]);
        }
    }
    end_distances(&d);
    return least < FARTHEST ? fmax(reach, 1.0001 * least + 2e-4) : reach;
}

// The least distance of modules that are not neighbours at every sample, for plots.
static void plot_clearance(const SomVerifyInput *input, const SomPairs *pairs, double reach,
                           SomVerification *out) {
    double limit = input->options.clearance > 0 ? input->options.clearance : (double)NAN;
    double *series =
        som_verification_add_series(out, SOM_STR("clearance"), SOM_DIMENSION_LENGTH, limit);
    Distances d;
    begin_distances(&d, input, pairs);
    for (int first = 0; first < input->sample_count && !som_stop_is_asked(input->stop);
         first += SOM_BATCH) {
        int lanes =
            input->sample_count - first < SOM_BATCH ? input->sample_count - first : SOM_BATCH;
        place_samples(&d, first, lanes);
        const SomBatchClearance *near;
        int count = som_batch_clearances(d.batch, reach, &near);
        if (som_batch_is_cut(d.batch) || som_batch_looked(d.batch) > MAX_LOOKED) {
            som_verification_not_assessed(
                out, SOM_CHECK_SELF_COLLISION, SOM_STR("samples of the clearance over time"),
                input->sample_count - first, SOM_STR("so many links are near each other"));
            break;
        }
        for (int i = 0; i < count; i++) {
            for (int lane = 0; lane < lanes; lane++) {
                double distance = near[i].distance[lane], *least = &series[first + lane];
                *least = distance < reach && !(*least <= distance) ? distance : *least;
            }
        }
    }
    end_distances(&d);
}

void som_check_self_collision(const SomVerifyInput *input, SomVerification *out) {
    SomPairs *pairs = som_pairs_create(input->mechanism);
    pairs->is_apart = input->is_apart;
    SomCertificateDef def = {
        .pairs = pairs,
        .motion = {input->times, input->values, input->sample_count, input->dof_count},
        .resolution = 0.5 * input->options.resolution,
        .stop = input->stop,
        .reach = find_reach(input, pairs)};
    SomCertificate certificate = {0};
    som_certify(&def, &certificate);
    som_report_crashes(input, pairs, &certificate, out);
    som_second_opinion_pairs(input, pairs, &certificate, out);
    report_undecided(input, &certificate, out);
    cover_pairs(pairs, &certificate, out);
    report_shapeless(pairs, out);
    list_skipped(pairs, &certificate, out);
    name_exceptions(input, pairs, &certificate, out);
    tell_clearance(input, &certificate, out);
    if (input->wants_series && input->graph != NULL) {
        plot_clearance(input, pairs, fmax(def.reach, 0.05), out);
    }
    SomSphereTouch touch = som_spheres_first_touch(input->mechanism, &def.motion);
    if (touch.module_a >= 0) {
        double end = input->times[input->sample_count - 1];
        out->first_touch_spheres = end > 0 ? touch.time / end : 0;
    }
    som_certificate_free(&certificate);
    som_pairs_destroy(pairs);
}
