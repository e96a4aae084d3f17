// SPDX-License-Identifier: Apache-2.0
#include "behaviors/static_set_points.h"

#include "behaviors/graph_builder.h"

#include <math.h>

typedef SomStaticRange Range;
typedef SomStaticEffect Effect;
typedef SomStaticItem Item;

static const SomAction *action_of(const SomStaticJoint *j, int32_t node) {
    return &j->graph->actions[j->graph->nodes[node].index];
}

// ---- ranges

Range som_static_range_add(Range a, Range b) {
    return (Range){a.low + b.low, a.high + b.high, a.slope + b.slope};
}

static double times(double count, double value) {
    return value == 0 ? 0 : count * value;
}

Range som_static_range_multiply(Range a, double count) {
    return (Range){times(count, a.low), times(count, a.high), times(count, a.slope)};
}

static Range hull(Range a, Range b) {
    return (Range){fmin(a.low, b.low), fmax(a.high, b.high),
                   a.slope == b.slope ? a.slope : (double)NAN};
}

static Range exactly(double value) {
    return (Range){value, value, 0};
}

Range som_static_joint_anywhere(const SomStaticJoint *j) {
    return (Range){j->servo->low, j->servo->high, (double)NAN};
}

// ---- effects

static Effect adds_nothing(void) {
    return (Effect){.adds = true};
}

static Effect sets_anything(const SomStaticJoint *j) {
    return (Effect){.sets = true, .set = som_static_joint_anywhere(j)};
}

static Effect either(Effect a, Effect b) {
    return (Effect){.adds = a.adds || b.adds,
                    .sets = a.sets || b.sets,
                    .sum = !a.adds   ? b.sum
                           : !b.adds ? a.sum
                                     : hull(a.sum, b.sum),
                    .set = !a.sets   ? b.set
                           : !b.sets ? a.set
                                     : hull(a.set, b.set)};
}

static Range apply(Effect effect, Range from) {
    Range moved = som_static_range_add(from, effect.sum);
    return !effect.sets ? moved : !effect.adds ? effect.set : hull(moved, effect.set);
}

static Effect then(Effect first, Effect second) {
    Effect both = {.adds = first.adds && second.adds, .sets = first.sets || second.sets};
    both.sum = som_static_range_add(first.sum, second.sum);
    both.set = !first.sets                 ? second.set
               : first.adds && second.sets ? hull(apply(second, first.set), second.set)
                                           : apply(second, first.set);
    return both;
}

// From `least` to `most` times.
static Effect repeated(Effect body, double least, double most) {
    if (most == 0) {
        return adds_nothing();
    }
    Effect all = body;
    all.sum =
        hull(som_static_range_multiply(body.sum, least), som_static_range_multiply(body.sum, most));
    if (body.sets && body.adds) { // set in some pass, then added to
        Range later = hull(exactly(0), som_static_range_multiply(body.sum, most - 1));
        all.set = som_static_range_add(body.set, later);
    }
    return all;
}

static Effect effect_of_course(const SomStaticJoint *j, const SomAction *a) {
    const SomKeyframe *frames = j->graph->keyframes + a->first_keyframe;
    const SomKeyframe *last = &frames[a->keyframe_count - 1];
    Range range = exactly(last->value);
    bool is_complete = a->until == SOM_NONE && fmin(a->duration, a->timeout) >= last->time;
    for (int32_t i = 0; !is_complete && i < a->keyframe_count; i++) {
        range = hull(range, exactly(frames[i].value));
    }
    return (Effect){.sets = true, .set = range};
}

bool som_static_joint_is_tried(const SomStaticJoint *j, int32_t node) {
    return action_of(j, node)->kind == SOM_ACTION_RELATIVE &&
           som_span_compare(som_graph_span(j->graph, node), j->tried) == 0;
}

Range som_static_joint_way(const SomStaticJoint *j, int32_t node) {
    return j->is_trying && som_static_joint_is_tried(j, node) ? (Range){j->value, j->value, 1}
                                                              : exactly(action_of(j, node)->value);
}

static Effect effect_of_action(const SomStaticJoint *j, int32_t node) {
    const SomAction *a = action_of(j, node);
    switch ((SomActionKind)a->kind) {
    case SOM_ACTION_POSITION:
        return (Effect){.sets = true, .set = exactly(a->value)};
    case SOM_ACTION_RELATIVE:
        return (Effect){.adds = true, .sum = som_static_joint_way(j, node)};
    case SOM_ACTION_FOLLOW:
        return effect_of_course(j, a);
    case SOM_ACTION_HOLD: // keeps the set-point of a joint that has arrived, else where it is
        return either(adds_nothing(), sets_anything(j));
    default:
        return sets_anything(j);
    }
}

