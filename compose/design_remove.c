// SPDX-License-Identifier: Apache-2.0
// Taking parts out, with all that is about them.

#include "base/codes/compose_codes.h"
#include "base/name_list.h"
#include "compose/design_internal.h"
#include "language/name.h"

// Places shown that need what is to be removed.
#define SHOWN_USES 8

// What else would have to go.
typedef struct Conflict {
    SomNode node; // of the text; 0: a part
    int part;     // that hangs on it
} Conflict;

typedef struct Removal {
    SomOperation *op;
    SOM_ARRAY(SomItem) items;
    bool *is_gone;            // by module
    bool *is_removed;         // by node: statements, entries
    SOM_ARRAY(SomNode) bases; // statements that name what goes
    SOM_ARRAY(Conflict) conflicts;
    SomNode outside; // another config that names it
} Removal;

// ---- parts that hang on it

static void mark_item(Removal *r, const SomItem *item) {
    const SomConfiguration *c = r->op->configuration;
    SomSpan span = som_syntax_span(r->op->tree, item->node);
    for (int i = 1; i < c->part_count; i++) {
        const SomPart *part = &c->parts[i];
        if (part->parent == 0 && part->span.begin == span.begin && part->span.end == span.end) {
            for (int k = 0; k < part->module_count; k++) {
                r->is_gone[part->first_module + k] = true;
            }
        }
    }
}

// The module that the rest of a piece is seen from: its base, or what the removed part hangs on.
// -1: all of it goes.
static int find_center(const Removal *r, int piece) {
    const SomConfiguration *c = r->op->configuration;
    if (!r->is_gone[c->bases[piece].module]) {
        return c->bases[piece].module;
    }
    for (int i = 0; i < c->connection_count; i++) {
        const SomConnection *k = &c->connections[i];
        if (r->is_gone[k->module_a] != r->is_gone[k->module_b] &&
            som_configuration_piece_of(c, k->module_a) == piece) {
            return r->is_gone[k->module_a] ? k->module_b : k->module_a;
        }
    }
    return -1;
}

// Which modules still hang together with the centers of their pieces.
static bool *find_kept(const Removal *r) {
    const SomConfiguration *c = r->op->configuration;
    bool *is_kept = som_alloc(sizeof *is_kept * (size_t)(c->module_count + 1));
    bool is_new = false;
    for (int i = 0; i < c->base_count; i++) {
        int center = find_center(r, i);
        if (center >= 0) {
            is_kept[center] = is_new = true;
        }
    }
    while (is_new) { // as often as the longest chain against the order of connections
        is_new = false;
        for (int i = 0; i < c->connection_count; i++) {
            int a = c->connections[i].module_a, b = c->connections[i].module_b;
            if (!r->is_gone[a] && !r->is_gone[b] && is_kept[a] != is_kept[b]) {
                is_kept[a] = is_kept[b] = true;
                is_new = true;
            }
        }
    }
    return is_kept;
}

static void find_hanging(Removal *r) {
    const SomConfiguration *c = r->op->configuration;
    bool *is_kept = find_kept(r);
    for (int i = 1; i < c->part_count; i++) {
        const SomPart *part = &c->parts[i];
        bool hangs = false;
        for (int k = part->first_module; k < part->first_module + part->module_count; k++) {
            hangs |= !is_kept[k] && !r->is_gone[k];
        }
        if (part->parent == 0 && hangs) {
            som_array_push(&r->conflicts, ((Conflict){0, i}));
        }
    }
    som_free(is_kept);
}

