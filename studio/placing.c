// SPDX-License-Identifier: Apache-2.0
#include "studio/placing.h"

#include "studio/placing_scene.h"
#include "studio/widgets.h"

#include <math.h>

// A connector that is dragged goes to one no farther from what is pointed at. Metres.
#define REACH 0.04

typedef enum Manner {
    BY_KEYS,   // arrows and Enter, or moving and clicking the pointer
    BY_CARRY,  // a pointer that was pressed in the library
    BY_HANDLE, // a connector that is dragged
    BY_CLICKS, // the second of two connectors is looked for
} Manner;

struct _SomPlacing {
    GObject parent_instance;
    SomView *view; // owns this
    SomProject *project;
    SomAssembly *assembly;
    GtkWidget *hint;
    GtkLabel *words; // in the hint
    Manner manner;
    bool is_away; // the pointer is not over the view: nothing would be dropped
    GtkWidget *root;
    GtkEventController *keys, *wheel; // of the root, while something is placed
    double pointer_x, pointer_y;
    double begin_x, begin_y;               // of a drag in the view
    int pressed_module, pressed_connector; // where the drag began; -1: it is gone since
    int selected_before;
};

G_DEFINE_FINAL_TYPE(SomPlacing, som_placing, G_TYPE_OBJECT)

enum { REFUSED, SIGNALS };
static guint signals[SIGNALS];

GtkWidget *som_placing_hint(SomPlacing *placing) {
    return placing->hint;
}

const SomAssembly *som_placing_assembly(const SomPlacing *placing) {
    return placing->assembly;
}

static bool is_active(const SomPlacing *p) {
    return som_assembly_kind(p->assembly) != SOM_ASSEMBLY_IDLE;
}

// ---- what is shown of it

static const char *help_for(const SomPlacing *p) {
    bool is_first = som_assembly_is_first(p->assembly);
    if (p->manner == BY_CARRY && is_first) {
        return "drop it into the view";
    }
    switch (p->manner) {
    case BY_KEYS:
        return "[ ] turn · Tab other connector · arrows other place · Enter drops · Esc leaves";
    case BY_CARRY:
        return "wheel or [ ] turns · Tab other connector · Esc leaves";
    case BY_HANDLE:
        return "wheel or [ ] turns · Esc leaves";
    case BY_CLICKS:
        return "click another connector to connect the two · Esc leaves";
    }
    return "";
}

static void print_first(const SomPlacing *p, SomText *words) {
    int module = som_assembly_first_module(p->assembly);
    if (module >= 0) {
        som_configuration_print_connector(som_project_model(p->project)->configuration, module,
                                          som_assembly_first_connector(p->assembly), words);
    }
}

static void show(SomPlacing *p) {
    bool active = is_active(p);
    GtkPropagationPhase phase = active ? GTK_PHASE_CAPTURE : GTK_PHASE_NONE;
    if (p->keys != NULL) {
        gtk_event_controller_set_propagation_phase(p->keys, phase);
        gtk_event_controller_set_propagation_phase(p->wheel, phase);
    }
    if (active) {
        SomText words = {0};
        if (!p->is_away) {
            som_assembly_print(p->assembly, &words);
        }
        if (words.length == 0) {
            print_first(p, &words);
        }
        som_text_printf(&words, "%s%s", words.length > 0 ? "\n" : "", help_for(p));
        gtk_label_set_text(p->words, words.data);
        som_text_free(&words);
    }
    gtk_widget_set_visible(p->hint, active);
    som_view_keep_posture(p->view, active); // connectors are found at that
    som_view_refresh(p->view);
}

static void add_to_scene(SomScene *scene, void *context) {
    SomPlacing *p = context;
    if (is_active(p)) {
        som_assembly_add_to_scene(p->assembly, som_project_model(p->project), scene, p->is_away);
    }
}

// ---- doing it

void som_placing_cancel(SomPlacing *p) {
    if (is_active(p)) {
        som_assembly_cancel(p->assembly);
        show(p);
    }
}

