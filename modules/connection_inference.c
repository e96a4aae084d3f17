// SPDX-License-Identifier: Apache-2.0

#include "modules/connection_inference.h"

#include "base/codes/modules_codes.h"
#include "base/memory.h"
#include "space/trigonometry.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

// Lengths that must agree do so to this part of the larger of them and 1; links may sink into each
// other by DEEPEST metres.
#define EXACT 1e-9
#define DEEPEST 1e-6

// Free booleans that conditions may ask for on one pair of connectors.
#define MAX_FREE 12

// What keeping a mating counts for.
#define MATING_STEPS 50

typedef struct FreeProperty {
    SomTermKind side;
    SomStr name;
} FreeProperty;

typedef struct Search {
    const SomConnectionRule *rule;
    SomDiagnostics *diags;
    uint64_t *steps_left;
    FreeProperty free[MAX_FREE]; // booleans without a value, of the pair at hand
    int free_count;
    SomVec3 on_a[SOM_MAX_CORRESPONDENCES + 1];
    SomVec3 on_b[SOM_MAX_CORRESPONDENCES + 1];
    SomMating mating; // being built
    SOM_ARRAY(SomMating) matings;
    int block;      // where the matings of the pair at hand begin
    int left_out;   // ways that would put one link into the other
    double miss;    // smallest difference of lengths that nearly agree
    bool is_loose;  // of the pair at hand, some choice of marks fixes nothing
    bool was_loose; // so was a pair of which no choice did
    bool is_over;   // something was reported that ends the search
} Search;

static const SomConnector *connector_a(const Search *s) {
    return &s->rule->a->connectors[s->mating.a];
}

static const SomConnector *connector_b(const Search *s) {
    return &s->rule->b->connectors[s->mating.b];
}

static bool take_step(Search *s) {
    if (s->is_over) {
        return false;
    }
    if (*s->steps_left == 0) {
        som_report(s->diags, SOM_M3L_TOO_MUCH, s->rule->span,
                   "the ways to mate for '%.*s' are too many to try", SOM_STR_ARG(s->rule->name));
        s->is_over = true;
        return false;
    }
    --*s->steps_left;
    return true;
}

// ---- properties

static const SomProperty *find_property(const SomConnector *connector, SomStr name) {
    for (int i = 0; i < connector->property_count; i++) {
        if (som_str_equal(connector->properties[i].name, name)) {
            return &connector->properties[i];
        }
    }
    return NULL;
}

static const SomProperty *property_of(const Search *s, const SomTerm *term) {
    switch (term->kind) {
    case SOM_TERM_LITERAL:
        return &term->literal;
    case SOM_TERM_A:
        return find_property(connector_a(s), term->name);
    case SOM_TERM_B:
        return find_property(connector_b(s), term->name);
    }
    return NULL;
}

// The number of the free boolean a term asks for; -1 if it asks for none.
static int find_free(const Search *s, const SomTerm *term) {
    for (int i = 0; i < s->free_count; i++) {
        if (s->free[i].side == term->kind && som_str_equal(s->free[i].name, term->name)) {
            return i;
        }
    }
    return -1;
}

static void collect_free(Search *s, const SomTerm *term) {
    const SomProperty *property = property_of(s, term);
    if (property == NULL || property->kind != SOM_PROPERTY_ANY_BOOL || find_free(s, term) >= 0 ||
        s->is_over) {
        return;
    }
    if (s->free_count == MAX_FREE) {
        som_report(s->diags, SOM_M3L_TOO_MUCH, s->rule->span,
                   "conditions of '%.*s' ask for more than %d properties that are [bool]",
                   SOM_STR_ARG(s->rule->name), MAX_FREE);
        s->is_over = true;
        return;
    }
    s->free[s->free_count++] = (FreeProperty){term->kind, term->name};
}

static bool get_value(const Search *s, const SomTerm *term, unsigned valuation,
                      SomProperty *value) {
    const SomProperty *property = property_of(s, term);
    if (property == NULL) {
        return false;
    }
    *value = *property;
    if (property->kind == SOM_PROPERTY_ANY_BOOL) {
        value->kind = SOM_PROPERTY_BOOL;
        value->number = valuation >> find_free(s, term) & 1;
    }
    return true;
}

static bool are_equal(const Search *s, const SomClause *clause, unsigned valuation) {
    SomProperty left, right;
    if (!get_value(s, &clause->left, valuation, &left) ||
        !get_value(s, &clause->right, valuation, &right) || left.kind != right.kind) {
        return false;
    }
    return left.kind == SOM_PROPERTY_TEXT ? som_str_equal(left.text, right.text)
                                          : left.number == right.number;
}

