// SPDX-License-Identifier: Apache-2.0

#include "tests/mutate.h"

#include "base/memory.h"

#define LONGEST 20000 // bytes, so that texts that grow stay small

typedef struct Piece {
    size_t begin, end;
} Piece;

static size_t choose(SomTestRandom *random, size_t count) {
    return count > 0 ? (size_t)(som_test_bits(random) % count) : 0;
}

// ---- pieces

static bool is_word(char c) {
    unsigned char u = (unsigned char)c;
    return (u >= '0' && u <= '9') || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || u == '_' ||
           u >= 0x80;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// The word, number or single character at a place.
static Piece token_at(SomStr text, size_t at) {
    Piece piece = {at, at + 1};
    if (at >= text.length || !is_word(text.data[at])) {
        return piece;
    }
    while (piece.begin > 0 && is_word(text.data[piece.begin - 1])) {
        piece.begin--;
    }
    while (piece.end < text.length && is_word(text.data[piece.end])) {
        piece.end++;
    }
    return piece;
}

// A number near a place, with its sign and exponent; empty if there is none after it.
static Piece number_after(SomStr text, size_t at) {
    while (at < text.length && !is_digit(text.data[at])) {
        at++;
    }
    Piece piece = {at, at};
    while (piece.begin > 0 &&
           (is_digit(text.data[piece.begin - 1]) || text.data[piece.begin - 1] == '.' ||
            text.data[piece.begin - 1] == '-')) {
        piece.begin--;
    }
    while (piece.end < text.length &&
           (is_digit(text.data[piece.end]) || text.data[piece.end] == '.' ||
            text.data[piece.end] == 'e')) {
        piece.end++;
    }
    return piece;
}

static Piece line_at(SomStr text, size_t at) {
    Piece piece = {at, at};
    while (piece.begin > 0 && text.data[piece.begin - 1] != '\n') {
        piece.begin--;
    }
    while (piece.end < text.length && text.data[piece.end] != '\n') {
        piece.end++;
    }
    piece.end += piece.end < text.length;
    return piece;
}

// From one bracket or angle to a later one of its kind: an element, a list, a block.
static Piece block_at(SomTestRandom *random, SomStr text, size_t at) {
    static const char open[] = "<({[", close[] = ">)}]";
    while (at < text.length && memchr(open, text.data[at], 4) == NULL) {
        at++;
    }
    Piece piece = {at, at};
    if (at < text.length) {
        char end = close[(const char *)memchr(open, text.data[at], 4) - open];
        for (size_t left = choose(random, 3) + 1; left > 0 && piece.end < text.length;
             piece.end++) {
            left -= text.data[piece.end] == end;
        }
    }
    return piece;
}

static SomStr text_of(SomStr text, Piece piece) {
    return som_str_slice(text, piece.begin, piece.end);
}

// ---- changes

static void put(SomText *out, SomStr text, Piece piece, SomStr words) {
    som_text_add(out, som_str_slice(text, 0, piece.begin));
    som_text_add(out, words);
    som_text_add(out, som_str_slice(text, piece.end, text.length));
}

static void swap(SomText *out, SomStr text, Piece a, Piece b) {
    if (a.begin > b.begin) {
        Piece c = a;
        a = b;
        b = c;
    }
    if (b.begin < a.end) {
        som_text_add(out, text);
        return;
    }
    som_text_add(out, som_str_slice(text, 0, a.begin));
    som_text_add(out, text_of(text, b));
    som_text_add(out, som_str_slice(text, a.end, b.begin));
    som_text_add(out, text_of(text, a));
    som_text_add(out, som_str_slice(text, b.end, text.length));
}

static void change_number(SomTestRandom *random, SomStr text, SomText *out) {
    static const char *const odd[] = {"0",         "-0",
                                      "1",         "-1",
                                      "2",         "3",
                                      "7",         "90",
                                      "180",       "1e-9",
                                      "1e-15",     "1e-300",
                                      "1e9",       "1e18",
                                      "1e308",     "1e400",
                                      "nan",       "inf",
                                      "-inf",      "0.001",
                                      "65536",     "1000000",
                                      "4.9e-324",  "2147483648",
                                      "-1e-7",     "9223372036854775808",
                                      "1.5707963", "3.14159265358979",
                                      "0.5",       "100",
                                      "1e5",       "1e-5",
                                      "0x10",      "1,5",
                                      ".",         "-"};
    Piece piece = number_after(text, choose(random, text.length + 1));
    SomText words = {0};
    SomStr old = text_of(text, piece);
    switch (choose(random, 5)) {
    case 0: // the other sign
        som_text_add(&words, SOM_STR("-"));
        som_text_add(&words, old);
        break;
    case 1: { // another digit
        som_text_add(&words, old);
        size_t at = choose(random, words.length);
        if (words.length > 0 && is_digit(words.data[at])) {
            words.data[at] = (char)('0' + choose(random, 10));
        }
        break;
    }
    case 2: // one more
        som_text_add(&words, old);
        som_text_printf(&words, "%d", (int)choose(random, 10));
        break;
    default:
        som_text_add(&words, som_str(odd[choose(random, sizeof odd / sizeof *odd)]));
    }
    put(out, text, piece, som_text_str(&words));
    som_text_free(&words);
}

static void change_byte(SomTestRandom *random, SomStr text, SomText *out) {
    static const char odd[] = "<>&'\"(){}[];:,.=/\\#*+- \n\t\r0a_\x80\xff\x01";
    som_text_add(out, text);
    if (out->length > 0) {
        size_t at = choose(random, out->length);
        bool is_odd = choose(random, 2) == 0;
        out->data[at] = is_odd ? odd[choose(random, sizeof odd - 1)]
                               : (char)(out->data[at] ^ (1 << choose(random, 7)));
    }
}

static void splice(SomTestRandom *random, SomStr text, SomStr other, SomText *out) {
    size_t at = choose(random, text.length + 1), from = choose(random, other.length + 1);
    Piece a = line_at(text, at), b = line_at(other, from);
    bool is_by_line = choose(random, 2) == 0;
    som_text_add(out, som_str_slice(text, 0, is_by_line ? a.begin : at));
    som_text_add(out, som_str_slice(other, is_by_line ? b.begin : from, other.length));
}

// What is meant by a piece: a token, a line, a block or any bytes.
static Piece any_piece(SomTestRandom *random, SomStr text) {
    size_t at = choose(random, text.length + 1);
    switch (choose(random, 5)) {
    case 0:
        return line_at(text, at);
    case 1:
    case 2:
        return block_at(random, text, at);
    case 3: {
        size_t end = at + choose(random, 12);
        return (Piece){at, end < text.length ? end : text.length};
    }
    default: {
        Piece token = token_at(text, at);
        token.end = token.end < text.length ? token.end : text.length;
        return token;
    }
    }
}

static void change(SomTestRandom *random, SomStr text, SomStr other, SomText *out) {
    Piece piece = any_piece(random, text), second = any_piece(random, text);
    switch (choose(random, 20)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
        change_number(random, text, out);
        break;
    case 6:
    case 7:
    case 8: // a word in the place of another
        put(out, text, token_at(text, choose(random, text.length)),
            text_of(text, token_at(text, choose(random, text.length))));
        break;
    case 9:
    case 10:
        put(out, text, piece, SOM_STR(""));
        break;
    case 11:
    case 12: // twice
        put(out, text, (Piece){piece.end, piece.end}, text_of(text, piece));
        break;
    case 13:
    case 14:
        swap(out, text, piece, second);
        break;
    case 15: // of the other text
        put(out, text, (Piece){piece.begin, piece.begin}, text_of(other, any_piece(random, other)));
        break;
    case 16:
        splice(random, text, other, out);
        break;
    case 17: // cut
        som_text_add(out, som_str_slice(text, 0, choose(random, text.length + 1)));
        break;
    default:
        change_byte(random, text, out);
    }
}

void som_test_mutate(SomTestRandom *random, SomStr text, SomStr other, SomText *out) {
    SomText now = {0}, next = {0};
    som_text_add(&now, text);
    for (size_t left = choose(random, 8) < 5 ? 1 : 2 + choose(random, 3); left > 0; left--) {
        som_text_clear(&next);
        change(random, som_text_str(&now), other, &next);
        SomText swapped = now;
        now = next;
        next = swapped;
    }
    som_text_add(out, som_str_slice(som_text_str(&now), 0, LONGEST));
    som_text_free(&now);
    som_text_free(&next);
}
