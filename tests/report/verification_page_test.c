// SPDX-License-Identifier: Apache-2.0
// Tests for report/verification_page.c; a browser opens real pages in report/browser.

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
    SomText html;
} Page;

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
    SomVerificationPage page = {.found = p.found,
                                .mechanism = p.mechanism,
                                .design = SOM_STR("Two <b>"),
                                .behavior = SOM_STR("walk & run"),
                                .diags = p.text.diags};
    som_verification_page_print(&page, &p.html);
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
    ck_assert(has(&p, "safe: 0 errors, 0 warnings"));
    ck_assert(has(&p, "<h1>Two &lt;b&gt;: walk &amp; run</h1>"));
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
                          .span = {1, 0, 3},
                          .action = SOM_NONE};
    SomFinding *added = som_verification_add(found, &finding, "'%s' is gone", "<script>");
    som_finding_add_subject(found, added, SOM_STR("a.head.UHolderBody"));
    som_finding_set_fix(found, added, "look for it");
    double *values =
        som_verification_add_series(found, SOM_STR("margin"), SOM_DIMENSION_LENGTH, 0.001);
    values[0] = 0.002;
    values[1] = NAN;
    values[2] = 0.004;
    som_verification_skip(found, SOM_STR("a & b"), 3, SOM_STR("they are friends"));
}

START_TEST(findings_have_their_time_place_and_repair) {
    Page p = page_of(find_much);
    ck_assert(has(&p, "0.25 s &ndash; 0.75 s"));
    ck_assert(has(&p, "'&lt;script&gt;' is gone"));
    ck_assert(has(&p, "look for it"));
    ck_assert(has(&p, "a.som:1:1"));
    ck_assert(has(&p, "margin [mm]"));
    ck_assert(has(&p, "a &amp; b</td><td class=\"number\">3</td><td>they are friends"));
    ck_assert(!has(&p, ">nan") && !has(&p, "nan ") && !has(&p, "<script"));
    discard(&p);
}
END_TEST

SOM_SUITE("report/verification_page", a_page_without_findings_says_what_is_fine,
          findings_have_their_time_place_and_repair)
