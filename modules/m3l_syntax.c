// SPDX-License-Identifier: Apache-2.0

#include "modules/m3l_syntax.h"

#include "base/codes/language_codes.h"
#include "language/parser.h"
#include "language/unit.h"

static const char *const kind_names[] = {
    "error", "file",     "definition", "nested",  "attribute", "name",   "tuple",
    "range", "domain",   "call",       "member",  "reference", "string", "quantity",
    "unit",  "negation", "sum",        "product", "or",        "and",    "not",
    "group", "relation", "binding",    "rest",
};
_Static_assert(sizeof kind_names / sizeof *kind_names == SOM_M3L_KIND_COUNT, "a name per kind");

// Words that begin a definition. `tag` and `frame` are ours; the others are the paper's.
static const char *const keywords[] = {"module", "point",      "link",  "axis",  "joint",
                                       "tag",    "connection", "robot", "frame", NULL};

// Words that end a term of a condition, so that they are never taken for the name it binds.
static const char *const connectives[] = {"and", "or", "not", "coincident", NULL};

static bool is_one_of(SomStr text, const char *const *words) {
    for (; *words != NULL; words++) {
        if (som_str_equal(text, som_str(*words))) {
            return true;
        }
    }
    return false;
}

static bool at_name(SomParser *p, int ahead) {
    return som_token_kinds_has(SOM_NAME_KINDS, som_parser_peek(p, ahead));
}

static bool at_keyword(SomParser *p, int ahead) {
    return som_parser_peek(p, ahead) == SOM_TOKEN_WORD &&
           is_one_of(som_parser_peek_text(p, ahead), keywords);
}

// KEYWORD [name] ":". The colon tells a definition from an attribute that is called `link`.
static bool at_definition(SomParser *p, int ahead) {
    return at_keyword(p, ahead) &&
           (som_parser_peek(p, ahead + 1) == SOM_TOKEN_COLON ||
            (at_name(p, ahead + 1) && som_parser_peek(p, ahead + 2) == SOM_TOKEN_COLON));
}

// A definition whose colon is missing, at the start of a line.
static bool at_bare_definition(SomParser *p) {
    return som_parser_on_new_line(p) && at_keyword(p, 0) && at_name(p, 1);
}

static void definition(SomParser *p);
static SomMark value(SomParser *p);
static SomMark condition(SomParser *p);

static void name(SomParser *p, const char *what) {
    SomMark node = som_parser_open(p);
    som_parser_expect_any(p, SOM_NAME_KINDS, what);
    som_parser_close(p, node, SOM_M3L_NAME);
}

static void nested(SomParser *p) {
    SomMark node = som_parser_open(p);
    if (som_parser_open_bracket(p, SOM_TOKEN_LEFT_PAREN)) {
        definition(p);
        som_parser_close_bracket(p);
    }
    som_parser_close(p, node, SOM_M3L_NESTED);
}

// A unit may stand apart from its number ("0.0325 m"), then it comes as words and signs.
static void unit_apart(SomParser *p) {
    if (!som_parser_at(p, SOM_TOKEN_WORD) || som_parser_on_new_line(p)) {
        return;
    }
    SomStr run = som_parser_text(p);
    for (int i = 1; i < 8; i++) {
        SomStr next = som_parser_peek_text(p, i);
        if (next.length == 0 || next.data != run.data + run.length) {
            break;
        }
        run.length += next.length;
    }
    const SomUnit *unit = som_unit_match(run);
    if (unit == NULL && (is_one_of(som_parser_text(p), connectives) || at_definition(p, 0))) {
        return;
    }
    SomMark node = som_parser_open(p);
    if (unit == NULL) { // nothing else can stand behind a number
        som_parser_error(p, SOM_UNKNOWN_UNIT, "unit '%.*s' is not known",
                         SOM_STR_ARG(som_parser_text(p)));
        som_parser_advance(p);
    }
    const char *end = run.data + (unit != NULL ? unit->text.length : 0);
    while (!som_parser_at(p, SOM_TOKEN_END) && som_parser_text(p).data < end) {
        som_parser_advance(p);
    }
    som_parser_close(p, node, SOM_M3L_UNIT);
}

