// studio/simulate_job.h - pictures and a page of a run, to be written in a thread.
//
//     SomRecordJob *job = som_record_job_create(record, SOM_JOB_PICTURES, SOM_STR("walk.png"));
//     som_record_job_run(job);                        // in any thread; may take many seconds
//     if (job->is_done) { ... } else { ... som_text_str(&job->words) says why not ... }
//     som_record_job_destroy(job);
//
// Meanwhile, from another thread: som_record_job_fraction says how far it is, and
// som_record_job_cancel ends it soon; a picture that moves is then not written.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/physics_record.h"

typedef enum SomRecordJobKind {
    SOM_JOB_PICTURES, // to one that moves, if it ends in .png, else into a folder
    SOM_JOB_REPORT,   // an HTML page of a record that was compared
} SomRecordJobKind;

typedef struct SomRecordJob {
    SomRecordJobKind kind;
    SomPhysicsRecord *record; // held
    SomText out;
    atomic_bool is_cancelled;
    atomic_int drawn; // pictures so far

    bool is_done;
    SomText words; // what was reported
} SomRecordJob;

SomRecordJob *som_record_job_create(SomPhysicsRecord *record, SomRecordJobKind kind, SomStr out);
void som_record_job_destroy(SomRecordJob *job); // NULL is allowed

void som_record_job_run(SomRecordJob *job);
void som_record_job_cancel(SomRecordJob *job);
double som_record_job_fraction(SomRecordJob *job); // 0 to 1; NAN: nobody knows