static void drop(SomPlacing *p) {
    SomStr reason = som_assembly_reason(p->assembly);
    if (som_assembly_candidate(p->assembly) == NULL && !som_assembly_is_first(p->assembly)) {
        if (reason.length > 0) {
            g_autofree char *words = som_c_string(reason);
            g_signal_emit(p, signals[REFUSED], 0, words);
        }
    } else {
        som_assembly_drop(p->assembly); // what is refused is told by the project
    }
    show(p);
}

static gboolean on_key(GtkEventControllerKey *controller, guint key, guint code,
                       GdkModifierType state, SomPlacing *p) {
    (void)controller, (void)code;
    bool goes = p->manner == BY_KEYS; // arrows go to other connectors, else they turn
    bool has_none = p->manner == BY_CLICKS && som_assembly_candidate(p->assembly) == NULL;
    if (!is_active(p) || (has_none && key != GDK_KEY_Escape) ||
        (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0) {
        return FALSE;
    }
    switch (key) {
    case GDK_KEY_Escape:
        som_placing_cancel(p);
        return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_space:
        if (p->manner != BY_KEYS) {
            return p->manner != BY_CLICKS;
        }
        drop(p);
        return TRUE;
    case GDK_KEY_bracketright:
    case GDK_KEY_e:
        som_assembly_turn(p->assembly, 1);
        break;
    case GDK_KEY_bracketleft:
    case GDK_KEY_q:
        som_assembly_turn(p->assembly, -1);
        break;
    case GDK_KEY_Tab:
    case GDK_KEY_ISO_Left_Tab:
        if (p->manner == BY_CLICKS) {
            return FALSE;
        }
        som_assembly_change_own(p->assembly, key == GDK_KEY_Tab ? 1 : -1);
        break;
    case GDK_KEY_Right:
    case GDK_KEY_Down:
        (goes ? som_assembly_change_site : som_assembly_turn)(p->assembly, 1);
        break;
    case GDK_KEY_Left:
    case GDK_KEY_Up:
        (goes ? som_assembly_change_site : som_assembly_turn)(p->assembly, -1);
        break;
    default:
        return FALSE;
    }
    show(p);
    return TRUE;
}

static gboolean on_wheel(GtkEventControllerScroll *controller, double dx, double dy,
                         SomPlacing *p) {
    (void)controller, (void)dx;
    if (!is_active(p) || p->is_away || som_assembly_candidate(p->assembly) == NULL || dy == 0) {
        return FALSE;
    }
    som_assembly_turn(p->assembly, dy > 0 ? 1 : -1);
    show(p);
    return TRUE;
}

// Who goes on to write wants the keys.
static void on_focus(GtkWindow *root, GParamSpec *spec, SomPlacing *p) {
    (void)spec;
    GtkWidget *focus = gtk_window_get_focus(root);
    bool is_dragged = p->manner == BY_CARRY || p->manner == BY_HANDLE;
    if (!is_dragged && focus != NULL && (GTK_IS_TEXT(focus) || GTK_IS_TEXT_VIEW(focus))) {
        som_placing_cancel(p);
    }
}

// Keys and the wheel are for what is placed wherever focus and pointer are: while a row of the
// library is dragged they would go there.
static void take_input(SomPlacing *p) {
    GtkWidget *root = GTK_WIDGET(gtk_widget_get_root(GTK_WIDGET(p->view)));
    if (p->root == root || root == NULL) {
        return;
    }
    p->root = root;
    p->keys = gtk_event_controller_key_new();
    p->wheel = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL |
                                               GTK_EVENT_CONTROLLER_SCROLL_DISCRETE);
    g_signal_connect_object(p->keys, "key-pressed", G_CALLBACK(on_key), p, 0);
    g_signal_connect_object(p->wheel, "scroll", G_CALLBACK(on_wheel), p, 0);
    g_signal_connect_object(root, "notify::focus-widget", G_CALLBACK(on_focus), p, 0);
    gtk_widget_add_controller(root, p->keys);
    gtk_widget_add_controller(root, p->wheel);
}

// After an assembly was begun, or was not.
static bool begun(SomPlacing *p, bool is_begun, Manner manner) {
    if (!is_begun) {
        SomStr reason = som_assembly_reason(p->assembly);
        g_autofree char *words = som_c_string(reason);
        g_signal_emit(p, signals[REFUSED], 0, words);
        show(p);
        return false;
    }
    take_input(p);
    p->manner = manner;
    p->is_away = manner == BY_CARRY;
    if (manner == BY_KEYS) {
        gtk_widget_grab_focus(GTK_WIDGET(p->view));
    }
    show(p);
    return true;
}

