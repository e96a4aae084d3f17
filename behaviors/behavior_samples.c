// SPDX-License-Identifier: Apache-2.0
#include "behaviors/behavior_samples.h"

#include "base/memory.h"
#include "behaviors/parameter_places.h"
#include "language/name.h"
#include "language/som_syntax.h"

// ---- samples

static void print_place(const SomConfiguration *configuration, int behavior,
                        const SomParameter *parameter, SomText *out) {
    SomText path = {0};
    SomParameterPlaces own = {.configuration = configuration,
                              .parameter = parameter,
                              .part = configuration->behaviors[behavior].part};
    SomParameterPlaces all = {.configuration = configuration, .parameter = parameter};
    if (som_parameter_places_next(&own, &path) || som_parameter_places_next(&all, &path)) {
        som_text_add(out, som_text_str(&path));
    } else {
        som_name_print(out, parameter->name);
    }
    som_text_free(&path);
}

void som_parameter_print_sample(const SomConfiguration *configuration, int behavior,
                                const SomParameter *parameter, SomText *out) {
    if (parameter->kind != SOM_PARAMETER_VALUE) {
        print_place(configuration, behavior, parameter, out);
        return;
    }
    static const struct {
        SomDimensionName dimension;
        const char *text;
    } samples[] = {{SOM_DIMENSION_ANGLE, "10deg"},
                   {SOM_DIMENSION_LENGTH, "10mm"},
                   {SOM_DIMENSION_TIME, "1s"},
                   {SOM_DIMENSION_ANGULAR_SPEED, "30deg/s"},
                   {SOM_DIMENSION_SPEED, "0.1m/s"}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples && !parameter->is_count; i++) {
        if (som_dimension_equal(parameter->dimension, som_dimension(samples[i].dimension))) {
            som_text_add(out, som_str(samples[i].text));
            return;
        }
    }
    const SomDimensionInfo *info = som_dimension_info(parameter->dimension);
    som_text_add(out, SOM_STR("1"));
    som_text_add(out, info != NULL && !parameter->is_count ? info->unit : SOM_STR(""));
}

void som_behavior_print_sample(const SomCompileDef *def, int behavior, SomText *out) {
    int count, given = 0;
    const SomParameter *params = som_compile_parameters(def, behavior, &count);
    bool is_skipped = false; // one with a default: those behind it are given by name
    som_text_add(out, def->configuration->behaviors[behavior].path);
    for (int i = 0; i < count; i++) {
        if (params[i].otherwise != 0) {
            is_skipped = true;
            continue;
        }
        som_text_add(out, given++ == 0 ? SOM_STR("(") : SOM_STR(", "));
        if (is_skipped) {
            som_name_print(out, params[i].name);
            som_text_add(out, SOM_STR(" = "));
        }
        som_parameter_print_sample(def->configuration, behavior, &params[i], out);
    }
    som_text_add(out, given > 0 ? SOM_STR(")") : SOM_STR(""));
}

SomActionGraph *som_behavior_compile_sample(const SomCompileDef *def, int behavior,
                                            SomArena *arena) {
    int count;
    const SomParameter *params = som_compile_parameters(def, behavior, &count);
    bool is_complete = true;
    for (int i = 0; i < count; i++) {
        is_complete &= params[i].otherwise != 0;
    }
    if (is_complete) {
        return som_compile_behavior(def, behavior);
    }
    SomText call = {0};
    som_behavior_print_sample(def, behavior, &call);
    SomStr text = som_arena_copy(arena, som_text_str(&call));
    som_text_free(&call);
    return som_compile_call(def, text);
}

// ---- diagnostics beside those of a composition

// Tables are read when a behavior is compiled, and are sources then; these are all there are.
static void read_tables(SomComposition *composition) {
    SomWorkspace *workspace = composition->workspace;
    for (int file = 0; file < som_workspace_file_count(workspace); file++) {
        const SomSyntax *tree = som_workspace_file(workspace, file)->tree;
        for (SomNode n = tree != NULL ? SOM_ROOT : 0; n != 0; n = som_syntax_next(tree, n)) {
            int name = som_syntax_kind(tree, n) == SOM_SOM_TABLE
                           ? som_syntax_find_token(tree, n, SOM_TOKEN_STRING)
                           : SOM_NO_TOKEN;
            if (name != SOM_NO_TOKEN) {
                SomText path = {0};
                SomStr text;
                uint32_t source1;
                som_name_read(som_syntax_token_text(tree, name), &path);
                som_workspace_read_beside(workspace, file, som_text_str(&path), &text, &source1);
                som_text_free(&path);
            }
        }
    }
}

SomDiagnostics *som_compile_diagnostics_create(SomComposition *composition) {
    read_tables(composition);
    return som_diagnostics_create_with_sources(composition->diags);
}

// ---- what compiled before compiles still

typedef struct Attempt {
    SomComposition *composition;
    SomDiagnostics *diags;
    SomArena arena;
} Attempt;

static bool compiles(Attempt *a, const SomConfiguration *configuration, int behavior) {
    SomCompileDef def = {
        .workspace = a->composition->workspace, .configuration = configuration, .diags = a->diags};
    SomActionGraph *graph = som_behavior_compile_sample(&def, behavior, &a->arena);
    som_action_graph_destroy(graph);
    return graph != NULL;
}

static Attempt begin(SomComposition *composition) {
    return (Attempt){.composition = composition,
                     .diags = som_compile_diagnostics_create(composition)};
}

