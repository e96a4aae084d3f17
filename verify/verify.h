// verify/verify.h - all checks of a design, or of one behavior of it.
//
//     SomVerifyDef def = {.mechanism = mechanism, .graph = graph};
//     SomVerification *found = som_verify(&def);
//     for (int i = 0; i < found->findings.count; i++) ...
//     som_verification_destroy(found);
//
// The motion is that of behaviors/prediction.h with a tick of 10 ms; from tick to tick every DoF
// moves linearly. That is the definition of the motion which is verified: how many samples of it
// there are changes nothing about it. The base link
// stays where the design puts it; for the ground's sake the robot is set down at each sample.
//
// When a dock closes or opens, the robot is another mechanism: checks of postures then get the
// motion in parts, each with its own.
//
// A check is one function of verify/checks.inc that gets a SomVerifyInput, reads it, and adds
// findings. Whoever has no graph verifies a configuration: one sample, and no time.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/graph_builder.h"
#include "behaviors/prediction.h"
#include "compose/mechanism.h"
#include "verify/contacts.h"
#include "verify/finding.h"

#ifdef __cplusplus
extern "C" {
#endif

// Seconds between two steps of the player, whatever the time between two samples is.
#define SOM_VERIFY_TICK 0.01

// Motions of a behavior whose conditions ask for what kinematics does not know.
#define SOM_VERIFY_MOST_BRANCHES 128

// More is not looked at, and said so.
#define SOM_VERIFY_MOST_SAMPLES 200000
#define SOM_VERIFY_MOST_NUMBERS (16 * 1024 * 1024) // samples times DoF
#define SOM_VERIFY_MOST_WORK 500000000             // samples of branches, times links squared

// In SI units; verify/options.inc says what they mean.
typedef struct SomVerifyOptions {
#define SOM_VERIFY_OPTION(field, name, option, dimension, otherwise, low, high, help) double field;
#include "verify/options.inc"
#undef SOM_VERIFY_OPTION
} SomVerifyOptions;

typedef struct SomVerifyOptionInfo {
    SomStr name;        // in a design: "tMax"
    const char *option; // of the command line: "t-max"
    SomDimensionName dimension;
    double otherwise, low, high;
    const char *help;
} SomVerifyOptionInfo;

const SomVerifyOptionInfo *som_verify_option_infos(int *count);
SomVerifyOptions som_verify_default_options(void);
// The value of an option by its index, to read or to set.
double *som_verify_option(SomVerifyOptions *options, int index);
int som_verify_find_option(SomStr name); // by its name in a design; -1

// What the verify block of a design says goes into the options. False after a report: a name that
// is no option, a value that cannot be.
bool som_verify_read_settings(const SomConfiguration *design, SomVerifyOptions *options,
                              SomDiagnostics *diags);

// Whether the value may be given; if not, `why` says what may: "a time from 10us to 10s".
bool som_verify_option_is_good(int index, double value, SomText *why);

// The ground that the options describe.
SomTerrain som_verify_terrain(const SomVerifyOptions *options);

// Zero is the default for all but the mechanism.
typedef struct SomVerifyDef {
    const SomMechanism *mechanism;
    const double *start;             // one value a DoF; NULL: as the design starts
    const SomNamedPose *pose;        // whose values are in the start; NULL: that of the design
    const SomActionGraph *graph;     // of the same DoF; NULL: the configuration alone
    const SomPrediction *prediction; // of the graph; NULL: it is played here
    const SomVerifyOptions *options; // NULL: the default ones
    bool wants_series;               // keeps what is needed for plots
    const SomDiagnostics *reports;   // of the prediction that is given; see som_verify_predict
    bool wants_efforts;              // keeps what every joint has to hold
    SomPrediction *motion;           // gets the motion that was played; NULL: nobody wants it
    bool wants_second_opinion;       // has libccd and qhull compute again what was found
    bool skips_loads;                // neither loads nor slip, for a quick look while editing
    bool skips_repairs;              // looks for none; without loads none is looked for either
    double most_time;    // seconds that are verified at most, of any motion; 0: see the options
    const SomStop *stop; // NULL: nobody stops it
} SomVerifyDef;

// What a check reads. All is borrowed.
typedef struct SomVerifyInput {
    const struct SomVerifyInput *whole; // of which this is a part, with other docks closed; or NULL
    const SomConfiguration *design;
    const SomMechanism *mechanism;
    const SomNamedPose *pose; // in which the motion starts, NULL: none
    SomVerifyOptions options;
    const SomServoModel *servos;     // one a DoF
    const SomActionGraph *graph;     // NULL: the configuration alone
    const SomPrediction *prediction; // NULL with it
    int dof_count;
    int sample_count; // at least 1
    const double *times;
    const double *values; // dof_count for each sample, all finite
    const SomPose *begin; // of a part: how the robot is turned and set down then; NULL: as its base
    double unsteady;      // seconds for which it has not stood before
    const bool *is_apart; // one a piece: where it is against the others is not known; NULL: it is
    bool is_end;          // its last sample is the end of the motion, not only of a part of it
    const struct SomCommands *commands; // private: who commanded what, when
    struct SomRepairs *repairs;         // private: looks for them; NULL: nobody wants any
    bool wants_series;
    bool wants_efforts;
    bool keeps_stances; // places and unsteady, to compare them with other motions
    bool wants_second_opinion;
    bool skips_loads;
    const SomStop *stop;
} SomVerifyInput;

// Never fails: what cannot be looked at is a finding or stands under `skipped`. Threads may verify
// the same mechanism at once.
SomVerification *som_verify(const SomVerifyDef *def);

// The motion that som_verify would play and look at, for who wants to see it before: with this one
// as its prediction, and what is returned as its reports, it finds the same. To be destroyed.
SomDiagnostics *som_verify_predict(const SomVerifyDef *def, SomPrediction *prediction);

// The time of a sample as findings have it: NAN for a configuration.
double som_verify_time(const SomVerifyInput *input, int sample);

// The sample at a time, or the last one before it.
int som_verify_sample_at(const SomVerifyInput *input, double time);

// The action that commands the DoF at a time: the one that began last. Node of the graph, SOM_NONE
// if none ever did.
int32_t som_verify_action_of(const SomVerifyInput *input, int dof, double time);

// The same of a dock.
int32_t som_verify_action_of_dock(const SomVerifyInput *input, int dock, double time);

// The DoF between two links of the tree that is to blame for what they do at a time: it moves them
// fastest against each other, weighed with its arm; -1 if nothing between them moves. Link b may be
// -1: the base link.
int som_verify_dof_between(const SomVerifyInput *input, int link_a, int link_b, double time);

// Marks a finding about two links with the actions that moved them there, on either side of where
// their ways to the base meet. Does nothing for a configuration.
void som_verify_blame(const SomVerifyInput *input, int link_a, int link_b, double time,
                      SomFinding *finding);

// Where a finding about an action is marked: the action's place; without one, the line of the pose
// by which the DoF starts where it is, else the place of its module.
SomSpan som_verify_span(const SomVerifyInput *input, int32_t action, int dof);

// Of the values of a DoF, or of their speed: angle or length, angular speed or speed.
SomDimensionName som_verify_dimension(const SomVerifyInput *input, int dof, bool is_speed);

// When an action ran: the times at which its first run began and its last one ended. False if
// never.
bool som_verify_action_times(const SomVerifyInput *input, int32_t node, double *begin, double *end);

// The checks.
#define SOM_CHECK(name, function, word, title, fine)                                               \
    void som_check_##function(const SomVerifyInput *input, SomVerification *out);
#include "verify/checks.inc"
#undef SOM_CHECK

#ifdef __cplusplus
}
#endif
