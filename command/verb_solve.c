// SPDX-License-Identifier: Apache-2.0
// somite solve FILE [--lock X]… [--target X=V]…

#include "base/number.h"
#include "command/design.h"
#include "compose/solve.h"
#include "compose/words.h"

// A change of a joint that is told, radians or metres.
#define MOVED 1e-9

static const char *const level_names[SOM_LEVELS] = {"invariant", "limit", "lock", "target",
                                                    "posture"};

// What was asked for, in the order of locks and targets.
typedef struct Wishes {
    SOM_ARRAY(SomWish) all;
    SomArena arena;
} Wishes;

// The value of an option cannot be read: wrong usage, as that of any option.
static void complain(SomCommand *command, const char *option, const SomDiagnostics *why) {
    int count;
    const SomDiagnostic *entries = som_diagnostics_get(why, &count);
    SomText text = {0};
    for (int i = 0; i < count; i++) {
        som_text_printf(&text, "%s%.*s", i > 0 ? "; " : "", SOM_STR_ARG(entries[i].message));
    }
    som_command_misused(command, "--%s: %s", option, text.data);
    som_text_free(&text);
}

static bool read_wishes(SomCommand *command, const SomConfiguration *design, const char *option,
                        SomLevel level, Wishes *wishes) {
    bool fine = true;
    int at = 0;
    const char *text;
    while ((text = som_command_next_value(command, option, &at)) != NULL) {
        SomWish wish;
        SomDiagnostics *why = som_diagnostics_create();
        if (som_wish_read(design, level, som_str(text), &wishes->arena, &wish, why)) {
            som_array_push(&wishes->all, wish);
        } else {
            complain(command, option, why);
            fine = false;
        }
        som_diagnostics_destroy(why);
    }
    return fine;
}

static void print(const SomConfiguration *design, const SomSolveResult *result,
                  const SomPosture *from, SomText *out) {
    som_text_printf(out, "%d iteration%s; left over:", result->iterations,
                    result->iterations == 1 ? "" : "s");
    for (int i = 0; i < SOM_LEVELS; i++) {
        som_text_printf(out, " %s ", level_names[i]);
        som_text_rounded(out, result->residuals[i], 2);
        som_text_add(out, i + 1 < SOM_LEVELS ? SOM_STR(",") : SOM_STR("\n"));
    }
    som_text_add(out, som_text_str(&result->words));
    int moved = 0;
    for (int i = 0; i < design->dof_count; i++) {
        if (fabs(result->posture.values[i] - from->values[i]) > MOVED) {
            som_text_printf(out, "  %.*s = ", SOM_STR_ARG(design->dofs[i].path));
            som_words_joint_value(out, som_configuration_joint(design, i),
                                  result->posture.values[i]);
            som_text_add_char(out, '\n', 1);
            moved++;
        }
    }
    if (moved == 0) {
        som_text_add(out, SOM_STR("no joint moved\n"));
    }
}

static void write(const SomConfiguration *design, const SomSolveResult *result,
                  SomCommand *command) {
    SomJsonWriter *json = &command->json;
    som_json_member_integer(json, "iterations", result->iterations);
    som_json_member_boolean(json, "closed", result->is_closed);
    som_json_key(json, SOM_STR("residuals"));
    som_json_open_object(json);
    for (int i = 0; i < SOM_LEVELS; i++) {
        som_json_key(json, som_str(level_names[i]));
        som_json_number(json, result->residuals[i]);
    }
    som_json_close_object(json);
    som_json_key(json, SOM_STR("dofs"));
    som_json_open_object(json);
    for (int i = 0; i < design->dof_count; i++) {
        som_json_key(json, design->dofs[i].path);
        som_json_number(json, result->posture.values[i]);
    }
    som_json_close_object(json);
    som_json_key(json, SOM_STR("base"));
    som_json_open_object(json);
    som_command_write_pose(command, result->base);
    som_json_close_object(json);
    som_json_key(json, SOM_STR("pieces"));
    som_json_open_array(json);
    for (int i = 0; i < result->bases.count; i++) {
        int module = i == 0 ? design->base.module : design->pieces[i - 1].module;
        som_json_open_object(json);
        som_json_member_string(json, "base", design->modules[module].path);
        som_command_write_pose(command, result->bases.data[i]);
        som_json_close_object(json);
    }
    som_json_close_array(json);
    som_json_member_string(json, "words", som_text_str(&result->words));
}

