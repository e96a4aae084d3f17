// SPDX-License-Identifier: Apache-2.0
// Inputs: what they are called, of which type they are, and where their values come from.

#include "base/codes/behaviors_codes.h"
#include "base/codes/compose_text_codes.h"
#include "behaviors/compile_internal.h"
#include "language/name.h"

#include <math.h>

// ---- sources

typedef struct Draft {
    const SomParameter *type;
    SomInputSource source;
    SOM_ARRAY(SomKeyframe) frames;
    SomStr topic;
} Draft;

static bool fail(SomCompiler *c, SomNode node, const char *words) {
    som_compiler_report(c, SOM_INPUT_SOURCE, som_compiler_span(c, node), "%s", words);
    return false;
}

static bool read_value(SomCompiler *c, const SomParameter *type, SomNode node, double *value) {
    SomEvaluator e = som_compiler_evaluator(c);
    bool fine = false;
    *value = 0;
    if (type->is_condition) {
        bool truth = false;
        fine = som_value_is_truth(&e, som_value_evaluate(&e, node), node, &truth);
        *value = truth;
    } else if (type->is_count) {
        int whole;
        fine = som_value_is_whole(&e, som_value_evaluate(&e, node), node, 0, 1000000000, &whole);
        *value = whole;
    } else {
        fine = som_value_is(&e, som_value_evaluate(&e, node), type->dimension, node, value);
    }
    c->has_failed |= !fine;
    if (fine && !(fabs(*value) <= SOM_GRAPH_MOST_VALUE)) {
        return fail(c, node, "the value is too large");
    }
    return fine;
}

static bool read_range(SomCompiler *c, SomNode range, Draft *draft) {
    const SomSyntax *tree = c->unfolding->tree;
    SomNode first = som_syntax_first_child(tree, range);
    bool fine = read_value(c, draft->type, first, &draft->source.low);
    fine &= read_value(c, draft->type, som_syntax_next_sibling(tree, first), &draft->source.high);
    if (fine && draft->source.low > draft->source.high) {
        return fail(c, range, "the range is empty: its first value is larger than the second");
    }
    draft->source.kind = SOM_SOURCE_RANGE;
    return fine;
}

static bool read_keys(SomCompiler *c, SomNode keys, Draft *draft) {
    const SomSyntax *tree = c->unfolding->tree;
    bool fine = true;
    SomNode key = som_syntax_find_child(tree, keys, SOM_SOM_KEY);
    for (; key != 0; key = som_syntax_find_next(tree, key, SOM_SOM_KEY)) {
        SomNode time = som_syntax_first_child(tree, key);
        SomKeyframe frame = {0, 0};
        bool is_time = som_compiler_time(c, time, &frame.time);
        fine &= is_time;
        fine &= read_value(c, draft->type, som_syntax_next_sibling(tree, time), &frame.value);
        int count = draft->frames.count;
        if (is_time && frame.time > SOM_GRAPH_MOST_VALUE) {
            fine = fail(c, time, "the time is too large");
        } else if (is_time && count > 0 && frame.time <= draft->frames.data[count - 1].time) {
            fine = fail(c, time, "times rise from one to the next");
        }
        som_array_push(&draft->frames, frame);
    }
    if (draft->frames.count == 0) {
        return fail(c, keys, "a table has one value or more, such as [0s: 0, 1s: 1]");
    }
    return fine;
}

static bool read_file(SomCompiler *c, SomNode node, SomStr name, Draft *draft) {
    SomStr text;
    uint32_t source1;
    int file = c->unfolding->file >= 0 ? c->unfolding->file : 0; // the design that is open
    const char *fault = som_workspace_read_beside(c->workspace, file, name, &text, &source1);
    if (fault != NULL) {
        som_compiler_report(c, SOM_TABLE_FILE, som_compiler_span(c, node), "'%.*s' %s",
                            SOM_STR_ARG(name), fault);
        return false;
    }
    SomKeyframes frames = {0};
    bool fine = som_compiler_input_table(
        c, &(SomInputTable){draft->type, text, source1, som_compiler_span(c, node)}, &frames);
    for (int i = 0; i < frames.count; i++) {
        som_array_push(&draft->frames, frames.data[i]);
    }
    som_array_free(&frames);
    return fine;
}

// topic "/light", or "light.csv"
static bool read_text(SomCompiler *c, SomNode node, int token, bool is_topic, Draft *draft) {
    SomText read = {0};
    som_name_read(som_syntax_token_text(c->unfolding->tree, token), &read);
    SomStr text = som_arena_copy(&c->arena, som_text_str(&read));
    som_text_free(&read);
    if (!is_topic) {
        return read_file(c, node, text, draft);
    }
    for (size_t i = 0; i < text.length; i++) {
        char ch = text.data[i];
        bool is_good = ('a' <= ch && ch <= 'z') || ('A' <= ch && ch <= 'Z') ||
                       ('0' <= ch && ch <= '9') || strchr("/_-.", ch) != NULL;
        if (!is_good || ch == '\0') {
            return fail(c, node,
                        "the name of a topic has letters, digits, '/', '_', '-' and '.' only");
        }
    }
    draft->source.kind = SOM_SOURCE_TOPIC;
    draft->topic = text;
    return text.length > 0 || fail(c, node, "the name of a topic is empty");
}

