// SPDX-License-Identifier: Apache-2.0
// Elements of URDF: numbers, origins, what is kept and what is counted.

#include "base/number.h"
#include "exchange/urdf_read.h"

#include <math.h>
#include <stdarg.h>

// ---- what is told

void som_urdf_count(SomUrdfReader *r, SomUrdfOften what, SomSpan span, SomStr name) {
    if (r->often[what].count++ == 0) {
        r->often[what].span = span;
        r->often[what].what = name;
    }
}

void som_urdf_report_often(SomUrdfReader *r) {
    static const struct {
        SomCode code;
        const char *before, *behind, *others;
    } words[SOM_URDF_OFTEN_COUNT] = {
        [SOM_URDF_NO_FILES] = {SOM_MODEL_NO_MESH, "", " was not found, so it was left out",
                               "meshes"},
        [SOM_URDF_NO_MATERIALS] = {SOM_URDF_HALF_WRITTEN, "material ", " is defined nowhere",
                                   "materials"},
        [SOM_URDF_TEXTURES] = {SOM_URDF_LEFT_OUT, "texture ", " was left out", "textures"},
        [SOM_URDF_MIMICS] = {SOM_URDF_MIMIC, "joint ",
                             " follows another there and moves freely here", "joints"},
        [SOM_URDF_NO_LIMITS] = {SOM_URDF_LIMIT, "joint ", " has no <limit>, so it has none here",
                                "joints"},
        [SOM_URDF_ATTRIBUTES] = {SOM_URDF_LEFT_OUT, "attribute ", " was left out", "attributes"},
    };
    for (int i = 0; i < SOM_URDF_OFTEN_COUNT; i++) {
        int others = r->often[i].count - 1;
        SomText more = {0};
        if (others > 0) {
            som_text_printf(&more, ", and so with %d other %.*s", others,
                            (int)strlen(words[i].others) - (others == 1), words[i].others);
        }
        if (others >= 0) {
            som_report(r->diags, words[i].code, r->often[i].span, "%s'%.*s'%s%.*s", words[i].before,
                       SOM_STR_ARG(r->often[i].what), words[i].behind,
                       SOM_STR_ARG(som_text_str(&more)));
        }
        som_text_free(&more);
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
        double square =
            quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3];
        if (square > 1e-12 && square < 1e12) {
            pose.rotation = som_quat_to_rotation((SomQuat){quat[0], quat[1], quat[2], quat[3]});
        } else {
            som_urdf_half(r, r->xml->nodes[origin].span, "a quaternion has the length 1");
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
}

SomStr som_urdf_finish_kept(SomUrdfReader *r, SomText *text) {
    SomStr kept = som_arena_copy(&r->importer->arena, som_text_str(text));
    som_text_free(text);
    return kept;
}
