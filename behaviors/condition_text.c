// SPDX-License-Identifier: Apache-2.0
#include "behaviors/condition_text.h"

#include "base/number.h"
#include "behaviors/graph_builder.h"
#include "behaviors/graph_origin.h"

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

void som_graph_instructions_print(const SomActionGraph *graph, int32_t first, int32_t end,
                                  SomText *out) {
    Term stack[SOM_CONDITION_MOST_DEPTH];
    int count = 0;
    for (int32_t i = first; i < end; i++) {
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

void som_graph_condition_print(const SomActionGraph *graph, int32_t condition, SomText *out) {
    const SomCondition *c = &graph->conditions[condition];
    som_graph_instructions_print(graph, c->first, c->first + c->count, out);
}
