// SPDX-License-Identifier: Apache-2.0
// Actions of degrees of freedom, and waiting.

#include "base/codes/behaviors_codes.h"
#include "base/codes/compose_codes.h"
#include "base/codes/compose_text_codes.h"
#include "behaviors/compile_internal.h"
#include "compose/posture.h"
#include "compose/words.h"
#include "modules/joint_limit.h"

#include <math.h>

// Keyframes of a formula that is followed.
#define FORMULA_STEP 0.02 // seconds
#define MOST_KEYFRAMES 5000

// ---- adding

static void count_action(SomCompiler *c, SomNode node) {
    if (++c->actions > SOM_COMPILE_MOST_ACTIONS && !c->is_too_large) {
        c->is_too_large = true;
        som_compiler_report(c, SOM_BEHAVIOR_TOO_LARGE, som_compiler_span(c, node),
                            "the behavior unfolds to more than %d actions",
                            SOM_COMPILE_MOST_ACTIONS);
    }
}

void som_compiler_add(SomCompiler *c, const SomAction *action, SomNode node) {
    count_action(c, node);
    som_graph_builder_add_action(c->builder, action, som_compiler_span(c, node),
                                 c->unfolding->path);
}

void som_compiler_add_move(SomCompiler *c, const SomAction *action, const SomMover *mover,
                           SomNode node) {
    SomStr own = c->configuration->dofs[mover->dof].path;
    if (mover->path.length > 0 && !som_str_equal(mover->path, own)) {
        som_graph_builder_set_name(c->builder, mover->dof, mover->path, mover->alias);
    }
    som_compiler_add(c, action, node);
}

void som_compiler_nothing(SomCompiler *c, SomNode node) {
    c->has_failed = true;
    som_graph_builder_open(c->builder, SOM_NODE_SERIES, som_compiler_span(c, node),
                           c->unfolding->path);
    som_graph_builder_close(c->builder);
}

// ---- limits

// A number that exceeds a bound by rounding only becomes it, with one note for each place; static
// checks report what is farther beyond. `per` follows values: "" or "/s".
static void fit(SomCompiler *c, SomNode node, const SomMover *mover, double low, double high,
                SomAlias alias, const char *per, double *value) {
    double limit = som_limit_nearest(low, high, *value);
    SomLimitFit fit = som_limit_fit(low, high, *value);
    if (!(low < high) || fit == SOM_LIMIT_BEYOND) {
        return;
    }
    if (fit == SOM_LIMIT_ROUNDED &&
        som_reported_places_add(c->reported, SOM_ROUNDED_TO_LIMIT, som_compiler_span(c, node))) {
        som_words_rounded(mover->joint, mover->path, som_compiler_span(c, node), per,
                          som_alias_from_joint(alias, *value), som_alias_from_joint(alias, limit),
                          c->diags);
    }
    *value = limit;
}

static void fit_position(SomCompiler *c, SomNode node, const SomMover *mover, double *value) {
    fit(c, node, mover, mover->joint->low, mover->joint->high, mover->alias, "", value);
}

static void fit_speed(SomCompiler *c, SomNode node, const SomMover *mover, double *speed) {
    double most = mover->joint->speed;
    fit(c, node, mover, -most, most, (SomAlias){.sign = *speed < 0 ? -1 : 1}, "/s", speed);
}

// ---- clauses

SomClauses som_compiler_clauses(SomCompiler *c, SomNode node) {
    const SomSyntax *tree = c->unfolding->tree;
    SomClauses found = {0};
    SomNode child = som_syntax_first_child(tree, node);
    for (; child != 0; child = som_syntax_next_sibling(tree, child)) {
        SomNode *slot = NULL;
        switch (som_syntax_kind(tree, child)) {
        case SOM_SOM_UNTIL:
            slot = &found.until;
            break;
        case SOM_SOM_WITHIN:
            slot = &found.within;
            break;
        case SOM_SOM_TIMEOUT:
            slot = &found.timeout;
            break;
        case SOM_SOM_AT:
            slot = &found.at;
            break;
        case SOM_SOM_DURING:
            slot = &found.during;
            break;
        case SOM_SOM_LATCH:
            slot = &found.latch;
            break;
        default:
            break;
        }
        if (slot != NULL && *slot != 0) {
            som_compiler_report(c, SOM_SAID_TWICE, som_compiler_span(c, child),
                                "this is said twice");
        } else if (slot != NULL) {
            *slot = slot == &found.latch ? child : som_syntax_first_child(tree, child);
        }
    }
    return found;
}

