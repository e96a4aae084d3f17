// SPDX-License-Identifier: Apache-2.0
// SDF files: every model of a file or world becomes a module type, but for those that stand still.

#include "base/classes.h"
#include "base/codes/exchange_codes.h"
#include "base/name_list.h"
#include "base/number.h"
#include "base/path.h"
#include "exchange/sdf_internal.h"
#include "exchange/sdf_read_internal.h"
#include "exchange/som_text.h"

#include <math.h>

static void report_tally(const SomSdfReader *r, const SomSdfTally *t, SomCode code,
                         const char *before, const char *after) {
    if (t->count == 0) {
        return;
    }
    SomText more = {0};
    som_text_add_more(&more, t->count - 1);
    som_report(r->diags, code, t->span, "%s'%.*s'%.*s%s", before, SOM_STR_ARG(t->name),
               SOM_STR_ARG(som_text_str(&more)), after);
    som_text_free(&more);
}

// "'sensor' (2), 'plugin', 'light' (and 3 more)".
static void add_kinds(const SomSdfTallies *tallies, SomText *out) {
    for (int i = 0; i < tallies->count; i++) {
        const SomSdfTally *kind = &tallies->kinds[i];
        som_text_printf(out, "%s'%.*s'", i > 0 ? ", " : "", SOM_STR_ARG(kind->name));
        if (kind->count > 1) {
            som_text_printf(out, " (%d)", kind->count);
        }
    }
    som_text_add_more(out, tallies->others);
}

static void report_kinds(const SomSdfReader *r, const SomSdfTallies *tallies, SomCode code,
                         const char *of_one, const char *of_many) {
    SomText names = {0};
    if (tallies->count == 0) {
        return;
    }
    add_kinds(tallies, &names);
    bool is_one = tallies->count == 1 && tallies->kinds[0].count == 1;
    som_report(r->diags, code, tallies->kinds[0].span, "%.*s %s", SOM_STR_ARG(som_text_str(&names)),
               is_one ? of_one : of_many);
    som_text_free(&names);
}

static void report_left_out(const SomSdfReader *r, const SomSdfTallies *tallies) {
    report_kinds(r, tallies, SOM_SDF_LEFT_OUT, "means nothing here and was left out",
                 "mean nothing here and were left out");
}

static void report_tallies(const SomSdfReader *r) {
    report_kinds(r, &r->kept_tally, SOM_SDF_KEPT, "means nothing here and is kept as it is",
                 "mean nothing here and are kept as they are");
    report_left_out(r, &r->left_out);
    report_tally(r, &r->geometry, SOM_SDF_GEOMETRY, "",
                 " is no shape that there is here; a ball stands for an ellipsoid, the whole mesh "
                 "for a part of it, nothing for others");
    report_tally(r, &r->no_inertia, SOM_SDF_INERTIA, "link ",
                 " has no <inertial>; as SDF has it, it weighs 1 kg with moments of 1 kg m^2");
    report_tally(r, &r->computed_inertia, SOM_SDF_INERTIA, "the inertia of link ",
                 " was computed from its shapes");
    report_tally(r, &r->frictions, SOM_SDF_FRICTIONS, "the shapes of link ",
                 " slide differently; that of the first counts for all");
}

// ---- our own player

static SomSdfElement find_player(const SomSdfReader *r, SomSdfElement model) {
    SomSdfElement e = som_sdf_child(r, model, "plugin");
    while (e.node >= 0 &&
           !som_str_equal(som_sdf_attribute(r, e, "name"), SOM_STR(SOM_SDF_PLUGIN))) {
        e = som_sdf_next(r, e, "plugin");
    }
    return e;
}

