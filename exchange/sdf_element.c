// SPDX-License-Identifier: Apache-2.0
// Elements of SDF: numbers, poses, names, and what is kept as it is.

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "exchange/kept_plugins.h"
#include "exchange/quaternion.h"
#include "exchange/sdf_read_internal.h"
#include "space/trigonometry.h"

#include <math.h>

#define MOST_NUMBERS 9
#define MOST_NAME 200

const SomXmlNode *som_sdf_node(const SomSdfReader *r, SomSdfElement e) {
    return &r->docs.data[e.doc].xml->nodes[e.node];
}

SomSdfElement som_sdf_child(const SomSdfReader *r, SomSdfElement e, const char *name) {
    if (e.node < 0) {
        return e;
    }
    return (SomSdfElement){e.doc, som_xml_child(r->docs.data[e.doc].xml, e.node, som_str(name))};
}

SomSdfElement som_sdf_next(const SomSdfReader *r, SomSdfElement e, const char *name) {
    return (SomSdfElement){e.doc, som_xml_next(r->docs.data[e.doc].xml, e.node, som_str(name))};
}

SomStr som_sdf_attribute(const SomSdfReader *r, SomSdfElement e, const char *name) {
    return e.node < 0 ? (SomStr){"", 0}
                      : som_xml_attribute(r->docs.data[e.doc].xml, e.node, som_str(name));
}

SomStr som_sdf_text(const SomSdfReader *r, SomSdfElement e, const char *child) {
    SomSdfElement at = som_sdf_child(r, e, child);
    return at.node < 0 ? (SomStr){"", 0} : som_sdf_node(r, at)->text;
}

bool som_sdf_is(const SomSdfReader *r, SomSdfElement e, const char *name) {
    return som_str_equal(som_sdf_node(r, e)->name, som_str(name));
}

bool som_sdf_is_true(const SomSdfReader *r, SomSdfElement e, const char *child) {
    SomStr text = som_sdf_text(r, e, child);
    return som_str_equal(text, SOM_STR("true")) || som_str_equal(text, SOM_STR("1")) ||
           som_str_equal(text, SOM_STR("True"));
}

void som_sdf_count(SomSdfTally *tally, SomStr name, SomSpan span) {
    if (tally->count++ == 0) {
        tally->name = name;
        tally->span = span;
    }
}

void som_sdf_count_kind(SomSdfTallies *tallies, SomStr name, SomSpan span) {
    name = som_str_slice(name, 0, 60);
    for (int i = 0; i < tallies->count; i++) {
        if (som_str_equal(tallies->kinds[i].name, name)) {
            tallies->kinds[i].count++;
            return;
        }
    }
    if (tallies->count < SOM_SDF_MAX_KINDS) {
        som_sdf_count(&tallies->kinds[tallies->count++], name, span);
    } else {
        tallies->others++;
    }
}

void som_sdf_count_kinds(SomSdfTallies *to, const SomSdfTallies *from) {
    for (int i = 0; i < from->count; i++) {
        for (int k = 0; k < from->kinds[i].count; k++) {
            som_sdf_count_kind(to, from->kinds[i].name, from->kinds[i].span);
        }
    }
    to->others += from->others;
}

bool som_sdf_is_one_of(const SomSdfReader *r, SomSdfElement e, const char *const *names) {
    while (*names != NULL && !som_sdf_is(r, e, *names)) {
        names++;
    }
    return *names != NULL;
}

void som_sdf_count_others(const SomSdfReader *r, SomSdfElement e, const char *const *known,
                          SomSdfTallies *tallies) {
    for (SomSdfElement c = som_sdf_child(r, e, ""); c.node >= 0; c = som_sdf_next(r, c, "")) {
        if (!som_sdf_is_one_of(r, c, known)) {
            som_sdf_count_kind(tallies, som_sdf_node(r, c)->name, som_sdf_node(r, c)->span);
        }
    }
}

void som_sdf_fail(SomSdfReader *r, SomCode code, SomSpan span, const char *words, SomStr name) {
    som_report(r->diags, code, span, "%s '%.*s'", words, SOM_STR_ARG(som_str_slice(name, 0, 200)));
    r->failed = true;
}

void som_sdf_keep(SomSdfReader *r, SomSdfElement e, SomText *kept) {
    const SomXmlNode *node = som_sdf_node(r, e);
    SomStr text = r->docs.data[e.doc].file.text;
    som_text_add_char(kept, '\n', kept->length > 0);
    som_text_add(kept, som_str_slice(text, node->whole.begin, node->whole.end));
    if (r->importer != NULL) { // else of a text that is kept already
        som_kept_report(r->importer, r->docs.data[e.doc].xml, e.node);
    }
}

// ---- numbers

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// How many numbers there are, at most one more than wanted; -1: something else.
static int split_numbers(SomStr text, int most, double *values) {
    int count = 0;
    for (size_t at = 0; at < text.length;) {
        if (is_blank(text.data[at])) {
            at++;
            continue;
        }
        size_t end = at;
        while (end < text.length && !is_blank(text.data[end])) {
            end++;
        }
        double value;
        SomStr word = som_str_slice(text, at, end);
        bool is_less = word.data[0] == '-';
        SomStr name = som_str_slice(word, is_less || word.data[0] == '+', word.length);
        if (som_str_equal(name, SOM_STR("inf")) || som_str_equal(name, SOM_STR("Inf"))) {
            value = is_less ? (double)-INFINITY : (double)INFINITY;
        } else if (!som_number_parse(word, &value)) {
            return -1;
        }
        if (count == most) {
            return most + 1;
        }
        values[count++] = value;
        at = end;
    }
    return count;
}

