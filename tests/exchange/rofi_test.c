// Worlds of RoFI: where their modules stand by RoFI's own formulas, written out here with matrices
// of four rows (universalModule.cpp, pad.hpp, cube.hpp and rofiworld.cpp of paradise-fi/RoFI), and
// where they stand after an import.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/base_codes.h"
#include "base/codes/exchange_codes.h"
#include "base/memory.h"
#include "base/number.h"
#include "exchange/json_input.h"
#include "tests/exchange/lab_files.h"
#include "tests/exchange/matrix.h"
#include "tests/exchange/placed_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define STEP 0.1 // metres of the lattice
#define DEGREE (3.14159265358979323846 / 180)

// ---- RoFI's worlds

typedef struct Module {
    char kind; // 'u'niversal, 'c'ube, 'p'ad
    int id, width, height;
    double degrees[3]; // alpha, beta, gamma
    SomTestMatrix position;
    bool is_placed;
} Module;

typedef struct Joint {
    int from, to, from_connector, to_connector, orientation;
} Joint;

typedef struct World {
    Module modules[16];
    int module_count;
    Joint joints[16];
    int joint_count;
    int held, held_component; // by a joint of the space
    SomTestMatrix point, joint;
} World;

static int connector_count(const Module *module) {
    return module->kind == 'p' ? module->width * module->height : 6;
}

static SomTestMatrix component(const Module *module, int number) {
    const double pi = 180 * DEGREE;
    if (module->kind == 'p') {
        return som_test_translate(0, number / module->height, number % module->height);
    }
    if (module->kind == 'c') {
        const SomTestMatrix sides[7] = {som_test_identity(),
                                        som_test_rotate(pi, 0, 1, 0),
                                        som_test_rotate(pi / 2, 0, 1, 0),
                                        som_test_rotate(pi / 2, 0, -1, 0),
                                        som_test_rotate(pi / 2, 0, 0, 1),
                                        som_test_rotate(pi / 2, 0, 0, -1),
                                        som_test_identity()};
        return sides[number];
    }
    SomTestMatrix body_b = som_test_multiply(
        som_test_rotate(module->degrees[2] * DEGREE, 0, 0, 1),
        som_test_multiply(som_test_translate(0, 0, 1), som_test_rotate(pi, 0, 1, 0)));
    SomTestMatrix shoe_a = som_test_rotate(module->degrees[0] * DEGREE, 1, 0, 0);
    SomTestMatrix shoe_b =
        som_test_multiply(body_b, som_test_rotate(module->degrees[1] * DEGREE, 1, 0, 0));
    const SomTestMatrix bodies[4] = {shoe_a, som_test_identity(), body_b, shoe_b};
    const SomTestMatrix sides[3] = {
        som_test_identity(), som_test_rotate(pi, 0, 1, 0),
        som_test_multiply(som_test_rotate(pi, 0, 0, 1), som_test_rotate(pi / 2, 0, -1, 0))};
    return number >= 6 ? bodies[number - 6]
                       : som_test_multiply(number < 3 ? shoe_a : shoe_b, sides[number % 3]);
}

// North, East, South, West.
static SomTestMatrix orientation(int number) {
    static const double degrees[4] = {180, -90, 0, 90};
    const double pi = 180 * DEGREE;
    return som_test_multiply(
        som_test_translate(-1, 0, 0),
        som_test_multiply(som_test_rotate(pi, 0, 0, 1),
                          som_test_multiply(som_test_rotate(pi, 1, 0, 0),
                                            som_test_rotate(degrees[number] * DEGREE, -1, 0, 0))));
}

static void place_world(World *world) {
    Module *held = &world->modules[world->held];
    held->position = som_test_multiply(som_test_multiply(world->point, world->joint),
                                       som_test_invert(component(held, world->held_component)));
    held->is_placed = true;
    for (int round = 0; round < world->module_count; round++) {
        for (int i = 0; i < world->joint_count; i++) {
            const Joint *j = &world->joints[i];
            Module *from = &world->modules[j->from], *to = &world->modules[j->to];
            SomTestMatrix between = som_test_multiply(
                som_test_multiply(component(from, j->from_connector), orientation(j->orientation)),
                som_test_invert(component(to, j->to_connector)));
            if (from->is_placed && !to->is_placed) {
                to->position = som_test_multiply(from->position, between);
                to->is_placed = true;
            } else if (to->is_placed && !from->is_placed) {
                from->position = som_test_multiply(to->position, som_test_invert(between));
                from->is_placed = true;
            }
        }
    }
}

