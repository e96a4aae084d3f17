// SPDX-License-Identifier: Apache-2.0
// Operations on behaviors: the text before and after, and refusals.

#include "behaviors/behavior_edit.h"
#include "behaviors/compile.h"
#include "space/trigonometry.h"
#include "tests/compose/edited.h"

#define DEGREES(a) ((a)*SOM_PI / 180)
#define AT(behavior, path) ((SomBlockPlace){S(behavior), S(path)})

#define ROW                                                                                        \
    "use \"smores.m3l\"\n"                                                                         \
    "\n"                                                                                           \
    "config Row {\n"                                                                               \
    "    part a, b : SMORES\n"                                                                     \
    "    connect a.B to b.T\n"                                                                     \
    "\n"

// A behavior that is in canonical form.
#define TIDY                                                                                       \
    ROW "    # Goes.\n"                                                                            \
        "    behavior go = series(a.tilt to 10deg, wait 1s, b.tilt to 20deg) # here\n"             \
        "    behavior twice(n: count = 2) = repeat n: go\n"                                        \
        "}\n"

// One that somebody has laid out.
#define LOOSE                                                                                      \
    ROW "    behavior go =  series(\n"                                                             \
        "          # first\n"                                                                      \
        "          a.tilt to  10deg,   # one\n"                                                    \
        "          parallel( wait 1s,b.left to 5deg ), # two\n"                                    \
        "          b.tilt to 20deg\n"                                                              \
        "        )\n"                                                                              \
        "    behavior rest = wait 2s\n"                                                            \
        "}\n"

static void made(const char *text, SomDesign *d, bool done, const char *after) {
    test_edit_made(d, done, text, after);
}

static void refused(const char *text, SomDesign *d, bool done, const char *reason) {
    test_edit_refused(d, done, text, reason);
}

// ---- whole behaviors

START_TEST(a_behavior_is_added_behind_the_others) {
    SomDesign *d = test_edit_begin(TIDY);
    bool done = som_behavior_add(d, S(""), S("go"), S(""));
    ck_assert_str_eq(som_design_new_name(d).data, "go2");
    made(TIDY, d, done,
         ROW "    # Goes.\n"
             "    behavior go = series(a.tilt to 10deg, wait 1s, b.tilt to 20deg) # here\n"
             "    behavior twice(n: count = 2) = repeat n: go\n"
             "    behavior go2 = series()\n"
             "}\n");
    static const char *const bare = "use \"smores.m3l\"\n"
                                    "config Row {\n"
                                    "    part a : SMORES\n"
                                    "}\n";
    d = test_edit_begin(bare);
    done = som_behavior_add(d, S("Row"), S("wait"), S("  a.tilt to 10deg\n   within 2deg "));
    made(bare, d, done,
         "use \"smores.m3l\"\n"
         "config Row {\n"
         "    part a : SMORES\n"
         "\n"
         "    behavior \"wait\" = a.tilt to 10deg within 2deg\n"
         "}\n");
}
END_TEST

START_TEST(a_behavior_that_is_run_stays) {
    SomDesign *d = test_edit_begin(TIDY);
    refused(TIDY, d, som_behavior_remove(d, S(""), S("go")),
            "SOM2605: 'twice' runs 'go'; take it out there first");
    d = test_edit_begin(TIDY);
    made(TIDY, d, som_behavior_remove(d, S(""), S("twice")),
         ROW "    # Goes.\n"
             "    behavior go = series(a.tilt to 10deg, wait 1s, b.tilt to 20deg) # here\n"
             "}\n");
    d = test_edit_begin(TIDY);
    refused(TIDY, d, som_behavior_remove(d, S(""), S("run")),
            "SOM2602: the config has no behavior 'run'");
}
END_TEST

