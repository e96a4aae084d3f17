// render/scene.h - what is to be seen: solids, lines, discs and marks, as plain data without GL.
//
//     SomScene scene = {0};
//     SomLook look = {.color = {0.8f, 0.4f, 0.1f, 1}, .owner = module};
//     som_scene_add_shape(&scene, &shape, pose, &look);
//     som_scene_add_axis(&scene, joint_frame, 0.08, som_color(0.8f, 0.1f, 0.1f));
//     som_scene_set_ground(&scene, 0);
//     SomBounds bounds;
//     bool is_empty = !som_scene_bounds(&scene, &bounds);
//     som_scene_free(&scene);
//
// Geometries (shapes and meshes) are kept once however often they are used, so a robot of 2,000
// modules has a few geometries and many items. som_scene_clear drops what is placed and keeps the
// geometries, for a scene that is filled anew for every frame. Ownership: a scene owns copies of
// all it is given. What is placed at numbers that are not finite, or farther out than
// SOM_SCENE_MAX_COORDINATE, cannot be drawn: it is left out and counted in `skipped`.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "space/mesh.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Metres; beyond, pictures would suffer from single precision and mean nothing.
#define SOM_SCENE_MAX_COORDINATE 1e7

// As on screen (sRGB), each 0 to 1.
typedef struct SomColor {
    float r, g, b, a;
} SomColor;

static inline SomColor som_color(float r, float g, float b) {
    SomColor color = {r, g, b, 1};
    return color;
}

// Pleasant colours that can be told apart, for parts without one of their own; any index.
SomColor som_color_of_index(int index);

typedef enum SomLookFlags {
    SOM_LOOK_SELECTED = 1,    // thick outline and tint in orange
    SOM_LOOK_HIGHLIGHTED = 2, // the same in blue: under the pointer, or searched for
    SOM_LOOK_ALARMED = 4,     // the same in red: part of a collision
    SOM_LOOK_GHOST = 8,       // seen through: where a thing could be
    SOM_LOOK_NO_SHADOW = 16,
    SOM_LOOK_NO_EDGES = 32,
    SOM_LOOK_RELATED = 128, // thick outline in orange alone: of the part that is selected
    SOM_LOOK_IN_FRONT = 64, // before all that is not, such as signs of joints inside of bodies
} SomLookFlags;

// Zero is a grey thing that belongs to nobody.
typedef struct SomLook {
    SomColor color; // all 0 means grey; opacity below 1 is seen through
    uint32_t owner; // any number by which a pick is understood, such as 1 + a module's index
    unsigned flags; // of SomLookFlags
} SomLook;

// A convex shape, or a mesh if its triangle_count is not 0. A hull is kept as a mesh too.
typedef struct SomGeometry {
    SomShape shape;
    SomMesh mesh;
    SomBounds bounds;
    bool is_solid; // not a mesh, which may be open or inside out
    uint64_t hash; // of its content: the renderer's key
} SomGeometry;

typedef struct SomSceneItem {
    int geometry;
    SomPose pose;
    SomLook look;
} SomSceneItem;

typedef enum SomLineFlags {
    SOM_LINE_THROUGH = 1,  // what solids hide of it is seen faintly
    SOM_LINE_IN_FRONT = 2, // only what is in front itself hides it
} SomLineFlags;

typedef struct SomSceneLine {
    SomVec3 a, b;
    float width; // pixels of a picture 800 high; see render/renderer.h
    SomColor color;
    unsigned flags;
} SomSceneLine;

// A ring on a surface whose tick shows a direction in it: a connector and where its roll is zero.
typedef struct SomSceneDisc {
    SomPose pose; // x points out, the tick to z, as in frames of connectors
    double radius;
    SomColor color;
    uint32_t owner;
} SomSceneDisc;

// A triangle that lies on the ground, seen through: part of a support polygon.
typedef struct SomScenePatch {
    SomVec3 corners[3];
    SomColor color;
} SomScenePatch;

typedef enum SomMarkKind {
    SOM_MARK_DOT,
    SOM_MARK_CENTER_OF_MASS, // quartered black and white
    SOM_MARK_CROSS,
} SomMarkKind;

