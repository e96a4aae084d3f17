// SPDX-License-Identifier: Apache-2.0
// Collecting: everything gets its number and path as it comes.

#include "compose/builder.h"

#include "compose/builder_internal.h"
#include "language/name.h"

#include <assert.h>
#include <stdlib.h>

// ---- parts

static SomStr print_name(SomBuilder *b, SomStr name, int index) {
    SomText text = {0};
    som_name_print(&text, name);
    if (index > 0) {
        som_text_printf(&text, "[%d]", index);
    }
    SomStr printed = som_arena_copy(&b->arena, som_text_str(&text));
    som_text_free(&text);
    return printed;
}

// "front" and "left" to "front.left".
static SomStr join(SomBuilder *b, SomStr path, SomStr name) {
    if (path.length == 0) {
        return name;
    }
    b->path_bytes += path.length + name.length;
    char *joined = som_arena_alloc(&b->arena, path.length + name.length + 2, 1);
    memcpy(joined, path.data, path.length);
    joined[path.length] = '.';
    memcpy(joined + path.length + 1, name.data, name.length);
    return (SomStr){joined, path.length + name.length + 1};
}

// A copy of a text that many parts have from one place, a comment say: one for all of them.
static SomStr share(SomBuilder *b, SomStr text) {
    int at = som_name_map_find(&b->shared_texts, (int64_t)(intptr_t)text.data, SOM_STR(""));
    if (at >= 0 && som_str_equal(b->shared_copies.data[at], text)) {
        return b->shared_copies.data[at];
    }
    SomStr copy = som_arena_copy(&b->arena, text);
    som_name_map_add(&b->shared_texts, (int64_t)(intptr_t)text.data, SOM_STR(""),
                     b->shared_copies.count);
    som_array_push(&b->shared_copies, copy);
    return copy;
}

static int add_part(SomBuilder *b, const SomPartDef *def, int parent, SomStr name, SomStr path) {
    SomPart part = {.path = path,
                    .name = name,
                    .config = share(b, def->config),
                    .doc = share(b, def->doc),
                    .parent = parent,
                    .depth = parent < 0 ? 0 : b->parts.data[parent].depth + 1,
                    .first_module = b->modules.count,
                    .first_dof = b->dofs.count,
                    .span = def->span};
    som_array_push(&b->parts, part);
    som_array_push(&b->drafts, ((SomPartDraft){-1, -1}));
    return b->parts.count - 1;
}

SomBuilder *som_builder_create(const SomPartDef *whole) {
    SomBuilder *b = som_alloc(sizeof *b);
    b->open = add_part(b, whole, -1, SOM_STR(""), SOM_STR(""));
    return b;
}

void som_builder_destroy(SomBuilder *b) {
    if (b == NULL) {
        return;
    }
    som_array_free(&b->parts);
    som_array_free(&b->drafts);
    som_array_free(&b->modules);
    som_array_free(&b->connects);
    som_array_free(&b->connect_parts);
    som_array_free(&b->connect_docks);
    som_array_free(&b->docks);
    som_array_free(&b->connections);
    som_array_free(&b->dofs);
    som_array_free(&b->poses);
    som_array_free(&b->pose_lines);
    som_array_free(&b->behaviors);
    som_array_free(&b->constants);
    som_array_free(&b->places);
    som_array_free(&b->inputs);
    som_array_free(&b->settings);
    som_array_free(&b->bases);
    som_array_free(&b->piece_bases);
    som_array_free(&b->piece_modules);
    som_array_free(&b->more_bases);
    som_reported_places_free(&b->reported);
    som_name_map_free(&b->part_names);
    som_name_map_free(&b->shared_texts);
    som_array_free(&b->shared_copies);
    som_name_map_free(&b->paths.parts);
    som_name_map_free(&b->paths.poses);
    som_name_map_free(&b->paths.behaviors);
    som_name_map_free(&b->paths.docks);
    som_name_map_free(&b->paths.constants);
    som_name_map_free(&b->paths.places);
    som_name_map_free(&b->paths.inputs);
    som_arena_free(&b->arena);
    som_free(b);
}

