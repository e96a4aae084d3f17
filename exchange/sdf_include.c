// SPDX-License-Identifier: Apache-2.0
// Files of SDF, and those they include: a file, or a folder with a model.config that names it.

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "base/path.h"
#include "exchange/named_file.h"
#include "exchange/sdf_read_internal.h"

#define OLDEST 4
#define NEWEST 11

// "1.9" is 9; -1: none of ours.
static int minor_of(SomStr version) {
    int64_t minor;
    if (!som_str_starts_with(version, SOM_STR("1.")) ||
        !som_integer_parse(som_str_slice(version, 2, version.length), &minor) || minor < 0 ||
        minor > 99) {
        return -1;
    }
    return (int)minor;
}

static void check_version(SomSdfReader *r, SomSdfDoc *doc) {
    SomStr version = som_xml_attribute(doc->xml, doc->xml->first_root, SOM_STR("version"));
    doc->minor = minor_of(version);
    if (doc->minor < OLDEST || doc->minor > NEWEST) {
        int as = doc->minor >= 0 && doc->minor < OLDEST ? OLDEST : NEWEST;
        som_report(r->diags, SOM_SDF_VERSION, doc->xml->nodes[doc->xml->first_root].span,
                   "version '%.*s' is read as 1.%d", SOM_STR_ARG(som_str_slice(version, 0, 20)),
                   as);
        doc->minor = as;
    }
}

int som_sdf_add(SomSdfReader *r, const SomImportFile *file) {
    SomSdfDoc doc = {.file = *file};
    doc.xml = som_xml_read(file->text, file->source1, r->diags);
    if (doc.xml == NULL) {
        return -1;
    }
    SomStr root = doc.xml->nodes[doc.xml->first_root].name;
    if (som_str_equal(root, SOM_STR("sdf"))) {
        check_version(r, &doc);
    }
    som_array_push(&r->docs, doc);
    return r->docs.count - 1;
}

static int load(SomSdfReader *r, SomStr path) {
    for (int i = 0; i < r->docs.count; i++) {
        if (som_str_equal(r->docs.data[i].file.path, path)) {
            return i;
        }
    }
    SomImportFile file;
    if (r->docs.count >= SOM_SDF_MAX_FILES || !som_importer_load(r->importer, path, &file)) {
        return -1;
    }
    return som_sdf_add(r, &file);
}

// A file of the folder that a uri names. Every model has files of these names, so that of another
// will not do.
static SomStr find_in(SomSdfReader *r, SomStr from, SomStr uri, const char *file) {
    SomText whole = {0};
    som_text_add(&whole, uri);
    while (whole.length > 0 && whole.data[whole.length - 1] == '/') {
        whole.length--;
    }
    som_text_add(&whole, som_str(file));
    SomStr path = som_asset_find_whole(r->importer, from, som_text_str(&whole));
    som_text_free(&whole);
    return path;
}

// The file of the newest version that a model.config names.
static SomStr newest_of(SomSdfReader *r, SomStr config) {
    int doc = load(r, config), best = -1;
    SomStr file = {"", 0};
    if (doc < 0) {
        return file;
    }
    SomSdfElement root = {doc, r->docs.data[doc].xml->first_root};
    for (SomSdfElement e = som_sdf_child(r, root, "sdf"); e.node >= 0;
         e = som_sdf_next(r, e, "sdf")) {
        int minor = minor_of(som_sdf_attribute(r, e, "version"));
        minor = minor < 0 ? 0 : minor;
        if (minor > best && minor <= NEWEST) {
            best = minor;
            file = som_sdf_node(r, e)->text;
        }
    }
    return file.length > 0 ? som_asset_find(r->importer, config, file) : file;
}

static SomStr find_file(SomSdfReader *r, SomStr from, SomStr uri) {
    if (som_str_ends_with(uri, SOM_STR(".sdf")) || som_str_ends_with(uri, SOM_STR(".world"))) {
        SomStr path = som_asset_find(r->importer, from, uri);
        if (path.length > 0) {
            return path;
        }
    }
    SomStr config = find_in(r, from, uri, "/model.config");
    return config.length > 0 ? newest_of(r, config) : find_in(r, from, uri, "/model.sdf");
}

SomSdfElement som_sdf_include(SomSdfReader *r, SomSdfElement include, bool must) {
    SomStr uri = som_sdf_text(r, include, "uri"), from = r->docs.data[include.doc].file.path;
    SomSpan span = som_sdf_node(r, include)->span;
    SomSdfElement none = {include.doc, -1};
    SomStr path = uri.length > 0 ? find_file(r, from, uri) : uri;
    SomCode missing = must ? SOM_SDF_INCLUDE_MISSING : SOM_SDF_INCLUDE_LEFT_OUT;
    if (path.length == 0) {
        if (uri.length == 0) {
            som_report(r->diags, missing, span, "an <include> says with <uri> what it includes");
        } else {
            som_asset_report_missing(r->importer, missing, span, "the model ", from, uri);
        }
        r->failed = r->failed || must;
        return none;
    }
    int doc = load(r, path);
    SomSdfElement root = {doc, doc >= 0 ? r->docs.data[doc].xml->first_root : -1};
    SomSdfElement model = doc >= 0 ? som_sdf_child(r, root, "model") : none;
    if (model.node < 0 || !som_sdf_is(r, root, "sdf")) {
        som_report(r->diags, missing, span, "there is no model in '%.*s'", SOM_STR_ARG(path));
        r->failed = r->failed || must;
        return none;
    }
    return model;
}
