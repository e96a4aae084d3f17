// SPDX-License-Identifier: Apache-2.0
// Robots of HEBI's modules, HRDF 1.0 to 1.6: a module type for each kind of element, and a config
// in which they hang on each other as in the file.

#include "base/codes/exchange_codes.h"
#include "base/path.h"
#include "exchange/hrdf_internal.h"
#include "exchange/named_file.h"
#include "exchange/som_text.h"

#define MAX_INCLUDES 16 // in each other
#define MAX_TYPES 30    // any two of them may be mated, and files of module types have limits

// A kind of element: what was written, and the module type it became.
typedef struct Kind {
    SomStr key;
    SomStr type;
} Kind;

typedef struct Part {
    SomStr name, type;
    int parent, output; // that it hangs on; -1: the first
    SomSpan span;
    uint64_t held; // outputs that something hangs on, a bit each
} Part;

typedef struct Reader {
    SomImporter *importer;
    SOM_ARRAY(SomXml *) files;
    SOM_ARRAY(Kind) kinds;
    SOM_ARRAY(Part) parts;
    SOM_ARRAY(SomHrdfElement) elements; // of the parts
    SomHrdfLeftOut left_out;
    int depth;
    bool failed;
} Reader;

// What elements hang on.
typedef struct Place {
    int part, output;
} Place;

// ---- module types

// Everything that is written in an element but its name and what hangs on it.
static SomStr make_key(Reader *r, const SomXml *xml, int node) {
    SomText key = {0};
    som_text_add(&key, xml->nodes[node].name);
    for (int i = 0; i < xml->nodes[node].attribute_count; i++) {
        const SomXmlAttribute *a = &xml->attributes[xml->nodes[node].first_attribute + i];
        if (!som_str_equal(a->name, SOM_STR("tag"))) {
            som_text_printf(&key, "\n%.*s=%.*s", SOM_STR_ARG(a->name), SOM_STR_ARG(a->value));
        }
    }
    for (int output = som_xml_child(xml, node, SOM_STR("output")); output >= 0;
         output = som_xml_next(xml, output, SOM_STR("output"))) {
        som_text_printf(&key, "\noutput %.*s %.*s",
                        SOM_STR_ARG(som_xml_attribute(xml, output, SOM_STR("rot"))),
                        SOM_STR_ARG(som_xml_attribute(xml, output, SOM_STR("trans"))));
    }
    SomStr kept = som_arena_copy(&r->importer->arena, som_text_str(&key));
    som_text_free(&key);
    return kept;
}

static SomStr bolt_words(Reader *r, SomStr bolts, const char *side) {
    SomText words = {0};
    som_text_printf(&words, "bolts=\"%.*s\", side=\"%s\"", SOM_STR_ARG(bolts), side);
    SomStr kept = som_arena_copy(&r->importer->arena, som_text_str(&words));
    som_text_free(&words);
    return kept;
}

static SomStr output_name(Reader *r, const SomHrdfElement *e, int output) {
    SomText name = {0};
    som_text_add(&name, SOM_STR("out"));
    if (e->output_count > 1) {
        som_text_printf(&name, "%d", output + 1);
    }
    SomStr kept = som_arena_copy(&r->importer->arena, som_text_str(&name));
    som_text_free(&name);
    return kept;
}

// The frames of HRDF point along the chain with their z; connectors out of their links with x.
static void add_connectors(Reader *r, const SomHrdfElement *e, int last, SomLinkModel *model) {
    static const double straight[1] = {0};
    const SomMat3 out = {{{0, 0, 1}, {0, -1, 0}, {1, 0, 0}}}; // x is z, z is x
    const SomMat3 in = {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}};  // x is -z, z is x
    SomModelConnector connector = {.name = SOM_STR("in"),
                                   .pose = {in, som_vec3(0, 0, 0)},
                                   .angles = straight,
                                   .angle_count = 1,
                                   .properties = bolt_words(r, e->input, "in")};
    som_array_push(&model->connectors, connector);
    for (int i = 0; i < e->output_count; i++) {
        SomPose seen = som_pose_relative(model->links.data[last].pose, e->outputs[i].pose);
        if (e->is_end) {
            SomModelFrame tip = {SOM_STR("tip"), {0}, last, seen};
            som_array_push(&model->frames, tip);
            continue;
        }
        connector.name = output_name(r, e, i);
        connector.link = last;
        connector.pose = som_pose_compose(seen, (SomPose){out, som_vec3(0, 0, 0)});
        connector.properties = bolt_words(r, e->outputs[i].bolts, "out");
        som_array_push(&model->connectors, connector);
    }
}

