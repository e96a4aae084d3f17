// SPDX-License-Identifier: Apache-2.0
#include "tests/studio/ui.h"
#include "tests/suite.h"

#include <X11/XKBlib.h>
#include <X11/extensions/XTest.h>
#include <gdk/x11/gdkx.h>

#define DRAG_STEPS 8 // moves between two places, as a hand makes them
#define LIFT 12 // pixels after which GTK takes a press for a drag: more than its threshold of 8

// The calls of the X server itself are those of GDK's own connection, so that its events follow.
static Display *display_of(GtkWidget *widget) {
    return gdk_x11_display_get_xdisplay(gtk_widget_get_display(widget));
}

// What was sent is received, handled and drawn; the widget may be removed by it, whose window then
// shows what stands in its place, and the window may be closed.
static void deliver(GtkWidget *widget) {
    GtkNative *native = gtk_widget_get_native(widget);
    GtkWidget *drawn = g_object_ref(native != NULL ? GTK_WIDGET(native) : widget);
    XSync(display_of(widget), False);
    som_ui_settle(drawn);
    g_object_unref(drawn);
}

// ---- pointer

void som_ui_move(void *widget, double x, double y) {
    GtkNative *native = gtk_widget_get_native(widget);
    ck_assert_msg(native != NULL, "the widget is in no window");
    GdkSurface *surface = gtk_native_get_surface(native);
    double in_x, in_y, shift_x, shift_y;
    ck_assert(gtk_widget_translate_coordinates(widget, GTK_WIDGET(native), x, y, &in_x, &in_y));
    gtk_native_get_surface_transform(native, &shift_x, &shift_y);
    int scale = gdk_surface_get_scale_factor(surface), root_x, root_y;
    Window child;
    Display *display = display_of(widget);
    XTranslateCoordinates(display, gdk_x11_surface_get_xid(surface), DefaultRootWindow(display),
                          (int)((in_x + shift_x) * scale), (int)((in_y + shift_y) * scale), &root_x,
                          &root_y, &child);
    XTestFakeMotionEvent(display, -1, root_x, root_y, 0);
    deliver(widget);
}

void som_ui_press(void *widget, unsigned button) {
    XTestFakeButtonEvent(display_of(widget), button, True, 0);
    deliver(widget);
}

void som_ui_release(void *widget, unsigned button) {
    XTestFakeButtonEvent(display_of(widget), button, False, 0);
    deliver(widget);
}

void som_ui_click_at(void *widget, double x, double y, unsigned button) {
    som_ui_move(widget, x, y);
    som_ui_press(widget, button);
    som_ui_release(widget, button);
}

void som_ui_click(void *widget) {
    som_ui_click_at(widget, gtk_widget_get_width(widget) / 2.0, gtk_widget_get_height(widget) / 2.0,
                    1);
}

void som_ui_double_click(void *widget) {
    som_ui_move(widget, gtk_widget_get_width(widget) / 2.0, gtk_widget_get_height(widget) / 2.0);
    for (int i = 0; i < 4; i++) { // at once, so that a slow machine does not make it two clicks
        XTestFakeButtonEvent(display_of(widget), 1, i % 2 == 0, 0);
    }
    deliver(widget);
}

void som_ui_drag(void *widget, double x0, double y0, double x1, double y1, unsigned button) {
    som_ui_move(widget, x0, y0);
    som_ui_press(widget, button);
    for (int i = 1; i <= DRAG_STEPS; i++) {
        som_ui_move(widget, x0 + (x1 - x0) * i / DRAG_STEPS, y0 + (y1 - y0) * i / DRAG_STEPS);
    }
    som_ui_release(widget, button);
}

void som_ui_scroll(void *widget, int steps) {
    for (int i = 0; i < ABS(steps); i++) {
        unsigned wheel = steps < 0 ? 4 : 5;
        XTestFakeButtonEvent(display_of(widget), wheel, True, 0);
        XTestFakeButtonEvent(display_of(widget), wheel, False, 0);
        deliver(widget);
    }
}

