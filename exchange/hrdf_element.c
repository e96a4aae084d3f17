// SPDX-License-Identifier: Apache-2.0
// Elements of an HRDF file and the figures of HEBI's parts. Those are facts of the manufacturer:
// HebiRobotics/hebi_description (Apache-2.0), urdf/components; interfaces and what may be given:
// HebiRobotics/hebi-hrdf, FORMAT.md, version 1.6.0. Shapes are not among them: only the tubes of
// links can touch something.

#include "base/codes/exchange_codes.h"
#include "exchange/hrdf_internal.h"
#include "exchange/som_text.h"
#include "space/trigonometry.h"

#include <math.h>
#include <stdio.h>

// ---- figures

typedef struct Series {
    const char *prefix;
    const char *housing, *shaft; // bolts
    double output;               // height of the output
    double damping, friction;
    double center[3];
    double moments[6]; // xx yy zz xy xz yz
} Series;

static const Series series[] = {
    {"X5-",
     "X-AH",
     "X-AO",
     0.031,
     0.1,
     0.1,
     {-0.0142, -0.0031, 0.0165},
     {0.00015, 0.000255, 0.000350, 0.0000341, 0.0000118, 0.00000229}},
    {"X8-",
     "X-AH",
     "X-AO",
     0.045,
     0.5,
     0.5,
     {-0.0145, -0.0031, 0.0242},
     {0.000246, 0.000380, 0.000463, 0.0000444, 0.0000266, 0.00000422}},
    {"R8-",
     "R8-AH",
     "R8-AO",
     0.051,
     0.5,
     0.5,
     {-0.02396, -0.00161, 0.02557},
     {0.000488, 0.001009, 0.001186, 0.00001297, 0.0000578, 0.00000494}},
    {"T5-",
     "R8-AH",
     "R8-AO",
     0.034,
     0.1,
     0.1,
     {-0.0240, -0.00161, 0.0165},
     {0.00015, 0.000255, 0.000350, 0.0000341, 0.0000118, 0.00000229}},
    {"T8-",
     "R8-AH",
     "R8-AO",
     0.0475,
     0.5,
     0.5,
     {-0.0240, -0.00161, 0.0256},
     {0.000246, 0.000380, 0.000463, 0.0000444, 0.0000266, 0.00000422}},
};

static const struct {
    const char *type;
    double mass, effort, speed;
} actuators[] = {
    {"X5-1", 0.315, 2.5, 9.425}, {"X5-4", 0.335, 7, 3.351},  {"X5-9", 0.360, 13, 1.466},
    {"X8-3", 0.460, 7, 8.796},   {"X8-9", 0.480, 20, 3.142}, {"X8-16", 0.500, 38, 1.571},
    {"R8-3", 0.670, 7, 8.796},   {"R8-9", 0.685, 20, 3.142}, {"R8-16", 0.715, 38, 1.571},
    {"T5-1", 0.450, 2.5, 9.425}, {"T5-4", 0.450, 7, 3.351},  {"T5-9", 0.450, 13, 1.466},
    {"T8-3", 0.575, 8, 11.520},  {"T8-9", 0.575, 23, 4.084}, {"T8-16", 0.575, 44, 2.094},
    {"R25-8", 0, 0, 0},          {"R25-20", 0, 0, 0},        {"R25-40", 0, 0, 0},
    {"T25-8", 0, 0, 0},          {"T25-20", 0, 0, 0},        {"T25-40", 0, 0, 0}};
#define ACTUATOR_COUNT ((int)(sizeof actuators / sizeof *actuators))

// Sides of brackets: where the output is, and how it is turned about x.
static const struct {
    const char *ending;
    double y, z, quarters, mass, center_z;
} brackets[] = {{"HeavyRightOutside", -0.0375, 0.055, 1, 0.215, 0.0275},
                {"HeavyRightInside", 0.0225, 0.055, 1, 0.215, 0.0275},
                {"HeavyLeftOutside", 0.0375, 0.055, -1, 0.215, 0.0275},
                {"HeavyLeftInside", -0.0225, 0.055, -1, 0.215, 0.0275},
                {"LightLeft", 0.043, 0.04, -1, 0.1, 0.02},
                {"LightRight", -0.043, 0.04, 1, 0.1, 0.02}};
