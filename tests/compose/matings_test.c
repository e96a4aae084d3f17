// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "compose/lower.h"
#include "compose/matings.h"
#include "space/trigonometry.h"
#include "tests/compose/designs.h"
#include "tests/compose/texts.h"

#include <math.h>

// A design as it starts, placed.
typedef struct Placed {
    TestDesign design;
    SomConfiguration *configuration;
    SomMechanism *mechanism;
    SomPose *links;
    SomSites sites;
} Placed;

static Placed place(const char *text, const char *choice) {
    Placed p = {.design = test_design(text)};
    p.configuration = test_compose(&p.design, choice);
    p.mechanism = som_mechanism_create(p.configuration);
    p.links = som_alloc(sizeof *p.links * (size_t)p.mechanism->link_count);
    SomPosture posture = som_posture_start(p.configuration);
    som_mechanism_place(p.mechanism, &posture, p.links);
    som_posture_free(&posture);
    p.sites = som_sites_find(p.mechanism, p.links);
    return p;
}

static void free_placed(Placed *p) {
    som_sites_free(&p->sites);
    som_free(p->links);
    som_mechanism_destroy(p->mechanism);
    som_configuration_destroy(p->configuration);
    test_design_free(&p->design);
}

static void print_sites(const Placed *p, SomText *text) {
    for (int i = 0; i < p->sites.count; i++) {
        som_text_add(text, i > 0 ? SOM_STR(" ") : SOM_STR(""));
        som_configuration_print_connector(p->configuration, p->sites.data[i].module,
                                          p->sites.data[i].connector, text);
    }
}

static const char *const pair = "use \"smores.m3l\"\n"
                                "config Pair {\n"
                                "    part a, b, c : SMORES\n"
                                "    connect a.B to b.T\n"
                                "    connect b.B to c.T\n"
                                "    dock ends: c.B to a.T open\n"
                                "}\n";

START_TEST(connectors_are_free_that_nothing_holds) {
    Placed p = place(pair, "");
    SomText text = {0};
    print_sites(&p, &text);
    ck_assert_str_eq(text.data, "a.L a.R b.L b.R c.L c.R");
    for (int i = 0; i < p.sites.count; i++) {
        const SomSite *s = &p.sites.data[i];
        SomPose pose = som_mechanism_connector_pose(p.mechanism, p.links, s->module, s->connector);
        ck_assert_double_eq(test_distance(pose, s->pose), 0);
    }
    som_text_free(&text);
    free_placed(&p);
}
END_TEST

static void check_offer(const Placed *p, const char *a, const char *ca, const char *b,
                        const char *cb, const char *expected) {
    const SomConfiguration *c = p->configuration;
    int ma = som_configuration_find_module(c, som_str(a));
    int mb = som_configuration_find_module(c, som_str(b));
    int ka = som_module_type_find_connector(c->modules[ma].type, som_str(ca));
    int kb = som_module_type_find_connector(c->modules[mb].type, som_str(cb));
    SomOffer offer;
    som_offer_find(c, ma, ka, mb, kb, &offer);
    SomText text = {0};
    som_offer_print_refusal(c, ma, ka, mb, kb, offer.refusal, &text);
    for (int i = 0; i < offer.count; i++) {
        som_text_add(&text, SOM_STR("|"));
        som_mating_print_choice(offer.choices[i].roll, offer.choices[i].index, &text);
    }
    ck_assert_int_eq(offer.count > 0, offer.refusal == SOM_MATING_OFFERED);
    ck_assert_str_eq(som_text_str(&text).data, expected);
    som_text_free(&text);
}

START_TEST(two_connectors_offer_angles_or_say_why_not) {
    Placed p = place(pair, "");
    check_offer(&p, "a", "L", "c", "R", "|| at 90deg| at 180deg| at 270deg");
    check_offer(&p, "a", "L", "a", "R", "'a.L' and 'a.R' are of one module");
    check_offer(&p, "a", "B", "c", "R", "'a.B' is already connected with 'b.T'");
    check_offer(&p, "c", "L", "b", "T", "'b.T' is already connected with 'a.B'");
    check_offer(&p, "a", "T", "c", "R", "'a.T' is kept free for a dock with 'c.B'");
    SomOffer other;
    som_offer_find_connected(p.configuration, &p.configuration->connections[0], &other);
    ck_assert_int_eq(other.count, 4);
    ck_assert_int_eq(other.refusal, SOM_MATING_OFFERED);
    free_placed(&p);
    Placed m = place("use \"mtran.m3l\"\n"
                     "config Two {\n"
                     "    part a, b : MTRAN\n"
                     "    connect a.c6 to b.c3\n"
                     "}\n",
                     "");
    check_offer(&m, "a", "c4", "b", "c5", "'a.c4' cannot be mated with 'b.c5': both are female");
    check_offer(&m, "a", "c1", "b", "c2", "'a.c1' cannot be mated with 'b.c2': both are male");
    free_placed(&m);
    Placed legs = place("use \"athlete.m3l\"\n"
                        "config Two {\n"
                        "    part d : deck\n"
                        "    part a, b : leg\n"
                        "    connect a.mount to d.mount1\n"
                        "    connect b.mount to d.mount2\n"
                        "}\n",
                        "");
    const SomModuleType *leg = legs.configuration->modules[1].type;
    if (leg->connector_count > 1) {
        check_offer(&legs, "a", leg->connectors[1].name.data, "b", leg->connectors[1].name.data,
                    "no rule connects 'leg' with 'leg'");
    }
    free_placed(&legs);
}
END_TEST

