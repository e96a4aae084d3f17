// verify/finding.h - what the checks have found about a design or a behavior of it.
//
//     SomFinding *found = som_verification_add(out, &(SomFinding){
//         .check = SOM_CHECK_JOINT_LIMIT, .code = SOM_JOINT_LIMIT, .t0 = t0, .t1 = t1, .worst = t,
//         .value = value, .limit = high, .dimension = SOM_DIMENSION_ANGLE,
//         .span = span, .action = action}, "'%s' is at %s, its limit is %s", name, is, limit);
//     som_finding_add_subject(out, found, path);
//     som_finding_set_fix(out, found, "use %s", limit);
//
// One finding for one cause: an interval and its worst moment, not one for each sample. The
// severity follows from the code. Everything is copied into the verification, which owns it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/memory.h"
#include "language/unit.h"
#include "space/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomCheck {
#define SOM_CHECK(name, function, word, fine) SOM_CHECK_##name,
#include "verify/checks.inc"
#undef SOM_CHECK
    SOM_CHECKS
} SomCheck;

typedef struct SomCheckInfo {
    const char *word; // for programs
    const char *fine; // what it means if it has found nothing
} SomCheckInfo;

SomCheckInfo som_check_info(SomCheck check);

// A place on the way from what was found to what the user wrote, in words: "called from here, in
// behavior 'bot.walk'".
typedef struct SomFindingStep {
    SomSpan span;
    SomStr words;
} SomFindingStep;

typedef struct SomFinding {
    SomCheck check;
    SomCode code;
    SomSeverity severity;   // that of the code
    double t0, t1, worst;   // seconds; NAN where there is no time, as of a configuration
    const SomStr *subjects; // instance paths
    int subject_count;
    double value, limit; // NAN: none
    SomDimensionName dimension;
    SomStr message;
    SomStr fix;                  // the smallest change that repairs it; empty if none is known
    SomSpan span;                // of an action, the user's own line that leads to it
    SomSpan other;               // a second place, as of a conflict; source1 0: none
    int32_t action;              // node of the graph that caused it, SOM_NONE
    int32_t other_action;        // node of the other place, if there is one
    const SomFindingStep *steps; // from the actions to these places; filled in at the end
    int step_count;
} SomFinding;

// A quantity over time, one value a sample; NAN where there is none.
typedef struct SomSeries {
    SomStr name;
    SomDimensionName dimension;
    double limit; // NAN: none
    double *values;
} SomSeries;

// What was not looked at, and why.
typedef struct SomSkipped {
    SomStr what;   // "m1.body and m1.wheel"; "adjacent links"
    int count;     // of pairs or things it stands for
    SomStr reason; // "joined by a joint"
} SomSkipped;

// More findings are counted, not kept.
#define SOM_MAX_FINDINGS 1000

typedef struct SomVerification {
    bool is_safe;    // no finding is an error
    double duration; // of the motion; 0 for a configuration
    bool is_behavior;
    int sample_count; // 1 for a configuration
    const double *times;
    bool is_void[SOM_CHECKS];       // there was nothing to look at: no loops, no motion
    SOM_ARRAY(SomFinding) findings; // by time, then by check
    int unkept;                     // findings beyond SOM_MAX_FINDINGS
    SOM_ARRAY(SomSeries) series;
    // with the series, one a sample: how the robot as a whole is turned and set down on the ground,
    // against where its base puts it. NULL: nobody asked
    SomPose *places;
    int dof_count;   // of the efforts
    double *efforts; // dof_count a sample: what each joint holds, NAN: not known. NULL: likewise
    SOM_ARRAY(SomSkipped) skipped;
    // of modules that are not neighbours; NAN: there are none
    double min_clearance, min_clearance_time;
    SomStr clearance_a, clearance_b;
    double min_margin, min_margin_time; // signed, negative: tips over; NAN: not known
    double margin_centres;              // smallest margin of module centres, as the lab measures it
    double first_touch_spheres;         // fraction of the motion at which the lab's spheres touch
    SomFinding spare;                   // written to instead of a finding that is not kept
    SomArena arena;
} SomVerification;

// Empty and safe, with nothing known; destroyed with its texts.
SomVerification *som_verification_create(void);
void som_verification_destroy(SomVerification *verification); // NULL is allowed

// Adds a finding with a message. The pointer is good until the next one is added.
__attribute__((format(printf, 3, 4))) SomFinding *
som_verification_add(SomVerification *out, const SomFinding *finding, const char *format, ...);
void som_finding_add_step(SomVerification *out, SomFinding *finding, SomSpan span, SomStr words);
void som_finding_add_subject(SomVerification *out, SomFinding *finding, SomStr path);
__attribute__((format(printf, 3, 4))) void
som_finding_set_fix(SomVerification *out, SomFinding *finding, const char *format, ...);

// One value a sample, NAN at first, to be filled in.
double *som_verification_add_series(SomVerification *out, SomStr name, SomDimensionName dimension,
                                    double limit);
void som_verification_skip(SomVerification *out, SomStr what, int count, SomStr reason);

// Takes over what was found about a part of the motion, from sample `first` on, and destroys it.
void som_verification_join(SomVerification *out, SomVerification *part, int first);

// Orders findings by time, then by check; those of no time come first.
void som_verification_finish(SomVerification *out);

// "3.1 mm", "12.5 deg", "0.42 Nm", "2.37 s": as messages say it, to a thousandth of the unit.
void som_text_value(SomText *out, double value, SomDimensionName dimension);

// A value to be compared with another one, or to be written into a design: with as many digits as
// tell the two apart and read back within the tolerance of limits (modules/joint_limit.h).
void som_text_exact(SomText *out, double value, double other, SomDimensionName dimension);

// The same in memory of the verification, terminated, for "%s".
const char *som_verification_value(SomVerification *out, double value, SomDimensionName dimension);
const char *som_verification_exact(SomVerification *out, double value, double other,
                                   SomDimensionName dimension);

#ifdef __cplusplus
}
#endif
