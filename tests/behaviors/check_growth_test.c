// SPDX-License-Identifier: Apache-2.0
// What `check` takes grows in proportion to its file: this program is linked so that it counts
// comparisons of names, steps through the text and bytes that are allocated.

#include "behaviors/compile.h"
#include "tests/compose/texts.h"

#include <string.h>

int __real_memcmp(const void *a, const void *b, size_t size);
int __wrap_memcmp(const void *a, const void *b, size_t size);
int __real_bcmp(const void *a, const void *b, size_t size);
int __wrap_bcmp(const void *a, const void *b, size_t size);
void *__real_som_alloc(size_t size);
void *__wrap_som_alloc(size_t size);
void *__real_som_realloc(void *memory, size_t count, size_t size);
void *__wrap_som_realloc(void *memory, size_t count, size_t size);
SomNode __real_som_syntax_next(const SomSyntax *tree, SomNode node);
SomNode __wrap_som_syntax_next(const SomSyntax *tree, SomNode node);

typedef struct Tally {
    double compared, stepped, allocated;
} Tally;

static Tally tally;

int __wrap_memcmp(const void *a, const void *b, size_t size) {
    tally.compared++;
    return __real_memcmp(a, b, size);
}

int __wrap_bcmp(const void *a, const void *b, size_t size) {
    tally.compared++;
    return __real_bcmp(a, b, size);
}

void *__wrap_som_alloc(size_t size) {
    tally.allocated += (double)size;
    return __real_som_alloc(size);
}

void *__wrap_som_realloc(void *memory, size_t count, size_t size) {
    tally.allocated += (double)count * (double)size;
    return __real_som_realloc(memory, count, size);
}

SomNode __wrap_som_syntax_next(const SomSyntax *tree, SomNode node) {
    tally.stepped++;
    return __real_som_syntax_next(tree, node);
}

// ---- designs of any size

// Each line with its number in the place of '#', twice if it is there twice.
static void add_lines(SomText *out, const char *line, int count) {
    for (int i = 0; i < count; i++) {
        for (const char *c = line; *c != '\0'; c++) {
            if (*c == '#') {
                som_text_printf(out, "%d", i);
            } else {
                som_text_add_char(out, *c, 1);
            }
        }
    }
}

static const struct {
    const char *what, *top, *lines, *more;
} designs[] = {
    {"behaviors", "", "    behavior b# = tilt to 10deg\n", ""},
    {"behaviors that never end", "", "    behavior b# = left spin 10deg/s\n", ""},
    {"behaviors that run one", "", "    behavior b# = other\n",
     "    behavior other = tilt to 1deg\n"},
    {"behaviors with a parameter", "", "    behavior b#(a: angle = 1deg) = tilt to a\n", ""},
    {"behaviors that repeat a relative move", "", "    behavior b# = repeat 100000: tilt by 1deg\n",
     ""},
    {"lets of the file", "let v# = 10deg\n", "    behavior b# = tilt to v#\n", ""},
    {"lets of the config", "", "    let v# = 10deg\n    behavior b# = tilt to v#\n", ""},
    {"poses", "", "    pose q# { tilt = 1deg }\n    behavior b# = to pose q#\n", ""},
    {"configs", "config C# is SMORES {\n    behavior b = tilt to 1deg\n}\n", "", ""},
};

static void write_design(int which, int count, SomText *text) {
    som_text_add(text, SOM_STR("use \"smores.m3l\"\n"));
    add_lines(text, designs[which].top, count);
    som_text_add(text, SOM_STR("config A is SMORES {\n"));
    add_lines(text, designs[which].lines, count);
    som_text_printf(text, "%s}\n", designs[which].more);
}

static Tally check(const char *text) {
    tally = (Tally){0};
    TestDesign design = test_design(text);
    SomReportedPlaces reported = {0};
    int64_t steps = SOM_COMPILE_MOST_STEPS;
    som_workspace_check(design.workspace, design.file);
    for (int i = 0; i < som_workspace_file(design.workspace, design.file)->config_count; i++) {
        SomStr name = som_workspace_file(design.workspace, design.file)->configs[i].name;
        SomConfiguration *c =
            som_configuration_compose(design.workspace, design.file, name, design.diags);
        ck_assert_msg(c != NULL, "%s", test_diagnostics(&design));
        som_compile_check(&(SomCompileDef){.workspace = design.workspace,
                                           .configuration = c,
                                           .diags = design.diags,
                                           .reported = &reported,
                                           .steps_left = &steps});
        som_configuration_destroy(c);
    }
    Tally taken = tally;
    som_reported_places_free(&reported);
    test_design_free(&design);
    return taken;
}

