// SPDX-License-Identifier: Apache-2.0
// Statements of Somite.

#include "language/som_syntax.h"

#include "base/codes/language_codes.h"
#include "language/som_syntax_internal.h"

static const char *const kind_names[] = {
    "error",      "file",      "use",      "let",       "config",   "body",     "part",
    "item",       "reference", "connect",  "dock",      "pose",     "entries",  "entry",
    "start",      "base",      "verify",   "setting",   "behavior", "input",    "name",
    "parameters", "parameter", "type",     "arguments", "argument", "at",       "as",
    "gap",        "forced",    "frame",    "ground",    "turned",   "fixed",    "vector",
    "for",        "range",     "source",   "place",     "index",    "quantity", "constant",
    "call",       "group",     "negation", "power",     "product",  "sum",      "comparison",
    "not",        "and",       "or",       "if",        "move",     "keys",     "key",
    "to pose",    "table",     "hold",     "wait",      "docking",  "run",      "series",
    "parallel",   "any",       "each",     "repeat",    "choose",   "branch",   "either",
    "limited",    "until",     "within",   "timeout",   "during",   "latch",    "from",
};
_Static_assert(sizeof kind_names / sizeof *kind_names == SOM_SOM_KIND_COUNT, "a name per kind");

// Words that begin a statement: recovery stops before one that is first on its line.
static const char *const starters[] = {"use",      "let",   "config", "part", "connect",
                                       "pose",     "start", "base",   "dock", "verify",
                                       "behavior", "input", NULL};

static const char *const of_files[] = {"use", "let", "config", NULL};
static const char *const of_configs[] = {"part", "connect", "pose",     "start", "base", "let",
                                         "dock", "verify",  "behavior", "input", NULL};

bool som_som_is_expression(int kind) {
    return SOM_SOM_PLACE <= kind && kind <= SOM_SOM_IF && kind != SOM_SOM_INDEX;
}

bool som_som_is_action(int kind) {
    return SOM_SOM_MOVE <= kind && kind <= SOM_SOM_LIMITED && kind != SOM_SOM_KEYS &&
           kind != SOM_SOM_KEY && kind != SOM_SOM_EACH && kind != SOM_SOM_BRANCH;
}

// ---- pieces

static void type_of(SomParser *p) {
    SomMark type = som_parser_open(p);
    som_parser_expect_any(p, SOM_BIT(WORD) | SOM_BIT(STRING),
                          "a type such as count, angle or joint");
    som_parser_close(p, type, SOM_SOM_TYPE);
}

static void parameter(SomParser *p) {
    SomMark node = som_parser_open(p);
    som_som_name(p, "a parameter");
    som_parser_expect(p, SOM_TOKEN_COLON);
    type_of(p);
    if (som_parser_accept(p, SOM_TOKEN_EQUAL)) {
        som_som_expression(p);
    }
    som_parser_close(p, node, SOM_SOM_PARAMETER);
}

static void parameters(SomParser *p) {
    if (!som_parser_at(p, SOM_TOKEN_LEFT_PAREN)) {
        return;
    }
    SomMark node = som_parser_open(p);
    if (som_parser_open_bracket(p, SOM_TOKEN_LEFT_PAREN)) {
        SomLoop loop = {0};
        while (som_parser_next_element(p, &loop, SOM_TOKEN_COMMA)) {
            parameter(p);
        }
        som_parser_close_bracket(p);
    }
    som_parser_close(p, node, SOM_SOM_PARAMETERS);
}

static void reference(SomParser *p) {
    SomMark node = som_parser_open(p);
    som_som_name(p, "a config or a module type");
    if (som_parser_at(p, SOM_TOKEN_LEFT_PAREN)) {
        som_som_arguments(p);
    }
    som_parser_close(p, node, SOM_SOM_REFERENCE);
}

static void vector(SomParser *p) {
    SomMark node = som_parser_open(p);
    if (som_parser_open_bracket(p, SOM_TOKEN_LEFT_PAREN)) {
        SomLoop loop = {0};
        while (som_parser_next_element(p, &loop, SOM_TOKEN_COMMA)) {
            som_som_expression(p);
        }
        som_parser_close_bracket(p);
    }
    som_parser_close(p, node, SOM_SOM_VECTOR);
}