void som_compiler_refuse(SomCompiler *c, SomNode clause, const char *words) {
    if (clause != 0) {
        som_compiler_report(c, SOM_CLAUSE_MISPLACED, som_compiler_span(c, clause), "%s", words);
    }
}

// Only `reached`: what a move without a duration ends with anyway.
static bool is_arrival(SomCompiler *c, SomNode until) {
    SomValue value;
    return som_str_equal(som_syntax_text(c->unfolding->tree, until), SOM_STR("reached")) &&
           !som_compiler_find_value(c, SOM_STR("reached"), &value);
}

static bool has_arrival(const SomAction *action) {
    return action->kind == SOM_ACTION_POSITION || action->kind == SOM_ACTION_RELATIVE ||
           action->kind == SOM_ACTION_FOLLOW;
}

// Until, during, time-out; of a wait `mover` is NULL, of all but courses `course_end` is 0.
static void apply_ends(SomCompiler *c, const SomClauses *clauses, const SomMover *mover,
                       double course_end, SomAction *action) {
    bool arrives = has_arrival(action);
    if (clauses->during != 0) {
        som_compiler_time(c, clauses->during, &action->duration);
    }
    if (clauses->timeout != 0) {
        som_compiler_time(c, clauses->timeout, &action->timeout);
    } else if (arrives && clauses->during == 0 && mover->timeout > 0) {
        action->timeout = mover->timeout;
    }
    SomConditionOf of = {arrives ? mover : NULL, action->tolerance, course_end};
    bool ends_anyway = arrives && clauses->during == 0;
    if (clauses->until != 0 && !(ends_anyway && is_arrival(c, clauses->until))) {
        action->until = som_compiler_condition(c, clauses->until, of);
    }
    if (clauses->latch != 0) {
        static const SomInstruction at_once = {1, 0, SOM_INSTRUCTION_NUMBER};
        action->until = som_graph_builder_add_condition(c->builder, &at_once, 1);
    }
    if (clauses->latch != 0 && (clauses->until != 0 || clauses->during != 0)) {
        som_compiler_refuse(c, clauses->latch, "'hold' ends the action at once already");
    }
}

// What the clauses of a move say of one DoF, and the defaults of its joint.
static void apply(SomCompiler *c, const SomClauses *clauses, const SomMover *mover,
                  double course_end, SomAction *action) {
    double number;
    bool arrives = has_arrival(action);
    if (mover->joint->tolerance > 0) {
        action->tolerance = mover->joint->tolerance;
    }
    if (clauses->within != 0 && arrives &&
        som_compiler_quantity(c, clauses->within, som_mover_dimension(mover), &number)) {
        action->tolerance = number;
        if (!(number > 0)) {
            som_compiler_report(c, SOM_ACTION_VALUE, som_compiler_span(c, clauses->within),
                                "what counts as reached is above zero");
        }
    }
    if (clauses->at != 0 && arrives &&
        som_compiler_quantity(c, clauses->at, som_mover_speed_dimension(mover), &number)) {
        action->speed = number;
        fit_speed(c, clauses->at, mover, &action->speed);
        if (!(number > 0)) {
            som_compiler_report(c, SOM_ACTION_VALUE, som_compiler_span(c, clauses->at),
                                "a speed on the way is above zero");
        }
    }
    if (!arrives) {
        som_compiler_refuse(c, clauses->within, "nothing is reached here");
        som_compiler_refuse(c, clauses->at, "the speed is given already");
    }
    apply_ends(c, clauses, mover, course_end, action);
}

