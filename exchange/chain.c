// SPDX-License-Identifier: Apache-2.0
// Strings of chains → `.som`.

#include "exchange/chain.h"

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "base/path.h"
#include "exchange/import_internal.h"
#include "exchange/som_text.h"
#include "space/trigonometry.h"

#include <stdio.h>

static const char types[] = "ITLAGWSitlg";

// As they are typed, and as they come out of a printed page.
static const char *const primes[] = {"'", "\u2019", "\u2032", "\u00b4", NULL};
static const char *const dashes[] = {"-", "\u2010", "\u2011", "\u2012", "\u2013", "\u2212", NULL};

typedef struct Reader {
    SomStr text; // up to the end of the chain
    size_t at;
    uint32_t source1;
    SomDiagnostics *diags;
} Reader;

// The length of the one of these that stands here, or 0.
static size_t match(const Reader *reader, const char *const *texts) {
    SomStr rest = som_str_slice(reader->text, reader->at, reader->text.length);
    for (; *texts != NULL; texts++) {
        if (som_str_starts_with(rest, som_str(*texts))) {
            return strlen(*texts);
        }
    }
    return 0;
}

static bool take(Reader *reader, const char *const *texts) {
    size_t length = match(reader, texts);
    reader->at += length;
    return length > 0;
}

static void skip_blanks(Reader *reader) {
    while (reader->at < reader->text.length &&
           (reader->text.data[reader->at] == ' ' || reader->text.data[reader->at] == '\t')) {
        reader->at++;
    }
}