// ---- random ones

static void random_module(SomTestRandom *random, Module *module, int number) {
    int kind = som_test_int(random, 0, 5);
    *module = (Module){.kind = kind == 0   ? 'c'
                               : kind == 1 ? 'p'
                                           : 'u',
                       .id = 7 * number + 3,
                       .width = som_test_int(random, 1, 4),
                       .height = som_test_int(random, 1, 3)};
    for (int i = 0; i < 3; i++) {
        double limit = i < 2 ? 90 : 400;
        module->degrees[i] = som_test_int(random, 0, 1) == 0
                                 ? som_test_int(random, -90, 90)
                                 : som_test_uniform(random, -limit, limit);
    }
}

static World random_world(SomTestRandom *random) {
    World world = {.module_count = som_test_int(random, 1, 12)};
    bool taken[16][12] = {{false}};
    for (int i = 0; i < world.module_count; i++) {
        random_module(random, &world.modules[i], i);
        Joint j = {.to = i, .orientation = som_test_int(random, 0, 3)};
        if (i == 0) {
            continue;
        }
        int tries = 0;
        do {
            j.from = som_test_int(random, 0, i - 1);
            j.from_connector = som_test_int(random, 0, connector_count(&world.modules[j.from]) - 1);
        } while (taken[j.from][j.from_connector] && ++tries < 1000);
        if (tries == 1000) { // two pads of one connector
            world.module_count = i;
            break;
        }
        j.to_connector = som_test_int(random, 0, connector_count(&world.modules[i]) - 1);
        taken[j.from][j.from_connector] = taken[i][j.to_connector] = true;
        if (som_test_int(random, 0, 1) == 0) {
            j = (Joint){j.to, j.from, j.to_connector, j.from_connector, j.orientation};
        }
        world.joints[world.joint_count++] = j;
    }
    world.held = som_test_int(random, 0, world.module_count - 1);
    const Module *held = &world.modules[world.held];
    int components = connector_count(held) + (held->kind == 'u' ? 4 : held->kind == 'c');
    world.held_component = som_test_int(random, 0, components - 1);
    world.point =
        som_test_translate(som_test_int(random, -9, 9), som_test_uniform(random, -1, 1), 2);
    world.joint =
        som_test_int(random, 0, 1) == 0 ? som_test_identity() : som_test_random_motion(random);
    place_world(&world);
    return world;
}

// ---- their files

static void print_end(SomText *out, const char *key, const Module *module, int connector) {
    static const char *const names[6] = {"A-X", "A+X", "A-Z", "B-X", "B+X", "B-Z"};
    som_text_printf(out, "\"%s\":{\"id\":%d,", key, module->id);
    if (module->kind == 'u' && connector < 6) {
        som_text_printf(out, "\"connector\":\"%s\"}", names[connector]);
    } else {
        som_text_printf(out, "\"component\":%d}", connector);
    }
}

static void print_module(SomText *out, const Module *module) {
    static const char *const names[3] = {"alpha", "beta", "gamma"};
    som_text_printf(out, "{\"id\":%d,\"type\":", module->id);
    if (module->kind == 'c') {
        som_text_add(out, SOM_STR("\"cube\"}"));
    } else if (module->kind == 'p') {
        som_text_printf(out, "\"pad\",\"width\":%d,\"height\":%d}", module->width, module->height);
    } else {
        som_text_add(out, SOM_STR("\"universal\""));
        for (int i = 0; i < 3; i++) {
            som_text_printf(out, ",\"%s\":", names[i]);
            som_text_number(out, module->degrees[i]);
        }
        som_text_add(out, SOM_STR("}"));
    }
}

