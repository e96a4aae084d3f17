// SPDX-License-Identifier: Apache-2.0

#include "base/markup.h"
#include "tests/suite.h"

START_TEST(four_characters_are_entities_and_no_others) {
    SomText out = {0};
    int added = 0;
    for (int c = 0; c < 256; c++) {
        added += som_markup_add(&out, (char)c);
    }
    ck_assert_int_eq(added, 4);
    ck_assert_str_eq(out.data, "&quot;&amp;&lt;&gt;");
    som_text_free(&out);
}
END_TEST

SOM_SUITE("base/markup", four_characters_are_entities_and_no_others)
