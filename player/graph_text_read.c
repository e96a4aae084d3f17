// SPDX-License-Identifier: Apache-2.0
// Reads twice: first to count, then to fill the arrays. Both times the same code runs; without
// arrays it only counts.

#include "player/exact_number.h"
#include "player/graph_text.h"

#include <string.h>

typedef enum TokenKind { TOKEN_WORD, TOKEN_NAME, TOKEN_OPEN, TOKEN_CLOSE, TOKEN_END } TokenKind;

typedef struct Reader {
    const char *text;
    size_t length;
    size_t at;
    int32_t line;
    TokenKind kind; // of the present token
    size_t begin;
    size_t end;
    SomGraphFaultKind fault; // the first one
    // what is filled in; NULL while counting
    SomGraphNode *nodes;
    SomAction *actions;
    SomKeyframe *keyframes;
    SomCondition *conditions;
    SomInstruction *instructions;
    SomGraphPlace *places;
    uint32_t *names[SOM_SYMBOL_KINDS];
    SomInputSource *sources;
    char *pool;
    SomActionGraph counts; // only its counts
    // the node, action or condition whose line is looked for, as a fault of the whole graph names
    // it
    int32_t *watched;
    int32_t watched_index;
    int32_t watched_line;
    int32_t node_line; // of the node that is being read
    int32_t open;
    int32_t depth;
    bool has_places, has_sources;
} Reader;

static bool fail(Reader *r, SomGraphFaultKind fault) {
    if (r->fault == SOM_GRAPH_FAULT_NONE) {
        r->fault = fault;
    }
    return false;
}

// ---- tokens

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void skip_blanks(Reader *r) {
    bool is_comment = false;
    while (r->at < r->length) {
        char c = r->text[r->at];
        if (!is_comment && !is_blank(c) && c != '#') {
            return;
        }
        is_comment = (is_comment || c == '#') && c != '\n';
        if (c == '\n' && r->line < INT32_MAX) {
            r->line++;
        }
        r->at++;
    }
}

// A name ends at a quote without a backslash, on the same line.
static void skip_name(Reader *r) {
    r->at++;
    while (r->at < r->length && r->text[r->at] != '"' && r->text[r->at] != '\n') {
        bool is_escape = r->text[r->at] == '\\' && r->at + 1 < r->length;
        r->at += is_escape && r->text[r->at + 1] != '\n' ? 2 : 1;
    }
    if (r->at >= r->length || r->text[r->at] != '"') {
        fail(r, SOM_GRAPH_FAULT_WORD);
        r->kind = TOKEN_END;
        r->at = r->length;
        return;
    }
    r->at++;
}

static void next(Reader *r) {
    skip_blanks(r);
    r->begin = r->at;
    if (r->at >= r->length) {
        r->kind = TOKEN_END;
    } else if (r->text[r->at] == '(' || r->text[r->at] == ')') {
        r->kind = r->text[r->at] == '(' ? TOKEN_OPEN : TOKEN_CLOSE;
        r->at++;
    } else if (r->text[r->at] == '"') {
        r->kind = TOKEN_NAME;
        skip_name(r);
    } else {
        r->kind = TOKEN_WORD;
        while (r->at < r->length && !is_blank(r->text[r->at]) && r->text[r->at] != '(' &&
               r->text[r->at] != ')' && r->text[r->at] != '"' && r->text[r->at] != '#') {
            r->at++;
        }
    }
    r->end = r->at;
}

static bool is_word(const Reader *r, const char *word) {
    size_t length = strlen(word);
    return r->kind == TOKEN_WORD && r->end - r->begin == length &&
           memcmp(r->text + r->begin, word, length) == 0;
}

static bool take_word(Reader *r, const char *word) {
    if (!is_word(r, word)) {
        return false;
    }
    next(r);
    return true;
}

static bool expect(Reader *r, TokenKind kind) {
    if (r->kind != kind) {
        return fail(r, SOM_GRAPH_FAULT_WORD);
    }
    next(r);
    return true;
}

static bool read_number(Reader *r, double *value) {
    if (r->kind != TOKEN_WORD ||
        !som_exact_number_read(r->text + r->begin, r->end - r->begin, value)) {
        return fail(r, SOM_GRAPH_FAULT_NUMBER);
    }
    next(r);
    return true;
}

