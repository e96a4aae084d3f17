// SPDX-License-Identifier: Apache-2.0
#include "linkage/abstraction.h"

#include "base/codes/linkage_codes.h"
#include "base/number.h"
#include "linkage/model_internal.h"
#include "linkage/solver.h"
#include "space/trigonometry.h"

#include <assert.h>

#define MOST_SAMPLES 2000
#define MOST_STEPS 150

// ---- making one

static SomJointId add_chain_joint(SomLinkage *l, const SomInterfaceJoint *from, SomLinkId parent,
                                  SomLinkId child, bool is_tree, SomDiagnostics *diags) {
    SomJointDef def = {.name = from->name,
                       .type = from->type,
                       .parent = parent,
                       .child = child,
                       .parent_frame = from->parent_frame,
                       .child_frame = from->child_frame,
                       .is_virtual = true,
                       .limits = from->limits};
    SomJointId joint = som_linkage_add_joint(l, &def, diags);
    if (joint.index1 == 0 || !is_tree) {
        return joint;
    }
    bool ok = som_linkage_make_tree(l, joint, diags);
    const SomJointTypeInfo *type = som_joint_type(from->type);
    for (int i = 0; i < type->dof_count && ok; i++) {
        ok = som_linkage_set_value(l, joint, type->dofs[i], from->value[type->dofs[i]], diags);
    }
    return ok ? joint : (SomJointId){0};
}

static void pass_on(const SomDiagnostics *from, bool only_errors, SomDiagnostics *to) {
    int count;
    const SomDiagnostic *all = som_diagnostics_get(from, &count);
    for (int i = 0; i < count; i++) {
        if (!only_errors || all[i].severity == SOM_ERROR) {
            som_report(to, all[i].code, all[i].span, "%.*s", SOM_STR_ARG(all[i].message));
        }
    }
}

// The virtual links and joints; a single joint gets a link that is fixed to the base.
static bool add_chain(SomLinkage *l, const SomAbstractionDef *def, SomSublinkageId part,
                      SomDiagnostics *diags) {
    SomText name = {0};
    som_text_printf(&name, "%.*s.base", SOM_STR_ARG(def->name));
    const SomInterfaceJoint fixed = {.name = som_text_str(&name), .type = SOM_JOINT_FIXED};
    int extra = def->joint_count == 1, count = def->joint_count + extra;
    SomLinkId parent = def->base;
    bool ok = true;
    for (int i = 0; i < count && ok; i++) {
        const SomInterfaceJoint *joint = i < extra ? &fixed : &def->joints[i - extra];
        SomLinkId child = def->tip;
        if (i < count - 1) {
            SomText link_name = {0};
            som_text_printf(&link_name, "%.*s.%d", SOM_STR_ARG(def->name), i + 1);
            SomLinkDef link = {
                .sublinkage = part, .name = som_text_str(&link_name), .is_virtual = true};
            child = som_linkage_add_link(l, &link, diags);
            som_text_free(&link_name);
            ok = child.index1 != 0;
        }
        SomDiagnostics *moves = som_diagnostics_create(); // moving new links is no news
        ok = ok &&
             add_chain_joint(l, joint, parent, child, i < count - 1, i < count - 1 ? moves : diags)
                     .index1 != 0;
        if (!ok) {
            pass_on(moves, true, diags);
        }
        som_diagnostics_destroy(moves);
        parent = child;
    }
    som_text_free(&name);
    return ok;
}

SomSublinkageId som_linkage_abstract(SomLinkage *l, const SomAbstractionDef *def,
                                     SomDiagnostics *diags) {
    SomSublinkageId none = {0};
    if (def->joint_count < 1) {
        som_report(diags, SOM_ABSTRACTION_EMPTY, (SomSpan){0}, "interface '%.*s' has no joints",
                   SOM_STR_ARG(def->name));
        return none;
    }
    for (int i = 0; i < def->link_count; i++) {
        if (def->links[i].index1 == def->base.index1 || def->links[i].index1 == def->tip.index1) {
            SomStr name = som_linkage_get_link(l, def->links[i]).name;
            som_report(diags, SOM_ABSTRACTION_END, (SomSpan){0},
                       "link '%.*s' cannot be both an end of interface '%.*s' and behind it",
                       SOM_STR_ARG(name), SOM_STR_ARG(def->name));
            return none;
        }
    }
    // so that a failure half way changes nothing, and nothing is told of it but why
    SomLinkage *draft = som_linkage_copy(l);
    SomDiagnostics *told = som_diagnostics_create();
    SomSublinkageId inside = som_linkage_encapsulate(draft, def->links, def->link_count,
                                                     def->inside_name, SOM_DRIVEN, told);
    SomSublinkageId front = none;
    if (inside.index1 != 0) {
        SomSublinkageId outer = som_linkage_get_sublinkage(draft, inside).parent;
        front = som_linkage_add_sublinkage(draft, outer, def->name, SOM_SIMULTANEOUS, told);
    }
    bool ok = front.index1 != 0 && add_chain(draft, def, front, told) &&
              som_linkage_nest(draft, inside, front, told);
    if (ok) {
        SomLinkage swap = *l;
        *l = *draft;
        *draft = swap;
    }
    som_linkage_destroy(draft);
    pass_on(told, !ok, diags);
    som_diagnostics_destroy(told);
    return ok ? front : none;
}