static SomMark quantity(SomParser *p) {
    SomMark node = som_parser_open(p);
    som_parser_advance(p);
    if (som_parser_at(p, SOM_TOKEN_UNIT)) {
        SomMark unit = som_parser_open(p);
        som_parser_advance(p);
        som_parser_close(p, unit, SOM_M3L_UNIT);
    } else {
        unit_apart(p);
    }
    return som_parser_close(p, node, SOM_M3L_QUANTITY);
}

// A value, or a member: a module or a list of them, and a name.
static void element(SomParser *p) {
    SomMark first = value(p);
    if (at_name(p, 0) && !at_definition(p, 0)) {
        SomMark node = som_parser_wrap(p, first);
        name(p, "a name");
        som_parser_close(p, node, SOM_M3L_MEMBER);
    }
}

static void values(SomParser *p, SomTokenKind opener) {
    if (som_parser_open_bracket(p, opener)) {
        SomLoop loop = {0};
        while (som_parser_next_element(p, &loop, SOM_TOKEN_COMMA)) {
            element(p);
        }
        som_parser_close_bracket(p);
    }
}

static SomMark tuple(SomParser *p) {
    SomMark node = som_parser_open(p);
    values(p, SOM_TOKEN_LEFT_PAREN);
    return som_parser_close(p, node, SOM_M3L_TUPLE);
}

// [bool] or [low, high]
static SomMark range(SomParser *p) {
    SomMark node = som_parser_open(p);
    bool is_domain = som_parser_peek(p, 1) == SOM_TOKEN_WORD &&
                     som_str_equal(som_parser_peek_text(p, 1), SOM_STR("bool"));
    if (is_domain) {
        if (som_parser_open_bracket(p, SOM_TOKEN_LEFT_BRACKET)) {
            som_parser_advance(p);
            som_parser_close_bracket(p);
        }
    } else {
        values(p, SOM_TOKEN_LEFT_BRACKET);
    }
    return som_parser_close(p, node, is_domain ? SOM_M3L_DOMAIN : SOM_M3L_RANGE);
}

static SomMark reference(SomParser *p) {
    SomMark node = som_parser_open(p);
    name(p, "a name");
    while (som_parser_accept(p, SOM_TOKEN_DOT)) {
        if (som_parser_at(p, SOM_TOKEN_LEFT_PAREN)) {
            nested(p);
        } else {
            name(p, "a name");
        }
    }
    return som_parser_close(p, node, SOM_M3L_REFERENCE);
}

// What begins with a name: a string, a call or a reference.
static SomMark named(SomParser *p) {
    SomTokenKind next = som_parser_peek(p, 1);
    if (next == SOM_TOKEN_LEFT_PAREN && som_parser_at(p, SOM_TOKEN_WORD)) {
        SomMark node = som_parser_open(p);
        name(p, "a name");
        values(p, SOM_TOKEN_LEFT_PAREN);
        return som_parser_close(p, node, SOM_M3L_CALL);
    }
    if (som_parser_at(p, SOM_TOKEN_STRING) && next != SOM_TOKEN_DOT) {
        SomMark node = som_parser_open(p);
        som_parser_advance(p);
        return som_parser_close(p, node, SOM_M3L_STRING);
    }
    return reference(p);
}

