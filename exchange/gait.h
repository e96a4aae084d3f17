// exchange/gait.h - gaits of the SMORES lab: `.gait` files.
//
//     Module_0 i i i p-0.8 ;                         bend to -0.8 rad, until all joints have
//     arrived Module_0 i p1.57 p1.57 i [1000] {a} (b) ;      for a second, once b is achieved; sets
//     a
//
// Each module has a queue of commands; a command starts when those before it in its queue have
// ended and the label it waits for is achieved, which is when all commands that set it have ended.
// What nobody sets is not waited for. som_gait_schedule plays these rules millisecond by
// millisecond with the lab's servo; som_gait_order turns them into series and parallel.
//
//     SomGait gait = {0};
//     if (som_gait_read(importer, &file, &gait)) {
//         som_gait_schedule(&gait, robot);
//         if (som_gait_order(&gait, &form, diags)) …
//     }
//     som_gait_free(&gait);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/sp_form.h"
#include "exchange/import_internal.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_GAIT_MOST_COMMANDS 2048
#define SOM_GAIT_MOST_MILLISECONDS 10000000

typedef struct SomGaitCommand {
    int queue;     // its module
    char modes[4]; // p, s or i: of front, left, right, bend
    double values[4];
    int milliseconds; // -1: until all joints have arrived
    int label, after; // of the labels; -1: none
    SomSpan span;
    SomStr text;    // as it was written
    SomStr remark;  // behind it, empty if none
    int start, end; // milliseconds, by the lab's rules; -1: never, or nobody knows
} SomGaitCommand;

typedef struct SomGaitQueue {
    SomStr name; // of the module
    SomSpan span;
    int module; // of the robot
} SomGaitQueue;

typedef struct SomGaitLabel {
    SomStr name;
    int count; // of commands that set it
} SomGaitLabel;

// Zero is empty.
typedef struct SomGait {
    SOM_ARRAY(SomGaitCommand) commands; // in the order of the file
    SOM_ARRAY(SomGaitQueue) queues;     // in the order of their first commands
    SOM_ARRAY(SomGaitLabel) labels;
} SomGait;

// False after a report.
bool som_gait_read(SomImporter *importer, const SomImportFile *file, SomGait *gait);
void som_gait_free(SomGait *gait);

// Fills in start and end of the commands.
void som_gait_schedule(SomGait *gait, const SomImportRobot *robot);

// The commands as series and parallel. Where there is no such form, commands that end before others
// start anyway are ordered, which is said; if that does not help, false after a report.
bool som_gait_order(const SomGait *gait, SomSpForm *form, SomDiagnostics *diags);

// The behavior of a robot that a file became; it is read if it was not yet. Empty after a report.
SomStr som_gait_behavior(SomImporter *importer, SomImportRobot *robot, const SomImportFile *file);

#ifdef __cplusplus
}
#endif
