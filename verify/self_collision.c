// SPDX-License-Identifier: Apache-2.0
// Links that go into each other, and how near they come: verify/certificate.h as findings.

#include "base/name_list.h"
#include "verify/batch.h"
#include "verify/certificate.h"
#include "verify/spheres.h"
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>

// Findings of collisions; more of them are summed up in one line.
#define MOST_FINDINGS 100

// Pairs of shapes that are looked at for a plot.
#define MOST_LOOKED (1L << 27)

// Metres; what is farther apart has no clearance that anybody would want to know.
#define FARTHEST 1e4

// Modules that collide: all overlaps of their links.
typedef struct Crash {
    int module_a, module_b;
    int first;   // overlap, by time
    int deepest; // overlap
    int links;   // other pairs of links
    int times;   // that the first pair touches
    double end;  // of the last overlap
} Crash;

typedef SOM_ARRAY(Crash) Crashes;

static SomStr path_of(const SomVerifyInput *input, int link) {
    return input->mechanism->links[link].path;
}

static const char *in_words(SomVerification *out, double value, SomDimensionName dimension) {
    return som_verification_value(out, value, dimension);
}

// ---- collisions

static int find_crash(const Crashes *crashes, int module_a, int module_b) {
    for (int i = 0; i < crashes->count; i++) {
        const Crash *crash = &crashes->data[i];
        if (crash->module_a == module_a && crash->module_b == module_b) {
            return i;
        }
    }
    return -1;
}

// Overlaps come by time, so the first of two modules is the first that touches.
static void add_overlap(Crashes *crashes, const SomVerifyInput *input,
                        const SomCertificate *certificate, int index) {
    const SomOverlap *o = &certificate->overlaps.data[index];
    int a = input->mechanism->links[o->link_a].module;
    int b = input->mechanism->links[o->link_b].module;
    int at = find_crash(crashes, a, b);
    if (at < 0) {
        som_array_push(crashes, ((Crash){a, b, index, index, 0, 1, o->t1}));
        return;
    }
    Crash *crash = &crashes->data[at];
    const SomOverlap *first = &certificate->overlaps.data[crash->first];
    bool is_same = first->link_a == o->link_a && first->link_b == o->link_b;
    crash->times += is_same;
    crash->links += !is_same;
    crash->end = fmax(crash->end, o->t1);
    if (o->depth > certificate->overlaps.data[crash->deepest].depth) {
        crash->deepest = index;
    }
}

// "overlap by 3.1 mm", or in a motion, whose finding has the times from when to when: "collide, 3.1
// mm deep at 1.3 s, and 2 more times until 7.5 s".
static void print_crash(const SomVerifyInput *input, const Crash *crash, const SomOverlap *first,
                        const SomOverlap *deepest, SomText *text) {
    if (input->graph == NULL) {
        som_text_add(text, SOM_STR("overlap by "));
        som_text_value(text, first->depth, SOM_DIMENSION_LENGTH);
    } else {
        som_text_add(text, SOM_STR("collide, "));
        som_text_value(text, first->depth, SOM_DIMENSION_LENGTH);
        som_text_add(text, SOM_STR(" deep at "));
        som_text_value(text, first->depth_time, SOM_DIMENSION_TIME);
        if (crash->times > 1) {
            som_text_printf(text, ", and %d more time%s until ", crash->times - 1,
                            crash->times == 2 ? "" : "s");
            som_text_value(text, crash->end, SOM_DIMENSION_TIME);
        }
    }
    if (crash->links > 0) {
        som_text_add(text, SOM_STR("; so do other links of the two"));
        if (deepest->link_a != first->link_a || deepest->link_b != first->link_b) {
            som_text_printf(text, ", deepest '%.*s' and '%.*s' by ",
                            SOM_STR_ARG(path_of(input, deepest->link_a)),
                            SOM_STR_ARG(path_of(input, deepest->link_b)));
            som_text_value(text, deepest->depth, SOM_DIMENSION_LENGTH);
        }
    }
}

static void report_crash(const SomVerifyInput *input, const Crash *crash,
                         const SomCertificate *certificate, SomVerification *out) {
    const SomOverlap *first = &certificate->overlaps.data[crash->first];
    const SomOverlap *deepest = &certificate->overlaps.data[crash->deepest];
    bool has_time = input->graph != NULL;
    int dof = som_verify_dof_between(input, first->link_a, first->link_b, first->t0);
    int32_t action = has_time ? som_verify_action_of(input, dof, first->t0) : SOM_NONE;
    SomFinding finding = {.check = SOM_CHECK_SELF_COLLISION,
                          .code = SOM_SELF_COLLISION,
                          .t0 = has_time ? first->t0 : (double)NAN,
                          .t1 = has_time ? first->t1 : (double)NAN,
                          .worst = has_time ? first->depth_time : (double)NAN,
                          .value = -first->depth,
                          .limit = 0,
                          .dimension = SOM_DIMENSION_LENGTH,
                          .span = som_verify_span(input, action, dof),
                          .action = action};
    SomText text = {0};
    print_crash(input, crash, first, deepest, &text);
    SomFinding *found = som_verification_add(out, &finding, "'%.*s' and '%.*s' %s",
                                             SOM_STR_ARG(path_of(input, first->link_a)),
                                             SOM_STR_ARG(path_of(input, first->link_b)), text.data);
    som_finding_add_subject(out, found, path_of(input, first->link_a));
    som_finding_add_subject(out, found, path_of(input, first->link_b));
    som_text_free(&text);
}

