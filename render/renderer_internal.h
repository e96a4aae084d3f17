// render/renderer_internal.h - what the files of the renderer share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/renderer.h"

#include <epoxy/gl.h>

// Sides of the shadow map and, at most, of the piece of the picture that is drawn at once: four
// samples of colour and depth for 2048 x 2048 pixels are 128 MiB.
#define SOM_SHADOW_SIZE 2048
#define SOM_TILE_SIZE 2048
#define SOM_SAMPLES 4

// Segments of a circle, by the size on the screen.
#define SOM_LEVELS 4

// The uniform block Frame of the shaders, std140.
typedef struct SomRenderFrame {
    float view_projection[16];
    float shadow_matrix[16];
    float eye[4];
    float forward[4];
    float viewport[4];
    float tile[4];
    float key_light[4];
    float fill_light[4];
    float ground[4];
    float ground_center[4];
    float background_top[4], background_bottom[4];
    float ground_paper[4], ground_ink[4];
} SomRenderFrame;

// One item on its way to the card; seven vec4 of attributes.
typedef struct SomRenderInstance {
    float rows[3][4];
    float scale[4];
    float color[4];
    float edge[4];
    float extra[4];
} SomRenderInstance;

// A tessellation on the card: solid and edges, each with a vertex array that also reads instances.
typedef struct SomGpuMesh {
    uint64_t hash;
    int level;
    bool is_solid;      // its back is never seen
    unsigned last_used; // draw
    GLuint arrays[2];
    GLuint buffers[4]; // vertices and indices of each
    GLsizei index_count[2];
} SomGpuMesh;

enum { SOM_GPU_SOLID, SOM_GPU_EDGES };

// A run of instances of one mesh.
typedef struct SomRenderBatch {
    int mesh;
    int first, count;
    bool has_edges;
} SomRenderBatch;

typedef struct SomPrograms {
    GLuint solid, shadow, edge, patch, line, disc, mark, background, ground, copy;
    GLuint plain_solid, plain_ground; // without shadows
    GLint line_faintness, copy_corner;
} SomPrograms;

struct SomRenderer {
    SomPrograms programs;
    SomRenderQuality quality;
    GLuint frame_buffer; // the uniform block
    GLuint instance_buffer, stroke_buffer;
    GLuint empty_array, stroke_array;
    GLuint shadow_map, shadow_target;
    // the tile: multisampled colour and depth, and the picture they are resolved to
    GLuint tile_target, tile_color, tile_depth, picture_target, picture;
    int tile_width, tile_height, tile_samples;
    SOM_ARRAY(SomGpuMesh) meshes;
    SOM_ARRAY(SomRenderInstance) instances; // opaque, in front, then seen through by depth
    SOM_ARRAY(SomRenderBatch) batches;
    int opaque_batches; // the first ones
    int front_batches;  // opaque ones in front of all, next
    unsigned draw;
    SomRenderFrame frame;
    SomRenderCounts counts;
};

// What all parts of one draw need.
typedef struct SomRenderView {
    const SomScene *scene;
    const SomCamera *camera;
    SomVec3 origin; // of the numbers in single precision
    SomVec3 eye;
    SomCameraAxes axes;
    int width, height;
    bool has_bounds;
    SomVec3 center; // of the scene; of an empty one, the target
    double radius;
} SomRenderView;

// renderer_programs.c: false after a report.
bool som_programs_create(SomPrograms *programs, SomDiagnostics *diags);
void som_programs_destroy(SomPrograms *programs);

// renderer_meshes.c: the mesh of a geometry at a level, made if it is not there; meshes that were
// not used for long are dropped.
int som_renderer_find_mesh(SomRenderer *renderer, const SomGeometry *geometry, int level);
void som_renderer_drop_meshes(SomRenderer *renderer, unsigned unused_for);
// Unit shapes serve all sizes: how much they are scaled for a geometry.
SomVec3 som_renderer_scale(const SomGeometry *geometry);
int som_renderer_level(double radius_in_pixels);

// renderer_batches.c: fills instances and batches of the scene, and uploads them.
void som_renderer_gather(SomRenderer *renderer, const SomRenderView *view);
void som_renderer_draw_batch(SomRenderer *renderer, const SomRenderBatch *batch, int part);

// renderer_frame.c: the uniform block of the whole picture.
void som_renderer_set_frame(SomRenderer *renderer, const SomRenderView *view);

// renderer_strokes.c: what lies on the ground; discs and lines among solids; lines in front and
// marks.
void som_renderer_draw_patches(SomRenderer *renderer, const SomRenderView *view);
void som_renderer_draw_strokes(SomRenderer *renderer, const SomRenderView *view);
void som_renderer_draw_front_strokes(SomRenderer *renderer, const SomRenderView *view);

extern const char som_shader_header[], som_shader_instance[], som_shader_light[],
    som_shader_no_shadows[], som_shader_solid_vertex[], som_shader_solid_fragment[],
    som_shader_shadow_vertex[], som_shader_shadow_fragment[], som_shader_stroke[],
    som_shader_edge_vertex[], som_shader_line_vertex[], som_shader_tone_fragment[],
    som_shader_disc_vertex[], som_shader_disc_fragment[], som_shader_patch_vertex[],
    som_shader_mark_vertex[], som_shader_mark_fragment[], som_shader_screen_vertex[],
    som_shader_background_fragment[], som_shader_copy_fragment[], som_shader_ground_vertex[],
    som_shader_ground_fragment[];
