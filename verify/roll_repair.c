// SPDX-License-Identifier: Apache-2.0
// Rolls of connections that make a robot stand: of one limb that is connected reversed, or of two.

#include "base/memory.h"
#include "compose/matings.h"
#include "space/trigonometry.h"
#include "verify/repairs_internal.h"
#include "verify/standing_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OPTIONS 200 // rolls of single connections
#define MOST_PLACED 4e6  // links, while looking for rolls
#define MOST_PROVED 3
#define SAME_ROLL 1e-6
#define TIE 1e-9        // metres of margin
#define NEAR_ENOUGH 0.5 // of the best margin; then fewer connections are better

// A roll that the connection of a limb has not.
typedef struct Option {
    SomRollChange change;
    int modules; // of the limb
    int part;    // whose configuration says so
} Option;

typedef struct Pair {
    int a, b; // options; b is -1: a alone
    double margin;
} Pair;

typedef struct Search {
    SomRepairs *repairs;
    const SomFall *fall;
    const SomMechanism *m;
    SOM_ARRAY(Option) options;
    SOM_ARRAY(Pair) pairs;
    double work; // links that may still be placed
} Search;

// How many connections a module has: of those with more than two a limb branches off.
static int count_connections(const SomConfiguration *design, int module) {
    int count = 0;
    for (int i = 0; i < design->connection_count; i++) {
        const SomConnection *c = &design->connections[i];
        count += c->module_a == module || c->module_b == module;
    }
    return count;
}

static bool is_attached_through(const SomConfiguration *design, int module, int connection) {
    for (int steps = 0; module >= 0 && steps < design->module_count; steps++) {
        int by = design->modules[module].connection;
        if (by < 0 || by == connection) {
            return by == connection;
        }
        const SomConnection *c = &design->connections[by];
        module = c->module_a == module ? c->module_b : c->module_a;
    }
    return false;
}

// The modules that hang on the base by a connection if they are a limb, a chain that is connected
// to a module from which others branch off; else 0.
static int count_limb(const SomConfiguration *design, int connection) {
    const SomConnection *c = &design->connections[connection];
    bool is_b = design->modules[c->module_b].connection == connection;
    if (c->is_closure || c->is_dock || c->is_forced || c->gap > 0 || c->rule == NULL ||
        count_connections(design, is_b ? c->module_a : c->module_b) <= 2) {
        return 0;
    }
    int count = 0;
    for (int i = 0; i < design->module_count; i++) {
        if (is_attached_through(design, i, connection)) {
            if (count_connections(design, i) > 2) {
                return 0;
            }
            count++;
        }
    }
    return count;
}

static bool is_reversed(double from, double to) {
    return fabs(fabs(to - from) - SOM_PI) <= SAME_ROLL;
}

// Limbs turned round, or else turned otherwise.
static void collect_options(Search *q, bool wants_reversed) {
    const SomConfiguration *design = q->m->configuration;
    for (int i = 0; i < design->connection_count && q->options.count < MOST_OPTIONS; i++) {
        const SomConnection *c = &design->connections[i];
        int modules = count_limb(design, i);
        SomOffer offer = {0};
        if (modules > 0) {
            som_offer_find_connected(design, c, &offer);
        }
        for (int k = 0; k < offer.count; k++) {
            const SomMatingChoice *choice = &offer.choices[k];
            if (!isnan(choice->roll) && fabs(choice->roll - c->roll) > SAME_ROLL &&
                is_reversed(c->roll, choice->roll) == wants_reversed) {
                Option option = {{i, choice->roll}, modules, c->part};
                som_array_push(&q->options, option);
            }
        }
    }
}

// The rolls of a pair, as a repair.
static SomRepair repair_of(const Search *q, const Pair *pair) {
    SomRepair repair = {.dof = -1, .roll_count = pair->b < 0 ? 1 : 2};
    repair.rolls[0] = q->options.data[pair->a].change;
    if (pair->b >= 0) {
        repair.rolls[1] = q->options.data[pair->b].change;
    }
    return repair;
}

