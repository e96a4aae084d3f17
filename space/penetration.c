// SPDX-License-Identifier: Apache-2.0
// The least h(n): how far and where to move a shape out of another.
//
// For boxes and segments it is at one of a few directions, of faces and of pairs of edges. For
// others those are a first guess, and the expanding polytope (van den Bergen's) does the rest: a
// polyhedron of points of D grows at the face nearest to the origin until that face is one of D.
// Faces have signed distances here, so that the origin need not be inside the first polyhedron,
// and every direction tried is a way out: where rounding or round shapes end the growth early, the
// best way so far is still one, and only not proven to be the shortest.

#include "space/distance_internal.h"

#include <float.h>

// Enough for coaxial cylinders to a millionth of their radius in the direction, which makes less
// than a billionth in the depth.
#define MAX_POINTS 160
#define MAX_FACES (2 * MAX_POINTS)

// The growth ends when bounds differ by this part of the size.
#define DEPTH_TOLERANCE 1e-11

typedef struct Face {
    SomVec3 normal;                  // out
    double offset;                   // of the plane from the origin, along the normal
    int16_t points[3], neighbors[3]; // neighbor i is across the edge from point i to point i + 1
    bool used, seen;
} Face;

typedef struct Polytope {
    SomVec3 points[MAX_POINTS];
    Face faces[MAX_FACES];
    int point_count, face_count; // the latter with unused ones between
    double size;
} Polytope;

typedef struct Best {
    double height; // h(normal)
    SomVec3 normal;
} Best;

static SomVec3 try_direction(SomConvexPair *pair, SomVec3 n, Best *best) {
    SomVec3 w = som_pair_support(pair, n).w;
    double height = som_vec3_dot(n, w);
    if (height < best->height) {
        best->height = height;
        best->normal = n;
    }
    return w;
}

// A direction of any length, the way b is; that is the better one for shapes that are symmetric
// about their middle, and the only kind tried here.
static void try_toward(SomConvexPair *pair, SomVec3 d, Best *best) {
    double length = som_vec3_length(d);
    if (length > 1e-9) {
        double toward = som_vec3_dot(d, pair->position) < 0 ? -1 : 1;
        try_direction(pair, som_vec3_scale(toward / length, d), best);
    }
}

// Directions of the edges of a shape that has few, in its frame: those of a box, the axis.
static int edge_axes(const SomShape *shape, SomMat3 rotation, SomVec3 axes[3]) {
    switch (shape->kind) {
    case SOM_SHAPE_BOX:
        for (int i = 0; i < 3; i++) {
            axes[i] = som_vec3_column(rotation, i);
        }
        return 3;
    case SOM_SHAPE_CYLINDER:
    case SOM_SHAPE_CAPSULE:
        axes[0] = som_vec3_column(rotation, 2);
        return 1;
    case SOM_SHAPE_SPHERE:
    case SOM_SHAPE_HULL:
    case SOM_SHAPE_COMPOUND:
        break;
    }
    return 0;
}

// Square out of the side of a cylinder: toward the other shape, and along its axes.
static void try_sideways(SomConvexPair *pair, SomVec3 axis, const SomVec3 *others, int count,
                         Best *best) {
    for (int i = -1; i < count; i++) {
        SomVec3 d = i < 0 ? pair->position : others[i];
        double far = som_larger(som_vec3_length(d), DBL_MIN);
        d = som_vec3_scale(1 / far, d);
        try_toward(pair, som_vec3_sub(d, som_vec3_scale(som_vec3_dot(axis, d), axis)), best);
    }
}

static void try_axes(SomConvexPair *pair, Best *best) {
    SomVec3 of_a[3], of_b[3];
    int count_a = edge_axes(pair->a, som_mat3_identity(), of_a);
    int count_b = edge_axes(pair->b, pair->rotation, of_b);
    for (int i = 0; i < count_a && pair->a->kind != SOM_SHAPE_CAPSULE; i++) {
        try_toward(pair, of_a[i], best);
    }
    for (int i = 0; i < count_b && pair->b->kind != SOM_SHAPE_CAPSULE; i++) {
        try_toward(pair, of_b[i], best);
    }
    for (int i = 0; i < count_a; i++) {
        for (int j = 0; j < count_b; j++) {
            try_toward(pair, som_vec3_cross(of_a[i], of_b[j]), best);
        }
    }
    if (pair->a->kind == SOM_SHAPE_CYLINDER) {
        try_sideways(pair, of_a[0], of_b, count_b, best);
    }
    if (pair->b->kind == SOM_SHAPE_CYLINDER) {
        try_sideways(pair, of_b[0], of_a, count_a, best);
    }
}

