// SPDX-License-Identifier: Apache-2.0
// Connection rules: members and conditions. The conditions are split into the coincidence that
// binds two connectors, coincidences of their marks, and clauses about their properties.

#include "base/codes/modules_codes.h"
#include "modules/m3l_reader_internal.h"

#define MAX_MEMBER_TYPES 32

typedef struct RuleReader {
    SomM3lReader *r;
    SomConnectionRule *rule;
    const SomModuleType *types[2][MAX_MEMBER_TYPES];
    int type_count[2];
    SomStr member[2]; // names of the modules
    SomStr bound[2];  // names of their connectors; empty until bound
    SOM_ARRAY(SomCoincidence) coincidences;
    SOM_ARRAY(SomClause) clauses;
    int last_clause; // of the conjunction at the top
} RuleReader;

// ---- members

static bool is_member(const RuleReader *q, int side, const SomModuleType *type) {
    int i = 0;
    while (i < q->type_count[side] && q->types[side][i] != type) {
        i++;
    }
    return i < q->type_count[side];
}

static void add_type(RuleReader *q, SomNode node, int side) {
    SomM3lReader *r = q->r;
    SomStr name = som_m3l_name(r, node);
    int type = som_name_table_find(&r->type_names, name);
    if (type < 0) {
        som_m3l_report_unknown(r, node, "module", name,
                               SOM_M3L_NAMES(r->m3l->types, name, r->m3l->type_count));
    } else if (q->type_count[side] == MAX_MEMBER_TYPES) {
        som_report(r->diags, SOM_M3L_TOO_MUCH, som_m3l_span(r, node),
                   "a member stands for at most %d modules", MAX_MEMBER_TYPES);
    } else if (is_member(q, side, &r->m3l->types[type])) {
        som_report(r->diags, SOM_M3L_DEFINED_TWICE, som_m3l_span(r, node),
                   "the member stands for '%.*s' twice", SOM_STR_ARG(name));
    } else {
        q->types[side][q->type_count[side]++] = &r->m3l->types[type];
    }
}

// MTRAN a, or for several modules at once (I, T) a
static bool read_member(RuleReader *q, SomNode node, int side) {
    SomM3lReader *r = q->r;
    if (!som_m3l_is(r, node, SOM_M3L_MEMBER)) {
        som_m3l_report_value(r, node, "a member is a module and a name for it: MTRAN a");
        return false;
    }
    SomNode types = som_syntax_first_child(r->tree, node);
    q->member[side] = som_m3l_name(r, som_syntax_next_sibling(r->tree, types));
    int given = som_m3l_items(r, types, NULL, 0);
    SomNode item = som_m3l_first_item(r, types);
    for (; item != 0; item = som_m3l_next_item(r, types, item)) {
        add_type(q, item, side);
    }
    return given > 0 && q->type_count[side] == given;
}

static bool read_members(RuleReader *q, SomNode definition) {
    SomNode value = som_m3l_value(q->r, definition, "members", true);
    SomNode items[2];
    if (value == 0) {
        return false;
    }
    if (!som_m3l_is(q->r, value, SOM_M3L_TUPLE) || som_m3l_items(q->r, value, items, 2) != 2) {
        som_m3l_report_value(q->r, value, "members are two modules: (MTRAN a, MTRAN b)");
        return false;
    }
    bool has_a = read_member(q, items[0], 0);
    bool has_b = read_member(q, items[1], 1);
    if (has_a && has_b && som_str_equal(q->member[0], q->member[1])) {
        som_report(q->r->diags, SOM_M3L_DEFINED_TWICE, som_m3l_span(q->r, items[1]),
                   "both members are called '%.*s'", SOM_STR_ARG(q->member[0]));
        return false;
    }
    return has_a && has_b;
}

// ---- conditions

// Through parentheses.
static SomNode bare(const SomM3lReader *r, SomNode node) {
    while (som_m3l_is(r, node, SOM_M3L_GROUP)) {
        SomNode inner = som_syntax_first_child(r->tree, node);
        if (inner == 0) {
            break;
        }
        node = inner;
    }
    return node;
}

static bool is_coincidence(const SomM3lReader *r, SomNode relation) {
    return som_m3l_is(r, relation, SOM_M3L_RELATION) &&
           som_syntax_find_token(r->tree, relation, SOM_TOKEN_WORD) != SOM_NO_TOKEN;
}

static int find_word(SomStr word, const SomStr words[2]) {
    return som_str_equal(word, words[0]) ? 0 : som_str_equal(word, words[1]) ? 1 : -1;
}

