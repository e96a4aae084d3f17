// SPDX-License-Identifier: Apache-2.0
#include "command/design.h"

#include "base/file.h"
#include "compose/library_root.h"
#include "compose/posture_check.h"
#include "compose/words.h"

SomWorkspace *som_command_workspace(SomCommand *command) {
    if (command->workspace == NULL) {
        SomText root = {0};
        som_library_find(&root);
        command->workspace = som_workspace_create(som_text_str(&root), command->diags);
        som_text_free(&root);
    }
    return command->workspace;
}

void som_command_find_file(SomStr word, SomText *path) {
    SomText root = {0};
    som_library_find(&root);
    som_text_add(path, word);
    if (!som_file_exists(path->data)) {
        som_text_clear(path);
        if (!som_library_find_file(som_text_str(&root), word, path)) {
            som_text_add(path, word);
        }
    }
    som_text_free(&root);
}

SomConfiguration *som_command_compose_choice(SomCommand *command, const char *word,
                                             const char *choice) {
    SomWorkspace *workspace = som_command_workspace(command);
    int file = som_workspace_open(workspace, som_str(word));
    if (file < 0) {
        return NULL;
    }
    return som_configuration_compose(workspace, file, som_str(choice != NULL ? choice : ""),
                                     command->diags);
}

SomConfiguration *som_command_compose(SomCommand *command, const char *word) {
    return som_command_compose_choice(command, word, som_command_value(command, "config"));
}

// Complains that the design has nothing of this name; `names` are what it has.
static void complain_unknown(SomCommand *command, const char *kind, SomStr name,
                             const SomStr *names, int count) {
    int nearest = som_str_find_nearest(name, names, count);
    if (nearest >= 0) {
        som_command_misused(command, "there is no %s '%.*s'; did you mean '%.*s'?", kind,
                            SOM_STR_ARG(name), SOM_STR_ARG(names[nearest]));
    } else {
        som_command_misused(command, "there is no %s '%.*s'; 'somite show' lists them", kind,
                            SOM_STR_ARG(name));
    }
}

const SomNamedPose *som_command_pose(SomCommand *command, const SomConfiguration *design) {
    const char *name = som_command_value(command, "pose");
    int pose = name != NULL ? som_configuration_find_pose(design, som_str(name)) : -1;
    return pose < 0 ? NULL : &design->poses[pose];
}

static bool apply_pose(SomCommand *command, const SomConfiguration *design, SomPosture *posture) {
    const char *name = som_command_value(command, "pose");
    if (name == NULL) {
        return true;
    }
    int pose = som_configuration_find_pose(design, som_str(name));
    if (pose < 0) {
        SOM_ARRAY(SomStr) names = {0};
        for (int i = 0; i < design->pose_count; i++) {
            som_array_push(&names, design->poses[i].path);
        }
        complain_unknown(command, "pose", som_str(name), names.data, names.count);
        som_array_free(&names);
        return false;
    }
    som_posture_apply(posture, design, pose);
    return true;
}

// Adds the path of a module's joint under one of its names.
static void add_path(SomArena *arena, SomStr module, SomStr name, SomText *path, SomStr *out) {
    som_text_clear(path);
    som_text_add(path, module);
    som_text_add(path, module.length > 0 ? SOM_STR(".") : SOM_STR(""));
    som_text_add(path, name);
    *out = som_arena_copy(arena, som_text_str(path));
}

static void complain_unknown_dof(SomCommand *command, const SomConfiguration *design, SomStr name) {
    SOM_ARRAY(SomStr) names = {0};
    SomArena arena = {0};
    SomText path = {0};
    for (int i = 0; i < design->dof_count; i++) {
        const SomModuleJoint *joint = som_configuration_joint(design, i);
        SomStr module = design->modules[design->dofs[i].module].path;
        som_array_push(&names, design->dofs[i].path);
        for (int k = 0; k < joint->alias_count; k++) {
            SomStr alias;
            add_path(&arena, module, joint->aliases[k].name, &path, &alias);
            som_array_push(&names, alias);
        }
    }
    complain_unknown(command, "DoF", name, names.data, names.count);
    som_text_free(&path);
    som_arena_free(&arena);
    som_array_free(&names);
}

// One "head.tilt=45deg".
static bool apply_value(SomCommand *command, const SomConfiguration *design, SomStr text,
                        SomPosture *posture) {
    const char *equals = memchr(text.data, '=', text.length);
    if (equals == NULL) {
        som_command_misused(command, "'%.*s' is not DOF=VALUE", SOM_STR_ARG(text));
        return false;
    }
    size_t split = (size_t)(equals - text.data);
    SomStr name = som_str_slice(text, 0, split);
    SomAlias alias;
    int dof = som_configuration_find_dof(design, name, &alias);
    if (dof < 0) {
        complain_unknown_dof(command, design, name);
        return false;
    }
    const SomModuleJoint *joint = som_configuration_joint(design, dof);
    SomDimensionName wanted =
        joint->type == SOM_JOINT_PRISMATIC ? SOM_DIMENSION_LENGTH : SOM_DIMENSION_ANGLE;
    double value;
    if (!som_command_quantity(command, "--set", som_str_slice(text, split + 1, text.length), wanted,
                              &value)) {
        return false;
    }
    posture->values[dof] = som_alias_to_joint(alias, value);
    som_words_check_limit(joint, name, alias, (SomSpan){0}, &posture->values[dof], command->diags);
    return true;
}

bool som_command_posture(SomCommand *command, const SomConfiguration *design, SomPosture *posture) {
    bool is_changed = som_command_has(command, "pose") || som_command_has(command, "set");
    *posture = som_posture_start(design);
    bool fine = apply_pose(command, design, posture);
    int at = 0;
    const char *text;
    while ((text = som_command_next_value(command, "set", &at)) != NULL) {
        fine = apply_value(command, design, som_str(text), posture) && fine;
    }
    if (!fine) {
        som_posture_free(posture);
    } else if (is_changed) {
        SomMechanism *mechanism = som_mechanism_create(design);
        som_posture_check(mechanism, posture, command->diags);
        som_mechanism_destroy(mechanism);
    }
    return fine;
}

void som_command_write_pose(SomCommand *command, SomPose pose) {
    SomVec3 p = pose.position;
    SomQuat q = som_quat_from_rotation(pose.rotation);
    som_json_key(&command->json, SOM_STR("position"));
    som_json_numbers(&command->json, (const double[]){p.x, p.y, p.z}, 3);
    som_json_key(&command->json, SOM_STR("quaternion_xyzw"));
    som_json_numbers(&command->json, (const double[]){q.x, q.y, q.z, q.w}, 4);
}