// Parts that hang on it go, too. False after a refusal: of an array all go, or none.
static bool take_hanging(Removal *r) {
    const SomConfiguration *c = r->op->configuration;
    for (int i = 0; i < r->conflicts.count; i++) {
        SomItem item;
        if (!som_operation_item(r->op, c->parts[r->conflicts.data[i].part].path, &item)) {
            return false;
        }
        bool is_known = false;
        for (int k = 0; k < r->items.count; k++) {
            is_known |= r->items.data[k].node == item.node;
        }
        if (!is_known) {
            som_array_push(&r->items, item);
            mark_item(r, &item);
        }
    }
    r->conflicts.count = 0;
    find_hanging(r);
    if (r->conflicts.count > 0) {
        const SomPart *part = &c->parts[r->conflicts.data[0].part];
        return som_operation_refuse(
            r->op, SOM_EDIT_ELSEWHERE, part->span,
            "with it only some parts of an array would go, and '%.*s' would "
            "hang on nothing",
            SOM_STR_ARG(part->path));
    }
    return true;
}

// ---- what the text says about it

static void add_conflict(Removal *r, SomNode node) {
    for (int i = 0; i < r->conflicts.count; i++) {
        if (r->conflicts.data[i].node == node) {
            return;
        }
    }
    som_array_push(&r->conflicts, ((Conflict){node, -1}));
}

static SomStr name_of(const SomOperation *op, SomNode statement) {
    SomNode name = som_syntax_find_child(op->tree, statement, SOM_SOM_NAME);
    return som_workspace_name(op->workspace, op->tree, name);
}

static void find_use(SomOperation *op, SomNode name, void *context) {
    Removal *r = context;
    SomNode statement = som_operation_statement(op, som_syntax_span(op->tree, name));
    int kind = statement != 0 ? som_syntax_kind(op->tree, statement) : SOM_SOM_ERROR;
    SomNode entry = som_syntax_find_around(op->tree, name, SOM_SOM_ENTRY);
    SomNode member = kind == SOM_SOM_POSE && entry != 0 ? entry : statement;
    bool has_loop = member != 0 && som_syntax_find_child(op->tree, member, SOM_SOM_FOR) != 0;
    if (statement == 0) {
        r->outside = name;
    } else if (kind == SOM_SOM_BASE && !has_loop) {
        som_array_push(&r->bases, statement);
    } else if (kind == SOM_SOM_BEHAVIOR || has_loop) {
        add_conflict(r, member);
    } else if (kind == SOM_SOM_LET && !r->is_removed[member]) { // and what uses it
        r->is_removed[member] = true;
        som_operation_find_uses(op, op->source, name_of(op, member), find_use, r);
    } else {
        r->is_removed[member] = true;
    }
}

// Does a behavior run this behavior, or close this dock, of the config itself?
static bool calls(const SomOperation *op, SomNode behavior, int kind, SomStr name) {
    SomSpan span = som_syntax_span(op->tree, behavior);
    SomNode node = behavior;
    for (; node != 0 && som_syntax_span(op->tree, node).begin < span.end;
         node = som_syntax_next(op->tree, node)) {
        if (som_syntax_kind(op->tree, node) != kind) {
            continue;
        }
        SomNode place = som_syntax_find_child(op->tree, node, SOM_SOM_PLACE);
        SomNode first = place != 0 ? som_syntax_first_child(op->tree, place) : 0;
        if (first != 0 && som_syntax_find_next(op->tree, first, SOM_SOM_NAME) == 0 &&
            som_str_equal(som_workspace_name(op->workspace, op->tree, first), name)) {
            return true;
        }
    }
    return false;
}

static bool is_going(const Removal *r, SomNode statement) {
    bool is_going = r->is_removed[statement];
    for (int i = 0; i < r->conflicts.count; i++) {
        is_going |= r->conflicts.data[i].node == statement;
    }
    return is_going;
}

