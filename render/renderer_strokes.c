// SPDX-License-Identifier: Apache-2.0
// Patches, lines, discs and marks: one instance each of a quad that its shader makes from the
// number of the vertex.

#include "render/renderer_internal.h"

// Opacity of what solids hide of a line.
#define FAINT 0.3f

// Four vec4 at most; lines and marks use three.
typedef struct Stroke {
    float numbers[4][4];
} Stroke;

typedef SOM_ARRAY(Stroke) Strokes;

static void put(float out[4], SomVec3 v, double w) {
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
    out[3] = (float)w;
}

static void draw_strokes(SomRenderer *renderer, const Strokes *strokes) {
    glBindVertexArray(renderer->stroke_array);
    glBindBuffer(GL_ARRAY_BUFFER, renderer->stroke_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)strokes->count * sizeof(Stroke)),
                 strokes->data, GL_STREAM_DRAW);
    for (GLuint i = 0; i < 4; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribDivisor(i, 1);
        glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, sizeof(Stroke),
                              (const void *)(4 * sizeof(float) * i));
    }
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, strokes->count);
    renderer->counts.draw_calls++;
}

// Those in front, or those that are not.
static void draw_lines(SomRenderer *renderer, const SomRenderView *view, unsigned front,
                       Strokes *strokes) {
    strokes->count = 0;
    for (int i = 0; i < view->scene->lines.count; i++) {
        const SomSceneLine *line = &view->scene->lines.data[i];
        if ((line->flags & SOM_LINE_IN_FRONT) != front) {
            continue;
        }
        Stroke stroke;
        put(stroke.numbers[0], som_vec3_sub(line->a, view->origin), (double)line->width);
        put(stroke.numbers[1], som_vec3_sub(line->b, view->origin),
            (line->flags & SOM_LINE_THROUGH) != 0 ? 1 : 0);
        memcpy(stroke.numbers[2], &line->color, sizeof line->color);
        memset(stroke.numbers[3], 0, sizeof stroke.numbers[3]);
        som_array_push(strokes, stroke);
    }
    if (strokes->count == 0) {
        return;
    }
    glUseProgram(renderer->programs.line);
    glUniform1f(renderer->programs.line_faintness, FAINT);
    glDepthFunc(GL_GREATER);
    draw_strokes(renderer, strokes);
    glUniform1f(renderer->programs.line_faintness, 0);
    glDepthFunc(GL_LEQUAL);
    draw_strokes(renderer, strokes);
}

static void draw_discs(SomRenderer *renderer, const SomRenderView *view, Strokes *strokes) {
    strokes->count = 0;
    for (int i = 0; i < view->scene->discs.count; i++) {
        const SomSceneDisc *disc = &view->scene->discs.data[i];
        Stroke stroke;
        put(stroke.numbers[0], som_vec3_sub(disc->pose.position, view->origin), disc->radius);
        put(stroke.numbers[1], som_pose_rotate(disc->pose, som_vec3(0, 0, 1)), 0);
        put(stroke.numbers[2], som_pose_rotate(disc->pose, som_vec3(0, 1, 0)), 0);
        memcpy(stroke.numbers[3], &disc->color, sizeof disc->color);
        som_array_push(strokes, stroke);
    }
    if (strokes->count > 0) {
        glUseProgram(renderer->programs.disc);
        draw_strokes(renderer, strokes);
    }
}

static void draw_marks(SomRenderer *renderer, const SomRenderView *view, Strokes *strokes) {
    strokes->count = 0;
    for (int i = 0; i < view->scene->marks.count; i++) {
        const SomSceneMark *mark = &view->scene->marks.data[i];
        Stroke stroke = {0};
        put(stroke.numbers[0], som_vec3_sub(mark->position, view->origin), (double)mark->size);
        stroke.numbers[1][0] = (float)mark->kind;
        memcpy(stroke.numbers[2], &mark->color, sizeof mark->color);
        som_array_push(strokes, stroke);
    }
    if (strokes->count > 0) {
        glUseProgram(renderer->programs.mark);
        glDisable(GL_DEPTH_TEST);
        draw_strokes(renderer, strokes);
        glEnable(GL_DEPTH_TEST);
    }
}

void som_renderer_draw_patches(SomRenderer *renderer, const SomRenderView *view) {
    Strokes strokes = {0};
    for (int i = 0; i < view->scene->patches.count; i++) {
        const SomScenePatch *patch = &view->scene->patches.data[i];
        Stroke stroke;
        for (int k = 0; k < 3; k++) {
            put(stroke.numbers[k], som_vec3_sub(patch->corners[k], view->origin), 0);
        }
        memcpy(stroke.numbers[3], &patch->color, sizeof patch->color);
        som_array_push(&strokes, stroke);
    }
    if (strokes.count > 0) {
        glDisable(GL_CULL_FACE);
        glUseProgram(renderer->programs.patch);
        draw_strokes(renderer, &strokes);
    }
    som_array_free(&strokes);
}

void som_renderer_draw_strokes(SomRenderer *renderer, const SomRenderView *view) {
    Strokes strokes = {0};
    glDisable(GL_CULL_FACE);
    glDepthMask(GL_FALSE);
    draw_discs(renderer, view, &strokes);
    draw_lines(renderer, view, 0, &strokes);
    som_array_free(&strokes);
}

void som_renderer_draw_front_strokes(SomRenderer *renderer, const SomRenderView *view) {
    Strokes strokes = {0};
    glDisable(GL_CULL_FACE);
    glDepthMask(GL_FALSE);
    draw_lines(renderer, view, SOM_LINE_IN_FRONT, &strokes);
    draw_marks(renderer, view, &strokes);
    som_array_free(&strokes);
}
