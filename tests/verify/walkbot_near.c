// SPDX-License-Identifier: Apache-2.0

#include "tests/verify/walkbot_near.h"

const char *const walkbot_near_text = "use \"chain3.som\"\n"
                                      "config Near {\n"
                                      "    part body[5] : Module\n"
                                      "    part front, rear : Chain3\n"
                                      "    connect body[i].B to body[i+1].T for i in 1..4\n"
                                      "    connect front.head.L to body[2].L at 270deg\n"
                                      "    connect rear.head.L to body[4].L at 270deg\n"
                                      "    pose stand { front.leg; rear.leg }\n"
                                      "    start stand\n"
                                      "    base body[1] on ground\n"
                                      "}\n";

// The knees go by this, and the feet back by as much, so that they stay level.
#define SWING 1.210865238198

WalkbotNear walkbot_near(void) {
    WalkbotNear w = {.design = test_design(walkbot_near_text)};
    w.c = test_compose(&w.design, "");
    w.m = som_mechanism_create(w.c);
    SomPosture from = som_posture_start(w.c), to = som_posture_start(w.c);
    static const struct {
        const char *dof;
        double way;
    } moves[] = {{"front.middle.bend", -SWING},
                 {"front.tail.bend", SWING},
                 {"rear.middle.bend", SWING},
                 {"rear.tail.bend", -SWING}};
    for (int i = 0; i < 4; i++) {
        int dof = som_configuration_find_dof(w.c, som_str(moves[i].dof), NULL);
        ck_assert_int_ge(dof, 0);
        to.values[dof] += moves[i].way;
    }
    w.t = test_straight_motion(w.m, from.values, to.values, 101, 1);
    som_posture_free(&from);
    som_posture_free(&to);
    return w;
}

void walkbot_near_free(WalkbotNear *w) {
    test_motion_free(&w->t);
    som_mechanism_destroy(w->m);
    som_configuration_destroy(w->c);
    test_design_free(&w->design);
}
