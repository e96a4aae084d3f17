// Modules and assemblies of Timor: where they stand by Timor's own rules, written out here with
// matrices of four rows (Module.py of JonathanKuelz/timor-python), and after an import.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/base_codes.h"
#include "base/codes/compose_codes.h"
#include "base/codes/exchange_codes.h"
#include "base/memory.h"
#include "base/number.h"
#include "tests/exchange/lab_files.h"
#include "tests/exchange/matrix.h"
#include "tests/exchange/placed_text.h"
#include "tests/exchange/read_type.h"

#include <math.h>
#include <stdio.h>

static const SomTestMatrix flip = {{{1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}, {0, 0, 0, 1}}};

// A module of two bodies: in -> body a -> joint -> body b -> out. That which stands has a base.
typedef struct Kind {
    bool is_prismatic;
    SomTestMatrix in, joint, child, out;
} Kind;

static void print_connector(SomText *out, const char *id, SomTestMatrix pose, char gender,
                            const char *type) {
    som_text_printf(out,
                    "{\"ID\":\"%s\",\"gender\":\"%c\",\"type\":\"%s\",\"size\":[80],\"pose\":", id,
                    gender, type);
    som_test_print_matrix(out, pose);
    som_text_add(out, SOM_STR("}"));
}

static void print_kind(SomText *out, const Kind *kind, int number) {
    som_text_printf(out,
                    "%s{\"header\":{\"ID\":\"%d\",\"name\":\"kind\"},\"bodies\":[{\"ID\":\"in\","
                    "\"mass\":1,\"r_com\":[0,0,0],\"inertia\":[[1,0,0],[0,1,0],[0,0,1]],"
                    "\"connectors\":",
                    number > 0 ? "," : "", number);
    print_connector(out, "in", kind->in, 'f', number == 0 ? "base" : "flange");
    som_text_add(out, SOM_STR("},{\"ID\":\"b\",\"mass\":2,\"collision\":[{\"type\":\"sphere\","
                              "\"parameters\":{\"r\":0.1}}],\"connectors\":["));
    print_connector(out, "out", kind->out, 'm', "flange");
    som_text_printf(out,
                    "]}],\"joints\":[{\"ID\":\"q\",\"parent\":\"in\",\"child\":\"b\",\"type\":"
                    "\"%s\",\"limits\":{\"positionLower\":-Infinity,\"positionUpper\":Infinity,"
                    "\"peakTorque\":NaN},\"poseParent\":",
                    kind->is_prismatic ? "prismatic" : "revolute");
    som_test_print_matrix(out, kind->joint);
    som_text_add(out, SOM_STR(",\"poseChild\":"));
    som_test_print_matrix(out, kind->child);
    som_text_add(out, SOM_STR("}]}"));
}

static SomTestMatrix motion(const Kind *kind, double q) {
    double c = kind->is_prismatic ? 1 : cos(q), s = kind->is_prismatic ? 0 : sin(q);
    return (SomTestMatrix){
        {{c, -s, 0, 0}, {s, c, 0, 0}, {0, 0, 1, kind->is_prismatic ? q : 0}, {0, 0, 0, 1}}};
}

static SomImported import_both(const char *modules, const char *assembly, SomCode *code) {
    const SomStr paths[] = {SOM_STR("robot.json"), SOM_STR("modules.json")};
    const SomStr contents[] = {som_str(assembly), som_str(modules)};
    SomImportOptions options = {.library = som_test_library_root(), .out = SOM_STR("robot.som")};
    SomArena texts = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    SomImported result;
    bool fine = som_import_texts(paths, contents, 2, &options, &texts, &result, diags);
    int count;
    const SomDiagnostic *all = som_diagnostics_get(diags, &count);
    *code = 0;
    for (int i = 0; i < count && !fine && *code == 0; i++) {
        *code = all[i].severity == SOM_ERROR ? all[i].code : 0;
    }
    som_diagnostics_destroy(diags);
    som_arena_free(&texts);
    return result;
}

