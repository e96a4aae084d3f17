// Tests for studio/view.c: pointer and keys in the 3D view, what is under the pointer, what is
// drawn.

// SPDX-License-Identifier: Apache-2.0

#include "render/offscreen.h"
#include "render/robot_scene.h"
#include "tests/studio/ui.h"
#include "tests/suite.h"

#include <adwaita.h>
#include <math.h>
#include <stdlib.h>

static SomVec3 middle_of(SomWindow *window, int module) {
    const SomModel *model = som_project_model(som_window_project(window));
    return som_mechanism_module_pose(model->mechanism, model->links, module).position;
}

// Where a point is seen in the view.
static void find_place(SomView *view, SomVec3 point, double *x, double *y) {
    double depth;
    ck_assert(som_camera_project(som_view_camera(view), point,
                                 gtk_widget_get_width(GTK_WIDGET(view)),
                                 gtk_widget_get_height(GTK_WIDGET(view)), x, y, &depth));
}

static int selected(SomWindow *window) {
    return som_project_selected(som_window_project(window));
}

START_TEST(a_click_selects_what_is_seen_there) {
    SomWindow *window = som_ui_window("walkbot");
    SomView *view = som_window_view(window);
    double x, y;
    int hits = 0;
    for (int module = 0; module < 18; module += 2) {
        find_place(view, middle_of(window, module), &x, &y);
        som_ui_move(view, x, y);
        int hovered = som_view_hovered(view).module;
        ck_assert_int_eq(hovered, som_view_hit(view, x, y).module);
        som_ui_click_at(view, x, y, 1);
        SOM_UI_WAIT(selected(window) == hovered);
        hits += hovered == module ? 1 : 0; // others hide the rest
    }
    ck_assert_int_ge(hits, 3);
    ck_assert_int_eq(som_view_hit(view, 30, 30).module, -1);
    som_ui_click_at(view, 30, 30, 1);
    SOM_UI_WAIT(selected(window) == -1);
    som_ui_close(window);
}
END_TEST

START_TEST(a_drag_turns_or_shifts_and_keeps_the_selection) {
    SomWindow *window = som_ui_window("walkbot");
    SomView *view = som_window_view(window);
    som_project_select(som_window_project(window), 4);
    SomCamera before = *som_view_camera(view);
    som_ui_drag(view, 30, 30, 90, 30, 1);
    SomCamera after = *som_view_camera(view);
    ck_assert_double_eq_tol(after.azimuth - before.azimuth, -0.6, 0.02);
    ck_assert_double_eq_tol(after.elevation, before.elevation, 1e-9);
    ck_assert_double_eq_tol(som_vec3_length(som_vec3_sub(after.target, before.target)), 0, 1e-12);
    ck_assert_int_eq(selected(window), 4);
    // on a module with the right button it turns, too, and with the left it does not
    double x, y;
    find_place(view, middle_of(window, 4), &x, &y);
    before = after;
    som_ui_drag(view, x, y, x + 50, y + 30, 1);
    ck_assert_double_eq_tol(som_view_camera(view)->azimuth, before.azimuth, 1e-12);
    som_ui_drag(view, x, y, x + 50, y + 30, 3);
    ck_assert_double_gt(fabs(som_view_camera(view)->azimuth - before.azimuth), 0.3);
    // what is held under the pointer stays there
    before = *som_view_camera(view);
    som_ui_hold(view, "Shift_L", true);
    som_ui_drag(view, 30, 30, 90, 70, 1);
    som_ui_hold(view, "Shift_L", false);
    ck_assert_double_eq_tol(som_view_camera(view)->azimuth, before.azimuth, 1e-12);
    find_place(view, before.target, &x, &y);
    ck_assert_double_eq_tol(x, gtk_widget_get_width(GTK_WIDGET(view)) / 2.0 + 60, 3);
    ck_assert_double_eq_tol(y, gtk_widget_get_height(GTK_WIDGET(view)) / 2.0 + 40, 3);
    som_ui_close(window);
}
END_TEST

