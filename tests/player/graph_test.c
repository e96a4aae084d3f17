// SPDX-License-Identifier: Apache-2.0
// Tests for player/graph.c: every way in which a graph can be wrong is found.

#include "player/graph.h"
#include "tests/suite.h"

#include <string.h>

// series(position, repeat 2 wait, choose(guarded wait, follow), connect), small enough to break.
typedef struct Small {
    SomGraphNode nodes[8];
    SomAction actions[5];
    SomKeyframe keyframes[2];
    SomCondition conditions[2];
    SomInstruction instructions[4];
    SomGraphPlace places[8];
    uint32_t names[2];
    char text[8];
    SomActionGraph graph;
} Small;

static void make(Small *s) {
    memset(s, 0, sizeof *s);
    const SomGraphNode nodes[8] = {
        {SOM_NONE, 8, 0, SOM_NONE, SOM_NONE, SOM_NODE_SERIES, 0},
        {0, 2, 0, SOM_NONE, SOM_NONE, SOM_NODE_ACTION, 0},
        {0, 4, 2, 1, SOM_NONE, SOM_NODE_REPEAT, 0},
        {2, 4, 1, SOM_NONE, SOM_NONE, SOM_NODE_ACTION, 0},
        {0, 7, 0, SOM_NONE, SOM_NONE, SOM_NODE_CHOOSE, 0},
        {4, 6, 2, SOM_NONE, 0, SOM_NODE_ACTION, 0},
        {4, 7, 3, SOM_NONE, SOM_NONE, SOM_NODE_ACTION, 0},
        {0, 8, 4, SOM_NONE, SOM_NONE, SOM_NODE_ACTION, 0},
    };
    memcpy(s->nodes, nodes, sizeof nodes);
    s->actions[0] = som_action(SOM_ACTION_POSITION, 1, 0.5);
    s->actions[1] = s->actions[2] = som_action(SOM_ACTION_WAIT, 0, 0);
    s->actions[3] = som_action(SOM_ACTION_FOLLOW, 0, 0);
    s->actions[3].keyframe_count = 2;
    s->actions[4] = som_action(SOM_ACTION_CONNECT, 0, 0);
    s->keyframes[1].time = 1;
    s->conditions[0] = (SomCondition){0, 1};
    s->conditions[1] = (SomCondition){1, 3};
    s->instructions[0] = (SomInstruction){.kind = SOM_INSTRUCTION_CONTACT};
    s->instructions[1] = (SomInstruction){.kind = SOM_INSTRUCTION_POSITION, .index = 1};
    s->instructions[2] = (SomInstruction){.kind = SOM_INSTRUCTION_NUMBER, .value = 3};
    s->instructions[3] = (SomInstruction){.kind = SOM_INSTRUCTION_LESS};
    memcpy(s->text, "\0a\0b", 5);
    s->names[0] = 1;
    s->names[1] = 3;
    s->graph = (SomActionGraph){.nodes = s->nodes,
                                .actions = s->actions,
                                .keyframes = s->keyframes,
                                .conditions = s->conditions,
                                .instructions = s->instructions,
                                .places = s->places,
                                .text = s->text,
                                .names = {s->names},
                                .symbol_count = {2, 1, 0, 1},
                                .node_count = 8,
                                .action_count = 5,
                                .keyframe_count = 2,
                                .condition_count = 2,
                                .instruction_count = 4,
                                .text_length = 5};
}

START_TEST(a_good_graph_passes) {
    Small s;
    make(&s);
    ck_assert_int_eq(som_graph_check(&s.graph).kind, SOM_GRAPH_FAULT_NONE);
    ck_assert_str_eq(som_graph_name(&s.graph, SOM_SYMBOL_DOF, 1), "b");
    ck_assert_str_eq(som_graph_name(&s.graph, SOM_SYMBOL_DOCK, 0), "");
    ck_assert_str_eq(som_graph_path(&s.graph, 3), "");
    ck_assert_int_eq(som_graph_resource(&s.graph, &s.actions[4]), 2);
    ck_assert_int_eq(som_graph_resource(&s.graph, &s.actions[1]), SOM_NONE);
}
END_TEST

#define BREAK(change, fault_kind)                                                                  \
    do {                                                                                           \
        Small s;                                                                                   \
        make(&s);                                                                                  \
        change;                                                                                    \
        SomGraphFault fault = som_graph_check(&s.graph);                                           \
        ck_assert_msg(fault.kind == SOM_GRAPH_FAULT_##fault_kind, "%s gives: %s", #change,         \
                      som_graph_fault_words(fault.kind));                                          \
    } while (0)