static void end(Attempt *a) {
    som_diagnostics_destroy(a->diags);
    som_arena_free(&a->arena);
}

static int find_own(const SomConfiguration *configuration, SomStr name) {
    for (int i = 0; configuration != NULL && i < configuration->behavior_count; i++) {
        if (configuration->behaviors[i].part == 0 &&
            som_str_equal(configuration->behaviors[i].name, name)) {
            return i;
        }
    }
    return -1;
}

static SomConfiguration *compose_again(SomComposition *c, int config) {
    const SomDesignFile *file = som_workspace_file(c->workspace, c->file);
    SomNode name = som_syntax_find_child(file->tree, file->configs[config].node, SOM_SOM_NAME);
    SomStr choice = som_syntax_text(file->tree, name); // which lives as long as the diagnostics
    return som_configuration_compose(c->workspace, c->file, choice, c->diags);
}

// Of the config of a name, "" for the one that was chosen. A behavior that was not there counts as
// one that compiled.
static bool compiled_before(SomComposition *before, SomStr config, SomStr name) {
    if (before == NULL) {
        return true;
    }
    Attempt a = begin(before);
    int own = config.length > 0 ? som_workspace_find_config(before->workspace, before->file, config)
                                : before->config;
    SomConfiguration *other = own >= 0 && own != before->config ? compose_again(before, own) : NULL;
    const SomConfiguration *configuration = own == before->config ? before->configuration : other;
    int behavior = find_own(configuration, name);
    bool did = behavior < 0 || compiles(&a, configuration, behavior);
    som_configuration_destroy(other);
    end(&a);
    return did;
}

static SomStr first_error(const SomDiagnostics *diags, int from) {
    int count;
    const SomDiagnostic *entries = som_diagnostics_get(diags, &count);
    for (int i = from; i < count; i++) {
        if (entries[i].kind == SOM_DIAGNOSTIC_REPORT && entries[i].severity == SOM_ERROR) {
            return entries[i].message;
        }
    }
    return SOM_STR("a behavior could not be compiled");
}

static bool check_config(SomComposition *before, SomStr config, Attempt *a,
                         const SomConfiguration *configuration, SomText *why) {
    for (int i = 0; i < configuration->behavior_count; i++) {
        int said;
        som_diagnostics_get(a->diags, &said);
        if (configuration->behaviors[i].part == 0 && !compiles(a, configuration, i) &&
            compiled_before(before, config, configuration->behaviors[i].name)) {
            som_text_add(why, first_error(a->diags, said));
            return false;
        }
    }
    return true;
}

// ---- configs that others are parts of

// Is one of these configs named as a part in the body of another?
static bool refers_to(const SomDesignFile *file, const SomConfigInfo *config,
                      const bool *is_named) {
    uint32_t end = som_syntax_span(file->tree, config->node).end;
    for (SomNode n = config->body; n != 0 && som_syntax_span(file->tree, n).begin < end;
         n = som_syntax_next(file->tree, n)) {
        if (som_syntax_kind(file->tree, n) != SOM_SOM_REFERENCE) {
            continue;
        }
        SomText name = {0};
        SomNode own = som_syntax_find_child(file->tree, n, SOM_SOM_NAME);
        som_name_read(som_syntax_text(file->tree, own), &name);
        bool does = false;
        for (int i = 0; i < file->config_count; i++) {
            does |= is_named[i] && som_str_equal(file->configs[i].name, som_text_str(&name));
        }
        som_text_free(&name);
        if (does) {
            return true;
        }
    }
    return false;
}

// Which configs have the chosen one as a part, or one that has it.
static bool *find_users(const SomComposition *c) {
    const SomDesignFile *file = som_workspace_file(c->workspace, c->file);
    bool *is_user = som_alloc((size_t)(file->config_count + 1) * sizeof *is_user);
    is_user[c->config] = true;
    for (bool is_more = true; is_more;) {
        is_more = false;
        for (int i = 0; i < file->config_count; i++) {
            if (!is_user[i] && refers_to(file, &file->configs[i], is_user)) {
                is_user[i] = is_more = true;
            }
        }
    }
    is_user[c->config] = false;
    return is_user;
}

static bool check_user(SomComposition *before, Attempt *a, int index, SomText *why) {
    const SomConfigInfo *config =
        &som_workspace_file(a->composition->workspace, a->composition->file)->configs[index];
    bool is_complete = config->behavior_count > 0;
    for (int i = 0; i < config->param_count; i++) {
        is_complete &= config->params[i].otherwise != 0;
    }
    SomConfiguration *now = is_complete ? compose_again(a->composition, index) : NULL;
    bool is_fine = now == NULL || check_config(before, config->name, a, now, why);
    som_configuration_destroy(now);
    return is_fine;
}

bool som_behaviors_still_compile(SomComposition *before, SomComposition *after, SomText *why) {
    Attempt a = begin(after);
    bool is_fine = check_config(before, SOM_STR(""), &a, after->configuration, why);
    if (is_fine && after->config >= 0) {
        const SomDesignFile *file = som_workspace_file(after->workspace, after->file);
        bool *is_user = find_users(after);
        for (int i = 0; is_fine && i < file->config_count; i++) {
            is_fine = !is_user[i] || check_user(before, &a, i, why);
        }
        som_free(is_user);
    }
    end(&a);
    return is_fine;
}
