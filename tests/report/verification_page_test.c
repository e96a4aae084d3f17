// SPDX-License-Identifier: Apache-2.0
// Tests for report/verification_page.c; a browser opens real pages in report/browser.

#include "base/codes/verify_codes.h"
#include "report/verification_page.h"
#include "tests/compose/texts.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

typedef struct Page {
    TestDesign text;
    SomConfiguration *design;
    SomMechanism *mechanism;
    SomVerification *found;
    SomVerificationSection section;
    SomText html;
} Page;

static void print(Page *p, const SomVerificationSection *sections, int count, int not_made) {
    som_text_clear(&p->html);
    som_verification_page_print(&(SomVerificationPage){sections, count, not_made, p->text.diags},
                                &p->html);
}

static Page page_of(void (*find)(SomVerification *found)) {
    static const double times[] = {0, 0.5, 1};
    Page p = {.text = test_design("use \"chain3.som\"\nconfig Two { part a, b : Chain3\n"
                                  "connect a.tail.B to b.head.T }\n")};
    p.design = test_compose(&p.text, "");
    p.mechanism = som_mechanism_create(p.design);
    p.found = som_verification_create();
    p.found->is_behavior = true;
    p.found->duration = 1;
    p.found->sample_count = 3;
    p.found->times = times;
    find(p.found);
    som_verification_finish(p.found);
    p.section = (SomVerificationSection){.found = p.found,
                                         .mechanism = p.mechanism,
                                         .design = SOM_STR("Two <b>"),
                                         .behavior = SOM_STR("walk & run")};
    print(&p, &p.section, 1, 0);
    return p;
}

static void discard(Page *p) {
    som_text_free(&p->html);
    som_verification_destroy(p->found);
    som_mechanism_destroy(p->mechanism);
    som_configuration_destroy(p->design);
    test_design_free(&p->text);
}

static bool has(const Page *p, const char *words) {
    return strstr(p->html.data, words) != NULL;
}

static void find_nothing(SomVerification *found) {
    found->min_margin = 0.0123;
    found->min_margin_time = 0.5;
}

START_TEST(a_page_without_findings_says_what_is_fine) {
    Page p = page_of(find_nothing);
    ck_assert(
        has(&p, "<h1>Two &lt;b&gt;: walk &amp; run</h1><span class=\"badge good\">safe</span>"));
    ck_assert(!has(&p, "Findings") && !has(&p, "left out"));
    ck_assert(has(&p, "12.3 mm at 0.5 s"));
    ck_assert(has(&p, som_check_info(SOM_CHECK_MOTION).fine));
    ck_assert(has(&p, "src=\"data:image/png;base64,iVBOR"));
    ck_assert(!has(&p, "<script") && !has(&p, "http:"));
    discard(&p);
}
END_TEST

static void find_much(SomVerification *found) {
    SomFinding finding = {.check = SOM_CHECK_MOTION,
                          .code = SOM_UNSTABLE,
                          .t0 = 0.25,
                          .t1 = 0.75,
                          .worst = 0.5,
                          .details = SOM_STR("its links & others"),
                          .span = {1, 0, 3},
                          .other = {1, 2, 3},
                          .action = SOM_NONE,
                          .other_action = SOM_NONE};
    SomFinding *added = som_verification_add(found, &finding, "'%s' is gone", "<script>");
    som_finding_add_subject(found, added, SOM_STR("a.head.UHolderBody"));
    som_finding_set_fix(found, added, "look for it");
    double *values =
        som_verification_add_series(found, SOM_STR("margin"), SOM_DIMENSION_LENGTH, 0.001);
    values[0] = 0.002;
    values[1] = NAN;
    values[2] = 0.004;
    som_verification_not_assessed(found, SOM_CHECK_SELF_COLLISION, SOM_STR("a & b"), 3,
                                  SOM_STR("they are friends"));
}

