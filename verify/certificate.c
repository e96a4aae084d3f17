// SPDX-License-Identifier: Apache-2.0

#include "verify/certificate.h"

#include "verify/certificate_internal.h"

#include <assert.h>
#include <stdlib.h>

// How many measured distances a pair keeps: motions come back to where they were, and a pair with
// one joint between its links is soon done with.
#define FEW_JOINTS 2
#define MANY_ANCHORS 32
#define FEW_ANCHORS 6

// Joints between two links that make measuring twice the work, and numbers of anchors and pieces of
// overlaps that are kept at most: 128 MiB and 48 MiB.
#define MANY_JOINTS 8
#define MOST_KEPT ((size_t)1 << 24)
#define MOST_PIECES (1 << 20)

// ---- tracks

static int anchors_of(const SomMotionPath *path) {
    return path->count <= FEW_JOINTS ? MANY_ANCHORS : FEW_ANCHORS;
}

// What was measured once: the distance, the gap along its normal, the values of the joints of the
// path, and how much each of them counts for the gap.
typedef struct Anchor {
    double *distance, *gap, *values, *weights;
} Anchor;

static size_t anchor_size(const SomMotionPath *path) {
    return (size_t)(2 * path->count + 2);
}

static Anchor anchor_at(const SomTrack *track, int index) {
    double *data = track->anchors + (size_t)index * anchor_size(&track->path);
    return (Anchor){data, data + 1, data + 2, data + 2 + track->path.count};
}

static unsigned hash_of(int a, int b) {
    unsigned h = (unsigned)a * 2654435761U + (unsigned)b * 2246822519U;
    return h ^ (h >> 15);
}

static int *find_slot(const SomCertifier *q, int a, int b) {
    unsigned mask = (unsigned)q->table_size - 1;
    for (unsigned at = hash_of(a, b) & mask;; at = (at + 1) & mask) {
        int track1 = q->table[at];
        if (track1 == 0) {
            return &q->table[at];
        }
        const SomMotionPath *path = &q->tracks.data[track1 - 1].path;
        if (path->link_a == a && path->link_b == b) {
            return &q->table[at];
        }
    }
}

static void grow_table(SomCertifier *q) {
    som_free(q->table);
    q->table_size = q->table_size == 0 ? 1024 : 2 * q->table_size;
    q->table = som_alloc(sizeof *q->table * (size_t)q->table_size);
    for (int i = 0; i < q->tracks.count; i++) {
        const SomMotionPath *path = &q->tracks.data[i].path;
        *find_slot(q, path->link_a, path->link_b) = i + 1;
    }
}

SomTrack *som_certifier_track(SomCertifier *q, int link_a, int link_b, double allowed,
                              bool is_near) {
    if (2 * (q->tracks.count + 1) > q->table_size) {
        grow_table(q);
    }
    int *slot = find_slot(q, link_a, link_b);
    if (*slot == 0) {
        int count = som_motion_path_count(q->tree, link_a, link_b);
        SomTrack track = {.allowed = allowed,
                          .except = som_pairs_except(q->def.pairs, link_a, link_b),
                          .is_near = is_near,
                          .deepest = -HUGE_VAL};
        som_motion_path(q->tree, link_a, link_b, som_arena_new(&q->arena, int, count + 1),
                        som_arena_new(&q->arena, double, count + 1), &track.path);
        q->kept += sizeof track / sizeof(double) + 2 * (size_t)(count + 1);
        som_array_push(&q->tracks, track);
        *slot = q->tracks.count;
    }
    return &q->tracks.data[*slot - 1];
}

// Most pairs are proven apart by a single one: there is room for more only when they are measured.
static void make_room(SomCertifier *q, SomTrack *track) {
    if (track->anchor_count < track->room || track->room == anchors_of(&track->path)) {
        return;
    }
    size_t size = anchor_size(&track->path), known = size * (size_t)track->room;
    track->room = track->room == 0 ? 1 : anchors_of(&track->path);
    double *anchors = som_arena_new(&q->arena, double, (int)size * track->room);
    if (known > 0) {
        memcpy(anchors, track->anchors, sizeof *anchors * known);
    }
    track->anchors = anchors;
    track->next_anchor = track->anchor_count;
    q->kept += size * (size_t)track->room;
}

