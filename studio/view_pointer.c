// SPDX-License-Identifier: Apache-2.0
// What pointer, fingers and keys do in the view.

#include "studio/view_internal.h"

#include <math.h>

#define TURN 0.01       // radians a pixel
#define KEY_TURN 0.2    // radians a key
#define KEY_SHIFT 40    // pixels a key
#define KEY_ZOOM 1.25   // a factor
#define WHEEL_ZOOM 1.15 // a notch
#define FINGERS 30.0    // pixels of two fingers that are a notch
#define NOTCH 40.0      // pixels that a notch shifts
#define STILL 4.0       // a pointer that moves by fewer pixels clicks

static double height_of(SomView *view) {
    return fmax(gtk_widget_get_height(GTK_WIDGET(view)), 1);
}

static void shift(SomView *view, double right, double down) {
    som_camera_pan(&view->camera, right, down, height_of(view));
}

static void zoom_at(SomView *view, double factor, double x, double y) {
    som_camera_zoom_at(&view->camera, factor, x, y, fmax(gtk_widget_get_width(GTK_WIDGET(view)), 1),
                       height_of(view));
}

// ---- hover

static void hover(SomView *view, SomViewHit hit) {
    bool is_new = hit.module != view->hovered.module || hit.connector != view->hovered.connector;
    view->hovered = hit;
    if (is_new) {
        som_view_refresh(view);
    }
}

static void on_motion(GtkEventControllerMotion *motion, double x, double y, SomView *view) {
    (void)motion;
    view->pointer_x = x;
    view->pointer_y = y;
    if (!view->is_dragged) {
        hover(view, som_view_hit(view, x, y));
    }
}

static void on_leave(GtkEventControllerMotion *motion, SomView *view) {
    (void)motion;
    hover(view, (SomViewHit){.module = -1, .connector = -1});
}

// ---- click and drag

static void on_released(GtkGestureClick *click, int presses, double x, double y, SomView *view) {
    (void)click;
    gtk_widget_grab_focus(GTK_WIDGET(view));
    int module = som_view_hit(view, x, y).module;
    if (presses == 1) {
        som_project_select(view->project, module);
    } else if (presses == 2 && module >= 0) {
        som_view_fit_selection(view);
    }
}

static void on_drag_begin(GtkGestureDrag *drag, double x, double y, SomView *view) {
    guint button = gtk_gesture_single_get_current_button(GTK_GESTURE_SINGLE(drag));
    if (button == GDK_BUTTON_PRIMARY && som_view_hit(view, x, y).module >= 0) {
        gtk_gesture_set_state(GTK_GESTURE(drag), GTK_EVENT_SEQUENCE_DENIED);
        return;
    }
    GdkModifierType state =
        gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(drag));
    view->pans = (state & GDK_SHIFT_MASK) != 0;
    view->is_dragged = false;
    view->last_x = 0;
    view->last_y = 0;
}

static void on_drag_update(GtkGestureDrag *drag, double x, double y, SomView *view) {
    if (!view->is_dragged && hypot(x, y) < STILL) {
        return;
    }
    if (!view->is_dragged) {
        view->is_dragged = true;
        gtk_gesture_set_state(GTK_GESTURE(drag), GTK_EVENT_SEQUENCE_CLAIMED); // it is no click
        gtk_widget_grab_focus(GTK_WIDGET(view));
    }
    double dx = x - view->last_x, dy = y - view->last_y;
    view->last_x = x;
    view->last_y = y;
    if (view->pans) {
        shift(view, dx, dy);
    } else {
        som_camera_orbit(&view->camera, -TURN * dx, TURN * dy);
    }
    som_view_redraw_moving(view);
}

static void on_drag_end(GtkGestureDrag *drag, double x, double y, SomView *view) {
    (void)drag, (void)x, (void)y;
    view->is_dragged = false;
    som_view_end_draft(view);
}

