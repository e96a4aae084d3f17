// modules/m3l_reader_internal.h - what the files that give M3L its meaning share.
//
// A SomM3lReader walks the tree of one file and fills the arrays of a SomM3l. Nodes in which the
// parser found an error are passed over in silence; every other mistake is reported where it
// stands.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "language/unit.h"
#include "modules/m3l.h"
#include "modules/m3l_syntax.h"
#include "modules/name_table_internal.h"

// Far more than any library has; a file with more is reported once and the rest is left out.
#define SOM_M3L_MAX_TYPES 1000
#define SOM_M3L_MAX_RULES 1024
#define SOM_M3L_MAX_PROPERTIES 64
#define SOM_M3L_MAX_SUSPECTS 100

// No module is larger than this many metres; beyond it squares lose all meaning. No mass, force,
// gain or time has that many kilograms, newtons, ...
#define SOM_M3L_LARGEST 1e9
#define SOM_M3L_LARGEST_OPTION 1e15

// Elementary steps that all inference of one file may take: a second or so.
#define SOM_M3L_MAX_STEPS 5000000

// Points of all hulls and convex shapes of one file: a second or so, too.
#define SOM_M3L_MAX_HULL_POINTS 200000

// A property that may be a misspelt attribute, unless some condition asks for it.
typedef struct SomM3lSuspect {
    SomStr name;
    SomSpan span;
    SomStr near;
} SomM3lSuspect;

typedef struct SomM3lReader {
    const SomSyntax *tree;
    SomDiagnostics *diags;
    SomArena *arena;
    SomM3l *m3l;
    double unit; // metres per plain number, of the module being read
    SomNameTable type_names;
    SomNameTable rule_names;
    SomNameTable robot_names;
    SomNameTable property_names; // for which conditions ask
    SOM_ARRAY(SomM3lSuspect) suspects;
    bool has_bad_rule;     // a connection was left out, so what cannot be mated proves nothing
    const int *no_matings; // zeros for every pair of connectors; NULL until needed
    SomNode frame_before;  // that of the robot before, 0 if it has none; "..." takes it
    uint64_t steps_left;
    int hull_points_left;
} SomM3lReader;

// ---- modules/m3l_value.c: names, attributes and values

SomSpan som_m3l_span(const SomM3lReader *r, SomNode node); // no place for node 0
bool som_m3l_is(const SomM3lReader *r, SomNode node, SomM3lKind kind);

// The name in a NAME, STRING or one-part REFERENCE node; empty if it is none of these.
SomStr som_m3l_name(SomM3lReader *r, SomNode node);

// The node of a definition's name, and the name; 0 where there is none, which is reported.
SomNode som_m3l_require_name(SomM3lReader *r, SomNode definition, SomStr *name);

SomStr som_m3l_keyword(const SomM3lReader *r, SomNode definition);    // "point"
SomNode som_m3l_name_node(const SomM3lReader *r, SomNode definition); // 0 if it has none

// Parts of a REFERENCE: count, and the n-th (NAME or NESTED), 0 if there are fewer.
SomNode som_m3l_part(const SomM3lReader *r, SomNode reference, int n);
int som_m3l_part_count(const SomM3lReader *r, SomNode reference);

// The elements of a tuple, range or call, `max` at most; returns how many there are. A value that
// is no tuple counts as a tuple of one: grouping=c1.
int som_m3l_items(const SomM3lReader *r, SomNode value, SomNode *items, int max);
SomNode som_m3l_first_item(const SomM3lReader *r, SomNode value);
SomNode som_m3l_next_item(const SomM3lReader *r, SomNode value, SomNode item);

// Attributes of a definition. `known` ends with NULL; what is not in it, or twice there, is
// reported.
void som_m3l_check_attributes(SomM3lReader *r, SomNode definition, const char *const *known);
SomNode som_m3l_attribute(const SomM3lReader *r, SomNode definition, const char *name); // 0 if none
SomStr som_m3l_attribute_name(SomM3lReader *r, SomNode attribute);

// The value of an attribute; 0, and with `required` a report, if there is none.
SomNode som_m3l_value(SomM3lReader *r, SomNode definition, const char *name, bool required);
SomNode som_m3l_value_of(const SomM3lReader *r, SomNode attribute);

// Readers of values. Each reports what is wrong and returns false, with the result untouched. Plain
// numbers are SI, of a length in the module's unit; `min` is the least value allowed.
bool som_m3l_read_quantity(SomM3lReader *r, SomNode value, SomQuantity *result);
bool som_m3l_read_number(SomM3lReader *r, SomNode value, SomDimensionName dimension,
                         double *result);
bool som_m3l_read_vector(SomM3lReader *r, SomNode value, SomDimensionName dimension,
                         SomVec3 *result);
bool som_m3l_read_text(SomM3lReader *r, SomNode value, SomStr *result);

// The attributes `urdf` and `sdf`: a text, or several, each a line.
void som_m3l_read_kept(SomM3lReader *r, SomNode definition, SomKeptText *kept);
// origin and direction of an AXIS definition
bool som_m3l_read_axis(SomM3lReader *r, SomNode definition, SomVec3 *origin, SomVec3 *direction);

// An optional attribute with a number that may not be negative (or, with is_positive, zero).
void som_m3l_read_option(SomM3lReader *r, SomNode definition, const char *name,
                         SomDimensionName dimension, bool is_positive, double *result);

// Names that stand in an array of structs.
typedef struct SomM3lNames {
    const SomStr *first;
    size_t stride;
    int count;
} SomM3lNames;

#define SOM_M3L_NAMES(data, field, count)                                                          \
    ((SomM3lNames){(count) > 0 ? &(data)->field : NULL, sizeof *(data), (count)})

// "no link is called 'x'", with the nearest name as a fix-it.
void som_m3l_report_unknown(SomM3lReader *r, SomNode node, const char *what, SomStr name,
                            SomM3lNames near);
void som_m3l_report_value(SomM3lReader *r, SomNode node, const char *needs);

// A copy of `count` elements of a growing array, in the arena.
#define som_m3l_keep(r, T, array)                                                                  \
    ((T *)som_m3l_keep_bytes((r), (array).data, (array).count, sizeof(T)))
void *som_m3l_keep_bytes(SomM3lReader *r, const void *data, int count, size_t size);

// Takes steps from those left; false if there are not as many.
bool som_m3l_spend(SomM3lReader *r, int steps);

// ---- modules/m3l_connector.c: attributes of points, which may have any

void som_m3l_check_properties(SomM3lReader *r, SomNode definition);
void som_m3l_report_suspects(SomM3lReader *r); // when all conditions are known

// ---- the three kinds of definitions

void som_m3l_read_module(SomM3lReader *r, SomNode definition, const SomNode *members,
                         int member_count, SomModuleType *type);
// Its name and span are in rules[0]; there must be room for one. Returns how many were made: one
// for each pair of modules that the members stand for, 0 after an error.
int som_m3l_read_rules(SomM3lReader *r, SomNode definition, SomConnectionRule *rules, int max);
void som_m3l_read_robot(SomM3lReader *r, SomNode definition, SomRobot *robot);
