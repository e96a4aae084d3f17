// SPDX-License-Identifier: Apache-2.0

#include "tests/compose/designs.h"

#include "base/memory.h"
#include "space/trigonometry.h"

#include <math.h>

int test_add_module(SomBuilder *builder, const char *name, int index, const SomM3l *m3l,
                    const char *type) {
    const SomModuleType *t = som_m3l_find_type(m3l, som_str(type));
    ck_assert_ptr_nonnull(t);
    som_builder_begin_part(builder,
                           &(SomPartDef){.name = som_str(name), .index = index, .config = t->name});
    int module = som_builder_set_module(builder, t, m3l, (SomSpan){0});
    som_builder_end_part(builder);
    return module;
}

void test_connect(SomBuilder *builder, int a, const char *connector_a, int b,
                  const char *connector_b, double degrees) {
    const SomModuleType *ta = som_builder_module_type(builder, a);
    const SomModuleType *tb = som_builder_module_type(builder, b);
    SomConnectDef def = {.module_a = a,
                         .connector_a = som_module_type_find_connector(ta, som_str(connector_a)),
                         .module_b = b,
                         .connector_b = som_module_type_find_connector(tb, som_str(connector_b)),
                         .has_roll = !isnan(degrees),
                         .roll = degrees * SOM_PI / 180};
    ck_assert(def.connector_a >= 0 && def.connector_b >= 0);
    som_builder_connect(builder, &def);
}

SomConfiguration *test_finish_with(SomBuilder *builder, SomText *text) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomConfiguration *c = som_builder_finish(builder, diags);
    som_diagnostics_print(diags, 0, text);
    ck_assert_int_eq(c == NULL, som_diagnostics_error_count(diags) > 0);
    som_diagnostics_destroy(diags);
    return c;
}

SomConfiguration *test_finish(SomBuilder *builder) {
    SomText text = {0};
    SomConfiguration *c = test_finish_with(builder, &text);
    ck_assert_msg(text.length == 0, "%s", text.data);
    som_text_free(&text);
    return c;
}

SomBuilder *test_begin_snake(const SomM3l *smores, int n) {
    static const char *const names[] = {"head", "middle", "tail"};
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Snake")});
    int last = -1;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0) {
            som_builder_begin_part(b, &(SomPartDef){.name = SOM_STR("s"),
                                                    .index = i / 3 + 1,
                                                    .config = SOM_STR("Chain3")});
        }
        int module = test_add_module(b, names[i % 3], 0, smores, "SMORES");
        if (i % 3 > 0) {
            test_connect(b, last, "B", module, "T", 0);
        }
        if (i % 3 == 2 || i == n - 1) {
            som_builder_end_part(b);
        }
        if (i > 0 && i % 3 == 0) {
            test_connect(b, last, "B", module, "T", 0);
        }
        last = module;
    }
    return b;
}

SomConfiguration *test_snake(const SomM3l *smores, int n) {
    return test_finish(test_begin_snake(smores, n));
}

SomConfiguration *test_robot(const SomM3l *m3l, const char *name) {
    const SomRobot *robot = som_m3l_find_robot(m3l, som_str(name));
    ck_assert_ptr_nonnull(robot);
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = robot->name});
    for (int i = 0; i < robot->module_count; i++) {
        som_builder_begin_part(b, &(SomPartDef){.name = robot->modules[i].name,
                                                .config = robot->modules[i].type->name});
        som_builder_set_module(b, robot->modules[i].type, m3l, (SomSpan){0});
        som_builder_end_part(b);
    }
    for (int i = 0; i < robot->connection_count; i++) {
        const SomRobotConnection *c = &robot->connections[i];
        som_builder_connect(b, &(SomConnectDef){.module_a = c->a,
                                                .connector_a = c->connector_a,
                                                .module_b = c->b,
                                                .connector_b = c->connector_b,
                                                .index = c->index});
    }
    if (robot->has_frame) {
        som_builder_set_base(b, &(SomBaseDef){.module = robot->frame_module, .frame = -1});
    }
    return test_finish(b);
}

// ---- random ones

