// SPDX-License-Identifier: Apache-2.0
// `.ckbot` text → SomCkbot.
//
// LTLMoP itself reads `Type` only below each `Gait`; in older files it stands once above all of
// them, which is understood here, too.

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "exchange/ckbot.h"
#include "space/trigonometry.h"

#include <math.h>

#define MOST_NUMBER 1e7

typedef enum Section { NONE, NAME, MATRIX, OFFSET, ROTATION, FORWARD, GAITS } Section;

typedef enum GaitType { UNKNOWN, FIXED, PERIODIC } GaitType;

static const struct {
    const char *word;
    Section section;
} sections[] = {{"ConfigName:", NAME},       {"ConnMatrix:", MATRIX},
                {"RelativeOffset:", OFFSET}, {"RelativeRotation:", ROTATION},
                {"ForwardVector:", FORWARD}, {"Gaits:", GAITS}};
#define SECTION_COUNT ((int)(sizeof sections / sizeof *sections))

typedef struct Reader {
    SomImporter *importer;
    const SomImportFile *file;
    SomCkbot *ckbot;
    Section section;
    bool has_matrix;
    GaitType type;  // of the gaits that follow
    bool has_gaits; // lines of them
    bool in_gait;
    bool is_done; // the gait has all it needs
    SomStr remark;
    int number_count;
    int left_out;
    SomSpan left_out_span;
    bool failed;
} Reader;

static bool is_blank(char c) {
    return (unsigned char)c <= ' ';
}

static SomStr trim(SomStr text) {
    while (text.length > 0 && is_blank(text.data[text.length - 1])) {
        text.length--;
    }
    while (text.length > 0 && is_blank(text.data[0])) {
        text = som_str_slice(text, 1, text.length);
    }
    return text;
}

// The next word of *rest, which becomes what follows it; empty at the end.
static SomStr next_word(SomStr *rest) {
    SomStr text = trim(*rest);
    size_t length = 0;
    while (length < text.length && !is_blank(text.data[length])) {
        length++;
    }
    *rest = som_str_slice(text, length, text.length);
    return som_str_slice(text, 0, length);
}

static SomSpan span_of(const Reader *r, SomStr piece) {
    uint32_t begin = (uint32_t)(piece.data - r->file->text.data);
    return (SomSpan){r->file->source1, begin, begin + (uint32_t)piece.length};
}

static bool fail(Reader *r, SomCode code, SomStr piece, const char *words) {
    som_report(r->importer->diags, code, span_of(r, piece), "%s", words);
    r->failed = true;
    return false;
}

static void leave_out(Reader *r, SomStr piece) {
    if (r->left_out++ == 0) {
        r->left_out_span = span_of(r, piece);
    }
}

static bool read_number(Reader *r, SomStr word, double *value) {
    if (!som_number_parse(word, value)) {
        return fail(r, SOM_CKBOT_SYNTAX, word, "expected a number");
    }
    if (!(fabs(*value) <= MOST_NUMBER)) {
        return fail(r, SOM_IMPORT_OUT_OF_RANGE, word, "number exceeds the limit of 1e7");
    }
    return true;
}

// The same of a gait, which is then skipped; the robot is not.
static bool read_gait_number(Reader *r, SomStr word, double *value) {
    const char *words = !som_number_parse(word, value)   ? "expected a number"
                        : !(fabs(*value) <= MOST_NUMBER) ? "number exceeds the limit of 1e7"
                                                         : NULL;
    if (words != NULL) {
        som_report(r->importer->diags, SOM_CKBOT_GAIT, span_of(r, word), "%s", words);
    }
    return words == NULL;
}

// ---- the robot

static void read_name(Reader *r, SomStr line) {
    if (r->ckbot->name.length > 0 || line.length > 200) {
        leave_out(r, line);
        return;
    }
    r->ckbot->name = som_arena_copy(&r->importer->arena, line);
}

