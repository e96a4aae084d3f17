// SPDX-License-Identifier: Apache-2.0
// The frames of a model and of those in it: who is relative to whom, and where that is.

#include "base/codes/exchange_codes.h"
#include "exchange/kept_plugins.h"
#include "exchange/sdf_read_internal.h"

static int add_frame(SomSdfReader *r, SomSdfFrame frame) {
    if (r->frames.count >= SOM_SDF_MAX_FRAMES) {
        if (!r->failed) {
            som_report(r->diags, SOM_SDF_TOO_MUCH, som_sdf_node(r, frame.at)->span,
                       "the model has more than %d links, joints and frames", SOM_SDF_MAX_FRAMES);
        }
        r->failed = true;
        return -1;
    }
    frame.relative_to = frame.attached_to = frame.parent = frame.link = -1;
    som_array_push(&r->frames, frame);
    return r->frames.count - 1;
}

static SomStr join_names(SomSdfReader *r, int scope, SomStr name) {
    SomStr above = r->frames.data[r->scopes.data[scope].frame].whole;
    if (above.length == 0) {
        return name;
    }
    SomText whole = {0};
    som_text_printf(&whole, "%.*s_%.*s", SOM_STR_ARG(above), SOM_STR_ARG(name));
    SomStr kept = som_arena_copy(&r->importer->arena, som_text_str(&whole));
    som_text_free(&whole);
    return kept;
}

// ---- what there is

static void gather_model(SomSdfReader *r, SomSdfElement model, int scope);

static void add_named(SomSdfReader *r, SomSdfKind kind, SomSdfElement e, int scope,
                      const char *of) {
    SomStr name = som_sdf_name(r, e, of);
    if (name.length > 0) {
        add_frame(r, (SomSdfFrame){.kind = kind,
                                   .name = name,
                                   .whole = join_names(r, scope, name),
                                   .scope = scope,
                                   .at = e});
    }
}

// A model in another: by itself, by an <include>, or merged into it.
static void add_model(SomSdfReader *r, SomSdfElement model, SomSdfElement include, int scope,
                      bool is_merged) {
    SomStr name = include.node >= 0 ? som_sdf_text(r, include, "name") : (SomStr){"", 0};
    name = name.length > 0 ? name : som_sdf_name(r, model, "model");
    int depth = r->scopes.data[scope].depth + (include.node >= 0);
    if (name.length == 0) {
        return;
    }
    if (som_sdf_is_static(r, model, include)) {
        som_sdf_count_kind(&r->left_out, SOM_STR("static"), som_sdf_node(r, model)->span);
    }
    if (depth > SOM_SDF_MAX_INCLUDES) {
        som_report(r->diags, SOM_SDF_TOO_MUCH, som_sdf_node(r, include)->span,
                   "models include each other more than %d deep", SOM_SDF_MAX_INCLUDES);
        r->failed = true;
        return;
    }
    SomStr above = r->frames.data[r->scopes.data[scope].frame].whole;
    int frame = add_frame(r, (SomSdfFrame){.kind = SOM_SDF_MODEL,
                                           .name = is_merged ? (SomStr){"", 0} : name,
                                           .whole = is_merged ? above : join_names(r, scope, name),
                                           .scope = scope,
                                           .inner = r->scopes.count,
                                           .at = model,
                                           .include = include});
    if (frame >= 0) {
        int inner = r->scopes.count;
        SomSdfScope own = {.names = is_merged ? r->scopes.data[scope].names : inner,
                           .parent = scope,
                           .frame = frame,
                           .depth = depth};
        som_array_push(&r->scopes, own);
        gather_model(r, model, inner);
    }
}

bool som_sdf_is_static(const SomSdfReader *r, SomSdfElement model, SomSdfElement include) {
    bool is_said = include.node >= 0 && som_sdf_text(r, include, "static").length > 0;
    return som_sdf_is_true(r, is_said ? include : model, "static");
}

