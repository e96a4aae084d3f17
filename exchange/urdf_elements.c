// SPDX-License-Identifier: Apache-2.0
// Elements of URDF: numbers, origins, what is kept and what is counted.

#include "base/codes/exchange_codes.h"
#include "base/file_scope.h"
#include "base/number.h"
#include "exchange/kept_plugins.h"
#include "exchange/named_file.h"
#include "exchange/quaternion.h"
#include "exchange/urdf_read.h"

#include <math.h>
#include <stdarg.h>

// ---- what is told

void som_urdf_report_often(SomUrdfReader *r) {
    static const struct {
        SomCode code;
        const char *before, *after;
    } words[SOM_URDF_OFTEN_COUNT] = {
        [SOM_URDF_NO_FILES] = {SOM_MODEL_NO_MESH, "", " was not found, so it was left out"},
        [SOM_URDF_OUTSIDE] = {SOM_MODEL_NO_MESH, "", " " SOM_FILE_OUTSIDE ", so it was left out"},
        [SOM_URDF_NO_MATERIALS] = {SOM_URDF_HALF_WRITTEN, "material ", " is defined nowhere"},
        [SOM_URDF_TEXTURES] = {SOM_URDF_LEFT_OUT, "texture ", " was left out"},
        [SOM_URDF_MIMICS] = {SOM_URDF_MIMIC, "joint ",
                             " follows another there and moves freely here"},
        [SOM_URDF_NO_LIMITS] = {SOM_URDF_LIMIT, "joint ", " has no <limit>, so it has none here"},
        [SOM_URDF_NO_BOUNDS] = {SOM_URDF_LIMIT, "joint ",
                                " has neither a lower nor an upper limit, so it has none here"},
        [SOM_URDF_EXCHANGED] = {SOM_URDF_LIMIT, "the lower limit of joint ",
                                " is above the upper one; they were exchanged"},
        [SOM_URDF_NO_RANGE] = {SOM_URDF_LEFT_OUT, "joint ",
                               " moves several ways, so its <limit> and <dynamics> were left out"},
        [SOM_URDF_ZEROS] = {SOM_URDF_LEFT_OUT, "effort or velocity of joint ",
                            " is 0, which is not given here"},
        [SOM_URDF_NO_INERTIA] = {SOM_URDF_HALF_WRITTEN, "the inertia of link ",
                                 " follows from its shape and mass"},
        [SOM_URDF_ELEMENTS] = {SOM_URDF_LEFT_OUT, "element ", " was left out"},
        [SOM_URDF_ATTRIBUTES] = {SOM_URDF_LEFT_OUT, "attribute ", " was left out"},
    };
    for (int i = 0; i < SOM_URDF_OFTEN_COUNT; i++) {
        bool has_outside = i == SOM_URDF_OUTSIDE && r->often[i].names.count > 0;
        som_tally_report(&r->often[i], words[i].code, words[i].before, words[i].after, r->diags);
        if (has_outside) {
            som_asset_note_folders(r->importer, r->file->path);
        }
    }
}

void som_urdf_half(SomUrdfReader *r, SomSpan span, const char *format, ...) {
    va_list args;
    va_start(args, format);
    som_report_list(r->diags, SOM_URDF_HALF_WRITTEN, span, format, args);
    va_end(args);
}

// ---- numbers

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',';
}

// -1 if there is anything else, or more than `max`.
static int read_numbers(SomStr text, double *values, int max) {
    int count = 0;
    for (size_t at = 0; at < text.length;) {
        size_t end = at;
        while (end < text.length && !is_blank(text.data[end])) {
            end++;
        }
        double value;
        if (end > at) {
            SomStr word = som_str_slice(text, at, end);
            if (count == max || !som_number_parse(word, &value) || !isfinite(value)) {
                return -1;
            }
            values[count++] = value;
        }
        at = end + 1;
    }
    return count;
}

bool som_urdf_read_numbers(SomUrdfReader *r, int node, const char *attribute, double *values,
                           int count) {
    const SomXmlAttribute *found = som_xml_find_attribute(r->xml, node, som_str(attribute));
    double read[16];
    if (found == NULL) {
        return false;
    }
    if (read_numbers(found->value, read, count) != count) {
        som_urdf_half(r, found->span,
                      count == 1 ? "'%s' is not a number, so it was left out"
                                 : "'%s' is not %d numbers, so it was left out",
                      attribute, count);
        return false;
    }
    memcpy(values, read, sizeof *values * (size_t)count);
    return true;
}

bool som_urdf_read_number(SomUrdfReader *r, int node, const char *attribute, double *value) {
    return som_urdf_read_numbers(r, node, attribute, value, 1);
}

