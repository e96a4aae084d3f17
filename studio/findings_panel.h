// studio/findings_panel.h - what is wrong with a project, a line each; a click leads to the place.
//
//     GtkWidget *findings = som_findings_panel_new(project);
//     g_signal_connect(findings, "chosen", G_CALLBACK(on_finding), window);
//     som_findings_panel_refresh(SOM_FINDINGS_PANEL(findings));
//
// Signal "chosen" (uint offset): a finding in the project's own text, by the byte it begins at.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/project.h"

#include <gtk/gtk.h>

#define SOM_TYPE_FINDINGS_PANEL (som_findings_panel_get_type())
G_DECLARE_FINAL_TYPE(SomFindingsPanel, som_findings_panel, SOM, FINDINGS_PANEL, GtkBox)

// The project is borrowed and must outlive the panel.
GtkWidget *som_findings_panel_new(SomProject *project);

// After a change of the project.
void som_findings_panel_refresh(SomFindingsPanel *panel);
