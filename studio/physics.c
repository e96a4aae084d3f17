// SPDX-License-Identifier: Apache-2.0
#include "studio/physics.h"

#include <math.h>
#include <pthread.h>
#include <time.h>

#define LOOK_SECONDS (1 / 60.0) // of the wall, from one picture of the robot to the next
#define AHEAD_SECONDS 0.004     // of the wall: less is not worth waiting for

typedef struct Request {
    long number; // 0: nothing is asked for
    SomBehaviorTexts texts;
    SomPhysicsEngines engines;
    double duration;
    bool is_paced;
} Request;

struct SomPhysics {
    void (*wake)(void *context);
    void *context;
    atomic_long wanted; // number of the request that may go on; 0: none

    pthread_mutex_t mutex; // of all that follows
    pthread_cond_t changed;
    pthread_t thread;
    bool has_thread;
    bool is_over; // the thread is to end
    bool is_busy;
    long number; // of the last request; records of others are not given
    Request request;
    SomPhysicsNow now;
    bool has_links;
    SomPhysicsLinks links;
    SomPhysicsTrace trace;                 // of what was not taken yet
    SOM_ARRAY(SomPhysicsRecord *) records; // not taken yet
};

static double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct timespec timespec_of(double seconds) {
    return (struct timespec){.tv_sec = (time_t)seconds,
                             .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};
}

// ---- telling, from the thread

typedef struct Work {
    SomPhysics *physics;
    const Request *request;
    SomPhysicsScene *scene;
    SomPhysicsLinks links; // filled and then changed for those that were shown before
    int samples, events;   // of the run that were added to the trace
} Work;

static bool is_cancelled(const Work *w) {
    return atomic_load(&w->physics->wanted) != w->request->number;
}

// With the mutex.
static void wake_owner(SomPhysics *physics) {
    if (physics->wake != NULL && !physics->is_over) {
        physics->wake(physics->context);
    }
}

static void tell(const Work *w, SomPhysicsNow now) {
    pthread_mutex_lock(&w->physics->mutex);
    w->physics->now = now;
    wake_owner(w->physics);
    pthread_mutex_unlock(&w->physics->mutex);
}

static void tell_stage(const Work *w, SomPhysicsStage stage, SomEngineKind engine) {
    pthread_mutex_lock(&w->physics->mutex);
    w->physics->now.stage = stage;
    w->physics->now.engine = engine;
    wake_owner(w->physics);
    pthread_mutex_unlock(&w->physics->mutex);
}

static void give(const Work *w, SomPhysicsRecord *record) {
    SomPhysics *physics = w->physics;
    pthread_mutex_lock(&physics->mutex);
    bool is_wanted = physics->number == w->request->number;
    if (is_wanted) {
        som_array_push(&physics->records, record);
        wake_owner(physics);
    }
    pthread_mutex_unlock(&physics->mutex);
    if (!is_wanted) {
        som_physics_record_release(record);
    }
}

// With the mutex: what is new since the last time.
static void show_trace(Work *w, SomPhysicsRecord *record) {
    SomPhysicsTrace *trace = &w->physics->trace;
    if (trace->record != record) {
        som_physics_trace_free(trace);
        trace->record = som_physics_record_hold(record);
        w->samples = w->events = 0;
    }
    som_physics_trace_add(trace, record->run.result, &w->samples, &w->events);
}

static void show(Work *w, SomPhysicsRecord *record, SomPhysicsNow now) {
    int count = record->run.mechanism->link_count;
    w->links.all.count = 0;
    for (int i = 0; i < count; i++) {
        som_array_push(&w->links.all, (SomPose){0});
    }
    som_simulation_place(record->run.simulation, w->links.all.data);
    w->links.time = now.time;
    SomPhysics *physics = w->physics;
    pthread_mutex_lock(&physics->mutex);
    if (physics->number == w->request->number) {
        SomPhysicsLinks old = physics->links;
        physics->links = w->links;
        physics->has_links = true;
        w->links = old;
        show_trace(w, record);
    }
    physics->now = now;
    wake_owner(physics);
    pthread_mutex_unlock(&physics->mutex);
}

// ---- the run

static void wait_until(const Work *w, double seconds) {
    struct timespec then = timespec_of(seconds);
    pthread_mutex_lock(&w->physics->mutex);
    while (!is_cancelled(w) && clock_seconds() < seconds) {
        pthread_cond_timedwait(&w->physics->changed, &w->physics->mutex, &then);
    }
    pthread_mutex_unlock(&w->physics->mutex);
}