// The first row says how many modules there are; more columns than rows may stay empty.
static void read_row(Reader *r, SomStr line) {
    SomCkbot *ckbot = r->ckbot;
    if (ckbot->row_spans.count == SOM_CKBOT_MOST_MODULES) {
        fail(r, SOM_CKBOT_TOO_MUCH, line, "there are more than 500 modules");
        return;
    }
    SomStr rest = line, word;
    int count = 0;
    while ((word = next_word(&rest)).length > 0) {
        int64_t port;
        if (!som_integer_parse(word, &port) || port < 0 || port > SOM_CKBOT_MOST_PORT) {
            fail(r, SOM_CKBOT_PORTS, word,
                 "a module has ports 1 to 7, and 8 to 10 for two at once");
            return;
        }
        som_array_push(&ckbot->ports, (int)port);
        if (++count > SOM_CKBOT_MOST_MODULES) {
            fail(r, SOM_CKBOT_TOO_MUCH, word, "there are more than 500 modules");
            return;
        }
    }
    if (ckbot->row_spans.count > 0 && count != ckbot->module_count) {
        fail(r, SOM_CKBOT_MATRIX, line, "this row has not as many numbers as the first");
        return;
    }
    ckbot->module_count = count; // of columns until all rows are read
    SomSpan span = span_of(r, line);
    som_array_push(&ckbot->row_spans, span);
}

// Takes empty columns away.
static void finish_matrix(Reader *r) {
    SomCkbot *ckbot = r->ckbot;
    int rows = ckbot->row_spans.count, columns = ckbot->module_count;
    if (rows == 0 || r->failed) {
        return;
    }
    if (columns < rows) {
        som_report(r->importer->diags, SOM_CKBOT_MATRIX, ckbot->row_spans.data[0],
                   "there are %d rows of %d numbers", rows, columns);
        r->failed = true;
        return;
    }
    for (int i = 0; i < rows * columns; i++) {
        int row = i / columns, column = i % columns;
        if (column >= rows && ckbot->ports.data[i] != 0) {
            som_report(r->importer->diags, SOM_CKBOT_MATRIX, ckbot->row_spans.data[row],
                       "this row connects module %d, but there are only %d rows", column, rows);
            r->failed = true;
            return;
        }
        if (column < rows) {
            ckbot->ports.data[row * rows + column] = ckbot->ports.data[i];
        }
    }
    if (columns > rows) {
        SomSpan span = ckbot->row_spans.data[0];
        SomStr rest = som_str_slice(r->file->text, span.begin, span.end), word = rest;
        for (int i = 0; i <= rows; i++) {
            word = next_word(&rest);
        }
        leave_out(r, word);
    }
    ckbot->ports.count = rows * rows;
    ckbot->module_count = rows;
}

static void read_offset(Reader *r, SomStr line) {
    SomStr rest = line;
    double n[3] = {0};
    for (int i = 0; i < 3; i++) {
        SomStr word = next_word(&rest);
        if (word.length == 0) {
            fail(r, SOM_CKBOT_SYNTAX, line, "an offset has three numbers: x, y and z");
            return;
        }
        if (!read_number(r, word, &n[i])) {
            return;
        }
    }
    if (fabs(n[0]) > 1e5 || fabs(n[1]) > 1e5 || fabs(n[2]) > 1e5) {
        fail(r, SOM_IMPORT_OUT_OF_RANGE, line, "no robot stands that far away");
        return;
    }
    if (trim(rest).length > 0) {
        leave_out(r, rest);
    }
    if (r->ckbot->has_offset) { // the last one counts
        leave_out(r, line);
    }
    r->ckbot->offset = som_vec3(n[0], n[1], n[2]);
    r->ckbot->has_offset = true;
    r->section = NONE;
}

// 1, 2 or 3; 0 after a report.
static int read_axis(Reader *r, SomStr *rest, SomStr line) {
    SomStr axis = next_word(rest);
    if (axis.length != 1 || axis.data[0] < 'x' || axis.data[0] > 'z') {
        fail(r, SOM_CKBOT_SYNTAX, axis.length > 0 ? axis : line, "expected the axis x, y or z");
        return 0;
    }
    if (trim(*rest).length > 0) {
        leave_out(r, *rest);
    }
    return axis.data[0] - 'x' + 1;
}