static gboolean on_scroll(GtkEventControllerScroll *scroll, double dx, double dy, SomView *view) {
    bool is_wheel = gtk_event_controller_scroll_get_unit(scroll) == GDK_SCROLL_UNIT_WHEEL;
    double notch = is_wheel ? 1 : 1 / FINGERS;
    GdkModifierType state =
        gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(scroll));
    if ((state & GDK_SHIFT_MASK) != 0) {
        shift(view, -NOTCH * notch * dx, -NOTCH * notch * dy);
    } else {
        zoom_at(view, pow(WHEEL_ZOOM, notch * dy), view->pointer_x, view->pointer_y);
    }
    som_view_redraw_moving(view);
    return TRUE;
}

static void on_pinch_begin(GtkGesture *pinch, GdkEventSequence *sequence, SomView *view) {
    (void)pinch, (void)sequence;
    view->pinch = 1;
}

static void on_pinch(GtkGestureZoom *pinch, double scale, SomView *view) {
    double x, y;
    if (scale > 0 && gtk_gesture_get_bounding_box_center(GTK_GESTURE(pinch), &x, &y)) {
        zoom_at(view, view->pinch / scale, x, y);
        view->pinch = scale;
        som_view_redraw_moving(view);
    }
}

static void add(SomView *view, void *controller) {
    gtk_widget_add_controller(GTK_WIDGET(view), GTK_EVENT_CONTROLLER(controller));
}

void som_view_add_controllers(SomView *view) {
    GtkGesture *drag = gtk_gesture_drag_new();
    gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(drag), 0);
    g_signal_connect(drag, "drag-begin", G_CALLBACK(on_drag_begin), view);
    g_signal_connect(drag, "drag-update", G_CALLBACK(on_drag_update), view);
    g_signal_connect(drag, "drag-end", G_CALLBACK(on_drag_end), view);
    add(view, drag);
    GtkGesture *click = gtk_gesture_click_new();
    g_signal_connect(click, "released", G_CALLBACK(on_released), view);
    add(view, click);
    GtkEventController *motion = gtk_event_controller_motion_new();
    g_signal_connect(motion, "enter", G_CALLBACK(on_motion), view);
    g_signal_connect(motion, "motion", G_CALLBACK(on_motion), view);
    g_signal_connect(motion, "leave", G_CALLBACK(on_leave), view);
    add(view, motion);
    GtkEventController *scroll =
        gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
    g_signal_connect(scroll, "scroll", G_CALLBACK(on_scroll), view);
    add(view, scroll);
    GtkGesture *pinch = gtk_gesture_zoom_new();
    g_signal_connect(pinch, "begin", G_CALLBACK(on_pinch_begin), view);
    g_signal_connect(pinch, "scale-changed", G_CALLBACK(on_pinch), view);
    add(view, pinch);
}

// ---- keys

static void turn(SomView *view, double azimuth, double elevation) {
    som_camera_orbit(&view->camera, KEY_TURN * azimuth, KEY_TURN * elevation);
}

static void move(SomView *view, double right, double down) {
    shift(view, KEY_SHIFT * right, KEY_SHIFT * down);
}

static void zoom(SomView *view, double steps, double unused) {
    (void)unused;
    som_camera_zoom(&view->camera, pow(KEY_ZOOM, steps));
}

static void look(SomView *view, double side, double unused) {
    (void)unused;
    som_view_look_from(view, (SomViewSide)side);
}

static void fit(SomView *view, double is_all, double unused) {
    (void)unused;
    (is_all > 0 ? som_view_fit : som_view_fit_selection)(view);
}

static void flatten(SomView *view, double unused, double other) {
    (void)unused, (void)other;
    som_view_set_orthographic(view, !view->camera.is_orthographic);
}

static void step(SomView *view, double way, double unused) {
    (void)unused;
    const SomModel *model = som_project_model(view->project);
    int count = model->configuration != NULL ? model->configuration->module_count : 0;
    int selected = som_project_selected(view->project);
    int from = selected >= 0 ? selected : way > 0 ? -1 : count;
    if (count > 0) {
        som_project_select(view->project, (from + (int)way + count) % count);
    }
}

