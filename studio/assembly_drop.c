// SPDX-License-Identifier: Apache-2.0
// What an assembly says, and what it does to the design.

#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "language/name.h"
#include "space/trigonometry.h"
#include "studio/assembly_internal.h"

#include <math.h>

// ---- words

// What is held, as people call it.
static void print_held(const SomAssembly *a, SomText *out) {
    const SomModel *model = som_assembly_model(a);
    if (a->kind == SOM_ASSEMBLY_ADD) {
        som_text_add(out, som_text_str(&a->reference));
    } else if (a->kind == SOM_ASSEMBLY_COPY) {
        som_text_add(out, som_text_str(&a->copied));
    } else if (a->kind == SOM_ASSEMBLY_MOVE) {
        const SomConnection *k = &model->configuration->connections[a->moved_by];
        int part =
            model->configuration->modules[a->is_held[k->module_a] ? k->module_a : k->module_b].part;
        while (model->configuration->parts[part].parent > 0) {
            part = model->configuration->parts[part].parent;
        }
        som_text_add(out, model->configuration->parts[part].path);
    }
}

// The connector of what is held.
static void print_own(const SomAssembly *a, int module, int connector, SomText *out) {
    if (a->kind == SOM_ASSEMBLY_ADD) {
        som_part_model_print_connector(a->part, module, connector, out);
    } else {
        som_configuration_print_connector(som_assembly_model(a)->configuration, module, connector,
                                          out);
    }
}

// Why something that is pointed at exactly does not do.
static void explain_wanted(SomAssembly *a) {
    const SomConfiguration *c = som_assembly_model(a)->configuration;
    int module = a->wanted_module, connector = a->wanted_connector;
    int other = a->kind == SOM_ASSEMBLY_CONNECT ? a->first_module : (module == 0 ? 1 : 0);
    int other_connector = a->kind == SOM_ASSEMBLY_CONNECT ? a->first_connector : 0;
    SomOffer offer = {.refusal = SOM_MATING_OFFERED};
    if (other < c->module_count && c->modules[other].type->connector_count > other_connector) {
        som_offer_find(c, module, connector, other, other_connector, &offer);
    }
    bool is_own = a->kind == SOM_ASSEMBLY_CONNECT || offer.refusal == SOM_MATING_TAKEN_A ||
                  offer.refusal == SOM_MATING_DOCK_A;
    if (is_own && offer.refusal != SOM_MATING_OFFERED) {
        som_offer_print_refusal(c, module, connector, other, other_connector, offer.refusal,
                                &a->reason);
        return;
    }
    som_text_add(&a->reason, SOM_STR("'"));
    som_configuration_print_connector(c, module, connector, &a->reason);
    som_text_add(&a->reason, SOM_STR("' fits no connector of '"));
    print_held(a, &a->reason);
    som_text_add(&a->reason, SOM_STR("'"));
}

void som_assembly_explain(SomAssembly *a) {
    const SomConfiguration *c = som_assembly_model(a)->configuration;
    bool is_anywhere = false;
    som_text_clear(&a->reason);
    for (int i = 0; i < a->sites.count; i++) {
        is_anywhere |= a->is_offered[i];
    }
    if (a->kind == SOM_ASSEMBLY_IDLE || c == NULL) {
        return;
    }
    if (a->wanted_module >= 0) {
        explain_wanted(a);
    } else if (is_anywhere) {
        som_text_add(&a->reason, SOM_STR("come nearer to a connector that is green"));
    } else if (a->sites.count == 0) {
        som_text_add(&a->reason, SOM_STR("no connector of the design is free"));
    } else if (a->own_sites.count == 0) {
        som_text_add(&a->reason, SOM_STR("no connector of '"));
        print_held(a, &a->reason);
        som_text_add(&a->reason, SOM_STR("' is free"));
    } else {
        const SomConfiguration *own = a->own_sites.configuration;
        som_text_printf(&a->reason,
                        "no connector of a module of type '%.*s' fits a free one of type '%.*s'",
                        SOM_STR_ARG(own->modules[a->own_sites.data[0].module].type->name),
                        SOM_STR_ARG(c->modules[a->sites.data[0].module].type->name));
    }
}

