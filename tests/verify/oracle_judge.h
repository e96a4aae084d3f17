// tests/verify/oracle_judge.h - what a random design does wrong by a clear margin, found by looking
// at many moments of its motion. The rules are those of docs/verify.md.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/verify/oracle_design.h"

// Kinds of what can be wrong.
typedef enum OracleWrong {
    ORACLE_COLLIDES,
    ORACLE_BEYOND_LIMIT,
    ORACLE_DROPS,
    ORACLE_FALLS,
    ORACLE_OVERLOADED,
    ORACLE_TORN,
    ORACLE_WRONGS
} OracleWrong;

const char *oracle_wrong_name(OracleWrong wrong);

typedef struct OracleJudgement {
    bool is_wrong[ORACLE_WRONGS];
    char reason[ORACLE_WRONGS][160]; // the first of each kind
    bool is_clear;                   // nothing is near to being wrong
    char doubt[160];                 // the first that is not clear
} OracleJudgement;

// Joint values over time; where they come from is the caller's matter.
typedef struct OracleMotion {
    const double *times;
    const double *values; // dof_count for each sample
    int sample_count, dof_count;
    bool has_ended; // with its last sample
    int dofs[ORACLE_PARTS][ORACLE_JOINTS];
    struct {
        double time;
        int connection;
        bool is_closed;
    } docks[64];
    int dock_count;
} OracleMotion;

// Adds what is wrong with one way the behavior can go. Clear at first: `{.is_clear = true}`.
void oracle_judge(const OracleDesign *design, const int *outcomes, const OracleMotion *motion,
                  OracleJudgement *out);

// ---- for the files of the judge

typedef struct OracleMoment {
    const OracleDesign *design;
    const OracleState *state;
    const OraclePlaces *places;
    OracleSolid solids[ORACLE_PARTS][ORACLE_LINKS][ORACLE_SHAPES];
    double time;
} OracleMoment;

__attribute__((format(printf, 3, 4))) void oracle_blame(OracleJudgement *out, OracleWrong wrong,
                                                        const char *format, ...);
__attribute__((format(printf, 2, 3))) void oracle_doubt(OracleJudgement *out, const char *format,
                                                        ...);

OracleTouch oracle_links_touch(const OracleMoment *moment, int part_a, int link_a, int part_b,
                               int link_b, double margin);

// How the base's piece stands.
typedef struct OracleStance {
    double margin;        // of the centre of mass in what stands on the ground and what nearly does
    double strict_margin; // in what stands on it exactly
    double tip;           // angle by which it would turn over its nearest edge
    double ground;        // height of its lowest point
} OracleStance;

OracleStance oracle_stance(const OracleMoment *moment);
void oracle_judge_loads(const OracleMoment *moment, const OracleStance *stance,
                        OracleJudgement *out);
// Whether anything can hold a piece, after docks have opened. `ground` is its height before.
void oracle_judge_piece(const OracleMoment *moment, int piece, double ground, OracleJudgement *out);
