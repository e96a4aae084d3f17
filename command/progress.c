// SPDX-License-Identifier: Apache-2.0
#include "command/progress.h"

#include <stdio.h>
#include <unistd.h>

bool som_progress_is_watched(void) {
    return isatty(2) == 1;
}

void som_progress_show(SomStr line) {
    fprintf(stderr, "\r%.*s\x1b[K", SOM_STR_ARG(line));
}

void som_progress_clear(void) {
    fprintf(stderr, "\r\x1b[K");
}
