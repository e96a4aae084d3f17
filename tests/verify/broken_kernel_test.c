// SPDX-License-Identifier: Apache-2.0
// Verification with a kernel that is broken on purpose: functions are linked through this file,
// which falsifies what they return. The second opinion must find it.

#include "base/codes/verify_codes.h"
#include "space/distance.h"
#include "tests/verify/verified.h"
#include "verify/batch.h"
#include "verify/certificate.h"
#include "verify/contacts.h"
#include "verify/support_polygon.h"

#include <math.h>
#include <string.h>

typedef enum Break {
    NOTHING,
    DISTANCE_OF_CYLINDERS, // 1 mm too large
    DISTANCE_A_LITTLE,     // 3 um too large
    DEPTHS_AS_DISTANCES,
    BATCH_FINDS_NOTHING,
    OVERLAPS_ARE_LOST,
    OVERLAPS_ARE_SHALLOW,
    CLEARANCE_IS_LARGER,
    LINK_IS_ELSEWHERE,
    MARGIN_IS_LARGER,
    MARGIN_HAS_NO_SIGN,
    GROUND_IS_LOWER,
    HULL_LACKS_A_POINT,
    BREAKS
} Break;

static Break broken = NOTHING;

// ---- what is broken

SomDistance __real_som_shape_distance_within(const SomShape *a, SomPose pose_a, const SomShape *b,
                                             SomPose pose_b, double limit, SomDistanceCache *cache);
SomDistance __wrap_som_shape_distance_within(const SomShape *a, SomPose pose_a, const SomShape *b,
                                             SomPose pose_b, double limit, SomDistanceCache *cache);

SomDistance __wrap_som_shape_distance_within(const SomShape *a, SomPose pose_a, const SomShape *b,
                                             SomPose pose_b, double limit,
                                             SomDistanceCache *cache) {
    SomDistance d = __real_som_shape_distance_within(a, pose_a, b, pose_b, limit, cache);
    bool is_round = a->kind == SOM_SHAPE_CYLINDER || b->kind == SOM_SHAPE_CYLINDER;
    d.distance += broken == DISTANCE_OF_CYLINDERS && is_round ? 1e-3 : 0;
    d.distance += broken == DISTANCE_A_LITTLE ? 3e-6 : 0;
    d.distance = broken == DEPTHS_AS_DISTANCES ? fabs(d.distance) : d.distance;
    return d;
}

int __real_som_batch_find(SomBatch *batch, double margin, const double *slack, bool settle,
                          const SomBatchHit **hits);
int __wrap_som_batch_find(SomBatch *batch, double margin, const double *slack, bool settle,
                          const SomBatchHit **hits);

int __wrap_som_batch_find(SomBatch *batch, double margin, const double *slack, bool settle,
                          const SomBatchHit **hits) {
    int count = __real_som_batch_find(batch, margin, slack, settle, hits);
    return broken == BATCH_FINDS_NOTHING ? 0 : count;
}

void __real_som_certify(const SomCertificateDef *def, SomCertificate *certificate);
void __wrap_som_certify(const SomCertificateDef *def, SomCertificate *certificate);

void __wrap_som_certify(const SomCertificateDef *def, SomCertificate *certificate) {
    __real_som_certify(def, certificate);
    for (int i = 0; broken == OVERLAPS_ARE_SHALLOW && i < certificate->overlaps.count; i++) {
        certificate->overlaps.data[i].depth *= 0.9;
    }
    if (broken == OVERLAPS_ARE_LOST) {
        certificate->overlaps.count = 0;
    }
    certificate->clearance.distance += broken == CLEARANCE_IS_LARGER ? 1e-3 : 0;
}

void __real_som_mechanism_place(const SomMechanism *mechanism, const SomPosture *posture,
                                SomPose *links);
void __wrap_som_mechanism_place(const SomMechanism *mechanism, const SomPosture *posture,
                                SomPose *links);

