// SPDX-License-Identifier: Apache-2.0

#include "exchange/quaternion.h"

#include "base/codes/exchange_codes.h"
#include "base/name_list.h"
#include "base/number.h"

#include <math.h>

#define NO_WORD 1e-6   // of lengths that differ from 1 by less
#define MIN_DECIMALS 2 // with fewer, a rotation is not known to a degree
#define MAX_DECIMALS 4 // those that rounding is expected to leave everywhere
#define MAX_COMPARED 500

double som_quaternion_length(SomQuat q) {
    return sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
}

// The decimals that a number was written with, from MIN_DECIMALS to MAX_DECIMALS.
static int decimals_of(double value) {
    double unit = 1e-2;
    int decimals = MIN_DECIMALS;
    while (decimals < MAX_DECIMALS && fabs(value / unit - round(value / unit)) > 1e-6) {
        unit /= 10;
        decimals++;
    }
    return decimals;
}

SomQuaternionFit som_quaternion_fit(SomQuat q) {
    const double n[4] = {q.x, q.y, q.z, q.w};
    int decimals = MIN_DECIMALS;
    double sum = 0, error = fabs(som_quaternion_length(q) - 1);
    for (int i = 0; i < 4; i++) {
        int own = decimals_of(n[i]);
        decimals = own > decimals ? own : decimals;
        sum += fabs(n[i]);
    }
    if (error <= NO_WORD) {
        return SOM_QUATERNION_UNIT;
    }
    static const double halves[MAX_DECIMALS + 1] = {0.5, 0.05, 0.005, 0.0005, 0.00005};
    return error <= halves[decimals] * sum + NO_WORD ? SOM_QUATERNION_ROUNDED : SOM_QUATERNION_OFF;
}

// Readers may look at a pose more than once.
static void add_scaled(SomImporter *importer, double length, SomSpan span) {
    int count = importer->scaled.count;
    for (int i = 0; i < count && count < MAX_COMPARED; i++) {
        const SomSpan *other = &importer->scaled.data[i];
        if (other->source1 == span.source1 && other->begin == span.begin) {
            return;
        }
    }
    importer->scaled_length = count == 0 ? length : importer->scaled_length;
    som_array_push(&importer->scaled, span);
}

bool som_importer_quaternion(SomImporter *importer, SomQuat q, SomSpan span, SomMat3 *rotation) {
    double length = som_quaternion_length(q);
    SomQuaternionFit fit = som_quaternion_fit(q);
    *rotation = som_quat_to_rotation(q);
    if (fit == SOM_QUATERNION_OFF) {
        SomText shown = {0};
        som_text_rounded(&shown, length, 6);
        som_report(importer->diags, SOM_IMPORT_NOT_A_QUATERNION, span,
                   "quaternion of length %s: a rotation has length 1", shown.data);
        som_text_free(&shown);
    } else if (fit == SOM_QUATERNION_ROUNDED) {
        add_scaled(importer, length, span);
    }
    return fit != SOM_QUATERNION_OFF;
}

bool som_importer_scaled_quaternion(SomImporter *importer, SomQuat q, SomSpan span,
                                    SomMat3 *rotation) {
    double length = som_quaternion_length(q);
    if (!(length > 1e-6 && length < 1e6)) {
        return false;
    }
    *rotation = som_quat_to_rotation(q);
    if (som_quaternion_fit(q) != SOM_QUATERNION_UNIT) {
        add_scaled(importer, length, span);
    }
    return true;
}

void som_importer_finish_quaternions(const SomImporter *importer) {
    int count = importer->scaled.count;
    if (count == 0) {
        return;
    }
    SomText shown = {0};
    som_text_rounded(&shown, importer->scaled_length, 6);
    som_text_add_more(&shown, count - 1);
    som_report(importer->diags, SOM_IMPORT_QUATERNION_SCALED, importer->scaled.data[0],
               "quaternion is scaled to length 1; as written its length is %s", shown.data);
    som_text_free(&shown);
}