static void print_world(SomText *out, const World *world) {
    static const char *const orientations[4] = {"North", "East", "S", "West"};
    som_text_add(out, SOM_STR("{\"modules\":["));
    for (int i = 0; i < world->module_count; i++) {
        som_text_add(out, i > 0 ? SOM_STR(",") : SOM_STR(""));
        print_module(out, &world->modules[i]);
    }
    som_text_add(out, SOM_STR("],\"moduleJoints\":["));
    for (int i = 0; i < world->joint_count; i++) {
        const Joint *j = &world->joints[i];
        som_text_add(out, i > 0 ? SOM_STR(",{") : SOM_STR("{"));
        print_end(out, "from", &world->modules[j->from], j->from_connector);
        som_text_add(out, SOM_STR(","));
        print_end(out, "to", &world->modules[j->to], j->to_connector);
        som_text_printf(out, ",\"orientation\":\"%s\"}", orientations[j->orientation]);
    }
    som_text_add(out, SOM_STR("],\"spaceJoints\":[{\"point\":["));
    for (int i = 0; i < 3; i++) {
        som_text_add(out, i > 0 ? SOM_STR(",") : SOM_STR(""));
        som_text_number(out, world->point.m[i][3]);
    }
    som_text_add(out, SOM_STR("],"));
    print_end(out, "to", &world->modules[world->held], world->held_component);
    som_text_add(out, SOM_STR(",\"joint\":{\"type\":\"rigid\",\"sourceToDestination\":"));
    som_test_print_matrix(out, world->joint);
    som_text_add(out, SOM_STR("}}]}"));
}

// ---- what comes out

static double difference(SomPose ours, SomTestMatrix theirs) {
    for (int i = 0; i < 3; i++) {
        theirs.m[i][3] *= STEP;
    }
    return som_test_matrix_distance(theirs, ours);
}

static double compare_world(const World *world, const SomTestPlaced *placed) {
    double worst = 0;
    char path[40];
    for (int i = 0; i < world->module_count; i++) {
        const Module *module = &world->modules[i];
        for (int k = 0; k < (module->kind == 'p' ? connector_count(module) : 1); k++) {
            SomTestMatrix theirs = module->position;
            snprintf(path, sizeof path, "m%d", module->id);
            if (module->kind == 'p') {
                snprintf(path, sizeof path, "m%d.c%d", module->id, k);
                theirs = som_test_multiply(theirs, component(module, k));
            }
            worst = fmax(worst, difference(som_test_pose_of(placed, path), theirs));
        }
    }
    return worst;
}

START_TEST(worlds_stand_as_rofi_places_them) {
    SomTestRandom random = {593};
    double worst = 0;
    for (int n = 0; n < som_test_count(80, 3000); n++) {
        World world = random_world(&random);
        SomText text = {0};
        print_world(&text, &world);
        SomImported result = som_test_import("world.json", som_text_str(&text), 0);
        SomTestPlaced placed = som_test_place_text(som_text_str(&result.som));
        worst = fmax(worst, compare_world(&world, &placed));
        som_test_free_placed(&placed);
        som_imported_free(&result);
        som_text_free(&text);
    }
    ck_assert_double_lt(worst, 1e-9);
}
END_TEST

// ---- by example

#define UNIVERSAL(id, angles) "{\"id\":" id ",\"type\":\"universal\"," angles "}"
#define ZEROS "\"alpha\":0,\"beta\":0,\"gamma\":0"
#define MATE(a, ca, b, cb, o)                                                                      \
    "{\"from\":{\"id\":" a ",\"connector\":\"" ca "\"},\"to\":{\"id\":" b ",\"connector\":\"" cb   \
    "\"},\"orientation\":\"" o "\"}"
#define HOLD(id, c, point)                                                                         \
    "{\"point\":" point ",\"to\":{\"id\":" id ",\"component\":" c "},\"joint\":"                   \
    "{\"type\":\"rigid\",\"sourceToDestination\":\"identity\",\"positions\":[]}}"
#define WORLD(modules, joints, held)                                                               \
    "{\"modules\":[" modules "],\"moduleJoints\":[" joints "],\"spaceJoints\":[" held "]}"

#define RING(alpha)                                                                                \
    WORLD(                                                                                         \
        UNIVERSAL("1", "\"alpha\":" alpha ",\"beta\":0,\"gamma\":0") "," UNIVERSAL(                \
            "2", ZEROS) "," UNIVERSAL("3", ZEROS) "," UNIVERSAL("4", ZEROS),                       \
        MATE("1", "A+X", "2", "B-Z", "North") "," MATE("2", "A+X", "3", "B-Z", "North") "," MATE(  \
            "3", "A+X", "4", "B-Z", "North") "," MATE("4", "A+X", "1", "B-Z", "North"),            \
        HOLD("1", "0", "[0,0,0]"))

