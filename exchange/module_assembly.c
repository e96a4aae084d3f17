// SPDX-License-Identifier: Apache-2.0

#include "exchange/module_assembly.h"

#include "base/classes.h"
#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "exchange/adjacency.h"
#include "modules/joint_limit.h"
#include "space/trigonometry.h"

#include <math.h>

// What differs by more than this was meant otherwise.
#define MISFIT_METRES 1e-5
#define MISFIT_RADIANS 1e-4
// Connectors that are nearer than this and look at each other within 6 degrees coincide.
#define COINCIDE_METRES 2e-3
#define FACING -0.995
#define MAX_REPORTS 10 // of a kind

void som_module_assembly_free(SomModuleAssembly *assembly) {
    som_array_free(&assembly->modules);
    som_array_free(&assembly->connections);
}

static SomWrittenPlace place_of(const SomModuleAssemblyModule *module, SomStr own) {
    SomWrittenPlace place = {{module->part}, 1};
    if (module->member.length > 0) {
        place.names[place.count++] = module->member;
    }
    if (own.length > 0) {
        place.names[place.count++] = own;
    }
    return place;
}

SomStr som_module_assembly_shown(const SomModuleAssembly *assembly, int module, SomArena *arena) {
    const SomModuleAssemblyModule *m = &assembly->modules.data[module];
    SomText text = {0};
    som_text_add(&text, m->part);
    if (m->member.length > 0) {
        som_text_add(&text, SOM_STR("."));
        som_text_add(&text, m->member);
    }
    SomStr shown = som_arena_copy(arena, som_text_str(&text));
    som_text_free(&text);
    return shown;
}

// ---- what hangs together

void som_module_assembly_find_pieces(const SomModuleAssembly *assembly, int *pieces) {
    som_classes_reset(pieces, assembly->modules.count);
    for (int i = 0; i < assembly->connections.count; i++) {
        som_classes_join(pieces, assembly->connections.data[i].a, assembly->connections.data[i].b);
    }
    for (int i = 0; i < assembly->modules.count; i++) {
        pieces[i] = som_classes_find(pieces, i);
    }
}

// Reports the second use of a connector.
static void report_taken(const SomModuleAssembly *assembly, int module, int connector, int first,
                         int second, SomArena *arena, SomDiagnostics *diags) {
    const SomModuleAssemblyConnection *uses[2] = {&assembly->connections.data[first],
                                                  &assembly->connections.data[second]};
    SomStr others[2];
    for (int i = 0; i < 2; i++) {
        bool is_a = uses[i]->a == module && uses[i]->connector_a == connector;
        others[i] = som_module_assembly_shown(assembly, is_a ? uses[i]->b : uses[i]->a, arena);
    }
    SomStr name = assembly->modules.data[module].type->connectors[connector].name;
    som_report(diags, SOM_IMPORT_FACE_TAKEN, uses[1]->span,
               "connector '%.*s' of '%.*s' is connected to '%.*s' and to '%.*s'", SOM_STR_ARG(name),
               SOM_STR_ARG(som_module_assembly_shown(assembly, module, arena)),
               SOM_STR_ARG(others[0]), SOM_STR_ARG(others[1]));
    som_note(diags, uses[0]->span, "the first of the two");
}

bool som_module_assembly_check_connectors(const SomModuleAssembly *assembly, SomArena *arena,
                                          SomDiagnostics *diags) {
    int count = assembly->modules.count;
    int *first = som_alloc(((size_t)count + 1) * sizeof *first); // connectors of each in `taken1`
    for (int i = 0; i < count; i++) {
        first[i + 1] = first[i] + assembly->modules.data[i].type->connector_count;
    }
    int *taken1 = som_alloc(((size_t)first[count] + 1) * sizeof *taken1);
    bool fine = true;
    for (int i = 0; i < assembly->connections.count; i++) {
        const SomModuleAssemblyConnection *c = &assembly->connections.data[i];
        if (c->a == c->b) {
            som_report(diags, SOM_IMPORT_SELF_CONNECTION, c->span, "'%.*s' is connected to itself",
                       SOM_STR_ARG(som_module_assembly_shown(assembly, c->a, arena)));
            fine = false;
            continue;
        }
        for (int side = 0; side < 2; side++) {
            int module = side == 0 ? c->a : c->b;
            int connector = side == 0 ? c->connector_a : c->connector_b;
            int *user1 = &taken1[first[module] + connector];
            if (*user1 > 0) {
                report_taken(assembly, module, connector, *user1 - 1, i, arena, diags);
                fine = false;
            } else {
                *user1 = i + 1;
            }
        }
    }
    som_free(first);
    som_free(taken1);
    return fine;
}

