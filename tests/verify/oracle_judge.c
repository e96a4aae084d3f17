// SPDX-License-Identifier: Apache-2.0

#include "tests/verify/oracle_judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define EVERY 3 // samples
#define DEGREE 0.01745329251994329577
#define DEEP 1.2e-3 // metres that are a clear overlap: 1 mm is allowed where links touch at zero
#define WIDE 4e-3   // that are clear of one
#define TORN 3e-3   // of a loop that is open
#define T_MAX 0.2   // seconds
#define OUTSIDE 2e-3
#define FALL (50 * DEGREE)

const char *oracle_wrong_name(OracleWrong wrong) {
    static const char *const names[] = {"collision", "joint limit", "dropped piece",
                                        "fall",      "overload",    "torn loop"};
    return names[wrong];
}

void oracle_blame(OracleJudgement *out, OracleWrong wrong, const char *format, ...) {
    out->is_clear = false;
    if (!out->is_wrong[wrong]) {
        out->is_wrong[wrong] = true;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(out->reason[wrong], sizeof out->reason[wrong], format, arguments);
        va_end(arguments);
    }
}

void oracle_doubt(OracleJudgement *out, const char *format, ...) {
    if (out->is_clear) {
        out->is_clear = false;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(out->doubt, sizeof out->doubt, format, arguments);
        va_end(arguments);
    }
}

// ---- collisions

OracleTouch oracle_links_touch(const OracleMoment *m, int part_a, int link_a, int part_b,
                               int link_b, double margin) {
    OracleTouch all = ORACLE_APART;
    int count_a = oracle_type(m->design, part_a)->links[link_a].shape_count;
    int count_b = oracle_type(m->design, part_b)->links[link_b].shape_count;
    for (int i = 0; i < count_a; i++) {
        for (int k = 0; k < count_b; k++) {
            OracleTouch one =
                oracle_touch(&m->solids[part_a][link_a][i], &m->solids[part_b][link_b][k], margin);
            all = one > all ? one : all;
        }
    }
    return all;
}

static int number_of(int part, int link) {
    return part * ORACLE_LINKS + link;
}

// Two links are one body; whether that is news.
static bool unite(int *body, int a, int b) {
    bool is_news = body[a] != body[b];
    body[a] = body[b] = body[a] < body[b] ? body[a] : body[b];
    return is_news;
}

// The rigid body of its part that each link belongs to, by the smallest number of a link in it.
static void find_bodies(const OracleMoment *m, int *body) {
    const OracleDesign *d = m->design;
    for (int i = 0; i < ORACLE_ALL_LINKS; i++) {
        body[i] = i;
    }
    for (bool is_more = true; is_more;) {
        is_more = false;
        for (int i = 0; i < d->part_count; i++) {
            const OracleType *type = oracle_type(d, i);
            for (int k = 0; k < type->joint_count; k++) {
                const OracleJoint *j = &type->joints[k];
                is_more |= j->type == ORACLE_FIXED &&
                           unite(body, number_of(i, j->parent), number_of(i, j->child));
            }
        }
    }
}

// Whether two links carry the faces of a closed connection.
static bool are_docked(const OracleMoment *m, int a, int b) {
    const OracleDesign *d = m->design;
    for (int i = 0; i < d->connection_count; i++) {
        const OracleConnection *c = &d->connections[i];
        int face_a = number_of(c->part_a, oracle_type(d, c->part_a)->faces[c->face_a].link);
        int face_b = number_of(c->part_b, oracle_type(d, c->part_b)->faces[c->face_b].link);
        if (m->state->is_closed[i] &&
            ((a == face_a && b == face_b) || (a == face_b && b == face_a))) {
            return true;
        }
    }
    return false;
}

static bool are_joined(const OracleType *type, int a, int b) {
    for (int i = 0; i < type->joint_count; i++) {
        const OracleJoint *j = &type->joints[i];
        if ((j->child == a && j->parent == b) || (j->child == b && j->parent == a)) {
            return true;
        }
    }
    return false;
}

