// SPDX-License-Identifier: Apache-2.0
#include "studio/simulate_page.h"

#include "studio/simulate_data.h"
#include "studio/simulate_live.h"
#include "studio/simulate_words.h"
#include "studio/timeline.h"
#include "studio/transport.h"
#include "studio/widgets.h"

#define LIVE_STEP (G_USEC_PER_SEC / 10) // from one picture of what runs to the next

struct _SomSimulatePage {
    GtkBox parent_instance;
    SomSession *session;
    GtkWidget *transport;
    GtkDropDown *shown; // "Live" while it runs, then the records that ran
    SomTimeline *timeline;
    SomRunData *data;
    SomPhysicsRecord *data_of; // held; NULL: none
    bool is_live;              // the data are of what runs
    gint64 next;               // when they may be made anew
};

G_DEFINE_FINAL_TYPE(SomSimulatePage, som_simulate_page, GTK_TYPE_BOX)

// ---- which record

// Of the choice; SOM_SESSION_LIVE for the live one.
static int record_at(SomSimulatePage *page, guint position) {
    int left = (int)position;
    if (som_session_is_running(page->session) && left-- == 0) {
        return SOM_SESSION_LIVE;
    }
    for (int i = 0; i < som_session_count(page->session); i++) {
        if (som_session_record(page->session, i)->has_run && left-- == 0) {
            return i;
        }
    }
    return SOM_SESSION_LIVE;
}

static void on_shown(SomSimulatePage *page) {
    som_session_show(page->session, record_at(page, gtk_drop_down_get_selected(page->shown)));
}

static void show_choice(SomSimulatePage *page) {
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    guint chosen = 0;
    if (som_session_is_running(page->session)) {
        g_ptr_array_add(names, g_strdup("Live"));
    }
    for (int i = 0; i < som_session_count(page->session); i++) {
        const SomPhysicsRecord *record = som_session_record(page->session, i);
        if (record->has_run) {
            chosen = i == som_session_shown(page->session) ? names->len : chosen;
            g_ptr_array_add(names, g_strdup(som_engine_title(record->engine)));
        }
    }
    gtk_widget_set_visible(GTK_WIDGET(page->shown), names->len > 0);
    gtk_widget_set_sensitive(GTK_WIDGET(page->shown), names->len > 1);
    som_choice_set(page->shown, names, chosen, page);
}

// ---- what is shown of it

static void show_data(SomSimulatePage *page) {
    SomPhysicsRecord *record = som_session_shown_record(page->session);
    if (som_session_trace(page->session) != NULL ||
        (record == page->data_of && page->data != NULL && !page->is_live)) {
        return;
    }
    page->is_live = false;
    som_physics_record_release(page->data_of);
    page->data_of = record != NULL ? som_physics_record_hold(record) : NULL;
    som_run_data_destroy(page->data);
    page->data = som_run_data_create(record);
    som_timeline_set_data(page->timeline, &page->data->data);
}

// While it runs, as often as takes a tenth of the time at most.
static void show_trace(SomSimulatePage *page) {
    const SomPhysicsTrace *trace = som_session_trace(page->session);
    gint64 began = g_get_monotonic_time();
    if (trace == NULL || began < page->next || !gtk_widget_get_mapped(GTK_WIDGET(page))) {
        return;
    }
    som_run_data_destroy(page->data);
    page->data = som_run_data_create_live(trace, som_session_now(page->session)->expected);
    page->is_live = true;
    som_timeline_set_data(page->timeline, &page->data->data);
    gint64 took = g_get_monotonic_time() - began;
    page->next = began + MAX(LIVE_STEP, 10 * took);
}

