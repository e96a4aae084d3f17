// exchange/bt_internal.h - what the files about behavior trees share.
//
// bt_model.c knows the types of nodes; bt_condition.c prints compiled conditions; bt_write.c writes
// trees. bt_read.c looks at a file's trees and checks them, bt_flow.c and bt_action.c make text of
// their nodes, bt_import.c adds it to a design.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/bt.h"
#include "exchange/import_internal.h"
#include "exchange/xml.h"
#include "exchange/xml_writer.h"

// ---- bt_model.c

typedef enum SomBtKind {
    SOM_BT_UNKNOWN,
    SOM_BT_SEQUENCE,
    SOM_BT_PARALLEL,
    SOM_BT_PARALLEL_ALL,
    SOM_BT_FALLBACK,
    SOM_BT_IF,
    SOM_BT_REPEAT, // the first decorator
    SOM_BT_RETRY,
    SOM_BT_TIMEOUT,
    SOM_BT_DELAY,
    SOM_BT_FORCE_SUCCESS,
    SOM_BT_INVERTER, // the last one
    SOM_BT_SUBTREE,  // from here on nodes without children
    SOM_BT_SLEEP,
    SOM_BT_NOTHING,
    SOM_BT_CHECK,
    SOM_BT_ACTION,
    SOM_BT_REFUSED,    // no series or parallel can do it
    SOM_BT_BLACKBOARD, // there are no variables
} SomBtKind;

#define SOM_BT_MOST_PORTS 8

typedef struct SomBtType {
    const char *name;
    SomBtKind kind;
    SomActionKind action;                 // of SOM_BT_ACTION
    const char *ports[SOM_BT_MOST_PORTS]; // NULL behind the last
    const char *words;                    // what it does; of what is refused: what to do instead
} SomBtType;

const SomBtType *som_bt_find_type(SomStr name); // NULL: nobody knows it
const SomBtType *som_bt_action_type(SomActionKind kind);
bool som_bt_type_has(const SomBtType *type, SomStr port);

// <TreeNodesModel>: the types that BehaviorTree.CPP does not bring itself.
void som_bt_write_model(SomXmlWriter *xml);

// ---- bt_condition.c

// A condition in the words of the language, which compile to the same program again. `dof` is the
// one that the action moves which it ends, or SOM_NONE.
void som_bt_print_condition(const SomBtDef *def, int32_t condition, int32_t dof, SomText *out);

// A value of a DoF, or its speed, as it stands in a design.
void som_bt_print_value(const SomConfiguration *design, int dof, double value, bool is_speed,
                        SomText *out);

// ---- bt_read.c

// More trees in a file is a diagnostic.
#define SOM_BT_MOST_TREES 2000

typedef struct SomBtTree {
    SomStr id;
    SomStr name; // of the behavior it becomes
    int node;    // <BehaviorTree>
    int root;    // its one child
    int end;     // one after the last node below
    bool is_active, is_done;
    bool is_run;     // by another tree
    int64_t actions; // with those of the trees it runs
} SomBtTree;

// A piece of the text that was made, and what of the file it was made from.
typedef struct SomBtRange {
    size_t begin, end;
    SomSpan span;
} SomBtRange;

// An attribute that means nothing here.
typedef struct SomBtStranger {
    SomStr element, attribute;
    SomSpan span;
    int count;
} SomBtStranger;

typedef struct SomBtReader {
    SomImporter *importer;
    const SomImportFile *file;
    const SomXml *xml;
    const SomConfiguration *design;
    const SomBtType **types; // of all nodes; NULL: not known, or no node of a tree
    int *fails;              // the node below, or itself, by which each may fail; -1: it does not
    SOM_ARRAY(SomBtTree) trees;
    SOM_ARRAY(SomBtStranger) strangers;
    SOM_ARRAY(SomBtRange) ranges; // by their begins
    SomText out;
    bool has_failed;
} SomBtReader;

// Reads a file to behaviors of the design: reader->out, one a line. False after a report. The
// reader borrows all that it is given.
bool som_bt_read(SomBtReader *reader, SomImporter *importer, const SomImportFile *file,
                 const SomConfiguration *design);
void som_bt_reader_free(SomBtReader *reader);

__attribute__((format(printf, 4, 5))) void som_bt_report(SomBtReader *reader, SomCode code,
                                                         SomSpan span, const char *format, ...);
SomSpan som_bt_span(const SomBtReader *reader, int node);
SomStr som_bt_shown(const SomBtReader *reader, int node); // its type, for messages
int som_bt_find_tree(const SomBtReader *reader, SomStr id);
int som_bt_child_count(const SomBtReader *reader, int node);
int som_bt_last_child(const SomBtReader *reader, int node);

// Check, or an Inverter of one.
bool som_bt_is_condition(const SomBtReader *reader, int node);

// ---- bt_flow.c

void som_bt_node(SomBtReader *reader, int node);

// ---- bt_action.c

// Sleep, AlwaysSuccess and what the model declares.
void som_bt_leaf(SomBtReader *reader, int node);
void som_bt_condition(SomBtReader *reader, int node);
void som_bt_timeout(SomBtReader *reader, int node); // the clause

// A whole number of an attribute; without one that is not empty, `otherwise`, or a report if that
// is below `low`.
int som_bt_integer(SomBtReader *reader, int node, const char *attribute, int low, int high,
                   int otherwise);

// ---- bt_import.c

// Adds the trees that were read to the design, whose text becomes `out`.
bool som_import_trees(SomImporter *importer, SomText *out);
