// SPDX-License-Identifier: Apache-2.0
// From what was collected to a configuration: checks, order, the tree from the base, poses.

#include "base/classes.h"
#include "base/codes/compose_codes.h"
#include "base/name_list.h"
#include "base/number.h"
#include "compose/builder_internal.h"
#include "compose/loops.h"
#include "compose/span.h"
#include "compose/words.h"
#include "modules/joint_limit.h"
#include "space/trigonometry.h"

#include <assert.h>
#include <math.h>

// Longest lists and most reports about parts that are apart.
#define SHOWN_PARTS 6
#define SHOWN_ISLANDS 20

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

// ---- islands

// The island that all modules of a part are on; -1 if they are on several, or there are none.
static int island_of(const SomBuilder *b, const int *island, int part) {
    const SomPart *p = &b->parts.data[part];
    for (int i = 1; i < p->module_count; i++) {
        if (island[p->first_module + i] != island[p->first_module]) {
            return -1;
        }
    }
    return p->module_count > 0 ? island[p->first_module] : -1;
}

// The largest parts that are wholly on an island: "'legs[1]', 'tail' (and 3 more)". Returns how
// many; the first one goes to `first`.
static int print_island(const SomBuilder *b, const int *island_parts, int on, SomText *out,
                        int *first) {
    SomNameList list = {.out = out, .max = SHOWN_PARTS};
    *first = 0;
    for (int i = 1; i < b->parts.count;) {
        if (island_parts[i] != on) {
            i = island_parts[i] >= 0 ? b->parts.data[i].end_part : i + 1;
            continue;
        }
        *first = list.count == 0 ? i : *first;
        som_name_list_add(&list, "'%.*s'", SOM_STR_ARG(b->parts.data[i].path));
        i = b->parts.data[i].end_part;
    }
    som_name_list_end(&list);
    return list.count;
}

static void report_islands(SomBuilder *b, const int *island) {
    int *island_parts = som_alloc(sizeof *island_parts * (size_t)b->parts.count);
    for (int i = 0; i < b->parts.count; i++) {
        island_parts[i] = island_of(b, island, i);
    }
    SomText main_parts = {0}, apart = {0};
    int part = 0, looked_at = 0, reported = 0;
    print_island(b, island_parts, 0, &main_parts, &part);
    for (int i = 1; i < b->modules.count && looked_at < 10 * SHOWN_ISLANDS; i++) {
        if (island[i] != i || reported == SHOWN_ISLANDS) {
            continue;
        }
        looked_at++;
        som_text_clear(&apart);
        int count = print_island(b, island_parts, i, &apart, &part);
        SomSpan span = b->parts.data[part].span;
        if (som_builder_is_new(b, SOM_PARTS_APART, span)) {
            som_report(b->diags, SOM_PARTS_APART, span, "%s %s not connected with %s", apart.data,
                       count > 1 ? "are" : "is", main_parts.data);
            reported++;
        }
    }
    som_text_free(&main_parts);
    som_text_free(&apart);
    som_free(island_parts);
}

// Connections that were refused join, too: their mistake is said already.
static void check_islands(SomBuilder *b) {
    int *island = som_alloc(sizeof *island * (size_t)(b->modules.count + 1));
    som_classes_reset(island, b->modules.count);
    for (int i = 0; i < b->connects.count; i++) {
        if (som_builder_is_open(b, i)) {
            continue;
        }
        som_classes_join(island, b->connects.data[i].module_a, b->connects.data[i].module_b);
    }
    bool is_whole = true;
    for (int i = 0; i < b->modules.count; i++) {
        island[i] = som_classes_find(island, i);
        is_whole = is_whole && island[i] == 0;
    }
    if (!is_whole) {
        report_islands(b, island);
    }
    som_free(island);
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
    double **values = som_alloc(sizeof *values * (size_t)(b->poses.count + 1));
    uint8_t **aliases = som_alloc(sizeof *aliases * (size_t)(b->poses.count + 1));
    for (int i = 0; i < b->poses.count; i++) {
        SomNamedPose *pose = &b->poses.data[i];
        const SomPart *part = &b->parts.data[pose->part];
        pose->first_dof = part->first_dof;
        pose->dof_count = part->dof_count;
        pose->values = values[i] = som_arena_new(&b->arena, double, part->dof_count + 1);
        pose->aliases = aliases[i] = som_arena_new(&b->arena, uint8_t, part->dof_count + 1);
        for (int k = 0; k < part->dof_count; k++) {
            values[i][k] = (double)NAN;
        }
    }
    for (int i = 0; i < b->pose_lines.count; i++) {
        SomPoseLine *line = &b->pose_lines.data[i];
        const SomNamedPose *pose = &b->poses.data[line->pose];
        if (line->other < 0) {
            check_value(b, line);
            values[line->pose][line->dof - pose->first_dof] = line->value;
            aliases[line->pose][line->dof - pose->first_dof] = line->alias1;
            continue;
        }
        const SomNamedPose *other = &b->poses.data[line->other];
        for (int k = 0; k < other->dof_count; k++) {
            if (!isnan(other->values[k])) {
                values[line->pose][other->first_dof + k - pose->first_dof] = other->values[k];
                aliases[line->pose][other->first_dof + k - pose->first_dof] = other->aliases[k];
            }
        }
    }
    som_free(values);
    som_free(aliases);
}

