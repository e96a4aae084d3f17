// SPDX-License-Identifier: Apache-2.0
#include "tests/verify/verified.h"

#include "base/number.h"

#include <stdio.h>

static TestVerified verify(TestDesign design, const char *choice, const char *behavior,
                           const SomVerifyOptions *options) {
    TestVerified v = {.design = design};
    v.configuration = som_configuration_compose(v.design.workspace, v.design.file, som_str(choice),
                                                v.design.diags);
    if (v.configuration == NULL) {
        ck_abort_msg("%s", test_diagnostics(&v.design));
    }
    v.mechanism = som_mechanism_create(v.configuration);
    SomVerifyDef def = {.mechanism = v.mechanism, .options = options, .wants_series = true};
    if (behavior != NULL) {
        SomCompileDef compile = {.workspace = v.design.workspace,
                                 .configuration = v.configuration,
                                 .diags = v.design.diags};
        v.graph = som_compile_call(&compile, som_str(behavior));
        if (v.graph == NULL) {
            ck_abort_msg("%s", test_diagnostics(&v.design));
        }
        def.graph = v.graph;
    }
    v.found = som_verify(&def);
    return v;
}

TestVerified test_verify_with(const char *text, const char *choice, const char *behavior,
                              const SomVerifyOptions *options) {
    return verify(test_design(text), choice, behavior, options);
}

TestVerified test_verify_file_with(const char *path, const char *choice, const char *behavior,
                                   const SomVerifyOptions *options) {
    TestDesign design = {.diags = som_diagnostics_create()};
    design.workspace = som_workspace_create(som_str(test_library), design.diags);
    design.file = som_workspace_open(design.workspace, som_str(path));
    ck_assert_int_ge(design.file, 0);
    return verify(design, choice, behavior, options);
}

TestVerified test_verify_file(const char *path, const char *choice, const char *behavior) {
    return test_verify_file_with(path, choice, behavior, NULL);
}

TestVerified test_verify(const char *text, const char *choice, const char *behavior) {
    return test_verify_with(text, choice, behavior, NULL);
}

void test_verified_free(TestVerified *verified) {
    som_verification_destroy(verified->found);
    som_action_graph_destroy(verified->graph);
    som_mechanism_destroy(verified->mechanism);
    som_configuration_destroy(verified->configuration);
    test_design_free(&verified->design);
}

const SomFinding *test_find(const TestVerified *verified, SomCode code) {
    for (int i = 0; i < verified->found->findings.count; i++) {
        if (verified->found->findings.data[i].code == code) {
            return &verified->found->findings.data[i];
        }
    }
    return NULL;
}

int test_count_of(const TestVerified *verified, SomCode code) {
    int count = 0;
    for (int i = 0; i < verified->found->findings.count; i++) {
        count += verified->found->findings.data[i].code == code;
    }
    return count;
}

const char *test_place(TestVerified *verified, const SomFinding *finding) {
    SomText *text = &verified->design.text;
    som_text_clear(text);
    if (finding->span.source1 == 0) {
        return "";
    }
    SomPlace place =
        som_diagnostics_place(verified->design.diags, finding->span.source1, finding->span.begin);
    som_text_printf(text, "%d:%d", place.line, place.column);
    return text->data;
}

const char *test_findings(TestVerified *verified) {
    SomText *text = &verified->design.text;
    som_text_clear(text);
    som_text_add(text, SOM_STR(""));
    for (int i = 0; i < verified->found->findings.count; i++) {
        const SomFinding *f = &verified->found->findings.data[i];
        som_text_printf(text, "SOM%04d ", (int)f->code);
        som_text_rounded(text, f->t0, 6);
        som_text_add_char(text, '-', 1);
        som_text_rounded(text, f->t1, 6);
        for (int k = 0; k < f->subject_count; k++) {
            som_text_printf(text, " %.*s", SOM_STR_ARG(f->subjects[k]));
        }
        som_text_printf(text, ": %.*s\n", SOM_STR_ARG(f->message));
    }
    return som_text_str(text).data;
}
