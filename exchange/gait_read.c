// SPDX-License-Identifier: Apache-2.0
// The text of a `.gait` file → commands.

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "exchange/gait.h"

#include <math.h>

#define MOST_VALUE 1e6    // radian, or radian a second
#define NEAR_DEGREE 1e-10 // radian

// One piece of a line: up to a semicolon or the end.
typedef struct Piece {
    SomImporter *importer;
    const SomImportFile *file;
    SomGait *gait;
    size_t at, end; // of the file's text
    SomGaitCommand command;
    int joint_count;
    bool has_module;
    SomSpan ignored; // the first mode that does nothing
    SomSpan speed;
} Piece;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static SomStr trim(SomStr text) {
    size_t begin = 0, end = text.length;
    while (begin < end && is_blank(text.data[begin])) {
        begin++;
    }
    while (end > begin && is_blank(text.data[end - 1])) {
        end--;
    }
    return som_str_slice(text, begin, end);
}

static SomSpan span_of(const Piece *p, SomStr word) {
    uint32_t begin = (uint32_t)(word.data - p->file->text.data);
    return (SomSpan){p->file->source1, begin, begin + (uint32_t)word.length};
}

// ---- words

// The next word, or what stands in brackets with them; empty at the end.
static SomStr next_word(SomStr text, size_t *at) {
    while (*at < text.length && is_blank(text.data[*at])) {
        (*at)++;
    }
    size_t begin = *at;
    if (begin == text.length) {
        return (SomStr){"", 0};
    }
    static const char open[] = "[{(", close[] = "]})";
    const char *bracket = memchr(open, text.data[begin], 3);
    if (bracket != NULL) {
        const char *end = memchr(text.data + begin, close[bracket - open], text.length - begin);
        *at = end != NULL ? (size_t)(end - text.data) + 1 : text.length;
    } else {
        while (*at < text.length && !is_blank(text.data[*at]) &&
               memchr(open, text.data[*at], 3) == NULL) {
            (*at)++;
        }
    }
    return som_str_slice(text, begin, *at);
}

// p-0.8, s2, t0.5, i, c, d.
static bool is_mode(SomStr word) {
    if (word.length == 0 || memchr("pstcid", word.data[0], 6) == NULL) {
        return false;
    }
    double value;
    SomStr number = som_str_slice(word, 1, word.length);
    bool needs_number = word.data[0] == 'p' || word.data[0] == 's';
    return number.length == 0 ? !needs_number : som_number_parse(number, &value);
}

// Does it begin like a command, and not like a remark?
static bool is_command(SomStr text) {
    size_t at = 0;
    SomStr first = next_word(text, &at);
    if (som_str_equal(first, SOM_STR("$"))) {
        return true;
    }
    return first.length > 0 && is_mode(next_word(text, &at)) && is_mode(next_word(text, &at));
}

bool som_gait_sniff(SomStr text) {
    while (text.length > 0) {
        const char *end = memchr(text.data, '\n', text.length);
        size_t length = end != NULL ? (size_t)(end - text.data) : text.length;
        SomStr line = trim(som_str_slice(text, 0, length));
        if (line.length > 0 && !som_str_starts_with(line, SOM_STR("//"))) {
            return is_command(line) && !som_str_starts_with(line, SOM_STR("$"));
        }
        text = som_str_slice(text, length + 1, text.length);
    }
    return false;
}

// ---- what a command is made of

static bool fail(Piece *p, SomStr at, const char *words) {
    som_report(p->importer->diags, SOM_GAIT_SYNTAX, span_of(p, at), "%s", words);
    return false;
}

static int find_queue(Piece *p, SomStr name) {
    for (int i = 0; i < p->gait->queues.count; i++) {
        if (som_str_equal(p->gait->queues.data[i].name, name)) {
            return i;
        }
    }
    SomGaitQueue queue = {name, span_of(p, name), -1};
    som_array_push(&p->gait->queues, queue);
    return p->gait->queues.count - 1;
}

static int find_label(SomGait *gait, SomStr name) {
    for (int i = 0; i < gait->labels.count; i++) {
        if (som_str_equal(gait->labels.data[i].name, name)) {
            return i;
        }
    }
    SomGaitLabel label = {name, 0};
    som_array_push(&gait->labels, label);
    return gait->labels.count - 1;
}

