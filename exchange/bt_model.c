// SPDX-License-Identifier: Apache-2.0
// The types of nodes: those of BehaviorTree.CPP that mean something here, those that do not, and
// the actions of robots, which are declared in the files that are written.

#include "exchange/bt_internal.h"

#define ENDS "during", "timeout", "until"

static const SomBtType types[] = {
    {"MoveTo",
     SOM_BT_ACTION,
     SOM_ACTION_POSITION,
     {"joint", "target", "tolerance", "speed", ENDS},
     "Moves a joint to a value."},
    {"MoveBy",
     SOM_BT_ACTION,
     SOM_ACTION_RELATIVE,
     {"joint", "by", "tolerance", "speed", ENDS},
     "Moves a joint by a value from where it was last sent to."},
    {"Spin",
     SOM_BT_ACTION,
     SOM_ACTION_VELOCITY,
     {"joint", "speed", ENDS},
     "Turns a joint at a speed; ends with speed 0."},
    {"Follow",
     SOM_BT_ACTION,
     SOM_ACTION_FOLLOW,
     {"joint", "times", "values", "tolerance", "speed", ENDS},
     "Moves a joint along a course, straight between its keyframes."},
    {"Hold",
     SOM_BT_ACTION,
     SOM_ACTION_HOLD,
     {"joints"},
     "Stops joints where they are, and succeeds at once."},
    {"Wait", SOM_BT_ACTION, SOM_ACTION_WAIT, {ENDS}, "Does nothing until it ends."},
    {"Connect", SOM_BT_ACTION, SOM_ACTION_CONNECT, {"dock", ENDS}, "Closes a dock."},
    {"Disconnect", SOM_BT_ACTION, SOM_ACTION_DISCONNECT, {"dock", ENDS}, "Opens a dock."},
    {"Check",
     SOM_BT_CHECK,
     SOM_ACTION_KINDS,
     {"condition"},
     "Succeeds if the condition holds, else fails."},

    {"Sequence", SOM_BT_SEQUENCE, 0, {NULL}, NULL},
    {"AsyncSequence", SOM_BT_SEQUENCE, 0, {NULL}, NULL},
    {"SequenceWithMemory", SOM_BT_SEQUENCE, 0, {NULL}, NULL},
    {"SequenceStar", SOM_BT_SEQUENCE, 0, {NULL}, NULL},
    {"Parallel", SOM_BT_PARALLEL, 0, {"success_count", "failure_count"}, NULL},
    {"ParallelAll", SOM_BT_PARALLEL_ALL, 0, {"max_failures"}, NULL},
    {"Fallback", SOM_BT_FALLBACK, 0, {NULL}, NULL},
    {"AsyncFallback", SOM_BT_FALLBACK, 0, {NULL}, NULL},
    {"IfThenElse", SOM_BT_IF, 0, {NULL}, NULL},
    {"Repeat", SOM_BT_REPEAT, 0, {"num_cycles"}, NULL},
    {"RetryUntilSuccessful", SOM_BT_RETRY, 0, {"num_attempts"}, NULL},
    {"Timeout", SOM_BT_TIMEOUT, 0, {"msec"}, NULL},
    {"Delay", SOM_BT_DELAY, 0, {"delay_msec"}, NULL},
    {"ForceSuccess", SOM_BT_FORCE_SUCCESS, 0, {NULL}, NULL},
    {"Inverter", SOM_BT_INVERTER, 0, {NULL}, NULL},
    {"SubTree", SOM_BT_SUBTREE, 0, {NULL}, NULL},
    {"Sleep", SOM_BT_SLEEP, 0, {"msec"}, NULL},
    {"AlwaysSuccess", SOM_BT_NOTHING, 0, {NULL}, NULL},

    {"ReactiveSequence",
     SOM_BT_REFUSED,
     0,
     {NULL},
     "it asks its conditions at every tick; a Parallel with success_count=\"1\" of the action and "
     "a "
     "Wait 'until' the condition is over does that"},
    {"ReactiveFallback",
     SOM_BT_REFUSED,
     0,
     {NULL},
     "it asks its conditions at every tick; a Parallel with success_count=\"1\" of the action and "
     "a "
     "Wait 'until' the condition does that"},
    {"WhileDoElse",
     SOM_BT_REFUSED,
     0,
     {NULL},
     "it asks its condition at every tick; IfThenElse asks once, and 'until' of an action ends it"},
    {"KeepRunningUntilFailure",
     SOM_BT_REFUSED,
     0,
     {NULL},
     "nothing fails here; a Repeat with num_cycles=\"-1\" repeats for ever, RetryUntilSuccessful "
     "of "
     "a Sequence with a Check at its end until a condition holds"},
    {"ForceFailure", SOM_BT_REFUSED, 0, {NULL}, "nothing fails here"},
    {"AlwaysFailure", SOM_BT_REFUSED, 0, {NULL}, "nothing fails here"},
    {"TryCatch", SOM_BT_REFUSED, 0, {NULL}, "nothing fails here"},
    {"RunOnce",
     SOM_BT_REFUSED,
     0,
     {NULL},
     "nothing remembers what was done in an earlier pass; put the action before the repetition"},
    {"ManualSelector", SOM_BT_REFUSED, 0, {NULL}, "nobody is asked while a behavior runs"},

    {"Script", SOM_BT_BLACKBOARD, 0, {NULL}, "leave it out"},
    {"ScriptCondition", SOM_BT_BLACKBOARD, 0, {NULL}, "write a Check"},
    {"Precondition", SOM_BT_BLACKBOARD, 0, {NULL}, "write a Sequence that begins with a Check"},
    {"SetBlackboard", SOM_BT_BLACKBOARD, 0, {NULL}, "leave it out"},
    {"UnsetBlackboard", SOM_BT_BLACKBOARD, 0, {NULL}, "leave it out"},
    {"WasEntryUpdated", SOM_BT_BLACKBOARD, 0, {NULL}, "write a Check of an input"},
    {"SkipUnlessUpdated",
     SOM_BT_BLACKBOARD,
     0,
     {NULL},
     "write a Sequence that begins with a Check"},
    {"WaitValueUpdate", SOM_BT_BLACKBOARD, 0, {NULL}, "write a Wait"},
    {"Switch2",
     SOM_BT_BLACKBOARD,
     0,
     {NULL},
     "write a Fallback of Sequences that begin with a Check"},
    {"Switch3",
     SOM_BT_BLACKBOARD,
     0,
     {NULL},
     "write a Fallback of Sequences that begin with a Check"},
    {"Switch4",
     SOM_BT_BLACKBOARD,
     0,
     {NULL},
     "write a Fallback of Sequences that begin with a Check"},
    {"Switch5",
     SOM_BT_BLACKBOARD,
     0,
     {NULL},
     "write a Fallback of Sequences that begin with a Check"},
    {"Switch6",
     SOM_BT_BLACKBOARD,
     0,
     {NULL},
     "write a Fallback of Sequences that begin with a Check"},
    {"LoopInt", SOM_BT_BLACKBOARD, 0, {NULL}, "write a Repeat"},
    {"LoopBool", SOM_BT_BLACKBOARD, 0, {NULL}, "write a Repeat"},
    {"LoopDouble", SOM_BT_BLACKBOARD, 0, {NULL}, "write a Repeat"},
    {"LoopString", SOM_BT_BLACKBOARD, 0, {NULL}, "write a Repeat"},
};
#define TYPE_COUNT ((int)(sizeof types / sizeof *types))

