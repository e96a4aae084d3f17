// SPDX-License-Identifier: Apache-2.0
#include "studio/block_row.h"

#include "behaviors/parameter_places.h"
#include "studio/block_look.h"
#include "studio/severity_icon.h"
#include "studio/timeline_paint.h"
#include "studio/widgets.h"

#define EDGE 6    // before the outermost box, pixels
#define INDENT 14 // of each box
#define RIGHT 4   // of each box at its end
#define BAR 3     // at the left of a box
#define CLOSE 4   // below each box that ends
#define PAD 4     // above and below what is in a row
#define GAP 6     // between two fields
#define LINE 24   // of most rows: what is not filled yet leaves about as much room
#define BETWEEN_LINES 2
#define BETWEEN 2 // what the list leaves above and below a row, where boxes go on
#define RADIUS 7
#define DEEPEST 24 // whose boxes are still indented

struct _SomBlockRow {
    GtkWidget parent_instance;
    SomDesk *desk;
    int block; // -1: it is not in use
    int depth, closes;
    SomBlockKind kind;
    GArray *rails; // kinds of what it lies in, from the outermost
    bool is_folded, has_children;
    bool is_full;                            // what is in it is shown
    GtkWidget *arrow, *icon, *word, *report; // NULL until it is filled
    GPtrArray *fields;                       // borrowed; those in use come first
    guint field_count;
    SomRowMark mark;
    char *mark_words;
    SomDropMark drop;
    int drop_depth;
};

G_DEFINE_FINAL_TYPE(SomBlockRow, som_block_row, GTK_TYPE_WIDGET)

enum { FOLD, SIGNALS };
static guint signals[SIGNALS];

int som_block_row_block(const SomBlockRow *row) {
    return row->block;
}

int som_block_row_depth(const SomBlockRow *row) {
    return row->depth;
}

int som_block_row_closes(const SomBlockRow *row) {
    return row->closes;
}

static bool has_body(SomBlockKind kind) {
    return som_block_is_list(kind) || kind == SOM_BLOCK_CHOOSE || kind == SOM_BLOCK_BRANCH ||
           kind == SOM_BLOCK_EACH || kind == SOM_BLOCK_REPEAT || kind == SOM_BLOCK_IF;
}

bool som_block_row_has_body(const SomBlockRow *row) {
    return has_body(row->kind);
}

int som_block_row_indent(int depth) {
    return EDGE + INDENT * MIN(depth, DEEPEST);
}

// ---- what is in it

static void on_arrow(GtkGestureClick *click, int presses, double x, double y, SomBlockRow *row) {
    (void)presses, (void)x, (void)y;
    gtk_gesture_set_state(GTK_GESTURE(click), GTK_EVENT_SEQUENCE_CLAIMED);
    g_signal_emit(row, signals[FOLD], 0);
}

static GtkWidget *add_child(SomBlockRow *row, GtkWidget *child) {
    gtk_widget_set_parent(child, GTK_WIDGET(row));
    return child;
}

static void make_children(SomBlockRow *row) {
    row->arrow = add_child(row, gtk_image_new());
    gtk_widget_set_tooltip_text(row->arrow, "Fold or unfold (Left, Right)");
    GtkGesture *click = gtk_gesture_click_new();
    g_signal_connect(click, "pressed", G_CALLBACK(on_arrow), row);
    gtk_widget_add_controller(row->arrow, GTK_EVENT_CONTROLLER(click));
    row->icon = add_child(row, gtk_image_new());
    row->word = add_child(row, gtk_label_new(NULL));
    gtk_widget_add_css_class(row->word, "heading");
    gtk_label_set_ellipsize(GTK_LABEL(row->word), PANGO_ELLIPSIZE_END);
    row->report = add_child(row, gtk_image_new());
    gtk_widget_set_visible(row->report, FALSE);
}

// ---- what it shows

static void show_report(SomBlockRow *row) {
    if (row->is_full) {
        gtk_widget_set_visible(row->report, row->mark.has_report);
        if (row->mark.has_report) {
            som_severity_look_apply(som_severity_look(row->mark.severity), GTK_IMAGE(row->report));
        }
        gtk_widget_set_tooltip_text(row->report, row->mark.words);
    }
}