// ---- where it stands

SomPose som_module_assembly_link(const SomModuleAssemblyModule *module, int link) {
    static const double zeros[SOM_MAX_MODULE_LINKS];
    SomPose links[SOM_MAX_MODULE_LINKS];
    if (module->joints == NULL && module->type->joint_count > SOM_MAX_MODULE_LINKS) {
        return som_pose_identity(); // closed chains of many joints, all of them at zero
    }
    som_module_type_place(module->type, module->joints != NULL ? module->joints : zeros, links);
    return links[link];
}

SomPose som_module_assembly_connector(const SomModuleAssemblyModule *module, int connector) {
    const SomConnector *c = &module->type->connectors[connector];
    return som_pose_compose(som_module_assembly_link(module, c->link), c->frame);
}

static SomPose mating(double roll) {
    double s, c;
    som_sincos(roll, &s, &c);
    return (SomPose){{{{-1, 0, 0}, {0, -c, s}, {0, s, c}}}, {0, 0, 0}};
}

// Module b seen from module a.
static SomPose transform(const SomModuleAssembly *assembly, const SomModuleAssemblyConnection *c) {
    SomPose a = som_module_assembly_connector(&assembly->modules.data[c->a], c->connector_a);
    SomPose b = som_module_assembly_connector(&assembly->modules.data[c->b], c->connector_b);
    return som_pose_compose(som_pose_compose(a, mating(c->roll)), som_pose_invert(b));
}

void som_module_assembly_place(const SomModuleAssembly *assembly, SomPose *poses, bool *placed) {
    int modules = assembly->modules.count, count = assembly->connections.count;
    SomAdjacency adjacency;
    som_adjacency_begin(&adjacency, modules, count);
    for (int i = 0; i < count; i++) {
        adjacency.ends[2 * i] = assembly->connections.data[i].a;
        adjacency.ends[2 * i + 1] = assembly->connections.data[i].b;
    }
    som_adjacency_end(&adjacency);
    int *queue = som_alloc(((size_t)modules + 1) * sizeof *queue);
    int last = 0;
    for (int i = 0; i < modules; i++) {
        if (placed[i]) {
            queue[last++] = i;
        }
    }
    for (int at = 0; at < last; at++) {
        int module = queue[at];
        for (int i = adjacency.first[module]; i < adjacency.first[module + 1]; i++) {
            const SomModuleAssemblyConnection *c = &assembly->connections.data[adjacency.list[i]];
            int other = c->a == module ? c->b : c->a;
            if (!placed[other]) {
                SomPose step = transform(assembly, c);
                step = c->a == module ? step : som_pose_invert(step);
                poses[other] = som_pose_compose(poses[module], step);
                poses[other].rotation = som_rotation_normalise(poses[other].rotation);
                placed[other] = true;
                queue[last++] = other;
            }
        }
    }
    som_free(queue);
    som_adjacency_free(&adjacency);
}

// "12.5 mm and 3 deg"
static void print_misfit(SomText *out, double away, double turned) {
    som_text_rounded(out, 1000 * away, 3);
    som_text_add(out, SOM_STR(" mm and "));
    som_text_rounded(out, turned * (180 / SOM_PI), 3);
    som_text_add(out, SOM_STR(" deg"));
}

bool som_module_assembly_differ(SomPose a, SomPose b, SomText *by) {
    double away = som_vec3_length(som_vec3_sub(a.position, b.position));
    double turned = som_rotation_distance(a.rotation, b.rotation);
    if (away <= MISFIT_METRES && turned <= MISFIT_RADIANS) {
        return false;
    }
    print_misfit(by, away, turned);
    return true;
}

