// Files of VSPARC, written here as it writes them, against poses and motions of formulas.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "space/trigonometry.h"
#include "tests/exchange/lab_files.h"
#include "tests/exchange/placed_text.h"
#include "tests/modules/module_files.h"

#include <math.h>
#include <stdio.h>

#define DEGREE (SOM_PI / 180)

static const char *const part_names[5] = {"FrontWheel", "LeftWheel", "RightWheel", "Body",
                                          "BackPlate"};
static const char *const node_names[4] = {"FrontWheel", "LeftWheel", "RightWheel", "BackPlate"};

// ---- files as VSPARC writes them

// Single precision, off by a little.
static void print_element(SomText *out, const char *name, double value) {
    som_text_printf(out, "<%s>", name);
    som_text_number(out, (double)(float)value);
    som_text_printf(out, "</%s>\n", name);
}

// Links of a module: formulas of the lab's model, in its frame (x left, -y front).
static SomMat3 link_turn(const double a[4], int part) {
    switch (part) {
    case 0:
        return som_rotation_y(a[0]);
    case 1:
        return som_rotation_x(a[3] + a[1]);
    case 2:
        return som_rotation_x(a[3] + a[2]);
    case 3:
        return som_mat3_identity();
    default:
        return som_rotation_x(a[3]);
    }
}

// Unity has x as we have, y up and z where we have y. The axes of a part are its front, its right
// and its up.
static void print_pose(SomText *out, SomPose module, SomMat3 turn, SomTestRandom *noise) {
    SomMat3 world = som_mat3_multiply(module.rotation, turn);
    if (noise != NULL) {
        SomVec3 little = {som_test_normal(noise) * 2e-5, som_test_normal(noise) * 2e-5,
                          som_test_normal(noise) * 2e-5};
        world = som_mat3_multiply(world, som_rotation_exp(little));
    }
    SomMat3 unity = {0};
    for (int i = 0; i < 3; i++) {
        int row = i == 0 ? 0 : 3 - i; // of our world
        unity.m[i][0] = -world.m[row][1];
        unity.m[i][1] = -world.m[row][0];
        unity.m[i][2] = world.m[row][2];
    }
    SomQuat q = som_quat_from_rotation(unity);
    double off = noise != NULL ? som_test_normal(noise) * 2e-5 : 0;
    som_text_add(out, SOM_STR("<position>"));
    print_element(out, "x", module.position.x * 10 + off);
    print_element(out, "y", module.position.z * 10);
    print_element(out, "z", module.position.y * 10);
    som_text_add(out, SOM_STR("</position><rotation>"));
    print_element(out, "x", q.x);
    print_element(out, "y", q.y);
    print_element(out, "z", q.z);
    print_element(out, "w", q.w);
    som_text_add(out, SOM_STR("<eulerAngles><x>1</x><y>2</y><z>3</z></eulerAngles></rotation>"));
}

static void print_module(SomText *out, const SomLabModule *module, const char *name,
                         const char *commands, SomTestRandom *noise) {
    som_text_printf(out, "<ModuleState name=\"%s\">", name);
    print_pose(out, module->pose, link_turn(module->joints, 4), noise);
    som_text_printf(out, "<period>0</period><JointCommands>%s</JointCommands><PartStates>",
                    commands);
    for (int i = 4; i >= 0; i--) {
        som_text_printf(out, "<PartState name=\"%s\">", part_names[i]);
        print_pose(out, module->pose, link_turn(module->joints, i), noise);
        som_text_add(out, SOM_STR("</PartState>"));
    }
    som_text_add(out, SOM_STR("</PartStates></ModuleState>\n"));
}

static void print_connections(SomText *out, const SomLabModel *model, const char *prefix) {
    som_text_add(out, SOM_STR("<Connections>"));
    for (int i = 0; i < model->connections.count; i++) {
        const SomLabConnection *c = &model->connections.data[i];
        som_text_printf(out,
                        "<Connection><moduleName1>%s%d</moduleName1><moduleName2>%s%d</moduleName2>"
                        "<nodeName1>%s</nodeName1><nodeName2>%s</nodeName2>"
                        "<distance>0</distance><angle>0</angle></Connection>\n",
                        prefix, c->a, prefix, c->b, node_names[c->face_a], node_names[c->face_b]);
    }
    som_text_add(out, SOM_STR("</Connections>"));
}

