// SPDX-License-Identifier: Apache-2.0
// Joints, tags and frames: what refers to links and directions.

#include "base/codes/modules_codes.h"
#include "modules/m3l_module_internal.h"
#include "space/trigonometry.h"

#include <math.h>

// ---- directions

static bool make_rotation(SomVec3 x, SomVec3 z, SomMat3 *rotation) {
    double lx = som_vec3_length(x), lz = som_vec3_length(z);
    if (!(lx > 1e-12) || !(lz > 1e-12)) {
        return false;
    }
    x = som_vec3_scale(1 / lx, x);
    z = som_vec3_scale(1 / lz, z);
    if (fabs(som_vec3_dot(x, z)) > 1e-6) {
        return false;
    }
    x = som_vec3_sub(x, som_vec3_scale(som_vec3_dot(x, z), z)); // exactly perpendicular
    x = som_vec3_scale(1 / som_vec3_length(x), x);
    SomVec3 y = som_vec3_cross(z, x);
    *rotation = (SomMat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    return true;
}

SomMat3 som_m3l_rotation_about(SomVec3 z) {
    double ax = fabs(z.x), ay = fabs(z.y), az = fabs(z.z);
    SomVec3 e = ax <= ay && ax <= az ? som_vec3(1, 0, 0)
                : ay <= az           ? som_vec3(0, 1, 0)
                                     : som_vec3(0, 0, 1);
    SomMat3 rotation = som_mat3_identity();
    make_rotation(som_vec3_sub(e, som_vec3_scale(som_vec3_dot(e, z), z)), z, &rotation);
    return rotation;
}

// ---- the pair of a joint

// An axis by its name, or written in place: (axis: origin=..., direction=...).
static bool find_axis(ModuleReader *m, SomNode node, NamedAxis *axis) {
    SomM3lReader *r = m->r;
    SomNode part = som_m3l_is(r, node, SOM_M3L_REFERENCE) ? som_m3l_part(r, node, 0) : (SomNode)0;
    if (som_m3l_is(r, part, SOM_M3L_NESTED)) {
        SomNode inner = som_syntax_find_child(r->tree, part, SOM_M3L_DEFINITION);
        if (inner == 0 || !som_str_equal(som_m3l_keyword(r, inner), SOM_STR("axis"))) {
            som_m3l_report_value(r, node, "this must be an axis");
            return false;
        }
        return som_m3l_read_axis(r, inner, &axis->origin, &axis->direction);
    }
    SomStr name = som_m3l_name(r, node);
    int found = som_name_table_find(&m->axis_names, name);
    if (found < 0) {
        if (name.length == 0) {
            som_m3l_report_value(r, node, "this must be the name of an axis");
            return false;
        }
        som_m3l_report_unknown(r, node, "axis", name,
                               SOM_M3L_NAMES(m->axes.data, name, m->axes.count));
        return false;
    }
    *axis = m->axes.data[found];
    return axis->is_good;
}

static bool read_side(ModuleReader *m, SomNode node, int *link, NamedAxis *axis) {
    SomNode items[2];
    if (som_syntax_has_error(m->r->tree, node)) {
        return false;
    }
    if (!som_m3l_is(m->r, node, SOM_M3L_TUPLE) || som_m3l_items(m->r, node, items, 2) != 2) {
        som_m3l_report_value(m->r, node, "each side of a joint is (link, axis)");
        return false;
    }
    *link = som_m3l_find_link(m, items[0]);
    bool has_axis = find_axis(m, items[1], axis);
    return *link >= 0 && has_axis;
}

static void print_quantity(SomText *text, double value, SomDimensionName dimension,
                           const char *unit) {
    som_quantity_print((SomQuantity){value, som_dimension(dimension)}, som_unit_find(som_str(unit)),
                       text);
}

// The paper writes both axes: they lie on one line and point against each other.
static bool check_axes(ModuleReader *m, SomNode pair, SomStr name, const NamedAxis *a,
                       const NamedAxis *b) {
    SomText text = {0};
    SomVec3 sum = som_vec3_add(a->direction, b->direction);
    if (!(som_vec3_length(sum) < 1e-9)) {
        double sine = som_vec3_length(som_vec3_cross(a->direction, b->direction));
        double angle = som_atan2(sine, -som_vec3_dot(a->direction, b->direction));
        print_quantity(&text, round(angle * 1e9) / 1e9, SOM_DIMENSION_ANGLE, "rad");
        som_report(m->r->diags, SOM_M3L_NOT_OPPOSITE, som_m3l_span(m->r, pair),
                   "axes of joint '%.*s' are not opposite: %.*s apart", SOM_STR_ARG(name),
                   SOM_STR_ARG(som_text_str(&text)));
        som_text_free(&text);
        return false;
    }
    SomVec3 between = som_vec3_sub(b->origin, a->origin);
    double apart = som_vec3_length(som_vec3_cross(between, a->direction));
    if (!(apart < 1e-9 * (1 + som_vec3_length(between)))) {
        print_quantity(&text, round(apart * 1e9) / 1e9, SOM_DIMENSION_LENGTH, "m");
        som_report(m->r->diags, SOM_M3L_NOT_COLLINEAR, som_m3l_span(m->r, pair),
                   "axes of joint '%.*s' are not on one line: %.*s apart", SOM_STR_ARG(name),
                   SOM_STR_ARG(som_text_str(&text)));
        som_text_free(&text);
        return false;
    }
    return true;
}

static bool read_pair(ModuleReader *m, SomNode definition, SomModuleJoint *joint) {
    SomNode value = som_m3l_value(m->r, definition, "pair", true);
    SomNode sides[2];
    if (value == 0) {
        return false;
    }
    if (!som_m3l_is(m->r, value, SOM_M3L_TUPLE) || som_m3l_items(m->r, value, sides, 2) != 2) {
        som_m3l_report_value(m->r, value, "a pair is ((link, axis), (link, axis))");
        return false;
    }
    NamedAxis a = {0}, b = {0};
    bool has_child = read_side(m, sides[0], &joint->child, &a);
    bool has_parent = read_side(m, sides[1], &joint->parent, &b);
    if (!has_child || !has_parent) {
        return false;
    }
    if (joint->child == joint->parent) {
        som_report(m->r->diags, SOM_M3L_JOINS_ITSELF, som_m3l_span(m->r, value),
                   "joint '%.*s' joins link '%.*s' to itself", SOM_STR_ARG(joint->name),
                   SOM_STR_ARG(m->links.data[joint->child].name));
        return false;
    }
    if (!check_axes(m, value, joint->name, &a, &b)) {
        return false;
    }
    joint->frame = (SomPose){som_m3l_rotation_about(a.direction), a.origin};
    return true;
}

// ---- the rest of a joint

static bool read_joint_type(ModuleReader *m, SomNode definition, SomModuleJoint *joint) {
    SomNode value = som_m3l_value(m->r, definition, "type", true);
    if (value == 0) {
        return false;
    }
    SomStr name = som_m3l_name(m->r, value);
    if (som_str_equal(name, SOM_STR("revolute"))) {
        joint->type = SOM_JOINT_REVOLUTE;
    } else if (som_str_equal(name, SOM_STR("prismatic"))) {
        joint->type = SOM_JOINT_PRISMATIC;
    } else if (som_str_equal(name, SOM_STR("fixed"))) {
        joint->type = SOM_JOINT_FIXED;
    } else {
        som_m3l_report_value(m->r, value, "a joint is revolute, prismatic or fixed");
        return false;
    }
    return true;
}

static void read_limits(ModuleReader *m, SomNode definition, SomDimensionName dimension,
                        SomModuleJoint *joint) {
    SomNode value = som_m3l_value(m->r, definition, "value", false);
    SomNode ends[2];
    double low, high;
    if (value == 0) {
        return;
    }
    if (!som_m3l_is(m->r, value, SOM_M3L_RANGE) || som_m3l_items(m->r, value, ends, 2) != 2) {
        som_m3l_report_value(m->r, value, "a range is [low, high]");
        return;
    }
    bool has_low = som_m3l_read_number(m->r, ends[0], dimension, &low);
    if (!som_m3l_read_number(m->r, ends[1], dimension, &high) || !has_low) {
        return;
    }
    if (!(low <= high) || low == (double)INFINITY || high == (double)-INFINITY) {
        som_report(m->r->diags, SOM_M3L_RANGE_REVERSED, som_m3l_span(m->r, value),
                   "the range of joint '%.*s' ends before it begins", SOM_STR_ARG(joint->name));
        return;
    }
    if ((isfinite(low) && low < -SOM_M3L_LARGEST) || (isfinite(high) && high > SOM_M3L_LARGEST)) {
        som_report(m->r->diags, SOM_M3L_OUT_OF_RANGE, som_m3l_span(m->r, value),
                   "the range of joint '%.*s' is too large; without a limit it is [-inf, inf]",
                   SOM_STR_ARG(joint->name));
        return;
    }
    joint->low = low;
    joint->high = high;
}

static void read_gains(ModuleReader *m, SomNode definition, SomModuleJoint *joint) {
    SomNode value = som_m3l_value(m->r, definition, "gains", false);
    SomNode items[3];
    if (value == 0) {
        return;
    }
    if (som_m3l_items(m->r, value, items, 3) != 3) {
        som_m3l_report_value(m->r, value, "gains are (proportional, integral, derivative)");
        return;
    }
    for (int i = 0; i < 3; i++) {
        double gain;
        if (som_m3l_read_number(m->r, items[i], SOM_DIMENSION_NUMBER, &gain) && isfinite(gain)) {
            joint->gains[i] = gain;
        }
    }
}

void som_m3l_read_joint(ModuleReader *m, SomNode definition) {
    static const char *const known[] = {
        "type",  "value",     "pair",  "effort", "speed", "acceleration", "damping", "friction",
        "gains", "tolerance", "alias", "note",   "urdf",  "sdf",          NULL};
    SomM3lReader *r = m->r;
    SomModuleJoint joint = {.low = (double)-INFINITY, .high = (double)INFINITY};
    if (!som_m3l_claim_member(m, definition, &joint.name, &joint.span)) {
        m->has_bad_joint = true;
        return;
    }
    som_m3l_check_attributes(r, definition, known);
    bool has_type = read_joint_type(m, definition, &joint);
    bool slides = joint.type == SOM_JOINT_PRISMATIC;
    SomDimensionName dimension = slides ? SOM_DIMENSION_LENGTH : SOM_DIMENSION_ANGLE;
    SomDimensionName force = slides ? SOM_DIMENSION_FORCE : SOM_DIMENSION_TORQUE;
    read_limits(m, definition, dimension, &joint);
    som_m3l_read_option(r, definition, "effort", force, true, &joint.effort);
    som_m3l_read_option(r, definition, "friction", force, false, &joint.friction);
    som_m3l_read_option(r, definition, "speed",
                        slides ? SOM_DIMENSION_SPEED : SOM_DIMENSION_ANGULAR_SPEED, true,
                        &joint.speed);
    som_m3l_read_option(r, definition, "acceleration",
                        slides ? SOM_DIMENSION_ACCELERATION : SOM_DIMENSION_ANGULAR_ACCELERATION,
                        true, &joint.acceleration);
    som_m3l_read_option(r, definition, "damping",
                        slides ? SOM_DIMENSION_DAMPING : SOM_DIMENSION_ANGULAR_DAMPING, false,
                        &joint.damping);
    som_m3l_read_option(r, definition, "tolerance", dimension, true, &joint.tolerance);
    read_gains(m, definition, &joint);
    som_m3l_read_aliases(r, definition, true, dimension, &joint.aliases, &joint.alias_count);
    som_m3l_read_kept(r, definition, &joint.kept);
    if (read_pair(m, definition, &joint) && has_type) {
        som_array_push(&m->joints, joint);
    } else {
        m->has_bad_joint = true;
    }
}

// ---- tags and frames

// link, origin and two directions
static bool read_placement(ModuleReader *m, SomNode definition, const char *x_name,
                           const char *z_name, SomVec3 x, SomVec3 z, int *link, SomPose *pose) {
    SomM3lReader *r = m->r;
    SomNode link_value = som_m3l_value(r, definition, "link", true);
    SomNode origin = som_m3l_value(r, definition, "origin", false);
    SomNode x_value = som_m3l_value(r, definition, x_name, false);
    SomNode z_value = som_m3l_value(r, definition, z_name, false);
    *pose = som_pose_identity();
    *link = link_value != 0 ? som_m3l_find_link(m, link_value) : -1;
    if ((origin != 0 && !som_m3l_read_vector(r, origin, SOM_DIMENSION_LENGTH, &pose->position)) ||
        (x_value != 0 && !som_m3l_read_vector(r, x_value, SOM_DIMENSION_NUMBER, &x)) ||
        (z_value != 0 && !som_m3l_read_vector(r, z_value, SOM_DIMENSION_NUMBER, &z))) {
        return false;
    }
    if (!make_rotation(x, z, &pose->rotation)) {
        som_report(r->diags, SOM_M3L_OUT_OF_RANGE,
                   som_m3l_span(r, x_value != 0 ? x_value : z_value),
                   "'%s' and '%s' must be perpendicular and not zero", x_name, z_name);
        return false;
    }
    return *link >= 0;
}

void som_m3l_read_tag(ModuleReader *m, SomNode definition) {
    static const char *const known[] = {"id",     "family", "size", "link", "origin",
                                        "normal", "up",     "note", NULL};
    SomM3lReader *r = m->r;
    SomModuleTag tag = {.family = SOM_STR("tag36h11")};
    if (!som_m3l_claim_member(m, definition, &tag.name, &tag.span)) {
        return;
    }
    som_m3l_check_attributes(r, definition, known);
    SomNode id = som_m3l_value(r, definition, "id", true);
    double number = 0;
    if (id != 0 && som_m3l_read_number(r, id, SOM_DIMENSION_NUMBER, &number) &&
        !(number >= 0 && number < 1e9 && floor(number) == number)) {
        som_report(r->diags, SOM_M3L_OUT_OF_RANGE, som_m3l_span(r, id),
                   "the id of a tag is a whole number that is not negative");
        number = 0;
    }
    tag.id = (int)number;
    som_m3l_value(r, definition, "size", true); // reports if it is missing
    som_m3l_read_option(r, definition, "size", SOM_DIMENSION_LENGTH, true, &tag.size);
    som_m3l_read_text(r, som_m3l_value(r, definition, "family", false), &tag.family);
    // read with "up" in the place of x, then turned so that up is y
    SomPose pose;
    if (read_placement(m, definition, "up", "normal", som_vec3(0, 1, 0), som_vec3(0, 0, 1),
                       &tag.link, &pose)) {
        pose.rotation =
            som_mat3_multiply(pose.rotation, (SomMat3){{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}});
        tag.pose = pose;
        som_array_push(&m->tags, tag);
    }
}

void som_m3l_read_frame(ModuleReader *m, SomNode definition) {
    static const char *const known[] = {"link", "origin", "x", "z", "note", NULL};
    SomModuleFrame frame = {0};
    if (!som_m3l_claim_member(m, definition, &frame.name, &frame.span)) {
        return;
    }
    som_m3l_check_attributes(m->r, definition, known);
    if (read_placement(m, definition, "x", "z", som_vec3(1, 0, 0), som_vec3(0, 0, 1), &frame.link,
                       &frame.pose)) {
        som_array_push(&m->frames, frame);
    }
}
