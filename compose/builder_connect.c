// SPDX-License-Identifier: Apache-2.0
// Connections: which mating is meant, and why there is none.

#include "base/codes/compose_codes.h"
#include "base/name_list.h"
#include "base/number.h"
#include "compose/builder_internal.h"
#include "language/name.h"
#include "space/trigonometry.h"

#include <assert.h>
#include <math.h>

// Rolls nearer than this are the same, in radians.
#define SAME_ROLL 1e-6

// Longest lists in messages.
#define SHOWN_CHOICES 16

// Beyond this an angle says nothing any more, in radians.
#define LARGEST_ROLL 1e6

// A gap wider than this is a mistake, in metres.
#define WIDEST_GAP 1e3

typedef struct Choices {
    SomMatingChoice fixed[64];
    SomMatingChoice *data;
    int count;
} Choices;

static const SomModule *module_of(const SomBuilder *b, int module) {
    return &b->modules.data[module];
}

// ---- words

// "connector 'B' of 'head'"
static void print_end(SomText *out, const SomBuilder *b, int module, int connector) {
    const SomModule *m = module_of(b, module);
    som_text_printf(out, "'%.*s%s", SOM_STR_ARG(m->path), m->path.length > 0 ? "." : "");
    som_text_printf(out, "%.*s'", SOM_STR_ARG(m->type->connectors[connector].name));
}

static void print_degrees(SomText *out, double radians) {
    som_text_number(out, round(radians * 180 / SOM_PI * 1e6) / 1e6);
    som_text_add(out, SOM_STR("deg"));
}

// ---- matings

static void find_choices(const SomBuilder *b, const SomConnectDef *def, int connector_a,
                         int connector_b, Choices *choices) {
    const SomModule *ma = module_of(b, def->module_a), *mb = module_of(b, def->module_b);
    choices->data = choices->fixed;
    choices->count = 0;
    if (ma->m3l != mb->m3l || ma->m3l == NULL) {
        return;
    }
    int max = (int)(sizeof choices->fixed / sizeof *choices->fixed);
    choices->count = som_m3l_find_matings(ma->m3l, ma->type, connector_a, mb->type, connector_b,
                                          choices->data, max);
    if (choices->count > max) {
        choices->data = som_alloc(sizeof *choices->data * (size_t)choices->count);
        som_m3l_find_matings(ma->m3l, ma->type, connector_a, mb->type, connector_b, choices->data,
                             choices->count);
    }
}

static void free_choices(Choices *choices) {
    if (choices->data != choices->fixed) {
        som_free(choices->data);
    }
}

static bool is_same_roll(double a, double b) {
    double turns = (a - b) / (2 * SOM_PI);
    return fabs(turns - round(turns)) * 2 * SOM_PI <= SAME_ROLL;
}

// In [0, 2 pi).
static double wrap(double roll) {
    double turn = 2 * SOM_PI;
    double wrapped = roll - turn * floor(roll / turn);
    return wrapped >= turn || wrapped < 0 ? 0 : wrapped;
}

// The same where a whole turn is no turn.
static double tidy(double roll) {
    return is_same_roll(roll, 0) ? 0 : wrap(roll);
}

// ---- connectors by the index of a mating

static bool mates(const SomConnectDef *def, int connector_a, int connector_b) {
    return (def->connector_a < 0 || def->connector_a == connector_a) &&
           (def->connector_b < 0 || def->connector_b == connector_b);
}

// Fills in connectors that were left out. Rules in their order, the way round that was written
// first.
static bool find_connectors(const SomBuilder *b, const SomConnectDef *def, int *a, int *c) {
    const SomModule *ma = module_of(b, def->module_a), *mb = module_of(b, def->module_b);
    *a = def->connector_a;
    *c = def->connector_b;
    if ((*a >= 0 && *c >= 0) || ma->m3l == NULL || ma->m3l != mb->m3l) {
        return *a >= 0 && *c >= 0;
    }
    for (int i = 0; i < ma->m3l->rule_count; i++) {
        const SomConnectionRule *rule = &ma->m3l->rules[i];
        if (def->index > rule->mating_count) {
            continue;
        }
        const SomMating *mating = &rule->matings[def->index - 1];
        for (int way = 0; way < 2; way++) {
            bool fits = way == 0 ? rule->a == ma->type && rule->b == mb->type
                                 : rule->b == ma->type && rule->a == mb->type;
            *a = way == 0 ? mating->a : mating->b;
            *c = way == 0 ? mating->b : mating->a;
            if (fits && mates(def, *a, *c)) {
                return true;
            }
        }
    }
    return false;
}