// The name of a module begins with an o with two dots, one byte in this encoding.
#define PREFIX                                                                                     \
    "M\xf6"                                                                                        \
    "d_"
#define PREFIX_UTF8                                                                                \
    "M\xc3\xb6"                                                                                    \
    "d_"
#define DECLARATION "<?xml version=\"1.0\" encoding=\"Windows-1252\"?>\r\n"

static void print_configuration(SomText *out, const SomLabModel *model, int anchor,
                                SomTestRandom *noise) {
    som_text_printf(out,
                    DECLARATION "<RobotStateObject name=\"\"><anchorModuleName>" PREFIX
                                "%d</anchorModuleName><period>0</period><ModuleStates>",
                    anchor);
    for (int i = 0; i < model->modules.count; i++) {
        char name[32];
        snprintf(name, sizeof name, PREFIX "%d", i);
        print_module(out, &model->modules.data[i], name, "", noise);
    }
    som_text_add(out, SOM_STR("</ModuleStates>"));
    print_connections(out, model, PREFIX);
    som_text_add(out, SOM_STR("</RobotStateObject>"));
}

// ---- configurations

static SomLabType lab_type(SomM3l **m3l) {
    *m3l = som_test_library("smores");
    SomLabType type = {.m3l = *m3l, .type = som_m3l_find_type(*m3l, SOM_STR("SMORES"))};
    for (int i = 0; i < 4; i++) {
        type.faces[i] = som_module_type_find_connector(type.type, som_str(som_lab_faces[i]));
        type.joints[i] = som_module_type_find_joint(type.type, som_str(som_lab_joints[i]), NULL);
    }
    return type;
}

static void compare(const SomLabModel *robot, SomStr som, double *away, double *turned) {
    SomTestPlaced placed = som_test_place_text(som);
    ck_assert_int_eq(placed.configuration->module_count, robot->modules.count);
    for (int i = 0; i < robot->modules.count; i++) {
        char path[32];
        snprintf(path, sizeof path, PREFIX_UTF8 "%d", i);
        SomPose is = som_test_pose_of(&placed, path), meant = robot->modules.data[i].pose;
        *away = fmax(*away, som_vec3_length(som_vec3_sub(is.position, meant.position)));
        *turned = fmax(*turned, som_rotation_distance(is.rotation, meant.rotation));
    }
    som_test_free_placed(&placed);
}

static void check_robots(bool is_noisy, int most, double *away, double *turned) {
    SomM3l *m3l;
    SomLabType type = lab_type(&m3l);
    SomTestRandom random = {21};
    *away = *turned = 0;
    for (int n = 0; n < som_test_count(60, 2000); n++) {
        SomLabModel robot = {0};
        int count = som_test_int(&random, 1, most);
        som_test_random_robot(&random, count, false, &type, &robot);
        SomText text = {0};
        print_configuration(&text, &robot, som_test_int(&random, 0, count - 1),
                            is_noisy ? &random : NULL);
        SomImported result = som_test_import("robot.xml", som_text_str(&text), -1);
        compare(&robot, som_text_str(&result.som), away, turned);
        som_imported_free(&result);
        som_text_free(&text);
        som_lab_free(&robot);
    }
    som_m3l_destroy(m3l);
}

START_TEST(robots_stand_where_their_files_say) {
    double away, turned;
    check_robots(false, 20, &away, &turned);
    ck_assert_double_lt(away, 2e-5);
    ck_assert_double_lt(turned, 0.02 * DEGREE);
}
END_TEST

START_TEST(noise_of_a_simulation_is_taken_out_of_no_pose) {
    double away, turned;
    check_robots(true, 8, &away, &turned);
    ck_assert_double_lt(away, 1e-4);
    ck_assert_double_lt(turned, 0.05 * DEGREE);
}
END_TEST

// A module, and one on its front: tilted by 30 degrees, the wheel turned by 20.
static void print_pair(SomText *out, const char *commands0, const char *commands1, double tilt,
                       bool has_connection, SomTestRandom *noise) {
    SomLabModule modules[2] = {{.joints = {-20 * DEGREE, 0, 0, -tilt}}, {.joints = {0}}};
    modules[0].pose = som_pose_translation(som_vec3(0, 0, 0.5));
    modules[1].pose = (SomPose){som_rotation_y(-20 * DEGREE), {0, -0.1, 0.5}};
    som_text_add(out, SOM_STR("<anchorModuleName>A</anchorModuleName>"));
    som_text_add(out, SOM_STR("<ModuleStates>"));
    print_module(out, &modules[0], "A", commands0, noise);
    print_module(out, &modules[1], "B", commands1, noise);
    som_text_add(out, SOM_STR("</ModuleStates><Connections>"));
    if (has_connection) {
        som_text_add(out, SOM_STR("<Connection><moduleName1>B</moduleName1>"
                                  "<moduleName2>A</moduleName2><nodeName1>BackPlate</nodeName1>"
                                  "<nodeName2>FrontWheel</nodeName2></Connection>"));
    }
    som_text_add(out, SOM_STR("</Connections>"));
}

