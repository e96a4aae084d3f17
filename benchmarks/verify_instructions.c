// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verify_instructions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What the run to be counted is to do: gait, whether it collides, samples.
#define REQUEST "SOM_BENCH_VERIFY_COUNTED"

#define MODULES 18
#define SHORT_RUN SOM_VERIFY_PERIOD
#define LONG_RUN (3 * SOM_VERIFY_PERIOD)

bool som_verify_run_counted(void) {
    const char *request = getenv(REQUEST);
    int gait, is_colliding, samples;
    if (request == NULL || sscanf(request, "%d %d %d", &gait, &is_colliding, &samples) != 3) {
        return false;
    }
    SomVerifyWorkload *workload =
        som_verify_workload_create((SomVerifyGait)gait, MODULES, is_colliding != 0);
    som_verify_run_samples(workload, samples);
    som_verify_workload_destroy(workload);
    return true;
}

// The line "==12== Collected : 4711" of callgrind.
static double read_count(FILE *output) {
    char line[512];
    double count = NAN;
    while (fgets(line, sizeof line, output) != NULL) {
        const char *found = strstr(line, "Collected :");
        if (found != NULL) {
            count = strtod(found + strlen("Collected :"), NULL);
        }
    }
    return count;
}

static double count_run(int gait, bool is_colliding, int samples) {
    char program[1024], command[2048];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0) {
        return NAN;
    }
    program[length] = '\0';
    snprintf(command, sizeof command,
             REQUEST "='%d %d %d' valgrind --tool=callgrind --callgrind-out-file=/dev/null '%s' "
                     "verify 2>&1",
             gait, is_colliding, samples, program);
    FILE *output = popen(command, "r");
    if (output == NULL) {
        return NAN;
    }
    double count = read_count(output);
    pclose(output);
    return count;
}

double som_verify_instructions(bool is_colliding) {
    double most = NAN;
    for (int gait = 0; gait < 2; gait++) {
        double begin = count_run(gait, is_colliding, SHORT_RUN);
        double end = isnan(begin) ? begin : count_run(gait, is_colliding, LONG_RUN);
        most = fmax(most, (end - begin) / (LONG_RUN - SHORT_RUN));
    }
    return most;
}