START_TEST(a_behavior_is_renamed_wherever_it_is_run) {
    static const char *const text =
        "use \"smores.m3l\"\n"
        "config Two {\n"
        "    part one[2], other : M\n"
        "    connect one[1].B to one[2].T\n"
        "    connect one[2].B to other.T\n"
        "    behavior go = other.go\n"
        "    behavior all = series(go, for i in 1..2: one[i].go, other.go)\n"
        "}\n"
        "config M is SMORES {\n"
        "    behavior go = tilt to 10deg\n"
        "    behavior twice = repeat 2: go\n"
        "}\n";
    SomDesign *d = test_edit_begin(text);
    bool done = som_design_rename_behavior(d, S("M"), S("go"), S("hold"));
    made(text, d, done,
         "use \"smores.m3l\"\n"
         "config Two {\n"
         "    part one[2], other : M\n"
         "    connect one[1].B to one[2].T\n"
         "    connect one[2].B to other.T\n"
         "    behavior go = other.\"hold\"\n"
         "    behavior all = series(go, for i in 1..2: one[i].\"hold\", other.\"hold\")\n"
         "}\n"
         "config M is SMORES {\n"
         "    behavior \"hold\" = tilt to 10deg\n"
         "    behavior twice = repeat 2: \"hold\"\n"
         "}\n");
    d = test_edit_begin(text);
    refused(text, d, som_design_rename_behavior(d, S(""), S("go"), S("all")),
            "SOM2603: there is a behavior 'all' already");
    d = test_edit_begin(text);
    refused(text, d, som_design_rename_behavior(d, S(""), S("go"), S("other")),
            "SOM2603: there is a part 'other' already");
}
END_TEST

// ---- putting in

START_TEST(an_action_is_put_into_a_list) {
    SomDesign *d = test_edit_begin(TIDY);
    bool done = som_behavior_insert(d, S(""), AT("go", ""), 1, S(" hold a.tilt "));
    ck_assert_str_eq(som_design_new_name(d).data, "1");
    made(TIDY, d, done,
         ROW
         "    # Goes.\n"
         "    behavior go = series(a.tilt to 10deg, hold a.tilt, wait 1s, b.tilt to 20deg) # here\n"
         "    behavior twice(n: count = 2) = repeat n: go\n"
         "}\n");
    d = test_edit_begin(TIDY); // what becomes too long is broken, as the canonical form is
    done = som_behavior_insert(d, S(""), AT("go", ""), SOM_LAST,
                               S("parallel(a.left to 10deg, b.left to 20deg)"));
    ck_assert_str_eq(som_design_new_name(d).data, "3");
    made(TIDY, d, done,
         ROW "    # Goes.\n"
             "    behavior go = series(\n"
             "        a.tilt to 10deg, wait 1s, b.tilt to 20deg, parallel(a.left to 10deg, b.left "
             "to 20deg)) # here\n"
             "    behavior twice(n: count = 2) = repeat n: go\n"
             "}\n");
    d = test_edit_begin(LOOSE);
    done = som_behavior_insert(d, S(""), AT("go", ""), 1, S("hold"));
    made(LOOSE, d, done,
         ROW "    behavior go =  series(\n"
             "          # first\n"
             "          a.tilt to  10deg,   # one\n"
             "          hold,\n"
             "          parallel( wait 1s,b.left to 5deg ), # two\n"
             "          b.tilt to 20deg\n"
             "        )\n"
             "    behavior rest = wait 2s\n"
             "}\n");
    d = test_edit_begin(LOOSE);
    done = som_behavior_insert(d, S(""), AT("go", "1"), 1, S("hold"));
    made(LOOSE, d, done,
         ROW "    behavior go =  series(\n"
             "          # first\n"
             "          a.tilt to  10deg,   # one\n"
             "          parallel( wait 1s,hold,b.left to 5deg ), # two\n"
             "          b.tilt to 20deg\n"
             "        )\n"
             "    behavior rest = wait 2s\n"
             "}\n");
}
END_TEST