static SomText pair_file(void) {
    SomText out = {0};
    som_text_add(&out, SOM_STR("<RobotStateObject><period>0</period>"));
    print_pair(&out, "", "", 30 * DEGREE, true, NULL);
    som_text_add(&out, SOM_STR("</RobotStateObject>"));
    return out;
}

// Digits of single precision are gone; joints count as in VSPARC.
START_TEST(what_is_written_is_tidy) {
    SomText file = pair_file();
    SomImported result = som_test_import("pair.xml", som_text_str(&file), 0);
    ck_assert_str_eq(som_text_str(&result.som).data,
                     "use \"smores.m3l\"\n\n"
                     "# Imported from pair.xml.\n"
                     "config pair {\n"
                     "    part A, B : SMORES\n"
                     "    connect B.B to A.T\n\n"
                     "    pose initial {\n"
                     "        A.pan = 20deg\n"
                     "        A.tilt = 30deg\n"
                     "    }\n"
                     "    start initial\n"
                     "    base A frame vsparc at (0m, 0m, 0.5m) turned (0deg, -30deg, -90deg)\n"
                     "}\n");
    som_imported_free(&result);
    som_text_free(&file);
}
END_TEST

// ---- behaviors

static void print_command(SomText *out, const char *joint, const char *type, const char *value,
                          const char *period, const char *parameter) {
    som_text_printf(out,
                    "<JointCommand name=\"%s\"><commandType>%s</commandType>"
                    "<targetValue>%s</targetValue><period>%s</period>"
                    "<parametricValue>%s</parametricValue></JointCommand>",
                    joint, type, value, period, parameter);
}

static void begin_state(SomText *out, const char *period) {
    som_text_printf(out, "<RobotState name=\"x\"><period>%s</period>", period);
}

// Tilts down and up again, which has no time to arrive, while wheels run.
static SomText behavior_file(bool has_connection) {
    SomText out = {0}, a = {0}, b = {0};
    som_text_add(&out, SOM_STR(DECLARATION "<Behavior name=\"\"><RobotStates>"));
    print_command(&a, "Body", "Position", "-60", "3", "-60");
    print_command(&a, "FrontWheel", "Velocity", "90", "2", "para_V");
    print_command(&b, "LeftWheel", "Velocity", "-90", "3", "-para_V");
    print_command(&b, "Body", "Position", "0", "3", "0");
    begin_state(&out, "3");
    print_pair(&out, a.data, b.data, 30 * DEGREE, has_connection, NULL);
    som_text_add(&out, SOM_STR("</RobotState>"));
    som_text_clear(&a);
    som_text_clear(&b);
    print_command(&a, "Body", "Position", "60", "1", "60");
    print_command(&b, "Body", "Position", "0", "1", "0");
    print_command(&b, "LeftWheel", "Position", "10", "1", "");
    begin_state(&out, "1");
    print_pair(&out, a.data, b.data, 30 * DEGREE, has_connection, NULL);
    som_text_add(&out, SOM_STR("</RobotState></RobotStates></Behavior>"));
    som_text_free(&a);
    som_text_free(&b);
    return out;
}

static SomImported import_files(const SomStr *paths, const SomStr *contents, int count,
                                SomDiagnostics *diags, SomArena *texts) {
    SomImportOptions options = {.library = som_test_library_root()};
    SomImported result;
    bool fine = som_import_texts(paths, contents, count, &options, texts, &result, diags);
    if (!fine) {
        SomText shown = {0};
        som_diagnostics_print(diags, 0, &shown);
        ck_abort_msg("%s", shown.data);
    }
    return result;
}

