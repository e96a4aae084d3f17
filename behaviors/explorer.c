// SPDX-License-Identifier: Apache-2.0
#include "behaviors/explorer.h"

#include "base/arena.h"
#include "base/name_list.h"
#include "base/number.h"
#include "behaviors/explorer_internal.h"
#include "behaviors/sensor_values.h"
#include "player/fingerprint.h"

#include <assert.h>

// What may be tried in one tick, and how large the player may be that is copied for it.
#define MOST_TRIED 256
#define MOST_READ 64 // sensors
#define MOST_COPIED (4 * 1024 * 1024)
#define MOST_PRINTED 3 // changes of a branch
#define MOST_JOINS 1000000

// A sensor that was read in a tick, and which of its values it had.
typedef struct Reading {
    int32_t sensor, option;
    double time;
    double value; // of a comparison: how it turned out
} Reading;

typedef struct Branch {
    int parent;
    int kept;            // readings of the parent that it has, too
    const Reading *fork; // those of the tick in which it is different
    int fork_count;
    double time;                 // of that tick
    SOM_ARRAY(Reading) readings; // all of them, once it was played
    bool is_played;
    int merged; // not played: another branch came to its beginning; -1: none did
    double merged_time;
} Branch;

// A state that a branch was in. Key 0: none.
typedef struct State {
    uint64_t key;
    int branch;
    double time;
} State;

struct SomExplorer {
    const SomActionGraph *graph;
    SomSensorValues *values;
    SOM_ARRAY(Branch) branches;
    SOM_ARRAY(int) queue;
    int next;      // of the queue
    State *states; // a hash table
    int state_count, room;
    SOM_ARRAY(SomExplorerJoin) joins;
    int merged; // branches
    int passes; // that follow the first
    long unkept;
    bool is_exact;
    SomArena arena;
};

struct SomExploredRun {
    SomExplorer *explorer;
    int branch, first_found;
    SOM_ARRAY(Reading) forced;
    SOM_ARRAY(Reading) readings;
    // of the tick
    Reading read[MOST_READ];
    int read_count;
    const Reading *given; // how it begins
    int given_count;
    double time;
    double end, period; // of all passes; 0: the first is not over
    // players before the tick, and to try others
    void *memory[2];
    SomPlayer *before, *other;
    const double *origins; // of positions
    bool returns;
    int return_branch;
    double return_time;
};

SomExplorer *som_explorer_create(const SomActionGraph *graph, const SomAssumptions *assumed) {
    SomExplorer *explorer = som_alloc(sizeof *explorer);
    explorer->graph = graph;
    explorer->values = som_sensor_values_create(graph, assumed);
    explorer->is_exact = true;
    som_array_push(&explorer->branches, ((Branch){.parent = -1, .merged = -1}));
    som_array_push(&explorer->queue, 0);
    return explorer;
}

void som_explorer_destroy(SomExplorer *explorer) {
    if (explorer != NULL) {
        for (int i = 0; i < explorer->branches.count; i++) {
            som_array_free(&explorer->branches.data[i].readings);
        }
        som_array_free(&explorer->branches);
        som_array_free(&explorer->queue);
        som_array_free(&explorer->joins);
        som_sensor_values_destroy(explorer->values);
        som_free(explorer->states);
        som_arena_free(&explorer->arena);
        som_free(explorer);
    }
}

int som_explorer_next(SomExplorer *explorer) {
    while (explorer->next < explorer->queue.count) {
        int branch = explorer->queue.data[explorer->next++];
        if (explorer->branches.data[branch].merged < 0) {
            return branch;
        }
    }
    return -1;
}

long som_explorer_count(const SomExplorer *explorer) {
    return explorer->branches.count - explorer->merged + explorer->unkept;
}

const SomExplorerJoin *som_explorer_joins(const SomExplorer *explorer, int *count) {
    *count = explorer->joins.count;
    return explorer->joins.data;
}

SomExplorerJoin som_explorer_resolve(const SomExplorer *explorer, SomExplorerJoin join) {
    const Branch *to = &explorer->branches.data[join.to];
    if (to->merged >= 0) { // only its beginning was ever known
        join.to = to->merged;
        join.to_time = to->merged_time;
    }
    return join;
}

bool som_explorer_is_exact(const SomExplorer *explorer) {
    return explorer->is_exact;
}