// ---- following

typedef struct Keyframes {
    SOM_ARRAY(SomKeyframe) all;
} Keyframes;

// [0s: 0deg, 1s: 40deg]
static bool read_course(SomCompiler *c, SomNode keys, const SomMover *mover, Keyframes *frames) {
    const SomSyntax *tree = c->unfolding->tree;
    bool fine = true;
    SomNode key = som_syntax_find_child(tree, keys, SOM_SOM_KEY);
    for (; key != 0; key = som_syntax_find_next(tree, key, SOM_SOM_KEY)) {
        SomNode time = som_syntax_first_child(tree, key);
        SomKeyframe frame;
        fine &= som_compiler_time(c, time, &frame.time);
        fine &= som_compiler_quantity(c, som_syntax_next_sibling(tree, time),
                                      som_mover_dimension(mover), &frame.value);
        frame.value = som_alias_to_joint(mover->alias, frame.value);
        som_array_push(&frames->all, frame);
    }
    if (fine && frames->all.count == 0) {
        som_compiler_report(c, SOM_FOLLOW_TIMES, som_compiler_span(c, keys),
                            "a course has one keyframe or more, such as [0s: 0deg, 1s: 40deg]");
    }
    return fine && frames->all.count > 0;
}

// A formula of t, for as long as `during` says.
static bool sample_formula(SomCompiler *c, SomNode formula, SomNode during, const SomMover *mover,
                           Keyframes *frames) {
    double duration;
    if (during == 0) {
        som_compiler_report(c, SOM_CLAUSE_MISPLACED, som_compiler_span(c, formula),
                            "a formula of t is followed during a time: add 'during'");
        return false;
    }
    if (!som_compiler_time(c, during, &duration)) {
        return false;
    }
    double wanted = ceil(duration / FORMULA_STEP);
    int count = wanted < 1 ? 1 : wanted > MOST_KEYFRAMES ? MOST_KEYFRAMES : (int)wanted;
    int bound = c->unfolding->bindings.count;
    bool fine = true;
    for (int i = 0; fine && i <= count && c->steps_left > 0; i++) {
        SomKeyframe frame = {.time = duration * i / count};
        som_compiler_bind(c, SOM_STR("t"),
                          som_value_quantity(frame.time, som_dimension(SOM_DIMENSION_TIME)));
        fine = som_compiler_quantity(c, formula, som_mover_dimension(mover), &frame.value);
        som_compiler_unbind(c, bound);
        frame.value = som_alias_to_joint(mover->alias, frame.value);
        if (i == 0 || frame.time > frames->all.data[frames->all.count - 1].time) {
            som_array_push(&frames->all, frame);
        }
    }
    return fine;
}

void som_compiler_add_course(SomCompiler *c, SomNode node, const SomClauses *clauses,
                             const SomMover *mover, SomKeyframe *frames, int count) {
    for (int i = 0; i < count; i++) {
        fit_position(c, node, mover, &frames[i].value);
    }
    SomAction action = som_action(SOM_ACTION_FOLLOW, mover->dof, 0);
    SomMover slow = *mover;
    double end = frames[count - 1].time;
    if (slow.timeout > 0) {
        slow.timeout += end;
    }
    action.first_keyframe = som_graph_builder_add_keyframes(c->builder, frames, count);
    action.keyframe_count = count;
    apply(c, clauses, &slow, end, &action);
    som_compiler_add_move(c, &action, mover, node);
}

static void follow(SomCompiler *c, SomNode node, SomNode course, const SomMover *mover) {
    SomClauses clauses = som_compiler_clauses(c, node);
    Keyframes frames = {0};
    bool is_list = som_syntax_kind(c->unfolding->tree, course) == SOM_SOM_KEYS;
    bool fine = is_list ? read_course(c, course, mover, &frames)
                        : sample_formula(c, course, clauses.during, mover, &frames);
    if (!fine) {
        som_compiler_nothing(c, node);
    } else {
        som_compiler_add_course(c, node, &clauses, mover, frames.all.data, frames.all.count);
    }
    som_array_free(&frames.all);
}

