// SPDX-License-Identifier: Apache-2.0
// Members of rows: statements and list elements, put in and taken out as their neighbours stand.

#include "language/edit_internal.h"
#include "language/syntax_internal.h"

#include <assert.h>
#include <stdlib.h>

// What stands between the members of a row.
typedef enum Separator { NOTHING, COMMA, SEMICOLON } Separator;

static bool is_kind(const SomSyntax *tree, int token, SomTokenKind kind) {
    return som_syntax_token_kind(tree, token) == kind;
}

static uint32_t begin_of(const SomSyntax *tree, int token) {
    return som_syntax_token_span(tree, token).begin;
}

// The first token at or after `token` that is no blank.
static int after_blank(const SomSyntax *tree, int token) {
    while (is_kind(tree, token, SOM_TOKEN_BLANK)) {
        token++;
    }
    return token;
}

// The token before `token` that is no blank; SOM_NO_TOKEN at the start of the text.
static int before_blank(const SomSyntax *tree, int token) {
    do {
        token--;
    } while (token >= 0 && is_kind(tree, token, SOM_TOKEN_BLANK));
    return token;
}

static bool is_line_end(const SomSyntax *tree, int token) {
    return is_kind(tree, token, SOM_TOKEN_NEWLINE) || is_kind(tree, token, SOM_TOKEN_END);
}

static bool is_first_on_line(const SomSyntax *tree, int token) {
    int before = before_blank(tree, token);
    return before < 0 || is_kind(tree, before, SOM_TOKEN_NEWLINE);
}

// The offset where the line of a token that is first on it begins.
static uint32_t line_begin(const SomSyntax *tree, int token) {
    return begin_of(tree, before_blank(tree, token) + 1);
}

// The separator behind a member, SOM_NO_TOKEN if there is none. A comma may be on another line.
static int separator_after(const SomSyntax *tree, SomNode member) {
    SomNode next = som_syntax_next_sibling(tree, member);
    int end = next != 0 ? som_syntax_first_token(tree, next)
                        : som_syntax_end_token(tree, som_syntax_parent(tree, member));
    bool same_line = true;
    for (int i = som_syntax_end_token(tree, member); i < end; i++) {
        SomTokenKind kind = som_syntax_token_kind(tree, i);
        if (kind == SOM_TOKEN_COMMA || (kind == SOM_TOKEN_SEMICOLON && same_line)) {
            return i;
        }
        if (!som_token_is_trivia(kind)) {
            break;
        }
        same_line &= kind != SOM_TOKEN_NEWLINE;
    }
    return SOM_NO_TOKEN;
}

// Behind a member, its separator and the comment after it, if all are on one line.
static int end_with_comment(const SomSyntax *tree, SomNode member) {
    int comment = som_syntax_trailing_comment(tree, member);
    if (comment != SOM_NO_TOKEN) {
        return comment + 1;
    }
    int end = som_syntax_end_token(tree, member);
    int separator = separator_after(tree, member);
    return separator != SOM_NO_TOKEN && after_blank(tree, end) == separator ? separator + 1 : end;
}

static Separator kind_of_separator(const SomSyntax *tree, int token) {
    return token == SOM_NO_TOKEN                       ? NOTHING
           : is_kind(tree, token, SOM_TOKEN_COMMA)     ? COMMA
           : is_kind(tree, token, SOM_TOKEN_SEMICOLON) ? SEMICOLON
                                                       : NOTHING;
}

// How members of the row of this one are separated: as it is from a neighbour, else as its brackets
// suggest.
static Separator row_separator(const SomSyntax *tree, SomNode member) {
    SomNode parent = som_syntax_parent(tree, member);
    SomNode previous = som_syntax_previous_sibling(tree, member);
    Separator found = kind_of_separator(tree, separator_after(tree, member));
    if (found == NOTHING && previous != 0) {
        found = kind_of_separator(tree, separator_after(tree, previous));
    }
    if (found != NOTHING) {
        return found;
    }
    int opener = som_syntax_first_token(tree, som_syntax_first_child(tree, parent)) - 1;
    while (opener >= 0 && som_token_is_trivia(som_syntax_token_kind(tree, opener))) {
        opener--; // a word may stand before it: series(
    }
    bool is_own = opener >= som_syntax_first_token(tree, parent);
    if (is_own && (is_kind(tree, opener, SOM_TOKEN_LEFT_PAREN) ||
                   is_kind(tree, opener, SOM_TOKEN_LEFT_BRACKET))) {
        return COMMA;
    }
    return som_syntax_dialect(tree)->newline_ends ? SEMICOLON : NOTHING;
}

