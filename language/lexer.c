// SPDX-License-Identifier: Apache-2.0
#include "language/lexer.h"

#include "base/codes/language_codes.h"
#include "base/utf8.h"
#include "language/lexer_internal.h"

static bool is_line_end(unsigned char c) {
    return c == '\n' || c == '\r';
}

static bool is_control(unsigned char c) {
    return (c < 0x20 && c != '\t' && c != '\v' && c != '\f' && !is_line_end(c)) || c == 0x7F;
}

static size_t end_of_line(SomLexer *lexer, size_t at) {
    while (at < lexer->text.length && !is_line_end(byte_at(lexer, at))) {
        at++;
    }
    return at;
}

static size_t end_of_invalid(SomLexer *lexer, size_t at) {
    while (at < lexer->text.length && som_utf8_length(rest(lexer, at)) == 0) {
        at++;
    }
    return at;
}

static size_t end_of_controls(SomLexer *lexer, size_t at) {
    while (at < lexer->text.length && is_control(byte_at(lexer, at))) {
        at++;
    }
    return at;
}

// Both report a run of bytes that no text may hold, and return where it ends.
static size_t report_invalid(SomLexer *lexer, SomCode code, size_t at) {
    size_t end = end_of_invalid(lexer, at);
    const char *more = end - at > 1 ? " and what follows it" : "";
    som_report(lexer->diags, code, span(lexer, at, end), "the byte 0x%02X%s is not UTF-8",
               byte_at(lexer, at), more);
    return end;
}

static size_t report_controls(SomLexer *lexer, size_t at) {
    size_t end = end_of_controls(lexer, at);
    som_report(lexer->diags, SOM_CONTROL_CHARACTER, span(lexer, at, end),
               end - at > 1 ? "control characters from 0x%02X on" : "control character 0x%02X",
               byte_at(lexer, at));
    add_fix(lexer, at, end, SOM_STR(""));
    return end;
}

static void report_invisible(SomLexer *lexer, size_t at, size_t length, uint32_t code) {
    som_report(lexer->diags, SOM_INVISIBLE_CHARACTER, span(lexer, at, at + length),
               "invisible character U+%04X", (unsigned)code);
    add_fix(lexer, at, at + length, SOM_STR(""));
}

// Checks the bytes of a comment or of a text in quotes. Returns false if something was reported.
static bool check_inside(SomLexer *lexer, size_t at, size_t end, bool is_comment) {
    bool fine = true;
    while (at < end) {
        unsigned char c = byte_at(lexer, at);
        if (c < 0x80 && (is_comment || !is_control(c))) {
            at++;
            continue;
        }
        size_t length;
        uint32_t code = som_character_read(som_str_slice(lexer->text, at, end), &length);
        if (length == 0) {
            at = report_invalid(lexer, is_comment ? SOM_INVALID_UTF8_IN_COMMENT : SOM_INVALID_UTF8,
                                at);
            fine = false;
            continue;
        }
        if (c < 0x80) {
            at = report_controls(lexer, at);
            fine = false;
            continue;
        }
        if (is_comment ? som_character_is_bidi_control(code) : som_character_is_invisible(code)) {
            report_invisible(lexer, at, length, code);
            fine = false;
        }
        at += length;
    }
    return fine;
}

// Blanks, newlines, comments.

static void lex_newline(SomLexer *lexer) {
    if (byte_at(lexer, lexer->at) == '\n') {
        add_token(lexer, SOM_TOKEN_NEWLINE, false, lexer->at + 1);
        return;
    }
    if (byte_at(lexer, lexer->at + 1) == '\n') {
        add_token(lexer, SOM_TOKEN_NEWLINE, false, lexer->at + 2);
        return;
    }
    // once, since a file has it in all lines or in none
    if (!lexer->reported_returns) {
        som_report(lexer->diags, SOM_LONE_CARRIAGE_RETURN, span(lexer, lexer->at, lexer->at + 1),
                   "the line ends with a carriage return alone");
        add_fix(lexer, lexer->at, lexer->at + 1, SOM_STR("\n"));
        lexer->reported_returns = true;
    }
    add_token(lexer, SOM_TOKEN_NEWLINE, true, lexer->at + 1);
}

