// SPDX-License-Identifier: Apache-2.0
// Replays case files: lists of edits with the states they must lead to, and solver runs with the
// residuals they must show.
//
//     replay CASE.json...
//
// Prints one line a case with its worst deviation. Exit 0 only if all agree: the structure, ranks
// and numbers of clamped coordinates exactly, poses to 1e-9, norms and steps to 1e-6 of themselves
// or 1e-10, final values to 1e-6. 1 if one does not or says what cannot be understood, 2 if called
// wrongly, 3 if one cannot be read. A refused edit must leave the linkage as it was, bit by bit;
// "refused": "SOM7005" and "reports": ["SOM7030"] also name codes that must be reported.

#include "tests/replay.h"

#include "base/file.h"

#include <stdarg.h>
#include <stdio.h>

void replay_fault(Case *c, const char *format, ...) {
    if (c->faults++ < 10) {
        va_list args;
        va_start(args, format);
        printf("%s: ", c->path);
        vprintf(format, args);
        printf("\n");
        va_end(args);
    }
}

// ---- members

const SomJson *replay_member(Case *c, const SomJson *object, const char *key, SomJsonKind kind) {
    static const char *const kinds[] = {"null",     "true or false", "a number",
                                        "a string", "a list",        "an object"};
    const SomJson *value = som_json_get(object, som_str(key));
    if (value == NULL || value->kind != kind) {
        replay_fault(c, "'%s' is %s%s", key, value == NULL ? "missing: it is " : "not ",
                     kinds[kind]);
        return NULL;
    }
    return value;
}

const SomJson *replay_optional(Case *c, const SomJson *object, const char *key, SomJsonKind kind) {
    const SomJson *value = som_json_get(object, som_str(key));
    bool is_there = value != NULL && value->kind != SOM_JSON_NULL;
    return is_there ? replay_member(c, object, key, kind) : NULL;
}

SomStr replay_text_of(Case *c, const SomJson *object, const char *key) {
    return som_json_string_or(replay_member(c, object, key, SOM_JSON_STRING), SOM_STR(""));
}

double replay_number_of(Case *c, const SomJson *object, const char *key, double otherwise) {
    return som_json_number_or(replay_optional(c, object, key, SOM_JSON_NUMBER), otherwise);
}

int replay_integer_of(Case *c, const SomJson *object, const char *key) {
    const SomJson *value = replay_member(c, object, key, SOM_JSON_NUMBER);
    int number = som_json_integer_or(value, -1);
    if (value != NULL && number < 0) {
        replay_fault(c, "'%s' is no count", key);
    }
    return number;
}

int replay_word_of(Case *c, const SomJson *object, const char *key, const char *const *words,
                   int count) {
    SomStr word = replay_text_of(c, object, key);
    for (int i = 0; i < count; i++) {
        if (som_str_equal(word, som_str(words[i]))) {
            return i;
        }
    }
    replay_fault(c, "'%s' is '%.*s'", key, SOM_STR_ARG(word));
    return 0;
}

// ---- names

SomLinkId replay_find_link(Case *c, SomStr name) {
    for (SomLinkId k = som_linkage_next_link(c->linkage, (SomLinkId){0}); k.index1 != 0;
         k = som_linkage_next_link(c->linkage, k)) {
        if (som_str_equal(som_linkage_get_link(c->linkage, k).name, name)) {
            return k;
        }
    }
    replay_fault(c, "there is no link '%.*s'", SOM_STR_ARG(name));
    return som_linkage_top_ground(c->linkage);
}

SomSublinkageId replay_find_sublinkage(Case *c, SomStr name) {
    for (SomSublinkageId s = som_linkage_next_sublinkage(c->linkage, (SomSublinkageId){0});
         s.index1 != 0; s = som_linkage_next_sublinkage(c->linkage, s)) {
        if (som_str_equal(som_linkage_get_sublinkage(c->linkage, s).name, name)) {
            return s;
        }
    }
    replay_fault(c, "there is no sub-linkage '%.*s'", SOM_STR_ARG(name));
    return som_linkage_top(c->linkage);
}

// A joint by its name, or "root(LINK)"; null with a fault if there is none.
SomJointId replay_find_joint(Case *c, SomStr name) {
    SomJointId joint = som_linkage_find_joint(c->linkage, name);
    if (joint.index1 == 0 && som_str_starts_with(name, SOM_STR("root("))) {
        SomLinkId link = replay_find_link(c, som_str_slice(name, 5, name.length - 1));
        joint = som_linkage_get_link(c->linkage, link).root_joint;
    }
    if (joint.index1 == 0) {
        replay_fault(c, "there is no joint '%.*s'", SOM_STR_ARG(name));
    }
    return joint;
}

bool replay_joint_is_called(const SomLinkage *l, SomJointId joint, SomStr name) {
    SomJointInfo info = som_linkage_get_joint(l, joint);
    if (!info.is_root) {
        return som_str_equal(info.name, name);
    }
    SomStr link = som_linkage_get_link(l, info.child).name;
    return name.length == link.length + 6 && som_str_starts_with(name, SOM_STR("root(")) &&
           som_str_equal(som_str_slice(name, 5, name.length - 1), link);
}

