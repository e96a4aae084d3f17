// SPDX-License-Identifier: Apache-2.0
// A statement is turned into a row of words, groups and possible breaks, which language/layout.c
// puts on lines. Between statements, comments and empty lines are copied.

#include "language/som_format.h"

#include "language/layout.h"
#include "language/som_syntax.h"
#include "language/unit.h"

// Tokens that may become one unit: N * s / m.
#define LONGEST_UNIT 9

typedef struct Formatter {
    const SomSyntax *tree;
    SomText *out;
    SomLayout layout;
    int next_token; // tokens before it are done
    int last_token; // of the statement: comments behind it are not its own
    int last_kind;  // of the token before; -1 after a possible break
    bool last_was_sign;
    bool is_loose; // blanks round the operator just written
    int tight;     // levels of [ ] and ranges, in which sums are written without blanks
    int brackets;  // open ( and [, in which a newline is a blank
} Formatter;

static void add_node(Formatter *f, SomNode node);

// ---- words

static SomStr trimmed(SomStr text) {
    while (text.length > 0 && strchr(" \t\r", text.data[text.length - 1]) != NULL) {
        text.length--;
    }
    return text;
}

static int kind_of(const Formatter *f, int token) {
    return (int)som_syntax_token_kind(f->tree, token);
}

// The first token from `token` on that is no trivia.
static int solid_from(const Formatter *f, int token) {
    int count = som_syntax_token_count(f->tree);
    while (token < count && som_token_is_trivia((unsigned)kind_of(f, token))) {
        token++;
    }
    return token;
}

static bool is_closer(const Formatter *f, int token) {
    return som_token_is_closer((unsigned)kind_of(f, token));
}

// Comments behind the token just written.
static void add_comments(Formatter *f) {
    bool on_own_line = false;
    int end = solid_from(f, f->next_token);
    for (; f->next_token < end; f->next_token++) {
        int kind = kind_of(f, f->next_token);
        on_own_line |= kind == SOM_TOKEN_NEWLINE;
        if (kind == SOM_TOKEN_COMMENT) {
            SomStr text = trimmed(som_syntax_token_text(f->tree, f->next_token));
            som_layout_comment(&f->layout, text, on_own_line);
        }
    }
}

// "1." and "..", or ".." and ".5", are something else when glued.
static bool is_loose_range(const Formatter *f, int token) {
    SomStr before = som_syntax_token_text(f->tree, token - 1);
    SomStr after = som_syntax_token_text(f->tree, solid_from(f, token + 1));
    int at = token - 1;
    while (at > 0 && som_token_is_trivia((unsigned)kind_of(f, at))) {
        before = som_syntax_token_text(f->tree, --at);
    }
    return som_str_ends_with(before, SOM_STR(".")) || som_str_starts_with(after, SOM_STR("."));
}

// Would the operator, glued to the unit before it, begin a longer unit? 10m / s is not 10m/s.
static bool makes_a_unit(const Formatter *f, int token) {
    SomText text = {0};
    int at = token - 1;
    while (at > 0 && som_token_is_trivia((unsigned)kind_of(f, at))) {
        at--;
    }
    size_t length = som_syntax_token_text(f->tree, at).length;
    bool is_longer = false;
    for (int i = 0; i < LONGEST_UNIT && at < som_syntax_token_count(f->tree); i++) {
        som_text_add(&text, som_syntax_token_text(f->tree, at));
        const SomUnit *unit = som_unit_match(som_text_str(&text));
        is_longer |= unit == NULL || unit->text.length > length;
        at = solid_from(f, at + 1);
    }
    som_text_free(&text);
    return is_longer;
}

// Operators without blanks round them.
static bool is_tight_operator(const Formatter *f, int token, int parent) {
    switch (kind_of(f, token)) {
    case SOM_TOKEN_STAR:
    case SOM_TOKEN_SLASH:
    case SOM_TOKEN_CARET:
        return f->last_kind != SOM_TOKEN_UNIT || !makes_a_unit(f, token);
    case SOM_TOKEN_DOT_DOT:
        return !is_loose_range(f, token);
    case SOM_TOKEN_PLUS:
    case SOM_TOKEN_MINUS:
        return parent == SOM_SOM_SUM && f->tight > 0;
    default:
        return false;
    }
}

