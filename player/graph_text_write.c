// SPDX-License-Identifier: Apache-2.0
#include "player/exact_number.h"
#include "player/graph_text.h"
#include "player/player_text.h"

const char *som_node_word(SomNodeKind kind) {
    static const char *const words[] = {"series", "parallel", "any", "repeat", "choose", "action"};
    return words[kind];
}

const char *som_action_word(SomActionKind kind) {
    static const char *const words[] = {"position", "relative", "velocity", "follow",
                                        "hold",     "wait",     "connect",  "disconnect"};
    return words[kind];
}

const char *som_symbol_word(SomSymbolKind kind) {
    static const char *const words[] = {"dof", "contact", "input", "dock"};
    return words[kind];
}

typedef struct Writer {
    const SomActionGraph *graph;
    SomPlayerText text;
} Writer;

static void put(Writer *w, char c) {
    som_player_text_char(&w->text, c);
}

static void put_word(Writer *w, const char *word) {
    som_player_text_word(&w->text, word);
}

static void put_whole(Writer *w, int64_t value) {
    som_player_text_whole(&w->text, value);
}

static void put_number(Writer *w, double value) {
    char text[SOM_EXACT_NUMBER_TEXT];
    som_exact_number_print(value, text);
    put_word(w, text);
}

static void put_quoted(Writer *w, const char *text) {
    som_player_text_quoted(&w->text, text);
}

static void put_option(Writer *w, const char *word, double value, double usual) {
    if (value < usual || value > usual) {
        put(w, ' ');
        put_word(w, word);
        put(w, ' ');
        put_number(w, value);
    }
}

static void put_condition(Writer *w, const char *word, int32_t condition) {
    if (condition == SOM_NONE) {
        return;
    }
    put(w, ' ');
    put_word(w, word);
    put_word(w, " (");
    const SomCondition *c = &w->graph->conditions[condition];
    for (int32_t i = c->first; i < c->first + c->count; i++) {
        const SomInstruction *in = &w->graph->instructions[i];
        SomInstructionInfo info = som_instruction_info((SomInstructionKind)in->kind);
        put(w, ' ');
        put_word(w, info.word);
        if (info.operand != SOM_OPERAND_NOTHING) {
            put(w, ' ');
        }
        if (info.operand == SOM_OPERAND_NUMBER) {
            put_number(w, in->value);
        } else if (info.operand != SOM_OPERAND_NOTHING) {
            put_whole(w, in->index);
        }
    }
    put_word(w, " )");
}

static void put_keyframes(Writer *w, int32_t first, int32_t count) {
    put_word(w, " (");
    for (int32_t i = first; i < first + count; i++) {
        put(w, ' ');
        put_number(w, w->graph->keyframes[i].time);
        put(w, ' ');
        put_number(w, w->graph->keyframes[i].value);
    }
    put_word(w, " )");
}

static void put_action(Writer *w, const SomAction *a) {
    SomActionKind kind = (SomActionKind)a->kind;
    SomAction usual = som_action(kind, 0, 0);
    put_word(w, som_action_word(kind));
    if (kind != SOM_ACTION_WAIT) {
        put(w, ' ');
        put_whole(w, a->target);
    }
    if (kind == SOM_ACTION_POSITION || kind == SOM_ACTION_RELATIVE || kind == SOM_ACTION_VELOCITY) {
        put(w, ' ');
        put_number(w, a->value);
    }
    if (kind == SOM_ACTION_FOLLOW) {
        put_keyframes(w, a->first_keyframe, a->keyframe_count);
    }
    put_option(w, "speed", a->speed, usual.speed);
    put_option(w, "within", a->tolerance, usual.tolerance);
    put_option(w, "during", a->duration, usual.duration);
    put_option(w, "timeout", a->timeout, usual.timeout);
    put_condition(w, "until", a->until);
}

