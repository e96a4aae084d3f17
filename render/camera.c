// SPDX-License-Identifier: Apache-2.0
#include "render/camera.h"

#include "space/trigonometry.h"

// Points are framed with so much room to the border, as a part of the picture.
#define MARGIN 0.06

// Seen end on, things are framed from so many of their depths before them.
#define CLEARANCE 0.1

// The eye stays between these from the target, metres.
#define NEAREST 1e-6
#define FARTHEST 1e9

// Rays of the orthographic camera start this many distances before its eye.
#define FAR_BACK 1000

SomCamera som_camera_default(void) {
    return (SomCamera){.azimuth = -0.9, // radians: -52 and 27 degrees
                       .elevation = 0.47,
                       .distance = 1,
                       .field_of_view = 0.52}; // 30 degrees, as a lens for portraits
}

static double tan_of(double angle) {
    double s, c;
    som_sincos(angle, &s, &c);
    return s / c;
}

SomCameraAxes som_camera_axes(const SomCamera *camera) {
    double sa, ca, se, ce;
    som_sincos(camera->azimuth, &sa, &ca);
    som_sincos(camera->elevation, &se, &ce);
    return (SomCameraAxes){.right = som_vec3(-sa, ca, 0),
                           .up = som_vec3(-se * ca, -se * sa, ce),
                           .forward = som_vec3(-ce * ca, -ce * sa, -se)};
}

SomVec3 som_camera_eye(const SomCamera *camera) {
    return som_vec3_sub(camera->target,
                        som_vec3_scale(camera->distance, som_camera_axes(camera).forward));
}

// Half of what is seen at depth 1, up and down.
static double half_height(const SomCamera *camera) {
    return tan_of(camera->field_of_view / 2);
}

static bool is_fine(const SomCamera *camera) {
    return isfinite(camera->target.x) && isfinite(camera->target.y) && isfinite(camera->target.z) &&
           isfinite(camera->azimuth) && isfinite(camera->elevation) && isfinite(camera->distance) &&
           camera->distance > 0;
}

// The narrowest interval that a pyramid of slope t, with its tip at depth 0, must reach: the
// middle, and the depth from which all points fit.
typedef struct Fit {
    double low, high; // of x + t z and x - t z
} Fit;

static void fit_point(Fit *fit, double x, double depth, double slope) {
    fit->low = fmin(fit->low, x + slope * depth);
    fit->high = fmax(fit->high, x - slope * depth);
}

void som_camera_frame(SomCamera *camera, const SomVec3 *points, int count, double aspect) {
    if (count <= 0 || !(aspect > 0) || !isfinite(aspect)) {
        return;
    }
    SomCameraAxes axes = som_camera_axes(camera);
    double slope_y = (1 - 2 * MARGIN) * half_height(camera), slope_x = aspect * slope_y;
    Fit x = {HUGE_VAL, -HUGE_VAL}, y = x;
    double near_depth = HUGE_VAL, far_depth = -HUGE_VAL;
    SomVec3 low = {HUGE_VAL, HUGE_VAL, 0}, high = {-HUGE_VAL, -HUGE_VAL, 0};
    for (int i = 0; i < count; i++) {
        double right = som_vec3_dot(points[i], axes.right), up = som_vec3_dot(points[i], axes.up);
        double depth = som_vec3_dot(points[i], axes.forward);
        fit_point(&x, right, depth, slope_x);
        fit_point(&y, up, depth, slope_y);
        near_depth = fmin(near_depth, depth);
        far_depth = fmax(far_depth, depth);
        low = som_vec3(fmin(low.x, right), fmin(low.y, up), 0);
        high = som_vec3(fmax(high.x, right), fmax(high.y, up), 0);
    }
    // every point at its depth: |right - middle| <= slope (depth - eye's depth)
    double eye_depth = -fmax((x.high - x.low) / (2 * slope_x), (y.high - y.low) / (2 * slope_y));
    eye_depth = fmin(eye_depth, near_depth - CLEARANCE * (far_depth - near_depth));
    double middle_x = (x.low + x.high) / 2, middle_y = (y.low + y.high) / 2;
    double middle_depth = (near_depth + far_depth) / 2;
    if (camera->is_orthographic) {
        eye_depth =
            middle_depth - fmax((high.x - low.x) / (2 * slope_x), (high.y - low.y) / (2 * slope_y));
        middle_x = (low.x + high.x) / 2;
        middle_y = (low.y + high.y) / 2;
    }
    SomCamera moved = *camera;
    moved.distance = fmin(fmax(middle_depth - eye_depth, NEAREST), FARTHEST);
    moved.target = som_vec3_add(som_vec3_scale(middle_x, axes.right),
                                som_vec3_add(som_vec3_scale(middle_y, axes.up),
                                             som_vec3_scale(middle_depth, axes.forward)));
    *camera = is_fine(&moved) ? moved : *camera;
}

void som_camera_frame_bounds(SomCamera *camera, SomBounds bounds, double aspect) {
    SomVec3 corners[8];
    for (int i = 0; i < 8; i++) {
        corners[i] = som_vec3((i & 1) != 0 ? bounds.high.x : bounds.low.x,
                              (i & 2) != 0 ? bounds.high.y : bounds.low.y,
                              (i & 4) != 0 ? bounds.high.z : bounds.low.z);
    }
    som_camera_frame(camera, corners, 8, aspect);
}

