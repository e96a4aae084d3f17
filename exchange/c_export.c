// SPDX-License-Identifier: Apache-2.0
// A behavior for a microcontroller: a folder of C that compiles by itself.

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "behaviors/action_text.h"
#include "behaviors/compile.h"
#include "behaviors/graph_builder.h"
#include "compose/dock_states.h"
#include "exchange/c_files.h"
#include "exchange/c_tables.h"
#include "exchange/export.h"
#include "exchange/legal_names.h"
#include "player/robot_run.h"

#include <string.h>

#define MOST_BYTES (16 * 1024 * 1024) // of tables
#define MOST_NAME 40                  // characters of a name in C

typedef struct Writer {
    SomExport *job;
    SomCTables tables;
    SomText name; // of the behavior, as a word of C
    SomText title;
    SomServoModel *servos;
    SomDockModel *docks;
    uint8_t *dock_states;
} Writer;

// ---- names

// Where the first such character is; the length if there is none.
static size_t find_char(SomStr text, char c) {
    const char *found = text.length > 0 ? memchr(text.data, c, text.length) : NULL;
    return found != NULL ? (size_t)(found - text.data) : text.length;
}

// Files of the player begin so, and some file systems do not tell capitals from others.
static bool is_ours(SomStr name) {
    SomText upper = {0};
    som_c_tables_upper(&upper, name);
    bool is_ours = som_str_equal(som_text_str(&upper), SOM_STR("SOM")) ||
                   som_str_starts_with(som_text_str(&upper), SOM_STR("SOM_"));
    som_text_free(&upper);
    return is_ours;
}

// drive(70mm/s, 2s) is drive.
static void make_name(SomText *out, SomStr behavior) {
    SomText word = {0};
    som_legal_word(&word, som_str_slice(behavior, 0, find_char(behavior, '(')), "behavior");
    bool is_number = '0' <= word.data[0] && word.data[0] <= '9';
    som_text_add(out, is_ours(som_text_str(&word)) || is_number ? SOM_STR("b_") : (SomStr){0});
    som_text_add(out, som_str_slice(som_text_str(&word), 0,
                                    word.length < MOST_NAME ? word.length : MOST_NAME));
    som_text_free(&word);
}

// ---- what a board must sense

static const struct Sense {
    SomInstructionKind kind;
    SomSymbolKind symbol; // SOM_SYMBOL_KINDS: it has none
    const char *what;     // in board.h
} senses[] = {
    {SOM_INSTRUCTION_EFFORT, SOM_SYMBOL_DOF, "efforts"},
    {SOM_INSTRUCTION_CONTACT, SOM_SYMBOL_CONTACT, "contacts"},
    {SOM_INSTRUCTION_INPUT, SOM_SYMBOL_INPUT, "inputs"},
    {SOM_INSTRUCTION_HEIGHT, SOM_SYMBOL_KINDS, "height"},
    {SOM_INSTRUCTION_TILT, SOM_SYMBOL_KINDS, "tilt"},
};

// The names of what is asked for by instructions of a kind, each once: " of 'a', 'b'".
static void list_names(const SomActionGraph *g, const struct Sense *sense, SomText *out) {
    bool *is_said = som_alloc((size_t)g->symbol_count[sense->symbol] + 1);
    const char *before = " of '";
    for (int32_t i = 0; i < g->instruction_count; i++) {
        int32_t index = g->instructions[i].index;
        if (g->instructions[i].kind == (uint8_t)sense->kind && !is_said[index]) {
            is_said[index] = true;
            som_text_add(out, som_str(before));
            som_c_tables_plain(out, som_str(som_graph_name(g, sense->symbol, index)));
            som_text_add_char(out, '\'', 1);
            before = ", '";
        }
    }
    som_free(is_said);
}

// "efforts of 'arm.lift'; height"; nothing if the behavior asks for none of it.
static void list_senses(const SomActionGraph *g, SomText *out) {
    for (size_t i = 0; i < sizeof senses / sizeof *senses; i++) {
        if (som_graph_senses(g, senses[i].kind)) {
            som_text_printf(out, "%s%s", out->length > 0 ? "; " : "", senses[i].what);
            if (senses[i].symbol != SOM_SYMBOL_KINDS) {
                list_names(g, &senses[i], out);
            }
        }
    }
}

static bool asks(const SomActionGraph *g, int32_t condition) {
    for (int32_t i = 0; condition != SOM_NONE && i < g->conditions[condition].count; i++) {
        for (size_t k = 0; k < sizeof senses / sizeof *senses; k++) {
            if (g->instructions[g->conditions[condition].first + i].kind ==
                (uint8_t)senses[k].kind) {
                return true;
            }
        }
    }
    return false;
}

static const SomAction *action_of(const SomActionGraph *g, int32_t node) {
    return g->nodes[node].kind == SOM_NODE_ACTION ? &g->actions[g->nodes[node].index] : NULL;
}

