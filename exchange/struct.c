// SPDX-License-Identifier: Apache-2.0
// `.struct` of the SMORES lab: components, each a `.conf`, and links between them → `.som`.

#include "base/codes/exchange_codes.h"
#include "base/path.h"
#include "exchange/conf.h"
#include "exchange/named_file.h"

#include <math.h>

#define MAX_COMPONENTS 2000
#define BESIDE 1.0         // metres from one piece to the next
#define LOWEST_CENTRE 0.05 // the lab's builder lifts what is lower, and never lowers anything

// A file of components, read once.
typedef struct File {
    SomStr path;
    SomStr config;
    SomLabModel model;
    bool fine;
} File;

typedef struct Component {
    SomStr id;
    SomStr written; // path
    SomSpan span;
    SomSpan path_span;
    int file;
    int first; // its first module in the whole
    bool is_placed;
} Component;

typedef struct Link {
    int component[2];
    int module[2]; // of the component's file
    SomLabConnection connection;
} Link;

typedef struct Structure {
    SomConfReader reader;
    const SomImportFile *file;
    SomLabType type;
    SOM_ARRAY(File) files;
    SOM_ARRAY(Component) components;
    SOM_ARRAY(int) order; // of components: as links reach them
    SOM_ARRAY(Link) links;
    SomLabModel whole;
} Structure;

// ---- components

static int find_component(const Structure *s, SomStr id) {
    for (int i = 0; i < s->components.count; i++) {
        if (som_str_equal(s->components.data[i].id, id)) {
            return i;
        }
    }
    return -1;
}

static int add_file(Structure *s, SomStr path) {
    SomImporter *importer = s->reader.importer;
    File file = {.path = path};
    SomImportFile loaded;
    file.fine = som_importer_load(importer, path, &loaded) &&
                som_conf_read(importer, &loaded, &file.model) &&
                som_lab_check_faces(&file.model, &importer->arena, importer->diags) &&
                som_lab_derive(&file.model, &s->type, &importer->arena, importer->diags);
    if (file.fine) {
        som_lab_check_limits(&file.model, &s->type, &importer->arena, importer->diags);
    }
    som_array_push(&s->files, file);
    som_array_push(&importer->done, path);
    return s->files.count - 1;
}

// The file of a component; -1 if there is none, which is reported once.
static int find_file(Structure *s, const Component *component) {
    for (int i = 0; i < s->components.count; i++) {
        if (som_str_equal(s->components.data[i].written, component->written)) {
            return s->components.data[i].file;
        }
    }
    SomImporter *importer = s->reader.importer;
    SomStr path = som_component_find(importer, s->file->path, component->written, SOM_STR(".conf"));
    if (path.length == 0) {
        som_component_report_missing(importer, SOM_STRUCT_COMPONENT_NOT_FOUND, component->path_span,
                                     s->file->path, component->written);
        return -1;
    }
    for (int i = 0; i < s->files.count; i++) {
        if (som_str_equal(s->files.data[i].path, path)) {
            return i;
        }
    }
    return add_file(s, path);
}

static void read_component(Structure *s, int node) {
    static const char *const known[] = {"component_id", "file_path", NULL};
    Component component = {.file = -1};
    SomConfReader *reader = &s->reader;
    SomStr id = som_conf_name(reader, node, "component_id", &component.span);
    int path = som_conf_need(reader, node, "file_path");
    som_conf_ignore_others(reader, node, known);
    if (id.length == 0 || path < 0) {
        return;
    }
    int other = find_component(s, id);
    if (other >= 0) {
        som_report(reader->diags, SOM_IMPORT_NAME_TAKEN, component.span,
                   "there are two components '%.*s'", SOM_STR_ARG(id));
        som_note(reader->diags, s->components.data[other].span, "the other one");
        reader->failed = true;
        return;
    }
    component.id = som_arena_copy(&reader->importer->arena, id);
    component.written = som_arena_copy(&reader->importer->arena, reader->xml->nodes[path].text);
    component.path_span = reader->xml->nodes[path].text_span;
    component.file = find_file(s, &component);
    bool is_fine = component.file >= 0 && s->files.data[component.file].fine;
    reader->failed = reader->failed || !is_fine;
    som_array_push(&s->components, component);
}

