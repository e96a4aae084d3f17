// SPDX-License-Identifier: Apache-2.0
#include "studio/part_list.h"

#include "studio/widgets.h"

struct _SomPartRow {
    GObject parent_instance;
    int part;
    bool has_parts;
    char *place, *name, *kind, *words;
};

G_DEFINE_FINAL_TYPE(SomPartRow, som_part_row, G_TYPE_OBJECT)

static void finalize(GObject *object) {
    SomPartRow *row = SOM_PART_ROW(object);
    g_free(row->place);
    g_free(row->name);
    g_free(row->kind);
    g_free(row->words);
    G_OBJECT_CLASS(som_part_row_parent_class)->finalize(object);
}

static void som_part_row_class_init(SomPartRowClass *klass) {
    G_OBJECT_CLASS(klass)->finalize = finalize;
}

static void som_part_row_init(SomPartRow *row) {
    (void)row;
}

SomPartRow *som_part_row_new(const SomConfiguration *configuration, int part) {
    const SomPart *p = &configuration->parts[part];
    SomPartRow *row = g_object_new(SOM_TYPE_PART_ROW, NULL);
    row->part = part;
    row->has_parts = p->end_part > part + 1;
    row->place = som_c_string(p->path);
    row->name = som_c_string(part == 0 ? configuration->name : p->name);
    row->kind = som_c_string(p->config);
    row->words =
        p->order == 0
            ? g_strdup_printf("%s, module of type %s", row->name, row->kind)
            : g_strdup_printf("%s, %s of %d %s", row->name, part == 0 ? "configuration" : row->kind,
                              p->module_count, p->module_count == 1 ? "module" : "modules");
    return row;
}

int som_part_row_part(const SomPartRow *row) {
    return row->part;
}

const char *som_part_row_place(const SomPartRow *row) {
    return row->place;
}

const char *som_part_row_name(const SomPartRow *row) {
    return row->name;
}

const char *som_part_row_kind(const SomPartRow *row) {
    return row->kind;
}

const char *som_part_row_words(const SomPartRow *row) {
    return row->words;
}

bool som_part_row_has_parts(const SomPartRow *row) {
    return row->has_parts;
}

// ---- lists

// One change of the list, however many rows come: models that hang on it hear of one.
static GListStore *list_of(GPtrArray *rows) {
    GListStore *list = g_list_store_new(SOM_TYPE_PART_ROW);
    g_list_store_splice(list, 0, 0, rows->pdata, rows->len);
    g_ptr_array_unref(rows);
    return list;
}

GListStore *som_part_list_parts(const SomConfiguration *configuration, int part) {
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_object_unref);
    const SomPart *parts = configuration->parts;
    for (int i = part + 1; i < parts[part].end_part; i = parts[i].end_part) {
        g_ptr_array_add(rows, som_part_row_new(configuration, i));
    }
    return list_of(rows);
}

static bool holds(SomStr text, const char *wanted) {
    g_autofree char *plain = som_c_string(text);
    g_autofree char *folded = g_utf8_casefold(plain, -1);
    return strstr(folded, wanted) != NULL;
}

GListStore *som_part_list_matches(const SomConfiguration *configuration, const char *wanted) {
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_object_unref);
    g_autofree char *folded = g_utf8_casefold(wanted, -1);
    for (int i = 1; i < configuration->part_count; i++) {
        const SomPart *part = &configuration->parts[i];
        if (holds(part->path, folded) || holds(part->config, folded)) {
            g_ptr_array_add(rows, som_part_row_new(configuration, i));
        }
    }
    return list_of(rows);
}
