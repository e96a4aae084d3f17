// SPDX-License-Identifier: Apache-2.0
// Mass, centre and inertia of a link from its forms, as if it were of one material. Forms that
// overlap count twice where they do; they are few and meant to be apart.

#include "modules/m3l_reader_internal.h"
#include "space/hull.h"
#include "space/trigonometry.h"

// Of density 1: volume, first moments, and second moments of volume about the origin.
typedef struct Moments {
    double volume;
    SomVec3 first;
    double second[3][3];
} Moments;

static double *component(SomVec3 *v, int i) {
    return i == 0 ? &v->x : i == 1 ? &v->y : &v->z;
}

// Adds a form given by its volume, middle and second moments about the middle in turned axes.
static void add_centred(Moments *sum, double volume, SomPose pose, SomVec3 second) {
    sum->volume += volume;
    sum->first = som_vec3_add(sum->first, som_vec3_scale(volume, pose.position));
    double c[3] = {pose.position.x, pose.position.y, pose.position.z};
    double d[3] = {second.x, second.y, second.z};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double turned = 0;
            for (int k = 0; k < 3; k++) {
                turned += pose.rotation.m[i][k] * d[k] * pose.rotation.m[j][k];
            }
            sum->second[i][j] += turned + volume * c[i] * c[j];
        }
    }
}

// The tetrahedron of the origin and a triangle, signed.
static void add_tetrahedron(Moments *sum, SomVec3 a, SomVec3 b, SomVec3 c) {
    double volume = som_vec3_dot(a, som_vec3_cross(b, c)) / 6;
    SomVec3 total = som_vec3_add(a, som_vec3_add(b, c));
    sum->volume += volume;
    sum->first = som_vec3_add(sum->first, som_vec3_scale(volume / 4, total));
    SomVec3 corners[4] = {a, b, c, total};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double s = 0;
            for (int k = 0; k < 4; k++) {
                s += *component(&corners[k], i) * *component(&corners[k], j);
            }
            sum->second[i][j] += volume / 20 * s;
        }
    }
}

static void add_hull(Moments *sum, const SomForm *form, SomSpan span) {
    SomDiagnostics *unseen = som_diagnostics_create(); // a flat hull is allowed and weighs nothing
    SomHull *hull = som_hull_create(form->points, form->point_count, span, unseen);
    som_diagnostics_destroy(unseen);
    if (hull == NULL) {
        return;
    }
    for (int i = 0; i < hull->triangle_count; i++) {
        const int32_t *corner = &hull->triangles[3 * i];
        add_tetrahedron(sum, hull->vertices[corner[0]], hull->vertices[corner[1]],
                        hull->vertices[corner[2]]);
    }
    som_hull_destroy(hull);
}

static void add_form(Moments *sum, const SomForm *form) {
    double r = form->size.x, l = form->size.z;
    switch (form->kind) {
    case SOM_FORM_BOX: {
        SomVec3 s = form->size;
        double v = s.x * s.y * s.z;
        add_centred(sum, v, form->pose,
                    som_vec3(v * s.x * s.x / 12, v * s.y * s.y / 12, v * s.z * s.z / 12));
        break;
    }
    case SOM_FORM_CYLINDER:
    case SOM_FORM_CAPSULE: {
        double v = SOM_PI * r * r * l;
        double across = v * r * r / 4, along = v * l * l / 12;
        if (form->kind == SOM_FORM_CAPSULE) { // two half balls at the ends
            double ball = 4 * SOM_PI * r * r * r / 3;
            across += ball * r * r / 5;
            along += ball * (r * r / 5 + l * l / 4 + 3 * l * r / 8);
            v += ball;
        }
        add_centred(sum, v, form->pose, som_vec3(across, across, along));
        break;
    }
    case SOM_FORM_SPHERE: {
        double v = 4 * SOM_PI * r * r * r / 3;
        double second = v * r * r / 5;
        add_centred(sum, v, form->pose, som_vec3(second, second, second));
        break;
    }
    case SOM_FORM_HULL:
        add_hull(sum, form, (SomSpan){0});
        break;
    }
}

bool som_module_link_weigh(SomModuleLink *link, double mass, double density) {
    Moments sum = {0};
    for (int i = 0; i < link->form_count; i++) {
        add_form(&sum, &link->forms[i]);
    }
    link->mass = mass;
    if (!(sum.volume > 0) || isinf(sum.volume)) {
        // nothing is known but perhaps a mass: a point
        if (link->form_count > 0 && link->forms[0].kind == SOM_FORM_HULL) {
            const SomForm *form = &link->forms[0];
            for (int i = 0; i < form->point_count; i++) {
                link->com = som_vec3_add(link->com, form->points[i]);
            }
            link->com = som_vec3_scale(1 / (double)form->point_count, link->com);
        }
        return false;
    }
    link->mass = mass > 0 ? mass : density * sum.volume;
    link->com = som_vec3_scale(1 / sum.volume, sum.first);
    double c[3] = {link->com.x, link->com.y, link->com.z};
    double spread[3][3], trace = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            spread[i][j] = sum.second[i][j] / sum.volume - c[i] * c[j];
        }
        trace += spread[i][i];
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            link->inertia.m[i][j] = link->mass * ((i == j ? trace : 0) - spread[i][j]);
        }
    }
    return true;
}
