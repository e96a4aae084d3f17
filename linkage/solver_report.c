// SPDX-License-Identifier: Apache-2.0
// What the solver could not do, in a designer's words.

#include "base/codes/linkage_codes.h"
#include "base/name_list.h"
#include "base/number.h"
#include "linkage/model_internal.h"
#include "linkage/solver_internal.h"
#include "space/trigonometry.h"

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
    bool has_length = metres > SOM_SOLVER_SHUT, has_angle = radians > SOM_SOLVER_SHUT;
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
    const Joint *j = &l->joints.data[joint];
    som_text_printf(out, "%s'%.*s'",
                    j->is_root      ? "link "
                    : j->is_virtual ? ""
                                    : "joint ",
                    SOM_STR_ARG(som_model_joint_or_link_name(l, joint)));
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

// How far a closure of the component is open; 0 if it is shut or of no concern.
static double open_by(const SomSolver *s, const Loop *loop, const Component *component,
                      double *metres, double *radians) {
    gap_of(&s->kinematics->closures[loop->closure], metres, radians);
    double gap = sqrt(*metres * *metres + *radians * *radians);
    bool counts = loop->is_shut && som_solver_component_of(s, loop) == component;
    return counts && gap > SOM_SOLVER_SHUT ? gap : 0;
}

// Closures of one component that stay open: those with a fair share of the gap conflict.
static void tell_conflict(const Teller *teller, const Component *component, const int *loops,
                          int count) {
    const SomSolver *s = teller->solver;
    double metres = 0, radians = 0, worst = 0, m, r;
    int named[MOST_NAMED], open_count = 0;
    for (int i = 0; i < count; i++) {
        worst = fmax(worst, open_by(s, &s->loops[loops[i]], component, &m, &r));
    }
    for (int i = 0; i < count && worst > 0; i++) {
        if (open_by(s, &s->loops[loops[i]], component, &m, &r) >= 0.1 * worst) {
            metres = fmax(metres, m);
            radians = fmax(radians, r);
            if (open_count < MOST_NAMED) {
                named[open_count] = loops[i];
            }
            open_count++;
        }
    }
    if (open_count == 0) {
        return;
    }
    SomText out = {0};
    for (int i = 0; i < MOST_NAMED && i < open_count; i++) {
        SomJointId id = s->kinematics->closures[s->loops[named[i]].closure].joint;
        int joint = som_model_joint(teller->linkage, id);
        const char *before = i == 0 ? "" : i == open_count - 1 ? " and " : ", ";
        som_text_printf(&out, "%sclosure '%.*s'", before,
                        SOM_STR_ARG(som_model_joint_name(teller->linkage, joint)));
    }
    som_text_add_more(&out, open_count - MOST_NAMED);
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
            double over = fabs(som_model_excess(&closure->limits, d, closure->y[d]));
            if (over > SOM_SOLVER_REACHED) {
                SomText out = {0};
                add_joint(&out, teller->linkage, closure->joint);
                som_text_add(&out, SOM_STR(" is out of its limits by "));
                add_gap(&out, d < 3 ? over : 0, d < 3 ? 0 : over);
                tell(teller, SOM_SOLVER_OVER_LIMIT, &out);
            }
        }
    }
}

// What is left of the goals of one level at one joint.
typedef struct Rest {
    double squares[2]; // of lengths and angles
    bool is_told;
} Rest;

static void tell_goal(const Teller *teller, const SomGoal *goal, Rest *rest) {
    double square = rest->squares[0] + rest->squares[1];
    if (rest->is_told || square <= SOM_SOLVER_REACHED * SOM_SOLVER_REACHED) {
        return;
    }
    bool is_lock = goal->level == SOM_LEVEL_LOCK;
    SomText out = {0};
    add_joint(&out, teller->linkage, goal->joint);
    som_text_add(&out, is_lock ? SOM_STR(" cannot stay locked: ")
                               : SOM_STR(" does not reach its target: "));
    add_gap(&out, sqrt(rest->squares[0]), sqrt(rest->squares[1]));
    som_text_add(&out, SOM_STR(" left"));
    tell(teller, is_lock ? SOM_SOLVER_LOCK_MOVED : SOM_SOLVER_UNREACHED, &out);
    rest->is_told = true;
}

// Where the rest of a goal is added up: by joint, locks before targets. NULL for a wish that may
// fail and for a lock of a tree joint, which cannot.
static Rest *rest_of(const SomSolver *s, Rest *rests, int goal) {
    const SomGoal *g = &s->goals[goal];
    bool is_lock = g->level == SOM_LEVEL_LOCK;
    if (g->level == SOM_LEVEL_POSTURE || (is_lock && s->goal_loop[goal] < 0)) {
        return NULL;
    }
    return &rests[2 * g->joint.index1 + !is_lock];
}

// One sentence for all goals of a level at one joint, where the first of them stands.
static void tell_goals(const Teller *teller) {
    const SomSolver *s = teller->solver;
    Rest *rests = som_alloc(2 * ((size_t)s->kinematics->joint_slots + 1) * sizeof *rests);
    for (int i = 0; i < s->goal_count; i++) {
        const SomGoal *goal = &s->goals[i];
        Rest *rest = rest_of(s, rests, i);
        double y[6];
        if (rest != NULL) {
            som_linkage_coordinates(teller->linkage, goal->joint, y);
            double e = y[goal->dof] - goal->value;
            rest->squares[goal->dof >= 3] += e * e;
        }
    }
    for (int i = 0; i < s->goal_count; i++) {
        Rest *rest = rest_of(s, rests, i);
        if (rest != NULL) {
            tell_goal(teller, &s->goals[i], rest);
        }
    }
    som_free(rests);
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
    tell_goals(teller);
    tell_clamped(teller);
}

void som_solver_describe(const SomSolver *solver, const SomLinkage *linkage, SomText *out) {
    tell_all(&(Teller){.solver = solver, .linkage = linkage, .text = out});
}

void som_solver_report(const SomSolver *solver, const SomLinkage *linkage, SomDiagnostics *diags) {
    tell_all(&(Teller){.solver = solver, .linkage = linkage, .diags = diags});
}
