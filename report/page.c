// SPDX-License-Identifier: Apache-2.0
#include "report/page.h"

#include "base/diagnostic.h"
#include "base/markup.h"

#include <stdint.h>

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1d2329;--soft:#5c6770;--line:#d5dade;--paper:#fff;"
    "--curve:#1f6fb2;--limit:#b3261e;--shade:#b3261e22;--good:#1b7f4b;--warn:#8a5a00}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e9ec;--soft:#9aa5ae;--line:#3a4249;"
    "--paper:#15191d;--curve:#6ab0ea;--limit:#ff8a80;--shade:#ff8a8030;--good:#5fd39a;"
    "--warn:#ffc266}}\n"
    "body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);"
    "max-width:60rem;margin:2rem auto;padding:0 1rem}\n"
    "h1{font-size:1.5rem;margin-bottom:.2rem}h2{font-size:1.15rem;margin-top:2rem}\n"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;"
    "padding:.35rem .6rem;border-bottom:1px solid var(--line)}th{color:var(--soft);"
    "font-weight:600}\n"
    "td.number{white-space:nowrap;font-variant-numeric:tabular-nums}\n"
    "code{font:13px/1.4 ui-monospace,monospace;overflow-wrap:anywhere}\n"
    ".verdict{font-weight:700}.good{color:var(--good)}.error{color:var(--limit)}"
    ".warning{color:var(--warn)}.soft{color:var(--soft)}\n"
    "figure{margin:1rem 0}figcaption{color:var(--soft)}figure img{max-width:100%;height:auto}\n"
    ".pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(22rem,1fr));gap:1rem}\n"
    "svg.plot{width:100%;height:auto;font:12px system-ui,sans-serif}\n"
    ".plot-grid{stroke:var(--line)}.plot-curve{stroke:var(--curve);fill:none;stroke-width:1.5;"
    "stroke-linejoin:round}.plot-limit{stroke:var(--limit);stroke-dasharray:5 4}\n"
    ".plot-span{fill:var(--shade)}.plot-words{fill:var(--soft)}\n";

void som_page_open(SomText *out, SomStr title) {
    som_text_add(out, SOM_STR("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
                              "charset=\"utf-8\">\n<meta name=\"viewport\" "
                              "content=\"width=device-width\">\n<title>"));
    som_page_text(out, title);
    som_text_printf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", style);
}

void som_page_close(SomText *out) {
    som_text_add(out, SOM_STR("</body>\n</html>\n"));
}

void som_page_text(SomText *out, SomStr text) {
    SomText shown = {0};
    som_text_add_shown(&shown, text);
    for (size_t i = 0; i < shown.length; i++) {
        if (!som_markup_add(out, shown.data[i])) {
            som_text_add_char(out, shown.data[i], 1);
        }
    }
    som_text_free(&shown);
}

static void add_base64(SomText *out, SomStr bytes) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.length; i += 3) {
        uint32_t three = 0;
        size_t count = bytes.length - i < 3 ? bytes.length - i : 3;
        for (size_t k = 0; k < 3; k++) {
            three = three << 8 | (k < count ? (uint8_t)bytes.data[i + k] : 0u);
        }
        for (size_t k = 0; k < 4; k++) {
            som_text_add_char(out, k <= count ? digits[three >> (18 - 6 * k) & 63] : '=', 1);
        }
    }
}

void som_page_image(SomText *out, SomStr png, SomStr caption) {
    som_text_add(out, SOM_STR("<figure><img alt=\""));
    som_page_text(out, caption);
    som_text_add(out, SOM_STR("\" src=\"data:image/png;base64,"));
    add_base64(out, png);
    som_text_add(out, SOM_STR("\"><figcaption>"));
    som_page_text(out, caption);
    som_text_add(out, SOM_STR("</figcaption></figure>\n"));
}
