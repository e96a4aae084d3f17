// SPDX-License-Identifier: Apache-2.0
#include "studio/simulate_panel.h"

#include "studio/simulate_card.h"
#include "studio/simulate_files.h"
#include "studio/simulate_live.h"
#include "studio/simulate_words.h"
#include "studio/widgets.h"
#include "studio/window_actions.h"

#include <math.h>

#define LONGEST 600 // seconds that can be asked for
#define STAND_STILL "Stand still for 5 s"

struct _SomSimulatePanel {
    GtkBox parent_instance;
    SomSession *session;
    GtkDropDown *behaviors; // the first is none
    GtkDropDown *engines;
    GtkWidget *arguments_field;
    GtkEditable *arguments;
    GtkAdjustment *duration;
    GtkCheckButton *paced;
    GtkWidget *progress; // box: stage, bar, time
    GtkLabel *stage, *time;
    GtkProgressBar *bar;
    GtkWidget *hint, *old;
    GtkBox *cards;
    GPtrArray *all; // cards
};

G_DEFINE_FINAL_TYPE(SomSimulatePanel, som_simulate_panel, GTK_TYPE_BOX)

// ---- what the user asks for

static SomDesk *desk_of(SomSimulatePanel *panel) {
    return som_session_desk(panel->session);
}

static void on_behavior(SomSimulatePanel *panel) {
    SomSessionSettings settings = *som_session_settings(panel->session);
    settings.stands = gtk_drop_down_get_selected(panel->behaviors) == 0;
    GtkStringObject *item = gtk_drop_down_get_selected_item(panel->behaviors);
    if (!settings.stands && item != NULL) {
        som_desk_choose(desk_of(panel), som_str(gtk_string_object_get_string(item)));
    }
    som_session_set_settings(panel->session, &settings);
}

static void on_engines(SomSimulatePanel *panel) {
    SomSessionSettings settings = *som_session_settings(panel->session);
    settings.engines = (SomPhysicsEngines)gtk_drop_down_get_selected(panel->engines);
    som_session_set_settings(panel->session, &settings);
}

static void on_duration(SomSimulatePanel *panel) {
    SomSessionSettings settings = *som_session_settings(panel->session);
    settings.duration = gtk_adjustment_get_value(panel->duration);
    som_session_set_settings(panel->session, &settings);
}

static void on_paced(SomSimulatePanel *panel) {
    SomSessionSettings settings = *som_session_settings(panel->session);
    settings.is_paced = gtk_check_button_get_active(panel->paced);
    som_session_set_settings(panel->session, &settings);
}

static void on_arguments(SomSimulatePanel *panel) {
    som_session_set_arguments(panel->session, som_str(gtk_editable_get_text(panel->arguments)));
}

static void on_enter(SomSimulatePanel *panel) {
    gtk_widget_activate_action(GTK_WIDGET(panel), "design.simulate", NULL);
}

// ---- what there is to ask for

// Those of the design before those of its parts.
static GPtrArray *behavior_names(const SomConfiguration *design) {
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(names, g_strdup(STAND_STILL));
    for (int round = 0; design != NULL && round < 2; round++) {
        for (int i = 0; i < design->behavior_count; i++) {
            if ((design->behaviors[i].part == 0) == (round == 0)) {
                g_ptr_array_add(names, som_c_string(design->behaviors[i].path));
            }
        }
    }
    return names;
}

static void show_behaviors(SomSimulatePanel *panel) {
    const SomProject *project = som_desk_project(desk_of(panel));
    GPtrArray *names = behavior_names(som_project_model(project)->configuration);
    guint chosen = 0;
    if (!som_session_settings(panel->session)->stands) {
        g_autofree char *behavior = som_c_string(som_desk_behavior(desk_of(panel)));
        g_ptr_array_find_with_equal_func(names, behavior, g_str_equal, &chosen);
        chosen = chosen < names->len ? chosen : 0;
    }
    som_choice_set(panel->behaviors, names, chosen, panel);
}

