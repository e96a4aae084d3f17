// SPDX-License-Identifier: Apache-2.0

#include "report/page.h"
#include "report/plot.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 200000 };

static int count_of(const char *text, const char *piece) {
    int count = 0;
    for (const char *at = strstr(text, piece); at != NULL; at = strstr(at + 1, piece)) {
        count++;
    }
    return count;
}

// The lowest point of the curve on the page, in pixels from the top.
static double lowest_pixel(const char *page) {
    double lowest = 0;
    const char *at = strstr(page, "plot-curve\" d=\"");
    for (at += strlen("plot-curve\" d=\""); *at == 'M' || *at == 'L';) {
        strtod(at + 1, (char **)&at);
        lowest = fmax(lowest, strtod(at, (char **)&at));
    }
    return lowest;
}

START_TEST(steps_are_those_that_people_like) {
    ck_assert_double_eq(som_axis_step(0, 10, 5), 2);
    ck_assert_double_eq(som_axis_step(0, 1, 4), 0.5);
    ck_assert_double_eq(som_axis_step(-30, 70, 5), 20);
    ck_assert_double_eq(som_axis_step(0, 0, 5), 1);
    ck_assert_double_eq(som_axis_step(0, NAN, 5), 1);
    ck_assert_double_eq(som_axis_step(0, INFINITY, 5), 1);
    double small = som_axis_step(0, 1e-300, 5);
    ck_assert(small > 0 && small <= 1e-300);
}
END_TEST

START_TEST(many_samples_make_a_short_curve_that_keeps_its_extremes) {
    double *times = malloc(sizeof *times * MOST), *values = malloc(sizeof *values * MOST);
    for (int i = 0; i < MOST; i++) {
        times[i] = i * 1e-4;
        values[i] = i % 2;
    }
    values[123457] = -50; // one sample in two hundred thousand
    SomPlot plot = {.title = SOM_STR("dip"),
                    .curves = {{.times = times, .values = values, .count = MOST}},
                    .limit = NAN};
    SomText page = {0};
    som_plot_print(&plot, &page);
    ck_assert_uint_lt(page.length, 100000);
    // the axis ends 6 % below the dip
    ck_assert_double_eq_tol(lowest_pixel(page.data), 160 - 132 * 0.06 / 1.12, 0.2);
    som_text_free(&page);
    free(times);
    free(values);
}
END_TEST

START_TEST(gaps_interrupt_the_curve) {
    double times[] = {0, 1, 2, 3, 4}, values[] = {1, 2, NAN, 3, INFINITY};
    SomPlot plot = {.title = SOM_STR("gap"),
                    .curves = {{.times = times, .values = values, .count = 5}},
                    .limit = NAN};
    SomText page = {0};
    som_plot_print(&plot, &page);
    ck_assert_int_eq(count_of(page.data, "M"), 2);
    ck_assert_int_eq(count_of(page.data, "h0"), 2); // what stands alone is a dot
    ck_assert_ptr_null(strstr(page.data, "nan"));
    ck_assert_ptr_null(strstr(page.data, "inf"));
    som_text_clear(&page);
    plot.bridge = 2.5;
    som_plot_print(&plot, &page);
    ck_assert_int_eq(count_of(page.data, "M"), 1);
    som_text_free(&page);
}
END_TEST

START_TEST(a_plot_of_nothing_says_so) {
    double times[] = {0, NAN}, values[] = {NAN, 1};
    SomPlot plot = {.title = SOM_STR("a<b"),
                    .curves = {{.times = times, .values = values, .count = 2}}};
    SomText page = {0};
    som_plot_print(&plot, &page);
    ck_assert_ptr_nonnull(strstr(page.data, "a&lt;b: no values"));
    som_text_free(&page);
}
END_TEST

START_TEST(limits_and_spans_are_drawn_where_they_are) {
    double times[] = {0, 10}, values[] = {0, 1};
    SomPlotSpan spans[] = {{2, 4}, {NAN, 3}, {9, 9}};
    SomPlot plot = {.title = SOM_STR("torque"),
                    .unit = SOM_STR("N m"),
                    .curves = {{.times = times, .values = values, .count = 2}},
                    .limit = 2,
                    .spans = spans,
                    .span_count = 3};
    SomText page = {0};
    som_plot_print(&plot, &page);
    ck_assert_int_eq(count_of(page.data, "plot-limit"), 1);
    ck_assert_int_eq(count_of(page.data, "plot-span"), 2);
    ck_assert_ptr_nonnull(strstr(page.data, "x=\"118.8\" y=\"28\" width=\"72.8\""));
    ck_assert_ptr_nonnull(strstr(page.data, "torque [N m]"));
    som_text_free(&page);
}
END_TEST

START_TEST(two_curves_share_axes_and_a_legend) {
    double times[] = {0, 10}, values[] = {0, 1, 2, 3}, later[] = {20};
    SomPlot plot = {.title = SOM_STR("bend"),
                    .curves = {{SOM_STR("simulated"), times, values, 2, 2},
                               {.name = SOM_STR("<predicted>"),
                                .times = later,
                                .values = times + 1,
                                .count = 1}},
                    .limit = NAN};
    SomText page = {0};
    som_plot_print(&plot, &page);
    ck_assert_int_eq(count_of(page.data, "<path"), 2);
    ck_assert_int_eq(count_of(page.data, "plot-name"), 2);
    ck_assert_ptr_nonnull(strstr(page.data, "&lt;predicted&gt;"));
    // from 0 to 10 of 20 seconds, from 0 to 2 of 10: the other curve is on the axes, too
    ck_assert_ptr_nonnull(strstr(page.data, "d=\"M46 152.9L228 129.4h0\""));
    som_text_free(&page);
}
END_TEST

START_TEST(words_cannot_become_markup) {
    SomText page = {0};
    som_page_open(&page, SOM_STR("<script>\"&\x01\xff"));
    ck_assert_ptr_nonnull(strstr(page.data, "&lt;script&gt;&quot;&amp;?"
                                            "?</title>"));
    som_text_clear(&page);
    som_page_image(&page, SOM_STR("Man"), SOM_STR("a picture"));
    ck_assert_ptr_nonnull(strstr(page.data, "base64,TWFu\""));
    som_text_clear(&page);
    som_page_image(&page, SOM_STR("M"), SOM_STR("a picture"));
    ck_assert_ptr_nonnull(strstr(page.data, "base64,TQ==\""));
    som_text_free(&page);
}
END_TEST

SOM_SUITE("report/plot", steps_are_those_that_people_like,
          many_samples_make_a_short_curve_that_keeps_its_extremes, gaps_interrupt_the_curve,
          a_plot_of_nothing_says_so, limits_and_spans_are_drawn_where_they_are,
          two_curves_share_axes_and_a_legend, words_cannot_become_markup)
