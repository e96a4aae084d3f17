// SPDX-License-Identifier: Apache-2.0
#include "tests/studio/story.h"

#include "space/trigonometry.h"
#include "studio/library_panel.h"
#include "tests/suite.h"

#include <math.h>

#define MOST_STEPS 60 // of undo, of turning: more is a fault

static const SomModel *model_of(SomWindow *window) {
    return som_project_model(som_window_project(window));
}

int som_story_modules(SomWindow *window) {
    const SomConfiguration *configuration = model_of(window)->configuration;
    return configuration != NULL ? configuration->module_count : 0;
}

const char *som_story_text(SomWindow *window) {
    return som_project_text(som_window_project(window)).data;
}

// ---- the library

GtkWidget *som_story_row(SomWindow *window, const char *name) {
    GtkWidget *panel = som_ui_find(window, "SomLibraryPanel", NULL);
    SOM_UI_WAIT(som_library_panel_is_complete(SOM_LIBRARY_PANEL(panel)));
    GtkWidget *search = som_ui_find(panel, NULL, "Search the library");
    if (strcmp(gtk_editable_get_text(GTK_EDITABLE(search)), name) != 0) {
        som_ui_click(search);
        som_ui_key(search, "<Control>a");
        som_ui_type(search, name);
    }
    SOM_UI_WAIT(som_ui_look_for(panel, "SomLibraryRow", name) != NULL);
    som_ui_settle(window);
    return som_ui_find(panel, "SomLibraryRow", name);
}

// ---- the view

static int find_module(SomWindow *window, const char *module) {
    int found = som_configuration_find_module(model_of(window)->configuration, som_str(module));
    ck_assert_msg(found >= 0, "there is no module %s", module);
    return found;
}

static void project(SomWindow *window, SomVec3 point, double *x, double *y) {
    GtkWidget *view = GTK_WIDGET(som_window_view(window));
    double depth;
    ck_assert(som_camera_project(som_view_camera(SOM_VIEW(view)), point, gtk_widget_get_width(view),
                                 gtk_widget_get_height(view), x, y, &depth));
    ck_assert_msg(0 < *x && *x < gtk_widget_get_width(view), "it is beside the view");
    ck_assert_msg(0 < *y && *y < gtk_widget_get_height(view), "it is beside the view");
}

// The camera comes to where the direction points to.
static void look_against(SomWindow *window, SomVec3 direction) {
    SomCameraAxes axes = som_camera_axes(som_view_camera(som_window_view(window)));
    if (som_vec3_dot(axes.forward, direction) > 0) {
        GtkWidget *view = GTK_WIDGET(som_window_view(window));
        gtk_widget_grab_focus(view);
        for (int i = 0; i < 16; i++) { // keys turn by 0.2
            som_ui_key(view, "Right");
        }
    }
}

void som_story_place_of(SomWindow *window, const char *module, const char *connector, double *x,
                        double *y) {
    const SomModel *model = model_of(window);
    int index = find_module(window, module);
    int face = som_module_type_find_connector(model->configuration->modules[index].type,
                                              som_str(connector));
    ck_assert_msg(face >= 0, "%s has no connector %s", module, connector);
    SomPose pose = som_mechanism_connector_pose(model->mechanism, model->links, index, face);
    look_against(window, som_pose_rotate(pose, som_vec3(1, 0, 0)));
    project(window, pose.position, x, y);
}

void som_story_carry(SomWindow *window, const char *name, const char *module,
                     const char *connector) {
    GtkWidget *view = GTK_WIDGET(som_window_view(window));
    double x = gtk_widget_get_width(view) / 2.0, y = gtk_widget_get_height(view) / 2.0;
    GtkWidget *row = som_story_row(window, name);
    if (module != NULL) {
        som_story_place_of(window, module, connector, &x, &y);
    }
    som_ui_carry(row, view, x, y);
}

// The connector of what is held, seen from it: "head.L".
static char *held_by(const SomAssembly *assembly) {
    const SomCandidate *candidate = som_assembly_candidate(assembly);
    ck_assert_msg(candidate != NULL, "it can't be dropped here");
    SomText words = {0};
    som_configuration_print_connector(som_assembly_body(assembly).mechanism->configuration,
                                      candidate->part_module, candidate->part_connector, &words);
    char *copy = g_strdup(strchr(words.data, '.') + 1); // without the name it will have
    som_text_free(&words);
    return copy;
}

void som_story_turn_to(SomWindow *window, const char *own, double angle) {
    GtkWidget *view = GTK_WIDGET(som_window_view(window));
    const SomAssembly *assembly = som_placing_assembly(som_window_placing(window));
    SOM_UI_WAIT(som_assembly_candidate(assembly) != NULL);
    for (int i = 0; i < MOST_STEPS; i++) {
        g_autofree char *now = held_by(assembly);
        if (strcmp(now, own) == 0) {
            break;
        }
        ck_assert_msg(i < MOST_STEPS - 1, "what is held hangs by %s and not by %s", now, own);
        som_ui_key(view, "Tab");
    }
    double roll = angle * SOM_PI / 180;
    for (int i = 0; i < som_assembly_angle_count(assembly); i++) {
        if (fabs(remainder(som_assembly_candidate(assembly)->roll - roll, 2 * SOM_PI)) < 1e-6) {
            return;
        }
        som_ui_scroll(view, 1);
    }
    ck_abort_msg("%g degrees are not offered", angle);
}

void som_story_select(SomWindow *window, const char *module) {
    int index = find_module(window, module);
    GtkWidget *view = GTK_WIDGET(som_window_view(window));
    for (int y = 2; y < gtk_widget_get_height(view); y += 4) {
        for (int x = 2; x < gtk_widget_get_width(view); x += 4) {
            if (som_view_hit(SOM_VIEW(view), x, y).module == index) {
                som_ui_click_at(view, x, y, 1);
                SOM_UI_WAIT(som_project_selected(som_window_project(window)) == index);
                return;
            }
        }
    }
    ck_abort_msg("%s is not seen", module);
}

// ---- the way back

static int press_while(SomWindow *window, const char *key,
                       bool (*is_possible)(const SomProject *)) {
    int count = 0;
    gtk_widget_grab_focus(GTK_WIDGET(som_window_view(window))); // entries have an undo of their own
    for (; is_possible(som_window_project(window)); count++) {
        ck_assert_int_lt(count, MOST_STEPS);
        som_ui_key(window, key);
    }
    return count;
}

int som_story_undo_all(SomWindow *window) {
    return press_while(window, "<Control>z", som_project_can_undo);
}

int som_story_redo_all(SomWindow *window) {
    return press_while(window, "<Control><Shift>z", som_project_can_redo);
}

const SomPostureVerdict *som_story_verdict(SomWindow *window) {
    const SomProject *project = som_window_project(window);
    SOM_UI_WAIT(som_project_verdict(project)->is_current);
    som_ui_settle(window);
    return som_project_verdict(project);
}

// ---- files

char *som_story_file(const char *name) {
    g_autofree char *folder = g_dir_make_tmp("somite-story-XXXXXX", NULL);
    ck_assert_ptr_nonnull(folder);
    return g_build_filename(folder, name, NULL);
}

void som_story_remove(char *path) {
    g_autofree char *folder = g_path_get_dirname(path);
    unlink(path);
    rmdir(folder);
    g_free(path);
}