// ---- reports

static void report_no_connectors(SomBuilder *b, const SomConnectDef *def) {
    if (!som_builder_is_new(b, SOM_INDEX_NOT_OFFERED, def->choice_span)) {
        return;
    }
    const SomModule *ma = module_of(b, def->module_a), *mb = module_of(b, def->module_b);
    som_report(b->diags, SOM_INDEX_NOT_OFFERED, def->choice_span,
               "no connection of '%.*s' and '%.*s' has the index %d", SOM_STR_ARG(ma->type->name),
               SOM_STR_ARG(mb->type->name), def->index);
    for (int i = 0; ma->m3l == mb->m3l && ma->m3l != NULL && i < ma->m3l->rule_count; i++) {
        const SomConnectionRule *rule = &ma->m3l->rules[i];
        if ((rule->a == ma->type && rule->b == mb->type) ||
            (rule->b == ma->type && rule->a == mb->type)) {
            som_note(b->diags, (SomSpan){0}, "'%.*s' has 1 to %d", SOM_STR_ARG(rule->name),
                     rule->mating_count);
        }
    }
}

static bool has_rule(const SomModule *ma, const SomModule *mb) {
    for (int i = 0; ma->m3l != NULL && ma->m3l == mb->m3l && i < ma->m3l->rule_count; i++) {
        const SomConnectionRule *rule = &ma->m3l->rules[i];
        if ((rule->a == ma->type && rule->b == mb->type) ||
            (rule->b == ma->type && rule->a == mb->type)) {
            return true;
        }
    }
    return false;
}

static void report_no_rule(SomBuilder *b, const SomConnectDef *def) {
    const SomModule *ma = module_of(b, def->module_a), *mb = module_of(b, def->module_b);
    if (!som_builder_is_new(b, SOM_NO_RULE, def->span)) {
        return;
    }
    bool is_foreign = ma->m3l != mb->m3l;
    som_report(b->diags, SOM_NO_RULE, def->span, "%s '%.*s' with '%.*s'%s",
               is_foreign ? "no rule says how to connect" : "no rule connects",
               SOM_STR_ARG(ma->type->name), SOM_STR_ARG(mb->type->name),
               is_foreign ? ": they are defined in two different M3L files" : "");
    som_note(b->diags, (SomSpan){0}, "'forced' connects two faces without a rule");
}

// Which connectors of module `other` would mate with this one.
static void note_mates(SomBuilder *b, int module, int connector, int other) {
    const SomModule *m = module_of(b, module), *o = module_of(b, other);
    SomText names = {0};
    SomNameList list = {.out = &names, .max = SHOWN_CHOICES};
    for (int i = 0; i < o->type->connector_count; i++) {
        if (som_m3l_find_matings(m->m3l, m->type, connector, o->type, i, NULL, 0) > 0) {
            som_name_list_add(&list, "%.*s", SOM_STR_ARG(o->type->connectors[i].name));
        }
    }
    som_name_list_end(&list);
    SomText end = {0};
    print_end(&end, b, module, connector);
    if (list.count == 0) {
        som_note(b->diags, (SomSpan){0}, "%s mates with no connector of '%.*s'", end.data,
                 SOM_STR_ARG(o->type->name));
    } else {
        som_note(b->diags, (SomSpan){0}, "%s mates with %s of '%.*s'", end.data, names.data,
                 SOM_STR_ARG(o->path));
    }
    som_text_free(&end);
    som_text_free(&names);
}

static void report_cannot_mate(SomBuilder *b, const SomConnectDef *def) {
    if (!som_builder_is_new(b, SOM_CANNOT_MATE, def->span)) {
        return;
    }
    SomText text = {0};
    print_end(&text, b, def->module_a, def->connector_a);
    som_text_add(&text, SOM_STR(" cannot be mated with "));
    print_end(&text, b, def->module_b, def->connector_b);
    som_report(b->diags, SOM_CANNOT_MATE, def->span, "%s", text.data);
    som_text_free(&text);
    note_mates(b, def->module_a, def->connector_a, def->module_b);
    note_mates(b, def->module_b, def->connector_b, def->module_a);
}

