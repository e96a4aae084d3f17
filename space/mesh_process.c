// SPDX-License-Identifier: Apache-2.0
// Formats that assimp reads, in a child process. On damaged files assimp 5.2.5 crashes, recurses
// without end and asks for gigabytes (a minute of mutated COLLADA files is enough to see it all),
// and no check beforehand can know them all. A child with limits turns each of these into a
// diagnostic.
//
// The child inherits the bytes, builds the mesh and sends it through a pipe. It calls nothing of
// the process around it and ends with _exit, so it may also be forked off a program with threads
// and windows; should it then wait for a lock that no thread is left to open, an alarm ends it.

#include "base/codes/space_codes.h"
#include "space/mesh_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// What the child may use: so much, and so much more for each byte of the file. COLLADA takes 7
// bytes a byte and 0.02 seconds a megabyte, glTF less.
#define BASE_MEMORY ((rlim_t)256 << 20)
#define MEMORY_PER_BYTE 8
#define MOST_MEMORY ((rlim_t)1536 << 20)
#define BASE_SECONDS 2
#define BYTES_PER_SECOND (4 << 20)

// The first bytes through the pipe; the vertices and triangles follow.
typedef struct Answer {
    uint32_t mark;
    int32_t vertex_count;
    int32_t triangle_count;
    int32_t dropped;
    int32_t has_color;
    double color[4];
    SomMeshComplaint complaint;
} Answer;

#define ANSWER_MARK 0x534F4D4Du