START_TEST(counts_are_checked) {
    BREAK(s.graph.node_count = -1, COUNT);
    BREAK(s.graph.node_count = SOM_GRAPH_MOST + 1, COUNT);
    BREAK(s.graph.nodes = NULL, COUNT);
    BREAK(s.graph.actions = NULL, COUNT);
    BREAK(s.graph.keyframe_count = -5, COUNT);
    BREAK(s.graph.symbol_count[0] = -1, COUNT);
    BREAK(s.graph.symbol_count[3] = SOM_GRAPH_MOST, COUNT);
    BREAK(s.graph.text_length = -1, COUNT);
    BREAK(s.graph.node_count = 0, EMPTY);
}
END_TEST

START_TEST(the_order_of_nodes_is_checked) {
    BREAK(s.nodes[0].parent = 0, STRUCTURE);
    BREAK(s.nodes[3].parent = 3, STRUCTURE);
    BREAK(s.nodes[3].parent = 7, STRUCTURE);
    BREAK(s.nodes[3].parent = -2, STRUCTURE);
    BREAK(s.nodes[3].parent = 1, STRUCTURE); // an action, left already
    BREAK(s.nodes[7].parent = SOM_NONE, STRUCTURE);
    BREAK(s.nodes[2].end = 5, STRUCTURE);
    BREAK(s.nodes[0].end = 7, STRUCTURE);
    BREAK(s.nodes[0].end = 9, STRUCTURE);
    BREAK(s.nodes[7].end = 0, STRUCTURE);
    BREAK(s.graph.node_count = 7, STRUCTURE);
    BREAK(s.nodes[2].parent = 1; s.nodes[1].end = 4, CHILDREN); // a child of an action
    BREAK(s.nodes[4].kind = SOM_NODE_REPEAT; s.nodes[4].index = 1, CHILDREN); // two children
}
END_TEST

START_TEST(nodes_are_checked) {
    BREAK(s.nodes[2].kind = SOM_NODE_KINDS, NODE);
    BREAK(s.nodes[1].index = 5, NODE);
    BREAK(s.nodes[1].index = -1, NODE);
    BREAK(s.nodes[2].index = -2, NODE);
    BREAK(s.nodes[2].until = 2, NODE);
    BREAK(s.nodes[5].guard = -2, NODE);
    BREAK(s.nodes[1].is_instant = 1, INSTANT);
    BREAK(s.actions[1] = som_action(SOM_ACTION_HOLD, 0, 0); s.nodes[3].is_instant = 1, ZERO_REPEAT);
    BREAK(s.actions[1] = som_action(SOM_ACTION_HOLD, 0, 0), INSTANT);
    BREAK(s.nodes[5].guard = SOM_NONE; s.nodes[6].guard = 0; s.nodes[6].index = 9, NODE);
}
END_TEST

START_TEST(actions_are_checked) {
    BREAK(s.actions[0].kind = SOM_ACTION_KINDS, ACTION);
    BREAK(s.actions[0].target = 2, ACTION);
    BREAK(s.actions[0].target = -1, ACTION);
    BREAK(s.actions[4].target = 1, ACTION);
    BREAK(s.actions[0].until = 2, ACTION);
    BREAK(s.actions[3].keyframe_count = 0, ACTION);
    BREAK(s.actions[3].keyframe_count = 3, ACTION);
    BREAK(s.actions[3].first_keyframe = 1, ACTION);
    BREAK(s.actions[3].first_keyframe = INT32_MAX, ACTION);
    BREAK(s.actions[0].value = (double)NAN, VALUE);
    BREAK(s.actions[0].value = -2e9, VALUE);
    BREAK(s.actions[0].speed = -1, VALUE);
    BREAK(s.actions[0].tolerance = 0, VALUE);
    BREAK(s.actions[1].duration = -0.1, VALUE);
    BREAK(s.actions[1].timeout = (double)NAN, VALUE);
    BREAK(s.keyframes[0].time = -1, KEYFRAMES);
    BREAK(s.keyframes[0].time = 1, KEYFRAMES);
    BREAK(s.keyframes[1].value = (double)INFINITY, KEYFRAMES);
}
END_TEST

START_TEST(conditions_are_checked) {
    BREAK(s.conditions[0].count = 0, CONDITION);
    BREAK(s.conditions[0].count = 5, CONDITION);
    BREAK(s.conditions[0].first = -1, CONDITION);
    BREAK(s.conditions[0].first = INT32_MAX, CONDITION);
    BREAK(s.conditions[0].count = 2, CONDITION); // leaves two values
    BREAK(s.conditions[1].count = 2; s.conditions[1].first = 2, CONDITION);
    BREAK(s.instructions[0].kind = SOM_INSTRUCTION_KINDS, CONDITION);
    BREAK(s.instructions[0].index = 1, CONDITION);
    BREAK(s.instructions[1].index = -1, CONDITION);
    BREAK(s.instructions[2].value = (double)NAN, CONDITION);
}
END_TEST

