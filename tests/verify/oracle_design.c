// SPDX-License-Identifier: Apache-2.0

#include "tests/verify/oracle_design.h"

#include <math.h>
#include <string.h>

#define FOREVER 40 // passes that are looked at

const OracleType *oracle_type(const OracleDesign *design, int part) {
    return &design->types[design->parts[part]];
}

void oracle_start(const OracleDesign *design, OracleState *state) {
    memset(state, 0, sizeof *state);
    memcpy(state->values, design->start, sizeof state->values);
    for (int i = 0; i < design->connection_count; i++) {
        const OracleConnection *c = &design->connections[i];
        state->is_closed[i] = !c->is_dock || c->is_closed;
    }
}

// ---- places

static SomTestMatrix joint_motion(const OracleJoint *j, double value) {
    const double *o = j->origin, *a = j->axis;
    if (j->type == ORACLE_FIXED) {
        return som_test_identity();
    }
    if (j->type == ORACLE_SLIDE) {
        return som_test_translate(value * a[0], value * a[1], value * a[2]);
    }
    SomTestMatrix turn = som_test_multiply(som_test_rotate(value, a[0], a[1], a[2]),
                                           som_test_translate(-o[0], -o[1], -o[2]));
    return som_test_multiply(som_test_translate(o[0], o[1], o[2]), turn);
}

typedef struct Walk {
    const OracleDesign *design;
    const OracleState *state;
    OraclePlaces *places;
    bool is_placed[ORACLE_PARTS];
} Walk;

// All links of a part, of which one is placed.
static void place_part(Walk *w, int part, int link) {
    const OracleType *type = oracle_type(w->design, part);
    SomTestMatrix *at = w->places->links[part];
    bool is_done[ORACLE_LINKS] = {0};
    is_done[link] = true;
    for (bool is_more = true; is_more;) {
        is_more = false;
        for (int i = 0; i < type->joint_count; i++) {
            const OracleJoint *j = &type->joints[i];
            double value = w->state->values[part][i];
            if (is_done[j->parent] && !is_done[j->child]) {
                at[j->child] = som_test_multiply(at[j->parent], joint_motion(j, value));
            } else if (is_done[j->child] && !is_done[j->parent]) {
                at[j->parent] = som_test_multiply(at[j->child], joint_motion(j, -value));
            } else {
                continue;
            }
            is_done[j->child] = is_done[j->parent] = is_more = true;
        }
    }
    w->is_placed[part] = true;
}

// The frame of a connector in the world.
static SomTestMatrix face_frame(const Walk *w, int part, int face) {
    const OracleFace *f = &oracle_type(w->design, part)->faces[face];
    return som_test_multiply(w->places->links[part][f->link], som_test_rpy(f->place));
}

static void hang(Walk *w, int from, int from_face, int part, int face) {
    const OracleFace *f = &oracle_type(w->design, part)->faces[face];
    w->places->links[part][f->link] =
        som_test_multiply(face_frame(w, from, from_face), som_test_invert(som_test_rpy(f->place)));
    place_part(w, part, f->link);
    w->places->piece[part] = w->places->piece[from];
}

// Everything that hangs on what is placed.
static void spread(Walk *w) {
    const OracleDesign *d = w->design;
    for (bool is_more = true; is_more;) {
        is_more = false;
        for (int i = 0; i < d->connection_count; i++) {
            const OracleConnection *c = &d->connections[i];
            if (!w->state->is_closed[i] || w->is_placed[c->part_a] == w->is_placed[c->part_b]) {
                continue;
            }
            if (w->is_placed[c->part_a]) {
                hang(w, c->part_a, c->face_a, c->part_b, c->face_b);
            } else {
                hang(w, c->part_b, c->face_b, c->part_a, c->face_a);
            }
            is_more = true;
        }
    }
}

static double widest_gap(const Walk *w) {
    double widest = 0;
    for (int i = 0; i < w->design->connection_count; i++) {
        const OracleConnection *c = &w->design->connections[i];
        if (w->state->is_closed[i]) {
            SomTestMatrix a = face_frame(w, c->part_a, c->face_a);
            SomTestMatrix b = face_frame(w, c->part_b, c->face_b);
            double x = a.m[0][3] - b.m[0][3], y = a.m[1][3] - b.m[1][3];
            widest = fmax(widest, hypot(hypot(x, y), a.m[2][3] - b.m[2][3]));
        }
    }
    return widest;
}

