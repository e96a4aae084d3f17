// tests/verify/oracle_design.h - a random design as its generator knows it, before there is a text
// of it: module types, parts, connections, and what its behavior does.
//
// Coordinates of a module type are those of its M3L text: one frame for all links, as if all joints
// were at zero. Everything the oracle says about a design comes from these numbers.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/verify/oracle_shape.h"

#define ORACLE_TYPES 4
#define ORACLE_LINKS 10 // of a module type
#define ORACLE_SHAPES 3 // of a link
#define ORACLE_JOINTS (ORACLE_LINKS - 1)
#define ORACLE_FACES 4 // connectors of a module type
#define ORACLE_PARTS 8
#define ORACLE_CONNECTIONS 10
#define ORACLE_ALL_LINKS (ORACLE_PARTS * ORACLE_LINKS)
#define ORACLE_ALL_JOINTS (ORACLE_PARTS * ORACLE_JOINTS)
#define ORACLE_ACTIONS 120

typedef struct OracleLink {
    OracleShape shapes[ORACLE_SHAPES];
    int shape_count;
    double mass;
    double com[3];
} OracleLink;

typedef enum OracleJointType { ORACLE_TURN, ORACLE_SLIDE, ORACLE_FIXED } OracleJointType;

// Moves the link `child` against the link `parent`.
typedef struct OracleJoint {
    OracleJointType type;
    int child, parent;
    double origin[3], axis[3]; // of length 1
    double low, high, effort, speed;
    double alias_sign, alias_zero; // of a second name: sign * (value - zero); sign 0: none
} OracleJoint;

// A connector: a male one has z of its frame out of its link, a female one into it. Two that are
// mated have the same frame.
typedef struct OracleFace {
    int link;
    bool is_male;
    double place[6];
    double bending; // Nm; 0: not said
} OracleFace;

typedef struct OracleType {
    OracleLink links[ORACLE_LINKS];
    int link_count; // link 0 is the root
    OracleJoint joints[ORACLE_JOINTS];
    int joint_count;
    OracleFace faces[ORACLE_FACES];
    int face_count;
    bool is_urdf; // described in that format, and imported
} OracleType;

typedef struct OracleConnection {
    int part_a, face_a, part_b, face_b;
    bool is_dock, is_closed; // as the design starts
} OracleConnection;

typedef enum OracleActionKind {
    ORACLE_SERIES,
    ORACLE_PARALLEL,
    ORACLE_REPEAT,
    ORACLE_TO,
    ORACLE_BY,
    ORACLE_TO_CUT, // a move that a wait beside it ends before it arrives, perhaps
    ORACLE_SPIN,   // at `value` for `timeout` seconds
    ORACLE_FOLLOW, // to `value` in `timeout` seconds, and half of the way back
    ORACLE_WAIT,
    ORACLE_CONNECT,
    ORACLE_DISCONNECT,
    ORACLE_CHOOSE,       // of two children, the second one may be missing
    ORACLE_TO_UNTIL,     // a move that a sensor may end before
    ORACLE_WAIT_UNTIL,   // likewise
    ORACLE_REPEAT_UNTIL, // at most `count` times
} OracleActionKind;

typedef struct OracleAction {
    OracleActionKind kind;
    int part, joint; // of moves
    bool is_alias;   // which the joint is called by
    double value;    // of moves: radians or metres; of WAIT: seconds
    double speed;    // of moves; 0: not said
    double timeout;  // of what waits for a sensor, or takes its time
    int count;       // of REPEAT; 0: forever
    int dock;        // connection
    int sensor;      // which of those the behavior asks for
    int first, next; // child and sibling; -1: none
    char condition[64];
} OracleAction;

typedef struct OracleDesign {
    const char *recipe;
    OracleType types[ORACLE_TYPES];
    int type_count;
    int parts[ORACLE_PARTS]; // types; part 0 is the base
    int part_count;
    OracleConnection connections[ORACLE_CONNECTIONS];
    int connection_count;
    double turned[3]; // of the base: roll, pitch, yaw
    double start[ORACLE_PARTS][ORACLE_JOINTS];
    bool has_start;
    char settings[96]; // of the verify block
    bool is_never_turned;
    double most_time; // of the verify block
    OracleAction actions[ORACLE_ACTIONS];
    int action_count; // action 0 is the behavior
    int sensor_count;
} OracleDesign;

// What is where, of one state of the docks.
typedef struct OraclePlaces {
    SomTestMatrix links[ORACLE_PARTS][ORACLE_LINKS];
    int piece[ORACLE_PARTS]; // parts that hang together have the same number; the base's is 0
    double gap;              // the widest of all closed connections
} OraclePlaces;

// Where pieces without the base are: each is held by the root link of one of its parts.
typedef struct OracleAnchors {
    bool is_held[ORACLE_PARTS];
    SomTestMatrix root[ORACLE_PARTS];
} OracleAnchors;

typedef struct OracleState {
    double values[ORACLE_PARTS][ORACLE_JOINTS];
    bool is_closed[ORACLE_CONNECTIONS];
    OracleAnchors anchors;
} OracleState;

void oracle_start(const OracleDesign *design, OracleState *state);
// The base's root link is at the origin, turned as the design says. Parts that hang on neither the
// base nor an anchor become an anchor where `before` has them; NULL: there are none of these.
void oracle_place(const OracleDesign *design, OracleState *state, const OraclePlaces *before,
                  OraclePlaces *places);

const OracleType *oracle_type(const OracleDesign *design, int part);

// What the behavior sends joints to: calls `visit` for every move in the order of the graph, with
// the set-point; NAN where it depends on where the joint is. `outcomes` are those of the sensors.
typedef void OracleVisit(void *context, const OracleAction *move, double set_point);
void oracle_set_points(const OracleDesign *design, const int *outcomes, OracleVisit *visit,
                       void *context);

// How often REPEAT and REPEAT_UNTIL run their child.
int oracle_passes(const OracleAction *action, const int *outcomes);
// After which time a sensor ends an action; it has run to its own end if that comes first.
double oracle_sensed_after(const OracleAction *action, const int *outcomes);
// The child that CHOOSE takes; -1: none.
int oracle_chosen(const OracleDesign *design, const OracleAction *action, const int *outcomes);

#define ORACLE_OUTCOMES 3 // of a sensor
