// modules/connection_inference.h - all ways two modules can be mated, from conditions.
//
// A connection definition names two types of modules and conditions: which points of two connectors
// must coincide and which properties they must have. From these follow all rigid transformations
// that mate them, found by trying every pair of connectors and every correspondence of their marks,
// and leaving out those that would put one link inside the other.
//
//     const SomConnectionRule *rule = som_m3l_find_rule(m3l, SOM_STR("MTRAN_to_MTRAN"));
//     for (int i = 0; i < rule->mating_count; i++) {
//         SomPose b_in_a = rule->matings[i].transform;   // index i + 1
//     }
//
// Order: by connector of a, connector of b, then the correspondence, each from the last to the
// first; numbered from 1. The same text gives the same numbers everywhere.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "modules/module_type.h"

#ifdef __cplusplus
extern "C" {
#endif

// More marks in conditions than this, or matings found, is a diagnostic.
#define SOM_MAX_CORRESPONDENCES 16
#define SOM_MAX_MATINGS 20000

// Marks that miss each other by less than this part of their distance were probably meant to
// coincide.
#define SOM_NEAR_MISS 1e-3

// One way to mate: module b seen from module a, all joints at zero.
typedef struct SomMating {
    int a; // connector of the rule's type a
    int b; // connector of type b
    SomPose transform;
    double roll; // about the normal, in [0, 2 pi): b.frame = a.frame Rz(pi) Rx(roll); NAN if the
                 // connectors do not face each other
    short matched[SOM_MAX_CORRESPONDENCES];   // mark of b for each condition, from 1
    short matched_a[SOM_MAX_CORRESPONDENCES]; // mark of a for it, from 1
} SomMating;

// Operands of a condition.
typedef enum SomTermKind { SOM_TERM_LITERAL, SOM_TERM_A, SOM_TERM_B } SomTermKind;

typedef struct SomTerm {
    SomTermKind kind;
    SomStr name;         // of the property of a connector
    SomProperty literal; // its name is empty
} SomTerm;

typedef enum SomClauseKind {
    SOM_CLAUSE_AND,
    SOM_CLAUSE_OR,
    SOM_CLAUSE_NOT,
    SOM_CLAUSE_EQUAL,
    SOM_CLAUSE_NOT_EQUAL,
} SomClauseKind;

// A condition on properties, in an array where children stand after their parent.
typedef struct SomClause {
    SomClauseKind kind;
    int first_child; // -1 if none
    int next;        // sibling; -1 if none
    SomTerm left, right;
} SomClause;

// Two marks that must coincide. An empty name means any.
typedef struct SomCoincidence {
    SomStr mark_a;
    SomStr mark_b;
    SomSpan span;
} SomCoincidence;

typedef struct SomConnectionRule {
    SomStr name;
    SomSpan span;
    const SomModuleType *a;
    const SomModuleType *b;
    const SomCoincidence *coincidences; // beside that of the two connectors themselves
    int coincidence_count;
    const SomClause *clauses; // clauses[0] is the root; count 0: no condition
    int clause_count;
    const SomMating *matings; // index i + 1
    int mating_count;
    int left_out;     // ways that would put one link into the other
    double miss;      // where marks nearly coincide: by how many metres they do not; INFINITY else
    const int *first; // of connectors (a, b): first[a * b.connector_count + b] begins their matings
    const int *count;
} SomConnectionRule;

// Finds the matings and fills in the last six fields, from the arena. What cannot be inferred is
// reported at the rule's place. Every elementary step is taken from *steps_left; when none is left,
// that is reported too.
void som_connection_rule_infer(SomConnectionRule *rule, uint64_t *steps_left, SomArena *arena,
                               SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