static void put_place(Writer *w, int32_t node) {
    if (w->graph->places == NULL) {
        return;
    }
    const SomGraphPlace *place = &w->graph->places[node];
    if (place->source1 != 0 || place->begin != 0 || place->end != 0) {
        const uint32_t numbers[] = {place->source1, place->begin, place->end};
        put_word(w, " at");
        for (int i = 0; i < 3; i++) {
            put(w, ' ');
            put_whole(w, numbers[i]);
        }
    }
    if (*som_graph_path(w->graph, node) != '\0') {
        put_word(w, " path ");
        put_quoted(w, som_graph_path(w->graph, node));
    }
}

static void put_indent(Writer *w, int32_t depth) {
    for (int32_t i = 0; i < depth && i < 32; i++) { // deeper ones are no easier to read
        put(w, ' ');
    }
}

static void put_node(Writer *w, int32_t node) {
    const SomGraphNode *n = &w->graph->nodes[node];
    if (n->kind == SOM_NODE_ACTION) {
        put_action(w, &w->graph->actions[n->index]);
    } else {
        put_word(w, som_node_word((SomNodeKind)n->kind));
    }
    if (n->kind == SOM_NODE_REPEAT) {
        put(w, ' ');
        if (n->index == SOM_FOREVER) {
            put_word(w, "forever");
        } else {
            put_whole(w, n->index);
        }
        put_condition(w, "until", n->until);
    }
    put_condition(w, "when", n->guard);
    put_place(w, node);
    put(w, '\n');
}

static void put_source(Writer *w, int32_t input) {
    SomInputSource source = som_graph_source(w->graph, input);
    if (source.kind == SOM_SOURCE_UNKNOWN) {
        return;
    }
    put(w, ' ');
    put_word(w, som_source_word((SomSourceKind)source.kind));
    if (source.kind == SOM_SOURCE_TABLE || source.kind == SOM_SOURCE_STEPS) {
        put_keyframes(w, source.first_keyframe, source.keyframe_count);
    } else if (source.kind == SOM_SOURCE_TOPIC) {
        put(w, ' ');
        put_quoted(w, som_graph_topic(w->graph, input));
    } else {
        put(w, ' ');
        put_number(w, source.low);
    }
    if (source.kind == SOM_SOURCE_RANGE) {
        put(w, ' ');
        put_number(w, source.high);
    }
}

static void put_symbols(Writer *w) {
    for (int kind = 0; kind < SOM_SYMBOL_KINDS; kind++) {
        for (int32_t i = 0; i < w->graph->symbol_count[kind]; i++) {
            put_word(w, som_symbol_word((SomSymbolKind)kind));
            put(w, ' ');
            put_quoted(w, som_graph_name(w->graph, (SomSymbolKind)kind, i));
            if (kind == SOM_SYMBOL_INPUT) {
                put_source(w, i);
            }
            put(w, '\n');
        }
    }
}

size_t som_graph_text_write(const SomActionGraph *graph, char *buffer, size_t size) {
    Writer w = {NULL, {NULL, 0, 0}};
    w.graph = graph;
    w.text.buffer = buffer;
    w.text.size = size;
    put_word(&w, "somite-graph ");
    put_whole(&w, SOM_GRAPH_TEXT_VERSION);
    put(&w, '\n');
    put_symbols(&w);
    int32_t depth = 0, open = SOM_NONE; // the innermost node that is still open
    for (int32_t i = 0; i <= graph->node_count; i++) {
        int32_t parent = i < graph->node_count ? graph->nodes[i].parent : SOM_NONE;
        while (open != parent) {
            put_indent(&w, --depth);
            put_word(&w, "end\n");
            open = graph->nodes[open].parent;
        }
        if (i < graph->node_count) {
            put_indent(&w, depth);
            put_node(&w, i);
            if (graph->nodes[i].kind != SOM_NODE_ACTION) {
                open = i;
                depth++;
            }
        }
    }
    return som_player_text_end(&w.text);
}
