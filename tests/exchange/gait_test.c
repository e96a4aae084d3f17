// Gaits of the SMORES lab, from their text to motion, against a slow interpreter of the lab's
// rules.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/behaviors_codes.h"
#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "behaviors/compile.h"
#include "behaviors/prediction.h"
#include "compose/posture.h"
#include "tests/exchange/lab_files.h"
#include "tests/exchange/lab_gait.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const joint_names[4] = {"front", "left", "right", "bend"};

// ---- from the files to motion

typedef struct Played {
    SomArena texts;
    SomDiagnostics *diags;
    SomImported imported;
    bool is_imported;
    SomWorkspace *workspace;
    SomConfiguration *design;
    SomPosture posture;
    SomActionGraph *graph;
    SomPrediction prediction;
} Played;

static void show(const Played *p) {
    SomText shown = {0};
    som_diagnostics_print(p->diags, 0, &shown);
    fprintf(stderr, "%s\n%.*s\n", som_text_str(&shown).data,
            SOM_STR_ARG(som_text_str(&p->imported.som)));
    som_text_free(&shown);
}

static void import_files(Played *p, SomStr conf, SomStr gait, const char *name) {
    const SomStr paths[] = {SOM_STR("robot.conf"), som_str(name)};
    const SomStr contents[] = {conf, gait};
    SomImportOptions options = {.library = som_test_library_root()};
    *p = (Played){.diags = som_diagnostics_create()};
    p->is_imported =
        som_import_texts(paths, contents, 2, &options, &p->texts, &p->imported, p->diags);
}

static void play(Played *p, const char *behavior) {
    p->workspace = som_workspace_create(som_test_library_root(), p->diags);
    int file = som_workspace_open_text(p->workspace, SOM_STR("imported.som"),
                                       som_text_str(&p->imported.som));
    p->design = som_configuration_compose(p->workspace, file, SOM_STR(""), p->diags);
    if (p->design == NULL) {
        show(p);
    }
    ck_assert(p->design != NULL);
    p->posture = som_posture_start(p->design);
    SomCompileDef def = {.workspace = p->workspace, .configuration = p->design, .diags = p->diags};
    p->graph = som_compile_call(&def, som_str(behavior));
    if (p->graph == NULL) {
        show(p);
    }
    ck_assert(p->graph != NULL);
    SomServoModel *servos = som_compile_servos(p->design);
    for (int i = 0; i < p->design->dof_count; i++) {
        servos[i].kind = SOM_SERVO_LABORATORY;
    }
    SomPredictionDef prediction = {.graph = p->graph,
                                   .servos = servos,
                                   .initial = p->posture.values,
                                   .tick = 0.001,
                                   .sample_time = 1,
                                   .rest_speed = 1e-4};
    som_prediction_play(&prediction, &p->prediction, p->diags);
    som_free(servos);
}

static void discard(Played *p) {
    som_prediction_free(&p->prediction);
    som_action_graph_destroy(p->graph);
    if (p->design != NULL) {
        som_posture_free(&p->posture);
    }
    som_configuration_destroy(p->design);
    som_workspace_destroy(p->workspace);
    som_imported_free(&p->imported);
    som_diagnostics_destroy(p->diags);
    som_arena_free(&p->texts);
}

// ---- comparing

static int milliseconds(double seconds) {
    return (int)lround(seconds * 1000);
}

// Of the actions on this module that start then, the last end; -1 if there are none.
static int end_of_moves(const Played *p, int module, int start) {
    int end = -1;
    for (int i = 0; i < p->prediction.events.count; i++) {
        const SomPredictionEvent *e = &p->prediction.events.data[i];
        const SomAction *action = &p->graph->actions[p->graph->nodes[e->node].index];
        if (e->is_end || action->target == SOM_NONE || milliseconds(e->time) != start) {
            continue;
        }
        int own = -1;
        sscanf(som_graph_name(p->graph, SOM_SYMBOL_DOF, action->target), "M%d.", &own);
        for (int k = i; own == module && k < p->prediction.events.count; k++) {
            const SomPredictionEvent *later = &p->prediction.events.data[k];
            if (later->is_end && later->node == e->node) {
                int at = milliseconds(later->time);
                end = at > end ? at : end;
            }
        }
    }
    return end;
}

