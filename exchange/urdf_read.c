// SPDX-License-Identifier: Apache-2.0
// URDF → a model of links and joints: names, the tree, joints, and what is kept.

#include "exchange/urdf_read.h"

#include "base/codes/exchange_codes.h"
#include "base/path.h"
#include "exchange/xacro.h"

#include <math.h>

#define MAX_NAME 200

// A joint before its place is known.
typedef struct Draft {
    SomPose origin; // in the parent
} Draft;

typedef SOM_ARRAY(Draft) Drafts;

// ---- names

static bool read_name(SomUrdfReader *r, int node, SomStr *name) {
    const SomXmlAttribute *found = som_xml_find_attribute(r->xml, node, SOM_STR("name"));
    *name = found != NULL ? found->value : (SomStr){"", 0};
    bool fine = name->length <= MAX_NAME;
    for (size_t i = 0; i < name->length; i++) {
        fine = fine && (unsigned char)name->data[i] >= 0x20 && name->data[i] != 0x7f;
    }
    if (!fine) {
        som_report(r->diags, SOM_IMPORT_BAD_NAME, found->span,
                   "a name is one line of at most %d bytes", MAX_NAME);
        r->failed = true;
    } else if (name->length == 0) {
        som_urdf_half(r, r->xml->nodes[node].span, "a <%.*s> without a name was left out",
                      SOM_STR_ARG(r->xml->nodes[node].name));
    }
    return fine && name->length > 0;
}

static void report_twice(SomUrdfReader *r, const char *what, SomStr name, int node,
                         SomSpan before) {
    som_report(r->diags, SOM_URDF_DUPLICATE, r->xml->nodes[node].span, "there are two %ss '%.*s'",
               what, SOM_STR_ARG(name));
    som_note(r->diags, before, "the first is here");
    r->failed = true;
}

// ---- links

static void read_link(SomUrdfReader *r, int node) {
    SomModelLink link = {.span = r->xml->nodes[node].span, .pose = som_pose_identity()};
    if (!read_name(r, node, &link.name)) {
        return;
    }
    int before = som_link_model_find_link(&r->model, link.name);
    if (before >= 0) {
        report_twice(r, "link", link.name, node, r->model.links.data[before].span);
        return;
    }
    som_urdf_read_link_parts(r, node, &link);
    link.kept.urdf = som_urdf_keep_parts(r, node);
    som_link_model_add_link(&r->model, &link);
}

// ---- joints

// A link that a joint names: -1 after a report.
static int read_end(SomUrdfReader *r, int node, const char *which, SomStr joint) {
    int child = som_xml_child(r->xml, node, som_str(which));
    const SomXmlAttribute *link =
        child >= 0 ? som_xml_find_attribute(r->xml, child, SOM_STR("link")) : NULL;
    if (link == NULL || link->value.length == 0) {
        som_urdf_half(r, r->xml->nodes[node].span, "joint '%.*s' without a %s was left out",
                      SOM_STR_ARG(joint), which);
        return -1;
    }
    int found = som_link_model_find_link(&r->model, link->value);
    if (found < 0) {
        SOM_ARRAY(SomStr) names = {0};
        for (int i = 0; i < r->model.links.count; i++) {
            som_array_push(&names, r->model.links.data[i].name);
        }
        int nearest = som_str_find_nearest(link->value, names.data, names.count);
        som_report(r->diags, SOM_URDF_LINK_UNKNOWN, link->span,
                   "the %s of joint '%.*s' is link '%.*s', which there is not%s%.*s%s", which,
                   SOM_STR_ARG(joint), SOM_STR_ARG(link->value),
                   nearest >= 0 ? "; did you mean '" : "",
                   SOM_STR_ARG(nearest >= 0 ? names.data[nearest] : SOM_STR("")),
                   nearest >= 0 ? "'?" : "");
        som_array_free(&names);
        r->failed = true;
    }
    return found;
}

static SomVec3 read_axis(SomUrdfReader *r, int node, SomStr joint, bool is_fixed) {
    int child = som_xml_child(r->xml, node, SOM_STR("axis"));
    double xyz[3] = {1, 0, 0};
    if (child >= 0 && !is_fixed) {
        som_urdf_read_numbers(r, child, "xyz", xyz, 3);
    }
    SomVec3 axis = som_vec3(xyz[0], xyz[1], xyz[2]);
    double length = som_vec3_length(axis);
    if (!(length > 1e-9 && length < 1e9)) {
        som_urdf_half(r, r->xml->nodes[child].span,
                      "the axis of joint '%.*s' has no direction; x was taken", SOM_STR_ARG(joint));
        return som_vec3(1, 0, 0);
    }
    return som_vec3_scale(1 / length, axis);
}

