// SPDX-License-Identifier: Apache-2.0
#include "linkage/solver.h"

#include "linkage/model_internal.h"
#include "linkage/solver_internal.h"
#include "space/trigonometry.h"

#include <assert.h>

#define STILL 1e-12 // a step below this is none
#define MOST_CAUTION 1e9
#define KEPT_CAUTION 16
#define DISTURBED 1e-6

void som_solver_set_goal(SomSolver *s, int goal, double value) {
    assert(0 <= goal && goal < s->goal_count);
    s->is_fresh = s->is_fresh || s->goals[goal].value != value;
    s->goals[goal].value = value;
}

static double or_usual(double value, double usual) {
    return value > 0 ? value : usual;
}

void som_solver_set_options(SomSolver *s, const SomPriorityOptions *options) {
    const SomPriorityOptions usual = som_priority_default_options();
    s->options = (SomPriorityOptions){
        .relative_rank = or_usual(options->relative_rank, usual.relative_rank),
        .absolute_rank = or_usual(options->absolute_rank, usual.absolute_rank),
        .level_step = or_usual(options->level_step, usual.level_step),
        .largest_step = or_usual(options->largest_step, usual.largest_step),
        .clamp_tolerance = or_usual(options->clamp_tolerance, usual.clamp_tolerance),
    };
}

SomSolverSize som_solver_size(const SomSolver *s) {
    SomSolverSize size = {.variables = s->variable_count, .rounds = s->round_count};
    for (int r = 0; r < s->round_count; r++) {
        size.parts += s->rounds[r].component_count;
    }
    return size;
}

// Takes over what changed in the linkage since the last step.
static void load(SomSolver *s, const SomLinkage *l) {
    assert(s->kinematics->lineage == l->lineage && s->kinematics->version == l->version);
    if (s->ticket == 0 || l->scratch->ticket != s->ticket) {
        som_kinematics_load(s->kinematics, l);
        s->is_fresh = true;
    }
}