static char peek(const Reader *reader, size_t ahead) {
    size_t at = reader->at + ahead;
    return at < reader->text.length ? reader->text.data[at] : '\0';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool fail(Reader *reader, size_t begin, const char *message) {
    size_t end = reader->at > begin ? reader->at : begin + 1;
    end = end < reader->text.length ? end : reader->text.length;
    begin = begin < end ? begin : end;
    som_report(reader->diags, SOM_CHAIN_SYNTAX,
               (SomSpan){reader->source1, (uint32_t)begin, (uint32_t)end}, "%s", message);
    return false;
}

// 90, -90 or (-90); a '-' belongs to the number if a digit follows.
static bool read_angle(Reader *reader, SomChainModule *module, bool *is_given) {
    size_t begin = reader->at, dash = match(reader, dashes);
    bool has_paren = peek(reader, 0) == '(';
    *is_given =
        has_paren || is_digit(peek(reader, 0)) || (dash > 0 && is_digit(peek(reader, dash)));
    if (!*is_given) {
        return true;
    }
    reader->at += has_paren ? 1 : 0;
    int sign = take(reader, dashes) ? -1 : 1;
    int value = 0, digits = 0;
    for (; is_digit(peek(reader, 0)); reader->at++, digits++) {
        value = digits < 6 ? 10 * value + (peek(reader, 0) - '0') : value;
    }
    if (has_paren && peek(reader, 0) == ')') {
        reader->at++;
    } else if (has_paren) {
        return fail(reader, begin, "this parenthesis is not closed after the angle");
    }
    if (digits == 0 || digits > 6 || value % 90 != 0) {
        return fail(reader, begin, "the angle of a connection is 0, 90, 180 or (-90)");
    }
    int quarters = (sign * (value / 90) % 4 + 4) % 4;
    module->degrees = quarters == 3 ? -90 : 90 * quarters;
    return true;
}

static bool read_module(Reader *reader, bool is_first, SomChainModule *module) {
    size_t begin = reader->at;
    char type = peek(reader, 0);
    if (type == '\0' || strchr(types, type) == NULL) {
        return fail(reader, begin,
                    "a module is expected here: one of I T L A G W S i t l g, then its angle");
    }
    reader->at++;
    module->type = type;
    module->is_inverted = take(reader, primes);
    size_t angle = reader->at;
    bool is_given = false;
    if (!read_angle(reader, module, &is_given)) {
        return false;
    }
    if (is_first && is_given) {
        return fail(reader, angle, "the first module is connected to none, so it has no angle");
    }
    module->span = (SomSpan){reader->source1, (uint32_t)begin, (uint32_t)reader->at};
    return true;
}

bool som_chain_parse(SomStr text, size_t begin, size_t end, uint32_t source1, SomChain *chain,
                     SomDiagnostics *diags) {
    Reader reader = {som_str_slice(text, 0, end), begin, source1, diags};
    for (;;) {
        SomChainModule module = {0};
        skip_blanks(&reader);
        if (!read_module(&reader, chain->count == 0, &module)) {
            return false;
        }
        som_array_push(chain, module);
        skip_blanks(&reader);
        if (reader.at == reader.text.length) {
            return true;
        }
        if (!take(&reader, dashes)) {
            return fail(&reader, reader.at, "'-' is expected between two modules");
        }
        if (chain->count == SOM_IMPORT_MAX_MODULES) {
            som_report(diags, SOM_IMPORT_TOO_MANY, module.span, "there are more than %d modules",
                       SOM_IMPORT_MAX_MODULES);
            return false;
        }
    }
}

bool som_chain_sniff(SomStr text) {
    Reader reader = {.text = text};
    while (peek(&reader, 0) == '#' || peek(&reader, 0) == '\n') {
        const char *end = memchr(text.data + reader.at, '\n', text.length - reader.at);
        if (end == NULL) {
            return false;
        }
        reader.at = (size_t)(end - text.data) + 1;
    }
    if (peek(&reader, 0) == '\0' || strchr(types, peek(&reader, 0)) == NULL) {
        return false;
    }
    reader.at++;
    take(&reader, primes);
    skip_blanks(&reader);
    return take(&reader, dashes);
}

// ---- meaning

typedef struct Writer {
    SomImporter *importer;
    const SomM3l *m3l;
    const SomChain *chain;
    SomStr *names;
} Writer;

static SomStr type_name(const SomChainModule *module) {
    return (SomStr){&module->type, 1};
}

// The connector towards the base, or away from it; -1 after a report.
static int find_face(const Writer *writer, int i, bool is_away, const SomModuleType **type) {
    const SomChainModule *module = &writer->chain->data[i];
    *type = som_m3l_find_type(writer->m3l, type_name(module));
    SomStr face = is_away != module->is_inverted ? SOM_STR("out") : SOM_STR("in");
    int connector = *type != NULL ? som_module_type_find_connector(*type, face) : -1;
    if (connector >= 0) {
        return connector;
    }
    SomDiagnostics *diags = writer->importer->diags;
    som_report(diags, SOM_CHAIN_NO_FACE, module->span, "'%c' has no face '%.*s' to connect to %s",
               module->type, SOM_STR_ARG(face),
               is_away ? "the module behind it" : "the module before it");
    bool is_base = i == 0 && !module->is_inverted;
    bool is_end = i + 1 == writer->chain->count && module->is_inverted;
    if (is_base) {
        SomSpan after = {module->span.source1, module->span.begin + 1, module->span.begin + 1};
        som_fix(diags, after, SOM_STR("'"));
    } else if (is_end) {
        som_note(diags, module->span, "at the end of a chain it is not inverted");
    }
    return -1;
}

static bool write_connection(const Writer *writer, int i, SomText *out) {
    const SomChainModule *module = &writer->chain->data[i];
    const SomModuleType *type_a, *type_b;
    int a = find_face(writer, i - 1, true, &type_a), b = find_face(writer, i, false, &type_b);
    if (a < 0 || b < 0) {
        return false;
    }
    SomMatingChoice choices[16];
    int count = som_m3l_find_matings(writer->m3l, type_a, a, type_b, b, choices, 16);
    // the angle is minus the roll
    int roll = ((-module->degrees % 360) + 360) % 360;
    bool is_offered = false;
    for (int k = 0; k < count && k < 16; k++) {
        double difference = choices[k].roll * (180 / SOM_PI) - roll;
        is_offered = is_offered || (difference > -1e-6 && difference < 1e-6) ||
                     (difference > 360 - 1e-6 && difference < 360 + 1e-6);
    }
    if (!is_offered) {
        som_report(writer->importer->diags, SOM_CHAIN_CANNOT_MATE, module->span,
                   "'%c' does not mate with the '%c' before it", module->type,
                   writer->chain->data[i - 1].type);
        return false;
    }
    SomWrittenConnection written = {.a = {{writer->names[i - 1], type_a->connectors[a].name}, 2},
                                    .b = {{writer->names[i], type_b->connectors[b].name}, 2},
                                    .roll = som_tidy_angle(roll * (SOM_PI / 180))};
    som_write_connect(out, &written);
    return true;
}

// One `part` for each run of modules of a type.
static void write_parts(const Writer *writer, SomText *out) {
    const SomChain *chain = writer->chain;
    for (int begin = 0, end; begin < chain->count; begin = end) {
        for (end = begin + 1;
             end < chain->count && chain->data[end].type == chain->data[begin].type; end++) {
        }
        som_write_parts(out, writer->names + begin, end - begin, type_name(&chain->data[begin]));
    }
}

static bool write_chain(SomImporter *importer, const SomM3l *m3l, const SomChain *chain,
                        SomStr name, SomStr comment) {
    SomText out = {0};
    Writer writer = {importer, m3l, chain, som_arena_new(&importer->arena, SomStr, chain->count)};
    for (int i = 0; i < chain->count; i++) {
        char text[16];
        int length = snprintf(text, sizeof text, "%c%d", chain->data[i].type, i + 1);
        writer.names[i] = som_arena_copy(&importer->arena, (SomStr){text, (size_t)length});
    }
    som_write_begin(&out, comment, name);
    write_parts(&writer, &out);
    bool fine = true;
    for (int i = 1; i < chain->count; i++) {
        fine = write_connection(&writer, i, &out) && fine;
    }
    // it stands on the face that is nearest to the base, its y axis up, or down if inverted
    SomWrittenBase base = {
        .place = {{writer.names[0]}, 1},
        .is_on_ground = true,
        .turn =
            som_vec3(som_tidy_angle(chain->data[0].is_inverted ? -SOM_PI / 2 : SOM_PI / 2), 0, 0)};
    som_write_base(&out, &base);
    som_write_end(&out);
    if (fine) {
        som_text_add(&importer->configs, som_text_str(&out));
        som_importer_count(importer, name, chain->count);
    }
    som_text_free(&out);
    return fine;
}

bool som_import_chain(SomImporter *importer, const SomImportFile *file) {
    const SomM3l *m3l = som_importer_library(importer, SOM_STR("gdut.m3l"));
    if (m3l == NULL) {
        return false;
    }
    for (int i = 0; i < m3l->type_count; i++) {
        som_importer_reserve(importer, m3l->types[i].name);
    }
    bool fine = true;
    int count = 0;
    for (size_t begin = 0, next; begin < file->text.length; begin = next) {
        const char *newline = memchr(file->text.data + begin, '\n', file->text.length - begin);
        size_t end = newline != NULL ? (size_t)(newline - file->text.data) : file->text.length;
        next = end + 1;
        while (end > begin && strchr(" \t\r", file->text.data[end - 1]) != NULL) {
            end--;
        }
        while (begin < end && strchr(" \t", file->text.data[begin]) != NULL) {
            begin++;
        }
        if (begin == end || file->text.data[begin] == '#') {
            continue;
        }
        SomChain chain = {0};
        count++;
        if (som_chain_parse(file->text, begin, end, file->source1, &chain, importer->diags)) {
            SomStr name = som_importer_name(importer, som_path_stem(file->path));
            SomStr line = som_str_slice(file->text, begin, end);
            fine = write_chain(importer, m3l, &chain, name, line) && fine;
        } else {
            fine = false;
        }
        som_array_free(&chain);
    }
    if (count == 0) {
        som_report(importer->diags, SOM_IMPORT_EMPTY, (SomSpan){file->source1, 0, 0},
                   "there is no chain");
    }
    som_importer_use(importer, SOM_STR("gdut.m3l"));
    return fine && count > 0;
}
