// SPDX-License-Identifier: Apache-2.0

#include "compose/diff.h"

#include "base/memory.h"
#include "base/number.h"
#include "compose/identity.h"
#include "compose/name_map_internal.h"
#include "space/trigonometry.h"

#include <math.h>

// Values nearer than this are the same, in radians or metres.
#define SAME_VALUE 1e-9

typedef struct Differ {
    const SomConfiguration *a, *b;
    SomDiff *diff;
    SOM_ARRAY(SomChange) changes;
    SomText text;
} Differ;

static const SomStr nothing = {"", 0};

static void add(Differ *q, SomChangeKind kind, SomChangeSubject subject, SomStr name, SomStr before,
                SomStr after, int old_index, int new_index) {
    SomArena *arena = &q->diff->arena;
    SomChange change = {kind,
                        subject,
                        som_arena_copy(arena, name),
                        som_arena_copy(arena, before),
                        som_arena_copy(arena, after),
                        old_index,
                        new_index};
    som_array_push(&q->changes, change);
}

// Printed into the text of the differ, kept in the arena.
static SomStr keep(Differ *q) {
    SomStr kept = som_arena_copy(&q->diff->arena, som_text_str(&q->text));
    som_text_clear(&q->text);
    return kept;
}

static void print_tidy(SomText *out, double value, double unit, const char *word) {
    som_text_number(out, round(value / unit * 1e6) / 1e6);
    som_text_add(out, som_str(word));
}

// ---- parts

// Parts of `here` that are not in `there`; what lies in one of them is told with it.
static void find_missing(Differ *q, const SomConfiguration *here, const SomConfiguration *there,
                         SomChangeKind kind) {
    bool is_removed = kind == SOM_CHANGE_REMOVED;
    for (int i = 1; i < here->part_count;) {
        const SomPart *part = &here->parts[i];
        if (som_configuration_find_part(there, part->path) >= 0) {
            i++;
            continue;
        }
        add(q, kind, SOM_CHANGE_PART, part->path, is_removed ? part->config : nothing,
            is_removed ? nothing : part->config, is_removed ? i : -1, is_removed ? -1 : i);
        i = part->end_part;
    }
}

static bool is_same_kind(const SomConfiguration *a, const SomPart *x, const SomConfiguration *b,
                         const SomPart *y) {
    if ((x->order == 0) != (y->order == 0) || !som_str_equal(x->config, y->config)) {
        return false;
    }
    return x->order > 0 || som_str_equal(a->modules[x->first_module].type->name,
                                         b->modules[y->first_module].type->name);
}

static void compare_parts(Differ *q) {
    find_missing(q, q->a, q->b, SOM_CHANGE_REMOVED);
    find_missing(q, q->b, q->a, SOM_CHANGE_ADDED);
    for (int i = 1; i < q->b->part_count; i++) {
        const SomPart *now = &q->b->parts[i];
        int old = som_configuration_find_part(q->a, now->path);
        if (old >= 0 && !is_same_kind(q->a, &q->a->parts[old], q->b, now)) {
            add(q, SOM_CHANGE_CHANGED, SOM_CHANGE_PART, now->path, q->a->parts[old].config,
                now->config, old, i);
        }
    }
}

// ---- connections

static SomStr name_connection(Differ *q, const SomConfiguration *c, const SomConnection *k,
                              bool is_turned) {
    som_configuration_print_connector(c, is_turned ? k->module_b : k->module_a,
                                      is_turned ? k->connector_b : k->connector_a, &q->text);
    som_text_add(&q->text, SOM_STR(" to "));
    som_configuration_print_connector(c, is_turned ? k->module_a : k->module_b,
                                      is_turned ? k->connector_a : k->connector_b, &q->text);
    return keep(q);
}

// "at 90deg gap 10mm forced"
static SomStr describe_connection(Differ *q, const SomConnection *k) {
    if (isnan(k->roll)) {
        som_text_printf(&q->text, "as %d", k->index);
    } else {
        print_tidy(&q->text, k->roll, SOM_PI / 180, "deg");
    }
    if (k->gap > 0) {
        som_text_add(&q->text, SOM_STR(" gap "));
        print_tidy(&q->text, k->gap, 1e-3, "mm");
    }
    if (k->is_forced) {
        som_text_add(&q->text, SOM_STR(" forced"));
    }
    return keep(q);
}

static void index_connections(Differ *q, const SomConfiguration *c, SomNameMap *map) {
    for (int i = 0; i < c->connection_count; i++) {
        som_name_map_add(map, 0, name_connection(q, c, &c->connections[i], false), i);
    }
}

