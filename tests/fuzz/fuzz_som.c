// Fuzz target: any bytes are an answer, as a design.
//
// Facts that must hold for every text: the tree prints back the bytes; a text that reads without a
// syntax error can be formatted, which keeps its tokens but separators, its nodes and its comments,
// and formatting again changes nothing; parsing takes linear time; a design that could not be
// composed has said why; one that could has indices that refer to what is there, and paths that are
// found again.

// SPDX-License-Identifier: Apache-2.0

#include "compose/workspace.h"
#include "language/edit.h"
#include "language/som_format.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool fact) {
    if (!fact) {
        abort();
    }
}

// ---- text

static bool is_kept(const SomSyntax *tree, int token) {
    SomTokenKind kind = som_syntax_token_kind(tree, token);
    return kind != SOM_TOKEN_BLANK && kind != SOM_TOKEN_NEWLINE && kind != SOM_TOKEN_COMMA &&
           kind != SOM_TOKEN_SEMICOLON;
}

static SomStr token_text(const SomSyntax *tree, int token) {
    SomStr text = som_syntax_token_text(tree, token);
    if (som_syntax_token_kind(tree, token) == SOM_TOKEN_COMMENT) {
        while (text.length > 0 && strchr(" \t\r", text.data[text.length - 1]) != NULL) {
            text.length--;
        }
    }
    return text;
}

// Both have the same nodes, tokens and comments, without blanks and separators.
static void compare_trees(const SomSyntax *a, const SomSyntax *b) {
    int i = 0, k = 0;
    for (;; i++, k++) {
        while (i < som_syntax_token_count(a) && !is_kept(a, i)) {
            i++;
        }
        while (k < som_syntax_token_count(b) && !is_kept(b, k)) {
            k++;
        }
        if (i == som_syntax_token_count(a) || k == som_syntax_token_count(b)) {
            break;
        }
        demand(som_str_equal(token_text(a, i), token_text(b, k)));
    }
    demand(i == som_syntax_token_count(a) && k == som_syntax_token_count(b));
    demand(som_syntax_node_count(a) == som_syntax_node_count(b));
    for (SomNode n = SOM_ROOT; n <= (SomNode)som_syntax_node_count(a); n++) {
        demand(som_syntax_kind(a, n) == som_syntax_kind(b, n));
        demand(som_syntax_parent(a, n) == som_syntax_parent(b, n));
    }
}

static void check_format(const SomSyntax *tree) {
    SomText once = {0}, twice = {0};
    if (som_som_format(tree, &once)) {
        SomDiagnostics *diags = som_diagnostics_create();
        SomSyntax *again = som_som_parse(som_text_str(&once), &som_dialect_somite, 0, diags);
        demand(som_som_format(again, &twice));
        demand(som_str_equal(som_text_str(&once), som_text_str(&twice)));
        compare_trees(tree, again);
        som_syntax_destroy(again);
        som_diagnostics_destroy(diags);
    }
    som_text_free(&once);
    som_text_free(&twice);
}

static void check_text(SomStr text) {
    SomDiagnostics *diags = som_diagnostics_create();
    uint32_t source1 = som_diagnostics_add_source(diags, SOM_STR("a.som"), text);
    SomSyntax *tree = som_som_parse(text, &som_dialect_somite, source1, diags);
    SomText printed = {0};
    som_syntax_print(tree, &printed);
    demand(som_str_equal(som_text_str(&printed), text));
    demand(som_syntax_steps(tree) <= 300 * (uint64_t)text.length + 20000);
    demand(!som_syntax_has_error(tree, SOM_ROOT) || som_diagnostics_error_count(diags) > 0);
    SomEdits *edits = som_edits_create(tree);
    som_edits_add_fixes(edits, diags);
    som_text_clear(&printed);
    demand(som_edits_apply(edits, &printed));
    som_edits_destroy(edits);
    check_format(tree);
    som_text_free(&printed);
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
}

// ---- meaning

static void check_configuration(const SomConfiguration *c) {
    for (int i = 0; i < c->part_count; i++) {
        const SomPart *part = &c->parts[i];
        demand(part->first_module + part->module_count <= c->module_count);
        demand(i == 0 || som_configuration_find_part(c, part->path) == i);
    }
    for (int i = 0; i < c->connection_count; i++) {
        const SomConnection *k = &c->connections[i];
        demand(0 <= k->module_a && k->module_a < c->module_count);
        demand(0 <= k->module_b && k->module_b < c->module_count);
        demand(k->connector_a < c->modules[k->module_a].type->connector_count);
        demand(k->connector_b < c->modules[k->module_b].type->connector_count);
        demand(k->gap >= 0 && isfinite(k->gap));
    }
    for (int i = 0; i < c->dof_count; i++) {
        demand(isfinite(c->start[i]));
        demand(som_configuration_find_dof(c, c->dofs[i].path, NULL) == i);
    }
    demand(0 <= c->base.module && c->base.module < c->module_count);
}

// A small module under the name that most designs use, so that reading it takes no time; the others
// are those of the library.
static const char small_module[] =
    "module SMORES: unit=0.05 m\n"
    "point T: (point _1: coords=(0.5, 0, 1)) (point _2: coords=(0, 0.5, 1)) coords=(0, 0, 1),"
    " connector\n"
    "point B: (point _1: coords=(0.5, 0, -1)) (point _2: coords=(0, 0.5, -1)) coords=(0, 0, -1),"
    " connector\n"
    "link upper: grouping=(T), shape=box((0, 0, 0.5), (1, 1, 1)), mass=0.1 kg\n"
    "link lower: grouping=(B), shape=box((0, 0, -0.5), (1, 1, 1)), mass=0.1 kg\n"
    "axis of_upper: origin=(0, 0, 0), direction=(0, 1, 0)\n"
    "axis of_lower: origin=(0, 0, 0), direction=(0, -1, 0)\n"
    "joint bend: type=revolute, value=[-90deg, 90deg], alias=(tilt),"
    " pair=((upper, of_upper), (lower, of_lower))\n"
    "connection SMORES_to_SMORES: members=(SMORES a, SMORES b), conditions=((a.point p_a coincident"
    " b.point p_b) and (p_a._1 coincident p_b.point) and (p_a._2 coincident p_b.point))\n"
    "robot pair: modules=(SMORES one, SMORES two), connections=((one.T, two.B))\n";

static void check_meaning(SomStr text) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(som_str(SOM_SOURCE "/library"), diags);
    som_workspace_open_text(workspace, SOM_STR("smores.m3l"), som_str(small_module));
    int file = som_workspace_open_text(workspace, SOM_STR("a.som"), text);
    if (file >= 0) {
        bool fine = som_workspace_check(workspace, file);
        demand(fine || som_diagnostics_error_count(diags) > 0);
        SomConfiguration *c = som_configuration_compose(workspace, file, SOM_STR(""), diags);
        if (c != NULL) {
            check_configuration(c);
        } else {
            demand(som_diagnostics_error_count(diags) > 0);
        }
        som_configuration_destroy(c);
    }
    SomText printed = {0};
    som_diagnostics_sort(diags);
    som_diagnostics_print(diags, 20, &printed);
    som_text_free(&printed);
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    SomStr text = {(const char *)data, size};
    check_text(text);
    check_meaning(text);
    return 0;
}