static void read_bounds(SomUrdfReader *r, int node, SomStr joint, SomModelAxis *axis) {
    double low = 0, high = 0;
    bool has_low = som_urdf_read_number(r, node, "lower", &low);
    bool has_high = som_urdf_read_number(r, node, "upper", &high);
    SomSpan span = r->xml->nodes[node].span;
    if (!has_low && !has_high) {
        som_tally_add(&r->often[SOM_URDF_NO_BOUNDS], joint, span);
        return;
    }
    if (low > high) {
        som_tally_add(&r->often[SOM_URDF_EXCHANGED], joint, span);
    }
    axis->low = fmin(low, high);
    axis->high = fmax(low, high);
}

// What `limit` and `dynamics` say of an axis.
static void read_range(SomUrdfReader *r, int node, SomStr joint, bool is_bounded,
                       SomModelAxis *axis) {
    int limit = som_xml_child(r->xml, node, SOM_STR("limit"));
    int dynamics = som_xml_child(r->xml, node, SOM_STR("dynamics"));
    axis->low = (double)-INFINITY;
    axis->high = (double)INFINITY;
    if (limit >= 0) {
        bool has_effort = som_urdf_read_number(r, limit, "effort", &axis->effort);
        bool has_speed = som_urdf_read_number(r, limit, "velocity", &axis->speed);
        if ((has_effort && axis->effort == 0) || (has_speed && axis->speed == 0)) {
            som_tally_add(&r->often[SOM_URDF_ZEROS], joint, r->xml->nodes[limit].span);
        }
    }
    if (dynamics >= 0) {
        som_urdf_read_number(r, dynamics, "damping", &axis->damping);
        som_urdf_read_number(r, dynamics, "friction", &axis->friction);
    }
    if (is_bounded && limit >= 0) {
        read_bounds(r, limit, joint, axis);
    } else if (is_bounded) {
        som_tally_add(&r->often[SOM_URDF_NO_LIMITS], joint, r->xml->nodes[node].span);
    }
}

static void add_axis(SomModelJoint *joint, SomJointType type, SomVec3 direction) {
    joint->axes[joint->axis_count++] = (SomModelAxis){
        .type = type, .direction = direction, .low = (double)-INFINITY, .high = (double)INFINITY};
}

// Two ways across the axis, then a turn about it.
static void add_planar(SomModelJoint *joint, SomVec3 normal) {
    const double parts[3] = {fabs(normal.x), fabs(normal.y), fabs(normal.z)};
    int least = parts[1] < parts[0] ? 1 : 0;
    least = parts[2] < parts[least] ? 2 : least;
    SomVec3 u = som_vec3(least == 0, least == 1, least == 2);
    u = som_vec3_sub(u, som_vec3_scale(som_vec3_dot(u, normal), normal));
    u = som_vec3_scale(1 / som_vec3_length(u), u);
    add_axis(joint, SOM_JOINT_PRISMATIC, u);
    add_axis(joint, SOM_JOINT_PRISMATIC, som_vec3_cross(normal, u));
    add_axis(joint, SOM_JOINT_REVOLUTE, normal);
}

static void add_floating(SomModelJoint *joint) {
    const SomVec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 6; i++) { // x, y, z, then yaw, pitch, roll
        add_axis(joint, i < 3 ? SOM_JOINT_PRISMATIC : SOM_JOINT_REVOLUTE, units[i < 3 ? i : 5 - i]);
    }
}