// The connection of the same two connectors, either way round; -1 if there is none.
static int find_connection(Differ *q, const SomConfiguration *c, const SomConnection *k,
                           const SomNameMap *map) {
    int straight = som_name_map_find(map, 0, name_connection(q, c, k, false));
    return straight >= 0 ? straight : som_name_map_find(map, 0, name_connection(q, c, k, true));
}

static void compare_connections(Differ *q) {
    SomNameMap old = {0}, new = {0};
    index_connections(q, q->a, &old);
    index_connections(q, q->b, &new);
    for (int i = 0; i < q->a->connection_count; i++) {
        const SomConnection *k = &q->a->connections[i];
        if (find_connection(q, q->a, k, &new) < 0) {
            add(q, SOM_CHANGE_REMOVED, SOM_CHANGE_CONNECTION, name_connection(q, q->a, k, false),
                describe_connection(q, k), nothing, i, -1);
        }
    }
    for (int i = 0; i < q->b->connection_count; i++) {
        const SomConnection *k = &q->b->connections[i];
        int was = find_connection(q, q->b, k, &old);
        SomStr name = name_connection(q, q->b, k, false);
        SomStr after = describe_connection(q, k);
        if (was < 0) {
            add(q, SOM_CHANGE_ADDED, SOM_CHANGE_CONNECTION, name, nothing, after, -1, i);
            continue;
        }
        SomStr before = describe_connection(q, &q->a->connections[was]);
        if (!som_str_equal(before, after)) {
            add(q, SOM_CHANGE_CHANGED, SOM_CHANGE_CONNECTION, name, before, after, was, i);
        }
    }
    som_name_map_free(&old);
    som_name_map_free(&new);
}

// ---- poses, start and base

static SomStr describe_value(Differ *q, const SomConfiguration *c, int dof, double value) {
    if (isnan(value)) {
        return SOM_STR("not set");
    }
    bool slides = som_configuration_joint(c, dof)->type == SOM_JOINT_PRISMATIC;
    print_tidy(&q->text, value, slides ? 1e-3 : SOM_PI / 180, slides ? "mm" : "deg");
    return keep(q);
}

static double value_of(const SomNamedPose *pose, int dof) {
    bool is_in = dof >= pose->first_dof && dof < pose->first_dof + pose->dof_count;
    return is_in ? pose->values[dof - pose->first_dof] : (double)NAN;
}

static bool is_same_value(double a, double b) {
    return (isnan(a) && isnan(b)) || fabs(a - b) <= SAME_VALUE;
}

// How many DoF of both designs have another value in a pose.
static int count_changed(Differ *q, const SomNamedPose *old, const SomNamedPose *new) {
    int changed = 0;
    for (int i = 0; i < new->dof_count; i++) {
        int dof = new->first_dof + i;
        int was = som_configuration_find_dof(q->a, q->b->dofs[dof].path, NULL);
        changed += was >= 0 && !is_same_value(value_of(old, was), new->values[i]);
    }
    return changed;
}

static void compare_poses(Differ *q) {
    for (int i = 0; i < q->a->pose_count; i++) {
        SomStr path = q->a->poses[i].path;
        if (som_configuration_find_pose(q->b, path) < 0) {
            add(q, SOM_CHANGE_REMOVED, SOM_CHANGE_POSE, path, nothing, nothing, i, -1);
        }
    }
    for (int i = 0; i < q->b->pose_count; i++) {
        SomStr path = q->b->poses[i].path;
        int was = som_configuration_find_pose(q->a, path);
        int changed = was < 0 ? 0 : count_changed(q, &q->a->poses[was], &q->b->poses[i]);
        if (was < 0) {
            add(q, SOM_CHANGE_ADDED, SOM_CHANGE_POSE, path, nothing, nothing, -1, i);
        } else if (changed > 0) {
            som_text_printf(&q->text, "%d value%s", changed, changed == 1 ? "" : "s");
            add(q, SOM_CHANGE_CHANGED, SOM_CHANGE_POSE, path, nothing, keep(q), was, i);
        }
    }
}

static void compare_starts(Differ *q) {
    for (int i = 0; i < q->b->dof_count; i++) {
        int was = som_configuration_find_dof(q->a, q->b->dofs[i].path, NULL);
        if (was >= 0 && !is_same_value(q->a->start[was], q->b->start[i])) {
            SomStr before = describe_value(q, q->a, was, q->a->start[was]);
            add(q, SOM_CHANGE_CHANGED, SOM_CHANGE_START, q->b->dofs[i].path, before,
                describe_value(q, q->b, i, q->b->start[i]), was, i);
        }
    }
}