static void show_arguments(SomSimulatePanel *panel) {
    g_autofree char *params = som_c_string(som_session_params(panel->session));
    g_autofree char *arguments = som_c_string(som_session_arguments(panel->session));
    gtk_widget_set_visible(panel->arguments_field, params[0] != '\0');
    gtk_entry_set_placeholder_text(GTK_ENTRY(panel->arguments), params);
    gtk_widget_set_tooltip_text(GTK_WIDGET(panel->arguments), params);
    if (strcmp(gtk_editable_get_text(panel->arguments), arguments) != 0) {
        gtk_editable_set_text(panel->arguments, arguments);
    }
}

static void show_settings(SomSimulatePanel *panel) {
    const SomSessionSettings *settings = som_session_settings(panel->session);
    show_behaviors(panel);
    show_arguments(panel);
    gtk_drop_down_set_selected(panel->engines, settings->engines);
    gtk_adjustment_set_value(panel->duration, settings->duration);
    gtk_check_button_set_active(panel->paced, settings->is_paced);
}

// ---- how far it is

static void set_words(GtkLabel *label, const char *words) {
    if (strcmp(gtk_label_get_text(label), words) != 0) {
        gtk_label_set_text(label, words);
    }
}

static void show_progress(SomSimulatePanel *panel) {
    const SomPhysicsNow *now = som_session_now(panel->session);
    double fraction = som_now_fraction(now);
    SomText words = {0};
    som_text_add(&words, SOM_STR(""));
    if (som_session_is_stopping(panel->session)) {
        som_text_add(&words, SOM_STR("Stopping…"));
    } else {
        som_now_print_stage(now, &words);
    }
    set_words(panel->stage, words.length > 0 ? words.data : "");
    som_text_clear(&words);
    som_now_print_time(now, &words);
    set_words(panel->time, words.length > 0 ? words.data : " ");
    som_text_free(&words);
    if (isfinite(fraction)) {
        gtk_progress_bar_set_fraction(panel->bar, fraction);
    } else {
        gtk_progress_bar_set_fraction(panel->bar, now->stage == SOM_PHYSICS_COMPARING ? 1 : 0);
    }
}

static void show_state(SomSimulatePanel *panel) {
    bool is_running = som_session_is_running(panel->session);
    gtk_widget_set_visible(panel->progress, is_running);
    gtk_widget_set_visible(panel->hint, !is_running && som_session_count(panel->session) == 0);
}

// ---- what has become of it

static void show_records(SomSimulatePanel *panel) {
    guint count = (guint)som_session_count(panel->session);
    while (panel->all->len > count) {
        gtk_box_remove(panel->cards, g_ptr_array_index(panel->all, panel->all->len - 1));
        g_ptr_array_remove_index(panel->all, panel->all->len - 1);
    }
    while (panel->all->len < count) {
        GtkWidget *card = som_simulate_card_new(panel->session, (int)panel->all->len);
        gtk_box_append(panel->cards, card);
        g_ptr_array_add(panel->all, card);
    }
    show_state(panel);
}

static void show_shown(SomSimulatePanel *panel) {
    for (guint i = 0; i < panel->all->len; i++) {
        som_simulate_card_set_shown(g_ptr_array_index(panel->all, i),
                                    (int)i == som_session_shown(panel->session) &&
                                        som_session_record(panel->session, (int)i)->has_run);
    }
}

static void on_change(void *context, unsigned changes) {
    SomSimulatePanel *panel = context;
    if ((changes & SOM_SESSION_SETTINGS) != 0) {
        show_settings(panel);
    }
    if ((changes & SOM_SESSION_RECORDS) != 0) {
        show_records(panel);
    }
    if ((changes & SOM_SESSION_STATE) != 0) {
        show_state(panel);
    }
    if ((changes & (SOM_SESSION_PROGRESS | SOM_SESSION_STATE)) != 0) {
        show_progress(panel);
    }
    if ((changes & (SOM_SESSION_SHOWN | SOM_SESSION_RECORDS)) != 0) {
        show_shown(panel);
    }
    if ((changes & (SOM_SESSION_AGE | SOM_SESSION_RECORDS)) != 0) {
        gtk_widget_set_visible(panel->old, som_session_is_old(panel->session));
    }
}