// Taking out.

typedef struct Run {
    SomNode first;
    SomNode last;
} Run;

static void delete_span(SomReplacements *deletions, uint32_t begin, uint32_t end) {
    if (begin < end) {
        som_array_push(deletions, ((SomReplacement){begin, end, deletions->count, {"", 0}}));
    }
}

// Members that have their lines for themselves go with these lines.
static bool delete_lines(const SomSyntax *tree, Run run, SomReplacements *deletions) {
    int begin = som_syntax_leading_comments(tree, run.first).first;
    int end = after_blank(tree, end_with_comment(tree, run.last));
    if (!is_first_on_line(tree, begin) || !is_line_end(tree, end)) {
        return false;
    }
    int own_separator = separator_after(tree, run.last);
    if (own_separator != SOM_NO_TOKEN && own_separator >= end) {
        // the comma is first on a line below: what follows it takes the place of the members
        int behind = after_blank(tree, own_separator + 1);
        delete_span(deletions, begin_of(tree, begin), begin_of(tree, behind));
        return true;
    }
    delete_span(deletions, line_begin(tree, begin), som_syntax_token_span(tree, end).end);

    // what is now the last element of a list has no comma, as the one before had none
    SomNode previous = som_syntax_previous_sibling(tree, run.first);
    bool is_tail = som_syntax_next_sibling(tree, run.last) == 0 && own_separator == SOM_NO_TOKEN;
    int separator = previous != 0 ? separator_after(tree, previous) : SOM_NO_TOKEN;
    if (is_tail && kind_of_separator(tree, separator) == COMMA) {
        SomSpan span = som_syntax_token_span(tree, separator);
        delete_span(deletions, span.begin, span.end);
    }
    return true;
}

// Of members that share their line with others: those before another member.
static void delete_before_next(const SomSyntax *tree, Run run, SomNode next,
                               SomReplacements *deletions) {
    int begin = som_syntax_first_token(tree, run.first);
    int separator = separator_after(tree, run.last);
    int end = separator != SOM_NO_TOKEN ? separator + 1 : som_syntax_end_token(tree, run.last);
    int comment = som_syntax_trailing_comment(tree, run.last);
    end = comment != SOM_NO_TOKEN ? comment + 1 : end;
    int behind = after_blank(tree, end);
    bool at_line_end = is_line_end(tree, behind);
    if (at_line_end || behind == som_syntax_first_token(tree, next)) {
        end = behind;
    }
    // no blanks are left at the end of a line, nor the ';' that was only for what is deleted
    if (at_line_end) {
        int before = before_blank(tree, begin);
        bool is_idle =
            before >= 0 && separator == SOM_NO_TOKEN &&
            som_syntax_previous_sibling(tree, run.first) != 0 &&
            separator_after(tree, som_syntax_previous_sibling(tree, run.first)) == before &&
            is_kind(tree, before, SOM_TOKEN_SEMICOLON);
        begin = is_idle ? before : before + 1;
    }
    delete_span(deletions, begin_of(tree, begin), begin_of(tree, end));
}

static bool has_comment(const SomSyntax *tree, int begin, int end) {
    for (int i = begin; i < end; i++) {
        if (is_kind(tree, i, SOM_TOKEN_COMMENT)) {
            return true;
        }
    }
    return false;
}

// The last members of a row, behind one that stays.
static void delete_tail(const SomSyntax *tree, Run run, SomNode previous,
                        SomReplacements *deletions) {
    int before = som_syntax_end_token(tree, previous);
    int begin = som_syntax_first_token(tree, run.first);
    int end = som_syntax_end_token(tree, run.last);
    int own_separator = separator_after(tree, run.last);
    int separator = separator_after(tree, previous);
    if (own_separator != SOM_NO_TOKEN) {
        // the row ends with a separator and still does
        end = own_separator + 1;
        before = separator != SOM_NO_TOKEN ? separator + 1 : before;
    }
    if (!has_comment(tree, before, begin)) {
        delete_span(deletions, begin_of(tree, before), begin_of(tree, end));
        return;
    }
    if (own_separator == SOM_NO_TOKEN && separator != SOM_NO_TOKEN) {
        SomSpan span = som_syntax_token_span(tree, separator);
        delete_span(deletions, span.begin, span.end);
    }
    delete_span(deletions, begin_of(tree, before_blank(tree, begin) + 1), begin_of(tree, end));
}