static void show_chip(SomBlockRow *row, guint nth, const SomFieldShown *shown) {
    if (nth == row->fields->len) {
        GtkWidget *made = som_block_chip_new(row->desk);
        gtk_widget_insert_before(made, GTK_WIDGET(row), row->report);
        g_ptr_array_add(row->fields, made);
    }
    GtkWidget *field = g_ptr_array_index(row->fields, nth);
    gtk_widget_set_visible(field, TRUE);
    som_block_chip_set(SOM_BLOCK_CHIP(field), shown);
}

#define MOST_PLACES 200 // offered for one argument

// Joints or parts that may be given for a parameter; NULL if it stands for a value.
static char **places_of(const SomBlockShown *shown, const SomParameter *parameter) {
    const SomConfiguration *c =
        shown->composition != NULL ? shown->composition->configuration : NULL;
    if (c == NULL || parameter == NULL || parameter->kind == SOM_PARAMETER_VALUE) {
        return NULL;
    }
    SomParameterPlaces places = {.configuration = c, .parameter = parameter};
    GPtrArray *all = g_ptr_array_new();
    SomText path = {0};
    for (int i = 0; i < MOST_PLACES && som_parameter_places_next(&places, &path); i++) {
        g_ptr_array_add(all, g_strdup(path.data));
    }
    som_text_free(&path);
    g_ptr_array_add(all, NULL);
    return (char **)g_ptr_array_free(all, FALSE);
}

static void show_field(SomBlockRow *row, const SomBlockShown *shown, int index, guint nth) {
    const SomBlockField *f = &shown->blocks->fields.data[index];
    SomFieldWish wish = {0};
    if (f->kind == SOM_FIELD_ARGUMENT && shown->composition != NULL) {
        wish = som_blocks_field_wish(shown->blocks, shown->composition, index);
    }
    SomStr name = f->name.length > 0 ? f->name : wish.name;
    g_autofree char *param = name.length > 0 ? som_c_string(name) : NULL;
    g_autofree char *doc = wish.doc.length > 0 ? som_c_string(wish.doc) : NULL;
    g_autofree char *text = som_c_string(f->text);
    const char *caption =
        f->kind == SOM_FIELD_ARGUMENT ? param : som_field_caption(row->kind, f->kind);
    const char *what = param != NULL ? param : som_field_kind_word(f->kind);
    g_autofree char *words =
        g_strdup_printf("%s: %s%s%s", what, text, doc != NULL ? "\n" : "", doc != NULL ? doc : "");
    g_auto(GStrv) answers = places_of(shown, wish.place_of);
    show_chip(row, nth,
              &(SomFieldShown){.answers = (const char *const *)answers,
                               .block = shown->block,
                               .of = row->kind,
                               .kind = f->kind,
                               .nth = f->nth,
                               .caption = caption,
                               .text = text,
                               .words = words,
                               .is_read_only = shown->is_read_only});
}

// What a call leaves out, with the default that it has then; returns how many there are.
static guint show_left_out(SomBlockRow *row, const SomBlockShown *shown, guint first) {
    SomBlockParameter param;
    int count = 0, given = 0;
    while (som_blocks_field(shown->blocks, shown->block, SOM_FIELD_ARGUMENT, given) >= 0) {
        given++;
    }
    while (som_blocks_left_out(shown->blocks, shown->composition, shown->block, count, &param)) {
        g_autofree char *name = som_c_string(param.name);
        g_autofree char *text = som_c_string(param.otherwise);
        g_autofree char *doc = som_c_string(param.doc);
        g_autofree char *adds = param.is_next ? g_strdup("") : g_strdup_printf("%s = ", name);
        g_autofree char *words = g_strdup_printf(
            "%s: %s%s%s%s", name, text, *text != '\0' ? " by default" : "it has no default",
            *doc != '\0' ? "\n" : "", doc);
        g_auto(GStrv) answers = places_of(shown, param.parameter);
        show_chip(row, first + (guint)count++,
                  &(SomFieldShown){.answers = (const char *const *)answers,
                                   .block = shown->block,
                                   .of = row->kind,
                                   .kind = SOM_FIELD_ARGUMENT,
                                   .nth = given,
                                   .caption = name,
                                   .text = *text != '\0' ? text : "?",
                                   .words = words,
                                   .adds = adds,
                                   .is_read_only = shown->is_read_only});
    }
    return (guint)count;
}

