// SPDX-License-Identifier: Apache-2.0

#include "tests/exchange/library_exports.h"

#include "base/file.h"
#include "base/memory.h"
#include "tests/compose/designs.h"
#include "tests/compose/texts.h"

typedef void Check(const TestExport *export_, void *context);

static bool needs_arguments(const SomParameter *params, int count) {
    for (int i = 0; i < count; i++) {
        if (params[i].otherwise == 0) {
            return true;
        }
    }
    return false;
}

static void check_one(const TestExport *export_, SomStr behavior, Check *check, void *context) {
    SomText label = {0};
    TestExport labelled = *export_;
    som_text_printf(&label, "%.*s %.*s", SOM_STR_ARG(export_->design->name), SOM_STR_ARG(behavior));
    labelled.label = label.data;
    check(&labelled, context);
    som_text_free(&label);
}

static int check_design(SomWorkspace *workspace, const SomConfiguration *design,
                        SomDiagnostics *diags, Check *check, void *context) {
    SomCompileDef def = {.workspace = workspace, .configuration = design, .diags = diags};
    TestExport export_ = {.design = design, .diags = diags};
    SomMechanism *mechanism = som_mechanism_create(design);
    int count = 1;
    export_.mechanism = mechanism;
    check_one(&export_, SOM_STR(""), check, context);
    for (int i = 0; i < design->behavior_count; i++) {
        int params;
        const SomParameter *first = som_compile_parameters(&def, i, &params);
        if (design->behaviors[i].part != 0 || needs_arguments(first, params)) {
            continue;
        }
        SomActionGraph *graph = som_compile_behavior(&def, i);
        ck_assert_ptr_nonnull(graph);
        export_.graph = graph;
        check_one(&export_, design->behaviors[i].name, check, context);
        som_action_graph_destroy(graph);
        count++;
    }
    som_mechanism_destroy(mechanism);
    return count;
}

int test_each_export(Check *check, void *context) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(som_str(test_library), diags);
    SomArena arena = {0};
    const SomStr *names;
    int count = 0;
    int files = som_file_list(test_library_configs, SOM_STR(".som"), &arena, &names, diags);
    ck_assert_int_gt(files, 10);
    for (int i = 0; i < files; i++) {
        SomStr stem = som_str_slice(names[i], 0, names[i].length - 4);
        int file = som_workspace_open(workspace, stem);
        const SomDesignFile *f = som_workspace_file(workspace, file);
        for (int k = 0; k < f->config_count; k++) {
            if (!needs_arguments(f->configs[k].params, f->configs[k].param_count)) {
                SomConfiguration *design =
                    som_configuration_compose(workspace, file, f->configs[k].name, diags);
                ck_assert_ptr_nonnull(design);
                count += check_design(workspace, design, diags, check, context);
                som_configuration_destroy(design);
            }
        }
    }
    som_arena_free(&arena);
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
    return count;
}

void test_export(const char *text, const char *choice, const char *call, Check *check,
                 void *context) {
    TestDesign design = test_design(text);
    SomConfiguration *composed = test_compose(&design, choice);
    SomMechanism *mechanism = som_mechanism_create(composed);
    SomCompileDef def = {
        .workspace = design.workspace, .configuration = composed, .diags = design.diags};
    SomActionGraph *graph = call[0] != '\0' ? som_compile_call(&def, som_str(call)) : NULL;
    ck_assert_msg(call[0] == '\0' || graph != NULL, "%s", test_diagnostics(&design));
    TestExport export_ = {composed, mechanism, graph, NULL, design.diags};
    check_one(&export_, som_str(call), check, context);
    som_action_graph_destroy(graph);
    som_mechanism_destroy(mechanism);
    som_configuration_destroy(composed);
    test_design_free(&design);
}

