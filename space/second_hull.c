// SPDX-License-Identifier: Apache-2.0
#include "space/second_hull.h"

#include <assert.h>
#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdlib.h>

// qhull and the stream that takes its reports, which are not read.
typedef struct Job {
    qhT qh;
    FILE *reports;
    char *text;
    size_t length;
    bool is_good;
} Job;

static void begin(Job *job, int dimension, const double *points, int count) {
    job->text = NULL;
    job->length = 0;
    job->reports = open_memstream(&job->text, &job->length);
    job->is_good = false;
    if (job->reports == NULL) {
        return;
    }
    char command[] = "qhull Pp";
    qh_zero(&job->qh, job->reports);
    job->is_good = qh_new_qhull(&job->qh, dimension, count, (double *)(uintptr_t)points, False,
                                command, NULL, job->reports) == 0;
}

static void end(Job *job) {
    if (job->reports == NULL) {
        return;
    }
    int blocks, bytes;
    qh_freeqhull(&job->qh, !qh_ALL);
    qh_memfreeshort(&job->qh, &blocks, &bytes);
    fclose(job->reports);
    free(job->text);
}

// Outside of qh_new_qhull an error of qhull would end the process.
static bool find_volume(Job *job, double *volume) {
    bool is_good = setjmp(job->qh.errexit) == 0;
    if (is_good) {
        job->qh.NOerrexit = False;
        qh_getarea(&job->qh, job->qh.facet_list);
        *volume = job->qh.totvol;
    }
    job->qh.NOerrexit = True;
    return is_good;
}

static void keep_faces(Job *job, SomArena *arena, SomSecondHull *hull) {
    qhT *qh = &job->qh; // the name that qhull's macros use
    SomPlane *planes = som_arena_new(arena, SomPlane, qh->num_facets + 1);
    int *corners = som_arena_new(arena, int, qh->num_vertices + 1);
    facetT *facet;
    vertexT *vertex;
    FORALLfacets {
        const double *n = facet->normal;
        planes[hull->plane_count++] = (SomPlane){som_vec3(n[0], n[1], n[2]), -facet->offset};
    }
    FORALLvertices {
        corners[hull->corner_count++] = qh_pointid(qh, vertex->point);
    }
    hull->planes = planes;
    hull->corners = corners;
}

static_assert(sizeof(SomVec3) == 3 * sizeof(double), "points are rows of coordinates");

bool som_second_hull(const SomVec3 *points, int count, SomArena *arena, SomSecondHull *hull) {
    *hull = (SomSecondHull){0};
    Job job;
    begin(&job, 3, &points->x, count);
    if (job.is_good) {
        keep_faces(&job, arena, hull);
        job.is_good = find_volume(&job, &hull->volume);
    }
    end(&job);
    return job.is_good;
}

// ---- polygons

static double to_segment(const double *a, const double *b, const double *p) {
    double x = b[0] - a[0], y = b[1] - a[1], square = x * x + y * y;
    double s = square > 0 ? ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / square : 0;
    s = fmin(fmax(s, 0), 1);
    return hypot(p[0] - a[0] - s * x, p[1] - a[1] - s * y);
}

static double margin_in(Job *job, const double center[2]) {
    qhT *qh = &job->qh;
    facetT *facet;
    double outside = -HUGE_VAL, nearest = HUGE_VAL;
    FORALLfacets {
        const double *n = facet->normal;
        outside = fmax(outside, n[0] * center[0] + n[1] * center[1] + facet->offset);
        const vertexT *a = SETfirst_(facet->vertices), *b = SETsecond_(facet->vertices);
        nearest = fmin(nearest, to_segment(a->point, b->point, center));
    }
    return outside <= 0 ? nearest : -nearest;
}

// Wider than this part of their length, points are not in a line.
#define FLAT 1e-7

// Of points in a line: between the two that are farthest from each other. NAN if they are not.
static double line_margin(const double (*points)[2], int count, const double center[2]) {
    int ends[2] = {0, 0};
    for (int round = 0; round < 3; round++) {
        const double *from = points[ends[(round + 1) % 2]];
        for (int i = 0; i < count; i++) {
            const double *best = points[ends[round % 2]];
            bool is_farther = hypot(points[i][0] - from[0], points[i][1] - from[1]) >
                              hypot(best[0] - from[0], best[1] - from[1]);
            ends[round % 2] = is_farther ? i : ends[round % 2];
        }
    }
    const double *a = points[ends[0]], *b = points[ends[1]];
    double width = 0, length = hypot(b[0] - a[0], b[1] - a[1]);
    for (int i = 0; i < count; i++) {
        width = fmax(width, to_segment(a, b, points[i]));
    }
    return width <= FLAT * length ? -to_segment(a, b, center) : (double)NAN;
}

double som_second_margin(const double (*points)[2], int count, const double center[2]) {
    double sum = center[0] + center[1];
    for (int i = 0; i < count; i++) {
        sum += points[i][0] + points[i][1];
    }
    if (count <= 0 || !isfinite(sum)) {
        return (double)NAN;
    }
    double margin = (double)NAN;
    Job job;
    begin(&job, 2, points[0], count);
    if (job.is_good) {
        margin = margin_in(&job, center);
    }
    end(&job);
    return job.is_good ? margin : line_margin(points, count, center);
}
