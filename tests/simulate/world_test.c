// The world that an engine gets: what is in it of the joints.

// SPDX-License-Identifier: Apache-2.0

#include "base/number.h"
#include "exchange/xml.h"
#include "simulate/world.h"
#include "tests/exchange/library_exports.h"
#include "tests/exchange/placed_text.h"

static int find_model(const SomXml *xml, SomStr name) {
    int world = som_xml_child(xml, xml->first_root, SOM_STR("world"));
    int model = som_xml_child(xml, world, SOM_STR("model"));
    while (model >= 0 && !som_str_equal(som_xml_attribute(xml, model, SOM_STR("name")), name)) {
        model = som_xml_next(xml, model, SOM_STR("model"));
    }
    ck_assert_int_ge(model, 0);
    return model;
}

// The speed that the engine lets a joint have; 0: any.
static double limit_of(const SomXml *xml, int model, SomStr name) {
    int joint = som_xml_child(xml, model, SOM_STR("joint"));
    while (joint >= 0 && !som_str_equal(som_xml_attribute(xml, joint, SOM_STR("name")), name)) {
        joint = som_xml_next(xml, joint, SOM_STR("joint"));
    }
    ck_assert_msg(joint >= 0, "%.*s", SOM_STR_ARG(name));
    int axis = som_xml_child(xml, joint, SOM_STR("axis"));
    int limit = axis >= 0 ? som_xml_child(xml, axis, SOM_STR("limit")) : -1;
    int velocity = limit >= 0 ? som_xml_child(xml, limit, SOM_STR("velocity")) : -1;
    double speed = 0;
    ck_assert(velocity < 0 || som_number_parse(xml->nodes[velocity].text, &speed));
    return speed;
}

// The player keeps the joints to their speeds. An engine's own limit must be above them: a joint of
// DART that has come to it goes on at that speed, whatever it is told.
static void check_speeds(const TestExport *e, void *context) {
    int *limited = context;
    SomBodyModel *model =
        som_body_model_create(&(SomBodyDef){.mechanism = e->mechanism, .graph = e->graph});
    SomText text = {0};
    som_world_write(SOM_ENGINE_GAZEBO, model, SOM_STR("world"), &text, e->diags);
    SomXml *xml = som_xml_read(som_text_str(&text), 0, e->diags);
    ck_assert_ptr_nonnull(xml);
    int at = find_model(xml, model->name);
    for (int i = 0; i < model->joint_count; i++) {
        const SomBodyJoint *joint = &model->joints[i];
        double limit = limit_of(xml, at, joint->name);
        bool is_limited = joint->speed > 0 && joint->type != SOM_JOINT_FIXED;
        ck_assert_msg(limit == (is_limited ? 2 * joint->speed : 0), "%s: %s has %g for %g",
                      e->label, joint->name.data, limit, joint->speed);
        *limited += is_limited;
    }
    som_xml_destroy(xml);
    som_text_free(&text);
    som_body_model_destroy(model);
}

START_TEST(engines_leave_joints_more_speed_than_they_have) {
    int limited = 0;
    ck_assert_int_gt(test_each_export(check_speeds, &limited), 30);
    ck_assert_int_gt(limited, 100);
}
END_TEST

// Nothing that an imported model brought is loaded.
START_TEST(engines_get_no_plugins) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomArena texts = {0};
    SomImported imported;
    ck_assert(som_import_text(
        SOM_STR("cart.sdf"),
        SOM_STR("<sdf version='1.9'><model name='cart'><link name='a'><inertial><mass>1</mass>"
                "</inertial><sensor name='s' type='imu'><plugin name='i' filename='libimu.so'/>"
                "</sensor></link><plugin name='m' filename='libmodel.so'/></model></sdf>"),
        &(SomImportOptions){0}, &texts, &imported, diags));
    SomTestPlaced placed = som_test_place_imported(&imported);
    SomBodyModel *model = som_body_model_create(
        &(SomBodyDef){.mechanism = placed.mechanism, .posture = &placed.posture});
    SomText text = {0};
    som_world_write(SOM_ENGINE_GAZEBO, model, SOM_STR("world"), &text, diags);
    ck_assert_ptr_nonnull(strstr(text.data, "<sensor name='s'"));
    ck_assert_ptr_null(strstr(text.data, "libimu"));
    ck_assert_ptr_null(strstr(text.data, "libmodel"));
    som_text_free(&text);
    som_body_model_destroy(model);
    som_test_free_placed(&placed);
    som_imported_free(&imported);
    som_diagnostics_destroy(diags);
    som_arena_free(&texts);
}
END_TEST

SOM_SUITE("simulate/world", engines_leave_joints_more_speed_than_they_have, engines_get_no_plugins)
