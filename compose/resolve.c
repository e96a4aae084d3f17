// SPDX-License-Identifier: Apache-2.0
// Which config of a file is composed, and the way from its text to a configuration.

#include "base/codes/compose_codes.h"
#include "base/codes/compose_text_codes.h"
#include "compose/resolve_internal.h"

#include <assert.h>

static SomResolver *create(SomWorkspace *workspace) {
    SomResolver *r = som_alloc(sizeof *r);
    r->workspace = workspace;
    r->diags = workspace->diags;
    r->steps_given = workspace->steps_left < SOM_MAX_COMPOSE_STEPS ? workspace->steps_left
                                                                   : SOM_MAX_COMPOSE_STEPS;
    r->steps_left = r->steps_given;
    return r;
}

static void destroy(SomResolver *r) {
    r->workspace->steps_left -= r->steps_given - (r->steps_left > 0 ? r->steps_left : 0);
    som_array_free(&r->sources);
    som_free(r);
}

// ---- choosing

// What a file is when nothing is chosen: its first config, robot or module type.
static bool find_default(const SomWorkspace *workspace, int file, SomPartSource *source) {
    const SomDesignFile *f = &workspace->files.data[file]->file;
    *source = (SomPartSource){SOM_DEFINES_CONFIG, file, 0};
    if (f->m3l != NULL) {
        source->kind = f->m3l->robot_count > 0 ? SOM_DEFINES_ROBOT : SOM_DEFINES_TYPE;
        return f->m3l->robot_count > 0 || f->m3l->type_count > 0;
    }
    return f->config_count > 0;
}

static SomStr doc_of(const SomWorkspace *workspace, SomPartSource source) {
    return source.kind == SOM_DEFINES_CONFIG
               ? workspace->files.data[source.file]->file.configs[source.index].doc
               : SOM_STR("");
}

static SomSpan span_of(const SomWorkspace *workspace, SomPartSource source) {
    const SomDesignFile *f = &workspace->files.data[source.file]->file;
    return source.kind == SOM_DEFINES_CONFIG  ? f->configs[source.index].span
           : source.kind == SOM_DEFINES_ROBOT ? f->m3l->robots[source.index].span
                                              : f->m3l->types[source.index].span;
}

// ---- composing

static void report_too_much(SomResolver *r, SomSpan span) {
    bool is_first = r->steps_given > 0; // what comes after all is spent was told with it
    if (is_first && som_reported_places_add(&r->workspace->reported, SOM_TOO_MUCH_WORK, span)) {
        som_report(r->diags, SOM_TOO_MUCH_WORK, span, "this design takes too much work to compose");
    }
    som_resolver_fail(r);
}

static SomConfiguration *compose(SomResolver *r, const SomTarget *target) {
    SomSpan span = span_of(r->workspace, target->source);
    SomPartDef whole = {.config = som_resolve_source_name(r, target->source),
                        .doc = doc_of(r->workspace, target->source),
                        .span = span};
    r->builder = som_builder_create(&whole);
    som_builder_share_reports(r->builder, &r->workspace->reported);
    som_builder_share_work(r->builder, &r->workspace->loop_work_left);
    som_array_push(&r->sources, target->source);
    som_resolve_fill(r, NULL, target, span);
    if (r->steps_left <= 0) {
        report_too_much(r, span);
    }
    if (r->is_too_large &&
        som_reported_places_add(&r->workspace->reported, SOM_DESIGN_TOO_LARGE, span)) {
        som_report(r->diags, SOM_DESIGN_TOO_LARGE, span,
                   "'%.*s' has more than %d modules, %d parts, %d parts inside one another, or %d "
                   "bytes of paths",
                   SOM_STR_ARG(whole.config), SOM_MAX_MODULES, SOM_MAX_PARTS, SOM_MAX_PART_DEPTH,
                   SOM_MAX_PATH_BYTES);
    }
    if (r->failures > 0 || r->is_too_large) {
        som_builder_check(r->builder, r->diags);
        return NULL;
    }
    return som_builder_finish(r->builder, r->diags);
}

// The values of a config that is composed with its defaults; NULL, after a report if it is wanted,
// if some parameter has none.
static SomLetValue *default_arguments(SomResolver *r, SomPartSource source, bool is_wanted) {
    SomFileDraft *draft = r->workspace->files.data[source.file];
    if (source.kind != SOM_DEFINES_CONFIG) {
        return som_alloc(sizeof(SomLetValue));
    }
    const SomConfigInfo *info = &draft->file.configs[source.index];
    for (int i = 0; i < info->param_count; i++) {
        if (info->params[i].otherwise == 0) {
            if (is_wanted) {
                som_report(
                    r->diags, SOM_WRONG_ARGUMENTS, info->params[i].span,
                    "'%.*s' needs a value for its parameter '%.*s': --config '%.*s(%.*s = …)'",
                    SOM_STR_ARG(info->name), SOM_STR_ARG(info->params[i].name),
                    SOM_STR_ARG(info->name), SOM_STR_ARG(info->params[i].name));
            }
            return NULL;
        }
    }
    return som_alloc((size_t)(draft->locals[source.index].count + 1) * sizeof(SomLetValue));
}

static SomConfiguration *compose_default(SomResolver *r, int file) {
    SomTarget target = {0};
    const SomDesignFile *f = &r->workspace->files.data[file]->file;
    if (!find_default(r->workspace, file, &target.source)) {
        if (!f->has_error) {
            som_report(r->diags, SOM_NO_CONFIG, (SomSpan){f->source1, 0, 0},
                       "there is no config in this file");
        }
        return NULL;
    }
    target.arguments = default_arguments(r, target.source, true);
    SomConfiguration *configuration = NULL;
    if (target.arguments != NULL) {
        configuration = compose(r, &target);
    }
    som_free(target.arguments);
    return configuration;
}