START_TEST(rings_close_or_say_that_they_do_not) {
    SomImported ring = som_test_import("ring.json", SOM_STR(RING("0")), 0);
    ck_assert_ptr_nonnull(strstr(ring.som.data, "connect m4.\"A+X\" to m1.\"B-Z\"\n"));
    SomTestPlaced placed = som_test_place_text(som_text_str(&ring.som));
    SomPose third = som_test_pose_of(&placed, "m3");
    ck_assert_double_eq_tol(third.position.x, 0.2, 1e-12);
    ck_assert_double_eq_tol(third.position.z, 0.2, 1e-12);
    som_test_free_placed(&placed);
    som_imported_free(&ring);
    SomImported open = som_test_import("ring.json", SOM_STR(RING("5")), 1);
    som_imported_free(&open);
}
END_TEST

// Robots that nothing connects are configs of their own, each in its place.
START_TEST(each_robot_of_a_world_is_a_config) {
    static const char text[] =
        WORLD(UNIVERSAL("1", ZEROS) "," UNIVERSAL("2", ZEROS) ",{\"id\":-3,\"type\":\"cube\"}",
              MATE("1", "A-Z", "2", "A-Z", "W"),
              HOLD("-3", "6", "[1,2,3]") "," HOLD("1", "7", "[0,0,1]"));
    SomImported result = som_test_import("two.json", som_str(text), 0);
    ck_assert_int_eq(result.config_count, 2);
    SomTestPlaced first = som_test_place_text(som_text_str(&result.som));
    SomTestPlaced second = som_test_place_config(som_text_str(&result.som), SOM_STR("two_2"));
    ck_assert_double_eq_tol(som_test_pose_of(&first, "m1").position.z, 0.1, 1e-12);
    ck_assert_double_eq_tol(som_test_pose_of(&second, "\"m-3\"").position.y, 0.2, 1e-12);
    som_test_free_placed(&first);
    som_test_free_placed(&second);
    som_imported_free(&result);
}
END_TEST

// A list of worlds, one that hangs on a joint which turns, and members that mean nothing.
START_TEST(what_does_not_fit_is_a_warning) {
    static const char list[] =
        "[" WORLD(UNIVERSAL("1", ZEROS), "", HOLD("1", "0", "[0,0,0]")) "," WORLD(
            UNIVERSAL("1", ZEROS ",\"attributes\":1") "," UNIVERSAL("2", ZEROS ",\"attributes\":2"),
            MATE("1", "A-Z", "2", "A-Z", "E"), HOLD("1", "0", "[0,0,0]")) "]";
    SomImported result = som_test_import("list.json", som_str(list), 1);
    ck_assert_int_eq(result.config_count, 2);
    som_imported_free(&result);
    static const char turning[] = WORLD(
        UNIVERSAL("1", ZEROS), "",
        "{\"point\":[0,0,0],\"to\":{\"id\":1,\"component\":7},\"joint\":{\"type\":\"rotational\","
        "\"preMatrix\":\"identity\",\"postMatrix\":[[1,0,0,1],[0,1,0,0],[0,0,1,0],[0,0,0,1]],"
        "\"axis\":[0,0,1,0],\"limits\":{\"min\":0,\"max\":180},"
        "\"positions\":[1.5707963267948966]}}");
    result = som_test_import("turning.json", som_str(turning), 1);
    SomTestPlaced placed = som_test_place_text(som_text_str(&result.som));
    ck_assert_double_eq_tol(som_test_pose_of(&placed, "m1").position.y, 0.1, 1e-12);
    som_test_free_placed(&placed);
    som_imported_free(&result);
    // not placed, placed twice, beyond its limit
    result = som_test_import("a.json", SOM_STR("{\"modules\":[" UNIVERSAL("1", ZEROS) "]}"), 1);
    ck_assert_ptr_nonnull(strstr(result.som.data, "base m1 on ground"));
    som_imported_free(&result);
    static const char wrong[] = WORLD(UNIVERSAL("1", "\"alpha\":91,\"beta\":0,\"gamma\":720"), "",
                                      HOLD("1", "7", "[0,0,0]") "," HOLD("1", "8", "[0,0,0]"));
    result = som_test_import("a.json", som_str(wrong), 2);
    som_imported_free(&result);
}
END_TEST

