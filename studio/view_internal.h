// studio/view_internal.h - a view, for view.c, view_scene.c and view_pointer.c only.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/renderer.h"
#include "studio/view.h"

typedef struct SomViewLayer {
    SomViewOverlay overlay;
    void *context;
} SomViewLayer;

struct _SomView {
    GtkGLArea parent_instance;
    SomProject *project;
    SomRenderer *renderer; // while there is a GL context
    SomScene scene;
    SomRobotSkin skin; // of the model that is shown
    SOM_ARRAY(SomViewLayer) layers;
    SOM_ARRAY(SomPose) links; // in place of those of the posture; none: the posture
    SOM_ARRAY(int) glow;      // modules
    bool keeps_posture;       // whatever links there are
    bool was_moving;          // links were drawn in place of the posture
    SomVec3 followed;         // so far the camera went along with them
    SomCamera camera;
    unsigned shown;
    SomViewHit hovered;
    double pointer_x, pointer_y;
    int frames;
    bool is_old;       // the scene is not that of the project any more
    bool is_undressed; // nor is the skin
    bool was_empty;    // nothing was there to be seen: what comes first is framed
    double full_time;  // milliseconds that the last frame took that was no draft
    guint draft_timer; // until it has passed drafts are drawn; 0: none is running
    // a drag
    bool pans, is_dragged;
    double last_x, last_y;
    double pinch; // its scale when it was looked at last
};

// view_scene.c: the scene of the project as it is now.
void som_view_fill(SomView *view);
double som_view_aspect(SomView *view);
bool som_view_is_moving(const SomView *view); // links are seen in place of the posture
void som_view_redraw(SomView *view);          // as it is
void som_view_redraw_moving(SomView *view);   // and soon again: a draft, if a frame takes long
void som_view_end_draft(SomView *view);       // draws in full now

// view_pointer.c
void som_view_add_controllers(SomView *view);
void som_view_add_keys(GtkWidgetClass *klass);
