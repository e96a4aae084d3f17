// SPDX-License-Identifier: Apache-2.0
// Random designs, verified, and judged by an oracle with kinematics, solids and rules of its own:
// what it finds wrong by a clear margin is never called safe, and most of what is clearly right is.
//
// A failure prints the design and writes its files to a folder, for `somite verify`. With
// SOM_ORACLE_CASE=N the design of that number alone is judged.

#include "base/memory.h"
#include "behaviors/compile.h"
#include "exchange/import.h"
#include "tests/compose/texts.h"
#include "tests/verify/oracle_generator.h"
#include "tests/verify/oracle_judge.h"
#include "tests/verify/oracle_text.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_TIME 6     // seconds of a motion that are looked at
#define MOST_WAYS 9     // that sensors can make it go
#define SPREAD 5        // which of them: every one of so many, round and round
#define CLEAR_SHARE 0.6 // of designs that are clearly right

// ---- one design, composed

typedef struct Case {
    int number;
    OracleDesign design;
    SomText types, som; // as they are written
    const char *use;
    SomDiagnostics *diags;
    SomWorkspace *workspace;
    SomConfiguration *configuration;
    SomMechanism *mechanism;
} Case;

// URDF becomes M3L as any import of it.
static void import_types(Case *c) {
    SomArena texts = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    SomImportOptions options = {.library = som_str(test_library), .out = SOM_STR("T0.som")};
    SomImported result = {0};
    bool is_good = som_import_text(SOM_STR("T0.urdf"), som_text_str(&c->types), &options, &texts,
                                   &result, diags);
    ck_assert_msg(is_good && result.files.count == 1, "design %d:\n%s", c->number, c->types.data);
    SomText m3l = {0};
    som_text_add(&m3l, result.files.data[0].content);
    som_workspace_open_text(c->workspace, result.files.data[0].path, som_text_str(&m3l));
    som_text_free(&m3l);
    som_imported_free(&result);
    som_diagnostics_destroy(diags);
    som_arena_free(&texts);
}

static void give_up(const Case *c, const char *what) {
    printf("# %s\n%s\n%s", what, c->types.data, c->som.data); // too long for a message
    fflush(stdout);
    ck_abort_msg("design %d cannot be composed", c->number);
}

static void open_case(Case *c, int number) {
    *c = (Case){.number = number};
    oracle_generate(number, &c->design);
    bool is_urdf = c->design.types[0].is_urdf;
    c->diags = som_diagnostics_create();
    c->workspace = som_workspace_create(som_str(test_library), c->diags);
    c->use = is_urdf ? "T0.m3l" : "types.m3l";
    if (is_urdf) {
        oracle_write_urdf(&c->types, &c->design.types[0]);
        import_types(c);
    } else {
        oracle_write_m3l(&c->types, &c->design);
        som_workspace_open_text(c->workspace, som_str(c->use), som_text_str(&c->types));
    }
    oracle_write_design(&c->som, &c->design, c->use);
    int file = som_workspace_open_text(c->workspace, SOM_STR("a.som"), som_text_str(&c->som));
    c->configuration = som_configuration_compose(c->workspace, file, SOM_STR(""), c->diags);
    if (c->configuration == NULL) {
        SomText words = {0};
        som_diagnostics_print(c->diags, 0, &words);
        give_up(c, words.data);
    }
    c->mechanism = som_mechanism_create(c->configuration);
}

static void close_case(Case *c) {
    som_mechanism_destroy(c->mechanism);
    som_configuration_destroy(c->configuration);
    som_workspace_destroy(c->workspace);
    som_diagnostics_destroy(c->diags);
    som_text_free(&c->types);
    som_text_free(&c->som);
}

// ---- its motion

static SomActionGraph *compile(Case *c, SomStr text) {
    SomCompileDef def = {
        .workspace = c->workspace, .configuration = c->configuration, .diags = c->diags};
    SomActionGraph *graph = som_compile_call(&def, text);
    if (graph == NULL) {
        SomText words = {0};
        som_text_printf(&words, "%.*s\n", SOM_STR_ARG(text));
        som_diagnostics_print(c->diags, 0, &words);
        give_up(c, words.data);
    }
    return graph;
}

static void name_numbers(const Case *c, OracleMotion *motion, int *connection_of) {
    SomText path = {0};
    for (int i = 0; i < c->design.part_count; i++) {
        for (int k = 0; k < oracle_type(&c->design, i)->joint_count; k++) {
            som_text_clear(&path);
            oracle_write_joint(&path, i, k);
            motion->dofs[i][k] =
                som_configuration_find_dof(c->configuration, som_text_str(&path), NULL);
        }
    }
    for (int i = 0; i < c->design.connection_count; i++) {
        som_text_clear(&path);
        som_text_printf(&path, "d%d", i);
        int dock = som_configuration_find_dock(c->configuration, som_text_str(&path));
        if (dock >= 0) {
            connection_of[dock] = i;
        }
    }
    som_text_free(&path);
}