static void add_looks(Reader *r, const SomImportFile *file, const SomHrdfElement *e,
                      SomModelLink *body) {
    if (e->has_tube) {
        SomVec3 along = som_vec3_sub(e->tube[1], e->tube[0]);
        SomMat3 up =
            e->tube[1].x > e->tube[0].x ? som_rotation_y(1.5707963267948966) : som_mat3_identity();
        SomModelShape tube = {.shape = {.kind = SOM_SHAPE_CYLINDER,
                                        .radius = 0.016,
                                        .half_length = som_vec3_length(along) / 2},
                              .pose = {up, som_vec3_add(e->tube[0], som_vec3_scale(0.5, along))}};
        som_array_push(&body->collisions, tube);
    }
    if (e->mesh.length > 0) {
        SomModelShape mesh = {.span = e->mesh_span,
                              .pose = e->mesh_pose,
                              .mesh = som_asset_find(r->importer, file->path, e->mesh),
                              .scale = som_vec3(1, 1, 1)};
        if (mesh.mesh.length > 0) {
            som_array_push(&body->visuals, mesh);
        } else {
            som_asset_report_missing(r->importer, SOM_MODEL_NO_MESH, e->mesh_span, "", file->path,
                                     e->mesh);
        }
    }
}

static SomStr make_type(Reader *r, const SomImportFile *file, const SomXml *xml, int node,
                        const SomHrdfElement *e) {
    SomLinkModel model = {.name = e->what, .span = xml->nodes[node].span, .root = 0};
    SomModelLink body = {.name = SOM_STR("body"),
                         .span = xml->nodes[node].span,
                         .pose = som_pose_identity(),
                         .has_mass = e->inertia.mass > 0,
                         .inertia = e->inertia};
    add_looks(r, file, e, &body);
    int last = som_link_model_add_link(&model, &body);
    if (e->has_axis) {
        SomModelLink output = {.name = SOM_STR("output"), .pose = e->outputs[0].pose};
        last = som_link_model_add_link(&model, &output);
        SomModelJoint joint = {.name = e->axis.type == SOM_JOINT_PRISMATIC ? SOM_STR("slide")
                                                                           : SOM_STR("turn"),
                               .span = xml->nodes[node].span,
                               .child = 1,
                               .origin = e->outputs[0].pose.position,
                               .axes = {e->axis},
                               .axis_count = 1};
        som_link_model_add_joint(&model, &joint);
    }
    add_connectors(r, e, last, &model);
    SomStr type = som_importer_add_type(r->importer, &model);
    som_link_model_free(&model);
    return type;
}

// The type of an element, made when it is first met. Empty after a report.
static SomStr find_type(Reader *r, const SomImportFile *file, const SomXml *xml, int node,
                        const SomHrdfElement *e) {
    SomStr key = make_key(r, xml, node);
    for (int i = 0; i < r->kinds.count; i++) {
        if (som_str_equal(r->kinds.data[i].key, key)) {
            return r->kinds.data[i].type;
        }
    }
    if (r->kinds.count == MAX_TYPES) {
        som_report(r->importer->diags, SOM_HRDF_TOO_MUCH, xml->nodes[node].span,
                   "there are more than %d kinds of elements", MAX_TYPES);
        return (SomStr){"", 0};
    }
    Kind kind = {key, make_type(r, file, xml, node, e)};
    som_array_push(&r->kinds, kind);
    return kind.type;
}

// ---- the chain

static SomStr part_name(Reader *r, const SomXml *xml, int node, const SomHrdfElement *e) {
    const SomXmlAttribute *tag = som_xml_find_attribute(xml, node, SOM_STR("tag"));
    SomText name = {0};
    som_text_add(&name, tag != NULL && tag->value.length > 0 ? tag->value : e->what);
    for (size_t i = 0; tag == NULL && i < name.length; i++) { // "X8-9": a name without quotes
        name.data[i] = name.data[i] == '-' ? '_' : name.data[i];
    }
    size_t length = name.length;
    bool is_taken = true;
    for (int number = tag != NULL ? 2 : 1; is_taken; number++) {
        if (tag == NULL || number > 2) {
            name.length = length;
            som_text_printf(&name, "_%d", number);
        }
        is_taken = false;
        for (int i = 0; i < r->parts.count && !is_taken; i++) {
            is_taken = som_str_equal(r->parts.data[i].name, som_text_str(&name));
        }
        if (is_taken && tag != NULL && number == 2) {
            som_report(r->importer->diags, SOM_IMPORT_NAME_TAKEN, tag->span,
                       "there are two elements with the tag '%.*s'", SOM_STR_ARG(tag->value));
            r->failed = true;
            break;
        }
    }
    SomStr kept = som_arena_copy(&r->importer->arena, som_text_str(&name));
    som_text_free(&name);
    return kept;
}

