// SPDX-License-Identifier: Apache-2.0

#include "verify/contact_forces.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MOST_STEPS 20
#define MOST_HALVINGS 40
#define STIFFEST 1e-1 // of the spring that holds the robot near where it was …
#define SOFTEST 1e-7  // … which is weakened tenfold from round to round
#define MOST_ROUNDS 10
#define HOPELESS 0.9
#define EXACT 1e-11   // of the load: nothing is left to improve
#define FINE 1e-8     // of the load: as good as nothing
#define SMALLEST 1e-9 // metres, and of the way to the origin: shorter is rounding
#define BALANCED 1e-6 // of the load: rounding

#define SPARING 300.0 // how much softer than a pad the weakest joint is
#define YIELDS 3      // times that joints get ten times as soft beyond their limits

// The problem in its own units: lengths by `length` round the middle of the pads, forces by the
// load. Unknown is the movement x of the robot: its turn, its shift, then its joints.
typedef struct Problem {
    const SomContactProblem *given;
    SomVec3 middle;
    double length;
    double force; // unit
    int unknowns;
    double needed[SOM_CONTACT_MOVEMENT];    // moment, force and efforts that balance the load
    double stiffness[SOM_CONTACT_MOVEMENT]; // of joints; 0 for the robot as a whole
    double yield[SOM_CONTACT_MOVEMENT];     // efforts beyond which joints give way …
    double softness;                        // … to what part of their stiffness; 1: they do not
    // A spring to `near` makes the least energy a single one, whatever the contacts are. It pulls
    // with nothing at its end, so that rounds of it, each from where the last one ended, lead to
    // the forces without it (the proximal point method).
    double spring;
    double near[SOM_CONTACT_MOVEMENT];
} Problem;

// The unknowns that move a pad, and how.
typedef struct Columns {
    int index[SOM_CONTACT_MOVEMENT];
    SomVec3 way[SOM_CONTACT_MOVEMENT];
    int count;
} Columns;

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

static void find_columns(const Problem *p, int pad, Columns *c) {
    const SomPad *given = &p->given->pads[pad];
    double scale = 1 / p->length;
    SomVec3 r = som_vec3_scale(scale, som_vec3_sub(given->point, p->middle));
    const SomVec3 whole[] = {{0, -r.z, r.y}, {r.z, 0, -r.x}, {-r.y, r.x, 0},
                             {1, 0, 0},      {0, 1, 0},      {0, 0, 1}};
    for (int k = 0; k < 6; k++) {
        c->index[k] = k;
        c->way[k] = whole[k];
    }
    c->count = 6;
    for (int k = 0; p->unknowns > 6 && k < given->count; k++) {
        const SomPadMove *move = &p->given->moves[given->first + k];
        c->index[c->count] = 6 + move->joint;
        c->way[c->count++] = som_vec3_scale(scale, move->way);
    }
}

// How a pad is pressed by a movement, times its stiffness.
static SomVec3 press(const Problem *p, int pad, const Columns *c, const double *x) {
    SomVec3 sum = som_vec3(0, 0, 0);
    for (int k = 0; k < c->count; k++) {
        sum = som_vec3_add(sum, som_vec3_scale(x[c->index[k]], c->way[k]));
    }
    return som_vec3_scale(p->given->pads[pad].weight, sum);
}

// ---- Newton's method

// Slope and curvature of the energy of a movement; the lower triangle.
typedef struct Slope {
    double g[SOM_CONTACT_MOVEMENT];
    double h[SOM_CONTACT_MOVEMENT][SOM_CONTACT_MOVEMENT];
} Slope;

static void add_pad(Slope *s, const Columns *c, SomVec3 f, double weight, double d[3][3]) {
    for (int k = 0; k < c->count; k++) {
        SomVec3 a = c->way[k];
        SomVec3 da =
            som_vec3_scale(weight, som_vec3(d[0][0] * a.x + d[0][1] * a.y + d[0][2] * a.z,
                                            d[1][0] * a.x + d[1][1] * a.y + d[1][2] * a.z,
                                            d[2][0] * a.x + d[2][1] * a.y + d[2][2] * a.z));
        int row = c->index[k];
        s->g[row] += som_vec3_dot(a, f);
        for (int j = 0; j <= k; j++) {
            int column = c->index[j];
            double *h = column <= row ? &s->h[row][column] : &s->h[column][row];
            *h += som_vec3_dot(c->way[j], da);
        }
    }
}

// The energy of a joint that is moved by x, the effort with which it resists, and its slope.
static double strain(const Problem *p, int k, double x, double *effort, double *slope) {
    double stiff = p->stiffness[k], yield = p->yield[k];
    *effort = stiff * x;
    *slope = stiff;
    if (p->softness == 1 || fabs(*effort) <= yield) {
        return 0.5 * stiff * x * x;
    }
    double beyond = fabs(x) - yield / stiff;
    *slope = p->softness * stiff;
    *effort = copysign(yield + *slope * beyond, x);
    return 0.5 * yield * yield / stiff + (yield + 0.5 * *slope * beyond) * beyond;
}

