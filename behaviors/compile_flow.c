// SPDX-License-Identifier: Apache-2.0
// Actions made of actions, and behaviors that are unfolded.

#include "base/codes/behaviors_codes.h"
#include "base/codes/compose_codes.h"
#include "base/codes/compose_text_codes.h"
#include "base/diagnostic_fold.h"
#include "behaviors/compile_internal.h"

#include <string.h>

static const SomConditionOf no_target = {0};

static void open(SomCompiler *c, SomNodeKind kind, SomNode node) {
    som_graph_builder_open(c->builder, kind, som_compiler_span(c, node), c->unfolding->path);
}

// ---- lists

// FOR : action
static void add_each(SomCompiler *c, SomNode node) {
    const SomSyntax *tree = c->unfolding->tree;
    SomNode loop = som_syntax_find_child(tree, node, SOM_SOM_FOR);
    SomNode action = som_syntax_next_sibling(tree, loop);
    SomNode range = som_syntax_find_child(tree, loop, SOM_SOM_RANGE);
    SomNode condition = som_syntax_next_sibling(tree, range);
    SomNode first = som_syntax_first_child(tree, range);
    SomStr name = som_compiler_name(c, som_syntax_find_child(tree, loop, SOM_SOM_NAME));
    int low, high;
    bool fine = som_compiler_whole(c, first, -1000000000, 1000000000, &low);
    fine &=
        som_compiler_whole(c, som_syntax_next_sibling(tree, first), -1000000000, 1000000000, &high);
    int bound = c->unfolding->bindings.count;
    for (int i = low; fine && i <= high && !c->is_too_large && c->steps_left > 0; i++) {
        bool is_wanted = true;
        c->steps_left--;
        som_compiler_bind(c, name, som_value_number(i));
        if (condition != 0) {
            SomEvaluator e = som_compiler_evaluator(c);
            fine = som_value_is_truth(&e, som_value_evaluate(&e, condition), condition, &is_wanted);
            c->has_failed |= !fine;
        }
        if (fine && is_wanted) {
            som_compiler_action(c, action);
        }
        som_compiler_unbind(c, bound);
    }
}

static void add_list(SomCompiler *c, SomNode node, SomNodeKind kind) {
    const SomSyntax *tree = c->unfolding->tree;
    bool is_shifted = c->from != 0;
    int first = c->first;
    c->from = 0;
    open(c, kind, node);
    SomNode child = som_syntax_first_child(tree, node);
    for (; child != 0 && !c->is_too_large; child = som_syntax_next_sibling(tree, child)) {
        if (som_syntax_kind(tree, child) == SOM_SOM_EACH) {
            add_each(c, child);
        } else {
            som_compiler_action(c, child);
        }
    }
    int members = is_shifted ? som_graph_builder_children(c->builder) : 0;
    if (members > 0) {
        som_graph_builder_rotate(c->builder, (first % members + members) % members);
    }
    som_graph_builder_close(c->builder);
}

static void add_choose(SomCompiler *c, SomNode node) {
    const SomSyntax *tree = c->unfolding->tree;
    open(c, SOM_NODE_CHOOSE, node);
    SomNode branch = som_syntax_find_child(tree, node, SOM_SOM_BRANCH);
    for (; branch != 0; branch = som_syntax_find_next(tree, branch, SOM_SOM_BRANCH)) {
        SomNode action = som_syntax_first_child(tree, branch);
        if (!som_som_is_action(som_syntax_kind(tree, action))) {
            int guard = som_compiler_condition(c, action, no_target);
            action = som_syntax_next_sibling(tree, action);
            som_graph_builder_set_guard(c->builder, guard);
        }
        som_compiler_action(c, action);
    }
    som_graph_builder_close(c->builder);
}

// ---- repetitions and decisions

static bool has_word(const SomSyntax *tree, SomNode node, const char *word) {
    SomElements it = som_syntax_elements(tree, node);
    while (som_elements_next(&it)) {
        if (it.node == 0 && som_str_equal(som_syntax_token_text(tree, it.token), som_str(word))) {
            return true;
        }
    }
    return false;
}

