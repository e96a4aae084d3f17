// SPDX-License-Identifier: Apache-2.0
// The sample kernel against what it stands for: som_mechanism_place and som_shape_distance of every
// pair in every lane, on all sets of instructions.

#include "base/memory.h"
#include "space/distance.h"
#include "tests/verify/eight_postures.h"
#include "tests/verify/library.h"
#include "tests/verify/random_robot.h"
#include "verify/batch.h"
#include "verify/pairs.h"

#include <math.h>
#include <stdio.h>

static bool is_closure(const SomMechanism *m, int a, int b) {
    for (int i = 0; i < m->closure_count; i++) {
        const SomMechanismClosure *k = &m->closures[i];
        if ((k->link_a == a && k->link_b == b) || (k->link_a == b && k->link_b == a)) {
            return true;
        }
    }
    return false;
}

static bool is_tested(const EightPostures *p, int a, int b, double *allowed) {
    *allowed = 0;
    if (p->pairs != NULL) {
        return som_pair_is_tested(som_pairs_rule(p->pairs, a, b, allowed));
    }
    const SomMechanismLink *links = p->m->links;
    return p->bodies[a] != p->bodies[b] && links[a].parent != b && links[b].parent != a &&
           !is_closure(p->m, a, b);
}

// The least over the parts; INFINITY if a link has none or they are farther apart than the limit.
static double distance_of(const EightPostures *p, int a, int b, int lane, double limit) {
    const SomModuleLink *x = p->m->links[a].link, *y = p->m->links[b].link;
    double least = (double)INFINITY;
    SomPartPairs except = p->pairs == NULL ? NULL : som_pairs_except(p->pairs, a, b);
    for (int i = 0; i < x->part_count; i++) {
        SomPose pose_a = som_pose_compose(p->links[lane][a], x->parts[i].pose);
        for (int k = 0; k < y->part_count; k++) {
            SomPose pose_b = som_pose_compose(p->links[lane][b], y->parts[k].pose);
            if (except != NULL && except[i * y->part_count + k]) {
                continue;
            }
            SomDistance d = som_shape_distance_within(&x->parts[i].shape, pose_a,
                                                      &y->parts[k].shape, pose_b, limit, NULL);
            least = d.distance <= limit ? fmin(least, d.distance) : least;
        }
    }
    return least;
}

