// SPDX-License-Identifier: Apache-2.0
// The text of a module type, of a model.

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "exchange/link_model_internal.h"
#include "exchange/som_text.h"
#include "language/name.h"
#include "modules/m3l_format.h"
#include "modules/m3l_syntax.h"

#include <assert.h>
#include <math.h>

// How far marks are from the middle of a connector. All have the same, so that they coincide.
#define MARK 0.01

typedef struct Names {
    SOM_ARRAY(SomStr) taken;
    SomStr *links, *joints, *frames, *connectors;
    SomStr *link_frames; // of links that have one
    int changed;         // names that stood for two things
    SomStr old_name, new_name;
    SomSpan span;
} Names;

typedef struct Writer {
    SomImporter *importer;
    const SomLinkModel *model;
    SomText *out;
    SomStr type;
    Names names;
    SomTally often[SOM_MODEL_OFTEN_COUNT];
} Writer;

// ---- words and numbers

static void add(Writer *w, const char *words) {
    som_text_add(w->out, som_str(words));
}

// Words of the grammar go into quotes, which nothing else needs.
static void add_name(Writer *w, SomStr name) {
    static const char *const keywords[] = {"and",    "axis",  "coincident", "connection", "cos",
                                           "false",  "frame", "inf",        "joint",      "link",
                                           "module", "not",   "or",         "pi",         "point",
                                           "robot",  "sin",   "sqrt",       "tag",        "true"};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (som_str_equal(name, som_str(keywords[i]))) {
            som_name_print_quoted(w->out, name);
            return;
        }
    }
    som_name_print(w->out, name);
}

// Without the last bit of a sum of decimals: 0.3, not 0.30000000000000004.
static double clean(double value) {
    double near = round(value * 1e9) / 1e9;
    bool is_near = fabs(value - near) <= 1e-15 * fmax(1, fabs(value));
    return (is_near ? near : value) + 0.0; // no -0
}

static void add_number(Writer *w, double value) {
    som_text_number(w->out, clean(value));
}

static void add_vector(Writer *w, SomVec3 v) {
    add(w, "(");
    add_number(w, v.x);
    add(w, ", ");
    add_number(w, v.y);
    add(w, ", ");
    add_number(w, v.z);
    add(w, ")");
}

static void add_option(Writer *w, const char *name, double value) {
    if (value > 0 && value < 1e15) {
        som_text_printf(w->out, ", %s=", name);
        som_text_number(w->out, value);
    }
}

// Other people's XML, each line a text.
static void add_kept(Writer *w, const char *name, SomStr text) {
    if (text.length == 0) {
        return;
    }
    som_text_printf(w->out, ", %s=(", name);
    for (size_t at = 0; at <= text.length;) {
        const char *end = memchr(text.data + at, '\n', text.length - at);
        size_t stop = end != NULL ? (size_t)(end - text.data) : text.length;
        SomText line = {0};
        for (size_t i = at; i < stop; i++) { // quotes hold no control characters
            char c = text.data[i];
            som_text_add_char(&line, (unsigned char)c < ' ' ? ' ' : c, c == '\r' ? 0 : 1);
        }
        som_name_print_quoted(w->out, som_text_str(&line));
        som_text_free(&line);
        add(w, end != NULL ? ", " : ")");
        at = stop + 1;
    }
}

static void add_kept_texts(Writer *w, const SomKeptText *kept) {
    add_kept(w, "urdf", kept->urdf);
    add_kept(w, "sdf", kept->sdf);
}

// ---- names: one scope for all that a module has

static bool is_taken(const Names *names, SomStr name) {
    for (int i = 0; i < names->taken.count; i++) {
        if (som_str_equal(names->taken.data[i], name)) {
            return true;
        }
    }
    return false;
}

