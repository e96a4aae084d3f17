// SPDX-License-Identifier: Apache-2.0
// What all engines do with their state; also in the module of Gazebo's engine.

#include "simulate/engine_internal.h"

void som_engine_init(SomEngine *engine, const SomEngineCalls *calls, const SomBodyModel *model) {
    size_t joints = (size_t)model->joint_count + 1;
    engine->calls = calls;
    engine->model = model;
    engine->positions = som_alloc(joints * sizeof *engine->positions);
    engine->speeds = som_alloc(joints * sizeof *engine->speeds);
    engine->efforts = som_alloc(joints * sizeof *engine->efforts);
    engine->poses = som_alloc(((size_t)model->body_count + 1) * sizeof *engine->poses);
    engine->last_poses = som_alloc(((size_t)model->body_count + 1) * sizeof *engine->poses);
    engine->loads = som_alloc(((size_t)model->weld_count + 1) * sizeof *engine->loads);
    for (int i = 0; i < 3; i++) {
        engine->last[i] = som_alloc(joints * sizeof *engine->last[i]);
    }
}

void som_engine_finish(SomEngine *engine) {
    som_free(engine->positions);
    som_free(engine->speeds);
    som_free(engine->efforts);
    som_free(engine->poses);
    som_free(engine->last_poses);
    som_free(engine->loads);
    for (int i = 0; i < 3; i++) {
        som_free(engine->last[i]);
    }
    som_array_free(&engine->contacts);
}

void som_engine_set_load(SomEngine *engine, int weld, SomVec3 at, SomVec3 force, SomVec3 torque) {
    engine->loads[weld] = (SomBodyLoad){
        {at.x, at.y, at.z}, {force.x, force.y, force.z}, {torque.x, torque.y, torque.z}};
}

void som_engine_add_contact(SomEngine *engine, int shape_a, int shape_b, SomVec3 point,
                            double force) {
    const SomBodyShape *shapes = engine->model->shapes;
    int first = shape_a >= 0 ? shape_a : shape_b, second = shape_a >= 0 ? shape_b : shape_a;
    if (first >= 0) {
        SomEngineContact contact = {shapes[first].body,
                                    first,
                                    second >= 0 ? shapes[second].body : -1,
                                    second,
                                    point,
                                    force};
        som_array_push(&engine->contacts, contact);
    }
}
