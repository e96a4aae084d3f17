// SPDX-License-Identifier: Apache-2.0
#include "verify/pieces.h"

#include "base/codes/verify_codes.h"
#include "base/name_list.h"
#include "verify/parts_internal.h"
#include "verify/piece_motion.h"
#include "verify/stability.h"
#include "verify/standing_internal.h"

#include <math.h>

#define MOST_SUBJECTS 20
#define MOST_PIECES 100    // more are not followed
#define SHORTEST_FALL 5e-3 // metres; a piece that is released nearer to the ground is set down

// What is known of a module at the end of a state of the docks.
typedef struct ModuleState {
    int piece;       // that it was of
    SomStr name;     // of the piece
    SomPose place;   // how this was turned and set down, against the prediction
    double unsteady; // seconds for which it had not stood
    double slid;     // metres that its contacts have moved along the ground since it was released
    bool is_lost;    // what becomes of it is not predicted
    SomStr reason;   // of that
} ModuleState;

struct SomPieces {
    const SomVerifyInput *whole;
    ModuleState *modules;
    int piece_count;
    SomPose apart; // how the robot was turned and set down when it came apart
    SomArena arena;
};

// A piece in a state of the docks.
typedef struct Piece {
    ModuleState state;       // as the state begins; of all modules
    SomVerifyInput own;      // of the piece alone
    SomMechanism *mechanism; // NULL: that of all
    SomPose begin;           // how it is turned and set down then, against the prediction
    SomPose apart;           // how it was when the robot came apart, against its own mechanism
    SomStr name;
    SomStr bears; // another piece that rests on this one, which is fixed; empty: none
    int moved;    // the sample from which on it is not where the motion has it
} Piece;

// The pieces of a state of the docks. Samples at its end are left out of checks that look at all
// pieces at once, of each check so many.
typedef struct State {
    SomPieces *all;
    const SomVerifyInput *part;
    int first; // sample
    SomVerification *found;
    Piece *pieces;
    int count;
    int left_out[SOM_CHECKS];
} State;

// ---- before the first state

static SomPose place_at_start(const SomVerifyInput *input) {
    SomVerifyInput start = som_verify_cut(input, 0, 0);
    return som_piece_follow(&start, NULL, 0).end;
}

SomPieces *som_pieces_create(const SomVerifyInput *input) {
    SomPieces *pieces = som_alloc(sizeof *pieces);
    int count = input->design->module_count;
    pieces->whole = input;
    pieces->piece_count = 1;
    pieces->modules = som_arena_new(&pieces->arena, ModuleState, count);
    // the bases of several robots say where each is against the others
    pieces->apart = input->design->base_count > 1 ? som_pose_identity() : place_at_start(input);
    for (int i = 0; i < count; i++) {
        pieces->modules[i].place = pieces->apart;
    }
    return pieces;
}

void som_pieces_destroy(SomPieces *pieces) {
    if (pieces != NULL) {
        som_arena_free(&pieces->arena);
        som_free(pieces);
    }
}

// ---- pieces

static void print_moved(SomStr piece, SomText *out) {
    som_text_printf(out, "%.*s is no longer where the prediction has it", SOM_STR_ARG(piece));
}

// Does the design consist of several pieces as it starts?
static bool has_robots(const State *s) {
    return s->all->whole->design->base_count > 1;
}

static int piece_of(const State *s, int module) {
    const SomMechanism *m = s->part->mechanism;
    return m->links[m->first_link[module]].piece;
}

static SomStr keep(State *s, SomText *text) {
    SomStr kept = som_arena_copy(&s->all->arena, som_text_str(text));
    som_text_free(text);
    return kept;
}

// The part that has exactly these modules, -1 if there is none.
static int part_of(const SomConfiguration *design, int first_module, int count) {
    for (int i = 1; i < design->part_count; i++) {
        const SomPart *part = &design->parts[i];
        if (part->first_module == first_module && part->module_count == count) {
            return i;
        }
    }
    return -1;
}

