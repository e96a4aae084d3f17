// SPDX-License-Identifier: Apache-2.0
// Tables of joints as CSV, as `somite play --csv` prints them → a behavior that follows them:
//
//     t,Module_0.bend,Module_1.bend (deg)
//     0,0,0
//     0.5,0.7,30

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "base/path.h"
#include "exchange/lab_model.h"

#include <math.h>

#define MOST_NUMBERS 200000
#define MOST_VALUE 1e6
#define DEGREE (3.14159265358979323846 / 180)

typedef struct Column {
    SomStr name;
    SomStr module; // Module_0
    int joint;     // of its four
    int index;     // of the robot's modules
    double factor; // to radians, or seconds
    SomSpan span;
} Column;

typedef struct Table {
    SomImporter *importer;
    const SomImportFile *file;
    SOM_ARRAY(Column) columns; // the first is the time
    SOM_ARRAY(double) numbers; // line by line
} Table;

static SomStr trim(SomStr text) {
    size_t begin = 0, end = text.length;
    while (begin < end && (unsigned char)text.data[begin] <= ' ') {
        begin++;
    }
    while (end > begin && (unsigned char)text.data[end - 1] <= ' ') {
        end--;
    }
    if (end - begin >= 2 && text.data[begin] == '"' && text.data[end - 1] == '"') {
        return som_str_slice(text, begin + 1, end - 1);
    }
    return som_str_slice(text, begin, end);
}

static SomSpan span_of(const Table *t, SomStr piece) {
    uint32_t begin = (uint32_t)(piece.data - t->file->text.data);
    return (SomSpan){t->file->source1, begin, begin + (uint32_t)piece.length};
}

static bool fail(const Table *t, SomStr piece, const char *words) {
    som_report(t->importer->diags, SOM_TABLE_SYNTAX, span_of(t, piece), "%s", words);
    return false;
}

// The piece up to a separator; *rest is what follows it. False at the end.
static bool next_piece(SomStr *rest, char separator, SomStr *piece) {
    if (rest->data == NULL) {
        return false;
    }
    const char *end = memchr(rest->data, separator, rest->length);
    size_t length = end != NULL ? (size_t)(end - rest->data) : rest->length;
    *piece = som_str_slice(*rest, 0, length);
    *rest = end != NULL ? som_str_slice(*rest, length + 1, rest->length) : (SomStr){NULL, 0};
    return true;
}

// ---- names

// "Module_0.bend (deg)", or "[deg]": takes the unit off. False after a report.
static bool read_unit(const Table *t, Column *column, bool is_time) {
    static const struct {
        const char *unit;
        bool is_time;
        double factor;
    } units[] = {{"s", true, 1}, {"ms", true, 0.001}, {"rad", false, 1}, {"deg", false, DEGREE}};
    column->factor = 1;
    size_t at = column->name.length; // of the bracket behind the last name
    for (size_t i = column->name.length; i > 0 && column->name.data[i - 1] != '.'; i--) {
        bool opens = column->name.data[i - 1] == '(' || column->name.data[i - 1] == '[';
        at = opens ? i - 1 : at;
    }
    if (at == column->name.length) {
        return true;
    }
    SomStr close = column->name.data[at] == '(' ? SOM_STR(")") : SOM_STR("]");
    SomStr unit = trim(som_str_slice(column->name, at + 1, column->name.length));
    unit = som_str_ends_with(unit, close) ? trim(som_str_slice(unit, 0, unit.length - 1))
                                          : (SomStr){"", 0};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (units[i].is_time == is_time && som_str_equal(unit, som_str(units[i].unit))) {
            column->factor = units[i].factor;
            column->name = trim(som_str_slice(column->name, 0, at));
            return true;
        }
    }
    return fail(t, column->name,
                is_time ? "the unit of times is s or ms" : "the unit of joints is rad or deg");
}

static bool is_time_name(SomStr name) {
    return som_str_equal(name, SOM_STR("t")) || som_str_equal(name, SOM_STR("time")) ||
           som_str_equal(name, SOM_STR("Time"));
}

static bool read_name(Table *t, SomStr piece) {
    bool is_time = t->columns.count == 0;
    Column column = {.name = trim(piece), .joint = -1};
    column.span = span_of(t, column.name);
    if (!read_unit(t, &column, is_time)) {
        return false;
    }
    if (is_time && !is_time_name(column.name)) {
        return fail(t, piece, "expected the times first: a column 't'");
    }
    for (int i = 0; i < 4 && !is_time; i++) {
        SomStr joint = som_str(som_lab_joints[i]);
        SomStr name = column.name;
        if (name.length > joint.length + 1 && som_str_ends_with(name, joint) &&
            name.data[name.length - joint.length - 1] == '.') {
            column.joint = i;
            column.module = trim(som_str_slice(name, 0, name.length - joint.length - 1));
        }
    }
    if (!is_time && column.joint < 0) {
        som_report(t->importer->diags, SOM_TABLE_JOINT_UNKNOWN, column.span,
                   "'%.*s' is no joint: front, left, right or bend of a module",
                   SOM_STR_ARG(som_str_slice(column.name, 0, 60)));
        return false;
    }
    som_array_push(&t->columns, column);
    return true;
}

