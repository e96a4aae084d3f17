// SPDX-License-Identifier: Apache-2.0
#include "studio/project.h"

#include "base/file.h"
#include "base/path.h"
#include "language/som_syntax.h"
#include "studio/checker.h"

struct SomProject {
    SomText library;
    SomText path; // empty if it was never saved
    SomText choice;
    SomText saved; // the text as it is on the disk
    SomDesign *design;
    SomModel *current; // of the text as it is
    SomModel *shown;   // the last that composed; may be the current one
    SomListeners listeners;
    int selected;
    SomChecker *checker; // NULL: nothing is verified
    unsigned revision;
    long asked; // number of what was asked for last
    SomPostureVerdict verdict;
};

static void set(SomText *text, SomStr value) {
    SomText next = {0};
    som_text_add(&next, value); // before the old one goes, which it may be a piece of
    som_text_free(text);
    *text = next;
}

// ---- listeners

static void tell(SomProject *project, unsigned changes) {
    som_listeners_tell(&project->listeners, changes);
}

void som_project_listen(SomProject *project, SomListener listener, void *context) {
    som_listeners_add(&project->listeners, listener, context);
}

void som_project_unlisten(SomProject *project, SomListener listener, void *context) {
    som_listeners_remove(&project->listeners, listener, context);
}

// ---- what verification says

static void set_verdict(SomProject *project, SomPostureVerdict verdict) {
    som_posture_verdict_free(&project->verdict);
    project->verdict = verdict;
}

// After each change of the text or the posture, before it is told.
static void verify(SomProject *project) {
    const SomModel *model = project->shown;
    project->asked++;
    project->verdict.is_current = false;
    if (som_model_module_count(model) == 0) {
        set_verdict(project, som_posture_verdict_none());
        if (project->checker != NULL) {
            som_checker_forget(project->checker);
        }
    } else if (project->checker != NULL) {
        som_checker_ask(project->checker, model->composition, &model->options,
                        model->posture.values, project->asked);
    }
}

const SomPostureVerdict *som_project_verdict(const SomProject *project) {
    return &project->verdict;
}

void som_project_set_wake(SomProject *project, void (*wake)(void *context), void *context) {
    som_checker_destroy(project->checker);
    project->checker = wake != NULL ? som_checker_create(wake, context) : NULL;
    verify(project);
}

bool som_project_is_verified(const SomProject *project) {
    return project->checker != NULL && som_model_module_count(project->shown) > 0;
}

void som_project_collect(SomProject *project) {
    SomAnswer answer;
    if (project->checker == NULL || !som_checker_collect(project->checker, &answer)) {
        return;
    }
    // of an older text it would name other modules
    bool is_taken = answer.composition == project->shown->composition;
    if (is_taken) {
        SomPostureVerdict old = project->verdict;
        project->verdict = answer.verdict;
        answer.verdict = old;
        project->verdict.is_current = answer.number == project->asked;
        project->verdict.is_of_model = true;
    }
    som_answer_free(&answer);
    if (is_taken) {
        tell(project, SOM_PROJECT_VERDICT);
    }
}

void som_project_await(SomProject *project) {
    if (project->checker != NULL) {
        som_checker_wait(project->checker);
        som_project_collect(project);
    }
}

// The collisions of the old model among the modules of the new one.
static void keep_collisions(SomPostureVerdict *verdict, const SomModel *now, const SomModel *old) {
    int kept = 0;
    for (int i = 0; i < verdict->collision_count; i++) {
        SomVerdictCollision collision = verdict->collisions[i];
        collision.module_a = som_model_find_module(now, old, collision.module_a);
        collision.module_b = som_model_find_module(now, old, collision.module_b);
        if (collision.module_a >= 0 && collision.module_b >= 0) {
            verdict->collisions[kept++] = collision;
        }
    }
    verdict->collision_count = kept;
}

// ---- models

static void forget_models(SomProject *project) {
    if (project->current != project->shown) {
        som_model_destroy(project->current);
    }
    som_model_destroy(project->shown);
    project->current = NULL;
    project->shown = NULL;
}