int som_builder_begin_part(SomBuilder *b, const SomPartDef *def) {
    assert(b->drafts.data[b->open].module < 0); // a module has no parts
    int parent = b->open;
    b->is_too_large =
        b->is_too_large || b->parts.count >= SOM_MAX_PARTS || b->path_bytes >= SOM_MAX_PATH_BYTES;
    b->is_too_deep = b->is_too_deep || b->parts.data[parent].depth + 1 >= SOM_MAX_PART_DEPTH;
    SomStr name = print_name(b, def->name, def->index);
    SomStr path = join(b, b->parts.data[parent].path, name);
    int part = add_part(b, def, parent, name, path);
    som_name_map_add(&b->part_names, parent, name, part); // of two, finish reports the second
    b->open = part;
    return part;
}

void som_builder_end_part(SomBuilder *b) {
    SomPart *part = &b->parts.data[b->open];
    assert(part->parent >= 0); // the whole stays open
    part->module_count = b->modules.count - part->first_module;
    part->dof_count = b->dofs.count - part->first_dof;
    part->end_part = b->parts.count;
    b->open = part->parent;
}

bool som_builder_is_full(const SomBuilder *b) {
    return b->parts.count >= SOM_MAX_PARTS || b->modules.count >= SOM_MAX_MODULES ||
           b->path_bytes >= SOM_MAX_PATH_BYTES ||
           b->parts.data[b->open].depth + 1 >= SOM_MAX_PART_DEPTH;
}

// ---- modules

int som_builder_set_module(SomBuilder *b, const SomModuleType *type, const SomM3l *m3l,
                           SomSpan span) {
    assert(!type->has_errors);
    assert(b->drafts.data[b->open].module < 0 && b->parts.count == b->open + 1);
    b->is_too_large = b->is_too_large || b->modules.count >= SOM_MAX_MODULES;
    SomModule module = {.path = b->parts.data[b->open].path,
                        .type = type,
                        .m3l = m3l,
                        .part = b->open,
                        .first_dof = b->dofs.count,
                        .connection = -1,
                        .span = span};
    for (int i = 0; i < type->joint_count; i++) {
        const SomModuleJoint *joint = &type->joints[i];
        if (joint->is_tree && joint->type != SOM_JOINT_FIXED) {
            SomStr name =
                som_name_is_word(joint->name) ? joint->name : print_name(b, joint->name, 0);
            SomModuleDof dof = {join(b, module.path, name), b->modules.count, i};
            som_array_push(&b->dofs, dof);
        }
    }
    module.dof_count = b->dofs.count - module.first_dof;
    b->drafts.data[b->open].module = b->modules.count;
    som_array_push(&b->modules, module);
    return b->modules.count - 1;
}

// ---- connections

static bool is_module(const SomBuilder *b, int module) {
    return 0 <= module && module < b->modules.count;
}

static void add_connect(SomBuilder *b, const SomConnectDef *def, int dock) {
    assert(is_module(b, def->module_a) && is_module(b, def->module_b));
    assert(def->connector_a < b->modules.data[def->module_a].type->connector_count);
    assert(def->connector_b < b->modules.data[def->module_b].type->connector_count);
    assert((def->connector_a >= 0 && def->connector_b >= 0) || def->index > 0);
    SomConnectDef kept = *def;
    kept.span_a = def->span_a.source1 != 0 ? def->span_a : def->span;
    kept.span_b = def->span_b.source1 != 0 ? def->span_b : def->span;
    kept.choice_span = def->choice_span.source1 != 0 ? def->choice_span : def->span;
    kept.gap_span = def->gap_span.source1 != 0 ? def->gap_span : def->span;
    som_array_push(&b->connects, kept);
    som_array_push(&b->connect_parts, b->open);
    som_array_push(&b->connect_docks, dock);
}

