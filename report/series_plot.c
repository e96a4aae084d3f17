// SPDX-License-Identifier: Apache-2.0
#include "report/series_plot.h"

// Samples in a row that a check may have left out because nothing happens in them.
#define BRIDGED 5

SomStr som_plot_unit(SomDimensionName dimension, double *scale) {
    const SomDimensionInfo *info = som_dimension_info(som_dimension(dimension));
    SomStr name = dimension == SOM_DIMENSION_LENGTH ? SOM_STR("mm") : info->unit; // of robots
    const SomUnit *unit = som_unit_find(name);
    *scale = unit != NULL ? som_unit_from_si(unit, 1) : 1;
    return unit != NULL ? name : SOM_STR("");
}

SomPlot som_series_plot(const SomVerification *found, const SomSeries *series) {
    SomPlot plot = {
        .title = series->name,
        .curves = {{.times = found->times, .values = series->values, .count = found->sample_count}},
        .limit = series->limit,
        .bridge = (BRIDGED + 0.5) * found->duration / found->sample_count};
    plot.unit = som_plot_unit(series->dimension, &plot.scale);
    return plot;
}