static void read_rotation(Reader *r, SomStr line) {
    SomStr rest = line;
    double degrees;
    if (!read_number(r, next_word(&rest), &degrees)) {
        return;
    }
    int axis = read_axis(r, &rest, line);
    double angle = degrees * (SOM_PI / 180);
    SomMat3 turn = axis == 1   ? som_rotation_x(angle)
                   : axis == 2 ? som_rotation_y(angle)
                               : som_rotation_z(angle);
    r->ckbot->rotation = som_mat3_multiply(turn, r->ckbot->rotation);
}

static void read_forward(Reader *r, SomStr line) {
    SomStr rest = line, sign = next_word(&rest);
    bool is_plus = som_str_equal(sign, SOM_STR("+"));
    if (!is_plus && !som_str_equal(sign, SOM_STR("-"))) {
        fail(r, SOM_CKBOT_SYNTAX, sign, "expected + or - before the axis");
        return;
    }
    int axis = read_axis(r, &rest, line);
    r->ckbot->forward = is_plus ? axis : -axis;
}

// ---- gaits

static SomCkbotGait *last_gait(const Reader *r) {
    int count = r->ckbot->gaits.count;
    return r->in_gait && count > 0 ? &r->ckbot->gaits.data[count - 1] : NULL;
}

#define DURATIONS "more than 0 s and at most 100000 s"

static bool is_duration(double seconds) {
    return seconds > 0 && seconds <= 1e5;
}

// What is missing in a gait whose lines are well-formed, or NULL.
static const char *find_gap(const Reader *r, const SomCkbotGait *gait) {
    if (gait->has_no_type) {
        return "it has no type: expected Type Fixed or Type Periodic";
    }
    if (gait->is_periodic && gait->row_count != 3) {
        return "a periodic gait has three rows: amplitudes, frequencies and phases";
    }
    if (!gait->is_periodic && gait->row_count == 0) {
        return "it has no rows";
    }
    if (!gait->is_periodic && !r->is_done) {
        return "its last line, the duration in seconds, is missing";
    }
    if (!gait->is_periodic && !is_duration(gait->seconds)) {
        return "its duration must be " DURATIONS;
    }
    return NULL;
}

// A gait has its rows; of fixed ones the last line is the time. One that is not well-formed is
// removed, after a report.
static void finish_gait(Reader *r) {
    SomCkbotGait *gait = last_gait(r);
    r->in_gait = false;
    if (gait == NULL || r->failed) {
        return;
    }
    bool is_single = !gait->is_periodic && r->ckbot->module_count == 1 && !r->is_done;
    if (is_single && gait->row_count > 0) { // rows look like times
        gait->seconds = gait->numbers.data[--gait->row_count];
        r->is_done = true;
    }
    SomText words = {0};
    const char *gap = gait->bad_lines == 0 ? find_gap(r, gait) : NULL;
    if (gait->bad_lines > 0) {
        som_text_printf(&words, "%d of its lines %s malformed", gait->bad_lines,
                        gait->bad_lines > 1 ? "are" : "is");
    } else if (gap != NULL) {
        som_text_add(&words, som_str(gap));
    }
    if (words.length > 0) {
        som_report(r->importer->diags, SOM_CKBOT_GAIT, gait->span, "gait '%.*s' is skipped: %s",
                   SOM_STR_ARG(gait->name), words.data);
        som_array_free(&gait->numbers);
        r->ckbot->gaits.count--;
    }
    som_text_free(&words);
}

static void begin_gait(Reader *r, SomStr line, SomStr name) {
    finish_gait(r);
    SomCkbotGait gait = {.span = span_of(r, line),
                         .is_periodic = r->type == PERIODIC,
                         .has_no_type = r->type == UNKNOWN};
    if (name.length > 0 && name.data[name.length - 1] == ':') {
        name.length--;
    }
    SomStr remark = som_str_slice(r->remark, 0, 200);
    gait.name = som_arena_copy(&r->importer->arena, som_str_slice(name, 0, 60));
    gait.remark = som_arena_copy(&r->importer->arena, remark);
    som_array_push(&r->ckbot->gaits, gait);
    r->in_gait = true;
    r->is_done = false;
}