static int lanes_of(const SomBatchHit *hits, int count, int a, int b) {
    int low = 0, high = count;
    while (low < high) {
        int middle = (low + high) / 2;
        const SomBatchHit *hit = &hits[middle];
        if (hit->link_a < a || (hit->link_a == a && hit->link_b < b)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && hits[low].link_a == a && hits[low].link_b == b ? hits[low].lanes : 0;
}

typedef struct Tally {
    long pairs, hits, wrong;
    char what[300];
} Tally;

// All pairs and lanes against the exact distances.
static void compare(const EightPostures *p, double margin, const double *slack, double blur,
                    Tally *t) {
    const SomBatchHit *hits;
    int count = som_batch_find(p->batch, margin, slack, true, &hits);
    for (int a = 0; a < p->m->link_count; a++) {
        for (int b = a + 1; b < p->m->link_count; b++) {
            double allowed;
            bool tested = is_tested(p, a, b, &allowed);
            int lanes = lanes_of(hits, count, a, b);
            double limit = margin + (slack == NULL ? 0 : slack[a] + slack[b]) - allowed;
            for (int lane = 0; lane < SOM_BATCH && tested; lane++) {
                double distance = distance_of(p, a, b, lane, limit + 2 * blur);
                bool expected = distance <= limit, is_hit = lanes >> lane & 1;
                t->pairs++;
                t->hits += is_hit;
                if (expected != is_hit && !(fabs(distance - limit) <= blur)) {
                    snprintf(t->what, sizeof t->what,
                             "links %d and %d of %d in lane %d: distance %.17g, limit %g, hit %d",
                             a, b, p->m->link_count, lane, distance, limit, is_hit);
                    t->wrong++;
                }
            }
            t->wrong += !tested && lanes != 0;
        }
    }
}

START_TEST(verdicts_are_those_of_exact_distances) {
    SomTestRandom random = {1};
    const double scales[] = {1, 0.05, 1e3, 1e-4, 3e5};
    Tally t = {0};
    for (int n = 0; n < som_test_count(60, 3000); n++) {
        double scale = scales[n % 5];
        RandomRobot *robot = random_robot(&random, som_test_int(&random, 1, 5), scale);
        EightPostures p = eight_begin(&robot->mechanism, NULL, (SomBatchPath)(n % path_count()));
        bool is_motion = n % 3 != 0;
        random_values(&random, p.m, is_motion, scale, p.values);
        for (int step = 0; step < 3; step++) {
            eight_place(&p);
            compare(&p, 0, NULL, 1e-9 * scale, &t);
            for (int i = 0; i < p.m->dof_count * SOM_BATCH; i++) {
                p.values[i] +=
                    0.02 * (i / SOM_BATCH % 3 - 1) * (is_motion ? scale < 1 ? scale : 1 : 1);
            }
        }
        eight_end(&p);
        random_robot_free(robot);
    }
    ck_assert_msg(t.wrong == 0, "%ld: %s", t.wrong, t.what);
    ck_assert_int_gt(t.hits, t.pairs / 50);
    ck_assert_int_lt(t.hits, t.pairs / 2);
}
END_TEST

// A link, an empty one that slides on it, and one fixed to that. Where the first and the last begin
// to touch, and hairs from there: nearer than floats can tell, so that only a guard that is wide
// enough leaves it to who can.
START_TEST(near_touching_the_guard_is_wide_enough) {
    SomTestRandom random = {12};
    Tally t = {0};
    int crossed = 0;
    for (int n = 0; n < som_test_count(300, 20000); n++) {
        double scale = n % 3 == 0 ? 1e3 : n % 3 == 1 ? 1 : 1e-2;
        RandomRobot *robot = random_robot(&random, 1, scale);
        SomMechanism m = robot->mechanism;
        SomModuleLink empty = {.part_count = 0};
        SomMechanismLink links[3] = {m.links[0], m.links[1], m.links[2]};
        links[1].parent = 0;
        links[1].connection = -1;
        links[1].type = SOM_JOINT_PRISMATIC;
        links[1].dof = 0;
        links[1].link = &empty;
        links[2].parent = 1;
        links[2].connection = 0;
        links[2].dof = -1;
        m.links = links;
        m.link_count = 3;
        m.dof_count = 1;
        EightPostures p = eight_begin(&m, NULL, (SomBatchPath)(n / 3 % path_count()));
        double low = 0, high = 5 * scale;
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            som_mechanism_place(&m, &(SomPosture){&middle, 1}, p.links[0]);
            bool is_hit = distance_of(&p, 0, 2, 0, scale) <= 0;
            low = is_hit ? middle : low;
            high = is_hit ? high : middle;
        }
        for (int round = 0; low > 0 && round < 4; round++) {
            for (int lane = 0; lane < SOM_BATCH; lane++) {
                double hair = som_test_uniform(&random, -1, 1) * scale;
                p.values[lane] = low + hair * (round == 0   ? 1e-2
                                               : round == 1 ? 1e-5
                                               : round == 2 ? 1e-6
                                                            : 1e-7);
            }
            eight_place(&p);
            compare(&p, 0, NULL, 2e-9 * scale, &t);
        }
        crossed += low > 0;
        eight_end(&p);
        random_robot_free(robot);
    }
    ck_assert_msg(t.wrong == 0, "%ld: %s", t.wrong, t.what);
    ck_assert_int_gt(crossed, 50);
    ck_assert_int_gt(t.hits, t.pairs / 20);
}
END_TEST

START_TEST(margins_slack_and_allowed_overlaps_move_the_limit) {
    SomTestRandom random = {2};
    Tally t = {0};
    for (int n = 0; n < som_test_count(30, 1500); n++) {
        RandomRobot *robot = random_robot(&random, som_test_int(&random, 1, 4), 1);
        EightPostures p = eight_begin(&robot->mechanism, NULL, (SomBatchPath)(n % path_count()));
        double slack[64];
        for (int i = 0; i < p.m->link_count; i++) {
            slack[i] = som_test_uniform(&random, 0, 0.1);
        }
        random_values(&random, p.m, n % 3 != 0, 1, p.values);
        eight_place(&p);
        compare(&p, 0.1, NULL, 1e-7, &t);
        compare(&p, 0.02, slack, 1e-7, &t);
        compare(&p, -0.03, NULL, 1e-6, &t);
        eight_end(&p);
        random_robot_free(robot);
    }
    ck_assert_msg(t.wrong == 0, "%ld: %s", t.wrong, t.what);
    ck_assert_int_gt(t.hits, 1000);
}
END_TEST

// Postures of designs of the library, at random and from tick to tick.
START_TEST(verdicts_of_the_library_are_exact) {
    SomTestRandom random = {3};
    SomTestLibrary library = som_test_library_open();
    Tally t = {0};
    for (int n = 0; n < library.designs.count; n++) {
        const SomConfiguration *c = library.designs.data[n];
        SomMechanism *m = som_mechanism_create(c);
        SomPairs *pairs = som_pairs_create(m);
        EightPostures p =
            eight_begin(m, n % 2 ? pairs : NULL, (SomBatchPath)(n / 2 % path_count()));
        int rounds = m->link_count > 60 ? 1 : som_test_count(3, 100);
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < m->dof_count; i++) {
                double by = som_test_uniform(&random, -0.05, 0.05);
                double at = c->start[i] + som_test_uniform(&random, -1, 1);
                for (int lane = 0; lane < SOM_BATCH; lane++) {
                    p.values[i * SOM_BATCH + lane] =
                        round % 2 ? c->start[i] + som_test_uniform(&random, -2, 2) : at + lane * by;
                }
            }
            eight_place(&p);
            compare(&p, 0, NULL, 1e-9, &t);
        }
        eight_end(&p);
        som_pairs_destroy(pairs);
        som_mechanism_destroy(m);
    }
    som_test_library_close(&library);
    ck_assert_msg(t.wrong == 0, "%ld: %s", t.wrong, t.what);
    ck_assert_int_gt(t.hits, 1000);
}
END_TEST