static void add_repeat(SomCompiler *c, SomNode node) {
    const SomSyntax *tree = c->unfolding->tree;
    SomNode action = som_syntax_first_child(tree, node);
    int passes = SOM_FOREVER, until = SOM_NONE;
    if (!has_word(tree, node, "forever")) {
        SomNode number = action;
        action = som_syntax_next_sibling(tree, number);
        if (has_word(tree, node, "until")) {
            until = som_compiler_condition(c, number, no_target);
        } else {
            som_compiler_whole(c, number, 0, 1000000000, &passes);
        }
    }
    SomNode from = som_syntax_find_child(tree, node, SOM_SOM_FROM);
    int first = 0;
    if (from != 0) {
        som_compiler_whole(c, som_syntax_first_child(tree, from), -1000000000, 1000000000, &first);
        action = som_syntax_next_sibling(tree, from);
    }
    som_graph_builder_open_repeat(c->builder, passes, until, som_compiler_span(c, node),
                                  c->unfolding->path);
    c->from = from;
    c->first = first;
    c->from_span = from != 0 ? som_compiler_span(c, from) : (SomSpan){0};
    som_compiler_action(c, action);
    c->from = 0;
    som_graph_builder_close(c->builder);
}

// if C then A else B, where only `choose` can decide.
static void report_either(SomCompiler *c, SomNode node, SomNode condition, SomNode yes) {
    const SomSyntax *tree = c->unfolding->tree;
    SomNode no = som_syntax_next_sibling(tree, yes);
    if (som_compiler_report(c, SOM_UNKNOWN_VALUE, som_compiler_span(c, condition),
                            "'if' is decided before the behavior runs, but this is only known "
                            "while it runs: use 'choose'")) {
        SomText fix = {0};
        som_text_printf(
            &fix, "choose(%.*s: %.*s, else: %.*s)", SOM_STR_ARG(som_syntax_text(tree, condition)),
            SOM_STR_ARG(som_syntax_text(tree, yes)), SOM_STR_ARG(som_syntax_text(tree, no)));
        som_fix(c->diags, som_compiler_span(c, node), som_text_str(&fix));
        som_text_free(&fix);
    }
    som_compiler_nothing(c, node);
}

static void add_either(SomCompiler *c, SomNode node) {
    const SomSyntax *tree = c->unfolding->tree;
    SomNode condition = som_syntax_first_child(tree, node);
    SomNode yes = som_syntax_next_sibling(tree, condition);
    if (som_compiler_is_sensed(c, condition)) {
        report_either(c, node, condition, yes);
        return;
    }
    SomEvaluator e = som_compiler_evaluator(c);
    bool truth;
    if (!som_value_is_truth(&e, som_value_evaluate(&e, condition), condition, &truth)) {
        som_compiler_nothing(c, node);
        return;
    }
    som_compiler_action(c, truth ? yes : som_syntax_next_sibling(tree, yes));
}

// An action that has no clauses of its own: what ends it runs beside it. What is held at once is
// held for a time.
static void add_limited(SomCompiler *c, SomNode node) {
    SomNode body = som_syntax_first_child(c->unfolding->tree, node);
    bool is_hold = som_syntax_kind(c->unfolding->tree, body) == SOM_SOM_HOLD;
    SomClauses clauses = som_compiler_clauses(c, node);
    som_compiler_refuse(c, clauses.within, "'within' belongs to a single move");
    som_compiler_refuse(c, clauses.at, "'at' belongs to a single move");
    som_compiler_refuse(c, clauses.latch, "'hold' belongs to a single move");
    SomAction wait = som_action(SOM_ACTION_WAIT, SOM_NONE, 0);
    if (clauses.until != 0) {
        wait.until = som_compiler_condition(c, clauses.until, no_target);
    }
    if (clauses.during != 0) {
        som_compiler_time(c, clauses.during, &wait.duration);
    }
    if (clauses.timeout != 0) {
        som_compiler_time(c, clauses.timeout, &wait.timeout);
    }
    open(c, is_hold ? SOM_NODE_SERIES : SOM_NODE_ANY, node);
    som_compiler_action(c, body);
    som_compiler_add(c, &wait, node);
    som_graph_builder_close(c->builder);
}

// ---- behaviors

static void report_recursion(SomCompiler *c, const SomUnfolding *same, SomSpan call) {
    const SomBehaviorName *behavior = &c->configuration->behaviors[same->behavior];
    if (som_compiler_report(c, SOM_BEHAVIOR_RECURSION, call, "'%.*s' is a part of itself",
                            SOM_STR_ARG(behavior->path))) {
        const SomUnfolding *at = c->unfolding;
        for (int shown = 0; at != same && shown < 6; at = at->around, shown++) {
            SomStr path = c->configuration->behaviors[at->behavior].path;
            som_note(c->diags, at->call, "through '%.*s'", SOM_STR_ARG(path));
        }
    }
}