void som_assembly_print(SomAssembly *a, SomText *out) {
    const SomCandidate *candidate = som_assembly_candidate(a);
    if (som_assembly_is_first(a)) {
        som_text_printf(out, "%s begins the design", a->reference.data);
        return;
    }
    if (candidate == NULL) {
        som_text_add(out, som_text_str(&a->reason));
        return;
    }
    som_configuration_print_connector(a->sites.configuration, candidate->module,
                                      candidate->connector, out);
    som_text_add(out, SOM_STR(" ← "));
    print_own(a, candidate->part_module, candidate->part_connector, out);
    if (isnan(candidate->roll)) {
        som_text_printf(out, " as %d", candidate->index);
    } else {
        som_text_add(out, SOM_STR(" at "));
        som_text_number(out, round(candidate->roll * 180 / SOM_PI * 1e3) / 1e3);
        som_text_add(out, SOM_STR("°"));
    }
    if (som_assembly_overlaps(a)) {
        som_text_add(out, SOM_STR(", reaches into the design"));
    }
}

// ---- doing it

// A name for the first config: that of the file, else Robot; but not that of the part.
static void print_config_name(const SomAssembly *a, SomText *out) {
    SomStr stem = som_path_stem(som_project_path(a->project));
    SomText name = {0};
    som_text_add(&name, som_name_is_word(stem) ? stem : SOM_STR("Robot"));
    if (name.data[0] >= 'a' && name.data[0] <= 'z') {
        name.data[0] = (char)(name.data[0] - 'a' + 'A');
    }
    bool is_part = som_str_starts_with(som_text_str(&a->reference), som_text_str(&name));
    som_text_printf(out, "%s%s", is_part ? "My" : "", name.data);
    som_text_free(&name);
}

static SomMatingWish wish_of(const SomCandidate *candidate) {
    return isnan(candidate->roll) ? (SomMatingWish){.index = candidate->index}
                                  : (SomMatingWish){.has_roll = true, .roll = candidate->roll};
}

static bool add_or_copy(SomAssembly *a, const SomCandidate *candidate) {
    SomDesign *design = som_project_design(a->project);
    SomStr config = som_project_choice(a->project);
    SomText own = {0}, to = {0};
    if (a->kind == SOM_ASSEMBLY_ADD) {
        print_own(a, candidate->part_module, candidate->part_connector, &own);
    } else { // as named from the part: its own place goes
        SomText whole = {0};
        print_own(a, candidate->part_module, candidate->part_connector, &whole);
        som_text_add(&own, som_str_slice(som_text_str(&whole), a->copied.length + 1, whole.length));
        som_text_free(&whole);
    }
    som_configuration_print_connector(a->sites.configuration, candidate->module,
                                      candidate->connector, &to);
    SomPartAddition addition = {.reference = som_text_str(&a->reference),
                                .file = som_text_str(&a->file),
                                .own = som_text_str(&own),
                                .to = som_text_str(&to),
                                .mating = wish_of(candidate)};
    bool done =
        a->kind == SOM_ASSEMBLY_ADD
            ? som_design_add_part(design, config, &addition)
            : som_design_duplicate_part(design, config, som_text_str(&a->copied), &addition);
    som_text_free(&own);
    som_text_free(&to);
    return done;
}

