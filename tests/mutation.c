// SPDX-License-Identifier: Apache-2.0

#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include "tests/mutation.h"

#include "base/file.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_SECONDS 10             // of the processor, of one case
#define MAX_KILOBYTES (768 * 1024) // that one case adds to the largest before it
#define MAX_FAILURES 10            // after which no more are looked for

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#include <sanitizer/lsan_interface.h>
#endif
#endif

// Shared with the process that runs the cases.
typedef struct State {
    int index;
    int failures;
} State;

// ---- one case

static SomTestRandom random_of(const SomMutation *m, int index) {
    uint64_t hash = 14695981039346656037u; // FNV-1a of the name
    for (const char *c = m->name; *c != '\0'; c++) {
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    }
    SomTestRandom random = {hash + (uint64_t)index};
    som_test_bits(&random);
    return random;
}

// The input is below build/mutation, named after the case.
static void report_failure(const SomMutation *m, int index, const char *problem) {
    SomTestRandom random = random_of(m, index);
    SomText input = {0}, origin = {0}, path = {0};
    m->make(m->context, &random, &input, &origin);
    mkdir(SOM_BUILD "/mutation", 0777);
    som_text_printf(&path, "%s/mutation/%s-%d", SOM_BUILD, m->name, index);
    for (char *c = path.data + strlen(SOM_BUILD); *c != '\0'; c++) {
        *c = *c == ' ' ? '_' : *c;
    }
    FILE *file = fopen(path.data, "wb");
    if (file != NULL) {
        fwrite(som_text_str(&input).data, 1, input.length, file);
        fclose(file);
    }
    fprintf(stderr, "SOM_MUTATION='%s:%d' (%s), saved as %s:\n%s\n", m->name, index,
            som_text_str(&origin).data, path.data, problem);
    som_text_free(&input);
    som_text_free(&origin);
    som_text_free(&path);
}

static void limit_time(int seconds) {
    struct itimerval timer = {.it_value.tv_sec = seconds};
    setitimer(ITIMER_PROF, &timer, NULL); // the signal ends the process
}

static long largest_kilobytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void run_case(const SomMutation *m, int index, State *state) {
    SomTestRandom random = random_of(m, index);
    SomText input = {0}, origin = {0}, problem = {0};
    long before = largest_kilobytes();
    limit_time(MAX_SECONDS);
    m->make(m->context, &random, &input, &origin);
    m->run(m->context, &random, som_text_str(&input), &problem);
    limit_time(0);
    long added = largest_kilobytes() - before;
    if (problem.length == 0 && added > MAX_KILOBYTES) {
        som_text_printf(&problem, "took %ld MB of memory", added / 1024);
    }
    if (problem.length > 0) {
        report_failure(m, index, problem.data);
        state->failures++;
    }
    som_text_free(&input);
    som_text_free(&origin);
    som_text_free(&problem);
}

// ---- all cases

static void run_cases(const SomMutation *m, int begin, int end, State *state) {
    signal(SIGPROF, SIG_DFL);
    for (int i = begin; i < end && state->failures < MAX_FAILURES; i++) {
        state->index = i;
        run_case(m, i, state);
    }
    state->index = end;
#ifdef HAS_SANITIZER
    __lsan_do_leak_check(); // ends the process if there is a leak
#endif
    _exit(EXIT_SUCCESS);
}

static void report_end(const SomMutation *m, int status, State *state) {
    char words[100];
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) {
        snprintf(words, sizeof words, "took more than %d s", MAX_SECONDS);
    } else if (WIFSIGNALED(status)) {
        snprintf(words, sizeof words, "ended by signal %d", WTERMSIG(status));
    } else {
        snprintf(words, sizeof words, "ended with %d, see above", WEXITSTATUS(status));
    }
    state->failures++;
    if (state->index < m->count) {
        report_failure(m, state->index, words);
    } else {
        fprintf(stderr, "%s: memory of a case leaked, see above\n", m->name);
    }
}

// The one case that the environment asks for; -1: all.
static int find_wanted(const SomMutation *m) {
    const char *wanted = getenv("SOM_MUTATION");
    size_t length = strlen(m->name);
    bool is_own = wanted != NULL && strncmp(wanted, m->name, length) == 0 && wanted[length] == ':';
    return is_own ? atoi(wanted + length + 1) : wanted != NULL ? m->count : -1;
}

int som_test_run_mutations(const SomMutation *m) {
    State *state =
        mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(state != MAP_FAILED);
    int wanted = find_wanted(m);
    int begin = wanted >= 0 ? wanted : 0;
    int end = wanted >= 0 && wanted < m->count ? wanted + 1 : m->count;
    while (begin < end && state->failures < MAX_FAILURES) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            run_cases(m, begin, end, state);
        }
        int status = 0;
        ck_assert(child > 0 && waitpid(child, &status, 0) == child);
        if (status != 0) {
            report_end(m, status, state);
        }
        begin = state->index + 1;
    }
    int failures = state->failures;
    munmap(state, sizeof *state);
    if (failures >= MAX_FAILURES) {
        fprintf(stderr, "%s: no more cases were tried\n", m->name);
    }
    return failures;
}

// ---- seeds

SomText som_test_seed_text(const char *path) {
    SomText full = {0}, text = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    som_text_printf(&full, "%s/%s", SOM_SOURCE, path);
    ck_assert_msg(som_file_load(full.data, SOM_FILE_LIMIT, &text, diags), "%s", full.data);
    som_diagnostics_destroy(diags);
    som_text_free(&full);
    return text;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(a, b);
}

int som_test_seed_names(const char *folder, const char *ending, char (*names)[128], int capacity) {
    SomText full = {0};
    som_text_printf(&full, "%s/%s", SOM_SOURCE, folder);
    DIR *open = opendir(full.data);
    ck_assert_msg(open != NULL, "%s", full.data);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(open)) != NULL;) {
        SomStr name = som_str(entry->d_name);
        if (name.data[0] != '.' && som_str_ends_with(name, som_str(ending))) {
            ck_assert_int_lt(count, capacity);
            ck_assert_uint_lt(name.length, sizeof names[0]);
            memcpy(names[count++], name.data, name.length + 1);
        }
    }
    closedir(open);
    som_text_free(&full);
    qsort(names, (size_t)count, sizeof names[0], compare_names);
    return count;
}
