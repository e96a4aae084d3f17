// SPDX-License-Identifier: Apache-2.0
#include "behaviors/action_text.h"

#include "base/memory.h"
#include "base/number.h"
#include "behaviors/graph_origin.h"
#include "compose/posture.h"
#include "language/name.h"
#include "player/trace_text.h"

#include <math.h>

// Units: smaller values keep three digits, and those that are but rounding errors are 0.
#define LEAST_ROUNDED 0.01
#define LEAST_SHOWN 1e-9

static void print_value(SomText *out, double value, SomDimensionName dimension) {
    // a tenth of a millidegree is finer than most joints
    double shown = round(value * 1e6) / 1e6;
    bool is_short = dimension == SOM_DIMENSION_LENGTH && fabs(value) < 1 && value != 0;
    SomStr name = is_short ? SOM_STR("mm") : som_dimension_info(som_dimension(dimension))->unit;
    const SomUnit *unit = som_unit_find(name);
    double number = round(som_unit_from_si(unit, shown) * 1000) / 1000;
    double exact = som_unit_from_si(unit, value);
    if (fabs(exact) < LEAST_ROUNDED && fabs(exact) >= LEAST_SHOWN) {
        som_text_rounded(out, exact, 3);
        som_text_add(out, name);
        return;
    }
    som_text_number(out, number == 0 ? 0 : number);
    som_text_add(out, name);
}

void som_action_print(const SomConfiguration *design, const SomActionGraph *graph, int32_t node,
                      SomText *out) {
    const SomAction *action = &graph->actions[graph->nodes[node].index];
    if (action->kind == SOM_ACTION_WAIT) {
        som_text_add(out, SOM_STR("wait"));
        return;
    }
    if (action->kind == SOM_ACTION_CONNECT || action->kind == SOM_ACTION_DISCONNECT) {
        som_text_printf(out, "%s %s", action->kind == SOM_ACTION_CONNECT ? "connect" : "disconnect",
                        som_graph_name(graph, SOM_SYMBOL_DOCK, action->target));
        return;
    }
    bool slides = som_configuration_joint(design, action->target)->type == SOM_JOINT_PRISMATIC;
    SomAlias alias;
    const char *name = som_graph_joint_name(graph, node, &alias);
    static const char *const words[SOM_ACTION_KINDS] = {[SOM_ACTION_POSITION] = "to ",
                                                        [SOM_ACTION_RELATIVE] = "by ",
                                                        [SOM_ACTION_VELOCITY] = "spin ",
                                                        [SOM_ACTION_FOLLOW] = "follow",
                                                        [SOM_ACTION_HOLD] = "hold"};
    som_text_printf(out, "%s %s", name, words[action->kind]);
    if (action->kind == SOM_ACTION_POSITION || action->kind == SOM_ACTION_RELATIVE) {
        bool is_way = action->kind == SOM_ACTION_RELATIVE;
        print_value(
            out, is_way ? alias.sign * action->value : som_alias_from_joint(alias, action->value),
            slides ? SOM_DIMENSION_LENGTH : SOM_DIMENSION_ANGLE);
    } else if (action->kind == SOM_ACTION_VELOCITY) {
        print_value(out, alias.sign * action->value,
                    slides ? SOM_DIMENSION_SPEED : SOM_DIMENSION_ANGULAR_SPEED);
    }
}

// ---- columns

void som_column_print(const char *path, SomText *out) {
    SomPlayerText counted = {0};
    som_trace_text_column(path, &counted);
    char *buffer = som_alloc(counted.length + 1);
    SomPlayerText text = {buffer, counted.length + 1, 0};
    som_trace_text_column(path, &text);
    som_text_add(out, (SomStr){buffer, som_player_text_end(&text)});
    som_free(buffer);
}

void som_column_read(SomStr name, SomText *path) {
    size_t begin = 0;
    for (size_t end = 0; end <= name.length; end++) {
        if (end < name.length && name.data[end] != '.') {
            continue;
        }
        SomStr element = som_str_slice(name, begin, end);
        SomStr array = som_name_of_array(element);
        som_name_print(path, array);
        som_text_add(path, som_str_slice(element, array.length, element.length));
        som_text_add(path, end < name.length ? SOM_STR(".") : (SomStr){0});
        begin = end + 1;
    }
}