static SomStr claim(Writer *w, SomStr wanted, const char *ending, SomSpan span) {
    SomText name = {0};
    som_text_add(&name, wanted.length > 0 ? wanted : som_str(ending + 1));
    if (is_taken(&w->names, som_text_str(&name))) {
        som_text_add(&name, som_str(ending));
    }
    size_t length = name.length;
    for (int number = 2; is_taken(&w->names, som_text_str(&name)); number++) {
        name.length = length;
        som_text_printf(&name, "_%d", number);
    }
    SomStr kept = som_arena_copy(&w->importer->arena, som_text_str(&name));
    som_text_free(&name);
    if (!som_str_equal(kept, wanted) && span.source1 != 0 && w->names.changed++ == 0) {
        w->names.old_name = wanted;
        w->names.new_name = kept;
        w->names.span = span;
    }
    som_array_push(&w->names.taken, kept);
    return kept;
}

// Joints first: theirs are the names that behaviors use.
static void claim_names(Writer *w) {
    const SomLinkModel *m = w->model;
    SomArena *arena = &w->importer->arena;
    w->names.joints = som_arena_new(arena, SomStr, m->joints.count + 1);
    w->names.links = som_arena_new(arena, SomStr, m->links.count + 1);
    w->names.connectors = som_arena_new(arena, SomStr, m->connectors.count + 1);
    w->names.frames = som_arena_new(arena, SomStr, m->frames.count + 1);
    w->names.link_frames = som_arena_new(arena, SomStr, m->links.count + 1);
    for (int i = 0; i < m->joints.count; i++) {
        w->names.joints[i] = claim(w, m->joints.data[i].name, "_joint", m->joints.data[i].span);
    }
    for (int i = 0; i < m->links.count; i++) {
        w->names.links[i] = claim(w, m->links.data[i].name, "_link", m->links.data[i].span);
    }
    for (int i = 0; i < m->connectors.count; i++) { // of a link's own name, mostly
        w->names.connectors[i] = claim(w, m->connectors.data[i].name, "_connector", (SomSpan){0});
    }
    for (int i = 0; i < m->frames.count; i++) {
        w->names.frames[i] = claim(w, m->frames.data[i].name, "_frame", (SomSpan){0});
    }
    for (int i = 0; i < m->links.count; i++) {
        if (som_pose_distance(m->links.data[i].pose, som_pose_identity()) > 0) {
            SomText name = {0};
            som_text_printf(&name, "%.*s_frame", SOM_STR_ARG(w->names.links[i]));
            w->names.link_frames[i] = claim(w, som_text_str(&name), "_frame", (SomSpan){0});
            som_text_free(&name);
        }
    }
    if (w->names.changed > 0) {
        som_report(w->importer->diags, SOM_MODEL_RENAMED, w->names.span,
                   "'%.*s' is called '%.*s'%s", SOM_STR_ARG(w->names.old_name),
                   SOM_STR_ARG(w->names.new_name),
                   w->names.changed > 1 ? ", and so on with others" : "");
    }
}

// ---- links

static void add_round(Writer *w, const char *word, const SomShape *shape, SomPose pose) {
    SomVec3 half = som_pose_rotate(pose, som_vec3(0, 0, shape->half_length));
    som_text_printf(w->out, "%s(", word);
    add_vector(w, som_vec3_sub(pose.position, half));
    add(w, ", ");
    add_vector(w, som_vec3_add(pose.position, half));
    add(w, ", ");
    add_number(w, shape->radius);
    add(w, ")");
}

static void add_box(Writer *w, const SomShape *shape, SomPose pose) {
    add(w, "box(");
    add_vector(w, pose.position);
    add(w, ", ");
    add_vector(w, som_vec3_scale(2, shape->half));
    if (som_rotation_distance(pose.rotation, som_mat3_identity()) > 1e-15) {
        SomVec3 turn = som_turn_of(pose.rotation);
        add(w, ", ");
        add_vector(w, turn);
    }
    add(w, ")");
}