static void vector_clause(SomParser *p, int kind) {
    SomMark node = som_parser_open(p);
    som_parser_advance(p); // the keyword
    vector(p);
    som_parser_close(p, node, kind);
}

// Newlines after a comma of a list that no bracket holds.
static void skip_newlines(SomParser *p) {
    while (som_parser_accept(p, SOM_TOKEN_NEWLINE)) {
    }
}

// ---- statements

static void use(SomParser *p) {
    som_parser_advance(p);
    if (som_parser_at(p, SOM_TOKEN_WORD)) {
        som_parser_error(p, SOM_UNEXPECTED_TOKEN, "the name of a file stands in quotes");
    }
    if (!som_parser_accept(p, SOM_TOKEN_STRING)) {
        som_parser_expected(p, "the name of a file in quotes", NULL);
        som_parser_recover(p, (SomTokenSet){0});
    }
}

static void let(SomParser *p) {
    som_parser_advance(p);
    som_som_name(p, "a name");
    som_parser_expect(p, SOM_TOKEN_EQUAL);
    som_som_expression(p);
}

static void item(SomParser *p) {
    SomMark node = som_parser_open(p);
    som_som_name(p, "the name of a part");
    if (som_parser_at(p, SOM_TOKEN_LEFT_BRACKET)) {
        som_som_index(p);
    }
    som_parser_close(p, node, SOM_SOM_ITEM);
}

static void part(SomParser *p) {
    som_parser_advance(p);
    item(p);
    while (som_parser_accept(p, SOM_TOKEN_COMMA)) {
        skip_newlines(p);
        item(p);
    }
    if (som_parser_expect(p, SOM_TOKEN_COLON)) {
        reference(p);
    }
}

static bool mating_clause(SomParser *p) {
    if (som_parser_at_word(p, "at")) {
        som_som_clause(p, SOM_SOM_AT);
    } else if (som_parser_at_word(p, "as")) {
        som_som_clause(p, SOM_SOM_AS);
    } else if (som_parser_at_word(p, "gap")) {
        som_som_clause(p, SOM_SOM_GAP);
    } else if (som_parser_at_word(p, "forced")) {
        SomMark node = som_parser_open(p);
        som_parser_advance(p);
        som_parser_close(p, node, SOM_SOM_FORCED);
    } else {
        return false;
    }
    return true;
}

static void mating(SomParser *p) {
    som_som_place(p);
    if (som_parser_expect_word(p, "to")) {
        som_som_place(p);
    }
    while (mating_clause(p)) {
    }
}

static void connect(SomParser *p) {
    som_parser_advance(p);
    mating(p);
    if (som_parser_at_word(p, "for")) {
        som_som_for(p);
    }
}

static void dock(SomParser *p) {
    som_parser_advance(p);
    if (som_som_at_name(p, 0) && som_parser_peek(p, 1) == SOM_TOKEN_COLON) {
        som_som_name(p, "a name");
        som_parser_advance(p);
    }
    mating(p);
    if (!som_parser_accept_word(p, "open") && !som_parser_accept_word(p, "closed")) {
        som_parser_expected(p, "'open' or 'closed'", (const char *const[]){"open", "closed", NULL});
    }
    if (som_parser_at_word(p, "for")) {
        som_som_for(p);
    }
}

static void entry(SomParser *p) {
    SomMark node = som_parser_open(p);
    som_som_place(p);
    if (som_parser_accept(p, SOM_TOKEN_EQUAL)) {
        som_som_expression(p);
    }
    if (som_parser_at_word(p, "for")) {
        som_som_for(p);
    }
    som_parser_close(p, node, SOM_SOM_ENTRY);
}