START_TEST(findings_have_their_time_place_and_repair) {
    Page p = page_of(find_much);
    ck_assert(has(&p, "Tips over: from 0.25 s to 0.75 s, '&lt;script&gt;' is gone"));
    ck_assert(has(&p, "its links &amp; others"));
    ck_assert(has(&p, "unsafe</span><span class=\"badge error\">1 error</span>"));
    ck_assert(has(&p, "look for it"));
    ck_assert(has(&p, "a.som:1:1") && has(&p, "a.som:1:3"));
    ck_assert(has(&p, "margin [mm]"));
    ck_assert(has(&p, "a &amp; b</td><td class=\"number\">3</td><td>they are friends"));
    ck_assert(!has(&p, ">nan") && !has(&p, "nan ") && !has(&p, "<script"));
    discard(&p);
}
END_TEST

static int count_of(const Page *p, const char *piece) {
    int count = 0;
    for (const char *at = strstr(p->html.data, piece); at != NULL; at = strstr(at + 1, piece)) {
        count++;
    }
    return count;
}

static void find_often(SomVerification *found) {
    for (int i = 0; i < 40; i++) {
        SomFinding finding = {.check = SOM_CHECK_MOTION,
                              .code = SOM_UNSTABLE,
                              .t0 = i * 0.025,
                              .t1 = i * 0.025 + 0.1,
                              // two and two at one moment
                              .worst = i / 2 * 0.05,
                              .action = SOM_NONE};
        som_verification_add(found, &finding, "number %d", i);
    }
    som_verification_add_series(found, SOM_STR("margin"), SOM_DIMENSION_LENGTH, NAN)[1] = 1;
}

START_TEST(what_lasts_long_is_shaded_once_and_moments_share_a_picture) {
    Page p = page_of(find_often);
    ck_assert_int_eq(count_of(&p, "class=\"plot-span\""), 1);
    ck_assert_int_eq(count_of(&p, "<img"), SOM_PAGE_SECTION_PICTURES);
    ck_assert(has(&p, "0.05 s: Tips over: from 0.05 s to 0.15 s, number 2; and 1 more then"));
    ck_assert(has(&p, "11 more pictures were left out"));
    ck_assert(has(&p, "<summary>32 more</summary>"));
    ck_assert_int_eq(count_of(&p, "<li class"), 40);
    discard(&p);
}
END_TEST

START_TEST(a_page_about_much_has_a_table_and_stays_small) {
    enum { MANY = SOM_PAGE_MOST_SECTIONS + 20 };
    Page p = page_of(find_often);
    SomVerification *fine = som_verification_create();
    SomVerificationSection sections[MANY];
    for (int i = 0; i < MANY; i++) {
        sections[i] = p.section;
        sections[i].found = i == MANY - 1 ? p.found : fine;
    }
    print(&p, sections, MANY, 3);
    ck_assert(has(&p, "<h1>120 designs and behaviors</h1><span class=\"badge error\">unsafe"));
    ck_assert(has(&p, "<dt>safe</dt><dd>119</dd>") && has(&p, "<dt>unsafe</dt><dd>1</dd>"));
    ck_assert(has(&p, "<dt>with errors, not verified</dt><dd>3</dd>"));
    ck_assert_int_eq(count_of(&p, "<tr><td>"), MANY);
    // the unsafe one has a section and a picture, though it is the last
    ck_assert_int_eq(count_of(&p, "<section id=\"r"), SOM_PAGE_MOST_SECTIONS);
    ck_assert(has(&p, "<section id=\"r120\">") && !has(&p, "<section id=\"r100\">"));
    ck_assert_int_eq(count_of(&p, "<a href=\"#r"), SOM_PAGE_MOST_SECTIONS);
    ck_assert(has(&p, "100 of 120 have a section"));
    ck_assert_int_eq(count_of(&p, "<img"), SOM_PAGE_MOST_PICTURES);
    ck_assert(has(&p, "0 s: Tips over: from 0 s to 0.1 s, number 0; and 1 more then"));
    ck_assert_uint_lt(p.html.length, 4000000);
    som_verification_destroy(fine);
    discard(&p);
}
END_TEST

SOM_SUITE("report/verification_page", a_page_without_findings_says_what_is_fine,
          findings_have_their_time_place_and_repair,
          what_lasts_long_is_shaded_once_and_moments_share_a_picture,
          a_page_about_much_has_a_table_and_stays_small)