static bool add_convex(Writer *w, const SomModelLink *link, const SomModelShape *of,
                       bool is_first) {
    const SomVec3 *points;
    int count = som_link_model_hull_points(w->importer, link, of, &points);
    for (int i = 0; i < count; i++) {
        add(w, i > 0 ? ", " : is_first ? ", shape=(convex(" : ", convex(");
        add_vector(w, points[i]);
    }
    add(w, count > 0 ? ")" : "");
    if (count > 0) {
        som_tally_add(&w->often[SOM_MODEL_OFTEN_HULL], link->name, of->span);
    }
    return count > 0;
}

static bool add_shape(Writer *w, const SomModelLink *link, const SomModelShape *of, bool is_first) {
    if (of->mesh.length > 0) {
        return add_convex(w, link, of, is_first);
    }
    SomPose pose = som_pose_compose(link->pose, of->pose);
    add(w, is_first ? ", shape=(" : ", ");
    switch (of->shape.kind) {
    case SOM_SHAPE_BOX:
        add_box(w, &of->shape, pose);
        return true;
    case SOM_SHAPE_CYLINDER:
        add_round(w, "cylinder", &of->shape, pose);
        return true;
    case SOM_SHAPE_CAPSULE:
        add_round(w, "capsule", &of->shape, pose);
        return true;
    case SOM_SHAPE_SPHERE:
        add(w, "sphere(");
        add_vector(w, pose.position);
        add(w, ", ");
        add_number(w, of->shape.radius);
        add(w, ")");
        return true;
    case SOM_SHAPE_HULL:
    case SOM_SHAPE_COMPOUND:
        break;
    }
    assert(of->shape.kind < SOM_SHAPE_HULL); // readers give primitives and meshes
    return false;
}

static bool add_shapes(Writer *w, const SomModelLink *link) {
    int count = 0;
    for (int i = 0; i < link->collisions.count; i++) {
        count += add_shape(w, link, &link->collisions.data[i], count == 0);
    }
    add(w, count > 0 ? ")" : "");
    return count > 0;
}

// What no body has is not written: then it follows from the shapes.
static void add_mass(Writer *w, const SomModelLink *link, bool has_shapes) {
    if (!link->has_mass || !(link->inertia.mass > 0)) {
        if (has_shapes) {
            som_tally_add(&w->often[SOM_MODEL_OFTEN_NO_MASS], link->name, link->span);
        }
        return;
    }
    SomInertia inertia = som_inertia_transform(link->pose, link->inertia);
    const SomMat3 *m = &inertia.moments;
    add_option(w, "mass", inertia.mass);
    add(w, ", com=");
    add_vector(w, inertia.center);
    bool has_moments = m->m[0][0] != 0 || m->m[1][1] != 0 || m->m[2][2] != 0;
    if (has_moments && !som_inertia_is_physical(inertia)) {
        som_tally_add(&w->often[SOM_MODEL_OFTEN_IMPOSSIBLE], link->name, link->span);
        has_moments = false;
    }
    if (has_moments) {
        const double values[6] = {m->m[0][0], m->m[1][1], m->m[2][2],
                                  m->m[0][1], m->m[0][2], m->m[1][2]};
        add(w, ", inertia=(");
        for (int i = 0; i < 6; i++) {
            add(w, i > 0 ? ", " : "");
            som_text_number(w->out, values[i] + 0.0);
        }
        add(w, ")");
    }
}

static bool is_colored(const double color[4]) {
    return color[0] != 0 || color[1] != 0 || color[2] != 0 || color[3] != 0;
}

// That of what is seen first, or touched.
static void add_color(Writer *w, const SomModelLink *link, const SomMesh *looks) {
    const double *color = looks->has_color ? looks->color : NULL;
    for (int i = 0; i < link->visuals.count && color == NULL; i++) {
        color = is_colored(link->visuals.data[i].color) ? link->visuals.data[i].color : NULL;
    }
    for (int i = 0; color != NULL && i < 4; i++) {
        add(w, i == 0 ? ", color=(" : ", ");
        som_text_number(w->out, fmin(fmax(color[i], 0), 1));
    }
    add(w, color != NULL ? ")" : "");
}