// Once for each kind of thing, where it is asked for first.
static void report_senses(const Writer *w) {
    const SomActionGraph *g = w->tables.graph;
    int32_t first = SOM_NONE, dock = SOM_NONE;
    int docks = 0;
    for (int32_t i = g->node_count - 1; i >= 0; i--) {
        const SomAction *action = action_of(g, i);
        bool has_asked = asks(g, g->nodes[i].guard) || asks(g, g->nodes[i].until) ||
                         (action != NULL && asks(g, action->until));
        first = has_asked ? i : first;
        if (action != NULL && action->kind == SOM_ACTION_CONNECT) {
            dock = i;
            docks++;
        }
    }
    if (first != SOM_NONE) {
        SomText list = {0};
        list_senses(g, &list);
        som_report(w->job->diags, SOM_EXPORT_BOARD_SENSES, som_graph_user_span(g, first),
                   "the behavior asks for what a board must measure: %s", list.data);
        som_text_free(&list);
    }
    if (docks > 0) {
        som_report(w->job->diags, SOM_EXPORT_BOARD_DOCKS, som_graph_user_span(g, dock),
                   "%d action%s docks, which the loop takes to find their partners unless the "
                   "board senses them",
                   docks, docks == 1 ? " connects" : "s connect");
    }
}

// ---- the texts

static bool is_moved(const SomActionGraph *g, int dof) {
    for (int32_t i = 0; i < g->action_count; i++) {
        if (som_graph_resource(g, &g->actions[i]) == dof) {
            return true;
        }
    }
    return false;
}

static void add_bound(SomText *out, const char *what, double bound) {
    if (bound > 0) {
        som_text_add(out, som_str(what));
        som_text_rounded(out, bound, 6);
    }
}

static void add_joint(const Writer *w, SomText *out, int i) {
    const SomServoModel *servo = &w->servos[i];
    som_text_printf(out, "    %3d  ", i);
    som_c_tables_plain(out, som_str(som_graph_name(w->tables.graph, SOM_SYMBOL_DOF, i)));
    som_text_add(out, SOM_STR(": starts at "));
    som_text_rounded(out, w->tables.start[i], 6);
    if (!is_moved(w->tables.graph, i)) {
        som_text_add(out, SOM_STR(" and stays there\n"));
        return;
    }
    if (servo->low < servo->high) {
        som_text_add(out, SOM_STR(", from "));
        som_text_rounded(out, servo->low, 6);
        som_text_add(out, SOM_STR(" to "));
        som_text_rounded(out, servo->high, 6);
    }
    add_bound(out, ", speed ", servo->most_speed);
    add_bound(out, ", acceleration ", servo->most_acceleration);
    som_text_add_char(out, '\n', 1);
}

// As `somite play --csv` calls them.
static void add_columns(const Writer *w, SomText *out) {
    SomText column = {0};
    for (int i = 0; i < w->tables.graph->symbol_count[SOM_SYMBOL_DOF]; i++) {
        som_text_clear(&column);
        som_column_print(som_graph_name(w->tables.graph, SOM_SYMBOL_DOF, i), &column);
        som_text_add(out, SOM_STR("    \""));
        som_c_tables_string(out, column.data);
        som_text_add(out, SOM_STR("\",\n"));
    }
    som_text_free(&column);
}

static void add_symbols(const Writer *w, SomText *out, SomSymbolKind kind, const char *title) {
    int32_t count = w->tables.graph->symbol_count[kind];
    if (count > 0) {
        som_text_printf(out, "%s:\n\n", title);
    }
    for (int32_t i = 0; i < count; i++) {
        som_text_printf(out, "    %3d  ", i);
        som_c_tables_plain(out, som_str(som_graph_name(w->tables.graph, kind, i)));
        som_text_add_char(out, '\n', 1);
    }
    som_text_add_char(out, '\n', count > 0);
}

static void add_senses(const Writer *w, SomText *out) {
    SomText list = {0};
    add_symbols(w, out, SOM_SYMBOL_CONTACT, "Contacts");
    add_symbols(w, out, SOM_SYMBOL_INPUT, "Inputs");
    add_symbols(w, out, SOM_SYMBOL_DOCK, "Docks");
    list_senses(w->tables.graph, &list);
    som_text_printf(out, "Besides positions, the behavior asks for: %s.\n",
                    list.length > 0 ? list.data : "nothing");
    som_text_free(&list);
}

