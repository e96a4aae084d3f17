// SPDX-License-Identifier: Apache-2.0

#include "base/codes/exchange_codes.h"
#include "base/memory.h"
#include "exchange/xml.h"
#include "tests/suite.h"

#include <stdio.h>

static SomXml *read(const char *text) {
    SomDiagnostics *diags = som_diagnostics_create();
    uint32_t source1 = som_diagnostics_add_source(diags, SOM_STR("x.xml"), som_str(text));
    SomXml *xml = som_xml_read(som_str(text), source1, diags);
    ck_assert(xml != NULL);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    som_diagnostics_destroy(diags);
    return xml;
}

static bool is(SomStr text, const char *expected) {
    return som_str_equal(text, som_str(expected));
}

static SomStr piece(const char *text, SomSpan span) {
    return som_str_slice(som_str(text), span.begin, span.end);
}

START_TEST(elements_have_names_texts_and_places) {
    const char *text = "<?xml version=\"1.0\"?>\n<!-- x --><a u='1' v='>>'>\n <b> one &amp; two "
                       "</b>\n <c/><b>3<d></d>4</b></a>";
    SomXml *xml = read(text);
    int a = som_xml_child(xml, SOM_XML_TOP, SOM_STR("a"));
    ck_assert_int_eq(a, 0);
    ck_assert(is(som_xml_attribute(xml, a, SOM_STR("u")), "1"));
    ck_assert(is(som_xml_attribute(xml, a, SOM_STR("v")), ">>"));
    ck_assert(is(som_xml_attribute(xml, a, SOM_STR("w")), ""));
    ck_assert(is(piece(text, xml->nodes[a].span), "<a u='1' v='>>'>"));
    int b = som_xml_child(xml, a, SOM_STR("b"));
    ck_assert(is(xml->nodes[b].text, "one & two"));
    ck_assert(is(piece(text, xml->nodes[b].span), "<b>"));
    ck_assert(is(piece(text, xml->nodes[b].text_span), "one &amp; two"));
    int c = som_xml_next(xml, b, SOM_STR(""));
    ck_assert(is(xml->nodes[c].name, "c") && is(xml->nodes[c].text, ""));
    ck_assert(is(piece(text, xml->nodes[c].text_span), "<c/>"));
    int second = som_xml_next(xml, b, SOM_STR("b"));
    ck_assert(is(xml->nodes[second].text, "34"));
    ck_assert_int_eq(xml->nodes[som_xml_child(xml, second, SOM_STR("d"))].parent, second);
    ck_assert_int_eq(som_xml_next(xml, second, SOM_STR("b")), -1);
    ck_assert_int_eq(som_xml_child(xml, a, SOM_STR("z")), -1);
    som_xml_destroy(xml);
}
END_TEST

// What a reader needs that keeps blocks it does not know, and words between elements.
START_TEST(blocks_can_be_kept_as_they_are) {
    const char *text = "<r xmlns:x = 'u&amp;v' a:k=\"1 'a' xmlns='\" b  =\n 'p&lt;q' xmlns='w' "
                       "c=''>one <x:if v='>'>"
                       "in</x:if > two\n<if/>\n <p:q>\n <![CDATA[<p:q>]]><p:q/></p:q> </r>\n<t />";
    SomXml *xml = read(text);
    int r = 0, x_if = 1, plain = 2, q = 3;
    ck_assert(is(xml->nodes[r].words, "one  two\n\n  ") && is(xml->nodes[r].text, "one  two"));
    ck_assert(is(xml->nodes[x_if].name, "if") && is(xml->nodes[x_if].prefix, "x"));
    ck_assert(is(xml->nodes[plain].name, "if") && is(xml->nodes[plain].prefix, ""));
    ck_assert(is(xml->nodes[q].prefix, "p")); // which nobody declared
    ck_assert(is(som_str_slice(xml->nodes[r].words, 0, xml->nodes[x_if].words_before), "one "));
    ck_assert(
        is(som_str_slice(xml->nodes[r].words, 0, xml->nodes[plain].words_before), "one  two\n"));
    ck_assert(is(piece(text, xml->nodes[x_if].whole), "<x:if v='>'>in</x:if >"));
    ck_assert(is(piece(text, xml->nodes[plain].whole), "<if/>"));
    ck_assert(is(piece(text, xml->nodes[q].whole), "<p:q>\n <![CDATA[<p:q>]]><p:q/></p:q>"));
    ck_assert_uint_eq(xml->nodes[r].whole.end, strlen(text) - strlen("\n<t />"));
    ck_assert(is(piece(text, xml->nodes[5].whole), "<t />"));
    static const char *const values[][3] = {
        {"k", "1 'a' xmlns='", "1 'a' xmlns='"}, {"b", "p<q", "p&lt;q"}, {"c", "", ""}};
    for (int i = 0; i < 3; i++) {
        const SomXmlAttribute *found = som_xml_find_attribute(xml, r, som_str(values[i][0]));
        ck_assert(found != NULL && is(found->value, values[i][1]));
        ck_assert(is(piece(text, found->span), values[i][2]));
        ck_assert(is(found->prefix, i == 0 ? "a" : ""));
    }
    ck_assert(som_xml_find_attribute(xml, r, SOM_STR("x")) == NULL);
    ck_assert(som_xml_find_attribute(xml, r, SOM_STR("xmlns")) == NULL);
    som_xml_destroy(xml);
}
END_TEST

