// SPDX-License-Identifier: Apache-2.0
// Places in behaviors: from names and indices to parts, DoF, poses and behaviors.

#include "base/codes/behaviors_codes.h"
#include "base/codes/compose_text_codes.h"
#include "behaviors/compile_internal.h"
#include "language/name.h"

// ---- paths

// "front" and "left" to "front.left"; `index` 0 is none.
static SomStr join(SomCompiler *c, SomStr path, SomStr name, int index) {
    SomText text = {0};
    som_text_add(&text, path);
    if (path.length > 0) {
        som_text_add_char(&text, '.', 1);
    }
    som_name_print(&text, name);
    if (index > 0) {
        som_text_printf(&text, "[%d]", index);
    }
    SomStr joined = som_arena_copy(&c->arena, som_text_str(&text));
    som_text_free(&text);
    return joined;
}

// A part in words: its path within the one whose text it is, or what that one is.
static void print_part(const SomCompiler *c, int part, SomText *out) {
    const SomPart *parts = c->configuration->parts;
    SomStr own = parts[c->unfolding->part].path, path = parts[part].path;
    if (part == c->unfolding->part) {
        path = parts[part].config;
    } else if (own.length > 0 && path.length > own.length) {
        path = som_str_slice(path, own.length + 1, path.length);
    }
    som_text_printf(out, "'%.*s'", SOM_STR_ARG(path));
}

// ---- what a part has, for hints

static SomStr without_index(SomStr name) {
    const char *bracket = name.length > 0 ? memchr(name.data, '[', name.length) : NULL;
    return bracket != NULL && name.data[0] != '"'
               ? som_str_slice(name, 0, (size_t)(bracket - name.data))
               : name;
}

static int list_parts(const SomCompiler *c, int part, SomStr *names, int max) {
    const SomPart *parts = c->configuration->parts;
    int count = 0;
    for (int i = part + 1; i < parts[part].end_part && count < max; i = parts[i].end_part) {
        SomStr name = without_index(parts[i].name);
        if (count == 0 || !som_str_equal(names[count - 1], name)) {
            names[count++] = name;
        }
    }
    return count;
}

static int list_joints(const SomCompiler *c, int part, SomStr *names, int max) {
    const SomPart *p = &c->configuration->parts[part];
    int count = 0;
    for (int i = 0; p->order == 0 && i < p->dof_count; i++) {
        const SomModuleJoint *joint = som_configuration_joint(c->configuration, p->first_dof + i);
        for (int k = -1; k < joint->alias_count && count < max; k++) {
            names[count++] = k < 0 ? joint->name : joint->aliases[k].name;
        }
    }
    return count;
}

static int list_behaviors(const SomCompiler *c, int part, SomStr *names, int max) {
    int count = 0;
    for (int i = 0; i < c->configuration->behavior_count && count < max; i++) {
        if (c->configuration->behaviors[i].part == part) {
            names[count++] = c->configuration->behaviors[i].name;
        }
    }
    return count;
}

static int list_poses(const SomCompiler *c, int part, SomStr *names, int max) {
    int count = 0;
    for (int i = 0; i < c->configuration->pose_count && count < max; i++) {
        if (c->configuration->poses[i].part == part) {
            names[count++] = c->configuration->poses[i].name;
        }
    }
    return count;
}

// "'front' has no KIND 'x'", with what it has of this kind or, else, of parts.
static void report_member(SomCompiler *c, const SomPlaced *placed, SomSpan span, SomCode code,
                          const char *kind, SomStr *names, int count) {
    SomText text = {0};
    print_part(c, placed->part, &text);
    som_text_printf(&text, " has no %s", kind);
    count += list_parts(c, placed->part, names + count, SOM_COMPILE_MOST_HINTS - count);
    som_compiler_report_unknown(c, code, span, text.data, placed->name, names, count);
    som_text_free(&text);
}

// ---- following

// The last index of an array that has a first one.
static int array_length(SomCompiler *c, int part, SomStr name) {
    SomStr path = c->configuration->parts[part].path;
    int length = 1, beyond = c->configuration->part_count;
    while (length + 1 < beyond) {
        int middle = length + (beyond - length) / 2;
        bool is_there =
            som_configuration_find_part(c->configuration, join(c, path, name, middle)) >= 0;
        length = is_there ? middle : length;
        beyond = is_there ? beyond : middle;
    }
    return length;
}

