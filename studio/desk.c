// SPDX-License-Identifier: Apache-2.0
#include "studio/desk.h"

#include "language/name.h"

struct SomDesk {
    SomProject *project;
    const SomDesign *design; // of the file that is open; only compared
    SomListeners listeners;
    SomDiagnostics *diags; // of the tree of no text
    SomSyntax *nothing;
    SomComposition *composition; // that all here is of
    SomBlocks *blocks;
    SomBlocks *foreign;         // of the part whose behavior is chosen; NULL: none is
    SomBlockFindings *findings; // NULL: nobody has asked
    SomPalette *palette;
    SomText behavior; // path
    int selected;
    SOM_ARRAY(int) marks;
};

// ---- behaviors

static SomStr name_of(const SomBlocks *blocks, int own) {
    return blocks->behaviors.data[own].name;
}

// The own behavior of a path, or of a name as it is read.
static int find_own(const SomBlocks *blocks, SomStr behavior) {
    SomText path = {0};
    int found = som_blocks_find_behavior(blocks, behavior);
    for (int i = 0; i < blocks->behaviors.count && found < 0; i++) {
        som_text_clear(&path);
        som_name_print(&path, name_of(blocks, i));
        found = som_str_equal(som_text_str(&path), behavior) ? i : -1;
    }
    som_text_free(&path);
    return found;
}

// Of the configuration; -1: it is none of a part.
static int find_foreign(const SomComposition *composition, SomStr behavior) {
    const SomConfiguration *c = composition->configuration;
    int found = c != NULL ? som_configuration_find_behavior(c, behavior) : -1;
    return found >= 0 && c->behaviors[found].part != 0 ? found : -1;
}

int som_desk_own(const SomDesk *desk) {
    bool has_any = desk->foreign == NULL && desk->behavior.length > 0;
    return has_any ? find_own(desk->blocks, som_text_str(&desk->behavior)) : -1;
}

// The config of a file that has the behavior with this node.
static const SomConfigInfo *config_with(const SomDesignFile *file, SomNode behavior) {
    for (int i = 0; i < file->config_count; i++) {
        for (int k = 0; k < file->configs[i].behavior_count; k++) {
            if (file->configs[i].behaviors[k].node == behavior) {
                return &file->configs[i];
            }
        }
    }
    return NULL;
}

static SomBlocks *foreign_blocks(const SomComposition *composition, int behavior) {
    const SomBehaviorName *b = &composition->configuration->behaviors[behavior];
    const SomDesignFile *file = som_workspace_file(composition->workspace, b->file);
    const SomConfigInfo *config = config_with(file, b->node);
    if (file->tree == NULL || config == NULL) {
        return NULL;
    }
    SomText name = {0};
    som_name_print_quoted(&name, config->name);
    SomBlocks *blocks = som_blocks_create(file->tree, som_text_str(&name));
    som_text_free(&name);
    return blocks;
}

// A behavior that is there, or "".
static void set_behavior(SomDesk *desk, SomStr behavior) {
    SomText path = {0};
    int own = find_own(desk->blocks, behavior);
    int foreign = own < 0 ? find_foreign(desk->composition, behavior) : -1;
    som_blocks_destroy(desk->foreign);
    desk->foreign = foreign >= 0 ? foreign_blocks(desk->composition, foreign) : NULL;
    if (own >= 0) {
        som_name_print(&path, name_of(desk->blocks, own));
    } else if (desk->foreign != NULL) {
        som_text_add(&path, behavior);
    }
    som_text_free(&desk->behavior);
    desk->behavior = path;
}

const SomBlocks *som_desk_shown(const SomDesk *desk, int *behavior) {
    if (desk->foreign == NULL) {
        *behavior = som_desk_own(desk);
        return desk->blocks;
    }
    const SomConfiguration *c = desk->composition->configuration;
    int chosen = som_configuration_find_behavior(c, som_text_str(&desk->behavior));
    *behavior = som_blocks_find_behavior(desk->foreign, c->behaviors[chosen].name);
    return desk->foreign;
}

// ---- another text

