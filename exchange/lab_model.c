// SPDX-License-Identifier: Apache-2.0

#include "exchange/lab_model.h"

#include "base/classes.h"
#include "base/codes/exchange_codes.h"
#include "base/name_list.h"

#include <math.h>
#include <stdlib.h>

const char *const som_lab_faces[4] = {"T", "L", "R", "B"};
const char *const som_lab_joints[4] = {"front", "left", "right", "bend"};
const char *const som_vsparc_joints[4] = {"pan", "left", "right", "tilt"};
const double som_vsparc_signs[4] = {-1, 1, 1, -1};

void som_lab_free(SomLabModel *model) {
    som_array_free(&model->modules);
    som_array_free(&model->connections);
    som_array_free(&model->by_name);
}

void som_lab_split(SomStr whole, SomStr *group, SomStr *name) {
    const char *colon = whole.length > 0 ? memchr(whole.data, ':', whole.length) : NULL;
    size_t at = colon != NULL ? (size_t)(colon - whole.data) : 0;
    *group = (SomStr){"", 0};
    *name = whole;
    if (at > 0 && at + 1 < whole.length) {
        *group = som_str_slice(whole, 0, at);
        *name = som_str_slice(whole, at + 1, whole.length);
    }
}

SomStr som_lab_shown(const SomLabModule *module, SomArena *arena) {
    if (module->group.length == 0) {
        return module->name;
    }
    SomText text = {0};
    som_text_add(&text, module->group);
    som_text_add(&text, SOM_STR("."));
    som_text_add(&text, module->name);
    SomStr shown = som_arena_copy(arena, som_text_str(&text));
    som_text_free(&text);
    return shown;
}

static int compare_names(SomStr group_a, SomStr name_a, SomStr group_b, SomStr name_b) {
    int order = som_str_compare(group_a, group_b);
    return order != 0 ? order : som_str_compare(name_a, name_b);
}

typedef struct Key {
    SomStr group, name;
    int module;
} Key;

static int compare_keys(const void *left, const void *right) {
    const Key *a = left, *b = right;
    int order = compare_names(a->group, a->name, b->group, b->name);
    return order != 0 ? order : (a->module > b->module) - (a->module < b->module);
}

// A module that is called like a group would have the group's path.
static bool check_group(const SomLabModel *model, const SomLabModule *module,
                        SomDiagnostics *diags) {
    int other = module->group.length > 0 ? som_lab_find(model, (SomStr){"", 0}, module->group) : -1;
    if (other >= 0) {
        som_report(diags, SOM_IMPORT_NAME_TAKEN, module->span,
                   "'%.*s' is a module and cannot have modules in it", SOM_STR_ARG(module->group));
        som_note(diags, model->modules.data[other].span, "it is defined here");
    }
    return other < 0;
}

bool som_lab_index(SomLabModel *model, SomArena *arena, SomDiagnostics *diags) {
    int count = model->modules.count;
    Key *keys = som_realloc(NULL, (size_t)count + 1, sizeof *keys);
    for (int i = 0; i < count; i++) {
        keys[i] = (Key){model->modules.data[i].group, model->modules.data[i].name, i};
    }
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    bool fine = true;
    for (int i = 0; i < count; i++) {
        som_array_push(&model->by_name, keys[i].module);
        if (i > 0 &&
            compare_names(keys[i].group, keys[i].name, keys[i - 1].group, keys[i - 1].name) == 0) {
            const SomLabModule *module = &model->modules.data[keys[i].module];
            som_report(diags, SOM_IMPORT_NAME_TAKEN, module->span, "there are two modules '%.*s'",
                       SOM_STR_ARG(som_lab_shown(module, arena)));
            som_note(diags, model->modules.data[keys[i - 1].module].span, "the other one");
            fine = false;
        }
    }
    som_free(keys);
    for (int i = 0; i < count; i++) {
        fine = check_group(model, &model->modules.data[i], diags) && fine;
    }
    return fine;
}