static SomMark factor(SomParser *p) {
    if (!som_parser_enter(p)) {
        SomMark node = som_parser_open(p);
        return som_parser_close(p, node, SOM_M3L_ERROR);
    }
    SomMark result;
    if (som_parser_at_any(p, SOM_BIT(MINUS) | SOM_BIT(PLUS))) {
        SomMark node = som_parser_open(p);
        som_parser_advance(p);
        factor(p);
        result = som_parser_close(p, node, SOM_M3L_NEGATION);
    } else if (som_parser_at(p, SOM_TOKEN_NUMBER)) {
        result = quantity(p);
    } else if (som_parser_at(p, SOM_TOKEN_LEFT_PAREN)) {
        if (at_definition(p, 1)) {
            SomMark node = som_parser_open(p);
            nested(p);
            result = som_parser_close(p, node, SOM_M3L_REFERENCE);
        } else {
            result = tuple(p);
        }
    } else if (som_parser_at(p, SOM_TOKEN_LEFT_BRACKET)) {
        result = range(p);
    } else if (at_name(p, 0)) {
        result = named(p);
    } else {
        SomMark node = som_parser_open(p);
        som_parser_expected(p, "a value", NULL);
        result = som_parser_close(p, node, SOM_M3L_ERROR);
    }
    som_parser_leave(p);
    return result;
}

static SomMark product(SomParser *p) {
    SomMark first = factor(p);
    if (!som_parser_at_any(p, SOM_BIT(STAR) | SOM_BIT(SLASH))) {
        return first;
    }
    SomMark node = som_parser_wrap(p, first);
    while (som_parser_accept_any(p, SOM_BIT(STAR) | SOM_BIT(SLASH))) {
        factor(p);
    }
    return som_parser_close(p, node, SOM_M3L_PRODUCT);
}

static SomMark value(SomParser *p) {
    SomMark first = product(p);
    if (!som_parser_at_any(p, SOM_BIT(PLUS) | SOM_BIT(MINUS))) {
        return first;
    }
    SomMark node = som_parser_wrap(p, first);
    while (som_parser_accept_any(p, SOM_BIT(PLUS) | SOM_BIT(MINUS))) {
        product(p);
    }
    return som_parser_close(p, node, SOM_M3L_SUM);
}

// A value, or a reference with the name it binds: `a.point p_a`.
static void term(SomParser *p) {
    if (!at_name(p, 0)) {
        value(p);
        return;
    }
    bool is_text = som_parser_at(p, SOM_TOKEN_STRING) && som_parser_peek(p, 1) != SOM_TOKEN_DOT;
    SomMark first = is_text ? value(p) : reference(p);
    if (!is_text && at_name(p, 0) && !is_one_of(som_parser_text(p), connectives) &&
        !at_definition(p, 0)) {
        SomMark node = som_parser_wrap(p, first);
        name(p, "a name");
        som_parser_close(p, node, SOM_M3L_BINDING);
    }
}

static SomMark relation(SomParser *p) {
    SomMark node = som_parser_open(p);
    term(p);
    if (som_parser_accept_word(p, "coincident") ||
        som_parser_accept_any(p, SOM_BIT(EQUAL_EQUAL) | SOM_BIT(NOT_EQUAL))) {
        term(p);
    } else {
        som_parser_expected(p, "'coincident', '==' or '!='", connectives);
    }
    return som_parser_close(p, node, SOM_M3L_RELATION);
}

static SomMark primary_condition(SomParser *p) {
    SomMark node = som_parser_open(p);
    if (!som_parser_enter(p)) {
        return som_parser_close(p, node, SOM_M3L_ERROR);
    }
    SomMark result;
    if (som_parser_accept_word(p, "not")) {
        primary_condition(p);
        result = som_parser_close(p, node, SOM_M3L_NOT);
    } else if (som_parser_at(p, SOM_TOKEN_LEFT_PAREN)) {
        if (som_parser_open_bracket(p, SOM_TOKEN_LEFT_PAREN)) {
            condition(p);
            som_parser_close_bracket(p);
        }
        result = som_parser_close(p, node, SOM_M3L_GROUP);
    } else {
        som_parser_abandon(p, node);
        result = relation(p);
    }
    som_parser_leave(p);
    return result;
}

