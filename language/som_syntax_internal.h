// language/som_syntax_internal.h - what the files of the grammar of Somite share.
//
// som_syntax.c has statements, som_expression.c expressions, som_action.c what behaviors do. Each
// function reads one rule and closes one node of the kind that the rule is called after.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "language/parser.h"
#include "language/som_syntax.h"

// Ended by NULL.
bool som_som_at_one_of(SomParser *p, const char *const *words);
bool som_som_at_name(SomParser *p, int ahead);
bool som_som_at_word(SomParser *p, int ahead, const char *word);

void som_som_name(SomParser *p, const char *what);
SomMark som_som_place(SomParser *p);
SomMark som_som_expression(SomParser *p);
void som_som_index(SomParser *p);
void som_som_arguments(SomParser *p);
void som_som_for(SomParser *p);
void som_som_keys(SomParser *p);
SomMark som_som_action(SomParser *p);

// KEYWORD expression, as one node.
void som_som_clause(SomParser *p, int kind);
