// exchange/timor_internal.h - what the readers of a set of Timor's modules share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/timor.h"

typedef struct SomTimorSet {
    SomImporter *importer;
    const SomImportFile *file;
    SomDiagnostics *diags;
    SomJsonIgnored ignored;
    SOM_ARRAY(SomTimorConnector) connectors; // of the module being read, as the model has them
} SomTimorSet;

// A name that is one line; empty after a report.
SomStr som_timor_need_name(SomTimorSet *set, const SomJson *object, const char *key);

// Identity where there is none. False after a report.
bool som_timor_take_pose(SomTimorSet *set, const SomJson *object, const char *key, SomPose *pose);

// ---- timor_body.c

// Adds a link and its connectors to the model. False after a report.
bool som_timor_read_body(SomTimorSet *set, const SomJson *json, SomLinkModel *model);