static bool read_whole(Reader *r, int64_t most, int64_t *value) {
    double number;
    if (!read_number(r, &number)) {
        return false;
    }
    if (!(number >= 0 && number <= (double)most) || number != floor(number)) {
        return fail(r, SOM_GRAPH_FAULT_NUMBER);
    }
    *value = (int64_t)number;
    return true;
}

static bool read_index(Reader *r, int32_t *value) {
    int64_t whole;
    if (!read_whole(r, INT32_MAX, &whole)) {
        return false;
    }
    *value = (int32_t)whole;
    return true;
}

// ---- what is counted

static bool grow(Reader *r, int32_t *count) {
    if (*count >= SOM_GRAPH_MOST) {
        return fail(r, SOM_GRAPH_FAULT_COUNT);
    }
    if (count == r->watched && *count == r->watched_index) {
        r->watched_line = r->node_line;
    }
    ++*count;
    return true;
}

static int hexadecimal(char c) {
    if ('0' <= c && c <= '9') {
        return c - '0';
    }
    return 'a' <= c && c <= 'f' ? c - 'a' + 10 : -1;
}

// One character of a name at *at; moves on.
static bool read_character(Reader *r, size_t *at, char *c) {
    *c = r->text[(*at)++];
    if (*c == '\\') {
        *c = r->text[(*at)++];
        if (*c == 'x' && *at + 2 < r->end) {
            int high = hexadecimal(r->text[*at]), low = hexadecimal(r->text[*at + 1]);
            *at += 2;
            if (high < 0 || low < 0) {
                return fail(r, SOM_GRAPH_FAULT_WORD);
            }
            *c = (char)(high * 16 + low);
        } else if (*c != '"' && *c != '\\') {
            return fail(r, SOM_GRAPH_FAULT_WORD);
        }
    }
    return *c != '\0' || fail(r, SOM_GRAPH_FAULT_WORD);
}

// Adds the present name to the text of the graph.
static bool read_name(Reader *r, uint32_t *offset) {
    if (r->kind != TOKEN_NAME) {
        return fail(r, SOM_GRAPH_FAULT_WORD);
    }
    *offset = (uint32_t)r->counts.text_length;
    for (size_t at = r->begin + 1; at < r->end - 1;) {
        char c;
        int32_t place = r->counts.text_length;
        if (!read_character(r, &at, &c) || !grow(r, &r->counts.text_length)) {
            return false;
        }
        if (r->pool != NULL) {
            r->pool[place] = c;
        }
    }
    if (!grow(r, &r->counts.text_length)) {
        return false;
    }
    if (r->pool != NULL) {
        r->pool[r->counts.text_length - 1] = '\0';
    }
    next(r);
    return true;
}

// ---- conditions

static bool find_instruction(const Reader *r, SomInstructionKind *kind) {
    for (int k = 0; k < SOM_INSTRUCTION_KINDS; k++) {
        if (is_word(r, som_instruction_info((SomInstructionKind)k).word)) {
            *kind = (SomInstructionKind)k;
            return true;
        }
    }
    return false;
}

static bool read_instruction(Reader *r) {
    SomInstructionKind kind;
    if (!find_instruction(r, &kind)) {
        return fail(r, SOM_GRAPH_FAULT_WORD);
    }
    next(r);
    SomInstruction in = {0, 0, 0};
    in.kind = (uint8_t)kind;
    SomOperand operand = som_instruction_info(kind).operand;
    bool is_read = operand == SOM_OPERAND_NOTHING  ? true
                   : operand == SOM_OPERAND_NUMBER ? read_number(r, &in.value)
                                                   : read_index(r, &in.index);
    if (!is_read || !grow(r, &r->counts.instruction_count)) {
        return false;
    }
    if (r->instructions != NULL) {
        r->instructions[r->counts.instruction_count - 1] = in;
    }
    return true;
}

static bool read_condition(Reader *r, int32_t *condition) {
    SomCondition c = {0, 0};
    c.first = r->counts.instruction_count;
    if (!expect(r, TOKEN_OPEN)) {
        return false;
    }
    while (r->kind != TOKEN_CLOSE) {
        if (!read_instruction(r)) {
            return false;
        }
    }
    next(r);
    c.count = r->counts.instruction_count - c.first;
    *condition = r->counts.condition_count;
    if (!grow(r, &r->counts.condition_count)) {
        return false;
    }
    if (r->conditions != NULL) {
        r->conditions[*condition] = c;
    }
    return true;
}