static bool holds(Search *s, int index, unsigned valuation) {
    const SomClause *clause = &s->rule->clauses[index];
    if (!take_step(s)) {
        return false;
    }
    switch (clause->kind) {
    case SOM_CLAUSE_EQUAL:
        return are_equal(s, clause, valuation);
    case SOM_CLAUSE_NOT_EQUAL:
        return !are_equal(s, clause, valuation);
    case SOM_CLAUSE_NOT:
        return !holds(s, clause->first_child, valuation);
    case SOM_CLAUSE_AND:
    case SOM_CLAUSE_OR:
        break;
    }
    bool is_or = clause->kind == SOM_CLAUSE_OR;
    for (int child = clause->first_child; child >= 0; child = s->rule->clauses[child].next) {
        if (holds(s, child, valuation) == is_or) {
            return is_or;
        }
    }
    return !is_or;
}

// Is there a choice of the free booleans with which all conditions hold?
static bool can_satisfy(Search *s) {
    if (s->rule->clause_count == 0) {
        return true;
    }
    s->free_count = 0;
    for (int i = 0; i < s->rule->clause_count; i++) {
        const SomClause *clause = &s->rule->clauses[i];
        if (!take_step(s)) {
            return false;
        }
        if (clause->kind == SOM_CLAUSE_EQUAL || clause->kind == SOM_CLAUSE_NOT_EQUAL) {
            collect_free(s, &clause->left);
            collect_free(s, &clause->right);
        }
    }
    for (unsigned valuation = 0; !s->is_over && valuation < 1u << s->free_count; valuation++) {
        if (holds(s, 0, valuation)) {
            return true;
        }
    }
    return false;
}

// ---- transformations

static double distance(SomVec3 a, SomVec3 b) {
    return som_vec3_length(som_vec3_sub(a, b));
}

