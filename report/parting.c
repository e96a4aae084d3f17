// SPDX-License-Identifier: Apache-2.0
// Where physics leaves the prediction, in sentences.

#include "behaviors/action_text.h"
#include "report/comparison_internal.h"

#include <math.h>
#include <string.h>

// An effort that explains what a joint does is at its limit this near to the moment; seconds.
#define NEAR 0.05
// An action is late, or short, for what its joint did in the end: this part of its time. An effort
// that explains it is at its limit for at least half of that.
#define END_SHARE 0.25
#define LIMIT_SHARE 0.5
// A speed is measured over this time; seconds.
#define SLOPE 0.02
// What comes later than this is not only late; seconds.
#define MOST_LAG 0.2
// Touches that are told one by one.
#define MOST_CONTACTS 5

const char *som_parting_word(SomPartingKind kind) {
    static const char *const words[] = {
        [SOM_PARTING_MISSING] = "missing",   [SOM_PARTING_REASON] = "reason",
        [SOM_PARTING_DURATION] = "duration", [SOM_PARTING_TRACKING] = "tracking",
        [SOM_PARTING_CONTACT] = "contact",   [SOM_PARTING_FALL] = "fall",
        [SOM_PARTING_DIVERGED] = "diverged",
    };
    return words[kind];
}

static const SomConfiguration *design_of(const SomComparison *c) {
    return c->def.mechanism->configuration;
}

static void add(SomComparison *c, SomPartingKind kind, double time, double predicted,
                SomStr subject, const SomText *message) {
    if (c->partings.count >= SOM_MAX_PARTINGS) {
        c->unkept++;
        return;
    }
    SomParting parting = {.kind = kind,
                          .time = time,
                          .predicted = predicted,
                          .subject = som_arena_copy(&c->arena, subject),
                          .message = som_arena_copy(&c->arena, som_text_str(message))};
    som_array_push(&c->partings, parting);
    // by time; of the same time, what was said first
    SomParting *all = c->partings.data;
    for (int i = c->partings.count - 1; i > 0 && all[i - 1].time > all[i].time; i--) {
        SomParting later = all[i - 1];
        all[i - 1] = all[i];
        all[i] = later;
    }
}

static void print_time(SomText *out, double time) {
    som_text_value(out, time, SOM_DIMENSION_TIME);
}

// ---- why

static SomDimensionName effort_dimension(const SomComparison *c, int dof) {
    return som_comparison_dimension(c, dof) == SOM_DIMENSION_LENGTH ? SOM_DIMENSION_FORCE
                                                                    : SOM_DIMENSION_TORQUE;
}

// How long the DoF's effort is at its limit from t0 to t1.
static double time_at_limit(const SomComparison *c, int dof, double t0, double t1) {
    const SomSimulationResult *r = c->def.simulated;
    double limit = c->dofs[dof].limit, sum = 0;
    for (int i = 1; i < r->times.count && limit > 0 && r->times.data[i] <= t1; i++) {
        double effort = r->efforts.data[(size_t)i * (size_t)r->dof_count + (size_t)dof];
        if (r->times.data[i] >= t0 && fabs(effort) >= SOM_COMPARED_EFFORT * limit) {
            sum += r->times.data[i] - r->times.data[i - 1];
        }
    }
    return sum;
}

// Whether the DoF's effort is at its limit for a good share of the time.
static bool is_at_limit(const SomComparison *c, int dof, double t0, double t1) {
    return time_at_limit(c, dof, t0, t1) > LIMIT_SHARE * (t1 - t0);
}

// "; its effort is at its limit, 1.2 Nm", or what else may be the reason. The effort is looked at
// from `late` on, all else from t0.
static void print_cause(const SomComparison *c, int dof, double t0, double late, double t1,
                        SomText *out) {
    if (dof >= 0 && is_at_limit(c, dof, late, t1)) {
        som_text_add(out, SOM_STR(": its effort is at its limit, "));
        som_text_value(out, c->dofs[dof].limit, effort_dimension(c, dof));
        return;
    }
    if (c->fall <= t1) {
        som_text_add(out, SOM_STR(": the robot fell at "));
        print_time(out, c->fall);
        return;
    }
    if (c->contact <= t1 && c->contact >= t0 - NEAR) {
        som_text_add(out, SOM_STR(": parts of the robot touch from "));
        print_time(out, c->contact);
        return;
    }
    int busiest = -1;
    double most = 0;
    for (int i = 0; i < c->def.simulated->dof_count; i++) {
        double lasts = time_at_limit(c, i, late, t1);
        bool is_busier = lasts > most && is_at_limit(c, i, late, t1);
        busiest = is_busier ? i : busiest;
        most = is_busier ? lasts : most;
    }
    if (busiest >= 0) {
        som_text_printf(out, ", while the effort of '%.*s' is at its limit, ",
                        SOM_STR_ARG(design_of(c)->dofs[busiest].path));
        som_text_value(out, c->dofs[busiest].limit, effort_dimension(c, busiest));
    }
}

