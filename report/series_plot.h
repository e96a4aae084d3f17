// report/series_plot.h - what verification has measured over time, as a plot: unit, limit, gaps.
//
//     SomPlot plot = som_series_plot(found, &found->series.data[i]);
//     som_plot_print(&plot, out);
//
// Borrows all from the verification. Pages and windows show the same.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/plot.h"
#include "verify/finding.h"

#ifdef __cplusplus
extern "C" {
#endif

SomPlot som_series_plot(const SomVerification *found, const SomSeries *series);

// In which people read a quantity: "mm", "deg", "Nm"; "" if it has none. *scale is from SI to it.
SomStr som_plot_unit(SomDimensionName dimension, double *scale);

#ifdef __cplusplus
}
#endif