// Where a behavior of another text went that is not there under its name: what stands in its place,
// if as many stand there, else what stands where it was.
static SomStr follow(const SomDesk *desk, const SomBlocks *blocks, const SomComposition *old) {
    const SomConfiguration *now = desk->composition->configuration, *before = old->configuration;
    SomStr behavior = som_text_str(&desk->behavior);
    int foreign = find_foreign(old, behavior);
    if (foreign >= 0 && now != NULL && now->behavior_count == before->behavior_count &&
        now->behaviors[foreign].part != 0) {
        return now->behaviors[foreign].path;
    }
    int own = foreign < 0 ? find_own(blocks, behavior) : -1;
    int count = desk->blocks->behaviors.count;
    return count == 0 ? SOM_STR("")
                      : name_of(desk->blocks, own < 0       ? 0
                                              : own < count ? own
                                                            : count - 1);
}

static bool has_behavior(const SomDesk *desk, SomStr behavior) {
    return behavior.length > 0 && (find_own(desk->blocks, behavior) >= 0 ||
                                   find_foreign(desk->composition, behavior) >= 0);
}

// The block at the path, or the nearest that it would be in.
static int find_nearest(const SomBlocks *blocks, SomStr behavior, SomStr path) {
    int found = som_blocks_find(blocks, behavior, path);
    while (found < 0 && path.length > 0) {
        while (path.length > 0 && path.data[path.length - 1] != '/') {
            path.length--;
        }
        path.length -= path.length > 0;
        found = som_blocks_find(blocks, behavior, path);
    }
    return found;
}

static void forget_made(SomDesk *desk) {
    som_block_findings_destroy(desk->findings);
    som_palette_destroy(desk->palette);
    desk->findings = NULL;
    desk->palette = NULL;
}

static SomBlocks *read_blocks(const SomDesk *desk) {
    SomBlocks *blocks = som_blocks_of(desk->composition);
    return blocks != NULL ? blocks : som_blocks_create(desk->nothing, SOM_STR(""));
}

static void on_project(void *context, unsigned changes) {
    SomDesk *desk = context;
    const SomModel *model = som_project_model(desk->project);
    if ((changes & SOM_PROJECT_TEXT) == 0 || model->composition == desk->composition) {
        return;
    }
    SomBlocks *blocks = desk->blocks;
    SomComposition *old = desk->composition;
    bool is_other = desk->design != som_project_design(desk->project);
    SomText path = {0}, behavior = {0};
    if (desk->selected >= 0) {
        som_blocks_print_path(blocks, desk->selected, &path);
    }
    som_text_add(&behavior, som_text_str(&desk->behavior));
    forget_made(desk);
    desk->design = som_project_design(desk->project);
    desk->composition = som_composition_hold(model->composition);
    desk->blocks = read_blocks(desk);
    bool is_there = !is_other && has_behavior(desk, som_text_str(&behavior));
    SomStr first = desk->blocks->behaviors.count > 0 ? name_of(desk->blocks, 0) : SOM_STR("");
    set_behavior(desk, is_there   ? som_text_str(&behavior)
                       : is_other ? first
                                  : follow(desk, blocks, old));
    int own = som_desk_own(desk), selected = -1;
    if (desk->selected >= 0 && own >= 0 && !is_other) {
        selected = find_nearest(desk->blocks, name_of(desk->blocks, own), som_text_str(&path));
    }
    unsigned told = SOM_DESK_BLOCKS;
    told |= som_str_equal(som_text_str(&behavior), som_text_str(&desk->behavior))
                ? 0U
                : SOM_DESK_BEHAVIOR;
    told |= selected != desk->selected ? SOM_DESK_BLOCK : 0U;
    told |= desk->marks.count > 0 ? SOM_DESK_MARKS : 0U;
    desk->selected = selected;
    desk->marks.count = 0;
    som_text_free(&path);
    som_text_free(&behavior);
    som_blocks_destroy(blocks);
    som_composition_release(old);
    som_listeners_tell(&desk->listeners, told);
}

// ---- life