bool som_sdf_numbers(SomSdfReader *r, SomSdfElement e, const char *child, int count,
                     double *values) {
    SomSdfElement at = som_sdf_child(r, e, child);
    double read[MOST_NUMBERS];
    if (at.node < 0 || som_sdf_node(r, at)->text.length == 0) {
        return true;
    }
    const SomXmlNode *node = som_sdf_node(r, at);
    int there = split_numbers(node->text, count, read);
    if (there != count && !(count == 4 && there == 3)) { // a color is opaque unless it says
        const char *words = count == 1 ? "a number must stand in" : "three numbers must stand in";
        som_report(r->diags, SOM_IMPORT_NOT_NUMBERS, node->text_span, "%s '%s'",
                   count == 4 ? "three or four numbers must stand in" : words, child);
        r->failed = true;
        return false;
    }
    for (int i = 0; i < there; i++) {
        values[i] = read[i];
    }
    return true;
}

double som_sdf_number(SomSdfReader *r, SomSdfElement e, const char *child, double otherwise) {
    double value = otherwise;
    som_sdf_numbers(r, e, child, 1, &value);
    return value;
}

// ---- poses

static bool read_quaternion(SomSdfReader *r, SomSdfElement at, SomPose *pose) {
    double n[7] = {0};
    if (split_numbers(som_sdf_node(r, at)->text, 7, n) != 7) {
        return false;
    }
    SomQuat q = {n[3], n[4], n[5], n[6]};
    pose->position = som_vec3(n[0], n[1], n[2]);
    return som_importer_scaled_quaternion(r->importer, q, som_sdf_node(r, at)->text_span,
                                          &pose->rotation);
}

static bool read_angles(SomSdfReader *r, SomSdfElement at, SomPose *pose) {
    double n[6] = {0};
    int count = split_numbers(som_sdf_node(r, at)->text, 6, n);
    SomStr degrees = som_sdf_attribute(r, at, "degrees");
    bool is_turned =
        som_str_equal(degrees, SOM_STR("true")) || som_str_equal(degrees, SOM_STR("1"));
    double unit = is_turned ? SOM_PI / 180 : 1;
    if (count != 6 && count != 0) {
        return false;
    }
    for (int i = 3; i < 6; i++) { // the trigonometry of angles beyond this means nothing
        n[i] *= unit;
        if (!(fabs(n[i]) < 1e6)) {
            return false;
        }
    }
    *pose = (SomPose){som_rotation_from_rpy(n[3], n[4], n[5]), som_vec3(n[0], n[1], n[2])};
    return true;
}

static bool is_near(SomPose pose) {
    const double *m = pose.rotation.m[0];
    bool is_so = fabs(pose.position.x) <= SOM_MODEL_MAX_LENGTH &&
                 fabs(pose.position.y) <= SOM_MODEL_MAX_LENGTH &&
                 fabs(pose.position.z) <= SOM_MODEL_MAX_LENGTH;
    for (int i = 0; i < 3; i++) {
        is_so = is_so && isfinite(m[i]) && isfinite(m[3 + i]) && isfinite(m[6 + i]);
    }
    return is_so;
}

SomPose som_sdf_pose(SomSdfReader *r, SomSdfElement e, SomStr *relative_to) {
    SomSdfElement at = som_sdf_child(r, e, "pose");
    SomPose pose = som_pose_identity();
    SomStr unused;
    relative_to = relative_to != NULL ? relative_to : &unused;
    *relative_to = (SomStr){"", 0};
    if (at.node < 0) {
        return pose;
    }
    bool is_old = r->docs.data[at.doc].minor < 7;
    *relative_to = som_sdf_attribute(r, at, is_old ? "frame" : "relative_to");
    bool is_quaternion =
        som_str_equal(som_sdf_attribute(r, at, "rotation_format"), SOM_STR("quat_xyzw"));
    bool fine = is_quaternion ? read_quaternion(r, at, &pose) : read_angles(r, at, &pose);
    if (!fine) {
        som_report(r->diags, SOM_IMPORT_NOT_NUMBERS, som_sdf_node(r, at)->text_span,
                   is_quaternion
                       ? "a pose with a quaternion is seven numbers: x y z, then x y z w of "
                         "length 1"
                       : "a pose is six numbers: x y z, then roll, pitch and yaw");
    } else if (!is_near(pose)) {
        som_report(r->diags, SOM_IMPORT_OUT_OF_RANGE, som_sdf_node(r, at)->text_span,
                   "no part of a robot is so far away");
        fine = false;
    }
    r->failed = r->failed || !fine;
    return fine ? pose : som_pose_identity();
}

// ---- names

SomStr som_sdf_name(SomSdfReader *r, SomSdfElement e, const char *of) {
    SomStr name = som_sdf_attribute(r, e, "name");
    bool fine = name.length > 0 && name.length <= MOST_NAME;
    for (size_t i = 0; fine && i < name.length; i++) {
        fine = (unsigned char)name.data[i] >= ' ' && name.data[i] != 0x7f;
    }
    if (!fine) {
        som_report(r->diags, SOM_IMPORT_BAD_NAME, som_sdf_node(r, e)->span,
                   name.length == 0 ? "this %s has no name"
                                    : "the name of this %s is not one line of at most 200 bytes",
                   of);
        r->failed = true;
        return (SomStr){"", 0};
    }
    return name;
}
