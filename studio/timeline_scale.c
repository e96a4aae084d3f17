// SPDX-License-Identifier: Apache-2.0
#include "studio/timeline_scale.h"

#include <math.h>

#define PAGE 0.1 // of what is seen, before a time that a page is turned to

static double clamp(double value, double low, double high) {
    return fmin(fmax(value, low), high);
}

static void keep_inside(SomTimelineScale *s) {
    s->span = clamp(s->span, fmin(SOM_TIMELINE_LEAST_SPAN, s->duration), s->duration);
    s->left = clamp(s->left, 0, s->duration - s->span);
}

bool som_timeline_scale_is_whole(const SomTimelineScale *s) {
    return s->span >= s->duration;
}

void som_timeline_scale_set(SomTimelineScale *s, double duration, double width) {
    bool is_whole = som_timeline_scale_is_whole(s);
    s->duration = duration > 0 ? duration : 1; // an axis is there also where nothing is on it
    s->width = fmax(width, 1);
    s->span = is_whole ? s->duration : s->span;
    keep_inside(s);
}

void som_timeline_scale_fit(SomTimelineScale *s) {
    s->span = s->duration;
    keep_inside(s);
}

void som_timeline_scale_zoom(SomTimelineScale *s, double factor, double x) {
    double share = clamp(x / s->width, 0, 1), at = s->left + s->span * share;
    s->span /= factor;
    keep_inside(s);
    s->left = at - s->span * share;
    keep_inside(s);
}

void som_timeline_scale_shift(SomTimelineScale *s, double seconds) {
    s->left += seconds;
    keep_inside(s);
}

bool som_timeline_scale_reveal(SomTimelineScale *s, double time) {
    if (s->left <= time && time <= s->left + s->span) {
        return false;
    }
    s->left = time - PAGE * s->span;
    keep_inside(s);
    return true;
}

double som_timeline_x(const SomTimelineScale *s, double time) {
    return (time - s->left) / s->span * s->width;
}

double som_timeline_time(const SomTimelineScale *s, double x) {
    return clamp(s->left + x / s->width * s->span, 0, s->duration);
}

double som_timeline_pixel(const SomTimelineScale *s) {
    return s->span / s->width;
}
