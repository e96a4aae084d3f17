// Behavior trees of others: what they become, what is refused, what they need beside them.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/behaviors_codes.h"
#include "base/codes/compose_text_codes.h"
#include "base/codes/exchange_codes.h"
#include "base/file.h"
#include "tests/exchange/lab_files.h"
#include "tests/exchange/tree_import.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TREE(nodes)                                                                                \
    "<root BTCPP_format=\"4\"><BehaviorTree ID=\"t\">" nodes "</BehaviorTree></root>"
#define A "<MoveTo joint=\"a.bend\" target=\"0\"/>"
#define B "<MoveTo joint=\"b.tilt\" target=\"1\"/>"
#define C "<Check condition=\"height &gt; 1m\"/>"

START_TEST(trees_of_others_are_read) {
    static const struct {
        const char *tree, *written;
    } cases[] = {
        {TREE("<Sequence>" A B "</Sequence>"), "series(a.bend to 0deg, b.tilt to 1rad)"},
        {TREE("<Control ID=\"Sequence\"><Action ID=\"Wait\" during=\"1.5\"/></Control>"),
         "t = series(wait 1.5s)"},
        {TREE("<SequenceWithMemory>" A "</SequenceWithMemory>"), "t = series(a.bend to 0deg)"},
        {TREE("<Parallel>" A B "</Parallel>"), "t = parallel(a.bend to 0deg, b.tilt to 1rad)"},
        {TREE("<Parallel success_count=\"2\">" A B "</Parallel>"), "t = parallel(a.bend to 0deg"},
        {TREE("<Parallel success_count=\"1\" failure_count=\"-1\">" A B "</Parallel>"),
         "t = any(a"},
        {TREE("<ParallelAll max_failures=\"1\">" A C "</ParallelAll>"),
         "t = parallel(a.bend to 0deg, series())"},
        {TREE("<Fallback><Sequence>" C A "</Sequence>" B "</Fallback>"),
         "t = choose(height > 1m: a.bend to 0deg, else: b.tilt to 1rad)"},
        {TREE("<Fallback>" C A "</Fallback>"),
         "t = choose(height > 1m: series(), else: a.bend to 0deg)"},
        {TREE("<Fallback><Sequence>" C A B "</Sequence><AlwaysSuccess/></Fallback>"),
         "t = choose(height > 1m: series(a.bend to 0deg, b.tilt to 1rad))"},
        {TREE("<IfThenElse>" C A B "</IfThenElse>"),
         "t = choose(height > 1m: a.bend to 0deg, else: b.tilt to 1rad)"},
        {TREE("<IfThenElse><Inverter>" C "</Inverter>" A "</IfThenElse>"),
         "t = choose(not (height > 1m): a.bend to 0deg)"},
        {TREE("<Sequence>" A C B C "</Sequence>"),
         "a.bend to 0deg, choose(height > 1m: series(b.tilt to 1rad, choose(height > 1m: "
         "series()))))"},
        {TREE("<Repeat num_cycles=\"3\">" A "</Repeat>"), "t = repeat 3: a.bend to 0deg"},
        {TREE("<Repeat num_cycles=\"-1\">" A "</Repeat>"), "t = repeat forever: a.bend to 0deg"},
        {TREE("<RetryUntilSuccessful num_attempts=\"-1\"><Sequence>" A C "</Sequence>"
              "</RetryUntilSuccessful>"),
         "t = repeat until height > 1m: a.bend to 0deg"},
        {TREE("<RetryUntilSuccessful num_attempts=\"-1\">" C "</RetryUntilSuccessful>"),
         "t = wait until height > 1m"},
        {TREE("<RetryUntilSuccessful num_attempts=\"5\">" A "</RetryUntilSuccessful>"),
         "t = a.bend to 0deg"},
        {TREE("<Timeout msec=\"1500\">" A "</Timeout>"), "t = a.bend to 0deg timeout 1500ms"},
        {TREE("<Sequence><ForceSuccess><Timeout msec=\"20\"><Sequence>" A
              "</Sequence></Timeout></ForceSuccess>" B "</Sequence>"),
         "t = series(any(series(a.bend to 0deg), wait 20ms), b.tilt to 1rad)"},
        {TREE("<Parallel success_count=\"1\">" A "<Wait timeout=\"1\"/></Parallel>"),
         "t = any(a.bend to 0deg, wait timeout 1s)"},
        {TREE("<Timeout msec=\"0\">" A "</Timeout>"), "t = a.bend to 0deg\n"},
        {TREE("<Parallel success_count=\"1\"><Parallel success_count=\"1\"><Sequence>" A
              "</Sequence><Wait timeout=\"1\"/></Parallel><Wait timeout=\"2\"/></Parallel>"),
         "t = any(series(a.bend to 0deg) timeout 1s, wait timeout 2s)"},
        {TREE("<Fallback><Sequence>" C A "</Sequence><AlwaysSuccess name=\"series\"/></Fallback>"),
         "t = choose(height > 1m: a.bend to 0deg, else: series())"},
        {TREE("<Delay delay_msec=\"250\">" A "</Delay>"), "t = series(wait 250ms, a.bend to 0deg)"},
        {TREE("<Sleep msec=\"40000\"/>"), "t = wait 40s"},
        {TREE("<key/>"), "t = key"},
        {TREE("<SubTree ID=\"key\"/>"), "t = key"},
        {TREE("<Sequence name=\"x\" _uid=\"3\">" A "</Sequence>"), "t = series(a.bend to 0deg)"},
        {TREE("<Hold joints=\"a.bend;b.bend\"/>"), "t = parallel(hold a.bend, hold b.bend)"},
        {TREE("<Hold joints=\"b.tilt\"/>"), "t = hold b.bend"},
        {TREE("<Connect dock=\"grip\" timeout=\"3\"/>"), "t = connect grip timeout 3s"},
        {TREE("<MoveBy joint=\"a.left\" by=\"-0.5\" speed=\"0.25\" tolerance=\"0.01\" "
              "until=\"reached or height > 1m\" during=\"\"/>"),
         "t = a.left by -0.5rad within 0.01rad at 0.25rad/s until reached or height > 1m"},
        {TREE("<Spin joint=\"a.left\" speed=\"2\" during=\"0.5\"/>"),
         "a.left spin 2rad/s during 0.5s"},
        {TREE("<Follow joint=\"a.left\" times=\"0;1.5\" values=\"0;-2\"/>"),
         "t = a.left follow [0s: 0deg, 1.5s: -2rad]"},
        {"<root><BehaviorTree ID=\"u\"><SubTree ID=\"key\"/></BehaviorTree><BehaviorTree "
         "ID=\"key\">" A "</BehaviorTree></root>",
         "behavior u = key_2\n    behavior key_2 = a.bend to 0deg\n"},
        {"<root><BehaviorTree>" A "</BehaviorTree><TreeNodesModel><X/></TreeNodesModel></root>",
         "behavior tree = a.bend to 0deg"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomCode code;
        SomText words = {0};
        SomText text = som_test_import_tree(SOM_STR("small.som"), som_str(som_test_small_design),
                                            (SomStr){0}, som_str(cases[i].tree), &code, &words);
        ck_assert_msg(code == 0 && text.length > 0, "%s: %s", cases[i].tree, words.data);
        ck_assert_msg(strstr(text.data, cases[i].written) != NULL, "%s\n%s", cases[i].tree,
                      text.data);
        // nothing else has changed
        ck_assert_int_eq(
            strncmp(text.data, som_test_small_design, strlen(som_test_small_design) - 2), 0);
        som_text_free(&text);
        som_text_free(&words);
    }
}
END_TEST

// Each with the words that the place of the report begins with, in the tree.
static const struct {
    const char *tree;
    SomCode code;
    const char *at;
} refusals[] = {
    {"<root BTCPP_format=\"3\"><BehaviorTree>" A "</BehaviorTree></root>", SOM_BT_VERSION, "3"},
    {"<root/>", SOM_BT_STRUCTURE, "<root"},
    {"<root/><root/>", SOM_BT_STRUCTURE, "<root"},
    {"<root><include path=\"x.xml\"/></root>", SOM_BT_STRUCTURE, "<include"},
    {"<root><BehaviorTree ID=\"t\"/></root>", SOM_BT_STRUCTURE, "<BehaviorTree"},
    {TREE(A B), SOM_BT_STRUCTURE, "<BehaviorTree"},
    {"<root><BehaviorTree ID=\"t\">" A "</BehaviorTree><BehaviorTree ID=\"t\">" B
     "</BehaviorTree></root>",
     SOM_BT_STRUCTURE, "<BehaviorTree ID=\"t\"><MoveTo joint=\"b"},
    {"<root><BehaviorTree ID=\"a&#10;b\">" A "</BehaviorTree></root>", SOM_BT_STRUCTURE, "<Behav"},
    {TREE("<Sequence/>"), SOM_BT_STRUCTURE, "<Sequence"},
    {TREE("<Repeat num_cycles=\"1\">" A B "</Repeat>"), SOM_BT_STRUCTURE, "<Repeat"},
    {TREE("<Wait>" A "</Wait>"), SOM_BT_STRUCTURE, "<Wait"},
    {TREE("<Action/>"), SOM_BT_STRUCTURE, "<Action"},
    {TREE("<IfThenElse>" C "</IfThenElse>"), SOM_BT_STRUCTURE, "<IfThenElse"},
    {TREE("<IfThenElse>" A B "</IfThenElse>"), SOM_BT_NOT_SERIES_PARALLEL, "<MoveTo"},
    {TREE("<ReactiveSequence>" C A "</ReactiveSequence>"), SOM_BT_NOT_SERIES_PARALLEL, "<Reactive"},
    {TREE("<WhileDoElse>" C A "</WhileDoElse>"), SOM_BT_NOT_SERIES_PARALLEL, "<While"},
    {TREE("<Fallback>" A B "</Fallback>"), SOM_BT_NOT_SERIES_PARALLEL, "<MoveTo"},
    {TREE("<Inverter>" A "</Inverter>"), SOM_BT_NOT_SERIES_PARALLEL, "<Inverter"},
    {TREE("<Parallel success_count=\"2\">" A B A "</Parallel>"), SOM_BT_NOT_SERIES_PARALLEL,
     "<Par"},
    {TREE("<RetryUntilSuccessful num_attempts=\"3\"><Sequence>" A C "</Sequence>"
          "</RetryUntilSuccessful>"),
     SOM_BT_NOT_SERIES_PARALLEL, "<Retry"},
    {TREE("<AlwaysFailure/>"), SOM_BT_NOT_SERIES_PARALLEL, "<AlwaysF"},
    {TREE("<Script code=\"x:=1\"/>"), SOM_BT_BLACKBOARD_USED, "<Script"},
    {TREE("<Switch2 variable=\"{x}\">" A B "</Switch2>"), SOM_BT_BLACKBOARD_USED, "<Switch"},
    {TREE("<MoveTo joint=\"a.bend\" target=\"{goal}\"/>"), SOM_BT_BLACKBOARD_USED, "{goal}"},
    {TREE("<Wait _skipIf=\"a==1\"/>"), SOM_BT_BLACKBOARD_USED, "a==1"},
    {TREE("<SubTree ID=\"key\" p=\"3\"/>"), SOM_BT_BLACKBOARD_USED, "3\"/>"},
    {TREE("<OpenDoor/>"), SOM_BT_NODE_UNKNOWN, "<OpenDoor"},
    {TREE("<Action ID=\"MoveToo\"/>"), SOM_BT_NODE_UNKNOWN, "<Action"},
    {TREE("<SubTree ID=\"u\"/>"), SOM_BT_TREE_UNKNOWN, "<SubTree"},
    {TREE("<SubTree ID=\"t\"/>"), SOM_BT_RECURSION, "<SubTree"},
    {"<root><BehaviorTree ID=\"t\"><Sequence>" A "<SubTree ID=\"u\"/></Sequence></BehaviorTree>"
     "<BehaviorTree ID=\"u\"><SubTree ID=\"t\"/></BehaviorTree></root>",
     SOM_BT_RECURSION, "<SubTree ID=\"t\""},
    {TREE("<Sequence><Timeout msec=\"9\">" A "</Timeout>" B "</Sequence>"), SOM_BT_MAY_FAIL,
     "<Time"},
    {TREE("<Repeat num_cycles=\"2\">" C "</Repeat>"), SOM_BT_MAY_FAIL, "<Check"},
    {TREE("<Sequence><Fallback><Sequence>" C A "</Sequence><Timeout msec=\"9\">" A
          "</Timeout></Fallback>" B "</Sequence>"),
     SOM_BT_MAY_FAIL, "<Time"},
    {TREE("<Sequence><IfThenElse>" C A "</IfThenElse>" B "</Sequence>"), SOM_BT_MAY_FAIL,
     "<IfThen"},
    {TREE("<Fallback><Sequence>" C "<Timeout msec=\"9\">" A "</Timeout></Sequence>" B
          "</Fallback>"),
     SOM_BT_NOT_SERIES_PARALLEL, "<Sequence"},
    {TREE("<Parallel success_count=\"1\"><Sequence><Timeout msec=\"9\">" A
          "</Timeout></Sequence><Wait timeout=\"1\"/></Parallel>"),
     SOM_BT_MAY_FAIL, "<Time"},
    {TREE("<Parallel failure_count=\"x\">" A "</Parallel>"), SOM_BT_VALUE, "x\">"},
    {TREE("<Parallel>" A "<Timeout msec=\"9\">" B "</Timeout></Parallel>"), SOM_BT_MAY_FAIL,
     "<Time"},
    {TREE("<RetryUntilSuccessful num_attempts=\"-1\"><Sequence><Timeout msec=\"9\">" A
          "</Timeout>" C "</Sequence></RetryUntilSuccessful>"),
     SOM_BT_MAY_FAIL, "<Time"},
    {"<root><BehaviorTree ID=\"t\"><Sequence><SubTree ID=\"u\"/>" A "</Sequence></BehaviorTree>"
     "<BehaviorTree ID=\"u\"><Timeout msec=\"2\">" B "</Timeout></BehaviorTree></root>",
     SOM_BT_MAY_FAIL, "<SubTree"},
    {TREE("<MoveTo target=\"1\"/>"), SOM_BT_VALUE, "<MoveTo"},
    {TREE("<MoveTo joint=\"a.bend\"/>"), SOM_BT_VALUE, "<MoveTo"},
    {TREE("<MoveTo joint=\"a.bend\" target=\"30deg\"/>"), SOM_BT_VALUE, "30deg"},
    {TREE("<MoveTo joint=\"a.bend\" target=\"1e12\"/>"), SOM_BT_VALUE, "1e12"},
    {TREE("<MoveTo joint=\"a.bend\" target=\"0\" timeout=\"-1\"/>"), SOM_BT_VALUE, "-1"},
    {TREE("<Repeat>" A "</Repeat>"), SOM_BT_VALUE, "<Repeat"},
    {TREE("<Repeat num_cycles=\"2.5\">" A "</Repeat>"), SOM_BT_VALUE, "2.5"},
    {TREE("<Parallel success_threshold=\"1\">" A "</Parallel>"), SOM_BT_VALUE, "1\">"},
    {TREE("<Check condition=\"\"/>"), SOM_BT_VALUE, NULL},
    {TREE("<Wait until=\"true) , wait until (true\"/>"), SOM_BT_VALUE, "true)"},
    {TREE("<Wait until=\"height &gt; 1m timeout 3s\"/>"), SOM_BT_VALUE, "height"},
    {TREE("<Wait until=\"true # x\"/>"), SOM_BT_VALUE, "true #"},
    {TREE("<Follow joint=\"a.bend\" times=\"0;1\" values=\"0\"/>"), SOM_BT_VALUE, "0;1"},
    {TREE("<Follow joint=\"a.bend\" times=\"0\" values=\"0;1\"/>"), SOM_BT_VALUE, "0\" v"},
    {TREE("<Follow joint=\"a.bend\" times=\"1;0\" values=\"0;1\"/>"), SOM_BT_VALUE, "1;0"},
    {TREE("<Follow joint=\"a.bend\"/>"), SOM_BT_VALUE, "<Follow"},
    {TREE("<Hold/>"), SOM_BT_VALUE, "<Hold"},
    {TREE("<Wait/>"), SOM_BT_VALUE, "<Wait"},
    {TREE("<Timeout msec=\"3\"><Wait/></Timeout>"), SOM_BT_VALUE, "<Wait"},
    // what the compiler says is said of the node or port it comes from
    {TREE("<Wait until=\"height &gt; 3deg\"/>"), SOM_WRONG_DIMENSION, "height"},
    {TREE("<Sequence>" A "<Wait until=\"contact(x)\"/></Sequence>"), SOM_UNKNOWN_PART,
     "contact(x)"},
    {TREE("<Wait until=\"reached\"/>"), SOM_CONDITION_NOT_SENSED, "reached"},
    {TREE("<MoveTo joint=\"c.bend\" target=\"0\"/>"), SOM_UNKNOWN_JOINT, "c.bend"},
    {TREE("<MoveTo joint=\"a.bend to 0deg, a.bend\" target=\"0\"/>"), SOM_UNKNOWN_JOINT,
     "a.bend to"},
    {TREE("<Hold joints=\"a.bend;nothing\"/>"), SOM_UNKNOWN_JOINT, "a.bend;"},
    {TREE("<Connect dock=\"grab\"/>"), SOM_UNKNOWN_DOCK, "grab"},
    {TREE("<Repeat num_cycles=\"2\"><Hold joints=\"a.bend\"/></Repeat>"),
     SOM_REPEAT_WITHOUT_DURATION, "<Repeat"},
    {"<root><BehaviorTree></root>", SOM_XML_SYNTAX, NULL},
};

START_TEST(what_has_no_meaning_is_refused) {
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        SomCode code;
        SomText words = {0}, column = {0};
        SomText text = som_test_import_tree(SOM_STR("small.som"), som_str(som_test_small_design),
                                            (SomStr){0}, som_str(refusals[i].tree), &code, &words);
        ck_assert_msg(text.length == 0 && code == refusals[i].code, "%s: %d %s", refusals[i].tree,
                      (int)code, words.data);
        if (refusals[i].at != NULL) {
            const char *at = strstr(refusals[i].tree, refusals[i].at);
            ck_assert_ptr_nonnull(at);
            som_text_printf(&column, "tree.xml:1:%d: error", (int)(at - refusals[i].tree) + 1);
            ck_assert_msg(strstr(words.data, column.data) != NULL, "%s: %s\n%s", refusals[i].tree,
                          column.data, words.data);
        }
        som_text_free(&words);
        som_text_free(&column);
    }
}
END_TEST