// "the piece of 'c', 'e'"; of a part with all of its modules, that of the part.
static SomStr name_of(State *s, int piece) {
    const SomConfiguration *design = s->part->design;
    int first = -1, last = -1, count = 0;
    SomText names = {0}, text = {0};
    SomNameList list = {.out = &names};
    if (s->count == 1) {
        return SOM_STR("the robot");
    }
    for (int i = 0; i < design->module_count; i++) {
        if (piece_of(s, i) == piece) {
            som_name_list_add(&list, "'%.*s'", SOM_STR_ARG(design->modules[i].path));
            first = first < 0 ? i : first;
            last = i;
            count++;
        }
    }
    som_name_list_end(&list);
    int part = last - first + 1 == count ? part_of(design, first, count) : -1;
    if (part >= 0) {
        som_text_printf(&text, "the piece of '%.*s'", SOM_STR_ARG(design->parts[part].path));
    } else {
        som_text_printf(&text, "the piece of %s", names.data);
    }
    som_text_free(&names);
    return keep(s, &text);
}

// Of the states of all its modules.
static ModuleState joined_state(State *s, int piece) {
    ModuleState joined = {.piece = -1};
    for (int i = 0; i < s->part->design->module_count; i++) {
        const ModuleState *state = &s->all->modules[i];
        if (piece_of(s, i) != piece) {
            continue;
        }
        if (joined.piece < 0 || (state->is_lost && !joined.is_lost)) {
            joined = *state;
        }
        joined.slid = fmax(joined.slid, state->slid);
    }
    joined.piece = piece;
    joined.slid = s->count > 1 ? joined.slid : 0;
    if (s->part->mechanism->pieces[piece].is_fixed) { // by its base, wherever the rest has been
        joined.place = som_pose_identity();
        joined.slid = joined.unsteady = 0;
    }
    return joined;
}

static void begin_piece(State *s, int piece) {
    Piece *p = &s->pieces[piece];
    p->state = joined_state(s, piece);
    p->begin = p->state.place;
    p->state.name = p->name = name_of(s, piece);
    p->own = *s->part;
    p->own.unsteady = p->state.unsteady;
    p->apart = s->all->apart;
    p->moved = s->part->sample_count;
    if (piece >= MOST_PIECES) {
        p->state.is_lost = true;
        p->state.reason = SOM_STR("more than 100 pieces are not followed");
    } else if (piece > 0) {
        p->mechanism = som_mechanism_create_piece(s->part->mechanism, piece, p->begin);
        p->own.mechanism = p->mechanism;
        p->own.design = p->mechanism->configuration;
        p->own.wants_series = false;
        p->apart = som_pose_compose(s->all->apart, som_pose_invert(p->begin));
    } else if (s->first > 0 || s->count > 1) { // else as the base puts it
        p->own.begin = &p->begin;
    }
}

static void begin_state(State *s) {
    s->count = 1 + s->part->design->piece_count;
    s->pieces = som_alloc(sizeof *s->pieces * (size_t)s->count);
    if (s->all->piece_count == 1 && !has_robots(s)) {
        s->all->apart = s->all->modules[0].place;
    }
    for (int i = 0; i < s->count; i++) {
        begin_piece(s, i);
    }
}

static void lose(State *s, Piece *piece, const char *how) {
    SomText text = {0};
    som_text_printf(&text, "%.*s %s", SOM_STR_ARG(piece->name), how);
    piece->state.is_lost = true;
    piece->state.reason = keep(s, &text);
}

static bool is_loose(const State *s, const Piece *piece) {
    return piece != &s->pieces[0];
}

static bool is_fixed(const State *s, const Piece *piece) {
    return s->part->mechanism->pieces[piece - s->pieces].is_fixed;
}