static void read_axes(SomUrdfReader *r, int node, SomModelJoint *joint) {
    SomStr type = som_xml_attribute(r->xml, node, SOM_STR("type"));
    bool is_revolute = som_str_equal(type, SOM_STR("revolute"));
    bool is_continuous = som_str_equal(type, SOM_STR("continuous"));
    bool is_prismatic = som_str_equal(type, SOM_STR("prismatic"));
    bool is_planar = som_str_equal(type, SOM_STR("planar"));
    bool is_fixed = !(is_revolute || is_continuous || is_prismatic || is_planar);
    SomVec3 axis = read_axis(r, node, joint->name, is_fixed);
    bool has_range = som_xml_child(r->xml, node, SOM_STR("limit")) >= 0 ||
                     som_xml_child(r->xml, node, SOM_STR("dynamics")) >= 0;
    bool is_floating = som_str_equal(type, SOM_STR("floating"));
    if ((is_planar || is_floating) && has_range) {
        som_tally_add(&r->often[SOM_URDF_NO_RANGE], joint->name, joint->span);
    }
    if (is_floating) {
        add_floating(joint);
    } else if (is_planar) {
        add_planar(joint, axis);
    } else if (!is_fixed) {
        add_axis(joint, is_prismatic ? SOM_JOINT_PRISMATIC : SOM_JOINT_REVOLUTE, axis);
        read_range(r, node, joint->name, !is_continuous, &joint->axes[0]);
    } else if (!som_str_equal(type, SOM_STR("fixed"))) {
        som_urdf_half(r, joint->span, "the type of joint '%.*s' is '%.*s'; it was taken as fixed",
                      SOM_STR_ARG(joint->name), SOM_STR_ARG(som_str_slice(type, 0, MAX_NAME)));
    }
}

static bool is_new(SomUrdfReader *r, int node, const SomModelJoint *joint) {
    for (int i = 0; i < r->model.joints.count; i++) {
        const SomModelJoint *other = &r->model.joints.data[i];
        if (som_str_equal(other->name, joint->name)) {
            report_twice(r, "joint", joint->name, node, other->span);
            return false;
        }
        if (other->child == joint->child) {
            som_report(r->diags, SOM_URDF_TWO_PARENTS, joint->span,
                       "link '%.*s' has two parents: joints '%.*s' and '%.*s'",
                       SOM_STR_ARG(r->model.links.data[joint->child].name),
                       SOM_STR_ARG(other->name), SOM_STR_ARG(joint->name));
            som_note(r->diags, other->span, "the first is here");
            r->failed = true;
            return false;
        }
    }
    return true;
}

static void read_joint(SomUrdfReader *r, int node, Drafts *drafts) {
    SomModelJoint joint = {.span = r->xml->nodes[node].span};
    if (!read_name(r, node, &joint.name)) {
        return;
    }
    joint.parent = read_end(r, node, "parent", joint.name);
    joint.child = read_end(r, node, "child", joint.name);
    if (joint.parent < 0 || joint.child < 0 || !is_new(r, node, &joint)) {
        return;
    }
    read_axes(r, node, &joint);
    if (som_xml_child(r->xml, node, SOM_STR("mimic")) >= 0) {
        som_tally_add(&r->often[SOM_URDF_MIMICS], joint.name, joint.span);
    }
    joint.kept.urdf = som_urdf_keep_parts(r, node);
    Draft draft = {.origin = som_urdf_read_origin(r, node)};
    som_array_push(drafts, draft);
    som_link_model_add_joint(&r->model, &joint);
}

// ---- the tree

// Where links stand with all joints at zero. What is never reached goes round in a circle.
static void place(SomUrdfReader *r, const Drafts *drafts) {
    SomLinkModel *m = &r->model;
    int unplaced = m->joints.count;
    bool is_placed[SOM_MODEL_MAX_LINKS], is_done[SOM_MODEL_MAX_LINKS] = {0};
    memset(is_placed, true, sizeof is_placed);
    for (int i = 0; i < m->joints.count; i++) {
        is_placed[m->joints.data[i].child] = false;
    }
    for (bool is_moving = true; is_moving;) {
        is_moving = false;
        for (int i = 0; i < m->joints.count; i++) {
            SomModelJoint *joint = &m->joints.data[i];
            if (is_done[i] || !is_placed[joint->parent]) {
                continue;
            }
            SomPose pose =
                som_pose_compose(m->links.data[joint->parent].pose, drafts->data[i].origin);
            m->links.data[joint->child].pose = pose;
            joint->origin = pose.position;
            for (int k = 0; k < joint->axis_count; k++) {
                joint->axes[k].direction = som_pose_rotate(pose, joint->axes[k].direction);
            }
            is_placed[joint->child] = is_done[i] = is_moving = true;
            unplaced--;
        }
    }
    for (int i = 0; i < m->joints.count && unplaced > 0; i++) {
        if (!is_done[i]) {
            som_report(r->diags, SOM_URDF_CYCLE, m->joints.data[i].span,
                       "link '%.*s' is its own parent, by way of joint '%.*s'",
                       SOM_STR_ARG(m->links.data[m->joints.data[i].child].name),
                       SOM_STR_ARG(m->joints.data[i].name));
            r->failed = true;
            return;
        }
    }
}

