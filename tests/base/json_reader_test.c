// SPDX-License-Identifier: Apache-2.0
// Tests for base/json_reader.c.

#include "base/codes/base_codes.h"
#include "base/json_reader.h"
#include "base/number.h"
#include "base/utf8.h"
#include "tests/base/json_tree.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>

// A text with what reading it gave.
typedef struct Case {
    SomArena arena;
    SomDiagnostics *diags;
    const SomJson *root;
    SomText printed; // diagnostics
} Case;

static Case read_case(SomStr text) {
    Case c = {.diags = som_diagnostics_create()};
    uint32_t source1 = som_diagnostics_add_source(c.diags, SOM_STR("a.json"), text);
    c.root = som_json_parse(&c.arena, text, source1, c.diags);
    ck_assert((c.root == NULL) == (som_diagnostics_error_count(c.diags) > 0));
    som_diagnostics_sort(c.diags);
    som_text_add(&c.printed, SOM_STR(""));
    som_diagnostics_print(c.diags, 0, &c.printed);
    return c;
}

static void free_case(Case *c) {
    som_text_free(&c->printed);
    som_diagnostics_destroy(c->diags);
    som_arena_free(&c->arena);
}

static void check_faults(SomStr text, const char *expected) {
    Case c = read_case(text);
    ck_assert_str_eq(c.printed.data, expected);
    free_case(&c);
}

START_TEST(every_kind_of_value_is_read_with_its_place) {
    SomStr text = SOM_STR("\xEF\xBB\xBF {\"a\": [1, -2.5e3, true, false, null],\r\n\t\"b\\n\":{} ,"
                          "\"\":\"x\\u00e9\\ud83d\\ude00\\\"\\/\"} \n");
    Case c = read_case(text);
    ck_assert_ptr_nonnull(c.root);
    ck_assert_int_eq(c.root->kind, SOM_JSON_OBJECT);
    ck_assert_int_eq(c.root->count, 3);

    const SomJson *array = som_json_get(c.root, SOM_STR("a"));
    ck_assert_int_eq(array->count, 5);
    ck_assert(som_json_number_or(som_json_at(array, 1), 0) == -2500);
    ck_assert(som_json_boolean_or(som_json_at(array, 2), false));
    ck_assert(!som_json_boolean_or(som_json_at(array, 3), true));
    ck_assert_int_eq(som_json_at(array, 4)->kind, SOM_JSON_NULL);
    SomSpan span = som_json_at(array, 1)->span;
    ck_assert(som_str_equal(som_str_slice(text, span.begin, span.end), SOM_STR("-2.5e3")));
    span = array->span;
    ck_assert(som_str_equal(som_str_slice(text, span.begin, span.end),
                            SOM_STR("[1, -2.5e3, true, false, null]")));
    span = c.root->members[1].key_span;
    ck_assert(som_str_equal(som_str_slice(text, span.begin, span.end), SOM_STR("\"b\\n\"")));

    ck_assert(som_str_equal(c.root->members[1].key, SOM_STR("b\n")));
    ck_assert_int_eq(som_json_get(c.root, SOM_STR("b\n"))->count, 0);
    ck_assert(som_str_equal(som_json_string_or(som_json_get(c.root, SOM_STR("")), SOM_STR("")),
                            SOM_STR("x\xC3\xA9\xF0\x9F\x98\x80\"/")));
    free_case(&c);
}
END_TEST

START_TEST(a_plain_value_is_a_document) {
    const char *const texts[] = {"1", "\"\"", "true", "null", "[]", "{}", " [ ] ", "-0", "0.0e-0"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Case c = read_case(som_str(texts[i]));
        ck_assert_msg(c.root != NULL, "%s", texts[i]);
        free_case(&c);
    }
}
END_TEST