// Behaviors that need behaviors or docks that go.
static void find_callers(Removal *r) {
    const SomSyntax *tree = r->op->tree;
    bool is_new = true;
    while (is_new) {
        is_new = false;
        SomNode gone = som_syntax_first_child(tree, r->op->body);
        for (; gone != 0; gone = som_syntax_next_sibling(tree, gone)) {
            int kind = som_syntax_kind(tree, gone);
            int by = kind == SOM_SOM_BEHAVIOR ? SOM_SOM_RUN : SOM_SOM_DOCKING;
            if ((kind != SOM_SOM_BEHAVIOR && kind != SOM_SOM_DOCK) || !is_going(r, gone)) {
                continue;
            }
            SomStr name = name_of(r->op, gone);
            SomNode other = som_syntax_find_child(tree, r->op->body, SOM_SOM_BEHAVIOR);
            for (; other != 0; other = som_syntax_find_next(tree, other, SOM_SOM_BEHAVIOR)) {
                if (name.length > 0 && !is_going(r, other) && calls(r->op, other, by, name)) {
                    add_conflict(r, other);
                    is_new = true;
                }
            }
        }
    }
}

// ---- refusing and removing

static void refuse(Removal *r, SomStr part) {
    SomOperation *op = r->op;
    som_operation_refuse(op, SOM_EDIT_STILL_USED, (SomSpan){0},
                         "'%.*s' is still needed: %d other thing%s would have to go with it",
                         SOM_STR_ARG(part), r->conflicts.count, r->conflicts.count == 1 ? "" : "s");
    for (int i = 0; i < r->conflicts.count && i < SHOWN_USES; i++) {
        const Conflict *c = &r->conflicts.data[i];
        if (c->node == 0) {
            SomStr path = op->configuration->parts[c->part].path;
            som_operation_note(op, op->configuration->parts[c->part].span,
                               "the part '%.*s' hangs on it", SOM_STR_ARG(path));
        } else if (som_syntax_kind(op->tree, c->node) == SOM_SOM_BEHAVIOR) {
            som_operation_note(op, som_syntax_span(op->tree, c->node),
                               "the behavior '%.*s' needs it", SOM_STR_ARG(name_of(op, c->node)));
        } else {
            som_operation_note(op, som_syntax_span(op->tree, c->node),
                               "the loop in line %d names it", som_operation_line(op, c->node));
        }
    }
    if (r->conflicts.count > SHOWN_USES) {
        som_operation_note(op, (SomSpan){0}, SOM_AND_MORE, r->conflicts.count - SHOWN_USES);
    }
}

// The module that a base moves to, -1 if nothing of its piece is left, or it names no piece's base.
static int find_new_base(const Removal *r, SomNode statement) {
    const SomConfiguration *c = r->op->configuration;
    SomSpan span = som_syntax_span(r->op->tree, statement);
    for (int i = 0; i < c->base_count; i++) {
        if (c->bases[i].span.source1 != 0 && c->bases[i].span.begin == span.begin) {
            return find_center(r, i);
        }
    }
    return -1;
}

// The base goes on standing as it did, on what the part hung on.
static void move_base(Removal *r, SomNode base) {
    SomOperation *op = r->op;
    int center = find_new_base(r, base);
    if (center < 0) {
        r->is_removed[base] = true;
        return;
    }
    const SomModule *module = &op->configuration->modules[center];
    SomNode place = som_syntax_find_child(op->tree, base, SOM_SOM_PLACE);
    SomNode frame = som_syntax_find_child(op->tree, base, SOM_SOM_FRAME);
    som_edits_replace(op->edits, place, module->path);
    if (frame != 0) {
        SomNode name = som_syntax_find_child(op->tree, frame, SOM_SOM_NAME);
        SomStr frame_name = som_workspace_name(op->workspace, op->tree, name);
        if (som_module_type_find_frame(module->type, frame_name) < 0) {
            som_edits_replace_span(op->edits, som_syntax_span(op->tree, place).end,
                                   som_syntax_span(op->tree, frame).end, SOM_STR(""));
        }
    }
}

static bool is_item_removed(const Removal *r, SomNode item) {
    for (int i = 0; i < r->items.count; i++) {
        if (r->items.data[i].node == item) {
            return true;
        }
    }
    return false;
}

