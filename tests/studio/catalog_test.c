// Tests for studio/catalog.c and studio/thumbnail.c: what folders offer, and pictures of it.

// SPDX-License-Identifier: Apache-2.0

#include "base/file.h"
#include "base/path.h"
#include "studio/catalog.h"
#include "studio/thumbnail.h"
#include "tests/compose/texts.h"
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static SomCatalog read_library(const char *folder) {
    SomCatalog catalog = {0};
    SomText path = {0};
    som_path_join(&path, som_str(test_library), som_str(folder));
    som_catalog_read(&catalog, som_str(test_library), som_text_str(&path), NULL);
    som_text_free(&path);
    return catalog;
}

static const SomCatalogEntry *find(const SomCatalog *catalog, const char *name) {
    for (int i = 0; i < catalog->entries.count; i++) {
        if (som_str_equal(catalog->entries.data[i].name, som_str(name))) {
            return &catalog->entries.data[i];
        }
    }
    return NULL;
}

START_TEST(configurations_and_types_are_listed_by_order) {
    SomCatalog configs = read_library("configs"), modules = read_library("modules");
    const SomCatalogEntry *walkbot = find(&configs, "Walkbot");
    ck_assert_int_eq(walkbot->order, 3);
    ck_assert_int_eq(walkbot->modules, 18);
    ck_assert_int_eq(find(&configs, "Module")->order, 0);
    ck_assert_int_eq(find(&configs, "Chain3")->order, 1);
    ck_assert(find(&modules, "SMORES")->is_type && !walkbot->is_type);
    ck_assert(som_str_ends_with(find(&modules, "SMORES")->file, SOM_STR("smores.m3l")));
    const SomCatalogEntry *snake = find(&configs, "Snake");
    ck_assert_int_eq(snake->param_count, 1);
    ck_assert(snake->params[0].is_count);
    ck_assert(som_str_equal(snake->params[0].otherwise, SOM_STR("6")));
    for (int i = 1; i < configs.entries.count; i++) {
        ck_assert_int_le(configs.entries.data[i - 1].order, configs.entries.data[i].order);
    }
    som_catalog_free(&configs);
    som_catalog_free(&modules);
}
END_TEST

static void make_folder(char *folder) {
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

// With all files in it and in those below it.
static void remove_folder(const char *folder) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomArena arena = {0};
    const SomStr *paths;
    int count = som_file_find(folder, SOM_STR(""), &arena, &paths, diags);
    for (int i = 0; i < count; i++) {
        unlink(paths[i].data);
    }
    static const char *const below[] = {"/cache/pictures", "/cache", ""};
    for (int i = 0; i < 3; i++) {
        SomText path = {0};
        som_text_printf(&path, "%s%s", folder, below[i]);
        rmdir(path.data);
        som_text_free(&path);
    }
    som_arena_free(&arena);
    som_diagnostics_destroy(diags);
}

static void save(const char *folder, const char *name, const char *text) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomText path = {0};
    som_path_join(&path, som_str(folder), som_str(name));
    ck_assert(som_file_save(path.data, som_str(text), diags));
    som_text_free(&path);
    som_diagnostics_destroy(diags);
}

START_TEST(what_does_not_compose_is_left_out_and_what_needs_arguments_is_not) {
    char folder[] = "/tmp/somite-catalog-XXXXXX";
    make_folder(folder);
    save(folder, "good.som",
         "use \"smores.m3l\"\nconfig Pair(a: angle) {\n    part x : SMORES\n}\n");
    save(folder, "bad.som", "config Broken {\n    part x : Nothing\n}\n");
    save(folder, "worse.som", "config {{{ \x01\xff");
    // a link that is not joined to the root, and a loop of the two others
    save(folder, "loop.m3l",
         "module A: root=a\n"
         "link a: shape=box((0, 0, 0), (1, 1, 1))\n"
         "link b: shape=box((2, 0, 0), (1, 1, 1))\n"
         "link c: shape=box((4, 0, 0), (1, 1, 1))\n"
         "axis x: origin=(1, 0, 0), direction=(0, 1, 0)\n"
         "axis y: origin=(1, 0, 0), direction=(0, -1, 0)\n"
         "joint j: type=revolute, pair=((b, x), (a, y))\n"
         "joint k: type=revolute, pair=((b, x), (a, y))\n");
    SomCatalog catalog = {0};
    som_catalog_read(&catalog, som_str(test_library), som_str(folder), NULL);
    ck_assert_int_eq(catalog.entries.count, 1);
    ck_assert_int_eq(find(&catalog, "Pair")->modules, 0);
    som_catalog_free(&catalog);
    atomic_bool is_stopped = true;
    som_catalog_read(&catalog, som_str(test_library), som_str(folder), &is_stopped);
    som_catalog_read(&catalog, som_str(test_library), SOM_STR("/nowhere"), NULL);
    ck_assert_int_eq(catalog.entries.count, 0);
    som_catalog_free(&catalog);
    remove_folder(folder);
}
END_TEST

// How many pictures are drawn to have one of the design.
static int draw(const char *folder, const char *cache, const char *choice) {
    SomText path = {0};
    som_path_join(&path, som_str(folder), SOM_STR("a.som"));
    SomThumbnails *thumbnails = som_thumbnails_create(som_str(test_library), som_str(cache));
    SomImage image = {0};
    ck_assert(som_thumbnails_draw(thumbnails, som_text_str(&path), som_str(choice), &image));
    ck_assert_int_eq(image.width, SOM_THUMBNAIL_WIDTH);
    int drawn = som_thumbnails_drawn(thumbnails);
    ck_assert(!som_thumbnails_draw(thumbnails, som_text_str(&path), SOM_STR("None"), &image));
    som_image_free(&image);
    som_thumbnails_destroy(thumbnails);
    som_text_free(&path);
    return drawn;
}

START_TEST(a_picture_is_drawn_once_for_each_text) {
    char folder[] = "/tmp/somite-thumbnail-XXXXXX", cache[64];
    make_folder(folder);
    snprintf(cache, sizeof cache, "%s/cache/pictures", folder);
    save(folder, "a.som",
         "use \"smores.m3l\"\nconfig A(n: count = 1) {\n    part x[n] : SMORES\n"
         "    connect x[i].B to x[i+1].T for i in 1..n-1\n}\n");
    ck_assert_int_eq(draw(folder, cache, "A"), 1);
    ck_assert_int_eq(draw(folder, cache, "A"), 0);
    ck_assert_int_eq(draw(folder, cache, "A(n = 2)"), 1);
    ck_assert_int_eq(draw(folder, "", "A"), 1); // nothing is kept
    save(folder, "a.som", "use \"smores.m3l\"\nconfig A {\n    part y : SMORES\n}\n");
    ck_assert_int_eq(draw(folder, cache, "A"), 1);
    ck_assert_int_eq(draw(folder, cache, "A"), 0);
    remove_folder(folder);
}
END_TEST

SOM_SUITE("studio/catalog", configurations_and_types_are_listed_by_order,
          what_does_not_compose_is_left_out_and_what_needs_arguments_is_not,
          a_picture_is_drawn_once_for_each_text)
