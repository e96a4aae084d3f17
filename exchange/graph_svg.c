// SPDX-License-Identifier: Apache-2.0
// Boxes are unfolded breadth first, so that of a large graph the outer ones are drawn; they are
// measured from the last to the first, placed from the first to the last.

#include "exchange/graph_svg.h"

#include "behaviors/action_text.h"
#include "behaviors/condition_text.h"
#include "exchange/graph_words.h"

#include <math.h>

// Pixels. Letters are those of a fixed-width font, 0.61 of their size wide at most.
#define LETTER 7.35       // 12 pixels high
#define SMALL_LETTER 6.15 // 10 pixels high
#define MARGIN 16
#define PADDING 10
#define GAP 8
#define ARROW 24
#define LINE 16
#define ACTION_HEIGHT 28
#define TIMED_HEIGHT 48
#define BAR 4
#define MOST_COLUMNS 46
#define MOST_SEGMENTS 32 // of one strip

typedef struct Run {
    double start, end; // not a number: not ended
} Run;

typedef struct Box {
    int32_t node;     // SOM_NONE: stands for members that are left out
    int32_t outer;    // the same, or what holds nothing but it; has its guard
    int parent;       // box
    int first, count; // the boxes in it
    int left_out;     // actions
    int x, y, width, height;
    int head; // pixels above what it holds
    SomText title, label, time;
    double start, end;
    SOM_ARRAY(Run) runs;
} Box;

typedef struct Picture {
    const SomGraphSvgDef *def;
    const SomActionGraph *graph;
    SOM_ARRAY(Box) boxes;
    double duration;
    SomText *out;
} Picture;

// ---- what is drawn

static const SomGraphNode *node_of(const Picture *p, const Box *box) {
    return &p->graph->nodes[box->node];
}

static bool is_action(const Picture *p, const Box *box) {
    return box->node != SOM_NONE && node_of(p, box)->kind == SOM_NODE_ACTION;
}

static int count_actions(const SomActionGraph *graph, int32_t begin, int32_t end) {
    int count = 0;
    for (int32_t i = begin; i < end; i++) {
        count += graph->nodes[i].kind == SOM_NODE_ACTION;
    }
    return count;
}

// A series or parallel of one thing is that thing.
static int32_t inner(const SomActionGraph *graph, int32_t node) {
    const SomGraphNode *nodes = graph->nodes;
    while ((nodes[node].kind == SOM_NODE_SERIES || nodes[node].kind == SOM_NODE_PARALLEL) &&
           node + 1 < nodes[node].end && nodes[node + 1].end == nodes[node].end) {
        node++;
    }
    return node;
}

static void add_box(Picture *p, int parent, int32_t outer) {
    Box box = {.node = inner(p->graph, outer),
               .outer = outer,
               .parent = parent,
               .start = (double)NAN,
               .end = (double)NAN};
    som_array_push(&p->boxes, box);
}

// The members of a box, as far as there is room for them.
static void unfold_box(Picture *p, int index) {
    const SomGraphNode *nodes = p->graph->nodes;
    int32_t node = p->boxes.data[index].node;
    if (node == SOM_NONE || nodes[node].kind == SOM_NODE_ACTION) {
        return;
    }
    int count = 0;
    for (int32_t child = node + 1; child < nodes[node].end; child = nodes[child].end) {
        count++;
    }
    int shown = count > SOM_SVG_MOST_CHILDREN ? SOM_SVG_MOST_CHILDREN : count;
    if (p->boxes.count + shown + 1 > SOM_SVG_MOST_BOXES) {
        p->boxes.data[index].left_out = count_actions(p->graph, node, nodes[node].end);
        return;
    }
    p->boxes.data[index].first = p->boxes.count;
    p->boxes.data[index].count = shown + (count > shown);
    int32_t child = node + 1;
    for (int i = 0; i < shown; i++, child = nodes[child].end) {
        add_box(p, index, child);
    }
    if (count > shown) {
        Box more = {.node = SOM_NONE,
                    .outer = SOM_NONE,
                    .parent = index,
                    .left_out = count_actions(p->graph, child, nodes[node].end),
                    .start = (double)NAN,
                    .end = (double)NAN};
        som_array_push(&p->boxes, more);
    }
}

