// SPDX-License-Identifier: Apache-2.0
#include "command/piece_list.h"

#include "base/number.h"

#include <math.h>

// A design that is one module has no path: its type's name will do.
static SomStr name_of(const SomModule *module) {
    return module->path.length > 0 ? module->path : module->type->name;
}

// The tree has piece after piece: where the next one begins.
static int end_of_piece(const SomConfiguration *design, int begin) {
    int end = begin + 1;
    while (end < design->module_count && design->modules[design->tree[end]].connection >= 0) {
        end++;
    }
    return end;
}

bool som_pieces_are_shown(const SomConfiguration *design) {
    return design->piece_count > 0 || design->base.is_fixed;
}

static void print_base(const SomBase *base, SomText *out) {
    SomVec3 p = base->placement.position;
    const double at[] = {p.x, p.y, p.z};
    som_text_add(out, base->is_fixed ? SOM_STR(", fixed") : SOM_STR(""));
    if (base->is_on_ground) {
        som_text_add(out, SOM_STR(", on ground"));
    }
    for (int i = 0; i < 3; i++) {
        som_text_add(out, i == 0 ? SOM_STR(", at (") : SOM_STR(", "));
        som_text_rounded(out, round(at[i] * 1e6) / 1e6 + 0.0, 6);
    }
    som_text_add(out, SOM_STR(") m\n"));
}

void som_pieces_print(const SomConfiguration *design, SomText *out) {
    som_text_add(out, SOM_STR("\npieces\n"));
    for (int i = 0, begin = 0; i < design->base_count; i++) {
        const SomBase *base = &design->bases[i];
        int end = end_of_piece(design, begin);
        som_text_add(out, SOM_STR("  "));
        som_text_add_shown(out, name_of(&design->modules[base->module]));
        som_text_printf(out, ": %d module%s", end - begin, end - begin == 1 ? "" : "s");
        print_base(base, out);
        begin = end;
    }
}

static void write_base(SomCommand *command, const SomConfiguration *design, const SomBase *base) {
    SomJsonWriter *json = &command->json;
    const SomModule *module = &design->modules[base->module];
    som_json_key(json, SOM_STR("base"));
    som_json_open_object(json);
    som_json_member_string(json, "module", module->path);
    som_json_member_string(json, "frame",
                           base->frame < 0 ? SOM_STR("") : module->type->frames[base->frame].name);
    som_json_member_boolean(json, "fixed", base->is_fixed);
    som_json_member_boolean(json, "on_ground", base->is_on_ground);
    som_command_write_pose(command, base->placement);
    som_json_close_object(json);
}

void som_pieces_write(SomCommand *command, const SomConfiguration *design) {
    SomJsonWriter *json = &command->json;
    som_json_key(json, SOM_STR("pieces"));
    som_json_open_array(json);
    for (int i = 0, begin = 0; i < design->base_count; i++) {
        int end = end_of_piece(design, begin);
        som_json_open_object(json);
        write_base(command, design, &design->bases[i]);
        som_json_key(json, SOM_STR("modules"));
        som_json_open_array(json);
        for (; begin < end; begin++) {
            som_json_string(json, design->modules[design->tree[begin]].path);
        }
        som_json_close_array(json);
        som_json_close_object(json);
    }
    som_json_close_array(json);
}
