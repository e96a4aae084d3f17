// exchange/xacro_internal.h - what the files that expand xacro share: values, names and scopes.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/tally.h"
#include "exchange/xacro.h"

typedef enum SomXacroKind {
    SOM_XACRO_NUMBER,
    SOM_XACRO_TRUTH,
    SOM_XACRO_TEXT,
    SOM_XACRO_NONE,
    SOM_XACRO_LIST,
    SOM_XACRO_DICT,
} SomXacroKind;

typedef struct SomXacroValue {
    SomXacroKind kind;
    double number;   // of a truth 0 or 1
    bool is_integer; // it was written without a point
    SomStr text;
    const struct SomXacroItem *items; // of a list or dict; they live as long as the result
    int count;
} SomXacroValue;

typedef struct SomXacroItem {
    SomXacroValue key; // of a dict; the last of a key counts
    SomXacroValue value;
} SomXacroItem;

// A property, a parameter, an argument of the file or a block.
typedef struct SomXacroSymbol {
    SomStr name;
    SomSpan span;
    SomStr raw; // as it was written; evaluated when it is first needed
    bool is_evaluated, is_open;
    bool is_given, is_needed; // of an argument: from outside; by the file
    SomXacroValue value;
    bool is_block;
    const SomXml *xml; // of a block: the element that was given, or that holds it
    int node;
    bool is_content; // what is in the element, not itself
} SomXacroSymbol;

// That of a macro is within that of its caller.
typedef struct SomXacroScope {
    struct SomXacroScope *outer;
    SOM_ARRAY(SomXacroSymbol) symbols;
} SomXacroScope;

typedef struct SomXacroMacro {
    SomStr name;
    const SomXml *xml;
    int node;
    const SomImportFile *file;
    SomStr prefix; // that xacro has in its file
} SomXacroMacro;

typedef struct SomXacroFile {
    SomImportFile file;
    SomXml *xml;
    bool is_open; // it is being expanded
} SomXacroFile;

// A file of YAML, read once.
typedef struct SomXacroTable {
    SomStr path;
    SomXacroValue value;
} SomXacroTable;

typedef struct SomXacro {
    SomImporter *importer;
    SomDiagnostics *diags;
    SomXml *out;
    SOM_ARRAY(SomXmlNode) nodes;
    SOM_ARRAY(SomXmlAttribute) attributes;
    SomXacroScope arguments; // of files: $(arg …)
    SOM_ARRAY(SomXacroMacro) macros;
    SOM_ARRAY(SomXacroFile *) files;
    SOM_ARRAY(SomXacroTable) tables;
    const SomImportFile *file; // that is being read, and …
    SomStr prefix;             // … what stands before elements of xacro in it
    SomTally variables;        // of the environment whose values were used
    int depth;
    int includes; // so far
    int notes;    // where macros were called that failed
    SomSpan at;   // what is evaluated, for what is told without a place
    size_t text_length, steps;
    bool failed;
} SomXacro;

// An element with its file, in which it is read.
typedef struct SomXacroSource {
    const SomXml *xml;
    int node;
} SomXacroSource;

// Where what is expanded goes: an element of the result, and the words directly in it.
typedef struct SomXacroTarget {
    int parent;
    SomText *words;
} SomXacroTarget;

// ---- xacro.c

// Everything in an element, with the words between. `is_foreign`: it is in another program's block.
void som_xacro_expand_inside(SomXacro *x, SomXacroScope *scope, SomXacroSource source,
                             SomXacroTarget to, bool is_foreign);
// An element of the result, without attributes and children.
int som_xacro_add_node(SomXacro *x, const SomXmlNode *from, SomXacroTarget to);
// The value of an attribute, as it is written; empty after a report.
SomStr som_xacro_need(SomXacro *x, SomXacroSource source, const char *name);

// ---- xacro_macro.c

const SomXacroMacro *som_xacro_find_macro(const SomXacro *x, SomStr name); // NULL if none
void som_xacro_call(SomXacro *x, SomXacroScope *scope, SomXacroSource call, SomXacroTarget to,
                    bool is_foreign);
void som_xacro_insert_block(SomXacro *x, SomXacroScope *scope, SomXacroSource source,
                            SomXacroTarget to, bool is_foreign);

// ---- xacro_text.c