// All members of a row in one line.
static void delete_all(const SomSyntax *tree, Run run, SomReplacements *deletions) {
    int begin = som_syntax_first_token(tree, run.first);
    int separator = separator_after(tree, run.last);
    int end = separator != SOM_NO_TOKEN ? separator + 1 : som_syntax_end_token(tree, run.last);
    if (begin > 0 && is_kind(tree, begin - 1, SOM_TOKEN_BLANK)) {
        end = after_blank(tree, end);
    }
    delete_span(deletions, begin_of(tree, begin), begin_of(tree, end));
}

static void delete_run(const SomSyntax *tree, Run run, SomReplacements *deletions) {
    SomNode previous = som_syntax_previous_sibling(tree, run.first);
    SomNode next = som_syntax_next_sibling(tree, run.last);
    if (delete_lines(tree, run, deletions)) {
        return;
    }
    if (next != 0) {
        delete_before_next(tree, run, next, deletions);
    } else if (previous != 0) {
        delete_tail(tree, run, previous, deletions);
    } else {
        delete_all(tree, run, deletions);
    }
}

static int compare_nodes(const void *left, const void *right) {
    SomNode a = *(const SomNode *)left, b = *(const SomNode *)right;
    return (a > b) - (a < b);
}

void som_edits_add_deletions(const SomEdits *edits, SomReplacements *deletions) {
    int count = edits->removed.count;
    if (count == 0) {
        return;
    }
    SomNode *nodes = som_alloc((size_t)count * sizeof *nodes);
    memcpy(nodes, edits->removed.data, (size_t)count * sizeof *nodes);
    qsort(nodes, (size_t)count, sizeof *nodes, compare_nodes);
    for (int i = 0; i < count;) {
        // what is inside a removed member, and a member removed twice, is skipped
        Run run = {nodes[i], nodes[i]};
        SomNode end = edits->tree->nodes[nodes[i]].end;
        for (i++; i < count; i++) {
            SomNode next = som_syntax_next_sibling(edits->tree, run.last);
            if (nodes[i] >= end && nodes[i] != next) {
                break;
            }
            if (nodes[i] == next) {
                run.last = next;
                end = edits->tree->nodes[next].end;
            }
        }
        delete_run(edits->tree, run, deletions);
    }
    som_free(nodes);
}

// Putting in.

// Adds `text` with every line but the first indented.
static void add_indented(SomText *out, const SomEdits *edits, SomStr indentation, SomStr text) {
    size_t at = 0;
    while (at < text.length) {
        const char *newline = memchr(text.data + at, '\n', text.length - at);
        size_t end = newline != NULL ? (size_t)(newline - text.data) : text.length;
        SomStr line = som_str_slice(text, at, end);
        if (newline != NULL && som_str_ends_with(line, SOM_STR("\r"))) {
            line.length--;
        }
        if (at > 0 && line.length > 0) {
            som_text_add(out, indentation);
        }
        som_text_add(out, line);
        if (newline != NULL) {
            som_text_add(out, edits->newline);
        }
        at = end + 1;
    }
}

// A line of its own at the start of the line of `token`, which is first on it.
static void insert_line(SomEdits *edits, int token, SomStr indentation, SomStr text,
                        SomStr separator) {
    SomText line = {0};
    som_text_add(&line, indentation);
    add_indented(&line, edits, indentation, text);
    som_text_add(&line, separator);
    som_text_add(&line, edits->newline);
    uint32_t place = line_begin(edits->tree, token);
    som_edits_replace_span(edits, place, place, som_text_str(&line));
    som_text_free(&line);
}