// With room for sorting, and for arrays that double.
#define MAX_GROWTH 6.5

static double grown(double small, double large, double nothing) {
    return (large - nothing + 1) / (small - nothing + 1);
}

START_TEST(four_times_the_text_takes_about_four_times_the_work) {
    Tally nothing = check("use \"smores.m3l\"\nconfig A is SMORES {\n}\n");
    ck_assert_msg(nothing.compared > 0 && nothing.allocated > 0, "nothing is counted");
    for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
        Tally taken[2];
        for (int k = 0; k < 2; k++) {
            SomText text = {0};
            write_design((int)i, k == 0 ? 500 : 2000, &text);
            taken[k] = check(text.data);
            som_text_free(&text);
        }
        double compared = grown(taken[0].compared, taken[1].compared, nothing.compared);
        double stepped = grown(taken[0].stepped, taken[1].stepped, nothing.stepped);
        double allocated = grown(taken[0].allocated, taken[1].allocated, nothing.allocated);
        ck_assert_msg(compared < MAX_GROWTH && stepped < MAX_GROWTH && allocated < MAX_GROWTH,
                      "%s: %g times the comparisons, %g times the steps, %g times the memory",
                      designs[i].what, compared, stepped, allocated);
    }
}
END_TEST

// ---- memory

static double allocated_by(const char *text, int lines, const char *words) {
    tally = (Tally){0};
    TestDesign design = test_design(text);
    ck_assert(!som_workspace_check(design.workspace, design.file));
    double allocated = tally.allocated;
    const char *all = test_diagnostics(&design);
    ck_assert_msg(strstr(all, words) != NULL, "%s", all);
    int errors = som_diagnostics_error_count(design.diags);
    ck_assert_msg(errors == lines, "%s", all);
    test_design_free(&design);
    return allocated;
}

#define TREE(start, next)                                                                          \
    "use \"smores.m3l\"\n"                                                                         \
    "config Tree(n: count = " start ") {\n"                                                        \
    "    part m : SMORES\n"                                                                        \
    "    part left[if n > 1 then 1 else 0], right[if n > 1 then 1 else 0] : Tree(n = " next ")\n"  \
    "    connect m.L to left[i].m.B for i in 1..min(n-1, 1)\n"                                     \
    "    connect m.R to right[i].m.B for i in 1..min(n-1, 1)\n"                                    \
    "}\n"

START_TEST(recursion_without_end_is_refused_before_it_takes_memory) {
    double taken = allocated_by(TREE("3", "n + 1"), 1, "and so on without end");
    ck_assert_msg(taken < 20e6, "%g bytes", taken);
    taken = allocated_by(TREE("200", "n - 1"), 1, "bytes of paths");
    ck_assert_msg(taken < 250e6, "%g bytes, those of arrays that grow included", taken);
}
END_TEST

// A comment is kept once, whatever number of parts has it.
START_TEST(comments_of_many_parts_are_kept_once) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("use \"smores.m3l\"\n# "));
    som_text_add_char(&text, 'x', 20000);
    som_text_add(&text, SOM_STR("\nconfig B is SMORES {}\nconfig A {\n    part p[2000] : B\n"
                                "    connect p[i].B to p[i+1].T for i in 1..1999\n}\n"));
    Tally taken = check(text.data);
    ck_assert_msg(taken.allocated < 20e6, "%g bytes", taken.allocated);
    som_text_free(&text);
}
END_TEST

// Every graph has the names of all joints: one behavior for each of many modules is too much work
// at some point, which is reported once.
START_TEST(work_of_many_behaviors_of_a_large_design_is_bounded) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("use \"smores.m3l\"\nconfig A {\n    part p[3000] : SMORES\n"
                                "    connect p[i].B to p[i+1].T for i in 1..2999\n"));
    add_lines(&text, "    behavior b# = p[1].tilt to 10deg\n", 200);
    som_text_add(&text, SOM_STR("}\n"));
    TestDesign design = test_design(text.data);
    SomConfiguration *c = test_compose(&design, "A");
    int64_t steps = 50 * 12000 / 8;
    som_compile_check(&(SomCompileDef){.workspace = design.workspace,
                                       .configuration = c,
                                       .diags = design.diags,
                                       .steps_left = &steps});
    ck_assert_int_le(steps, 0);
    ck_assert_int_eq(som_diagnostics_error_count(design.diags), 1);
    som_configuration_destroy(c);
    test_design_free(&design);
    som_text_free(&text);
}
END_TEST

