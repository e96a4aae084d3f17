// SPDX-License-Identifier: Apache-2.0
// Repairs of falls, proved by verifying the changed design.

#include "base/codes/verify_codes.h"
#include "base/memory.h"
#include "verify/parts_internal.h"
#include "verify/repairs_internal.h"
#include "verify/standing_internal.h"

#include <math.h>

#define MOST_FALLS 3      // findings for which a repair is looked for
#define MOST_PROOFS 8     // verifications of changed designs
#define LEAST_MARGIN 5e-4 // metres: with less it hardly stands

SomRepairs *som_repairs_create(const SomVerifyDef *def) {
    if (def->skips_repairs || def->skips_loads) { // overloads would not be seen
        return NULL;
    }
    SomRepairs *repairs = som_alloc(sizeof *repairs);
    repairs->def = def;
    repairs->falls = MOST_FALLS;
    repairs->proofs = MOST_PROOFS;
    return repairs;
}

void som_repairs_destroy(SomRepairs *repairs) {
    if (repairs != NULL) {
        som_verification_destroy(repairs->before);
        som_free(repairs);
    }
}

bool som_repairs_find(SomRepairs *repairs, const SomFall *fall, SomRepair *repair) {
    if (repairs == NULL || repairs->falls <= 0 || isnan(fall->run->margin)) {
        return false;
    }
    repairs->falls--;
    // what falls from the start is built so
    bool is_built = fall->run->first == 0 && fall->input->whole == NULL;
    return (is_built && som_repair_rolls(repairs, fall, repair)) ||
           som_repair_joints(repairs, fall, repair);
}

bool som_repair_holds(SomStanding *standing, const SomMotionSamples *motion, const SomFall *fall,
                      int first) {
    const SomUnsteadyRun *run = fall->run;
    double t_max = fall->input->options.t_max * (1 + 1e-9);
    int begin = -1, stride = som_standing_stride(motion);
    first = first < run->first ? first : run->first;
    for (int i = first / stride * stride; i < motion->count; i += stride) {
        SomStance stance = som_standing_measure_sample(standing, i);
        bool is_inside = run->first <= i && i <= run->last;
        double least = is_inside ? LEAST_MARGIN : -SOM_STANDING_SLACK;
        if (stance.is_blocked) {
            return false;
        }
        if (stance.support.margin >= least && !(stance.lean > 0)) {
            begin = -1;
            if (i > run->last) {
                return true;
            }
            continue;
        }
        begin = begin < 0 ? i : begin;
        if (i >= run->first && (i - begin + stride) * motion->dt > t_max) {
            return false;
        }
    }
    return begin < 0 || !fall->input->is_end;
}

// ---- comparing what was found before and after

static bool is_fall(const SomFinding *f) {
    return f->code == SOM_UNSTABLE || f->code == SOM_FALLS || f->code == SOM_UNSTABLE_END;
}

static bool is_problem(const SomFinding *f) {
    return f->severity == SOM_ERROR || f->code == SOM_SMALL_MARGIN;
}

// Of a configuration there are no times.
static bool overlaps(const SomFinding *a, const SomFinding *b) {
    return isnan(a->t0) || isnan(b->t0) || (a->t0 <= b->t1 && b->t0 <= a->t1);
}

static bool has_subjects(const SomFinding *f, const SomFinding *of) {
    int found = 0;
    for (int i = 0; i < of->subject_count; i++) {
        for (int k = 0; k < f->subject_count; k++) {
            found += som_str_equal(of->subjects[i], f->subjects[k]);
        }
    }
    return found >= of->subject_count;
}

// Of a kind and about the same things, or a fall at the same time, whatever it is over.
static bool is_same(const SomFinding *f, const SomFinding *of) {
    return is_fall(of) ? is_fall(f) && overlaps(f, of) : f->code == of->code && has_subjects(f, of);
}

static bool was_found_before(const SomVerification *before, const SomFinding *f) {
    for (int i = 0; i < before->findings.count; i++) {
        if (is_same(&before->findings.data[i], f)) {
            return true;
        }
    }
    return false;
}

static long count_unchecked(const SomVerification *v, SomCheck check) {
    long count = 0;
    for (int i = 0; i < v->skipped.count; i++) {
        const SomSkipped *skipped = &v->skipped.data[i];
        count += skipped->is_unchecked && skipped->check == check ? skipped->count : 0;
    }
    return count;
}

static bool fixes_without_new_problems(const SomVerification *before, const SomVerification *after,
                                       const SomFinding *repaired) {
    for (int i = 0; i < after->findings.count; i++) {
        const SomFinding *f = &after->findings.data[i];
        if (is_problem(f) && (is_same(f, repaired) || !was_found_before(before, f))) {
            return false;
        }
    }
    for (int i = 0; i < SOM_CHECKS; i++) {
        if (count_unchecked(after, (SomCheck)i) > count_unchecked(before, (SomCheck)i)) {
            return false;
        }
    }
    return after->omitted == 0;
}

// ---- the changed design

static double clamp(double value, const SomRepair *repair) {
    return repair->is_up ? fmax(value, repair->bound) : fmin(value, repair->bound);
}

// The graph with targets of the joint that keep it within the bound.
typedef struct Changed {
    SomActionGraph graph;
    SomAction *actions;
    SomKeyframe *keyframes;
} Changed;

static void clamp_keyframes(Changed *c, SomAction *action, const SomRepair *repair) {
    int first = c->graph.keyframe_count; // its own ones: others may follow the same
    for (int i = 0; i < action->keyframe_count; i++) {
        c->keyframes[first + i] = c->keyframes[action->first_keyframe + i];
        c->keyframes[first + i].value = clamp(c->keyframes[first + i].value, repair);
    }
    action->first_keyframe = first;
    c->graph.keyframe_count += action->keyframe_count;
}

