// SPDX-License-Identifier: Apache-2.0
#include "base/path.h"

// The offset behind the last slash; 0 if there is none.
static size_t name_start(SomStr path) {
    size_t at = path.length;
    while (at > 0 && path.data[at - 1] != '/') {
        at--;
    }
    return at;
}

SomStr som_path_folder(SomStr path) {
    size_t end = name_start(path);
    if (end == 0) {
        return SOM_STR(".");
    }
    while (end > 1 && path.data[end - 1] == '/') {
        end--;
    }
    return som_str_slice(path, 0, end);
}

SomStr som_path_name(SomStr path) {
    return som_str_slice(path, name_start(path), path.length);
}

SomStr som_path_extension(SomStr path) {
    SomStr name = som_path_name(path);
    for (size_t at = name.length; at > 1; at--) {
        if (name.data[at - 1] == '.') {
            return som_str_slice(name, at - 1, name.length);
        }
    }
    return SOM_STR("");
}

SomStr som_path_stem(SomStr path) {
    SomStr name = som_path_name(path);
    return som_str_slice(name, 0, name.length - som_path_extension(path).length);
}

void som_path_join(SomText *out, SomStr folder, SomStr name) {
    bool absolute = som_str_starts_with(name, SOM_STR("/"));
    if (!absolute && folder.length > 0 && !som_str_equal(folder, SOM_STR("."))) {
        som_text_add(out, folder);
        som_text_add_char(out, '/', !som_str_ends_with(folder, SOM_STR("/")));
    }
    som_text_add(out, name);
}