static void read_components(Structure *s, int root) {
    SomConfReader *reader = &s->reader;
    int list = som_conf_need(reader, root, "Components");
    for (int node = list >= 0 ? som_xml_child(reader->xml, list, SOM_STR("Component")) : -1;
         node >= 0; node = som_xml_next(reader->xml, node, SOM_STR("Component"))) {
        if (s->components.count == MAX_COMPONENTS) {
            som_report(reader->diags, SOM_IMPORT_TOO_MANY, reader->xml->nodes[node].span,
                       "there are more than %d components", MAX_COMPONENTS);
            reader->failed = true;
            return;
        }
        read_component(s, node);
    }
    if (list >= 0 && s->components.count == 0 && !reader->failed) {
        som_report(reader->diags, SOM_IMPORT_EMPTY, reader->xml->nodes[list].span,
                   "there are no components");
        reader->failed = true;
    }
}

// ---- links

static void report_unknown(Structure *s, SomStr id, SomSpan span) {
    som_report(s->reader.diags, SOM_IMPORT_NAME_UNKNOWN, span, "there is no component '%.*s'",
               SOM_STR_ARG(id));
    SOM_ARRAY(SomStr) ids = {0};
    for (int i = 0; i < s->components.count; i++) {
        som_array_push(&ids, s->components.data[i].id);
    }
    int nearest = som_str_find_nearest(id, ids.data, ids.count);
    if (nearest >= 0) {
        som_note(s->reader.diags, s->components.data[nearest].span, "there is '%.*s'",
                 SOM_STR_ARG(ids.data[nearest]));
    }
    som_array_free(&ids);
}

// A component as a link names it: with its file again, which must be the same.
static int read_reference(Structure *s, int node, const char *name) {
    SomConfReader *reader = &s->reader;
    int outer = som_conf_need(reader, node, name);
    int inner = outer >= 0 ? som_conf_need(reader, outer, "Component") : -1;
    SomSpan span = {0};
    SomStr id = {"", 0};
    if (inner >= 0) {
        id = som_conf_name(reader, inner, "component_id", &span);
    }
    if (id.length == 0) {
        return -1;
    }
    int component = find_component(s, id);
    int path = som_xml_child(reader->xml, inner, SOM_STR("file_path"));
    if (component < 0) {
        report_unknown(s, id, span);
        reader->failed = true;
    } else if (path >= 0 && !som_str_equal(reader->xml->nodes[path].text,
                                           s->components.data[component].written)) {
        som_report(reader->diags, SOM_STRUCT_TWO_FILES, reader->xml->nodes[path].text_span,
                   "component '%.*s' has another file here", SOM_STR_ARG(id));
        som_note(reader->diags, s->components.data[component].path_span, "the one it has");
        reader->failed = true;
    }
    return component;
}

// A module of a component: `Module_2`, or with the component's name before it.
static int read_link_module(Structure *s, int node, const char *name, int component) {
    SomConfReader *reader = &s->reader;
    SomSpan span = {0};
    SomStr whole = som_conf_name(reader, node, name, &span), group, own;
    if (component < 0 || whole.length == 0) {
        return -1;
    }
    const Component *c = &s->components.data[component];
    const SomLabModel *model = &s->files.data[c->file].model;
    som_lab_split(whole, &group, &own);
    int module = som_lab_find(model, group, own);
    if (module < 0 && som_str_equal(group, c->id)) {
        som_lab_split(own, &group, &own);
        module = som_lab_find(model, group, own);
    }
    if (module < 0) {
        som_report(reader->diags, SOM_IMPORT_NAME_UNKNOWN, span,
                   "component '%.*s' has no module '%.*s'", SOM_STR_ARG(c->id), SOM_STR_ARG(whole));
        int nearest = som_lab_find_nearest(model, own);
        if (nearest >= 0) {
            som_note(reader->diags, model->modules.data[nearest].span, "it has '%.*s'",
                     SOM_STR_ARG(model->modules.data[nearest].name));
        }
        reader->failed = true;
    }
    return module;
}