static double expected(const SomPhysicsRecord *record) {
    double most = som_physics_run_duration(&record->run);
    const SomPrediction *prediction = &record->report.prediction;
    bool ends = prediction->status == SOM_PLAYER_COMPLETED && prediction->duration > 0;
    return ends ? fmin(most, prediction->duration) : most;
}

static void play(Work *w, SomPhysicsRecord *record, bool is_paced) {
    SomSimulation *simulation = record->run.simulation;
    double began = clock_seconds(), next = began;
    SomPhysicsNow now = {SOM_PHYSICS_RUNNING, record->engine, 0, expected(record), 0};
    bool goes_on = true;
    while (goes_on) {
        som_film_look(&record->film, simulation, record->run.mechanism);
        double wall = clock_seconds();
        if (is_paced && began + now.time > wall + AHEAD_SECONDS) {
            wait_until(w, began + now.time);
        }
        if (wall >= next) {
            now.speed = now.time / fmax(wall - began, 1e-6);
            show(w, record, now);
            next = wall + LOOK_SECONDS;
        }
        goes_on = !is_cancelled(w) && som_simulation_step(simulation);
        now.time = som_simulation_time(simulation);
    }
    record->seconds = clock_seconds() - began;
    record->is_stopped = record->run.result->outcome == SOM_OUTCOME_RUNNING;
    som_film_look_last(&record->film, simulation, record->run.mechanism);
    show(w, record, now);
}

static void run_engine(Work *w, SomEngineKind engine, bool is_paced) {
    SomPhysicsRecord *record = som_physics_record_create(w->scene, engine);
    SomDiagnostics *diags = som_diagnostics_create_with_sources(w->scene->composition->diags);
    record->run.def.duration = w->request->duration;
    tell(w, (SomPhysicsNow){.stage = SOM_PHYSICS_LOADING, .engine = engine});
    record->has_run = som_physics_run_begin(&record->run, diags);
    if (record->has_run) {
        som_physics_report_predict(&record->report, &record->run, diags);
        play(w, record, is_paced);
        if (!record->is_stopped && !is_cancelled(w)) {
            tell_stage(w, SOM_PHYSICS_COMPARING, engine);
            som_physics_report_compare(&record->report, &record->run, diags);
        }
    }
    som_diagnostics_sort(diags);
    som_diagnostics_print(diags, 0, &record->words);
    som_diagnostics_destroy(diags);
    give(w, record);
}

// Of a design that cannot be run.
static void give_words(const Work *w, SomText *words) {
    SomPhysicsRecord *record = som_physics_record_create(w->scene, SOM_ENGINE_MUJOCO);
    record->words = *words;
    *words = (SomText){0};
    give(w, record);
}

static void work(SomPhysics *physics, Request *request) {
    Work w = {.physics = physics, .request = request};
    SomText words = {0};
    tell(&w, (SomPhysicsNow){.stage = SOM_PHYSICS_PREPARING});
    w.scene = som_physics_scene_create(&request->texts, &words);
    if (w.scene->graph == NULL) {
        give_words(&w, &words);
    } else {
        if (request->engines != SOM_PHYSICS_VERDICT) {
            run_engine(&w, SOM_ENGINE_MUJOCO, request->is_paced);
        }
        if (request->engines != SOM_PHYSICS_PREVIEW && !is_cancelled(&w)) {
            bool is_first = request->engines == SOM_PHYSICS_VERDICT;
            run_engine(&w, SOM_ENGINE_GAZEBO, is_first && request->is_paced);
        }
    }
    som_text_free(&words);
    som_array_free(&w.links.all);
    som_physics_scene_release(w.scene);
}

static void *run(void *data) {
    SomPhysics *physics = data;
    pthread_mutex_lock(&physics->mutex);
    while (!physics->is_over) {
        if (physics->request.number == 0) {
            physics->is_busy = false;
            physics->now = (SomPhysicsNow){0};
            wake_owner(physics);
            pthread_cond_broadcast(&physics->changed);
            pthread_cond_wait(&physics->changed, &physics->mutex);
            continue;
        }
        Request request = physics->request;
        physics->request = (Request){0};
        pthread_mutex_unlock(&physics->mutex);
        work(physics, &request);
        pthread_mutex_lock(&physics->mutex);
    }
    pthread_mutex_unlock(&physics->mutex);
    return NULL;
}

