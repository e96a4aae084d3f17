// SPDX-License-Identifier: Apache-2.0
// The shaders. All share the block Frame, which is SomRenderFrame in renderer_internal.h; places
// are relative to an origin near the camera's target. Colours come as on screen, are shaded in
// linear light and go out as on screen.

#include "render/renderer_internal.h"

const char som_shader_header[] =
    "#version 330 core\n"
    "layout(std140) uniform Frame {\n"
    "    mat4 view_projection;\n"
    "    mat4 shadow_matrix;\n"
    "    vec4 eye;\n"        // w: 1 if orthographic
    "    vec4 forward;\n"    // w: metres a pixel covers at depth 1, or at all if orthographic
    "    vec4 viewport;\n"   // width, height, pixels a unit of line width, shadow's texel in metres
    "    vec4 tile;\n"       // scale and offset of clip space
    "    vec4 key_light;\n"  // direction to it; w: strength of shadows
    "    vec4 fill_light;\n" // direction to it
    "    vec4 ground;\n"     // height, fine step, radius, 1 if seen from above
    "    vec4 ground_center;\n" // x, y, and where the grid's origin is
    "    vec4 background_top, background_bottom;\n"
    "    vec4 ground_paper, ground_ink;\n"
    "};\n"
    "vec3 to_linear(vec3 c) { return c * c; }\n"
    "vec3 to_screen(vec3 c) { return sqrt(max(c, vec3(0))); }\n"
    "vec3 toward_eye(vec3 p) { return eye.w > 0.5 ? -forward.xyz : normalize(eye.xyz - p); }\n"
    "float pixel_size(vec3 p) {\n"
    "    return eye.w > 0.5 ? forward.w : forward.w * max(dot(p - eye.xyz, forward.xyz), 1e-6);\n"
    "}\n"
    "vec4 place(vec4 clip) { return vec4(clip.xy * tile.xy + tile.zw * clip.w, clip.zw); }\n";

const char som_shader_instance[] =
    "layout(location = 2) in vec4 row_x;\n"
    "layout(location = 3) in vec4 row_y;\n"
    "layout(location = 4) in vec4 row_z;\n"
    "layout(location = 5) in vec4 scale;\n" // w: 1 if it casts a shadow
    "layout(location = 6) in vec4 color;\n"
    "layout(location = 7) in vec4 edge;\n"  // colour, width
    "layout(location = 8) in vec4 extra;\n" // x: opacity of edges
    "vec3 to_world(vec3 p) {\n"
    "    vec4 q = vec4(p * scale.xyz, 1);\n"
    "    return vec3(dot(row_x, q), dot(row_y, q), dot(row_z, q));\n"
    "}\n"
    "vec3 turn_normal(vec3 n) {\n"
    "    vec3 m = n / scale.xyz;\n"
    "    return normalize(vec3(dot(row_x.xyz, m), dot(row_y.xyz, m), dot(row_z.xyz, m)));\n"
    "}\n";

// Soft shadows: sixteen fixed places on a spiral, from the outside in, each of four texels by the
// hardware. Where the first four agree the others are not asked. Loops of unknown length are the
// only branches that a software driver really takes.
const char som_shader_light[] =
    "uniform sampler2DShadow shadow_map;\n"
    "float lit(vec3 p, vec3 n, bool is_asked) {\n"
    "    vec3 q = (shadow_matrix * vec4(p, 1)).xyz;\n"
    "    vec2 beyond = abs(q.xy - 0.5);\n"
    "    q.z = clamp(q.z, 0.0, 1.0);\n"
    "    int first = is_asked && key_light.w > 0.0 && max(beyond.x, beyond.y) < 0.5 ? 4 : 0;\n"
    // how the depth of the surface itself changes from place to place
    "    mat3 rows = transpose(mat3(shadow_matrix));\n"
    "    vec3 m = vec3(dot(n, rows[0]), dot(n, rows[1]), dot(n, rows[2]));\n"
    "    float least = 0.2 * length(rows[2]);\n"
    "    vec2 slope = dot(rows[2], rows[2]) / dot(rows[0], rows[0]) * m.xy / max(-m.z, least);\n"
    "    const mat2 turn = mat2(-0.737369, 0.675490, -0.675490, -0.737369);\n" // 2.399963
    "    vec2 way = vec2(2.6 / float(textureSize(shadow_map, 0).x), 0);\n"
    "    float sum = 0.0;\n"
    "    int i = 0;\n"
    "    for (; i < first; i++) {\n"
    "        vec2 aside = way * sqrt(15.5 - float(i));\n"
    "        sum += texture(shadow_map, q + vec3(aside, dot(slope, aside)));\n"
    "        way = turn * way;\n"
    "    }\n"
    "    int last = sum > 0.0 && sum < 4.0 ? 16 : first;\n"
    "    for (; i < last; i++) {\n"
    "        vec2 aside = way * sqrt(15.5 - float(i));\n"
    "        sum += texture(shadow_map, q + vec3(aside, dot(slope, aside)));\n"
    "        way = turn * way;\n"
    "    }\n"
    "    return last == 0 ? 1.0 : mix(1.0, sum / float(last), key_light.w);\n"
    "}\n";