START_TEST(a_gap_tells_how_far_a_loop_is_from_closing) {
    Placed p = place("use \"smores.m3l\"\n"
                     "config Square {\n"
                     "    part a, b, c, d : SMORES\n"
                     "    connect a.B to b.L\n"
                     "    connect b.R to c.B\n"
                     "    connect c.R to d.L\n"
                     "}\n",
                     "");
    SomOffer offer;
    const SomConfiguration *c = p.configuration;
    int far = som_module_type_find_connector(c->modules[0].type, SOM_STR("T"));
    int near = som_module_type_find_connector(c->modules[3].type, SOM_STR("B"));
    som_offer_find(c, 0, far, 3, near, &offer);
    ck_assert_int_eq(offer.count, 4);
    SomGap gap = som_offer_gap(p.mechanism, p.links, 0, far, 3, near, &offer.choices[0]);
    SomVec3 way =
        som_vec3_sub(som_mechanism_connector_pose(p.mechanism, p.links, 0, far).position,
                     som_mechanism_connector_pose(p.mechanism, p.links, 3, near).position);
    ck_assert_double_eq_tol(gap.metres, som_vec3_length(way), 1e-9);
    free_placed(&p);
}
END_TEST

// ---- a part at a design

static const char *const robot = "use \"chain6.som\"\n"
                                 "config Robot {\n"
                                 "    part body : Chain6\n"
                                 "    pose bent { body.front.middle.left = 30deg }\n"
                                 "    start bent\n"
                                 "    base body.front.head on ground\n"
                                 "}\n";
static const char *const leg = "use \"chain3.som\"\n"
                               "config Leg {\n"
                               "    part leg : Chain3\n"
                               "    pose bent { leg.head.bend = 40deg; leg.tail.right = 20deg }\n"
                               "    start bent\n"
                               "}\n";

// The design with the part connected as the candidate says, written down.
static void write_joined(const Placed *host, const Placed *part, const SomCandidate *k,
                         SomText *out) {
    som_text_add(out, SOM_STR("use \"chain6.som\"\n"
                              "config Leg {\n"
                              "    part leg : Chain3\n"
                              "    pose bent { leg.head.bend = 40deg; leg.tail.right = 20deg }\n"
                              "    start bent\n"
                              "}\n"
                              "config Robot {\n"
                              "    part body : Chain6\n"
                              "    part new : Leg\n"
                              "    pose bent { body.front.middle.left = 30deg }\n"
                              "    start bent\n"
                              "    base body.front.head\n"
                              "    connect new."));
    som_configuration_print_connector(part->configuration, k->part_module, k->part_connector, out);
    som_text_add(out, SOM_STR(" to "));
    som_configuration_print_connector(host->configuration, k->module, k->connector, out);
    som_mating_print_choice(k->roll, k->index, out);
    som_text_add(out, SOM_STR("\n}\n"));
}

static SomPose module_pose(const Placed *p, int module) {
    return som_mechanism_module_pose(p->mechanism, p->links, module);
}

START_TEST(a_ghost_is_where_the_part_will_be) {
    Placed host = place(robot, ""), part = place(leg, "");
    SomCandidate all[512];
    SomAim aim = {.origin = {0.1, 0.1, 0.1}};
    int count = som_sites_near(&host.sites, &part.sites, &aim, all, 512);
    ck_assert_int_eq(count, 14 * 8 * 4);
    SomTestRandom random = {7};
    for (int i = 0; i < som_test_count(12, 200); i++) {
        const SomCandidate *k = &all[som_test_int(&random, 0, count - 1)];
        SomText text = {0};
        write_joined(&host, &part, k, &text);
        Placed both = place(text.data, "Robot");
        // the base of one is on the ground, that of the other at the origin
        SomPose moved =
            som_pose_compose(module_pose(&host, 0), som_pose_invert(module_pose(&both, 0)));
        ck_assert_int_eq(both.configuration->module_count, 9);
        for (int m = 0; m < 3; m++) {
            SomPose ghost = som_pose_compose(k->pose, module_pose(&part, m));
            SomPose real = som_pose_compose(moved, module_pose(&both, 6 + m));
            ck_assert_double_le(test_distance(ghost, real), 1e-12);
        }
        free_placed(&both);
        som_text_free(&text);
    }
    free_placed(&host);
    free_placed(&part);
}
END_TEST