// a.point p_a: which member, and the name it binds. -1 if it is no binding.
static int read_binding(RuleReader *q, SomNode node, SomStr *name) {
    SomM3lReader *r = q->r;
    if (!som_m3l_is(r, node, SOM_M3L_BINDING)) {
        return -1;
    }
    SomNode reference = som_syntax_first_child(r->tree, node);
    if (som_m3l_part_count(r, reference) != 2 ||
        !som_str_equal(som_m3l_name(r, som_m3l_part(r, reference, 1)), SOM_STR("point"))) {
        return -1;
    }
    *name = som_m3l_name(r, som_syntax_next_sibling(r->tree, reference));
    return find_word(som_m3l_name(r, som_m3l_part(r, reference, 0)), q->member);
}

// Finds the relation that binds among the conditions that must all hold.
static void find_binder(RuleReader *q, SomNode node) {
    SomM3lReader *r = q->r;
    node = bare(r, node);
    if (som_m3l_is(r, node, SOM_M3L_AND)) {
        SomNode child = som_syntax_first_child(r->tree, node);
        for (; child != 0; child = som_syntax_next_sibling(r->tree, child)) {
            find_binder(q, child);
        }
        return;
    }
    if (!is_coincidence(r, node)) {
        return;
    }
    SomNode left = som_syntax_first_child(r->tree, node);
    SomNode right = som_syntax_next_sibling(r->tree, left);
    SomStr name[2];
    int first = read_binding(q, left, &name[0]);
    int second = read_binding(q, right, &name[1]);
    if (first >= 0 && second >= 0 && first != second && q->bound[0].length == 0) {
        q->bound[first] = name[0];
        q->bound[second] = name[1];
    }
}

// Also true where steps run out: only a report depends on it.
static bool has_mark(SomM3lReader *r, const SomModuleType *type, SomStr mark) {
    for (int i = 0; i < type->connector_count; i++) {
        const SomConnector *connector = &type->connectors[i];
        if (!som_m3l_spend(r, connector->mark_count)) {
            return true;
        }
        for (int k = 0; k < connector->mark_count; k++) {
            if (som_str_equal(connector->marks[k].name, mark)) {
                return true;
            }
        }
    }
    return false;
}

static bool has_property(SomM3lReader *r, const SomModuleType *type, SomStr name) {
    for (int i = 0; i < type->connector_count; i++) {
        const SomConnector *connector = &type->connectors[i];
        if (!som_m3l_spend(r, connector->property_count)) {
            return true;
        }
        for (int k = 0; k < connector->property_count; k++) {
            if (som_str_equal(connector->properties[k].name, name)) {
                return true;
            }
        }
    }
    return false;
}

// p_a._1 or p_a.point; the mark is empty for any. The side, or -1 after a report.
static int read_mark(RuleReader *q, SomNode node, SomStr *mark) {
    SomM3lReader *r = q->r;
    int parts = som_m3l_is(r, node, SOM_M3L_REFERENCE) ? som_m3l_part_count(r, node) : 0;
    SomNode first = parts > 0 ? som_m3l_part(r, node, 0) : 0;
    int side = parts == 2 ? find_word(som_m3l_name(r, first), q->bound) : -1;
    if (side < 0) {
        som_m3l_report_value(r, node, "this must be a mark of a bound connector, such as p_a._1");
        return -1;
    }
    SomNode second = som_m3l_part(r, node, 1);
    *mark = som_m3l_name(r, second);
    if (som_str_equal(*mark, SOM_STR("point"))) {
        *mark = (SomStr){"", 0};
        return side;
    }
    for (int i = 0; i < q->type_count[side]; i++) {
        if (q->types[side][i]->has_errors || has_mark(r, q->types[side][i], *mark)) {
            return side;
        }
    }
    som_m3l_report_unknown(r, second, "point of a connector", *mark, (SomM3lNames){0});
    return -1;
}