const char som_shader_no_shadows[] = "float lit(vec3 p, vec3 n, bool is_asked) { return 1.0; }\n";

const char som_shader_solid_vertex[] =
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in vec3 normal;\n"
    "out vec3 world;\n"
    "out vec3 facing;\n"
    "flat out vec4 tone;\n"
    "void main() {\n"
    "    world = to_world(position);\n"
    "    facing = turn_normal(normal);\n"
    "    tone = vec4(to_linear(color.rgb), color.a);\n"
    "    gl_Position = place(view_projection * vec4(world, 1));\n"
    "}\n";

const char som_shader_solid_fragment[] =
    "in vec3 world;\n"
    "in vec3 facing;\n"
    "flat in vec4 tone;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "    vec3 n = normalize(gl_FrontFacing ? facing : -facing), v = toward_eye(world);\n"
    "    float slope = dot(n, key_light.xyz);\n"
    "    float key = max(slope, 0.0);\n"
    "    key *= lit(world + viewport.w * (n * (2.0 + 2.0 * (1.0 - slope))), n, key > 0.0);\n"
    "    float fill = max(0.5 + 0.5 * dot(n, fill_light.xyz), 0.0);\n"
    "    float sky = 0.5 + 0.5 * n.z;\n"
    "    vec3 half_way = normalize(key_light.xyz + v);\n"
    "    float shine = max(dot(n, half_way), 0.0);\n"
    "    shine *= shine;\n"
    "    shine *= shine;\n"
    "    shine *= shine;\n"
    "    shine *= shine;\n"
    "    shine *= 0.10 * shine * step(0.001, key);\n"
    "    vec3 light = vec3(0.80, 0.78, 0.75) * key + vec3(0.20, 0.21, 0.24) * fill\n"
    "        + mix(vec3(0.13, 0.125, 0.12), vec3(0.27, 0.28, 0.30), sky);\n"
    "    result = vec4(to_screen(tone.rgb * light + vec3(shine)), tone.a);\n"
    "}\n";

const char som_shader_shadow_vertex[] =
    "layout(location = 0) in vec3 position;\n"
    "void main() {\n"
    "    vec4 q = shadow_matrix * vec4(to_world(position), 1);\n"
    "    gl_Position = scale.w > 0.5 ? vec4(2.0 * q.xyz - 1.0, 1) : vec4(2, 2, 2, 1);\n"
    "}\n";

const char som_shader_shadow_fragment[] = "void main() {}\n";

// A segment as a quad of constant width on the screen, nearer to the eye than the surface it lies
// on by about its own width.
const char som_shader_stroke[] =
    "vec4 stroke(vec3 a, vec3 b, vec2 corner, float width) {\n"
    "    float lift = 1.5 * width + 0.5;\n"
    "    vec4 p = view_projection * vec4(a + toward_eye(a) * (lift * pixel_size(a)), 1);\n"
    "    vec4 q = view_projection * vec4(b + toward_eye(b) * (lift * pixel_size(b)), 1);\n"
    "    float least = 1e-4 * max(abs(p.w), abs(q.w));\n"
    "    if (p.w < least && q.w < least) { return vec4(2, 2, 2, 1); }\n"
    "    if (p.w < least) { p = mix(p, q, (least - p.w) / (q.w - p.w)); }\n"
    "    if (q.w < least) { q = mix(q, p, (least - q.w) / (p.w - q.w)); }\n"
    "    vec2 way = (q.xy / q.w - p.xy / p.w) * viewport.xy;\n"
    "    float size = length(way);\n"
    "    way = size > 1e-6 ? way / size : vec2(1, 0);\n"
    "    vec2 aside = vec2(-way.y, way.x) * corner.y + way * (corner.x - 0.5);\n"
    "    vec4 r = corner.x < 0.5 ? p : q;\n"
    "    return vec4(r.xy + aside * width / viewport.xy * r.w, r.zw);\n"
    "}\n";

