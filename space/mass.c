// SPDX-License-Identifier: Apache-2.0
#include "space/mass.h"

#include "space/trigonometry.h"

static SomMat3 diagonal(double xx, double yy, double zz) {
    return (SomMat3){{{xx, 0, 0}, {0, yy, 0}, {0, 0, zz}}};
}

static SomInertia box_inertia(SomVec3 half, double density) {
    double mass = 8 * half.x * half.y * half.z * density;
    double xx = half.x * half.x, yy = half.y * half.y, zz = half.z * half.z;
    return (SomInertia){mass,
                        {0, 0, 0},
                        diagonal(mass * (yy + zz) / 3, mass * (xx + zz) / 3, mass * (xx + yy) / 3)};
}

// A capsule is a cylinder and the two halves of a ball; either part may be missing.
static SomInertia round_inertia(double radius, double half_length, bool has_caps, double density) {
    double rr = radius * radius, hh = half_length * half_length;
    double side = 2 * SOM_PI * rr * half_length * density;
    double caps = has_caps ? 4 * SOM_PI / 3 * rr * radius * density : 0;
    double along = side * rr / 2 + caps * 2 * rr / 5;
    // the centre of half a ball is 3/8 of the radius above its flat side
    double across =
        side * (rr / 4 + hh / 3) + caps * (2 * rr / 5 + hh + 3 * radius * half_length / 4);
    return (SomInertia){side + caps, {0, 0, 0}, diagonal(across, across, along)};
}

SomInertia som_shape_inertia(const SomShape *shape, double density) {
    switch (shape->kind) {
    case SOM_SHAPE_BOX:
        return box_inertia(shape->half, density);
    case SOM_SHAPE_CYLINDER:
        return round_inertia(shape->radius, shape->half_length, false, density);
    case SOM_SHAPE_SPHERE:
    case SOM_SHAPE_CAPSULE:
        return round_inertia(shape->radius, shape->half_length, true, density);
    case SOM_SHAPE_HULL:
        return som_surface_inertia(shape->hull->vertices, shape->hull->triangles,
                                   shape->hull->triangle_count, density);
    case SOM_SHAPE_COMPOUND:
        break;
    }
    SomInertia sum = {0};
    for (int i = 0; i < shape->part_count; i++) {
        SomInertia own = som_shape_inertia(&shape->parts[i].shape, density);
        sum = som_inertia_add(sum, som_inertia_transform(shape->parts[i].pose, own));
    }
    return sum;
}

double som_shape_volume(const SomShape *shape) {
    return som_shape_inertia(shape, 1).mass;
}

// Integrals over a solid: of 1, of x, and of x x^T (its six different entries).
typedef struct Integrals {
    double one;
    SomVec3 first;
    double xx, yy, zz, xy, xz, yz;
} Integrals;

// Adds the tetrahedron of the origin and a, b, c; negative where they turn the other way.
static void add_tetrahedron(Integrals *sum, SomVec3 a, SomVec3 b, SomVec3 c) {
    double six_volumes = som_vec3_dot(a, som_vec3_cross(b, c));
    SomVec3 s = som_vec3_add(som_vec3_add(a, b), c);
    double second = six_volumes / 120;
    sum->one += six_volumes / 6;
    sum->first = som_vec3_add(sum->first, som_vec3_scale(six_volumes / 24, s));
    sum->xx += second * (a.x * a.x + b.x * b.x + c.x * c.x + s.x * s.x);
    sum->yy += second * (a.y * a.y + b.y * b.y + c.y * c.y + s.y * s.y);
    sum->zz += second * (a.z * a.z + b.z * b.z + c.z * c.z + s.z * s.z);
    sum->xy += second * (a.x * a.y + b.x * b.y + c.x * c.y + s.x * s.y);
    sum->xz += second * (a.x * a.z + b.x * b.z + c.x * c.z + s.x * s.z);
    sum->yz += second * (a.y * a.z + b.y * b.z + c.y * c.z + s.y * s.z);
}

// Integrals with the coordinates taken from `from`.
static Integrals integrate(const SomVec3 *vertices, const int32_t *triangles, int triangle_count,
                           SomVec3 from) {
    Integrals sum = {0};
    for (int i = 0; i < triangle_count; i++) {
        const int32_t *corner = triangles + 3 * (ptrdiff_t)i;
        add_tetrahedron(&sum, som_vec3_sub(vertices[corner[0]], from),
                        som_vec3_sub(vertices[corner[1]], from),
                        som_vec3_sub(vertices[corner[2]], from));
    }
    return sum;
}

