// studio/application.h - the running studio: its windows, what it remembers, and unsaved work.
//
//     SomApplication *application = som_application_new(true);
//     int status = g_application_run(G_APPLICATION(application), argc, argv);
//
// One studio serves a session: a second one that is started hands its files to the first and
// leaves. Windows work without an application, too, as those of tests do; then nothing is
// remembered.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/drafts.h"

#include <adwaita.h>

#define SOM_TYPE_APPLICATION (som_application_get_type())
G_DECLARE_FINAL_TYPE(SomApplication, som_application, SOM, APPLICATION, AdwApplication)

// On its own if it is not to be shared with others that run.
SomApplication *som_application_new(bool is_shared);

// Whether a design that was named could not be opened, or nothing could be drawn.
bool som_application_has_failed(SomApplication *application);

// NULL if unsaved work can't be kept.
SomDrafts *som_application_drafts(SomApplication *application);

// What is left of studios that were killed. Borrowed.
const SomDraft *som_application_recovered(SomApplication *application, int *count);

// It was restored or is not wanted: it is offered no more.
void som_application_forget(SomApplication *application, const SomDraft *draft);

// A number or word that is remembered until the next time: "width".
int som_application_remembered(SomApplication *application, const char *name, int otherwise);
void som_application_remember(SomApplication *application, const char *name, int value);