// Critical damping as Unity's SmoothDampAngle has it, with a smooth time of 1 s.
static void damp(double *value, double *speed, double target, double seconds) {
    double step = 1e-4;
    for (int i = 0; i < (int)lround(seconds / step); i++) {
        *speed += step * (-4 * *speed - 4 * (*value - target));
        *value += step * *speed;
    }
}

START_TEST(behaviors_move_as_vsparc_does) {
    SomText pair = pair_file(), behavior = behavior_file(false);
    const SomStr paths[] = {SOM_STR("pair.xml"), SOM_STR("Nod.xml")};
    const SomStr contents[] = {som_text_str(&pair), som_text_str(&behavior)};
    SomDiagnostics *diags = som_diagnostics_create();
    SomArena texts = {0};
    SomImported result = import_files(paths, contents, 2, diags, &texts);
    ck_assert_int_eq(som_diagnostics_warning_count(diags), 0);
    SomTestPlaced placed = som_test_place_text(som_text_str(&result.som));
    SomPrediction played = som_test_play(&placed, "Nod(para_V = 45deg/s)", 0.01);
    ck_assert_double_eq_tol(played.duration, 4, 1e-9);
    double tilt = 30 * DEGREE, speed = 0, worst = 0;
    for (int i = 0; i <= 40; i++) {
        double is = som_test_joint_at(&placed, &played, i * 0.1, "A.tilt");
        worst = fmax(worst, fabs(is - tilt) / (i < 30 ? 90 * DEGREE : 120 * DEGREE));
        damp(&tilt, &speed, i < 30 ? -60 * DEGREE : 60 * DEGREE, 0.1);
    }
    ck_assert_double_lt(worst, 0.11); // of the way
    // pan runs for its own two seconds, left for all three the other way, then back
    ck_assert_double_eq_tol(som_test_joint_at(&placed, &played, 1, "A.pan"), 65 * DEGREE, 0.05);
    ck_assert_double_eq_tol(som_test_joint_at(&placed, &played, 3, "A.pan"), 110 * DEGREE, 0.05);
    ck_assert_double_eq_tol(som_test_joint_at(&placed, &played, 3, "B.left"), -135 * DEGREE, 0.05);
    som_prediction_free(&played);
    played = som_test_play(&placed, "Nod", 0.01); // with its own speed
    ck_assert_double_eq_tol(som_test_joint_at(&placed, &played, 3, "A.pan"), 200 * DEGREE, 0.05);
    som_prediction_free(&played);
    som_test_free_placed(&placed);
    som_imported_free(&result);
    som_diagnostics_destroy(diags);
    som_arena_free(&texts);
    som_text_free(&pair);
    som_text_free(&behavior);
}
END_TEST

// With connections in its states, a behavior has its robot in itself.
START_TEST(behaviors_bring_their_robots) {
    SomText behavior = behavior_file(true);
    SomImported result = som_test_import("Nod.xml", som_text_str(&behavior), 0);
    ck_assert_str_eq(som_text_str(&result.config).data, "Nod");
    ck_assert(strstr(result.som.data, "behavior Nod(para_V: angularSpeed = 90deg/s) = series(") !=
              NULL);
    SomTestPlaced placed = som_test_place_text(som_text_str(&result.som));
    SomPose b = som_test_pose_of(&placed, "B");
    ck_assert_double_lt(som_vec3_length(som_vec3_sub(b.position, som_vec3(0, -0.1, 0.5))), 1e-5);
    som_test_free_placed(&placed);
    som_imported_free(&result);
    som_text_free(&behavior);
}
END_TEST

// ---- what is wrong

// A file of one module with something else in place of the commands, parts and connections.
static SomText odd_file(const char *root, const char *commands, const char *rest,
                        const char *connections) {
    SomText out = {0};
    bool is_behavior = strcmp(root, "Behavior") == 0;
    som_text_printf(&out, "<%s>%s<period>1</period><ModuleStates>", root,
                    is_behavior ? "<RobotStates><RobotState>" : "");
    som_text_printf(&out,
                    "<ModuleState name=\"A\"><position><x>0</x><y>0</y><z>0</z></position>"
                    "<rotation><x>0</x><y>0</y><z>0</z><w>1</w></rotation>"
                    "<JointCommands>%s</JointCommands>%s</ModuleState></ModuleStates>"
                    "<Connections>%s</Connections>%s</%s>",
                    commands, rest, connections, is_behavior ? "</RobotState></RobotStates>" : "",
                    root);
    return out;
}

