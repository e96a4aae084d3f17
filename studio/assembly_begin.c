// SPDX-License-Identifier: Apache-2.0
// What is held, and the connectors it may go to and by.

#include "base/memory.h"
#include "studio/assembly_internal.h"

__attribute__((format(printf, 2, 3))) static bool refuse(SomAssembly *a, const char *format, ...) {
    SomText words = {0};
    va_list args;
    va_start(args, format);
    som_text_vprintf(&words, format, args);
    va_end(args);
    som_assembly_cancel(a);
    som_text_add(&a->reason, som_text_str(&words));
    som_text_free(&words);
    return false;
}

static void keep(SomText *text, SomStr value) {
    SomText copy = {0}; // the value may be a piece of the text
    som_text_add(&copy, value);
    som_text_free(text);
    *text = copy;
}

// Nothing can be connected in a text that does not compose. False after a refusal.
static bool begin(SomAssembly *a, SomAssemblyKind kind) {
    som_assembly_cancel(a);
    bool is_free = kind == SOM_ASSEMBLY_ADD;
    if (som_project_is_stale(a->project)) {
        return refuse(a, "first correct the text: the view shows the design before its errors");
    }
    if (!is_free && som_assembly_model(a)->configuration == NULL) {
        return refuse(a, "there is no design yet");
    }
    a->kind = kind;
    a->is_turned = false;
    a->roll = 0;
    return true;
}

// ---- sites

static SomSite site_of(const SomModel *model, int module, int connector) {
    int link = model->configuration->modules[module].type->connectors[connector].link;
    return (SomSite){
        module, connector,
        som_mechanism_connector_pose(model->mechanism, model->links, module, connector),
        model->links[som_mechanism_link_of(model->mechanism, module, link)]};
}

// The free ones of the modules that are held, or of those that are not, and `more` of them.
static SomSites some_sites(const SomModel *model, const bool *is_held, bool held, int module,
                           int connector) {
    SomSites all = som_sites_find(model->mechanism, model->links);
    SomSites some = {.configuration = model->configuration};
    some.data = som_alloc(sizeof *some.data * (size_t)(all.count + 1));
    for (int i = 0; i < all.count; i++) {
        if (is_held[all.data[i].module] == held) {
            some.data[some.count++] = all.data[i];
        }
    }
    if (module >= 0) {
        some.data[some.count++] = site_of(model, module, connector);
    }
    som_sites_free(&all);
    return some;
}

static bool is_held_inside(const SomConnection *k, const bool *is_held, int module, int connector) {
    bool is_end = (k->module_a == module && k->connector_a == connector) ||
                  (k->module_b == module && k->connector_b == connector);
    return is_end && is_held[k->module_a] && is_held[k->module_b];
}

// Those of a copy: what connects the part with others does not hold them.
static SomSites sites_of_copy(const SomModel *model, const bool *is_held) {
    const SomConfiguration *c = model->configuration;
    SOM_ARRAY(SomSite) sites = {0};
    for (int m = 0; m < c->module_count; m++) {
        for (int k = 0; is_held[m] && k < c->modules[m].type->connector_count; k++) {
            bool is_taken = false;
            for (int i = 0; i < c->connection_count && !is_taken; i++) {
                is_taken = is_held_inside(&c->connections[i], is_held, m, k);
            }
            for (int i = 0; i < c->dock_count && !is_taken; i++) {
                is_taken = is_held_inside(&c->docks[i].connection, is_held, m, k);
            }
            if (!is_taken) {
                som_array_push(&sites, site_of(model, m, k));
            }
        }
    }
    return (SomSites){c, sites.data, sites.count};
}

static SomSites one_site(const SomModel *model, int module, int connector) {
    SomSites one = {.configuration = model->configuration, .count = 1};
    one.data = som_alloc(sizeof *one.data);
    one.data[0] = site_of(model, module, connector);
    return one;
}