// ---- nodes

static bool read_keyframes(Reader *r, int32_t *first, int32_t *count) {
    *first = r->counts.keyframe_count;
    if (!expect(r, TOKEN_OPEN)) {
        return false;
    }
    while (r->kind != TOKEN_CLOSE) {
        SomKeyframe frame;
        if (!read_number(r, &frame.time) || !read_number(r, &frame.value) ||
            !grow(r, &r->counts.keyframe_count)) {
            return false;
        }
        if (r->keyframes != NULL) {
            r->keyframes[r->counts.keyframe_count - 1] = frame;
        }
    }
    next(r);
    *count = r->counts.keyframe_count - *first;
    return true;
}

static bool read_operands(Reader *r, SomAction *action) {
    switch ((SomActionKind)action->kind) {
    case SOM_ACTION_POSITION:
    case SOM_ACTION_RELATIVE:
    case SOM_ACTION_VELOCITY:
        return read_index(r, &action->target) && read_number(r, &action->value);
    case SOM_ACTION_FOLLOW:
        return read_index(r, &action->target) &&
               read_keyframes(r, &action->first_keyframe, &action->keyframe_count);
    case SOM_ACTION_HOLD:
    case SOM_ACTION_CONNECT:
    case SOM_ACTION_DISCONNECT:
        return read_index(r, &action->target);
    case SOM_ACTION_WAIT:
    case SOM_ACTION_KINDS:
        break;
    }
    return true;
}

static bool read_place(Reader *r, SomGraphPlace *place) {
    uint32_t *const numbers[] = {&place->source1, &place->begin, &place->end};
    for (int i = 0; i < 3; i++) {
        int64_t whole;
        if (!read_whole(r, UINT32_MAX, &whole)) {
            return false;
        }
        *numbers[i] = (uint32_t)whole;
    }
    return true;
}

// Options in any order, until a word that is none.
static bool read_options(Reader *r, SomGraphNode *node, SomAction *action, SomGraphPlace *place) {
    bool is_good = true, is_option = true;
    bool is_action = node->kind == SOM_NODE_ACTION;
    while (is_good && is_option) {
        if (take_word(r, "when")) {
            is_good = read_condition(r, &node->guard);
        } else if (take_word(r, "at")) {
            is_good = read_place(r, place);
            r->has_places = true;
        } else if (take_word(r, "path")) {
            is_good = read_name(r, &place->path);
            r->has_places = true;
        } else if ((is_action || node->kind == SOM_NODE_REPEAT) && take_word(r, "until")) {
            is_good = read_condition(r, is_action ? &action->until : &node->until);
        } else if (is_action && take_word(r, "speed")) {
            is_good = read_number(r, &action->speed);
        } else if (is_action && take_word(r, "within")) {
            is_good = read_number(r, &action->tolerance);
        } else if (is_action && take_word(r, "during")) {
            is_good = read_number(r, &action->duration);
        } else if (is_action && take_word(r, "timeout")) {
            is_good = read_number(r, &action->timeout);
        } else {
            is_option = false;
        }
    }
    return is_good;
}

static bool find_kind(const Reader *r, SomGraphNode *node, SomAction *action) {
    for (int kind = 0; kind < SOM_NODE_ACTION; kind++) {
        if (is_word(r, som_node_word((SomNodeKind)kind))) {
            node->kind = (uint8_t)kind;
            return true;
        }
    }
    for (int kind = 0; kind < SOM_ACTION_KINDS; kind++) {
        if (is_word(r, som_action_word((SomActionKind)kind))) {
            node->kind = SOM_NODE_ACTION;
            *action = som_action((SomActionKind)kind, 0, 0);
            return true;
        }
    }
    return false;
}

static bool add_node(Reader *r, const SomGraphNode *node, const SomAction *action,
                     const SomGraphPlace *place) {
    int32_t index = r->counts.node_count;
    if (!grow(r, &r->counts.node_count) ||
        (node->kind == SOM_NODE_ACTION && !grow(r, &r->counts.action_count))) {
        return false;
    }
    if (r->nodes != NULL) {
        r->nodes[index] = *node;
    }
    if (r->actions != NULL && node->kind == SOM_NODE_ACTION) {
        r->actions[node->index] = *action;
    }
    if (r->places != NULL) {
        r->places[index] = *place;
    }
    if (node->kind != SOM_NODE_ACTION) {
        r->open = index;
        r->depth++;
    }
    return r->depth <= SOM_GRAPH_MOST_DEPTH || fail(r, SOM_GRAPH_FAULT_DEPTH);
}