static int count_starts(const Played *p) {
    int count = 0;
    for (int i = 0; i < p->prediction.events.count; i++) {
        const SomPredictionEvent *e = &p->prediction.events.data[i];
        count += !e->is_end && p->graph->actions[p->graph->nodes[e->node].index].target != SOM_NONE;
    }
    return count;
}

// What differs, in words; empty if nothing does.
static const char *difference(const SomLabGait *g, const Played *p) {
    static char words[200];
    words[0] = '\0';
    int moves = 0;
    for (int i = 0; i < g->count; i++) {
        const SomLabCommand *c = &g->commands[i];
        int end = end_of_moves(p, c->module, c->start);
        moves += end >= 0;
        if (end >= 0 && end != c->end) {
            snprintf(words, sizeof words, "command %d ends at %d ms, not %d", i, end, c->end);
        }
    }
    if (moves == 0 && count_starts(p) > 0) {
        snprintf(words, sizeof words, "no command starts in time");
    }
    if (milliseconds(p->prediction.duration) != g->done) {
        snprintf(words, sizeof words, "it ends at %g s, not %d ms", p->prediction.duration,
                 g->done);
    }
    if (milliseconds(p->prediction.rest_time) != g->rest) {
        snprintf(words, sizeof words, "it rests at %g s, not %d ms", p->prediction.rest_time,
                 g->rest);
    }
    int last = p->prediction.times.count - 1;
    for (int i = 0; i < p->design->dof_count; i++) {
        int module, joint = 0;
        char name[16];
        const char *path = p->design->dofs[i].path.data;
        sscanf(path, "M%d.%15[a-z]", &module, name);
        while (strcmp(name, joint_names[joint]) != 0) {
            joint++;
        }
        double at = p->prediction.positions.data[last * p->design->dof_count + i];
        if (fabs(at - g->final[module][joint]) > 1e-9) {
            snprintf(words, sizeof words, "%s is at %.12g, not %.12g", path, at,
                     g->final[module][joint]);
        }
    }
    return words;
}

static void check_gait(SomLabGait *g, SomCode warning) {
    SomText conf = {0}, gait = {0};
    som_lab_print_conf(g, &conf);
    som_lab_print_gait(g, &gait);
    Played p;
    import_files(&p, som_text_str(&conf), som_text_str(&gait), "walk.gait");
    if (!p.is_imported) {
        show(&p);
    }
    ck_assert(p.is_imported);
    int count;
    const SomDiagnostic *all = som_diagnostics_get(p.diags, &count);
    ck_assert(warning == 0 ? count == 0 : count > 0 && all[0].code == warning);
    ck_assert(som_lab_interpret(g));
    play(&p, "walk");
    const char *words = difference(g, &p);
    if (words[0] != '\0') {
        show(&p);
    }
    ck_assert_msg(words[0] == '\0', "%s", words);
    discard(&p);
    som_text_free(&conf);
    som_text_free(&gait);
}

// "M0 i i i p0.5 [1000] {a} (b)", one a line, as the tests below write them.
static SomLabGait gait_of(const char *const *lines) {
    SomLabGait g = {0};
    for (; *lines != NULL; lines++) {
        SomLabCommand c = {.milliseconds = -1, .label = -1, .after = -1, .start = -1, .end = -1};
        const char *at = *lines;
        c.module = at[1] - '0';
        at += 2;
        for (int k = 0; k < 4; k++) {
            at += strspn(at, " ");
            c.mode[k] = *at++;
            char *end;
            c.value[k] = c.mode[k] == 'p' ? strtod(at, &end) : 0;
            at = c.mode[k] == 'p' ? end : at;
        }
        const char *time = strchr(at, '['), *label = strchr(at, '{'), *after = strchr(at, '(');
        c.milliseconds = time != NULL ? atoi(time + 1) : -1;
        c.label = label != NULL ? label[1] - 'a' : -1;
        c.after = after != NULL ? after[1] - 'a' : -1;
        g.commands[g.count++] = c;
    }
    return g;
}

