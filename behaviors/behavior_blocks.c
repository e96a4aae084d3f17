// SPDX-License-Identifier: Apache-2.0
#include "behaviors/behavior_blocks.h"

#include "language/name.h"

// ---- fields

// A number with its unit, with a sign or without.
static void read_literal(const SomSyntax *tree, SomBlockField *field) {
    SomNode node = field->node;
    bool is_negative = false;
    if (som_syntax_kind(tree, node) == SOM_SOM_NEGATION) {
        int sign = som_syntax_first_token(tree, node);
        is_negative = som_str_equal(som_syntax_token_text(tree, sign), SOM_STR("-"));
        node = som_syntax_first_child(tree, node);
    }
    if (node == 0 || som_syntax_kind(tree, node) != SOM_SOM_QUANTITY) {
        return;
    }
    int first = som_syntax_first_token(tree, node), end = som_syntax_end_token(tree, node);
    if (first >= end) {
        return;
    }
    field->unit = end - first > 1 ? som_syntax_token_text(tree, end - 1) : SOM_STR("");
    field->is_literal =
        som_quantity_read(som_syntax_token_text(tree, first), field->unit, &field->quantity);
    field->quantity.value = is_negative ? -field->quantity.value : field->quantity.value;
}

static void add_field(SomBlocks *b, int block, SomFieldKind kind, SomNode node) {
    if (node == 0) {
        return;
    }
    SomBlock *owner = &b->items.data[block];
    SomBlockField field = {.kind = kind,
                           .block = block,
                           .node = node,
                           .span = som_syntax_span(b->tree, node),
                           .text = som_syntax_text(b->tree, node)};
    for (int i = owner->first_field; i < b->fields.count; i++) {
        field.nth += b->fields.data[i].kind == kind;
    }
    read_literal(b->tree, &field);
    som_array_push(&b->fields, field);
    owner->field_count++;
}

// A field that is one word of the node itself.
static void add_word(SomBlocks *b, int block, SomFieldKind kind, SomNode node, int token) {
    add_field(b, block, kind, node);
    SomBlockField *field = &b->fields.data[b->fields.count - 1];
    field->span = som_syntax_token_span(b->tree, token);
    field->text = som_syntax_token_text(b->tree, token);
    field->is_literal = false;
}

// The first word of the node that is one of these; SOM_NO_TOKEN.
static int find_word(const SomSyntax *tree, SomNode node, const char *const *words) {
    SomElements it = som_syntax_elements(tree, node);
    while (som_elements_next(&it)) {
        for (int i = 0; it.node == 0 && words[i] != NULL; i++) {
            if (som_str_equal(som_syntax_token_text(tree, it.token), som_str(words[i]))) {
                return it.token;
            }
        }
    }
    return SOM_NO_TOKEN;
}

static SomFieldKind clause_field(int kind) {
    switch (kind) {
    case SOM_SOM_UNTIL:
        return SOM_FIELD_UNTIL;
    case SOM_SOM_WITHIN:
        return SOM_FIELD_WITHIN;
    case SOM_SOM_TIMEOUT:
        return SOM_FIELD_TIMEOUT;
    case SOM_SOM_AT:
        return SOM_FIELD_SPEED;
    case SOM_SOM_DURING:
        return SOM_FIELD_DURING;
    case SOM_SOM_LATCH:
        return SOM_FIELD_LATCH;
    default:
        return SOM_FIELD_KINDS;
    }
}

static void add_clauses(SomBlocks *b, int block, SomNode node) {
    SomNode child = som_syntax_first_child(b->tree, node);
    for (; child != 0; child = som_syntax_next_sibling(b->tree, child)) {
        SomFieldKind kind = clause_field(som_syntax_kind(b->tree, child));
        if (kind == SOM_FIELD_LATCH) {
            add_field(b, block, kind, child);
        } else if (kind != SOM_FIELD_KINDS) {
            add_field(b, block, kind, som_syntax_first_child(b->tree, child));
        }
    }
}

// ---- actions that hold no others