// The different numbers of a list in rising order, no more than SHOWN_CHOICES + 1 of them.
static int keep_smallest(double *kept, int count, double value) {
    int at = count;
    while (at > 0 && kept[at - 1] >= value - SAME_ROLL) {
        if (fabs(kept[at - 1] - value) <= SAME_ROLL) {
            return count;
        }
        at--;
    }
    for (int i = count < SHOWN_CHOICES + 1 ? count : SHOWN_CHOICES; i > at; i--) {
        kept[i] = kept[i - 1];
    }
    if (at <= SHOWN_CHOICES) {
        kept[at] = value;
    }
    return count < SHOWN_CHOICES + 1 ? count + 1 : count;
}

// "0deg, 90deg, 180deg" or the indices of matings that have no roll.
static void print_choices(SomText *out, const Choices *choices, bool by_index) {
    double kept[SHOWN_CHOICES + 2];
    int count = 0;
    for (int i = 0; i < choices->count; i++) {
        const SomMatingChoice *c = &choices->data[i];
        if (by_index || !isnan(c->roll)) {
            count = keep_smallest(kept, count, by_index ? c->index : tidy(c->roll));
        }
    }
    for (int i = 0; i < count; i++) {
        som_text_add(out, i > 0 ? SOM_STR(", ") : SOM_STR(""));
        if (i == SHOWN_CHOICES) {
            som_text_add(out, SOM_STR("…"));
        } else if (by_index) {
            som_text_printf(out, "%d", (int)kept[i]);
        } else {
            print_degrees(out, kept[i]);
        }
    }
}

static void report_choice(SomBuilder *b, const SomConnectDef *def, const Choices *choices) {
    SomCode code = def->index > 0 ? SOM_INDEX_NOT_OFFERED : SOM_ROLL_NOT_OFFERED;
    if (!som_builder_is_new(b, code, def->choice_span)) {
        return;
    }
    SomText text = {0}, offered = {0};
    print_end(&text, b, def->module_a, def->connector_a);
    som_text_add(&text, SOM_STR(" and "));
    print_end(&text, b, def->module_b, def->connector_b);
    if (def->index > 0) {
        print_choices(&offered, choices, true);
        som_report(b->diags, code, def->choice_span, "%s have no mating %d%s; they have %s",
                   text.data, def->index, def->has_roll ? " at this angle" : "",
                   som_text_str(&offered).data);
    } else {
        print_choices(&offered, choices, false);
        bool by_index = offered.length == 0;
        if (by_index) {
            print_choices(&offered, choices, true);
        }
        SomText asked = {0};
        if (def->has_roll) {
            som_text_add(&asked, SOM_STR("not be mated at "));
            print_degrees(&asked, def->roll);
        } else {
            som_text_add(&asked, SOM_STR("be mated in several ways"));
        }
        som_report(b->diags, code, def->choice_span, "%s can%s%s; %s %s", text.data,
                   def->has_roll ? "" : " ", asked.data,
                   by_index ? "choose with 'as' of" : "they offer", som_text_str(&offered).data);
        som_text_free(&asked);
    }
    som_text_free(&text);
    som_text_free(&offered);
}

// ---- choosing

// The mating that is meant; -1 if none is.
static int choose(const SomConnectDef *def, const Choices *choices) {
    int first_roll = -1, zero = -1, rolls = 0;
    for (int i = 0; i < choices->count; i++) {
        const SomMatingChoice *c = &choices->data[i];
        if (def->index > 0 && c->index != def->index) {
            continue;
        }
        if (def->has_roll ? is_same_roll(c->roll, def->roll) : def->index > 0) {
            return i;
        }
        if (zero < 0 && is_same_roll(c->roll, 0)) {
            zero = i;
        }
        if (first_roll < 0 || !is_same_roll(c->roll, choices->data[first_roll].roll)) {
            first_roll = first_roll < 0 ? i : first_roll;
            rolls++;
        }
    }
    if (def->has_roll || def->index > 0) {
        return -1;
    }
    return zero >= 0 ? zero : rolls == 1 ? first_roll : -1;
}

static bool has_faces(const SomBuilder *b, const SomConnectDef *def, int a, int c) {
    return module_of(b, def->module_a)->type->connectors[a].has_frame &&
           module_of(b, def->module_b)->type->connectors[c].has_frame;
}

// Face to face at any roll.
static SomPose face_to_face(const SomConnector *a, const SomConnector *b, double roll) {
    SomPose turn = som_pose_identity();
    turn.rotation = som_rotation_x(roll);
    for (int i = 0; i < 3; i++) { // Rz(pi) before it, exactly
        turn.rotation.m[0][i] = -turn.rotation.m[0][i];
        turn.rotation.m[1][i] = -turn.rotation.m[1][i];
    }
    return som_pose_compose(a->frame, som_pose_compose(turn, som_pose_invert(b->frame)));
}