static void check_bolts(Reader *r, const SomXml *xml, int node, Place at, const SomHrdfElement *e) {
    if (at.part < 0) {
        return;
    }
    const SomHrdfElement *before = &r->elements.data[at.part];
    SomStr bolts = before->outputs[at.output].bolts, any = SOM_STR("any");
    if (before->is_end) {
        som_report(r->importer->diags, SOM_HRDF_INTERFACE, xml->nodes[node].span,
                   "nothing can hang on an end effector");
        r->failed = true;
    } else if (!som_str_equal(bolts, any) && !som_str_equal(e->input, any) &&
               !som_str_equal(bolts, e->input)) {
        som_report(r->importer->diags, SOM_HRDF_INTERFACE, xml->nodes[node].span,
                   "'%.*s' is bolted by %.*s, '%.*s' before it offers %.*s", SOM_STR_ARG(e->what),
                   SOM_STR_ARG(e->input), SOM_STR_ARG(before->what), SOM_STR_ARG(bolts));
        som_note(r->importer->diags, r->parts.data[at.part].span, "that is here");
        r->failed = true;
    }
}

// An output holds one element. What follows a body with elements in its outputs has no place.
static void check_free(Reader *r, const SomXml *xml, int node, Place at) {
    if (at.part < 0) {
        return;
    }
    Part *before = &r->parts.data[at.part];
    if ((before->held >> at.output & 1) != 0) {
        som_report(r->importer->diags, SOM_HRDF_OUTPUTS, xml->nodes[node].span,
                   "'%.*s' follows '%.*s', whose output holds another element",
                   SOM_STR_ARG(xml->nodes[node].name), SOM_STR_ARG(before->name));
        som_note(r->importer->diags, before->span,
                 "'%.*s' is here; move the element into one of its <output> elements",
                 SOM_STR_ARG(before->name));
        r->failed = true;
    }
    before->held |= (uint64_t)1 << at.output;
}

static Place read_chain(Reader *r, const SomImportFile *file, const SomXml *xml, int list,
                        Place at);

static void read_branches(Reader *r, const SomImportFile *file, const SomXml *xml, int node,
                          int part) {
    int output = 0;
    for (int child = som_xml_child(xml, node, SOM_STR("")); child >= 0 && !r->failed;
         child = som_xml_next(xml, child, SOM_STR(""))) {
        bool is_output = som_str_equal(xml->nodes[child].name, SOM_STR("output"));
        if (!is_output || output >= r->elements.data[part].output_count ||
            r->elements.data[part].is_end || r->elements.data[part].has_axis) {
            som_report(r->importer->diags, SOM_HRDF_OUTPUTS, xml->nodes[child].span,
                       is_output ? "'%.*s' has no such output" : "'%.*s' cannot hold this",
                       SOM_STR_ARG(r->elements.data[part].what));
            r->failed = true;
            return;
        }
        read_chain(r, file, xml, child, (Place){part, output++});
    }
}