static void read_move(SomBlocks *b, int block, SomNode node) {
    static const char *const modes[] = {"to", "by", "spin", "follow", NULL};
    SomNode place = som_syntax_first_child(b->tree, node);
    int mode = find_word(b->tree, node, modes);
    add_field(b, block, SOM_FIELD_PLACE, place);
    if (mode != SOM_NO_TOKEN) {
        add_word(b, block, SOM_FIELD_MODE, node, mode);
    }
    SomNode value = place != 0 ? som_syntax_next_sibling(b->tree, place) : 0;
    if (value != 0 && clause_field(som_syntax_kind(b->tree, value)) == SOM_FIELD_KINDS) {
        add_field(b, block, SOM_FIELD_VALUE, value);
    }
}

static void read_docking(SomBlocks *b, int block, SomNode node) {
    add_word(b, block, SOM_FIELD_MODE, node, som_syntax_first_token(b->tree, node));
    SomNode place = som_syntax_find_child(b->tree, node, SOM_SOM_PLACE);
    add_field(b, block, SOM_FIELD_PLACE, place);
    if (place != 0) {
        add_field(b, block, SOM_FIELD_TO, som_syntax_find_next(b->tree, place, SOM_SOM_PLACE));
    }
}

static void read_pose(SomBlocks *b, int block, SomNode node) {
    SomNode place = som_syntax_find_child(b->tree, node, SOM_SOM_PLACE);
    SomNode pose = place != 0 ? som_syntax_find_next(b->tree, place, SOM_SOM_PLACE) : 0;
    add_field(b, block, SOM_FIELD_PLACE, pose != 0 ? place : 0);
    add_field(b, block, SOM_FIELD_TO, pose != 0 ? pose : place);
}

static SomStr name_of(SomBlocks *b, SomNode name) {
    SomStr written = som_syntax_text(b->tree, name);
    if (written.length == 0 || written.data[0] != '"') {
        return written;
    }
    SomText read = {0};
    som_name_read(written, &read);
    SomStr copy = som_arena_copy(&b->arena, som_text_str(&read));
    som_text_free(&read);
    return copy;
}

static void read_call(SomBlocks *b, int block, SomNode node) {
    const SomSyntax *tree = b->tree;
    add_field(b, block, SOM_FIELD_PLACE, som_syntax_find_child(tree, node, SOM_SOM_PLACE));
    SomNode list = som_syntax_find_child(tree, node, SOM_SOM_ARGUMENTS);
    SomNode argument = list != 0 ? som_syntax_find_child(tree, list, SOM_SOM_ARGUMENT) : 0;
    for (; argument != 0; argument = som_syntax_find_next(tree, argument, SOM_SOM_ARGUMENT)) {
        SomNode value = som_syntax_first_child(tree, argument), name = 0;
        if (value != 0 && som_syntax_kind(tree, value) == SOM_SOM_NAME) {
            name = value;
            value = som_syntax_next_sibling(tree, value);
        }
        add_field(b, block, SOM_FIELD_ARGUMENT, value);
        if (value != 0 && name != 0) {
            b->fields.data[b->fields.count - 1].name = name_of(b, name);
        }
    }
}

static void read_wait(SomBlocks *b, int block, SomNode node) {
    SomNode value = som_syntax_first_child(b->tree, node);
    if (value != 0 && som_som_is_expression(som_syntax_kind(b->tree, value))) {
        add_field(b, block, SOM_FIELD_VALUE, value);
    }
}

static void read_table(SomBlocks *b, int block, SomNode node) {
    int file = som_syntax_find_token(b->tree, node, SOM_TOKEN_STRING);
    if (file != SOM_NO_TOKEN) {
        add_word(b, block, SOM_FIELD_FILE, node, file);
    }
}

// ---- heads of actions that hold others

