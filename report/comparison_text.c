// SPDX-License-Identifier: Apache-2.0
// A comparison for people, and for programs.

#include "base/name_list.h"
#include "behaviors/action_text.h"
#include "report/comparison.h"

#include <math.h>

// Joints that lag, and actions that take longer, told one by one.
#define MOST_SMALL 8

static void print_time(SomText *out, double time) {
    som_text_value(out, time, SOM_DIMENSION_TIME);
}

// ---- for people

static void print_actions(const SomComparison *c, SomText *out) {
    som_text_printf(out, "  %d of %d actions ended as predicted; it lasted ", c->as_predicted,
                    c->actions.count);
    print_time(out, c->def.simulated->time);
    som_text_add(out, SOM_STR(", predicted "));
    print_time(out, c->def.prediction->duration);
    som_text_add_char(out, '\n', 1);
}

static void print_worst(const SomComparison *c, SomText *out) {
    if (c->worst_dof < 0) {
        return;
    }
    const SomComparedDof *dof = &c->dofs[c->worst_dof];
    som_text_add(out, SOM_STR("  joints follow to "));
    som_text_value(out, fabs(dof->worst), som_comparison_dimension(c, c->worst_dof));
    som_text_printf(out, ", '%.*s' at ",
                    SOM_STR_ARG(c->def.mechanism->configuration->dofs[c->worst_dof].path));
    print_time(out, dof->worst_time);
    som_text_add_char(out, '\n', 1);
}

void som_comparison_print(const SomComparison *c, SomText *out) {
    som_text_printf(out, "prediction against physics (%s)\n", som_engine_name(c->def.engine));
    print_actions(c, out);
    print_worst(c, out);
    if (c->partings.count == 0) {
        som_text_add(out, SOM_STR("  they do not part\n"));
        return;
    }
    som_text_add(out, SOM_STR("  where they part:\n"));
    int small = 0, hidden = c->unkept;
    for (int i = 0; i < c->partings.count; i++) {
        SomPartingKind kind = c->partings.data[i].kind;
        if (kind == SOM_PARTING_DURATION || kind == SOM_PARTING_TRACKING) {
            if (++small > MOST_SMALL) {
                hidden++;
                continue;
            }
        }
        som_text_add(out, SOM_STR("    "));
        print_time(out, c->partings.data[i].time);
        som_text_add(out, SOM_STR(": "));
        som_text_add_shown(out, c->partings.data[i].message);
        som_text_add_char(out, '\n', 1);
    }
    if (hidden > 0) {
        som_text_printf(out, "    " SOM_AND_MORE "\n", hidden);
    }
}

// ---- for programs

static void write_run(SomJsonWriter *json, const char *key, const SomRun *run) {
    som_json_key(json, som_str(key));
    if (!isfinite(run->start)) {
        som_json_null(json);
        return;
    }
    som_json_open_object(json);
    som_json_member_number(json, "start", run->start);
    som_json_member_number(json, "end", run->end);
    som_json_member_string(json, "reason", som_str(som_end_reason_word(run->reason)));
    som_json_close_object(json);
}

static void write_actions(const SomComparison *c, SomJsonWriter *json) {
    som_json_key(json, SOM_STR("actions"));
    som_json_open_array(json);
    for (int i = 0; i < c->actions.count; i++) {
        const SomComparedAction *action = &c->actions.data[i];
        SomText words = {0};
        som_action_print(c->def.mechanism->configuration, c->def.graph, action->node, &words);
        som_json_open_object(json);
        som_json_member_string(json, "action", som_text_str(&words));
        som_json_member_string(json, "path", som_str(som_graph_path(c->def.graph, action->node)));
        write_run(json, "predicted", &action->predicted);
        write_run(json, "simulated", &action->simulated);
        som_json_close_object(json);
        som_text_free(&words);
    }
    som_json_close_array(json);
}

static void write_dofs(const SomComparison *c, SomJsonWriter *json) {
    som_json_key(json, SOM_STR("dofs"));
    som_json_open_array(json);
    for (int i = 0; i < c->def.simulated->dof_count; i++) {
        const SomComparedDof *dof = &c->dofs[i];
        if (dof->way == 0 && dof->worst == 0) {
            continue; // it stays, in both
        }
        som_json_open_object(json);
        som_json_member_string(json, "dof", c->def.mechanism->configuration->dofs[i].path);
        som_json_member_number(json, "worst", dof->worst);
        som_json_member_number(json, "worst_time", dof->worst_time);
        som_json_member_number(json, "rms", dof->mean);
        som_json_member_number(json, "most_effort", dof->most_effort);
        som_json_member_number(json, "effort_limit", dof->limit > 0 ? dof->limit : (double)NAN);
        som_json_member_number(json, "time_at_limit", dof->time_at_limit);
        som_json_close_object(json);
    }
    som_json_close_array(json);
}

static void write_partings(const SomComparison *c, SomJsonWriter *json) {
    som_json_key(json, SOM_STR("partings"));
    som_json_open_array(json);
    for (int i = 0; i < c->partings.count; i++) {
        const SomParting *parting = &c->partings.data[i];
        som_json_open_object(json);
        som_json_member_number(json, "t", parting->time);
        som_json_member_number(json, "predicted", parting->predicted);
        som_json_member_string(json, "kind", som_str(som_parting_word(parting->kind)));
        som_json_member_string(json, "subject", parting->subject);
        som_json_member_string(json, "message", parting->message);
        som_json_close_object(json);
    }
    som_json_close_array(json);
}

void som_comparison_write(const SomComparison *c, SomJsonWriter *json) {
    som_json_member_number(json, "predicted_duration", c->def.prediction->duration);
    som_json_member_number(json, "fall", c->fall);
    som_json_member_number(json, "predicted_fall", c->warned_fall);
    som_json_member_number(json, "contact", c->contact);
    som_json_member_number(json, "predicted_contact", c->warned_contact);
    som_json_member_integer(json, "as_predicted", c->as_predicted);
    write_actions(c, json);
    write_dofs(c, json);
    write_partings(c, json);
    som_json_member_integer(json, "more_partings", c->unkept);
}
