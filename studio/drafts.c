// SPDX-License-Identifier: Apache-2.0
#include "studio/drafts.h"

#include "base/codes/base_codes.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/path.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

// From the first change that is not on the disk until it is written. Milliseconds.
#define DELAY 500

// As many studios that were killed, and had our process number, are passed by.
#define MOST_OWNERS 1000

typedef struct Slot {
    bool is_open;
    bool is_waiting; // `content` is to be written
    bool is_dropped; // its file is to be removed
    struct timespec due;
    SomText content; // of the file
} Slot;

// A studio that was killed, whose drafts we have found.
typedef struct Other {
    SomText owner;
    int lock;
} Other;

struct SomDrafts {
    SomText folder;
    SomText owner; // name of the lock and begin of the drafts' names: "1234-0"
    int lock;
    SOM_ARRAY(Other) others;

    pthread_t thread;
    pthread_mutex_t mutex; // of all below
    pthread_cond_t wanted; // there is work, or an end
    pthread_cond_t done;   // nothing waits any more
    SOM_ARRAY(Slot) slots;
    SOM_ARRAY(SomText) forgotten; // files to be removed when nothing waits
    SomText failure;              // words of the first one since something was written
    bool is_failing;              // nothing was written since
    bool is_busy;                 // a file is being written or removed
    bool is_hurried;              // now, not when it is due
    bool is_ending;
};

// ---- names

static void name_file(const SomDrafts *drafts, SomStr name, const char *ending, SomText *path) {
    som_text_clear(path);
    som_path_join(path, som_text_str(&drafts->folder), name);
    som_text_add(path, som_str(ending));
}

static void name_draft(const SomDrafts *drafts, int slot, SomText *path) {
    SomText name = {0};
    som_text_printf(&name, "%s-%d", drafts->owner.data, slot);
    name_file(drafts, som_text_str(&name), ".draft", path);
    som_text_free(&name);
}

// "1234-0" of "1234-0-7.draft"; empty if the name is not one of ours.
static SomStr owner_of(SomStr file) {
    SomStr stem = som_path_stem(file);
    for (size_t end = stem.length; end > 0; end--) {
        if (stem.data[end - 1] == '-') {
            return som_str_slice(stem, 0, end - 1);
        }
    }
    return (SomStr){0};
}

// ---- the thread

static bool is_due(const SomDrafts *drafts, const Slot *slot) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return drafts->is_hurried || drafts->is_ending || now.tv_sec > slot->due.tv_sec ||
           (now.tv_sec == slot->due.tv_sec && now.tv_nsec >= slot->due.tv_nsec);
}

// A disk that fails does so at every change, which is told once.
static void note_failure(SomDrafts *drafts, SomDiagnostics *diags) {
    int count;
    const SomDiagnostic *all = som_diagnostics_get(diags, &count);
    if (count > 0 && !drafts->is_failing) {
        som_text_clear(&drafts->failure);
        som_text_add(&drafts->failure, all[0].message);
    }
    drafts->is_failing = count > 0;
    som_diagnostics_destroy(diags);
}

// With the mutex held, which is let go while the disk works.
static void serve(SomDrafts *drafts, int index) {
    Slot *slot = &drafts->slots.data[index];
    bool is_removed = slot->is_dropped;
    SomText content = slot->content, path = {0};
    slot->content = (SomText){0};
    slot->is_waiting = false;
    slot->is_dropped = false;
    drafts->is_busy = true;
    pthread_mutex_unlock(&drafts->mutex);
    SomDiagnostics *diags = som_diagnostics_create();
    name_draft(drafts, index, &path);
    if (is_removed) {
        som_file_remove(path.data, diags);
    } else {
        som_file_save_private(path.data, som_text_str(&content), diags);
    }
    som_text_free(&path);
    som_text_free(&content);
    pthread_mutex_lock(&drafts->mutex);
    note_failure(drafts, diags);
    drafts->is_busy = false;
}

static void remove_forgotten(SomDrafts *drafts) {
    SomText path = drafts->forgotten.data[--drafts->forgotten.count];
    drafts->is_busy = true;
    pthread_mutex_unlock(&drafts->mutex);
    SomDiagnostics *diags = som_diagnostics_create();
    som_file_remove(path.data, diags);
    som_text_free(&path);
    pthread_mutex_lock(&drafts->mutex);
    note_failure(drafts, diags);
    drafts->is_busy = false;
}

