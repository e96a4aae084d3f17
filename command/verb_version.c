// SPDX-License-Identifier: Apache-2.0
// somite version

#include "command/command.h"

static void run_version(SomCommand *command) {
    som_text_printf(&command->out, "somite %s\n", SOM_VERSION);
    if (command->wants_json) {
        som_json_member_string(&command->json, "version", SOM_STR(SOM_VERSION));
    }
}

const SomVerb som_verb_version = {
    .name = "version",
    .usage = "[--json]",
    .summary = "the version of this program",
    .help = "Prints the version of this program.\n",
    .has_json = true,
    .run = run_version,
};
