// SPDX-License-Identifier: Apache-2.0
// The pieces of a design and the base of each: one as the design says, or the first module of all.

#include "base/classes.h"
#include "base/codes/compose_codes.h"
#include "base/name_list.h"
#include "base/number.h"
#include "compose/builder_internal.h"
#include "compose/dock_reach.h"
#include "compose/dock_states.h"
#include "compose/mechanism.h"
#include "space/trigonometry.h"

#include <math.h>

// Longest lists and most reports about parts that are apart.
#define SHOWN_PARTS 6
#define SHOWN_ISLANDS 20

// No position is farther, in metres, and no angle larger, in radians.
#define FARTHEST 1e6

// Two bases agree if they put a link to the same place, but for what rounding by hand explains.
#define SAME_PLACE 1e-4 // metres and radians

// ---- islands

// The island that all modules of a part are on; -1 if they are on several, or there are none.
static int island_of(const SomBuilder *b, const int *island, int part) {
    const SomPart *p = &b->parts.data[part];
    for (int i = 1; i < p->module_count; i++) {
        if (island[p->first_module + i] != island[p->first_module]) {
            return -1;
        }
    }
    return p->module_count > 0 ? island[p->first_module] : -1;
}

// The largest parts that are wholly on an island: "'legs[1]', 'tail' (and 3 more)". Returns how
// many; the first one goes to `first`.
static int print_island(const SomBuilder *b, const int *island_parts, int on, SomText *out,
                        int *first) {
    SomNameList list = {.out = out, .max = SHOWN_PARTS};
    *first = 0;
    for (int i = 1; i < b->parts.count;) {
        if (island_parts[i] != on) {
            i = island_parts[i] >= 0 ? b->parts.data[i].end_part : i + 1;
            continue;
        }
        *first = list.count == 0 ? i : *first;
        som_name_list_add(&list, "'%.*s'", SOM_STR_ARG(b->parts.data[i].path));
        i = b->parts.data[i].end_part;
    }
    som_name_list_end(&list);
    return list.count;
}

// ---- where a piece without a base could be

static double size_of(const SomModuleType *type) {
    SomVec3 low = som_vec3(0, 0, 0), high = low;
    for (int i = 0; i < type->link_count; i++) {
        for (int k = 0; k < type->links[i].part_count; k++) {
            const SomShapePart *part = &type->links[i].parts[k];
            SomBounds bounds = som_shape_bounds(&part->shape, part->pose);
            low = som_vec3(fmin(low.x, bounds.low.x), fmin(low.y, bounds.low.y),
                           fmin(low.z, bounds.low.z));
            high = som_vec3(fmax(high.x, bounds.high.x), fmax(high.y, bounds.high.y),
                            fmax(high.z, bounds.high.z));
        }
    }
    return som_vec3_length(som_vec3_sub(high, low));
}

// So far along x that nothing of the pieces before is there, however they are folded.
static double free_place(const SomBuilder *b, const int *island, int piece) {
    double far = 0, length = 0;
    for (int i = 0; i < b->bases.count; i++) {
        far = fmax(far, b->bases.data[i].position.x);
    }
    for (int i = 0; i < b->modules.count; i++) {
        length += island[i] <= piece ? size_of(b->modules.data[i].type) : 0;
    }
    return ceil((far + length) * 10) / 10;
}

// The statement that gives an island a base, as a fix-it.
static void offer_base(const SomBuilder *b, const int *island, int piece) {
    SomStr path = b->modules.data[piece].path;
    if (b->base_spot.source1 == 0 || path.length == 0) {
        return;
    }
    SomText text = {0};
    som_text_printf(&text, "\n    base %.*s at (", SOM_STR_ARG(path));
    som_text_number(&text, free_place(b, island, piece));
    som_text_add(&text, SOM_STR("m, 0m, 0m) on ground"));
    som_fix(b->diags, b->base_spot, som_text_str(&text));
    som_text_free(&text);
}

// Islands without a base, but for the first.
static void report_islands(SomBuilder *b, const int *island, const int *base1) {
    int *island_parts = som_alloc(sizeof *island_parts * (size_t)b->parts.count);
    for (int i = 0; i < b->parts.count; i++) {
        island_parts[i] = island_of(b, island, i);
    }
    SomText main_parts = {0}, apart = {0};
    int part = 0, looked_at = 0, reported = 0;
    print_island(b, island_parts, 0, &main_parts, &part);
    for (int i = 1; i < b->modules.count && looked_at < 10 * SHOWN_ISLANDS; i++) {
        if (island[i] != i || base1[i] > 0 || reported == SHOWN_ISLANDS) {
            continue;
        }
        looked_at++;
        som_text_clear(&apart);
        int count = print_island(b, island_parts, i, &apart, &part);
        SomSpan span = b->parts.data[part].span;
        if (som_builder_is_new(b, SOM_PARTS_APART, span)) {
            som_report(b->diags, SOM_PARTS_APART, span,
                       "%s %s not connected with %s and %s no base", apart.data,
                       count > 1 ? "are" : "is", main_parts.data, count > 1 ? "have" : "has");
            offer_base(b, island, i);
            reported++;
        }
    }
    som_text_free(&main_parts);
    som_text_free(&apart);
    som_free(island_parts);
}

