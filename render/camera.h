// render/camera.h - where a scene is looked at from; pure mathematics.
//
//     SomCamera camera = som_camera_default();
//     som_camera_frame(&camera, corners, count, 320.0 / 240);
//     som_camera_orbit(&camera, 0.1, 0);               // a drag turns it about its target
//     SomRay ray = som_camera_ray(&camera, 160, 120, 320, 240);
//
// The camera looks at its target from a direction: azimuth about z from x, elevation above the
// horizon. z is up in the picture. Pixels count from the top left corner of the picture, y down;
// the centre of the first one is (0.5, 0.5). Everything is a value; results are the same bits on
// every machine. Wild input (NaN, infinities, an aspect of 0) leaves the camera as it was.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

// The elevation stays below the zenith by this, so that up is always defined. Radians.
#define SOM_CAMERA_POLE 1e-3

typedef struct SomCamera {
    SomVec3 target;
    double azimuth;       // radians
    double elevation;     // radians, between the poles
    double distance;      // of the eye from the target, metres
    double field_of_view; // vertical, radians, above 0 and below pi
    // shows what the perspective one shows at the target's distance, also behind the eye
    bool is_orthographic;
} SomCamera;

// Axes of the picture in the world, each of length 1.
typedef struct SomCameraAxes {
    SomVec3 right, up, forward;
} SomCameraAxes;

typedef struct SomRay {
    SomVec3 origin, direction; // of length 1
} SomRay;

SomCamera som_camera_default(void); // from the right and above, 1 m from the origin

SomCameraAxes som_camera_axes(const SomCamera *camera);
SomVec3 som_camera_eye(const SomCamera *camera);

// Moves the camera, keeping its direction, so that all points are just in the picture with a small
// margin. `aspect` is width by height. No points: nothing changes.
void som_camera_frame(SomCamera *camera, const SomVec3 *points, int count, double aspect);
struct SomScene;
void som_camera_frame_scene(SomCamera *camera, const struct SomScene *scene, double aspect);
void som_camera_frame_bounds(SomCamera *camera, SomBounds bounds, double aspect);

// A drag of the pointer: turn about the target; shift so that the target stays under the pointer
// (pixels of a picture so high); come nearer by a factor below 1.
void som_camera_orbit(SomCamera *camera, double azimuth, double elevation);
void som_camera_pan(SomCamera *camera, double right, double down, double picture_height);
void som_camera_zoom(SomCamera *camera, double factor);
// The same, keeping in its place what is at a pixel at the target's depth.
void som_camera_zoom_at(SomCamera *camera, double factor, double x, double y, double width,
                        double height);

// From the eye through a pixel; orthographic, from far before it.
SomRay som_camera_ray(const SomCamera *camera, double x, double y, double width, double height);

// Where a point is in the picture, and how deep before the eye; false if it is not before it.
bool som_camera_project(const SomCamera *camera, SomVec3 point, double width, double height,
                        double *x, double *y, double *depth);

// Metres that one pixel covers at a depth, in a picture so high.
double som_camera_pixel_size(const SomCamera *camera, double depth, double height);

// GL's matrix, by columns, from points relative to `origin` to clip space; depths from near to
// far are seen.
void som_camera_matrix(const SomCamera *camera, SomVec3 origin, double aspect, double near_depth,
                       double far_depth, double matrix[16]);

#ifdef __cplusplus
}
#endif
