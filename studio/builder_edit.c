// SPDX-License-Identifier: Apache-2.0
#include "studio/builder_edit.h"

#include "language/name.h"

#include <math.h>

// Values nearer than this are the same, in radians or metres.
#define SAME_VALUE 1e-9

// ---- places

// A block by its names, copied, because operations free what they are of.
typedef struct Place {
    SomText behavior, path;
} Place;

static Place place_of(const SomBlocks *blocks, int block) {
    Place place = {0};
    som_text_add(&place.behavior, blocks->behaviors.data[blocks->blocks[block].behavior].name);
    som_blocks_print_path(blocks, block, &place.path);
    return place;
}

static SomBlockPlace names_of(const Place *place) {
    return (SomBlockPlace){som_text_str(&place->behavior), som_text_str(&place->path)};
}

static void free_place(Place *place) {
    som_text_free(&place->behavior);
    som_text_free(&place->path);
}

static int index_of(const SomBlocks *blocks, int block) {
    int index = 0;
    for (int b = blocks->blocks[block].parent + 1; b < block; b = blocks->blocks[b].end) {
        index++;
    }
    return index;
}

SomBuilderTarget som_builder_target(const SomBlocks *blocks, int block, SomBuilderSide side) {
    if (block < 0) {
        return (SomBuilderTarget){-1, 0};
    }
    int parent = blocks->blocks[block].parent;
    bool is_beside = side == SOM_BUILDER_BEFORE || side == SOM_BUILDER_AFTER;
    if (!is_beside || parent < 0) { // beside the whole is at its ends
        bool is_first = side == SOM_BUILDER_FIRST || side == SOM_BUILDER_BEFORE;
        return (SomBuilderTarget){block, is_first ? 0 : SOM_LAST};
    }
    return (SomBuilderTarget){parent,
                              index_of(blocks, block) + (side == SOM_BUILDER_AFTER ? 1 : 0)};
}

SomBuilderTarget som_builder_target_selected(const SomDesk *desk) {
    const SomBlocks *blocks = som_desk_blocks(desk);
    int own = som_desk_own(desk), block = som_desk_selected(desk);
    block = block >= 0 ? block : own >= 0 ? blocks->behaviors.data[own].root : -1;
    bool is_list = block >= 0 && som_block_is_list(blocks->blocks[block].kind);
    return som_builder_target(blocks, block, is_list ? SOM_BUILDER_LAST : SOM_BUILDER_AFTER);
}

bool som_builder_can_move(const SomBlocks *blocks, int block, SomBuilderTarget target) {
    if (target.into < 0 || (target.into >= block && target.into < blocks->blocks[block].end)) {
        return false;
    }
    int parent = blocks->blocks[block].parent, own = parent >= 0 ? index_of(blocks, block) : 0;
    int count = parent >= 0 ? blocks->blocks[parent].child_count : 0;
    int index = target.index == SOM_LAST ? count : target.index;
    return target.into != parent || (index != own && index != own + 1);
}

// ---- after an operation

// The block that it made is selected.
static bool finish(SomDesk *desk, bool was_made, SomStr behavior) {
    SomProject *project = som_desk_project(desk);
    SomText path = {0}, name = {0};
    if (was_made) {
        som_text_add(&path, som_design_new_name(som_project_design(project)));
        som_text_add(&name, behavior);
    }
    if (som_project_edited(project, was_made)) {
        int block =
            som_blocks_find(som_desk_blocks(desk), som_text_str(&name), som_text_str(&path));
        som_desk_select(desk, block >= 0 ? block : som_desk_selected(desk));
    }
    som_text_free(&path);
    som_text_free(&name);
    return was_made;
}

static SomDesign *design_of(SomDesk *desk) {
    return som_project_design(som_desk_project(desk));
}

static SomStr config_of(SomDesk *desk) {
    return som_project_choice(som_desk_project(desk));
}

// ---- behaviors

// As the design calls it, copied; empty if it is one of a part.
static SomText own_name(const SomDesk *desk) {
    SomText name = {0};
    int own = som_desk_own(desk);
    if (own >= 0) {
        som_text_add(&name, som_desk_blocks(desk)->behaviors.data[own].name);
    }
    return name;
}

static bool add(SomDesk *desk, SomStr name, SomStr action) {
    SomProject *project = som_desk_project(desk);
    bool was_made = som_behavior_add(design_of(desk), config_of(desk), name, action);
    SomText made = {0};
    if (was_made) {
        som_name_print(&made, som_design_new_name(design_of(desk)));
    }
    if (som_project_edited(project, was_made)) {
        som_desk_choose(desk, som_text_str(&made));
    }
    som_text_free(&made);
    return was_made;
}

