// SPDX-License-Identifier: Apache-2.0
#include "base/classes.h"
#include "tests/suite.h"

START_TEST(classes_are_named_by_their_first_member) {
    int parents[8];
    som_classes_reset(parents, 8);
    som_classes_join(parents, 7, 5);
    som_classes_join(parents, 5, 5);
    som_classes_join(parents, 2, 7);
    som_classes_join(parents, 6, 4);
    const int expected[8] = {0, 1, 2, 3, 4, 2, 4, 2};
    for (int i = 0; i < 8; i++) {
        ck_assert_int_eq(som_classes_find(parents, i), expected[i]);
    }
}
END_TEST

SOM_SUITE("base/classes", classes_are_named_by_their_first_member)
