// SPDX-License-Identifier: Apache-2.0
// Joints of SDF: their axes, in whatever frame these are given.

#include "base/codes/exchange_codes.h"
#include "exchange/sdf_read_internal.h"

#include <math.h>

static SomSpan span_of(const SomSdfReader *r, SomSdfElement e) {
    return som_sdf_node(r, e)->span;
}

// ---- axes

// The frame in which xyz is meant: of 1.4 the model's, of later ones the joint's, unless it says.
static SomPose frame_of_axis(SomSdfReader *r, const SomSdfFrame *joint, SomSdfElement axis) {
    int minor = r->docs.data[axis.doc].minor;
    SomPose model = r->frames.data[r->scopes.data[joint->scope].frame].pose;
    SomSdfElement xyz = som_sdf_child(r, axis, "xyz");
    SomStr name = som_sdf_attribute(r, xyz, "expressed_in");
    if (minor < 5 || (minor < 7 && som_sdf_is_true(r, axis, "use_parent_model_frame"))) {
        return model;
    }
    if (name.length == 0 || minor < 7) {
        return joint->pose;
    }
    int frame = som_sdf_find(r, joint->scope, name);
    if (frame < 0) {
        som_sdf_fail(r, SOM_IMPORT_NAME_UNKNOWN, span_of(r, xyz),
                     "no link, joint, frame or model here is called", name);
        return joint->pose;
    }
    return r->frames.data[frame].pose;
}

// Numbers that mean nothing here where they are not what SDF has without them.
static void leave_out_numbers(SomSdfReader *r, SomSdfElement axis) {
    static const struct {
        const char *in, *name, *words;
        double usual;
    } numbers[] = {
        {"dynamics", "spring_stiffness", "spring_stiffness", 0},
        {"dynamics", "spring_reference", "spring_reference", 0},
        {"limit", "stiffness", "limit/stiffness", 1e8},
        {"limit", "dissipation", "limit/dissipation", 1},
        {"", "initial_position", "initial_position", 0},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        SomSdfElement in = numbers[i].in[0] != 0 ? som_sdf_child(r, axis, numbers[i].in) : axis;
        SomSdfElement e = som_sdf_child(r, in, numbers[i].name);
        if (e.node >= 0 &&
            som_sdf_number(r, in, numbers[i].name, numbers[i].usual) != numbers[i].usual) {
            som_sdf_count_kind(&r->left_out, som_str(numbers[i].words), span_of(r, e));
        }
    }
}

// What else there is of an axis, as <mimic>.
static void leave_out_others(SomSdfReader *r, SomSdfElement axis) {
    static const char *const known[] = {
        "xyz", "limit", "dynamics", "initial_position", "use_parent_model_frame", NULL};
    static const char *const limit[] = {"lower",     "upper",       "effort", "velocity",
                                        "stiffness", "dissipation", NULL};
    static const char *const dynamics[] = {"damping", "friction", "spring_reference",
                                           "spring_stiffness", NULL};
    som_sdf_count_others(r, axis, known, &r->left_out);
    som_sdf_count_others(r, som_sdf_child(r, axis, "limit"), limit, &r->left_out);
    som_sdf_count_others(r, som_sdf_child(r, axis, "dynamics"), dynamics, &r->left_out);
}

// Zero means "not given" here; there, that the joint cannot move.
static void leave_out_zero(SomSdfReader *r, SomSdfElement limit, const char *name,
                           const char *words) {
    SomSdfElement e = som_sdf_child(r, limit, name);
    if (e.node >= 0 && som_sdf_number(r, limit, name, 1) == 0) {
        som_sdf_count_kind(&r->left_out, som_str(words), span_of(r, e));
    }
}

static double positive(double value) {
    return value > 0 && value < 1e15 ? value : 0;
}

static SomModelAxis read_axis(SomSdfReader *r, const SomSdfFrame *joint, SomSdfElement e,
                              SomJointType type, bool is_free) {
    double xyz[3] = {0, 0, 1};
    SomSdfElement limit = som_sdf_child(r, e, "limit"), dynamics = som_sdf_child(r, e, "dynamics");
    som_sdf_numbers(r, e, "xyz", 3, xyz);
    SomModelAxis axis = {.type = type, .low = (double)-INFINITY, .high = (double)INFINITY};
    SomPose frame = e.node >= 0 ? frame_of_axis(r, joint, e) : joint->pose;
    axis.direction = som_pose_rotate(frame, som_vec3(xyz[0], xyz[1], xyz[2]));
    double low = som_sdf_number(r, limit, "lower", (double)-INFINITY);
    double high = som_sdf_number(r, limit, "upper", (double)INFINITY);
    if (!is_free) {
        axis.low = low > -1e9 ? low : (double)-INFINITY;
        axis.high = high < 1e9 ? high : (double)INFINITY;
    }
    axis.effort = positive(som_sdf_number(r, limit, "effort", 0));
    axis.speed = positive(som_sdf_number(r, limit, "velocity", 0));
    axis.damping = som_sdf_number(r, dynamics, "damping", 0);
    axis.friction = som_sdf_number(r, dynamics, "friction", 0);
    leave_out_zero(r, limit, "effort", "effort 0");
    leave_out_zero(r, limit, "velocity", "velocity 0");
    leave_out_numbers(r, e);
    leave_out_others(r, e);
    return axis;
}

// ---- kinds of joints

