// SPDX-License-Identifier: Apache-2.0

#include "compose/metrics.h"

#include "base/memory.h"
#include "compose/name_map_internal.h"

// ---- one design

static int count_closures(const SomConfiguration *c) {
    int closures = 0;
    for (int i = 0; i < c->connection_count; i++) {
        closures += c->connections[i].is_closure;
    }
    for (int i = 0; i < c->module_count; i++) {
        closures += c->modules[i].type->joint_count - c->modules[i].type->tree_joint_count;
    }
    return closures;
}

static int largest_branches(const SomConfiguration *c) {
    int *branches = som_alloc(sizeof *branches * (size_t)(c->module_count + 1));
    int largest = 0;
    for (int i = 0; i < c->connection_count; i++) {
        int a = ++branches[c->connections[i].module_a];
        int b = ++branches[c->connections[i].module_b];
        largest = a > largest ? a : largest;
        largest = b > largest ? b : largest;
    }
    som_free(branches);
    return largest;
}

// Modules mostly come in long runs of one type.
static int count_types(const SomConfiguration *c) {
    SomNameMap names = {0};
    const SomModuleType *last = NULL;
    int types = 0;
    for (int i = 0; i < c->module_count; i++) {
        const SomModuleType *type = c->modules[i].type;
        if (type != last) {
            SomStr key = {(const char *)&c->modules[i].type, sizeof type};
            types += som_name_map_add(&names, 0, key, i) < 0;
        }
        last = type;
    }
    som_name_map_free(&names);
    return types;
}

void som_configuration_measure(SomConfiguration *c) {
    SomNameMap configs = {0};
    int composed = 0;
    SomMetrics m = {.modules = c->module_count,
                    .dofs = c->dof_count,
                    .connections = c->connection_count,
                    .pieces = c->piece_count + 1,
                    .closures = count_closures(c),
                    .parts = c->part_count - 1,
                    .types = count_types(c),
                    .largest_branches = largest_branches(c)};
    for (int i = 1; i < c->part_count; i++) {
        if (c->parts[i].order > 0) {
            composed++;
            m.configs += som_name_map_add(&configs, 0, c->parts[i].config, i) < 0;
        }
    }
    m.reuse = m.configs > 0 ? (double)composed / m.configs : 0;
    for (int i = 0; i < c->module_count; i++) {
        m.mass += som_module_type_mass(c->modules[i].type);
    }
    som_name_map_free(&configs);
    c->metrics = m;
}

// ---- a library

// Counts the uses in one configuration. Returns nothing; `last_user` keeps users from being counted
// twice.
static void count_uses(const SomConfiguration *user, int number, const SomNameMap *names,
                       SomConfigUse *configs, int *last_user) {
    for (int i = 1; i < user->part_count; i++) {
        int used = som_name_map_find(names, 0, user->parts[i].config);
        if (used >= 0 && used != number) {
            configs[used].uses++;
            configs[used].users += last_user[used] != number + 1;
            last_user[used] = number + 1;
        }
    }
}

// Modules of a configuration that lie in parts of the order that the library has.
static int count_covered(const SomConfiguration *c, int order, const SomNameMap *names) {
    int covered = 0;
    for (int i = 1; i < c->part_count;) {
        const SomPart *part = &c->parts[i];
        bool is_covered = part->order == order && som_name_map_find(names, 0, part->config) >= 0;
        covered += is_covered ? part->module_count : 0;
        i = is_covered ? part->end_part : i + 1;
    }
    return covered;
}

static void measure_order(const SomConfiguration *const *configurations, int order,
                          const SomNameMap *names, SomLibraryMetrics *metrics) {
    SomOrderMetrics *o = &metrics->orders[order];
    int64_t modules = 0, covered = 0;
    for (int i = 0; i < metrics->config_count; i++) {
        const SomConfiguration *c = configurations[i];
        if (c->order > order) {
            o->above++;
            modules += c->module_count;
            covered += count_covered(c, order, names);
        } else if (c->order == order) {
            o->configs++;
            o->used += metrics->configs[i].users > 0;
            for (int k = 0; k < c->behavior_count; k++) {
                o->behaviors += c->behaviors[k].part == 0;
            }
        }
    }
    o->coverage = modules > 0 ? (double)covered / (double)modules : 0;
}

SomLibraryMetrics som_library_measure(const SomConfiguration *const *configurations, int count,
                                      SomArena *arena) {
    SomLibraryMetrics metrics = {.configs = som_arena_new(arena, SomConfigUse, count + 1),
                                 .config_count = count};
    SomNameMap names = {0};
    int *last_user = som_alloc(sizeof *last_user * (size_t)(count + 1));
    for (int i = 0; i < count; i++) {
        const SomConfiguration *c = configurations[i];
        som_name_map_add(&names, 0, c->name, i);
        metrics.configs[i] = (SomConfigUse){.name = c->name, .order = c->order};
        metrics.order_count = c->order >= metrics.order_count ? c->order + 1 : metrics.order_count;
    }
    for (int i = 0; i < count; i++) {
        count_uses(configurations[i], i, &names, metrics.configs, last_user);
    }
    metrics.orders = som_arena_new(arena, SomOrderMetrics, metrics.order_count + 1);
    for (int order = 0; order < metrics.order_count; order++) {
        measure_order(configurations, order, &names, &metrics);
    }
    som_free(last_user);
    som_name_map_free(&names);
    return metrics;
}