// How the motion goes with other rolls; the smallest margin if it holds, else NAN.
static double margin_with(Search *q, const Pair *pair) {
    SomRepair repair = repair_of(q, pair);
    SomRolledDesign *rolled =
        som_rolled_design_create(q->m->configuration, repair.rolls, repair.roll_count);
    double margin = (double)NAN;
    q->work -= (double)q->fall->motion->count * q->m->link_count;
    if (rolled == NULL || !(q->work > 0)) {
        som_rolled_design_destroy(rolled);
        return margin;
    }
    SomVerifyInput input = *q->fall->input;
    SomMechanism *mechanism = som_mechanism_create(som_rolled_design_get(rolled));
    input.mechanism = mechanism;
    SomStanding *standing = som_verify_stand(&input);
    som_standing_follow(standing, q->fall->motion);
    if (som_repair_holds(standing, q->fall->motion, q->fall, 0)) {
        margin = som_standing_measure_sample(standing, q->fall->run->worst).support.margin;
    }
    som_standing_destroy(standing);
    som_mechanism_destroy(mechanism);
    som_rolled_design_destroy(rolled);
    return margin;
}

static void try_pair(Search *q, int a, int b) {
    Pair pair = {a, b, 0};
    pair.margin = margin_with(q, &pair);
    if (pair.margin > 0) {
        som_array_push(&q->pairs, pair);
    }
}

// Two limbs alike, connected to the same module or in the same configuration.
static bool are_alike(const Option *a, const Option *b) {
    return a->change.connection != b->change.connection && a->modules == b->modules &&
           a->part == b->part;
}

static void collect_pairs(Search *q) {
    const SomStop *stop = q->repairs->def->stop;
    for (int a = 0; a < q->options.count && !som_stop_is_asked(stop); a++) {
        try_pair(q, a, -1);
    }
    for (int a = 0; a < q->options.count && !som_stop_is_asked(stop); a++) {
        for (int b = a + 1; b < q->options.count && q->work > 0; b++) {
            if (are_alike(&q->options.data[a], &q->options.data[b])) {
                try_pair(q, a, b);
            }
        }
    }
}

static int compare_pairs(const void *a, const void *b) {
    const Pair *p = a, *q = b;
    if (fabs(p->margin - q->margin) > TIE) {
        return p->margin < q->margin ? 1 : -1;
    }
    return p->a != q->a ? p->a - q->a : p->b - q->b;
}

// A single connection before two, if it stands nearly as well.
static void order_pairs(Search *q) {
    double best = 0;
    for (int i = 0; i < q->pairs.count; i++) {
        best = fmax(best, q->pairs.data[i].margin);
    }
    for (int i = 0; i < q->pairs.count; i++) {
        Pair *pair = &q->pairs.data[i];
        pair->margin += pair->b < 0 && pair->margin >= NEAR_ENOUGH * best ? best : 0;
    }
    if (q->pairs.count > 0) {
        qsort(q->pairs.data, (size_t)q->pairs.count, sizeof *q->pairs.data, compare_pairs);
    }
}

static bool prove_best(Search *q, bool wants_reversed, SomRepair *repair) {
    q->options.count = q->pairs.count = 0;
    collect_options(q, wants_reversed);
    collect_pairs(q);
    order_pairs(q);
    bool is_found = false;
    for (int i = 0; i < q->pairs.count && i < MOST_PROVED && !is_found; i++) {
        *repair = repair_of(q, &q->pairs.data[i]);
        is_found = som_repairs_prove(q->repairs, q->fall->finding, repair);
    }
    return is_found;
}

bool som_repair_rolls(SomRepairs *repairs, const SomFall *fall, SomRepair *repair) {
    Search q = {.repairs = repairs, .fall = fall, .m = fall->input->mechanism, .work = MOST_PLACED};
    bool is_found = prove_best(&q, true, repair) || prove_best(&q, false, repair);
    som_array_free(&q.options);
    som_array_free(&q.pairs);
    return is_found;
}
