// SPDX-License-Identifier: Apache-2.0
// Modules of RoFI in terms of the library's.

#include "base/codes/exchange_codes.h"
#include "exchange/rofi.h"
#include "language/unit.h"
#include "space/trigonometry.h"

#include <stdio.h>

static const char *const universal_names[6] = {"A-X", "A+X", "A-Z", "B-X", "B+X", "B-Z"};
static const char *const joint_names[3] = {"alpha", "beta", "gamma"};
static const char *const link_names[4] = {"shoeA", "bodyA", "bodyB", "shoeB"};

static bool find_connector(const SomModuleType *type, const char *name, int *connector) {
    *connector = som_module_type_find_connector(type, som_str(name));
    return *connector >= 0 && type->connectors[*connector].has_frame;
}

static bool find_universal(SomRofiTypes *types) {
    const SomModuleType *type = types->types[SOM_ROFI_UNIVERSAL];
    bool fine = type->joint_count == 3;
    for (int i = 0; fine && i < 6; i++) {
        fine = find_connector(type, universal_names[i], &types->universal[i]);
    }
    for (int i = 0; fine && i < 3; i++) {
        types->joints[i] = som_module_type_find_joint(type, som_str(joint_names[i]), NULL);
        fine = types->joints[i] >= 0;
    }
    for (int i = 0; fine && i < 4; i++) {
        types->links[i] = som_module_type_find_link(type, som_str(link_names[i]));
        fine = types->links[i] >= 0;
    }
    return fine;
}

static bool find_others(SomRofiTypes *types) {
    const SomModuleType *tile = types->types[SOM_ROFI_PAD];
    bool fine = find_connector(tile, "face", &types->face) &&
                find_connector(tile, "next", &types->next) &&
                find_connector(tile, "last", &types->last) &&
                find_connector(tile, "next_row", &types->next_row) &&
                find_connector(tile, "last_row", &types->last_row);
    for (int i = 0; fine && i < 6; i++) {
        char name[3] = {'c', (char)('0' + i), '\0'};
        fine = find_connector(types->types[SOM_ROFI_CUBE], name, &types->cube[i]);
    }
    return fine;
}

bool som_rofi_types(SomImporter *importer, SomRofiTypes *types) {
    static const char *const names[3] = {"RoFI_UM", "RoFI_Cube", "RoFI_Tile"};
    const SomM3l *m3l = som_importer_library(importer, SOM_STR("rofi.m3l"));
    bool fine = m3l != NULL;
    for (int i = 0; fine && i < 3; i++) {
        types->types[i] = som_m3l_find_type(m3l, som_str(names[i]));
        som_importer_reserve(importer, som_str(names[i]));
        fine = types->types[i] != NULL;
    }
    fine = fine && find_universal(types) && find_others(types);
    if (m3l != NULL && !fine) {
        som_report(importer->diags, SOM_IMPORT_NO_LIBRARY, (SomSpan){0},
                   "the library's rofi.m3l is not the one that worlds of RoFI are made with");
    }
    return fine;
}

// ---- components

int som_rofi_connector_count(const SomRofiModule *module) {
    return module->kind == SOM_ROFI_PAD ? module->width * module->height : 6;
}

int som_rofi_component_count(const SomRofiModule *module) {
    int connectors = som_rofi_connector_count(module);
    switch (module->kind) {
    case SOM_ROFI_UNIVERSAL:
        return connectors + 4;
    case SOM_ROFI_CUBE:
        return connectors + 1;
    case SOM_ROFI_PAD:
        break;
    }
    return connectors;
}

int som_rofi_component_module(const SomRofiModule *module, int component) {
    return module->first + (module->kind == SOM_ROFI_PAD ? component : 0);
}

int som_rofi_connector(const SomRofiTypes *types, const SomRofiModule *module, int component) {
    switch (module->kind) {
    case SOM_ROFI_UNIVERSAL:
        return types->universal[component];
    case SOM_ROFI_CUBE:
        return types->cube[component];
    case SOM_ROFI_PAD:
        break;
    }
    return types->face;
}

// Body B and its shoe look back at body A.
static SomPose far_side(void) {
    return (SomPose){{{{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}}}, {0, 0, SOM_ROFI_STEP}};
}

