// SPDX-License-Identifier: Apache-2.0
// The little of COLLADA that we read ourselves: whether it is safe to hand on, and its unit and up
// axis, which assimp would round to single precision.

#include "base/codes/space_codes.h"
#include "base/number.h"
#include "space/mesh_internal.h"

#include <math.h>

// The offset of `what` from `at` on; the length of the text if it is not there.
static size_t find(SomStr text, size_t at, SomStr what) {
    for (; at + what.length <= text.length; at++) {
        const char *first = memchr(text.data + at, what.data[0], text.length - at);
        if (first == NULL) {
            break;
        }
        at = (size_t)(first - text.data);
        if (som_str_starts_with(som_str_slice(text, at, text.length), what)) {
            return at;
        }
    }
    return text.length;
}

bool som_mesh_check_prolog(SomMeshReader *reader) {
    SomStr text = reader->bytes;
    for (size_t at = 0; (at = find(text, at, SOM_STR("<"))) < text.length;) {
        SomStr rest = som_str_slice(text, at, text.length);
        if (som_str_starts_with(rest, SOM_STR("<!--"))) {
            at = find(text, at + 4, SOM_STR("-->"));
        } else if (som_str_starts_with(rest, SOM_STR("<?"))) {
            at = find(text, at + 2, SOM_STR("?>"));
        } else if (som_str_starts_with(rest, SOM_STR("<!"))) {
            return som_mesh_fail(reader, SOM_MESH_HAS_DOCTYPE, at, "it has a document type");
        } else {
            break;
        }
    }
    return true;
}

// The value of an attribute in the inside of a tag; empty if it is not there.
static SomStr find_attribute(SomStr tag, SomStr name) {
    size_t at = 0;
    while (at < tag.length) {
        size_t equals = find(tag, at, SOM_STR("="));
        SomStr key = som_str_slice(tag, at, equals);
        size_t word = 0;
        key = som_mesh_next_word(key, &word, false);
        size_t open = equals + 1;
        while (open < tag.length && tag.data[open] != '"' && tag.data[open] != '\'') {
            open++;
        }
        SomStr quote = som_str_slice(tag, open, open + 1);
        size_t close = quote.length > 0 ? find(tag, open + 1, quote) : tag.length;
        if (som_str_equal(key, name)) {
            return som_str_slice(tag, open + 1, close);
        }
        at = close + 1;
    }
    return (SomStr){"", 0};
}

// The text from after `open` to before `close`; empty if it is not there.
static SomStr find_between(SomStr text, SomStr open, SomStr close) {
    size_t begin = find(text, 0, open) + open.length;
    return som_str_slice(text, begin, find(text, begin < text.length ? begin : text.length, close));
}

bool som_mesh_read_asset(SomMeshReader *reader, SomPose *place) {
    SomStr asset = find_between(reader->bytes, SOM_STR("<asset"), SOM_STR("</asset>"));
    SomStr meter =
        find_attribute(find_between(asset, SOM_STR("<unit"), SOM_STR(">")), SOM_STR("meter"));
    double unit = 1;
    if (meter.length > 0 &&
        (som_number_read(meter, &unit) != meter.length || !isfinite(unit) || unit <= 0)) {
        return som_mesh_fail(reader, SOM_MESH_SYNTAX, (size_t)(meter.data - reader->bytes.data),
                             "the unit has '%.*s' metres", SOM_MESH_WORD_ARG(meter));
    }
    size_t at = 0;
    SomStr up = som_mesh_next_word(find_between(asset, SOM_STR("<up_axis>"), SOM_STR("</up_axis>")),
                                   &at, false);
    if (reader->options.keeps_axes || som_str_equal(up, SOM_STR("Z_UP"))) {
        *place = (SomPose){{{{unit, 0, 0}, {0, unit, 0}, {0, 0, unit}}}, {0, 0, 0}};
    } else if (som_str_equal(up, SOM_STR("X_UP"))) {
        *place = (SomPose){{{{0, -unit, 0}, {0, 0, -unit}, {unit, 0, 0}}}, {0, 0, 0}};
    } else { // Y_UP, also where nothing is said
        *place = (SomPose){{{{unit, 0, 0}, {0, 0, -unit}, {0, unit, 0}}}, {0, 0, 0}};
    }
    return true;
}