static int find(const SomLabModel *model, SomStr group, SomStr name) {
    int low = 0, high = model->by_name.count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const SomLabModule *module = &model->modules.data[model->by_name.data[middle]];
        int order = compare_names(module->group, module->name, group, name);
        if (order == 0) {
            return model->by_name.data[middle];
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return -1;
}

// Of groups that were dissolved, too.
int som_lab_find(const SomLabModel *model, SomStr group, SomStr name) {
    int module = find(model, group, name);
    if (module < 0 && group.length > 0) {
        SomText whole = {0};
        som_text_printf(&whole, "%.*s:%.*s", SOM_STR_ARG(group), SOM_STR_ARG(name));
        module = find(model, (SomStr){"", 0}, som_text_str(&whole));
        som_text_free(&whole);
    }
    return module;
}

// ---- groups

// Takes the modules of a group out of it; `begin` to `end` are those in the order of names.
static void dissolve(SomLabModel *model, int begin, int end, SomArena *arena) {
    for (int i = begin; i < end; i++) {
        SomLabModule *module = &model->modules.data[model->by_name.data[i]];
        SomText whole = {0};
        som_text_printf(&whole, "%.*s:%.*s", SOM_STR_ARG(module->group), SOM_STR_ARG(module->name));
        module->name = som_arena_copy(arena, som_text_str(&whole));
        module->group = (SomStr){"", 0};
        som_text_free(&whole);
    }
}

void som_lab_dissolve_groups(SomLabModel *model, SomArena *arena, SomDiagnostics *diags) {
    int count = model->by_name.count;
    int *parents = som_realloc(NULL, (size_t)count + 1, sizeof *parents);
    som_classes_reset(parents, count);
    for (int i = 0; i < model->connections.count; i++) {
        const SomLabConnection *c = &model->connections.data[i];
        if (som_str_equal(model->modules.data[c->a].group, model->modules.data[c->b].group)) {
            som_classes_join(parents, c->a, c->b);
        }
    }
    bool is_changed = false;
    for (int begin = 0, end; begin < count; begin = end) { // a group stands together
        int first = model->by_name.data[begin];
        SomStr group = model->modules.data[first].group;
        bool is_one_piece = true;
        for (end = begin; end < count; end++) {
            int module = model->by_name.data[end];
            if (!som_str_equal(model->modules.data[module].group, group)) {
                break;
            }
            is_one_piece = is_one_piece &&
                           som_classes_find(parents, module) == som_classes_find(parents, first);
        }
        if (group.length > 0 && !is_one_piece) {
            dissolve(model, begin, end, arena);
            is_changed = true;
        }
    }
    som_free(parents);
    if (is_changed) {
        model->by_name.count = 0;
        som_lab_index(model, arena, diags); // names stay different
    }
}

int som_lab_find_nearest(const SomLabModel *model, SomStr name) {
    SOM_ARRAY(SomStr) names = {0};
    for (int i = 0; i < model->modules.count && i < 1000; i++) {
        som_array_push(&names, model->modules.data[i].name);
    }
    int nearest = som_str_find_nearest(name, names.data, names.count);
    som_array_free(&names);
    return nearest;
}

// The module that a connection holds at the other end.
static SomStr other_end(const SomLabModel *model, const SomLabConnection *c, int module, int face,
                        SomArena *arena) {
    bool is_a = c->a == module && c->face_a == face;
    return som_lab_shown(&model->modules.data[is_a ? c->b : c->a], arena);
}

bool som_lab_check_faces(const SomLabModel *model, SomArena *arena, SomDiagnostics *diags) {
    int *taken1 = som_alloc(4 * (size_t)model->modules.count * sizeof *taken1 + 1);
    bool fine = true;
    for (int i = 0; i < model->connections.count; i++) {
        const SomLabConnection *c = &model->connections.data[i];
        for (int side = 0; side < 2; side++) {
            int module = side == 0 ? c->a : c->b, face = side == 0 ? c->face_a : c->face_b;
            int *user1 = &taken1[4 * module + face];
            if (*user1 > 0) {
                const SomLabConnection *first = &model->connections.data[*user1 - 1];
                som_report(diags, SOM_IMPORT_FACE_TAKEN, c->span,
                           "face %d (%s) of '%.*s' is connected to '%.*s' and to '%.*s'", face,
                           som_lab_faces[face],
                           SOM_STR_ARG(som_lab_shown(&model->modules.data[module], arena)),
                           SOM_STR_ARG(other_end(model, first, module, face, arena)),
                           SOM_STR_ARG(other_end(model, c, module, face, arena)));
                som_note(diags, first->span, "the first of the two");
                fine = false;
            } else {
                *user1 = i + 1;
            }
        }
    }
    som_free(taken1);
    return fine;
}

// ---- pieces

// Hints are looked for in robots that people have.
#define MAX_HINTED 300

// Every face in the world; NULL if there are too many.
static SomPose *place_faces(const SomLabModel *model, const SomLabType *type) {
    if (type == NULL || model->modules.count > MAX_HINTED) {
        return NULL;
    }
    SomPose *faces = som_alloc(4 * (size_t)model->modules.count * sizeof *faces);
    for (int i = 0; i < 4 * model->modules.count; i++) {
        const SomLabModule *module = &model->modules.data[i / 4];
        faces[i] = som_pose_compose(module->pose, som_lab_face(type, module->joints, i % 4));
    }
    return faces;
}

static bool touch(SomPose a, SomPose b) {
    SomVec3 normal_a = som_vec3(a.rotation.m[0][0], a.rotation.m[1][0], a.rotation.m[2][0]);
    SomVec3 normal_b = som_vec3(b.rotation.m[0][0], b.rotation.m[1][0], b.rotation.m[2][0]);
    return som_vec3_length(som_vec3_sub(a.position, b.position)) < 2e-3 &&
           som_vec3_dot(normal_a, normal_b) < -0.999;
}

// A face that lies at a face of another piece: somebody forgot the connection.
static bool find_touching(const SomLabModel *model, const SomPose *faces, int *parents, int piece,
                          int hint[2]) {
    int count = faces != NULL ? 4 * model->modules.count : 0;
    for (int a = 0; a < count; a++) {
        for (int b = 0; som_classes_find(parents, a / 4) == piece && b < count; b++) {
            if (som_classes_find(parents, b / 4) != piece && touch(faces[a], faces[b])) {
                hint[0] = a, hint[1] = b;
                return true;
            }
        }
    }
    return false;
}

// "'a', 'b', 'c' (and 3 more)"
static void list_piece(const SomLabModel *model, int *parents, int piece, SomArena *arena,
                       SomText *out) {
    SomNameList list = {.out = out};
    for (int i = 0; i < model->modules.count; i++) {
        if (som_classes_find(parents, i) == piece) {
            SomStr name = som_lab_shown(&model->modules.data[i], arena);
            som_name_list_add(&list, "'%.*s'", SOM_STR_ARG(name));
        }
    }
    som_name_list_end(&list);
}

static void report_piece(const SomLabModel *model, const SomPose *faces, int *parents, int piece,
                         SomArena *arena, SomDiagnostics *diags) {
    SomText list = {0};
    list_piece(model, parents, piece, arena, &list);
    som_report(diags, SOM_IMPORTED_PIECES, model->modules.data[piece].span,
               "nothing connects %s to '%.*s'", list.data,
               SOM_STR_ARG(som_lab_shown(&model->modules.data[0], arena)));
    int hint[2];
    if (find_touching(model, faces, parents, piece, hint)) {
        const SomLabModule *a = &model->modules.data[hint[0] / 4];
        const SomLabModule *b = &model->modules.data[hint[1] / 4];
        som_note(
            diags, b->span,
            "face %d (%s) of '%.*s' lies at face %d (%s) of '%.*s': is the connection missing?",
            hint[0] % 4, som_lab_faces[hint[0] % 4], SOM_STR_ARG(som_lab_shown(a, arena)),
            hint[1] % 4, som_lab_faces[hint[1] % 4], SOM_STR_ARG(som_lab_shown(b, arena)));
    }
    som_text_free(&list);
}

// For each module one that stands for its piece, its first one.
static int *join_pieces(const SomLabModel *model) {
    int *parents = som_realloc(NULL, (size_t)model->modules.count + 1, sizeof *parents);
    som_classes_reset(parents, model->modules.count);
    for (int i = 0; i < model->connections.count; i++) {
        som_classes_join(parents, model->connections.data[i].a, model->connections.data[i].b);
    }
    return parents;
}

int som_lab_piece_roots(const SomLabModel *model, int base, int *roots) {
    int *parents = join_pieces(model);
    int count = 0;
    roots[count++] = base;
    for (int i = 0; i < model->modules.count; i++) {
        if (parents[i] == i && som_classes_find(parents, base) != i) {
            roots[count++] = i;
        }
    }
    som_free(parents);
    return count;
}

void som_lab_note_pieces(const SomLabModel *model, const SomLabType *type, SomArena *arena,
                         SomDiagnostics *diags) {
    int *parents = join_pieces(model);
    int reported = 0;
    SomPose *faces = NULL;
    for (int i = 1; i < model->modules.count && reported < 20; i++) {
        if (parents[i] == i) {
            faces = reported == 0 ? place_faces(model, type) : faces;
            report_piece(model, faces, parents, i, arena, diags);
            reported++;
        }
    }
    som_free(faces);
    som_free(parents);
}
