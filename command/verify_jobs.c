// SPDX-License-Identifier: Apache-2.0
#include "command/verify_jobs.h"

#include "base/codes/base_codes.h"
#include "base/file.h"
#include "base/number.h"
#include "base/path.h"
#include "behaviors/action_text.h"
#include "behaviors/compile.h"
#include "command/inputs.h"
#include "command/picture.h"
#include "command/progress.h"
#include "language/name.h"
#include "report/verification_page.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

// ---- what there is to verify

bool som_verify_jobs_read_options(SomCommand *command, SomVerifyOptions *options) {
    int count;
    const SomVerifyOptionInfo *infos = som_verify_option_infos(&count);
    for (int i = 0; i < count; i++) {
        double *value = som_verify_option(options, i);
        SomText why = {0};
        *value = som_command_number(command, infos[i].option, *value);
        if (som_command_has(command, infos[i].option) &&
            !som_verify_option_is_good(i, *value, &why)) {
            som_command_misused(command, "--%s is %s", infos[i].option, why.data);
            som_text_free(&why);
            return false;
        }
    }
    if (som_command_has(command, "dt") && options->dt > SOM_VERIFY_TICK) {
        som_command_misused(command, "--dt is a time from 10us to 10ms");
        return false;
    }
    return true;
}

static void add_job(SomVerifyJobs *jobs, SomStr file, SomStr behavior, SomActionGraph *graph) {
    SomVerifyJob job = {
        .file = file, .behavior = behavior, .design = jobs->designs.count - 1, .graph = graph};
    som_array_push(&jobs->all, job);
}

static void add_failure(SomVerifyJobs *jobs, SomStr file, SomStr design, SomStr behavior) {
    SomArena *arena = &jobs->command->arena; // the design may be gone when it is printed
    SomVerifyFailure failure = {som_arena_copy(arena, file), som_arena_copy(arena, design),
                                som_arena_copy(arena, behavior)};
    som_array_push(&jobs->failures, failure);
}

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

// The configuration alone, and its own behaviors that need no arguments.
static void add_all_behaviors(SomVerifyJobs *jobs, const SomCompileDef *def, SomStr file) {
    add_job(jobs, file, SOM_STR(""), NULL);
    const SomConfiguration *c = def->configuration;
    for (int i = 0; i < c->behavior_count; i++) {
        if (c->behaviors[i].part != 0 || needs_arguments(def, i)) {
            continue;
        }
        SomActionGraph *graph = som_compile_behavior(def, i);
        if (graph != NULL) {
            add_job(jobs, file, c->behaviors[i].name, graph);
        } else {
            add_failure(jobs, file, c->name, c->behaviors[i].name);
        }
    }
}

static void add_design(SomVerifyJobs *jobs, SomConfiguration *configuration, SomStr file) {
    SomCommand *command = jobs->command;
    SomVerifyDesign design = {.configuration = configuration,
                              .options = som_verify_default_options()};
    if (!som_verify_read_settings(configuration, &design.options, command->diags) ||
        !som_verify_jobs_read_options(command, &design.options) ||
        !som_command_posture(command, configuration, &design.posture)) {
        add_failure(jobs, file, configuration->name, SOM_STR(""));
        som_configuration_destroy(configuration);
        return;
    }
    design.mechanism = som_mechanism_create(configuration);
    design.pose = som_command_pose(command, configuration);
    som_array_push(&jobs->designs, design);
    SomCompileDef def = {.workspace = som_command_workspace(command),
                         .configuration = configuration,
                         .diags = command->diags,
                         .reported = &jobs->reported};
    if (!som_command_inputs(command, &def.inputs)) {
        return;
    }
    int at = 0;
    const char *behavior = som_command_next_value(command, "behavior", &at);
    if (behavior == NULL) {
        add_all_behaviors(jobs, &def, file);
    }
    for (; behavior != NULL; behavior = som_command_next_value(command, "behavior", &at)) {
        SomActionGraph *graph = som_compile_call(&def, som_str(behavior));
        if (graph != NULL) {
            add_job(jobs, file, som_str(behavior), graph);
        } else {
            add_failure(jobs, file, configuration->name, som_str(behavior));
        }
    }
    som_command_find_inputs(command, configuration);
}

static void add_choice(SomVerifyJobs *jobs, int file, SomStr choice) {
    SomWorkspace *workspace = som_command_workspace(jobs->command);
    SomConfiguration *configuration =
        som_configuration_compose(workspace, file, choice, jobs->command->diags);
    if (configuration != NULL) {
        add_design(jobs, configuration, som_workspace_file(workspace, file)->path);
    } else {
        add_failure(jobs, som_workspace_file(workspace, file)->path, choice, SOM_STR(""));
    }
}

