// player/element.h - what stands in the element of a simulator's plugin, read attribute by
// attribute: the host's own reader of XML gives names and values, this gives numbers that can be
// trusted.
//
//     SomAttribute attributes[] = {{"name", "leg.bend"}, {"joint", "leg_bend"}, {"start", "0.5"}};
//     if (!som_element_read_dof(attributes, 3, &dof, &fault)) ... fault.words, fault.attribute
//     if (!som_element_bind(&element, &fault)) ... does all of it fit the graph?
//
// docs/gazebo.md lists the elements; exchange/sdf_plugin.c writes them. Attributes that are not
// known are passed over, so that later versions may have more. Any values get an answer. Strings
// stay borrowed.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/robot_run.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_ELEMENT_MOST 4096 // welds, contacts: names are compared one by one

typedef struct SomAttribute {
    const char *name;
    const char *value;
} SomAttribute;

typedef struct SomElementFault {
    const char *words;     // "a number was expected"
    const char *attribute; // or name that it is about; NULL
} SomElementFault;

typedef struct SomRobotTrace {
    const char *file;
    double every; // seconds between rows
} SomRobotTrace;

// What counts as a fall; limits that it does not give stay as they are.
bool som_element_read_physics(const SomAttribute *attributes, int32_t count, SomFallLimits *fall,
                              SomElementFault *fault);

// NULL if it is not there.
const char *som_element_attribute(const SomAttribute *attributes, int32_t count, const char *name);

bool som_element_read_dof(const SomAttribute *attributes, int32_t count, SomRobotDof *dof,
                          SomElementFault *fault);
bool som_element_read_weld(const SomAttribute *attributes, int32_t count, SomRobotWeld *weld,
                           SomElementFault *fault);
bool som_element_read_body(const SomAttribute *attributes, int32_t count, SomRobotBody *body,
                           SomElementFault *fault);
// The body of a link, by its name; -1 if there is none.
int32_t som_element_find_body(const SomRobotBody *bodies, int32_t count, const char *link);
bool som_element_read_trace(const SomAttribute *attributes, int32_t count, SomRobotTrace *trace,
                            SomElementFault *fault);

// Whether a collision of the model is the shape of that name, or a piece of it: hulls are written
// as NAME_ball_1, NAME_ball_2 … and NAME_box, capsules to older versions with NAME_end_1.
bool som_element_is_piece(const char *collision, const char *shape);

// All that was read, and the graph that is to be played with it.
typedef struct SomElement {
    const SomActionGraph *graph;
    const SomRobotDof *dofs;
    int32_t dof_count;
    SomRobotWeld *welds;
    int32_t weld_count;
    const char *const *contacts; // their names
    int32_t contact_count;
} SomElement;

// Whether the graph and the element speak of the same robot: the same DoF in the same order, none
// that is locked is moved, every dock and contact is there. Fills in `index` of the welds, and of
// every contact of the graph its place in `contacts`.
bool som_element_bind(const SomElement *element, int32_t *contact_of, SomElementFault *fault);

#ifdef __cplusplus
}
#endif
