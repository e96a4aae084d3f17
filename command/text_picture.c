// SPDX-License-Identifier: Apache-2.0
#include "command/text_picture.h"

#include "base/memory.h"

// From dark to bright; the first is what faces away from the light.
static const char shades[] = ".:-=+*#%@";

typedef struct Cell {
    double depth; // towards the viewer; the nearest wins
    SomVec3 normal;
    bool is_drawn;
} Cell;

// x to the right, y up, z towards the viewer, all in the world.
typedef struct Picture {
    SomVec3 x, y, z;
    SomVec3 center;
    double radius;
    int width, height;
    Cell *cells;
} Picture;

static SomVec3 unit(SomVec3 v) {
    return som_vec3_scale(1 / som_vec3_length(v), v);
}

static Picture create(SomBounds bounds, int width) {
    Picture picture = {.width = width, .z = unit(som_vec3(1, 0.6, 0.55))};
    picture.x = unit(som_vec3_cross(som_vec3(0, 0, 1), picture.z));
    picture.y = som_vec3_cross(picture.z, picture.x);
    picture.center = som_vec3_scale(0.5, som_vec3_add(bounds.low, bounds.high));

    // the picture is as high as the bounds are, seen from here
    SomVec3 half = som_vec3_scale(0.5, som_vec3_sub(bounds.high, bounds.low));
    double right = fabs(picture.x.x) * half.x + fabs(picture.x.y) * half.y;
    double up = fabs(picture.y.x) * half.x + fabs(picture.y.y) * half.y + picture.y.z * half.z;
    int highest = width / 2 > 4 ? width / 2 : 4;
    picture.radius = 1.02 * right;
    if (up / right * width / 2 > highest) { // narrow and high: the height decides
        picture.radius = 1.02 * up * width / 2 / highest;
    }
    picture.height = (int)ceil(1.02 * up / picture.radius * width / 2);
    picture.height = picture.height < 1 ? 1 : picture.height;
    picture.cells = som_alloc((size_t)(picture.width * picture.height) * sizeof(Cell));
    return picture;
}

// The middle of a cell, in metres right of and above the centre.
static double cell_right(const Picture *picture, int column) {
    return (2 * (column + 0.5) / picture->width - 1) * picture->radius;
}

static double cell_up(const Picture *picture, int row) {
    double cell_height = 4 * picture->radius / picture->width;
    return (0.5 * picture->height - row - 0.5) * cell_height;
}

static void draw(Picture *picture, int column, int row, double depth, SomVec3 normal) {
    Cell *cell = &picture->cells[row * picture->width + column];
    if (!cell->is_drawn || depth > cell->depth) {
        *cell = (Cell){depth, normal, true};
    }
}

// One row of characters without the blanks behind the last; empty if nothing is drawn in it.
static void print_row(const Picture *picture, int row, SomText *line) {
    SomVec3 light = unit(som_vec3(0.5, -0.55, 1));
    int brightest = (int)sizeof shades - 2;
    for (int column = 0; column < picture->width; column++) {
        const Cell *cell = &picture->cells[row * picture->width + column];
        if (cell->is_drawn) {
            double bright = som_vec3_dot(cell->normal, light);
            som_text_add_char(line, ' ', column - (int)line->length);
            som_text_add_char(line, shades[bright > 0 ? lround(bright * brightest) : 0], 1);
        }
    }
}

// Prints the picture without the empty rows above and below it.
static void finish(Picture *picture, SomText *out) {
    SomText line = {0};
    int empty_rows = 0;
    bool begun = false;
    for (int row = 0; row < picture->height; row++) {
        som_text_clear(&line);
        print_row(picture, row, &line);
        if (line.length == 0) {
            empty_rows++;
            continue;
        }
        som_text_add_char(out, '\n', begun ? empty_rows : 0);
        som_text_add(out, som_text_str(&line));
        som_text_add_char(out, '\n', 1);
        empty_rows = 0;
        begun = true;
    }
    som_text_free(&line);
    som_free(picture->cells);
}