// A choice is looked at as if it stood in the file.
static SomConfiguration *compose_choice(SomResolver *r, int file, SomStr choice) {
    SomWorkspace *workspace = r->workspace;
    SomStr text = som_arena_copy(&workspace->arena, choice);
    uint32_t source1 = som_diagnostics_add_source(r->diags, SOM_STR("--config"), text);
    SomSyntax *tree = som_som_parse_choice(text, source1, r->diags);
    SomConfiguration *configuration = NULL;
    if (!som_syntax_has_error(tree, SOM_ROOT)) {
        SomScope scope = {.r = r, .file = file, .tree = tree};
        SomTarget target;
        if (som_resolve_target(&scope, som_syntax_first_child(tree, SOM_ROOT), &target)) {
            configuration = compose(r, &target);
        }
        som_free(target.arguments);
    }
    som_syntax_destroy(tree);
    return configuration;
}

SomConfiguration *som_configuration_compose(SomWorkspace *workspace, int file, SomStr choice,
                                            SomDiagnostics *diags) {
    assert(diags == workspace->diags); // places are in its sources
    (void)diags;
    int errors = som_diagnostics_error_count(workspace->diags);
    SomResolver *r = create(workspace);
    SomConfiguration *configuration =
        choice.length == 0 ? compose_default(r, file) : compose_choice(r, file, choice);
    destroy(r);
    // what was wrong in files that were read for it was reported before
    if (configuration != NULL && (som_diagnostics_error_count(workspace->diags) > errors ||
                                  workspace->files.data[file]->file.is_incomplete)) {
        som_configuration_destroy(configuration);
        configuration = NULL;
    }
    return configuration;
}

bool som_workspace_find_let(SomWorkspace *workspace, int file, SomStr name, SomValue *value) {
    int where;
    const SomDefinition *rival;
    *value = (SomValue){SOM_VALUE_NONE, 0, {0, 0, 0, 0}};
    const SomDefinition *found =
        som_workspace_find(workspace, file, name, SOM_DEFINES_LET, &where, &rival);
    if (found != NULL && rival == NULL) {
        SomResolver *r = create(workspace);
        *value = som_file_value(r, where, found->index);
        destroy(r);
    }
    return found != NULL && rival == NULL;
}

// Which config of the file a choice without arguments means; -1 if it is none of them.
static int find_plain(SomWorkspace *workspace, int file, SomStr choice) {
    SomPartSource source;
    if (choice.length > 0) {
        return som_workspace_find_config(workspace, file, choice);
    }
    bool is_own = find_default(workspace, file, &source) && source.kind == SOM_DEFINES_CONFIG &&
                  source.file == file;
    return is_own ? source.index : -1;
}

// Composes one config with its defaults, if it has them all, and looks at its behaviors. False if
// something is wrong with it.
static bool check_config(SomWorkspace *workspace, int file, int config, SomConfiguration **made) {
    int errors = som_diagnostics_error_count(workspace->diags);
    SomResolver *r = create(workspace);
    SomTarget target = {.source = {SOM_DEFINES_CONFIG, file, config}};
    target.arguments = default_arguments(r, target.source, false);
    bool is_composed = target.arguments != NULL;
    *made = is_composed ? compose(r, &target) : NULL;
    bool is_fine = !is_composed || *made != NULL;
    if (som_diagnostics_error_count(workspace->diags) > errors) {
        som_configuration_destroy(*made);
        *made = NULL;
    }
    som_free(target.arguments);
    som_resolve_behaviors(r, file, config);
    destroy(r);
    return is_fine;
}

static void note_pieces(SomWorkspace *workspace, const SomConfiguration *c) {
    if (c != NULL && c->piece_count > 0) {
        som_report(workspace->diags, SOM_SEVERAL_PIECES, c->parts[0].span,
                   "'%.*s' consists of %d pieces", SOM_STR_ARG(c->name), c->piece_count + 1);
    }
}

static bool check(SomWorkspace *workspace, int file, int wanted, SomConfiguration **configuration) {
    int errors = som_diagnostics_error_count(workspace->diags);
    const SomDesignFile *f = &workspace->files.data[file]->file;
    bool fine = !f->is_incomplete;
    SomResolver *lets = create(workspace);
    som_file_evaluate(lets, file);
    destroy(lets);
    for (int i = 0; f->tree != NULL && i < f->config_count; i++) {
        SomConfiguration *made;
        fine &= check_config(workspace, file, i, &made);
        if (i == wanted && !f->is_incomplete) {
            *configuration = made;
        } else {
            note_pieces(workspace, made);
            som_configuration_destroy(made);
        }
    }
    return fine && som_diagnostics_error_count(workspace->diags) == errors;
}

bool som_workspace_check(SomWorkspace *workspace, int file) {
    return check(workspace, file, -1, NULL);
}

bool som_workspace_check_and_compose(SomWorkspace *workspace, int file, SomStr choice,
                                     SomConfiguration **configuration) {
    *configuration = NULL;
    int wanted = find_plain(workspace, file, choice);
    const SomDesignFile *f = &workspace->files.data[file]->file;
    bool is_sound = check(workspace, file, wanted, configuration);
    bool has_defaults = wanted >= 0;
    for (int i = 0; wanted >= 0 && i < f->configs[wanted].param_count; i++) {
        has_defaults &= f->configs[wanted].params[i].otherwise != 0;
    }
    SomPartSource source;
    bool has_any = choice.length > 0 || find_default(workspace, file, &source);
    if (!has_defaults && has_any) {
        *configuration = som_configuration_compose(workspace, file, choice, workspace->diags);
    }
    return is_sound;
}
