// SPDX-License-Identifier: Apache-2.0
#include "compose/composition.h"

#include "compose/design_internal.h"
#include "language/name.h"

#include <stdatomic.h>

struct SomCompositionShare {
    atomic_int holders;
    SomText choice;
    SomConfiguration *configuration;
};

// The config of the file that a choice names.
static int find_config(const SomComposition *c) {
    const SomDesignFile *file = som_workspace_file(c->workspace, c->file);
    if (c->choice.length == 0) {
        return file->config_count > 0 ? 0 : -1;
    }
    SomText name = {0};
    bool is_clean = som_reference_is_clean(c->choice, &name);
    int config =
        is_clean ? som_workspace_find_config(c->workspace, c->file, som_text_str(&name)) : -1;
    som_text_free(&name);
    return config;
}

// Some errors are found while the text is read, before its configs are composed.
static bool has_error_in_text(const SomComposition *c) {
    uint32_t source1 = som_workspace_file(c->workspace, c->file)->source1;
    int count;
    const SomDiagnostic *entries = som_diagnostics_get(c->diags, &count);
    for (int i = 0; i < count; i++) {
        if (entries[i].severity == SOM_ERROR && entries[i].span.source1 == source1) {
            return true;
        }
    }
    return false;
}

SomComposition *som_composition_create(SomStr library_root, SomStr path, SomStr text,
                                       SomStr choice) {
    SomComposition *c = som_alloc(sizeof *c);
    c->share = som_alloc(sizeof *c->share);
    atomic_init(&c->share->holders, 1);
    som_text_add(&c->share->choice, choice);
    c->choice = som_text_str(&c->share->choice);
    c->config = -1;
    c->diags = som_diagnostics_create();
    c->workspace = som_workspace_create(library_root, c->diags);
    c->file = som_workspace_open_text(c->workspace, path, text);
    if (c->file >= 0) {
        c->config = find_config(c);
        c->is_sound = som_workspace_check_and_compose(c->workspace, c->file, c->choice,
                                                      &c->share->configuration) &&
                      !has_error_in_text(c);
        c->configuration = c->share->configuration;
    }
    return c;
}

SomComposition *som_composition_hold(SomComposition *composition) {
    atomic_fetch_add(&composition->share->holders, 1);
    return composition;
}

void som_composition_release(SomComposition *composition) {
    if (composition == NULL || atomic_fetch_sub(&composition->share->holders, 1) > 1) {
        return;
    }
    som_configuration_destroy(composition->share->configuration);
    som_workspace_destroy(composition->workspace);
    som_diagnostics_destroy(composition->diags);
    som_text_free(&composition->share->choice);
    som_free(composition->share);
    som_free(composition);
}

bool som_composition_has_text(const SomComposition *composition, SomStr text) {
    return composition->file >= 0 &&
           som_str_equal(text, som_workspace_file(composition->workspace, composition->file)->text);
}

bool som_composition_follow_choice(const SomComposition *now, const SomComposition *before,
                                   SomText *choice) {
    if (now->file < 0 || now->config >= 0 || now->choice.length == 0 || before->config < 0) {
        return false;
    }
    const SomDesignFile *file = som_workspace_file(now->workspace, now->file);
    const SomDesignFile *old = som_workspace_file(before->workspace, before->file);
    if (file->config_count != old->config_count) {
        return false;
    }
    SomText name = {0};
    som_name_print(&name, file->configs[before->config].name);
    som_choice_rename(now->choice, som_text_str(&name), choice);
    som_text_free(&name);
    return true;
}
