// SPDX-License-Identifier: Apache-2.0
#include "studio/timeline_actions.h"

SomTimelineEnd som_timeline_end_of(SomEndReason reason) {
    switch (reason) {
    case SOM_END_NOT_YET:
        return SOM_TIMELINE_RUNNING;
    case SOM_END_TIMEOUT:
        return SOM_TIMELINE_TIMED_OUT;
    case SOM_END_CANCELLED:
        return SOM_TIMELINE_CUT_OFF;
    case SOM_END_DONE:
    case SOM_END_DURATION:
    case SOM_END_REASONS:
        break;
    }
    return SOM_TIMELINE_PLANNED;
}

SomStr som_timeline_shorten(SomStr words, SomStr around) {
    size_t end = around.length;
    while (end > 0 && around.data[end - 1] != '.') {
        end--;
    }
    bool is_inside = som_str_starts_with(words, som_str_slice(around, 0, end));
    return is_inside ? som_str_slice(words, end, words.length) : words;
}
