// exchange/urdf_read.h - what the files that read URDF share: a reader over a tree of elements.
//
// The tree is that of the file, or what xacro made of several. Half-written elements are told and
// the rest is read; what means nothing here is kept as it stands, to be written back. Warnings of
// which a file may have hundreds are counted, and told once with their first place:
//
//     som_tally_add(&reader->often[SOM_URDF_NO_FILES], uri, span);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/link_model.h"
#include "exchange/tally.h"
#include "exchange/xml.h"

// What is counted.
typedef enum SomUrdfOften {
    SOM_URDF_NO_FILES,     // of meshes
    SOM_URDF_OUTSIDE,      // files of meshes
    SOM_URDF_NO_MATERIALS, // that are named
    SOM_URDF_TEXTURES,
    SOM_URDF_MIMICS,
    SOM_URDF_NO_LIMITS,
    SOM_URDF_NO_BOUNDS,  // in a limit
    SOM_URDF_EXCHANGED,  // limits
    SOM_URDF_NO_RANGE,   // of joints with several axes
    SOM_URDF_NO_INERTIA, // beside a mass
    SOM_URDF_ZEROS,      // joints whose effort or velocity is 0
    SOM_URDF_ATTRIBUTES, // of known elements, that nobody knows
    SOM_URDF_ELEMENTS,   // in known elements that are not kept, likewise
    SOM_URDF_OFTEN_COUNT
} SomUrdfOften;

typedef struct SomUrdfMaterial {
    SomStr name;
    int node;
    double color[4];
} SomUrdfMaterial;

typedef struct SomUrdfReader {
    SomImporter *importer;
    const SomImportFile *file;
    const SomXml *xml;
    bool is_expanded; // places are those of macros: what is kept is printed from the tree
    int robot;        // element
    SomDiagnostics *diags;
    SomLinkModel model;
    SOM_ARRAY(SomUrdfMaterial) materials;
    SomTally often[SOM_URDF_OFTEN_COUNT];
    bool failed;
} SomUrdfReader;

// ---- urdf_elements.c

void som_urdf_report_often(SomUrdfReader *r); // all that was counted

// Reports something half-written, and how it was taken.
__attribute__((format(printf, 3, 4))) void som_urdf_half(SomUrdfReader *r, SomSpan span,
                                                         const char *format, ...);

// So many numbers of an attribute. False if it is not there, or after a report; values stay then.
bool som_urdf_read_numbers(SomUrdfReader *r, int node, const char *attribute, double *values,
                           int count);
bool som_urdf_read_number(SomUrdfReader *r, int node, const char *attribute, double *value);

// The child `origin` of an element.
SomPose som_urdf_read_origin(SomUrdfReader *r, int node);

// Adds the text of an element that is kept.
void som_urdf_keep(SomUrdfReader *r, int node, SomText *out);
SomStr som_urdf_finish_kept(SomUrdfReader *r, SomText *text); // frees the text

// Of a link or joint: the elements in it that nobody knows, as text. What nobody knows deeper in it
// cannot be kept, and is counted.
SomStr som_urdf_keep_parts(SomUrdfReader *r, int node);
bool som_urdf_is_in(SomStr word, const char *list); // of words with blanks between

// ---- urdf_shapes.c

void som_urdf_read_materials(SomUrdfReader *r);
void som_urdf_read_link_parts(SomUrdfReader *r, int node, SomModelLink *link);
