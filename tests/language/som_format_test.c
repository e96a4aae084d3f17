// SPDX-License-Identifier: Apache-2.0

#include "base/utf8.h"
#include "language/som_format.h"
#include "language/som_syntax.h"
#include "tests/language/parsed.h"
#include "tests/language/som_random.h"

static Parsed parse(SomStr text) {
    Parsed parsed = {.diags = som_diagnostics_create()};
    uint32_t source1 = som_diagnostics_add_source(parsed.diags, SOM_STR("a"), text);
    parsed.tree = som_som_parse(text, &som_dialect_somite, source1, parsed.diags);
    return parsed;
}

static SomText format(SomStr text) {
    Parsed parsed = parse(text);
    SomText out = {0};
    som_text_add(&out, SOM_STR(""));
    if (!som_som_format(parsed.tree, &out)) {
        ck_abort_msg("%.*s\n%s", SOM_STR_ARG(text), parsed_diagnostics(&parsed));
    }
    parsed_free(&parsed);
    return out;
}

// The tree without separators, which formatting may add and remove, and all comments.
static SomText essence(SomStr text) {
    Parsed parsed = parse(text);
    SomText dump = {0}, out = {0};
    som_syntax_dump(parsed.tree, &dump);
    for (const char *line = dump.data; *line != '\0';) {
        const char *end = strchr(line, '\n');
        SomStr piece = {line, (size_t)(end - line) + 1};
        if (!som_str_ends_with(piece, SOM_STR("COMMA ,\n")) &&
            !som_str_ends_with(piece, SOM_STR("SEMICOLON ;\n"))) {
            som_text_add(&out, piece);
        }
        line = end + 1;
    }
    for (int i = 0; i < som_syntax_token_count(parsed.tree); i++) {
        if (som_syntax_token_kind(parsed.tree, i) == SOM_TOKEN_COMMENT) {
            SomStr comment = som_syntax_token_text(parsed.tree, i);
            while (som_str_ends_with(comment, SOM_STR(" "))) {
                comment.length--;
            }
            som_text_add(&out, comment);
            som_text_add(&out, SOM_STR("\n"));
        }
    }
    som_text_free(&dump);
    parsed_free(&parsed);
    return out;
}

static void check_formatting(SomStr text) {
    SomText once = format(text), twice = format(som_text_str(&once));
    ck_assert_str_eq(once.data, twice.data);
    SomText before = essence(text), after = essence(som_text_str(&once));
    ck_assert_str_eq(before.data, after.data);
    som_text_free(&once);
    som_text_free(&twice);
    som_text_free(&before);
    som_text_free(&after);
}

static void check(const char *text, const char *expected) {
    SomText out = format(som_str(text));
    ck_assert_str_eq(out.data, expected);
    som_text_free(&out);
    check_formatting(som_str(text));
}

START_TEST(random_programs_keep_their_tree_and_every_comment) {
    SomTestRandom random = {11};
    for (int round = 0; round < som_test_count(1000, 50000); round++) {
        SomText text = {0};
        som_random_file(&random, &text);
        check_formatting(som_text_str(&text));
        som_text_free(&text);
    }
}
END_TEST

START_TEST(statements_and_blanks) {
    check("use   \"a.m3l\";let A=1+2 * -b\nconfig  X( n:count=3 )is Y{part a,b [ n ]:Z( k=1 )\n\n\n"
          "connect a . B to b[ i + 1 ].T at 90deg for i in 1 .. n - 1;start p}",
          "use \"a.m3l\"\n"
          "let A = 1 + 2*-b\n"
          "\n"
          "config X(n: count = 3) is Y {\n"
          "    part a, b[n] : Z(k = 1)\n"
          "\n"
          "    connect a.B to b[i+1].T at 90deg for i in 1..n-1\n"
          "    start p\n"
          "}\n");
}
END_TEST

START_TEST(poses_stay_on_one_line_if_they_were) {
    check("config A{pose p{a=1deg;b}\npose q{\na = 2deg\n}\npose e { } }\nconfig B{}",
          "config A {\n"
          "    pose p { a = 1deg; b }\n"
          "    pose q {\n"
          "        a = 2deg\n"
          "    }\n"
          "    pose e {}\n"
          "}\n"
          "\n"
          "config B {}\n");
}
END_TEST

START_TEST(options_of_verify_are_written_like_poses) {
    check(
        "config A{verify{tMax=0.3s;margin = 5mm}}\nconfig B{verify{ # why\ndt=1ms\n}\nverify { } }",
        "config A {\n"
        "    verify { tMax = 0.3s; margin = 5mm }\n"
        "}\n\n"
        "config B {\n"
        "    verify { # why\n"
        "        dt = 1ms\n"
        "    }\n"
        "    verify {}\n"
        "}\n");
}
END_TEST