typedef struct Judge {
    const OracleDesign *design;
    const OracleMotion *motion;
    OracleJudgement *out;
    OracleState state;
    OraclePlaces places;
    OracleMoment home; // all joints at zero
    bool was_apart[ORACLE_ALL_LINKS][ORACLE_ALL_LINKS];
    bool is_joint[ORACLE_ALL_LINKS][ORACLE_ALL_LINKS]; // joined, and not clearly apart at zero
    double released[ORACLE_PARTS][ORACLE_JOINTS];      // values as the part came loose
    double out_since;                                  // of balance; NAN: it is in balance
    double ground, release_ground;                     // its height, now and as a dock opened
} Judge;

// Pieces that lost the base stay where they are, but not if their own joints move: then it is open
// which of their links stays.
static bool is_place_known(const Judge *j, int part) {
    int piece = j->places.piece[part];
    for (int i = 0; piece != 0 && i < j->design->part_count; i++) {
        if (j->places.piece[i] != piece) {
            continue;
        }
        for (int k = 0; k < oracle_type(j->design, i)->joint_count; k++) {
            if (fabs(j->state.values[i][k] - j->released[i][k]) > 1e-9) {
                return false;
            }
        }
    }
    return true;
}

// By docs/verify.md, "Which links are tested".
static bool is_tested(const Judge *j, const int *body, int a, int b) {
    bool is_one_part = a / ORACLE_LINKS == b / ORACLE_LINKS;
    return !is_one_part || (body[a] != body[b] && !j->is_joint[a][b]);
}

static void judge_pair(Judge *j, const OracleMoment *m, int a, int b) {
    int part_a = a / ORACLE_LINKS, link_a = a % ORACLE_LINKS;
    int part_b = b / ORACLE_LINKS, link_b = b % ORACLE_LINKS;
    if (oracle_links_touch(m, part_a, link_a, part_b, link_b, WIDE) == ORACLE_APART) {
        j->was_apart[a][b] = true;
        return;
    }
    if (!are_docked(m, a, b)) { // faces touch
        oracle_doubt(j->out, "p%d.l%d and p%d.l%d are near each other at %.3f s", part_a, link_a,
                     part_b, link_b, m->time);
    }
    OracleTouch touch = oracle_links_touch(m, part_a, link_a, part_b, link_b, DEEP);
    if (touch == ORACLE_APART) {
        j->was_apart[a][b] = true;
    } else if (touch == ORACLE_OVERLAP && j->was_apart[a][b]) {
        oracle_blame(j->out, ORACLE_COLLIDES, "p%d.l%d and p%d.l%d overlap at %.3f s", part_a,
                     link_a, part_b, link_b, m->time);
    }
}

// Of links at a joint, parts that are apart at zero are tested, unless they count as the hinge.
static void judge_parts(Judge *j, const OracleMoment *m, int a, int b) {
    int part = a / ORACLE_LINKS, link_a = a % ORACLE_LINKS, link_b = b % ORACLE_LINKS;
    const OracleType *type = oracle_type(j->design, part);
    for (int i = 0; i < type->links[link_a].shape_count; i++) {
        for (int k = 0; k < type->links[link_b].shape_count; k++) {
            bool is_apart = oracle_touch(&j->home.solids[part][link_a][i],
                                         &j->home.solids[part][link_b][k], WIDE) == ORACLE_APART;
            if (is_apart && oracle_touch(&m->solids[part][link_a][i], &m->solids[part][link_b][k],
                                         WIDE) != ORACLE_APART) {
                oracle_doubt(j->out, "parts of p%d.l%d and p%d.l%d are near each other at %.3f s",
                             part, link_a, part, link_b, m->time);
            }
        }
    }
}

static void judge_collisions(Judge *j, const OracleMoment *m) {
    int body[ORACLE_ALL_LINKS];
    find_bodies(m, body);
    const OracleDesign *d = j->design;
    for (int a = 0; a < d->part_count * ORACLE_LINKS; a++) {
        int part_a = a / ORACLE_LINKS;
        if (a % ORACLE_LINKS >= oracle_type(d, part_a)->link_count || !is_place_known(j, part_a)) {
            continue;
        }
        for (int b = a + 1; b < d->part_count * ORACLE_LINKS; b++) {
            int part_b = b / ORACLE_LINKS;
            bool is_link = b % ORACLE_LINKS < oracle_type(d, part_b)->link_count;
            if (is_link && is_place_known(j, part_b) && is_tested(j, body, a, b)) {
                judge_pair(j, m, a, b);
            } else if (is_link && j->is_joint[a][b] && is_place_known(j, part_b)) {
                judge_parts(j, m, a, b);
            }
        }
    }
}

