// SPDX-License-Identifier: Apache-2.0
// Both engines tell the same of every behavior of the library that needs no arguments: outcome,
// when each action ends, where the joints end, how far the robot got. The normal run takes small
// robots and short behaviors, the long one all.

#include "behaviors/compile.h"
#include "simulate/simulation.h"
#include "simulate/world.h"
#include "tests/suite.h"
#include "tests/verify/library.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

// How far the engines may be apart. They differ most where feet slide and where modules tip over an
// edge: what happens then hangs on which of many contacts bears the load. Times and joints are
// compared where no joint was overcome by the load, outcomes and ways always.
#define END_SLACK 0.2   // seconds
#define END_SHARE 0.1   // of the time
#define JOINT_SLACK 0.1 // radian or metres
#define WAY_SLACK 0.03  // metres
#define WAY_SHARE 0.35  // of the way

#define DURATION 25.0 // seconds, all of a run
#define SHORT 1.3     // seconds, of a behavior in the normal run
#define SMALL 7       // modules, likewise

typedef struct Run {
    SomBodyModel *model;
    SomText world;
    SomSimulation *simulation;
    const SomSimulationResult *result;
} Run;

typedef struct Case {
    const SomMechanism *mechanism;
    const SomActionGraph *graph;
    const SomServoModel *servos;
    SomDiagnostics *diags;
    SomStr config, behavior;
    SomText *differences;
} Case;

__attribute__((format(printf, 2, 3))) static void differ(const Case *c, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    som_text_printf(c->differences, "\n%.*s %.*s: ", SOM_STR_ARG(c->config),
                    SOM_STR_ARG(c->behavior));
    som_text_vprintf(c->differences, format, arguments);
    va_end(arguments);
}

static Run run(const Case *c, SomEngineKind engine, double duration) {
    SomBodyDef bodies = som_world_bodies(engine);
    bodies.mechanism = c->mechanism;
    bodies.graph = c->graph;
    Run r = {.model = som_body_model_create(&bodies)};
    som_world_write(engine, r.model, SOM_STR("run"), &r.world, c->diags);
    r.simulation = som_simulation_create(engine,
                                         &(SomSimulationDef){.model = r.model,
                                                             .world = som_text_str(&r.world),
                                                             .graph = c->graph,
                                                             .servos = c->servos,
                                                             .duration = duration},
                                         c->diags);
    ck_assert_msg(r.simulation != NULL, "%.*s %.*s does not load in %s", SOM_STR_ARG(c->config),
                  SOM_STR_ARG(c->behavior), som_engine_name(engine));
    while (som_simulation_step(r.simulation)) {
    }
    r.result = som_simulation_result(r.simulation);
    return r;
}

static void discard(Run *r) {
    som_simulation_destroy(r->simulation);
    som_text_free(&r->world);
    som_body_model_destroy(r->model);
}

typedef struct End {
    int32_t node;
    double time;
} End;

typedef SOM_ARRAY(End) Ends;

static int compare_ends(const void *a, const void *b) {
    const End *x = a, *y = b;
    if (x->node != y->node) {
        return x->node < y->node ? -1 : 1;
    }
    return x->time < y->time ? -1 : x->time > y->time;
}

// Of all actions, the same one again and again in the order of its times.
static Ends ends_of(const SomSimulationResult *result) {
    Ends ends = {0};
    for (int i = 0; i < result->events.count; i++) {
        const SomSimulationEvent *e = &result->events.data[i];
        if (e->kind == SOM_EVENT_ACTION_ENDED) {
            som_array_push(&ends, ((End){e->node, e->time}));
        }
    }
    if (ends.count > 0) {
        qsort(ends.data, (size_t)ends.count, sizeof *ends.data, compare_ends);
    }
    return ends;
}

// Whether the effort of a joint was at its limit at any time, in one of the runs: then when it gets
// where hangs on the last newton.
static bool is_overcome(const Case *c, const SomSimulationResult *const runs[2], int dof) {
    double most = 0;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < runs[k]->times.count; i++) {
            most = fmax(most, fabs(runs[k]->efforts.data[i * runs[k]->dof_count + dof]));
        }
    }
    return most >= 0.99 * som_configuration_joint(c->mechanism->configuration, dof)->effort;
}

static bool is_any_overcome(const Case *c, const SomSimulationResult *const runs[2]) {
    bool is_any = false;
    for (int i = 0; i < runs[0]->dof_count; i++) {
        is_any = is_any || is_overcome(c, runs, i);
    }
    return is_any;
}

