// SPDX-License-Identifier: Apache-2.0
// Reports, recovery, brackets and loops.

#include "base/codes/language_codes.h"
#include "language/parser_internal.h"
#include "language/unit.h"

#include <stdio.h>

// Longer texts are cut in messages.
#define SHOWN_BYTES 40

// Of more words, the first are tried as what was meant.
#define MAX_OFFERED_WORDS 64

// Notices an error at the current token. False if it should not be reported: something was reported
// here already, by the parser or by the lexer.
static bool notice(SomParser *p) {
    bool is_new = !p->silent && som_parser_kind(p) != SOM_TOKEN_ERROR;
    p->silent = true;
    p->errors++;
    return is_new;
}

// What is missing is missed behind the token before, if what was found is on another line.
static SomSpan error_span(SomParser *p) {
    int token = current(p);
    SomTokenKind kind = kind_at(p, token);
    bool is_behind =
        kind == SOM_TOKEN_END || kind == SOM_TOKEN_NEWLINE || som_parser_on_new_line(p);
    if (is_behind && p->next > 0) {
        uint32_t end = p->tokens.data[p->next].begin;
        return (SomSpan){p->def.source1, end, end};
    }
    return span_at(p, token);
}

bool som_parser_error(SomParser *p, SomCode code, const char *format, ...) {
    if (!notice(p)) {
        return false;
    }
    va_list args;
    va_start(args, format);
    som_report_list(p->diags, code, error_span(p), format, args);
    va_end(args);
    return true;
}

static bool is_stray_closer(const SomParser *p, int token) {
    return som_token_is_closer(kind_at(p, token)) && p->partners[token] == SOM_NO_TOKEN;
}

static bool is_any_word(const SomParser *p, int token, const char *const *words) {
    for (int i = 0; words != NULL && words[i] != NULL; i++) {
        if (is_word(p, token, words[i])) {
            return true;
        }
    }
    return false;
}

static bool is_starter(const SomParser *p, int token) {
    if (!is_any_word(p, token, p->def.starters)) {
        return false;
    }
    int before = token - 1;
    while (before >= 0 && som_token_is_trivia(kind_at(p, before)) &&
           kind_at(p, before) != SOM_TOKEN_NEWLINE) {
        before--;
    }
    return before < 0 || kind_at(p, before) == SOM_TOKEN_NEWLINE;
}

bool som_parser_in_unclosed_bracket(SomParser *p) {
    const Bracket *bracket = innermost(p);
    return bracket != NULL && bracket->partner == SOM_NO_TOKEN;
}

// Should the innermost bracket have been closed before the current token? It has no partner, or
// only one beyond the beginning of another statement, which was meant for something else.
static bool is_left_open(SomParser *p) {
    return som_parser_in_unclosed_bracket(p) ||
           (is_in_expression_bracket(p) && is_starter(p, current(p)));
}

// A unit that a blank separates from its number; NULL if the current token is none.
static const SomUnit *spaced_unit(SomParser *p) {
    int token = current(p), before = p->next - 1;
    if (before < 0 || kind_at(p, before) != SOM_TOKEN_NUMBER || token == p->next ||
        token != p->after_blanks[p->next] || kind_at(p, token) != SOM_TOKEN_WORD ||
        !p->def.dialect->units) {
        return NULL;
    }
    SomTokenKind after = kind_at(p, token + 1);
    bool is_place =
        after == SOM_TOKEN_DOT || after == SOM_TOKEN_LEFT_BRACKET || after == SOM_TOKEN_LEFT_PAREN;
    SomStr text = text_at(p, token);
    const SomUnit *unit = is_place ? NULL : som_unit_find(text);
    return unit == NULL && !is_place && text.length > 3 ? som_unit_guess(text) : unit;
}

static bool report_spaced_unit(SomParser *p, SomCode code, const char *what, const SomUnit *unit) {
    int token = current(p), number = p->next - 1;
    SomText glued = {0};
    som_text_add(&glued, som_str_slice(text_at(p, number), 0, SHOWN_BYTES));
    som_text_add(&glued, unit->text);
    bool is_new = som_parser_error(p, code, "expected %s, found '%.*s'; write '%s' without a space",
                                   what, SOM_STR_ARG(text_at(p, token)), glued.data);
    if (is_new && text_at(p, number).length <= SHOWN_BYTES) {
        SomSpan span = {p->def.source1, span_at(p, number).begin, span_at(p, token).end};
        som_parser_fix(p, span, som_text_str(&glued));
    }
    som_text_free(&glued);
    return is_new;
}

