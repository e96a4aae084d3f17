// SPDX-License-Identifier: Apache-2.0
#include "player/piece_watch.h"

int32_t som_piece_count(const SomRobotBody *bodies, int32_t body_count) {
    int32_t count = 1;
    for (int32_t i = 0; i < body_count; i++) {
        count = bodies[i].piece >= count ? bodies[i].piece + 1 : count;
    }
    return count;
}

void som_piece_places(const SomRobotBody *bodies, const SomBodyPlace *places, int32_t body_count,
                      SomBodyPlace *pieces, int32_t piece_count) {
    for (int32_t i = 0; i < piece_count; i++) {
        pieces[i] = som_body_place_identity();
    }
    for (int32_t i = 0; i < body_count; i++) {
        if (bodies[i].is_base && bodies[i].piece < piece_count) {
            pieces[bodies[i].piece] = som_body_place_compose(&places[i], &bodies[i].base);
        }
    }
}

// ---- groups

static bool is_piece(int32_t piece, int32_t count) {
    return 0 <= piece && piece < count;
}

// All pieces of the group of b come to the group of a, or those of a to that of b: to the smaller
// number.
static void join(SomPieceWatch *pieces, int32_t count, int32_t a, int32_t b) {
    int32_t x = pieces[a].next1, y = pieces[b].next1, to = x < y ? x : y;
    for (int32_t i = 0; i < count; i++) {
        bool is_either = pieces[i].next1 == x || pieces[i].next1 == y;
        pieces[i].next1 = is_either ? to : pieces[i].next1;
    }
}

static void find_groups(SomPieceWatch *pieces, int32_t count, const SomPieceStep *now) {
    for (int32_t i = 0; i < count; i++) {
        pieces[i].next1 = i + 1;
    }
    for (int32_t i = 0; i < now->held_count; i++) {
        int32_t a = now->held[i].a, b = now->held[i].b;
        if (is_piece(a, count) && is_piece(b, count) && a != b) {
            join(pieces, count, a, b);
        }
    }
}

// Whether the group of a piece has other pieces than before.
static bool is_new(const SomPieceWatch *pieces, int32_t count, int32_t piece) {
    const SomPieceWatch *p = &pieces[piece];
    for (int32_t i = 0; i < count; i++) {
        bool was = pieces[i].group1 == p->group1, is = pieces[i].next1 == p->next1;
        if (was != is) {
            return true;
        }
    }
    return p->group1 == 0;
}

static bool is_fixed(const SomPieceWatch *pieces, const SomPieceStep *now, int32_t group1) {
    for (int32_t i = 0; i < now->body_count; i++) {
        if (now->bodies[i].is_fixed && pieces[now->bodies[i].piece].next1 == group1) {
            return true;
        }
    }
    return false;
}

// ---- falls

// Of the bodies of a group; its base is that of its first piece.
static SomBodySenses senses_of(const SomPieceWatch *pieces, const SomPieceStep *now,
                               int32_t group1) {
    SomBodySum sum = som_body_sum();
    for (int32_t i = 0; i < now->body_count; i++) {
        const SomRobotBody *body = &now->bodies[i];
        if (pieces[body->piece].next1 == group1) {
            som_body_sum_add(&sum, body, &now->places[i], body->piece == group1 - 1);
        }
    }
    return som_body_sum_senses(&sum);
}

int32_t som_piece_watch_step(SomPieceWatch *pieces, int32_t count, const SomPieceStep *now) {
    int32_t fallen = -1;
    find_groups(pieces, count, now);
    for (int32_t i = 0; i < count; i++) {
        pieces[i].is_new = is_new(pieces, count, i);
    }
    for (int32_t i = 0; i < count; i++) {
        SomPieceWatch *piece = &pieces[i];
        if (piece->next1 == i + 1) { // the first of its group
            SomBodySenses senses = senses_of(pieces, now, i + 1);
            piece->start = piece->is_new ? senses : piece->start;
            piece->is_fixed = piece->is_new ? is_fixed(pieces, now, i + 1) : piece->is_fixed;
            bool falls =
                !piece->is_fixed && som_body_has_fallen(&senses, &piece->start, now->limits);
            fallen = falls && !piece->has_fallen && fallen < 0 ? i : fallen;
            piece->has_fallen = piece->has_fallen || falls;
        }
        piece->group1 = piece->next1;
    }
    return fallen;
}