#define COMMAND(name, type, value, period, parameter)                                              \
    "<JointCommand name=\"" name "\"><commandType>" type "</commandType><targetValue>" value       \
    "</targetValue><period>" period "</period><parametricValue>" parameter                         \
    "</parametricValue></JointCommand>"
#define CONNECTION(a, node, b)                                                                     \
    "<Connection><moduleName1>" a "</moduleName1><moduleName2>" b "</moduleName2><nodeName1>" node \
    "</nodeName1><nodeName2>BackPlate</nodeName2></Connection>"
#define PART(name)                                                                                 \
    "<PartState name=\"" name "\"><position><x>0</x><y>0</y><z>0</z></position>"                   \
    "<rotation><x>0</x><y>0</y><z>0</z><w>1</w></rotation></PartState>"

START_TEST(wrong_files_are_refused) {
    static const struct {
        const char *commands, *rest, *connections;
        SomCode code;
    } cases[] = {
        {COMMAND("Bodi", "Position", "0", "0", ""), "", "", SOM_VSPARC_NO_SUCH_JOINT},
        {COMMAND("Body", "Torque", "0", "0", ""), "", "", SOM_VSPARC_COMMAND_TYPE},
        {COMMAND("Body", "Position", "NaN", "0", ""), "", "", SOM_IMPORT_NOT_NUMBERS},
        {COMMAND("Body", "Position", "1e9", "0", ""), "", "", SOM_IMPORT_OUT_OF_RANGE},
        {COMMAND("Body", "Position", "0", "-1", ""), "", "", SOM_IMPORT_OUT_OF_RANGE},
        {COMMAND("Body", "Position", "0", "0", "") COMMAND("Body", "Position", "0", "0", ""), "",
         "", SOM_IMPORT_NAME_TAKEN},
        {"<JointCommand name=\"Body\"><targetValue>0</targetValue></JointCommand>", "", "",
         SOM_IMPORT_MISSING},
        {"", "<PartStates>" PART("Body") PART("Body") "</PartStates>", "", SOM_IMPORT_NAME_TAKEN},
        {"", "<PartStates><PartState name=\"Body\"/></PartStates>", "", SOM_IMPORT_MISSING},
        {"", "", CONNECTION("A", "TopPlate", "A"), SOM_VSPARC_NO_SUCH_NODE},
        {"", "", CONNECTION("B", "FrontWheel", "A"), SOM_IMPORT_NAME_UNKNOWN},
        {"", "", CONNECTION("A", "FrontWheel", "A"), SOM_IMPORT_SELF_CONNECTION},
        {"", "</ModuleState><ModuleState name=\"A\">", "", SOM_IMPORT_MISSING},
        {"", "</ModuleState><ModuleState>", "", SOM_IMPORT_BAD_NAME},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText text =
            odd_file("RobotStateObject", cases[i].commands, cases[i].rest, cases[i].connections);
        SomCode code = som_test_refusal("odd.xml", som_text_str(&text));
        ck_assert_msg(code == cases[i].code, "case %zu: %d", i, (int)code);
        som_text_free(&text);
    }
    ck_assert(som_test_refusal("a.xml", SOM_STR("<Behavior><RobotStates/></Behavior>")) ==
              SOM_VSPARC_NO_STATES);
    ck_assert(som_test_refusal("a.xml", SOM_STR("<Behavior/>")) == SOM_IMPORT_MISSING);
    SomText two = {0}; // modules that nothing connects
    som_text_add(&two, SOM_STR("<Behavior><RobotStates><RobotState>"));
    print_pair(&two, "", "", 0, false, NULL);
    som_text_add(&two, SOM_STR("</RobotState></RobotStates></Behavior>"));
    ck_assert(som_test_refusal("a.xml", som_text_str(&two)) == SOM_VSPARC_NO_ROBOT);
    som_text_free(&two);
}
END_TEST

