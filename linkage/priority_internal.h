// linkage/priority_internal.h - groups and workspace of a prioritised step, for priority*.c only.
//
// A group is the set of columns that one level's rows tie together, found once per structure. While
// a step runs, every column is either raw (its own direction is free) or belongs to the block of
// the group that treated it last, with an orthonormal basis `z` of the directions that are free.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "linkage/priority.h"

typedef struct Group {
    const int *columns; // rising
    int column_count;
    const int *rows;
    int row_count;
    bool is_last; // no later level has rows on these columns; then there is no z

    // After the level was treated: directions still free, one row for each column.
    double *z;
    int free_count;

    // The level's rows in reduced coordinates, transposed and then factored: b = Q R.
    int *offsets; // first coordinate of each column, or of the block it belongs to; -1 clamped
    double *b;    // coordinates x kept rows
    double *tau;
    int *order;
    int *kept;       // rows that are not zero
    double *wanted;  // what the kept rows ask for; then that in the range of the rows
    int coordinates; // reduced
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
    int rank;
    double smallest;  // a bound from below of all singular values
    bool is_used;     // in this pass
    int stamp, first; // while another group collects its coordinates
} Group;

struct SomPriorityWork {
    Group *groups[SOM_LEVELS];
    int group_counts[SOM_LEVELS];
    bool *is_free;
    double *fixed;
    double *final; // posture, projected
    double *parts; // contributions to dx, level by level
    double *last_parts;
    Group **block;  // of a column, NULL is raw
    int *row_of;    // of a column in its block's z
    double *vector; // reduced coordinates
    double *basis;
    double *scratch;
    bool has_posture;
    int stamp;
};

// What treating a level needs to know of all its groups.
typedef struct Level {
    Group *groups;
    int count;
    double largest; // entry of a row
    double square;  // of the Frobenius norm, reduced
} Level;

void som_priority_plan_groups(SomPriority *p, SomArena *arena);

// Factors what a group's rows became; columns below `tolerance` are rounding.
void som_priority_factor(SomPriorityWork *w, Group *g, double tolerance);
// Sets the ranks of all groups of a level and returns its damping.
double som_priority_judge(const Level *level, double caution, const SomPriorityOptions *o);