SomPose som_urdf_read_origin(SomUrdfReader *r, int node) {
    SomPose pose = som_pose_identity();
    int origin = som_xml_child(r->xml, node, SOM_STR("origin"));
    double xyz[3], rpy[3], quat[4];
    if (origin < 0) {
        return pose;
    }
    if (som_urdf_read_numbers(r, origin, "xyz", xyz, 3)) {
        pose.position = som_vec3(xyz[0], xyz[1], xyz[2]);
    }
    if (som_urdf_read_numbers(r, origin, "quat_xyzw", quat, 4)) {
        SomQuat q = {quat[0], quat[1], quat[2], quat[3]};
        SomSpan span = r->xml->nodes[origin].span;
        if (!som_importer_scaled_quaternion(r->importer, q, span, &pose.rotation)) {
            som_urdf_half(r, span, "a quaternion has the length 1");
        }
    } else if (som_urdf_read_numbers(r, origin, "rpy", rpy, 3)) {
        pose.rotation = som_rotation_from_rpy(rpy[0], rpy[1], rpy[2]);
    }
    return pose;
}

// ---- what is kept

void som_urdf_keep(SomUrdfReader *r, int node, SomText *out) {
    const SomXmlNode *element = &r->xml->nodes[node];
    if (out->length > 0) {
        som_text_add(out, SOM_STR("\n"));
    }
    if (r->is_expanded) {
        som_xml_print(r->xml, node, out);
    } else {
        som_text_add(out, som_str_slice(r->file->text, element->whole.begin, element->whole.end));
    }
    som_kept_report(r->importer, r->xml, node);
}

SomStr som_urdf_finish_kept(SomUrdfReader *r, SomText *text) {
    SomStr kept = som_arena_copy(&r->importer->arena, som_text_str(text));
    som_text_free(text);
    return kept;
}

bool som_urdf_is_in(SomStr word, const char *list) {
    SomStr rest = som_str(list);
    while (rest.length > 0) {
        const char *blank = memchr(rest.data, ' ', rest.length);
        size_t length = blank != NULL ? (size_t)(blank - rest.data) : rest.length;
        if (som_str_equal(word, som_str_slice(rest, 0, length))) {
            return true;
        }
        rest = som_str_slice(rest, length + 1, rest.length);
    }
    return false;
}

// What elements have that URDF knows: attributes, and elements in them.
static const char *const known_parts[][3] = {
    {"link", "name", "inertial visual collision"},
    {"joint", "name type", "origin parent child axis limit dynamics"},
    {"inertial", "", "origin mass inertia"},
    {"visual", "name", "origin geometry material"},
    {"collision", "name", "origin geometry"},
    {"geometry", "", "box cylinder sphere capsule mesh"},
    {"material", "name", "color texture"},
    {"origin", "xyz rpy quat_xyzw", ""},
    {"parent", "link", ""},
    {"child", "link", ""},
    {"axis", "xyz", ""},
    {"limit", "lower upper effort velocity", ""},
    {"dynamics", "damping friction", ""},
    {"mass", "value", ""},
    {"inertia", "ixx iyy izz ixy ixz iyz", ""},
    {"color", "rgba", ""},
    {"texture", "filename", ""},
    {"box", "size", ""},
    {"cylinder", "radius length", ""},
    {"sphere", "radius", ""},
    {"capsule", "radius length", ""},
    {"mesh", "filename scale", ""},
};

static void check_attributes(SomUrdfReader *r, int node, const char *known) {
    const SomXmlNode *element = &r->xml->nodes[node];
    for (int i = 0; i < element->attribute_count; i++) {
        const SomXmlAttribute *a = &r->xml->attributes[element->first_attribute + i];
        if (!som_urdf_is_in(a->name, known)) {
            som_tally_add(&r->often[SOM_URDF_ATTRIBUTES], a->name, a->span);
        }
    }
}

// Is it the second where one counts? A geometry has one shape of any kind.
static bool is_again(const SomUrdfReader *r, int parent, int node) {
    SomStr name = r->xml->nodes[node].name;
    bool is_shape = som_str_equal(r->xml->nodes[parent].name, SOM_STR("geometry"));
    return !som_urdf_is_in(name, "visual collision") &&
           som_xml_child(r->xml, parent, is_shape ? SOM_STR("") : name) != node;
}

static void check_parts(SomUrdfReader *r, int node, SomText *kept) {
    const char *const *known = NULL;
    for (size_t i = 0; i < sizeof known_parts / sizeof *known_parts && known == NULL; i++) {
        bool is_it = som_str_equal(r->xml->nodes[node].name, som_str(known_parts[i][0]));
        known = is_it ? known_parts[i] : NULL;
    }
    if (known == NULL) {
        return;
    }
    check_attributes(r, node, known[1]);
    for (int i = som_xml_child(r->xml, node, SOM_STR("")); i >= 0;
         i = som_xml_next(r->xml, i, SOM_STR(""))) {
        bool is_known = som_urdf_is_in(r->xml->nodes[i].name, known[2]);
        if (!is_known && kept != NULL) {
            som_urdf_keep(r, i, kept);
        } else if (!is_known || is_again(r, node, i)) {
            som_tally_add(&r->often[SOM_URDF_ELEMENTS], r->xml->nodes[i].name,
                          r->xml->nodes[i].span);
        } else {
            check_parts(r, i, NULL);
        }
    }
}

SomStr som_urdf_keep_parts(SomUrdfReader *r, int node) {
    SomText text = {0};
    check_parts(r, node, &text);
    return som_urdf_finish_kept(r, &text);
}
