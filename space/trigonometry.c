// SPDX-License-Identifier: Apache-2.0
#include "space/trigonometry.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 Wide;

// A number as the sum of a double and a correction below half its last place.
typedef struct Pair {
    double high, low;
} Pair;

// The exact sum of two doubles (Knuth).
static Pair sum_exactly(double a, double b) {
    double s = a + b;
    double t = s - a;
    Pair pair = {s, (a - (s - t)) + (b - t)};
    return pair;
}

// The same where |a| >= |b| or a is 0.
static Pair sum_ordered(double a, double b) {
    double s = a + b;
    Pair pair = {s, b - (s - a)};
    return pair;
}

// The exact product of two doubles below 2^900 (Dekker).
static Pair multiply_exactly(double a, double b) {
    double ta = 134217729.0 * a, tb = 134217729.0 * b;
    double ah = ta - (ta - a), bh = tb - (tb - b);
    double al = a - ah, bl = b - bh;
    double p = a * b;
    Pair pair = {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
    return pair;
}

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

// 2/pi behind the binary point, with a word of zeros before it; enough for the largest double.
static const uint64_t two_over_pi[21] = {
    0,
    0xA2F9836E4E441529u,
    0xFC2757D1F534DDC0u,
    0xDB6295993C439041u,
    0xFE5163ABDEBBC561u,
    0xB7246E3A424DD2E0u,
    0x06492EEA09D1921Cu,
    0xFE1DEB1CB129A73Eu,
    0xE88235F52EBB4484u,
    0xE99C7026B45F7E41u,
    0x3991D639835339F4u,
    0x9C845F8BBDF9283Bu,
    0x1FF897FFDE05980Fu,
    0xEF2F118B5A0A6D1Fu,
    0x6D367ECF27CB09B7u,
    0x4F463F669E5FEA2Du,
    0x7527BAC7EBE5F17Bu,
    0x3D0739F78A5292EAu,
    0x6BFB5FB11F8D5D08u,
    0x56033046FC7B6BABu,
    0xF0CFBC209AF4361Du,
};

// The 64 bits of the table from bit `first` on.
static uint64_t table_bits(int first) {
    int word = first >> 6, shift = first & 63;
    uint64_t bits = two_over_pi[word] << shift;
    return shift == 0 ? bits : bits | two_over_pi[word + 1] >> (64 - shift);
}

// Payne and Hanek: |x| = m 2^e; of the product with 2/pi only the bits below 4 matter. The window
// of 192 bits of 2/pi leaves more than 70 good bits for the double nearest a multiple of pi/2.
static Pair reduce_huge(double x, int *quadrant) {
    uint64_t bits = bits_of(x);
    uint64_t m = (bits & 0xFFFFFFFFFFFFFu) | 0x10000000000000u;
    int first = (int)(bits >> 52 & 0x7FF) - 1075 - 2 + 64;
    uint64_t w0 = table_bits(first), w1 = table_bits(first + 64), w2 = table_bits(first + 128);

    Wide low = (Wide)m * w2;
    Wide middle = (Wide)m * w1 + (uint64_t)(low >> 64);
    uint64_t f0 = m * w0 + (uint64_t)(middle >> 64), f1 = (uint64_t)middle, f2 = (uint64_t)low;

    int q = (int)(f0 >> 62);
    f0 = f0 << 2 | f1 >> 62;
    f1 = f1 << 2 | f2 >> 62;
    f2 <<= 2;
    double sign = 1;
    if (f0 >> 63) { // nearer to the next quadrant: turn the fraction round
        q += 1;
        sign = -1;
        f2 = ~f2 + 1;
        f1 = ~f1 + (f2 == 0);
        f0 = ~f0 + (f2 == 0 && f1 == 0);
    }
    double scale = 0x1p-64;
    if (f0 == 0) {
        f0 = f1;
        f1 = f2;
        f2 = 0;
        scale = 0x1p-128;
    }
    while (!(f0 >> 63)) {
        f0 = f0 << 1 | f1 >> 63;
        f1 = f1 << 1 | f2 >> 63;
        f2 <<= 1;
        scale *= 0.5;
    }
    double a = (double)(f0 & ~(uint64_t)0x7FF) * scale;
    double b = (double)((f0 & 0x7FF) << 42 | f1 >> 22) * scale * 0x1p-42;

    Pair r = multiply_exactly(a, 0x1.921fb54442d18p+0);
    r = sum_ordered(r.high, r.low + (a * 0x1.1a62633145c07p-54 + b * 0x1.921fb54442d18p+0));
    if (signbit(x)) {
        sign = -sign;
        q = -q;
    }
    *quadrant = q;
    r.high *= sign;
    r.low *= sign;
    return r;
}

// x - quadrant * pi/2 in [-pi/4, pi/4], a little over at the ends.
static Pair reduce(double x, int *quadrant) {
    double size = fabs(x);
    if (size <= 0.7853981633974483) {
        *quadrant = 0;
        Pair r = {x, 0};
        return r;
    }
    if (!(size < 0x1p20)) {
        return reduce_huge(x, quadrant);
    }
    // Cody and Waite: pi/2 in three pieces of 33 bits, whose multiples are exact, and the rest
    double k = (x * 0x1.45f306dc9c883p-1 + 0x1.8p52) - 0x1.8p52;
    double first = x - k * 0x1.921fb544p+0;
    Pair a = sum_exactly(first, -(k * 0x1.0b4611a6p-34));
    Pair b = sum_exactly(a.high, -(k * 0x1.3198a2ep-69));
    *quadrant = (int)k;
    return sum_ordered(b.high, b.low + (a.low - k * 0x1.b839a252049c1p-104));
}

// Taylor's series; the term left out is below 2^-62 of the result. So it is in the cosine's.
static double sine_near_zero(Pair r) {
    double x = r.high, z = x * x;
    double p = -1.0 / 6 +
               z * (1.0 / 120 +
                    z * (-1.0 / 5040 +
                         z * (1.0 / 362880 +
                              z * (-1.0 / 39916800 +
                                   z * (1.0 / 6227020800 + z * (-1.0 / 1307674368000 +
                                                                z * (1.0 / 355687428096000)))))));
    return x + (r.low * (1 - 0.5 * z) + x * z * p);
}

static double cosine_near_zero(Pair r) {
    double x = r.high, z = x * x;
    double p =
        1.0 / 24 +
        z * (-1.0 / 720 +
             z * (1.0 / 40320 +
                  z * (-1.0 / 3628800 +
                       z * (1.0 / 479001600 +
                            z * (-1.0 / 87178291200 +
                                 z * (1.0 / 20922789888000 + z * (-1.0 / 6402373705728000)))))));
    double half = 0.5 * z;
    double w = 1 - half;
    return w + (((1 - w) - half) + (z * z * p - x * r.low));
}

static double sine_of_quadrant(Pair r, int quadrant) {
    double s = (quadrant & 1) ? cosine_near_zero(r) : sine_near_zero(r);
    return (quadrant & 2) ? -s : s;
}

double som_sin(double x) {
    if (!isfinite(x)) {
        return x - x;
    }
    if (fabs(x) < 0x1p-27) {
        return x; // keeps -0 and numbers whose square underflows
    }
    int quadrant;
    Pair r = reduce(x, &quadrant);
    return sine_of_quadrant(r, quadrant);
}

double som_cos(double x) {
    if (!isfinite(x)) {
        return x - x;
    }
    int quadrant;
    Pair r = reduce(x, &quadrant);
    return sine_of_quadrant(r, quadrant + 1);
}

void som_sincos(double x, double *sine, double *cosine) {
    if (!isfinite(x)) {
        *sine = *cosine = x - x;
        return;
    }
    int quadrant;
    Pair r = reduce(x, &quadrant);
    double s = fabs(x) < 0x1p-27 ? x : sine_near_zero(r);
    double c = cosine_near_zero(r);
    double sine_here = (quadrant & 1) ? c : s;
    double cosine_here = (quadrant & 1) ? s : c;
    *sine = (quadrant & 2) ? -sine_here : sine_here;
    *cosine = ((quadrant + 1) & 2) ? -cosine_here : cosine_here;
}

// atan(k / 16)
static const Pair arcs[17] = {
    {0x0.0p+0, 0x0.0p+0},
    {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

// atan(y / x) for 0 <= y <= x, both well inside the range of doubles: with c = k/16 nearest to y/x,
// atan(y/x) = atan(c) + atan(u), u = (y - c x)/(x + c y), |u| <= 1/32.
static Pair arc_of_slope(double y, double x) {
    int k = (int)(16 * (y / x) + 0.5);
    double c = k / 16.0;
    Pair cx = multiply_exactly(c, x), cy = multiply_exactly(c, y);
    Pair top = sum_exactly(y, -cx.high);
    top = sum_exactly(top.high, top.low - cx.low);
    Pair bottom = sum_ordered(x, cy.high);
    bottom = sum_ordered(bottom.high, bottom.low + cy.low);

    double u = top.high / bottom.high;
    Pair back = multiply_exactly(u, bottom.high);
    double rest = (((top.high - back.high) - back.low) + (top.low - u * bottom.low)) / bottom.high;
    double z = u * u;
    double p =
        z * (-1.0 / 3 +
             z * (1.0 / 5 + z * (-1.0 / 7 + z * (1.0 / 9 + z * (-1.0 / 11 + z * (1.0 / 13))))));
    Pair sum = sum_exactly(arcs[k].high, u);
    return sum_exactly(sum.high, sum.low + (arcs[k].low + (rest + u * p)));
}

double som_atan2(double y, double x) {
    if (isnan(x) || isnan(y)) {
        return x + y;
    }
    double ay = fabs(y), ax = fabs(x);
    if (isinf(ax) || isinf(ay)) {
        ay = isinf(ay) ? 1 : 0;
        ax = isinf(ax) ? 1 : 0;
    }
    bool steep = ay > ax;
    double small = steep ? ax : ay, large = steep ? ay : ax;
    // powers of two leave the quotient as it is and keep every product in range
    if (large > 0x1p800) {
        small *= 0x1p-400;
        large *= 0x1p-400;
    } else if (large < 0x1p-400) {
        small *= 0x1p600;
        large *= 0x1p600;
    }
    Pair arc = {0, 0};
    if (small <= large * 0x1p-70) {
        arc.high = large > 0 ? small / large : 0; // may underflow, once
    } else {
        arc = arc_of_slope(small, large);
    }
    if (steep) {
        Pair sum = sum_ordered(0x1.921fb54442d18p+0, -arc.high);
        arc = sum_ordered(sum.high, sum.low + (0x1.1a62633145c07p-54 - arc.low));
    }
    if (signbit(x)) {
        Pair sum = sum_ordered(0x1.921fb54442d18p+1, -arc.high);
        arc = sum_ordered(sum.high, sum.low + (0x1.1a62633145c07p-53 - arc.low));
    }
    double result = arc.high + arc.low;
    return signbit(y) ? -result : result;
}

double som_acos(double x) {
    return som_atan2(sqrt((1 - x) * (1 + x)), x);
}

double som_asin(double x) {
    return som_atan2(x, sqrt((1 - x) * (1 + x)));
}