void som_text_picture_shape(const SomShape *shape, int width, SomText *out) {
    Picture picture = create(som_shape_bounds(shape, som_pose_identity()), width);
    double far = 4 * som_shape_ball(shape).radius;
    SomVec3 eye = som_vec3_add(picture.center, som_vec3_scale(far, picture.z));
    SomVec3 forward = som_vec3_scale(-1, picture.z);
    for (int row = 0; row < picture.height; row++) {
        for (int column = 0; column < picture.width; column++) {
            SomVec3 right = som_vec3_scale(cell_right(&picture, column), picture.x);
            SomVec3 up = som_vec3_scale(cell_up(&picture, row), picture.y);
            SomRayHit hit;
            if (som_shape_cast_ray(shape, som_vec3_add(eye, som_vec3_add(right, up)), forward,
                                   &hit)) {
                draw(&picture, column, row, -hit.distance, hit.normal);
            }
        }
    }
    finish(&picture, out);
}

// A corner of a triangle in cells: column, row, depth.
static SomVec3 project(const Picture *picture, SomVec3 point) {
    SomVec3 p = som_vec3_sub(point, picture->center);
    double scale = 0.5 * picture->width / picture->radius;
    return som_vec3(0.5 * picture->width + scale * som_vec3_dot(p, picture->x),
                    0.5 * picture->height - 0.5 * scale * som_vec3_dot(p, picture->y),
                    som_vec3_dot(p, picture->z));
}

static int clamp(double value, int low, int high) {
    return value < low ? low : value > high ? high : (int)value;
}

static void draw_triangle(Picture *picture, SomVec3 a, SomVec3 b, SomVec3 c) {
    SomVec3 normal = som_vec3_cross(som_vec3_sub(b, a), som_vec3_sub(c, a));
    double area = som_vec3_length(normal);
    if (area == 0) {
        return;
    }
    SomVec3 p = project(picture, a), q = project(picture, b), r = project(picture, c);
    double turn = (q.x - p.x) * (r.y - p.y) - (r.x - p.x) * (q.y - p.y);
    if (turn == 0) { // seen edge on
        return;
    }
    int left = clamp(fmin(p.x, fmin(q.x, r.x)), 0, picture->width - 1);
    int right = clamp(fmax(p.x, fmax(q.x, r.x)), 0, picture->width - 1);
    int top = clamp(fmin(p.y, fmin(q.y, r.y)), 0, picture->height - 1);
    int bottom = clamp(fmax(p.y, fmax(q.y, r.y)), 0, picture->height - 1);
    // what is turned away shows only where the surface is open, lit as its other side is
    normal = som_vec3_scale((som_vec3_dot(normal, picture->z) < 0 ? -1 : 1) / area, normal);
    for (int row = top; row <= bottom; row++) {
        for (int column = left; column <= right; column++) {
            double x = column + 0.5, y = row + 0.5;
            double of_r = ((q.x - p.x) * (y - p.y) - (x - p.x) * (q.y - p.y)) / turn;
            double of_q = ((x - p.x) * (r.y - p.y) - (r.x - p.x) * (y - p.y)) / turn;
            double of_p = 1 - of_q - of_r;
            if (of_p >= 0 && of_q >= 0 && of_r >= 0) {
                draw(picture, column, row, of_p * p.z + of_q * q.z + of_r * r.z, normal);
            }
        }
    }
}

void som_text_picture_mesh(const SomMesh *mesh, int width, SomText *out) {
    Picture picture = create(som_mesh_bounds(mesh), width);
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int32_t *corner = mesh->triangles + 3 * (ptrdiff_t)i;
        draw_triangle(&picture, mesh->vertices[corner[0]], mesh->vertices[corner[1]],
                      mesh->vertices[corner[2]]);
    }
    finish(&picture, out);
}