SomDesk *som_desk_create(SomProject *project) {
    SomDesk *desk = som_alloc(sizeof *desk);
    desk->project = project;
    desk->design = som_project_design(project);
    desk->diags = som_diagnostics_create();
    desk->nothing = som_som_parse(SOM_STR(""), &som_dialect_somite, 0, desk->diags);
    desk->composition = som_composition_hold(som_project_model(project)->composition);
    desk->blocks = read_blocks(desk);
    desk->selected = -1;
    if (desk->blocks->behaviors.count > 0) {
        set_behavior(desk, name_of(desk->blocks, 0));
    }
    som_project_listen(project, on_project, desk);
    return desk;
}

void som_desk_destroy(SomDesk *desk) {
    if (desk == NULL) {
        return;
    }
    som_project_unlisten(desk->project, on_project, desk);
    forget_made(desk);
    som_blocks_destroy(desk->foreign);
    som_blocks_destroy(desk->blocks);
    som_composition_release(desk->composition);
    som_syntax_destroy(desk->nothing);
    som_diagnostics_destroy(desk->diags);
    som_listeners_free(&desk->listeners);
    som_text_free(&desk->behavior);
    som_array_free(&desk->marks);
    som_free(desk);
}

void som_desk_listen(SomDesk *desk, SomListener listener, void *context) {
    som_listeners_add(&desk->listeners, listener, context);
}

void som_desk_unlisten(SomDesk *desk, SomListener listener, void *context) {
    som_listeners_remove(&desk->listeners, listener, context);
}

SomProject *som_desk_project(SomDesk *desk) {
    return desk->project;
}

// ---- what there is

const SomBlocks *som_desk_blocks(const SomDesk *desk) {
    return desk->blocks;
}

const SomBlockFindings *som_desk_findings(SomDesk *desk) {
    if (desk->findings == NULL) {
        desk->findings = som_block_findings_create(desk->composition, desk->blocks);
    }
    return desk->findings;
}

const SomPalette *som_desk_palette(SomDesk *desk) {
    if (desk->palette == NULL) {
        desk->palette = som_palette_create(desk->composition);
    }
    return desk->palette;
}

// ---- what is chosen

void som_desk_choose(SomDesk *desk, SomStr behavior) {
    if (!has_behavior(desk, behavior)) {
        return;
    }
    SomText before = desk->behavior;
    desk->behavior = (SomText){0};
    set_behavior(desk, behavior);
    bool is_same = som_str_equal(som_text_str(&before), som_text_str(&desk->behavior));
    som_text_free(&before);
    if (!is_same) {
        unsigned told = SOM_DESK_BEHAVIOR | (desk->selected >= 0 ? SOM_DESK_BLOCK : 0U);
        desk->selected = -1;
        som_listeners_tell(&desk->listeners, told);
    }
}

SomStr som_desk_behavior(const SomDesk *desk) {
    return som_text_str(&desk->behavior);
}

void som_desk_select(SomDesk *desk, int block) {
    bool is_there = block >= 0 && block < desk->blocks->block_count;
    int selected = is_there ? block : -1, own = som_desk_own(desk);
    int wanted = is_there ? desk->blocks->blocks[block].behavior : own;
    unsigned told = selected != desk->selected ? SOM_DESK_BLOCK : 0U;
    if (wanted != own) {
        set_behavior(desk, name_of(desk->blocks, wanted));
        told |= SOM_DESK_BEHAVIOR;
    }
    desk->selected = selected;
    if (told != 0) {
        som_listeners_tell(&desk->listeners, told);
    }
}

int som_desk_selected(const SomDesk *desk) {
    return desk->selected;
}

void som_desk_mark(SomDesk *desk, const int *blocks, int count) {
    bool had_any = desk->marks.count > 0;
    desk->marks.count = 0;
    for (int i = 0; i < count; i++) {
        if (blocks[i] >= 0 && blocks[i] < desk->blocks->block_count) {
            som_array_push(&desk->marks, blocks[i]);
        }
    }
    if (had_any || desk->marks.count > 0) {
        som_listeners_tell(&desk->listeners, SOM_DESK_MARKS);
    }
}

const int *som_desk_marks(const SomDesk *desk, int *count) {
    *count = desk->marks.count;
    return desk->marks.data;
}
