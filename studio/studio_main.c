// SPDX-License-Identifier: Apache-2.0
// somite-studio [FILE…] [--exit-after-startup]: what `somite studio` runs.

#include "studio/application.h"

// Who only wants to see it start must not be sent to a studio that runs already.
static bool is_shared(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--exit-after-startup") == 0) {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv) {
    g_autoptr(SomApplication) application = som_application_new(is_shared(argc, argv));
    int status = g_application_run(G_APPLICATION(application), argc, argv);
    return som_application_has_failed(application) ? 1 : status;
}