static void read_link(Structure *s, int node) {
    static const char *const known[] = {"link_id", "component1", "component2", "module1", "module2",
                                        "node1",   "node2",      "distance",   "angle",   NULL};
    SomConfReader *reader = &s->reader;
    Link link = {.connection.span = reader->xml->nodes[node].span};
    SomLabConnection *c = &link.connection;
    link.component[0] = read_reference(s, node, "component1");
    link.component[1] = read_reference(s, node, "component2");
    link.module[0] = read_link_module(s, node, "module1", link.component[0]);
    link.module[1] = read_link_module(s, node, "module2", link.component[1]);
    c->face_a = som_conf_face(reader, node, "node1");
    c->face_b = som_conf_face(reader, node, "node2");
    som_conf_offsets(reader, node, c);
    som_conf_ignore_others(reader, node, known);
    bool is_whole = link.module[0] >= 0 && link.module[1] >= 0 && c->face_a >= 0 && c->face_b >= 0;
    if (is_whole && link.component[0] == link.component[1] && link.module[0] == link.module[1]) {
        som_report(reader->diags, SOM_IMPORT_SELF_CONNECTION, c->span,
                   "a module is linked to itself");
        reader->failed = true;
    } else if (is_whole) {
        som_array_push(&s->links, link);
    }
}

static void read_links(Structure *s, int root) {
    SomConfReader *reader = &s->reader;
    int list = som_xml_child(reader->xml, root, SOM_STR("Links"));
    for (int node = list >= 0 ? som_xml_child(reader->xml, list, SOM_STR("Link")) : -1; node >= 0;
         node = som_xml_next(reader->xml, node, SOM_STR("Link"))) {
        read_link(s, node);
    }
}

// ---- the whole

static void place_component(Structure *s, int component) {
    if (!s->components.data[component].is_placed) {
        s->components.data[component].is_placed = true;
        som_array_push(&s->order, component);
    }
}

// Components in the order in which links reach them; the first is the base.
static void order_components(Structure *s) {
    for (int i = 0; i < 2 * s->links.count; i++) {
        place_component(s, s->links.data[i / 2].component[i % 2]);
    }
    for (int i = 0; i < s->components.count; i++) {
        place_component(s, i);
    }
}

static void add_modules(Structure *s, Component *component) {
    const SomLabModel *model = &s->files.data[component->file].model;
    component->first = s->whole.modules.count;
    for (int i = 0; i < model->modules.count; i++) {
        SomLabModule module = model->modules.data[i];
        module.name = som_lab_shown(&module, &s->reader.importer->arena);
        module.group = component->id;
        module.span = component->span;
        som_array_push(&s->whole.modules, module);
    }
    for (int i = 0; i < model->connections.count; i++) {
        SomLabConnection c = model->connections.data[i];
        c.a += component->first;
        c.b += component->first;
        som_array_push(&s->whole.connections, c);
    }
}

// All modules and connections of all components, then the links.
static bool unfold(Structure *s) {
    SomImporter *importer = s->reader.importer;
    for (int i = 0; i < s->order.count; i++) {
        Component *component = &s->components.data[s->order.data[i]];
        int count = s->files.data[component->file].model.modules.count;
        if (s->whole.modules.count + count > SOM_IMPORT_MAX_MODULES) {
            som_report(importer->diags, SOM_IMPORT_TOO_MANY, component->span,
                       "there are more than %d modules", SOM_IMPORT_MAX_MODULES);
            return false;
        }
        add_modules(s, component);
    }
    for (int i = 0; i < s->links.count; i++) {
        Link *link = &s->links.data[i];
        link->connection.a = s->components.data[link->component[0]].first + link->module[0];
        link->connection.b = s->components.data[link->component[1]].first + link->module[1];
        som_lab_take_angle(&s->whole, &link->connection, &s->type, &importer->arena,
                           importer->diags);
        som_array_push(&s->whole.connections, link->connection);
    }
    som_lab_note_pieces(&s->whole, NULL, &importer->arena, importer->diags);
    return som_lab_check_faces(&s->whole, &importer->arena, importer->diags);
}

