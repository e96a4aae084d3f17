// SPDX-License-Identifier: Apache-2.0
// Compiles a linkage and goals: variables, rounds, independent components.

#include "base/classes.h"
#include "base/codes/linkage_codes.h"
#include "base/memory.h"
#include "linkage/model_internal.h"
#include "linkage/solver_internal.h"

#include <assert.h>

// ---- rounds of sub-linkages

// Sub-linkages so that each stands behind the one around it.
static void order_parts(const SomLinkage *l, int *order) {
    int count = 0, part = 0;
    while (part >= 0) {
        order[count++] = part;
        int next = l->parts.data[part].first_part;
        while (next < 0 && part >= 0) {
            next = l->parts.data[part].next;
            part = l->parts.data[part].parent;
        }
        part = next;
    }
}

// In which round each sub-linkage moves: those that drive before, those that are driven after. A
// simultaneous one moves with the one around it.
static void find_part_rounds(const SomLinkage *l, int *rounds) {
    int count = 0;
    for (int i = 0; i < l->parts.count; i++) {
        count += l->parts.data[i].is_alive;
        rounds[i] = 0;
    }
    int *order = som_alloc((size_t)count * sizeof *order);
    int *leader = som_alloc((size_t)l->parts.count * sizeof *leader);
    order_parts(l, order);
    for (int i = 0; i < count; i++) {
        const Part *part = &l->parts.data[order[i]];
        bool joins = part->parent >= 0 && part->disposition == SOM_SIMULTANEOUS;
        leader[order[i]] = joins ? leader[part->parent] : order[i];
    }
    for (int i = count - 1; i > 0; i--) { // drivers push what is around them back
        const Part *part = &l->parts.data[order[i]];
        int outer = leader[part->parent];
        if (part->disposition == SOM_DRIVING && rounds[outer] <= rounds[order[i]]) {
            rounds[outer] = rounds[order[i]] + 1;
        }
    }
    for (int i = 1; i < count; i++) { // the driven follow
        const Part *part = &l->parts.data[order[i]];
        int outer = leader[part->parent];
        if (part->disposition == SOM_DRIVEN && rounds[order[i]] <= rounds[outer]) {
            rounds[order[i]] = rounds[outer] + 1;
        }
    }
    for (int i = 0; i < count; i++) {
        rounds[order[i]] = rounds[leader[order[i]]];
    }
    som_free(order);
    som_free(leader);
}

// ---- variables

// Bits of locked coordinates by joint, so that a long list of locks costs no more than itself.
static uint8_t *collect_locks(const SomSolver *s, const SomSolverDef *def) {
    uint8_t *locks = som_alloc((size_t)s->kinematics->joint_slots + 1);
    for (int i = 0; i < def->locked_count; i++) {
        locks[def->locked[i].index1] = 0x3f;
    }
    for (int i = 0; i < def->goal_count; i++) {
        if (def->goals[i].level == SOM_LEVEL_LOCK) {
            locks[def->goals[i].joint.index1] |= (uint8_t)(1u << def->goals[i].dof);
        }
    }
    return locks;
}

static void make_variables(SomSolver *s, const SomLinkage *l, const SomSolverDef *def,
                           const int *part_rounds, int *first_variable) {
    const SomKinematics *k = s->kinematics;
    uint8_t *locks = collect_locks(s, def);
    s->variables = som_arena_new(&s->arena, Variable, 6 * (size_t)k->node_count);
    for (int node = 1; node < k->node_count; node++) {
        const SomJointTypeInfo *type = som_joint_type(k->nodes[node].type);
        unsigned locked = locks[k->nodes[node].joint.index1];
        const Joint *j = &l->joints.data[k->nodes[node].joint.index1 - 1];
        int a = part_rounds[l->links.data[j->link[PARENT]].part];
        int b = part_rounds[l->links.data[j->link[CHILD]].part];
        first_variable[node] = s->variable_count;
        for (int i = 0; i < type->dof_count; i++) {
            if (!(locked >> type->dofs[i] & 1)) {
                s->variables[s->variable_count++] =
                    (Variable){node, type->dofs[i], i, a > b ? a : b, -1, -1};
            }
        }
    }
    first_variable[k->node_count] = s->variable_count;
    s->axes = som_arena_new(&s->arena, SomAxis, s->variable_count);
    som_free(locks);
}

// ---- closures

typedef SOM_ARRAY(int) IntList;

// What is needed for finding supports, one after the other.
typedef struct Finder {
    const int *first_variable;
    int *nodes, *signs;
    IntList variables, ways;
} Finder;

