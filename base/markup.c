// SPDX-License-Identifier: Apache-2.0
#include "base/markup.h"

bool som_markup_add(SomText *out, char c) {
    switch (c) {
    case '&':
        som_text_add(out, SOM_STR("&amp;"));
        return true;
    case '<':
        som_text_add(out, SOM_STR("&lt;"));
        return true;
    case '>':
        som_text_add(out, SOM_STR("&gt;"));
        return true;
    case '"':
        som_text_add(out, SOM_STR("&quot;"));
        return true;
    default:
        return false;
    }
}