// "head at (0, 0, 0.05) turned (0deg, 0deg, 90deg)"
static SomStr describe_base(Differ *q, const SomConfiguration *c, const SomBase *base) {
    const SomModule *module = &c->modules[base->module];
    SomVec3 p = base->placement.position;
    SomVec3 turn = som_rotation_log(base->placement.rotation, NULL);
    som_text_add(&q->text, module->path);
    if (base->frame >= 0) {
        som_text_printf(&q->text, " frame %.*s",
                        SOM_STR_ARG(module->type->frames[base->frame].name));
    }
    if (!base->is_on_ground || p.x != 0 || p.y != 0) {
        const double at[3] = {p.x, p.y, base->is_on_ground ? 0 : p.z};
        for (int i = 0; i < 3; i++) {
            som_text_add(&q->text, i == 0 ? SOM_STR(" at (") : SOM_STR(", "));
            print_tidy(&q->text, at[i], 1e-3, "mm");
        }
        som_text_add(&q->text, SOM_STR(")"));
    }
    som_text_add(&q->text, base->is_on_ground ? SOM_STR(" on ground") : SOM_STR(""));
    if (som_vec3_length(turn) > SAME_VALUE) {
        const double by[3] = {turn.x, turn.y, turn.z};
        for (int i = 0; i < 3; i++) {
            som_text_add(&q->text, i == 0 ? SOM_STR(" turned about (") : SOM_STR(", "));
            print_tidy(&q->text, by[i], SOM_PI / 180, "deg");
        }
        som_text_add(&q->text, SOM_STR(")"));
    }
    som_text_add(&q->text, base->is_fixed ? SOM_STR(" fixed") : SOM_STR(""));
    return keep(q);
}

// The base that was of the module's piece, -1 if the module is new.
static int base_before(const Differ *q, int module) {
    int before = som_configuration_find_module(q->a, q->b->modules[module].path);
    return before < 0 ? -1 : som_configuration_piece_of(q->a, before);
}

// Of every piece, by the module that its base is at; the first pieces of both are compared anyway.
static void compare_bases(Differ *q) {
    bool *is_compared = som_alloc(sizeof *is_compared * (size_t)q->a->base_count);
    for (int i = 0; i < q->b->base_count; i++) {
        const SomBase *base = &q->b->bases[i];
        int old = i == 0 ? 0 : base_before(q, base->module);
        SomStr after = describe_base(q, q->b, base);
        if (old < 0 || is_compared[old]) {
            add(q, SOM_CHANGE_ADDED, SOM_CHANGE_BASE, SOM_STR("base"), SOM_STR(""), after, -1,
                base->module);
            continue;
        }
        is_compared[old] = true;
        SomStr before = describe_base(q, q->a, &q->a->bases[old]);
        if (!som_str_equal(before, after)) {
            add(q, SOM_CHANGE_CHANGED, SOM_CHANGE_BASE, SOM_STR("base"), before, after,
                q->a->bases[old].module, base->module);
        }
    }
    for (int i = 0; i < q->a->base_count; i++) {
        if (!is_compared[i]) {
            add(q, SOM_CHANGE_REMOVED, SOM_CHANGE_BASE, SOM_STR("base"),
                describe_base(q, q->a, &q->a->bases[i]), SOM_STR(""), q->a->bases[i].module, -1);
        }
    }
    som_free(is_compared);
}

SomDiff *som_diff_create(const SomConfiguration *before, const SomConfiguration *after) {
    SomDiff *diff = som_alloc(sizeof *diff);
    Differ q = {.a = before, .b = after, .diff = diff};
    compare_parts(&q);
    compare_connections(&q);
    compare_poses(&q);
    compare_starts(&q);
    compare_bases(&q);
    SomChange *changes = som_arena_new(&diff->arena, SomChange, q.changes.count + 1);
    for (int i = 0; i < q.changes.count; i++) {
        changes[i] = q.changes.data[i];
    }
    diff->changes = changes;
    diff->change_count = q.changes.count;
    diff->is_same_structure = som_configuration_same_structure(before, after);
    som_array_free(&q.changes);
    som_text_free(&q.text);
    return diff;
}

void som_diff_destroy(SomDiff *diff) {
    if (diff != NULL) {
        som_arena_free(&diff->arena);
        som_free(diff);
    }
}

const char *som_change_kind_word(SomChangeKind kind) {
    switch (kind) {
    case SOM_CHANGE_ADDED:
        return "added";
    case SOM_CHANGE_REMOVED:
        return "removed";
    case SOM_CHANGE_CHANGED:
        return "changed";
    }
    return "";
}

const char *som_change_subject_word(SomChangeSubject subject) {
    switch (subject) {
    case SOM_CHANGE_PART:
        return "part";
    case SOM_CHANGE_CONNECTION:
        return "connection";
    case SOM_CHANGE_POSE:
        return "pose";
    case SOM_CHANGE_START:
        return "start";
    case SOM_CHANGE_BASE:
        return "base";
    }
    return "";
}