typedef struct Free {
    int module, connector;
} Free;

typedef SOM_ARRAY(Free) Frees;

// Connects a new module at random; false if this type and connector mate with nothing there is.
static bool hang(SomBuilder *b, SomTestRandom *random, const SomM3l *m3l, int module,
                 Frees *frees) {
    const SomModuleType *type = som_builder_module_type(b, module);
    SomMatingChoice choices[64];
    for (int tries = 0; tries < 200; tries++) {
        int at = som_test_int(random, 0, frees->count - 1);
        Free end = frees->data[at];
        int connector = som_test_int(random, 0, type->connector_count - 1);
        const SomModuleType *other = som_builder_module_type(b, end.module);
        int count = som_m3l_find_matings(m3l, other, end.connector, type, connector, choices, 64);
        if (count == 0 || end.module == module) {
            continue;
        }
        const SomMatingChoice *choice =
            &choices[som_test_int(random, 0, (count > 64 ? 64 : count) - 1)];
        som_builder_connect(b, &(SomConnectDef){.module_a = end.module,
                                                .connector_a = end.connector,
                                                .module_b = module,
                                                .connector_b = connector,
                                                .index = choice->index});
        frees->data[at] = frees->data[--frees->count];
        for (int i = 0; i < frees->count; i++) {
            if (frees->data[i].module == module && frees->data[i].connector == connector) {
                frees->data[i] = frees->data[--frees->count];
                break;
            }
        }
        return true;
    }
    return false;
}

SomBuilder *test_begin_random(SomTestRandom *random, const SomM3l *m3l, int modules) {
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Random")});
    Frees frees = {0};
    int depth = 0, number = 0;
    const SomModuleType *type = NULL;
    for (int i = 0; i < modules; i++) {
        int turn = som_test_int(random, 0, 5);
        if (turn == 0 && depth < 4) {
            som_builder_begin_part(
                b,
                &(SomPartDef){.name = SOM_STR("p"), .index = ++number, .config = SOM_STR("Part")});
            depth++;
        } else if (turn == 1 && depth > 0) {
            som_builder_end_part(b);
            depth--;
        }
        // of types that mate with something
        int k = som_test_int(random, 0, m3l->type_count - 1);
        bool can = false;
        for (int tries = 0; tries < m3l->type_count && !can; tries++, k++) {
            type = &m3l->types[k % m3l->type_count];
            for (int f = 0; f < frees.count && !can; f++) {
                const SomModuleType *other = som_builder_module_type(b, frees.data[f].module);
                for (int q = 0; q < type->connector_count && !can; q++) {
                    can = som_m3l_find_matings(m3l, other, frees.data[f].connector, type, q, NULL,
                                               0) > 0;
                }
            }
            can = can || (i == 0 && type->connector_count > 0);
        }
        if (!can) {
            break;
        }
        int module = test_add_module(b, "m", ++number, m3l, type->name.data);
        for (int q = 0; q < type->connector_count; q++) {
            som_array_push(&frees, ((Free){module, q}));
        }
        while (i > 0 && !hang(b, random, m3l, module, &frees)) {
        }
    }
    for (; depth > 0; depth--) {
        som_builder_end_part(b);
    }
    som_array_free(&frees);
    return b;
}

SomPosture test_random_posture(SomTestRandom *random, const SomConfiguration *c) {
    SomPosture posture = som_posture_zero(c);
    for (int i = 0; i < posture.count; i++) {
        const SomModuleJoint *joint = som_configuration_joint(c, i);
        double reach = joint->type == SOM_JOINT_PRISMATIC ? 0.1 : 3;
        posture.values[i] =
            som_test_uniform(random, fmax(joint->low, -reach), fmin(joint->high, reach));
    }
    return posture;
}

double test_distance(SomPose a, SomPose b) {
    double largest = som_vec3_length(som_vec3_sub(a.position, b.position));
    for (int i = 0; i < 9; i++) {
        largest = fmax(largest, fabs((&a.rotation.m[0][0])[i] - (&b.rotation.m[0][0])[i]));
    }
    return largest;
}