void som_builder_connect(SomBuilder *b, const SomConnectDef *def) {
    add_connect(b, def, -1);
}

void som_builder_add_dock(SomBuilder *b, const SomDockDef *def) {
    SomDock dock = {.part = b->open, .is_closed = def->is_closed, .span = def->connect.span};
    if (def->name.length > 0) {
        dock.name = print_name(b, def->name, def->index);
        dock.path = join(b, b->parts.data[b->open].path, dock.name);
    }
    add_connect(b, &def->connect, b->docks.count);
    som_array_push(&b->docks, dock);
}

bool som_builder_is_open(const SomBuilder *b, int connect) {
    int dock = b->connect_docks.data[connect];
    return dock >= 0 && !b->docks.data[dock].is_closed;
}

// ---- poses

int som_builder_add_pose(SomBuilder *b, SomStr name, SomStr doc, SomSpan span) {
    SomNamedPose pose = {
        .name = share(b, name), .doc = share(b, doc), .part = b->open, .span = span};
    pose.path = join(b, b->parts.data[b->open].path, print_name(b, name, 0));
    som_array_push(&b->poses, pose);
    som_name_map_add(&b->paths.poses, 0, pose.path, b->poses.count - 1);
    return b->poses.count - 1;
}

static int dof_of(const SomModule *module, int joint) {
    assert(0 <= joint && joint < module->type->joint_count);
    int dof = module->first_dof;
    for (int i = 0; i <= joint; i++) {
        const SomModuleJoint *j = &module->type->joints[i];
        bool moves = j->is_tree && j->type != SOM_JOINT_FIXED;
        if (i == joint) {
            return moves ? dof : -1;
        }
        dof += moves;
    }
    return -1;
}

void som_builder_set_value(SomBuilder *b, int pose, int module, int joint, double value,
                           SomSpan span) {
    assert(0 <= pose && pose < b->poses.count && is_module(b, module));
    assert(b->parts.data[b->poses.data[pose].part].first_module <= module);
    int dof = dof_of(&b->modules.data[module], joint);
    assert(dof >= 0); // a joint of a closed chain that follows others has no value of its own
    SomPoseLine line = {.pose = pose, .other = -1, .dof = dof, .value = value, .span = span};
    som_array_push(&b->pose_lines, line);
}

void som_builder_set_value_alias(SomBuilder *b, int alias) {
    assert(b->pose_lines.count > 0);
    b->pose_lines.data[b->pose_lines.count - 1].alias1 = (uint8_t)(alias < 255 ? alias + 1 : 0);
}

void som_builder_include_pose(SomBuilder *b, int pose, int other, SomSpan span) {
    assert(0 <= other && other < b->poses.count && 0 <= pose && pose < b->poses.count);
    assert(b->parts.data[b->poses.data[pose].part].first_module <=
           b->parts.data[b->poses.data[other].part].first_module);
    SomPoseLine line = {.pose = pose, .other = other, .span = span};
    som_array_push(&b->pose_lines, line);
}

void som_builder_set_start(SomBuilder *b, int pose) {
    assert(0 <= pose && pose < b->poses.count && b->poses.data[pose].part == b->open);
    b->drafts.data[b->open].start_pose = pose;
}

// ---- base and behaviors

void som_builder_set_base(SomBuilder *b, const SomBaseDef *def) {
    assert(is_module(b, def->module));
    assert(def->frame < b->modules.data[def->module].type->frame_count);
    if (b->open == 0) {
        som_array_push(&b->bases, *def);
    }
}

void som_builder_set_base_spot(SomBuilder *b, SomSpan spot) {
    b->base_spot = spot;
}

void som_builder_add_constant(SomBuilder *b, const SomConstant *constant) {
    SomConstant own = *constant;
    assert(b->constants.count == 0 || b->constants.data[b->constants.count - 1].part <= b->open);
    own.name = som_arena_copy(&b->arena, constant->name);
    own.part = b->open;
    som_name_map_add(&b->paths.constants, own.part, own.name, b->constants.count);
    som_array_push(&b->constants, own);
}

