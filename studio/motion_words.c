// SPDX-License-Identifier: Apache-2.0
#include "studio/motion_words.h"

static void add_count(SomText *out, int count, const char *word) {
    if (count > 0) {
        som_text_printf(out, "%s%d %s%s", out->length > 0 ? ", " : "", count, word,
                        count == 1 ? "" : "s");
    }
}

static SomSeverity add_findings(const SomVerification *found, SomText *out) {
    int counts[SOM_ERROR + 1] = {0};
    for (int i = 0; i < found->findings.count; i++) {
        counts[found->findings.data[i].severity]++;
    }
    add_count(out, counts[SOM_ERROR], "error");
    add_count(out, counts[SOM_WARNING], "warning");
    add_count(out, counts[SOM_NOTE], "note");
    bool is_incomplete = found->verdict == SOM_VERDICT_INCOMPLETE;
    if (is_incomplete || (counts[SOM_ERROR] == 0 && counts[SOM_WARNING] == 0)) {
        som_text_printf(out, "%s%s", out->length > 0 ? ", " : "", som_verdict_word(found->verdict));
    }
    bool is_warning = is_incomplete || counts[SOM_WARNING] > 0;
    return counts[SOM_ERROR] > 0 ? SOM_ERROR : is_warning ? SOM_WARNING : SOM_NOTE;
}

SomSeverity som_motion_words(const SomDesk *desk, const SomMotionRecord *record, SomText *out) {
    SomProject *project = som_desk_project((SomDesk *)desk); // only read
    if (som_project_is_stale(project)) {
        som_text_add(out, SOM_STR("the text has errors; this is the motion before them"));
        return SOM_WARNING;
    }
    if (som_desk_behavior(desk).length == 0) {
        som_text_add(out, SOM_STR("there is no behavior yet"));
        return SOM_NOTE;
    }
    if (record == NULL) {
        som_text_add(out, SOM_STR("computing…"));
        return SOM_NOTE;
    }
    if (!som_motion_record_plays(record)) {
        som_text_printf(out, "cannot be played: %s", som_text_str(&record->scene->words).data);
        return SOM_WARNING;
    }
    SomSeverity severity = SOM_NOTE;
    if (record->found == NULL) {
        som_text_add(out, SOM_STR("verifying…"));
    } else {
        severity = add_findings(record->found, out);
    }
    if (som_motion_record_is_cut(record)) {
        som_text_add(out, SOM_STR("; the first "));
        som_text_value(out, record->scene->prediction.duration, SOM_DIMENSION_TIME);
        som_text_add(out, SOM_STR(", it goes on"));
    }
    return severity;
}
