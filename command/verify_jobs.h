// command/verify_jobs.h - what `somite verify` looks at: configurations and their behaviors, made
// ready one after the other, verified on all cores, printed in the order in which they were added.
//
//     SomVerifyJobs jobs = {.command = command};
//     som_verify_jobs_add_word(&jobs, "walkbot");
//     som_verify_jobs_run(&jobs, threads);
//     som_verify_jobs_print(&jobs, &command->out);       // or som_verify_jobs_write
//     som_verify_jobs_free(&jobs);
//
// What is printed does not depend on the number of threads.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/design.h"
#include "compose/reported.h"
#include "verify/verify.h"

typedef struct SomVerifyJob {
    SomStr file;     // as it was found
    SomStr behavior; // as it was asked for; empty: the configuration alone
    int design;      // of the jobs
    SomActionGraph *graph;
    SomVerification *found; // NULL until it was verified
    SomPrediction motion;   // if a page is wanted
} SomVerifyJob;

typedef struct SomVerifyDesign {
    SomConfiguration *configuration;
    SomMechanism *mechanism;
    const SomNamedPose *pose; // that was asked for, NULL: none
    SomPosture posture;
    SomVerifyOptions options;
} SomVerifyDesign;

// A file, configuration or behavior that has errors, so that it was not verified. What is not known
// is empty.
typedef struct SomVerifyFailure {
    SomStr file, design, behavior;
} SomVerifyFailure;

typedef struct SomVerifyJobs {
    SomCommand *command;
    SOM_ARRAY(SomVerifyDesign) designs;
    SOM_ARRAY(SomVerifyJob) all;
    SomReportedPlaces reported;
    SOM_ARRAY(SomVerifyFailure) failures;
    bool wants_all_configs;
    bool wants_series;
    bool wants_motion;
    bool wants_second_opinion;
    bool is_verbose;
} SomVerifyJobs;

// Options of the command line, which go before those of a design. False after a complaint.
bool som_verify_jobs_read_options(SomCommand *command, SomVerifyOptions *options);

// A file, a name of the library, or a folder: all .som files in it, with all configurations.
void som_verify_jobs_add_word(SomVerifyJobs *jobs, const char *word);

// `threads` 0: as many as there are processors.
void som_verify_jobs_run(SomVerifyJobs *jobs, int threads);
void som_verify_jobs_free(SomVerifyJobs *jobs);

// The worst of all; unsafe if anything could not be verified because of errors.
SomVerdict som_verify_jobs_verdict(const SomVerifyJobs *jobs);

SomSecondOpinion som_verify_jobs_second_opinion(const SomVerifyJobs *jobs); // of all together

// The first job's series, as CSV, to a file.
void som_verify_jobs_save_table(const SomVerifyJobs *jobs, const char *path);

// As a page, to a file.
void som_verify_jobs_save_page(const SomVerifyJobs *jobs, const char *path);

// For people, and for programs: members of the open object.
void som_verify_jobs_print(const SomVerifyJobs *jobs, SomText *out);
void som_verify_jobs_write(const SomVerifyJobs *jobs);
