// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any program of builder calls, edited by removing some of them, is composed or
// refused.
//
// Facts: a configuration comes exactly if no error was reported; its parts nest, its paths lead
// back to what they name, its tree reaches every module; all loops are closed as it starts; the
// linkage it is lowered to is valid and has the poses of the mechanism; a step of the solver leaves
// finite numbers.

#include "base/memory.h"
#include "compose/builder.h"
#include "compose/lower.h"
#include "compose/mechanism.h"
#include "compose/solve.h"
#include "space/trigonometry.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_OPERATIONS 96
#define MOST_MODULES 16
#define BYTES 6

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Two types with genders and rolls, one closed chain with a slider, one without faces.
static const char *const source =
    "module Hinge:\n"
    "point m: (point _1: coords=(1, 0, 1)) (point _2: coords=(1, 1, 0)) (point _3: coords=(1, 0, "
    "-1))\n"
    "    (point _4: coords=(1, -1, 0)) coords=(1, 0, 0), connector, gender=\"male\"\n"
    "point f: (point _1: coords=(-1, 0, 1)) (point _2: coords=(-1, -1, 0))\n"
    "    (point _3: coords=(-1, 0, -1)) (point _4: coords=(-1, 1, 0)) coords=(-1, 0, 0), "
    "connector,\n"
    "    gender=\"female\"\n"
    "point g: (point _1: coords=(0.5, 1, 1)) (point _2: coords=(-0.5, 1, 0))\n"
    "    (point _3: coords=(0.5, 1, -1)) (point _4: coords=(1.5, 1, 0)) coords=(0.5, 1, 0), "
    "connector,\n"
    "    gender=\"female\"\n"
    "link a: grouping=(m, g), shape=box((0.5, 0, 0), (1, 2, 2)), mass=1kg\n"
    "link b: grouping=(f), shape=box((-0.5, 0, 0), (1, 2, 2)), mass=1kg\n"
    "axis x: origin=(0, 0, 0), direction=(0, 1, 0)\naxis y: origin=(0, 0, 0), direction=(0, -1, "
    "0)\n"
    "joint j: type=revolute, value=[-2, 2], alias=((k, -1)), pair=((a, x), (b, y))\n"
    "connection Hinges: members=(Hinge p, Hinge q), conditions=((p.point c coincident q.point d)\n"
    "    and (c._1 coincident d.point) and (c._2 coincident d.point) and (c._3 coincident "
    "d.point)\n"
    "    and (c._4 coincident d.point) and (c.gender == \"male\") and (d.gender == \"female\"))\n"
    "module Bar:\n"
    "point m: (point _1: coords=(2, 0, 1)) (point _2: coords=(2, 1, 0)) (point _3: coords=(2, 0, "
    "-1))\n"
    "    (point _4: coords=(2, -1, 0)) coords=(2, 0, 0), connector, gender=\"male\"\n"
    "point bare: coords=(0, 0, 1), connector\n"
    "link ground: grouping=(bare), shape=box((0, 0, 0), (1, 1, 1)), mass=1kg\n"
    "link crank: shape=box((0, 1, 0), (0.1, 1, 0.1)), mass=1kg\n"
    "link coupler: grouping=(m), shape=box((1.5, 0, 0), (1, 2, 2)), mass=1kg\n"
    "axis a1: origin=(0, 0, 0), direction=(0, 0, 1)\naxis a2: origin=(0, 0, 0), direction=(0, 0, "
    "-1)\n"
    "axis b1: origin=(0, 1, 0), direction=(0, 0, 1)\naxis b2: origin=(0, 1, 0), direction=(0, 0, "
    "-1)\n"
    "axis c1: origin=(1, 1, 0), direction=(1, 0, 0)\naxis c2: origin=(1, 1, 0), direction=(-1, 0, "
    "0)\n"
    "joint A: type=revolute, value=[-1, 1], pair=((crank, a1), (ground, a2))\n"
    "joint B: type=revolute, value=[-1, 1], pair=((coupler, b1), (crank, b2))\n"
    "joint C: type=prismatic, value=[-1, 1], pair=((coupler, c1), (ground, c2))\n"
    "connection BarHinge: members=(Bar p, Hinge q), conditions=((p.point c coincident q.point d)\n"
    "    and (c._1 coincident d.point) and (c._2 coincident d.point) and (c._3 coincident "
    "d.point)\n"
    "    and (c._4 coincident d.point) and (c.gender == \"male\") and (d.gender == \"female\"))\n";