static void compare_times(const Case *c, const SomSimulationResult *a,
                          const SomSimulationResult *b) {
    Ends x = ends_of(a), y = ends_of(b);
    // what the end of the run cut off is not compared
    bool is_whole = a->time < DURATION - 0.01 && b->time < DURATION - 0.01;
    bool is_alike = x.count == y.count;
    bool is_free = !is_any_overcome(c, (const SomSimulationResult *const[]){a, b});
    if (is_free && !(fabs(a->time - b->time) <= END_SLACK + END_SHARE * a->time)) {
        differ(c, "ends at %g s and at %g s", a->time, b->time);
    }
    if (is_whole && !is_alike) {
        differ(c, "%d and %d actions end", x.count, y.count);
    }
    for (int i = 0; is_free && is_whole && is_alike && i < x.count; i++) {
        double apart = fabs(x.data[i].time - y.data[i].time);
        is_alike =
            x.data[i].node == y.data[i].node && apart <= END_SLACK + END_SHARE * x.data[i].time;
        if (!is_alike) {
            differ(c, "action %d ends at %g s and at %g s", x.data[i].node, x.data[i].time,
                   y.data[i].time);
        }
    }
    som_array_free(&x);
    som_array_free(&y);
}

static void compare_joints(const Case *c, const SomSimulationResult *a,
                           const SomSimulationResult *b) {
    const double *x = &a->positions.data[(a->times.count - 1) * a->dof_count];
    const double *y = &b->positions.data[(b->times.count - 1) * b->dof_count];
    for (int i = 0; i < a->dof_count; i++) {
        if (!(fabs(x[i] - y[i]) <= JOINT_SLACK) &&
            !is_overcome(c, (const SomSimulationResult *const[]){a, b}, i)) {
            differ(c, "'%.*s' ends at %g and at %g",
                   SOM_STR_ARG(c->mechanism->configuration->dofs[i].path), x[i], y[i]);
        }
    }
}

static void compare(const Case *c, const SomSimulationResult *a, const SomSimulationResult *b) {
    if (a->outcome != b->outcome) {
        differ(c, "%s and %s", som_outcome_word(a->outcome), som_outcome_word(b->outcome));
        return;
    }
    compare_times(c, a, b);
    compare_joints(c, a, b);
    SomVec3 x = a->displacement, y = b->displacement;
    double way = fmax(hypot(x.x, x.y), hypot(y.x, y.y));
    if (!(hypot(x.x - y.x, x.y - y.y) <= WAY_SLACK + WAY_SHARE * way)) {
        differ(c, "moves by (%g, %g) m and by (%g, %g) m", x.x, x.y, y.x, y.y);
    }
}

static bool needs_arguments(const SomCompileDef *def, int behavior) {
    int count;
    const SomParameter *params = som_compile_parameters(def, behavior, &count);
    for (int i = 0; i < count; i++) {
        if (params[i].otherwise == 0) {
            return true;
        }
    }
    return false;
}

// 1 if both engines were asked.
static int try_case(const Case *c, bool is_long) {
    Run mujoco = run(c, SOM_ENGINE_MUJOCO, is_long ? DURATION : SHORT + 0.1);
    bool is_compared = is_long || mujoco.result->time <= SHORT;
    if (is_compared) {
        Run gazebo = run(c, SOM_ENGINE_GAZEBO, DURATION);
        compare(c, mujoco.result, gazebo.result);
        discard(&gazebo);
    }
    discard(&mujoco);
    return is_compared;
}

START_TEST(behaviors_of_the_library_go_alike_in_both_engines) {
    if (!som_engine_is_built(SOM_ENGINE_GAZEBO) || !som_engine_is_built(SOM_ENGINE_MUJOCO)) {
        return;
    }
    bool is_long = som_test_count(0, 1) == 1;
    int compared = 0;
    SomText differences = {0};
    som_text_add(&differences, SOM_STR(""));
    SomTestLibrary library = som_test_library_open();
    for (int i = 0; i < library.designs.count; i++) {
        const SomConfiguration *design = library.designs.data[i];
        if (!is_long && design->module_count > SMALL) {
            continue;
        }
        SomMechanism *mechanism = som_mechanism_create(design);
        SomServoModel *servos = som_compile_servos(design);
        SomCompileDef def = {
            .workspace = library.workspace, .configuration = design, .diags = library.diags};
        for (int k = 0; k < design->behavior_count; k++) {
            if (design->behaviors[k].part == 0 && !needs_arguments(&def, k)) {
                SomActionGraph *graph = som_compile_behavior(&def, k);
                ck_assert_ptr_nonnull(graph);
                Case c = {mechanism,     graph,        servos,
                          library.diags, design->name, design->behaviors[k].name,
                          &differences};
                compared += try_case(&c, is_long);
                som_action_graph_destroy(graph);
            }
        }
        som_free(servos);
        som_mechanism_destroy(mechanism);
    }
    ck_assert_msg(differences.length == 0, "%s", differences.data);
    ck_assert_int_ge(compared, is_long ? 30 : 15);
    som_text_free(&differences);
    som_test_library_close(&library);
}
END_TEST

SOM_SUITE("simulate/agreement", behaviors_of_the_library_go_alike_in_both_engines)