START_TEST(lookups_of_what_is_not_there_give_the_default) {
    Case c = read_case(SOM_STR("{\"n\": 3, \"f\": 2.5, \"big\": 3e9, \"s\": \"x\"}"));
    ck_assert_ptr_null(som_json_get(c.root, SOM_STR("m")));
    ck_assert_ptr_null(som_json_get(som_json_get(c.root, SOM_STR("m")), SOM_STR("k")));
    ck_assert_ptr_null(som_json_get(som_json_get(c.root, SOM_STR("n")), SOM_STR("k")));
    ck_assert_ptr_null(som_json_at(c.root, 0));
    ck_assert_ptr_null(som_json_at(NULL, 0));
    ck_assert(som_json_number_or(NULL, 7) == 7);
    ck_assert(som_json_number_or(som_json_get(c.root, SOM_STR("s")), 7) == 7);
    ck_assert_int_eq(som_json_integer_or(som_json_get(c.root, SOM_STR("n")), 7), 3);
    ck_assert_int_eq(som_json_integer_or(som_json_get(c.root, SOM_STR("f")), 7), 7);
    ck_assert_int_eq(som_json_integer_or(som_json_get(c.root, SOM_STR("big")), 7), 7);
    ck_assert(som_str_equal(som_json_string_or(NULL, SOM_STR("d")), SOM_STR("d")));
    ck_assert(som_json_boolean_or(som_json_get(c.root, SOM_STR("n")), true));
    free_case(&c);
}
END_TEST

START_TEST(numbers_of_nested_arrays_are_read_in_order) {
    Case c = read_case(SOM_STR("{\"m\": [[1, 2], [3, 4]], \"x\": [1, [\"2\"]], \"e\": []}"));
    double m[4] = {0};
    ck_assert(som_json_numbers_of(som_json_get(c.root, SOM_STR("m")), m, 4));
    ck_assert(m[0] == 1 && m[1] == 2 && m[2] == 3 && m[3] == 4);
    double few[3] = {0};
    ck_assert(!som_json_numbers_of(som_json_get(c.root, SOM_STR("m")), few, 3));
    ck_assert(!som_json_numbers_of(som_json_get(c.root, SOM_STR("m")), m, 5 - 2));
    ck_assert(!som_json_numbers_of(som_json_get(c.root, SOM_STR("x")), m, 2));
    ck_assert(som_json_numbers_of(som_json_get(c.root, SOM_STR("e")), m, 0));
    ck_assert(!som_json_numbers_of(NULL, m, 0));
    free_case(&c);
}
END_TEST

START_TEST(required_members_are_reported_when_they_are_missing_or_wrong) {
    SomStr text = SOM_STR("{\"n\": \"three\", \"p\": [1, 2], \"q\": [1, 2]}");
    Case c = read_case(text);
    double p[3];
    ck_assert_ptr_nonnull(som_json_require(c.root, SOM_STR("p"), SOM_JSON_ARRAY, c.diags));
    ck_assert_ptr_null(som_json_require(c.root, SOM_STR("m"), SOM_JSON_NUMBER, c.diags));
    ck_assert_ptr_null(som_json_require(c.root, SOM_STR("n"), SOM_JSON_NUMBER, c.diags));
    ck_assert_ptr_null(som_json_require(NULL, SOM_STR("n"), SOM_JSON_NUMBER, c.diags));
    ck_assert_ptr_null(som_json_require(som_json_get(c.root, SOM_STR("n")), SOM_STR("k"),
                                        SOM_JSON_NUMBER, c.diags));
    ck_assert(!som_json_require_numbers(c.root, SOM_STR("p"), p, 3, c.diags));
    ck_assert(som_json_require_numbers(c.root, SOM_STR("q"), p, 2, c.diags));
    ck_assert(p[0] == 1 && p[1] == 2);
    som_diagnostics_print(c.diags, 0, &c.printed);
    ck_assert_str_eq(c.printed.data,
                     "a.json:1:1: error: the object has no member 'm' [SOM0135]\n"
                     "    1 | {\"n\": \"three\", \"p\": [1, 2], \"q\": [1, 2]}\n"
                     "      | ^\n"
                     "a.json:1:7: error: 'n' is a string, not a number [SOM0135]\n"
                     "    1 | {\"n\": \"three\", \"p\": [1, 2], \"q\": [1, 2]}\n"
                     "      |       ^~~~~~~\n"
                     "a.json:1:7: error: a string stands where an object with 'k' is expected "
                     "[SOM0135]\n"
                     "    1 | {\"n\": \"three\", \"p\": [1, 2], \"q\": [1, 2]}\n"
                     "      |       ^~~~~~~\n"
                     "a.json:1:21: error: 'p' is not 3 numbers [SOM0135]\n"
                     "    1 | {\"n\": \"three\", \"p\": [1, 2], \"q\": [1, 2]}\n"
                     "      |                     ^~~~~~\n");
    free_case(&c);
}
END_TEST

