// SPDX-License-Identifier: Apache-2.0
// A compiled graph → trees. Where its path changes, a behavior was run: that is a tree of its own.
// Equal ones are one: each is written once to compare it, the last first, so that those below it
// are known.

#include "base/memory.h"
#include "base/number.h"
#include "behaviors/action_text.h"
#include "exchange/bt_internal.h"

#include <math.h>

// Levels of one tree; what lies deeper becomes one of its own, since readers have limits.
#define MOST_LEVELS 40

typedef struct Tree {
    int32_t node;
    int same;  // the one that stands for all that are equal
    SomStr id; // of that one
} Tree;

// Texts and numbers, hashed.
typedef struct Entry {
    SomStr key;
    int value;
} Entry;

typedef struct Table {
    Entry *entries;
    int count, capacity; // a power of two
} Table;

typedef struct Writer {
    const SomBtDef *def;
    const SomActionGraph *graph;
    SomXmlWriter xml;
    int *tree_of; // of each node that is the root of one; -1
    SOM_ARRAY(Tree) trees;
    Table ids; // and the number that the next of this name gets
    SomArena arena;
    bool is_named; // trees have their ids
} Writer;

// ---- table

static Entry *slot_of(Table *table, SomStr key) {
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < key.length; i++) {
        hash = (hash ^ (unsigned char)key.data[i]) * 1099511628211u;
    }
    int at = (int)((hash ^ hash >> 32) & (uint64_t)(table->capacity - 1));
    while (table->entries[at].key.data != NULL && !som_str_equal(table->entries[at].key, key)) {
        at = (at + 1) & (table->capacity - 1);
    }
    return &table->entries[at];
}

// The entry of a key, which is new with value -1 if its text was not there; the text must live on.
static Entry *find_entry(Table *table, SomStr key) {
    if (2 * (table->count + 1) > table->capacity) {
        Table larger = {.capacity = table->capacity > 0 ? 2 * table->capacity : 64};
        larger.entries = som_alloc((size_t)larger.capacity * sizeof *larger.entries);
        for (int i = 0; i < table->capacity; i++) {
            if (table->entries[i].key.data != NULL) {
                *slot_of(&larger, table->entries[i].key) = table->entries[i];
            }
        }
        larger.count = table->count;
        som_free(table->entries);
        *table = larger;
    }
    Entry *entry = slot_of(table, key);
    if (entry->key.data == NULL) {
        *entry = (Entry){key, -1};
        table->count++;
    }
    return entry;
}

// ---- actions

static void add_time(Writer *w, const char *attribute, double seconds) {
    if (seconds < SOM_NO_TIME) {
        som_xml_number(&w->xml, attribute, seconds);
    }
}

static void add_condition(Writer *w, const char *attribute, int32_t condition, int32_t dof) {
    SomText words = {0};
    som_bt_print_condition(w->def, condition, dof, &words);
    som_xml_string(&w->xml, attribute, som_text_str(&words));
    som_text_free(&words);
}

static void add_ends(Writer *w, const SomAction *action, int32_t dof) {
    add_time(w, "during", action->duration);
    add_time(w, "timeout", action->timeout);
    if (action->until != SOM_NONE) {
        add_condition(w, "until", action->until, dof);
    }
}

static void add_course(Writer *w, const SomAction *action) {
    SomText times = {0}, values = {0};
    for (int32_t i = 0; i < action->keyframe_count; i++) {
        const SomKeyframe *frame = &w->graph->keyframes[action->first_keyframe + i];
        som_text_add(&times, i > 0 ? SOM_STR(";") : SOM_STR(""));
        som_text_add(&values, i > 0 ? SOM_STR(";") : SOM_STR(""));
        som_text_number(&times, frame->time);
        som_text_number(&values, frame->value == 0 ? 0 : frame->value);
    }
    som_xml_string(&w->xml, "times", som_text_str(&times));
    som_xml_string(&w->xml, "values", som_text_str(&values));
    som_text_free(&times);
    som_text_free(&values);
}

static void write_move(Writer *w, const SomAction *action) {
    SomStr joint = som_str(som_graph_name(w->graph, SOM_SYMBOL_DOF, action->target));
    som_xml_string(&w->xml, "joint", joint);
    switch ((SomActionKind)action->kind) {
    case SOM_ACTION_POSITION:
        som_xml_number(&w->xml, "target", action->value);
        break;
    case SOM_ACTION_RELATIVE:
        som_xml_number(&w->xml, "by", action->value);
        break;
    case SOM_ACTION_VELOCITY:
        som_xml_number(&w->xml, "speed", action->value);
        add_ends(w, action, action->target);
        return;
    default:
        add_course(w, action);
        break;
    }
    som_xml_number(&w->xml, "tolerance", action->tolerance);
    if (action->speed > 0) {
        som_xml_number(&w->xml, "speed", action->speed);
    }
    add_ends(w, action, action->target);
}

