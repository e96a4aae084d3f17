// SPDX-License-Identifier: Apache-2.0
#include "studio/transport.h"

#include "base/number.h"
#include "studio/widgets.h"

#include <math.h>

#define LONGEST_FRAME 0.25 // seconds: after a pause of the whole program the motion does not jump

static const double speeds[] = {0.1, 0.25, 0.5, 1, 2, 4, 10};

struct _SomTransport {
    GtkBox parent_instance;
    SomPlayhead *head;
    GtkWidget *begin, *play, *loop, *speed;
    GtkLabel *time;
    guint tick;        // while it plays; 0: none
    gint64 last_frame; // microseconds; 0: there was none yet
};

G_DEFINE_FINAL_TYPE(SomTransport, som_transport, GTK_TYPE_BOX)

// ---- time

static gboolean on_frame(GtkWidget *widget, GdkFrameClock *clock, gpointer unused) {
    (void)unused;
    SomTransport *transport = SOM_TRANSPORT(widget);
    gint64 now = gdk_frame_clock_get_frame_time(clock);
    double seconds =
        transport->last_frame > 0 ? (double)(now - transport->last_frame) / G_USEC_PER_SEC : 0;
    transport->last_frame = now;
    som_playhead_advance(transport->head, fmin(seconds, LONGEST_FRAME));
    return G_SOURCE_CONTINUE;
}

static void follow_state(SomTransport *transport) {
    bool is_playing = som_playhead_is_playing(transport->head);
    if (is_playing && transport->tick == 0) {
        transport->last_frame = 0;
        transport->tick = gtk_widget_add_tick_callback(GTK_WIDGET(transport), on_frame, NULL, NULL);
    } else if (!is_playing && transport->tick != 0) {
        gtk_widget_remove_tick_callback(GTK_WIDGET(transport), transport->tick);
        transport->tick = 0;
    }
}

// ---- what is shown

static void show_time(SomTransport *transport) {
    SomText words = {0};
    som_text_fixed(&words, som_playhead_time(transport->head), 2);
    som_text_add(&words, SOM_STR(" / "));
    som_text_fixed(&words, som_playhead_duration(transport->head), 2);
    som_text_add(&words, SOM_STR(" s"));
    if (strcmp(gtk_label_get_text(transport->time), words.data) != 0) {
        gtk_label_set_text(transport->time, words.data);
    }
    som_text_free(&words);
}

static void show_state(SomTransport *transport) {
    bool is_playing = som_playhead_is_playing(transport->head);
    const char *words = is_playing ? "Pause (Space)" : "Play (Space)";
    gtk_button_set_icon_name(GTK_BUTTON(transport->play), is_playing
                                                              ? "media-playback-pause-symbolic"
                                                              : "media-playback-start-symbolic");
    gtk_widget_set_tooltip_text(transport->play, words);
    som_set_accessible_name(transport->play, is_playing ? "Pause" : "Play");
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(transport->loop),
                                 som_playhead_loops(transport->head));
    for (guint i = 0; i < G_N_ELEMENTS(speeds); i++) {
        if (speeds[i] == som_playhead_speed(transport->head)) {
            gtk_drop_down_set_selected(GTK_DROP_DOWN(transport->speed), i);
        }
    }
    GtkWidget *controls[] = {transport->begin, transport->play, transport->loop, transport->speed};
    for (size_t i = 0; i < G_N_ELEMENTS(controls); i++) {
        gtk_widget_set_sensitive(controls[i], som_playhead_duration(transport->head) > 0);
    }
}

static void on_head(void *context, unsigned changes) {
    SomTransport *transport = context;
    if ((changes & SOM_PLAYHEAD_STATE) != 0) {
        follow_state(transport);
        show_state(transport);
    }
    show_time(transport);
}

// ---- what is pressed

static void on_play(SomTransport *transport) {
    som_playhead_toggle(transport->head);
}

static void on_begin(SomTransport *transport) {
    som_playhead_seek(transport->head, 0);
}

static void on_loop(GtkToggleButton *button, SomTransport *transport) {
    som_playhead_set_loop(transport->head, gtk_toggle_button_get_active(button));
}

static void on_speed(SomTransport *transport) {
    guint chosen = gtk_drop_down_get_selected(GTK_DROP_DOWN(transport->speed));
    if (chosen < G_N_ELEMENTS(speeds)) {
        som_playhead_set_speed(transport->head, speeds[chosen]);
    }
}

// ---- life

static void dispose(GObject *object) {
    SomTransport *transport = SOM_TRANSPORT(object);
    if (transport->head != NULL) {
        som_playhead_unlisten(transport->head, on_head, transport);
        transport->head = NULL;
    }
    if (transport->tick != 0) {
        gtk_widget_remove_tick_callback(GTK_WIDGET(transport), transport->tick);
        transport->tick = 0;
    }
    G_OBJECT_CLASS(som_transport_parent_class)->dispose(object);
}

static void som_transport_class_init(SomTransportClass *klass) {
    G_OBJECT_CLASS(klass)->dispose = dispose;
    gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static GtkWidget *speed_choice(void) {
    GtkWidget *choice = som_choice_new("Speed", false);
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < G_N_ELEMENTS(speeds); i++) {
        char number[SOM_NUMBER_TEXT];
        som_number_print(speeds[i], number);
        g_ptr_array_add(words, g_strdup_printf("%s×", number));
    }
    som_choice_set(GTK_DROP_DOWN(choice), words, 3, NULL);
    return choice;
}

static void som_transport_init(SomTransport *transport) {
    GtkBox *box = GTK_BOX(transport);
    gtk_box_set_spacing(box, 6);
    transport->begin = som_icon_button("media-skip-backward-symbolic", "To the beginning");
    transport->play = som_icon_button("media-playback-start-symbolic", "Play");
    transport->loop = gtk_toggle_button_new();
    gtk_button_set_icon_name(GTK_BUTTON(transport->loop), "media-playlist-repeat-symbolic");
    gtk_widget_add_css_class(transport->loop, "flat");
    gtk_widget_set_tooltip_text(transport->loop, "Play again and again");
    som_set_accessible_name(transport->loop, "Play again and again");
    transport->speed = speed_choice();
    gtk_widget_add_css_class(transport->speed, "flat");
    transport->time = GTK_LABEL(gtk_label_new(""));
    gtk_widget_add_css_class(GTK_WIDGET(transport->time), "numeric");
    gtk_widget_set_margin_start(GTK_WIDGET(transport->time), 6);
    gtk_widget_set_margin_end(GTK_WIDGET(transport->time), 6);
    GtkWidget *all[] = {transport->begin, transport->play, transport->loop, transport->speed,
                        GTK_WIDGET(transport->time)};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        gtk_box_append(box, all[i]);
    }
    g_signal_connect_swapped(transport->begin, "clicked", G_CALLBACK(on_begin), transport);
    g_signal_connect_swapped(transport->play, "clicked", G_CALLBACK(on_play), transport);
    som_set_accessible_name(transport, "Playback");
}

GtkWidget *som_transport_new(SomPlayhead *head) {
    SomTransport *transport = g_object_new(SOM_TYPE_TRANSPORT, NULL);
    transport->head = head;
    som_playhead_listen(head, on_head, transport);
    on_head(transport, SOM_PLAYHEAD_STATE | SOM_PLAYHEAD_TIME);
    g_signal_connect(transport->loop, "toggled", G_CALLBACK(on_loop), transport);
    g_signal_connect_object(transport->speed, "notify::selected", G_CALLBACK(on_speed), transport,
                            G_CONNECT_SWAPPED);
    return GTK_WIDGET(transport);
}
