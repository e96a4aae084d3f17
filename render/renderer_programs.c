// SPDX-License-Identifier: Apache-2.0
#include "base/codes/render_codes.h"
#include "render/renderer_internal.h"

#define MOST_PIECES 5

// Pieces of source, put together in order; ended by NULL.
typedef struct Source {
    const char *pieces[MOST_PIECES];
} Source;

static GLuint compile(GLenum kind, const Source *source, SomDiagnostics *diags) {
    int count = 0;
    while (count < MOST_PIECES && source->pieces[count] != NULL) {
        count++;
    }
    GLuint shader = glCreateShader(kind);
    GLint is_fine = GL_FALSE;
    glShaderSource(shader, count, source->pieces, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &is_fine);
    if (is_fine == GL_FALSE) {
        char log[500] = "";
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        som_report(diags, SOM_PICTURE_NOT_DRAWN, (SomSpan){0}, "the GL driver refuses a shader: %s",
                   log);
    }
    return shader;
}

// 0 after a report.
static GLuint link(const Source *vertex, const Source *fragment, SomDiagnostics *diags) {
    GLuint program = glCreateProgram();
    GLuint shaders[2] = {compile(GL_VERTEX_SHADER, vertex, diags),
                         compile(GL_FRAGMENT_SHADER, fragment, diags)};
    for (int i = 0; i < 2; i++) {
        glAttachShader(program, shaders[i]);
        glDeleteShader(shaders[i]);
    }
    glLinkProgram(program);
    GLint is_fine = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &is_fine);
    if (is_fine == GL_FALSE) {
        if (som_diagnostics_error_count(diags) == 0) {
            som_report(diags, SOM_PICTURE_NOT_DRAWN, (SomSpan){0},
                       "the GL driver cannot link a shader");
        }
        glDeleteProgram(program);
        return 0;
    }
    GLuint block = glGetUniformBlockIndex(program, "Frame");
    if (block != GL_INVALID_INDEX) {
        glUniformBlockBinding(program, block, 0);
    }
    // all samplers read unit 0, which is what they start with
    return program;
}

bool som_programs_create(SomPrograms *programs, SomDiagnostics *diags) {
    const char *header = som_shader_header;
    Source screen = {{header, som_shader_screen_vertex}};
    Source nothing = {{header, som_shader_shadow_fragment}};
    Source tone = {{header, som_shader_tone_fragment}};
    Source solid = {{header, som_shader_instance, som_shader_solid_vertex}};
    Source ground = {{header, som_shader_ground_vertex}};
    const struct {
        GLuint *program;
        Source vertex, fragment;
    } all[] = {
        {&programs->solid, solid, {{header, som_shader_light, som_shader_solid_fragment}}},
        {&programs->plain_solid,
         solid,
         {{header, som_shader_no_shadows, som_shader_solid_fragment}}},
        {&programs->shadow, {{header, som_shader_instance, som_shader_shadow_vertex}}, nothing},
        {&programs->edge,
         {{header, som_shader_instance, som_shader_stroke, som_shader_edge_vertex}},
         tone},
        {&programs->patch, {{header, som_shader_patch_vertex}}, tone},
        {&programs->line, {{header, som_shader_stroke, som_shader_line_vertex}}, tone},
        {&programs->disc, {{header, som_shader_disc_vertex}}, {{header, som_shader_disc_fragment}}},
        {&programs->mark, {{header, som_shader_mark_vertex}}, {{header, som_shader_mark_fragment}}},
        {&programs->background, screen, {{header, som_shader_background_fragment}}},
        {&programs->ground, ground, {{header, som_shader_light, som_shader_ground_fragment}}},
        {&programs->plain_ground,
         ground,
         {{header, som_shader_no_shadows, som_shader_ground_fragment}}},
        {&programs->copy, screen, {{header, som_shader_copy_fragment}}},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i].program = link(&all[i].vertex, &all[i].fragment, diags);
        if (*all[i].program == 0) {
            return false;
        }
    }
    programs->line_faintness = glGetUniformLocation(programs->line, "faintness");
    programs->copy_corner = glGetUniformLocation(programs->copy, "corner");
    return true;
}

void som_programs_destroy(SomPrograms *programs) {
    const GLuint all[] = {programs->solid,  programs->plain_solid,  programs->shadow,
                          programs->edge,   programs->patch,        programs->line,
                          programs->disc,   programs->mark,         programs->background,
                          programs->ground, programs->plain_ground, programs->copy};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        glDeleteProgram(all[i]); // 0 is ignored
    }
    *programs = (SomPrograms){0};
}