// ---- actions

static double value_at(const double *times, const double *values, int count, int dofs, int dof,
                       double time) {
    int at = 0;
    while (at + 1 < count && times[at + 1] <= time) {
        at++;
    }
    return count > 0 ? values[(size_t)at * (size_t)dofs + (size_t)dof] : (double)NAN;
}

// "and stopped 4.1 deg short": where it ends in the simulation and in the prediction.
static void print_short(const SomComparison *c, const SomComparedAction *action, int dof,
                        SomText *out) {
    const SomSimulationResult *r = c->def.simulated;
    if (dof < 0 || c->def.prediction->times.count == 0) {
        return;
    }
    double is = value_at(r->times.data, r->positions.data, r->times.count, r->dof_count, dof,
                         action->simulated.end);
    double off = fabs(is - som_comparison_predicted(c, dof, action->predicted.end));
    SomDimensionName dimension = som_comparison_dimension(c, dof);
    if (off > (dimension == SOM_DIMENSION_LENGTH ? SOM_COMPARED_LENGTH : SOM_COMPARED_ANGLE) / 2) {
        som_text_add(out, SOM_STR(", and stopped "));
        som_text_value(out, off, dimension);
        som_text_add(out, SOM_STR(" short"));
    }
}

static void print_action(const SomComparison *c, int32_t node, SomText *out) {
    som_action_print(design_of(c), c->def.graph, node, out);
}

static void add_reason(SomComparison *c, const SomComparedAction *action, SomText *text) {
    som_text_printf(text, " ended by %s instead of %s",
                    som_end_reason_word(action->simulated.reason),
                    som_end_reason_word(action->predicted.reason));
    if (action->simulated.reason == SOM_END_DONE) { // it did not stop short, it was sooner done
        som_text_add(text, SOM_STR(": its condition was met, which was not predicted"));
    } else {
        print_short(c, action, som_comparison_dof(c, action->node), text);
    }
}

static double longer_by(const SomComparedAction *action) {
    return action->simulated.end - action->simulated.start -
           (action->predicted.end - action->predicted.start);
}

static void add_duration(const SomComparedAction *action, SomText *text) {
    som_text_add(text, SOM_STR(" took "));
    print_time(text, action->simulated.end - action->simulated.start);
    som_text_add(text, SOM_STR(" instead of "));
    print_time(text, action->predicted.end - action->predicted.start);
}

static bool ended_otherwise(const SomComparedAction *action, SomPartingKind kind) {
    bool ended = isfinite(action->simulated.end) && isfinite(action->predicted.end);
    bool is_same = action->simulated.reason == action->predicted.reason;
    double planned = action->predicted.end - action->predicted.start;
    return ended &&
           (kind == SOM_PARTING_REASON
                ? !is_same
                : is_same && fabs(longer_by(action)) > fmax(SOM_COMPARED_TIME, 0.1 * planned));
}

// Of the actions of one DoF, or of none, that ended otherwise: the first, and how many more.
static void look_at_ends(SomComparison *c, int dof, SomPartingKind kind, int first, int others) {
    const SomComparedAction *action = &c->actions.data[first];
    SomText words = {0}, text = {0};
    print_action(c, action->node, &words);
    som_text_printf(&text, "'%s'", som_text_str(&words).data);
    if (kind == SOM_PARTING_REASON) {
        add_reason(c, action, &text);
    } else {
        add_duration(action, &text);
    }
    if (kind == SOM_PARTING_REASON ? action->simulated.reason != SOM_END_DONE
                                   : longer_by(action) > 0) {
        SomRun is = action->simulated;
        print_cause(c, dof, is.start, is.end - END_SHARE * (is.end - is.start), is.end, &text);
    }
    if (others > 0) {
        som_text_printf(&text, "; %d more of its actions %s", others,
                        kind == SOM_PARTING_REASON ? "ended otherwise" : "took longer or shorter");
    }
    add(c, kind, action->simulated.end, action->predicted.end, som_text_str(&words), &text);
    som_text_free(&words);
    som_text_free(&text);
}