// A right-handed frame from three points that are not on one line.
static SomMat3 frame_of(SomVec3 p, SomVec3 q, SomVec3 r) {
    SomVec3 x = som_vec3_sub(q, p);
    x = som_vec3_scale(1 / som_vec3_length(x), x);
    SomVec3 z = som_vec3_cross(x, som_vec3_sub(r, p));
    z = som_vec3_scale(1 / som_vec3_length(z), z);
    SomVec3 y = som_vec3_cross(z, x);
    return (SomMat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

// The two points that with the first one span the largest triangle among those with the farthest
// point; false if all are on one line.
static bool find_triangle(const SomVec3 *points, int count, int *second, int *third) {
    double farthest = 0, largest = 0;
    for (int i = 1; i < count; i++) {
        double d = distance(points[i], points[0]);
        if (d > farthest * (1 + EXACT)) {
            farthest = d;
            *second = i;
        }
    }
    if (!(farthest > 0)) {
        return false;
    }
    for (int i = 1; i < count; i++) {
        SomVec3 u = som_vec3_sub(points[*second], points[0]);
        SomVec3 v = som_vec3_sub(points[i], points[0]);
        double area = som_vec3_length(som_vec3_cross(u, v));
        if (area > largest * (1 + EXACT)) {
            largest = area;
            *third = i;
        }
    }
    return largest > 1e-6 * farthest * farthest;
}

static bool find_transform(Search *s, int count) {
    int second = 0, third = 0;
    if (!find_triangle(s->on_a, count, &second, &third)) {
        s->is_loose = true;
        return false;
    }
    SomMat3 fa = frame_of(s->on_a[0], s->on_a[second], s->on_a[third]);
    SomMat3 fb = frame_of(s->on_b[0], s->on_b[second], s->on_b[third]);
    SomPose t = {.rotation = som_mat3_multiply(fa, som_mat3_transpose(fb))};
    t.position = som_vec3_sub(s->on_a[0], som_mat3_apply(t.rotation, s->on_b[0]));
    // points that are mirrored, not turned, fit all distances but no transformation
    double scale = 1 + distance(s->on_a[second], s->on_a[0]);
    for (int i = 0; i < count; i++) {
        if (!(distance(som_pose_apply(t, s->on_b[i]), s->on_a[i]) <= EXACT * scale)) {
            return false;
        }
    }
    s->mating.transform = t;
    return true;
}

// ---- what is left out

static double reach(const SomModuleType *type, const SomConnector *connector, SomVec3 outward) {
    double here = som_vec3_dot(outward, connector->position);
    return fmax(som_module_link_extent(&type->links[connector->link], outward) - here, 0);
}

// The plane of a connector must part the two links. Where a link reaches beyond the plane of its
// own connector, the other may come as much nearer.
static bool links_overlap(const Search *s) {
    const SomConnector *ca = connector_a(s), *cb = connector_b(s);
    SomPose t = s->mating.transform;
    bool is_turned = !ca->has_frame;
    if (is_turned && !cb->has_frame) {
        return false; // which side is outside is unknown, and was reported
    }
    const SomConnector *near = is_turned ? cb : ca, *far = is_turned ? ca : cb;
    const SomModuleType *near_type = is_turned ? s->rule->b : s->rule->a;
    const SomModuleType *far_type = is_turned ? s->rule->a : s->rule->b;
    t = is_turned ? som_pose_invert(t) : t;
    if (ca->has_out && cb->has_out) { // given, so the links may reach where they like
        SomVec3 out_b = som_pose_rotate(t, som_pose_rotate(cb->frame, som_vec3(1, 0, 0)));
        return som_vec3_dot(som_pose_rotate(ca->frame, som_vec3(1, 0, 0)), out_b) > 0;
    }
    SomVec3 outward = som_pose_rotate(near->frame, som_vec3(1, 0, 0));
    SomVec3 back = som_vec3_scale(-1, som_pose_rotate_inverse(t, outward));
    double deepest = som_module_link_extent(&far_type->links[far->link], back) -
                     som_vec3_dot(back, far->position);
    double allowed = DEEPEST + reach(near_type, near, outward);
    if (far->has_frame) {
        allowed += reach(far_type, far, som_pose_rotate(far->frame, som_vec3(1, 0, 0)));
    }
    return isfinite(deepest) && deepest > allowed;
}

// b.frame = a.frame Rz(pi) Rx(roll)
static double find_roll(const Search *s) {
    const SomConnector *ca = connector_a(s), *cb = connector_b(s);
    if (!ca->has_frame || !cb->has_frame) {
        return (double)NAN;
    }
    SomPose b = som_pose_compose(s->mating.transform, cb->frame);
    SomMat3 w = som_pose_relative(ca->frame, b).rotation;
    if (w.m[0][0] > -1 + 1e-6) {
        return (double)NAN;
    }
    double roll = som_atan2(w.m[1][2], w.m[2][2]);
    double quarters = round(roll / (SOM_PI / 2));
    if (fabs(roll - quarters * (SOM_PI / 2)) < EXACT) {
        roll = quarters * (SOM_PI / 2);
    }
    return roll < 0 ? roll + 2 * SOM_PI : roll;
}

static bool offers(const SomConnector *connector, double roll) {
    for (int i = 0; i < connector->angle_count; i++) {
        double turns = (roll - connector->angles[i]) / (2 * SOM_PI);
        if (fabs(turns - round(turns)) < 1e-7) {
            return true;
        }
    }
    return connector->angle_count == 0;
}

static bool is_known(Search *s) {
    for (int i = s->block; i < s->matings.count; i++) {
        if (!take_step(s) ||
            som_pose_distance(s->matings.data[i].transform, s->mating.transform) < EXACT) {
            return true;
        }
    }
    return false;
}

static void finish_mating(Search *s, int count) {
    if (!find_transform(s, count)) {
        return;
    }
    if (links_overlap(s)) {
        s->left_out++;
        return;
    }
    if (is_known(s)) {
        return;
    }
    s->mating.roll = find_roll(s);
    if (!offers(connector_a(s), s->mating.roll) || !offers(connector_b(s), s->mating.roll)) {
        return;
    }
    if (s->matings.count == SOM_MAX_MATINGS) {
        som_report(s->diags, SOM_M3L_TOO_MUCH, s->rule->span,
                   "'%.*s' has more than %d ways to mate", SOM_STR_ARG(s->rule->name),
                   SOM_MAX_MATINGS);
        s->is_over = true;
        return;
    }
    som_array_push(&s->matings, s->mating);
    // a mating takes memory, which the steps also limit
    *s->steps_left -= *s->steps_left < MATING_STEPS ? *s->steps_left : MATING_STEPS;
}

// ---- the search

// All distances among the points chosen so far agree.
static bool fits(Search *s, int count) {
    for (int i = 0; i < count - 1; i++) {
        double a = distance(s->on_a[count - 1], s->on_a[i]);
        double b = distance(s->on_b[count - 1], s->on_b[i]);
        if (!(fabs(a - b) <= EXACT * (1 + a))) {
            s->miss = fabs(a - b) < SOM_NEAR_MISS * a ? fmin(s->miss, fabs(a - b)) : s->miss;
            return false;
        }
    }
    return true;
}

// Chooses marks for coincidence `depth`, then for those after it.
static void match_marks(Search *s, int depth) {
    if (depth == s->rule->coincidence_count) {
        finish_mating(s, depth + 1);
        return;
    }
    const SomCoincidence *coincidence = &s->rule->coincidences[depth];
    const SomConnector *ca = connector_a(s), *cb = connector_b(s);
    for (int i = 0; i < ca->mark_count; i++) {
        if (coincidence->mark_a.length > 0 &&
            !som_str_equal(coincidence->mark_a, ca->marks[i].name)) {
            continue;
        }
        for (int k = 0; k < cb->mark_count; k++) {
            if (coincidence->mark_b.length > 0 &&
                !som_str_equal(coincidence->mark_b, cb->marks[k].name)) {
                continue;
            }
            if (!take_step(s)) {
                return;
            }
            s->on_a[depth + 1] = ca->marks[i].position;
            s->on_b[depth + 1] = cb->marks[k].position;
            s->mating.matched[depth] = (short)(k + 1);
            s->mating.matched_a[depth] = (short)(i + 1);
            if (fits(s, depth + 2)) {
                match_marks(s, depth + 1);
            }
        }
    }
}

static int compare_marks(const short *a, const short *b) {
    for (int i = SOM_MAX_CORRESPONDENCES - 1; i >= 0; i--) {
        if (a[i] != b[i]) {
            return b[i] - a[i];
        }
    }
    return 0;
}

// From the largest to the smallest, the last correspondence first; where all marks of b agree,
// those of a decide, so that no two are equal.
static int compare_matched(const void *x, const void *y) {
    const SomMating *a = x, *b = y;
    int order = compare_marks(a->matched, b->matched);
    return order != 0 ? order : compare_marks(a->matched_a, b->matched_a);
}

// Once a rule: one pair that is not fixed is enough to see why.
static void report_loose(Search *s) {
    if (s->was_loose) {
        return;
    }
    s->was_loose = true;
    som_report(s->diags, SOM_M3L_UNDERDETERMINED, s->rule->span,
               "the conditions do not fix how '%.*s' of '%.*s' and '%.*s' of '%.*s' mate: all "
               "points that coincide are on one line",
               SOM_STR_ARG(connector_a(s)->name), SOM_STR_ARG(s->rule->a->name),
               SOM_STR_ARG(connector_b(s)->name), SOM_STR_ARG(s->rule->b->name));
}

static void search_pair(Search *s, int a, int b) {
    s->mating = (SomMating){.a = a, .b = b};
    s->block = s->matings.count;
    s->is_loose = false;
    if (!take_step(s) || !can_satisfy(s)) {
        return;
    }
    s->on_a[0] = connector_a(s)->position;
    s->on_b[0] = connector_b(s)->position;
    match_marks(s, 0);
    if (s->is_loose && s->matings.count == s->block) {
        report_loose(s);
    }
    if (s->matings.count - s->block > 1) {
        qsort(s->matings.data + s->block, (size_t)(s->matings.count - s->block),
              sizeof *s->matings.data, compare_matched);
    }
}

static void keep_matings(SomConnectionRule *rule, Search *s, SomArena *arena) {
    int pairs = rule->a->connector_count * rule->b->connector_count;
    SomMating *matings = som_arena_new(arena, SomMating, s->matings.count);
    int *first = som_arena_new(arena, int, pairs);
    int *count = som_arena_new(arena, int, pairs);
    for (int i = 0; i < s->matings.count; i++) {
        matings[i] = s->matings.data[i];
        int pair = matings[i].a * rule->b->connector_count + matings[i].b;
        first[pair] = count[pair]++ == 0 ? i : first[pair];
    }
    rule->matings = matings;
    rule->mating_count = s->matings.count;
    rule->left_out = s->left_out;
    rule->miss = s->miss;
    rule->first = first;
    rule->count = count;
}

void som_connection_rule_infer(SomConnectionRule *rule, uint64_t *steps_left, SomArena *arena,
                               SomDiagnostics *diags) {
    assert(rule->coincidence_count <= SOM_MAX_CORRESPONDENCES);
    Search search = {
        .rule = rule, .diags = diags, .steps_left = steps_left, .miss = (double)INFINITY};
    for (int a = rule->a->connector_count - 1; a >= 0; a--) {
        for (int b = rule->b->connector_count - 1; b >= 0; b--) {
            search_pair(&search, a, b);
        }
    }
    keep_matings(rule, &search, arena);
    som_array_free(&search.matings);
}