static SomMark conjunction(SomParser *p) {
    SomMark first = primary_condition(p);
    if (!som_parser_at_word(p, "and")) {
        return first;
    }
    SomMark node = som_parser_wrap(p, first);
    while (som_parser_accept_word(p, "and")) {
        primary_condition(p);
    }
    return som_parser_close(p, node, SOM_M3L_AND);
}

static SomMark condition(SomParser *p) {
    SomMark first = conjunction(p);
    if (!som_parser_at_word(p, "or")) {
        return first;
    }
    SomMark node = som_parser_wrap(p, first);
    while (som_parser_accept_word(p, "or")) {
        conjunction(p);
    }
    return som_parser_close(p, node, SOM_M3L_OR);
}

static void attribute(SomParser *p) {
    SomMark node = som_parser_open(p);
    bool is_condition = som_parser_at_word(p, "conditions");
    name(p, "an attribute");
    if (som_parser_accept(p, SOM_TOKEN_EQUAL)) {
        if (is_condition) {
            condition(p);
        } else {
            value(p);
        }
    }
    som_parser_close(p, node, SOM_M3L_ATTRIBUTE);
}

// The three points with which the paper leaves out what two robots have in common.
static bool at_rest(SomParser *p) {
    return som_parser_at(p, SOM_TOKEN_DOT_DOT) && som_parser_peek(p, 1) == SOM_TOKEN_DOT;
}

static void rest(SomParser *p) {
    SomMark node = som_parser_open(p);
    som_parser_advance(p);
    som_parser_advance(p);
    som_parser_close(p, node, SOM_M3L_REST);
}

// Between two attributes a comma. One behind the last is allowed: the paper's listings end lines
// so.
static void body(SomParser *p, bool is_robot) {
    bool needs_comma = false;
    SomLoop loop = {0};
    while (!at_definition(p, 0) && som_parser_next_item(p, &loop)) {
        if (som_parser_at(p, SOM_TOKEN_LEFT_PAREN) && at_definition(p, 1)) {
            nested(p);
            needs_comma = false;
            som_parser_accept(p, SOM_TOKEN_COMMA);
            continue;
        }
        if (is_robot && !needs_comma && at_rest(p)) {
            rest(p);
            return;
        }
        if (!at_name(p, 0) || at_bare_definition(p)) {
            return;
        }
        if (needs_comma) {
            som_parser_expect(p, SOM_TOKEN_COMMA);
        }
        attribute(p);
        needs_comma = !som_parser_accept(p, SOM_TOKEN_COMMA);
    }
}

static void definition(SomParser *p) {
    SomMark node = som_parser_open(p);
    if (som_parser_enter(p)) {
        bool is_robot = som_parser_at_word(p, "robot");
        som_parser_advance(p); // the keyword
        if (!som_parser_at(p, SOM_TOKEN_COLON)) {
            name(p, "a name");
        }
        som_parser_expect(p, SOM_TOKEN_COLON);
        body(p, is_robot);
        som_parser_leave(p);
    }
    som_parser_close(p, node, SOM_M3L_DEFINITION);
}

SomSyntax *som_m3l_parse(SomStr text, const SomDialect *dialect, uint32_t source1,
                         SomDiagnostics *diags) {
    SomParserDef def = {.text = text,
                        .dialect = dialect,
                        .source1 = source1,
                        .kinds = {kind_names, SOM_M3L_KIND_COUNT},
                        .starters = keywords};
    SomParser *p = som_parser_create(&def, diags);
    SomLoop loop = {0};
    while (som_parser_next_item(p, &loop)) {
        if (at_keyword(p, 0)) {
            definition(p);
        } else {
            som_parser_expected(p, "a definition such as 'module' or 'point'", keywords);
            som_parser_recover(p, (SomTokenSet){.words = keywords});
        }
    }
    return som_parser_finish(p, SOM_M3L_FILE);
}

const SomGrammar som_grammar_m3l = {&som_dialect_m3l, som_m3l_parse};