// Begins at the first connector of what is selected, or anywhere.
static void go_to_selected(SomPlacing *p) {
    const bool *is_offered;
    const SomSites *sites = som_assembly_sites(p->assembly, &is_offered);
    int selected = som_project_selected(p->project);
    for (int i = 0; i < sites->count; i++) {
        if (is_offered[i] && sites->data[i].module == selected) {
            som_assembly_aim_at(p->assembly, selected, sites->data[i].connector);
            return;
        }
    }
    som_assembly_change_site(p->assembly, 1);
}

static bool begin_item(SomPlacing *p, SomLibraryItem *item) {
    return som_assembly_begin_part(p->assembly, som_str(som_library_item_reference(item)),
                                   som_library_item_entry(item)->file);
}

bool som_placing_begin(SomPlacing *p, SomLibraryItem *item) {
    if (!begun(p, begin_item(p, item), BY_KEYS)) {
        return false;
    }
    go_to_selected(p);
    if (som_assembly_is_first(p->assembly)) {
        drop(p);
    }
    show(p);
    return true;
}

// At the first place that is offered.
static bool begun_by_keys(SomPlacing *p, bool is_begun) {
    if (begun(p, is_begun, BY_KEYS)) {
        som_assembly_change_site(p->assembly, 1);
        show(p);
    }
    return is_begun;
}

bool som_placing_begin_copy(SomPlacing *p, SomStr part) {
    return begun_by_keys(p, som_assembly_begin_copy(p->assembly, part));
}

bool som_placing_begin_move(SomPlacing *p, int module) {
    return begun_by_keys(p, som_assembly_begin_move(p->assembly, module, -1));
}

// The first free connector of a module; 0, which is refused then, if none is.
static int first_free(const SomPlacing *p, int module) {
    const SomModel *model = som_project_model(p->project);
    SomSites all = som_sites_find(model->mechanism, model->links);
    int found = 0;
    for (int i = all.count - 1; i >= 0; i--) {
        found = all.data[i].module == module ? all.data[i].connector : found;
    }
    som_sites_free(&all);
    return found;
}

bool som_placing_turn(SomPlacing *p, int steps) {
    bool done = som_assembly_begin_turn(p->assembly, som_project_selected(p->project)) &&
                som_assembly_turn(p->assembly, steps);
    if (done) {
        drop(p);
        som_placing_cancel(p);
    } else {
        begun(p, false, BY_KEYS);
    }
    return done;
}

bool som_placing_begin_connect(SomPlacing *p, int module, int connector) {
    connector = connector >= 0 ? connector : first_free(p, module);
    return begun_by_keys(p, som_assembly_begin_connect(p->assembly, module, connector));
}

// ---- the pointer

static bool is_held(const SomPlacing *p, int module) {
    SomAssemblyBody body = som_assembly_body(p->assembly);
    bool moves = som_assembly_kind(p->assembly) == SOM_ASSEMBLY_MOVE;
    return moves && body.is_held != NULL && body.is_held[module];
}

// At what is under the pointer: a connector, the one nearest to a place on a module, or to the ray.
static void aim(SomPlacing *p, double x, double y) {
    SomViewHit hit = som_view_hit(p->view, x, y);
    SomRay ray = som_view_ray(p->view, x, y);
    bool is_exact = p->manner == BY_HANDLE || p->manner == BY_CLICKS;
    if (hit.module >= 0 && hit.connector >= 0 && !is_held(p, hit.module)) {
        som_assembly_aim_at(p->assembly, hit.module, hit.connector);
    } else {
        bool is_point = hit.module >= 0 && !is_held(p, hit.module);
        SomAim at = {.origin = is_point ? hit.point : ray.origin,
                     .direction = is_point ? (SomVec3){0, 0, 0} : ray.direction,
                     .reach = is_exact ? REACH : 0};
        som_assembly_aim(p->assembly, &at);
    }
    show(p);
}

bool som_placing_carry(SomPlacing *p, SomLibraryItem *item) {
    return begun(p, begin_item(p, item), BY_CARRY);
}

