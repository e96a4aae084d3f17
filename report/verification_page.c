// SPDX-License-Identifier: Apache-2.0
#include "report/verification_page.h"

#include "report/page.h"
#include "report/verification_section_internal.h"

#include <math.h>

// ---- what gets a section, and how many pictures

typedef struct Plan {
    bool *has_section; // one a section of the page
    int *pictures;
    int shown;
} Plan;

// What is unsafe first, then what is incomplete, then the others, each in their order.
static Plan make_plan(const SomVerificationPage *page) {
    size_t count = (size_t)page->count + 1;
    static const SomVerdict order[SOM_VERDICTS] = {SOM_VERDICT_UNSAFE, SOM_VERDICT_INCOMPLETE,
                                                   SOM_VERDICT_SAFE};
    Plan plan = {.has_section = som_alloc(count * sizeof *plan.has_section),
                 .pictures = som_alloc(count * sizeof *plan.pictures)};
    int left = SOM_PAGE_MOST_PICTURES;
    int share = page->count > 0 ? SOM_PAGE_MOST_PICTURES / page->count : 0;
    share = share > SOM_PAGE_SECTION_PICTURES ? SOM_PAGE_SECTION_PICTURES : share > 0 ? share : 1;
    for (int round = 0; round < SOM_VERDICTS; round++) {
        for (int i = 0; i < page->count; i++) {
            if (page->sections[i].found->verdict == order[round] &&
                plan.shown < SOM_PAGE_MOST_SECTIONS) {
                plan.has_section[i] = true;
                plan.pictures[i] = share < left ? share : left;
                left -= plan.pictures[i];
                plan.shown++;
            }
        }
    }
    return plan;
}

static void free_plan(Plan *plan) {
    som_free(plan->has_section);
    som_free(plan->pictures);
}

// ---- the table

static void print_length_cell(SomText *out, double value) {
    som_text_add(out, SOM_STR("<td class=\"number\">"));
    if (isfinite(value)) {
        som_text_value(out, value, SOM_DIMENSION_LENGTH);
    } else {
        som_text_add(out, SOM_STR("&ndash;"));
    }
    som_text_add(out, SOM_STR("</td>"));
}

static void print_count_cell(SomText *out, int count, const char *severity) {
    if (count > 0) {
        som_text_printf(out, "<td class=\"number\"><span class=\"badge %s\">%d</span></td>",
                        severity, count);
    } else {
        som_text_add(out, SOM_STR("<td class=\"number soft\">0</td>"));
    }
}

static void print_row(const SomVerificationSection *section, int number, bool is_linked,
                      SomText *out) {
    const SomVerification *found = section->found;
    som_text_add(out, SOM_STR("<tr><td>"));
    if (is_linked) {
        som_text_printf(out, "<a href=\"#r%d\">", number);
    }
    som_verification_print_name(section, out);
    som_text_add(out, is_linked ? SOM_STR("</a>") : SOM_STR(""));
    som_text_add(out, SOM_STR("</td><td>"));
    som_verification_print_verdict(found->verdict, out);
    som_text_add(out, SOM_STR("</td>"));
    print_count_cell(out, som_verification_count(found, SOM_ERROR), "error");
    print_count_cell(out, som_verification_count(found, SOM_WARNING), "warning");
    print_length_cell(out, found->min_clearance);
    print_length_cell(out, found->min_margin);
    som_text_add(out, SOM_STR("<td class=\"number\">"));
    if (found->is_behavior) {
        som_text_value(out, found->duration, SOM_DIMENSION_TIME);
    } else {
        som_text_add(out, SOM_STR("&ndash;"));
    }
    som_text_add(out, SOM_STR("</td></tr>\n"));
}

