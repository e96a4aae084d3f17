// SPDX-License-Identifier: Apache-2.0
// Connections: new ones, other ones, none.

#include "base/codes/compose_codes.h"
#include "base/number.h"
#include "compose/design_internal.h"
#include "compose/matings.h"
#include "space/trigonometry.h"

#include <math.h>

// Angles nearer than this are the same, in radians.
#define SAME_ROLL 1e-6

void som_mating_wish_print(SomMatingWish mating, SomText *out) {
    if (mating.index > 0) {
        som_mating_print_choice(NAN, mating.index, out);
    } else if (mating.has_roll) {
        som_mating_print_choice(mating.roll, 0, out);
    }
}

static bool is_same_roll(double a, double b) {
    double turns = (a - b) / (2 * SOM_PI);
    return fabs(turns - round(turns)) * 2 * SOM_PI <= SAME_ROLL;
}

// The connection of two connectors, either way round; -1 if there is none.
static int find_connection(const SomConfiguration *c, int ma, int ca, int mb, int cb) {
    for (int i = 0; i < c->connection_count; i++) {
        const SomConnection *k = &c->connections[i];
        bool is_straight =
            k->module_a == ma && k->connector_a == ca && k->module_b == mb && k->connector_b == cb;
        bool is_turned =
            k->module_b == ma && k->connector_b == ca && k->module_a == mb && k->connector_a == cb;
        if (is_straight || is_turned) {
            return i;
        }
    }
    return -1;
}

// After a try: is the connection there, and mated as it was wished?
bool som_operation_check_mating(SomOperation *op, SomStr a, SomStr b, SomMatingWish mating) {
    const SomConfiguration *c = op->next->configuration;
    int ma, ca, mb, cb;
    int found = som_configuration_find_connector(c, a, &ma, &ca) &&
                        som_configuration_find_connector(c, b, &mb, &cb)
                    ? find_connection(c, ma, ca, mb, cb)
                    : -1;
    if (found < 0) {
        return som_operation_refuse(op, SOM_EDIT_NOT_FOUND, (SomSpan){0},
                                    "'%.*s' and '%.*s' are no two connectors", SOM_STR_ARG(a),
                                    SOM_STR_ARG(b));
    }
    const SomConnection *k = &c->connections[found];
    bool is_wished = mating.index > 0  ? k->index == mating.index
                     : mating.has_roll ? is_same_roll(k->roll, mating.roll)
                                       : true;
    SomText angle = {0};
    som_text_number(&angle, round(mating.roll * 180 / SOM_PI * 1e6) / 1e6);
    if (!is_wished) {
        som_operation_refuse(op, SOM_EDIT_CANNOT_MATE, (SomSpan){0},
                             "'%.*s' and '%.*s' cannot be mated at %sdeg", SOM_STR_ARG(a),
                             SOM_STR_ARG(b), angle.data);
    }
    som_text_free(&angle);
    return is_wished;
}

// Both ends as they are written. False after a refusal.
static bool print_end(SomOperation *op, SomStr place, int *module, int *connector, SomText *out) {
    if (!som_operation_connector(op, place, module, connector)) {
        return false;
    }
    som_configuration_print_connector(op->configuration, *module, *connector, out);
    return true;
}

static bool check_offer(SomOperation *op, int ma, int ca, int mb, int cb) {
    SomOffer offer;
    som_offer_find(op->configuration, ma, ca, mb, cb, &offer);
    if (offer.refusal == SOM_MATING_OFFERED) {
        return true;
    }
    SomText reason = {0};
    som_offer_print_refusal(op->configuration, ma, ca, mb, cb, offer.refusal, &reason);
    som_operation_refuse(op, SOM_EDIT_CANNOT_MATE, (SomSpan){0}, "%s", reason.data);
    som_text_free(&reason);
    return false;
}

// Two pieces that become one keep one base: a fixed one, else that of the first piece.
static void drop_base(SomOperation *op, int module_a, int module_b) {
    const SomConfiguration *c = op->configuration;
    int a = som_configuration_piece_of(c, module_a), b = som_configuration_piece_of(c, module_b);
    int first = a < b ? a : b, second = a < b ? b : a;
    bool second_stays = c->bases[second].is_fixed && !c->bases[first].is_fixed;
    SomNode base = a != b ? som_operation_base(op, second_stays ? first : second) : 0;
    if (base != 0 && som_syntax_find_child(op->tree, base, SOM_SOM_FOR) == 0) {
        som_edits_remove(op->edits, base);
    }
}

bool som_design_connect(SomDesign *design, SomStr config, SomStr a, SomStr b,
                        SomMatingWish mating) {
    SomOperation op;
    SomText own = {0}, other = {0}, text = {0};
    int ma, ca, mb, cb;
    if (som_operation_begin(&op, design, config) && print_end(&op, a, &ma, &ca, &own) &&
        print_end(&op, b, &mb, &cb, &other) && check_offer(&op, ma, ca, mb, cb)) {
        som_text_printf(&text, "connect %s to %s", own.data, other.data);
        som_mating_wish_print(mating, &text);
        som_operation_add_statement(&op, SOM_SOM_CONNECT, som_text_str(&text));
        drop_base(&op, ma, mb);
        if (som_operation_try(&op)) {
            som_operation_check_mating(&op, som_text_str(&own), som_text_str(&other), mating);
        }
    }
    som_text_free(&own);
    som_text_free(&other);
    som_text_free(&text);
    return som_operation_end(&op);
}

