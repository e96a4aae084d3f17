// studio/findings_panel.h - what is wrong with a project, a line each; a click leads to the place.
//
//     GtkWidget *findings = som_findings_panel_new(project);
//     g_signal_connect(findings, "chosen", G_CALLBACK(on_finding), window);
//
// Text and posture together, by studio/findings.h; it follows the project by itself. A line about a
// module selects it; one about a place of the text says where that is. Where a fix is certain there
// is a button that makes it.
//
// Signal "chosen" (uint offset): a finding in the project's own text, by the byte it begins at.
// Signal "motion-chosen" (int finding): one of the motion.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/motion_record.h"
#include "studio/project.h"

#include <gtk/gtk.h>

#define SOM_TYPE_FINDINGS_PANEL (som_findings_panel_get_type())
G_DECLARE_FINAL_TYPE(SomFindingsPanel, som_findings_panel, SOM, FINDINGS_PANEL, GtkBox)

// The project must outlive the panel.
GtkWidget *som_findings_panel_new(SomProject *project);

// The motion whose findings are listed, too; held. NULL: none.
void som_findings_panel_set_motion(SomFindingsPanel *panel, SomMotionRecord *motion);

// For tests: how many lines there are, and doing what a click on one does.
int som_findings_panel_count(SomFindingsPanel *panel);
void som_findings_panel_choose(SomFindingsPanel *panel, int line);