static void show_fields(SomBlockRow *row, const SomBlockShown *shown) {
    const SomBlock *block = &shown->blocks->blocks[shown->block];
    guint nth = 0;
    bool is_call = row->kind == SOM_BLOCK_CALL; // arguments stand before clauses
    for (int i = 0; i < block->field_count; i++) {
        int field = block->first_field + i;
        if (is_call && shown->blocks->fields.data[field].kind >= SOM_FIELD_UNTIL) {
            nth += show_left_out(row, shown, nth);
            is_call = false;
        }
        show_field(row, shown, field, nth++);
    }
    nth += is_call ? show_left_out(row, shown, nth) : 0;
    for (guint i = nth; i < row->fields->len; i++) {
        gtk_widget_set_visible(g_ptr_array_index(row->fields, i), FALSE);
    }
    row->field_count = nth;
}

static void show_word(SomBlockRow *row, const SomBlockShown *shown) {
    SomBlockLook look = som_block_look(row->kind, false);
    gtk_image_set_from_icon_name(GTK_IMAGE(row->icon), look.icon);
    const SomBlock *block = &shown->blocks->blocks[shown->block];
    g_autofree char *words = NULL;
    if (row->kind == SOM_BLOCK_ERROR) {
        words = som_c_string(som_syntax_text(shown->blocks->tree, block->whole));
        g_strdelimit(words, "\n\t", ' ');
    } else if (row->kind == SOM_BLOCK_REPEAT &&
               som_blocks_field(shown->blocks, shown->block, SOM_FIELD_TIMES, 0) < 0 &&
               som_blocks_field(shown->blocks, shown->block, SOM_FIELD_UNTIL, 0) < 0) {
        words = g_strdup("repeat forever");
    } else if (som_block_is_list(row->kind) && !row->has_children) {
        words = g_strdup_printf("%s · empty", look.word);
    } else if (row->is_folded) {
        words = g_strdup_printf("%s · %d inside", look.word != NULL ? look.word : "",
                                block->end - shown->block - 1);
    }
    const char *word = words != NULL ? words : look.word;
    gtk_label_set_text(GTK_LABEL(row->word), word != NULL ? word : "");
    gtk_widget_set_visible(row->word, word != NULL);
    gtk_image_set_from_icon_name(GTK_IMAGE(row->arrow),
                                 row->is_folded ? "pan-end-symbolic" : "pan-down-symbolic");
    gtk_widget_set_visible(row->arrow, row->has_children);
}

static void empty(SomBlockRow *row) {
    for (GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(row)); child != NULL;
         child = gtk_widget_get_next_sibling(child)) {
        gtk_widget_set_visible(child, FALSE);
    }
    row->field_count = 0;
    row->is_full = false;
}

static void set_shape(SomBlockRow *row, const SomBlockShown *shown) {
    const SomBlock *block = &shown->blocks->blocks[shown->block];
    row->block = shown->block;
    row->kind = block->kind;
    row->depth = block->depth;
    row->closes = shown->closes;
    row->is_folded = shown->is_folded;
    row->has_children = block->child_count > 0;
    g_array_set_size(row->rails, (guint)block->depth);
    for (int b = block->parent; b >= 0; b = shown->blocks->blocks[b].parent) {
        const SomBlock *around = &shown->blocks->blocks[b];
        g_array_index(row->rails, SomBlockKind, around->depth) = around->kind;
    }
    gtk_widget_queue_resize(GTK_WIDGET(row));
}

void som_block_row_show_shape(SomBlockRow *row, const SomBlockShown *shown) {
    set_shape(row, shown);
    empty(row);
}

void som_block_row_move(SomBlockRow *row, int block) {
    row->block = block;
    for (guint i = 0; i < row->field_count; i++) {
        som_block_chip_move(g_ptr_array_index(row->fields, i), block);
    }
}

