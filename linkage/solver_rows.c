// SPDX-License-Identifier: Apache-2.0
// Compiles the rows of an independent component: what its closures and goals ask of its variables.

#include "base/memory.h"
#include "linkage/solver_internal.h"

static const double one = 1;

typedef SOM_ARRAY(SomPriorityRow) RowList;
typedef SOM_ARRAY(Meaning) MeaningList;

static void add_loop_row(const SomSolver *s, RowList *rows, MeaningList *meanings, Meaning m) {
    const Loop *loop = &s->loops[m.loop];
    SomPriorityRow row = {.level = m.level,
                          .columns = loop->columns,
                          .values = loop->jacobian + m.dof,
                          .count = loop->support_count,
                          .stride = 6,
                          .scale = 1,
                          .is_active = true};
    som_array_push(rows, row);
    som_array_push(meanings, m);
}

static void add_invariants_and_limits(const SomSolver *s, const Component *c, RowList *rows,
                                      MeaningList *meanings) {
    for (int level = SOM_LEVEL_INVARIANT; level <= SOM_LEVEL_LIMIT; level++) {
        for (int i = 0; i < c->loop_count; i++) {
            const Loop *loop = &s->loops[c->loops[i]];
            const SomClosure *closure = &s->kinematics->closures[loop->closure];
            unsigned dofs =
                level == SOM_LEVEL_INVARIANT ? som_solver_held(closure) : closure->limits.limited;
            for (int d = 0; d < 6 && loop->is_shut; d++) {
                if (dofs >> d & 1) {
                    Meaning m = {(SomLevel)level, c->loops[i], d, -1, -1};
                    add_loop_row(s, rows, meanings, m);
                }
            }
        }
    }
}

static void add_goals(const SomSolver *s, const Component *c, RowList *rows,
                      MeaningList *meanings) {
    for (int i = c->first_goal; i >= 0; i = s->next_goal[i]) {
        const SomGoal *goal = &s->goals[i];
        int v = s->goal_variable[i];
        if (v < 0) {
            Meaning m = {goal->level, s->goal_loop[i], goal->dof, i, -1};
            add_loop_row(s, rows, meanings, m);
        } else if (goal->level == SOM_LEVEL_TARGET) { // posture of tree joints needs no row
            SomPriorityRow row = {.level = goal->level,
                                  .columns = &s->variables[v].column,
                                  .values = &one,
                                  .count = 1,
                                  .stride = 1,
                                  .scale = 1,
                                  .is_active = true};
            som_array_push(rows, row);
            som_array_push(meanings, ((Meaning){goal->level, -1, goal->dof, i, v}));
        }
    }
}

bool som_solver_make_component(SomSolver *s, Component *c, size_t *room) {
    RowList rows = {0};
    MeaningList meanings = {0};
    add_invariants_and_limits(s, c, &rows, &meanings);
    add_goals(s, c, &rows, &meanings);
    c->meanings = som_arena_new(&s->arena, Meaning, meanings.count);
    for (int i = 0; i < rows.count; i++) {
        c->meanings[i] = meanings.data[i];
        bool is_limit = rows.data[i].level == SOM_LEVEL_LIMIT;
        const Meaning *m = &meanings.data[i];
        if (is_limit && s->limit_mode == SOM_LIMIT_ACTIVE) {
            const SomLimits *limits = &s->kinematics->closures[s->loops[m->loop].closure].limits;
            rows.data[i].is_bound = true;
            rows.data[i].is_active = false;
            rows.data[i].low = limits->low[m->dof];
            rows.data[i].high = limits->high[m->dof];
        }
    }
    c->priority = som_priority_create(&s->arena, c->variable_count, rows.data, rows.count, room);
    for (int i = 0; i < c->variable_count && c->priority != NULL; i++) {
        const Variable *v = &s->variables[c->variables[i]];
        const SomLimits *limits = &s->limits_of_node[v->node];
        if (limits->limited >> v->dof & 1) {
            c->priority->low[i] = limits->low[v->dof];
            c->priority->high[i] = limits->high[v->dof];
        }
    }
    som_array_free(&rows);
    som_array_free(&meanings);
    return c->priority != NULL;
}