START_TEST(what_is_not_settled_tells_more_never_less) {
    SomTestRandom random = {4};
    int missing = 0;
    for (int n = 0; n < som_test_count(30, 1000); n++) {
        RandomRobot *robot = random_robot(&random, 4, 1);
        EightPostures p = eight_begin(&robot->mechanism, NULL, (SomBatchPath)(n % path_count()));
        random_values(&random, p.m, true, 1, p.values);
        som_batch_place(p.batch, p.values);
        const SomBatchHit *hits;
        int count = som_batch_find(p.batch, 0.01, NULL, true, &hits);
        SomBatchHit *settled = som_alloc(sizeof *settled * (size_t)(count + 1));
        for (int i = 0; i < count; i++) {
            settled[i] = hits[i];
        }
        int all = som_batch_find(p.batch, 0.01, NULL, false, &hits);
        for (int i = 0; i < count; i++) {
            int lanes = lanes_of(hits, all, settled[i].link_a, settled[i].link_b);
            missing += (settled[i].lanes & ~lanes) != 0;
        }
        som_free(settled);
        eight_end(&p);
        random_robot_free(robot);
    }
    ck_assert_int_eq(missing, 0);
}
END_TEST

START_TEST(places_are_those_of_the_mechanism) {
    SomTestRandom random = {5};
    double turn = 0, shift = 0;
    for (int n = 0; n < som_test_count(40, 1000); n++) {
        double scale = n % 2 ? 1 : 1e4;
        RandomRobot *robot = random_robot(&random, 6, scale);
        EightPostures p = eight_begin(&robot->mechanism, NULL, (SomBatchPath)(n % path_count()));
        random_values(&random, p.m, false, scale, p.values);
        for (int i = 0; n % 4 == 0 && i < p.m->dof_count * SOM_BATCH; i++) {
            p.values[i] *= i % 3 == 0 ? 1e7 : 1e3; // where the reduction of angles has to work
        }
        eight_place(&p);
        double far = som_vec3_length(p.m->base.position) + 24 * scale;
        for (int i = 0; i < p.m->dof_count; i++) {
            bool is_sliding = p.m->links[p.m->joints[i].child].type == SOM_JOINT_PRISMATIC;
            for (int lane = 0; is_sliding && lane < SOM_BATCH; lane++) {
                far += fabs(p.values[i * SOM_BATCH + lane]);
            }
        }
        for (int lane = 0; lane < SOM_BATCH; lane++) {
            for (int i = 0; i < p.m->link_count; i++) {
                SomPose a = som_batch_pose(p.batch, i, lane), b = p.links[lane][i];
                double way = som_vec3_length(som_vec3_sub(a.position, b.position));
                shift = fmax(shift, way / far / 24);
                for (int k = 0; k < 9; k++) {
                    turn = fmax(turn,
                                fabs(a.rotation.m[k / 3][k % 3] - b.rotation.m[k / 3][k % 3]) / 24);
                }
            }
            SomVec3 com = som_mechanism_com(p.m, p.links[lane]);
            com = som_vec3_sub(com, som_batch_com(p.batch, lane));
            shift = fmax(shift, som_vec3_length(com) / far / 24);
        }
        eight_end(&p);
        random_robot_free(robot);
    }
    ck_assert_double_le(turn, 4e-15);
    ck_assert_double_le(shift, 4e-15);
}
END_TEST

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * 0x100000001B3u;
    }
    return hash;
}