START_TEST(what_is_left_out_is_said) {
    SomCode code;
    SomText words = {0};
    SomText text = som_test_import_tree(
        SOM_STR("small.som"), som_str(som_test_small_design), (SomStr){0},
        som_str("<root speed=\"1\"><Note/><BehaviorTree ID=\"t\"><Sequence><Wait colour=\"1\" "
                "timeout=\"1\"/>"
                "<Wait colour=\"2\" during=\"1\"/></Sequence></BehaviorTree></root>"),
        &code, &words);
    ck_assert_ptr_nonnull(strstr(words.data, "'Note' is no tree"));
    ck_assert_ptr_nonnull(strstr(words.data, "'speed' of 'root' means nothing here"));
    ck_assert_ptr_nonnull(strstr(words.data, "'colour' of 'Wait' means nothing here and was left "
                                             "out (2 times) [SOM5991]"));
    ck_assert_uint_gt(text.length, 0);
    ck_assert_int_eq(code, SOM_IMPORT_ELEMENT_IGNORED);
    som_text_free(&text);
    som_text_free(&words);
    ck_assert_int_eq(SOM_BT_ATTRIBUTE_IGNORED, 5991);
}
END_TEST

// Each tree runs the next one twice.
START_TEST(trees_do_not_explode) {
    SomText tree = {0}, words = {0};
    SomCode code;
    som_text_add(&tree, SOM_STR("<root>"));
    for (int i = 0; i < 60; i++) {
        som_text_printf(&tree,
                        "<BehaviorTree ID=\"t%d\"><Sequence><SubTree ID=\"t%d\"/>"
                        "<SubTree ID=\"t%d\"/></Sequence></BehaviorTree>",
                        i, i + 1, i + 1);
    }
    som_text_add(&tree, SOM_STR("<BehaviorTree ID=\"t60\">" A "</BehaviorTree></root>"));
    SomText text = som_test_import_tree(SOM_STR("small.som"), som_str(som_test_small_design),
                                        (SomStr){0}, som_text_str(&tree), &code, &words);
    ck_assert_int_eq(code, SOM_BT_TOO_MUCH);
    ck_assert_uint_eq(text.length, 0);
    som_text_clear(&tree);
    som_text_add(&tree, SOM_STR("<root>"));
    for (int i = 0; i < 2001; i++) {
        som_text_printf(&tree, "<BehaviorTree ID=\"t%d\">" A "</BehaviorTree>", i);
    }
    som_text_add(&tree, SOM_STR("</root>"));
    text = som_test_import_tree(SOM_STR("small.som"), som_str(som_test_small_design), (SomStr){0},
                                som_text_str(&tree), &code, NULL);
    ck_assert_int_eq(code, SOM_BT_TOO_MUCH);
    som_text_free(&tree);
    som_text_free(&words);
}
END_TEST

