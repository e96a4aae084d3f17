// SPDX-License-Identifier: Apache-2.0
#include "studio/simulate_words.h"

#include "base/number.h"
#include "space/trigonometry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- the outcome

typedef struct Look {
    SomSeverity severity;
    const char *title, *meaning;
} Look;

static const Look looks[SOM_OUTCOMES] = {
    [SOM_OUTCOME_RUNNING] = {SOM_WARNING, "Stopped", "It was stopped before its end."},
    [SOM_OUTCOME_COMPLETED] = {SOM_NOTE, "Completed", ""},
    [SOM_OUTCOME_TIMEOUT] = {SOM_WARNING, "Timed out", "An action ran into its time-out."},
    [SOM_OUTCOME_STUCK] = {SOM_WARNING, "Stuck",
                           "Nothing moves any more, and an action still waits."},
    [SOM_OUTCOME_COLLIDED] = {SOM_ERROR, "Collided",
                              "Parts of the robot touch that did not at the start."},
    [SOM_OUTCOME_FELL] = {SOM_ERROR, "Fell", "Its body leans, or sank, too far."},
    [SOM_OUTCOME_LOOP_OPEN] = {SOM_ERROR, "A loop came apart",
                               "Modules that are connected in a ring are apart."},
    [SOM_OUTCOME_DOCK_BROKE] = {SOM_ERROR, "A dock broke",
                                "It carried more than its connectors hold."},
    [SOM_OUTCOME_DIVERGED] = {SOM_ERROR, "Diverged",
                              "The physics left all bounds: nothing behind that moment means "
                              "anything. Overlapping parts and very light ones do that."},
    [SOM_OUTCOME_NUMB] = {SOM_ERROR, "Nothing moves", "No joint is sensed."},
    [SOM_OUTCOME_CANCELLED] = {SOM_WARNING, "Cancelled", ""},
};

static Look look_of(const SomPhysicsRecord *record) {
    return record->has_run ? looks[record->run.result->outcome]
                           : (Look){SOM_ERROR, "Could not run", ""};
}

SomSeverity som_record_severity(const SomPhysicsRecord *record) {
    return look_of(record).severity;
}

const char *som_record_title(const SomPhysicsRecord *record) {
    return look_of(record).title;
}

// ---- the moment

// The event that an outcome is named after.
static bool makes(const SomSimulationEvent *event, SomOutcome outcome) {
    switch (outcome) {
    case SOM_OUTCOME_FELL:
        return event->kind == SOM_EVENT_FELL;
    case SOM_OUTCOME_COLLIDED:
        return event->kind == SOM_EVENT_SELF_CONTACT;
    case SOM_OUTCOME_DOCK_BROKE:
        return event->kind == SOM_EVENT_DOCK_BROKE;
    case SOM_OUTCOME_LOOP_OPEN:
        return event->kind == SOM_EVENT_LOOP_OPENED;
    case SOM_OUTCOME_DIVERGED:
        return event->kind == SOM_EVENT_DIVERGED;
    case SOM_OUTCOME_TIMEOUT:
    case SOM_OUTCOME_STUCK:
        return event->kind == SOM_EVENT_ACTION_ENDED && event->reason == SOM_END_TIMEOUT;
    default:
        return false;
    }
}

// NULL: no event made it so.
static const SomSimulationEvent *find_maker(const SomSimulationResult *result) {
    for (int i = 0; i < result->events.count; i++) {
        if (makes(&result->events.data[i], result->outcome)) {
            return &result->events.data[i];
        }
    }
    return NULL;
}

double som_record_moment(const SomPhysicsRecord *record) {
    if (!record->has_run) {
        return (double)NAN;
    }
    const SomSimulationEvent *maker = find_maker(record->run.result);
    return maker != NULL ? maker->time : record->run.result->time;
}

void som_record_print_meaning(const SomPhysicsRecord *record, SomText *out) {
    bool is_limit = record->has_run && record->run.result->outcome == SOM_OUTCOME_TIMEOUT &&
                    find_maker(record->run.result) == NULL;
    if (is_limit) {
        som_text_add(out, SOM_STR("The limit of "));
        som_text_number(out, som_physics_run_duration(&record->run));
        som_text_add(out, SOM_STR(" s came before the end of the behavior."));
    } else {
        som_text_add(out, som_str(look_of(record).meaning));
    }
}

static void add_seconds(SomText *out, double seconds) {
    som_text_fixed(out, seconds, 2);
    som_text_add(out, SOM_STR(" s"));
}