// A time that timers of whole milliseconds can keep, and nothing else to wait for; -1 if not.
static int sleep_of(const SomAction *action) {
    double msec = round(action->duration * 1000);
    bool is_plain = action->kind == SOM_ACTION_WAIT && action->until == SOM_NONE &&
                    action->timeout >= SOM_NO_TIME;
    return is_plain && msec >= 1 && msec <= 1e9 && msec / 1000 == action->duration ? (int)msec : -1;
}

static void write_action(Writer *w, int32_t node) {
    const SomAction *action = &w->graph->actions[w->graph->nodes[node].index];
    int msec = sleep_of(action);
    if (msec > 0) {
        som_xml_open(&w->xml, "Sleep");
        som_xml_integer(&w->xml, "msec", msec);
        som_xml_close(&w->xml);
        return;
    }
    SomText words = {0};
    som_action_print(w->def->design, w->graph, node, &words);
    som_xml_open(&w->xml, som_bt_action_type((SomActionKind)action->kind)->name);
    som_xml_string(&w->xml, "name", som_text_str(&words));
    som_text_free(&words);
    if (action->kind == SOM_ACTION_WAIT) {
        add_ends(w, action, SOM_NONE);
    } else if (action->kind == SOM_ACTION_CONNECT || action->kind == SOM_ACTION_DISCONNECT) {
        const char *dock = som_graph_name(w->graph, SOM_SYMBOL_DOCK, action->target);
        som_xml_string(&w->xml, "dock", som_str(dock));
        add_ends(w, action, SOM_NONE);
    } else {
        write_move(w, action);
    }
    som_xml_close(&w->xml);
}

// `hold` is a parallel of one action a joint.
static bool is_hold(const SomActionGraph *graph, int32_t node) {
    const SomGraphNode *n = &graph->nodes[node];
    for (int32_t i = node + 1; i < n->end; i++) {
        if (graph->nodes[i].kind != SOM_NODE_ACTION ||
            graph->actions[graph->nodes[i].index].kind != SOM_ACTION_HOLD) {
            return false;
        }
    }
    return n->kind == SOM_NODE_PARALLEL && n->end > node + 1;
}

static void write_hold(Writer *w, int32_t node) {
    SomText joints = {0};
    for (int32_t i = node + 1; i < w->graph->nodes[node].end; i++) {
        int32_t dof = w->graph->actions[w->graph->nodes[i].index].target;
        som_text_add(&joints, joints.length > 0 ? SOM_STR(";") : SOM_STR(""));
        som_text_add(&joints, som_str(som_graph_name(w->graph, SOM_SYMBOL_DOF, dof)));
    }
    som_xml_open(&w->xml, "Hold");
    som_xml_string(&w->xml, "joints", som_text_str(&joints));
    som_xml_close(&w->xml);
    som_text_free(&joints);
}

// ---- nodes

static void write_node(Writer *w, int32_t node);

static void write_children(Writer *w, int32_t node) {
    for (int32_t i = node + 1; i < w->graph->nodes[node].end; i = w->graph->nodes[i].end) {
        write_node(w, i);
    }
}

static void write_check(Writer *w, int32_t condition) {
    som_xml_open(&w->xml, "Check");
    add_condition(w, "condition", condition, SOM_NONE);
    som_xml_close(&w->xml);
}

// The first whose condition holds: the others are not tried, since no action fails.
static void write_choose(Writer *w, int32_t node) {
    bool has_else = false;
    som_xml_open(&w->xml, "Fallback");
    for (int32_t i = node + 1; i < w->graph->nodes[node].end; i = w->graph->nodes[i].end) {
        if (w->graph->nodes[i].guard == SOM_NONE) {
            has_else = true;
            write_node(w, i);
            break; // what is behind it is never chosen
        }
        som_xml_open(&w->xml, "Sequence");
        write_check(w, w->graph->nodes[i].guard);
        write_node(w, i);
        som_xml_close(&w->xml);
    }
    if (!has_else) {
        som_xml_open(&w->xml, "AlwaysSuccess");
        som_xml_word(&w->xml, "name", "else nothing");
        som_xml_close(&w->xml);
    }
    som_xml_close(&w->xml);
}