static void read_repeat(SomBlocks *b, int block, SomNode node) {
    static const char *const forever[] = {"forever", NULL}, *const until[] = {"until", NULL};
    SomNode first = som_syntax_first_child(b->tree, node);
    int word = find_word(b->tree, node, forever);
    if (word != SOM_NO_TOKEN) {
        add_word(b, block, SOM_FIELD_TIMES, node, word);
    } else if (first != 0 && som_som_is_expression(som_syntax_kind(b->tree, first))) {
        bool is_until = find_word(b->tree, node, until) != SOM_NO_TOKEN;
        add_field(b, block, is_until ? SOM_FIELD_UNTIL : SOM_FIELD_TIMES, first);
    }
    SomNode from = som_syntax_find_child(b->tree, node, SOM_SOM_FROM);
    add_field(b, block, SOM_FIELD_FROM, from != 0 ? som_syntax_first_child(b->tree, from) : 0);
}

static void read_condition(SomBlocks *b, int block, SomNode node) {
    static const char *const otherwise[] = {"else", NULL};
    SomNode first = som_syntax_first_child(b->tree, node);
    bool is_branch = som_syntax_kind(b->tree, node) == SOM_SOM_BRANCH;
    int word = is_branch ? find_word(b->tree, node, otherwise) : SOM_NO_TOKEN;
    if (word != SOM_NO_TOKEN) {
        add_word(b, block, SOM_FIELD_CONDITION, node, word);
    } else if (first != 0 && som_som_is_expression(som_syntax_kind(b->tree, first))) {
        add_field(b, block, SOM_FIELD_CONDITION, first);
    }
}

static void read_loop(SomBlocks *b, int block, SomNode node) {
    const SomSyntax *tree = b->tree;
    SomNode loop = som_syntax_find_child(tree, node, SOM_SOM_FOR);
    SomNode range = loop != 0 ? som_syntax_find_child(tree, loop, SOM_SOM_RANGE) : 0;
    if (range == 0) {
        return;
    }
    add_field(b, block, SOM_FIELD_VARIABLE, som_syntax_find_child(tree, loop, SOM_SOM_NAME));
    SomNode first = som_syntax_first_child(tree, range);
    add_field(b, block, SOM_FIELD_FIRST, first);
    add_field(b, block, SOM_FIELD_LAST, first != 0 ? som_syntax_next_sibling(tree, first) : 0);
    add_field(b, block, SOM_FIELD_ONLY, som_syntax_next_sibling(tree, range));
}

// ---- blocks

typedef struct Reading {
    int node_kind;
    SomBlockKind kind;
    void (*read)(SomBlocks *b, int block, SomNode node); // its own fields; NULL: none
} Reading;

static const Reading readings[] = {
    {SOM_SOM_SERIES, SOM_BLOCK_SERIES, NULL},
    {SOM_SOM_PARALLEL, SOM_BLOCK_PARALLEL, NULL},
    {SOM_SOM_ANY, SOM_BLOCK_ANY, NULL},
    {SOM_SOM_CHOOSE, SOM_BLOCK_CHOOSE, NULL},
    {SOM_SOM_BRANCH, SOM_BLOCK_BRANCH, read_condition},
    {SOM_SOM_EACH, SOM_BLOCK_EACH, read_loop},
    {SOM_SOM_REPEAT, SOM_BLOCK_REPEAT, read_repeat},
    {SOM_SOM_EITHER, SOM_BLOCK_IF, read_condition},
    {SOM_SOM_MOVE, SOM_BLOCK_MOVE, read_move},
    {SOM_SOM_TO_POSE, SOM_BLOCK_POSE, read_pose},
    {SOM_SOM_TABLE, SOM_BLOCK_TABLE, read_table},
    {SOM_SOM_HOLD, SOM_BLOCK_HOLD, read_call},
    {SOM_SOM_WAIT, SOM_BLOCK_WAIT, read_wait},
    {SOM_SOM_DOCKING, SOM_BLOCK_DOCK, read_docking},
    {SOM_SOM_RUN, SOM_BLOCK_CALL, read_call},
};

static const Reading *find_reading(int node_kind) {
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        if (readings[i].node_kind == node_kind) {
            return &readings[i];
        }
    }
    return NULL;
}

