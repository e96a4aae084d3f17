// Xacro becomes what its rules say: values, macros with blocks, files in files, old ways to write
// it; what never ends or is Python is refused.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/exchange_codes.h"
#include "base/file.h"
#include "tests/exchange/read_type.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MAX_FILES 3

// Files in memory, beside each other: a.xacro, b.xacro, c.xacro. The first is imported.
static SomTestRead read_files(const char *const *contents, int count) {
    static const SomStr paths[MAX_FILES] = {{"a.xacro", 7}, {"b.xacro", 7}, {"c.xacro", 7}};
    SomStr texts[MAX_FILES];
    for (int i = 0; i < count; i++) {
        texts[i] = som_str(contents[i]);
    }
    return som_test_read_texts(paths, texts, count, NULL);
}

static SomTestRead read_inside(const char *inside) {
    SomText text = {0};
    som_text_printf(&text, "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>%s</robot>",
                    inside);
    const char *content = text.data;
    SomTestRead r = read_files(&content, 1);
    som_text_free(&text);
    return r;
}

static void check_first_link(const char *inside, const char *name) {
    SomTestRead r = read_inside(inside);
    if (r.type == NULL) {
        SomText shown = {0};
        som_diagnostics_print(r.diags, 0, &shown);
        ck_abort_msg("%s", shown.data);
    }
    ck_assert_msg(som_str_equal(r.type->links[0].name, som_str(name)), "%s: '%.*s', not '%s'",
                  inside, SOM_STR_ARG(r.type->links[0].name), name);
    som_test_free_read(&r);
}