// The source of the innermost unfolding's text.
static bool read_source(SomCompiler *c, SomNode node, Draft *draft) {
    const SomSyntax *tree = c->unfolding->tree;
    SomNode child = som_syntax_first_child(tree, node);
    SomStr word = som_syntax_token_text(tree, som_syntax_first_token(tree, node));
    int string = child == 0 ? som_syntax_find_token(tree, node, SOM_TOKEN_STRING) : SOM_NO_TOKEN;
    bool fine = false, is_stepped = draft->type->is_condition || draft->type->is_count;
    if (string != SOM_NO_TOKEN) {
        fine = read_text(c, node, string, som_str_equal(word, SOM_STR("topic")), draft);
    } else if (child != 0 && som_syntax_kind(tree, child) == SOM_SOM_KEYS) {
        is_stepped |= som_str_equal(word, SOM_STR("steps"));
        fine = read_keys(c, child, draft);
    } else if (child != 0 && som_syntax_kind(tree, child) == SOM_SOM_RANGE) {
        fine = read_range(c, child, draft);
    } else if (child != 0) {
        draft->source.kind = SOM_SOURCE_CONSTANT;
        fine = read_value(c, draft->type, child, &draft->source.low);
        draft->source.high = draft->source.low;
    }
    if (draft->frames.count > 0) {
        draft->source.kind = is_stepped ? SOM_SOURCE_STEPS : SOM_SOURCE_TABLE;
    }
    return fine;
}

// The source in another text: of the config that declares it, or of what the user gives.
static bool read_elsewhere(SomCompiler *c, SomNode node, const SomSyntax *tree, int part, int file,
                           Draft *draft) {
    SomUnfolding *inner = c->unfolding;
    SomUnfolding other = {.part = part, .file = file, .tree = tree, .behavior = -1};
    c->unfolding = &other;
    bool fine = read_source(c, node, draft);
    c->unfolding = inner;
    som_array_free(&other.bindings);
    return fine;
}

static bool read_setting(SomCompiler *c, const SomInputSetting *setting, Draft *draft) {
    if (setting->tree != NULL) {
        return read_elsewhere(c, som_syntax_first_child(setting->tree, SOM_ROOT), setting->tree, 0,
                              -1, draft);
    }
    SomKeyframes frames = {0};
    SomSpan whole = {setting->source1, 0, 0};
    bool fine = som_compiler_input_table(
        c, &(SomInputTable){draft->type, som_text_str(setting->text), setting->source1, whole},
        &frames);
    for (int i = 0; i < frames.count; i++) {
        som_array_push(&draft->frames, frames.data[i]);
    }
    som_array_free(&frames);
    bool is_stepped = draft->type->is_condition || draft->type->is_count;
    draft->source.kind = is_stepped ? SOM_SOURCE_STEPS : SOM_SOURCE_TABLE;
    return fine;
}

// ---- declarations

static void warn(SomCompiler *c, SomCode code, SomSpan span, SomStr name, const char *words) {
    if (som_reported_places_add(c->reported, code, span)) {
        som_report(c->diags, code, span, "input '%.*s' %s", SOM_STR_ARG(name), words);
    }
}

// The line that declares it goes to the start of the config in whose text it is read.
static void warn_undeclared(SomCompiler *c, SomNode place, SomStr name) {
    const SomSyntax *tree = c->unfolding->tree;
    SomSpan span = som_compiler_span(c, place);
    if (!som_reported_places_add(c->reported, SOM_INPUT_UNDECLARED, span)) {
        return;
    }
    som_report(c->diags, SOM_INPUT_UNDECLARED, span,
               "input '%.*s' is not declared: it is 0 until something gives it a value",
               SOM_STR_ARG(name));
    SomNode body = som_syntax_find_around(tree, place, SOM_SOM_BODY);
    if (body != 0 && c->unfolding->behavior >= 0) {
        uint32_t at = som_syntax_span(tree, body).begin + 1;
        SomText fix = {0};
        som_text_add(&fix, SOM_STR("\n    input "));
        som_name_print(&fix, name);
        som_text_add(&fix, SOM_STR(" : number = 0"));
        SomSpan after = {span.source1, at, at};
        som_fix(c->diags, after, som_text_str(&fix));
        som_text_free(&fix);
    }
}

static const SomConfigInput *declaration_of(const SomCompiler *c, const SomInputName *input) {
    const SomDesignFile *file = som_workspace_file(c->workspace, input->file);
    return &file->configs[input->config].inputs[input->index];
}