static bool is_connected(const SomModuleAssembly *assembly, int a, int connector_a, int b,
                         int connector_b) {
    for (int i = 0; i < assembly->connections.count; i++) {
        const SomModuleAssemblyConnection *c = &assembly->connections.data[i];
        if ((c->a == a && c->connector_a == connector_a && c->b == b &&
             c->connector_b == connector_b) ||
            (c->a == b && c->connector_a == connector_b && c->b == a &&
             c->connector_b == connector_a)) {
            return true;
        }
    }
    return false;
}

// Two connectors that the poses put at each other although nothing connects them.
static void note_coinciding(const SomModuleAssembly *assembly, const SomPose *poses,
                            const SomModuleAssemblyConnection *c, SomArena *arena,
                            SomDiagnostics *diags) {
    const SomModuleAssemblyModule *a = &assembly->modules.data[c->a];
    const SomModuleAssemblyModule *b = &assembly->modules.data[c->b];
    for (int i = 0; i < a->type->connector_count; i++) {
        SomPose at_a = som_pose_compose(poses[c->a], som_module_assembly_connector(a, i));
        for (int k = 0; k < b->type->connector_count; k++) {
            SomPose at_b = som_pose_compose(poses[c->b], som_module_assembly_connector(b, k));
            SomPose between = som_pose_relative(at_a, at_b);
            if (som_vec3_length(between.position) < COINCIDE_METRES &&
                between.rotation.m[0][0] < FACING && !is_connected(assembly, c->a, i, c->b, k)) {
                som_note(diags, c->span,
                         "connector '%.*s' of '%.*s' coincides with connector '%.*s' of '%.*s'",
                         SOM_STR_ARG(a->type->connectors[i].name),
                         SOM_STR_ARG(som_module_assembly_shown(assembly, c->a, arena)),
                         SOM_STR_ARG(b->type->connectors[k].name),
                         SOM_STR_ARG(som_module_assembly_shown(assembly, c->b, arena)));
                return;
            }
        }
    }
}

void som_module_assembly_check_fit(const SomModuleAssembly *assembly, const SomPose *poses,
                                   SomArena *arena, SomDiagnostics *diags) {
    int count = 0;
    for (int i = 0; i < assembly->connections.count; i++) {
        const SomModuleAssemblyConnection *c = &assembly->connections.data[i];
        SomPose meant = som_pose_compose(poses[c->a], transform(assembly, c));
        SomText by = {0};
        if (som_module_assembly_differ(meant, poses[c->b], &by) && count++ < MAX_REPORTS) {
            som_report(diags, SOM_IMPORT_LOOP_OPEN, c->span,
                       "the loop through '%.*s' and '%.*s' does not close: it is open by %s",
                       SOM_STR_ARG(som_module_assembly_shown(assembly, c->a, arena)),
                       SOM_STR_ARG(som_module_assembly_shown(assembly, c->b, arena)), by.data);
            note_coinciding(assembly, poses, c, arena, diags);
        }
        som_text_free(&by);
    }
    som_note_more(diags, count - MAX_REPORTS);
}

static void report_limit(const SomModuleAssembly *assembly, int i, int k, SomArena *arena,
                         SomDiagnostics *diags) {
    const SomModuleAssemblyModule *module = &assembly->modules.data[i];
    const SomModuleJoint *joint = &module->type->joints[k];
    SomText at = {0};
    som_write_angle(&at, module->joints[k]);
    som_text_add(&at, SOM_STR(", its limits are "));
    som_write_angle(&at, joint->low);
    som_text_add(&at, SOM_STR(" and "));
    som_write_angle(&at, joint->high);
    som_report(diags, SOM_IMPORT_JOINT_BEYOND_LIMIT, module->span,
               "joint '%.*s' of '%.*s' is at %s", SOM_STR_ARG(joint->name),
               SOM_STR_ARG(som_module_assembly_shown(assembly, i, arena)), at.data);
    som_text_free(&at);
}

