// SPDX-License-Identifier: Apache-2.0
#include "studio/project.h"

#include "base/file.h"
#include "base/path.h"
#include "language/som_syntax.h"

struct SomProject {
    SomText library;
    SomText path;   // empty if it was never saved
    SomText source; // what the text is called in diagnostics, and where `use` looks: beside it
    SomText choice;
    SomText saved; // the text as it is on the disk
    SomDocument *document;
    SomModel *current; // of the text as it is
    SomModel *shown;   // the last that composed; may be the current one
    SomProjectListener listener;
    void *context;
};

static void set(SomText *text, SomStr value) {
    som_text_clear(text);
    som_text_add(text, value);
}

static void tell(const SomProject *project, unsigned changes) {
    if (project->listener != NULL) {
        project->listener(project->context, changes);
    }
}

// ---- models

static void destroy_model(SomModel *model) {
    if (model == NULL) {
        return;
    }
    som_link_meshes_free(&model->meshes);
    som_free(model->links);
    som_posture_free(&model->posture);
    som_mechanism_destroy(model->mechanism);
    som_configuration_destroy(model->configuration);
    som_workspace_destroy(model->workspace);
    som_diagnostics_destroy(model->diags);
    som_free(model);
}

static SomModel *compose(const SomProject *project) {
    SomModel *model = som_alloc(sizeof *model);
    *model = (SomModel){.diags = som_diagnostics_create()};
    model->workspace = som_workspace_create(som_text_str(&project->library), model->diags);
    model->file = som_workspace_open_text(model->workspace, som_text_str(&project->source),
                                          som_document_text(project->document));
    if (model->file >= 0 && som_workspace_file(model->workspace, model->file)->config_count > 0) {
        som_workspace_check(model->workspace, model->file);
        model->configuration = som_configuration_compose(
            model->workspace, model->file, som_text_str(&project->choice), model->diags);
    }
    if (model->configuration != NULL) {
        model->mechanism = som_mechanism_create(model->configuration);
        model->posture = som_posture_start(model->configuration);
        model->links = som_alloc(sizeof *model->links * (size_t)model->mechanism->link_count);
        som_mechanism_place(model->mechanism, &model->posture, model->links);
        som_link_meshes_load(&model->meshes, model->configuration, model->workspace, model->diags);
    }
    return model;
}

static void compose_again(SomProject *project) {
    SomModel *model = compose(project);
    if (project->current != project->shown) {
        destroy_model(project->current);
    }
    project->current = model;
    bool is_empty = project->shown == NULL;
    bool has_nothing = som_diagnostics_error_count(model->diags) == 0;
    if (model->configuration != NULL || is_empty || has_nothing) {
        destroy_model(project->shown);
        project->shown = model;
    }
}

static void text_changed(SomProject *project) {
    compose_again(project);
    tell(project, SOM_PROJECT_TEXT | SOM_PROJECT_POSTURE | SOM_PROJECT_FILE);
}

// ---- life

SomProject *som_project_create(SomStr library) {
    SomProject *project = som_alloc(sizeof *project);
    *project = (SomProject){0};
    set(&project->library, library);
    set(&project->path, SOM_STR(""));
    set(&project->source, SOM_STR("Untitled.som"));
    set(&project->choice, SOM_STR(""));
    set(&project->saved, SOM_STR(""));
    project->document =
        som_document_create(som_text_str(&project->source), SOM_STR(""), &som_grammar_som);
    compose_again(project);
    return project;
}

void som_project_destroy(SomProject *project) {
    if (project == NULL) {
        return;
    }
    if (project->current != project->shown) {
        destroy_model(project->current);
    }
    destroy_model(project->shown);
    som_document_destroy(project->document);
    som_text_free(&project->library);
    som_text_free(&project->path);
    som_text_free(&project->source);
    som_text_free(&project->choice);
    som_text_free(&project->saved);
    som_free(project);
}

void som_project_listen(SomProject *project, SomProjectListener listener, void *context) {
    project->listener = listener;
    project->context = context;
}

// ---- files