// ---- the pieces

// The island of each module: its first one. Connections that were refused join, too: their mistake
// is said already.
static int *find_islands(const SomBuilder *b) {
    int *island = som_alloc(sizeof *island * (size_t)(b->modules.count + 1));
    som_classes_reset(island, b->modules.count);
    for (int i = 0; i < b->connects.count; i++) {
        if (!som_builder_is_open(b, i)) {
            som_classes_join(island, b->connects.data[i].module_a, b->connects.data[i].module_b);
        }
    }
    for (int i = 0; i < b->modules.count; i++) {
        island[i] = som_classes_find(island, i);
    }
    return island;
}

static void report_base_twice(SomBuilder *b, const SomBaseDef *first, const SomBaseDef *second) {
    if (som_builder_is_new(b, SOM_BASE_TWICE, second->span)) {
        som_report(b->diags, SOM_BASE_TWICE, second->span,
                   "'%.*s' is connected with '%.*s', which has a base already",
                   SOM_STR_ARG(b->modules.data[second->module].path),
                   SOM_STR_ARG(b->modules.data[first->module].path));
        som_note(b->diags, first->span, "the first one is here");
    }
}

static bool is_near(double x) {
    return fabs(x) <= FARTHEST;
}

static bool is_placeable(SomVec3 position, SomVec3 turn) {
    return is_near(position.x) && is_near(position.y) && is_near(position.z) && is_near(turn.x) &&
           is_near(turn.y) && is_near(turn.z);
}

// A number that is too large is replaced, once it is reported.
static void check_place(SomBuilder *b, SomBaseDef *def) {
    if (!is_placeable(def->position, def->turn)) {
        if (som_builder_is_new(b, SOM_NOT_FINITE, def->span)) {
            som_report(b->diags, SOM_NOT_FINITE, def->span, "the base is out of this world");
        }
        def->position = def->turn = som_vec3(0, 0, 0);
    }
    if (def->is_on_ground && def->position.z != 0 &&
        som_builder_is_new(b, SOM_HEIGHT_ON_GROUND, def->span)) {
        som_report(b->diags, SOM_HEIGHT_ON_GROUND, def->span,
                   "on the ground, the height of the base is found from its shapes: z must be 0");
    }
}

void som_builder_find_pieces(SomBuilder *b) {
    int *island = find_islands(b);
    int *base1 = som_alloc(sizeof *base1 * (size_t)(b->modules.count + 1)); // of an island, from 1
    for (int i = 0; i < b->bases.count; i++) {
        SomBaseDef *def = &b->bases.data[i];
        check_place(b, def);
        int *own = &base1[island[def->module]];
        const SomBaseDef *first = *own > 0 ? &b->bases.data[*own - 1] : NULL;
        if (first == NULL) {
            *own = i + 1;
        } else if (first->is_fixed && def->is_fixed && first->module != def->module) {
            som_array_push(&b->more_bases, i);
        } else {
            report_base_twice(b, first, def);
        }
    }
    bool is_complete = true;
    for (int i = 0; i < b->modules.count; i++) {
        if (island[i] == i) {
            som_array_push(&b->piece_bases, base1[i] - 1);
            is_complete = is_complete && (i == 0 || base1[i] > 0);
            som_array_push(&b->piece_modules, i);
        }
    }
    if (!is_complete) {
        report_islands(b, island, base1);
    }
    som_free(base1);
    som_free(island);
}

static SomBase base_of(const SomBuilder *b, const SomBaseDef *def) {
    const SomModuleType *type = b->modules.data[def->module].type;
    SomBase base = {.module = def->module,
                    .frame = def->frame,
                    .link = def->frame < 0 ? type->root : type->frames[def->frame].link,
                    .is_on_ground = def->is_on_ground,
                    .is_fixed = def->is_fixed,
                    .span = def->span};
    base.placement.rotation = som_mat3_multiply(
        som_rotation_z(def->turn.z),
        som_mat3_multiply(som_rotation_y(def->turn.y), som_rotation_x(def->turn.x)));
    base.placement.position = def->position;
    SomPose frame = def->frame < 0 ? som_pose_identity() : type->frames[def->frame].pose;
    base.link_pose = som_pose_compose(base.placement, som_pose_invert(frame));
    return base;
}

