// SPDX-License-Identifier: Apache-2.0
#include "studio/severity_icon.h"

#include "studio/widgets.h"

SomSeverityLook som_severity_look(SomSeverity severity) {
    switch (severity) {
    case SOM_ERROR:
        return (SomSeverityLook){"dialog-error-symbolic", "error", "error"};
    case SOM_WARNING:
        return (SomSeverityLook){"dialog-warning-symbolic", "warning", "warning"};
    case SOM_NOTE:
        break;
    }
    return (SomSeverityLook){"dialog-information-symbolic", "accent", "note"};
}

SomSeverityLook som_severity_verdict_look(SomSeverity severity) {
    return severity == SOM_NOTE
               ? (SomSeverityLook){"object-select-symbolic", "success", "all is well"}
               : som_severity_look(severity);
}

void som_severity_look_apply(SomSeverityLook look, GtkImage *image) {
    static const char *const all[] = {"error", "warning", "accent", "success"};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        gtk_widget_remove_css_class(GTK_WIDGET(image), all[i]);
    }
    gtk_widget_add_css_class(GTK_WIDGET(image), look.css_class);
    gtk_image_set_from_icon_name(image, look.icon);
    som_set_accessible_name(image, look.word);
}