static void entries(SomParser *p, void (*read)(SomParser *p)) {
    SomMark node = som_parser_open(p);
    if (som_parser_open_bracket(p, SOM_TOKEN_LEFT_BRACE)) {
        SomLoop loop = {0};
        while (som_parser_next_statement(p, &loop)) {
            read(p);
        }
        som_parser_close_bracket(p);
    }
    som_parser_close(p, node, SOM_SOM_ENTRIES);
}

static void pose(SomParser *p) {
    som_parser_advance(p);
    som_som_name(p, "the name of a pose");
    entries(p, entry);
}

static void setting(SomParser *p) {
    SomMark node = som_parser_open(p);
    som_som_name(p, "the name of an option");
    som_parser_expect(p, SOM_TOKEN_EQUAL);
    som_som_expression(p);
    som_parser_close(p, node, SOM_SOM_SETTING);
}

static void verify(SomParser *p) {
    som_parser_advance(p);
    entries(p, setting);
}

static void start(SomParser *p) {
    som_parser_advance(p);
    som_som_name(p, "the name of a pose");
}

static void base(SomParser *p) {
    som_parser_advance(p);
    som_som_place(p);
    if (som_parser_at_word(p, "frame")) {
        SomMark node = som_parser_open(p);
        som_parser_advance(p);
        som_som_name(p, "the name of a frame");
        som_parser_close(p, node, SOM_SOM_FRAME);
    }
    if (som_parser_at_word(p, "at")) {
        vector_clause(p, SOM_SOM_AT);
    }
    if (som_parser_at_word(p, "on")) {
        SomMark node = som_parser_open(p);
        som_parser_advance(p);
        som_parser_expect_word(p, "ground");
        som_parser_close(p, node, SOM_SOM_GROUND);
    }
    if (som_parser_at_word(p, "turned")) {
        vector_clause(p, SOM_SOM_TURNED);
    }
    if (som_parser_at_word(p, "fixed")) {
        SomMark node = som_parser_open(p);
        som_parser_advance(p);
        som_parser_close(p, node, SOM_SOM_FIXED);
    }
    if (som_parser_at_word(p, "for")) {
        som_som_for(p);
    }
}

static void behavior(SomParser *p) {
    som_parser_advance(p);
    som_som_name(p, "the name of a behavior");
    parameters(p);
    som_parser_expect(p, SOM_TOKEN_EQUAL);
    som_som_action(p);
}

// topic "/light", [0s: 0, 1s: 1], steps [...], "light.csv", 0.4 or 0..1
static void source(SomParser *p) {
    SomMark node = som_parser_open(p);
    SomTokenKind next = som_parser_peek(p, 1);
    if (som_parser_at_word(p, "topic") && next == SOM_TOKEN_STRING) {
        som_parser_advance(p);
        som_parser_advance(p);
    } else if (som_parser_at_word(p, "steps") && next == SOM_TOKEN_LEFT_BRACKET) {
        som_parser_advance(p);
        som_som_keys(p);
    } else if (som_parser_at(p, SOM_TOKEN_LEFT_BRACKET)) {
        som_som_keys(p);
    } else if (!som_parser_accept(p, SOM_TOKEN_STRING)) {
        SomMark first = som_som_expression(p);
        if (som_parser_at(p, SOM_TOKEN_DOT_DOT)) {
            SomMark range = som_parser_wrap(p, first);
            som_parser_advance(p);
            som_som_expression(p);
            som_parser_close(p, range, SOM_SOM_RANGE);
        }
    }
    som_parser_close(p, node, SOM_SOM_SOURCE);
}

static void input(SomParser *p) {
    som_parser_advance(p);
    som_som_name(p, "the name of an input");
    som_parser_expect(p, SOM_TOKEN_COLON);
    type_of(p);
    if (som_parser_accept(p, SOM_TOKEN_EQUAL)) {
        source(p);
    }
}

static void config(SomParser *p);

typedef struct Statement {
    const char *word;
    void (*read)(SomParser *p);
    int kind;
    bool in_files;
    bool in_configs;
} Statement;

