// exchange/kept_plugins.h - plugins among the elements that imported module types keep.
//
// A plugin is a program that a simulator loads, chosen by whoever wrote the file. An import keeps
// and reports it, an export leaves it out unless it is asked for, and nothing here ever loads one.
// An <include> is treated likewise, as the model it names can have plugins. Somite's own player is
// not meant, which every export with a behavior has; only the file that a
// kept one would write its trace to is left out likewise.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/xml.h"
#include "exchange/xml_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

struct SomImporter;
struct SomConfiguration;

// Somite's own player?
bool som_kept_is_player(const SomXml *xml, int node);

// Writes an element that was kept; without plugins, unless the writer has `has_plugins`.
void som_kept_write(SomXmlWriter *out, SomStr element);

// Reports the plugins in an element that an import keeps, those of one name and file once.
void som_kept_report(struct SomImporter *importer, const SomXml *xml, int node);

// Reports the plugins that are kept for URDF, or for SDF, and are left out of an export.
void som_kept_report_left_out(const struct SomConfiguration *design, bool is_urdf,
                              SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