// What the ports hold, for people who look at them in Groot.
static const struct {
    const char *name, *type, *words;
} ports[] = {
    {"joint", "std::string", "the joint, as the design calls it"},
    {"joints", "std::string", "the joints, with ; between them"},
    {"target", "double", "rad or m"},
    {"by", "double", "rad or m"},
    {"times", "std::string", "s since the start, with ; between them"},
    {"values", "std::string", "rad or m, with ; between them"},
    {"tolerance", "double", "rad or m: arrived when nearer than this"},
    {"speed", "double", "rad/s or m/s; of a move the greatest on the way, if given"},
    {"dock", "std::string", "the dock, as the design calls it"},
    {"during", "double", "s, if given: then it ends, wherever it is"},
    {"timeout", "double", "s, if given: then it ends, which is no failure"},
    {"until", "std::string", "a condition, if given: ends when it holds, in place of arrival"},
    {"condition", "std::string", "a condition of the Somite language"},
};
#define PORT_COUNT ((int)(sizeof ports / sizeof *ports))

const SomBtType *som_bt_find_type(SomStr name) {
    for (int i = 0; i < TYPE_COUNT; i++) {
        if (som_str_equal(name, som_str(types[i].name))) {
            return &types[i];
        }
    }
    return NULL;
}

const SomBtType *som_bt_action_type(SomActionKind kind) {
    return &types[kind]; // they begin with those of actions, in their order
}

bool som_bt_type_has(const SomBtType *type, SomStr port) {
    for (int i = 0; i < SOM_BT_MOST_PORTS && type->ports[i] != NULL; i++) {
        if (som_str_equal(port, som_str(type->ports[i]))) {
            return true;
        }
    }
    return false;
}

static void write_port(SomXmlWriter *xml, const char *name) {
    for (int i = 0; i < PORT_COUNT; i++) {
        if (strcmp(ports[i].name, name) == 0) {
            som_xml_open(xml, "input_port");
            som_xml_word(xml, "name", name);
            som_xml_word(xml, "type", ports[i].type);
            som_xml_text(xml, som_str(ports[i].words));
            som_xml_close(xml);
        }
    }
}

void som_bt_write_model(SomXmlWriter *xml) {
    som_xml_open(xml, "TreeNodesModel");
    for (int i = 0; i < TYPE_COUNT; i++) {
        const SomBtType *type = &types[i];
        if (type->kind != SOM_BT_ACTION && type->kind != SOM_BT_CHECK) {
            continue;
        }
        som_xml_open(xml, type->kind == SOM_BT_ACTION ? "Action" : "Condition");
        som_xml_word(xml, "ID", type->name);
        for (int k = 0; k < SOM_BT_MOST_PORTS && type->ports[k] != NULL; k++) {
            write_port(xml, type->ports[k]);
        }
        som_xml_text_element(xml, "description", som_str(type->words));
        som_xml_close(xml);
    }
    som_xml_close(xml);
}