START_TEST(candidates_are_ranked_by_what_is_pointed_at) {
    Placed host = place(robot, ""), part = place(leg, "");
    const SomSite *wanted = &host.sites.data[5];
    SomCandidate found[64];
    // a point beside a connector
    SomAim aim = {.origin = som_pose_apply(wanted->pose, som_vec3(0.01, 0, 0)), .reach = 0.02};
    int count = som_sites_near(&host.sites, &part.sites, &aim, found, 64);
    ck_assert_int_gt(count, 0);
    for (int i = 0; i < count; i++) {
        ck_assert(found[i].module == wanted->module && found[i].connector == wanted->connector);
        ck_assert_double_eq_tol(found[i].distance, 0.01, 1e-12);
    }
    // a ray that meets it from far away
    SomVec3 out = som_pose_rotate(wanted->pose, som_vec3(1, 0, 0));
    aim = (SomAim){.origin = som_vec3_add(wanted->pose.position, som_vec3_scale(3, out)),
                   .direction = som_vec3_scale(-2, out)};
    count = som_sites_near(&host.sites, &part.sites, &aim, found, 64);
    ck_assert_double_le(found[0].distance, 1e-9);
    for (int i = 1; i < count; i++) {
        ck_assert_double_ge(found[i].distance, found[i - 1].distance);
    }
    // what is behind the eye is as far as the eye is
    aim.direction = out;
    som_sites_near(&host.sites, &part.sites, &aim, found, 1);
    ck_assert_double_gt(found[0].distance, 2);
    // of one connector the pose that the part is held in comes first
    aim = (SomAim){.origin = wanted->pose.position, .reach = 1e-6};
    count = som_sites_near(&host.sites, &part.sites, &aim, found, 64);
    ck_assert_int_gt(count, 8);
    SomCandidate held = found[7];
    aim.has_pose = true;
    aim.pose = held.pose;
    aim.pose.position.x += 0.004;
    som_sites_near(&host.sites, &part.sites, &aim, found, 1);
    ck_assert_double_le(test_distance(found[0].pose, held.pose), 1e-12);
    // by one connector of the part only
    aim.is_fixed = true;
    aim.part_module = part.sites.data[2].module;
    aim.connector = part.sites.data[2].connector;
    count = som_sites_near(&host.sites, &part.sites, &aim, found, 64);
    ck_assert_int_eq(count, 4);
    for (int i = 0; i < count; i++) {
        ck_assert(found[i].part_module == aim.part_module &&
                  found[i].part_connector == aim.connector);
    }
    free_placed(&host);
    free_placed(&part);
}
END_TEST

START_TEST(a_part_that_reaches_into_the_design_overlaps) {
    // two modules side by side at a bar: between them there is no room
    Placed host = place("use \"smores.m3l\"\n"
                        "config Fork {\n"
                        "    part bar[3] : SMORES\n"
                        "    connect bar[i].B to bar[i+1].T for i in 1..2\n"
                        "    part left, right : SMORES\n"
                        "    connect bar[1].L to left.T\n"
                        "    connect bar[2].L to right.T\n"
                        "}\n",
                        "");
    Placed part = place("use \"smores.m3l\"\nconfig One is SMORES {\n}\n", "");
    SomCandidate all[512];
    SomAim aim = {.origin = {0, 0, 0}};
    int count = som_sites_near(&host.sites, &part.sites, &aim, all, 512);
    int overlapping = 0;
    for (int i = 0; i < count; i++) {
        bool overlaps = som_candidate_overlaps(host.mechanism, host.links, NULL, part.mechanism,
                                               part.links, NULL, &all[i]);
        // the centre of the ghost against the centres of all modules but the mated one
        SomVec3 center = all[i].pose.position;
        double nearest = INFINITY;
        for (int m = 0; m < host.configuration->module_count; m++) {
            SomVec3 other = module_pose(&host, m).position;
            nearest = fmin(nearest, som_vec3_length(som_vec3_sub(center, other)));
        }
        ck_assert(!(nearest < 0.05) || overlaps);
        ck_assert(!(nearest > 0.15) || !overlaps);
        overlapping += overlaps;
    }
    ck_assert_int_gt(overlapping, 0);
    ck_assert_int_lt(overlapping, count);
    free_placed(&host);
    free_placed(&part);
}
END_TEST

SOM_SUITE("compose/matings", connectors_are_free_that_nothing_holds,
          two_connectors_offer_angles_or_say_why_not, a_gap_tells_how_far_a_loop_is_from_closing,
          a_ghost_is_where_the_part_will_be, candidates_are_ranked_by_what_is_pointed_at,
          a_part_that_reaches_into_the_design_overlaps)