static bool is_operator(int kind) {
    return kind == SOM_TOKEN_STAR || kind == SOM_TOKEN_SLASH || kind == SOM_TOKEN_CARET ||
           kind == SOM_TOKEN_DOT_DOT || kind == SOM_TOKEN_PLUS || kind == SOM_TOKEN_MINUS;
}

static bool is_list(int kind) {
    return kind == SOM_SOM_PARAMETERS || kind == SOM_SOM_ARGUMENTS || kind == SOM_SOM_VECTOR ||
           kind == SOM_SOM_KEYS || kind == SOM_SOM_SERIES || kind == SOM_SOM_PARALLEL ||
           kind == SOM_SOM_ANY || kind == SOM_SOM_CHOOSE;
}

static bool wants_blank(const Formatter *f, int token, int parent) {
    int last = f->last_kind;
    if (last < 0 || last == SOM_TOKEN_LEFT_PAREN || last == SOM_TOKEN_LEFT_BRACKET ||
        last == SOM_TOKEN_DOT || f->last_was_sign) {
        return false;
    }
    if (is_operator(last) && !f->is_loose) {
        return false;
    }
    int kind = kind_of(f, token);
    switch (kind) {
    case SOM_TOKEN_RIGHT_PAREN:
    case SOM_TOKEN_RIGHT_BRACKET:
    case SOM_TOKEN_COMMA:
    case SOM_TOKEN_DOT:
    case SOM_TOKEN_UNIT:
        return false;
    case SOM_TOKEN_RIGHT_BRACE:
        return last != SOM_TOKEN_LEFT_BRACE;
    case SOM_TOKEN_COLON:
        return parent == SOM_SOM_PART || parent == SOM_SOM_INPUT;
    case SOM_TOKEN_LEFT_PAREN:
        return !is_list(parent) || parent == SOM_SOM_VECTOR;
    case SOM_TOKEN_LEFT_BRACKET:
        return parent != SOM_SOM_INDEX;
    default:
        return !is_tight_operator(f, token, parent);
    }
}

// Do only a closing bracket and perhaps a comma follow? Comments here stand behind the last member.
static bool is_before_closer(const Formatter *f, int token) {
    token = solid_from(f, token);
    if (kind_of(f, token) == SOM_TOKEN_COMMA) {
        token = solid_from(f, token + 1);
    }
    return is_closer(f, token);
}

static void add_token(Formatter *f, int token, int parent) {
    int kind = kind_of(f, token);
    if (is_closer(f, token)) {
        add_comments(f);
    }
    if (wants_blank(f, token, parent)) {
        som_layout_text(&f->layout, SOM_STR(" "));
    }
    f->is_loose = is_operator(kind) && !is_tight_operator(f, token, parent);
    f->last_was_sign = parent == SOM_SOM_NEGATION;
    f->last_kind = kind;
    som_layout_text(&f->layout, som_syntax_token_text(f->tree, token));
    f->brackets += kind == SOM_TOKEN_LEFT_PAREN || kind == SOM_TOKEN_LEFT_BRACKET;
    f->brackets -= kind == SOM_TOKEN_RIGHT_PAREN || kind == SOM_TOKEN_RIGHT_BRACKET;
    f->next_token = token + 1;
    if (token != f->last_token && !is_before_closer(f, token + 1)) {
        add_comments(f);
    }
}

static void add_line(Formatter *f, int flags) {
    bool is_continued = f->brackets == 0 && (flags & SOM_LINE_CONTINUED) != 0;
    som_layout_line(&f->layout, is_continued ? flags : flags & ~SOM_LINE_CONTINUED);
    f->last_kind = -1;
    f->is_loose = false;
    f->last_was_sign = false;
}

// ---- nodes

static bool is_action_list(int kind) {
    return kind == SOM_SOM_SERIES || kind == SOM_SOM_PARALLEL || kind == SOM_SOM_ANY ||
           kind == SOM_SOM_CHOOSE;
}

// The only member of a list of actions that is one for each of a range stays at the bracket.
static bool is_comprehension(const Formatter *f, SomNode node) {
    SomNode member = som_syntax_first_child(f->tree, node);
    return member != 0 && som_syntax_kind(f->tree, member) == SOM_SOM_EACH &&
           som_syntax_next_sibling(f->tree, member) == 0;
}