// ---- times

// When everything below a node has run, and each run of the actions that are drawn.
static void find_times(Picture *p) {
    const SomPrediction *played = p->def->prediction;
    if (played == NULL) {
        return;
    }
    int32_t count = p->graph->node_count;
    double *starts = som_alloc((size_t)count * sizeof *starts);
    double *ends = som_alloc((size_t)count * sizeof *ends);
    int *box_of = som_alloc((size_t)count * sizeof *box_of); // one more than it
    for (int32_t i = 0; i < count; i++) {
        starts[i] = ends[i] = (double)NAN;
    }
    for (int i = 0; i < p->boxes.count; i++) {
        if (is_action(p, &p->boxes.data[i])) {
            box_of[p->boxes.data[i].node] = i + 1;
        }
    }
    for (int i = 0; i < played->events.count; i++) {
        const SomPredictionEvent *event = &played->events.data[i];
        Box *box = box_of[event->node] > 0 ? &p->boxes.data[box_of[event->node] - 1] : NULL;
        if (event->is_end) {
            ends[event->node] = event->time;
            if (box != NULL && box->runs.count > 0) {
                box->runs.data[box->runs.count - 1].end = event->time;
            }
            continue;
        }
        starts[event->node] = fmin(starts[event->node], event->time);
        if (box != NULL && box->runs.count < MOST_SEGMENTS) {
            Run run = {event->time, (double)NAN};
            som_array_push(&box->runs, run);
        }
    }
    for (int32_t i = count - 1; i > 0; i--) { // members are behind what holds them
        int32_t parent = p->graph->nodes[i].parent;
        starts[parent] = fmin(starts[parent], starts[i]);
        ends[parent] = fmax(ends[parent], ends[i]);
    }
    for (int i = 0; i < p->boxes.count; i++) {
        Box *box = &p->boxes.data[i];
        if (box->node != SOM_NONE) {
            box->start = starts[box->node];
            box->end = ends[box->node];
        }
    }
    som_free(starts);
    som_free(ends);
    som_free(box_of);
}

static void name_time(const Picture *p, Box *box) {
    if (p->def->prediction == NULL || box->node == SOM_NONE) {
        return;
    }
    if (isnan(box->start)) {
        som_text_add(&box->time, SOM_STR("not played"));
        return;
    }
    som_text_seconds(&box->time, box->start);
    som_text_add(&box->time, SOM_STR(" to "));
    if (isnan(box->end) || box->end < box->start) {
        som_text_add(&box->time, SOM_STR("…"));
    } else {
        som_text_seconds(&box->time, box->end);
    }
    som_text_add(&box->time, SOM_STR(" s"));
    if (box->runs.count > 1) {
        som_text_printf(&box->time, ", %d%s times", box->runs.count,
                        box->runs.count == MOST_SEGMENTS ? " or more" : "");
    }
}

// ---- words

static void add_piece(SomText *title, SomStr piece) {
    som_text_add(title, title->length > 0 && piece.length > 0 ? SOM_STR(", ") : SOM_STR(""));
    som_text_add(title, piece);
}

static void name_guard(const Picture *p, Box *box) {
    int32_t parent = box->outer == SOM_NONE ? SOM_NONE : p->graph->nodes[box->outer].parent;
    if (parent == SOM_NONE || p->graph->nodes[parent].kind != SOM_NODE_CHOOSE) {
        return;
    }
    int32_t guard = p->graph->nodes[box->outer].guard;
    som_text_add(&box->title, guard == SOM_NONE ? SOM_STR("else") : SOM_STR("if "));
    if (guard != SOM_NONE) {
        som_graph_condition_print(p->graph, guard, &box->title);
    }
}