START_TEST(an_action_beside_one_makes_a_series) {
    SomDesign *d = test_edit_begin(TIDY);
    bool done = som_behavior_insert(d, S(""), AT("twice", ""), SOM_LAST, S("wait 2s"));
    ck_assert_str_eq(som_design_new_name(d).data, "0/1");
    made(TIDY, d, done,
         ROW "    # Goes.\n"
             "    behavior go = series(a.tilt to 10deg, wait 1s, b.tilt to 20deg) # here\n"
             "    behavior twice(n: count = 2) = repeat n: series(go, wait 2s)\n"
             "}\n");
    d = test_edit_begin(LOOSE);
    done = som_behavior_insert(d, S(""), AT("rest", ""), 0, S("go"));
    ck_assert_str_eq(som_design_new_name(d).data, "0");
    made(LOOSE, d, done,
         ROW "    behavior go =  series(\n"
             "          # first\n"
             "          a.tilt to  10deg,   # one\n"
             "          parallel( wait 1s,b.left to 5deg ), # two\n"
             "          b.tilt to 20deg\n"
             "        )\n"
             "    behavior rest = series(go, wait 2s)\n"
             "}\n");
}
END_TEST

#define CHOICES                                                                                    \
    ROW "    behavior go = choose(height > 1cm: wait 1s)\n"                                        \
        "    behavior by(n: count = 2) = if odd(n) then wait 1s else wait 2s\n"                    \
        "}\n"

START_TEST(branches_go_into_a_choose) {
    SomDesign *d = test_edit_begin(CHOICES);
    bool done = som_behavior_insert(d, S(""), AT("go", ""), 0, S("hold"));
    ck_assert_str_eq(som_design_new_name(d).data, "1");
    made(CHOICES, d, done,
         ROW "    behavior go = choose(height > 1cm: wait 1s, else: hold)\n"
             "    behavior by(n: count = 2) = if odd(n) then wait 1s else wait 2s\n"
             "}\n");
    d = test_edit_begin(CHOICES);
    done = som_behavior_insert(d, S(""), AT("go", ""), 0, S("height > 2cm: hold"));
    made(CHOICES, d, done,
         ROW "    behavior go = choose(height > 2cm: hold, height > 1cm: wait 1s)\n"
             "    behavior by(n: count = 2) = if odd(n) then wait 1s else wait 2s\n"
             "}\n");
    d = test_edit_begin(CHOICES);
    done = som_behavior_insert(d, S(""), AT("by", ""), 1, S("hold"));
    ck_assert_str_eq(som_design_new_name(d).data, "1/1");
    made(CHOICES, d, done,
         ROW "    behavior go = choose(height > 1cm: wait 1s)\n"
             "    behavior by(n: count = 2) = if odd(n) then wait 1s else series(wait 2s, hold)\n"
             "}\n");
    d = test_edit_begin(CHOICES);
    refused(CHOICES, d, som_behavior_insert(d, S(""), AT("by", ""), 1, S("height > 2cm: hold")),
            "SOM3602: 'height > 2cm: hold' is a branch, which stands only in a choose");
    d = test_edit_begin(CHOICES);
    refused(CHOICES, d, som_behavior_wrap(d, S(""), AT("go", "0"), 1, SOM_BLOCK_SERIES, S("")),
            "SOM3605: a branch stands only in its choose: wrap what is in it");
}
END_TEST

