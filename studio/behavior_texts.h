// studio/behavior_texts.h - what a thread needs to know of a behavior, as copies: the texts of its
// project.
//
//     SomBehaviorTexts texts = som_behavior_texts(library, path, text, choice, SOM_STR("walk"));
//     SomComposition *own = som_behavior_texts_compose(&texts); // for this thread alone
//     som_behavior_texts_free(&texts);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/composition.h"

// Zero is empty.
typedef struct SomBehaviorTexts {
    SomText library, path, text, choice; // of a project
    SomText behavior;                    // as it is called; may be empty
} SomBehaviorTexts;

// An empty path is that of a design without a file.
SomBehaviorTexts som_behavior_texts(SomStr library, SomStr path, SomStr text, SomStr choice,
                                    SomStr behavior);
void som_behavior_texts_free(SomBehaviorTexts *texts);

SomComposition *som_behavior_texts_compose(const SomBehaviorTexts *texts);