// A comma; none behind the last member.
static void add_comma(Formatter *f, int token, int parent, int flags) {
    if (is_closer(f, solid_from(f, token + 1))) {
        add_comments(f);
        f->next_token = token + 1;
    } else {
        add_token(f, token, parent);
        add_line(f, flags);
    }
}

static void add_list(Formatter *f, SomNode node) {
    int kind = som_syntax_kind(f->tree, node);
    bool has_members = som_syntax_first_child(f->tree, node) != 0;
    bool is_hugged = is_action_list(kind) && is_comprehension(f, node);
    bool has_lines = has_members && !is_hugged;
    int flags = is_action_list(kind) ? SOM_LINE_BLANK : SOM_LINE_BLANK | SOM_LINE_FILL;
    som_layout_begin(&f->layout);
    SomElements it = som_syntax_elements(f->tree, node);
    while (som_elements_next(&it)) {
        if (it.node != 0) {
            add_node(f, it.node);
        } else if (kind_of(f, it.token) == SOM_TOKEN_COMMA) {
            add_comma(f, it.token, kind, flags);
        } else if (is_closer(f, it.token)) {
            add_comments(f);
            if (has_lines) {
                som_layout_end(&f->layout);
                som_layout_indent(&f->layout, -1);
            }
            add_token(f, it.token, kind);
        } else {
            bool is_opener = som_token_is_opener((unsigned)kind_of(f, it.token));
            if (is_opener && has_lines) { // comments behind the bracket are as deep as the members
                som_layout_indent(&f->layout, 1);
            }
            add_token(f, it.token, kind);
            if (is_opener && has_lines) {
                add_line(f, 0);
                som_layout_begin(&f->layout);
            }
        }
    }
    som_layout_end(&f->layout);
}

// a + b - c and the like: may break before its operators.
static void add_chain(Formatter *f, SomNode node) {
    int kind = som_syntax_kind(f->tree, node);
    int flags = SOM_LINE_CONTINUED | SOM_LINE_INDENTED |
                (kind == SOM_SOM_SUM && f->tight > 0 ? 0 : SOM_LINE_BLANK);
    som_layout_begin(&f->layout);
    SomElements it = som_syntax_elements(f->tree, node);
    while (som_elements_next(&it)) {
        if (it.node != 0) {
            add_node(f, it.node);
        } else {
            add_line(f, flags);
            add_token(f, it.token, kind);
        }
    }
    som_layout_end(&f->layout);
}

// for i in 1..n: action, or condition: action
static void add_each(Formatter *f, SomNode node) {
    int kind = som_syntax_kind(f->tree, node);
    som_layout_begin(&f->layout);
    bool is_behind_colon = false;
    SomElements it = som_syntax_elements(f->tree, node);
    while (som_elements_next(&it)) {
        if (it.node == 0) {
            add_token(f, it.token, kind);
            is_behind_colon = kind_of(f, it.token) == SOM_TOKEN_COLON;
            continue;
        }
        bool is_apart = is_behind_colon && !is_action_list(som_syntax_kind(f->tree, it.node));
        if (is_apart) {
            som_layout_indent(&f->layout, 1);
            add_line(f, SOM_LINE_BLANK | SOM_LINE_CONTINUED);
        }
        add_node(f, it.node);
        if (is_apart) {
            som_layout_indent(&f->layout, -1);
        }
    }
    som_layout_end(&f->layout);
}

// Lines before "else". Outside of brackets they go on further right.
static void add_either(Formatter *f, SomNode node) {
    int kind = som_syntax_kind(f->tree, node);
    bool is_indented = f->brackets == 0 || kind == SOM_SOM_IF;
    som_layout_begin(&f->layout);
    SomElements it = som_syntax_elements(f->tree, node);
    while (som_elements_next(&it)) {
        if (it.node != 0) {
            add_node(f, it.node);
            continue;
        }
        if (som_str_equal(som_syntax_token_text(f->tree, it.token), SOM_STR("else"))) {
            add_line(f,
                     SOM_LINE_BLANK | SOM_LINE_CONTINUED | (is_indented ? SOM_LINE_INDENTED : 0));
        }
        add_token(f, it.token, kind);
    }
    som_layout_end(&f->layout);
}

