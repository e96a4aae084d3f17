// SPDX-License-Identifier: Apache-2.0
// What the solver could not do, in a designer's words.

#include "base/number.h"
#include "linkage/model_internal.h"
#include "linkage/solver_internal.h"
#include "space/trigonometry.h"

#define SHUT 1e-9
#define REACHED 1e-6 // nobody sees a micrometre
#define MOST_NAMED 4

// How many digits matter: what is left over is said as people do, a limit as it was given.
#define GAP 10.0
#define LIMIT 1000.0

// As many digits as `least`, the smallest number of so many, but whole units in any case.
static void add_rounded(SomText *out, double value, double least) {
    double scale = 1;
    while (value * scale < least && scale < 1e12) {
        scale *= 10;
    }
    som_text_number(out, floor(value * scale + 0.5) / scale);
}

static void add_length(SomText *out, double metres, double least) {
    if (metres >= 1) {
        add_rounded(out, metres, least);
        som_text_add(out, SOM_STR(" m"));
    } else {
        add_rounded(out, 1000 * metres, least);
        som_text_add(out, SOM_STR(" mm"));
    }
}

static void add_angle(SomText *out, double radians, double least) {
    add_rounded(out, radians * 180 / SOM_PI, least);
    som_text_add(out, SOM_STR("\u00b0"));
}

// "3.2 mm", "4°" or "3.2 mm and 4°".
static void add_gap(SomText *out, double metres, double radians) {
    bool has_length = metres > SHUT, has_angle = radians > SHUT;
    if (has_length || !has_angle) {
        add_length(out, metres, GAP);
    }
    if (has_length && has_angle) {
        som_text_add(out, SOM_STR(" and "));
    }
    if (has_angle) {
        add_angle(out, radians, GAP);
    }
}

// How far a closure is open in the coordinates it must keep.
static void gap_of(const SomClosure *closure, double *metres, double *radians) {
    unsigned freedom = som_joint_type(closure->type)->freedom;
    double squares[2] = {0, 0};
    for (int d = 0; d < 6; d++) {
        if (!(freedom >> d & 1)) {
            squares[d >= 3] += closure->y[d] * closure->y[d];
        }
    }
    *metres = sqrt(squares[0]);
    *radians = sqrt(squares[1]);
}

static void add_joint(SomText *out, const SomLinkage *l, SomJointId id) {
    int joint = som_model_joint(l, id);
    bool is_root = l->joints.data[joint].is_root;
    SomStr name = is_root ? som_model_link_name(l, l->joints.data[joint].link[CHILD])
                          : som_model_joint_name(l, joint);
    som_text_printf(out, "%s '%.*s'", is_root ? "link" : "joint", SOM_STR_ARG(name));
}

// ---- sentences; each is one message

typedef struct Teller {
    const SomSolver *solver;
    const SomLinkage *linkage;
    SomText *text;         // either
    SomDiagnostics *diags; // or
} Teller;

static void tell(const Teller *teller, SomCode code, SomText *sentence) {
    if (teller->diags != NULL) {
        som_report(teller->diags, code, (SomSpan){0}, "%.*s", SOM_STR_ARG(som_text_str(sentence)));
    } else {
        som_text_add(teller->text, som_text_str(sentence));
        som_text_add_char(teller->text, '\n', 1);
    }
    som_text_free(sentence);
}

// Closures of one component that stay open: those with a fair share of the gap conflict.
static void tell_conflict(const Teller *teller, const Component *component, const int *loops,
                          int count) {
    const SomSolver *s = teller->solver;
    double metres = 0, radians = 0, worst = 0;
    int named[MOST_NAMED], named_count = 0, open_count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) {
            const Loop *loop = &s->loops[loops[i]];
            double m, r;
            gap_of(&s->kinematics->closures[loop->closure], &m, &r);
            double gap = sqrt(m * m + r * r);
            if (!loop->is_shut || som_solver_component_of(s, loop) != component || gap <= SHUT) {
                continue;
            }
            worst = pass == 0 && gap > worst ? gap : worst;
            if (pass == 1 && gap >= 0.1 * worst) {
                metres = m > metres ? m : metres;
                radians = r > radians ? r : radians;
                open_count++;
                if (named_count < MOST_NAMED) {
                    named[named_count++] = loops[i];
                }
            }
        }
    }
    if (open_count == 0) {
        return;
    }
    SomText out = {0};
    for (int i = 0; i < named_count; i++) {
        SomJointId id = s->kinematics->closures[s->loops[named[i]].closure].joint;
        bool is_last = i == named_count - 1 && open_count <= MOST_NAMED;
        som_text_printf(&out, "%sclosure '%.*s'",
                        i == 0    ? ""
                        : is_last ? " and "
                                  : ", ",
                        SOM_STR_ARG(som_model_joint_name(teller->linkage,
                                                         som_model_joint(teller->linkage, id))));
    }
    if (open_count > MOST_NAMED) {
        som_text_printf(&out, " and %d more", open_count - MOST_NAMED);
    }
    som_text_printf(&out, open_count == 1   ? " cannot be shut: "
                          : open_count == 2 ? " cannot both hold: "
                                            : " cannot all hold: ");
    add_gap(&out, metres, radians);
    som_text_add(&out, SOM_STR(" left"));
    tell(teller, SOM_SOLVER_CONFLICT, &out);
}

