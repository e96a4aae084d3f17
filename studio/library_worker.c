// SPDX-License-Identifier: Apache-2.0
#include "studio/library_worker.h"

#include "studio/thumbnail.h"
#include "studio/widgets.h"

typedef enum JobKind { READ, DRAW, STOP } JobKind;

typedef struct Job {
    JobKind kind;
    char *text; // folder, or what is drawn
    char *file;
    bool is_beside;
    SomLibraryItem *item; // of the main thread: only it looks into it
} Job;

struct SomLibraryWorker {
    gatomicrefcount references; // of its owner, and of each answer on its way
    GAsyncQueue *jobs;
    GThread *thread;
    char *library;
    char *cache;
    atomic_bool is_stopped;
    SomLibraryListener listener; // NULL: nobody listens any more
    void *context;
};

static void free_job(Job *job) {
    g_free(job->text);
    g_free(job->file);
    g_clear_object(&job->item);
    g_free(job);
}

static void release(SomLibraryWorker *worker) {
    if (g_atomic_ref_count_dec(&worker->references)) {
        g_async_queue_unref(worker->jobs);
        g_free(worker->library);
        g_free(worker->cache);
        g_free(worker);
    }
}

// ---- answers, given in the main loop

typedef struct Answer {
    SomLibraryWorker *worker;
    Job *job; // that it answers
    SomCatalog catalog;
    GdkTexture *picture;
} Answer;

static void free_answer(void *data) {
    Answer *answer = data;
    som_catalog_free(&answer->catalog);
    g_clear_object(&answer->picture);
    free_job(answer->job);
    release(answer->worker);
    g_free(answer);
}

static gboolean give(void *data) {
    Answer *answer = data;
    SomLibraryWorker *worker = answer->worker;
    bool is_beside = answer->job->is_beside;
    if (worker->listener != NULL && answer->job->kind == READ) {
        for (int i = 0; i < answer->catalog.entries.count; i++) {
            worker->listener(som_library_item_new(&answer->catalog.entries.data[i], is_beside),
                             is_beside, worker->context);
        }
        worker->listener(NULL, is_beside, worker->context);
    } else if (worker->listener != NULL && answer->picture != NULL) {
        som_library_item_set_picture(answer->job->item, answer->picture);
    }
    return G_SOURCE_REMOVE;
}

// ---- the thread

static GdkTexture *make_texture(SomImage *image) {
    gsize size = (gsize)image->width * (gsize)image->height * 4;
    g_autoptr(GBytes) bytes = g_bytes_new(image->pixels, size);
    return gdk_memory_texture_new(image->width, image->height, GDK_MEMORY_R8G8B8A8, bytes,
                                  (gsize)image->width * 4);
}

static void work(SomLibraryWorker *worker, SomThumbnails *thumbnails, Job *job) {
    Answer *answer = g_new0(Answer, 1);
    g_atomic_ref_count_inc(&worker->references);
    answer->worker = worker;
    answer->job = job;
    SomImage image = {0};
    if (job->kind == READ) {
        som_catalog_read(&answer->catalog, som_str(worker->library), som_str(job->text),
                         &worker->is_stopped);
    } else if (som_thumbnails_draw(thumbnails, som_str(job->file), som_str(job->text), &image)) {
        answer->picture = make_texture(&image);
    }
    som_image_free(&image);
    // as often as windows are drawn: one that plays without a pause would let nothing less through
    g_idle_add_full(GDK_PRIORITY_REDRAW, give, answer, free_answer);
}

static void *run(void *data) {
    SomLibraryWorker *worker = data;
    SomThumbnails *thumbnails =
        som_thumbnails_create(som_str(worker->library), som_str(worker->cache));
    for (;;) {
        Job *job = g_async_queue_pop(worker->jobs);
        if (job->kind == STOP) {
            free_job(job);
            break;
        }
        work(worker, thumbnails, job);
    }
    som_thumbnails_destroy(thumbnails);
    return NULL;
}

// ---- asking

static void ask(SomLibraryWorker *worker, Job job) {
    Job *copy = g_new(Job, 1);
    *copy = job;
    g_async_queue_push(worker->jobs, copy);
}

void som_library_worker_read(SomLibraryWorker *worker, SomStr folder, bool is_beside) {
    ask(worker, (Job){.kind = READ, .text = som_c_string(folder), .is_beside = is_beside});
}

void som_library_worker_draw(SomLibraryWorker *worker, SomLibraryItem *item) {
    ask(worker, (Job){.kind = DRAW,
                      .text = g_strdup(som_library_item_reference(item)),
                      .file = g_strdup(som_library_item_entry(item)->file.data),
                      .item = g_object_ref(item)});
}

SomLibraryWorker *som_library_worker_new(SomStr library, SomLibraryListener listener,
                                         void *context) {
    SomLibraryWorker *worker = g_new0(SomLibraryWorker, 1);
    g_atomic_ref_count_init(&worker->references);
    worker->jobs = g_async_queue_new();
    worker->library = som_c_string(library);
    worker->cache = g_build_filename(g_get_user_cache_dir(), "somite", "thumbnails", NULL);
    worker->listener = listener;
    worker->context = context;
    worker->thread = g_thread_new("library", run, worker);
    return worker;
}

void som_library_worker_free(SomLibraryWorker *worker) {
    worker->listener = NULL;
    atomic_store(&worker->is_stopped, true);
    Job *job;
    while ((job = g_async_queue_try_pop(worker->jobs)) != NULL) { // what nobody waits for
        free_job(job);
    }
    ask(worker, (Job){.kind = STOP});
    g_thread_join(worker->thread); // for the one picture or file it is at
    release(worker);
}
