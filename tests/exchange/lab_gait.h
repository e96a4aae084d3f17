// tests/exchange/lab_gait.h - gaits of the SMORES lab and a slow interpreter of the lab's rules:
// queues, labels, steps of a millisecond.
//
//     if (som_lab_interpret(&gait)) {
//         som_lab_print_gait(&gait, &text); // what the importer reads; gait.final is where it ends
//     }

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"

#define SOM_LAB_MOST_MODULES 4
#define SOM_LAB_MOST_COMMANDS 40

typedef struct SomLabCommand {
    int module;
    char mode[4];
    double value[4];
    int milliseconds; // -1: none
    int label, after; // letters; -1: none
    int start, end;
} SomLabCommand;

typedef struct SomLabGait {
    SomLabCommand commands[SOM_LAB_MOST_COMMANDS];
    int count;
    double initial[SOM_LAB_MOST_MODULES][4];
    double final[SOM_LAB_MOST_MODULES][4];
    int done, rest;
} SomLabGait;

// False if they wait for each other.
bool som_lab_interpret(SomLabGait *g);

void som_lab_print_conf(const SomLabGait *g, SomText *out);
void som_lab_print_gait(const SomLabGait *g, SomText *out);
