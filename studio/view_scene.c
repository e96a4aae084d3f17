// SPDX-License-Identifier: Apache-2.0
// What the view shows: the robot, what is marked of it, and what overlays add.

#include "render/robot_scene.h"
#include "render/support_sign.h"
#include "studio/view_internal.h"

#include <adwaita.h>

// So far from the camera's target the middle of what moves may be, by the distance of the camera:
// not half of the way to the border of the picture.
#define LEASH 0.12

static const SomColor hovered_color = {0.1f, 0.45f, 0.9f, 1};

double som_view_aspect(SomView *view) {
    int height = gtk_widget_get_height(GTK_WIDGET(view));
    return height > 0 ? (double)gtk_widget_get_width(GTK_WIDGET(view)) / height : 1;
}

static unsigned robot_flags(unsigned shown) {
    static const struct {
        unsigned shown, flag;
    } pairs[] = {
        {SOM_VIEW_CONNECTORS, SOM_ROBOT_CONNECTORS},
        {SOM_VIEW_GLYPHS, SOM_ROBOT_SIGNS},
        {SOM_VIEW_CENTER, SOM_ROBOT_CENTER_OF_MASS},
        {SOM_VIEW_FRAMES, SOM_ROBOT_FRAMES},
        {SOM_VIEW_AXES, SOM_ROBOT_AXES},
    };
    unsigned flags = SOM_ROBOT_GROUND;
    for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
        flags |= (shown & pairs[i].shown) != 0 ? pairs[i].flag : 0;
    }
    return flags;
}

static void set_alarm(SomView *view, int module) {
    som_robot_skin_mark(&view->skin, &view->scene, module, 1, SOM_LOOK_ALARMED);
}

static void mark_alarms(SomView *view, int modules) {
    const SomPostureVerdict *verdict = som_project_verdict(view->project);
    for (int i = 0; i < verdict->collision_count && !som_view_is_moving(view); i++) {
        set_alarm(view, verdict->collisions[i].module_a);
        set_alarm(view, verdict->collisions[i].module_b);
    }
    for (int i = 0; i < view->glow.count; i++) {
        if (view->glow.data[i] >= 0 && view->glow.data[i] < modules) {
            set_alarm(view, view->glow.data[i]);
        }
    }
}

static void mark_modules(SomView *view, const SomModel *model) {
    int hovered = view->hovered.module, selected = som_project_selected(view->project);
    if (hovered >= 0 && hovered != selected) {
        som_robot_skin_mark(&view->skin, &view->scene, hovered, 1, SOM_LOOK_HIGHLIGHTED);
    }
    int part = som_project_selected_part_index(view->project);
    if (part >= 0) { // what is removed, mirrored, … with it
        const SomPart *whole = &model->configuration->parts[part];
        som_robot_skin_mark(&view->skin, &view->scene, whole->first_module, whole->module_count,
                            SOM_LOOK_RELATED);
    }
    if (selected >= 0) {
        som_robot_skin_mark(&view->skin, &view->scene, selected, 1, SOM_LOOK_SELECTED);
    }
    mark_alarms(view, model->configuration->module_count);
    const int near[2] = {hovered, selected};
    for (int i = 0; i < 2 && (view->shown & SOM_VIEW_CONNECTORS) == 0; i++) {
        if (near[i] >= 0 && (i == 0 || near[0] != near[1])) {
            som_robot_skin_show_connectors(&view->skin, &view->scene, som_view_links(view), near[i],
                                           -1, som_connector_color);
        }
    }
    if (view->hovered.connector >= 0) {
        som_robot_skin_show_connectors(&view->skin, &view->scene, som_view_links(view), hovered,
                                       view->hovered.connector, hovered_color);
    }
}

static void add_support(SomView *view) {
    const SomPostureVerdict *verdict = som_project_verdict(view->project);
    SomSupportSign sign = {verdict->support, verdict->support_count, verdict->below_center,
                           verdict->is_balanced};
    bool is_asked = (view->shown & SOM_VIEW_SUPPORT) != 0 && !som_view_is_moving(view);
    if (is_asked && verdict->is_known) {
        som_scene_add_support(&view->scene, &sign);
    }
}

static void shift_camera(SomView *view, SomVec3 way) {
    view->camera.target = som_vec3_add(view->camera.target, way);
}

// As a dog on a leash: what goes to and fro in the middle of the picture does not move it.
static void follow(SomView *view, const SomMechanism *mechanism) {
    SomBounds bounds = som_mechanism_bounds(mechanism, view->links.data);
    if (bounds.low.x > bounds.high.x) {
        return; // nothing to be seen
    }
    SomVec3 middle = som_vec3_scale(0.5, som_vec3_add(bounds.low, bounds.high));
    SomVec3 way = som_vec3_sub(middle, view->camera.target);
    way.z = 0;
    double far = som_vec3_length(way), leash = LEASH * view->camera.distance;
    if (far > leash) {
        way = som_vec3_scale(1 - leash / far, way);
        view->followed = som_vec3_add(view->followed, way);
        shift_camera(view, way);
    }
}

