// SPDX-License-Identifier: Apache-2.0
#include "language/layout.h"

#include "base/utf8.h"

#include <assert.h>

enum { TEXT, LINE, BEGIN, END, INDENT, COMMENT, OWN_COMMENT };

static void add(SomLayout *layout, int kind, int value, SomStr text) {
    SomLayoutItem item = {(unsigned char)kind, (signed char)value, text};
    som_array_push(&layout->items, item);
}

void som_layout_text(SomLayout *layout, SomStr text) {
    add(layout, TEXT, 0, text);
}

void som_layout_line(SomLayout *layout, int flags) {
    add(layout, LINE, flags, SOM_STR(""));
}

void som_layout_begin(SomLayout *layout) {
    add(layout, BEGIN, 0, SOM_STR(""));
}

void som_layout_end(SomLayout *layout) {
    add(layout, END, 0, SOM_STR(""));
}

void som_layout_indent(SomLayout *layout, int steps) {
    add(layout, INDENT, steps, SOM_STR(""));
}

void som_layout_comment(SomLayout *layout, SomStr text, bool on_own_line) {
    add(layout, on_own_line ? OWN_COMMENT : COMMENT, 0, text);
}

// ---- measuring

static int flat_width_of(const SomLayoutItem *item) {
    if (item->kind == TEXT) {
        return som_utf8_count(item->text);
    }
    return item->kind == LINE && (item->value & SOM_LINE_BLANK) != 0 ? 1 : 0;
}

static bool is_comment(const SomLayoutItem *item) {
    return item->kind == COMMENT || item->kind == OWN_COMMENT;
}

// Does the group with `depth` open levels end before another word? Then a comment here stands
// behind it, not in it.
static bool ends_here(const SomLayout *layout, int at, int depth) {
    for (; at < layout->items.count && depth > 0; at++) {
        const SomLayoutItem *item = &layout->items.data[at];
        if (item->kind == TEXT || item->kind == LINE) {
            return false;
        }
        depth += item->kind == BEGIN ? 1 : item->kind == END ? -1 : 0;
    }
    return true;
}

// Where the next word would be.
static int next_column(const SomLayout *layout) {
    return layout->needs_newline ? layout->line_indent : layout->column;
}

// Whether what begins at item `first` fits flat: the group that begins there, and behind it all up
// to the next line; or with `depth` 0 all up to the next line.
static bool fits(const SomLayout *layout, int first, int depth) {
    int column = next_column(layout);
    for (int i = first; i < layout->items.count; i++) {
        const SomLayoutItem *item = &layout->items.data[i];
        if (item->kind == LINE && depth == 0) {
            return true;
        }
        if (is_comment(item)) {
            return ends_here(layout, i, depth);
        }
        if (item->kind == BEGIN || item->kind == END) {
            // only levels of this group count: lines behind it may all be broken
            depth += item->kind == BEGIN ? (depth > 0 || i == first) : depth > 0 ? -1 : 0;
        }
        column += flat_width_of(item);
        if (column > layout->width) {
            return false;
        }
    }
    return true;
}

int som_layout_flat_width(const SomLayout *layout) {
    int width = 0;
    for (int i = 0; i < layout->items.count; i++) {
        const SomLayoutItem *item = &layout->items.data[i];
        width += flat_width_of(item);
        if (width > layout->width || is_comment(item)) {
            return layout->width + 1;
        }
    }
    return width;
}

// ---- printing

static int cut_indent(int blanks) {
    return blanks < SOM_LAYOUT_MAX_INDENT ? blanks : SOM_LAYOUT_MAX_INDENT;
}

static void need_newline(SomLayout *layout, int indent) {
    layout->needs_newline = true;
    layout->line_indent = cut_indent(indent);
}

static void write(SomLayout *layout, SomStr text) {
    if (layout->needs_newline) {
        som_text_add_char(layout->out, '\n', 1);
        som_text_add_char(layout->out, ' ', layout->line_indent);
        layout->column = layout->line_indent;
        layout->needs_newline = false;
    }
    som_text_add(layout->out, text);
    layout->column += som_utf8_count(text);
}

static bool is_broken(const SomLayout *layout) {
    return layout->groups.count == 0 || layout->groups.data[layout->groups.count - 1];
}

static void print_line(SomLayout *layout, int at) {
    int flags = layout->items.data[at].value;
    int indent = layout->indent + ((flags & SOM_LINE_INDENTED) != 0 ? SOM_LAYOUT_STEP : 0);
    int blank = (flags & SOM_LINE_BLANK) != 0 ? 1 : 0;
    if (layout->needs_newline) { // a comment has ended the line
        need_newline(layout, indent);
        return;
    }
    bool breaks = is_broken(layout);
    if (breaks && (flags & SOM_LINE_FILL) != 0) {
        layout->column += blank;
        breaks = !fits(layout, at + 1, 0);
        layout->column -= blank;
    }
    if (breaks) {
        write(layout, (flags & SOM_LINE_CONTINUED) != 0 ? SOM_STR(" \\") : SOM_STR(""));
        need_newline(layout, indent);
    } else {
        write(layout, blank != 0 ? SOM_STR(" ") : SOM_STR(""));
    }
}

static void print_comment(SomLayout *layout, const SomLayoutItem *item) {
    if (item->kind == OWN_COMMENT) {
        need_newline(layout, layout->indent);
    } else if (!layout->needs_newline) {
        write(layout, SOM_STR(" "));
    }
    write(layout, item->text);
    need_newline(layout, layout->indent);
}

static void print_indent(SomLayout *layout, int blanks) {
    layout->indent = blanks;
    if (layout->needs_newline && blanks < layout->line_indent) {
        layout->line_indent = blanks; // the bracket that ends what was indented
    }
}

void som_layout_print(SomLayout *layout, int indent) {
    int steps = 0;
    layout->indent = indent;
    layout->column = indent;
    layout->needs_newline = false;
    for (int i = 0; i < layout->items.count; i++) {
        const SomLayoutItem *item = &layout->items.data[i];
        switch (item->kind) {
        case TEXT:
            if (!layout->needs_newline || !som_str_equal(item->text, SOM_STR(" "))) {
                write(layout, item->text);
            }
            break;
        case LINE:
            print_line(layout, i);
            break;
        case BEGIN: {
            bool breaks = is_broken(layout) && !fits(layout, i, 0);
            som_array_push(&layout->groups, breaks);
            break;
        }
        case END:
            assert(layout->groups.count > 0);
            layout->groups.count--;
            break;
        case INDENT:
            steps += item->value;
            print_indent(layout, indent + steps * SOM_LAYOUT_STEP);
            break;
        default:
            print_comment(layout, item);
        }
    }
    assert(layout->groups.count == 0 && steps == 0);
    layout->items.count = 0;
}

void som_layout_free(SomLayout *layout) {
    som_array_free(&layout->items);
    som_array_free(&layout->groups);
}
