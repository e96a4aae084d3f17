// SPDX-License-Identifier: Apache-2.0
// Macros of xacro: their parameters and blocks, and what they become where they are called.

#include "base/codes/exchange_codes.h"
#include "exchange/xacro_internal.h"

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

const SomXacroMacro *som_xacro_find_macro(const SomXacro *x, SomStr name) {
    for (int i = x->macros.count - 1; i >= 0; i--) {
        SomStr known = x->macros.data[i].name;
        if (som_str_equal(known, name)) {
            return &x->macros.data[i];
        }
        // `name="xacro:wheel"` defines the same as `name="wheel"`
        if (known.length == name.length + 1 + x->prefix.length &&
            som_str_starts_with(known, x->prefix) && som_str_ends_with(known, name)) {
            return &x->macros.data[i];
        }
    }
    return NULL;
}

// ---- parameters

// "a", "a:=1", "a:='1 2'", "a:=${x + 1}", "a:=^|2", "*block", "**content".
typedef struct Parameter {
    SomStr name, fallback;
    bool has_fallback, is_forwarded;
    int stars;
} Parameter;

static bool next_parameter(SomStr params, size_t *at, Parameter *parameter) {
    *parameter = (Parameter){0};
    while (*at < params.length && is_blank(params.data[*at])) {
        (*at)++;
    }
    while (*at < params.length && params.data[*at] == '*') {
        parameter->stars++;
        (*at)++;
    }
    size_t begin = *at;
    while (*at < params.length && !is_blank(params.data[*at]) && params.data[*at] != ':' &&
           params.data[*at] != '=') {
        (*at)++;
    }
    parameter->name = som_str_slice(params, begin, *at);
    SomStr rest = som_str_slice(params, *at, params.length);
    size_t sign = som_str_starts_with(rest, SOM_STR(":="))  ? 2
                  : som_str_starts_with(rest, SOM_STR("=")) ? 1
                                                            : 0;
    *at += sign;
    if (sign > 0 && *at < params.length && params.data[*at] == '^') {
        parameter->is_forwarded = true;
        (*at)++;
        sign = *at < params.length && params.data[*at] == '|' ? 1 : 0;
        *at += sign;
    }
    parameter->has_fallback = sign > 0;
    begin = *at;
    char quote = '\0';
    for (int open = 0; sign > 0 && *at < params.length; (*at)++) {
        char c = params.data[*at];
        if (quote == '\0' && open == 0 && is_blank(c)) {
            break;
        }
        quote = quote != '\0' ? (c == quote ? '\0' : quote) : c == '\'' ? c : '\0';
        open += c == '{' ? 1 : c == '}' && open > 0 ? -1 : 0;
    }
    parameter->fallback = som_str_slice(params, begin, *at);
    if (parameter->name.length == 0 && *at < params.length) {
        (*at)++; // a stray sign
    }
    return *at < params.length || parameter->name.length > 0;
}

// The children of a call, expanded where it stands, become blocks in their order.
typedef struct Given {
    SOM_ARRAY(int) blocks;
    int next;
} Given;

static void expand_blocks(SomXacro *x, SomXacroScope *scope, SomXacroSource call, Given *given) {
    SomText unused = {0};
    SomXmlNode holder = call.xml->nodes[call.node];
    holder.attribute_count = 0;
    int index = som_xacro_add_node(x, &holder, (SomXacroTarget){-1, &unused});
    som_xacro_expand_inside(x, scope, call, (SomXacroTarget){index, &unused}, false);
    for (int i = x->nodes.data[index].first_child; i >= 0; i = x->nodes.data[i].next) {
        som_array_push(&given->blocks, i);
    }
    som_text_free(&unused);
}

static void bind(SomXacro *x, SomXacroScope *outer, SomXacroScope *inner, SomXacroSource call,
                 const Parameter *parameter, Given *given) {
    SomSpan span = call.xml->nodes[call.node].span;
    const SomXmlAttribute *a = som_xml_find_attribute(call.xml, call.node, parameter->name);
    SomXacroSymbol symbol = {
        .name = parameter->name, .span = span, .is_evaluated = true, .node = -1};
    if (parameter->stars > 0) {
        if (given->next >= given->blocks.count) {
            som_xacro_fail(
                x, SOM_XACRO_PARAMETERS, span, "'%.*s' needs an element for its block '%.*s'",
                SOM_STR_ARG(call.xml->nodes[call.node].name), SOM_STR_ARG(parameter->name));
            return;
        }
        symbol.is_block = true;
        symbol.is_content = parameter->stars > 1;
        symbol.node = given->blocks.data[given->next++];
    } else if (a != NULL) {
        symbol.value = som_xacro_evaluate(x, outer, a->value, a->span);
    } else if (!parameter->is_forwarded ||
               !som_xacro_value_of(x, outer, parameter->name, &symbol.value)) {
        if (!parameter->has_fallback) {
            som_xacro_fail(x, SOM_XACRO_PARAMETERS, span, "'%.*s' needs '%.*s'",
                           SOM_STR_ARG(call.xml->nodes[call.node].name),
                           SOM_STR_ARG(parameter->name));
            return;
        }
        symbol.value = som_xacro_evaluate(x, outer, parameter->fallback, span);
    }
    if (symbol.value.kind == SOM_XACRO_TEXT) {
        symbol.value = som_xacro_literal(symbol.value.text);
    }
    som_xacro_define(x, inner, &symbol);
}

