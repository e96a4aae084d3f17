// SPDX-License-Identifier: Apache-2.0
#include "base/classes.h"

void som_classes_reset(int *parents, int count) {
    for (int i = 0; i < count; i++) {
        parents[i] = i;
    }
}

int som_classes_find(int *parents, int i) {
    while (parents[i] != i) {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

void som_classes_join(int *parents, int a, int b) {
    a = som_classes_find(parents, a);
    b = som_classes_find(parents, b);
    parents[a > b ? a : b] = a > b ? b : a;
}