static void write_repeat(Writer *w, int32_t node) {
    const SomGraphNode *n = &w->graph->nodes[node];
    bool is_until = n->until != SOM_NONE;
    som_xml_open(&w->xml, is_until ? "RetryUntilSuccessful" : "Repeat");
    som_xml_integer(&w->xml, is_until ? "num_attempts" : "num_cycles", n->index);
    if (is_until) {
        som_xml_open(&w->xml, "Sequence");
    }
    write_children(w, node);
    if (is_until) {
        write_check(w, n->until);
        som_xml_close(&w->xml);
    }
    som_xml_close(&w->xml);
}

// A control has a child at least.
static void write_empty(Writer *w, SomNodeKind kind) {
    static const char *const words[SOM_NODE_KINDS] = {[SOM_NODE_SERIES] = "series",
                                                      [SOM_NODE_PARALLEL] = "parallel",
                                                      [SOM_NODE_ANY] = "any",
                                                      [SOM_NODE_CHOOSE] = "choose"};
    som_xml_open(&w->xml, "AlwaysSuccess");
    som_xml_word(&w->xml, "name", words[kind]);
    som_xml_close(&w->xml);
}

static void write_list(Writer *w, int32_t node, SomNodeKind kind) {
    if (w->graph->nodes[node].end == node + 1) {
        write_empty(w, kind);
        return;
    }
    switch (kind) {
    case SOM_NODE_CHOOSE:
        write_choose(w, node);
        return;
    case SOM_NODE_PARALLEL:
        som_xml_open(&w->xml, "ParallelAll");
        som_xml_integer(&w->xml, "max_failures", 1);
        break;
    case SOM_NODE_ANY:
        som_xml_open(&w->xml, "Parallel");
        som_xml_integer(&w->xml, "success_count", 1);
        som_xml_integer(&w->xml, "failure_count", 1);
        break;
    default:
        som_xml_open(&w->xml, "Sequence");
        break;
    }
    write_children(w, node);
    som_xml_close(&w->xml);
}

static void write_content(Writer *w, int32_t node) {
    SomNodeKind kind = (SomNodeKind)w->graph->nodes[node].kind;
    if (kind == SOM_NODE_ACTION) {
        write_action(w, node);
    } else if (is_hold(w->graph, node)) {
        write_hold(w, node);
    } else if (kind == SOM_NODE_REPEAT) {
        write_repeat(w, node);
    } else {
        write_list(w, node, kind);
    }
}

static void write_subtree(Writer *w, int tree) {
    const Tree *same = &w->trees.data[w->trees.data[tree].same];
    som_xml_open(&w->xml, "SubTree");
    if (w->is_named) {
        som_xml_string(&w->xml, "ID", same->id);
    } else {
        som_xml_integer(&w->xml, "ID", w->trees.data[tree].same);
    }
    som_xml_close(&w->xml);
}

static void write_node(Writer *w, int32_t node) {
    if (w->tree_of[node] >= 0) {
        write_subtree(w, w->tree_of[node]);
    } else {
        write_content(w, node);
    }
}

// ---- trees

static bool is_same_path(const SomActionGraph *graph, int32_t a, int32_t b) {
    return strcmp(som_graph_path(graph, a), som_graph_path(graph, b)) == 0;
}

static void find_trees(Writer *w) {
    const SomActionGraph *graph = w->graph;
    int *levels = som_alloc((size_t)graph->node_count * sizeof *levels); // in their trees
    for (int32_t i = 0; i < graph->node_count; i++) {
        int32_t parent = graph->nodes[i].parent;
        levels[i] = parent == SOM_NONE ? 0 : levels[parent] + 1;
        bool is_cut = levels[i] >= MOST_LEVELS && graph->nodes[i].kind != SOM_NODE_ACTION;
        w->tree_of[i] = -1;
        if (parent == SOM_NONE || !is_same_path(graph, i, parent) || is_cut) {
            levels[i] = 0;
            w->tree_of[i] = w->trees.count;
            Tree tree = {.node = i, .same = w->trees.count};
            som_array_push(&w->trees, tree);
        }
    }
    som_free(levels);
}

static void join_equal(Writer *w) {
    Table table = {0};
    for (int i = w->trees.count - 1; i >= 0; i--) {
        SomText text = {0};
        int32_t node = w->trees.data[i].node;
        som_text_add(&text, som_str(som_graph_path(w->graph, node)));
        w->xml = (SomXmlWriter){.out = &text};
        write_content(w, node);
        som_xml_end(&w->xml);
        Entry *entry = find_entry(&table, som_text_str(&text));
        if (entry->value < 0) {
            entry->key = som_arena_copy(&w->arena, som_text_str(&text));
            entry->value = i;
        }
        w->trees.data[i].same = entry->value;
        som_text_free(&text);
    }
    som_free(table.entries);
}