// Does a statement of the user give values to a behavior of another file, or joints or parts to
// any?
static bool is_folded(const SomCompiler *c, const SomUnfolding *inner, SomNode list) {
    const SomUnfolding *outer = inner->around;
    bool is_own = outer->behavior < 0 ||
                  som_workspace_file(c->workspace, outer->file)->source1 == c->own_source1;
    return list != 0 && !c->is_folding && is_own &&
           (som_workspace_file(c->workspace, inner->file)->source1 != c->own_source1 ||
            som_compiler_takes_places(c, inner->behavior));
}

static void add_body(SomCompiler *c, SomUnfolding *inner, bool is_fine) {
    const SomBehaviorName *behavior = &c->configuration->behaviors[inner->behavior];
    SomNode action = som_syntax_first_child(inner->tree, behavior->node);
    while (action != 0 && !som_som_is_action(som_syntax_kind(inner->tree, action))) {
        action = som_syntax_next_sibling(inner->tree, action);
    }
    if (is_fine && action != 0) {
        som_compiler_action(c, action);
    } else {
        som_compiler_nothing(c, behavior->node);
    }
}

// The parameters that stand for joints and parts, where they are declared.
static void note_places(SomCompiler *c, const SomUnfolding *inner) {
    SomCompileDef def = {.workspace = c->workspace, .configuration = c->configuration};
    int count;
    const SomParameter *params = som_compile_parameters(&def, inner->behavior, &count);
    for (int i = 0; i < count; i++) {
        if (params[i].kind != SOM_PARAMETER_VALUE) {
            som_note(c->diags, params[i].span, "'%.*s' is declared here",
                     SOM_STR_ARG(params[i].name));
        }
    }
}

// What the arguments make wrong in there is one error at the statement that gives them, once.
static void add_folded_body(SomCompiler *c, SomUnfolding *inner) {
    SomStr path = c->configuration->behaviors[inner->behavior].path;
    SomReportedPlaces inside = {0}, *outside = c->reported;
    SomDiagnosticsMark mark = som_diagnostics_mark(c->diags);
    c->reported = &inside;
    c->is_folding = true;
    add_body(c, inner, true);
    c->is_folding = false;
    c->reported = outside;
    som_reported_places_free(&inside);
    bool has_errors = som_diagnostics_errors_since(c->diags, mark) > 0;
    bool is_new = som_reported_places_add(
        outside, has_errors ? SOM_WRONG_ARGUMENTS : SOM_ROUNDED_TO_LIMIT, inner->call);
    if (has_errors && is_new) {
        SomText text = {0};
        som_text_printf(&text, "'%.*s' does not work with these %s", SOM_STR_ARG(path),
                        som_compiler_takes_places(c, inner->behavior) ? "arguments" : "values");
        som_diagnostics_fold(c->diags, mark, SOM_WRONG_ARGUMENTS, inner->call, text.data);
        note_places(c, inner);
        som_text_free(&text);
    } else if (!is_new) {
        som_diagnostics_cut(c->diags, mark);
    }
}

// `statement` runs it; it has no place if the behavior is run from outside.
static void unfold(SomCompiler *c, SomUnfolding *inner, SomNode list, SomSpan call,
                   SomSpan statement) {
    const SomBehaviorName *behavior = &c->configuration->behaviors[inner->behavior];
    const SomDesignFile *file = som_workspace_file(c->workspace, behavior->file);
    inner->part = behavior->part;
    inner->file = behavior->file;
    inner->tree = file->tree;
    inner->path = behavior->path;
    inner->around = c->unfolding;
    inner->depth = c->unfolding->depth + 1;
    inner->call = call;
    bool fine = som_compiler_pass(c, inner, list, call);
    c->unfolding = inner;
    som_graph_builder_enter(c->builder, statement, behavior->path, list != 0);
    if (fine && is_folded(c, inner, list)) {
        add_folded_body(c, inner);
    } else {
        add_body(c, inner, fine);
    }
    som_graph_builder_leave(c->builder);
    c->unfolding = inner->around;
    som_array_free(&inner->bindings);
}

// Of more unfoldings than this, each in the one before, the behaviors are marked.
#define MOST_WALKED 32

static void mark_unfolded(SomCompiler *c) {
    c->is_unfolded = som_arena_new(&c->arena, bool, c->configuration->behavior_count);
    for (const SomUnfolding *u = c->unfolding; u != NULL; u = u->around) {
        if (u->behavior >= 0) {
            c->is_unfolded[u->behavior] = true;
        }
    }
}

