// SPDX-License-Identifier: Apache-2.0
// What a URDF means: groups, states, joints that follow, and pairs that need no test.

#include "base/codes/exchange_codes.h"
#include "base/memory.h"
#include "exchange/legal_names.h"
#include "exchange/urdf_internal.h"

#include <math.h>
#include <stdlib.h>

typedef struct Writer {
    SomXmlWriter xml;
    const SomUrdfDef *def;
    const SomBodyModel *model;
    const SomConfiguration *design;
    SomStr *groups; // of the parts that have one, by part; parts[0] is the whole
    SomArena arena;
} Writer;

// ---- groups

static bool has_joint(const Writer *w, const SomPart *part) {
    for (int i = part->first_dof; i < part->first_dof + part->dof_count; i++) {
        if (w->model->joint_of[i] >= 0) {
            return true;
        }
    }
    return false;
}

static void write_group(Writer *w, int index) {
    const SomPart *part = &w->design->parts[index];
    som_xml_open(&w->xml, "group");
    som_xml_string(&w->xml, "name", w->groups[index]);
    for (int i = part->first_dof; i < part->first_dof + part->dof_count; i++) {
        if (w->model->joint_of[i] >= 0) {
            som_xml_open(&w->xml, "joint");
            som_xml_string(&w->xml, "name", w->model->joints[w->model->joint_of[i]].name);
            som_xml_close(&w->xml);
        }
    }
    som_xml_close(&w->xml);
}

// Of the whole, and of each part that is directly in it.
static void write_groups(Writer *w) {
    const SomPart *parts = w->design->parts;
    int count = 1;
    for (int i = 1; i < parts[0].end_part; i = parts[i].end_part) {
        count++;
    }
    SomLegalNames names = som_legal_names_begin(&w->arena, count);
    w->groups[0] = som_legal_names_take(&names, SOM_STR("all"));
    if (has_joint(w, &parts[0])) {
        write_group(w, 0);
    }
    for (int i = 1; count > 2 && i < parts[0].end_part; i = parts[i].end_part) {
        if (has_joint(w, &parts[i])) {
            w->groups[i] = som_legal_names_take_word(&names, parts[i].path, "part");
            write_group(w, i);
        }
    }
    som_legal_names_end(&names);
}

// The smallest group with all of a part.
static int group_of(const Writer *w, int part) {
    while (part > 0 && w->groups[part].length == 0) {
        part = w->design->parts[part].parent;
    }
    return part;
}

// ---- states

static void write_state(Writer *w, SomStr name, int group, const double *values) {
    const SomPart *part = &w->design->parts[group];
    som_xml_open(&w->xml, "group_state");
    som_xml_string(&w->xml, "name", name);
    som_xml_string(&w->xml, "group", w->groups[group]);
    for (int i = part->first_dof; i < part->first_dof + part->dof_count; i++) {
        if (w->model->joint_of[i] >= 0) {
            som_xml_open(&w->xml, "joint");
            som_xml_string(&w->xml, "name", w->model->joints[w->model->joint_of[i]].name);
            som_xml_number(&w->xml, "value", values[i]);
            som_xml_close(&w->xml);
        }
    }
    som_xml_close(&w->xml);
}

// Locked joints stay where they are.
static bool can_reach(const SomBodyModel *model, const SomPosture *posture) {
    for (int i = 0; i < posture->count; i++) {
        if (model->joint_of[i] < 0 && fabs(posture->values[i] - model->start[i]) > 1e-9) {
            return false;
        }
    }
    return true;
}

static void write_states(Writer *w, SomDiagnostics *diags) {
    const SomConfiguration *c = w->design;
    SomPosture start = som_posture_zero(c);
    for (int i = 0; i < start.count; i++) {
        start.values[i] = w->model->start[i];
    }
    int count = c->pose_count < SOM_SRDF_MAX_STATES ? c->pose_count : SOM_SRDF_MAX_STATES;
    int first = -1, left_out = 0;
    SomStr *names = som_arena_new(&w->arena, SomStr, count + 1);
    SomLegalNames taken = som_legal_names_begin(&w->arena, count + 1);
    for (int i = 0; i < count; i++) { // those of the design come first: people call them by name
        names[i] = som_legal_names_take_word(&taken, c->poses[i].path, "pose");
    }
    if (has_joint(w, &c->parts[0])) {
        write_state(w, som_legal_names_take(&taken, SOM_STR("start")), 0, start.values);
    }
    for (int i = 0; i < c->pose_count; i++) {
        SomPosture posed = som_posture_copy(&start);
        som_posture_apply(&posed, c, i);
        int group = group_of(w, c->poses[i].part);
        if (i < count && can_reach(w->model, &posed) && has_joint(w, &c->parts[group])) {
            write_state(w, names[i], group, posed.values);
        } else {
            first = left_out++ == 0 ? i : first;
        }
        som_posture_free(&posed);
    }
    if (left_out > 0) {
        som_report(diags, SOM_SRDF_POSES_LEFT_OUT, c->poses[first].span,
                   "%d of %d poses %s left out of the SRDF: '%.*s'%s", left_out, c->pose_count,
                   left_out == 1 ? "is" : "are", SOM_STR_ARG(c->poses[first].path),
                   left_out == 1 ? "" : " the first");
    }
    som_legal_names_end(&taken);
    som_posture_free(&start);
}