typedef struct Operation {
    int kind;
    uint8_t bytes[BYTES - 1];
    bool is_removed;
} Operation;

typedef struct Program {
    Operation operations[MOST_OPERATIONS];
    int count;
} Program;

static SomM3l *read_types(void) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomM3l *m3l = som_m3l_read(som_str(source), 0, diags);
    if (som_diagnostics_error_count(diags) > 0 || m3l->type_count != 2) {
        SomText text = {0};
        som_diagnostics_print(diags, 0, &text);
        fprintf(stderr, "%s", text.data);
        abort();
    }
    som_diagnostics_destroy(diags);
    return m3l;
}

// ---- running a program

typedef struct Run {
    SomBuilder *b;
    const SomM3l *m3l[2]; // the same file twice: types of two files
    int depth;
    int poses;
    int pose_parts[MOST_OPERATIONS];
    int modules;
    int module_parts[MOST_MODULES];
} Run;

static SomStr name_of(uint8_t byte) {
    static const char *const names[] = {"a",          "b",  "left.front", "s",
                                        "left wheel", "\"", "m",          "arm"};
    return som_str(names[byte % 8]);
}

static void add_module(Run *r, const uint8_t *bytes) {
    if (r->modules == MOST_MODULES) {
        return;
    }
    som_builder_begin_part(
        r->b,
        &(SomPartDef){.name = name_of(bytes[0]), .index = bytes[1] % 40, .config = SOM_STR("M")});
    const SomM3l *m3l = r->m3l[bytes[2] >= 250];
    r->module_parts[r->modules] = som_builder_open_part(r->b);
    som_builder_set_module(r->b, &m3l->types[bytes[2] % 4 == 3], m3l, (SomSpan){0});
    som_builder_end_part(r->b);
    r->modules++;
}

static int connector_of(const Run *r, int module, uint8_t byte) {
    return byte % som_builder_module_type(r->b, module)->connector_count;
}

static void connect(Run *r, const uint8_t *bytes) {
    if (r->modules == 0) {
        return;
    }
    SomConnectDef def = {.module_a = bytes[0] % r->modules, .module_b = bytes[1] % r->modules};
    def.connector_a = connector_of(r, def.module_a, bytes[2] & 15);
    def.connector_b = connector_of(r, def.module_b, bytes[2] >> 4);
    def.has_roll = bytes[3] & 1;
    def.roll = (bytes[3] >> 1 & 7) * SOM_PI / 4;
    def.gap = bytes[3] >> 4 == 3 ? -1 : bytes[3] >> 4 == 2 ? 0.1 : 0;
    def.is_forced = bytes[4] & 1;
    if (bytes[4] >> 1 > 100) {
        def.index = 1 + (bytes[4] & 15);
        def.connector_a = bytes[4] & 16 ? -1 : def.connector_a;
        def.connector_b = bytes[4] & 32 ? -1 : def.connector_b;
    }
    som_builder_connect(r->b, &def);
}

static bool is_in(const Run *r, int part) {
    int open = som_builder_open_part(r->b);
    return part >= open; // parts after the open one lie in it
}

static void set_value(Run *r, const uint8_t *bytes) {
    if (r->poses == 0 || r->modules == 0) {
        return;
    }
    int pose = bytes[0] % r->poses, module = bytes[1] % r->modules;
    const SomModuleType *type = som_builder_module_type(r->b, module);
    int joint = bytes[2] % type->joint_count;
    bool moves = type->joints[joint].is_tree && type->joints[joint].type != SOM_JOINT_FIXED;
    if (moves && r->pose_parts[pose] == som_builder_open_part(r->b) &&
        is_in(r, r->module_parts[module])) {
        double value = bytes[3] == 255 ? (double)NAN : (bytes[3] - 127) / 64.0;
        som_builder_set_value(r->b, pose, module, joint, value, (SomSpan){0});
    }
}

