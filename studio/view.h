// studio/view.h - the 3D view of a project: a GtkGLArea with the renderer of `somite render`.
//
//     GtkWidget *view = som_view_new(project);
//     g_signal_connect(view, "picked", G_CALLBACK(on_picked), window);
//     som_view_refresh(SOM_VIEW(view)); // the project has changed
//
// Dragging with the right or middle button, or with the left where there is nothing, turns the
// camera; with shift it shifts it; the wheel comes nearer. A click picks a module. Keys: Home
// shows all, 1 front, 2 side, 3 top, 4 from the corner; arrows turn, + and - zoom.
//
// Signal "picked" (int module): a click on a module of the model, -1 beside all.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/camera.h"
#include "studio/project.h"

#include <gtk/gtk.h>

#define SOM_TYPE_VIEW (som_view_get_type())
G_DECLARE_FINAL_TYPE(SomView, som_view, SOM, VIEW, GtkGLArea)

// The project is borrowed and must outlive the view.
GtkWidget *som_view_new(SomProject *project);

// After a change of the project.
void som_view_refresh(SomView *view);

// So that all is seen; the direction stays.
void som_view_fit(SomView *view);

// Outlined; -1 is none.
void som_view_select(SomView *view, int module);
int som_view_selected(const SomView *view);

// What SomRobotFlags are shown beside shapes and ground.
void som_view_show(SomView *view, unsigned flags);

const SomCamera *som_view_camera(const SomView *view);

// How many frames were drawn.
int som_view_frames(const SomView *view);