// Reads where a declared input gets its value from: what the user gives, or else the declaration.
static bool read_declared(SomCompiler *c, const SomInputName *input, Draft *draft) {
    const SomInputSetting *setting = som_input_settings_find(c->settings, input->path);
    const SomConfigInput *own = declaration_of(c, input);
    if (setting != NULL) {
        return read_setting(c, setting, draft);
    }
    if (own->source == 0) {
        warn(c, SOM_INPUT_NO_SOURCE, own->parameter.span, input->name,
             own->parameter.is_condition ? "has no source: it is false until something gives it a "
                                           "value"
                                         : "has no source: it is 0 until something gives it a "
                                           "value");
        return true;
    }
    return read_elsewhere(c, own->source, som_workspace_file(c->workspace, input->file)->tree,
                          input->part, input->file, draft);
}

static const SomParameter a_number = {.is_known = true};

static void add_source(SomCompiler *c, int symbol, Draft *draft) {
    if (draft->source.kind == SOM_SOURCE_UNKNOWN) {
        return;
    }
    if (draft->frames.count > 0) {
        draft->source.first_keyframe =
            som_graph_builder_add_keyframes(c->builder, draft->frames.data, draft->frames.count);
        draft->source.keyframe_count = draft->frames.count;
    }
    som_graph_builder_set_source(c->builder, symbol, draft->source, draft->topic);
}

// The declaration that a name means: of the part whose text it is in, else of the whole; -1: none.
static int find_declared(SomCompiler *c, SomNode place, SomStr name, SomStr *path) {
    const SomConfiguration *configuration = c->configuration;
    SomText own = {0};
    som_text_add(&own, configuration->parts[c->unfolding->part].path);
    som_text_add(&own, own.length > 0 ? SOM_STR(".") : SOM_STR(""));
    size_t prefix = own.length;
    som_name_print(&own, name);
    int at = som_configuration_find_input(configuration, som_text_str(&own));
    *path =
        som_arena_copy(&c->arena, at >= 0 ? som_text_str(&own)
                                          : som_str_slice(som_text_str(&own), prefix, own.length));
    som_text_free(&own);
    (void)place;
    return at >= 0 ? at : som_configuration_find_input(configuration, *path);
}

// input(leg[1].light): of a part, which must declare it.
static int find_of_part(SomCompiler *c, SomNode place, SomStr *path) {
    SomPlaced placed;
    if (!som_compiler_follow(c, place, &placed)) {
        return -1;
    }
    int at = placed.member != 0 ? som_configuration_find_input(c->configuration, placed.path) : -1;
    if (at < 0) {
        SomStr part = c->configuration->parts[placed.part].path;
        som_compiler_report(c, SOM_UNKNOWN_VALUE, som_compiler_span(c, place),
                            "'%.*s' declares no input '%.*s'", SOM_STR_ARG(part),
                            SOM_STR_ARG(placed.member != 0 ? placed.name : SOM_STR("")));
    }
    *path = placed.path;
    return at;
}

bool som_compiler_input(SomCompiler *c, SomNode place, int *symbol, const SomParameter **type) {
    const SomSyntax *tree = c->unfolding->tree;
    SomNode head = som_syntax_first_child(tree, place);
    bool is_single = som_syntax_next_sibling(tree, head) == 0;
    SomStr name = som_compiler_name(c, head), path = name;
    int at = is_single ? find_declared(c, place, name, &path) : find_of_part(c, place, &path);
    if (at < 0 && !is_single) {
        return false;
    }
    *type = at >= 0 ? &declaration_of(c, &c->configuration->inputs[at])->parameter : &a_number;
    if (!(*type)->is_known) {
        c->has_failed = true;
        return false;
    }
    SomStr symbol_name = at >= 0 ? path : name;
    int known = c->symbols[SOM_SYMBOL_INPUT].count;
    *symbol = som_compiler_symbol(c, SOM_SYMBOL_INPUT, symbol_name);
    const SomInputSetting *setting = som_input_settings_find(c->settings, path);
    if (at < 0 && setting == NULL) {
        warn_undeclared(c, place, name);
    }
    bool fine = true;
    if (*symbol == known) { // a new one
        Draft draft = {.type = *type};
        fine = at >= 0           ? read_declared(c, &c->configuration->inputs[at], &draft)
               : setting != NULL ? read_setting(c, setting, &draft)
                                 : true;
        if (fine) {
            add_source(c, *symbol, &draft);
        }
        som_array_free(&draft.frames);
    }
    c->has_failed |= !fine;
    return fine;
}

void som_compiler_check_inputs(SomCompiler *c) {
    for (int i = 0; i < c->configuration->input_count && c->steps_left > 0; i++) {
        const SomInputName *input = &c->configuration->inputs[i];
        Draft draft = {.type = &declaration_of(c, input)->parameter};
        if (input->part == 0 && draft.type->is_known) {
            read_declared(c, input, &draft);
        }
        som_array_free(&draft.frames);
    }
}
