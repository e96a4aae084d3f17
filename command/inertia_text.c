// SPDX-License-Identifier: Apache-2.0
#include "command/inertia_text.h"

#include "base/number.h"

// What people are shown; --json has every digit.
#define SHOWN_DIGITS 6

// Numbers below `zero` are the rounding noise of a sum that cancels, shown as the 0 they are.
static void print_row(SomText *out, const char *what, SomVec3 v, double zero, const char *unit) {
    som_text_printf(out, "  %-18s", what);
    const double values[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++) {
        som_text_add(out, i == 0 ? SOM_STR(" ") : SOM_STR("  "));
        som_text_rounded(out, fabs(values[i]) < zero ? 0 : values[i], SHOWN_DIGITS);
    }
    som_text_printf(out, " %s\n", unit);
}

static void print_scalar(SomText *out, const char *what, double value, const char *unit) {
    som_text_printf(out, "  %-18s ", what);
    som_text_rounded(out, value, SHOWN_DIGITS);
    som_text_printf(out, " %s\n", unit);
}

void som_text_inertia(SomText *out, SomBounds bounds, double volume, SomInertia inertia) {
    SomVec3 size = som_vec3_sub(bounds.high, bounds.low);
    double length = som_vec3_length(size);
    double zero = 1e-12 * inertia.mass * length * length;
    SomMat3 m = inertia.moments;
    SomPrincipal p = som_inertia_principal(inertia);
    print_row(out, "size", size, 0, "m");
    print_scalar(out, "volume", volume, "m^3");
    print_scalar(out, "mass", inertia.mass, "kg");
    print_row(out, "centre of mass", inertia.center, 1e-12 * length, "m");
    print_row(out, "Ixx Iyy Izz", som_vec3(m.m[0][0], m.m[1][1], m.m[2][2]), 0, "kg m^2");
    print_row(out, "Ixy Ixz Iyz", som_vec3(m.m[0][1], m.m[0][2], m.m[1][2]), zero, "kg m^2");
    print_row(out, "principal moments", som_vec3(p.moments[0], p.moments[1], p.moments[2]), 0,
              "kg m^2");
}