// Parts start as they do alone, and what they are in changes it.
static double *find_start(SomBuilder *b) {
    double *start = som_arena_new(&b->arena, double, b->dofs.count + 1);
    for (int i = b->parts.count - 1; i >= 0; i--) {
        int p = b->drafts.data[i].start_pose;
        for (int k = 0; p >= 0 && k < b->poses.data[p].dof_count; k++) {
            if (!isnan(b->poses.data[p].values[k])) {
                start[b->poses.data[p].first_dof + k] = b->poses.data[p].values[k];
            }
        }
    }
    return start;
}

static void set_start_span(const SomBuilder *b, int dof, const SomPoseLine *line, SomSpan *spans,
                           int *parts) {
    int part = b->poses.data[line->pose].part;
    if (part <= parts[dof]) { // of the outermost part; parts come after those they are in
        parts[dof] = part;
        spans[dof] = line->span;
    }
}

// Where these values are written.
static SomSpan *find_start_spans(SomBuilder *b) {
    SomSpan *spans = som_arena_new(&b->arena, SomSpan, b->dofs.count + 1);
    int *parts = som_alloc(((size_t)b->dofs.count + 1) * sizeof *parts);
    for (int dof = 0; dof < b->dofs.count; dof++) {
        parts[dof] = b->parts.count;
    }
    for (int i = 0; i < b->pose_lines.count; i++) {
        const SomPoseLine *line = &b->pose_lines.data[i];
        if (b->drafts.data[b->poses.data[line->pose].part].start_pose != line->pose) {
            continue;
        }
        if (line->other < 0) {
            set_start_span(b, line->dof, line, spans, parts);
            continue;
        }
        const SomNamedPose *other = &b->poses.data[line->other];
        for (int k = 0; k < other->dof_count; k++) {
            if (!isnan(other->values[k])) {
                set_start_span(b, other->first_dof + k, line, spans, parts);
            }
        }
    }
    som_free(parts);
    return spans;
}

// ---- the base

static bool is_near(double x) {
    return fabs(x) <= FARTHEST;
}

static bool is_placeable(SomVec3 position, SomVec3 turn) {
    return is_near(position.x) && is_near(position.y) && is_near(position.z) && is_near(turn.x) &&
           is_near(turn.y) && is_near(turn.z);
}

static SomBase find_base(SomBuilder *b) {
    SomBaseDef def = {.frame = -1};
    if (b->has_base) {
        def = b->base;
    }
    if (!is_placeable(def.position, def.turn)) {
        som_report(b->diags, SOM_NOT_FINITE, def.span, "the base is out of this world");
        def.position = def.turn = som_vec3(0, 0, 0);
    }
    const SomModuleType *type = b->modules.data[def.module].type;
    SomBase base = {.module = def.module,
                    .frame = def.frame,
                    .link = def.frame < 0 ? type->root : type->frames[def.frame].link,
                    .is_on_ground = def.is_on_ground,
                    .span = def.span};
    base.placement.rotation = som_mat3_multiply(
        som_rotation_z(def.turn.z),
        som_mat3_multiply(som_rotation_y(def.turn.y), som_rotation_x(def.turn.x)));
    base.placement.position = def.is_on_ground ? som_vec3(0, 0, 0) : def.position;
    SomPose frame = def.frame < 0 ? som_pose_identity() : type->frames[def.frame].pose;
    base.link_pose = som_pose_compose(base.placement, som_pose_invert(frame));
    return base;
}

// ---- finish

static void check(SomBuilder *b) {
    check_size(b);
    check_names(b);
    som_builder_resolve_connections(b);
    check_docks(b);
    check_islands(b);
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

// Moves everything over; the builder keeps nothing it shares.
static SomConfiguration *make_configuration(SomBuilder *b) {
    SomConfiguration *c = som_alloc(sizeof *c);
    find_orders(b);
    c->base = find_base(b);
    int *tree = som_arena_new(&b->arena, int, b->modules.count);
    int pieces = som_configuration_span(b->modules.data, b->modules.count, b->connections.data,
                                        b->connections.count, c->base.module, tree);
    assert(pieces == 1); // else parts were reported to be apart
    (void)pieces;
    c->tree = tree;
    c->start = find_start(b);
    c->start_spans = find_start_spans(b);
    c->start_pose = b->drafts.data[0].start_pose;
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
        }
    }
    som_builder_destroy(b);
    return c;
}
