// SPDX-License-Identifier: Apache-2.0
#include "behaviors/input_settings.h"

#include "base/codes/behaviors_codes.h"
#include "base/file.h"

#include <string.h>

static void free_setting(SomInputSetting *setting) {
    som_syntax_destroy(setting->tree);
    som_text_free(setting->text);
    som_free(setting->text);
}

void som_input_settings_free(SomInputSettings *settings) {
    for (int i = 0; i < settings->all.count; i++) {
        free_setting(&settings->all.data[i]);
    }
    som_array_free(&settings->all);
}

const SomInputSetting *som_input_settings_find(SomInputSettings *settings, SomStr name) {
    for (int i = settings != NULL ? settings->all.count - 1 : -1; i >= 0; i--) {
        if (som_str_equal(settings->all.data[i].name, name)) {
            settings->all.data[i].is_used = true;
            return &settings->all.data[i];
        }
    }
    return NULL;
}

static bool read_table(SomInputSetting *setting, SomStr path, SomDiagnostics *diags) {
    SomText terminated = {0};
    som_text_add(&terminated, path);
    setting->source1 = som_file_load_source(terminated.data, setting->text, diags);
    som_text_free(&terminated);
    return setting->source1 != 0;
}

static bool read_source(SomInputSetting *setting, SomStr title, SomDiagnostics *diags) {
    setting->source1 = som_diagnostics_add_source(diags, title, som_text_str(setting->text));
    setting->tree = som_som_parse_source(som_text_str(setting->text), setting->source1, diags);
    return !som_syntax_has_error(setting->tree, SOM_ROOT);
}

bool som_input_settings_add(SomInputSettings *settings, SomStr title, SomStr text,
                            SomDiagnostics *diags) {
    const char *equal = text.length > 0 ? memchr(text.data, '=', text.length) : NULL;
    size_t at = equal != NULL ? (size_t)(equal - text.data) : 0;
    if (at == 0 || at + 1 == text.length) {
        som_report(diags, SOM_INPUT_SETTING, (SomSpan){0},
                   "'%.*s' is not of the form NAME=VALUE, such as light=0.4", SOM_STR_ARG(text));
        return false;
    }
    SomStr value = som_str_slice(text, at + 1, text.length);
    SomInputSetting setting = {.text = som_alloc(sizeof(SomText))};
    bool is_table = som_str_ends_with(value, SOM_STR(".csv"));
    if (!is_table) {
        som_text_add(setting.text, value);
    }
    bool fine = is_table ? read_table(&setting, value, diags) : read_source(&setting, title, diags);
    setting.name = som_str_slice(text, 0, at);
    if (fine) {
        som_array_push(&settings->all, setting);
    } else {
        free_setting(&setting);
    }
    return fine;
}
