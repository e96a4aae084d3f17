// SPDX-License-Identifier: Apache-2.0
// Distances of links by libccd, against those of space/distance.h and against the certificate.

#include "base/codes/verify_codes.h"
#include "verify/second_opinion_internal.h"
#include "verify/second_poses.h"

#include <math.h>

// Points of shapes that libccd may compare: a second or two.
#define MAX_WORK 1000000000L

// How much farther than the smallest clearance pairs are compared.
#define FARTHER 1.01

typedef struct Look {
    const SomVerifyInput *input;
    const SomPairs *pairs;
    const SomCertificate *certificate;
    SomVerification *out;
    double reach; // pairs farther apart are not of interest
    double time;  // of the moment that is looked at
    bool is_home; // no moment: all joints are at zero, as the rules for pairs assume
    double *values;
    SomPose *links, *other; // by the mechanism, and by the second opinion
    SomBall *balls;
    long open; // pairs for which libccd has wider bounds
    long work; // points of shapes that it compared
    long left; // moments that were not compared, or not wholly
} Look;

// ---- moments

typedef struct Moments {
    double times[SOM_SECOND_MOST_MOMENTS];
    int count;
} Moments;

// False if there are too many.
static bool add_moment(const Look *l, Moments *moments, double time) {
    if (!(time <= l->certificate->end)) {
        return true;
    }
    for (int i = 0; i < moments->count; i++) {
        if (moments->times[i] == time) {
            return true;
        }
    }
    bool has_room = moments->count < SOM_SECOND_MOST_MOMENTS;
    if (has_room) {
        moments->times[moments->count++] = time;
    }
    return has_room;
}

static Moments find_moments(Look *l) {
    Moments moments = {.count = 0};
    int last = l->certificate->sane_samples - 1;
    int count = last < SOM_SECOND_SPREAD ? last + 1 : SOM_SECOND_SPREAD;
    for (int i = 0; i < count; i++) {
        int sample = count > 1 ? (int)((long)last * i / (count - 1)) : 0;
        add_moment(l, &moments, l->input->times[sample]);
    }
    if (l->certificate->clearance.link_a >= 0) {
        add_moment(l, &moments, l->certificate->clearance.time);
    }
    for (int i = 0; i < l->certificate->overlaps.count; i++) {
        l->left += !add_moment(l, &moments, l->certificate->overlaps.data[i].depth_time);
    }
    return moments;
}

// Between two samples every joint moves linearly.
static void place_at(Look *l, double time) {
    const SomVerifyInput *in = l->input;
    int sample = som_verify_sample_at(in, time), dofs = in->dof_count;
    const double *from = in->values + (size_t)sample * (size_t)dofs;
    bool is_last = sample + 1 >= in->sample_count;
    double step = is_last ? 1 : in->times[sample + 1] - in->times[sample];
    double rest = is_last ? 0 : (time - in->times[sample]) / step;
    for (int i = 0; i < dofs; i++) {
        l->values[i] = rest > 0 ? from[i] + rest * (from[dofs + i] - from[i]) : from[i];
    }
    l->time = time;
}

static void place_links(Look *l) {
    const SomMechanism *m = l->input->mechanism;
    SomPosture posture = {l->values, m->dof_count};
    som_mechanism_place(m, &posture, l->links);
    som_second_poses(m, l->values, l->other);
    for (int i = 0; i < m->link_count; i++) {
        const SomModuleLink *link = m->links[i].link;
        l->balls[i] = link->part_count > 0 ? som_second_ball(som_second_solid(link, l->other[i]))
                                           : (SomBall){.radius = -HUGE_VAL};
    }
}

// ---- words

// With as many digits as tell it from the other figure.
static void print_length(SomText *text, double distance, double other) {
    if ((distance < 0) == (other < 0)) {
        som_text_exact(text, fabs(distance), fabs(other), SOM_DIMENSION_LENGTH);
    } else {
        som_text_value(text, fabs(distance), SOM_DIMENSION_LENGTH);
    }
}

// A distance of two links, or that it is never less than so much.
typedef enum Figure { MEASURED, NEVER_LESS } Figure;

static void print_figure(const Look *l, SomText *text, Figure figure, double distance,
                         double other) {
    bool is_overlap = distance < 0, is_beyond = figure == MEASURED && distance >= l->reach;
    if (figure == MEASURED) {
        som_text_add(text, is_overlap ? SOM_STR("an overlap of ") : SOM_STR("a distance of "));
    } else {
        som_text_add(text, is_overlap ? SOM_STR("no overlap of more than ")
                                      : SOM_STR("no distance of less than "));
    }
    print_length(text, distance, other);
    som_text_add(text, is_beyond ? SOM_STR(" or more") : SOM_STR(""));
}