static void add_looks(Writer *w, int index) {
    const SomModelLink *link = &w->model->links.data[index];
    SomMesh mesh = {0};
    if (som_link_model_looks(w->importer, link, &mesh)) {
        SomText name = {0}, ply = {0};
        som_text_add(&name, w->type);
        som_text_add(&name, SOM_STR("_"));
        som_text_add(&name, w->names.links[index]);
        som_link_model_write_ply(&mesh, &ply);
        SomStr path = som_importer_add_file(w->importer, SOM_STR("meshes"), som_text_str(&name),
                                            ".ply", som_text_str(&ply));
        add(w, ", mesh=");
        som_name_print_quoted(w->out, path);
        som_text_free(&name);
        som_text_free(&ply);
    }
    add_color(w, link, &mesh);
    som_mesh_free(&mesh);
}

static void add_grouping(Writer *w, int link) {
    bool is_first = true;
    for (int i = 0; i < w->model->connectors.count; i++) {
        if (w->model->connectors.data[i].link == link) {
            add(w, is_first ? "grouping=(" : ", ");
            add_name(w, w->names.connectors[i]);
            is_first = false;
        }
    }
    add(w, is_first ? "grouping=()" : ")");
}

static void add_link(Writer *w, int index) {
    const SomModelLink *link = &w->model->links.data[index];
    add(w, "link ");
    add_name(w, w->names.links[index]);
    add(w, ": ");
    add_grouping(w, index);
    bool has_shapes = add_shapes(w, link);
    add_mass(w, link, has_shapes);
    add_option(w, "friction", link->friction);
    add_looks(w, index);
    if (w->names.link_frames[index].length > 0) {
        add(w, ", frame=");
        add_name(w, w->names.link_frames[index]);
    }
    add_kept_texts(w, &link->kept);
    add(w, "\n");
}

// ---- joints

static void add_pair(Writer *w, SomStr child, SomStr parent, SomVec3 origin, SomVec3 direction) {
    direction = som_vec3_scale(1 / som_vec3_length(direction), direction);
    const SomStr links[2] = {child, parent};
    add(w, ", pair=(");
    for (int i = 0; i < 2; i++) {
        add(w, i > 0 ? ", (" : "(");
        add_name(w, links[i]);
        add(w, ", (axis: origin=");
        add_vector(w, origin);
        add(w, ", direction=");
        add_vector(w, som_vec3_scale(i > 0 ? -1 : 1, direction));
        add(w, "))");
    }
    add(w, ")");
}

static void add_limit(Writer *w, double value) {
    som_text_add(w->out, value < 0 && !isfinite(value) ? SOM_STR("-inf")
                         : !isfinite(value)            ? SOM_STR("inf")
                                                       : SOM_STR(""));
    if (isfinite(value)) {
        som_text_number(w->out, value + 0.0);
    }
}

static void add_axis(Writer *w, const SomModelAxis *axis) {
    add(w, axis->type == SOM_JOINT_PRISMATIC ? "prismatic" : "revolute");
    double low = fabs(axis->low) < 1e9 ? axis->low : (double)-INFINITY;
    double high = fabs(axis->high) < 1e9 ? axis->high : (double)INFINITY;
    if (low <= high && (isfinite(low) || isfinite(high))) {
        add(w, ", value=[");
        add_limit(w, low);
        add(w, ", ");
        add_limit(w, high);
        add(w, "]");
    }
    add_option(w, "effort", axis->effort);
    add_option(w, "speed", axis->speed);
    add_option(w, "damping", axis->damping);
    add_option(w, "friction", axis->friction);
}

