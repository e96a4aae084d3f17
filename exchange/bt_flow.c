// SPDX-License-Identifier: Apache-2.0
// Nodes of trees that are made of nodes → series, parallel, any, choose and repeat.

#include "base/codes/exchange_codes.h"
#include "exchange/bt_internal.h"

static SomBtKind kind_of(const SomBtReader *reader, int node) {
    return reader->types[node] != NULL ? reader->types[node]->kind : SOM_BT_UNKNOWN;
}

static int next_of(const SomBtReader *reader, int node) {
    return reader->xml->nodes[node].next;
}

static void put(SomBtReader *reader, const char *words) {
    som_text_add(&reader->out, som_str(words));
}

static void put_seconds(SomBtReader *reader, int msec) {
    som_write_milliseconds(&reader->out, msec);
}

// ---- series

static void report_failing(SomBtReader *reader, int node, const char *then) {
    int cause = reader->fails[node];
    som_bt_report(reader, SOM_BT_MAY_FAIL, som_bt_span(reader, cause),
                  "if '%.*s' fails, %s; here actions end and never fail: put it into a "
                  "ForceSuccess",
                  SOM_STR_ARG(som_bt_shown(reader, cause)), then);
}

// Must not fail, or what follows would not be done.
static void put_sure(SomBtReader *reader, int node, const char *then) {
    if (reader->fails[node] >= 0) {
        report_failing(reader, node, then);
    } else {
        som_bt_node(reader, node);
    }
}

static void put_steps(SomBtReader *reader, int first, int end);

// What comes after a condition is done only if it holds.
static void put_guarded(SomBtReader *reader, int condition, int end) {
    int rest = next_of(reader, condition);
    som_bt_condition(reader, condition);
    put(reader, ": ");
    if (rest >= 0 && rest != end && next_of(reader, rest) == end &&
        !som_bt_is_condition(reader, rest)) {
        som_bt_node(reader, rest);
    } else {
        put_steps(reader, rest, end);
    }
}

// The children from one up to another, or -1: all of them.
static void put_steps(SomBtReader *reader, int first, int end) {
    put(reader, "series(");
    for (int i = first; i >= 0 && i != end; i = next_of(reader, i)) {
        put(reader, i != first ? ", " : "");
        if (som_bt_is_condition(reader, i)) {
            put(reader, "choose(");
            put_guarded(reader, i, end);
            put(reader, ")");
            break;
        }
        if (next_of(reader, i) == end) {
            som_bt_node(reader, i);
        } else {
            put_sure(reader, i, "the rest of the Sequence is not done");
        }
    }
    put(reader, ")");
}

static void put_sequence(SomBtReader *reader, int node) {
    int first = reader->xml->nodes[node].first_child;
    if (som_bt_is_condition(reader, first)) {
        put(reader, "choose(");
        put_guarded(reader, first, -1);
        put(reader, ")");
    } else {
        put_steps(reader, first, -1);
    }
}

// ---- all at once

static void put_all(SomBtReader *reader, int node, const char *word, const char *then) {
    put(reader, word);
    int first = reader->xml->nodes[node].first_child;
    for (int i = first; i >= 0; i = next_of(reader, i)) {
        put(reader, i != first ? ", " : "");
        if (then != NULL) {
            put_sure(reader, i, then);
        } else {
            som_bt_node(reader, i);
        }
    }
    put(reader, ")");
}

static bool is_bare_timeout(const SomBtReader *reader, int node) {
    const SomXml *xml = reader->xml;
    return kind_of(reader, node) == SOM_BT_ACTION &&
           reader->types[node]->action == SOM_ACTION_WAIT &&
           som_xml_attribute(xml, node, SOM_STR("during")).length == 0 &&
           som_xml_attribute(xml, node, SOM_STR("until")).length == 0;
}

// Parallel(X, Wait timeout="2") with success_count="1": X timeout 2s.
static bool is_limited(const SomBtReader *reader, int node) {
    int second = next_of(reader, reader->xml->nodes[node].first_child);
    return kind_of(reader, node) == SOM_BT_PARALLEL && second >= 0 && next_of(reader, second) < 0 &&
           is_bare_timeout(reader, second);
}

// A list or a run, behind which a clause means all of it.
static bool takes_clause(const SomBtReader *reader, int node) {
    switch (kind_of(reader, node)) {
    case SOM_BT_PARALLEL:
        return !is_limited(reader, node);
    case SOM_BT_UNKNOWN:
    case SOM_BT_SEQUENCE:
    case SOM_BT_PARALLEL_ALL:
    case SOM_BT_FALLBACK:
    case SOM_BT_IF:
    case SOM_BT_SUBTREE:
        return true;
    default:
        return false;
    }
}