void som_record_print_when(const SomPhysicsRecord *record, SomText *out) {
    if (!record->has_run) {
        return;
    }
    const SomSimulationResult *result = record->run.result;
    // time-outs are many, and the run goes on
    bool is_timeout = result->outcome == SOM_OUTCOME_TIMEOUT;
    double moment = is_timeout ? result->time : som_record_moment(record);
    bool is_end = moment >= result->time - 1e-9;
    som_text_add(out, is_end ? SOM_STR("after ") : SOM_STR("at "));
    add_seconds(out, moment);
    int timeouts = som_simulation_timeouts(result);
    if (is_timeout && timeouts > 0) {
        som_text_printf(out, " (%d action%s)", timeouts, timeouts == 1 ? "" : "s");
    }
}

void som_record_print_moved(const SomPhysicsRecord *record, SomText *out) {
    if (!record->has_run || record->run.result->outcome == SOM_OUTCOME_DIVERGED) {
        return; // where to does not matter then
    }
    SomVec3 d = record->run.result->displacement;
    som_text_fixed(out, 1000 * hypot(d.x, d.y), 0);
    som_text_add(out, SOM_STR(" mm over the ground"));
    if (fabs(d.z) >= 0.0005) {
        som_text_add(out, SOM_STR(", "));
        som_text_fixed(out, 1000 * fabs(d.z), 0);
        som_text_add(out, d.z > 0 ? SOM_STR(" mm up") : SOM_STR(" mm down"));
    }
}

void som_record_print_pace(const SomPhysicsRecord *record, SomText *out) {
    if (record->has_run && record->seconds > 0) {
        som_text_rounded(out, record->run.result->time / record->seconds, 2);
        som_text_add(out, SOM_STR("× real time"));
    }
}

// ---- beside the prediction

void som_record_print_lasted(const SomPhysicsRecord *record, SomText *out) {
    const SomComparison *c = record->report.comparison;
    if (c == NULL) {
        return;
    }
    add_seconds(out, c->def.simulated->time);
    if (c->def.prediction->status == SOM_PLAYER_COMPLETED) {
        som_text_add(out, SOM_STR(", predicted "));
        add_seconds(out, c->def.prediction->duration);
    }
}

void som_record_print_actions(const SomPhysicsRecord *record, SomText *out) {
    const SomComparison *c = record->report.comparison;
    if (c != NULL && c->actions.count > 0) {
        som_text_printf(out, "%d of %d as predicted", c->as_predicted, c->actions.count);
    }
}

void som_record_print_joints(const SomPhysicsRecord *record, SomText *out) {
    const SomComparison *c = record->report.comparison;
    if (c == NULL || c->worst_dof < 0) {
        return;
    }
    const SomComparedDof *dof = &c->dofs[c->worst_dof];
    bool is_length = som_comparison_dimension(c, c->worst_dof) == SOM_DIMENSION_LENGTH;
    som_text_add(out, SOM_STR("up to "));
    som_text_fixed(out, fabs(dof->worst) * (is_length ? 1000 : 180 / SOM_PI), 1);
    som_text_printf(out, "%s off, %.*s at ", is_length ? " mm" : "°",
                    SOM_STR_ARG(c->def.mechanism->configuration->dofs[c->worst_dof].path));
    add_seconds(out, dof->worst_time);
}

// ---- what was reported

static size_t find(SomStr text, SomStr piece) {
    size_t at = 0;
    while (at < text.length && !som_str_starts_with(som_str_slice(text, at, text.length), piece)) {
        at++;
    }
    return at; // its length: not there
}

// The words of a report: between "error: " and its code.
static SomStr words_of(SomStr line) {
    const SomStr kinds[] = {SOM_STR("error: "), SOM_STR("warning: "), SOM_STR("note: ")};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t at = find(line, kinds[i]);
        if (at < line.length) {
            SomStr words = som_str_slice(line, at + kinds[i].length, line.length);
            return som_str_slice(words, 0, find(words, SOM_STR(" [SOM")));
        }
    }
    return (SomStr){0};
}

void som_record_print_reasons(const SomPhysicsRecord *record, SomText *out) {
    SomStr rest = som_text_str(&record->words);
    size_t before = out->length;
    while (rest.length > 0) {
        const char *end = memchr(rest.data, '\n', rest.length);
        size_t length = end != NULL ? (size_t)(end - rest.data) : rest.length;
        SomStr words = words_of((SomStr){rest.data, length});
        if (words.length > 0) {
            som_text_add(out, out->length > before ? SOM_STR("\n") : SOM_STR(""));
            som_text_add(out, words);
        }
        length += end != NULL ? 1 : 0;
        rest = (SomStr){rest.data + length, rest.length - length};
    }
    if (out->length == before) {
        som_text_add(out, som_text_str(&record->words));
        while (out->length > before && out->data[out->length - 1] == '\n') {
            out->data[--out->length] = '\0';
        }
    }
}

