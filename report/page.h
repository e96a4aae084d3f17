// report/page.h - pieces of a self-contained HTML page: no script, no file beside it.
//
//     som_page_open(out, SOM_STR("Walkbot"));
//     som_text_add(out, SOM_STR("<p>"));
//     som_page_text(out, name);
//     som_page_image(out, png, SOM_STR("at 1.2 s"));
//     som_page_close(out);
//
// The page reads well on screen, dark or light, and on paper.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

void som_page_open(SomText *out, SomStr title);
void som_page_close(SomText *out);

// Words of a user: markup in them is text, and what no page may hold is shown as '?'.
void som_page_text(SomText *out, SomStr text);

// The bytes of a PNG file, inside the page.
void som_page_image(SomText *out, SomStr png, SomStr caption);

#ifdef __cplusplus
}
#endif
