// SPDX-License-Identifier: Apache-2.0

#include "exchange/kept_plugins.h"

#include "base/codes/exchange_codes.h"
#include "base/name_list.h"
#include "compose/configuration.h"
#include "exchange/import_internal.h"
#include "exchange/sdf.h"
#include "exchange/xml_kept.h"

bool som_kept_is_player(const SomXml *xml, int node) {
    return som_str_equal(xml->nodes[node].name, SOM_STR("plugin")) &&
           som_str_equal(som_xml_attribute(xml, node, SOM_STR("name")), SOM_STR(SOM_SDF_PLUGIN)) &&
           som_str_equal(som_xml_attribute(xml, node, SOM_STR("filename")),
                         SOM_STR(SOM_SDF_PLUGIN_FILE));
}

static bool is_named(const SomXml *xml, int node, const char *name) {
    return node >= 0 && som_str_equal(xml->nodes[node].name, som_str(name));
}

// Or an <include>, which can bring a model with plugins. <ros2_control> names the class of its
// hardware in a <plugin>, which is no program of a simulator.
static bool is_plugin(const SomXml *xml, int node) {
    bool is_class = is_named(xml, xml->nodes[node].parent, "hardware") &&
                    som_xml_find_attribute(xml, node, SOM_STR("filename")) == NULL;
    return is_named(xml, node, "include") ||
           (is_named(xml, node, "plugin") && !is_class && !som_kept_is_player(xml, node));
}

static bool is_left_out(const SomXml *xml, int node) {
    int parent = xml->nodes[node].parent;
    return is_plugin(xml, node) ||
           (is_named(xml, node, "trace") && is_named(xml, parent, "plugin") &&
            som_kept_is_player(xml, parent));
}

// The node after this one in an element, without what is in it if `is_past`; -1 at the end.
static int step(const SomXml *xml, int element, int node, bool is_past) {
    if (!is_past && xml->nodes[node].first_child >= 0) {
        return xml->nodes[node].first_child;
    }
    while (node != element && xml->nodes[node].next < 0) {
        node = xml->nodes[node].parent;
    }
    return node == element ? -1 : xml->nodes[node].next;
}

// The first plugin from a node of an element on; -1: there is none.
static int find_plugin(const SomXml *xml, int element, int from) {
    int at = from;
    while (at >= 0 && !is_plugin(xml, at)) {
        at = step(xml, element, at, false);
    }
    return at;
}

static int next_plugin(const SomXml *xml, int element, int plugin) {
    return find_plugin(xml, element, step(xml, element, plugin, true));
}

// ---- writing

// The element without what is left out; nothing if it is that, or holds nothing else.
static void add_without(const SomXmlKept *kept, int element, SomText *out) {
    const SomXml *xml = kept->xml;
    SomStr text = som_text_str(&kept->text);
    SomSpan whole = xml->nodes[element].whole;
    uint32_t at = whole.begin;
    int children = 0;
    for (int i = element; i >= 0;) {
        bool is_out = is_left_out(xml, i);
        if (is_out) {
            som_text_add(out, som_str_slice(text, at, xml->nodes[i].whole.begin));
            at = xml->nodes[i].whole.end;
        }
        children += i != element && !is_out;
        i = step(xml, element, i, is_out);
    }
    som_text_add(out, som_str_slice(text, at, whole.end));
    if (at > whole.begin && children == 0 && is_named(xml, element, "gazebo")) {
        som_text_clear(out);
    }
}

void som_kept_write(SomXmlWriter *out, SomStr element) {
    if (out->has_plugins) {
        som_xml_element(out, element);
        return;
    }
    SomXmlKept kept = som_xml_kept_read(element);
    SomText text = {0};
    int first = som_xml_kept_first(&kept);
    if (first >= 0) {
        add_without(&kept, first, &text);
    }
    if (text.length > 0) {
        som_xml_element(out, som_text_str(&text));
    }
    som_text_free(&text);
    som_xml_kept_free(&kept);
}