#define BRACKET_COUNT ((int)(sizeof brackets / sizeof *brackets))
#define BRACKET_RADIUS 0.06 // of the ball that its inertia is taken from

#define TUBE_OFFSET 0.02 // from the plane of an interface to the middle of a tube
#define TUBE_RADIUS 0.016

// ---- attributes

typedef struct Reader {
    SomImporter *importer;
    const SomXml *xml;
    int node;
    SomHrdfLeftOut *left_out;
    bool failed;
} Reader;

static const SomXmlAttribute *attribute(const Reader *r, const char *name) {
    return som_xml_find_attribute(r->xml, r->node, som_str(name));
}

static void report_formula(Reader *r, const SomXmlAttribute *a, const char *wanted) {
    som_report(r->importer->diags, SOM_HRDF_FORMULA, a->span, "'%.*s' must be %s",
               SOM_STR_ARG(a->name), wanted);
    r->failed = true;
}

static bool read_number(Reader *r, const char *name, double *value) {
    const SomXmlAttribute *a = attribute(r, name);
    if (a != NULL && (!som_hrdf_number(a->value, value) || fabs(*value) > 1e6)) {
        report_formula(r, a, "a number, or a formula with + - * / ( ) and pi");
        *value = 0;
    }
    return a != NULL;
}

static double require_number(Reader *r, const char *name) {
    double value = 0;
    if (!read_number(r, name, &value)) {
        som_report(r->importer->diags, SOM_IMPORT_MISSING, r->xml->nodes[r->node].span,
                   "'%.*s' has no '%s'", SOM_STR_ARG(r->xml->nodes[r->node].name), name);
        r->failed = true;
    }
    return value;
}

static bool read_vector(Reader *r, const char *name, SomVec3 *value) {
    const SomXmlAttribute *a = attribute(r, name);
    if (a != NULL && (!som_hrdf_vector(a->value, value) || som_vec3_length(*value) > 1e6)) {
        report_formula(r, a, "three numbers");
        *value = som_vec3(0, 0, 0);
    }
    return a != NULL;
}

static void read_rotation(Reader *r, const char *name, SomMat3 *value) {
    const SomXmlAttribute *a = attribute(r, name);
    if (a != NULL && !som_hrdf_rotation(a->value, value)) {
        report_formula(r, a, "nine numbers, or turns such as Rx(pi/2)*Rz(pi)");
    }
}