// The composition of the choice. A config that got another name is followed; one that is gone gives
// way to the first.
static SomComposition *compose(SomProject *project) {
    SomComposition *made = som_design_composition(project->design, som_project_choice(project));
    if (made->file < 0 || made->config >= 0 || made->configuration != NULL ||
        project->shown == NULL) {
        return made;
    }
    SomText choice = {0};
    if (som_composition_follow_choice(made, project->shown->composition, &choice) ||
        made->is_sound) {
        set(&project->choice, som_text_str(&choice));
        made = som_design_composition(project->design, som_project_choice(project));
    }
    som_text_free(&choice);
    return made;
}

// Shows another model in place of the old one. Returns what has changed beside the text.
static unsigned show(SomProject *project, SomModel *model) {
    SomModel *old = project->shown;
    int selected = -1;
    bool is_same = false;
    project->shown = model;
    if (old != NULL) {
        som_model_keep_posture(model, old);
        selected = som_model_find_module(model, old, project->selected);
        is_same = selected == project->selected;
        keep_collisions(&project->verdict, model, old);
        som_model_destroy(old);
    }
    project->selected = selected;
    return is_same ? 0 : SOM_PROJECT_SELECTION;
}

static void text_changed(SomProject *project) {
    SomComposition *made = compose(project);
    project->revision++;
    unsigned changes = SOM_PROJECT_TEXT | SOM_PROJECT_POSTURE | SOM_PROJECT_FILE;
    if (project->current == NULL || project->current->composition != made) {
        SomModel *model = som_model_create(made);
        if (project->current != project->shown) {
            som_model_destroy(project->current);
        }
        project->current = model;
        bool is_empty = project->shown == NULL;
        bool has_nothing = som_diagnostics_error_count(model->diags) == 0;
        if (model->configuration != NULL || is_empty || has_nothing) {
            changes |= show(project, model);
            project->verdict.is_of_model = false;
            verify(project);
        }
    }
    tell(project, changes);
}

// ---- life

static void begin(SomProject *project, SomStr path, SomStr source, SomStr saved, SomStr text) {
    SomDesign *design = som_design_create(som_text_str(&project->library), source, text);
    set(&project->path, path); // after, as all texts may be the project's own
    set(&project->saved, saved);
    set(&project->choice, SOM_STR(""));
    som_design_destroy(project->design);
    project->design = design;
    forget_models(project);
    set_verdict(project, som_posture_verdict_none()); // of another design
    project->selected = -1;
    text_changed(project);
}

SomProject *som_project_create(SomStr library) {
    SomProject *project = som_alloc(sizeof *project);
    set(&project->library, library);
    project->verdict = som_posture_verdict_none();
    som_project_begin(project, SOM_STR(""), SOM_STR(""), SOM_STR(""));
    return project;
}

void som_project_destroy(SomProject *project) {
    if (project == NULL) {
        return;
    }
    som_checker_destroy(project->checker);
    forget_models(project);
    som_design_destroy(project->design);
    som_text_free(&project->library);
    som_text_free(&project->path);
    som_text_free(&project->choice);
    som_text_free(&project->saved);
    som_listeners_free(&project->listeners);
    som_posture_verdict_free(&project->verdict);
    som_free(project);
}

SomStr som_project_library(const SomProject *project) {
    return som_text_str(&project->library);
}

// ---- files

// What a text that has no path is called in diagnostics.
#define UNTITLED "Untitled.som"

void som_project_begin(SomProject *project, SomStr path, SomStr saved, SomStr text) {
    begin(project, path, path.length > 0 ? path : SOM_STR(UNTITLED), saved, text);
}

bool som_project_open(SomProject *project, SomStr path_or_name, SomDiagnostics *diags) {
    SomWorkspace *workspace = som_workspace_create(som_text_str(&project->library), diags);
    SomText wanted = {0};
    set(&wanted, path_or_name);
    bool is_file = som_file_exists(wanted.data);
    int file = som_workspace_open(workspace, path_or_name);
    const SomDesignFile *found = file >= 0 ? som_workspace_file(workspace, file) : NULL;
    // bytes that are no text cannot be shown, and would be lost when it is saved
    bool is_text = found != NULL && som_source_check(found->text, found->source1, diags);
    if (is_text) {
        SomStr path = is_file ? som_text_str(&wanted) : SOM_STR("");
        begin(project, path, is_file ? path : som_path_name(found->path), found->text, found->text);
    }
    som_text_free(&wanted);
    som_workspace_destroy(workspace);
    return is_text;
}