// A line of its own behind token `end`: `separator` goes directly behind the member, the new line
// behind all that belongs to it.
static void append_line(SomEdits *edits, SomNode member, int end, SomStr separator, SomStr text) {
    const SomSyntax *tree = edits->tree;
    SomStr indentation = som_syntax_indentation(tree, som_syntax_span(tree, member).begin);
    uint32_t place = som_syntax_span(tree, member).end;
    SomText added = {0};
    som_text_add(&added, separator);
    som_text_add(&added, som_str_slice(som_syntax_source(tree), place, begin_of(tree, end)));
    som_text_add(&added, edits->newline);
    som_text_add(&added, indentation);
    add_indented(&added, edits, indentation, text);
    // with nothing in between it is an insertion, which others at the same place do not disturb
    som_edits_replace_span(edits, place, begin_of(tree, end), som_text_str(&added));
    som_text_free(&added);
}

// The separator with the blanks that members of this row have round it when they are on one line.
static SomStr inline_separator(const SomEdits *edits, SomNode member) {
    const SomSyntax *tree = edits->tree;
    const SomNode left[] = {som_syntax_previous_sibling(tree, member), member};
    const SomNode right[] = {member, som_syntax_next_sibling(tree, member)};
    for (int i = 0; i < 2; i++) {
        if (left[i] == 0 || right[i] == 0) {
            continue;
        }
        int begin = som_syntax_end_token(tree, left[i]),
            end = som_syntax_first_token(tree, right[i]);
        bool is_plain = end - begin <= 3;
        for (int token = begin; token < end && is_plain; token++) {
            is_plain = is_kind(tree, token, SOM_TOKEN_BLANK) ||
                       is_kind(tree, token, SOM_TOKEN_COMMA) ||
                       is_kind(tree, token, SOM_TOKEN_SEMICOLON);
        }
        if (is_plain && begin < end) {
            return som_str_slice(som_syntax_source(tree), begin_of(tree, begin),
                                 begin_of(tree, end));
        }
    }
    Separator separator = row_separator(tree, member);
    return separator == COMMA                            ? SOM_STR(", ")
           : separator == SEMICOLON                      ? SOM_STR("; ")
           : som_syntax_dialect(tree)->semicolon_is_part ? SOM_STR(" ")
                                                         : edits->newline;
}

static void insert_inline(SomEdits *edits, SomNode member, bool is_after, SomStr text) {
    const SomSyntax *tree = edits->tree;
    SomSpan span = som_syntax_span(tree, member);
    SomStr separator = inline_separator(edits, member);
    SomText added = {0};
    som_text_add(&added, is_after ? separator : text);
    som_text_add(&added, is_after ? text : separator);
    uint32_t place = is_after ? span.end : span.begin;
    som_edits_replace_span(edits, place, place, som_text_str(&added));
    som_text_free(&added);
}

void som_edits_insert_before(SomEdits *edits, SomNode member, SomStr text) {
    const SomSyntax *tree = edits->tree;
    assert(som_syntax_parent(tree, member) != 0);
    if (!is_first_on_line(tree, som_syntax_first_token(tree, member))) {
        insert_inline(edits, member, false, text);
        return;
    }
    SomStr indentation = som_syntax_indentation(tree, som_syntax_span(tree, member).begin);
    SomStr separator = row_separator(tree, member) == COMMA ? SOM_STR(",") : SOM_STR("");
    int first = som_syntax_leading_comments(tree, member).first;
    insert_line(edits, first, indentation, text, separator);
}

// A line of its own behind a member, the last of a list or any statement.
static void insert_line_after(SomEdits *edits, SomNode member, SomStr indentation, SomStr text) {
    const SomSyntax *tree = edits->tree;
    bool is_list = row_separator(tree, member) == COMMA;
    int separator = separator_after(tree, member);
    bool has_separator = separator != SOM_NO_TOKEN;
    int end = end_with_comment(tree, member);
    int newline = after_blank(tree, end);
    SomStr comma = is_list ? SOM_STR(",") : SOM_STR("");
    // a comma on a line below becomes that of the new member
    bool is_separated = has_separator && separator < newline;
    if (is_kind(tree, newline, SOM_TOKEN_NEWLINE) && (!is_list || is_separated)) {
        insert_line(edits, newline + 1, indentation, text, comma);
        return;
    }
    end = is_list && has_separator ? som_syntax_end_token(tree, member) : end;
    append_line(edits, member, end, comma, text);
}