// ---- moves

static SomActionKind read_mode(SomCompiler *c, SomNode node) {
    const SomSyntax *tree = c->unfolding->tree;
    SomElements it = som_syntax_elements(tree, node);
    while (som_elements_next(&it)) {
        if (it.node != 0) {
            continue;
        }
        SomStr word = som_syntax_token_text(tree, it.token);
        return som_str_equal(word, SOM_STR("by"))       ? SOM_ACTION_RELATIVE
               : som_str_equal(word, SOM_STR("spin"))   ? SOM_ACTION_VELOCITY
               : som_str_equal(word, SOM_STR("follow")) ? SOM_ACTION_FOLLOW
                                                        : SOM_ACTION_POSITION;
    }
    return SOM_ACTION_POSITION;
}

void som_compiler_move(SomCompiler *c, SomNode node) {
    SomNode place = som_syntax_first_child(c->unfolding->tree, node);
    SomNode value_node = som_syntax_next_sibling(c->unfolding->tree, place);
    SomActionKind kind = read_mode(c, node);
    SomMover mover;
    if (!som_compiler_find_dof(c, place, &mover)) {
        if (kind != SOM_ACTION_FOLLOW) {
            som_compiler_evaluate(c, value_node); // for what is wrong with it, too
        }
        som_compiler_nothing(c, node);
        return;
    }
    if (kind == SOM_ACTION_FOLLOW) {
        follow(c, node, value_node, &mover);
        return;
    }
    SomDimension wanted = kind == SOM_ACTION_VELOCITY ? som_mover_speed_dimension(&mover)
                                                      : som_mover_dimension(&mover);
    double value;
    bool fine = som_compiler_quantity(c, value_node, wanted, &value);
    value = kind == SOM_ACTION_POSITION ? som_alias_to_joint(mover.alias, value)
                                        : value / mover.alias.sign;
    if (kind == SOM_ACTION_POSITION) {
        fit_position(c, node, &mover, &value);
    } else if (kind == SOM_ACTION_VELOCITY) {
        fit_speed(c, node, &mover, &value);
    }
    SomAction action = som_action(kind, mover.dof, fine ? value : 0);
    SomClauses clauses = som_compiler_clauses(c, node);
    apply(c, &clauses, &mover, 0, &action);
    som_compiler_add_move(c, &action, &mover, node);
}

// A joint of a pose, called as the pose calls it.
static SomMover mover_of_pose(SomCompiler *c, const SomNamedPose *pose, int index) {
    SomMover mover = som_compiler_mover(c, pose->first_dof + index);
    if (pose->aliases[index] > 0) {
        const SomModuleDof *dof = &c->configuration->dofs[mover.dof];
        SomText text = {0};
        mover.alias = mover.joint->aliases[pose->aliases[index] - 1];
        som_words_joint_path(&text, c->configuration->modules[dof->module].path, mover.alias.name);
        mover.path = som_arena_copy(&c->arena, som_text_str(&text));
        som_text_free(&text);
    }
    return mover;
}

void som_compiler_to_pose(SomCompiler *c, SomNode node) {
    const SomSyntax *tree = c->unfolding->tree;
    SomNode first = som_syntax_find_child(tree, node, SOM_SOM_PLACE);
    SomNode second = som_syntax_find_next(tree, first, SOM_SOM_PLACE);
    int part, index;
    if (!som_compiler_find_part(c, second != 0 ? first : 0, &part) ||
        !som_compiler_find_pose(c, part, second != 0 ? second : first, &index)) {
        som_compiler_nothing(c, node);
        return;
    }
    const SomNamedPose *pose = &c->configuration->poses[index];
    SomClauses clauses = som_compiler_clauses(c, node);
    som_graph_builder_open(c->builder, SOM_NODE_PARALLEL, som_compiler_span(c, node),
                           c->unfolding->path);
    for (int i = 0; i < pose->dof_count && !c->is_too_large; i++) {
        if (!isnan(pose->values[i])) {
            SomMover mover = mover_of_pose(c, pose, i);
            SomAction action = som_action(SOM_ACTION_POSITION, mover.dof, pose->values[i]);
            apply(c, &clauses, &mover, 0, &action);
            som_compiler_add_move(c, &action, &mover, node);
        }
    }
    som_graph_builder_close(c->builder);
}