static bool read_node(Reader *r) {
    SomGraphNode node = {SOM_NONE, 0, 0, SOM_NONE, SOM_NONE, 0, 0};
    SomAction action = som_action(SOM_ACTION_WAIT, 0, 0);
    SomGraphPlace place = {0, 0, 0, 0};
    if (!find_kind(r, &node, &action)) {
        return fail(r, SOM_GRAPH_FAULT_WORD);
    }
    r->node_line = r->line;
    next(r);
    node.parent = r->open;
    node.end = r->counts.node_count + 1;
    if (node.kind == SOM_NODE_ACTION) {
        node.index = r->counts.action_count;
        if (!read_operands(r, &action)) {
            return false;
        }
    } else if (node.kind == SOM_NODE_REPEAT) {
        node.index = SOM_FOREVER;
        if (!take_word(r, "forever") && !read_index(r, &node.index)) {
            return false;
        }
    }
    return read_options(r, &node, &action, &place) && add_node(r, &node, &action, &place);
}

static void close_node(Reader *r) {
    r->depth--;
    if (r->nodes != NULL) {
        r->nodes[r->open].end = r->counts.node_count;
        r->open = r->nodes[r->open].parent;
    }
    next(r);
}

static bool read_tree(Reader *r) {
    if (!read_node(r)) {
        return false;
    }
    while (r->depth > 0) {
        if (is_word(r, "end")) {
            close_node(r);
        } else if (!read_node(r)) {
            return false;
        }
    }
    return r->kind == TOKEN_END || fail(r, SOM_GRAPH_FAULT_WORD);
}

// ---- the whole

// What may follow the name of an input.
static bool read_source(Reader *r) {
    SomInputSource source = {0, 0, 0, 0, 0, SOM_SOURCE_UNKNOWN};
    bool is_good = true;
    if (take_word(r, "constant")) {
        source.kind = SOM_SOURCE_CONSTANT;
        is_good = read_number(r, &source.low);
        source.high = source.low;
    } else if (take_word(r, "range")) {
        source.kind = SOM_SOURCE_RANGE;
        is_good = read_number(r, &source.low) && read_number(r, &source.high);
    } else if (take_word(r, "topic")) {
        source.kind = SOM_SOURCE_TOPIC;
        is_good = read_name(r, &source.topic);
    } else if (is_word(r, "table") || is_word(r, "steps")) {
        source.kind = is_word(r, "table") ? SOM_SOURCE_TABLE : SOM_SOURCE_STEPS;
        next(r);
        is_good = read_keyframes(r, &source.first_keyframe, &source.keyframe_count);
    }
    r->has_sources = r->has_sources || source.kind != SOM_SOURCE_UNKNOWN;
    if (r->sources != NULL) {
        r->sources[r->counts.symbol_count[SOM_SYMBOL_INPUT] - 1] = source;
    }
    return is_good;
}

static bool read_symbols(Reader *r) {
    for (;;) {
        int kind = 0;
        while (kind < SOM_SYMBOL_KINDS && !is_word(r, som_symbol_word((SomSymbolKind)kind))) {
            kind++;
        }
        if (kind == SOM_SYMBOL_KINDS) {
            return true;
        }
        r->node_line = r->line;
        next(r);
        uint32_t offset;
        int32_t *count = &r->counts.symbol_count[kind];
        if (!read_name(r, &offset) || !grow(r, count)) {
            return false;
        }
        if (r->names[kind] != NULL) {
            r->names[kind][*count - 1] = offset;
        }
        if (kind == SOM_SYMBOL_INPUT && !read_source(r)) {
            return false;
        }
    }
}

static bool read_all(Reader *r) {
    SomActionGraph none = {0};
    r->counts = none;
    r->counts.text_length = 1; // "" for who has no path
    r->at = 0;
    r->line = 1;
    r->open = SOM_NONE;
    r->depth = 0;
    next(r);
    double version;
    if (!take_word(r, "somite-graph") || !read_number(r, &version) ||
        version != SOM_GRAPH_TEXT_VERSION) {
        r->fault = SOM_GRAPH_FAULT_NONE;
        return fail(r, SOM_GRAPH_FAULT_VERSION);
    }
    return read_symbols(r) && read_tree(r) && r->fault == SOM_GRAPH_FAULT_NONE;
}

