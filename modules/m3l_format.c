// SPDX-License-Identifier: Apache-2.0
// A definition is first turned into a row of items, each a token or comment with the blank before
// it and the depth at which the line may break before it. Then the row is laid out: whole if it
// fits, else broken greedily, outer depths first.

#include "modules/m3l_format.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "modules/m3l_syntax.h"

typedef enum ItemKind { TOKEN, TRAILING_COMMENT, OWN_COMMENT } ItemKind;

typedef struct Item {
    SomStr text;
    ItemKind kind;
    bool has_blank; // before it, unless it begins a line
    int depth;      // the line may break before it; 0: not
    bool is_forced; // in a definition that does not fit, it always begins a line
} Item;

typedef struct Formatter {
    const SomSyntax *tree;
    SomText *out;
    SOM_ARRAY(Item) items;
    int next_token; // tokens before it are done
    int last_kind;  // of the token before; -1 at the start
    bool last_was_unary;
    int column;
} Formatter;

// ---- items

static SomStr trimmed(SomStr text) {
    while (text.length > 0 &&
           (text.data[text.length - 1] == ' ' || text.data[text.length - 1] == '\t' ||
            text.data[text.length - 1] == '\r')) {
        text.length--;
    }
    return text;
}

// Comments between the token before and `token`.
static void add_comments(Formatter *f, int token) {
    bool on_new_line = f->next_token == 0;
    for (; f->next_token < token; f->next_token++) {
        SomTokenKind kind = som_syntax_token_kind(f->tree, f->next_token);
        if (kind == SOM_TOKEN_NEWLINE) {
            on_new_line = true;
        } else if (kind == SOM_TOKEN_COMMENT) {
            Item item = {.text = trimmed(som_syntax_token_text(f->tree, f->next_token)),
                         .kind = on_new_line ? OWN_COMMENT : TRAILING_COMMENT};
            som_array_push(&f->items, item);
        }
    }
}

static bool wants_blank(const Formatter *f, int kind, int parent) {
    int last = f->last_kind;
    if (last < 0 || last == SOM_TOKEN_LEFT_PAREN || last == SOM_TOKEN_LEFT_BRACKET ||
        last == SOM_TOKEN_DOT || last == SOM_TOKEN_EQUAL || f->last_was_unary) {
        return false;
    }
    switch (kind) {
    case SOM_TOKEN_RIGHT_PAREN:
    case SOM_TOKEN_RIGHT_BRACKET:
    case SOM_TOKEN_COMMA:
    case SOM_TOKEN_COLON:
    case SOM_TOKEN_DOT:
    case SOM_TOKEN_EQUAL:
    case SOM_TOKEN_UNIT:
    case SOM_TOKEN_STAR:
    case SOM_TOKEN_SLASH:
        return false;
    case SOM_TOKEN_LEFT_PAREN:
        return parent != SOM_M3L_CALL;
    default:
        return last != SOM_TOKEN_STAR && last != SOM_TOKEN_SLASH;
    }
}

static void add_token(Formatter *f, int token, int parent, int depth, bool is_forced) {
    add_comments(f, token);
    f->next_token = token + 1;
    int kind = (int)som_syntax_token_kind(f->tree, token);
    Item item = {.text = som_syntax_token_text(f->tree, token),
                 .kind = TOKEN,
                 .has_blank = wants_blank(f, kind, parent) && parent != SOM_M3L_UNIT,
                 .depth = depth,
                 .is_forced = is_forced};
    som_array_push(&f->items, item);
    f->last_kind = kind;
    f->last_was_unary = parent == SOM_M3L_NEGATION;
}

static bool is_list(int kind) {
    return kind == SOM_M3L_TUPLE || kind == SOM_M3L_CALL || kind == SOM_M3L_RANGE;
}

static bool is_connective(const Formatter *f, int token, int parent) {
    return (parent == SOM_M3L_AND || parent == SOM_M3L_OR) &&
           som_syntax_token_kind(f->tree, token) == SOM_TOKEN_WORD;
}

// `depth` and `is_forced` are for the first token of the node, `inner` for breaks inside it.
static void add_node(Formatter *f, SomNode node, int depth, bool is_forced, int inner) {
    int kind = som_syntax_kind(f->tree, node);
    bool is_first = true, is_after_comma = false, was_nested = false;
    SomElements it = som_syntax_elements(f->tree, node);
    while (som_elements_next(&it)) {
        int own_depth = is_first ? depth : 0;
        bool own_forced = is_first && is_forced;
        if (it.node == 0) {
            if (!is_first && is_connective(f, it.token, kind)) {
                own_depth = inner;
            }
            add_token(f, it.token, kind, own_depth, own_forced);
            is_after_comma = som_syntax_token_kind(f->tree, it.token) == SOM_TOKEN_COMMA;
        } else {
            int child = som_syntax_kind(f->tree, it.node);
            bool is_nested = kind == SOM_M3L_DEFINITION && child == SOM_M3L_NESTED;
            bool is_attribute = child == SOM_M3L_ATTRIBUTE;
            if (is_nested || is_attribute) {
                own_depth = inner;
                own_forced = is_attribute && was_nested;
            } else if (is_list(kind) && is_after_comma) {
                own_depth = inner;
            }
            add_node(f, it.node, own_depth, own_forced, inner + 1);
            was_nested = is_nested;
            is_after_comma = false;
        }
        is_first = false;
    }
}

// ---- layout

