// SPDX-License-Identifier: Apache-2.0
// What may stand in a field of a block: which kind of quantity, of which parameter.

#include "behaviors/behavior_blocks.h"
#include "behaviors/compile.h"
#include "behaviors/parameter_places.h"

// The path of what a let of the design names; false if there is none of this name.
static bool print_let(const SomConfiguration *c, SomStr name, SomText *out) {
    int let = som_configuration_find_place(c, 0, name);
    if (let >= 0) {
        const SomNamedPlace *place = &c->places[let];
        som_text_add(out, c->parts[place->target].path);
        som_text_add(out, out->length > 0 && place->member.length > 0 ? SOM_STR(".") : SOM_STR(""));
        som_text_add(out, place->member);
    }
    return let >= 0;
}

// The path of the first joint or part that the parameter of this name may stand for.
static bool print_parameter(const SomBlocks *blocks, const SomComposition *composition, int block,
                            SomStr name, SomText *out) {
    const SomConfiguration *c = composition->configuration;
    SomStr own = blocks->behaviors.data[blocks->blocks[block].behavior].name;
    int behavior = som_configuration_find_behavior(c, own), count = 0;
    SomCompileDef def = {.workspace = composition->workspace, .configuration = c};
    const SomParameter *params =
        behavior >= 0 ? som_compile_parameters(&def, behavior, &count) : NULL;
    for (int i = 0; i < count; i++) {
        SomParameterPlaces places = {.configuration = c, .parameter = &params[i]};
        if (som_str_equal(params[i].name, name)) {
            return som_parameter_places_next(&places, out);
        }
    }
    return false;
}

// A place of the whole as the configuration has it; an index that is computed counts as 1, so that
// something of the kind is found. A parameter counts as the first thing that it may stand for.
static void print_place(const SomBlocks *blocks, const SomComposition *composition, int block,
                        SomNode place, SomText *out) {
    const SomSyntax *tree = blocks->tree;
    SomNode node = som_syntax_first_child(tree, place);
    for (bool is_first = true; node != 0; node = som_syntax_next_sibling(tree, node)) {
        SomStr text = som_syntax_text(tree, node);
        if (som_syntax_kind(tree, node) == SOM_SOM_INDEX) {
            SomNode number = som_syntax_first_child(tree, node);
            bool is_plain = number != 0 && som_syntax_kind(tree, number) == SOM_SOM_QUANTITY;
            som_text_printf(out, "[%.*s]",
                            SOM_STR_ARG(is_plain ? som_syntax_text(tree, number) : SOM_STR("1")));
        } else if (!is_first || !(print_parameter(blocks, composition, block, text, out) ||
                                  print_let(composition->configuration, text, out))) {
            som_text_add(out, is_first ? SOM_STR("") : SOM_STR("."));
            som_text_add(out, text);
        }
        is_first = false;
    }
}

static bool print_place_of(const SomBlocks *blocks, const SomComposition *composition, int block,
                           SomText *out) {
    int field = som_blocks_field(blocks, block, SOM_FIELD_PLACE, 0);
    bool fine = field >= 0 && composition != NULL && composition->configuration != NULL;
    if (fine) {
        print_place(blocks, composition, block, blocks->fields.data[field].node, out);
    }
    return fine;
}

static SomFieldWish a_quantity(SomDimension dimension) {
    return (SomFieldWish){.is_known = true, .dimension = dimension};
}

static SomFieldWish a_count(void) {
    return (SomFieldWish){
        .is_known = true, .is_count = true, .dimension = som_dimension(SOM_DIMENSION_NUMBER)};
}

// What the text itself has there, if it is a number.
static SomFieldWish as_written(const SomBlockField *field) {
    return field->is_literal ? a_quantity(field->quantity.dimension) : (SomFieldWish){0};
}

// Of the joint of a move: its value, or a speed.
static SomFieldWish wish_of_joint(const SomBlocks *blocks, const SomComposition *composition,
                                  const SomBlockField *field) {
    const SomConfiguration *configuration = composition != NULL ? composition->configuration : NULL;
    SomText place = {0};
    int dof = -1;
    if (print_place_of(blocks, composition, field->block, &place)) {
        dof = som_configuration_find_dof(configuration, som_text_str(&place), NULL);
    }
    som_text_free(&place);
    int mode = som_blocks_field(blocks, field->block, SOM_FIELD_MODE, 0);
    SomStr word = mode >= 0 ? blocks->fields.data[mode].text : SOM_STR("");
    bool is_course = som_syntax_kind(blocks->tree, field->node) == SOM_SOM_KEYS;
    if (dof < 0 || is_course) {
        return as_written(field);
    }
    bool slides = som_configuration_joint(configuration, dof)->type == SOM_JOINT_PRISMATIC;
    bool is_speed = field->kind == SOM_FIELD_SPEED ||
                    (field->kind == SOM_FIELD_VALUE && som_str_equal(word, SOM_STR("spin")));
    return a_quantity(som_dimension(slides ? is_speed ? SOM_DIMENSION_SPEED : SOM_DIMENSION_LENGTH
                                    : is_speed ? SOM_DIMENSION_ANGULAR_SPEED
                                               : SOM_DIMENSION_ANGLE));
}