bool som_explorer_has_sensors(const SomExplorer *explorer) {
    return som_sensor_values_has_any(explorer->values);
}

void som_explorer_add_passes(SomExplorer *explorer, int passes) {
    explorer->passes = passes;
}

// ---- states

static State *slot_of(State *states, int room, uint64_t key) {
    int at = (int)(key & (uint64_t)(room - 1));
    while (states[at].key != 0 && states[at].key != key) {
        at = (at + 1) & (room - 1);
    }
    return &states[at];
}

static void make_room(SomExplorer *explorer) {
    if (2 * (explorer->state_count + 1) < explorer->room) {
        return;
    }
    int room = explorer->room > 0 ? 2 * explorer->room : 1024;
    State *states = som_alloc((size_t)room * sizeof *states);
    for (int i = 0; i < explorer->room; i++) {
        if (explorer->states[i].key != 0) {
            *slot_of(states, room, explorer->states[i].key) = explorer->states[i];
        }
    }
    som_free(explorer->states);
    explorer->states = states;
    explorer->room = room;
}

static void add_join(SomExplorer *explorer, int from, double from_time, int to, double to_time) {
    if (explorer->joins.count < MOST_JOINS) {
        SomExplorerJoin join = {from, to, from_time, to_time};
        som_array_push(&explorer->joins, join);
    } else {
        explorer->is_exact = false;
    }
}

// The state of this key. Of this branch from now on, if there was none or that of a branch which
// would begin there: it goes on as this one does, then, and need not be played.
static State enter(SomExplorer *explorer, uint64_t key, int branch, double time, bool *is_new) {
    make_room(explorer);
    State *state = slot_of(explorer->states, explorer->room, key | 1);
    Branch *owner = state->key != 0 ? &explorer->branches.data[state->branch] : NULL;
    bool is_waiting = owner != NULL && !owner->is_played && owner->merged < 0;
    bool takes_over = is_waiting && explorer->branches.data[branch].is_played;
    *is_new = owner == NULL || takes_over;
    if (takes_over) {
        owner->merged = branch;
        owner->merged_time = time;
        explorer->merged++;
        add_join(explorer, owner->parent, owner->time, branch, time);
    }
    explorer->state_count += owner == NULL;
    if (*is_new) {
        *state = (State){key | 1, branch, time};
    }
    return *state;
}

// ---- a run

static void add_forced(SomExploredRun *run, int branch) {
    const Branch *b = &run->explorer->branches.data[branch];
    for (int i = 0; i < b->kept; i++) {
        som_array_push(&run->forced, run->explorer->branches.data[b->parent].readings.data[i]);
    }
    for (int i = 0; i < b->fork_count; i++) {
        som_array_push(&run->forced, b->fork[i]);
    }
}

SomExploredRun *som_explored_run_create(SomExplorer *explorer, int branch,
                                        const SomPlayer *player) {
    SomExploredRun *run = som_alloc(sizeof *run);
    run->explorer = explorer;
    run->branch = branch;
    run->first_found = explorer->branches.count;
    explorer->branches.data[branch].is_played = true;
    add_forced(run, branch);
    size_t size = som_player_size(explorer->graph, 0);
    if (som_explorer_has_sensors(explorer) && size <= MOST_COPIED) {
        for (int i = 0; i < 2; i++) {
            run->memory[i] = som_alloc(size);
        }
        run->before = som_player_init(run->memory[0], size, explorer->graph, 0, NULL);
        run->other = som_player_init(run->memory[1], size, explorer->graph, 0, NULL);
        bool is_copied = som_player_copy(run->before, player);
        assert(is_copied);
        (void)is_copied;
    }
    return run;
}

// Those that were found come after all that are waiting: first the first and the last, then what
// is between them, farther and farther apart.
static void queue_found(SomExplorer *explorer, int first) {
    int count = explorer->branches.count - first, step = 1;
    bool *is_queued = som_alloc((size_t)count + 1);
    while (step < count) {
        step *= 2;
    }
    for (bool has_last = false; step > 0; step /= 2) {
        for (int i = 0; i < count; i += step) {
            if (!is_queued[i]) {
                is_queued[i] = true;
                som_array_push(&explorer->queue, first + i);
            }
        }
        if (!has_last && count > 1) {
            has_last = is_queued[count - 1] = true;
            som_array_push(&explorer->queue, first + count - 1);
        }
    }
    som_free(is_queued);
}

