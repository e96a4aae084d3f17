// verify/excess_internal.h - what exceeds a limit, grouped by cause: one finding for each.
//
//     SomExcessList list = {0};
//     som_excess_add(&list, place, &excess);
//     SomExcessGroup group;
//     while (som_excess_next(&list, &group)) ... one finding ...
//     som_excess_free(&list);
//
// The cause is the statement at `place`. What no action causes and has no place, such as the load
// of a joint that only holds still, has one cause if it begins at one moment.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/verify.h"

typedef struct SomExcess {
    int index;      // of the DoF or connection
    int32_t action; // that causes it, SOM_NONE: none
    double t0, t1, worst;
    double value, limit;
    double by; // beyond the limit, to compare with others; 0 or less: it is not beyond it
} SomExcess;

typedef struct SomExcessAt {
    SomSpan place;
    SomExcess excess;
} SomExcessAt;

typedef struct SomExcessList {
    SOM_ARRAY(SomExcessAt) all;
    int next; // of the first group that som_excess_next has not returned
} SomExcessList;

typedef struct SomExcessGroup {
    const SomExcessAt *all; // by index, then by action; borrowed from the list
    int count;
    SomExcess worst; // with the time of all
} SomExcessGroup;

// Ignores what is not beyond its limit.
void som_excess_add(SomExcessList *list, SomSpan place, const SomExcess *excess);

// The next group; false at the end. Nothing may be added after the first call.
bool som_excess_next(SomExcessList *list, SomExcessGroup *group);

// The joint as its action, or the pose it starts in, is written; else by its path, and then false.
bool som_excess_add_name(const SomVerifyInput *input, const SomExcess *excess, SomAlias *alias,
                         SomText *out);

// Of a group of joints: their paths, the worst first, and "likewise 'b', 'c' (and 3 more)" of the
// others, as they are written. Returns the number of paths, at most one per member.
int som_excess_list_joints(const SomVerifyInput *input, const SomExcessGroup *group, SomStr *paths,
                           SomText *others);

void som_excess_free(SomExcessList *list);

// Excess of a value beyond limits; 0 if there is none, or rounding explains it.
double som_excess_beyond(double low, double high, double value);

// Keeps the worst value of all and the time from the first to the last.
void som_excess_widen(SomExcess *excess, double value, double limit, double by, double t0,
                      double t1);

// Of a joint: the limits of its values, or of its speed.
SomFinding som_excess_finding(const SomVerifyInput *input, const SomExcess *e, SomCheck check);

// relative_moves.c
void som_check_relative_moves(const SomVerifyInput *input, SomVerification *out);