// The energy of a movement, of which the least is looked for; its slope if wanted.
static double measure(const Problem *p, const double *x, Slope *slope) {
    double energy = 0, d[3][3];
    for (int k = 0; k < p->unknowns; k++) {
        double away = x[k] - p->near[k], effort, stiff;
        energy += strain(p, k, x[k], &effort, &stiff);
        energy += 0.5 * p->spring * away * away - p->needed[k] * x[k];
        if (slope != NULL) {
            memset(slope->h[k], 0, sizeof(double) * (size_t)(k + 1));
            slope->g[k] = p->spring * away + effort - p->needed[k];
            slope->h[k][k] = p->spring + stiff;
        }
    }
    for (int i = 0; i < p->given->count; i++) {
        Columns c;
        find_columns(p, i, &c);
        double weight = p->given->pads[i].weight;
        SomVec3 f = project(press(p, i, &c, x), p->given->pads[i].friction, d);
        energy += 0.5 * som_vec3_dot(f, f) / weight;
        // outside of its cone a pad pushes with nothing, and most of those of a snake do
        if (slope != NULL && f.z != 0) {
            add_pad(slope, &c, f, weight, d);
        }
    }
    return energy;
}

// x <- h^-1 x by Cholesky, in the lower triangle, from the last unknown to the first: joints of
// different legs have nothing to do with each other until the robot as a whole is left.
static void solve(Slope *slope, int n, double *x) {
    for (int k = n - 1; k >= 0; k--) {
        double *row = slope->h[k];
        row[k] = sqrt(fmax(row[k], SOFTEST * 1e-3));
        x[k] /= row[k];
        for (int i = 0; i < k; i++) {
            row[i] /= row[k];
        }
        for (int i = 0; i < k; i++) {
            if (row[i] == 0) {
                continue;
            }
            x[i] -= row[i] * x[k];
            for (int j = 0; j <= i; j++) {
                slope->h[i][j] -= row[i] * row[j];
            }
        }
    }
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < k; i++) {
            x[k] -= slope->h[k][i] * x[i];
        }
        x[k] /= slope->h[k][k];
    }
}

static double length_of(const double *x, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) {
        sum += x[k] * x[k];
    }
    return sqrt(sum);
}

// Newton's method with steps halved until they pay. False if it did not come to the end.
static bool minimise(const Problem *p, double *x) {
    int n = p->unknowns;
    Slope slope;
    double step[SOM_CONTACT_MOVEMENT], next[SOM_CONTACT_MOVEMENT], last = 1;
    double energy = measure(p, x, &slope);
    for (int round = 0; round < MOST_STEPS; round++) {
        double along = 0, size = 1, left = length_of(slope.g, n), reached;
        // what is small and does not get smaller is rounding of the energy
        if (left <= EXACT || (left <= FINE && last < 1)) {
            return true;
        }
        memcpy(step, slope.g, sizeof *step * (size_t)n);
        solve(&slope, n, step);
        for (int k = 0; k < n; k++) {
            along += slope.g[k] * step[k];
        }
        for (int halvings = 0;; halvings++, size /= 2) {
            for (int k = 0; k < n; k++) {
                next[k] = x[k] - size * step[k];
            }
            // a whole step is nearly always taken, and its slope is that of the next round
            reached = measure(p, next, halvings == 0 ? &slope : NULL);
            if (reached - energy <= -1e-4 * size * along + 1e-15 * fabs(energy)) {
                break;
            }
            if (halvings == MOST_HALVINGS || !isfinite(along)) {
                return left <= FINE;
            }
        }
        memcpy(x, next, sizeof *next * (size_t)n);
        energy = size < 1 ? measure(p, x, &slope) : reached;
        last = size;
    }
    return false;
}

// What the spring has to carry.
static double spring_pull(const Problem *p, const double *x) {
    double away[SOM_CONTACT_MOVEMENT];
    for (int k = 0; k < p->unknowns; k++) {
        away[k] = p->spring * (x[k] - p->near[k]);
    }
    return length_of(away, p->unknowns);
}

// The weakest spring at once nearly always does; else from a strong one on. A spring that carries
// as much as in the round before will do so for ever: contacts cannot.
static void find_movement(Problem *p, double *x) {
    size_t size = sizeof *x * (size_t)p->unknowns;
    memcpy(p->near, x, size);
    p->spring = SOFTEST;
    if (!minimise(p, x)) {
        memcpy(x, p->near, size);
        p->spring = STIFFEST;
        minimise(p, x);
    }
    double pull = spring_pull(p, x);
    for (int round = 0; round < MOST_ROUNDS && pull > EXACT; round++) {
        double last = pull;
        memcpy(p->near, x, size);
        p->spring = fmax(p->spring / 10, SOFTEST);
        minimise(p, x);
        pull = spring_pull(p, x);
        if (pull > HOPELESS * last && pull > BALANCED) {
            return;
        }
    }
}