// What moves stands on the ground at 0, the posture with its base there: the camera goes along, so
// that the robot stays where it was seen, and comes back when the motion is over.
static void place(SomView *view, const SomModel *model) {
    bool is_moving = som_view_is_moving(view);
    double ground = view->scene.ground.height;
    unsigned hidden = is_moving ? SOM_VIEW_CENTER : 0;
    unsigned flags = robot_flags(view->shown & ~hidden);
    som_robot_skin_place(&view->skin, &view->scene, som_view_links(view),
                         is_moving ? flags & ~(unsigned)SOM_ROBOT_GROUND : flags);
    if (is_moving) {
        som_scene_set_ground(&view->scene, 0);
    }
    if (is_moving != view->was_moving && !view->was_empty) {
        shift_camera(view, som_vec3(0, 0, view->scene.ground.height - ground));
    }
    if (is_moving && (view->shown & SOM_VIEW_FOLLOW) != 0) {
        follow(view, model->mechanism);
    } else if (!is_moving && view->was_moving) {
        shift_camera(view, som_vec3_scale(-1, view->followed));
        view->followed = som_vec3(0, 0, 0);
    }
    view->was_moving = is_moving;
}

static void fill_with_robot(SomView *view, const SomModel *model) {
    if (view->is_undressed) {
        som_robot_skin_make(&view->skin, &view->scene, model->mechanism, &model->meshes);
        view->is_undressed = false;
    }
    place(view, model);
    mark_modules(view, model);
    add_support(view);
    if (view->was_empty && gtk_widget_get_height(GTK_WIDGET(view)) > 0) {
        som_camera_frame_scene(&view->camera, &view->scene, som_view_aspect(view));
        view->was_empty = false;
    }
}

void som_view_fill(SomView *view) {
    if (!view->is_old) {
        return;
    }
    view->is_old = false;
    const SomModel *model = som_project_model(view->project);
    som_scene_clear(&view->scene);
    view->scene.is_dark = adw_style_manager_get_dark(adw_style_manager_get_default());
    if (model->configuration != NULL) {
        fill_with_robot(view, model);
    } else {
        som_scene_set_ground(&view->scene, 0);
        view->was_empty = true;
    }
    for (int i = 0; i < view->layers.count; i++) {
        view->layers.data[i].overlay(&view->scene, view->layers.data[i].context);
    }
}

// ---- asked from outside

SomRay som_view_ray(SomView *view, double x, double y) {
    GtkWidget *widget = GTK_WIDGET(view);
    return som_camera_ray(&view->camera, x, y, fmax(gtk_widget_get_width(widget), 1),
                          fmax(gtk_widget_get_height(widget), 1));
}

SomViewHit som_view_hit(SomView *view, double x, double y) {
    som_view_fill(view);
    const SomModel *model = som_project_model(view->project);
    if (model->configuration == NULL) {
        return (SomViewHit){.module = -1, .connector = -1};
    }
    return som_robot_skin_pick(&view->skin, &view->scene, som_view_links(view),
                               som_view_ray(view, x, y));
}

void som_view_add_overlay(SomView *view, SomViewOverlay overlay, void *context) {
    SomViewLayer layer = {overlay, context};
    som_array_push(&view->layers, layer);
    som_view_refresh(view);
}

void som_view_remove_overlay(SomView *view, SomViewOverlay overlay, void *context) {
    int kept = 0;
    for (int i = 0; i < view->layers.count; i++) {
        SomViewLayer layer = view->layers.data[i];
        if (layer.overlay != overlay || layer.context != context) {
            view->layers.data[kept++] = layer;
        }
    }
    view->layers.count = kept;
    som_view_refresh(view);
}

// ---- the camera

void som_view_fit(SomView *view) {
    som_view_fill(view);
    som_camera_frame_scene(&view->camera, &view->scene, som_view_aspect(view));
    som_view_redraw(view);
}

void som_view_fit_selection(SomView *view) {
    som_view_fill(view);
    int selected = som_project_selected(view->project);
    SomScene part = {0}; // borrows geometries
    part.geometries = view->scene.geometries;
    for (int i = 0; i < view->scene.items.count; i++) {
        const SomSceneItem *item = &view->scene.items.data[i];
        if (selected >= 0 && item->look.owner == (uint32_t)selected + 1) {
            som_array_push(&part.items, *item);
        }
    }
    som_camera_frame_scene(&view->camera, part.items.count > 0 ? &part : &view->scene,
                           som_view_aspect(view));
    som_array_free(&part.items);
    som_view_redraw(view);
}

void som_view_look_from(SomView *view, SomViewSide side) {
    static const double quarter = 1.5707963267948966;
    static const struct {
        double azimuth, elevation; // quarters of a turn
    } sides[] = {
        [SOM_VIEW_FRONT] = {0, 0},         [SOM_VIEW_RIGHT] = {-1, 0}, [SOM_VIEW_TOP] = {-1, 1},
        [SOM_VIEW_BACK] = {2, 0},          [SOM_VIEW_LEFT] = {1, 0},   [SOM_VIEW_BELOW] = {-1, -1},
        [SOM_VIEW_CORNER] = {-0.573, 0.3}, // that of som_camera_default
    };
    som_camera_orbit(&view->camera, quarter * sides[side].azimuth - view->camera.azimuth,
                     quarter * sides[side].elevation - view->camera.elevation);
    som_view_fit(view);
}

void som_view_set_orthographic(SomView *view, bool is_orthographic) {
    view->camera.is_orthographic = is_orthographic;
    som_view_redraw(view);
}
