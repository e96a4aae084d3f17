// studio/checker.h - verifies postures in a thread of its own, the latest one asked for first.
//
//     SomChecker *checker = som_checker_create(wake, window); // wake is called from the thread
//     som_checker_ask(checker, composition, &options, posture.values, ++number);
//     ...
//     SomAnswer answer;
//     if (som_checker_collect(checker, &answer)) { ... answer.verdict ... som_answer_free(&answer);
//     } som_checker_destroy(checker);
//
// Nothing here waits for a verification: what is asked for while one runs replaces what was asked
// for before, and one that is not wanted any more when the checker is destroyed ends by itself.
// The thread reads configurations that others read, too, which nobody changes; all else it has are
// copies.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/composition.h"
#include "studio/posture_verdict.h"

typedef struct SomChecker SomChecker;

typedef struct SomAnswer {
    SomComposition *composition; // held
    long number;                 // that was asked with
    SomPostureVerdict verdict;
} SomAnswer;

// `wake` must not call the checker. NULL: nobody is woken.
SomChecker *som_checker_create(void (*wake)(void *context), void *context);
void som_checker_destroy(SomChecker *checker); // NULL is allowed; nobody is woken afterwards

// The composition has a configuration; values are one for each of its DoF.
void som_checker_ask(SomChecker *checker, SomComposition *composition,
                     const SomVerifyOptions *options, const double *values, long number);

// What was asked for and not begun is not answered.
void som_checker_forget(SomChecker *checker);

// The newest answer that was not collected; false if there is none.
bool som_checker_collect(SomChecker *checker, SomAnswer *answer);
void som_answer_free(SomAnswer *answer);

// For tests and pictures: returns when all that was asked for is answered.
void som_checker_wait(SomChecker *checker);
