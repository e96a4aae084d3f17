// SPDX-License-Identifier: Apache-2.0
#include "tests/studio/ui_stall.h"

#include "tests/suite.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

// Of the thread, seconds.
typedef struct Clocks {
    double wall;
    double work;  // on a processor
    double delay; // waiting for one
} Clocks;

struct SomStall {
    GdkFrameClock *clock;
    gulong before, after; // handlers of its signals
    int schedule;         // file in which the kernel tells the delay
    Clocks begun, painting;
    double idle; // since `begun`, of painting
    double worst, worst_work;
};

static SomStall *watched; // a poll function of GLib gets no context

static double seconds(clockid_t id) {
    struct timespec now;
    clock_gettime(id, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// Where the kernel does not tell the delay, all that is no work counts as one.
static Clocks look(const SomStall *stall) {
    Clocks now = {.wall = seconds(CLOCK_MONOTONIC), .work = seconds(CLOCK_THREAD_CPUTIME_ID)};
    char line[80] = {0};
    unsigned long long ran, delayed;
    ssize_t count = stall->schedule < 0 ? 0 : pread(stall->schedule, line, sizeof line - 1, 0);
    bool is_told = count > 0 && sscanf(line, "%llu %llu", &ran, &delayed) == 2;
    now.delay = is_told ? (double)delayed * 1e-9 : now.wall - now.work;
    return now;
}

// Neither working nor waiting for a processor.
static double idle_between(const Clocks *from, const Clocks *to) {
    double idle = (to->wall - from->wall) - (to->work - from->work) - (to->delay - from->delay);
    return idle > 0 ? idle : 0;
}

static void on_paint(GdkFrameClock *clock, SomStall *stall) {
    (void)clock;
    stall->painting = look(stall);
}

static void on_painted(GdkFrameClock *clock, SomStall *stall) {
    (void)clock;
    Clocks now = look(stall);
    stall->idle += idle_between(&stall->painting, &now);
}

static int watch_poll(GPollFD *files, guint count, int timeout) {
    SomStall *stall = watched;
    Clocks now = look(stall);
    double length = (now.wall - stall->begun.wall) - (now.delay - stall->begun.delay) - stall->idle;
    double work = now.work - stall->begun.work;
    stall->worst = length > stall->worst ? length : stall->worst;
    stall->worst_work = work > stall->worst_work ? work : stall->worst_work;
    int ready = g_poll(files, count, timeout);
    stall->begun = look(stall);
    stall->idle = 0;
    return ready;
}

SomStall *som_stall_watch(SomWindow *window) {
    ck_assert_ptr_null(watched);
    SomStall *stall = g_new0(SomStall, 1);
    stall->schedule = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    stall->clock = g_object_ref(gtk_widget_get_frame_clock(GTK_WIDGET(window)));
    stall->before = g_signal_connect(stall->clock, "before-paint", G_CALLBACK(on_paint), stall);
    stall->after = g_signal_connect(stall->clock, "after-paint", G_CALLBACK(on_painted), stall);
    stall->begun = stall->painting = look(stall);
    watched = stall;
    g_main_context_set_poll_func(NULL, watch_poll);
    return stall;
}

double som_stall_work(const SomStall *stall) {
    return stall->worst_work;
}

double som_stall_end(SomStall *stall) {
    double worst = stall->worst;
    g_printerr("# longest wait: %.0f ms, longest work: %.0f ms\n", worst * 1e3,
               stall->worst_work * 1e3);
    g_main_context_set_poll_func(NULL, NULL);
    watched = NULL;
    g_signal_handler_disconnect(stall->clock, stall->before);
    g_signal_handler_disconnect(stall->clock, stall->after);
    g_object_unref(stall->clock);
    if (stall->schedule >= 0) {
        close(stall->schedule);
    }
    g_free(stall);
    return worst;
}