// Always in front, always of one size on the screen.
typedef struct SomSceneMark {
    SomMarkKind kind;
    SomVec3 position;
    float size; // pixels across
    SomColor color;
} SomSceneMark;

typedef struct SomGround {
    bool is_shown;
    double height;
    double step; // of the fine grid in metres, the coarse one has ten; 0 chooses by the scene
} SomGround;

// Zero is empty, without ground, before a light background.
typedef struct SomScene {
    SOM_ARRAY(SomGeometry) geometries;
    SOM_ARRAY(SomSceneItem) items;
    SOM_ARRAY(SomScenePatch) patches;
    SOM_ARRAY(SomSceneLine) lines;
    SOM_ARRAY(SomSceneDisc) discs;
    SOM_ARRAY(SomSceneMark) marks;
    SomGround ground;
    bool is_dark;           // ground and background are, and signs on them are light
    SomColor background[2]; // top and bottom; all 0 means our own
    float veil;             // from 0 to 1: how far all that is not in front fades
    int skipped;            // things that could not be placed
    SOM_ARRAY(int) table;   // geometry by hash, 1 + index; of the scene's own
} SomScene;

// Keeps geometries, ground, background and darkness.
void som_scene_clear(SomScene *scene);
void som_scene_free(SomScene *scene); // leaves it empty

// Adds a shape, a compound as one item a part. False if it was skipped.
bool som_scene_add_shape(SomScene *scene, const SomShape *shape, SomPose pose, const SomLook *look);

// The geometry of a convex shape, for items that are placed again and again.
int som_scene_add_solid(SomScene *scene, const SomShape *shape);

// A mesh is added in two steps, so that it is copied and hashed once: its geometry, -1 if it is
// empty, and then an item wherever it is seen.
int som_scene_add_mesh(SomScene *scene, const SomMesh *mesh);
bool som_scene_add_item(SomScene *scene, int geometry, SomPose pose, const SomLook *look);

// A convex polygon, its corners in order; false if it was skipped or has no area.
bool som_scene_add_patch(SomScene *scene, const SomVec3 *corners, int count, SomColor color);
bool som_scene_add_line(SomScene *scene, SomVec3 a, SomVec3 b, float width, SomColor color,
                        unsigned flags);
// From a to b with a head at b that is part of the length.
bool som_scene_add_arrow(SomScene *scene, SomVec3 a, SomVec3 b, float width, SomColor color,
                         unsigned flags);
// A joint's axis: along z of the frame, both ways, with a head at the positive end.
bool som_scene_add_axis(SomScene *scene, SomPose frame, double length, SomColor color);
// A coordinate frame: arrows along x, y, z in red, green, blue.
bool som_scene_add_frame(SomScene *scene, SomPose frame, double length);
// A connector: disc, tick towards z and a short arrow along x, out of the surface.
bool som_scene_add_connector(SomScene *scene, SomPose frame, double radius, SomColor color,
                             uint32_t owner);
bool som_scene_add_mark(SomScene *scene, SomMarkKind kind, SomVec3 position, float size,
                        SomColor color);
// The mark, and if there is ground, a line down to it with a cross where it hits.
bool som_scene_add_center_of_mass(SomScene *scene, SomVec3 position);

void som_scene_set_ground(SomScene *scene, double height);

// The box round all items and discs; false if there are none.
bool som_scene_bounds(const SomScene *scene, SomBounds *bounds);

// The corners of the boxes round all items, eight each, to frame a camera by: tighter than the
// corners of the one box. Returns how many there are and writes at most `max`.
int som_scene_corners(const SomScene *scene, SomVec3 *corners, int max);

// The step of the fine grid: the ground's own, or a power of ten that suits the bounds.
double som_scene_grid_step(const SomScene *scene);

// The item that a ray hits first, -1 for none; its distance in lengths of the direction.
int som_scene_pick(const SomScene *scene, SomVec3 origin, SomVec3 direction, double *distance);
// The same among the items from `first` to before `last`.
int som_scene_pick_among(const SomScene *scene, int first, int last, SomVec3 origin,
                         SomVec3 direction, double *distance);

// The colour of signs that stand on the ground: nearly black, or light in the dark.
SomColor som_scene_ink(const SomScene *scene);

#ifdef __cplusplus
}
#endif
