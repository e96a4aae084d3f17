// exchange/hrdf_internal.h - what the files that read HEBI's HRDF share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/hrdf_formula.h"
#include "exchange/link_model.h"
#include "exchange/xml_input.h"

// A bolt pattern, and an output that has it.
typedef struct SomHrdfInterface {
    SomStr bolts; // "X-AO"; "any": fits all
    SomPose pose; // of the frame, z out of the element
} SomHrdfInterface;

#define SOM_HRDF_MAX_OUTPUTS 64

// An element of a robot, apart from where it hangs.
typedef struct SomHrdfElement {
    SomStr what; // "actuator X8-9", for people and names
    SomInertia inertia;
    bool has_tube; // a link: a tube from here to there
    SomVec3 tube[2];
    SomStr mesh; // as it is written
    SomPose mesh_pose;
    SomSpan mesh_span;
    SomModelAxis axis; // of an actuator or joint, in the frame of its output
    bool has_axis;
    SomStr input; // its bolts
    SomHrdfInterface outputs[SOM_HRDF_MAX_OUTPUTS];
    int output_count;
    bool is_end; // the first output is the frame of an end effector, where nothing can be bolted
} SomHrdfElement;

// What a file says that was not taken, told once.
typedef struct SomHrdfLeftOut {
    SomXmlLeftOut others; // attributes and elements that nobody knows
    int gears, fingers;
    SomSpan gear_span, finger_span; // of the first
} SomHrdfLeftOut;

// hrdf_element.c: false after a report. The texts of the element live in the importer.
bool som_hrdf_read_element(SomImporter *importer, const SomXml *xml, int node,
                           SomHrdfLeftOut *left_out, SomHrdfElement *element);
void som_hrdf_report_left_out(SomHrdfLeftOut *left_out, SomDiagnostics *diags); // and empties it
