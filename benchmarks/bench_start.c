// SPDX-License-Identifier: Apache-2.0
// The studio from its start to its first frame, on a display in memory and with GL in software:
// `somite-studio DESIGN --exit-after-startup`, milliseconds of the wall, the smallest of the runs.
// All are to take less than a second and a half. Where there is no Xvfb, or the studio was not
// built, there are no rows.

#include "base/file.h"
#include "benchmarks/bench.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double wall_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- a display

// Starts Xvfb, which says by a pipe what display it is, and makes that ours. 0 if it cannot.
static pid_t start_display(void) {
    int ends[2];
    if (pipe(ends) != 0) {
        return 0;
    }
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        if (dup2(ends[1], 3) == 3 && freopen("/dev/null", "w", stderr) != NULL) {
            execlp("Xvfb", "Xvfb", "-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten",
                   "tcp", "-noreset", (char *)NULL);
        }
        _exit(1);
    }
    close(ends[1]);
    char name[16] = ":";
    size_t length = 1; // it comes in pieces, with a line end behind
    while (length < sizeof name - 1 && read(ends[0], name + length, 1) == 1 &&
           name[length] != '\n') {
        length++;
    }
    close(ends[0]);
    bool is_told = name[length] == '\n';
    name[length] = '\0';
    setenv("DISPLAY", name, 1);
    return child > 0 && is_told ? child : 0;
}

static void stop_display(pid_t display) {
    kill(display, SIGTERM);
    waitpid(display, NULL, 0);
}

// ---- the studio

// Seconds; negative if it failed.
static double start_studio(const char *program, const char *design) {
    double begin = wall_now();
    pid_t child = fork();
    if (child == 0) {
        execl(program, program, "--exit-after-startup", design, (char *)NULL);
        _exit(1);
    }
    int status = 1;
    bool is_fine = child > 0 && waitpid(child, &status, 0) == child && status == 0;
    return is_fine ? wall_now() - begin : -1;
}

#define LIMIT 1500 // milliseconds
#define LIBRARY SOM_SOURCE "/library/configs/"

static const struct {
    const char *what;
    const char *design; // NULL: none
    int modules;
} starts[] = {{"empty", NULL, 0},
              {"chain3", LIBRARY "chain3.som", 3},
              {"walkbot", LIBRARY "walkbot.som", 18},
              {"snake", LIBRARY "snake.som", 18}};

void som_bench_start(SomBench *bench) {
    SomText program = {0};
    bool is_there = som_file_program_folder(&program);
    som_text_add(&program, SOM_STR("/../studio/somite-studio"));
    is_there = is_there && access(program.data, X_OK) == 0;
    static const char *const settings[][2] = {{"GDK_BACKEND", "x11"},
                                              {"GSK_RENDERER", "cairo"},
                                              {"LIBGL_ALWAYS_SOFTWARE", "1"},
                                              {"GSETTINGS_BACKEND", "memory"},
                                              {"GTK_A11Y", "none"}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        setenv(settings[i][0], settings[i][1], 1);
    }
    pid_t display = is_there ? start_display() : 0;
    double longest = -1;
    for (size_t i = 0; i < sizeof starts / sizeof *starts && display > 0; i++) {
        double best = -1;
        for (int run = 0; run < bench->runs; run++) {
            double seconds = start_studio(program.data, starts[i].design);
            best = best < 0 || (seconds >= 0 && seconds < best) ? seconds : best;
        }
        if (best >= 0) {
            som_bench_value(bench, starts[i].what, starts[i].modules, best, 1e3 * best, "ms");
            longest = best > longest ? best : longest;
        }
    }
    if (longest >= 0) {
        som_bench_target(bench, "longest", 0, 1e3 * longest, "ms", SOM_AT_MOST, LIMIT);
    }
    if (display > 0) {
        stop_display(display);
    }
    som_text_free(&program);
}