// What stands between at signs in a template. False: nothing that is known.
static bool add_key(const Writer *w, SomStr key, SomText *out) {
    if (som_str_equal(key, SOM_STR("name"))) {
        som_text_add(out, w->tables.name);
    } else if (som_str_equal(key, SOM_STR("NAME"))) {
        som_c_tables_upper(out, w->tables.name);
    } else if (som_str_equal(key, SOM_STR("behavior"))) {
        som_c_tables_plain(out, w->job->behavior);
    } else if (som_str_equal(key, SOM_STR("design"))) {
        som_c_tables_plain(out, w->job->design->name);
    } else if (som_str_equal(key, SOM_STR("tick"))) {
        som_text_number(out, w->tables.tick);
    } else if (som_str_equal(key, SOM_STR("tables"))) {
        som_text_printf(out, "%zu", som_c_tables_size(&w->tables));
    } else if (som_str_equal(key, SOM_STR("memory"))) {
        som_text_printf(out, "%zu", som_c_tables_memory(&w->tables));
    } else if (som_str_equal(key, SOM_STR("joints"))) {
        for (int i = 0; i < w->tables.graph->symbol_count[SOM_SYMBOL_DOF]; i++) {
            add_joint(w, out, i);
        }
    } else if (som_str_equal(key, SOM_STR("columns"))) {
        add_columns(w, out);
    } else if (som_str_equal(key, SOM_STR("senses"))) {
        add_senses(w, out);
    } else {
        return false;
    }
    return true;
}

static void fill_in(const Writer *w, SomStr content, SomText *out) {
    while (content.length > 0) {
        size_t at = find_char(content, '@');
        som_text_add(out, som_str_slice(content, 0, at));
        content = som_str_slice(content, at, content.length);
        if (content.length == 0) {
            return;
        }
        SomStr rest = som_str_slice(content, 1, content.length);
        size_t end = find_char(rest, '@');
        if (end < rest.length && add_key(w, som_str_slice(rest, 0, end), out)) {
            content = som_str_slice(rest, end + 1, rest.length);
        } else {
            som_text_add_char(out, '@', 1);
            content = rest;
        }
    }
}

// ---- the folder

static bool save_tables(const Writer *w) {
    SomText header = {0}, source = {0}, file = {0};
    som_c_tables_header(&w->tables, &header);
    som_c_tables_source(&w->tables, &source);
    som_text_printf(&file, "%s_graph.h", w->name.data);
    bool is_saved = som_export_save_in(w->job, som_text_str(&file), som_text_str(&header));
    file.data[file.length - 1] = 'c';
    is_saved = is_saved && som_export_save_in(w->job, som_text_str(&file), som_text_str(&source));
    som_text_free(&header);
    som_text_free(&source);
    som_text_free(&file);
    return is_saved;
}

static void save_files(const Writer *w) {
    SomText text = {0};
    bool is_saved = som_export_make_folder(w->job, SOM_STR(".")) && save_tables(w);
    for (int i = 0; is_saved && i < som_c_file_count; i++) {
        const SomCFile *file = &som_c_files[i];
        som_text_clear(&text);
        if (file->is_template) {
            fill_in(w, file->content, &text);
        }
        is_saved = som_export_save_in(w->job, som_str(file->name),
                                      file->is_template ? som_text_str(&text) : file->content);
    }
    som_text_free(&text);
}

// ---- the job

static void make_docks(Writer *w) {
    const SomConfiguration *design = w->job->design;
    size_t room = (size_t)design->dock_count + 1;
    w->docks = som_alloc(room * sizeof *w->docks);
    w->dock_states = som_alloc(room * sizeof *w->dock_states);
    for (int i = 0; i < design->dock_count; i++) {
        const SomDock *dock = &design->docks[i];
        w->docks[i] = (SomDockModel){.closing = som_dock_connect_time(design, dock),
                                     .opening = som_dock_release_time(design, dock),
                                     .reach = som_dock_reach(design, dock),
                                     .reach_angle = som_dock_reach_angle(design, dock)};
        w->dock_states[i] = dock->is_closed ? SOM_DOCK_CLOSED : SOM_DOCK_OPEN;
    }
}

static bool is_playable(const Writer *w) {
    size_t size = som_c_tables_size(&w->tables);
    if (size > MOST_BYTES) {
        som_report(w->job->diags, SOM_EXPORT_BOARD_TOO_SMALL, (SomSpan){0},
                   "the tables of the behavior would take %zu MB", size / 1000000);
    }
    return size <= MOST_BYTES;
}

void som_export_c(SomExport *job) {
    Writer w = {.job = job};
    make_name(&w.name, job->behavior);
    som_text_printf(&w.title, "%.*s of %.*s", SOM_STR_ARG(job->behavior),
                    SOM_STR_ARG(job->design->name));
    w.servos = som_compile_servos(job->design);
    make_docks(&w);
    w.tables = (SomCTables){.graph = job->graph,
                            .servos = w.servos,
                            .start = job->posture->values,
                            .docks = w.docks,
                            .dock_states = w.dock_states,
                            .name = som_text_str(&w.name),
                            .title = som_text_str(&w.title),
                            .tick = job->tick > 0 ? job->tick : SOM_EXPORT_TICK};
    if (is_playable(&w)) {
        report_senses(&w);
        save_files(&w);
    }
    som_free(w.servos);
    som_free(w.docks);
    som_free(w.dock_states);
    som_text_free(&w.name);
    som_text_free(&w.title);
}
