// SPDX-License-Identifier: Apache-2.0
#include "studio/checker.h"

#include <pthread.h>

typedef struct Request {
    SomComposition *composition; // held; NULL: nothing is asked for
    SomVerifyOptions options;
    double *values;
    long number;
} Request;

// What the owner and the thread share; the last of them to leave destroys it.
struct SomChecker {
    pthread_mutex_t mutex; // of all that follows
    pthread_cond_t asked;
    pthread_cond_t answered;
    int holders;
    bool is_over; // the owner has left
    bool has_thread;
    bool is_busy;
    void (*wake)(void *context);
    void *context;
    Request request;
    bool has_answer;
    SomAnswer answer;
};

static void free_request(Request *request) {
    som_composition_release(request->composition);
    som_free(request->values);
    *request = (Request){0};
}

void som_answer_free(SomAnswer *answer) {
    som_composition_release(answer->composition);
    som_posture_verdict_free(&answer->verdict);
    *answer = (SomAnswer){0};
}

// With the mutex, which is given back.
static void leave(SomChecker *checker) {
    bool is_last = --checker->holders == 0;
    pthread_mutex_unlock(&checker->mutex);
    if (is_last) {
        free_request(&checker->request);
        som_answer_free(&checker->answer);
        pthread_cond_destroy(&checker->asked);
        pthread_cond_destroy(&checker->answered);
        pthread_mutex_destroy(&checker->mutex);
        som_free(checker);
    }
}

// ---- the thread

// A configuration made ready, for as long as postures of it are asked for.
typedef struct Workbench {
    SomComposition *composition; // held
    SomMechanism *mechanism;
} Workbench;

static void clear_bench(Workbench *bench) {
    som_mechanism_destroy(bench->mechanism);
    som_composition_release(bench->composition);
    *bench = (Workbench){0};
}

static SomAnswer verify(Workbench *bench, const Request *request) {
    if (bench->composition != request->composition) {
        clear_bench(bench);
        bench->composition = som_composition_hold(request->composition);
        bench->mechanism = som_mechanism_create(bench->composition->configuration);
    }
    return (SomAnswer){
        .composition = som_composition_hold(request->composition),
        .number = request->number,
        .verdict = som_posture_verdict_find(bench->mechanism, &request->options, request->values)};
}

// With the mutex.
static void give(SomChecker *checker, SomAnswer answer) {
    if (checker->has_answer) {
        som_answer_free(&checker->answer);
    }
    checker->answer = answer;
    checker->has_answer = true;
    if (checker->wake != NULL && !checker->is_over) {
        checker->wake(checker->context);
    }
}

static void *run(void *data) {
    SomChecker *checker = data;
    Workbench bench = {0};
    pthread_mutex_lock(&checker->mutex);
    while (!checker->is_over) {
        if (checker->request.composition == NULL) {
            checker->is_busy = false;
            pthread_cond_broadcast(&checker->answered);
            pthread_cond_wait(&checker->asked, &checker->mutex);
            continue;
        }
        Request request = checker->request;
        checker->request = (Request){0};
        checker->is_busy = true;
        pthread_mutex_unlock(&checker->mutex);
        SomAnswer answer = verify(&bench, &request);
        free_request(&request);
        pthread_mutex_lock(&checker->mutex);
        give(checker, answer);
    }
    pthread_mutex_unlock(&checker->mutex);
    clear_bench(&bench); // it may be large: nobody waits for it
    pthread_mutex_lock(&checker->mutex);
    leave(checker);
    return NULL;
}

// ---- the owner

SomChecker *som_checker_create(void (*wake)(void *context), void *context) {
    SomChecker *checker = som_alloc(sizeof *checker);
    *checker = (SomChecker){.holders = 2, .wake = wake, .context = context};
    pthread_mutex_init(&checker->mutex, NULL);
    pthread_cond_init(&checker->asked, NULL);
    pthread_cond_init(&checker->answered, NULL);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    checker->has_thread = pthread_create(&thread, &attributes, run, checker) == 0;
    if (!checker->has_thread) {
        checker->holders = 1;
    }
    pthread_attr_destroy(&attributes);
    return checker;
}

void som_checker_destroy(SomChecker *checker) {
    if (checker == NULL) {
        return;
    }
    pthread_mutex_lock(&checker->mutex);
    checker->is_over = true;
    pthread_cond_signal(&checker->asked);
    leave(checker);
}

void som_checker_ask(SomChecker *checker, SomComposition *composition,
                     const SomVerifyOptions *options, const double *values, long number) {
    size_t count = (size_t)composition->configuration->dof_count;
    Request request = {.composition = som_composition_hold(composition),
                       .options = *options,
                       .values = som_alloc(sizeof *values * (count + 1)),
                       .number = number};
    memcpy(request.values, values, sizeof *values * count);
    pthread_mutex_lock(&checker->mutex);
    Request old = checker->request;
    checker->request = request;
    pthread_cond_signal(&checker->asked);
    pthread_mutex_unlock(&checker->mutex);
    free_request(&old);
}

void som_checker_forget(SomChecker *checker) {
    pthread_mutex_lock(&checker->mutex);
    Request old = checker->request;
    checker->request = (Request){0};
    pthread_mutex_unlock(&checker->mutex);
    free_request(&old);
}

bool som_checker_collect(SomChecker *checker, SomAnswer *answer) {
    pthread_mutex_lock(&checker->mutex);
    bool has_answer = checker->has_answer;
    *answer = checker->answer;
    checker->answer = (SomAnswer){0};
    checker->has_answer = false;
    pthread_mutex_unlock(&checker->mutex);
    return has_answer;
}

void som_checker_wait(SomChecker *checker) {
    pthread_mutex_lock(&checker->mutex);
    while (checker->has_thread && (checker->request.composition != NULL || checker->is_busy)) {
        pthread_cond_wait(&checker->answered, &checker->mutex);
    }
    pthread_mutex_unlock(&checker->mutex);
}