bool som_builder_add(SomDesk *desk, SomStr name) {
    return add(desk, name, SOM_STR(""));
}

bool som_builder_add_call(SomDesk *desk) {
    SomText path = {0}, call = {0};
    som_text_add(&path, som_desk_behavior(desk));
    const SomPalette *palette = som_desk_palette(desk);
    for (int i = 0; i < palette->item_count && call.length == 0; i++) {
        const SomPaletteItem *item = &palette->items[i];
        if (item->kind == SOM_PALETTE_BEHAVIOR && som_str_equal(item->title, som_text_str(&path))) {
            som_text_printf(&call, "series(%.*s)", SOM_STR_ARG(item->text));
        }
    }
    size_t at = path.length;
    while (at > 0 && path.data[at - 1] != '.') {
        at--;
    }
    bool was_made =
        call.length > 0 &&
        add(desk, som_str_slice(som_text_str(&path), at, path.length), som_text_str(&call));
    som_text_free(&path);
    som_text_free(&call);
    return was_made;
}

bool som_builder_rename(SomDesk *desk, SomStr name) {
    SomText own = own_name(desk);
    bool was_made =
        som_design_rename_behavior(design_of(desk), config_of(desk), som_text_str(&own), name);
    som_text_free(&own);
    return som_project_edited(som_desk_project(desk), was_made);
}

bool som_builder_remove(SomDesk *desk) {
    SomText own = own_name(desk);
    bool was_made = som_behavior_remove(design_of(desk), config_of(desk), som_text_str(&own));
    som_text_free(&own);
    return som_project_edited(som_desk_project(desk), was_made);
}

// ---- blocks

bool som_builder_insert_at(SomDesk *desk, SomBuilderTarget target, SomStr action) {
    if (target.into < 0) {
        return false;
    }
    Place into = place_of(som_desk_blocks(desk), target.into);
    bool was_made = finish(desk,
                           som_behavior_insert(design_of(desk), config_of(desk), names_of(&into),
                                               target.index, action),
                           som_text_str(&into.behavior));
    free_place(&into);
    return was_made;
}

bool som_builder_insert(SomDesk *desk, SomStr action) {
    return som_builder_insert_at(desk, som_builder_target_selected(desk), action);
}

bool som_builder_drop(SomDesk *desk, int block, SomBuilderTarget target) {
    const SomBlocks *blocks = som_desk_blocks(desk);
    if (block < 0 || block >= blocks->block_count || !som_builder_can_move(blocks, block, target)) {
        return false;
    }
    Place from = place_of(blocks, block), into = place_of(blocks, target.into);
    bool was_made = finish(desk,
                           som_behavior_move(design_of(desk), config_of(desk), names_of(&from),
                                             names_of(&into), target.index),
                           som_text_str(&into.behavior));
    free_place(&from);
    free_place(&into);
    return was_made;
}

bool som_builder_step(SomDesk *desk, int way) {
    const SomBlocks *blocks = som_desk_blocks(desk);
    int block = som_desk_selected(desk), parent = block >= 0 ? blocks->blocks[block].parent : -1;
    if (parent < 0) {
        return false;
    }
    int other = index_of(blocks, block) + way; // that it changes places with
    int sibling = other >= 0 && other < blocks->blocks[parent].child_count
                      ? som_blocks_child(blocks, parent, other)
                      : parent;
    if (sibling == parent && blocks->blocks[parent].parent < 0) {
        return false;
    }
    return som_builder_drop(
        desk, block,
        som_builder_target(blocks, sibling, way > 0 ? SOM_BUILDER_AFTER : SOM_BUILDER_BEFORE));
}

typedef bool (*Operation)(SomDesign *design, SomStr config, SomBlockPlace block);

static bool edit(SomDesk *desk, Operation operation) {
    if (som_desk_selected(desk) < 0) {
        return false;
    }
    Place place = place_of(som_desk_blocks(desk), som_desk_selected(desk));
    bool was_made = finish(desk, operation(design_of(desk), config_of(desk), names_of(&place)),
                           som_text_str(&place.behavior));
    free_place(&place);
    return was_made;
}

bool som_builder_duplicate(SomDesk *desk) {
    return edit(desk, som_behavior_duplicate);
}

bool som_builder_unwrap(SomDesk *desk) {
    return edit(desk, som_behavior_unwrap);
}