static bool check_gap(SomBuilder *b, const SomConnectDef *def, const SomConnector *a) {
    bool is_good = def->gap >= 0 && def->gap <= WIDEST_GAP;
    if (is_good && (def->gap == 0 || a->has_frame)) {
        return true;
    }
    if (som_builder_is_new(b, SOM_BAD_GAP, def->gap_span)) {
        som_report(b->diags, SOM_BAD_GAP, def->gap_span,
                   is_good ? "connector '%.*s' has no face to keep a gap from"
                           : "the gap at connector '%.*s' is not a length from 0 to 1000 m",
                   SOM_STR_ARG(a->name));
    }
    return false;
}

static bool force(SomBuilder *b, const SomConnectDef *def, SomConnection *c) {
    const SomModule *ma = module_of(b, def->module_a), *mb = module_of(b, def->module_b);
    if (!has_faces(b, def, c->connector_a, c->connector_b)) {
        if (som_builder_is_new(b, SOM_NO_FACE, def->span)) {
            bool is_a = !ma->type->connectors[c->connector_a].has_frame;
            SomText text = {0};
            print_end(&text, b, is_a ? def->module_a : def->module_b,
                      is_a ? c->connector_a : c->connector_b);
            som_report(b->diags, SOM_NO_FACE, def->span,
                       "%s has no marks that give it a face, so it cannot be forced", text.data);
            som_text_free(&text);
        }
        return false;
    }
    c->is_forced = true;
    c->roll = wrap(def->has_roll ? def->roll : 0);
    c->transform = face_to_face(&ma->type->connectors[c->connector_a],
                                &mb->type->connectors[c->connector_b], c->roll);
    if (som_builder_is_new(b, SOM_FORCED, def->span)) {
        som_report(b->diags, SOM_FORCED, def->span,
                   "no rule offers this connection; it is made because it is forced");
    }
    return true;
}

// False after a report.
static bool resolve_mating(SomBuilder *b, const SomConnectDef *def, SomConnection *c) {
    if (!find_connectors(b, def, &c->connector_a, &c->connector_b)) {
        has_rule(module_of(b, def->module_a), module_of(b, def->module_b))
            ? report_no_connectors(b, def)
            : report_no_rule(b, def);
        return false;
    }
    SomConnectDef whole = *def;
    whole.connector_a = c->connector_a;
    whole.connector_b = c->connector_b;
    Choices choices;
    find_choices(b, def, c->connector_a, c->connector_b, &choices);
    int chosen = choose(def, &choices);
    bool is_good = chosen >= 0;
    if (is_good) {
        const SomMatingChoice *choice = &choices.data[chosen];
        c->rule = choice->rule;
        c->index = choice->index;
        c->is_reversed = choice->is_reversed;
        c->roll = isnan(choice->roll) ? choice->roll : tidy(choice->roll);
        c->transform = choice->transform;
    } else if (def->is_forced) {
        is_good = force(b, &whole, c);
    } else if (choices.count > 0) {
        report_choice(b, &whole, &choices);
    } else if (has_rule(module_of(b, def->module_a), module_of(b, def->module_b))) {
        report_cannot_mate(b, &whole);
    } else {
        report_no_rule(b, &whole);
    }
    free_choices(&choices);
    return is_good;
}

// ---- connectors that are taken

// holder1 is 1 + the connect that holds the connector, or 0.
static bool check_free(SomBuilder *b, int holder1, int connect, bool is_b) {
    bool may_open = holder1 > 0 && b->connect_docks.data[holder1 - 1] >= 0;
    if (holder1 == 0 || (may_open && som_builder_is_open(b, connect))) {
        return true;
    }
    const SomConnectDef *def = &b->connects.data[connect];
    const SomConnection *c = &b->connections.data[b->connections.count - 1];
    SomSpan span = is_b ? def->span_b : def->span_a;
    if (som_builder_is_new(b, SOM_CONNECTOR_TAKEN, span)) {
        SomText text = {0};
        print_end(&text, b, is_b ? c->module_b : c->module_a,
                  is_b ? c->connector_b : c->connector_a);
        som_report(b->diags, SOM_CONNECTOR_TAKEN, span, "%s is already connected", text.data);
        som_note(b->diags, b->connects.data[holder1 - 1].span, "it was connected here");
        som_text_free(&text);
    }
    return false;
}