// Sets of relative moves in one behavior, each of which leads beyond a limit or just not.
static Tally check_moves(int count, const char *move) {
    SomText text = {0};
    som_text_printf(&text,
                    "use \"smores.m3l\"\nconfig A {\n    part p[8] : SMORES\n"
                    "    connect p[i].B to p[i+1].T for i in 1..7\n"
                    "    behavior b = series(for k in 1..%d: parallel(for i in 1..8: %s))\n}\n",
                    count, move);
    Tally taken = check(text.data);
    som_text_free(&text);
    return taken;
}

START_TEST(relative_moves_of_one_behavior_take_work_in_proportion) {
    static const char *const moves[] = {
        "repeat 1000: series(p[i].tilt by 1deg, p[i].tilt by -1deg)",
        "series(p[i].tilt to 80deg, repeat 1000: repeat 1000: p[i].tilt by 0.1deg)",
        "repeat 3: series(p[i].tilt by 30deg, hold p[i].tilt)",
    };
    for (int i = 0; i < 3; i++) {
        Tally small = check_moves(200, moves[i]), large = check_moves(800, moves[i]);
        ck_assert_msg(large.allocated < MAX_GROWTH * small.allocated &&
                          large.compared < MAX_GROWTH * small.compared,
                      "%s: %g and %g bytes", moves[i], small.allocated, large.allocated);
    }
}
END_TEST

// ---- behaviors that run the one before

// What is checked in the way of a file; `body` has two places for the number of the one before.
static double check_row(int count, const char *body, const char *first, int errors,
                        const char *message) {
    SomText text = {0};
    som_text_printf(&text, "use \"smores.m3l\"\nconfig A is SMORES {\n    behavior b0 = %s\n",
                    first);
    for (int i = 1; i < count; i++) {
        som_text_printf(&text, "    behavior b%d = ", i);
        for (const char *c = body; *c != '\0'; c++) {
            som_text_add_char(&text, *c, *c != '#');
            if (*c == '#') {
                som_text_printf(&text, "%d", i - 1);
            }
        }
        som_text_add_char(&text, '\n', 1);
    }
    som_text_add(&text, SOM_STR("}\n"));
    TestDesign design = test_design(text.data);
    SomConfiguration *c = test_compose(&design, "A");
    SomReportedPlaces reported = {0};
    int64_t steps = SOM_COMPILE_MOST_STEPS;
    tally = (Tally){0};
    som_compile_check(&(SomCompileDef){.workspace = design.workspace,
                                       .configuration = c,
                                       .diags = design.diags,
                                       .reported = &reported,
                                       .steps_left = &steps});
    double allocated = tally.allocated;
    const char *all = test_diagnostics(&design);
    ck_assert_msg(strstr(all, message) != NULL, "%s", all);
    ck_assert_int_eq(som_diagnostics_error_count(design.diags), errors);
    som_reported_places_free(&reported);
    som_configuration_destroy(c);
    test_design_free(&design);
    som_text_free(&text);
    return allocated;
}

START_TEST(behaviors_that_run_the_one_before_take_no_more_than_their_calls) {
    double small = check_row(100, "b#", "tilt to 1deg", 0, "");
    double large = check_row(400, "b#", "tilt to 1deg", 0, "");
    ck_assert_msg(large < 16 * MAX_GROWTH / 4 * small, "%g and %g bytes", small, large);
    check_row(60, "b#", "b59", 60, "'b59' is a part of itself");
    check_row(1500, "b#", "tilt to 1deg", 1, "takes too much work to unfold");
}
END_TEST

START_TEST(behaviors_that_run_the_one_before_twice_are_refused_before_they_take_memory) {
    double taken =
        check_row(60, "series(b#, b#)", "tilt to 1deg", 1, "takes too much work to unfold");
    ck_assert_msg(taken < 400e6, "%g bytes, those of arrays that grow included", taken);
}
END_TEST

SOM_SUITE("behaviors/check_growth", four_times_the_text_takes_about_four_times_the_work,
          recursion_without_end_is_refused_before_it_takes_memory,
          comments_of_many_parts_are_kept_once, work_of_many_behaviors_of_a_large_design_is_bounded,
          relative_moves_of_one_behavior_take_work_in_proportion,
          behaviors_that_run_the_one_before_take_no_more_than_their_calls,
          behaviors_that_run_the_one_before_twice_are_refused_before_they_take_memory)
