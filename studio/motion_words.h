// studio/motion_words.h - what is to be said of the motion of a behavior, in one line.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/desk.h"
#include "studio/motion_record.h"

// "safe", "2 errors, 1 warning", "incomplete", "cannot be played: …", "computing…". The record is
// NULL if there is none of what the desk shows. Returns how bad it is.
SomSeverity som_motion_words(const SomDesk *desk, const SomMotionRecord *record, SomText *out);
