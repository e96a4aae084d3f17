// SPDX-License-Identifier: Apache-2.0
// One widget for the ruler, the rows and the plots: it scrolls, scrubs and tells; its kind says
// what is drawn.
#include "studio/timeline_internal.h"

#include <math.h>

#define LEAST_DRAG 4 // pixels; less is a click

#define SOM_TYPE_TIMELINE_PART (som_timeline_part_get_type())
G_DECLARE_FINAL_TYPE(SomTimelinePart, som_timeline_part, SOM, TIMELINE_PART, GtkWidget)

struct _SomTimelinePart {
    GtkWidget parent_instance;
    SomTimeline *timeline; // around it
    const SomTimelinePartKind *kind;
    GtkAdjustment *across, *down; // of the window that scrolls it; NULL: none
    int found;                    // what the pointer was pressed on; -1: nothing
    bool is_scrubbing, is_shifting;
    double shifted; // seconds, by the drag so far
};

enum { ACROSS = 1, DOWN, ACROSS_POLICY, DOWN_POLICY };

G_DEFINE_FINAL_TYPE_WITH_CODE(SomTimelinePart, som_timeline_part, GTK_TYPE_WIDGET,
                              G_IMPLEMENT_INTERFACE(GTK_TYPE_SCROLLABLE, NULL))

// ---- scrolling

double som_timeline_part_top(GtkWidget *part) {
    GtkAdjustment *down = SOM_TIMELINE_PART(part)->down;
    return down != NULL ? round(gtk_adjustment_get_value(down)) : 0;
}

void som_timeline_part_reveal(GtkWidget *part, double top, double height) {
    if (SOM_TIMELINE_PART(part)->down != NULL) {
        gtk_adjustment_clamp_page(SOM_TIMELINE_PART(part)->down, top, top + height);
    }
}

static void configure(SomTimelinePart *part) {
    if (part->down != NULL) {
        double height = gtk_widget_get_height(GTK_WIDGET(part));
        double all = fmax(part->kind->height(part->timeline), height);
        double value = gtk_adjustment_get_value(part->down);
        gtk_adjustment_configure(part->down, fmin(value, all - height), 0, all, SOM_TIMELINE_ROW,
                                 fmax(height - SOM_TIMELINE_ROW, 1), height);
    }
}

void som_timeline_part_changed(GtkWidget *widget) {
    gtk_widget_queue_resize(widget);
    configure(SOM_TIMELINE_PART(widget));
    gtk_widget_queue_draw(widget);
}

static void on_scrolled(SomTimelinePart *part) {
    gtk_widget_queue_draw(GTK_WIDGET(part));
    gtk_widget_queue_draw(part->timeline->cursor);
}

static void take_down(SomTimelinePart *part, GtkAdjustment *down) {
    if (part->down != NULL) {
        g_signal_handlers_disconnect_by_data(part->down, part);
    }
    g_set_object(&part->down, down);
    if (down != NULL) {
        g_signal_connect_swapped(down, "value-changed", G_CALLBACK(on_scrolled), part);
    }
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
    SomTimelinePart *part = SOM_TIMELINE_PART(object);
    if (id == ACROSS) {
        g_set_object(&part->across, g_value_get_object(value));
    } else if (id == DOWN) {
        take_down(part, g_value_get_object(value));
    }
    (void)spec; // the policies are always those of a thing that is measured
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
    SomTimelinePart *part = SOM_TIMELINE_PART(object);
    if (id == ACROSS || id == DOWN) {
        g_value_set_object(value, id == ACROSS ? part->across : part->down);
    } else {
        g_value_set_enum(value, GTK_SCROLL_NATURAL);
    }
    (void)spec;
}

// ---- drawing

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                    int *natural, int *minimum_baseline, int *natural_baseline) {
    (void)for_size;
    (void)minimum_baseline;
    (void)natural_baseline;
    SomTimelinePart *part = SOM_TIMELINE_PART(widget);
    int height = part->kind->height(part->timeline);
    bool is_across = orientation == GTK_ORIENTATION_HORIZONTAL, scrolls = part->down != NULL;
    *natural = is_across ? 480 : height;
    *minimum = is_across ? 160 : scrolls ? 0 : height;
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline) {
    (void)width;
    (void)height;
    (void)baseline;
    configure(SOM_TIMELINE_PART(widget));
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    SomTimelinePart *part = SOM_TIMELINE_PART(widget);
    SomPaint paint = som_paint_begin(widget, snapshot);
    int width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);
    gtk_snapshot_push_clip(snapshot, &GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height));
    som_paint_rectangle(&paint, paint.ground, 0, 0, width, height);
    part->kind->draw(part->timeline, &paint, som_timeline_part_top(widget), width, height);
    gtk_snapshot_pop(snapshot);
}

// What is drawn with colours of the style is drawn anew with those of another one.
static void css_changed(GtkWidget *widget, GtkCssStyleChange *change) {
    GTK_WIDGET_CLASS(som_timeline_part_parent_class)->css_changed(widget, change);
    som_timeline_drop_pictures(SOM_TIMELINE_PART(widget)->timeline);
    gtk_widget_queue_draw(widget);
}

// ---- the pointer

static void scrub(SomTimelinePart *part, double x) {
    som_playhead_seek(part->timeline->head, som_timeline_part_time(part->timeline, x));
}

