// SPDX-License-Identifier: Apache-2.0

#include "verify/contact_forces.h"

#include <math.h>
#include <string.h>

#define MOST_STEPS 20
#define MOST_HALVINGS 40
#define STIFFEST 1e-1 // of the spring that holds the robot near where it was …
#define SOFTEST 1e-7  // … which is weakened tenfold from round to round
#define MOST_ROUNDS 10
#define HOPELESS 0.9
#define EXACT 1e-11   // of the load: nothing is left to improve
#define SMALLEST 1e-9 // metres, and of the way to the origin: shorter is rounding
#define BALANCED 1e-6 // of the load: rounding

// The problem in its own units: lengths by `length` round the middle of the pads, forces by the
// load. Unknown is the movement x of the robot, its turn and then its shift.
typedef struct Problem {
    const SomPad *pads;
    int count;
    SomVec3 middle;
    double length;
    double force;     // unit
    double needed[6]; // moment and force that balance the load
    // A spring to `near` makes the least energy a single one, whatever the contacts are. It pulls
    // with nothing at its end, so that rounds of it, each from where the last one ended, lead to
    // the forces without it (the proximal point method).
    double spring;
    double near[6];
} Problem;

// ---- friction cones

// The nearest force in a cone, and the derivative of that.
static SomVec3 project(SomVec3 g, double mu, double d[3][3]) {
    double level = sqrt(g.x * g.x + g.y * g.y);
    memset(d, 0, 9 * sizeof(double));
    if (level <= mu * g.z) {
        d[0][0] = d[1][1] = d[2][2] = 1;
        return g;
    }
    if (mu * level <= -g.z) {
        return som_vec3(0, 0, 0);
    }
    double share = 1 / (1 + mu * mu), normal = (g.z + mu * level) * share;
    double tx = level > 0 ? g.x / level : 0, ty = level > 0 ? g.y / level : 0;
    double along = mu * mu * share, across = level > 0 ? mu * normal / level : 0;
    d[0][0] = along * tx * tx + across * ty * ty;
    d[1][1] = along * ty * ty + across * tx * tx;
    d[0][1] = d[1][0] = (along - across) * tx * ty;
    d[0][2] = d[2][0] = mu * share * tx;
    d[1][2] = d[2][1] = mu * share * ty;
    d[2][2] = share;
    return som_vec3(mu * normal * tx, mu * normal * ty, normal);
}

static SomVec3 lever_of(const Problem *p, int i) {
    return som_vec3_scale(1 / p->length, som_vec3_sub(p->pads[i].point, p->middle));
}

// How a pad is pressed by a movement, times its stiffness.
static SomVec3 press(const Problem *p, int i, SomVec3 lever, const double x[6]) {
    SomVec3 turn = som_vec3(x[0], x[1], x[2]), shift = som_vec3(x[3], x[4], x[5]);
    return som_vec3_scale(p->pads[i].weight, som_vec3_add(shift, som_vec3_cross(turn, lever)));
}

// ---- Newton's method

// Adds a pad's stiffness to the lower triangle of h: A^T (w D) A with A = [-[lever]x, 1].
static void add_stiffness(double h[6][6], SomVec3 r, double w, double d[3][3]) {
    const double cross[3][3] = {{0, r.z, -r.y}, {-r.z, 0, r.x}, {r.y, -r.x, 0}}; // columns: turns
    double da[3][3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            da[i][k] = w * (d[i][0] * cross[0][k] + d[i][1] * cross[1][k] + d[i][2] * cross[2][k]);
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k <= i; k++) {
            h[i][k] += cross[0][i] * da[0][k] + cross[1][i] * da[1][k] + cross[2][i] * da[2][k];
            h[3 + i][3 + k] += w * d[i][k];
        }
        for (int k = 0; k < 3; k++) {
            h[3 + i][k] += da[i][k];
        }
    }
}

// The energy of a movement, of which the least is looked for; its slope and curvature if wanted.
static double measure(const Problem *p, const double x[6], double slope[6], double h[6][6]) {
    double energy = 0, d[3][3];
    if (slope != NULL) {
        memset(h, 0, 36 * sizeof(double));
    }
    for (int k = 0; k < 6; k++) {
        double away = x[k] - p->near[k];
        energy += 0.5 * p->spring * away * away - p->needed[k] * x[k];
        if (slope != NULL) {
            slope[k] = p->spring * away - p->needed[k];
            h[k][k] = p->spring;
        }
    }
    for (int i = 0; i < p->count; i++) {
        SomVec3 r = lever_of(p, i);
        SomVec3 f = project(press(p, i, r, x), p->pads[i].friction, d);
        energy += 0.5 * som_vec3_dot(f, f) / p->pads[i].weight;
        if (slope != NULL) {
            SomVec3 moment = som_vec3_cross(r, f);
            slope[0] += moment.x, slope[1] += moment.y, slope[2] += moment.z;
            slope[3] += f.x, slope[4] += f.y, slope[5] += f.z;
            add_stiffness(h, r, p->pads[i].weight, d);
        }
    }
    return energy;
}