static void put_any(SomBtReader *reader, int node) {
    int first = reader->xml->nodes[node].first_child;
    if (is_limited(reader, node) && takes_clause(reader, first) && reader->fails[first] < 0) {
        som_bt_node(reader, first);
        som_bt_timeout(reader, next_of(reader, first));
    } else {
        put_all(reader, node, "any(", "the Parallel may fail");
    }
}

static void put_parallel(SomBtReader *reader, int node) {
    int count = som_bt_child_count(reader, node);
    int wanted = som_bt_integer(reader, node, "success_count", -1, 1000000, -1);
    som_bt_integer(reader, node, "failure_count", -1, 1000000, 1);
    if (wanted == 1) {
        put_any(reader, node);
    } else if (wanted == -1 || wanted == count) {
        put_all(reader, node, "parallel(", "the Parallel may fail");
    } else {
        som_bt_report(reader, SOM_BT_NOT_SERIES_PARALLEL, som_bt_span(reader, node),
                      "a Parallel ends with its first child (success_count=\"1\") or when all have "
                      "ended (\"-1\"), not after %d of %d",
                      wanted, count);
    }
}

// ---- choices

// Sequence(Check, …), or a Check alone
static bool is_guarded(const SomBtReader *reader, int node) {
    if (som_bt_is_condition(reader, node)) {
        return true;
    }
    int first = reader->xml->nodes[node].first_child;
    if (kind_of(reader, node) != SOM_BT_SEQUENCE || !som_bt_is_condition(reader, first)) {
        return false;
    }
    for (int i = next_of(reader, first); i >= 0; i = next_of(reader, i)) {
        if (reader->fails[i] >= 0) {
            return false;
        }
    }
    return true;
}

static void put_branch(SomBtReader *reader, int node) {
    if (som_bt_is_condition(reader, node)) {
        som_bt_condition(reader, node);
        put(reader, ": series()");
    } else {
        put_guarded(reader, reader->xml->nodes[node].first_child, -1);
    }
}

static void put_fallback(SomBtReader *reader, int node) {
    int first = reader->xml->nodes[node].first_child;
    put(reader, "choose(");
    for (int i = first; i >= 0; i = next_of(reader, i)) {
        bool is_last = next_of(reader, i) < 0;
        bool is_nothing =
            kind_of(reader, i) == SOM_BT_NOTHING &&
            !som_str_equal(som_xml_attribute(reader->xml, i, SOM_STR("name")), SOM_STR("series"));
        if (is_last && is_nothing) {
            break;
        }
        put(reader, i != first ? ", " : "");
        if (is_guarded(reader, i)) {
            put_branch(reader, i);
        } else if (is_last) {
            put(reader, "else: ");
            som_bt_node(reader, i);
        } else {
            som_bt_report(reader, SOM_BT_NOT_SERIES_PARALLEL, som_bt_span(reader, i),
                          "what follows this in the Fallback is done if it fails, but actions end "
                          "and never fail: begin it with a Check, in a Sequence");
        }
    }
    put(reader, ")");
}

static void put_if(SomBtReader *reader, int node) {
    int condition = reader->xml->nodes[node].first_child;
    int yes = next_of(reader, condition), no = yes >= 0 ? next_of(reader, yes) : -1;
    if (yes < 0 || (no >= 0 && next_of(reader, no) >= 0)) {
        som_bt_report(reader, SOM_BT_STRUCTURE, som_bt_span(reader, node),
                      "an IfThenElse has a condition and one or two nodes to choose from");
    } else if (!som_bt_is_condition(reader, condition)) {
        som_bt_report(reader, SOM_BT_NOT_SERIES_PARALLEL, som_bt_span(reader, condition),
                      "the first child of an IfThenElse is a Check, or an Inverter of one: actions "
                      "end and never fail");
    } else {
        put(reader, "choose(");
        som_bt_condition(reader, condition);
        put(reader, ": ");
        som_bt_node(reader, yes);
        if (no >= 0) {
            put(reader, ", else: ");
            som_bt_node(reader, no);
        }
        put(reader, ")");
    }
}

// ---- decorators

static void put_repeat(SomBtReader *reader, int node) {
    int times = som_bt_integer(reader, node, "num_cycles", -1, 1000000000, -2);
    if (times < 0) {
        put(reader, "repeat forever: ");
    } else {
        som_text_printf(&reader->out, "repeat %d: ", times);
    }
    put_sure(reader, reader->xml->nodes[node].first_child, "it is not repeated");
}

