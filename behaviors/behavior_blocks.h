// behaviors/behavior_blocks.h - the behaviors of a config as blocks in blocks, read from its text.
//
//     SomBlocks *blocks = som_blocks_create(tree, SOM_STR("Snake"));
//     int walk = som_blocks_find(blocks, SOM_STR("walk"), SOM_STR("")); // "": all of it
//     int second = som_blocks_find(blocks, SOM_STR("walk"), SOM_STR("1"));
//     for (int b = walk + 1; b < blocks->blocks[walk].end; b = blocks->blocks[b].end) { a child }
//     som_blocks_destroy(blocks);
//
// Blocks lie in preorder: a block's first child follows it, `end` is one after all that is in it. A
// block is an action with its clauses; what can be set in it are its fields, each a piece of the
// text. The path of a block says which child to go to from the whole of its behavior: "1/0" is the
// first child of the second. Block numbers are those of one text; paths survive edits elsewhere.
// A text with errors is read as far as it goes.
//
// Ownership: the tree is borrowed and must outlive the blocks.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "base/memory.h"
#include "compose/composition.h"
#include "language/som_syntax.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomBlockKind {
    SOM_BLOCK_ERROR, // what is no action
    SOM_BLOCK_SERIES,
    SOM_BLOCK_PARALLEL,
    SOM_BLOCK_ANY,
    SOM_BLOCK_CHOOSE, // its children are branches
    SOM_BLOCK_BRANCH, // CONDITION: child, or else: child
    SOM_BLOCK_EACH,   // for i in a..b: child
    SOM_BLOCK_REPEAT, // its one child
    SOM_BLOCK_IF,     // two children: then, else
    SOM_BLOCK_MOVE,
    SOM_BLOCK_POSE,
    SOM_BLOCK_TABLE,
    SOM_BLOCK_HOLD,
    SOM_BLOCK_WAIT,
    SOM_BLOCK_DOCK,
    SOM_BLOCK_CALL, // another behavior
    SOM_BLOCK_KINDS,
} SomBlockKind;

typedef enum SomFieldKind {
    SOM_FIELD_PLACE,     // the joint, dock, behavior or part that it is about
    SOM_FIELD_TO,        // the pose; the other connector of a dock
    SOM_FIELD_MODE,      // to, by, spin, follow; connect, disconnect
    SOM_FIELD_VALUE,     // of a move; the time of a wait
    SOM_FIELD_FILE,      // of a table, in quotes
    SOM_FIELD_ARGUMENT,  // of a behavior that is run
    SOM_FIELD_TIMES,     // of a repetition: a number, or forever
    SOM_FIELD_FROM,      // its first step
    SOM_FIELD_CONDITION, // of a branch or an if; of a branch also else
    SOM_FIELD_VARIABLE,  // of a for
    SOM_FIELD_FIRST,
    SOM_FIELD_LAST,
    SOM_FIELD_ONLY, // those numbers for which this holds
    // clauses; of a repetition `until` stands instead of the number
    SOM_FIELD_UNTIL,
    SOM_FIELD_WITHIN,
    SOM_FIELD_SPEED,
    SOM_FIELD_DURING,
    SOM_FIELD_TIMEOUT,
    SOM_FIELD_LATCH, // hold: done as soon as it is commanded
    SOM_FIELD_KINDS,
} SomFieldKind;

typedef struct SomBlockField {
    SomFieldKind kind;
    int block;
    int nth;     // of several of its kind
    SomStr name; // of an argument, if it is written
    SomNode node;
    SomSpan span; // of the value; the clause round it is the parent of the node
    SomStr text;
    bool is_literal;      // a number with its unit, perhaps with a sign; else a formula or name
    SomQuantity quantity; // of a literal, in SI
    SomStr unit;          // as written, empty if it has none
} SomBlockField;