// ---- what is there

typedef struct Found {
    SomNode statement;
    int connection;
    bool is_turned; // its a is the b that was asked for
} Found;

// The statement that connects two connectors, and nothing else. False after a refusal.
static bool find_statement(SomOperation *op, SomStr a, SomStr b, Found *found) {
    const SomConfiguration *c = op->configuration;
    int ma, ca, mb, cb;
    if (!som_operation_connector(op, a, &ma, &ca) || !som_operation_connector(op, b, &mb, &cb)) {
        return false;
    }
    found->connection = find_connection(c, ma, ca, mb, cb);
    if (found->connection < 0) {
        return som_operation_refuse(op, SOM_EDIT_NOT_FOUND, (SomSpan){0},
                                    "'%.*s' and '%.*s' are not connected", SOM_STR_ARG(a),
                                    SOM_STR_ARG(b));
    }
    const SomConnection *k = &c->connections[found->connection];
    found->is_turned = k->module_a != ma || k->connector_a != ca;
    if (k->part != 0) {
        const SomPart *part = &c->parts[k->part];
        return som_operation_refuse(
            op, SOM_EDIT_ELSEWHERE, (SomSpan){0},
            "'%.*s' and '%.*s' are connected by '%.*s', which '%.*s' is one of; change that",
            SOM_STR_ARG(a), SOM_STR_ARG(b), SOM_STR_ARG(part->config), SOM_STR_ARG(part->path));
    }
    found->statement = som_operation_statement(op, k->span);
    if (found->statement == 0) { // a robot of an M3L file
        return som_operation_refuse(op, SOM_EDIT_ELSEWHERE, (SomSpan){0},
                                    "'%.*s' and '%.*s' are connected in another file",
                                    SOM_STR_ARG(a), SOM_STR_ARG(b));
    }
    SomNode loop = som_syntax_find_child(op->tree, found->statement, SOM_SOM_FOR);
    if (loop != 0) {
        return som_operation_refuse(
            op, SOM_EDIT_ELSEWHERE, som_syntax_span(op->tree, found->statement),
            "the connection of '%.*s' and '%.*s' comes from the loop in line %d", SOM_STR_ARG(a),
            SOM_STR_ARG(b), som_operation_line(op, loop));
    }
    return true;
}

bool som_design_disconnect(SomDesign *design, SomStr config, SomStr a, SomStr b) {
    SomOperation op;
    Found found;
    if (som_operation_begin(&op, design, config) && find_statement(&op, a, b, &found)) {
        som_edits_remove(op.edits, found.statement);
    }
    return som_operation_end(&op);
}

// Places that are kept stay as they are written: with an index that is computed, say.
static void replace_place(SomOperation *op, SomNode place, SomStr was, SomStr text) {
    if (!som_str_equal(was, text)) {
        som_edits_replace(op->edits, place, text);
    }
}

// The clauses 'at' and 'as' of a statement become another one.
static void replace_choice(SomOperation *op, SomNode statement, SomNode last_place,
                           SomMatingWish mating) {
    SomText text = {0};
    som_mating_wish_print(mating, &text);
    SomStr choice = som_text_str(&text);
    SomNode clause = som_syntax_find_child(op->tree, statement, SOM_SOM_AT);
    clause = clause != 0 ? clause : som_syntax_find_child(op->tree, statement, SOM_SOM_AS);
    uint32_t begin = som_syntax_span(op->tree, last_place).end, end = begin;
    if (clause != 0) {
        SomNode before = som_syntax_previous_sibling(op->tree, clause);
        begin = som_syntax_span(op->tree, before).end;
        end = som_syntax_span(op->tree, clause).end;
    }
    som_edits_replace_span(op->edits, begin, end, choice);
    som_text_free(&text);
}

bool som_design_reconnect(SomDesign *design, SomStr config, SomStr a, SomStr b, SomStr new_a,
                          SomStr new_b, SomMatingWish mating) {
    SomOperation op;
    Found found;
    SomText was[2] = {{0}}, text[2] = {{0}};
    int ma, ca, mb, cb;
    if (som_operation_begin(&op, design, config) && find_statement(&op, a, b, &found) &&
        print_end(&op, a, &ma, &ca, &was[0]) && print_end(&op, b, &mb, &cb, &was[1]) &&
        print_end(&op, new_a, &ma, &ca, &text[0]) && print_end(&op, new_b, &mb, &cb, &text[1])) {
        SomNode first = som_syntax_find_child(op.tree, found.statement, SOM_SOM_PLACE);
        SomNode second = som_syntax_find_next(op.tree, first, SOM_SOM_PLACE);
        int one = found.is_turned ? 1 : 0;
        replace_place(&op, first, som_text_str(&was[one]), som_text_str(&text[one]));
        replace_place(&op, second, som_text_str(&was[1 - one]), som_text_str(&text[1 - one]));
        replace_choice(&op, found.statement, second, mating);
        if (som_operation_try(&op)) {
            som_operation_check_mating(&op, som_text_str(&text[0]), som_text_str(&text[1]), mating);
        }
    }
    for (int i = 0; i < 2; i++) {
        som_text_free(&was[i]);
        som_text_free(&text[i]);
    }
    return som_operation_end(&op);
}