START_TEST(the_wheel_comes_nearer_to_what_is_under_the_pointer) {
    SomWindow *window = som_ui_window("walkbot");
    SomView *view = som_window_view(window);
    double x = 100, y = 80, later_x, later_y;
    som_ui_move(view, x, y);
    SomCamera before = *som_view_camera(view);
    SomRay ray = som_view_ray(view, x, y);
    // the point at the depth of the target
    SomVec3 forward = som_camera_axes(&before).forward;
    double along = before.distance / som_vec3_dot(ray.direction, forward);
    SomVec3 point = som_vec3_add(ray.origin, som_vec3_scale(along, ray.direction));
    som_ui_scroll(view, -3);
    SOM_UI_WAIT(som_view_camera(view)->distance < 0.8 * before.distance);
    find_place(view, point, &later_x, &later_y);
    ck_assert_double_eq_tol(later_x, x, 1);
    ck_assert_double_eq_tol(later_y, y, 1);
    som_ui_scroll(view, 3);
    SOM_UI_WAIT(fabs(som_view_camera(view)->distance - before.distance) < 1e-6);
    som_ui_close(window);
}
END_TEST

static double azimuth(SomView *view) {
    return som_view_camera(view)->azimuth;
}

START_TEST(keys_do_all_of_it) {
    SomWindow *window = som_ui_window("walkbot");
    SomView *view = som_window_view(window);
    gtk_widget_grab_focus(GTK_WIDGET(view));
    som_ui_key(view, "1");
    SOM_UI_WAIT(fabs(azimuth(view)) < 1e-9 && fabs(som_view_camera(view)->elevation) < 1e-9);
    som_ui_key(view, "Right");
    SOM_UI_WAIT(azimuth(view) > 0.1);
    som_ui_key(view, "3");
    SOM_UI_WAIT(som_view_camera(view)->elevation > 1.5);
    double distance = som_view_camera(view)->distance;
    som_ui_key(view, "minus");
    SOM_UI_WAIT(som_view_camera(view)->distance > 1.2 * distance);
    som_ui_key(view, "0");
    SOM_UI_WAIT(fabs(som_view_camera(view)->distance - distance) < 1e-9);
    SomVec3 target = som_view_camera(view)->target;
    som_ui_key(view, "<Shift>Right");
    SOM_UI_WAIT(som_vec3_length(som_vec3_sub(som_view_camera(view)->target, target)) > 0.01);
    som_ui_key(view, "o");
    SOM_UI_WAIT(som_view_camera(view)->is_orthographic);
    som_ui_key(view, "Page_Down");
    SOM_UI_WAIT(selected(window) == 0);
    som_ui_key(view, "Page_Up");
    SOM_UI_WAIT(selected(window) == 17);
    som_ui_key(view, "f");
    SOM_UI_WAIT(som_view_camera(view)->distance < 0.5 * distance);
    double x, y;
    find_place(view, middle_of(window, 17), &x, &y);
    ck_assert_double_eq_tol(x, gtk_widget_get_width(GTK_WIDGET(view)) / 2.0, 60);
    som_ui_key(view, "Escape");
    SOM_UI_WAIT(selected(window) == -1);
    som_ui_close(window);
}
END_TEST

// A free connector of the Walkbot that is seen, and where.
static bool find_connector(SomView *view, SomWindow *window, SomViewHit *hit, double *x,
                           double *y) {
    const SomModel *model = som_project_model(som_window_project(window));
    for (int module = 0; module < model->configuration->module_count; module++) {
        for (int k = 0; k < 4; k++) {
            SomPose pose = som_mechanism_connector_pose(model->mechanism, model->links, module, k);
            find_place(view, pose.position, x, y);
            *hit = som_view_hit(view, *x, *y);
            if (hit->module == module && hit->connector == k) {
                return true;
            }
        }
    }
    return false;
}

static void count_calls(SomScene *scene, void *context) {
    (void)scene;
    ++*(int *)context;
}

START_TEST(connectors_are_found_and_overlays_are_drawn) {
    SomWindow *window = som_ui_window("walkbot");
    SomView *view = som_window_view(window);
    SomViewHit hit;
    double x, y;
    ck_assert(find_connector(view, window, &hit, &x, &y));
    som_ui_move(view, x, y);
    SOM_UI_WAIT(som_view_hovered(view).connector == hit.connector);
    int calls = 0, others = 0;
    som_view_add_overlay(view, count_calls, &calls);
    som_view_add_overlay(view, count_calls, &others);
    SOM_UI_WAIT(calls > 0 && others > 0);
    som_view_remove_overlay(view, count_calls, &others);
    int before = others, frames = som_view_frames(view);
    som_view_refresh(view);
    SOM_UI_WAIT(som_view_frames(view) > frames);
    ck_assert_int_eq(others, before);
    som_view_remove_overlay(view, count_calls, &calls);
    som_ui_close(window);
}
END_TEST