static void end_state(State *s) {
    for (int i = 0; i < s->part->design->module_count; i++) {
        s->all->modules[i] = s->pieces[piece_of(s, i)].state;
    }
    s->all->piece_count = s->count;
    for (int i = 0; i < s->count; i++) {
        som_mechanism_destroy(s->pieces[i].mechanism);
    }
    som_free(s->pieces);
}

// ---- pieces that are released above the ground

// The action that opened the dock of a piece as the state began.
static int32_t releasing_action(const State *s, int piece) {
    const SomVerifyInput *whole = s->all->whole;
    int changes = whole->prediction != NULL && s->first > 0 ? whole->prediction->docks.count : 0;
    for (int i = 0; i < changes; i++) {
        const SomPredictionDock *change = &whole->prediction->docks.data[i];
        const SomConnection *dock = &whole->design->docks[change->dock].connection;
        bool is_own = piece_of(s, dock->module_a) == piece || piece_of(s, dock->module_b) == piece;
        if (!change->is_closed && is_own && som_verify_sample_at(whole, change->time) == s->first) {
            return som_verify_action_of_dock(whole, change->dock, change->time);
        }
    }
    return SOM_NONE;
}

static SomFinding begin_finding(const State *s, SomCode code, int piece) {
    double t = som_verify_time(s->part, 0);
    int32_t action = releasing_action(s, piece);
    int base = s->part->mechanism->pieces[piece].base;
    bool is_start = s->first == 0 && base >= 0;
    return (SomFinding){.check = SOM_CHECK_STABILITY,
                        .code = code,
                        .t0 = t,
                        .t1 = t,
                        .worst = t,
                        .value = (double)NAN,
                        .limit = (double)NAN,
                        .dimension = SOM_DIMENSION_LENGTH,
                        .span = is_start ? s->part->design->bases[base].span
                                         : som_verify_span(s->part, action, -1),
                        .action = action};
}

static void add_subjects(State *s, int piece, SomFinding *found) {
    for (int i = 0; i < s->part->design->module_count && found->subject_count < MOST_SUBJECTS;
         i++) {
        if (piece_of(s, i) == piece) {
            som_finding_add_subject(s->found, found, s->part->design->modules[i].path);
        }
    }
}

static void report_carried(State *s, int piece, int link) {
    const SomMechanismLink *below = &s->part->mechanism->links[link];
    SomFinding finding = begin_finding(s, SOM_PIECE_CARRIED, piece);
    finding.who = s->pieces[piece].name;
    SomFinding *found = som_verification_add(
        s->found, &finding, "rests on '%.*s', so whether it stays there is not predicted",
        SOM_STR_ARG(below->path));
    add_subjects(s, piece, found);
    lose(s, &s->pieces[piece], "rests on another one");
    Piece *bearer = &s->pieces[below->piece];
    if (is_fixed(s, bearer)) { // stays, but what it holds is more than its own weight
        bearer->bears = s->pieces[piece].name;
    } else if (!bearer->state.is_lost) {
        lose(s, bearer, "carries another one");
    }
}

static void report_fall(State *s, int piece, double height, bool stands) {
    SomFinding finding = begin_finding(s, SOM_RELEASED_ABOVE_GROUND, piece);
    finding.value = height;
    finding.limit = s->part->options.tolerance;
    finding.who = s->pieces[piece].name;
    SomFinding *found = som_verification_add(
        s->found, &finding, "%s %s above the ground; %s", s->first > 0 ? "released" : "starts",
        som_verification_value(s->found, height, SOM_DIMENSION_LENGTH),
        stands ? "it would stand where it lands" : "where it comes to rest is not predicted");
    add_subjects(s, piece, found);
    lose(s, &s->pieces[piece], "has fallen");
}

static void report_drop(State *s, int piece, double height) {
    SomFinding finding = begin_finding(s, SOM_ROCKS, piece);
    finding.value = height;
    finding.who = s->pieces[piece].name;
    SomFinding *found =
        som_verification_add(s->found, &finding, "drops by %s to the ground as it %s",
                             som_verification_value(s->found, height, SOM_DIMENSION_LENGTH),
                             s->first > 0 ? "is released" : "starts");
    add_subjects(s, piece, found);
}

