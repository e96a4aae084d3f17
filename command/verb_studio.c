// SPDX-License-Identifier: Apache-2.0
// somite studio [FILE…]: hands over to the program with the windows.

#include "base/codes/render_codes.h"
#include "base/file.h"
#include "base/path.h"
#include "command/command.h"

#include <errno.h>
#include <unistd.h>

// Seen from the folder of this program: installed beside it, or in the tree both were built in.
static const char *const places[] = {"somite-studio", "../studio/somite-studio"};

static bool find_studio(SomText *path) {
    SomText folder = {0};
    bool found = false;
    if (som_file_program_folder(&folder)) {
        for (size_t i = 0; !found && i < sizeof places / sizeof *places; i++) {
            som_text_clear(path);
            som_path_join(path, som_text_str(&folder), som_str(places[i]));
            found = som_file_exists(path->data);
        }
    }
    som_text_free(&folder);
    return found;
}

static void run_studio(SomCommand *command) {
    SomText path = {0};
    if (!find_studio(&path)) {
        som_report(command->diags, SOM_STUDIO_MISSING, (SomSpan){0},
                   "this Somite was built without its studio: it needs libgtk-4-dev, "
                   "libadwaita-1-dev and libgtksourceview-5-dev");
        som_text_free(&path);
        return;
    }
    static char leave[] = "--exit-after-startup";
    SOM_ARRAY(char *) words = {0};
    som_array_push(&words, path.data);
    for (int i = 0; i < command->words.count; i++) {
        som_array_push(&words, (char *)(uintptr_t)command->words.data[i]);
    }
    if (som_command_has(command, "exit-after-startup")) {
        som_array_push(&words, leave);
    }
    som_array_push(&words, NULL);
    execv(path.data, words.data);
    som_report(command->diags, SOM_STUDIO_MISSING, (SomSpan){0}, "'%s' can't be run: %s", path.data,
               errno == EACCES ? "it may not be executed" : "the system refuses");
    som_array_free(&words);
    som_text_free(&path);
}

static const SomOption options[] = {
    {.name = "exit-after-startup", .help = "leave when the first frame is drawn, for scripts"},
    {0},
};

const SomVerb som_verb_studio = {
    .name = "studio",
    .usage = "[FILE…] [--exit-after-startup]",
    .summary = "open designs in the studio, the program with windows",
    .help =
        "Opens each design in a window: the robot in a view that turns with the mouse, the "
        "library\n"
        "to drag parts from, an inspector, the text, and what is wrong. A design of the library "
        "is\n"
        "opened as a copy without a name. Without a FILE it begins with designs to look at, files\n"
        "used before, and what was not saved when a studio was killed. A studio that runs already\n"
        "opens them.\n\n"
        "  somite studio\n"
        "  somite studio walker.som\n"
        "  somite studio walkbot\n",
    .max_words = -1,
    .options = options,
    .run = run_studio,
};