static double brightness(SomView *view) {
    SomImage image = som_ui_grab(view);
    double sum = 0;
    for (int i = 0; i < image.width * image.height; i++) {
        sum += image.pixels[4 * i + 1];
    }
    sum /= (double)image.width * image.height;
    som_image_free(&image);
    return sum;
}

START_TEST(it_is_as_dark_as_the_desktop) {
    SomWindow *window = som_ui_window("walkbot");
    SomView *view = som_window_view(window);
    double light = brightness(view);
    adw_style_manager_set_color_scheme(adw_style_manager_get_default(),
                                       ADW_COLOR_SCHEME_FORCE_DARK);
    som_ui_settle(view);
    double dark = brightness(view);
    ck_assert_double_gt(light, 150);
    ck_assert_double_lt(dark, 80);
    som_ui_close(window);
}
END_TEST

START_TEST(a_screen_of_twice_the_pixels_is_pointed_at_as_well) {
    setenv("GDK_SCALE", "2", 1);
    SomWindow *window = som_ui_window("car");
    SomView *view = som_window_view(window);
    ck_assert_int_eq(gtk_widget_get_scale_factor(GTK_WIDGET(view)), 2);
    SomViewHit hit;
    double x, y;
    ck_assert(find_connector(view, window, &hit, &x, &y));
    som_ui_move(view, x, y);
    SOM_UI_WAIT(som_view_hovered(view).connector == hit.connector &&
                som_view_hovered(view).module == hit.module);
    som_ui_close(window);
}
END_TEST

START_TEST(the_menu_and_keys_show_and_hide) {
    SomWindow *window = som_ui_window("car");
    SomView *view = som_window_view(window);
    som_ui_click(som_ui_find(window, NULL, "View options"));
    som_ui_click(som_ui_find(som_ui_top(), "GtkCheckButton", "Joints"));
    SOM_UI_WAIT((som_view_shown(view) & SOM_VIEW_GLYPHS) != 0);
    som_ui_click(som_ui_find(som_ui_top(), "GtkCheckButton", "Perspective"));
    SOM_UI_WAIT(som_view_camera(view)->is_orthographic);
    som_ui_click(som_ui_find(som_ui_top(), "GtkButton", "Back"));
    SOM_UI_WAIT(fabs(fabs(azimuth(view)) - 3.14159265) < 1e-6);
    som_ui_key(window, "Escape");
    gtk_widget_grab_focus(GTK_WIDGET(view));
    som_ui_key(view, "j");
    SOM_UI_WAIT((som_view_shown(view) & SOM_VIEW_GLYPHS) == 0);
    som_ui_close(window);
}
END_TEST

// A view alone, so that it is of one size whatever stands beside it in the studio.
START_TEST(the_picture_of_it) {
    som_ui_start();
    SomDiagnostics *diags = som_diagnostics_create();
    SomProject *project = som_project_create(SOM_STR(SOM_SOURCE "/library"));
    ck_assert(som_project_open(project, SOM_STR("walkbot"), diags));
    SomView *view = SOM_VIEW(som_view_new(project));
    GtkWidget *window = gtk_window_new();
    gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
    gtk_widget_set_size_request(GTK_WIDGET(view), 480, 360);
    gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(view));
    gtk_window_present(GTK_WINDOW(window));
    som_project_select(project, 8);
    som_view_show(view, SOM_VIEW_CENTER | SOM_VIEW_CONNECTORS);
    SOM_UI_WAIT(som_view_frames(view) > 0);
    som_ui_settle(view);
    som_ui_compare(view, "view", SOM_UI_LOOSE);
    som_view_show(view, SOM_VIEW_GLYPHS);
    som_ui_settle(view);
    som_ui_compare(view, "view_signs", SOM_UI_LOOSE);
    gtk_window_destroy(GTK_WINDOW(window));
    som_project_destroy(project);
    som_diagnostics_destroy(diags);
}
END_TEST

// ---- motions

// How red what is seen of the view is, over all.
static double redness(SomView *view) {
    SomImage image = som_ui_grab(view);
    double sum = 0;
    for (int i = 0; i < image.width * image.height; i++) {
        const uint8_t *p = &image.pixels[4 * i];
        sum += fmax(p[0] - 0.5 * (p[1] + p[2]), 0);
    }
    som_image_free(&image);
    return sum;
}

