// SPDX-License-Identifier: Apache-2.0
// Tests for base/file_scope.c.

#include "base/file_scope.h"
#include "tests/base/file_support.h"
#include "tests/suite.h"

#include <unistd.h>

START_TEST(links_do_not_lead_out_of_a_folder) {
    som_enter_folder();
    ck_assert(som_file_make_folder("in/deep", som_file_diags));
    ck_assert(som_file_make_folder("in_too", som_file_diags));
    ck_assert(som_file_save("in/a.som", SOM_STR("a"), som_file_diags));
    ck_assert(som_file_save("in_too/b.som", SOM_STR("b"), som_file_diags));
    ck_assert(symlink("../../in_too/b.som", "in/deep/out.som") == 0);
    ck_assert(symlink("../a.som", "in/deep/a.som") == 0);
    ck_assert(som_file_is_within("in/a.som", "in") && som_file_is_within("in/deep/a.som", "in"));
    ck_assert(som_file_is_within("in/deep/a.som", "") && som_file_is_within("in/a.som", "/"));
    ck_assert(!som_file_is_within("in/deep/a.som", "in/deep"));
    ck_assert(!som_file_is_within("in/deep/out.som", "in"));
    ck_assert(!som_file_is_within("in_too/b.som", "in")); // not by its letters either
    ck_assert(!som_file_is_within("in/none", "in") && !som_file_is_within("in/a.som", "none"));
    ck_assert(som_file_is_same("in/deep/a.som", "in/a.som"));
    ck_assert(!som_file_is_same("in/a.som", "in_too/b.som") && !som_file_is_same("x", "x"));
    som_leave_folder();
}
END_TEST

// A project may be reached through a link, and so may each of its files.
START_TEST(a_file_is_beside_another_by_links_too) {
    som_enter_folder();
    ck_assert(som_file_make_folder("project/parts", som_file_diags));
    ck_assert(som_file_make_folder("farm", som_file_diags));
    ck_assert(som_file_save("project/a.som", SOM_STR("a"), som_file_diags));
    ck_assert(som_file_save("project/parts/b.som", SOM_STR("b"), som_file_diags));
    ck_assert(som_file_save("secret.som", SOM_STR("c"), som_file_diags));
    ck_assert(symlink("../../secret.som", "project/parts/out.som") == 0);
    ck_assert(symlink("project", "shortcut") == 0);
    ck_assert(symlink("../project/a.som", "farm/a.som") == 0);
    ck_assert(symlink("../project/parts", "farm/parts") == 0);
    ck_assert(symlink("../secret.som", "farm/secret.som") == 0);
    ck_assert(som_file_is_beside("project/parts/b.som", "project/a.som"));
    ck_assert(som_file_is_beside("shortcut/parts/b.som", "shortcut/a.som"));
    ck_assert(som_file_is_beside("farm/parts/b.som", "farm/a.som"));
    ck_assert(!som_file_is_beside("project/a.som", "project/parts/b.som"));
    ck_assert(!som_file_is_beside("project/parts/out.som", "project/a.som"));
    ck_assert(!som_file_is_beside("shortcut/parts/out.som", "shortcut/a.som"));
    ck_assert(!som_file_is_beside("farm/secret.som", "farm/a.som"));
    ck_assert(!som_file_is_beside("project/none", "project/a.som"));
    ck_assert(som_file_is_beside("project/a.som", "project/not-yet-saved.som"));
    som_leave_folder();
}
END_TEST

// `verify FOLDER` and the like read what they find, which must not be what a link leads to.
START_TEST(files_below_a_folder_are_in_it) {
    som_enter_folder();
    ck_assert(som_file_make_folder("in/deep", som_file_diags));
    ck_assert(som_file_save("in/a.som", SOM_STR("a"), som_file_diags));
    ck_assert(som_file_save("secret.som", SOM_STR("c"), som_file_diags));
    ck_assert(symlink("../../secret.som", "in/deep/out.som") == 0);
    ck_assert(symlink("../a.som", "in/deep/own.som") == 0);
    SomArena arena = {0};
    const SomStr *paths;
    ck_assert_int_eq(som_file_find("in", SOM_STR(".som"), &arena, &paths, som_file_diags), 2);
    ck_assert(som_str_equal(paths[0], SOM_STR("in/a.som")));
    ck_assert(som_str_equal(paths[1], SOM_STR("in/deep/own.som")));
    som_arena_free(&arena);
    som_leave_folder();
}
END_TEST

SOM_SUITE("base/file_scope", links_do_not_lead_out_of_a_folder,
          a_file_is_beside_another_by_links_too, files_below_a_folder_are_in_it)