// "expected WHAT, found 'x'".
static bool report_expected(SomParser *p, SomCode code, const char *what) {
    int token = current(p);
    SomTokenKind kind = kind_at(p, token);
    if (code == SOM_UNEXPECTED_TOKEN && is_stray_closer(p, token)) {
        return som_parser_error(p, SOM_UNOPENED_BRACKET, "%s closes nothing",
                                som_token_kind_shown(kind));
    }
    bool is_line_end = is_left_open(p) && som_parser_on_new_line(p);
    if (kind == SOM_TOKEN_END || kind == SOM_TOKEN_NEWLINE || is_line_end) {
        return som_parser_error(p, code, "expected %s, found %s", what,
                                som_token_kind_shown(is_line_end ? SOM_TOKEN_NEWLINE : kind));
    }
    const SomUnit *unit = spaced_unit(p);
    if (unit != NULL) {
        return report_spaced_unit(p, code, what, unit);
    }
    SomStr text = som_str_slice(text_at(p, token), 0, SHOWN_BYTES);
    const char *quote = kind == SOM_TOKEN_STRING ? "" : "'";
    return som_parser_error(p, code, "expected %s, found %s%.*s%s", what, quote, SOM_STR_ARG(text),
                            quote);
}

bool som_parser_expected(SomParser *p, const char *what, const char *const *words) {
    if (!report_expected(p, SOM_UNEXPECTED_TOKEN, what)) {
        return false;
    }
    SomStr names[MAX_OFFERED_WORDS];
    int count = 0;
    while (words != NULL && words[count] != NULL && count < MAX_OFFERED_WORDS) {
        names[count] = som_str(words[count]);
        count++;
    }
    if (som_parser_at(p, SOM_TOKEN_WORD) && p->def.source1 != 0) {
        int nearest = som_str_find_nearest(som_parser_text(p), names, count);
        if (nearest >= 0) {
            som_fix(p->diags, som_parser_span(p), names[nearest]);
        }
    }
    return true;
}

void som_parser_fix(SomParser *p, SomSpan span, SomStr replacement) {
    if (p->def.source1 != 0) {
        som_fix(p->diags, span, replacement);
    }
}

static void note_opener(SomParser *p, const Bracket *bracket) {
    som_note(p->diags, span_at(p, bracket->token), "to close %s opened here",
             som_token_kind_shown(kind_at(p, bracket->token)));
}

// Recovery.

// The token recovery looks at: in a bracket that is never closed, newlines count again.
static int current_in_recovery(SomParser *p) {
    p->steps++;
    return sees_newlines(p) || som_parser_in_unclosed_bracket(p) ? p->after_blanks[p->next]
                                                                 : p->after_trivia[p->next];
}

bool som_parser_recover(SomParser *p, SomTokenSet set) {
    SomMark mark = {0};
    bool is_open = false;
    bool found = false;
    for (;;) {
        int token = current_in_recovery(p);
        SomTokenKind kind = kind_at(p, token);
        found = token < limit(p) &&
                (som_token_kinds_has(set.kinds, kind) || is_any_word(p, token, set.words));
        if (found || token >= limit(p) || kind == SOM_TOKEN_NEWLINE ||
            kind == SOM_TOKEN_SEMICOLON || is_starter(p, token)) {
            break;
        }
        if (!is_open) {
            mark = som_parser_open(p);
            is_open = true;
        }
        consume_to(p, end_of_group(p, token));
    }
    if (is_open) {
        p->silent = true;
        p->errors++;
        som_parser_close(p, mark, SOM_KIND_ERROR);
    }
    return found;
}

void som_parser_skip(SomParser *p) {
    int token = current(p);
    if (token >= limit(p)) {
        return;
    }
    report_expected(p, SOM_UNEXPECTED_TOKEN, "something else");
    SomMark mark = som_parser_open(p);
    consume_to(p, end_of_group(p, token));
    p->silent = true;
    som_parser_close(p, mark, SOM_KIND_ERROR);
}

// Brackets.

bool som_parser_open_bracket(SomParser *p, SomTokenKind opener) {
    assert(som_token_is_opener(opener));
    int token = current(p);
    int outer = limit(p);
    if (!som_parser_expect(p, opener)) {
        return false;
    }
    int partner = p->partners[token];
    Bracket bracket = {token, partner, partner != SOM_NO_TOKEN ? partner : outer};
    som_array_push(&p->brackets, bracket);
    return true;
}

