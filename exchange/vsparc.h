// exchange/vsparc.h - configurations and behaviors of VSPARC, the SMORES lab's Unity program.
//
//     SomVsparc vsparc = {0};
//     if (som_vsparc_read(importer, &file, &vsparc)) {
//         som_vsparc_configure(importer, &file, &vsparc.states.data[0]);
//     }
//     som_vsparc_free(&vsparc);
//
// A configuration is one state of a robot (`RobotStateObject`), a behavior a list of them
// (`Behavior`): modules with the poses of their five parts and a command for each of their four
// joints, and connections. Unity's axes are left-handed with y up, its unit is 0.1 m here, its
// angles are degrees; what is read is right-handed with z up, metres and radians, and a part has x
// to the front and z up. Joints and their values are VSPARC's: pan, left, right, tilt.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/lab_model.h"

#ifdef __cplusplus
extern "C" {
#endif

// FrontWheel, LeftWheel, RightWheel and Body are moved by the joints of the same numbers.
enum { SOM_VSPARC_BODY = 3, SOM_VSPARC_BACK_PLATE, SOM_VSPARC_PARTS };

typedef struct SomVsparcCommand {
    bool is_given;
    bool is_velocity;
    double value;     // rad or rad/s
    double period;    // s
    SomStr parameter; // that takes the value's place, empty if none
    bool is_negated;  // the parameter
    SomSpan span;
} SomVsparcCommand;

typedef struct SomVsparcModule {
    SomStr name;
    SomSpan span;
    SomPose parts[SOM_VSPARC_PARTS];
    bool has_part[SOM_VSPARC_PARTS];
    SomVsparcCommand commands[4];
} SomVsparcModule;

typedef struct SomVsparcConnection {
    SomStr names[2];
    SomSpan name_spans[2];
    int faces[2]; // as of SomLabConnection
    double distance;
    double angle;
    SomSpan span;
} SomVsparcConnection;

typedef struct SomVsparcState {
    SomSpan span;
    SomStr anchor; // a module, empty if none is named
    SomSpan anchor_span;
    double period; // s
    SOM_ARRAY(SomVsparcModule) modules;
    SOM_ARRAY(SomVsparcConnection) connections;
} SomVsparcState;

// Zero is empty.
typedef struct SomVsparc {
    SOM_ARRAY(SomVsparcState) states;
} SomVsparc;

// Reads all states of a file, at least one. Strings go to the importer's arena. False after a
// report.
bool som_vsparc_read(SomImporter *importer, const SomImportFile *file, SomVsparc *vsparc);
void som_vsparc_free(SomVsparc *vsparc);

// Adds the robot of a state, called after its file. False after a report.
bool som_vsparc_configure(SomImporter *importer, const SomImportFile *file,
                          const SomVsparcState *state);

#ifdef __cplusplus
}
#endif
