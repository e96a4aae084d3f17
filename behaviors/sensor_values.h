// behaviors/sensor_values.h - what the sensors that conditions read may be: as few values as make
// every difference.
//
//     SomSensorValues *values = som_sensor_values_create(graph, &assumed);
//     int count, sensor = som_sensor_find(values, &instruction);
//     const double *all = som_sensor_values_of(values, sensor, &count);
//     som_sensor_values_destroy(values);
//
// Contacts are 0 or 1. An effort, input, height or tilt that conditions compare with numbers has
// one value for each way in which all of these comparisons can turn out; the first is the one that
// is assumed. Where it is compared with something else, or computed with, not all ways are known.

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

// Number of the sensor that an instruction reads; -1: it reads none.
int som_sensor_find(const SomSensorValues *values, const SomInstruction *instruction);

// At least one.
const double *som_sensor_values_of(const SomSensorValues *values, int sensor, int *count);
// Whether there is one for each way.
bool som_sensor_is_known(const SomSensorValues *values, int sensor);

// "'foot' touches", "the effort of 'head.tilt' is 2 Nm", of a value. The design tells what efforts
// are; NULL: their unit is left out.
void som_sensor_print(const SomSensorValues *values, const SomConfiguration *design, int sensor,
                      double value, SomText *out);

#ifdef __cplusplus
}
#endif