void som_ui_carry(void *from, void *to, double x, double y) {
    double middle_x = gtk_widget_get_width(from) / 2.0,
           middle_y = gtk_widget_get_height(from) / 2.0;
    som_ui_move(from, middle_x, middle_y);
    som_ui_press(from, 1);
    som_ui_move(from, middle_x + LIFT / 2.0, middle_y);
    som_ui_move(from, middle_x + LIFT, middle_y);
    som_ui_move(from, middle_x + 2 * LIFT, middle_y);
    double at_x, at_y;
    ck_assert(
        gtk_widget_translate_coordinates(from, to, middle_x + 2 * LIFT, middle_y, &at_x, &at_y));
    for (int i = 1; i <= DRAG_STEPS; i++) {
        som_ui_move(to, at_x + (x - at_x) * i / DRAG_STEPS, at_y + (y - at_y) * i / DRAG_STEPS);
    }
}

// ---- keys

// There is no window manager that would give the focus.
static Display *focus(GtkWidget *widget) {
    GtkRoot *root = gtk_widget_get_root(widget);
    ck_assert_msg(root != NULL, "the widget is in no window");
    Window window = gdk_x11_surface_get_xid(gtk_native_get_surface(GTK_NATIVE(root))), now;
    int revert;
    Display *display = display_of(widget);
    XGetInputFocus(display, &now, &revert);
    if (now != window) {
        XSetInputFocus(display, window, RevertToPointerRoot, CurrentTime);
        deliver(widget);
    }
    return display;
}

static void send_key(Display *display, KeySym key, bool is_down) {
    KeyCode code = XKeysymToKeycode(display, key);
    ck_assert_msg(code != 0, "no key gives %s", XKeysymToString(key));
    XTestFakeKeyEvent(display, code, is_down, 0);
}

static const struct {
    GdkModifierType modifier;
    KeySym key;
} modifiers[] = {
    {GDK_CONTROL_MASK, XK_Control_L}, {GDK_SHIFT_MASK, XK_Shift_L}, {GDK_ALT_MASK, XK_Alt_L}};

static void hold_modifiers(Display *display, GdkModifierType state, bool is_down) {
    for (size_t i = 0; i < G_N_ELEMENTS(modifiers); i++) {
        if ((state & modifiers[i].modifier) != 0) {
            send_key(display, modifiers[i].key, is_down);
        }
    }
}

// Is the key's sign its upper one?
static bool needs_shift(Display *display, KeySym key) {
    KeyCode code = XKeysymToKeycode(display, key);
    return XkbKeycodeToKeysym(display, code, 0, 0) != key &&
           XkbKeycodeToKeysym(display, code, 0, 1) == key;
}

static void strike(Display *display, KeySym key, GdkModifierType state) {
    if (needs_shift(display, key)) {
        state |= GDK_SHIFT_MASK;
    }
    hold_modifiers(display, state, true);
    send_key(display, key, true);
    send_key(display, key, false);
    hold_modifiers(display, state, false);
}

void som_ui_key(void *widget, const char *accelerator) {
    guint key;
    GdkModifierType state;
    ck_assert_msg(gtk_accelerator_parse(accelerator, &key, &state), "no key: %s", accelerator);
    strike(focus(widget), key, state);
    deliver(widget);
}

void som_ui_hold(void *widget, const char *key, bool is_down) {
    send_key(focus(widget), XStringToKeysym(key), is_down);
    deliver(widget);
}

void som_ui_type(void *widget, const char *ascii) {
    Display *display = focus(widget);
    for (const char *each = ascii; *each != '\0'; each++) {
        strike(display, *each == '\n' ? XK_Return : *each == '\t' ? XK_Tab : (KeySym)*each, 0);
        deliver(widget);
    }
}