// One joint an axis, with links of nothing between.
static void add_joint(Writer *w, int index) {
    const SomModelJoint *joint = &w->model->joints.data[index];
    SomStr parent = w->names.links[joint->parent], child = w->names.links[joint->child];
    for (int i = 0; i < joint->axis_count || i == 0; i++) {
        bool is_last = i + 1 >= joint->axis_count;
        SomStr name = w->names.joints[index], to = child;
        SomText text = {0};
        if (!is_last) {
            som_text_printf(&text, "%.*s_%d", SOM_STR_ARG(name), i + 1);
            to = claim(w, som_text_str(&text), "_between", (SomSpan){0});
            add(w, "link ");
            add_name(w, to);
            add(w, ": grouping=()\n");
            som_text_clear(&text);
            som_text_printf(&text, "%.*s_axis_%d", SOM_STR_ARG(name), i + 1);
            name = claim(w, som_text_str(&text), "_axis", (SomSpan){0});
        }
        add(w, "joint ");
        add_name(w, name);
        add(w, ": type=");
        if (joint->axis_count == 0) {
            add(w, "fixed");
        } else {
            add_axis(w, &joint->axes[i]);
        }
        add_pair(w, to, parent, joint->origin,
                 joint->axis_count > 0 ? joint->axes[i].direction : som_vec3(0, 0, 1));
        if (is_last) {
            add_kept_texts(w, &joint->kept);
        }
        add(w, "\n");
        parent = to;
        som_text_free(&text);
    }
}

// ---- frames and connectors

static void add_frame(Writer *w, SomStr name, SomStr link, SomPose pose) {
    add(w, "frame ");
    add_name(w, name);
    add(w, ": link=");
    add_name(w, link);
    add(w, ", origin=");
    add_vector(w, pose.position);
    add(w, ", x=");
    add_vector(w, som_pose_rotate(pose, som_vec3(1, 0, 0)));
    add(w, ", z=");
    add_vector(w, som_pose_rotate(pose, som_vec3(0, 0, 1)));
    add(w, "\n");
}

static void add_frames(Writer *w) {
    const SomLinkModel *m = w->model;
    for (int i = 0; i < m->links.count; i++) {
        if (w->names.link_frames[i].length > 0) {
            add_frame(w, w->names.link_frames[i], w->names.links[i], m->links.data[i].pose);
        }
    }
    for (int i = 0; i < m->frames.count; i++) {
        const SomModelFrame *frame = &m->frames.data[i];
        add_frame(w, w->names.frames[i], w->names.links[frame->link],
                  som_pose_compose(m->links.data[frame->link].pose, frame->pose));
    }
}

static void add_connector(Writer *w, int index) {
    const SomModelConnector *connector = &w->model->connectors.data[index];
    SomPose pose = som_pose_compose(w->model->links.data[connector->link].pose, connector->pose);
    const SomVec3 marks[4] = {{0, 0, MARK}, {0, -MARK, 0}, {0, 0, -MARK}, {0, MARK, 0}};
    add(w, "point ");
    add_name(w, w->names.connectors[index]);
    add(w, ":");
    for (int i = 0; i < 4; i++) {
        som_text_printf(w->out, " (point _%d: coords=", i + 1);
        add_vector(w, som_pose_apply(pose, marks[i]));
        add(w, ")");
    }
    add(w, " coords=");
    add_vector(w, pose.position);
    add(w, ", connector, out=");
    add_vector(w, som_pose_rotate(pose, som_vec3(1, 0, 0)));
    for (int i = 0; i < connector->angle_count; i++) {
        add(w, i == 0 ? ", angles=(" : ", ");
        som_text_number(w->out, connector->angles[i]);
        add(w, i + 1 == connector->angle_count ? ")" : "");
    }
    if (connector->properties.length > 0) {
        add(w, ", ");
        som_text_add(w->out, connector->properties);
    }
    add(w, "\n");
}

// ---- the whole

static int find_root(const SomLinkModel *model) {
    for (int i = 0; i < model->links.count && model->root < 0; i++) {
        bool is_carried = false;
        for (int k = 0; k < model->joints.count; k++) {
            is_carried = is_carried || model->joints.data[k].child == i;
        }
        if (!is_carried) {
            return i;
        }
    }
    return model->root < 0 ? 0 : model->root;
}