static void keep_anchor(SomCertifier *q, SomTrack *track, const double *values, SomDistance found,
                        const SomPose *pose_a, const SomPose *pose_b) {
    const SomMotionPath *path = &track->path;
    const SomLinkSolid *const *solids = q->def.pairs->solids;
    make_room(q, track);
    Anchor anchor = anchor_at(track, track->next_anchor);
    *anchor.distance = found.distance;
    *anchor.gap =
        som_solid_gap(solids[path->link_a], pose_a, solids[path->link_b], pose_b, found.normal);
    memcpy(anchor.values, values, sizeof *values * (size_t)path->count);
    som_motion_weights(q->tree, path, q->axes, found.normal, anchor.weights);
    int most = anchors_of(path);
    track->proof = track->next_anchor;
    track->next_anchor = (track->next_anchor + 1) % most;
    track->anchor_count += track->anchor_count < most;
}

// Measures the pair, keeps it as an anchor and tells the distance; above the limit, a lower bound.
static double measure(SomCertifier *q, SomTrack *track, const double *values, double place) {
    SomPose pose_a, pose_b;
    const SomMotionPath *path = &track->path;
    som_motion_poses(q->tree, path, values, &pose_a, &pose_b, q->axes);
    double level = track->is_near ? 0 : som_certifier_level(q);
    double limit = fmax(level, 0) + 0.02;
    const SomLinkSolid *const *solids = q->def.pairs->solids;
    SomDistance found =
        som_solid_distance_except(solids[path->link_a], &pose_a, solids[path->link_b], &pose_b,
                                  limit, &track->cache, track->except);
    q->out->queries++;
    q->work += 1 + path->count / MANY_JOINTS;
    keep_anchor(q, track, values, found, &pose_a, &pose_b);
    SomClearance *best = &q->out->clearance;
    if (!track->is_near && found.distance <= limit && found.distance < best->distance) {
        double first = path->count > 0 ? place : 0; // at rest they are so near from the start
        *best = (SomClearance){path->link_a, path->link_b, fmax(found.distance, 0),
                               som_motion_time(&q->def.motion, first)};
    }
    return found.distance;
}

// ---- looking

double som_certifier_level(const SomCertifier *q) {
    return q->out->clearance.distance - q->def.tolerance;
}

bool som_certifier_is_over(const SomCertifier *q) {
    return q->work >= q->def.most_queries || q->kept >= MOST_KEPT ||
           q->pieces.count >= MOST_PIECES || som_stop_is_asked(q->def.stop);
}

// What is known of the distance between two places of a tick.
typedef struct Known {
    double low, high;
} Known;

static double larger(double a, double b) {
    return a > b ? a : b;
}

static void know(Known *known, const SomMotionPath *path, Anchor anchor, const double *from,
                 const double *to) {
    int n = path->count;
    double away = larger(som_motion_bound(anchor.weights, n, anchor.values, from),
                         som_motion_bound(anchor.weights, n, anchor.values, to));
    known->low = larger(known->low, *anchor.gap - away);
    if (*anchor.distance > *anchor.gap || *anchor.distance < 0) {
        double moved = larger(som_motion_bound(path->arms, n, anchor.values, from),
                              som_motion_bound(path->arms, n, anchor.values, to));
        known->low = larger(known->low, *anchor.distance - moved);
        known->high = fmin(known->high, *anchor.distance + moved);
    }
}

static void note_overlap(SomCertifier *q, const SomTrack *track, double from, double to,
                         double depth, double place) {
    SomOverlap piece = {track->path.link_a, track->path.link_b, from, to, depth, place};
    som_array_push(&q->pieces, piece);
}

static void leave(SomCertifier *q, const SomTrack *track, double from, double to) {
    SomUndecided left = {track->path.link_a, track->path.link_b, from, to};
    som_array_push(&q->left, left);
}

void som_certifier_leave(SomCertifier *q, int link_a, int link_b, double from) {
    SomUndecided left = {link_a, link_b, from, q->def.motion.sample_count - 1};
    som_array_push(&q->left, left);
}

// A piece of a tick: where it is, and the values at its ends.
typedef struct Piece {
    double from, to;
    const double *at_from, *at_to;
    bool is_noted; // as an overlap, only its depth is looked for
} Piece;

static double *scratch_at(SomCertifier *q, const SomTrack *track, int level) {
    return q->scratch + (size_t)level * (size_t)track->path.count;
}