// ---- limits

static void judge_value(OracleJudgement *out, const OracleJoint *joint, double value,
                        const char *what, int part, int index) {
    double slack = joint->type == ORACLE_TURN ? 0.1 * DEGREE : 1e-4;
    double beyond = fmax(joint->low - value, value - joint->high);
    if (joint->type == ORACLE_FIXED || beyond < -10 * slack) {
        return;
    }
    if (beyond >= slack) {
        oracle_blame(out, ORACLE_BEYOND_LIMIT, "p%d.j%d %s %.4f, limits %.4f to %.4f", part, index,
                     what, value, joint->low, joint->high);
    }
    oracle_doubt(out, "p%d.j%d is near its limit", part, index);
}

typedef struct SetPointJudge {
    const OracleDesign *design;
    OracleJudgement *out;
} SetPointJudge;

static void judge_set_point(void *context, const OracleAction *move, double value) {
    SetPointJudge *s = context;
    judge_value(s->out, &oracle_type(s->design, move->part)->joints[move->joint], value,
                "is sent to", move->part, move->joint);
}

static void judge_positions(Judge *j) {
    for (int i = 0; i < j->design->part_count; i++) {
        const OracleType *type = oracle_type(j->design, i);
        for (int k = 0; k < type->joint_count; k++) {
            judge_value(j->out, &type->joints[k], j->state.values[i][k], "is at", i, k);
        }
    }
}

// ---- a moment

static OracleMoment take_moment(Judge *j, double time) {
    OracleMoment m = {.design = j->design, .state = &j->state, .places = &j->places, .time = time};
    for (int i = 0; i < j->design->part_count; i++) {
        const OracleType *type = oracle_type(j->design, i);
        for (int k = 0; k < type->link_count; k++) {
            for (int s = 0; s < type->links[k].shape_count; s++) {
                m.solids[i][k][s] = oracle_solid(&type->links[k].shapes[s], &j->places.links[i][k]);
            }
        }
    }
    return m;
}

static void judge_stance(Judge *j, const OracleMoment *m, bool is_last) {
    OracleStance stance = oracle_stance(m);
    j->ground = stance.ground;
    bool is_out = stance.margin < -OUTSIDE && (j->design->is_never_turned || stance.tip > FALL);
    if (!is_out) {
        j->out_since = NAN;
    } else if (isnan(j->out_since)) {
        j->out_since = m->time;
    }
    if (is_out && ((is_last && j->motion->has_ended) || m->time > j->out_since + T_MAX + 0.05)) {
        oracle_blame(j->out, ORACLE_FALLS,
                     "com is %.1f mm outside at %.3f s, would turn by %.0f deg",
                     -1e3 * stance.margin, m->time, stance.tip / DEGREE);
    }
    if (stance.strict_margin < 0.02) {
        oracle_doubt(j->out, "stands with %.1f mm at %.3f s", 1e3 * stance.strict_margin, m->time);
    }
    oracle_judge_loads(m, &stance, j->out);
}

static void read_values(Judge *j, int sample) {
    const OracleMotion *motion = j->motion;
    for (int i = 0; i < j->design->part_count; i++) {
        for (int k = 0; k < oracle_type(j->design, i)->joint_count; k++) {
            int dof = motion->dofs[i][k];
            j->state.values[i][k] =
                dof < 0 ? 0
                        : motion->values[(size_t)sample * (size_t)motion->dof_count + (size_t)dof];
        }
    }
}

// Docks that have closed or opened since the previous sample. Whether one has opened.
static bool change_docks(Judge *j, double from, double to) {
    bool has_opened = false;
    for (int i = 0; i < j->motion->dock_count; i++) {
        if (j->motion->docks[i].time > from && j->motion->docks[i].time <= to) {
            bool is_closed = j->motion->docks[i].is_closed;
            j->state.is_closed[j->motion->docks[i].connection] = is_closed;
            has_opened |= !is_closed;
            oracle_doubt(j->out, "a dock %s at %.3f s", is_closed ? "closes" : "opens", to);
        }
    }
    for (int i = 0; has_opened && i < j->design->part_count; i++) {
        if (j->places.piece[i] == 0) {
            memcpy(j->released[i], j->state.values[i], sizeof j->released[i]);
        }
    }
    return has_opened;
}

