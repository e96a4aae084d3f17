// SPDX-License-Identifier: Apache-2.0

#include "base/codes/language_codes.h"
#include "language/som_syntax.h"
#include "tests/language/parsed.h"

static Parsed parse(const char *text) {
    Parsed parsed = {.diags = som_diagnostics_create()};
    uint32_t source1 = som_diagnostics_add_source(parsed.diags, SOM_STR("a"), som_str(text));
    parsed.tree = som_som_parse(som_str(text), &som_dialect_somite, source1, parsed.diags);
    return parsed;
}

static const char *const sample =
    "use \"smores.m3l\"\n"
    "\n"
    "config Module is SMORES {                      # the module itself\n"
    "    behavior drive(w: angularSpeed, t: time) = parallel(left spin w during t,\n"
    "        right spin w during t)\n"
    "    behavior tiltMiddle(a: angle) = tilt to a until reached within 2deg timeout 3s\n"
    "}\n"
    "\n"
    "config Chain3 {\n"
    "    part head, middle, tail : Module\n"
    "    connect head.B to middle.T at 90deg        # the roll\n"
    "    connect middle.B to tail.T\n"
    "    pose stand { head.tilt = 45deg; tail.tilt = -45deg }\n"
    "    start stand\n"
    "    base middle frame front at (0m, 0m, 5cm) turned (0deg, 90deg, 0deg) fixed\n"
    "    let A = 40deg\n"
    "    behavior key(p: angle) = parallel(\n"
    "        head.tilt to A*sin(p), middle.tilt to A*sin(p + 60deg), tail.tilt to A*sin(p))\n"
    "    behavior halfSine1 = series(key(0deg), key(60deg), key(120deg))\n"
    "    behavior sineGait  = series(halfSine1, halfSine2)\n"
    "}\n"
    "\n"
    "config Snake(n: count = 6) {\n"
    "    part s[n] : Chain3\n"
    "    connect s[i].tail.B to s[i+1].head.T  for i in 1..n-1\n"
    "    dock grip: s[1].head.L to s[n].tail.R at 90deg open\n"
    "    pose flat { s[i].stand for i in 1..n if odd(i) }\n"
    "    verify { tMax = 2*A/90deg*1s; \"margin\" = 5mm }\n"
    "    input light : number = steps [0s: 0, 1s: 1]\n"
    "    input near : length = 0cm..5cm\n"
    "    behavior gait = parallel(for i in 1..n:\n"
    "        if odd(i) then series(s[i].halfSine1, s[i].halfSine2)\n"
    "        else           series(s[i].halfSine2, s[i].halfSine1))\n"
    "    behavior rest = repeat 3: any(wait 2s, choose(height < 3cm: hold, else: to pose flat))\n"
    "    behavior more = Sc(connect grip timeout 4s, disconnect grip, s[1] to pose stand at "
    "30deg/s,\n"
    "        s[1].head.tilt follow [0s: 0deg, 1s: 30deg], s[2].head.tilt follow A*sin(t*w) during "
    "3s,\n"
    "        follow \"walk.csv\", repeat until contact(s[1].head.body): s[1].head.tilt by 1deg "
    "hold,\n"
    "        repeat forever from 1: gait, Pc() timeout 3s, wait until not (a < b or c >= 2^-1) and "
    "true)\n"
    "}\n";

START_TEST(the_whole_grammar_parses) {
    Parsed parsed = parse(sample);
    ck_assert_str_eq(parsed_diagnostics(&parsed), "");
    check_tree(parsed.tree);
    bool seen[SOM_SOM_KIND_COUNT] = {false};
    for (SomNode n = SOM_ROOT; n != 0; n = som_syntax_next(parsed.tree, n)) {
        seen[som_syntax_kind(parsed.tree, n)] = true;
    }
    int missing = 0;
    for (int kind = 1; kind < SOM_SOM_KIND_COUNT; kind++) {
        missing += !seen[kind];
    }
    // not in the sample: as, gap, forced, ground, group, if
    ck_assert_int_eq(missing, 5);
    parsed_free(&parsed);
}
END_TEST

