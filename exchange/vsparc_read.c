// SPDX-License-Identifier: Apache-2.0
// Files of VSPARC → SomVsparc.

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "exchange/conf.h"
#include "exchange/quaternion.h"
#include "exchange/vsparc.h"
#include "exchange/xml_input.h"
#include "language/unit.h"

#include <math.h>

#define METRES 0.1       // of a unit of Unity
#define MOST_UNITS 1e6   // a coordinate
#define MOST_VALUE 1e6   // degrees, or degrees per second
#define MOST_SECONDS 1e5 // of a state

static const char *const parts[SOM_VSPARC_PARTS] = {"FrontWheel", "LeftWheel", "RightWheel", "Body",
                                                    "BackPlate"};

typedef struct Reader {
    SomConfReader conf;
    SomXmlLeftOut left_out;
    int expressions;
    SomSpan expression_span;
    SomStr expression;
} Reader;

// ---- elements

static const SomXmlNode *node_of(const Reader *r, int node) {
    return &r->conf.xml->nodes[node];
}

static const char *const attributes[] = {"name", NULL};

static void leave_out_others(Reader *r, int node, const char *const *names) {
    som_xml_leave_out_others(&r->left_out, r->conf.xml, node, names, attributes);
}

static void leave_out_strangers(Reader *r, int list, const char *name) {
    som_xml_leave_out_strangers(&r->left_out, r->conf.xml, list, name, attributes);
}

static void fail(Reader *r, SomCode code, SomSpan span, const char *words) {
    som_report(r->conf.diags, code, span, "%s", words);
    r->conf.failed = true;
}

// The name of an element, which is an attribute.
static SomStr read_name(Reader *r, int node, const char *of) {
    SomStr name = som_xml_attribute(r->conf.xml, node, SOM_STR("name"));
    bool fine = name.length > 0 && name.length <= 200;
    for (size_t i = 0; fine && i < name.length; i++) {
        fine = (unsigned char)name.data[i] >= 0x20 && name.data[i] != 0x7f;
    }
    if (!fine) {
        som_report(r->conf.diags, SOM_IMPORT_BAD_NAME, node_of(r, node)->span,
                   name.length == 0 ? "this %s has no name"
                                    : "the name of this %s is not one line of at most 200 bytes",
                   of);
        r->conf.failed = true;
    }
    return som_arena_copy(&r->conf.importer->arena, name);
}

static double read_number(Reader *r, int node, const char *name, double most) {
    double value = 0;
    som_conf_numbers(&r->conf, node, name, 1, 1, most, &value);
    return value;
}

static double read_period(Reader *r, int node) {
    double period = 0;
    int count = som_conf_numbers(&r->conf, node, "period", 0, 1, MOST_SECONDS, &period);
    if (count > 0 && period < 0) {
        int child = som_xml_child(r->conf.xml, node, SOM_STR("period"));
        fail(r, SOM_IMPORT_OUT_OF_RANGE, node_of(r, child)->text_span, "no period is negative");
    }
    return period;
}

// ---- poses

// y and z change places, which makes the axes right-handed; so does, on the part's side, the
// other way of its y.
static SomPose from_unity(SomVec3 p, SomMat3 r) {
    SomMat3 turned = r;
    for (int i = 0; i < 3; i++) {
        int row = i == 0 ? 0 : 3 - i;
        turned.m[row][0] = r.m[i][0];
        turned.m[row][1] = -r.m[i][1];
        turned.m[row][2] = r.m[i][2];
    }
    return (SomPose){turned, som_vec3(p.x * METRES, p.z * METRES, p.y * METRES)};
}

