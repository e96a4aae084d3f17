// SPDX-License-Identifier: Apache-2.0
// Tables of keyframes in files: follow "walk.csv". A line names the columns, the first of which is
// the time; every other line is one moment. What `somite play --csv` prints is such a table.

#include "base/codes/behaviors_codes.h"
#include "base/number.h"
#include "behaviors/action_text.h"
#include "behaviors/compile_internal.h"
#include "compose/posture.h"
#include "language/name.h"

#include <math.h>

#define MOST_VALUES 1000000 // in a table
#define MOST_REPORTS 20     // about one

typedef struct Column {
    SomMover mover;
    const SomUnit *unit; // NULL: SI
    SomSpan span;
    SOM_ARRAY(SomKeyframe) frames;
} Column;

typedef struct Table {
    SomCompiler *c;
    SomStr text;
    uint32_t source1;
    const SomUnit *time_unit;
    SOM_ARRAY(Column) columns; // without that of the time
    double last_time;
    int values, reports;
    bool has_failed;
} Table;

// ---- cells

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static SomSpan trim(SomStr text, SomSpan span) {
    while (span.begin < span.end && is_blank(text.data[span.begin])) {
        span.begin++;
    }
    while (span.begin < span.end && is_blank(text.data[span.end - 1])) {
        span.end--;
    }
    return span;
}

static SomStr cell_text(const Table *t, SomSpan cell) {
    return som_str_slice(t->text, cell.begin, cell.end);
}

// The cell that begins at *at in a line, and past its comma. Names may have commas in quotes.
static bool next_cell(const Table *t, SomSpan line, uint32_t *at, SomSpan *cell) {
    if (*at > line.end) {
        return false;
    }
    bool is_quoted = false;
    uint32_t end = *at;
    for (; end < line.end && (is_quoted || t->text.data[end] != ','); end++) {
        is_quoted ^= t->text.data[end] == '"';
    }
    *cell = trim(t->text, (SomSpan){t->source1, *at, end});
    *at = end + 1;
    return true;
}

// The next line that is not empty and no comment.
static bool next_line(const Table *t, uint32_t *at, SomSpan *line) {
    while (*at < t->text.length) {
        uint32_t end = *at;
        while (end < t->text.length && t->text.data[end] != '\n') {
            end++;
        }
        *line = trim(t->text, (SomSpan){t->source1, *at, end});
        *at = end + 1;
        if (line->begin < line->end && t->text.data[line->begin] != '#') {
            return true;
        }
    }
    return false;
}

__attribute__((format(printf, 4, 5))) static void fail(Table *t, SomCode code, SomSpan span,
                                                       const char *format, ...) {
    t->has_failed = true;
    if (t->reports++ < MOST_REPORTS) {
        SomText message = {0};
        va_list arguments;
        va_start(arguments, format);
        som_text_vprintf(&message, format, arguments);
        va_end(arguments);
        som_compiler_report(t->c, code, span, "%s", message.data);
        som_text_free(&message);
    }
}

// ---- the first line

// "tilt [deg]" or "tilt (deg)": takes the unit off. False after a report.
static bool split_unit(Table *t, SomSpan *cell, const SomUnit **unit) {
    SomStr text = cell_text(t, *cell);
    char last = text.length > 0 ? text.data[text.length - 1] : ' ';
    *unit = NULL;
    if (last != ']' && last != ')') {
        return true;
    }
    size_t open = text.length - 1;
    while (open > 0 && text.data[open] != (last == ']' ? '[' : '(')) {
        open--;
    }
    SomSpan span = {t->source1, cell->begin + (uint32_t)open + 1, cell->end - 1};
    span = trim(t->text, span);
    *unit = som_unit_find(cell_text(t, span));
    if (*unit == NULL) {
        fail(t, SOM_TABLE_HEADER, span, "'%.*s' is not a unit", SOM_STR_ARG(cell_text(t, span)));
        return false;
    }
    cell->end = cell->begin + (uint32_t)open;
    *cell = trim(t->text, *cell);
    return true;
}

static bool check_unit(Table *t, SomSpan span, const SomUnit *unit, SomDimension wanted) {
    if (unit == NULL || som_dimension_equal(som_dimension(unit->dimension), wanted)) {
        return true;
    }
    SomText words = {0};
    som_dimension_print(wanted, &words);
    fail(t, SOM_TABLE_HEADER, span, "expected a unit of %s, found '%.*s'", words.data,
         SOM_STR_ARG(unit->text));
    som_text_free(&words);
    return false;
}