// A point is in a hull as deep as its nearest face is far.
static void try_planes(SomConvexPair *pair, Best *best) {
    bool first = pair->a->kind == SOM_SHAPE_HULL;
    const SomHull *hull = first ? pair->a->hull : pair->b->hull;
    SomPose pose = {pair->rotation, pair->position};
    SomVec3 p = first ? pair->position : som_pose_apply_inverse(pose, som_vec3(0, 0, 0));
    for (int i = 0; i < hull->plane_count; i++) {
        SomVec3 n = hull->planes[i].normal;
        double height = hull->planes[i].offset - som_vec3_dot(n, p);
        if (height < best->height) {
            best->height = height;
            best->normal = first ? n : som_vec3_scale(-1, som_pose_rotate(pose, n));
        }
    }
}

// Whether the face has a direction; one without keeps its place but is never grown at.
static void set_plane(Polytope *poly, Face *face) {
    const SomVec3 *p = &poly->points[face->points[0]], *q = &poly->points[face->points[1]];
    const SomVec3 *r = &poly->points[face->points[2]];
    SomVec3 n = som_vec3_cross(som_vec3_sub(*q, *p), som_vec3_sub(*r, *p));
    double length = som_vec3_length(n);
    if (!(length > 0)) {
        face->normal = som_vec3(0, 0, 0);
        face->offset = HUGE_VAL;
        return;
    }
    face->normal = som_vec3_scale(1 / length, n);
    face->offset = som_vec3_dot(face->normal, *p);
}

static void put_face(Polytope *poly, int index, int p, int q, int r) {
    Face *face = &poly->faces[index];
    *face = (Face){.points = {(int16_t)p, (int16_t)q, (int16_t)r}, .used = true};
    set_plane(poly, face);
}

// The support farther from the plane through `on` square to n, of the two ways along n.
static SomVec3 farther(SomConvexPair *pair, SomVec3 n, SomVec3 on, Best *best, double *distance) {
    SomVec3 up = try_direction(pair, n, best);
    SomVec3 down = try_direction(pair, som_vec3_scale(-1, n), best);
    double above = som_vec3_dot(n, som_vec3_sub(up, on));
    double below = -som_vec3_dot(n, som_vec3_sub(down, on));
    *distance = som_larger(above, below);
    return above > below ? up : down;
}

// A tetrahedron about as large as D has room for; false if D is flat.
static bool start(SomConvexPair *pair, Polytope *poly, Best *best) {
    SomVec3 *p = poly->points;
    // the widest of three directions, then twice the widest square to what there is
    for (int i = 0; i < 3; i++) {
        SomVec3 n = som_vec3(i == 0, i == 1, i == 2);
        SomVec3 up = try_direction(pair, n, best);
        SomVec3 down = try_direction(pair, som_vec3_scale(-1, n), best);
        double length = som_vec3_length(som_vec3_sub(up, down));
        if (length > poly->size) {
            poly->size = length;
            p[0] = up;
            p[1] = down;
        }
    }
    if (!(poly->size > 0)) {
        return false;
    }
    SomVec3 along = som_vec3_scale(1 / poly->size, som_vec3_sub(p[1], p[0]));
    SomVec3 other = fabs(along.x) < 0.6 ? som_vec3(1, 0, 0) : som_vec3(0, 1, 0);
    SomVec3 n = som_vec3_cross(along, other);
    n = som_vec3_scale(1 / som_vec3_length(n), n);
    double one, two, height;
    SomVec3 q = farther(pair, n, p[0], best, &one);
    SomVec3 r = farther(pair, som_vec3_cross(along, n), p[0], best, &two);
    p[2] = one > two ? q : r;
    n = som_vec3_cross(along, som_vec3_sub(p[2], p[0]));
    double area = som_vec3_length(n);
    if (!(area > DBL_EPSILON * poly->size)) {
        return false;
    }
    n = som_vec3_scale(1 / area, n);
    p[3] = farther(pair, n, p[0], best, &height);
    if (!(height > DBL_EPSILON * poly->size)) {
        return false;
    }
    if (som_vec3_dot(n, som_vec3_sub(p[3], p[0])) > 0) { // the first face looks away from p[3]
        SomVec3 swap = p[1];
        p[1] = p[2];
        p[2] = swap;
    }
    poly->point_count = poly->face_count = 4;
    static const int16_t faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int16_t neighbors[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int i = 0; i < 4; i++) {
        put_face(poly, i, faces[i][0], faces[i][1], faces[i][2]);
        for (int k = 0; k < 3; k++) {
            poly->faces[i].neighbors[k] = neighbors[i][k];
        }
    }
    return true;
}

// Marks the faces that see w, from one that does; faces that w is in the plane of count as such.
static int mark_seen(Polytope *poly, int from, SomVec3 w, int16_t seen[MAX_FACES]) {
    int count = 1;
    seen[0] = (int16_t)from;
    poly->faces[from].seen = true;
    for (int done = 0; done < count; done++) {
        for (int k = 0; k < 3; k++) {
            int next = poly->faces[seen[done]].neighbors[k];
            Face *face = &poly->faces[next];
            double above = som_vec3_dot(face->normal, w) - face->offset;
            if (!face->seen && above >= -8 * DBL_EPSILON * poly->size) {
                face->seen = true;
                seen[count++] = (int16_t)next;
            }
        }
    }
    return count;
}