static bool is_short(const SomCertifier *q, const Piece *piece) {
    const SomMotion *motion = &q->def.motion;
    return som_motion_time(motion, piece->to) - som_motion_time(motion, piece->from) <=
           q->def.resolution;
}

// Whether nothing is left to find out.
static bool is_settled(const SomCertifier *q, const SomTrack *track, const Piece *piece,
                       Known known) {
    if (piece->is_noted) {
        return -known.low <= fmax(track->deepest + q->def.tolerance, 1.01 * track->deepest);
    }
    if (!track->is_near && known.low < som_certifier_level(q)) {
        return false;
    }
    return known.low >= -track->allowed ||
           (known.low >= -track->allowed - SOM_CERTIFIED_DEPTH && is_short(q, piece));
}

// The same; depths are those of one overlap, which has ended where the two are apart.
static bool settles(const SomCertifier *q, SomTrack *track, const Piece *piece, Known known) {
    bool is_over = is_settled(q, track, piece, known);
    track->deepest = is_over && !piece->is_noted ? -HUGE_VAL : track->deepest;
    return is_over;
}

static void look(SomCertifier *q, SomTrack *track, Piece piece, int level);

// `depth` is that in the middle, of an overlap that may not have begun at the start of the first
// half.
static void bisect(SomCertifier *q, SomTrack *track, Piece piece, double middle,
                   const double *at_middle, double depth, int level) {
    Piece first = {piece.from, middle, piece.at_from, at_middle, piece.is_noted};
    Piece second = {middle, piece.to, at_middle, piece.at_to, piece.is_noted};
    look(q, track, first, level + 1);
    track->deepest = fmax(track->deepest, depth);
    look(q, track, second, level + 1);
}

// Levels of bisection: from a tick down to where places are the same.
#define MOST_LEVELS 64

// What the anchors tell, that of the last proof first; as soon as they settle it, no more are
// asked.
static Known recall(const SomCertifier *q, SomTrack *track, const Piece *piece) {
    Known known = {-HUGE_VAL, HUGE_VAL};
    for (int i = 0, at = track->proof; i < track->anchor_count; i++) {
        know(&known, &track->path, anchor_at(track, at), piece->at_from, piece->at_to);
        if (is_settled(q, track, piece, known)) {
            track->proof = at;
            break;
        }
        at = at > 0 ? at - 1 : track->anchor_count - 1;
    }
    return known;
}

// Measures in the middle, and notes what overlaps. Returns how deep they are in each other there.
static double look_at(SomCertifier *q, SomTrack *track, Piece *piece, const double *values,
                      double place, Known *known) {
    double distance = measure(q, track, values, place);
    know(known, &track->path, anchor_at(track, track->proof), piece->at_from, piece->at_to);
    if (distance < -track->allowed && !piece->is_noted) {
        piece->is_noted = known->high < -track->allowed || is_short(q, piece);
        note_overlap(q, track, piece->is_noted ? piece->from : place,
                     piece->is_noted ? piece->to : place, -distance, place);
    } else if (distance < -track->allowed && -distance > track->deepest) {
        note_overlap(q, track, place, place, -distance, place);
    }
    return -distance;
}

static void look(SomCertifier *q, SomTrack *track, Piece piece, int level) {
    Known known = recall(q, track, &piece);
    if (!piece.is_noted && known.high < -track->allowed) {
        note_overlap(q, track, piece.from, piece.to, -known.high, piece.from);
        piece.is_noted = true;
    }
    if (settles(q, track, &piece, known)) {
        return;
    }
    if (q->work >= q->def.most_queries || q->pieces.count >= MOST_PIECES || level >= MOST_LEVELS) {
        if (!piece.is_noted) {
            leave(q, track, piece.from, piece.to);
        }
        return;
    }
    double middle = piece.from + 0.5 * (piece.to - piece.from);
    double *at_middle = scratch_at(q, track, level);
    som_motion_values(q->tree, &track->path, middle, at_middle);
    double depth = look_at(q, track, &piece, at_middle, middle, &known);
    bool is_still = middle <= piece.from || middle >= piece.to;
    if (piece.is_noted) {
        track->deepest = fmax(track->deepest, depth);
    }
    if (!settles(q, track, &piece, known) && !is_still) {
        bisect(q, track, piece, middle, at_middle, depth, level);
    }
}

