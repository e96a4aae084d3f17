// SPDX-License-Identifier: Apache-2.0

#include "tests/exchange/matrix.h"

#include "base/number.h"

#include <math.h>

SomTestMatrix som_test_identity(void) {
    return som_test_translate(0, 0, 0);
}

SomTestMatrix som_test_multiply(SomTestMatrix a, SomTestMatrix b) {
    SomTestMatrix c = {{{0}}};
    for (int i = 0; i < 64; i++) {
        c.m[i / 16][i / 4 % 4] += a.m[i / 16][i % 4] * b.m[i % 4][i / 4 % 4];
    }
    return c;
}

SomTestMatrix som_test_invert(SomTestMatrix motion) {
    SomTestMatrix b = {{{0}, {0}, {0}, {0, 0, 0, 1}}};
    for (int i = 0; i < 9; i++) {
        b.m[i / 3][i % 3] = motion.m[i % 3][i / 3];
        b.m[i / 3][3] -= motion.m[i % 3][i / 3] * motion.m[i % 3][3];
    }
    return b;
}

SomTestMatrix som_test_translate(double x, double y, double z) {
    return (SomTestMatrix){{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}, {0, 0, 0, 1}}};
}

SomTestMatrix som_test_rotate(double angle, double x, double y, double z) {
    double length = sqrt(x * x + y * y + z * z), c = cos(angle), s = sin(angle), k = 1 - c;
    x /= length, y /= length, z /= length;
    return (SomTestMatrix){{{c + x * x * k, x * y * k - z * s, x * z * k + y * s, 0},
                            {x * y * k + z * s, c + y * y * k, y * z * k - x * s, 0},
                            {z * x * k - y * s, z * y * k + x * s, c + z * z * k, 0},
                            {0, 0, 0, 1}}};
}

SomTestMatrix som_test_rpy(const double n[6]) {
    double cr = cos(n[3]), sr = sin(n[3]), cp = cos(n[4]), sp = sin(n[4]), cy = cos(n[5]),
           sy = sin(n[5]);
    return (SomTestMatrix){{{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, n[0]},
                            {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, n[1]},
                            {-sp, cp * sr, cp * cr, n[2]},
                            {0, 0, 0, 1}}};
}

SomTestMatrix som_test_random_motion(SomTestRandom *random) {
    double way[3], axis[3];
    for (int i = 0; i < 3; i++) {
        way[i] = som_test_normal(random);
        axis[i] = som_test_normal(random);
    }
    double angle = som_test_uniform(random, -3, 3);
    return som_test_multiply(som_test_translate(way[0], way[1], way[2]),
                             som_test_rotate(angle, axis[0], axis[1], axis[2]));
}

double som_test_matrix_distance(SomTestMatrix wanted, SomPose pose) {
    const double position[3] = {pose.position.x, pose.position.y, pose.position.z};
    double most = 0;
    for (int i = 0; i < 12; i++) {
        double is = i % 4 == 3 ? position[i / 4] : pose.rotation.m[i / 4][i % 4];
        most = fmax(most, fabs(wanted.m[i / 4][i % 4] - is));
    }
    return most;
}

void som_test_print_matrix(SomText *out, SomTestMatrix matrix) {
    for (int i = 0; i < 16; i++) {
        som_text_add(out, i == 0 ? SOM_STR("[[") : i % 4 == 0 ? SOM_STR("],[") : SOM_STR(","));
        som_text_number(out, matrix.m[i / 4][i % 4]);
    }
    som_text_add(out, SOM_STR("]]"));
}
