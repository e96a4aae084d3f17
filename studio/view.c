// SPDX-License-Identifier: Apache-2.0
#include "studio/view.h"

#include "studio/view_internal.h"
#include "studio/widgets.h"

#include <adwaita.h>

G_DEFINE_FINAL_TYPE(SomView, som_view, GTK_TYPE_GL_AREA)

// A frame that takes longer is drawn as a draft while the camera moves, milliseconds.
#define SLOW 40

// Scenes of more items are drawn as drafts after every change. A number and no time, so that small
// robots look the same on every machine.
#define MANY 5000

// Drafts are replaced so long after the last one, milliseconds.
#define DRAFT_TIME 180

static gboolean on_still(gpointer data) {
    SomView *view = data;
    view->draft_timer = 0;
    gtk_gl_area_queue_render(GTK_GL_AREA(view));
    return G_SOURCE_REMOVE;
}

static void draw_drafts(SomView *view) {
    g_clear_handle_id(&view->draft_timer, g_source_remove);
    view->draft_timer = g_timeout_add(DRAFT_TIME, on_still, view);
}

void som_view_redraw(SomView *view) {
    if (view->scene.items.count > MANY && view->full_time > SLOW) {
        draw_drafts(view);
    }
    gtk_gl_area_queue_render(GTK_GL_AREA(view));
}

void som_view_redraw_moving(SomView *view) {
    if (view->full_time > SLOW) {
        draw_drafts(view);
    }
    gtk_gl_area_queue_render(GTK_GL_AREA(view));
}

void som_view_refresh(SomView *view) {
    view->is_old = true;
    som_view_redraw(view);
}

SomViewHit som_view_hovered(const SomView *view) {
    return view->hovered;
}

void som_view_show(SomView *view, unsigned shown) {
    view->shown = shown;
    som_view_refresh(view);
}

unsigned som_view_shown(const SomView *view) {
    return view->shown;
}

void som_view_show_links(SomView *view, const SomPose *links) {
    const SomMechanism *mechanism = som_project_model(view->project)->mechanism;
    view->links.count = 0;
    if (links != NULL && mechanism != NULL) {
        for (int i = 0; i < mechanism->link_count; i++) {
            som_array_push(&view->links, links[i]);
        }
    }
    som_view_refresh(view);
}

void som_view_keep_posture(SomView *view, bool is_kept) {
    if (view->keeps_posture != is_kept) {
        view->keeps_posture = is_kept;
        som_view_refresh(view);
    }
}

bool som_view_is_moving(const SomView *view) {
    return view->links.count > 0 && !view->keeps_posture;
}

const SomPose *som_view_links(const SomView *view) {
    return som_view_is_moving(view) ? view->links.data : som_project_model(view->project)->links;
}

void som_view_set_glow(SomView *view, const int *modules, int count) {
    view->glow.count = 0;
    for (int i = 0; i < count; i++) {
        som_array_push(&view->glow, modules[i]);
    }
    som_view_refresh(view);
}

const int *som_view_glow(const SomView *view, int *count) {
    *count = view->glow.count;
    return view->glow.data;
}

const SomCamera *som_view_camera(const SomView *view) {
    return &view->camera;
}

int som_view_frames(const SomView *view) {
    return view->frames;
}

void som_view_end_draft(SomView *view) {
    if (view->draft_timer != 0) {
        g_clear_handle_id(&view->draft_timer, g_source_remove);
        gtk_gl_area_queue_render(GTK_GL_AREA(view));
    }
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
    som_view_fill(view);
    bool is_draft = view->draft_timer != 0;
    som_renderer_set_quality(view->renderer, is_draft ? som_render_draft() : (SomRenderQuality){0});
    gint64 start = g_get_monotonic_time();
    int scale = gtk_widget_get_scale_factor(GTK_WIDGET(area));
    som_renderer_draw(view->renderer, &view->scene, &view->camera,
                      scale * gtk_widget_get_width(GTK_WIDGET(area)),
                      scale * gtk_widget_get_height(GTK_WIDGET(area)));
    if (!is_draft) {
        som_renderer_finish(view->renderer);
        view->full_time = 1e-3 * (double)(g_get_monotonic_time() - start);
    }
    view->frames++;
    return TRUE;
}