static bool is_block(const SomSyntax *tree, SomNode node) {
    int kind = som_syntax_kind(tree, node);
    return kind == SOM_SOM_LIMITED || kind == SOM_SOM_ERROR || find_reading(kind) != NULL;
}

static void read_block(SomBlocks *b, SomNode whole, int behavior, int parent) {
    const SomSyntax *tree = b->tree;
    bool is_limited = som_syntax_kind(tree, whole) == SOM_SOM_LIMITED;
    SomNode node = is_limited ? som_syntax_first_child(tree, whole) : whole;
    const Reading *reading = node != 0 ? find_reading(som_syntax_kind(tree, node)) : NULL;
    int block = b->items.count;
    SomBlock item = {.kind = reading != NULL ? reading->kind : SOM_BLOCK_ERROR,
                     .node = node,
                     .whole = whole,
                     .span = som_syntax_span(tree, whole),
                     .behavior = behavior,
                     .parent = parent,
                     .depth = parent >= 0 ? b->items.data[parent].depth + 1 : 0,
                     .first_field = b->fields.count,
                     .has_error = som_syntax_has_error(tree, whole)};
    som_array_push(&b->items, item);
    if (parent >= 0) {
        b->items.data[parent].child_count++;
    }
    if (reading != NULL && reading->read != NULL) {
        reading->read(b, block, node);
    }
    if (reading != NULL) {
        add_clauses(b, block, whole);
        SomNode child = som_syntax_first_child(tree, node);
        for (; child != 0; child = som_syntax_next_sibling(tree, child)) {
            if (is_block(tree, child)) {
                read_block(b, child, behavior, block);
            }
        }
    }
    b->items.data[block].end = b->items.count;
}

static void read_behavior(SomBlocks *b, SomNode node) {
    const SomSyntax *tree = b->tree;
    SomNode name = som_syntax_find_child(tree, node, SOM_SOM_NAME);
    SomNode params = som_syntax_find_child(tree, node, SOM_SOM_PARAMETERS);
    SomBlocksBehavior behavior = {.name = name != 0 ? name_of(b, name) : SOM_STR(""),
                                  .node = node,
                                  .span = som_syntax_span(tree, node),
                                  .params =
                                      params != 0 ? som_syntax_text(tree, params) : SOM_STR(""),
                                  .root = -1};
    SomNode action = som_syntax_first_child(tree, node);
    while (action != 0 && !is_block(tree, action)) {
        action = som_syntax_next_sibling(tree, action);
    }
    if (action != 0) {
        behavior.root = b->items.count;
    }
    som_array_push(&b->behaviors, behavior);
    if (action != 0) {
        read_block(b, action, b->behaviors.count - 1, -1);
    }
}

static SomNode find_config(SomBlocks *b, SomStr wanted) {
    SomText name = {0};
    som_name_read(wanted, &name);
    SomNode config = som_syntax_find_child(b->tree, SOM_ROOT, SOM_SOM_CONFIG);
    for (; config != 0; config = som_syntax_find_next(b->tree, config, SOM_SOM_CONFIG)) {
        SomNode own = som_syntax_find_child(b->tree, config, SOM_SOM_NAME);
        if (wanted.length == 0 ||
            (own != 0 && som_str_equal(name_of(b, own), som_text_str(&name)))) {
            break;
        }
    }
    som_text_free(&name);
    return config;
}

SomBlocks *som_blocks_create(const SomSyntax *tree, SomStr config) {
    SomBlocks *b = som_alloc(sizeof *b);
    b->tree = tree;
    b->config = find_config(b, config);
    b->body = b->config != 0 ? som_syntax_find_child(tree, b->config, SOM_SOM_BODY) : 0;
    SomNode node = b->body != 0 ? som_syntax_find_child(tree, b->body, SOM_SOM_BEHAVIOR) : 0;
    for (; node != 0; node = som_syntax_find_next(tree, node, SOM_SOM_BEHAVIOR)) {
        read_behavior(b, node);
    }
    b->blocks = b->items.data;
    b->block_count = b->items.count;
    return b;
}

