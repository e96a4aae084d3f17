// SPDX-License-Identifier: Apache-2.0
#include "studio/text_edit.h"

static bool is_inside_character(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

SomTextChange som_text_change(SomStr old, SomStr now) {
    size_t shorter = old.length < now.length ? old.length : now.length;
    size_t begin = 0, end = 0;
    while (begin < shorter && old.data[begin] == now.data[begin]) {
        begin++;
    }
    while (begin > 0 && ((begin < old.length && is_inside_character(old.data[begin])) ||
                         (begin < now.length && is_inside_character(now.data[begin])))) {
        begin--;
    }
    while (end < shorter - begin &&
           old.data[old.length - 1 - end] == now.data[now.length - 1 - end]) {
        end++;
    }
    while (end > 0 && is_inside_character(old.data[old.length - end])) {
        end--;
    }
    return (SomTextChange){begin, old.length - begin - end, now.length - begin - end};
}

bool som_text_merge(SomStr base, SomStr typed, SomStr other, SomText *out) {
    SomTextChange a = som_text_change(base, typed), b = som_text_change(base, other);
    bool is_before = a.at + a.removed <= b.at;
    if (!is_before && b.at + b.removed > a.at) {
        return false;
    }
    // the text of the other, with the own change where its place is now
    size_t at = is_before ? a.at : a.at + b.added - b.removed;
    som_text_add(out, som_str_slice(other, 0, at));
    som_text_add(out, som_str_slice(typed, a.at, a.at + a.added));
    som_text_add(out, som_str_slice(other, at + a.removed, other.length));
    return true;
}

void som_typed_step_end(SomTypedStep *step) {
    *step = (SomTypedStep){0};
}

// A change of more than a line, or one that both adds and removes, stands alone.
bool som_typed_step_take(SomTypedStep *step, SomStr old, SomStr now) {
    SomTextChange change = som_text_change(old, now);
    bool removes = change.removed > 0;
    bool has_line =
        (change.added > 0 && memchr(now.data + change.at, '\n', change.added) != NULL) ||
        (removes && memchr(old.data + change.at, '\n', change.removed) != NULL);
    bool is_simple = !has_line && !(removes && change.added > 0);
    // the same letters may be told apart in several ways: "aa" to "aaa"
    size_t last = change.at + change.removed;
    bool is_near = removes ? step->end >= change.at && step->end <= last + 1
                           : step->end >= change.at && step->end <= change.at + change.added;
    bool goes_on = step->has_begun && is_simple && step->removes == removes && is_near;
    *step = (SomTypedStep){.has_begun = is_simple,
                           .removes = removes,
                           .end = removes ? change.at : change.at + change.added};
    return goes_on;
}