void som_sdf_leave_out_of_include(SomSdfReader *r, SomSdfElement include) {
    static const char *const known[] = {"uri", "name", "pose", "placement_frame", "static", NULL};
    som_sdf_count_others(r, include, known, &r->left_out);
}

static void add_include(SomSdfReader *r, SomSdfElement e, int scope) {
    SomSdfElement model = som_sdf_include(r, e, true);
    SomStr merge = som_sdf_attribute(r, e, "merge");
    som_sdf_leave_out_of_include(r, e);
    if (model.node >= 0 && !r->failed) {
        add_model(r, model, e, scope,
                  som_str_equal(merge, SOM_STR("true")) || som_str_equal(merge, SOM_STR("1")));
    }
}

// What means nothing here: kept, where the names in it stay what they are. That links may touch
// each other is what we write anyway.
static void add_other(SomSdfReader *r, SomSdfElement e, int scope) {
    const SomXmlNode *node = som_sdf_node(r, e);
    bool is_free = som_str_equal(node->text, SOM_STR("true")) ||
                   som_str_equal(node->text, SOM_STR("1")) ||
                   som_str_equal(node->text, SOM_STR("True"));
    if (som_sdf_is(r, e, "pose") || som_sdf_is(r, e, "static") ||
        (som_sdf_is(r, e, "self_collide") && is_free)) {
        return;
    }
    if (r->scopes.data[scope].names == 0) {
        som_sdf_keep(r, e, &r->kept);
        if (!som_sdf_is(r, e, "plugin") || som_kept_is_player(r->docs.data[e.doc].xml, e.node)) {
            som_sdf_count_kind(&r->kept_tally, node->name, node->span); // others have a warning
        }
    } else {
        som_sdf_count_kind(&r->left_out, node->name, node->span);
    }
}

static void gather_model(SomSdfReader *r, SomSdfElement model, int scope) {
    for (SomSdfElement e = som_sdf_child(r, model, ""); e.node >= 0 && !r->failed;
         e = som_sdf_next(r, e, "")) {
        if (som_sdf_is(r, e, "link")) {
            add_named(r, SOM_SDF_LINK, e, scope, "link");
        } else if (som_sdf_is(r, e, "joint")) {
            add_named(r, SOM_SDF_JOINT, e, scope, "joint");
        } else if (som_sdf_is(r, e, "frame")) {
            add_named(r, SOM_SDF_FRAME, e, scope, "frame");
        } else if (som_sdf_is(r, e, "model")) {
            add_model(r, e, (SomSdfElement){e.doc, -1}, scope, false);
        } else if (som_sdf_is(r, e, "include")) {
            add_include(r, e, scope);
        } else {
            add_other(r, e, scope);
        }
    }
}

// ---- names

static int find_plain(const SomSdfReader *r, int scope, SomStr name) {
    int names = r->scopes.data[scope].names;
    for (int i = 0; i < r->frames.count; i++) {
        const SomSdfFrame *f = &r->frames.data[i];
        if (i != r->scopes.data[0].frame && r->scopes.data[f->scope].names == names &&
            som_str_equal(f->name, name)) {
            return i;
        }
    }
    return -1;
}

int som_sdf_find(const SomSdfReader *r, int scope, SomStr name) {
    for (int depth = 0; depth <= SOM_XML_MAX_DEPTH; depth++) {
        if (som_str_equal(name, SOM_STR("__model__"))) {
            return r->scopes.data[scope].frame;
        }
        int found = name.length > 0 ? find_plain(r, scope, name) : -1;
        size_t at = 0;
        while (at + 1 < name.length && (name.data[at] != ':' || name.data[at + 1] != ':')) {
            at++;
        }
        if (found >= 0 || at + 1 >= name.length) {
            return found;
        }
        int model = find_plain(r, scope, som_str_slice(name, 0, at));
        if (at == 0 || model < 0 || r->frames.data[model].kind != SOM_SDF_MODEL) {
            return -1;
        }
        scope = r->frames.data[model].inner;
        name = som_str_slice(name, at + 2, name.length);
    }
    return -1;
}