static void print_table(const SomVerificationPage *page, const Plan *plan, SomText *out) {
    som_text_add(out, SOM_STR("<section id=\"summary\"><header class=\"title\"><h2>Summary</h2>"
                              "</header>\n<div class=\"scroll\"><table>\n<tr><th>what</th>"
                              "<th>verdict</th><th class=\"number\">errors</th>"
                              "<th class=\"number\">warnings</th><th class=\"number\">clearance"
                              "</th><th class=\"number\">margin</th><th class=\"number\">lasts"
                              "</th></tr>\n"));
    for (int i = 0; i < page->count; i++) {
        print_row(&page->sections[i], i + 1, plan->has_section[i], out);
    }
    som_text_add(out, SOM_STR("</table></div></section>\n"));
}

// ---- all of it

static void print_tile(SomText *out, const char *what, int count) {
    som_text_printf(out, "<div><dt>%s</dt><dd>%d</dd></div>\n", what, count);
}

static void print_overview(const SomVerificationPage *page, const Plan *plan, SomText *out) {
    int counts[SOM_VERDICTS] = {0};
    for (int i = 0; i < page->count; i++) {
        counts[page->sections[i].found->verdict]++;
    }
    SomVerdict verdict = counts[SOM_VERDICT_UNSAFE] > 0 || page->not_made > 0 ? SOM_VERDICT_UNSAFE
                         : counts[SOM_VERDICT_INCOMPLETE] > 0 ? SOM_VERDICT_INCOMPLETE
                                                              : SOM_VERDICT_SAFE;
    som_text_printf(out, "<header class=\"title\"><h1>%d designs and behaviors</h1>", page->count);
    som_verification_print_verdict(verdict, out);
    som_text_add(out, SOM_STR("</header>\n<dl class=\"tiles\">\n"));
    print_tile(out, "verified", page->count);
    for (int i = 0; i < SOM_VERDICTS; i++) {
        if (i != SOM_VERDICT_INCOMPLETE || counts[i] > 0) {
            print_tile(out, som_verdict_word((SomVerdict)i), counts[i]);
        }
    }
    if (page->not_made > 0) {
        print_tile(out, "with errors, not verified", page->not_made);
    }
    som_text_add(out, SOM_STR("</dl>\n"));
    print_table(page, plan, out);
}

static void print_end(const SomVerificationPage *page, const Plan *plan, int refused,
                      SomText *out) {
    som_text_add(out, SOM_STR("<footer>\n"));
    if (plan->shown < page->count) {
        som_text_printf(out,
                        "<p>%d of %d have a section, what is unsafe first; the others stand in "
                        "the table alone.</p>\n",
                        plan->shown, page->count);
    }
    if (refused > 0) {
        som_text_printf(out,
                        "<p>%d more picture%s left out: a page has %d at most, %d of one "
                        "behavior.%s</p>\n",
                        refused, refused == 1 ? " was" : "s were", SOM_PAGE_MOST_PICTURES,
                        SOM_PAGE_SECTION_PICTURES,
                        page->count > 1 ? " A page about one behavior alone has more of it." : "");
    }
    som_text_add(out, SOM_STR("<p>Made by <code>somite verify --html</code>. The page needs no "
                              "other file and no network; docs/verify.md explains the checks."
                              "</p>\n</footer>\n"));
}

void som_verification_page_print(const SomVerificationPage *page, SomText *out) {
    SomText title = {0};
    Plan plan = make_plan(page);
    SomArtist *artist = som_artist_create(SOM_PAGE_MOST_PICTURES);
    if (page->count == 1) {
        som_text_add(&title, page->sections[0].design);
        som_text_add_char(&title, ' ', 1);
        som_text_add(&title, page->sections[0].behavior);
    }
    som_page_open(out, page->count == 1 ? som_text_str(&title) : SOM_STR("Verification"));
    if (page->count != 1) {
        print_overview(page, &plan, out);
    }
    for (int i = 0; i < page->count; i++) {
        if (plan.has_section[i]) {
            som_verification_section_print(&page->sections[i], i + 1, page->count == 1 ? 1 : 2,
                                           page->diags, artist, plan.pictures[i], out);
        }
    }
    print_end(page, &plan, som_artist_refused(artist), out);
    som_page_close(out);
    som_artist_destroy(artist);
    free_plan(&plan);
    som_text_free(&title);
}