static bool write_all(int pipe_end, const void *data, size_t size) {
    for (const char *at = data; size > 0;) {
        ssize_t written = write(pipe_end, at, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        at += written;
        size -= (size_t)written;
    }
    return true;
}

static bool read_all(int pipe_end, void *data, size_t size) {
    for (char *at = data; size > 0;) {
        ssize_t got = read(pipe_end, at, size);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        at += got;
        size -= (size_t)got;
    }
    return true;
}

// Address space in use. Limits come on top of it, since a window, GL or a sanitizer may have mapped
// more than any limit before the fork.
static rlim_t mapped_bytes(void) {
    char text[64];
    int statm = open("/proc/self/statm", O_RDONLY);
    ssize_t length = statm >= 0 ? read(statm, text, sizeof text) : 0;
    rlim_t pages = 0;
    for (ssize_t i = 0; i < length && '0' <= text[i] && text[i] <= '9'; i++) {
        pages = 10 * pages + (rlim_t)(text[i] - '0');
    }
    if (statm >= 0) {
        close(statm);
    }
    return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void set_limit(int resource, rlim_t most) {
    struct rlimit limit = {0};
    getrlimit(resource, &limit);
    limit.rlim_cur = most < limit.rlim_max ? most : limit.rlim_max;
    setrlimit(resource, &limit);
}

// Of time, what was used counts in; waiting costs no processor time, hence the alarm.
void som_mesh_grant(size_t bytes) {
    unsigned seconds = BASE_SECONDS + (unsigned)(bytes / BYTES_PER_SECOND);
    rlim_t memory = BASE_MEMORY + MEMORY_PER_BYTE * (rlim_t)bytes;
    set_limit(RLIMIT_CPU, seconds);
    set_limit(RLIMIT_AS, mapped_bytes() + (memory < MOST_MEMORY ? memory : MOST_MEMORY));
    alarm(4 * seconds);
}

// In the child: crashes are silent and final, and time and memory are bounded.
static void confine(size_t file_size) {
    for (int number = 1; number < 32; number++) {
        signal(number, SIG_DFL); // no handler of the process around may run here
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
    }
    set_limit(RLIMIT_CORE, 0);
    som_mesh_grant(file_size);
}

static void answer(SomMeshReader *reader, int pipe_end) {
    bool good = som_mesh_import_scene(reader);
    Answer head = {.mark = ANSWER_MARK, .complaint = reader->complaint};
    if (!good) {
        write_all(pipe_end, &head, sizeof head);
        return;
    }
    head.vertex_count = reader->vertices.count;
    head.triangle_count = reader->triangles.count / 3;
    head.dropped = reader->dropped;
    head.has_color = reader->has_color;
    memcpy(head.color, reader->color, sizeof head.color);
    if (write_all(pipe_end, &head, sizeof head) &&
        write_all(pipe_end, reader->vertices.data,
                  (size_t)reader->vertices.count * sizeof *reader->vertices.data)) {
        write_all(pipe_end, reader->triangles.data,
                  (size_t)reader->triangles.count * sizeof *reader->triangles.data);
    }
}

static bool is_known_code(SomCode code) {
    int count = 0;
    const SomCodeInfo *codes = som_codes(&count);
    for (int i = 0; i < count; i++) {
        if (codes[i].code == code) {
            return true;
        }
    }
    return code == SOM_NO_CODE;
}

// A child whose memory was overwritten may send anything.
static bool is_sound(const Answer *head, const SomMeshReader *reader) {
    int most = reader->options.max_triangles;
    return head->mark == ANSWER_MARK && 0 <= head->triangle_count && head->triangle_count <= most &&
           0 <= head->vertex_count && head->vertex_count <= 3 * most && head->dropped >= 0 &&
           is_known_code(head->complaint.code) &&
           memchr(head->complaint.text, 0, sizeof head->complaint.text) != NULL;
}

static bool is_sound_mesh(const SomMeshReader *reader) {
    for (int i = 0; i < reader->triangles.count; i++) {
        int32_t vertex = reader->triangles.data[i];
        if (vertex < 0 || vertex >= reader->vertices.count) {
            return false;
        }
    }
    for (int i = 0; i < reader->vertices.count; i++) {
        SomVec3 v = reader->vertices.data[i];
        if (!isfinite(v.x) || !isfinite(v.y) || !isfinite(v.z)) {
            return false;
        }
    }
    return true;
}

// Whether a whole and sound answer came, be it a mesh or a complaint.
static bool receive(SomMeshReader *reader, int pipe_end) {
    Answer head;
    if (!read_all(pipe_end, &head, sizeof head) || !is_sound(&head, reader)) {
        return false;
    }
    som_array_reserve(&reader->vertices, head.vertex_count);
    som_array_reserve(&reader->triangles, 3 * head.triangle_count);
    reader->vertices.count = head.vertex_count;
    reader->triangles.count = 3 * head.triangle_count;
    reader->dropped = head.dropped;
    reader->has_color = head.has_color != 0;
    memcpy(reader->color, head.color, sizeof head.color);
    reader->complaint = head.complaint;
    return read_all(pipe_end, reader->vertices.data,
                    (size_t)head.vertex_count * sizeof *reader->vertices.data) &&
           read_all(pipe_end, reader->triangles.data,
                    (size_t)(3 * head.triangle_count) * sizeof *reader->triangles.data) &&
           is_sound_mesh(reader);
}

static bool fail_as_process(SomMeshReader *reader, int status) {
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    const char *how = number == SIGXCPU || number == SIGKILL || number == SIGALRM
                          ? "it took too long"
                          : "it crashed";
    return som_mesh_fail(reader, SOM_MESH_READER_FAILED, SOM_MESH_NOWHERE,
                         "the mesh reader gave up on this file: %s", how);
}

// Makes the pipe, and keeps it out of programs that another thread may be starting.
static bool open_pipe(int ends[2]) {
    if (pipe(ends) != 0) {
        return false;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

static _Noreturn void run_child(SomMeshReader *reader, const int ends[2]) {
    // away from 0 to 2, which may have been free and are about to be replaced
    int pipe_end = fcntl(ends[1], F_DUPFD, 3);
    close(ends[0]);
    close(ends[1]);
    confine(reader->bytes.length);
    answer(reader, pipe_end);
    _exit(0);
}

static bool read_in_child(SomMeshReader *reader) {
    int ends[2];
    bool piped = open_pipe(ends);
    pid_t child = piped ? fork() : -1;
    if (child < 0) {
        som_mesh_fail(reader, SOM_MESH_READER_FAILED, SOM_MESH_NOWHERE,
                      "the mesh reader could not be started (error number %d)", errno);
        if (piped) {
            close(ends[0]);
            close(ends[1]);
        }
        return false;
    }
    if (child == 0) {
        run_child(reader, ends);
    }
    close(ends[1]);
    bool whole = receive(reader, ends[0]);
    close(ends[0]); // a child that is still writing ends here
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!whole) {
        return fail_as_process(reader, status);
    }
    return reader->complaint.code == SOM_NO_CODE;
}

bool som_mesh_read_other(SomMeshReader *reader) {
    return (reader->format != SOM_MESH_DAE || som_mesh_check_prolog(reader)) &&
           read_in_child(reader);
}