// Where the base stands once everything is lifted off the ground.
static SomPose lifted_base(const Structure *s) {
    int count = s->whole.modules.count;
    SomPose *poses = som_alloc((size_t)count * sizeof *poses);
    som_lab_place(&s->whole, &s->type, 0, poses);
    double lowest = (double)INFINITY;
    for (int i = 0; i < count; i++) {
        lowest = fmin(lowest, poses[i].position.z);
    }
    SomPose base = poses[0];
    base.position.z += lowest < LOWEST_CENTRE ? LOWEST_CENTRE - lowest : 0;
    som_free(poses);
    return base;
}

static SomWrittenPlace place_of(const Structure *s, int component, int module, const char *member) {
    const Component *c = &s->components.data[component];
    const SomLabModule *m = &s->files.data[c->file].model.modules.data[module];
    SomWrittenPlace place = {.names = {c->id}, .count = 1};
    if (m->group.length > 0) {
        place.names[place.count++] = m->group;
    }
    place.names[place.count++] = m->name;
    if (member != NULL) {
        place.names[place.count++] = som_str(member);
    }
    return place;
}

static void write_parts(const Structure *s, SomText *out) {
    for (int begin = 0, end; begin < s->order.count; begin = end) {
        SOM_ARRAY(SomStr) names = {0};
        int file = s->components.data[s->order.data[begin]].file;
        for (end = begin;
             end < s->order.count && s->components.data[s->order.data[end]].file == file; end++) {
            som_array_push(&names, s->components.data[s->order.data[end]].id);
        }
        som_write_parts(out, names.data, names.count, s->files.data[file].config);
        som_array_free(&names);
    }
}

static void write_pose(const Structure *s, SomText *out) {
    bool is_open = false;
    for (int i = 0; i < s->order.count; i++) {
        const Component *component = &s->components.data[s->order.data[i]];
        if (som_lab_has_joints(&s->files.data[component->file].model)) {
            if (!is_open) {
                som_write_pose_begin(out, SOM_LAB_POSE);
            }
            is_open = true;
            SomWrittenPlace place = {{component->id, SOM_LAB_POSE}, 2};
            som_write_part_pose(out, &place);
        }
    }
    if (is_open) {
        som_write_pose_end(out, SOM_LAB_POSE, true);
    }
}

// Its components' robots follow, one a file.
static void add_robot(const Structure *s, SomStr name) {
    SomImporter *importer = s->reader.importer;
    SomImportRobot *robot = som_importer_add_robot(importer, name, s->file->path);
    int first = importer->robots.count;
    for (int i = 0; i < s->order.count; i++) {
        const Component *component = &s->components.data[s->order.data[i]];
        const SomLabModel *model = &s->files.data[component->file].model;
        SomImportPart part = {component->id, first + component->file};
        som_array_push(&robot->parts, part);
        for (int k = 0; k < model->modules.count; k++) {
            SomImportModule module = {.place = place_of(s, s->order.data[i], k, NULL)};
            som_lab_copy_joints(&model->modules.data[k], module.joints);
            for (int n = 0; n < module.place.count; n++) {
                module.place.names[n] = som_arena_copy(&importer->arena, module.place.names[n]);
            }
            som_array_push(&robot->modules, module);
        }
    }
}

// The place of a module of the whole.
static SomWrittenPlace place_in_whole(const Structure *s, int module) {
    int at = 0;
    while (at + 1 < s->order.count && s->components.data[s->order.data[at + 1]].first <= module) {
        at++;
    }
    int component = s->order.data[at];
    return place_of(s, component, module - s->components.data[component].first, NULL);
}