START_TEST(wrong_worlds_are_refused) {
    static const struct {
        const char *text;
        SomCode code;
    } cases[] = {
        {"{\"modules\":[]}", SOM_IMPORT_EMPTY},
        {"[{\"modules\":[],\"spaceJoints\":[]}]", SOM_IMPORT_EMPTY},
        {"{\"modules\":{},\"spaceJoints\":[]}", SOM_JSON_WRONG_MEMBER},
        {"{\"spaceJoints\":[]}", SOM_JSON_WRONG_MEMBER},
        {"{\"modules\":[7]}", SOM_JSON_WRONG_MEMBER},
        {"{\"modules\":[{\"id\":1.5,\"type\":\"cube\"}]}", SOM_JSON_WRONG_MEMBER},
        {"{\"modules\":[{\"id\":1e300,\"type\":\"cube\"}]}", SOM_JSON_WRONG_MEMBER},
        {"{\"modules\":[{\"id\":1,\"type\":\"ball\"}]}", SOM_ROFI_MODULE_TYPE},
        {"{\"modules\":[{\"id\":1,\"type\":null}]}", SOM_ROFI_MODULE_TYPE},
        {"{\"modules\":[{\"id\":1}]}", SOM_ROFI_MODULE_TYPE},
        {"{\"modules\":[{\"id\":1,\"type\":\"universal\"}]}", SOM_JSON_WRONG_MEMBER},
        {"{\"modules\":[" UNIVERSAL("1", "\"alpha\":1e9,\"beta\":0,\"gamma\":0") "]}",
         SOM_IMPORT_OUT_OF_RANGE},
        {"{\"modules\":[{\"id\":1,\"type\":\"pad\",\"width\":0,\"height\":1}]}",
         SOM_IMPORT_OUT_OF_RANGE},
        {"{\"modules\":[{\"id\":1,\"type\":\"pad\",\"width\":20000,\"height\":20000}]}",
         SOM_IMPORT_TOO_MANY},
        {"{\"modules\":[{\"id\":1,\"type\":\"cube\"},{\"id\":1,\"type\":\"cube\"}]}",
         SOM_IMPORT_NAME_TAKEN},
        {"{\"modules\":[{\"id\":1,\"id\":1,\"type\":\"cube\"}]}", SOM_JSON_DUPLICATE_KEY},
        {"{\"modules\":[{\"id\":1,\"type\":\"cube\"}", SOM_JSON_SYNTAX},
        {WORLD(UNIVERSAL("1", ZEROS), MATE("1", "A-X", "2", "A-X", "N"), ""),
         SOM_IMPORT_NAME_UNKNOWN},
        {WORLD(UNIVERSAL("1", ZEROS), MATE("1", "A-X", "1", "A-Z", "N"), ""),
         SOM_IMPORT_SELF_CONNECTION},
        {WORLD(UNIVERSAL("1", ZEROS) "," UNIVERSAL("2", ZEROS), MATE("1", "A-Y", "2", "A-X", "N"),
               ""),
         SOM_ROFI_CONNECTOR},
        {WORLD(UNIVERSAL("1", ZEROS) "," UNIVERSAL("2", ZEROS), MATE("1", "A-X", "2", "A-X", "Up"),
               ""),
         SOM_ROFI_ORIENTATION},
        {WORLD(UNIVERSAL("1", ZEROS) "," UNIVERSAL("2", ZEROS),
               MATE("1", "A-X", "2", "A-X", "N") "," MATE("2", "A-X", "1", "A+X", "N"), ""),
         SOM_IMPORT_FACE_TAKEN},
        {WORLD("{\"id\":1,\"type\":\"cube\"}," UNIVERSAL("2", ZEROS),
               MATE("1", "A-X", "2", "A-X", "N"), ""),
         SOM_ROFI_CONNECTOR},
        {WORLD(UNIVERSAL("1", ZEROS), "", HOLD("1", "10", "[0,0,0]")), SOM_ROFI_CONNECTOR},
        {WORLD(UNIVERSAL("1", ZEROS), "", HOLD("1", "0", "[0,0]")), SOM_JSON_WRONG_MEMBER},
        {WORLD(UNIVERSAL("1", ZEROS), "", HOLD("1", "0", "[0,0,1e99]")), SOM_IMPORT_OUT_OF_RANGE},
        {WORLD(UNIVERSAL("1", ZEROS), "",
               "{\"point\":[0,0,0],\"to\":{\"id\":1},\"joint\":{\"type\":\"rigid\"}}"),
         SOM_ROFI_CONNECTOR},
        {WORLD(UNIVERSAL("1", ZEROS), "",
               "{\"point\":[0,0,0],\"to\":{\"id\":1,\"component\":0},\"joint\":{\"type\":"
               "\"prismatic\"}}"),
         SOM_ROFI_JOINT_TYPE},
        {WORLD(UNIVERSAL("1", ZEROS), "",
               "{\"point\":[0,0,0],\"to\":{\"id\":1,\"component\":0},\"joint\":{\"type\":\"rigid\","
               "\"sourceToDestination\":[[1,0,0,0],[0,1,0,0],[0,0,-1,0],[0,0,0,1]]}}"),
         SOM_IMPORT_NOT_RIGID},
        {"{\"bodies\":[{\"pos\":[0,0,0],\"shoe_rotated\":false}]}", SOM_ROFI_VOXELS},
        {"{\"gravitation\":[0,10,0]}", SOM_IMPORT_FORMAT_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomCode code = som_test_refusal("a.json", som_str(cases[i].text));
        ck_assert_msg(code == cases[i].code, "%s: %d", cases[i].text, (int)code);
    }
}
END_TEST

// Deep, long and wide texts end in a diagnostic soon.
START_TEST(hostile_texts_are_refused) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("{\"modules\":"));
    som_text_add_char(&text, '[', 100000);
    ck_assert_int_eq(som_test_refusal("a.json", som_text_str(&text)), SOM_JSON_TOO_LARGE);
    som_text_clear(&text);
    som_text_add(&text, SOM_STR("{\"modules\":[1"));
    for (int i = 0; i < 2100000; i++) {
        som_text_add(&text, SOM_STR(",1"));
    }
    som_text_add(&text, SOM_STR("]}"));
    ck_assert_int_eq(som_test_refusal("a.json", som_text_str(&text)), SOM_JSON_TOO_LARGE);
    som_text_clear(&text);
    som_text_add(&text, SOM_STR("[")); // worlds of 20 000 modules each
    for (int i = 0; i < 50; i++) {
        som_text_printf(&text,
                        "%s{\"spaceJoints\":[],\"modules\":[{\"id\":1,\"type\":\"pad\","
                        "\"width\":%d,\"height\":1}]}",
                        i > 0 ? "," : "", 19900 + i);
    }
    som_text_add(&text, SOM_STR("]"));
    ck_assert_int_eq(som_test_refusal("a.json", som_text_str(&text)), SOM_ROFI_NOT_PLACED);
    som_text_free(&text);
}
END_TEST