// ---- up: effects

static Effect effect_of_repeat(const SomStaticJoint *j, const SomGraphNode *n, Effect body) {
    double most = n->index == SOM_FOREVER ? (double)INFINITY : n->index;
    if (n->until == SOM_NONE && n->index == SOM_FOREVER) {
        return sets_anything(j); // nothing comes after it
    }
    return repeated(body, n->until != SOM_NONE ? fmin(1, most) : most, most);
}

// Whether one of its branches is always taken.
static bool has_else(const SomStaticJoint *j, const Item *choose) {
    const SomGraphNode *nodes = j->graph->nodes;
    bool has = false;
    for (int32_t child = choose->node + 1; child < nodes[choose->node].end;
         child = nodes[child].end) {
        has = has || nodes[child].guard == SOM_NONE;
    }
    return has;
}

// When all of its children have joined it.
static void finish_effect(SomStaticJoint *j, Item *item) {
    const SomGraphNode *n = &j->graph->nodes[item->node];
    switch ((SomNodeKind)n->kind) {
    case SOM_NODE_ACTION:
        item->effect = effect_of_action(j, item->node);
        item->has_relative = action_of(j, item->node)->kind == SOM_ACTION_RELATIVE;
        break;
    case SOM_NODE_REPEAT:
        item->effect = effect_of_repeat(j, n, item->effect);
        break;
    case SOM_NODE_CHOOSE: // a branch without the joint leaves it as it is
        if (item->branches < j->children[item->node] || !has_else(j, item)) {
            item->effect = either(item->effect, adds_nothing());
        }
        break;
    default:
        if (item->is_shared && item->has_relative) {
            item->effect = sets_anything(j);
        }
        break;
    }
}

// Children come from the last to the first.
static void join(SomStaticJoint *j, Item *parent, const Item *child) {
    bool is_first = parent->branches++ == 0;
    parent->has_relative |= child->has_relative;
    switch ((SomNodeKind)j->graph->nodes[parent->node].kind) {
    case SOM_NODE_SERIES:
        parent->effect = is_first ? child->effect : then(child->effect, parent->effect);
        break;
    case SOM_NODE_ANY:
        parent->is_shared = !is_first;
        parent->effect = is_first && j->reached.winner[parent->node] == child->node
                             ? child->effect
                             : sets_anything(j);
        break;
    case SOM_NODE_PARALLEL:
        parent->is_shared = !is_first;
        parent->effect = is_first ? child->effect : either(parent->effect, child->effect);
        break;
    case SOM_NODE_CHOOSE:
        parent->effect = is_first ? child->effect : either(parent->effect, child->effect);
        break;
    default:
        parent->effect = child->effect;
        break;
    }
}

static void find_effects(SomStaticJoint *j) {
    for (int i = 0; i < j->items.count; i++) {
        j->items.data[i].branches = 0;
        j->items.data[i].has_relative = j->items.data[i].is_shared = false;
    }
    for (int i = j->items.count - 1; i >= 0; i--) {
        Item *item = &j->items.data[i];
        finish_effect(j, item);
        if (item->parent != SOM_NONE) {
            join(j, &j->items.data[item->parent], item);
        }
    }
}

// ---- down: where nodes begin

// Of a pass of an endless repetition: what is left of adding up a way there and back is less.
#define LEAST_GROWTH 1e-9

// Of all passes: where no joint has limits, and near enough to them for exact sums.
#define MOST_GROWTH 1e6

bool som_static_is_high(SomStaticPasses passes) {
    return passes == SOM_PASS_EARLY_HIGHEST || passes == SOM_PASS_HIGHEST;
}

static bool is_better(SomStaticPasses choice, Range other, Range at) {
    return som_static_is_high(choice) ? other.low > at.low : other.high < at.high;
}

// The last pass that is of interest of a repetition whose passes each add something. If one adds
// more than enough, what is repeated does so in the first pass already.
static double last_pass(double passes, double growth) {
    if (growth > MOST_GROWTH || (isinf(passes) && growth < LEAST_GROWTH)) {
        return 1;
    }
    return fmin(passes, 1 + ceil(MOST_GROWTH / growth));
}

