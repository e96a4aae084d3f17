// SPDX-License-Identifier: Apache-2.0
#include "studio/view.h"

#include "render/renderer.h"
#include "render/robot_scene.h"

#define TURN 0.01      // radians a pixel
#define KEY_TURN 0.2   // radians a key
#define KEY_ZOOM 1.25  // a factor
#define WHEEL_ZOOM 1.1 // a step

struct _SomView {
    GtkGLArea parent_instance;
    SomProject *project;
    SomRenderer *renderer; // while there is a GL context
    SomScene scene;
    SomCamera camera;
    unsigned flags;
    int selected;
    int frames;
    bool is_old;    // the scene is not that of the project any more
    bool was_empty; // nothing was there to be seen: what comes first is framed
    bool pans;
    double last_x, last_y; // of a drag
};

G_DEFINE_FINAL_TYPE(SomView, som_view, GTK_TYPE_GL_AREA)

enum { PICKED, SIGNALS };
static guint signals[SIGNALS];

// ---- the scene

static double aspect(SomView *view) {
    int height = gtk_widget_get_height(GTK_WIDGET(view));
    return height > 0 ? (double)gtk_widget_get_width(GTK_WIDGET(view)) / height : 1;
}

static void redraw(SomView *view) {
    gtk_gl_area_queue_render(GTK_GL_AREA(view));
}

static void fill_scene(SomView *view) {
    const SomModel *model = som_project_model(view->project);
    som_scene_clear(&view->scene);
    view->is_old = false;
    if (model->configuration == NULL) {
        som_scene_set_ground(&view->scene, 0);
        view->was_empty = true;
        return;
    }
    som_scene_add_robot(&view->scene, model->mechanism, model->links, &model->meshes,
                        SOM_ROBOT_GROUND | view->flags);
    for (int i = 0; i < view->scene.items.count; i++) {
        SomLook *look = &view->scene.items.data[i].look;
        if (view->selected >= 0 && look->owner == (uint32_t)view->selected + 1) {
            look->flags |= SOM_LOOK_SELECTED;
        }
    }
    if (view->was_empty) {
        som_camera_frame_scene(&view->camera, &view->scene, aspect(view));
        view->was_empty = false;
    }
}

void som_view_refresh(SomView *view) {
    const SomModel *model = som_project_model(view->project);
    int modules = model->configuration != NULL ? model->configuration->module_count : 0;
    view->selected = view->selected < modules ? view->selected : -1;
    view->is_old = true;
    redraw(view);
}

void som_view_fit(SomView *view) {
    if (view->is_old) {
        fill_scene(view);
    }
    som_camera_frame_scene(&view->camera, &view->scene, aspect(view));
    redraw(view);
}

void som_view_select(SomView *view, int module) {
    view->selected = module;
    som_view_refresh(view);
}

int som_view_selected(const SomView *view) {
    return view->selected;
}

void som_view_show(SomView *view, unsigned flags) {
    view->flags = flags;
    som_view_refresh(view);
}

const SomCamera *som_view_camera(const SomView *view) {
    return &view->camera;
}

int som_view_frames(const SomView *view) {
    return view->frames;
}

// ---- GL

static void realize(GtkWidget *widget) {
    SomView *view = SOM_VIEW(widget);
    GTK_WIDGET_CLASS(som_view_parent_class)->realize(widget);
    gtk_gl_area_make_current(GTK_GL_AREA(view));
    if (gtk_gl_area_get_error(GTK_GL_AREA(view)) != NULL) {
        return; // GTK shows it in place of the view
    }
    SomDiagnostics *diags = som_diagnostics_create();
    view->renderer = som_renderer_create(diags);
    if (view->renderer == NULL) {
        SomText words = {0};
        som_diagnostics_print(diags, 0, &words);
        g_autoptr(GError) error =
            g_error_new(GDK_GL_ERROR, GDK_GL_ERROR_NOT_AVAILABLE, "%s", words.data);
        gtk_gl_area_set_error(GTK_GL_AREA(view), error);
        som_text_free(&words);
    }
    som_diagnostics_destroy(diags);
}

