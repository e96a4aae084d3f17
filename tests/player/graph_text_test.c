// SPDX-License-Identifier: Apache-2.0
// Tests for player/graph_text_read.c and player/graph_text_write.c.

#include "base/memory.h"
#include "behaviors/graph_builder.h"
#include "player/graph_text.h"
#include "tests/player/random_graph.h"

#include <stdlib.h>
#include <string.h>

typedef struct Read {
    SomActionGraph graph;
    SomGraphFault fault;
    void *memory;
} Read;

static Read read_text(const char *text, size_t length) {
    Read r = {0};
    size_t needed;
    r.fault = som_graph_text_read(text, length, NULL, 0, &r.graph, &needed);
    if (r.fault.kind == SOM_GRAPH_FAULT_MEMORY) {
        r.memory = som_alloc(needed);
        r.fault = som_graph_text_read(text, length, r.memory, needed, &r.graph, &needed);
    }
    return r;
}

static char *write_text(const SomActionGraph *graph, size_t *length) {
    *length = som_graph_text_write(graph, NULL, 0);
    char *text = som_alloc(*length + 1);
    ck_assert_uint_eq(som_graph_text_write(graph, text, *length + 1), *length);
    ck_assert_uint_eq(strlen(text), *length);
    return text;
}

static const char *const canonical =
    "somite-graph 1\n"
    "dof \"head.tilt\"\n"
    "dof \"odd \\\"name\\\" \\\\ \\x09\"\n"
    "contact \"foot\"\n"
    "input \"light\"\n"
    "dock \"head.B\"\n"
    "series at 1 0 90 path \"walk\"\n"
    " parallel\n"
    "  position 0 0.7853981633974483 speed 1 within 0.035 timeout 3 at 1 10 20 path \"s[1]\"\n"
    "  velocity 1 -2 during 1.5\n"
    "  relative 0 0x10c152382d7365p-51 until ( error number 0.01 < contact 0 or )\n"
    " end\n"
    " any\n"
    "  follow 1 ( 0 0 0.5 1 )\n"
    "  wait timeout 2\n"
    " end\n"
    " repeat 3 until ( input 0 number 0.5 > )\n"
    "  series\n"
    "   hold 0\n"
    "   wait during 0.25\n"
    "  end\n"
    " end\n"
    " repeat forever\n"
    "  connect 0 timeout 1\n"
    " end\n"
    " choose\n"
    "  disconnect 0 when ( docked 0 )\n"
    "  series when ( elapsed number 1 < not )\n"
    "  end\n"
    " end\n"
    "end\n";

START_TEST(every_kind_of_node_is_read_and_written) {
    Read r = read_text(canonical, strlen(canonical));
    ck_assert_msg(r.fault.kind == SOM_GRAPH_FAULT_NONE, "line %d: %s", r.fault.line,
                  som_graph_fault_words(r.fault.kind));
    size_t length;
    char *text = write_text(&r.graph, &length);
    ck_assert_str_eq(text, canonical);
    ck_assert_str_eq(som_graph_name(&r.graph, SOM_SYMBOL_DOF, 1), "odd \"name\" \\ \t");
    ck_assert_str_eq(som_graph_path(&r.graph, 2), "s[1]");
    ck_assert_int_eq((int)r.graph.places[2].begin, 10);
    som_free(text);
    som_free(r.memory);
}
END_TEST

START_TEST(blanks_and_comments_do_not_matter) {
    const char *text = "# a graph\n\tsomite-graph 1 dof\"a\"#none\nseries(";
    Read r = read_text(text, strlen(text));
    ck_assert_int_eq(r.fault.kind, SOM_GRAPH_FAULT_WORD);
    ck_assert_int_eq(r.fault.line, 3);
    text = "#\r\nsomite-graph 1 dof\"a\"series follow 0(0 1)until(number 1)#x\n end";
    r = read_text(text, strlen(text));
    ck_assert_int_eq(r.fault.kind, SOM_GRAPH_FAULT_NONE);
    som_free(r.memory);
}
END_TEST

