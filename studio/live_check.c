// SPDX-License-Identifier: Apache-2.0
#include "studio/live_check.h"

#include "studio/bell.h"

struct SomLiveCheck {
    SomProject *project;
    SomBell *bell;
};

static void collect(void *project) {
    som_project_collect(project);
}

SomLiveCheck *som_live_check_start(SomProject *project) {
    SomLiveCheck *check = som_alloc(sizeof *check);
    check->project = project;
    check->bell = som_bell_new(collect, project);
    som_project_set_wake(project, som_bell_ring, check->bell);
    return check;
}

void som_live_check_stop(SomLiveCheck *check) {
    if (check != NULL) {
        som_project_set_wake(check->project, NULL, NULL); // nobody is woken afterwards
        som_bell_silence(check->bell);
        som_bell_release(check->bell);
        som_free(check);
    }
}