// A frame that must be there, or `otherwise` where none is named.
static int need(SomSdfReader *r, int scope, SomStr name, SomSdfElement e, int otherwise) {
    if (name.length == 0) {
        return otherwise;
    }
    int found = som_sdf_find(r, scope, name);
    if (found < 0) {
        som_sdf_fail(r, SOM_IMPORT_NAME_UNKNOWN, som_sdf_node(r, e)->span,
                     "no link, joint, frame or model here is called", name);
    }
    return found;
}

static bool is_world(SomStr name) {
    return som_str_equal(name, SOM_STR("world"));
}

static SomSdfElement end_of(SomSdfReader *r, const SomSdfFrame *joint, const char *which) {
    SomSdfElement e = som_sdf_child(r, joint->at, which);
    if (e.node < 0 || som_sdf_node(r, e)->text.length == 0) {
        som_report(r->diags, SOM_IMPORT_MISSING, som_sdf_node(r, joint->at)->span,
                   "joint '%.*s' has no <%s>", SOM_STR_ARG(joint->name), which);
        r->failed = true;
        e.node = -1;
    }
    return e;
}

static void refer_joint(SomSdfReader *r, SomSdfFrame *f, int otherwise) {
    SomStr relative;
    SomSdfElement parent = end_of(r, f, "parent"), child = end_of(r, f, "child");
    f->raw = som_sdf_pose(r, f->at, &relative);
    if (parent.node < 0 || child.node < 0) {
        return;
    }
    SomStr from = som_sdf_node(r, parent)->text, to = som_sdf_node(r, child)->text;
    f->parent = is_world(from) ? -1 : need(r, f->scope, from, parent, -1);
    f->attached_to = is_world(to) ? -1 : need(r, f->scope, to, child, -1);
    int own = f->attached_to >= 0 ? f->attached_to : otherwise;
    f->relative_to = is_world(relative) ? otherwise : need(r, f->scope, relative, f->at, own);
}

static void refer_model(SomSdfReader *r, SomSdfFrame *f, int otherwise) {
    SomStr relative;
    bool is_moved = f->include.node >= 0 && som_sdf_child(r, f->include, "pose").node >= 0;
    f->raw = som_sdf_pose(r, is_moved ? f->include : f->at, &relative);
    f->relative_to = need(r, f->scope, relative, f->at, otherwise);
}

static void refer(SomSdfReader *r, SomSdfFrame *f) {
    int model = r->scopes.data[f->scope].frame;
    SomStr relative;
    switch (f->kind) {
    case SOM_SDF_MODEL:
        refer_model(r, f, model);
        break;
    case SOM_SDF_LINK:
        f->raw = som_sdf_pose(r, f->at, &relative);
        f->relative_to = need(r, f->scope, relative, f->at, model);
        break;
    case SOM_SDF_JOINT:
        refer_joint(r, f, model);
        break;
    case SOM_SDF_FRAME:
        f->raw = som_sdf_pose(r, f->at, &relative);
        f->attached_to =
            need(r, f->scope, som_sdf_attribute(r, f->at, "attached_to"), f->at, model);
        f->relative_to = need(r, f->scope, relative, f->at, f->attached_to);
        break;
    }
}

// ---- poses

static void report_circle(SomSdfReader *r, const SomSdfFrame *f) {
    som_sdf_fail(r, SOM_SDF_CIRCLE, som_sdf_node(r, f->at)->span, "poses lead in a circle through",
                 f->name);
}

static SomStr placement_of(const SomSdfReader *r, const SomSdfFrame *f) {
    SomStr given =
        f->include.node >= 0 ? som_sdf_text(r, f->include, "placement_frame") : (SomStr){"", 0};
    return given.length > 0 ? given : som_sdf_attribute(r, f->at, "placement_frame");
}