static void report_unknown(Table *t, SomSpan span, SomStr name) {
    const SomConfiguration *configuration = t->c->configuration;
    const SomPart *part = &configuration->parts[t->c->unfolding->part];
    SomStr names[SOM_COMPILE_MOST_HINTS];
    size_t skipped = part->path.length > 0 ? part->path.length + 1 : 0;
    int count = 0;
    for (; count < part->dof_count && count < SOM_COMPILE_MOST_HINTS; count++) {
        SomStr path = configuration->dofs[part->first_dof + count].path;
        names[count] = som_str_slice(path, skipped, path.length);
    }
    t->has_failed = true;
    if (t->reports++ < MOST_REPORTS) {
        som_compiler_report_unknown(t->c, SOM_TABLE_HEADER, span, "there is no joint", name, names,
                                    count);
    }
}

// `written` gets the path by which it was found, which lasts as long as the compiler.
static int find_joint(const Table *t, SomStr name, SomAlias *alias, SomStr *written) {
    SomCompiler *c = t->c;
    SomText path = {0};
    som_text_add(&path, c->configuration->parts[c->unfolding->part].path);
    som_text_add(&path, path.length > 0 ? SOM_STR(".") : SOM_STR(""));
    som_text_add(&path, name);
    int dof = som_configuration_find_dof(c->configuration, som_text_str(&path), alias);
    if (dof >= 0) {
        *written = som_arena_copy(&c->arena, som_text_str(&path));
    }
    som_text_free(&path);
    return dof;
}

// As behaviors call it, or as other programs do: without our quotes, or in theirs, in which those
// of the name are doubled.
static int find_column(const Table *t, SomStr name, SomAlias *alias, SomStr *written) {
    int dof = find_joint(t, name, alias, written);
    if (dof >= 0) {
        return dof;
    }
    SomText plain = {0}, path = {0};
    for (size_t i = 0; i < name.length; i++) {
        i += name.data[i] == '"' && i + 1 < name.length && name.data[i + 1] == '"';
        som_text_add_char(&plain, name.data[i], 1);
    }
    dof = find_joint(t, som_text_str(&plain), alias, written);
    if (dof < 0) {
        som_column_read(som_text_str(&plain), &path);
        dof = find_joint(t, som_text_str(&path), alias, written);
    }
    som_text_free(&plain);
    som_text_free(&path);
    return dof;
}

// A cell that is in quotes as a whole is what is in them, unless it is the name of a joint.
static SomSpan unwrap(const Table *t, SomSpan cell) {
    SomStr text = cell_text(t, cell);
    SomAlias alias;
    SomStr written;
    bool is_wrapped = text.length > 2 && text.data[0] == '"' && text.data[text.length - 1] == '"';
    if (is_wrapped && find_joint(t, text, &alias, &written) < 0) {
        cell.begin++;
        cell.end--;
    }
    return trim(t->text, cell);
}

static void read_column(Table *t, SomSpan cell) {
    SomCompiler *c = t->c;
    Column column = {.span = cell};
    cell = unwrap(t, cell);
    if (!split_unit(t, &cell, &column.unit)) {
        return;
    }
    SomStr name = cell_text(t, cell);
    SomAlias alias;
    SomStr written;
    int dof = find_column(t, name, &alias, &written);
    if (dof < 0) {
        report_unknown(t, cell, name);
        return;
    }
    column.mover = som_compiler_mover(c, dof);
    column.mover.alias = alias;
    column.mover.path = written;
    for (int i = 0; i < t->columns.count; i++) {
        if (t->columns.data[i].mover.dof == dof) {
            fail(t, SOM_TABLE_HEADER, cell, "two columns are of '%.*s'", SOM_STR_ARG(name));
            return;
        }
    }
    if (check_unit(t, cell, column.unit, som_mover_dimension(&column.mover))) {
        som_array_push(&t->columns, column);
    }
}