// ---- layout

static GtkWidget *field(const char *title, GtkWidget *control) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 3), *label = gtk_label_new(title);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_widget_add_css_class(label, "caption-heading");
    gtk_widget_add_css_class(label, "dim-label");
    gtk_box_append(GTK_BOX(box), label);
    gtk_box_append(GTK_BOX(box), control);
    som_set_accessible_name(control, title);
    return box;
}

static GtkWidget *make_what(SomSimulatePanel *panel) {
    GtkWidget *behaviors = som_choice_new("Behavior", true), *entry = gtk_entry_new();
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 9);
    panel->behaviors = GTK_DROP_DOWN(behaviors);
    panel->arguments = GTK_EDITABLE(entry);
    panel->arguments_field = field("Arguments", entry);
    gtk_box_append(GTK_BOX(box), field("Behavior", behaviors));
    gtk_box_append(GTK_BOX(box), panel->arguments_field);
    g_signal_connect_object(behaviors, "notify::selected", G_CALLBACK(on_behavior), panel,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(entry, "changed", G_CALLBACK(on_arguments), panel, G_CONNECT_SWAPPED);
    g_signal_connect_object(entry, "activate", G_CALLBACK(on_enter), panel, G_CONNECT_SWAPPED);
    return box;
}

static GtkWidget *make_how(SomSimulatePanel *panel) {
    static const char *const engines[] = {"MuJoCo, then Gazebo's", "MuJoCo: quick",
                                          "Gazebo's: the last word", NULL};
    GtkWidget *choice = gtk_drop_down_new_from_strings(engines);
    panel->engines = GTK_DROP_DOWN(choice);
    panel->duration = gtk_adjustment_new(60, 0.1, LONGEST, 1, 10, 0);
    GtkWidget *spin = som_number_new(panel->duration, 1);
    panel->paced = GTK_CHECK_BUTTON(gtk_check_button_new_with_label("Real time"));
    gtk_widget_set_tooltip_text(GTK_WIDGET(panel->paced), "No faster than real time, to watch it");
    gtk_widget_set_valign(GTK_WIDGET(panel->paced), GTK_ALIGN_END);
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 9);
    GtkWidget *limit = field("At most, seconds", spin);
    gtk_widget_set_hexpand(limit, TRUE);
    gtk_box_append(GTK_BOX(row), limit);
    gtk_box_append(GTK_BOX(row), GTK_WIDGET(panel->paced));
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 9);
    gtk_box_append(GTK_BOX(box), field("Physics engine", choice));
    gtk_box_append(GTK_BOX(box), row);
    g_signal_connect_object(choice, "notify::selected", G_CALLBACK(on_engines), panel,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(panel->duration, "value-changed", G_CALLBACK(on_duration), panel,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(panel->paced, "toggled", G_CALLBACK(on_paced), panel,
                            G_CONNECT_SWAPPED);
    return box;
}

static GtkWidget *words_button(const char *icon, const char *words, const char *action) {
    GtkWidget *content = adw_button_content_new(), *button = som_action_button(icon, action);
    adw_button_content_set_icon_name(ADW_BUTTON_CONTENT(content), icon);
    adw_button_content_set_label(ADW_BUTTON_CONTENT(content), words);
    gtk_button_set_child(GTK_BUTTON(button), content);
    gtk_widget_set_hexpand(button, TRUE);
    return button;
}

static GtkWidget *make_run(SomSimulatePanel *panel) {
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *run = words_button("media-playback-start-symbolic", "Run", "design.simulate");
    gtk_widget_add_css_class(run, "suggested-action");
    gtk_box_append(GTK_BOX(row), run);
    gtk_box_append(GTK_BOX(row),
                   words_button("media-playback-stop-symbolic", "Stop", "design.simulate-stop"));
    panel->progress = gtk_box_new(GTK_ORIENTATION_VERTICAL, 3);
    panel->stage = GTK_LABEL(gtk_label_new(""));
    panel->time = GTK_LABEL(gtk_label_new(""));
    panel->bar = GTK_PROGRESS_BAR(gtk_progress_bar_new());
    som_set_accessible_name(panel->bar, "Progress of the run");
    gtk_label_set_xalign(panel->stage, 0);
    gtk_label_set_wrap(panel->stage, TRUE);
    gtk_label_set_xalign(panel->time, 0);
    gtk_label_set_ellipsize(panel->time, PANGO_ELLIPSIZE_END);
    gtk_widget_add_css_class(GTK_WIDGET(panel->time), "caption");
    gtk_widget_add_css_class(GTK_WIDGET(panel->time), "numeric");
    gtk_box_append(GTK_BOX(panel->progress), GTK_WIDGET(panel->stage));
    gtk_box_append(GTK_BOX(panel->progress), GTK_WIDGET(panel->bar));
    gtk_box_append(GTK_BOX(panel->progress), GTK_WIDGET(panel->time));
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 9);
    gtk_box_append(GTK_BOX(box), row);
    gtk_box_append(GTK_BOX(box), panel->progress);
    return box;
}

