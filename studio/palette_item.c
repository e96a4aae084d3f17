// SPDX-License-Identifier: Apache-2.0
#include "studio/palette_item.h"

#include "studio/widgets.h"

struct _SomPaletteEntry {
    GObject parent_instance;
    char *title, *params, *text, *words;
    const char *icon;
    SomPaletteKind kind;
    bool is_heading, is_possible;
};

G_DEFINE_FINAL_TYPE(SomPaletteEntry, som_palette_entry, G_TYPE_OBJECT)

static void finalize(GObject *object) {
    SomPaletteEntry *entry = SOM_PALETTE_ENTRY(object);
    g_free(entry->title);
    g_free(entry->params);
    g_free(entry->text);
    g_free(entry->words);
    G_OBJECT_CLASS(som_palette_entry_parent_class)->finalize(object);
}

static void som_palette_entry_class_init(SomPaletteEntryClass *klass) {
    G_OBJECT_CLASS(klass)->finalize = finalize;
}

static void som_palette_entry_init(SomPaletteEntry *entry) {
    (void)entry;
}

bool som_palette_entry_is_heading(const SomPaletteEntry *entry) {
    return entry->is_heading;
}

const char *som_palette_entry_title(const SomPaletteEntry *entry) {
    return entry->title;
}

const char *som_palette_entry_params(const SomPaletteEntry *entry) {
    return entry->params;
}

const char *som_palette_entry_text(const SomPaletteEntry *entry) {
    return entry->text;
}

const char *som_palette_entry_words(const SomPaletteEntry *entry) {
    return entry->words;
}

const char *som_palette_entry_icon(const SomPaletteEntry *entry) {
    return entry->icon;
}

bool som_palette_entry_is_behavior(const SomPaletteEntry *entry) {
    return !entry->is_heading && entry->kind == SOM_PALETTE_BEHAVIOR;
}

bool som_palette_entry_is_possible(const SomPaletteEntry *entry) {
    return entry->is_possible;
}

bool som_palette_entry_equal(const SomPaletteEntry *a, const SomPaletteEntry *b) {
    return a->is_heading == b->is_heading && a->is_possible == b->is_possible &&
           a->kind == b->kind && strcmp(a->title, b->title) == 0 &&
           strcmp(a->params, b->params) == 0 && strcmp(a->text, b->text) == 0 &&
           strcmp(a->words, b->words) == 0;
}

// ---- what there is

typedef struct Group {
    SomPaletteKind kind;
    int depth; // of the part; -1: any
    const char *title;
} Group;

#define DEEP 2 // behaviors of parts of parts stand together

static const Group groups[] = {
    {SOM_PALETTE_FLOW, -1, "Flow"},
    {SOM_PALETTE_BEHAVIOR, 0, "Behaviors of the whole"},
    {SOM_PALETTE_BEHAVIOR, 1, "Behaviors of parts"},
    {SOM_PALETTE_BEHAVIOR, DEEP, "Behaviors of parts of parts"},
    {SOM_PALETTE_POSE, -1, "Poses"},
    {SOM_PALETTE_DOCK, -1, "Docks"},
    {SOM_PALETTE_JOINT, -1, "Joints"},
};

static bool is_in(const SomPaletteItem *item, const Group *group) {
    return item->kind == group->kind &&
           (group->depth < 0 || MIN(item->depth, DEEP) == group->depth);
}

static const char *icon_of(const SomPaletteItem *item) {
    static const char *const icons[] = {
        [SOM_PALETTE_BEHAVIOR] = "system-run-symbolic",
        [SOM_PALETTE_POSE] = "mark-location-symbolic",
        [SOM_PALETTE_DOCK] = "insert-link-symbolic",
        [SOM_PALETTE_JOINT] = "object-rotate-right-symbolic",
    };
    static const struct {
        const char *begin, *icon;
    } flow[] = {{"series", "view-list-ordered-symbolic"},
                {"parallel", "view-dual-symbolic"},
                {"any", "media-skip-forward-symbolic"},
                {"repeat", "view-refresh-symbolic"},
                {"choose", "send-to-symbolic"},
                {"wait", "document-open-recent-symbolic"},
                {"hold", "view-pin-symbolic"}};
    for (size_t i = 0; item->kind == SOM_PALETTE_FLOW && i < G_N_ELEMENTS(flow); i++) {
        if (som_str_starts_with(item->text, som_str(flow[i].begin))) {
            return flow[i].icon;
        }
    }
    return item->kind == SOM_PALETTE_FLOW ? "view-more-symbolic" : icons[item->kind];
}

static bool has_all(const SomPaletteItem *item, char *const *wanted) {
    g_autofree char *own = som_c_string(item->title);
    g_autofree char *lower = g_utf8_strdown(own, -1);
    for (int i = 0; wanted[i] != NULL; i++) {
        if (strstr(lower, wanted[i]) == NULL) {
            return false;
        }
    }
    return true;
}

static SomPaletteEntry *make(SomDesk *desk, int index, SomStr behavior) {
    const SomPalette *palette = som_desk_palette(desk);
    const SomPaletteItem *item = &palette->items[index];
    SomPaletteEntry *entry = g_object_new(SOM_TYPE_PALETTE_ENTRY, NULL);
    entry->kind = item->kind;
    entry->title = som_c_string(item->title);
    entry->params = item->params.length > 0 ? g_strdup_printf("(%.*s)", SOM_STR_ARG(item->params))
                                            : g_strdup("");
    entry->text = som_c_string(item->text);
    entry->icon = icon_of(item);
    entry->is_possible = !som_palette_is_circular(palette, som_desk_blocks(desk), index, behavior);
    entry->words = g_strdup_printf("%.*s%s%s%s", SOM_STR_ARG(item->doc),
                                   item->doc.length > 0 ? "\n" : "", entry->text,
                                   entry->is_possible ? "" : "\nThe behavior would contain itself");
    return entry;
}

static SomPaletteEntry *make_heading(const char *title) {
    SomPaletteEntry *entry = g_object_new(SOM_TYPE_PALETTE_ENTRY, NULL);
    entry->title = g_strdup(title);
    entry->params = g_strdup("");
    entry->text = g_strdup("");
    entry->words = g_strdup("");
    entry->is_heading = true;
    return entry;
}

GPtrArray *som_palette_entries(SomDesk *desk, const char *wanted) {
    GPtrArray *entries = g_ptr_array_new_with_free_func(g_object_unref);
    const SomPalette *palette = som_desk_palette(desk);
    SomStr behavior = som_desk_own(desk) >= 0
                          ? som_desk_blocks(desk)->behaviors.data[som_desk_own(desk)].name
                          : SOM_STR("");
    g_autofree char *lower = g_utf8_strdown(wanted, -1);
    g_auto(GStrv) words = g_strsplit_set(lower, " ", -1);
    for (size_t g = 0; g < G_N_ELEMENTS(groups); g++) {
        bool is_first = true;
        for (int i = 0; i < palette->item_count; i++) {
            if (is_in(&palette->items[i], &groups[g]) && has_all(&palette->items[i], words)) {
                if (is_first) {
                    g_ptr_array_add(entries, make_heading(groups[g].title));
                }
                is_first = false;
                g_ptr_array_add(entries, make(desk, i, behavior));
            }
        }
    }
    return entries;
}