static void report(Look *l, int a, int b, double ours, double other, Figure figure) {
    SomFinding finding =
        som_second_finding(l->input, SOM_SECOND_OPINION_PAIR, l->time, ours, other);
    finding.t0 = finding.t1 = finding.worst = l->is_home ? (double)NAN : finding.worst;
    SomStr path_a = l->input->mechanism->links[a].path, path_b = l->input->mechanism->links[b].path;
    SomText who = {0}, text = {0};
    som_text_printf(&who, "'%.*s' and '%.*s'", SOM_STR_ARG(path_a), SOM_STR_ARG(path_b));
    finding.who = som_text_str(&who);
    print_figure(l, &text, MEASURED, other, ours);
    som_text_printf(&text, " according to libccd%s, but ",
                    l->is_home ? " while all joints are at zero" : "");
    print_figure(l, &text, figure, ours, other);
    SomFinding *kept = som_verification_add(l->out, &finding, "%s was found", text.data);
    som_finding_add_subject(l->out, kept, path_a);
    som_finding_add_subject(l->out, kept, path_b);
    som_text_free(&who);
    som_text_free(&text);
}

// ---- a pair

static double size_of(const Look *l, int a, int b) {
    return l->balls[a].radius + l->balls[b].radius;
}

// The least distance of the parts that are tested.
static SomSecondDistance distance_except(SomSecondSolid a, SomSecondSolid b, double limit,
                                         SomPartPairs except) {
    SomSecondDistance least = {.low = HUGE_VAL, .high = HUGE_VAL};
    for (int i = 0; i < a.part_count * b.part_count; i++) {
        if (!except[i]) {
            SomSecondSolid part_a = {&a.parts[i / b.part_count], 1, a.pose};
            SomSecondSolid part_b = {&b.parts[i % b.part_count], 1, b.pose};
            SomSecondDistance one = som_second_distance(part_a, part_b, limit);
            least.low = fmin(least.low, one.low);
            least.high = fmin(least.high, one.high);
            least.work += one.work;
        }
    }
    return least;
}

static SomSecondDistance second_distance(Look *l, int a, int b, double limit) {
    const SomMechanismLink *links = l->input->mechanism->links;
    SomSecondSolid solid_a = som_second_solid(links[a].link, l->other[a]);
    SomSecondSolid solid_b = som_second_solid(links[b].link, l->other[b]);
    SomPartPairs except = som_pairs_except(l->pairs, a, b);
    SomSecondDistance d = except == NULL ? som_second_distance(solid_a, solid_b, limit)
                                         : distance_except(solid_a, solid_b, limit, except);
    d.low = fmin(d.low, limit);
    d.high = fmin(d.high, limit);
    l->work += d.work;
    l->out->second.pairs++;
    l->open += d.high - d.low > SOM_SECOND_TOLERANCE * fmax(1, size_of(l, a, b));
    return d;
}

static void compare(Look *l, int a, int b, double ours, SomSecondDistance other, Figure figure) {
    double difference = fmax(fmax(other.low - ours, ours - other.high), 0);
    if (som_second_compare(l->out, difference, size_of(l, a, b))) {
        report(l, a, b, ours, other.low > ours ? other.low : other.high, figure);
    }
}

// Times of overlaps are only known as exactly as this.
static double slack_of(const Look *l) {
    return 0.5 * l->input->options.resolution;
}

static double deepest_of(const SomOverlap *o) {
    return o->depth + som_certified_depth_tolerance(o->depth);
}

// Links that overlap by construction may do so until they are first apart.
static double allowed_now(const Look *l, int a, int b, double allowed) {
    bool is_built = som_pairs_rule(l->pairs, a, b, NULL) == SOM_PAIR_BUILT;
    for (int i = 0; i < l->certificate->built.count && is_built; i++) {
        const SomOverlap *o = &l->certificate->built.data[i];
        if (o->link_a == a && o->link_b == b && l->time <= o->t1 + slack_of(l)) {
            return allowed;
        }
    }
    return is_built ? som_pair_flush(l->pairs->solids[a], l->pairs->solids[b]) : allowed;
}

// The least distance of a pair that the certificate allows at the moment.
static double claim_of(const Look *l, int a, int b, double allowed) {
    const SomCertificate *c = l->certificate;
    double depth = allowed_now(l, a, b, allowed) + SOM_CERTIFIED_DEPTH, slack = slack_of(l);
    for (int i = 0; i < c->overlaps.count; i++) {
        const SomOverlap *o = &c->overlaps.data[i];
        if (o->link_a == a && o->link_b == b && o->t0 - slack <= l->time &&
            l->time <= o->t1 + slack) {
            depth = fmax(depth, deepest_of(o));
        }
    }
    for (int i = 0; i < c->undecided.count; i++) {
        const SomUndecided *u = &c->undecided.data[i];
        bool is_open = u->link_a == a && u->link_b == b && u->t0 <= l->time && l->time <= u->t1;
        depth = is_open ? HUGE_VAL : depth;
    }
    bool is_near = som_pairs_are_near(l->pairs, a, b);
    return is_near || c->overlaps.count > 0
               ? -depth
               : fmax(-depth, c->clearance.distance - SOM_CERTIFIED_DISTANCE);
}