static const char four_bar[] =
    "module Bar:\n"
    "link ground: shape=box((0.15, 0, 0), (0.3, 0.02, 0.02))\n"
    "link crank: shape=box((0, 0.05, 0.03), (0.02, 0.1, 0.02))\n"
    "link coupler: shape=box((0.15, 0.1, 0), (0.3, 0.02, 0.02))\n"
    "link rocker: shape=box((0.3, 0.05, 0.03), (0.02, 0.1, 0.02))\n"
    "axis a1: origin=(0, 0, 0), direction=(0, 0, 1)\n"
    "axis a2: origin=(0, 0, 0), direction=(0, 0, -1)\n"
    "axis b1: origin=(0, 0.1, 0), direction=(0, 0, 1)\n"
    "axis b2: origin=(0, 0.1, 0), direction=(0, 0, -1)\n"
    "axis c1: origin=(0.3, 0.1, 0), direction=(0, 0, 1)\n"
    "axis c2: origin=(0.3, 0.1, 0), direction=(0, 0, -1)\n"
    "axis d1: origin=(0.3, 0, 0), direction=(0, 0, 1)\n"
    "axis d2: origin=(0.3, 0, 0), direction=(0, 0, -1)\n"
    "joint A: type=revolute, value=[-1, 1], pair=((crank, a1), (ground, a2))\n"
    "joint B: type=revolute, value=[-1, 1], pair=((coupler, b1), (crank, b2))\n"
    "joint C: type=revolute, value=[-1, 1], pair=((rocker, c1), (coupler, c2))\n"
    "joint D: type=revolute, value=[-1, 1], pair=((rocker, d1), (ground, d2))\n";

// Finishes a design and checks it.
static void check_built(SomBuilder *b, SomDiagnostics *diags, Check *check, void *context) {
    SomText text = {0};
    SomConfiguration *design = test_finish_with(b, &text);
    ck_assert_msg(design != NULL, "%s", text.data);
    SomMechanism *mechanism = som_mechanism_create(design);
    TestExport export_ = {design, mechanism, NULL, NULL, diags};
    check_one(&export_, SOM_STR(""), check, context);
    som_mechanism_destroy(mechanism);
    som_configuration_destroy(design);
    som_text_free(&text);
}

void test_four_bar(Check *check, void *context) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomM3l *m3l = som_m3l_read(som_str(four_bar), 0, diags);
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Bar")});
    int m = test_add_module(b, "m", 0, m3l, "Bar");
    int pose = som_builder_add_pose(b, SOM_STR("lean"), SOM_STR(""), (SomSpan){0});
    int crank = som_module_type_find_joint(&m3l->types[0], SOM_STR("A"), NULL);
    som_builder_set_value(b, pose, m, crank, 0.4, (SomSpan){0});
    som_builder_set_start(b, pose);
    check_built(b, diags, check, context);
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
}

void test_module_export(const char *m3l, const char *type, Check *check, void *context) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomM3l *read = som_m3l_read(som_str(m3l), 0, diags);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = som_str(type)});
    test_add_module(b, "m", 0, read, type);
    check_built(b, diags, check, context);
    som_m3l_destroy(read);
    som_diagnostics_destroy(diags);
}

const char test_hostile_design[] =
    "use \"smores.m3l\"\n"
    "config \"a <b> & \\\"c\\\" -- ]]>\" {\n"
    "    part \"left-front-wheel\", \"left front wheel\", \"linksü\", \"中\", \"文\",\n"
    "        \"<&\\\"'>\", \"]]>\", \"__x__\", world, ground : SMORES\n"
    "    connect \"left-front-wheel\".B to \"left front wheel\".T\n"
    "    connect \"left front wheel\".B to \"linksü\".T\n"
    "    connect \"linksü\".B to \"中\".T\n"
    "    connect \"中\".B to \"文\".T\n"
    "    connect \"文\".B to \"<&\\\"'>\".T\n"
    "    connect \"<&\\\"'>\".B to \"]]>\".T\n"
    "    connect \"]]>\".B to \"__x__\".T\n"
    "    connect \"__x__\".B to world.T\n"
    "    connect world.B to ground.T\n"
    "    pose \"<&>\" { \"]]>\".bend = 30deg }\n"
    "    behavior go = parallel(\"]]>\".bend to 30deg, \"__x__\".bend to 20deg,\n"
    "        \"<&\\\"'>\".left spin 10deg/s during 1s)\n"
    "}\n";