// Ticks from one place on for which the anchor of the last proof is one, one by one: where most of
// a motion is passed over. Ends at a sample, or at `to`.
static double pass_over(SomCertifier *q, SomTrack *track, double from, double to, double *values) {
    if (track->anchor_count == 0) {
        return from;
    }
    const SomMotionPath *path = &track->path;
    Anchor anchor = anchor_at(track, track->proof);
    double need =
        track->is_near ? -track->allowed : larger(-track->allowed, som_certifier_level(q));
    double room = *anchor.gap - need;
    som_motion_values(q->tree, path, from, values);
    if (som_motion_bound(anchor.weights, path->count, anchor.values, values) > room) {
        return from;
    }
    int last = (int)to, first = (int)from + 1;
    int stop =
        som_motion_first_beyond(q->tree, path, anchor.weights, anchor.values, room, first, last);
    double passed = stop > first ? stop - 1 : from;
    if (stop > last && to > last) {
        som_motion_values(q->tree, path, to, values);
        bool is_near = som_motion_bound(anchor.weights, path->count, anchor.values, values) <= room;
        passed = is_near ? to : passed;
    }
    return passed;
}

static void prepare_scratch(SomCertifier *q, int count) {
    if (q->scratch == NULL || q->scratch_size < count) {
        som_free(q->scratch);
        som_free(q->axes);
        q->scratch = som_alloc(sizeof *q->scratch * (size_t)(count + 1) * (MOST_LEVELS + 3));
        q->axes = som_alloc(sizeof *q->axes * (size_t)(count + 1));
        q->scratch_size = count;
    }
}

static void look_at_tick(SomCertifier *q, SomTrack *track, double from, double to) {
    double *at_from = scratch_at(q, track, MOST_LEVELS + 1);
    double *at_to = scratch_at(q, track, MOST_LEVELS + 2);
    som_motion_values(q->tree, &track->path, from, at_from);
    som_motion_values(q->tree, &track->path, to, at_to);
    look(q, track, (Piece){from, to, at_from, at_to, false}, 0);
}

void som_certifier_look(SomCertifier *q, SomTrack *track, double from, double to) {
    if (som_certifier_is_over(q)) {
        leave(q, track, from, to);
        return;
    }
    prepare_scratch(q, track->path.count);
    // an overlap also ends where nothing was looked at
    track->deepest = from > track->last ? -HUGE_VAL : track->deepest;
    track->last = to;
    if (track->path.count == 0) { // at rest against each other
        look_at_tick(q, track, from, to);
        return;
    }
    for (double place = from; place < to;) {
        double passed = pass_over(q, track, place, to, scratch_at(q, track, MOST_LEVELS + 1));
        if (passed > place) {
            track->deepest = -HUGE_VAL;
            place = passed;
        } else {
            double end = fmin(floor(place) + 1, to);
            look_at_tick(q, track, place, end);
            place = end;
        }
    }
}

// ---- what was found

static int by_links(const void *a, const void *b) {
    const SomOverlap *x = a, *y = b;
    if (x->link_a != y->link_a) {
        return (x->link_a > y->link_a) - (x->link_a < y->link_a);
    }
    if (x->link_b != y->link_b) {
        return (x->link_b > y->link_b) - (x->link_b < y->link_b);
    }
    return (x->t0 > y->t0) - (x->t0 < y->t0);
}

static int by_time(const void *a, const void *b) {
    const SomOverlap *x = a, *y = b;
    return x->t0 != y->t0 ? (x->t0 > y->t0) - (x->t0 < y->t0) : by_links(a, b);
}

// Of a piece, whose times are places.
static SomOverlap with_times(const SomCertifier *q, SomOverlap piece) {
    const SomMotion *motion = &q->def.motion;
    piece.t0 = som_motion_time(motion, piece.t0);
    piece.t1 = som_motion_time(motion, piece.t1);
    piece.depth_time = som_motion_time(motion, piece.depth_time);
    return piece;
}