#define PIECE_ALIGNMENT 8

static void *take(unsigned char *memory, size_t *used, int32_t count, size_t size) {
    void *piece = memory == NULL ? NULL : memory + *used;
    size_t bytes = (size_t)count * size;
    *used += (bytes + PIECE_ALIGNMENT - 1) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;
    return piece;
}

// Gives the arrays their memory, or only says how much they take.
static size_t lay_out(Reader *r, unsigned char *memory) {
    size_t used = 0;
    const SomActionGraph *c = &r->counts;
    r->actions = take(memory, &used, c->action_count, sizeof *r->actions);
    r->keyframes = take(memory, &used, c->keyframe_count, sizeof *r->keyframes);
    r->instructions = take(memory, &used, c->instruction_count, sizeof *r->instructions);
    r->nodes = take(memory, &used, c->node_count, sizeof *r->nodes);
    r->conditions = take(memory, &used, c->condition_count, sizeof *r->conditions);
    if (r->has_places) {
        r->places = take(memory, &used, c->node_count, sizeof *r->places);
    }
    if (r->has_sources) {
        r->sources = take(memory, &used, c->symbol_count[SOM_SYMBOL_INPUT], sizeof *r->sources);
    }
    for (int kind = 0; kind < SOM_SYMBOL_KINDS; kind++) {
        r->names[kind] = take(memory, &used, c->symbol_count[kind], sizeof *r->names[kind]);
    }
    r->pool = take(memory, &used, c->text_length, 1);
    return used;
}

static void hand_over(const Reader *r, SomActionGraph *graph) {
    *graph = r->counts;
    graph->nodes = r->nodes;
    graph->actions = r->actions;
    graph->keyframes = r->keyframes;
    graph->conditions = r->conditions;
    graph->instructions = r->instructions;
    graph->places = r->places;
    graph->text = r->pool;
    graph->sources = r->sources;
    for (int kind = 0; kind < SOM_SYMBOL_KINDS; kind++) {
        graph->names[kind] = r->names[kind];
    }
}

// Reads once more to find the line of what did not pass.
static int32_t line_of(Reader *r, SomGraphFault fault) {
    lay_out(r, NULL);
    r->places = NULL;
    r->sources = NULL;
    r->watched_index = fault.index;
    r->watched_line = 0;
    switch (fault.kind) {
    case SOM_GRAPH_FAULT_ACTION:
    case SOM_GRAPH_FAULT_VALUE:
    case SOM_GRAPH_FAULT_KEYFRAMES:
        r->watched = &r->counts.action_count;
        break;
    case SOM_GRAPH_FAULT_SOURCE:
        r->watched = &r->counts.symbol_count[SOM_SYMBOL_INPUT];
        break;
    case SOM_GRAPH_FAULT_CONDITION:
        r->watched = &r->counts.condition_count;
        break;
    default:
        r->watched = &r->counts.node_count;
        break;
    }
    read_all(r);
    return r->watched_line;
}

SomGraphFault som_graph_text_read(const char *text, size_t length, void *memory, size_t size,
                                  SomActionGraph *graph, size_t *needed) {
    SomActionGraph none = {0};
    SomGraphFault fault = {SOM_GRAPH_FAULT_NONE, SOM_NONE, 0};
    Reader r;
    memset(&r, 0, sizeof r);
    r.text = text;
    r.length = length;
    *graph = none;
    *needed = 0;
    if (!read_all(&r)) {
        fault.kind = r.fault;
        fault.line = r.line;
        return fault;
    }
    *needed = lay_out(&r, NULL);
    if (memory == NULL || size < *needed || (uintptr_t)memory % PIECE_ALIGNMENT != 0) {
        fault.kind = SOM_GRAPH_FAULT_MEMORY;
        return fault;
    }
    lay_out(&r, memory);
    r.pool[0] = '\0';
    read_all(&r);
    som_graph_mark_instant(r.nodes, r.counts.node_count, r.actions, r.counts.action_count);
    hand_over(&r, graph);
    fault = som_graph_check(graph);
    if (fault.kind != SOM_GRAPH_FAULT_NONE) {
        *graph = none;
        fault.line = line_of(&r, fault);
    }
    return fault;
}
