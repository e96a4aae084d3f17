// SPDX-License-Identifier: Apache-2.0
// Which trees a file has, whether they are made as BehaviorTree.CPP wants them, and what may fail.

#include "base/codes/exchange_codes.h"
#include "behaviors/compile.h"
#include "exchange/bt_internal.h"

#include <stdarg.h>

#define MOST_STRANGERS 100

void som_bt_report(SomBtReader *reader, SomCode code, SomSpan span, const char *format, ...) {
    va_list args;
    va_start(args, format);
    som_report_list(reader->importer->diags, code, span, format, args);
    va_end(args);
    reader->has_failed = true;
}

SomSpan som_bt_span(const SomBtReader *reader, int node) {
    return reader->xml->nodes[node].span;
}

// <MoveTo>, or <Action ID="MoveTo">
static SomStr type_name(const SomXml *xml, int node) {
    static const char *const generic[] = {"Action", "Condition", "Control", "Decorator"};
    for (size_t i = 0; i < sizeof generic / sizeof *generic; i++) {
        if (som_str_equal(xml->nodes[node].name, som_str(generic[i]))) {
            return som_xml_attribute(xml, node, SOM_STR("ID"));
        }
    }
    return xml->nodes[node].name;
}

SomStr som_bt_shown(const SomBtReader *reader, int node) {
    return som_str_slice(type_name(reader->xml, node), 0, 100);
}

int som_bt_find_tree(const SomBtReader *reader, SomStr id) {
    for (int i = 0; i < reader->trees.count; i++) {
        if (som_str_equal(reader->trees.data[i].id, id)) {
            return i;
        }
    }
    return -1;
}

int som_bt_child_count(const SomBtReader *reader, int node) {
    int count = 0;
    for (int i = reader->xml->nodes[node].first_child; i >= 0; i = reader->xml->nodes[i].next) {
        count++;
    }
    return count;
}

int som_bt_last_child(const SomBtReader *reader, int node) {
    return reader->xml->nodes[node].last_child;
}

bool som_bt_is_condition(const SomBtReader *reader, int node) {
    while (node >= 0 && reader->types[node] != NULL &&
           reader->types[node]->kind == SOM_BT_INVERTER) {
        node = reader->xml->nodes[node].first_child;
    }
    return node >= 0 && reader->types[node] != NULL && reader->types[node]->kind == SOM_BT_CHECK;
}

// ---- attributes

static bool is_one_of(SomStr name, const char *const *words) {
    for (int i = 0; words[i] != NULL; i++) {
        if (som_str_equal(name, som_str(words[i]))) {
            return true;
        }
    }
    return false;
}

static void add_stranger(SomBtReader *reader, int node, const SomXmlAttribute *attribute) {
    SomStr element = type_name(reader->xml, node);
    for (int i = 0; i < reader->strangers.count; i++) {
        SomBtStranger *s = &reader->strangers.data[i];
        if (som_str_equal(s->element, element) && som_str_equal(s->attribute, attribute->name)) {
            s->count++;
            return;
        }
    }
    if (reader->strangers.count < MOST_STRANGERS) {
        SomBtStranger stranger = {element, attribute->name, attribute->span, 1};
        som_array_push(&reader->strangers, stranger);
    }
}

static void report_strangers(SomBtReader *reader) {
    for (int i = 0; i < reader->strangers.count; i++) {
        const SomBtStranger *s = &reader->strangers.data[i];
        SomText more = {0};
        if (s->count > 1) {
            som_text_printf(&more, " (%d times)", s->count);
        }
        som_report(reader->importer->diags, SOM_BT_ATTRIBUTE_IGNORED, s->span,
                   "'%.*s' of '%.*s' means nothing here and was left out%s",
                   SOM_STR_ARG(som_str_slice(s->attribute, 0, 60)),
                   SOM_STR_ARG(som_str_slice(s->element, 0, 60)), more.length > 0 ? more.data : "");
        som_text_free(&more);
    }
}

static void check_few(SomBtReader *reader, int node, const char *const *known) {
    const SomXmlNode *n = &reader->xml->nodes[node];
    for (int i = 0; i < n->attribute_count; i++) {
        const SomXmlAttribute *a = &reader->xml->attributes[n->first_attribute + i];
        if (!is_one_of(a->name, known)) {
            add_stranger(reader, node, a);
        }
    }
}