// ---- checking one

typedef struct Axis {
    SomJointId joint;
    int dof;
    double low, high;
} Axis;

typedef struct Checker {
    const SomLinkage *linkage;
    int part;
    SOM_ARRAY(Axis) axes;
    SOM_ARRAY(SomJointId) inner; // closures that touch the part behind
} Checker;

// Is a link in the interface itself, behind it, or neither?
static bool is_behind(const Checker *c, int link) {
    int part = c->linkage->links.data[link].part;
    return part != c->part && som_model_is_within(c->linkage, part, c->part);
}

static bool is_front(const Checker *c, int link) {
    return c->linkage->links.data[link].part == c->part;
}

static bool add_axes(Checker *c, int joint, SomDiagnostics *diags) {
    const Joint *j = &c->linkage->joints.data[joint];
    const SomJointTypeInfo *type = som_joint_type(j->type);
    for (int i = 0; i < type->dof_count; i++) {
        int d = type->dofs[i];
        bool is_limited = j->limits.limited >> d & 1;
        Axis axis = {som_model_joint_id(c->linkage, joint), d,
                     is_limited ? j->limits.low[d] : -SOM_PI,
                     is_limited ? j->limits.high[d] : SOM_PI};
        if ((d < 3 && !is_limited) || !isfinite(axis.low) || !isfinite(axis.high)) {
            som_report(diags, SOM_ABSTRACTION_UNBOUNDED, (SomSpan){0},
                       "joint '%.*s' has no limits for %.*s, so its positions cannot be sampled",
                       SOM_STR_ARG(som_model_joint_name(c->linkage, joint)),
                       SOM_STR_ARG(som_dof_name(d)));
            return false;
        }
        som_array_push(&c->axes, axis);
    }
    return true;
}

static bool collect(Checker *c, SomDiagnostics *diags) {
    const SomLinkage *l = c->linkage;
    for (int joint = 0; joint < l->joints.count; joint++) {
        const Joint *j = &l->joints.data[joint];
        if (!j->is_alive || j->is_root) {
            continue;
        }
        bool touches_inside = is_behind(c, j->link[PARENT]) || is_behind(c, j->link[CHILD]);
        if (touches_inside && !som_model_is_tree(l, joint)) {
            som_array_push(&c->inner, som_model_joint_id(l, joint));
        }
        if (!touches_inside && (is_front(c, j->link[PARENT]) || is_front(c, j->link[CHILD])) &&
            !add_axes(c, joint, diags)) {
            return false;
        }
    }
    return true;
}

// How far the closures of the part behind are open at worst.
static double inner_gap(const Checker *c, const SomLinkage *l) {
    double worst = 0;
    for (int i = 0; i < c->inner.count; i++) {
        double y[6], square = 0;
        som_linkage_coordinates(l, c->inner.data[i], y);
        const Joint *j = &l->joints.data[som_model_joint(l, c->inner.data[i])];
        for (int d = 0; d < 6; d++) {
            bool is_free = som_joint_type_frees(j->type, d);
            double over = fabs(som_model_excess(&j->limits, d, y[d]));
            square += is_free ? (over > SOM_SOLVER_REACHED ? over * over : 0) : y[d] * y[d];
        }
        worst = fmax(worst, sqrt(square));
    }
    return worst;
}

// Moves the interface to a sample, from where the linkage is, in a few strides.
static double approach(const Checker *c, SomSolver *solver, SomLinkage *l, const double *sample,
                       int strides) {
    for (int k = 1; k <= strides; k++) {
        for (int i = 0; i < c->axes.count; i++) {
            double y[6];
            som_linkage_coordinates(l, c->axes.data[i].joint, y);
            double from = y[c->axes.data[i].dof];
            som_solver_set_goal(solver, i, from + (sample[i] - from) / (strides - k + 1));
        }
        som_solver_solve(solver, l, MOST_STEPS);
    }
    return inner_gap(c, l);
}

// Sample number n: a point of the grid if that is small, else spread evenly but irregularly.
static void make_sample(const Checker *c, int n, int per_dof, bool is_grid, double *sample) {
    uint64_t rest = (uint64_t)n;
    for (int i = 0; i < c->axes.count; i++) {
        double part;
        if (is_grid) {
            int row = (int)(rest % (uint64_t)per_dof);
            rest /= (uint64_t)per_dof;
            if (rest % 2 == 1) { // to and fro, so that neighbours follow each other
                row = per_dof - 1 - row;
            }
            part = per_dof == 1 ? 0.5 : (double)row / (per_dof - 1);
        } else {
            uint64_t bits = ((uint64_t)n * 64 + (uint64_t)i + 1) * 0x9E3779B97F4A7C15u;
            bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
            bits ^= bits >> 27;
            part = (double)(bits >> 11) * 0x1p-53;
        }
        sample[i] = c->axes.data[i].low + part * (c->axes.data[i].high - c->axes.data[i].low);
    }
}