// Of actions that did not begin, or did not end, the first and how many more.
static void look_at_missing(SomComparison *c, bool of_ends) {
    const SomComparedAction *first = NULL;
    int others = -1;
    for (int i = 0; i < c->actions.count; i++) {
        const SomComparedAction *action = &c->actions.data[i];
        bool began = isfinite(action->simulated.start);
        bool is_missing =
            of_ends ? began && isfinite(action->predicted.end) && !isfinite(action->simulated.end)
                    : !began;
        others += is_missing;
        first = is_missing && first == NULL ? action : first;
    }
    if (first == NULL) {
        return;
    }
    SomText words = {0}, text = {0};
    print_action(c, first->node, &words);
    som_text_printf(&text, "'%s'", som_text_str(&words).data);
    if (others > 0) {
        som_text_printf(&text, " and %d more action%s", others, others == 1 ? "" : "s");
    }
    som_text_printf(&text, " did not %s: the run was over (%s)", of_ends ? "end" : "begin",
                    som_outcome_word(c->def.simulated->outcome));
    double predicted = of_ends ? first->predicted.end : first->predicted.start;
    add(c, SOM_PARTING_MISSING, c->def.simulated->time, predicted, som_text_str(&words), &text);
    som_text_free(&words);
    som_text_free(&text);
}

static void look_at_actions(SomComparison *c) {
    // actions of no DoF come first
    size_t groups = (size_t)c->def.simulated->dof_count + 1;
    int *first = som_alloc(groups * sizeof *first), *count = som_alloc(groups * sizeof *count);
    for (int kind = SOM_PARTING_REASON; kind <= SOM_PARTING_DURATION; kind++) {
        memset(count, 0, groups * sizeof *count);
        for (int i = 0; i < c->actions.count; i++) {
            int group = som_comparison_dof(c, c->actions.data[i].node) + 1;
            if (ended_otherwise(&c->actions.data[i], (SomPartingKind)kind)) {
                first[group] = count[group]++ == 0 ? i : first[group];
            }
        }
        for (int i = 0; i < (int)groups; i++) {
            if (count[i] > 0) {
                look_at_ends(c, i - 1, (SomPartingKind)kind, first[i], count[i] - 1);
            }
        }
    }
    som_free(first);
    som_free(count);
    look_at_missing(c, false);
    look_at_missing(c, true);
}

// ---- joints

// By how much later the DoF goes the way it should, where it is farthest off; 0: it does not.
static double lag_of(const SomComparison *c, int dof) {
    double stage = som_comparison_stage(c, dof, c->dofs[dof].worst_time);
    double before = som_comparison_predicted(c, dof, stage - SLOPE);
    double slope = (som_comparison_predicted(c, dof, stage) - before) / SLOPE;
    double lag = slope != 0 ? -c->dofs[dof].worst / slope : 0;
    return lag > 0 && lag < MOST_LAG ? lag : 0;
}

static void look_at_dofs(SomComparison *c) {
    for (int i = 0; i < c->def.simulated->dof_count; i++) {
        const SomComparedDof *dof = &c->dofs[i];
        SomDimensionName dimension = som_comparison_dimension(c, i);
        bool is_length = dimension == SOM_DIMENSION_LENGTH;
        if (!(fabs(dof->worst) > (is_length ? SOM_COMPARED_LENGTH : SOM_COMPARED_ANGLE))) {
            continue;
        }
        SomText text = {0};
        som_text_printf(&text, "'%.*s' is ", SOM_STR_ARG(design_of(c)->dofs[i].path));
        som_text_value(&text, fabs(dof->worst), dimension);
        som_text_add(&text, SOM_STR(" from where it should be"));
        double lag = lag_of(c, i);
        double t0 = dof->worst_time - NEAR, t1 = dof->worst_time + NEAR;
        if (!is_at_limit(c, i, t0, t1) && lag > 0) {
            som_text_add(&text, SOM_STR(": it follows "));
            print_time(&text, round(lag * 100) / 100);
            som_text_add(&text, SOM_STR(" later"));
        } else {
            print_cause(c, i, t0, t0, t1, &text);
        }
        add(c, SOM_PARTING_TRACKING, dof->worst_time, som_comparison_stage(c, i, dof->worst_time),
            design_of(c)->dofs[i].path, &text);
        som_text_free(&text);
    }
}