START_TEST(faults_with_a_clear_extent_are_all_reported) {
    check_faults(SOM_STR("[\"a\\qb\", \"\\u12G4\", \"\\ud800\", \"\\udc00\\ud800\",\n"
                         " 01, +1, .5, 1., 1e, True, nul, NaN, 1e999, [2,],\n"
                         " {\"k\": 1, \"k\": 2, \"k\": 3,}]"),
                 "a.json:1:4: error: '\\q' is not an escape [SOM0131]\n"
                 "    1 | [\"a\\qb\", \"\\u12G4\", \"\\ud800\", \"\\udc00\\ud800\",\n"
                 "      |    ^~\n"
                 "a.json:1:11: error: '\\u' is not followed by four hexadecimal digits [SOM0131]\n"
                 "    1 | [\"a\\qb\", \"\\u12G4\", \"\\ud800\", \"\\udc00\\ud800\",\n"
                 "      |           ^~\n"
                 "a.json:1:21: error: '\\ud800' is half of a surrogate pair [SOM0131]\n"
                 "    1 | [\"a\\qb\", \"\\u12G4\", \"\\ud800\", \"\\udc00\\ud800\",\n"
                 "      |                     ^~~~~~\n"
                 "a.json:1:31: error: '\\udc00' is half of a surrogate pair [SOM0131]\n"
                 "    1 | [\"a\\qb\", \"\\u12G4\", \"\\ud800\", \"\\udc00\\ud800\",\n"
                 "      |                               ^~~~~~\n"
                 "a.json:1:37: error: '\\ud800' is half of a surrogate pair [SOM0131]\n"
                 "    1 | [\"a\\qb\", \"\\u12G4\", \"\\ud800\", \"\\udc00\\ud800\",\n"
                 "      |                                     ^~~~~~\n"
                 "a.json:2:2: error: '01' is not a number in JSON: no '+', no zero in front, "
                 "digits on both sides of the point [SOM0131]\n"
                 "    2 |  01, +1, .5, 1., 1e, True, nul, NaN, 1e999, [2,],\n"
                 "      |  ^~\n"
                 "a.json:2:6: error: '+1' is not a number in JSON: no '+', no zero in front, "
                 "digits on both sides of the point [SOM0131]\n"
                 "    2 |  01, +1, .5, 1., 1e, True, nul, NaN, 1e999, [2,],\n"
                 "      |      ^~\n"
                 "a.json:2:10: error: '.5' is not a number in JSON: no '+', no zero in front, "
                 "digits on both sides of the point [SOM0131]\n"
                 "    2 |  01, +1, .5, 1., 1e, True, nul, NaN, 1e999, [2,],\n"
                 "      |          ^~\n"
                 "a.json:2:14: error: '1.' is not a number in JSON: no '+', no zero in front, "
                 "digits on both sides of the point [SOM0131]\n"
                 "    2 |  01, +1, .5, 1., 1e, True, nul, NaN, 1e999, [2,],\n"
                 "      |              ^~\n"
                 "a.json:2:18: error: '1e' is not a value in JSON [SOM0131]\n"
                 "    2 |  01, +1, .5, 1., 1e, True, nul, NaN, 1e999, [2,],\n"
                 "      |                  ^~\n"
                 "a.json:2:22: error: 'True' is not a value in JSON [SOM0131]\n"
                 "    2 |  01, +1, .5, 1., 1e, True, nul, NaN, 1e999, [2,],\n"
                 "      |                      ^~~~\n"
                 "fix-it:\"a.json\":{2:22-2:26}:\"true\"\n"
                 "a.json:2:28: error: 'nul' is not a value in JSON [SOM0131]\n"
                 "    2 |  01, +1, .5, 1., 1e, True, nul, NaN, 1e999, [2,],\n"
                 "      |                            ^~~\n"
                 "a.json:2:33: error: 'NaN' is not a value in JSON [SOM0131]\n"
                 "    2 |  01, +1, .5, 1., 1e, True, nul, NaN, 1e999, [2,],\n"
                 "      |                                 ^~~\n"
                 "a.json:2:38: error: the number is too large for a double [SOM0134]\n"
                 "    2 |  01, +1, .5, 1., 1e, True, nul, NaN, 1e999, [2,],\n"
                 "      |                                      ^~~~~\n"
                 "a.json:2:47: error: no ',' may stand before ']' [SOM0131]\n"
                 "    2 |  01, +1, .5, 1., 1e, True, nul, NaN, 1e999, [2,],\n"
                 "      |                                               ^\n"
                 "fix-it:\"a.json\":{2:47-2:48}:\"\"\n"
                 "a.json:3:11: error: the object has a member 'k' already [SOM0133]\n"
                 "    3 |  {\"k\": 1, \"k\": 2, \"k\": 3,}]\n"
                 "      |           ^~~\n"
                 "a.json:3:3: note: it stands here\n"
                 "    3 |  {\"k\": 1, \"k\": 2, \"k\": 3,}]\n"
                 "      |   ^~~\n"
                 "a.json:3:19: error: the object has a member 'k' already [SOM0133]\n"
                 "    3 |  {\"k\": 1, \"k\": 2, \"k\": 3,}]\n"
                 "      |                   ^~~\n"
                 "a.json:3:11: note: it stands here\n"
                 "    3 |  {\"k\": 1, \"k\": 2, \"k\": 3,}]\n"
                 "      |           ^~~\n"
                 "a.json:3:25: error: no ',' may stand before '}' [SOM0131]\n"
                 "    3 |  {\"k\": 1, \"k\": 2, \"k\": 3,}]\n"
                 "      |                         ^\n"
                 "fix-it:\"a.json\":{3:25-3:26}:\"\"\n");
}
END_TEST