// The robot as it stands, moved in the world so that it stands on the ground at 0.
static SomPose *moved_links(SomWindow *window, double x) {
    const SomModel *model = som_project_model(som_window_project(window));
    SomBounds bounds = som_mechanism_bounds(model->mechanism, model->links);
    SomPose *links = g_new(SomPose, (size_t)model->mechanism->link_count);
    for (int i = 0; i < model->mechanism->link_count; i++) {
        links[i] = model->links[i];
        links[i].position.x += x;
        links[i].position.z -= bounds.low.z;
    }
    return links;
}

START_TEST(links_are_shown_in_place_of_the_posture) {
    SomWindow *window = som_ui_window("walkbot");
    SomView *view = som_window_view(window);
    double x, y;
    find_place(view, middle_of(window, 8), &x, &y);
    int there = som_view_hit(view, x, y).module;
    ck_assert_int_ge(there, 0);
    // it stands on another ground, where it is seen at the same place
    SomPose *links = moved_links(window, 0);
    som_view_show_links(view, links);
    ck_assert_int_eq(som_view_hit(view, x, y).module, there);
    ck_assert_double_eq(som_view_links(view)[3].position.z, links[3].position.z);
    g_free(links); // it was copied
    som_ui_settle(view);
    ck_assert_int_eq(som_view_hit(view, x, y).module, there);
    // elsewhere
    links = moved_links(window, 100);
    som_view_show(view, 0);
    som_view_show_links(view, links);
    ck_assert_int_eq(som_view_hit(view, x, y).module, -1);
    som_view_show_links(view, NULL);
    ck_assert_int_eq(som_view_hit(view, x, y).module, there);
    som_view_show_links(view, links);
    som_view_keep_posture(view, true);
    ck_assert_int_eq(som_view_hit(view, x, y).module, there);
    som_view_keep_posture(view, false);
    ck_assert_int_eq(som_view_hit(view, x, y).module, -1);
    g_free(links);
    // of another text they are no more
    som_project_set_text(som_window_project(window),
                         SOM_STR("use \"smores.m3l\"\nconfig One { part a : SMORES }\n"));
    ck_assert_ptr_eq(som_view_links(view), som_project_model(som_window_project(window))->links);
    som_ui_settle(view);
    som_ui_close(window);
}
END_TEST

START_TEST(the_camera_follows_what_moves_away_and_comes_back) {
    SomWindow *window = som_ui_window("walkbot");
    SomView *view = som_window_view(window);
    SomCamera before = *som_view_camera(view);
    for (int step = 0; step <= 50; step++) {
        SomPose *links = moved_links(window, 0.1 * step);
        som_view_show_links(view, links);
        som_view_hit(view, 0, 0); // as if it was drawn
        g_free(links);
    }
    double x, y;
    SomVec3 middle = som_vec3_add(middle_of(window, 8), som_vec3(5, 0, 0));
    find_place(view, middle, &x, &y);
    ck_assert(x > 0 && x < gtk_widget_get_width(GTK_WIDGET(view)));
    ck_assert(y > 0 && y < gtk_widget_get_height(GTK_WIDGET(view)));
    ck_assert_double_gt(som_view_camera(view)->target.x, before.target.x + 4);
    som_view_show_links(view, NULL);
    som_ui_settle(view);
    SomVec3 off = som_vec3_sub(som_view_camera(view)->target, before.target);
    ck_assert_double_lt(som_vec3_length(off), 1e-9);
    som_ui_close(window);
}
END_TEST

START_TEST(modules_glow_until_they_do_not) {
    SomWindow *window = som_ui_window("walkbot");
    SomView *view = som_window_view(window);
    double before = redness(view);
    som_view_set_glow(view, (int[]){6, 9, 1000, -1}, 4); // two of them are none
    som_ui_settle(view);
    double after = redness(view);
    ck_assert_double_gt(after, before + 20000);
    som_view_set_glow(view, NULL, 0);
    som_ui_settle(view);
    ck_assert_double_eq_tol(redness(view), before, 2000);
    som_ui_close(window);
}
END_TEST

// ---- thumbnails are drawn by another thread

typedef struct Drawing {
    SomScene scene;
    int drawn;
    int done; // atomic
    SomImage image;
} Drawing;