static void check_arguments(SomXacro *x, SomXacroSource call, const SomXacroScope *inner) {
    const SomXmlNode *node = &call.xml->nodes[call.node];
    for (int i = 0; i < node->attribute_count && !x->failed; i++) {
        const SomXmlAttribute *a = &call.xml->attributes[node->first_attribute + i];
        SomXacroScope only = {NULL, {inner->symbols.data, inner->symbols.count, 0}};
        if (som_xacro_find(x, &only, a->name, false, NULL) == NULL) {
            som_xacro_fail(x, SOM_XACRO_PARAMETERS, a->span,
                           "the macro '%.*s' has no parameter '%.*s'", SOM_STR_ARG(node->name),
                           SOM_STR_ARG(a->name));
        }
    }
}

void som_xacro_call(SomXacro *x, SomXacroScope *scope, SomXacroSource call, SomXacroTarget to,
                    bool is_foreign) {
    const SomXacroMacro macro = *som_xacro_find_macro(x, call.xml->nodes[call.node].name);
    SomXacroScope inner = {.outer = scope};
    Given given = {0};
    Parameter parameter;
    SomStr params = som_xml_attribute(macro.xml, macro.node, SOM_STR("params"));
    expand_blocks(x, scope, call, &given);
    for (size_t at = 0; !x->failed && next_parameter(params, &at, &parameter);) {
        if (parameter.name.length > 0) {
            bind(x, scope, &inner, call, &parameter, &given);
        }
    }
    check_arguments(x, call, &inner);
    if (!x->failed && given.next < given.blocks.count) {
        som_xacro_fail(x, SOM_XACRO_PARAMETERS, x->nodes.data[given.blocks.data[given.next]].span,
                       "the macro '%.*s' has no block for this element",
                       SOM_STR_ARG(call.xml->nodes[call.node].name));
    }
    if (!x->failed) {
        const SomImportFile *file = x->file;
        SomStr prefix = x->prefix;
        x->file = macro.file;
        x->prefix = macro.prefix;
        som_xacro_expand_inside(x, &inner, (SomXacroSource){macro.xml, macro.node}, to, is_foreign);
        x->file = file;
        x->prefix = prefix;
        if (x->failed && x->notes++ < 3) {
            som_note(x->diags, call.xml->nodes[call.node].span, "in the macro that is called here");
        }
    }
    som_array_free(&inner.symbols);
    som_array_free(&given.blocks);
}

// ---- blocks

// What was expanded already, again.
static void copy_expanded(SomXacro *x, int node, SomXacroTarget to) {
    SomXmlNode from = x->nodes.data[node];
    if (!som_xacro_spend(x, from.words.length, 1, from.span)) {
        return;
    }
    int index = som_xacro_add_node(x, &from, to);
    for (int i = 0; i < from.attribute_count; i++) {
        SomXmlAttribute a = x->attributes.data[from.first_attribute + i];
        som_array_push(&x->attributes, a);
    }
    x->nodes.data[index].words = from.words;
    x->nodes.data[index].text = from.text;
    SomText unused = {0};
    for (int i = from.first_child; i >= 0 && !x->failed; i = x->nodes.data[i].next) {
        size_t before = x->nodes.data[i].words_before;
        copy_expanded(x, i, (SomXacroTarget){index, &unused});
        int last = x->nodes.data[index].last_child;
        if (last >= 0) {
            x->nodes.data[last].words_before = before;
        }
    }
    som_text_free(&unused);
}

void som_xacro_insert_block(SomXacro *x, SomXacroScope *scope, SomXacroSource source,
                            SomXacroTarget to, bool is_foreign) {
    SomSpan span = source.xml->nodes[source.node].span;
    SomStr name = som_xacro_need(x, source, "name");
    name = som_xacro_evaluate_text(x, scope, name, span);
    const SomXacroSymbol *found = x->failed ? NULL : som_xacro_find(x, scope, name, true, NULL);
    if (found == NULL) {
        som_xacro_fail(x, SOM_XACRO_UNKNOWN, span, "no block '%.*s' is known here",
                       SOM_STR_ARG(som_str_slice(name, 0, 200)));
        return;
    }
    if (found->xml != NULL) { // a property: expanded where it is put
        som_xacro_expand_inside(x, scope, (SomXacroSource){found->xml, found->node}, to,
                                is_foreign);
    } else if (!found->is_content) {
        copy_expanded(x, found->node, to);
    } else {
        for (int i = x->nodes.data[found->node].first_child; i >= 0 && !x->failed;
             i = x->nodes.data[i].next) {
            copy_expanded(x, i, to);
        }
    }
}