// Engines get more room than a joint has; the player knows its real speed.
static void take_speeds(SomSdfReader *r, SomSdfElement player) {
    for (SomSdfElement e = som_sdf_child(r, player, "dof"); e.node >= 0;
         e = som_sdf_next(r, e, "dof")) {
        SomStr name = som_sdf_attribute(r, e, "joint"), text = som_sdf_attribute(r, e, "speed");
        double speed;
        for (int i = 0; som_number_parse(text, &speed) && i < r->model.joints.count; i++) {
            SomModelJoint *joint = &r->model.joints.data[i];
            if (som_str_equal(joint->name, name) && joint->axis_count == 1) {
                joint->axes[0].speed = speed > 0 && speed < 1e15 ? speed : 0;
            }
        }
    }
}

static void report_welds(const SomSdfReader *r, SomSdfElement player, int taken, int loops) {
    SomSpan span = som_sdf_node(r, player)->span;
    if (taken > 0) {
        som_report(r->diags, SOM_SDF_WELDS, span,
                   "closed docks hold the pieces of this model together; %d of them are fixed "
                   "joints now",
                   taken);
    }
    if (loops > 0) {
        som_report(r->diags, SOM_SDF_WELDS, span,
                   "the player closes %d loop%s of this model; here the ends are not held together",
                   loops, loops == 1 ? "" : "s");
    }
}

// What is held together at the start is so in the plugin where no joint does it.
static void take_welds(SomSdfReader *r, SomSdfElement player) {
    int count = r->model.links.count, taken = 0, loops = 0;
    int *pieces = som_alloc(sizeof *pieces * (size_t)(count + 1));
    som_classes_reset(pieces, count);
    for (int i = 0; i < r->model.joints.count; i++) {
        som_classes_join(pieces, r->model.joints.data[i].parent, r->model.joints.data[i].child);
    }
    for (SomSdfElement e = som_sdf_child(r, player, "weld"); e.node >= 0;
         e = som_sdf_next(r, e, "weld")) {
        int a = som_link_model_find_link(&r->model, som_sdf_attribute(r, e, "parent"));
        int b = som_link_model_find_link(&r->model, som_sdf_attribute(r, e, "child"));
        bool is_open = som_str_equal(som_sdf_attribute(r, e, "state"), SOM_STR("open"));
        if (a < 0 || b < 0 || is_open) {
            continue;
        }
        if (som_classes_find(pieces, a) == som_classes_find(pieces, b)) {
            loops++;
            continue;
        }
        SomModelJoint joint = {.name = som_sdf_attribute(r, e, "name"),
                               .span = som_sdf_node(r, e)->span,
                               .parent = a,
                               .child = b,
                               .origin = r->model.links.data[b].pose.position};
        som_classes_join(pieces, a, b);
        som_link_model_add_joint(&r->model, &joint);
        taken++;
    }
    som_free(pieces);
    report_welds(r, player, taken, loops);
}

// ---- one model

// `bolted`: the link that the last of them holds, if it is a fixed one.
static int count_world_joints(const SomSdfReader *r, SomStr *first, SomSpan *span, int *bolted) {
    int count = 0;
    for (int i = 0; i < r->frames.count; i++) {
        const SomSdfFrame *f = &r->frames.data[i];
        if (f->kind == SOM_SDF_JOINT && (f->parent < 0 || f->attached_to < 0)) {
            *first = count == 0 ? f->name : *first;
            *span = count == 0 ? som_sdf_node(r, f->at)->span : *span;
            int link = f->parent < 0 ? f->attached_to : f->parent;
            bool is_fixed = som_str_equal(som_sdf_attribute(r, f->at, "type"), SOM_STR("fixed"));
            *bolted = is_fixed && link >= 0 ? som_sdf_link_of(r, link) : -1;
            count++;
        }
    }
    return count;
}