// Does one thing that is due. Else gives when the next one is: false with *next NULL if none waits.
static bool work_once(SomDrafts *drafts, const struct timespec **next) {
    *next = NULL;
    for (int i = 0; i < drafts->slots.count; i++) {
        Slot *slot = &drafts->slots.data[i];
        if (slot->is_dropped || (slot->is_waiting && is_due(drafts, slot))) {
            serve(drafts, i);
            return true;
        }
        if (slot->is_waiting && *next == NULL) {
            *next = &slot->due; // about as good as the earliest: all are less than DELAY away
        }
    }
    if (*next == NULL && drafts->forgotten.count > 0) {
        remove_forgotten(drafts);
        return true;
    }
    return false;
}

static void *run(void *context) {
    SomDrafts *drafts = context;
    pthread_mutex_lock(&drafts->mutex);
    for (;;) {
        const struct timespec *next;
        if (work_once(drafts, &next)) {
            continue;
        }
        if (next != NULL) {
            struct timespec due = *next;
            pthread_cond_timedwait(&drafts->wanted, &drafts->mutex, &due);
            continue;
        }
        drafts->is_hurried = false;
        pthread_cond_broadcast(&drafts->done);
        if (drafts->is_ending) {
            break;
        }
        pthread_cond_wait(&drafts->wanted, &drafts->mutex);
    }
    pthread_mutex_unlock(&drafts->mutex);
    return NULL;
}

// ---- life

// A name that no studio has, living or killed, with its lock held.
static bool take_name(SomDrafts *drafts) {
    SomText path = {0};
    drafts->lock = -1;
    for (int i = 0; i < MOST_OWNERS && drafts->lock < 0; i++) {
        som_text_clear(&drafts->owner);
        som_text_printf(&drafts->owner, "%ld-%d", (long)getpid(), i);
        name_file(drafts, som_text_str(&drafts->owner), ".lock", &path);
        if (!som_file_exists(path.data)) {
            drafts->lock = som_file_lock(path.data);
        }
    }
    som_text_free(&path);
    return drafts->lock >= 0;
}

static void start_thread(SomDrafts *drafts) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&drafts->wanted, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_cond_init(&drafts->done, NULL);
    pthread_mutex_init(&drafts->mutex, NULL);
    int error = pthread_create(&drafts->thread, NULL, run, drafts);
    assert(error == 0); // as with memory: a machine in trouble
    (void)error;
}

SomDrafts *som_drafts_create(SomStr folder, SomDiagnostics *diags) {
    SomDrafts *drafts = som_alloc(sizeof *drafts);
    *drafts = (SomDrafts){.lock = -1};
    som_text_add(&drafts->folder, folder);
    if (!som_file_make_private_folder(drafts->folder.data, diags) || !take_name(drafts)) {
        if (som_diagnostics_error_count(diags) == 0) {
            som_report(diags, SOM_FILE_WRITE_FAILED, (SomSpan){0},
                       "unsaved work can't be kept in '%.*s'", SOM_STR_ARG(folder));
        }
        som_text_free(&drafts->folder);
        som_text_free(&drafts->owner);
        som_free(drafts);
        return NULL;
    }
    start_thread(drafts);
    return drafts;
}

static bool has_drafts(const SomDrafts *drafts, SomStr owner);

// A lock goes with the last draft of its owner.
static void release(SomDrafts *drafts, SomStr owner, int lock) {
    if (!has_drafts(drafts, owner)) {
        SomText path = {0};
        SomDiagnostics *diags = som_diagnostics_create(); // an empty file may stay
        name_file(drafts, owner, ".lock", &path);
        som_file_remove(path.data, diags);
        som_diagnostics_destroy(diags);
        som_text_free(&path);
    }
    som_file_unlock(lock);
}

void som_drafts_destroy(SomDrafts *drafts) {
    if (drafts == NULL) {
        return;
    }
    pthread_mutex_lock(&drafts->mutex);
    drafts->is_ending = true;
    pthread_cond_signal(&drafts->wanted);
    pthread_mutex_unlock(&drafts->mutex);
    pthread_join(drafts->thread, NULL);
    pthread_mutex_destroy(&drafts->mutex);
    pthread_cond_destroy(&drafts->wanted);
    pthread_cond_destroy(&drafts->done);
    release(drafts, som_text_str(&drafts->owner), drafts->lock);
    for (int i = 0; i < drafts->others.count; i++) {
        release(drafts, som_text_str(&drafts->others.data[i].owner), drafts->others.data[i].lock);
        som_text_free(&drafts->others.data[i].owner);
    }
    for (int i = 0; i < drafts->slots.count; i++) {
        som_text_free(&drafts->slots.data[i].content);
    }
    som_array_free(&drafts->others);
    som_array_free(&drafts->slots);
    som_array_free(&drafts->forgotten);
    som_text_free(&drafts->failure);
    som_text_free(&drafts->folder);
    som_text_free(&drafts->owner);
    som_free(drafts);
}