START_TEST(labels_are_barriers) {
    SomLabGait g = gait_of((const char *const[]){"M0 p0 p0 p0 p1.2 {a}", "M1 p0 p0 p0 p-1.2 {a}",
                                                 "M2 i i i p0.3 {a}", "M2 p0 p0 p0 p-1 {b} (a)",
                                                 "M3 i p3 p3 i {b} (a)", "M0 i i i p0 (b) {c}",
                                                 "M3 i p0 p0 i (c)", NULL});
    check_gait(&g, 0);
}
END_TEST

START_TEST(queues_without_labels_run_beside_each_other) {
    SomLabGait g = gait_of((const char *const[]){
        "M0 i i i p-0.8", "M1 i i i p-0.7", "M0 i i i i [1000]", "M1 i i i i [30]",
        "M0 i i i p0.4 [500]", "M0 i i i p-0.8 [0]", "M1 p1 i i p0.5 [7]", "M1 i p2 i i",
        "M0 i i i i", "M0 i i i i", NULL});
    check_gait(&g, 0);
}
END_TEST

// Wheels turn far, longer than the time-out of the module type.
START_TEST(long_ways_are_not_cut_off) {
    SomLabGait g = gait_of((const char *const[]){"M0 i p40 p-40 i {a}", "M1 i p2 i i (a)", NULL});
    check_gait(&g, 0);
}
END_TEST

// A label between two queues, as the letter N: what ends before anyway is waited for.
START_TEST(an_order_that_costs_nothing_makes_a_form) {
    SomLabGait g = gait_of((const char *const[]){
        "M0 i i i p-0.8", "M2 i i i p-0.8", "M0 i i i i [100]", "M2 i i i i [100]",
        "M2 i i i p0.4 [1000] {a}", "M0 i i i p0.4 [1000] (a)", "M2 i i i i [1000]",
        "M1 i i i p0.1", NULL});
    check_gait(&g, SOM_GAIT_WAITS_ADDED);
}
END_TEST

static SomLabGait random_gait(SomTestRandom *random) {
    SomLabGait g = {0};
    int modules = som_test_int(random, 1, SOM_LAB_MOST_MODULES),
        labels = som_test_int(random, 0, 4);
    g.count = som_test_int(random, 1, 14);
    for (int i = 0; i < 4 * SOM_LAB_MOST_MODULES; i++) {
        bool is_bent = som_test_int(random, 0, 3) == 0;
        g.initial[i / 4][i % 4] = is_bent ? som_test_int(random, -10, 10) * 0.11 : 0;
    }
    for (int i = 0; i < g.count; i++) {
        SomLabCommand *c = &g.commands[i];
        *c = (SomLabCommand){.milliseconds = -1, .label = -1, .after = -1, .start = -1, .end = -1};
        c->module = som_test_int(random, 0, modules - 1);
        for (int k = 0; k < 4; k++) {
            c->mode[k] = som_test_int(random, 0, 2) == 0 ? 'p' : 'i';
            c->value[k] = som_test_int(random, -12, 12) * 0.1;
        }
        if (som_test_int(random, 0, 2) == 0) {
            c->milliseconds = som_test_int(random, 0, 400);
        }
        // mostly in stages: what sets the next label waits for the one before
        int stage = labels > 0 ? i * (labels + 1) / g.count : 0;
        if (labels > 0 && som_test_int(random, 0, 4) > 0) {
            c->label = stage < labels ? stage : -1;
            c->after = stage > 0 ? stage - 1 : -1;
        }
    }
    return g;
}