static void report_part(SomCompiler *c, const SomPlaced *placed, SomNode name, SomNode index_node,
                        int index) {
    SomStr first = join(c, c->configuration->parts[placed->part].path, placed->name, 1);
    SomStr single = join(c, c->configuration->parts[placed->part].path, placed->name, 0);
    bool is_array = som_configuration_find_part(c->configuration, first) >= 0;
    bool is_single = som_configuration_find_part(c->configuration, single) >= 0;
    if (is_array && index_node == 0) {
        som_compiler_report(c, SOM_WRONG_INDEX, som_compiler_span(c, name),
                            "'%.*s' is an array of parts: %.*s[1] is the first of them",
                            SOM_STR_ARG(placed->name), SOM_STR_ARG(placed->name));
    } else if (is_single && index_node != 0) {
        som_compiler_report(c, SOM_WRONG_INDEX, som_compiler_span(c, index_node),
                            "'%.*s' is one part, not an array", SOM_STR_ARG(placed->name));
    } else if (is_array) {
        som_compiler_report(c, SOM_INDEX_OUT_OF_RANGE, som_compiler_span(c, index_node),
                            "'%.*s' has no part %d, only 1 to %d", SOM_STR_ARG(placed->name), index,
                            array_length(c, placed->part, placed->name));
    } else {
        SomStr names[SOM_COMPILE_MOST_HINTS];
        report_member(c, placed, som_compiler_span(c, name), SOM_UNKNOWN_PART, "part", names, 0);
    }
}

// Enters the part or joint that a parameter or let stands for; `next` comes after its name.
static bool enter(SomCompiler *c, SomNode name, SomNode next, int part, SomStr member,
                  SomPlaced *placed) {
    const SomSyntax *tree = c->unfolding->tree;
    SomStr text = som_compiler_name(c, name);
    if (next != 0 && som_syntax_kind(tree, next) == SOM_SOM_INDEX) {
        som_compiler_report(c, SOM_WRONG_INDEX, som_compiler_span(c, next),
                            "'%.*s' is one %s, not an array", SOM_STR_ARG(text),
                            member.length > 0 ? "joint" : "part");
        return false;
    }
    if (next != 0 && member.length > 0) {
        som_compiler_report(c, SOM_UNKNOWN_PART, som_compiler_span(c, next),
                            "'%.*s' is a joint and has no parts", SOM_STR_ARG(text));
        return false;
    }
    SomStr path = c->configuration->parts[part].path;
    *placed = (SomPlaced){.part = part, .path = path};
    if (member.length > 0) {
        placed->member = name;
        placed->name = member;
        placed->path = join(c, path, member, 0);
    }
    return true;
}

// The place that a name stands for: of a parameter if it is the first, else of a let of the part.
static bool find_named(SomCompiler *c, int part, SomStr name, bool is_first, int *target,
                       SomStr *member) {
    const SomBinding *binding = is_first ? som_compiler_find_place_binding(c, name) : NULL;
    int let = som_configuration_find_place(c->configuration, part, name);
    if (binding != NULL) {
        *target = binding->part;
        *member = binding->member;
    } else if (let >= 0) {
        *target = c->configuration->places[let].target;
        *member = c->configuration->places[let].member;
    }
    return binding != NULL || let >= 0;
}

bool som_compiler_follow(SomCompiler *c, SomNode place, SomPlaced *placed) {
    const SomSyntax *tree = c->unfolding->tree;
    const SomPart *parts = c->configuration->parts;
    *placed = (SomPlaced){.part = c->unfolding->part};
    SomNode node = som_syntax_first_child(tree, place), head = node;
    while (node != 0) {
        c->steps_left--;
        if (som_syntax_kind(tree, node) != SOM_SOM_NAME) {
            som_compiler_report(c, SOM_WRONG_INDEX, som_compiler_span(c, node),
                                "what is before this is no array of parts");
            return false;
        }
        placed->name = som_compiler_name(c, node);
        SomNode next = som_syntax_next_sibling(tree, node);
        int target;
        SomStr member;
        if (find_named(c, placed->part, placed->name, node == head, &target, &member)) {
            if (!enter(c, node, next, target, member, placed)) {
                return false;
            }
            node = next;
            continue;
        }
        bool has_index = next != 0 && som_syntax_kind(tree, next) == SOM_SOM_INDEX;
        int index = 0;
        if (has_index && !som_compiler_whole(c, som_syntax_first_child(tree, next), -1000000000,
                                             1000000000, &index)) {
            return false;
        }
        SomStr path = join(c, parts[placed->part].path, placed->name, index);
        bool is_number = !has_index || index > 0;
        int part = is_number ? som_configuration_find_part(c->configuration, path) : -1;
        bool is_last = next == 0 || (has_index && som_syntax_next_sibling(tree, next) == 0 &&
                                     som_configuration_find_dock(c->configuration, path) >= 0);
        if (part < 0 && is_last) {
            placed->member = node;
            placed->path = path;
            return true;
        }
        if (part < 0) {
            report_part(c, placed, node, has_index ? next : 0, index);
            return false;
        }
        placed->part = part;
        placed->path = path;
        node = has_index ? som_syntax_next_sibling(tree, next) : next;
    }
    return true;
}