// Finds all sites anew, for the posture as it is.
static void find_sites(SomAssembly *a) {
    const SomModel *model = som_assembly_model(a);
    som_sites_free(&a->sites);
    som_sites_free(&a->own_sites);
    switch (a->kind) {
    case SOM_ASSEMBLY_IDLE:
        return;
    case SOM_ASSEMBLY_ADD:
        a->own_sites = som_sites_find(a->part->mechanism, a->part->links);
        break;
    case SOM_ASSEMBLY_COPY:
        a->own_sites = sites_of_copy(model, a->is_held);
        break;
    case SOM_ASSEMBLY_MOVE: {
        const SomConnection *k = &model->configuration->connections[a->moved_by];
        bool is_a = a->is_held[k->module_a];
        a->own_sites = some_sites(model, a->is_held, true, is_a ? k->module_a : k->module_b,
                                  is_a ? k->connector_a : k->connector_b);
        a->sites = some_sites(model, a->is_held, false, is_a ? k->module_b : k->module_a,
                              is_a ? k->connector_b : k->connector_a);
        break;
    }
    case SOM_ASSEMBLY_CONNECT: {
        bool *is_first = som_alloc(sizeof *is_first * (size_t)model->configuration->module_count);
        is_first[a->first_module] = true;
        a->own_sites = one_site(model, a->first_module, a->first_connector);
        a->sites = some_sites(model, is_first, false, -1, -1);
        som_free(is_first);
        break;
    }
    }
    if (a->sites.configuration == NULL && model->configuration != NULL) {
        a->sites = som_sites_find(model->mechanism, model->links);
    }
    som_assembly_find_offered(a);
}

// ---- beginning

bool som_assembly_begin_part(SomAssembly *a, SomStr reference, SomStr file) {
    bool is_same = som_str_equal(reference, som_text_str(&a->reference)) &&
                   som_str_equal(file, som_text_str(&a->file));
    if (!begin(a, SOM_ASSEMBLY_ADD)) {
        return false;
    }
    keep(&a->reference, reference);
    keep(&a->file, file);
    const SomModel *model = som_assembly_model(a);
    SomStr path = model->file >= 0 ? som_workspace_file(model->workspace, model->file)->path
                                   : SOM_STR("Untitled.som");
    SomText why = {0};
    a->part =
        som_part_model_create(som_project_library(a->project), path, som_project_text(a->project),
                              som_text_str(&a->reference), som_text_str(&a->file), &why);
    if (a->part == NULL) {
        refuse(a, "%.*s", SOM_STR_ARG(som_text_str(&why)));
    }
    som_text_free(&why);
    find_sites(a);
    if (is_same && a->last_own < a->own_sites.count) { // as the last one of its kind
        a->own = a->last_own;
        a->roll = a->last_roll;
    }
    return a->part != NULL;
}

bool som_assembly_begin_copy(SomAssembly *a, SomStr part) {
    if (!begin(a, SOM_ASSEMBLY_COPY)) {
        return false;
    }
    const SomConfiguration *c = som_assembly_model(a)->configuration;
    keep(&a->copied, part);
    int found = som_configuration_find_part(c, som_text_str(&a->copied));
    if (found <= 0) {
        return refuse(a, "first select the part that is to be copied");
    }
    a->is_held = som_alloc(sizeof *a->is_held * (size_t)c->module_count);
    for (int i = 0; i < c->parts[found].module_count; i++) {
        a->is_held[c->parts[found].first_module + i] = true;
    }
    find_sites(a);
    return true;
}

// The end of a connection of the tree that is farther from the base.
static int outer_module(const SomConfiguration *c, int connection) {
    const SomConnection *k = &c->connections[connection];
    return c->modules[k->module_a].connection == connection ? k->module_a : k->module_b;
}

// The connection of the design's own, not of a part's, by which a module hangs on the base; -1 if
// it is with the base in one part.
static int find_own_connection(const SomConfiguration *c, int module) {
    int connection = c->modules[module].connection;
    while (connection >= 0 && c->connections[connection].part != 0) {
        const SomConnection *k = &c->connections[connection];
        int outer = outer_module(c, connection);
        int inner = outer == k->module_a ? k->module_b : k->module_a;
        connection = c->modules[inner].connection;
    }
    return connection;
}