// One axis of what SDF can do with more.
static void simplify(SomSdfReader *r, const SomSdfFrame *joint, const char *words) {
    som_report(r->diags, SOM_SDF_JOINT_SIMPLER, span_of(r, joint->at), "joint '%.*s' %s",
               SOM_STR_ARG(joint->name), words);
}

static void add_ball(const SomSdfFrame *joint, SomModelJoint *made) {
    const SomVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        made->axes[made->axis_count++] =
            (SomModelAxis){.type = SOM_JOINT_REVOLUTE,
                           .direction = som_pose_rotate(joint->pose, axes[i]),
                           .low = (double)-INFINITY,
                           .high = (double)INFINITY};
    }
}

static bool add_axes(SomSdfReader *r, const SomSdfFrame *joint, SomStr type, SomModelJoint *made) {
    SomSdfElement axis = som_sdf_child(r, joint->at, "axis");
    SomSdfElement second = som_sdf_child(r, joint->at, "axis2");
    if (som_str_equal(type, SOM_STR("fixed"))) {
        return true;
    }
    if (som_str_equal(type, SOM_STR("ball"))) {
        add_ball(joint, made);
        return true;
    }
    bool is_two =
        som_str_equal(type, SOM_STR("universal")) || som_str_equal(type, SOM_STR("revolute2"));
    bool is_screw = som_str_equal(type, SOM_STR("screw"));
    bool is_gear = som_str_equal(type, SOM_STR("gearbox"));
    bool is_sliding = som_str_equal(type, SOM_STR("prismatic"));
    bool is_free = som_str_equal(type, SOM_STR("continuous"));
    if (!is_two && !is_screw && !is_gear && !is_sliding && !is_free &&
        !som_str_equal(type, SOM_STR("revolute"))) {
        return false;
    }
    made->axes[made->axis_count++] =
        read_axis(r, joint, axis, is_sliding ? SOM_JOINT_PRISMATIC : SOM_JOINT_REVOLUTE, is_free);
    if (is_two) {
        made->axes[made->axis_count++] = read_axis(r, joint, second, SOM_JOINT_REVOLUTE, false);
    }
    if (is_screw) {
        simplify(r, joint,
                 "is a screw; here it turns and does not advance (thread_pitch is radians a metre "
                 "and negative, screw_thread_pitch metres a turn)");
    } else if (is_gear) {
        simplify(r, joint, "is a gearbox; here it turns, and nothing turns with it");
    }
    return true;
}

// Elements of joints of other types.
static void leave_out_unused(SomSdfReader *r, SomSdfElement at, SomStr type) {
    static const struct {
        const char *name, *type, *other_type;
    } uses[] = {{"axis2", "universal", "revolute2"},
                {"thread_pitch", "screw", "screw"},
                {"screw_thread_pitch", "screw", "screw"},
                {"gearbox_ratio", "gearbox", "gearbox"},
                {"gearbox_reference_body", "gearbox", "gearbox"}};
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        SomSdfElement e = som_sdf_child(r, at, uses[i].name);
        if (e.node >= 0 && !som_str_equal(type, som_str(uses[i].type)) &&
            !som_str_equal(type, som_str(uses[i].other_type))) {
            som_sdf_count_kind(&r->left_out, som_str(uses[i].name), span_of(r, e));
        }
    }
}

static void keep_others(SomSdfReader *r, SomSdfElement at, SomText *kept) {
    static const char *const known[] = {"pose",
                                        "parent",
                                        "child",
                                        "axis",
                                        "axis2",
                                        "thread_pitch",
                                        "screw_thread_pitch",
                                        "gearbox_ratio",
                                        "gearbox_reference_body",
                                        NULL};
    for (SomSdfElement e = som_sdf_child(r, at, ""); e.node >= 0; e = som_sdf_next(r, e, "")) {
        if (!som_sdf_is_one_of(r, e, known)) {
            som_sdf_keep(r, e, kept);
            som_sdf_count_kind(&r->kept_tally, som_sdf_node(r, e)->name, span_of(r, e));
        }
    }
}

void som_sdf_read_joint(SomSdfReader *r, int frame, int world) {
    const SomSdfFrame *f = &r->frames.data[frame];
    SomStr type = som_sdf_attribute(r, f->at, "type");
    SomModelJoint joint = {.name = f->whole,
                           .span = span_of(r, f->at),
                           .parent = f->parent >= 0 ? som_sdf_link_of(r, f->parent) : world,
                           .child =
                               f->attached_to >= 0 ? som_sdf_link_of(r, f->attached_to) : world,
                           .origin = f->pose.position};
    if (joint.parent < 0 || joint.child < 0 || joint.parent == joint.child) {
        som_report(r->diags, SOM_SDF_BAD_JOINT, joint.span, "joint '%.*s' does not join two links",
                   SOM_STR_ARG(f->name));
        r->failed = true;
        return;
    }
    if (!add_axes(r, f, type, &joint)) {
        som_report(r->diags, SOM_SDF_BAD_JOINT, joint.span, "'%.*s' is no type of joints",
                   SOM_STR_ARG(som_str_slice(type, 0, 60)));
        r->failed = true;
    }
    SomText kept = {0};
    keep_others(r, f->at, &kept);
    leave_out_unused(r, f->at, type);
    joint.kept.sdf = som_arena_copy(&r->importer->arena, som_text_str(&kept));
    som_text_free(&kept);
    som_link_model_add_joint(&r->model, &joint);
}