// ---- degrees of freedom

SomMover som_compiler_mover(const SomCompiler *c, int dof) {
    const SomModule *module = &c->configuration->modules[c->configuration->dofs[dof].module];
    return (SomMover){.dof = dof,
                      .alias = {.sign = 1},
                      .joint = som_configuration_joint(c->configuration, dof),
                      .path = c->configuration->dofs[dof].path,
                      .timeout = module->type->timeout};
}

static bool slides(const SomMover *mover) {
    return mover->joint->type == SOM_JOINT_PRISMATIC;
}

SomDimension som_mover_dimension(const SomMover *mover) {
    return som_dimension(slides(mover) ? SOM_DIMENSION_LENGTH : SOM_DIMENSION_ANGLE);
}

SomDimension som_mover_speed_dimension(const SomMover *mover) {
    return som_dimension_divide(som_mover_dimension(mover), som_dimension(SOM_DIMENSION_TIME));
}

SomDimension som_mover_effort_dimension(const SomMover *mover) {
    return som_dimension(slides(mover) ? SOM_DIMENSION_FORCE : SOM_DIMENSION_TORQUE);
}

bool som_compiler_find_dof(SomCompiler *c, SomNode place, SomMover *mover) {
    SomPlaced placed;
    if (!som_compiler_follow(c, place, &placed)) {
        return false;
    }
    SomStr names[SOM_COMPILE_MOST_HINTS];
    if (placed.member == 0) {
        SomText text = {0};
        print_part(c, placed.part, &text);
        som_compiler_report(c, SOM_UNKNOWN_JOINT, som_compiler_span(c, place),
                            "%s is a part: name a joint of it", text.data);
        som_text_free(&text);
        return false;
    }
    SomAlias alias;
    int dof = som_configuration_find_dof(c->configuration, placed.path, &alias);
    if (dof < 0) {
        int count = list_joints(c, placed.part, names, SOM_COMPILE_MOST_HINTS);
        bool is_module = c->configuration->parts[placed.part].order == 0;
        report_member(c, &placed, som_compiler_span(c, placed.member),
                      is_module ? SOM_UNKNOWN_JOINT : SOM_UNKNOWN_PART,
                      is_module ? "joint" : "part", names, count);
        return false;
    }
    *mover = som_compiler_mover(c, dof);
    mover->alias = alias;
    mover->path = placed.path;
    return true;
}

bool som_compiler_is_dof(SomCompiler *c, SomStr name) {
    int target;
    SomStr member;
    if (find_named(c, c->unfolding->part, name, true, &target, &member)) {
        return member.length > 0;
    }
    SomStr path = join(c, c->configuration->parts[c->unfolding->part].path, name, 0);
    return som_configuration_find_dof(c->configuration, path, NULL) >= 0;
}

// ---- parts, poses, behaviors

bool som_compiler_find_part(SomCompiler *c, SomNode place, int *part) {
    SomPlaced placed;
    *part = c->unfolding->part;
    if (place == 0) {
        return true;
    }
    if (!som_compiler_follow(c, place, &placed)) {
        return false;
    }
    *part = placed.part;
    if (placed.member != 0) {
        report_part(c, &placed, placed.member, 0, 0);
    }
    return placed.member == 0;
}