// The link that one fixed joint holds to the world is the root, and bolted to it; where another
// joint does, or several do, the world is a link.
static int add_world(SomSdfReader *r) {
    SomStr name = {"", 0};
    SomSpan span = {0};
    int bolted = -1, count = count_world_joints(r, &name, &span, &bolted);
    r->model.is_fixed = r->model.is_fixed || count > 0;
    if (count == 1 && bolted >= 0) {
        r->model.root = bolted;
    } else if (count > 0) {
        SomText more = {0};
        if (count > 1) {
            som_text_printf(&more, " " SOM_AND_MORE, count - 1);
        }
        som_report(r->diags, SOM_SDF_TO_WORLD, span,
                   "joint '%.*s'%.*s leads to the world, which is a link here", SOM_STR_ARG(name),
                   SOM_STR_ARG(som_text_str(&more)));
        som_text_free(&more);
        SomModelLink world = {.name = SOM_STR("world"), .span = span, .pose = som_pose_identity()};
        return som_link_model_add_link(&r->model, &world);
    }
    return -1;
}

static void add_joints(SomSdfReader *r) {
    int world = add_world(r);
    for (int i = 0; i < r->frames.count; i++) {
        const SomSdfFrame *f = &r->frames.data[i];
        bool is_held = f->kind == SOM_SDF_JOINT && (f->parent < 0 || f->attached_to < 0);
        if (f->kind == SOM_SDF_JOINT && (!is_held || world >= 0)) {
            som_sdf_read_joint(r, i, world);
        }
    }
    r->model.root = world >= 0 ? world : r->model.root;
}

static void add_frames(SomSdfReader *r) {
    for (int i = 0; i < r->frames.count; i++) {
        const SomSdfFrame *f = &r->frames.data[i];
        int link = f->kind == SOM_SDF_FRAME ? som_sdf_link_of(r, i) : -1;
        if (link >= 0) {
            SomModelFrame frame = {.name = f->whole,
                                   .span = som_sdf_node(r, f->at)->span,
                                   .link = link,
                                   .pose =
                                       som_pose_relative(r->model.links.data[link].pose, f->pose)};
            som_array_push(&r->model.frames, frame);
        }
    }
}

static void clear(SomSdfReader *r) {
    const SomSdfTally none = {0};
    const SomSdfTallies nothing = {0};
    som_link_model_free(&r->model);
    som_text_clear(&r->kept);
    r->model = (SomLinkModel){.root = -1};
    r->kept_tally = r->left_out = r->of_shapes = nothing;
    r->no_inertia = r->computed_inertia = r->geometry = r->frictions = none;
}

// Robots stand on the ground here, wherever in a world that is: upright, and free. What is bolted
// to the world is where the file has it.
static void read_place(SomSdfReader *r, SomSdfElement model, SomSdfElement include) {
    bool is_placed = include.node >= 0 && som_sdf_child(r, include, "pose").node >= 0;
    SomSdfElement placed = is_placed ? include : model;
    SomPose pose = som_sdf_pose(r, placed, NULL);
    SomStr name;
    SomSpan span;
    int bolted;
    r->model.is_fixed =
        som_sdf_is_static(r, model, include) || count_world_joints(r, &name, &span, &bolted) > 0;
    r->model.at = pose.position;
    r->model.turn = som_turn_of(pose.rotation);
    if (!r->model.is_fixed && fabs(pose.rotation.m[2][2] - 1) > 1e-9) {
        som_sdf_count_kind(&r->left_out, SOM_STR("pose"),
                           som_sdf_node(r, som_sdf_child(r, placed, "pose"))->span);
    }
    if (include.node >= 0) {
        som_sdf_leave_out_of_include(r, include);
    }
}

static bool read_model(SomSdfReader *r, SomSdfElement model, SomSdfElement include) {
    clear(r);
    if (!som_sdf_gather(r, model, include)) {
        return false;
    }
    read_place(r, model, include);
    SomStr name = include.node >= 0 ? som_sdf_text(r, include, "name") : (SomStr){"", 0};
    r->model.name = name.length > 0 ? name : som_sdf_attribute(r, model, "name");
    r->model.span = som_sdf_node(r, model)->span;
    SomText note = {0};
    som_text_printf(&note, "Imported from %.*s.",
                    SOM_STR_ARG(som_path_name(r->docs.data[0].file.path)));
    r->model.note = som_arena_copy(&r->importer->arena, som_text_str(&note));
    som_text_free(&note);
    for (int i = 0; i < r->frames.count; i++) {
        if (r->frames.data[i].kind == SOM_SDF_LINK) {
            som_sdf_read_link(r, i);
        }
    }
    add_joints(r);
    add_frames(r);
    SomSdfElement player = find_player(r, model);
    if (player.node >= 0 && !r->failed) {
        take_speeds(r, player);
        take_welds(r, player);
    }
    r->model.kept.sdf = som_arena_copy(&r->importer->arena, som_text_str(&r->kept));
    report_tallies(r);
    return !r->failed && som_link_model_name_connectors(r->importer, &r->model) &&
           som_importer_add_model(r->importer, &r->model);
}