// ---- the outside

static void set_joints(Problem *p) {
    const SomContactProblem *given = p->given;
    double weakest = (double)INFINITY;
    p->unknowns = 6 + given->joint_count;
    p->softness = 1;
    for (int k = 0; k < given->joint_count; k++) {
        weakest = fmin(weakest, given->limits[k]);
    }
    for (int k = 0; k < given->joint_count; k++) {
        double strength = given->limits[k] / weakest;
        p->stiffness[6 + k] = strength * strength / SPARING;
        p->needed[6 + k] = given->efforts[k] / (p->force * p->length);
        p->yield[6 + k] = given->limits[k] / (p->force * p->length);
    }
}

// Whether any joint would have to hold more than its limit.
static bool is_beyond(const Problem *p, const double *x) {
    for (int k = 6; k < p->unknowns; k++) {
        if (fabs(p->stiffness[k] * x[k]) > p->yield[k]) {
            return true;
        }
    }
    return false;
}

static void make_problem(const SomContactProblem *given, Problem *p) {
    p->given = given;
    p->middle = som_vec3(0, 0, 0);
    p->length = 0;
    for (int i = 0; i < given->count; i++) {
        p->middle =
            som_vec3_add(p->middle, som_vec3_scale(1.0 / given->count, given->pads[i].point));
    }
    for (int i = 0; i < given->count; i++) {
        SomVec3 lever = som_vec3_sub(given->pads[i].point, p->middle);
        p->length = fmax(p->length, som_vec3_length(lever));
    }
    SomVec3 force = given->load.force;
    SomVec3 moment = som_vec3_sub(given->load.moment, som_vec3_cross(p->middle, force));
    double turning = som_vec3_length(moment);
    p->force = som_vec3_length(force);
    // a load far beside contacts that are close together, one point, a moment alone, nothing
    p->length = fmax(p->length, p->force > 0 ? 0.01 * turning / p->force : 0);
    p->length = fmax(p->length, SMALLEST * (1 + som_vec3_length(p->middle)));
    p->force = p->force > 0 ? p->force : turning / p->length;
    p->force = p->force > 0 ? p->force : 1;
    double arm = p->force * p->length;
    const double needed[] = {-moment.x / arm,     -moment.y / arm,     -moment.z / arm,
                             -force.x / p->force, -force.y / p->force, -force.z / p->force};
    memcpy(p->needed, needed, sizeof needed);
    memset(p->stiffness, 0, 6 * sizeof *p->stiffness);
    memset(p->yield, 0, 6 * sizeof *p->yield);
    set_joints(p);
    memset(p->near, 0, sizeof *p->near * (size_t)p->unknowns);
}

SomWrench som_contact_forces_find(const SomContactProblem *problem, SomVec3 *forces) {
    assert(problem->joint_count <= SOM_CONTACT_MOST_JOINTS);
    Problem p;
    make_problem(problem, &p);
    double x[SOM_CONTACT_MOVEMENT] = {0};
    if (problem->movement != NULL) {
        memcpy(x, problem->movement, sizeof *x * (size_t)p.unknowns);
    }
    find_movement(&p, x);
    // softer and softer beyond their limits, each time from where the last one ended
    for (int i = 0; is_beyond(&p, x) && i < YIELDS; i++) {
        p.softness /= 10;
        find_movement(&p, x);
    }
    if (problem->movement != NULL) {
        memcpy(problem->movement, x, sizeof *x * (size_t)p.unknowns);
    }
    SomWrench missing = problem->load;
    for (int i = 0; i < problem->count; i++) {
        double d[3][3];
        Columns c;
        find_columns(&p, i, &c);
        SomVec3 f = project(press(&p, i, &c, x), problem->pads[i].friction, d);
        SomVec3 point = problem->pads[i].point;
        forces[i] = som_vec3_scale(p.force, f);
        missing.force = som_vec3_add(missing.force, forces[i]);
        missing.moment = som_vec3_add(missing.moment, som_vec3_cross(point, forces[i]));
    }
    missing.force = som_vec3_scale(-1, missing.force);
    missing.moment = som_vec3_scale(-1, missing.moment);
    return missing;
}

bool som_contact_forces_balance(const SomContactProblem *problem, SomWrench missing) {
    Problem p;
    make_problem(problem, &p);
    SomVec3 moment = som_vec3_sub(missing.moment, som_vec3_cross(p.middle, missing.force));
    return som_vec3_length(missing.force) <= BALANCED * p.force &&
           som_vec3_length(moment) <= BALANCED * p.force * p.length;
}
