// SPDX-License-Identifier: Apache-2.0
#include "language/document.h"

#include "base/memory.h"

#include <assert.h>

typedef struct Version {
    char *data;
    size_t length;
} Version;

struct SomDocument {
    char *path;
    const SomGrammar *grammar;
    SOM_ARRAY(Version) versions; // all texts, oldest first
    int shown;                   // the one that is the text now; later ones can be redone
    size_t bytes;                // of all versions
    SomSyntax *tree;
    SomDiagnostics *diags;
};

static Version copy_text(SomStr text) {
    Version version = {som_alloc(text.length + 1), text.length};
    if (text.length > 0) {
        memcpy(version.data, text.data, text.length);
    }
    return version;
}

static void parse(SomDocument *document) {
    som_syntax_destroy(document->tree);
    som_diagnostics_destroy(document->diags);
    document->diags = som_diagnostics_create();
    SomStr text = som_document_text(document);
    uint32_t source1 = som_diagnostics_add_source(document->diags, som_str(document->path), text);
    document->tree =
        document->grammar->parse(text, document->grammar->dialect, source1, document->diags);
}

static void remove_versions(SomDocument *document, int begin, int end) {
    for (int i = begin; i < end; i++) {
        document->bytes -= document->versions.data[i].length;
        som_free(document->versions.data[i].data);
    }
    int kept = document->versions.count - end;
    if (kept > 0) {
        memmove(document->versions.data + begin, document->versions.data + end,
                (size_t)kept * sizeof *document->versions.data);
    }
    document->versions.count = begin + kept;
}

// Adds a version behind the one shown. The old tree must be gone: it borrows an old text.
static void add_version(SomDocument *document, SomStr text) {
    Version version = copy_text(text);
    som_syntax_destroy(document->tree);
    document->tree = NULL;
    remove_versions(document, document->shown + 1, document->versions.count);
    som_array_push(&document->versions, version);
    document->bytes += version.length;
    int forgotten = 0;
    for (size_t bytes = document->bytes;
         bytes > SOM_MAX_UNDO_BYTES && forgotten < document->versions.count - 1; forgotten++) {
        bytes -= document->versions.data[forgotten].length;
    }
    remove_versions(document, 0, forgotten);
    document->shown = document->versions.count - 1;
    parse(document);
}

SomDocument *som_document_create(SomStr path, SomStr text, const SomGrammar *grammar) {
    SomDocument *document = som_alloc(sizeof *document);
    document->path = copy_text(path).data;
    document->grammar = grammar;
    document->shown = -1;
    add_version(document, text);
    return document;
}

void som_document_destroy(SomDocument *document) {
    if (document == NULL) {
        return;
    }
    som_syntax_destroy(document->tree);
    som_diagnostics_destroy(document->diags);
    remove_versions(document, 0, document->versions.count);
    som_array_free(&document->versions);
    som_free(document->path);
    som_free(document);
}

SomStr som_document_text(const SomDocument *document) {
    const Version *version = &document->versions.data[document->shown];
    return (SomStr){version->data, version->length};
}

const SomSyntax *som_document_tree(const SomDocument *document) {
    return document->tree;
}

SomDiagnostics *som_document_diagnostics(SomDocument *document) {
    return document->diags;
}

void som_document_set_text(SomDocument *document, SomStr text) {
    if (!som_str_equal(text, som_document_text(document))) {
        add_version(document, text);
    }
}

void som_document_amend_text(SomDocument *document, SomStr text) {
    if (document->shown == 0 || som_str_equal(text, som_document_text(document))) {
        som_document_set_text(document, text);
        return;
    }
    Version *before = &document->versions.data[document->shown - 1];
    bool is_back = som_str_equal(text, (SomStr){before->data, before->length});
    Version version = copy_text(text); // it may be a piece of what goes
    som_syntax_destroy(document->tree);
    document->tree = NULL;
    remove_versions(document, document->shown, document->versions.count);
    document->shown--;
    if (is_back) {
        som_free(version.data);
        parse(document);
    } else {
        add_version(document, (SomStr){version.data, version.length});
        som_free(version.data);
    }
}

bool som_document_apply(SomDocument *document, const SomEdits *edits) {
    SomText text = {0};
    bool done = som_edits_apply(edits, &text);
    if (done) {
        som_document_set_text(document, som_text_str(&text));
    }
    som_text_free(&text);
    return done;
}

bool som_document_can_undo(const SomDocument *document) {
    return document->shown > 0;
}

bool som_document_can_redo(const SomDocument *document) {
    return document->shown + 1 < document->versions.count;
}

static void show(SomDocument *document, int version) {
    document->shown = version;
    parse(document);
}

bool som_document_undo(SomDocument *document) {
    bool can = som_document_can_undo(document);
    if (can) {
        show(document, document->shown - 1);
    }
    return can;
}

bool som_document_redo(SomDocument *document) {
    bool can = som_document_can_redo(document);
    if (can) {
        show(document, document->shown + 1);
    }
    return can;
}