static void read_type(Reader *r, SomStr line, SomStr kind) {
    bool is_periodic = som_str_equal(kind, SOM_STR("Periodic"));
    bool is_known = is_periodic || som_str_equal(kind, SOM_STR("Fixed"));
    SomCkbotGait *gait = last_gait(r);
    if (!is_known) {
        som_report(r->importer->diags, SOM_CKBOT_GAIT, span_of(r, kind.length > 0 ? kind : line),
                   "the type of a gait is Fixed or Periodic");
    }
    r->type = is_periodic ? PERIODIC : is_known ? FIXED : UNKNOWN;
    if (gait != NULL) {
        gait->is_periodic = is_periodic;
        gait->has_no_type = !is_known;
        gait->bad_lines += !is_known;
    }
}

static void read_gain(Reader *r, SomStr line, SomStr word) {
    double gain;
    if (read_gait_number(r, word.length > 0 ? word : line, &gain)) {
        r->ckbot->gain = gain;
        r->ckbot->has_gain = true;
        r->ckbot->gain_span = span_of(r, line);
    }
}

// The numbers of a row, and the first one too many; -1 if one of them is malformed.
static int read_values(Reader *r, SomCkbotGait *gait, SomStr line, SomStr *beyond) {
    SomStr rest = line, word;
    int count = 0;
    while ((word = next_word(&rest)).length > 0) {
        double value;
        if (!read_gait_number(r, word, &value)) {
            return -1;
        }
        if (++r->number_count > SOM_CKBOT_MOST_NUMBERS) {
            fail(r, SOM_CKBOT_TOO_MUCH, word, "there are more than 200000 numbers in gaits");
            return -1;
        }
        som_array_push(&gait->numbers, value);
        *beyond = count++ == r->ckbot->module_count ? word : *beyond;
    }
    return count;
}

static void read_numbers(Reader *r, SomCkbotGait *gait, SomStr line) {
    SomStr beyond = {"", 0};
    int modules = r->ckbot->module_count, first = gait->numbers.count;
    int count = read_values(r, gait, line, &beyond);
    if (count < 0) {
        gait->numbers.count = first;
        gait->bad_lines++;
    } else if (modules == 0) {
        if (gait->bad_lines++ == 0) {
            som_report(r->importer->diags, SOM_CKBOT_GAIT, span_of(r, line),
                       "the rows of gaits must follow the matrix of connections");
        }
    } else if (count == 1 && !gait->is_periodic && modules != 1) {
        gait->seconds = gait->numbers.data[first];
        gait->numbers.count = first;
        r->is_done = true;
        if (!is_duration(gait->seconds)) {
            som_report(r->importer->diags, SOM_CKBOT_GAIT, span_of(r, line),
                       "the duration of a gait must be " DURATIONS);
            gait->bad_lines++;
        }
    } else if (count < modules) {
        som_report(r->importer->diags, SOM_CKBOT_GAIT, span_of(r, line),
                   "this row has %d number%s for %d modules", count, count == 1 ? "" : "s",
                   modules);
        gait->numbers.count = first;
        gait->bad_lines++;
    } else {
        if (count > modules) { // LTLMoP does not look at them
            leave_out(r, beyond);
            gait->numbers.count = first + modules;
        }
        gait->row_count++;
    }
}

static void read_gait_line(Reader *r, SomStr line) {
    SomStr rest = line, word = next_word(&rest);
    bool is_known = true;
    r->has_gaits = true;
    if (som_str_equal(word, SOM_STR("Gain"))) {
        read_gain(r, line, next_word(&rest));
    } else if (som_str_equal(word, SOM_STR("Gait"))) {
        begin_gait(r, line, next_word(&rest));
    } else if (som_str_equal(word, SOM_STR("Type"))) {
        read_type(r, line, next_word(&rest));
    } else {
        is_known = false;
        SomCkbotGait *gait = last_gait(r);
        if (gait == NULL || r->is_done) {
            leave_out(r, line);
        } else {
            read_numbers(r, gait, line);
        }
    }
    if (is_known && trim(rest).length > 0) {
        leave_out(r, trim(rest));
    }
}

// ---- lines

