// SPDX-License-Identifier: Apache-2.0
// The behaviors of trees → the text of a design: one that was given, or was imported beside them.
// They are compiled there before they are accepted; what the compiler says is said of the nodes
// that the words were made from.

#include "base/codes/exchange_codes.h"
#include "base/file.h"
#include "base/path.h"
#include "behaviors/compile.h"
#include "compose/composition.h"
#include "exchange/bt_internal.h"
#include "language/som_format.h"
#include "language/som_syntax.h"

#include <assert.h>

bool som_import_bt(SomImporter *importer, const SomImportFile *file) {
    som_array_push(&importer->trees, *file);
    return true;
}

bool som_import_design(SomImporter *importer, const SomImportFile *file) {
    if (importer->design.text.data != NULL || importer->result->config_count > 0) {
        som_report(importer->diags, SOM_BT_DESIGN_ALONE, (SomSpan){file->source1, 0, 0},
                   "a design is given beside the behavior trees that are added to it, and there is "
                   "another robot already");
        return false;
    }
    importer->design = *file;
    return true;
}

// ---- reports

// What is wrong with the design, in words of the importer's own sources.
static void repeat_design(const SomImporter *importer, const SomComposition *made) {
    int count;
    const SomDiagnostic *all = som_diagnostics_get(made->diags, &count);
    uint32_t own = som_workspace_file(made->workspace, made->file)->source1;
    for (int i = 0; i < count; i++) {
        if (all[i].kind != SOM_DIAGNOSTIC_REPORT || all[i].severity != SOM_ERROR) {
            continue;
        }
        SomSpan span = all[i].span;
        bool is_own = span.source1 == own && importer->design.text.data != NULL;
        span.source1 = importer->design.source1;
        som_report(importer->diags, all[i].code, is_own ? span : (SomSpan){0}, "%.*s",
                   SOM_STR_ARG(all[i].message));
    }
}