static void on_change(void *context, unsigned changes) {
    SomSimulatePage *page = context;
    if ((changes & SOM_SESSION_TRACE) != 0) {
        show_trace(page);
    }
    if ((changes & (SOM_SESSION_STATE | SOM_SESSION_RECORDS | SOM_SESSION_SHOWN)) != 0) {
        show_choice(page);
        show_data(page);
        gtk_widget_set_sensitive(page->transport,
                                 !som_session_is_running(page->session) ||
                                     som_session_shown(page->session) != SOM_SESSION_LIVE);
    }
    if ((changes & (SOM_SESSION_AGE | SOM_SESSION_RECORDS)) != 0) {
        som_timeline_set_stale(page->timeline, som_session_is_old(page->session));
    }
}

// ---- what is chosen in it

static void jump(SomSimulatePage *page, double time) {
    int shown = som_session_shown(page->session);
    if (shown >= 0) { // what runs cannot be jumped in
        som_session_jump(page->session, shown, time);
    }
}

static void on_band(SomTimeline *timeline, int band, SomSimulatePage *page) {
    (void)timeline;
    if (band >= 0 && band < page->data->data.band_count) {
        jump(page, page->data->data.bands[band].at);
    }
}

// To where it begins first.
static void on_row(SomTimeline *timeline, int row, SomSimulatePage *page) {
    const SomTimelineData *data = &page->data->data;
    double first = data->duration;
    som_timeline_set_marked(timeline, row);
    for (int i = 0; i < data->bar_count; i++) {
        first = data->bars[i].row == row && data->bars[i].t0 < first ? data->bars[i].t0 : first;
    }
    jump(page, first);
}

// ---- life

static void dispose(GObject *object) {
    SomSimulatePage *page = SOM_SIMULATE_PAGE(object);
    if (page->session != NULL) {
        som_session_unlisten(page->session, on_change, page);
        page->session = NULL;
    }
    G_OBJECT_CLASS(som_simulate_page_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
    SomSimulatePage *page = SOM_SIMULATE_PAGE(object);
    som_run_data_destroy(page->data);
    som_physics_record_release(page->data_of);
    G_OBJECT_CLASS(som_simulate_page_parent_class)->finalize(object);
}

static void som_simulate_page_class_init(SomSimulatePageClass *klass) {
    G_OBJECT_CLASS(klass)->dispose = dispose;
    G_OBJECT_CLASS(klass)->finalize = finalize;
}

static void som_simulate_page_init(SomSimulatePage *page) {
    gtk_orientable_set_orientation(GTK_ORIENTABLE(page), GTK_ORIENTATION_VERTICAL);
}

GtkWidget *som_simulate_page_new(SomWindow *window) {
    SomSimulatePage *page = g_object_new(SOM_TYPE_SIMULATE_PAGE, NULL);
    page->session = som_window_session(window);
    SomPlayhead *head = som_session_head(page->session);
    page->transport = som_transport_new(head);
    page->shown = GTK_DROP_DOWN(som_choice_new("Which run is shown", false));
    gtk_widget_add_css_class(GTK_WIDGET(page->shown), "flat");
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *room = gtk_label_new("");
    gtk_widget_set_hexpand(room, TRUE);
    g_object_set(row, "margin-start", 6, "margin-end", 6, "margin-bottom", 3, NULL);
    gtk_box_append(GTK_BOX(row), page->transport);
    gtk_box_append(GTK_BOX(row), room);
    gtk_box_append(GTK_BOX(row), GTK_WIDGET(page->shown));
    page->timeline = SOM_TIMELINE(som_timeline_new(head));
    gtk_widget_set_vexpand(GTK_WIDGET(page->timeline), TRUE);
    gtk_box_append(GTK_BOX(page), row);
    gtk_box_append(GTK_BOX(page), GTK_WIDGET(page->timeline));
    g_signal_connect_swapped(page->shown, "notify::selected", G_CALLBACK(on_shown), page);
    g_signal_connect(page->timeline, "band-chosen", G_CALLBACK(on_band), page);
    g_signal_connect(page->timeline, "row-chosen", G_CALLBACK(on_row), page);
    som_session_listen(page->session, on_change, page);
    on_change(page, ~0U);
    return GTK_WIDGET(page);
}
