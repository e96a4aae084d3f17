// base/name_list.h - names in a message, cut after a few: "'a', 'b', 'c' (and 65 more)".
//
//     SomNameList list = {.out = &text};
//     for (...) {
//         som_name_list_add(&list, "'%s'", name);
//     }
//     som_name_list_end(&list);
//
// Every message that lists names of a user goes through it, so that the phrase is one and a robot
// with 70 links does not print 70 names.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

// The one phrase for what is counted, not listed; takes an int.
#define SOM_AND_MORE "(and %d more)"

#define SOM_LISTED_NAMES 3 // default of `max`

typedef struct SomNameList {
    SomText *out;
    int max; // names that are printed; 0: SOM_LISTED_NAMES. More for choices that a user has
    int count;
} SomNameList;

// Prints a name, after ", " if it is not the first, or only counts it.
__attribute__((format(printf, 2, 3))) void som_name_list_add(SomNameList *list, const char *format,
                                                             ...);

// Adds " (and 3 more)", if more is above 0.
void som_text_add_more(SomText *out, int more);

// Adds that if names were only counted.
void som_name_list_end(const SomNameList *list);

#ifdef __cplusplus
}
#endif
