// SPDX-License-Identifier: Apache-2.0
#include "studio/part_model.h"

#include "base/file.h"
#include "compose/design_edit.h"

static void print_first_error(const SomDiagnostics *diags, SomText *why) {
    int count;
    const SomDiagnostic *all = som_diagnostics_get(diags, &count);
    som_text_clear(why);
    for (int i = 0; i < count && why->length == 0; i++) {
        if (all[i].kind == SOM_DIAGNOSTIC_REPORT && all[i].severity == SOM_ERROR) {
            som_text_add(why, all[i].message);
        }
    }
}

// NULL with the reason if it did not compose.
static SomModel *make(SomComposition *composition, SomText *why) {
    if (composition->configuration == NULL) {
        print_first_error(composition->diags, why);
        return NULL;
    }
    return som_model_create(composition);
}

// A name that the text cannot have: it is nowhere in it.
static void print_new_name(SomStr text, SomText *name) {
    SomText whole = {0};
    som_text_add(&whole, text);
    som_text_add(name, SOM_STR("Held"));
    while (text.length > 0 && strstr(whole.data, name->data) != NULL) {
        som_text_add_char(name, 'x', 1);
    }
    som_text_free(&whole);
}

SomModel *som_part_model_create(SomStr library, SomStr path, SomStr text, SomStr reference,
                                SomStr file, SomText *why) {
    SomText name = {0};
    print_new_name(text, &name);
    SomStr config = som_text_str(&name);
    SomDesign *design = som_design_create(library, path, text);
    SomModel *part = NULL;
    if (som_design_add_config(design, config, reference, file)) {
        part = make(som_design_composition(design, config), why);
    } else {
        print_first_error(som_design_refusal(design), why);
    }
    som_design_destroy(design);
    som_text_free(&name);
    return part;
}

SomModel *som_part_model_open(SomStr library, SomStr path, SomStr choice, SomText *why) {
    SomText text = {0}, terminated = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    SomModel *part = NULL;
    som_text_add(&terminated, path);
    som_text_add(&terminated, SOM_STR(""));
    if (som_file_load(terminated.data, SOM_FILE_LIMIT, &text, diags)) {
        SomComposition *composition =
            som_composition_create(library, path, som_text_str(&text), choice);
        part = make(composition, why);
        som_composition_release(composition);
    } else {
        print_first_error(diags, why);
    }
    som_diagnostics_destroy(diags);
    som_text_free(&text);
    som_text_free(&terminated);
    return part;
}

void som_part_model_print_connector(const SomModel *part, int module, int connector, SomText *out) {
    SomText whole = {0};
    som_configuration_print_connector(part->configuration, module, connector, &whole);
    size_t prefix = part->configuration->parts[1].path.length + 1; // "chain3."
    som_text_add(out, som_str_slice(som_text_str(&whole), prefix, whole.length));
    som_text_free(&whole);
}