static void solve(SomCommand *command, const SomConfiguration *design, const SomPosture *from,
                  const Wishes *wishes) {
    SomSolveDef def = {.wishes = wishes->all.data,
                       .wish_count = wishes->all.count,
                       .from = from,
                       .is_base_free = som_command_has(command, "free-base"),
                       .most_steps = (int)som_command_number(command, "steps", 0)};
    SomSolveResult result = {0};
    if (som_solve(design, &def, &result, command->diags)) {
        command->failed = result.words.length > 0 || !result.is_closed;
        if (command->wants_json) {
            write(design, &result, command);
        } else {
            print(design, &result, from, &command->out);
        }
    }
    som_solve_result_free(&result);
}

static void run_solve(SomCommand *command) {
    SomConfiguration *design = som_command_compose(command, command->words.data[0]);
    SomPosture posture;
    if (design != NULL && som_command_posture(command, design, &posture)) {
        Wishes wishes = {0};
        bool fine = read_wishes(command, design, "lock", SOM_LEVEL_LOCK, &wishes);
        if (read_wishes(command, design, "target", SOM_LEVEL_TARGET, &wishes) && fine) {
            solve(command, design, &posture, &wishes);
        }
        som_array_free(&wishes.all);
        som_arena_free(&wishes.arena);
        som_posture_free(&posture);
    }
    som_configuration_destroy(design);
}

static const SomOption options[] = {
    {.name = "lock",
     .value = "X",
     .help = "joint or connector to lock; may be repeated: left.tilt, front.L",
     .is_repeated = true},
    {.name = "target",
     .value = "X=V",
     .help = "target for a joint or frame; may be repeated: head.tilt=30deg, arm.z=0.2m",
     .is_repeated = true},
    {.name = "free-base", .help = "bases that are not fixed may move, too"},
    {.name = "steps",
     .value = "N",
     .help = "maximum number of solver steps (default: 500)",
     .kind = SOM_TAKES_COUNT,
     .low = 1,
     .high = 1e6},
    SOM_OPTION_CONFIG,
    SOM_OPTION_POSE,
    SOM_OPTION_SET,
    {0},
};

const SomVerb som_verb_solve = {
    .name = "solve",
    .usage = "FILE [--lock X]… [--target X=V]… [--json]",
    .summary = "move a design: close loops, hold locks, reach targets, follow trajectories",
    .help =
        "Moves the joints of a design so that its loops stay closed, what is locked stays, and\n"
        "targets are reached as far as possible, in this order. X is a joint (head.tilt), or a\n"
        "module, connector, frame or link of one (arm, arm.T): as a whole, or its .x, .y, .z,\n"
        ".position=(x, y, z) or .turned=(roll, pitch, yaw) in the world. A connector may be\n"
        "led to another one face to face, and values with times are a trajectory. Exits with 1\n"
        "if something asked for was not reached; the words say what and why.\n\n"
        "  somite solve loop --target m[3].tilt=60deg\n"
        "  somite solve chain3 --target tail.z=0.05m --lock middle.tilt\n"
        "  somite solve snake --config 'Snake(n=2)' --target 's[1].head.T=s[2].tail.B'\n"
        "  somite solve loop --target 'm[2].tilt=45deg@0s, 60deg@1s'\n",
    .min_words = 1,
    .max_words = 1,
    .has_json = true,
    .options = options,
    .run = run_solve,
};