static bool is_variable(SomStr value) {
    return value.length >= 3 && value.data[0] == '{' && value.data[value.length - 1] == '}';
}

static void check_attribute(SomBtReader *reader, int node, const SomXmlAttribute *a) {
    static const char *const scripts[] = {"_skipIf",   "_successIf", "_failureIf",
                                          "_while",    "_onSuccess", "_onFailure",
                                          "_onHalted", "_post",      NULL};
    static const char *const free[] = {"name",         "ID",         "_uid", "_fullpath",
                                       "_description", "_autoremap", NULL};
    const SomBtType *type = reader->types[node];
    SomStr shown = som_str_slice(a->name, 0, 60);
    if (is_one_of(a->name, scripts)) {
        som_bt_report(reader, SOM_BT_BLACKBOARD_USED, a->span,
                      "'%.*s' is a script, and there are no variables that it could use",
                      SOM_STR_ARG(shown));
    } else if (is_variable(a->value) && !is_one_of(a->name, free)) {
        som_bt_report(reader, SOM_BT_BLACKBOARD_USED, a->span,
                      "'%.*s' is the variable %.*s, and there are none: write its value",
                      SOM_STR_ARG(shown), SOM_STR_ARG(som_str_slice(a->value, 0, 60)));
    } else if (type == NULL || is_one_of(a->name, free) || som_bt_type_has(type, a->name)) {
        return;
    } else if (type->kind == SOM_BT_SUBTREE && a->name.data[0] != '_') {
        som_bt_report(reader, SOM_BT_BLACKBOARD_USED, a->span,
                      "'%.*s' is a port of a sub-tree, and there are no variables to pass on: make "
                      "a tree for each value",
                      SOM_STR_ARG(shown));
    } else if (type->kind == SOM_BT_ACTION || type->kind == SOM_BT_CHECK ||
               a->name.data[0] == '_') {
        add_stranger(reader, node, a);
    } else {
        som_bt_report(reader, SOM_BT_VALUE, a->span, "'%.*s' has no port '%.*s' in version 4",
                      SOM_STR_ARG(som_bt_shown(reader, node)), SOM_STR_ARG(shown));
    }
}

// ---- structure

static void report_unknown(SomBtReader *reader, int node) {
    SomStr name = som_bt_shown(reader, node);
    if (name.length == 0) {
        som_bt_report(reader, SOM_BT_STRUCTURE, som_bt_span(reader, node),
                      "'%.*s' has no ID, which says what it does",
                      SOM_STR_ARG(reader->xml->nodes[node].name));
        return;
    }
    som_bt_report(reader, SOM_BT_NODE_UNKNOWN, som_bt_span(reader, node),
                  "nobody knows the node '%.*s', nor has the design a behavior of this name",
                  SOM_STR_ARG(name));
    static const char *const near[] = {"MoveTo", "MoveBy",  "Spin",       "Follow",  "Hold",
                                       "Wait",   "Connect", "Disconnect", "Check",   "Sequence",
                                       "Sleep",  "Repeat",  "Parallel",   "SubTree", "Fallback"};
    SomStr names[sizeof near / sizeof *near];
    int count = (int)(sizeof near / sizeof *near);
    for (int i = 0; i < count; i++) {
        names[i] = som_str(near[i]);
    }
    int nearest = som_str_find_nearest(name, names, count);
    if (nearest >= 0) {
        som_note(reader->importer->diags, (SomSpan){0}, "there is '%s'", near[nearest]);
    }
}