static int width_of(const Item *item) {
    return som_utf8_count(item->text) + (item->has_blank ? 1 : 0);
}

static void new_line(Formatter *f, int indent) {
    som_text_add_char(f->out, '\n', 1);
    som_text_add_char(f->out, ' ', indent);
    f->column = indent;
}

static void write_item(Formatter *f, const Item *item, bool begins_line) {
    if (item->has_blank && !begins_line) {
        som_text_add_char(f->out, ' ', 1);
    }
    som_text_add(f->out, item->text);
    f->column += width_of(item) - (item->has_blank && begins_line ? 1 : 0);
}

// How wide it is from item `first` to before the next one where the line may break as early.
static int width_from(const Formatter *f, int first) {
    int depth = f->items.data[first].depth;
    int width = width_of(&f->items.data[first]);
    for (int i = first + 1; i < f->items.count && width <= SOM_M3L_WIDTH; i++) {
        const Item *item = &f->items.data[i];
        if (item->kind != TOKEN || (item->depth > 0 && item->depth <= depth)) {
            break;
        }
        width += width_of(item);
    }
    return width;
}

static bool fits_whole(const Formatter *f) {
    int width = 0;
    for (int i = 0; i < f->items.count; i++) {
        if (f->items.data[i].kind != TOKEN) {
            return false;
        }
        width += width_of(&f->items.data[i]);
        if (width > SOM_M3L_WIDTH) {
            return false;
        }
    }
    return true;
}

static void lay_out(Formatter *f) {
    bool is_whole = fits_whole(f);
    bool must_break = false;
    f->column = 0;
    for (int i = 0; i < f->items.count; i++) {
        const Item *item = &f->items.data[i];
        if (item->kind == TRAILING_COMMENT) {
            som_text_add_char(f->out, ' ', 1);
            som_text_add(f->out, item->text);
            must_break = true;
            continue;
        }
        bool is_own = item->kind == OWN_COMMENT;
        int indent = item->depth > 1 ? 8 : 4;
        bool breaks = must_break || is_own ||
                      (!is_whole && i > 0 && item->depth > 0 &&
                       (item->is_forced || f->column + width_from(f, i) > SOM_M3L_WIDTH));
        if (breaks) {
            new_line(f, indent);
        }
        write_item(f, item, breaks || i == 0);
        must_break = is_own;
    }
    som_text_add_char(f->out, '\n', 1);
}

// ---- the file

static bool is_top(const Formatter *f, SomNode definition) {
    SomStr word = som_syntax_token_text(f->tree, som_syntax_first_token(f->tree, definition));
    return som_str_equal(word, SOM_STR("module")) || som_str_equal(word, SOM_STR("connection")) ||
           som_str_equal(word, SOM_STR("robot"));
}

// Puts a comment behind the line just written.
static void write_behind(Formatter *f, SomStr comment) {
    if (f->out->length > 0 && f->out->data[f->out->length - 1] == '\n') {
        f->out->length--;
        som_text_add_char(f->out, ' ', 1);
    }
    som_text_add(f->out, comment);
    som_text_add_char(f->out, '\n', 1);
}

// Comments and empty lines between definitions, up to token `end`. `stands_apart`: an empty line is
// wanted before what follows.
static void write_between(Formatter *f, int end, bool stands_apart, size_t start) {
    int newlines = f->next_token == 0 ? 1 : 0;
    bool has_comment = false;
    int comments_left = 0;
    for (int i = f->next_token; i < end; i++) {
        comments_left += som_syntax_token_kind(f->tree, i) == SOM_TOKEN_COMMENT;
    }
    for (; f->next_token < end; f->next_token++) {
        SomTokenKind kind = som_syntax_token_kind(f->tree, f->next_token);
        newlines += kind == SOM_TOKEN_NEWLINE;
        if (kind != SOM_TOKEN_COMMENT) {
            continue;
        }
        comments_left--;
        SomStr comment = trimmed(som_syntax_token_text(f->tree, f->next_token));
        if (newlines == 0) {
            write_behind(f, comment);
        } else {
            bool is_first = f->out->length == start;
            if (!is_first && (newlines > 1 || (stands_apart && !has_comment))) {
                som_text_add_char(f->out, '\n', 1);
            }
            som_text_add(f->out, comment);
            som_text_add_char(f->out, '\n', 1);
            has_comment = true;
        }
        newlines = 0;
    }
    bool is_end = som_syntax_token_kind(f->tree, end) == SOM_TOKEN_END;
    if (!is_end && f->out->length > start && (newlines > 1 || (stands_apart && !has_comment))) {
        som_text_add_char(f->out, '\n', 1);
    }
}

bool som_m3l_format(const SomSyntax *tree, SomText *out) {
    if (som_syntax_has_error(tree, SOM_ROOT)) {
        return false;
    }
    Formatter f = {.tree = tree, .out = out};
    size_t start = out->length;
    SomNode node = som_syntax_find_child(tree, SOM_ROOT, SOM_M3L_DEFINITION);
    for (; node != 0; node = som_syntax_find_next(tree, node, SOM_M3L_DEFINITION)) {
        write_between(&f, som_syntax_first_token(tree, node), is_top(&f, node), start);
        f.items.count = 0;
        f.last_kind = -1;
        f.last_was_unary = false;
        add_node(&f, node, 0, false, 1);
        lay_out(&f);
    }
    write_between(&f, som_syntax_token_count(tree), false, start);
    som_array_free(&f.items);
    return true;
}