static void on_press(GtkGestureDrag *gesture, double x, double y, SomTimelinePart *part) {
    gtk_widget_grab_focus(part->timeline->ruler);
    part->is_shifting = gtk_gesture_single_get_current_button(GTK_GESTURE_SINGLE(gesture)) == 2;
    part->shifted = 0;
    y += som_timeline_part_top(GTK_WIDGET(part));
    part->found = part->is_shifting ? -1 : part->kind->find(part->timeline, x, y);
    part->is_scrubbing = part->found < 0 && !part->is_shifting && x >= part->timeline->title_width;
    if (part->is_scrubbing) {
        scrub(part, x);
    }
}

static void shift_to(SomTimelinePart *part, double dx) {
    double seconds = -dx * som_timeline_pixel(&part->timeline->scale);
    som_timeline_scale_shift(&part->timeline->scale, seconds - part->shifted);
    part->shifted = seconds;
    som_timeline_rescaled(part->timeline);
}

static void on_drag(GtkGestureDrag *gesture, double dx, double dy, SomTimelinePart *part) {
    (void)dy;
    double x = 0, y = 0;
    gtk_gesture_drag_get_start_point(gesture, &x, &y);
    if (part->is_shifting) {
        shift_to(part, dx);
        return;
    }
    if (fabs(dx) >= LEAST_DRAG && x >= part->timeline->title_width) {
        part->is_scrubbing = true;
    }
    if (part->is_scrubbing) {
        scrub(part, x + dx);
    }
}

static void on_release(GtkGestureDrag *gesture, double dx, double dy, SomTimelinePart *part) {
    (void)gesture;
    (void)dx;
    (void)dy;
    if (part->found >= 0 && !part->is_scrubbing) {
        part->kind->choose(part->timeline, part->found);
    }
}

static void on_move(GtkEventController *motion, double x, double y, SomTimelinePart *part) {
    (void)motion;
    part->timeline->hovered = GTK_WIDGET(part);
    part->timeline->hover_x = x;
    part->timeline->hover_y = y;
    gtk_widget_queue_draw(part->timeline->cursor);
    gtk_widget_trigger_tooltip_query(GTK_WIDGET(part));
}

static void on_leave(GtkEventController *motion, SomTimelinePart *part) {
    (void)motion;
    part->timeline->hovered = NULL;
    gtk_widget_queue_draw(part->timeline->cursor);
}

static gboolean query_tooltip(GtkWidget *widget, int x, int y, gboolean by_key,
                              GtkTooltip *tooltip) {
    SomTimelinePart *part = SOM_TIMELINE_PART(widget);
    SomText words = {0};
    if (!by_key) {
        part->kind->tell(part->timeline, x, y + som_timeline_part_top(widget), &words);
    }
    bool is_told = words.length > 0;
    if (is_told) {
        gtk_tooltip_set_text(tooltip, words.data);
    }
    som_text_free(&words);
    return is_told;
}

// ---- life

static void dispose(GObject *object) {
    SomTimelinePart *part = SOM_TIMELINE_PART(object);
    take_down(part, NULL);
    g_clear_object(&part->across);
    G_OBJECT_CLASS(som_timeline_part_parent_class)->dispose(object);
}

static void som_timeline_part_class_init(SomTimelinePartClass *klass) {
    GObjectClass *object = G_OBJECT_CLASS(klass);
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(klass);
    object->dispose = dispose;
    object->set_property = set_property;
    object->get_property = get_property;
    g_object_class_override_property(object, ACROSS, "hadjustment");
    g_object_class_override_property(object, DOWN, "vadjustment");
    g_object_class_override_property(object, ACROSS_POLICY, "hscroll-policy");
    g_object_class_override_property(object, DOWN_POLICY, "vscroll-policy");
    widget->measure = measure;
    widget->size_allocate = size_allocate;
    widget->snapshot = snapshot;
    widget->css_changed = css_changed;
    widget->query_tooltip = query_tooltip;
    gtk_widget_class_set_css_name(widget, "timelinepart");
}

static void som_timeline_part_init(SomTimelinePart *part) {
    GtkGesture *drag = gtk_gesture_drag_new();
    gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(drag), 0);
    g_signal_connect(drag, "drag-begin", G_CALLBACK(on_press), part);
    g_signal_connect(drag, "drag-update", G_CALLBACK(on_drag), part);
    g_signal_connect(drag, "drag-end", G_CALLBACK(on_release), part);
    gtk_widget_add_controller(GTK_WIDGET(part), GTK_EVENT_CONTROLLER(drag));
    GtkEventController *motion = gtk_event_controller_motion_new();
    g_signal_connect(motion, "enter", G_CALLBACK(on_move), part);
    g_signal_connect(motion, "motion", G_CALLBACK(on_move), part);
    g_signal_connect(motion, "leave", G_CALLBACK(on_leave), part);
    gtk_widget_add_controller(GTK_WIDGET(part), motion);
    gtk_widget_set_has_tooltip(GTK_WIDGET(part), TRUE);
}

GtkWidget *som_timeline_part_new(SomTimeline *timeline, const SomTimelinePartKind *kind) {
    SomTimelinePart *part =
        g_object_new(SOM_TYPE_TIMELINE_PART, "accessible-role", kind->role, NULL);
    part->timeline = timeline;
    part->kind = kind;
    gtk_widget_add_css_class(GTK_WIDGET(part), kind->css_class);
    return GTK_WIDGET(part);
}
