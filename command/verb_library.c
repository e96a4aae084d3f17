// SPDX-License-Identifier: Apache-2.0
// somite library: what designs there are to build on.

#include "base/file.h"
#include "base/path.h"
#include "command/design.h"
#include "compose/metrics.h"

// A configuration of the library, composed with its default arguments.
typedef struct Entry {
    SomStr file; // by which it is named on the command line
    SomConfiguration *configuration;
} Entry;

typedef struct Library {
    SOM_ARRAY(Entry) entries;
    SOM_ARRAY(const SomConfiguration *) configurations; // of the entries
    SomLibraryMetrics metrics;
    SomArena arena;
} Library;

static void add_file(SomCommand *command, SomStr folder, SomStr name, Library *library) {
    SomWorkspace *workspace = som_command_workspace(command);
    SomText path = {0};
    som_path_join(&path, folder, name);
    int file = som_workspace_open(workspace, som_text_str(&path));
    som_text_free(&path);
    int count = file >= 0 ? som_workspace_file(workspace, file)->config_count : 0;
    for (int i = 0; i < count; i++) {
        SomStr config = som_workspace_file(workspace, file)->configs[i].name;
        SomConfiguration *made = som_configuration_compose(workspace, file, config, command->diags);
        if (made != NULL) {
            Entry entry = {som_path_stem(name), made};
            som_array_push(&library->entries, entry);
            som_array_push(&library->configurations, made);
        }
    }
}

static void open(SomCommand *command, Library *library) {
    SomText folder = {0};
    som_path_join(&folder, som_workspace_library(som_command_workspace(command)),
                  SOM_STR("configs"));
    const SomStr *names;
    int count =
        som_file_list(folder.data, SOM_STR(".som"), &library->arena, &names, command->diags);
    for (int i = 0; i < count; i++) {
        add_file(command, som_text_str(&folder), names[i], library);
    }
    library->metrics = som_library_measure(library->configurations.data,
                                           library->configurations.count, &library->arena);
    som_text_free(&folder);
}

static void close(Library *library) {
    for (int i = 0; i < library->entries.count; i++) {
        som_configuration_destroy(library->entries.data[i].configuration);
    }
    som_array_free(&library->entries);
    som_array_free(&library->configurations);
    som_arena_free(&library->arena);
}

// Behaviors of the whole, not of its parts.
static int own_behaviors(const SomConfiguration *configuration) {
    int count = 0;
    for (int i = 0; i < configuration->behavior_count; i++) {
        count += configuration->behaviors[i].part == 0 ? 1 : 0;
    }
    return count;
}

static void print(const Library *library, SomText *out) {
    som_text_printf(out, "%-20s %-18s %5s %7s %5s %9s %5s\n", "file", "configuration", "order",
                    "modules", "DoF", "behaviors", "uses");
    for (int i = 0; i < library->entries.count; i++) {
        const Entry *entry = &library->entries.data[i];
        const SomConfiguration *c = entry->configuration;
        som_text_printf(out, "%-20.*s %-18.*s %5d %7d %5d %9d %5d\n", SOM_STR_ARG(entry->file),
                        SOM_STR_ARG(c->name), c->order, c->module_count, c->dof_count,
                        own_behaviors(c), library->metrics.configs[i].uses);
    }
    som_text_printf(out, "\n%5s %14s %9s %5s  %s\n", "order", "configurations", "behaviors", "used",
                    "share of the modules of higher orders");
    for (int i = 0; i < library->metrics.order_count; i++) {
        const SomOrderMetrics *m = &library->metrics.orders[i];
        som_text_printf(out, "%5d %14d %9d %5d  %d %%\n", i, m->configs, m->behaviors, m->used,
                        (int)round(100 * m->coverage));
    }
}

static void write_entry(SomJsonWriter *json, const Entry *entry, const SomConfigUse *use) {
    const SomConfiguration *c = entry->configuration;
    som_json_open_object(json);
    som_json_member_string(json, "name", c->name);
    som_json_member_string(json, "file", entry->file);
    som_json_member_string(json, "doc", c->doc);
    som_json_member_integer(json, "order", c->order);
    som_json_member_integer(json, "modules", c->module_count);
    som_json_member_integer(json, "dof", c->dof_count);
    som_json_member_integer(json, "connections", c->connection_count);
    som_json_key(json, SOM_STR("behaviors"));
    som_json_open_array(json);
    for (int i = 0; i < c->behavior_count; i++) {
        if (c->behaviors[i].part == 0) {
            som_json_string(json, c->behaviors[i].name);
        }
    }
    som_json_close_array(json);
    som_json_member_integer(json, "uses", use->uses);
    som_json_member_integer(json, "users", use->users);
    som_json_close_object(json);
}

static void write(const Library *library, SomJsonWriter *json) {
    som_json_key(json, SOM_STR("configs"));
    som_json_open_array(json);
    for (int i = 0; i < library->entries.count; i++) {
        write_entry(json, &library->entries.data[i], &library->metrics.configs[i]);
    }
    som_json_close_array(json);
    som_json_key(json, SOM_STR("orders"));
    som_json_open_array(json);
    for (int i = 0; i < library->metrics.order_count; i++) {
        const SomOrderMetrics *m = &library->metrics.orders[i];
        som_json_open_object(json);
        som_json_member_integer(json, "order", i);
        som_json_member_integer(json, "configs", m->configs);
        som_json_member_integer(json, "behaviors", m->behaviors);
        som_json_member_integer(json, "used", m->used);
        som_json_member_number(json, "coverage", m->coverage);
        som_json_close_object(json);
    }
    som_json_close_array(json);
}

static void run_library(SomCommand *command) {
    Library library = {0};
    open(command, &library);
    if (command->wants_json) {
        write(&library, &command->json);
    } else {
        print(&library, &command->out);
    }
    close(&library);
}

const SomVerb som_verb_library = {
    .name = "library",
    .usage = "[--json]",
    .summary = "the designs there are to build on",
    .help =
        "Lists the configurations of the library with their order (0 is a module, others are\n"
        "one above their parts), modules, DoF and behaviors, and how often the others use\n"
        "each; then, by order, how much of what stands above is made of it. The name of a file\n"
        "stands for it in every verb: 'somite show walkbot'.\n\n"
        "The library is looked for beside the program; the environment variable\n"
        "SOMITE_LIBRARY names another folder.\n",
    .min_words = 0,
    .max_words = 0,
    .has_json = true,
    .run = run_library,
};