static void judge_way(Case *c, const int *outcomes, OracleJudgement *out) {
    SomText text = {0};
    oracle_write_behavior(&text, &c->design, outcomes);
    SomActionGraph *graph = compile(c, som_text_str(&text));
    SomServoModel *servos = som_compile_servos(c->configuration);
    SomPrediction p = {0};
    SomDiagnostics *reports = som_diagnostics_create();
    som_prediction_play(&(SomPredictionDef){.graph = graph,
                                            .servos = servos,
                                            .initial = c->configuration->start,
                                            .design = c->configuration,
                                            .rest_speed = 1e-3,
                                            .is_excerpt = true,
                                            .most_time = MOST_TIME},
                        &p, reports);
    OracleMotion motion = {.times = p.times.data,
                           .values = p.positions.data,
                           .sample_count = p.times.count,
                           .dof_count = p.dof_count,
                           .has_ended = p.status == SOM_PLAYER_COMPLETED};
    int connection_of[ORACLE_CONNECTIONS];
    name_numbers(c, &motion, connection_of);
    for (int i = 0; i < p.docks.count && motion.dock_count < 64; i++) {
        int at = motion.dock_count++;
        motion.docks[at].time = p.docks.data[i].time;
        motion.docks[at].connection = connection_of[p.docks.data[i].dock];
        motion.docks[at].is_closed = p.docks.data[i].is_closed;
    }
    oracle_judge(&c->design, outcomes, &motion, out);
    som_prediction_free(&p);
    som_diagnostics_destroy(reports);
    som_free(servos);
    som_action_graph_destroy(graph);
    som_text_free(&text);
}

static OracleJudgement judge(Case *c) {
    OracleJudgement judgement = {.is_clear = true};
    int outcomes[ORACLE_ACTIONS] = {0}, all = 1;
    for (int i = 0; i < c->design.sensor_count; i++) {
        all *= ORACLE_OUTCOMES;
    }
    if (all > MOST_WAYS) {
        oracle_doubt(&judgement, "not all %d ways are looked at", all);
    }
    for (int k = 0; k < all && k < MOST_WAYS; k++) {
        int rest = k * SPREAD % all;
        for (int i = 0; i < c->design.sensor_count; i++) {
            outcomes[i] = rest % ORACLE_OUTCOMES;
            rest /= ORACLE_OUTCOMES;
        }
        judge_way(c, outcomes, &judgement);
    }
    return judgement;
}

// ---- verdicts

static bool is_safe(const SomVerification *found) {
    return found->verdict == SOM_VERDICT_SAFE;
}

// What a check claims if it has found nothing.
static bool claims_otherwise(const SomVerification *found, OracleWrong wrong) {
    static const SomCheck checks[] = {SOM_CHECK_SELF_COLLISION, SOM_CHECK_JOINT_LIMIT,
                                      SOM_CHECK_STABILITY,      SOM_CHECK_STABILITY,
                                      SOM_CHECK_LOAD,           SOM_CHECK_LOOP};
    return som_verification_claims(found, checks[wrong]);
}

static SomVerification *verify(Case *c) {
    SomActionGraph *graph = compile(c, SOM_STR("go"));
    SomVerifyOptions options = som_verify_default_options();
    ck_assert(som_verify_read_settings(c->configuration, &options, c->diags));
    SomVerification *found =
        som_verify(&(SomVerifyDef){.mechanism = c->mechanism, .graph = graph, .options = &options});
    som_action_graph_destroy(graph);
    return found;
}

static void save(const char *folder, const char *name, SomStr text) {
    SomText path = {0};
    som_text_printf(&path, "%s/%s", folder, name);
    FILE *file = fopen(path.data, "w");
    if (file != NULL) {
        fwrite(text.data, 1, text.length, file);
        fclose(file);
    }
    som_text_free(&path);
}

static void show(const Case *c, const char *what, const char *reason) {
    SomText folder = {0};
    const char *temporary = getenv("TMPDIR");
    som_text_printf(&folder, "%s/som-oracle-%d", temporary != NULL ? temporary : "/tmp", c->number);
    mkdir(folder.data, 0777);
    save(folder.data, c->design.types[0].is_urdf ? "T0.urdf" : c->use, som_text_str(&c->types));
    save(folder.data, "a.som", som_text_str(&c->som));
    printf("# design %d (%s): %s, but %s; see %s\n", c->number, c->design.recipe, what, reason,
           folder.data);
    som_text_free(&folder);
}

// What designs are made of.
typedef enum Kind {
    IMPORTED,     // robots of one module that come from URDF
    OPENING,      // docks that open
    CLOSING,      // docks that close
    RELATIVE,     // relative moves
    ASKING,       // conditions on sensors
    COMING_APART, // docks that release a piece
    KINDS
} Kind;

