// SPDX-License-Identifier: Apache-2.0
#include "exchange/graph_words.h"

#include "base/markup.h"
#include "base/number.h"
#include "base/utf8.h"
#include "behaviors/graph_origin.h"

#include <math.h>

#define REPLACEMENT "\xef\xbf\xbd" // U+FFFD
#define ELLIPSIS "\xe2\x80\xa6"

// ---- conditions

// A value of the stack: words, and whether they need brackets inside another operation.
typedef struct Term {
    SomText words;
    bool is_loose;
} Term;

static void add_term(SomText *out, const Term *term) {
    som_text_add(out, term->is_loose ? SOM_STR("(") : SOM_STR(""));
    som_text_add(out, som_text_str(&term->words));
    som_text_add(out, term->is_loose ? SOM_STR(")") : SOM_STR(""));
}

// A joint may be called by an alias: `alias` or NULL.
static void print_operand(const SomActionGraph *graph, const SomInstruction *in, const char *alias,
                          SomText *out) {
    static const SomSymbolKind kinds[] = {[SOM_OPERAND_DOF] = SOM_SYMBOL_DOF,
                                          [SOM_OPERAND_CONTACT] = SOM_SYMBOL_CONTACT,
                                          [SOM_OPERAND_INPUT] = SOM_SYMBOL_INPUT,
                                          [SOM_OPERAND_DOCK] = SOM_SYMBOL_DOCK};
    SomInstructionInfo info = som_instruction_info((SomInstructionKind)in->kind);
    if (info.operand == SOM_OPERAND_NUMBER) {
        som_text_number(out, som_number_round(in->value, 6));
    } else if (info.operand == SOM_OPERAND_NOTHING) {
        som_text_add(out, som_str(info.word));
    } else {
        const char *name =
            alias != NULL ? alias : som_graph_name(graph, kinds[info.operand], in->index);
        bool is_position = in->kind == SOM_INSTRUCTION_POSITION;
        som_text_printf(out, is_position ? "%s%s" : "%s(%s)", is_position ? "" : info.word, name);
    }
}

static Term print_operation(const SomInstruction *in, const Term *a, const Term *b) {
    SomInstructionInfo info = som_instruction_info((SomInstructionKind)in->kind);
    Term term = {.is_loose = true};
    bool is_call = in->kind == SOM_INSTRUCTION_ABSOLUTE || in->kind == SOM_INSTRUCTION_MINIMUM ||
                   in->kind == SOM_INSTRUCTION_MAXIMUM;
    if (is_call) {
        som_text_printf(&term.words, "%s(", info.word);
        som_text_add(&term.words, som_text_str(&a->words));
        if (b != NULL) {
            som_text_add(&term.words, SOM_STR(", "));
            som_text_add(&term.words, som_text_str(&b->words));
        }
        som_text_add(&term.words, SOM_STR(")"));
        term.is_loose = false;
    } else if (b == NULL) {
        bool is_not = in->kind == SOM_INSTRUCTION_NOT;
        som_text_add(&term.words, is_not ? SOM_STR("not ") : SOM_STR("-"));
        add_term(&term.words, a);
    } else {
        add_term(&term.words, a);
        som_text_printf(&term.words, " %s ", info.word);
        add_term(&term.words, b);
    }
    return term;
}

void som_graph_condition_print(const SomActionGraph *graph, int32_t condition, SomText *out) {
    Term stack[SOM_CONDITION_MOST_DEPTH];
    int count = 0;
    const SomCondition *c = &graph->conditions[condition];
    for (int32_t i = c->first; i < c->first + c->count; i++) {
        const SomInstruction *in = &graph->instructions[i];
        int takes = som_instruction_info((SomInstructionKind)in->kind).takes;
        if (takes == 0) {
            int32_t length;
            const char *alias = som_graph_operand_name(graph, i, &length);
            stack[count] = (Term){0};
            print_operand(graph, in, alias, &stack[count++].words);
            i += length - 1; // its sign and zero are those of the alias
            continue;
        }
        Term *a = &stack[count - takes], *b = takes == 2 ? &stack[count - 1] : NULL;
        Term term = print_operation(in, a, b);
        som_text_free(&a->words);
        if (b != NULL) {
            som_text_free(&b->words);
        }
        count -= takes - 1;
        stack[count - 1] = term;
    }
    for (int i = 0; i < count; i++) {
        som_text_add(out, i == 0 ? som_text_str(&stack[i].words) : SOM_STR(""));
        som_text_free(&stack[i].words);
    }
}

// ---- text

// Bytes of the first character; 0 if XML cannot hold it.
static int xml_length(SomStr text) {
    int length = som_utf8_length(text);
    unsigned char c = (unsigned char)text.data[0];
    bool is_control = c < 0x20 && c != '\t' && c != '\n' && c != '\r';
    bool is_noncharacter = length == 3 && c == 0xef && (unsigned char)text.data[1] == 0xbf &&
                           (unsigned char)text.data[2] >= 0xbe;
    return is_control || is_noncharacter ? 0 : length;
}

void som_xml_escape(SomText *out, SomStr text) {
    while (text.length > 0) {
        int length = xml_length(text);
        if (!som_markup_add(out, text.data[0])) {
            som_text_add(out, length > 0 ? som_str_slice(text, 0, (size_t)length)
                                         : SOM_STR(REPLACEMENT));
        }
        text = som_str_slice(text, length > 0 ? (size_t)length : 1, text.length);
    }
}

// East Asian characters and pictures are twice as wide; all from U+1100 on count so, but for
// punctuation and signs that are as narrow as letters.
static int columns_of(SomStr character) {
    unsigned char c = (unsigned char)character.data[0];
    return c >= 0xf0 || (c >= 0xe3 && c <= 0xed) || c == 0xe1 ? 2 : 1;
}

int som_text_columns(SomStr text) {
    int columns = 0;
    while (text.length > 0) {
        int length = som_utf8_length(text);
        columns += length > 0 ? columns_of(text) : 1;
        text = som_str_slice(text, length > 0 ? (size_t)length : 1, text.length);
    }
    return columns;
}

void som_text_add_cut(SomText *out, SomStr text, int columns) {
    if (som_text_columns(text) <= columns) {
        som_text_add(out, text);
        return;
    }
    size_t end = 0;
    int taken = 1;
    while (end < text.length) {
        SomStr rest = som_str_slice(text, end, text.length);
        int length = som_utf8_length(rest);
        taken += length > 0 ? columns_of(rest) : 1;
        if (taken > columns) {
            break;
        }
        end += length > 0 ? (size_t)length : 1;
    }
    som_text_add(out, som_str_slice(text, 0, end));
    som_text_add(out, SOM_STR(ELLIPSIS));
}

void som_text_seconds(SomText *out, double seconds) {
    som_text_number(out, som_number_round(seconds, 3));
}