// "s[1].halfSine1" → "s1_halfSine1": what neither BehaviorTree.CPP nor a word of ours can hold.
static void add_id(SomText *out, SomStr path) {
    for (size_t i = 0; i < path.length; i++) {
        char c = path.data[i];
        bool is_bad = (unsigned char)c <= ' ' || c == 127 || strchr("<>&'/\\:*?|.", c) != NULL;
        if (c != '[' && c != ']' && c != '"') {
            som_text_add_char(out, is_bad ? '_' : c, 1);
        }
    }
}

static bool is_reserved(SomStr id) {
    static const char *const words[] = {"root",    "Root",      "Action",
                                        "Control", "Condition", "Decorator"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (som_str_equal(id, som_str(words[i]))) {
            return true;
        }
    }
    return som_bt_find_type(id) != NULL;
}

// An id that no tree has, nor a type of nodes.
static SomStr new_id(Writer *w, SomStr path) {
    SomText text = {0};
    add_id(&text, path);
    if (text.length == 0) {
        som_text_add(&text, SOM_STR("main"));
    } else if (is_reserved(som_text_str(&text))) {
        som_text_add(&text, SOM_STR("_tree"));
    }
    SomStr base = som_arena_copy(&w->arena, som_text_str(&text)), id = base;
    int number = find_entry(&w->ids, base)->value;
    while (number >= 0) {
        som_text_clear(&text);
        som_text_printf(&text, "%.*s_%d", SOM_STR_ARG(base), number);
        id = som_arena_copy(&w->arena, som_text_str(&text));
        find_entry(&w->ids, base)->value = ++number;
        if (find_entry(&w->ids, id)->value < 0) {
            break;
        }
    }
    find_entry(&w->ids, id)->value = 2;
    som_text_free(&text);
    return id;
}

static void open_tree(Writer *w, SomStr id, SomStr path) {
    som_xml_open(&w->xml, "BehaviorTree");
    som_xml_string(&w->xml, "ID", id);
    if (path.length > 0 && !som_str_equal(id, path)) {
        som_xml_string(&w->xml, "_description", path);
    }
}

static void write_trees(Writer *w, SomText *out) {
    // a behavior that only runs another one has no node of its own
    const SomConfiguration *design = w->def->design;
    int called = som_configuration_find_behavior(design, w->def->call);
    SomStr root = som_str(som_graph_path(w->graph, 0));
    bool has_outer = called >= 0 && !som_str_equal(design->behaviors[called].path, root);
    SomStr outer = has_outer ? new_id(w, w->def->call) : (SomStr){0};
    for (int i = 0; i < w->trees.count; i++) {
        Tree *tree = &w->trees.data[i];
        if (w->trees.data[tree->same].id.data == NULL) {
            w->trees.data[tree->same].id = new_id(w, som_str(som_graph_path(w->graph, tree->node)));
        }
    }
    w->is_named = true;
    w->xml = (SomXmlWriter){.out = out};
    som_xml_begin(&w->xml);
    som_xml_open(&w->xml, "root");
    som_xml_word(&w->xml, "BTCPP_format", "4");
    som_xml_string(&w->xml, "main_tree_to_execute",
                   has_outer ? outer : w->trees.data[w->trees.data[0].same].id);
    if (has_outer) {
        open_tree(w, outer, w->def->call);
        write_subtree(w, 0);
        som_xml_close(&w->xml);
    }
    bool *is_written = som_alloc((size_t)w->trees.count);
    for (int i = 0; i < w->trees.count; i++) {
        int same = w->trees.data[i].same;
        if (!is_written[same]) {
            is_written[same] = true;
            open_tree(w, w->trees.data[same].id,
                      som_str(som_graph_path(w->graph, w->trees.data[same].node)));
            write_content(w, w->trees.data[same].node);
            som_xml_close(&w->xml);
        }
    }
    som_free(is_written);
    som_bt_write_model(&w->xml);
    som_xml_end(&w->xml);
}

void som_bt_write(const SomBtDef *def, SomText *out) {
    Writer w = {.def = def, .graph = def->graph};
    w.tree_of = som_alloc((size_t)def->graph->node_count * sizeof *w.tree_of);
    find_trees(&w);
    join_equal(&w);
    write_trees(&w, out);
    som_free(w.ids.entries);
    som_free(w.tree_of);
    som_array_free(&w.trees);
    som_arena_free(&w.arena);
}