START_TEST(bytes_that_may_not_stand_in_a_string_are_reported) {
    check_faults(SOM_STR("[\"\xC3\xA9\xFF\xFF\", \"\x01\t\", \"\0\"]"),
                 "a.json:1:4: error: byte 0xFF is not UTF-8 [SOM0122]\n"
                 "    1 | [\"\xC3\xA9??\", \"? \", \"?\"]\n"
                 "      |    ^\n"
                 "a.json:1:10: error: control character 0x01 stands in a string: write it as "
                 "\\u0001 [SOM0131]\n"
                 "    1 | [\"\xC3\xA9??\", \"? \", \"?\"]\n"
                 "      |          ^\n"
                 "a.json:1:11: error: control character 0x09 stands in a string: write it as "
                 "\\u0009 [SOM0131]\n"
                 "    1 | [\"\xC3\xA9??\", \"? \", \"?\"]\n"
                 "      |           ^\n"
                 "a.json:1:16: error: a zero byte stands in a string [SOM0121]\n"
                 "    1 | [\"\xC3\xA9??\", \"? \", \"?\"]\n"
                 "      |                ^\n");
}
END_TEST

START_TEST(a_fault_without_a_clear_extent_is_the_only_one) {
    const struct {
        SomStr text;
        int column;
        const char *message;
    } cases[] = {
        {SOM_STR(""), 1, "the text ends where a value is expected"},
        {SOM_STR("  "), 3, "the text ends where a value is expected"},
        {SOM_STR("1 2"), 3, "'2' stands where the end of the text is expected"},
        {SOM_STR("[1 2"), 4, "'2' stands where ',' or ']' is expected"},
        {SOM_STR("[1,"), 4, "the text ends where a value is expected"},
        {SOM_STR("[1"), 3, "the text ends where ',' or ']' is expected"},
        {SOM_STR("["), 2, "the text ends where a value is expected"},
        {SOM_STR("[,1]"), 2, "',' stands where a value is expected"},
        {SOM_STR("[1,,2]"), 4, "',' stands where a value is expected"},
        {SOM_STR("]"), 1, "']' stands where a value is expected"},
        {SOM_STR("[1}"), 3, "'}' stands where ',' or ']' is expected"},
        {SOM_STR("{a: 1}"), 2, "'a' stands where a key in double quotes is expected"},
        {SOM_STR("{'a': 1}"), 2, "''' stands where a key in double quotes is expected"},
        {SOM_STR("{\"a\" 1}"), 6, "'1' stands where ':' after the key is expected"},
        {SOM_STR("{\"a\"}"), 5, "'}' stands where ':' after the key is expected"},
        {SOM_STR("{\"a\":}"), 6, "'}' stands where a value is expected"},
        {SOM_STR("{\"a\":1"), 7, "the text ends where ',' or '}' is expected"},
        {SOM_STR("{,}"), 2, "',' stands where a key in double quotes is expected"},
        {SOM_STR("// x\n1"), 1, "'/' stands where a value is expected"},
        {SOM_STR("\xC3\xA9"), 1, "'\xC3\xA9' stands where a value is expected"},
        {SOM_STR("[\xFF]"), 2, "byte 0xFF stands where a value is expected"},
        {SOM_STR("[\0]"), 2, "byte 0x00 stands where a value is expected"},
        {SOM_STR("\"abc"), 1, "the string is not closed on its line"},
        {SOM_STR("\"abc\n\""), 1, "the string is not closed on its line"},
        {SOM_STR("\"abc\\"), 1, "the string is not closed on its line"},
        {SOM_STR("\"abc\\\n\""), 1, "the string is not closed on its line"},
        {SOM_STR("\""), 1, "the string is not closed on its line"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Case c = read_case(cases[i].text);
        int count;
        const SomDiagnostic *entries = som_diagnostics_get(c.diags, &count);
        ck_assert_int_eq(count, 1);
        ck_assert_str_eq(entries[0].message.data, cases[i].message);
        SomPlace place = som_diagnostics_place(c.diags, 1, entries[0].span.begin);
        ck_assert_int_eq(place.column, cases[i].column);
        free_case(&c);
    }
}
END_TEST

START_TEST(nesting_has_a_limit) {
    for (int depth = SOM_JSON_MAX_DEPTH; depth <= SOM_JSON_MAX_DEPTH + 1; depth++) {
        SomText text = {0};
        som_text_add_char(&text, '[', depth);
        som_text_add_char(&text, ']', depth);
        Case c = read_case(som_text_str(&text));
        ck_assert((c.root != NULL) == (depth == SOM_JSON_MAX_DEPTH));
        ck_assert(som_diagnostics_has(c.diags, SOM_JSON_TOO_LARGE) == (c.root == NULL));
        free_case(&c);
        som_text_free(&text);
    }
    SomText text = {0};
    for (int i = 0; i < 1000000; i++) {
        som_text_add(&text, SOM_STR("{\"a\":["));
    }
    Case c = read_case(som_text_str(&text));
    ck_assert_int_eq(som_diagnostics_error_count(c.diags), 1);
    const char *expected =
        "a.json:1:601: error: arrays and objects nest more than 200 deep [SOM0132]\n";
    ck_assert(som_str_starts_with(som_text_str(&c.printed), som_str(expected)));
    free_case(&c);
    som_text_free(&text);
}
END_TEST

START_TEST(the_number_of_values_has_a_limit) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("[0"));
    for (int i = 0; i < SOM_JSON_MAX_VALUES; i++) {
        som_text_add(&text, SOM_STR(",0"));
    }
    som_text_add(&text, SOM_STR("]"));
    Case c = read_case(som_text_str(&text));
    ck_assert_ptr_null(c.root);
    ck_assert(som_diagnostics_has(c.diags, SOM_JSON_TOO_LARGE));
    free_case(&c);
    som_text_free(&text);
}
END_TEST