// What the comments of our own files say of loops; see exchange/urdf.h.
static void read_closure(SomUrdfReader *r, int node) {
    const SomXml *xml = r->xml;
    SomModelJoint joint = {.name = som_xml_attribute(xml, node, SOM_STR("name")),
                           .span = xml->nodes[node].span};
    joint.parent = som_link_model_find_link(&r->model, som_xml_attribute(xml, node, SOM_STR("a")));
    joint.child = som_link_model_find_link(&r->model, som_xml_attribute(xml, node, SOM_STR("b")));
    bool is_open = som_str_equal(som_xml_attribute(xml, node, SOM_STR("closed")), SOM_STR("false"));
    if (som_xml_find_attribute(xml, node, SOM_STR("joint")) != NULL) {
        return; // it is a joint of the tree
    }
    double xyz[3] = {0}, rpy[3] = {0};
    bool fine = som_urdf_read_numbers(r, node, "xyz", xyz, 3) &&
                som_urdf_read_numbers(r, node, "rpy", rpy, 3);
    SomPose wanted = {som_rotation_from_rpy(rpy[0], rpy[1], rpy[2]),
                      som_vec3(xyz[0], xyz[1], xyz[2])};
    fine = fine && joint.parent >= 0 && joint.child >= 0 && joint.parent != joint.child &&
           !is_open && joint.name.length > 0 && joint.name.length <= MAX_NAME;
    if (fine) {
        const SomModelLink *a = &r->model.links.data[joint.parent];
        const SomModelLink *b = &r->model.links.data[joint.child];
        joint.origin = b->pose.position;
        fine = som_pose_distance(som_pose_relative(a->pose, b->pose), wanted) < 1e-6;
    }
    if (fine) {
        som_link_model_add_joint(&r->model, &joint);
    } else {
        som_report(r->diags, SOM_URDF_CLOSURE, joint.span,
                   "the closure '%.*s' is open while all joints are at zero, so it was left out",
                   SOM_STR_ARG(som_str_slice(joint.name, 0, MAX_NAME)));
    }
}

// ---- the whole

static bool is_too_much(SomUrdfReader *r) {
    int links = 0, joints = 0;
    for (int i = som_xml_child(r->xml, r->robot, SOM_STR("")); i >= 0;
         i = som_xml_next(r->xml, i, SOM_STR(""))) {
        links += som_str_equal(r->xml->nodes[i].name, SOM_STR("link"));
        joints += som_str_equal(r->xml->nodes[i].name, SOM_STR("joint"));
    }
    if (links <= SOM_MODEL_MAX_LINKS && joints <= SOM_MODEL_MAX_LINKS) {
        return false;
    }
    som_report(r->diags, SOM_MODEL_TOO_MUCH, r->model.span,
               "'%.*s' has %d links and %d joints; a module has at most %d",
               SOM_STR_ARG(r->model.name), links, joints, SOM_MODEL_MAX_LINKS);
    return true;
}

static void read_robot(SomUrdfReader *r) {
    const SomXml *xml = r->xml;
    Drafts drafts = {0};
    SomText kept = {0};
    som_urdf_read_materials(r);
    for (int i = som_xml_child(xml, r->robot, SOM_STR("link")); i >= 0;
         i = som_xml_next(xml, i, SOM_STR("link"))) {
        read_link(r, i);
    }
    for (int i = som_xml_child(xml, r->robot, SOM_STR("joint")); i >= 0;
         i = som_xml_next(xml, i, SOM_STR("joint"))) {
        read_joint(r, i, &drafts);
    }
    place(r, &drafts);
    for (int i = som_xml_child(xml, r->robot, SOM_STR("")); i >= 0 && !r->failed;
         i = som_xml_next(xml, i, SOM_STR(""))) {
        if (som_str_equal(xml->nodes[i].prefix, SOM_STR("somite"))) {
            read_closure(r, i);
        } else if (!som_urdf_is_in(xml->nodes[i].name, "link joint material")) {
            som_urdf_keep(r, i, &kept);
        }
    }
    r->model.kept.urdf = som_urdf_finish_kept(r, &kept);
    som_array_free(&drafts);
}

static bool is_plain_name(SomStr name) {
    bool is_so = name.length > 0 && name.length <= MAX_NAME;
    for (size_t i = 0; i < name.length; i++) {
        is_so = is_so && (unsigned char)name.data[i] >= 0x20 && name.data[i] != 0x7f;
    }
    return is_so;
}