void som_builder_add_place(SomBuilder *b, const SomNamedPlace *place) {
    SomNamedPlace own = *place;
    own.name = som_arena_copy(&b->arena, place->name);
    own.member = som_arena_copy(&b->arena, place->member);
    own.part = b->open;
    som_name_map_add(&b->paths.places, own.part, own.name, b->places.count);
    som_array_push(&b->places, own);
}

const SomNamedPlace *som_builder_find_place(const SomBuilder *b, int part, SomStr name) {
    int at = som_name_map_find(&b->paths.places, part, name);
    return at >= 0 ? &b->places.data[at] : NULL;
}

void som_builder_add_setting(SomBuilder *b, const SomSetting *setting) {
    if (b->open == 0) {
        SomSetting own = *setting;
        own.name = som_arena_copy(&b->arena, setting->name);
        som_array_push(&b->settings, own);
    }
}

void som_builder_add_behavior(SomBuilder *b, const SomBehaviorDef *def) {
    SomBehaviorName behavior = {.name = share(b, def->name),
                                .doc = share(b, def->doc),
                                .params = share(b, def->params),
                                .part = b->open,
                                .node = def->node,
                                .file = def->file,
                                .span = def->span};
    behavior.path = join(b, b->parts.data[b->open].path, print_name(b, def->name, 0));
    som_array_push(&b->behaviors, behavior);
    som_name_map_add(&b->paths.behaviors, 0, behavior.path, b->behaviors.count - 1);
}

void som_builder_add_input(SomBuilder *b, const SomInputName *input) {
    SomInputName own = *input;
    own.name = share(b, input->name);
    own.part = b->open;
    own.path = join(b, b->parts.data[b->open].path, print_name(b, input->name, 0));
    som_array_push(&b->inputs, own);
    som_name_map_add(&b->paths.inputs, 0, own.path, b->inputs.count - 1);
}

// ---- what has been added

int som_builder_open_part(const SomBuilder *b) {
    return b->open;
}

int som_builder_find_part(const SomBuilder *b, int parent, SomStr name, int index) {
    SomText text = {0};
    som_name_print(&text, name);
    if (index > 0) {
        som_text_printf(&text, "[%d]", index);
    }
    int part = som_name_map_find(&b->part_names, parent, som_text_str(&text));
    som_text_free(&text);
    return part;
}

int som_builder_module_of(const SomBuilder *b, int part) {
    assert(0 <= part && part < b->parts.count);
    return b->drafts.data[part].module;
}

int som_builder_find_pose(const SomBuilder *b, int part, SomStr name) {
    SomText text = {0};
    som_text_add(&text, b->parts.data[part].path);
    if (text.length > 0) {
        som_text_add_char(&text, '.', 1);
    }
    som_name_print(&text, name);
    int pose = som_name_map_find(&b->paths.poses, 0, som_text_str(&text));
    som_text_free(&text);
    return pose;
}

int som_builder_module_count(const SomBuilder *b) {
    return b->modules.count;
}

const SomModuleType *som_builder_module_type(const SomBuilder *b, int module) {
    assert(is_module(b, module));
    return b->modules.data[module].type;
}

SomStr som_builder_part_path(const SomBuilder *b, int part) {
    assert(0 <= part && part < b->parts.count);
    return b->parts.data[part].path;
}

void som_builder_share_reports(SomBuilder *b, SomReportedPlaces *places) {
    b->shared = places;
}

void som_builder_share_work(SomBuilder *b, double *loop_work_left) {
    b->loop_work_left = loop_work_left;
}

bool som_builder_is_new(SomBuilder *b, SomCode code, SomSpan span) {
    b->has_failed |= som_code_severity(code) == SOM_ERROR;
    SomReportedPlaces *places = b->shared != NULL ? b->shared : &b->reported;
    return span.source1 == 0 || som_reported_places_add(places, code, span);
}
