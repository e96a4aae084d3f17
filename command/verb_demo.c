// SPDX-License-Identifier: Apache-2.0
// somite demo: the main job, from the library to a robot that walks.

#include "base/file.h"
#include "base/number.h"
#include "base/path.h"
#include "behaviors/compile.h"
#include "command/picture.h"
#include "command/progress.h"
#include "command/simulated.h"
#include "command/verify_jobs.h"
#include "exchange/export.h"

#include <math.h>
#include <stdio.h>

#define DEFAULT_FOLDER "somite-demo"
#define WALK "walk(8)" // longer than the robot is long
#define MOST_SECONDS 60

typedef struct Demo {
    SomCommand *command;
    const char *folder;
    const SomConfiguration *walkbot;
    SomPosture posture;
    SomActionGraph *walk;
} Demo;

// What takes seconds says that it has begun, to people who watch.
static void announce(const char *what) {
    if (som_progress_is_watched()) {
        fprintf(stderr, "%s ...\n", what);
    }
}

static SomStr path_in(const Demo *demo, const char *name) {
    SomText path = {0};
    som_path_join(&path, som_str(demo->folder), som_str(name));
    SomStr kept = som_arena_copy(&demo->command->arena, som_text_str(&path));
    som_text_free(&path);
    return kept;
}

static void tell_file(const Demo *demo, SomStr path, const char *what) {
    som_text_printf(&demo->command->out, "  %.*s: %s\n", SOM_STR_ARG(path), what);
}

// ---- its stages

static void compose(const Demo *demo) {
    const SomConfiguration *design = demo->walkbot;
    SomText *out = &demo->command->out;
    som_text_printf(out, "Composed: %.*s, order %d, %d modules, %d DoF, %d connections, ",
                    SOM_STR_ARG(design->name), design->order, design->module_count,
                    design->dof_count, design->connection_count);
    som_text_rounded(out, design->metrics.mass, 4);
    som_text_add(out, SOM_STR(" kg\n"));
    SomStr path = path_in(demo, "walkbot.png");
    SomPicture picture = som_picture_default();
    picture.flags |= SOM_ROBOT_CENTER_OF_MASS;
    if (som_command_draw(demo->command, design, &demo->posture, &picture, path.data)) {
        tell_file(demo, path, "its picture");
    }
}

static void verify(const Demo *demo) {
    SomCommand *command = demo->command;
    SomVerifyJobs jobs = {.command = command,
                          .wants_series = true,
                          .wants_motion = true,
                          .wants_second_opinion = true};
    SomStr page = path_in(demo, "verified.html");
    announce("verifying");
    som_verify_jobs_add_word(&jobs, "walkbot");
    som_verify_jobs_run(&jobs, 0);
    int counts[SOM_VERDICTS] = {0};
    for (int i = 0; i < jobs.all.count; i++) {
        counts[jobs.all.data[i].found->verdict]++;
    }
    som_text_printf(&command->out, "Verified: as it stands and its behaviors, %d of %d safe",
                    counts[SOM_VERDICT_SAFE], jobs.all.count);
    if (counts[SOM_VERDICT_INCOMPLETE] > 0) {
        som_text_printf(&command->out, ", %d incomplete", counts[SOM_VERDICT_INCOMPLETE]);
    }
    SomSecondOpinion second = som_verify_jobs_second_opinion(&jobs);
    som_text_add(&command->out, SOM_STR("\n  second opinion: "));
    som_second_opinion_print(&second, &command->out);
    som_text_add_char(&command->out, '\n', 1);
    som_verify_jobs_save_page(&jobs, page.data);
    tell_file(demo, page, "clearance, balance and loads over time, the worst moments");
    command->failed |= som_verify_jobs_verdict(&jobs) == SOM_VERDICT_UNSAFE;
    som_verify_jobs_free(&jobs);
}