SomStr som_importer_add_type(SomImporter *importer, SomLinkModel *model) {
    if (!som_link_model_check(importer, model)) {
        return (SomStr){"", 0};
    }
    SomText *out = &importer->types;
    Writer w = {.importer = importer, .model = model, .out = out};
    w.type = som_importer_type_name(importer, model->name);
    claim_names(&w);
    add(&w, "\n");
    som_write_comment(out, model->note);
    add(&w, "module ");
    add_name(&w, w.type);
    add(&w, ": root=");
    add_name(&w, w.names.links[find_root(model)]);
    add_kept_texts(&w, &model->kept);
    add(&w, "\n");
    for (int i = 0; i < model->connectors.count; i++) {
        add_connector(&w, i);
    }
    for (int i = 0; i < model->links.count; i++) {
        add_link(&w, i);
    }
    for (int i = 0; i < model->joints.count; i++) {
        add_joint(&w, i);
    }
    add_frames(&w);
    som_link_model_count_losses(model, w.often);
    som_link_model_report(w.often, importer->diags);
    som_array_free(&w.names.taken);
    return w.type;
}

void som_importer_add_rule(SomImporter *importer, SomStr name, const SomStr *types, int count,
                           SomStr condition) {
    Writer w = {.importer = importer, .out = &importer->types};
    add(&w, "\nconnection ");
    add_name(&w, som_importer_type_name(importer, name));
    add(&w, ": members=(");
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < count; i++) {
            add(&w, i > 0 ? ", " : "(");
            add_name(&w, types[i]);
        }
        add(&w, side == 0 ? ") a, " : ") b)");
    }
    add(&w, ", conditions=((a.point p_a coincident b.point p_b)");
    for (int i = 1; i <= 4; i++) {
        som_text_printf(w.out, " and (p_a._%d coincident p_b.point)", i);
    }
    if (condition.length > 0) {
        som_text_printf(w.out, " and (%.*s)", SOM_STR_ARG(condition));
    }
    add(&w, ")\n");
}

// The config of a robot that is bolted to the world; what it has is in the config `inner`.
static void write_fixed(SomImporter *importer, const SomLinkModel *model, SomStr name,
                        SomStr inner) {
    SomStr part = SOM_STR("robot");
    SomWrittenBase base = {
        .place = {{part}, 1}, .position = model->at, .turn = model->turn, .is_fixed = true};
    som_write_begin(&importer->configs, model->note, name);
    som_write_parts(&importer->configs, &part, 1, inner);
    som_write_base(&importer->configs, &base);
    som_write_end(&importer->configs);
}

bool som_importer_add_model(SomImporter *importer, SomLinkModel *model) {
    SomStr type = som_importer_add_type(importer, model);
    if (type.length == 0) {
        return false;
    }
    if (model->connectors.count > 0) {
        SomText rule = {0};
        som_text_printf(&rule, "%.*s_to_%.*s", SOM_STR_ARG(type), SOM_STR_ARG(type));
        som_importer_add_rule(importer, som_text_str(&rule), &type, 1, SOM_STR(""));
        som_text_free(&rule);
    }
    som_importer_use(importer, som_importer_types_name(importer));
    SomStr config = som_importer_name(importer, type);
    SomText inner = {0};
    if (model->is_fixed) {
        som_text_printf(&inner, "%.*s_free", SOM_STR_ARG(config));
        SomStr free_name = som_importer_name(importer, som_text_str(&inner));
        write_fixed(importer, model, config, free_name);
        som_write_begin_module(&importer->configs, SOM_STR("The same, not bolted to anything."),
                               free_name, type);
    } else {
        som_write_begin_module(&importer->configs, model->note, config, type);
    }
    som_text_free(&inner);
    som_write_end(&importer->configs);
    som_importer_count(importer, config, 1);
    return true;
}