static bool is_blank(unsigned char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static void lex_blank(SomLexer *lexer) {
    size_t end = lexer->at;
    while (is_blank(byte_at(lexer, end))) {
        end++;
    }
    add_token(lexer, SOM_TOKEN_BLANK, false, end);
}

// A backslash before the end of a line, blanks between them allowed, makes both a blank.
static bool lex_joined_lines(SomLexer *lexer) {
    size_t end = lexer->at + 1;
    while (is_blank(byte_at(lexer, end))) {
        end++;
    }
    if (!lexer->dialect->backslash_joins || !is_line_end(byte_at(lexer, end))) {
        return false;
    }
    end += byte_at(lexer, end) == '\r' && byte_at(lexer, end + 1) == '\n' ? 2 : 1;
    add_token(lexer, SOM_TOKEN_BLANK, false, end);
    return true;
}

static void lex_line_comment(SomLexer *lexer, size_t mark_length, bool is_ours) {
    size_t end = end_of_line(lexer, lexer->at);
    if (!is_ours) {
        SomStr wrong = som_str_slice(lexer->text, lexer->at, lexer->at + mark_length);
        SomStr right = lexer->dialect->hash_comments ? SOM_STR("#") : SOM_STR("//");
        som_report(lexer->diags, SOM_FOREIGN_COMMENT,
                   span(lexer, lexer->at, lexer->at + mark_length),
                   "a comment begins with '%.*s' in %.*s, not with '%.*s'", SOM_STR_ARG(right),
                   SOM_STR_ARG(lexer->dialect->name), SOM_STR_ARG(wrong));
        add_fix(lexer, lexer->at, lexer->at + mark_length, right);
    }
    check_inside(lexer, lexer->at, end, true);
    add_token(lexer, SOM_TOKEN_COMMENT, !is_ours, end);
}

// The end of the comment that begins with /*, or 0 if it has none.
static size_t find_comment_end(SomLexer *lexer) {
    if (!lexer->no_comment_end) {
        for (size_t at = lexer->at + 2; at + 1 < lexer->text.length; at++) {
            if (byte_at(lexer, at) == '*' && byte_at(lexer, at + 1) == '/') {
                return at + 2;
            }
        }
        lexer->no_comment_end = true; // do not look again: that would be quadratic
    }
    return 0;
}

static void lex_block_comment(SomLexer *lexer) {
    size_t end = find_comment_end(lexer);
    bool is_ours = lexer->dialect->slash_comments;
    if (!is_ours) {
        som_report(lexer->diags, SOM_FOREIGN_COMMENT, span(lexer, lexer->at, lexer->at + 2),
                   "a comment begins with '#' in %.*s, not with '/*'",
                   SOM_STR_ARG(lexer->dialect->name));
        end = end > 0 ? end : end_of_line(lexer, lexer->at);
    } else if (end == 0) {
        som_report(lexer->diags, SOM_UNTERMINATED_COMMENT, span(lexer, lexer->at, lexer->at + 2),
                   "the comment has no end");
        is_ours = false;
        end = lexer->text.length;
    }
    check_inside(lexer, lexer->at, end, true);
    add_token(lexer, SOM_TOKEN_COMMENT, !is_ours, end);
}

// Words and texts in quotes.

static void lex_word(SomLexer *lexer) {
    add_token(lexer, SOM_TOKEN_WORD, false, end_of_name(lexer, lexer->at));
}

static void report_unexpected(SomLexer *lexer, size_t length) {
    size_t at = lexer->at;
    SomStr shown = som_str_slice(lexer->text, at, at + length);
    som_report(lexer->diags, SOM_UNEXPECTED_CHARACTER, span(lexer, at, at + length),
               "'%.*s' has no meaning in %.*s", SOM_STR_ARG(shown),
               SOM_STR_ARG(lexer->dialect->name));
    add_token(lexer, SOM_TOKEN_ERROR, true, at + length);
}

static void lex_dollar(SomLexer *lexer) {
    size_t end = end_of_name(lexer, lexer->at + 1);
    if (!lexer->dialect->dollar_words || end == lexer->at + 1) {
        report_unexpected(lexer, 1);
        return;
    }
    add_token(lexer, SOM_TOKEN_DOLLAR_WORD, false, end);
}

// The escape at `at`, a backslash inside quotes: 2 bytes are used, 1 where it is none.
static size_t check_escape(SomLexer *lexer, size_t at, bool *bad) {
    unsigned char next = byte_at(lexer, at + 1);
    if (next == '"' || next == '\\') {
        return at + 2;
    }
    if (at + 1 < lexer->text.length && !is_line_end(next)) {
        som_report(lexer->diags, SOM_UNKNOWN_ESCAPE, span(lexer, at, at + 1),
                   "a backslash in quotes is written twice");
        add_fix(lexer, at, at + 1, SOM_STR("\\\\"));
        *bad = true;
    }
    return at + 1;
}

static void lex_string(SomLexer *lexer) {
    bool bad = false;
    size_t at = lexer->at + 1;
    while (at < lexer->text.length && byte_at(lexer, at) != '"' &&
           !is_line_end(byte_at(lexer, at))) {
        at = byte_at(lexer, at) == '\\' ? check_escape(lexer, at, &bad) : at + 1;
    }
    bad |= !check_inside(lexer, lexer->at, at, false);
    if (byte_at(lexer, at) == '"') {
        at++;
    } else {
        som_report(lexer->diags, SOM_UNTERMINATED_STRING, span(lexer, lexer->at, at),
                   "the closing quote is missing");
        bad = true;
    }
    add_token(lexer, SOM_TOKEN_STRING, bad, at);
}

// Single quotes and curly ones come in two families, each closed by any of its own.
static bool is_single_quote(uint32_t code) {
    return code == '\'' || code == 0xB4 || (code >= 0x2018 && code <= 0x201B) || code == 0x2032 ||
           code == 0x2039 || code == 0x203A || code == 0xFF07;
}

static bool is_quote(uint32_t code) {
    if (code == '\'' || code == '"') {
        return true;
    }
    const SomConfusable *confusable = som_confusable_find(code);
    return confusable != NULL && confusable->kind == SOM_TOKEN_STRING;
}

// Where the quote of the same family as `code` is on this line; 0 if there is none. *is_plain
// becomes false if the text up to it needs escapes, so that exchanging quotes is not enough.
static size_t find_closing_quote(SomLexer *lexer, size_t at, uint32_t code, size_t *length,
                                 bool *is_plain) {
    *is_plain = true;
    while (at < lexer->text.length && !is_line_end(byte_at(lexer, at))) {
        uint32_t c = som_character_read(rest(lexer, at), length);
        if (*length > 0 && is_quote(c) && is_single_quote(c) == is_single_quote(code)) {
            return at;
        }
        *is_plain &= c != '"' && c != '\\';
        at += *length > 0 ? *length : 1;
    }
    return 0;
}

// A text in quotes of a kind that word processors and other languages have.
static void lex_wrong_quotes(SomLexer *lexer, uint32_t code, size_t length) {
    size_t closing_length = 0;
    bool is_plain = true;
    size_t begin = lexer->at;
    size_t closing = find_closing_quote(lexer, begin + length, code, &closing_length, &is_plain);
    SomStr shown = som_str_slice(lexer->text, begin, begin + length);
    som_report(lexer->diags, SOM_CONFUSABLE_CHARACTER, span(lexer, begin, begin + length),
               "a quote is written \", not %.*s", SOM_STR_ARG(shown));
    if (closing == 0) {
        add_token(lexer, SOM_TOKEN_ERROR, true, begin + length);
        return;
    }
    if (is_plain) {
        add_fix(lexer, begin, begin + length, SOM_STR("\""));
        add_fix(lexer, closing, closing + closing_length, SOM_STR("\""));
    }
    check_inside(lexer, begin + length, closing, false);
    add_token(lexer, SOM_TOKEN_STRING, true, closing + closing_length);
}

// Punctuation and everything else.

// One of two kinds, the first if the next character is `second`.
static SomTokenKind one_of(unsigned char next, unsigned char second, SomTokenKind two,
                           SomTokenKind one, size_t *length) {
    *length = next == second ? 2 : 1;
    return next == second ? two : one;
}

// The kind of the punctuation that begins with `c`; ERROR if there is none.
static SomTokenKind find_punctuation(unsigned char c, unsigned char next, size_t *length) {
    static const uint8_t single[128] = {
        ['('] = SOM_TOKEN_LEFT_PAREN,   [')'] = SOM_TOKEN_RIGHT_PAREN,
        ['['] = SOM_TOKEN_LEFT_BRACKET, [']'] = SOM_TOKEN_RIGHT_BRACKET,
        ['{'] = SOM_TOKEN_LEFT_BRACE,   ['}'] = SOM_TOKEN_RIGHT_BRACE,
        [','] = SOM_TOKEN_COMMA,        [';'] = SOM_TOKEN_SEMICOLON,
        [':'] = SOM_TOKEN_COLON,        ['+'] = SOM_TOKEN_PLUS,
        ['-'] = SOM_TOKEN_MINUS,        ['*'] = SOM_TOKEN_STAR,
        ['/'] = SOM_TOKEN_SLASH,        ['^'] = SOM_TOKEN_CARET,
    };
    switch (c) {
    case '.':
        return one_of(next, '.', SOM_TOKEN_DOT_DOT, SOM_TOKEN_DOT, length);
    case '=':
        return one_of(next, '=', SOM_TOKEN_EQUAL_EQUAL, SOM_TOKEN_EQUAL, length);
    case '!':
        return one_of(next, '=', SOM_TOKEN_NOT_EQUAL, SOM_TOKEN_NOT, length);
    case '<':
        return one_of(next, '=', SOM_TOKEN_LESS_EQUAL, SOM_TOKEN_LESS, length);
    case '>':
        return one_of(next, '=', SOM_TOKEN_GREATER_EQUAL, SOM_TOKEN_GREATER, length);
    case '&':
        return one_of(next, '&', SOM_TOKEN_AND_AND, SOM_TOKEN_ERROR, length);
    case '|':
        return one_of(next, '|', SOM_TOKEN_OR_OR, SOM_TOKEN_ERROR, length);
    default:
        *length = 1;
        return single[c] != 0 ? (SomTokenKind)single[c] : SOM_TOKEN_ERROR;
    }
}

static void lex_punctuation(SomLexer *lexer) {
    size_t length;
    SomTokenKind kind =
        find_punctuation(byte_at(lexer, lexer->at), byte_at(lexer, lexer->at + 1), &length);
    if (kind == SOM_TOKEN_ERROR) {
        report_unexpected(lexer, 1);
    } else {
        add_token(lexer, kind, false, lexer->at + length);
    }
}

// A character that stands for an ASCII one; a run of the same kind of blanks is one report.
static void lex_confusable(SomLexer *lexer, const SomConfusable *confusable, size_t length) {
    size_t begin = lexer->at, end = begin + length;
    SomText meant = {0};
    som_text_add(&meant, confusable->meant);
    if (confusable->kind == SOM_TOKEN_BLANK) {
        while (som_str_starts_with(rest(lexer, end),
                                   som_str_slice(lexer->text, begin, begin + length))) {
            som_text_add(&meant, confusable->meant);
            end += length;
        }
    }
    SomStr shown = som_str_slice(lexer->text, begin, begin + length);
    if (som_token_is_trivia(confusable->kind)) {
        som_report(lexer->diags, SOM_CONFUSABLE_CHARACTER, span(lexer, begin, end),
                   "U+%04X is not an ordinary %s", (unsigned)confusable->code,
                   confusable->kind == SOM_TOKEN_BLANK ? "blank" : "line end");
    } else {
        som_report(lexer->diags, SOM_CONFUSABLE_CHARACTER, span(lexer, begin, end),
                   "'%.*s' (U+%04X) is written '%.*s'", SOM_STR_ARG(shown),
                   (unsigned)confusable->code, SOM_STR_ARG(confusable->meant));
    }
    add_fix(lexer, begin, end, som_text_str(&meant));
    som_text_free(&meant);

    bool is_unit = lexer->tokens.count > 0 &&
                   lexer->tokens.data[lexer->tokens.count - 1].kind == SOM_TOKEN_NUMBER;
    SomTokenKind kind = confusable->kind;
    add_token(lexer, kind == SOM_TOKEN_UNIT && !is_unit ? SOM_TOKEN_ERROR : kind, true, end);
}

static void lex_beyond_ascii(SomLexer *lexer) {
    size_t at = lexer->at, length;
    uint32_t code = som_character_read(rest(lexer, at), &length);
    const SomConfusable *confusable = som_confusable_find(code);
    if (length == 0) {
        add_token(lexer, SOM_TOKEN_ERROR, true, report_invalid(lexer, SOM_INVALID_UTF8, at));
    } else if (code == 0xFEFF && at == 0) {
        add_token(lexer, SOM_TOKEN_BLANK, false, length); // the mark some editors begin files with
    } else if (som_character_name_length(rest(lexer, at)) > 0) {
        lex_word(lexer);
    } else if (confusable != NULL && confusable->kind == SOM_TOKEN_STRING) {
        lex_wrong_quotes(lexer, code, length);
    } else if (confusable != NULL) {
        lex_confusable(lexer, confusable, length);
    } else if (som_character_is_invisible(code)) {
        report_invisible(lexer, at, length, code);
        add_token(lexer, SOM_TOKEN_BLANK, true, at + length);
    } else {
        report_unexpected(lexer, length);
    }
}

static void lex_one(SomLexer *lexer) {
    size_t at = lexer->at;
    unsigned char c = byte_at(lexer, at);
    bool slash_slash = c == '/' && byte_at(lexer, at + 1) == '/';
    if (is_line_end(c)) {
        lex_newline(lexer);
    } else if (is_blank(c)) {
        lex_blank(lexer);
    } else if (c == '#') {
        lex_line_comment(lexer, 1, lexer->dialect->hash_comments);
    } else if (slash_slash) {
        lex_line_comment(lexer, 2, lexer->dialect->slash_comments);
    } else if (c == '/' && byte_at(lexer, at + 1) == '*') {
        lex_block_comment(lexer);
    } else if (c == '"') {
        lex_string(lexer);
    } else if (c == '\'') {
        lex_wrong_quotes(lexer, c, 1);
    } else if (is_digit(c) || (c == '.' && som_lexer_is_number_point(lexer, at))) {
        som_lexer_number(lexer);
    } else if (c == '$') {
        lex_dollar(lexer);
    } else if (c >= 0x80) {
        lex_beyond_ascii(lexer);
    } else if (is_control(c)) {
        add_token(lexer, SOM_TOKEN_BLANK, true, report_controls(lexer, at));
    } else if (som_character_name_length(rest(lexer, at)) > 0) {
        lex_word(lexer);
    } else if (c != '\\' || !lex_joined_lines(lexer)) {
        lex_punctuation(lexer);
    }
}

// UTF-16 has a mark of its own, or a zero in every other byte of ASCII.
static bool is_utf16(SomStr text) {
    const unsigned char *s = (const unsigned char *)text.data;
    if (text.length >= 2 && ((s[0] == 0xFF && s[1] == 0xFE) || (s[0] == 0xFE && s[1] == 0xFF))) {
        return true;
    }
    return text.length >= 4 && ((s[0] != 0 && s[1] == 0 && s[2] != 0 && s[3] == 0) ||
                                (s[0] == 0 && s[1] != 0 && s[2] == 0 && s[3] != 0));
}

SomTokens som_lex(SomStr text, const SomDialect *dialect, uint32_t source1, SomDiagnostics *diags) {
    assert(text.length <= UINT32_MAX);
    SomLexer lexer = {.text = text, .dialect = dialect, .source1 = source1, .diags = diags};
    if (text.length > SOM_MAX_SOURCE_BYTES) {
        som_report(diags, SOM_SOURCE_TOO_LARGE, span(&lexer, 0, 0),
                   "the file is longer than %d bytes", SOM_MAX_SOURCE_BYTES);
        add_token(&lexer, SOM_TOKEN_ERROR, true, text.length);
    } else if (is_utf16(text)) {
        som_report(diags, SOM_NOT_UTF8_TEXT, span(&lexer, 0, 0), "the file is not UTF-8 text");
        add_token(&lexer, SOM_TOKEN_ERROR, true, text.length);
    }
    while (lexer.at < text.length) {
        lex_one(&lexer);
    }
    som_array_push(&lexer.tokens, ((SomToken){(uint32_t)text.length, SOM_TOKEN_END, 0}));
    lexer.tokens.count--;
    lexer.tokens.steps = lexer.steps;
    return lexer.tokens;
}
