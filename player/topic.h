// player/topic.h - names of topics: of what a robot is called, what a transport takes.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// "/model/NAME/somite/WHAT", where all of NAME but letters, digits, '_', '-' and '.' has become
// '_'. Writes it with a terminator, as far as it fits; returns the length without it, as snprintf
// does. `buffer` may be NULL if `size` is 0.
size_t som_topic_write(const char *model, const char *what, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