// What was behind it is selected, else what was before it, else what it was in.
bool som_builder_delete(SomDesk *desk) {
    const SomBlocks *blocks = som_desk_blocks(desk);
    int block = som_desk_selected(desk);
    if (block < 0) {
        return false;
    }
    Place place = place_of(blocks, block), next = {0};
    int parent = blocks->blocks[block].parent;
    bool is_last = parent >= 0 && blocks->blocks[block].end == blocks->blocks[parent].end;
    int index = parent >= 0 ? index_of(blocks, block) : 0;
    next = place_of(blocks, is_last && index > 0 ? som_blocks_child(blocks, parent, index - 1)
                            : is_last            ? parent
                                                 : block);
    bool was_made = som_behavior_remove_block(design_of(desk), config_of(desk), names_of(&place));
    if (som_project_edited(som_desk_project(desk), was_made)) {
        SomBlockPlace names = names_of(&next);
        som_desk_select(desk, som_blocks_find(som_desk_blocks(desk), names.behavior, names.path));
    }
    free_place(&place);
    free_place(&next);
    return was_made;
}

bool som_builder_wrap(SomDesk *desk, int count, SomBlockKind kind) {
    if (som_desk_selected(desk) < 0) {
        return false;
    }
    Place place = place_of(som_desk_blocks(desk), som_desk_selected(desk));
    bool was_made = finish(desk,
                           som_behavior_wrap(design_of(desk), config_of(desk), names_of(&place),
                                             count, kind, SOM_STR("")),
                           som_text_str(&place.behavior));
    free_place(&place);
    return was_made;
}

bool som_builder_set_kind(SomDesk *desk, SomBlockKind kind) {
    if (som_desk_selected(desk) < 0) {
        return false;
    }
    Place place = place_of(som_desk_blocks(desk), som_desk_selected(desk));
    bool was_made = som_behavior_set_kind(design_of(desk), config_of(desk), names_of(&place), kind);
    free_place(&place);
    return som_project_edited(som_desk_project(desk), was_made);
}

// ---- fields

bool som_builder_set_field(SomDesk *desk, int block, SomFieldKind kind, int nth, SomStr text) {
    Place place = place_of(som_desk_blocks(desk), block);
    bool was_made =
        som_behavior_set_field(design_of(desk), config_of(desk), names_of(&place), kind, nth, text);
    free_place(&place);
    return som_project_edited(som_desk_project(desk), was_made);
}

bool som_builder_clear_field(SomDesk *desk, int block, SomFieldKind kind, int nth) {
    Place place = place_of(som_desk_blocks(desk), block);
    bool was_made =
        som_behavior_clear_field(design_of(desk), config_of(desk), names_of(&place), kind, nth);
    free_place(&place);
    return som_project_edited(som_desk_project(desk), was_made);
}

// Of a joint that turns, and of one that slides.
static const char *const first_texts[SOM_FIELD_KINDS][2] = {
    [SOM_FIELD_UNTIL] = {"reached"},
    [SOM_FIELD_WITHIN] = {"2deg", "2mm"},
    [SOM_FIELD_SPEED] = {"30deg/s", "30mm/s"},
    [SOM_FIELD_DURING] = {"1s"},
    [SOM_FIELD_TIMEOUT] = {"5s"},
    [SOM_FIELD_LATCH] = {"hold"},
};

bool som_builder_takes_clause(const SomBlocks *blocks, int block, SomFieldKind kind) {
    return first_texts[kind][0] != NULL && som_block_takes(blocks->blocks[block].kind, kind) &&
           som_blocks_field(blocks, block, kind, 0) < 0;
}

bool som_builder_add_clause(SomDesk *desk, int block, SomFieldKind kind) {
    Place place = place_of(som_desk_blocks(desk), block);
    bool was_made = false;
    for (int i = 0; i < 2 && !was_made && first_texts[kind][i] != NULL; i++) {
        was_made = som_behavior_set_field(design_of(desk), config_of(desk), names_of(&place), kind,
                                          0, som_str(first_texts[kind][i]));
    }
    free_place(&place);
    return som_project_edited(som_desk_project(desk), was_made);
}

// ---- recording

bool som_builder_record(SomDesk *desk, SomStr pose, const double *last) {
    const SomModel *model = som_project_model(som_desk_project(desk));
    SomBuilderTarget target = som_builder_target_selected(desk);
    if (model->configuration == NULL || target.into < 0) {
        return false;
    }
    const double *from = last != NULL ? last : model->configuration->start;
    SOM_ARRAY(SomJointValue) values = {0};
    for (int i = 0; i < model->posture.count; i++) {
        double now = model->posture.values[i];
        if (!(fabs(now - from[i]) <= SAME_VALUE)) {
            som_array_push(&values, ((SomJointValue){model->configuration->dofs[i].path, now}));
        }
    }
    Place into = place_of(som_desk_blocks(desk), target.into);
    bool was_made = values.count > 0 &&
                    finish(desk,
                           som_behavior_record(design_of(desk), config_of(desk), names_of(&into),
                                               target.index, pose, values.data, values.count),
                           som_text_str(&into.behavior));
    som_array_free(&values);
    free_place(&into);
    return was_made;
}