// ---- moments

SomSeverity som_event_severity(const SomSimulationEvent *event) {
    switch (event->kind) {
    case SOM_EVENT_SELF_CONTACT:
    case SOM_EVENT_FELL:
    case SOM_EVENT_DOCK_BROKE:
    case SOM_EVENT_LOOP_OPENED:
    case SOM_EVENT_DIVERGED:
        return SOM_ERROR;
    case SOM_EVENT_ACTION_ENDED:
        return SOM_WARNING;
    default:
        return SOM_NOTE;
    }
}

static void add_events(const SomPhysicsRecord *record, int most, SomRecordLines *lines) {
    const SomSimulationResult *result = record->run.result;
    for (int i = 0; i < result->events.count; i++) {
        const SomSimulationEvent *event = &result->events.data[i];
        if (!som_event_is_told(event)) {
            continue;
        }
        if (lines->all.count == most) {
            lines->hidden++;
            continue;
        }
        SomRecordLine line = {.time = event->time, .severity = som_event_severity(event)};
        som_event_print(&record->run, event, &line.words);
        som_array_push(&lines->all, line);
    }
}

// What the run is told of by its events is not told again.
static bool is_event(SomPartingKind kind) {
    return kind == SOM_PARTING_CONTACT || kind == SOM_PARTING_FALL || kind == SOM_PARTING_DIVERGED;
}

static void add_partings(const SomComparison *c, int most, SomRecordLines *lines) {
    int count = 0;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < c->partings.count; i++) {
            const SomParting *parting = &c->partings.data[i];
            bool is_small =
                parting->kind == SOM_PARTING_TRACKING || parting->kind == SOM_PARTING_DURATION;
            if (is_event(parting->kind) || is_small != (round == 1)) {
                continue;
            }
            if (count++ >= most) {
                lines->hidden++;
                continue;
            }
            SomRecordLine line = {.time = parting->time,
                                  .severity = is_small ? SOM_NOTE : SOM_WARNING};
            som_text_add(&line.words, parting->message);
            som_array_push(&lines->all, line);
        }
    }
    lines->hidden += c->unkept;
}

static int by_time(const void *a, const void *b) {
    double left = ((const SomRecordLine *)a)->time, right = ((const SomRecordLine *)b)->time;
    return (left > right) - (left < right);
}

SomRecordLines som_record_lines(const SomPhysicsRecord *record, int most) {
    SomRecordLines lines = {0};
    if (record->has_run) {
        add_events(record, most, &lines);
    }
    if (record->report.comparison != NULL) {
        add_partings(record->report.comparison, most, &lines);
    }
    if (lines.all.count > 0) {
        qsort(lines.all.data, (size_t)lines.all.count, sizeof *lines.all.data, by_time);
    }
    return lines;
}

void som_record_lines_free(SomRecordLines *lines) {
    for (int i = 0; i < lines->all.count; i++) {
        som_text_free(&lines->all.data[i].words);
    }
    som_array_free(&lines->all);
}

// ---- while it runs

void som_now_print_stage(const SomPhysicsNow *now, SomText *out) {
    const char *engine = som_engine_title(now->engine);
    switch (now->stage) {
    case SOM_PHYSICS_IDLE:
        break;
    case SOM_PHYSICS_PREPARING:
        som_text_add(out, SOM_STR("Composes the design"));
        break;
    case SOM_PHYSICS_LOADING:
        som_text_printf(out, "%s loads its world", engine);
        break;
    case SOM_PHYSICS_RUNNING:
        som_text_printf(out, "Runs in %s", engine);
        break;
    case SOM_PHYSICS_COMPARING:
        som_text_printf(out, "Compares %s with the prediction", engine);
        break;
    }
}

void som_now_print_time(const SomPhysicsNow *now, SomText *out) {
    if (now->stage != SOM_PHYSICS_RUNNING) {
        return;
    }
    som_text_fixed(out, now->time, 1);
    if (now->time <= now->expected) { // else it lasts longer than predicted
        som_text_add(out, SOM_STR(" of about "));
        som_text_fixed(out, now->expected, 1);
    }
    som_text_add(out, SOM_STR(" s, "));
    som_text_fixed(out, now->speed, 1);
    som_text_add(out, SOM_STR("× real time"));
}

double som_now_fraction(const SomPhysicsNow *now) {
    bool is_known = now->stage == SOM_PHYSICS_RUNNING && now->expected > 0;
    return is_known ? fmin(now->time / now->expected, 1) : (double)NAN;
}