// Everything a batch answers, as one number.
static uint64_t hash_of(SomBatch *batch, const SomMechanism *m) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (int i = 0; i < m->link_count; i++) {
        for (int lane = 0; lane < SOM_BATCH; lane++) {
            SomPose pose = som_batch_pose(batch, i, lane);
            hash = hash_bytes(hash, &pose, sizeof pose);
        }
    }
    for (int settle = 0; settle < 2; settle++) {
        const SomBatchHit *hits;
        int count = som_batch_find(batch, 0.01 * settle, NULL, settle == 1, &hits);
        for (int i = 0; i < count; i++) {
            int32_t hit[3] = {hits[i].link_a, hits[i].link_b, hits[i].lanes};
            hash = hash_bytes(hash, hit, sizeof hit);
        }
    }
    const SomBatchClearance *clearances;
    int count = som_batch_clearances(batch, 0.1, &clearances);
    for (int i = 0; i < count; i++) {
        hash = hash_bytes(hash, clearances[i].distance, sizeof clearances[i].distance);
    }
    double margins[SOM_BATCH];
    som_batch_margins(batch, 0.01, margins);
    return hash_bytes(hash, margins, sizeof margins);
}

START_TEST(all_instructions_give_the_same_bits) {
    SomTestRandom random = {6};
    int different = 0;
    for (int n = 0; n < som_test_count(60, 2000); n++) {
        RandomRobot *robot = random_robot(&random, 4, 1);
        const SomMechanism *m = &robot->mechanism;
        double *values = som_alloc(sizeof *values * SOM_BATCH * (size_t)(m->dof_count + 1));
        SomBatch *batches[2] = {som_batch_create(m, NULL), som_batch_create(m, NULL)};
        som_batch_use_path(batches[0], SOM_BATCH_BASELINE);
        if (path_count() == 2) {
            som_batch_use_path(batches[1], SOM_BATCH_AVX2);
        }
        for (int step = 0; step < 3; step++) {
            random_values(&random, m, n % 2 == 0, 1, values);
            som_batch_place(batches[0], values);
            som_batch_place(batches[1], values);
            different += hash_of(batches[0], m) != hash_of(batches[1], m);
        }
        som_batch_destroy(batches[0]);
        som_batch_destroy(batches[1]);
        som_free(values);
        random_robot_free(robot);
    }
    ck_assert_int_eq(different, 0);
}
END_TEST