// The file does not say where pieces are against each other: each is put beside those before it.
static void write_bases(const Structure *s, SomText *out) {
    int count = s->whole.modules.count;
    int *roots = som_alloc(sizeof *roots * ((size_t)count + 1));
    SomPose *poses = som_alloc(sizeof *poses * ((size_t)count + 1));
    int pieces = som_lab_piece_roots(&s->whole, 0, roots);
    som_lab_write_base(out, place_of(s, s->order.data[0], 0, NULL), lifted_base(s));
    for (int i = 1; i < pieces; i++) {
        som_lab_place(&s->whole, &s->type, roots[i], poses);
        SomWrittenBase base = {.place = place_in_whole(s, roots[i]),
                               .frame = SOM_STR("lab"),
                               .is_on_ground = true,
                               .position = som_vec3(BESIDE * i, 0, 0),
                               .turn = som_turn_of(poses[roots[i]].rotation)};
        som_write_base(out, &base);
    }
    som_free(roots);
    som_free(poses);
}

static void write_whole(const Structure *s, SomStr name, SomText *out) {
    SomText comment = {0};
    som_text_printf(&comment, "Imported from %.*s.", SOM_STR_ARG(som_path_name(s->file->path)));
    som_write_begin(out, som_text_str(&comment), name);
    som_text_free(&comment);
    write_parts(s, out);
    for (int i = 0; i < s->links.count; i++) {
        const Link *link = &s->links.data[i];
        const SomLabConnection *c = &link->connection;
        som_lab_write_connection(
            out, c, place_of(s, link->component[0], link->module[0], som_lab_faces[c->face_a]),
            place_of(s, link->component[1], link->module[1], som_lab_faces[c->face_b]));
    }
    write_pose(s, out);
    write_bases(s, out);
    add_robot(s, name);
    som_write_end(out);
}

static void write_structure(Structure *s) {
    SomImporter *importer = s->reader.importer;
    som_importer_use(importer, SOM_STR("smores.m3l"));
    SomStr name = som_importer_name(importer, som_path_stem(s->file->path));
    for (int i = 0; i < s->files.count; i++) {
        s->files.data[i].config = som_importer_name(importer, som_path_stem(s->files.data[i].path));
    }
    som_importer_count(importer, name, s->whole.modules.count);
    write_whole(s, name, &importer->configs);
    for (int i = 0; i < s->files.count; i++) {
        const File *file = &s->files.data[i];
        som_importer_count(importer, file->config, file->model.modules.count);
        som_lab_write(importer, &file->model, file->config, file->path);
    }
}

bool som_import_struct(SomImporter *importer, const SomImportFile *file) {
    Structure s = {.file = file};
    SomXml *xml = som_xml_read(file->text, file->source1, importer->diags);
    if (xml == NULL || !som_lab_type(importer, &s.type)) {
        som_xml_destroy(xml);
        return false;
    }
    s.reader = (SomConfReader){importer, xml, importer->diags, false};
    int root = som_xml_child(xml, SOM_XML_TOP, SOM_STR("Structure"));
    if (root < 0) {
        som_report(importer->diags, SOM_IMPORT_MISSING, xml->nodes[xml->first_root].span,
                   "there is no 'Structure' in this file");
    } else {
        read_components(&s, root);
    }
    bool fine = root >= 0 && !s.reader.failed;
    if (fine) { // all components are there, so links can be understood
        read_links(&s, root);
        order_components(&s);
        fine = !s.reader.failed && unfold(&s);
    }
    if (fine) {
        write_structure(&s);
    }
    for (int i = 0; i < s.files.count; i++) {
        som_lab_free(&s.files.data[i].model);
    }
    som_array_free(&s.files);
    som_array_free(&s.components);
    som_array_free(&s.order);
    som_array_free(&s.links);
    som_lab_free(&s.whole);
    som_xml_destroy(xml);
    return fine;
}