static GtkWidget *notice(const char *icon, const char *words) {
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *label = gtk_label_new(words);
    GtkWidget *image = gtk_image_new_from_icon_name(icon);
    gtk_widget_set_valign(image, GTK_ALIGN_START);
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_widget_add_css_class(label, "caption");
    gtk_widget_add_css_class(row, "dim-label");
    gtk_box_append(GTK_BOX(row), image);
    gtk_box_append(GTK_BOX(row), label);
    return row;
}

static GtkWidget *make_files(void) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
    bool has_gazebo = som_gazebo_is_there();
    gtk_box_append(GTK_BOX(box), has_gazebo
                                     ? words_button("system-run-symbolic", "Open in Gazebo",
                                                    "design.open-in-gazebo")
                                     : words_button("document-send-symbolic", "Export for Gazebo…",
                                                    "design.export-for-gazebo"));
    gtk_box_append(GTK_BOX(box), words_button("camera-photo-symbolic", "Save pictures…",
                                              "design.save-run-pictures"));
    gtk_box_append(GTK_BOX(box), words_button("x-office-document-symbolic", "Save report…",
                                              "design.save-run-report"));
    return box;
}

// ---- life

static void dispose(GObject *object) {
    SomSimulatePanel *panel = SOM_SIMULATE_PANEL(object);
    if (panel->session != NULL) {
        som_session_unlisten(panel->session, on_change, panel);
        panel->session = NULL;
    }
    G_OBJECT_CLASS(som_simulate_panel_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
    g_ptr_array_unref(SOM_SIMULATE_PANEL(object)->all);
    G_OBJECT_CLASS(som_simulate_panel_parent_class)->finalize(object);
}

static void som_simulate_panel_class_init(SomSimulatePanelClass *klass) {
    G_OBJECT_CLASS(klass)->dispose = dispose;
    G_OBJECT_CLASS(klass)->finalize = finalize;
}

static void som_simulate_panel_init(SomSimulatePanel *panel) {
    panel->all = g_ptr_array_new();
    panel->cards = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 12));
    panel->hint = notice("dialog-information-symbolic",
                         "A run shows what the behavior does under physics: first a preview in "
                         "MuJoCo, then the verdict of Gazebo's own engine.");
    panel->old = notice("dialog-warning-symbolic",
                        "The design has changed since: what follows is of an older text.");
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    som_pad(box);
    GtkWidget *all[] = {make_what(panel), make_how(panel),          make_run(panel), panel->hint,
                        panel->old,       GTK_WIDGET(panel->cards), make_files()};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        gtk_box_append(GTK_BOX(box), all[i]);
    }
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), box);
    gtk_widget_set_vexpand(scrolled, TRUE);
    gtk_box_append(GTK_BOX(panel), scrolled);
}

GtkWidget *som_simulate_panel_new(SomWindow *window) {
    SomSimulatePanel *panel = g_object_new(SOM_TYPE_SIMULATE_PANEL, NULL);
    panel->session = som_window_session(window);
    som_session_listen(panel->session, on_change, panel);
    on_change(panel, ~0U);
    return GTK_WIDGET(panel);
}