START_TEST(settled_answers_do_not_depend_on_the_past) {
    SomTestRandom random = {7};
    int different = 0;
    for (int n = 0; n < som_test_count(20, 500); n++) {
        RandomRobot *robot = random_robot(&random, 4, 1);
        EightPostures p = eight_begin(&robot->mechanism, NULL, SOM_BATCH_BASELINE);
        const SomBatchHit *hits, *fresh_hits;
        for (int step = 0; step < 5; step++) {
            random_values(&random, p.m, true, 1, p.values);
            som_batch_place(p.batch, p.values);
            int count = som_batch_find(p.batch, 0, NULL, true, &hits);
            SomBatch *fresh = som_batch_create(p.m, NULL);
            som_batch_place(fresh, p.values);
            int fresh_count = som_batch_find(fresh, 0, NULL, true, &fresh_hits);
            different += count != fresh_count;
            for (int i = 0; i < count && i < fresh_count; i++) {
                different += hits[i].link_a != fresh_hits[i].link_a ||
                             hits[i].link_b != fresh_hits[i].link_b ||
                             hits[i].lanes != fresh_hits[i].lanes;
            }
            som_batch_destroy(fresh);
        }
        eight_end(&p);
        random_robot_free(robot);
    }
    ck_assert_int_eq(different, 0);
}
END_TEST

