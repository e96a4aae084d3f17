// SPDX-License-Identifier: Apache-2.0
// `.control` of the SMORES lab: series and parallel of gaits of a structure's components → a
// behavior of the structure. The gaits become behaviors of the components' configurations.

#include "base/codes/exchange_codes.h"
#include "base/path.h"
#include "exchange/conf.h"
#include "exchange/gait.h"
#include "exchange/named_file.h"

typedef struct Control {
    SomConfReader reader;
    const SomImportFile *file;
    int robot; // the structure, of the importer's robots
    SomText out;
} Control;

static bool fail_block(Control *c, int node, const char *words) {
    som_report(c->reader.diags, SOM_CONTROL_BLOCK, c->reader.xml->nodes[node].span, "%s", words);
    c->reader.failed = true;
    return false;
}

// The robot that a component is made from; -1 after a report.
static int find_component(Control *c, int node, SomStr *id) {
    SomImporter *importer = c->reader.importer;
    SomSpan span = {0};
    *id = som_conf_name(&c->reader, node, "component_id", &span);
    const SomImportRobot *whole = &importer->robots.data[c->robot];
    SOM_ARRAY(SomStr) ids = {0};
    int found = -1;
    for (int i = 0; i < whole->parts.count; i++) {
        som_array_push(&ids, whole->parts.data[i].id);
        found = som_str_equal(whole->parts.data[i].id, *id) ? whole->parts.data[i].robot : found;
    }
    if (found < 0 && id->length > 0) {
        som_report(importer->diags, SOM_IMPORT_NAME_UNKNOWN, span, "'%.*s' has no component '%.*s'",
                   SOM_STR_ARG(whole->config), SOM_STR_ARG(*id));
        int nearest = som_str_find_nearest(*id, ids.data, ids.count);
        if (nearest >= 0) {
            som_note(importer->diags, (SomSpan){0}, "it has '%.*s'",
                     SOM_STR_ARG(ids.data[nearest]));
        }
        c->reader.failed = true;
    }
    som_array_free(&ids);
    return found;
}

// The behavior that a gait of a robot is, read when it is first wanted; empty after a report.
static SomStr find_gait(Control *c, int robot, int node) {
    SomImporter *importer = c->reader.importer;
    int named = som_conf_need(&c->reader, node, "gait_file");
    if (named < 0) {
        return (SomStr){"", 0};
    }
    const SomXmlNode *written = &c->reader.xml->nodes[named];
    SomStr path = som_component_find(importer, c->file->path, written->text, SOM_STR(".gait"));
    if (path.length == 0) {
        som_component_report_missing(importer, SOM_CONTROL_GAIT_NOT_FOUND, written->text_span,
                                     c->file->path, written->text);
        return (SomStr){"", 0};
    }
    SomImportRobot *moved = &importer->robots.data[robot];
    for (int i = 0; i < moved->gaits.count; i++) {
        if (som_str_equal(moved->gaits.data[i], path)) {
            return moved->gait_names.data[i];
        }
    }
    SomImportFile file;
    if (!som_importer_load(importer, path, &file)) {
        return (SomStr){"", 0};
    }
    file.path = path;
    som_array_push(&importer->done, path); // if it was given, too, it has its place now
    return som_gait_behavior(importer, moved, &file);
}

static bool write_gait(Control *c, int node) {
    static const char *const known[] = {"component_id", "gait_file", NULL};
    SomStr id;
    som_conf_ignore_others(&c->reader, node, known);
    int robot = find_component(c, node, &id);
    SomStr name = robot >= 0 ? find_gait(c, robot, node) : (SomStr){"", 0};
    if (name.length == 0) {
        c->reader.failed = true;
        return false;
    }
    SomWrittenPlace place = {{id, name}, 2};
    som_write_place(&c->out, &place);
    return true;
}

// As deep as the XML is, which has a limit.
static bool write_block(Control *c, int node) {
    const SomXml *xml = c->reader.xml;
    SomStr type = som_xml_attribute(xml, node, SOM_STR("type"));
    if (som_str_equal(type, SOM_STR("gait"))) {
        return write_gait(c, node);
    }
    bool is_series = som_str_equal(type, SOM_STR("s_block"));
    if (!is_series && !som_str_equal(type, SOM_STR("p_block"))) {
        return fail_block(c, node, "expected a block of type s_block, p_block or gait");
    }
    static const char *const known[] = {"Block", NULL};
    som_conf_ignore_others(&c->reader, node, known);
    int child = som_xml_child(xml, node, SOM_STR("Block"));
    if (child < 0) {
        return fail_block(c, node, "there is nothing in this block");
    }
    bool fine = true;
    som_text_add(&c->out, is_series ? SOM_STR("series(") : SOM_STR("parallel("));
    for (int i = 0; child >= 0; child = som_xml_next(xml, child, SOM_STR("Block")), i++) {
        som_text_add(&c->out, i > 0 ? SOM_STR(", ") : SOM_STR(""));
        fine = write_block(c, child) && fine;
    }
    som_text_add(&c->out, SOM_STR(")"));
    return fine;
}

// The structure before it on the command line, else the first; -1 if there is none.
static int find_structure(const SomImporter *importer, const SomImportFile *file) {
    int given = importer->path_count, found = -1;
    for (int i = 0; i < importer->path_count; i++) {
        given = som_str_equal(importer->paths[i], file->path) ? i : given;
    }
    for (int i = 0; i < importer->robots.count; i++) {
        const SomImportRobot *robot = &importer->robots.data[i];
        if (robot->parts.count > 0 && (found < 0 || robot->given < given)) {
            found = i;
        }
    }
    return found;
}

static void add_behavior(Control *c) {
    SomImporter *importer = c->reader.importer;
    SomText comment = {0};
    SomStr name;
    som_text_printf(&comment, "Imported from %.*s.", SOM_STR_ARG(som_path_name(c->file->path)));
    SomText *out =
        som_import_robot_behavior(importer, &importer->robots.data[c->robot],
                                  som_path_stem(c->file->path), som_text_str(&comment), &name);
    som_text_add(out, som_text_str(&c->out));
    som_text_add(out, SOM_STR("\n"));
    som_text_free(&comment);
}

bool som_import_control(SomImporter *importer, const SomImportFile *file) {
    Control c = {.file = file, .robot = find_structure(importer, file)};
    SomXml *xml = som_xml_read(file->text, file->source1, importer->diags);
    if (xml == NULL) {
        return false;
    }
    c.reader = (SomConfReader){importer, xml, importer->diags, false};
    int root = som_xml_child(xml, SOM_XML_TOP, SOM_STR("Control"));
    bool fine = false;
    if (root < 0) {
        som_report(importer->diags, SOM_IMPORT_MISSING, xml->nodes[xml->first_root].span,
                   "there is no 'Control' in this file");
    } else if (c.robot < 0) {
        som_report(importer->diags, SOM_CONTROL_NO_STRUCTURE, xml->nodes[root].span,
                   "there is no structure for this control: give its .struct, too");
    } else {
        int block = som_conf_need(&c.reader, root, "Block");
        fine = block >= 0 && write_block(&c, block) && !c.reader.failed;
        int second = fine ? som_xml_next(xml, block, SOM_STR("Block")) : -1;
        fine = fine && (second < 0 || fail_block(&c, second, "there is a second outermost block"));
    }
    if (fine) {
        add_behavior(&c);
    }
    som_text_free(&c.out);
    som_xml_destroy(xml);
    return fine;
}
