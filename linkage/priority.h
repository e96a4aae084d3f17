// linkage/priority.h - one step of prioritised damped least squares on sparse rows.
//
// Columns are variables. Rows belong to levels; each asks that J dx = -e, and a level acts only in
// the directions that all higher levels leave free. The null space is block diagonal: a level joins
// the blocks its rows touch, so rows that only couple a few variables cost little, and the result
// is that of the dense algorithm. Where the rank is beyond doubt and no damping is needed, a
// pivoted QR does; else singular values decide.
//
//     SomPriority *step = som_priority_create(&arena, columns, rows, row_count, &room);
//     // fill what the rows point to, residuals, step->x, low, high, posture
//     som_priority_step(step, &options);
//     // step->dx, step->levels, step->clamped_count
//
// Ownership: it lives in the arena; rows point into the caller's arrays, which must outlive it.
// som_priority_step does not allocate. Numbers that are not finite in a row make the step zero and
// set `is_broken`.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomLevel {
    SOM_LEVEL_INVARIANT, // closures stay shut
    SOM_LEVEL_LIMIT,     // of closures; tree joints are clamped instead
    SOM_LEVEL_LOCK,
    SOM_LEVEL_TARGET,
    SOM_LEVEL_POSTURE,
} SomLevel;

#define SOM_LEVELS 5

typedef struct SomPriorityOptions {
    double relative_rank; // a singular value counts if above this times the level's largest
    double absolute_rank; // and above this
    double level_step;    // bound on the norm of each level's contribution; sets the damping
    double largest_step;  // bound on the change of any variable
    double clamp_tolerance;
} SomPriorityOptions;

SomPriorityOptions som_priority_default_options(void);

// Structure, copied: the values of entry i are at values[i * stride], for column columns[i].
// Changed from step to step in `rows` of the SomPriority: residual, scale, is_active.
typedef struct SomPriorityRow {
    SomLevel level;
    const int *columns;
    const double *values;
    int count;
    int stride;
    double scale;    // multiplies the values
    double residual; // e
    bool is_active;
    bool is_bound;     // a limit: becomes active in a step that would leave [low, high]
    double low, high;  // of `residual`, which is then the present coordinate
    double activation; // e while a bound is active
} SomPriorityRow;

typedef struct SomLevelResult {
    int rows;
    int rank;
    double damping;
} SomLevelResult;

typedef struct SomPriorityWork SomPriorityWork;

typedef struct SomPriority {
    int column_count, row_count;
    SomPriorityRow *rows; // in the order given
    double *x, *low, *high, *posture;
    double *dx;
    double caution[SOM_LEVELS]; // 1, or more to damp a level as if its residual were so much larger
    double reversal[SOM_LEVELS]; // cosine between a level's contributions to this step and the last
    SomLevelResult levels[SOM_LEVELS];
    int clamped_count;
    bool *is_clamped;
    bool is_broken;
    double multiplications; // of the step, roughly
    SomPriorityWork *work;
} SomPriority;

// The matrices, each as large as the rows and columns that a level ties together, are taken from
// `*room`, a count of numbers. NULL if they do not fit.
SomPriority *som_priority_create(SomArena *arena, int column_count, const SomPriorityRow *rows,
                                 int row_count, size_t *room);
void som_priority_step(SomPriority *priority, const SomPriorityOptions *options);

#ifdef __cplusplus
}
#endif
