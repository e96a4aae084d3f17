// tests/replay.h - what the parts of tests/replay.c share: a case file and how to read its values.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/json_reader.h"
#include "linkage/linkage.h"

typedef struct Case {
    const char *path;
    SomArena *arena;
    const SomJson *root;
    SomLinkage *linkage;
    double worst; // deviation
    int faults;
} Case;

// Says what differs; the case then counts as failed.
__attribute__((format(printf, 2, 3))) void replay_fault(Case *c, const char *format, ...);

// A member of an object, with a fault if it is missing or of another kind; an optional one may be
// missing or null. NULL, "" or -1 then, or `otherwise`.
const SomJson *replay_member(Case *c, const SomJson *object, const char *key, SomJsonKind kind);
const SomJson *replay_optional(Case *c, const SomJson *object, const char *key, SomJsonKind kind);
SomStr replay_text_of(Case *c, const SomJson *object, const char *key);
int replay_integer_of(Case *c, const SomJson *object, const char *key);
double replay_number_of(Case *c, const SomJson *object, const char *key, double otherwise);
// Which of the words it is; the first, with a fault, if it is none.
int replay_word_of(Case *c, const SomJson *object, const char *key, const char *const *words,
                   int count);

// By name, with a fault if there is none: then the ground, the top, or null.
SomLinkId replay_find_link(Case *c, SomStr name);
SomSublinkageId replay_find_sublinkage(Case *c, SomStr name);
SomJointId replay_find_joint(Case *c, SomStr name);
bool replay_joint_is_called(const SomLinkage *l, SomJointId joint, SomStr name);

SomPose replay_pose_of(Case *c, const SomJson *object, const char *key);
SomLimits replay_limits_of(Case *c, const SomJson *object);
SomDisposition replay_disposition_of(Case *c, const SomJson *object);
SomJointType replay_type_of(Case *c, const SomJson *object);
SomJointDef replay_joint_def_of(Case *c, const SomJson *o);
bool replay_has_code(const SomDiagnostics *diags, SomStr text);

// Each builds the case's linkage, prints one line and leaves the linkage to the caller.
void replay_edits(Case *c);
void replay_solver(Case *c);