static bool has_key(const char *text, int depth, const char *key) {
    SomJsonKeys keys;
    som_json_sniff(som_str(text), &keys);
    return som_json_has_key(&keys, depth, key);
}

START_TEST(keys_are_sniffed_at_their_depth) {
    ck_assert(has_key(" \n{\"a\" : 1}", 1, "a"));
    ck_assert(has_key("\xEF\xBB\xBF{\"b\":[{\"a\":1}", 3, "a"));
    ck_assert(!has_key("{\"b\":[{\"a\":1}]}", 1, "a"));
    ck_assert(!has_key("{\"b\":\"a\"}", 1, "a"));
    ck_assert(!has_key("{\"b\":\"\\\"a\\\":\"}", 1, "a"));
    ck_assert(!has_key("\"a\":1", 1, "a"));
    ck_assert(!has_key("{\"a", 1, "a"));
    ck_assert(!has_key("{\"a\\", 1, "a"));
    ck_assert(!has_key("", 1, "a"));
    ck_assert(has_key("{\"c\":1,\"a\":2,\"c\":3,\"a\":4}", 1, "a"));
    SomText many = {0}; // keys of no format, over and over, and then more than there is room for
    som_text_add(&many, SOM_STR("{"));
    for (int i = 0; i < 1000; i++) {
        som_text_printf(&many, "\"k%d\":[[[{\"deep%d\":0}]]],", i % 50, i);
    }
    som_text_add(&many, SOM_STR("\"a\":1"));
    ck_assert(has_key(many.data, 1, "a"));
    som_text_free(&many);
}
END_TEST

SOM_SUITE("exchange/rofi", worlds_stand_as_rofi_places_them, rings_close_or_say_that_they_do_not,
          each_robot_of_a_world_is_a_config, what_does_not_fit_is_a_warning,
          wrong_worlds_are_refused, hostile_texts_are_refused, keys_are_sniffed_at_their_depth)