static bool read_time(Piece *p, SomStr word, SomStr inside) {
    double value;
    if (p->command.milliseconds >= 0) {
        return fail(p, word, "a command has one time");
    }
    if (!som_number_parse(inside, &value) || !(value >= 0 && value <= SOM_GAIT_MOST_MILLISECONDS)) {
        return fail(p, word, "expected a time in milliseconds, from 0 to 10000000");
    }
    p->command.milliseconds = value < 1 ? 1 : (int)value; // [0] is one step
    return true;
}

static bool read_brackets(Piece *p, SomStr word) {
    static const char open[] = "[{(", close[] = "]})";
    int kind = (int)((const char *)memchr(open, word.data[0], 3) - open);
    if (word.length < 2 || word.data[word.length - 1] != close[kind]) {
        return fail(p, word, "the bracket is not closed");
    }
    SomStr inside = trim(som_str_slice(word, 1, word.length - 1));
    if (inside.length == 0) {
        return fail(p, word, "there is nothing in the brackets");
    }
    if (kind == 0) {
        return read_time(p, word, inside);
    }
    int *label = kind == 1 ? &p->command.label : &p->command.after;
    if (*label >= 0) {
        return fail(p, word,
                    kind == 1 ? "a command sets one label" : "a command waits for one label");
    }
    *label = find_label(p->gait, inside);
    return true;
}

static bool read_joint(Piece *p, SomStr word) {
    if (p->joint_count == 4) {
        return fail(p, word, "a module has four joints");
    }
    if (!is_mode(word)) {
        return fail(p, word, "expected a joint: p and an angle, s and a speed, or i");
    }
    char mode = word.data[0];
    double value = 0;
    bool is_known = mode == 'p' || mode == 's';
    if (is_known) {
        som_number_parse(som_str_slice(word, 1, word.length), &value);
        if (!(fabs(value) <= MOST_VALUE)) {
            som_report(p->importer->diags, SOM_IMPORT_OUT_OF_RANGE, span_of(p, word),
                       "no joint goes that far");
            return false;
        }
    }
    if (!is_known && mode != 'i' && p->ignored.source1 == 0) {
        p->ignored = span_of(p, word);
    }
    if (mode == 's' && p->speed.source1 == 0) {
        p->speed = span_of(p, word);
    }
    double whole = som_tidy_angle(value); // 1.57079632679 is meant to be 90 degrees
    p->command.modes[p->joint_count] = is_known ? mode : 'i';
    p->command.values[p->joint_count++] = fabs(whole - value) <= NEAR_DEGREE ? whole + 0 : value;
    return true;
}

// The words of one command; what is wrong is reported once.
static bool read_words(Piece *p, SomStr text) {
    size_t at = 0;
    for (SomStr word = next_word(text, &at); word.length > 0; word = next_word(text, &at)) {
        if (memchr("[{(", word.data[0], 3) != NULL) {
            if (!read_brackets(p, word)) {
                return false;
            }
        } else if (!p->has_module) {
            p->has_module = true;
            p->command.queue = find_queue(p, word);
        } else if (!read_joint(p, word)) {
            return false;
        }
    }
    return p->has_module || fail(p, text, "expected a module");
}

// A command that is refused sets its label nonetheless: those that wait for it are not at fault.
static void count_labels(Piece *p, SomStr text) {
    size_t at = 0;
    for (SomStr word = next_word(text, &at); word.length > 0; word = next_word(text, &at)) {
        bool is_closed = word.length > 2 && word.data[word.length - 1] == '}';
        SomStr inside = is_closed ? trim(som_str_slice(word, 1, word.length - 1)) : word;
        if (word.data[0] == '{' && is_closed && inside.length > 0) {
            int label = find_label(p->gait, inside); // which may move the array
            p->gait->labels.data[label].count++;
        }
    }
}