static void read_time_column(Table *t, SomSpan line, uint32_t *at) {
    SomSpan cell;
    next_cell(t, line, at, &cell);
    SomSpan time = cell;
    if (split_unit(t, &time, &t->time_unit)) {
        SomStr name = cell_text(t, time);
        if (!som_str_equal(name, SOM_STR("t")) && !som_str_equal(name, SOM_STR("time"))) {
            fail(t, SOM_TABLE_HEADER, cell, "the first column is 't', the time");
        }
        check_unit(t, cell, t->time_unit, som_dimension(SOM_DIMENSION_TIME));
    }
}

static void read_header(Table *t, SomSpan line) {
    SomSpan cell;
    uint32_t at = line.begin;
    read_time_column(t, line, &at);
    while (next_cell(t, line, &at, &cell) && t->reports < MOST_REPORTS) {
        t->c->steps_left -= 1 + t->columns.count;
        read_column(t, cell);
    }
    if (t->columns.count == 0 && !t->has_failed) {
        fail(t, SOM_TABLE_HEADER, line, "the table has no joints");
    }
}

// ---- the other lines

static bool read_value(Table *t, SomSpan cell, const SomUnit *unit, double *value) {
    if (!som_number_parse(cell_text(t, cell), value) || !isfinite(*value)) {
        fail(t, SOM_TABLE_ROW, cell, "'%.*s' is not a number", SOM_STR_ARG(cell_text(t, cell)));
        return false;
    }
    *value = unit != NULL ? som_unit_to_si(unit, *value) : *value;
    return true;
}

static bool read_time(Table *t, SomSpan cell, double *time) {
    if (!read_value(t, cell, t->time_unit, time)) {
        return false;
    }
    if (!(*time > t->last_time)) {
        fail(t, SOM_TABLE_ROW, cell,
             *time < 0 ? "times begin at 0 or later" : "times rise from line to line");
        return false;
    }
    t->last_time = *time;
    return true;
}

static void read_row(Table *t, SomSpan line) {
    SomSpan cell;
    uint32_t at = line.begin;
    double time, value;
    next_cell(t, line, &at, &cell);
    bool has_time = read_time(t, cell, &time);
    int column = 0;
    for (; next_cell(t, line, &at, &cell); column++) {
        if (column >= t->columns.count) {
            fail(t, SOM_TABLE_ROW, cell, "the table has only %d columns", t->columns.count + 1);
            return;
        }
        Column *k = &t->columns.data[column];
        if (cell.begin < cell.end && read_value(t, cell, k->unit, &value) && has_time) {
            SomKeyframe frame = {time, som_alias_to_joint(k->mover.alias, value)};
            som_array_push(&k->frames, frame);
            t->values++;
        }
    }
    if (column < t->columns.count) {
        fail(t, SOM_TABLE_ROW, line, "this line has %d columns instead of %d", column + 1,
             t->columns.count + 1);
    }
}

static void read_table(Table *t, SomSpan named) {
    uint32_t at = som_str_starts_with(t->text, SOM_STR("\xEF\xBB\xBF")) ? 3 : 0; // of spreadsheets
    SomSpan line;
    if (!next_line(t, &at, &line)) {
        fail(t, SOM_TABLE_HEADER, named, "the table is empty");
        return;
    }
    read_header(t, line);
    bool goes_on = !t->has_failed;
    while (goes_on && next_line(t, &at, &line)) {
        t->c->steps_left -= 1 + t->columns.count;
        read_row(t, line);
        goes_on = t->reports < MOST_REPORTS;
        if (t->values > MOST_VALUES || t->c->steps_left <= 0) {
            fail(t, SOM_BEHAVIOR_TOO_LARGE, line, "the table has too many values");
            goes_on = false;
        }
    }
    for (int i = 0; !t->has_failed && i < t->columns.count; i++) {
        if (t->columns.data[i].frames.count == 0) {
            fail(t, SOM_TABLE_HEADER, t->columns.data[i].span, "this column has no values");
        }
    }
}

// ---- the action

static void add_table(SomCompiler *c, SomNode node, const Table *t) {
    SomClauses clauses = som_compiler_clauses(c, node);
    som_graph_builder_open(c->builder, SOM_NODE_PARALLEL, som_compiler_span(c, node),
                           c->unfolding->path);
    for (int i = 0; i < t->columns.count && !c->is_too_large; i++) {
        const Column *k = &t->columns.data[i];
        som_compiler_add_course(c, node, &clauses, &k->mover, k->frames.data, k->frames.count);
    }
    som_graph_builder_close(c->builder);
}