typedef struct SomBlock {
    SomBlockKind kind;
    SomNode node;  // of the action without the clauses that stand round a list or call
    SomNode whole; // with them
    SomSpan span;  // of the whole
    int behavior;
    int parent; // -1: it is all of its behavior
    int end;    // one after the last block in it
    int child_count;
    int depth; // 0: all of its behavior
    int first_field, field_count;
    bool has_error; // of the grammar, in it
} SomBlock;

typedef struct SomBlocksBehavior {
    SomStr name;
    SomNode node;
    SomSpan span;  // of the statement
    SomStr params; // as written, with their parentheses
    int root;      // block; -1 where the text ends before
} SomBlocksBehavior;

typedef struct SomBlocks {
    const SomSyntax *tree;
    SomNode config; // 0: there is none of this name
    SomNode body;   // 0 where the text ends before
    SOM_ARRAY(SomBlocksBehavior) behaviors;
    SOM_ARRAY(SomBlock) items;
    SOM_ARRAY(SomBlockField) fields;
    const SomBlock *blocks; // those of items
    int block_count;
    SomArena arena;
} SomBlocks;

// The config of this name, in quotes or not, in the tree of a .som file; "" is the first.
SomBlocks *som_blocks_create(const SomSyntax *tree, SomStr config);
// Of the config that the composition is of; NULL if the text is no design.
SomBlocks *som_blocks_of(const SomComposition *composition);
void som_blocks_destroy(SomBlocks *blocks); // NULL is allowed

// -1 if there is none.
int som_blocks_find_behavior(const SomBlocks *blocks, SomStr name);
int som_blocks_find(const SomBlocks *blocks, SomStr behavior, SomStr path);
int som_blocks_child(const SomBlocks *blocks, int block, int index);
int som_blocks_at(const SomBlocks *blocks, uint32_t offset); // the innermost one there
int som_blocks_field(const SomBlocks *blocks, int block, SomFieldKind kind, int nth);

void som_blocks_print_path(const SomBlocks *blocks, int block, SomText *out);

// What a block says without what is in it, on one line and without comments: "repeat 3", "series",
// "head.tilt to 30deg timeout 2s". For titles and for searching.
void som_blocks_print(const SomBlocks *blocks, int block, SomText *out);

const char *som_block_kind_word(SomBlockKind kind); // "series", "move", "call"
const char *som_field_kind_word(SomFieldKind kind); // "timeout", "value"

// A list, whose children may be any number and any actions.
static inline bool som_block_is_list(SomBlockKind kind) {
    return kind == SOM_BLOCK_SERIES || kind == SOM_BLOCK_PARALLEL || kind == SOM_BLOCK_ANY;
}

// May a block of this kind have the clause? Others mean nothing there.
bool som_block_takes(SomBlockKind kind, SomFieldKind clause);

// ---- what may stand in a field

typedef struct SomFieldWish {
    bool is_known;     // false: of a formula or place nothing can be said
    bool is_condition; // tested while it runs, or when it is composed
    bool is_count;     // a whole number from 0
    SomDimension dimension;
    SomStr name; // of the parameter that an argument is for, else empty
    SomStr doc;
    // a parameter that stands for a joint or part; NULL: it is a value, or not known
    const SomParameter *place_of;
} SomFieldWish;

// With the composition that the blocks are of; NULL: by the text alone.
SomFieldWish som_blocks_field_wish(const SomBlocks *blocks, const SomComposition *composition,
                                   int field);

// A parameter of what a call runs that the call gives no value for.
typedef struct SomBlockParameter {
    SomStr name, doc;
    SomStr otherwise; // its default as written; empty if it must be given
    bool is_next;     // an argument behind the last is for it, also without the name
    const SomParameter *parameter;
} SomBlockParameter;

// The one of an index, in their order; false if there are no more.
bool som_blocks_left_out(const SomBlocks *blocks, const SomComposition *composition, int block,
                         int index, SomBlockParameter *out);

#ifdef __cplusplus
}
#endif