static void release(State *s, int piece) {
    const Piece *p = &s->pieces[piece];
    if (p->state.is_lost || is_fixed(s, p)) {
        return;
    }
    bool stands;
    double height = som_piece_height(&p->own, &stands);
    if (!(height > s->part->options.tolerance)) {
        return;
    }
    SomPieceWay way = som_piece_way_down(s->part, piece, p->begin, height);
    if (way.rests && way.length < SHORTEST_FALL) {
        report_carried(s, piece, way.link);
    } else if (height > SHORTEST_FALL) {
        report_fall(s, piece, height, stands && way.link < 0);
    } else {
        report_drop(s, piece, height);
    }
}

// ---- through the state

static void follow(State *s, Piece *p) {
    bool is_one = s->count == 1;
    SomPieceMotion motion = som_piece_follow(&p->own, is_one ? NULL : &p->apart, p->state.slid);
    p->moved = motion.moved;
    p->state.slid = motion.slid;
    p->state.place = is_loose(s, p) ? som_pose_compose(motion.end, p->begin) : motion.end;
    p->state.unsteady = motion.unsteady;
    if (motion.fall < s->part->sample_count) {
        lose(s, p, "has fallen");
    }
}

// Samples that were looked at when the piece was not yet lost do not count. What stands is judged
// at ticks, always from the first one.
static void skip(State *s, SomCheck check, int from, SomStr reason) {
    if ((SOM_CHECKS_OF_PIECES & SOM_CHECK_BIT(check)) != 0) {
        int ticks = som_verify_tick_count(s->part) - 1;
        ticks = ticks > 0 ? ticks : 1;
        som_verification_leave_out(s->found, check, ticks, 0, ticks, reason);
        return;
    }
    int left = s->part->sample_count - (from > 0 ? from : 1);
    left = left > 0 ? left : 1;
    int known = s->left_out[check] < left ? s->left_out[check] : left;
    som_verification_leave_out(s->found, check, left, known, 0, reason);
    s->left_out[check] += left - known;
}

static void skip_lost(State *s, const Piece *p) {
    for (int i = 0; i < SOM_CHECKS; i++) {
        bool is_off = s->part->skips_loads && (i == SOM_CHECK_LOAD || i == SOM_CHECK_SLIP);
        is_off = is_off || (i == SOM_CHECK_SLIP && s->part->options.slope == 0);
        bool stands = (SOM_CHECKS_OF_PIECES & SOM_CHECK_BIT(i)) != 0 || i == SOM_CHECK_GROUND;
        bool is_fixed_one = is_fixed(s, p) && (i == SOM_CHECK_STABILITY || i == SOM_CHECK_SLIP);
        if (stands && !is_off && !is_fixed_one) {
            skip(s, (SomCheck)i, 0, p->state.reason);
        }
    }
    for (int i = 0; s->found->places != NULL && !is_loose(s, p) && i < s->part->sample_count; i++) {
        s->found->places[i] = p->begin;
    }
}

// Names the piece, and what released it where no joint is to blame.
static void explain(State *s, int piece, SomVerification *own) {
    const Piece *p = &s->pieces[piece];
    double begin = som_verify_time(s->part, 0);
    for (int i = 0; i < own->findings.count; i++) {
        SomFinding *finding = &own->findings.data[i];
        bool is_other = finding->t0 > begin || finding->severity != SOM_ERROR;
        bool is_blamed = finding->action != SOM_NONE || (!is_loose(s, p) && is_other);
        if (finding->check != SOM_CHECK_STABILITY || s->count == 1) {
            continue;
        }
        if (!is_blamed) {
            finding->action = releasing_action(s, piece);
            finding->span = som_verify_span(s->part, finding->action, -1);
        }
        if (is_loose(s, p) || has_robots(s)) {
            som_finding_set_who(own, finding, p->name);
        }
    }
}

