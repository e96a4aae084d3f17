// studio/inspector.h - what is selected of a project: the tree of its parts, and below it what can
// be said of the chosen one, its joints, and the poses of the configuration.
//
//     GtkWidget *inspector = som_inspector_new(project);
//     som_inspector_part(SOM_INSPECTOR(inspector)); // of the configuration; 0: the whole
//
// It listens to the project. A module that is selected elsewhere is shown as that module; in the
// tree a part of several modules can be chosen, too: then its first module is the project's
// selection.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/project.h"

#include <gtk/gtk.h>

#define SOM_TYPE_INSPECTOR (som_inspector_get_type())
G_DECLARE_FINAL_TYPE(SomInspector, som_inspector, SOM, INSPECTOR, GtkBox)

// The project is borrowed and must outlive the inspector.
GtkWidget *som_inspector_new(SomProject *project);

int som_inspector_part(const SomInspector *inspector);
