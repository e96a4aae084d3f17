// verify/finding.h - what the checks have found about a design or a behavior of it.
//
//     SomFinding *found = som_verification_add(out, &(SomFinding){
//         .check = SOM_CHECK_JOINT_LIMIT, .code = SOM_JOINT_LIMIT, .t0 = t0, .t1 = t1, .worst = t,
//         .value = value, .limit = high, .dimension = SOM_DIMENSION_ANGLE, .who = quoted,
//         .span = span, .action = action}, "is at %s, its limit is %s", is, limit);
//     // the message: "Limit: 'a.hinge' from 1.2 s to 1.3 s, is at 95 deg, its limit is 90 deg"
//     som_finding_add_subject(out, found, path);
//     som_finding_set_details(out, found, "sent there from %s", start);
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
#define SOM_CHECK(name, function, word, title, fine) SOM_CHECK_##name,
#include "verify/checks.inc"
#undef SOM_CHECK
    SOM_CHECKS
} SomCheck;

typedef struct SomCheckInfo {
    const char *word;  // for programs
    const char *title; // what it looks for, for people: "collisions"
    const char *fine;  // what it means if it has found nothing
} SomCheckInfo;

SomCheckInfo som_check_info(SomCheck check);

// The kind of a finding, with which its message begins: "Collision". Empty if the code is none of a
// finding.
const char *som_finding_title(SomCode code);

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
    double tolerance;    // of the value: how exactly it is known, whatever the sampling; 0: exactly
    SomDimensionName dimension;
    SomStr who;     // modules or parts in quotes; empty: the message names them in its own place
    SomStr message; // the important thing: of what kind, who, when, how much
    SomStr text;    // the end of it: how much
    SomStr details; // what helps to understand it: links, other times; may be empty
    SomStr fix;     // the smallest change that repairs it; empty if none is known
    SomSpan span;   // of an action, the user's own line that leads to it
    SomSpan other;  // a second place, as of a conflict; source1 0: none
    int32_t action; // node of the graph that caused it, SOM_NONE
    int32_t other_action;        // node of the other place, if there is one
    const SomFindingStep *steps; // from the actions to these places; filled in at the end
    int step_count;
} SomFinding;

// Unsafe: a finding is an error. Incomplete: none is, and something that a check claims was not
// checked. The larger one counts for several.
typedef enum SomVerdict {
    SOM_VERDICT_SAFE,
    SOM_VERDICT_INCOMPLETE,
    SOM_VERDICT_UNSAFE,
    SOM_VERDICTS
} SomVerdict;

const char *som_verdict_word(SomVerdict verdict); // for people and programs

// A quantity over time, one value a sample; NAN where there is none.
typedef struct SomSeries {
    SomStr name;
    SomDimensionName dimension;
    double limit; // NAN: none
    double *values;
} SomSeries;

// What a check did not look at, and why. What is not checked leaves a claim without proof, and the
// verdict incomplete. What is not assessed leaves the verdict as it is: a pair that is excluded for
// a reason that holds in every posture, or data that no source gives.
typedef struct SomSkipped {
    SomCheck check;
    bool is_unchecked; // it should have been checked; else it is not assessed
    SomStr what;       // "samples"; "m1.body and m1.wheel"
    long count;        // of samples, pairs or things
    long total;        // of which they are some; 0: not known
    SomStr reason;     // "the robot is not level"; "joined by a joint"
} SomSkipped;

// How much of what a check has to look at it has looked at.
typedef struct SomCoverage {
    long samples, samples_total;   // a sample at which a dock changes counts for both states
    long pairs, pairs_total;       // of links; 0 of 0: it does not look at pairs
    long branches, branches_total; // ways that conditions on sensors may lead
} SomCoverage;

// Of how many joints or connectors it is known what they can do.
typedef enum SomKnown {
    SOM_KNOWN_OF_NONE,
    SOM_KNOWN_OF_SOME,
    SOM_KNOWN_OF_ALL,
} SomKnown;
// What libccd and qhull computed once more, and how well that agrees with what was found.
typedef struct SomSecondOpinion {
    bool is_wanted;
    long pairs;            // of links, at all moments
    int moments;           // at which they were near each other
    int polygons, hulls;   // of support, of links
    long disagreements;    // beyond SOM_SECOND_TOLERANCE
    double max_difference; // metres
} SomSecondOpinion;

// Adds up what two of them did.
void som_second_opinion_join(SomSecondOpinion *into, const SomSecondOpinion *part);
// "214 pairs at 12 moments, 31 support polygons, 9 hulls agree to 1e-6 m (libccd, qhull)".
void som_second_opinion_print(const SomSecondOpinion *second, SomText *out);

// Metres; of what is larger than a metre, a part of its size.
#define SOM_SECOND_TOLERANCE 1e-6

// More findings are counted, not kept.
#define SOM_MAX_FINDINGS 1000