// Variables between the two ends, as far as they belong to the last round among them. False if
// there is no room for them.
static bool find_support(SomSolver *s, Loop *loop, Finder *f, size_t *room) {
    const SomKinematics *k = s->kinematics;
    int count = som_kinematics_support(k, loop->closure, f->nodes, f->signs, k->node_count);
    const int *first = f->first_variable;
    loop->round = -1;
    f->variables.count = f->ways.count = 0;
    for (int i = 0; i < count; i++) {
        for (int v = first[f->nodes[i]]; v < first[f->nodes[i] + 1]; v++) {
            if (s->variables[v].round > loop->round) {
                loop->round = s->variables[v].round;
                f->variables.count = f->ways.count = 0;
            }
            if (s->variables[v].round == loop->round) {
                som_array_push(&f->variables, v);
                som_array_push(&f->ways, f->signs[i]);
            }
        }
    }
    size_t size = (size_t)f->variables.count, numbers = 8 * size + (size_t)count;
    if (numbers > *room) {
        return false;
    }
    *room -= numbers;
    loop->support_count = f->variables.count;
    loop->variables = som_arena_new(&s->arena, int, size);
    loop->signs = som_arena_new(&s->arena, double, size);
    loop->columns = som_arena_new(&s->arena, int, size);
    loop->jacobian = som_arena_new(&s->arena, double, 6 * size);
    for (int i = 0; i < loop->support_count; i++) {
        loop->variables[i] = f->variables.data[i];
        loop->signs[i] = f->ways.data[i];
    }
    return true;
}

static bool find_supports(SomSolver *s, const int *first_variable, size_t *room) {
    size_t node_count = (size_t)s->kinematics->node_count;
    Finder f = {.first_variable = first_variable};
    f.nodes = som_alloc(node_count * sizeof *f.nodes);
    f.signs = som_alloc(node_count * sizeof *f.signs);
    bool fits = true;
    for (int i = 0; i < s->loop_count && fits; i++) {
        fits = find_support(s, &s->loops[i], &f, room);
    }
    som_free(f.nodes);
    som_free(f.signs);
    som_array_free(&f.variables);
    som_array_free(&f.ways);
    return fits;
}

static void make_loops(SomSolver *s, const SomSolverDef *def, const int *first_variable) {
    const SomKinematics *k = s->kinematics;
    bool *is_ignored = som_alloc((size_t)k->joint_slots + 1);
    for (int i = 0; i < def->ignored_count; i++) {
        is_ignored[def->ignored[i].index1] = true;
    }
    int *loop_of = som_alloc(((size_t)k->closure_count + 1) * sizeof *loop_of);
    s->loops = som_arena_new(&s->arena, Loop, k->closure_count);
    for (int c = 0; c < k->closure_count; c++) {
        const SomClosure *closure = &k->closures[c];
        bool is_shut = !closure->is_root && !is_ignored[closure->joint.index1];
        loop_of[c] = -1;
        if (is_shut && (som_solver_held(closure) != 0 || closure->limits.limited != 0)) {
            loop_of[c] = s->loop_count;
            s->loops[s->loop_count++] = (Loop){.closure = c, .is_shut = true};
        }
    }
    for (int i = 0; i < def->goal_count; i++) {
        bool is_tree;
        int place = som_kinematics_find_joint(k, def->goals[i].joint, &is_tree);
        s->goal_loop[i] = s->goal_variable[i] = -1;
        if (is_tree) {
            for (int v = first_variable[place]; v < first_variable[place + 1]; v++) {
                if (s->variables[v].dof == def->goals[i].dof) {
                    s->goal_variable[i] = v;
                }
            }
        } else {
            if (loop_of[place] < 0) {
                loop_of[place] = s->loop_count;
                s->loops[s->loop_count++] = (Loop){.closure = place};
            }
            s->goal_loop[i] = loop_of[place];
        }
    }
    som_free(is_ignored);
    som_free(loop_of);
}

// ---- components

// Names each wanted variable's component by its first variable; -1 where nothing is asked.
static void tie_variables(const SomSolver *s, bool is_flat, int *parents, bool *is_wanted) {
    for (int v = 0; v < s->variable_count; v++) {
        parents[v] = v;
        is_wanted[v] = is_flat;
    }
    for (int i = 0; i < s->loop_count; i++) {
        const Loop *loop = &s->loops[i];
        for (int k = 0; k < loop->support_count; k++) {
            is_wanted[loop->variables[k]] = true;
            som_classes_join(parents, loop->variables[0], loop->variables[k]);
        }
    }
    for (int i = 0; i < s->goal_count; i++) {
        if (s->goal_variable[i] >= 0) {
            is_wanted[s->goal_variable[i]] = true;
        }
    }
    for (int v = 0; v < s->variable_count && is_flat; v++) {
        parents[v] = 0;
    }
}