void som_explored_run_destroy(SomExploredRun *run) {
    if (run == NULL) {
        return;
    }
    Branch *branch = &run->explorer->branches.data[run->branch];
    for (int i = 0; i < run->readings.count; i++) {
        som_array_push(&branch->readings, run->readings.data[i]);
    }
    queue_found(run->explorer, run->first_found);
    som_array_free(&run->forced);
    som_array_free(&run->readings);
    som_free(run->memory[0]);
    som_free(run->memory[1]);
    som_free(run);
}

// A sensor is what it is for the whole tick. NULL: too many were read.
static Reading *reading_of(SomExploredRun *run, int sensor, bool *is_new) {
    *is_new = false;
    for (int i = 0; i < run->read_count; i++) {
        if (run->read[i].sensor == sensor) {
            return &run->read[i];
        }
    }
    if (run->read_count == MOST_READ) {
        run->explorer->is_exact = false;
        return NULL;
    }
    int at = run->read_count++, option = at < run->given_count ? run->given[at].option : 0;
    *is_new = true;
    run->read[at] = (Reading){.sensor = sensor, .option = option, .time = run->time};
    return &run->read[at];
}

static double read_sensor(void *context, const SomInstruction *what) {
    SomExploredRun *run = context;
    SomExplorer *explorer = run->explorer;
    int sensor = som_sensor_find(explorer->values, what), count;
    const double *values = som_sensor_values_of(explorer->values, sensor, &count);
    bool is_new;
    Reading *reading = reading_of(run, sensor, &is_new);
    explorer->is_exact = explorer->is_exact && som_sensor_is_known(explorer->values, sensor);
    if (reading == NULL) {
        return values[0];
    }
    reading->value = values[reading->option];
    return reading->value;
}

// What is compared may be anything, so it turns out either way.
static bool decide(void *context, const SomInstruction *what, bool outcome) {
    SomExploredRun *run = context;
    int sensor = som_sensor_find(run->explorer->values, what);
    bool is_new = false;
    Reading *reading = sensor < 0 ? NULL : reading_of(run, sensor, &is_new);
    if (reading == NULL) {
        return outcome;
    }
    if (is_new) {
        reading->value = reading->option == 0 ? outcome : !outcome;
    }
    return reading->value != 0;
}

static SomPlayerStatus step(SomExploredRun *run, SomPlayer *player, double dt,
                            const SomSenses *senses, const Reading *given, int given_count) {
    SomSenses asking = *senses;
    asking.ask = read_sensor;
    asking.decide = decide;
    asking.context = run;
    run->read_count = 0;
    run->given = given;
    run->given_count = given_count;
    return som_player_step(player, dt, &asking);
}

// ---- other branches

static void add_branch(SomExploredRun *run, int kept, uint64_t key) {
    SomExplorer *explorer = run->explorer;
    int number = explorer->branches.count;
    if (number >= SOM_EXPLORER_MOST_BRANCHES) {
        explorer->unkept++;
        return;
    }
    Reading *fork = som_arena_new(&explorer->arena, Reading, run->read_count);
    memcpy(fork, run->read, (size_t)run->read_count * sizeof *fork);
    Branch branch = {.parent = run->branch,
                     .kept = kept,
                     .fork = fork,
                     .fork_count = run->read_count,
                     .time = run->time,
                     .merged = -1};
    som_array_push(&explorer->branches, branch);
    bool is_new;
    State state = enter(explorer, key, number, run->time, &is_new);
    if (!is_new) {
        explorer->branches.count--;
        add_join(explorer, run->branch, run->time, state.branch, state.time);
    }
}

// What is read in a tick, given how it begins.
typedef struct Trial {
    Reading read[MOST_READ];
    int count;
} Trial;

typedef SOM_ARRAY(Trial) Trials;

