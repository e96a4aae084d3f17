// SPDX-License-Identifier: Apache-2.0
#include "player/weld_spring.h"

#include <math.h>
#include <string.h>

// Of what the step can bear: beyond 4 springs explode, beyond 2 dampers. As in the embedded run.
#define SPRING 0.05
#define DAMPER 0.3
// Of the way off, a second, by which a spring that aligns pulls more; and the most of it, metre and
// sine of an angle.
#define ALIGN_RATE 30
#define MOST_OFF 0.02
#define MOST_TURN 0.2
// Metres in a step: somebody has put a body elsewhere.
#define JUMP 0.05

static double length(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// How far the child is from where it should be, at the middle of the two, and how it is turned.
static void measure(const SomRobotWeld *weld, const SomBodyPlace *parent, const SomBodyPlace *child,
                    double at[3], SomWeldSpring *now) {
    SomBodyPlace wanted = som_body_place_compose(parent, &weld->place);
    double middle[3], wanted_at[3];
    for (int i = 0; i < 3; i++) { // in the child: the inverse of the place of the weld
        middle[i] = 0;
        for (int k = 0; k < 3; k++) {
            middle[i] += weld->place.rotation[k][i] * (weld->middle[k] - weld->place.position[k]);
        }
    }
    som_body_place_apply(&wanted, middle, wanted_at);
    som_body_place_apply(child, middle, at);
    double off[3][3]; // from the child to where it should be
    for (int i = 0; i < 3; i++) {
        now->off[i] = wanted_at[i] - at[i];
        for (int k = 0; k < 3; k++) {
            off[i][k] = wanted.rotation[i][0] * child->rotation[k][0] +
                        wanted.rotation[i][1] * child->rotation[k][1] +
                        wanted.rotation[i][2] * child->rotation[k][2];
        }
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        now->turn[i] = 0.5 * (off[k][j] - off[j][k]);
    }
    now->has_before = true;
}

static double sum_of(double sum, double more, double most) {
    sum += ALIGN_RATE * more;
    return sum > most ? most : sum < -most ? -most : sum;
}

bool som_weld_spring_pull(const SomRobotWeld *weld, SomWeldSpring *spring,
                          const SomBodyPlace *parent, const SomBodyPlace *child, double dt,
                          SomBodyLoad *load) {
    memset(load, 0, sizeof *load);
    if (!(weld->mass > 0) || !(weld->inertia > 0) || !(dt > 0) || !isfinite(dt)) {
        return false;
    }
    SomWeldSpring now = *spring;
    measure(weld, parent, child, load->at, &now);
    double moved[3];
    for (int i = 0; i < 3; i++) {
        moved[i] = now.off[i] - spring->off[i];
    }
    for (int i = 0; i < 3; i++) {
        now.off_sum[i] = now.aligns ? sum_of(now.off_sum[i], now.off[i] * dt, MOST_OFF) : 0;
        now.turn_sum[i] = now.aligns ? sum_of(now.turn_sum[i], now.turn[i] * dt, MOST_TURN) : 0;
    }
    bool is_new = !spring->has_before || !(length(moved) < JUMP);
    for (int i = 0; i < 3; i++) {
        double speed = is_new ? 0 : moved[i], turning = is_new ? 0 : now.turn[i] - spring->turn[i];
        load->force[i] =
            weld->mass / (dt * dt) * (SPRING * (now.off[i] + now.off_sum[i]) + DAMPER * speed);
        load->torque[i] = weld->inertia / (dt * dt) *
                          (SPRING * (now.turn[i] + now.turn_sum[i]) + DAMPER * turning);
    }
    if (som_weld_spring_is_far(&now)) {
        memset(load, 0, sizeof *load);
    }
    *spring = now;
    return true;
}

// What two have in common against a push between them, and some room for rounding.
static double common(const double values[2]) {
    return 1.001 * values[0] * values[1] / (values[0] + values[1]);
}

bool som_weld_spring_fits(const SomRobotWeld *weld, const double masses[2],
                          const double moments[2]) {
    return weld->mass <= common(masses) && weld->inertia <= common(moments);
}

bool som_weld_spring_is_far(const SomWeldSpring *spring) {
    return !(length(spring->off) <= SOM_WELD_FAR); // so is what is not a number
}