START_TEST(an_object_of_many_members_takes_no_longer_than_their_number) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("{"));
    for (int i = 0; i < 200000; i++) {
        som_text_printf(&text, "%s\"%d\":%d", i > 0 ? "," : "", i, i);
    }
    som_text_add(&text, SOM_STR("}"));
    Case c = read_case(som_text_str(&text));
    ck_assert_int_eq(c.root->count, 200000);
    ck_assert(som_json_number_or(som_json_get(c.root, SOM_STR("199999")), 0) == 199999);
    free_case(&c);
    som_text_free(&text);
}
END_TEST

static SomStr random_string(SomTestRandom *random, SomArena *arena) {
    SomText text = {0};
    int length = som_test_int(random, 0, 12);
    for (int i = 0; i < length; i++) {
        static const uint32_t limits[] = {0x20, 0x80, 0x800, 0xD800, 0x110000};
        uint32_t limit = limits[som_test_int(random, 0, 4)];
        uint32_t character = (uint32_t)(som_test_bits(random) % limit);
        if (0xD800 <= character && character <= 0xDFFF) {
            continue;
        }
        char bytes[4];
        som_text_add(&text, (SomStr){bytes, (size_t)som_utf8_encode(character, bytes)});
    }
    SomStr copy = som_arena_copy(arena, som_text_str(&text));
    som_text_free(&text);
    return copy;
}