static void check_node(SomBtReader *reader, int node) {
    const SomXmlNode *n = &reader->xml->nodes[node];
    SomStr name = type_name(reader->xml, node);
    const SomBtType *type = som_bt_find_type(name);
    reader->types[node] = type;
    int children = som_bt_child_count(reader, node);
    SomStr shown = som_bt_shown(reader, node);
    SomSpan span = som_bt_span(reader, node);
    if (type == NULL && (som_configuration_find_behavior(reader->design, name) < 0)) {
        report_unknown(reader, node);
    } else if (type != NULL && type->kind == SOM_BT_REFUSED) {
        som_bt_report(reader, SOM_BT_NOT_SERIES_PARALLEL, span,
                      "'%.*s' is neither series nor parallel: %s", SOM_STR_ARG(shown), type->words);
    } else if (type != NULL && type->kind == SOM_BT_BLACKBOARD) {
        som_bt_report(reader, SOM_BT_BLACKBOARD_USED, span,
                      "'%.*s' works with variables, and there are none: %s", SOM_STR_ARG(shown),
                      type->words);
    } else if ((type == NULL || type->kind >= SOM_BT_SUBTREE) && children > 0) {
        som_bt_report(reader, SOM_BT_STRUCTURE, span, "nothing can be in '%.*s'",
                      SOM_STR_ARG(shown));
    } else if (type != NULL && type->kind >= SOM_BT_REPEAT && type->kind <= SOM_BT_INVERTER &&
               children != 1) {
        som_bt_report(reader, SOM_BT_STRUCTURE, span, "'%.*s' has one child, not %d",
                      SOM_STR_ARG(shown), children);
    } else if (type != NULL && type->kind < SOM_BT_REPEAT && children == 0) {
        som_bt_report(reader, SOM_BT_STRUCTURE, span, "'%.*s' is empty", SOM_STR_ARG(shown));
    }
    for (int i = 0; i < n->attribute_count; i++) {
        check_attribute(reader, node, &reader->xml->attributes[n->first_attribute + i]);
    }
}

// ---- what may fail

static int first_failing(const SomBtReader *reader, int node) {
    for (int i = reader->xml->nodes[node].first_child; i >= 0; i = reader->xml->nodes[i].next) {
        if (reader->fails[i] >= 0) {
            return reader->fails[i];
        }
    }
    return -1;
}

// Children are known.
static int find_failing(const SomBtReader *reader, int node) {
    const SomBtType *type = reader->types[node];
    if (type == NULL) {
        return -1;
    }
    switch (type->kind) {
    case SOM_BT_CHECK:
    case SOM_BT_TIMEOUT:
    case SOM_BT_INVERTER:
        return node;
    case SOM_BT_FALLBACK:
        return reader->fails[som_bt_last_child(reader, node)];
    case SOM_BT_IF: {
        int condition = reader->xml->nodes[node].first_child;
        int chosen = reader->xml->nodes[condition].next;
        for (; chosen >= 0; chosen = reader->xml->nodes[chosen].next) {
            if (reader->fails[chosen] >= 0) {
                return reader->fails[chosen];
            }
        }
        return som_bt_child_count(reader, node) < 3 ? node : -1;
    }
    case SOM_BT_SUBTREE: {
        int tree = som_bt_find_tree(reader, som_xml_attribute(reader->xml, node, SOM_STR("ID")));
        return tree >= 0 && reader->fails[reader->trees.data[tree].root] >= 0 ? node : -1;
    }
    case SOM_BT_FORCE_SUCCESS:
    case SOM_BT_RETRY: // else it is refused
        return -1;
    default:
        return first_failing(reader, node);
    }
}

// ---- trees

static void add_tree(SomBtReader *reader, int node) {
    const SomXml *xml = reader->xml;
    SomStr id = som_xml_attribute(xml, node, SOM_STR("ID"));
    SomSpan span = som_bt_span(reader, node);
    SomBtTree tree = {.id = id.length > 0 ? id : SOM_STR("tree"), .node = node, .end = node + 1};
    while (tree.end < xml->node_count &&
           xml->nodes[tree.end].span.begin < xml->nodes[node].whole.end) {
        tree.end++;
    }
    tree.root = xml->nodes[node].first_child;
    bool is_odd = id.length > 200;
    for (size_t i = 0; i < id.length; i++) {
        is_odd |= (unsigned char)id.data[i] < ' ' || id.data[i] == 127;
    }
    int before = som_bt_find_tree(reader, tree.id);
    if (is_odd) {
        som_bt_report(reader, SOM_BT_STRUCTURE, span,
                      "the ID of a tree is one line of at most 200 bytes");
    } else if (before >= 0) {
        som_bt_report(reader, SOM_BT_STRUCTURE, span, "there are two trees '%.*s'",
                      SOM_STR_ARG(tree.id));
        som_note(reader->importer->diags, som_bt_span(reader, reader->trees.data[before].node),
                 "the other one is here");
    } else if (som_bt_child_count(reader, node) != 1) {
        som_bt_report(reader, SOM_BT_STRUCTURE, span, "tree '%.*s' has %d nodes in it, not one",
                      SOM_STR_ARG(tree.id), som_bt_child_count(reader, node));
    } else {
        som_array_push(&reader->trees, tree);
    }
}