static void unrealize(GtkWidget *widget) {
    SomView *view = SOM_VIEW(widget);
    gtk_gl_area_make_current(GTK_GL_AREA(view));
    if (gtk_gl_area_get_error(GTK_GL_AREA(view)) == NULL) {
        som_renderer_destroy(view->renderer);
    }
    view->renderer = NULL;
    GTK_WIDGET_CLASS(som_view_parent_class)->unrealize(widget);
}

static gboolean render(GtkGLArea *area, GdkGLContext *context) {
    (void)context;
    SomView *view = SOM_VIEW(area);
    if (view->renderer == NULL) {
        return FALSE;
    }
    if (view->is_old) {
        fill_scene(view);
    }
    int scale = gtk_widget_get_scale_factor(GTK_WIDGET(area));
    som_renderer_draw(view->renderer, &view->scene, &view->camera,
                      scale * gtk_widget_get_width(GTK_WIDGET(area)),
                      scale * gtk_widget_get_height(GTK_WIDGET(area)));
    view->frames++;
    return TRUE;
}

// ---- pointer

static int pick(SomView *view, double x, double y) {
    SomRay ray = som_camera_ray(&view->camera, x, y, gtk_widget_get_width(GTK_WIDGET(view)),
                                gtk_widget_get_height(GTK_WIDGET(view)));
    double distance;
    int item = som_scene_pick(&view->scene, ray.origin, ray.direction, &distance);
    return item >= 0 ? (int)view->scene.items.data[item].look.owner - 1 : -1;
}

static void on_released(GtkGestureClick *click, int presses, double x, double y, SomView *view) {
    (void)presses;
    (void)click;
    g_signal_emit(view, signals[PICKED], 0, pick(view, x, y));
}

static void on_drag_begin(GtkGestureDrag *drag, double x, double y, SomView *view) {
    guint button = gtk_gesture_single_get_current_button(GTK_GESTURE_SINGLE(drag));
    if (button == GDK_BUTTON_PRIMARY && pick(view, x, y) >= 0) {
        gtk_gesture_set_state(GTK_GESTURE(drag), GTK_EVENT_SEQUENCE_DENIED);
        return;
    }
    GdkModifierType state =
        gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(drag));
    view->pans = (state & GDK_SHIFT_MASK) != 0;
    view->last_x = 0;
    view->last_y = 0;
    gtk_widget_grab_focus(GTK_WIDGET(view));
}

static void on_drag_update(GtkGestureDrag *drag, double x, double y, SomView *view) {
    (void)drag;
    double dx = x - view->last_x, dy = y - view->last_y;
    view->last_x = x;
    view->last_y = y;
    if (view->pans) {
        som_camera_pan(&view->camera, dx, dy, gtk_widget_get_height(GTK_WIDGET(view)));
    } else {
        som_camera_orbit(&view->camera, -TURN * dx, TURN * dy);
    }
    redraw(view);
}

static gboolean on_scroll(GtkEventControllerScroll *scroll, double dx, double dy, SomView *view) {
    (void)scroll;
    (void)dx;
    som_camera_zoom(&view->camera, dy > 0 ? WHEEL_ZOOM : 1 / WHEEL_ZOOM);
    redraw(view);
    return TRUE;
}

// ---- keys

typedef struct Turn {
    guint key;
    double azimuth, elevation; // by so much, or where `is_view`, to so much
    double zoom;
    bool is_view;
} Turn;

#define QUARTER 1.5707963267948966