void som_edits_insert_after(SomEdits *edits, SomNode member, SomStr text) {
    const SomSyntax *tree = edits->tree;
    assert(som_syntax_parent(tree, member) != 0);
    SomNode next = som_syntax_next_sibling(tree, member);
    bool is_first = is_first_on_line(tree, som_syntax_first_token(tree, member));
    bool next_is_first = next != 0 && is_first_on_line(tree, som_syntax_first_token(tree, next));
    if (next_is_first && row_separator(tree, member) == COMMA) {
        som_edits_insert_before(edits, next, text);
    } else if (next_is_first || (next == 0 && is_first)) {
        SomNode model = is_first ? member : next;
        SomStr indentation = som_syntax_indentation(tree, som_syntax_span(tree, model).begin);
        insert_line_after(edits, member, indentation, text);
    } else {
        insert_inline(edits, member, true, text);
    }
}

static SomNode last_child(const SomSyntax *tree, SomNode row) {
    SomNode last = tree->nodes[row].end - 1;
    while (last != row && tree->nodes[last].parent != row) {
        last = tree->nodes[last].parent;
    }
    return last != row ? last : 0;
}

// Into the brackets of an empty row. What is in a block stands on lines of its own.
static void insert_into_brackets(SomEdits *edits, int opener, SomStr text) {
    const SomSyntax *tree = edits->tree;
    int closer = som_syntax_partner(tree, opener);
    bool is_block = is_kind(tree, opener, SOM_TOKEN_LEFT_BRACE);
    int inside = opener + 1;
    int behind = after_blank(tree, inside);
    if (!is_block && (closer == SOM_NO_TOKEN || behind == closer)) {
        uint32_t end = begin_of(tree, closer == SOM_NO_TOKEN ? inside : behind);
        som_edits_replace_span(edits, begin_of(tree, inside), end, text);
        return;
    }
    SomStr outer = som_syntax_indentation(tree, begin_of(tree, opener));
    SomText inner = {0};
    som_text_add(&inner, outer);
    som_text_add(&inner, edits->indentation);
    if (closer != SOM_NO_TOKEN && behind != closer && is_first_on_line(tree, closer)) {
        insert_line(edits, closer, som_text_str(&inner), text, SOM_STR("")); // behind comments
    } else {
        SomText added = {0};
        som_text_add(&added, edits->newline);
        som_text_add(&added, som_text_str(&inner));
        add_indented(&added, edits, som_text_str(&inner), text);
        som_text_add(&added, edits->newline);
        som_text_add(&added, outer);
        uint32_t end = begin_of(tree, behind == closer ? behind : inside);
        som_edits_replace_span(edits, begin_of(tree, inside), end, som_text_str(&added));
        som_text_free(&added);
    }
    som_text_free(&inner);
}

// As the last line of a text that has no statements.
static void insert_at_end(SomEdits *edits, SomStr text) {
    SomStr source = som_syntax_source(edits->tree);
    SomText added = {0};
    // a text without statements: comments, empty lines, the mark some editors begin files with
    int count = som_syntax_token_count(edits->tree);
    bool ends_line = count == 0 || !is_kind(edits->tree, count - 1, SOM_TOKEN_COMMENT);
    som_text_add(&added, ends_line ? SOM_STR("") : edits->newline);
    add_indented(&added, edits, SOM_STR(""), text);
    som_text_add(&added, edits->newline);
    uint32_t end = (uint32_t)source.length;
    som_edits_replace_span(edits, end, end, som_text_str(&added));
    som_text_free(&added);
}

void som_edits_insert_into(SomEdits *edits, SomNode row, SomStr text) {
    const SomSyntax *tree = edits->tree;
    SomNode last = last_child(tree, row);
    if (last != 0) {
        som_edits_insert_after(edits, last, text);
        return;
    }
    for (int i = som_syntax_first_token(tree, row); i < som_syntax_end_token(tree, row); i++) {
        if (som_token_is_opener(som_syntax_token_kind(tree, i))) {
            insert_into_brackets(edits, i, text);
            return;
        }
    }
    if (row == SOM_ROOT) {
        insert_at_end(edits, text);
    } else {
        uint32_t end = som_syntax_span(tree, row).end;
        som_edits_replace_span(edits, end, end, text);
    }
}
