// verify/pairs_internal.h - how the rules of verify/pairs.h are made and counted.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "verify/pairs.h"

// What is special about a link of one module and a link of its neighbour, or of itself.
typedef struct SomPairEntry {
    int link_a, link_b; // of the types; in one module link_a < link_b
    SomPairRule rule;
    double allowed;      // overlap, of links that overlap at home, or of which parts are tested
    SomPartPairs except; // the parts that are not tested; NULL: all are, or none
} SomPairEntry;

struct SomPairKind {
    const SomModuleType *type_a, *type_b;
    int connector_a, connector_b; // -1: one module with itself
    SomPose transform;
    bool is_open;                // a dock that is not closed: its faces may meet
    const SomPairEntry *entries; // by link_a, then link_b
    int entry_count;
};

typedef struct SomTypeLinks {
    const SomModuleType *type;
    SomLinkSolid *solids;
    int *rigid; // which links are rigid in the module by itself
    const SomPairKind *alone;
    int first_group; // number of its first link among all links of types
} SomTypeLinks;

// Modules that are connected, or may be.
typedef struct SomModulePair {
    const SomConnection *connection;
    const SomPairKind *kind;
} SomModulePair;

typedef struct SomPairMaker {
    const SomMechanism *m;
    const SomConfiguration *c;
    SomPairs *p;
    SOM_ARRAY(SomTypeLinks) types;
    SOM_ARRAY(SomPairKind *) kinds; // of connections
    SOM_ARRAY(SomModulePair) links;
    int *type_of; // of each module
    int type_links;
    SOM_ARRAY(SomPairEntry) entries;
    SOM_ARRAY(SomPairGroup) groups;
} SomPairMaker;

// The strongest entry of all connections of the two modules; NULL if there is none. `kind` gets
// whose it is.
const SomPairEntry *som_pairs_entry(const SomPairs *pairs, int link_a, int link_b,
                                    const SomPairKind **kind);

// Of links that nothing moves against each other; else free.
SomPairRule som_pairs_body_rule(const SomPairs *pairs, int link_a, int link_b);

// pairs_joined.c: adds the entry of two links of one module that a joint joins, if they need one.
// False if no joint does.
bool som_pairs_add_joined(SomPairMaker *maker, const SomTypeLinks *type, int link_a, int link_b);

// pairs_count.c: counts and groups of pairs.
void som_pairs_count(SomPairMaker *maker);