// A DoF, all of a part, or all of the one whose behavior it is.
void som_compiler_hold(SomCompiler *c, SomNode node) {
    SomNode place = som_syntax_find_child(c->unfolding->tree, node, SOM_SOM_PLACE);
    SomPlaced placed = {.part = c->unfolding->part};
    SomMover mover = {.dof = -1};
    if (place != 0 && (!som_compiler_follow(c, place, &placed) ||
                       (placed.member != 0 && !som_compiler_find_dof(c, place, &mover)))) {
        som_compiler_nothing(c, node);
        return;
    }
    const SomPart *part = &c->configuration->parts[placed.part];
    int first = mover.dof >= 0 ? mover.dof : part->first_dof;
    int count = mover.dof >= 0 ? 1 : part->dof_count;
    som_graph_builder_open(c->builder, SOM_NODE_PARALLEL, som_compiler_span(c, node),
                           c->unfolding->path);
    for (int i = 0; i < count && !c->is_too_large; i++) {
        SomAction action = som_action(SOM_ACTION_HOLD, first + i, 0);
        if (mover.dof >= 0) {
            som_compiler_add_move(c, &action, &mover, node);
        } else {
            som_compiler_add(c, &action, node);
        }
    }
    som_graph_builder_close(c->builder);
}

void som_compiler_wait(SomCompiler *c, SomNode node) {
    const SomSyntax *tree = c->unfolding->tree;
    SomNode first = som_syntax_first_child(tree, node);
    SomClauses clauses = som_compiler_clauses(c, node);
    SomAction action = som_action(SOM_ACTION_WAIT, SOM_NONE, 0);
    som_compiler_refuse(c, clauses.within, "a wait reaches nothing");
    som_compiler_refuse(c, clauses.at, "a wait has no speed");
    som_compiler_refuse(c, clauses.latch, "a wait holds nothing");
    clauses.latch = 0;
    apply_ends(c, &clauses, NULL, 0, &action);
    if (first != 0 && som_som_is_expression(som_syntax_kind(tree, first))) {
        som_compiler_time(c, first, &action.duration);
    }
    som_compiler_add(c, &action, node);
}

// connect D, disconnect A.B to C.T
void som_compiler_docking(SomCompiler *c, SomNode node) {
    const SomSyntax *tree = c->unfolding->tree;
    SomNode first = som_syntax_find_child(tree, node, SOM_SOM_PLACE);
    SomNode second = som_syntax_find_next(tree, first, SOM_SOM_PLACE);
    int dock;
    if (!(second != 0 ? som_compiler_find_dock_between(c, first, second, &dock)
                      : som_compiler_find_dock(c, first, &dock))) {
        som_compiler_nothing(c, node);
        return;
    }
    SomStr word = som_syntax_token_text(tree, som_syntax_first_token(tree, node));
    bool closes = som_str_equal(word, SOM_STR("connect"));
    SomAction action = som_action(closes ? SOM_ACTION_CONNECT : SOM_ACTION_DISCONNECT, dock, 0);
    SomClauses clauses = som_compiler_clauses(c, node);
    som_compiler_refuse(c, clauses.within, "a dock has its own reach");
    som_compiler_refuse(c, clauses.at, "a dock has no speed");
    apply_ends(c, &clauses, NULL, 0, &action);
    const SomDock *d = &c->configuration->docks[dock];
    double timeout = c->configuration->modules[d->connection.module_a].type->timeout;
    if (clauses.timeout == 0 && clauses.during == 0 && timeout > 0) {
        action.timeout = timeout + (closes ? som_dock_connect_time(c->configuration, d)
                                           : som_dock_release_time(c->configuration, d));
    }
    som_compiler_add(c, &action, node);
}
