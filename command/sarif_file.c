// SPDX-License-Identifier: Apache-2.0
#include "command/sarif_file.h"

#include "base/file.h"
#include "report/sarif.h"

void som_command_save_sarif(SomCommand *command, const SomVerifyJobs *jobs) {
    const char *path = som_command_value(command, "sarif");
    if (path == NULL) {
        return;
    }
    SomText root = {0}, log = {0};
    som_file_working_folder(&root); // without it, paths stay as they are
    som_diagnostics_sort(command->diags);
    SomSarif *sarif = som_sarif_create(&(SomSarifDef){
        .diags = command->diags, .version = SOM_STR(SOM_VERSION), .root = som_text_str(&root)});
    som_sarif_add_diagnostics(sarif, command->words.data, command->words.count);
    for (int i = 0; jobs != NULL && i < jobs->all.count; i++) {
        const SomVerifyJob *job = &jobs->all.data[i];
        if (job->found != NULL) {
            som_sarif_add_findings(sarif, job->found, job->file,
                                   jobs->designs.data[job->design].configuration->name,
                                   job->behavior);
        }
    }
    som_sarif_print(sarif, &log);
    som_sarif_destroy(sarif);
    som_file_save(path, som_text_str(&log), command->diags);
    som_text_free(&log);
    som_text_free(&root);
}