// The pose of a model may be that of a frame in it: then the model is where it must be for that.
// Models in models are done first, which are behind it in the list.
static void settle_placement(SomSdfReader *r, int index) {
    SomSdfFrame *f = &r->frames.data[index];
    SomStr name = placement_of(r, f);
    int at = need(r, f->inner, name, f->at, -1);
    SomPose inside = som_pose_identity();
    for (int steps = 0; at >= 0 && at != index; steps++) {
        if (steps > r->frames.count) {
            report_circle(r, f);
            return;
        }
        inside = som_pose_compose(r->frames.data[at].raw, inside);
        at = r->frames.data[at].relative_to;
    }
    if (at == index) {
        f->raw = som_pose_compose(f->raw, som_pose_invert(inside));
    }
}

// Up to a frame that is placed, and down again.
static void place(SomSdfReader *r, int index, int *way) {
    int count = 0;
    for (int at = index; at >= 0 && r->frames.data[at].state != 2;
         at = r->frames.data[at].relative_to) {
        if (r->frames.data[at].state == 1) {
            report_circle(r, &r->frames.data[at]);
            return;
        }
        r->frames.data[at].state = 1;
        way[count++] = at;
    }
    for (int i = count - 1; i >= 0; i--) {
        SomSdfFrame *f = &r->frames.data[way[i]];
        f->pose = f->relative_to >= 0
                      ? som_pose_compose(r->frames.data[f->relative_to].pose, f->raw)
                      : f->raw;
        f->state = 2;
    }
}

// Links of one name in one model would be taken for each other.
static void check_names(SomSdfReader *r) {
    for (int i = 1; i < r->frames.count && !r->failed; i++) {
        const SomSdfFrame *f = &r->frames.data[i];
        int first = find_plain(r, f->scope, f->name);
        if (first < i && f->kind == SOM_SDF_LINK && r->frames.data[first].kind == SOM_SDF_LINK) {
            som_sdf_fail(r, SOM_IMPORT_NAME_TAKEN, som_sdf_node(r, f->at)->span,
                         "there is another link", f->name);
        }
    }
}

bool som_sdf_gather(SomSdfReader *r, SomSdfElement model, SomSdfElement include) {
    r->scopes.count = r->frames.count = 0;
    SomSdfScope top = {.parent = -1};
    som_array_push(&r->scopes, top);
    add_frame(r, (SomSdfFrame){.kind = SOM_SDF_MODEL,
                               .name = som_sdf_name(r, model, "model"),
                               .at = model,
                               .include = include,
                               .raw = som_pose_identity()});
    gather_model(r, model, 0);
    check_names(r);
    for (int i = 1; i < r->frames.count && !r->failed; i++) {
        refer(r, &r->frames.data[i]);
    }
    for (int i = r->frames.count - 1; i > 0 && !r->failed; i--) {
        if (r->frames.data[i].kind == SOM_SDF_MODEL) {
            settle_placement(r, i);
        }
    }
    int *way = som_alloc(sizeof *way * (size_t)(r->frames.count + 1));
    for (int i = 0; i < r->frames.count && !r->failed; i++) {
        place(r, i, way);
    }
    som_free(way);
    return !r->failed;
}

// ---- links

static bool is_inside(const SomSdfReader *r, int scope, int outer) {
    while (scope >= 0 && scope != outer) {
        scope = r->scopes.data[scope].parent;
    }
    return scope >= 0;
}

static int canonical_link(const SomSdfReader *r, const SomSdfFrame *model) {
    SomStr name = som_sdf_attribute(r, model->at, "canonical_link");
    int found = name.length > 0 ? som_sdf_find(r, model->inner, name) : -1;
    for (int i = 0; i < r->frames.count && found < 0; i++) {
        const SomSdfFrame *f = &r->frames.data[i];
        found = f->kind == SOM_SDF_LINK && is_inside(r, f->scope, model->inner) ? i : -1;
    }
    return found;
}

int som_sdf_link_of(const SomSdfReader *r, int frame) {
    for (int steps = 0; frame >= 0 && steps <= r->frames.count; steps++) {
        const SomSdfFrame *f = &r->frames.data[frame];
        if (f->kind == SOM_SDF_LINK) {
            return f->link;
        }
        frame = f->kind == SOM_SDF_MODEL ? canonical_link(r, f) : f->attached_to;
    }
    return -1;
}