START_TEST(random_tables_move_as_the_rules_say) {
    SomTestRandom random = {1606};
    int played = 0, refused = 0;
    for (int i = 0; i < som_test_count(120, 3000); i++) {
        SomLabGait g = random_gait(&random);
        SomText conf = {0}, gait = {0};
        som_lab_print_conf(&g, &conf);
        som_lab_print_gait(&g, &gait);
        Played p;
        import_files(&p, som_text_str(&conf), som_text_str(&gait), "walk.gait");
        bool runs = som_lab_interpret(&g);
        int count;
        const SomDiagnostic *all = som_diagnostics_get(p.diags, &count);
        if (p.is_imported) {
            play(&p, "walk");
            const char *words = difference(&g, &p);
            if (words[0] != '\0') {
                show(&p);
            }
            ck_assert_msg(runs && words[0] == '\0', "%d: %s\n%s", i, words, gait.data);
            played++;
        } else {
            SomCode code = all[count - 1].code;
            for (int k = 0; k < count; k++) {
                bool is_order =
                    all[k].code == SOM_ORDER_CYCLE || all[k].code == SOM_ORDER_NOT_SERIES_PARALLEL;
                code = is_order ? all[k].code : code;
            }
            bool is_right =
                code == SOM_ORDER_NOT_SERIES_PARALLEL ? runs : code == SOM_ORDER_CYCLE && !runs;
            if (!is_right) {
                show(&p);
            }
            ck_assert_msg(is_right, "%d: refused with %d\n%s", i, (int)code, gait.data);
            refused++;
        }
        discard(&p);
        som_text_free(&conf);
        som_text_free(&gait);
    }
    ck_assert_int_gt(played, 4 * refused);
    ck_assert_int_gt(refused, 0);
}
END_TEST

// ---- what is wrong

static SomCode refusal(const char *gait) {
    SomLabGait g = {0};
    SomText conf = {0};
    som_lab_print_conf(&g, &conf);
    Played p;
    import_files(&p, som_text_str(&conf), som_str(gait), "walk.gait");
    ck_assert_msg(!p.is_imported && p.imported.som.length == 0, "%s", gait);
    int count;
    SomCode code = som_diagnostics_get(p.diags, &count)[0].code;
    discard(&p);
    som_text_free(&conf);
    return code;
}