SomBlocks *som_blocks_of(const SomComposition *composition) {
    if (composition->file < 0 || composition->config < 0) {
        return NULL;
    }
    const SomDesignFile *file = som_workspace_file(composition->workspace, composition->file);
    SomText name = {0};
    som_name_print_quoted(&name, file->configs[composition->config].name);
    SomBlocks *blocks =
        file->tree != NULL ? som_blocks_create(file->tree, som_text_str(&name)) : NULL;
    som_text_free(&name);
    return blocks;
}

void som_blocks_destroy(SomBlocks *blocks) {
    if (blocks == NULL) {
        return;
    }
    som_array_free(&blocks->behaviors);
    som_array_free(&blocks->items);
    som_array_free(&blocks->fields);
    som_arena_free(&blocks->arena);
    som_free(blocks);
}

// ---- finding

int som_blocks_find_behavior(const SomBlocks *blocks, SomStr name) {
    for (int i = 0; i < blocks->behaviors.count; i++) {
        if (som_str_equal(blocks->behaviors.data[i].name, name)) {
            return i;
        }
    }
    return -1;
}

int som_blocks_child(const SomBlocks *blocks, int block, int index) {
    int child = block + 1;
    for (int i = 0; i < index && child < blocks->blocks[block].end; i++) {
        child = blocks->blocks[child].end;
    }
    return index >= 0 && child < blocks->blocks[block].end ? child : -1;
}

int som_blocks_find(const SomBlocks *blocks, SomStr behavior, SomStr path) {
    int found = som_blocks_find_behavior(blocks, behavior);
    int block = found >= 0 ? blocks->behaviors.data[found].root : -1;
    size_t at = 0;
    while (block >= 0 && at < path.length) {
        int index = 0;
        size_t begin = at;
        for (; at < path.length && path.data[at] >= '0' && path.data[at] <= '9'; at++) {
            index = index < 100000000 ? index * 10 + (path.data[at] - '0') : index;
        }
        bool is_number = at > begin && (at == path.length || path.data[at] == '/');
        block = is_number ? som_blocks_child(blocks, block, index) : -1;
        at++;
    }
    return block;
}

