// SPDX-License-Identifier: Apache-2.0

#include "tests/compose/edited.h"

#include "space/trigonometry.h"

const char *const test_edit_robot =
    "# A test_edit_robot.\n"
    "\n"
    "use \"chain6.som\" # the body\n"
    "\n"
    "# It walks.\n"
    "config Robot {\n"
    "    part body : Chain6\n"
    "    part left, right : Chain3 # legs\n"
    "    connect left.head.L to body.front.middle.L at 270deg # one\n"
    "    # the other\n"
    "    connect right.head.R to body.front.middle.R at 90deg\n"
    "\n"
    "    # Both down.\n"
    "    pose stand {\n"
    "        left.leg # one\n"
    "        right.head.tilt = -90deg\n"
    "    }\n"
    "    start stand\n"
    "    base body.front.head on ground\n"
    "\n"
    "    behavior go = parallel(left.legStep, right.legStep)\n"
    "    behavior twice = repeat 2: go\n"
    "}\n";

SomDesign *test_edit_begin(const char *text) {
    SomDesign *design =
        som_design_create(som_str(test_library), SOM_STR("robot.som"), som_str(text));
    SomText errors = {0};
    som_diagnostics_print(som_design_diagnostics(design), 0, &errors);
    ck_assert_msg(errors.length == 0, "%s", errors.data);
    return design;
}

SomText test_edit_refusal(const SomDesign *design) {
    SomText text = {0};
    int count;
    const SomDiagnostic *entries = som_diagnostics_get(som_design_refusal(design), &count);
    for (int i = 0; i < count; i++) {
        if (i == 0) {
            som_text_printf(&text, "SOM%04d: ", (int)entries[i].code);
        } else {
            som_text_add(&text, SOM_STR(" / "));
        }
        som_text_add(&text, entries[i].message);
    }
    som_text_add(&text, SOM_STR(""));
    return text;
}

void test_edit_made(SomDesign *design, bool done, const char *before, const char *after) {
    SomText refusal = test_edit_refusal(design);
    ck_assert_msg(done, "refused: %s", refusal.data);
    ck_assert_uint_eq(refusal.length, 0);
    SomDocument *document = som_design_document(design);
    ck_assert_str_eq(som_document_text(document).data, after);
    ck_assert(som_document_undo(document));
    ck_assert_str_eq(som_document_text(document).data, before);
    ck_assert(!som_document_can_undo(document)); // it was one step
    ck_assert(som_document_redo(document));
    ck_assert_str_eq(som_document_text(document).data, after);
    ck_assert_ptr_nonnull(som_design_compose(design, SOM_STR("")));
    som_text_free(&refusal);
    som_design_destroy(design);
}

void test_edit_refused(SomDesign *design, bool done, const char *before, const char *reason) {
    SomText refusal = test_edit_refusal(design);
    ck_assert(!done);
    ck_assert_str_eq(refusal.data, reason);
    ck_assert_str_eq(som_document_text(som_design_document(design)).data, before);
    ck_assert(!som_document_can_undo(som_design_document(design)));
    som_text_free(&refusal);
    som_design_destroy(design);
}

SomMatingWish test_edit_degrees(double angle) {
    return (SomMatingWish){.has_roll = true, .roll = angle * SOM_PI / 180};
}