// x <- h^-1 x by Cholesky, in the lower triangle.
static void solve(double h[6][6], double x[6]) {
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k <= i; k++) {
            double sum = h[i][k];
            for (int j = 0; j < k; j++) {
                sum -= h[i][j] * h[k][j];
            }
            h[i][k] = i > k ? sum / h[k][k] : sqrt(fmax(sum, SOFTEST * 1e-3));
        }
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < i; j++) {
            x[i] -= h[i][j] * x[j];
        }
        x[i] /= h[i][i];
    }
    for (int i = 5; i >= 0; i--) {
        for (int j = i + 1; j < 6; j++) {
            x[i] -= h[j][i] * x[j];
        }
        x[i] /= h[i][i];
    }
}

static double length6(const double x[6]) {
    double sum = 0;
    for (int k = 0; k < 6; k++) {
        sum += x[k] * x[k];
    }
    return sqrt(sum);
}

// Newton's method with steps halved until they pay. False if it did not come to the end.
static bool minimise(const Problem *p, double x[6]) {
    for (int n = 0; n < MOST_STEPS; n++) {
        double slope[6], h[6][6], step[6], next[6], along = 0, size = 1;
        double energy = measure(p, x, slope, h);
        if (length6(slope) <= EXACT) {
            return true;
        }
        memcpy(step, slope, sizeof step);
        solve(h, step);
        for (int k = 0; k < 6; k++) {
            along += slope[k] * step[k];
        }
        for (int halvings = 0;; halvings++, size /= 2) {
            for (int k = 0; k < 6; k++) {
                next[k] = x[k] - size * step[k];
            }
            double change = measure(p, next, NULL, NULL) - energy;
            if (change <= -1e-4 * size * along + 1e-15 * fabs(energy)) {
                break;
            }
            if (halvings == MOST_HALVINGS || !isfinite(along)) {
                return false;
            }
        }
        memcpy(x, next, sizeof next);
    }
    return false;
}

// What the spring has to carry.
static double spring_pull(const Problem *p, const double x[6]) {
    double away[6];
    for (int k = 0; k < 6; k++) {
        away[k] = p->spring * (x[k] - p->near[k]);
    }
    return length6(away);
}

// The weakest spring at once nearly always does; else from a strong one on. A spring that carries
// as much as in the round before will do so for ever: contacts cannot.
static void find_movement(Problem *p, double x[6]) {
    p->spring = SOFTEST;
    if (!minimise(p, x)) {
        memset(x, 0, 6 * sizeof *x);
        p->spring = STIFFEST;
        minimise(p, x);
    }
    double pull = spring_pull(p, x);
    for (int round = 0; round < MOST_ROUNDS && pull > EXACT; round++) {
        double last = pull;
        memcpy(p->near, x, sizeof p->near);
        p->spring = fmax(p->spring / 10, SOFTEST);
        minimise(p, x);
        pull = spring_pull(p, x);
        if (pull > HOPELESS * last && pull > BALANCED) {
            return;
        }
    }
}

// ---- the outside

static Problem make_problem(const SomPad *pads, int count, SomWrench load) {
    Problem p = {.pads = pads, .count = count, .length = 0, .middle = {0, 0, 0}};
    for (int i = 0; i < count; i++) {
        p.middle = som_vec3_add(p.middle, som_vec3_scale(1.0 / count, pads[i].point));
    }
    for (int i = 0; i < count; i++) {
        p.length = fmax(p.length, som_vec3_length(som_vec3_sub(pads[i].point, p.middle)));
    }
    SomVec3 moment = som_vec3_sub(load.moment, som_vec3_cross(p.middle, load.force));
    p.force = som_vec3_length(load.force);
    double turning = som_vec3_length(moment);
    // a load far beside contacts that are close together, one point, a moment alone, nothing
    p.length = fmax(p.length, p.force > 0 ? 0.01 * turning / p.force : 0);
    p.length = fmax(p.length, SMALLEST * (1 + som_vec3_length(p.middle)));
    p.force = p.force > 0 ? p.force : turning / p.length;
    p.force = p.force > 0 ? p.force : 1;
    double arm = p.force * p.length;
    const double needed[] = {-moment.x / arm,         -moment.y / arm,
                             -moment.z / arm,         -load.force.x / p.force,
                             -load.force.y / p.force, -load.force.z / p.force};
    memcpy(p.needed, needed, sizeof needed);
    return p;
}

SomWrench som_contact_forces_find(const SomPad *pads, int count, SomWrench load, SomVec3 *forces) {
    Problem p = make_problem(pads, count, load);
    double x[6] = {0};
    find_movement(&p, x);
    SomWrench missing = load;
    for (int i = 0; i < count; i++) {
        double d[3][3];
        SomVec3 f = project(press(&p, i, lever_of(&p, i), x), pads[i].friction, d);
        forces[i] = som_vec3_scale(p.force, f);
        missing.force = som_vec3_add(missing.force, forces[i]);
        missing.moment = som_vec3_add(missing.moment, som_vec3_cross(pads[i].point, forces[i]));
    }
    missing.force = som_vec3_scale(-1, missing.force);
    missing.moment = som_vec3_scale(-1, missing.moment);
    return missing;
}

bool som_contact_forces_balance(const SomPad *pads, int count, SomWrench load, SomWrench missing) {
    Problem p = make_problem(pads, count, load);
    SomVec3 moment = som_vec3_sub(missing.moment, som_vec3_cross(p.middle, missing.force));
    return som_vec3_length(missing.force) <= BALANCED * p.force &&
           som_vec3_length(moment) <= BALANCED * p.force * p.length;
}