static void find_trees(SomBtReader *reader, int root) {
    for (int i = reader->xml->nodes[root].first_child; i >= 0; i = reader->xml->nodes[i].next) {
        SomStr name = reader->xml->nodes[i].name;
        if (som_str_equal(name, SOM_STR("BehaviorTree"))) {
            if (reader->trees.count == SOM_BT_MOST_TREES) {
                som_bt_report(reader, SOM_BT_TOO_MUCH, som_bt_span(reader, i),
                              "there are more than %d trees", SOM_BT_MOST_TREES);
                return;
            }
            add_tree(reader, i);
        } else if (som_str_equal(name, SOM_STR("include"))) {
            som_bt_report(reader, SOM_BT_STRUCTURE, som_bt_span(reader, i),
                          "other files are not included: put all trees into this one");
        } else if (!som_str_equal(name, SOM_STR("TreeNodesModel"))) {
            som_report(reader->importer->diags, SOM_IMPORT_ELEMENT_IGNORED, som_bt_span(reader, i),
                       "'%.*s' is no tree and was left out",
                       SOM_STR_ARG(som_str_slice(name, 0, 60)));
        }
    }
    if (!reader->has_failed && reader->trees.count == 0) {
        som_bt_report(reader, SOM_BT_STRUCTURE, som_bt_span(reader, root), "there are no trees");
    }
}

// The trees that it runs come first. False after a report.
static bool finish_tree(SomBtReader *reader, int index) {
    SomBtTree *tree = &reader->trees.data[index];
    if (tree->is_done) {
        return true;
    }
    tree->is_active = true;
    bool fine = true;
    for (int i = tree->root; fine && i < tree->end; i++) {
        if (reader->types[i] == NULL || reader->types[i]->kind != SOM_BT_SUBTREE) {
            tree->actions += reader->xml->nodes[i].first_child < 0;
            continue;
        }
        SomStr id = som_xml_attribute(reader->xml, i, SOM_STR("ID"));
        int other = som_bt_find_tree(reader, id);
        if (other >= 0 && reader->trees.data[other].is_active) {
            som_bt_report(reader, SOM_BT_RECURSION, som_bt_span(reader, i),
                          "tree '%.*s' is a part of itself", SOM_STR_ARG(id));
            fine = false;
        } else if (other >= 0) {
            fine = finish_tree(reader, other);
            reader->trees.data[other].is_run = true;
            tree->actions += reader->trees.data[other].actions;
        } else if (som_configuration_find_behavior(reader->design, id) < 0) {
            som_bt_report(reader, SOM_BT_TREE_UNKNOWN, som_bt_span(reader, i),
                          "there is no tree '%.*s', nor has the design a behavior of this name",
                          SOM_STR_ARG(som_str_slice(id, 0, 100)));
        }
        if (fine && tree->actions > SOM_COMPILE_MOST_ACTIONS) {
            som_bt_report(reader, SOM_BT_TOO_MUCH, som_bt_span(reader, i),
                          "with its sub-trees, '%.*s' has more than %d actions",
                          SOM_STR_ARG(tree->id), SOM_COMPILE_MOST_ACTIONS);
            fine = false;
        }
    }
    for (int i = tree->end - 1; fine && i >= tree->root; i--) { // children before parents
        reader->fails[i] = find_failing(reader, i);
    }
    tree->is_active = false;
    tree->is_done = true;
    return fine;
}

static bool check_version(SomBtReader *reader, int root) {
    const SomXmlAttribute *version =
        som_xml_find_attribute(reader->xml, root, SOM_STR("BTCPP_format"));
    if (version != NULL && !som_str_equal(version->value, SOM_STR("4"))) {
        som_bt_report(reader, SOM_BT_VERSION, version->span,
                      "trees of version 4 are read, not of '%.*s'",
                      SOM_STR_ARG(som_str_slice(version->value, 0, 20)));
        return false;
    }
    return true;
}