// ---- life

// Words for those who do not see it.
static void describe(SomView *view) {
    const SomModel *model = som_project_model(view->project);
    const SomConfiguration *configuration = model->configuration;
    int selected = som_project_selected(view->project);
    SomText words = {0};
    if (configuration == NULL) {
        som_text_add(&words, SOM_STR("Empty"));
    } else {
        som_text_printf(&words, "%.*s, %d modules", SOM_STR_ARG(configuration->parts[0].config),
                        configuration->module_count);
        if (selected >= 0) {
            SomStr path = configuration->modules[selected].path;
            som_text_printf(&words, ", %.*s is selected", SOM_STR_ARG(path));
        }
    }
    gtk_accessible_update_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                   words.data, -1);
    som_text_free(&words);
}

static void on_change(void *context, unsigned changes) {
    SomView *view = context;
    if ((changes & SOM_PROJECT_TEXT) != 0) {
        view->is_undressed = true;
        view->hovered = (SomViewHit){.module = -1, .connector = -1}; // its number may be another's
        view->links.count = 0;
        view->glow.count = 0;
    }
    if ((changes & (SOM_PROJECT_TEXT | SOM_PROJECT_SELECTION)) != 0) {
        describe(view);
    }
    if ((changes & ~(unsigned)(SOM_PROJECT_FILE | SOM_PROJECT_REFUSAL)) != 0) {
        som_view_refresh(view);
    }
}

// It listens while it is in a window, of whose project it is.
static void root(GtkWidget *widget) {
    SomView *view = SOM_VIEW(widget);
    GTK_WIDGET_CLASS(som_view_parent_class)->root(widget);
    som_project_listen(view->project, on_change, view);
    on_change(view, SOM_PROJECT_TEXT);
}

static void unroot(GtkWidget *widget) {
    SomView *view = SOM_VIEW(widget);
    som_project_unlisten(view->project, on_change, view);
    g_clear_handle_id(&view->draft_timer, g_source_remove);
    GTK_WIDGET_CLASS(som_view_parent_class)->unroot(widget);
}

static void finalize(GObject *object) {
    SomView *view = SOM_VIEW(object);
    g_clear_handle_id(&view->draft_timer, g_source_remove);
    som_robot_skin_free(&view->skin);
    som_scene_free(&view->scene);
    som_array_free(&view->layers);
    som_array_free(&view->links);
    som_array_free(&view->glow);
    G_OBJECT_CLASS(som_view_parent_class)->finalize(object);
}

static void som_view_class_init(SomViewClass *klass) {
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(klass);
    G_OBJECT_CLASS(klass)->finalize = finalize;
    widget->root = root;
    widget->unroot = unroot;
    widget->realize = realize;
    widget->unrealize = unrealize;
    GTK_GL_AREA_CLASS(klass)->render = render;
    som_view_add_keys(widget);
    gtk_widget_class_set_accessible_role(widget, GTK_ACCESSIBLE_ROLE_IMG);
}

static void som_view_init(SomView *view) {
    view->camera = som_camera_default();
    view->shown = SOM_VIEW_CENTER | SOM_VIEW_SUPPORT | SOM_VIEW_FOLLOW;
    view->hovered = (SomViewHit){.module = -1, .connector = -1};
    view->is_old = true;
    view->is_undressed = true;
    view->was_empty = true;
    GtkGLArea *area = GTK_GL_AREA(view);
    gtk_gl_area_set_required_version(area, 3, 3);
    gtk_gl_area_set_auto_render(area, FALSE);
    GtkWidget *widget = GTK_WIDGET(view);
    gtk_widget_set_focusable(widget, TRUE);
    gtk_widget_set_hexpand(widget, TRUE);
    gtk_widget_set_vexpand(widget, TRUE);
    som_set_accessible_name(view, "3D view");
    som_view_add_controllers(view);
    g_signal_connect_object(adw_style_manager_get_default(), "notify::dark",
                            G_CALLBACK(som_view_refresh), view, G_CONNECT_SWAPPED);
}

GtkWidget *som_view_new(SomProject *project) {
    SomView *view = g_object_new(SOM_TYPE_VIEW, NULL);
    view->project = project;
    return GTK_WIDGET(view);
}