static SomStr bears_reason(State *s, const Piece *p) {
    SomText text = {0};
    som_text_printf(&text, "%.*s rests on %.*s", SOM_STR_ARG(p->bears), SOM_STR_ARG(p->name));
    return keep(s, &text);
}

// Stability, loads and slip; of several robots the ground, too.
static void check_piece(State *s, int piece) {
    const Piece *p = &s->pieces[piece];
    SomVerification *own = som_verify_begin(&p->own, s->found, 0);
    if (is_loose(s, p)) {
        own->places = NULL;
    }
    uint32_t ground = has_robots(s) ? SOM_CHECK_BIT(SOM_CHECK_GROUND) : 0;
    som_verify_run_checks(&p->own, SOM_CHECKS_OF_PIECES | ground, own);
    explain(s, piece, own);
    if (p->bears.length > 0 && !s->part->skips_loads) {
        int ticks = som_verify_tick_count(s->part);
        som_verification_not_checked(own, SOM_CHECK_LOAD, SOM_STR("samples"), ticks, ticks,
                                     bears_reason(s, p));
    }
    som_verification_join(s->found, own, 0);
}

// ---- collisions

// The last sample in which a piece is where the motion has it.
static int last_known(const Piece *p) {
    return p->moved - 1;
}

// Between two moments at which pieces move: those that have not against each other, and each
// by itself.
static void check_collisions(State *s) {
    int last = s->part->sample_count - 1, begin = 0;
    bool *is_apart = som_alloc(sizeof *is_apart * (size_t)s->count);
    do {
        int end = last;
        bool is_any = false;
        for (int i = 0; i < s->count; i++) {
            int known = last_known(&s->pieces[i]);
            is_apart[i] = s->count > 1 && known <= begin && known < last;
            is_any = is_any || is_apart[i];
            end = known > begin && known < end ? known : end;
        }
        SomVerifyInput range = som_verify_cut(s->part, begin, end);
        range.is_apart = is_any ? is_apart : NULL;
        SomVerification *own = som_verify_begin(&range, s->found, begin);
        som_verify_run_checks(&range, SOM_CHECK_BIT(SOM_CHECK_SELF_COLLISION), own);
        som_verification_join(s->found, own, begin);
        begin = end;
    } while (begin < last && !som_stop_is_asked(s->part->stop));
    som_free(is_apart);
    for (int i = 0; s->count > 1 && i < s->count; i++) {
        const Piece *p = &s->pieces[i];
        if (p->moved < s->part->sample_count) {
            SomText text = {0};
            print_moved(p->name, &text);
            skip(s, SOM_CHECK_SELF_COLLISION, p->moved,
                 p->state.is_lost ? p->state.reason : som_text_str(&text));
            som_text_free(&text);
        }
    }
}

// ---- docks

static void lose_all(SomPieces *pieces, int piece, SomStr reason) {
    for (int i = 0; i < pieces->whole->design->module_count; i++) {
        ModuleState *state = &pieces->modules[i];
        if (state->piece == piece && !state->is_lost) {
            state->is_lost = true;
            state->reason = reason;
        }
    }
}

// How far the connectors are from being mated where the pieces are.
static SomGap real_gap(const SomPieces *pieces, const SomDockStates *states,
                       const SomConnection *connection) {
    const SomMechanism *m = som_dock_states_mechanism(states);
    const SomPose *predicted = som_dock_states_links(states);
    SomPose *links = som_alloc(sizeof *links * (size_t)(m->link_count + 1));
    for (int i = 0; i < m->link_count; i++) {
        links[i] = som_pose_compose(pieces->modules[m->links[i].module].place, predicted[i]);
    }
    SomGap gap = som_mechanism_connection_gap(m, links, connection);
    som_free(links);
    return gap;
}