// ---- keeping

int som_drafts_open(SomDrafts *drafts) {
    pthread_mutex_lock(&drafts->mutex);
    int slot = 0;
    while (slot < drafts->slots.count && drafts->slots.data[slot].is_open) {
        slot++;
    }
    if (slot == drafts->slots.count) {
        som_array_push(&drafts->slots, ((Slot){0}));
    }
    drafts->slots.data[slot].is_open = true;
    pthread_mutex_unlock(&drafts->mutex);
    return slot;
}

void som_drafts_keep(SomDrafts *drafts, int slot, const SomDraft *draft) {
    SomText content = {0};
    som_draft_write(draft, &content);
    pthread_mutex_lock(&drafts->mutex);
    Slot *kept = &drafts->slots.data[slot];
    if (!kept->is_waiting) { // a later change does not put it off
        clock_gettime(CLOCK_MONOTONIC, &kept->due);
        kept->due.tv_nsec += DELAY * 1000000L;
        kept->due.tv_sec += kept->due.tv_nsec / 1000000000L;
        kept->due.tv_nsec %= 1000000000L;
    }
    som_text_free(&kept->content);
    kept->content = content;
    kept->is_waiting = true;
    kept->is_dropped = false;
    pthread_cond_signal(&drafts->wanted);
    pthread_mutex_unlock(&drafts->mutex);
}

static void drop(SomDrafts *drafts, int slot, bool is_closed) {
    pthread_mutex_lock(&drafts->mutex);
    Slot *dropped = &drafts->slots.data[slot];
    som_text_clear(&dropped->content);
    dropped->is_waiting = false;
    dropped->is_dropped = true;
    dropped->is_open = !is_closed;
    pthread_cond_signal(&drafts->wanted);
    pthread_mutex_unlock(&drafts->mutex);
}

void som_drafts_drop(SomDrafts *drafts, int slot) {
    drop(drafts, slot, false);
}

void som_drafts_close(SomDrafts *drafts, int slot) {
    drop(drafts, slot, true);
}

static bool is_idle(const SomDrafts *drafts) {
    bool is_waiting = drafts->is_busy || drafts->forgotten.count > 0;
    for (int i = 0; i < drafts->slots.count; i++) {
        const Slot *slot = &drafts->slots.data[i];
        is_waiting = is_waiting || slot->is_waiting || slot->is_dropped;
    }
    return !is_waiting;
}

void som_drafts_settle(SomDrafts *drafts) {
    pthread_mutex_lock(&drafts->mutex);
    while (!is_idle(drafts)) {
        drafts->is_hurried = true;
        pthread_cond_signal(&drafts->wanted);
        pthread_cond_wait(&drafts->done, &drafts->mutex);
    }
    pthread_mutex_unlock(&drafts->mutex);
}

bool som_drafts_has_failed(SomDrafts *drafts, SomText *words) {
    pthread_mutex_lock(&drafts->mutex);
    bool has_failed = drafts->failure.length > 0;
    if (has_failed) {
        som_text_clear(words);
        som_text_add(words, som_text_str(&drafts->failure));
        som_text_clear(&drafts->failure);
    }
    pthread_mutex_unlock(&drafts->mutex);
    return has_failed;
}

void som_drafts_forget(SomDrafts *drafts, SomStr file) {
    SomText path = {0};
    som_text_add(&path, file);
    pthread_mutex_lock(&drafts->mutex);
    som_array_push(&drafts->forgotten, path);
    pthread_cond_signal(&drafts->wanted);
    pthread_mutex_unlock(&drafts->mutex);
}

// ---- finding

typedef struct Search {
    SomDrafts *drafts;
    SomArena *arena;
    SOM_ARRAY(SomDraft) found;
    SomDiagnostics *diags;
} Search;

