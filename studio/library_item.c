// SPDX-License-Identifier: Apache-2.0
#include "studio/library_item.h"

#include "base/path.h"
#include "language/name.h"
#include "studio/widgets.h"

struct _SomLibraryItem {
    GObject parent_instance;
    SomCatalogEntry entry;
    SomArena arena; // of the entry
    bool is_beside;
    char **arguments;
    char *reference;
    char *words;
    GdkTexture *picture;
};

G_DEFINE_FINAL_TYPE(SomLibraryItem, som_library_item, G_TYPE_OBJECT)

enum { PICTURE = 1, PROPERTIES };
static GParamSpec *properties[PROPERTIES];

// ---- words

static void print_reference(SomLibraryItem *item) {
    SomText text = {0};
    bool is_first = true;
    som_name_print(&text, item->entry.name);
    for (int i = 0; i < item->entry.param_count; i++) {
        if (item->arguments[i][0] != '\0') {
            som_text_add(&text, is_first ? SOM_STR("(") : SOM_STR(", "));
            som_name_print(&text, item->entry.params[i].name);
            som_text_printf(&text, " = %s", item->arguments[i]);
            is_first = false;
        }
    }
    som_text_add(&text, is_first ? SOM_STR("") : SOM_STR(")"));
    g_free(item->reference);
    item->reference = som_c_string(som_text_str(&text));
    som_text_free(&text);
}

static void print_words(SomLibraryItem *item) {
    const SomCatalogEntry *e = &item->entry;
    SomStr stem = som_path_stem(e->file);
    g_autofree char *joints = g_strdup_printf(e->dofs == 1 ? "%d joint" : "%d joints", e->dofs);
    item->words = e->is_type        ? g_strdup_printf("%.*s, %s", SOM_STR_ARG(stem), joints)
                  : e->modules == 0 ? g_strdup("needs arguments")
                  : e->modules == 1 ? g_strdup_printf("1 module, %s", joints)
                                    : g_strdup_printf("%d modules, %s", e->modules, joints);
}

const SomCatalogEntry *som_library_item_entry(const SomLibraryItem *item) {
    return &item->entry;
}

bool som_library_item_is_beside(const SomLibraryItem *item) {
    return item->is_beside;
}

const char *som_library_item_title(const SomLibraryItem *item) {
    return item->entry.name.data;
}

const char *som_library_item_reference(const SomLibraryItem *item) {
    return item->reference;
}

const char *som_library_item_words(const SomLibraryItem *item) {
    return item->words;
}

const char *som_library_item_argument(const SomLibraryItem *item, int param) {
    return item->arguments[param];
}

void som_library_item_set_argument(SomLibraryItem *item, int param, const char *text) {
    g_free(item->arguments[param]);
    item->arguments[param] = g_strstrip(g_strdup(text));
    print_reference(item);
}

// ---- picture

GdkTexture *som_library_item_picture(const SomLibraryItem *item) {
    return item->picture;
}

void som_library_item_set_picture(SomLibraryItem *item, GdkTexture *picture) {
    if (g_set_object(&item->picture, picture)) {
        g_object_notify_by_pspec(G_OBJECT(item), properties[PICTURE]);
    }
}

// ---- life

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
    (void)id, (void)spec;
    g_value_set_object(value, SOM_LIBRARY_ITEM(object)->picture);
}

static void finalize(GObject *object) {
    SomLibraryItem *item = SOM_LIBRARY_ITEM(object);
    for (int i = 0; i < item->entry.param_count; i++) {
        g_free(item->arguments[i]);
    }
    g_free(item->arguments);
    g_free(item->reference);
    g_free(item->words);
    g_clear_object(&item->picture);
    som_arena_free(&item->arena);
    G_OBJECT_CLASS(som_library_item_parent_class)->finalize(object);
}

static void som_library_item_class_init(SomLibraryItemClass *klass) {
    G_OBJECT_CLASS(klass)->get_property = get_property;
    G_OBJECT_CLASS(klass)->finalize = finalize;
    properties[PICTURE] =
        g_param_spec_object("picture", NULL, "what it looks like", GDK_TYPE_TEXTURE,
                            G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(G_OBJECT_CLASS(klass), PROPERTIES, properties);
}

static void som_library_item_init(SomLibraryItem *item) {
    (void)item;
}

SomLibraryItem *som_library_item_new(const SomCatalogEntry *entry, bool is_beside) {
    SomLibraryItem *item = g_object_new(SOM_TYPE_LIBRARY_ITEM, NULL);
    SomArena *arena = &item->arena;
    SomCatalogParameter *params = som_arena_new(arena, SomCatalogParameter, entry->param_count + 1);
    item->is_beside = is_beside;
    item->entry = *entry;
    item->entry.name = som_arena_copy(arena, entry->name);
    item->entry.file = som_arena_copy(arena, entry->file);
    item->entry.doc = som_arena_copy(arena, entry->doc);
    item->entry.params = params;
    item->arguments = g_new0(char *, (gsize)entry->param_count + 1);
    for (int i = 0; i < entry->param_count; i++) {
        params[i] = entry->params[i];
        params[i].name = som_arena_copy(arena, entry->params[i].name);
        params[i].type = som_arena_copy(arena, entry->params[i].type);
        params[i].otherwise = som_arena_copy(arena, entry->params[i].otherwise);
        item->arguments[i] = g_strdup("");
    }
    print_reference(item);
    print_words(item);
    return item;
}
