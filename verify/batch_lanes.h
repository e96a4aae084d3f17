// verify/batch_lanes.h - vectors of the width the processor has, for the files of the batch that
// are compiled once for each set of instructions.
//
//     for (int g = 0; g < SOM_BATCH; g += FLOATS) { // lanes g to g + FLOATS - 1
//         Floats x = load_floats(a + g) * b;
//         uint32_t lanes = bits_of_floats(x > 0) << g;
//     }
//
// Only additions, multiplications, divisions and square roots, which IEEE 754 fixes, in the same
// order for every lane: so the width, the compiler and the machine make no difference to the bits.
// Memory is aligned to SOM_BATCH_ALIGN. A comparison with NaN is false.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/batch.h"

#if defined(__AVX2__)
#include <immintrin.h>
#define LANE_BYTES 32
#define SOM_BATCH_PATH(name) name##_avx2
#else
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#define LANE_BYTES 16
#define SOM_BATCH_PATH(name) name##_baseline
#endif

#define FLOATS (LANE_BYTES / 4)
#define DOUBLES (LANE_BYTES / 8)

// Vectors go to functions through memory, which takes longer than what most of them do with them.
#define ALWAYS_INLINE __attribute__((always_inline)) static inline

typedef float Floats __attribute__((vector_size(LANE_BYTES), may_alias));
typedef double Doubles __attribute__((vector_size(LANE_BYTES), may_alias));
typedef int32_t Mask __attribute__((vector_size(LANE_BYTES), may_alias));     // of Floats: -1 or 0
typedef int64_t WideMask __attribute__((vector_size(LANE_BYTES), may_alias)); // of Doubles

static inline Floats load_floats(const float *from) {
    return *(const Floats *)from;
}

static inline void store_floats(float *to, Floats x) {
    *(Floats *)to = x;
}

static inline Doubles load_doubles(const double *from) {
    return *(const Doubles *)from;
}

// From memory of the caller, which is aligned for doubles only.
static inline Doubles load_values(const double *from) {
    typedef double Unaligned __attribute__((vector_size(LANE_BYTES), may_alias, aligned(8)));
    return *(const Unaligned *)from;
}

static inline void store_doubles(double *to, Doubles x) {
    *(Doubles *)to = x;
}

static inline Floats splat_float(float x) {
    return x - (Floats){0}; // not +: -0 stays
}

static inline Doubles splat_double(double x) {
    return x - (Doubles){0};
}

static inline Floats choose_floats(Mask mask, Floats yes, Floats no) {
    return (Floats)((mask & (Mask)yes) | (~mask & (Mask)no));
}

static inline Doubles choose_doubles(WideMask mask, Doubles yes, Doubles no) {
    return (Doubles)((mask & (WideMask)yes) | (~mask & (WideMask)no));
}

static inline bool all_doubles(WideMask mask) {
#if defined(__AVX2__)
    return _mm256_movemask_pd((__m256d)mask) == 15;
#elif defined(__SSE2__)
    return _mm_movemask_pd((__m128d)mask) == 3;
#else
    return (mask[0] & mask[1]) != 0;
#endif
}

static inline Floats abs_floats(Floats x) {
    return (Floats)((Mask)x & 0x7FFFFFFF);
}

// Of two; the second where one is NaN.
static inline Floats min_floats(Floats a, Floats b) {
#if defined(__AVX2__)
    return (Floats)_mm256_min_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
    return (Floats)_mm_min_ps((__m128)a, (__m128)b);
#else
    return choose_floats(a < b, a, b);
#endif
}

static inline Floats max_floats(Floats a, Floats b) {
#if defined(__AVX2__)
    return (Floats)_mm256_max_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
    return (Floats)_mm_max_ps((__m128)a, (__m128)b);
#else
    return choose_floats(a > b, a, b);
#endif
}

static inline Floats root_floats(Floats x) {
#if defined(__AVX2__)
    return (Floats)_mm256_sqrt_ps((__m256)x);
#elif defined(__SSE2__)
    return (Floats)_mm_sqrt_ps((__m128)x);
#else
    for (int i = 0; i < FLOATS; i++) {
        x[i] = __builtin_sqrtf(x[i]);
    }
    return x;
#endif
}

// One bit a lane, the first lane lowest.
static inline uint32_t bits_of_mask(Mask mask) {
#if defined(__AVX2__)
    return (uint32_t)_mm256_movemask_ps((__m256)mask);
#elif defined(__SSE2__)
    return (uint32_t)_mm_movemask_ps((__m128)mask);
#else
    uint32_t bits = 0;
    for (int i = 0; i < FLOATS; i++) {
        bits |= (uint32_t)(mask[i] & 1) << i;
    }
    return bits;
#endif
}

static inline Mask mask_of_bits(uint32_t bits) {
    Mask mask;
    for (int i = 0; i < FLOATS; i++) {
        mask[i] = -(int32_t)(bits >> i & 1);
    }
    return mask;
}

static inline Floats join_doubles(Doubles low, Doubles high) {
#if defined(__AVX2__)
    return (Floats)_mm256_set_m128(_mm256_cvtpd_ps((__m256d)high), _mm256_cvtpd_ps((__m256d)low));
#elif defined(__SSE2__)
    return (Floats)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)low), _mm_cvtpd_ps((__m128d)high));
#else
    Floats x;
    for (int i = 0; i < DOUBLES; i++) {
        x[i] = (float)low[i];
        x[i + DOUBLES] = (float)high[i];
    }
    return x;
#endif
}

// FLOATS doubles, rounded.
static inline Floats narrow(const double *from) {
    return join_doubles(load_doubles(from), load_doubles(from + DOUBLES));
}

// Their difference, rounded once more.
static inline Floats narrow_difference(const double *a, const double *b) {
    return join_doubles(load_doubles(a) - load_doubles(b),
                        load_doubles(a + DOUBLES) - load_doubles(b + DOUBLES));
}

static inline float lowest_of_floats(Floats x) {
    float lowest = x[0];
    for (int i = 1; i < FLOATS; i++) {
        lowest = x[i] < lowest ? x[i] : lowest;
    }
    return lowest;
}

typedef struct Floats3 {
    Floats x, y, z;
} Floats3;

static inline Floats3 floats3_add(Floats3 a, Floats3 b) {
    return (Floats3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline Floats3 floats3_sub(Floats3 a, Floats3 b) {
    return (Floats3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline Floats3 floats3_scale(Floats s, Floats3 a) {
    return (Floats3){s * a.x, s * a.y, s * a.z};
}

static inline Floats floats3_dot(Floats3 a, Floats3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Floats3 floats3_choose(Mask mask, Floats3 yes, Floats3 no) {
    return (Floats3){choose_floats(mask, yes.x, no.x), choose_floats(mask, yes.y, no.y),
                     choose_floats(mask, yes.z, no.z)};
}

static inline Floats3 floats3_splat(const float v[3]) {
    return (Floats3){splat_float(v[0]), splat_float(v[1]), splat_float(v[2])};
}