static void leave_matrix(Reader *r) {
    if (r->section == MATRIX) {
        finish_matrix(r);
    }
}

static bool begin_section(Reader *r, SomStr line) {
    SomStr rest = line, word = next_word(&rest);
    for (int i = 0; i < SECTION_COUNT; i++) {
        if (!som_str_equal(word, som_str(sections[i].word))) {
            continue;
        }
        if (trim(rest).length > 0) {
            leave_out(r, rest);
        }
        leave_matrix(r);
        r->section = sections[i].section;
        if (r->section == MATRIX && r->has_matrix) {
            fail(r, SOM_CKBOT_MATRIX, line, "there is a second matrix");
        }
        r->has_matrix = r->has_matrix || r->section == MATRIX;
        return true;
    }
    return false;
}

// An empty line ends what was begun; in gaits it means nothing.
static void end_section(Reader *r) {
    bool ends = r->section == ROTATION || r->section == FORWARD ||
                (r->section == MATRIX && r->ckbot->row_spans.count > 0);
    if (ends) { // gaits may go on behind other sections
        leave_matrix(r);
        r->section = r->has_gaits ? GAITS : NONE;
    }
}

static void read_line(Reader *r, SomStr line) {
    switch (r->section) {
    case NAME:
        read_name(r, line);
        r->section = NONE;
        break;
    case MATRIX:
        read_row(r, line);
        break;
    case OFFSET:
        read_offset(r, line);
        break;
    case ROTATION:
        read_rotation(r, line);
        break;
    case FORWARD:
        read_forward(r, line);
        break;
    case GAITS:
        read_gait_line(r, line);
        break;
    default:
        leave_out(r, line);
    }
}

static void read_lines(Reader *r) {
    SomStr rest = r->file->text;
    while (rest.length > 0 && !r->failed) {
        const char *end = memchr(rest.data, '\n', rest.length);
        size_t length = end != NULL ? (size_t)(end - rest.data) : rest.length;
        SomStr line = trim(som_str_slice(rest, 0, length));
        rest = som_str_slice(rest, end != NULL ? length + 1 : length, rest.length);
        if (line.length == 0) {
            end_section(r);
            r->remark = (SomStr){"", 0};
        } else if (line.data[0] == '#') {
            r->remark = trim(som_str_slice(line, 1, line.length));
        } else {
            if (!begin_section(r, line)) {
                read_line(r, line);
            }
            r->remark = (SomStr){"", 0};
        }
    }
    leave_matrix(r);
}

bool som_ckbot_read(SomImporter *importer, const SomImportFile *file, SomCkbot *ckbot) {
    Reader r = {.importer = importer, .file = file, .ckbot = ckbot, .remark = {"", 0}};
    ckbot->rotation = som_mat3_identity();
    read_lines(&r);
    if (!r.failed && ckbot->row_spans.count == 0) {
        som_report(importer->diags, SOM_IMPORT_EMPTY, (SomSpan){file->source1, 0, 0},
                   "there is no matrix of connections, so there are no modules");
        r.failed = true;
    }
    finish_gait(&r);
    if (r.left_out > 0) {
        som_report(importer->diags, SOM_CKBOT_LEFT_OUT, r.left_out_span,
                   "this means nothing here and was left out%s",
                   r.left_out > 1 ? ", and more" : "");
    }
    return !r.failed;
}

void som_ckbot_free(SomCkbot *ckbot) {
    for (int i = 0; i < ckbot->gaits.count; i++) {
        som_array_free(&ckbot->gaits.data[i].numbers);
    }
    som_array_free(&ckbot->gaits);
    som_array_free(&ckbot->ports);
    som_array_free(&ckbot->row_spans);
}

bool som_ckbot_sniff(SomStr text) {
    for (SomStr rest = text; rest.length > 0;) {
        const char *end = memchr(rest.data, '\n', rest.length);
        size_t length = end != NULL ? (size_t)(end - rest.data) : rest.length;
        if (som_str_equal(trim(som_str_slice(rest, 0, length)), SOM_STR("ConnMatrix:"))) {
            return true;
        }
        rest = som_str_slice(rest, end != NULL ? length + 1 : length, rest.length);
    }
    return false;
}