static void report_failure(const Checker *c, const double *sample, double gap,
                           SomDiagnostics *diags) {
    SomText text = {0};
    for (int i = 0; i < c->axes.count; i++) {
        int joint = som_model_joint(c->linkage, c->axes.data[i].joint);
        bool is_turn = c->axes.data[i].dof >= 3;
        double shown = is_turn ? sample[i] * 180 / SOM_PI : sample[i] * 1000;
        som_text_printf(&text, "%s%.*s ", i == 0 ? "" : ", ",
                        SOM_STR_ARG(som_model_joint_name(c->linkage, joint)));
        som_text_number(&text, floor(shown * 10 + 0.5) / 10);
        som_text_add(&text, is_turn ? SOM_STR("\u00b0") : SOM_STR(" mm"));
    }
    SomText left = {0};
    som_text_number(&left, ceil(gap * 1e6) / 1e3);
    som_report(diags, SOM_ABSTRACTION_IMPROPER, (SomSpan){0},
               "what is behind '%.*s' cannot follow it everywhere, for instance at %.*s: "
               "%.*s mm or mrad left",
               SOM_STR_ARG(som_model_part_name(c->linkage, c->part)),
               SOM_STR_ARG(som_text_str(&text)), SOM_STR_ARG(som_text_str(&left)));
    som_text_free(&text);
    som_text_free(&left);
}

// One sample, twice if need be: from the last position, then from the first one in small strides.
static double try_sample(const Checker *c, SomSolver *solver, SomLinkage **l,
                         const double *sample) {
    double gap = approach(c, solver, *l, sample, 1);
    if (gap > SOM_SOLVER_SHUT) {
        som_linkage_destroy(*l);
        *l = som_linkage_copy(c->linkage);
        gap = approach(c, solver, *l, sample, 8);
    }
    return gap;
}

static bool interface_is_there(const Checker *c, const SomLinkage *l, const double *sample) {
    for (int i = 0; i < c->axes.count; i++) {
        double y[6];
        som_linkage_coordinates(l, c->axes.data[i].joint, y);
        if (fabs(y[c->axes.data[i].dof] - sample[i]) > SOM_SOLVER_REACHED) {
            return false;
        }
    }
    return true;
}

static void run_samples(const Checker *c, SomSolver *solver, int per_dof,
                        SomAbstractionCheck *check, SomDiagnostics *diags) {
    double total = 1;
    for (int i = 0; i < c->axes.count; i++) {
        total *= per_dof;
    }
    bool is_grid = total <= MOST_SAMPLES;
    int count = is_grid ? (int)total : MOST_SAMPLES;
    double *sample = som_alloc((size_t)c->axes.count * sizeof *sample);
    SomLinkage *l = som_linkage_copy(c->linkage);
    for (int n = 0; n < count; n++) {
        make_sample(c, n, per_dof, is_grid, sample);
        double gap = try_sample(c, solver, &l, sample);
        check->samples++;
        bool is_there = interface_is_there(c, l, sample);
        check->unreachable += !is_there;
        if (is_there) {
            check->worst = fmax(check->worst, gap);
        }
        if (is_there && gap > SOM_SOLVER_SHUT && check->failed++ == 0) {
            report_failure(c, sample, gap, diags);
        }
        if (gap > SOM_SOLVER_SHUT) {
            som_linkage_destroy(l);
            l = som_linkage_copy(c->linkage);
        }
    }
    som_linkage_destroy(l);
    som_free(sample);
    if (check->unreachable == check->samples) {
        som_report(diags, SOM_ABSTRACTION_UNREACHED, (SomSpan){0},
                   "'%.*s' comes to none of the %d positions that were tried",
                   SOM_STR_ARG(som_model_part_name(c->linkage, c->part)), check->samples);
    }
}

bool som_abstraction_check(const SomLinkage *l, SomSublinkageId interface_part, int per_dof,
                           SomAbstractionCheck *check, SomDiagnostics *diags) {
    assert(per_dof >= 1);
    Checker c = {.linkage = l, .part = som_model_part(l, interface_part)};
    *check = (SomAbstractionCheck){0};
    bool ok = collect(&c, diags);
    if (ok) {
        SomGoal *goals = som_alloc((size_t)c.axes.count * sizeof *goals);
        for (int i = 0; i < c.axes.count; i++) {
            goals[i] = (SomGoal){SOM_LEVEL_TARGET, c.axes.data[i].joint, c.axes.data[i].dof, 0};
        }
        SomSolverDef def = {.goals = goals, .goal_count = c.axes.count};
        SomSolver *solver = som_solver_create(l, &def, diags);
        ok = solver != NULL;
        if (ok) {
            run_samples(&c, solver, per_dof, check, diags);
        }
        som_solver_destroy(solver);
        som_free(goals);
    }
    som_array_free(&c.axes);
    som_array_free(&c.inner);
    return ok && check->failed == 0 && check->unreachable < check->samples;
}