// Joins pieces that follow each other. What is told of an overlap begins and ends with it.
static void join_overlaps(SomCertifier *q) {
    SomCertificate *out = q->out;
    if (q->pieces.count > 0) {
        qsort(q->pieces.data, (size_t)q->pieces.count, sizeof *q->pieces.data, by_links);
    }
    for (int i = 0; i < q->pieces.count; i++) {
        SomOverlap piece = with_times(q, q->pieces.data[i]);
        SomOverlap *last =
            out->overlaps.count == 0 ? NULL : &out->overlaps.data[out->overlaps.count - 1];
        if (last != NULL && last->link_a == piece.link_a && last->link_b == piece.link_b &&
            piece.t0 <= last->t1 + q->def.resolution) {
            last->t1 = fmax(last->t1, piece.t1);
            if (piece.depth > last->depth) {
                last->depth = piece.depth;
                last->depth_time = piece.depth_time;
            }
        } else {
            som_array_push(&out->overlaps, piece);
        }
    }
    if (out->overlaps.count > 0) {
        qsort(out->overlaps.data, (size_t)out->overlaps.count, sizeof *out->overlaps.data, by_time);
    }
    for (int i = 0; i < q->built.count; i++) {
        som_array_push(&out->built, with_times(q, q->built.data[i]));
    }
}

// Of those that overlap, the first that touch are nearest, at the time they do.
static void begin_clearance(SomCertifier *q) {
    SomCertificate *out = q->out;
    if (out->overlaps.count > 0) {
        const SomOverlap *o = &out->overlaps.data[0];
        out->clearance = (SomClearance){o->link_a, o->link_b, 0, o->t0};
    }
}

static int by_links_left(const void *a, const void *b) {
    const SomUndecided *x = a, *y = b;
    SomOverlap left = {.link_a = x->link_a, .link_b = x->link_b, .t0 = x->t0};
    SomOverlap right = {.link_a = y->link_a, .link_b = y->link_b, .t0 = y->t0};
    return by_links(&left, &right);
}

static void join_undecided(SomCertifier *q) {
    const SomMotion *motion = &q->def.motion;
    SomCertificate *out = q->out;
    if (q->left.count > 0) {
        qsort(q->left.data, (size_t)q->left.count, sizeof *q->left.data, by_links_left);
    }
    for (int i = 0; i < q->left.count; i++) {
        SomUndecided piece = q->left.data[i];
        piece.t0 = som_motion_time(motion, piece.t0);
        piece.t1 = som_motion_time(motion, piece.t1);
        SomUndecided *last =
            out->undecided.count == 0 ? NULL : &out->undecided.data[out->undecided.count - 1];
        if (last != NULL && last->link_a == piece.link_a && last->link_b == piece.link_b) {
            last->t1 = fmax(last->t1, piece.t1);
        } else {
            som_array_push(&out->undecided, piece);
        }
    }
}

static SomCertificateDef with_defaults(SomCertificateDef def) {
    def.resolution = def.resolution > 0 ? def.resolution : 5e-4;
    def.tolerance = def.tolerance > 0 ? def.tolerance : SOM_CERTIFIED_DISTANCE;
    def.reach = def.reach > 0 ? def.reach : SOM_CERTIFIED_REACH;
    def.most_queries = def.most_queries > 0 ? def.most_queries : 2000000;
    return def;
}

void som_certify(const SomCertificateDef *def, SomCertificate *out) {
    SomCertifier q = {.def = with_defaults(*def), .out = out};
    out->sane_samples = som_motion_sane_samples(&def->motion);
    out->clearance = (SomClearance){-1, -1, q.def.reach, 0};
    if (out->sane_samples == 0) {
        return;
    }
    q.def.motion.sample_count = out->sane_samples;
    q.tree = som_motion_tree_create(def->pairs->mechanism, def->pairs->solids, &q.def.motion);
    som_certifier_run_front(&q);
    join_overlaps(&q);
    begin_clearance(&q);
    join_undecided(&q);
    out->pairs = q.tracks.count;
    out->end = som_motion_time(&q.def.motion, q.end);
    out->is_whole = q.is_whole;
    som_motion_tree_destroy(q.tree);
    som_arena_free(&q.arena);
    som_array_free(&q.tracks);
    som_array_free(&q.pieces);
    som_array_free(&q.built);
    som_array_free(&q.left);
    som_free(q.table);
    som_free(q.scratch);
    som_free(q.axes);
}

void som_certificate_free(SomCertificate *certificate) {
    som_array_free(&certificate->overlaps);
    som_array_free(&certificate->built);
    som_array_free(&certificate->undecided);
}