static const char *const kind_names[KINDS] = {"imported robots",  "docks that open",
                                              "docks that close", "relative moves",
                                              "sensors",          "released pieces"};

typedef struct Tally {
    int designs, safe, clear, clear_and_safe, of_kind[KINDS];
    int wrong[ORACLE_WRONGS], false_safe[ORACLE_WRONGS], false_claims[ORACLE_WRONGS];
    int all_false;
} Tally;

static bool has_kind(const Case *c, OracleActionKind kind) {
    bool has = false;
    for (int i = 0; i < c->design.action_count; i++) {
        has |= c->design.actions[i].kind == kind;
    }
    return has;
}

// Whether a dock that a design opens takes it apart.
static bool comes_apart(const Case *c) {
    const OracleDesign *d = &c->design;
    bool has_pieces = false;
    for (int i = 0; i < d->action_count; i++) {
        OracleState state;
        OraclePlaces before, places;
        if (d->actions[i].kind == ORACLE_DISCONNECT) {
            oracle_start(d, &state);
            oracle_place(d, &state, NULL, &before);
            state.is_closed[d->actions[i].dock] = false;
            oracle_place(d, &state, &before, &places);
            for (int part = 0; part < d->part_count; part++) {
                has_pieces |= places.piece[part] != 0;
            }
        }
    }
    return has_pieces;
}

static void count_kinds(Case *c, Tally *tally) {
    bool has[KINDS] = {
        [IMPORTED] = c->design.types[0].is_urdf, [OPENING] = has_kind(c, ORACLE_DISCONNECT),
        [CLOSING] = has_kind(c, ORACLE_CONNECT), [RELATIVE] = has_kind(c, ORACLE_BY),
        [ASKING] = c->design.sensor_count > 0,   [COMING_APART] = comes_apart(c)};
    for (int i = 0; i < KINDS; i++) {
        tally->of_kind[i] += has[i];
    }
}

static void judge_case(int number, Tally *tally) {
    static Case c;
    open_case(&c, number);
    count_kinds(&c, tally);
    SomVerification *found = verify(&c);
    OracleJudgement judgement = judge(&c);
    tally->designs++;
    tally->safe += is_safe(found);
    bool is_false = false;
    for (int i = 0; i < ORACLE_WRONGS; i++) {
        tally->wrong[i] += judgement.is_wrong[i];
        if (!judgement.is_wrong[i]) {
            continue;
        }
        bool is_claimed = claims_otherwise(found, (OracleWrong)i);
        tally->false_claims[i] += is_claimed;
        tally->false_safe[i] += is_safe(found);
        if (is_claimed || is_safe(found)) {
            is_false = true;
            show(&c, is_safe(found) ? "safe" : "claim", judgement.reason[i]);
        }
    }
    tally->all_false += is_false;
    tally->clear += judgement.is_clear;
    tally->clear_and_safe += judgement.is_clear && is_safe(found);
    if (getenv("SOM_ORACLE_CASE") != NULL) {
        show(&c, "wanted", judgement.is_clear ? "clear" : judgement.doubt);
        printf("%s\n%s\n", c.types.data, c.som.data);
        for (int i = 0; i < ORACLE_WRONGS; i++) {
            printf("# %s: %s\n", oracle_wrong_name((OracleWrong)i), judgement.reason[i]);
        }
        printf("# %s\n", som_verdict_word(found->verdict));
    }
    som_verification_destroy(found);
    close_case(&c);
}

START_TEST(what_is_wrong_is_never_safe) {
    Tally tally = {0};
    const char *only = getenv("SOM_ORACLE_CASE");
    if (only != NULL) {
        judge_case(atoi(only), &tally);
        return;
    }
    for (int i = 0; i < som_test_count(200, 5000); i++) {
        judge_case(i, &tally);
    }
    printf("# %d designs, %d safe; clearly right %d, of which safe %d\n", tally.designs, tally.safe,
           tally.clear, tally.clear_and_safe);
    for (int i = 0; i < KINDS; i++) {
        printf("# with %s: %d\n", kind_names[i], tally.of_kind[i]);
        ck_assert_int_ge(tally.of_kind[i], tally.designs / 20);
    }
    for (int i = 0; i < ORACLE_WRONGS; i++) {
        printf("# %s: %d designs, %d of them called safe, %d claimed to be free of it\n",
               oracle_wrong_name((OracleWrong)i), tally.wrong[i], tally.false_safe[i],
               tally.false_claims[i]);
        ck_assert_int_gt(tally.wrong[i], 0);
    }
    fflush(stdout);
    ck_assert_int_eq(tally.all_false, 0);
    ck_assert_int_ge(tally.clear, tally.designs / 20);
    ck_assert_double_ge(tally.clear_and_safe, CLEAR_SHARE * tally.clear);
}
END_TEST

SOM_SUITE("verify/oracle", what_is_wrong_is_never_safe)
