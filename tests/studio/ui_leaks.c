// SPDX-License-Identifier: Apache-2.0
// GLib gives up its table of quarks when it makes a larger one, without freeing it, so that others
// may still read it. A program with some thousand names does that once; the sanitizer is told that
// the first table is known.

#define _GNU_SOURCE // for dl_iterate_phdr

#include "tests/studio/ui.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER
#endif
#endif

#ifdef HAS_SANITIZER

#include <link.h>
#include <sanitizer/allocator_interface.h>
#include <sanitizer/lsan_interface.h>

#define TABLE_SIZE (2048 * sizeof(char *)) // of the first one

static int ignore_tables(struct dl_phdr_info *library, size_t size, void *context) {
    (void)size, (void)context;
    if (strstr(library->dlpi_name, "libglib-2.0") == NULL) {
        return 0;
    }
    for (int i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &library->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) == 0) {
            continue;
        }
        const void *const *words = (const void *const *)(library->dlpi_addr + segment->p_vaddr);
        for (size_t k = 0; k < segment->p_memsz / sizeof *words; k++) {
            if (words[k] != NULL && __sanitizer_get_ownership(words[k]) &&
                __sanitizer_get_allocated_size(words[k]) == TABLE_SIZE) {
                __lsan_ignore_object(words[k]);
            }
        }
    }
    return 0;
}

void som_ui_ignore_quarks(void) {
    dl_iterate_phdr(ignore_tables, NULL);
}

#else

void som_ui_ignore_quarks(void) {
}

#endif