static bool move(SomAssembly *a, const SomCandidate *candidate) {
    const SomConfiguration *c = a->sites.configuration;
    const SomConnection *k = &c->connections[a->moved_by];
    SomText was[2] = {{0}}, becomes[2] = {{0}};
    bool is_a = a->is_held[k->module_a];
    som_configuration_print_connector(c, is_a ? k->module_a : k->module_b,
                                      is_a ? k->connector_a : k->connector_b, &was[0]);
    som_configuration_print_connector(c, is_a ? k->module_b : k->module_a,
                                      is_a ? k->connector_b : k->connector_a, &was[1]);
    som_configuration_print_connector(c, candidate->part_module, candidate->part_connector,
                                      &becomes[0]);
    som_configuration_print_connector(c, candidate->module, candidate->connector, &becomes[1]);
    bool done = som_design_reconnect(som_project_design(a->project), som_project_choice(a->project),
                                     som_text_str(&was[0]), som_text_str(&was[1]),
                                     som_text_str(&becomes[0]), som_text_str(&becomes[1]),
                                     wish_of(candidate));
    for (int i = 0; i < 2; i++) {
        som_text_free(&was[i]);
        som_text_free(&becomes[i]);
    }
    return done;
}

// What is moved by a free connector that faces the other already stays, and closes a loop.
static bool is_closing(const SomAssembly *a, const SomCandidate *candidate) {
    if (a->kind == SOM_ASSEMBLY_CONNECT || !a->is_own_fixed) {
        return a->kind == SOM_ASSEMBLY_CONNECT;
    }
    const SomConnection *k = &a->sites.configuration->connections[a->moved_by];
    bool is_a = a->is_held[k->module_a];
    bool is_free = candidate->part_module != (is_a ? k->module_a : k->module_b) ||
                   candidate->part_connector != (is_a ? k->connector_a : k->connector_b);
    return is_free && som_pose_distance(candidate->pose, som_pose_identity()) < SOM_OVERLAP;
}

static bool connect(SomAssembly *a, const SomCandidate *candidate) {
    const SomConfiguration *c = a->sites.configuration;
    SomText first = {0}, second = {0};
    som_configuration_print_connector(c, candidate->part_module, candidate->part_connector, &first);
    som_configuration_print_connector(c, candidate->module, candidate->connector, &second);
    bool done = som_design_connect(som_project_design(a->project), som_project_choice(a->project),
                                   som_text_str(&first), som_text_str(&second), wish_of(candidate));
    som_text_free(&first);
    som_text_free(&second);
    return done;
}

static bool begin_design(SomAssembly *a) {
    SomText name = {0};
    print_config_name(a, &name);
    bool done = som_design_add_config(som_project_design(a->project), som_text_str(&name),
                                      som_text_str(&a->reference), som_text_str(&a->file));
    som_text_free(&name);
    return done;
}

// What is new is selected, so that it can be turned, named, mirrored.
static void select_new(SomAssembly *a, SomStr name) {
    const SomConfiguration *c = som_assembly_model(a)->configuration;
    SomText path = {0};
    som_name_print(&path, name);
    int part = c != NULL ? som_configuration_find_part(c, som_text_str(&path)) : -1;
    if (part > 0) {
        som_project_select(a->project, c->parts[part].first_module);
    }
    som_text_free(&path);
}

bool som_assembly_drop(SomAssembly *a) {
    const SomCandidate *candidate = som_assembly_candidate(a);
    bool is_first = som_assembly_is_first(a);
    if (a->kind == SOM_ASSEMBLY_IDLE || (candidate == NULL && !is_first)) {
        return false;
    }
    bool is_new = a->kind == SOM_ASSEMBLY_ADD || a->kind == SOM_ASSEMBLY_COPY;
    bool done = is_first                   ? begin_design(a)
                : is_new                   ? add_or_copy(a, candidate)
                : is_closing(a, candidate) ? connect(a, candidate)
                                           : move(a, candidate);
    SomText name = {0};
    som_text_add(&name, som_design_new_name(som_project_design(a->project)));
    if (done) {
        a->last_own = candidate != NULL && a->kind == SOM_ASSEMBLY_ADD ? a->own : 0;
        a->last_roll = candidate != NULL && !isnan(candidate->roll) ? candidate->roll : 0;
        som_assembly_cancel(a);
    }
    som_project_edited(a->project, done);
    if (done && is_new) {
        select_new(a, som_text_str(&name));
    }
    som_text_free(&name);
    return done;
}