void som_block_row_show(SomBlockRow *row, const SomBlockShown *shown) {
    set_shape(row, shown);
    if (row->icon == NULL) {
        make_children(row);
    }
    row->is_full = true;
    gtk_widget_set_visible(row->icon, TRUE);
    show_word(row, shown);
    show_fields(row, shown);
    show_report(row);
    SomText words = {0};
    som_blocks_print(shown->blocks, shown->block, &words);
    som_set_accessible_name(row, som_text_str(&words).data);
    som_text_free(&words);
}

bool som_block_row_is_full(const SomBlockRow *row) {
    return row->is_full;
}

SomBlockChip *som_block_row_field(SomBlockRow *row, SomFieldKind kind, int nth) {
    for (guint i = 0; i < row->field_count; i++) {
        SomBlockChip *field = g_ptr_array_index(row->fields, i);
        if (som_block_chip_is(field, kind, nth)) {
            return field;
        }
    }
    return NULL;
}

SomBlockChip *som_block_row_main_field(SomBlockRow *row) {
    static const SomFieldKind kinds[] = {SOM_FIELD_VALUE, SOM_FIELD_ARGUMENT,  SOM_FIELD_TIMES,
                                         SOM_FIELD_UNTIL, SOM_FIELD_CONDITION, SOM_FIELD_LAST,
                                         SOM_FIELD_TO,    SOM_FIELD_PLACE};
    SomBlockChip *found = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(kinds) && found == NULL; i++) {
        found = som_block_row_field(row, kinds[i], 0);
    }
    return found;
}

void som_block_row_set_mark(SomBlockRow *row, const SomRowMark *mark) {
    bool is_same =
        mark->has_report == row->mark.has_report && mark->severity == row->mark.severity &&
        mark->is_related == row->mark.is_related && mark->is_told == row->mark.is_told &&
        mark->is_chosen == row->mark.is_chosen && g_strcmp0(mark->words, row->mark_words) == 0;
    if (is_same) {
        return;
    }
    g_free(row->mark_words);
    row->mark_words = g_strdup(mark->words);
    row->mark = *mark;
    row->mark.words = row->mark_words;
    show_report(row);
    gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                   mark->words != NULL ? mark->words : "", -1);
    gtk_widget_queue_resize(GTK_WIDGET(row));
}

const SomRowMark *som_block_row_mark(const SomBlockRow *row) {
    return &row->mark;
}

void som_block_row_set_drop(SomBlockRow *row, SomDropMark mark, int depth) {
    if (row->drop != mark || row->drop_depth != depth) {
        row->drop = mark;
        row->drop_depth = depth;
        gtk_widget_queue_draw(GTK_WIDGET(row));
    }
}

SomDropMark som_block_row_drop(const SomBlockRow *row) {
    return row->drop;
}

// ---- layout: what is in it flows into as many lines as it needs

static int begin_of(const SomBlockRow *row) {
    return som_block_row_indent(row->depth) + BAR + 4;
}

static int end_of(const SomBlockRow *row) {
    return EDGE + RIGHT * MIN(row->depth, DEEPEST) + 4;
}

static int below(const SomBlockRow *row) {
    return PAD + CLOSE * MIN(row->closes, DEEPEST);
}

typedef struct Size {
    int width, height;
} Size;

static Size size_of(GtkWidget *child) {
    Size size;
    gtk_widget_measure(child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &size.width, NULL, NULL);
    gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, size.width, NULL, &size.height, NULL, NULL);
    return size;
}

// The child or the first behind it that is shown.
static GtkWidget *shown_from(GtkWidget *child) {
    while (child != NULL && !gtk_widget_get_visible(child)) {
        child = gtk_widget_get_next_sibling(child);
    }
    return child;
}

// Behind the last child that fits into `room` pixels with those from `child` on, and the height of
// them all.
static GtkWidget *end_of_line(GtkWidget *child, int room, int *height) {
    *height = 0;
    for (int x = 0; child != NULL; child = shown_from(gtk_widget_get_next_sibling(child))) {
        Size size = size_of(child);
        if (x > 0 && x + size.width > room) {
            break;
        }
        x += size.width + GAP;
        *height = MAX(*height, size.height);
    }
    return child;
}

