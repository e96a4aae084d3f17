// studio/view.h - the 3D view of a project: a GtkGLArea with the renderer of `somite render`.
//
//     GtkWidget *view = som_view_new(project);
//     SomViewHit hit = som_view_hit(SOM_VIEW(view), x, y);     // what is under the pointer
//     som_view_add_overlay(SOM_VIEW(view), add_ghost, placing); // drawn after the robot
//     som_view_refresh(SOM_VIEW(view));                         // the ghost has moved
//
// Dragging with the right or middle button, or with the left where there is nothing, turns the
// camera; with shift it shifts it. The wheel and two fingers come nearer to what is under the
// pointer, with shift they shift; a pinch comes nearer. A click picks a module, a second one shows
// it alone. Keys: 0 or Home shows all, F what is selected; 1 front, 2 right, 3 top, 4 corner, 5
// back, 6 left, 7 below; O with or without perspective; arrows turn, with shift they shift, + and -
// come nearer and go away; Page Down and Page Up select the next and the last module, Escape none.
//
// The view listens to the project: what is selected is outlined, what collides is red.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/camera.h"
#include "render/robot_skin.h"
#include "studio/project.h"

#include <gtk/gtk.h>

#define SOM_TYPE_VIEW (som_view_get_type())
G_DECLARE_FINAL_TYPE(SomView, som_view, SOM, VIEW, GtkGLArea)

// The project is borrowed and must outlive the view.
GtkWidget *som_view_new(SomProject *project);

// After a change of what an overlay adds.
void som_view_refresh(SomView *view);

// ---- the camera

typedef enum SomViewSide {
    SOM_VIEW_FRONT, // from where x points to
    SOM_VIEW_RIGHT,
    SOM_VIEW_TOP,
    SOM_VIEW_CORNER,
    SOM_VIEW_BACK,
    SOM_VIEW_LEFT,
    SOM_VIEW_BELOW,
} SomViewSide;

// So that all is seen; the direction stays.
void som_view_fit(SomView *view);
void som_view_fit_selection(SomView *view);               // all, if nothing is selected
void som_view_look_from(SomView *view, SomViewSide side); // and fit
void som_view_set_orthographic(SomView *view, bool is_orthographic);
const SomCamera *som_view_camera(const SomView *view);

// ---- what is under the pointer, in coordinates of the widget

// `connector` is a free connector whose disc is there, shown or not; -1: none. `module` -1:
// nothing.
typedef SomRobotHit SomViewHit;

SomViewHit som_view_hit(SomView *view, double x, double y);
SomRay som_view_ray(SomView *view, double x, double y);

// What was hit last under the pointer, which need not be over the view any more.
SomViewHit som_view_hovered(const SomView *view);

// ---- what is shown

// Adds to the scene after the robot, each time it is filled. Several may.
typedef void (*SomViewOverlay)(SomScene *scene, void *context);
void som_view_add_overlay(SomView *view, SomViewOverlay overlay, void *context);
void som_view_remove_overlay(SomView *view, SomViewOverlay overlay, void *context);

typedef enum SomViewShown {
    SOM_VIEW_CONNECTORS =
        1,                // all that are free; else those of what is under the pointer or selected
    SOM_VIEW_GLYPHS = 2,  // signs of joints
    SOM_VIEW_CENTER = 4,  // of mass
    SOM_VIEW_SUPPORT = 8, // the polygon it stands on, and the margin
    SOM_VIEW_FRAMES = 16, // of modules
    SOM_VIEW_AXES = 32,   // of joints
    SOM_VIEW_FOLLOW = 64, // the camera goes along with links that leave the picture
} SomViewShown;

// Of SomViewShown; centre, support and following at first.
void som_view_show(SomView *view, unsigned shown);
unsigned som_view_shown(const SomView *view);

// In place of the posture: where the links of the model are, one a link, on the ground at height 0;
// copied. NULL: the posture again, and so after each change of the text. What the verdict says is
// of the posture: neither balance nor its collisions are drawn meanwhile. Cheap: for every frame of
// a motion.
void som_view_show_links(SomView *view, const SomPose *links);
const SomPose *som_view_links(const SomView *view); // that are seen: these, or those of the posture

// Until it is taken back the posture is seen, whatever links are given: something is held at it.
void som_view_keep_posture(SomView *view, bool is_kept);

// Modules that glow as collisions do, besides those of the verdict, until the text changes; copied.
// 0: none.
void som_view_set_glow(SomView *view, const int *modules, int count);
const int *som_view_glow(const SomView *view, int *count);

// How many frames were drawn.
int som_view_frames(const SomView *view);