static void name_kind(const Picture *p, Box *box) {
    const SomGraphNode *node = node_of(p, box);
    SomText words = {0};
    if (node->kind == SOM_NODE_ANY) {
        som_text_add(&words, SOM_STR("any, until the first is done"));
    } else if (node->kind == SOM_NODE_CHOOSE) {
        som_text_add(&words, SOM_STR("choose"));
    } else if (node->kind == SOM_NODE_REPEAT) {
        som_text_add(&words, SOM_STR("repeat"));
        if (node->index != SOM_FOREVER) {
            som_text_printf(&words, " %d", node->index);
        } else if (node->until == SOM_NONE) {
            som_text_add(&words, SOM_STR(" forever"));
        }
        if (node->until != SOM_NONE) {
            som_text_add(&words, SOM_STR(" until "));
            som_graph_condition_print(p->graph, node->until, &words);
        }
    }
    add_piece(&box->title, som_text_str(&words));
    som_text_free(&words);
}

// The behavior that a box comes from, where it is another than that around it.
static void name_path(const Picture *p, Box *box) {
    SomStr path = som_str(som_graph_path(p->graph, box->node));
    SomStr around = p->def->title;
    if (box->parent >= 0) {
        around = som_str(som_graph_path(p->graph, p->boxes.data[box->parent].node));
    }
    if (!som_str_equal(path, around)) {
        add_piece(&box->title, path);
    }
}

static void name_box(const Picture *p, Box *box) {
    if (box->node == SOM_NONE) {
        som_text_printf(&box->label, "… %d more actions", box->left_out);
        return;
    }
    const SomGraphNode *node = node_of(p, box);
    name_guard(p, box);
    if (node->kind == SOM_NODE_ACTION) {
        const SomAction *action = &p->graph->actions[node->index];
        som_action_print(p->def->design, p->graph, box->node, &box->label);
        if (action->kind == SOM_ACTION_WAIT && action->until != SOM_NONE) {
            som_text_add(&box->label, SOM_STR(" until "));
            som_graph_condition_print(p->graph, action->until, &box->label);
        } else if (action->kind == SOM_ACTION_WAIT && isfinite(action->duration)) {
            som_text_add(&box->label, SOM_STR(" "));
            som_text_seconds(&box->label, action->duration);
            som_text_add(&box->label, SOM_STR("s"));
        }
        return;
    }
    name_kind(p, box);
    name_path(p, box);
    if (box->count == 0 && box->left_out > 0) {
        const char *kind = node->kind == SOM_NODE_SERIES     ? "series of "
                           : node->kind == SOM_NODE_PARALLEL ? "parallel of "
                                                             : ""; // in the title
        som_text_printf(&box->label, "%s%d actions", kind, box->left_out);
    } else if (box->count == 0) {
        som_text_add(&box->label, SOM_STR("nothing"));
    }
}

// ---- sizes

