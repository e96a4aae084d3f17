// SPDX-License-Identifier: Apache-2.0
// Where kept elements stand: sensors and lights have their poses in the frame of their link, which
// in a body of several links is not the body's.

#include "base/number.h"
#include "exchange/sdf_internal.h"

static void add_pose(SomText *out, SomPose pose) {
    double six[6];
    som_sdf_pose_numbers(pose, six);
    som_text_add(out, SOM_STR("<pose>"));
    for (int i = 0; i < 6; i++) {
        som_text_add(out, i > 0 ? SOM_STR(" ") : SOM_STR(""));
        som_text_number(out, six[i]);
    }
    som_text_add(out, SOM_STR("</pose>"));
}

void som_sdf_replace_pose(const SomXml *xml, int node, SomStr text, SomPose pose, SomText *out) {
    const SomXmlNode *of = &xml->nodes[node];
    int old = som_xml_child(xml, node, SOM_STR("pose"));
    SomSpan gap = {.begin = of->span.end, .end = of->span.end}; // behind the start tag
    gap = old >= 0 ? xml->nodes[old].whole : gap;
    bool is_empty = of->whole.end == of->span.end; // <sensor … />
    som_text_add(out, som_str_slice(text, of->whole.begin, is_empty ? gap.begin - 2 : gap.begin));
    som_text_add(out, is_empty ? SOM_STR(">") : SOM_STR(""));
    add_pose(out, pose);
    if (is_empty) {
        som_text_printf(out, "</%.*s>", SOM_STR_ARG(of->name));
    } else {
        som_text_add(out, som_str_slice(text, gap.end, of->whole.end));
    }
}

static bool is_placed(SomStr name) {
    static const char *const placed[] = {"sensor", "light", "projector", "particle_emitter",
                                         "audio_source"};
    for (size_t i = 0; i < sizeof placed / sizeof *placed; i++) {
        if (som_str_equal(name, som_str(placed[i]))) {
            return true;
        }
    }
    return false;
}

// Six numbers, as an import leaves them. False of others.
static bool read_pose(const SomXml *xml, int node, SomPose *pose) {
    double six[6] = {0};
    SomStr rest = xml->nodes[node].text;
    for (int i = 0; i < 6; i++) {
        size_t length = som_number_read(rest, &six[i]);
        if (length == 0) {
            return false;
        }
        rest = som_str_slice(rest, length, rest.length);
        while (rest.length > 0 && (unsigned char)rest.data[0] <= ' ') {
            rest = som_str_slice(rest, 1, rest.length);
        }
    }
    *pose =
        (SomPose){som_rotation_from_rpy(six[3], six[4], six[5]), som_vec3(six[0], six[1], six[2])};
    return rest.length == 0 && xml->nodes[node].attribute_count == 0;
}

bool som_sdf_move_kept(const SomXmlKept *kept, int node, SomPose place, SomText *out) {
    SomPose pose = som_pose_identity();
    int at = som_xml_child(kept->xml, node, SOM_STR("pose"));
    bool moves = is_placed(kept->xml->nodes[node].name) &&
                 som_pose_distance(place, som_pose_identity()) > 1e-12 &&
                 (at < 0 || read_pose(kept->xml, at, &pose));
    if (moves) {
        som_sdf_replace_pose(kept->xml, node, som_text_str(&kept->text),
                             som_pose_compose(place, pose), out);
    }
    return moves;
}