START_TEST(assemblies_stand_as_timor_places_them) {
    SomTestRandom random = {596};
    double worst = 0;
    for (int n = 0; n < som_test_count(25, 1000); n++) {
        Kind kinds[3];
        SomText modules = {0}, assembly = {0};
        som_text_add(&modules, SOM_STR("{\"modules\":["));
        for (int i = 0; i < 3; i++) {
            kinds[i] = (Kind){som_test_int(&random, 0, 1) == 0, som_test_random_motion(&random),
                              som_test_random_motion(&random), som_test_random_motion(&random),
                              som_test_random_motion(&random)};
            print_kind(&modules, &kinds[i], i);
        }
        som_text_add(&modules, SOM_STR("]}"));
        int count = som_test_int(&random, 1, 5), order[5] = {0};
        SomTestMatrix base = som_test_random_motion(&random);
        som_text_add(&assembly, SOM_STR("{\"moduleSet\":\"x\",\"moduleOrder\":[\"0\""));
        for (int i = 1; i < count; i++) {
            order[i] = som_test_int(&random, 1, 2);
            som_text_printf(&assembly, ",\"%d\"", order[i]);
        }
        som_text_add(&assembly, SOM_STR("],"));
        if (n % 2 == 0) { // else it is a chain
            som_text_add(&assembly, SOM_STR("\"moduleConnection\":["));
            for (int i = 1; i < count; i++) {
                som_text_printf(&assembly, "%s[%d,\"in\",%d,\"out\"]", i > 1 ? "," : "", i, i - 1);
            }
            som_text_add(&assembly, SOM_STR("],\"baseConnection\":[[0,\"in\",0]],"));
        }
        som_text_add(&assembly, SOM_STR("\"basePose\":["));
        som_test_print_matrix(&assembly, base);
        som_text_add(&assembly, SOM_STR("]}"));
        SomCode code;
        SomImported result = import_both(modules.data, assembly.data, &code);
        ck_assert_msg(result.som.length > 0, "%d", (int)code);
        SomTestPlaced placed = som_test_place_imported(&result);
        ck_assert_int_eq(placed.posture.count, count);
        SomTestMatrix connector = som_test_multiply(base, flip);
        for (int i = 0; i < count; i++) {
            placed.posture.values[i] = som_test_uniform(&random, -2, 2);
        }
        som_mechanism_place(placed.mechanism, &placed.posture, placed.links);
        for (int i = 0; i < count; i++) {
            const Kind *kind = &kinds[order[i]];
            SomTestMatrix body = som_test_multiply(connector, som_test_invert(kind->in));
            char path[16];
            snprintf(path, sizeof path, "m%d", i);
            worst = fmax(worst, som_test_matrix_distance(body, som_test_pose_of(&placed, path)));
            SomTestMatrix moved = som_test_multiply(
                som_test_multiply(body, kind->joint),
                som_test_multiply(motion(kind, placed.posture.values[i]), kind->child));
            connector = som_test_multiply(som_test_multiply(moved, kind->out), flip);
        }
        som_test_free_placed(&placed);
        som_imported_free(&result);
        som_text_free(&modules);
        som_text_free(&assembly);
    }
    ck_assert_double_lt(worst, 1e-9);
}
END_TEST

#define MODULE(id, bodies, joints)                                                                 \
    "{\"header\":{\"ID\":\"" id "\"},\"bodies\":[" bodies "],\"joints\":[" joints "]}"
#define BODY(id, more) "{\"ID\":\"" id "\",\"mass\":1" more "}"
#define CONNECTORS(list) ",\"connectors\":[" list "]"
#define BASE "{\"ID\":\"in\",\"gender\":\"f\",\"type\":\"base\"},{\"ID\":\"out\",\"gender\":\"m\"}"
#define FLANGE(more) "{\"ID\":\"in\",\"gender\":\"f\"" more "},{\"ID\":\"out\",\"gender\":\"m\"}"
#define MODULES(list) "{\"modules\":[" list "]}"
#define SET                                                                                        \
    MODULES(MODULE("B", BODY("b", CONNECTORS(BASE)), "") "," MODULE(                               \
        "L", BODY("b", CONNECTORS(FLANGE(""))),                                                    \
        "") "," MODULE("S", BODY("b", CONNECTORS(FLANGE(",\"size\":3"))), ""))