// One of the words, in any case; -1 after a report.
static int read_word(Reader *r, const char *name, const char *otherwise, const char *const *words,
                     int count) {
    const SomXmlAttribute *a = attribute(r, name);
    SomStr value = a != NULL ? a->value : som_str(otherwise);
    SomSpan span = a != NULL ? a->span : r->xml->nodes[r->node].span;
    for (int i = 0; i < count; i++) {
        if (som_str_equal_any_case(value, som_str(words[i]))) {
            if (!som_str_equal(value, som_str(words[i]))) {
                som_report(r->importer->diags, SOM_HRDF_CASE, span, "'%.*s' is written '%s'",
                           SOM_STR_ARG(value), words[i]);
            }
            return i;
        }
    }
    SomText list = {0};
    for (int i = 0; i < count; i++) {
        som_text_printf(&list, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    som_report(r->importer->diags, SOM_HRDF_TYPE, span, "%s '%.*s' of '%.*s' is not known", name,
               SOM_STR_ARG(value), SOM_STR_ARG(r->xml->nodes[r->node].name));
    som_note(r->importer->diags, (SomSpan){0}, "there is %s", list.data);
    som_text_free(&list);
    r->failed = true;
    return -1;
}

// ---- masses

static SomMat3 symmetric(const double v[6]) {
    return (SomMat3){{{v[0], v[3], v[4]}, {v[3], v[1], v[5]}, {v[4], v[5], v[2]}}};
}

static void forbid_both(Reader *r, const char *a, const char *b) {
    const SomXmlAttribute *second = attribute(r, b);
    if (attribute(r, a) != NULL && second != NULL) {
        som_report(r->importer->diags, SOM_HRDF_BOTH, second->span, "'%s' is given beside '%s'", b,
                   a);
        r->failed = true;
    }
}

// What the file says instead of the figures, or on top of them.
static void read_mass(Reader *r, SomHrdfElement *e) {
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    double more = 0, moments[6] = {0};
    SomVec3 shift = {0, 0, 0};
    forbid_both(r, "mass", "mass_offset");
    forbid_both(r, "com_trans", "com_trans_offset");
    double old = e->inertia.mass;
    if (read_number(r, "mass", &e->inertia.mass) && e->inertia.mass < 0) {
        report_formula(r, attribute(r, "mass"), "0 or more");
    }
    if (read_number(r, "mass_offset", &more)) {
        e->inertia.mass = fmax(e->inertia.mass + more, 0);
    }
    if (old > 0 && e->inertia.mass > 0) {
        double share = e->inertia.mass / old;
        for (int i = 0; i < 9; i++) {
            e->inertia.moments.m[i / 3][i % 3] *= share;
        }
    }
    read_vector(r, "com_trans", &e->inertia.center);
    if (read_vector(r, "com_trans_offset", &shift)) {
        e->inertia.center = som_vec3_add(e->inertia.center, shift);
    }
    bool is_given = false;
    for (int i = 0; i < 6; i++) {
        is_given = read_number(r, names[i], &moments[i]) || is_given;
    }
    SomMat3 turn = som_mat3_identity();
    read_rotation(r, "com_rot", &turn);
    if (is_given) {
        SomInertia own = {.mass = 1, .moments = symmetric(moments)};
        e->inertia.moments = som_inertia_transform((SomPose){turn, som_vec3(0, 0, 0)}, own).moments;
    }
}

// ---- elements

static void add_output(SomHrdfElement *e, const char *bolts, SomPose pose) {
    if (e->output_count < SOM_HRDF_MAX_OUTPUTS) {
        e->outputs[e->output_count++] = (SomHrdfInterface){som_str(bolts), pose};
    }
}

static void read_actuator(Reader *r, SomHrdfElement *e) {
    const char *words[ACTUATOR_COUNT];
    for (int i = 0; i < ACTUATOR_COUNT; i++) {
        words[i] = actuators[i].type;
    }
    int at = read_word(r, "type", "", words, ACTUATOR_COUNT);
    const Series *s = NULL;
    for (size_t i = 0; at >= 0 && i < sizeof series / sizeof *series; i++) {
        s = som_str_starts_with(som_str(words[at]), som_str(series[i].prefix)) ? &series[i] : s;
    }
    if (at < 0 || s == NULL) {
        if (at >= 0) {
            som_report(r->importer->diags, SOM_HRDF_NO_FIGURES, r->xml->nodes[r->node].span,
                       "there are no figures of actuator '%s'", words[at]);
        }
        r->failed = true;
        return;
    }
    e->inertia.mass = actuators[at].mass;
    e->inertia.center = som_vec3(s->center[0], s->center[1], s->center[2]);
    e->inertia.moments = symmetric(s->moments);
    e->input = som_str(s->housing);
    e->has_axis = true;
    e->axis = (SomModelAxis){.type = SOM_JOINT_REVOLUTE,
                             .direction = som_vec3(0, 0, 1),
                             .low = (double)-INFINITY,
                             .high = (double)INFINITY,
                             .effort = actuators[at].effort,
                             .speed = actuators[at].speed,
                             .damping = s->damping,
                             .friction = s->friction};
    add_output(e, s->shaft, som_pose_translation(som_vec3(0, 0, s->output)));
}

static void read_bracket(Reader *r, SomHrdfElement *e) {
    static const char *const makes[3] = {"X5", "R8", "R25"};
    char names[3 * BRACKET_COUNT][32];
    const char *words[3 * BRACKET_COUNT];
    for (int i = 0; i < 3 * BRACKET_COUNT; i++) {
        snprintf(names[i], sizeof names[i], "%s%s", makes[i / BRACKET_COUNT],
                 brackets[i % BRACKET_COUNT].ending);
        words[i] = names[i];
    }
    int at = read_word(r, "type", "", words, 3 * BRACKET_COUNT);
    if (at >= 2 * BRACKET_COUNT) {
        som_report(r->importer->diags, SOM_HRDF_NO_FIGURES, r->xml->nodes[r->node].span,
                   "there are no figures of bracket '%s'", words[at]);
        r->failed = true;
    }
    if (at < 0 || r->failed) {
        return;
    }
    int k = at % BRACKET_COUNT;
    bool is_x = at < BRACKET_COUNT;
    double moment = 0.4 * brackets[k].mass * BRACKET_RADIUS * BRACKET_RADIUS;
    e->inertia.mass = brackets[k].mass;
    e->inertia.center = som_vec3(0, brackets[k].y / 2, brackets[k].center_z);
    e->inertia.moments = symmetric((const double[6]){moment, moment, moment, 0, 0, 0});
    e->input = is_x ? SOM_STR("X-AO") : SOM_STR("R8-AO");
    SomPose out = {som_rotation_x(brackets[k].quarters * SOM_PI / 2),
                   som_vec3(0, brackets[k].y, brackets[k].z)};
    add_output(e, is_x ? "X-AH" : "R8-AH", out);
}

// Where the far end of a link is: its input and output each in line with the tube, or across.
static SomPose tube_end(bool is_across_in, bool is_across_out, double extension, double twist) {
    double s, c;
    som_sincos(twist, &s, &c);
    if (is_across_in && is_across_out) {
        return (SomPose){som_rotation_x(twist),
                         som_vec3(extension, -s * TUBE_OFFSET, TUBE_OFFSET * (1 + c))};
    }
    if (is_across_in) {
        SomVec3 turn = {SOM_PI / 2, twist + SOM_PI / 2, SOM_PI / 2};
        return (SomPose){som_turn_rotation(turn), som_vec3(extension, 0, TUBE_OFFSET)};
    }
    if (is_across_out) { // sin(t - pi/2) = -cos t, cos(t - pi/2) = sin t
        SomVec3 turn = {SOM_PI / 2, -SOM_PI / 2, twist - SOM_PI / 2};
        return (SomPose){som_turn_rotation(turn),
                         som_vec3(-c * TUBE_OFFSET, -s * TUBE_OFFSET, extension)};
    }
    return (SomPose){som_rotation_z(twist), som_vec3(0, 0, extension)};
}

static void read_link(Reader *r, SomHrdfElement *e) {
    static const char *const types[4] = {"X5", "R8", "R25", "R25-R8"};
    static const char *const ways[2] = {"RightAngle", "Inline"};
    int type = read_word(r, "type", "", types, 4);
    int in = read_word(r, "input", "RightAngle", ways, 2);
    int out = read_word(r, "output", "RightAngle", ways, 2);
    double length = require_number(r, "extension"), twist = require_number(r, "twist");
    if (type >= 2) {
        som_report(r->importer->diags, SOM_HRDF_NO_FIGURES, r->xml->nodes[r->node].span,
                   "there are no figures of link '%s'", types[type]);
        r->failed = true;
    }
    if (r->failed) {
        return;
    }
    double mass = 0.4 * (length + 0.03) + 0.26, square = TUBE_OFFSET * TUBE_OFFSET;
    double across = mass * (length * length + 6 * square) / 12;
    e->inertia.mass = fmax(mass, 0);
    e->inertia.center = som_vec3(length / 2, 0, TUBE_OFFSET);
    e->inertia.moments = symmetric((const double[6]){mass * square / 2, across, across, 0, 0, 0});
    e->has_tube = length > 0.03;
    e->tube[0] = in == 0 ? som_vec3(0.0127, 0, TUBE_OFFSET) : som_vec3(0, 0, 0.0127);
    e->tube[1] =
        in == 0 ? som_vec3(length - 0.0127, 0, TUBE_OFFSET) : som_vec3(0, 0, length - 0.0127);
    if (in != 0) { // the rod lies along z
        e->inertia.center = som_vec3(0, 0, length / 2);
        e->inertia.moments =
            symmetric((const double[6]){across, across, mass * square / 2, 0, 0, 0});
    }
    e->input = type == 0 ? SOM_STR("X-AO") : SOM_STR("R8-AO");
    add_output(e, type == 0 ? "X-AH" : "R8-AH", tube_end(in == 0, out == 0, length, twist));
}

static SomPose read_output(Reader *r) {
    SomPose pose = som_pose_identity();
    read_rotation(r, "output_rot", &pose.rotation);
    read_vector(r, "output_trans", &pose.position);
    return pose;
}

static void read_mesh(Reader *r, SomHrdfElement *e) {
    const SomXmlAttribute *mesh = attribute(r, "mesh_path");
    e->mesh_pose = som_pose_identity();
    read_rotation(r, "mesh_rot", &e->mesh_pose.rotation);
    read_vector(r, "mesh_trans", &e->mesh_pose.position);
    if (mesh != NULL) {
        e->mesh = som_arena_copy(&r->importer->arena, mesh->value);
        e->mesh_span = mesh->span;
    }
}

// A body may say where each of its outputs is.
static void read_outputs(Reader *r, SomHrdfElement *e, SomPose usual) {
    int body = r->node;
    int node = som_xml_child(r->xml, body, SOM_STR("output"));
    if (node < 0) {
        add_output(e, "any", usual);
    }
    for (; node >= 0; node = som_xml_next(r->xml, node, SOM_STR("output"))) {
        SomPose pose = usual;
        r->node = node;
        read_rotation(r, "rot", &pose.rotation);
        read_vector(r, "trans", &pose.position);
        if (e->output_count == SOM_HRDF_MAX_OUTPUTS) {
            som_report(r->importer->diags, SOM_HRDF_OUTPUTS, r->xml->nodes[node].span,
                       "a body has at most %d outputs", SOM_HRDF_MAX_OUTPUTS);
            r->failed = true;
            break;
        }
        add_output(e, "any", pose);
    }
    r->node = body;
}

static void read_body(Reader *r, SomHrdfElement *e) {
    if (attribute(r, "mass") == NULL) { // read with the rest
        require_number(r, "mass");
    }
    e->input = SOM_STR("any");
    read_outputs(r, e, read_output(r));
    read_mesh(r, e);
}

static void read_joint(Reader *r, SomHrdfElement *e) {
    static const char *const words[6] = {"rx", "ry", "rz", "tx", "ty", "tz"};
    int at = read_word(r, "axis", "", words, 6);
    double ratio = 1;
    const SomXmlAttribute *gear = attribute(r, "gear_ratio");
    if (read_number(r, "gear_ratio", &ratio) && ratio != 1 && r->left_out->gears++ == 0) {
        r->left_out->gear_span = gear->span;
    }
    e->input = SOM_STR("any");
    e->has_axis = true;
    e->axis = (SomModelAxis){.type = at >= 3 ? SOM_JOINT_PRISMATIC : SOM_JOINT_REVOLUTE,
                             .direction = som_vec3(at % 3 == 0, at % 3 == 1, at % 3 == 2),
                             .low = (double)-INFINITY,
                             .high = (double)INFINITY};
    add_output(e, "any", som_pose_identity());
}

static void read_end(Reader *r, SomHrdfElement *e) {
    static const char *const words[3] = {"Custom", "X5Parallel", "R8Parallel"};
    int at = read_word(r, "type", "Custom", words, 3);
    bool is_gripper = at > 0;
    e->input = at == 1 ? SOM_STR("X-AO") : at == 2 ? SOM_STR("R8-AO") : SOM_STR("any");
    e->is_end = true;
    if (is_gripper) { // its base, a cylinder
        double mass = 0.072, radius = 0.0225, height = 0.0075;
        double flat = mass * (3 * radius * radius + height * height) / 12;
        e->inertia.mass = mass;
        e->inertia.moments =
            symmetric((const double[6]){flat, flat, mass * radius * radius / 2, 0, 0, 0});
        if (r->left_out->fingers++ == 0) {
            r->left_out->finger_span = r->xml->nodes[r->node].span;
        }
    }
    SomPose tip = read_output(r);
    if (is_gripper && attribute(r, "output_trans") == NULL) {
        tip.position = som_vec3(0, 0, 0.05);
    }
    add_output(e, "none", tip);
}

// ---- what is left out

static const char *const of_actuators[] = {"type", NULL};
static const char *const of_links[] = {"type", "input", "output", "extension", "twist", NULL};
static const char *const of_bodies[] = {"output_rot", "output_trans", "mesh_path",
                                        "mesh_rot",   "mesh_trans",   NULL};
static const char *const of_joints[] = {"axis", "gear_ratio", NULL};
static const char *const of_ends[] = {"type", "output_rot", "output_trans", NULL};

static void leave_out_others(Reader *r, const char *const *own) {
    static const char *const all[] = {
        "tag", "mass", "mass_offset", "com_rot", "com_trans", "com_trans_offset",
        "ixx", "iyy",  "izz",         "ixy",     "ixz",       "iyz"};
    static const char *const of_outputs[] = {"rot", "trans", NULL}, *const none[] = {NULL};
    const char *known[24] = {NULL};
    int count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        known[count++] = all[i];
    }
    for (; *own != NULL; own++) {
        known[count++] = *own;
    }
    bool is_body = som_str_equal(r->xml->nodes[r->node].name, SOM_STR("rigid-body"));
    som_xml_leave_out_attributes(&r->left_out->others, r->xml, r->node, known);
    for (int node = som_xml_child(r->xml, r->node, SOM_STR("output")); node >= 0;
         node = som_xml_next(r->xml, node, SOM_STR("output"))) {
        som_xml_leave_out_attributes(&r->left_out->others, r->xml, node,
                                     is_body ? of_outputs : none);
    }
}

static void report_some(SomDiagnostics *diags, SomSpan span, int count, const char *words) {
    SomText times = {0};
    if (count > 1) {
        som_text_printf(&times, ", %d times", count);
    }
    if (count > 0) {
        som_report(diags, SOM_HRDF_NOT_CARRIED, span, "%s%s", words, som_text_str(&times).data);
    }
    som_text_free(&times);
}

void som_hrdf_report_left_out(SomHrdfLeftOut *left_out, SomDiagnostics *diags) {
    report_some(diags, left_out->gear_span, left_out->gears,
                "the gear ratio is left out: values are those of the output");
    report_some(diags, left_out->finger_span, left_out->fingers,
                "the fingers of the gripper are left out: HRDF has their frame only");
    som_xml_report_left_out(&left_out->others, diags);
    *left_out = (SomHrdfLeftOut){0};
}

// ---- the whole

bool som_hrdf_read_element(SomImporter *importer, const SomXml *xml, int node,
                           SomHrdfLeftOut *left_out, SomHrdfElement *e) {
    static const struct {
        const char *name;
        void (*read)(Reader *r, SomHrdfElement *e);
        const char *const *attributes;
    } kinds[] = {{"actuator", read_actuator, of_actuators},
                 {"bracket", read_bracket, of_actuators},
                 {"link", read_link, of_links},
                 {"rigid-body", read_body, of_bodies},
                 {"joint", read_joint, of_joints},
                 {"end-effector", read_end, of_ends}};
    Reader r = {importer, xml, node, left_out, false};
    *e = (SomHrdfElement){0};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (som_str_equal(xml->nodes[node].name, som_str(kinds[i].name))) {
            kinds[i].read(&r, e);
            read_mass(&r, e);
            leave_out_others(&r, kinds[i].attributes);
            SomText what = {0};
            SomStr type = som_xml_attribute(xml, node, SOM_STR("type"));
            som_text_printf(&what, "%.*s",
                            SOM_STR_ARG(type.length > 0 ? type : xml->nodes[node].name));
            e->what = som_arena_copy(&importer->arena, som_text_str(&what));
            som_text_free(&what);
            return !r.failed;
        }
    }
    som_report(importer->diags, SOM_HRDF_ELEMENT, xml->nodes[node].span,
               "'%.*s' is no element of a robot",
               SOM_STR_ARG(som_str_slice(xml->nodes[node].name, 0, 60)));
    return false;
}
