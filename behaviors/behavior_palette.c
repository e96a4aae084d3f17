// SPDX-License-Identifier: Apache-2.0
#include "behaviors/behavior_palette.h"

#include "behaviors/behavior_samples.h"
#include "compose/design_change.h"
#include "language/name.h"

typedef struct Writer {
    SomPalette *palette;
    SOM_ARRAY(SomPaletteItem) items;
    SomText text;
} Writer;

// The text of the writer becomes that of the item.
static void add(Writer *w, SomPaletteItem item) {
    item.text = som_arena_copy(&w->palette->arena, som_text_str(&w->text));
    item.title = item.title.length > 0 ? item.title : item.text;
    item.depth = w->palette->composition->configuration->parts[item.part].depth;
    som_text_clear(&w->text);
    som_array_push(&w->items, item);
}

static void add_behaviors(Writer *w) {
    const SomConfiguration *c = w->palette->composition->configuration;
    SomCompileDef def = {.workspace = w->palette->composition->workspace, .configuration = c};
    int deepest = 0;
    for (int depth = 0; depth <= deepest; depth++) {
        for (int i = 0; i < c->behavior_count; i++) {
            const SomBehaviorName *behavior = &c->behaviors[i];
            int own = c->parts[behavior->part].depth;
            deepest = own > deepest ? own : deepest;
            if (own == depth) {
                som_behavior_print_sample(&def, i, &w->text);
                add(w, (SomPaletteItem){.kind = SOM_PALETTE_BEHAVIOR,
                                        .title = behavior->path,
                                        .params = behavior->params,
                                        .doc = behavior->doc,
                                        .part = behavior->part,
                                        .index = i});
            }
        }
    }
}

static void add_poses(Writer *w) {
    const SomConfiguration *c = w->palette->composition->configuration;
    for (int i = 0; i < c->pose_count; i++) {
        som_text_printf(&w->text, "to pose %.*s", SOM_STR_ARG(c->poses[i].path));
        add(w, (SomPaletteItem){.kind = SOM_PALETTE_POSE,
                                .title = c->poses[i].path,
                                .doc = c->poses[i].doc,
                                .part = c->poses[i].part,
                                .index = i});
    }
}

static void add_docks(Writer *w) {
    const SomConfiguration *c = w->palette->composition->configuration;
    for (int i = 0; i < 2 * c->dock_count; i++) {
        const SomDock *dock = &c->docks[i / 2];
        som_text_printf(&w->text, "%s %.*s", i % 2 == 0 ? "connect" : "disconnect",
                        SOM_STR_ARG(dock->path));
        add(w, (SomPaletteItem){.kind = SOM_PALETTE_DOCK, .part = dock->part, .index = i / 2});
    }
}

static void add_joints(Writer *w) {
    const SomConfiguration *c = w->palette->composition->configuration;
    for (int i = 0; i < c->dof_count; i++) {
        som_text_printf(&w->text, "%.*s to ", SOM_STR_ARG(c->dofs[i].path));
        som_dof_print_value(c, i, 0, &w->text);
        add(w, (SomPaletteItem){.kind = SOM_PALETTE_JOINT,
                                .title = c->dofs[i].path,
                                .part = c->modules[c->dofs[i].module].part,
                                .index = i});
    }
}

static void add_flow(Writer *w) {
    static const struct {
        const char *text, *doc;
    } flow[] = {
        {"series()", "One after the other."},
        {"parallel()", "All at once, until all have ended."},
        {"any()", "All at once, until the first has ended."},
        {"repeat 2: wait 1s", "Again and again."},
        {"choose(else: wait 1s)", "The first branch whose condition holds."},
        {"wait 1s", "Does nothing for a while."},
        {"hold", "Keeps all joints where they are."},
    };
    for (size_t i = 0; i < sizeof flow / sizeof *flow; i++) {
        som_text_add(&w->text, som_str(flow[i].text));
        add(w, (SomPaletteItem){.kind = SOM_PALETTE_FLOW, .doc = som_str(flow[i].doc)});
    }
}

SomPalette *som_palette_create(SomComposition *composition) {
    SomPalette *palette = som_alloc(sizeof *palette);
    palette->composition = som_composition_hold(composition);
    if (composition->configuration == NULL) {
        return palette;
    }
    Writer w = {.palette = palette};
    add_behaviors(&w);
    add_poses(&w);
    add_docks(&w);
    add_joints(&w);
    add_flow(&w);
    SomPaletteItem *items = som_arena_new(&palette->arena, SomPaletteItem, w.items.count);
    memcpy(items, w.items.data, (size_t)w.items.count * sizeof *items);
    palette->items = items;
    palette->item_count = w.items.count;
    som_array_free(&w.items);
    som_text_free(&w.text);
    return palette;
}

void som_palette_destroy(SomPalette *palette) {
    if (palette != NULL) {
        som_composition_release(palette->composition);
        som_arena_free(&palette->arena);
        som_free(palette);
    }
}

// ---- what would contain itself

// The behavior of the same config that a call runs; -1 if it is one of a part.
static int called(const SomBlocks *blocks, int block) {
    int place = som_blocks_field(blocks, block, SOM_FIELD_PLACE, 0);
    if (place < 0) {
        return -1;
    }
    SomText name = {0};
    SomNode first = som_syntax_first_child(blocks->tree, blocks->fields.data[place].node);
    bool is_own = first != 0 && som_syntax_next_sibling(blocks->tree, first) == 0;
    if (is_own) {
        som_name_read(som_syntax_text(blocks->tree, first), &name);
    }
    int found = is_own ? som_blocks_find_behavior(blocks, som_text_str(&name)) : -1;
    som_text_free(&name);
    return found;
}

static bool runs(const SomBlocks *blocks, int behavior, int wanted, bool *seen) {
    if (behavior == wanted) {
        return true;
    }
    int root = blocks->behaviors.data[behavior].root;
    if (seen[behavior] || root < 0) {
        return false;
    }
    seen[behavior] = true;
    for (int i = root; i < blocks->blocks[root].end; i++) {
        int next = blocks->blocks[i].kind == SOM_BLOCK_CALL ? called(blocks, i) : -1;
        if (next >= 0 && runs(blocks, next, wanted, seen)) {
            return true;
        }
    }
    return false;
}

bool som_palette_is_circular(const SomPalette *palette, const SomBlocks *blocks, int item,
                             SomStr behavior) {
    const SomPaletteItem *p = &palette->items[item];
    if (p->kind != SOM_PALETTE_BEHAVIOR || p->depth != 0) {
        return false; // parts do not know the whole
    }
    const SomConfiguration *c = palette->composition->configuration;
    int from = som_blocks_find_behavior(blocks, c->behaviors[p->index].name);
    int wanted = som_blocks_find_behavior(blocks, behavior);
    bool *seen = som_alloc((size_t)(blocks->behaviors.count + 1) * sizeof *seen);
    bool is_circular = from >= 0 && wanted >= 0 && runs(blocks, from, wanted, seen);
    som_free(seen);
    return is_circular;
}