// The piece of the base as docks open; the others as long as they are where they were then.
static void judge_pieces(Judge *j, const OracleMoment *m, bool has_change) {
    if (isnan(j->release_ground)) {
        return;
    }
    for (int piece = has_change ? 0 : 1; piece < j->design->part_count; piece++) {
        bool is_there =
            piece == 0 || (is_place_known(j, piece) && fabs(j->ground - j->release_ground) < DEEP);
        if (j->places.piece[piece] == piece && is_there) {
            oracle_judge_piece(m, piece, j->release_ground, j->out);
        }
    }
}

static void judge_sample(Judge *j, int sample) {
    const OracleMotion *motion = j->motion;
    double time = motion->times[sample], before_time = sample > 0 ? motion->times[sample - 1] : -1;
    bool is_last = sample == motion->sample_count - 1;
    bool has_change = sample == 0;
    for (int i = 0; i < motion->dock_count; i++) {
        has_change |= motion->docks[i].time > before_time && motion->docks[i].time <= time;
    }
    if (!has_change && !is_last && sample % EVERY != 0) {
        return;
    }
    read_values(j, sample);
    oracle_place(j->design, &j->state, NULL, &j->places);
    if (has_change) {
        OraclePlaces before = j->places;
        bool has_opened = change_docks(j, before_time, time);
        oracle_place(j->design, &j->state, &before, &j->places);
        j->release_ground = has_opened ? j->ground : j->release_ground;
    }
    OracleMoment m = take_moment(j, time);
    judge_pieces(j, &m, has_change);
    judge_positions(j);
    judge_collisions(j, &m);
    judge_stance(j, &m, is_last);
    if (j->places.gap > TORN) {
        oracle_blame(j->out, ORACLE_TORN, "connected faces are %.1f mm apart at %.3f s",
                     1e3 * j->places.gap, time);
    }
}

static OracleTouch touch_at(const OracleMoment *m, int a, int b, double margin) {
    return oracle_links_touch(m, a / ORACLE_LINKS, a % ORACLE_LINKS, b / ORACLE_LINKS,
                              b % ORACLE_LINKS, margin);
}

// Links of one module may overlap from the start if they do while all joints are at zero. Those
// that a joint joins are tested if they are apart there.
static void allow_overlaps(Judge *j) {
    const OracleDesign *d = j->design;
    memset(j->state.values, 0, sizeof j->state.values);
    oracle_place(d, &j->state, NULL, &j->places);
    OracleMoment m = take_moment(j, 0);
    j->home = m;
    for (int a = 0; a < d->part_count * ORACLE_LINKS; a++) {
        for (int b = a + 1; b < d->part_count * ORACLE_LINKS; b++) {
            int part = a / ORACLE_LINKS;
            bool is_one_part = part == b / ORACLE_LINKS;
            j->was_apart[a][b] = !is_one_part || touch_at(&m, a, b, DEEP) == ORACLE_APART;
            j->is_joint[a][b] =
                is_one_part &&
                are_joined(oracle_type(d, part), a % ORACLE_LINKS, b % ORACLE_LINKS) &&
                touch_at(&m, a, b, WIDE) != ORACLE_APART;
        }
    }
}

void oracle_judge(const OracleDesign *design, const int *outcomes, const OracleMotion *motion,
                  OracleJudgement *out) {
    SetPointJudge set_points = {design, out};
    oracle_set_points(design, outcomes, judge_set_point, &set_points);
    for (int i = 0; i < design->action_count; i++) {
        if (design->actions[i].kind == ORACLE_CONNECT) {
            oracle_doubt(out, "a dock may not close");
        }
    }
    if (!motion->has_ended || design->most_time > 0) {
        oracle_doubt(out, "it goes on after what is looked at");
    }
    Judge j = {
        .design = design, .motion = motion, .out = out, .out_since = NAN, .release_ground = NAN};
    oracle_start(design, &j.state);
    allow_overlaps(&j);
    for (int i = 0; i < motion->sample_count; i++) {
        judge_sample(&j, i);
    }
}