static void report_crashes(const SomVerifyInput *input, const SomCertificate *certificate,
                           SomVerification *out) {
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
        report_crash(input, &crashes.data[i], certificate, out);
    }
    if (more > 0) {
        som_verification_skip(out, SOM_STR("pairs of links that collide later"), more,
                              SOM_STR("there are findings of the first 100 pairs of modules"));
    }
    som_array_free(&crashes);
}

// ---- what is not known

// There were more pairs near each other than can be looked at.
static void report_rest(const SomVerifyInput *input, const SomCertificate *certificate,
                        SomVerification *out) {
    bool has_time = input->graph != NULL;
    double last = input->times[input->sample_count - 1];
    SomFinding finding = {.check = SOM_CHECK_SELF_COLLISION,
                          .code = SOM_PAIR_NOT_PROVEN,
                          .t0 = has_time ? certificate->end : (double)NAN,
                          .t1 = has_time ? last : (double)NAN,
                          .worst = has_time ? certificate->end : (double)NAN,
                          .value = (double)NAN,
                          .limit = (double)NAN,
                          .span = input->design->base.span,
                          .action = SOM_NONE};
    som_verification_add(out, &finding,
                         "so many links are near each other%s that not all of them were looked at "
                         "before the work came to its end",
                         has_time ? " from then on" : "");
}

static void report_undecided(const SomVerifyInput *input, const SomCertificate *certificate,
                             SomVerification *out) {
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
    SomFinding finding = {.check = SOM_CHECK_SELF_COLLISION,
                          .code = SOM_PAIR_NOT_PROVEN,
                          .t0 = has_time ? from : (double)NAN,
                          .t1 = has_time ? to : (double)NAN,
                          .worst = has_time ? from : (double)NAN,
                          .value = certificate->undecided.count,
                          .limit = 0,
                          .dimension = SOM_DIMENSION_NUMBER,
                          .span = som_verify_span(input, SOM_NONE, dof),
                          .action = SOM_NONE};
    SomFinding *found = som_verification_add(out, &finding,
                                             "%d or more pairs of links were neither proven apart "
                                             "nor found to touch before the work came to "
                                             "its end, '%.*s' and '%.*s' the first",
                                             certificate->undecided.count,
                                             SOM_STR_ARG(path_of(input, first->link_a)),
                                             SOM_STR_ARG(path_of(input, first->link_b)));
    for (int i = 0; i < certificate->undecided.count && i < MOST_FINDINGS; i++) {
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
        som_verification_add(out, &finding,
                             "links without a solid shape were not tested for collisions: %s",
                             text.data);
    }
    som_text_free(&text);
}

static void list_skipped(const SomPairs *pairs, SomVerification *out) {
    SomText text = {0};
    for (int i = 0; i < pairs->group_count; i++) {
        const SomPairGroup *group = &pairs->groups[i];
        som_text_clear(&text);
        add_type_link(&text, group->type_a, group->link_a);
        som_text_add(&text, SOM_STR(" and "));
        if (group->type_b != NULL) {
            add_type_link(&text, group->type_b, group->link_b);
        } else {
            som_text_add(&text, SOM_STR("any other link"));
        }
        int count = group->count < 2000000000 ? (int)group->count : 2000000000;
        som_verification_skip(out, som_text_str(&text), count,
                              som_str(som_pair_rule_reason(group->rule)));
    }
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
    int dof = som_verify_dof_between(input, c->link_a, c->link_b, isnan(t) ? 0 : t);
    int32_t action = input->graph == NULL ? SOM_NONE : som_verify_action_of(input, dof, t);
    SomFinding finding = {.check = SOM_CHECK_SELF_COLLISION,
                          .code = SOM_SMALL_CLEARANCE,
                          .t0 = t,
                          .t1 = t,
                          .worst = t,
                          .value = c->distance,
                          .limit = input->options.clearance,
                          .dimension = SOM_DIMENSION_LENGTH,
                          .span = som_verify_span(input, action, dof),
                          .action = action};
    SomFinding *found = som_verification_add(
        out, &finding, "'%.*s' and '%.*s' come as near as %s, less than the clearance of %s",
        SOM_STR_ARG(out->clearance_a), SOM_STR_ARG(out->clearance_b),
        in_words(out, c->distance, SOM_DIMENSION_LENGTH),
        in_words(out, input->options.clearance, SOM_DIMENSION_LENGTH));
    som_finding_add_subject(out, found, out->clearance_a);
    som_finding_add_subject(out, found, out->clearance_b);
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
    d->pairs.leaves_out_neighbors = true;
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
        if (som_batch_is_cut(d.batch) || som_batch_looked(d.batch) > MOST_LOOKED) {
            som_verification_skip(out, SOM_STR("samples of the clearance over time"),
                                  input->sample_count - first,
                                  SOM_STR("so many links are near each other"));
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
    SomCertificateDef def = {
        .pairs = pairs,
        .motion = {input->times, input->values, input->sample_count, input->dof_count},
        .resolution = 0.5 * input->options.resolution,
        .stop = input->stop,
        .reach = find_reach(input, pairs)};
    SomCertificate certificate = {0};
    som_certify(&def, &certificate);
    report_crashes(input, &certificate, out);
    report_undecided(input, &certificate, out);
    report_shapeless(pairs, out);
    list_skipped(pairs, out);
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