// ---- the owner

SomPhysics *som_physics_create(void (*wake)(void *context), void *context) {
    SomPhysics *physics = som_alloc(sizeof *physics);
    physics->wake = wake;
    physics->context = context;
    atomic_init(&physics->wanted, 0);
    pthread_mutex_init(&physics->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&physics->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    return physics;
}

// With the mutex: what was made and not taken.
static void forget(SomPhysics *physics) {
    for (int i = 0; i < physics->records.count; i++) {
        som_physics_record_release(physics->records.data[i]);
    }
    physics->records.count = 0;
    physics->has_links = false;
    som_physics_trace_free(&physics->trace);
}

void som_physics_destroy(SomPhysics *physics) {
    if (physics == NULL) {
        return;
    }
    atomic_store(&physics->wanted, 0);
    pthread_mutex_lock(&physics->mutex);
    physics->is_over = true;
    pthread_cond_broadcast(&physics->changed);
    pthread_mutex_unlock(&physics->mutex);
    if (physics->has_thread) {
        pthread_join(physics->thread, NULL);
    }
    forget(physics);
    som_behavior_texts_free(&physics->request.texts);
    som_array_free(&physics->records);
    som_array_free(&physics->links.all);
    pthread_cond_destroy(&physics->changed);
    pthread_mutex_destroy(&physics->mutex);
    som_free(physics);
}

void som_physics_start(SomPhysics *physics, const SomPhysicsDef *def) {
    Request request = {
        .texts = som_behavior_texts(def->library, def->path, def->text, def->choice, def->behavior),
        .engines = def->engines,
        .duration = def->duration,
        .is_paced = def->is_paced};
    pthread_mutex_lock(&physics->mutex);
    request.number = ++physics->number;
    Request old = physics->request;
    physics->request = request;
    atomic_store(&physics->wanted, request.number);
    forget(physics);
    if (!physics->has_thread) {
        physics->has_thread = pthread_create(&physics->thread, NULL, run, physics) == 0;
    }
    physics->is_busy = physics->has_thread;
    physics->now =
        (SomPhysicsNow){.stage = physics->is_busy ? SOM_PHYSICS_PREPARING : SOM_PHYSICS_IDLE};
    pthread_cond_broadcast(&physics->changed);
    pthread_mutex_unlock(&physics->mutex);
    som_behavior_texts_free(&old.texts);
}

void som_physics_stop(SomPhysics *physics) {
    atomic_store(&physics->wanted, 0);
    pthread_mutex_lock(&physics->mutex);
    pthread_cond_broadcast(&physics->changed);
    pthread_mutex_unlock(&physics->mutex);
}

SomPhysicsNow som_physics_now(SomPhysics *physics) {
    pthread_mutex_lock(&physics->mutex);
    SomPhysicsNow now = physics->now;
    pthread_mutex_unlock(&physics->mutex);
    return now;
}

bool som_physics_take_links(SomPhysics *physics, SomPhysicsLinks *links) {
    pthread_mutex_lock(&physics->mutex);
    bool has_links = physics->has_links;
    if (has_links) {
        SomPhysicsLinks old = *links;
        *links = physics->links;
        physics->links = old;
        physics->has_links = false;
    }
    pthread_mutex_unlock(&physics->mutex);
    return has_links;
}

bool som_physics_take_trace(SomPhysics *physics, SomPhysicsTrace *trace) {
    pthread_mutex_lock(&physics->mutex);
    bool is_new = som_physics_trace_join(trace, &physics->trace);
    pthread_mutex_unlock(&physics->mutex);
    return is_new;
}

SomPhysicsRecord *som_physics_take_record(SomPhysics *physics) {
    SomPhysicsRecord *record = NULL;
    pthread_mutex_lock(&physics->mutex);
    if (physics->records.count > 0) {
        record = physics->records.data[0];
        physics->records.count--;
        for (int i = 0; i < physics->records.count; i++) {
            physics->records.data[i] = physics->records.data[i + 1];
        }
    }
    pthread_mutex_unlock(&physics->mutex);
    return record;
}

void som_physics_wait(SomPhysics *physics) {
    pthread_mutex_lock(&physics->mutex);
    while (physics->is_busy) {
        pthread_cond_wait(&physics->changed, &physics->mutex);
    }
    pthread_mutex_unlock(&physics->mutex);
}