// Of "arm.urdf.xacro" it is "arm".
static SomStr name_of_file(SomStr path) {
    SomStr stem = som_path_stem(path);
    bool has_two = som_str_ends_with(stem, SOM_STR(".urdf")) && stem.length > 5;
    return som_str_slice(stem, 0, stem.length - (has_two ? 5 : 0));
}

// A root that is called world, without mass and shapes, stands for the world: what hangs on it is
// bolted down.
static void find_world(SomLinkModel *model) {
    int world = som_link_model_find_link(model, SOM_STR("world"));
    const SomModelLink *link = world >= 0 ? &model->links.data[world] : NULL;
    bool is_world =
        link != NULL && !link->has_mass && link->visuals.count == 0 && link->collisions.count == 0;
    for (int i = 0; i < model->joints.count && is_world; i++) {
        is_world = model->joints.data[i].child != world;
    }
    if (is_world && model->links.count > 1) {
        model->root = world;
        model->is_fixed = true;
    }
}

static bool read_tree(SomUrdfReader *r) {
    const SomXml *xml = r->xml;
    r->robot = som_xml_child(xml, SOM_XML_TOP, SOM_STR("robot"));
    if (r->robot < 0) {
        som_report(r->diags, SOM_IMPORT_MISSING, xml->nodes[xml->first_root].span,
                   "URDF is a <robot>, and this is none");
        return false;
    }
    SomStr name = som_xml_attribute(xml, r->robot, SOM_STR("name"));
    SomText note = {0};
    som_text_printf(&note, "Imported from %.*s.", SOM_STR_ARG(som_path_name(r->file->path)));
    r->model = (SomLinkModel){.name = is_plain_name(name) ? name : name_of_file(r->file->path),
                              .note = som_text_str(&note),
                              .span = xml->nodes[r->robot].span,
                              .root = -1};
    bool fine = !is_too_much(r);
    if (fine) {
        read_robot(r);
        som_urdf_report_often(r);
        find_world(&r->model);
        fine = !r->failed && som_link_model_name_connectors(r->importer, &r->model) &&
               som_importer_add_model(r->importer, &r->model);
        if (!r->failed && r->is_expanded && r->model.links.count == 0) {
            som_note(r->diags, (SomSpan){0},
                     "where a file only defines macros, import one that includes and calls them");
        }
    }
    som_link_model_free(&r->model);
    som_array_free(&r->materials);
    som_text_free(&note);
    return fine;
}

// Comments of our own become elements, without moving anything.
static SomStr uncomment(SomImporter *importer, SomStr text) {
    static const char begin[] = "<!-- <somite:", end[] = "/> -->";
    SomStr copy = som_arena_copy(&importer->arena, text);
    char *bytes = (char *)copy.data; // our own
    for (char *at = bytes; (at = strstr(at, begin)) != NULL;) {
        char *last = strstr(at, "-->");
        if (last == NULL) {
            break;
        }
        if (memcmp(last - 3, end, sizeof end - 1) == 0) {
            memset(at, ' ', 5);
            memset(last, ' ', 3);
        }
        at = last;
    }
    return copy;
}

bool som_import_urdf(SomImporter *importer, const SomImportFile *file) {
    SomXml *xml = som_xml_read(uncomment(importer, file->text), file->source1, importer->diags);
    SomUrdfReader reader = {
        .importer = importer, .file = file, .xml = xml, .diags = importer->diags};
    bool fine = xml != NULL;
    SomXml *expanded = NULL;
    if (fine && som_xacro_sniff(file->path, file->text, xml)) {
        expanded = som_xacro_expand(importer, file, xml);
        reader.xml = expanded;
        reader.is_expanded = true;
        fine = expanded != NULL;
    }
    SomStr name, value;
    if (fine && expanded == NULL && importer->options->argument_count > 0 &&
        som_import_argument_split(importer->options->arguments[0], &name, &value)) {
        som_report(importer->diags, SOM_XACRO_NO_ARGUMENT, (SomSpan){file->source1, 0, 0},
                   "this file is URDF, not xacro, and has no argument '%.*s'", SOM_STR_ARG(name));
        fine = false;
    }
    fine = fine && read_tree(&reader);
    som_xml_destroy(expanded);
    som_xml_destroy(xml);
    return fine;
}