SomBase som_builder_base_of(SomBuilder *b, int piece) {
    bool has_others = b->piece_bases.count > 1; // with which it must agree on heights
    SomBaseDef def = {
        .module = b->piece_modules.data[piece], .frame = -1, .is_on_ground = has_others};
    int given = b->piece_bases.data[piece];
    return base_of(b, given >= 0 ? &b->bases.data[given] : &def);
}

// ---- several fixed bases

// Does a DoF move one link against the other?
static bool moves_between(const SomMechanism *m, int a, int b) {
    bool moves = false;
    for (int from = 0; from < 2; from++) {
        for (int link = from == 0 ? a : b; link >= 0; link = m->links[link].parent) {
            moves = moves || m->links[link].dof >= 0;
        }
    }
    return moves;
}

static void report_fixed(SomBuilder *b, const SomMechanism *m, const SomPose *links,
                         const SomBase *first, const SomBase *second) {
    int link = som_mechanism_link_of(m, second->module, second->link);
    SomPose wanted = second->link_pose;
    wanted.position.z = second->is_on_ground ? links[link].position.z : wanted.position.z;
    SomPose off = som_pose_relative(links[link], wanted);
    SomGap gap = {som_vec3_length(off.position),
                  som_rotation_distance(som_mat3_identity(), off.rotation)};
    bool moves = moves_between(m, som_mechanism_link_of(m, first->module, first->link), link);
    SomCode code = som_gap_size(gap) > SAME_PLACE ? SOM_BASES_CONTRADICT
                   : moves                        ? SOM_FIXED_TWICE
                                                  : SOM_FIXED_AGAIN;
    SomStr path = b->modules.data[second->module].path;
    SomStr other = b->modules.data[first->module].path;
    if (!som_builder_is_new(b, code, second->span)) {
        return;
    }
    if (code == SOM_BASES_CONTRADICT) {
        SomText text = {0};
        som_gap_print(gap, &text);
        som_report(b->diags, code, second->span,
                   "'%.*s' cannot be fixed here: fixed at '%.*s', the piece has it %s away",
                   SOM_STR_ARG(path), SOM_STR_ARG(other), text.data);
        som_text_free(&text);
    } else if (code == SOM_FIXED_TWICE) {
        som_report(b->diags, code, second->span,
                   "joints between '%.*s' and '%.*s', both fixed, would close a loop through the "
                   "world",
                   SOM_STR_ARG(other), SOM_STR_ARG(path));
    } else {
        som_report(b->diags, code, second->span, "'%.*s' is fixed already, by '%.*s'",
                   SOM_STR_ARG(path), SOM_STR_ARG(other));
    }
    som_note(b->diags, first->span, "the first one is here");
}

// Docks of two fixed pieces whose connectors never meet.
static void check_reach(SomBuilder *b, const SomMechanism *m, const SomPose *links) {
    for (int i = 0; i < m->configuration->dock_count; i++) {
        const SomDock *dock = &m->configuration->docks[i];
        double least = som_dock_least_distance(m, links, i);
        if (least > som_dock_reach(m->configuration, dock) &&
            som_builder_is_new(b, SOM_DOCK_OUT_OF_REACH, dock->span)) {
            SomText text = {0};
            som_text_rounded(&text, least * 1000, 4);
            som_report(b->diags, SOM_DOCK_OUT_OF_REACH, dock->span,
                       "the connectors of '%.*s' stay at least %s mm apart, whatever the joints do",
                       SOM_STR_ARG(dock->path), text.data);
            som_text_free(&text);
        }
    }
}

void som_builder_check_fixed(SomBuilder *b, const SomConfiguration *c) {
    int fixed = 0;
    for (int i = 0; i < c->base_count; i++) {
        fixed += c->bases[i].is_fixed;
    }
    if (b->more_bases.count == 0 && (fixed < 2 || c->dock_count == 0)) {
        return;
    }
    SomMechanism *m = som_mechanism_create(c);
    SomPosture start = som_posture_start(c);
    SomPose *links = som_alloc(sizeof *links * (size_t)m->link_count);
    som_mechanism_place(m, &start, links);
    for (int i = 0; i < b->more_bases.count; i++) {
        SomBase base = base_of(b, &b->bases.data[b->more_bases.data[i]]);
        int piece = m->links[som_mechanism_link_of(m, base.module, base.link)].piece;
        report_fixed(b, m, links, &c->bases[piece], &base);
    }
    check_reach(b, m, links);
    som_free(links);
    som_posture_free(&start);
    som_mechanism_destroy(m);
}