// RetryUntilSuccessful(Sequence(…, Check)): the check after each pass.
static void put_retry(SomBtReader *reader, int node) {
    int times = som_bt_integer(reader, node, "num_attempts", -1, 1000000000, -2);
    int child = reader->xml->nodes[node].first_child;
    int last = som_bt_is_condition(reader, child)          ? child
               : kind_of(reader, child) == SOM_BT_SEQUENCE ? som_bt_last_child(reader, child)
                                                           : -1;
    bool is_until = last >= 0 && som_bt_is_condition(reader, last) && times == -1;
    if (reader->fails[child] < 0) {
        som_bt_node(reader, child); // it succeeds at once
    } else if (!is_until) {
        som_bt_report(
            reader, SOM_BT_NOT_SERIES_PARALLEL, som_bt_span(reader, node),
            "a RetryUntilSuccessful repeats until a condition holds: num_attempts=\"-1\", "
            "and in it a Sequence with a Check at its end");
    } else if (last == child || reader->xml->nodes[child].first_child == last) {
        put(reader, "wait until ");
        som_bt_condition(reader, last);
    } else {
        int first = reader->xml->nodes[child].first_child;
        for (int i = first; i != last; i = next_of(reader, i)) {
            if (reader->fails[i] >= 0) {
                report_failing(reader, i, "the pass begins again");
            }
        }
        put(reader, "repeat until ");
        som_bt_condition(reader, last);
        put(reader, ": ");
        if (next_of(reader, first) == last) {
            som_bt_node(reader, first);
        } else {
            put_steps(reader, first, last);
        }
    }
}

// A time-out of an action that has none is a clause of it; else it runs beside it.
static void put_timeout(SomBtReader *reader, int node) {
    int msec = som_bt_integer(reader, node, "msec", 0, 1000000000, -1);
    int child = reader->xml->nodes[node].first_child;
    bool is_clause = kind_of(reader, child) == SOM_BT_ACTION &&
                     som_bt_type_has(reader->types[child], SOM_STR("timeout")) &&
                     som_xml_attribute(reader->xml, child, SOM_STR("timeout")).length == 0;
    if (msec == 0) { // it has none
        som_bt_node(reader, child);
    } else if (is_clause) {
        som_bt_node(reader, child);
        put(reader, " timeout ");
        put_seconds(reader, msec);
    } else {
        put(reader, "any(");
        put_sure(reader, child, "the Timeout fails");
        put(reader, ", wait ");
        put_seconds(reader, msec);
        put(reader, ")");
    }
}

static void put_delay(SomBtReader *reader, int node) {
    put(reader, "series(wait ");
    put_seconds(reader, som_bt_integer(reader, node, "delay_msec", 0, 1000000000, -1));
    put(reader, ", ");
    som_bt_node(reader, reader->xml->nodes[node].first_child);
    put(reader, ")");
}

// ---- runs

// A tree of the file, or a behavior of the design.
static void put_run(SomBtReader *reader, SomStr name) {
    int tree = som_bt_find_tree(reader, name);
    if (tree >= 0) {
        som_write_name(&reader->out, reader->trees.data[tree].name);
    } else {
        int behavior = som_configuration_find_behavior(reader->design, name);
        som_text_add(&reader->out, reader->design->behaviors[behavior].path);
    }
}

// ---- any node

static void put_node(SomBtReader *reader, int node) {
    if (som_bt_is_condition(reader, node)) { // nothing depends on it
        size_t length = reader->out.length;
        int ranges = reader->ranges.count;
        som_bt_condition(reader, node); // for what is wrong with it
        reader->out.length = length;
        reader->ranges.count = ranges;
        put(reader, "series()");
        return;
    }
    switch (kind_of(reader, node)) {
    case SOM_BT_UNKNOWN:
        put_run(reader, som_bt_shown(reader, node));
        break;
    case SOM_BT_SUBTREE:
        put_run(reader, som_xml_attribute(reader->xml, node, SOM_STR("ID")));
        break;
    case SOM_BT_SEQUENCE:
        put_sequence(reader, node);
        break;
    case SOM_BT_PARALLEL:
        put_parallel(reader, node);
        break;
    case SOM_BT_PARALLEL_ALL:
        put_all(reader, node, "parallel(", NULL);
        break;
    case SOM_BT_FALLBACK:
        put_fallback(reader, node);
        break;
    case SOM_BT_IF:
        put_if(reader, node);
        break;
    case SOM_BT_REPEAT:
        put_repeat(reader, node);
        break;
    case SOM_BT_RETRY:
        put_retry(reader, node);
        break;
    case SOM_BT_TIMEOUT:
        put_timeout(reader, node);
        break;
    case SOM_BT_DELAY:
        put_delay(reader, node);
        break;
    case SOM_BT_FORCE_SUCCESS:
        som_bt_node(reader, reader->xml->nodes[node].first_child);
        break;
    case SOM_BT_INVERTER:
        som_bt_report(reader, SOM_BT_NOT_SERIES_PARALLEL, som_bt_span(reader, node),
                      "only a Check can be inverted: actions end and never fail");
        break;
    default:
        som_bt_leaf(reader, node);
    }
}

void som_bt_node(SomBtReader *reader, int node) {
    SomBtRange range = {.begin = reader->out.length, .span = som_bt_span(reader, node)};
    int index = reader->ranges.count;
    som_array_push(&reader->ranges, range);
    put_node(reader, node);
    reader->ranges.data[index].end = reader->out.length;
}