static Place read_include(Reader *r, const SomImportFile *file, const SomXml *xml, int node,
                          Place at) {
    static const char *const known[] = {"path", NULL}, *const of_robots[] = {"version", NULL};
    SomStr path = som_xml_attribute(xml, node, SOM_STR("path"));
    som_xml_leave_out_attributes(&r->left_out.others, xml, node, known);
    SomStr found = path.length > 0 && path.data[0] != '/'
                       ? som_asset_find(r->importer, file->path, path)
                       : (SomStr){"", 0};
    if (found.length == 0 || r->depth == MAX_INCLUDES) {
        if (found.length == 0) {
            som_asset_report_missing(r->importer, SOM_HRDF_INCLUDE, xml->nodes[node].span, "",
                                     file->path, path);
        } else {
            som_report(r->importer->diags, SOM_HRDF_INCLUDE, xml->nodes[node].span,
                       "'%.*s' is included too deeply, perhaps by itself", SOM_STR_ARG(path));
        }
        r->failed = true;
        return at;
    }
    SomImportFile other;
    SomXml *inner = som_importer_load(r->importer, found, &other)
                        ? som_xml_read(other.text, other.source1, r->importer->diags)
                        : NULL;
    int root = inner != NULL ? som_xml_child(inner, SOM_XML_TOP, SOM_STR("robot")) : -1;
    if (inner != NULL) {
        som_array_push(&r->files, inner);
    }
    if (root < 0) {
        if (inner != NULL) {
            som_report(r->importer->diags, SOM_HRDF_INCLUDE, xml->nodes[node].span,
                       "'%.*s' is no HRDF file", SOM_STR_ARG(path));
        }
        r->failed = true;
        return at;
    }
    som_xml_leave_out_attributes(&r->left_out.others, inner, root, of_robots);
    r->depth++;
    at = read_chain(r, &other, inner, root, at);
    r->depth--;
    return at;
}

static Place read_one(Reader *r, const SomImportFile *file, const SomXml *xml, int node, Place at) {
    SomHrdfElement e;
    if (r->parts.count == SOM_IMPORT_MAX_MODULES) {
        som_report(r->importer->diags, SOM_IMPORT_TOO_MANY, xml->nodes[node].span,
                   "there are more than %d elements", SOM_IMPORT_MAX_MODULES);
        r->failed = true;
        return at;
    }
    if (!som_hrdf_read_element(r->importer, xml, node, &r->left_out, &e)) {
        r->failed = true;
        return at;
    }
    check_free(r, xml, node, at);
    check_bolts(r, xml, node, at, &e);
    Part part = {.name = part_name(r, xml, node, &e),
                 .type = find_type(r, file, xml, node, &e),
                 .parent = at.part,
                 .output = at.output,
                 .span = xml->nodes[node].span};
    r->failed = r->failed || part.type.length == 0;
    som_array_push(&r->parts, part);
    som_array_push(&r->elements, e);
    int index = r->parts.count - 1;
    read_branches(r, file, xml, node, index);
    return (Place){index, 0};
}

// One element hangs on the one before it; where the last one ends is returned.
static Place read_chain(Reader *r, const SomImportFile *file, const SomXml *xml, int list,
                        Place at) {
    for (int node = som_xml_child(xml, list, SOM_STR("")); node >= 0 && !r->failed;
         node = som_xml_next(xml, node, SOM_STR(""))) {
        bool is_include = som_str_equal(xml->nodes[node].name, SOM_STR("include"));
        at = is_include ? read_include(r, file, xml, node, at) : read_one(r, file, xml, node, at);
    }
    return at;
}

// ---- the text

static void write_config(Reader *r, const SomImportFile *file, SomPose base) {
    SomImporter *importer = r->importer;
    SomText *out = &importer->configs, comment = {0};
    for (int i = 0; i < r->kinds.count; i++) { // a part is of the type, not of the config itself
        som_importer_reserve(importer, r->kinds.data[i].type);
    }
    SomStr name = som_importer_name(importer, som_path_stem(file->path));
    som_text_printf(&comment, "Imported from %.*s.", SOM_STR_ARG(som_path_name(file->path)));
    som_importer_use(importer, som_importer_types_name(importer));
    som_write_begin(out, som_text_str(&comment), name);
    som_text_free(&comment);
    for (int i = 0; i < r->parts.count; i++) {
        som_write_parts(out, &r->parts.data[i].name, 1, r->parts.data[i].type);
    }
    for (int i = 0; i < r->parts.count; i++) {
        const Part *part = &r->parts.data[i];
        if (part->parent >= 0) {
            SomStr output = output_name(r, &r->elements.data[part->parent], part->output);
            SomWrittenConnection connection = {.a = {{r->parts.data[part->parent].name, output}, 2},
                                               .b = {{part->name, SOM_STR("in")}, 2}};
            som_write_connect(out, &connection);
        }
    }
    if (som_pose_distance(base, som_pose_identity()) > 0) {
        SomWrittenBase written = {.place = {{r->parts.data[0].name}, 1},
                                  .position = base.position,
                                  .turn = som_turn_of(base.rotation)};
        som_write_base(out, &written);
    }
    som_write_end(out);
    som_importer_count(importer, name, r->parts.count);
}