static void store(SomSolver *s, SomLinkage *l) {
    const SomKinematics *k = s->kinematics;
    for (int v = 0; v < s->variable_count; v++) {
        const SomKinematicsNode *node = &k->nodes[s->variables[v].node];
        Joint *j = &l->joints.data[node->joint.index1 - 1];
        memcpy(j->value, node->value, sizeof j->value);
    }
    for (int i = 0; i < s->loop_count; i++) {
        const SomClosure *closure = &k->closures[s->loops[i].closure];
        Joint *j = &l->joints.data[closure->joint.index1 - 1];
        j->has_value = closure->has_value;
        memcpy(j->value, closure->y, sizeof j->value);
    }
    som_model_touch(l);
    s->ticket = l->scratch->ticket = som_lineage_next(l->lineage);
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

// The residual of a row as it is reported.
static double residual_of(const SomSolver *s, const Meaning *m) {
    double y;
    if (m->loop < 0) {
        y = s->kinematics->nodes[s->variables[m->variable].node].value[m->dof];
    } else {
        const SomClosure *closure = &s->kinematics->closures[s->loops[m->loop].closure];
        y = closure->y[m->dof];
        if (m->level == SOM_LEVEL_LIMIT) {
            double e = som_model_excess(&closure->limits, m->dof, y);
            return s->limit_mode == SOM_LIMIT_QUADRATIC ? e * e : e;
        }
    }
    return m->goal < 0 ? y : y - s->goals[m->goal].value;
}

static void count_residual(SomSolverReport *report, SomLevel level, double residual) {
    SomLevelReport *r = &report->levels[level];
    r->rows++;
    r->norm += residual * residual; // the root comes last
    r->largest = larger(r->largest, fabs(residual));
}

static void finish_norms(SomSolverReport *report) {
    for (int level = 0; level < SOM_LEVELS; level++) {
        report->levels[level].norm = sqrt(report->levels[level].norm);
        report->is_broken = report->is_broken || !isfinite(report->levels[level].norm);
    }
}

// ---- one component

static void fill_jacobians(SomSolver *s, const Component *c) {
    SomKinematics *k = s->kinematics;
    int filled = 0;
    for (int i = 0; i < c->node_count; i++) {
        SomAxis axes[6];
        som_kinematics_axes(k, c->nodes[i], axes);
        while (filled < c->variable_count &&
               s->variables[c->variables[filled]].node == c->nodes[i]) {
            int v = c->variables[filled++];
            s->axes[v] = axes[s->variables[v].axis];
        }
    }
    for (int i = 0; i < c->loop_count; i++) {
        Loop *loop = &s->loops[c->loops[i]];
        SomClosureFrame frame;
        som_kinematics_close(k, loop->closure, &frame);
        for (int n = 0; n < loop->support_count; n++) {
            double *column = loop->jacobian + 6 * n;
            som_kinematics_column(&frame, &s->axes[loop->variables[n]], column);
            for (int d = 0; d < 6; d++) {
                column[d] *= loop->signs[n];
            }
        }
    }
}

static void fill_rows(SomSolver *s, Component *c, bool is_fresh) {
    for (int level = 0; level < SOM_LEVELS; level++) {
        c->last_squares[level] = is_fresh ? -1 : c->squares[level];
        c->squares[level] = 0;
    }
    for (int i = 0; i < c->priority->row_count; i++) {
        SomPriorityRow *row = &c->priority->rows[i];
        const Meaning *m = &c->meanings[i];
        row->residual = residual_of(s, m);
        count_residual(&s->report, m->level, row->residual);
        c->squares[m->level] += row->residual * row->residual;
        if (m->level == SOM_LEVEL_LIMIT) {
            const SomClosure *closure = &s->kinematics->closures[s->loops[m->loop].closure];
            double y = closure->y[m->dof];
            double e = som_model_excess(&closure->limits, m->dof, y);
            if (s->limit_mode == SOM_LIMIT_ACTIVE) {
                row->residual = y;
            } else {
                row->scale = s->limit_mode == SOM_LIMIT_QUADRATIC ? 2 * e : 1;
                row->is_active = e != 0;
            }
        }
    }
    for (int i = 0; i < c->variable_count; i++) {
        const Variable *v = &s->variables[c->variables[i]];
        c->priority->x[i] = s->kinematics->nodes[v->node].value[v->dof];
    }
}

// A level that goes to and fro without gaining by it swings about something out of reach. It gets
// more damping, which is taken back while all goes well. A change from outside may bring what is
// wanted within reach again, so then only some of it is kept: enough not to shake while a link is
// dragged too far.
static void adapt_caution(Component *c) {
    for (int level = 0; level < SOM_LEVELS; level++) {
        double now = c->squares[level], last = c->last_squares[level];
        double *caution = &c->priority->caution[level];
        bool is_fresh = last < 0;
        bool is_left = now > SOM_SOLVER_SHUT * SOM_SOLVER_SHUT && now > 0.25 * last;
        if (is_fresh) {
            *caution = *caution < KEPT_CAUTION ? *caution : KEPT_CAUTION;
        } else if (is_left && c->priority->reversal[level] < -0.3) {
            *caution = *caution < MOST_CAUTION ? 3 * *caution : *caution;
        } else {
            *caution = larger(1, 0.85 * *caution);
        }
    }
}

// What postures ask for is the same for the whole step: no other round moves a goal's variable.
static void fill_posture(SomSolver *s) {
    for (int i = 0; i < s->goal_count; i++) {
        const Variable *v = s->goal_variable[i] < 0 ? NULL : &s->variables[s->goal_variable[i]];
        if (v == NULL || s->goals[i].level != SOM_LEVEL_POSTURE || v->component < 0) {
            continue;
        }
        SomPriority *priority = s->rounds[v->round].components[v->component].priority;
        double x = s->kinematics->nodes[v->node].value[v->dof];
        priority->posture[v->column] = s->goals[i].value - x;
    }
}

// How far the turns of a node, scaled, are from where goals lead them.
static double lead_of(const SomSolver *s, int node, double factor) {
    double square = 0;
    for (int i = s->first_lead[node]; i >= 0; i = s->next_lead[i]) {
        double e = s->kinematics->nodes[node].value[s->goals[i].dof] * factor - s->goals[i].value;
        square += e * e;
    }
    return square;
}

static bool allows(const SomLimits *limits, const SomKinematicsNode *node, double factor) {
    for (int d = 3; d < 6; d++) {
        if (som_model_excess(limits, d, node->value[d] * factor) != 0) {
            return false;
        }
    }
    return true;
}

// A turn about an axis has a name for each full turn more. One of a three-axis joint gets the
// shortest, or where goals lead it, the one nearest to them, if limits allow it.
static void rename_turn(SomSolver *s, int index) {
    SomKinematicsNode *node = &s->kinematics->nodes[index];
    double angle = som_vec3_length(som_vec3(node->value[3], node->value[4], node->value[5]));
    bool is_led = s->can_rename[index] && s->first_lead[index] >= 0;
    if (!s->can_rename[index] || (is_led ? angle == 0 : angle <= SOM_PI)) {
        return;
    }
    const double factors[2] = {1 - 2 * SOM_PI / angle, 1 + 2 * SOM_PI / angle};
    double best = 1, least = is_led ? lead_of(s, index, 1) : HUGE_VAL;
    for (int i = 0; i < (is_led ? 2 : 1); i++) {
        double lead = lead_of(s, index, factors[i]);
        if (lead < least && allows(&s->limits_of_node[index], node, factors[i])) {
            best = factors[i];
            least = lead;
        }
    }
    for (int d = 3; d < 6 && best != 1; d++) {
        node->value[d] *= best;
    }
}

static void apply(SomSolver *s, const Component *c) {
    const SomPriority *p = c->priority;
    for (int i = 0; i < c->variable_count; i++) {
        const Variable *v = &s->variables[c->variables[i]];
        double x = p->x[i] + p->dx[i];
        x = x < p->low[i] ? p->low[i] : x > p->high[i] ? p->high[i] : x;
        s->kinematics->nodes[v->node].value[v->dof] = x;
        s->report.largest_change = larger(s->report.largest_change, fabs(p->dx[i]));
    }
    for (int i = 0; i < c->node_count; i++) {
        rename_turn(s, c->nodes[i]);
    }
    s->report.clamped_count += p->clamped_count;
    s->report.is_broken |= p->is_broken;
    s->report.work += p->multiplications;
    for (int level = 0; level < SOM_LEVELS; level++) {
        SomLevelReport *r = &s->report.levels[level];
        r->rank += p->levels[level].rank;
        r->damping = larger(r->damping, p->levels[level].damping);
    }
}

const SomSolverReport *som_solver_step(SomSolver *s, SomLinkage *l) {
    int steps = s->report.steps;
    s->report = (SomSolverReport){.steps = steps + 1};
    load(s, l);
    fill_posture(s);
    for (int r = 0; r < s->round_count; r++) {
        Round *round = &s->rounds[r];
        // what earlier rounds moved makes residuals here grow, too
        bool is_fresh = s->is_fresh || s->report.largest_change > DISTURBED;
        for (int i = 0; i < round->component_count; i++) { // each while it is in the cache
            Component *c = &round->components[i];
            fill_jacobians(s, c);
            fill_rows(s, c, is_fresh);
            if (!s->is_unguarded) {
                adapt_caution(c);
            }
            som_priority_step(c->priority, &s->options);
            apply(s, c);
        }
        for (int i = 0; i < round->range_count; i++) {
            som_kinematics_place(s->kinematics, round->ranges[i].first, round->ranges[i].end);
        }
    }
    finish_norms(&s->report);
    s->is_fresh = false;
    store(s, l);
    return &s->report;
}

// Residuals of all loops and goals, also of those that no variable moves.
static void measure(SomSolver *s) {
    SomSolverReport *report = &s->report;
    for (int level = 0; level < SOM_LEVELS; level++) {
        report->levels[level].rows = 0;
        report->levels[level].norm = report->levels[level].largest = 0;
    }
    for (int i = 0; i < s->loop_count; i++) {
        const Loop *loop = &s->loops[i];
        som_kinematics_close(s->kinematics, loop->closure, NULL);
        const SomClosure *closure = &s->kinematics->closures[loop->closure];
        unsigned freedom = som_joint_type(closure->type)->freedom;
        for (int d = 0; d < 6 && loop->is_shut; d++) {
            SomLevel level = freedom >> d & 1 ? SOM_LEVEL_LIMIT : SOM_LEVEL_INVARIANT;
            if (level == SOM_LEVEL_INVARIANT || (closure->limits.limited >> d & 1)) {
                Meaning m = {level, i, d, -1, -1};
                count_residual(report, level, residual_of(s, &m));
            }
        }
    }
    for (int i = 0; i < s->goal_count; i++) {
        Meaning m = {s->goals[i].level, s->goal_loop[i], s->goals[i].dof, i, s->goal_variable[i]};
        bool is_residual = m.loop >= 0 || (m.variable >= 0 && m.level != SOM_LEVEL_POSTURE);
        if (is_residual) {
            count_residual(report, m.level, residual_of(s, &m));
        } else if (m.level == SOM_LEVEL_TARGET) { // of a coordinate that is locked or not free
            bool is_tree;
            int node = som_kinematics_find_joint(s->kinematics, s->goals[i].joint, &is_tree);
            double y = s->kinematics->nodes[node].value[m.dof];
            count_residual(report, m.level, y - s->goals[i].value);
        }
    }
    finish_norms(report);
}

const SomSolverReport *som_solver_measure(SomSolver *s, const SomLinkage *l) {
    load(s, l);
    measure(s);
    return &s->report;
}

bool som_solver_solve(SomSolver *s, SomLinkage *l, int most) {
    s->report.steps = 0;
    while (s->report.steps < most) {
        som_solver_step(s, l);
        if (s->report.largest_change < STILL) {
            break;
        }
    }
    measure(s);
    return !s->report.is_broken && s->report.levels[SOM_LEVEL_INVARIANT].largest < SOM_SOLVER_SHUT;
}