// The deepest moment of an overlap: the links are as deep in each other as that, and not deeper by
// more than the certificate allows.
static void compare_overlap(Look *l, const SomOverlap *o, SomSecondDistance other) {
    if (-other.high <= deepest_of(o)) {
        other.high = fmax(other.high, -o->depth);
    }
    compare(l, o->link_a, o->link_b, -o->depth, other, MEASURED);
}

// What was found at this very moment.
static void compare_results(Look *l, int a, int b, SomSecondDistance other) {
    const SomCertificate *c = l->certificate;
    for (int i = 0; i < c->overlaps.count; i++) {
        const SomOverlap *o = &c->overlaps.data[i];
        if (o->link_a == a && o->link_b == b && o->depth_time == l->time) {
            compare_overlap(l, o, other);
        }
    }
    if (c->overlaps.count == 0 && c->clearance.link_a == a && c->clearance.link_b == b &&
        c->clearance.time == l->time) {
        compare(l, a, b, c->clearance.distance, other, MEASURED);
    }
}

static void look_at_pair(Look *l, int a, int b, double allowed) {
    SomSecondDistance other = second_distance(l, a, b, l->reach);
    SomDistance ours =
        som_pairs_distance(l->pairs, a, &l->links[a], b, &l->links[b], l->reach, NULL);
    compare(l, a, b, fmin(ours.distance, l->reach), other, MEASURED);
    if (l->is_home) {
        return;
    }
    compare_results(l, a, b, other);
    double claim = claim_of(l, a, b, allowed);
    if (other.high < claim) {
        other.low = -HUGE_VAL; // it may be more than the claim
        compare(l, a, b, claim, other, NEVER_LESS);
    }
}

static bool is_over(const Look *l) {
    return l->out->second.pairs >= SOM_SECOND_MOST_PAIRS || l->work >= MAX_WORK ||
           som_stop_is_asked(l->input->stop);
}

// All pairs that may be within reach of each other.
static void look_at_moment(Look *l) {
    int count = l->input->mechanism->link_count;
    l->out->second.moments++;
    place_links(l);
    for (int a = 0; a < count && !is_over(l); a++) {
        for (int b = a + 1; b < count && !is_over(l); b++) {
            SomVec3 between = som_vec3_sub(l->balls[b].center, l->balls[a].center);
            double allowed;
            if (som_vec3_length(between) - size_of(l, a, b) <= l->reach &&
                som_pair_is_tested(som_pairs_rule(l->pairs, a, b, &allowed))) {
                look_at_pair(l, a, b, allowed);
            }
        }
    }
    l->left += is_over(l);
}

// The rules for links of one module and of connected ones are found with all joints at zero.
static void look_at_home(Look *l) {
    memset(l->values, 0, sizeof *l->values * (size_t)l->input->dof_count);
    l->is_home = true;
    look_at_moment(l);
    l->is_home = false;
}

static void look_at_motion(Look *l) {
    Moments moments = find_moments(l);
    for (int i = 0; i < moments.count; i++) {
        if (is_over(l)) {
            l->left++;
        } else {
            place_at(l, moments.times[i]);
            look_at_moment(l);
        }
    }
}

static void list_open(const Look *l) {
    if (l->open > 0) {
        som_verification_not_assessed(
            l->out, SOM_CHECK_SECOND_OPINION, SOM_STR("second opinions on distances"), l->open,
            SOM_STR("libccd gives wider bounds, as for coaxial cylinders"));
    }
    if (l->left > 0) {
        som_verification_not_assessed(l->out, SOM_CHECK_SECOND_OPINION, SOM_STR("moments"), l->left,
                                      SOM_STR("the work of a second opinion is limited"));
    }
}

void som_second_opinion_pairs(const SomVerifyInput *input, const SomPairs *pairs,
                              const SomCertificate *certificate, SomVerification *out) {
    if (!input->wants_second_opinion || certificate->sane_samples == 0) {
        return;
    }
    const SomMechanism *m = input->mechanism;
    size_t links = (size_t)m->link_count + 1;
    Look l = {.input = input,
              .pairs = pairs,
              .certificate = certificate,
              .out = out,
              .reach = fmax(SOM_CERTIFIED_REACH, FARTHER * certificate->clearance.distance),
              .values = som_alloc(sizeof *l.values * ((size_t)m->dof_count + 1)),
              .links = som_alloc(sizeof *l.links * links),
              .other = som_alloc(sizeof *l.other * links),
              .balls = som_alloc(sizeof *l.balls * links)};
    look_at_home(&l);
    look_at_motion(&l);
    list_open(&l);
    som_free(l.values);
    som_free(l.links);
    som_free(l.other);
    som_free(l.balls);
}
