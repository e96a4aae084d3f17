// SPDX-License-Identifier: Apache-2.0
// What findings are about, on the rows of blocks.
#include "studio/block_list_internal.h"

typedef struct Marks {
    const SomBlockMark *marks;
    int count;
} Marks;

// Of the blocks [first, end).
static Marks marks_in(const SomBlockFindings *findings, int first, int end) {
    int low = 0, high = findings->mark_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (findings->marks[middle].block < first) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (high = low; high < findings->mark_count && findings->marks[high].block < end; high++) {
    }
    return (Marks){findings->marks + low, high - low};
}

static bool has_report(Marks marks, int report) {
    for (int i = 0; i < marks.count; i++) {
        if (marks.marks[i].report == report) {
            return true;
        }
    }
    return false;
}

static void add_words(GString *words, const SomBlockReport *report) {
    g_string_append_printf(words, "%s%.*s", words->len > 0 ? "\n" : "",
                           SOM_STR_ARG(report->message));
}

static bool is_told(SomDesk *desk, int first, int end) {
    int count;
    const int *told = som_desk_marks(desk, &count);
    for (int i = 0; i < count; i++) {
        if (told[i] >= first && told[i] < end) {
            return true;
        }
    }
    return false;
}

void som_block_list_mark_row(SomBlockList *list, SomBlockRow *row) {
    const SomBlockItem *item = som_block_list_item_of(row);
    SomRowMark mark = {0};
    if (list->is_read_only) {
        som_block_row_set_mark(row, &mark);
        return;
    }
    const SomBlocks *blocks = som_desk_blocks(list->desk);
    bool is_folded = list->outline.rows.data[item->row].is_folded;
    int end = is_folded ? blocks->blocks[item->block].end : item->block + 1;
    int selected = som_desk_selected(list->desk);
    mark.is_chosen =
        list->extra > 0 && item->block >= selected && item->block < som_block_list_chosen_end(list);
    mark.is_told = is_told(list->desk, item->block, end);
    mark.severity = mark.is_told ? SOM_ERROR : SOM_NOTE;
    g_autoptr(GString) words = g_string_new(NULL);
    if (list->has_findings) {
        const SomBlockFindings *findings = som_desk_findings(list->desk);
        Marks own = marks_in(findings, item->block, end), chosen = {0};
        if (selected >= 0) {
            chosen = marks_in(findings, selected, selected + 1);
        }
        for (int i = 0; i < own.count; i++) {
            int number = own.marks[i].report;
            const SomBlockReport *report = &findings->reports[number];
            bool is_new = !has_report((Marks){own.marks, i}, number);
            mark.has_report = true;
            mark.severity = MAX(mark.severity, report->severity);
            mark.is_related =
                mark.is_related || (item->block != selected && has_report(chosen, number));
            if (is_new) {
                add_words(words, report);
            }
        }
    }
    mark.words = words->len > 0 ? words->str : NULL;
    som_block_row_set_mark(row, &mark);
}

void som_block_list_mark_all(SomBlockList *list) {
    for (guint i = 0; i < list->bound->len; i++) {
        som_block_list_mark_row(list, g_ptr_array_index(list->bound, i));
    }
}