static bool read_base(Reader *r, const SomXml *xml, int root, SomPose *base) {
    const SomXmlAttribute *rot = som_xml_find_attribute(xml, root, SOM_STR("rot"));
    const SomXmlAttribute *trans = som_xml_find_attribute(xml, root, SOM_STR("trans"));
    *base = som_pose_identity();
    bool is_turned = rot == NULL || som_hrdf_rotation(rot->value, &base->rotation);
    bool is_moved = trans == NULL || (som_hrdf_vector(trans->value, &base->position) &&
                                      som_vec3_length(base->position) < 1e6);
    if (!is_turned || !is_moved) {
        som_report(r->importer->diags, SOM_HRDF_FORMULA, (is_turned ? trans : rot)->span,
                   "'%s' is not understood", is_turned ? "trans" : "rot");
    }
    return is_turned && is_moved;
}

// Versions of one major number can be read by the newest of them.
static void check_version(Reader *r, const SomXml *xml, int root) {
    const SomXmlAttribute *version = som_xml_find_attribute(xml, root, SOM_STR("version"));
    if (version != NULL && !som_str_starts_with(version->value, SOM_STR("1."))) {
        som_report(r->importer->diags, SOM_HRDF_VERSION, version->span,
                   "version '%.*s' is read as if it were 1.6",
                   SOM_STR_ARG(som_str_slice(version->value, 0, 20)));
    }
}

static void add_rule(Reader *r) {
    SOM_ARRAY(SomStr) types = {0};
    for (int i = 0; i < r->kinds.count; i++) {
        som_array_push(&types, r->kinds.data[i].type);
    }
    som_importer_add_rule(r->importer, SOM_STR("bolted"), types.data, types.count,
                          SOM_STR("(p_a.side != p_b.side) and ((p_a.bolts == p_b.bolts) or "
                                  "(p_a.bolts == \"any\") or (p_b.bolts == \"any\"))"));
    som_array_free(&types);
}

static bool has_any(SomStr text, const char *const *words) {
    for (; *words != NULL; words++) {
        SomStr word = som_str(*words);
        for (size_t i = 0; i + word.length <= text.length; i++) {
            if (text.data[i] == word.data[0] &&
                memcmp(text.data + i, word.data, word.length) == 0) {
                return true;
            }
        }
    }
    return false;
}

// URDF begins with <robot>, too. It has actuators only in its transmissions.
bool som_hrdf_sniff(SomStr text) {
    static const char *const own[] = {"<actuator", "<rigid-body", "<end-effector", NULL};
    static const char *const urdf[] = {"<transmission", "<parent", "<child", "xacro", NULL};
    return som_str_equal(som_xml_sniff(text), SOM_STR("robot")) && has_any(text, own) &&
           !has_any(text, urdf);
}

bool som_import_hrdf(SomImporter *importer, const SomImportFile *file) {
    Reader r = {.importer = importer};
    SomXml *xml = som_xml_read(file->text, file->source1, importer->diags);
    int root = xml != NULL ? som_xml_child(xml, SOM_XML_TOP, SOM_STR("robot")) : -1;
    SomPose base;
    r.failed = root < 0 || !read_base(&r, xml, root, &base);
    if (xml != NULL && root < 0) {
        som_report(importer->diags, SOM_IMPORT_MISSING, (SomSpan){file->source1, 0, 0},
                   "there is no <robot> in the file");
    }
    if (!r.failed) {
        static const char *const known[] = {"version", "rot", "trans", NULL};
        som_xml_leave_out_attributes(&r.left_out.others, xml, root, known);
        check_version(&r, xml, root);
        read_chain(&r, file, xml, root, (Place){-1, 0});
    }
    som_hrdf_report_left_out(&r.left_out, importer->diags);
    if (!r.failed && r.parts.count == 0) {
        som_report(importer->diags, SOM_IMPORT_EMPTY, xml->nodes[root].span,
                   "there is no element in the robot");
        r.failed = true;
    }
    if (!r.failed) {
        add_rule(&r);
        write_config(&r, file, base);
    }
    som_xml_destroy(xml);
    for (int i = 0; i < r.files.count; i++) {
        som_xml_destroy(r.files.data[i]);
    }
    som_array_free(&r.files);
    som_array_free(&r.kinds);
    som_array_free(&r.parts);
    som_array_free(&r.elements);
    return !r.failed;
}