START_TEST(several_roots_are_read) {
    const char *text = "<?xml version=\"1.0\"?><a>1</a> <!-- <x> --> <?y z?>\n<b><c>2</c></b>\n";
    SomXml *xml = read(text);
    int a = som_xml_child(xml, SOM_XML_TOP, SOM_STR(""));
    int b = som_xml_next(xml, a, SOM_STR(""));
    ck_assert(is(xml->nodes[a].text, "1") && is(xml->nodes[b].name, "b"));
    int c = som_xml_child(xml, b, SOM_STR("c"));
    ck_assert(is(piece(text, xml->nodes[c].span), "<c>"));
    ck_assert(is(piece(text, xml->nodes[c].text_span), "2"));
    ck_assert_int_eq(som_xml_next(xml, b, SOM_STR("")), -1);
    som_xml_destroy(xml);
}
END_TEST

// Longer than any buffer of the parser.
START_TEST(places_are_right_in_long_texts) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("<list>\r\n"));
    for (int i = 0; i < 30000; i++) {
        som_text_printf(&text, "  <item n=\"%d\">ä %d</item>\r\n", i, i);
    }
    som_text_add(&text, SOM_STR("</list>"));
    SomXml *xml = read(text.data);
    ck_assert_int_eq(xml->node_count, 30001);
    int wrong = 0, number = 0;
    for (int i = som_xml_child(xml, 0, SOM_STR("item")); i >= 0;
         i = som_xml_next(xml, i, SOM_STR("item"))) {
        char expected[64];
        snprintf(expected, sizeof expected, "ä %d", number);
        wrong += !is(xml->nodes[i].text, expected);
        wrong += !is(piece(text.data, xml->nodes[i].text_span), expected);
        snprintf(expected, sizeof expected, "<item n=\"%d\">", number++);
        wrong += !is(piece(text.data, xml->nodes[i].span), expected);
    }
    ck_assert_int_eq(number, 30000);
    ck_assert_int_eq(wrong, 0);
    som_xml_destroy(xml);
    som_text_free(&text);
}
END_TEST

static void refuses(SomStr text, SomCode code) {
    SomDiagnostics *diags = som_diagnostics_create();
    uint32_t source1 = som_diagnostics_add_source(diags, SOM_STR("x.xml"), text);
    ck_assert(som_xml_read(text, source1, diags) == NULL);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
    ck_assert(som_diagnostics_has(diags, code));
    som_diagnostics_destroy(diags);
}

START_TEST(what_is_not_well_formed_is_refused_once) {
    const char *const texts[] = {
        "",        " ",         "x",          "<a>",        "<a><b></a></b>",
        "<a/>x",   "<a b></a>", "<a b='<'/>", "<a>&b;</a>", "<a>\x01</a>",
        "<a/><b>", "<a/><!--",  "<a",         "<1/>",       "<a></b>"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        refuses(som_str(texts[i]), SOM_XML_SYNTAX);
    }
    refuses(SOM_STR("<a>\0</a>"), SOM_XML_SYNTAX);
    refuses(SOM_STR("<!DOCTYPE a [<!ENTITY b SYSTEM '/etc/passwd'>]><a>&b;</a>"),
            SOM_XML_DOCUMENT_TYPE);
    refuses(SOM_STR("<a/><!DOCTYPE a><b/>"), SOM_XML_DOCUMENT_TYPE);
}
END_TEST