static int width_of(const SomText *text, double letter) {
    int columns = som_text_columns(som_text_str(text));
    return (int)ceil((columns < MOST_COLUMNS ? columns : MOST_COLUMNS) * letter);
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

static bool is_stack(const Picture *p, const Box *box) {
    uint8_t kind = node_of(p, box)->kind;
    return kind == SOM_NODE_PARALLEL || kind == SOM_NODE_ANY || kind == SOM_NODE_CHOOSE;
}

// Only actions have a strip.
static bool has_strip(const Picture *p, const Box *box) {
    return p->def->prediction != NULL && is_action(p, box);
}

static void measure_leaf(const Picture *p, Box *box) {
    bool is_timed = has_strip(p, box);
    box->head = box->title.length > 0 ? LINE : 0;
    box->width = larger(width_of(&box->label, LETTER), width_of(&box->title, SMALL_LETTER));
    box->width = larger(box->width, is_timed ? width_of(&box->time, SMALL_LETTER) : 0);
    box->width += 2 * PADDING;
    box->height = box->head + (is_timed ? TIMED_HEIGHT : ACTION_HEIGHT);
}

static void measure_list(const Picture *p, Box *box) {
    bool stacks = is_stack(p, box);
    int across = 0, along = 0;
    for (int i = box->first; i < box->first + box->count; i++) {
        const Box *member = &p->boxes.data[i];
        across = larger(across, stacks ? member->width : member->height);
        along += (stacks ? member->height : member->width) +
                 (i > box->first ? (stacks ? GAP : ARROW) : 0);
    }
    box->head = box->title.length > 0 ? LINE + 6 : PADDING;
    int least = width_of(&box->title, SMALL_LETTER);
    if (box->title.length > 0 && box->time.length > 0) {
        least += width_of(&box->time, SMALL_LETTER) + 2 * PADDING;
    }
    box->width = 2 * PADDING + 2 * (stacks ? BAR + 4 : 0) + larger(least, stacks ? across : along);
    box->height = box->head + PADDING + (stacks ? along : across);
}

// Those below each other are as wide as there is room.
static void place_members(Picture *p, const Box *box) {
    bool stacks = is_stack(p, box);
    int room = box->width - 2 * PADDING - 2 * (BAR + 4);
    int x = box->x + PADDING + (stacks ? BAR + 4 : 0), y = box->y + box->head;
    int inside = box->height - box->head - PADDING;
    for (int i = box->first; i < box->first + box->count; i++) {
        Box *member = &p->boxes.data[i];
        member->x = x;
        member->width = stacks ? room : member->width;
        member->y = stacks ? y : y + (inside - member->height) / 2;
        x += stacks ? 0 : member->width + ARROW;
        y += stacks ? member->height + GAP : 0;
    }
}

// ---- drawing

static void draw_text(Picture *p, const char *style, int x, int y, const SomText *text) {
    SomText cut = {0};
    som_text_add_cut(&cut, som_text_str(text), MOST_COLUMNS);
    som_text_printf(p->out, "<text class=\"%s\" x=\"%d\" y=\"%d\">", style, x, y);
    som_xml_escape(p->out, som_text_str(&cut));
    som_text_add(p->out, SOM_STR("</text>\n"));
    som_text_free(&cut);
}

static void draw_rect(Picture *p, const char *style, int x, int y, int width, int height,
                      int round) {
    som_text_printf(p->out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"",
                    style, x, y, width, height);
    if (round > 0) {
        som_text_printf(p->out, " rx=\"%d\"", round);
    }
    som_text_add(p->out, SOM_STR("/>\n"));
}

static const char *style_of(const Picture *p, const Box *box) {
    static const char *const actions[SOM_ACTION_KINDS] = {
        [SOM_ACTION_POSITION] = "move", [SOM_ACTION_RELATIVE] = "move",
        [SOM_ACTION_VELOCITY] = "spin", [SOM_ACTION_FOLLOW] = "follow",
        [SOM_ACTION_HOLD] = "wait",     [SOM_ACTION_WAIT] = "wait",
        [SOM_ACTION_CONNECT] = "dock",  [SOM_ACTION_DISCONNECT] = "dock"};
    static const char *const lists[SOM_NODE_KINDS] = {[SOM_NODE_SERIES] = "series",
                                                      [SOM_NODE_PARALLEL] = "parallel",
                                                      [SOM_NODE_ANY] = "any",
                                                      [SOM_NODE_REPEAT] = "repeat",
                                                      [SOM_NODE_CHOOSE] = "choose"};
    if (box->node == SOM_NONE) {
        return "folded";
    }
    const SomGraphNode *node = node_of(p, box);
    if (node->kind == SOM_NODE_ACTION) {
        return actions[p->graph->actions[node->index].kind];
    }
    return box->count == 0 ? "folded" : lists[node->kind];
}

static void draw_option(SomText *out, const char *word, double value) {
    if (isfinite(value) && value > 0) {
        som_text_printf(out, "\n%s ", word);
        som_text_seconds(out, value);
        som_text_add(out, SOM_STR(" s"));
    }
}

// All that does not fit: in whole, and how it ends.
static void draw_tooltip(Picture *p, const Box *box) {
    SomText words = {0};
    add_piece(&words, som_text_str(&box->title));
    if (is_action(p, box)) {
        const SomAction *action = &p->graph->actions[node_of(p, box)->index];
        som_text_add(&words, words.length > 0 ? SOM_STR("\n") : SOM_STR(""));
        som_text_add(&words, som_text_str(&box->label));
        if (som_graph_path(p->graph, box->node)[0] != '\0') {
            som_text_printf(&words, "\nof %s", som_graph_path(p->graph, box->node));
        }
        if (action->until != SOM_NONE && action->kind != SOM_ACTION_WAIT) {
            som_text_add(&words, SOM_STR("\nuntil "));
            som_graph_condition_print(p->graph, action->until, &words);
        }
        draw_option(&words, "during", action->duration);
        draw_option(&words, "timeout", action->timeout);
    }
    if (words.length > 0) {
        som_text_add(p->out, SOM_STR("<title>"));
        som_xml_escape(p->out, som_text_str(&words));
        som_text_add(p->out, SOM_STR("</title>\n"));
    }
    som_text_free(&words);
}

// The whole time, and in it when the action runs.
static void draw_strip(Picture *p, const Box *box) {
    int x = box->x + PADDING, width = box->width - 2 * PADDING, y = box->y + box->height - 9;
    draw_rect(p, "track", x, y, width, 4, 2);
    double most = p->duration > 0 ? p->duration : 1;
    for (int i = 0; i < box->runs.count; i++) {
        const Run *run = &box->runs.data[i];
        double end = isnan(run->end) ? most : run->end;
        int begin = (int)floor(fmin(run->start / most, 1) * width + 0.5);
        int length = larger((int)floor(fmin(end / most, 1) * width + 0.5) - begin, 2);
        begin = begin + length > width ? width - length : begin;
        draw_rect(p, "run", x + begin, y, length, 4, 2);
    }
}

static void draw_leaf(Picture *p, const Box *box) {
    if (box->title.length > 0) {
        draw_text(p, "head", box->x + PADDING, box->y + 13, &box->title);
    }
    draw_text(p, "label", box->x + PADDING, box->y + box->head + 18, &box->label);
    if (has_strip(p, box)) {
        draw_text(p, "time", box->x + PADDING, box->y + box->head + 33, &box->time);
        draw_strip(p, box);
    }
}

static void draw_list(Picture *p, const Box *box) {
    if (box->title.length > 0) {
        draw_text(p, "head", box->x + PADDING, box->y + 15, &box->title);
        if (box->time.length > 0) {
            draw_text(p, "time right", box->x + box->width - PADDING, box->y + 15, &box->time);
        }
    }
    if (is_stack(p, box)) {
        int y = box->y + box->head, height = box->height - box->head - PADDING;
        draw_rect(p, "bar", box->x + PADDING - 2, y, BAR, height, 2);
        draw_rect(p, "bar", box->x + box->width - PADDING - BAR + 2, y, BAR, height, 2);
        return;
    }
    for (int i = box->first; i + 1 < box->first + box->count; i++) {
        const Box *from = &p->boxes.data[i], *to = &p->boxes.data[i + 1];
        int y = from->y + from->height / 2;
        som_text_printf(p->out, "<path class=\"arrow\" d=\"M%d %dH%d\"/>\n",
                        from->x + from->width + 2, y, to->x - 7);
        som_text_printf(p->out, "<path class=\"tip\" d=\"M%d %dl-6 -4v8z\"/>\n", to->x - 2, y);
    }
}

static void draw_box(Picture *p, const Box *box) {
    bool is_idle = p->def->prediction != NULL && box->node != SOM_NONE && isnan(box->start) &&
                   is_action(p, box);
    som_text_add(p->out, is_idle ? SOM_STR("<g class=\"idle\">\n") : SOM_STR("<g>\n"));
    draw_tooltip(p, box);
    draw_rect(p, style_of(p, box), box->x, box->y, box->width, box->height, 6);
    if (box->count == 0) {
        draw_leaf(p, box);
    } else {
        draw_list(p, box);
    }
    som_text_add(p->out, SOM_STR("</g>\n"));
}

static const char styles[] =
    "<style>\n"
    "text{font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1f2933}\n"
    ".name{font-size:16px;font-weight:bold}.sum{font-size:12px;fill:#52606d}\n"
    ".label{font-size:12px}.head{font-size:10px;font-weight:bold;fill:#3e4c59}\n"
    ".time{font-size:10px;fill:#52606d}.right{text-anchor:end}\n"
    "rect{stroke-width:1}.series,.repeat,.parallel,.any,.choose{stroke:#cbd2d9}\n"
    ".series{fill:#ffffff}.parallel{fill:#f0f4f8}.any{fill:#fff8e6;stroke:#e0b252}\n"
    ".repeat{fill:#eef8f0;stroke:#7bb88a}.choose{fill:#f6f0fa;stroke:#ab8fc4}\n"
    ".move{fill:#dceefb;stroke:#4098d7}.spin{fill:#fde8d7;stroke:#d9813d}\n"
    ".follow{fill:#e9e1f7;stroke:#8662c7}.wait{fill:#eceff1;stroke:#9aa5b1}\n"
    ".dock{fill:#d9f2ee;stroke:#2f9c8a}\n"
    ".folded{fill:#ffffff;stroke:#9aa5b1;stroke-dasharray:4 3}\n"
    ".bar{fill:#7b8794;stroke:none}.track{fill:#ffffff;stroke:none}\n"
    ".run{fill:#334e68;stroke:none}.arrow{stroke:#7b8794;stroke-width:1.5;fill:none}\n"
    ".tip{fill:#7b8794}.idle{opacity:0.45}\n"
    "</style>\n";

static void draw_all(Picture *p) {
    Box *root = &p->boxes.data[0];
    SomText title = {0}, sum = {0};
    som_text_add(&title, p->def->title);
    som_text_printf(&sum, "%d action%s", p->graph->action_count,
                    p->graph->action_count == 1 ? "" : "s");
    if (p->def->prediction != NULL) {
        som_text_add(&sum, SOM_STR(", "));
        som_text_seconds(&sum, p->duration);
        bool is_over = p->def->prediction->status == SOM_PLAYER_COMPLETED;
        som_text_add(&sum, is_over ? SOM_STR(" s") : SOM_STR(" s and more"));
    }
    root->x = MARGIN;
    root->y = MARGIN + 48;
    int width = larger(root->width, width_of(&title, 9.8)),
        height = root->y + root->height + MARGIN;
    width = larger(width, width_of(&sum, LETTER)) + 2 * MARGIN;
    som_text_printf(p->out,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                    "viewBox=\"0 0 %d %d\">\n",
                    width, height, width, height);
    som_text_add(p->out, som_str(styles));
    som_text_printf(p->out, "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", width, height);
    draw_text(p, "name", MARGIN, MARGIN + 16, &title);
    draw_text(p, "sum", MARGIN, MARGIN + 36, &sum);
    for (int i = 0; i < p->boxes.count; i++) {
        if (p->boxes.data[i].count > 0) {
            place_members(p, &p->boxes.data[i]);
        }
        draw_box(p, &p->boxes.data[i]);
    }
    som_text_add(p->out, SOM_STR("</svg>\n"));
    som_text_free(&title);
    som_text_free(&sum);
}

void som_graph_svg(const SomGraphSvgDef *def, SomText *out) {
    Picture p = {.def = def, .graph = def->graph, .out = out};
    p.duration = def->prediction != NULL ? def->prediction->duration : 0;
    add_box(&p, -1, 0);
    for (int i = 0; i < p.boxes.count; i++) {
        unfold_box(&p, i);
    }
    find_times(&p);
    for (int i = 0; i < p.boxes.count; i++) {
        name_time(&p, &p.boxes.data[i]);
        name_box(&p, &p.boxes.data[i]);
    }
    for (int i = p.boxes.count - 1; i >= 0; i--) {
        Box *box = &p.boxes.data[i];
        if (box->count > 0) {
            measure_list(&p, box);
        } else {
            measure_leaf(&p, box);
        }
    }
    draw_all(&p);
    for (int i = 0; i < p.boxes.count; i++) {
        Box *box = &p.boxes.data[i];
        som_text_free(&box->title);
        som_text_free(&box->label);
        som_text_free(&box->time);
        som_array_free(&box->runs);
    }
    som_array_free(&p.boxes);
}