// Of the behavior that a call runs, which has a number; NULL if it is not known.
static const SomParameter *parameters_of(const SomBlocks *blocks, const SomComposition *composition,
                                         int block, int *behavior, int *count) {
    SomText place = {0};
    *behavior = -1;
    *count = 0;
    if (print_place_of(blocks, composition, block, &place)) {
        *behavior =
            som_configuration_find_behavior(composition->configuration, som_text_str(&place));
    }
    som_text_free(&place);
    SomCompileDef def = {.workspace = composition != NULL ? composition->workspace : NULL,
                         .configuration = composition != NULL ? composition->configuration : NULL};
    return *behavior >= 0 ? som_compile_parameters(&def, *behavior, count) : NULL;
}

static bool is_for(const SomBlockField *argument, const SomParameter *params, int param) {
    return argument->name.length > 0 ? som_str_equal(params[param].name, argument->name)
                                     : argument->nth == param;
}

static SomFieldWish wish_of_argument(const SomBlocks *blocks, const SomComposition *composition,
                                     const SomBlockField *field) {
    int behavior, count;
    const SomParameter *params =
        parameters_of(blocks, composition, field->block, &behavior, &count);
    for (int i = 0; i < count; i++) {
        if (is_for(field, params, i)) {
            return (SomFieldWish){.is_known = params[i].is_known,
                                  .is_count = params[i].is_count,
                                  .dimension = params[i].dimension,
                                  .name = params[i].name,
                                  .doc = params[i].doc,
                                  .place_of =
                                      params[i].kind != SOM_PARAMETER_VALUE ? &params[i] : NULL};
        }
    }
    return as_written(field);
}

// Has the call an argument for it? *is_named becomes true if one of its arguments has a name.
static bool is_given(const SomBlocks *blocks, int block, const SomParameter *params, int param,
                     bool *is_named) {
    bool is_found = false;
    int field = som_blocks_field(blocks, block, SOM_FIELD_ARGUMENT, 0);
    for (int nth = 1; field >= 0; nth++) {
        const SomBlockField *argument = &blocks->fields.data[field];
        is_found = is_found || is_for(argument, params, param);
        *is_named = *is_named || argument->name.length > 0;
        field = som_blocks_field(blocks, block, SOM_FIELD_ARGUMENT, nth);
    }
    return is_found;
}

bool som_blocks_left_out(const SomBlocks *blocks, const SomComposition *composition, int block,
                         int index, SomBlockParameter *out) {
    int behavior, count, found = 0;
    if (blocks->blocks[block].kind != SOM_BLOCK_CALL) {
        return false;
    }
    const SomParameter *params = parameters_of(blocks, composition, block, &behavior, &count);
    for (int i = 0; i < count; i++) {
        bool is_named = false;
        if (is_given(blocks, block, params, i, &is_named) || found++ < index) {
            continue;
        }
        int file = composition->configuration->behaviors[behavior].file;
        const SomSyntax *tree = som_workspace_file(composition->workspace, file)->tree;
        *out = (SomBlockParameter){.name = params[i].name,
                                   .doc = params[i].doc,
                                   .otherwise = params[i].otherwise != 0 && tree != NULL
                                                    ? som_syntax_text(tree, params[i].otherwise)
                                                    : SOM_STR(""),
                                   .is_next = index == 0 && !is_named,
                                   .parameter = &params[i]};
        return true;
    }
    return false;
}

SomFieldWish som_blocks_field_wish(const SomBlocks *blocks, const SomComposition *composition,
                                   int field) {
    const SomBlockField *f = &blocks->fields.data[field];
    switch (f->kind) {
    case SOM_FIELD_VALUE:
        return blocks->blocks[f->block].kind == SOM_BLOCK_WAIT
                   ? a_quantity(som_dimension(SOM_DIMENSION_TIME))
                   : wish_of_joint(blocks, composition, f);
    case SOM_FIELD_WITHIN:
    case SOM_FIELD_SPEED:
        return wish_of_joint(blocks, composition, f);
    case SOM_FIELD_ARGUMENT:
        return wish_of_argument(blocks, composition, f);
    case SOM_FIELD_DURING:
    case SOM_FIELD_TIMEOUT:
        return a_quantity(som_dimension(SOM_DIMENSION_TIME));
    case SOM_FIELD_TIMES:
        return a_count();
    case SOM_FIELD_FROM:
    case SOM_FIELD_FIRST:
    case SOM_FIELD_LAST:
        return a_quantity(som_dimension(SOM_DIMENSION_NUMBER));
    case SOM_FIELD_UNTIL:
    case SOM_FIELD_CONDITION:
    case SOM_FIELD_ONLY:
        return (SomFieldWish){.is_known = true, .is_condition = true};
    case SOM_FIELD_PLACE:
    case SOM_FIELD_TO:
    case SOM_FIELD_MODE:
    case SOM_FIELD_FILE:
    case SOM_FIELD_VARIABLE:
    case SOM_FIELD_LATCH:
    case SOM_FIELD_KINDS:
        return (SomFieldWish){0};
    }
    return (SomFieldWish){0};
}
