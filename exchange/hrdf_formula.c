// SPDX-License-Identifier: Apache-2.0
// Numbers of HRDF: FORMAT.md and GRAMMAR.md of HebiRobotics/hebi-hrdf, version 1.6.0.

#include "base/number.h"
#include "exchange/hrdf_internal.h"
#include "space/trigonometry.h"

#include <math.h>

#define MAX_DEPTH 50

typedef struct Formula {
    SomStr text;
    size_t at;
    int depth;
    bool is_bad;
} Formula;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static char peek(Formula *f) {
    while (f->at < f->text.length && is_blank(f->text.data[f->at])) {
        f->at++;
    }
    return f->at < f->text.length ? f->text.data[f->at] : '\0';
}

static bool take(Formula *f, char c) {
    bool is_there = peek(f) == c;
    f->at += is_there;
    return is_there;
}

static bool take_word(Formula *f, const char *word) {
    peek(f);
    SomStr rest = som_str_slice(f->text, f->at, f->text.length);
    bool is_there = som_str_starts_with(rest, som_str(word));
    f->at += is_there ? strlen(word) : 0;
    return is_there;
}

static double read_sum(Formula *f);

static double read_primary(Formula *f) {
    if (take(f, '(')) {
        double value = read_sum(f);
        f->is_bad = f->is_bad || !take(f, ')');
        return value;
    }
    if (take_word(f, "pi")) {
        return SOM_PI;
    }
    double value = 0;
    char c = peek(f);
    bool is_number = (c >= '0' && c <= '9') || c == '.';
    SomStr rest = som_str_slice(f->text, f->at, f->text.length);
    size_t length = is_number ? som_number_read(rest, &value) : 0;
    f->is_bad = f->is_bad || length == 0;
    f->at += length;
    return value;
}

static double read_signed(Formula *f) {
    double sign = 1;
    while (peek(f) == '+' || peek(f) == '-') {
        sign = peek(f) == '-' ? -sign : sign;
        f->at++;
    }
    return sign * read_primary(f);
}

static double read_product(Formula *f) {
    double value = read_signed(f);
    while (!f->is_bad && (peek(f) == '*' || peek(f) == '/')) {
        bool is_product = peek(f) == '*';
        f->at++;
        double next = read_signed(f);
        value = is_product ? value * next : value / next;
    }
    return value;
}

static double read_sum(Formula *f) {
    f->is_bad = f->is_bad || ++f->depth > MAX_DEPTH;
    double value = f->is_bad ? 0 : read_product(f);
    while (!f->is_bad && (peek(f) == '+' || peek(f) == '-')) {
        bool is_sum = peek(f) == '+';
        f->at++;
        double next = read_product(f);
        value = is_sum ? value + next : value - next;
    }
    f->depth--;
    return value;
}

bool som_hrdf_number(SomStr text, double *value) {
    Formula f = {.text = text};
    *value = read_sum(&f);
    return !f.is_bad && peek(&f) == '\0' && f.at == text.length && isfinite(*value);
}

// Numbers with blanks between them.
static bool read_list(SomStr text, double *values, int count) {
    Formula f = {.text = text};
    for (int i = 0; i < count; i++) {
        peek(&f);
        size_t begin = f.at;
        while (f.at < text.length && !is_blank(text.data[f.at])) {
            f.at++;
        }
        if (!som_hrdf_number(som_str_slice(text, begin, f.at), &values[i])) {
            return false;
        }
    }
    peek(&f);
    return f.at == text.length;
}

bool som_hrdf_vector(SomStr text, SomVec3 *value) {
    double v[3];
    bool fine = read_list(text, v, 3);
    *value = fine ? som_vec3(v[0], v[1], v[2]) : som_vec3(0, 0, 0);
    return fine;
}

bool som_hrdf_rotation(SomStr text, SomMat3 *value) {
    Formula f = {.text = text};
    *value = som_mat3_identity();
    if (peek(&f) != 'R') {
        SomMat3 given;
        bool fine = read_list(text, &given.m[0][0], 9);
        SomMat3 near = som_rotation_normalise(given);
        for (int i = 0; i < 9 && fine; i++) { // nine numbers that are no rotation are a mistake
            fine = fabs(near.m[i / 3][i % 3] - given.m[i / 3][i % 3]) < 1e-3;
        }
        *value = fine ? near : *value;
        return fine;
    }
    do {
        char axis = take(&f, 'R') ? peek(&f) : '\0';
        f.at++;
        f.is_bad = f.is_bad || !(axis >= 'x' && axis <= 'z') || !take(&f, '(');
        double angle = f.is_bad ? 0 : read_sum(&f);
        f.is_bad = f.is_bad || !take(&f, ')') || !isfinite(angle);
        SomMat3 turn = f.is_bad      ? som_mat3_identity()
                       : axis == 'x' ? som_rotation_x(angle)
                       : axis == 'y' ? som_rotation_y(angle)
                                     : som_rotation_z(angle);
        *value = som_mat3_multiply(*value, turn);
    } while (!f.is_bad && take(&f, '*'));
    return !f.is_bad && peek(&f) == '\0' && f.at == text.length;
}
