// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"
#include "language/syntax_internal.h"

// An open bracket, and how many of each shape are open inside the innermost brace, itself included.
typedef struct Open {
    int token;
    int parens;
    int brackets;
    int braces; // in all
} Open;

typedef SOM_ARRAY(Open) Stack;

static void push(Stack *stack, int token, int kind) {
    Open open = stack->count > 0 ? stack->data[stack->count - 1] : (Open){0};
    open.token = token;
    open.parens += kind == SOM_TOKEN_LEFT_PAREN;
    open.brackets += kind == SOM_TOKEN_LEFT_BRACKET;
    if (kind == SOM_TOKEN_LEFT_BRACE) {
        open = (Open){.token = token, .braces = open.braces + 1};
    }
    som_array_push(stack, open);
}

// Is a bracket open that this closer reaches?
static bool reaches(const Stack *stack, int closer) {
    if (stack->count == 0) {
        return false;
    }
    Open top = stack->data[stack->count - 1];
    switch (closer) {
    case SOM_TOKEN_RIGHT_PAREN:
        return top.parens > 0;
    case SOM_TOKEN_RIGHT_BRACKET:
        return top.brackets > 0;
    default:
        return top.braces > 0;
    }
}

int *som_brackets_pair(const SomTokens *tokens) {
    int *partners = som_realloc(NULL, (size_t)tokens->count + 1, sizeof *partners);
    Stack stack = {0};
    for (int i = 0; i <= tokens->count; i++) {
        int kind = tokens->data[i].kind;
        partners[i] = SOM_NO_TOKEN;
        if (som_token_is_opener((unsigned)kind)) {
            push(&stack, i, kind);
        } else if (som_token_is_closer((unsigned)kind) && reaches(&stack, kind)) {
            int opener = stack.data[stack.count - 1].token;
            while (tokens->data[opener].kind != kind - 1) {
                stack.count--;
                opener = stack.data[stack.count - 1].token;
            }
            stack.count--;
            partners[opener] = i;
            partners[i] = opener;
        }
    }
    som_array_free(&stack);
    return partners;
}
