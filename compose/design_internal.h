// compose/design_internal.h - what the operations of a designer share.
//
//     SomOperation op;
//     if (som_operation_begin(&op, design, config)) {
//         som_edits_remove(op.edits, node);
//     }
//     return som_operation_end(&op); // refused, or composed again and made
//
// An operation that was refused may be continued: all that follows has no effect.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/composition.h"
#include "compose/design_edit.h"
#include "compose/resolve_internal.h"

struct SomDesign {
    SomText path;
    SomText library;
    SomDocument *document;
    SomComposition *composed; // of the text and choice that were asked for last
    SomDiagnostics *refusal;
    uint32_t refusal_source1;
    SomText new_name;
};

typedef struct SomOperation {
    SomDesign *design;
    SomStr choice;
    SomWorkspace *workspace;
    const SomSyntax *tree; // of the text; the edits are of it
    SomEdits *edits;
    SomPartSource source; // the config
    SomNode config;
    SomNode body;
    const SomConfiguration *configuration; // NULL where there is no config yet
    SomComposition *next;                  // with the edits, when they were tried
    SomText new_choice;                    // of the configuration afterwards, if it is another
    bool is_refused;
} SomOperation;

// ---- design_edit.c

// Both begin: with a config, or with the file alone. False if it is refused.
bool som_operation_begin(SomOperation *op, SomDesign *design, SomStr config);
bool som_operation_begin_file(SomOperation *op, SomDesign *design);
// Composes the edited text; false if that is refused. For checks before the end.
bool som_operation_try(SomOperation *op);
// Tries if that was not done, and makes the change. False if it was refused.
bool som_operation_end(SomOperation *op);

// Returns false.
__attribute__((format(printf, 4, 5))) bool
som_operation_refuse(SomOperation *op, SomCode code, SomSpan span, const char *format, ...);
__attribute__((format(printf, 3, 4))) void som_operation_note(SomOperation *op, SomSpan span,
                                                              const char *format, ...);
int som_operation_line(const SomOperation *op, SomNode node);

// The statement of the config's body that a span of its file lies in; 0 if it is elsewhere.
SomNode som_operation_statement(const SomOperation *op, SomSpan span);

// Puts a statement where its kind stands in a config.
// The statement of a piece's base; 0 if none in this config says it.
SomNode som_operation_base(SomOperation *op, int piece);

void som_operation_add_statement(SomOperation *op, int kind, SomStr text);

// Prints a connector as the text says it; false after a refusal.
bool som_operation_connector(SomOperation *op, SomStr place, int *module, int *connector);
bool som_configuration_find_connector(const SomConfiguration *configuration, SomStr place,
                                      int *module, int *connector);

// Is the text a place and nothing else?
bool som_place_is_clean(SomStr text);

// ---- design_name.c

// Which names of a place are those of a part: calls `found` with each that names the part of the
// config, in the text of all configs of the file.
void som_operation_find_uses(SomOperation *op, SomPartSource config, SomStr part,
                             void (*found)(SomOperation *op, SomNode name, void *context),
                             void *context);

// A name that no part has: leg, leg2, …
void som_operation_unique_name(const SomOperation *op, SomStr wanted, SomText *out);
// "Chain3" is chain3 as a part.
void som_operation_name_of_reference(SomStr reference, SomText *out);
// "Snake(n = 3)" with another name of the config; nothing of "", which is the first one.
void som_choice_rename(SomStr choice, SomStr name, SomText *out);
// False after a refusal.
bool som_operation_check_name(SomOperation *op, SomStr name);

// ---- design_part.c

// An ITEM of the config: by its name, or by that of one part.
typedef struct SomItem {
    SomNode node;
    SomNode statement;
    SomStr name;      // without an index
    bool is_array;    // part s[n]
    bool is_one;      // of an array one part was named
    int part;         // of the configuration, -1 if all of an array
    SomStr reference; // as written
} SomItem;

bool som_operation_item(SomOperation *op, SomStr part, SomItem *item);

// Adds 'use' if the file does not see the definition of the reference. False after a refusal.
bool som_operation_use(SomOperation *op, SomStr reference, SomStr file, SomText *wanted_path);
// After a try: does the reference mean what is in the wanted file?
bool som_operation_check_use(SomOperation *op, SomStr reference, SomStr wanted_path);

bool som_reference_is_clean(SomStr reference, SomText *name);

// Adds a part with its connection, tries it, and checks what came of it. False after a refusal.
bool som_operation_add_part(SomOperation *op, const SomPartAddition *addition);

// Takes an ITEM out of a statement that has others.
void som_operation_remove_item(SomOperation *op, SomNode item);
// All behind one that stays, up to the last.
void som_operation_remove_items_behind(SomOperation *op, SomNode last_kept, SomNode last);

// ---- design_connect.c

bool som_operation_check_mating(SomOperation *op, SomStr a, SomStr b, SomMatingWish mating);
void som_mating_wish_print(SomMatingWish mating, SomText *out);

// ---- design_pose.c

// The pose, or another named statement, of the config itself; 0 if there is none.
SomNode som_operation_find_named(const SomOperation *op, int kind, SomStr name);
SomNode som_operation_find_pose(const SomOperation *op, SomStr name);

// What poses say of a part is said of another, too: all poses, or one.
void som_operation_copy_entries(SomOperation *op, const SomItem *from, SomStr to, SomStr only);

// A pose that there is says the value of a joint: `rest` is its place behind the part. The value is
// that of the joint itself; `dof` is any of its kind.
void som_operation_add_value(SomOperation *op, SomStr pose, SomStr part, SomStr rest, int dof,
                             double value);