// Reports and stops everything.
__attribute__((format(printf, 4, 5))) void som_xacro_fail(SomXacro *x, SomCode code, SomSpan span,
                                                          const char *format, ...);
// Likewise, of a file that was not found.
void som_xacro_fail_missing(SomXacro *x, SomSpan span, SomStr name);
// Counts what was done; false after a report if it was too much.
bool som_xacro_spend(SomXacro *x, size_t text, size_t steps, SomSpan span);
SomStr som_xacro_copy(SomXacro *x, SomStr text, SomSpan span); // counted

// By name, from the inner scope outwards; blocks have a set of names of their own. NULL if none.
SomXacroSymbol *som_xacro_find(SomXacro *x, SomXacroScope *scope, SomStr name, bool is_block,
                               SomXacroScope **owner);
void som_xacro_define(SomXacro *x, SomXacroScope *scope, const SomXacroSymbol *symbol);
bool som_xacro_value_of(SomXacro *x, SomXacroScope *scope, SomStr name, SomXacroValue *value);

// A text with ${…} and $(…) in it: a number where it is one ${…} that is one.
SomXacroValue som_xacro_evaluate(SomXacro *x, SomXacroScope *scope, SomStr text, SomSpan span);
SomStr som_xacro_evaluate_text(SomXacro *x, SomXacroScope *scope, SomStr text, SomSpan span);

// ---- xacro_values.c

SomXacroValue som_xacro_number(double number, bool is_integer);
SomXacroValue som_xacro_truth(bool truth);
SomXacroValue som_xacro_text(SomStr text);
SomXacroValue som_xacro_literal(SomStr text); // what it means where it is no expression
// A list or dict with copies of the items.
SomXacroValue som_xacro_collect(SomXacro *x, SomXacroKind kind, const SomXacroItem *items,
                                int count, SomSpan span);

bool som_xacro_is_number(const SomXacroValue *value); // or true or false
bool som_xacro_is_true(const SomXacroValue *value);
bool som_xacro_equal(SomXacro *x, const SomXacroValue *a, const SomXacroValue *b);
// Of a list or dict, by index or key; NULL if there is none.
const SomXacroValue *som_xacro_find_item(SomXacro *x, const SomXacroValue *value,
                                         const SomXacroValue *key);
// Whether it is in a list or text, or a key of a dict.
bool som_xacro_contains(SomXacro *x, const SomXacroValue *value, const SomXacroValue *wanted);
// Two texts or two lists.
SomXacroValue som_xacro_join(SomXacro *x, const SomXacroValue *a, const SomXacroValue *b,
                             SomSpan span);
// A part of a list or text, NULL where it begins or ends with it; false if there is no such thing.
bool som_xacro_slice(SomXacro *x, SomXacroValue *value, const SomXacroValue *begin,
                     const SomXacroValue *end, SomSpan span);
SomStr som_xacro_print(SomXacro *x, const SomXacroValue *value, SomSpan span); // as Python does

// ---- xacro_function.c

#define SOM_XACRO_MAX_ARGUMENTS 32

typedef struct SomXacroCall {
    SomStr name;
    SomXacroValue values[SOM_XACRO_MAX_ARGUMENTS];
    SomStr names[SOM_XACRO_MAX_ARGUMENTS]; // of arguments that have one: dict(a=1)
    int count;
    SomSpan span;
} SomXacroCall;

// The powers that are the same on every machine: whole ones, and roots. False for others.
bool som_xacro_raise(const SomXacroValue *base, const SomXacroValue *power, SomXacroValue *result);
// False, with the reason, if the function or its arguments are not understood.
bool som_xacro_apply(SomXacro *x, const SomXacroCall *call, SomXacroValue *result, SomText *why);
// The same of what belongs to a text: 'a b'.split().
bool som_xacro_apply_to_text(SomXacro *x, SomStr text, const SomXacroCall *call,
                             SomXacroValue *result, SomText *why);

// ---- xacro_yaml.c

// A file, found as those that are included are. None after a report.
SomXacroValue som_xacro_load_yaml(SomXacro *x, SomStr name, SomSpan span);

// ---- xacro_expression.c

SomXacroValue som_xacro_calculate(SomXacro *x, SomXacroScope *scope, SomStr expression,
                                  SomSpan span);
