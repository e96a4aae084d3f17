// SPDX-License-Identifier: Apache-2.0
#include "tests/player/random_graph.h"

#include "behaviors/graph_builder.h"
#include "behaviors/static_checks.h"

typedef struct Maker {
    SomTestRandom *random;
    const RandomGraphDef *def;
    SomGraphBuilder *builder;
    int actions; // that may still be made
    int depth;
} Maker;

static int draw(Maker *m, int high) {
    return som_test_int(m->random, 0, high);
}

static double small(Maker *m) {
    return 0.5 * som_test_int(m->random, -2, 2);
}

// ---- conditions

static SomInstruction leaf(Maker *m) {
    const RandomGraphDef *def = m->def;
    switch (draw(m, 10)) {
    case 0:
        return (SomInstruction){.kind = SOM_INSTRUCTION_POSITION, .index = draw(m, def->dofs - 1)};
    case 1:
        return (SomInstruction){.kind = SOM_INSTRUCTION_SPEED, .index = draw(m, def->dofs - 1)};
    case 2:
        return (SomInstruction){.kind = SOM_INSTRUCTION_EFFORT, .index = draw(m, def->dofs - 1)};
    case 3:
        return (SomInstruction){.kind = SOM_INSTRUCTION_CONTACT,
                                .index = draw(m, def->contacts - 1)};
    case 4:
        return (SomInstruction){.kind = SOM_INSTRUCTION_INPUT, .index = draw(m, def->inputs - 1)};
    case 5:
        return (SomInstruction){.kind = SOM_INSTRUCTION_DOCKED, .index = draw(m, def->docks - 1)};
    case 6:
        return (SomInstruction){.kind = SOM_INSTRUCTION_ELAPSED};
    case 7:
        return (SomInstruction){.kind = SOM_INSTRUCTION_ERROR};
    case 8:
        return (SomInstruction){.kind = (uint8_t)(SOM_INSTRUCTION_HEIGHT + draw(m, 1))};
    case 9:
        return (SomInstruction){.kind = SOM_INSTRUCTION_TIME};
    default:
        return (SomInstruction){.kind = SOM_INSTRUCTION_NUMBER, .value = small(m)};
    }
}

static int expression(Maker *m, SomInstruction *out, int depth) {
    int choice = depth == 0 ? 0 : draw(m, 3);
    if (choice == 0) {
        out[0] = leaf(m);
        return 1;
    }
    int count = expression(m, out, depth - 1);
    if (choice == 1) {
        static const uint8_t unary[] = {SOM_INSTRUCTION_NEGATE, SOM_INSTRUCTION_ABSOLUTE,
                                        SOM_INSTRUCTION_NOT};
        out[count] = (SomInstruction){.kind = unary[draw(m, 2)]};
        return count + 1;
    }
    count += expression(m, out + count, depth - 1);
    int binary = SOM_INSTRUCTION_ADD + draw(m, SOM_INSTRUCTION_OR - SOM_INSTRUCTION_ADD);
    out[count] = (SomInstruction){.kind = (uint8_t)binary};
    return count + 1;
}

static int condition(Maker *m) {
    SomInstruction program[64];
    int count = expression(m, program, 3);
    return som_graph_builder_add_condition(m->builder, program, count);
}

// ---- nodes

static SomAction plain_action(Maker *m) {
    int dof = draw(m, m->def->dofs - 1); // compilers draw arguments in different orders
    return som_action(SOM_ACTION_POSITION, dof, draw(m, 1));
}

static SomAction action(Maker *m) {
    SomActionKind kind = (SomActionKind)draw(m, SOM_ACTION_KINDS - 1);
    bool is_dock = kind == SOM_ACTION_CONNECT || kind == SOM_ACTION_DISCONNECT;
    int target = draw(m, (is_dock ? m->def->docks : m->def->dofs) - 1);
    SomAction a = som_action(kind, target, small(m));
    a.tolerance = 0.3;
    a.speed = 0.5 * draw(m, 2);
    if (draw(m, 3) == 0) {
        a.until = condition(m);
    }
    if (draw(m, 2) == 0) {
        a.duration = 0.1 * draw(m, 4);
    }
    if (draw(m, 3) > 0) {
        a.timeout = 0.1 * draw(m, 6);
    }
    if (kind == SOM_ACTION_FOLLOW) {
        SomKeyframe frames[4];
        a.keyframe_count = 1 + draw(m, 3);
        for (int i = 0; i < a.keyframe_count; i++) {
            frames[i].time = (i > 0 ? frames[i - 1].time + 0.1 : 0) + 0.1 * draw(m, 2);
            frames[i].value = small(m);
        }
        a.first_keyframe = som_graph_builder_add_keyframes(m->builder, frames, a.keyframe_count);
    }
    return a;
}