bool som_project_save(SomProject *project, SomStr path, SomDiagnostics *diags) {
    SomText to = {0};
    set(&to, path);
    bool saved = som_file_save(to.data, som_project_text(project), diags);
    if (saved) {
        bool has_moved = !som_str_equal(som_text_str(&to), som_text_str(&project->path));
        set(&project->saved, som_project_text(project));
        if (has_moved) {
            set(&project->path, som_text_str(&to));
            som_design_set_path(project->design, som_text_str(&to));
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
    return som_str_equal(som_project_text(project), som_text_str(&project->saved));
}

SomStr som_project_saved(const SomProject *project) {
    return som_text_str(&project->saved);
}

void som_project_set_saved(SomProject *project, SomStr saved) {
    set(&project->saved, saved);
    tell(project, SOM_PROJECT_FILE);
}

// ---- the text

static SomDocument *document(const SomProject *project) {
    return som_design_document(project->design);
}

SomStr som_project_text(const SomProject *project) {
    return som_document_text(document(project));
}

unsigned som_project_revision(const SomProject *project) {
    return project->revision;
}

static bool changed(SomProject *project, bool is_done) {
    if (is_done) {
        text_changed(project);
    }
    return is_done;
}

void som_project_set_text(SomProject *project, SomStr text) {
    if (!som_str_equal(text, som_project_text(project))) {
        som_document_set_text(document(project), text);
        text_changed(project);
    }
}

void som_project_amend_text(SomProject *project, SomStr text) {
    if (!som_str_equal(text, som_project_text(project))) {
        som_document_amend_text(document(project), text);
        text_changed(project);
    }
}

bool som_project_undo(SomProject *project) {
    return changed(project, som_document_undo(document(project)));
}

bool som_project_redo(SomProject *project) {
    return changed(project, som_document_redo(document(project)));
}

bool som_project_can_undo(const SomProject *project) {
    return som_document_can_undo(document(project));
}

bool som_project_can_redo(const SomProject *project) {
    return som_document_can_redo(document(project));
}

SomDesign *som_project_design(SomProject *project) {
    return project->design;
}

bool som_project_edited(SomProject *project, bool was_made) {
    if (!was_made) {
        tell(project, SOM_PROJECT_REFUSAL);
    }
    return changed(project, was_made);
}

// ---- what it means

void som_project_choose(SomProject *project, SomStr config) {
    if (!som_str_equal(config, som_project_choice(project))) {
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
    if (dof >= 0 && dof < model->posture.count && model->posture.values[dof] != value) {
        model->posture.values[dof] = value;
        som_project_set_posture(project, model->posture.values);
    }
}

void som_project_set_posture(SomProject *project, const double *values) {
    if (project->shown->configuration != NULL) {
        som_model_set_posture(project->shown, values);
        verify(project);
        tell(project, SOM_PROJECT_POSTURE);
    }
}

// ---- what is selected

void som_project_select(SomProject *project, int module) {
    bool is_there = module >= 0 && module < som_model_module_count(project->shown);
    int selected = is_there ? module : -1;
    if (selected != project->selected) {
        project->selected = selected;
        tell(project, SOM_PROJECT_SELECTION);
    }
}

int som_project_selected(const SomProject *project) {
    return project->selected;
}

int som_project_selected_part_index(const SomProject *project) {
    const SomConfiguration *configuration = project->shown->configuration;
    if (project->selected < 0) {
        return -1;
    }
    int part = configuration->modules[project->selected].part;
    while (part >= 0 && configuration->parts[part].depth > 1) {
        part = configuration->parts[part].parent;
    }
    return part;
}

SomStr som_project_selected_part(const SomProject *project) {
    int part = som_project_selected_part_index(project);
    return part >= 0 ? project->shown->configuration->parts[part].path : SOM_STR("");
}
