// linkage/priority_internal.h - groups and workspace of a prioritised step, for priority*.c only.
//
// A group is the set of columns that one level's rows tie together, found once per structure. While
// a step runs, every column is either raw (its own direction is free) or belongs to the block of
// the group that treated it last. The directions that are free are never written out: they are what
// the reflections of a group's QR leave of those that were free before. A vector of columns is
// turned into them in its own place, so that one long chain costs no more than its rows.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "linkage/priority.h"

#include <stdint.h>

typedef struct Group {
    int *columns; // rising
    int column_count;
    int *rows;
    int row_count;

    // The directions that were free before the level was treated, the reduced coordinates.
    int *places; // where each lies in a vector of columns
    int coordinates;
    struct Group **under; // the blocks that the columns belonged to, each once
    int under_count;

    // The level's rows in reduced coordinates, transposed and then factored: b = Q R.
    double *b; // coordinates x kept rows
    double *tau;
    int *order;
    int *kept;      // rows that are not zero
    double *wanted; // what the kept rows ask for; then that in the range of the rows
    int kept_count;
    int steps; // of the QR: its rank

    // Of more rows than rank, a second factorisation: R^T = Q2 R2.
    double *l;
    double *tau2;
    int *order2;
    bool has_second;

    // Singular values of the triangle, where they are needed.
    double *u, *v, *s;
    bool has_svd;
    int rank;        // afterwards the coordinates from here on are free, the others are spent
    double smallest; // a bound from below of all singular values
    double work;     // multiplications that factoring took in this pass, roughly
    bool is_used;    // in this pass
    uint64_t stamp;  // of whoever met it last
} Group;

struct SomPriorityWork {
    Group *groups[SOM_LEVELS];
    int group_counts[SOM_LEVELS];
    bool *is_free;
    double *fixed;
    double *final; // posture, projected
    double *parts; // contributions to dx, level by level
    double *last_parts;
    Group **block;   // of a column, NULL is raw
    double *vector;  // of columns; zero between uses
    double *reduced; // coordinates
    double *scratch;
    bool has_posture;
    uint64_t stamp;
};

// What treating a level needs to know of all its groups.
typedef struct Level {
    Group *groups;
    int count;
    double largest; // entry of a row
    double square;  // of the Frobenius norm, reduced
} Level;

// False if the groups need more than `*room` numbers; else that is so much less.
bool som_priority_plan_groups(SomPriority *p, SomArena *arena, size_t *room);

// Factors what a group's rows became; columns below `tolerance` are rounding.
void som_priority_factor(SomPriorityWork *w, Group *g, double tolerance);
// Sets the ranks of all groups of a level and returns its damping.
double som_priority_judge(const Level *level, double caution, const SomPriorityOptions *o);