static SomSpan next_span(Maker *m) {
    uint32_t at = (uint32_t)m->actions * 3;
    return (SomSpan){1, at, at + 2};
}

static void node(Maker *m);

static void children(Maker *m, int least, int most, bool has_guards) {
    m->depth++;
    int count = som_test_int(m->random, least, most);
    for (int i = 0; i < count; i++) {
        if (has_guards && draw(m, 2) > 0) {
            som_graph_builder_set_guard(m->builder, condition(m));
        }
        node(m);
    }
    m->depth--;
    som_graph_builder_close(m->builder);
}

static void node(Maker *m) {
    int kind = m->actions <= 0 || m->depth > 8 ? 9 : draw(m, m->def->is_plain ? 4 : 9);
    SomSpan span = next_span(m);
    SomStr path = m->depth % 2 == 0 ? SOM_STR("body") : SOM_STR("leg[\"2\"]");
    if (m->depth < 2 && kind > 4) {
        kind = draw(m, m->def->is_plain ? 1 : 4);
    }
    if (kind == 0 || kind == 1 || kind == 2) {
        static const SomNodeKind kinds[] = {SOM_NODE_SERIES, SOM_NODE_PARALLEL, SOM_NODE_ANY};
        bool is_any = kind == 2 && !m->def->is_plain;
        som_graph_builder_open(m->builder, kinds[is_any ? 2 : kind % 2], span, path);
        int least = draw(m, 5) == 0 ? 0 : 1;
        children(m, least, 4, false);
    } else if (kind == 3 && !m->def->is_plain) {
        int passes = draw(m, 4) - 1;
        int until = draw(m, 1) ? SOM_NONE : condition(m);
        som_graph_builder_open_repeat(m->builder, passes, until, span, path);
        children(m, 1, 1, false);
    } else if (kind == 4 && !m->def->is_plain) {
        som_graph_builder_open(m->builder, SOM_NODE_CHOOSE, span, path);
        children(m, 0, 3, true);
    } else {
        SomAction a = m->def->is_plain ? plain_action(m) : action(m);
        m->actions--;
        som_graph_builder_add_action(m->builder, &a, span, path);
    }
}

// Something for spans to point to.
static const SomStr source = {(const char[400]){0}, 400};

SomActionGraph *random_graph(SomTestRandom *random, const RandomGraphDef *def) {
    SomActionGraph *graph = NULL;
    while (graph == NULL) { // a repetition of nothing is refused: another one then
        Maker m = {random, def, som_graph_builder_create(), def->most_actions, 0};
        SomDiagnostics *diags = som_diagnostics_create();
        som_diagnostics_add_source(diags, SOM_STR("random.som"), source);
        const int counts[SOM_SYMBOL_KINDS] = {def->dofs, def->contacts, def->inputs, def->docks};
        for (int kind = 0; kind < SOM_SYMBOL_KINDS; kind++) {
            for (int i = 0; i < counts[kind]; i++) {
                char name[2] = {(char)('a' + i), '\0'};
                som_graph_builder_add_symbol(m.builder, (SomSymbolKind)kind, som_str(name));
            }
        }
        node(&m);
        graph = som_graph_builder_finish(m.builder, diags);
        som_graph_builder_destroy(m.builder);
        som_diagnostics_destroy(diags);
    }
    return graph;
}

bool random_graph_has_conflicts(const SomActionGraph *graph) {
    SomStaticConflicts conflicts = {0};
    som_static_conflicts(graph, &conflicts);
    bool has = conflicts.found.count > 0;
    som_array_free(&conflicts.found);
    return has;
}

void random_senses(SomTestRandom *random, RandomSenses *s) {
    for (int i = 0; i < 8; i++) {
        s->positions[i] = 0.25 * som_test_int(random, -5, 5);
        s->speeds[i] = 0.5 * som_test_int(random, -2, 2);
        s->efforts[i] = 0.5 * som_test_int(random, -2, 2);
    }
    for (int i = 0; i < 4; i++) {
        s->inputs[i] =
            som_test_int(random, 0, 3) == 0 ? (double)NAN : 0.5 * som_test_int(random, -2, 2);
        s->contacts[i] = (uint8_t)som_test_int(random, 0, 1);
        s->docks[i] = (uint8_t)som_test_int(random, 0, 2);
    }
    double height = 0.5 * som_test_int(random, -2, 2), tilt = 0.5 * som_test_int(random, -2, 2);
    s->senses = (SomSenses){.positions = s->positions,
                            .speeds = s->speeds,
                            .efforts = s->efforts,
                            .contacts = s->contacts,
                            .inputs = s->inputs,
                            .docks = s->docks,
                            .height = height,
                            .tilt = tilt};
}
