// base/classes.h - things numbered from 0, joined into classes: union-find.
//
//     int *parents = som_realloc(NULL, (size_t)count, sizeof *parents);
//     som_classes_reset(parents, count);         // each by itself
//     som_classes_join(parents, 3, 7);
//     int class = som_classes_find(parents, 7);  // 3: a class is named by its first member

// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

void som_classes_reset(int *parents, int count);
int som_classes_find(int *parents, int i);
void som_classes_join(int *parents, int a, int b);

#ifdef __cplusplus
}
#endif
