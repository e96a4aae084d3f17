// SPDX-License-Identifier: Apache-2.0
#include "studio/motion_worker.h"

#include <pthread.h>

typedef struct Request {
    long number; // 0: nothing is asked for
    SomBehaviorTexts texts;
} Request;

// What the owner and the thread share; the last of them to leave destroys it.
struct SomMotionWorker {
    atomic_long wanted; // number of the request that may go on; 0: none

    pthread_mutex_t mutex; // of all that follows
    pthread_cond_t asked;
    pthread_cond_t answered;
    int holders;
    bool is_over; // the owner has left
    bool has_thread;
    bool is_busy;
    void (*wake)(void *context);
    void *context;
    long number; // of the last request
    Request request;
    SomMotionRecord *record; // newest that was not collected; NULL: none
};

// With the mutex, which is given back.
static void leave(SomMotionWorker *worker) {
    bool is_last = --worker->holders == 0;
    pthread_mutex_unlock(&worker->mutex);
    if (is_last) {
        som_behavior_texts_free(&worker->request.texts);
        som_motion_record_release(worker->record);
        pthread_cond_destroy(&worker->asked);
        pthread_cond_destroy(&worker->answered);
        pthread_mutex_destroy(&worker->mutex);
        som_free(worker);
    }
}

// ---- the thread

typedef struct Work {
    SomMotionWorker *worker;
    long number;
} Work;

static bool is_unwanted(void *context) {
    const Work *work = context;
    return atomic_load_explicit(&work->worker->wanted, memory_order_relaxed) != work->number;
}

// The record is the worker's from now on, or nobody's.
static void give(const Work *work, SomMotionRecord *record) {
    SomMotionWorker *worker = work->worker;
    pthread_mutex_lock(&worker->mutex);
    bool is_wanted = atomic_load(&worker->wanted) == work->number;
    SomMotionRecord *old = record;
    if (is_wanted) {
        old = worker->record;
        worker->record = record;
        if (worker->wake != NULL && !worker->is_over) {
            worker->wake(worker->context);
        }
    }
    pthread_mutex_unlock(&worker->mutex);
    som_motion_record_release(old);
}

static void answer(SomMotionWorker *worker, Request *request) {
    Work work = {worker, request->number};
    SomStop stop = {is_unwanted, &work};
    SomMotionScene *scene = som_motion_scene_create(&request->texts, &stop);
    if (!is_unwanted(&work)) {
        give(&work, som_motion_record_create(scene, NULL, work.number));
    }
    if (scene->graph != NULL && !is_unwanted(&work)) {
        SomVerification *found = som_motion_scene_verify(scene, &stop);
        if (is_unwanted(&work)) {
            som_verification_destroy(found);
        } else {
            give(&work, som_motion_record_create(scene, found, work.number));
        }
    }
    som_motion_scene_release(scene);
}

static void *run(void *data) {
    SomMotionWorker *worker = data;
    pthread_mutex_lock(&worker->mutex);
    while (!worker->is_over) {
        if (worker->request.number == 0) {
            worker->is_busy = false;
            pthread_cond_broadcast(&worker->answered);
            pthread_cond_wait(&worker->asked, &worker->mutex);
            continue;
        }
        Request request = worker->request;
        worker->request = (Request){0};
        worker->is_busy = true;
        pthread_mutex_unlock(&worker->mutex);
        answer(worker, &request);
        pthread_mutex_lock(&worker->mutex);
    }
    leave(worker);
    return NULL;
}

// ---- the owner

SomMotionWorker *som_motion_worker_create(void (*wake)(void *context), void *context) {
    SomMotionWorker *worker = som_alloc(sizeof *worker);
    worker->holders = 1;
    worker->wake = wake;
    worker->context = context;
    atomic_init(&worker->wanted, 0);
    pthread_mutex_init(&worker->mutex, NULL);
    pthread_cond_init(&worker->asked, NULL);
    pthread_cond_init(&worker->answered, NULL);
    return worker;
}

void som_motion_worker_destroy(SomMotionWorker *worker) {
    if (worker == NULL) {
        return;
    }
    atomic_store(&worker->wanted, 0);
    pthread_mutex_lock(&worker->mutex);
    worker->is_over = true;
    pthread_cond_signal(&worker->asked);
    leave(worker);
}

// With the mutex.
static void start_thread(SomMotionWorker *worker) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    worker->has_thread = pthread_create(&thread, &attributes, run, worker) == 0;
    worker->holders += worker->has_thread;
    pthread_attr_destroy(&attributes);
}

static SomBehaviorTexts copy_texts(const SomProject *project, SomStr behavior) {
    return som_behavior_texts(som_project_library(project), som_project_path(project),
                              som_project_text(project), som_project_choice(project), behavior);
}

// What is asked for instead of what was; nothing if the texts are empty.
static void replace(SomMotionWorker *worker, Request request) {
    pthread_mutex_lock(&worker->mutex);
    Request old = worker->request;
    SomMotionRecord *record = worker->record;
    worker->request = request;
    worker->record = NULL;
    atomic_store(&worker->wanted, request.number);
    if (request.number > 0 && !worker->has_thread) {
        start_thread(worker);
    }
    pthread_cond_signal(&worker->asked);
    pthread_mutex_unlock(&worker->mutex);
    som_behavior_texts_free(&old.texts);
    som_motion_record_release(record);
}

long som_motion_worker_ask(SomMotionWorker *worker, const SomProject *project, SomStr behavior) {
    replace(worker, (Request){++worker->number, copy_texts(project, behavior)});
    return worker->number;
}

void som_motion_worker_cancel(SomMotionWorker *worker) {
    replace(worker, (Request){0});
}

SomMotionRecord *som_motion_worker_collect(SomMotionWorker *worker) {
    pthread_mutex_lock(&worker->mutex);
    SomMotionRecord *record = worker->record;
    worker->record = NULL;
    pthread_mutex_unlock(&worker->mutex);
    return record;
}

void som_motion_worker_wait(SomMotionWorker *worker) {
    pthread_mutex_lock(&worker->mutex);
    while (worker->has_thread && (worker->request.number > 0 || worker->is_busy)) {
        pthread_cond_wait(&worker->answered, &worker->mutex);
    }
    pthread_mutex_unlock(&worker->mutex);
}