const char som_shader_edge_vertex[] =
    "layout(location = 0) in vec3 a;\n"
    "layout(location = 1) in vec3 b;\n"
    "layout(location = 9) in vec3 normal_a;\n"
    "layout(location = 10) in vec3 normal_b;\n"
    "layout(location = 11) in vec3 corner;\n" // end, side, 1 if a crease
    "flat out vec4 tone;\n"
    "void main() {\n"
    "    vec3 p = to_world(a), q = to_world(b), v = toward_eye(p);\n"
    "    float s = dot(turn_normal(normal_a), v), t = dot(turn_normal(normal_b), v);\n"
    "    bool is_silhouette = s * t <= 0.0;\n"
    "    bool is_seen = is_silhouette || (corner.z > 0.5 && s > 0.0);\n"
    "    tone = vec4(edge.rgb, extra.x);\n"
    "    float width = edge.w * viewport.z * (is_silhouette ? 1.0 : 0.8);\n"
    "    gl_Position = is_seen && extra.x > 0.0 ? place(stroke(p, q, corner.xy, width))\n"
    "                                           : vec4(2, 2, 2, 1);\n"
    "}\n";

const char som_shader_line_vertex[] =
    "layout(location = 0) in vec4 from;\n" // w: width
    "layout(location = 1) in vec4 to;\n"   // w: 1 if seen through solids
    "layout(location = 2) in vec4 color;\n"
    "uniform float faintness;\n" // 0: what is seen; else opacity of what is hidden
    "flat out vec4 tone;\n"
    "void main() {\n"
    "    vec2 corner = vec2(gl_VertexID & 1, (gl_VertexID & 2) - 1);\n"
    "    tone = vec4(color.rgb, color.a * (faintness > 0.0 ? faintness : 1.0));\n"
    "    bool is_seen = faintness == 0.0 || to.w > 0.5;\n"
    "    gl_Position = is_seen ? place(stroke(from.xyz, to.xyz, corner, from.w * viewport.z))\n"
    "                          : vec4(2, 2, 2, 1);\n"
    "}\n";

const char som_shader_tone_fragment[] = "flat in vec4 tone;\n"
                                        "out vec4 result;\n"
                                        "void main() { result = tone; }\n";

const char som_shader_patch_vertex[] =
    "layout(location = 0) in vec4 a;\n"
    "layout(location = 1) in vec4 b;\n"
    "layout(location = 2) in vec4 c;\n"
    "layout(location = 3) in vec4 color;\n"
    "flat out vec4 tone;\n"
    "void main() {\n"
    "    tone = color;\n"
    // the fourth corner of the strip is the third again
    "    vec3 p = gl_VertexID == 0 ? a.xyz : gl_VertexID == 1 ? b.xyz : c.xyz;\n"
    "    gl_Position = place(view_projection * vec4(p, 1));\n"
    "}\n";

const char som_shader_disc_vertex[] =
    "layout(location = 0) in vec4 center;\n" // w: radius
    "layout(location = 1) in vec4 tick;\n"   // direction of length 1
    "layout(location = 2) in vec4 side;\n"   // the other direction in the plane
    "layout(location = 3) in vec4 color;\n"
    "out vec2 uv;\n"
    "flat out vec4 tone;\n"
    "void main() {\n"
    "    uv = 1.1 * vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID & 2) - 1);\n"
    "    tone = color;\n"
    "    vec3 p = center.xyz + center.w * (uv.x * side.xyz + uv.y * tick.xyz);\n"
    "    gl_Position = place(view_projection * vec4(p + toward_eye(p) * 2.0 * pixel_size(p), 1));\n"
    "}\n";

const char som_shader_disc_fragment[] =
    "in vec2 uv;\n"
    "flat in vec4 tone;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "    float r = length(uv), w = max(fwidth(r), 1e-5);\n"
    "    float width = max(0.045, 0.9 * w);\n"
    "    float ring = 1.0 - smoothstep(width - w, width + w, abs(r - 1.0 + width));\n"
    "    float tick = step(0.0, uv.y) * (1.0 - smoothstep(width, width + 2.0 * w, abs(uv.x)));\n"
    "    tick *= 1.0 - smoothstep(1.0 - w, 1.0, r);\n"
    "    float inside = 1.0 - smoothstep(1.0 - w, 1.0 + w, r);\n"
    "    float strength = max(max(ring, tick), 0.18 * inside);\n"
    "    result = vec4(tone.rgb, tone.a * strength);\n"
    "}\n";

const char som_shader_mark_vertex[] =
    "layout(location = 0) in vec4 center;\n" // w: pixels across
    "layout(location = 1) in vec4 style;\n"  // x: kind
    "layout(location = 2) in vec4 color;\n"
    "out vec2 uv;\n"
    "flat out vec4 tone;\n"
    "flat out float kind;\n"
    "void main() {\n"
    "    uv = 1.2 * vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID & 2) - 1);\n"
    "    tone = color;\n"
    "    kind = style.x;\n"
    "    vec4 p = view_projection * vec4(center.xyz, 1);\n"
    "    p.xy += uv * center.w * viewport.z / viewport.xy * p.w;\n"
    "    gl_Position = p.w > 0.0 ? place(p) : vec4(2, 2, 2, 1);\n"
    "}\n";

