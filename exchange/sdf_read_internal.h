// exchange/sdf_read_internal.h - what the files that read SDF share.
//
// A model, and those nested in it or included by it, become one list of frames: models, links,
// joints and frames of their own, each with the frame that its pose is relative to. Scopes are
// where names are looked up; a model that is merged into another has its names there.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/link_model.h"
#include "exchange/xml.h"

#define SOM_SDF_MAX_FRAMES 4096
#define SOM_SDF_MAX_FILES 256   // included
#define SOM_SDF_MAX_INCLUDES 10 // in each other
#define SOM_SDF_MAX_KEPT 256    // shapes of a link that are kept
#define SOM_SDF_MAX_KINDS 16    // of elements that one warning names

typedef struct SomSdfDoc {
    SomImportFile file;
    SomXml *xml;
    int minor; // 9 is SDF 1.9
} SomSdfDoc;

// An element of one of the files.
typedef struct SomSdfElement {
    int doc;
    int node; // -1: none
} SomSdfElement;

typedef enum SomSdfKind {
    SOM_SDF_MODEL,
    SOM_SDF_LINK,
    SOM_SDF_JOINT,
    SOM_SDF_FRAME,
} SomSdfKind;

typedef struct SomSdfFrame {
    SomSdfKind kind;
    SomStr name;  // in its scope; empty: of a model that is merged, which nobody names
    SomStr whole; // with those of the models it is in: arm_elbow
    int scope;    // that it is named in
    int inner;    // model: the scope of what is in it
    SomSdfElement at;
    SomSdfElement include; // model: the element that includes it
    int relative_to;       // -1: the model itself, at the top
    int attached_to; // joint: its child, frame: what it is attached to, model: its link; -1: none
    int parent;      // joint: -1 is the world
    SomPose raw;     // in relative_to
    SomPose pose;    // in the model at the top
    int state;       // 0 open, 1 at work, 2 done
    int link;        // of the model that is made
} SomSdfFrame;

typedef struct SomSdfScope {
    int names; // scope with whose names these are: itself, or that it is merged into
    int parent;
    int frame; // __model__
    int depth; // of includes
} SomSdfScope;

// Elements of one fate, counted.
typedef struct SomSdfTally {
    SomStr name; // of the first
    SomSpan span;
    int count;
} SomSdfTally;

// Elements of one fate by their names, so that each kind is told once.
typedef struct SomSdfTallies {
    SomSdfTally kinds[SOM_SDF_MAX_KINDS];
    int count;
    int others; // of more kinds than are told
} SomSdfTallies;

typedef struct SomSdfReader {
    SomImporter *importer;
    SomDiagnostics *diags;
    bool failed;
    SOM_ARRAY(SomSdfDoc) docs;
    SOM_ARRAY(SomSdfScope) scopes;
    SOM_ARRAY(SomSdfFrame) frames;
    SomText kept; // elements of the model at the top
    SomSdfTallies kept_tally, left_out;
    SomSdfTallies of_shapes; // of the link at hand: what of its shapes means nothing here
    SomSdfTally no_inertia, computed_inertia, geometry, frictions;
    SOM_ARRAY(double) densities; // of the link's collisions; NAN where none is given
    SomLinkModel model;
} SomSdfReader;

// ---- sdf_element.c

const SomXmlNode *som_sdf_node(const SomSdfReader *r, SomSdfElement e);
SomSdfElement som_sdf_child(const SomSdfReader *r, SomSdfElement e, const char *name); // "" any
SomSdfElement som_sdf_next(const SomSdfReader *r, SomSdfElement e, const char *name);
SomStr som_sdf_attribute(const SomSdfReader *r, SomSdfElement e, const char *name);
SomStr som_sdf_text(const SomSdfReader *r, SomSdfElement e, const char *child); // empty: none
bool som_sdf_is(const SomSdfReader *r, SomSdfElement e, const char *name);
bool som_sdf_is_one_of(const SomSdfReader *r, SomSdfElement e, const char *const *names); // to NULL
bool som_sdf_is_true(const SomSdfReader *r, SomSdfElement e, const char *child);

// So many numbers; false, after a report, if there are others. What is missing leaves `values`.
bool som_sdf_numbers(SomSdfReader *r, SomSdfElement e, const char *child, int count,
                     double *values);
double som_sdf_number(SomSdfReader *r, SomSdfElement e, const char *child, double otherwise);

// The pose in an element, and what it says it is relative to.
SomPose som_sdf_pose(SomSdfReader *r, SomSdfElement e, SomStr *relative_to);
// sdf_shape.c: that of an element in a link, whatever frame it is given in.
SomPose som_sdf_pose_in_link(SomSdfReader *r, SomSdfElement e, int link);

// A name that M3L can have; empty after a report.
SomStr som_sdf_name(SomSdfReader *r, SomSdfElement e, const char *of);

void som_sdf_count(SomSdfTally *tally, SomStr name, SomSpan span);
void som_sdf_count_kind(SomSdfTallies *tallies, SomStr name, SomSpan span);
void som_sdf_count_kinds(SomSdfTallies *to, const SomSdfTallies *from);
// The children of an element that have none of these names (NULL ends them).
void som_sdf_count_others(const SomSdfReader *r, SomSdfElement e, const char *const *known,
                          SomSdfTallies *tallies);
void som_sdf_fail(SomSdfReader *r, SomCode code, SomSpan span, const char *words, SomStr name);

// Keeps an element as it is written, behind what is kept already.
void som_sdf_keep(SomSdfReader *r, SomSdfElement e, SomText *kept);

// ---- sdf_include.c

// A file, read; -1 after a report.
int som_sdf_add(SomSdfReader *r, const SomImportFile *file);
// The model that an <include> means; node -1 after a report, an error if it `must` be there.
SomSdfElement som_sdf_include(SomSdfReader *r, SomSdfElement include, bool must);

// ---- sdf_frames.c

// All frames of a model, placed. False after a report.
bool som_sdf_gather(SomSdfReader *r, SomSdfElement model, SomSdfElement include);
// As the model says, or who includes it.
bool som_sdf_is_static(const SomSdfReader *r, SomSdfElement model, SomSdfElement include);
// What an <include> gives the model beside its place and name.
void som_sdf_leave_out_of_include(SomSdfReader *r, SomSdfElement include);
// -1 if there is none.
int som_sdf_find(const SomSdfReader *r, int scope, SomStr name);
// The link that a frame moves with; -1 if there is none.
int som_sdf_link_of(const SomSdfReader *r, int frame);

// ---- sdf_shape.c

// False if nothing can be made of it.
bool som_sdf_read_geometry(SomSdfReader *r, SomSdfElement of, SomModelShape *shape);
// Leaves a color that is not given.
void som_sdf_read_color(SomSdfReader *r, SomSdfElement visual, double color[4]);

// Shapes that touch and that are seen; what is kept of them goes behind what is kept of the link.
void som_sdf_read_shapes(SomSdfReader *r, SomSdfElement at, int frame, SomModelLink *link,
                         SomText *kept);

// ---- sdf_link.c

// Of a link: mass, shapes, looks and kept elements.
void som_sdf_read_link(SomSdfReader *r, int frame);

// ---- sdf_joint.c

void som_sdf_read_joint(SomSdfReader *r, int frame, int world);