// Every configuration of a file that needs no arguments.
static void add_all_configs(SomVerifyJobs *jobs, int file) {
    const SomDesignFile *design = som_workspace_file(som_command_workspace(jobs->command), file);
    for (int i = 0; i < design->config_count; i++) {
        const SomConfigInfo *config = &design->configs[i];
        bool is_complete = true;
        for (int k = 0; k < config->param_count; k++) {
            is_complete &= config->params[k].otherwise != 0;
        }
        SomText choice = {0};
        som_name_print(&choice, config->name);
        if (is_complete) {
            add_choice(jobs, file, som_text_str(&choice));
        }
        som_text_free(&choice);
    }
}

static void add_file(SomVerifyJobs *jobs, SomStr path, bool is_in_folder) {
    SomCommand *command = jobs->command;
    const char *choice = som_command_value(command, "config");
    int file = som_workspace_open(som_command_workspace(command), path);
    if (file < 0) {
        add_failure(jobs, path, SOM_STR(""), SOM_STR(""));
    } else if (choice == NULL && (is_in_folder || jobs->wants_all_configs)) {
        add_all_configs(jobs, file);
    } else {
        add_choice(jobs, file, som_str(choice != NULL ? choice : ""));
    }
}

void som_verify_jobs_add_word(SomVerifyJobs *jobs, const char *word) {
    SomCommand *command = jobs->command;
    if (!som_file_is_folder(word)) {
        add_file(jobs, som_str(word), false);
        return;
    }
    const SomStr *paths;
    int count = som_file_find(word, SOM_STR(".som"), &command->arena, &paths, command->diags);
    if (count == 0) {
        som_report(command->diags, SOM_FILE_NOT_FOUND, (SomSpan){0},
                   "there is no .som file in folder '%s' or below it", word);
    }
    if (count <= 0) {
        add_failure(jobs, som_str(word), SOM_STR(""), SOM_STR(""));
    }
    for (int i = 0; i < count; i++) {
        add_file(jobs, paths[i], true);
    }
}

void som_verify_jobs_free(SomVerifyJobs *jobs) {
    for (int i = 0; i < jobs->all.count; i++) {
        som_verification_destroy(jobs->all.data[i].found);
        som_prediction_free(&jobs->all.data[i].motion);
        som_action_graph_destroy(jobs->all.data[i].graph);
    }
    for (int i = 0; i < jobs->designs.count; i++) {
        som_posture_free(&jobs->designs.data[i].posture);
        som_mechanism_destroy(jobs->designs.data[i].mechanism);
        som_configuration_destroy(jobs->designs.data[i].configuration);
    }
    som_array_free(&jobs->all);
    som_array_free(&jobs->designs);
    som_array_free(&jobs->failures);
    som_reported_places_free(&jobs->reported);
}

SomVerdict som_verify_jobs_verdict(const SomVerifyJobs *jobs) {
    SomVerdict worst = jobs->failures.count == 0 ? SOM_VERDICT_SAFE : SOM_VERDICT_UNSAFE;
    for (int i = 0; i < jobs->all.count; i++) {
        SomVerdict verdict = jobs->all.data[i].found->verdict;
        worst = verdict > worst ? verdict : worst;
    }
    return worst;
}

SomSecondOpinion som_verify_jobs_second_opinion(const SomVerifyJobs *jobs) {
    SomSecondOpinion all = {.is_wanted = false};
    for (int i = 0; i < jobs->all.count; i++) {
        som_second_opinion_join(&all, &jobs->all.data[i].found->second);
    }
    return all;
}

// A value that is not known is an empty cell, which plots leave out.
static void print_table(const SomVerification *found, SomText *out) {
    som_text_add(out, SOM_STR("t"));
    for (int k = 0; k < found->series.count; k++) {
        som_text_add_char(out, ',', 1);
        som_column_print(found->series.data[k].name.data, out);
    }
    for (int i = 0; i < found->sample_count; i++) {
        som_text_add_char(out, '\n', 1);
        som_text_number(out, found->times[i]);
        for (int k = 0; k < found->series.count; k++) {
            double value = found->series.data[k].values[i];
            som_text_add_char(out, ',', 1);
            if (isfinite(value)) {
                som_text_number(out, value);
            }
        }
    }
    som_text_add_char(out, '\n', 1);
}

void som_verify_jobs_save_table(const SomVerifyJobs *jobs, const char *path) {
    SomText table = {0};
    print_table(jobs->all.data[0].found, &table);
    som_file_save(path, som_text_str(&table), jobs->command->diags);
    som_text_free(&table);
}