// ---- values

// A matrix of three or four rows of four; a missing one is zero, which stands for the identity.
SomPose replay_pose_of(Case *c, const SomJson *object, const char *key) {
    SomPose pose = {{{{0}}}, {0, 0, 0}};
    double m[16];
    const SomJson *array = som_json_get(object, som_str(key));
    if (!som_json_numbers_of(array, m, 12) && !som_json_numbers_of(array, m, 16)) {
        if (array != NULL) {
            replay_fault(c, "'%s' is no pose", key);
        }
        return pose;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            pose.rotation.m[i][j] = m[4 * i + j];
        }
    }
    pose.position = som_vec3(m[3], m[7], m[11]);
    return pose;
}

SomLimits replay_limits_of(Case *c, const SomJson *object) {
    SomLimits limits = {0};
    const SomJson *members = replay_optional(c, object, "limits", SOM_JSON_OBJECT);
    for (int i = 0; members != NULL && i < members->count; i++) {
        double ends[2];
        SomStr key = members->members[i].key;
        int dof = key.length == 1 ? key.data[0] - '0' : -1;
        if (dof >= 0 && dof < 6 && som_json_numbers_of(&members->members[i].value, ends, 2)) {
            limits.limited |= 1u << dof;
            limits.low[dof] = ends[0];
            limits.high[dof] = ends[1];
        } else {
            replay_fault(c, "limits are not two numbers of a coordinate from 0 to 5");
        }
    }
    return limits;
}

SomDisposition replay_disposition_of(Case *c, const SomJson *object) {
    static const char *const words[] = {"simultaneous", "driven", "driving"};
    return (SomDisposition)replay_word_of(c, object, "disposition", words, 3);
}

SomJointType replay_type_of(Case *c, const SomJson *object) {
    SomJointType type = SOM_JOINT_FIXED;
    SomStr name = replay_text_of(c, object, "type");
    if (!som_joint_type_find(name, &type)) {
        replay_fault(c, "there is no type '%.*s'", SOM_STR_ARG(name));
    }
    return type;
}

static bool is_inverted(Case *c, const SomJson *object) {
    double phi = replay_number_of(c, object, "phi", 1);
    if (phi != 1 && phi != -1) {
        replay_fault(c, "'phi' is neither 1 nor -1");
    }
    return phi < 0;
}

SomJointDef replay_joint_def_of(Case *c, const SomJson *o) {
    SomJointDef def = {.name = replay_text_of(c, o, "name"),
                       .type = replay_type_of(c, o),
                       .parent = replay_find_link(c, replay_text_of(c, o, "parent")),
                       .child = replay_find_link(c, replay_text_of(c, o, "child")),
                       .parent_frame = replay_pose_of(c, o, "P"),
                       .child_frame = replay_pose_of(c, o, "C"),
                       .is_inverted = is_inverted(c, o),
                       .limits = replay_limits_of(c, o)};
    return def;
}

bool replay_has_code(const SomDiagnostics *diags, SomStr text) {
    const SomCodeInfo *info = som_code_find(text);
    return info != NULL && som_diagnostics_has(diags, info->code);
}

static int replay(const char *path) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomArena arena = {0};
    SomText text = {0}, out = {0};
    Case c = {.path = path, .arena = &arena};
    int result = 3;
    uint32_t source1 = som_file_load_source(path, &text, diags);
    if (source1 != 0) {
        c.root = som_json_parse(&arena, som_text_str(&text), source1, diags);
    }
    bool is_case = c.root != NULL && c.root->kind == SOM_JSON_OBJECT && c.root->count > 0;
    if (c.root != NULL && !is_case) {
        printf("%s: is no case\n", path);
    }
    if (is_case) {
        if (som_json_get(c.root, SOM_STR("ops")) != NULL) {
            replay_edits(&c);
        } else if (som_json_get(c.root, SOM_STR("model")) != NULL) {
            replay_solver(&c);
        } else {
            replay_fault(&c, "is neither a list of edits nor a solver run");
        }
        result = c.faults == 0 ? 0 : 1;
    }
    som_diagnostics_print(diags, 0, &out);
    fputs(out.data == NULL ? "" : out.data, stderr);
    som_text_free(&out);
    som_text_free(&text);
    som_arena_free(&arena);
    som_linkage_destroy(c.linkage);
    som_diagnostics_destroy(diags);
    return result;
}

int main(int argc, char **argv) {
    int worst = 0;
    for (int i = 1; i < argc; i++) {
        worst = argv[i][0] == '-' ? 2 : worst;
    }
    if (argc < 2 || worst != 0) {
        fputs("usage: replay CASE.json...\n", stderr);
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        int result = replay(argv[i]);
        worst = result > worst ? result : worst;
    }
    return worst;
}
