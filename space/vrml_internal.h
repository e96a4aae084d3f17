// space/vrml_internal.h - the text of a VRML97 file as nodes with fields, for the readers of
// meshes.
//
//     SomVrmlNode node;
//     size_t values[2]; // where the values of these fields stand; NOWHERE if they are not given
//     if (som_vrml_enter(vrml, at, &node) && som_vrml_find_fields(vrml, &node, names, values, 2))
//
// Nothing is built: a node is a place in the text, and USE is the place of what it names, always an
// earlier and whole one, so that nothing can hold itself. Brackets are matched once, before
// anything else, so that what nobody knows is skipped at no cost.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/mesh_internal.h"

#define SOM_VRML_MAX_DEPTH 200
#define SOM_VRML_MAX_BRACKETS 4000000
#define SOM_VRML_MAX_USED_BYTES ((size_t)64 << 20) // of text that is read again by USE

// A pair in the text; `end` is behind the second one.
typedef struct SomVrmlBracket {
    uint32_t begin, end;
} SomVrmlBracket;

// What DEF names: the node that follows at `begin`, whose '{' is this bracket.
typedef struct SomVrmlName {
    SomStr name;
    uint32_t begin;
    int bracket;
} SomVrmlName;

typedef struct SomVrml {
    SomMeshReader *reader;
    SOM_ARRAY(SomVrmlBracket) brackets; // in the order of the text
    SOM_ARRAY(SomVrmlName) names;       // by name, then by place
    size_t used_bytes;
} SomVrml;

// An empty type is NULL, which has no body.
typedef struct SomVrmlNode {
    SomStr type;
    size_t body; // its '{'
    size_t end;  // behind its '}'
} SomVrmlNode;

// Checks the first line, matches brackets and finds names; complains and says false. Free it
// anyway.
bool som_vrml_open(SomVrml *vrml, SomMeshReader *reader);
void som_vrml_free(SomVrml *vrml);

// A word, a string with its quotes, or one of {}[]; empty at the end. Commas and comments are
// blanks.
SomStr som_vrml_next(const SomVrml *vrml, size_t *at);
bool som_vrml_is(SomStr token, const char *word);

// The node at a place, itself or by USE.
bool som_vrml_enter(SomVrml *vrml, size_t at, SomVrmlNode *node);

// Where the values of fields begin; SOM_MESH_NOWHERE for those that are not given.
bool som_vrml_find_fields(SomVrml *vrml, const SomVrmlNode *node, const char *const *names,
                          size_t *values, int count);

// *at behind the value of a field, whatever its type, or behind a node.
bool som_vrml_skip_value(SomVrml *vrml, size_t *at);

// *at behind a ROUTE, PROTO or EXTERNPROTO, if `token`, which ends there, begins one.
bool som_vrml_skip_statement(SomVrml *vrml, SomStr token, size_t *at, bool *skipped);

// Numbers of a field from `at` on, up to `count` of them; what is not given stays.
bool som_vrml_read_numbers(SomVrml *vrml, size_t at, double *numbers, int count);
bool som_vrml_read_flag(SomVrml *vrml, size_t at, bool *flag);

// A list of numbers, or one number without brackets. False at its end, or after a complaint, which
// reader->complaint then has.
typedef struct SomVrmlList {
    size_t at;
    bool has_brackets;
} SomVrmlList;

SomVrmlList som_vrml_list(const SomVrml *vrml, size_t at);
bool som_vrml_next_number(SomVrml *vrml, SomVrmlList *list, double *number);

// The surface of a geometry node, at `place`, which need not be a rotation. A node that has none is
// left out with a warning.
bool som_vrml_add_geometry(SomVrml *vrml, const SomVrmlNode *node, const SomPose *place);
void som_vrml_leave_out(SomVrml *vrml, const SomVrmlNode *node);