START_TEST(long_lists_break_between_members) {
    check("config A { behavior b = series(parallel(head.tilt to 30deg, middle.tilt to 40deg), "
          "parallel(head.tilt to -30deg, middle.tilt to -40deg, tail.tilt to 1deg), wait 2s)\n"
          "behavior key(p: angle) = parallel(head.tilt to A*sin(p), middle.tilt to A*sin(p + "
          "60deg), tail.tilt to A*sin(p + 120deg))\n"
          "behavior g = parallel(for i in 1..n: if odd(i) then series(s[i].halfSine1, "
          "s[i].halfSine2) else series(s[i].halfSine2, s[i].halfSine1)) }\n",
          "config A {\n"
          "    behavior b = series(\n"
          "        parallel(head.tilt to 30deg, middle.tilt to 40deg),\n"
          "        parallel(head.tilt to -30deg, middle.tilt to -40deg, tail.tilt to 1deg),\n"
          "        wait 2s)\n"
          "    behavior key(p: angle) = parallel(\n"
          "        head.tilt to A*sin(p), middle.tilt to A*sin(p + 60deg), tail.tilt to A*sin(p + "
          "120deg))\n"
          "    behavior g = parallel(for i in 1..n:\n"
          "        if odd(i) then series(s[i].halfSine1, s[i].halfSine2)\n"
          "        else series(s[i].halfSine2, s[i].halfSine1))\n"
          "}\n");
}
END_TEST

START_TEST(comments_behind_a_bracket_are_as_deep_as_its_members) {
    check("config A {\nbehavior b = series(\n# first\nx,\n# second\nparallel(# of it\n# own\ny, "
          "z))\n}\n",
          "config A {\n"
          "    behavior b = series(\n"
          "        # first\n"
          "        x,\n"
          "        # second\n"
          "        parallel( # of it\n"
          "            # own\n"
          "            y, z))\n"
          "}\n");
}
END_TEST

START_TEST(comments_stay_where_they_are) {
    check("# first\n\n\n\n# of A\nconfig A{# behind\n#own\npart a:B#c\n\n# before\nbehavior "
          "b=series(# "
          "why\n  x, # because\n  # own\n  y # last\n)\n# end\n}# done\n# more",
          "# first\n"
          "\n"
          "# of A\n"
          "config A { # behind\n"
          "    #own\n"
          "    part a : B #c\n"
          "\n"
          "    # before\n"
          "    behavior b = series( # why\n"
          "        x, # because\n"
          "        # own\n"
          "        y # last\n"
          "    )\n"
          "    # end\n"
          "} # done\n"
          "\n"
          "# more\n");
    // behind the last member, with a comma that goes
    check("config A {\nbehavior b = parallel(for i in 1..2: repeat forever: wait 1s until "
          "contact(x), "
          "# c\n# own\n)\n}\n",
          "config A {\n"
          "    behavior b = parallel(for i in 1..2: repeat forever: wait 1s until contact(x) # c\n"
          "    # own\n"
          "    )\n"
          "}\n");
}
END_TEST

START_TEST(what_would_glue_into_something_else_stays_apart) {
    check("let a = 10m / s\nlet b = 10m ^ 2\nlet c = 2 / s\n", "let a = 10m / s\nlet b = 10m ^ 2\n"
                                                               "let c = 2/s\n");
    check("let a = 360deg/n\nlet b = 10N * s / m\nlet c = 2m * x", "let a = 360deg/n\n"
                                                                   "let b = 10N * s/m\n"
                                                                   "let c = 2m*x\n");
    check("config A { connect a to b for i in 1. .. .5 }",
          "config A {\n    connect a to b for i in 1. .. .5\n}\n");
}
END_TEST

START_TEST(a_text_with_errors_is_left_alone) {
    Parsed parsed = parse(SOM_STR("config A {"));
    SomText out = {0};
    ck_assert(!som_som_format(parsed.tree, &out));
    ck_assert_uint_eq(out.length, 0);
    parsed_free(&parsed);
}
END_TEST

SOM_SUITE("language/som_format", random_programs_keep_their_tree_and_every_comment,
          statements_and_blanks, poses_stay_on_one_line_if_they_were,
          options_of_verify_are_written_like_poses, long_lists_break_between_members,
          comments_stay_where_they_are, comments_behind_a_bracket_are_as_deep_as_its_members,
          what_would_glue_into_something_else_stays_apart, a_text_with_errors_is_left_alone)