static const Turn turns[] = {
    {GDK_KEY_Left, -KEY_TURN, 0, 1, false},
    {GDK_KEY_Right, KEY_TURN, 0, 1, false},
    {GDK_KEY_Up, 0, KEY_TURN, 1, false},
    {GDK_KEY_Down, 0, -KEY_TURN, 1, false},
    {GDK_KEY_plus, 0, 0, 1 / KEY_ZOOM, false},
    {GDK_KEY_minus, 0, 0, KEY_ZOOM, false},
    {GDK_KEY_1, 0, 0, 1, true},              // front
    {GDK_KEY_2, QUARTER, 0, 1, true},        // side
    {GDK_KEY_3, -QUARTER, QUARTER, 1, true}, // top
    {GDK_KEY_4, QUARTER / 2, QUARTER / 3, 1, true},
};

static gboolean on_turn(GtkWidget *widget, GVariant *index, gpointer unused) {
    (void)unused;
    SomView *view = SOM_VIEW(widget);
    const Turn *turn = &turns[g_variant_get_int32(index)];
    double azimuth = turn->azimuth, elevation = turn->elevation;
    if (turn->is_view) {
        azimuth -= view->camera.azimuth;
        elevation -= view->camera.elevation;
    }
    som_camera_orbit(&view->camera, azimuth, elevation);
    som_camera_zoom(&view->camera, turn->zoom);
    if (turn->is_view) {
        som_view_fit(view);
    }
    redraw(view);
    return TRUE;
}

static gboolean on_fit(GtkWidget *widget, GVariant *unused, gpointer data) {
    (void)unused;
    (void)data;
    som_view_fit(SOM_VIEW(widget));
    return TRUE;
}

// ---- life

static void finalize(GObject *object) {
    som_scene_free(&SOM_VIEW(object)->scene);
    G_OBJECT_CLASS(som_view_parent_class)->finalize(object);
}

static void som_view_class_init(SomViewClass *klass) {
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(klass);
    G_OBJECT_CLASS(klass)->finalize = finalize;
    widget->realize = realize;
    widget->unrealize = unrealize;
    GTK_GL_AREA_CLASS(klass)->render = render;
    signals[PICKED] = g_signal_new("picked", SOM_TYPE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_INT);
    gtk_widget_class_add_binding(widget, GDK_KEY_Home, 0, on_fit, NULL);
    for (int i = 0; i < (int)G_N_ELEMENTS(turns); i++) {
        gtk_widget_class_add_binding(widget, turns[i].key, 0, on_turn, "i", i);
    }
    gtk_widget_class_set_accessible_role(widget, GTK_ACCESSIBLE_ROLE_IMG);
}

static void som_view_init(SomView *view) {
    view->camera = som_camera_default();
    view->selected = -1;
    view->is_old = true;
    view->was_empty = true;
    GtkGLArea *area = GTK_GL_AREA(view);
    gtk_gl_area_set_required_version(area, 3, 3);
    gtk_gl_area_set_auto_render(area, FALSE);
    gtk_gl_area_set_has_depth_buffer(area, TRUE);
    GtkWidget *widget = GTK_WIDGET(view);
    gtk_widget_set_focusable(widget, TRUE);
    gtk_widget_set_hexpand(widget, TRUE);
    gtk_widget_set_vexpand(widget, TRUE);
    gtk_accessible_update_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_LABEL, "3D view",
                                   -1);

    GtkGesture *drag = gtk_gesture_drag_new();
    gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(drag), 0);
    g_signal_connect(drag, "drag-begin", G_CALLBACK(on_drag_begin), view);
    g_signal_connect(drag, "drag-update", G_CALLBACK(on_drag_update), view);
    gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(drag));
    GtkGesture *click = gtk_gesture_click_new();
    g_signal_connect(click, "released", G_CALLBACK(on_released), view);
    gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(click));
    GtkEventController *scroll =
        gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
    g_signal_connect(scroll, "scroll", G_CALLBACK(on_scroll), view);
    gtk_widget_add_controller(widget, scroll);
}

GtkWidget *som_view_new(SomProject *project) {
    SomView *view = g_object_new(SOM_TYPE_VIEW, NULL);
    view->project = project;
    return GTK_WIDGET(view);
}