static void change_poses(Run *r, const uint8_t *bytes) {
    int open = som_builder_open_part(r->b);
    if (r->poses > 0 && bytes[0] % 4 > 0) {
        int pose = bytes[1] % r->poses, other = bytes[2] % r->poses;
        bool is_own = r->pose_parts[pose] == open;
        if (is_own && bytes[0] % 4 == 1) {
            som_builder_set_start(r->b, pose);
        } else if (is_own && bytes[0] % 4 == 2 && is_in(r, r->pose_parts[other])) {
            som_builder_include_pose(r->b, pose, other, (SomSpan){0});
        }
        return;
    }
    r->pose_parts[r->poses++] = open;
    som_builder_add_pose(r->b, name_of(bytes[1]), SOM_STR(""), (SomSpan){0});
}

static void run_operation(Run *r, const Operation *o) {
    const uint8_t *bytes = o->bytes;
    switch (o->kind) {
    case 0:
        if (r->depth < 6) {
            som_builder_begin_part(r->b, &(SomPartDef){.name = name_of(bytes[0]),
                                                       .index = bytes[1] % 8,
                                                       .config = SOM_STR("P")});
            r->depth++;
        }
        break;
    case 1:
        if (r->depth > 0) {
            som_builder_end_part(r->b);
            r->depth--;
        }
        break;
    case 2:
    case 3:
        add_module(r, bytes);
        break;
    case 4:
        set_value(r, bytes);
        break;
    case 5:
        change_poses(r, bytes);
        break;
    case 6:
        if (r->modules > 0) {
            som_builder_set_base(
                r->b, &(SomBaseDef){.module = bytes[0] % r->modules,
                                    .frame = -1,
                                    .is_on_ground = bytes[1] & 1,
                                    .is_fixed = bytes[1] & 2,
                                    .position = {bytes[2], bytes[3], bytes[1] & 1 ? 0 : 1},
                                    .turn = {bytes[4], 0.5, 0}});
        }
        break;
    case 7:
        som_builder_add_behavior(r->b, &(SomBehaviorDef){.name = name_of(bytes[0])});
        break;
    default:
        connect(r, bytes);
    }
}

static SomConfiguration *run_program(const Program *program, const SomM3l *m3l, const SomM3l *other,
                                     SomDiagnostics *diags) {
    Run r = {.m3l = {m3l, other}};
    r.b = som_builder_create(&(SomPartDef){.config = SOM_STR("Fuzz")});
    for (int i = 0; i < program->count; i++) {
        if (!program->operations[i].is_removed) {
            run_operation(&r, &program->operations[i]);
        }
    }
    for (; r.depth > 0; r.depth--) {
        som_builder_end_part(r.b);
    }
    return som_builder_finish(r.b, diags);
}

// ---- facts

static void check(bool fact) {
    if (!fact) {
        abort();
    }
}

// Every module is of one piece, whose base is a root of the tree.
static void check_pieces(const SomConfiguration *c) {
    int roots = 0;
    check(c->base_count == c->piece_count + 1 && c->base.module == c->bases[0].module);
    for (int i = 0; i < c->module_count; i++) {
        int piece = som_configuration_piece_of(c, c->tree[i]);
        roots += c->modules[c->tree[i]].connection < 0;
        check(piece == roots - 1);
    }
    check(roots == c->base_count);
    for (int i = 0; i < c->base_count; i++) {
        check(c->modules[c->bases[i].module].connection < 0);
        check(i == 0 || (c->pieces[i - 1].module == c->bases[i].module &&
                         c->pieces[i - 1].is_fixed == c->bases[i].is_fixed));
    }
}

static void check_parts(const SomConfiguration *c) {
    for (int i = 0; i < c->part_count; i++) {
        const SomPart *p = &c->parts[i];
        check(som_configuration_find_part(c, p->path) == i);
        check(p->end_part > i && p->end_part <= c->part_count);
        check(p->first_module + p->module_count <= c->module_count);
        if (i > 0) {
            const SomPart *parent = &c->parts[p->parent];
            check(p->parent < i && p->end_part <= parent->end_part && p->order < parent->order);
            check(p->first_module >= parent->first_module &&
                  p->first_dof + p->dof_count <= parent->first_dof + parent->dof_count);
        }
    }
    for (int i = 0; i < c->dof_count; i++) {
        check(som_configuration_find_dof(c, c->dofs[i].path, NULL) == i);
    }
    for (int i = 0; i < c->pose_count; i++) {
        check(som_configuration_find_pose(c, c->poses[i].path) == i);
    }
    for (int i = 0; i < c->module_count; i++) {
        check(som_configuration_find_module(c, c->modules[i].path) == i);
    }
    check_pieces(c);
}

