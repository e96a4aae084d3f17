// SPDX-License-Identifier: Apache-2.0
// From what was collected to a configuration: checks, order, the tree from the base, poses.

#include "base/codes/compose_codes.h"
#include "base/number.h"
#include "compose/builder_internal.h"
#include "compose/loops.h"
#include "compose/span.h"
#include "compose/words.h"
#include "modules/joint_limit.h"
#include "space/trigonometry.h"

#include <assert.h>
#include <math.h>

// No position is farther, in metres, and no angle larger, in radians.
#define FARTHEST 1e6

// ---- what is too much or has one name

// The limit that is exceeded, and of what.
static int limit_of(const SomBuilder *b, const char **what) {
    *what = b->is_too_deep                        ? "parts inside one another"
            : b->modules.count > SOM_MAX_MODULES  ? "modules"
            : b->path_bytes >= SOM_MAX_PATH_BYTES ? "bytes of paths"
                                                  : "parts";
    return b->is_too_deep                        ? SOM_MAX_PART_DEPTH
           : b->modules.count > SOM_MAX_MODULES  ? SOM_MAX_MODULES
           : b->path_bytes >= SOM_MAX_PATH_BYTES ? SOM_MAX_PATH_BYTES
                                                 : SOM_MAX_PARTS;
}

static void check_size(SomBuilder *b) {
    const SomPart *whole = &b->parts.data[0];
    if (b->is_too_large || b->is_too_deep) {
        const char *what;
        int limit = limit_of(b, &what);
        som_report(b->diags, SOM_DESIGN_TOO_LARGE, whole->span, "'%.*s' has more than %d %s",
                   SOM_STR_ARG(whole->config), limit, what);
    } else if (b->modules.count == 0) {
        som_report(b->diags, SOM_DESIGN_EMPTY, whole->span, "'%.*s' has no modules",
                   SOM_STR_ARG(whole->config));
    }
}

static void report_taken(SomBuilder *b, const char *kind, SomStr name, SomSpan span,
                         SomSpan first) {
    if (som_builder_is_new(b, SOM_NAME_TAKEN, span)) {
        som_report(b->diags, SOM_NAME_TAKEN, span, "two %s are called '%.*s'", kind,
                   SOM_STR_ARG(name));
        som_note(b->diags, first, "the first one is here");
    }
}

static void check_names(SomBuilder *b) {
    for (int i = 1; i < b->parts.count; i++) {
        const SomPart *part = &b->parts.data[i];
        int first = som_name_map_add(&b->paths.parts, 0, part->path, i);
        if (first >= 0) {
            report_taken(b, "parts", part->path, part->span, b->parts.data[first].span);
        }
    }
    for (int i = 0; i < b->poses.count; i++) {
        const SomNamedPose *pose = &b->poses.data[i];
        int first = som_name_map_find(&b->paths.poses, 0, pose->path);
        if (first != i) {
            report_taken(b, "poses", pose->path, pose->span, b->poses.data[first].span);
        }
    }
    for (int i = 0; i < b->inputs.count; i++) {
        const SomInputName *input = &b->inputs.data[i];
        int first = som_name_map_find(&b->paths.inputs, 0, input->path);
        if (first != i) {
            report_taken(b, "inputs", input->path, input->span, b->inputs.data[first].span);
        }
    }
}

// After connections are resolved: docks without a name are called by their connectors.
static void check_docks(SomBuilder *b) {
    for (int i = 0; i < b->docks.count; i++) {
        const SomDock *dock = &b->docks.data[i];
        int first =
            dock->path.length > 0 ? som_name_map_add(&b->paths.docks, 0, dock->path, i) : -1;
        if (first >= 0) {
            report_taken(b, "docks", dock->path, dock->span, b->docks.data[first].span);
        }
    }
}

// ---- orders

static void find_orders(SomBuilder *b) {
    for (int i = b->parts.count - 1; i >= 0; i--) { // parts stand behind what they are in
        SomPart *part = &b->parts.data[i];
        if (b->drafts.data[i].module < 0 && part->order == 0) {
            part->order = 1; // of nothing at all
        }
        if (part->parent >= 0) {
            SomPart *parent = &b->parts.data[part->parent];
            parent->order = parent->order > part->order ? parent->order : part->order + 1;
        }
    }
}

// ---- poses

static const SomModuleJoint *joint_of(const SomBuilder *b, int dof) {
    const SomModuleDof *d = &b->dofs.data[dof];
    return &b->modules.data[d->module].type->joints[d->joint];
}

static SomAlias alias_of(const SomModuleJoint *joint, const SomPoseLine *line) {
    return line->alias1 > 0 ? joint->aliases[line->alias1 - 1]
                            : (SomAlias){.name = joint->name, .sign = 1};
}