// Numbers components within their rounds.
static void number_components(SomSolver *s, bool is_flat) {
    int *parents = som_alloc((size_t)s->variable_count * sizeof *parents);
    bool *is_wanted = som_alloc((size_t)s->variable_count * sizeof *is_wanted);
    tie_variables(s, is_flat, parents, is_wanted);
    for (int v = 0; v < s->variable_count; v++) {
        if (is_wanted[v] && s->variables[v].round >= s->round_count) {
            s->round_count = s->variables[v].round + 1;
        }
    }
    s->rounds = som_arena_new(&s->arena, Round, s->round_count);
    for (int v = 0; v < s->variable_count; v++) {
        Variable *variable = &s->variables[v];
        if (is_wanted[v]) {
            int first = som_classes_find(parents, v);
            variable->component = first == v ? s->rounds[variable->round].component_count++
                                             : s->variables[first].component;
        }
    }
    for (int r = 0; r < s->round_count; r++) {
        s->rounds[r].components = som_arena_new(&s->arena, Component, s->rounds[r].component_count);
    }
    som_free(parents);
    som_free(is_wanted);
}

static void assign_variables(SomSolver *s) {
    for (int v = 0; v < s->variable_count; v++) {
        Component *c = som_solver_component_of_variable(s, v);
        if (c != NULL) {
            s->variables[v].column = c->variable_count++;
        }
    }
    for (int v = 0; v < s->variable_count; v++) {
        const Variable *variable = &s->variables[v];
        Component *c = som_solver_component_of_variable(s, v);
        if (c == NULL) {
            continue;
        }
        if (variable->column == 0) {
            c->variables = som_arena_new(&s->arena, int, c->variable_count);
            c->nodes = som_arena_new(&s->arena, int, c->variable_count);
        }
        c->variables[variable->column] = v;
        if (c->node_count == 0 || c->nodes[c->node_count - 1] != variable->node) {
            c->nodes[c->node_count++] = variable->node;
        }
    }
}

static void assign_loops(SomSolver *s) {
    int *place = som_alloc((size_t)s->loop_count * sizeof *place); // in its component
    for (int i = 0; i < s->loop_count; i++) {
        Component *c = som_solver_component_of(s, &s->loops[i]);
        place[i] = c == NULL ? -1 : c->loop_count++;
    }
    for (int i = 0; i < s->loop_count; i++) {
        Loop *loop = &s->loops[i];
        Component *c = som_solver_component_of(s, loop);
        if (c == NULL) {
            continue;
        }
        if (place[i] == 0) {
            c->loops = som_arena_new(&s->arena, int, c->loop_count);
        }
        c->loops[place[i]] = i;
        for (int k = 0; k < loop->support_count; k++) {
            loop->columns[k] = s->variables[loop->variables[k]].column;
        }
    }
    som_free(place);
}

// Hands each goal to the component that can do something for it.
static void assign_goals(SomSolver *s) {
    s->next_goal = som_arena_new(&s->arena, int, s->goal_count);
    for (int r = 0; r < s->round_count; r++) {
        for (int c = 0; c < s->rounds[r].component_count; c++) {
            s->rounds[r].components[c].first_goal = -1;
        }
    }
    for (int i = s->goal_count - 1; i >= 0; i--) { // backwards, so that the lists rise
        Component *c = NULL;
        if (s->goal_variable[i] >= 0) {
            c = som_solver_component_of_variable(s, s->goal_variable[i]);
        } else if (s->goal_loop[i] >= 0) {
            c = som_solver_component_of(s, &s->loops[s->goal_loop[i]]);
        }
        if (c != NULL) {
            s->next_goal[i] = c->first_goal;
            c->first_goal = i;
        }
    }
}

// The nodes that hang on variables of a round, as few ranges as there are.
static void make_ranges(SomSolver *s, int round) {
    Round *r = &s->rounds[round];
    int count = 0;
    for (int c = 0; c < r->component_count; c++) {
        count += r->components[c].variable_count;
    }
    r->ranges = som_arena_new(&s->arena, Range, count);
    for (int v = 0; v < s->variable_count; v++) { // rising nodes: a range holds the next or ends
        const Variable *variable = &s->variables[v];
        if (variable->round != round || variable->component < 0) {
            continue;
        }
        int first = variable->node, end = s->kinematics->nodes[first].end;
        if (r->range_count > 0 && first <= r->ranges[r->range_count - 1].end) {
            Range *last = &r->ranges[r->range_count - 1];
            last->end = end > last->end ? end : last->end;
        } else {
            r->ranges[r->range_count++] = (Range){first, end};
        }
    }
}