bool som_compiler_find_pose(SomCompiler *c, int part, SomNode place, int *pose) {
    SomUnfolding *u = c->unfolding;
    int own = u->part;
    SomPlaced placed;
    u->part = part; // where the place begins
    bool fine = som_compiler_follow(c, place, &placed);
    u->part = own;
    if (!fine) {
        return false;
    }
    *pose = placed.member != 0 ? som_configuration_find_pose(c->configuration, placed.path) : -1;
    if (*pose < 0) {
        SomStr names[SOM_COMPILE_MOST_HINTS];
        int count = list_poses(c, placed.part, names, SOM_COMPILE_MOST_HINTS);
        SomNode marked = placed.member != 0 ? placed.member : place;
        report_member(c, &placed, som_compiler_span(c, marked), SOM_UNKNOWN_POSE, "pose", names,
                      count);
    }
    return *pose >= 0;
}

bool som_compiler_find_behavior(SomCompiler *c, SomNode place, int *behavior) {
    SomPlaced placed;
    if (!som_compiler_follow(c, place, &placed)) {
        return false;
    }
    *behavior =
        placed.member != 0 ? som_configuration_find_behavior(c->configuration, placed.path) : -1;
    if (*behavior >= 0) {
        return true;
    }
    SomStr names[SOM_COMPILE_MOST_HINTS];
    if (placed.member == 0) {
        SomText text = {0};
        print_part(c, placed.part, &text);
        som_compiler_report(c, SOM_UNKNOWN_BEHAVIOR, som_compiler_span(c, place),
                            "%s is a part: name a behavior of it", text.data);
        som_text_free(&text);
    } else {
        int count = list_behaviors(c, placed.part, names, SOM_COMPILE_MOST_HINTS);
        report_member(c, &placed, som_compiler_span(c, placed.member), SOM_UNKNOWN_BEHAVIOR,
                      "behavior", names, count);
    }
    return false;
}

// ---- docks

static int list_docks(const SomCompiler *c, int part, SomStr *names, int max) {
    int count = 0;
    for (int i = 0; i < c->configuration->dock_count && count < max; i++) {
        const SomDock *dock = &c->configuration->docks[i];
        if (dock->part == part && dock->name.length > 0) {
            names[count++] = dock->name;
        }
    }
    return count;
}

bool som_compiler_find_dock(SomCompiler *c, SomNode place, int *dock) {
    SomPlaced placed;
    if (!som_compiler_follow(c, place, &placed)) {
        return false;
    }
    *dock = placed.member != 0 ? som_configuration_find_dock(c->configuration, placed.path) : -1;
    if (*dock >= 0) {
        return true;
    }
    SomStr names[SOM_COMPILE_MOST_HINTS];
    int count = list_docks(c, placed.part, names, SOM_COMPILE_MOST_HINTS);
    SomNode marked = placed.member != 0 ? placed.member : place;
    report_member(c, &placed, som_compiler_span(c, marked), SOM_UNKNOWN_DOCK, "dock", names, count);
    return false;
}

static bool find_connector(SomCompiler *c, SomNode place, int *module, int *connector) {
    SomPlaced placed;
    if (!som_compiler_follow(c, place, &placed)) {
        return false;
    }
    const SomPart *part = &c->configuration->parts[placed.part];
    *connector = -1;
    if (placed.member != 0 && part->order == 0) {
        *module = part->first_module;
        *connector =
            som_module_type_find_connector(c->configuration->modules[*module].type, placed.name);
    }
    if (*connector < 0) {
        SomStr names[SOM_COMPILE_MOST_HINTS];
        report_member(c, &placed, som_compiler_span(c, place), SOM_UNKNOWN_CONNECTOR, "connector",
                      names, 0);
    }
    return *connector >= 0;
}

bool som_compiler_find_dock_between(SomCompiler *c, SomNode a, SomNode b, int *dock) {
    int modules[2], connectors[2];
    bool fine = find_connector(c, a, &modules[0], &connectors[0]);
    fine &= find_connector(c, b, &modules[1], &connectors[1]);
    if (!fine) {
        return false;
    }
    *dock = som_configuration_dock_between(c->configuration, modules[0], connectors[0], modules[1],
                                           connectors[1]);
    if (*dock < 0) {
        som_compiler_report(c, SOM_UNKNOWN_DOCK, som_compiler_span(c, a),
                            "no dock of these two connectors is declared");
    }
    return *dock >= 0;
}
