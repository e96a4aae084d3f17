// SPDX-License-Identifier: Apache-2.0
#include "base/str.h"

// Longer names are never offered as a correction: nobody mistypes one by two letters and is helped.
#define LONGEST_NAME 64

int som_str_compare(SomStr a, SomStr b) {
    size_t shorter = a.length < b.length ? a.length : b.length;
    int order = shorter > 0 ? memcmp(a.data, b.data, shorter) : 0;
    return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

bool som_str_starts_with(SomStr text, SomStr prefix) {
    return text.length >= prefix.length &&
           som_str_equal(som_str_slice(text, 0, prefix.length), prefix);
}

bool som_str_ends_with(SomStr text, SomStr suffix) {
    return text.length >= suffix.length &&
           som_str_equal(som_str_slice(text, text.length - suffix.length, text.length), suffix);
}

static char lower(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

bool som_str_equal_any_case(SomStr a, SomStr b) {
    size_t same = 0;
    while (same < a.length && same < b.length && lower(a.data[same]) == lower(b.data[same])) {
        same++;
    }
    return a.length == b.length && same == a.length;
}

bool som_str_next_word(SomStr *rest, SomStr *word) {
    size_t begin = 0;
    while (begin < rest->length && rest->data[begin] == ' ') {
        begin++;
    }
    size_t end = begin;
    while (end < rest->length && rest->data[end] != ' ') {
        end++;
    }
    *word = som_str_slice(*rest, begin, end);
    *rest = som_str_slice(*rest, end, rest->length);
    return word->length > 0;
}

SomStr som_str_slice(SomStr text, size_t begin, size_t end) {
    end = end < text.length ? end : text.length;
    begin = begin < end ? begin : end;
    return (SomStr){text.length > 0 ? text.data + begin : text.data, end - begin};
}

static int min(int a, int b) {
    return a < b ? a : b;
}

// Damerau's distance (optimal string alignment), by rows; both lengths are at most LONGEST_NAME.
static int edit_distance(SomStr a, SomStr b) {
    int rows[3][LONGEST_NAME + 1];
    int *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b.length; j++) {
        last[j] = (int)j;
    }
    for (size_t i = 1; i <= a.length; i++) {
        row[0] = (int)i;
        for (size_t j = 1; j <= b.length; j++) {
            int replaced = last[j - 1] + (a.data[i - 1] != b.data[j - 1]);
            row[j] = min(replaced, min(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] &&
                a.data[i - 2] == b.data[j - 1]) {
                row[j] = min(row[j], before[j - 2] + 1);
            }
        }
        int *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[b.length];
}

int som_str_find_nearest(SomStr wrong, const SomStr *names, int count) {
    int best = -1;
    int best_distance = 3;
    if (wrong.length > LONGEST_NAME) {
        return -1;
    }
    for (int i = 0; i < count; i++) {
        if (names[i].length > LONGEST_NAME) {
            continue;
        }
        int distance = edit_distance(wrong, names[i]);
        if (distance < best_distance && 3 * (size_t)distance <= names[i].length) {
            best = i;
            best_distance = distance;
        }
    }
    return best;
}