static void tell_conflicts(const Teller *teller) {
    const SomSolver *s = teller->solver;
    int *loops = som_alloc((size_t)s->loop_count * sizeof *loops);
    for (int i = 0; i < s->loop_count; i++) {
        loops[i] = i;
    }
    tell_conflict(teller, NULL, loops, s->loop_count); // nothing moves these
    for (int r = 0; r < s->round_count; r++) {
        for (int c = 0; c < s->rounds[r].component_count; c++) {
            const Component *component = &s->rounds[r].components[c];
            tell_conflict(teller, component, component->loops, component->loop_count);
        }
    }
    som_free(loops);
}

static void tell_closure_limits(const Teller *teller) {
    const SomSolver *s = teller->solver;
    for (int i = 0; i < s->loop_count; i++) {
        const SomClosure *closure = &s->kinematics->closures[s->loops[i].closure];
        for (int d = 0; d < 6 && s->loops[i].is_shut; d++) {
            double over = closure->limits.limited >> d & 1
                              ? fmax(closure->y[d] - closure->limits.high[d],
                                     closure->limits.low[d] - closure->y[d])
                              : 0;
            if (over > REACHED) {
                SomText out = {0};
                add_joint(&out, teller->linkage, closure->joint);
                som_text_add(&out, SOM_STR(" is out of its limits by "));
                add_gap(&out, d < 3 ? over : 0, d < 3 ? 0 : over);
                tell(teller, SOM_SOLVER_OVER_LIMIT, &out);
            }
        }
    }
}

// What is left of the goals of one level at one joint, as one sentence at the first of them.
static void tell_goal(const Teller *teller, int first) {
    const SomSolver *s = teller->solver;
    const SomGoal *goal = &s->goals[first];
    for (int i = 0; i < first; i++) {
        if (s->goals[i].joint.index1 == goal->joint.index1 && s->goals[i].level == goal->level) {
            return;
        }
    }
    double y[6], squares[2] = {0, 0};
    som_linkage_coordinates(teller->linkage, goal->joint, y);
    for (int i = first; i < s->goal_count; i++) {
        const SomGoal *other = &s->goals[i];
        if (other->joint.index1 == goal->joint.index1 && other->level == goal->level) {
            double e = y[other->dof] - other->value;
            squares[other->dof >= 3] += e * e;
        }
    }
    if (squares[0] + squares[1] <= REACHED * REACHED) {
        return;
    }
    SomText out = {0};
    add_joint(&out, teller->linkage, goal->joint);
    som_text_add(&out, goal->level == SOM_LEVEL_LOCK ? SOM_STR(" cannot stay locked: ")
                                                     : SOM_STR(" does not reach its target: "));
    add_gap(&out, sqrt(squares[0]), sqrt(squares[1]));
    som_text_add(&out, SOM_STR(" left"));
    tell(teller, goal->level == SOM_LEVEL_LOCK ? SOM_SOLVER_LOCK_MOVED : SOM_SOLVER_UNREACHED,
         &out);
}

static void tell_clamped(const Teller *teller) {
    const SomSolver *s = teller->solver;
    for (int r = 0; r < s->round_count; r++) {
        for (int c = 0; c < s->rounds[r].component_count; c++) {
            const Component *component = &s->rounds[r].components[c];
            for (int i = 0; i < component->variable_count; i++) {
                if (!component->priority->is_clamped[i]) {
                    continue;
                }
                const Variable *v = &s->variables[component->variables[i]];
                SomText out = {0};
                add_joint(&out, teller->linkage, s->kinematics->nodes[v->node].joint);
                som_text_add(&out, SOM_STR(" is at its limit of "));
                double value = s->kinematics->nodes[v->node].value[v->dof];
                som_text_add_char(&out, '-', value < 0);
                if (v->dof < 3) {
                    add_length(&out, fabs(value), LIMIT);
                } else {
                    add_angle(&out, fabs(value), LIMIT);
                }
                tell(teller, SOM_SOLVER_AT_LIMIT, &out);
            }
        }
    }
}

static void tell_all(const Teller *teller) {
    const SomSolver *s = teller->solver;
    if (s->report.is_broken) {
        SomText out = {0};
        som_text_add(&out, SOM_STR("numbers of the linkage are too large or not finite"));
        tell(teller, SOM_SOLVER_BROKEN, &out);
        return; // what follows from such numbers says nothing
    }
    tell_conflicts(teller);
    tell_closure_limits(teller);
    for (int i = 0; i < s->goal_count; i++) {
        if (s->goals[i].level != SOM_LEVEL_POSTURE &&
            (s->goal_loop[i] >= 0 || s->goals[i].level == SOM_LEVEL_TARGET)) {
            tell_goal(teller, i);
        }
    }
    tell_clamped(teller);
}

void som_solver_describe(const SomSolver *solver, const SomLinkage *linkage, SomText *out) {
    tell_all(&(Teller){.solver = solver, .linkage = linkage, .text = out});
}

void som_solver_report(const SomSolver *solver, const SomLinkage *linkage, SomDiagnostics *diags) {
    tell_all(&(Teller){.solver = solver, .linkage = linkage, .diags = diags});
}
