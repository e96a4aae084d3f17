// SPDX-License-Identifier: Apache-2.0
// Every design of the library, and every behavior of it that needs no arguments, is verified.

#include "base/codes/verify_codes.h"
#include "behaviors/compile.h"
#include "tests/verify/library.h"
#include "verify/verify.h"

// What no behavior of the library does; whether it collides or asks too much of actuators is told
// by `somite verify`.
static bool is_mistake(SomCode code) {
    return code == SOM_COMMAND_CONFLICT || code == SOM_JOINT_LIMIT || code == SOM_JOINT_SPEED ||
           code == SOM_LOOP_TEARS || code == SOM_NOT_DOCKABLE || code == SOM_DOCK_GAP ||
           code == SOM_JOINT_NO_NUMBER || code == SOM_FALLS || code == SOM_UNSTABLE_END;
}

// With the options that the design itself sets.
static SomVerification *verify(const SomTestLibrary *library, const SomMechanism *mechanism,
                               const SomActionGraph *graph) {
    SomVerifyOptions options = som_verify_default_options();
    ck_assert(som_verify_read_settings(mechanism->configuration, &options, library->diags));
    return som_verify(&(SomVerifyDef){.mechanism = mechanism, .graph = graph, .options = &options});
}

static void check(const SomVerification *found, SomStr config, SomStr behavior) {
    for (int i = 0; i < found->findings.count; i++) {
        const SomFinding *f = &found->findings.data[i];
        ck_assert_msg(!is_mistake(f->code), "%.*s %.*s: %.*s", SOM_STR_ARG(config),
                      SOM_STR_ARG(behavior), SOM_STR_ARG(f->message));
        ck_assert_msg(!(f->t1 < f->t0) && !(f->t1 > found->duration + 1e-9), "%.*s %.*s: %.*s",
                      SOM_STR_ARG(config), SOM_STR_ARG(behavior), SOM_STR_ARG(f->message));
    }
}

START_TEST(configurations_of_the_library_are_safe) {
    SomTestLibrary library = som_test_library_open();
    for (int i = 0; i < library.designs.count; i++) {
        const SomConfiguration *design = library.designs.data[i];
        SomMechanism *mechanism = som_mechanism_create(design);
        SomVerification *found = verify(&library, mechanism, NULL);
        check(found, design->name, SOM_STR(""));
        ck_assert_msg(found->verdict != SOM_VERDICT_UNSAFE, "%.*s: %s", SOM_STR_ARG(design->name),
                      found->findings.data[0].message.data);
        som_verification_destroy(found);
        som_mechanism_destroy(mechanism);
    }
    som_test_library_close(&library);
}
END_TEST

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

START_TEST(behaviors_of_the_library_make_no_mistakes_in_what_they_command) {
    SomTestLibrary library = som_test_library_open();
    int verified = 0;
    for (int i = 0; i < library.designs.count; i++) {
        const SomConfiguration *design = library.designs.data[i];
        SomMechanism *mechanism = som_mechanism_create(design);
        SomCompileDef def = {
            .workspace = library.workspace, .configuration = design, .diags = library.diags};
        for (int k = 0; k < design->behavior_count; k++) {
            if (design->behaviors[k].part != 0 || needs_arguments(&def, k)) {
                continue;
            }
            SomActionGraph *graph = som_compile_behavior(&def, k);
            ck_assert_ptr_nonnull(graph);
            SomVerification *found = verify(&library, mechanism, graph);
            check(found, design->name, design->behaviors[k].name);
            ck_assert_msg(found->verdict != SOM_VERDICT_INCOMPLETE, "%.*s %.*s is not verified",
                          SOM_STR_ARG(design->name), SOM_STR_ARG(design->behaviors[k].name));
            verified++;
            som_verification_destroy(found);
            som_action_graph_destroy(graph);
        }
        som_mechanism_destroy(mechanism);
    }
    ck_assert_int_gt(verified, 20);
    som_test_library_close(&library);
}
END_TEST

static int severe_of(const SomTestLibrary *library, const char *config, const char *call) {
    const SomConfiguration *design = NULL;
    for (int i = 0; i < library->designs.count; i++) {
        if (som_str_equal(library->designs.data[i]->name, som_str(config))) {
            design = library->designs.data[i];
        }
    }
    ck_assert_ptr_nonnull(design);
    SomMechanism *mechanism = som_mechanism_create(design);
    SomCompileDef def = {
        .workspace = library->workspace, .configuration = design, .diags = library->diags};
    SomActionGraph *graph = som_compile_call(&def, som_str(call));
    ck_assert_ptr_nonnull(graph);
    SomVerification *found = verify(library, mechanism, graph);
    int severe = 0;
    for (int i = 0; i < found->findings.count; i++) {
        severe += found->findings.data[i].severity != SOM_NOTE;
    }
    som_verification_destroy(found);
    som_action_graph_destroy(graph);
    som_mechanism_destroy(mechanism);
    return severe;
}

START_TEST(walks_have_nothing_wrong_with_them_and_a_trot_has) {
    SomTestLibrary library = som_test_library_open();
    ck_assert_int_eq(severe_of(&library, "Walkbot", "walk(3)"), 0);
    ck_assert_int_eq(severe_of(&library, "Walkbot17", "walk(3)"), 0);
    ck_assert_int_eq(severe_of(&library, "CKBotQuadruped", "sidle"), 0);
    ck_assert_int_gt(severe_of(&library, "Walkbot", "trot(1)"), 0);
    som_test_library_close(&library);
}
END_TEST

SOM_SUITE("verify/library_verdicts", configurations_of_the_library_are_safe,
          behaviors_of_the_library_make_no_mistakes_in_what_they_command,
          walks_have_nothing_wrong_with_them_and_a_trot_has)
