// tests/replay.h - what the parts of tests/replay.c share: a case file and how to read its values.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/json_reader.h"
#include "linkage/linkage.h"

typedef struct Case {
    const char *path;
    const SomJson *root;
    SomLinkage *linkage;
    double worst; // deviation
    int faults;
} Case;

// Says what differs; the case then counts as failed.
__attribute__((format(printf, 2, 3))) void replay_fault(Case *c, const char *format, ...);
SomStr replay_text_of(const SomJson *object, const char *key);
// By name, with a fault if there is none: then the ground, the top, or null.
SomLinkId replay_find_link(Case *c, SomStr name);
SomSublinkageId replay_find_sublinkage(Case *c, SomStr name);
SomJointId replay_find_joint(Case *c, SomStr name);
bool replay_joint_is_called(const SomLinkage *l, SomJointId joint, SomStr name);
SomPose replay_pose_of(Case *c, const SomJson *object, const char *key);
SomLimits replay_limits_of(Case *c, const SomJson *object);
SomDisposition replay_disposition_of(const SomJson *object);
SomJointType replay_type_of(Case *c, const SomJson *object);
SomJointDef replay_joint_def_of(Case *c, const SomJson *o);
int replay_member_count(const SomJson *object);
bool replay_has_code(const SomDiagnostics *diags, SomStr text);
// Each builds the case's linkage, prints one line and leaves the linkage to the caller.
void replay_edits(Case *c);
void replay_solver(Case *c);