typedef struct Rim {
    int16_t p, q, outer; // an edge and the face beyond that stays
} Rim;

// The edges round the faces that are seen, which are given up; 0 if they are all.
static int open_polytope(Polytope *poly, const int16_t *seen, int seen_count, Rim rims[MAX_FACES]) {
    int count = 0;
    for (int i = 0; i < seen_count; i++) {
        const Face *face = &poly->faces[seen[i]];
        for (int k = 0; k < 3; k++) {
            if (!poly->faces[face->neighbors[k]].seen) {
                if (count == MAX_FACES) {
                    return 0;
                }
                rims[count++] =
                    (Rim){face->points[k], face->points[(k + 1) % 3], face->neighbors[k]};
            }
        }
    }
    for (int i = 0; i < seen_count; i++) {
        poly->faces[seen[i]].used = poly->faces[seen[i]].seen = false;
    }
    return count;
}

static void point_back(Polytope *poly, int outer, int p, int q, int16_t to) {
    Face *face = &poly->faces[outer];
    for (int k = 0; k < 3; k++) {
        if (face->points[k] == q && face->points[(k + 1) % 3] == p) {
            face->neighbors[k] = to;
        }
    }
}

// Replaces the faces that see w by a cone from w. False if rounding left no simple rim.
static bool grow(Polytope *poly, int from, SomVec3 w) {
    int16_t seen[MAX_FACES], face_at[MAX_POINTS];
    Rim rims[MAX_FACES];
    if (poly->point_count == MAX_POINTS) {
        return false;
    }
    int seen_count = mark_seen(poly, from, w, seen);
    int rim_count = open_polytope(poly, seen, seen_count, rims);
    int top = poly->point_count++;
    poly->points[top] = w;
    for (int i = 0; i < rim_count; i++) {
        face_at[rims[i].q] = -1;
        face_at[rims[i].p] = -1;
    }
    for (int i = 0; i < rim_count; i++) {
        // in the places of faces given up, then in new ones
        int face = i < seen_count ? seen[i] : poly->face_count++;
        if (poly->face_count > MAX_FACES || face_at[rims[i].p] >= 0) {
            return false;
        }
        put_face(poly, face, rims[i].p, rims[i].q, top);
        face_at[rims[i].p] = (int16_t)face;
        poly->faces[face].neighbors[0] = rims[i].outer;
        point_back(poly, rims[i].outer, rims[i].p, rims[i].q, (int16_t)face);
    }
    for (int i = 0; i < rim_count; i++) {
        int16_t here = face_at[rims[i].p], next = face_at[rims[i].q];
        if (next < 0) {
            return false;
        }
        poly->faces[here].neighbors[1] = next;
        poly->faces[next].neighbors[2] = here;
    }
    return rim_count >= 3;
}

static void expand(SomConvexPair *pair, Best *best) {
    Polytope poly;
    poly.point_count = poly.face_count = 0;
    poly.size = 0;
    if (!start(pair, &poly, best)) {
        return;
    }
    double tolerance = DEPTH_TOLERANCE * poly.size;
    for (;;) { // every turn adds a point, of which there are few
        int nearest = -1;
        double offset = best->height - tolerance;
        for (int i = 0; i < poly.face_count; i++) {
            if (poly.faces[i].used && poly.faces[i].offset < offset) {
                nearest = i;
                offset = poly.faces[i].offset;
            }
        }
        if (nearest < 0) {
            return; // no other way out is shorter
        }
        SomVec3 n = poly.faces[nearest].normal;
        SomVec3 w = try_direction(pair, n, best);
        if (som_vec3_dot(n, w) - offset <= tolerance || !grow(&poly, nearest, w)) {
            return;
        }
    }
}

static bool is_flat_with_few_edges(const SomShape *shape) {
    return shape->kind == SOM_SHAPE_BOX || shape->kind == SOM_SHAPE_CAPSULE;
}

double som_penetration(SomConvexPair *pair, SomVec3 *normal) {
    Best best = {HUGE_VAL, {0, 0, 1}};
    if (pair->a->kind == SOM_SHAPE_SPHERE || pair->b->kind == SOM_SHAPE_SPHERE) {
        try_planes(pair, &best); // other shapes with spheres have exact forms
    } else {
        try_axes(pair, &best);
        if (!is_flat_with_few_edges(pair->a) || !is_flat_with_few_edges(pair->b)) {
            expand(pair, &best);
        }
    }
    *normal = best.normal;
    return best.height;
}