static bool read_valid_command(Piece *p, SomStr text) {
    SomDiagnostics *diags = p->importer->diags;
    p->command = (SomGaitCommand){.modes = {'i', 'i', 'i', 'i'},
                                  .milliseconds = -1,
                                  .label = -1,
                                  .after = -1,
                                  .start = -1,
                                  .end = -1,
                                  .text = text,
                                  .span = span_of(p, text)};
    p->joint_count = 0;
    p->has_module = false;
    p->ignored = p->speed = (SomSpan){0};
    if (text.data[0] == '$') {
        som_report(diags, SOM_GAIT_DOCK, p->command.span,
                   "commands that connect or disconnect modules are not imported");
        return false;
    }
    if (!read_words(p, text)) {
        return false;
    }
    if (p->speed.source1 != 0 && p->command.milliseconds < 0) {
        som_report(diags, SOM_GAIT_SPEED_WITHOUT_TIME, p->speed, "a speed needs a time");
        return false;
    }
    if (p->speed.source1 != 0) {
        som_report(diags, SOM_GAIT_SPEED, p->speed, "the joint turns for this time, and stops");
    }
    if (p->ignored.source1 != 0) {
        som_report(diags, SOM_GAIT_MODE_IGNORED, p->ignored, "this does nothing");
    }
    if (p->joint_count < 4) {
        som_report(diags, SOM_GAIT_JOINTS_MISSING, p->command.span, "there are %d joints, not four",
                   p->joint_count);
    }
    if (p->command.label >= 0) {
        p->gait->labels.data[p->command.label].count++;
    }
    som_array_push(&p->gait->commands, p->command);
    return true;
}

static bool read_command(Piece *p, SomStr text) {
    bool fine = read_valid_command(p, text);
    if (!fine) {
        count_labels(p, text);
    }
    return fine;
}

// ---- lines

// A line is commands that end at semicolons; what follows one and is no command is a remark.
static bool read_line(Piece *p, SomStr line) {
    bool fine = true, is_first = true;
    line = trim(line);
    while (line.length > 0 && !som_str_starts_with(line, SOM_STR("//"))) {
        const char *end = memchr(line.data, ';', line.length);
        size_t length = end != NULL ? (size_t)(end - line.data) : line.length;
        SomStr text = trim(som_str_slice(line, 0, length));
        SomStr rest = trim(som_str_slice(line, length + 1, line.length));
        if (text.length > 0 && (is_first || is_command(text))) {
            int before = p->gait->commands.count;
            fine = read_command(p, text) && fine;
            bool is_remark = rest.length > 0 && !is_command(rest);
            if (is_remark && p->gait->commands.count > before) {
                bool has_slashes = som_str_starts_with(rest, SOM_STR("//"));
                p->gait->commands.data[before].remark =
                    trim(som_str_slice(rest, has_slashes ? 2 : 0, rest.length));
            }
        }
        is_first = false;
        line = rest;
    }
    return fine;
}

static void report_unknown_labels(const Piece *p) {
    for (int i = 0; i < p->gait->commands.count; i++) {
        const SomGaitCommand *command = &p->gait->commands.data[i];
        const SomGaitLabel *label =
            command->after >= 0 ? &p->gait->labels.data[command->after] : NULL;
        if (label != NULL && label->count == 0 && !som_str_equal(label->name, SOM_STR("START"))) {
            som_report(p->importer->diags, SOM_GAIT_LABEL_UNKNOWN, span_of(p, label->name),
                       "no command sets '%.*s'", SOM_STR_ARG(som_str_slice(label->name, 0, 60)));
            p->gait->labels.data[command->after].count = -1; // said once
        }
    }
    for (int i = 0; i < p->gait->labels.count; i++) {
        SomGaitLabel *label = &p->gait->labels.data[i];
        label->count = label->count < 0 ? 0 : label->count;
    }
}

bool som_gait_read(SomImporter *importer, const SomImportFile *file, SomGait *gait) {
    Piece p = {.importer = importer, .file = file, .gait = gait};
    SomStr text = file->text;
    bool fine = true;
    while (text.length > 0 && gait->commands.count <= SOM_GAIT_MOST_COMMANDS) {
        const char *end = memchr(text.data, '\n', text.length);
        size_t length = end != NULL ? (size_t)(end - text.data) : text.length;
        fine = read_line(&p, som_str_slice(text, 0, length)) && fine;
        text = som_str_slice(text, length + 1, text.length);
    }
    SomSpan begin = {file->source1, 0, 0};
    if (gait->commands.count > SOM_GAIT_MOST_COMMANDS) {
        som_report(importer->diags, SOM_GAIT_TOO_MUCH, begin, "there are more than %d commands",
                   SOM_GAIT_MOST_COMMANDS);
        return false;
    }
    if (gait->commands.count == 0 && fine) {
        som_report(importer->diags, SOM_GAIT_EMPTY, begin, "there are no commands");
        return false;
    }
    report_unknown_labels(&p);
    return fine;
}

void som_gait_free(SomGait *gait) {
    som_array_free(&gait->commands);
    som_array_free(&gait->queues);
    som_array_free(&gait->labels);
}
