// SPDX-License-Identifier: Apache-2.0

#include "verify/slip.h"

#include "base/memory.h"
#include "verify/contact_forces.h"
#include "verify/statics.h"

#include <math.h>

#define MOST_FACTOR 1e4
#define EXACT 1e-3
#define MOST_HALVINGS 40

typedef struct Slip {
    SomPad *pads;
    double *friction; // of each pad
    SomVec3 *forces;
    int count;
    SomWrench weight;
} Slip;

static bool holds(Slip *s, double factor) {
    for (int i = 0; i < s->count; i++) {
        s->pads[i].friction = factor * s->friction[i];
    }
    SomContactProblem problem = {.pads = s->pads, .count = s->count, .load = s->weight};
    return som_contact_forces_balance(&problem, som_contact_forces_find(&problem, s->forces));
}

// Between what does not hold and what does. With one coefficient the lower bound is all but exact.
static double search(Slip *s, double least) {
    if (!(least < MOST_FACTOR)) {
        return (double)INFINITY;
    }
    double low = least, high = least * (1 + EXACT);
    while (!holds(s, high)) {
        low = high;
        high *= high < 2 * least ? 1.25 : 4;
        if (high > MOST_FACTOR) {
            return (double)INFINITY;
        }
    }
    for (int i = 0; i < MOST_HALVINGS && high - low > EXACT * high; i++) {
        double middle = (low + high) / 2;
        *(holds(s, middle) ? &high : &low) = middle;
    }
    return high;
}

// The roughest link that touches; the pads have the friction of their links.
static double begin(Slip *s, const SomMechanism *m, const SomContacts *contacts, SomVec3 com,
                    SomVec3 down, double friction) {
    size_t count = (size_t)contacts->count;
    double *own = som_alloc(sizeof *own * count), roughest = 0;
    *s = (Slip){.pads = som_alloc(sizeof *s->pads * count),
                .friction = own,
                .forces = som_alloc(sizeof *s->forces * count),
                .count = contacts->count,
                .weight = {som_vec3_cross(com, down), down}};
    for (int i = 0; i < s->count; i++) {
        own[i] = som_statics_friction(&m->links[contacts->items[i].link], friction);
        roughest = fmax(roughest, own[i]);
        s->pads[i] = (SomPad){.point = contacts->items[i].point, .weight = 1};
    }
    return roughest;
}

static void end(Slip *s) {
    som_free(s->pads);
    som_free(s->forces);
    som_free(s->friction);
}

static bool is_known(const SomContacts *contacts, SomVec3 com, SomVec3 down) {
    return isfinite(com.x + com.y + com.z + down.x + down.y + down.z) && contacts->count > 0;
}

double som_slip_need(const SomMechanism *m, const SomContacts *contacts, SomVec3 com, SomVec3 down,
                     double friction) {
    double level = sqrt(down.x * down.x + down.y * down.y);
    if (!is_known(contacts, com, down) || level == 0) {
        return is_known(contacts, com, down) ? 0 : (double)NAN;
    }
    Slip s;
    double roughest = begin(&s, m, contacts, com, down, friction);
    double need =
        roughest > 0 && down.z < 0 ? search(&s, level / (-down.z * roughest)) : (double)INFINITY;
    end(&s);
    return need;
}

bool som_slip_is_held(const SomMechanism *m, const SomContacts *contacts, SomVec3 com, SomVec3 down,
                      double friction) {
    if (!is_known(contacts, com, down)) {
        return false;
    }
    Slip s;
    begin(&s, m, contacts, com, down, friction);
    bool is_held = holds(&s, 1);
    end(&s);
    return is_held;
}
