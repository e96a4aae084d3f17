// SPDX-License-Identifier: Apache-2.0
#include "render/base_sign.h"

#define HATCHES 8
#define MARGIN 0.25 // of the size, by which the plate is larger than the box
#define WIDTH 2.0f  // pixels

static const SomColor color = {0.2f, 0.23f, 0.28f, 1};

static void add_line(SomScene *scene, SomVec3 a, SomVec3 b) {
    som_scene_add_line(scene, a, b, WIDTH, color, SOM_LINE_THROUGH);
}

void som_scene_add_fixed_base(SomScene *scene, SomBounds box, double size) {
    double margin = MARGIN * size, z = box.low.z;
    SomVec3 low = som_vec3(box.low.x - margin, box.low.y - margin, z);
    SomVec3 high = som_vec3(box.high.x + margin, box.high.y + margin, z);
    SomVec3 corners[4] = {low, {high.x, low.y, z}, high, {low.x, high.y, z}};
    for (int i = 0; i < 4; i++) {
        add_line(scene, corners[i], corners[(i + 1) % 4]);
    }
    double width = high.x - low.x, depth = high.y - low.y, length = width + depth;
    for (int i = 1; i < HATCHES; i++) { // diagonals, from the lower and right edge to the others
        double at = length * i / HATCHES;
        SomVec3 a =
            at < width ? som_vec3(low.x + at, low.y, z) : som_vec3(high.x, low.y + at - width, z);
        SomVec3 b =
            at < depth ? som_vec3(low.x, low.y + at, z) : som_vec3(low.x + at - depth, high.y, z);
        add_line(scene, a, b);
    }
}