// Which joints may name their turns anew, and which goals speak of these names.
static void find_leads(SomSolver *s, const int *first_variable) {
    int node_count = s->kinematics->node_count;
    s->can_rename = som_arena_new(&s->arena, bool, node_count);
    s->first_lead = som_arena_new(&s->arena, int, node_count);
    s->next_lead = som_arena_new(&s->arena, int, s->goal_count);
    for (int node = 1; node < node_count; node++) {
        int turns = 0;
        for (int v = first_variable[node]; v < first_variable[node + 1]; v++) {
            turns += s->variables[v].dof >= 3;
        }
        s->can_rename[node] = turns == 3;
        s->first_lead[node] = -1;
    }
    for (int i = 0; i < s->goal_count; i++) {
        if (s->goal_variable[i] >= 0 && s->goals[i].dof >= 3) {
            int node = s->variables[s->goal_variable[i]].node;
            s->next_lead[i] = s->first_lead[node];
            s->first_lead[node] = i;
        }
    }
}

static void check_def(const SomLinkage *l, const SomSolverDef *def) {
    for (int i = 0; i < def->goal_count; i++) {
        assert(som_linkage_has_joint(l, def->goals[i].joint));
        assert(0 <= def->goals[i].dof && def->goals[i].dof < 6);
        assert(SOM_LEVEL_LOCK <= def->goals[i].level && def->goals[i].level <= SOM_LEVEL_POSTURE);
    }
    for (int i = 0; i < def->locked_count; i++) {
        assert(som_linkage_has_joint(l, def->locked[i]));
    }
    for (int i = 0; i < def->ignored_count; i++) {
        assert(som_linkage_has_joint(l, def->ignored[i]));
    }
}

// All that depends on how large the problem is; false if it is too large.
static bool make_rounds(SomSolver *s, const SomSolverDef *def, const int *first_variable) {
    size_t room = SOM_SOLVER_MOST_NUMBERS;
    if (!find_supports(s, first_variable, &room)) {
        return false;
    }
    number_components(s, def->is_flat);
    assign_variables(s);
    assign_loops(s);
    assign_goals(s);
    for (int r = 0; r < s->round_count; r++) {
        for (int c = 0; c < s->rounds[r].component_count; c++) {
            if (!som_solver_make_component(s, &s->rounds[r].components[c], &room)) {
                return false;
            }
        }
        make_ranges(s, r);
    }
    return true;
}

SomSolver *som_solver_create(const SomLinkage *l, const SomSolverDef *def, SomDiagnostics *diags) {
    check_def(l, def);
    SomSolver *s = som_alloc(sizeof *s);
    s->kinematics = som_kinematics_compile(l);
    som_solver_set_options(s, &def->options);
    s->limit_mode = def->limit_mode;
    s->is_unguarded = def->is_unguarded;
    s->is_fresh = true;
    s->goal_count = def->goal_count;
    s->goals = som_arena_new(&s->arena, SomGoal, def->goal_count);
    if (def->goal_count > 0) {
        memcpy(s->goals, def->goals, (size_t)def->goal_count * sizeof *s->goals);
    }
    s->goal_loop = som_arena_new(&s->arena, int, def->goal_count);
    s->goal_variable = som_arena_new(&s->arena, int, def->goal_count);
    s->limits_of_node = som_arena_new(&s->arena, SomLimits, s->kinematics->node_count);
    for (int node = 1; node < s->kinematics->node_count; node++) {
        s->limits_of_node[node] =
            l->joints.data[s->kinematics->nodes[node].joint.index1 - 1].limits;
    }
    int *part_rounds = som_alloc((size_t)l->parts.count * sizeof *part_rounds);
    int *first_variable =
        som_alloc(((size_t)s->kinematics->node_count + 1) * sizeof *first_variable);
    if (!def->is_flat) {
        find_part_rounds(l, part_rounds);
    }
    make_variables(s, l, def, part_rounds, first_variable);
    make_loops(s, def, first_variable);
    find_leads(s, first_variable);
    bool fits = make_rounds(s, def, first_variable);
    som_free(part_rounds);
    som_free(first_variable);
    if (!fits) {
        som_report(diags, SOM_SOLVER_TOO_LARGE, (SomSpan){0},
                   "closures and goals tie so many coordinates together that the solver would need "
                   "more than %d MB",
                   SOM_SOLVER_MOST_NUMBERS / (1 << 20) * 8);
        som_solver_destroy(s);
        return NULL;
    }
    return s;
}

void som_solver_destroy(SomSolver *s) {
    if (s == NULL) {
        return;
    }
    som_kinematics_destroy(s->kinematics);
    som_arena_free(&s->arena);
    som_free(s);
}