void som_compiler_table(SomCompiler *c, SomNode node) {
    const SomSyntax *tree = c->unfolding->tree;
    int token = som_syntax_find_token(tree, node, SOM_TOKEN_STRING);
    SomSpan span = som_syntax_token_span(tree, token);
    SomText name = {0};
    som_name_read(som_syntax_token_text(tree, token), &name);
    Table table = {.c = c, .last_time = -1e-300};
    int file = c->unfolding->file >= 0 ? c->unfolding->file : 0; // the design that is open
    const char *fault = som_workspace_read_beside(c->workspace, file, som_text_str(&name),
                                                  &table.text, &table.source1);
    if (fault != NULL) {
        som_compiler_report(c, SOM_TABLE_FILE, span, "'%.*s' %s", SOM_STR_ARG(som_text_str(&name)),
                            fault);
    } else {
        read_table(&table, span);
    }
    som_text_free(&name);
    if (fault == NULL && !table.has_failed) {
        add_table(c, node, &table);
    } else {
        som_compiler_nothing(c, node);
    }
    for (int i = 0; i < table.columns.count; i++) {
        som_array_free(&table.columns.data[i].frames);
    }
    som_array_free(&table.columns);
}

// ---- a table of an input

// The column of the input, from 0; -1 after a report.
static int find_input_column(Table *t, SomSpan line, const SomInputTable *in, Column *column) {
    SomSpan cell;
    uint32_t at = line.begin;
    int count = 0, found = -1;
    read_time_column(t, line, &at);
    for (; next_cell(t, line, &at, &cell); count++) {
        const SomUnit *unit;
        SomSpan own = cell;
        if (!split_unit(t, &own, &unit)) {
            return -1;
        }
        if (found < 0 && (count == 0 || som_str_equal(cell_text(t, own), in->type->name))) {
            bool is_named = som_str_equal(cell_text(t, own), in->type->name);
            *column = (Column){.span = own, .unit = unit};
            found = is_named ? count : -1;
        }
    }
    if (found < 0 && count != 1) {
        fail(t, SOM_TABLE_HEADER, line, "the table has no column '%.*s'",
             SOM_STR_ARG(in->type->name));
        return -1;
    }
    return found >= 0 ? found : 0;
}

static void read_input_row(Table *t, SomSpan line, const Column *column, int index,
                           SomKeyframes *frames) {
    SomSpan cell;
    uint32_t at = line.begin;
    SomKeyframe frame;
    next_cell(t, line, &at, &cell);
    bool has_time = read_time(t, cell, &frame.time);
    for (int i = 0; i <= index; i++) {
        if (!next_cell(t, line, &at, &cell)) {
            fail(t, SOM_TABLE_ROW, line, "this line has %d columns instead of %d or more", i + 1,
                 index + 2);
            return;
        }
    }
    if (cell.begin < cell.end && read_value(t, cell, column->unit, &frame.value) && has_time) {
        som_array_push(frames, frame);
    }
}

static void read_input_rows(Table *t, uint32_t *at, const Column *column, int index,
                            SomKeyframes *frames) {
    SomSpan line;
    while (t->reports < MOST_REPORTS && next_line(t, at, &line)) {
        t->c->steps_left--;
        read_input_row(t, line, column, index, frames);
        if (frames->count > MOST_VALUES || t->c->steps_left <= 0) {
            fail(t, SOM_BEHAVIOR_TOO_LARGE, line, "the table has too many values");
            return;
        }
    }
}

bool som_compiler_input_table(SomCompiler *c, const SomInputTable *in, SomKeyframes *frames) {
    Table t = {.c = c, .text = in->text, .source1 = in->source1, .last_time = -1e-300};
    uint32_t at = som_str_starts_with(t.text, SOM_STR("\xEF\xBB\xBF")) ? 3 : 0;
    SomSpan line;
    Column column = {0};
    if (!next_line(&t, &at, &line)) {
        fail(&t, SOM_TABLE_HEADER, in->named, "the table is empty");
        return false;
    }
    int index = find_input_column(&t, line, in, &column);
    if (index < 0 || !check_unit(&t, column.span, column.unit, in->type->dimension)) {
        return false;
    }
    read_input_rows(&t, &at, &column, index, frames);
    if (frames->count == 0 && !t.has_failed) {
        fail(&t, SOM_TABLE_HEADER, column.span, "this column has no values");
    }
    return !t.has_failed;
}
