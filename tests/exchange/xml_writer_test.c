// SPDX-License-Identifier: Apache-2.0

#include "exchange/xml.h"
#include "exchange/xml_writer.h"
#include "tests/suite.h"

START_TEST(elements_stand_on_lines_of_their_own) {
    SomText out = {0};
    SomXmlWriter xml = {.out = &out};
    som_xml_begin(&xml);
    som_xml_open(&xml, "a");
    som_xml_number(&xml, "x", 0.1);
    som_xml_vec3(&xml, "v", som_vec3(1, -0.0, 2.5));
    som_xml_open(&xml, "b");
    som_xml_close(&xml);
    som_xml_number_element(&xml, "c", 1e-9);
    som_xml_text_element(&xml, "d", SOM_STR("x < y"));
    som_xml_comment(&xml, SOM_STR("-- no --> end"));
    som_xml_end(&xml);
    ck_assert_str_eq(out.data, "<?xml version=\"1.0\"?>\n"
                               "<a x=\"0.1\" v=\"1 0 2.5\">\n"
                               "  <b/>\n"
                               "  <c>1e-9</c>\n"
                               "  <d>x &lt; y</d>\n"
                               "  <!-- -~ no -~> end -->\n"
                               "</a>\n");
    som_text_free(&out);
}
END_TEST

// A chain of bodies is as deep as it is long.
START_TEST(deep_elements_are_not_blanks_for_the_most) {
    SomText out = {0};
    SomXmlWriter xml = {.out = &out};
    for (int i = 0; i < 10000; i++) {
        som_xml_open(&xml, "a");
    }
    som_xml_end(&xml);
    ck_assert_uint_lt(out.length, 5000000);
    som_text_free(&out);
}
END_TEST

// Any text comes back from the reader.
START_TEST(what_is_written_is_read) {
    static const char *const texts[] = {"plain",     "<&>\"'",   "]]>", "]]]]>>",
                                        "a]]>b]]>c", "\xc3\xbc", "--",  "a b"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        SomText out = {0};
        SomXmlWriter xml = {.out = &out};
        SomDiagnostics *diags = som_diagnostics_create();
        som_xml_open(&xml, "a");
        som_xml_string(&xml, "s", som_str(texts[i]));
        som_xml_text_element(&xml, "t", som_str(texts[i]));
        som_xml_open(&xml, "c");
        som_xml_cdata(&xml, som_str(texts[i]));
        som_xml_close(&xml);
        som_xml_end(&xml);
        SomXml *read = som_xml_read(som_text_str(&out), 0, diags);
        ck_assert_ptr_nonnull(read);
        int a = read->first_root, t = som_xml_child(read, a, SOM_STR("t")),
            c = som_xml_child(read, a, SOM_STR("c"));
        ck_assert_str_eq(som_xml_attribute(read, a, SOM_STR("s")).data, texts[i]);
        ck_assert_str_eq(read->nodes[t].text.data, texts[i]);
        ck_assert_str_eq(read->nodes[c].text.data, texts[i]);
        som_xml_destroy(read);
        som_diagnostics_destroy(diags);
        som_text_free(&out);
    }
}
END_TEST

SOM_SUITE("exchange/xml_writer", elements_stand_on_lines_of_their_own,
          deep_elements_are_not_blanks_for_the_most, what_is_written_is_read)
