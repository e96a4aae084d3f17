// SPDX-License-Identifier: Apache-2.0
#include "player/state_text.h"

#include "player/graph_text.h"
#include "player/player_text.h"

const char *som_player_status_word(SomPlayerStatus status) {
    static const char *const words[] = {"ready", "running", "paused", "completed", "cancelled"};
    return words[status];
}

// What the action does, to which DoF or dock, and the behavior it was written in.
static void put_action(SomPlayerText *text, const SomActionGraph *graph, int32_t node) {
    const SomAction *action = &graph->actions[graph->nodes[node].index];
    int32_t dofs = graph->symbol_count[SOM_SYMBOL_DOF],
            resource = som_graph_resource(graph, action);
    som_player_text_char(text, ' ');
    som_player_text_word(text, som_action_word((SomActionKind)action->kind));
    if (resource != SOM_NONE) {
        bool is_dof = resource < dofs;
        som_player_text_char(text, ' ');
        som_player_text_quoted(text,
                               som_graph_name(graph, is_dof ? SOM_SYMBOL_DOF : SOM_SYMBOL_DOCK,
                                              is_dof ? resource : resource - dofs));
    }
    som_player_text_word(text, " of ");
    som_player_text_quoted(text, som_graph_path(graph, node));
    som_player_text_char(text, '\n');
}

static void put_more(SomPlayerText *text, int32_t count) {
    if (count > SOM_STATE_MOST) {
        som_player_text_word(text, "more ");
        som_player_text_whole(text, count - SOM_STATE_MOST);
        som_player_text_char(text, '\n');
    }
}

static void put_active(SomPlayerText *text, const SomPlayer *player, const SomActionGraph *graph) {
    int32_t count;
    const int32_t *active = som_player_active(player, &count);
    for (int32_t i = 0; i < count && i < SOM_STATE_MOST; i++) {
        som_player_text_word(text, "active ");
        som_player_text_whole(text, active[i]);
        som_player_text_word(text, " since ");
        som_player_text_decimal(text, som_player_run(player, active[i]).start);
        put_action(text, graph, active[i]);
    }
    put_more(text, count);
}

static void put_ended(SomPlayerText *text, const SomPlayer *player, const SomActionGraph *graph) {
    int32_t count, ended = 0;
    const SomPlayerEvent *events = som_player_events(player, &count, NULL);
    for (int32_t i = 0; i < count; i++) {
        if (!events[i].is_end || graph->nodes[events[i].node].kind != SOM_NODE_ACTION ||
            ++ended > SOM_STATE_MOST) {
            continue;
        }
        som_player_text_word(text, "ended ");
        som_player_text_whole(text, events[i].node);
        som_player_text_word(text, " at ");
        som_player_text_decimal(text, som_player_time(player));
        som_player_text_char(text, ' ');
        som_player_text_word(text, som_end_reason_word((SomEndReason)events[i].reason));
        put_action(text, graph, events[i].node);
    }
    put_more(text, ended);
}

static void put_pieces(SomPlayerText *text, const SomStateText *state) {
    for (int32_t i = 0; i < state->piece_count && state->piece_count > 1; i++) {
        double quaternion[4];
        som_body_place_quaternion(&state->pieces[i], quaternion);
        som_player_text_word(text, "piece ");
        som_player_text_whole(text, i + 1);
        som_player_text_word(text, " at");
        for (int k = 0; k < 7; k++) {
            som_player_text_word(text, k == 3 ? " turned " : " ");
            som_player_text_decimal(text, k < 3 ? state->pieces[i].position[k] : quaternion[k - 3]);
        }
        som_player_text_char(text, '\n');
    }
}

size_t som_state_text_write(const SomStateText *state, char *buffer, size_t size) {
    const SomPlayer *player = som_robot_run_shown(state->robot);
    const SomActionGraph *graph = som_robot_run_def(state->robot)->graph;
    SomPlayerText text = {NULL, 0, 0};
    text.buffer = buffer;
    text.size = size;
    som_player_text_word(&text, "somite-state 1\nbehavior ");
    som_player_text_quoted(&text, state->behavior);
    som_player_text_word(&text, "\ntime ");
    som_player_text_decimal(&text, som_player_time(player));
    som_player_text_word(&text, "\nstatus ");
    som_player_text_word(&text, som_player_status_word(som_player_status(player)));
    som_player_text_word(&text, "\noutcome ");
    som_player_text_word(&text, state->outcome != NULL
                                    ? state->outcome
                                    : som_outcome_word(som_robot_run_outcome(state->robot)));
    som_player_text_char(&text, '\n');
    put_pieces(&text, state);
    put_active(&text, player, graph);
    put_ended(&text, player, graph);
    return som_player_text_end(&text);
}