static gpointer draw_apart(gpointer data) {
    Drawing *drawing = data;
    SomDiagnostics *diags = som_diagnostics_create();
    for (int i = 0; i < 3; i++) {
        SomOffscreen *offscreen = som_offscreen_create(diags);
        SomCamera camera = som_camera_default();
        som_camera_frame_scene(&camera, &drawing->scene, 1);
        for (int k = 0; offscreen != NULL && k < 3; k++) {
            drawing->drawn += som_offscreen_draw(offscreen, &drawing->scene, &camera, 96, 96,
                                                 &drawing->image, diags);
        }
        som_offscreen_destroy(offscreen);
    }
    som_diagnostics_destroy(diags);
    g_atomic_int_set(&drawing->done, 1);
    return NULL;
}

START_TEST(pictures_are_drawn_off_screen_by_a_thread_beside_it) {
    SomWindow *window = som_ui_window("walkbot");
    SomView *view = som_window_view(window);
    const SomModel *model = som_project_model(som_window_project(window));
    Drawing drawing = {0};
    som_scene_add_robot(&drawing.scene, model->mechanism, model->links, NULL, SOM_ROBOT_GROUND);
    SomImage before = som_ui_grab(view);
    GThread *thread = g_thread_new("pictures", draw_apart, &drawing);
    int frames = som_view_frames(view);
    while (g_atomic_int_get(&drawing.done) == 0) {
        som_view_refresh(view);
        g_main_context_iteration(NULL, FALSE);
    }
    g_thread_join(thread);
    ck_assert_int_eq(drawing.drawn, 9);
    som_ui_settle(view);
    ck_assert_int_gt(som_view_frames(view), frames);
    SomImage after = som_ui_grab(view); // nothing was drawn into the window
    ck_assert_int_eq(som_image_difference(&before, &after, 2), 0);
    int dark = 0;
    for (int i = 0; i < 96 * 96; i++) {
        dark += drawing.image.pixels[4 * i] < 100 ? 1 : 0;
    }
    ck_assert_int_gt(dark, 500); // the robot is there
    som_image_free(&before);
    som_image_free(&after);
    som_image_free(&drawing.image);
    som_scene_free(&drawing.scene);
    som_ui_close(window);
}
END_TEST

// With the context of the window current it draws, or says that it cannot; never into the window.
START_TEST(pictures_are_not_drawn_into_the_window) {
    SomWindow *window = som_ui_window("car");
    SomView *view = som_window_view(window);
    SomImage before = som_ui_grab(view);
    Drawing drawing = {0};
    const SomModel *model = som_project_model(som_window_project(window));
    som_scene_add_robot(&drawing.scene, model->mechanism, model->links, NULL, 0);
    SomCamera camera = som_camera_default();
    SomDiagnostics *diags = som_diagnostics_create();
    gtk_gl_area_make_current(GTK_GL_AREA(view));
    SomOffscreen *offscreen = som_offscreen_create(diags);
    bool is_drawn = offscreen != NULL && som_offscreen_draw(offscreen, &drawing.scene, &camera, 64,
                                                            64, &drawing.image, diags);
    ck_assert_int_eq(som_diagnostics_error_count(diags), is_drawn ? 0 : 1);
    som_offscreen_destroy(offscreen);
    som_view_refresh(view);
    som_ui_settle(view);
    SomImage after = som_ui_grab(view);
    ck_assert_int_eq(som_image_difference(&before, &after, 2), 0);
    som_image_free(&before);
    som_image_free(&after);
    som_image_free(&drawing.image);
    som_scene_free(&drawing.scene);
    som_diagnostics_destroy(diags);
    som_ui_close(window);
}
END_TEST

SOM_SUITE("studio/view", a_click_selects_what_is_seen_there,
          a_drag_turns_or_shifts_and_keeps_the_selection,
          the_wheel_comes_nearer_to_what_is_under_the_pointer, keys_do_all_of_it,
          connectors_are_found_and_overlays_are_drawn, it_is_as_dark_as_the_desktop,
          a_screen_of_twice_the_pixels_is_pointed_at_as_well, the_menu_and_keys_show_and_hide,
          the_picture_of_it, links_are_shown_in_place_of_the_posture,
          the_camera_follows_what_moves_away_and_comes_back, modules_glow_until_they_do_not,
          pictures_are_drawn_off_screen_by_a_thread_beside_it,
          pictures_are_not_drawn_into_the_window)