static int list(const SomDrafts *drafts, const char *ending, SomArena *arena,
                const SomStr **names) {
    SomDiagnostics *diags = som_diagnostics_create(); // a folder that is gone has none
    int count = som_file_list(drafts->folder.data, som_str(ending), arena, names, diags);
    som_diagnostics_destroy(diags);
    return count > 0 ? count : 0;
}

static bool has_drafts(const SomDrafts *drafts, SomStr owner) {
    SomArena arena = {0};
    const SomStr *names;
    int count = list(drafts, ".draft", &arena, &names);
    bool has_one = false;
    for (int i = 0; i < count; i++) {
        has_one = has_one || som_str_equal(owner_of(names[i]), owner);
    }
    som_arena_free(&arena);
    return has_one;
}

static void put_aside(const char *path, SomDiagnostics *diags) {
    SomText aside = {0};
    som_text_printf(&aside, "%s.damaged", path);
    som_file_move(path, aside.data, diags);
    som_text_free(&aside);
}

static void read_draft(Search *search, SomStr name) {
    SomText path = {0}, content = {0};
    som_path_join(&path, som_text_str(&search->drafts->folder), name);
    if (som_file_load(path.data, SOM_FILE_LIMIT * 3, &content, search->diags)) {
        SomStr kept = som_arena_copy(search->arena, som_text_str(&content));
        SomStr file = som_arena_copy(search->arena, som_text_str(&path));
        uint32_t source1 = som_diagnostics_add_source(search->diags, file, kept);
        SomDraft draft;
        if (som_draft_read(kept, source1, &draft, search->diags)) {
            draft.file = file;
            som_array_push(&search->found, draft);
        } else {
            put_aside(path.data, search->diags);
        }
    }
    som_text_free(&content);
    som_text_free(&path);
}

// If nobody holds the lock of an owner, we do from now on.
static void read_of_owner(Search *search, SomStr owner, const SomStr *names, int count) {
    SomText path = {0};
    name_file(search->drafts, owner, ".lock", &path);
    int lock = som_file_lock(path.data);
    som_text_free(&path);
    if (lock < 0) {
        return;
    }
    int before = search->found.count;
    for (int i = 0; i < count; i++) {
        if (som_str_equal(owner_of(names[i]), owner)) {
            read_draft(search, names[i]);
        }
    }
    if (search->found.count > before) {
        Other other = {.lock = lock};
        som_text_add(&other.owner, owner);
        som_array_push(&search->drafts->others, other);
    } else {
        release(search->drafts, owner, lock);
    }
}

static bool is_among(SomStr name, const SomStr *names, int count) {
    for (int i = 0; i < count; i++) {
        if (som_str_equal(names[i], name)) {
            return true;
        }
    }
    return false;
}

// Of all that have a lock or a draft, each once.
static int list_owners(const SomDrafts *drafts, const SomStr *names, int count, SomArena *arena,
                       SomStr **owners) {
    const SomStr *locks;
    int lock_count = list(drafts, ".lock", arena, &locks), owner_count = 0;
    *owners = som_arena_new(arena, SomStr, count + lock_count);
    for (int i = 0; i < lock_count; i++) {
        (*owners)[owner_count++] = som_path_stem(locks[i]);
    }
    for (int i = 0; i < count; i++) {
        SomStr owner = owner_of(names[i]);
        if (owner.length > 0 && !is_among(owner, *owners, owner_count)) {
            (*owners)[owner_count++] = owner;
        }
    }
    return owner_count;
}

static int compare_drafts(const void *left, const void *right) {
    const SomDraft *a = left, *b = right;
    return a->time != b->time ? (a->time < b->time ? 1 : -1) : som_str_compare(a->file, b->file);
}

int som_drafts_find(SomDrafts *drafts, SomArena *arena, const SomDraft **found,
                    SomDiagnostics *diags) {
    Search search = {.drafts = drafts, .arena = arena, .diags = diags};
    const SomStr *names;
    SomStr *owners;
    int count = list(drafts, ".draft", arena, &names);
    int owner_count = list_owners(drafts, names, count, arena, &owners);
    for (int i = 0; i < owner_count; i++) {
        read_of_owner(&search, owners[i], names, count);
    }
    count = search.found.count;
    SomDraft *kept = som_arena_new(arena, SomDraft, count);
    for (int i = 0; i < count; i++) {
        kept[i] = search.found.data[i];
    }
    qsort(kept, (size_t)count, sizeof *kept, compare_drafts);
    *found = kept;
    som_array_free(&search.found);
    return count;
}