static SomJson random_tree(SomTestRandom *random, SomArena *arena, int depth) {
    SomJson tree = {.kind = (SomJsonKind)som_test_int(random, 0, depth > 0 ? 5 : 3)};
    if (tree.kind == SOM_JSON_BOOLEAN) {
        tree.boolean = som_test_int(random, 0, 1) == 1;
    } else if (tree.kind == SOM_JSON_NUMBER) {
        uint64_t bits = som_test_bits(random);
        memcpy(&tree.number, &bits, sizeof bits);
        tree.number = isfinite(tree.number) ? tree.number : 0.1;
    } else if (tree.kind == SOM_JSON_STRING) {
        tree.string = random_string(random, arena);
    } else if (tree.kind == SOM_JSON_ARRAY) {
        tree.count = som_test_int(random, 0, 4);
        SomJson *items = som_arena_new(arena, SomJson, tree.count);
        for (int i = 0; i < tree.count; i++) {
            items[i] = random_tree(random, arena, depth - 1);
        }
        tree.items = items;
    } else if (tree.kind == SOM_JSON_OBJECT) {
        tree.count = som_test_int(random, 0, 4);
        SomJsonMember *members = som_arena_new(arena, SomJsonMember, tree.count);
        for (int i = 0; i < tree.count; i++) {
            char unlike[] = {(char)('a' + i), '\0'}; // keys differ
            SomText key = {0};
            som_text_add(&key, som_str(unlike));
            som_text_add(&key, random_string(random, arena));
            members[i].key = som_arena_copy(arena, som_text_str(&key));
            som_text_free(&key);
            members[i].value = random_tree(random, arena, depth - 1);
        }
        tree.members = members;
    }
    return tree;
}

START_TEST(what_the_writer_writes_reads_back_as_the_same_tree) {
    SomTestRandom random = {1};
    int count = som_test_count(3000, 200000);
    for (int i = 0; i < count; i++) {
        SomArena arena = {0};
        SomJson tree = random_tree(&random, &arena, 1 + i % 12);
        SomText text = {0};
        SomJsonWriter json = {.out = &text};
        json_tree_write(&tree, &json);
        som_json_end(&json);
        Case c = read_case(som_text_str(&text));
        ck_assert_msg(c.root != NULL && json_tree_equal(&tree, c.root), "%s", text.data);
        free_case(&c);
        som_text_free(&text);
        som_arena_free(&arena);
    }
}
END_TEST

// Whatever is cut off, changed or doubled in a document, reading answers, and only a document
// without a report is a tree.
START_TEST(damaged_documents_get_an_answer) {
    SomTestRandom random = {2};
    int count = som_test_count(20000, 1000000);
    const SomStr good = SOM_STR("{\"name\":\"leg\\u00e9\\n\",\"dofs\":[1,-2.5,3e-7,[]],"
                                "\"ok\":true,\"no\":null,\"in\":{\"x\":{},\"y\":\"\xC3\xA9\"}}");
    for (int i = 0; i < count; i++) {
        // in memory of its exact size, so that the sanitizer sees a byte read too many
        size_t length = (size_t)som_test_int(&random, 0, (int)good.length);
        char *bytes = malloc(length > 0 ? length : 1);
        memcpy(bytes, good.data, length);
        int changes = som_test_int(&random, 0, 3);
        for (int k = 0; k < changes && length > 0; k++) {
            size_t at = (size_t)som_test_int(&random, 0, (int)length - 1);
            size_t from = (size_t)som_test_int(&random, 0, (int)length - 1);
            bytes[at] = k % 2 == 0 ? bytes[from] : (char)som_test_bits(&random);
        }
        Case c = read_case((SomStr){bytes, length});
        free_case(&c);
        free(bytes);
    }
}
END_TEST

SOM_SUITE("base/json_reader", every_kind_of_value_is_read_with_its_place,
          a_plain_value_is_a_document, lookups_of_what_is_not_there_give_the_default,
          numbers_of_nested_arrays_are_read_in_order,
          required_members_are_reported_when_they_are_missing_or_wrong,
          faults_with_a_clear_extent_are_all_reported,
          bytes_that_may_not_stand_in_a_string_are_reported,
          a_fault_without_a_clear_extent_is_the_only_one, nesting_has_a_limit,
          the_number_of_values_has_a_limit,
          an_object_of_many_members_takes_no_longer_than_their_number,
          what_the_writer_writes_reads_back_as_the_same_tree, damaged_documents_get_an_answer)
