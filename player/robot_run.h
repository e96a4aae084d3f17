// player/robot_run.h - a behavior on a robot that moves: what every host does round the player, in
// a simulator's plugin, in the embedded run, on a bench.
//
//     SomRobotRunDef def = {.graph = &graph, .dofs = dofs, .welds = welds, .weld_count = 1};
//     SomRobotRun *robot = som_robot_run_init(memory, som_robot_run_size(&def), &def, &fault);
//     for (;;) {                                       // each step of the physics
//         som_robot_run_play(robot, &senses, dt);          // conditions, actions
//         som_robot_run_drive(robot, &senses, gaps, dt);   // joints and docks
//         ... som_robot_run_speeds(robot)[dof], som_robot_run_efforts(robot)[dof],
//             som_robot_run_holds(robot)[weld] ...
//     }
//
// A DoF whose motor has a speed is a servo of speed; one with gains and no speed is driven by
// effort, which is limited. Without som_robot_run_play all joints keep their place. The host senses
// joints, contacts and the body; docks are the robot's own, it needs to know only how far partners
// are from each other (som_weld_gap).
//
// Memory is the host's; the definition stays borrowed. C99, no allocation, no output.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/body_place.h"
#include "player/dock_driver.h"
#include "player/dock_load.h"
#include "player/joint_drive.h"
#include "player/outcome.h"

#ifdef __cplusplus
extern "C" {
#endif

// Radian: a dock that is turned by more does not close, where its weld gives no other angle.
#define SOM_WELD_REACH_ANGLE 0.1

typedef struct SomRobotDof {
    const char *name;         // of the DoF
    const char *joint;        // of the model; NULL: it is locked
    double start;             // value of the DoF where the joint is at zero, or is locked
    SomJointDriveModel drive; // its bounds
    double effort;            // the most; 0: no bound
    double axis[3];           // in the frame of the joint
    bool is_prismatic;
    double gains[3]; // of effort, if there is no speed: of the way behind, its sum, the speed
} SomRobotDof;

// Two bodies that are held together: for good, or while a dock is closed.
typedef struct SomRobotWeld {
    const char *name;
    const char *dock;                       // NULL: it holds for good
    const char *parent, *child;             // links; NULL: a dock that nothing moves
    const char *parent_links, *child_links; // of the two modules, blanks between them: they may
                                            // touch; NULL: not given
    SomBodyPlace place;                     // of the child in the parent
    SomDockModel model;
    double mass, inertia; // of a spring that may hold it (player/weld_spring.h); 0: none may
    double middle[3];     // between the centres of mass of the two, in the parent
    SomDockLimits limits;
    int32_t index; // of the dock in the graph; SOM_NONE
    uint8_t state; // SomDockState at the start
} SomRobotWeld;

typedef struct SomRobotRunDef {
    const SomActionGraph *graph;
    const SomRobotDof *dofs; // one a DoF of the graph
    const SomRobotWeld *welds;
    int32_t weld_count;
} SomRobotRunDef;

typedef struct SomRobotRun SomRobotRun;

// Bytes of memory; 0 if the graph has counts that make no sense.
size_t som_robot_run_size(const SomRobotRunDef *def);

// `memory` is aligned for double. NULL and *fault (may be NULL) as som_player_init says.
SomRobotRun *som_robot_run_init(void *memory, size_t size, const SomRobotRunDef *def,
                                SomGraphFault *fault);

// One tick of the behavior. `docks` of the senses are not looked at. Once it has ended, nothing.
SomPlayerStatus som_robot_run_play(SomRobotRun *robot, const SomSenses *senses, double dt);

// The commands of the next `dt` seconds. `senses` gives positions and speeds; `gaps` metres between
// the two sides of each weld that is a dock, not a number: none in reach; NULL: none is.
void som_robot_run_drive(SomRobotRun *robot, const SomSenses *senses, const double *gaps,
                         double dt);

void som_robot_run_pause(SomRobotRun *robot, const SomSenses *senses);
void som_robot_run_resume(SomRobotRun *robot);
void som_robot_run_cancel(SomRobotRun *robot, const SomSenses *senses);
void som_robot_run_restart(SomRobotRun *robot); // joints and docks stay as they are
void som_robot_run_place(SomRobotRun *robot, const double *positions); // joints are here, not where
                                                                       // the definition has them

// The weld carried more than it can: from now on it holds nothing, and if it is a dock it is sensed
// as open, whatever the behavior commands. Nothing mends it.
void som_robot_run_tear(SomRobotRun *robot, int32_t weld);

SomPlayer *som_robot_run_player(SomRobotRun *robot);
const SomPlayer *som_robot_run_shown(const SomRobotRun *robot); // to look at
const SomRobotRunDef *som_robot_run_def(const SomRobotRun *robot);
const double *som_robot_run_speeds(const SomRobotRun *robot);  // to command, one a DoF
const double *som_robot_run_efforts(const SomRobotRun *robot); // not a number: this one has a speed
const uint8_t *som_robot_run_holds(const SomRobotRun *robot);  // one a weld: hold it
const uint8_t *
som_robot_run_docks(const SomRobotRun *robot);            // SomDockState, one a dock of the graph
bool som_robot_run_had_timeout(const SomRobotRun *robot); // of an action, since the start

// Running, completed, time-out (it ended, but an action ran into its time-out) or cancelled.
SomOutcome som_robot_run_outcome(const SomRobotRun *robot);

// Whether a condition of the graph asks for this: what nobody asks for need not be sensed.
bool som_graph_senses(const SomActionGraph *graph, SomInstructionKind kind);

// What the motor gives, of all that the joint carries: along its axis, in the joint's frame.
double som_robot_dof_effort(const SomRobotDof *dof, const double force[3], const double torque[3]);

// Metres between where the child is and where the weld would hold it; not a number if it is turned
// by more than the weld allows.
double som_weld_gap(const SomRobotWeld *weld, const SomBodyPlace *parent,
                    const SomBodyPlace *child);

#ifdef __cplusplus
}
#endif