START_TEST(names_are_checked) {
    BREAK(s.names[1] = 5, NAMES);
    BREAK(s.places[7].path = 5, NAMES);
    BREAK(s.text[4] = 'x', NAMES);
    BREAK(s.graph.text_length = 0, NAMES);
}
END_TEST

START_TEST(depth_is_limited) {
    static SomGraphNode nodes[SOM_GRAPH_MOST_DEPTH + 1];
    for (int i = 0; i <= SOM_GRAPH_MOST_DEPTH; i++) {
        nodes[i] = (SomGraphNode){i - 1,    SOM_GRAPH_MOST_DEPTH + 1, 0, SOM_NONE,
                                  SOM_NONE, SOM_NODE_SERIES,          1};
    }
    SomActionGraph graph = {.nodes = nodes, .node_count = SOM_GRAPH_MOST_DEPTH + 1};
    ck_assert_int_eq(som_graph_check(&graph).kind, SOM_GRAPH_FAULT_DEPTH);
    graph.node_count--;
    for (int i = 0; i < graph.node_count; i++) {
        nodes[i].end--;
    }
    ck_assert_int_eq(som_graph_check(&graph).kind, SOM_GRAPH_FAULT_NONE);
}
END_TEST

// Which bytes are wrong does not matter: it either passes or does not, within bounds.
// A small file must not make much work: many actions that share many keyframes are refused.
START_TEST(shared_keyframes_are_bounded) {
    enum { ACTIONS = 4000, KEYFRAMES = 5000 };
    static SomGraphNode nodes[ACTIONS + 1];
    static SomAction actions[ACTIONS];
    static SomKeyframe keyframes[KEYFRAMES];
    for (int i = 0; i < KEYFRAMES; i++) {
        keyframes[i] = (SomKeyframe){i, 0};
    }
    Small s;
    make(&s);
    nodes[0] = (SomGraphNode){SOM_NONE, ACTIONS + 1, 0, SOM_NONE, SOM_NONE, SOM_NODE_SERIES, 0};
    for (int i = 0; i < ACTIONS; i++) {
        nodes[i + 1] = (SomGraphNode){0, i + 2, i, SOM_NONE, SOM_NONE, SOM_NODE_ACTION, 0};
        actions[i] = som_action(SOM_ACTION_FOLLOW, 0, 0);
        actions[i].keyframe_count = KEYFRAMES;
    }
    s.graph.nodes = nodes;
    s.graph.places = NULL;
    s.graph.actions = actions;
    s.graph.keyframes = keyframes;
    s.graph.keyframe_count = KEYFRAMES;
    s.graph.node_count = ACTIONS / 2 + 1;
    s.graph.action_count = ACTIONS / 2;
    nodes[0].end = ACTIONS / 2 + 1;
    ck_assert_int_eq(som_graph_check(&s.graph).kind, SOM_GRAPH_FAULT_NONE);
    s.graph.node_count = nodes[0].end = ACTIONS + 1;
    s.graph.action_count = ACTIONS;
    ck_assert_int_eq(som_graph_check(&s.graph).kind, SOM_GRAPH_FAULT_KEYFRAMES);
}
END_TEST

START_TEST(changed_bytes_never_lead_out_of_bounds) {
    SomTestRandom random = {5};
    int passed = 0, rounds = som_test_count(20000, 1000000);
    for (int i = 0; i < rounds; i++) {
        Small s;
        make(&s);
        unsigned char *bytes = (unsigned char *)&s;
        for (int k = som_test_int(&random, 1, 4); k > 0; k--) {
            bytes[som_test_int(&random, 0, (int)offsetof(Small, graph) - 1)] =
                (unsigned char)som_test_bits(&random);
        }
        passed += som_graph_check(&s.graph).kind == SOM_GRAPH_FAULT_NONE;
    }
    ck_assert_int_gt(passed, rounds / 100);
    ck_assert_int_lt(passed, rounds);
}
END_TEST

SOM_SUITE("player/graph", a_good_graph_passes, counts_are_checked, the_order_of_nodes_is_checked,
          nodes_are_checked, actions_are_checked, conditions_are_checked, names_are_checked,
          depth_is_limited, shared_keyframes_are_bounded, changed_bytes_never_lead_out_of_bounds)