// Chooses the passes of a repetition, whose body is the next item.
static void choose_passes(SomStaticJoint *j, int index) {
    Item *item = &j->items.data[index];
    const Effect *body = &j->items.data[index + 1].effect;
    double passes = som_static_passes(j->graph, j->endings, &j->reached, item->node);
    item->growth = body->adds && !body->sets ? body->sum : exactly(0);
    for (int choice = 0; choice < SOM_PASS_CHOICES; choice++) {
        Range *at = &item->at[choice];
        item->pass[choice] = 1;
        if (!(passes > 1) || (body->adds && body->sets)) {
            continue;
        }
        bool is_early = choice == SOM_PASS_EARLY_HIGHEST || choice == SOM_PASS_EARLY_LOWEST;
        if (body->sets && !is_early && !is_better((SomStaticPasses)choice, *at, body->set)) {
            *at = body->set;
            item->pass[choice] = 2;
        } else if (body->adds && is_better((SomStaticPasses)choice, body->sum, exactly(0))) {
            double last = last_pass(passes, fmax(body->sum.low, -body->sum.high));
            *at = som_static_range_add(*at, som_static_range_multiply(body->sum, last - 1));
            item->pass[choice] = last;
        }
    }
}

static void begin_item(SomStaticJoint *j, int index) {
    Item *item = &j->items.data[index];
    Item *parent = item->parent != SOM_NONE ? &j->items.data[item->parent] : NULL;
    Range start =
        j->def->initial != NULL ? exactly(j->def->initial[j->dof]) : som_static_joint_anywhere(j);
    bool is_series = parent != NULL && j->graph->nodes[parent->node].kind == SOM_NODE_SERIES;
    item->is_disturbed = parent != NULL && (parent->is_disturbed || parent->is_shared);
    for (int choice = 0; choice < SOM_PASS_CHOICES; choice++) {
        item->at[choice] = parent != NULL ? parent->at[choice] : start;
        if (is_series) {
            parent->at[choice] = apply(item->effect, item->at[choice]);
        }
    }
    if (j->graph->nodes[item->node].kind == SOM_NODE_REPEAT) {
        choose_passes(j, index);
    }
}

void som_static_joint_walk(SomStaticJoint *j) {
    find_effects(j);
    for (int i = 0; i < j->items.count; i++) {
        begin_item(j, i);
    }
}

// ---- the small tree

// The action and the nodes above it that are not items yet, from above.
static void add_items(SomStaticJoint *j, int32_t action) {
    int count = 0;
    int32_t node = action;
    for (; node != SOM_NONE && j->item_of[node] == SOM_NONE; node = j->graph->nodes[node].parent) {
        count++;
    }
    int first = j->items.count;
    som_array_reserve(&j->items, first + count);
    j->items.count += count;
    node = action;
    for (int i = first + count - 1; i >= first; i--) {
        j->items.data[i] = (Item){.node = node};
        j->item_of[node] = i;
        node = j->graph->nodes[node].parent;
    }
    for (int i = first; i < first + count; i++) {
        int32_t parent = j->graph->nodes[j->items.data[i].node].parent;
        j->items.data[i].parent = parent == SOM_NONE ? SOM_NONE : j->item_of[parent];
    }
}

void som_static_joint_choose(SomStaticJoint *j, int32_t dof, const int32_t *actions, int count) {
    for (int i = 0; i < j->items.count; i++) {
        j->item_of[j->items.data[i].node] = SOM_NONE;
    }
    j->items.count = 0;
    j->dof = dof;
    j->servo = &j->def->servos[dof];
    j->is_trying = false;
    for (int i = 0; i < count; i++) {
        add_items(j, actions[i]);
    }
}

SomStaticJoint som_static_joint_create(const SomStaticDef *def) {
    const SomActionGraph *g = def->graph;
    SomStaticJoint j = {.def = def, .graph = g, .endings = som_static_endings(g)};
    j.reached = som_static_reached(def, j.endings);
    j.children = som_alloc((size_t)g->node_count * sizeof *j.children);
    j.item_of = som_alloc((size_t)g->node_count * sizeof *j.item_of);
    for (int32_t i = 0; i < g->node_count; i++) {
        j.item_of[i] = SOM_NONE;
        if (g->nodes[i].parent != SOM_NONE) {
            j.children[g->nodes[i].parent]++;
        }
    }
    return j;
}

void som_static_joint_free(SomStaticJoint *j) {
    som_free(j->endings);
    som_static_reached_free(&j->reached);
    som_free(j->children);
    som_free(j->item_of);
    som_array_free(&j->items);
}
