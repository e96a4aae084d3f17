// SPDX-License-Identifier: Apache-2.0

#include "verify/spheres.h"

#include "base/memory.h"

#include <stdlib.h>

// Connected modules touch exactly; that is none.
#define TOUCH 0.99

#define HALVINGS 24 // of a tick

bool som_module_sphere(const SomModuleType *type, SomBall *ball) {
    if (type->connector_count < 2) {
        return false;
    }
    ball->center = som_vec3(0, 0, 0);
    double low = HUGE_VAL, high = 0;
    for (int i = 0; i < type->connector_count; i++) {
        double r = som_vec3_length(type->connectors[i].position);
        low = fmin(low, r);
        high = fmax(high, r);
    }
    ball->radius = high;
    return low > 0 && high - low <= 1e-3 * high;
}

// A module with a sphere.
typedef struct Sphere {
    int module;
    SomBall ball; // in the frame of the root link
    SomVec3 center;
} Sphere;

typedef struct Spheres {
    const SomMechanism *m;
    const SomMotion *motion;
    Sphere *all; // by x of their centres
    int count;
    double largest;
    SomPose *links;
    double *values;
} Spheres;

static void place(Spheres *s, double where) {
    int last = s->motion->sample_count - 1, dofs = s->motion->dof_count;
    int sample = where >= last ? last : (int)where;
    double rest = where - sample;
    const double *now = s->motion->values + (size_t)sample * (size_t)dofs;
    for (int i = 0; i < dofs; i++) {
        s->values[i] = rest > 0 ? now[i] + rest * (now[dofs + i] - now[i]) : now[i];
    }
    som_mechanism_place(s->m, &(SomPosture){s->values, dofs}, s->links);
    for (int i = 0; i < s->count; i++) {
        SomPose pose = som_mechanism_module_pose(s->m, s->links, s->all[i].module);
        s->all[i].center = som_pose_apply(pose, s->all[i].ball.center);
    }
}

// Whether two touch, and which; the first pair by the order of modules.
static bool find_touch(Spheres *s, int *module_a, int *module_b) {
    // in order from the sample before
    for (int i = 1; i < s->count; i++) {
        Sphere sphere = s->all[i];
        int k = i;
        for (; k > 0 && s->all[k - 1].center.x > sphere.center.x; k--) {
            s->all[k] = s->all[k - 1];
        }
        s->all[k] = sphere;
    }
    bool is_found = false;
    for (int i = 0; i < s->count; i++) {
        const Sphere *a = &s->all[i];
        double reach = TOUCH * (a->ball.radius + s->largest);
        for (int k = i + 1; k < s->count && s->all[k].center.x - a->center.x < reach; k++) {
            const Sphere *b = &s->all[k];
            double distance = som_vec3_length(som_vec3_sub(b->center, a->center));
            int low = a->module < b->module ? a->module : b->module;
            int high = a->module < b->module ? b->module : a->module;
            bool is_first = !is_found || low < *module_a || (low == *module_a && high < *module_b);
            if (distance < TOUCH * (a->ball.radius + b->ball.radius) && is_first) {
                *module_a = low;
                *module_b = high;
                is_found = true;
            }
        }
    }
    return is_found;
}

static int by_x(const void *a, const void *b) {
    const Sphere *x = a, *y = b;
    double p = x->center.x, q = y->center.x;
    return p != q ? (p > q) - (p < q) : x->module - y->module;
}

static SomSphereTouch first_touch(Spheres *s, int samples) {
    SomSphereTouch touch = {-1, -1, 0};
    for (int i = 0; i < samples; i++) {
        place(s, i);
        if (i == 0) {
            qsort(s->all, (size_t)s->count, sizeof *s->all, by_x);
        }
        if (!find_touch(s, &touch.module_a, &touch.module_b)) {
            continue;
        }
        double low = i - 1, high = i;
        for (int k = 0; i > 0 && k < HALVINGS; k++) {
            double middle = 0.5 * (low + high);
            place(s, middle);
            bool is_touching = find_touch(s, &touch.module_a, &touch.module_b);
            low = is_touching ? low : middle;
            high = is_touching ? middle : high;
        }
        touch.time = som_motion_time(s->motion, high);
        break;
    }
    return touch;
}

SomSphereTouch som_spheres_first_touch(const SomMechanism *m, const SomMotion *motion) {
    const SomConfiguration *c = m->configuration;
    Spheres s = {.m = m, .motion = motion};
    s.all = som_alloc(sizeof *s.all * (size_t)(c->module_count + 1));
    s.links = som_alloc(sizeof *s.links * (size_t)(m->link_count + 1));
    s.values = som_alloc(sizeof *s.values * (size_t)(m->dof_count + 1));
    for (int i = 0; i < c->module_count; i++) {
        Sphere *sphere = &s.all[s.count];
        sphere->module = i;
        if (som_module_sphere(c->modules[i].type, &sphere->ball)) {
            s.largest = fmax(s.largest, sphere->ball.radius);
            s.count++;
        }
    }
    SomSphereTouch touch = {-1, -1, 0};
    if (s.count > 1) {
        touch = first_touch(&s, som_motion_sane_samples(motion));
    }
    som_free(s.all);
    som_free(s.links);
    som_free(s.values);
    return touch;
}
