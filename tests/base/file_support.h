// tests/base/file_support.h - system calls that fail when a test tells them to, and a folder of its
// own for each test of base/file.c.
//
//     som_enter_folder();
//     som_put("a", "old");
//     som_faults = (SomFaults){.call = "write", .which = 2, .error = ENOSPC};
//     ck_assert(!som_file_save("a", SOM_STR("new"), som_file_diags));
//     ck_assert_str_eq(som_content_of("a"), "old");
//     som_leave_folder();

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file.h"

#include <sys/types.h>

#define SOM_DEADLY (-1)

typedef struct SomFaults {
    const char *call;          // NULL: none; "any": every call that is led through here
    int which;                 // the n-th from now, counting from 1
    int error;                 // SOM_DEADLY: the process is killed before the call
    bool renamed;              // set by every rename that happens
    bool late;                 // whether the last fault came after it
    size_t piece;              // reads and writes are cut to so many bytes, and every other one is
    bool interrupted;          // interrupted; 0: they are not
    void (*before_read)(void); // called once before the next read
} SomFaults;

extern SomFaults som_faults;

// Of the folder that was entered.
extern SomDiagnostics *som_file_diags;

// Its path.
const char *som_enter_folder(void);
void som_leave_folder(void);

// What was reported since the last call.
const char *som_reports(void);

void som_put(const char *path, const char *content);
const char *som_content_of(const char *path); // NULL if there is none
int som_count_files(const char *path);

ssize_t __real_write(int file, const void *data, size_t size);
