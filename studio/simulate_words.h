// studio/simulate_words.h - what has become of a behavior under physics, in words for people.
//
//     SomText words = {0};
//     som_record_print_when(record, &words);                  // "at 1.24 s of 7.5 s"
//     icon of som_record_severity(record), som_record_title(record), words ...
//     double moment = som_record_moment(record);              // where one wants to look
//     som_now_print(&now, &words);                            // while it runs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/physics.h"

// A note is good news.
SomSeverity som_record_severity(const SomPhysicsRecord *record);
const char *
som_record_title(const SomPhysicsRecord *record); // "Completed", "Fell", "Could not run"
void som_record_print_meaning(const SomPhysicsRecord *record,
                              SomText *out); // a sentence, or nothing

// The moment that made it so, seconds: of the fall, of the first touch, …, else its end. NAN if it
// did not run.
double som_record_moment(const SomPhysicsRecord *record);
void som_record_print_when(const SomPhysicsRecord *record,
                           SomText *out); // "at 1.24 s", "after 11.55 s (3 actions)"
void som_record_print_moved(const SomPhysicsRecord *record,
                            SomText *out); // "207 mm over the ground"
void som_record_print_pace(const SomPhysicsRecord *record, SomText *out); // "8.1 times real time"

// Of the comparison with what was predicted; nothing is added where there is none.
void som_record_print_lasted(const SomPhysicsRecord *record, SomText *out);
void som_record_print_actions(const SomPhysicsRecord *record, SomText *out);
void som_record_print_joints(const SomPhysicsRecord *record, SomText *out);

// What was reported, one a line, without places and codes; nothing if there was nothing.
void som_record_print_reasons(const SomPhysicsRecord *record, SomText *out);

SomSeverity som_event_severity(const SomSimulationEvent *event); // of one that is told

// A moment of the run that is worth a look.
typedef struct SomRecordLine {
    double time;
    SomSeverity severity;
    SomText words;
} SomRecordLine;

// Events first, then where physics and prediction part, grave things before others: at most `most`
// of each, sorted by time.
typedef struct SomRecordLines {
    SOM_ARRAY(SomRecordLine) all;
    int hidden; // that there are besides
} SomRecordLines;

SomRecordLines som_record_lines(const SomPhysicsRecord *record, int most);
void som_record_lines_free(SomRecordLines *lines);

// While it runs: "runs in MuJoCo", "1.2 s of about 7.5 s, 1 times real time".
void som_now_print_stage(const SomPhysicsNow *now, SomText *out);
void som_now_print_time(const SomPhysicsNow *now, SomText *out);
double som_now_fraction(const SomPhysicsNow *now); // 0 to 1; NAN: nobody knows