static Changed change_graph(const SomActionGraph *graph, const SomRepair *repair) {
    Changed c = {.graph = *graph};
    size_t keyframes = (size_t)graph->keyframe_count;
    for (int i = 0; i < graph->action_count; i++) {
        keyframes += (size_t)graph->actions[i].keyframe_count;
    }
    c.actions = som_alloc(((size_t)graph->action_count + 1) * sizeof *c.actions);
    c.keyframes = som_alloc((keyframes + 1) * sizeof *c.keyframes);
    memcpy(c.actions, graph->actions, (size_t)graph->action_count * sizeof *c.actions);
    if (graph->keyframe_count > 0) {
        memcpy(c.keyframes, graph->keyframes, (size_t)graph->keyframe_count * sizeof *c.keyframes);
    }
    for (int i = 0; i < graph->action_count; i++) {
        SomAction *action = &c.actions[i];
        if (action->kind == SOM_ACTION_POSITION && action->target == repair->dof) {
            action->value = clamp(action->value, repair);
        } else if (action->kind == SOM_ACTION_FOLLOW && action->target == repair->dof) {
            clamp_keyframes(&c, action, repair);
        }
    }
    c.graph.actions = c.actions;
    c.graph.keyframes = c.keyframes;
    return c;
}

static SomVerification *verify(const SomRepairs *repairs, SomVerifyDef def) {
    def.prediction = NULL;
    def.reports = NULL;
    def.motion = NULL;
    def.wants_series = def.wants_efforts = def.wants_second_opinion = false;
    def.skips_repairs = true;
    def.stop = repairs->def->stop;
    return som_verify(&def);
}

static SomVerification *verify_joint(const SomRepairs *repairs, const SomRepair *repair) {
    SomVerifyDef def = *repairs->def;
    const SomConfiguration *design = def.mechanism->configuration;
    size_t count = (size_t)design->dof_count;
    double *start = som_alloc((count + 1) * sizeof *start);
    if (count > 0) {
        memcpy(start, def.start != NULL ? def.start : design->start, count * sizeof *start);
    }
    start[repair->dof] = clamp(start[repair->dof], repair);
    def.start = start;
    Changed changed = {0};
    if (def.graph != NULL) {
        changed = change_graph(def.graph, repair);
        def.graph = &changed.graph;
    }
    SomVerification *found = verify(repairs, def);
    som_free(changed.actions);
    som_free(changed.keyframes);
    som_free(start);
    return found;
}

static SomVerification *verify_rolls(const SomRepairs *repairs, const SomRepair *repair) {
    SomVerifyDef def = *repairs->def;
    SomRolledDesign *rolled =
        som_rolled_design_create(def.mechanism->configuration, repair->rolls, repair->roll_count);
    if (rolled == NULL) {
        return NULL;
    }
    SomMechanism *mechanism = som_mechanism_create(som_rolled_design_get(rolled));
    def.mechanism = mechanism;
    SomVerification *found = verify(repairs, def);
    som_mechanism_destroy(mechanism);
    som_rolled_design_destroy(rolled);
    return found;
}

bool som_repairs_prove(SomRepairs *repairs, const SomFinding *finding, const SomRepair *repair) {
    const SomStop *stop = repairs != NULL ? repairs->def->stop : NULL;
    if (repairs == NULL || repairs->proofs <= 0 || som_stop_is_asked(stop)) {
        return false;
    }
    repairs->proofs--;
    if (repairs->before == NULL) {
        repairs->before = verify(repairs, *repairs->def);
    }
    SomVerification *after =
        repair->dof >= 0 ? verify_joint(repairs, repair) : verify_rolls(repairs, repair);
    bool is_proved = after != NULL && !som_stop_is_asked(stop) &&
                     fixes_without_new_problems(repairs->before, after, finding);
    som_verification_destroy(after);
    return is_proved;
}

// ---- words

static void print_rolls(const SomConfiguration *design, const SomRepair *repair, SomText *out) {
    for (int i = 0; i < repair->roll_count; i++) {
        const SomConnection *c = &design->connections[repair->rolls[i].connection];
        som_text_add(out, i == 0 ? SOM_STR("connect '") : SOM_STR(", and '"));
        som_configuration_print_connector(design, c->module_a, c->connector_a, out);
        som_text_add(out, SOM_STR("' to '"));
        som_configuration_print_connector(design, c->module_b, c->connector_b, out);
        som_text_add(out, SOM_STR("' at "));
        som_text_value(out, repair->rolls[i].roll, SOM_DIMENSION_ANGLE);
    }
}

void som_repair_print(const SomVerifyInput *input, const SomRepair *repair, SomText *out) {
    if (repair->dof < 0) {
        print_rolls(input->design, repair, out);
        return;
    }
    SomStr path = input->design->dofs[repair->dof].path;
    SomDimensionName dimension = som_verify_dimension(input, repair->dof, false);
    if (repair->change != 0) {
        som_text_printf(out, "%s '%.*s' by ", repair->is_up ? "raise" : "lower", SOM_STR_ARG(path));
        som_text_value(out, fabs(repair->change), dimension);
        som_text_add(out, input->graph != NULL ? SOM_STR(" from the start on") : SOM_STR(""));
    } else {
        som_text_printf(out, "keep '%.*s' at or %s ", SOM_STR_ARG(path),
                        repair->is_up ? "above" : "below");
        som_text_value(out, repair->bound, dimension);
    }
}
