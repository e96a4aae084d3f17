// SPDX-License-Identifier: Apache-2.0
#include "player/dock_load.h"

#include <math.h>

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// What pulls the faces apart, what shifts them, and the moment in the middle of them.
static void measure(const SomDockLimits *limits, const SomBodyLoad *load, const SomBodyPlace *child,
                    double loads[3]) {
    double face[3], out[3], arm[3], across[3], moment[3];
    som_body_place_apply(child, limits->face, face);
    som_body_place_rotate(child, limits->outward, out);
    double along = dot(load->force, out);
    for (int i = 0; i < 3; i++) {
        arm[i] = load->at[i] - face[i];
        across[i] = load->force[i] - along * out[i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        moment[i] = load->torque[i] + arm[j] * load->force[k] - arm[k] * load->force[j];
    }
    loads[0] = along;
    loads[1] = sqrt(dot(across, across));
    loads[2] = sqrt(dot(moment, moment));
}

bool som_dock_load_step(const SomDockLimits *limits, SomDockLoad *dock, const SomBodyLoad *load,
                        const SomBodyPlace *child, double dt) {
    const double most[3] = {limits->tension, limits->shear, limits->bending};
    double loads[3], share = dt < SOM_DOCK_MEAN ? dt / SOM_DOCK_MEAN : 1;
    bool is_over = false;
    measure(limits, load, child, loads);
    dock->since += dt;
    for (int i = 0; i < 3; i++) {
        dock->means[i] += (loads[i] - dock->means[i]) * share;
        is_over = is_over || (most[i] > 0 && dock->means[i] > most[i]);
    }
    return is_over && dock->since >= SOM_DOCK_SETTLES;
}