// ---- the file

// Ground, walls and tables.
static bool stands_still(const SomSdfReader *r, SomSdfElement model, SomSdfElement include) {
    return som_sdf_is_static(r, model, include) && som_sdf_child(r, model, "joint").node < 0 &&
           som_sdf_child(r, model, "model").node < 0 && som_sdf_child(r, model, "include").node < 0;
}

static bool read_models(SomSdfReader *r, SomSdfElement of, int *count, SomSdfTally *still) {
    bool fine = true;
    for (SomSdfElement e = som_sdf_child(r, of, ""); e.node >= 0; e = som_sdf_next(r, e, "")) {
        bool is_include = som_sdf_is(r, e, "include");
        SomSdfElement none = {e.doc, -1};
        SomSdfElement model = is_include                  ? som_sdf_include(r, e, false)
                              : som_sdf_is(r, e, "model") ? e
                                                          : none;
        if (model.node < 0) {
            continue;
        }
        if (stands_still(r, model, is_include ? e : none)) {
            som_sdf_count(still, som_sdf_attribute(r, model, "name"), som_sdf_node(r, e)->span);
            continue;
        }
        r->failed = false;
        (*count)++;
        fine = read_model(r, model, is_include ? e : none) && fine;
    }
    return fine;
}

// What of a world is about its models; the rest is not about robots.
static void leave_out_of_world(const SomSdfReader *r, SomSdfElement world) {
    static const char *const names[] = {"joint", "frame", "state", "population", "actor"};
    SomSdfTallies tallies = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (SomSdfElement e = som_sdf_child(r, world, names[i]); e.node >= 0;
             e = som_sdf_next(r, e, names[i])) {
            som_sdf_count_kind(&tallies, som_str(names[i]), som_sdf_node(r, e)->span);
        }
    }
    report_left_out(r, &tallies);
}

static bool read_file(SomSdfReader *r, const SomImportFile *file) {
    int doc = som_sdf_add(r, file), count = 0;
    if (doc < 0) {
        return false;
    }
    SomSdfElement root = {doc, r->docs.data[doc].xml->first_root};
    SomSdfTally still = {0};
    bool fine = read_models(r, root, &count, &still);
    for (SomSdfElement e = som_sdf_child(r, root, "world"); e.node >= 0;
         e = som_sdf_next(r, e, "world")) {
        fine = read_models(r, e, &count, &still) && fine;
        leave_out_of_world(r, e);
    }
    report_tally(r, &still, SOM_SDF_STANDS_STILL, "",
                 " stands still and has no joints, so it is no robot and was left out");
    if (count == 0) {
        som_report(r->diags, SOM_SDF_NO_MODEL, som_sdf_node(r, root)->span,
                   "there is no model that moves in this file");
        fine = false;
    }
    return fine;
}

bool som_import_sdf(SomImporter *importer, const SomImportFile *file) {
    SomSdfReader r = {.importer = importer, .diags = importer->diags, .model = {.root = -1}};
    bool fine = read_file(&r, file);
    som_link_model_free(&r.model);
    for (int i = 0; i < r.docs.count; i++) {
        som_xml_destroy(r.docs.data[i].xml);
    }
    som_array_free(&r.docs);
    som_array_free(&r.scopes);
    som_array_free(&r.frames);
    som_array_free(&r.densities);
    som_text_free(&r.kept);
    return fine;
}
