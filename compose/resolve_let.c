// SPDX-License-Identifier: Apache-2.0
// Lets that name joints and parts, when the parts of their config are there.

#include "base/codes/compose_text_codes.h"
#include "compose/resolve_internal.h"

typedef struct Places {
    SomScope *scope;
    const SomLocals *lets;
    SomLetState *states; // by let
} Places;

static void resolve_let(Places *p, int at);

// A let whose place begins with another one needs that one first.
static void resolve_first(Places *p, int at, SomNode place) {
    const SomSyntax *tree = som_scope_tree(p->scope);
    SomNode head = som_syntax_first_child(tree, place);
    int other = som_locals_find(p->lets, som_scope_name(p->scope, head));
    if (other >= 0 && p->states[other] == SOM_LET_COMPUTING) {
        som_scope_report(p->scope, SOM_LET_CYCLE, p->lets->data[at].span,
                         "'%.*s' is needed to find what it names",
                         SOM_STR_ARG(p->lets->data[at].name));
    } else if (other >= 0) {
        resolve_let(p, other);
    }
}

// The place as a joint, or else as a part.
static void add_place(SomScope *scope, const SomLocal *let) {
    SomFollowed followed;
    if (!som_resolve_follow(scope, let->node, &followed)) {
        return;
    }
    int module, joint;
    if (followed.member != 0 &&
        !som_resolve_joint(scope, let->node, &module, &joint, NULL)) { // which says why not
        return;
    }
    scope->r->steps_left -= SOM_STEPS_OF_A_VALUE;
    som_builder_add_place(scope->r->builder, &(SomNamedPlace){.name = let->name,
                                                              .target = followed.part,
                                                              .member = followed.name,
                                                              .span = let->span});
}

static void resolve_let(Places *p, int at) {
    SomResolver *r = p->scope->r;
    if (p->states[at] != SOM_LET_UNKNOWN || r->let_depth >= SOM_MAX_LET_DEPTH) {
        return;
    }
    p->states[at] = SOM_LET_COMPUTING;
    r->let_depth++;
    resolve_first(p, at, p->lets->data[at].node);
    r->let_depth--;
    p->states[at] = SOM_LET_KNOWN;
    add_place(p->scope, &p->lets->data[at]);
}

void som_resolve_places(SomScope *scope) {
    const SomInstance *instance = scope->instance;
    const SomFileDraft *draft = scope->r->workspace->files.data[instance->file];
    Places places = {.scope = scope, .lets = &draft->places[instance->config]};
    if (places.lets->count == 0) {
        return;
    }
    places.states = som_alloc((size_t)places.lets->count * sizeof *places.states);
    for (int i = 0; i < places.lets->count && scope->r->steps_left > 0; i++) {
        resolve_let(&places, i);
    }
    som_free(places.states);
}