START_TEST(too_many_elements_are_refused) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("<a>"));
    for (int i = 0; i < SOM_XML_MAX_NODES; i++) {
        som_text_add(&text, SOM_STR("<b/>"));
    }
    som_text_add(&text, SOM_STR("</a>"));
    refuses(som_text_str(&text), SOM_XML_TOO_MUCH);
    som_text_clear(&text);
    for (int i = 0; i <= SOM_XML_MAX_DEPTH; i++) {
        som_text_add(&text, SOM_STR("<a>"));
    }
    refuses(som_text_str(&text), SOM_XML_TOO_MUCH);
    som_text_clear(&text);
    for (int i = 0; i <= SOM_XML_MAX_ROOTS; i++) {
        som_text_add(&text, SOM_STR("<a/>"));
    }
    refuses(som_text_str(&text), SOM_XML_TOO_MUCH);
    som_text_clear(&text);
    som_text_add(&text, SOM_STR("<a"));
    for (int i = 0; i <= SOM_XML_MAX_ATTRIBUTES; i++) {
        som_text_printf(&text, " a%d='>'", i);
    }
    som_text_add(&text, SOM_STR("/>"));
    refuses(som_text_str(&text), SOM_XML_TOO_MUCH);
    som_text_clear(&text);
    som_text_add(&text, SOM_STR("<a b='"));
    som_text_add_char(&text, 'x', SOM_XML_MAX_TAG);
    som_text_add(&text, SOM_STR("'/>"));
    refuses(som_text_str(&text), SOM_XML_TOO_MUCH);
    som_text_free(&text);
}
END_TEST

// What only looks like a long tag is none.
START_TEST(comments_and_plain_text_may_be_long) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("<a><!-- < "));
    som_text_add_char(&text, 'x', SOM_XML_MAX_TAG);
    som_text_add(&text, SOM_STR(" --><![CDATA[ <b "));
    som_text_add_char(&text, 'y', SOM_XML_MAX_TAG);
    som_text_add(&text, SOM_STR("]]><c/></a>"));
    SomXml *xml = read(text.data);
    ck_assert_int_eq(xml->node_count, 2);
    ck_assert_uint_eq(xml->nodes[0].text.length, SOM_XML_MAX_TAG + 3);
    som_xml_destroy(xml);
    som_text_free(&text);
}
END_TEST

static void decodes(SomStr bytes, const char *expected) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomText text = {0};
    som_text_add(&text, bytes);
    bool fine = som_xml_decode(SOM_STR("x.xml"), &text, diags);
    ck_assert_int_eq(fine, expected != NULL);
    ck_assert_int_eq(som_diagnostics_error_count(diags), expected == NULL);
    if (expected != NULL) {
        ck_assert(is(som_text_str(&text), expected));
    }
    som_text_free(&text);
    som_diagnostics_destroy(diags);
}

START_TEST(encodings_become_utf_8) {
    decodes(SOM_STR("\xef\xbb\xbf<a/>"), "<a/>");
    decodes(SOM_STR("<?xml encoding='utf-8'?><a>\xc3\xa4</a>"),
            "<?xml encoding='utf-8'?><a>\xc3\xa4</a>");
    decodes(SOM_STR("<?xml encoding='latin1'?><a>\xe4</a>"),
            "<?xml encoding='latin1'?><a>\xc3\xa4</a>");
    decodes(SOM_STR("<?xml encoding='Windows-1252'?><a>\x80</a>"),
            "<?xml encoding='Windows-1252'?><a>\xe2\x82\xac</a>");
    decodes(SOM_STR("\xff\xfe<\0a\0/\0>\0"), "<a/>");
    decodes(SOM_STR("\xfe\xff\0<\0a\0/\0>"), "<a/>");
    decodes(SOM_STR("<\0a\0/\0>\0"), "<a/>");
    decodes(SOM_STR("<?xml encoding='UTF-16'?><a/>"), "<?xml encoding='UTF-16'?><a/>");
    decodes(SOM_STR("<?xml encoding='none of these'?><a/>"), NULL);
    decodes(SOM_STR(""), "");
}
END_TEST

START_TEST(the_first_element_tells_the_format) {
    ck_assert(is(som_xml_sniff(SOM_STR(" <?xml?>\n<!-- <x> --><Structure a='b'>")), "Structure"));
    ck_assert(is(som_xml_sniff(SOM_STR("<modules>")), "modules"));
    ck_assert(is(som_xml_sniff(SOM_STR("<!DOCTYPE a>")), "!"));
    ck_assert(is(som_xml_sniff(SOM_STR("a<b>")), ""));
    ck_assert(is(som_xml_sniff(SOM_STR("<")), ""));
    ck_assert(is(som_xml_sniff(SOM_STR("<!-- ")), ""));
    ck_assert(is(som_xml_sniff(SOM_STR("")), ""));
}
END_TEST

SOM_SUITE("exchange/xml", elements_have_names_texts_and_places, blocks_can_be_kept_as_they_are,
          several_roots_are_read, places_are_right_in_long_texts,
          what_is_not_well_formed_is_refused_once, too_many_elements_are_refused,
          comments_and_plain_text_may_be_long, encodings_become_utf_8,
          the_first_element_tells_the_format)