void __wrap_som_mechanism_place(const SomMechanism *mechanism, const SomPosture *posture,
                                SomPose *links) {
    __real_som_mechanism_place(mechanism, posture, links);
    links[mechanism->link_count - 1].position.x += broken == LINK_IS_ELSEWHERE ? 1e-3 : 0;
}

SomSupport __real_som_support_find(const SomVec3 *points, int count, SomVec3 com, SomVec3 down,
                                   SomSupportWork *work);
SomSupport __wrap_som_support_find(const SomVec3 *points, int count, SomVec3 com, SomVec3 down,
                                   SomSupportWork *work);

SomSupport __wrap_som_support_find(const SomVec3 *points, int count, SomVec3 com, SomVec3 down,
                                   SomSupportWork *work) {
    SomSupport support = __real_som_support_find(points, count, com, down, work);
    support.margin += broken == MARGIN_IS_LARGER ? 1e-3 : 0;
    support.margin = broken == MARGIN_HAS_NO_SIGN ? fabs(support.margin) : support.margin;
    return support;
}

const SomContacts *__real_som_contact_finder_find(SomContactFinder *finder, const SomPose *links);
const SomContacts *__wrap_som_contact_finder_find(SomContactFinder *finder, const SomPose *links);

const SomContacts *__wrap_som_contact_finder_find(SomContactFinder *finder, const SomPose *links) {
    static SomContacts lower;
    const SomContacts *contacts = __real_som_contact_finder_find(finder, links);
    if (broken != GROUND_IS_LOWER) {
        return contacts;
    }
    lower = *contacts;
    lower.drop -= 1e-3;
    return &lower;
}

SomHull *__real_som_hull_create(const SomVec3 *points, int count, SomSpan span,
                                SomDiagnostics *diags);
SomHull *__wrap_som_hull_create(const SomVec3 *points, int count, SomSpan span,
                                SomDiagnostics *diags);

SomHull *__wrap_som_hull_create(const SomVec3 *points, int count, SomSpan span,
                                SomDiagnostics *diags) {
    return __real_som_hull_create(points, count - (broken == HULL_LACKS_A_POINT), span, diags);
}

// ---- what is found

// Six modules in a row that curl up until the last goes into the first, or not so far.
static const char curl[] = "use \"module.som\"\n"
                           "config Curl {\n"
                           "    part m[6] : Module\n"
                           "    connect m[i].B to m[i+1].T for i in 1..5\n"
                           "    base m[1] on ground\n"
                           "    behavior curl(a: angle) = parallel(for i in 1..6: m[i].bend to a)\n"
                           "}\n";
static const char halves[] = "use \"atron.m3l\"\n"
                             "config Halves {\n"
                             "    part a : ATRON\n"
                             "    base a on ground\n"
                             "}\n";

// How often a kind of disagreement was found, in a verification with a second opinion.
static int count_of(const SomVerification *found, SomCode code) {
    int count = 0;
    for (int i = 0; i < found->findings.count; i++) {
        const SomFinding *f = &found->findings.data[i];
        bool is_it = f->code == code;
        count += is_it;
        // both figures, and they differ
        ck_assert(!is_it || (f->check == SOM_CHECK_SECOND_OPINION && f->severity == SOM_ERROR));
        ck_assert(!is_it || fabs(f->value - f->limit) > 0);
    }
    ck_assert(count == 0 || found->verdict == SOM_VERDICT_UNSAFE);
    ck_assert(count == 0 || found->second.disagreements >= count);
    return count;
}

static void check_break(Break what, const char *text, const char *behavior, SomCode code) {
    broken = what == HULL_LACKS_A_POINT ? what : NOTHING; // hulls are made as types are read
    TestVerified v = test_verify(text, "", behavior);
    SomVerifyDef def = {.mechanism = v.mechanism, .graph = v.graph, .wants_second_opinion = true};
    broken = what;
    SomVerification *found = som_verify(&def);
    broken = NOTHING;
    ck_assert_msg(count_of(found, code) > 0, "break %d is not found", (int)what);
    som_verification_destroy(found);
    test_verified_free(&v);
}