SomInertia som_surface_inertia(const SomVec3 *vertices, const int32_t *triangles,
                               int triangle_count, double density) {
    if (triangle_count == 0) {
        return (SomInertia){0};
    }
    // twice: far from the origin the sums cancel, round the centre of mass they do not
    SomVec3 near = vertices[triangles[0]];
    Integrals sum = integrate(vertices, triangles, triangle_count, near);
    if (sum.one == 0) {
        return (SomInertia){0};
    }
    SomVec3 center = som_vec3_add(near, som_vec3_scale(1 / sum.one, sum.first));
    sum = integrate(vertices, triangles, triangle_count, center);
    SomVec3 rest = som_vec3_scale(1 / sum.one, sum.first);
    SomInertia inertia = {density * sum.one, som_vec3_add(center, rest), {{{0}}}};
    double xx = density * sum.xx, yy = density * sum.yy, zz = density * sum.zz;
    double xy = -density * sum.xy, xz = -density * sum.xz, yz = -density * sum.yz;
    inertia.moments = (SomMat3){{{yy + zz, xy, xz}, {xy, xx + zz, yz}, {xz, yz, xx + yy}}};
    return inertia;
}

SomInertia som_inertia_with_mass(SomInertia inertia, double mass) {
    double scale = mass / inertia.mass;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            inertia.moments.m[i][j] *= scale;
        }
    }
    inertia.mass = mass;
    return inertia;
}

// Not hypot, whose last bit depends on the machine.
static double length2(double a, double b) {
    return sqrt(a * a + b * b);
}

// One Jacobi turn in the plane of axes i and j: makes m[i][j] zero.
static void turn_plane(SomMat3 *m, SomMat3 *axes, int i, int j) {
    double off = m->m[i][j];
    if (off == 0) {
        return;
    }
    double theta = (m->m[j][j] - m->m[i][i]) / (2 * off);
    double t = copysign(1, theta) / (fabs(theta) + length2(theta, 1));
    double c = 1 / length2(t, 1), s = t * c;
    for (int k = 0; k < 3; k++) { // columns
        double a = m->m[k][i], b = m->m[k][j];
        m->m[k][i] = c * a - s * b;
        m->m[k][j] = s * a + c * b;
        a = axes->m[k][i];
        b = axes->m[k][j];
        axes->m[k][i] = c * a - s * b;
        axes->m[k][j] = s * a + c * b;
    }
    for (int k = 0; k < 3; k++) { // rows
        double a = m->m[i][k], b = m->m[j][k];
        m->m[i][k] = c * a - s * b;
        m->m[j][k] = s * a + c * b;
    }
    m->m[i][j] = m->m[j][i] = 0;
}

static void swap_axes(SomPrincipal *principal, int i, int j) {
    double moment = principal->moments[i];
    principal->moments[i] = principal->moments[j];
    principal->moments[j] = moment;
    for (int k = 0; k < 3; k++) {
        double entry = principal->axes.m[k][i];
        principal->axes.m[k][i] = principal->axes.m[k][j];
        principal->axes.m[k][j] = -entry; // stays right-handed
    }
}

SomPrincipal som_inertia_principal(SomInertia inertia) {
    SomMat3 m = inertia.moments;
    SomPrincipal principal = {.axes = som_mat3_identity()};
    // convergence is quadratic: five or six sweeps reach the last bit
    for (int sweep = 0; sweep < 12; sweep++) {
        turn_plane(&m, &principal.axes, 0, 1);
        turn_plane(&m, &principal.axes, 0, 2);
        turn_plane(&m, &principal.axes, 1, 2);
    }
    for (int i = 0; i < 3; i++) {
        principal.moments[i] = m.m[i][i];
    }
    for (int last = 2; last > 0; last--) {
        for (int i = 0; i < last; i++) {
            if (principal.moments[i] > principal.moments[i + 1]) {
                swap_axes(&principal, i, i + 1);
            }
        }
    }
    return principal;
}

bool som_inertia_is_physical(SomInertia inertia) {
    SomPrincipal p = som_inertia_principal(inertia);
    double slack = 1e-9 * p.moments[2];
    return inertia.mass > 0 && p.moments[0] > 0 && isfinite(inertia.mass) &&
           isfinite(p.moments[2]) && p.moments[2] <= p.moments[0] + p.moments[1] + slack;
}