// ---- reporting

static SomStr file_of(const SomXml *xml, int node) {
    int uri = som_xml_child(xml, node, SOM_STR("uri"));
    SomStr file = is_named(xml, node, "plugin") ? som_xml_attribute(xml, node, SOM_STR("filename"))
                  : uri >= 0                    ? xml->nodes[uri].text
                                                : SOM_STR("");
    return som_str_slice(file, 0, 200);
}

static bool is_new(SomImporter *importer, SomStr key) {
    for (int i = 0; i < importer->plugins.count; i++) {
        if (som_str_equal(importer->plugins.data[i], key)) {
            return false;
        }
    }
    som_array_push(&importer->plugins, som_arena_copy(&importer->arena, key));
    return true;
}

void som_kept_report(SomImporter *importer, const SomXml *xml, int node) {
    for (int i = find_plugin(xml, node, node); i >= 0; i = next_plugin(xml, node, i)) {
        SomStr name = som_str_slice(som_xml_attribute(xml, i, SOM_STR("name")), 0, 200);
        SomStr file = file_of(xml, i);
        SomText key = {0};
        som_text_printf(&key, "%.*s\n%.*s", SOM_STR_ARG(name), SOM_STR_ARG(file));
        if (is_new(importer, som_text_str(&key))) {
            bool is_include = is_named(xml, i, "include");
            som_report(importer->diags, SOM_MODEL_PLUGIN, xml->nodes[i].span,
                       is_include ? "the <include>%.*s of '%.*s' is kept, but not exported"
                                  : "plugin '%.*s' of file '%.*s' is kept, but not exported",
                       SOM_STR_ARG(is_include ? SOM_STR("") : name), SOM_STR_ARG(file));
        }
        som_text_free(&key);
    }
}

typedef struct LeftOut {
    SomText names; // of files
    SomNameList list;
    int count;
} LeftOut;

static void list_plugins(LeftOut *left_out, SomStr text) {
    SomXmlKept kept = som_xml_kept_read(text);
    int root = kept.xml != NULL ? kept.xml->first_root : -1;
    for (int i = root >= 0 ? find_plugin(kept.xml, root, root) : -1; i >= 0;
         i = next_plugin(kept.xml, root, i)) {
        SomStr file = file_of(kept.xml, i);
        som_name_list_add(&left_out->list, "'%.*s'", SOM_STR_ARG(file));
        left_out->count++;
    }
    som_xml_kept_free(&kept);
}

static SomStr text_of(const SomKeptText *kept, bool is_urdf) {
    return is_urdf ? kept->urdf : kept->sdf;
}

static void list_type(LeftOut *left_out, const SomModuleType *type, bool is_urdf) {
    list_plugins(left_out, text_of(&type->kept, is_urdf));
    for (int i = 0; i < type->link_count; i++) {
        list_plugins(left_out, text_of(&type->links[i].kept, is_urdf));
    }
    for (int i = 0; i < type->joint_count; i++) {
        list_plugins(left_out, text_of(&type->joints[i].kept, is_urdf));
    }
}

void som_kept_report_left_out(const SomConfiguration *design, bool is_urdf, SomDiagnostics *diags) {
    LeftOut left_out = {0};
    left_out.list.out = &left_out.names;
    for (int i = 0; i < design->module_count; i++) {
        bool is_again = false;
        for (int k = 0; k < i && !is_again; k++) {
            is_again = design->modules[k].type == design->modules[i].type;
        }
        if (!is_again) {
            list_type(&left_out, design->modules[i].type, is_urdf);
        }
    }
    som_name_list_end(&left_out.list);
    if (left_out.count > 0) {
        som_report(diags, SOM_EXPORT_PLUGINS_LEFT_OUT, (SomSpan){0},
                   "left out %d plugin%s of imported modules: %s", left_out.count,
                   left_out.count == 1 ? "" : "s", left_out.names.data);
    }
    som_text_free(&left_out.names);
}