START_TEST(clearances_are_exact_below_the_limit) {
    SomTestRandom random = {8};
    const double limit = 0.2;
    int wrong = 0, seen = 0;
    double worst = 0;
    for (int n = 0; n < som_test_count(40, 2000); n++) {
        RandomRobot *robot = random_robot(&random, som_test_int(&random, 1, 4), 1);
        EightPostures p = eight_begin(&robot->mechanism, NULL, (SomBatchPath)(n % path_count()));
        random_values(&random, p.m, n % 3 != 0, 1, p.values);
        eight_place(&p);
        const SomBatchClearance *c;
        int count = som_batch_clearances(p.batch, limit, &c), at = 0;
        for (int a = 0; a < p.m->link_count; a++) {
            for (int b = a + 1; b < p.m->link_count; b++) {
                double allowed;
                if (!is_tested(&p, a, b, &allowed)) {
                    continue;
                }
                while (at < count &&
                       (c[at].link_a < a || (c[at].link_a == a && c[at].link_b < b))) {
                    at++;
                }
                bool is_told = at < count && c[at].link_a == a && c[at].link_b == b;
                for (int lane = 0; lane < SOM_BATCH; lane++) {
                    double expected = fmax(distance_of(&p, a, b, lane, limit + 1e-4), 0);
                    if (expected < limit - 1e-5) {
                        wrong += !is_told;
                        worst =
                            is_told ? fmax(worst, fabs(c[at].distance[lane] - expected)) : worst;
                        seen += expected > 0;
                    } else if (is_told && expected > limit + 1e-5) {
                        wrong += c[at].distance[lane] < limit - 1e-5;
                    }
                }
            }
        }
        eight_end(&p);
        random_robot_free(robot);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_double_le(worst, 4e-5);
    ck_assert_int_gt(seen, 1000);
}
END_TEST

START_TEST(a_posture_with_nan_is_apart_nowhere) {
    SomTestRandom random = {10};
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e300, -1e200};
    int missing = 0, spoiled = 0, finite = 0;
    for (int n = 0; n < som_test_count(50, 1000); n++) {
        RandomRobot *robot = random_robot(&random, 3, 1);
        EightPostures p = eight_begin(&robot->mechanism, NULL, (SomBatchPath)(n % path_count()));
        random_values(&random, p.m, true, 1, p.values);
        som_batch_place(p.batch, p.values);
        const SomBatchHit *hits;
        int count = som_batch_find(p.batch, 0, NULL, true, &hits);
        SomBatchHit *before = som_alloc(sizeof *before * (size_t)(count + 1));
        for (int i = 0; i < count; i++) {
            before[i] = hits[i];
        }
        int dof = som_test_int(&random, 0, p.m->dof_count - 1);
        p.values[dof * SOM_BATCH + 3] = bad[n % 5];
        som_batch_place(p.batch, p.values);
        int after = som_batch_find(p.batch, 0, NULL, true, &hits);
        int child = p.m->joints[dof].child;
        for (int a = 0; a < p.m->link_count; a++) {
            for (int b = a + 1; b < p.m->link_count; b++) {
                int was = lanes_of(before, count, a, b), is = lanes_of(hits, after, a, b);
                spoiled += (was & ~8) != (is & ~8);
                double allowed;
                // the link that has no place, against all it is tested with
                bool is_lost = (a == child || b == child) && is_tested(&p, a, b, &allowed) &&
                               p.m->links[a].link->part_count > 0 &&
                               p.m->links[b].link->part_count > 0;
                missing += n % 5 < 3 && is_lost && (is & 8) == 0;
            }
        }
        double margins[SOM_BATCH];
        som_batch_margins(p.batch, 1e-3, margins);
        const SomBatchClearance *clearances;
        som_batch_clearances(p.batch, 0.02, &clearances);
        finite += n % 5 == 0 && p.m->links[child].link->part_count > 0 && !isnan(margins[3]);
        som_free(before);
        eight_end(&p);
        random_robot_free(robot);
    }
    ck_assert_int_eq(missing, 0);
    ck_assert_int_eq(spoiled, 0);
    ck_assert_int_eq(finite, 0);
}
END_TEST

START_TEST(no_shapes_give_no_answers) {
    SomTestRandom random = {11};
    RandomRobot *robot = random_robot(&random, 1, 1);
    SomModuleLink empty = {.part_count = 0};
    SomMechanismLink links[4];
    for (int i = 0; i < robot->mechanism.link_count; i++) {
        links[i] = robot->mechanism.links[i];
        links[i].link = &empty;
    }
    SomMechanism bare = robot->mechanism;
    bare.links = links;
    EightPostures p = eight_begin(&bare, NULL, SOM_BATCH_BASELINE);
    eight_place(&p);
    const SomBatchHit *hits;
    const SomBatchClearance *clearances;
    double margins[SOM_BATCH];
    ck_assert_int_eq(som_batch_find(p.batch, 1, NULL, true, &hits), 0);
    ck_assert_int_eq(som_batch_clearances(p.batch, 1, &clearances), 0);
    som_batch_margins(p.batch, 1, margins);
    ck_assert(isnan(margins[0]));
    som_batch_destroy(NULL);
    eight_end(&p);
    random_robot_free(robot);
}
END_TEST

SOM_SUITE("verify/batch", verdicts_are_those_of_exact_distances,
          near_touching_the_guard_is_wide_enough, margins_slack_and_allowed_overlaps_move_the_limit,
          verdicts_of_the_library_are_exact, what_is_not_settled_tells_more_never_less,
          places_are_those_of_the_mechanism, all_instructions_give_the_same_bits,
          settled_answers_do_not_depend_on_the_past, clearances_are_exact_below_the_limit,
          a_posture_with_nan_is_apart_nowhere, no_shapes_give_no_answers)
