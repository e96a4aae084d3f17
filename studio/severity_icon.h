// studio/severity_icon.h - how severities look: icon, colour, and word for who does not see them.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic_code.h"

#include <gtk/gtk.h>

typedef struct SomSeverityLook {
    const char *icon;
    const char *css_class; // of Adwaita: "error", "warning", "success"
    const char *word;
} SomSeverityLook;

// Of a finding: a note is a piece of information.
SomSeverityLook som_severity_look(SomSeverity severity);
// Of everything together: a note means that all is well.
SomSeverityLook som_severity_verdict_look(SomSeverity severity);

// Puts the look on an image, in place of another one.
void som_severity_look_apply(SomSeverityLook look, GtkImage *image);