START_TEST(expressions_have_the_values_of_python) { // as Python 3.11 prints them
    static const char *const cases[][2] = {
        {"1+2*3", "7"},
        {"(1+2)*3", "9"},
        {"7/2", "3.5"},
        {"7//2", "3"},
        {"-7//2", "-4"},
        {"-7%3", "2"},
        {"2**3**2", "512"},
        {"-2**2", "-4"},
        {"2**-1", "0.5"},
        {"4*0.5", "2.0"},
        {"1e3", "1000.0"},
        {"pi", "3.141592653589793"},
        {"sin(0)", "0.0"},
        {"cos(pi)", "-1.0"},
        {"radians(180)", "3.141592653589793"},
        {"degrees(pi)", "180.0"},
        {"atan2(0,-1)", "3.141592653589793"},
        {"sqrt(16)", "4.0"},
        {"abs(-3)", "3"},
        {"max(1,2.5)", "2.5"},
        {"min(3,2,4)", "2"},
        {"int(2.7)", "2"},
        {"math.pi", "3.141592653589793"},
        {"1 == 1.0", "True"},
        {"1 &lt; 2 &lt; 3", "True"},
        {"1 &lt; 2 &gt; 3", "False"},
        {"not 0 and 5", "5"},
        {"0 or 'x'", "x"},
        {"'a' + 'b'", "ab"},
        {"'a' == 'b'", "False"},
        {"1 if 2 &gt; 1 else nobody", "1"},
        {"(nobody if False else 4) + 1", "5"},
        {"False and nobody", "False"},
        {"str(3)", "3"},
        {"two*2", "4"},
        {"half", "0.5"},
        {"chain", "5.0"},
        {"[1, 'a', 2.0, None, True]", "[1, 'a', 2.0, None, True]"},
        {"[1, 2, 3][1]", "2"},
        {"[1, 2, 3,][-1]", "3"},
        {"([1] + [2, 3])[1:]", "[2, 3]"},
        {"'abcd'[-3:2]", "b"},
        {"len([]) + len('abc')", "3"},
        {"'b' in ['a', 'b']", "True"},
        {"1.0 not in [1]", "False"},
        {"'bc' in 'abcd' and not 'x' in 'abc'", "True"},
        {"[1, [2]] == [1.0, [2]]", "True"},
        {"[] or 5", "5"},
        {"2 in range(3)", "True"},
        {"3 in python.range(1, 3)", "False"},
        {"dict(a=1, b='x')['b']", "x"},
        {"xacro.dotify(dict(a=dict(b=2))).a.b", "2"},
        {"'c' in dict(a=1)", "False"},
        {"' a  b '.split()", "['a', 'b']"},
        {"'a,,b'.split(',')[2]", "b"},
        {"list(map(float, '1 2'.split(' ')))[1]", "2.0"},
        {"'abc'.startswith('ab') == 'abc'.endswith('bc')", "True"},
        {"pow(2, 3)", "8.0"},
        {"[nobody[1], nobody.x, nobody.split('a')] if False else 4", "4"},
        {"$(arg five) + 1", "6"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText text = {0};
        som_text_printf(&text,
                        "<xacro:property name='chain' value='${two + 6*half}'/>"
                        "<xacro:property name='two' value='2'/>"
                        "<xacro:property name='half' value='0.50'/>"
                        "<xacro:arg name='five' default='5'/>"
                        "<link name=\"x${%s}\"/>",
                        cases[i][0]);
        SomText name = {0};
        som_text_printf(&name, "x%s", cases[i][1]);
        check_first_link(text.data, name.data);
        som_text_free(&text);
        som_text_free(&name);
    }
}
END_TEST

START_TEST(elements_become_what_they_mean) {
    static const char *const cases[][2] = {
        {"<xacro:macro name='m' params='name suffix:=_end'><link name='${name}${suffix}'/>"
         "</xacro:macro><xacro:m name='a'/>",
         "a_end"},
        {"<xacro:macro name='m' params=\"a b:='x y' c:=${1 + 1}\"><link name='${a}${b}${c}'/>"
         "</xacro:macro><xacro:m a='0'/>",
         "0x y2"},
        {"<xacro:property name='p' value='1'/><xacro:macro name='m' params='p:=^|3 q:=^|4'>"
         "<link name='l${p}${q}'/></xacro:macro><xacro:m/>",
         "l14"},
        {"<xacro:macro name='m' params='n'><xacro:if value='${n &gt; 0}'><xacro:m n='${n - 1}'/>"
         "</xacro:if><xacro:unless value='${n &gt; 0}'><link name='end'/></xacro:unless>"
         "</xacro:macro><xacro:m n='5'/>",
         "end"},
        {"<xacro:macro name='m' params='*b'><xacro:insert_block name='b'/></xacro:macro>"
         "<xacro:m><link name='given'/></xacro:m>",
         "given"},
        {"<xacro:macro name='m' params='**b'><xacro:insert_block name='b'/></xacro:macro>"
         "<xacro:m><any><link name='given'/></any></xacro:m>",
         "given"},
        {"<xacro:property name='p'><link name='l${q}'/></xacro:property>"
         "<xacro:property name='q' value='7'/><xacro:insert_block name='p'/>",
         "l7"},
        {"<xacro:macro name='m' params=''><xacro:property name='p' value='in' scope='global'/>"
         "</xacro:macro><xacro:m/><link name='${p}'/>",
         "in"},
        {"<xacro:arg name='a' default='1'/><link name='l$(arg a)'/>", "l1"},
        {"<link name='$${a}'/>", "${a}"},
        {"<xacro:element xacro:name='${\"li\" + \"nk\"}' name='l'/>", "l"},
        {"<link><xacro:attribute name='name' value='l${1}'/></link>", "l1"},
        {"<link name='a'><inertial/><xacro:if value='1'><xacro:attribute name='na${\"me\"}' "
         "value='b'/></xacro:if></link>",
         "b"},
        {"<xacro:property name='p' value='1'/><xacro:property name='q' value='${p}' "
         "lazy_eval='false'/><xacro:property name='p' value='2'/><link name='l${q}'/>",
         "l1"},
        {"<xacro:property name='p' value='${[1, 2]}'/><xacro:macro name='m' params='l'>"
         "<link name='l${l[1]}'/></xacro:macro><xacro:m l='${p}'/>",
         "l2"},
        {"<xacro:if value='${[]}'><link name='no'/></xacro:if><link name='yes'/>", "yes"},
        {"<xacro:arg name='t' default='arm'/><xacro:if value=\"${'$(arg t)' == 'arm'}\">"
         "<link name='yes'/></xacro:if>",
         "yes"},
        {"<link name='l$(optenv SOMITE_NO_SUCH 1 2)'/>", "l1 2"},
        // the old ways
        {"<property name='p' value='3'/><macro name='m' params='name *origin'><link "
         "name='${name}'/>"
         "<link name='o'/><joint name='j' type='fixed'><insert_block name='origin'/>"
         "<parent link='${name}'/><child link='o'/></joint></macro>"
         "<m name='l${p}'><origin xyz='0 0 1'/></m>",
         "l3"},
        {"<xacro:macro name='xacro:m' params=''><link name='l'/></xacro:macro><xacro:m/>", "l"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_first_link(cases[i][0], cases[i][1]);
    }
}
END_TEST

START_TEST(blocks_of_other_programs_are_kept_expanded) {
    SomTestRead r =
        read_inside("<xacro:macro name='m' params='name'><link name='${name}'/>\n"
                    "<gazebo reference='${name}'>\n  <a b='${1+1}'>x ${name}<c/> y</a>\n\n"
                    "</gazebo></xacro:macro><xacro:m name='l'/>");
    ck_assert_ptr_nonnull(r.type);
    ck_assert(som_str_equal(r.type->kept.urdf, SOM_STR("<gazebo reference=\"l\">\n"
                                                       "  <a b=\"2\">x l<c/> y</a>\n</gazebo>")));
    som_test_free_read(&r);
}
END_TEST

START_TEST(files_are_read_from_files) {
    const char *const contents[] = {
        "<robot name='r' xmlns:x='http://ros.org/wiki/xacro'>"
        "<x:include filename='$(find pack)/b.xacro'/><x:wheel name='w'/></robot>",
        "<robot xmlns:xacro='http://www.ros.org/wiki/xacro'><xacro:include filename='c.xacro'/>"
        "<xacro:macro name='wheel' params='name'><link name='${name}${number}'/></xacro:macro>"
        "</robot>",
        "<robot xmlns:xacro='http://wiki.ros.org/xacro'>"
        "<xacro:property name='number' value='8'/></robot>"};
    SomTestRead r = read_files(contents, 1);
    ck_assert(som_diagnostics_has(r.diags, SOM_XACRO_INCLUDE)); // nothing is there
    som_test_free_read(&r);
    r = read_files(contents, 3);
    int count;
    const SomDiagnostic *all = som_diagnostics_get(r.diags, &count);
    // all files given are imported, and the two others have no link
    ck_assert(som_diagnostics_has(r.diags, SOM_MODEL_EMPTY));
    ck_assert(!som_diagnostics_has(r.diags, SOM_XACRO_INCLUDE));
    ck_assert(!som_diagnostics_has(r.diags, SOM_XACRO_UNKNOWN));
    ck_assert_int_eq(som_diagnostics_error_count(r.diags), 2);
    ck_assert_int_ge(count, 2);
    ck_assert(all[0].span.source1 > 1);
    som_test_free_read(&r);
}
END_TEST

// ---- YAML

static const char table[] = "# of joints\n---\n"
                            "limits:\n"
                            "  shoulder: {low: !degrees -180, high: !degrees  90.0*2, hot: yes}\n"
                            "  'el: bow':   # a comment\n"
                            "    - 1\n"
                            "    - [2, three, 'fo#ur',\n       {a: 5}]\n"
                            "    -\n"
                            "      x: 6\n"
                            "      y: 7 # another\n"
                            "    - z: 8\n"
                            "      w: 9\n"
                            "mass: &heavy\n"
                            "- 1.5e+3\n"
                            "- !millimeters 20\n"
                            "nothing:\n"
                            "text: a b#c d\n"
                            "again: *heavy\n";

// Reads a robot with a table beside it, t.yaml.
static SomTestRead read_with_table(const char *yaml, const char *name) {
    char folder[] = "/tmp/somite_xacro_XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    SomText text = {0}, robot = {0}, path = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    som_text_printf(&robot, "%s/r.xacro", folder);
    som_text_printf(&path, "%s/t.yaml", folder);
    som_text_printf(&text,
                    "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>"
                    "<xacro:property name='t' value=\"${xacro.load_yaml('t.yaml')}\"/>"
                    "<link name=\"x${%s}\"/></robot>",
                    name);
    ck_assert(som_file_save(robot.data, som_text_str(&text), diags));
    ck_assert(som_file_save(path.data, som_str(yaml), diags));
    SomTestRead r = som_test_read_path(som_text_str(&robot), NULL);
    remove(robot.data);
    remove(path.data);
    rmdir(folder);
    som_diagnostics_destroy(diags);
    som_text_free(&text);
    som_text_free(&robot);
    som_text_free(&path);
    return r;
}

START_TEST(tables_have_the_values_of_yaml) { // as PyYAML reads them
    static const char *const cases[][2] = {
        {"t['limits']['shoulder']['high']", "3.141592653589793"},
        {"t.limits.shoulder.low", "-3.141592653589793"},
        {"t.limits.shoulder.hot", "True"},
        {"t.limits['el: bow']", "[1, [2, 'three', 'fo#ur', {'a': 5}], {'x': 6, 'y': 7}, "
                                "{'z': 8, 'w': 9}]"},
        {"t['mass']", "[1500.0, 0.02]"},
        {"t.nothing", "None"},
        {"t.text", "a b#c d"},
        {"t.again == t.mass", "True"},
        {"len(t)", "5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomTestRead r = read_with_table(table, cases[i][0]);
        SomText wanted = {0};
        som_text_printf(&wanted, "x%s", cases[i][1]);
        ck_assert_msg(r.type != NULL, "%s", cases[i][0]);
        ck_assert_msg(som_str_equal(r.type->links[0].name, som_text_str(&wanted)), "%s: %.*s",
                      cases[i][0], SOM_STR_ARG(r.type->links[0].name));
        som_text_free(&wanted);
        som_test_free_read(&r);
    }
}
END_TEST

START_TEST(tables_that_are_not_understood_are_told) {
    static const char *const cases[] = {
        "a: [1, 2",       "a: {b}",     "a: \"x\\n\"",   "a: 'b",
        "a: |\n  text\n", "a: *nobody", "a: !unknown 1", "a: 1\n  b: 2",
        "a: 1\n- b",      "a:\n\tb: 1", "a: [1] 2",      "a: !degrees x",
        "? a\n",          "a: 'it''s'", "a: 1\nb\n",     "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomTestRead r = read_with_table(cases[i], "t");
        ck_assert_msg(r.type == NULL, "%s", cases[i]);
        ck_assert_int_eq(som_diagnostics_error_count(r.diags), 1);
        bool is_told = som_diagnostics_has(r.diags, SOM_XACRO_YAML) ||
                       som_diagnostics_has(r.diags, SOM_XACRO_UNKNOWN); // the x of an expression
        ck_assert_msg(is_told, "%s", cases[i]);
        som_test_free_read(&r);
    }
}
END_TEST

// ---- arguments

static SomTestRead read_given(const char *inside, const char *const *given, int count) {
    SomStr words[4], path = SOM_STR("a.xacro");
    SomText text = {0};
    for (int i = 0; i < count; i++) {
        words[i] = som_str(given[i]);
    }
    som_text_printf(&text, "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>%s</robot>",
                    inside);
    SomStr content = som_text_str(&text);
    SomImportOptions options = {.arguments = words, .argument_count = count};
    SomTestRead r = som_test_read_texts(&path, &content, 1, &options);
    som_text_free(&text);
    return r;
}

START_TEST(arguments_are_given_from_outside) {
    const char declared[] = "<xacro:arg name='side' default='left'/><xacro:arg name='size' "
                            "default='1'/><link name='$(arg side)${2*$(arg size)}'/>";
    const char *const given[] = {"size:=3", "side:=right:=up"};
    SomTestRead r = read_given(declared, given, 2);
    ck_assert(som_str_equal(r.type->links[0].name, SOM_STR("right:=up6")));
    som_test_free_read(&r);
    r = read_given("<link name='l$(arg size)'/>", given, 1); // not declared, but used
    ck_assert(som_str_equal(r.type->links[0].name, SOM_STR("l3")));
    som_test_free_read(&r);
    r = read_given("<xacro:arg name='size' default=''/><link name='l'/>", given, 1);
    ck_assert_ptr_nonnull(r.type); // declared, but not used
    som_test_free_read(&r);
    const char *const wrong[] = {"sid:=right"};
    r = read_given(declared, wrong, 1);
    ck_assert_ptr_null(r.type);
    ck_assert(som_diagnostics_has(r.diags, SOM_XACRO_NO_ARGUMENT));
    int count;
    const SomDiagnostic *all = som_diagnostics_get(r.diags, &count);
    ck_assert_int_eq(count, 1);
    ck_assert_ptr_nonnull(strstr(all[0].message.data, "did you mean 'side'?"));
    som_test_free_read(&r);
}
END_TEST

#define MACRO(name, inside) "<xacro:macro name='" name "' params=''>" inside "</xacro:macro>"

START_TEST(what_is_wrong_is_told) {
    static const struct {
        const char *inside;
        SomCode code;
    } cases[] = {
        {"<link name='${nobody}'/>", SOM_XACRO_UNKNOWN},
        {"<link name='$(arg nobody)'/>", SOM_XACRO_UNKNOWN},
        {"<xacro:nobody/>", SOM_XACRO_UNKNOWN},
        {"<xacro:insert_block name='nobody'/>", SOM_XACRO_UNKNOWN},
        {"<xacro:property name='a' value='${a}'/><link name='${a}'/>", SOM_XACRO_UNKNOWN},
        {"<link name='${1/0}'/>", SOM_XACRO_EXPRESSION},
        {"<link name='${1 +}'/>", SOM_XACRO_EXPRESSION},
        {"<link name='${(1}'/>", SOM_XACRO_EXPRESSION},
        {"<link name='${[1, 2][2]}'/>", SOM_XACRO_EXPRESSION},
        {"<link name='${[1, 2}'/>", SOM_XACRO_EXPRESSION},
        {"<link name='${[1, 2][0.5]}'/>", SOM_XACRO_EXPRESSION},
        {"<link name='${[1] + 1}'/>", SOM_XACRO_EXPRESSION},
        {"<link name='${1[0]}'/>", SOM_XACRO_EXPRESSION},
        {"<link name='${dict(1)}'/>", SOM_XACRO_EXPRESSION},
        {"<link name='${dict(a=1).b}'/>", SOM_XACRO_EXPRESSION},
        {"<link name='${[x for x in [1]]}'/>", SOM_XACRO_UNKNOWN},
        {"<link name=\"${'a'.upper()}\"/>", SOM_XACRO_EXPRESSION},
        {"<link name=\"${'%s' % 1}\"/>", SOM_XACRO_EXPRESSION},
        {"<link name='${range(10**9)}'/>", SOM_XACRO_EXPRESSION},
        {"<link name=\"${xacro.load_yaml('x')}\"/>", SOM_XACRO_INCLUDE},
        {"<link name='${open(1)}'/>", SOM_XACRO_EXPRESSION},
        {"<link name='$(env HOME)'/>", SOM_XACRO_UNKNOWN}, // in memory there is none
        {"<link name='$(eval 1 + 1)'/>", SOM_XACRO_EXPRESSION},
        {"<link name='$(anon x)'/>", SOM_XACRO_EXPRESSION},
        {"<xacro:element name='x'/>", SOM_XACRO_INCOMPLETE},
        {"<xacro:element xacro:name='1 x'/>", SOM_XACRO_INCOMPLETE},
        {"<xacro:attribute name='x'/>", SOM_XACRO_INCOMPLETE},
        {"<xacro:attribute name='x y' value='1'/>", SOM_XACRO_INCOMPLETE},
        {"<xacro:call macro='m'/>", SOM_XACRO_UNKNOWN},
        {"<xacro:property name='p' remove='true'/>", SOM_XACRO_UNKNOWN},
        {"<xacro:include filename='x.xacro' ns='n'/>", SOM_XACRO_INCLUDE},
        {"<xacro:if value='maybe'/>", SOM_XACRO_EXPRESSION},
        {"<xacro:macro name='m' params='a'/><xacro:m/>", SOM_XACRO_PARAMETERS},
        {"<xacro:macro name='m' params='a'/><xacro:m a='1' b='2'/>", SOM_XACRO_PARAMETERS},
        {"<xacro:macro name='m' params='*a'/><xacro:m/>", SOM_XACRO_PARAMETERS},
        {MACRO("m", "") "<xacro:m><link name='x'/></xacro:m>", SOM_XACRO_PARAMETERS},
        {"<xacro:include filename='/etc/passwd'/>", SOM_XACRO_INCLUDE},
        {"<xacro:include filename='a.xacro'/>", SOM_XACRO_INCLUDE}, // itself
        {"<xacro:property value='1'/>", SOM_XACRO_INCOMPLETE},
        {"<xacro:if/>", SOM_XACRO_INCOMPLETE},
        {"<xacro:property name='a' value='${range(9999)}'/><xacro:property name='b' "
         "value='${a + a + a}'/><link name='${b + b + b + b}'/>",
         SOM_XACRO_TOO_MUCH},
        {"<xacro:macro name='m' params='n l'><xacro:if value='${n &gt; 0}'>"
         "<xacro:m n='${n-1}' l='${[l, l]}'/></xacro:if><xacro:unless value='${n &gt; 0}'>"
         "<link name='${l}'/></xacro:unless></xacro:macro><xacro:m n='30' l='${[1]}'/>",
         SOM_XACRO_TOO_MUCH},
        {MACRO("m", "<xacro:m/>") "<xacro:m/>", SOM_XACRO_TOO_MUCH},
        {MACRO("m", "<xacro:m/><xacro:m/>") "<xacro:m/>", SOM_XACRO_TOO_MUCH},
        {"<xacro:macro name='m' params='n'><xacro:if value='${n &gt; 0}'><link name='x'/>"
         "<xacro:m n='${n-1}'/><xacro:m n='${n-1}'/></xacro:if></xacro:macro><xacro:m n='40'/>",
         SOM_XACRO_TOO_MUCH},
        {"<xacro:macro name='m' params='n'><xacro:if value='${n &gt; 0}'>"
         "<xacro:m n='${n-1}'/><xacro:m n='${n-1}'/></xacro:if></xacro:macro><xacro:m n='40'/>",
         SOM_XACRO_TOO_MUCH},
        {"<xacro:macro name='m' params='n t'><xacro:if value='${n &gt; 0}'>"
         "<xacro:m n='${n-1}' t='${t}${t}'/></xacro:if></xacro:macro><xacro:m n='60' t='ab'/>",
         SOM_XACRO_TOO_MUCH},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomTestRead r = read_inside(cases[i].inside);
        ck_assert_msg(r.type == NULL, "case %zu", i);
        ck_assert_msg(som_diagnostics_has(r.diags, cases[i].code), "case %zu", i);
        ck_assert_msg(som_diagnostics_error_count(r.diags) == 1, "case %zu", i);
        int count;
        ck_assert_msg(som_diagnostics_get(r.diags, &count)[0].span.source1 > 0, "case %zu", i);
        som_test_free_read(&r);
    }
}
END_TEST

SOM_SUITE("exchange/xacro", expressions_have_the_values_of_python, elements_become_what_they_mean,
          blocks_of_other_programs_are_kept_expanded, files_are_read_from_files,
          tables_have_the_values_of_yaml, tables_that_are_not_understood_are_told,
          arguments_are_given_from_outside, what_is_wrong_is_told)