void som_placing_carry_to(SomPlacing *p, GtkWidget *from, double x, double y) {
    GtkWidget *view = GTK_WIDGET(p->view);
    double at_x, at_y;
    if (!is_active(p) || p->manner != BY_CARRY ||
        !gtk_widget_translate_coordinates(from, view, x, y, &at_x, &at_y)) {
        return;
    }
    p->is_away = !gtk_widget_contains(view, at_x, at_y);
    if (p->is_away) {
        show(p);
    } else {
        aim(p, at_x, at_y);
    }
}

void som_placing_carry_end(SomPlacing *p) {
    if (!is_active(p) || p->manner != BY_CARRY) {
        return;
    }
    if (!p->is_away) {
        gtk_widget_grab_focus(GTK_WIDGET(p->view));
        drop(p);
    }
    som_placing_cancel(p); // beside the view, or refused
}

static void on_motion(GtkEventControllerMotion *controller, double x, double y, SomPlacing *p) {
    (void)controller;
    bool is_moved = x != p->pointer_x || y != p->pointer_y; // not only what is under it
    p->pointer_x = x;
    p->pointer_y = y;
    if (is_moved && is_active(p) && (p->manner == BY_KEYS || p->manner == BY_CLICKS)) {
        aim(p, x, y);
    }
}

static void on_pressed(GtkGestureClick *click, int presses, double x, double y, SomPlacing *p) {
    (void)presses, (void)x, (void)y;
    p->selected_before = som_project_selected(p->project);
    if (is_active(p) && p->manner == BY_KEYS) { // the view is not to select
        gtk_gesture_set_state(GTK_GESTURE(click), GTK_EVENT_SEQUENCE_CLAIMED);
    }
}

static void on_released(GtkGestureClick *click, int presses, double x, double y, SomPlacing *p) {
    (void)click;
    SomViewHit hit = som_view_hit(p->view, x, y);
    if (is_active(p) && p->manner == BY_KEYS) {
        drop(p);
    } else if (is_active(p) && p->manner == BY_CLICKS) {
        bool is_other =
            hit.connector >= 0 && som_assembly_aim_at(p->assembly, hit.module, hit.connector);
        if (is_other) {
            drop(p);
        }
        som_placing_cancel(p);
    } else if (presses == 1 && hit.connector >= 0 && hit.module == p->selected_before) {
        begun(p, som_assembly_begin_connect(p->assembly, hit.module, hit.connector), BY_CLICKS);
    }
}

// ---- connectors that are dragged

static void on_drag_begin(GtkGestureDrag *drag, double x, double y, SomPlacing *p) {
    SomViewHit hit = som_view_hit(p->view, x, y);
    p->begin_x = x;
    p->begin_y = y;
    p->pressed_module = hit.module;
    p->pressed_connector = hit.connector;
    if (hit.connector < 0 || (is_active(p) && p->manner != BY_CLICKS)) {
        gtk_gesture_set_state(GTK_GESTURE(drag), GTK_EVENT_SEQUENCE_DENIED);
    }
}

static void on_drag_update(GtkGestureDrag *drag, double x, double y, SomPlacing *p) {
    GtkWidget *view = GTK_WIDGET(p->view);
    bool is_dragged = is_active(p) && p->manner == BY_HANDLE;
    if (!is_dragged &&
        gtk_gesture_get_sequence_state(GTK_GESTURE(drag),
                                       gtk_gesture_get_last_updated_sequence(GTK_GESTURE(drag))) ==
            GTK_EVENT_SEQUENCE_CLAIMED) {
        return; // it was left
    }
    if (!is_dragged) {
        if (p->pressed_module < 0 || !gtk_drag_check_threshold(view, 0, 0, (int)x, (int)y)) {
            return;
        }
        gtk_gesture_set_state(GTK_GESTURE(drag), GTK_EVENT_SEQUENCE_CLAIMED); // it is no click
        bool moves = som_assembly_begin_move(p->assembly, p->pressed_module, p->pressed_connector);
        // what carries all else can only be connected
        if (!begun(p,
                   moves || som_assembly_begin_connect(p->assembly, p->pressed_module,
                                                       p->pressed_connector),
                   BY_HANDLE)) {
            return;
        }
    }
    aim(p, p->begin_x + x, p->begin_y + y);
}