// The unfolding of this behavior that the present one is in; NULL: none.
static const SomUnfolding *find_unfolding(SomCompiler *c, int behavior) {
    if (c->is_unfolded == NULL && c->unfolding->depth > MOST_WALKED) {
        mark_unfolded(c);
    }
    if (c->is_unfolded != NULL && !c->is_unfolded[behavior]) {
        return NULL;
    }
    const SomUnfolding *u = c->unfolding;
    while (u != NULL && u->behavior != behavior) {
        u = u->around;
    }
    return u;
}

static void set_unfolded(SomCompiler *c, int behavior, bool is_unfolded) {
    if (c->is_unfolded != NULL) {
        c->is_unfolded[behavior] = is_unfolded;
    }
}

// Steps that a call takes besides those of an action: names, values and a place of its own.
#define STEPS_OF_CALL 15

void som_compiler_unfold(SomCompiler *c, int behavior, SomNode list, SomNode call) {
    SomSpan span =
        call != 0 ? som_compiler_span(c, call) : c->configuration->behaviors[behavior].span;
    const SomUnfolding *same = find_unfolding(c, behavior);
    if (same != NULL) {
        report_recursion(c, same, span);
        som_compiler_nothing(c, call);
        return;
    }
    SomUnfolding inner = {.behavior = behavior};
    c->steps_left -= STEPS_OF_CALL;
    set_unfolded(c, behavior, true);
    unfold(c, &inner, list, span, call != 0 ? span : (SomSpan){0});
    set_unfolded(c, behavior, false);
}

static void add_run(SomCompiler *c, SomNode node) {
    const SomSyntax *tree = c->unfolding->tree;
    SomNode place = som_syntax_find_child(tree, node, SOM_SOM_PLACE);
    SomNode list = som_syntax_find_child(tree, node, SOM_SOM_ARGUMENTS);
    int behavior;
    if (som_compiler_find_behavior(c, place, &behavior)) {
        som_compiler_unfold(c, behavior, list, node);
    } else {
        som_compiler_nothing(c, node);
    }
}

// ---- any action

static void add_action(SomCompiler *c, SomNode node) {
    switch (som_syntax_kind(c->unfolding->tree, node)) {
    case SOM_SOM_MOVE:
        som_compiler_move(c, node);
        break;
    case SOM_SOM_TO_POSE:
        som_compiler_to_pose(c, node);
        break;
    case SOM_SOM_HOLD:
        som_compiler_hold(c, node);
        break;
    case SOM_SOM_WAIT:
        som_compiler_wait(c, node);
        break;
    case SOM_SOM_RUN:
        add_run(c, node);
        break;
    case SOM_SOM_SERIES:
        add_list(c, node, SOM_NODE_SERIES);
        break;
    case SOM_SOM_PARALLEL:
        add_list(c, node, SOM_NODE_PARALLEL);
        break;
    case SOM_SOM_ANY:
        add_list(c, node, SOM_NODE_ANY);
        break;
    case SOM_SOM_REPEAT:
        add_repeat(c, node);
        break;
    case SOM_SOM_CHOOSE:
        add_choose(c, node);
        break;
    case SOM_SOM_EITHER:
        add_either(c, node);
        break;
    case SOM_SOM_LIMITED:
        add_limited(c, node);
        break;
    case SOM_SOM_TABLE:
        som_compiler_table(c, node);
        break;
    case SOM_SOM_DOCKING:
        som_compiler_docking(c, node);
        break;
    default:
        som_compiler_nothing(c, node); // an error of the text, reported before
    }
}

void som_compiler_action(SomCompiler *c, SomNode node) {
    bool is_deep = c->depth >= SOM_COMPILE_MOST_DEPTH;
    if (!c->is_too_large && (is_deep || c->steps_left <= 0)) {
        c->is_too_large = true;
        som_compiler_report(c, SOM_BEHAVIOR_TOO_LARGE, som_compiler_span(c, node),
                            is_deep ? "actions are nested too deeply here"
                                    : "the behavior takes too much work to unfold");
    }
    if (c->is_too_large || node == 0) {
        som_compiler_nothing(c, node);
        return;
    }
    int kind = som_syntax_kind(c->unfolding->tree, node);
    if (c->from != 0 && kind != SOM_SOM_SERIES && kind != SOM_SOM_RUN && kind != SOM_SOM_EITHER) {
        som_compiler_report(c, SOM_CLAUSE_MISPLACED, c->from_span,
                            "'from' counts the steps of a series, and this repeats none");
        c->from = 0;
    }
    c->depth++;
    c->steps_left -= 5;
    add_action(c, node);
    c->depth--;
}