static bool read_pose(Reader *r, int node, SomPose *pose) {
    static const char *const known[] = {"x", "y", "z", NULL};
    static const char *const known_turn[] = {"x", "y", "z", "w", "eulerAngles", NULL};
    int position = som_conf_need(&r->conf, node, "position");
    int rotation = som_conf_need(&r->conf, node, "rotation");
    if (position < 0 || rotation < 0) {
        return false;
    }
    bool fine = !r->conf.failed;
    SomVec3 p = {read_number(r, position, "x", MOST_UNITS),
                 read_number(r, position, "y", MOST_UNITS),
                 read_number(r, position, "z", MOST_UNITS)};
    SomQuat q = {.x = read_number(r, rotation, "x", 2),
                 .y = read_number(r, rotation, "y", 2),
                 .z = read_number(r, rotation, "z", 2),
                 .w = read_number(r, rotation, "w", 2)};
    leave_out_others(r, position, known);
    leave_out_others(r, rotation, known_turn);
    SomMat3 turn = som_mat3_identity();
    if (fine && !r->conf.failed) {
        r->conf.failed =
            !som_importer_quaternion(r->conf.importer, q, node_of(r, rotation)->span, &turn);
    }
    *pose = from_unity(p, turn);
    return !r->conf.failed;
}

static int find_part(SomStr name, const char *const *names, int count) {
    for (int i = 0; i < count; i++) {
        if (som_str_equal(name, som_str(names[i]))) {
            return i;
        }
    }
    return -1;
}

static void read_parts(Reader *r, int list, SomVsparcModule *module) {
    static const char *const known_part[] = {"position", "rotation", NULL};
    leave_out_strangers(r, list, "PartState");
    for (int node = som_xml_child(r->conf.xml, list, SOM_STR("PartState")); node >= 0;
         node = som_xml_next(r->conf.xml, node, SOM_STR("PartState"))) {
        SomStr name = read_name(r, node, "part");
        int part = find_part(name, parts, SOM_VSPARC_PARTS);
        if (part < 0) {
            som_xml_leave_out(&r->left_out, r->conf.xml, node);
        } else if (module->has_part[part]) {
            som_report(r->conf.diags, SOM_IMPORT_NAME_TAKEN, node_of(r, node)->span,
                       "there are two parts '%s' in a module", parts[part]);
            r->conf.failed = true;
        } else {
            module->has_part[part] = read_pose(r, node, &module->parts[part]);
            leave_out_others(r, node, known_part);
        }
    }
}

// ---- commands

static bool is_word(SomStr text) {
    bool fine = text.length > 0 && text.length <= 100;
    for (size_t i = 0; fine && i < text.length; i++) {
        char c = text.data[i];
        bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
        fine = is_letter || (i > 0 && c >= '0' && c <= '9');
    }
    return fine;
}

// A number, the name of a parameter, or something that only the lab's programs understand.
static void read_parameter(Reader *r, int node, SomVsparcCommand *command, double degrees) {
    int child = som_xml_child(r->conf.xml, node, SOM_STR("parametricValue"));
    SomStr text = child >= 0 ? node_of(r, child)->text : SOM_STR("");
    double number;
    bool is_negated = text.length > 0 && text.data[0] == '-';
    SomStr word = som_str_slice(text, is_negated, text.length);
    bool is_number = som_number_parse(text, &number);
    if (text.length == 0 || (is_number && number == degrees)) {
        return;
    }
    if (!is_number && is_word(word)) {
        command->parameter = som_arena_copy(&r->conf.importer->arena, word);
        command->is_negated = is_negated;
        return;
    }
    if (r->expressions++ == 0) {
        r->expression_span = node_of(r, child)->text_span;
        r->expression = som_str_slice(text, 0, 60);
    }
}

static void read_command(Reader *r, int node, SomVsparcModule *module) {
    static const char *const known[] = {"commandType", "targetValue", "period", "parametricValue",
                                        NULL};
    SomStr name = read_name(r, node, "joint command");
    int joint = find_part(name, parts, SOM_VSPARC_BACK_PLATE);
    leave_out_others(r, node, known);
    if (joint < 0 || module->commands[joint].is_given) {
        SomText words = {0};
        som_text_printf(&words,
                        joint < 0 ? "a module has no joint '%.*s'"
                                  : "there are two commands for '%.*s' in a module",
                        SOM_STR_ARG(som_str_slice(name, 0, 60)));
        fail(r, joint < 0 ? SOM_VSPARC_NO_SUCH_JOINT : SOM_IMPORT_NAME_TAKEN,
             node_of(r, node)->span, words.data);
        som_text_free(&words);
        return;
    }
    SomVsparcCommand *command = &module->commands[joint];
    command->is_given = true;
    command->span = node_of(r, node)->span;
    int type = som_conf_need(&r->conf, node, "commandType");
    SomStr kind = type >= 0 ? node_of(r, type)->text : SOM_STR("");
    command->is_velocity = som_str_equal(kind, SOM_STR("Velocity"));
    if (type >= 0 && !command->is_velocity && !som_str_equal(kind, SOM_STR("Position"))) {
        fail(r, SOM_VSPARC_COMMAND_TYPE, node_of(r, type)->text_span,
             "a joint command is of type Position or Velocity");
    }
    double degrees = read_number(r, node, "targetValue", MOST_VALUE);
    command->value = som_unit_to_si(som_unit_find(SOM_STR("deg")), degrees);
    command->period = read_period(r, node);
    read_parameter(r, node, command, degrees);
}