static bool is_finite_pose(SomPose pose) {
    double sum = pose.position.x + pose.position.y + pose.position.z;
    for (int i = 0; i < 9; i++) {
        sum += (&pose.rotation.m[0][0])[i];
    }
    return isfinite(sum);
}

static void check_geometry(const SomConfiguration *c, SomDiagnostics *diags) {
    SomMechanism *m = som_mechanism_create(c);
    SomPose *links = som_alloc(sizeof *links * (size_t)m->link_count);
    SomPosture posture = som_posture_start(c);
    som_mechanism_place(m, &posture, links);
    for (int i = 0; i < m->closure_count; i++) {
        SomGap gap = som_mechanism_gap(m, links, i);
        check(gap.metres <= 1e-6 && gap.radians <= 1e-6);
    }
    SomLowering map = {0};
    SomLinkage *linkage = som_lower(c, &posture, &map, diags);
    SomText why = {0};
    check(linkage != NULL && som_linkage_validate(linkage, &why));
    for (int i = 0; i < m->link_count; i++) {
        check(is_finite_pose(links[i]));
        check(som_pose_distance(links[i], som_linkage_pose(linkage, map.links[i])) < 1e-7);
    }
    check(isfinite(som_mechanism_com(m, links).z));
    check(som_mechanism_bounds(m, links).low.z <= som_mechanism_bounds(m, links).high.z);
    som_linkage_destroy(linkage);
    som_lowering_free(&map);
    som_posture_free(&posture);
    som_free(links);
    som_mechanism_destroy(m);
}

static void check_solver(const SomConfiguration *c, SomDiagnostics *diags) {
    SomWishValue value = {.time = (double)NAN, .values = {0.5, 0.5, 0.5}};
    SomWish wish = {.level = SOM_LEVEL_TARGET, .values = &value, .value_count = 1};
    SomText path = {0};
    som_text_add(&path, c->modules[c->module_count - 1].path);
    som_text_add(&path, path.length > 0 ? SOM_STR(".position") : SOM_STR("position"));
    check(som_subject_find(c, som_text_str(&path), &wish.subject, diags));
    SomSolveResult result = {0};
    SomSolveDef def = {.wishes = &wish, .wish_count = 1, .most_steps = 1};
    check(som_solve(c, &def, &result, diags));
    for (int i = 0; i < c->dof_count; i++) {
        check(isfinite(result.posture.values[i]));
    }
    som_solve_result_free(&result);
    som_text_free(&path);
}

static bool try_program(const Program *program, const SomM3l *m3l, const SomM3l *other) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomConfiguration *c = run_program(program, m3l, other, diags);
    check((c == NULL) == (som_diagnostics_error_count(diags) > 0));
    if (c != NULL) {
        check_parts(c);
        check_geometry(c, diags);
        check_solver(c, diags);
    }
    bool is_good = c != NULL;
    som_configuration_destroy(c);
    som_diagnostics_destroy(diags);
    return is_good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static SomM3l *m3l, *other; // read once
    if (m3l == NULL) {
        m3l = read_types();
        other = read_types();
    }
    Program program = {.count = 0};
    for (size_t at = 0; at + BYTES <= size && program.count < MOST_OPERATIONS; at += BYTES) {
        Operation *o = &program.operations[program.count++];
        o->kind = data[at] % 12;
        memcpy(o->bytes, data + at + 1, sizeof o->bytes);
    }
    try_program(&program, m3l, other);
    // edits: some calls are taken back
    for (int i = 0; i < program.count; i++) {
        program.operations[i].is_removed = program.operations[i].bytes[4] >= 128;
    }
    try_program(&program, m3l, other);
    return 0;
}