START_TEST(what_is_odd_is_said) {
    static const struct {
        const char *root, *commands, *rest;
        SomCode code; // the only one
        const char *written;
    } cases[] = {
        {"RobotStateObject", COMMAND("Body", "Position", "-15", "1", "-15"), "",
         SOM_VSPARC_PARTS_MISSING, "A.tilt = -15deg"},
        {"RobotStateObject", "",
         "<PartStates>" PART("LeftWheel") PART("RightWheel") PART("Body") //
         "<PartState name=\"FrontWheel\"><position><x>0</x><y>0.1</y><z>0</z></position>"
         "<rotation><x>0</x><y>0.0436194</y><z>0</z><w>0.9990482</w></rotation></PartState>"
         "</PartStates>",
         SOM_VSPARC_PARTS_DO_NOT_FIT, "part A : SMORES"},
        {"RobotStateObject", "",
         "<PartStates>" PART("LeftWheel") PART("RightWheel") PART("Body") PART("FrontWheel")
             PART("Lid") PART("Lid") "</PartStates>",
         SOM_IMPORT_ELEMENT_IGNORED, "part A : SMORES"},
        {"RobotStateObject", "",
         "<PartStates tint=\"red\">" PART("LeftWheel") PART("RightWheel") PART("Body")
             PART("FrontWheel") "</PartStates>",
         SOM_IMPORT_ELEMENT_IGNORED, "part A : SMORES"},
        {"RobotStateObject", "",
         "<PartStates>" PART("LeftWheel") PART("RightWheel") PART("Body")
             PART("FrontWheel") "</PartStates><period>1</period><period>2</period>",
         SOM_IMPORT_ELEMENT_IGNORED, "part A : SMORES"},
        {"Behavior", COMMAND("Body", "Position", "10", "1", "20"), "", SOM_VSPARC_VALUE_DIFFERS,
         "A.tilt to 10deg"},
        {"Behavior", COMMAND("LeftWheel", "Velocity", "10", "1", "2*v+1"), "",
         SOM_VSPARC_VALUE_DIFFERS, "A.left spin 10deg/s during 1s"},
        {"Behavior",
         COMMAND("LeftWheel", "Velocity", "10", "1", "v")
             COMMAND("RightWheel", "Velocity", "20", "1", "v"),
         "", SOM_VSPARC_DEFAULTS_DIFFER, "(v: angularSpeed = 10deg/s)"},
        {"Behavior",
         COMMAND("LeftWheel", "Velocity", "10", "1", "v")
             COMMAND("RightWheel", "Position", "20", "1", "v"),
         "", SOM_VSPARC_DEFAULTS_DIFFER, "(v: angularSpeed = 10deg/s, v_2: angle = 20deg)"},
        {"Behavior", COMMAND("LeftWheel", "Velocity", "10", "2", "10"), "", SOM_VSPARC_PERIOD_CUT,
         "A.left spin 10deg/s during 1s"},
        {"Behavior",
         COMMAND("LeftWheel", "Position", "0", "1", "0"), // a second state with a connection
         "</ModuleState></ModuleStates></RobotState><RobotState><period>0</period><ModuleStates>"
         "<ModuleState name=\"A\"><position><x>0</x><y>0</y><z>0</z></position>"
         "<rotation><x>0</x><y>0</y><z>0</z><w>1</w></rotation><JointCommands>" //
         COMMAND("Body", "Position", "9", "0",
                 "9") "</JointCommands></ModuleState></ModuleStates>"
                      "<Connections>" CONNECTION(
                          "A", "FrontWheel",
                          "A") "</Connections></RobotState><RobotState>"
                               "<ModuleStates><ModuleState "
                               "name=\"A\"><position><x>0</x><y>0</y><z>0</z></position>"
                               "<rotation><x>0</x><y>0</y><z>0</z><w>1</w></rotation>",
         SOM_VSPARC_CONNECTIONS_CHANGE, "A.tilt to 9deg hold"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText text = odd_file(cases[i].root, cases[i].commands, cases[i].rest, "");
        const SomStr path = SOM_STR("odd.xml"), content = som_text_str(&text);
        SomDiagnostics *diags = som_diagnostics_create();
        SomArena texts = {0};
        SomImported result = import_files(&path, &content, 1, diags, &texts);
        ck_assert_msg(som_diagnostics_has(diags, cases[i].code), "case %zu", i);
        ck_assert_msg(strstr(result.som.data, cases[i].written) != NULL, "case %zu: %s", i,
                      result.som.data);
        som_imported_free(&result);
        som_diagnostics_destroy(diags);
        som_arena_free(&texts);
        som_text_free(&text);
    }
}
END_TEST

SOM_SUITE("exchange/vsparc", robots_stand_where_their_files_say,
          noise_of_a_simulation_is_taken_out_of_no_pose, what_is_written_is_tidy,
          behaviors_move_as_vsparc_does, behaviors_bring_their_robots, wrong_files_are_refused,
          what_is_odd_is_said)