static void read_coincidence(RuleReader *q, SomNode node) {
    SomM3lReader *r = q->r;
    SomNode left = som_syntax_first_child(r->tree, node);
    SomNode right = som_syntax_next_sibling(r->tree, left);
    if (som_m3l_is(r, left, SOM_M3L_BINDING) && som_m3l_is(r, right, SOM_M3L_BINDING)) {
        SomStr name;
        if (read_binding(q, left, &name) >= 0 && find_word(name, q->bound) >= 0) {
            return; // the binder itself
        }
        som_m3l_report_value(r, node, "only one coincidence can bind the two connectors");
        return;
    }
    SomStr marks[2], mark;
    int side = read_mark(q, left, &marks[0]);
    int other = read_mark(q, right, &mark);
    if (side < 0 || other < 0) {
        return;
    }
    if (side == other) {
        som_m3l_report_value(r, node, "the two marks must belong to different connectors");
        return;
    }
    SomStr first = marks[0];
    SomCoincidence coincidence = {.mark_a = side == 0 ? first : mark,
                                  .mark_b = side == 0 ? mark : first,
                                  .span = som_m3l_span(r, node)};
    if (q->coincidences.count == SOM_MAX_CORRESPONDENCES) {
        som_report(r->diags, SOM_M3L_TOO_MUCH, coincidence.span,
                   "a connection has at most %d coincidences", SOM_MAX_CORRESPONDENCES + 1);
        return;
    }
    som_array_push(&q->coincidences, coincidence);
}

static void check_property(RuleReader *q, SomNode node, int side, SomStr name) {
    for (int i = 0; i < q->type_count[side]; i++) {
        const SomModuleType *type = q->types[side][i];
        if (type->has_errors || has_property(q->r, type, name)) {
            return;
        }
    }
    SomStr member = q->types[side][0]->name;
    som_report(q->r->diags, SOM_M3L_UNKNOWN_PROPERTY, som_m3l_span(q->r, node),
               "no connector of '%.*s' has '%.*s'", SOM_STR_ARG(member), SOM_STR_ARG(name));
}

static bool read_term(RuleReader *q, SomNode node, SomTerm *term) {
    SomM3lReader *r = q->r;
    SomStr word = som_syntax_text(r->tree, node);
    SomQuantity quantity;
    *term = (SomTerm){.kind = SOM_TERM_LITERAL, .name = {"", 0}, .literal = {.text = {"", 0}}};
    if (som_syntax_has_error(r->tree, node)) {
        return false;
    }
    if (som_m3l_is(r, node, SOM_M3L_REFERENCE) && som_m3l_part_count(r, node) == 2) {
        SomNode second = som_m3l_part(r, node, 1);
        int side = find_word(som_m3l_name(r, som_m3l_part(r, node, 0)), q->bound);
        term->name = som_m3l_name(r, second);
        term->kind = side == 0 ? SOM_TERM_A : SOM_TERM_B;
        if (side >= 0 && term->name.length > 0) {
            som_name_table_add(&r->property_names, term->name, 0);
            check_property(q, second, side, term->name);
            return true;
        }
    } else if (som_str_equal(word, SOM_STR("true")) || som_str_equal(word, SOM_STR("false"))) {
        term->literal.number = word.length == 4;
        return true;
    } else if (som_m3l_is(r, node, SOM_M3L_STRING)) {
        term->literal.kind = SOM_PROPERTY_TEXT;
        term->literal.text = som_m3l_name(r, node);
        return true;
    } else if (!som_m3l_is(r, node, SOM_M3L_REFERENCE) && !som_m3l_is(r, node, SOM_M3L_BINDING)) {
        term->literal.kind = SOM_PROPERTY_NUMBER;
        bool is_number = som_m3l_read_quantity(r, node, &quantity);
        term->literal.number = is_number ? quantity.value : 0;
        return is_number;
    }
    som_m3l_report_value(r, node, "this must be a property such as p_a.gender, or a value");
    return false;
}