START_TEST(what_is_no_action_or_breaks_is_refused) {
    const struct {
        SomBlockPlace into;
        SomStr action;
        const char *reason;
    } cases[] = {
        {AT("go", ""), S("a, b"), "SOM3602: 'a, b' is not one action"},
        {AT("go", ""), S("wait 1s), wait (2s"), "SOM3602: 'wait 1s), wait (2s' is not one action"},
        {AT("go", ""), S("wait 1s # so"), "SOM3602: 'wait 1s # so' is not one action"},
        {AT("go", ""), S(""), "SOM3602: '' is not one action"},
        {AT("go", "3"), S("hold"), "SOM3601: 'go' has no block '3'"},
        {AT("go", "x"), S("hold"), "SOM3601: 'go' has no block 'x'"},
        {AT("run", ""), S("hold"), "SOM2602: the config has no behavior 'run'"},
        {AT("go", ""), S("c.tilt to 1deg"), "SOM2607: this cannot be done: 'Row' has no part 'c'"},
        {AT("go", ""), S("a.tilt to 3s"),
         "SOM3603: this cannot be done: expected an angle, found a time"},
        {AT("go", ""), S("twice"), "SOM3603: this cannot be done: 'go' is a part of itself"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomDesign *d = test_edit_begin(TIDY);
        bool done = som_behavior_insert(d, S(""), cases[i].into, SOM_LAST, cases[i].action);
        refused(TIDY, d, done, cases[i].reason);
    }
}
END_TEST

// ---- moving, copying, taking out

START_TEST(blocks_move_with_their_comments) {
    SomDesign *d = test_edit_begin(LOOSE);
    bool done = som_behavior_move(d, S(""), AT("go", "0"), AT("go", ""), SOM_LAST);
    ck_assert_str_eq(som_design_new_name(d).data, "2");
    made(LOOSE, d, done,
         ROW "    behavior go =  series(\n"
             "          parallel( wait 1s,b.left to 5deg ), # two\n"
             "          b.tilt to 20deg,\n"
             "          # first\n"
             "          # one\n"
             "          a.tilt to  10deg\n"
             "        )\n"
             "    behavior rest = wait 2s\n"
             "}\n");
    d = test_edit_begin(LOOSE);
    done = som_behavior_move(d, S(""), AT("go", "1"), AT("rest", ""), 0);
    ck_assert_str_eq(som_design_new_name(d).data, "0");
    made(LOOSE, d, done,
         ROW "    behavior go =  series(\n"
             "          # first\n"
             "          a.tilt to  10deg,   # one\n"
             "          b.tilt to 20deg\n"
             "        )\n"
             "    behavior rest = series(\n"
             "        # two\n"
             "        parallel(wait 1s, b.left to 5deg), wait 2s)\n"
             "}\n");
    d = test_edit_begin(LOOSE);
    done = som_behavior_move(d, S(""), AT("go", "2"), AT("go", "1"), 0);
    ck_assert_str_eq(som_design_new_name(d).data, "1/0");
    made(LOOSE, d, done,
         ROW "    behavior go =  series(\n"
             "          # first\n"
             "          a.tilt to  10deg,   # one\n"
             "          parallel( b.tilt to 20deg,wait 1s,b.left to 5deg ) # two\n"
             "        )\n"
             "    behavior rest = wait 2s\n"
             "}\n");
    d = test_edit_begin(LOOSE); // what it goes into moves up
    done = som_behavior_move(d, S(""), AT("go", "0"), AT("go", "1"), SOM_LAST);
    ck_assert_str_eq(som_design_new_name(d).data, "0/2");
    made(LOOSE, d, done,
         ROW "    behavior go =  series(\n"
             "          parallel( wait 1s,b.left to 5deg,\n"
             "              # first\n"
             "              # one\n"
             "              a.tilt to  10deg ), # two\n"
             "          b.tilt to 20deg\n"
             "        )\n"
             "    behavior rest = wait 2s\n"
             "}\n");
    d = test_edit_begin(TIDY);
    done = som_behavior_move(d, S(""), AT("go", "0"), AT("go", ""), 2);
    ck_assert_str_eq(som_design_new_name(d).data, "1");
    made(TIDY, d, done,
         ROW "    # Goes.\n"
             "    behavior go = series(wait 1s, a.tilt to 10deg, b.tilt to 20deg) # here\n"
             "    behavior twice(n: count = 2) = repeat n: go\n"
             "}\n");
    d = test_edit_begin(TIDY);
    refused(TIDY, d, som_behavior_move(d, S(""), AT("go", ""), AT("go", "1"), 0),
            "SOM3604: a block cannot be moved into itself");
    d = test_edit_begin(TIDY); // where it is already
    ck_assert(som_behavior_move(d, S(""), AT("go", "1"), AT("go", ""), 2));
    ck_assert(!som_document_can_undo(som_design_document(d)));
    ck_assert_str_eq(som_design_new_name(d).data, "1");
    som_design_destroy(d);
}
END_TEST

START_TEST(what_needs_its_loop_stays_in_it) {
    static const char *const text = ROW "    behavior go = parallel(\n"
                                        "        for i in 1..2: wait i*1s,\n"
                                        "        wait 1s)\n"
                                        "    behavior rest = series()\n"
                                        "}\n";
    SomDesign *d = test_edit_begin(text);
    refused(text, d, som_behavior_move(d, S(""), AT("go", "0/0"), AT("rest", ""), 0),
            "SOM3603: this cannot be done: no value is called 'i'");
    d = test_edit_begin(text);
    made(text, d, som_behavior_move(d, S(""), AT("go", "0"), AT("rest", ""), 0),
         ROW "    behavior go = parallel(\n"
             "        wait 1s)\n"
             "    behavior rest = series(for i in 1..2: wait i*1s)\n"
             "}\n");
}
END_TEST

START_TEST(blocks_are_taken_out_and_copied) {
    SomDesign *d = test_edit_begin(LOOSE);
    made(LOOSE, d, som_behavior_remove_block(d, S(""), AT("go", "1/0")),
         ROW "    behavior go =  series(\n"
             "          # first\n"
             "          a.tilt to  10deg,   # one\n"
             "          parallel( b.left to 5deg ), # two\n"
             "          b.tilt to 20deg\n"
             "        )\n"
             "    behavior rest = wait 2s\n"
             "}\n");
    d = test_edit_begin(LOOSE);
    made(LOOSE, d, som_behavior_remove_block(d, S(""), AT("rest", "")),
         ROW "    behavior go =  series(\n"
             "          # first\n"
             "          a.tilt to  10deg,   # one\n"
             "          parallel( wait 1s,b.left to 5deg ), # two\n"
             "          b.tilt to 20deg\n"
             "        )\n"
             "    behavior rest = series()\n"
             "}\n");
    d = test_edit_begin(LOOSE);
    bool done = som_behavior_duplicate(d, S(""), AT("go", "0"));
    ck_assert_str_eq(som_design_new_name(d).data, "1");
    made(LOOSE, d, done,
         ROW "    behavior go =  series(\n"
             "          # first\n"
             "          a.tilt to  10deg,   # one\n"
             "          a.tilt to  10deg,\n"
             "          parallel( wait 1s,b.left to 5deg ), # two\n"
             "          b.tilt to 20deg\n"
             "        )\n"
             "    behavior rest = wait 2s\n"
             "}\n");
    d = test_edit_begin(TIDY);
    made(TIDY, d, som_behavior_duplicate(d, S(""), AT("twice", "0")),
         ROW "    # Goes.\n"
             "    behavior go = series(a.tilt to 10deg, wait 1s, b.tilt to 20deg) # here\n"
             "    behavior twice(n: count = 2) = repeat n: series(go, go)\n"
             "}\n");
    d = test_edit_begin(TIDY);
    refused(TIDY, d, som_behavior_remove_block(d, S(""), AT("twice", "0")),
            "SOM3603: this cannot be done: what is repeated here may take no time at all");
    d = test_edit_begin(TIDY);
    made(TIDY, d, som_behavior_replace(d, S(""), AT("twice", "0"), S("series(\n go)")),
         ROW "    # Goes.\n"
             "    behavior go = series(a.tilt to 10deg, wait 1s, b.tilt to 20deg) # here\n"
             "    behavior twice(n: count = 2) = repeat n: series(go)\n"
             "}\n");
}
END_TEST

// ---- wrapping

START_TEST(blocks_are_wrapped_and_unwrapped) {
    SomDesign *d = test_edit_begin(TIDY);
    bool done = som_behavior_wrap(d, S(""), AT("go", "1"), 2, SOM_BLOCK_PARALLEL, S(""));
    static const char *const wrapped =
        ROW "    # Goes.\n"
            "    behavior go = series(a.tilt to 10deg, parallel(wait 1s, b.tilt to 20deg)) # here\n"
            "    behavior twice(n: count = 2) = repeat n: go\n"
            "}\n";
    made(TIDY, d, done, wrapped);
    d = test_edit_begin(wrapped);
    made(wrapped, d, som_behavior_unwrap(d, S(""), AT("go", "1")), TIDY);
    d = test_edit_begin(TIDY);
    made(TIDY, d, som_behavior_wrap(d, S(""), AT("go", "0"), 2, SOM_BLOCK_REPEAT, S("3")),
         ROW
         "    # Goes.\n"
         "    behavior go = series(repeat 3: series(a.tilt to 10deg, wait 1s), b.tilt to 20deg) # "
         "here\n"
         "    behavior twice(n: count = 2) = repeat n: go\n"
         "}\n");
    d = test_edit_begin(TIDY);
    made(TIDY, d, som_behavior_wrap(d, S(""), AT("twice", ""), 1, SOM_BLOCK_ANY, S("")),
         ROW "    # Goes.\n"
             "    behavior go = series(a.tilt to 10deg, wait 1s, b.tilt to 20deg) # here\n"
             "    behavior twice(n: count = 2) = any(repeat n: go)\n"
             "}\n");
    d = test_edit_begin(TIDY); // n is not used then, which is a warning
    made(TIDY, d, som_behavior_unwrap(d, S(""), AT("twice", "")),
         ROW "    # Goes.\n"
             "    behavior go = series(a.tilt to 10deg, wait 1s, b.tilt to 20deg) # here\n"
             "    behavior twice(n: count = 2) = go\n"
             "}\n");
    d = test_edit_begin(TIDY);
    refused(TIDY, d, som_behavior_unwrap(d, S(""), AT("go", "")),
            "SOM3605: the series holds 3 actions, and one stands here");
    d = test_edit_begin(TIDY);
    refused(TIDY, d, som_behavior_unwrap(d, S(""), AT("go", "1")),
            "SOM3605: of wait blocks nothing can be taken away");
    d = test_edit_begin(TIDY);
    refused(TIDY, d, som_behavior_wrap(d, S(""), AT("go", "1"), 3, SOM_BLOCK_ANY, S("")),
            "SOM3601: there are no 3 blocks here, one behind the other");
    d = test_edit_begin(TIDY);
    refused(TIDY, d, som_behavior_wrap(d, S(""), AT("go", "1"), 1, SOM_BLOCK_WAIT, S("")),
            "SOM3605: blocks are put into a series, parallel, any or repeat");
    d = test_edit_begin(TIDY);
    refused(TIDY, d,
            som_behavior_wrap(d, S(""), AT("go", "1"), 1, SOM_BLOCK_REPEAT, S("2: hold, repeat 3")),
            "SOM3602: a repetition is said as a number, 'until' and a condition, or 'forever'");
}
END_TEST

START_TEST(comments_survive_unwrapping) {
    static const char *const text = ROW "    behavior go = series(\n"
                                        "      wait 1s, # before\n"
                                        "      parallel( # both\n"
                                        "          wait 2s, # two\n"
                                        "          # three\n"
                                        "          wait 3s, # and last\n"
                                        "      ), # behind\n"
                                        "      wait 4s)\n"
                                        "    behavior one = series(wait 1s # so\n"
                                        "        )\n"
                                        "}\n";
    SomDesign *d = test_edit_begin(text);
    made(text, d, som_behavior_unwrap(d, S(""), AT("go", "1")),
         ROW "    behavior go = series(\n"
             "      wait 1s, # before\n"
             "      # both\n"
             "      wait 2s, # two\n"
             "      # three\n"
             "      wait 3s # and last\n"
             "      , # behind\n"
             "      wait 4s)\n"
             "    behavior one = series(wait 1s # so\n"
             "        )\n"
             "}\n");
    d = test_edit_begin(text);
    refused(text, d, som_behavior_unwrap(d, S(""), AT("one", "")),
            "SOM3605: its comments would have no place; move them first");
}
END_TEST

START_TEST(lists_become_each_other) {
    static const char *const text = ROW "    behavior go = Sc(wait 1s, wait 2s) timeout 3s\n"
                                        "}\n";
    SomDesign *d = test_edit_begin(text);
    made(text, d, som_behavior_set_kind(d, S(""), AT("go", ""), SOM_BLOCK_PARALLEL),
         ROW "    behavior go = Pc(wait 1s, wait 2s) timeout 3s\n"
             "}\n");
    d = test_edit_begin(text);
    made(text, d, som_behavior_set_kind(d, S(""), AT("go", ""), SOM_BLOCK_ANY),
         ROW "    behavior go = any(wait 1s, wait 2s) timeout 3s\n"
             "}\n");
    d = test_edit_begin(text);
    refused(text, d, som_behavior_set_kind(d, S(""), AT("go", "0"), SOM_BLOCK_ANY),
            "SOM3605: only series, parallel and any become each other");
    d = test_edit_begin(text);
    refused(text, d, som_behavior_unwrap(d, S(""), AT("go", "")),
            "SOM3605: the series has conditions or a time-out, which would be lost; take them away "
            "first");
}
END_TEST

// ---- the story

START_TEST(the_sine_gait_is_composed_of_two_halves) {
    static const char *const text =
        "use \"chain3.som\"\n"
        "\n"
        "config Snake(n: count = 6) {\n"
        "    part s[n] : Chain3\n"
        "    connect s[i].tail.B to s[i+1].head.T for i in 1..n-1\n"
        "\n"
        "    # Odd parts first.\n"
        "    behavior halfSine1 = parallel(for i in 1..n: if odd(i) then s[i].halfSine1 else "
        "s[i].halfSine2)\n"
        "    behavior halfSine2 = parallel(for i in 1..n: if odd(i) then s[i].halfSine2 else "
        "s[i].halfSine1)\n"
        "}\n";
    SomDesign *d = test_edit_begin(text);
    SomStr snake = S("Snake(n = 6)");
    ck_assert(som_behavior_add(d, snake, S("sineGait"), S("")));
    ck_assert(som_behavior_insert(d, snake, AT("sineGait", ""), SOM_LAST, S("halfSine2")));
    ck_assert(som_behavior_insert(d, snake, AT("sineGait", ""), 0, S("halfSine1")));
    SomText wanted = {0};
    som_text_add(&wanted, som_str_slice(som_str(text), 0, strlen(text) - 2));
    som_text_add(&wanted, S("    behavior sineGait = series(halfSine1, halfSine2)\n}\n"));
    ck_assert_str_eq(som_document_text(som_design_document(d)).data, wanted.data);
    SomComposition *c = som_design_composition(d, snake);
    SomDiagnostics *diags = som_diagnostics_create();
    SomActionGraph *graph = som_compile_call(&(SomCompileDef){.workspace = c->workspace,
                                                              .configuration = c->configuration,
                                                              .diags = c->diags},
                                             S("sineGait"));
    ck_assert_ptr_nonnull(graph);
    ck_assert_int_eq(graph->action_count, 2 * 6 * 3 * 3); // halves, parts, keys, modules
    som_action_graph_destroy(graph);
    som_diagnostics_destroy(diags);
    for (int i = 0; i < 3; i++) {
        ck_assert(som_document_undo(som_design_document(d)));
    }
    ck_assert_str_eq(som_document_text(som_design_document(d)).data, text);
    som_text_free(&wanted);
    som_design_destroy(d);
}
END_TEST

START_TEST(what_runs_it_elsewhere_compiles_still) {
    static const char *const text = "use \"smores.m3l\"\n"
                                    "config M is SMORES {\n"
                                    "    behavior lift(a: angle) = tilt to a\n"
                                    "}\n"
                                    "config Pair {\n"
                                    "    part x, y : M\n"
                                    "    connect x.B to y.T\n"
                                    "    behavior go = x.lift(100*360deg)\n"
                                    "}\n";
    SomDesign *d = test_edit_begin(text);
    // of a sample that is fine, of what Pair gives it is too much
    refused(text, d,
            som_behavior_set_field(d, S(""), AT("lift", ""), SOM_FIELD_VALUE, 0,
                                   S("a/(a - 36000deg)*1deg")),
            "SOM3603: this cannot be done: division by zero");
}
END_TEST

// ---- line ends

START_TEST(other_line_ends_stay) {
    SomText text = {0}, wanted = {0};
    for (const char *at = TIDY; *at != '\0'; at++) {
        som_text_add_char(&text, '\r', *at == '\n' ? 1 : 0);
        som_text_add_char(&text, *at, 1);
    }
    static const char *const after =
        ROW "    # Goes.\n"
            "    behavior go = series(\n"
            "        a.tilt to 10deg, wait 1s, b.tilt to 20deg, parallel(a.left to 10deg, b.left "
            "to 20deg)) # here\n"
            "    behavior twice(n: count = 2) = repeat n: go\n"
            "}\n";
    for (const char *at = after; *at != '\0'; at++) {
        som_text_add_char(&wanted, '\r', *at == '\n' ? 1 : 0);
        som_text_add_char(&wanted, *at, 1);
    }
    SomDesign *d = test_edit_begin(text.data);
    bool done = som_behavior_insert(d, S(""), AT("go", ""), SOM_LAST,
                                    S("parallel(a.left to 10deg, b.left to 20deg)"));
    made(text.data, d, done, wanted.data);
    som_text_free(&text);
    som_text_free(&wanted);
}
END_TEST

START_TEST(a_text_with_errors_is_not_edited) {
    static const char *const text = "config Row {\n"
                                    "    behavior go = series(\n"
                                    "}\n";
    SomDesign *d = som_design_create(som_str(test_library), S("robot.som"), som_str(text));
    bool done = som_behavior_insert(d, S(""), AT("go", ""), 0, S("hold"));
    SomText refusal = test_edit_refusal(d);
    ck_assert(!done);
    ck_assert(som_str_starts_with(som_text_str(&refusal), S("SOM2601: first correct the text")));
    som_text_free(&refusal);
    som_design_destroy(d);
}
END_TEST

SOM_SUITE("behaviors/behavior_edit", a_behavior_is_added_behind_the_others,
          a_behavior_that_is_run_stays, a_behavior_is_renamed_wherever_it_is_run,
          an_action_is_put_into_a_list, an_action_beside_one_makes_a_series,
          branches_go_into_a_choose, what_is_no_action_or_breaks_is_refused,
          blocks_move_with_their_comments, what_needs_its_loop_stays_in_it,
          blocks_are_taken_out_and_copied, blocks_are_wrapped_and_unwrapped,
          comments_survive_unwrapping, lists_become_each_other,
          the_sine_gait_is_composed_of_two_halves, what_runs_it_elsewhere_compiles_still,
          other_line_ends_stay, a_text_with_errors_is_not_edited)