START_TEST(wrong_texts_name_their_fault_and_line) {
    static const struct {
        const char *text;
        SomGraphFaultKind fault;
        int line;
    } cases[] = {
        {"", SOM_GRAPH_FAULT_VERSION, 1},
        {"somite-graph 2\nseries end", SOM_GRAPH_FAULT_VERSION, 2},
        {"somite-graph x", SOM_GRAPH_FAULT_VERSION, 1},
        {"somite-graph 1\n", SOM_GRAPH_FAULT_WORD, 2},
        {"somite-graph 1\nseries\n", SOM_GRAPH_FAULT_WORD, 3},
        {"somite-graph 1\nend", SOM_GRAPH_FAULT_WORD, 2},
        {"somite-graph 1\nseries end end", SOM_GRAPH_FAULT_WORD, 2},
        {"somite-graph 1\nseries end series end", SOM_GRAPH_FAULT_WORD, 2},
        {"somite-graph 1 dof a\n", SOM_GRAPH_FAULT_WORD, 1},
        {"somite-graph 1 dof \"a\nb\"", SOM_GRAPH_FAULT_WORD, 1},
        {"somite-graph 1 dof \"a\\\nb\"", SOM_GRAPH_FAULT_WORD, 1},
        {"somite-graph 1 dof \"\\x0", SOM_GRAPH_FAULT_WORD, 1},
        {"somite-graph 1 dof \"\\x00\" wait", SOM_GRAPH_FAULT_WORD, 1},
        {"somite-graph 1 dof \"\\y\" wait", SOM_GRAPH_FAULT_WORD, 1},
        {"somite-graph 1 wait\n during 3.14159265358979323846", SOM_GRAPH_FAULT_NUMBER, 2},
        {"somite-graph 1 dof \"a\" position 0", SOM_GRAPH_FAULT_NUMBER, 1},
        {"somite-graph 1 dof \"a\" position 0.5 1", SOM_GRAPH_FAULT_NUMBER, 1},
        {"somite-graph 1 dof \"a\" position -1 1", SOM_GRAPH_FAULT_NUMBER, 1},
        {"somite-graph 1 repeat 1e10 wait end", SOM_GRAPH_FAULT_NUMBER, 1},
        {"somite-graph 1 wait until", SOM_GRAPH_FAULT_WORD, 1},
        {"somite-graph 1 wait until (", SOM_GRAPH_FAULT_WORD, 1},
        {"somite-graph 1 wait until ( series )", SOM_GRAPH_FAULT_WORD, 1},
        {"somite-graph 1 series during 1 end", SOM_GRAPH_FAULT_WORD, 1},
        // what is read, but does not pass
        {"somite-graph 1 position 0 1", SOM_GRAPH_FAULT_ACTION, 1},
        {"somite-graph 1 series wait until ( time )\nwait\nuntil ( ) end",
         SOM_GRAPH_FAULT_CONDITION, 2},
        {"somite-graph 1 series wait\nwait during -1\ntimeout 2 wait end", SOM_GRAPH_FAULT_VALUE,
         2},
        {"somite-graph 1\nseries\nrepeat 2\nseries end end end", SOM_GRAPH_FAULT_ZERO_REPEAT, 3},
        {"somite-graph 1 repeat 2 wait wait end", SOM_GRAPH_FAULT_CHILDREN, 1},
        {"somite-graph 1 repeat forever end", SOM_GRAPH_FAULT_CHILDREN, 1},
        {"somite-graph 1 dof \"a\" follow 0 ( 1 0 0 0 )", SOM_GRAPH_FAULT_KEYFRAMES, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Read r = read_text(cases[i].text, strlen(cases[i].text));
        ck_assert_msg(r.fault.kind == cases[i].fault && r.fault.line == cases[i].line,
                      "\"%s\" gives line %d: %s", cases[i].text, r.fault.line,
                      som_graph_fault_words(r.fault.kind));
        ck_assert_ptr_null(r.graph.nodes);
        som_free(r.memory);
    }
}
END_TEST

START_TEST(deep_texts_are_refused) {
    size_t length = 16;
    char *text = som_alloc(SOM_GRAPH_MOST_DEPTH * 8 + 64);
    memcpy(text, "somite-graph 1 \n", 16);
    for (int i = 0; i <= SOM_GRAPH_MOST_DEPTH; i++) {
        memcpy(text + length, "series\n", 7);
        length += 7;
    }
    Read r = read_text(text, length);
    ck_assert_int_eq(r.fault.kind, SOM_GRAPH_FAULT_DEPTH);
    som_free(text);
}
END_TEST

START_TEST(a_small_buffer_is_filled_as_far_as_it_goes) {
    Read r = read_text(canonical, strlen(canonical));
    char text[20];
    memset(text, 'x', sizeof text);
    ck_assert_uint_eq(som_graph_text_write(&r.graph, text, 10), strlen(canonical));
    ck_assert_str_eq(text, "somite-gr");
    ck_assert_int_eq(text[10], 'x');
    som_free(r.memory);
}
END_TEST

static bool same_graph(const SomActionGraph *a, const SomActionGraph *b) {
    bool same = a->node_count == b->node_count && a->action_count == b->action_count &&
                a->keyframe_count == b->keyframe_count;
    for (int i = 0; i < SOM_SYMBOL_KINDS; i++) {
        same = same && a->symbol_count[i] == b->symbol_count[i];
    }
    for (int i = 0; same && i < a->node_count; i++) {
        const SomGraphNode *x = &a->nodes[i], *y = &b->nodes[i];
        same = x->kind == y->kind && x->parent == y->parent && x->end == y->end &&
               x->index == y->index && x->is_instant == y->is_instant &&
               (x->guard == SOM_NONE) == (y->guard == SOM_NONE) &&
               strcmp(som_graph_path(a, i), som_graph_path(b, i)) == 0 &&
               a->places[i].begin == b->places[i].begin;
    }
    for (int i = 0; same && i < a->action_count; i++) {
        const SomAction *x = &a->actions[i], *y = &b->actions[i];
        same = x->kind == y->kind && x->target == y->target && x->speed == y->speed &&
               x->tolerance == y->tolerance && x->duration == y->duration &&
               x->timeout == y->timeout && x->keyframe_count == y->keyframe_count &&
               (x->value == y->value || x->kind > SOM_ACTION_VELOCITY) &&
               (x->until == SOM_NONE) == (y->until == SOM_NONE);
    }
    return same;
}

START_TEST(random_graphs_survive_writing_and_reading) {
    SomTestRandom random = {23};
    RandomGraphDef def = {.dofs = 3, .docks = 2, .contacts = 2, .inputs = 2, .most_actions = 30};
    int wrong = 0;
    for (int i = 0; i < som_test_count(500, 20000); i++) {
        SomActionGraph *graph = random_graph(&random, &def);
        size_t length, again_length;
        char *text = write_text(graph, &length);
        Read r = read_text(text, length);
        wrong += r.fault.kind != SOM_GRAPH_FAULT_NONE || !same_graph(graph, &r.graph);
        char *again = write_text(&r.graph, &again_length);
        wrong += length != again_length || memcmp(text, again, length) != 0;
        som_free(text);
        som_free(again);
        som_free(r.memory);
        som_action_graph_destroy(graph);
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

SOM_SUITE("player/graph_text", every_kind_of_node_is_read_and_written,
          blanks_and_comments_do_not_matter, wrong_texts_name_their_fault_and_line,
          deep_texts_are_refused, a_small_buffer_is_filled_as_far_as_it_goes,
          random_graphs_survive_writing_and_reading)
