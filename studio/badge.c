// SPDX-License-Identifier: Apache-2.0
#include "studio/badge.h"

#include "studio/findings.h"
#include "studio/severity_icon.h"

#define PATIENCE 400  // milliseconds that the last verdict stays before it says "checking…"
#define MOST_LISTED 8 // findings in the tooltip

struct _SomBadge {
    GtkButton parent_instance;
    SomProject *project;
    GtkImage *icon;
    GtkLabel *label;
    guint timer; // runs while a verdict is awaited; 0: none
    bool has_words, is_muted;
};

G_DEFINE_FINAL_TYPE(SomBadge, som_badge, GTK_TYPE_BUTTON)

const char *som_badge_words(SomBadge *badge) {
    return gtk_label_get_text(badge->label);
}

static void show(SomBadge *badge, bool has_words) {
    badge->has_words = has_words;
    gtk_widget_set_visible(GTK_WIDGET(badge), has_words && !badge->is_muted);
}

void som_badge_set_muted(SomBadge *badge, bool is_muted) {
    badge->is_muted = is_muted;
    show(badge, badge->has_words);
}

static void show_words(SomBadge *badge, const char *words, SomSeverityLook look) {
    gtk_label_set_text(badge->label, words);
    som_severity_look_apply(look, badge->icon);
    gtk_accessible_update_property(GTK_ACCESSIBLE(badge), GTK_ACCESSIBLE_PROPERTY_LABEL, words,
                                   GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, look.word, -1);
}

static void list_findings(const SomBadge *badge, SomText *out) {
    SomFindingRows rows = som_finding_rows(badge->project);
    som_finding_rows_summarize(&rows, out);
    for (int i = 0; i < rows.all.count && i < MOST_LISTED; i++) {
        som_text_printf(out, "\n• %s", rows.all.data[i].words.data);
    }
    if (rows.all.count > MOST_LISTED) {
        som_text_printf(out, "\nand %d more", rows.all.count - MOST_LISTED);
    }
    som_finding_rows_free(&rows);
}

static void refresh(SomBadge *badge) {
    SomText words = {0}, list = {0};
    SomSeverity severity;
    bool has_words = som_finding_badge(badge->project, &severity, &words);
    list_findings(badge, &list);
    show_words(badge, words.data, som_severity_verdict_look(severity));
    gtk_widget_set_tooltip_text(GTK_WIDGET(badge), list.data);
    show(badge, has_words);
    som_text_free(&words);
    som_text_free(&list);
}

static gboolean on_long(gpointer data) {
    SomBadge *badge = data;
    badge->timer = 0;
    show_words(badge, "checking…",
               (SomSeverityLook){"content-loading-symbolic", "accent", "not known yet"});
    gtk_widget_set_tooltip_text(GTK_WIDGET(badge), NULL);
    show(badge, true);
    return G_SOURCE_REMOVE;
}

static void stop_timer(SomBadge *badge) {
    g_clear_handle_id(&badge->timer, g_source_remove);
}

// A verdict of before stays for a while, so that nothing flickers when the next one comes soon. One
// of a motion that goes on is shown all the time.
static void on_change(void *context, unsigned changes) {
    SomBadge *badge = context;
    if ((changes & (SOM_PROJECT_TEXT | SOM_PROJECT_POSTURE | SOM_PROJECT_VERDICT)) == 0) {
        return;
    }
    const SomPostureVerdict *verdict = som_project_verdict(badge->project);
    bool is_awaited = !verdict->is_current && som_project_is_verified(badge->project) &&
                      !som_project_is_stale(badge->project);
    bool has_come = (changes & SOM_PROJECT_VERDICT) != 0;
    if (!is_awaited || has_come) {
        stop_timer(badge);
        refresh(badge);
    }
    if (is_awaited && badge->timer == 0) {
        badge->timer = g_timeout_add(PATIENCE, on_long, badge);
    }
}

// ---- life

static void dispose(GObject *object) {
    SomBadge *badge = SOM_BADGE(object);
    stop_timer(badge);
    if (badge->project != NULL) {
        som_project_unlisten(badge->project, on_change, badge);
        badge->project = NULL;
    }
    G_OBJECT_CLASS(som_badge_parent_class)->dispose(object);
}

static void som_badge_class_init(SomBadgeClass *klass) {
    G_OBJECT_CLASS(klass)->dispose = dispose;
}

static void som_badge_init(SomBadge *badge) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    badge->icon = GTK_IMAGE(gtk_image_new());
    badge->label = GTK_LABEL(gtk_label_new(""));
    gtk_label_set_ellipsize(badge->label, PANGO_ELLIPSIZE_END);
    gtk_box_append(GTK_BOX(box), GTK_WIDGET(badge->icon));
    gtk_box_append(GTK_BOX(box), GTK_WIDGET(badge->label));
    gtk_button_set_child(GTK_BUTTON(badge), box);
    gtk_widget_add_css_class(GTK_WIDGET(badge), "som-badge");
    gtk_widget_set_halign(GTK_WIDGET(badge), GTK_ALIGN_CENTER);
    gtk_widget_set_valign(GTK_WIDGET(badge), GTK_ALIGN_END);
    gtk_widget_set_margin_bottom(GTK_WIDGET(badge), 12);
}

GtkWidget *som_badge_new(SomProject *project) {
    SomBadge *badge = g_object_new(SOM_TYPE_BADGE, NULL);
    badge->project = project;
    som_project_listen(project, on_change, badge);
    on_change(badge, SOM_PROJECT_TEXT);
    refresh(badge);
    return GTK_WIDGET(badge);
}