static void remove_items(Removal *r, SomNode statement) {
    const SomSyntax *tree = r->op->tree;
    SomNode last_kept = 0, last = 0;
    SomNode item = som_syntax_find_child(tree, statement, SOM_SOM_ITEM);
    for (; item != 0; item = som_syntax_find_next(tree, item, SOM_SOM_ITEM)) {
        last_kept = is_item_removed(r, item) ? last_kept : item;
        last = item;
    }
    if (last_kept == 0) {
        r->is_removed[statement] = true;
        return;
    }
    item = som_syntax_find_child(tree, statement, SOM_SOM_ITEM);
    for (; item != 0 && item < last_kept; item = som_syntax_find_next(tree, item, SOM_SOM_ITEM)) {
        if (is_item_removed(r, item)) {
            som_operation_remove_item(r->op, item);
        }
    }
    if (last != last_kept) {
        som_operation_remove_items_behind(r->op, last_kept, last);
    }
}

static void apply(Removal *r) {
    const SomSyntax *tree = r->op->tree;
    for (int i = 0; i < r->conflicts.count; i++) {
        r->is_removed[r->conflicts.data[i].node] = true;
    }
    for (int i = 0; i < r->bases.count; i++) {
        move_base(r, r->bases.data[i]);
    }
    SomNode node = som_syntax_find_child(tree, r->op->body, SOM_SOM_PART);
    for (; node != 0; node = som_syntax_find_next(tree, node, SOM_SOM_PART)) {
        remove_items(r, node);
    }
    for (node = SOM_ROOT; node != 0; node = som_syntax_next(tree, node)) {
        if (r->is_removed[node]) {
            som_edits_remove(r->op->edits, node);
        }
    }
}

static void remove_part(Removal *r, SomStr part, bool with_all) {
    SomOperation *op = r->op;
    SomItem item;
    if (!som_operation_item(op, part, &item)) {
        return;
    }
    if (item.is_one) {
        som_operation_refuse(op, SOM_EDIT_ELSEWHERE, som_syntax_span(op->tree, item.node),
                             "'%.*s' is one of the array '%.*s' in line %d", SOM_STR_ARG(part),
                             SOM_STR_ARG(som_syntax_text(op->tree, item.node)),
                             som_operation_line(op, item.node));
        return;
    }
    som_array_push(&r->items, item);
    mark_item(r, &item);
    find_hanging(r);
    if (with_all && !take_hanging(r)) {
        return;
    }
    for (int i = 0; i < r->items.count; i++) {
        som_operation_find_uses(op, op->source, r->items.data[i].name, find_use, r);
    }
    find_callers(r);
    if (r->outside != 0) {
        SomNode config = som_syntax_find_around(op->tree, r->outside, SOM_SOM_CONFIG);
        som_operation_refuse(op, SOM_EDIT_STILL_USED, som_syntax_span(op->tree, r->outside),
                             "'%.*s' is still needed by the config '%.*s'", SOM_STR_ARG(part),
                             SOM_STR_ARG(name_of(op, config)));
    } else if (!with_all && r->conflicts.count > 0) {
        refuse(r, part);
    } else {
        apply(r);
    }
}

bool som_design_remove_part(SomDesign *design, SomStr config, SomStr part, bool with_all) {
    SomOperation op;
    if (som_operation_begin(&op, design, config)) {
        Removal r = {.op = &op};
        r.is_gone = som_alloc(sizeof *r.is_gone * (size_t)(op.configuration->module_count + 1));
        r.is_removed =
            som_alloc(sizeof *r.is_removed * (size_t)(som_syntax_node_count(op.tree) + 1));
        remove_part(&r, part, with_all);
        som_free(r.is_gone);
        som_free(r.is_removed);
        som_array_free(&r.items);
        som_array_free(&r.bases);
        som_array_free(&r.conflicts);
    }
    return som_operation_end(&op);
}