static const Statement statements[] = {
    {"use", use, SOM_SOM_USE, true, false},
    {"let", let, SOM_SOM_LET, true, true},
    {"config", config, SOM_SOM_CONFIG, true, false},
    {"part", part, SOM_SOM_PART, false, true},
    {"connect", connect, SOM_SOM_CONNECT, false, true},
    {"pose", pose, SOM_SOM_POSE, false, true},
    {"start", start, SOM_SOM_START, false, true},
    {"base", base, SOM_SOM_BASE, false, true},
    {"dock", dock, SOM_SOM_DOCK, false, true},
    {"verify", verify, SOM_SOM_VERIFY, false, true},
    {"behavior", behavior, SOM_SOM_BEHAVIOR, false, true},
    {"input", input, SOM_SOM_INPUT, false, true},
};

// A statement at a place where it may not stand is reported and read all the same.
static void statement(SomParser *p, bool in_config) {
    const char *what = in_config ? "a statement such as 'part', 'connect' or 'behavior'"
                                 : "'use', 'let' or 'config'";
    SomMark node = som_parser_open(p);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        const Statement *s = &statements[i];
        if (som_parser_at_word(p, s->word)) {
            if (in_config ? !s->in_configs : !s->in_files) {
                som_parser_error(p, SOM_UNEXPECTED_TOKEN,
                                 in_config ? "'%s' stands outside of configs"
                                           : "'%s' stands in a config",
                                 s->word);
            }
            s->read(p);
            som_parser_close(p, node, s->kind);
            return;
        }
    }
    som_parser_abandon(p, node);
    som_parser_expected(p, what, in_config ? of_configs : of_files);
    som_parser_recover(p, (SomTokenSet){0});
}

static void body(SomParser *p) {
    SomMark node = som_parser_open(p);
    if (som_parser_open_bracket(p, SOM_TOKEN_LEFT_BRACE)) {
        SomLoop loop = {0};
        while (som_parser_next_statement(p, &loop)) {
            statement(p, true);
        }
        som_parser_close_bracket(p);
    }
    som_parser_close(p, node, SOM_SOM_BODY);
}

static void config(SomParser *p) {
    if (!som_parser_enter(p)) { // of configs in configs, which are reported
        return;
    }
    som_parser_advance(p);
    som_som_name(p, "the name of a config");
    parameters(p);
    if (som_parser_accept_word(p, "is")) {
        som_som_name(p, "a module type");
    }
    body(p);
    som_parser_leave(p);
}

// ---- the file

static SomParser *create(SomStr text, const SomDialect *dialect, uint32_t source1,
                         SomDiagnostics *diags) {
    SomParserDef def = {.text = text,
                        .dialect = dialect,
                        .source1 = source1,
                        .kinds = {kind_names, SOM_SOM_KIND_COUNT},
                        .starters = starters};
    return som_parser_create(&def, diags);
}

SomSyntax *som_som_parse(SomStr text, const SomDialect *dialect, uint32_t source1,
                         SomDiagnostics *diags) {
    SomParser *p = create(text, dialect, source1, diags);
    SomLoop loop = {0};
    while (som_parser_next_statement(p, &loop)) {
        statement(p, false);
    }
    return som_parser_finish(p, SOM_SOM_FILE);
}

SomSyntax *som_som_parse_choice(SomStr text, uint32_t source1, SomDiagnostics *diags) {
    SomParser *p = create(text, &som_dialect_somite, source1, diags);
    reference(p);
    return som_parser_finish(p, SOM_SOM_FILE);
}

SomSyntax *som_som_parse_source(SomStr text, uint32_t source1, SomDiagnostics *diags) {
    SomParser *p = create(text, &som_dialect_somite, source1, diags);
    source(p);
    return som_parser_finish(p, SOM_SOM_FILE);
}

SomSyntax *som_som_parse_action(SomStr text, uint32_t source1, SomDiagnostics *diags) {
    SomParser *p = create(text, &som_dialect_somite, source1, diags);
    som_som_action(p);
    return som_parser_finish(p, SOM_SOM_FILE);
}

const SomGrammar som_grammar_som = {&som_dialect_somite, som_som_parse};
