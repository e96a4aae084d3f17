// compose/design_change.h - for rooms above that edit the text of a design in ways of their own.
//
//     SomComposition *now = som_design_change_begin(design, config); // NULL: refused, with a
//     reason
//     ... the tree of `now` and the text that is wanted instead ...
//     SomComposition *next = som_design_change_try(design, config, text);
//     if (next != NULL && !is_fine(next)) {
//         som_design_refuse(design, SOM_EDIT_BREAKS, span, "this cannot be done: %s", why);
//         som_composition_release(next);
//         next = NULL;
//     }
//     return som_design_change_make(design, next); // one step; false if there is nothing to make
//
// The same rules as for the operations of compose/design_edit.h: the text composes before and
// after, else nothing is changed and som_design_refusal() says why.
//
// Ownership: what begin returns is the design's; what try returns is the caller's, until make.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/design_edit.h"

#ifdef __cplusplus
extern "C" {
#endif

// The text as it is, composed; NULL if it has errors, or no such config that can be composed.
SomComposition *som_design_change_begin(SomDesign *design, SomStr config);

// NULL after a refusal: it does not compose.
SomComposition *som_design_change_try(SomDesign *design, SomStr config, SomStr text);

// Takes `next` over; NULL does nothing.
bool som_design_change_make(SomDesign *design, SomComposition *next);

// Refuses the operation that has begun; of several reasons the first counts. The span is one of the
// text as it is, or zero. Returns false.
__attribute__((format(printf, 4, 5))) bool som_design_refuse(SomDesign *design, SomCode code,
                                                             SomSpan span, const char *format, ...);
__attribute__((format(printf, 3, 4))) void som_design_refuse_note(SomDesign *design, SomSpan span,
                                                                  const char *format, ...);

// False after a refusal: nobody could write this name.
bool som_design_check_name(SomDesign *design, SomStr name);

// Prints the name of a behavior so that it is not read as an action: "hold" in quotes.
void som_behavior_name_print(SomText *out, SomStr name);

// What som_design_new_name() says.
void som_design_set_new_name(SomDesign *design, SomStr name);

// The text in which a pose has these values, which is not made yet. False after a refusal.
bool som_design_print_posed(SomDesign *design, SomStr config, SomStr pose,
                            const SomJointValue *values, int count, SomText *out);

// A value of a joint as people write it: "45deg", "12.5mm".
void som_dof_print_value(const SomConfiguration *configuration, int dof, double value,
                         SomText *out);

// The joint that the value is of, if it can have it; -1 after a refusal.
int som_design_find_joint(SomDesign *design, SomStr config, const SomJointValue *value);

#ifdef __cplusplus
}
#endif
