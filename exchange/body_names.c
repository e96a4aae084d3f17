// SPDX-License-Identifier: Apache-2.0
// Names that every simulator takes, each once, from the paths of the design.

#include "base/number.h"
#include "exchange/body_model_internal.h"

#include <stdint.h>

typedef struct Taken {
    SomStr name; // empty: free
    int next;    // to be tried for the next of this name
} Taken;

// A hash table of names; never more than half full.
typedef struct Names {
    SomArena *arena;
    Taken *slots;
    uint32_t mask;
} Names;

static Names begin_names(SomArena *arena, int count) {
    uint32_t size = 16;
    while (size < 4 * (uint32_t)(count + 1)) {
        size *= 2;
    }
    return (Names){arena, som_alloc(sizeof(Taken) * size), size - 1};
}

static Taken *find_slot(const Names *names, SomStr name) {
    uint32_t hash = 2166136261u; // FNV-1a
    for (size_t i = 0; i < name.length; i++) {
        hash = (hash ^ (unsigned char)name.data[i]) * 16777619u;
    }
    uint32_t at = hash & names->mask;
    while (names->slots[at].name.length > 0 && !som_str_equal(names->slots[at].name, name)) {
        at = (at + 1) & names->mask;
    }
    return &names->slots[at];
}

static SomStr take(Names *names, SomStr wanted) {
    Taken *slot = find_slot(names, wanted);
    if (slot->name.length == 0) {
        *slot = (Taken){som_arena_copy(names->arena, wanted), 2};
        return slot->name;
    }
    SomText text = {0};
    Taken *other;
    do {
        som_text_clear(&text);
        som_text_printf(&text, "%.*s_%d", SOM_STR_ARG(wanted), slot->next++);
        other = find_slot(names, som_text_str(&text));
    } while (other->name.length > 0);
    *other = (Taken){som_arena_copy(names->arena, som_text_str(&text)), 2};
    som_text_free(&text);
    return other->name;
}

SomStr som_body_word(SomText *out, SomStr path, const char *otherwise) {
    bool is_apart = false;
    som_text_clear(out);
    for (size_t i = 0; i < path.length; i++) {
        char c = path.data[i];
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (is_plain && is_apart && out->length > 0) {
            som_text_add_char(out, '_', 1);
        }
        if (is_plain) {
            som_text_add_char(out, c, 1);
        }
        is_apart = !is_plain;
    }
    if (out->length == 0) {
        som_text_add(out, som_str(otherwise));
    }
    return som_text_str(out);
}

void som_body_maker_add_names(SomBodyMaker *q) {
    SomBodyModel *model = q->model;
    SomBody *bodies = (SomBody *)model->bodies;
    SomBodyJoint *joints = (SomBodyJoint *)model->joints;
    SomBodyShape *shapes = (SomBodyShape *)model->shapes;
    SomText text = {0};
    Names names = begin_names(&model->arena, model->body_count + model->joint_count + 1);
    take(&names, SOM_STR("world"));
    take(&names, SOM_STR("ground"));
    model->name = take(&names, som_body_word(&text, q->m->configuration->name, "robot"));
    // joints first: people call them by name
    for (int i = 0; i < model->joint_count; i++) {
        joints[i].name = take(&names, som_body_word(&text, joints[i].path, "joint"));
    }
    for (int i = 0; i < model->body_count; i++) {
        bodies[i].name = take(&names, som_body_word(&text, bodies[i].path, "body"));
    }
    som_free(names.slots);
    names = begin_names(&model->arena, model->shape_count);
    take(&names, SOM_STR("ground"));
    for (int i = 0; i < model->shape_count; i++) {
        shapes[i].name =
            take(&names, som_body_word(&text, q->m->links[shapes[i].link].path, "shape"));
    }
    som_free(names.slots);
    som_text_free(&text);
}

// ---- the table

static void print_row(SomText *out, const char *kind, SomStr name, SomStr path) {
    bool is_plain = true;
    for (size_t i = 0; i < path.length; i++) {
        is_plain &= path.data[i] != ',' && path.data[i] != '"';
    }
    som_text_printf(out, "%s,%.*s,", kind, SOM_STR_ARG(name));
    som_text_add_char(out, '"', !is_plain);
    for (size_t i = 0; i < path.length; i++) {
        som_text_add_char(out, path.data[i], path.data[i] == '"' ? 2 : 1);
    }
    som_text_add_char(out, '"', !is_plain);
    som_text_add_char(out, '\n', 1);
}

void som_body_model_print_names(const SomBodyModel *model, SomText *out) {
    const SomMechanism *m = model->mechanism;
    som_text_add(out, SOM_STR("kind,name,path\n"));
    for (int i = 0; i < m->link_count; i++) {
        print_row(out, "body", model->bodies[model->body_of[i]].name, m->links[i].path);
    }
    for (int i = 0; i < m->dof_count; i++) {
        char value[SOM_NUMBER_TEXT];
        bool is_locked = model->joint_of[i] < 0;
        som_number_print(model->start[i], value);
        print_row(out, is_locked ? "locked" : "joint",
                  is_locked ? som_str(value) : model->joints[model->joint_of[i]].name,
                  m->configuration->dofs[i].path);
    }
    for (int i = 0; i < model->weld_count; i++) {
        print_row(out, "weld", model->welds[i].name, model->welds[i].path);
    }
}