void som_camera_orbit(SomCamera *camera, double azimuth, double elevation) {
    SomCamera moved = *camera;
    double highest = SOM_PI / 2 - SOM_CAMERA_POLE;
    moved.azimuth += azimuth;
    // kept small, so that a day of turning costs no precision
    moved.azimuth -= 2 * SOM_PI * round(moved.azimuth / (2 * SOM_PI));
    moved.elevation += elevation;
    if (is_fine(&moved)) {
        moved.elevation = fmin(fmax(moved.elevation, -highest), highest);
        *camera = moved;
    }
}

double som_camera_pixel_size(const SomCamera *camera, double depth, double height) {
    double seen = camera->is_orthographic ? camera->distance : depth;
    return 2 * half_height(camera) * seen / height;
}

static void shift(SomCamera *camera, double right, double up) {
    SomCameraAxes axes = som_camera_axes(camera);
    SomCamera moved = *camera;
    moved.target = som_vec3_add(camera->target, som_vec3_add(som_vec3_scale(right, axes.right),
                                                             som_vec3_scale(up, axes.up)));
    *camera = is_fine(&moved) ? moved : *camera;
}

void som_camera_pan(SomCamera *camera, double right, double down, double picture_height) {
    double size = som_camera_pixel_size(camera, camera->distance, picture_height);
    shift(camera, -right * size, down * size);
}

void som_camera_zoom(SomCamera *camera, double factor) {
    double distance = camera->distance * factor;
    if (factor > 0 && isfinite(distance)) {
        camera->distance = fmin(fmax(distance, NEAREST), FARTHEST);
    }
}

void som_camera_zoom_at(SomCamera *camera, double factor, double x, double y, double width,
                        double height) {
    double right = x - width / 2, up = height / 2 - y;
    double before = som_camera_pixel_size(camera, camera->distance, height);
    som_camera_zoom(camera, factor);
    double after = som_camera_pixel_size(camera, camera->distance, height);
    shift(camera, right * (before - after), up * (before - after));
}

SomRay som_camera_ray(const SomCamera *camera, double x, double y, double width, double height) {
    SomCameraAxes axes = som_camera_axes(camera);
    double slope = 2 * half_height(camera) / height;
    double right = (x - width / 2) * slope, up = (height / 2 - y) * slope;
    SomVec3 aside = som_vec3_add(som_vec3_scale(right, axes.right), som_vec3_scale(up, axes.up));
    SomVec3 eye = som_camera_eye(camera);
    if (camera->is_orthographic) {
        // what is seen may be behind the eye, so the ray starts before all of it
        SomVec3 start =
            som_vec3_sub(eye, som_vec3_scale(FAR_BACK * camera->distance, axes.forward));
        return (SomRay){som_vec3_add(start, som_vec3_scale(camera->distance, aside)), axes.forward};
    }
    SomVec3 way = som_vec3_add(axes.forward, aside);
    return (SomRay){eye, som_vec3_scale(1 / som_vec3_length(way), way)};
}

bool som_camera_project(const SomCamera *camera, SomVec3 point, double width, double height,
                        double *x, double *y, double *depth) {
    SomCameraAxes axes = som_camera_axes(camera);
    SomVec3 way = som_vec3_sub(point, som_camera_eye(camera));
    *depth = som_vec3_dot(way, axes.forward);
    double size = som_camera_pixel_size(camera, *depth, height);
    *x = width / 2 + som_vec3_dot(way, axes.right) / size;
    *y = height / 2 - som_vec3_dot(way, axes.up) / size;
    return *depth > 0 || camera->is_orthographic;
}

void som_camera_matrix(const SomCamera *camera, SomVec3 origin, double aspect, double near_depth,
                       double far_depth, double matrix[16]) {
    SomCameraAxes axes = som_camera_axes(camera);
    SomVec3 eye = som_vec3_sub(som_camera_eye(camera), origin);
    double slope = half_height(camera), range = far_depth - near_depth;
    // rows of the projection: x and y are scaled axes, z and w are linear in the depth
    double scale = camera->is_orthographic ? slope * camera->distance : slope;
    double z_slope = camera->is_orthographic ? 2 / range : (far_depth + near_depth) / range;
    double z_start = camera->is_orthographic ? -(far_depth + near_depth) / range
                                             : -2 * far_depth * near_depth / range;
    SomVec3 rows[4] = {som_vec3_scale(1 / (scale * aspect), axes.right),
                       som_vec3_scale(1 / scale, axes.up), som_vec3_scale(z_slope, axes.forward),
                       camera->is_orthographic ? som_vec3(0, 0, 0) : axes.forward};
    double starts[4] = {0, 0, z_start, camera->is_orthographic ? 1 : 0};
    for (int i = 0; i < 4; i++) {
        matrix[i] = rows[i].x;
        matrix[4 + i] = rows[i].y;
        matrix[8 + i] = rows[i].z;
        matrix[12 + i] = starts[i] - som_vec3_dot(rows[i], eye);
    }
}