// The expression with brackets round every node that has more than one element.
static void print_grouped(const SomSyntax *tree, SomNode node, SomText *out) {
    int count = 0;
    SomElements it = som_syntax_elements(tree, node);
    while (som_elements_next(&it)) {
        count++;
    }
    som_text_add(out, count > 1 ? SOM_STR("(") : SOM_STR(""));
    it = som_syntax_elements(tree, node);
    while (som_elements_next(&it)) {
        if (it.node != 0) {
            print_grouped(tree, it.node, out);
        } else {
            som_text_add(out, som_syntax_token_text(tree, it.token));
        }
    }
    som_text_add(out, count > 1 ? SOM_STR(")") : SOM_STR(""));
}

static void check_grouping(const char *expression, const char *expected) {
    SomText text = {0}, grouped = {0};
    som_text_printf(&text, "let a = %s", expression);
    Parsed parsed = parse(text.data);
    ck_assert_str_eq(parsed_diagnostics(&parsed), "");
    SomNode let = som_syntax_find_child(parsed.tree, SOM_ROOT, SOM_SOM_LET);
    SomNode name = som_syntax_find_child(parsed.tree, let, SOM_SOM_NAME);
    print_grouped(parsed.tree, som_syntax_next_sibling(parsed.tree, name), &grouped);
    ck_assert_str_eq(grouped.data, expected);
    parsed_free(&parsed);
    som_text_free(&text);
    som_text_free(&grouped);
}

START_TEST(operators_bind_as_in_mathematics) {
    check_grouping("-2^2*b - c/d < 1 and not e or f", "((((((-(2^2))*b)-(c/d))<1)and(note))orf)");
    check_grouping("2^-3^k", "(2^(-(3^k)))");
    check_grouping("a - b - c + 1", "(a-b-c+1)");
    check_grouping("not a == b", "(not(a==b))");
    check_grouping("if a then b + 1 else c or d", "(ifathen(b+1)else(cord))");
    check_grouping("s[i+1].head.tilt*3deg", "((s([(i+1)]).head.tilt)*(3deg))");
}
END_TEST

// Codes with line and column of all reports.
static void check_codes(const char *text, const char *expected) {
    Parsed parsed = parse(text);
    ck_assert_str_eq(parsed_codes(&parsed), expected);
    check_tree(parsed.tree);
    ck_assert(som_syntax_has_error(parsed.tree, SOM_ROOT) == (expected[0] != '\0'));
    parsed_free(&parsed);
}

START_TEST(all_errors_are_reported_in_one_pass) {
    check_codes("use smores\n"                      // no quotes
                "confg A { }\n"                     // typing
                "part x : Y\n"                      // outside of a config
                "config B {\n"                      //
                "    part a b : C\n"                // no comma
                "    connect a.B middle.T\n"        // no 'to'
                "    connect a. to b.T\n"           // no name
                "    pose p { a.tilt = }\n"         // no value
                "    behavior w = series(a, , b)\n" // no action
                "    behavior v = repeat 3 w\n"     // no colon
                "    let x = a && b\n"              // and
                "    let y = 1 < 2 < 3\n"           // chained
                "    config D { }\n"                // inside
                "}\n",
                "1:5 1031, 2:1 1031, 3:1 1031, 5:12 1031, 6:17 1031, 7:19 1031, 8:23 1031, "
                "9:28 1031, 10:27 1031, 11:15 1031, 12:19 1031, 13:5 1031");
}
END_TEST

START_TEST(keywords_may_be_names_where_nothing_else_fits) {
    check_codes(
        "config part {\n part part, to : config\n connect part.at to to.part at 3deg\n"
        " behavior behavior = hold.x to 3deg\n behavior series = parallel(\"wait\", any.b)\n"
        "}\n",
        "");
}
END_TEST

static int count_kinds(const SomSyntax *tree, int kind) {
    int count = 0;
    for (SomNode n = SOM_ROOT; n != 0; n = som_syntax_next(tree, n)) {
        count += som_syntax_kind(tree, n) == kind;
    }
    return count;
}