static void leave(SomView *view, double unused, double other) {
    (void)unused, (void)other;
    som_project_select(view->project, -1);
}

static void toggle(SomView *view, double flag, double unused) {
    (void)unused;
    som_view_show(view, view->shown ^ (unsigned)flag);
}

typedef struct Key {
    guint key;
    GdkModifierType modifiers;
    void (*act)(SomView *view, double a, double b);
    double a, b;
} Key;

static const Key keys[] = {
    {GDK_KEY_Left, 0, turn, -1, 0},
    {GDK_KEY_Right, 0, turn, 1, 0},
    {GDK_KEY_Up, 0, turn, 0, 1},
    {GDK_KEY_Down, 0, turn, 0, -1},
    {GDK_KEY_Left, GDK_SHIFT_MASK, move, 1, 0},
    {GDK_KEY_Right, GDK_SHIFT_MASK, move, -1, 0},
    {GDK_KEY_Up, GDK_SHIFT_MASK, move, 0, 1},
    {GDK_KEY_Down, GDK_SHIFT_MASK, move, 0, -1},
    {GDK_KEY_plus, 0, zoom, -1, 0},
    {GDK_KEY_equal, 0, zoom, -1, 0}, // where plus needs shift
    {GDK_KEY_KP_Add, 0, zoom, -1, 0},
    {GDK_KEY_minus, 0, zoom, 1, 0},
    {GDK_KEY_KP_Subtract, 0, zoom, 1, 0},
    {GDK_KEY_1, 0, look, SOM_VIEW_FRONT, 0},
    {GDK_KEY_2, 0, look, SOM_VIEW_RIGHT, 0},
    {GDK_KEY_3, 0, look, SOM_VIEW_TOP, 0},
    {GDK_KEY_4, 0, look, SOM_VIEW_CORNER, 0},
    {GDK_KEY_5, 0, look, SOM_VIEW_BACK, 0},
    {GDK_KEY_6, 0, look, SOM_VIEW_LEFT, 0},
    {GDK_KEY_7, 0, look, SOM_VIEW_BELOW, 0},
    {GDK_KEY_0, 0, fit, 1, 0},
    {GDK_KEY_Home, 0, fit, 1, 0},
    {GDK_KEY_f, 0, fit, 0, 0},
    {GDK_KEY_o, 0, flatten, 0, 0},
    {GDK_KEY_s, 0, toggle, SOM_VIEW_SUPPORT, 0},
    {GDK_KEY_m, 0, toggle, SOM_VIEW_CENTER, 0},
    {GDK_KEY_c, 0, toggle, SOM_VIEW_CONNECTORS, 0},
    {GDK_KEY_j, 0, toggle, SOM_VIEW_GLYPHS, 0},
    {GDK_KEY_a, 0, toggle, SOM_VIEW_AXES, 0},
    {GDK_KEY_x, 0, toggle, SOM_VIEW_FRAMES, 0},
    {GDK_KEY_g, 0, toggle, SOM_VIEW_FOLLOW, 0},
    {GDK_KEY_Page_Down, 0, step, 1, 0},
    {GDK_KEY_Page_Up, 0, step, -1, 0},
    {GDK_KEY_Escape, 0, leave, 0, 0},
};

static gboolean on_key(GtkWidget *widget, GVariant *index, gpointer unused) {
    (void)unused;
    const Key *key = &keys[g_variant_get_int32(index)];
    key->act(SOM_VIEW(widget), key->a, key->b);
    som_view_redraw(SOM_VIEW(widget));
    return TRUE;
}

void som_view_add_keys(GtkWidgetClass *klass) {
    for (int i = 0; i < (int)G_N_ELEMENTS(keys); i++) {
        gtk_widget_class_add_binding(klass, keys[i].key, keys[i].modifiers, on_key, "i", i);
    }
    // that of the window, which has another use for the key where nobody wants it
    gtk_widget_class_add_binding_action(klass, GDK_KEY_space, 0, "motion.play", NULL);
}
