// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 // realpath
#include "base/file_scope.h"

#include "base/path.h"

#include <stdlib.h>

// Both with links resolved; NULL: not there.
static bool is_below(const char *real, const char *root) {
    if (real == NULL || root == NULL || !som_str_starts_with(som_str(real), som_str(root))) {
        return false;
    }
    size_t length = som_str(root).length;
    return root[length - 1] == '/' || real[length] == '/';
}

bool som_file_is_within(const char *path, const char *folder) {
    char *real = realpath(path, NULL), *root = realpath(folder[0] != '\0' ? folder : ".", NULL);
    bool is_within = is_below(real, root);
    free(real); // the C library's, not ours
    free(root);
    return is_within;
}

bool som_file_is_beside(const char *path, const char *from) {
    SomText folder = {0};
    som_text_add(&folder, som_path_folder(som_str(from)));
    bool is_beside = som_file_is_within(path, folder.data);
    char *real = is_beside ? NULL : realpath(from, NULL);
    if (real != NULL) {
        som_text_clear(&folder);
        som_text_add(&folder, som_path_folder(som_str(real)));
        is_beside = som_file_is_within(path, folder.data);
    }
    free(real);
    som_text_free(&folder);
    return is_beside;
}