void som_verify_jobs_save_page(const SomVerifyJobs *jobs, const char *path) {
    size_t count = (size_t)jobs->all.count, designs = (size_t)jobs->designs.count;
    SomVerificationSection *sections = som_alloc((count + 1) * sizeof *sections);
    SomLinkMeshes *meshes = som_alloc((designs + 1) * sizeof *meshes);
    SomText html = {0};
    for (size_t i = 0; i < designs; i++) {
        som_link_meshes_load(&meshes[i], jobs->designs.data[i].configuration,
                             jobs->command->workspace, jobs->command->diags);
    }
    for (size_t i = 0; i < count; i++) {
        const SomVerifyJob *job = &jobs->all.data[i];
        const SomVerifyDesign *design = &jobs->designs.data[job->design];
        sections[i] =
            (SomVerificationSection){.found = job->found,
                                     .mechanism = design->mechanism,
                                     .start = design->posture.values,
                                     .prediction = job->graph != NULL ? &job->motion : NULL,
                                     .graph = job->graph,
                                     .file = job->file,
                                     .design = design->configuration->name,
                                     .behavior = job->behavior,
                                     .meshes = &meshes[job->design]};
    }
    som_verification_page_print(&(SomVerificationPage){.sections = sections,
                                                       .count = jobs->all.count,
                                                       .not_made = jobs->failures.count,
                                                       .diags = jobs->command->diags},
                                &html);
    som_file_save(path, som_text_str(&html), jobs->command->diags);
    for (size_t i = 0; i < designs; i++) {
        som_link_meshes_free(&meshes[i]);
    }
    som_text_free(&html);
    som_free(meshes);
    som_free(sections);
}

// ---- on all cores

#define MOST_THREADS 64

typedef struct Work {
    SomVerifyJobs *jobs;
    atomic_int next;
    int begun;
    bool shows_progress;
    pthread_mutex_t mutex; // of `begun` and of what is shown
} Work;

static void verify(SomVerifyJobs *jobs, SomVerifyJob *job) {
    const SomVerifyDesign *design = &jobs->designs.data[job->design];
    job->found = som_verify(&(SomVerifyDef){.mechanism = design->mechanism,
                                            .start = design->posture.values,
                                            .pose = design->pose,
                                            .graph = job->graph,
                                            .options = &design->options,
                                            .wants_series = jobs->wants_series,
                                            .wants_second_opinion = jobs->wants_second_opinion,
                                            .motion = jobs->wants_motion ? &job->motion : NULL});
}

// What was begun last.
static void show_progress(Work *work, const SomVerifyJob *job) {
    const SomVerifyDesign *design = &work->jobs->designs.data[job->design];
    pthread_mutex_lock(&work->mutex);
    work->begun++;
    if (work->shows_progress) {
        SomText line = {0};
        som_text_printf(&line, "%d of %d: ", work->begun, work->jobs->all.count);
        som_text_add_shown(&line, som_str_slice(design->configuration->name, 0, 30));
        som_text_add(&line, SOM_STR(" "));
        som_text_add_shown(&line, som_str_slice(job->behavior, 0, 30));
        som_progress_show(som_text_str(&line));
        som_text_free(&line);
    }
    pthread_mutex_unlock(&work->mutex);
}

static void *run_thread(void *context) {
    Work *work = context;
    for (;;) {
        int at = atomic_fetch_add(&work->next, 1);
        if (at >= work->jobs->all.count) {
            return NULL;
        }
        show_progress(work, &work->jobs->all.data[at]);
        verify(work->jobs, &work->jobs->all.data[at]);
    }
}

void som_verify_jobs_run(SomVerifyJobs *jobs, int threads) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int most = threads > 0 ? threads : processors > 0 ? (int)processors : 1;
    most = most < MOST_THREADS ? most : MOST_THREADS;
    most = most < jobs->all.count ? most : jobs->all.count;
    Work work = {.jobs = jobs, .shows_progress = som_progress_is_watched()};
    pthread_mutex_init(&work.mutex, NULL);
    pthread_t others[MOST_THREADS];
    int count = 0;
    // a thread that cannot be made is no harm: the others do its work
    while (count < most - 1 && pthread_create(&others[count], NULL, run_thread, &work) == 0) {
        count++;
    }
    run_thread(&work);
    for (int i = 0; i < count; i++) {
        pthread_join(others[i], NULL);
    }
    if (work.shows_progress) {
        som_progress_clear();
    }
    pthread_mutex_destroy(&work.mutex);
}