// The innermost piece that something was made from.
static SomSpan origin_of(const SomBtReader *reader, size_t at, SomSpan otherwise) {
    int low = 0, high = reader->ranges.count; // the last one that begins here or before
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (reader->ranges.data[middle].begin <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (int i = low - 1; i >= 0; i--) {
        if (at < reader->ranges.data[i].end) {
            return reader->ranges.data[i].span;
        }
    }
    return otherwise;
}

static void repeat_tree(const SomImporter *importer, const SomBtReader *reader,
                        const SomDiagnostics *diags, uint32_t source1, size_t begin) {
    int count;
    const SomDiagnostic *all = som_diagnostics_get(diags, &count);
    for (int i = 0; i < count; i++) {
        if (all[i].kind != SOM_DIAGNOSTIC_REPORT || all[i].severity != SOM_ERROR) {
            continue;
        }
        SomSpan span = {reader->file->source1, 0, 0};
        if (all[i].span.source1 == source1 && all[i].span.begin >= begin) {
            span = origin_of(reader, all[i].span.begin - begin, span);
        }
        som_report(importer->diags, all[i].code, span, "%.*s", SOM_STR_ARG(all[i].message));
    }
}

// ---- the text

// The offset of the bracket that closes a config.
static size_t find_end(const SomDesignFile *file, int config) {
    SomSpan body = som_syntax_span(file->tree, file->configs[config].body);
    size_t end = body.end;
    while (end > body.begin && file->text.data[end - 1] != '}') {
        end--;
    }
    return end > body.begin ? end - 1 : body.end;
}

static void insert(SomStr text, size_t at, SomStr piece, SomText *out) {
    som_text_add(out, som_str_slice(text, 0, at));
    som_text_add(out, piece);
    som_text_add(out, som_str_slice(text, at, text.length));
}

// The behaviors as they stand in a config, in canonical form.
static void format(SomStr behaviors, SomStr path, SomText *out) {
    SomText whole = {0}, formatted = {0}, comment = {0};
    som_text_printf(&comment, "From %.*s.", SOM_STR_ARG(som_path_name(path)));
    som_text_add(&whole, SOM_STR("config C {\n"));
    som_write_comment(&whole, som_text_str(&comment));
    som_text_add(&whole, behaviors);
    som_text_add(&whole, SOM_STR("}\n"));
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = som_som_parse(som_text_str(&whole), &som_dialect_somite, 0, diags);
    bool is_formatted = som_som_format(tree, &formatted);
    assert(is_formatted); // it was compiled before
    SomStr lines = som_text_str(&formatted);
    size_t begin = strlen("config C {\n"), end = lines.length;
    while (end > begin && lines.data[end - 1] != '}') {
        end--;
    }
    som_text_add(out, som_str_slice(lines, begin, end - 1));
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
    som_text_free(&whole);
    som_text_free(&formatted);
    som_text_free(&comment);
}

// Behind the last line of the config, which ends with a newline.
static void add_formatted(SomStr text, size_t at, const SomBtReader *reader, SomText *out) {
    SomText piece = {0};
    size_t line = at; // where that of the bracket begins, if it is alone there
    while (line > 0 && (text.data[line - 1] == ' ' || text.data[line - 1] == '\t')) {
        line--;
    }
    bool is_alone = line > 0 && text.data[line - 1] == '\n';
    som_text_add(&piece, is_alone ? SOM_STR("\n") : SOM_STR("\n\n"));
    format(som_text_str(&reader->out), reader->file->path, &piece);
    insert(text, is_alone ? line : at, som_text_str(&piece), out);
    som_text_free(&piece);
}

// ---- compiling

static bool compile(SomImporter *importer, const SomBtReader *reader, SomStr library, SomStr path,
                    SomStr text, SomStr choice, size_t begin) {
    SomComposition *made = som_composition_create(library, path, text, choice);
    int errors = som_diagnostics_error_count(importer->diags);
    const SomConfiguration *design = made->configuration;
    if (design != NULL) {
        SomCompileDef def = {
            .workspace = made->workspace, .configuration = design, .diags = made->diags};
        SomServoModel *servos = som_compile_servos(design);
        for (int i = 0; i < reader->trees.count; i++) {
            SomText name = {0};
            som_write_name(&name, reader->trees.data[i].name);
            int behavior = som_configuration_find_behavior(design, som_text_str(&name));
            if (!reader->trees.data[i].is_run && behavior >= 0) {
                SomActionGraph *graph = som_compile_behavior(&def, behavior);
                if (graph != NULL) {
                    som_compile_check_graph(&def, behavior, graph, servos);
                }
                som_action_graph_destroy(graph);
            }
            som_text_free(&name);
        }
        som_free(servos);
    }
    if (som_diagnostics_error_count(made->diags) > 0) {
        uint32_t source1 =
            made->file >= 0 ? som_workspace_file(made->workspace, made->file)->source1 : 0;
        repeat_tree(importer, reader, made->diags, source1, begin);
    }
    som_composition_release(made);
    return som_diagnostics_error_count(importer->diags) == errors;
}

// One file's trees. The text becomes the new one.
static bool add_file(SomImporter *importer, const SomImportFile *file, SomStr path, SomText *text) {
    SomStr library = importer->options->library, choice = importer->options->config;
    SomComposition *made = som_composition_create(library, path, som_text_str(text), choice);
    if (made->configuration == NULL || made->config < 0) {
        repeat_design(importer, made);
        if (som_diagnostics_error_count(made->diags) == 0) {
            som_report(importer->diags, SOM_BT_NO_ROBOT, (SomSpan){importer->design.source1, 0, 0},
                       "there is no config in the design");
        }
        som_composition_release(made);
        return false;
    }
    SomBtReader reader;
    bool fine = som_bt_read(&reader, importer, file, made->configuration);
    if (fine) {
        const SomDesignFile *design = som_workspace_file(made->workspace, made->file);
        size_t at = find_end(design, made->config);
        SomText raw = {0}, piece = {0}, tidy = {0};
        som_text_add(&piece, SOM_STR("\n"));
        som_text_add(&piece, som_text_str(&reader.out));
        insert(som_text_str(text), at, som_text_str(&piece), &raw);
        fine = compile(importer, &reader, library, path, som_text_str(&raw), choice, at + 1);
        if (fine) {
            add_formatted(som_text_str(text), at, &reader, &tidy);
            som_text_clear(text);
            som_text_add(text, som_text_str(&tidy));
            if (importer->result->config_count == 0) {
                som_importer_count(importer, design->configs[made->config].name,
                                   made->configuration->module_count);
            }
        }
        som_text_free(&raw);
        som_text_free(&piece);
        som_text_free(&tidy);
    }
    som_bt_reader_free(&reader);
    som_composition_release(made);
    return fine;
}

bool som_import_trees(SomImporter *importer, SomText *out) {
    bool is_given = importer->design.text.data != NULL;
    if (importer->trees.count == 0) {
        if (is_given) {
            som_report(importer->diags, SOM_BT_DESIGN_ALONE,
                       (SomSpan){importer->design.source1, 0, 0},
                       "there is nothing to add to the design: give a behavior tree beside it");
            return false;
        }
        return true;
    }
    if (!is_given && importer->result->config_count == 0) {
        som_report(importer->diags, SOM_BT_NO_ROBOT,
                   (SomSpan){importer->trees.data[0].source1, 0, 0},
                   "there is no design beside it whose joints the tree moves");
        return false;
    }
    if (!is_given && importer->types.length > 0) { // in a file that is not there yet
        som_report(importer->diags, SOM_BT_NO_ROBOT,
                   (SomSpan){importer->trees.data[0].source1, 0, 0},
                   "a model becomes a design with module types of its own: import it first, then "
                   "give that design beside the tree");
        return false;
    }
    SomStr out_path = importer->options->out;
    SomStr path = is_given              ? importer->design.path
                  : out_path.length > 0 ? out_path
                                        : SOM_STR("imported.som");
    SomText text = {0};
    if (is_given) {
        som_text_add(&text, importer->design.text);
    } else {
        som_importer_print(importer, &text);
    }
    bool fine = true;
    for (int i = 0; i < importer->trees.count && fine; i++) {
        fine = add_file(importer, &importer->trees.data[i], path, &text);
    }
    if (fine) {
        som_text_add(out, som_text_str(&text));
    }
    som_text_free(&text);
    return fine;
}