// What follows may be on lines of its own.
static bool is_clause(int kind) {
    return kind == SOM_SOM_UNTIL || kind == SOM_SOM_WITHIN || kind == SOM_SOM_TIMEOUT ||
           kind == SOM_SOM_DURING || kind == SOM_SOM_LATCH || kind == SOM_SOM_AT ||
           kind == SOM_SOM_AS || kind == SOM_SOM_GAP || kind == SOM_SOM_FORCED ||
           kind == SOM_SOM_FOR || kind == SOM_SOM_FRAME || kind == SOM_SOM_GROUND ||
           kind == SOM_SOM_TURNED || kind == SOM_SOM_FIXED;
}

static void add_plain(Formatter *f, SomNode node) {
    int kind = som_syntax_kind(f->tree, node);
    bool is_tight = kind == SOM_SOM_INDEX || kind == SOM_SOM_RANGE;
    bool is_part = kind == SOM_SOM_PART;
    f->tight += is_tight;
    som_layout_begin(&f->layout);
    SomElements it = som_syntax_elements(f->tree, node);
    while (som_elements_next(&it)) {
        if (it.node != 0) {
            if (is_clause(som_syntax_kind(f->tree, it.node)) && f->last_kind >= 0) {
                add_line(f,
                         SOM_LINE_BLANK | SOM_LINE_FILL | SOM_LINE_CONTINUED | SOM_LINE_INDENTED);
            }
            add_node(f, it.node);
            continue;
        }
        bool is_comma = kind_of(f, it.token) == SOM_TOKEN_COMMA;
        add_token(f, it.token, kind);
        if (is_part && is_comma) {
            add_line(f, SOM_LINE_BLANK | SOM_LINE_FILL | SOM_LINE_INDENTED);
        }
    }
    som_layout_end(&f->layout);
    f->tight -= is_tight;
}

static void add_node(Formatter *f, SomNode node) {
    int kind = som_syntax_kind(f->tree, node);
    if (is_list(kind)) {
        add_list(f, node);
    } else if (kind == SOM_SOM_SUM || kind == SOM_SOM_AND || kind == SOM_SOM_OR) {
        add_chain(f, node);
    } else if (kind == SOM_SOM_EACH || kind == SOM_SOM_BRANCH) {
        add_each(f, node);
    } else if (kind == SOM_SOM_IF || kind == SOM_SOM_EITHER) {
        add_either(f, node);
    } else {
        add_plain(f, node);
    }
}

// ---- statements

// Copies comments and empty lines between statements, from next_token to before `end`, and begins
// the line of what follows. `is_first`: behind '{' or at the start; `is_last`: before '}' or at the
// end; `stands_apart`: an empty line is wanted before what follows.
static void write_between(Formatter *f, int end, int indent, bool is_first, bool is_last,
                          bool stands_apart) {
    int newlines = f->next_token == 0 ? 1 : 0;
    bool is_start = f->next_token == 0;
    for (; f->next_token < end; f->next_token++) {
        int kind = kind_of(f, f->next_token);
        newlines += kind == SOM_TOKEN_NEWLINE;
        if (kind != SOM_TOKEN_COMMENT) {
            continue;
        }
        SomStr comment = trimmed(som_syntax_token_text(f->tree, f->next_token));
        if (newlines == 0) {
            som_text_add_char(f->out, ' ', 1);
        } else {
            bool is_apart = !is_first && (newlines > 1 || stands_apart);
            som_text_add_char(f->out, '\n', is_start ? 0 : is_apart ? 2 : 1);
            som_text_add_char(f->out, ' ', indent);
            stands_apart = false;
            is_first = false;
        }
        som_text_add(f->out, comment);
        is_start = false;
        newlines = 0;
    }
    if (is_last) {
        return;
    }
    bool is_apart = !is_first && (newlines > 1 || stands_apart);
    som_text_add_char(f->out, '\n', is_start ? 0 : is_apart ? 2 : 1);
    som_text_add_char(f->out, ' ', indent);
}

static void begin_statement(Formatter *f, int last_token) {
    f->last_kind = -1;
    f->last_was_sign = false;
    f->is_loose = false;
    f->last_token = last_token;
}

static void write_statement(Formatter *f, SomNode node, int indent);

