// SPDX-License-Identifier: Apache-2.0
#include "report/page.h"

#include "base/diagnostic.h"
#include "base/markup.h"

#include <stdint.h>

static const char style[] =
    ":root{color-scheme:light "
    "dark;--ink:#1b2127;--soft:#5a6570;--line:#dfe3e8;--paper:#f4f6f8;--card:#fff;\n"
    "--curve:#1f6fb2;--other:#c2691c;--limit:#b3261e;--shade:#b3261e1c;--good:#17784a;--warn:#"
    "8a5a00;\n"
    "--good-back:#17784a1a;--warn-back:#c98a001f;--error-back:#b3261e17}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e7eaed;--soft:#9ca7b1;--line:#343c44;--paper:#"
    "12161a;\n"
    "--card:#1a2026;--curve:#6ab0ea;--other:#f0a35e;--limit:#ff8a80;--shade:#ff8a8026;--good:#"
    "5fd39a;\n"
    "--warn:#ffc266;--good-back:#5fd39a1f;--warn-back:#ffc2661f;--error-back:#ff8a801f}}\n"
    "*{box-sizing:border-box}\n"
    "body{font:15px/1.5 "
    "system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:76rem;\n"
    "margin:0 auto;padding:1.5rem 1.25rem 3rem}\n"
    "h1{font-size:1.7rem;line-height:1.25;margin:.5rem 0;overflow-wrap:anywhere}\n"
    "h2{font-size:1.25rem;margin:0;overflow-wrap:anywhere}h3{font-size:1rem;margin:1.5rem 0 "
    ".5rem}\n"
    "p{margin:.4rem 0}a{color:var(--curve)}ul{padding-left:1.2rem}\n"
    "section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1.1rem "
    "1.25rem;\n"
    "margin:1.25rem 0;scroll-margin-top:1rem}\n"
    "header.title{display:flex;flex-wrap:wrap;gap:.4rem .8rem;align-items:center}\n"
    ".scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;\n"
    "padding:.35rem .7rem .35rem 0;border-bottom:1px solid "
    "var(--line)}th{color:var(--soft);font-weight:600;\n"
    "white-space:nowrap}tr:last-child td{border-bottom:0}\n"
    ".number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
    "code{font:13px/1.4 ui-monospace,monospace;overflow-wrap:anywhere}\n"
    ".badge{display:inline-block;border-radius:1rem;padding:.05rem "
    ".65rem;font-size:.87rem;font-weight:600;\n"
    "white-space:nowrap;background:var(--line)}\n"
    ".badge.good{color:var(--good);background:var(--good-back)}.badge.error{color:var(--limit);\n"
    "background:var(--error-back)}.badge.warning{color:var(--warn);background:var(--warn-back)}\n"
    ".soft{color:var(--soft)}.good{color:var(--good)}\n"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.75rem;"
    "margin:1rem 0;\n"
    "padding:0}.tiles div{border:1px solid var(--line);border-radius:8px;padding:.6rem .8rem}\n"
    ".tiles dt{color:var(--soft);font-size:.87rem}.tiles "
    "dd{margin:0;font-size:1.15rem;font-weight:600}\n"
    ".tiles "
    "small{display:block;font-size:.82rem;font-weight:400;color:var(--soft);overflow-wrap:anywhere}"
    "\n"
    "ol.findings{list-style:none;margin:0;padding:0}ol.findings li{display:grid;\n"
    "grid-template-columns:12rem 1fr;gap:0 1rem;padding:.5rem .8rem;margin:.4rem 0;border-radius:0 "
    "6px 6px 0;\n"
    "border-left:4px solid var(--line)}\n"
    "ol.findings li.error{border-color:var(--limit);background:var(--error-back)}\n"
    "ol.findings li.warning{border-color:var(--warn);background:var(--warn-back)}\n"
    "ol.findings p{margin:0;overflow-wrap:anywhere}\n"
    "summary{cursor:pointer;color:var(--curve);margin:.5rem 0}\n"
    "figure{margin:0}figcaption{color:var(--soft);font-size:.9rem;line-height:1.35;padding-top:."
    "3rem;\n"
    "overflow-wrap:anywhere}figure img{width:100%;height:auto;display:block;border-radius:6px}\n"
    ".pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(20rem,100%),1fr));"
    "gap:1rem}\n"
    ".plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(20rem,100%),1fr));gap:."
    "75rem}\n"
    "svg.plot{width:100%;height:auto;font:12px system-ui,sans-serif}\n"
    ".plot-grid{stroke:var(--line)}.plot-curve{stroke:var(--curve);fill:none;stroke-width:1.6;\n"
    "stroke-linejoin:round;stroke-linecap:round}.plot-other{stroke:var(--other)}.plot-limit{stroke:"
    "var(--limit);\n"
    "stroke-dasharray:5 4}.plot-span{fill:var(--shade)}.plot-words{fill:var(--soft)}\n"
    ".plot-title{fill:var(--ink);font-weight:600}\n"
    ".plot-name{fill:var(--curve);stroke:none}.plot-name.plot-other{fill:var(--other)}\n"
    "footer{color:var(--soft);font-size:.9rem;margin-top:1.5rem}\n"
    "@media(max-width:40rem){body{padding:1rem .75rem}section{padding:.9rem}\n"
    "ol.findings li{grid-template-columns:1fr}}\n"
    "@media print{body{max-width:none}section{break-inside:avoid}}\n";

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
