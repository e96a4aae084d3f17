// SPDX-License-Identifier: Apache-2.0
#include "base/codes/verify_codes.h"
#include "base/name_list.h"
#include "behaviors/graph_origin.h"
#include "compose/words.h"
#include "modules/joint_limit.h"
#include "verify/excess_internal.h"

#include <math.h>
#include <stdlib.h>

double som_excess_beyond(double low, double high, double value) {
    return som_limit_fit(low, high, value) == SOM_LIMIT_BEYOND ? som_limit_excess(low, high, value)
                                                               : 0;
}

void som_excess_widen(SomExcess *excess, double value, double limit, double by, double t0,
                      double t1) {
    if (!(excess->by > 0)) {
        excess->t0 = t0;
    }
    excess->t1 = t1;
    if (by > excess->by) {
        excess->by = by;
        excess->value = value;
        excess->limit = limit;
        excess->worst = t0;
    }
}

SomFinding som_excess_finding(const SomVerifyInput *input, const SomExcess *e, SomCheck check) {
    bool is_speed = check == SOM_CHECK_SPEED;
    return (SomFinding){.check = check,
                        .code = is_speed ? SOM_JOINT_SPEED : SOM_JOINT_LIMIT,
                        .t0 = e->t0,
                        .t1 = e->t1,
                        .worst = e->worst,
                        .value = e->value,
                        .limit = e->limit,
                        .dimension = som_verify_dimension(input, e->index, is_speed),
                        .span = som_verify_span(input, e->action, e->index),
                        .action = e->action};
}

void som_excess_add(SomExcessList *list, SomSpan place, const SomExcess *excess) {
    if (excess->by > 0) {
        SomExcessAt at = {place, *excess};
        som_array_push(&list->all, at);
    }
}

// What has no place is ordered by when it begins; a configuration has no times, which are equal.
static int compare_causes(const SomExcessAt *a, const SomExcessAt *b) {
    int order = som_span_compare(a->place, b->place);
    if (order != 0 || a->place.source1 != 0) {
        return order;
    }
    return (a->excess.t0 > b->excess.t0) - (a->excess.t0 < b->excess.t0);
}

static int compare(const void *left, const void *right) {
    const SomExcessAt *a = left, *b = right;
    int order = compare_causes(a, b);
    order = order != 0 ? order
                       : (a->excess.index > b->excess.index) - (a->excess.index < b->excess.index);
    order = order != 0
                ? order
                : (a->excess.action > b->excess.action) - (a->excess.action < b->excess.action);
    return order != 0 ? order : (a->excess.t0 > b->excess.t0) - (a->excess.t0 < b->excess.t0);
}

// Actions without a place, as of a graph that was read from text, are causes of their own.
static bool is_same_cause(const SomExcessAt *a, const SomExcessAt *b) {
    bool has_place = a->place.source1 != 0;
    bool has_action = a->excess.action != SOM_NONE || b->excess.action != SOM_NONE;
    return (has_place || !has_action) && compare_causes(a, b) == 0;
}

// The worst of them, over the time of all. Times of what never ran are no numbers.
static SomExcess join(const SomExcessAt *all, int count) {
    SomExcess worst = all[0].excess;
    for (int i = 1; i < count; i++) {
        const SomExcess *e = &all[i].excess;
        double t0 = fmin(worst.t0, e->t0), t1 = fmax(worst.t1, e->t1);
        worst = e->by > worst.by ? *e : worst;
        worst.t0 = t0;
        worst.t1 = t1;
    }
    return worst;
}

bool som_excess_next(SomExcessList *list, SomExcessGroup *group) {
    int count = list->all.count, begin = list->next;
    if (begin == 0 && count > 1) {
        qsort(list->all.data, (size_t)count, sizeof *list->all.data, compare);
    }
    if (begin == count) {
        return false;
    }
    const SomExcessAt *first = &list->all.data[begin];
    int end = begin + 1;
    while (end < count && is_same_cause(first, &list->all.data[end])) {
        end++;
    }
    list->next = end;
    *group = (SomExcessGroup){first, end - begin, join(first, end - begin)};
    return true;
}

static SomStr path_of(const SomVerifyInput *input, const SomExcess *excess) {
    return input->design->dofs[excess->index].path;
}

// The alias by which the pose of the start sets the joint to this value; NULL: none.
static const SomAlias *alias_of_start(const SomVerifyInput *input, const SomExcess *e) {
    const SomNamedPose *pose = input->pose;
    if (pose == NULL) {
        return NULL;
    }
    int index = e->index - pose->first_dof;
    bool is_set = index >= 0 && index < pose->dof_count && pose->values[index] == e->value;
    return is_set && pose->aliases[index] > 0 ? &som_configuration_joint(input->design, e->index)
                                                     ->aliases[pose->aliases[index] - 1]
                                              : NULL;
}

bool som_excess_add_name(const SomVerifyInput *input, const SomExcess *excess, SomAlias *alias,
                         SomText *out) {
    *alias = (SomAlias){.sign = 1};
    if (excess->action != SOM_NONE) {
        som_text_add(out, som_str(som_graph_joint_name(input->graph, excess->action, alias)));
        return true;
    }
    const SomAlias *start = alias_of_start(input, excess);
    if (start == NULL) {
        som_text_add(out, path_of(input, excess));
        return false;
    }
    *alias = *start;
    int module = input->design->dofs[excess->index].module;
    som_words_joint_path(out, input->design->modules[module].path, start->name);
    return true;
}

int som_excess_list_joints(const SomVerifyInput *input, const SomExcessGroup *group, SomStr *paths,
                           SomText *others) {
    SomNameList list = {.out = others};
    int count = 0;
    paths[count++] = path_of(input, &group->worst);
    for (int i = 0; i < group->count; i++) {
        const SomExcess *e = &group->all[i].excess;
        if (e->index == group->worst.index ||
            (i > 0 && e->index == group->all[i - 1].excess.index)) {
            continue;
        }
        paths[count++] = path_of(input, e);
        som_text_add(others, list.count == 0 ? SOM_STR("likewise ") : SOM_STR(""));
        SomText name = {0};
        SomAlias alias;
        som_excess_add_name(input, e, &alias, &name);
        som_name_list_add(&list, "'%s'", name.data);
        som_text_free(&name);
    }
    som_name_list_end(&list);
    return count;
}

void som_excess_free(SomExcessList *list) {
    som_array_free(&list->all);
}