void som_module_assembly_check_limits(const SomModuleAssembly *assembly, SomArena *arena,
                                      SomDiagnostics *diags) {
    int count = 0;
    for (int i = 0; i < assembly->modules.count; i++) {
        const SomModuleAssemblyModule *module = &assembly->modules.data[i];
        for (int k = 0; module->joints != NULL && k < module->type->joint_count; k++) {
            const SomModuleJoint *joint = &module->type->joints[k];
            double value = module->joints[k];
            bool is_beyond = som_limit_fit(joint->low, joint->high, value) == SOM_LIMIT_BEYOND;
            if (is_beyond && count++ < MAX_REPORTS) {
                report_limit(assembly, i, k, arena, diags);
            }
        }
    }
    som_note_more(diags, count - MAX_REPORTS);
}

// ---- its text

// One line for each run of parts of a kind.
static void write_parts(const SomModuleAssembly *assembly, const SomModuleAssemblyText *text,
                        SomText *out) {
    SOM_ARRAY(SomStr) names = {0};
    SomStr of = {"", 0}, part = {"", 0};
    for (int i = 0; i < assembly->modules.count; i++) {
        const SomModuleAssemblyModule *module = &assembly->modules.data[i];
        if (text->pieces[i] != text->piece || som_str_equal(module->part, part)) {
            continue;
        }
        if (!som_str_equal(module->of, of)) {
            som_write_parts(out, names.data, names.count, of);
            names.count = 0;
            of = module->of;
        }
        part = module->part;
        som_array_push(&names, part);
    }
    som_write_parts(out, names.data, names.count, of);
    som_array_free(&names);
}

static void write_pose(const SomModuleAssembly *assembly, const SomModuleAssemblyText *text,
                       SomText *out) {
    bool is_open = false;
    for (int i = 0; i < assembly->modules.count; i++) {
        const SomModuleAssemblyModule *module = &assembly->modules.data[i];
        for (int k = 0; module->joints != NULL && k < module->type->joint_count; k++) {
            if (text->pieces[i] != text->piece || module->joints[k] == 0) {
                continue;
            }
            if (!is_open) {
                som_write_pose_begin(out, SOM_STR("initial"));
                is_open = true;
            }
            SomWrittenPlace place = place_of(module, module->type->joints[k].name);
            som_write_value(out, &place, module->joints[k]);
        }
    }
    if (is_open) {
        som_write_pose_end(out, SOM_STR("initial"), true);
    }
}

static void write_base(const SomModuleAssembly *assembly, const SomModuleAssemblyText *text,
                       SomText *out) {
    SomVec3 p = text->pose.position, turn = som_turn_of(text->pose.rotation);
    SomWrittenBase base = {.place = place_of(&assembly->modules.data[text->base], SOM_STR("")),
                           .is_on_ground = text->is_on_ground};
    if (!text->is_on_ground) {
        base.position = som_vec3(som_tidy_length(p.x), som_tidy_length(p.y), som_tidy_length(p.z));
        base.turn =
            som_vec3(som_tidy_angle(turn.x), som_tidy_angle(turn.y), som_tidy_angle(turn.z));
    }
    som_write_base(out, &base);
}

void som_module_assembly_write(SomImporter *importer, const SomModuleAssembly *assembly,
                               const SomModuleAssemblyText *text) {
    SomText *out = &importer->configs;
    int modules = 0;
    som_write_begin(out, text->comment, text->name);
    write_parts(assembly, text, out);
    for (int i = 0; i < assembly->modules.count; i++) {
        modules += text->pieces[i] == text->piece;
    }
    for (int i = 0; i < assembly->connections.count; i++) {
        const SomModuleAssemblyConnection *c = &assembly->connections.data[i];
        if (text->pieces[c->a] == text->piece && !c->is_inner) {
            const SomModuleAssemblyModule *a = &assembly->modules.data[c->a];
            const SomModuleAssemblyModule *b = &assembly->modules.data[c->b];
            SomWrittenConnection written = {
                .a = place_of(a, a->type->connectors[c->connector_a].name),
                .b = place_of(b, b->type->connectors[c->connector_b].name),
                .roll = c->roll};
            som_write_connect(out, &written);
        }
    }
    write_pose(assembly, text, out);
    write_base(assembly, text, out);
    som_write_end(out);
    som_importer_count(importer, text->name, modules);
}
