// SPDX-License-Identifier: Apache-2.0
#include "studio/block_look.h"

// Of GNOME's palette: a tone for light styles and one for dark ones.
typedef enum Tone { BLUE, GREEN, PURPLE, ORANGE, YELLOW, TEAL, GREY, RED, TONES } Tone;

static const char *const tones[TONES][2] = {
    [BLUE] = {"#1c71d8", "#78aeed"},   [GREEN] = {"#1f8b4c", "#8ff0a4"},
    [PURPLE] = {"#813d9c", "#dc8add"}, [ORANGE] = {"#c64600", "#ffbe6f"},
    [YELLOW] = {"#8f6a00", "#f8e45c"}, [TEAL] = {"#0f7c8a", "#7fd8e6"},
    [GREY] = {"#5e5c64", "#c0bfbc"},   [RED] = {"#c01c28", "#ff7b63"},
};

typedef struct Row {
    const char *icon, *word;
    Tone tone;
} Row;

static const Row rows[SOM_BLOCK_KINDS] = {
    [SOM_BLOCK_ERROR] = {"dialog-error-symbolic", "not an action", RED},
    [SOM_BLOCK_SERIES] = {"view-list-ordered-symbolic", "series", BLUE},
    [SOM_BLOCK_PARALLEL] = {"view-dual-symbolic", "parallel", GREEN},
    [SOM_BLOCK_ANY] = {"media-skip-forward-symbolic", "any", PURPLE},
    [SOM_BLOCK_CHOOSE] = {"send-to-symbolic", "choose", YELLOW},
    [SOM_BLOCK_BRANCH] = {"go-next-symbolic", "if", YELLOW},
    [SOM_BLOCK_EACH] = {"view-grid-symbolic", "for", TEAL},
    [SOM_BLOCK_REPEAT] = {"view-refresh-symbolic", "repeat", ORANGE},
    [SOM_BLOCK_IF] = {"send-to-symbolic", "if", YELLOW},
    [SOM_BLOCK_MOVE] = {"object-rotate-right-symbolic", NULL, GREY},
    [SOM_BLOCK_POSE] = {"mark-location-symbolic", "to pose", GREY},
    [SOM_BLOCK_TABLE] = {"view-list-symbolic", "table", GREY},
    [SOM_BLOCK_HOLD] = {"view-pin-symbolic", "hold", GREY},
    [SOM_BLOCK_WAIT] = {"document-open-recent-symbolic", "wait", GREY},
    [SOM_BLOCK_DOCK] = {"insert-link-symbolic", NULL, GREY},
    [SOM_BLOCK_CALL] = {"system-run-symbolic", NULL, GREY},
};

SomBlockLook som_block_look(SomBlockKind kind, bool is_dark) {
    const Row *row = &rows[kind];
    SomBlockLook look = {.icon = row->icon, .word = row->word};
    gdk_rgba_parse(&look.color, tones[row->tone][is_dark ? 1 : 0]);
    return look;
}

const char *som_field_caption(SomBlockKind kind, SomFieldKind field) {
    switch (field) {
    case SOM_FIELD_TO:
        return kind == SOM_BLOCK_DOCK ? "to" : NULL;
    case SOM_FIELD_FIRST:
        return "in";
    case SOM_FIELD_LAST:
        return "to";
    case SOM_FIELD_FROM:
    case SOM_FIELD_ONLY:
    case SOM_FIELD_UNTIL:
    case SOM_FIELD_WITHIN:
    case SOM_FIELD_SPEED:
    case SOM_FIELD_DURING:
    case SOM_FIELD_TIMEOUT:
        return som_field_kind_word(field);
    case SOM_FIELD_PLACE:
    case SOM_FIELD_MODE:
    case SOM_FIELD_VALUE:
    case SOM_FIELD_FILE:
    case SOM_FIELD_ARGUMENT:
    case SOM_FIELD_TIMES:
    case SOM_FIELD_CONDITION:
    case SOM_FIELD_VARIABLE:
    case SOM_FIELD_LATCH:
    case SOM_FIELD_KINDS:
        return NULL;
    }
    return NULL;
}