typedef struct SomVerification {
    SomVerdict verdict;
    double duration; // of the motion; 0 for a configuration
    // the motion ends where it comes back to the state that it had so long before, and goes on like
    // that for ever; 0: it does not
    double period;
    bool is_behavior;
    int sample_count; // 1 for a configuration
    const double *times;
    bool is_void[SOM_CHECKS];  // there was nothing to look at: no loops, no motion
    SomStr except[SOM_CHECKS]; // what a claim leaves out: "except a and b, which ..."; or empty
    SomCoverage coverage[SOM_CHECKS];
    SomKnown speeds, actuators, connectors; // whose limits are known
    SOM_ARRAY(SomFinding) findings;         // by time, then by check
    int omitted;                            // findings beyond SOM_MAX_FINDINGS
    SOM_ARRAY(SomSeries) series;
    // with the series, one a sample: how the robot as a whole is turned and set down on the ground,
    // against where its base puts it. NULL: nobody asked
    SomPose *places;
    double *unsteady; // private: seconds for which it has not stood at a sample; NULL
    int dof_count;    // of the efforts
    double *efforts;  // dof_count a sample: what each joint holds, NAN: not known. NULL: likewise
    SOM_ARRAY(SomSkipped) skipped;
    // of modules that are not neighbours; NAN: there are none
    double min_clearance, min_clearance_time;
    SomStr clearance_a, clearance_b;
    SomStr clearance_if, margin_if; // what sensors must be for it; empty: as the behavior is played
    double min_margin, min_margin_time; // signed, negative: tips over; NAN: not known
    double margin_centres;              // smallest margin of module centres, as the lab measures it
    double first_touch_spheres;         // fraction of the motion at which the lab's spheres touch
    SomSecondOpinion second;
    SomFinding spare; // written to instead of a finding that is not kept
    SomArena arena;
} SomVerification;

// Empty and safe, with nothing known; destroyed with its texts.
SomVerification *som_verification_create(void);
void som_verification_destroy(SomVerification *verification); // NULL is allowed

// Adds a finding. The text is the end of its message: how much, or what. The pointer is good until
// the next one is added.
__attribute__((format(printf, 3, 4))) SomFinding *
som_verification_add(SomVerification *out, const SomFinding *finding, const char *format, ...);
void som_finding_add_step(SomVerification *out, SomFinding *finding, SomSpan span, SomStr words);
void som_finding_add_subject(SomVerification *out, SomFinding *finding, SomStr path);
// Names others in its message.
void som_finding_set_who(SomVerification *out, SomFinding *finding, SomStr who);
__attribute__((format(printf, 3, 4))) void
som_finding_set_details(SomVerification *out, SomFinding *finding, const char *format, ...);
__attribute__((format(printf, 3, 4))) void
som_finding_set_fix(SomVerification *out, SomFinding *finding, const char *format, ...);

// Removes a finding that turned out not to be known. The verdict is that of the others.
void som_verification_take_back(SomVerification *out, int finding);

// One value a sample, NAN at first, to be filled in.
double *som_verification_add_series(SomVerification *out, SomStr name, SomDimensionName dimension,
                                    double limit);
// See SomSkipped. The same words for the same check are added up when parts of a motion are joined
// if they are of "samples", and else counted once.
void som_verification_not_checked(SomVerification *out, SomCheck check, SomStr what, long count,
                                  long total, SomStr reason);
void som_verification_not_assessed(SomVerification *out, SomCheck check, SomStr what, long count,
                                   SomStr reason);

// "loads not checked: 141 of 143 samples (the robot is not level)".
void som_skipped_print(const SomSkipped *skipped, SomText *out);

// Counts what the check has looked at, once it has run over so many samples.
void som_verification_cover(SomVerification *out, SomCheck check, long samples);
// Samples that are not checked because the check does not run. So many are `known` to be left out
// for another reason; `uncounted` of them, or more that it did look at, were not counted before.
void som_verification_leave_out(SomVerification *out, SomCheck check, long left, long known,
                                long uncounted, SomStr reason);

// Whether the check proves what it claims: it had something to look at, found nothing, and checked
// everything, of a motion that was looked at to its end.
bool som_verification_claims(const SomVerification *verification, SomCheck check);
// What it claims then: "actuators hold".
void som_verification_print_claim(const SomVerification *verification, SomCheck check,
                                  SomText *out);

// Takes over what was found about a part of the motion, from sample `first` on, and destroys it.
void som_verification_join(SomVerification *out, SomVerification *part, int first);

// Takes over what was found about another motion of the behavior, in which sensors are as the words
// say, and destroys it. Findings that are there already are one with them.
void som_verification_join_branch(SomVerification *out, SomVerification *branch, SomStr words);

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

// "'a.hinge'", likewise.
SomStr som_verification_quote(SomVerification *out, SomStr name);

#ifdef __cplusplus
}
#endif
