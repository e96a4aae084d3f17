// SPDX-License-Identifier: Apache-2.0
#include "base/codes/simulate_codes.h"
#include "player/physics_facts.h"
#include "simulate/engine_internal.h"

#include <math.h>

static const struct {
    const char *name;
    const char *title;
    const char *package;
    SomEngine *(*create)(const SomEngineDef *def, SomDiagnostics *diags); // NULL: not built
} engines[SOM_ENGINE_KINDS] = {
    [SOM_ENGINE_GAZEBO] = {"gazebo", "Gazebo's physics",
                           "libignition-physics-dev and libsdformat-dev",
#ifdef SOM_HAVE_GAZEBO
                           som_gazebo_module_create
#else
                           NULL
#endif
    },
    [SOM_ENGINE_MUJOCO] = {"mujoco", "MuJoCo", "libmujoco-dev",
#ifdef SOM_HAVE_MUJOCO
                           som_engine_create_mujoco
#else
                           NULL
#endif
    },
};

const char *som_engine_name(SomEngineKind kind) {
    return engines[kind].name;
}

const char *som_engine_title(SomEngineKind kind) {
    return engines[kind].title;
}

bool som_engine_is_built(SomEngineKind kind) {
    return engines[kind].create != NULL;
}

bool som_engine_loads(SomEngineKind kind) {
#ifdef SOM_HAVE_GAZEBO
    if (kind == SOM_ENGINE_GAZEBO) {
        return som_gazebo_module_loads();
    }
#endif
    return som_engine_is_built(kind);
}

SomEngineKind som_engine_default(void) {
    bool is_mujoco = !som_engine_loads(SOM_ENGINE_GAZEBO) && som_engine_loads(SOM_ENGINE_MUJOCO);
    return is_mujoco ? SOM_ENGINE_MUJOCO : SOM_ENGINE_GAZEBO;
}

static void refresh(SomEngine *engine) {
    engine->state = (SomEngineState){.positions = engine->positions,
                                     .speeds = engine->speeds,
                                     .efforts = engine->efforts,
                                     .poses = engine->poses,
                                     .contacts = engine->contacts.data,
                                     .contact_count = engine->contacts.count,
                                     .loads = engine->loads};
}

SomEngine *som_engine_create(SomEngineKind kind, const SomEngineDef *def, SomDiagnostics *diags) {
    if (!som_engine_is_built(kind)) {
        som_report(diags, SOM_ENGINE_MISSING, (SomSpan){0},
                   "this program was built without the engine '%s'; install %s and build again",
                   engines[kind].name, engines[kind].package);
        return NULL;
    }
    if (def->world.length == 0) { // MuJoCo ends the program over that
        som_report(diags, SOM_ENGINE_REFUSED, (SomSpan){0}, "the world is empty");
        return NULL;
    }
    SomEngine *engine = engines[kind].create(def, diags);
    if (engine != NULL) {
        refresh(engine);
    }
    return engine;
}

void som_engine_destroy(SomEngine *engine) {
    if (engine != NULL) {
        engine->calls->destroy(engine);
    }
}

const SomEngineState *som_engine_state(const SomEngine *engine) {
    return &engine->state;
}

static bool is_sound(const SomEngine *engine) {
    for (int i = 0; i < engine->model->joint_count; i++) {
        // also false for what is no number
        if (!(fabs(engine->speeds[i]) < SOM_DIVERGED_SPEED) || !isfinite(engine->positions[i]) ||
            !isfinite(engine->efforts[i])) {
            return false;
        }
    }
    for (int i = 0; i < engine->model->body_count; i++) {
        if (!(som_vec3_length(engine->poses[i].position) < SOM_DIVERGED_DISTANCE)) {
            return false;
        }
    }
    return true;
}

static bool are_numbers(const double *speeds, int count) {
    bool are = true;
    for (int i = 0; i < count; i++) {
        are = are && isfinite(speeds[i]);
    }
    return are;
}

static void swap_numbers(double **a, double **b) {
    double *kept = *a;
    *a = *b;
    *b = kept;
}

// What was read last and what was read before it change places.
static void swap_states(SomEngine *engine) {
    SomPose *poses = engine->poses;
    engine->poses = engine->last_poses;
    engine->last_poses = poses;
    swap_numbers(&engine->positions, &engine->last[0]);
    swap_numbers(&engine->speeds, &engine->last[1]);
    swap_numbers(&engine->efforts, &engine->last[2]);
}

bool som_engine_step(SomEngine *engine, const double *speeds) {
    if (!are_numbers(speeds, engine->model->joint_count)) {
        return false;
    }
    swap_states(engine);
    bool is_fine = engine->calls->step(engine, speeds) && is_sound(engine);
    if (!is_fine) {
        swap_states(engine);
        engine->contacts.count = 0;
    }
    refresh(engine);
    return is_fine;
}

bool som_engine_hold(SomEngine *engine, int weld, bool is_held) {
    return engine->calls->hold(engine, weld, is_held);
}
