// space/trigonometry.h - sine, cosine and arc tangent with the same bits on every machine.
//
// The C library chooses variants with fused multiply-add by the processor it finds at run time, so
// its last bit differs between machines and a pinned result would too. These use additions,
// multiplications, divisions and square roots alone, which IEEE 754 fixes.
//
//     double s, c;
//     som_sincos(angle, &s, &c);
//     double turned = som_atan2(s, c);
//
// Errors: som_sin, som_cos and som_atan2 stay below 0.8 units in the last place for every finite
// argument, som_acos and som_asin below 2.5. Special values are those of C's Annex F; arguments out
// of range give NaN. No error flag is set on purpose and errno is not touched.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_PI 3.14159265358979323846

double som_sin(double x);
double som_cos(double x);
void som_sincos(double x, double *sine, double *cosine); // bit for bit som_sin and som_cos
double som_atan2(double y, double x);
double som_acos(double x);
double som_asin(double x);

#ifdef __cplusplus
}
#endif