// Is the current token a closer of another shape, which belongs to no other bracket and was most
// likely meant for the innermost one?
static bool at_wrong_closer(SomParser *p, const Bracket *bracket) {
    int token = current(p);
    return bracket->partner == SOM_NO_TOKEN && is_stray_closer(p, token) &&
           !som_parser_on_new_line(p);
}

static void close_with_wrong_closer(SomParser *p, const Bracket *bracket) {
    SomTokenKind right = som_token_other_bracket(kind_at(p, bracket->token));
    if (som_parser_error(p, SOM_MISMATCHED_BRACKET, "expected %s, found %s",
                         som_token_kind_shown(right), som_token_kind_shown(som_parser_kind(p)))) {
        note_opener(p, bracket);
        if (p->def.source1 != 0) {
            som_fix(p->diags, som_parser_span(p), som_token_kind_text(right));
        }
    }
    SomMark mark = som_parser_open(p);
    som_parser_advance(p);
    som_parser_close(p, mark, SOM_KIND_ERROR);
}

bool som_parser_close_bracket(SomParser *p) {
    assert(p->brackets.count > 0);
    Bracket bracket = *innermost(p);
    SomTokenKind closer = som_token_other_bracket(kind_at(p, bracket.token));
    bool is_closed = false;
    if (!is_left_open(p) && p->next <= bracket.partner) {
        if (current(p) != bracket.partner) {
            if (report_expected(p, SOM_UNEXPECTED_TOKEN, som_token_kind_shown(closer))) {
                note_opener(p, &bracket);
            }
            SomMark mark = som_parser_open(p);
            consume_before(p, bracket.partner);
            som_parser_close(p, mark, SOM_KIND_ERROR);
        }
        consume_to(p, bracket.partner + 1);
        p->silent = false;
        is_closed = true;
    } else if (at_wrong_closer(p, &bracket)) {
        close_with_wrong_closer(p, &bracket);
    } else if (report_expected(p, SOM_UNCLOSED_BRACKET, som_token_kind_shown(closer))) {
        note_opener(p, &bracket);
    }
    p->brackets.count--;
    return is_closed;
}

// Loops.

// True if the round before consumed something, or a token was skipped instead.
static bool make_progress(SomParser *p, SomLoop *loop) {
    if (loop->last == (uint32_t)p->next + 1) {
        som_parser_skip(p);
    }
    loop->last = (uint32_t)p->next + 1;
    return !som_parser_at_end(p);
}

bool som_parser_next_item(SomParser *p, SomLoop *loop) {
    return !som_parser_at_end(p) && make_progress(p, loop);
}

bool som_parser_next_element(SomParser *p, SomLoop *loop, SomTokenKind separator) {
    bool is_first = loop->last == 0;
    loop->last = (uint32_t)p->next + 1;
    if (is_first || som_parser_at_end(p)) {
        return !som_parser_at_end(p);
    }
    if (som_parser_accept(p, separator)) {
        return !som_parser_at_end(p);
    }
    const Bracket *bracket = innermost(p);
    if (!is_in_expression_bracket(p) || at_wrong_closer(p, bracket)) {
        return false;
    }
    char what[32];
    SomTokenKind closer = som_token_other_bracket(kind_at(p, bracket->token));
    snprintf(what, sizeof what, "%s or %s", som_token_kind_shown(separator),
             som_token_kind_shown(closer));
    bool is_unclosed = is_left_open(p);
    if (report_expected(p, is_unclosed ? SOM_UNCLOSED_BRACKET : SOM_UNEXPECTED_TOKEN, what) &&
        is_unclosed) {
        note_opener(p, bracket);
    }
    return som_parser_recover(p, (SomTokenSet){.kinds = UINT64_C(1) << separator}) &&
           som_parser_accept(p, separator) && !som_parser_at_end(p);
}

bool som_parser_next_statement(SomParser *p, SomLoop *loop) {
    assert(p->def.dialect->newline_ends);
    const SomTokenKinds separators = SOM_BIT(NEWLINE) | SOM_BIT(SEMICOLON);
    if (loop->last != 0 && !som_parser_at_any(p, separators) && !som_parser_at_end(p)) {
        som_parser_expected(p, "a new line or ';'", NULL);
        som_parser_recover(p, (SomTokenSet){0});
    }
    while (som_parser_accept_any(p, separators)) {
    }
    return !som_parser_at_end(p) && make_progress(p, loop);
}
