// SPDX-License-Identifier: Apache-2.0

#include "language/layout.h"
#include "tests/suite.h"

// f(a, b, …) with all members in one group, printed at the indent.
static SomText print_call(int members, int width, int indent, int flags) {
    SomText out = {0};
    SomLayout layout = {.out = &out, .width = width};
    som_layout_text(&layout, SOM_STR("f("));
    som_layout_begin(&layout);
    som_layout_indent(&layout, 1);
    som_layout_line(&layout, 0);
    for (int i = 0; i < members; i++) {
        som_layout_text(&layout, i + 1 < members ? SOM_STR("abc,") : SOM_STR("abc"));
        if (i + 1 < members) {
            som_layout_line(&layout, SOM_LINE_BLANK | flags);
        }
    }
    som_layout_indent(&layout, -1);
    som_layout_end(&layout);
    som_layout_text(&layout, SOM_STR(")"));
    som_layout_print(&layout, indent);
    som_layout_free(&layout);
    return out;
}

static void check_call(int members, int width, int indent, int flags, const char *expected) {
    SomText out = print_call(members, width, indent, flags);
    ck_assert_str_eq(out.data, expected);
    som_text_free(&out);
}

START_TEST(what_fits_exactly_stays_on_the_line) {
    check_call(2, 11, 0, 0, "f(abc, abc)");
    check_call(2, 10, 0, 0, "f(\n    abc,\n    abc)");
    check_call(2, 11, 1, 0, "f(\n     abc,\n     abc)");
}
END_TEST

START_TEST(filled_lines_break_only_where_they_must) {
    check_call(5, 14, 0, SOM_LINE_FILL, "f(\n    abc, abc,\n    abc, abc,\n    abc)");
}
END_TEST

START_TEST(a_comment_ends_its_line_and_breaks_the_group_it_is_in) {
    SomText out = {0};
    SomLayout layout = {.out = &out, .width = 80};
    som_layout_begin(&layout);
    som_layout_text(&layout, SOM_STR("a"));
    som_layout_comment(&layout, SOM_STR("# 1"), false);
    som_layout_comment(&layout, SOM_STR("# 2"), true);
    som_layout_line(&layout, SOM_LINE_BLANK | SOM_LINE_INDENTED);
    som_layout_text(&layout, SOM_STR("b"));
    som_layout_line(&layout, SOM_LINE_BLANK | SOM_LINE_CONTINUED);
    som_layout_text(&layout, SOM_STR("c"));
    som_layout_end(&layout);
    som_layout_begin(&layout);
    som_layout_line(&layout, SOM_LINE_BLANK);
    som_layout_text(&layout, SOM_STR("d"));
    som_layout_comment(&layout, SOM_STR("# 3"), false);
    som_layout_end(&layout);
    som_layout_print(&layout, 0);
    ck_assert_str_eq(out.data, "a # 1\n# 2\n    b \\\nc d # 3");
    som_layout_free(&layout);
    som_text_free(&out);
}
END_TEST

SOM_SUITE("language/layout", what_fits_exactly_stays_on_the_line,
          filled_lines_break_only_where_they_must,
          a_comment_ends_its_line_and_breaks_the_group_it_is_in)