static bool check_ends(SomBuilder *b, const SomConnectDef *def) {
    if (def->has_roll && !(fabs(def->roll) <= LARGEST_ROLL)) {
        if (som_builder_is_new(b, SOM_NOT_FINITE, def->choice_span)) {
            som_report(b->diags, SOM_NOT_FINITE, def->choice_span,
                       "the angle at '%.*s' is not finite, or too large to be turned by",
                       SOM_STR_ARG(module_of(b, def->module_a)->path));
        }
        return false;
    }
    if (def->module_a != def->module_b) {
        return true;
    }
    if (som_builder_is_new(b, SOM_SELF_CONNECTION, def->span)) {
        som_report(b->diags, SOM_SELF_CONNECTION, def->span, "'%.*s' is connected with itself",
                   SOM_STR_ARG(module_of(b, def->module_a)->path));
    }
    return false;
}

// False after a report; the connection is the last of the array. holders: of every connector of
// every module.
static bool resolve(SomBuilder *b, int connect, const int *first, int *holders) {
    const SomConnectDef *def = &b->connects.data[connect];
    SomConnection *c = &b->connections.data[b->connections.count - 1];
    if (!check_ends(b, def) || !resolve_mating(b, def, c)) {
        return false;
    }
    const SomConnector *a = &module_of(b, c->module_a)->type->connectors[c->connector_a];
    bool has_gap = check_gap(b, def, a);
    int *holder_a = &holders[first[c->module_a] + c->connector_a];
    int *holder_b = &holders[first[c->module_b] + c->connector_b];
    // report both connectors, not just the first
    bool a_free = check_free(b, *holder_a, connect, false);
    bool b_free = check_free(b, *holder_b, connect, true);
    if (!has_gap || !a_free || !b_free) {
        return false;
    }
    if (!som_builder_is_open(b, connect)) {
        *holder_a = *holder_b = connect + 1;
    }
    if (def->gap > 0) {
        SomVec3 out = som_pose_rotate(a->frame, som_vec3(def->gap, 0, 0));
        c->transform.position = som_vec3_add(c->transform.position, out);
    }
    return true;
}

// The path of a dock without a name: what it connects.
static SomStr path_of(SomBuilder *b, const SomConnection *c) {
    SomText text = {0};
    for (int i = 0; i < 2; i++) {
        const SomModule *m = module_of(b, i == 0 ? c->module_a : c->module_b);
        int connector = i == 0 ? c->connector_a : c->connector_b;
        som_text_printf(&text, "%s%.*s%s", i == 0 ? "" : " to ", SOM_STR_ARG(m->path),
                        m->path.length > 0 ? "." : "");
        som_name_print(&text, m->type->connectors[connector].name);
    }
    SomStr path = som_arena_copy(&b->arena, som_text_str(&text));
    som_text_free(&text);
    return path;
}

static void resolve_one(SomBuilder *b, int connect, const int *first, int *holders) {
    const SomConnectDef *def = &b->connects.data[connect];
    SomConnection c = {.module_a = def->module_a,
                       .connector_a = def->connector_a,
                       .module_b = def->module_b,
                       .connector_b = def->connector_b,
                       .gap = def->gap,
                       .is_dock = b->connect_docks.data[connect] >= 0,
                       .part = b->connect_parts.data[connect],
                       .span = def->span};
    som_array_push(&b->connections, c);
    bool is_good = resolve(b, connect, first, holders);
    int dock = b->connect_docks.data[connect];
    if (is_good && dock >= 0) {
        SomDock *d = &b->docks.data[dock];
        d->connection = b->connections.data[b->connections.count - 1];
        d->path = d->path.length > 0 ? d->path : path_of(b, &d->connection);
    }
    if (!is_good || som_builder_is_open(b, connect)) {
        b->connections.count--;
    }
}

void som_builder_resolve_connections(SomBuilder *b) {
    int *first = som_alloc(sizeof *first * (size_t)(b->modules.count + 1));
    for (int i = 0; i < b->modules.count; i++) {
        first[i + 1] = first[i] + b->modules.data[i].type->connector_count;
    }
    int *holders = som_alloc(sizeof *holders * (size_t)(first[b->modules.count] + 1));
    som_array_reserve(&b->connections, b->connects.count + 1);
    for (int way = 0; way < 2; way++) { // what is connected comes before what will be
        for (int i = 0; i < b->connects.count; i++) {
            if (som_builder_is_open(b, i) == (way == 1)) {
                resolve_one(b, i, first, holders);
            }
        }
    }
    som_free(first);
    som_free(holders);
}
