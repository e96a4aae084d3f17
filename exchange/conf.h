// exchange/conf.h - configurations of the SMORES lab: `.conf` files.
//
//     SomLabModel model = {0};
//     if (som_conf_read(importer, &file, &model)) { … som_lab_derive … }
//     som_lab_free(&model);
//
// A configuration has `modules`, each with a name, a position of 6 numbers (x y z roll pitch yaw)
// or 7 (x y z and the quaternion w x y z) and four joints, and `connections` of two modules with
// nodes (faces), distance and angle. In the oldest files these two are roots.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/lab_model.h"
#include "exchange/xml.h"

#ifdef __cplusplus
extern "C" {
#endif

// Reads modules and connections; rolls and gaps are left to som_lab_derive. False after a report.
bool som_conf_read(SomImporter *importer, const SomImportFile *file, SomLabModel *model);

// ---- shared with structures

// What one element is read with.
typedef struct SomConfReader {
    SomImporter *importer;
    const SomXml *xml;
    SomDiagnostics *diags;
    bool failed;
} SomConfReader;

// The child of that name; if there is none, -1 after a report.
int som_conf_need(SomConfReader *reader, int node, const char *name);

// The text of the child `name`, which is a name; empty after a report.
SomStr som_conf_name(SomConfReader *reader, int node, const char *name, SomSpan *span);

// Numbers of the child `name`: at least `low`, at most `high` of them, none larger than `limit`.
// Returns how many, 0 after a report. Where the child may be missing, `low` is 0.
int som_conf_numbers(SomConfReader *reader, int node, const char *name, int low, int high,
                     double limit, double *values);

// The number of the face in the child `name`; -1 after a report.
int som_conf_face(SomConfReader *reader, int node, const char *name);

// Distance and angle of a connection or link.
void som_conf_offsets(SomConfReader *reader, int node, SomLabConnection *connection);

// Warns of children that are none of `names`, which ends with NULL.
void som_conf_ignore_others(SomConfReader *reader, int node, const char *const *names);

#ifdef __cplusplus
}
#endif