START_TEST(what_cannot_be_imported_is_refused) {
    static const struct {
        const char *gait;
        SomCode code;
    } cases[] = {
        {"", SOM_GAIT_EMPTY},
        {"// nothing\n\n", SOM_GAIT_EMPTY},
        {"M0 p0 p0 p0 p0 p0 ;", SOM_GAIT_SYNTAX},
        {"M0 p0 pp p0 p0 ;", SOM_GAIT_SYNTAX},
        {"M0 p i i i ;", SOM_GAIT_SYNTAX},
        {"M0 pnan i i i ;", SOM_GAIT_SYNTAX},
        {"M0 p1e400 i i i ;", SOM_IMPORT_OUT_OF_RANGE},
        {"M0 p1e7 i i i ;", SOM_IMPORT_OUT_OF_RANGE},
        {"M0 i i i p1 [x] ;", SOM_GAIT_SYNTAX},
        {"M0 i i i p1 [-1] ;", SOM_GAIT_SYNTAX},
        {"M0 i i i p1 [1] [2] ;", SOM_GAIT_SYNTAX},
        {"M0 i i i p1 {a ;", SOM_GAIT_SYNTAX},
        {"M0 i i i p1 {} ;", SOM_GAIT_SYNTAX},
        {"M0 i i i p1 {a} {b} ;", SOM_GAIT_SYNTAX},
        {"{a} ;", SOM_GAIT_SYNTAX},
        {"M0 i s1 i i ;", SOM_GAIT_SPEED_WITHOUT_TIME},
        {"M9 i i i p1 ;", SOM_IMPORT_NAME_UNKNOWN},
        {"$ + &M0 #0 &M1 #3 {a} ;", SOM_GAIT_DOCK},
        {"$ - &M0 &M1 ;", SOM_GAIT_DOCK},
        {"M0 i i i p1 (a) {b} ; M1 i i i p1 (b) {a} ;", SOM_ORDER_CYCLE},
        {"M0 i i i p1 (a) {a} ;", SOM_ORDER_CYCLE},
        // a long first move, and one that does not wait for it
        {"M0 i p30 i i ;\nM0 i i i p1 (b) ;\nM1 i i i p1 {b} ;\nM1 i p30 i i ;\nM2 i p9 i i (b) ;",
         SOM_ORDER_NOT_SERIES_PARALLEL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_msg(refusal(cases[i].gait) == cases[i].code, "%s", cases[i].gait);
    }
    ck_assert_int_eq(som_test_refusal("a.gait", SOM_STR("M0 i i i p1 ;")), SOM_GAIT_NO_ROBOT);
    SomText many = {0};
    for (int i = 0; i < 2049; i++) {
        som_text_add(&many, SOM_STR("M0 i i i p1 ;"));
    }
    ck_assert_int_eq(refusal(many.data), SOM_GAIT_TOO_MUCH);
    som_text_free(&many);
}
END_TEST

// A refused command is one error; those that wait for its label are not wrong.
START_TEST(labels_of_refused_commands_are_set) {
    static const char *const gaits[] = {
        "$ - &M0 &M1 {g} ;\nM0 i i i p1 (g) ;",     "M0 i i i p1 (g) ;\n$ + &M0 #0 &M1 #3 { g } ;",
        "M0 i x i p1 {g} ;\nM1 i i i p1 (g) ;",     "M0 i s1 i i {g} ;\nM1 i i i p1 (g) ;",
        "M0 i i i p1 [x] {g} ;\nM1 i i i p1 (g) ;",
    };
    for (size_t i = 0; i < sizeof gaits / sizeof *gaits; i++) {
        SomLabGait g = {0};
        SomText conf = {0};
        som_lab_print_conf(&g, &conf);
        Played p;
        import_files(&p, som_text_str(&conf), som_str(gaits[i]), "a.gait");
        ck_assert(!p.is_imported);
        ck_assert_int_eq(som_diagnostics_error_count(p.diags), 1);
        ck_assert_msg(!som_diagnostics_has(p.diags, SOM_GAIT_LABEL_UNKNOWN), "%s", gaits[i]);
        discard(&p);
        som_text_free(&conf);
    }
}
END_TEST

// What the text has, or not: one line of the behavior each.
static void check_written(const char *name, const char *gait, SomCode warning,
                          const char *written) {
    SomLabGait g = {0};
    SomText conf = {0};
    som_lab_print_conf(&g, &conf);
    Played p;
    import_files(&p, som_text_str(&conf), som_str(gait), name);
    if (!p.is_imported) {
        show(&p);
    }
    ck_assert(p.is_imported);
    int count;
    const SomDiagnostic *all = som_diagnostics_get(p.diags, &count);
    ck_assert_msg(warning == 0 ? count == 0 : count > 0 && all[0].code == warning, "%s", gait);
    ck_assert_msg(strstr(p.imported.som.data, written) != NULL, "%s\n%s", written,
                  p.imported.som.data);
    discard(&p);
    som_text_free(&conf);
}

START_TEST(odd_lines_are_understood) {
    check_written("w.gait", "M0 i s-2 i i [2002] ;", SOM_GAIT_SPEED,
                  "M0.left spin -2rad/s during 2003ms");
    check_written("w.gait", "M0 p0 p0 p0 [1000]", SOM_GAIT_JOINTS_MISSING,
                  "parallel(\n            M0.front to 0deg during 1001ms,");
    check_written("w.gait", "M0 i t5 c p1 ;", SOM_GAIT_MODE_IGNORED, "M0.bend to 1rad");
    check_written("w.gait", "M0 i i i p1 (nobody);", SOM_GAIT_LABEL_UNKNOWN, "M0.bend to 1rad");
    check_written("w.gait", "M0 i i i p1.57079632679 (START){a};turn up", 0,
                  "# M0 i i i p1.57079632679 (START){a} ; turn up\n        M0.bend to 90deg");
    check_written("w.gait", "M0 i i i p1 ; M1 i i i p-1 ; // both", 0,
                  "# M1 i i i p-1 ; both\n        M1.bend to -1rad");
    check_written("w.gait", "\tM0\ti  i i p1[0](b){c}\r\n", SOM_GAIT_LABEL_UNKNOWN,
                  "M0.bend to 1rad during 2ms");
    check_written("Commands", "M0 i i i p1 ;", 0, "behavior Commands = ");
    check_written("M0.gait", "M0 i i i p1 ;", 0, "behavior M0_2 = ");
    check_written("b3-g0.gait", "M0 i i i p1 ;", 0, "behavior \"b3-g0\" = ");
}
END_TEST

SOM_SUITE("exchange/gait", labels_are_barriers, queues_without_labels_run_beside_each_other,
          long_ways_are_not_cut_off, an_order_that_costs_nothing_makes_a_form,
          random_tables_move_as_the_rules_say, what_cannot_be_imported_is_refused,
          labels_of_refused_commands_are_set, odd_lines_are_understood)