// Adds the clause of a condition; -1 if it is none. Coincidences are not clauses.
static int add_clause(RuleReader *q, SomNode node) {
    SomM3lReader *r = q->r;
    node = bare(r, node);
    int kind = som_syntax_kind(r->tree, node);
    SomClause clause = {.first_child = -1, .next = -1};
    if (is_coincidence(r, node)) {
        som_report(r->diags, SOM_M3L_NOT_CERTAIN, som_m3l_span(r, node),
                   "a coincidence cannot stand under 'or' or 'not'");
        return -1;
    }
    if (kind == SOM_M3L_RELATION) {
        SomNode left = som_syntax_first_child(r->tree, node);
        SomNode right = som_syntax_next_sibling(r->tree, left);
        bool is_equal = som_syntax_find_token(r->tree, node, SOM_TOKEN_EQUAL_EQUAL) != SOM_NO_TOKEN;
        clause.kind = is_equal ? SOM_CLAUSE_EQUAL : SOM_CLAUSE_NOT_EQUAL;
        if (right == 0 || !read_term(q, left, &clause.left) ||
            !read_term(q, right, &clause.right)) {
            return -1;
        }
        som_array_push(&q->clauses, clause);
        return q->clauses.count - 1;
    }
    if (kind != SOM_M3L_AND && kind != SOM_M3L_OR && kind != SOM_M3L_NOT) {
        return -1; // a syntax error
    }
    clause.kind = kind == SOM_M3L_AND  ? SOM_CLAUSE_AND
                  : kind == SOM_M3L_OR ? SOM_CLAUSE_OR
                                       : SOM_CLAUSE_NOT;
    som_array_push(&q->clauses, clause);
    int index = q->clauses.count - 1;
    int last = -1;
    SomNode child = som_syntax_first_child(r->tree, node);
    for (; child != 0; child = som_syntax_next_sibling(r->tree, child)) {
        int added = add_clause(q, child);
        if (added >= 0) {
            *(last < 0 ? &q->clauses.data[index].first_child : &q->clauses.data[last].next) = added;
            last = added;
        }
    }
    if (q->clauses.data[index].first_child < 0) {
        q->clauses.data[index].kind = SOM_CLAUSE_AND; // nothing understood: holds, with errors
    }
    return index;
}

// What must all hold: coincidences go one way, everything else becomes a clause of the conjunction.
static void read_conjunct(RuleReader *q, SomNode node) {
    SomM3lReader *r = q->r;
    node = bare(r, node);
    if (som_m3l_is(r, node, SOM_M3L_AND)) {
        SomNode child = som_syntax_first_child(r->tree, node);
        for (; child != 0; child = som_syntax_next_sibling(r->tree, child)) {
            read_conjunct(q, child);
        }
        return;
    }
    if (is_coincidence(r, node)) {
        read_coincidence(q, node);
        return;
    }
    int added = add_clause(q, node);
    if (added >= 0) {
        *(q->last_clause < 0 ? &q->clauses.data[0].first_child
                             : &q->clauses.data[q->last_clause].next) = added;
        q->last_clause = added;
    }
}

static void keep(RuleReader *q) {
    q->rule->coincidences = som_m3l_keep(q->r, SomCoincidence, q->coincidences);
    q->rule->coincidence_count = q->coincidences.count;
    q->rule->clauses = som_m3l_keep(q->r, SomClause, q->clauses);
    q->rule->clause_count = q->clauses.count;
    som_array_free(&q->coincidences);
    som_array_free(&q->clauses);
}

// One rule for each pair of modules, in both orders: the conditions may tell a from b.
static int make_pairs(const RuleReader *q, SomConnectionRule *rules, int max) {
    int count = q->type_count[0] * q->type_count[1];
    if (count > max) {
        som_report(q->r->diags, SOM_M3L_TOO_MUCH, q->rule->span,
                   "a file connects at most %d pairs of modules", SOM_M3L_MAX_RULES);
        return 0;
    }
    for (int i = 0; i < count; i++) {
        rules[i] = *q->rule;
        rules[i].a = q->types[0][i / q->type_count[1]];
        rules[i].b = q->types[1][i % q->type_count[1]];
    }
    return count;
}

int som_m3l_read_rules(SomM3lReader *r, SomNode definition, SomConnectionRule *rules, int max) {
    static const char *const known[] = {"members", "conditions", "note", NULL};
    RuleReader q = {.r = r, .rule = &rules[0], .last_clause = -1};
    r->unit = 1;
    som_m3l_check_attributes(r, definition, known);
    bool has_members = read_members(&q, definition);
    SomNode conditions = som_m3l_value(r, definition, "conditions", true);
    if (!has_members || conditions == 0) {
        return 0;
    }
    int errors = som_diagnostics_error_count(r->diags);
    som_array_push(&q.clauses,
                   ((SomClause){.kind = SOM_CLAUSE_AND, .first_child = -1, .next = -1}));
    find_binder(&q, conditions);
    if (q.bound[0].length == 0) {
        som_report(r->diags, SOM_M3L_NO_BINDING, som_m3l_span(r, conditions),
                   "no condition binds a point of '%.*s' to one of '%.*s'",
                   SOM_STR_ARG(q.member[0]), SOM_STR_ARG(q.member[1]));
    } else {
        read_conjunct(&q, conditions);
    }
    keep(&q);
    SomConnectionRule first = rules[0];
    q.rule = &first;
    return som_diagnostics_error_count(r->diags) == errors ? make_pairs(&q, rules, max) : 0;
}
