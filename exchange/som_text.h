// exchange/som_text.h - writes `.som` text: what every importer ends with.
//
//     som_write_use(&out, SOM_STR("smores.m3l"));
//     som_write_begin(&out, SOM_STR("Imported from car.conf."), SOM_STR("car"));
//     som_write_parts(&out, names, 3, SOM_STR("SMORES"));
//     som_write_connect(&out, &(SomWrittenConnection){.a = {{name, face}, 2}, …});
//     som_write_end(&out);
//
// Names that are no words, or are words of the language, are written in quotes. Numbers read back
// as exactly the same values.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"
#include "space/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

// Names with dots between them: front.left.T
typedef struct SomWrittenPlace {
    SomStr names[4];
    int count;
} SomWrittenPlace;

typedef struct SomWrittenConnection {
    SomWrittenPlace a, b;
    double roll;
    int index;  // `as`, instead of the roll; 0: none
    double gap; // not written if 0
    bool is_forced;
} SomWrittenConnection;

typedef struct SomWrittenBase {
    SomWrittenPlace place;
    SomStr frame; // empty: none
    bool is_on_ground;
    bool is_fixed;
    SomVec3 position; // on the ground z is 0
    SomVec3 turn;     // roll, pitch, yaw
} SomWrittenBase;

void som_write_use(SomText *out, SomStr path);

// config NAME {, with the comment above it: one line or several.
void som_write_begin(SomText *out, SomStr comment, SomStr name);
void som_write_begin_module(SomText *out, SomStr comment, SomStr name, SomStr type); // … is TYPE {
void som_write_parts(SomText *out, const SomStr *names, int count, SomStr of);
void som_write_connect(SomText *out, const SomWrittenConnection *connection);
void som_write_pose_begin(SomText *out, SomStr name);
void som_write_value(SomText *out, const SomWrittenPlace *joint, double angle);
void som_write_part_pose(SomText *out, const SomWrittenPlace *pose);
void som_write_pose_end(SomText *out, SomStr name, bool is_start);
void som_write_base(SomText *out, const SomWrittenBase *base);
void som_write_end(SomText *out);

// Lines, each behind a '#'.
void som_write_comment(SomText *out, SomStr comment);

// A name, a place and quantities as they stand in the text.
void som_write_name(SomText *out, SomStr name);
void som_write_place(SomText *out, const SomWrittenPlace *place);
void som_write_angle(SomText *out, double angle);
void som_write_angular_speed(SomText *out, double speed);
void som_write_seconds(SomText *out, double seconds);
void som_write_milliseconds(SomText *out, double milliseconds);

// A course "[0s: 0deg, 1s: 30deg]" of angles at times, every `stride` numbers one. What keeps its
// value has no more than the ends of that. Each time but 0 has `scale` behind it, "/rate", if any.
void som_write_course(SomText *out, const double *times, const double *angles, int stride,
                      int count, SomStr scale);

// Angles and lengths without the rounding of the program that wrote them: the nearest whole degree
// if it is within 1e-8 rad, the nearest whole nanometre if it is within 1e-12 m.
double som_tidy_angle(double angle);
double som_tidy_length(double length);

// Roll, pitch and yaw of R = Rz Ry Rx.
SomVec3 som_turn_of(SomMat3 rotation);
SomMat3 som_turn_rotation(SomVec3 turn);

#ifdef __cplusplus
}
#endif