// ---- modules

static void read_module(Reader *r, int node, SomVsparcState *state) {
    static const char *const known[] = {"position",      "rotation",   "period",
                                        "JointCommands", "PartStates", NULL};
    SomVsparcModule module = {.span = node_of(r, node)->span};
    module.name = read_name(r, node, "module");
    leave_out_others(r, node, known);
    SomPose pose = som_pose_identity();
    bool has_pose = read_pose(r, node, &pose);
    read_period(r, node);
    int list = som_xml_child(r->conf.xml, node, SOM_STR("PartStates"));
    if (list >= 0) {
        read_parts(r, list, &module);
    }
    if (!module.has_part[SOM_VSPARC_BACK_PLATE]) { // whose pose is that of the module
        module.parts[SOM_VSPARC_BACK_PLATE] = pose;
        module.has_part[SOM_VSPARC_BACK_PLATE] = has_pose;
    }
    list = som_xml_child(r->conf.xml, node, SOM_STR("JointCommands"));
    if (list >= 0) {
        leave_out_strangers(r, list, "JointCommand");
        for (int child = som_xml_child(r->conf.xml, list, SOM_STR("JointCommand")); child >= 0;
             child = som_xml_next(r->conf.xml, child, SOM_STR("JointCommand"))) {
            read_command(r, child, &module);
        }
    }
    som_array_push(&state->modules, module);
}

static void read_modules(Reader *r, int node, SomVsparcState *state) {
    int list = som_conf_need(&r->conf, node, "ModuleStates");
    if (list < 0) {
        return;
    }
    leave_out_strangers(r, list, "ModuleState");
    for (int child = som_xml_child(r->conf.xml, list, SOM_STR("ModuleState")); child >= 0;
         child = som_xml_next(r->conf.xml, child, SOM_STR("ModuleState"))) {
        if (state->modules.count == SOM_IMPORT_MAX_MODULES) {
            som_report(r->conf.diags, SOM_IMPORT_TOO_MANY, node_of(r, child)->span,
                       "there are more than %d modules", SOM_IMPORT_MAX_MODULES);
            r->conf.failed = true;
            return;
        }
        read_module(r, child, state);
    }
    if (state->modules.count == 0) {
        fail(r, SOM_IMPORT_EMPTY, node_of(r, list)->span, "there are no modules");
    }
}

// ---- connections

static int read_face(Reader *r, int node, const char *name) {
    static const char *const faces[4] = {"FrontWheel", "LeftWheel", "RightWheel", "BackPlate"};
    int child = som_conf_need(&r->conf, node, name);
    if (child < 0) {
        return -1;
    }
    int face = find_part(node_of(r, child)->text, faces, 4);
    if (face < 0) {
        som_report(r->conf.diags, SOM_VSPARC_NO_SUCH_NODE, node_of(r, child)->text_span,
                   "a module has no node '%.*s'",
                   SOM_STR_ARG(som_str_slice(node_of(r, child)->text, 0, 60)));
        r->conf.failed = true;
    }
    return face;
}

static void read_connection(Reader *r, int node, SomVsparcState *state) {
    static const char *const known[] = {"moduleName1", "moduleName2", "nodeName1", "nodeName2",
                                        "distance",    "angle",       NULL};
    SomVsparcConnection c = {.span = node_of(r, node)->span};
    for (int i = 0; i < 2; i++) {
        SomStr name =
            som_conf_name(&r->conf, node, i == 0 ? "moduleName1" : "moduleName2", &c.name_spans[i]);
        c.names[i] = som_arena_copy(&r->conf.importer->arena, name);
        c.faces[i] = read_face(r, node, i == 0 ? "nodeName1" : "nodeName2");
    }
    SomLabConnection offsets = {0};
    som_conf_offsets(&r->conf, node, &offsets);
    c.distance = offsets.distance * METRES;
    c.angle = offsets.angle;
    leave_out_others(r, node, known);
    som_array_push(&state->connections, c);
}