// A wait ends with a time, or with what a clause says; a parameter may be called like a clause.
START_TEST(waits_end_with_a_time_or_a_clause) {
    static const struct {
        const char *action;
        int timeouts, durings, places;
    } cases[] = {
        {"wait timeout 1s", 1, 0, 0},
        {"wait during 1s timeout 2s", 1, 1, 0},
        {"wait timeout (1s + 2s)", 1, 0, 0},
        {"wait timeout p", 1, 0, 1},
        {"series(wait timeout\n 1s, wait during 2s)", 1, 1, 0},
        {"wait timeout", 0, 0, 1},
        {"wait during*2", 0, 0, 1},
        {"wait timeout timeout 3s", 1, 0, 1},
        {"series(wait timeout, wait during)", 0, 0, 2},
        {"if a then wait timeout else wait during 1s", 0, 1, 2},
        {"wait \"timeout\" during 2s", 0, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText text = {0};
        som_text_printf(&text, "config C {\n behavior b = %s\n part a : X\n}\n", cases[i].action);
        Parsed parsed = parse(text.data);
        ck_assert_msg(*parsed_diagnostics(&parsed) == '\0', "%s", cases[i].action);
        ck_assert_msg(count_kinds(parsed.tree, SOM_SOM_TIMEOUT) == cases[i].timeouts &&
                          count_kinds(parsed.tree, SOM_SOM_DURING) == cases[i].durings &&
                          count_kinds(parsed.tree, SOM_SOM_PLACE) == cases[i].places,
                      "%s", cases[i].action);
        parsed_free(&parsed);
        som_text_free(&text);
    }
    check_codes("config C {\n behavior b = wait\n behavior c = series(wait)\n}\n",
                "2:19 1031, 3:26 1031");
}
END_TEST

START_TEST(a_choice_is_one_reference) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = som_som_parse_choice(SOM_STR("Snake(n = 18)"), 0, diags);
    SomNode reference = som_syntax_find_child(tree, SOM_ROOT, SOM_SOM_REFERENCE);
    ck_assert_uint_ne(reference, 0);
    ck_assert_uint_ne(som_syntax_find_child(tree, reference, SOM_SOM_ARGUMENTS), 0);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    som_syntax_destroy(tree);
    tree = som_som_parse_choice(SOM_STR("Snake(n = 18) x"), 0, diags);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
}
END_TEST

// Any nesting that the grammar has, far too deep: a report, no overflow of the stack.
START_TEST(nesting_without_end_is_reported) {
    static const char *const openers[] = {"(", "-", "not ", "if ", "a[", "f(", "2^", "a.b[("};
    static const char *const actions[] = {"series(", "repeat 2: ", "if a then ",
                                          "choose(a: ", "any(for i in 1..2: "};
    for (int round = 0; round < 13; round++) {
        SomText text = {0};
        som_text_add(&text, round < 8 ? SOM_STR("let a = ") : SOM_STR("config A { behavior b = "));
        for (int i = 0; i < 5000; i++) {
            som_text_add(&text, som_str(round < 8 ? openers[round] : actions[round - 8]));
        }
        Parsed parsed = parse(text.data);
        ck_assert(som_diagnostics_has(parsed.diags, SOM_NESTED_TOO_DEEPLY));
        ck_assert(som_syntax_steps(parsed.tree) <= 300 * text.length + 20000);
        parsed_free(&parsed);
        som_text_free(&text);
    }
}
END_TEST

// Cut, doubled and swapped pieces of the sample: the tree prints back, and parsing takes linear
// time.
START_TEST(damaged_texts_get_a_tree) {
    SomTestRandom random = {5};
    SomStr text = som_str(sample);
    for (int round = 0; round < som_test_count(300, 10000); round++) {
        SomText damaged = {0};
        for (int i = som_test_int(&random, 1, 12); i > 0; i--) {
            size_t begin = (size_t)som_test_int(&random, 0, (int)text.length);
            som_text_add(&damaged,
                         som_str_slice(text, begin, begin + (size_t)som_test_int(&random, 0, 200)));
        }
        som_text_add(&damaged, SOM_STR(" "));
        Parsed parsed = parse(damaged.data);
        check_tree(parsed.tree);
        ck_assert(som_syntax_steps(parsed.tree) <= 300 * damaged.length + 20000);
        ck_assert(som_syntax_has_error(parsed.tree, SOM_ROOT) ==
                  (som_diagnostics_error_count(parsed.diags) > 0));
        parsed_free(&parsed);
        som_text_free(&damaged);
    }
}
END_TEST

SOM_SUITE("language/som_syntax", the_whole_grammar_parses, operators_bind_as_in_mathematics,
          all_errors_are_reported_in_one_pass, keywords_may_be_names_where_nothing_else_fits,
          waits_end_with_a_time_or_a_clause, a_choice_is_one_reference,
          nesting_without_end_is_reported, damaged_texts_get_a_tree)