// Lays the children out in `width` pixels; returns the height they need. Allocates if asked to.
static int flow(SomBlockRow *row, int width, bool is_allocating) {
    int first = begin_of(row), room = MAX(width - end_of(row) - first, 1), y = PAD + 1, line;
    GtkWidget *child = shown_from(gtk_widget_get_first_child(GTK_WIDGET(row)));
    while (child != NULL) {
        GtkWidget *end = end_of_line(child, room, &line);
        for (int x = first; child != end; child = shown_from(gtk_widget_get_next_sibling(child))) {
            Size size = size_of(child);
            if (is_allocating) {
                gtk_widget_size_allocate(child,
                                         &(GtkAllocation){x, y + (line - size.height) / 2,
                                                          MIN(size.width, room), size.height},
                                         -1);
            }
            x += size.width + GAP;
        }
        y += line + (child != NULL ? BETWEEN_LINES : 0);
    }
    return y + below(row);
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                    int *natural, int *minimum_baseline, int *natural_baseline) {
    SomBlockRow *row = SOM_BLOCK_ROW(widget);
    *minimum_baseline = *natural_baseline = -1;
    if (orientation == GTK_ORIENTATION_VERTICAL) {
        *minimum = *natural = row->is_full ? flow(row, for_size >= 0 ? for_size : 100000, false)
                                           : PAD + 1 + LINE + below(row);
        return;
    }
    int all = 0, most = 0;
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
         child = gtk_widget_get_next_sibling(child)) {
        int wide;
        if (gtk_widget_get_visible(child)) {
            gtk_widget_measure(child, orientation, -1, NULL, &wide, NULL, NULL);
            all += wide + GAP;
            most = MAX(most, wide);
        }
    }
    int frame = begin_of(row) + end_of(row);
    *minimum = most + frame;
    *natural = MAX(all, most) + frame;
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline) {
    (void)height, (void)baseline;
    flow(SOM_BLOCK_ROW(widget), width, true);
}

// ---- drawing

typedef struct Box {
    double x, y, width, height;
} Box;

// The piece of the box of a depth that lies in this row. It goes on beyond the row where the box
// does, so that only its own corners are seen.
static Box box_of(const SomBlockRow *row, int depth) {
    double width = gtk_widget_get_width(GTK_WIDGET((SomBlockRow *)row));
    double height = gtk_widget_get_height(GTK_WIDGET((SomBlockRow *)row));
    int level = MIN(depth, DEEPEST), first = row->depth - row->closes + 1; // that ends here
    double x = som_block_row_indent(depth), y = depth == row->depth ? 2 : -2 * RADIUS;
    double end =
        depth >= first ? height - 1 - CLOSE * MIN(depth - first, DEEPEST) : height + 2 * RADIUS;
    return (Box){x, y, width - x - EDGE - RIGHT * level, end - y};
}

static void draw_box(const SomPaint *paint, Box box, GdkRGBA color, double strength) {
    som_paint_rounded(paint, som_paint_fade(color, strength), box.x, box.y, box.width, box.height,
                      RADIUS);
    GskRoundedRect round;
    graphene_rect_t rectangle =
        GRAPHENE_RECT_INIT((float)box.x, (float)box.y, (float)box.width, (float)box.height);
    gsk_rounded_rect_init_from_rect(&round, &rectangle, RADIUS);
    gtk_snapshot_push_rounded_clip(paint->snapshot, &round);
    som_paint_rectangle(paint, color, box.x, box.y, BAR, box.height);
    gtk_snapshot_pop(paint->snapshot);
}

static void draw_frame(const SomPaint *paint, Box box, GdkRGBA color) {
    GskRoundedRect round;
    graphene_rect_t rectangle =
        GRAPHENE_RECT_INIT((float)box.x, (float)box.y, (float)box.width, (float)box.height);
    gsk_rounded_rect_init_from_rect(&round, &rectangle, RADIUS);
    gtk_snapshot_append_border(paint->snapshot, &round, (float[]){2, 2, 2, 2},
                               (GdkRGBA[]){color, color, color, color});
}

