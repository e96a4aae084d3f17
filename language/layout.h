// language/layout.h - puts a row of words on lines: what fits stays together, what does not breaks.
//
//     SomLayout layout = {.out = &out, .width = 100};
//     som_layout_text(&layout, SOM_STR("series("));
//     som_layout_begin(&layout);                       // a group: all its lines break, or none
//     som_layout_indent(&layout, 1);
//     som_layout_line(&layout, 0);
//     ...
//     som_layout_indent(&layout, -1);
//     som_layout_end(&layout);
//     som_layout_print(&layout, 4);                    // four blanks before the first word
//     som_layout_free(&layout);
//
// Words, possible breaks and groups are added in order, then printed. A group whose words up to the
// next possible break behind it fit on the rest of the line is printed flat; else its own breaks
// are taken, and the groups in it are looked at in turn. A comment ends its line. Layout depends on
// nothing but what was added, and takes time linear in it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

// Blanks of one step, and how far to the right steps are seen.
#define SOM_LAYOUT_STEP 4
#define SOM_LAYOUT_MAX_INDENT 60

// How a possible break looks; add them up.
enum {
    SOM_LINE_BLANK = 1,     // a blank where it is not taken, else nothing
    SOM_LINE_FILL = 2,      // in a group that breaks, taken only where the next words do not fit
    SOM_LINE_CONTINUED = 4, // " \" before the newline, where a newline alone would end a statement
    SOM_LINE_INDENTED = 8,  // one step further right than other lines
};

typedef struct SomLayoutItem {
    unsigned char kind;
    signed char value; // flags of a line, steps of an indent
    SomStr text;       // borrowed until it is printed
} SomLayoutItem;

// Fill in `out` and `width`, zero the rest.
typedef struct SomLayout {
    SomText *out;
    int width;
    SOM_ARRAY(SomLayoutItem) items;
    SOM_ARRAY(bool) groups; // while printing: which of the open ones break
    int column;
    int indent;         // blanks
    int line_indent;    // of the newline that is needed
    bool needs_newline; // before the next word
} SomLayout;

void som_layout_text(SomLayout *layout, SomStr text); // a blank alone never begins a line
void som_layout_line(SomLayout *layout, int flags);
void som_layout_begin(SomLayout *layout);
void som_layout_end(SomLayout *layout);
void som_layout_indent(SomLayout *layout, int steps);

// Behind the word before it, or on a line of its own.
void som_layout_comment(SomLayout *layout, SomStr text, bool on_own_line);

// Prints all items, the first one at column `indent`, where further lines begin too, and forgets
// them. No newline at the end.
void som_layout_print(SomLayout *layout, int indent);

// How wide the items are on one line; `width` + 1 if they do not fit on one.
int som_layout_flat_width(const SomLayout *layout);

void som_layout_free(SomLayout *layout);

#ifdef __cplusplus
}
#endif