// A tree that is called like a part, a pose, a behavior, a dock or a joint gets a number.
START_TEST(names_of_trees_are_their_own) {
    static const char design[] = "use \"smores.m3l\"\nconfig Named {\n    part m[2], x : SMORES\n"
                                 "    connect m[1].B to m[2].T\n    connect m[2].B to x.T\n"
                                 "    dock grip: m[1].L to x.L open\n"
                                 "    pose flat { x.bend = 0deg }\n    behavior go = wait 1s\n}\n";
    static const char *const names[][2] = {{"m", "m_2"},       {"x", "x_2"},   {"grip", "grip_2"},
                                           {"flat", "flat_2"}, {"go", "go_2"}, {"y", "y"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SomText tree = {0}, line = {0};
        SomCode code;
        som_text_printf(&tree,
                        "<root><BehaviorTree ID=\"%s\"><Sleep msec=\"5\"/></BehaviorTree></root>",
                        names[i][0]);
        som_text_printf(&line, "    behavior %s = wait 5ms\n", names[i][1]);
        SomText text = som_test_import_tree(SOM_STR("named.som"), SOM_STR(design), (SomStr){0},
                                            som_text_str(&tree), &code, NULL);
        ck_assert_msg(code == 0 && strstr(text.data, line.data) != NULL, "%s", names[i][0]);
        som_text_free(&tree);
        som_text_free(&line);
        som_text_free(&text);
    }
}
END_TEST

START_TEST(trees_need_a_design) {
    SomCode code;
    ck_assert_int_eq(som_test_refusal("t.xml", SOM_STR(TREE(A))), SOM_BT_NO_ROBOT);
    ck_assert_int_eq(som_test_refusal("small.som", som_str(som_test_small_design)),
                     SOM_BT_DESIGN_ALONE);
    SomText text =
        som_test_import_tree(SOM_STR("small.som"), SOM_STR("config X { part a : Nothing }\n"),
                             (SomStr){0}, SOM_STR(TREE(A)), &code, NULL);
    ck_assert(text.length == 0 && code == SOM_UNKNOWN_CONFIG);
    // one that is imported beside them will do
    static const char robot[] =
        "<configuration><modules><module><name>a</name><position>0 0 0.05 0 0 0</position></module>"
        "</modules><connections/></configuration>";
    text = som_test_import_tree(SOM_STR("robot.conf"), som_str(robot), (SomStr){0},
                                SOM_STR(TREE(A)), &code, NULL);
    ck_assert_int_eq(code, 0);
    ck_assert_ptr_nonnull(
        strstr(text.data, "    # From tree.xml.\n    behavior t = a.bend to 0deg\n}"));
    som_text_free(&text);
}
END_TEST

// Modules of its own: a file of types beside the design.
START_TEST(trees_move_modules_of_ones_own) {
    static const char types[] =
        "module Lever: root=low\n"
        "link low: shape=box((0, 0, -0.02), (0.02, 0.02, 0.02)), mass=0.1\n"
        "link high: shape=box((0, 0, 0.02), (0.02, 0.02, 0.02)), mass=0.1\n"
        "axis a: origin=(0, 0, 0), direction=(0, 1, 0)\n"
        "axis b: origin=(0, 0, 0), direction=(0, -1, 0)\n"
        "joint swing: type=revolute, value=[-90deg, 90deg], pair=((low, a), (high, b))\n";
    static const char design[] = "use \"levers.m3l\"\n\nconfig Own is Lever {\n}\n";
    static const char tree[] = TREE("<MoveTo joint=\"swing\" target=\"0.5\"/>");
    char folder[] = "/tmp/somite-bt-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    SomText path = {0}, own = {0}, words = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    som_text_printf(&path, "%s/levers.m3l", folder);
    som_text_printf(&own, "%s/own.som", folder);
    ck_assert(som_file_save(path.data, SOM_STR(types), diags));
    SomCode code;
    SomText text = som_test_import_tree(som_text_str(&own), SOM_STR(design), (SomStr){0},
                                        SOM_STR(tree), &code, &words);
    ck_assert_msg(code == 0, "%s", words.data);
    ck_assert_str_eq(text.data,
                     "use \"levers.m3l\"\n\nconfig Own is Lever {\n\n    # From tree.xml.\n"
                     "    behavior t = swing to 0.5rad\n}\n");
    ck_assert(remove(path.data) == 0 && rmdir(folder) == 0);
    // a model that becomes such a file in the same import has not got it yet
    som_text_clear(&words);
    SomText none = som_test_import_tree(SOM_STR("arm.urdf"),
                                        SOM_STR("<robot name='arm'><link name='a'/></robot>"),
                                        (SomStr){0}, SOM_STR(tree), &code, &words);
    ck_assert(none.length == 0 && code == SOM_BT_NO_ROBOT);
    ck_assert_ptr_nonnull(strstr(words.data, "tree.xml:1:1: error: a model becomes a design with "
                                             "module types of its own: import it first"));
    som_text_free(&text);
    som_text_free(&path);
    som_text_free(&own);
    som_text_free(&words);
    som_diagnostics_destroy(diags);
}
END_TEST

SOM_SUITE("exchange/bt_read", trees_of_others_are_read, what_has_no_meaning_is_refused,
          what_is_left_out_is_said, trees_do_not_explode, names_of_trees_are_their_own,
          trees_need_a_design, trees_move_modules_of_ones_own)