// All of its box that is in this row, as a frame of its own.
static Box own_box(const SomBlockRow *row) {
    Box box = box_of(row, row->depth);
    double height = gtk_widget_get_height(GTK_WIDGET((SomBlockRow *)row));
    box.height = MIN(box.height, height - 1 - box.y);
    return box;
}

static void draw_drop(const SomBlockRow *row, const SomPaint *paint) {
    double width = gtk_widget_get_width(paint->widget), x = som_block_row_indent(row->drop_depth);
    double height = gtk_widget_get_height(paint->widget);
    if (row->drop == SOM_DROP_INTO) {
        draw_frame(paint, own_box(row), paint->accent);
    } else if (row->drop != SOM_DROP_NONE) {
        double y = row->drop == SOM_DROP_BEFORE ? 0 : height - 3;
        som_paint_rounded(paint, paint->accent, x, y, width - x - EDGE, 3, 1.5);
    }
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    SomBlockRow *row = SOM_BLOCK_ROW(widget);
    SomPaint paint = som_paint_begin(widget, snapshot);
    bool is_dark = paint.ink.red + paint.ink.green + paint.ink.blue > 1.5F;
    graphene_rect_t bounds =
        GRAPHENE_RECT_INIT(0, -BETWEEN, (float)gtk_widget_get_width(widget),
                           (float)(gtk_widget_get_height(widget) + 2 * BETWEEN));
    gtk_snapshot_push_clip(snapshot, &bounds);
    for (guint i = 0; i < row->rails->len; i++) {
        SomBlockLook look = som_block_look(g_array_index(row->rails, SomBlockKind, i), is_dark);
        draw_box(&paint, box_of(row, (int)i), look.color, 0.09);
    }
    SomBlockLook look = som_block_look(row->kind, is_dark);
    draw_box(&paint, box_of(row, row->depth), look.color, has_body(row->kind) ? 0.09 : 0.07);
    if (row->mark.is_chosen) {
        draw_frame(&paint, own_box(row), paint.accent);
    }
    if (row->mark.is_told || row->mark.is_related) {
        GdkRGBA color = som_paint_severity(&paint, row->mark.severity);
        Box box = own_box(row);
        som_paint_rounded(&paint, som_paint_fade(color, 0.18), box.x, box.y, box.width, box.height,
                          RADIUS);
        draw_frame(&paint, box, color);
    }
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
         child = gtk_widget_get_next_sibling(child)) {
        gtk_widget_snapshot_child(widget, child, snapshot);
    }
    draw_drop(row, &paint);
    gtk_snapshot_pop(snapshot);
}

// ---- life

static void dispose(GObject *object) {
    GtkWidget *child;
    while ((child = gtk_widget_get_first_child(GTK_WIDGET(object))) != NULL) {
        gtk_widget_unparent(child);
    }
    G_OBJECT_CLASS(som_block_row_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
    SomBlockRow *row = SOM_BLOCK_ROW(object);
    g_array_unref(row->rails);
    g_ptr_array_unref(row->fields);
    g_free(row->mark_words);
    G_OBJECT_CLASS(som_block_row_parent_class)->finalize(object);
}

static GtkSizeRequestMode request_mode(GtkWidget *widget) {
    (void)widget;
    return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void som_block_row_class_init(SomBlockRowClass *klass) {
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(klass);
    G_OBJECT_CLASS(klass)->dispose = dispose;
    G_OBJECT_CLASS(klass)->finalize = finalize;
    widget->measure = measure;
    widget->size_allocate = size_allocate;
    widget->snapshot = snapshot;
    widget->get_request_mode = request_mode;
    signals[FOLD] = g_signal_new("fold", SOM_TYPE_BLOCK_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
    gtk_widget_class_set_css_name(widget, "somblock");
    gtk_widget_class_set_accessible_role(widget, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void som_block_row_init(SomBlockRow *row) {
    row->block = -1;
    row->rails = g_array_new(FALSE, TRUE, sizeof(SomBlockKind));
    row->fields = g_ptr_array_new();
}

GtkWidget *som_block_row_new(SomDesk *desk) {
    SomBlockRow *row = g_object_new(SOM_TYPE_BLOCK_ROW, NULL);
    row->desk = desk;
    return GTK_WIDGET(row);
}
