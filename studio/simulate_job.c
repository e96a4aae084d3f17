// SPDX-License-Identifier: Apache-2.0
#include "studio/simulate_job.h"

#include <math.h>

SomRecordJob *som_record_job_create(SomPhysicsRecord *record, SomRecordJobKind kind, SomStr out) {
    SomRecordJob *job = som_alloc(sizeof *job);
    job->kind = kind;
    job->record = som_physics_record_hold(record);
    som_text_add(&job->out, out);
    atomic_init(&job->is_cancelled, false);
    atomic_init(&job->drawn, 0);
    return job;
}

void som_record_job_destroy(SomRecordJob *job) {
    if (job != NULL) {
        som_physics_record_release(job->record);
        som_text_free(&job->out);
        som_text_free(&job->words);
        som_free(job);
    }
}

static void draw(SomRecordJob *job, SomDiagnostics *diags) {
    const SomPhysicsRecord *record = job->record;
    SomFilmPrint *print = som_film_print_create(&record->film, record->run.mechanism,
                                                &record->scene->meshes, job->out.data, diags);
    while (print != NULL && !atomic_load(&job->is_cancelled) && som_film_print_draw(print)) {
        atomic_store(&job->drawn, som_film_print_drawn(print));
    }
    bool is_begun = print != NULL;
    job->is_done = som_film_print_finish(print) && is_begun && !atomic_load(&job->is_cancelled);
}

static void report(SomRecordJob *job, SomDiagnostics *diags) {
    const SomPhysicsRecord *record = job->record;
    job->is_done =
        som_physics_report_save(&record->report, &record->run, &record->scene->meshes,
                                som_text_str(&record->scene->texts.behavior), job->out.data, diags);
}

void som_record_job_run(SomRecordJob *job) {
    SomDiagnostics *diags = som_diagnostics_create();
    if (job->kind == SOM_JOB_PICTURES) {
        draw(job, diags);
    } else {
        report(job, diags);
    }
    som_diagnostics_sort(diags);
    som_diagnostics_print(diags, 0, &job->words);
    som_diagnostics_destroy(diags);
}

void som_record_job_cancel(SomRecordJob *job) {
    atomic_store(&job->is_cancelled, true);
}

double som_record_job_fraction(SomRecordJob *job) {
    int count = job->record->film.count;
    return job->kind == SOM_JOB_PICTURES && count > 0 ? (double)atomic_load(&job->drawn) / count
                                                      : (double)NAN;
}
