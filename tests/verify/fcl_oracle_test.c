// SPDX-License-Identifier: Apache-2.0
// Random pairs of all kinds of shapes: FCL, som_shape_touch and the sample kernel say the same of
// all that are more than a tenth of a millimetre from touching.

#include "tests/suite.h"
#include "tests/verify/fcl_shapes.h"
#include "tests/verify/two_links.h"
#include "verify/batch.h"

#include <math.h>
#include <stdio.h>

#define UNDECIDED 1e-4 // metres; FCL's own tolerance is about a hundredth of it
#define BATCHES 10     // of each robot
#define MOST_PARTS 3

typedef struct Opinions {
    FclShape *a[MOST_PARTS], *b[MOST_PARTS];
} Opinions;

static Opinions make_opinions(const TwoLinks *links) {
    Opinions o = {0};
    ck_assert(links->a->part_count <= MOST_PARTS && links->b->part_count <= MOST_PARTS);
    for (int i = 0; i < links->a->part_count; i++) {
        o.a[i] = fcl_shape_create(&links->a->parts[i].shape);
    }
    for (int i = 0; i < links->b->part_count; i++) {
        o.b[i] = fcl_shape_create(&links->b->parts[i].shape);
    }
    return o;
}

static void free_opinions(Opinions *o) {
    for (int i = 0; i < MOST_PARTS; i++) {
        fcl_shape_destroy(o->a[i]);
        fcl_shape_destroy(o->b[i]);
    }
}

// What FCL and som_shape_touch say, as bits 0 and 1.
static int ask(const TwoLinks *links, const Opinions *o, SomPose pose_a, SomPose pose_b) {
    int verdicts = 0;
    for (int i = 0; i < links->a->part_count; i++) {
        for (int k = 0; k < links->b->part_count; k++) {
            const SomShapePart *p = &links->a->parts[i], *q = &links->b->parts[k];
            SomPose at = som_pose_compose(pose_a, p->pose), bt = som_pose_compose(pose_b, q->pose);
            verdicts |= fcl_shapes_touch(o->a[i], &at, o->b[k], &bt);
            verdicts |= som_shape_touch(&p->shape, at, &q->shape, bt, NULL) << 1;
        }
    }
    return verdicts;
}

START_TEST(fcl_agrees_about_all_kinds_of_shapes) {
    SomTestRandom random = {7};
    int wanted = som_test_count(20000, 200000), decided = 0, touching = 0, wrong = 0;
    for (int i = 0; decided < wanted; i++) {
        TwoLinks links =
            two_links_create(&random, (SomShapeKind)(i % 6), (SomShapeKind)(i / 6 % 6));
        Opinions opinions = make_opinions(&links);
        SomBatch *batch = som_batch_create(links.robot.mechanism, NULL);
        for (int n = 0; n < BATCHES; n++) {
            TwoPostures postures;
            two_links_pose(&links, &random, &postures);
            som_batch_place(batch, postures.values);
            const SomBatchHit *hits;
            int lanes = som_batch_find(batch, 0, NULL, true, &hits) > 0 ? hits[0].lanes : 0;
            for (int lane = 0; lane < TWO_LANES; lane++) {
                if (fabs(postures.distance[lane]) < UNDECIDED) {
                    continue;
                }
                int verdicts =
                    ask(&links, &opinions, postures.pose_a[lane], postures.pose_b[lane]) |
                    (lanes >> lane & 1) << 2;
                decided++;
                touching += verdicts & 1;
                if (verdicts != 0 && verdicts != 7 && wrong++ < 10) {
                    fprintf(stderr, "robot %d, %g m: FCL %d, shapes %d, kernel %d\n", i,
                            postures.distance[lane], verdicts & 1, verdicts >> 1 & 1,
                            verdicts >> 2);
                }
            }
        }
        som_batch_destroy(batch);
        free_opinions(&opinions);
        two_links_free(&links);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert(touching > decided / 5 && touching < 4 * decided / 5);
}
END_TEST

SOM_SUITE("verify/fcl_oracle", fcl_agrees_about_all_kinds_of_shapes)
