// SPDX-License-Identifier: Apache-2.0
#include "tests/suite.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int som_run_suite(const char *name, const TTest *const *tests, int count) {
    Suite *suite = suite_create(name);
    for (int i = 0; i < count; i++) {
        TCase *tcase = tcase_create(tests[i]->name);
        tcase_set_timeout(tcase, 0); // meson's own time-out is enough
        tcase_add_test(tcase, tests[i]);
        suite_add_tcase(suite, tcase);
    }
    SRunner *runner = srunner_create(suite);
    srunner_set_tap(runner, "-");
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int som_test_count(int normal, int large) {
    return getenv("SOM_TEST_LONG") != NULL ? large : normal;
}

bool som_test_aborts(void (*work)(int which), int which) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        fclose(stderr); // the complaint is expected
        signal(SIGABRT, SIG_DFL);
        work(which);
        _exit(EXIT_SUCCESS);
    }
    int status = 0;
    ck_assert(child > 0 && waitpid(child, &status, 0) == child);
    // a sanitizer that sees the fault first exits with its own code
    return WIFSIGNALED(status) ? WTERMSIG(status) == SIGABRT : WEXITSTATUS(status) != EXIT_SUCCESS;
}

uint64_t som_test_bits(SomTestRandom *random) {
    random->state += 0x9E3779B97F4A7C15u;
    uint64_t z = random->state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double som_test_uniform(SomTestRandom *random, double low, double high) {
    return low + (high - low) * (double)(som_test_bits(random) >> 11) * 0x1p-53;
}

int som_test_int(SomTestRandom *random, int low, int high) {
    return low + (int)(som_test_bits(random) % ((uint64_t)high - (uint64_t)low + 1));
}

double som_test_normal(SomTestRandom *random) {
    double u = som_test_uniform(random, 0x1p-53, 1);
    double v = som_test_uniform(random, 0, 1);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}