int som_blocks_at(const SomBlocks *blocks, uint32_t offset) {
    int low = 0, high = blocks->block_count;
    while (low < high) { // the first that begins behind it
        int middle = low + (high - low) / 2;
        if (blocks->blocks[middle].span.begin <= offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    int block = low - 1;
    while (block >= 0 && blocks->blocks[block].span.end < offset) {
        block = blocks->blocks[block].parent;
    }
    return block;
}

int som_blocks_field(const SomBlocks *blocks, int block, SomFieldKind kind, int nth) {
    const SomBlock *b = &blocks->blocks[block];
    for (int i = b->first_field; i < b->first_field + b->field_count; i++) {
        if (blocks->fields.data[i].kind == kind && blocks->fields.data[i].nth == nth) {
            return i;
        }
    }
    return -1;
}

// ---- words

void som_blocks_print_path(const SomBlocks *blocks, int block, SomText *out) {
    int parent = blocks->blocks[block].parent;
    if (parent < 0) {
        return;
    }
    int index = 0;
    for (int child = parent + 1; child != block; child = blocks->blocks[child].end) {
        index++;
    }
    som_blocks_print_path(blocks, parent, out);
    som_text_printf(out, blocks->blocks[parent].parent >= 0 ? "/%d" : "%d", index);
}

// Is the token in a child of the block, or a bracket or comma round one?
static bool is_inside(const SomBlocks *b, int block, int token, int *child) {
    const SomBlock *item = &b->blocks[block];
    while (*child < item->end && som_syntax_end_token(b->tree, b->blocks[*child].whole) <= token) {
        *child = b->blocks[*child].end;
    }
    if (*child < item->end && som_syntax_first_token(b->tree, b->blocks[*child].whole) <= token) {
        return true;
    }
    SomTokenKind kind = som_syntax_token_kind(b->tree, token);
    bool is_list = som_block_is_list(item->kind) || item->kind == SOM_BLOCK_CHOOSE;
    int opener =
        is_list ? som_syntax_find_token(b->tree, item->node, SOM_TOKEN_LEFT_PAREN) : SOM_NO_TOKEN;
    int closer = opener != SOM_NO_TOKEN ? som_syntax_partner(b->tree, opener) : SOM_NO_TOKEN;
    if (token == opener || token == closer) {
        return true;
    }
    bool is_between = is_list && closer != SOM_NO_TOKEN && token > opener && token < closer;
    bool is_colon = kind == SOM_TOKEN_COLON && item->child_count > 0 && *child < item->end &&
                    token < som_syntax_first_token(b->tree, b->blocks[*child].whole) &&
                    (item->kind == SOM_BLOCK_REPEAT || item->kind == SOM_BLOCK_EACH ||
                     item->kind == SOM_BLOCK_BRANCH);
    return is_between || is_colon;
}

void som_blocks_print(const SomBlocks *blocks, int block, SomText *out) {
    const SomBlock *item = &blocks->blocks[block];
    int end = som_syntax_end_token(blocks->tree, item->whole);
    int child = block + 1;
    bool is_first = true, has_gap = false;
    for (int i = som_syntax_first_token(blocks->tree, item->whole); i < end; i++) {
        bool is_trivia = som_token_is_trivia(som_syntax_token_kind(blocks->tree, i));
        if (is_trivia || is_inside(blocks, block, i, &child)) {
            has_gap = true;
            continue;
        }
        som_text_add(out, has_gap && !is_first ? SOM_STR(" ") : SOM_STR(""));
        som_text_add(out, som_syntax_token_text(blocks->tree, i));
        is_first = false;
        has_gap = false;
    }
}

const char *som_block_kind_word(SomBlockKind kind) {
    static const char *const words[SOM_BLOCK_KINDS] = {
        "error", "series", "parallel", "any",   "choose", "branch", "for",  "repeat",
        "if",    "move",   "pose",     "table", "hold",   "wait",   "dock", "call"};
    return words[kind];
}

const char *som_field_kind_word(SomFieldKind kind) {
    static const char *const words[SOM_FIELD_KINDS] = {
        "place",  "to",        "mode",   "value",   "file", "argument", "times",
        "from",   "condition", "for",    "first",   "last", "if",       "until",
        "within", "at",        "during", "timeout", "hold"};
    return words[kind];
}

bool som_block_takes(SomBlockKind kind, SomFieldKind clause) {
    bool is_end =
        clause == SOM_FIELD_UNTIL || clause == SOM_FIELD_DURING || clause == SOM_FIELD_TIMEOUT;
    bool is_of_move =
        clause == SOM_FIELD_WITHIN || clause == SOM_FIELD_SPEED || clause == SOM_FIELD_LATCH;
    switch (kind) {
    case SOM_BLOCK_MOVE:
    case SOM_BLOCK_POSE:
    case SOM_BLOCK_TABLE:
        return is_end || is_of_move;
    case SOM_BLOCK_DOCK:
        return is_end || clause == SOM_FIELD_LATCH;
    case SOM_BLOCK_REPEAT:
        return is_end || clause == SOM_FIELD_FROM;
    case SOM_BLOCK_SERIES:
    case SOM_BLOCK_PARALLEL:
    case SOM_BLOCK_ANY:
    case SOM_BLOCK_CHOOSE:
    case SOM_BLOCK_IF:
    case SOM_BLOCK_HOLD:
    case SOM_BLOCK_WAIT:
    case SOM_BLOCK_CALL:
        return is_end;
    case SOM_BLOCK_EACH:
        return clause == SOM_FIELD_ONLY;
    case SOM_BLOCK_ERROR:
    case SOM_BLOCK_BRANCH:
    case SOM_BLOCK_KINDS:
        return false;
    }
    return false;
}