// What stands in a file, a body, a pose or options. `end` is its closing bracket, or the end.
static void write_statements(Formatter *f, SomNode row, int end, int indent) {
    bool is_first = true, was_config = false;
    SomNode node = som_syntax_first_child(f->tree, row);
    for (; node != 0; node = som_syntax_next_sibling(f->tree, node)) {
        bool is_config = som_syntax_kind(f->tree, node) == SOM_SOM_CONFIG;
        write_between(f, som_syntax_first_token(f->tree, node), indent, is_first, false,
                      is_config || was_config);
        write_statement(f, node, indent);
        is_first = false;
        was_config = is_config;
    }
    write_between(f, end, indent, is_first, true, was_config);
}

// A pose or options whose entries stand on one line, if they did and there is room.
static bool write_on_one_line(Formatter *f, SomNode node, SomNode entries, int indent) {
    int opener = som_syntax_first_token(f->tree, entries);
    int end = som_syntax_end_token(f->tree, node);
    for (int i = opener; i < end; i++) {
        if (kind_of(f, i) == SOM_TOKEN_NEWLINE) {
            return false;
        }
    }
    Formatter before = *f;
    begin_statement(f, end - 1);
    SomElements it = som_syntax_elements(f->tree, node);
    while (som_elements_next(&it) && it.node != entries) {
        if (it.node != 0) {
            add_node(f, it.node);
        } else {
            add_token(f, it.token, som_syntax_kind(f->tree, node));
        }
    }
    add_token(f, opener, SOM_SOM_ENTRIES);
    SomNode entry = som_syntax_first_child(f->tree, entries);
    for (bool is_first = true; entry != 0; entry = som_syntax_next_sibling(f->tree, entry)) {
        som_layout_text(&f->layout, is_first ? SOM_STR(" ") : SOM_STR("; "));
        f->last_kind = -1;
        add_node(f, entry);
        is_first = false;
    }
    add_token(f, end - 1, SOM_SOM_ENTRIES);
    if (som_layout_flat_width(&f->layout) + indent <= SOM_SOM_WIDTH) {
        som_layout_print(&f->layout, indent);
        return true;
    }
    SomLayout layout = f->layout;
    *f = before;
    f->layout.items = layout.items; // may have grown
    f->layout.items.count = 0;
    return false;
}

// A statement that ends with a block.
static void write_block(Formatter *f, SomNode node, SomNode block, int indent) {
    int opener = som_syntax_first_token(f->tree, block);
    int closer = som_syntax_end_token(f->tree, block) - 1;
    begin_statement(f, opener);
    SomElements it = som_syntax_elements(f->tree, node);
    while (som_elements_next(&it) && it.node != block) {
        if (it.node != 0) {
            add_node(f, it.node);
        } else {
            add_token(f, it.token, som_syntax_kind(f->tree, node));
        }
    }
    add_token(f, opener, som_syntax_kind(f->tree, block));
    som_layout_print(&f->layout, indent);
    size_t length = f->out->length;
    write_statements(f, block, closer, indent + SOM_LAYOUT_STEP);
    if (f->out->length > length) {
        som_text_add_char(f->out, '\n', 1);
        som_text_add_char(f->out, ' ', indent);
    }
    som_text_add(f->out, SOM_STR("}"));
    f->next_token = closer + 1;
}

static void write_statement(Formatter *f, SomNode node, int indent) {
    SomNode block = som_syntax_find_child(f->tree, node, SOM_SOM_BODY);
    SomNode entries = som_syntax_find_child(f->tree, node, SOM_SOM_ENTRIES);
    if (entries != 0 && write_on_one_line(f, node, entries, indent)) {
        return;
    }
    if (block != 0 || entries != 0) {
        write_block(f, node, block != 0 ? block : entries, indent);
        return;
    }
    begin_statement(f, som_syntax_end_token(f->tree, node) - 1);
    add_node(f, node);
    som_layout_print(&f->layout, indent);
}

bool som_som_format(const SomSyntax *tree, SomText *out) {
    if (som_syntax_has_error(tree, SOM_ROOT)) {
        return false;
    }
    size_t length = out->length;
    Formatter f = {.tree = tree, .out = out, .layout = {.out = out, .width = SOM_SOM_WIDTH}};
    write_statements(&f, SOM_ROOT, som_syntax_token_count(tree), 0);
    if (out->length > length) {
        som_text_add_char(out, '\n', 1);
    }
    som_layout_free(&f.layout);
    return true;
}