const char som_shader_mark_fragment[] =
    "in vec2 uv;\n"
    "flat in vec4 tone;\n"
    "flat in float kind;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "    float r = length(uv), w = fwidth(uv.x) + 1e-5;\n"
    "    float inside = 1.0 - smoothstep(1.0 - w, 1.0, r);\n"
    "    if (kind < 0.5) {\n"
    "        result = vec4(tone.rgb, tone.a * inside);\n"
    "    } else if (kind < 1.5) {\n"
    "        vec2 s = clamp(uv / w, -1.0, 1.0);\n"
    "        float quarter = 0.5 - 0.5 * s.x * s.y;\n"
    "        float rim = smoothstep(0.84 - w, 0.84, r);\n"
    "        vec3 c = mix(tone.rgb, vec3(1), quarter * (1.0 - rim));\n"
    "        result = vec4(c, tone.a * inside);\n"
    "    } else {\n"
    "        vec2 d = abs(vec2(uv.x + uv.y, uv.x - uv.y)) * 0.7071;\n"
    "        float cross_ = 1.0 - smoothstep(0.14, 0.14 + w, min(d.x, d.y));\n"
    "        result = vec4(tone.rgb, tone.a * inside * cross_);\n"
    "    }\n"
    "}\n";

const char som_shader_screen_vertex[] =
    "out vec2 uv;\n"
    "void main() {\n"
    "    vec2 p = vec2((gl_VertexID & 1) * 4 - 1, (gl_VertexID & 2) * 2 - 1);\n"
    "    uv = 0.5 + 0.5 * (p - tile.zw) / tile.xy;\n" // in the whole picture
    "    gl_Position = vec4(p, 0, 1);\n"
    "}\n";

const char som_shader_background_fragment[] =
    "in vec2 uv;\n"
    "out vec4 result;\n"
    "void main() { result = mix(background_bottom, background_top, uv.y); }\n";

const char som_shader_copy_fragment[] = "in vec2 uv;\n"
                                        "out vec4 result;\n"
                                        "uniform sampler2D picture;\n"
                                        "uniform ivec2 corner;\n"
                                        "void main() {\n"
                                        "    ivec2 here = ivec2(gl_FragCoord.xy) - corner;\n"
                                        "    result = vec4(texelFetch(picture, here, 0).rgb, 1);\n"
                                        "}\n";

const char som_shader_ground_vertex[] =
    "out vec3 world;\n"
    "void main() {\n"
    "    vec2 p = vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID & 2) - 1);\n"
    "    world = vec3(ground_center.xy + p * ground.z, ground.x);\n"
    "    gl_Position = place(view_projection * vec4(world, 1));\n"
    "}\n";

const char som_shader_ground_fragment[] =
    "in vec3 world;\n"
    "out vec4 result;\n"
    // lines where p is whole; w is how much of a step a pixel is
    "float grid(vec2 p, vec2 w, float width) {\n"
    "    vec2 d = abs(fract(p - 0.5) - 0.5) / w;\n"
    "    vec2 line = clamp(0.5 * width + 0.5 - d, 0.0, 1.0);\n"
    "    line *= clamp((0.35 - w) / 0.23, 0.0, 1.0);\n" // too dense to be told apart
    "    return max(line.x, line.y);\n"
    "}\n"
    "void main() {\n"
    "    float r = length(world.xy - ground_center.xy) / ground.z;\n"
    "    float fade = 1.0 - smoothstep(0.25, 1.0, r);\n"
    "    vec2 p = (world.xy + ground_center.zw) / ground.y;\n"
    "    vec2 w = max(fwidth(p), vec2(1e-7));\n"
    "    float fine = grid(p, w, viewport.z), coarse = grid(0.1 * p, 0.1 * w, 1.4 * viewport.z);\n"
    "    float lines = max(0.45 * fine, 0.9 * coarse);\n"
    "    vec3 paper = ground_paper.rgb, ink = ground_ink.rgb;\n"
    "    if (ground.w < 0.5) {\n" // from below, only the lines
    "        result = vec4(ink, 0.6 * lines * fade);\n"
    "        return;\n"
    "    }\n"
    "    float dark = 1.0 - lit(world, vec3(0, 0, 1), true);\n"
    "    vec3 c = mix(paper, ink, lines);\n"
    "    c = to_screen(to_linear(c) * (1.0 - 0.62 * dark));\n"
    "    result = vec4(c, max(fade, dark * smoothstep(0.0, 0.1, fade)));\n"
    "}\n";