static bool check_trees(SomBtReader *reader) {
    // which of its trees a program begins with is not the matter of a design
    static const char *const of_roots[] = {"BTCPP_format", "main_tree_to_execute", "project_name",
                                           NULL};
    static const char *const of_trees[] = {"ID", "_fullpath", "_description", NULL};
    const SomXml *xml = reader->xml;
    int root = som_xml_child(xml, SOM_XML_TOP, SOM_STR("root"));
    if (root != xml->first_root || xml->nodes[root].next >= 0) {
        som_bt_report(reader, SOM_BT_STRUCTURE, som_bt_span(reader, xml->first_root),
                      "a file of trees has one element <root> with all of them in it");
        return false;
    }
    if (!check_version(reader, root)) {
        return false;
    }
    find_trees(reader, root);
    check_few(reader, root, of_roots);
    for (int i = 0; i < reader->trees.count; i++) {
        check_few(reader, reader->trees.data[i].node, of_trees);
        for (int k = reader->trees.data[i].root; k < reader->trees.data[i].end; k++) {
            check_node(reader, k);
        }
    }
    report_strangers(reader);
    for (int i = 0; i < reader->trees.count && !reader->has_failed; i++) {
        finish_tree(reader, i);
    }
    return !reader->has_failed;
}

// ---- names

static bool is_taken(const SomBtReader *reader, SomStr name, int own) {
    for (int i = 0; i < own; i++) {
        if (som_str_equal(reader->trees.data[i].name, name)) {
            return true;
        }
    }
    SomText path = {0};
    som_write_name(&path, name);
    SomStr single = som_text_str(&path);
    const SomConfiguration *design = reader->design;
    bool is_taken = som_configuration_find_part(design, single) >= 0 ||
                    som_configuration_find_pose(design, single) >= 0 ||
                    som_configuration_find_behavior(design, single) >= 0 ||
                    som_configuration_find_dock(design, single) >= 0 ||
                    som_configuration_find_dof(design, single, NULL) >= 0;
    som_text_add(&path, SOM_STR("[1]"));
    single = som_text_str(&path);
    is_taken = is_taken || som_configuration_find_part(design, single) >= 0 ||
               som_configuration_find_dock(design, single) >= 0;
    som_text_free(&path);
    return is_taken;
}

static void name_trees(SomBtReader *reader) {
    for (int i = 0; i < reader->trees.count; i++) {
        SomBtTree *tree = &reader->trees.data[i];
        SomText name = {0};
        som_text_add(&name, tree->id);
        for (int number = 2; is_taken(reader, som_text_str(&name), i); number++) {
            som_text_clear(&name);
            som_text_printf(&name, "%.*s_%d", SOM_STR_ARG(tree->id), number);
        }
        tree->name = som_arena_copy(&reader->importer->arena, som_text_str(&name));
        som_text_free(&name);
    }
}

// ---- the whole

bool som_bt_read(SomBtReader *reader, SomImporter *importer, const SomImportFile *file,
                 const SomConfiguration *design) {
    *reader = (SomBtReader){.importer = importer, .file = file, .design = design};
    SomXml *xml = som_xml_read(file->text, file->source1, importer->diags);
    if (xml == NULL) {
        return false;
    }
    reader->xml = xml;
    reader->types = som_alloc((size_t)xml->node_count * sizeof *reader->types);
    reader->fails = som_alloc((size_t)xml->node_count * sizeof *reader->fails);
    if (check_trees(reader)) {
        name_trees(reader);
        for (int i = 0; i < reader->trees.count; i++) {
            SomBtRange whole = {.begin = reader->out.length,
                                .span = som_bt_span(reader, reader->trees.data[i].node)};
            int range = reader->ranges.count;
            som_array_push(&reader->ranges, whole);
            som_text_add(&reader->out, SOM_STR("behavior "));
            som_write_name(&reader->out, reader->trees.data[i].name);
            som_text_add(&reader->out, SOM_STR(" = "));
            som_bt_node(reader, reader->trees.data[i].root);
            reader->ranges.data[range].end = reader->out.length;
            som_text_add(&reader->out, SOM_STR("\n"));
        }
    }
    som_free(reader->types);
    som_free(reader->fails);
    som_xml_destroy(xml);
    reader->xml = NULL;
    return !reader->has_failed;
}

void som_bt_reader_free(SomBtReader *reader) {
    som_array_free(&reader->trees);
    som_array_free(&reader->strangers);
    som_array_free(&reader->ranges);
    som_text_free(&reader->out);
}