// All other values of what was read after the given ones.
static void add_trials(SomExploredRun *run, Trials *trials) {
    for (int i = run->given_count; i < run->read_count; i++) {
        int count;
        som_sensor_values_of(run->explorer->values, run->read[i].sensor, &count);
        for (int option = 1; option < count; option++) {
            if (trials->count >= MOST_TRIED) {
                run->explorer->is_exact = false;
                return;
            }
            Trial trial = {.count = i + 1};
            memcpy(trial.read, run->read, (size_t)(i + 1) * sizeof *trial.read);
            trial.read[i].option = option;
            som_array_push(trials, trial);
        }
    }
}

static void try_others(SomExploredRun *run, double dt, const SomSenses *senses, uint64_t rest,
                       int kept) {
    Trials trials = {0};
    add_trials(run, &trials);
    for (int i = 0; i < trials.count; i++) {
        Trial trial = trials.data[i];
        som_player_copy(run->other, run->before);
        step(run, run->other, dt, senses, trial.read, trial.count);
        add_branch(run, kept,
                   som_fingerprint_add(som_player_fingerprint(run->other, run->origins), rest));
        add_trials(run, &trials);
    }
    som_array_free(&trials);
}

// ---- a tick

// Whether it goes on although it was in this state before. Else the state is that of the last pass.
static bool adds_pass(SomExploredRun *run, State *state, double dt) {
    double period = run->time - state->time;
    int passes = run->explorer->passes;
    if (passes == 0 || state->branch != run->branch) {
        return false;
    }
    if (run->end == 0) {
        run->period = period;
        run->end = run->time + passes * period;
    }
    if (run->time < run->end - 0.5 * dt) {
        return true;
    }
    state->time = run->time - run->period;
    return false;
}

SomPlayerStatus som_explored_run_step(SomExploredRun *run, SomPlayer *player, double dt,
                                      const SomSenses *senses, uint64_t rest,
                                      const double *origins) {
    run->origins = origins;
    int kept = run->readings.count;
    bool is_known = kept < run->forced.count; // its parent was here
    if (run->before != NULL) {
        som_player_copy(run->before, player);
    }
    run->time = som_player_time(player) + dt;
    SomPlayerStatus status =
        step(run, player, dt, senses, is_known ? &run->forced.data[kept] : NULL,
             is_known ? run->forced.count - kept : 0);
    run->time = som_player_time(player);
    for (int i = 0; i < run->read_count; i++) {
        run->read[i].time = run->time;
        som_array_push(&run->readings, run->read[i]);
    }
    if (is_known) {
        return status;
    }
    bool is_new;
    uint64_t key = som_fingerprint_add(som_player_fingerprint(player, origins), rest);
    State state = enter(run->explorer, key, run->branch, run->time, &is_new);
    run->returns = !is_new && !adds_pass(run, &state, dt);
    if (run->returns) {
        add_join(run->explorer, run->branch, run->time, state.branch, state.time);
    }
    run->return_branch = state.branch;
    run->return_time = state.time;
    if (run->read_count > 0 && run->before != NULL) {
        try_others(run, dt, senses, rest, kept);
    } else if (run->read_count > 0) {
        run->explorer->is_exact = false;
    }
    return status;
}

bool som_explored_run_returns(const SomExploredRun *run, int *branch, double *time) {
    *branch = run->return_branch;
    *time = run->return_time;
    return run->returns;
}

// ---- words

static void print_reading(const SomExplorer *explorer, const SomConfiguration *design,
                          const Reading *reading, SomText *out) {
    som_sensor_print(explorer->values, design, reading->sensor, reading->value, out);
    som_text_add(out, SOM_STR(" at "));
    som_text_rounded(out, reading->time, 3);
    som_text_add(out, SOM_STR(" s"));
}

void som_explorer_print(const SomExplorer *explorer, const SomConfiguration *design, int branch,
                        SomText *out) {
    const Branch *b = &explorer->branches.data[branch];
    const Reading *kept = b->parent >= 0 ? explorer->branches.data[b->parent].readings.data : NULL;
    int printed = 0, changes = 0;
    for (int i = 0; i < b->kept + b->fork_count; i++) {
        const Reading *reading = i < b->kept ? &kept[i] : &b->fork[i - b->kept];
        changes += reading->option != 0;
        if (reading->option != 0 && printed < MOST_PRINTED) {
            som_text_add(out, printed++ > 0 ? SOM_STR(" and ") : SOM_STR(""));
            print_reading(explorer, design, reading, out);
        }
    }
    som_text_add_more(out, changes - printed);
}