bool som_project_open(SomProject *project, SomStr path_or_name, SomDiagnostics *diags) {
    SomWorkspace *workspace = som_workspace_create(som_text_str(&project->library), diags);
    SomText wanted = {0};
    set(&wanted, path_or_name);
    bool is_file = som_file_exists(wanted.data);
    int file = som_workspace_open(workspace, path_or_name);
    if (file >= 0) {
        const SomDesignFile *found = som_workspace_file(workspace, file);
        set(&project->path, is_file ? path_or_name : SOM_STR(""));
        set(&project->source, is_file ? path_or_name : som_path_name(found->path));
        set(&project->choice, SOM_STR(""));
        set(&project->saved, found->text);
        som_document_destroy(project->document);
        project->document =
            som_document_create(som_text_str(&project->source), found->text, &som_grammar_som);
        if (project->current != project->shown) {
            destroy_model(project->current);
        }
        destroy_model(project->shown); // of another file
        project->current = NULL;
        project->shown = NULL;
    }
    som_text_free(&wanted);
    som_workspace_destroy(workspace);
    if (file >= 0) {
        text_changed(project);
    }
    return file >= 0;
}

bool som_project_save(SomProject *project, SomStr path, SomDiagnostics *diags) {
    SomText to = {0};
    set(&to, path);
    SomStr text = som_document_text(project->document);
    bool saved = som_file_save(to.data, text, diags);
    if (saved) {
        bool has_moved = !som_str_equal(path, som_text_str(&project->path));
        set(&project->saved, text);
        if (has_moved) {
            set(&project->path, som_text_str(&to));
            set(&project->source, som_text_str(&to));
            text_changed(project); // `use` may find other files there
        } else {
            tell(project, SOM_PROJECT_FILE);
        }
    }
    som_text_free(&to);
    return saved;
}

SomStr som_project_path(const SomProject *project) {
    return som_text_str(&project->path);
}

SomStr som_project_title(const SomProject *project) {
    SomStr name = som_path_name(som_project_path(project));
    return project->path.length > 0 ? name : SOM_STR("Untitled");
}

bool som_project_is_saved(const SomProject *project) {
    return som_str_equal(som_document_text(project->document), som_text_str(&project->saved));
}

// ---- the text

SomStr som_project_text(const SomProject *project) {
    return som_document_text(project->document);
}

const SomSyntax *som_project_tree(const SomProject *project) {
    return som_document_tree(project->document);
}

void som_project_set_text(SomProject *project, SomStr text) {
    if (!som_str_equal(text, som_document_text(project->document))) {
        som_document_set_text(project->document, text);
        text_changed(project);
    }
}

bool som_project_apply(SomProject *project, const SomEdits *edits) {
    bool done = som_document_apply(project->document, edits);
    if (done) {
        text_changed(project);
    }
    return done;
}

bool som_project_undo(SomProject *project) {
    bool done = som_document_undo(project->document);
    if (done) {
        text_changed(project);
    }
    return done;
}

bool som_project_redo(SomProject *project) {
    bool done = som_document_redo(project->document);
    if (done) {
        text_changed(project);
    }
    return done;
}

bool som_project_can_undo(const SomProject *project) {
    return som_document_can_undo(project->document);
}

bool som_project_can_redo(const SomProject *project) {
    return som_document_can_redo(project->document);
}

// ---- what it means

void som_project_choose(SomProject *project, SomStr config) {
    if (!som_str_equal(config, som_text_str(&project->choice))) {
        set(&project->choice, config);
        text_changed(project);
    }
}

SomStr som_project_choice(const SomProject *project) {
    return som_text_str(&project->choice);
}

const SomModel *som_project_model(const SomProject *project) {
    return project->shown;
}

bool som_project_is_stale(const SomProject *project) {
    return project->current != project->shown;
}

const SomDiagnostics *som_project_diagnostics(const SomProject *project) {
    return project->current->diags;
}

bool som_project_is_own(const SomProject *project, SomSpan span) {
    const SomModel *model = project->current;
    return model->file >= 0 &&
           span.source1 == som_workspace_file(model->workspace, model->file)->source1;
}

void som_project_move(SomProject *project, int dof, double value) {
    SomModel *model = project->shown;
    if (model->configuration == NULL || dof < 0 || dof >= model->posture.count) {
        return;
    }
    model->posture.values[dof] = value;
    som_mechanism_place(model->mechanism, &model->posture, model->links);
    tell(project, SOM_PROJECT_POSTURE);
}
