// behaviors/sensor_values.h - what the sensors that conditions read may be: as few values as make
// every difference.
//
//     SomSensorValues *values = som_sensor_values_create(graph, &assumed);
//     int count, sensor = som_sensor_find(values, &instruction);
//     const double *all = som_sensor_values_of(values, sensor, &count);
//     som_sensor_values_destroy(values);
//
// Inputs whose source gives their value are no sensors; those with a range have values in it.
// Contacts are 0 or 1. An effort, input, height or tilt that conditions compare with numbers has
// one value for each way in which all of these comparisons can turn out; the first is the one that
// is assumed. A comparison of a sensor with something else, or of what is computed from sensors,
// may turn out either way: it is numbered like a sensor, with the values 0, as computed, and 1,
// otherwise. Ways that contradict each other are among them.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "behaviors/prediction.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomSensorValues SomSensorValues;

// The graph is borrowed.
SomSensorValues *som_sensor_values_create(const SomActionGraph *graph,
                                          const SomAssumptions *assumed);
void som_sensor_values_destroy(SomSensorValues *values); // NULL is allowed

// Whether any condition reads a sensor.
bool som_sensor_values_has_any(const SomSensorValues *values);

// Number of the sensor that an instruction reads, or of the comparison that it is; -1: none. Of
// comparisons only those of the graph are known.
int som_sensor_find(const SomSensorValues *values, const SomInstruction *instruction);

// At least one.
const double *som_sensor_values_of(const SomSensorValues *values, int sensor, int *count);
// Whether there is one for each way.
bool som_sensor_is_known(const SomSensorValues *values, int sensor);

// "'foot' touches", "input(a) > input(b) holds" if the value is not 0, "the effort of 'head.tilt'
// is 2 Nm", of a value. The design tells what efforts are; NULL: their unit is left out.
void som_sensor_print(const SomSensorValues *values, const SomConfiguration *design, int sensor,
                      double value, SomText *out);

#ifdef __cplusplus
}
#endif