static bool read_names(Table *t, SomStr line) {
    SomStr piece;
    bool fine = true;
    while (next_piece(&line, ',', &piece)) {
        if (!read_name(t, piece)) {
            fine = false;
            if (t->columns.count == 0) {
                return false;
            }
        }
    }
    if (fine && t->columns.count < 2) {
        return fail(t, t->file->text, "there are no joints");
    }
    return fine;
}

// ---- numbers

static bool read_line(Table *t, SomStr line) {
    SomStr piece, rest = line;
    int count = 0;
    while (next_piece(&rest, ',', &piece)) {
        double value;
        if (count == t->columns.count) {
            return fail(t, piece, "there are more numbers than names");
        }
        if (!som_number_parse(trim(piece), &value)) {
            return fail(t, piece, "expected a number");
        }
        value *= t->columns.data[count].factor;
        if (!(fabs(value) <= MOST_VALUE)) {
            som_report(t->importer->diags, SOM_IMPORT_OUT_OF_RANGE, span_of(t, piece),
                       "no joint goes that far");
            return false;
        }
        som_array_push(&t->numbers, value == 0 ? 0 : value);
        count++;
    }
    if (count < t->columns.count) {
        return fail(t, line, "there are fewer numbers than names");
    }
    int first = t->numbers.count - count;
    double before = first > 0 ? t->numbers.data[first - count] : -1;
    if (!(t->numbers.data[first] >= 0 && t->numbers.data[first] > before)) {
        som_report(t->importer->diags, SOM_TABLE_TIMES, span_of(t, line),
                   first > 0 ? "this is not after the line before it"
                             : "times begin at 0 or later");
        return false;
    }
    return true;
}

static bool read_table(Table *t) {
    SomStr rest = t->file->text, line;
    bool fine = true, has_names = false;
    while (fine && next_piece(&rest, '\n', &line)) {
        SomStr trimmed = trim(line);
        if (trimmed.length == 0 || trimmed.data[0] == '#') {
            continue;
        }
        fine = has_names ? read_line(t, line) : read_names(t, line);
        has_names = true;
        if (t->numbers.count > MOST_NUMBERS) {
            som_report(t->importer->diags, SOM_TABLE_TOO_MUCH, span_of(t, line),
                       "there are more than %d numbers", MOST_NUMBERS);
            return false;
        }
    }
    if (fine && t->numbers.count == 0) {
        return fail(t, som_str_slice(t->file->text, 0, 0), "there are no numbers");
    }
    return fine;
}

// ---- the behavior

static bool find_modules(Table *t, const SomImportRobot *robot) {
    bool fine = true;
    for (int i = 1; i < t->columns.count; i++) {
        Column *column = &t->columns.data[i];
        column->index = som_import_robot_find(robot, column->module);
        if (column->index < 0) {
            som_import_robot_report(t->importer, robot, column->module, column->span);
            fine = false;
        }
        for (int k = 1; k < i && column->index >= 0; k++) {
            const Column *other = &t->columns.data[k];
            if (other->index == column->index && other->joint == column->joint) {
                som_report(t->importer->diags, SOM_IMPORT_NAME_TAKEN, column->span,
                           "there are two columns of this joint");
                fine = false;
            }
        }
    }
    return fine;
}

static void write_column(const Table *t, const SomImportRobot *robot, int column, SomText *out) {
    const Column *c = &t->columns.data[column];
    SomWrittenPlace place = robot->modules.data[c->index].place;
    place.names[place.count++] = som_str(som_lab_joints[c->joint]);
    som_write_place(out, &place);
    som_text_add(out, SOM_STR(" follow "));
    int count = t->columns.count;
    const double *numbers = t->numbers.data;
    som_write_course(out, numbers, numbers + column, count, t->numbers.count / count, SOM_STR(""));
}

static void write_behavior(const Table *t, SomImportRobot *robot) {
    SomText comment = {0};
    SomStr name;
    som_text_printf(&comment, "Imported from %.*s.", SOM_STR_ARG(som_path_name(t->file->path)));
    SomText *out = som_import_robot_behavior(t->importer, robot, som_path_stem(t->file->path),
                                             som_text_str(&comment), &name);
    som_text_add(out, SOM_STR("parallel("));
    for (int i = 1; i < t->columns.count; i++) {
        som_text_add(out, i > 1 ? SOM_STR(", ") : SOM_STR(""));
        write_column(t, robot, i, out);
    }
    som_text_add(out, SOM_STR(")\n"));
    som_text_free(&comment);
}

bool som_import_table(SomImporter *importer, const SomImportFile *file) {
    Table t = {.importer = importer, .file = file};
    bool fine = read_table(&t);
    if (fine) {
        SOM_ARRAY(SomStr) modules = {0};
        for (int i = 1; i < t.columns.count; i++) {
            som_array_push(&modules, t.columns.data[i].module);
        }
        SomImportRobot *robot = som_importer_robot_for(importer, file, modules.data, modules.count);
        som_array_free(&modules);
        if (robot == NULL) {
            som_report(importer->diags, SOM_GAIT_NO_ROBOT, (SomSpan){file->source1, 0, 0},
                       "there is no robot for this table: give its configuration, too");
        }
        fine = robot != NULL && find_modules(&t, robot);
        if (fine) {
            write_behavior(&t, robot);
        }
    }
    som_array_free(&t.columns);
    som_array_free(&t.numbers);
    return fine;
}
