// SPDX-License-Identifier: Apache-2.0
// Tests for the engines: worlds that are none, worlds of somebody else, worlds that explode.

#include "base/codes/simulate_codes.h"
#include "base/memory.h"
#include "simulate/engine.h"
#include "simulate/world.h"
#include "tests/compose/texts.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

typedef struct Scene {
    TestDesign text;
    SomConfiguration *design;
    SomMechanism *mechanism;
    SomBodyModel *model;
    SomText world;
} Scene;

static Scene scene_of(SomEngineKind engine, const char *text) {
    Scene s = {.text = test_design(text)};
    s.design = test_compose(&s.text, "");
    s.mechanism = som_mechanism_create(s.design);
    s.model = som_body_model_create(&(SomBodyDef){.mechanism = s.mechanism});
    som_world_write(engine, s.model, SOM_STR("scene"), &s.world, s.text.diags);
    return s;
}

static void discard(Scene *s) {
    som_text_free(&s->world);
    som_body_model_destroy(s->model);
    som_mechanism_destroy(s->mechanism);
    som_configuration_destroy(s->design);
    test_design_free(&s->text);
}

static const char two[] = "use \"module.som\"\nconfig Two { part a, b : Module\n"
                          "connect a.B to b.T\nbase a on ground }\n";
static const char three[] = "use \"module.som\"\nconfig Three { part a, b, c : Module\n"
                            "connect a.B to b.T\nconnect b.B to c.T\nbase a on ground }\n";

#define FOR_EACH_ENGINE(engine)                                                                    \
    for (SomEngineKind engine = 0; engine < SOM_ENGINE_KINDS; engine++)                            \
        if (som_engine_is_built(engine))

START_TEST(what_is_no_world_is_refused) {
    static const char *const texts[] = {"", "hello", "<sdf version='1.9'></sdf>", "<mujoco",
                                        "<mujoco><worldbody><body><body></mujoco>"};
    FOR_EACH_ENGINE(engine) {
        Scene s = scene_of(engine, two);
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            SomDiagnostics *diags = som_diagnostics_create();
            SomEngineDef def = {s.model, som_str(texts[i]), 0.001};
            ck_assert_ptr_null(som_engine_create(engine, &def, diags));
            ck_assert(som_diagnostics_has(diags, SOM_ENGINE_REFUSED));
            // the engine's words are one line
            int count;
            const char *words = som_diagnostics_get(diags, &count)->message.data;
            ck_assert_msg(strpbrk(words, "\n\r\t?") == NULL && strstr(words, "  ") == NULL, "%s",
                          words);
            som_diagnostics_destroy(diags);
        }
        discard(&s);
    }
}
END_TEST

START_TEST(a_world_of_another_robot_lacks_what_this_one_has) {
    FOR_EACH_ENGINE(engine) {
        Scene s = scene_of(engine, three), other = scene_of(engine, two);
        SomDiagnostics *diags = som_diagnostics_create();
        SomEngineDef def = {s.model, som_text_str(&other.world), 0.001};
        ck_assert_ptr_null(som_engine_create(engine, &def, diags));
        ck_assert(som_diagnostics_has(diags, SOM_ENGINE_LACKS));
        som_diagnostics_destroy(diags);
        discard(&other);
        discard(&s);
    }
}
END_TEST

START_TEST(a_world_begins_where_the_model_does_and_joints_obey) {
    FOR_EACH_ENGINE(engine) {
        Scene s = scene_of(engine, two);
        SomEngineDef def = {s.model, som_text_str(&s.world), 0.001};
        SomEngine *e = som_engine_create(engine, &def, s.text.diags);
        ck_assert_msg(e != NULL, "%s", test_diagnostics(&s.text));
        double worst = 0;
        for (int i = 0; i < s.model->body_count; i++) {
            SomVec3 off = som_vec3_sub(som_engine_state(e)->poses[i].position,
                                       s.model->bodies[i].pose.position);
            worst = fmax(worst, som_vec3_length(off));
        }
        ck_assert_double_le(worst, 1e-9);
        int turned = s.model->joint_of[0]; // the front wheel of a, which touches nothing
        double *speeds = som_alloc(sizeof *speeds * (size_t)s.model->joint_count);
        speeds[turned] = 1;
        for (int i = 0; i < 500; i++) {
            ck_assert(som_engine_step(e, speeds));
        }
        ck_assert_double_eq_tol(som_engine_state(e)->positions[turned], 0.5, 0.05);
        ck_assert_int_gt(som_engine_state(e)->contact_count, 0);
        som_free(speeds);
        som_engine_destroy(e);
        discard(&s);
    }
}
END_TEST

// The engines' own assertions end the program over bodies that are too light.
START_TEST(next_to_nothing_is_heavy_enough_for_an_engine) {
    FOR_EACH_ENGINE(engine) {
        Scene s = scene_of(engine, two);
        for (int i = 0; i < s.mechanism->link_count; i++) {
            SomInertia *inertia = (SomInertia *)&s.mechanism->links[i].link->inertia;
            inertia->mass = 1e-12;
            inertia->moments = (SomMat3){{{1e-20, 0, 0}, {0, 1e-20, 0}, {0, 0, 1e-20}}};
        }
        som_body_model_destroy(s.model);
        s.model = som_body_model_create(&(SomBodyDef){.mechanism = s.mechanism});
        som_text_clear(&s.world);
        som_world_write(engine, s.model, SOM_STR("scene"), &s.world, s.text.diags);
        for (int i = 0; i < s.model->body_count; i++) {
            SomInertia inertia = s.model->bodies[i].inertia;
            ck_assert_double_ge(inertia.mass, 1e-5);
            ck_assert_double_ge(som_inertia_principal(inertia).moments[0], 1e-11 * (1 - 1e-9));
        }
        SomEngineDef def = {s.model, som_text_str(&s.world), 0.001};
        SomEngine *e = som_engine_create(engine, &def, s.text.diags);
        ck_assert_msg(e != NULL, "%s", test_diagnostics(&s.text));
        double *speeds = som_alloc(sizeof *speeds * (size_t)s.model->joint_count);
        for (int i = 0; i < s.model->joint_count; i++) {
            speeds[i] = 1;
        }
        for (int i = 0; i < 200 && som_engine_step(e, speeds); i++) {
        }
        som_free(speeds);
        som_engine_destroy(e);
        discard(&s);
    }
}
END_TEST

START_TEST(speeds_that_are_no_numbers_are_seen) {
    FOR_EACH_ENGINE(engine) {
        Scene s = scene_of(engine, two);
        SomEngineDef def = {s.model, som_text_str(&s.world), 0.001};
        SomEngine *e = som_engine_create(engine, &def, s.text.diags);
        double *speeds = som_alloc(sizeof *speeds * (size_t)s.model->joint_count);
        speeds[0] = (double)NAN;
        ck_assert(!som_engine_step(e, speeds));
        ck_assert(isfinite(som_engine_state(e)->positions[0]));
        som_free(speeds);
        som_engine_destroy(e);
        discard(&s);
    }
}
END_TEST

SOM_SUITE("simulate/engine", what_is_no_world_is_refused,
          a_world_of_another_robot_lacks_what_this_one_has,
          a_world_begins_where_the_model_does_and_joints_obey,
          next_to_nothing_is_heavy_enough_for_an_engine, speeds_that_are_no_numbers_are_seen)
