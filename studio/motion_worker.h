// studio/motion_worker.h - predicts and verifies behaviors in a thread of its own, the latest one
// asked for first.
//
//     SomMotionWorker *worker = som_motion_worker_create(wake, panel); // called from the thread
//     long number = som_motion_worker_ask(worker, project, SOM_STR("walk"));
//     ...
//     SomMotionRecord *record = som_motion_worker_collect(worker);      // studio/motion_record.h
//     if (record != NULL) { ... som_motion_record_release(record); }
//     som_motion_worker_destroy(worker);
//
// Of each request there are two answers: the prediction, to be played at once, and the same with
// what verification found. Nothing here waits: what is asked for ends what was asked for before,
// within milliseconds, and so does destroying. The thread works on copies of the texts. It is begun
// with the first request.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/motion_record.h"
#include "studio/project.h"

typedef struct SomMotionWorker SomMotionWorker;

// `wake` must not call the worker. NULL: nobody is woken.
SomMotionWorker *som_motion_worker_create(void (*wake)(void *context), void *context);
void som_motion_worker_destroy(SomMotionWorker *worker); // NULL is allowed; nobody is woken then

// The behavior, by its path, of the project's configuration as its text says it now. Returns the
// number that the records will have.
long som_motion_worker_ask(SomMotionWorker *worker, const SomProject *project, SomStr behavior);

// Nothing is wanted any more.
void som_motion_worker_cancel(SomMotionWorker *worker);

// The newest record of the last request that was not collected; NULL if there is none. To be
// released.
SomMotionRecord *som_motion_worker_collect(SomMotionWorker *worker);

// For tests and pictures: returns when all that was asked for is answered, or cancelled.
void som_motion_worker_wait(SomMotionWorker *worker);