// As it is written.
static void print_path(const SomBuilder *b, const SomPoseLine *line, SomText *out) {
    const SomModuleDof *dof = &b->dofs.data[line->dof];
    som_words_joint_path(out, b->modules.data[dof->module].path,
                         alias_of(joint_of(b, line->dof), line).name);
}

static void check_value(SomBuilder *b, SomPoseLine *line) {
    const SomModuleJoint *joint = joint_of(b, line->dof);
    SomText path = {0};
    if (!(fabs(line->value) <= FARTHEST)) {
        if (som_builder_is_new(b, SOM_NOT_FINITE, line->span)) {
            print_path(b, line, &path);
            som_report(b->diags, SOM_NOT_FINITE, line->span, "the value of '%s' is not finite%s",
                       path.data, isfinite(line->value) ? ", or as good as that" : "");
            som_text_free(&path);
        }
        return;
    }
    SomLimitFit fit = som_limit_fit(joint->low, joint->high, line->value);
    SomCode code = fit == SOM_LIMIT_ROUNDED ? SOM_ROUNDED_TO_LIMIT : SOM_BEYOND_LIMIT;
    if (fit != SOM_LIMIT_WITHIN && som_builder_is_new(b, code, line->span)) {
        print_path(b, line, &path);
        som_words_check_limit(joint, som_text_str(&path), alias_of(joint, line), line->span,
                              &line->value, b->diags);
        som_text_free(&path);
    } else if (fit != SOM_LIMIT_BEYOND) {
        line->value = som_limit_nearest(joint->low, joint->high, line->value);
    }
}

// A pose while its lines fill it.
typedef struct PoseDraft {
    double *values;
    uint8_t *aliases;
    SomSpan *spans;
} PoseDraft;

static PoseDraft begin_pose(SomBuilder *b, SomNamedPose *pose) {
    const SomPart *part = &b->parts.data[pose->part];
    PoseDraft draft = {som_arena_new(&b->arena, double, part->dof_count + 1),
                       som_arena_new(&b->arena, uint8_t, part->dof_count + 1),
                       som_arena_new(&b->arena, SomSpan, part->dof_count + 1)};
    for (int k = 0; k < part->dof_count; k++) {
        draft.values[k] = (double)NAN;
    }
    pose->first_dof = part->first_dof;
    pose->dof_count = part->dof_count;
    pose->values = draft.values;
    pose->aliases = draft.aliases;
    pose->spans = draft.spans;
    return draft;
}

static void fill_pose(SomBuilder *b, SomPoseLine *line, const PoseDraft *draft) {
    const SomNamedPose *pose = &b->poses.data[line->pose];
    if (line->other < 0) {
        check_value(b, line);
        int at = line->dof - pose->first_dof;
        draft->values[at] = line->value;
        draft->aliases[at] = line->alias1;
        draft->spans[at] = line->span;
        return;
    }
    const SomNamedPose *other = &b->poses.data[line->other];
    for (int k = 0; k < other->dof_count; k++) {
        int at = other->first_dof + k - pose->first_dof;
        if (!isnan(other->values[k])) {
            draft->values[at] = other->values[k];
            draft->aliases[at] = other->aliases[k];
            draft->spans[at] = line->span;
        }
    }
}

// Dense values of all poses, line by line in the order they were said.
static void fill_poses(SomBuilder *b) {
    int64_t total = 0;
    for (int i = 0; i < b->poses.count; i++) {
        total += b->parts.data[b->poses.data[i].part].dof_count;
    }
    if (total > SOM_MAX_POSE_VALUES) {
        som_report(b->diags, SOM_DESIGN_TOO_LARGE, b->poses.data[b->poses.count - 1].span,
                   "all poses together have more than %d values", SOM_MAX_POSE_VALUES);
        return;
    }
    PoseDraft *drafts = som_alloc(sizeof *drafts * (size_t)(b->poses.count + 1));
    for (int i = 0; i < b->poses.count; i++) {
        drafts[i] = begin_pose(b, &b->poses.data[i]);
    }
    for (int i = 0; i < b->pose_lines.count; i++) {
        fill_pose(b, &b->pose_lines.data[i], &drafts[b->pose_lines.data[i].pose]);
    }
    som_free(drafts);
}

// Parts start as they do alone, and what they are in changes it.
static void find_start(SomBuilder *b, SomConfiguration *c) {
    double *start = som_arena_new(&b->arena, double, b->dofs.count + 1);
    SomSpan *spans = som_arena_new(&b->arena, SomSpan, b->dofs.count + 1);
    for (int i = b->parts.count - 1; i >= 0; i--) {
        int p = b->drafts.data[i].start_pose;
        for (int k = 0; p >= 0 && k < b->poses.data[p].dof_count; k++) {
            const SomNamedPose *pose = &b->poses.data[p];
            if (!isnan(pose->values[k])) {
                start[pose->first_dof + k] = pose->values[k];
                spans[pose->first_dof + k] = pose->spans[k];
            }
        }
    }
    c->start = start;
    c->start_spans = spans;
    c->start_pose = b->drafts.data[0].start_pose;
}

