// SPDX-License-Identifier: Apache-2.0
// Tests for base/path.c.

#include "base/path.h"
#include "tests/suite.h"

START_TEST(a_path_has_a_folder_a_name_a_stem_and_an_extension) {
    const struct {
        const char *path, *folder, *name, *stem, *extension;
    } cases[] = {
        {"designs/walker.som", "designs", "walker.som", "walker", ".som"},
        {"walker.som", ".", "walker.som", "walker", ".som"},
        {"/walker", "/", "walker", "walker", ""},
        {"/a/b/", "/a/b", "", "", ""},
        {"a//b", "a", "b", "b", ""},
        {"//b", "/", "b", "b", ""},
        {".hidden", ".", ".hidden", ".hidden", ""},
        {"a.b/c", "a.b", "c", "c", ""},
        {"x.tar.gz", ".", "x.tar.gz", "x.tar", ".gz"},
        {"x.", ".", "x.", "x", "."},
        {"..", ".", "..", ".", "."},
        {"", ".", "", "", ""},
        {"/", "/", "", "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomStr path = som_str(cases[i].path);
        ck_assert_msg(som_str_equal(som_path_folder(path), som_str(cases[i].folder)), "%s",
                      cases[i].path);
        ck_assert_msg(som_str_equal(som_path_name(path), som_str(cases[i].name)), "%s",
                      cases[i].path);
        ck_assert_msg(som_str_equal(som_path_stem(path), som_str(cases[i].stem)), "%s",
                      cases[i].path);
        ck_assert_msg(som_str_equal(som_path_extension(path), som_str(cases[i].extension)), "%s",
                      cases[i].path);
    }
}
END_TEST

START_TEST(a_name_is_joined_to_the_folder_it_is_seen_from) {
    const struct {
        const char *folder, *name, *joined;
    } cases[] = {
        {"designs", "../x.m3l", "designs/../x.m3l"},
        {"designs/", "x", "designs/x"},
        {"designs", "/x", "/x"},
        {".", "x", "x"},
        {"", "x", "x"},
        {"/", "x", "/x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText out = {0};
        som_path_join(&out, som_str(cases[i].folder), som_str(cases[i].name));
        ck_assert_str_eq(out.data, cases[i].joined);
        som_text_free(&out);
    }
}
END_TEST

SOM_SUITE("base/path", a_path_has_a_folder_a_name_a_stem_and_an_extension,
          a_name_is_joined_to_the_folder_it_is_seen_from)