static void check_true(const char *text, const char *behavior, bool has_hulls) {
    TestVerified v = test_verify(text, "", behavior);
    SomVerifyDef def = {.mechanism = v.mechanism, .graph = v.graph, .wants_second_opinion = true};
    SomVerification *found = som_verify(&def);
    int count = count_of(found, SOM_SECOND_OPINION_PAIR) +
                count_of(found, SOM_SECOND_OPINION_SUPPORT) +
                count_of(found, SOM_SECOND_OPINION_HULL);
    ck_assert_int_eq(count, 0);
    ck_assert_int_eq(found->second.disagreements, 0);
    ck_assert_int_eq(found->findings.count, v.found->findings.count);
    ck_assert(found->verdict == v.found->verdict);
    ck_assert(found->second.polygons > 0 && found->second.moments > 0);
    ck_assert(has_hulls ? found->second.hulls > 0 : found->second.pairs > 0);
    som_verification_destroy(found);
    test_verified_free(&v);
}

START_TEST(the_true_kernel_is_confirmed) {
    check_true(curl, "curl(88deg)", false);
    check_true(curl, "curl(60deg)", false);
    check_true(halves, NULL, true);
}
END_TEST

START_TEST(a_broken_distance_is_found) {
    check_break(DISTANCE_OF_CYLINDERS, curl, "curl(60deg)", SOM_SECOND_OPINION_PAIR);
    check_break(DISTANCE_OF_CYLINDERS, curl, NULL, SOM_SECOND_OPINION_PAIR);
    check_break(DISTANCE_A_LITTLE, curl, "curl(60deg)", SOM_SECOND_OPINION_PAIR);
    check_break(DEPTHS_AS_DISTANCES, curl, "curl(88deg)", SOM_SECOND_OPINION_PAIR);
}
END_TEST

START_TEST(a_missed_collision_is_found) {
    check_break(BATCH_FINDS_NOTHING, curl, "curl(88deg)", SOM_SECOND_OPINION_PAIR);
    check_break(OVERLAPS_ARE_LOST, curl, "curl(88deg)", SOM_SECOND_OPINION_PAIR);
}
END_TEST

START_TEST(wrong_depths_and_clearances_are_found) {
    check_break(OVERLAPS_ARE_SHALLOW, curl, "curl(88deg)", SOM_SECOND_OPINION_PAIR);
    check_break(CLEARANCE_IS_LARGER, curl, "curl(60deg)", SOM_SECOND_OPINION_PAIR);
    check_break(BATCH_FINDS_NOTHING, curl, "curl(60deg)", SOM_SECOND_OPINION_PAIR);
}
END_TEST

START_TEST(wrong_places_of_links_are_found) {
    check_break(LINK_IS_ELSEWHERE, curl, "curl(60deg)", SOM_SECOND_OPINION_PAIR);
}
END_TEST

START_TEST(broken_support_is_found) {
    check_break(MARGIN_IS_LARGER, curl, "curl(60deg)", SOM_SECOND_OPINION_SUPPORT);
    check_break(MARGIN_HAS_NO_SIGN, curl, "curl(60deg)", SOM_SECOND_OPINION_SUPPORT);
    check_break(GROUND_IS_LOWER, curl, "curl(60deg)", SOM_SECOND_OPINION_SUPPORT);
}
END_TEST

START_TEST(a_broken_hull_is_found) {
    check_break(HULL_LACKS_A_POINT, halves, NULL, SOM_SECOND_OPINION_HULL);
}
END_TEST

SOM_SUITE("verify/broken_kernel", the_true_kernel_is_confirmed, a_broken_distance_is_found,
          a_missed_collision_is_found, wrong_depths_and_clearances_are_found,
          wrong_places_of_links_are_found, broken_support_is_found, a_broken_hull_is_found)