SomPose som_rofi_component(const SomModuleAssembly *assembly, const SomRofiTypes *types,
                           const SomRofiModule *module, int component) {
    const SomModuleAssemblyModule *own =
        &assembly->modules.data[som_rofi_component_module(module, component)];
    int body = component - som_rofi_connector_count(module);
    if (body < 0) { // C = K Rz(pi) Tx(1/2)
        SomPose step = {{{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}}, {-SOM_ROFI_STEP / 2, 0, 0}};
        SomPose face =
            som_module_assembly_connector(own, som_rofi_connector(types, module, component));
        return som_pose_compose(face, step);
    }
    if (module->kind == SOM_ROFI_CUBE) {
        return som_pose_identity();
    }
    SomPose link = som_module_assembly_link(own, types->links[body]);
    return body < 2 ? link : som_pose_compose(link, far_side());
}

// ---- modules

void som_rofi_add_universal(SomModuleAssembly *assembly, const SomRofiTypes *types,
                            SomRofiModule *module, SomStr part, const double degrees[3],
                            SomArena *arena) {
    const SomUnit *unit = som_unit_find(SOM_STR("deg"));
    double *joints = som_arena_new(arena, double, 3);
    for (int i = 0; i < 3; i++) {
        joints[types->joints[i]] = som_unit_to_si(unit, degrees[i]);
    }
    const SomModuleType *type = types->types[SOM_ROFI_UNIVERSAL];
    SomModuleAssemblyModule added = {
        .part = part, .of = type->name, .type = type, .joints = joints, .span = module->span};
    module->first = assembly->modules.count;
    som_array_push(&assembly->modules, added);
}

void som_rofi_add_cube(SomModuleAssembly *assembly, const SomRofiTypes *types,
                       SomRofiModule *module, SomStr part) {
    const SomModuleType *type = types->types[SOM_ROFI_CUBE];
    SomModuleAssemblyModule added = {
        .part = part, .of = type->name, .type = type, .span = module->span};
    module->first = assembly->modules.count;
    som_array_push(&assembly->modules, added);
}

static SomStr tile_name(int number, SomArena *arena) {
    char text[16];
    int length = snprintf(text, sizeof text, "c%d", number);
    return som_arena_copy(arena, (SomStr){text, (size_t)length});
}

// The tile that a tile hangs on: the one before it in its row, or the first of the row before.
static int tile_before(int tile, int height) {
    return tile % height > 0 ? tile - 1 : tile - height;
}

void som_rofi_add_pad(SomModuleAssembly *assembly, const SomRofiTypes *types, SomRofiModule *module,
                      SomStr part, SomStr of, SomArena *arena) {
    module->first = assembly->modules.count;
    for (int i = 0; i < module->width * module->height; i++) {
        SomModuleAssemblyModule tile = {.part = part,
                                        .of = of,
                                        .member = tile_name(i, arena),
                                        .type = types->types[SOM_ROFI_PAD],
                                        .span = module->span};
        som_array_push(&assembly->modules, tile);
        bool in_row = i % module->height > 0;
        SomModuleAssemblyConnection c = {.a = module->first + tile_before(i, module->height),
                                         .b = module->first + i,
                                         .connector_a = in_row ? types->next : types->next_row,
                                         .connector_b = in_row ? types->last : types->last_row,
                                         .is_inner = true,
                                         .span = module->span};
        if (i > 0) {
            som_array_push(&assembly->connections, c);
        }
    }
}

void som_rofi_write_pad(SomText *out, SomStr name, int width, int height, SomArena *arena) {
    SomText comment = {0};
    som_text_printf(&comment, "A pad of RoFI, %d by %d.", width, height);
    som_write_begin(out, som_text_str(&comment), name);
    som_text_free(&comment);
    SOM_ARRAY(SomStr) names = {0};
    for (int i = 0; i < width * height; i++) {
        som_array_push(&names, tile_name(i, arena));
    }
    som_write_parts(out, names.data, names.count, SOM_STR("RoFI_Tile"));
    for (int i = 1; i < names.count; i++) {
        bool in_row = i % height > 0;
        SomWrittenConnection c = {
            .a = {{names.data[tile_before(i, height)],
                   in_row ? SOM_STR("next") : SOM_STR("next_row")},
                  2},
            .b = {{names.data[i], in_row ? SOM_STR("last") : SOM_STR("last_row")}, 2}};
        som_write_connect(out, &c);
    }
    som_write_end(out);
    som_array_free(&names);
}