static void read_connections(Reader *r, int node, SomVsparcState *state) {
    int list = som_xml_child(r->conf.xml, node, SOM_STR("Connections"));
    if (list < 0) {
        return;
    }
    leave_out_strangers(r, list, "Connection");
    for (int child = som_xml_child(r->conf.xml, list, SOM_STR("Connection")); child >= 0;
         child = som_xml_next(r->conf.xml, child, SOM_STR("Connection"))) {
        read_connection(r, child, state);
    }
}

// ---- states

static void read_state(Reader *r, int node, SomVsparc *vsparc) {
    static const char *const known[] = {"anchorModuleName", "period", "ModuleStates", "Connections",
                                        NULL};
    SomVsparcState state = {.span = node_of(r, node)->span};
    leave_out_others(r, node, known);
    int anchor = som_xml_child(r->conf.xml, node, SOM_STR("anchorModuleName"));
    if (anchor >= 0) {
        state.anchor = som_arena_copy(&r->conf.importer->arena, node_of(r, anchor)->text);
        state.anchor_span = node_of(r, anchor)->text_span;
    }
    state.period = read_period(r, node);
    read_modules(r, node, &state);
    read_connections(r, node, &state);
    som_array_push(&vsparc->states, state);
}

static void read_states(Reader *r, int root, SomVsparc *vsparc) {
    static const char *const known[] = {"RobotStates", NULL};
    leave_out_others(r, root, known);
    int list = som_conf_need(&r->conf, root, "RobotStates");
    if (list < 0) {
        return;
    }
    leave_out_strangers(r, list, "RobotState");
    for (int child = som_xml_child(r->conf.xml, list, SOM_STR("RobotState")); child >= 0;
         child = som_xml_next(r->conf.xml, child, SOM_STR("RobotState"))) {
        read_state(r, child, vsparc);
    }
    if (vsparc->states.count == 0) {
        fail(r, SOM_VSPARC_NO_STATES, node_of(r, list)->span, "there are no states");
    }
}

static void report_expressions(const Reader *r) {
    if (r->expressions > 0) {
        SomText others = {0};
        if (r->expressions > 1) {
            som_text_printf(&others, ", here and %d times more", r->expressions - 1);
        }
        som_report(r->conf.diags, SOM_VSPARC_VALUE_DIFFERS, r->expression_span,
                   "the parametricValue '%.*s' is not the targetValue, which counts%.*s",
                   SOM_STR_ARG(r->expression), SOM_STR_ARG(som_text_str(&others)));
        som_text_free(&others);
    }
}

bool som_vsparc_read(SomImporter *importer, const SomImportFile *file, SomVsparc *vsparc) {
    SomXml *xml = som_xml_read(file->text, file->source1, importer->diags);
    if (xml == NULL) {
        return false;
    }
    Reader r = {.conf = {importer, xml, importer->diags, false}};
    int state = som_xml_child(xml, SOM_XML_TOP, SOM_STR("RobotStateObject"));
    int behavior = som_xml_child(xml, SOM_XML_TOP, SOM_STR("Behavior"));
    if (state >= 0) {
        read_state(&r, state, vsparc);
    } else if (behavior >= 0) {
        read_states(&r, behavior, vsparc);
    } else {
        fail(&r, SOM_IMPORT_MISSING, (SomSpan){file->source1, 0, 0},
             "there is no 'RobotStateObject' or 'Behavior' in this file");
    }
    som_xml_report_left_out(&r.left_out, importer->diags);
    report_expressions(&r);
    som_xml_destroy(xml);
    return !r.conf.failed;
}

void som_vsparc_free(SomVsparc *vsparc) {
    for (int i = 0; i < vsparc->states.count; i++) {
        som_array_free(&vsparc->states.data[i].modules);
        som_array_free(&vsparc->states.data[i].connections);
    }
    som_array_free(&vsparc->states);
}