static void on_drag_end(GtkGestureDrag *drag, double x, double y, SomPlacing *p) {
    (void)drag, (void)x, (void)y;
    if (is_active(p) && p->manner == BY_HANDLE) {
        drop(p);
        som_placing_cancel(p);
    }
}

static void on_drag_cancel(GtkGesture *drag, GdkEventSequence *sequence, SomPlacing *p) {
    (void)drag, (void)sequence;
    if (p->manner == BY_HANDLE) {
        som_placing_cancel(p);
    }
}

// ---- life

static void on_change(void *context, unsigned changes) {
    SomPlacing *p = context;
    if ((changes & SOM_PROJECT_TEXT) != 0) {
        p->pressed_module = -1; // its number may be another's
    }
    if (is_active(p)) {
        som_assembly_follow(p->assembly, changes);
        show(p);
    }
}

static void finalize(GObject *object) {
    SomPlacing *p = SOM_PLACING(object);
    som_project_unlisten(p->project, on_change, p);
    som_assembly_destroy(p->assembly);
    g_clear_object(&p->hint);
    G_OBJECT_CLASS(som_placing_parent_class)->finalize(object);
}

static void som_placing_class_init(SomPlacingClass *klass) {
    G_OBJECT_CLASS(klass)->finalize = finalize;
    signals[REFUSED] = g_signal_new("refused", SOM_TYPE_PLACING, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                    NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void som_placing_init(SomPlacing *p) {
    p->hint = g_object_ref_sink(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0));
    gtk_widget_add_css_class(p->hint, "osd");
    gtk_widget_add_css_class(p->hint, "toolbar");
    p->words = GTK_LABEL(gtk_label_new(""));
    gtk_label_set_justify(p->words, GTK_JUSTIFY_CENTER);
    gtk_label_set_wrap(p->words, TRUE);
    gtk_box_append(GTK_BOX(p->hint), GTK_WIDGET(p->words));
    gtk_widget_set_halign(p->hint, GTK_ALIGN_CENTER);
    gtk_widget_set_valign(p->hint, GTK_ALIGN_START);
    gtk_widget_set_margin_top(p->hint, 12);
    gtk_widget_set_can_target(p->hint, FALSE);
    gtk_widget_set_visible(p->hint, FALSE);
}

static void add(SomPlacing *p, void *controller) {
    gtk_event_controller_set_propagation_phase(GTK_EVENT_CONTROLLER(controller), GTK_PHASE_CAPTURE);
    gtk_widget_add_controller(GTK_WIDGET(p->view), GTK_EVENT_CONTROLLER(controller));
}

static void add_controllers(SomPlacing *p) {
    GtkEventController *motion = gtk_event_controller_motion_new();
    g_signal_connect(motion, "enter", G_CALLBACK(on_motion), p);
    g_signal_connect(motion, "motion", G_CALLBACK(on_motion), p);
    add(p, motion);
    GtkGesture *click = gtk_gesture_click_new();
    g_signal_connect(click, "pressed", G_CALLBACK(on_pressed), p);
    g_signal_connect(click, "released", G_CALLBACK(on_released), p);
    add(p, click);
    GtkGesture *drag = gtk_gesture_drag_new();
    g_signal_connect(drag, "drag-begin", G_CALLBACK(on_drag_begin), p);
    g_signal_connect(drag, "drag-update", G_CALLBACK(on_drag_update), p);
    g_signal_connect(drag, "drag-end", G_CALLBACK(on_drag_end), p);
    g_signal_connect(drag, "cancel", G_CALLBACK(on_drag_cancel), p);
    add(p, drag);
}

SomPlacing *som_placing_attach(SomView *view, SomProject *project) {
    SomPlacing *p = g_object_new(SOM_TYPE_PLACING, NULL);
    p->view = view;
    p->project = project;
    p->assembly = som_assembly_create(project);
    som_project_listen(project, on_change, p);
    som_view_add_overlay(view, add_to_scene, p);
    add_controllers(p);
    g_object_set_data_full(G_OBJECT(view), "som-placing", p, g_object_unref);
    return p;
}