START_TEST(wrong_files_are_refused) {
    static const struct {
        const char *modules, *assembly;
        SomCode code;
    } cases[] = {
        {SET, "{\"moduleOrder\":[\"X\"]}", SOM_IMPORT_NAME_UNKNOWN},
        {SET, "{\"moduleOrder\":[]}", SOM_IMPORT_EMPTY},
        {SET, "{\"moduleOrder\":7}", SOM_JSON_WRONG_MEMBER},
        {SET, "{\"moduleOrder\":[\"L\"]}", SOM_TIMOR_BASE},
        {SET, "{\"moduleOrder\":[\"B\"],\"baseConnection\":7}", SOM_JSON_WRONG_MEMBER},
        {SET, "{\"moduleOrder\":[\"B\"],\"baseConnection\":[[0,\"in\",1]]}", SOM_TIMOR_BASE},
        {SET, "{\"moduleOrder\":[\"B\"],\"baseConnection\":[{\"a\":1,\"b\":2,\"c\":3}]}",
         SOM_TIMOR_BASE},
        {SET, "{\"moduleOrder\":[\"B\",\"S\"]}", SOM_TIMOR_CHAIN},
        {SET, "{\"moduleOrder\":[\"B\",\"L\"],\"moduleConnection\":[[0,\"x\",1,\"in\"]]}",
         SOM_TIMOR_CONNECTOR},
        {SET, "{\"moduleOrder\":[\"B\",\"L\"],\"moduleConnection\":[[0,\"in\",1,\"in\"]]}",
         SOM_TIMOR_CANNOT_MATE},
        {SET, "{\"moduleOrder\":[\"B\",\"L\"],\"moduleConnection\":[[0,\"out\",2,\"in\"]]}",
         SOM_IMPORT_NAME_UNKNOWN},
        {SET, "{\"moduleOrder\":[\"B\",\"L\"],\"moduleConnection\":[[1,\"out\",1,\"in\"]]}",
         SOM_IMPORT_SELF_CONNECTION},
        {SET,
         "{\"moduleOrder\":[\"B\",\"L\",\"L\"],\"moduleConnection\":[[0,\"out\",1,\"in\"],"
         "[0,\"out\",2,\"in\"]]}",
         SOM_IMPORT_FACE_TAKEN},
        {SET, "{\"moduleOrder\":[\"B\",\"L\"],\"moduleConnection\":[]}", SOM_IMPORT_IN_PIECES},
        {SET, "{\"moduleOrder\":[\"B\"],\"basePose\":[[1,2],[3]]}", SOM_IMPORT_NOT_RIGID},
        {MODULES(MODULE("B", BODY("b", CONNECTORS("{\"ID\":\"in\",\"gender\":\"x\"}")), "")),
         "{\"moduleOrder\":[\"B\"]}", SOM_TIMOR_GENDER},
        {MODULES(
             MODULE("B", BODY("b", ",\"collision\":{\"type\":\"cone\",\"parameters\":{}}"), "")),
         "{\"moduleOrder\":[\"B\"]}", SOM_TIMOR_GEOMETRY},
        {MODULES(MODULE("B", BODY("a", "") "," BODY("b", ""),
                        "{\"ID\":\"q\",\"parent\":\"a\",\"child\":\"b\",\"type\":\"ball\"}")),
         "{\"moduleOrder\":[\"B\"]}", SOM_TIMOR_JOINT_TYPE},
        {MODULES(MODULE("B", BODY("a", "") "," BODY("a", ""), "")), "{\"moduleOrder\":[\"B\"]}",
         SOM_IMPORT_NAME_TAKEN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomCode code;
        SomImported result = import_both(cases[i].modules, cases[i].assembly, &code);
        ck_assert_msg(result.som.length == 0 && code == cases[i].code, "%s: %d", cases[i].assembly,
                      (int)code);
    }
    ck_assert_int_eq(som_test_refusal("a.json", SOM_STR("{\"moduleOrder\":[\"B\"]}")),
                     SOM_TIMOR_NO_MODULES);
}
END_TEST

// A set alone is a config a module; a mesh that is not there is a warning.
START_TEST(sets_alone_are_configs) {
    SomImported result = som_test_import("modules.json", SOM_STR(SET), 0);
    ck_assert_int_eq(result.config_count, 3);
    ck_assert_int_eq(result.files.count, 1);
    som_imported_free(&result);
    static const char unconnected[] = MODULES(MODULE("A", BODY("b", ""), "") "," MODULE(
        "B", BODY("b", CONNECTORS(FLANGE(""))), "") "," MODULE("C", BODY("b", ""), ""));
    result = som_test_import("modules.json", SOM_STR(unconnected), 0);
    ck_assert_int_eq(result.config_count, 3);
    ck_assert_ptr_nonnull(strstr(result.files.data[0].content.data, "members=((B) a, (B) b)"));
    som_imported_free(&result);
    result = som_test_import("modules.json", SOM_STR(MODULES(MODULE("A", BODY("b", ""), ""))), 0);
    ck_assert_ptr_null(strstr(result.files.data[0].content.data, "connection"));
    som_imported_free(&result);
    static const char mesh[] = MODULES(MODULE(
        "M",
        BODY("b", CONNECTORS(FLANGE("")) ",\"collision\":[{\"type\":\"mesh\",\"parameters\":{"
                                         "\"file\":\"../../etc/x.stl\"}}]"),
        ""));
    result = som_test_import("modules.json", SOM_STR(mesh), 1);
    som_imported_free(&result);
}
END_TEST

// Who made it is kept; what nobody knows is told, once a kind.
START_TEST(nothing_is_left_out_in_silence) {
    SomTestRead r = som_test_read_text(
        "modules.json",
        SOM_STR(MODULES("{\"header\":{\"ID\":\"B\",\"author\":[\"Ann\",\"Bob\"],\"date\":"
                        "\"2023-01-31\",\"colour\":1},\"bodies\":[{\"ID\":\"a\",\"mass\":1,"
                        "\"collision\":[{\"type\":\"sphere\",\"parameters\":{\"r\":0.1,\"x\":1}},"
                        "{\"type\":\"sphere\",\"parameters\":{\"r\":0.1,\"x\":1}}]}]}")),
        NULL);
    ck_assert_ptr_nonnull(r.type);
    ck_assert_ptr_nonnull(strstr(r.result.files.data[0].content.data,
                                 "# B, imported from modules.json. date: 2023-01-31; author: Ann, "
                                 "Bob\n"));
    SomText words = {0};
    som_diagnostics_print(r.diags, 0, &words);
    ck_assert_ptr_nonnull(strstr(words.data, "'colour' was left out [SOM5113]"));
    ck_assert_ptr_nonnull(strstr(words.data, "'x' was left out, 2 times [SOM5113]"));
    ck_assert_int_eq(som_diagnostics_warning_count(r.diags), 2);
    som_text_free(&words);
    som_test_free_read(&r);
}
END_TEST

// ---- loops

// A module that goes round a corner in the plane: in at (-length, 0), out at (0, length); with a
// joint about z between the two, or without. All of them can stand on a foot.
static void print_corner(SomText *out, const char *id, double length, bool has_joint) {
    SomTestMatrix in = {{{0, 0, -1, -length}, {0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 1}}};
    SomTestMatrix end = {{{0, 1, 0, 0}, {0, 0, 1, length}, {1, 0, 0, 0}, {0, 0, 0, 1}}};
    som_text_printf(out,
                    "%s{\"header\":{\"ID\":\"%s\"},\"bodies\":[{\"ID\":\"a\",\"mass\":1,"
                    "\"connectors\":[{\"ID\":\"foot\",\"type\":\"base\",\"gender\":\"h\"},",
                    out->length > 0 ? "," : "{\"modules\":[", id);
    print_connector(out, "in", in, 'f', "flange");
    som_text_add(out, has_joint ? SOM_STR("]},{\"ID\":\"b\",\"mass\":1,\"connectors\":[")
                                : SOM_STR(","));
    print_connector(out, "out", end, 'm', "flange");
    som_text_add(out, has_joint ? SOM_STR("]}],\"joints\":[{\"ID\":\"q\",\"parent\":\"a\","
                                          "\"child\":\"b\",\"type\":\"revolute\"}]}")
                                : SOM_STR("]}],\"joints\":[]}"));
}

// A ring of corners: c and d are rigid, of two lengths; j and k have joints.
static void check_ring(const char *kinds, SomCode code, int warnings) {
    SomText modules = {0}, assembly = {0};
    print_corner(&modules, "c", 0.1, false);
    print_corner(&modules, "d", 0.2, false);
    print_corner(&modules, "j", 0.1, true);
    print_corner(&modules, "k", 0.2, true);
    som_text_add(&modules, SOM_STR("]}"));
    int count = (int)strlen(kinds);
    som_text_add(&assembly, SOM_STR("{\"moduleOrder\":["));
    for (int i = 0; i < count; i++) {
        som_text_printf(&assembly, "%s\"%c\"", i > 0 ? "," : "", kinds[i]);
    }
    som_text_add(&assembly,
                 SOM_STR("],\"baseConnection\":[[0,\"foot\",0]],\"moduleConnection\":["));
    for (int i = 0; i < count; i++) {
        som_text_printf(&assembly, "%s[%d,\"out\",%d,\"in\"]", i > 0 ? "," : "", i,
                        (i + 1) % count);
    }
    som_text_add(&assembly, SOM_STR("]}"));
    const SomStr paths[] = {SOM_STR("robot.json"), SOM_STR("modules.json")};
    const SomStr texts[] = {som_text_str(&assembly), som_text_str(&modules)};
    SomTestRead r = som_test_read_texts(paths, texts, 2, NULL);
    ck_assert_msg((r.type != NULL) == (code == 0), "%s", kinds);
    ck_assert_msg(code == 0 || som_diagnostics_has(r.diags, code), "%s", kinds);
    ck_assert_msg(som_diagnostics_warning_count(r.diags) == warnings, "%s", kinds);
    if (r.type != NULL) {
        SomTestPlaced placed = som_test_place_imported(&r.result); // which closes it
        ck_assert_int_eq(placed.configuration->connection_count, count);
        som_test_free_placed(&placed);
    }
    som_test_free_read(&r);
    som_text_free(&modules);
    som_text_free(&assembly);
}

START_TEST(loops_close_or_are_refused) {
    check_ring("cccc", 0, 0);
    check_ring("cdcd", 0, 0);
    check_ring("ccdd", SOM_LOOP_OPEN, 0); // sides of 0.2, 0.3, 0.4 and 0.3 m do not meet
    check_ring("cccd", SOM_LOOP_OPEN, 0);
    check_ring("ccc", SOM_LOOP_OPEN, 0);
    check_ring("jjjj", 0, 0);
    check_ring("jjjk", 0, 1); // its joints close it, not at zero
    check_ring("jjjjj", 0, 1);
}
END_TEST

// ---- hostile texts

#define JOINT(id, parent, child)                                                                   \
    "{\"ID\":\"" id "\",\"parent\":\"" parent "\",\"child\":\"" child "\",\"type\":\"revolute\"}"
#define TWO(joints) MODULES(MODULE("B", BODY("a", CONNECTORS(BASE)) "," BODY("b", ""), joints))
#define ONE(more) MODULES(MODULE("B", BODY("a", more), ""))
#define POSE(number) "[[1,0,0," number "],[0,1,0,0],[0,0,1,0],[0,0,0,1]]"

START_TEST(hostile_modules_are_refused) {
    static const struct {
        const char *text;
        SomCode code;
    } cases[] = {
        // joints that lead back, or two to a body that a loop does not close
        {TWO(JOINT("q", "a", "a")), SOM_IMPORT_SELF_CONNECTION},
        {TWO(JOINT("q", "a", "b") "," JOINT("q", "a", "b")), SOM_IMPORT_NAME_TAKEN},
        {TWO(JOINT("q", "a", "c")), SOM_IMPORT_NAME_UNKNOWN},
        {TWO(""), SOM_MODEL_IN_PIECES},
        // keys twice
        {"{\"modules\":[{\"header\":{\"ID\":\"a\",\"ID\":\"b\"},\"bodies\":[]}]}",
         SOM_JSON_DUPLICATE_KEY},
        {MODULES(MODULE("B", BODY("a", ""), "") "," MODULE("B", BODY("a", ""), "")),
         SOM_IMPORT_NAME_TAKEN},
        // numbers that no body has
        {"{\"modules\":[{\"header\":{\"ID\":\"a\"},\"bodies\":[{\"ID\":\"a\",\"mass\":1e400}]}]}",
         SOM_JSON_NUMBER_TOO_LARGE},
        {MODULES("{\"header\":{\"ID\":\"B\"},\"bodies\":{\"ID\":\"a\",\"mass\":1e300}}"),
         SOM_IMPORT_OUT_OF_RANGE},
        {MODULES("{\"header\":{\"ID\":\"B\"},\"bodies\":{\"ID\":\"a\",\"mass\":-1}}"),
         SOM_IMPORT_OUT_OF_RANGE},
        {MODULES("{\"header\":{\"ID\":\"B\"},\"bodies\":{\"ID\":\"a\",\"mass\":NaN}}"),
         SOM_IMPORT_OUT_OF_RANGE},
        {ONE(",\"r_com\":[1e13,0,0]"), SOM_IMPORT_OUT_OF_RANGE},
        {ONE(",\"inertia\":[[Infinity,0,0],[0,1,0],[0,0,1]]"), SOM_IMPORT_OUT_OF_RANGE},
        {ONE(CONNECTORS("{\"ID\":\"c\",\"pose\":" POSE("1e6") "}")), SOM_IMPORT_NOT_RIGID},
        {ONE(",\"collision\":{\"type\":\"box\",\"parameters\":{\"x\":1e9,\"y\":1,\"z\":1}}"),
         SOM_IMPORT_OUT_OF_RANGE},
        {ONE(",\"collision\":{\"type\":\"mesh\",\"parameters\":{\"file\":\"x\",\"scale\":0}}"),
         SOM_IMPORT_OUT_OF_RANGE},
        {TWO("{\"ID\":\"q\",\"parent\":\"a\",\"child\":\"b\",\"type\":\"revolute\",\"limits\":"
             "{\"positionLower\":1,\"positionUpper\":-1}}"),
         SOM_IMPORT_OUT_OF_RANGE},
        // other kinds of values than are meant
        {"{\"modules\":{\"a\":{\"header\":1,\"bodies\":2}}}", SOM_JSON_WRONG_MEMBER},
        {"{\"modules\":[{\"header\":1,\"bodies\":2}]}", SOM_JSON_WRONG_MEMBER},
        {"{\"modules\":[[[{\"header\":1,\"bodies\":2}]],{\"header\":1,\"bodies\":2}]}",
         SOM_JSON_WRONG_MEMBER},
        {MODULES("{\"header\":{\"ID\":7},\"bodies\":[]}"), SOM_JSON_WRONG_MEMBER},
        {MODULES("{\"header\":{\"ID\":\"B\"},\"bodies\":7}"), SOM_JSON_WRONG_MEMBER},
        {MODULES("{\"header\":{\"ID\":\"B\"},\"bodies\":[[7]]}"), SOM_JSON_WRONG_MEMBER},
        {MODULES("{\"header\":{\"ID\":\"B\"},\"bodies\":[]}"), SOM_IMPORT_OUT_OF_RANGE},
        {ONE(",\"connectors\":\"all\""), SOM_JSON_WRONG_MEMBER},
        {ONE(",\"collision\":[0]"), SOM_JSON_WRONG_MEMBER},
        {ONE(",\"inertia\":\"heavy\""), SOM_JSON_WRONG_MEMBER},
        {ONE(CONNECTORS("{\"ID\":\"c\",\"pose\":\"here\"}")), SOM_IMPORT_NOT_RIGID},
        {ONE(CONNECTORS("{\"ID\":\"c\",\"gender\":7}")), SOM_TIMOR_GENDER},
        {ONE(CONNECTORS("{\"ID\":\"c\",\"type\":7}")), SOM_JSON_WRONG_MEMBER},
        {MODULES("{\"header\":{\"ID\":\"B\",\"name\":7},\"bodies\":{\"ID\":\"a\"}}"),
         SOM_JSON_WRONG_MEMBER},
        {TWO("{\"ID\":\"q\",\"parent\":\"a\",\"child\":\"b\",\"type\":\"revolute\","
             "\"passive\":\"no\"}"),
         SOM_JSON_WRONG_MEMBER},
        {TWO("{\"ID\":\"q\",\"parent\":[\"a\"],\"child\":\"b\",\"type\":\"revolute\"}"),
         SOM_JSON_WRONG_MEMBER},
        {TWO("{\"ID\":\"q\",\"parent\":\"a\",\"child\":\"b\",\"type\":\"revolute\","
             "\"limits\":7}"),
         SOM_JSON_WRONG_MEMBER},
        {TWO("{\"ID\":\"q\",\"parent\":\"a\",\"child\":\"b\",\"type\":\"revolute\","
             "\"limits\":{\"velocity\":\"fast\"}}"),
         SOM_JSON_WRONG_MEMBER},
        {ONE(CONNECTORS("{\"ID\":\"a\\nb\"}")), SOM_IMPORT_BAD_NAME},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomTestRead r = som_test_read_text("modules.json", som_str(cases[i].text), NULL);
        ck_assert_msg(r.type == NULL && som_diagnostics_has(r.diags, cases[i].code), "%s",
                      cases[i].text);
        som_test_free_read(&r);
    }
}
END_TEST

// `begin`, then `piece` so often, then `end`.
static SomCode refusal_of_many(const char *begin, const char *piece, int count, const char *end) {
    SomText text = {0};
    som_text_add(&text, som_str(begin));
    for (int i = 0; i < count; i++) {
        som_text_add(&text, som_str(piece));
    }
    som_text_add(&text, som_str(end));
    SomCode code = som_test_refusal("modules.json", som_text_str(&text));
    som_text_free(&text);
    return code;
}

START_TEST(hostile_sizes_are_refused) {
    ck_assert_int_eq(refusal_of_many("{\"modules\":[{\"header\":{},\"bodies\":", "[", 100000, ""),
                     SOM_JSON_TOO_LARGE);
    ck_assert_int_eq(refusal_of_many("{\"modules\":[", "{\"header\":{\"ID\":\"a\"},\"bodies\":[]},",
                                     1000, "{\"header\":{\"ID\":\"a\"},\"bodies\":[]}]}"),
                     SOM_IMPORT_OUT_OF_RANGE);
    ck_assert_int_eq(refusal_of_many("{\"modules\":[{\"header\":{\"ID\":\"a\"},\"bodies\":[", "0,",
                                     257, "0]}]}"),
                     SOM_IMPORT_OUT_OF_RANGE);
}
END_TEST

// Joints that lead round inside a module close a loop where they are, or it is refused.
START_TEST(bodies_in_a_circle_are_one_module) {
    SomImported result = som_test_import(
        "modules.json", SOM_STR(TWO(JOINT("q", "a", "b") "," JOINT("r", "b", "a"))), -1);
    ck_assert_int_eq(result.config_count, 1);
    som_imported_free(&result);
}
END_TEST

SOM_SUITE("exchange/timor", assemblies_stand_as_timor_places_them, wrong_files_are_refused,
          sets_alone_are_configs, nothing_is_left_out_in_silence, loops_close_or_are_refused,
          hostile_modules_are_refused, hostile_sizes_are_refused, bodies_in_a_circle_are_one_module)