void som_pieces_dock(SomPieces *pieces, const SomDockStates *states, int dock,
                     SomVerification *out) {
    const SomConnection *connection = &pieces->whole->design->docks[dock].connection;
    const ModuleState *a = &pieces->modules[connection->module_a];
    const ModuleState *b = &pieces->modules[connection->module_b];
    const ModuleState *worse = b->is_lost || (!a->is_lost && b->slid > a->slid) ? b : a;
    bool is_known = !worse->is_lost && worse->slid <= pieces->whole->options.tolerance;
    if (a->piece == b->piece ||
        (is_known &&
         som_dock_in_reach(pieces->whole->design, dock, real_gap(pieces, states, connection)))) {
        return;
    }
    SomText text = {0};
    if (worse->is_lost) {
        som_text_add(&text, worse->reason);
    } else {
        print_moved(worse->name, &text);
    }
    som_verification_not_checked(out, SOM_CHECK_DOCKING, SOM_STR("docks"), 1, 0,
                                 som_text_str(&text));
    SomStr reason = som_arena_copy(&pieces->arena, som_text_str(&text));
    som_text_free(&text);
    int piece_a = a->piece, piece_b = b->piece;
    lose_all(pieces, piece_a, reason);
    lose_all(pieces, piece_b, reason);
}

// The dock whose connecting action is written there; -1: none.
static int dock_at(const SomActionGraph *graph, SomSpan span) {
    for (int32_t i = 0; i < graph->node_count; i++) {
        const SomGraphNode *node = &graph->nodes[i];
        if (node->kind == SOM_NODE_ACTION &&
            graph->actions[node->index].kind == SOM_ACTION_CONNECT) {
            SomSpan own = som_graph_user_span(graph, i);
            if (own.source1 == span.source1 && own.begin == span.begin && own.end == span.end) {
                return graph->actions[node->index].target;
            }
        }
    }
    return -1;
}

// Why it is not known where the two sides of a dock are at the end; empty: it is known.
static SomStr wandering(const SomPieces *pieces, int dock, SomText *text) {
    const SomConnection *k = &pieces->whole->design->docks[dock].connection;
    const ModuleState *sides[] = {&pieces->modules[k->module_a], &pieces->modules[k->module_b]};
    som_text_clear(text);
    for (int i = 0; i < 2 && sides[0]->piece != sides[1]->piece && text->length == 0; i++) {
        if (sides[i]->is_lost) {
            som_text_add(text, sides[i]->reason);
        } else if (sides[i]->slid > pieces->whole->options.tolerance) {
            print_moved(sides[i]->name, text);
        }
    }
    return som_text_str(text);
}

void som_pieces_leave_open(SomPieces *pieces, SomVerification *out) {
    const SomActionGraph *graph = pieces->whole->graph;
    SomText reason = {0};
    for (int i = out->findings.count - 1; i >= 0; i--) {
        const SomFinding *finding = &out->findings.data[i];
        bool is_dock = graph != NULL && finding->code == SOM_NOT_DOCKABLE;
        int dock = is_dock ? dock_at(graph, finding->span) : -1;
        if (dock >= 0 && wandering(pieces, dock, &reason).length > 0) {
            som_verification_take_back(out, i);
            som_verification_not_checked(out, SOM_CHECK_DOCKING, SOM_STR("docks"), 1, 0,
                                         som_text_str(&reason));
        }
    }
    som_text_free(&reason);
}

void som_pieces_check(SomPieces *pieces, const SomVerifyInput *part, int first,
                      SomVerification *found) {
    State s = {.all = pieces, .part = part, .first = first, .found = found};
    begin_state(&s);
    for (int i = 0; i < s.count && (first > 0 || s.count > 1); i++) {
        release(&s, i);
    }
    for (int i = 0; i < s.count && !som_stop_is_asked(part->stop); i++) {
        Piece *p = &s.pieces[i];
        if (p->state.is_lost) {
            p->moved = 0;
            skip_lost(&s, p);
        } else {
            check_piece(&s, i);
            follow(&s, p);
        }
    }
    check_collisions(&s);
    end_state(&s);
}