// ---- joints

// Not where the root is the world itself.
static void write_virtual_joint(Writer *w) {
    if (som_urdf_is_in_world(w->model)) {
        return;
    }
    som_xml_open(&w->xml, "virtual_joint");
    som_xml_word(&w->xml, "name", "virtual_joint");
    som_xml_word(&w->xml, "type", "floating");
    som_xml_word(&w->xml, "parent_frame", "world");
    som_xml_string(&w->xml, "child_link", som_urdf_root(w->model));
    som_xml_close(&w->xml);
}

static void write_passive_joints(Writer *w) {
    bool *follows = som_urdf_followers(w->model);
    for (int i = 0; i < w->model->joint_count; i++) {
        if (follows[i]) {
            som_xml_open(&w->xml, "passive_joint");
            som_xml_string(&w->xml, "name", w->model->joints[i].name);
            som_xml_close(&w->xml);
        }
    }
    som_free(follows);
}

// ---- pairs

typedef enum Reason { ADJACENT, DEFAULT, NEVER } Reason;

typedef struct Pair {
    int a, b; // bodies, a < b
    Reason reason;
} Pair;

typedef SOM_ARRAY(Pair) Pairs;

static int compare_pairs(const void *a, const void *b) {
    const Pair *x = a, *y = b;
    if (x->a != y->a || x->b != y->b) {
        return x->a != y->a ? x->a - y->a : x->b - y->b;
    }
    return (int)x->reason - (int)y->reason;
}

static void add_pair(Pairs *pairs, int a, int b, Reason reason) {
    Pair pair = {a < b ? a : b, a < b ? b : a, reason};
    som_array_push(pairs, pair);
}

static void sort_pairs(Pairs *pairs) {
    if (pairs->count > 0) {
        qsort(pairs->data, (size_t)pairs->count, sizeof *pairs->data, compare_pairs);
    }
}

// Bodies never touch if no link of the one ever touches one of the other.
static void add_never(const Writer *w, Pairs *pairs) {
    const SomBodyModel *model = w->model;
    int *links = som_alloc(sizeof *links * (size_t)model->body_count); // with shapes
    for (int i = 0; i < model->mechanism->link_count; i++) {
        links[model->body_of[i]] += model->mechanism->links[i].link->part_count > 0;
    }
    Pairs apart = {0};
    for (int i = 0; i < w->def->apart_count; i++) {
        int a = model->body_of[w->def->apart[i].link_a],
            b = model->body_of[w->def->apart[i].link_b];
        if (a != b) {
            add_pair(&apart, a, b, NEVER);
        }
    }
    sort_pairs(&apart);
    for (int i = 0, end; i < apart.count; i = end) {
        int a = apart.data[i].a, b = apart.data[i].b;
        for (end = i; end < apart.count && apart.data[end].a == a && apart.data[end].b == b;) {
            end++;
        }
        if (end - i == links[a] * links[b]) {
            add_pair(pairs, a, b, NEVER);
        }
    }
    som_array_free(&apart);
    som_free(links);
}

static void write_pairs(Writer *w) {
    static const char *const reasons[] = {"Adjacent", "Default", "Never"};
    const SomBodyModel *model = w->model;
    Pairs pairs = {0};
    for (int i = 0; i < model->joint_count; i++) {
        add_pair(&pairs, model->joints[i].parent, model->joints[i].child, ADJACENT);
    }
    for (int i = 0; i < model->pair_count; i++) {
        add_pair(&pairs, model->pairs[i].a, model->pairs[i].b, DEFAULT);
    }
    add_never(w, &pairs);
    sort_pairs(&pairs);
    for (int i = 0; i < pairs.count; i++) {
        const Pair *pair = &pairs.data[i];
        bool is_new = i == 0 || pair[-1].a != pair->a || pair[-1].b != pair->b;
        if (is_new && som_urdf_is_solid(model, pair->a) && som_urdf_is_solid(model, pair->b)) {
            som_xml_open(&w->xml, "disable_collisions");
            som_xml_string(&w->xml, "link1", model->bodies[pair->a].name);
            som_xml_string(&w->xml, "link2", model->bodies[pair->b].name);
            som_xml_word(&w->xml, "reason", reasons[pair->reason]);
            som_xml_close(&w->xml);
        }
    }
    som_array_free(&pairs);
}

void som_srdf_write(const SomUrdfDef *def, SomText *out, SomDiagnostics *diags) {
    Writer w = {.xml = {.out = out},
                .def = def,
                .model = def->model,
                .design = def->model->mechanism->configuration};
    w.groups = som_arena_new(&w.arena, SomStr, w.design->part_count);
    som_xml_begin(&w.xml);
    som_xml_open(&w.xml, "robot");
    som_xml_string(&w.xml, "name", def->model->name);
    write_groups(&w);
    write_states(&w, diags);
    write_virtual_joint(&w);
    write_passive_joints(&w);
    write_pairs(&w);
    som_xml_end(&w.xml);
    som_arena_free(&w.arena);
}