// ---- touches and falls

static bool is_of(SomStr path, SomStr module) {
    return som_str_starts_with(path, module) &&
           (path.length == module.length || path.data[module.length] == '.');
}

// When the verifier saw the two modules touch first.
static double warned_of(const SomComparison *c, SomStr a, SomStr b) {
    double first = NAN;
    const SomVerification *found = c->def.found;
    for (int i = 0; found != NULL && i < found->findings.count; i++) {
        const SomFinding *finding = &found->findings.data[i];
        bool has_a = false, has_b = false;
        for (int k = 0; k < finding->subject_count; k++) {
            has_a |= is_of(finding->subjects[k], a);
            has_b |= is_of(finding->subjects[k], b);
        }
        if (finding->check == SOM_CHECK_SELF_COLLISION && has_a && has_b) {
            first = fmin(first, finding->t0);
        }
    }
    return first;
}

static SomStr module_of(const SomComparison *c, int link) {
    return design_of(c)->modules[c->def.mechanism->links[link].module].path;
}

static void look_at_contact(SomComparison *c, const SomSimulationEvent *event) {
    const SomMechanismLink *links = c->def.mechanism->links;
    double warned = warned_of(c, module_of(c, event->link_a), module_of(c, event->link_b));
    SomText text = {0};
    som_text_printf(&text, "'%.*s' and '%.*s' touch", SOM_STR_ARG(links[event->link_a].path),
                    SOM_STR_ARG(links[event->link_b].path));
    if (isfinite(warned)) {
        som_text_add(&text, SOM_STR("; the verifier warned of it at "));
        print_time(&text, warned);
    } else if (c->def.found != NULL) {
        som_text_add(&text, SOM_STR("; the verifier did not warn of it"));
    }
    add(c, SOM_PARTING_CONTACT, event->time, warned, links[event->link_a].path, &text);
    som_text_free(&text);
}

static void look_at_contacts(SomComparison *c) {
    int count = 0;
    for (int i = 0; i < c->def.simulated->events.count; i++) {
        const SomSimulationEvent *event = &c->def.simulated->events.data[i];
        if (event->kind == SOM_EVENT_SELF_CONTACT && ++count <= MOST_CONTACTS) {
            look_at_contact(c, event);
        }
    }
    c->unkept += count > MOST_CONTACTS ? count - MOST_CONTACTS : 0;
    if (count == 0 && isfinite(c->warned_contact)) {
        SomText text = {0};
        som_text_add(&text, SOM_STR("the verifier warned of a collision at "));
        print_time(&text, c->warned_contact);
        som_text_add(&text, SOM_STR(", but no parts touched"));
        add(c, SOM_PARTING_CONTACT, c->warned_contact, c->warned_contact, SOM_STR(""), &text);
        som_text_free(&text);
    }
}

static void look_at_fall(SomComparison *c) {
    SomText text = {0};
    if (isfinite(c->fall)) {
        som_text_add(&text, SOM_STR("the robot fell"));
        if (isfinite(c->warned_fall)) {
            som_text_add(&text, SOM_STR("; the verifier warned of a fall at "));
            print_time(&text, c->warned_fall);
        } else if (c->def.found != NULL) {
            som_text_add(&text, SOM_STR("; the verifier did not warn of it"));
        }
        add(c, SOM_PARTING_FALL, c->fall, c->warned_fall, SOM_STR(""), &text);
    } else if (isfinite(c->warned_fall)) {
        som_text_add(&text, SOM_STR("the verifier warned of a fall at "));
        print_time(&text, c->warned_fall);
        som_text_add(&text, SOM_STR(", but the robot did not fall"));
        add(c, SOM_PARTING_FALL, c->warned_fall, c->warned_fall, SOM_STR(""), &text);
    }
    if (c->def.simulated->outcome == SOM_OUTCOME_DIVERGED) {
        som_text_clear(&text);
        som_text_add(&text, SOM_STR("the physics left all bounds; what came before is compared"));
        add(c, SOM_PARTING_DIVERGED, c->def.simulated->time, (double)NAN, SOM_STR(""), &text);
    }
    som_text_free(&text);
}

void som_comparison_find_partings(SomComparison *c) {
    look_at_fall(c);
    look_at_contacts(c);
    look_at_dofs(c);
    look_at_actions(c);
}