// Marks the module and all that hangs on it.
static void hold_branch(SomAssembly *a, const SomConfiguration *c, int root) {
    a->is_held = som_alloc(sizeof *a->is_held * (size_t)c->module_count);
    a->is_held[root] = true;
    for (int i = 0; i < c->module_count; i++) { // from the base outwards
        int module = c->tree[i];
        int connection = c->modules[module].connection;
        if (connection >= 0) {
            const SomConnection *k = &c->connections[connection];
            int inner = k->module_a == module ? k->module_b : k->module_a;
            a->is_held[module] = a->is_held[module] || a->is_held[inner];
        }
    }
}

bool som_assembly_begin_move(SomAssembly *a, int module, int connector) {
    if (!begin(a, SOM_ASSEMBLY_MOVE)) {
        return false;
    }
    const SomConfiguration *c = som_assembly_model(a)->configuration;
    a->moved_by = find_own_connection(c, module);
    if (a->moved_by < 0) {
        return refuse(a,
                      "'%.*s' is what the design stands on: move what hangs on it, or choose "
                      "another base",
                      SOM_STR_ARG(c->modules[module].path));
    }
    hold_branch(a, c, outer_module(c, a->moved_by));
    find_sites(a);
    if (connector >= 0) {
        a->own = som_sites_index(&a->own_sites, module, connector);
        a->is_own_fixed = a->own >= 0;
        if (!a->is_own_fixed) {
            SomText place = {0};
            som_configuration_print_connector(c, module, connector, &place);
            refuse(a, "'%s' is connected already", place.data);
            som_text_free(&place);
            return false;
        }
    }
    return true;
}

bool som_assembly_begin_turn(SomAssembly *a, int module) {
    if (!som_assembly_begin_move(a, module, -1)) {
        return false;
    }
    const SomConfiguration *c = som_assembly_model(a)->configuration;
    const SomConnection *k = &c->connections[a->moved_by];
    bool is_a = a->is_held[k->module_a];
    a->own = som_sites_index(&a->own_sites, is_a ? k->module_a : k->module_b,
                             is_a ? k->connector_a : k->connector_b);
    a->is_own_fixed = true;
    return som_assembly_aim_at(a, is_a ? k->module_b : k->module_a,
                               is_a ? k->connector_b : k->connector_a);
}

bool som_assembly_begin_connect(SomAssembly *a, int module, int connector) {
    if (!begin(a, SOM_ASSEMBLY_CONNECT)) {
        return false;
    }
    const SomModel *model = som_assembly_model(a);
    SomSites all = som_sites_find(model->mechanism, model->links);
    bool is_free = som_sites_index(&all, module, connector) >= 0;
    som_sites_free(&all);
    if (!is_free) {
        SomText place = {0};
        som_configuration_print_connector(model->configuration, module, connector, &place);
        refuse(a, "'%s' is not free: disconnect it first", place.data);
        som_text_free(&place);
        return false;
    }
    a->first_module = module;
    a->first_connector = connector;
    find_sites(a);
    a->own = 0;
    return true;
}

// ---- while the project changes

void som_assembly_follow(SomAssembly *a, unsigned changes) {
    bool is_new = (changes & SOM_PROJECT_TEXT) != 0;
    bool is_moved = (changes & SOM_PROJECT_POSTURE) != 0;
    if (a->kind == SOM_ASSEMBLY_IDLE || !(is_new || is_moved)) {
        return;
    }
    if (is_new && (a->kind != SOM_ASSEMBLY_ADD || som_project_is_stale(a->project))) {
        refuse(a, "the design has changed");
        return;
    }
    int module = a->count > 0 ? a->candidates[a->chosen].module : -1;
    int connector = a->count > 0 ? a->candidates[a->chosen].connector : -1;
    a->count = 0;
    a->site = -1;
    find_sites(a);
    if (module >= 0) {
        som_assembly_aim_at(a, module, connector);
    }
}