void oracle_place(const OracleDesign *design, OracleState *state, const OraclePlaces *before,
                  OraclePlaces *places) {
    Walk w = {.design = design, .state = state, .places = places};
    double turned[6] = {0, 0, 0, design->turned[0], design->turned[1], design->turned[2]};
    places->links[0][0] = som_test_rpy(turned);
    places->piece[0] = 0;
    place_part(&w, 0, 0);
    spread(&w);
    for (int pass = 0; pass < 2; pass++) { // anchors that there are, then new ones
        for (int i = 1; i < design->part_count; i++) {
            OracleAnchors *anchors = &state->anchors;
            if (w.is_placed[i]) {
                anchors->is_held[i] = pass == 0 ? false : anchors->is_held[i];
            } else if (anchors->is_held[i] || (pass == 1 && before != NULL)) {
                if (!anchors->is_held[i]) {
                    anchors->is_held[i] = true;
                    anchors->root[i] = before->links[i][0];
                }
                places->links[i][0] = anchors->root[i];
                places->piece[i] = i;
                place_part(&w, i, 0);
                spread(&w);
            }
        }
    }
    places->gap = widest_gap(&w);
}

// ---- what happens

int oracle_passes(const OracleAction *action, const int *outcomes) {
    if (action->kind == ORACLE_REPEAT_UNTIL) {
        return outcomes[action->sensor] == 0 ? action->count : outcomes[action->sensor];
    }
    return action->count == 0 ? FOREVER : action->count;
}

double oracle_sensed_after(const OracleAction *action, const int *outcomes) {
    static const double parts[ORACLE_OUTCOMES] = {1, 0.2, 0.6}; // of its time-out
    return parts[outcomes[action->sensor]] * action->timeout;
}

int oracle_chosen(const OracleDesign *design, const OracleAction *action, const int *outcomes) {
    int chosen = action->first;
    return outcomes[action->sensor] == 0 ? chosen : design->actions[chosen].next;
}

typedef struct SetPoints {
    const OracleDesign *design;
    const int *outcomes;
    double now[ORACLE_PARTS][ORACLE_JOINTS];
    OracleVisit *visit;
    void *context;
} SetPoints;

static void follow(SetPoints *s, int index) {
    const OracleAction *action = &s->design->actions[index];
    int passes = 1;
    switch (action->kind) {
    case ORACLE_TO:
    case ORACLE_TO_UNTIL:
    case ORACLE_BY: {
        double *now = &s->now[action->part][action->joint];
        *now = action->kind == ORACLE_BY ? *now + action->value : action->value;
        s->visit(s->context, action, *now);
        return;
    }
    case ORACLE_FOLLOW:
        s->visit(s->context, action, action->value);
        s->now[action->part][action->joint] = action->value / 2;
        return;
    case ORACLE_TO_CUT:
        s->visit(s->context, action, action->value);
        s->now[action->part][action->joint] = NAN;
        return;
    case ORACLE_SPIN:
        s->now[action->part][action->joint] = NAN;
        return;
    case ORACLE_CHOOSE: {
        int chosen = oracle_chosen(s->design, action, s->outcomes);
        if (chosen >= 0) {
            follow(s, chosen);
        }
        return;
    }
    case ORACLE_REPEAT:
    case ORACLE_REPEAT_UNTIL:
        passes = oracle_passes(action, s->outcomes);
        break;
    default:
        break;
    }
    for (int pass = 0; pass < passes; pass++) {
        for (int child = action->first; child >= 0; child = s->design->actions[child].next) {
            follow(s, child);
        }
    }
}

void oracle_set_points(const OracleDesign *design, const int *outcomes, OracleVisit *visit,
                       void *context) {
    SetPoints s = {design, outcomes, .visit = visit, .context = context};
    memcpy(s.now, design->start, sizeof s.now);
    follow(&s, 0);
}
