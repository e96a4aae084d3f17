// Fuzz target: any bytes are an answer, as M3L.
//
// Facts that must hold for every input: the tree prints back the bytes; a text that reads without a
// syntax error can be formatted into the same words, and formatting what was formatted changes
// nothing; numbers of links, joints and connectors refer to what is there, masses are finite,
// transformations are rotations, robots name matings that there are; and a file with errors said
// so.

// SPDX-License-Identifier: Apache-2.0

#include "modules/m3l.h"
#include "modules/m3l_format.h"
#include "modules/m3l_syntax.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool fact) {
    if (!fact) {
        abort();
    }
}

// Everything but blanks and comments; a unit may be one token or several.
static void add_meaning(const SomSyntax *tree, SomText *out) {
    for (int i = 0; i < som_syntax_token_count(tree); i++) {
        if (!som_token_is_trivia(som_syntax_token_kind(tree, i))) {
            som_text_add(out, som_syntax_token_text(tree, i));
        }
    }
}

static void check_meaning(const SomSyntax *tree, const SomSyntax *again) {
    SomText a = {0}, b = {0};
    add_meaning(tree, &a);
    add_meaning(again, &b);
    demand(som_str_equal(som_text_str(&a), som_text_str(&b)));
    som_text_free(&a);
    som_text_free(&b);
}

static void check_format(const SomSyntax *tree) {
    SomText once = {0}, twice = {0};
    if (som_m3l_format(tree, &once)) {
        SomDiagnostics *diags = som_diagnostics_create();
        SomSyntax *again = som_m3l_parse(som_text_str(&once), &som_dialect_m3l, 0, diags);
        demand(som_m3l_format(again, &twice));
        demand(som_str_equal(som_text_str(&once), som_text_str(&twice)));
        check_meaning(tree, again);
        som_syntax_destroy(again);
        som_diagnostics_destroy(diags);
    }
    som_text_free(&once);
    som_text_free(&twice);
}

static void check_type(const SomModuleType *type) {
    for (int i = 0; i < type->joint_count; i++) {
        demand(type->joints[i].parent >= 0 && type->joints[i].parent < type->link_count);
        demand(type->joints[i].child >= 0 && type->joints[i].child < type->link_count);
        demand(type->joints[i].low <= type->joints[i].high);
        demand(type->joints[i].low < 2e9 && type->joints[i].high > -2e9);
    }
    for (int i = 0; i < type->connector_count; i++) {
        demand(type->connectors[i].link >= 0 && type->connectors[i].link < type->link_count);
    }
    for (int i = 0; i < type->link_count; i++) {
        SomInertia inertia = type->links[i].inertia;
        double sum = inertia.mass + inertia.center.x + inertia.center.y + inertia.center.z;
        for (int k = 0; k < 9; k++) {
            sum += inertia.moments.m[k / 3][k % 3];
        }
        demand(isfinite(sum));
    }
    double values[SOM_MAX_MODULE_LINKS] = {0};
    SomPose links[SOM_MAX_MODULE_LINKS];
    som_module_type_place(type, values, links);
}

static void check_rule(const SomConnectionRule *rule) {
    for (int i = 0; i < rule->mating_count; i++) {
        const SomMating *mating = &rule->matings[i];
        demand(mating->a >= 0 && mating->a < rule->a->connector_count);
        demand(mating->b >= 0 && mating->b < rule->b->connector_count);
        SomMat3 r = mating->transform.rotation;
        SomMat3 unit = som_mat3_multiply(r, som_mat3_transpose(r));
        for (int k = 0; k < 9; k++) {
            double wanted = k % 4 == 0 ? 1 : 0;
            demand(unit.m[k / 3][k % 3] - wanted < 1e-6 && wanted - unit.m[k / 3][k % 3] < 1e-6);
        }
    }
}

static void check_robot(const SomM3l *m3l, const SomRobot *robot) {
    for (int i = 0; i < robot->connection_count; i++) {
        const SomRobotConnection *c = &robot->connections[i];
        demand(c->a >= 0 && c->a < robot->module_count && c->b >= 0 && c->b < robot->module_count);
        demand(c->index >= 1 && c->index <= c->rule->mating_count);
        SomMatingChoice choice;
        demand(som_m3l_find_mating(m3l, robot->modules[c->a].type, c->connector_a,
                                   robot->modules[c->b].type, c->connector_b,
                                   c->is_given ? c->index : 0, &choice));
        demand(choice.index == c->index && choice.rule == c->rule);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    SomStr text = {size > 0 ? (const char *)data : "", size};
    SomDiagnostics *diags = som_diagnostics_create();
    uint32_t source1 = som_diagnostics_add_source(diags, SOM_STR("fuzz.m3l"), text);
    SomSyntax *tree = som_m3l_parse(text, &som_dialect_m3l, source1, diags);
    SomText printed = {0};
    som_syntax_print(tree, &printed);
    demand(som_str_equal(som_text_str(&printed), text));
    demand(!som_syntax_has_error(tree, SOM_ROOT) || som_diagnostics_error_count(diags) > 0);
    check_format(tree);
    som_syntax_destroy(tree);
    SomM3l *m3l = som_m3l_read(text, source1, diags);
    for (int i = 0; i < m3l->type_count; i++) {
        check_type(&m3l->types[i]);
    }
    for (int i = 0; i < m3l->rule_count; i++) {
        check_rule(&m3l->rules[i]);
    }
    for (int i = 0; i < m3l->robot_count; i++) {
        check_robot(m3l, &m3l->robots[i]);
    }
    som_text_clear(&printed);
    som_diagnostics_sort(diags);
    som_diagnostics_print(diags, 20, &printed);
    som_text_free(&printed);
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
    return 0;
}
