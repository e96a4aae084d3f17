// SPDX-License-Identifier: Apache-2.0

#include "verify/check_file.h"

#include "behaviors/compile.h"
#include "language/name.h"
#include "language/som_syntax.h"
#include "verify/verify.h"

// Has it something to compile, and a value for each parameter?
static bool is_checked(const SomDesignFile *design, const SomConfigInfo *config) {
    bool has_options = som_syntax_find_child(design->tree, config->body, SOM_SOM_VERIFY) != 0;
    bool is_complete = config->behavior_count > 0 || has_options;
    for (int i = 0; i < config->param_count; i++) {
        is_complete &= config->params[i].otherwise != 0;
    }
    return is_complete;
}

void som_check_file(SomWorkspace *workspace, int file, SomDiagnostics *diags) {
    if (!som_workspace_check(workspace, file)) {
        return;
    }
    const SomDesignFile *design = som_workspace_file(workspace, file);
    if (design->config_count == 0) {
        return;
    }
    SomReportedPlaces reported = {0};
    SomTextNames parts = {0}, members = {0};
    som_text_names_collect(&parts, design->tree, SOM_ROOT, SOM_SOM_REFERENCE);
    som_text_names_collect_members(&members, design->tree, SOM_ROOT, SOM_SOM_RUN);
    int64_t steps = SOM_COMPILE_MOST_STEPS;
    for (int i = 0; i < design->config_count; i++) {
        const SomConfigInfo *config = &design->configs[i];
        SomText choice = {0};
        som_name_print(&choice, config->name);
        SomConfiguration *composed =
            is_checked(design, config)
                ? som_configuration_compose(workspace, file, som_text_str(&choice), diags)
                : NULL;
        if (composed != NULL) {
            SomVerifyOptions options;
            som_verify_read_settings(composed, &options, diags);
            som_compile_check(&(SomCompileDef){
                .workspace = workspace,
                .configuration = composed,
                .diags = diags,
                .reported = &reported,
                .steps_left = &steps,
                .members = som_text_names_has(&parts, config->name) ? &members : NULL});
        }
        som_configuration_destroy(composed);
        som_text_free(&choice);
    }
    som_text_names_free(&parts);
    som_text_names_free(&members);
    som_reported_places_free(&reported);
}