static void export_world(const Demo *demo) {
    SomStr folder = path_in(demo, "gazebo");
    SomLinkMeshes meshes = {0};
    som_link_meshes_load(&meshes, demo->walkbot, demo->command->workspace, demo->command->diags);
    SomExport job = {.workspace = som_command_workspace(demo->command),
                     .design = demo->walkbot,
                     .posture = &demo->posture,
                     .behavior = SOM_STR(WALK),
                     .out = folder,
                     .may_replace = true,
                     .looks = som_link_meshes_look,
                     .looks_context = &meshes,
                     .diags = demo->command->diags};
    som_export(som_export_find(SOM_STR("sdf")), &job);
    som_text_printf(&demo->command->out, "Exported: a world for Gazebo, %d files\n",
                    job.files.count);
    for (int i = 0; i < job.files.count; i++) {
        if (som_str_ends_with(job.files.data[i], SOM_STR("world.sdf"))) {
            tell_file(demo, job.files.data[i], "the world, with the robot and its walk in it");
        }
    }
    som_export_free(&job);
    som_link_meshes_free(&meshes);
}

static void tell_walk(const Demo *demo, SomSimulated *made) {
    SomText *out = &demo->command->out;
    const SomSimulationResult *r = made->run.result;
    som_text_printf(out, "Walked in %s: %s after ", som_engine_title(made->run.engine),
                    som_outcome_word(r->outcome));
    som_text_value(out, r->time, SOM_DIMENSION_TIME);
    som_text_add(out, SOM_STR(", "));
    som_text_value(out, hypot(r->displacement.x, r->displacement.y), SOM_DIMENSION_LENGTH);
    som_text_add(out, SOM_STR(" from where it stood\n"));
    som_simulated_compare(made);
    SomStr page = path_in(demo, "walked.html");
    if (som_simulated_save_page(made, SOM_STR(WALK), page.data)) {
        tell_file(demo, page, "pictures along the run, and the prediction beside it");
    }
    demo->command->failed |= r->outcome != SOM_OUTCOME_COMPLETED;
}

static void walk(const Demo *demo) {
    SomEngineKind engine = som_engine_default();
    if (!som_engine_loads(engine)) {
        som_text_add(&demo->command->out, SOM_STR("Not walked: this program has no physics engine; "
                                                  "./somite simulate installs them\n"));
        return;
    }
    SomSimulated made = {.command = demo->command,
                         .run = {.design = demo->walkbot,
                                 .posture = &demo->posture,
                                 .graph = demo->walk,
                                 .engine = engine,
                                 .def = {.duration = MOST_SECONDS}}};
    announce("walking");
    if (som_simulated_play(&made)) {
        tell_walk(demo, &made);
    }
    som_simulated_free(&made);
}

// ---- the verb

static void show(Demo *demo) {
    SomCommand *command = demo->command;
    SomCompileDef compile_def = {.workspace = som_command_workspace(command),
                                 .configuration = demo->walkbot,
                                 .diags = command->diags};
    demo->posture = som_posture_start(demo->walkbot);
    demo->walk = som_compile_call(&compile_def, SOM_STR(WALK));
    if (demo->walk != NULL && som_file_make_folder(demo->folder, command->diags)) {
        compose(demo);
        verify(demo);
        export_world(demo);
        walk(demo);
        som_text_add(&command->out, SOM_STR("\nOpen the pages in a browser. Next: somite show "
                                            "walkbot; somite library; somite help\n"));
    }
    som_action_graph_destroy(demo->walk);
    som_posture_free(&demo->posture);
}

static void run_demo(SomCommand *command) {
    const char *folder = som_command_value(command, "output");
    SomConfiguration *walkbot = som_command_compose(command, "walkbot");
    if (walkbot != NULL) {
        Demo demo = {.command = command,
                     .folder = folder != NULL ? folder : DEFAULT_FOLDER,
                     .walkbot = walkbot};
        show(&demo);
    }
    som_configuration_destroy(walkbot);
}

static const SomOption options[] = {
    {.name = "output",
     .value = "FOLDER",
     .help = "where to write its files (default: " DEFAULT_FOLDER ")",
     .letter = 'o',
     .kind = SOM_TAKES_FOLDER},
    {0},
};

const SomVerb som_verb_demo = {
    .name = "demo",
    .usage = "[-o FOLDER]",
    .summary = "the main job: a robot composed, verified, exported, and walked under physics",
    .help = "Composes the Walkbot of the library and draws it, verifies it and its walk, exports\n"
            "both as a world for Gazebo, walks it in Gazebo's physics inside this program (in\n"
            "MuJoCo's, if only that is there), and writes pages with pictures, plots, and the\n"
            "prediction beside what physics made of it. Takes about half a minute.\n",
    .options = options,
    .run = run_demo,
};
