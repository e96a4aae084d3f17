// Anyone does anything to a project: operations, assemblies, typing, undo, joints, choices and
// saves in any order. What is saved is opened again as it is, and the way back ends at the first
// text.

// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "studio/assembly.h"
#include "tests/compose/designer.h"
#include "tests/compose/texts.h"

#include <stdlib.h>
#include <unistd.h>

static const char *const starts[] = {"", "walkbot", "chain6", "snake", "mtran_quadruped", "loop"};

static const struct {
    const char *reference, *file;
} parts[] = {{"Chain3", "chain3.som"},      {"SMORES", "smores.m3l"}, {"Chain6", "chain6.som"},
             {"Snake(n = 2)", "snake.som"}, {"MTRAN", "mtran.m3l"},   {"Nothing", "nowhere.som"}};

static const char *const words[] = {"}",       "{",  "\n",     " part x : SMORES\n", "# é\n",
                                    "90deg",   "\"", "config", "for i in",           "0",
                                    "connect", ";",  ",",      "\xF0\x9F\xA4\x96"};

typedef struct Monkey {
    SomProject *project;
    SomAssembly *assembly;
    TestDesigner designer; // has the random numbers
    SomText path;          // of the file it saves to
    int drops, typed, saves;
} Monkey;

static int choose(Monkey *monkey, int n) {
    return test_designer_choose(&monkey->designer, n);
}

static bool is_wrong(const SomProject *project) {
    return som_diagnostics_error_count(som_project_diagnostics(project)) > 0;
}

// ---- what it does

static void operate(Monkey *monkey) {
    if (is_wrong(monkey->project) || som_project_model(monkey->project)->configuration == NULL) {
        return; // operations are for designs that compose
    }
    SomText config = {0};
    som_text_add(&config, som_project_choice(monkey->project));
    int before = monkey->designer.done;
    test_designer_act(&monkey->designer, som_project_design(monkey->project), &config);
    som_project_edited(monkey->project, monkey->designer.done > before);
    som_text_free(&config);
}

static void begin(Monkey *monkey) {
    const SomModel *model = som_project_model(monkey->project);
    int modules = model->configuration != NULL ? model->configuration->module_count : 0;
    int module = choose(monkey, modules + 1) - 1,
        part = choose(monkey, (int)(sizeof parts / sizeof *parts));
    switch (choose(monkey, 5)) {
    case 0:
        som_assembly_begin_copy(monkey->assembly, som_project_selected_part(monkey->project));
        break;
    case 1:
        if (module >= 0) {
            som_assembly_begin_move(monkey->assembly, module, -1);
        }
        break;
    case 2:
        if (module >= 0) {
            som_assembly_begin_connect(monkey->assembly, module, 0);
        }
        break;
    default:
        som_assembly_begin_part(monkey->assembly, som_str(parts[part].reference),
                                som_str(parts[part].file));
    }
}

static void assemble(Monkey *monkey) {
    const SomModel *model = som_project_model(monkey->project);
    bool is_small = model->configuration == NULL || model->configuration->module_count < 40;
    if (is_wrong(monkey->project) || !is_small) {
        return;
    }
    begin(monkey);
    const bool *is_offered;
    const SomSites *sites = som_assembly_sites(monkey->assembly, &is_offered);
    if (sites->count > 0) {
        const SomSite *site = &sites->data[choose(monkey, sites->count)];
        som_assembly_aim_at(monkey->assembly, site->module, site->connector);
    } else {
        som_assembly_aim(monkey->assembly, &(SomAim){0});
    }
    som_assembly_turn(monkey->assembly, choose(monkey, 9) - 4);
    som_assembly_change_own(monkey->assembly, choose(monkey, 9) - 4);
    som_assembly_change_site(monkey->assembly, choose(monkey, 3) - 1);
    SomText said = {0};
    som_assembly_print(monkey->assembly, &said);
    ck_assert(said.length > 0 || som_assembly_kind(monkey->assembly) == SOM_ASSEMBLY_IDLE);
    som_text_free(&said);
    if (choose(monkey, 4) > 0) {
        monkey->drops += som_assembly_drop(monkey->assembly);
    }
    som_assembly_cancel(monkey->assembly);
}

// A word put in, or some bytes taken out, at letters' limits; what was wrong is mostly undone.
static void type(Monkey *monkey) {
    SomText text = {0}, typed = {0};
    som_text_add(&text, som_project_text(monkey->project));
    size_t begin = (size_t)choose(monkey, (int)text.length + 1);
    while (begin < text.length && ((unsigned char)text.data[begin] & 0xC0) == 0x80) {
        begin++;
    }
    size_t end = begin;
    for (int i = choose(monkey, 3); i > 0 && end < text.length; i--) {
        do {
            end++;
        } while (end < text.length && ((unsigned char)text.data[end] & 0xC0) == 0x80);
    }
    som_text_add(&typed, som_str_slice(som_text_str(&text), 0, begin));
    som_text_add(&typed, som_str(words[choose(monkey, (int)(sizeof words / sizeof *words))]));
    som_text_add(&typed, som_str_slice(som_text_str(&text), end, text.length));
    som_project_set_text(monkey->project, som_text_str(&typed));
    ck_assert(som_str_equal(som_project_text(monkey->project), som_text_str(&typed)));
    monkey->typed++;
    if (choose(monkey, 8) > 0) {
        ck_assert(som_project_undo(monkey->project));
        ck_assert(som_str_equal(som_project_text(monkey->project), som_text_str(&text)));
    }
    som_text_free(&text);
    som_text_free(&typed);
}