// ---- finish

static void check(SomBuilder *b) {
    check_size(b);
    check_names(b);
    som_builder_resolve_connections(b);
    check_docks(b);
    som_builder_find_pieces(b);
    fill_poses(b);
}

static void *keep(SomArena *arena, const void *data, int count, size_t size) {
    void *kept = som_arena_alloc(arena, (size_t)count + 1, size);
    if (count > 0) {
        memcpy(kept, data, (size_t)count * size);
    }
    return kept;
}

#define KEEP(arena, array) keep((arena), (array).data, (array).count, sizeof *(array).data)

// The pieces with their bases, and the tree of each.
static void set_pieces(SomBuilder *b, SomConfiguration *c) {
    int count = b->piece_bases.count;
    SomBase *bases = som_arena_new(&b->arena, SomBase, count);
    SomPiece *pieces = som_arena_new(&b->arena, SomPiece, count);
    int *tree = som_arena_new(&b->arena, int, b->modules.count);
    int *roots = som_alloc(sizeof *roots * (size_t)count);
    for (int i = 0; i < count; i++) {
        bases[i] = som_builder_base_of(b, i);
        roots[i] = bases[i].module;
        if (i > 0) {
            pieces[i - 1] = som_piece_of_base(bases, i);
        }
    }
    int found = som_configuration_span(b->modules.data, b->modules.count, b->connections.data,
                                       b->connections.count, &(SomRoots){roots, count}, tree);
    assert(found == count);
    (void)found;
    c->bases = bases;
    c->base_count = count;
    c->base = bases[0];
    c->pieces = pieces;
    c->piece_count = count - 1;
    c->tree = tree;
    som_free(roots);
}

// Moves everything over; the builder keeps nothing it shares.
static SomConfiguration *make_configuration(SomBuilder *b) {
    SomConfiguration *c = som_alloc(sizeof *c);
    find_orders(b);
    set_pieces(b, c);
    find_start(b, c);
    c->name = b->parts.data[0].config;
    c->doc = b->parts.data[0].doc;
    c->order = b->parts.data[0].order;
    c->part_count = b->parts.count;
    c->module_count = b->modules.count;
    c->connection_count = b->connections.count;
    c->dof_count = b->dofs.count;
    c->pose_count = b->poses.count;
    c->behavior_count = b->behaviors.count;
    SomPathIndex *index = som_arena_new(&b->arena, SomPathIndex, 1);
    *index = b->paths;
    b->paths = (SomPathIndex){0};
    c->index = index;
    c->arena = b->arena;
    b->arena = (SomArena){0};
    c->parts = KEEP(&c->arena, b->parts);
    c->modules = KEEP(&c->arena, b->modules);
    c->dofs = KEEP(&c->arena, b->dofs);
    c->connections = KEEP(&c->arena, b->connections);
    c->dock_count = b->docks.count;
    c->docks = KEEP(&c->arena, b->docks);
    c->poses = KEEP(&c->arena, b->poses);
    c->behaviors = KEEP(&c->arena, b->behaviors);
    c->constant_count = b->constants.count;
    c->constants = KEEP(&c->arena, b->constants);
    c->input_count = b->inputs.count;
    c->inputs = KEEP(&c->arena, b->inputs);
    c->place_count = b->places.count;
    c->places = KEEP(&c->arena, b->places);
    c->setting_count = b->settings.count;
    c->settings = KEEP(&c->arena, b->settings);
    som_configuration_index_docks(c);
    return c;
}

void som_builder_check(SomBuilder *b, SomDiagnostics *diags) {
    b->diags = diags;
    check_names(b);
    som_builder_resolve_connections(b);
    check_docks(b);
    som_builder_destroy(b);
}

SomConfiguration *som_builder_finish(SomBuilder *b, SomDiagnostics *diags) {
    assert(b->open == 0); // every part was ended
    SomPart *whole = &b->parts.data[0];
    whole->module_count = b->modules.count;
    whole->dof_count = b->dofs.count;
    whole->end_part = b->parts.count;
    b->diags = diags;
    int errors = som_diagnostics_error_count(diags);
    if (b->is_too_large || b->is_too_deep || b->modules.count == 0) {
        check_size(b);
    } else {
        check(b);
    }
    SomConfiguration *c = NULL;
    if (som_diagnostics_error_count(diags) == errors && !b->has_failed) {
        c = make_configuration(b);
        if (som_diagnostics_error_count(diags) > errors ||
            !som_configuration_close_loops(c, b->loop_work_left, diags)) {
            som_configuration_destroy(c);
            c = NULL;
        } else {
            som_builder_check_fixed(b, c);
        }
        if (som_diagnostics_error_count(diags) > errors) {
            som_configuration_destroy(c);
            c = NULL;
        }
    }
    som_builder_destroy(b);
    return c;
}