static void turn_back_or_forth(Monkey *monkey) {
    if (choose(monkey, 2) == 0) {
        som_project_undo(monkey->project);
    } else {
        som_project_redo(monkey->project);
    }
}

static void pose(Monkey *monkey) {
    const SomModel *model = som_project_model(monkey->project);
    int count = model->configuration != NULL ? model->configuration->dof_count : 0;
    som_project_move(monkey->project, choose(monkey, count + 2) - 1, choose(monkey, 7) - 3);
    if (choose(monkey, 4) == 0) {
        som_project_set_posture(monkey->project, NULL);
    }
}

static void select_something(Monkey *monkey) {
    const SomModel *model = som_project_model(monkey->project);
    int count = model->configuration != NULL ? model->configuration->module_count : 0;
    som_project_select(monkey->project, choose(monkey, count + 1) - 1);
    int selected = som_project_selected(monkey->project);
    ck_assert_int_lt(selected, count);
    ck_assert(selected < 0 || som_project_selected_part(monkey->project).length > 0);
}

static void save(Monkey *monkey) {
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert(som_project_save(monkey->project, som_text_str(&monkey->path), diags));
    ck_assert(som_project_is_saved(monkey->project));
    SomProject *again = som_project_create(som_str(test_library));
    ck_assert(som_project_open(again, som_text_str(&monkey->path), diags));
    ck_assert(som_str_equal(som_project_text(again), som_project_text(monkey->project)));
    ck_assert(som_project_is_saved(again));
    som_project_choose(again, som_project_choice(monkey->project));
    ck_assert(is_wrong(again) == is_wrong(monkey->project));
    const SomModel *model = som_project_model(monkey->project), *other = som_project_model(again);
    if (!is_wrong(again) && model->configuration != NULL) {
        ck_assert_int_eq(model->configuration->module_count, other->configuration->module_count);
        ck_assert_int_eq(model->configuration->connection_count,
                         other->configuration->connection_count);
    }
    monkey->saves++;
    som_project_destroy(again);
    som_diagnostics_destroy(diags);
}

static void (*const habits[])(Monkey *) = {
    operate, operate, operate,          assemble, assemble,
    type,    pose,    select_something, save,     turn_back_or_forth};

// ---- what holds

static void on_change(void *context, unsigned changes) {
    som_assembly_follow(((Monkey *)context)->assembly, changes);
}

// To the first text, to the last one, and there again.
static void go_back_and_forth(SomProject *project, SomStr first) {
    SomText last = {0};
    int steps = 0;
    som_text_add(&last, som_project_text(project));
    while (som_project_redo(project)) {
        steps--;
    }
    for (; steps < 0; steps++) {
        ck_assert(som_project_undo(project));
    }
    ck_assert(som_str_equal(som_project_text(project), som_text_str(&last)));
    while (som_project_undo(project)) {
        steps++;
    }
    ck_assert(som_str_equal(som_project_text(project), first));
    for (; steps > 0; steps--) {
        ck_assert(som_project_redo(project));
    }
    ck_assert(som_str_equal(som_project_text(project), som_text_str(&last)));
    som_text_free(&last);
}

static void play(Monkey *monkey, uint64_t seed, int steps) {
    monkey->designer.random.state = seed;
    monkey->project = som_project_create(som_str(test_library));
    monkey->assembly = som_assembly_create(monkey->project);
    som_project_listen(monkey->project, on_change, monkey);
    SomDiagnostics *diags = som_diagnostics_create();
    const char *start = starts[choose(monkey, (int)(sizeof starts / sizeof *starts))];
    ck_assert(start[0] == '\0' || som_project_open(monkey->project, som_str(start), diags));
    SomText first = {0};
    som_text_add(&first, som_project_text(monkey->project));
    for (int i = 0; i < steps; i++) {
        habits[choose(monkey, (int)(sizeof habits / sizeof *habits))](monkey);
    }
    save(monkey);
    go_back_and_forth(monkey->project, som_text_str(&first));
    som_text_free(&first);
    som_diagnostics_destroy(diags);
    som_project_unlisten(monkey->project, on_change, monkey);
    som_assembly_destroy(monkey->assembly);
    som_project_destroy(monkey->project);
}

START_TEST(anything_done_to_a_project_can_be_saved_and_taken_back) {
    char folder[] = "/tmp/somite-monkey-test-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    Monkey monkey = {0};
    som_text_printf(&monkey.path, "%s/robot.som", folder);
    int runs = som_test_count(8, 200);
    for (int i = 0; i < runs; i++) {
        play(&monkey, (uint64_t)i + 1, 40);
    }
    ck_assert_int_gt(monkey.designer.done, runs);
    ck_assert_int_gt(monkey.drops, runs / 2);
    ck_assert_int_gt(monkey.typed, runs);
    ck_assert_int_gt(monkey.saves, 2 * runs);
    unlink(monkey.path.data);
    rmdir(folder);
    som_text_free(&monkey.path);
    som_text_free(&monkey.designer.what);
}
END_TEST

SOM_SUITE("studio/monkey", anything_done_to_a_project_can_be_saved_and_taken_back)
